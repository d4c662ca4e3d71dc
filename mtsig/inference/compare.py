"""Compare: statistics, a test and pairs go in, a Family comes out."""

from dataclasses import dataclass

import numpy as np

from mtsig._arguments import expect_arguments
from mtsig._records import Floats
from mtsig.corpus import MIN_DOCUMENTS, Note
from mtsig.errors import InvalidOption, NotApplicable, find
from mtsig.inference.adjust import adjust
from mtsig.inference.cautions import cautions, doubt_of_counts, doubts, order_facts
from mtsig.inference.defaults import AUTO, DEFAULTS, must_be_named
from mtsig.inference.family import Drawn, Family
from mtsig.inference.intervals import check_level, ends_of, fallback_note
from mtsig.inference.methods import INTERVALS, IntervalMethod
from mtsig.inference.probability import tolerance
from mtsig.inference.reasons import Doubt
from mtsig.inference.significance import TESTS, Outcome, SignificanceTest
from mtsig.inference.targets import PairChoice, Pairs, Scores, pairs_of, with_shared_units
from mtsig.metrics import Rated, Statistics, Unit, expect_statistics, sign_of
from mtsig.resampling import Bootstrap, Distribution


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
