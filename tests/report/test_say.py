"""Sentences and tables: they hold difference, interval and p-value, and never say more."""

import math
import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from kept import Kept, lacking, worded
from made import made_corpus, made_statistics
from made_sets import documents_of, rated_corpus
from papers import made_study, planned_study

import mtsig
from mtsig import Corpus, Settings, adjust, measure, metric, read_sample, size_curve, verdict
from mtsig._probability import interval_text
from mtsig._say import alone_text, attainable_text, ci_text, say, short_p_text
from mtsig.collection import Sets
from mtsig.corpus import Rating
from mtsig.figures import Histogram, Matrix
from mtsig.figures._marks import SCREEN
from mtsig.inference import Comparison, Family, compare, p_text
from mtsig.metrics import Bleu, Rated, Statistics
from mtsig.report import Document, card, comparison_table, score_table, verdict_text
from mtsig.report._diagnostics import size_table
from mtsig.report._families import family_text, headline_text, method_text, ranking_text
from mtsig.report._shown import tables_of
from mtsig.segments._ablation import Ablation
from mtsig.study import Request, Study, conduct


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
        adjusted_ci_low=0.06, adjusted_ci_high=2.41, adjusted_level=0.9875,
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


def test_a_verdict_holds_difference_interval_and_p(one: Comparison, kept: Kept) -> None:
    text = verdict_text(one)
    assert text.startswith("alpha is significantly")
    assert not lacking(text, "than beta", "by 1.23", "0.06 to 2.41", "p = .035", "10 comparisons")
    kept("say", text)


def test_the_winner_is_named_and_the_interval_seen_from_its_side(one: Comparison) -> None:
    turned = {"adjusted_ci_low": -2.41, "adjusted_ci_high": -0.06}
    text = verdict_text(replace(one, difference=-1.234, ci_low=-1.97, ci_high=-0.5, **turned))
    assert text.startswith("beta is significantly")
    assert not lacking(text, "than alpha", "by 1.23", "0.06 to 2.41")


def test_not_separated_is_no_claim_of_equality(one: Comparison, kept: Kept) -> None:
    p = {"p_value": 0.2, "p_adjusted": 0.5, "p_adjusted_mc_low": 0.49, "p_adjusted_mc_high": 0.51}
    changed = replace(one, ci_low=-0.2, ci_high=2.7, adjusted_ci_low=-0.2, adjusted_ci_high=2.7, **p)
    text = verdict_text(changed)
    assert not lacking(text, "is not significant", "does not show", "alpha scores 1.23", "−0.20 to 2.70", "p = .50")
    kept("say", text)


def test_undecided_gives_its_reason(one: Comparison, kept: Kept) -> None:
    text = verdict_text(replace(one, p_adjusted_mc_low=0.03, p_adjusted_mc_high=0.06))
    assert text.startswith("Verdict withheld: ")
    assert re.search(r"about \d+,000 resamples", text)
    kept("say", text)


def test_identical_systems_are_said_to_be_the_same(one: Comparison) -> None:
    same = replace(
        one, difference=0.0, ci_low=0.0, ci_high=0.0, n_differing=0, p_value=1.0, p_mc_low=1.0, p_mc_high=1.0,
        p_adjusted=1.0,
        p_adjusted_mc_low=1.0, p_adjusted_mc_high=1.0, exact=True,
    )  # fmt: skip
    assert "same statistics" in verdict_text(same)


def test_a_win_rate_is_not_called_a_p_value(statistics: Statistics) -> None:
    wins = Settings(test="bootstrap-koehn", n_resamples=500).family(statistics)
    for one in wins:
        text = verdict_text(one)
        assert "bootstrap win rate" in text
        assert re.search(r"\bp [=<]", text) is None
        share = float(re.findall(r"win rate ([\d.]+)%", text)[0])
        assert share == pytest.approx(
            100 * (one.bootstrap_win_rate if one.difference >= 0 else 1 - one.bootstrap_win_rate - one.tie_rate),
            abs=0.06,
        )


def test_an_uncorrected_p_value_says_so(one: Comparison) -> None:
    assert not lacking(verdict_text(replace(one, correction="none")), "p = .012", "not corrected", "10 comparisons")
    assert "correct" not in verdict_text(replace(one, correction="none", family_size=1))


def test_every_sentence_of_a_family_holds_its_numbers(family: Family) -> None:
    for one in family:
        text = verdict_text(one)
        assert f"{abs(one.difference):.2f}" in text
        assert f"(adjusted CI {ci_text(one if one.difference >= 0 else one.turned)}, adjusted p" in text
        assert short_p_text(one.p_adjusted, one.alpha) in text
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
    assert text.startswith("Of 10 comparisons")
    words = [verdict(one).word for one in family]
    for word, said in (("better", "significant"), ("not_significant", "not significant"), ("withheld", "withheld")):
        if words.count(word):
            assert f"{words.count(word)} {said}" in text


def test_the_method_is_said_in_full(family: Family) -> None:
    text = method_text(family)
    for piece in (
        "paired randomization",
        "2,000 resamples",
        "segments",
        "seed 12345",
        "min-P",
        "family-wise error rate 0.05",
    ):
        assert piece in text
    assert "uncorrected" in method_text(adjust(family, "none"))


def test_enumerated_families_claim_draws_for_their_resamples_only() -> None:
    corpus = made_corpus(n=30, systems=1, documents=0)
    nearly = ["changed here" if i in (3, 9, 20) else line for i, line in enumerate(corpus.lines("sys0"))]
    two = Corpus.of({**corpus.outputs, "nearly": nearly}, corpus.references)
    family = compare(measure(two, "chrf"))
    text = method_text(family, shown=["bootstrap win rate"])
    assert "all swaps" in text
    worded(text, "10,000 resamples", "seed 12345")
    assert len(lacking(method_text(family), "resamples", "win rate", "seed")) == 3


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
    assert intervals[best].score == intervals.score.max()
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


def test_the_headline_lists_from_whom_the_best_does_not_differ_significantly(
    family: Family, statistics: Statistics
) -> None:
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
    assert all("With 10 comparisons" in text and "adjusted CI (" in text for text in said)
    (alone,) = Settings(n_resamples=200).family(
        measure(read_sample().take(range(100)), "bleu"), [("direct-us", "direct")]
    )
    assert alone_text(alone) == ""


# --- a pair as a page opens with it -------------------------------------------------------------------------------


def test_a_title_says_the_finding_and_its_size_only_where_it_is_significant(one: Comparison, kept: Kept) -> None:
    # These segments have no document ids, and the verdict says why that is a caution.
    assert say(one, "title").endswith("by 1.2 BLEU, with a caution")
    assert say(replace(one, difference=0.567, unit="document"), "title").endswith("by 0.57 BLEU")
    assert say(one.turned, "title") == say(one, "title")
    close = replace(one, p_adjusted=0.4, p_adjusted_mc_low=0.39, p_adjusted_mc_high=0.41)
    kept("say", *(say(each, "title") for each in (one, close, replace(one, is_quality_metric=False))))


def test_one_difference_has_the_same_digits_on_pages_and_in_pictures_and_more_in_reports() -> None:
    statistics = measure(read_sample(), "chrf")
    family = Settings(n_resamples=500).family(statistics)
    matrix = Matrix.of(family)
    shown = {frozenset((matrix.order[cell.row], matrix.order[cell.column])): matrix.text(cell) for cell in matrix.cells}
    seen = set()
    for row in family:
        size = abs(row.difference)
        seen.add(size >= 1)
        digits = f"{size:.{1 if size >= 1 else 2}f}"
        for where in ("lede", "brief"):
            assert re.search(rf"(?<![\d.]){digits} chrF2 ahead", say(row, where))
        assert f" {digits} chrF2 better" in say(row, "lead")
        assert f" {size:.2f} " in say(row)
        if verdict(row).word == "better":
            assert say(row, "title").endswith(f" by {digits} chrF2")
            assert shown[frozenset((row.first, row.second))] == digits
        draws = row.difference + np.linspace(-2, 2, 400)
        marks = Histogram.of_resampled(draws, row, True).scene(SCREEN).planes[0].marks
        sign = "+" if row.difference >= 0 else "−"
        assert f"estimate {sign}{digits}" in [getattr(mark, "text", "") for mark in marks]
    assert seen == {True, False}


def test_a_lede_has_the_interval_of_the_verdict_and_both_ps(one: Comparison) -> None:
    judged = replace(one, adjusted_ci_low=0.1, adjusted_ci_high=2.3, adjusted_level=0.995)
    said = say(judged, "lede")
    assert said.startswith("alpha is 1.2 ")
    worded(said, "300", "0.1 to 2.3", "p = .012", "10 comparisons")
    assert re.search(r"\.03[45]\scorrected", said)
    assert say(judged.turned, "lede") == said
    assert "equal" not in said


def test_a_lede_never_calls_systems_equal_and_says_p_first_where_a_small_share_may_be_taken_for_it(
    one: Comparison,
    kept: Kept,
) -> None:
    close = replace(
        one, p_adjusted=0.4, p_adjusted_mc_low=0.39, p_adjusted_mc_high=0.41, adjusted_ci_low=-0.4,
        adjusted_ci_high=2.8, adjusted_level=0.995, bootstrap_win_rate=0.9,
    )  # fmt: skip
    said = say(close, "lede")
    assert not lacking(said, "0.4 behind", "2.8 ahead", "does not show")
    small = replace(close, bootstrap_win_rate=0.98)
    worded(say(small, "lede"), "p = .012")
    kept("say", said, say(small, "lede"))


@pytest.mark.parametrize("p", [0.04951, 0.0496, 0.0499, 0.0501, 0.0504, 0.05049, 0.0551])
def test_a_short_p_never_hides_on_which_side_of_alpha_it_is(p: float) -> None:
    printed = float(short_p_text(p, 0.05).removeprefix("p = "))
    assert (printed <= 0.05) == (p <= 0.05)


# --- every sentence -----------------------------------------------------------------------------------------------


def _told(study: Study) -> Iterator[str]:
    """Yield all that documents, notebooks and cards say of a study, name by name of what says it."""
    document = Document(study)
    yield from (
        document.methods.text,
        document.summary.text,
        *(picture.caption for picture in document.pictures.values()),
    )
    yield from (table.caption for table in document.tables)
    for said in document.said:
        yield from (said.headline, said.summary, *said.sentences, said.left)
    for result in (result for part in study.sets for result in part.results):
        shown = (result.scored, result.compared, result.places)
        yield from (table.caption for kind in shown for table in tables_of(kind))
    if not study.several:
        yield card(study).said.title
        yield card(study).said.lede


def _sentences(text: str) -> list[str]:
    """Return the sentences of a text, without signatures, citations and the commands of what was cited."""
    bare = re.sub(r" \([^()]*\d{4}[^()]*\)", "", re.sub(r"\S*\|\S*\|\S*", "", text))
    return re.split(r"(?<=[.?!])\s+(?=\S)", bare)


def test_no_sentence_is_long_and_every_interval_has_one_name() -> None:
    some = made_corpus(n=80, systems=4, documents=0)
    ratings = np.random.default_rng(1).normal(5, 1, (4, 80)) + np.arange(4)[:, None]
    ratings[1, :7] = ratings[3, 60:] = np.nan
    rated = replace(some, ratings={"mqm": Rating(ratings, higher_is_better=False)})
    scores = np.array([[1.0], [0.7], [0.1], [0.0]]) + np.random.default_rng(8).normal(0, 1, (6, 4, 60))
    sets = {f"newstest202{j}": rated_corpus(each, documents_of([2] * 30)) for j, each in enumerate(scores)}
    studies = {
        "sample": mtsig.compare(read_sample(), ["bleu", "ter"], n_resamples=200),
        "several sets": conduct(Sets.of(sets), Request((metric("rating:score"),), Settings(n_resamples=200))),
        "ratings": conduct(rated, Request((Rated("mqm"), Bleu()), Settings(n_resamples=200))),
        "margins": made_study(),
        "planned": planned_study(),
    }
    said = {name: [one for text in _told(study) for one in _sentences(text)] for name, study in studies.items()}
    assert all(len(sentences) > 20 for sentences in said.values())
    every = [one for sentences in said.values() for one in sentences]
    assert [one for one in every if len(one.split()) > 35] == []
    assert [one for one in every if re.search(r"\d% (interval|band)|\bslices?\b|\bredraw|\bpeople\b", one)] == []
