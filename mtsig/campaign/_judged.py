"""The study: preferences go in, a study of strengths and corrected comparisons comes out, and what it is worth.

And the plan of one: how many judgements a difference needs.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, log, nan
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import numpy as np

from mtsig._probability import check_level, normal_quantile, p_text
from mtsig._records import Count, Number, Record, about
from mtsig._results import NamedRows, Result
from mtsig.campaign import _quality
from mtsig.campaign._data import Dual, Grades, Preferences, alike
from mtsig.campaign._model import Model, Penalty
from mtsig.campaign._strengths import ELO, MEAN, Strengths, analysed, head_to_head, net_wins, strengths
from mtsig.campaign._verdict_files import read_preferences
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import number_of
from mtsig.errors import InvalidOption, NotApplicable, UnknownName
from mtsig.inference import Family, Intervals, Ranks, Settings
from mtsig.inference._adjust import refuse_many
from mtsig.inference._corrections import Holm
from mtsig.inference._estimated import Estimated, RatedFamily, raters_note
from mtsig.inference._power import smallest_units
from mtsig.inference._ranks import rankable, ranks
from mtsig.inference._verdict import verdict
from mtsig.meta_eval._rater_agreement import Agreement
from mtsig.readers._read import read
from mtsig.study import Change, Reproduction, Request, Study
from mtsig.study._changes import again_changes, in_brief
from mtsig.study._record import Data, MetricResult, OneSet
from mtsig.study._request import Judging
from mtsig.study._run import _kept, _study, _used


@dataclass(frozen=True, eq=False)
class Judged(Result):
    """An analysis of preferences: study, comparisons and their reliability.

    preferences: the judgements, including gaps. direct: comparisons without a model; `None` if no pair was compared in
    two documents. modelled: the strengths; `None` if they were not requested, or cannot be estimated for two systems.
    asked: the options of `preferences`.
    """

    brief = Family.brief

    preferences: Preferences
    settings: Settings
    direct: RatedFamily | None
    modelled: Strengths | None
    asked: Judging

    @cached_property
    def study(self) -> Study:
        """The study of strengths, or of direct comparisons (two systems, or cycles)."""
        family = self.compared
        if self.modelled is None or not self.by_strengths:
            shown = _as_shown(self.preferences, self.asked)
            return self._study(family, net_wins(shown, self.settings, self.asked.grades), None)
        places = ranks(family, np.full(len(family.systems), nan)) if rankable(family) else None
        return self._study(family, self.modelled.scored, places)

    def rows(self) -> list[dict[str, Any]]:
        """Return one record for each comparison of the study, with its verdict."""
        return self.study.rows()

    def __repr__(self) -> str:
        """Return what was judged, in one line."""
        return f"<{type(self).__name__}: {self.preferences!r}>"

    @cached_property
    def compared(self) -> RatedFamily:
        """The comparisons that give the verdicts: of strengths, or direct ones.

        A verdict is withheld if the judgements of its pair without a verdict could change it.
        """
        family = self.direct if self.modelled is None or not self.by_strengths else self.modelled.rated
        if family is None:
            raise NotApplicable(f"No pair of systems was compared in two {analysed(self.preferences).unit}s.")
        turned = {frozenset((gap.first, gap.second)): _could_change(gap.gaps) for gap in self.gaps if gap.turns}
        said = [turned.get(frozenset((row.first, row.second)), "") for row in family]
        lacking = [row.data_caveat or unread for row, unread in zip(family, said, strict=True)]
        kinds = [row.data_caveat_id or (unread and "data") for row, unread in zip(family, said, strict=True)]
        return family.changed(data_caveat=lacking, data_caveat_id=kinds)

    @property
    def head_to_head(self) -> RatedFamily | None:
        """The direct comparisons with their verdicts."""
        return self.direct if self.direct is None or self.by_strengths else self.compared

    @property
    def by_strengths(self) -> bool:
        """Whether the verdicts come from comparing strengths."""
        fits = self.modelled is not None and len(analysed(self.preferences).systems) > 2
        return fits and not (self.intransitive and self.direct is not None)

    def _study(self, family: Family, scored: Intervals, places: Ranks | None) -> Study:
        estimated = Estimated(family.metric, True, family.header.decimals)
        request = Request((estimated,), self.settings, preferences=self.asked)
        ordered, whole, units = family.by_score(), self.preferences, len(self.preferences.documents)
        data = Data(len(whole), units if whole.documents_known else None, whole.systems, (), whole.digest)
        result = MetricResult(None, scored.by_score(), _kept(ordered), places, units=units)
        part = OneSet(None, data, NamedRows(), _used(request, ordered), NamedRows([result]))
        return _study(request, None, [part], list(self.notes))

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """The notes on the verdicts, the most important first."""
        raters = raters_note(self.compared)
        told = [
            *_of_circles(self), *_of_only_ties(self), raters, *_of_borrowing(self), *_of_places(self),
            *([Note("note", self.orders.sentence, "judging")] if self.orders else []),
            *_of_gaps(self), *_of_ties(self), *_of_drift(self), *_of_scale(self),
        ]  # fmt: skip
        if raters.level == "warning":
            told = [raters, *(note for note in told if note is not raters)]
        return (*told, *(self.modelled or self.preferences).notes)

    @cached_property
    def places(self) -> tuple[_quality.PlaceEffect, ...]:
        """The effect of being shown first; empty if it cannot be estimated."""
        return () if self.modelled is None or not self.modelled.fit.place else _quality.place_effect(self.modelled)

    @cached_property
    def orders(self) -> _quality.DualOrder | None:
        """The consistency of raters who saw both orders, or `None`."""
        return _or_none(lambda: _quality.dual_order(self.preferences))

    @cached_property
    def misfits(self) -> tuple[_quality.Misfit, ...]:
        """The tests whether one scale fits all systems, and whether raters differ in their rates of ties."""
        if (made := self.modelled) is None:
            return ()
        tested = (_or_none(lambda: _quality.transitivity(made)), _or_none(lambda: _quality.equal_ties(made)))
        return tuple(found for found in tested if found is not None)

    @cached_property
    def gaps(self) -> tuple[_quality.Gaps, ...]:
        """For each pair, how far the judgements without a verdict could change the result."""
        if not self.preferences.gaps.any():
            return ()
        by_strengths, settings, asked = self.by_strengths, self.settings, self.asked

        def compare(data: Preferences) -> Family:
            if by_strengths:
                return strengths(data, settings, **_of_strengths(asked)).compared
            return _compared(data, settings, asked)

        return _quality.preference_gaps(self.preferences, compare)

    @cached_property
    def raters(self) -> tuple[_quality.RaterCounts, ...]:
        """A summary of each rater's judgements."""
        return _quality.rater_counts(self.preferences)

    @cached_property
    def agreement(self) -> tuple[Agreement, ...]:
        """The inter-rater agreement; may be empty."""
        return _or_none(lambda: _quality.preference_agreement(self.preferences, self.settings.level)) or ()

    @cached_property
    def drifts(self) -> tuple[_quality.Drift, ...]:
        """The tests of whether each rater's consistency changes over time."""
        return _quality.drift(self.preferences)

    def counts(self, first: str, second: str) -> tuple[int, int, int]:
        """Return how often the first system won against, tied with and lost to the second."""
        won, tied, lost = self._tally.get((second, first), (0, 0, 0))[::-1]
        return self._tally.get((first, second), (won, tied, lost))

    def split(self, first: str, second: str) -> Iterator[tuple[str, int, int, int]]:
        """Yield the same by which system was shown first, and by document, of all that have such judgements."""
        judged = self.preferences
        x, y = map(judged.systems.index, (first, second))
        ahead, behind = ((judged.first == one) & (judged.second == other) for one, other in ((x, y), (y, x)))
        seen = np.sign(judged.outcome) * np.where(ahead, 1, -1)
        parts = [(f"{first} shown first", ahead & judged.ordered), (f"{second} shown first", behind & judged.ordered)]
        parts += [("order unknown", (ahead | behind) & ~judged.ordered)]
        if judged.documents_known:
            parts += [(name, (ahead | behind) & (judged.document.of == i)) for i, name in enumerate(judged.documents)]
        for name, rows in parts:
            won, tied, lost = (int(np.count_nonzero(seen[rows] == value)) for value in (1, 0, -1))
            if won + tied + lost:
                yield name, won, tied, lost

    @cached_property
    def _tally(self) -> dict[tuple[str, str], tuple[int, int, int]]:
        judged, names = self.preferences, self.preferences.systems
        low, high = np.minimum(judged.first, judged.second), np.maximum(judged.first, judged.second)
        at, of = alike([low, high])
        seen = np.sign(judged.outcome) * np.where(judged.first == low, 1, -1)
        counts = zip(*(np.bincount(of, seen == value).astype(int).tolist() for value in (1, 0, -1)), strict=True)
        pairs = zip(low[at].tolist(), high[at].tolist(), counts, strict=True)
        return {(names[a], names[b]): several for a, b, several in pairs}

    @property
    def intransitive(self) -> bool:
        """Whether a single scale of strengths fails to fit all systems."""
        return any(one.asked == "transitivity" and one.p_value <= 0.05 for one in self.misfits)

    def plain(self) -> dict[str, Any]:
        """Return the analysis as values that JSON can represent."""

        def rows(records: Iterable[Record]) -> list[dict[str, Any]]:
            return [record.row() for record in records]

        return {
            "study": self.study.plain(),
            "head_to_head": [] if self.head_to_head is None else self.head_to_head.rows(),
            "places": rows(self.places), "orders": None if self.orders is None else self.orders.row(),
            "misfits": rows(self.misfits), "gaps": rows(self.gaps), "raters": rows(self.raters),
            "agreement": rows(self.agreement), "drift": rows(self.drifts),
        }  # fmt: skip


T = TypeVar("T")


def _or_none(make: Callable[[], T]) -> T | None:
    try:
        return make()
    except NotApplicable:
        return None


def preferences(
    data: Preferences | Corpus | str | Path, *, rating: str | None = None, criterion: str | None = None,
    model: Model | Literal["direct"] = "davidson", order: Literal["auto", "ignore"] = "auto", dual: Dual = "keep",
    grades: Grades = "sign", penalty: Penalty = "auto", anchor: tuple[str, float] | None = None,
    settings: Settings | None = None,
) -> Judged:  # fmt: skip
    """Compare systems by preferences of raters or models.

    1. Davidson's model fits the strengths of all systems; if there are only two systems, they are compared directly.
    2. Differences are tested by t-tests with jackknife standard errors over documents and Holm's correction.
    3. Order effects, transitivity, ties and gaps are checked; if one scale does not fit, direct comparisons are used.

    Parameters
    ----------
    data
        Preferences, or a file or a folder of preferences; with `rating`, a corpus or its folder.
    rating
        The rating from which preferences are made, or were made, as by `Preferences.of_ratings`.
    criterion
        The criterion to analyse, if the data have several.
    model
        The model of ties: "davidson", or "half" to count a tie as half a win. "direct" compares without strengths.
    order
        The treatment of display order: "ignore" omits the effect of being shown first from the model.
    dual
        The treatment of comparisons in both orders: "collapse" merges them; if the verdicts differ, the result is a
        tie.
    grades
        What is analysed: "sign" is who wins; "margin" is by how much, in direct comparisons only.
    penalty
        Whether the likelihood is penalised; "auto" penalises it if it has no maximum.
    anchor
        A system and the Elo rating that it is given.
    settings
        Level and correction.

    Raises
    ------
    ReadError
        A file cannot be read as preferences.
    NotApplicable
        The judgements do not allow the analysis.
    InvalidOption
        An option does not suit the judgements.

    Examples
    --------
    >>> from mtsig.campaign import Preferences, preferences
    >>> shown = [("A", "B", 1), ("B", "A", -1), ("A", "B", 1), ("B", "A", 1)]
    >>> of_keys = "first", "second", "outcome"
    >>> rows = [{"rater": "r", "item": str(i), **dict(zip(of_keys, shown[i % 4]))} for i in range(40)]
    >>> judged = preferences(Preferences.of(rows))
    >>> (row,) = judged.study.rows()
    >>> row["first"], row["second"], row["verdict"]
    ('A', 'B', 'better')
    """
    settings = settings or Settings()
    whole = _given(data, rating)
    whole = whole if criterion is None else whole.of_criterion(criterion)
    whole = whole.collapsed() if dual == "collapse" else whole
    asked = Judging(criterion, "direct" if grades == "margin" else model, order, dual, penalty, anchor, grades, rating)
    judged = analysed(whole)
    if asked.model == "direct":
        refuse_many(len(judged.systems), len(alike(np.sort([judged.first, judged.second], axis=0))[0]))
    else:
        refuse_many(len(judged.systems), otherwise=", or compare each pair on its own (--strengths direct)")
    if grades == "margin":
        judged.graded()
        lacking = int(np.count_nonzero(np.isnan(judged.grade) & (judged.outcome != 0)))
        if lacking:
            raise NotApplicable(f"Without a margin: {number_of(lacking, 'verdict')}. Use who wins (--grades sign).")

    def fitted() -> Strengths:
        return strengths(whole, settings, **_of_strengths(asked))

    made = None
    if asked.model != "direct":
        made = fitted() if len(judged.systems) > 2 else _or_none(fitted)
    return Judged(whole, settings, _or_none(lambda: _compared(judged, settings, asked)), made, asked)


def made_again(study: Study, asked: Judging, given: Preferences) -> Reproduction:
    """Make a study of preferences again, for the same systems and with the same options; see `mtsig.reproduce`."""
    settings = Settings(**vars(study.request.settings))
    try:
        whole = given if set(given.systems) == set(study.data.systems) else given.select(study.data.systems)
        again = preferences(whole, **vars(asked), settings=settings).study
    except (NotApplicable, UnknownName) as error:
        return Reproduction(None, (Change("data", str(error)),))
    said = "The judgements are not those of the study: the digests differ."
    data = [Change("data", said)] if again.data.digest != study.data.digest else []
    return Reproduction(again, in_brief((*data, *again_changes(study, again, told=bool(data)))))


def _given(data: Preferences | Corpus | str | Path, rating: str | None) -> Preferences:
    """Return the preferences in a file, or those that a rating makes."""
    if isinstance(data, Preferences):
        return data
    if rating is not None:
        return Preferences.of_ratings(data if isinstance(data, Corpus) else read(data), rating)
    if isinstance(data, Corpus):
        raise InvalidOption("A corpus has no preferences. Name the rating from which they are made.")
    return read_preferences(data)


def _of_strengths(asked: Judging) -> dict[str, Any]:
    model = "davidson" if asked.model == "direct" else asked.model
    return {"model": model, "order": asked.order, "penalty": asked.penalty, "anchor": asked.anchor}


def _compared(data: Preferences, settings: Settings, asked: Judging) -> RatedFamily:
    return head_to_head(_as_shown(data, asked), settings, asked.grades)


def _as_shown(data: Preferences, asked: Judging) -> Preferences:
    return data if asked.order == "auto" else replace(data, ordered=np.zeros_like(data.ordered))


_NEARLY_ALL = 0.95
"""Judgements of a pair that one system wins, from which tastes of documents bend the scale (preference_errors.py far).
"""


def _of_circles(judged: Judged) -> Iterator[Note]:
    if not judged.intransitive:
        return
    found = next(one for one in judged.misfits if one.asked == "transitivity")
    circles = f"Preferences are circular: {found.triads[0]}" if found.triads else "The pairs do not fit a common scale"
    shown = "Direct comparisons are shown instead of strengths, and there are no ranks."
    fit = judged.modelled.fit if judged.modelled is not None else None
    if fit is not None and not found.triads and fit.shares(float(np.ptp(fit.strengths)))[0] > _NEARLY_ALL:
        shown += (
            " Some system wins nearly all judgements of a pair: then documents that favour different systems also "
            "cause this, although the systems have an order."
        )
    yield Note("warning", f"{circles} ({p_text(found.p_value)}). {shown}", headline="Not transitive")


def _of_only_ties(judged: Judged) -> Iterator[Note]:
    """Yield a note on pairs of which all judgements are ties, where verdicts come from direct comparisons."""
    rows = [] if judged.by_strengths else judged.compared.by_score()
    counts = [(row, *judged.counts(row.first, row.second)) for row in rows]
    found = [(row, ties) for row, won, ties, lost in counts if not won and not lost]
    if found:
        row, ties = found[0]
        more = f" The same is true of {number_of(len(found) - 1, 'other pair')}." if len(found) > 1 else ""
        yield Note(
            "note",
            f"Every judgement of {row.first} and {row.second} is a tie ({number_of(ties, 'judgement', ',')} of "
            f"{number_of(row.units, row.unit)}). Their interval allows for {row.unit}s with another result that are "
            f"too rare to be in such a sample.{more}",
        )


def _of_borrowing(judged: Judged) -> Iterator[Note]:
    """Yield a note on pairs of which the direct comparisons alone give another verdict than the strengths."""
    if not judged.by_strengths:
        return
    alone = {} if judged.direct is None else {frozenset((row.first, row.second)): row for row in judged.direct}
    found = list[tuple[bool, str]]()
    for row in judged.compared.by_score():
        own = alone.get(frozenset((row.first, row.second)))
        better, direct = verdict(row).winner, None if own is None else verdict(own).winner
        if better == direct:
            continue
        many = number_of(sum(judged.counts(row.first, row.second)), "judgement", ",")
        winner = better or direct
        pair = f"{winner} is significantly better than {row.second if winner == row.first else row.first}"
        if better is None:
            said = f"In their direct comparisons alone ({many}), {pair}, but not by strengths."
        else:
            other = "is not significantly better" if direct is None else "is significantly worse"
            said = f"By strengths, {pair}, but it {other} in their direct comparisons alone ({many})."
        found.append((None not in (better, direct), said))
    if found:
        found.sort(key=lambda one: not one[0])
        contrary, said = found[0]
        more = f" {number_of(len(found) - 1, 'other pair')} also have different verdicts." if len(found) > 1 else ""
        also = "Strengths also use the comparisons with other systems."
        yield Note("warning" if contrary else "note", f"{said} {also}{more}", headline="Direct comparisons differ")


def _of_places(judged: Judged) -> Iterator[Note]:
    if not judged.places:
        return
    whole = judged.places[0]
    lopsided = _quality.unbalanced(judged.preferences)
    if whole.p_value <= 0.05:
        better = "first" if whole.advantage > 0 else "second"
        share = whole.first_wins if whole.advantage > 0 else 1 - whole.first_wins
        said = (
            f"If two systems were equal, the one shown {better} would win {share:.0%} of all judgements without a tie "
            f"({p_text(whole.p_value)})."
        )
        if lopsided:
            first, second, there, back = lopsided[0]
            said += (
                f" Orders are unbalanced: {first} was shown before {second} {there} times, and after it {back} times. "
                "So without this effect in the model, comparisons would be wrong."
            )
        yield Note("warning" if lopsided else "note", said, "judging", headline="The order shown matters")


def _could_change(gaps: int) -> str:
    return f"it could change if the {number_of(gaps, 'unread verdict')} on this pair favoured one system"


def _of_gaps(judged: Judged) -> Iterator[Note]:
    turned = [gap for gap in judged.gaps if gap.turns]
    if turned:
        one = turned[0]
        more = f" The same is true of {number_of(len(turned) - 1, 'other pair')}." if len(turned) > 1 else ""
        said = f"The verdict on {one.first} and {one.second} is withheld: {_could_change(one.gaps)}.{more}"
        yield Note("warning", said, headline="Unread verdicts could change a verdict")


def _of_ties(judged: Judged) -> Iterator[Note]:
    for found in judged.misfits:
        if found.asked == "ties" and found.p_value <= 0.05:
            said = f"Some raters give more ties than others ({p_text(found.p_value)}). Compare with --strengths half."
            yield Note("note", said, "judging")


def _of_drift(judged: Judged) -> Iterator[Note]:
    adjusted = Holm().adjusted(np.nan_to_num([one.p_value for one in judged.drifts], nan=1.0))
    for one, p in zip(judged.drifts, adjusted.tolist(), strict=True):
        if p <= 0.05:
            said = (
                f"{one.rater} saw some comparisons twice. The second verdict was the same in {one.early:.0%} of cases "
                f"in the first half of the file, and in {one.late:.0%} in the second half ({p_text(p)})."
            )
            yield Note("note", said, "judging")


def _of_scale(judged: Judged) -> Iterator[Note]:
    if judged.by_strengths and judged.asked.anchor is None:
        yield Note("note", f"The Elo scale has no fixed zero: the mean of these systems is set to {MEAN:.0f}.")


_TOO_SMALL = 1.1
"""The design effect of a round robin is 5 to 10% too small where judgements of a document are alike."""


@dataclass(frozen=True)
class PreferencePlan(Record):
    """How many judgements show a difference with this power."""

    win_rate: Annotated[Number, about("Share of judgements that the better system wins; a tie counts as half a win.")]
    ties: Annotated[Number, about("Share of ties.")]
    icc: Annotated[Number, about("Correlation between two judgements of the same document.")]
    per_document: Annotated[Count, about("Number of judgements per document.")]
    systems: Annotated[Count, about("Number of systems; all pairs are compared equally often.")]
    level: Annotated[Number, about("Confidence level: 1 minus the error rate.")]
    power: Annotated[Number, about("Probability that a campaign of this size detects the difference.")]
    judgements: Annotated[Number, about("Number of judgements needed, over all pairs.")]
    pilot: Annotated[Count, about("Number of documents in the pilot; 0 if there is none.")] = 0

    @property
    def documents(self) -> int:
        """Documents that are needed."""
        return ceil(self.judgements / self.per_document)

    @property
    def sentence(self) -> str:
        """What is needed, in one sentence."""
        pairs = self.systems * (self.systems - 1) // 2
        of = "" if pairs == 1 else f" between two of {self.systems} systems, after correction for {pairs} comparisons,"
        return (
            f"About {self.judgements:,.0f} judgements ({self.documents:,} documents with {self.per_document} each) are "
            f"needed to detect {self.win_rate:.0%} against {1 - self.win_rate:.0%}{of} at {self.power:.0%} power and "
            f"{self.ties:.0%} ties{f' (estimated from {self.pilot:,} pilot documents)' if self.pilot else ''}."
        )


def plan_preferences(
    win_rate: float = 0.55, ties: float = 0.3, icc: float = 0.1, per_document: int = 5, systems: int = 2, *,
    level: float = 0.95, power: float = 0.8,
) -> PreferencePlan:  # fmt: skip
    """Compute how many judgements are needed to detect a difference.

    For one pair, N = (z_{1−α/2} + z_power)² · ((1 − t) − (2w − 1)²)/(2w − 1)² · (1 + (m − 1) ICC), with win rate w (a
    tie is half a win), share of ties t, and m judgements per document. For a round robin of s systems with log odds δ
    of a win without ties, N = (z + z)² · 4(s − 1)/((1 − t) δ²) · (1 + (m/(s − 1) − 1) ICC), with z corrected for all
    pairs (Bonferroni). If judgements are correlated, N is a tenth larger, as found by simulation.

    Raises
    ------
    InvalidOption
        A share is out of range, or the difference to detect is zero.

    Examples
    --------
    >>> from mtsig.campaign import plan_preferences
    >>> print(plan_preferences(0.55).sentence)
    About 758 judgements (152 documents with 5 each) are needed to detect 55% against 45% at 80% power and 30% ties.
    """
    check_level(level)
    check_level(power)
    if not 0.5 < win_rate < 1 or not 0 <= ties < 1 or not 0 <= icc <= 1 or per_document < 1 or systems < 2:
        raise InvalidOption(
            "A plan needs a win rate between .5 and 1, a share of ties from 0 to below 1, an ICC from 0 to 1, at least "
            f"1 judgement per document and 2 systems; found {win_rate}, {ties}, {icc}, {per_document} and {systems}."
        )
    pairs = systems * (systems - 1) / 2
    alpha = (1 - level) / pairs
    both = (normal_quantile(1 - alpha / 2) + normal_quantile(power)) ** 2
    net, odds = 2 * win_rate - 1, _odds(win_rate, ties)
    if systems == 2:
        needed = both * ((1 - ties) - net**2) / net**2 * (1 + (per_document - 1) * icc)
    else:
        effect = max(1.0, 1 + (per_document / (systems - 1) - 1) * icc)
        needed = both * 4 * (systems - 1) / ((1 - ties) * odds**2) * effect * (_TOO_SMALL if icc > 0 else 1)
    return PreferencePlan(win_rate, ties, icc, per_document, systems, level, power, float(needed))


def plan_like(judged: Judged, win_rate: float = 0.55, *, power: float = 0.8) -> PreferencePlan:
    """Return how many judgements like these a difference needs: by the standard error of the median pair.

    Raises
    ------
    InvalidOption
        The win rate or the power is out of range.
    """
    check_level(power)
    if judged.asked.grades == "margin":
        raise NotApplicable("A plan for a win rate needs verdicts by who wins (--grades sign).")
    data, level = analysed(judged.preferences), judged.settings.level
    ties, documents = float((data.outcome == 0).mean()), len(data.documents)
    if not 0.5 < win_rate < 1:
        raise InvalidOption(f"A plan needs a win rate between .5 and 1; found {win_rate}.")
    difference = ELO * _odds(win_rate, ties) if judged.by_strengths else 100 * (2 * win_rate - 1)
    family = judged.study.results[0].compared
    known = np.flatnonzero(family.standard_error > 0)
    if not len(known):
        raise NotApplicable("A plan needs the standard error of a pair, and no pair has one.")
    at = known[np.argsort(family.standard_error[known])[len(known) // 2]]
    pilot, df = int(family.units[at]), float(family.df[at])
    tail = (1 - level) / 2 / len(family)
    needed = smallest_units(float(family.standard_error[at]), df, pilot, difference, tail, power, True, df)
    each = max(1, round(len(data) / documents))
    # A pair may be in few of the documents.
    whole = needed * documents / pilot * each
    systems = len(data.systems)
    return PreferencePlan(win_rate, ties, nan, each, systems, level, power, float(whole), documents)


def _odds(win_rate: float, ties: float) -> float:
    """Return the log odds of decided judgements, of which the better system wins (w − t/2)/(1 − t)."""
    decided = (win_rate - ties / 2) / (1 - ties) if ties < 1 else 1.0
    if decided >= 1:
        raise InvalidOption(f"If {ties:.0%} are ties, counted as half, a system cannot win {win_rate:.0%}.")
    return log(decided / (1 - decided))
