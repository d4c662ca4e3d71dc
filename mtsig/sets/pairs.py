"""A pair over sets: statistics of every set go in; its differences, what each unit moves, and averages come out."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mtsig.arrays import Floats
from mtsig.errors import MtsigError
from mtsig.inference.degrees import FEWEST_DF, satterthwaite_df
from mtsig.inference.distributions import f_above
from mtsig.inference.equal_means import hotelling, welch
from mtsig.inference.sliced import Heterogeneity, within_slice
from mtsig.inference.targets import Pairs
from mtsig.resampling import sign_of
from mtsig.sets.collection import SetStatistics
from mtsig.sets.units import SharedUnits, joined
from mtsig.slices import Slice


@dataclass(frozen=True, eq=False)
class PairOverSets:
    """The differences of one pair in the J sets that have both systems, and what leaving out each of K units does.

    names: the sets. differences, errors, df, segments: shape (J,), of the jackknife in each set. moved: shape (J, K),
    d_j without unit u minus d_j, 0 where set j has no such unit; sizes: shape (J, K), segments of unit u in set j.
    """

    first: str
    second: str
    names: tuple[str, ...]
    differences: Floats
    errors: Floats
    df: Floats
    segments: NDArray[np.int64]
    moved: Floats
    sizes: Floats

    @property
    def inside(self) -> NDArray[np.bool_]:
        """Which set has which unit; shape (J, K)."""
        return self.sizes > 0

    @cached_property
    def scaled(self) -> Floats:
        """What each unit moves, times √((K_j − 1)/K_j); shape (J, K). Its products with itself are V."""
        units = self.inside.sum(axis=1, keepdims=True)
        return np.asarray(self.moved * np.sqrt((units - 1) / units))

    @property
    def covariance(self) -> Floats:
        """V: the jackknife's covariance matrix of the differences; shape (J, J)."""
        return np.asarray(self.scaled @ self.scaled.T)

    @cached_property
    def blocks(self) -> list[list[int]]:
        """The sets in blocks that share no unit."""
        return joined([np.flatnonzero(row) for row in self.inside])

    @property
    def shares_units(self) -> bool:
        """Whether any unit is in two sets."""
        return len(self.blocks) < len(self.names)

    @property
    def n_differing(self) -> int:
        """How many units move any of the differences."""
        return int(np.count_nonzero(np.any(self.moved != 0, axis=0)))


def pair_over_sets(
    statistics: SetStatistics, units: SharedUnits, first: str, second: str, names: Sequence[str]
) -> PairOverSets:
    """Return a pair over the named sets, which have both systems.

    Raises:
        NotApplicable: a set has no two units that both systems have; the message names it.
    """
    parts: list[tuple[Pairs, NDArray[np.int64]]] = []
    errors: list[float] = []
    for name in names:
        one = statistics.of[name]
        whole = Slice(name, np.ones(one.values.shape[-1], dtype=bool))
        try:
            targets, own = within_slice(one, whole, first, second, units.kinds[name])
            errors.append(targets.standard_error[0])  # which needs two units
        except MtsigError as error:
            raise type(error)(f"{name}: {error}") from None
        parts.append((targets, units.of[name][own]))
    known, place = np.unique(np.concatenate([own for _, own in parts]), return_inverse=True)
    moved, sizes = np.zeros((len(parts), len(known))), np.zeros((len(parts), len(known)))
    ends = np.cumsum([len(own) for _, own in parts])[:-1]
    for j, ((targets, _), at) in enumerate(zip(parts, np.split(place.reshape(-1), ends), strict=True)):
        left_out = targets.scores.moved
        # What is the same in both systems but for rounding is the same.
        moved[j, at] = sign_of(targets.statistics.metric) * (left_out[0] - left_out[1]) if errors[j] != 0 else 0.0
        sizes[j, at] = 1.0 if targets.statistics.sizes is None else targets.statistics.sizes
    return PairOverSets(
        first,
        second,
        tuple(names),
        differences=np.array([targets.estimate[0] for targets, _ in parts]),
        errors=np.array(errors),
        df=np.array([targets.df[0] for targets, _ in parts]),
        segments=np.array([targets.segments[0] for targets, _ in parts]),
        moved=moved,
        sizes=sizes,
    )


def average(pair: PairOverSets, weights: Floats) -> tuple[float, float, float]:
    """Return the weighted mean of the differences, its standard error and its degrees of freedom.

    d̄ = Σ w_j d_j. Unit u is left out of every set that has it: c_u = Σ_j w_j √((K_j − 1)/K_j)(d_j(−u) − d_j) and
    SE² = Σ_u c_u². Sets that share units, if through others, are a block g with v_g = Σ_{u ∈ g} c_u², ν_g of
    `satterthwaite_df` for units of Σ_{j ∈ g} w_j m_ju/M_j; ν = (Σ v_g)²/Σ v_g²/ν_g (SETS.md, section 2). One set alone
    has its own SE and ν, sets without a common unit √(Σ w_j² SE_j²).

    Args:
        pair: the pair over J sets.
        weights: shape (J,), not negative, that sum to 1.
    """
    variances, df = [], []
    for block in pair.blocks:
        w = weights[block]
        if len(block) == 1:
            variances.append(float(np.square(w[0] * pair.errors[block[0]])))
            df.append(float(pair.df[block[0]]))
            continue
        own = np.any(pair.inside[block], axis=0)
        variances.append(float(np.square(w @ pair.scaled[block][:, own]).sum()))
        share = pair.sizes[block] / pair.sizes[block].sum(axis=1, keepdims=True)
        df.append(satterthwaite_df((w @ share)[own]))
    v = np.array(variances)
    total = float(v.sum())
    # Without any spread every unit counts alike.
    spread = float((np.square(v) / df).sum())
    nu = df[0] if len(v) == 1 else total**2 / spread if spread > 0 else float(np.sum(df))
    return float(weights @ pair.differences), float(np.sqrt(total)), nu


def independent_error(pair: PairOverSets, weights: Floats) -> float:
    """Return what the standard error would be if no unit were shared: √(Σ w_j² SE_j²)."""
    return float(np.sqrt(np.square(weights * pair.errors).sum()))


def heterogeneity(pair: PairOverSets) -> Heterogeneity:
    """Return whether the difference is the same in all sets: Welch's F, Hotelling's where sets share units.

    See `mtsig.inference.sliced.heterogeneity`. Without a test `method` says why.
    """
    count = len(pair.names)
    f, df1, df2 = float("nan"), count - 1.0, float("nan")
    if count < 2:
        method = "one set alone has nothing to differ from"
    elif pair.df.min() < FEWEST_DF:
        method = (
            f"the units of {pair.names[int(pair.df.argmin())]} are too few or too unequal to judge their own spread"
        )
    elif np.isnan(pair.errors).any():
        method = f"no derivative in {pair.names[int(np.isnan(pair.errors).argmax())]}"
    elif pair.shares_units:
        f, df1, df2 = hotelling(pair.differences, pair.moved, pair.inside, satterthwaite_df(pair.sizes.sum(axis=0)))
        method = "Hotelling" if np.isfinite(f) else "the sets move together too closely to be told apart"
    else:
        f, df1, df2 = welch(pair.differences, pair.errors, pair.df)
        method = "Welch" if np.isfinite(f) else "the systems do not vary against each other in some set"
    p = float(f_above(f, df1, df2)) if np.isfinite(f) else float("nan")
    return Heterogeneity(pair.first, pair.second, tuple(pair.differences.tolist()), f, df1, df2, p, p, method)
