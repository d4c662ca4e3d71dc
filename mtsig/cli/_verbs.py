"""The verbs: one table of names, options and examples. The module of the verb that was typed is loaded and run."""

import argparse
import os
import shlex
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from mtsig._limits import within
from mtsig._memory import ROOMS, closed, held, users_cache, users_folder
from mtsig._options import called_here
from mtsig._plugins import PluginWarning, failed
from mtsig._writing import INPUTS, PAPERS, refuse_unwritable
from mtsig.citations import VERSION
from mtsig.cli._arguments import FORMATS, Parser, add_flags, add_options, chosen_limits, place
from mtsig.cli._output import (
    ENDINGS,
    FILES,
    GIVEN,
    give_up,
    inform,
    is_unread,
    prepare,
    quietly,
    refuse,
    say,
    say_data,
    tell,
)
from mtsig.errors import MtsigError, meant

CODES: Mapping[int, Mapping[str, str]] = {
    0: {"": "done", "gate": "pass"},
    1: {"gate": "regression"},
    2: {"": "bad input; one message explains it"},
    3: {"gate": "inconclusive"},
    4: {"check --strict": "at least one warning"},
    5: {"report": "the study differs from its data, or from the study given by --since"},
    70: {"": "an unexpected error in mtsig itself"},
    130: {"": "interrupted"},
}
"""The exit codes with their meaning, by the verb whose it is; "" is for all others."""


@dataclass(frozen=True)
class Verb:
    """A verb: the function run_NAME of its module takes what was chosen, and returns the exit code.

    words: its line in the help. common: the options that the short help shows, in their order. options: the others;
    +GROUP is a whole group of them. settings: the settings of an analysis that it takes. examples: command lines, each
    with what it does. required: options without a default. formats: further ones of --format. helps: what the help says
    of options that mean something else to other verbs. more: further help.
    """

    group: str
    module: str
    words: str
    common: str
    options: str
    examples: Mapping[str, str]
    settings: str = ""
    required: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    helps: Mapping[str, str] = field(default_factory=dict)
    more: Callable[[], str] = str

    @property
    def names(self) -> list[str]:
        """All its options, and groups of them."""
        return [*self.common.split(), *self.options.split(), "quiet"]


def _listed(title: str, table: str, what: str) -> str:
    """Return the entries of a table, each with a line on what it is."""
    module, _, name = table.partition(":")
    entries = getattr(import_module(module), name).items()
    return "\n".join([f"{title}:", *(f"  {key}: {getattr(entry, what)}" for key, entry in entries)])


def _about_lessons() -> str:
    from mtsig.lessons import GAMES, LESSONS  # here, because nothing else waits for lessons
    from mtsig.lessons._course import FORMATS

    formats = ", ".join(f"{name} ({file})" for name, file in FORMATS.items())
    lines = (f"  {lesson.number:>2} {lesson.title}" for lesson in (*LESSONS, *GAMES))
    return "\n".join([f"formats: {formats}; without --to, html", "lessons:", *lines])


_COMPARE, _PREPARE, _PLAN = "Compare systems", "Prepare data", "Plan and report"
_METRICS, _METHODS, _TOOLS = "Metrics and raters", "Study the methods", "Tools"

_RESAMPLING = "level n_resamples seed unit"

VERBS: Mapping[str, Verb] = {
    "score": Verb(
        _COMPARE,
        "_compare",
        "Score systems, with confidence intervals.",
        "data ref sys metric format",
        "+input +sets +averages no_cache out",
        {
            "mtsig score --data data --metric bleu chrf": "score all systems of a folder by two metrics",
            "mtsig score --ref ref.txt --sys base.txt ours.txt": "name every file",
            "cat ours.txt | mtsig score --ref ref.txt --sys ours=-": "score what another program prints",
        },
        settings=f"interval {_RESAMPLING}",
    ),
    "compare": Verb(
        _COMPARE,
        "_compare",
        "Test differences between systems, corrected for many comparisons.",
        "data ref sys metric baseline",
        "+input counts +sets +averages +families +margins no_cache workers pair by correct_jointly statement plan "
        "method ci compat without_raters format out",
        {
            "mtsig compare --data data": "compare every pair of systems in a folder",
            "mtsig compare --ref ref.txt --sys base.txt ours.txt theirs.txt --baseline base": "compare with a baseline",
            "mtsig compare --data data --metric bleu chrf -o study.json --format markdown": (
                "save the study, and print Markdown"
            ),
            "mtsig compare --set sets/en-de sets/en-ja --metric chrf": "compare over several test sets",
        },
        settings=f"test interval correction alternative {_RESAMPLING}",
    ),
    "runs": Verb(
        _COMPARE,
        "_pairs",
        "Compare systems over several training runs each.",
        "ref sys data runs metric",
        "+input no_cache pair format out",
        {
            "mtsig runs --ref ref.txt --sys base.run1 base.run2 ours.run1 ours.run2": "recognise runs by name",
            "mtsig runs --ref ref.txt --sys a.txt b.txt c.txt d.txt --runs base=a,b ours=c,d": "list the runs",
        },
        settings=_RESAMPLING,
    ),
    "audit": Verb(
        _COMPARE,
        "_pairs",
        "Run every significance test on one pair and explain disagreements.",
        "data ref sys pair metric",
        "+input no_cache as_sacrebleu format out",
        {
            "mtsig audit --data data --pair ours base": "run every test on one pair",
            "mtsig audit --ref ref.txt --sys base.txt ours.txt --as-sacrebleu": "add what sacreBLEU prints",
        },
        settings=_RESAMPLING,
    ),
    "preferences": Verb(
        _COMPARE,
        "_campaign",
        "Compare systems by preferences of raters or models.",
        "data criterion strengths ratings format",
        "+input grades both_orders ignore_order anchor compat ci out",
        {
            "mtsig preferences --data verdicts.tsv": "show strengths, direct comparisons and their reliability",
            "mtsig preferences --data gpt-4_pair.jsonl --both-orders collapse": "count disagreeing orders as a tie",
            "mtsig preferences --data verdicts.tsv --compat arena": "add the numbers of an arena leaderboard",
            "mtsig preferences --data data --ratings esa.csv": (
                "compare the ratings that one rater gave outputs of a segment"
            ),
        },
        settings="correction level",
        more=lambda: _listed("forms", "mtsig.campaign._verdict_files:FORMS", "looks_like"),
    ),
    "segments": Verb(
        _COMPARE,
        "_pairs",
        "List the segments that contribute most to a difference.",
        "data pair metric top out",
        "+input +segments no_cache format",
        {
            "mtsig segments --data data --pair ours base --metric chrf --top 10": "list the top ten segments",
            "mtsig segments --data data --pair ours base -o segments.html": "also write a page for the browser",
        },
        settings=f"test {_RESAMPLING}",
        formats=("html",),
    ),
    "gate": Verb(
        _COMPARE,
        "_compare",
        "Decide by exit code whether a candidate may replace the baseline.",
        "data baseline candidate metric margin",
        "+input +sets +averages +gate one_more_document plan no_cache format out",
        {
            "mtsig gate --data data --baseline base --candidate ours --margin 0.5": "at most half a point worse?",
            "mtsig gate --set sets --baseline base --candidate ours --ledger looks.jsonl --format github": (
                "run one of many gates with a common ledger"
            ),
        },
        settings=f"test {_RESAMPLING}",
        required=("baseline", "candidate"),
        formats=("github", "junit"),
        helps={
            "margin": "points by which the candidate may be worse, fixed in advance, for all metrics or for the named "
            "one (default: none; a candidate that is significantly worse is a regression)",
            "quiet": "print warnings, errors and the verdict line only",
        },
    ),
    "read": Verb(
        _PREPARE,
        "_reading",
        "Show how input files are interpreted.",
        "data ref sys ratings format",
        "+input out",
        {
            "mtsig read --data data": "show the files of a folder and how each is interpreted",
            "mtsig read --data data --format json": "print the same for other programs",
        },
        more=lambda: _listed("formats, also compressed with gzip or in a zip archive", "mtsig.readers:READERS", "what"),
    ),
    "check": Verb(
        _PREPARE,
        "_reading",
        "Find misaligned lines, duplicates, wrong languages, bad encoding.",
        "data source ref sys strict",
        "+input only format out",
        {
            "mtsig check --data data": "run all checks on a test set",
            "mtsig check --source source.txt --ref ref.txt --sys base.txt ours.txt": "name every file",
            "mtsig check --data data --only shifts empty": "run two of the checks",
        },
    ),
    "download": Verb(
        _PREPARE,
        "_reading",
        "Download a public test set or a tokenizer model.",
        "names list format",
        "out",
        {
            "mtsig download --list": "list what can be downloaded and what was downloaded before",
            "mtsig download wmt24/en-de": "then use mtsig compare --data wmt24/en-de",
            "mtsig download flores200": "download the model of a tokenizer",
        },
    ),
    "count": Verb(
        _PREPARE,
        "_compare",
        "Save metric statistics, to compare later without the texts.",
        "data set metric rows out",
        "+input +sets no_cache workers",
        {
            "mtsig count --data data --metric bleu chrf -o counts.parquet": "save the counts of two metrics",
            "mtsig compare --counts counts.parquet": "compare as often as you want, without the texts",
            "mtsig count --set sets/en-de sets/en-ja --metric chrf -o sets.parquet": "save several test sets",
        },
        required=("out",),
        more=lambda: "--out takes a path, or an address that fsspec can open, as in s3://bucket/counts.parquet",
    ),
    "parse": Verb(
        _PREPARE,
        "_reading",
        "Parse texts with an installed spaCy model, for metric depf.",
        "data ref sys model out",
        "+input replace",
        {
            "mtsig parse --data data --model en_core_web_sm": "write parses into data/parses",
            "mtsig parse --ref ref.txt --sys ours.txt --model en_core_web_sm -o parses": "name every file",
        },
        required=("model",),
    ),
    "plan": Verb(
        _PLAN,
        "_study",
        "Write or check an analysis plan, or plan a study of preferences.",
        "file metric baseline margin by",
        "set +averages +families +margins pair correct_jointly method data win_rate tie_rate icc per_document "
        "future_systems power",
        {
            "mtsig plan --metric bleu chrf --baseline base > plan.toml": "write a plan before anything is scored",
            "mtsig plan plan.toml": "check the plan, and print the digest to publish",
            "mtsig compare --data data --plan plan.toml": "follow the plan",
            "mtsig plan preferences --win-rate .55 --future-systems 4": "how many judgements for 55% against 45%?",
        },
        settings=f"test interval correction alternative {_RESAMPLING}",
        more=lambda: "A plan fixes the weights and the names of test sets that --set gives.",
    ),
    "power": Verb(
        _PLAN,
        "_pairs",
        "Compute power, required test-set size and equivalence.",
        "data pair metric difference margin",
        "+input no_cache power future_systems comparisons price_segment price_document price_sample price_rating "
        "raters deterministic format out",
        {
            "mtsig power --data data --pair ours base --difference 0.5": "how many segments to detect half a point?",
            "mtsig power --data data --pair ours base --margin 1": "are the two systems equivalent within one point?",
        },
        settings="level unit",
        helps={
            "margin": "margin of equivalence in points, for all metrics or for the named one: also test whether the "
            "systems differ by less"
        },
    ),
    "size-curve": Verb(
        _PLAN,
        "_pairs",
        "Show scores and interval widths by test-set size.",
        "data metric pair shares format",
        "+input no_cache out",
        {
            "mtsig size-curve --data data --shares .1 .2 .5 1": "show scores and intervals of smaller test sets",
            "mtsig size-curve --data data --pair ours base --metric chrf": "show the same for a difference",
        },
        settings="level seed unit",
    ),
    "report": Verb(
        _PLAN,
        "_study",
        "Write tables, figures and a methods paragraph from a study.",
        "study data to out since",
        "+input +sets pair size_curve compat without_raters",
        {
            "mtsig report study.json": "write all documents next to the study",
            "mtsig report study.json --data data --to html latex pdf:paper=acl-full": "first re-run it from the data",
            "mtsig report study.json --since earlier.json": "what changed since an earlier study?",
        },
        helps={
            "to": "formats to write: html, latex, pdf, svg, png, pgf, markdown, csv, xlsx, json (default: html latex "
            f"pdf json); options: latex:intervals=no, and for figures pdf:paper=NAME, with {', '.join(PAPERS)}",
            "out": "folder for the documents (default: STUDY-report next to the study)",
        },
    ),
    "card": Verb(
        _PLAN,
        "_study",
        "Draw one finding as a picture to share, 1200 × 630 pixels.",
        "study data metric pair out",
        "+input day",
        {
            "mtsig card study.json -o card.png": "draw a saved study",
            "mtsig card --data data --metric chrf -o card.svg": "compare data, and draw the result",
            "mtsig card study.json --data data --pair ours base -o pair.png": "draw one pair and its resamples",
        },
        settings=f"test interval correction {_RESAMPLING}",
        required=("out",),
        more=lambda: "--out must end in .png or .svg; the same date and input give an identical file",
    ),
    "meta-eval": Verb(
        _METRICS,
        "_meta_eval",
        "Measure how well metrics agree with human ratings.",
        "data ratings human metric compare",
        "+input set no_cache statistic group_by exchange over human_translations segments without zero_correlation "
        "sentinels verdicts compat format out",
        {
            "mtsig meta-eval --data data --ratings mqm.tsv --human mqm --metric bleu chrf": "evaluate two metrics",
            "mtsig meta-eval --data data --ratings mqm.tsv --metric sentbleu sentchrf --compare pearson": (
                "does one metric agree significantly better?"
            ),
        },
        settings=f"test correction {_RESAMPLING}",
        more=lambda: "Default metrics: all in the data. With --set, only pairwise accuracy is computed.",
    ),
    "delta": Verb(
        _METRICS,
        "_meta_eval",
        "Relate score differences to human preferences.",
        "data ratings human metric difference",
        "+input no_cache human_translations segments format out",
        {
            "mtsig delta --data data --ratings mqm.tsv --human mqm --metric chrf": (
                "how often do raters prefer the better-scored system?"
            ),
            "mtsig delta --data data --ratings mqm.tsv --metric chrf --difference 1.2": (
                "how often do raters agree with a difference of 1.2 points?"
            ),
        },
        settings=_RESAMPLING,
    ),
    "raters": Verb(
        _METRICS,
        "_campaign",
        "Analyse rater agreement, leniency and variance components.",
        "data ratings human kind format",
        "+input ceiling out",
        {
            "mtsig raters --data data --ratings esa.csv": "analyse the raters of the only rating",
            "mtsig raters --data data --ratings esa.csv --human esa --kind alpha --format csv": ("a row per rater"),
        },
        settings=_RESAMPLING,
    ),
    "few-ratings": Verb(
        _METRICS,
        "_campaign",
        "Compare systems with few ratings and a metric on every segment.",
        "data ratings human metric inclusion",
        "+input no_cache verdict difference power price_rating format out",
        {
            "mtsig few-ratings --data data --ratings esa.csv --human esa --metric sentchrf": (
                "compare systems by the ratings alone and with the metric"
            ),
            "mtsig few-ratings --data data --ratings esa.csv --metric sentchrf --difference 2 --price-rating 0.5": (
                "how many ratings are needed to detect a difference of 2?"
            ),
        },
        settings="correction alternative level unit",
        required=("metric",),
    ),
    "sample": Verb(
        _METRICS,
        "_campaign",
        "Choose segments to rate, with known probabilities.",
        "data size metric out",
        "+input no_cache focus pearmut format",
        {
            "mtsig sample --data data --size 40 -o sample.csv": "choose 40 segments, spread over all documents",
            "mtsig sample --data data --size 10 --unit document --pearmut campaign.json -o sample.csv": (
                "choose 10 whole documents, and also write a campaign"
            ),
        },
        settings="unit seed",
        required=("size",),
    ),
    "spans": Verb(
        _METRICS,
        "_campaign",
        "Measure how well detectors mark the errors that annotators mark.",
        "data ratings human predicted measure",
        "+input penalty format out",
        {
            "mtsig spans --data data --ratings mqm.tsv --human mqm --predicted xcomet": "evaluate a detector",
            "mtsig spans --data data --measure w25": "use WMT25's measure, with intervals and tests",
        },
        settings="correction level seed",
    ),
    "autorank": Verb(
        _METRICS,
        "_campaign",
        "Rank systems by several metrics as WMT's AutoRank does.",
        "data ratings metric format",
        "+input no_cache out",
        {"mtsig autorank --data data --metric sentbleu sentchrf": "rank by two metrics, with intervals over documents"},
        settings="level unit",
        required=("metric",),
    ),
    "metrics": Verb(
        _METRICS,
        "_reading",
        "List metrics and their options.",
        "names format",
        "out",
        {"mtsig metrics": "all metrics", "mtsig metrics bleu chrf": "show the options of two metrics"},
    ),
    "calibrate": Verb(
        _METHODS,
        "_lab",
        "Estimate type I error, power and coverage on data like yours.",
        "data metric pair tests simulations",
        "+input simulated workers format out to width",
        {
            "mtsig calibrate --data data --tests ar bootstrap-shift": "examine two tests on your own data",
            "mtsig calibrate --data data --pair ours base --simulations 5000 --workers 4": "examine one pair",
        },
    ),
    "experiment": Verb(
        _METHODS,
        "_lab",
        "Run a simulation experiment.",
        "experiment",
        "",
        {
            "mtsig experiment draws --data data": "how many resamples are enough?",
            "mtsig experiment length --data data -o figures --to pdf svg": "also draw the figures",
            "mtsig experiment coverage --help": "show the options of one experiment",
        },
    ),
    "papers": Verb(
        _METHODS,
        "_lab",
        "Reproduce the tables of four papers.",
        "paper data metric out workers",
        "+input format",
        {
            "mtsig papers koehn2004 -o pages": "use a simulated population, and write a page with all tables",
            "mtsig papers zhang2004 --data data --metric bleu chrf": "use your own data",
        },
        more=lambda: "Default metrics: bleu mbleu nist chrf. The first is BLEU, with options for the language.",
    ),
    "lessons": Verb(
        _METHODS,
        "_lab",
        "Write the course: pages for a browser, handouts, notebooks.",
        "out to lesson data solutions",
        "+input metric pair",
        {
            "mtsig lessons --to web -o course": "write all lessons on the sample data as pages for a browser",
            "mtsig lessons --data data --lesson 1 2 --to html pdf --solutions -o handouts": (
                "write two lessons on your own data"
            ),
        },
        settings="seed",
        required=("out",),
        helps={"to": "formats to write; --help-all lists them (default: html)"},
        more=_about_lessons,
    ),
    "dashboard": Verb(
        _TOOLS,
        "_dashboard",
        "Start the dashboard on this computer.",
        "data set lesson share password_file",
        "+input +serving",
        {
            "mtsig dashboard --data data": "open these data in the browser",
            "mtsig dashboard --data data --port 8600": "use another port",
            "mtsig dashboard --share --password-file password.txt": "also let other computers use the dashboard",
        },
        helps={"lesson": "open the lesson with this number"},
        more=lambda: "Streamlit's own --server.… options are also accepted.",
    ),
    "cache": Verb(
        _TOOLS,
        "_verbs",
        "Show or clear cached statistics.",
        "clear",
        "",
        {"mtsig cache": "show the place and size of the cache", "mtsig cache --clear": "delete the cache"},
    ),
    "completion": Verb(
        _TOOLS,
        "_verbs",
        "Print a shell-completion script.",
        "shell",
        "",
        {
            'eval "$(mtsig completion bash)"': "complete in this bash; add the line to ~/.bashrc for later sessions",
            'mtsig completion zsh > "${fpath[1]}/_mtsig"': "for zsh: into the first folder of its search path",
            "mtsig completion tcsh >> ~/.cshrc": "add tcsh's script to its settings",
        },
    ),
}
"""The verbs, in the groups and the order of the help."""


def _of(name: str, does: str) -> Callable[..., Any] | None:
    """Return the function of a verb that runs it (run), or adds further options (add), where there is one."""
    module = import_module(f"mtsig.cli.{VERBS[name].module}")
    function: Callable[..., Any] | None = getattr(module, f"{does}_{name.replace('-', '_')}", None)
    return function


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0, 2 with one message on stderr for bad input, or the gate's own.

    Examples
    --------
    >>> import contextlib, sys
    >>> from mtsig.cli import main
    >>> with contextlib.redirect_stderr(sys.stdout):
    ...     main(["score", "--data", "nowhere"])  # doctest: +ELLIPSIS
    mtsig: nowhere: there is no such file or folder. ...
    2
    """
    given = sys.argv[1:] if argv is None else list(argv)
    GIVEN.set(given)
    try:
        prepare()
        try:
            with _warnings(), quietly(bool({"-q", "--quiet"} & {*given})):
                code = _run(given)
        except SystemExit as end:  # argparse leaves so, after --help and where an option is wrong
            if end.code not in (None, 0, 2):
                raise RuntimeError(f"the command was ended by code that it called, with {end.code!r}") from end
            code = int(end.code or 0)
        sys.stdout.flush()  # a pipe that broke, or a disk that is full, is told here, not when the interpreter ends
        return code
    except MtsigError as error:
        flags = getattr(error, "flags", "")
        *before, last = error.args or (str(error),)
        return refuse(*before, f"{last}{f' Try: {flags}' if flags else ''}")
    except BrokenPipeError:
        if not is_unread(sys.stdout):
            raise  # the pipe is another one, such as a plugin's to its own program: nothing was done
        # The reader of stdout (head, less) has gone; there is nobody left to tell.
        give_up(sys.stdout)
        return 0
    except OSError as error:
        give_up(sys.stdout)
        what = f"{error.filename}: cannot be read or" if error.filename else "The output cannot be"
        return refuse(f"{what} written ({error.strerror or error}).")
    except (MemoryError, SystemError, ImportError) as error:
        # numpy's division forgets to say that it got no memory, and where a library gets none, the import fails.
        told = ("without setting an exception", "failed to map", "annot allocate memory")
        if not isinstance(error, MemoryError) and not any(said in str(error) for said in told):
            raise
        give_up(sys.stdout)
        return refuse("There is not enough memory for this task. Files that were written are complete.")
    except KeyboardInterrupt:
        tell("mtsig: stopped")
        return 130
    except Exception as error:
        if not (said := failed(error)):
            raise
        give_up(sys.stdout)
        return refuse(said)


def _run(given: Sequence[str]) -> int:
    # The command has no option that takes a value: what comes first and is no option is the verb.
    words = [word for word in given if not word.startswith("-")]
    if not given or words[:1] == ["help"]:
        words = words[1:]
        given = [*words, "--help"]
    # All verbs are named by help before a verb, and where there is no such verb.
    known = [name for name in VERBS if words[:1] == [name]]
    parser = parser_of(known, known if given[:1] == known else VERBS)
    chosen, rest = parser.parse_known_args(given)
    (verbs,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    rest = _without_data(verbs.choices[chosen.verb], chosen, rest)
    unknown = rest if chosen.verb != "dashboard" else _not_streamlits(rest)
    if unknown:
        hint = _hint(verbs.choices[chosen.verb], chosen, unknown)
        verbs.choices[chosen.verb].error(f"unknown argument: {' '.join(unknown)}{f'. {hint}' if hint else ''}")
    chosen.rest = rest
    for place_out in (*getattr(chosen, "out", ()), getattr(chosen, "pearmut", None)):
        if place_out and "://" not in place_out:
            refuse_unwritable(Path(place_out))
    run = _of(chosen.verb, "run")
    with _cache(chosen), within(chosen_limits(chosen)), held(INPUTS, {}):
        try:
            return int(run(chosen)) if run else 0
        except SystemExit as end:
            if chosen.verb == "dashboard":
                raise
            # Whatever ends itself in a plugin, its code is none of a verb's.
            raise RuntimeError(f"{chosen.verb} was ended by code that it called, with {end.code!r}") from end


def _without_data(verb: argparse.ArgumentParser, chosen: argparse.Namespace, rest: list[str]) -> list[str]:
    """Take the path that stands alone after a verb for --data, where no input was named; return what is left."""
    takes = "--data" in _flags(verb) and all(action.option_strings for action in verb._actions)
    named = any(getattr(chosen, name, None) for name in ("data", "ref", "sys", "set", "ratings", "counts", "simulated"))
    is_path = len(places := _places(rest)) == 1 and places == rest[:1]
    is_word = len(rest) == 1 and not rest[0].startswith("-")
    if not takes or named or not (is_path or (is_word and not _is_metric(rest[0]))):
        return rest
    chosen.data = rest[:1]
    return rest[1:]


def _is_metric(text: str) -> bool:
    from mtsig.metrics import METRICS  # here, because it loads numpy

    return text.partition(":")[0] in METRICS


def _places(texts: Sequence[str]) -> list[str]:
    """Return which texts are paths of files or folders that exist."""
    return [text for text in texts if os.path.exists(text)]  # noqa: PTH110, which raises where a name is none


def _not_streamlits(rest: Sequence[str]) -> list[str]:
    """Return the arguments of the dashboard that are none of Streamlit's: its flags have a dot, and values follow."""
    before = ["", *rest]
    ours = [not flag.startswith("-") and not last.startswith("--") for last, flag in zip(before, rest, strict=False)]
    flags = [flag.startswith("--") and flag != "--" and "." not in flag.partition("=")[0] for flag in rest]
    return [flag for flag, *known in zip(rest, ours, flags, strict=True) if any(known)]


def _flags(parser: argparse.ArgumentParser) -> list[str]:
    """Return the flags of a parser and of all that it has within."""
    flags: list[str] = []
    for action in parser._actions:
        flags += action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            flags += [flag for verb in action.choices.values() for flag in _flags(verb)]
    return flags


_ELSEWHERE = {
    **dict.fromkeys(("-m", "--metrics"), "--metric"),
    **dict.fromkeys(("-i", "--input", "--hyp", "--hyps", "--hypothesis", "--hypotheses", "--mt"), "--sys"),
    **dict.fromkeys(("-s", "--src"), "--source"),
    **dict.fromkeys(("-r", "--refs"), "--ref"),
    **dict.fromkeys(("-n", "--n-boot", "--num-samples", "--n-resamples", "--paired-bs-n"), "--resamples"),
    **dict.fromkeys(("-j", "--jobs", "--n-jobs", "--threads"), "--workers"),
    **dict.fromkeys(("-tok", "--tok", "--tokenize"), "--metric bleu:tokenize=NAME"),
    "--bootstrap": "--test bootstrap-koehn", "--paired-bs": "--method sacrebleu", "--paired-ar": "--test ar",
    "--json": "--format json", "-l": "--lp", "--language-pair": "--lp", "--set": "--data FOLDER --lp NAME",
}  # fmt: skip
"""What flags of other programs, and of verbs that take several test sets, are called here."""


def _hint(verb: argparse.ArgumentParser, chosen: argparse.Namespace, unknown: Sequence[str]) -> str:
    """Return what to type in place of arguments that the verb does not take."""
    flags = _flags(verb)
    places = _places(unknown)
    if "--sys" in flags and (len(places) > 1 or (places == list(unknown) and chosen.ref and not chosen.sys)):
        from mtsig.readers._names import role_of_name

        given = bool(chosen.ref or chosen.data)
        refs = [] if given else [place for place in places if role_of_name(os.path.basename(place)) == "reference"]  # noqa: PTH119
        reference = f"--ref {shlex.join(refs) or 'REFERENCE'} " * (not given)
        return f"To use files, write {reference}--sys {shlex.join(place for place in places if place not in refs)}"
    if "--data" in flags and places == list(unknown):
        return f"To use data, write --data {shlex.quote(places[0])}"
    if "--metric" in flags and _is_metric(unknown[0]):
        return f"To use metrics, write --metric {shlex.join(unknown)}"
    asked = unknown[0].partition("=")[0]
    if (ours := _ELSEWHERE.get(asked, "")).partition(" ")[0] in flags:
        return f"Did you mean '{ours}'?"
    known = [flag.removeprefix("--").replace("-", "_") for flag in flags]
    named, comma, why = called_here(asked.lstrip("-").replace("-", "_"), known).partition(",")
    name, _, value = named.partition("=")
    flag = f"--{name} {value}".replace('"', "").strip()
    return f"Did you mean '{flag}'{comma}{why}?" if f"--{name}" in flags else meant(asked, flags)


class _Command(Parser):
    """The parser of the command, whose help is the list of the verbs."""

    def format_help(self) -> str:
        groups: dict[str, list[str]] = {}
        for name, verb in VERBS.items():
            groups.setdefault(verb.group, []).append(f" {name:<11} {verb.words}")
        lines = [line for title, verbs in groups.items() for line in (title, *verbs)]
        usage = "usage: mtsig VERB [OPTION …]; --help: its common options, --help-all: all"
        return "\n".join([str(self.description), *lines, usage, ""])

    long_help = format_help


def parser_of(loaded: Collection[str], named: Collection[str] = VERBS) -> Parser:
    """Return the parser of the command with these verbs, of which the loaded ones have their options."""
    parser = _Command(
        prog="mtsig", description="Confidence intervals and significance tests for machine-translation evaluation."
    )
    parser.add_argument("-V", "--version", action="version", version=f"mtsig {VERSION}")
    add_options(parser, ["quiet"])
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=Parser)
    for name in named:
        verb = VERBS[name]
        added = verbs.add_parser(name, description=verb.words, usage=f"mtsig {name} [OPTION …]", help=verb.words)
        if name in loaded:
            _complete(added, name, verb)
    return parser


def _complete(parser: Parser, name: str, verb: Verb) -> None:
    """Give the parser of a verb its options and its help."""
    changed: dict[str, dict[str, Any]] = {option: {"help": text} for option, text in verb.helps.items()}
    changed |= {option: {"required": True} for option in verb.required}
    if "format" in verb.names:
        endings = ENDINGS if "junit" in verb.formats else FILES
        changed |= {"format": {"choices": (*FORMATS, *verb.formats)}, "out": {"type": partial(place, endings)}}
    add_options(parser, verb.names, **changed)
    if verb.settings:
        from mtsig.inference import Settings  # here, because the help of the command does without

        add_flags(parser, Settings, verb.settings.split())
    if add := _of(name, "add"):
        add(parser)
    parser.common = verb.common.split()
    parser.examples = "\n".join(["examples:", *(f"  # {words}\n  {line}" for line, words in verb.examples.items())])
    parser.codes = _codes(name) if any(name in verbs.split()[:1] for by in CODES.values() for verbs in by) else ""
    parser.epilog = "\n\n".join(filter(None, [verb.more(), _codes()]))


def _codes(name: str = "") -> str:
    """Return all exit codes, as the help lists them, or those of one verb if it has codes of its own."""
    told: dict[int, str] = {}
    for code, by_verb in CODES.items():
        said = [f"{verb}: {words}" if verb else words for verb, words in by_verb.items()]
        own = [text.removeprefix(name).lstrip(": ") for text in said if text.startswith((f"{name}:", f"{name} -"))]
        told |= {code: (own or said[:1])[0] if name else "; ".join(said)} if own or not name or code in (0, 2) else {}
    return "\n".join(["exit codes:", *(f"  {code:<3} {words}" for code, words in told.items())])


def _cache(chosen: argparse.Namespace) -> AbstractContextManager[None]:
    """Return the context that the verb runs in: with what is kept between runs, or without."""
    return closed() if getattr(chosen, "no_cache", False) else nullcontext()


@contextmanager
def _warnings() -> Iterator[None]:
    """Tell warnings that are meant for users as everything else is told: in a line of their own."""
    with warnings.catch_warnings():
        as_usual = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if issubclass(category, UserWarning):
                (inform if issubclass(category, PluginWarning) else tell)(f"warning: {message}")
            else:
                as_usual(message, category, *place, **more)

        warnings.showwarning = show
        yield


def run_completion(chosen: argparse.Namespace) -> int:
    import shtab  # here and below, because no other verb needs it

    parser = parser_of(VERBS)
    _describe(parser)
    say_data(shtab.complete(parser, chosen.shell) + "\n")
    return 0


def _describe(parser: argparse.ArgumentParser) -> None:
    """Say in a parser that only completes what its arguments take: words, metrics, files or folders."""
    import shtab

    from mtsig.metrics import METRICS

    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for verb in action.choices.values():
                _describe(verb)
            continue
        metavar = action.metavar if isinstance(action.metavar, str) else ""
        words = metavar.split("|")
        if action.choices is None and all(word == word.lower() for word in words) and len(words) > 1:
            action.choices = words
        elif action.dest == "metric":
            action.choices = list(METRICS)
        elif {"FILE", "PATH", "STUDY"} & set(_names(metavar)):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif "FOLDER" in _names(metavar):
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]


def _names(metavar: str) -> list[str]:
    """Return the words of what an argument is said to take: [NAME=]PATH takes a NAME and a PATH."""
    return "".join(sign if sign.isalpha() else " " for sign in metavar).split()


def run_cache(chosen: argparse.Namespace) -> int:
    folder = users_folder()
    if folder is None:
        why = "MTSIG_CACHE is off" if os.environ.get("MTSIG_CACHE") else "there is no home folder"
        say(f"No statistics are cached, because {why}.")
        return 0
    say(str(folder))
    for room in ROOMS:
        cache = users_cache(room)
        if cache is None:
            continue
        files, size = cache.size()
        if chosen.clear:
            cache.clear()
        removed = " removed" if chosen.clear else f" of at most {_megabytes(cache.most_bytes)}"
        say(f"{room}: {files} entries, {_megabytes(size)}{removed}")
    return 0


def _megabytes(size: int) -> str:
    return f"{size / 2**20:,.1f} MB"
