"""`mtsig runs`: two systems with several training or tuning runs each."""

import argparse
from collections.abc import Sequence

from mtsig.cli.flags import add_flags, chosen_options
from mtsig.cli.pairs import add_pair, read_pair, read_statistics
from mtsig.cli.show import show, show_notes
from mtsig.errors import InvalidOption
from mtsig.inference import Settings, compare_runs, judge_runs, runs_by_name
from mtsig.report.bundle import runs_bundle
from mtsig.report.tables import runs_table

EXAMPLES = {
    "mtsig runs --ref ref.txt --sys base.run1 base.run2 ours.run1 ours.run2": "runs are known by their names",
    "mtsig runs --ref ref.txt --sys a.txt b.txt c.txt d.txt --runs base=a,b ours=c,d": "or said to be",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_pair(parser)
    parser.add_argument(
        "--runs",
        nargs="+",
        metavar="SYSTEM=RUN,RUN…",
        help="which outputs are runs of which system (default: from names such as X.run1, X.opt0, X.seed3)",
    )
    add_flags(parser, Settings, only=("level", "draws", "seed", "unit"))


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    settings = chosen_options(Settings, chosen)
    corpus, statistics = read_statistics(chosen)
    mapping = (
        runs_by_name(list(statistics[0].systems))
        if chosen.runs is None
        else dict(_system(text) for text in chosen.runs)
    )
    first, second = read_pair(chosen, [name for name, runs in mapping.items() if len(runs) > 1])
    used = {name: getattr(settings, name) for name in ("level", "unit", "draws", "seed")}
    compared = judge_runs([compare_runs(counted, first, second, mapping, **used) for counted in statistics])
    # Tables say what is due to few runs below themselves.
    table = chosen.format in ("table", "markdown")
    show_notes(corpus, [note for by_runs in compared for note in (by_runs.of_data if table else by_runs.notes)])
    show(chosen.format, runs_bundle(corpus, settings, compared), "runs", [runs_table(by_runs) for by_runs in compared])
    return 0


def _system(text: str) -> tuple[str, tuple[str, ...]]:
    name, equals, runs = text.partition("=")
    if not equals or not runs:
        raise InvalidOption(f"Runs are written SYSTEM=RUN,RUN; found {text!r}.")
    return name, tuple(runs.split(","))
