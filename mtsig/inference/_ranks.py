"""Ranks, groups and joint statements: rank ranges of a family, and results that hold for several metrics."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mtsig import _records
from mtsig._options import expect_arguments
from mtsig._probability import p_text
from mtsig._records import Count, Level, MetricRecord, OfHeader, Ordinal, about, flag, number, text, whole
from mtsig._results import Result
from mtsig.corpus._notes import counted_names, listed, number_of
from mtsig.errors import InvalidOption, NotApplicable, expect, kind_of
from mtsig.inference._adjust import seconding
from mtsig.inference._corrections import CLASSICALLY, CORRECTIONS, Holm, OfPValues, Uncorrected, corrects
from mtsig.inference._family import Family, with_adjusted
from mtsig.inference._verdict import Comparison, verdict
from mtsig.resampling import resample


@dataclass(frozen=True, eq=False, kw_only=True)
class PlaceColumns(_records.Columns):
    """Columns of ranks: the results for each system."""

    system = text("Name of the system.", _records.SystemName)
    score = number("Its score.")
    rank_low = whole("Best possible rank: 1 + the number of ranked systems that are better.", Ordinal, "rank_high")
    rank_high = whole("Worst possible rank: the number of ranked systems minus those that are worse.", Ordinal)
    cluster = whole("Number of the cluster. All systems above are better than all below.", Ordinal)
    bootstrap_best_rate = number(
        "Share of resamples in which the system scores best (ties are divided). It is not a probability.",
        _records.Probability,
    )
    could_be_best = flag("Whether no other ranked system is significantly better than this one.")


@dataclass(frozen=True, kw_only=True)
class Place(PlaceColumns, MetricRecord):
    """Rank range and cluster of one system, from corrected comparisons."""


@dataclass(frozen=True, kw_only=True)
class RanksHeader(MetricRecord):
    """Header of ranks: values that all systems share for one metric."""

    level: Annotated[Level, about("Nominal coverage of confidence intervals; alpha is 1 − level.")]
    correction: Annotated[str, about("Name of the correction for the number of comparisons.")]
    family_size: Annotated[Count, about("Number of comparisons corrected together.")]
    units: Annotated[Count, about("Number of units in the test set.")]
    shared: Annotated[Count, about("Number of units that all systems have; only these are resampled.")]
    decimals: Annotated[_records.Decimals, about("Number of decimals in displayed scores.")] = 2


@dataclass(frozen=True, eq=False, kw_only=True)
class Ranks(PlaceColumns, _records.Estimates[RanksHeader, Place]):
    """Rank ranges of the s systems, best score first.

    Human translations and unranked systems do not shift the ranks of other systems. They get the rank that they would
    have among `Family.ranked_systems`, and no bootstrap_best_rate. This rate is also NaN if no unit has all systems.
    """

    called = "rank"
    of_header = RanksHeader
    of_heading = RanksHeader
    of_rows = Place

    level = OfHeader[float]()
    correction = OfHeader[str]()
    family_size = OfHeader[int]()
    units = OfHeader[int]()
    shared = OfHeader[int]()
    decimals = OfHeader[int]()

    @property
    def corrected(self) -> bool:
        """Whether the correction accounts for the number of comparisons."""
        return corrects(self.header.correction)

    def __repr__(self) -> str:
        """Return what has places, in one line."""
        return f"<Ranks in {self.metric}: {counted_names('system', self.systems)}>"

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, best score first."""
        return self.system

    @property
    def best(self) -> tuple[str, ...]:
        """The ranked systems that are not significantly worse than any other system."""
        return tuple(name for name, could in zip(self.system, self.could_be_best, strict=True) if could)


def rankable(family: Family) -> bool:
    """Return whether ranks can be computed: the family has all pairs of more than two systems, by a valid test."""
    return len(family.systems) > 2 and _obstacle(family) is None


def _obstacle(family: Family) -> str | None:
    """Return why no ranks can be made of the family; None when they can."""
    size, test = len(family.systems), family.test
    if len(family) != size * (size - 1) // 2:
        return "Ranks need the comparisons of all pairs of systems."
    # What is not ranked needs no p, as two outputs without a word have none.
    ranked = set(family.ranked_systems)
    among = [comparison for comparison in family if {comparison.first, comparison.second} <= ranked]
    lost = [comparison for comparison in among if not comparison.has_p]
    # A pair that is in doubt, for whatever reason, separates nobody.
    if len(lost) == len(among) or not all(comparison.data_caveat for comparison in lost):
        return "Ranks need a p-value for every pair, and this test does not give one for all pairs."
    if test.alternative != "two-sided":
        return "Ranks need two-sided tests, because either system of a pair may be better."
    if not test.controls_type1:
        return (
            "Ranks need a test that controls its false-positive rate; this test does not "
            f"({test.anticonservative_reason})."
        )
    known = CORRECTIONS.get(family.correction)
    if known is not None and known.controls == "share of false claims":
        return (
            f"Ranks need a correction that controls the family-wise error rate; {known.name} controls the false "
            f"discovery rate."
        )
    if known is not None and known.controls == "any false claim, classically":
        return f"Ranks need control of the family-wise error rate; {known.name} controls it only {CLASSICALLY}."
    return None


def ranks(family: Family, share: NDArray[np.float64] | None = None) -> Ranks:
    """Compute rank ranges, significance clusters, and possible best systems.

    Parameters
    ----------
    family : Family
        Corrected comparisons of all pairs of systems.
    share : ndarray, shape (n_systems,), optional
        The result of `mtsig.inference.bootstrap_best_rate` for the family, if it was already computed.

    Returns
    -------
    placed : Ranks
        One row per system, best first: `rank_low`, `rank_high`, `cluster`, `bootstrap_best_rate`.

    Raises
    ------
    InvalidOption
        The family has the wrong type; the message says what to give.
    NotApplicable
        The family lacks a pair of systems, or the test has no p-values.

    Notes
    -----
    1. A system's lowest rank is 1 plus the number of systems that are significantly better. Its highest rank is the
       number of systems minus the number that are significantly worse.
    2. If the correction has the family-wise error rate α, all true ranks lie within these ranges in at least 1 − α of
       test sets [1]_.
    3. A new cluster begins where every system above is significantly better than every system below, as in the WMT
       rankings.
    4. The share of resamples in which a system ranks first is descriptive and not a verdict.

    References
    ----------
    .. [1] Mogstad et al. (2024).

    Examples
    --------
    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> placed = mtsig.ranks(mtsig.Settings(n_resamples=500).family(statistics))
    >>> [(place.system, place.rank_low, place.rank_high) for place in placed]
    [('direct', 1, 1), ('direct-us', 2, 2), ('via-catalan', 3, 4), ('via-galician', 3, 4), ('via-esperanto', 5, 5)]
    """
    expect(family, Family, "Give corrected comparisons, such as Settings().family(statistics); a study has study.ranks")
    expect_arguments(ranks, locals())
    names = list(family.systems)
    size = len(names)
    if share is not None and np.shape(share) != (size,):
        raise InvalidOption(f"share has one number per system, {size} in all; found {kind_of(share)}.")
    obstacle = _obstacle(family)
    if obstacle is not None:
        raise NotApplicable(obstacle)
    beats = np.zeros((size, size), dtype=bool)
    for comparison in family:
        # What is withheld, for whatever reason, puts nobody above anybody.
        winner = verdict(comparison).winner
        if winner is not None:
            loser = comparison.second if winner == comparison.first else comparison.first
            beats[names.index(winner), names.index(loser)] = True
    statistics = family.statistics.select(names)
    better = -statistics.scores if statistics.metric.higher_is_better else statistics.scores
    order = np.argsort(better, kind="stable")
    contends = np.isin(names, family.ranked_systems)
    low = 1 + beats[contends].sum(axis=0)
    high = contends.sum() + ~contends - beats[:, contends].sum(axis=1)
    # A cluster ends where every system above the line beats every system below it.
    cuts = [bool(beats[np.ix_(order[:i], order[i:])].all()) for i in range(1, size)]
    shared = statistics.units_of(names)
    if share is None:
        share = bootstrap_best_rate(family)
    columns = Ranks.columns(
        size,
        metric=family.metric, signature=family.signature, system=[names[i] for i in order],
        score=statistics.scores[order], rank_low=low[order], rank_high=high[order],
        cluster=[1, *(1 + np.cumsum(cuts)).tolist()], bootstrap_best_rate=share[order],
        could_be_best=((low == 1) & contends)[order], level=family.level, correction=family.correction,
        family_size=family.family_size, units=statistics.n, shared=shared, decimals=statistics.metric.decimals,
    )  # fmt: skip
    return Ranks(**columns)


def groups(family: Family) -> tuple[tuple[str, ...], ...]:
    """Compute the groups of neighbouring systems without significant differences.

    Groups overlap if A and C differ significantly while B differs significantly from neither. Withheld verdicts count
    as not significant. Unranked systems form the last group. If some pairs of systems were not
    compared, no groups are returned.

    Examples
    --------
    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> mtsig.inference.groups(mtsig.Settings(n_resamples=500).family(statistics))[:2]
    (('direct',), ('direct-us',))
    """
    order = family.order
    if len(family) != len(order) * (len(order) - 1) // 2:
        return ()
    alone = [name for name in order if name in family.unranked]
    order = tuple(name for name in order if name not in alone)
    separated = {
        frozenset((comparison.first, comparison.second))
        for comparison in family
        if verdict(comparison).word == "better"
    }
    groups: list[tuple[str, ...]] = []
    begin = 0
    for end, name in enumerate(order):
        # A group ends before the first system that is separated from one of it.
        parted = [at for at in range(begin, end) if frozenset((order[at], name)) in separated]
        if parted:
            groups.append(order[begin:end])
            begin = parted[-1] + 1
    return (*groups, *([order[begin:]] if order else []), *([tuple(alone)] if alone else []))


def bootstrap_best_rate(family: Family) -> NDArray[np.float64]:
    """Return how often each system scores best in resamples, shape (systems,), ties divided; NaN if not ranked."""
    statistics, names, ranked = family.statistics, list(family.systems), family.ranked_systems
    share = {} if family.drawn is None else family.drawn.best_rate
    if share.keys() != {*ranked} and statistics.units_of(names):
        share = resample(statistics.select(names).shared_by(names), family.scheme).best_rate(ranked)
    return np.array([share.get(name, np.nan) for name in names])


JointForm: TypeAlias = Literal["all", "which"]
"""Whether a system is better by all metrics, or the metrics by which it is better."""

Jointly: TypeAlias = Literal["contradiction", "all", "some", "none", "withheld"]

JOINTLY: tuple[Jointly, ...] = ("contradiction", "all", "some", "none", "withheld")
"""Outcomes of joint statements, contradictions first."""


@dataclass(frozen=True)
class JointStatement(_records.Record):
    """Joint result of several metrics for one pair."""

    first: Annotated[str, about("The first system.")]
    second: Annotated[str, about("The second system.")]
    said: Annotated[
        Jointly,
        about("contradiction: significant in opposite directions; in all or some of the metrics; in none; withheld."),
    ]
    winner: Annotated[str | None, about("System that is better by these metrics; null if none or contradiction.")]
    by: Annotated[tuple[str, ...], about("Metrics by which the winner (in a contradiction, the first) is better.")]
    against: Annotated[tuple[str, ...], about("In a contradiction, metrics by which the second system is better.")]
    p_value: Annotated[
        _records.Number,
        about("Joint p-value: the largest p of the metrics, corrected over pairs (Holm); 1 in a contradiction."),
    ]
    sentence: Annotated[str, about("The result as a sentence.")]


@dataclass(frozen=True, eq=False)
class JointStatements(Result):
    """The joint statements on all pairs, contradictions first.

    metrics: in the given order. families: the comparisons of all metrics, corrected as one family; contradictions are
    based on these. left_out: pairs that are not compared by every metric.
    """

    listed = "statements"
    form: JointForm
    metrics: tuple[str, ...]
    statements: tuple[JointStatement, ...]
    families: tuple[Family, ...]
    left_out: tuple[tuple[str, str], ...] = ()


def joint_statements(families: Sequence[Family], form: JointForm = "all") -> JointStatements:
    """Combine several metrics into one statement per pair.

    Parameters
    ----------
    families
        Comparisons of the same systems, one family for each metric or rating. If their units are the same, the test
        must be the same.
    form
        "all" tests whether one system is better by all metrics, "which" finds the metrics by which it is better.

    Raises
    ------
    InvalidOption
        There are fewer than two families, or the form is unknown.
    NotApplicable
        The families come from different tests, or have no pair in common.

    Examples
    --------
    >>> import mtsig
    >>> corpus = mtsig.read_sample()
    >>> families = mtsig.Settings(n_resamples=500).families([mtsig.measure(corpus, name) for name in ("bleu", "chrf")])
    >>> joint_statements(families).statements[0].said
    'all'
    """
    if form not in ("all", "which"):
        raise InvalidOption(f"A joint statement has the form all or which; found {form!r}.")
    if len(families) < 2:
        raise InvalidOption(f"A joint statement needs two metrics; found {number_of(len(families), 'metric')}.")
    units = {family.unit for family in families}
    # Where metrics stand on other units, as their order says, each has the test of its unit; p-values mean the same.
    if (
        len({(family.unit, family.test.name) for family in families}) > len(units)
        or len({family.level for family in families}) > 1
    ):
        raise NotApplicable("Only comparisons by the same test at the same level can be corrected together.")
    each, together = (_judged(families, correction) for correction in (Uncorrected(), Holm()))
    ranked = each[0].by_score()
    pairs = [
        pair
        for pair in zip(ranked.first, ranked.second, strict=True)
        if all(comparison.find(*pair) is not None for comparison in each)
    ]
    if not pairs:
        raise NotApplicable("No pair of systems is compared on all metrics.")
    left_out = dict.fromkeys(
        pair
        for family in each
        for pair in zip(family.first, family.second, strict=True)
        if pair not in pairs and pair[::-1] not in pairs
    )
    raw = [[_seen(family, pair) for family in each] for pair in pairs]
    of_all = _of_all(raw)
    statements = [
        _statement(form, largest, [_seen(family, pair) for family in together], len(pairs))
        for pair, largest in zip(pairs, of_all, strict=True)
    ]
    statements.sort(key=lambda statement: JOINTLY.index(statement.said))
    return JointStatements(
        form, tuple(family.metric for family in families), tuple(statements), tuple(together), tuple(left_out)
    )


def _judged(families: Sequence[Family], correction: OfPValues) -> list[Family]:
    """Return the families corrected as one, from their raw p-values: those of a study will do."""
    columns = {
        corrected: np.concatenate([getattr(family, raw) for family in families])
        for corrected, raw in (
            ("p_adjusted", "p_value"),
            ("p_adjusted_mc_low", "p_mc_low"),
            ("p_adjusted_mc_high", "p_mc_high"),
        )
    }
    # A comparison without a p-value stays in the family, as if it were 1.
    columns = {
        name: np.where(np.isnan(p), np.nan, correction.adjusted(np.nan_to_num(p, nan=1.0)))
        for name, p in columns.items()
    }
    columns["p_jackknife"] = seconding(families, correction)
    size = len(columns["p_adjusted"])
    ends = np.cumsum([len(family) for family in families])
    corrected = [
        family.changed(
            **{name: column[end - len(family) : end] for name, column in columns.items()},
            correction=correction.name,
            family_size=size,
        )
        for family, end in zip(families, ends.tolist(), strict=True)
    ]
    return with_adjusted(corrected, correction)


def _seen(family: Family, pair: tuple[str, str]) -> Comparison:
    """Return the family's comparison of a pair, turned as the pair has it."""
    comparison = family[family.find(*pair) or 0]
    if comparison.first == pair[0]:
        return comparison
    if comparison.alternative != "two-sided":
        raise NotApplicable(f"{family.metric} has the other direction for {pair[0]} against {pair[1]}.")
    return comparison.turned


def _of_all(raw: Sequence[Sequence[Comparison]]) -> list[list[Comparison]]:
    """Return every pair's comparisons, each with the p of all of them: the largest, by Holm over the pairs."""

    def largest(name: str) -> _records.Floats:
        values = np.array([[getattr(comparison, name) for comparison in pair] for pair in raw])
        lost = np.isnan(values).any(axis=1)
        one_way = np.array([len({np.sign(comparison.difference) for comparison in pair}) == 1 for pair in raw])
        # A pair without a p stays in the family.
        p = np.where(one_way & ~lost, np.nan_to_num(values, nan=1.0).max(axis=1), 1.0)
        return np.where(lost, np.nan, Holm().adjusted(p))

    seconded = np.array([[comparison.p_jackknife for comparison in pair] for pair in raw])
    asked = ~np.isnan(seconded)
    second = Holm().adjusted(np.where(asked, seconded, 0.0).max(axis=1))
    columns = zip(*(largest(name) for name in ("p_value", "p_mc_low", "p_mc_high")), strict=True)
    return [
        [
            comparison.changed(
                p_adjusted=p, p_adjusted_mc_low=low, p_adjusted_mc_high=high, correction="holm",
                family_size=len(raw),
                p_jackknife=jackknife if needed else np.nan,
                # The p of all metrics has no interval of one.
                adjusted_ci_low=np.nan, adjusted_ci_high=np.nan, adjusted_level=np.nan,
            )
            for comparison, needed in zip(pair, needs, strict=True)
        ]
        for pair, needs, jackknife, (p, low, high) in zip(raw, asked, second.tolist(), columns, strict=True)
    ]  # fmt: skip


def _statement(
    form: JointForm, of_all: Sequence[Comparison], together: Sequence[Comparison], pairs: int
) -> JointStatement:
    first, second, p = of_all[0].first, of_all[0].second, of_all[0].p_adjusted
    names = tuple(comparison.metric for comparison in of_all)
    verdicts = [verdict(comparison) for comparison in (of_all if form == "all" else together)]
    for_first, for_second = (
        tuple(comparison.metric for comparison in together if verdict(comparison).winner == system)
        for system in (first, second)
    )

    def made(said: Jointly, sentence: str, winner: str | None = None, by: tuple[str, ...] = ()) -> JointStatement:
        return JointStatement(first, second, said, winner, by, (), p, sentence)

    if for_first and for_second:
        text = f"Contradiction: {first} is significantly better than {second} on {listed(for_first)}, and worse on "
        text += f"{listed(for_second)} (Holm, {len(together) * pairs} comparisons)."
        return JointStatement(first, second, "contradiction", None, for_first, for_second, p, text)
    winners = {decided.winner for decided in verdicts if decided.winner}
    withheld = {
        name: str(decided.withheld_reason)
        for name, decided in zip(names, verdicts, strict=True)
        if decided.word == "withheld"
    }  # fmt: skip
    corrected = f", corrected for {number_of(pairs, 'pair')}" if pairs > 1 else ""
    if form == "all":
        if withheld:
            name, reason = next(iter(withheld.items()))
            return made("withheld", f"Verdict withheld for {first} and {second}: on {name}, {reason}.")
        if winners:
            winner = winners.pop()
            loser = second if winner == first else first
            text = f"{winner} is better than {loser} on all of {listed(names)}: the largest {p_text(p)}{corrected}."
            return made("all", text, winner, names)
        if len({np.sign(comparison.difference) for comparison in of_all}) > 1:
            ahead = {
                system: [comparison.metric for comparison in of_all if sign * comparison.difference > 0]
                for system, sign in ((first, 1), (second, -1))
            }
            text = "; ".join(f"{system} is ahead on {listed(by)}" for system, by in ahead.items() if by)
            return made("none", f"Neither {first} nor {second} is better on all of {listed(names)}: {text}.")
        weakest = max(of_all, key=lambda comparison: comparison.p_value).metric
        text = f"Neither {first} nor {second} is shown better on all of {listed(names)}: the largest {p_text(p)}"
        return made("none", f"{text}, by {weakest}{corrected}.")
    by = for_first or for_second
    rest = [name for name in names if name not in by and name not in withheld]
    more = [f"{listed(rest)} {'does' if len(rest) == 1 else 'do'} not differ significantly"] if by and rest else []
    more += [f"{name} is withheld ({reason})" for name, reason in withheld.items()]
    if by:
        winner, loser = (first, second) if for_first else (second, first)
        text = f"{winner} is better than {loser} on {listed(by)}"
        return made("all" if len(by) == len(names) else "some", "; ".join([text, *more]) + ".", winner, by)
    if not rest:
        return made("withheld", f"Verdict withheld for {first} and {second}: {'; '.join(more)}.")
    text = f"{first} and {second} do not differ significantly on {listed(rest)}"
    return made("none", "; ".join([text, *more]) + ".")
