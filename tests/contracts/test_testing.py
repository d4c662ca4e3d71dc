"""What every test, interval and correction promises; new rows of the tables are held to it without a word here."""

from dataclasses import dataclass, field, is_dataclass, replace
from functools import cache

import numpy as np
import pytest
from kept import worded
from made import made_binary, made_corpus, made_ratings, made_statistics
from scipy import stats

from mtsig import Settings, adjust, interval, measure, verdict
from mtsig._options import options
from mtsig.errors import InvalidOption, NotApplicable, UnknownName
from mtsig.inference import (
    CORRECTIONS,
    INTERVALS,
    TESTS,
    Correction,
    Family,
    IntervalMethod,
    Outcome,
    SignificanceTest,
    compare,
)
from mtsig.inference._targets import Pairs, Scores
from mtsig.inference._verdict import unit_cautions
from mtsig.metrics import Statistics, statistics_of
from mtsig.resampling import Bootstrap, Swap
from mtsig.testing import check_correction, check_interval, check_test

DRAWS = 400

MEANS_ONLY_TESTS = {"t", "wilcoxon", "wmt-wilcoxon", "sign"}
NOT_FOR_PAIRS = {"wilson", "sacrebleu"}
"""Intervals of single systems, and of right or wrong ratings alone."""
OWN_P = {"tukey", "scheffe", "nemenyi"}
"""Corrections that make p-values of their own from segment scores."""


def quick(test: SignificanceTest, **changes: object) -> SignificanceTest:
    return replace(test, scheme=replace(test.scheme, n_draws=DRAWS, **changes))


@pytest.fixture(params=list(TESTS))
def test_row(request: pytest.FixtureRequest) -> SignificanceTest:
    return TESTS[request.param]


@pytest.fixture(params=list(INTERVALS))
def method(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=list(CORRECTIONS))
def correction(request: pytest.FixtureRequest) -> str:
    return str(request.param)


KINDS = {"bleu": made_statistics, "ratings": made_ratings, "rater_scores": made_binary}
"""Made data of every kind, the most usual first; each method is tested on the first that it is for."""


def accepts(method: SignificanceTest | IntervalMethod, statistics: Statistics) -> bool:
    try:
        if isinstance(method, IntervalMethod):
            interval(statistics, method, scheme=Bootstrap(20))
        else:
            compare(statistics, replace(method, scheme=replace(method.scheme, n_draws=20)))
    except NotApplicable:
        return False
    return True


@cache
def fitting(method: SignificanceTest | IntervalMethod, n: int = 120, systems: int = 4) -> Statistics:
    kinds = (make(n=n, systems=systems) for make in KINDS.values())
    return next(one for one in kinds if accepts(method, one))


@cache
def compared(test: SignificanceTest) -> Family:
    """Return all pairs of fitting data put to a test, once for all that look at them."""
    return compare(fitting(test), quick(test))


def metric_for(test: SignificanceTest) -> str:
    return "sentchrf" if test.name in MEANS_ONLY_TESTS else "chrf"


def pairs_allowed(method: str) -> str:
    """Return the method, or skip it where it is for single systems alone."""
    if method in NOT_FOR_PAIRS:
        pytest.skip(f"{method} is for single systems; that it refuses differences is tested by itself")
    return method


@pytest.fixture
def statistics(request: pytest.FixtureRequest) -> Statistics:
    """Data for the test or the interval at hand; BLEU statistics where there is none."""
    if "test_row" in request.fixturenames:
        return fitting(request.getfixturevalue("test_row"))
    if "method" in request.fixturenames:
        return fitting(INTERVALS[request.getfixturevalue("method")])
    return made_statistics(n=120, systems=4)


def few_differ(metric: str = "chrf") -> Statistics:
    """Three systems of which two differ on 4 of 40 segments only."""
    corpus = made_corpus(n=40, systems=2, documents=0)
    nearly = [line + " indeed" if i in (3, 11, 12, 30) else line for i, line in enumerate(corpus.lines("sys0"))]
    return measure(type(corpus).of({**corpus.outputs, "nearly": nearly}, corpus.references), metric)


# --- tests --------------------------------------------------------------------------------------------------


def test_a_test_keeps_its_promises(test_row: SignificanceTest) -> None:
    check_test(test_row, rounds=0)  # tests/calibration counts false positives


def test_a_test_describes_itself(test_row: SignificanceTest) -> None:
    assert is_dataclass(test_row)
    assert TESTS[test_row.name] is test_row
    for words in (test_row.label, test_row.about, test_row.estimand):
        assert words.strip()
    assert test_row.assumes
    assert test_row.differs.endswith(".")
    assert test_row.interval in INTERVALS
    assert test_row.scheme.n_draws == (1000 if test_row.name == "sacrebleu-bs" else 10_000)
    assert test_row.scheme.seed == 12345


def test_p_values_are_never_finer_than_the_draws_allow(test_row: SignificanceTest) -> None:
    family = compared(test_row)
    if test_row.name in {"jackknife-t", "ij-t", *MEANS_ONLY_TESTS}:  # computed, not drawn
        np.testing.assert_array_equal(family.p_mc_low, family.p_mc_high)
        return
    drawn = family.p_value[~family.exact & ~np.isnan(family.p_value)]
    counts = drawn * (DRAWS + 1)
    np.testing.assert_allclose(counts, np.rint(counts), atol=1e-6)


def test_every_simulated_p_carries_its_drawing_error(test_row: SignificanceTest) -> None:
    family = compared(test_row)
    computed = test_row.name in {"jackknife-t", "ij-t", *MEANS_ONLY_TESTS} | {"bootstrap-koehn"}
    for low, p, high, exact in zip(family.p_mc_low, family.p_value, family.p_mc_high, family.exact, strict=True):
        assert (low < high) == (not computed and not exact and p < 1)


def test_the_joint_draws_have_a_row_per_pair(test_row: SignificanceTest) -> None:
    family = compared(test_row)
    if family.null is not None and not family.complete:
        assert family.null.shape == (6, DRAWS)


def test_the_plan_is_respected(test_row: SignificanceTest, statistics: Statistics) -> None:
    family = compare(statistics, quick(test_row, seed=7))
    assert (family.test.scheme.n_draws, family.test.scheme.seed) == (DRAWS, 7)
    assert (family.scheme.n_draws, family.scheme.seed) == (DRAWS, 7)
    assert len(family.resampled(0)) == DRAWS


def test_the_unit_of_the_plan_is_respected(test_row: SignificanceTest) -> None:
    statistics = measure(made_corpus(n=120, documents=24), metric_for(test_row))
    assert {one.units for one in compare(statistics, quick(test_row))} == {120 if test_row.segment_only else 24}
    assert {one.units for one in compare(statistics, quick(test_row, unit="segment"))} == {120}


def test_another_seed_gives_other_draws(test_row: SignificanceTest, statistics: Statistics) -> None:
    one, other = compared(test_row), compare(statistics, quick(test_row, seed=99))
    assert (one.bootstrap_win_rate != other.bootstrap_win_rate).any()
    if one.null is not None and other.null is not None:
        assert (one.null != other.null).any()


def test_identical_systems_are_never_separated(test_row: SignificanceTest) -> None:
    corpus = made_corpus(n=60, systems=2, documents=0)
    twins = type(corpus).of({**corpus.outputs, "twin": corpus.lines("sys0")}, corpus.references)
    statistics = measure(twins, metric_for(test_row).replace("chrf", "bleu"))
    one = compare(statistics, quick(test_row), [("sys0", "twin")])[0]
    assert (one.difference, one.n_differing, one.bootstrap_win_rate, one.tie_rate) == (0, 0, 0, 1)
    # sacreBLEU gives them the smallest p there is; what is printed is kept, and neither of them is ahead.
    expected = 1 / (DRAWS + 1) if test_row.name.startswith("sacrebleu") else 1.0
    assert np.isnan(one.p_value) or one.p_value == pytest.approx(expected)
    assert (verdict(one).word, verdict(one).winner) == ("not_significant", None)
    assert ("does not mean that one is better" in verdict(one).caution) == bool(one.significant)


def test_a_plain_difference_is_found_and_the_winner_named(test_row: SignificanceTest) -> None:
    corpus = made_corpus(n=100, systems=1, documents=0)
    spoiled = ["nothing of this is right" for _ in range(100)]
    worse = type(corpus).of({"worse": spoiled, **corpus.outputs}, corpus.references)
    one = adjust(compare(measure(worse, metric_for(test_row)), quick(test_row)))[0]
    assert one.difference < 0
    if one.decides:
        assert one.significant
        assert verdict(one).winner == "sys0"
        of_units = "; ".join(unit_cautions(one))
        assert (verdict(one).caution == of_units) == test_row.controls_type1
        assert verdict(one).caution.endswith(of_units)
    else:
        assert verdict(one).withheld == "no p"


def test_thousands_of_segments_are_no_obstacle(test_row: SignificanceTest) -> None:
    # More differing units than the exponent of a float has room for: arrangements must be counted another way.
    family = compare(fitting(test_row, n=2500, systems=2), quick(test_row))
    assert family.n_differing[0] > 1100
    assert np.isnan(family.p_value[0]) or 0 < family.p_value[0] <= 1
    assert family.exact.any() == (test_row.name == "sign")  # its binomial law is exact at any size


@pytest.mark.parametrize("name", sorted(MEANS_ONLY_TESTS))
@pytest.mark.parametrize("metric", ["bleu", "chrf", "chrf++"])
def test_tests_on_segments_refuse_corpus_metrics_and_say_what_to_choose(name: str, metric: str) -> None:
    with pytest.raises(NotApplicable, match=r"^This test .*not such a mean\. Choose .*, or .*sentBLEU"):
        compare(measure(made_corpus(), metric), quick(TESTS[name]))


@pytest.mark.parametrize("name", ["sacrebleu-bs", "sacrebleu-ar"])
def test_sacrebleus_tests_refuse_what_sacrebleu_does_not_compute(name: str) -> None:
    for other in (made_ratings(), measure(made_corpus(), "sentbleu"), measure(made_corpus(), "chrf").by_document()):
        with pytest.raises(NotApplicable):
            compare(other, quick(TESTS[name]))


def test_settings_leave_sacrebleu_its_own_number_of_draws_and_its_unit() -> None:
    for name, draws in (("sacrebleu-bs", 1000), ("sacrebleu-ar", 10_000)):
        scheme = Settings(test=name, n_resamples=77, seed=5, unit="document").chosen_test("document").scheme
        assert (scheme.n_draws, scheme.seed, scheme.unit) == (draws, 5, "segment")


def test_a_test_is_found_by_its_name(test_row: SignificanceTest) -> None:
    small = fitting(test_row, n=20, systems=2)
    by_name, by_object = compare(small, test_row.name), compare(small, test_row)
    np.testing.assert_array_equal(by_name.p_value, by_object.p_value)
    assert by_name.test == by_object.test == test_row


# --- intervals ----------------------------------------------------------------------------------------------


def test_an_interval_keeps_its_promises(method: str, statistics: Statistics) -> None:
    if method != "sacrebleu":  # it has one level
        check_interval(INTERVALS[method], statistics)


def test_an_interval_method_describes_itself(method: str) -> None:
    assert INTERVALS[method].name == method
    assert INTERVALS[method].label
    assert INTERVALS[method].about.endswith(".")


def test_intervals_hold_their_estimate(method: str, statistics: Statistics) -> None:
    found = interval(statistics, method, scheme=Bootstrap(DRAWS))
    assert (found.ci_low < found.score).all()
    assert (found.score < found.ci_high).all()
    np.testing.assert_array_equal(found.score, statistics.scores)
    assert set(found.interval) == {method}


def test_a_higher_level_gives_a_wider_interval(method: str, statistics: Statistics) -> None:
    scheme = Bootstrap(2000)
    if method == "sacrebleu":
        with pytest.raises(NotApplicable, match=r"at level \.95\. Use percentile"):
            interval(statistics, method, 0.9, scheme)
        return
    narrow, middle, wide = (interval(statistics, method, level, scheme) for level in (0.8, 0.95, 0.99))
    for inner, outer in ((narrow, middle), (middle, wide)):
        assert (outer.ci_low < inner.ci_low).all()
        assert (inner.ci_high < outer.ci_high).all()


def test_intervals_of_differences_are_turned_with_the_pair(method: str, statistics: Statistics) -> None:
    one, other = (
        compare(statistics, quick(TESTS["ar"]), [pair], interval=pairs_allowed(method))[0]
        for pair in (("sys0", "sys2"), ("sys2", "sys0"))
    )
    assert one.ci_low < one.difference < one.ci_high
    assert (other.ci_low, other.ci_high) == pytest.approx((-one.ci_high, -one.ci_low), abs=1e-9)
    assert one.interval == other.interval == method


def test_paired_intervals_are_narrower_than_single_ones_would_make_them(method: str) -> None:
    # Systems that share most of their text vary together; an interval that ignored it would be far too wide.
    statistics = few_differ("sentchrf" if pairs_allowed(method) == "t" else "chrf")
    single = interval(statistics, method, scheme=Bootstrap(DRAWS))["sys0"]
    (paired,) = compare(statistics, quick(TESTS["bootstrap-shift"]), [("nearly", "sys0")], interval=method)
    assert paired.ci_high - paired.ci_low < (single.ci_high - single.ci_low) / 3


def test_an_interval_is_asked_for_by_system(method: str, statistics: Statistics) -> None:
    found = interval(statistics, method, scheme=Bootstrap(DRAWS))
    one = found["sys2"]
    assert (one.score, one.ci_low, one.ci_high) == (found.score[2], found.ci_low[2], found.ci_high[2])
    assert one.interval == method
    with pytest.raises(UnknownName, match="sys0"):
        found["nobody"]


@pytest.mark.parametrize("level", [0.4, 1.0, 95, 0, -1])
def test_levels_out_of_range_are_refused(method: str, level: float, statistics: Statistics) -> None:
    with pytest.raises(InvalidOption, match=r"0\.5 to 0\.9999"):
        interval(statistics, method, level)


def test_a_level_in_percent_is_answered_with_the_share(statistics: Statistics) -> None:
    with pytest.raises(InvalidOption, match=r"Write 0\.95 for 95%"):
        interval(statistics, "ij", 95)


def test_a_method_and_its_name_give_the_same(method: str, statistics: Statistics) -> None:
    by_name = interval(statistics, method, scheme=Bootstrap(DRAWS))
    by_object = interval(statistics, INTERVALS[method], scheme=Bootstrap(DRAWS))
    np.testing.assert_array_equal(by_name.ci_low, by_object.ci_low)
    assert by_name.interval == by_object.interval


def test_frames_hold_what_the_results_hold(method: str, statistics: Statistics) -> None:
    found = interval(statistics, method, scheme=Bootstrap(DRAWS))
    frame = found.to_frame().set_index("system")
    assert frame.loc["sys1", "ci_low"] == found["sys1"].ci_low
    family = compare(statistics, quick(TESTS["ar"]), interval=pairs_allowed(method))
    frame = family.to_frame()
    assert len(frame) == 6
    assert frame["difference"].tolist() == family.difference.tolist()


def test_intervals_of_single_systems_refuse_differences() -> None:
    with pytest.raises(NotApplicable, match="Use percentile"):
        compare(fitting(INTERVALS["sacrebleu"]), quick(TESTS["ar"]), interval="sacrebleu")


@pytest.mark.parametrize(("method", "refused"), [("t", "bleu"), ("wilson", "bleu"), ("wilson", "ratings"),
                                                 ("sacrebleu", "ratings")])  # fmt: skip
def test_intervals_refuse_data_they_are_not_for(method: str, refused: str) -> None:
    with pytest.raises(NotApplicable):
        interval(KINDS[refused](n=120, systems=4), method)


# --- corrections --------------------------------------------------------------------------------------------


def families_of(statistics: Statistics, few: Statistics) -> dict[str, Family]:
    """Families by kind: simulated, wholly enumerated, mixed, and some without joint draws."""
    return {
        "simulated": compare(statistics, quick(TESTS["ar"])),
        "centred": compare(statistics, quick(TESTS["bootstrap-shift"])),
        "enumerated": compare(few.select(["sys0", "nearly"]), quick(TESTS["ar"])),
        "mixed": compare(few, quick(TESTS["ar"])),
        "no joint draws": compare(statistics, quick(TESTS["bootstrap-ci"])),
        "computed": compare(statistics, quick(TESTS["ij-t"])),
    }


@pytest.fixture(scope="module")
def all_families() -> dict[bool, dict[str, Family]]:
    return {
        False: families_of(made_statistics(n=120, systems=4), few_differ()),
        True: families_of(made_ratings(), few_differ("sentchrf")),
    }


@pytest.fixture
def families(request: pytest.FixtureRequest, all_families: dict[bool, dict[str, Family]]) -> dict[str, Family]:
    """Families of BLEU; of segment means for corrections that are for those alone."""
    named = request.getfixturevalue("correction") if "correction" in request.fixturenames else "minp"
    return all_families[named in OWN_P]


def test_the_families_are_what_they_are_called(families: dict[str, Family]) -> None:
    assert families["enumerated"].complete
    assert families["mixed"].exact.any()
    assert not families["mixed"].exact.all()
    assert families["no joint draws"].null is None
    assert families["computed"].null is None


@cache
def equals(sets: int = 100) -> tuple[Family, ...]:
    """Families of four equal systems, made once, where `check_correction` makes them for each correction."""
    rng = np.random.default_rng(7)

    def scores() -> dict[str, np.ndarray]:
        hard = rng.normal(70, 10, 200)
        return {f"sys{i}": hard + rng.normal(0, 5, 200) for i in range(4)}

    return tuple(compare(statistics_of(scores(), True), quick(TESTS["t"])) for _ in range(sets))


def test_a_correction_keeps_its_promises(correction: str) -> None:
    check_correction(CORRECTIONS[correction], rounds=0)
    if CORRECTIONS[correction].controls == "any false claim":
        false = sum(bool((adjust(family, correction).p_adjusted <= 0.05).any()) for family in equals())
        assert false <= stats.binom.ppf(0.999, len(equals()), 0.05)


def test_a_correction_describes_itself(correction: str) -> None:
    assert CORRECTIONS[correction].name == correction
    assert CORRECTIONS[correction].label
    assert CORRECTIONS[correction].controls == {
        "none": "each comparison", "bh": "share of false claims", "by": "share of false claims",
        **dict.fromkeys(["tukey", "scheffe", "nemenyi"], "any false claim, classically"),
    }.get(correction, "any false claim")  # fmt: skip
    if correction in {"bh", "by"}:
        assert "false discovery rate" in CORRECTIONS[correction].label


@pytest.mark.parametrize("kind", ["simulated", "centred", "enumerated", "mixed", "no joint draws", "computed"])
def test_adjusted_p_values_are_p_values_and_not_smaller(
    correction: str, kind: str, families: dict[str, Family]
) -> None:
    family = adjust(families[kind], correction)
    assert ((family.p_adjusted > 0) & (family.p_adjusted <= 1)).all()
    if correction not in OWN_P:
        assert (family.p_adjusted >= family.p_value - 1e-12).all()
    assert (family.p_adjusted_mc_low <= family.p_adjusted + 1e-12).all()
    assert (family.p_adjusted <= family.p_adjusted_mc_high + 1 / DRAWS).all()
    np.testing.assert_array_equal(family.p_value, families[kind].p_value)
    assert {one.family_size for one in family} == {len(family)}


@pytest.mark.parametrize("seed", range(3))
def test_adjusting_keeps_the_order(correction: str, seed: int) -> None:
    if correction in {"maxt", "maxt-down", *OWN_P}:
        pytest.skip("it orders comparisons by a statistic of its own, not by their p-values")
    # Systems that hardly differ: only there do the steps of a step-down correction cross unless they are kept apart.
    statistics = made_statistics(n=40, systems=7, seed=seed)
    family = adjust(compare(statistics, quick(TESTS["ar"], seed=seed)), correction)
    order = np.argsort(family.p_value, kind="stable")
    assert (np.diff(family.p_adjusted[order]) >= -1e-12).all()


def test_one_comparison_needs_no_correction(correction: str) -> None:
    two = made_ratings(systems=2)
    family = compare(two, quick(TESTS["t"] if correction in OWN_P else TESTS["ar"]))
    if correction == "nemenyi":  # on ranks, two of them: about the wins of segments
        assert adjust(family, correction).p_adjusted == pytest.approx(compare(two, "sign").p_value, rel=0.25)
        return
    # Tukey and Scheffé of two systems in blocks are the paired t test.
    assert adjust(family, correction).p_adjusted == pytest.approx(family.p_value, rel=1e-5)


def test_a_correction_and_its_name_give_the_same(correction: str, families: dict[str, Family]) -> None:
    by_name = adjust(families["mixed"], correction)
    by_object = adjust(families["mixed"], CORRECTIONS[correction])
    np.testing.assert_array_equal(by_name.p_adjusted, by_object.p_adjusted)
    assert by_name.correction == by_object.correction == correction


def test_a_family_without_p_values_stays_without(correction: str) -> None:
    # Also where a correction could make p-values of its own: a win rate never turns into a test by being corrected.
    statistics = made_ratings() if correction in OWN_P else made_statistics(n=120, systems=4)
    family = adjust(compare(statistics, quick(TESTS["bootstrap-koehn"])), correction)
    assert np.isnan(family.p_adjusted).all()
    assert family.correction == "none"


@pytest.mark.parametrize("name", sorted(OWN_P))
def test_classical_corrections_refuse_what_is_no_mean_of_segments(name: str) -> None:
    family = compare(made_statistics(), quick(TESTS["ar"]))
    with pytest.raises(NotApplicable, match=r"means of segment scores\. Use step-down min-P or Holm"):
        adjust(family, name)


@pytest.mark.parametrize("name", sorted(OWN_P))
def test_classical_corrections_do_not_depend_on_the_test(name: str) -> None:
    found = [adjust(compare(made_ratings(), quick(TESTS[test])), name).p_adjusted for test in ("ar", "t", "ij-t")]
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


@pytest.mark.parametrize("name", sorted(OWN_P))
def test_classical_corrections_give_identical_systems_one(name: str) -> None:
    scores = made_ratings(systems=2).values[0]
    twins = made_ratings(systems=3)
    values = twins.values.copy()
    values[0] = scores[[0, 0, 1]]
    family = adjust(compare(replace(twins, values=values), quick(TESTS["ar"])), name)
    assert family.p_adjusted[0] == 1
    values[0] = scores[[0, 0, 0]]
    family = adjust(compare(replace(twins, values=values), quick(TESTS["ar"])), name)
    assert family.p_adjusted.tolist() == [1, 1, 1]


def test_minp_without_joint_draws_is_holm_and_says_so(families: dict[str, Family]) -> None:
    family = adjust(families["no joint draws"], "minp")
    np.testing.assert_array_equal(family.p_adjusted, adjust(families["no joint draws"], "holm").p_adjusted)
    assert family.correction == "holm"
    worded(family.notes[-1].text)


# --- the tables, and outsiders ------------------------------------------------------------------------------


@pytest.mark.parametrize(("setting", "table"), [("test", TESTS), ("interval", INTERVALS), ("correction", CORRECTIONS)])
def test_settings_offer_every_row(setting: str, table: dict[str, object]) -> None:
    (one,) = [one for one in options(Settings) if one.name == setting]
    assert one.choices == ("auto", *table)


def refused(test: str, method: str, correction: str, kind: str) -> bool:
    """Return whether such a combination must be refused on such data."""
    means = kind == "ratings"
    corrected = correction in OWN_P and test != "bootstrap-koehn"  # which has no p-values to correct
    return (
        method in NOT_FOR_PAIRS
        or (not means and (test in MEANS_ONLY_TESTS or method == "t" or corrected))
        or (means and test.startswith("sacrebleu"))
    )


@pytest.mark.parametrize(
    "every", [min(len(TESTS), len(INTERVALS), len(CORRECTIONS)), pytest.param(1, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("kind", ["bleu", "ratings"])
def test_every_combination_of_settings_gives_a_family_or_is_refused(
    test_row: SignificanceTest, kind: str, every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if test_row.printed_only:  # sacreBLEU's tests keep their own 10,000 draws
        monkeypatch.setitem(TESTS, test_row.name, quick(test_row))
    statistics = KINDS[kind](n=40, systems=3)
    # In short every pair of a test, an interval and a correction is tried, if not with everything that is third: in
    # each row and column of such a square stands each number that its remainder can be.
    place, tried = list(TESTS).index(test_row.name), set()
    for i, method in enumerate(INTERVALS):
        for j, correction in enumerate(CORRECTIONS):
            if (place + i + j) % every:
                continue
            settings = Settings(test=test_row.name, interval=method, correction=correction, n_resamples=60)
            tried |= {method, correction}
            if refused(test_row.name, method, correction, kind):
                with pytest.raises(NotApplicable):
                    settings.family(statistics, "sys1")
                continue
            family = settings.family(statistics, "sys1")
            assert family.second == ("sys1", "sys1")
            assert family.test == settings.chosen_test(family.unit)
            assert np.isfinite(family.ci_low).all()
            assert np.isnan(family.p_value).all() or ((family.p_adjusted > 0) & (family.p_adjusted <= 1)).all()
            assert family.correction in CORRECTIONS
    assert tried == {*INTERVALS, *CORRECTIONS}


def test_unknown_names_are_answered_with_those_there_are(statistics: Statistics) -> None:
    with pytest.raises(UnknownName, match=r"no test called 'art'.*ar, jackknife-t, ij-t"):
        compare(statistics, "art")
    with pytest.raises(UnknownName, match=r"no interval called 'bcaa'.*Did you mean 'bca'.*ij, percentile"):
        interval(statistics, "bcaa")
    with pytest.raises(UnknownName, match=r"no correction called 'bonferoni'.*Did you mean 'bonferroni'"):
        adjust(compare(statistics, quick(TESTS["ar"])), "bonferoni")


@dataclass(frozen=True)
class CoinFlip(SignificanceTest):
    """An outsider's test: it looks at no data at all."""

    scheme: Swap = field(default_factory=lambda: Swap(50))

    name = "coin"
    label = "a coin"
    about = "Heads or tails?"
    estimand = "none"

    def __call__(self, pairs: Pairs) -> Outcome:
        half = np.full(len(pairs.first), 0.5)
        return Outcome(half, half, half, np.ones(len(half), dtype=bool))


@dataclass(frozen=True)
class PlusMinusOne(IntervalMethod):
    """An outsider's interval."""

    name = "one"
    label = "± 1"
    about = "Estimate ± 1."

    def ends(self, targets: Scores | Pairs, level: float) -> tuple[np.ndarray, np.ndarray]:
        del level
        return targets.estimate - 1, targets.estimate + 1


@dataclass(frozen=True)
class Doubled(Correction):
    """An outsider's correction."""

    name = "doubled"
    label = "twice p"
    controls = "nothing in particular"

    def __call__(self, family: Family) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        twice = np.minimum(1, 2 * family.p_value)
        return twice, twice, twice


def test_outsiders_pass_their_own_objects(statistics: Statistics) -> None:
    family = adjust(compare(statistics, CoinFlip(), interval=PlusMinusOne()), Doubled())
    assert family.p_value.tolist() == [0.5] * 6
    assert family.p_adjusted.tolist() == [1.0] * 6
    assert (family.correction, family.test.name) == ("doubled", "coin")
    assert family.ci_low.tolist() == (family.difference - 1).tolist()
    assert family.interval == ("one",) * 6
    assert interval(statistics, PlusMinusOne()).ci_high.tolist() == (statistics.scores + 1).tolist()


def test_an_outsiders_test_without_joint_draws_is_corrected_by_holm(statistics: Statistics) -> None:
    assert adjust(compare(statistics, CoinFlip()), "minp").correction == "holm"
