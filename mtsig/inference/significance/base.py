"""What every test of two systems is, and what it returns."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mtsig._records import Floats
from mtsig.citations import Citations
from mtsig.corpus import capital_first
from mtsig.errors import NotApplicable, UnknownName
from mtsig.inference.probability import clopper_pearson, count_extreme, monte_carlo_p
from mtsig.inference.targets import Pairs, in_place
from mtsig.options import option
from mtsig.resampling import Bootstrap, Scheme

Alternative: TypeAlias = Literal["two-sided", "greater", "less"]
"""greater: the first system is better; less: the second one is. Both must be declared before looking."""

POPULATION = "difference of corpus scores in the population the units were sampled from"
EXCHANGEABLE = "whether the two outputs of each unit are exchangeable, which is the null hypothesis"


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a test says of m pairs; arrays but `null` have shape (m,).

    p_value: as the alternative asks. p_mc_low, p_mc_high: its binomial interval where it was simulated; equal to it
    else.
    exact: whether all arrangements were enumerated.
    null: shape (m, b), joint draws under the null, for corrections that use them; complete: they are all there are,
    the observed ones being the first column.
    notes: pairs for which the method failed, and why.
    """

    p_value: Floats
    p_mc_low: Floats
    p_mc_high: Floats
    exact: NDArray[np.bool_]
    null: Floats | None = None
    complete: bool = False
    notes: tuple[str, ...] = ()


BY_EXCHANGE = "paired randomization"
"""What sentences call approximate randomization, of which the other tests speak."""

HALF_OF_P = "its p is about half of a two-sided p, so at .05 it errs in about 11 of 100 cases without any difference"
"""What is wrong with Riezler and Maxwell's Figure 2 as printed, under whatever name.

See docs/statistics/tests.md, section 3.
"""


class SignificanceTest(ABC):
    """A test of two systems on the same units.

    `in_words` is how a methods paragraph says it ("compared by …"; the label, when empty), `cites` what to cite for it:
    keys of the bibliography (mtsig.citations), or a `Work` that it lacks. `about` is the question it asks, `assumes`
    what must hold, `differs` why its p is not the one of the default test. `interval`: the name of the interval that
    goes with it. `segment_only`: the method knows no documents. `printed_only`: kept to reproduce what others print.
    `exchanges`: its null is that outputs could be exchanged, which needs no spread, and which over documents the
    jackknife must second. `by_jackknife`: it holds the difference against the jackknife's standard error, from which
    detectable differences are told. `by_wins`: it has no p-values, and finds a system better where that wins at least a
    share of resamples equal to the level. `anticonservative_reason`: how much more often it errs than it says, with
    the rate
    measured, empty for the tests that keep their level: a caution beside its verdicts, and no ranks are made of them.
    `fewest_units` and `fewest_documents`: like how many units (or documents) of equal length the data must judge their
    own spread, so that it errs at .05 in about 6 of 100 cases at most; on fewer a caution stands beside its verdict.
    `least_extreme`: its smallest p is that over R + 1. `proposed`: who proposed it, as "Koehn 2004". `title`: its name
    where tests are chosen, of `named` (or the label) and `proposed`. `short_label`: the label where there is little
    room, "" where that is the same. `names_unit`: whether the label says already over which units it is. `scheme` says
    how often it draws, from which seed, and what a unit is; subclasses are frozen dataclasses with that field.
    """

    scheme: Scheme

    name = ""
    label = ""
    named = ""
    proposed = ""
    short_label = ""
    names_unit = False
    in_words = ""
    cites: ClassVar[Citations] = ()
    about = ""
    estimand = ""
    assumes = ""
    differs = ""
    interval = "jackknife"
    segment_only = False
    printed_only = False
    exchanges = False
    by_jackknife = False
    by_wins = False
    anticonservative_reason = ""
    fewest_units = 0
    fewest_documents = 0
    least_extreme = 1

    @property
    def title(self) -> str:
        """Its name where tests are chosen, with who proposed it: "Paired bootstrap (Koehn 2004)"."""
        name = capital_first(self.named or self.label)
        return f"{name} ({self.proposed})" if self.proposed else name

    @property
    def controls_type1(self) -> bool:
        """Whether it errs about as often as it says, so that corrections and ranks made of it mean something."""
        return not self.anticonservative_reason

    @property
    def alternative(self) -> Alternative:
        """Against what it tests."""
        return "two-sided"

    @abstractmethod
    def __call__(self, pairs: Pairs) -> Outcome:
        """Return what the test says of every pair."""

    def joint(self, pairs: Pairs) -> Floats | None:
        """Return joint draws under the null, shape (m, b), that `__call__` did not make; None where there are none."""
        del pairs
        return None

    def too_few(self, df: float, unit: str) -> str | None:
        """Return the caution beside verdicts of this test on units with so many degrees of freedom; None where none."""
        fewest = max(self.fewest_units, 0 if unit == "segment" else self.fewest_documents)
        if not fewest or df + 1 >= fewest:
            return None
        return (
            f"this test does not control its error rate on so few {unit}s: they are worth about {df + 1:.0f} equal "
            f"ones, and at least {fewest} are needed"
        )


@dataclass(frozen=True, kw_only=True)
class Directed(SignificanceTest):
    """A test that can also be one-sided, when the direction is declared for each ordered pair before looking."""

    direction: Alternative = option(
        "two-sided", "Alternative", "One-sided only with a direction fixed before scoring.", advanced=True
    )

    @property
    def alternative(self) -> Alternative:
        """Against what it tests."""
        return self.direction


@dataclass(frozen=True, kw_only=True)
class UnknownTest(Directed):
    """A test that a study names and this program does not know: it can be told of, and not be made."""

    name: str
    label: str
    estimand: str = ""
    anticonservative_reason: str = ""
    scheme: Scheme = field(default_factory=Bootstrap)

    def __call__(self, pairs: Pairs) -> Outcome:
        """Raise UnknownName."""
        del pairs
        raise UnknownName(f"There is no test called {self.name!r} in this program.")


def simulated(null: Floats, observed: Floats, alternative: Alternative, keep: bool = True) -> Outcome:
    """Return the outcome of draws under the null: null (m, b), observed (m,)."""
    return counted(count_extreme(null, observed, alternative), null.shape[1], null if keep else None)


def counted(extreme: NDArray[np.int64], draws: int | NDArray[np.int64], null: Floats | None = None) -> Outcome:
    """Return the outcome when so many of the draws (of each comparison) are at least as extreme as the observation."""
    low, high = clopper_pearson(extreme.astype(np.float64), draws)
    return Outcome(monte_carlo_p(extreme, draws), low, high, np.zeros(len(extreme), dtype=bool), null)


def computed(p_value: Floats, notes: tuple[str, ...] = (), exact: bool = False) -> Outcome:
    """Return the outcome of a test that draws nothing."""
    return Outcome(p_value, p_value, p_value, np.full(len(p_value), exact), notes=notes)


def segment_differences(pairs: Pairs) -> list[Floats]:
    """Return for each pair the differences of segment scores, positive when the first system is better.

    Raises:
        NotApplicable: the metric is no mean of segment scores.
    """
    statistics = pairs.statistics
    if not statistics.metric.is_segment_mean:
        raise NotApplicable(
            f"This test compares means of segment scores, and {statistics.metric.name} is no such mean. Choose "
            f"{BY_EXCHANGE}, or a sentence-level metric under its own name, such as sentBLEU.",
            "--test ar, or --metric sentbleu",
        )
    if statistics.available is not None:
        return in_place((index, segment_differences(part)) for index, part in pairs.parts)
    scores = statistics.segment_scores if statistics.metric.higher_is_better else -statistics.segment_scores
    return [scores[x] - scores[y] for x, y in zip(pairs.first, pairs.second, strict=True)]
