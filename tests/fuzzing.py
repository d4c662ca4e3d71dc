"""Hostile inputs for every reader, metric and file of a study: seeds and edits go in, costs and faults come out.

An input of a reader is an example of tests/forms.py or tests/rated.py and a list of edits; one of a metric is a list of
segments made of repeated pieces. Both are plain lists, so that tests/fuzz_seeds.json can keep those that cost most for
their size, and those that once failed. tests/benchmarks/fuzz.py looks for more.
"""

import json
import re
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import forms
import numpy as np
import rated
from hypothesis import strategies as st
from made import made_corpus, parsed

from mtsig import Corpus, MtsigError, compare, measure, metric
from mtsig._memory import closed
from mtsig.metrics import METRICS
from mtsig.readers import File, assemble
from mtsig.readers._read import parts_of
from mtsig.study import study_of
from mtsig.study._request import plan_of

SEEDS = Path(__file__).with_name("fuzz_seeds.json")

LARGEST = 2**15
"""Bytes of a file, or characters of a text, that edits may make of it."""

SECONDS = (1.0, 2e-4)
"""CPU seconds that anything may take, and for each byte besides, while memory is traced, on a slow computer."""

MEMORY = (2.0**25, 2_000.0)
"""Bytes of memory that anything may take, and for each byte besides."""

INTERNALS = re.compile(
    r"Traceback|recursion depth|sys\.set_int|object at 0x|NoneType|\bint\(\)|could not convert|unhashable|subscriptable"
    r"|\w+Error\b|\bnumpy\b|_internal|positional argument"
)
"""What no message says to a user."""

_TOKENS = (
    "\t", "\n", "\r", '"', "'", ",", " ", "\\", "<", ">", "&", "&#", "</seg>", "<seg id=", "<p>", "]]>", "[", "]", "{",
    "}", '{"a":', ":", "null", "NaN", "1e308", "-1", "0", "9", "1_0", "²", "a", "\u0301", "\u202e", "\x00", "\x1b",
    "\ufeff", "\u2028", "汉", "\U0001f600", "=", "#", "_", "-", "None", "system", "seg_id", "ref",
)  # fmt: skip

_PIECES = (
    "a", "b", "a b", "the cat", " ", "  ", ".", "a.", "-", "9", "1,000.5", "&amp;", "&quot;", "x", "汉", "汉字", "。",
    "e\u0301", "\u0301", "\u00a0", "\u200b", "ไทย", "\U0001f600", "<skipped>", "'s", "İ", "ß", "\x85", "A", "\u202e",
)  # fmt: skip

Input = list[Any]


@dataclass(frozen=True)
class Fuzzed:
    """What is fuzzed: a name, the inputs there may be, how an input becomes bytes and something to work on, and work.

    `work` returns what was made, or raises MtsigError. slowness: how many times longer than others it may take.
    """

    name: str
    inputs: st.SearchStrategy[Input]
    made: Callable[[Input], tuple[int, Any]]
    work: Callable[[Any], object]
    slowness: float = 1.0


@dataclass(frozen=True)
class Cost:
    """What an input cost: its bytes, CPU seconds, bytes of memory at most, and the fault, if there was one."""

    size: int
    seconds: float
    memory: float
    fault: str

    @property
    def per_byte(self) -> tuple[float, float]:
        """Seconds and memory for each byte; inputs of a few bytes cost what the program itself does."""
        return self.seconds / (self.size + 2_000), self.memory / (self.size + 2_000)


def cost(fuzzed: Fuzzed, given: Input) -> Cost:
    """Do the work on one input, and return what it cost."""
    size, thing = fuzzed.made(given)
    fault = ""
    tracemalloc.start()
    began = time.process_time()
    try:
        with closed():
            fuzzed.work(thing)
    except MtsigError as error:
        fault = _fault_of(str(error))
    except Exception as error:
        fault = f"{type(error).__name__}: {str(error)[:200]}"
    seconds = time.process_time() - began
    memory = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    if seconds > fuzzed.slowness * (SECONDS[0] + SECONDS[1] * size):
        fault = fault or f"{seconds:.1f} s for {size} bytes"
    if memory > MEMORY[0] + MEMORY[1] * size:
        fault = fault or f"{memory / 2**20:.0f} MB for {size} bytes"
    return Cost(size, seconds, memory, fault)


def _fault_of(message: str) -> str:
    """Return what is wrong with a refusal: nothing, where it is a sentence for users."""
    quoted_out = re.sub(r"'[^']*'|\"[^\"]*\"|“[^”]*”", "", message)
    told = INTERNALS.search(quoted_out)
    if told:
        return f"a message with {told[0]!r}: {message[:300]}"
    if len(message) > 20_000 or not message.strip():
        return f"a message of {len(message)} characters"
    return ""


# --- edits ------------------------------------------------------------------------------------------------------

_PLACE = st.integers(0, 999)
_EDIT = st.one_of(
    st.tuples(st.just("repeat"), _PLACE, st.integers(1, 400), st.integers(2, 2_000)),
    st.tuples(st.just("cut"), _PLACE, st.integers(1, 400), st.just(0)),
    st.tuples(st.just("insert"), _PLACE, st.sampled_from(_TOKENS), st.integers(1, 5_000)),
    st.tuples(st.just("overwrite"), _PLACE, st.sampled_from(_TOKENS), st.integers(1, 3)),
    st.tuples(st.just("lines"), _PLACE, st.integers(1, 4), st.integers(2, 2_000)),
).map(list)


def edited(text: str, edits: Sequence[Input]) -> str:
    """Return the text after the edits, each at a thousandth of it."""
    for kind, place, what, times in edits:
        at = len(text) * place // 1000
        if kind == "lines":
            # Whole lines: what readers take for rows, records and segments.
            at = text.rfind("\n", 0, at) + 1
            end = at
            for _ in range(what):
                end = text.find("\n", end) + 1 or len(text)
            text = text[:at] + _repeated(text[at:end], times, len(text)) + text[end:]
        elif kind == "repeat":
            text = text[:at] + _repeated(text[at : at + what], times, len(text)) + text[at + what :]
        elif kind == "cut":
            text = text[:at] + text[at + what :]
        elif kind == "insert":
            text = text[:at] + _repeated(what, times, len(text)) + text[at:]
        else:
            text = text[:at] + what * times + text[at + len(what) * times :]
    return text


def _repeated(piece: str, times: int, size: int) -> str:
    return piece * max(1, min(times, (LARGEST - size) // max(1, len(piece))))


def _of_files(name: str, files: forms.Files) -> Fuzzed:
    """Return the fuzzing of one of several files, as it is when unpacked; the others stay as they are."""
    texts = {label: content for label, content in files.items() if label.endswith((".gz", ".xlsx"))}
    open_ = [label for label in files if label not in texts]

    def made(given: Input) -> tuple[int, list[File]]:
        number, edits = given
        chosen = open_[number % len(open_)]
        content = edited(files[chosen].decode(), edits).encode("utf-8", "surrogatepass")
        changed = {**files, chosen: content}
        return sum(map(len, changed.values())), [File(label, data) for label, data in changed.items()]

    inputs = st.tuples(st.integers(0, len(open_) - 1), st.lists(_EDIT, min_size=1, max_size=5)).map(list)
    return Fuzzed(name, inputs, made, lambda files: assemble(parts_of(files)))


def _of_text(name: str, text: str, work: Callable[[str], object]) -> Fuzzed:
    def made(given: Input) -> tuple[int, str]:
        found = edited(text, given)
        return len(found), found

    return Fuzzed(name, st.lists(_EDIT, min_size=1, max_size=5), made, work)


# --- texts ------------------------------------------------------------------------------------------------------

_SEGMENT = st.lists(
    st.tuples(st.sampled_from(_PIECES), st.sampled_from(("", " ")), st.integers(1, 400)).map(list), max_size=5
)
_CORPUS = st.lists(st.tuples(_SEGMENT, _SEGMENT).map(list), min_size=1, max_size=4)


def _segment(pieces: Sequence[Input]) -> str:
    return "".join((piece + between) * times for piece, between, times in pieces)


def _of_metric(name: str) -> Fuzzed:
    def made(given: Input) -> tuple[int, Corpus]:
        output, reference = zip(*((_segment(ours), _segment(theirs)) for ours, theirs in given), strict=True)
        # A second system, with the output turned round, as no metric counts one alone.
        corpus = Corpus.of({"x": output, "y": [line[::-1] for line in output]}, {"ref": reference})
        size = sum(len(line.encode()) for line in (*output, *output, *reference))
        return size, parsed(corpus) if metric(name).needs_parses else corpus

    def work(corpus: Corpus) -> object:
        found = measure(corpus, metric(name))
        if not np.isfinite(found.values).all() or np.isinf(found.scores).any():
            raise AssertionError(f"scores {found.scores.tolist()}")
        return found

    # METEOR looks for chunks with a beam: where all words are equal, each costs a millisecond.
    return Fuzzed(f"count {name}", _CORPUS, made, work, 8.0 if name.startswith("meteor") else 1.0)


def _logs() -> dict[str, forms.Files]:
    """Return short logs of benchmarks: the first items of those in tests/readers/logs."""
    place = Path(__file__).parent / "readers" / "logs"
    samples = {str(path.relative_to(place / "lm-eval")): path for path in sorted(place.glob("lm-eval/*/samples_sums*"))}
    results = {str(path.relative_to(place / "lm-eval")): path for path in sorted(place.glob("lm-eval/*/results_*"))}
    declared = {name: json.loads(path.read_text()) for name, path in results.items()}
    kept = ("model_name", "model_name_sanitized", "higher_is_better")
    lm_eval = {name: b"".join(path.read_bytes().splitlines(keepends=True)[:3]) for name, path in samples.items()}
    lm_eval |= {name: json.dumps({key: held[key] for key in kept}).encode() for name, held in declared.items()}
    inspect = {}
    for path in sorted(place.glob("inspect/json/*/*")):
        log = json.loads(path.read_text())
        samples_kept = [{key: one[key] for key in _OF_SAMPLES} for one in log["samples"][:3]]
        short = {"version": 2, "status": "success", "eval": {key: log["eval"][key] for key in ("task", "model")}}
        inspect[path.parent.name + "/log.json"] = json.dumps({**short, "samples": samples_kept}).encode()
    helm = {}
    for path in sorted(place.glob("helm/runs/made/simple_classification*/*.json")):
        name, held = f"{path.parent.name}/{path.name}", json.loads(path.read_text())
        if path.name == "per_instance_stats.json":
            named = [
                {**one, "stats": [stat for stat in one["stats"] if "exact" in stat["name"]["name"]]} for one in held
            ]
            held = [one for one in named if one["stats"]][:3]
        elif path.name == "scenario_state.json":
            held = {"request_states": held["request_states"][:3]}
        if path.name != "stats.json":
            helm[name] = json.dumps(held).encode()
    return {"lm-eval": lm_eval, "inspect": inspect, "helm": helm}


_OF_SAMPLES = ("id", "epoch", "input", "target", "output", "scores")


@cache
def fuzzed() -> dict[str, Fuzzed]:
    """Return all that is fuzzed, by name."""
    found = [
        _of_files(f"read {name}", make()) for name, make in forms.FORMS.items() if name not in {"xlsx", "parquet"}
    ]  # these are packed: edits of its bytes are refused as damage
    ratings = {
        name: {f"ratings/{label.removeprefix('ratings/')}": data for label, data in make().items()}
        for name, make in rated.EXAMPLES.items()
    }
    found += [
        _of_files(f"rate {name}", files)
        for name, files in ratings.items()
        if not any(label.endswith(".gz") for label in files)
    ]
    found += [_of_files(f"read {name} log", files) for name, files in _logs().items()]
    parses = "# text = a b\n1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n2\tb\tb\tX\t_\t_\t1\tdep\t_\t_\n\n"
    found.append(_of_files("read conllu", {"a.txt": b"a b\n", "ref.txt": b"a b\n", "parses/a.conllu": parses.encode()}))
    study = compare(made_corpus(12, 2, 0), n_resamples=50)
    found.append(_of_text("study", study.text(), lambda text: study_of(text, "a.json")))
    plan = "metrics = ['bleu', 'chrf']\nseed = 1\nn_resamples = 100\nlevel = 0.95\n"
    plan += "pairs = 'all'\n[equivalence]\nbleu = 1.5\n"
    found.append(_of_text("plan", plan, lambda text: plan_of(text, "a.toml")))
    found += [_of_metric(name) for name in [*METRICS, "gtm:exponent=2"]]
    return {one.name: one for one in found}


def seeds() -> dict[str, list[Input]]:
    """Return the inputs that are kept, by the name of what is fuzzed."""
    found: dict[str, list[Input]] = json.loads(SEEDS.read_text(encoding="utf-8")) if SEEDS.exists() else {}
    return found
