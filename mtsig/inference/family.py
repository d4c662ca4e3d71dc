"""Family: m comparisons judged together; the result of `compare` and `adjust`, and what a study holds of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from mtsig._records import Estimates, Floats, Record
from mtsig.corpus import Note, number_of, ranked_systems
from mtsig.errors import NotApplicable
from mtsig.inference.comparison import Comparison, FamilyHeader, FamilyHeading, PairColumns
from mtsig.inference.conclusions import ComparisonConclusions, conclusions
from mtsig.inference.probability import Tails
from mtsig.inference.registered import corrects
from mtsig.inference.significance import SignificanceTest, UnknownTest, filled, known_test
from mtsig.inference.verdict import verdict
from mtsig.metrics import Statistics, Unit
from mtsig.resampling import Bootstrap, resample


@dataclass(frozen=True, eq=False)
class Drawn:
    """What comparisons were made from, and only those have that were just made.

    null: shape (m, b), differences under the null from shared draws; None for tests without any. farthest: shape (b,),
    how many standard errors the farthest of the comparisons moved in each redraw: what simultaneous intervals are made
    of; None for others. tails: what is left of `null` where it is too large to be kept.
    """

    statistics: Statistics
    null: Floats | None = None
    farthest: Floats | None = None
    tails: Tails | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Family(PairColumns, Estimates[FamilyHeader, Comparison]):
    """m comparisons of pairs of systems under one metric.

    Its columns are those of `PairFields`: family.difference is an array of shape (m,), family.first a tuple. What is
    the same for all (metric, signature, level, unit, correction, family_size, order, …) is in the header.
    test: the test with its scheme. scheme: draws, seed and unit of the redraws behind intervals and win rates.
    drawn: what the comparisons were made from; None for those that a study kept.
    without: the same comparisons without a reference that a system is kin to, by its name (see
    `mtsig.metrics.ReferenceOverlap`).
    apart: systems that are set apart, each with the reason: they have text of a reference. They stand last in `order`.
    """

    called = "pair"
    of_header = FamilyHeader
    of_heading = FamilyHeading
    of_rows = Comparison
    of_derived = ComparisonConclusions

    test: SignificanceTest
    scheme: Bootstrap
    drawn: Drawn | None = None
    without: "Mapping[str, Family]" = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    apart: Mapping[str, str] = field(default_factory=dict)

    @property
    def order(self) -> tuple[str, ...]:
        """The systems that take part, best score first."""
        return self.header.order

    @property
    def complete(self) -> bool:
        """Whether all arrangements were enumerated."""
        return self.header.complete

    @property
    def rated(self) -> bool:
        """Whether the metric is a rating, which stands on the segments that have one."""
        return self.header.rated

    @property
    def higher_is_better(self) -> bool:
        """The direction of the metric; a difference is positive where the first is better, either way."""
        return self.header.higher_is_better

    @property
    def heading(self) -> FamilyHeading:
        """The header as a file holds it."""
        return FamilyHeading(**vars(self.header), n_resamples=self.test.scheme.n_draws, seed=self.test.scheme.seed)

    @property
    def derived(self) -> tuple[ComparisonConclusions, ...]:
        """The verdicts, and what such test sets would find."""
        return tuple(map(conclusions, self))

    @classmethod
    def of_written(cls, heading: FamilyHeading, columns: Mapping[str, Any], derived: Sequence[Record]) -> "Family":
        """Return the comparisons that a file holds; of a test that is not known here with what the file concludes."""
        own = {name: value for name, value in vars(heading).items() if name not in ("n_resamples", "seed")}
        # Where sets have different units averages were drawn from none of them, but by the jackknife.
        unit: Unit = "segment" if heading.unit == "segment" else "block" if heading.unit == "block" else "document"
        size = len(columns["first"])
        family = cls(
            **cls.columns(size, **own, **columns),
            test=_recorded(heading, unit),
            scheme=Bootstrap(heading.n_resamples, heading.seed, unit),
        )
        for row, said in zip(family, derived if isinstance(family.test, UnknownTest) else (), strict=False):
            row.__dict__["_conclusions"] = said
        return family

    @property
    def ranked_systems(self) -> tuple[str, ...]:
        """The systems that can be called the best, best score first."""
        return ranked_systems(self.order, self.apart)

    def __repr__(self) -> str:
        """Return what was compared, in one line."""
        compared = f"{number_of(len(self), 'comparison')} by {self.test.name}"
        return f"<Family in {self.metric}: {compared}, correction {self.correction}>"

    def __getitem__(self, i: int) -> Comparison:
        """Return comparison number `i`."""
        return self.records[i]

    def with_default(self, default: "Family") -> "Family":
        """Return the family with what the default test says of the same pairs; none beside itself."""
        if (self.test.name, self.unit) == (default.test.name, default.unit):
            return self
        said = [default.pair(first, second) for first, second in zip(self.first, self.second, strict=True)]
        decided = [None if other is None else verdict(other) for other in said]
        return self.changed(
            default_verdict=[None if each is None else each.word for each in decided],
            default_winner=[None if each is None else each.winner for each in decided],
        )

    @property
    def level(self) -> float:
        """Coverage of the intervals."""
        return self.header.level

    @property
    def correction(self) -> str:
        """The name of the correction."""
        return self.header.correction

    @property
    def corrected(self) -> bool:
        """Whether its correction does anything about the number of comparisons."""
        return corrects(self.header.correction)

    @property
    def family_size(self) -> int:
        """How many comparisons were judged together; more than m when several metrics are joined."""
        return self.header.family_size

    @property
    def statistics(self) -> Statistics:
        """The statistics that the comparisons were made from.

        Raises:
            NotApplicable: they were kept in a study, which has no statistics.
        """
        if self.drawn is None:
            raise NotApplicable(
                "These comparisons were read from a study, which keeps no statistics: measure the data."
            )
        return self.drawn.statistics

    @property
    def null(self) -> Floats | None:
        """Differences under the null from shared draws, shape (m, b); None for tests without any, and in a study."""
        return None if self.drawn is None else self.drawn.null

    @property
    def farthest(self) -> Floats | None:
        """How far the farthest comparison moved in each redraw, shape (b,); None where nothing needs it."""
        return None if self.drawn is None else self.drawn.farthest

    @property
    def tails(self) -> Tails | None:
        """The farthest draws under the null, as many as alpha asks for; None where there are no draws."""
        if self.null is None:
            return None if self.drawn is None else self.drawn.tails
        return Tails.of(self.null, self.difference, self.test.alternative, self.complete, self.alpha)

    @property
    def alpha(self) -> float:
        """The error rate that belongs to the level."""
        return 1 - self.level

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that take part, in the order of the corpus."""
        return tuple(name for name in self.statistics.systems if name in self.order)

    @property
    def unit(self) -> str:
        """What was drawn as a whole: segment or document."""
        return self.header.unit

    def find(self, first: str, second: str) -> int | None:
        """Return the number of the comparison of these two, in either order; None when there is none."""
        for i, pair in enumerate(zip(self.first, self.second, strict=True)):
            if pair in ((first, second), (second, first)):
                return i
        return None

    def pair(self, first: str, second: str) -> Comparison | None:
        """Return the comparison of these two, in either order; None when there is none."""
        at = self.find(first, second)
        return None if at is None else self[at]

    def turned(self, i: int) -> "Family":
        """Return the family with comparison `i` seen from the other side: signs change, p-values do not.

        Raises:
            NotApplicable: the test is one-sided: its direction was declared, and there is no other side.
        """
        if self.test.alternative != "two-sided":
            raise NotApplicable(
                f"The test of {self.first[i]} against {self.second[i]} is one-sided: its direction was declared "
                "beforehand and cannot be turned."
            )
        drawn = self.drawn
        if drawn is not None and drawn.null is not None:
            sign = np.where(np.arange(len(self)) == i, -1.0, 1.0)
            drawn = replace(drawn, null=sign[:, None] * drawn.null)
        rows = [record.turned if j == i else record for j, record in enumerate(self.records)]
        return replace(self.with_rows(rows), drawn=drawn)

    def by_score(self, order: Sequence[str] = ()) -> "Family":
        """Return the comparisons as people read them: by score, of all pairs the better-scoring system first.

        order: systems that come before the others, in this order, such as that of averages over several sets. Chosen
        pairs and one-sided tests have sides of their own, and keep them. The draws under the null stay behind.
        """
        place = {name: number for number, name in enumerate(dict.fromkeys([*order, *self.order]))}
        systems = len(self.order)
        whole = len(self) == systems * (systems - 1) // 2 > 1 and self.test.alternative == "two-sided"
        turned = (whole and place[comparison.first] > place[comparison.second] for comparison in self)
        records = [comparison.turned if turn else comparison for comparison, turn in zip(self, turned, strict=True)]
        records.sort(key=lambda record: (place[record.first], place[record.second]))
        drawn = None if self.drawn is None else Drawn(self.drawn.statistics)
        return replace(self.with_rows(records), drawn=drawn)

    def resampled(self, i: int) -> Floats:
        """Return the bootstrap differences of comparison `i`, from the family's own draws; shape (b,)."""
        pair = self.statistics.shared_by([self.first[i], self.second[i]])
        first, zero = np.array([0]), np.array([1])
        return np.asarray(resample(pair, self.scheme).differences(first, zero)[0])

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per comparison, with the verdict."""
        return [row_of(comparison) for comparison in self]


def _recorded(heading: FamilyHeading, unit: Unit) -> SignificanceTest:
    """Return the test by which a family in a file was judged; of one that is not known here what the file says."""
    test = known_test(heading.test)
    if isinstance(test, UnknownTest):
        anticonservative_reason = "" if heading.controls_type1 else "it errs more often than it says"
        test = replace(test, estimand=heading.estimand, anticonservative_reason=anticonservative_reason)
    return filled(test, heading.n_resamples, heading.seed, unit, heading.alternative)


def row_of(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison with its conclusions as one flat record."""
    return {**comparison.row(), **conclusions(comparison).row()}
