"""Several test sets: pairwise accuracy over all their pairs, resampled inside each (Kocmi et al. 2021)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference import Settings
from mtsig.records import Count, Number, Record, about
from mtsig.trust.intervals import Over, redraws
from mtsig.trust.judged import Judged
from mtsig.trust.redraws import percentiles
from mtsig.trust.statistic import pair_counts
from mtsig.trust.systems import PairwiseAccuracy, pair_counts_of


@dataclass(frozen=True)
class AccuracyOverSets(Record):
    """On how many pairs of systems, each of one test set, a metric and people agree."""

    metric: Annotated[str, about("The metric.")]
    sets: Annotated[Count, about("How many test sets.")]
    right: Annotated[Count, about("Pairs that the metric orders as people do.")]
    pairs: Annotated[Count, about("Pairs that people tell apart.")]
    value: Annotated[Number, about("Right pairs of all pairs.")]
    low: Annotated[Number, about("Lower end of the percentile interval; each set is redrawn by itself.")]
    high: Annotated[Number, about("Its upper end.")]


def accuracy_over_sets(
    sets: Sequence[Judged], metric: str, *, over: Over = "both", settings: Settings | None = None
) -> AccuracyOverSets:
    """Return the pairwise accuracy over several test sets: Σ right / Σ pairs, never of two systems of two sets.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.trust import Judged, accuracy_over_sets
    >>> rng = np.random.default_rng(1)
    >>> people = np.arange(9)[:, None] + 3 * rng.normal(size=(9, 60))
    >>> made = {"esa": people, "near": people + rng.normal(size=(9, 60)), "far": people + 9 * rng.normal(size=(9, 60))}
    >>> ratings = {name: mtsig.Rating(values, higher_is_better=True) for name, values in made.items()}
    >>> corpus = mtsig.Corpus.of(dict.fromkeys("ABCDEFGHI"), ratings=ratings)
    >>> judged = Judged.of(corpus, "rating:esa", ["rating:near", "rating:far"])
    >>> accuracy_over_sets([judged], "near", settings=mtsig.Settings(draws=100)).value
    1.0

    Args:
        sets: what people and metrics say of each test set.
        metric: its name in all of them.
        over: what is redrawn inside each set.
        settings: level, draws, seed and unit.

    Raises:
        InvalidOption: there is no set.
        NotApplicable: segments are redrawn, and there are scores of whole systems only.
    """
    if not sets:
        raise InvalidOption("Give at least one test set.")
    whole = next(filter(None, (judged.whole(metric) for judged in sets)), "")
    if over == "segments" and whole:
        raise NotApplicable(f"Of {whole} there are scores of whole systems only: redraw systems, not segments.")
    settings = Settings() if settings is None else settings
    counts = [pair_counts_of(judged, metric) for judged in sets]
    right, pairs = sum(count.right for count in counts), sum(count.pairs for count in counts)
    sums = np.zeros((2, settings.draws))
    statistic = PairwiseAccuracy()
    for number, judged in enumerate(sets):
        done = 0
        # Sets are independent: each has a seed of its own.
        for redraw in redraws(judged, over, settings.draws, settings.seed + number, settings.unit):
            redraw = redraw.known_of(judged, metric)
            human, scores = (redraw.system_scores(judged, name) for name in (judged.human.name, metric))
            weights = pair_counts(redraw.counts(len(judged.systems)))
            block = np.einsum("tub,bu->tb", statistic.terms(human, scores), weights)
            sums[:, done : done + block.shape[1]] += block
            done += block.shape[1]
    value = right / pairs if pairs else float("nan")
    low, high, _ = percentiles(statistic.ratio(sums), settings.level, value)
    return AccuracyOverSets(metric, len(sets), right, pairs, value, low, high)
