"""What single segments, and the words in them, bring to a difference, worked out once for all visitors."""

import numpy as np

from mtsig import Corpus, Settings
from mtsig.inference import Comparison
from mtsig.metrics import Metric, Statistics, sign_of
from mtsig.segments import (
    Buckets,
    Contributions,
    Leverage,
    Mode,
    WordView,
    buckets_of,
    card,
    contributions,
    length_thirds,
    leverage,
    searched,
    tested_again,
    word_view,
)
from mtsig_dashboard.memory import asked, asked_at_once, asked_here, worked


def contributed(statistics: Statistics, first: str, second: str | None) -> Contributions:
    """Return what each segment adds to the difference of two systems, or to the score of one."""
    return asked_here(contributions, statistics.at("segment"), first, second)


def carded(corpus: Corpus, contributions: Contributions, position: int, mode: Mode, layout: str) -> str:
    """Return the card of a segment, by its position among the contributions; most clicks show the same ones again."""
    segment = int(contributions.numbers[position])
    pair = [name for name in (contributions.first, contributions.second) if name is not None]
    value, scores = float(contributions.values[position]), contributions.scores[:, position].tolist()
    told = {"contribution": value, "scores": scores, "layout": layout}
    return asked_at_once(card, corpus, segment, pair, metric=contributions.metric, mode=mode, **told)


def scored_at(statistics: Statistics, segment: int) -> dict[str, float]:
    """Return the scores of one segment, by its number in the corpus, best first; NaN, and last, where there is none."""
    by_segment = statistics.at("segment")
    numbers = np.arange(by_segment.n) if by_segment.numbers is None else by_segment.numbers
    scores = by_segment.segment_scores[:, int(np.flatnonzero(numbers == segment)[0])]
    best_first = np.argsort(-sign_of(statistics.metric) * scores, kind="stable")
    return {by_segment.systems[i]: float(scores[i]) for i in best_first}


def bucketed(corpus: Corpus, first: str, second: str | None) -> Buckets:
    """Return what may be the matter with which segments of two systems, or of one."""
    return asked_here(_bucketed, corpus, first, second)


def _bucketed(corpus: Corpus, first: str, second: str | None) -> Buckets:
    # The other systems' texts need not go to another process.
    part = corpus.select([name for name in (first, second) if name is not None])
    return worked("Looking at the texts …", buckets_of, part, first, second)


def described(corpus: Corpus, first: str, second: str | None, expression: str) -> frozenset[int]:
    """Return the places of the segments in which a regular expression finds something.

    A child process reads and uses it: whoever writes an address writes it, and it may take any memory and time.
    """
    return asked_here(_described, corpus, first, second, expression)


def _described(corpus: Corpus, first: str, second: str | None, expression: str) -> frozenset[int]:
    pair = [name for name in (first, second) if name is not None]
    found = worked("Looking for the expression …", searched, corpus.select(pair), pair, expression)
    return frozenset(np.flatnonzero(found).tolist())


def length_thirds_of(corpus: Corpus) -> dict[str, tuple[int, int]]:
    """Return the ends of the short, the medium and the long segments."""
    return asked_here(length_thirds, corpus)


def worded(corpus: Corpus, metric: Metric, settings: Settings, first: str, second: str) -> WordView:
    """Return on which words, lengths and n-grams two systems differ."""
    args = (corpus, metric, first, second, settings.unit, settings.level)
    return asked("Looking at the words …", word_view, *args)


def leveraged(
    statistics: Statistics,
    settings: Settings,
    first: str,
    second: str,
    no_verdict: str,
    judged_at: tuple[float, int],
) -> tuple[Leverage, Comparison | None, str]:
    """Return what is left of a difference without the units that push most, and the test made again where it turns."""
    return asked_here(_leveraged, statistics, settings, first, second, no_verdict, judged_at)


def _leveraged(
    statistics: Statistics,
    settings: Settings,
    first: str,
    second: str,
    no_verdict: str,
    judged_at: tuple[float, int],
) -> tuple[Leverage, Comparison | None, str]:
    by_segment = contributed(statistics, first, second)
    unit = settings.at(statistics)
    pushing = by_segment if unit.unit == "segment" else contributions(unit, first, second)
    level, comparisons = judged_at
    options = {"comparisons": comparisons, "seed": settings.seed, "no_verdict": no_verdict}
    curve = worked("Leaving segments out …", leverage, pushing, level, **options)
    return (curve, *worked("Testing without them …", tested_again, by_segment, pushing, curve, settings))
