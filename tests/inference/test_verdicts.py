"""The verdict's three words, and what makes it withheld."""

from dataclasses import replace

import numpy as np
import pytest
from made import made_corpus, made_ratings
from made_means import means

from mtsig import Corpus, Settings, measure, ranks, verdict
from mtsig.errors import NotApplicable
from mtsig.inference import TESTS, Comparison, compare, smallest_detectable
from mtsig.report import comparison_table

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
    assert reason == "this test gives no p-value here; choose the jackknife t test"


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
    assert all("of 100 cases without any difference" in TESTS[name].anticonservative_reason for name in TOO_OFTEN)


def test_a_win_rate_detects_nothing() -> None:
    family = compare(made_ratings(n=60, systems=2), "bootstrap-koehn")
    assert smallest_detectable(family[0]) is None
    assert "Detectable" not in comparison_table(family).caption
