"""Several test sets on the command line: the arguments of `mtsig compare --set`, and what they do."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

from mtsig.cli.flags import chosen_options
from mtsig.cli.say import say, tell
from mtsig.cli.show import progress, show
from mtsig.corpus import inspect
from mtsig.errors import InvalidOption
from mtsig.inference import PairChoice, Settings
from mtsig.metrics import default_metrics
from mtsig.report import over_sets_texts, sets_bundle, sets_tables
from mtsig.sets import compare, measure, read_sets
from mtsig.sets.collection import Sharing
from mtsig.sets.compare import FamilyOf, Weights
from mtsig.sets.ranks import Separation
from mtsig.sets.replicability import Combination

_ALONE = (
    "data", "lp", "ref", "sys", "source", "docs", "parses", "ratings", "systems", "references", "slice", "by", "plan",
    "save", "joined",
)  # fmt: skip
"""Arguments of one test set, which several do not take."""

_TOGETHER = ("skip_broken", "called", "for", "weights", "units", "family", "combine", "separate")
"""Arguments that only several test sets take."""


def add_sets(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of several test sets."""
    group = parser.add_argument_group("several test sets, instead of the input above")
    group.add_argument(
        "--set",
        nargs="+",
        action="extend",
        metavar="[NAME=]PATH",
        help="test sets: each a folder, archive or file as for --data; a path that holds several (a folder of folders, "
        "language pairs) gives all of them",
    )
    group.add_argument("--skip-broken", action="store_true", help="leave out sets that cannot be read, and say so")
    called = "a system that a set calls otherwise, as in ours=en-de:submission-2"
    group.add_argument("--called", nargs="+", metavar="NAME=SET:SYSTEM", help=called)
    own = "other options of a metric for one set, as in en-ja bleu:tokenize=char; may be given several times"
    group.add_argument("--for", nargs=2, action="append", metavar=("SET", "METRIC"), help=own)
    weights = "weights of the sets in the average: equal (default), segments, or SET=NUMBER for each; fix them before"
    group.add_argument("--weights", nargs="+", metavar="WEIGHT", help=f"{weights} looking")
    shared = "whether documents that occur in several sets are one unit in all of them (default: shared)"
    group.add_argument("--units", choices=get_args(Sharing), help=shared)
    family = "judge all sets × pairs together (joint, default), or every set by itself"
    group.add_argument("--family", choices=get_args(FamilyOf), help=family)
    combined = "how p-values say in how many sets a system is better (default: bonferroni)"
    group.add_argument("--combine", choices=get_args(Combination), help=combined)
    separation = "what separates mean ranks over sets (default: nemenyi)"
    group.add_argument("--separate", choices=get_args(Separation), help=separation)


def compare_sets(chosen: argparse.Namespace, pairs: PairChoice) -> int:
    """Compare over the sets, and return the exit code.

    Raises:
        InvalidOption: with arguments of one test set.
    """
    for name in _ALONE:
        if getattr(chosen, name):
            raise InvalidOption(f"--set and --{name} do not go together: --{name} is of one test set.")
    settings = chosen_options(Settings, chosen)
    weights = _weights(chosen.weights or ["equal"])
    sets = read_sets(chosen.set, skip_broken=chosen.skip_broken, called=_called(chosen.called or ()))
    names = chosen.metric or default_metrics(next(iter(sets.values())))
    own = _own(getattr(chosen, "for") or (), names)
    found = []
    for name in names:
        with progress(f"Counting {name}"):
            counted = measure(sets, name, own=own[_kind(name)], sharing=chosen.units or "shared")
        with progress("Comparing"):
            found.append(
                compare(
                    counted,
                    settings,
                    pairs,
                    weights=weights,
                    family=chosen.family or "joint",
                    combination=chosen.combine or "bonferroni",
                    separation=chosen.separate or "nemenyi",
                )
            )
    inspected = [
        replace(note, text=f"{name}: {note.text}") for name, corpus in sets.items() for note in inspect(corpus)
    ]
    notes = [*inspected, *(note for one in found for note in one.notes)]
    tell(*dict.fromkeys(f"{note.level}: {note.text}" for note in notes))
    tables = [table for one in found for table in sets_tables(one)]
    show(chosen.format, sets_bundle(settings, found), "comparisons", tables)
    if chosen.format == "table":
        say(*(text for one in found for i in range(len(one.averages or ())) for text in over_sets_texts(one, i)))
    return 0


def refuse_without_sets(chosen: argparse.Namespace) -> None:
    """Raise InvalidOption where an argument of several test sets is given without any."""
    for name in _TOGETHER:
        if getattr(chosen, name):
            raise InvalidOption(f"--{name.replace('_', '-')} goes with --set: it is of several test sets.")


def _kind(written: str) -> str:
    return written.partition(":")[0].strip().lower()


def _own(given: Sequence[tuple[str, str]], names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return for every metric that is measured, by its kind, what it is in some sets."""
    found: dict[str, dict[str, str]] = {_kind(name): {} for name in names}
    for of, written in given:
        if _kind(written) not in found:
            raise InvalidOption(f"--for {of} names the metric {written}, which is not measured.")
        found[_kind(written)][of] = written
    return found


def _weights(given: Sequence[str]) -> Weights:
    if len(given) == 1 and given[0] in ("equal", "segments"):
        return "equal" if given[0] == "equal" else "segments"
    found = {}
    for text in given:
        name, equals, number = text.rpartition("=")
        try:
            found[name] = float(number)
        except ValueError:
            equals = ""
        if not equals:
            raise InvalidOption(f"Weights are equal, segments, or SET=NUMBER for each set; found {text!r}.")
    return found


def _called(given: Sequence[str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for text in given:
        system, equals, place = text.partition("=")
        name, colon, own = place.partition(":")
        if not (system and equals and colon and own):
            raise InvalidOption(f"A system is named over sets as NAME=SET:SYSTEM; found {text!r}.")
        found.setdefault(system, {})[name] = own
    return found
