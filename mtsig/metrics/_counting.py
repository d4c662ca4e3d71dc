"""Counting: a metric and a corpus go in, its counts come out; and the tokenizers by which texts are counted.

Counts are kept between runs, and shared by metrics that count the same. Large sets are counted in blocks of segments,
in this process or wherever an executor runs them: the same digits, since no block knows of another.

Metrics that use sacreBLEU's tokenizers choose one by the text, name it in signatures, and warn where it does not fit.
"""

import hashlib
import json
import unicodedata
import warnings
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import KW_ONLY, dataclass, field, replace
from importlib.metadata import version
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.bleu import BLEU

from mtsig._limits import Limits, limits, within
from mtsig._memory import Cache, CacheWarning, remembered, users_cache
from mtsig._options import option, options
from mtsig._records import FloatArray
from mtsig.citations import VERSION
from mtsig.corpus import Corpus, Note
from mtsig.errors import NotApplicable, ProgramError, install, said_by
from mtsig.metrics._metric import Metric, reference_count
from mtsig.metrics._statistics import is_whole
from mtsig.progress import one_by_one
from mtsig.text import writing_of
from mtsig.text._characters import HAN, Writing

COUNTING = 1
"""To be raised with every change after which some text is counted differently: what was kept is then not found."""

LEAST_CHARACTERS = 2**16
"""Less text than this is counted again sooner than it is worth keeping."""

RECOUNTED = 100
"""One in so many systems whose counts are kept is counted again all the same, and compared: always the same ones."""

MOST_COUNT = 1e100
"""No count lies farther from 0: sums of squares of such numbers can still be held."""

SAME = 1e-9
"""Up to so much, in relation, the same real numbers may differ between processors and versions of numpy."""


BLOCK = 2**13
"""Outputs, segments × systems, of a block: changes nothing but the memory used, and how evenly the work is shared."""


def counted(metric: Metric, corpus: Corpus, executor: Executor | None = None) -> FloatArray:
    """Count as `metric.count` does, (k, s, n), but only what no earlier run has counted.

    Whole numbers that float32 holds come as such, others as float64. Blocks are counted by the executor.

    Kept are the counts of each system by itself, by its lines, the references and the metric's `counting_options`: one
    more system costs that one; another smoothing, or another metric made of the same counts, costs nothing.
    """
    options = _options(metric, corpus)
    cache = users_cache("counts") if options is not None and _is_worth_it(corpus) else None
    if options is None or cache is None:
        return _checked(metric, corpus, executor)
    return _from_cache(metric, corpus, cache, _keys(options, corpus), executor)


def _options(metric: Metric, corpus: Corpus) -> Mapping[str, object] | None:
    """Return the metric's `counting_options`, or None when its class counts in a way of its own below them."""
    return metric.counting_options(corpus) if _is_of_its_count(metric, "counting_options") else None


def _is_of_its_count(metric: Metric, name: str) -> bool:
    """Return whether what the metric says of its counting is said of the `count` that it has."""

    def home(name: str) -> type:
        return next(kind for kind in type(metric).__mro__ if name in vars(kind))

    return issubclass(home(name), home("count"))


def _is_worth_it(corpus: Corpus) -> bool:
    lines = (corpus.lines(system) for system in corpus.systems)
    return sum(len(line) for some in lines for line in some) >= LEAST_CHARACTERS


def _keys(options: Mapping[str, object], corpus: Corpus) -> dict[str, str]:
    """Return the key of each system's counts; equal lines have equal keys."""
    shared = json.dumps([COUNTING, _programs(), dict(options), corpus.references_digest], sort_keys=True)
    return {
        system: hashlib.sha256(f"{shared}{corpus.output_digests[corpus.systems[system][0]]}".encode()).hexdigest()
        for system in corpus.systems
    }


@remembered(most=1)  # a file is read and parsed for every version
def _programs() -> dict[str, str]:
    """Return the versions of the programs whose tables of characters decide what a word, a space or a capital is."""
    return {name: version(name) for name in ("sacrebleu", "regex")} | {"unicode": unicodedata.unidata_version}


def _from_cache(
    metric: Metric, corpus: Corpus, cache: Cache, keys: Mapping[str, str], executor: Executor | None
) -> FloatArray:
    systems: dict[str, str] = {}
    for system, key in keys.items():
        systems.setdefault(key, system)
    kept = {key: counts for key in systems if (counts := cache.get(key)) is not None}
    again = [key for key in systems if key not in kept or int(key[:8], 16) % RECOUNTED == 0]
    fresh = _count(metric, corpus, systems, again, executor)
    if not _are_same(kept, fresh, len(corpus)):
        cache.clear()
        kept.clear()
        warnings.warn(f"{cache.folder} had counts that do not match these texts, so it was emptied.", CacheWarning, 2)
        fresh |= _count(metric, corpus, systems, [key for key in systems if key not in fresh], executor)
    cache.put_all({key: compact(counts) for key, counts in fresh.items() if key not in kept})
    rows = [(fresh | kept)[key] for key in keys.values()]
    counts = np.empty((len(rows[0]), len(rows), len(corpus)), np.float32 if all(map(is_whole, rows)) else np.float64)
    for row, own in enumerate(rows):
        counts[:, row] = own
    return counts


def _count(
    metric: Metric, corpus: Corpus, systems: Mapping[str, str], keys: Sequence[str], executor: Executor | None
) -> dict[str, NDArray[Any]]:
    """Return what is counted now of these keys' systems, (k, n) each."""
    if not keys:
        return {}
    new = _checked(metric, corpus.select([systems[key] for key in keys]), executor)
    return dict(zip(keys, np.moveaxis(new, 1, 0), strict=True))


class _Blocks(Sequence[tuple[Metric, Corpus, int, Limits]]):
    """The blocks of a corpus, each made when it is asked for: what is counted, and where it begins."""

    def __init__(self, metric: Metric, corpus: Corpus) -> None:
        # What other metrics count would only be sent along.
        self._corpus = replace(corpus, ratings={}, beside={}, notes=())
        self._metric = metric.on(corpus)
        self._size = max(1, BLOCK // len(corpus.systems))
        self._starts = range(0, len(corpus), self._size)

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, number: Any) -> Any:
        start = self._starts[number]
        segments = range(start, min(start + self._size, len(self._corpus)))
        return self._metric, self._corpus.take(segments), start, limits()


def _block(job: tuple[Metric, Corpus, int, Limits]) -> FloatArray:
    metric, corpus, start, most = job
    with within(most):
        return _sound(metric, corpus, start)


def _checked(metric: Metric, corpus: Corpus, executor: Executor | None) -> FloatArray:
    """Count, in blocks where the metric's counts allow that, and refuse what can be no counts."""
    if len(corpus) * len(corpus.systems) <= BLOCK or not (metric.in_blocks and _is_of_its_count(metric, "in_blocks")):
        return _sound(metric, corpus)
    counts: FloatArray | None = None
    try:
        at = 0
        for block in one_by_one(_block, _Blocks(metric, corpus), executor):
            if counts is None:
                counts = np.zeros((*block.shape[:2], len(corpus)), dtype=block.dtype)  # what is empty may not be cast
            elif counts.dtype != block.dtype:
                counts = counts.astype(np.float64)
            counts[..., at : at + block.shape[-1]] = block
            at += block.shape[-1]
    except NotApplicable:
        # A block numbers its segments by itself: what is refused is said of the whole.
        return _sound(metric, corpus)
    return np.empty((0, 0, 0)) if counts is None else counts


def _sound(metric: Metric, corpus: Corpus, before: int = 0) -> FloatArray:
    """Count, and refuse what can be no counts: a metric may come from outside. `before`: segments before these."""
    shape = f"(k, {len(corpus.systems)}, {len(corpus)})"
    wanted = f"{metric.name}: count() must return numbers of shape {shape}, which are statistics, systems and segments"
    try:
        counts = np.asarray(metric.count(corpus))
    except ValueError as error:
        if not str(error).startswith("setting an array element"):
            raise
        raise ProgramError(f"{wanted}; found lists of unequal lengths.") from None
    if counts.dtype.kind not in "biuf":
        raise ProgramError(f"{wanted}; found values of the type {counts.dtype}.")
    if counts.ndim != 3 or not len(counts) or counts.shape[1:] != (len(corpus.systems), len(corpus)):
        raise ProgramError(f"{wanted}; found shape {counts.shape}.")
    counts = counts.astype(np.float64, copy=False)
    wrong = np.argwhere(~(np.abs(counts) <= MOST_COUNT))
    if len(wrong):
        k, system, segment = wrong[0].tolist()
        raise ProgramError(
            f"{metric.name}: count() must return finite numbers between -{MOST_COUNT:g} and {MOST_COUNT:g}; found "
            f"{counts[k, system, segment]} for statistic {k + 1}, system {list(corpus.systems)[system]}, segment "
            f"{before + segment + 1} of those counted."
        )
    return counts.astype(np.float32) if is_whole(counts) else counts


def _are_same(kept: Mapping[str, NDArray[Any]], fresh: Mapping[str, NDArray[Any]], n: int) -> bool:
    """Return whether what was kept has one shape, (k, n), and is what was counted again."""
    shapes = {counts.shape for counts in (*kept.values(), *fresh.values())}
    if kept and (len(shapes) > 1 or any(len(shape) != 2 or shape[1] != n for shape in shapes)):
        return False
    return all(np.allclose(kept[key], fresh[key], rtol=SAME, atol=SAME) for key in kept.keys() & fresh.keys())


def compact(counts: FloatArray) -> NDArray[Any]:
    """Return the same numbers in the smallest type of whole numbers that holds them, if they are whole."""
    largest = counts.max(initial=0)
    if counts.min(initial=0) < 0 or largest >= 2**53 or np.any(counts != np.rint(counts)):
        return np.asarray(counts)
    return counts.astype(np.min_scalar_type(int(largest)))


EXTRAS: dict[str, str] = {"ja-mecab": "ja", "ko-mecab": "ko"}
"""What to install for a tokenizer."""


def made(factory: type, **options: object) -> Any:
    """Return `factory(**options)`, a sacreBLEU metric."""
    try:
        return factory(**options)
    except (ImportError, RuntimeError, OSError) as error:
        tokenizer = str(options.get("tokenize"))
        if tokenizer in EXTRAS:
            raise NotApplicable(
                f"The tokenizer {tokenizer} is not installed: {install(EXTRAS[tokenizer])}, or "
                "choose another tokenizer, or a metric without one, such as chrF."
            ) from None
        raise NotApplicable(f"sacreBLEU reported an error: {said_by(error, 'it gives no reason', 1_000)}") from None


def texts(corpus: Corpus) -> tuple[list[Sequence[str]], list[Sequence[str | None]]]:
    """Return the lines of every system, and of every reference."""
    return [corpus.lines(system) for system in corpus.systems], list(corpus.references.values())


def sacre_signature(scorer: Any, corpus: Corpus, without: Sequence[str] = (), own: Sequence[str] = ()) -> str:
    """Return sacreBLEU's signature on this corpus without some options, with `own` and this program's version."""
    number = reference_count(corpus)
    scorer.num_refs = -1 if number == "var" else int(number)  # sacreBLEU's code for "it varies"
    signature = scorer.get_signature()
    for name in without:
        signature.update(name, None)
    return "|".join([signature.format(), *own, f"mtsig:{VERSION}"])


AUTO = "auto"

BY_SPACES = frozenset({"none", "13a", "intl"})
"""Tokenizers that leave a clause without spaces in one piece."""

_OF_HAN = frozenset({"zh", "ja-mecab"})
"""Tokenizers that cut Chinese characters, but no other text without spaces."""

_OF_LANGUAGE: dict[str, str] = {"Chinese": "zh", "Japanese": "ja-mecab", "Korean": "ko-mecab"}
"""What sacreBLEU takes when it is told the target language."""


@dataclass(frozen=True)
class Tokenizing(Metric):
    """A metric that splits text into words by one of sacreBLEU's tokenizers.

    With tokenize=auto, the script of the references determines the tokenizer (`on`), and counted statistics name it.
    None means sacreBLEU's own default: the tokenizer of the target language, else 13a.

    by_text: the tokenizer that was chosen by the text; empty if the user chose it.
    """

    tokenize: str = option(
        AUTO, "Tokenizer",
        "How text is split into tokens; auto: zh, ja-mecab … by script, else 13a.",
        choices=(AUTO, *BLEU.TOKENIZERS),
    )  # fmt: skip
    lowercase: bool = option(False, "Lowercase", "Ignore case.")
    _: KW_ONLY
    trg_lang: str = option("", "Target language", "Chooses the tokenizer of zh, ja and ko.", advanced=True)
    by_text: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        """Check the options, and read None as sacreBLEU does."""
        if self.tokenize is None:  # requests that were written before there was "auto"
            object.__setattr__(self, "tokenize", self._sacrebleus)
        if self.by_text != self.tokenize:
            object.__setattr__(self, "by_text", "")
        super().__post_init__()

    @property
    def _of_target(self) -> str | None:
        tokenizer: str | None = BLEU._TOKENIZER_MAP.get(self.trg_lang)
        return tokenizer

    @property
    def _sacrebleus(self) -> str:
        """What sacreBLEU takes when it is left to it."""
        return self._of_target or str(BLEU.TOKENIZER_DEFAULT)

    def on(self, corpus: Corpus) -> Self:
        """Return the metric with the tokenizer for these data, if tokenize=auto."""
        if self.tokenize != AUTO:
            return self
        tokenizer = self._of_target or usual_tokenizer(writing(corpus))
        return replace(self, tokenize=tokenizer, by_text=tokenizer)

    def remark(self, corpus: Corpus) -> Note | None:
        """Return which tokenizer was chosen by the text, and how to change it; None if the user chose it."""
        script, used = writing(corpus), self.on(corpus).by_text
        if script is None or not used:
            return None
        # Of what was counted, not of what is installed where a study of it is made again.
        usual = _OF_LANGUAGE.get(script.language) if used == "char" else None
        why = "" if usual is None else f", as {usual} was not installed (the extra {EXTRAS[usual]} of mtsig)"
        return Note(
            "note",
            f"{script.language} text: {self.name} counts with the tokenizer {used}{why}. To use another one, such as "
            f"{_other(used, script)}, choose it among the options of {self.name}.",
            headline=f"{script.language} tokenized with {used}",
        )

    @property
    def asked(self) -> Self:
        """The metric before the tokenizer was chosen by the data."""
        return replace(self, tokenize=AUTO) if self.by_text else self

    @property
    def counted(self) -> Self:
        """The metric as if the user had chosen its tokenizer."""
        return replace(self, by_text="")

    @property
    def needs_spaces(self) -> bool:
        """Whether the tokenizer splits words only at spaces."""
        return self.tokenize in BY_SPACES

    def cuts(self, language: str) -> bool:
        """Return whether the tokenizer splits text of this language that has no spaces."""
        return language in HAN if self.tokenize in _OF_HAN else self.tokenize not in {*BY_SPACES, "ko-mecab"}


def writing(corpus: Corpus) -> Writing | None:
    """Return how the references, or else the outputs, are written; None for text with spaces."""
    texts = corpus.references or corpus.outputs
    return writing_of(line for lines in texts.values() for line in lines)


def usual_tokenizer(writing: Writing | None) -> str:
    """Return the tokenizer that text of this kind is counted with unless another one is chosen."""
    if writing is None:
        return str(BLEU.TOKENIZER_DEFAULT)
    usual = _OF_LANGUAGE.get(writing.language)
    if usual is None:
        return str(BLEU.TOKENIZER_DEFAULT) if writing.spaced else "char"
    return usual if is_installed(usual) else "char"


def _other(used: str, writing: Writing) -> str:
    """Return a tokenizer that may be wanted instead of the one that is used."""
    if used != "char":
        return "13a" if writing.spaced and used != "13a" else "char"
    # The same whatever is installed, as a study that is made again elsewhere has to say the same.
    return _OF_LANGUAGE.get(writing.language) or "flores200"


def is_installed(tokenizer: str) -> bool:
    """Return whether a tokenizer has the package and the dictionary that it needs."""
    try:
        made(BLEU, tokenize=tokenizer)
    except (NotApplicable, AssertionError):  # sacreBLEU asserts that the dictionary is the one it knows
        return False
    return True


MANY_TOKENIZED = 100
"""sacreBLEU's bound: this many lines that end in " ." look like text that was tokenized before."""


_TOKENIZED, _DOUBTED = "Text is already tokenized", "Words are not separated"


def text_notes(corpus: Corpus, metric: Metric) -> tuple[tuple[Note, ...], str]:
    """Return what is to be known about counting the text of a corpus by a metric, and why not to conclude from it."""
    doubt = _doubt(corpus, metric)
    said = (
        *_tokenized(corpus, metric),
        metric.remark(corpus),
        Note("warning", doubt, headline=_DOUBTED) if doubt else None,
    )
    return tuple(note for note in said if note is not None), doubt


def _tokenized(corpus: Corpus, metric: Metric) -> Iterable[Note]:
    if not metric.expects_plain_text:
        return
    texts = []
    for system in corpus.systems:
        count = sum(line.endswith(" .") for line in corpus.lines(system))
        if count >= MANY_TOKENIZED:
            texts.append(f"{system} ({count} lines)")
    if texts:
        tokenized = f"Text that looks already tokenized (lines that end in ' .'): {', '.join(texts)}."
        yield Note("warning", f"{tokenized} {metric.name} expects plain text.", headline=_TOKENIZED)


def _doubt(corpus: Corpus, metric: Metric) -> str:
    """Return why words cannot be counted so in text without spaces; nothing where they can."""
    result = writing(corpus) if metric.needs_references else None
    if result is None or result.spaced or metric.cuts(result.language):
        return ""
    tokenizer = getattr(metric, "tokenize", None)
    by = f" ({tokenizer})" if tokenizer else ""
    return (
        f"{result.language} is written without spaces between words, and {metric.name} as chosen{by} treats whole "
        f"clauses as words: {_advice(metric, result)}."
    )


def _advice(metric: Metric, writing: Writing) -> str:
    if isinstance(metric, Tokenizing):
        return f"choose the tokenizer {usual_tokenizer(writing)}"
    labels = {option.name: option.label for option in options(metric)}
    if writing.language in HAN and "asian_support" in labels:
        return f"switch on its options “{labels['normalized']}” and “{labels['asian_support']}”"
    return "choose another metric, such as chrF, which needs no words"
