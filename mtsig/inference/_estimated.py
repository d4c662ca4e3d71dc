"""Families of comparisons by human ratings, for the same raters and for other raters like them.

The estimates and their standard errors are computed elsewhere; tests, corrections, adjusted intervals and verdicts are
those of every other family.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields

import numpy as np

from mtsig._probability import FEWEST_DF, FEWEST_DIFFERING, satterthwaite_rows, t_quantile
from mtsig._records import Floats, Index
from mtsig.corpus import Note
from mtsig.corpus._notes import MIN_DOCUMENTS, listed, number_of
from mtsig.inference import Family, Settings
from mtsig.inference._adjust import adjust
from mtsig.inference._family import Drawn
from mtsig.inference._significance import computed
from mtsig.inference._targets import Doubt
from mtsig.inference._tests import JackknifeT, jackknife_p
from mtsig.inference._verdict import verdict
from mtsig.metrics import SegmentMean, Statistics
from mtsig.metrics._statistics import as_values
from mtsig.resampling import Bootstrap

FEWEST_RATERS = FEWEST_DF + 1
"""Of equal load: fewer cannot stand for other raters."""


@dataclass(frozen=True)
class Estimated(SegmentMean):
    """Estimated scores of systems that are not computed from sums over segments."""

    label: str = ""
    better_when: bool = True
    decimals: int = 2
    needs_references = False

    @property
    def name(self) -> str:
        """Name of the score that is compared."""
        return self.label

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        """The direction of the scale."""
        return self.better_when


@dataclass(frozen=True, eq=False)
class RatedFamily(Family):
    """Comparisons that are valid for the raters in the data.

    others: the same comparisons with raters as a second random sample; None if rater ids are missing. no_others: why
    there is no result for other raters; empty if there is one. raters: number of raters.
    """

    others: Family | None = None
    no_others: str = ""
    raters: int = 0


def with_others(family: Family, others: Family | None, no_others: str, raters: int) -> RatedFamily:
    """Return a family together with the results for other raters."""
    held = {each.name: getattr(family, each.name) for each in fields(Family)}
    return RatedFamily(**held, others=others, no_others=no_others, raters=raters)


def raters_note(family: RatedFamily, verdicts: Family | None = None, of: str = "") -> Note:
    """Return for whom verdicts hold: for these raters, and whether for raters like these; a warning where not.

    verdicts: those that are told of; the family's own where it is None. of: what they are on, where that is to be said.
    """
    others, raters, begins = family.others, family.raters, f"Verdicts{f' on {of}' if of else ''} are for"
    these = "this rater" if raters == 1 else f"these {raters} raters"
    found = [(row.first, row.second) for row in (verdicts or family).by_score() if verdict(row).winner]
    if others is None:
        text = f"{begins} {these}. It is unknown whether they hold for other raters like these ({family.no_others})."
        return Note("note", text, about="raters")
    if not found:
        said = f"{begins} {these}: no difference is significant, so no verdict extends to other raters like these."
        return Note("note", said, about="raters")
    words = {pair: verdict(row).word for pair in found if (row := others.pair(*pair)) is not None}
    lost, open_ = (
        [f"{first} – {second}" for first, second in found if words.get((first, second), "withheld") == word]
        for word in ("not_significant", "withheld")
    )
    open_or_lost = [
        f"no difference {what}" if len(some) == len(found) > 1
        else f"{listed(some) if len(some) < 4 else f'{len(some)} of the {len(found)} differences'} {no}"
        for some, what, no in (
            (lost, "would be significant", "would not be significant"), (open_, "can be decided", "cannot be decided"),
        ) if some
    ]  # fmt: skip
    if not open_or_lost:
        text = f"{begins} {these}, and all of them also hold for other raters like these."
        return Note("note", text, about="raters")
    text = f"{begins} {these}; for other raters like these {' and '.join(open_or_lost)}."
    headline = "Other raters could decide otherwise" if lost else ""
    return Note("warning" if lost else "note", text, about="raters", headline=headline)


@dataclass(frozen=True, eq=False)
class Made:
    """What families of the same ratings share.

    scores: shape (s,), of the systems, as their scale has them. unit, units: what is drawn by chance, and how many of
    them every pair has, (m,). segments: of every pair, (m,). pairs: shape (m, 2), positions of systems.
    """

    label: str
    signature: str
    systems: Sequence[str]
    scores: Floats
    pairs: Index
    unit: str
    units: Sequence[int]
    segments: Sequence[int]
    settings: Settings
    higher_is_better: bool = True
    estimand: str = "how much higher is one system rated than the other?"
    decimals: int = 2
    widest: float = np.nan
    fewest: int = MIN_DOCUMENTS
    rated: bool = True
    notes: tuple[Note, ...] = ()
    metric: Estimated = field(init=False)

    def __post_init__(self) -> None:
        """Make the metric that stands for the estimates."""
        object.__setattr__(self, "metric", Estimated(self.label, self.higher_is_better, self.decimals))

    def family(
        self, difference: Floats, error: Floats, df: Floats, lacking: Sequence[str] | str = "",
        own: tuple[Floats, Floats, Floats] | None = None, interval: str | Sequence[str] = "jackknife",
    ) -> Family:  # fmt: skip
        """Return the corrected comparisons; positive differences favour the first system.

        error, df: of every pair, (m,). lacking: why a pair has no verdict whatever its p; "" where it may have one.
        own: p and the ends of intervals, where they are not those of t. interval: what they are made by.
        """
        settings = self.settings
        given = [lacking] * len(self.pairs) if isinstance(lacking, str) else lacking
        doubts = [
            Doubt(said, "data") if said else self._doubt(number, nu)
            for said, number, nu in zip(given, self.units, df.tolist(), strict=True)
        ]
        if own is None:
            half = t_quantile((1 + settings.level) / 2, df) * error
            p = jackknife_p(difference, error, df, settings.alternative)
            own = p, difference - half, difference + half
        p, low, high = own
        order = np.argsort(-self.scores if self.higher_is_better else self.scores, kind="stable")
        each = np.eye(len(self.scores))
        statistics = Statistics(
            self.metric, tuple(self.systems), as_values(np.stack([each * self.scores, each])), self.signature,
            available=each.astype(bool),
        )  # fmt: skip
        family = Family.of_outcome(
            [(self.systems[x], self.systems[y]) for x, y in self.pairs],
            JackknifeT(Bootstrap(settings.n_resamples, settings.seed)), computed(p), settings.bootstrap(),
            Drawn(statistics), notes=self.notes, metric=self.label, signature=self.signature, difference=difference,
            ci_low=low, ci_high=high, interval=interval, standard_error=error, df=df, units=[*self.units],
            segments=[*self.segments], n_differing=[*self.units], bootstrap_win_rate=np.nan, tie_rate=np.nan,
            documents=[float(number) for number in self.units] if self.unit == "document" else np.nan,
            level=settings.level, unit=self.unit, alternative=settings.alternative, estimand=self.estimand,
            decimals=self.decimals, widest=self.widest, higher_is_better=self.higher_is_better, rated=self.rated,
            order=tuple(self.systems[row] for row in order), data_caveat=[doubt.said for doubt in doubts],
            data_caveat_id=[doubt.of for doubt in doubts],
        )  # fmt: skip
        return adjust(family, "holm" if settings.correction == "auto" else settings.correction)

    def _doubt(self, units: int, df: float) -> Doubt:
        if units < self.fewest:
            return Doubt(f"only {number_of(units, self.unit)}, and at least {self.fewest} are needed", "few rated")
        if not df >= FEWEST_DF:
            return Doubt(
                f"{number_of(units, self.unit)} of unequal size are worth about {df + 1:.1f} of equal size, and at "
                f"least {FEWEST_DF + 1} are needed",
                "few rated",
            )
        return Doubt()


def all_pairs(systems: int) -> Index:
    """Return the positions of all pairs; shape (m, 2)."""
    return np.stack(np.triu_indices(systems, 1), axis=1)


def few_raters(raters: int, df: float) -> str:
    """Return why raters with so many degrees of freedom stand for no others; "" where they do."""
    # What rounding leaves of equal loads is no fraction of a rater.
    if round(df, 6) >= FEWEST_DF:
        return ""
    loads = "" if raters < FEWEST_RATERS else f", worth {df + 1:.1f} with equal shares of the work"
    return f"{number_of(raters, 'rater')}{loads}: at least {FEWEST_RATERS} are needed to generalise to other raters"


def df_of(sizes: Floats) -> Floats:
    """Return degrees of freedom by the sizes of clusters, shape (m, K) → (m,); 0 of one."""
    return np.where(np.count_nonzero(sizes > 0, axis=1) > 1, satterthwaite_rows(sizes), 0.0)


def df_by_decided(df: Floats, worth: Floats) -> Floats:
    """Return degrees of freedom, given those of all clusters and those by what is decided in each (`worth`).

    Clusters in which nothing is decided, or whose ratings weigh little, say little of a difference, but would count in
    full. If what decides gives fewer than 10, and fewer than half of that number, these are used, at least 1.
    """
    worth = np.round(worth, 6)
    return np.where(worth < np.minimum(FEWEST_DIFFERING, df / 2), np.maximum(worth, 1), df)
