"""Results as a study keeps them: rows of plain values go in, the results themselves come out, without their draws."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtsig.corpus import Note
from mtsig.inference import Comparison, Equivalence, Intervals, Ranks, SignificanceTest, comparison_row
from mtsig.notebook import Shown
from mtsig.resampling import Bootstrap

Row = Mapping[str, Any]


@dataclass(frozen=True)
class RecordedFamily(Shown):
    """Comparisons judged together, as plain numbers; see `Family` for what they mean."""

    test: SignificanceTest
    metric: str
    signature: str
    level: float
    complete: bool
    plan: Bootstrap
    correction: str
    judged: int
    unit: str
    order: tuple[str, ...]
    comparisons: tuple[Comparison, ...]
    by_segment: "RecordedFamily | None" = None
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        """Return what was compared, in one line."""
        found = f"{len(self)} comparison{'' if len(self) == 1 else 's'} by {self.test.name}"
        return f"<RecordedFamily in {self.metric}: {found}, correction {self.correction}>"

    @property
    def alpha(self) -> float:
        """The error rate that belongs to the level."""
        return 1 - self.level

    @property
    def units(self) -> NDArray[np.int64]:
        """How many units each comparison stands on; shape (m,)."""
        return np.array([one.units for one in self.comparisons], dtype=np.int64)

    def __len__(self) -> int:
        """Return the number of comparisons."""
        return len(self.comparisons)

    def __iter__(self) -> Iterator[Comparison]:
        """Go through the comparisons."""
        return iter(self.comparisons)

    def __getitem__(self, i: int) -> Comparison:
        """Return comparison number `i`."""
        return self.comparisons[i]

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per comparison."""
        return [comparison_row(one, self.signature) for one in self]


def number(value: float | None) -> float:
    """Return a number as JSON keeps it: null stands for one that is not there."""
    return float("nan") if value is None else float(value)


def comparison_of(
    row: Row, about: Row, test: SignificanceTest, level: float, by_segment: Comparison | None = None
) -> Comparison:
    """Return the comparison of a row; `about` holds what its metric says of all of them."""
    return Comparison(
        metric=row["metric"],
        first=row["first"],
        second=row["second"],
        difference=number(row["difference"]),
        low=number(row["low"]),
        high=number(row["high"]),
        interval=row["interval"],
        error=number(row["error"]),
        df=number(row.get("df", row["units"] - 1)),
        p_value=number(row["p_value"]),
        p_low=number(row["p_low"]),
        p_high=number(row["p_high"]),
        p_adjusted=number(row["p_adjusted"]),
        adjusted_low=number(row["adjusted_low"]),
        adjusted_high=number(row["adjusted_high"]),
        p_jackknife=row.get("p_jackknife"),
        exact=row["exact"],
        units=row["units"],
        segments=row["segments"],
        differing=row["differing"],
        wins=number(row["win_rate"]),
        ties=number(row["tie_rate"]),
        level=level,
        test=test.name,
        correction=about["correction"],
        of=row["of"],
        unit=about["unit"],
        alternative=test.alternative,
        estimand=test.estimand,
        by_segment=by_segment,
        judges=about["judges"],
        keeps_level=test.keeps_level,
        decimals=about["decimals"],
        doubt=row.get("doubt", ""),
    )


def intervals_of(rows: Sequence[Row], about: Row, level: float, by_segment: Intervals | None = None) -> Intervals:
    """Return the intervals of a metric's rows."""
    return Intervals(
        about["metric"],
        about["signature"],
        tuple(row["system"] for row in rows),
        np.array([number(row["score"]) for row in rows]),
        np.array([number(row["low"]) for row in rows]),
        np.array([number(row["high"]) for row in rows]),
        level,
        tuple(row["interval"] for row in rows),
        about["score_unit"],
        np.array([row["units"] for row in rows], dtype=np.int64),
        np.array([row["segments"] for row in rows], dtype=np.int64),
        about["higher_is_better"],
        by_segment=by_segment,
        decimals=about["decimals"],
    )


def ranks_of(rows: Sequence[Row], about: Row, level: float) -> Ranks | None:
    """Return the ranks of a metric's rows; None when there are none."""
    if not rows or about["ranked"] is None:
        return None
    return Ranks(
        about["metric"],
        tuple(row["system"] for row in rows),
        np.array([number(row["score"]) for row in rows]),
        np.array([row["rank_low"] for row in rows], dtype=np.int64),
        np.array([row["rank_high"] for row in rows], dtype=np.int64),
        np.array([row["cluster"] for row in rows], dtype=np.int64),
        np.array([number(row["best_share"]) for row in rows]),
        level,
        about["correction"],
        about["judged"],
        about["ranked"]["units"],
        about["ranked"]["shared"],
        about["decimals"],
    )


@dataclass(frozen=True)
class MarginResult:
    """Equivalence or non-inferiority of one pair, corrected by Holm for the pairs of its metric and margin."""

    metric: str
    first: str
    second: str
    found: Equivalence
    p_adjusted: float
    of: int
    decimals: int = 2

    @property
    def shown(self) -> bool | None:
        """Whether it is shown at alpha, after correction; None where that is undecided."""
        return None if self.found.reason else self.p_adjusted <= self.found.alpha

    def row(self) -> dict[str, Any]:
        """Return it as one record."""
        return {
            "metric": self.metric, "first": self.first, "second": self.second, **vars(self.found),
            "p_adjusted": self.p_adjusted, "of": self.of, "shown": self.shown,
        }  # fmt: skip

    @classmethod
    def of_row(cls, row: Row, decimals: int) -> "MarginResult":
        """Return the result of a record; `decimals` are its metric's."""
        numbers = {name: number(row[name]) for name in ("margin", "difference", "low", "high", "p_value", "alpha")}
        # Studies from before reasons were kept have none.
        found = Equivalence(row["kind"], **numbers, reason=row.get("reason", ""))
        p = number(row["p_adjusted"])
        return cls(row["metric"], row["first"], row["second"], found, p, row["of"], decimals)
