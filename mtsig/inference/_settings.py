"""Settings: all choices of an analysis, defined once for flags, forms and reports."""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias, TypedDict

import numpy as np

from mtsig._options import check, option, options
from mtsig._probability import Alternative, needed_draws
from mtsig._results import Public
from mtsig.corpus import Note
from mtsig.errors import InvalidOption, NotApplicable, expect, find
from mtsig.inference import _adjust
from mtsig.inference._adjust import Tested, adjust, adjust_together, family_of, hold_together, prepared, tested
from mtsig.inference._corrections import CORRECTIONS, Correction, Holm, corrects
from mtsig.inference._family import Family, as_judged, concerned, counted_without, doubted, pairs_with_kin
from mtsig.inference._intervals import INTERVALS, IntervalMethod, Intervals, interval
from mtsig.inference._significance import AUTO, DEFAULTS, SignificanceTest
from mtsig.inference._targets import PairChoice, Scores, Whole, pairs_of
from mtsig.inference._tests import TESTS, JackknifeT, filled
from mtsig.metrics import Statistics, labels_of
from mtsig.metrics._statistics import Unit
from mtsig.resampling import Bootstrap as Bootstrap  # shown by the face
from mtsig.resampling import Distribution, resample_together

_Without: TypeAlias = Mapping[str, Sequence[Mapping[str, Statistics]]]
"""By reference, for every metric: its statistics without that reference, by how that is said (see `kin`)."""


Joined: TypeAlias = bool | Literal["parts"]
"""Whether all metrics, or all subsets of one test set, are corrected as one family."""


@dataclass
class Kept:
    """Draws kept for some comparisons, so that another correction, level or interval needs no new draws.

    It belongs to one choice of statistics and pairs; `Settings.families` fills and reuses it. settings: the settings of
    the draws. tested: results of each test. redrawn: the bootstrap distributions, which other tests share.
    default: the same for the default test, next to a test chosen by name.
    """

    settings: "Settings | None" = None
    tested: dict[Hashable, list[Tested]] = field(default_factory=dict)
    redrawn: Mapping[Hashable, list[Distribution]] = field(default_factory=dict)
    default: "Kept | None" = None

    def of(self, settings: "Settings") -> "Kept":
        """Return this object if its draws were made with these settings."""
        if self.settings not in (None, settings.drawing):
            raise ValueError("the stored resamples were drawn with other settings")
        self.settings = settings.drawing
        return self

    def once(self, key: Hashable, make: Callable[[], list[Tested]]) -> list[Tested]:
        """Return the results stored under the key; compute them first if there are none."""
        if key not in self.tested:
            self.tested[key] = make()
        return self.tested[key]


MOST_DRAWS, MOST_DRAWN = 200_000, 2**24
"""A family that needs more joint draws, or more drawn differences, is judged by Holm on the jackknife's p."""


def _how_many(names: Collection[str], choice: PairChoice) -> int:
    """Return how many pairs of these systems a choice has, at most."""
    systems = len(names)
    if choice == "all" and "all" not in names:
        return systems * (systems - 1) // 2
    return systems - 1 if isinstance(choice, str) else len(choice)


def _name_in(table: Mapping[str, object], choice: object, kind: str) -> object:
    """Return the name that a method has in its table; what is no method is left for the check of options."""
    if not isinstance(choice, SignificanceTest | IntervalMethod | Correction):
        return choice
    name = next((name for name, method in table.items() if method is choice or method == choice), None)
    if name is None:
        tables = f"mtsig.inference.{kind.upper()}S"
        raise InvalidOption(
            f"{kind} needs a method of {tables}, because study files refer to methods by name. Found "
            f"{type(choice).__name__}, which is not in it or has other options. Add it under a new name, and give that "
            "name. Give resamples, seed, unit and alternative as settings, not as options of the method."
        )
    return name


class NamedSettings(TypedDict, total=False):
    """The fields of `Settings` as keyword arguments."""

    test: str | SignificanceTest
    interval: str | IntervalMethod
    correction: str | Correction
    alternative: Alternative
    level: float
    n_resamples: int
    seed: int
    unit: Unit


@dataclass(frozen=True)
class Settings(Public):
    """Choose test, interval, correction, level, resamples, seed and unit.

    Methods are given by their names in `mtsig.inference.TESTS`, INTERVALS and CORRECTIONS, so that a study can be
    written to a file. If a method object from one of these tables is given, its name is kept instead.

    Parameters
    ----------
    test, interval, correction : str, default "auto"
        Methods to compare two systems, to compute confidence intervals, and to correct p-values for the number of
        comparisons. The meaning of "auto" depends on the sampling unit; see Notes.
    alternative : {"two-sided", "greater", "less"}
        "greater" tests whether the first system is better. One-sided tests need a direction that is fixed in advance.
    level : float, default 0.95
        Coverage of the intervals; 1 − level is α, the error rate of tests.
    n_resamples : int, default 10,000
        Number of resamples, or of random swaps.
    seed : int, default 12345
        The same seed gives the same numbers.
    unit : {"auto", "segment", "block", "document"}
        The sampling unit. "auto" is documents if there are at least ten. Without document ids, "auto" is blocks of
        consecutive segments if neighbouring segments are correlated, and segments otherwise.

    Raises
    ------
    InvalidOption
        A value is out of range, or there is no method of that name.

    Notes
    -----
    The meaning of "auto" is:

    1. Test: the jackknife t-test over documents and blocks, approximate randomization over segments.
    2. Interval: the jackknife.
    3. Correction: Holm's method over documents and blocks, step-down min-P over segments.

    `settings.intervals(statistics)` gives scores with intervals, and `settings.family(statistics)` gives corrected
    comparisons. `mtsig.inference.METHODS` has named settings for the analyses of Koehn (2004), sacreBLEU and WMT.

    Examples
    --------
    >>> import mtsig
    >>> settings = mtsig.Settings(test="ar", correction="holm", n_resamples=500, unit="segment")
    >>> family = settings.family(mtsig.measure(mtsig.read_sample(), "bleu"))
    >>> len(family), family[0].test, family[0].correction
    (10, 'ar', 'holm')

    The same settings for a study:

    >>> study = mtsig.compare(mtsig.read_sample(), "bleu", baseline="direct", settings=settings)
    >>> study.settings.test, study.settings.correction, len(study.comparisons)
    ('ar', 'holm', 4)
    """

    test: str = option(
        AUTO,
        "Test",
        "Significance test. The default is a jackknife t test over documents, and randomization over segments.",
        choices=lambda: (AUTO, *TESTS),
    )
    interval: str = option(
        AUTO,
        "Interval",
        "Method of the confidence intervals. The default is the jackknife.",
        choices=lambda: (AUTO, *INTERVALS),
    )
    correction: str = option(
        AUTO,
        "Correction",
        "Correction for many comparisons. The default is Holm's correction for documents, and min-P for segments.",
        choices=lambda: (AUTO, *CORRECTIONS),
    )
    alternative: Alternative = option(
        "two-sided",
        "Alternative",
        "Alternative hypothesis. A one-sided test (greater: first system better) needs a direction fixed in advance.",
        advanced=True,
    )
    level: float = option(0.95, "Confidence", "Confidence level; tests use α = 1 − level.", low=0.5, high=0.9999)
    n_resamples: int = option(10_000, "Resamples", "Number of resamples.", low=10, high=10_000_000, advanced=True)
    seed: int = option(
        12345, "Seed", "Random seed; the same seed gives identical results.", low=0, high=2**53 - 1, advanced=True
    )
    unit: Unit = option(
        "auto",
        "Unit",
        "Sampling unit. The default is documents if there are at least 10, else segments. If there are no document ids "
        "and neighbouring segments are correlated, it is blocks of consecutive segments.",
        advanced=True,
    )

    def __post_init__(self) -> None:
        """Take the names of methods that are given themselves, and check the options."""
        tables: dict[str, Mapping[str, object]] = {"test": TESTS, "interval": INTERVALS, "correction": CORRECTIONS}
        for name, table in tables.items():
            object.__setattr__(self, name, _name_in(table, getattr(self, name), name))
        check(self)

    @classmethod
    def of(cls, settings: "Settings | None", named: Mapping[str, Any]) -> "Settings":
        """Return settings with these fields replaced; None leaves a field unchanged."""
        expect(settings, Settings | None, "settings is a mtsig.Settings")
        # Numbers of numpy are numbers of Python.
        given = {name: value.item() if isinstance(value, np.generic) else value for name, value in named.items()}
        return replace(settings or cls(), **{name: value for name, value in given.items() if value is not None})

    @property
    def drawing(self) -> "Settings":
        """The settings that determine the resamples, with defaults for all others."""
        plain = Settings()
        return replace(self, correction=plain.correction, level=plain.level, interval=plain.interval)

    @property
    def scoring(self) -> "Settings":
        """The settings, with defaults for fields that do not change intervals of scores.

        They are the correction, the direction and the test, except that a test chosen by name is noted (see `at`).
        """
        plain = Settings()
        test = AUTO if self.test == AUTO else next(iter(TESTS))
        return replace(self, test=test, correction=plain.correction, alternative=plain.alternative)

    @property
    def corrected(self) -> bool:
        """Whether the correction accounts for the number of comparisons."""
        return corrects(self.correction)

    @property
    def redraws(self) -> bool:
        """Whether intervals use resamples if the units are segments or documents."""
        return any(INTERVALS[self.resolved(unit).interval].redraws for unit in DEFAULTS)

    def at(self, statistics: Statistics) -> Statistics:
        """Return the statistics with the sampling unit of the analysis.

        If documents are unknown, a test chosen by name uses segments, since its published results do.
        """
        return statistics.at(self.unit, by_order=self.by_order)

    @property
    def by_order(self) -> bool:
        """Whether the unit may be blocks of segments if neighbours are correlated."""
        interval = INTERVALS.get(self.interval)
        return self.test == AUTO and (interval is None or not interval.segment_only)

    def bootstrap(self) -> Bootstrap:
        """Return the resampling scheme of the intervals."""
        return Bootstrap(self.n_resamples, self.seed, self.unit)

    def resolved(self, unit: str) -> "Settings":
        """Return the settings with "auto" replaced by methods for this unit."""
        default = find(DEFAULTS, unit, "unit")
        return replace(
            self,
            test=default.test if self.test == AUTO else self.test,
            interval=default.interval if self.interval == AUTO else self.interval,
            correction=default.correction if self.correction == AUTO else self.correction,
        )

    def unused(self, unit: str) -> dict[str, str]:
        """Return the settings that this test ignores, and what is used instead.

        Examples
        --------
        >>> from mtsig import Settings
        >>> Settings(test="sacrebleu-bs").unused("segment")["n_resamples"]
        "not used: sacreBLEU's paired bootstrap takes 1,000 resamples"
        """
        test = TESTS[self.resolved(unit).test]
        said = {}
        if test.segment_only and test.printed_only:
            name = test.short_label or test.label
            said["n_resamples"] = f"not used: {name} takes {test.scheme.n_draws:,} resamples"
        if test.segment_only:
            said["unit"] = "not used: this test is over segments"
        if test.by_wins:
            said["correction"] = "not used: Koehn's criterion has no p-value to correct"
        return said

    def chosen_test(self, unit: str) -> SignificanceTest:
        """Return the test with its scheme filled in; `unit` is segment or document."""
        test = TESTS[self.resolved(unit).test]
        # sacreBLEU's own numbers come with its own number of draws.
        draws = test.scheme.n_draws if test.segment_only and test.printed_only else self.n_resamples
        drawn: Unit = "segment" if test.segment_only else self.unit
        return filled(test, draws, self.seed, drawn, self.alternative)

    def intervals(self, statistics: Statistics) -> Intervals:
        """Return the score of every system with an interval."""
        return interval(self.at(statistics), self.interval, self.level, self.bootstrap())

    def refuse_many(self, names: Collection[str], pairs: PairChoice) -> None:
        """Raise NotApplicable if pairs of these systems are too many, or their resamples do not fit in memory."""
        size = _how_many(names, pairs)
        _adjust.refuse_many_draws(size, self.chosen_test("segment").scheme.n_draws)
        _adjust.refuse_many(len(names), size, ", or compare all with one baseline")

    def family(self, statistics: Statistics, pairs: PairChoice = "all") -> Family:
        """Return the corrected comparisons."""
        return self.families([statistics], pairs)[0]

    def families(
        self, many: Sequence[Statistics], pairs: PairChoice = "all", *, joined: Joined = False, kept: Kept | None = None
    ) -> list[Family]:
        """Compare systems by several metrics; `joined` corrects all as one family.

        joined="parts": the statistics are subsets of one test set by one metric; they form one family, by swaps on the
        whole set. A test other than the default also has the default test's verdicts. `kept`: draws of an earlier call
        for the same statistics and pairs (see `Kept`).
        """
        for statistics in many:
            self.refuse_many(statistics.systems, pairs)
        kept = (Kept() if kept is None else kept).of(self)
        without = {
            reference: [counted_without(statistics, reference) for statistics in many] for reference in concerned(many)
        }
        held = self._held(many, [pairs for _ in many], joined, without, kept)
        metrics = [statistics.metric for statistics in many]
        labels = [metric.name for metric in metrics] if joined == "parts" else labels_of(metrics)
        judged = [
            self._noted(_with_effect(family if family.metric == label else family.changed(metric=label), statistics))
            for family, statistics, label in zip(held, many, labels, strict=True)
        ]
        if all(family.test.name == DEFAULTS[family.unit].test for family in judged):
            return judged
        kept.default = Kept(redrawn=kept.redrawn) if kept.default is None else kept.default
        return self._beside_default(judged, many, joined, without, kept.default.of(self.default))

    @property
    def default(self) -> "Settings":
        """The default methods, with this level, direction, seed and n_resamples."""
        return Settings(alternative=self.alternative, level=self.level, n_resamples=self.n_resamples, seed=self.seed)

    def _beside_default(
        self, judged: list[Family], many: Sequence[Statistics], joined: Joined, without: _Without, kept: Kept
    ) -> list[Family]:
        """Return the families with what the default test says of the same pairs, as far as that can be had."""
        pairs: list[PairChoice] = [list(zip(family.first, family.second, strict=True)) for family in judged]
        try:
            defaults = self.default._held(many, pairs, joined, without, kept)
        except NotApplicable:
            return judged
        return [family.with_default(default) for family, default in zip(judged, defaults, strict=True)]

    def _noted(self, family: Family) -> Family:
        """Return the family with a note on every setting that was changed and that its test does not use."""
        plain, labels = Settings(), {known.name: known.label for known in options(self)}
        notes = tuple(
            Note("note", f"{labels[name]} ({getattr(self, name)}): {why}.")
            for name, why in self.unused(family.unit).items()
            if getattr(self, name) not in (getattr(plain, name), family.scheme.n_draws, family.unit, family.correction)
        )
        return replace(family, notes=(*family.notes, *notes)) if notes else family

    def keeping(
        self,
        many: Sequence[Statistics],
        *,
        joined: Joined = False,
        redrawn: Mapping[Hashable, list[Distribution]] | None = None,
    ) -> tuple[Kept, list[Family]]:
        """Return the corrected comparisons of all pairs, with their resamples.

        redrawn: whether to reuse resamples that another test of the same statistics has drawn.
        """
        kept = Kept(redrawn=redrawn or {})
        return kept, self.families(many, joined=joined, kept=kept)

    def _held(
        self, many: Sequence[Statistics], choices: Sequence[PairChoice], joined: Joined, without: _Without, kept: Kept
    ) -> list[Family]:
        """Return the families, each with verdicts withheld that change without a reference; without: see `_Without`."""
        families = self._judged(many, choices, joined, kept, ())
        for reference, others in without.items():
            again: list[dict[str, Family]] = [{} for _ in families]
            if all(others):
                pairs: list[PairChoice] = [
                    list(zip(each_family.first, each_family.second, strict=True)) for each_family in families
                ]
                first = [next(iter(other.items())) for other in others]
                alike = [_alike(other, family) for (_, other), family in zip(first, families, strict=True)]
                whole = self._judged(alike, pairs, joined, kept, (reference,))
                again = [{said: family} for (said, _), family in zip(first, whole, strict=True)]
            asked: dict[Hashable, list[tuple[int, str, PairChoice]]] = {}
            for number, (other, family) in enumerate(zip(others, families, strict=True)):
                for said in list(other)[1:] if (own := pairs_with_kin(family, reference)) else []:
                    asked.setdefault(said if joined == "parts" else (number, said), []).append((number, said, own))
            for place, alone in asked.items():
                at = [_alike(others[number][said], families[number]) for number, said, _ in alone]
                made = self._judged(
                    at, [own for *_, own in alone], joined == "parts" and joined, kept, (reference, place)
                )
                for (number, said, _), family in zip(alone, made, strict=True):
                    again[number][said] = family
            families = [doubted(family, reference, made) for family, made in zip(families, again, strict=True)]
        return families

    def _judged(
        self, many: Sequence[Statistics], choices: Sequence[PairChoice], joined: Joined, kept: Kept,
        place: tuple[Hashable, ...],
    ) -> list[Family]:  # fmt: skip
        """Return the families; what was drawn for them is kept under `place`, which tells them from others."""
        able, said = self.able_to_pass(many, choices, joined)
        key = (self.unit, joined, able.test, able.n_resamples, *place)
        made = kept.once(key, lambda: able._tested(many, choices, joined, kept, place))
        families = [family_of(tested, self.interval, self.level) for tested in made]
        families = [replace(each_family, notes=each_family.notes + said) for each_family in families]
        if joined:
            return hold_together(adjust_together(families, able.correction), joined == "parts")
        families = [adjust(each_family, able.correction) for each_family in families]
        return [as_judged(each_family) for each_family in families] if self.interval == AUTO else families

    def able_to_pass(
        self, many: Sequence[Statistics], choices: Sequence[PairChoice], joined: Joined
    ) -> tuple["Settings", tuple[Note, ...]]:
        """Return settings that allow a significant p, and notes on what was changed."""
        units = {statistics.at(self.unit).unit for statistics in many}
        if self.test != AUTO or not any(TESTS[self.resolved(unit).test].exchanges for unit in units) or not many:
            return self, ()
        sizes = [_how_many(statistics.systems, choice) for statistics, choice in zip(many, choices, strict=True)]
        size, corrected = sum(sizes) if joined else max(sizes), CORRECTIONS[self.resolved("segment").correction]
        # A p-value by itself is settled by about twice as many draws as let it pass.
        times = (1 if corrected.needs in ("joint draws", "exchanges") else 2) if corrected.corrects else 0
        needed = needed_draws(times * size, 1 - self.level)
        if needed <= max(self.n_resamples, Settings().n_resamples):
            return self, ()
        if needed <= MOST_DRAWS and size * needed <= MOST_DRAWN:
            text = f"{needed:,} resamples instead of {self.n_resamples:,}, as {size:,} comparisons need that many."
            return replace(self, n_resamples=needed), (Note("note", text),)
        text = (
            f"{size:,} comparisons would need {needed:,} joint resamples, which do not fit in memory. Jackknife "
            "p-values with Holm's correction are used instead."
        )
        chosen = self.correction if corrected.needs == "p-values" else Holm.name
        return replace(self, test=JackknifeT.name, correction=chosen), (Note("note", text),)

    def _tested(
        self, many: Sequence[Statistics], choices: Sequence[PairChoice], joined: Joined, kept: Kept,
        place: tuple[Hashable, ...],
    ) -> list[Tested]:  # fmt: skip
        # Without document ids it is settled here what the unit is; with them a test may know segments only.
        many = [self.at(statistics) if statistics.document_of is None else statistics for statistics in many]
        drawn = self._drawn_together(many, kept, place)
        units = [self.at(statistics).unit for statistics in many]
        if joined and len(set(units)) > 1:
            # What is corrected together is judged by one test: the one that holds over unequal units, too.
            units = ["document" for _ in many]
        made = [
            prepared(statistics, self.chosen_test(unit), pairs, redraws)
            for statistics, unit, pairs, redraws in zip(many, units, choices, drawn, strict=True)
        ]
        if joined == "parts":
            whole = Whole.of([targets for _, targets, _ in made])
            made = [(test, replace(targets, whole=whole), notes) for test, targets, notes in made]
        return [tested(*one) for one in made]

    def _drawn_together(
        self, many: Sequence[Statistics], kept: Kept, place: tuple[Hashable, ...]
    ) -> Sequence[Distribution | None]:
        """Return the bootstrap distributions of several metrics from one set of draws, where their units agree."""
        at = [statistics.at(self.chosen_test(statistics.at(self.unit).unit).scheme.unit) for statistics in many]
        if (
            len({statistics.n for statistics in at}) != 1
            or at[0].n < 2
            or any(statistics.available is not None for statistics in at)
        ):
            return [None for _ in many]
        scheme = self.chosen_test(at[0].unit).scheme
        bootstrap = Bootstrap(scheme.n_draws, scheme.seed, scheme.unit)
        key = (*place, bootstrap)
        if key not in kept.redrawn:
            kept.redrawn = {**kept.redrawn, key: resample_together(at, bootstrap)}
        return kept.redrawn[key]


def _alike(statistics: Statistics, family: Family) -> Statistics:
    """Return statistics without a reference at the unit of those with it, where it is not the document."""
    by_order = statistics.document_of is None and not statistics.clustered
    return statistics.at("block" if family.unit == "block" else "segment") if by_order else statistics


_EFFECT = 1.25
"""Standard errors by documents that are so many times those by segments are worth a sentence."""


def _with_effect(family: Family, statistics: Statistics) -> Family:
    """Return a family over documents with a note where these matter, by the median of its pairs."""
    if family.unit != "document" or statistics.unit == "document":
        return family
    labels = list(zip(family.first, family.second, strict=True))
    errors, other = family.standard_error, pairs_of(Scores(statistics, family.scheme), labels).standard_error
    known = (errors > 0) & (other > 0)
    times = float(np.median(errors[known] / other[known])) if known.any() else 0.0
    if times < _EFFECT:
        return family
    text = f"Document ids matter here: standard errors over documents are {times:.2f} times those over segments."
    of = f"{family.metric} ({times:.2f} times)"
    together = "have larger standard errors over documents than over segments, so document ids matter."
    said = Note("note", text, headline="Documents matter here", names=(of,), together=together)
    return replace(family, notes=(*family.notes, said))


@dataclass(frozen=True)
class Method:
    """Settings with a name: `label` is the name on pages, `about` describes them in one sentence."""

    label: str
    about: str
    chosen: Mapping[str, Any]

    @property
    def settings(self) -> Settings:
        """The method's settings, with defaults for all other fields."""
        return Settings(**self.chosen)


METHODS: Mapping[str, Method] = {
    "standard": Method(
        "Standard", "The defaults: tests over documents if there are at least ten, corrected for all comparisons.", {}
    ),
    # Section 6 of the paper: 1,000 resamples of sentences; its intervals drop the same number of them on either side.
    "koehn": Method(
        "Koehn 2004",
        "Paired bootstrap (Koehn 2004): a system is better if it wins at least 95% of 1,000 resamples; uncorrected.",
        {"test": "bootstrap-koehn", "interval": "koehn", "correction": "none", "n_resamples": 1000, "unit": "segment"},
    ),
    # What sacreBLEU 2.6.0 does for --paired-bs by default; its intervals are of scores only, and from as many draws.
    "sacrebleu": Method(
        "sacreBLEU",
        "Paired bootstrap over segments as sacreBLEU prints it (Post 2018), uncorrected; only for metrics of "
        "sacreBLEU.",
        {
            "test": "sacrebleu-bs",
            "interval": "percentile",
            "correction": "none",
            "n_resamples": 1000,
            "unit": "segment",
        },
    ),
    # The scripts that ranked the general task's systems in 2024 and 2025 (wmt-conference on GitHub): pairs of systems
    # by scipy's wilcoxon on the human scores of their segments, at .05. They differ in what they take together (domains
    # in 2024 unless asked for micro averages, two waves of ratings in 2025).
    "wmt": Method(
        "WMT",
        "Signed-rank test on segments (Wilcoxon 1945), uncorrected. WMT's general task ranks systems by human scores "
        "in this way (2024, 2025). It is for human ratings and other means of segment scores, not for BLEU.",
        {"test": "wmt-wilcoxon", "correction": "none", "unit": "segment"},
    ),
}
"""Named settings, by the name on the command line."""
