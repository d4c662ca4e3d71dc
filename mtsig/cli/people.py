"""The arguments that say whose ratings are people's, and on what metrics are held against them."""

import argparse
from collections.abc import Sequence
from typing import Any, get_args

from mtsig.cli.analysis import chosen_metrics
from mtsig.cli.say import tell
from mtsig.cli.show import measured
from mtsig.corpus import Corpus, joint_ratings, listed
from mtsig.errors import InvalidOption
from mtsig.meta_eval import Humans, RatedData, Segments, people_of_systems, whole_systems
from mtsig.metrics import Metric, Rated, metric, rating_choice
from mtsig.readers import given_by


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
    """Return the rating that --human names, or the only one; people's scores of whole systems where they are alone.

    Raises:
        InvalidOption: none is named, and there is not one alone.
        UnknownName: there is no such rating.
    """
    of_systems = people_of_systems(corpus)
    name = chosen.human
    if name is None and not joint_ratings(corpus.ratings) and len(of_systems) == 1:
        name = of_systems[0]
    scores = None if name is None else whole_systems(corpus, name)
    return scores or metric(f"rating:{rating_name(name, corpus, '--human', of_systems)}:").on(corpus)


TEXT_METRICS = ("bleu", "chrf", "ter")
"""What is held against people where there is text to score and no metric is named."""


def judged_by(chosen: argparse.Namespace, corpus: Corpus, human: Metric) -> RatedData:
    """Return the metrics that --metric names, or all that the data have, beside a rating by people.

    The data have the ratings that no people gave, as far as their names tell, and the usual metrics of their text.
    Scores of whole systems take part where they are named, or alone: systems without them would be left out.

    Raises:
        InvalidOption: no metric is named, and the data have none.
    """
    asked = chosen
    if chosen.metric is None:
        own = human.rating if isinstance(human, Rated) else ""
        others = [name for name in joint_ratings(corpus.ratings) if name != own and given_by(name) != "people"]
        names = [rating_choice(name) for name in others]
        if corpus.outputs and corpus.references:
            names += [name for name in TEXT_METRICS if name not in (other.lower() for other in others)]
        of_people = {own or human.name, *people_of_systems(corpus)}
        whole = [name for name in corpus.system_scores if name not in corpus.ratings and name not in of_people]
        if whole and names:
            choice = rating_choice(whole[0])
            tell(f"note: There are scores of whole systems, too: {listed(whole)}. --metric {choice} takes them.")
        names = names or list(map(rating_choice, whole))
        if not names:
            raise InvalidOption(
                "These data have no metric to hold against people: name one with --metric, such as rating:COMET."
            )
        asked = argparse.Namespace(metric=names)
    of_systems = {name: scores for name in asked.metric if (scores := whole_systems(corpus, name)) is not None}
    asked = argparse.Namespace(metric=[name for name in asked.metric if name not in of_systems])
    of_segments = chosen_metrics(asked, corpus) if asked.metric else []
    people, *metrics = measured(corpus, [human, *of_segments, *of_systems.values()])
    return RatedData.of(corpus, people, metrics, humans=chosen.humans, segments=chosen.segments)


def rating_name(name: str | None, corpus: Corpus, flag: str, more: Sequence[str] = ()) -> str:
    """Return the rating that a flag names, or the only one; those of its single judges are none beside it.

    more: what else it may name.
    """
    there = joint_ratings(corpus.ratings)
    if name is None and len(there) != 1:
        known = ", ".join((*there, *more)) or "none"
        raise InvalidOption(f"This needs ratings by people: name one with {flag}. Known: {known}.")
    return there[0] if name is None else name.removeprefix("rating:")
