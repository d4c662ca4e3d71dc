"""Compare pairs of systems by a test, and correct the p-values for the number of comparisons."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from mtsig._options import expect_arguments
from mtsig._probability import check_level, t_quantile, tolerance
from mtsig._records import Floats
from mtsig.corpus import Note
from mtsig.corpus._notes import MIN_DOCUMENTS, ranked_systems
from mtsig.errors import InvalidOption, NotApplicable, expect, find
from mtsig.inference import _targets
from mtsig.inference._corrections import CORRECTIONS, CorrectedTogether, Correction, Holm, OfPValues
from mtsig.inference._family import Drawn, Family, with_adjusted
from mtsig.inference._intervals import INTERVALS, IntervalMethod, default_of, ends_of, fallback_note
from mtsig.inference._significance import AUTO, DEFAULTS, Outcome, SignificanceTest, must_be_named
from mtsig.inference._targets import PairChoice, Pairs, Scores, draws_in_parts, pairs_of, with_shared_units
from mtsig.inference._tests import TESTS, seconding_p
from mtsig.metrics import Rated, Statistics
from mtsig.metrics._metric import sign_of
from mtsig.metrics._statistics import Unit, expect_statistics
from mtsig.metrics._sums import side_by_side
from mtsig.resampling import Bootstrap, Distribution, Purpose, Words


def compare(
    statistics: Statistics, test: str | SignificanceTest = AUTO, pairs: PairChoice = "all", *,
    interval: str | IntervalMethod = AUTO, level: float = 0.95, drawn: Distribution | None = None,
) -> Family:  # fmt: skip
    """Test the differences between pairs of systems by one metric, not yet corrected.

    `mtsig.adjust` corrects the p-values for their number; `Settings.family` tests and corrects in one step.

    Parameters
    ----------
    statistics : Statistics
        What `measure` returns.
    test : str or SignificanceTest, default "auto"
        A name in TESTS, or a test object with its own scheme. "auto" is the jackknife t-test over documents (at least
        ten) or over blocks of consecutive segments, and approximate randomization over segments. A test chosen by name
        uses segments if documents are unknown.
    pairs : "all", str, or a list of (first, second)
        "all" for all pairs, the name of one system to compare all others with, or a list of pairs.
    interval : str or IntervalMethod, default "auto"
        A name in INTERVALS, or a method object, for the intervals of differences; "auto" is the jackknife.
    level : float, default 0.95
        Coverage of the intervals; 1 − level is α of the test.
    drawn : Distribution, optional
        The bootstrap distribution of the same scheme as the test's, if it was already drawn.

    Returns
    -------
    family : Family
        One row per pair; a positive difference favours the first system. All columns have shape (n_comparisons,).

    Raises
    ------
    UnknownName
        There is no test, interval method or system of that name.
    InvalidOption
        The level is out of range.
    NotApplicable
        There are fewer than two systems, or the data do not allow the method.

    Notes
    -----
    The jackknife t-test: t = d/SE, with the standard error and degrees of freedom of the interval [1]_.

    Approximate randomization: swap the two outputs of each unit with probability ½, R times. In c of the R times, the
    difference is at least as large as the observed one. Then p = (c + 1)/(R + 1). If at most 20 units differ, all swaps
    are enumerated [2]_.

    Both tests are paired: effects that the two systems share, such as hard segments, cancel out.

    References
    ----------
    .. [1] Efron (1982); Bell and McCaffrey (2002).
    .. [2] Riezler and Maxwell (2005).

    Examples
    --------
    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> family = mtsig.inference.compare(statistics, "ar", pairs="direct")
    >>> family
    <Family in BLEU: 4 comparisons by ar, correction none>
    >>> round(family[0].difference, 2), family[0].p_value < 0.05
    (-0.47, True)
    """
    check_level(level)
    return adjust(family_of(tested(*prepared(statistics, test, pairs, drawn)), interval, level), "none")


@dataclass(frozen=True, eq=False)
class Tested:
    """What a test returns for pairs, before any level, interval or correction is applied.

    wins, ties: shares of resamples, shape (m,) each. notes: remarks on the pairs and on the units.
    """

    test: SignificanceTest
    targets: Pairs
    outcome: Outcome
    wins: Floats
    ties: Floats
    notes: tuple[Note, ...] = ()


def prepared(
    statistics: Statistics, test: str | SignificanceTest, pairs: PairChoice, drawn: Distribution | None
) -> tuple[SignificanceTest, Pairs, tuple[Note, ...]]:
    """Return the test, what it is made of, and what to know of pairs that are left out."""
    expect_statistics(statistics)
    by_order = test == AUTO
    chosen = find(TESTS, DEFAULTS[statistics.at("auto").unit].test if by_order else test, "test")
    if chosen.alternative != "two-sided" and pairs == "all":
        raise InvalidOption(
            "A one-sided test needs a direction for every pair, fixed in advance. Give a baseline, against which the "
            "others are tested, or a list of ordered pairs."
        )
    # The bootstrap behind intervals and win rates has as many draws, from the same seed, as the test.
    drawn_unit: Unit = "segment" if chosen.segment_only else chosen.scheme.unit
    scheme = Bootstrap(chosen.scheme.n_draws, chosen.scheme.seed, drawn_unit)
    scores = Scores(statistics.at(scheme.unit, by_order=by_order), scheme, drawn)
    targets, left_out = with_shared_units(pairs_of(scores, pairs), asked_for=not isinstance(pairs, str))
    return chosen, targets, left_out + _documents_ignored(statistics, chosen)


def tested(chosen: SignificanceTest, targets: Pairs, notes: tuple[Note, ...]) -> Tested:
    refuse_many_draws(targets.judged, targets.scheme.n_draws)
    outcome = chosen(targets)
    return Tested(chosen, targets, outcome, *win_rates(targets), notes)


def family_of(made: Tested, interval: str | IntervalMethod = AUTO, level: float = 0.95) -> Family:
    """Return the comparisons of a test, with intervals at a level; call `adjust` next."""
    chosen, targets, outcome = made.test, made.targets, made.outcome
    statistics = targets.statistics
    interval = default_of(targets) if interval == AUTO else interval
    (low, high), methods = ends_of(targets, interval, level)
    method = find(INTERVALS, interval, "interval")
    farthest = method.farthest(targets) if method.holds_together else None
    pair_names = [" – ".join(pair) for pair in targets.labels]
    heaviest = targets.heaviest
    doubtful = _doubts(targets, chosen)
    compared = {name for pair in targets.labels for name in pair}
    order = tuple(name for name in statistics.contenders_first if name in compared)
    unranked = {name: said for name, said in statistics.unranked.items() if name in compared}
    one_unit = statistics.available is None
    best = targets.scores.distribution.best_rate(ranked_systems(order, unranked)) if one_unit else {}
    return Family.of_outcome(
        targets.labels,
        chosen,
        outcome,
        targets.scheme,
        Drawn(statistics, outcome.null, farthest, of_part=targets.whole is not None, best_rate=best),
        notes=statistics.notes
        + statistics.metric.caveats(statistics)
        + made.notes
        + tuple(Note("warning", text) for text in outcome.notes)
        + fallback_note(pair_names, methods, interval)
        + tuple(_targets.cautions(targets)),
        unranked=unranked, metric=statistics.metric.name, signature=statistics.signature, difference=targets.estimate,
        ci_low=low, ci_high=high, interval=methods, standard_error=targets.standard_error, df=targets.df,
        units=targets.units, segments=targets.segments, n_differing=targets.n_differing, bootstrap_win_rate=made.wins,
        tie_rate=made.ties, level=level, unit=statistics.unit, is_quality_metric=statistics.metric.is_quality_metric,
        decimals=statistics.metric.decimals, widest=1.0 if statistics.right_or_wrong else statistics.metric.widest,
        higher_is_better=statistics.metric.higher_is_better, rated=isinstance(statistics.metric, Rated), order=order,
        unmatched=[lack.said if lack else "" for lack in targets.unmatched],
        smoothed_difference=[lack.difference if lack else np.nan for lack in targets.unmatched],
        smoothed_error=[lack.error if lack else np.nan for lack in targets.unmatched],
        data_caveat=[doubt.said for doubt in doubtful], data_caveat_id=[doubt.of for doubt in doubtful],
        heaviest_share=heaviest[:, 0], heaviest=targets.heaviest_name, without_heaviest=heaviest[:, 2],
        **_targets.order_facts(statistics),
    )  # fmt: skip


def _doubts(targets: Pairs, chosen: SignificanceTest) -> tuple[_targets.Doubt, ...]:
    """Return for each pair why no verdict can be given whatever its p-value; empty where one can."""
    if must_be_named(chosen.name, targets.statistics.unit):
        # What the units are worth is a caution beside the answer of a test that was asked for, and bars no other's.
        return _targets.doubts_of_counts(targets)
    return tuple(
        _targets.Doubt(lack.data_caveat, "no match") if lack and lack.data_caveat and not doubt.said else doubt
        for doubt, lack in zip(_targets.doubts(targets), targets.unmatched, strict=True)
    )


def _documents_ignored(statistics: Statistics, test: SignificanceTest) -> tuple[Note, ...]:
    """Return a warning where a test that knows segments only is used although there are documents enough."""
    if not test.segment_only or statistics.clustered or (statistics.n_documents or 0) < MIN_DOCUMENTS:
        return ()
    text = (
        "This test treats segments as independent, although their documents are known. If segments of one document are "
        "correlated, its p-values are too small. The jackknife t test uses documents as units."
    )
    return (Note("warning", text, headline="The test ignores documents"),)


MOST_NUMBERS = 2**27
"""Differences kept for one family (comparisons × draws): 1 GiB as float64, several times that while they are made."""


def refuse_many_draws(comparisons: int, draws: int, otherwise: str = ", or compare all with one baseline") -> None:
    """Do nothing, unless so many comparisons have more resamples than fit in memory; `otherwise`: what else helps."""
    if comparisons * draws > MOST_NUMBERS:
        raise NotApplicable(
            f"{comparisons:,} comparisons × {draws:,} resamples do not fit in memory. With so many comparisons, at "
            f"most {MOST_NUMBERS // comparisons:,} resamples are possible. Compare fewer systems{otherwise}."
        )


_MOST_COMPARED = 20_000
"""Comparisons of one metric: all pairs of 200 systems; more cost minutes and say nothing to a reader."""


def refuse_many(systems: int, comparisons: int | None = None, otherwise: str = "") -> None:
    """Do nothing, unless systems have more comparisons than are made together.

    comparisons: all pairs unless given. otherwise: what may be done but for fewer systems.

    Raises
    ------
    NotApplicable
        They have.
    """
    size = systems * (systems - 1) // 2 if comparisons is None else comparisons
    if size > _MOST_COMPARED:
        said = f"{size:,} comparisons of {systems:,} systems are too many; at most {_MOST_COMPARED:,} are made together"
        raise NotApplicable(f"{said}. Compare fewer systems{otherwise}.")


def win_rates(targets: Pairs) -> tuple[Floats, Floats]:
    """Return the shares of resamples where the first system is better, and where both are equal; shape (m,) each."""
    rows = zip(chain.from_iterable(draws_in_parts(targets)), tolerance(targets.estimate), strict=True)
    counted = [(np.count_nonzero(row > slack), np.count_nonzero(np.abs(row) <= slack)) for row, slack in rows]
    wins, ties = np.array(counted).reshape(-1, 2).T / targets.scheme.n_draws
    return wins, ties


def influential_segments(statistics: Statistics, first: str, second: str, count: int = 5) -> list[tuple[int, float]]:
    """List the units that contribute most to a difference, as (number, contribution).

    The number is that of the segment in the corpus, from 0, or that of the document if documents are units. `count`
    units favour the first system and `count` the second. A contribution is the unit's influence on the difference of
    corpus scores (docs/statistics/intervals.md, section 1). All contributions sum to about 0.

    Raises
    ------
    UnknownName
        The statistics have no system of that name.
    NotApplicable
        The jackknife is undefined for one of the two systems.
    InvalidOption
        An argument has the wrong type.

    Examples
    --------
    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> mtsig.inference.influential_segments(statistics, "direct", "via-catalan", count=1)
    [(140, 0.20774485370830065), (129, -0.13428481339875914)]
    """
    expect_statistics(statistics)
    expect_arguments(influential_segments, locals())
    statistics = statistics.shared_by([first, second])
    moved = sign_of(statistics.metric) * (statistics.influence[0] - statistics.influence[1])
    if np.isnan(moved).any():
        raise NotApplicable(
            "Some n-gram order has no match: the jackknife is undefined, so no unit has a contribution."
        )
    order = np.argsort(-moved, kind="stable")
    chosen = [*order[:count], *order[max(count, len(order) - count) :]]
    numbers = statistics.numbers if statistics.unit == "segment" else None
    return [(int(i if numbers is None else numbers[i]), float(moved[i])) for i in chosen if moved[i] != 0]


def adjust(family: Family, correction: str | Correction = AUTO) -> Family:
    """Correct the p-values of a family for its number of comparisons.

    Parameters
    ----------
    family : Family
        Comparisons, as `mtsig.inference.compare` returns them. If they are already corrected, they are corrected again.
    correction : str or Correction, default "auto"
        A name in `mtsig.inference.CORRECTIONS`, or a correction object. "auto" is Holm's method over documents and
        blocks, and step-down min-P over segments.

    Returns
    -------
    family : Family
        The same comparisons with `p_adjusted`, and with intervals at the level at which each pair was tested; both
        columns have shape (n_comparisons,).

    Raises
    ------
    UnknownName
        There is no correction of that name.
    NotApplicable
        The correction requires segment means, and the metric is not a mean of segment scores.
    InvalidOption
        An argument has the wrong type.

    See Also
    --------
    compare : measure, test and correct in one step.

    Notes
    -----
    If m true null hypotheses are each tested at .05 by independent tests, at least one is rejected with probability 1 −
    .95ᵐ. For ten hypotheses this probability is 40%.

    1. Holm's method [1]_ orders the p-values. The k-th smallest is multiplied by m − k + 1, and no adjusted p-value may
       be smaller than the one before it. The method is valid under any dependence between comparisons.
    2. Step-down min-P [2]_ uses resamples under the null that all comparisons share. It counts how often the smallest
       of several p-values is as small as the observed one. It accounts for the dependence between comparisons, so it
       loses less power than Holm's method. Tests without
       resamples that all comparisons share use Holm's method, and a note says so.
    3. Both control the family-wise error rate: the probability of any false "better". "bh" and "by" control the false
       discovery rate: the expected share of false "better" verdicts among all "better" verdicts.

    References
    ----------
    .. [1] Holm (1979).
    .. [2] Westfall and Young (1993); Ge, Dudoit and Speed (2003).

    Examples
    --------
    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> family = mtsig.inference.compare(statistics, pairs="via-catalan")
    >>> corrected = mtsig.adjust(family, "holm")
    >>> corrected
    <Family in BLEU: 4 comparisons by jackknife-t, correction holm>
    >>> for row in corrected:
    ...     print(f"{row.first:13} {row.p_value:.4f} {row.p_adjusted:.4f}")
    direct-us     0.0009 0.0026
    direct        0.0003 0.0011
    via-esperanto 0.0054 0.0108
    via-galician  0.5393 0.5393
    """
    expect(family, Family, "Give a family of comparisons, as inference.compare(statistics) returns it")
    expect_arguments(adjust, locals())
    return adjust_together([family], correction)[0]


def adjust_together(families: Sequence[Family], correction: str | Correction = AUTO) -> list[Family]:
    """Return the families, corrected as one family for all comparisons of all metrics."""
    for family in families:
        expect(family, Family, "Give a family of comparisons, as inference.compare(statistics) returns it")
    by_default = correction == AUTO
    chosen = find(CORRECTIONS, _default(families) if correction == AUTO else correction, "correction")
    if len({(each_family.test, each_family.level) for each_family in families}) > 1:
        raise NotApplicable("Only comparisons by the same test at the same level can be corrected together.")
    together = _together(families, chosen)
    notes: tuple[Note, ...] = ()
    if np.isnan(together.p_value).all():
        chosen = CORRECTIONS["none"]
    elif len(together.p_value) > 1 and not _has(together, chosen):
        why = _not_joint(families) or f"{families[0].test.name} has no {chosen.needs} to use for {chosen.label}"
        note = Note("note", f"{why}; Holm is used instead.", "correction")
        chosen, notes = CORRECTIONS["holm"], () if by_default else (note,)
    notes += _shared_note(together, chosen)
    p, low, high = _corrected(together, chosen)
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
                    family_size=len(together.p_value),
                ),
                notes=tuple(note for note in each.notes if note.about != "correction")
                + notes
                + _floor_note(each, chosen, len(together.p_value)),
            )
        )
        start += len(each)
    return with_adjusted(changed, chosen)


def _default(families: Sequence[Family]) -> str:
    """Return the name of the correction that stands for "auto"; Holm where units differ from family to family."""
    units = {family.unit for family in families}
    return DEFAULTS[units.pop()].correction if len(units) == 1 else Holm.name


def seconding(families: Sequence[Family], chosen: Correction) -> Floats:
    """Return Holm's p of the jackknife t test where it must confirm swaps, 1 where it is undefined; else NaN."""
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


def _corrected(together: CorrectedTogether, chosen: Correction) -> tuple[Floats, Floats, Floats]:
    """Return the corrected p-values, and what they could be if drawing never ended (low, high)."""
    raw = together.p_value, together.p_mc_low, together.p_mc_high
    if len(together.p_value) == 1 and chosen.needs != "segment means":
        # One comparison has nothing to be corrected for.
        return raw
    # Whatever the correction makes of its draws: a comparison without a p-value has no corrected one.
    p, low, high = (np.where(np.isnan(together.p_value), np.nan, values) for values in chosen(together))
    if chosen.needs == "segment means":
        return p, low, high
    # The raw p may come from other draws than those that are joint: none is made smaller by company.
    return np.fmax(p, raw[0]), np.fmax(low, raw[1]), np.fmax(high, raw[2])


def hold_together(families: Sequence[Family], parts: bool = False) -> list[Family]:
    """Return the families with intervals that are simultaneous for all comparisons of all metrics or subsets."""
    if len(families) == 1 or not any(comparison.held_together for family in families for comparison in family):
        return list(families)
    farthest = [family.farthest for family in families if family.farthest is not None]
    if parts or len(farthest) < len(families):
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


def _with_null(family: Family) -> Family:
    """Return the family with the joint draws that its test makes only when a correction asks for them."""
    pairs = pairs_of(Scores(family.statistics, family.scheme), list(zip(family.first, family.second, strict=True)))
    return replace(family, drawn=Drawn(family.statistics, family.test.joint(pairs), family.farthest))


def _has(together: CorrectedTogether, chosen: Correction) -> bool:
    if chosen.needs == "exchanges":
        return together.null is not None and together.scale is not None
    return chosen.needs != "joint draws" or together.null is not None


def _shared_note(together: CorrectedTogether, chosen: Correction) -> tuple[Note, ...]:
    """Say on what a method stands that needs every system on every segment, where some lack some."""
    statistics = together.statistics
    if chosen.needs != "segment means" or statistics is None or statistics.available is None:
        return ()
    units = statistics.units_of(statistics.systems)
    text = (
        f"{chosen.label} needs {statistics.unit}s that all systems have. So its p-values are based on the {units} of "
        f"{statistics.n} that all {len(statistics.systems)} share."
    )
    return (Note("warning", text, "correction", headline="Fewer units for the correction"),)


def _together(families: Sequence[Family], chosen: Correction) -> CorrectedTogether:
    # What each part of a test set draws by itself is not joint.
    if chosen.needs == "joint draws" and not _are_parts(families):
        families = [family if family.null is not None else _with_null(family) for family in families]

    def joined(name: str) -> Floats:
        return np.concatenate([getattr(family, name) for family in families])

    only = families[0] if len(families) == 1 else None
    return CorrectedTogether(
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
    if any(each_family.null is None for each_family in families) or _not_joint(families) is not None:
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
    """Return why draws of several families are not joint, though each has some; None where they are, or none are."""
    if len(families) == 1 or any(each_family.null is None for each_family in families):
        return None
    if any(each_family.complete for each_family in families) and not _are_parts(families):
        return "All swaps were enumerated for one metric, so the metrics have no resamples in common"
    digests: dict[tuple[int, bytes], set[str]] = {}
    for family in families:
        digests.setdefault(_set_of(family), set()).add(family.statistics.digest)
    known = [digest for result in digests.values() for digest in result]
    if len(digests) > 1 and ("" in known or len(set(known)) < len(known)):
        return "The metrics use different segments, possibly of the same test set, so they have no resamples in common"
    return None


def _are_parts(families: Sequence[Family]) -> bool:
    """Return whether the families are of parts of one test set, whose exchanges are those of the whole."""
    return all(family.drawn is not None and family.drawn.of_part for family in families)


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


def _floor_note(family: Family, chosen: Correction, m: int) -> tuple[Note, ...]:
    """Say so when so few draws cannot, or may not, reach significance (docs/statistics/index.md, section 3)."""
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
            text = f"{draws} resamples {verb} reach significance in a family of {m}: at least {needed} are needed."
            return (Note("warning", text, "correction", headline="Too few resamples"),)
    return ()
