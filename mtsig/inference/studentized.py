"""Standard errors inside resamples: the second pass that studentized intervals and tests need."""

import numpy as np
from numpy.typing import NDArray

from mtsig._records import Floats
from mtsig.metrics import Statistics
from mtsig.resampling import Bootstrap

_HELD = 2**23
"""Numbers held at a time; changes nothing but the memory used."""


def resampled_errors(
    statistics: Statistics, scheme: Bootstrap, first: NDArray[np.int64], second: NDArray[np.int64]
) -> tuple[Floats, Floats]:
    """Return the infinitesimal jackknife's standard error in every resample: of scores (s, b) and of pairs (m, b).

    SE*_b = sqrt(n/(n − 1) Σ w_i u_i²), u_i = g_b·s_i − g_b·S_b/n, g_b the gradient at the resample's totals; for a
    pair the difference of the two u_i inside (docs/statistics/intervals.md, section 3). NaN where the score has no
    derivative.
    """
    n, s = statistics.n, len(statistics.systems)
    values = statistics.values.astype(np.float64)
    magnitudes = np.abs(values)
    scores, pairs = np.empty((s, scheme.n_draws)), np.empty((len(first), scheme.n_draws))
    together = max(1, _HELD // (s * n))
    totals_of = statistics.weighted()
    done = 0
    for block in scheme.blocks(n):
        for start in range(0, len(block), together):
            weights = block[start : start + together].astype(np.float64)
            totals = totals_of(weights)
            slopes = statistics.metric.gradient(totals)
            moved = np.stack([slopes[:, row].T @ values[:, row] for row in range(s)], axis=1)
            # What rounding leaves of no spread is none: (1e-8)² of the squares of what cancels.
            size = np.stack([np.abs(slopes[:, row].T) @ magnitudes[:, row] for row in range(s)], axis=1)
            floor = 1e-16 * np.einsum("bsn,bn->bs", np.square(size), weights)
            moved -= np.einsum("ksb,ksb->bs", slopes, totals)[:, :, None] / n
            moved *= np.sqrt(weights)[:, None, :]
            # Sums of products of all pairs of systems at once; a pair's variance is a combination of three of them.
            products = moved @ moved.transpose(0, 2, 1)
            own = np.einsum("bss->bs", products)
            gaps = own[:, first] + own[:, second] - 2 * products[:, first, second]
            gaps[gaps < floor[:, first] + floor[:, second]] = 0.0
            own[own < floor] = 0.0
            stop = done + len(weights)
            scores[:, done:stop] = np.sqrt(n / (n - 1) * own).T
            pairs[:, done:stop] = np.sqrt(n / (n - 1) * np.maximum(gaps, 0.0)).T
            done = stop
    return scores, pairs
