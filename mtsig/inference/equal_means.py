"""Equal means: differences in several slices with their spread go in, a test whether they are the same comes out."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtsig._records import Floats
from mtsig.citations import Citations


@dataclass(frozen=True)
class EqualMeans:
    """A test of equal means: its name in results, how a methods paragraph says it, and what to cite for it."""

    name: str
    in_words: str
    cites: Citations

    @property
    def label(self) -> str:
        """Its name, as tables print it."""
        return self.name


HOTELLING = EqualMeans("Hotelling", "Hotelling's T²", ("hotelling-1931",))
WELCH = EqualMeans("Welch", "Welch's F", ("welch-1951",))
EQUAL_MEANS = {test.name: test for test in (HOTELLING, WELCH)}

_ROUNDING = 1e-6
"""Contrasts that vary by so small a share of what the largest does vary by rounding alone."""


def welch(differences: Floats, errors: Floats, df: Floats) -> tuple[float, float, float]:
    """Return Welch's F for equal means with its degrees of freedom; see `mtsig.inference.sliced.heterogeneity`.

    df: shape (J,), the degrees of freedom of each standard error.

    A slice in which the systems do not differ at all has no spread; then F cannot be told, and is NaN.
    """
    count = len(differences)
    df1 = count - 1.0
    if not np.all(errors > 0):
        same = bool(np.all(errors == 0) and np.ptp(differences) == 0)
        return (0.0 if same else float("nan")), df1, float("inf") if same else float("nan")
    weights = 1 / errors**2
    share = weights / weights.sum()
    q = float((weights * (differences - (share * differences).sum()) ** 2).sum())
    spread = float(((1 - share) ** 2 / df).sum())
    f = q / df1 / (1 + 2 * (count - 2) / (count**2 - 1) * spread)
    return f, df1, (count**2 - 1) / (3 * spread)


def hotelling(differences: Floats, moved: Floats, inside: NDArray[np.bool_], most: float) -> tuple[float, float, float]:
    """Return Hotelling's T² for equal means as F with its degrees of freedom, where units reach into several slices.

    With the jackknife's covariance matrix V of the J differences d and q = J − 1 contrasts C to the last
    slice, T² = (Cd)'(CVC')⁻¹(Cd) and F = T² (η − q + 1)/(η q) with df = q, η − q + 1. Units of one kind reach into the
    same slices. Scaled so that they sum up to the identity, the n_P units of kind P give the share S_P of CVC', and

        η = q(q + 1) / Σ_P (tr(S_P)² + tr(S_P²))/(n_P − 1)

    are the degrees of freedom of the Wishart matrix that varies as much (the approximate Hotelling test: Zhang 2012,
    Open Journal of Statistics 2; Pustejovsky and Tipton 2018, JBES 36). When all K units are of one kind, η = K − 1:
    the test is Hotelling's own. With two slices that share no unit it is Welch's t test. As if all units were of one
    kind, slices of 10, 10, 10, 10 and 60 documents, one of them in two, err in 12 of 100 at the level .05.

    Args:
        differences: shape (J,).
        moved: shape (J, K), what leaving out every unit does to the difference in every slice, 0 where it has no
            segment.
        inside: shape (J, K), whether it has any.
        most: η is at most this: the degrees of freedom of all units, which may be of unequal size.
    """
    df1 = len(differences) - 1.0
    units = inside.sum(axis=1, keepdims=True)
    if units.min() < 2:
        return float("nan"), df1, float("nan")
    scaled = moved * np.sqrt((units - 1) / units)
    contrasts = np.hstack([np.eye(len(differences) - 1), -np.ones((len(differences) - 1, 1))])
    gaps, shares = contrasts @ differences, contrasts @ scaled
    reach = np.linalg.svd(shares, compute_uv=False)
    if not reach[-1] > _ROUNDING * reach[0]:
        return float("nan"), df1, float("nan")
    root = np.linalg.cholesky(shares @ shares.T)
    eta = min(_wishart_df(np.linalg.solve(root, shares), inside), most)
    df2 = eta - df1 + 1
    if df2 < 1:
        return float("nan"), df1, df2
    return float(np.square(np.linalg.solve(root, gaps)).sum()) * df2 / (eta * df1), df1, df2


def _wishart_df(shares: Floats, inside: NDArray[np.bool_]) -> float:
    """Return η of `hotelling`; shares: shape (q, K), whose products with themselves sum up to the identity."""
    _, kinds = np.unique(inside.T, axis=0, return_inverse=True)
    spread = 0.0
    for kind in range(int(kinds.max()) + 1):
        own = shares[:, kinds.reshape(-1) == kind]
        square = own @ own.T
        # Of a kind with a single unit, that unit is all that is known of it.
        spread += float(np.trace(square) ** 2 + np.trace(square @ square)) / max(own.shape[1] - 1, 1)
    return len(shares) * (len(shares) + 1) / spread
