"""Joint statements: several metrics and ratings go in; what they say of a pair together comes out.

All of them: "better by chrF, COMET and MQM" is shown where each of them shows it alone (intersection–union; Berger
1982), so the largest p counts, and the number of metrics costs nothing. Which of them: one family of all comparisons,
by Holm. Both are corrected for the number of pairs: for the first by Holm over the pairs' largest p-values, for the
metric that is wrong may be another one for every pair.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np

from mtsig._records import Floats, Number, Record, Result, about
from mtsig.corpus import listed, number_of
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference.adjust import seconding
from mtsig.inference.adjusted import with_adjusted
from mtsig.inference.comparison import Comparison
from mtsig.inference.corrections import Holm, OfPValues, Uncorrected
from mtsig.inference.family import Family
from mtsig.inference.probability import p_text
from mtsig.inference.verdict import verdict

JointForm: TypeAlias = Literal["all", "which"]
"""Better by all of them, or by which of them."""

Jointly: TypeAlias = Literal["contrary", "all", "some", "none", "withheld"]

JOINTLY: tuple[Jointly, ...] = ("contrary", "all", "some", "none", "withheld")
"""Contradictions first."""


@dataclass(frozen=True)
class JointStatement(Record):
    """What several metrics say of one pair together."""

    first: Annotated[str, about("The first system.")]
    second: Annotated[str, about("The second system.")]
    said: Annotated[
        Jointly,
        about("contrary: metrics separate the two in opposite directions; all or some of them; none; withheld."),
    ]
    winner: Annotated[str | None, about("The system that is better by those metrics; null without, or if contrary.")]
    by: Annotated[tuple[str, ...], about("The metrics by which it is better; those for the first, if contrary.")]
    against: Annotated[tuple[str, ...], about("The metrics by which the second is better, if contrary.")]
    p_value: Annotated[
        Number, about("Corrected p of all of them: the largest, over the pairs by Holm; 1 where directions differ.")
    ]
    sentence: Annotated[str, about("The statement in a sentence.")]


@dataclass(frozen=True, eq=False)
class JointStatements(Result):
    """The joint statements on every pair: contradictions first, what is said alike by score in the first metric.

    metrics: in the order given. families: their comparisons corrected as one family, by which contradictions are seen,
    and which of them say so. left_out: pairs that not every metric compares.
    """

    form: JointForm
    metrics: tuple[str, ...]
    statements: tuple[JointStatement, ...]
    families: tuple[Family, ...]
    left_out: tuple[tuple[str, str], ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per pair."""
        return [statement.row() for statement in self.statements]


def joint_statements(families: Sequence[Family], form: JointForm = "all") -> JointStatements:
    """Return what several metrics say together of every pair that all of them compare.

    >>> import mtsig
    >>> corpus = mtsig.read_sample()
    >>> families = mtsig.Settings(n_resamples=500).families([mtsig.measure(corpus, name) for name in ("bleu", "chrf")])
    >>> joint_statements(families).statements[0].said
    'all'

    Args:
        families: comparisons of the same systems, one family for each metric or rating, by the same test where their
            units are the same.
        form: all: is one better by all of them. which: by which of them.

    Raises:
        InvalidOption: there are fewer than two families, or the form is unknown.
        NotApplicable: the families come from different tests, or share no pair.
    """
    if form not in ("all", "which"):
        raise InvalidOption(f"A joint statement is of all metrics, or of which; found {form!r}.")
    if len(families) < 2:
        raise InvalidOption(f"A joint statement takes two metrics; found {number_of(len(families), 'metric')}.")
    units = {family.unit for family in families}
    # Where metrics stand on other units, as their order says, each has the test of its unit; p-values mean the same.
    if (
        len({(family.unit, family.test.name) for family in families}) > len(units)
        or len({family.level for family in families}) > 1
    ):
        raise NotApplicable("Only comparisons by the same test at the same level can be judged together.")
    each, together = (_judged(families, correction) for correction in (Uncorrected(), Holm()))
    ranked = each[0].by_score()
    pairs = [
        pair
        for pair in zip(ranked.first, ranked.second, strict=True)
        if all(_has(comparison, pair) for comparison in each)
    ]
    if not pairs:
        raise NotApplicable("The metrics compare no pair of systems in common.")
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


def _has(family: Family, pair: tuple[str, str]) -> bool:
    return family.find(*pair) is not None


def _seen(family: Family, pair: tuple[str, str]) -> Comparison:
    """Return the family's comparison of a pair, turned as the pair has it.

    Raises:
        NotApplicable: it is one-sided the other way round.
    """
    comparison = family[family.find(*pair) or 0]
    if comparison.first == pair[0]:
        return comparison
    if comparison.alternative != "two-sided":
        raise NotApplicable(f"{family.metric} declares the other direction of {pair[0]} against {pair[1]}.")
    return comparison.turned


def _of_all(raw: Sequence[Sequence[Comparison]]) -> list[list[Comparison]]:
    """Return every pair's comparisons, each with the p of all of them: the largest, by Holm over the pairs."""

    def largest(name: str) -> Floats:
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
            replace(
                comparison, p_adjusted=p, p_adjusted_mc_low=low, p_adjusted_mc_high=high, correction="holm",
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
        text = f"Contradiction: {first} is better than {second} by {listed(for_first)}, and worse by "
        text += f"{listed(for_second)} (Holm, {len(together) * pairs} comparisons)."
        return JointStatement(first, second, "contrary", None, for_first, for_second, p, text)
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
            return made("withheld", f"Verdict withheld for {first} and {second}: by {name}, {reason}.")
        if winners:
            winner = winners.pop()
            loser = second if winner == first else first
            text = f"{winner} is better than {loser} by all of {listed(names)}: the largest {p_text(p)}{corrected}."
            return made("all", text, winner, names)
        if len({np.sign(comparison.difference) for comparison in of_all}) > 1:
            ahead = {
                system: [comparison.metric for comparison in of_all if sign * comparison.difference > 0]
                for system, sign in ((first, 1), (second, -1))
            }
            text = "; ".join(f"{system} is ahead by {listed(by)}" for system, by in ahead.items() if by)
            return made("none", f"Neither {first} nor {second} is better by all of {listed(names)}: {text}.")
        weakest = max(of_all, key=lambda comparison: comparison.p_value).metric
        text = f"Neither {first} nor {second} is shown better by all of {listed(names)}: the largest {p_text(p)}"
        return made("none", f"{text}, by {weakest}{corrected}.")
    by = for_first or for_second
    rest = [name for name in names if name not in by and name not in withheld]
    more = [f"{listed(rest)} {'does' if len(rest) == 1 else 'do'} not separate them"] if by and rest else []
    more += [f"{name} is withheld ({reason})" for name, reason in withheld.items()]
    if by:
        winner, loser = (first, second) if for_first else (second, first)
        text = f"{winner} is better than {loser} by {listed(by)}"
        return made("all" if len(by) == len(names) else "some", "; ".join([text, *more]) + ".", winner, by)
    if not rest:
        return made("withheld", f"Verdict withheld for {first} and {second}: {'; '.join(more)}.")
    text = f"{first} and {second} do not differ significantly by {listed(rest)}"
    return made("none", "; ".join([text, *more]) + ".")
