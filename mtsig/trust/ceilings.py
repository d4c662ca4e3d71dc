"""The ceiling: how well one judge agrees with the others, by the statistic that metrics are judged by.

A metric at the ceiling agrees with judges as much as a judge does, which is not to be as good as one (Proietti et al.
2025).
"""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from mtsig.arrays import Floats
from mtsig.corpus import Corpus, Judgements, Rating
from mtsig.errors import MtsigError, NotApplicable
from mtsig.records import Count, Number, Record, about
from mtsig.results import Result
from mtsig.trust.judged import Judged
from mtsig.trust.statistic import Statistic


@dataclass(frozen=True)
class JudgeAsMetric(Record):
    """One judge held against the mean of the others, as a metric is held against people."""

    judge: Annotated[str, about("The judge.")]
    value: Annotated[Number, about("The statistic; null where it has no value.")]
    outputs: Annotated[Count, about("Outputs that this judge and at least one other judged.")]
    reason: Annotated[str, about("Why there is no value; empty where there is one.")] = ""


@dataclass(frozen=True, eq=False)
class Ceiling(Result):
    """Every judge against the others; value: the mean over the judges that have one."""

    statistic: str
    judges: tuple[JudgeAsMetric, ...]

    @property
    def value(self) -> float:
        """The ceiling: the mean over the judges, NaN where none has a value."""
        known = [judge.value for judge in self.judges if judge.value == judge.value]
        return float(np.mean(known)) if known else float("nan")

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per judge."""
        return [judge.row() for judge in self.judges]


def ceiling(corpus: Corpus, rating: str, statistic: Statistic) -> Ceiling:
    """Return how well each judge of a rating agrees with the mean of the others.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.trust import STATISTICS, ceiling
    >>> rng = np.random.default_rng(1)
    >>> true = np.arange(3)[:, None] + rng.normal(size=(3, 40))
    >>> given = {name: true + shift + rng.normal(size=(3, 40)) for name, shift in (("Ann", 0), ("Bo", 1))}
    >>> rating = mtsig.Rating(np.mean(list(given.values()), axis=0), True, judgements=Judgements.of(given))
    >>> corpus = mtsig.Corpus.of(dict.fromkeys("ABC"), ratings={"esa": rating})
    >>> round(ceiling(corpus, "esa", STATISTICS["pearson"]).value, 2)
    1.0

    Args:
        corpus: it has the rating.
        rating: the rating's name in the corpus.
        statistic: how metrics are judged, such as STATISTICS["spa"].

    Raises:
        NotApplicable: it is not known who rated what, or there is one judge alone.
    """
    judgements = corpus.ratings[rating].judgements
    judgements = None if judgements is None else judgements.signed
    if judgements is None or len(judgements.judges) < 2:
        raise NotApplicable(f"{rating}: a judge is held against the others, and only one is known.")
    shape, higher = corpus.ratings[rating].values.shape, corpus.ratings[rating].higher_is_better
    values = []
    for number, judge in enumerate(judgements.judges):
        own = means(judgements.where(judgements.judge == number), shape)
        others = means(judgements.where(judgements.judge != number), shape)
        both = int(np.count_nonzero(~np.isnan(own) & ~np.isnan(others)))
        value, reason = float("nan"), ""
        try:
            ratings = {"others": Rating(others, higher), "judge": Rating(own, higher)}
            alone = Corpus.of(dict.fromkeys(corpus.systems), ratings=ratings, documents=corpus.documents)
            judged = Judged.of(alone, "rating:others", ["rating:judge"], humans="include")
            value = statistic.value(judged, "judge")
            reason = statistic.undefined(judged, "judge") if np.isnan(value) else ""
        except MtsigError as error:
            reason = str(error)
        values.append(JudgeAsMetric(judge, value, both, reason))
    return Ceiling(statistic.name, tuple(values))


def means(judgements: Judgements, shape: tuple[int, ...]) -> Floats:
    """Return the mean over judges of every output, each judge's values of it counting once; NaN where there is none."""
    systems, segments = shape
    cell = judgements.system.astype(np.int64) * segments + judgements.segment
    seen, of_seen = np.unique(cell * len(judgements.judges) + judgements.judge, return_inverse=True)
    by_judge = np.bincount(of_seen, judgements.value) / np.bincount(of_seen) if len(seen) else np.zeros(0)
    place = seen // len(judgements.judges)
    total = np.bincount(place, by_judge, minlength=systems * segments)
    count = np.bincount(place, minlength=systems * segments)
    values = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
    return np.asarray(values.reshape(shape))
