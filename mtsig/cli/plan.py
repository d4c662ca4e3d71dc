"""`mtsig plan`: write an analysis plan, or read one and say what it fixes."""

import argparse
from collections.abc import Sequence

from mtsig.cli.analysis import MARGINS, add_margins, add_settings
from mtsig.cli.compare import chosen_pairs, requested
from mtsig.cli.flags import refuse_given
from mtsig.cli.say import say, say_data
from mtsig.cli.several import COUNTING, JUDGING, OF_ONE_SET, add_sets, asked_over, refuse_without_sets
from mtsig.errors import InvalidOption
from mtsig.inference import Settings
from mtsig.options import options
from mtsig.study import AnalysisPlan, plan_of, read_plan
from mtsig.study.plan import plan_text

EXAMPLES = {
    "mtsig plan --metric bleu chrf --pairs base > plan.toml": "write a plan before anything is scored",
    "mtsig plan plan.toml": "check it, and print the digest to publish",
    "mtsig compare --data data --plan plan.toml": "do what it says",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="a plan to check; without it, one is written")
    parser.add_argument("--metric", nargs="+", metavar="NAME[:OPTION=VALUE,…]", help="metrics (default: bleu)")
    parser.add_argument("--pairs", metavar="all|SYSTEM", help="all pairs (default), or every other against this one")
    pair = "compare these two, in this order; may be given several times"
    parser.add_argument("--pair", nargs=2, action="append", metavar=("FIRST", "SECOND"), help=pair)
    parser.add_argument("--joined", action="store_true", help="judge the comparisons of all metrics together")
    sets = "names of the test sets, where the plan is of several: they are fixed with it, as their weights are"
    add_sets(parser, ("set", *COUNTING, *JUDGING), set_help=sets)
    parser.add_argument("--by", metavar="BY", help="parts of the test set that are judged together, such as domain")
    add_margins(parser)
    add_settings(parser)


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    if chosen.file is None:
        if chosen.set is None:
            refuse_without_sets(chosen)
            request = requested(chosen)
        else:
            refuse_given(chosen, "--set", ("joined", "by", *MARGINS), OF_ONE_SET)
            request = asked_over(chosen, chosen_pairs(chosen), None)
        text = plan_text(request)
        plan_of(text)  # what is written can be read: a one-sided plan of all pairs cannot
        say_data(text)
        return 0
    names = ["metric", "pairs", "pair", "joined", "by", "set", "method", *MARGINS, *COUNTING, *JUDGING]
    names += [option.name for option in options(Settings)]
    if any(getattr(chosen, name) for name in names):
        raise InvalidOption("Give either a plan to check, or the options of one to write; found both.")
    say(*_told(read_plan(chosen.file)))
    return 0


def _told(plan: AnalysisPlan) -> list[str]:
    request, settings = plan.request, plan.request.settings
    pairs = request.pairs
    which = {"all": "all pairs"}.get(pairs, f"every other system against {pairs}") if isinstance(pairs, str) else ""
    if not isinstance(pairs, str):
        which = ", ".join(f"{first} – {second}" for first, second in pairs)
    return [
        f"{plan.digest}",
        f"metrics: {', '.join(choice or '' for choice in request.choices)}{' (one family)' if request.joined else ''}",
        f"pairs: {which}",
        *([] if request.by is None else [f"parts: by {request.by}, one family"]),
        *([] if request.sets is None else [f"test sets: {', '.join(request.sets.names)}"]),
        *([] if request.sets is None else [f"estimand: {request.sets.sentence}"]),
        *(f"{option.name}: {getattr(settings, option.name)}" for option in options(settings)),
        *(
            f"margin: {margin.kind} of {margin.choice} within {margin.points:g} points"
            f"{', with one more document like the heaviest' if margin.one_more_document else ''}"
            for margin in request.margins
        ),
        "Publish this file, or its digest above, before any system is scored: then it can be shown to be older.",
    ]
