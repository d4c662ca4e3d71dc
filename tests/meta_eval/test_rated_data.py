"""What raters and metrics say of the same systems: who takes part, on which segments, with which scores."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from agreement_oracles import ratios
from kept import worded
from scipy import stats

from mtsig import Corpus, Rating, Settings, measure, read
from mtsig.corpus import SystemScores
from mtsig.corpus._notes import is_human
from mtsig.errors import InvalidOption, NotApplicable, UnknownName
from mtsig.meta_eval import (
    STATISTICS,
    RatedData,
    accuracy_over_sets,
    compare_metrics,
    delta_accuracy,
    meta_eval,
    sentinels,
    underrated,
    verdict_table,
)
from mtsig.meta_eval._rated_data import equal, signs
from mtsig.meta_eval._statistic import Redraw
from mtsig.metrics import Bleu, Chrf, Metric
from mtsig.resampling import Bootstrap

NAN = np.nan
PEOPLE = np.array([[3.0, NAN, 1.0, 2.0], [1.0, 2.0, NAN, 2.0], [2.0, 1.0, 1.0, NAN]])
PROGRAM = np.array([[0.9, 0.5, 0.2, 0.1], [0.4, 0.3, 0.2, 0.2], [0.5, 0.6, 0.7, 0.8]])


def corpus_of(systems: str = "ABC", people: np.ndarray = PEOPLE, **metrics: Rating) -> Corpus:
    ratings = {"people": Rating(people, higher_is_better=True), **metrics}
    return Corpus.of(dict.fromkeys(systems.split() if " " in systems else systems), ratings=ratings)


def rated_of(**options: str) -> RatedData:
    return RatedData.of(corpus_of(m=Rating(PROGRAM, higher_is_better=True)), "rating:people", ["rating:m"], **options)


def test_a_metrics_system_scores_stand_on_the_segments_rated_for_that_system() -> None:
    rated = rated_of()
    np.testing.assert_allclose(rated.system_scores("people"), [2.0, 5 / 3, 4 / 3])
    np.testing.assert_allclose(rated.system_scores("m"), [1.2 / 3, 0.9 / 3, 1.8 / 3])
    assert (np.isnan(rated.cells("m")) == np.isnan(PEOPLE)).all()
    assert rated.shared.tolist() == [2, 2, 2]


def test_or_on_all_segments_that_it_has() -> None:
    rated = rated_of(segments="all")
    np.testing.assert_allclose(rated.system_scores("people"), [2.0, 5 / 3, 4 / 3])
    np.testing.assert_allclose(rated.system_scores("m"), PROGRAM.mean(axis=1))


def test_signs_are_turned_once_for_metrics_and_for_ratings() -> None:
    corpus = Corpus.of(
        dict.fromkeys("ABC"),
        ratings={"errors": Rating(PEOPLE, higher_is_better=False), "ter": Rating(PROGRAM, higher_is_better=False)},
    )
    rated = RatedData.of(corpus, "rating:errors", ["rating:ter"])
    np.testing.assert_allclose(rated.ratings, -PEOPLE)
    np.testing.assert_allclose(rated.system_scores("ter"), [-1.2 / 3, -0.9 / 3, -1.8 / 3])


def test_weights_redraw_segments() -> None:
    found = rated_of().system_scores("m", np.array([[2, 0, 0, 1], [1, 1, 1, 1]], dtype=np.float32))
    np.testing.assert_allclose(found[:, 0], [(2 * 0.9 + 0.1) / 3, (2 * 0.4 + 0.2) / 3, 0.5])
    np.testing.assert_allclose(found[:, 1], [0.4, 0.3, 0.6])


def test_a_cell_that_a_metric_lacks_counts_for_none_of_them() -> None:
    gap = PROGRAM.copy()
    gap[0, 0] = NAN
    corpus = corpus_of(m=Rating(PROGRAM, higher_is_better=True), gap=Rating(gap, higher_is_better=True))
    rated = RatedData.of(corpus, "rating:people", ["rating:m", "rating:gap"])
    np.testing.assert_allclose(rated.system_scores("people")[0], 1.5)
    np.testing.assert_allclose(rated.system_scores("m")[0], 0.15)
    worded(rated.notes, "1 rating")


def test_human_translations_are_left_out_unless_asked_for() -> None:
    corpus = corpus_of("A refB C", m=Rating(PROGRAM, higher_is_better=True))
    rated = RatedData.of(corpus, "rating:people", ["rating:m"])
    assert rated.systems == ("A", "C")
    assert rated.left_out == {"refB": "a human translation"}
    assert rated.under("include").systems == ("A", "refB", "C")
    assert rated.under("include").under("exclude").systems == ("A", "C")


@pytest.mark.parametrize("metric", ["COMET-refB", "COMET-ref-B"])
def test_a_metrics_own_reference_takes_no_part_whatever_is_asked(metric: str) -> None:
    corpus = corpus_of("A refB C", **{metric: Rating(PROGRAM, higher_is_better=True)})
    rated = RatedData.of(corpus, "rating:people", [f"rating:{metric}"], humans="include")
    assert rated.systems == ("A", "C")
    worded(rated.left_out["refB"], metric)


def test_an_output_that_is_the_reference_is_known_by_its_lines() -> None:
    lines = ["one two three four", "five six seven eight", "nine ten eleven twelve"]
    systems = {
        "A": ["one two three five", *lines[1:2], "nine nine ten"],
        "B": ["one two", "five six", "nine"],
        "C": lines,
    }
    rating = Rating(np.array([[1.0, 2, 3], [1, 1, 2], [3, 3, 3]]), higher_is_better=True)
    corpus = Corpus.of(systems, {"ref": lines}, ratings={"people": rating})
    rated = RatedData.of(corpus, "rating:people", ["chrf"])
    assert rated.systems == ("A", "B")
    worded(rated.left_out["C"])
    with pytest.raises(NotApplicable, match="sentence-level version"):
        rated.cells("chrF2")
    # A rating read from a file was made with nobody knows what: the same output stays.
    program = Rating(rating.values, higher_is_better=True)
    unknown = Corpus.of(systems, {"ref": lines}, ratings={"people": rating, "m": program})
    assert RatedData.of(unknown, "rating:people", ["rating:m"]).systems == ("A", "B", "C")


def test_corpus_metrics_are_scored_from_sums_over_the_rated_segments() -> None:
    lines = ["one two three four", "five six seven eight", "nine ten eleven twelve"]
    systems = {"A": ["one two four", *lines[1:2], "nine nine ten"], "B": ["one two", "five six eight", "nine twelve"]}
    rating = Rating(np.array([[1.0, NAN, 3], [1, 1, 2]]), higher_is_better=True)
    corpus = Corpus.of(systems, {"ref": lines}, ratings={"people": rating})
    rated = RatedData.of(corpus, "rating:people", ["chrf"])
    alone = measure(corpus.take([0, 2]), "chrf").scores
    whole = measure(corpus, "chrf").scores
    np.testing.assert_allclose(rated.system_scores("chrF2"), [alone[0], whole[1]])


def test_too_few_systems_are_refused_by_name() -> None:
    corpus = corpus_of(m=Rating(np.vstack([PROGRAM[:1], PROGRAM[1:] * NAN]), higher_is_better=True))
    with pytest.raises(
        NotApplicable, match=r"at least 2 systems that were rated and scored; found 1 \(A\).*not scored by m"
    ):
        RatedData.of(corpus, "rating:people", ["rating:m"])


def test_wrong_words_are_refused() -> None:
    with pytest.raises(InvalidOption, match="humans is exclude or include; found 'some'"):
        rated_of(humans="some")
    with pytest.raises(InvalidOption, match="people given twice"):
        RatedData.of(corpus_of(), "rating:people", ["rating:people"])
    with pytest.raises(UnknownName, match="no metric called 'n'"):
        rated_of()["n"]


def test_statistics_do_as_well_as_names() -> None:
    corpus = corpus_of(m=Rating(PROGRAM, higher_is_better=True))
    rated = RatedData.of(None, measure(corpus, "rating:people"), [measure(corpus, "rating:m")])
    np.testing.assert_array_equal(rated.cells("m"), rated_of().cells("m"))
    with pytest.raises(InvalidOption, match="Without a corpus"):
        RatedData.of(None, "rating:people", ["rating:m"])


def test_documents_are_units_where_there_are_ten() -> None:
    people, program = (Rating(np.arange(48.0).reshape(2, 24) % size, higher_is_better=True) for size in (5, 7))
    ratings = {"people": people, "m": program}
    for count, unit in ((12, "document"), (6, "segment")):
        names = tuple(f"d{number % count}" for number in range(24))
        rated = RatedData.of(Corpus.of(dict.fromkeys("AB"), ratings=ratings, documents=names), "people", ["m"])
        assert rated.unit() == unit
        assert len(np.unique(rated.units())) == (12 if unit == "document" else 24)
    with pytest.raises(NotApplicable, match="there are 6 of them"):
        rated.unit("document")


def test_equal_numbers_are_ties_whatever_their_last_digits() -> None:
    assert equal(np.array(0.3 - 0.2), np.array(0.2 - 0.1))
    assert not equal(np.array(0.3), np.array(0.3 + 1e-8))
    assert signs(np.array([0.3 - 0.2, 1.0, -1.0]), np.array([0.2 - 0.1, 0.0, 0.0])).tolist() == [0.0, 1.0, -1.0]


SYSTEMS = [f"s{row}" for row in range(8)]
SCORES = np.array([0.1, 0.5, 0.2, 0.9, 0.3, 0.8, 0.4, 0.75])
OF_SYSTEMS = ("pearson", "spearman", "kendall", "accuracy")
FEW = Settings(n_resamples=300)


def corpus(higher: bool = True) -> Corpus:
    rng = np.random.default_rng(1)
    quality = np.linspace(0, 1, 8)[:, None]
    ratings = {
        "esa": Rating(quality + rng.normal(size=(8, 30)), higher_is_better=True),
        "b": Rating(quality + rng.normal(size=(8, 30)), higher_is_better=True),
        # The same scores on every segment: what a plain mean makes of them is known.
        "flat": Rating(np.repeat(SCORES[:, None], 30, axis=1), higher_is_better=True),
    }
    given = dict(zip(SYSTEMS, (SCORES if higher else -SCORES).tolist(), strict=True))
    whole = {"whole": SystemScores(given, higher)}
    return replace(Corpus.of(dict.fromkeys(SYSTEMS), ratings=ratings), system_scores=whole)


@pytest.fixture(scope="module", params=[True, False], ids=["higher is better", "lower is better"])
def rated(request: pytest.FixtureRequest) -> RatedData:
    return RatedData.of(corpus(request.param), "rating:esa", ["rating:whole", "rating:flat", "rating:b"])


def test_they_stand_beside_metrics_with_scores_of_segments(rated: RatedData) -> None:
    np.testing.assert_allclose(rated.system_scores("whole"), SCORES, atol=1e-9)
    found = meta_eval(rated, OF_SYSTEMS, over="systems", settings=FEW)
    for name in OF_SYSTEMS:
        whole, flat = found.of("whole", name), found.of("flat", name)
        for field in (
            "value",
            "ci_low",
            "ci_high",
            "loo_low",
            "loo_high",
            "loo_low_without",
            "without_outliers",
            "right",
        ):
            assert getattr(whole, field) == pytest.approx(getattr(flat, field), nan_ok=True)


def test_exchanged_systems_and_williams_compare_them(rated: RatedData) -> None:
    for unit in ("systems", "williams"):
        family = compare_metrics(rated, "pearson", unit, FEW)
        p = dict(zip(zip(family.first, family.second, strict=True), family.p_value, strict=True))
        assert p["whole", "b"] == pytest.approx(p["flat", "b"])


def test_nothing_of_segments_is_said_of_them(rated: RatedData) -> None:
    found = meta_eval(rated, ["spa", "acc_eq", "pearson"], over="segments", settings=FEW)
    assert {row.statistic for row in found if row.metric == "whole"} == {"pearson"}
    assert np.isnan([found.of("whole", "pearson").ci_low, found.of("whole", "pearson").ci_high]).all()
    said = " ".join(note.text for note in found.notes)
    worded(said)
    refusals = (
        lambda: STATISTICS["spa"].value(rated, "whole"),
        lambda: STATISTICS["acc_eq"].value(rated, "whole"),
        lambda: verdict_table(rated, "whole", FEW),
        lambda: underrated(rated, "whole"),
        lambda: accuracy_over_sets([rated], "whole", over="segments", settings=FEW),
        lambda: compare_metrics(rated, "pearson", "item", FEW, metrics=["whole", "b"]),
    )
    for refused in refusals:
        with pytest.raises(NotApplicable, match=r"only system-level scores|only scores of whole systems"):
            refused()


def test_redraws_of_both_redraw_systems_alone(rated: RatedData) -> None:
    both, systems = (meta_eval(rated, ["pearson"], over=over, settings=FEW) for over in ("both", "systems"))
    ends = [(found.of("whole", "pearson").ci_low, found.of("whole", "pearson").ci_high) for found in (both, systems)]
    assert ends[0] == ends[1]
    assert both.of("b", "pearson").ci_low != systems.of("b", "pearson").ci_low
    worded(both.notes)


def test_what_a_difference_means_is_known_of_them(rated: RatedData) -> None:
    curve = delta_accuracy(rated, "whole", scheme=Bootstrap(200))
    expected = delta_accuracy(rated, "flat", scheme=Bootstrap(200))
    np.testing.assert_allclose(curve.share, expected.share)
    assert not np.isnan(curve.ci_low).all()
    worded(curve.notes[0].text)
    over_sets = accuracy_over_sets([rated, rated], "whole", over="systems", settings=FEW)
    assert (over_sets.right, over_sets.pairs) == (2 * found_right(rated), 56)


def found_right(rated: RatedData) -> int:
    people = rated.system_scores("esa")
    return sum((people[i] - people[j]) * (SCORES[i] - SCORES[j]) > 0 for i in range(8) for j in range(i))


def test_they_stand_beside_sentinels(rated: RatedData) -> None:
    assert {row.metric for row in sentinels(rated, ["pearson"], settings=FEW)} == {"whole", "flat", "b"}
    assert {row.metric for row in sentinels(rated, ["spa"], settings=FEW)} == {"flat", "b"}


def test_scores_of_published_systems(shared: Path) -> None:
    """COMET of wmt21-en-de: files of one set write refB and ref-B, and both are one human translation."""
    data = read(shared / "data/wmt21-en-de")
    rated = RatedData.of(data, "rating:mqm", ["rating:COMET-refA"], humans="include")
    given = data.system_scores["COMET-refA"].scores
    assert {"refB", "refC", "refD"} <= set(rated.systems)
    assert rated.left_out["refA"].startswith(("refA is the reference", "not scored"))
    for system, score in zip(rated.systems, rated.system_scores("COMET-refA"), strict=True):
        assert score == pytest.approx(given.get(system, given.get(system.replace("ref", "ref-"))), abs=1e-9)
    assert not any(is_human(system) for system in rated.under("exclude").systems)


@pytest.fixture(scope="module")
def by_people() -> RatedData:
    """People scored whole systems only; two metrics have scores of segments."""
    return RatedData.of(corpus(), "rating:whole", ["rating:b", "rating:esa"])


def test_people_who_scored_whole_systems_are_agreed_with_as_by_the_numbers(by_people: RatedData) -> None:
    """Values and ranges without one system against numpy and scipy; intervals against the same scores by segment."""
    found = meta_eval(by_people, OF_SYSTEMS, settings=FEW)
    scores = by_people.system_scores("b")
    each = [np.corrcoef(np.delete(scores, row), np.delete(SCORES, row))[0, 1] for row in range(8)]
    pearson = found.of("b", "pearson")
    assert pearson.value == pytest.approx(np.corrcoef(scores, SCORES)[0, 1])
    assert (pearson.loo_low, pearson.loo_high) == pytest.approx((min(each), max(each)))
    assert found.of("b", "kendall").value == pytest.approx(scipy.stats.kendalltau(scores, SCORES)[0])
    assert found.over == "systems"
    same = RatedData.of(corpus(), "rating:flat", ["rating:b", "rating:esa"])
    of_segments = meta_eval(same, OF_SYSTEMS, over="systems", settings=FEW)
    for name in OF_SYSTEMS:
        ends, expected = ((one.of("b", name).ci_low, one.of("b", name).ci_high) for one in (found, of_segments))
        assert ends == pytest.approx(expected)
    for unit in ("systems", "williams"):
        p = compare_metrics(by_people, "pearson", unit, FEW).p_value
        assert p == pytest.approx(compare_metrics(same, "pearson", unit, FEW).p_value)


def test_what_takes_people_s_segments_is_refused_with_the_reason(by_people: RatedData) -> None:
    found = meta_eval(by_people, settings=FEW)
    assert {row.statistic for row in found} == {"accuracy", "pearson"}
    assert np.isnan([row.separated_pairs for row in found]).all()
    said = " ".join(note.text for note in found.notes)
    worded(said)
    refusals = (
        lambda: by_people.ratings,
        lambda: STATISTICS["spa"].value(by_people, "b"),
        lambda: STATISTICS["acc_eq"].value(by_people, "b"),
        lambda: verdict_table(by_people, "b", FEW),
        lambda: underrated(by_people, "b"),
        lambda: accuracy_over_sets([by_people], "b", over="segments", settings=FEW),
        lambda: compare_metrics(by_people, "pearson", "item", FEW),
    )
    for refused in refusals:
        with pytest.raises(NotApplicable, match=r"only system-level scores|only scores of whole systems"):
            refused()
    assert {row.statistic for row in sentinels(by_people, ["pearson", "spa"], settings=FEW)} == {"pearson"}
    assert "scores of whole" in delta_accuracy(by_people, "b", scheme=Bootstrap(100)).notes[0].text


def test_the_reference_of_a_metric_is_told_by_the_letter_that_organisers_write() -> None:
    data = corpus()
    systems = [*SYSTEMS, "refA"]
    given = dict(zip(systems, [*SCORES.tolist(), 0.1], strict=True))
    whole = {name: SystemScores(given, higher_is_better=True) for name in ("bleu-A", "bleu-B")}
    more = {"esa": Rating(np.vstack([data.ratings["esa"].values, np.ones(30)]), higher_is_better=True)}
    data = replace(
        Corpus.of({name: ["x"] * 30 for name in systems}, {"refA": ["y"] * 30, "refB": ["z"] * 30}, ratings=more),
        system_scores=whole,
    )
    left_out = {name: RatedData.of(data, "rating:esa", [f"rating:{name}"], humans="include").left_out for name in whole}
    assert left_out == {
        "bleu-A": {"refA": "refA is the reference of bleu-A, so its own score gives no information about the metric"},
        "bleu-B": {},
    }


WORDS = ["the", "a", "cat", "dog", "sat", "stood", "on", "under", "mat", "log", "and", "then", "ran", "home", "fast"]


def texts(seed: int, systems: int = 3, n: int = 80) -> Corpus:
    rng = np.random.default_rng(seed)
    lines = [[*rng.choice(WORDS, rng.integers(6, 25))] for _ in range(n)]

    def worse(line: list[str], share: float) -> str:
        return " ".join(rng.choice(WORDS) if rng.random() < share else word for word in line)

    outputs = {f"s{row}": [worse(line, 0.15 + 0.03 * row) for line in lines] for row in range(systems)}
    people = rng.normal(size=(systems, n))
    people[rng.random(people.shape) < 0.1] = np.nan
    ratings = {"people": Rating(people, higher_is_better=True)}
    return Corpus.of(outputs, {"ref": [" ".join(line) for line in lines]}, ratings=ratings)


@pytest.fixture(scope="module")
def of_counts() -> RatedData:
    return RatedData.of(texts(1), "rating:people", ["bleu", "chrf", "ter", "sentchrf"])


@pytest.mark.parametrize("name", ["BLEU", "chrF2", "TER"])
def test_the_mean_of_a_systems_parts_is_its_score(of_counts: RatedData, name: str) -> None:
    parts = of_counts.parts(name)
    assert (np.isnan(parts) == ~of_counts.mask).all()
    np.testing.assert_allclose(np.nanmean(parts, axis=1), of_counts.system_scores(name), rtol=1e-9)


@pytest.mark.parametrize("name", ["BLEU", "chrF2", "TER"])
def test_their_spread_is_that_of_redrawn_scores(of_counts: RatedData, name: str) -> None:
    first, second = of_counts.parts(name)[:2]
    shared = of_counts.mask[0] & of_counts.mask[1]
    both = np.flatnonzero(shared)
    # Scores of redrawn test sets, worked out anew: what the parts' own variance stands for.
    draws = np.concatenate(list(Bootstrap(4000, 3, "segment").blocks(len(both))))
    weights = np.zeros((len(draws), of_counts.n), dtype=np.float32)
    weights[:, both] = draws
    scores = of_counts[name].of_systems(weights)
    apart = (first - second)[both]
    assert np.std(scores[0] - scores[1]) == pytest.approx(apart.std() / np.sqrt(len(both)), rel=0.06)


def test_of_a_ratio_they_are_its_linear_form() -> None:
    of_counts = ratios(np.random.default_rng(5), systems=3, n=40, equal=True)
    edits, length = of_counts["a"].values.astype(np.float64)
    rate = edits.sum(axis=1, keepdims=True) / length.sum(axis=1, keepdims=True)
    expected = -100 * (rate + 40 * (edits - rate * length) / length.sum(axis=1, keepdims=True))
    np.testing.assert_allclose(of_counts.parts("a"), expected)


def test_of_scores_of_segments_they_are_those(of_counts: RatedData) -> None:
    np.testing.assert_array_equal(of_counts.parts("sentchrF2"), of_counts.cells("sentchrF2"))


def test_a_test_of_correlations_counts_hybrids_of_parts(of_counts: RatedData) -> None:
    """Every exchange of 8 segments, in a plain loop."""
    corpus = texts(3, systems=5, n=8)
    full = Rating(np.random.default_rng(4).normal(size=(5, 8)), higher_is_better=True)
    of_counts = RatedData.of(
        Corpus.of(corpus.outputs, corpus.references, ratings={"people": full}), "people", ["ter", "chrf"]
    )
    a, b = (of_counts.parts(name) for name in of_counts.names)
    a, b = ((x - x.mean()) / x.std() for x in (a, b))
    people = of_counts.ratings.mean(axis=1)

    def apart(mask: np.ndarray) -> float:
        first, second = np.where(mask, b, a), np.where(mask, a, b)
        return float(np.corrcoef(people, first.mean(axis=1))[0, 1] - np.corrcoef(people, second.mean(axis=1))[0, 1])

    masks = (np.arange(2**8)[:, None] >> np.arange(8)) & 1 == 1
    every = np.array([apart(mask) for mask in masks])
    p = np.mean(np.abs(every) >= abs(every[0]) - 1e-12)
    family = compare_metrics(of_counts, "pearson", "item", Settings(n_resamples=20_000, correction="none"))
    assert family[0].difference == pytest.approx(every[0], abs=1e-9)
    assert family[0].p_value == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / 20_000) + 1e-4)


@pytest.mark.parametrize("metric", [Bleu(), Chrf()], ids=["BLEU", "chrF"])
def test_soft_accuracy_by_parts_is_that_by_exchanged_sums(metric: Metric) -> None:
    """Δ of the test stands on parts, the value itself on sums halfway between two systems: they agree closely."""
    corpus = texts(7, systems=6, n=150)
    of_counts = RatedData.of(corpus, "rating:people", [metric, "sentchrf"])
    family = compare_metrics(of_counts, "spa", "item", Settings(n_resamples=20))
    first, second = (STATISTICS["spa"].value(of_counts, name) for name in of_counts.names)
    assert family[0].difference == pytest.approx(first - second, abs=0.005)


@pytest.mark.slow
def test_two_equally_good_metrics_of_whole_corpora_are_rarely_told_apart() -> None:
    """60 sets; a thousand, and more statistics, stand in test_exchanges.py."""
    rng = np.random.default_rng(11)
    wrong = 0
    for number in range(60):
        of_counts = ratios(rng, equal=number % 2 == 0)
        family = compare_metrics(
            of_counts, "pearson", "item", Settings(n_resamples=200, seed=number, correction="none")
        )
        wrong += bool(family.p_value[0] <= 0.05)
    assert stats.binom.sf(wrong - 1, 60, 0.05) > 1e-3


def test_redrawn_scores_are_no_means_of_parts(of_counts: RatedData) -> None:
    """Intervals score every redrawn set anew."""
    weights = np.zeros((1, of_counts.n))
    weights[0, :20] = 4
    scores = Redraw(weights).system_scores(of_counts, "BLEU")[:, 0]
    linear = (np.nan_to_num(of_counts.parts("BLEU")) @ weights[0]) / (of_counts.mask @ weights[0])
    assert np.abs(scores - linear).max() > 1e-3
    assert measure(texts(1), "bleu").scores == pytest.approx(of_counts["BLEU"].statistics.scores)
