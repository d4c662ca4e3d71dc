"""Verdicts side by side: what people's ratings say of every pair, and what a metric says (Zhang and Vogel 2004).

Both by the library's own families: the same test, correction, level and units (docs/statistics/trust.md, section 11).
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

from mtsig.errors import NotApplicable
from mtsig.inference import Comparison, Family, Settings, smallest_detectable, verdict
from mtsig.records import Count, Number, Record, about
from mtsig.results import Result
from mtsig.trust.judged import Judged

Said: TypeAlias = Literal["both, contrary", "both, same", "people only", "metric only", "neither", "undecided"]

SAID: tuple[Said, ...] = ("both, contrary", "both, same", "people only", "metric only", "neither", "undecided")
"""Contradictions first. People only: the metric does not separate them. Metric only: people do not, on these data."""


@dataclass(frozen=True)
class PairVerdict(Record):
    """What people and a metric say of one pair; differences are positive where the first system is better."""

    first: Annotated[str, about("The first system.")]
    second: Annotated[str, about("The second system.")]
    said: Annotated[Said, about("Who separates the two; undecided where either verdict is.")]
    human_difference: Annotated[Number, about("People's difference.")]
    human_low: Annotated[Number, about("Lower end of its interval.")]
    human_high: Annotated[Number, about("Its upper end.")]
    human_p: Annotated[Number, about("Its corrected p.")]
    human_detectable: Annotated[
        Number, about("The difference that people's ratings would have shown with power .8; null where unknown.")
    ]
    metric_difference: Annotated[Number, about("The metric's difference.")]
    metric_low: Annotated[Number, about("Lower end of its interval.")]
    metric_high: Annotated[Number, about("Its upper end.")]
    metric_p: Annotated[Number, about("Its corrected p.")]


@dataclass(frozen=True)
class VerdictCount(Record):
    """How many pairs there are of one kind, and how many there would be by chance."""

    said: Annotated[Said, about("Who separates the two systems.")]
    pairs: Annotated[Count, about("How many pairs.")]
    share: Annotated[Number, about("Their share of all pairs.")]
    by_chance: Annotated[
        Number, about("How many there would be, were verdicts of people and metric independent; null for undecided.")
    ]


@dataclass(frozen=True, eq=False)
class VerdictTable(Result):
    """People's verdicts against a metric's, pair by pair, contradictions first.

    left_out: pairs that one of the two families lacks. human_decimals, metric_decimals: of differences, as printed.
    """

    human: str
    metric: str
    pairs: tuple[PairVerdict, ...]
    left_out: tuple[tuple[str, str], ...] = ()
    human_decimals: int = 2
    metric_decimals: int = 2

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per pair."""
        return [pair.row() for pair in self.pairs]

    @property
    def counts(self) -> tuple[VerdictCount, ...]:
        """How many pairs there are of every kind.

        By chance: of n pairs that both decide, people separate h and the metric m; then h m/n are separated by both,
        half of them the same way.
        """
        counts = {said: sum(pair.said == said for pair in self.pairs) for said in SAID}
        both = counts["both, same"] + counts["both, contrary"]
        h, m = both + counts["people only"], both + counts["metric only"]
        n = len(self.pairs) - counts["undecided"]
        chance: dict[str, float] = {}
        if n:
            chance = {
                "both, contrary": h * m / n / 2,
                "both, same": h * m / n / 2,
                "people only": h * (n - m) / n,
                "metric only": (n - h) * m / n,
                "neither": (n - h) * (n - m) / n,
            }
        total = max(1, len(self.pairs))
        return tuple(
            VerdictCount(said, count, count / total, chance.get(said, float("nan"))) for said, count in counts.items()
        )


def verdict_table(judged: Judged, metric: str, settings: Settings | None = None) -> VerdictTable:
    """Return what people and a metric say of every pair of the systems that both know.

    The rating's family stands on the rated segments, the metric's on all that it has.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.trust import Judged, verdict_table
    >>> rng = np.random.default_rng(1)
    >>> people = np.arange(9)[:, None] + 3 * rng.normal(size=(9, 60))
    >>> made = {"esa": people, "near": people + rng.normal(size=(9, 60)), "far": people + 9 * rng.normal(size=(9, 60))}
    >>> ratings = {name: mtsig.Rating(values, higher_is_better=True) for name, values in made.items()}
    >>> corpus = mtsig.Corpus.of(dict.fromkeys("ABCDEFGHI"), ratings=ratings)
    >>> judged = Judged.of(corpus, "rating:esa", ["rating:near", "rating:far"])
    >>> len(verdict_table(judged, "near").pairs)
    36

    Args:
        judged: what people and metrics say.
        metric: the name of the metric.
        settings: test, correction, level, draws and unit of both families.

    Raises:
        NotApplicable: no pair of systems is compared by both.
    """
    settings = Settings() if settings is None else settings
    statistics = [judged[name].statistics.select(judged.systems) for name in (judged.human.name, metric)]
    human, other = (settings.family(family) for family in statistics)
    return side_by_side(human, other)


def side_by_side(human: Family, metric: Family) -> VerdictTable:
    """Return two families' verdicts, pair by pair; of each kind they go by people's score, the better system first.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.trust import Judged, side_by_side
    >>> rng = np.random.default_rng(1)
    >>> people = np.arange(9)[:, None] + 3 * rng.normal(size=(9, 60))
    >>> made = {"esa": people, "near": people + rng.normal(size=(9, 60)), "far": people + 9 * rng.normal(size=(9, 60))}
    >>> ratings = {name: mtsig.Rating(values, higher_is_better=True) for name, values in made.items()}
    >>> corpus = mtsig.Corpus.of(dict.fromkeys("ABCDEFGHI"), ratings=ratings)
    >>> judged = Judged.of(corpus, "rating:esa", ["rating:near", "rating:far"])
    >>> families = [mtsig.Settings().family(judged[name].statistics) for name in ("esa", "far")]
    >>> len(side_by_side(*families).pairs)
    36

    Raises:
        NotApplicable: the families share no pair.
    """
    pairs, left_out = [], []
    for comparison in human.by_score():
        place = metric.find(comparison.first, comparison.second)
        if place is None:
            left_out.append((comparison.first, comparison.second))
            continue
        other = metric[place]
        pairs.append(_pair(comparison, other if other.first == comparison.first else other.turned))
    if not pairs:
        raise NotApplicable("People and the metric compare no pair of systems in common.")
    left_out += [(row.first, row.second) for row in metric if human.find(row.first, row.second) is None]
    pairs.sort(key=lambda pair: SAID.index(pair.said))
    decimals = human[0].decimals, metric[0].decimals
    return VerdictTable(human.metric, metric.metric, tuple(pairs), tuple(left_out), *decimals)


def _pair(human: Comparison, metric: Comparison) -> PairVerdict:
    detectable = smallest_detectable(human)
    return PairVerdict(
        human.first,
        human.second,
        _said(human, metric),
        human.difference,
        human.low,
        human.high,
        human.p_adjusted,
        float("nan") if detectable is None else detectable.difference,
        metric.difference,
        metric.low,
        metric.high,
        metric.p_adjusted,
    )


def _said(human: Comparison, metric: Comparison) -> Said:
    people, program = verdict(human), verdict(metric)
    if "undecided" in (people.word, program.word):
        return "undecided"
    if people.winner and program.winner:
        return "both, same" if people.winner == program.winner else "both, contrary"
    if people.winner:
        return "people only"
    return "metric only" if program.winner else "neither"
