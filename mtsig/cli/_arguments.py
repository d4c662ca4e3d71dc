"""The options of the command line: each is written once, so it has one name, meaning and default in every verb.

A verb names the options that it takes (see `_verbs`). Settings, limits and experiments are fields of dataclasses, and
their options come from these. What needs the library is a function here: the help of the command waits for none of it.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, get_args

from mtsig._limits import Limits, limits
from mtsig._options import Option, options
from mtsig.cli._output import refuse
from mtsig.errors import InvalidOption, meant

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from mtsig.inference import Settings

T = TypeVar("T")


class _Help(argparse.HelpFormatter):
    """argparse's help: paragraphs are filled, and what has lines of its own keeps them."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if "\n" in text else super()._fill_text(text, width, indent)

    def _format_args(self, action: argparse.Action, default_metavar: str) -> str:
        if action.nargs in ("+", "*"):
            return f"{action.metavar or default_metavar} …"
        return super()._format_args(action, default_metavar)


class _Show(argparse.Action):
    """Print what the parser has under this name, such as its help, and end."""

    def __init__(self, option_strings: Sequence[str], **how: Any) -> None:
        super().__init__(option_strings, **{**how, "dest": argparse.SUPPRESS, "default": argparse.SUPPRESS, "nargs": 0})

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        parser._print_message(getattr(parser, str(self.const))(), sys.stdout)
        parser.exit()


_FIRST = ("positional arguments", "input", "metrics", "comparison", "analysis")
_ORDER = {**{title: place for place, title in enumerate(_FIRST)}, "options": 98, "limits": 99}
"""Groups of options that come first in the long help, because most people need them, and last."""


class Parser(argparse.ArgumentParser):
    """argparse with a short and a long help; its message is one line, with the exit code of every other bad input.

    common: the options that the short help shows, in its order. codes: the exit codes that it shows. examples: what
    both show below.
    """

    common: Sequence[str] = ()
    codes = ""
    examples = ""

    def __init__(self, **described: Any) -> None:
        super().__init__(**{"add_help": False, "allow_abbrev": False, "formatter_class": _Help, **described})
        self.show("-h", "--help", const="format_help", help="show the common options")
        self.show("--help-all", const="long_help", help="show all options, and the exit codes")

    def show(self, *flags: str, **how: Any) -> None:
        """Add an option that prints something and ends."""
        self.add_argument(*flags, action=_Show, **how)

    def schema(self) -> str:
        """Return the JSON Schema of what the verb prints."""
        from mtsig.cli._schemas import schema_of  # here, because it loads what makes results

        return json.dumps(schema_of(self.prog.split()[1]), indent=1, ensure_ascii=False) + "\n"

    def format_help(self) -> str:
        """Return the help with the common options."""
        shown = [action for name in self.common for action in self._actions if action.dest == name]
        others = [action for action in self._actions if action.dest == argparse.SUPPRESS]
        return self._help([("common options", shown), ("more", others)], self.codes)

    def long_help(self) -> str:
        """Return the help with all options."""
        groups = [(group.title or "", group._group_actions) for group in self._action_groups]
        return self._help(sorted(groups, key=lambda group: _ORDER.get(group[0], len(_FIRST))), self.epilog)

    def _help(self, groups: Sequence[tuple[str, Sequence[argparse.Action]]], more: str | None = None) -> str:
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        for title, actions in groups:
            formatter.start_section(title)
            formatter.add_arguments(actions)
            formatter.end_section()
        formatter.add_text(more)
        formatter.add_text(self.examples)
        return formatter.format_help()

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        if action.option_strings and "--" in arg_strings:  # argparse makes an empty list of --option=--
            raise argparse.ArgumentError(action, "expected a value; found --")
        return super()._get_values(action, arg_strings)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        known = list(map(str, action.choices))
        hint = f"{meant(str(value), known)} " if meant(str(value), known) else ""
        raise argparse.ArgumentError(action, f"invalid choice: {value!r}. {hint}Known: {', '.join(known)}")

    def error(self, message: str) -> NoReturn:
        """Print the message and leave with exit code 2."""
        raise SystemExit(refuse(f"{message}{'' if message.endswith('?') else '.'} Try: {self.prog} --help"))


# --- options, each once ---------------------------------------------------------------------------------------------

How = Mapping[str, Any]
"""What argparse takes for an option."""

FORMATS = ("table", "markdown", "json", "csv")
"""What every verb prints that writes tables."""


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a number; found {text!r}") from None


def _margin(text: str) -> tuple[str, float]:
    name, _, points = text.rpartition("=")
    try:
        return name, float(points)
    except ValueError:
        raise InvalidOption(f"--margin takes POINTS or METRIC=POINTS, such as bleu=0.5; found {text!r}.") from None


def _outputs(text: str) -> tuple[str, tuple[str, ...]]:
    name, equals, outputs = text.partition("=")
    if not equals or not outputs:
        raise InvalidOption(f"--runs and --as-samples take SYSTEM=OUTPUT,OUTPUT; found {text!r}.")
    return name, tuple(outputs.split(","))


def _called(text: str) -> tuple[str, str, str]:
    system, equals, place = text.partition("=")
    name, colon, own = place.partition(":")
    if not (system and equals and colon and own):
        raise InvalidOption(f"--called takes NAME=SET:SYSTEM; found {text!r}.")
    return system, name, own


def _value(option: Option, text: str) -> Any:
    value = option.parse(text)
    option.check(value)
    return value


def place(endings: Sequence[str], text: str) -> str:
    """Return where a result is to be written: a folder, or a file whose name ends in one of these."""
    ending = Path(text).suffix
    if ending[1:].isalpha() and ending not in endings:
        raise argparse.ArgumentTypeError(
            f"expected a folder, or a file that ends in {', '.join(endings)}; found {text!r}"
        )
    return text


def _workers(text: str) -> int:
    if not text.isdecimal() or len(text) > 4 or int(text) < 1:
        raise InvalidOption(f"--workers takes a number of at least 1; found {text!r}.")
    return int(text)


def _one(metavar: str | tuple[str, str], text: str, **how: Any) -> How:
    """Return an option with one value, or with as many as it has names."""
    return {"metavar": metavar, "help": text, **how}


def _many(metavar: str, text: str, **how: Any) -> How:
    """Return an option with one value or several."""
    return {"nargs": "+", "metavar": metavar, "default": [], "help": text, **how}


def _flag(text: str, **how: Any) -> How:
    """Return an option that is given or not."""
    return {"action": "store_true", "help": text, **how}


def _anchor(text: str) -> tuple[str, float]:
    name, _, number = text.rpartition("=")
    try:
        return name, float(number)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected NAME=NUMBER, such as base=1000; found {text!r}") from None


def _among(table: str, text: str, **how: Any) -> How:
    """Return an option whose values are the names in a table, or the words of a type; {about} says what they are."""
    return {"among": table, "help": text, **how}


OPTIONS: Mapping[str, Mapping[str, How]] = {
    "input": {
        "data": _one(
            "FOLDER|FILE|NAME",
            "a folder, an archive, a file in any format that `mtsig read --help-all` lists, or the name of a public "
            "test set (wmt24/en-de); one path alone needs no --data; repeat the option for each run if a benchmark's "
            "logs are in several places",
            action="append",
            default=[],
        ),
        "lp": _one(
            "NAME",
            "the language pair, or the task of a benchmark's logs, to use if --data contains several",
            flags=("--lp", "--task"),
        ),
        "ref": _many("FILE", "reference: FILE or NAME=FILE"),
        "sys": _many(
            "FILE",
            "system output: FILE or NAME=FILE; - or NAME=- reads one system from standard input; with --data, these "
            "systems are added",
        ),
        "source": _one("FILE", "source text"),
        "docs": _one("FILE", "file with the document id of each segment, one per line"),
        "parses": _many("FILE", "CoNLL-U parse of a system or reference: NAME=FILE, or NAME.conllu"),
        "ratings": _many(
            "[NAME=]FILE[:higher|:lower]",
            "human or metric scores per segment: a table with a column per system, or with columns system, segment "
            "and scores; :higher or :lower says which direction is better if the name does not show it",
        ),
        "better": _many(
            "NAME=higher|lower", "the better direction of a rating in --data, if neither its name nor the data show it"
        ),
        "as_samples": _one(
            "SYSTEM=OUTPUT,OUTPUT…",
            "read outputs as samples of one model, not as runs; without a value, all outputs with names such as X.run1 "
            "(names such as X.sample1 always mean samples)",
            nargs="*",
            type=_outputs,
        ),
        "systems": _many("NAME", "only these systems, in this order"),
        "references": _many("NAME", "only these references"),
        "subset": _many("BY=NAME", "only these segments: domain=news, origlang=de, document=ID or length=short,long"),
    },
    "sets": {
        "set": _many(
            "[NAME=]PATH",
            "use several test sets instead of the input above, each given as for --data; a folder of test sets or "
            "language pairs adds all of them",
            action="extend",
        ),
        "macro": _one(
            "BY",
            "split one test set by domain, origlang, length or document, and treat the parts as several sets: the "
            "average gives all parts the same weight",
        ),
        "only_sets": _many("SET", "use only these of the sets of --set, such as some tasks of a benchmark's logs"),
        "skip_broken": _flag("omit sets that cannot be read, and parts of one segment, with a warning"),
        "called": _many(
            "NAME=SET:SYSTEM",
            "the name of a system in one set, if it has another name there, as in ours=en-de:submission-2",
            type=_called,
        ),
    },
    "averages": {
        "for": _one(
            ("SET", "METRIC"),
            "use other options of a metric for one set, as in en-ja bleu:tokenize=char; repeatable",
            nargs=2,
            action="append",
        ),
        "weights": _many(
            "WEIGHT",
            "weights of the sets in the average: equal (default), segments, or SET=NUMBER for each; fixed in advance",
        ),
        "sharing": {"option": "units"},
    },
    "families": {"family": {"option": "family"}, "combine": {"option": "combine"}, "separate": {"option": "separate"}},
    "metrics": {
        "metric": _many(
            "NAME[:OPTION=VALUE,…]",
            "metrics, with options after the name, as in bleu:tokenize=zh; a rating by its name or as rating:NAME; "
            "`mtsig metrics` lists all (default: bleu, or all ratings if there is no text to score)",
        ),
        "no_cache": _flag("compute all metric statistics again, and store none for later runs"),
        "workers": _one("N", "number of processes that share the work (default: 1)", type=_workers),
        "counts": _one("FILE", "a file written by mtsig count, instead of the input above"),
    },
    "comparison": {
        "baseline": _one("SYSTEM", "the system that others are compared with (default: all pairs)"),
        "candidate": _one("SYSTEM", "the system that may replace the baseline"),
        "pair": _one(
            ("FIRST", "SECOND"),
            "the two systems to compare, in this order; repeatable if the verb compares several pairs",
            nargs=2,
            action="append",
            default=[],
        ),
        "by": _one(
            "BY",
            "compare within each subset by domain, origlang, length or document (length:4 for four subsets), and "
            "correct all subsets × pairs as one family",
        ),
        "correct_jointly": _flag("correct all metrics together, as one family"),
        "statement": _among(
            "mtsig.inference._ranks:JointForm",
            "combine the metrics for every pair. all: is one system better on all metrics (largest p)? which: on which "
            "metrics is it better (one family, corrected by Holm's method)?",
        ),
        "plan": _one("FILE", "follow this analysis plan, and mark the results as planned"),
        "method": _among(
            "mtsig.inference:METHODS", "named preset; other options override single settings. {about}", about="about"
        ),
        "ci": _among(
            "mtsig.report._tables:CI",
            "interval in tables. adjusted: agrees with the verdict (default); pair: for each pair alone; together: "
            "simultaneous for all pairs",
            default="adjusted",
        ),
        "runs": _many(
            "SYSTEM=RUN,RUN…",
            "the outputs that are runs of a system (default: recognised by names such as X.run1, X.opt0, X.seed3)",
            type=_outputs,
        ),
        "as_sacrebleu": _flag("add what sacreBLEU prints for the pair; the second system is the baseline"),
    },
    "margins": {
        "margin": _many(
            "[METRIC=]POINTS",
            "margin of non-inferiority in points, fixed in advance, for all metrics or for the named one; with "
            "--equivalence, of equivalence",
            type=_margin,
        ),
        "equivalence": _flag("test equivalence within --margin: not better and not worse by more than the margin"),
        "one_more_document": _flag(
            "require that the claim also holds after adding one more document like the one that contradicts it most"
        ),
    },
    "gate": {
        "ledger": _one("FILE", "ledger of earlier looks, which sets the error rate of this one; created if missing"),
        "rule": _among(
            "mtsig.gate:RULES",
            "how a new ledger divides its error rate among looks (default: spend). Each limits a rate. {about}",
            about="holds",
        ),
    },
    "checks": {
        "only": _among("mtsig.doctor:CHECKS", "run only these. {about}", nargs="+", about="what", metavar="CHECK"),
        "strict": _flag("exit with code 4 if there is a warning"),
    },
    "segments": {
        "sort": _among(
            "mtsig.segments._overview:SORTS",
            "order of the segments (default: in favour of the system that is ahead). {about}",
            about="",
        ),
        "bucket": _among(
            "mtsig.segments:BUCKETS",
            "list only segments in at least one of these buckets: {names}",
            nargs="+",
            action="extend",
            metavar="NAME",
            default=[],
        ),
        "search": _one(
            "TEXT",
            "list only segments with this text in source, references or outputs; /text/ is a regular expression, and "
            "#3 is segment 3",
            default="",
        ),
        "top": _one("N", "list only the first N segments (default: all, but 20 in a table and 100 in HTML)", type=int),
    },
    "planning": {
        "difference": _many(
            "POINTS", "differences in points of the metric, such as a true difference that matters", type=_number
        ),
        "power": _one("SHARE", "the required power (default: .8)", type=_number, default=0.8),
        "future_systems": _one("S", "number of systems to compare later, all pairs (default: 2)", type=int, default=2),
        "comparisons": _one(
            "M",
            "number of comparisons to correct for (default: all pairs of --future-systems); size and power include "
            "this correction",
            type=int,
        ),
        "price_segment": _one("PRICE", "price of a segment, in any currency", type=_number),
        "price_document": _one("PRICE", "price of a document, in any currency", type=_number),
        "price_sample": _one("PRICE", "price of one more output of both systems, for one segment", type=_number),
        "deterministic": _many("SYSTEM", "systems that always give the same output, so sampling adds no variance"),
        "price_rating": _one(
            "PRICE", "price of one rating by one rater, in addition to the price of the segment", type=_number
        ),
        "raters": _one("J", "number of raters who share the work (default: as in the data)", type=int),
        "shares": _many(
            "SHARE", "sizes as shares of the test set, above 0 and at most 1 (default: .1 .2 … 1)", type=_number
        ),
    },
    "agreement": {
        "human": _one("NAME", "the human rating (default: the only one)"),
        "human_translations": _among(
            "mtsig.meta_eval._rated_data:Humans",
            "treatment of human translations (default: exclude; the result of the other choice is also reported)",
            default="exclude",
        ),
        "segments": _among(
            "mtsig.meta_eval._rated_data:Segments",
            "segments used for a metric's system scores: those rated for the system, or all (default: matched)",
            default="matched",
        ),
        "kind": _among(
            "mtsig.meta_eval:AGREEMENTS",
            "one or more coefficients of agreement: {names} (default: alpha)",
            nargs="+",
            metavar="NAME",
            default=["alpha"],
        ),
        "ceiling": _among(
            "mtsig.meta_eval:STATISTICS",
            "statistic for the rater ceiling: {names} (default: spa)",
            metavar="NAME",
            default="spa",
        ),
        "statistic": _among(
            "mtsig.meta_eval:STATISTICS",
            "one or more statistics: {names} (default: spa, accuracy, pearson, acc_eq)",
            nargs="+",
            metavar="NAME",
        ),
        "group_by": _among(
            "mtsig.meta_eval._groups:By", "groups within which segment scores are compared (default: item)"
        ),
        "compare": _among(
            "mtsig.meta_eval:STATISTICS", "also test all pairs of metrics by this statistic", metavar="STATISTIC"
        ),
        "exchange": _among(
            "mtsig.meta_eval:EXCHANGES",
            "unit whose scores --compare swaps between two metrics (default: item, to generalise to other segments)",
        ),
        "over": _among(
            "mtsig.meta_eval._statistic:Over", "unit that is resampled for intervals (default: both)", default="both"
        ),
        "without": _many(
            "SYSTEM", "also report every statistic without these systems: two similar outliers hide each other"
        ),
        "zero_correlation": _flag("also test for zero correlation (rarely informative)"),
        "sentinels": {
            "action": argparse.BooleanOptionalAction,
            "help": "compare metrics with sentinels: lengths, a random score and segments' means (default: yes)",
        },
        "verdicts": _flag(
            "also list for every pair of systems whether the two differ significantly in the ratings and in each "
            "metric, contradictions first"
        ),
        "compat": _among(
            "mtsig.campaign._rules:COMPAT",
            "also report what another program's method gives, labelled as such. {about}",
            about="",
        ),
        "without_raters": _many(
            "RATER",
            "with --compat: also report both results without these raters, such as raters who failed checks; wmt26 "
            "stands for the raters that WMT26's filter removes",
        ),
    },
    "campaigns": {
        "inclusion": _one(
            "FILE",
            "file with the probability with which each segment was chosen for rating, as written by `mtsig sample -o "
            "FILE.csv` (default: equal probabilities)",
        ),
        "verdict": {
            "choices": ("ratings", "metric"),
            "default": "ratings",
            "help": "the result that counts as the verdict: from the ratings alone (default), or with the metric. "
            "Choose before you see the ratings.",
        },
        "size": _one("N", "number of segments to rate; with --unit document, number of documents", type=int),
        "focus": _one(
            "TIMES",
            "choose segments TIMES as often if their metric scores vary much between systems (default: 1; higher "
            "values cost precision unless the metric explains the ratings well)",
            type=_number,
            default=1.0,
        ),
        "pearmut": _one("FILE", "also write a campaign that Pearmut loads (tried with version 1.1.6)"),
        "predicted": _many("NAME", "ratings whose error spans are compared (default: all other ratings with spans)"),
        "measure": _among(
            "mtsig.campaign._spans:MEASURES", "how spans are compared (default: mpp). {about}", about="", default="mpp"
        ),
        "penalty": _one(
            "SHARE",
            "for mpp: share of the credit that a matched pair loses if severities differ (default: 0)",
            type=_number,
            default=0.0,
        ),
    },
    "preferences": {
        "criterion": _one("NAME", "the criterion to analyse, if there are judgements by several criteria"),
        "strengths": {
            "choices": ("davidson", "half", "direct"),
            "default": "davidson",
            "help": "davidson: strengths from a model with ties (default); half: strengths with a tie as "
            "half a win; direct: each pair on its own, without strengths",
        },
        "grades": {
            "choices": ("sign", "margin"),
            "default": "sign",
            "help": "what to analyse. sign: who wins (default); margin: by how much, as the mean margin in direct "
            "comparisons (strengths need wins, ties and losses)",
        },
        "both_orders": {
            "choices": ("keep", "collapse"),
            "default": "keep",
            "help": "how to count a comparison that one rater saw in both orders. keep: as two judgements in one "
            "cluster (default); collapse: as one judgement, a tie if the two disagree",
        },
        "win_rate": _one(
            "SHARE", "share of wins of the better system, a tie as half a win: .55 means .55 against .45", type=_number
        ),
        "tie_rate": _one("SHARE", "expected share of ties (default: .3, or as in --data)", type=_number),
        "icc": _one("SHARE", "correlation between judgements of the same document (default: .1)", type=_number),
        "per_document": _one("N", "number of judgements per document (default: 5)", type=int),
        "ignore_order": _flag("assume that being shown first is not an advantage"),
        "anchor": _one("NAME=ELO", "a system and its fixed Elo value (default: mean 1000)", type=_anchor),
    },
    "report": {
        "since": _one("STUDY", "report what changed since this earlier study, and write nothing"),
        "size_curve": _flag("also draw curves of scores by test-set size (needs data)"),
        "day": _one("DAY", "the date on the card, as YYYY-MM-DD (default: today, or SOURCE_DATE_EPOCH)"),
    },
    "lessons": {
        "lesson": _many("N", "write only the lessons with these numbers", type=int),
        "solutions": _flag("include the answers, computed from the data"),
    },
    "experiments": {
        "simulated": _one(
            "BLEU", "use simulated segments instead of data, for systems with these scores", nargs="*", type=_number
        ),
        "width": _one("WIDTH", "width of figures on paper: acl-column (default), acl-full, neurips-half, neurips-full"),
    },
    "serving": {
        "share": _one(
            "HOST",
            "let other computers reach the dashboard, under this computer's name and address and these host names; "
            "needs a password or --behind-proxy (see docs/hosting.md)",
            nargs="*",
        ),
        "password_file": _one("FILE", "file whose first line is the visitors' password; or set MTSIG_PASSWORD"),
        "behind_proxy": _one("HOST", "host name of the reverse proxy that authenticates visitors"),
        "frame_ancestors": _one(
            "ORIGIN",
            "sites that may show the dashboard in a frame, such as https://lab.example.org (default: none, or those in "
            "MTSIG_FRAME_ANCESTORS)",
            nargs="+",
        ),
        "address": _one("ADDRESS", "address at which the server listens", flags=("--server.address",)),
        "port": _one("N", "port at which the server listens (default: 8501, or the next free one)", type=int),
    },
    "tools": {
        "model": _one("NAME", "an installed spaCy model, such as en_core_web_sm"),
        "replace": _flag("overwrite files that contain other parses"),
        "rows": _among(
            "mtsig.study._counts:CountedUnit",
            "write one row per segment (default) or per document, which suffices for tests over documents",
            default="segment",
        ),
        "list": _flag("list what can be downloaded and what was downloaded before"),
        "clear": _flag("delete all cached statistics"),
    },
    "output": {
        "format": _one("FORMAT", "what to print: {names} (default: table)", choices=FORMATS, default="table"),
        "to": _many("FORMAT", "formats of the figures: pdf, svg, png, pgf (default: pdf)"),
        "out": _one(
            "PATH",
            "folder or file for the result; a file's ending gives the format; repeatable",
            flags=("-o", "--out"),
            action="append",
            default=[],
        ),
        "quiet": _flag(
            "print warnings and errors, but no notes and no progress",
            flags=("-q", "--quiet"),
            default=argparse.SUPPRESS,
        ),
    },
    "": {
        "study": _one("STUDY", "a study, as written by `mtsig compare --out study.json`", nargs="?"),
        "file": _one("PLAN", "the analysis plan to check (default: write one)", nargs="?"),
        "names": _one("NAME", "names to show (default: list all)", nargs="*"),
        "paper": _among("mtsig.lab:PAPERS", "{about}", about="citation", metavar="PAPER"),
        "shell": {"choices": ("bash", "zsh", "tcsh"), "help": "the shell that the script is for"},
    },
}
"""The options in the groups of the long help; those without a group are given by their place."""


CALLED = {"n_resamples": "resamples"}
"""Fields of dataclasses that have another name on the command line."""


def flag_of(name: str, called: Mapping[str, str] = CALLED) -> str:
    """Return the long flag of an option."""
    return f"--{called.get(name, name).replace('_', '-')}"


def add_options(parser: Parser, names: Sequence[str], **changed: Mapping[str, Any]) -> None:
    """Add options, or whole groups of them; changed: what is different of some, such as further formats."""
    titles: dict[str, argparse._ArgumentGroup] = {}
    for title, group in OPTIONS.items():
        for name, how in group.items():
            if name in names or f"+{title}" in names:
                filled = _filled({**how, **changed.get(name, {})})
                flags = filled.pop("flags", (flag_of(name),) if title else ())
                if title not in titles:
                    titles[title] = parser.add_argument_group(title)
                titles[title].add_argument(*(flags or [name]), **{**filled, **({"dest": name} if flags else {})})
    if "format" in names:
        parser.show("--schema", const="schema", help="print the JSON Schema of what --format json prints")
    if "+input" in names:
        add_flags(parser, Limits, title="limits")


def _filled(how: How) -> dict[str, Any]:
    """Return an option as argparse takes it: with choices from the table, the type or the option that it names."""
    filled = dict(how)
    if "option" in filled:
        from mtsig.collection import Averaging

        option = next(option for option in options(Averaging) if option.name == filled["option"])
        return {"choices": option.choices, "help": f"{option.help} (default: {option.default})"}
    about, text = filled.pop("about", None), str(filled["help"])
    if "among" in filled:
        module, _, name = filled.pop("among").partition(":")
        table = getattr(import_module(module), name)
        filled["choices"] = tuple(table if isinstance(table, Mapping) else get_args(table))
        if about is not None:
            listed = (f"{name}: {getattr(entry, about) if about else entry}" for name, entry in table.items())
            text = text.replace("{about}", "; ".join(one.rstrip(".") for one in listed))
    text = text.replace("{names}", ", ".join(filled.get("choices", ())))
    if filled.get("required"):  # what must be given has no default
        text = re.sub(r" \(default: [^)]*\)", "", text)
    return {**filled, "help": text.replace("%", "%%")}


def add_flags(
    parser: argparse.ArgumentParser,
    described: type,
    only: Sequence[str] | None = None,
    title: str = "analysis",
    called: Mapping[str, str] = CALLED,
) -> None:
    """Add an option for every option of a dataclass, or for those named; it is parsed by the option itself."""
    group = parser.add_argument_group(title)
    for option in options(described):
        if only is not None and option.name not in only:
            continue
        kind = {int: "N", float: "X", bool: "BOOL"}.get(option.type, "TEXT")
        default = f"{option.default:,}" if title == "limits" else option.default
        alone: dict[str, Any] = {"nargs": "?", "const": True} if option.type is bool else {}
        flag = flag_of(option.name, called)
        group.add_argument(
            flag,
            dest=option.name,
            type=partial(_value, replace(option, called=flag)),
            metavar="|".join(option.choices) if option.choices else kind,
            help=f"{option.help} (default: {default})".replace("%", "%%"),
            **alone,
        )


# --- what was given -------------------------------------------------------------------------------------------------


def given(chosen: argparse.Namespace, names: Sequence[str]) -> list[str]:
    """Return which of these options were given."""
    values = {name: getattr(chosen, name, None) for name in names}
    return [name for name, value in values.items() if value is not None and value is not False and value != []]


def refuse_given(chosen: argparse.Namespace, other: str, names: Sequence[str], why: str) -> None:
    """Raise InvalidOption where an option is given that does not go with another one; none is ignored in silence."""
    for name in given(chosen, names):
        flag = flag_of(name)
        raise InvalidOption(f"{other} and {flag} do not go together: {why.replace('{flag}', flag)}")


OF_SETS = ("only_sets", "skip_broken", "called", "for", "weights", "sharing", "family", "combine", "separate")
"""Options that several test sets have, and one has not."""


def refuse_without_sets(chosen: argparse.Namespace) -> None:
    """Raise InvalidOption where an option of several test sets is given without any."""
    for name in given(chosen, OF_SETS):
        raise InvalidOption(f"{flag_of(name)} needs --set or --macro, because it is only for several test sets.")


def chosen_options(described: type[T], chosen: argparse.Namespace, **more: Any) -> T:
    """Return the dataclass with the options that were given."""
    names = [option.name for option in options(described)]
    return described(**{**more, **{name: getattr(chosen, name) for name in given(chosen, names)}})


def chosen_settings(chosen: argparse.Namespace) -> "Settings":
    """Return the settings of the method that was named, or the defaults, with the options that were given."""
    from mtsig.inference import METHODS, Settings  # here, because verbs that neither score nor compare do without

    method = getattr(chosen, "method", None)
    return chosen_options(Settings, chosen, **(vars(METHODS[method].settings) if method else {}))


def chosen_limits(chosen: argparse.Namespace) -> Limits:
    """Return the limits that hold here, with those that were given; a verb may have no such options."""
    return replace(limits(), **{name: getattr(chosen, name) for name in given(chosen, list(vars(limits())))})


def chosen_margin(chosen: argparse.Namespace) -> float | dict[str, float] | None:
    """Return the margin of all metrics, or of each by its name."""
    margins: dict[str, float] = dict(chosen.margin)
    if "" not in margins:
        return margins or None
    if len(chosen.margin) > 1:
        raise InvalidOption("--margin takes one number for all metrics, or METRIC=POINTS for each; found both.")
    return margins[""]


def one_pair(chosen: argparse.Namespace) -> tuple[str, str] | None:
    """Return the pair that was given, or none."""
    if len(chosen.pair) > 1:
        raise InvalidOption(f"This verb compares one pair; found --pair {len(chosen.pair)} times.")
    return (chosen.pair[0][0], chosen.pair[0][1]) if chosen.pair else None


def typed_again(chosen: argparse.Namespace) -> list[str]:
    """Return the input options as they would be typed again."""
    typed: list[str] = []
    for name in given(chosen, list(OPTIONS["input"])):
        value = getattr(chosen, name)
        for each in value if name == "data" else [value]:
            typed += [f"--{name}", *([each] if isinstance(each, str) else each)]
    return typed


def from_stdin(chosen: argparse.Namespace) -> list[str]:
    """Return the names after --sys that mean standard input: "-", or NAME=- unless a file is called so."""
    return [text for text in chosen.sys if text == "-" or (text.endswith("=-") and not _is_file(text))]


def _is_file(text: str) -> bool:
    from mtsig.readers._files import is_there

    return is_there(Path(text))


@contextmanager
def workers(chosen: argparse.Namespace) -> "Iterator[Executor | None]":
    """Yield an executor of so many processes, or None for this one."""
    count = chosen.workers or 1
    from concurrent.futures import ProcessPoolExecutor  # here, because most work is done by one process
    from multiprocessing import get_context

    # Spawned, not forked: a fork in a process that runs threads of a linear-algebra library may hang.
    pool = nullcontext() if count == 1 else ProcessPoolExecutor(count, mp_context=get_context("spawn"))
    with pool as executor:
        yield executor
