"""The arguments that say whose ratings are people's, and on what metrics are held against them."""

import argparse
from typing import Any, get_args

from mtsig.corpus import Corpus, joint_ratings
from mtsig.errors import InvalidOption
from mtsig.metrics import Metric, metric
from mtsig.trust.judged import Humans, Segments


def add_human(group: Any) -> None:
    """Add --human."""
    group.add_argument("--human", metavar="NAME", help="the rating by people (default: the only rating there is)")


def add_judged(group: Any) -> None:
    """Add --humans and --segments."""
    humans = "human translations among the systems (default: exclude; the other value stands beside)"
    group.add_argument("--humans", choices=get_args(Humans), default="exclude", help=humans)
    segments = "segments behind a metric's system scores: those rated for the system, or all (default: matched)"
    group.add_argument("--segments", choices=get_args(Segments), default="matched", help=segments)


def human_rating(chosen: argparse.Namespace, corpus: Corpus) -> Metric:
    """Return the rating that --human names, or the only one.

    Raises:
        InvalidOption: none is named, and there is not one alone.
        UnknownName: there is no such rating.
    """
    return metric(f"rating:{rating_name(chosen.human, corpus, '--human')}:").on(corpus)


def rating_name(name: str | None, corpus: Corpus, flag: str) -> str:
    """Return the rating that a flag names, or the only one; those of its single judges are none beside it."""
    there = joint_ratings(corpus.ratings)
    if name is None and len(there) != 1:
        raise InvalidOption(f"This needs ratings by people: name one with {flag}. Known: {', '.join(there) or 'none'}.")
    return there[0] if name is None else name.removeprefix("rating:")
