"""The verdict's three words, and what makes it withheld."""

from dataclasses import replace

import numpy as np
import pytest
from kept import worded
from made import CHINESE, made_corpus, made_ratings, made_statistics, nearly_alike, rated
from made_means import means
from sampled import crossed
from scipy import stats

from mtsig import Corpus, Settings, audit, compare_runs, interval, measure, power_analysis, ranks, verdict
from mtsig._say import attainable_text
from mtsig.corpus import inspect
from mtsig.errors import NotApplicable
from mtsig.inference import TESTS, Comparison, compare, equivalence, simulated_power, smallest_detectable
from mtsig.inference._margins import within
from mtsig.inference._significance import ShiftBootstrap
from mtsig.metrics import Statistics
from mtsig.report import comparison_table
from mtsig.report._diagnostics import audit_text
from mtsig.report._families import headline_text
from mtsig.resampling import Bootstrap

TOO_OFTEN = [name for name, test in TESTS.items() if not test.controls_type1]
SCORES = np.random.default_rng(11).normal([[0.0], [1.0]], 1, (2, 100))


def clear_difference() -> Comparison:
    """Return a comparison in which B is better beyond doubt."""
    return Settings(n_resamples=1000).family(means(SCORES))[0]


def test_a_clear_difference_names_the_better_system() -> None:
    assert verdict(clear_difference()).word == "better"
    assert verdict(clear_difference()).winner == "B"


def test_the_better_system_is_the_lower_one_where_lower_is_better() -> None:
    one = Settings(n_resamples=1000).family(means(SCORES, higher_is_better=False))[0]
    assert (verdict(one).word, verdict(one).winner) == ("better", "A")


def test_identical_systems_are_not_separated() -> None:
    one = Settings(n_resamples=1000).family(means([SCORES[0], SCORES[0]]))[0]
    assert (verdict(one).word, verdict(one).winner) == ("not_significant", None)


def test_a_small_difference_is_not_separated() -> None:
    one = Settings(n_resamples=1000).family(means([SCORES[0], SCORES[0] + np.tile([1.0, -0.99], 50)]))[0]
    assert one.difference < 0
    assert verdict(one).word == "not_significant"


def test_a_comparison_names_its_winner_where_the_verdict_does() -> None:
    family = Settings(n_resamples=200).family(measure(made_corpus(n=120, systems=5, documents=12), "chrf"))
    withheld = clear_difference().changed(data_caveat="lines are missing", data_caveat_id="data")
    compared = [*family, *(one.turned for one in family), withheld, clear_difference()]
    runs = compare_runs(
        rated(np.repeat(SCORES, 2, axis=0) + 0.01 * SCORES[[0, 1, 0, 1]], ["X.run0", "X.run1", "Y.run0", "Y.run1"]),
        "X",
        "Y",
    )
    for one in (*compared, runs):
        decided, row = verdict(one), one.row()
        told = (decided.word, decided.winner, decided.withheld_reason, decided.caution)
        assert (one.verdict, one.winner, one.withheld_reason, one.caution) == told
        assert tuple(row[name] for name in ("verdict", "winner", "withheld_reason", "caution")) == told
        assert (one.winner is None) == (one.verdict != "better")
        assert one.winner in (None, one.first if one.difference > 0 else one.second)
    assert {one.verdict for one in compared} == {"better", "not_significant", "withheld"}
    assert runs.winner == "Y"
    assert list(family.to_frame()["winner"].fillna("")) == [one.winner or "" for one in family]


@pytest.mark.parametrize(("low", "p", "word"), [(-0.1, 0.001, "better"), (0.1, 0.4, "not_significant")])
def test_the_corrected_p_decides_whatever_the_interval_is(low: float, p: float, word: str) -> None:
    limits = {
        "p_value": p,
        "p_mc_low": p,
        "p_mc_high": p,
        "p_adjusted": p,
        "p_adjusted_mc_low": p,
        "p_adjusted_mc_high": p,
    }
    found = verdict(replace(clear_difference(), difference=0.5, ci_low=low, ci_high=1.0, **limits))
    assert (found.word, found.withheld_reason) == (word, None)


@pytest.mark.parametrize("p", [0.045, 0.055])
def test_p_too_near_alpha_for_its_draws_is_undecided(p: float) -> None:
    near = replace(
        clear_difference(),
        p_value=0.01,
        p_adjusted=p,
        p_adjusted_mc_low=p - 0.01,
        p_adjusted_mc_high=p + 0.01,
        exact=False,
    )
    assert verdict(near).word == "withheld"
    assert verdict(near).flags.startswith(("--resamples", "--test"))


@pytest.mark.parametrize("p", [0.045, 0.055])
def test_an_enumerated_p_whose_correction_was_drawn_is_undecided_too(p: float) -> None:
    # In a simulated family min-P adjusts enumerated p-values by drawn ranks: the corrected p carries their error.
    near = replace(
        clear_difference(),
        p_value=0.01,
        p_adjusted=p,
        p_adjusted_mc_low=p - 0.01,
        p_adjusted_mc_high=p + 0.01,
        exact=True,
    )
    assert verdict(near).word == "withheld"


def test_an_exact_p_is_never_too_near() -> None:
    p = {"p_value": 0.0499, "p_adjusted": 0.0499, "p_adjusted_mc_low": 0.0499, "p_adjusted_mc_high": 0.0499}
    assert verdict(replace(clear_difference(), exact=True, **p)).word == "better"


def test_the_corrected_p_decides() -> None:
    # Alone the comparison would be called; in its family it is not, and that is no contradiction of its interval.
    p = {"p_value": 0.03, "p_adjusted": 0.2, "p_adjusted_mc_low": 0.19, "p_adjusted_mc_high": 0.21}
    assert verdict(replace(clear_difference(), **p)).word == "not_significant"


def test_alpha_belongs_to_the_level() -> None:
    p = {"p_value": 0.03, "p_adjusted": 0.03, "p_adjusted_mc_low": 0.029, "p_adjusted_mc_high": 0.031}
    one = replace(clear_difference(), ci_low=-1.0, ci_high=1.0, difference=-0.5, level=0.99, **p)
    assert one.significant is False
    assert verdict(one).word == "not_significant"
    assert replace(one, level=0.95).significant is True


def with_an_empty_system(documents: int) -> Corpus:
    corpus = made_corpus(n=240, systems=1, documents=documents)
    return Corpus.of({"full": corpus.lines("sys0"), "empty": [""] * 240}, corpus.references, documents=corpus.documents)


@pytest.mark.parametrize("documents", [12, 60])
@pytest.mark.parametrize("test", ["auto", "jackknife-t", "ar", "bootstrap-shift"])
def test_an_empty_system_is_beaten(test: str, documents: int) -> None:
    family = Settings(n_resamples=1000, test=test).family(measure(with_an_empty_system(documents), "bleu"))
    decided = verdict(family[0])
    assert decided.winner == "full"
    assert (decided.caution != "") == (test in ("ar", "bootstrap-shift"))


def test_where_a_test_has_no_p_for_an_empty_system_the_advice_can_be_followed() -> None:
    statistics = measure(with_an_empty_system(60), "bleu")
    reason = str(verdict(Settings(n_resamples=1000, test="ij-t").family(statistics)[0]).why)
    worded(reason)


@pytest.mark.parametrize("name", TOO_OFTEN)
def test_a_test_that_errs_too_often_answers_with_the_rate_measured_and_ranks_nobody(name: str) -> None:
    corpus = made_corpus(n=60, systems=3, documents=0)
    spoiled = Corpus.of({**corpus.outputs, "spoiled": ["nothing of this is right"] * 60}, corpus.references)
    family = Settings(test=name, n_resamples=1000).family(measure(spoiled, "bleu"))
    for one in family:
        decided = verdict(one)
        assert decided.word == ("better" if one.significant else "not_significant")
        assert (TESTS[name].anticonservative_reason in decided.caution) == bool(one.significant)
        assert smallest_detectable(one) is None
    assert verdict(family[family.find("sys0", "spoiled") or 0]).winner == "sys0"
    assert TESTS[name].anticonservative_reason in comparison_table(family).caption.partition("Caution (!): ")[2]
    with pytest.raises(NotApplicable):
        ranks(family)


def test_those_that_err_too_often_are_known() -> None:
    assert TOO_OFTEN == ["bootstrap-koehn", "bootstrap-rm2005", "sacrebleu-bs", "sacrebleu-ar"]
    assert all("%" in TESTS[name].anticonservative_reason for name in TOO_OFTEN)


def test_a_win_rate_detects_nothing() -> None:
    family = compare(made_ratings(n=60, systems=2), "bootstrap-koehn")
    assert smallest_detectable(family[0]) is None
    assert "Detectable" not in comparison_table(family).caption


# No confident headline where the counts, or the units, do not carry one.


def chinese(n: int = 60) -> Corpus:
    """Chinese text without spaces, of which the second system loses every other line's second half."""
    given = CHINESE["ref"]
    lines = [given[i % len(given)] * (1 + i % 3) for i in range(n)]
    worse = [line if i % 2 else line[: len(line) // 2] for i, line in enumerate(lines)]
    other = [line[:-1] if i % 3 else line for i, line in enumerate(lines)]
    return Corpus.of({"good": other, "bad": worse}, {"ref": lines})


@pytest.mark.parametrize("metric", ["bleu:tokenize=13a", "nist"])
def test_words_counted_in_text_without_spaces_name_no_winner(metric: str) -> None:
    statistics = measure(chinese(), metric)
    family = Settings(n_resamples=400).family(statistics)
    decided = verdict(family[0])
    assert decided.word == "withheld"
    worded(decided.withheld_reason)
    assert "better than" not in headline_text([family])


def test_the_tokenizer_that_the_text_chooses_lets_one_win() -> None:
    family = Settings(n_resamples=400).family(measure(chinese(), "bleu"))
    assert verdict(family[0]).winner == "good"


def said(n: int, documents: int) -> list[str]:
    corpus = made_corpus(n=n, systems=2, documents=documents)
    return [f"{note.level}: {note.text}" for note in inspect(corpus) if note.text.startswith("Only")]


def test_the_caution_about_short_test_sets_counts_units() -> None:
    assert said(600, 0) == []
    worded(said(60, 0), "60 segments")
    (few,) = said(600, 12)
    worded(few, "12 documents")
    (some,) = said(600, 40)
    worded(some, "40 documents")
    assert said(600, 150) == []


def test_documents_of_very_unequal_length_are_warned_of() -> None:
    lengths = [191, *[1] * 9]
    documents = np.repeat(np.arange(10), lengths)
    statistics = replace(made_ratings(n=200, systems=2), document_of=documents)
    said = "10 documents of 1 to 191 segments are worth about 2 of equal length, and a verdict needs at least 5."
    for notes in (compare(statistics).notes, interval(statistics).notes):
        worded(notes, said, "96%")
    assert {verdict(one).word for one in compare(statistics)} == {"withheld"}
    even = replace(statistics, document_of=np.repeat(np.arange(20), 10))
    assert not any("judge their own spread" in note.text for note in compare(even).notes)


def test_too_few_shared_documents_carry_no_verdict() -> None:
    # Twelve documents, of which the second system has nine: the pair stands on nine.
    scores = np.random.default_rng(1).normal(size=(3, 120)) + np.array([[2.0], [0.0], [1.0]])
    documents = np.repeat(np.arange(12), 10)
    coverage = np.ones((3, 120), dtype=bool)
    coverage[1] = documents < 9
    statistics = replace(rated(scores), document_of=documents, available=coverage)
    family = compare(statistics)
    found = {(one.first, one.second): verdict(one) for one in family}
    worded(found["A", "B"].withheld_reason, "9 documents")
    assert found["A", "C"].winner == "A"
    with pytest.raises(NotApplicable, match="Only 9 documents are known for both A and B"):
        power_analysis(statistics, "A", "B", 0.5)
    assert {one.unit for one in audit(statistics, "A", "B", Settings(n_resamples=100))} == {"segment"}
    assert {one.unit for one in audit(statistics, "A", "C", Settings(n_resamples=100))} == {"document", "segment"}


# What drawing has not settled is neither significant nor not, and the shift test says how far its mean is drawn.


def family_with(p_mc_low: float, p: float, p_mc_high: float):  # type: ignore[no-untyped-def]
    found = Settings(n_resamples=200).family(made_statistics(n=100, systems=2))
    with pytest.raises(ValueError, match="read-only"):
        found.p_adjusted[:] = p  # a column is a view of the records, and changes none of them
    return found.changed(p_adjusted=p, p_adjusted_mc_low=p_mc_low, p_adjusted_mc_high=p_mc_high)


@pytest.mark.parametrize(
    ("p_mc_low", "p", "p_mc_high", "significant"),
    [
        (0.03, 0.04, 0.049, True),
        (0.03, 0.04, 0.06, None),
        (0.04, 0.06, 0.08, None),
        (0.051, 0.06, 0.07, False),
        (0.05, 0.05, 0.05, True),
    ],
)
def test_significance_waits_for_drawing(p_mc_low: float, p: float, p_mc_high: float, significant: bool | None) -> None:
    found = family_with(p_mc_low, p, p_mc_high)
    (one,) = found
    assert one.significant is significant
    assert found.rows()[0]["significant"] is significant
    assert (verdict(one).word == "withheld") >= (significant is None)
    # Ranks follow the verdict: where the interval contradicts the p put in here, nobody stands above anybody.
    assert (len(set(ranks(found).rank_low.tolist())) == 2) == (verdict(one).winner is not None)


@pytest.mark.parametrize(("up", "down", "n"), [(5, 0, 40), (14, 6, 100), (44, 8, 60), (60, 9, 72)])
def test_the_shift_test_of_a_mean_counts_both_of_two_equal_steps(up: int, down: int, n: int) -> None:
    # The law of the mean of n redrawn values of 1, −1 and 0, by convolution; p counts what lies |d| from d or farther.
    values = np.zeros(n)
    values[:up], values[up : up + down] = 1, -1
    one_draw = np.array([down, n - up - down, up]) / n
    law = np.array([1.0])
    for _ in range(n):
        law = np.convolve(law, one_draw)
    sums, gap = np.arange(-n, n + 1), up - down
    exact = law[np.abs(sums - gap) >= abs(gap)].sum()
    found = [compare(rated([values, 0 * values]), ShiftBootstrap(Bootstrap(10_000, seed)))[0] for seed in range(12)]
    # Intervals of 95% each: nearly all of a dozen hold the truth.
    assert sum(one.p_mc_low <= exact <= one.p_mc_high for one in found) >= 10
    assert all(abs(one.p_value - exact) < 5 * np.sqrt(exact * (1 - exact) / 10_000) + 1e-4 for one in found)


def test_without_steps_the_drawn_mean_adds_little() -> None:
    one = compare(made_statistics(n=300, systems=2), ShiftBootstrap(Bootstrap(10_000)))[0]
    alone = 2 * 1.96 * np.sqrt(one.p_value * (1 - one.p_value) / 10_000)
    assert one.p_mc_high - one.p_mc_low < 1.6 * alone


def test_the_audit_counts_the_undecided_apart_and_each_unit_by_itself() -> None:
    noise = stats.norm.ppf((np.arange(100) + 0.5) / 100)
    found = audit(rated([noise / noise.std() + 0.2, 0 * noise]), "A", "B", Settings(n_resamples=50))
    unsettled = [one for one in found if one.has_p and not one.printed_only and one.verdict == "withheld"]
    assert unsettled
    for unit in found.units:
        count = sum(one.unit == unit for one in unsettled)
        said = audit_text(found, unit)
        assert f"{count} {'is' if count == 1 else 'are'} withheld" in said if count else "withheld" not in said
    assert not audit_text(found).startswith("All")


def test_a_declared_direction_cannot_be_turned() -> None:
    found = Settings(alternative="greater", n_resamples=200).family(made_statistics(n=60, systems=2), "sys1")
    with pytest.raises(NotApplicable, match="one-sided"):
        found.turned(0)


# Where few units differ: no verdict, no margin and no power that they do not carry, and the reason in words.

PAIR = [("A", "B")]


def few(differing: int, n: int = 200) -> Statistics:
    noise = np.random.default_rng(5).normal(size=n)
    return rated([noise + np.where(np.arange(n) < differing, 0.5, 0.0), noise])


def test_few_differing_units_are_a_caution_for_a_named_test_and_withhold_a_default_one() -> None:
    said = comparison_table(compare(few(5), "ij-t", PAIR)).caption
    worded(said, "5 of 200")
    by_default = comparison_table(compare(few(5), "jackknife-t", PAIR)).caption
    worded(by_default, "5 of 200")
    assert "too few" not in comparison_table(compare(few(60), "ij-t", PAIR)).caption


def test_no_difference_can_be_significant_is_said_where_it_is_so() -> None:
    said = attainable_text(compare(few(5), "ar", PAIR)[0])
    worded(said, "5 of 200", "0.062")
    assert "No difference" not in str(attainable_text(compare(few(6), "ar", PAIR)[0]))


def test_margins_of_a_comparison_need_segments_that_differ() -> None:
    found = within(compare(few(9), "ar", PAIR)[0], 0.5, both=True)
    assert found.established is None
    worded(found.withheld_reason, "9 of 200", "10")
    assert within(compare(few(10), "ar", PAIR)[0], 0.5, both=True).established


def test_half_of_the_units_is_enough_in_a_small_set() -> None:
    assert within(compare(few(9, n=18), "ar", PAIR)[0], 5.0, both=True).established
    found = within(compare(few(8, n=18), "ar", PAIR)[0], 5.0, both=True)
    assert found.established is None
    worded(found.withheld_reason, "8 of 18", "9")


@pytest.mark.parametrize(("differing", "floor"), [(1, 1.0), (4, 0.125), (5, 0.0625)])
def test_where_hardly_any_segment_differs_the_table_says_that_nothing_can_be_found(
    differing: int, floor: float
) -> None:
    family = compare(nearly_alike(differing), "ar", [("A", "B")])
    assert family[0].p_value == pytest.approx(floor)
    assert smallest_detectable(family[0]) is None
    said = comparison_table(family).caption
    worded(said, f"{differing} of 200")
    assert "Detectable" not in said


@pytest.mark.parametrize("differing", [1, 5, 9])
def test_power_and_margins_are_refused_where_hardly_any_segment_differs(differing: int) -> None:
    statistics = nearly_alike(differing)
    with pytest.raises(NotApplicable, match=f"differ on only {differing} of 200 segments"):
        power_analysis(statistics, "A", "B", 0.1)
    found = equivalence(statistics, "A", "B", 0.1)
    assert found.established is None
    worded(found.withheld_reason, f"{differing} of 200")
    assert power_analysis(nearly_alike(10), "A", "B", 0.1, 0.1).needed is not None


def test_redraws_without_any_spread_find_nothing() -> None:
    # 12 of 200 differ; redraws of 8 units hold none of them in (188/200)^8 = 61% of cases: these find nothing.
    found = simulated_power(nearly_alike(12), "A", "B", 0.3, units=8, simulations=4000)
    assert found.power < 0.42


@crossed("name, alternative", [name for name, test in TESTS.items() if test.controls_type1], ["two-sided", "greater"])
def test_few_differing_segments_are_a_caution_where_arrangements_are_not_counted(name: str, alternative: str) -> None:
    settings = Settings(test=name, unit="segment", alternative=alternative, n_resamples=500)  # type: ignore[arg-type]
    (few,) = settings.family(nearly_alike(9), [("A", "B")])
    if name == "jackknife-t":
        assert verdict(few).withheld == "few differ"
    else:
        assert verdict(few).winner == "A"
        assert ("too few for this test" in verdict(few).caution) == (not few.exact and name != "ar")
    (more,) = settings.family(nearly_alike(30), [("A", "B")])
    assert verdict(more).winner == "A"


def test_enumerated_signed_ranks_are_called_exact() -> None:
    assert [compare(nearly_alike(k), "wilcoxon", [("A", "B")])[0].exact for k in (5, 25, 26)] == [True, True, False]
