"""Sentences and tables: they hold difference, interval and p-value, and never say more."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from made import made_corpus, made_statistics

from mtsig import Corpus, Settings, adjust, measure, p_text, read_sample, size_curve, verdict
from mtsig.inference import Comparison, Family, compare
from mtsig.metrics import Statistics
from mtsig.report import comparison_table, score_table, verdict_text
from mtsig.report._diagnostics import size_table
from mtsig.report._families import family_text, headline_text, method_text, ranking_text
from mtsig.report._say import alone_text, attainable_text, ci_text, interval_text
from mtsig.segments._ablation import Ablation


@pytest.fixture(scope="module")
def statistics() -> Statistics:
    return made_statistics(n=300, systems=5)


@pytest.fixture(scope="module")
def family(statistics: Statistics) -> Family:
    return Settings(n_resamples=2000).family(statistics)


@pytest.fixture
def one(family: Family) -> Comparison:
    """A comparison to change by hand."""
    return replace(
        family[0],
        metric="BLEU", first="alpha", second="beta", difference=1.234, ci_low=0.5, ci_high=1.97, p_value=0.0123,
        p_mc_low=0.01,
        p_mc_high=0.014, p_adjusted=0.0345, p_adjusted_mc_low=0.03, p_adjusted_mc_high=0.04, exact=False, units=300,
        n_differing=250,
        bootstrap_win_rate=0.99, tie_rate=0.0, level=0.95, test="ar", correction="minp", family_size=10,
        adjusted_ci_low=0.06, adjusted_ci_high=2.41, adjusted_level=0.0125,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (1.0, "p = 1"),
        (0.99996, "p = 1"),
        (0.5, "p = .5000"),
        (0.05, "p = .0500"),
        (0.0312, "p = .0312"),
        (1 / 10_001, "p = .0001"),
        (0.00004, "p < .0001"),
        (2.0**-39, "p < .0001"),
        (math.nan, "no p"),
    ],
)
def test_p_values_are_printed_with_four_digits_and_never_as_zero(p: float, text: str) -> None:
    assert p_text(p) == text


def test_no_p_value_is_ever_printed_as_zero_or_above_one() -> None:
    for p in [*np.geomspace(1e-12, 1, 4000), *(c / 20_001 for c in range(1, 200)), 0.99994, 0.99995, 0.999951]:
        found = re.fullmatch(r"p (=|<) (1|\.\d{4})", p_text(float(p)))
        assert found is not None, p
        assert found[2] != ".0000"


def test_a_verdict_holds_difference_interval_and_p(one: Comparison) -> None:
    text = verdict_text(one)
    assert text.startswith("alpha is better than beta by 1.23 BLEU")
    assert "(adjusted CI 0.06 to 2.41, adjusted p = .0345, 10 comparisons)" in text


def test_the_winner_is_named_and_the_interval_seen_from_its_side(one: Comparison) -> None:
    turned = {"adjusted_ci_low": -2.41, "adjusted_ci_high": -0.06}
    text = verdict_text(replace(one, difference=-1.234, ci_low=-1.97, ci_high=-0.5, **turned))
    assert text.startswith("beta is better than alpha by 1.23 BLEU")
    assert "adjusted CI 0.06 to 2.41" in text


def test_not_separated_is_no_claim_of_equality(one: Comparison) -> None:
    p = {"p_value": 0.2, "p_adjusted": 0.5, "p_adjusted_mc_low": 0.49, "p_adjusted_mc_high": 0.51}
    changed = replace(one, ci_low=-0.2, ci_high=2.7, adjusted_ci_low=-0.2, adjusted_ci_high=2.7, **p)
    text = verdict_text(changed)
    assert text.startswith("Not separated")
    assert "no evidence that they are equal" in text
    assert "alpha is ahead by 1.23 BLEU" in text
    assert "adjusted CI −0.20 to 2.70" in text
    assert "On average over test sets like this one, a true difference of about" in text
    assert "p = .5000" in text


def test_undecided_gives_its_reason(one: Comparison) -> None:
    text = verdict_text(replace(one, p_adjusted_mc_low=0.03, p_adjusted_mc_high=0.06))
    assert text.startswith("Withheld: the corrected p is too near alpha for this number of draws; draw more: about")
    assert re.search(r"about \d+,000 draws would do", text)


def test_identical_systems_are_said_to_be_the_same(one: Comparison) -> None:
    same = replace(
        one, difference=0.0, ci_low=0.0, ci_high=0.0, n_differing=0, p_value=1.0, p_mc_low=1.0, p_mc_high=1.0,
        p_adjusted=1.0,
        p_adjusted_mc_low=1.0, p_adjusted_mc_high=1.0, exact=True,
    )  # fmt: skip
    assert "same BLEU statistics everywhere" in verdict_text(same)


def test_a_win_rate_is_not_called_a_p_value(statistics: Statistics) -> None:
    wins = Settings(test="bootstrap-koehn", n_resamples=500).family(statistics)
    for one in wins:
        text = verdict_text(one)
        assert "of resamples" in text
        assert re.search(r"\bp [=<]", text) is None
        share = float(re.findall(r"(?:ahead on|wins) ([\d.]+)%", text)[0])
        assert share == pytest.approx(
            100 * (one.bootstrap_win_rate if one.difference >= 0 else 1 - one.bootstrap_win_rate - one.tie_rate),
            abs=0.06,
        )


def test_an_uncorrected_p_value_says_so(one: Comparison) -> None:
    assert "p = .0123, not corrected for 10 comparisons" in verdict_text(replace(one, correction="none"))
    assert "correct" not in verdict_text(replace(one, correction="none", family_size=1))


def test_every_sentence_of_a_family_holds_its_numbers(family: Family) -> None:
    for one in family:
        text = verdict_text(one)
        assert f"{abs(one.difference):.2f} BLEU" in text
        assert f"adjusted CI {ci_text(one if one.difference >= 0 else one.turned)}, adjusted p" in text
        assert p_text(one.p_adjusted) in text
        assert "p = 0" not in text
        assert "p = .0000" not in text


def test_few_differing_units_limit_the_p_value(one: Comparison) -> None:
    assert attainable_text(one) is None
    text = attainable_text(replace(one, n_differing=5))
    assert text is not None
    assert "5 of 300" in text
    assert "0.062" in text  # 2^(1 − 5)
    assert attainable_text(replace(one, n_differing=0)) is None


def test_the_family_sentence_counts_verdicts(family: Family) -> None:
    text = family_text(family)
    assert text.startswith("Of 10 comparisons in BLEU:")
    words = [verdict(one).word for one in family]
    for word, said in (("better", "separated"), ("not_significant", "not significant"), ("withheld", "withheld")):
        if words.count(word):
            assert f"{words.count(word)} {said}" in text


def test_the_method_is_said_in_full(family: Family) -> None:
    text = method_text(family)
    for piece in ("paired randomization", "2,000 draws", "segments", "seed 12345", "min-P", "α = 0.05"):
        assert piece in text
    assert "uncorrected" in method_text(adjust(family, "none"))


def test_enumerated_families_claim_draws_for_their_resamples_only() -> None:
    corpus = made_corpus(n=30, systems=1, documents=0)
    nearly = ["changed here" if i in (3, 9, 20) else line for i, line in enumerate(corpus.lines("sys0"))]
    two = Corpus.of({**corpus.outputs, "nearly": nearly}, corpus.references)
    text = method_text(compare(measure(two, "chrf")))
    assert "all arrangements" in text
    assert "10,000 draws for the resamples won, seed 12345" in text


def test_intervals_are_written_with_signs_for_differences() -> None:
    assert interval_text(1.234, 5.678) == "1.23 to 5.68"
    assert interval_text(-1.234, 5.678, signed=True) == "−1.23 to +5.68"


def test_the_score_table_is_best_first(statistics: Statistics) -> None:
    intervals = Settings(n_resamples=200).intervals(statistics)
    table = score_table(intervals)
    shown = [float(row[1]) for row in table.texts]
    assert shown == sorted(shown, reverse=True)
    assert len(table.header) == len(table.columns) == len(table.texts[0])
    best = table.texts[0][0]
    assert intervals[best].estimate == intervals.score.max()
    assert table.texts[0][2] == interval_text(intervals[best].ci_low, intervals[best].ci_high)
    assert best in ranking_text(intervals)
    assert "better" not in ranking_text(intervals)


def test_the_comparison_table_has_a_row_per_pair(family: Family) -> None:
    table = comparison_table(family)
    assert len(table.rows) == 10
    assert len(table.header) == len(table.columns)
    for row, one in zip(table.texts, family.by_score(), strict=True):
        assert row[:2] == (one.first, one.second)
        assert float(row[2].replace("−", "-")) == pytest.approx(one.difference, abs=0.0051)
        decided = verdict(one)
        said = f"{decided.winner} better" if decided.winner else decided.word.replace("_", " ")
        assert row[-1] == (f"{said} !" if decided.caution else said)


def test_the_size_table_has_a_row_per_size_and_system(statistics: Statistics) -> None:
    curves = size_curve(statistics, Ablation(sizes=(0.5, 1.0), repeats=10))
    table = size_table(curves)
    assert len(table.rows) == 10
    assert [row[0] for row in table.texts] == ["50%"] * 5 + ["100%"] * 5
    assert {row[1] for row in table.texts[:5]} == {"150"}


def test_the_top_group_lists_who_is_not_separated_from_the_best(family: Family, statistics: Statistics) -> None:
    intervals = Settings(n_resamples=200).intervals(statistics)
    best = intervals.systems[intervals.order()[0]]
    text = headline_text([family])
    assert best in text
    for one in family:
        if best in (one.first, one.second):
            other = one.second if one.first == best else one.first
            assert (other in text) == (verdict(one).word != "better")


# --- alone and together ---


@pytest.mark.parametrize(
    "settings", [Settings(n_resamples=500), Settings(n_resamples=500, test="ar"), Settings(test="wilcoxon")]
)
@pytest.mark.parametrize("n", [60, 100, 200])
def test_it_is_said_exactly_where_the_two_intervals_disagree(settings: Settings, n: int) -> None:
    family = settings.family(measure(read_sample().take(range(n)), "sentchrf"))
    for one in family:
        alone = one.ci_low > 0 or one.ci_high < 0
        together = one.adjusted_ci_low > 0 or one.adjusted_ci_high < 0
        assert (alone_text(one) != "") == (alone and not together and verdict(one).word == "not_significant")
        assert (alone_text(one.turned) != "") == (alone_text(one) != "")


def test_it_names_both_intervals_and_how_many_were_judged() -> None:
    family = Settings(n_resamples=200).family(measure(read_sample().take(range(100)), "bleu"))
    said = [alone_text(one) for one in family if alone_text(one)]
    assert said
    assert all("one of 10 comparisons" in text and "adjusted CI (" in text for text in said)
    (alone,) = Settings(n_resamples=200).family(
        measure(read_sample().take(range(100)), "bleu"), [("direct-us", "direct")]
    )
    assert alone_text(alone) == ""
