"""Compare and adjust: statistics, a test and pairs go in; a family comes out, and is corrected for its size."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from mtsig._arguments import expect_arguments
from mtsig._probability import check_level, t_quantile, tolerance
from mtsig._records import Floats
from mtsig.corpus import Note
from mtsig.corpus._inspection import MIN_DOCUMENTS
from mtsig.errors import InvalidOption, NotApplicable, expect, find
from mtsig.inference._corrections import Correction, Holm, JudgedTogether, OfPValues
from mtsig.inference._dependence import Doubt, cautions, doubt_of_counts, doubts, order_facts
from mtsig.inference._family import Drawn, Family, with_adjusted
from mtsig.inference._intervals import INTERVALS, IntervalMethod, ends_of, fallback_note
from mtsig.inference._means import CORRECTIONS
from mtsig.inference._significance import AUTO, DEFAULTS, TESTS, must_be_named
from mtsig.inference._significance._base import Outcome, SignificanceTest
from mtsig.inference._significance._jackknife import seconding_p
from mtsig.inference._targets import PairChoice, Pairs, Scores, pairs_of, with_shared_units
from mtsig.metrics import Rated, Statistics
from mtsig.metrics._metric import sign_of
from mtsig.metrics._statistics import Unit, expect_statistics
from mtsig.metrics._sums import side_by_side
from mtsig.resampling import Bootstrap, Distribution, Purpose, Words


def compare(
    statistics: Statistics,
    test: str | SignificanceTest = AUTO,
    pairs: PairChoice = "all",
    *,
    interval: str | IntervalMethod = AUTO,
    level: float = 0.95,
    drawn: Distribution | None = None,
) -> Family:
    """Return the comparisons of the chosen pairs, not yet corrected: `adjust` does that.

    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> mtsig.inference.compare(statistics, "ar", pairs="direct")
    <Family in BLEU: 4 comparisons by ar, correction none>

    Args:
        statistics: what `measure` returned.
        test: a name in TESTS, a test object with its own scheme, or "auto": the jackknife t test over documents (of
            which there must be ten) or blocks of consecutive segments, approximate randomization over segments. A test
            that is named takes segments where documents are unknown, also where neighbours are alike.
        pairs: "all", a system (every other system against it), or a list of (first, second).
        interval: a name in INTERVALS, a method object, or "auto" for the jackknife, for the differences.
        level: coverage of the intervals; 1 − level is the error rate of the test.
        drawn: the bootstrap distribution by the test's own scheme, when it was drawn together with other metrics'.

    Raises:
        UnknownName: no such test, interval or system.
        InvalidOption: the level is out of range.
        NotApplicable: there are fewer than two systems, or the data do not carry the method.
    """
    check_level(level)
    return adjust(family_of(put_to_test(statistics, test, pairs, drawn), interval, level), "none")


@dataclass(frozen=True, eq=False)
class Tested:
    """What a test makes of pairs, whatever the level, the interval and the correction: all that is drawn.

    wins, ties: shares of redraws, shape (m,) each. left_out, ignored: notes on the pairs and on the units.
    """

    test: SignificanceTest
    targets: Pairs
    outcome: Outcome
    wins: Floats
    ties: Floats
    left_out: tuple[Note, ...] = ()
    ignored: tuple[Note, ...] = ()


def put_to_test(
    statistics: Statistics,
    test: str | SignificanceTest = AUTO,
    pairs: PairChoice = "all",
    drawn: Distribution | None = None,
) -> Tested:
    """Return what a test makes of the chosen pairs; arguments and errors are those of `compare`."""
    expect_statistics(statistics)
    by_order = test == AUTO
    chosen = find(TESTS, DEFAULTS[statistics.at("auto").unit].test if by_order else test, "test")
    if chosen.alternative != "two-sided" and pairs == "all":
        raise InvalidOption(
            "A one-sided test needs a direction for every ordered pair, declared before looking: give a baseline (the "
            "others are tested against it) or a list of pairs, not all pairs."
        )
    # The bootstrap behind intervals and win rates has as many draws, from the same seed, as the test.
    drawn_unit: Unit = "segment" if chosen.segment_only else chosen.scheme.unit
    scheme = Bootstrap(chosen.scheme.n_draws, chosen.scheme.seed, drawn_unit)
    scores = Scores(statistics.at(scheme.unit, by_order=by_order), scheme, drawn)
    targets, left_out = with_shared_units(pairs_of(scores, pairs), asked_for=not isinstance(pairs, str))
    _check_memory(len(targets.first), scheme.n_draws)
    outcome = chosen(targets)
    wins, ties = win_rates(targets)
    return Tested(chosen, targets, outcome, wins, ties, left_out, _documents_ignored(statistics, chosen))


def family_of(made: Tested, interval: str | IntervalMethod = AUTO, level: float = 0.95) -> Family:
    """Return the comparisons that a test made, with intervals at a level; `adjust` has to come next."""
    chosen, targets, outcome = made.test, made.targets, made.outcome
    statistics = targets.statistics
    interval = DEFAULTS[statistics.unit].interval if interval == AUTO else interval
    (low, high), methods = ends_of(targets, interval, level)
    method = find(INTERVALS, interval, "interval")
    farthest = method.farthest(targets) if method.holds_together else None
    pair_names = [" – ".join(pair) for pair in targets.labels]
    heaviest = targets.heaviest
    doubtful = _doubts(targets, chosen)
    compared = {name for pair in targets.labels for name in pair}
    columns = Family.columns(
        len(pair_names),
        metric=statistics.metric.name,
        signature=statistics.signature,
        first=[first for first, _ in targets.labels],
        second=[second for _, second in targets.labels],
        difference=targets.estimate,
        ci_low=low,
        ci_high=high,
        interval=methods,
        standard_error=targets.standard_error,
        df=targets.df,
        p_value=outcome.p_value,
        p_mc_low=outcome.p_mc_low,
        p_mc_high=outcome.p_mc_high,
        p_adjusted=outcome.p_value,
        p_adjusted_mc_low=outcome.p_mc_low,
        p_adjusted_mc_high=outcome.p_mc_high,
        exact=outcome.exact,
        units=targets.units,
        segments=targets.segments,
        n_differing=targets.n_differing,
        bootstrap_win_rate=made.wins,
        tie_rate=made.ties,
        level=level,
        test=chosen.name,
        correction="none",
        family_size=len(pair_names),
        unit=statistics.unit,
        alternative=chosen.alternative,
        estimand=chosen.estimand,
        is_quality_metric=statistics.metric.is_quality_metric,
        controls_type1=chosen.controls_type1,
        decimals=statistics.metric.decimals,
        higher_is_better=statistics.metric.higher_is_better,
        rated=isinstance(statistics.metric, Rated),
        complete=outcome.complete,
        order=tuple(name for name in statistics.contenders_first if name in compared),
        unmatched=[lack.said if lack else "" for lack in targets.unmatched],
        smoothed_difference=[lack.difference if lack else np.nan for lack in targets.unmatched],
        smoothed_error=[lack.error if lack else np.nan for lack in targets.unmatched],
        data_caveat=[doubt.said for doubt in doubtful],
        data_caveat_id=[doubt.of for doubt in doubtful],
        heaviest_share=heaviest[:, 0],
        heaviest=targets.heaviest_name,
        without_heaviest=heaviest[:, 2],
        **order_facts(statistics),
    )
    return Family(
        **columns,
        test=chosen,
        scheme=targets.scheme,
        drawn=Drawn(statistics, outcome.null, farthest),
        notes=statistics.notes
        + statistics.metric.caveats(statistics)
        + made.left_out
        + made.ignored
        + tuple(Note("warning", text) for text in outcome.notes)
        + fallback_note(pair_names, methods, interval)
        + tuple(cautions(targets)),
        apart={name: said for name, said in statistics.apart.items() if name in compared},
    )


def _doubts(targets: Pairs, chosen: SignificanceTest) -> tuple[Doubt, ...]:
    """Return for each pair why no verdict can be given whatever its p-value; empty where one can."""
    if must_be_named(chosen.name, targets.statistics.unit):
        # What the units are worth is a caution beside the answer of a test that was asked for, and bars no other's.
        return (doubt_of_counts(targets.statistics),) * len(targets.labels)
    return tuple(
        Doubt(lack.data_caveat, "no match") if lack and lack.data_caveat and not doubt.said else doubt
        for doubt, lack in zip(doubts(targets), targets.unmatched, strict=True)
    )


def _documents_ignored(statistics: Statistics, test: SignificanceTest) -> tuple[Note, ...]:
    """Return a warning where a test that knows segments only is used although there are documents enough."""
    if not test.segment_only or statistics.clustered or (statistics.n_documents or 0) < MIN_DOCUMENTS:
        return ()
    text = (
        "This test treats segments as independent, although their documents are known: where sentences of one "
        "document go together, its p-values are too small. The jackknife t test takes documents as units."
    )
    return (Note("warning", text),)


MOST_NUMBERS = 2**27
"""Differences kept for one family (comparisons × draws): 1 GiB as float64, several times that while they are made."""


def _check_memory(comparisons: int, draws: int) -> None:
    if comparisons * draws > MOST_NUMBERS:
        raise NotApplicable(
            f"{comparisons} comparisons × {draws:,} draws do not fit in memory; at most "
            f"{MOST_NUMBERS // comparisons:,} draws go with so many comparisons. Compare fewer systems, or against one."
        )


def win_rates(targets: Pairs) -> tuple[Floats, Floats]:
    """Return the shares of resamples where the first system is better, and where the two are equal; shape (m,) each."""
    slack = tolerance(targets.estimate)[:, None]
    draws = targets.draws
    wins = np.count_nonzero(draws > slack, axis=-1) / draws.shape[1]
    ties = np.count_nonzero(np.abs(draws) <= slack, axis=-1) / draws.shape[1]
    return wins, ties


def influential_segments(statistics: Statistics, first: str, second: str, count: int = 5) -> list[tuple[int, float]]:
    """Return the units that move the difference most: (number, contribution), the strongest for `first` first.

    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> mtsig.influential_segments(statistics, "direct", "via-catalan", count=1)
    [(140, 0.20774485370830065), (129, -0.13428481339875914)]

    The number is the segment's in the corpus, from 0; a document's where units are documents. `count` units speak for
    the first system and `count` for the second. A contribution is the unit's influence on the difference of corpus
    scores (docs/statistics/intervals.md, section 1); over all units they sum to about 0.

    Raises:
        UnknownName: no such system.
        NotApplicable: the score of one of them has no derivative.
        InvalidOption: an argument is of another kind.
    """
    expect_statistics(statistics)
    expect_arguments(influential_segments, locals())
    statistics = statistics.shared_by([first, second])
    moved = sign_of(statistics.metric) * (statistics.influence[0] - statistics.influence[1])
    if np.isnan(moved).any():
        raise NotApplicable("Some n-gram order has no match: the score has no derivative, so no unit has a share.")
    order = np.argsort(-moved, kind="stable")
    chosen = [*order[:count], *order[max(count, len(order) - count) :]]
    numbers = statistics.numbers if statistics.unit == "segment" else None
    return [(int(i if numbers is None else numbers[i]), float(moved[i])) for i in chosen if moved[i] != 0]


def adjust(family: Family, correction: str | Correction = AUTO) -> Family:
    """Return the family with p-values corrected for its m comparisons; what was corrected before is corrected anew.

    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> mtsig.adjust(mtsig.inference.compare(statistics, pairs="direct"), "holm")
    <Family in BLEU: 4 comparisons by jackknife-t, correction holm>

    "auto" is Holm over documents, and step-down min-P over segments for tests that have joint draws. Corrections that
    use joint draws under the null give way to Holm for tests that have none, and a note says so.

    Raises:
        UnknownName: no such correction.
        NotApplicable: the correction is for segment means, and the metric is none.
        InvalidOption: an argument is of another kind.
    """
    expect(family, Family, "Give a family of comparisons, as inference.compare(statistics) makes it")
    expect_arguments(adjust, locals())
    return adjust_together([family], correction)[0]


def adjust_together(families: Sequence[Family], correction: str | Correction = AUTO) -> list[Family]:
    """Return the families corrected as one: for all comparisons of all their metrics.

    A correction starts from the raw p-values, whatever was done to them before. Comparisons over segments that stand
    beside those over documents are corrected in the same way; doubts, such as about kin of a reference, stay.

    >>> import mtsig
    >>> from mtsig.inference import compare
    >>> from mtsig.inference._adjust import adjust_together
    >>> corpus = mtsig.read_sample()
    >>> families = [compare(mtsig.measure(corpus, name)) for name in ("bleu", "chrf")]
    >>> [family.family_size for family in adjust_together(families, "holm")]
    [20, 20]

    Raises:
        UnknownName: no such correction.
        NotApplicable: the families come from different tests, or the correction is for one metric only.
    """
    for family in families:
        expect(family, Family, "Give a family of comparisons, as inference.compare(statistics) makes it")
    by_default = correction == AUTO
    chosen = find(CORRECTIONS, _default(families) if correction == AUTO else correction, "correction")
    if len({(judged_family.test, judged_family.level) for judged_family in families}) > 1:
        raise NotApplicable("Only comparisons by the same test at the same level can be judged together.")
    judged = _judged(families, chosen)
    notes: tuple[Note, ...] = ()
    if np.isnan(judged.p_value).all():
        chosen = CORRECTIONS["none"]
    elif len(judged.p_value) > 1 and not _has(judged, chosen):
        why = _not_joint(families) or f"{families[0].test.name} has no {chosen.needs} to use for {chosen.label}"
        note = Note("note", f"{why}; Holm is used instead.", "correction")
        chosen, notes = CORRECTIONS["holm"], () if by_default else (note,)
    notes += _shared_note(judged, chosen)
    p, low, high = _corrected(judged, chosen)
    second = seconding(families, chosen)
    changed, start = [], 0
    for each in families:
        part = slice(start, start + len(each))
        changed.append(
            replace(
                each.changed(
                    p_adjusted=p[part],
                    p_adjusted_mc_low=low[part],
                    p_adjusted_mc_high=high[part],
                    p_jackknife=second[part],
                    correction=chosen.name,
                    family_size=len(judged.p_value),
                ),
                notes=_uncorrected(each.notes) + notes + _floor_note(each, chosen, len(judged.p_value)),
            )
        )
        start += len(each)
    return with_adjusted(changed, chosen)


def _default(families: Sequence[Family]) -> str:
    """Return the name of the correction that stands for "auto"; Holm where units differ from family to family."""
    units = {family.unit for family in families}
    return DEFAULTS[units.pop()].correction if len(units) == 1 else Holm.name


def seconding(families: Sequence[Family], chosen: Correction) -> Floats:
    """Return the p of the jackknife t test beside exchanges that it must second, corrected by Holm; NaN beside others.

    It must where documents are exchanged, and where the score has no derivative. Uncorrected where the family is. Where
    it has no p it seconds nothing: 1. Comparisons that need no second are judged together with the others, by the
    test's own p: so many claims can be false.
    """
    asked = np.concatenate([
        [family.test.exchanges and (family.unit != "segment" or bool(lack)) for lack in family.unmatched]
        for family in families
    ])  # fmt: skip
    jackknifed = np.concatenate([
        seconding_p(
            family.difference, family.standard_error, family.df, family.smoothed_difference, family.smoothed_error,
            family.test.alternative,
        )
        for family in families
    ])  # fmt: skip
    own = np.concatenate([family.p_value for family in families])
    p = np.nan_to_num(np.where(asked, jackknifed, own), nan=1.0)
    second = CORRECTIONS["none"] if chosen.controls == "each comparison" else CORRECTIONS["holm"]
    corrected = second.adjusted(p) if isinstance(second, OfPValues) and asked.any() else p
    return np.where(asked, corrected, np.nan)


def _corrected(judged: JudgedTogether, chosen: Correction) -> tuple[Floats, Floats, Floats]:
    """Return the corrected p-values, and what they could be if drawing never ended (low, high)."""
    raw = judged.p_value, judged.p_mc_low, judged.p_mc_high
    if len(judged.p_value) == 1 and chosen.needs != "segment means":
        # One comparison has nothing to be corrected for.
        return raw
    # Whatever the correction makes of its draws: a comparison without a p-value has no corrected one.
    p, low, high = (np.where(np.isnan(judged.p_value), np.nan, values) for values in chosen(judged))
    if chosen.needs == "segment means":
        return p, low, high
    # The raw p may come from other draws than those that are joint: none is made smaller by company.
    return np.fmax(p, raw[0]), np.fmax(low, raw[1]), np.fmax(high, raw[2])


def hold_together(families: Sequence[Family]) -> list[Family]:
    """Return the families with simultaneous intervals that hold for all comparisons of all their metrics.

    One factor for all, from the farthest comparison of each redraw, where metrics share their redraws. Else by
    Bonferroni: where redraws are not used (see `methods.Simultaneous`) over all comparisons, and where metrics redraw
    each by itself at 1 − (1 − level)/k of k metrics. Other intervals stay.
    """
    if len(families) == 1 or not any(comparison.held_together for family in families for comparison in family):
        return list(families)
    farthest = [family.farthest for family in families if family.farthest is not None]
    if len(farthest) < len(families):
        share = 1 - families[0].alpha / 2 / sum(len(family) for family in families)
        return [_widened(family, np.asarray(t_quantile(share, family.df))) for family in families]
    shared = len({(family.scheme, family.statistics.n, _segments(family)) for family in families}) == 1
    if shared:
        factors = [np.quantile(np.max(farthest, axis=0), families[0].level)] * len(families)
    else:
        factors = [
            np.quantile(family, 1 - own.alpha / len(families)) for family, own in zip(farthest, families, strict=True)
        ]
    return [_widened(family, np.asarray(factor)) for family, factor in zip(families, factors, strict=True)]


def _widened(family: Family, factor: Floats) -> Family:
    changed = np.array([comparison.held_together for comparison in family])
    half = factor * family.standard_error
    low = np.where(changed, family.difference - half, family.ci_low)
    return family.changed(ci_low=low, ci_high=np.where(changed, family.difference + half, family.ci_high))


def _joint(family: Family) -> Floats | None:
    """Return joint draws that the test makes only when a correction asks for them."""
    scores = Scores(family.statistics, family.scheme)
    return family.test.joint(pairs_of(scores, list(zip(family.first, family.second, strict=True))))


def _with_null(family: Family) -> Family:
    return replace(family, drawn=Drawn(family.statistics, _joint(family), family.farthest))


def _has(judged: JudgedTogether, chosen: Correction) -> bool:
    if chosen.needs == "exchanges":
        return judged.null is not None and judged.scale is not None
    return chosen.needs != "joint draws" or judged.null is not None


def _shared_note(judged: JudgedTogether, chosen: Correction) -> tuple[Note, ...]:
    """Say on what a method stands that needs every system on every segment, where some lack some."""
    statistics = judged.statistics
    if chosen.needs != "segment means" or statistics is None or statistics.available is None:
        return ()
    units = statistics.units_of(statistics.systems)
    text = (
        f"{chosen.label} needs {statistics.unit}s that all systems have: its p-values stand on the {units} of "
        f"{statistics.n} that all {len(statistics.systems)} share."
    )
    return (Note("warning", text, "correction"),)


def _judged(families: Sequence[Family], chosen: Correction) -> JudgedTogether:
    if chosen.needs == "joint draws":
        families = [family if family.null is not None else _with_null(family) for family in families]

    def joined(name: str) -> Floats:
        return np.concatenate([getattr(family, name) for family in families])

    only = families[0] if len(families) == 1 else None
    return JudgedTogether(
        p_value=joined("p_value"),
        p_mc_low=joined("p_mc_low"),
        p_mc_high=joined("p_mc_high"),
        exact=np.concatenate([family.exact for family in families]),
        difference=joined("difference"),
        null=_joint_null(families),
        complete=all(family.complete for family in families),
        alternative=families[0].test.alternative,
        scale=np.concatenate([_swap_invariant(family) for family in families])
        if chosen.needs == "exchanges" and families[0].test.exchanges
        else None,
        statistics=None if only is None else only.statistics,
        first=_rows(families[0], families[0].first),
        second=_rows(families[0], families[0].second),
    )


def _joint_null(families: Sequence[Family]) -> Floats | None:
    """Return the draws of all comparisons, column by column from their joint law; None when they have none.

    Metrics of one test set share their exchanges. Different test sets are independent: there the columns of all but the
    first are put into a random order, since with one seed sets of other sizes are drawn from overlapping words. Sets of
    the same size may share their exchanges, too: exchanging in both at once leaves the null law of both as it is.
    """
    if any(judged_family.null is None for judged_family in families) or _not_joint(families) is not None:
        return None
    sets = list(dict.fromkeys(map(_set_of, families)))
    draws = []
    for family in families:
        null, number = np.asarray(family.null), sets.index(_set_of(family))
        order = np.argsort(
            Words(family.scheme.seed, number, Purpose.PAIRED_SETS).take(1, null.shape[1])[0], kind="stable"
        )
        draws.append(null[:, order] if number else null)
    return np.concatenate(draws)


def _not_joint(families: Sequence[Family]) -> str | None:
    """Return why draws of several families are not joint, though each has some; None when they are, or there are none.

    Complete enumerations run over the units that differ, which are others for every metric. Metrics that count other
    segments of one test set depend on each other in a way that neither shared nor independent draws have; test sets are
    known by their digests.
    """
    if len(families) == 1 or any(judged_family.null is None for judged_family in families):
        return None
    if any(judged_family.complete for judged_family in families):
        return "All exchanges were enumerated for a metric by itself, so there are no draws that several share"
    digests: dict[tuple[int, bytes], set[str]] = {}
    for family in families:
        digests.setdefault(_set_of(family), set()).add(family.statistics.digest)
    known = [digest for result in digests.values() for digest in result]
    if len(digests) > 1 and ("" in known or len(set(known)) < len(known)):
        return "The metrics count different segments, not known to be of different test sets, so no draws are joint"
    return None


def _set_of(family: Family) -> tuple[int, bytes]:
    """Return what tells the draws of one test set from those of another: its units, and the segments that count."""
    return family.statistics.n, _segments(family)


def _segments(family: Family) -> bytes:
    """Return what tells whether two metrics count the same segments of the corpus."""
    numbers = family.statistics.numbers
    return b"" if numbers is None else numbers.astype(np.int64).tobytes()


def _rows(family: Family, names: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([family.statistics.row(name) for name in names], dtype=np.int64)


def _swap_invariant(family: Family) -> Floats:
    """Return SE0 of every comparison: the spread of w_i = grad f(M)·(s_Xi − s_Yi), M halfway between the totals."""
    first, second = _rows(family, family.first), _rows(family, family.second)
    statistics, first, second = side_by_side(family.statistics, first, second)
    middle = (statistics.sums[:, first] + statistics.sums[:, second]) / 2
    slopes = sign_of(statistics.metric) * statistics.metric.gradient(middle)
    mask = np.empty(len(family))
    for i, (x, y) in enumerate(zip(first, second, strict=True)):
        gaps = statistics.values[:, x].astype(np.float64) - statistics.values[:, y]
        mask[i] = np.sqrt(np.square(np.einsum("k,kn->n", slopes[:, i], gaps)).sum())
    return np.nan_to_num(mask, nan=0.0)


def _times(chosen: Correction, m: int, floor: float) -> float:
    """Return by how much the correction multiplies m equal p-values at the floor."""
    if not isinstance(chosen, OfPValues):
        return float(m)
    floor = min(floor, 1e-3 / m)  # far from where corrections are cut off at 1
    return float(chosen.adjusted(np.full(m, floor)).min() / floor)


def _uncorrected(notes: tuple[Note, ...]) -> tuple[Note, ...]:
    """Return the notes without what an earlier correction had to say."""
    return tuple(note for note in notes if note.about != "correction")


def _floor_note(family: Family, chosen: Correction, m: int) -> tuple[Note, ...]:
    """Say so when so few draws cannot, or may not, reach significance (docs/statistics/index.md, section 3).

    A drawn p is at least 1/(R + 1); corrections of p-values multiply it by up to m, those by joint draws only where
    draws tie at that floor.
    """
    draws = family.test.scheme.n_draws
    by_draws = chosen.needs in ("joint draws", "exchanges")
    drawn = not family.complete if by_draws else bool(np.any(family.p_mc_low < family.p_mc_high))
    if chosen.needs == "segment means" or not drawn:
        return ()
    least = family.test.least_extreme
    single = chosen.controls == "each comparison"
    # At best all p-values stand at their floor: what the correction makes of such a family.
    best = 1.0 if by_draws else _times(chosen, m, least / (draws + 1))
    for verb, factor in (("cannot", best), ("may not", 1 if single else m)):
        needed = int(np.ceil(least * factor / family.alpha - 1e-9)) - 1
        if draws < needed:
            text = f"{draws} draws {verb} reach significance in a family of {m}: at least {needed} are needed."
            return (Note("warning", text, "correction"),)
    return ()
