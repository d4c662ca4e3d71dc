"""Clusters of metrics as WMT's metrics task prints them: uncorrected and one-sided.

See docs/statistics/trust.md, section 7.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtsig.arrays import Floats
from mtsig.errors import NotApplicable, expect
from mtsig.inference import Family
from mtsig.inference.probability import count_extreme

ALPHA = 0.05


def clusters_of(p: ArrayLike, alpha: float = ALPHA) -> NDArray[np.int64]:
    """Return the clusters of sorted metrics, best first, from 1, shape (m,).

    p: shape (m, m); p[i, j], i < j, is the p that i is better than j.

    A cluster begins where some metric of the one before is better at p ≤ alpha (mt-metrics-eval's AssignRanks). That
    metrics of one cluster are not separated does not follow: one of an earlier cluster may be better than one alone.

    >>> import numpy as np
    >>> from mtsig.trust import clusters_of
    >>> clusters_of(np.array([[1, 0.2, 0.01], [1, 1, 0.02], [1, 1, 1]]))
    array([1, 1, 2])
    """
    matrix: NDArray[Any] = np.asarray(p)
    clusters = np.ones(len(matrix), dtype=np.int64)
    start = 0
    for metric in range(1, len(matrix)):
        new = bool(np.any(matrix[start:metric, metric] <= alpha))
        clusters[metric] = clusters[metric - 1] + new
        if new:
            start = metric
    return clusters


def wmt_clusters(family: Family, alpha: float = ALPHA) -> dict[str, int]:
    """Return the cluster of every metric as WMT prints them, best metric first: uncorrected, one-sided p-values.

    p is the share of the exchanges that favour the better metric as much as was observed; half of a two-sided p where
    nothing was exchanged. Ranks from corrected, two-sided tests are `ranks(family)`.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.trust import Judged, compare_metrics, wmt_clusters
    >>> rng = np.random.default_rng(1)
    >>> people = np.arange(9)[:, None] + 3 * rng.normal(size=(9, 60))
    >>> made = {"esa": people, "near": people + rng.normal(size=(9, 60)), "far": people + 9 * rng.normal(size=(9, 60))}
    >>> ratings = {name: mtsig.Rating(values, higher_is_better=True) for name, values in made.items()}
    >>> corpus = mtsig.Corpus.of(dict.fromkeys("ABCDEFGHI"), ratings=ratings)
    >>> judged = Judged.of(corpus, "rating:esa", ["rating:near", "rating:far"])
    >>> wmt_clusters(compare_metrics(judged, "spa", settings=mtsig.Settings(draws=200)))
    {'near': 1, 'far': 2}

    Raises:
        NotApplicable: the family does not hold all pairs.
    """
    expect(family, Family, "Give comparisons of all pairs of metrics, as compare_metrics(judged) makes them")
    statistics = family.statistics
    order = np.lexsort((np.array(statistics.systems), -statistics.scores))
    names = [statistics.systems[row] for row in order]
    p = np.zeros((len(names), len(names)))
    one_sided = _one_sided(family)
    for i, first in enumerate(names):
        for j in range(i + 1, len(names)):
            at = family.find(first, names[j])
            if at is None:
                raise NotApplicable("Clusters need the comparisons of all pairs of metrics.")
            p[i, j] = one_sided[at]
    return dict(zip(names, clusters_of(p, alpha).tolist(), strict=True))


def _one_sided(family: Family) -> Floats:
    if family.null is None:
        return np.asarray(family.p_value / 2)
    sign = np.where(family.difference < 0, -1.0, 1.0)
    null, observed = sign[:, None] * family.null, sign * family.difference
    extreme = count_extreme(null, observed, "greater")
    return np.asarray(extreme / null.shape[1])
