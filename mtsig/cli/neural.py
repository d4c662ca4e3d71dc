"""`mtsig neural`: ratings by COMET and its kin, computed by a comet-score installed elsewhere."""

import argparse
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from mtsig.cache import users_cache
from mtsig.cli.flags import add_flags, chosen_options
from mtsig.cli.inputs import add_input
from mtsig.cli.reading import read_input
from mtsig.cli.say import say_data, say_json, tell
from mtsig.cli.show import progress, show_notes
from mtsig.corpus import Note
from mtsig.neural import Comet, program, ratings_json, ratings_table, score

EXAMPLES = {
    "mtsig neural --data data > comet.tsv": "rate every segment with COMET",
    "mtsig compare --data data --ratings comet.tsv --metric comet": "and compare by it",
    "mtsig neural --data data --model Unbabel/wmt22-cometkiwi-da --format json": "another model",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_input(parser)
    add_flags(parser, Comet, title="comet-score")
    parser.add_argument("--command", metavar="PATH", help="comet-score (default: MTSIG_COMET_SCORE, or on the PATH)")
    parser.add_argument("--fresh", action="store_true", help="compute again what earlier runs have computed")
    parser.add_argument("--format", choices=("tsv", "csv", "json"), default="tsv", help="default: tsv")


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    comet = chosen_options(Comet, chosen)
    installed = program(chosen.command)
    corpus = read_input(chosen)
    show_notes(corpus, [*comet.caveats(corpus), *_before(comet)])
    cache = None if chosen.fresh else users_cache("neural")
    with _told_to_stop(), progress(f"Scoring with {comet.name}"):
        rating = score(corpus, comet, installed, cache)
    tell(f"{rating.judge}")
    if chosen.format == "json":
        say_json(ratings_json(corpus, comet.name, rating))
    else:
        say_data(ratings_table(corpus, comet.name, rating, chosen.format))
    return 0


def _before(comet: Comet) -> list[Note]:
    if not comet.download:
        return []
    text = f"If {comet.model} is not on this computer yet, comet-score downloads it now: 2.3 GB or more."
    return [Note("note", text)]


@contextmanager
def _told_to_stop() -> Iterator[None]:
    """Let a signal that ends this program end comet-score, too: by default Python would go without a word to it."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    numbers = [number for name in ("SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)) is not None]
    before = {number: signal.signal(number, stop) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
