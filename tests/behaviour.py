"""A checkout goes in, a folder with what every verb and page says comes out; of two such folders, what differs.

    python tests/behaviour.py record FOLDER [--jobs 2] [--only GLOB] [--root CHECKOUT]
    python tests/behaviour.py compare BEFORE AFTER [--only GLOB] [--rename OLD=NEW …] [--reasons FILE]

It knows the command line and the titles of the dashboard's pages, and nothing of what is inside: modules may move.
A file of reasons has lines `glob<TAB>reason`: what it names may differ, and the reason is printed instead.
"""

import argparse
import ast
import difflib
import hashlib
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()
LONGEST = 600
"""Seconds after which a command is ended."""

SHOWN = 12
"""Lines of a difference that are printed for a file."""


@dataclass(frozen=True)
class Run:
    """Command lines that are run one after the other in a folder of their own."""

    name: str
    commands: tuple[str, ...]
    own_cache: bool = False


# Every run happens in a folder with these three links, so that no path in any output depends on the machine:
# `sample` (the sample data), `shared` (the shared sets), `made` (what `make_inputs` writes).

SAMPLE = "--data sample"
THREE_REFERENCES = (
    "--ref sample/refs/ref.txt second=sample/more_refs/ref2.txt third=sample/more_refs/ref3.txt "
    "--docs sample/docids.txt --source sample/source.txt --sys sample/systems/direct.txt sample/systems/via-catalan.txt"
)
RUSSIAN = "--data shared/wmt21-ru-en --systems Facebook-AI NVIDIA-NeMo Online-W Online-G"  # documents, people's ratings
CHINESE = "--data shared/wmt22-en-zh --systems Online-W LanguageX HuaweiTSC"  # a Chinese target
GERMAN = "--data shared/wmt21-en-de --systems Facebook-AI Online-W UEdin"  # four references, MQM, no documents
TED = "--data shared/wmt21-ted-zh-en --systems NiuTrans SMU Online-W"  # five documents only
RUNS = "--ref shared/multeval-example/refs.test2010.lc.tok.en.0 --sys " + " ".join(
    f"{system}.run{n}=shared/multeval-example/hyps.lc.tok.en.{system}.opt{n}"
    for system in ("baseline", "sys1")
    for n in range(3)
)

SEVERAL = "--set shared/wmt22-several/en-cs shared/wmt22-several/en-uk"  # two sets, documents, systems in common

VERBS = (
    "read fetch check count score compare gate audit segments trust judges meaning runs power ablate plan report "
    "calibrate experiment reproduce lessons neural parse metrics dashboard cache completion"
)
METRICS = (
    "bleu chrf chrf++ ter nist meteor meteor-1.5 rouge-l gtm wer per mbleu precision bp ratio sentbleu sentchrf sentter"
)
# A test and an interval that go together; the others need a mean of segments.
TESTS = (
    "auto:auto ar:percentile jackknife-t:jackknife ij-t:ij bootstrap-shift:basic bootstrap-t:bootstrap-t "
    "bootstrap-ci:bca bootstrap-koehn:koehn bootstrap-rm2005:normal sacrebleu-bs:percentile sacrebleu-ar:simultaneous"
)
MEAN_TESTS = "t:t wilcoxon:jackknife sign:percentile"
CORRECTIONS = "minp holm bonferroni none sidak hommel minp-single maxt maxt-down bh by"
EXPERIMENTS = {
    "separation": SAMPLE,
    "references": f"{THREE_REFERENCES} --repeats 3",
    "draws": f"{SAMPLE} --total 10000 --sizes 10 100 500",
    "variation": f"{SAMPLE} --size 20 --orders 50",
    "coverage": f"{SAMPLE} --size 20 --sets 10 --draws 100",
    "conclusions": f"{SAMPLE} --sizes 20 40 --sets 10 5 --draws 100",
    "length": f"{SAMPLE} --shares .8 1",
    "sensitivity": SAMPLE,
    "tests": f"{SAMPLE} --draws 200",
    "rerank": f"{SAMPLE} --draws 200",
    "multiplicity": f"{SAMPLE} --size 50 --simulations 50 --draws 99",
    "peeking": f"{SAMPLE} --looks 4 --size 100 --simulations 50",
    "relations": f"{SAMPLE} --draws 200",
    "sentence": SAMPLE,
    "orderings": SAMPLE,
    "nist-weights": f"{SAMPLE} --draws 50",
    "calibrate": f"{SAMPLE} --simulations 50 --draws 99 --tests ar ij-t --sizes 20 --effects 0 1 --drawn segments",
}
PAGES = ("Data", "Results", "Compare two", "Segments", "Planning", "Paper", "Trust", "Learn", "Lab")
QUICK = ("separation", "sensitivity", "sentence")
"""Experiments that are run on the page, not only chosen."""


# ---- What is run ----------------------------------------------------------------------------------------------------


def every_run(shared: bool) -> list[Run]:
    """Return all runs, the longest first, so that none of them is waited for alone at the end."""
    runs = [*_pages(), *_reports(), *_experiments(), *_on_sample(), *_choices(), *_wrong(), *_helps()]
    return [*_on_shared(), *runs] if shared else runs


def _one(name: str, *commands: str) -> Run:
    return Run(name, commands)


def _helps() -> list[Run]:
    alone = [_one(f"help-{verb}", f"{verb} --help") for verb in VERBS.split()]
    return [
        _one("help", "--help", "--version"),
        _one("help-experiment-calibrate", "experiment calibrate --help"),
        *alone,
    ]


def _pages() -> list[Run]:
    return [Run(f"page-{title.lower().replace(' ', '-')}", (f"PAGE {title}",)) for title in reversed(PAGES)]


def _on_sample() -> list[Run]:
    pair = f"{SAMPLE} --pair direct direct-us"
    return [
        _one("score-every-metric", f"score {SAMPLE} --metric {METRICS} --draws 200 --format json"),
        _one("score-table", f"score {SAMPLE} --metric bleu chrf ter", f"score {SAMPLE} --format csv --no-cache"),
        _one("score-references", f"score {THREE_REFERENCES} --metric bleu:tokenize=intl,lowercase=true chrf:beta=1"),
        _one("score-files", "score --ref sample/refs/ref.txt --sys ours=sample/systems/direct.txt --format json"),
        _one("score-parses", f"score {SAMPLE} --parses {_parses()} --metric depf --format json"),
        _one("score-ratings", f"score {SAMPLE} --ratings effort=made/ratings.tsv:lower --format json"),
        _one("compare-table", f"compare {SAMPLE} --metric bleu chrf", f"compare {SAMPLE} --format csv"),
        _one("compare-json", f"compare {SAMPLE} --metric bleu chrf --joined --save study.json --format json"),
        _one("compare-segments", f"compare {SAMPLE} --unit segment --draws 500 --format json --pairs direct"),
        _one("compare-by-length", f"compare {SAMPLE} --by length --draws 200", f"{_by('length:3')} --format json"),
        _one("compare-one-sided", f"compare {pair} --alternative greater --level 0.9"),
        _one("compare-slice", f"compare {SAMPLE} --slice length=short --draws 200 --unit segment --format json"),
        _one("compare-ratings", f"compare {SAMPLE} --ratings made/ratings.tsv:higher --metric ratings --draws 200"),
        _one("audit-table", f"audit {pair} --draws 500 --as-sacrebleu"),
        _one("audit-json", f"audit {pair} --draws 500 --as-sacrebleu --format json --metric bleu chrf"),
        _one("segments-table", f"segments {pair} --draws 500", f"segments {pair} --bucket number --format csv"),
        _one("segments-json", f"segments {pair} --unit segment --draws 500 --metric ter --format json --sort absolute"),
        _one("segments-html", f"segments {pair} --top 10 --format html"),
        _one("power-table", f"power {pair} --difference 0.5 --margin 1"),
        _one("power-json", f"power {pair} --difference 0.5 --margin 1 --comparisons 10 --power .9 --format json"),
        _one("ablate-table", f"ablate {SAMPLE} --sizes .2 .5 1 --repeats 10"),
        _one(
            "ablate-json", f"ablate {SAMPLE} --sizes .5 1 --repeats 3 --interval percentile --draws 100 --format json"
        ),
        _one("runs-made", f"runs {SAMPLE} --runs d=direct,direct-us v=via-catalan,via-galician --draws 500"),
        _one("check", f"check {SAMPLE}", f"check {SAMPLE} --format json"),
        _one("check-made", "check --data made/odd --format json"),
        _one("read", "read sample", "read sample --format json", "read made/sample.zip"),
        _one("read-tables", "read made/wide.tsv --format json", "score --data made/wide.tsv --draws 200"),
        _one("metrics", "metrics", "metrics bleu meteor", f"metrics {METRICS}"),
        _one("count", f"count {SAMPLE} --metric bleu chrf -o c.parquet", "compare --counts c.parquet --format json"),
        _one("gate", f"gate {SAMPLE} --baseline direct --candidate direct-us --margin 1 --format json"),
        _one("lessons", f"lessons {SAMPLE} --lesson 1 6 --to html --solutions --out handouts"),
        _one("completion", "completion bash"),
        _one("statement", f"compare {SAMPLE} --metric bleu chrf --statement all --out said"),
        _one("plan", "plan --metric bleu chrf --pairs direct --draws 300", "plan made/plan.toml", "plan --joined"),
        _one("compare-plan", f"compare {SAMPLE} --plan made/plan.toml --save planned.json"),
        _one("reproduce", f"reproduce koehn2004 {SAMPLE} --out out"),
        Run("cache", ("cache", f"score {SAMPLE} --metric bleu chrf", "cache", "cache --clear", "cache"), True),
    ]


def _by(by: str) -> str:
    return f"compare {SAMPLE} --by {by} --draws 200"


def _parses() -> str:
    return " ".join(f"made/parses/{name}.conllu" for name in ("ref", *SYSTEMS))


SYSTEMS = ("direct", "direct-us", "via-catalan", "via-esperanto", "via-galician")


def _choices() -> list[Run]:
    """Return runs with every test, interval and correction."""
    base = f"compare {SAMPLE} --draws 200 --unit segment --format json"
    judged = f"score {SAMPLE} --ratings correct=made/right.tsv --metric correct --format json"
    return [
        # Two intervals that are of scores, and of shares, alone.
        _one("interval-sacrebleu", f"score {SAMPLE} --draws 200 --unit segment --interval sacrebleu --format json"),
        _one("interval-wilson", f"{judged} --unit segment --interval wilson"),
        *_tests(base, TESTS),
        *_tests(f"{base} --metric sentbleu", MEAN_TESTS),
        *(_one(f"correction-{one}", f"{base} --correction {one}") for one in CORRECTIONS.split()),
        _one("correction-tukey", f"{base} --metric sentbleu --test t --correction tukey"),
        _one("correction-scheffe", f"{base} --metric sentbleu --test t --correction scheffe"),
        _one("correction-nemenyi", f"{base} --metric sentbleu --test wilcoxon --correction nemenyi"),
    ]


def _tests(base: str, pairs: str) -> list[Run]:
    named = [one.split(":") for one in pairs.split()]
    return [_one(f"test-{test}", f"{base} --test {test} --interval {interval}") for test, interval in named]


def _reports() -> list[Run]:
    study = f"compare {SAMPLE} --metric bleu chrf --draws 500 --save study.json"
    every = "html latex pdf svg png pgf markdown csv xlsx json"
    return [
        _one("report-every-format", study, f"report study.json --to {every} --out out"),
        _one(
            "report-widths",
            f"compare {SAMPLE} --unit segment --draws 200 --save study.json",
            "report study.json --to pdf:paper=acl-full svg:paper=neurips-half --out out",
            f"report study.json {SAMPLE} --to svg pdf --pair direct direct-us --sizes --out drawn",
        ),
        _one(
            "report-against",
            f"compare {SAMPLE} --draws 200 --save one.json",
            f"compare {SAMPLE} --draws 300 --seed 7 --save two.json",
            "report one.json --against two.json",
            "report one.json --against one.json",
            "report one.json --data made/odd --to json --out out",
        ),
    ]


def _experiments() -> list[Run]:
    named = [
        _one(f"experiment-{name}", f"experiment {name} {words} --format json") for name, words in EXPERIMENTS.items()
    ]
    drawn = "--out out --figures pdf svg png --paper acl-full"
    calibrated = (
        "calibrate --simulated 28 27 --simulations 50 --draws 99 --tests ar bootstrap-shift --sizes 50 --effects 0"
    )
    return [
        *reversed(named),
        _one("experiment-figures", f"experiment tests {SAMPLE} --draws 200 {drawn}"),
        _one("experiment-tables", f"experiment separation {SAMPLE}", f"experiment sentence {SAMPLE} --format csv"),
        _one("calibrate-table", f"{calibrated} --drawn segments"),
    ]


def _on_shared() -> list[Run]:
    ratings = "--ratings da-z=shared/wmt21-ru-en/human/da.seg.tsv"
    mqm = "--ratings mqm=shared/wmt21-en-de/human/mqm.seg.tsv"
    return [
        _one("russian-compare", f"compare {RUSSIAN} {ratings} --metric bleu da-z chrf --draws 500 --format json"),
        _one("russian-table", f"compare {RUSSIAN} {ratings} --metric da-z --unit document"),
        _one("russian-score", f"score {RUSSIAN} --metric bleu nist --draws 200 --format json"),
        _one("russian-audit", f"audit {RUSSIAN} --pair Facebook-AI Online-W --draws 200 --format json"),
        _one(
            "russian-relations",
            f"experiment relations {RUSSIAN} {ratings} --metric bleu da-z --draws 200 --format json",
        ),
        _one("chinese-compare", f"compare {CHINESE} --metric bleu chrf --draws 500 --save study.json --format json"),
        _one("chinese-table", f"score {CHINESE} --metric bleu bleu:tokenize=13a --draws 200", f"check {CHINESE}"),
        _one("chinese-by-domain", f"compare {CHINESE} --by length --draws 200"),
        _one("german-compare", f"compare {GERMAN} {mqm} --metric bleu mqm chrf++ --draws 200 --format json"),
        _one("german-score", f"score {GERMAN} --metric bleu rouge-l --draws 200", f"check {GERMAN} {mqm}"),
        _one("german-references", f"experiment references {GERMAN} --repeats 2 --format json"),
        _one("russian-trust", f"trust {RUSSIAN} {ratings} --metric sentbleu chrf --draws 200 --format json --out trusted"),
        _one("russian-trust-compared", f"trust {RUSSIAN} {ratings} --metric sentbleu sentchrf --compare pearson"),
        _one("russian-meaning", f"meaning {RUSSIAN} {ratings} --metric chrf --difference 1.2"),
        _one("russian-segments", f"segments {RUSSIAN} --pair Facebook-AI Online-W --draws 500 --format json"),
        _one("german-judges", "judges --data shared/mtme/wmt21.news --draws 200 --format json"),
        _one("sets-compare", f"compare {SEVERAL} --metric bleu chrf --draws 2000 --save study.json --format json"),
        _one("sets-table", f"compare {SEVERAL} --weights segments", f"score {SEVERAL} --draws 200"),
        _one(
            "sets-report",
            f"compare {SEVERAL} --draws 2000 --save study.json",
            "report study.json --to html latex pdf svg png pgf markdown csv xlsx json --out out",
        ),
        _one("ted-compare", f"compare {TED} --draws 200 --format json", f"compare {TED} --unit document"),
        _one("runs-multeval", f"runs {RUNS} --draws 500 --format json"),
        _one("read-mtme", "read shared/mtme/wmt21.news --format json", "read shared/wmt20-en-de-scores"),
        _one("read-xml", "read shared/wmt-xml/newstest2021.ru-en.all.xml --format json", "read shared/wmt25-ja-zh"),
        _one("read-sgm", "read shared/sgm/wmt21-ted-zh-en --format json"),
        _one("compare-scores-only", "compare --ratings shared/wmt20-en-de-scores/human/mqm.seg.tsv --draws 200"),
    ]


def _wrong() -> list[Run]:
    return [
        _one("wrong-verbs", "", "nosuchverb", "score --nosuch", "experiment nosuch"),
        _one(
            "wrong-paths", "score --data nosuch", "compare --data made/empty", "report nosuch.json", "plan nosuch.toml"
        ),
        _one("wrong-lines", "score --data made/unequal", "check --data made/unequal"),
        _one("wrong-files", "score --data made/binary.bin", "read made/logs.json --format json"),
        _one("wrong-studies", "report made/broken.json", "report made/other.json"),
        _one("wrong-plans", "plan made/broken.toml"),
        _one(
            "wrong-plan-and-options",
            f"compare {SAMPLE} --plan made/plan.toml --draws 200",
            "plan made/plan.toml --joined",
        ),
        _one("wrong-metrics", f"score {SAMPLE} --metric nosuch", f"score {SAMPLE} --metric bleu:nosuch=1"),
        _one("wrong-metric-values", f"score {SAMPLE} --metric bleu:tokenize=x", f"score {SAMPLE} --metric bleu bleu"),
        _one("wrong-choices", f"compare {SAMPLE} --test nosuch", f"compare {SAMPLE} --draws many"),
        _one("wrong-bounds", f"compare {SAMPLE} --level 2", f"compare {SAMPLE} --draws 0 --interval percentile"),
        _one("wrong-systems", f"compare {SAMPLE} --systems nosuch", f"compare {SAMPLE} --pair direct nosuch"),
        _one(
            "wrong-slices",
            f"compare {SAMPLE} --by domain",
            f"{_by('length')} --save study.json",
            f"score {SAMPLE} --slice nosuch=1",
        ),
        _one("wrong-pairs", f"audit {SAMPLE}", f"compare {SAMPLE} --pairs direct --pair direct direct"),
        _one("wrong-runs", f"runs {SAMPLE}"),
        _one("wrong-ratings", f"score {SAMPLE} --ratings made/ratings.tsv", f"score {SAMPLE} --ratings nosuch.tsv"),
        _one("wrong-experiments", f"experiment references {SAMPLE}", f"experiment tests {SAMPLE} --figures pdf"),
        _one("wrong-workers", f"experiment tests {SAMPLE} --workers 0", "experiment variation --simulated x"),
        _one("wrong-formats", "report made/broken.json --to nosuch", f"score {SAMPLE} --format x"),
        _one("wrong-downloads", "fetch nosuch", f"neural {SAMPLE} --model x --command nosuch"),
        _one("wrong-parsers", f"parse {SAMPLE} --model nosuch", "cache nosuch"),
    ]


# ---- What it is run on ----------------------------------------------------------------------------------------------


def make_inputs(folder: Path, sample: Path) -> None:
    """Write the made inputs: broken ones, and the sample in other forms."""
    outputs = {name: _lines(sample / "systems" / f"{name}.txt") for name in SYSTEMS}
    reference = _lines(sample / "refs" / "ref.txt")
    _write(folder / "unequal/ref.txt", reference[:20])
    _write(folder / "unequal/one.txt", outputs["direct"][:19])
    _write(folder / "unequal/two.txt", outputs["direct-us"][:20])
    (folder / "empty").mkdir()
    (folder / "binary.bin").write_bytes(bytes(range(256)) * 8)
    (folder / "logs.json").write_text(
        '{"name": "BLEU", "score": 19.2, "signature": "nrefs:1|case:mixed", "version": "2"}'
    )
    (folder / "broken.json").write_text('{"schema": "mtsig/1", "settings": ')
    (folder / "other.json").write_text('{"schema": "mtsig/1", "settings": {}}')
    (folder / "newer.json").write_text('{"schema": "mtsig/99"}')
    (folder / "broken.toml").write_text('metrics = ["nosuch"\n')
    plan = (
        'metrics = ["chrf"]\npairs = "via-galician"\nalternative = "greater"\ndraws = 300\n[equivalence]\nchrf = 1.5\n'
    )
    (folder / "plan.toml").write_text(plan)
    _make_odd(folder / "odd", reference, outputs)
    numbers = ["\t".join(str((n * 7 + k * 3) % 11 + k) for k in range(len(SYSTEMS))) for n in range(len(reference))]
    _write(folder / "ratings.tsv", ["\t".join(SYSTEMS), *numbers])
    judged = ["\t".join(str(int((n * 7 + k * 3) % 11 > k)) for k in range(len(SYSTEMS))) for n in range(len(reference))]
    _write(folder / "right.tsv", ["\t".join(SYSTEMS), *judged])
    rows = zip(reference, outputs["direct"], outputs["via-catalan"], strict=True)
    _write(folder / "wide.tsv", ["reference\tdirect\tvia-catalan", *("\t".join(row) for row in rows)])
    for name, lines in {"ref": reference, **outputs}.items():
        _write(folder / f"parses/{name}.conllu", [line for text in lines for line in _chain(text)])
    with zipfile.ZipFile(folder / "sample.zip", "w") as packing:
        for file in sorted(sample.rglob("*.txt")):
            packing.writestr(zipfile.ZipInfo(file.relative_to(sample).as_posix()), file.read_bytes())


def _make_odd(folder: Path, reference: Sequence[str], outputs: Mapping[str, Sequence[str]]) -> None:
    """Write a test set with the faults that the checks look for."""
    shifted = [*outputs["direct"][1:], outputs["direct"][0]]
    odd = [line.lower().replace(".", " .") if n % 9 else "" for n, line in enumerate(outputs["direct-us"])]
    _write(folder / "ref.txt", reference)
    _write(folder / "shifted.txt", shifted)
    _write(folder / "odd.txt", odd)
    _write(folder / "same.txt", outputs["direct"])
    _write(folder / "again.txt", outputs["direct"])
    _write(folder / "copy.txt", reference)


def _chain(text: str) -> list[str]:
    """Return a parse in which every word hangs on the one before it."""
    words = text.split()
    return [*(f"{n}\t{word}\t_\tX\t_\t_\t{n - 1}\tdep\t_\t_" for n, word in enumerate(words, start=1)), ""]


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def _write(file: Path, lines: Sequence[str]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


# ---- Recording ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """Where a record is made: the checkout, a temporary folder, and the shared data."""

    root: Path
    scratch: Path
    shared: Path | None

    @property
    def environment(self) -> dict[str, str]:
        """Return what commands see of the machine. The seed of hashes is left to chance: orders of sets are faults."""
        fixed = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "TZ": "UTC"}
        return fixed | {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self.scratch / "home"),
            "XDG_CACHE_HOME": str(self.scratch / "home" / ".cache"),
            "MPLCONFIGDIR": str(self.scratch / "matplotlib"),
            "MTSIG_CACHE": str(self.scratch / "cache"),
            "PYTHONPATH": f"{self.root}{os.pathsep}{self.root / 'dashboard'}",
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }

    def plain(self, text: str, work: Path) -> str:
        """Return the text without paths of this machine."""
        found = {
            str(work): "<WORK>",
            str(self.scratch): "<SCRATCH>",
            str(self.root): "<ROOT>",
            str(HERE.parent): "<HERE>",
        }
        if self.shared is not None:
            found[str(self.shared)] = "<SHARED>"
        for path, name in found.items():
            text = text.replace(path, name)
        return text


def record(folder: Path, root: Path, jobs: int, only: str) -> int:
    """Run everything, write what it says into the folder, and return the exit code."""
    folder.mkdir(parents=True, exist_ok=True)
    given = os.environ.get("MTSIG_SHARED")
    shared = Path(given).resolve() / "data" if given else None
    if shared is None:
        sys.stderr.write("note: MTSIG_SHARED is not set: runs on shared data are left out.\n")
    runs = [run for run in every_run(shared is not None) if fnmatchcase(run.name, only)]
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="behaviour-") as scratch:
        place = Place(root.resolve(), Path(scratch).resolve(), shared)
        _prepare(place)
        with ThreadPoolExecutor(jobs) as pool:
            for run, seconds in pool.map(lambda run: _recorded(run, place, folder), runs):
                sys.stderr.write(f"{seconds:6.1f} s  {run.name}\n")
    sys.stderr.write(f"{len(runs)} runs in {time.monotonic() - started:.0f} s\n")
    return 0


def _prepare(place: Place) -> None:
    for name in ("made", "home", "runs"):
        (place.scratch / name).mkdir()
    make_inputs(place.scratch / "made", place.root / "sample_data" / "es-en")
    # Its list of fonts is made now, so that no run says that it is being made.
    warm = [sys.executable, "-c", "import matplotlib.font_manager"]
    subprocess.run(warm, env=place.environment, capture_output=True, check=False)


def _recorded(run: Run, place: Place, folder: Path) -> tuple[Run, float]:
    """Run the commands in a folder of their own, and write what they said and wrote."""
    started = time.monotonic()
    work = place.scratch / "runs" / run.name
    work.mkdir()
    links = {"sample": place.root / "sample_data" / "es-en", "made": place.scratch / "made", "shared": place.shared}
    for name, target in links.items():
        if target is not None:
            (work / name).symlink_to(target)
    environment = place.environment | ({"MTSIG_CACHE": str(work / "cache")} if run.own_cache else {})
    said = [_said(command, place, work, environment) for command in run.commands]
    (folder / f"{run.name}.txt").write_text("".join(said), encoding="utf-8")
    for name in links:
        (work / name).unlink(missing_ok=True)
    _keep(work, folder / run.name, place)
    return run, time.monotonic() - started


def _said(command: str, place: Place, work: Path, environment: Mapping[str, str]) -> str:
    """Run one command and return its line, exit code, stdout and stderr."""
    if command.startswith("PAGE "):
        # The Lab draws some of its fields in the order of a set, another one in every process.
        environment = {**environment, "PYTHONHASHSEED": "0"}
        line = [sys.executable, str(HERE), "page", command.removeprefix("PAGE "), "--root", str(place.root)]
    else:
        line = [sys.executable, "-m", "mtsig", *shlex.split(command)]
    try:
        done = subprocess.run(line, cwd=work, env=environment, capture_output=True, timeout=LONGEST, check=False)
        code, out, err = str(done.returncode), done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        code, out, err = f"none: ended after {LONGEST} seconds", b"", b""
    texts = [place.plain(one.decode("utf-8", "backslashreplace"), work) for one in (out, err)]
    # Streamlit says with the time of day that it runs without a browser.
    texts[1] = re.sub(r"^.*missing ScriptRunContext!.*\n", "", texts[1], flags=re.MULTILINE)
    return f"$ mtsig {command}\n--- exit {code}\n--- stdout\n{texts[0]}\n--- stderr\n{texts[1]}\n"


def _keep(work: Path, kept: Path, place: Place) -> None:
    """Copy what was written, with no paths of this machine in texts."""
    if kept.exists():
        shutil.rmtree(kept)
    for file in sorted(one for one in work.rglob("*") if one.is_file() and "cache" not in one.relative_to(work).parts):
        target = kept / file.relative_to(work)
        target.parent.mkdir(parents=True, exist_ok=True)
        data = file.read_bytes()
        try:
            target.write_bytes(place.plain(data.decode("utf-8"), work).encode())
        except UnicodeDecodeError:
            target.write_bytes(data)


# ---- Pages ----------------------------------------------------------------------------------------------------------


def page(title: str, root: Path) -> int:
    """Print all that a page shows, without data and with the sample, and write its figures; return the exit code."""
    from streamlit.testing.v1 import AppTest

    script = root / "dashboard" / "mtsig_dashboard" / "app.py"
    path = _page_path(script, title)

    def opened() -> Any:
        return AppTest.from_file(str(script), default_timeout=LONGEST).run()

    bare = opened()
    bare.switch_page(path).run()
    _print_page("without data", bare)
    at = opened()
    at.button[0].click().run()
    at.switch_page(path).run()
    _print_page("sample", at)
    for key in _closed(at):
        at.session_state[key] = True
    at.run()
    _print_page("sample, all opened", at)
    if title == "Lab":
        _experiments_on_page(at)
    return 0


def _page_path(script: Path, title: str) -> str:
    """Return the file of the page with this title, as the app's navigation names it, wherever it lies."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in [script, *sorted(script.parent.rglob("*.py"))]]
    paths = {name: path for tree in trees for name, path in _constants(tree)}
    for node in (node for tree in trees for node in ast.walk(tree)):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        named = {keyword.arg: keyword.value for keyword in node.keywords}.get("title")
        if isinstance(named, ast.Constant) and named.value == title:
            page = node.args[0]
            return paths[page.attr] if isinstance(page, ast.Attribute) else str(ast.literal_eval(page))
    raise SystemExit(f"No page is called {title}.")


def _constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the names of a module that stand for texts, alone or side by side, with the texts."""
    for node in tree.body:
        if isinstance(node, ast.Assign):
            target, value = node.targets[0], node.value
            pairs = (
                zip(target.elts, value.elts, strict=False)
                if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
                else [(target, value)]
            )
            for name, text in pairs:
                if isinstance(name, ast.Name) and isinstance(text, ast.Constant) and isinstance(text.value, str):
                    yield name.id, text.value


def _closed(at: Any) -> list[str]:
    """Return the keys of sections that compute only when they are open."""
    return [_key(one.proto.id) for one in at.expander if getattr(one.proto, "id", "")]


def _key(identity: str) -> str:
    """Return the key in a widget's identity, which begins with a digest of how it was made."""
    return re.sub(r"^\$\$ID-[0-9a-f]+-", "", identity)


def _experiments_on_page(at: Any) -> None:
    chooser = next(one for one in at.selectbox if one.key == "experiment")
    for name in list(EXPERIMENTS):
        chooser.set_value(name).run()
        _print_page(f"{name} chosen", at)
        if name in QUICK:
            next(one for one in at.button if one.label == "Run").click().run()
            _print_page(f"{name} run", at)
        chooser = next(one for one in at.selectbox if one.key == "experiment")


def _print_page(heading: str, at: Any) -> None:
    """Print every element in its order; figures go into files."""
    print(f"##### {heading}")
    for error in at.exception:
        print(f"EXCEPTION {error.value}")
    for number, element in enumerate([*at.sidebar, *at.main]):
        if element.type == "plotly_chart":
            file = Path(f"{heading.replace(', ', '-').replace(' ', '-')}-{number}.json")
            file.write_text(json.dumps(json.loads(element.proto.spec), indent=1, ensure_ascii=False), encoding="utf-8")
            print(f"plotly_chart: {file}")
        else:
            print(_element(element))


def _element(element: Any) -> str:
    """Return one element in words: its text, then all else that it was made with."""
    from google.protobuf.json_format import MessageToDict  # type: ignore[import-untyped]
    from pandas import DataFrame

    proto = getattr(element, "proto", None)
    found = {} if proto is None else MessageToDict(proto)
    value = getattr(element, "value", None)
    if isinstance(value, DataFrame):
        value = f"\n{value.to_csv()}"
    body = found.pop("body", "" if value is None else value)
    rest = json.dumps(_lasting(found), ensure_ascii=False, sort_keys=True)
    return f"{element.type}: {body}" + (f"\n    {rest}" if rest != "{}" else "")


def _lasting(found: Any) -> Any:
    """Return what an element was made with, without what only its wiring needs."""
    if isinstance(found, list):
        return [_lasting(one) for one in found]
    if not isinstance(found, dict):
        return found
    named = {name: _key(one) if name == "id" else _lasting(one) for name, one in found.items()}
    # Tables are told as text; addresses of files and of deferred files are drawn anew for every session.
    return {name: one for name, one in named.items() if name not in {"arrowData", "data", "url", "deferredFileId"}}


# ---- Comparing ------------------------------------------------------------------------------------------------------


def compare(
    before: Path, after: Path, renames: Mapping[str, str], reasons: Sequence[tuple[str, str]], only: str
) -> int:
    """Print every difference of two records and return 1 where one has no reason, else 0."""
    old = {_renamed(name, renames): file for name, file in _files(before, only).items()}
    new = _files(after, only)
    told: list[str] = []
    unexplained = 0
    for name in sorted(old.keys() | new.keys()):
        found = _difference(name, old.get(name), new.get(name), renames)
        if not found:
            continue
        why = [(glob, reason) for glob, reason in reasons if fnmatchcase(name, glob)]
        if why:
            told.append(why[0][0])
            print(f"~ {name}: {why[0][1]}")
            continue
        unexplained += 1
        print("\n".join([f"! {name}", *(f"    {line}" for line in found)]))
    for glob, _ in reasons:
        if glob not in told:
            print(f"? nothing differs that the reason for {glob} is about")
    print(f"{len(old)} files before, {len(new)} after: {unexplained} differ without a reason, {len(told)} with one.")
    return 1 if unexplained or not old else 0


def _files(folder: Path, only: str) -> dict[str, Path]:
    found = {one.relative_to(folder).as_posix(): one for one in sorted(folder.rglob("*")) if one.is_file()}
    return {name: one for name, one in found.items() if fnmatchcase(name.split("/")[0].removesuffix(".txt"), only)}


def _renamed(text: str, renames: Mapping[str, str]) -> str:
    """Return the text with whole words renamed."""
    for old, new in renames.items():
        text = re.sub(rf"(?<![\w]){re.escape(old)}(?![\w])", new.replace("\\", r"\\"), text)
    return text


def _difference(name: str, before: Path | None, after: Path | None, renames: Mapping[str, str]) -> list[str]:
    """Return in a few lines how a file differs; nothing where it does not, or only in what is volatile."""
    if before is None or after is None:
        return ["new" if before is None else "missing"]
    one, two = before.read_bytes(), after.read_bytes()
    if one == two and not renames:
        return []
    texts = _renamed(readable(name, one), renames), readable(name, two)
    if texts[0] == texts[1]:
        if one != two and texts[1].encode() != two:  # read from something else than text
            print(f"= {name}: other bytes, the same content")
        return []
    found = difflib.unified_diff(_short_lines(texts[0]), _short_lines(texts[1]), lineterm="", n=1)
    changes = list(found)[2:]  # without the two names
    cut = [line if len(line) < 200 else f"{line[:200]}…" for line in changes[:SHOWN]]
    more = [f"… {len(changes) - SHOWN} more lines"] if len(changes) > SHOWN else []
    return [*_structure(*texts), *cut, *more]


def _short_lines(text: str) -> list[str]:
    """Return the lines; long ones are broken where something ends, so that a difference in them can be seen."""
    found: list[str] = []
    for line in text.split("\n"):
        found += [line] if len(line) < 200 else re.sub(r"(?<=[,;>}])", "\n", line).split("\n")
    return found


def readable(name: str, data: bytes) -> str:
    """Return a file as text that is the same when only what is volatile differs: dates, versions, compression."""
    if data[:4] == b"PK\x03\x04":
        return _members(data)
    if data[:4] == b"%PDF":
        return _pdf(data)
    if data[:4] == b"\x89PNG":
        return _image(data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return f"{len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}"
    if name.endswith(".html"):
        # Plotly calls the place of every figure by a random number.
        text = re.sub(r"\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b", "<ID>", text)
    if name.endswith((".xml", ".rels")):
        text = re.sub(r"(<dcterms:(created|modified)[^>]*>)[^<]*", r"\1", text).replace("><", ">\n<")
    return text


def _members(data: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = sorted(archive.namelist())
        return "\n".join(f"=== {name}\n{readable(name, archive.read(name))}" for name in names)


def _pdf(data: bytes) -> str:
    """Return what a PDF says and draws; without pypdf only its size."""
    try:
        from pypdf import PdfReader
    except ImportError:
        return f"PDF of {len(data)} bytes (pypdf is not installed)"
    found: list[str] = []
    for page in PdfReader(io.BytesIO(data)).pages:
        contents = page.get_contents()
        drawn = b"" if contents is None else contents.get_data()
        found += [str(list(page.mediabox)), page.extract_text(), f"drawn: sha256 {hashlib.sha256(drawn).hexdigest()}"]
    return "\n".join(found)


def _image(data: bytes) -> str:
    """Return size and pixels of an image, whatever program compressed it."""
    from PIL import Image

    with Image.open(io.BytesIO(data)) as image:
        return f"image {image.size}, pixels sha256 {hashlib.sha256(image.convert('RGBA').tobytes()).hexdigest()}"


def _structure(before: str, after: str) -> list[str]:
    """Return how JSON differs by paths: that of a file, or that of every command in a record."""
    if not before.startswith("$ mtsig"):
        one, two = _json(before), _json(after)
        return [] if one is None or two is None else _summed(json_changes(one, two))
    found: list[str] = []
    for one, two in zip(_outputs(before), _outputs(after), strict=False):
        if one is not None and two is not None and one != two:
            found += _summed(json_changes(one, two))
    return found


def _outputs(record: str) -> list[Any]:
    parts = re.findall(r"^--- stdout\n(.*?)\n--- stderr$", record, flags=re.DOTALL | re.MULTILINE)
    return [_json(part) for part in parts]


def _json(text: str) -> Any:
    """Return the object or list that the text is as JSON, or None."""
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict | list) else None


def json_changes(before: Any, after: Any, path: str = "$") -> Iterator[tuple[str, str, str]]:
    """Yield what differs as (kind, path, detail): keys added, removed, renamed or moved, and values changed."""
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _changes_of_keys(before, after, path)
    elif isinstance(before, list) and isinstance(after, list):
        if len(before) != len(after):
            yield "length", path, f"{len(before)} → {len(after)}"
        for number, (one, two) in enumerate(zip(before, after, strict=False)):
            yield from json_changes(one, two, f"{path}[{number}]")
    elif before != after or type(before) is not type(after):
        yield "changed", path, f"{_brief(before)} → {_brief(after)}"


def _changes_of_keys(before: dict[str, Any], after: dict[str, Any], path: str) -> Iterator[tuple[str, str, str]]:
    gone = [key for key in before if key not in after]
    come = [key for key in after if key not in before]
    renamed = _pairs_of_keys(before, after, gone, come)
    for old, new in renamed.items():
        yield "key renamed", f"{path}.{old}", f"now {new}"
        yield from json_changes(before[old], after[new], f"{path}.{new}")
    for key in (key for key in gone if key not in renamed):
        yield "key removed", f"{path}.{key}", f"was {_brief(before[key])}"
    for key in (key for key in come if key not in renamed.values()):
        yield "key added", f"{path}.{key}", f"is {_brief(after[key])}"
    shared = [key for key in before if key in after]
    if shared != [key for key in after if key in before]:
        yield "keys in another order", path, ""
    for key in shared:
        yield from json_changes(before[key], after[key], f"{path}.{key}")


def _pairs_of_keys(
    before: Mapping[str, Any], after: Mapping[str, Any], gone: Sequence[str], come: Sequence[str]
) -> dict[str, str]:
    """Return old key -> new key: those with the same value, then those at the same place and of the same type."""
    found: dict[str, str] = {}
    places = list(before), list(after)
    for same_value in (True, False):
        for old in gone:
            for new in come:
                if old in found or new in found.values():
                    continue
                fits = before[old] == after[new] if same_value else places[0].index(old) == places[1].index(new)
                if fits and type(before[old]) is type(after[new]):
                    found[old] = new
    return found


def _brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:40]}…"


def _summed(changes: Iterator[tuple[str, str, str]]) -> list[str]:
    """Return a line for each kind of change at each path, items of one list taken together."""
    counts: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], str] = {}
    for kind, path, detail in changes:
        where = kind, re.sub(r"\[\d+\]", "[]", path)
        counts[where] += 1
        first.setdefault(where, detail)
    lines = [
        f"JSON: {kind}: {path} {first[kind, path]}" + (f" (and {many - 1} more)" if many > 1 else "")
        for (kind, path), many in sorted(counts.items(), key=lambda item: (item[0][0] == "changed", item[0]))
    ]
    return lines if len(lines) <= 2 * SHOWN else [*lines[: 2 * SHOWN], f"… {len(lines) - 2 * SHOWN} more paths"]


# ---- The command line -----------------------------------------------------------------------------------------------


def _read_reasons(file: str | None) -> list[tuple[str, str]]:
    if file is None:
        return []
    lines = [line for line in _lines(Path(file)) if line.strip() and not line.startswith("#")]
    wrong = [line for line in lines if "\t" not in line]
    if wrong:
        raise SystemExit(f"{file}: a line is a glob, a tab and a reason; found {wrong[0]!r}.")
    return [(glob, reason) for glob, _, reason in (line.partition("\t") for line in lines)]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the script and return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    recording = verbs.add_parser("record", help="run everything and write what it says")
    recording.add_argument("folder", type=Path)
    recording.add_argument("--jobs", type=int, default=2)
    recording.add_argument("--only", default="*", metavar="GLOB", help="only runs of such names")
    comparing = verbs.add_parser("compare", help="print what differs between two records")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--only", default="*", metavar="GLOB", help="only runs of such names")
    comparing.add_argument("--rename", nargs="+", default=[], metavar="OLD=NEW", help="words to rename in BEFORE first")
    comparing.add_argument("--reasons", metavar="FILE", help="lines of glob, tab, reason")
    paging = verbs.add_parser("page", help="print what one page shows (used by record)")
    paging.add_argument("title")
    for one in (recording, paging):
        one.add_argument("--root", type=Path, default=HERE.parents[1], help="the checkout (default: this one)")
    chosen = parser.parse_args(argv)
    if chosen.verb == "record":
        return record(chosen.folder, chosen.root, chosen.jobs, chosen.only)
    if chosen.verb == "page":
        return page(chosen.title, chosen.root.resolve())
    renames = dict(one.split("=", 1) for one in chosen.rename)
    return compare(chosen.before, chosen.after, renames, _read_reasons(chosen.reasons), chosen.only)


if __name__ == "__main__":
    sys.exit(main())
