"""Raw and by judge: systems as judges rated them, and from values that were standardised by judge.

See docs/statistics/trust.md, section 8.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from mtsig.arrays import Floats
from mtsig.corpus import Judgements
from mtsig.records import Number, Record, about
from mtsig.results import Result
from mtsig.trust.judge_levels import standardised
from mtsig.trust.statistic import TauB


@dataclass(frozen=True)
class OnBothScales(Record):
    """One system's mean over judgements, raw and from values standardised by judge."""

    system: Annotated[str, about("The system.")]
    raw: Annotated[Number, about("Mean of the values that judges gave it; null where none did.")]
    standardised: Annotated[Number, about("Mean of (x − mean)/SD of each value's judge; null without such a value.")]


@dataclass(frozen=True, eq=False)
class BothScales(Result):
    """The systems on both scales.

    tau: Kendall's τ_b of the two orders, NaN where one of them ties all. left_out: judges whose values cannot be
    standardised: they gave too few, or always the same.
    """

    systems: tuple[OnBothScales, ...]
    tau: float
    left_out: tuple[str, ...]

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per system."""
        return [system.row() for system in self.systems]


def both_scales(judgements: Judgements, names: Sequence[str]) -> BothScales:
    """Return the systems' means of raw values and of those standardised by judge, and how alike the two orders are.

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.trust import both_scales
    >>> rng = np.random.default_rng(1)
    >>> true = np.arange(3)[:, None] + rng.normal(size=(3, 40))
    >>> given = {name: true + shift + rng.normal(size=(3, 40)) for name, shift in (("Ann", 0), ("Bo", 1))}
    >>> both_scales(Judgements.of(given), ["A", "B", "C"]).tau
    1.0

    Args:
        judgements: who gave which value.
        names: of all systems, by position.
    """
    by_judge = standardised(judgements)
    raw, z = (_means(values, len(names)) for values in (judgements, by_judge.judgements))
    order = TauB()
    tau = float(order.ratio(order.terms(raw[:, None], z[:, None]).sum(axis=1))[0])
    rows = (OnBothScales(*row) for row in zip(names, raw.tolist(), z.tolist(), strict=True))
    return BothScales(tuple(rows), tau, by_judge.left_out)


def _means(judgements: Judgements, systems: int) -> Floats:
    total, count = (np.bincount(judgements.system, weights, minlength=systems) for weights in (judgements.value, None))
    return np.asarray(np.divide(total, count, out=np.full(systems, np.nan), where=count > 0))
