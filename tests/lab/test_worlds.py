"""Systems of equal score that are not exchangeable: their truth, how they are drawn, and that calibration can fail."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from kept import lacking
from made import made_binary, made_corpus, made_ratings, made_statistics, rated
from sampled import slow
from scipy import stats

from mtsig import measure, read
from mtsig.errors import InvalidOption, NotApplicable, UnknownName
from mtsig.lab import NEWS, Calibrate, Multiplicity, of_experiment, run
from mtsig.lab._error_rates import CalibrationRates
from mtsig.lab._material import Population
from mtsig.lab._words import law_tables, law_text
from mtsig.lab._worlds import centred, equal_scores
from mtsig.metrics import Statistics

METRICS = ("bleu", "chrf", "ter", "sentchrf")


@pytest.fixture(scope="module")
def pairs() -> dict[str, Statistics]:
    """Two made systems, three words in a hundred apart, in 40 documents of 10 segments."""
    corpus = made_corpus(n=400, systems=2, documents=40)
    return {name: measure(corpus, name) for name in METRICS}


def true_scores(population: Population) -> np.ndarray:
    """Scores at the expected totals, by the definition: chances times counts, added up unit by unit."""
    statistics = population.statistics
    weights = np.ones(statistics.n) if population.weights is None else population.weights
    totals = sum(weight * statistics.values[..., i].astype(float) for i, weight in enumerate(weights))
    return np.asarray(statistics.metric.score(np.asarray(totals)))


@pytest.mark.parametrize("by_document", [False, True])
@pytest.mark.parametrize("name", METRICS)
def test_scores_are_equal(pairs: dict[str, Statistics], name: str, by_document: bool) -> None:
    real = pairs[name]
    apart = real.scores[0] - real.scores[1]
    assert abs(apart) > 1
    population = equal_scores(real, by_document)
    first, second = true_scores(population)
    assert first - second == pytest.approx(0, abs=1e-9)
    assert population.truth == pytest.approx([first, second])
    assert (population.weights is None) == (name == "sentchrf")
    assert population.effective(by_document) > 0.5 * len(population.chances(by_document))
    first, second = true_scores(equal_scores(real, by_document, effect=0.5))
    assert first - second == pytest.approx(apart / 2, rel=1e-6)


@pytest.mark.parametrize("by_document", [False, True])
def test_chances_are_exponential_in_the_influence_there(pairs: dict[str, Statistics], by_document: bool) -> None:
    real = pairs["bleu"]
    population = equal_scores(real, by_document)
    # The influences at the tilted totals, by central differences of the definition.
    totals = np.einsum("ksn,n->ks", real.values.astype(float), population.weights)
    slopes = np.empty_like(totals)
    for k in range(len(totals)):
        step = np.zeros((len(totals), 1))
        step[k] = 1e-3
        slopes[k] = (real.metric.score(totals + step) - real.metric.score(totals - step)) / 2e-3
    moved = np.einsum("k,kn->n", slopes[:, 0], real.values[:, 0]) - np.einsum(
        "k,kn->n", slopes[:, 1], real.values[:, 1]
    )
    if by_document:
        moved = np.array([moved[real.document_of == document].sum() for document in range(40)])
    chances = population.chances(by_document)
    assert chances.sum() == pytest.approx(1)
    slope, start = np.polyfit(moved, np.log(chances), 1)
    assert np.log(chances) == pytest.approx(start + slope * moved, abs=1e-5)
    # The better one is drawn down: units that speak for it come more rarely.
    assert slope * (real.scores[0] - real.scores[1]) < 0
    assert population.effective(by_document) == pytest.approx(1 / np.square(chances).sum())


def test_what_is_drawn_are_whole_documents_as_they_are_by_their_chances(pairs: dict[str, Statistics]) -> None:
    population = equal_scores(pairs["bleu"], by_document=True)
    values = population.statistics.values
    document_of = population.statistics.document_of
    known = {values[..., document_of == d].tobytes(): d for d in range(40)}
    counts = np.zeros(40)
    for number in range(100):
        drawn = population.draw_documents(30, number)
        for document in range(30):
            counts[known[drawn.values[..., drawn.document_of == document].tobytes()]] += 1
    assert stats.chisquare(counts, 3000 * population.chances(by_document=True)).pvalue > 1e-4


def test_drawn_sets_scatter_about_equal_scores() -> None:
    population = equal_scores(made_statistics(n=400, systems=2), by_document=False)
    apart = [np.subtract(*population.draw(200, number).scores) for number in range(1000)]
    assert abs(np.mean(apart)) < 4 * np.std(apart) / np.sqrt(1000)


def test_units_of_very_unequal_weight_are_drawn_in_proportion() -> None:
    weights = np.r_[np.full(10, 1e-9), 1, 0, 3]
    population = Population(rated(np.arange(26.0).reshape(2, 13)), weights=weights)
    drawn = np.concatenate([population.draw(100, number).segment_scores[0] for number in range(50)])
    assert set(drawn) == {10.0, 12.0}
    assert np.mean(drawn == 12) == pytest.approx(0.75, abs=0.03)
    assert population.effective(by_document=False) == pytest.approx(16 / 10)
    for bad in (np.ones(12), -weights, 0 * weights):
        with pytest.raises(InvalidOption, match="13 numbers"):
            replace(population, weights=bad)


def test_centring_shifts_real_scores_and_their_sums_agree_exactly() -> None:
    real = made_ratings(systems=4)
    found = centred(real)
    assert len(set(found.sums[0].tolist())) == 1
    moved = found.values[0] - real.values[0]
    assert np.ptp(moved, axis=1).max() <= real.rounding / 2
    assert moved.mean(axis=1) == pytest.approx(real.scores.mean() - real.scores)
    half = centred(real, effect=0.5)
    assert half.scores - half.scores.mean() == pytest.approx((real.scores - real.scores.mean()) / 2, abs=1e-8)


def test_ratings_stay_right_or_wrong() -> None:
    population = equal_scores(made_binary(n=300, systems=2), by_document=False)
    assert population.weights is not None
    assert set(np.unique(population.draw(100, 0).values)) == {0.0, 1.0}
    assert np.subtract(*population.truth) == pytest.approx(0, abs=1e-9)


def always_ahead() -> Statistics:
    right = np.tile([1.0, 0, 1, 1], 25)
    return rated([right, right * np.tile([1.0, 1, 1, 0], 25)])


def test_systems_of_which_one_is_never_behind_cannot_be_made_equal() -> None:
    options = {"simulations": 50, "n_resamples": 99, "sizes": (50,), "effects": (0.0,), "tests": ("ij-t",)}
    with pytest.raises(NotApplicable, match="always scores higher"):
        run(Calibrate(nulls=("equal-scores",), **options), always_ahead())
    found = run(Calibrate(**options), always_ahead())
    assert (found.nulls, found.left_out) == (("exchangeable",), ("equal-scores",))
    assert "always scores higher" in found.notes[0].text
    assert not lacking(law_text(found), "No result for", "not exchangeable.")


def test_a_tilt_that_leaves_few_units_in_effect_is_said() -> None:
    # One in a hundred segments speaks for the worse system: they must come as often as all others together.
    values = np.ones((2, 2000))
    values[1] = 0
    values[0, 7::100], values[1, 7::100] = 0, 1
    found = run(Calibrate(simulations=50, n_resamples=99, sizes=(50,), effects=(0.0,), tests=("ij-t",)), rated(values))
    assert found.made == ("exchanged", "tilted")
    assert 0.03 < found.share[1] < 0.2
    assert "unlike these data" in law_text(found)
    assert "effective number" in found.notes[0].text


def unequal(documents: int = 300, seed: int = 1) -> Statistics:
    """Two rated systems on documents of lognormal length (σ 1.1); one fails wholly in one document of ten."""
    rng = np.random.default_rng(seed)
    lengths = np.maximum(1, np.rint(np.exp(rng.normal(1.5, 1.1, documents)))).astype(int)
    document_of = np.repeat(np.arange(documents), lengths)
    shared = rng.normal(50, 10, len(document_of)) + rng.normal(0, 3, documents)[document_of]
    failing = 24.0 * (rng.random(documents) < 0.1)
    wild = shared - failing[document_of] + rng.normal(0, 4, len(document_of))
    steady = shared - 2 + rng.normal(0, 4, len(document_of))
    return rated([wild, steady], ["wild", "steady"], documents=document_of)


def calibrated(statistics: Statistics, documents: int, simulations: int, **options: object) -> CalibrationRates:
    assert statistics.n_documents is not None
    size = round(documents * statistics.n / statistics.n_documents)
    chosen = {"n_resamples": 199, "sizes": (size,), "effects": (0.0,), "tests": ("ar",)} | options
    return run(Calibrate(simulations=simulations, **chosen), statistics)  # type: ignore[arg-type]


def by_hand(statistics: Statistics, documents: int, simulations: int, exchange: bool) -> float:
    """How often a test by exchanging documents errs, written out in numpy: sums of documents, draws, signs."""
    rng = np.random.default_rng(7)
    scores, document_of = statistics.segment_scores, statistics.document_of
    gap = scores[0] - scores[1]
    gap = gap if exchange else gap - gap.mean()
    sums = np.bincount(document_of, weights=gap)
    found = 0
    for _ in range(simulations):
        drawn = sums[rng.integers(0, len(sums), documents)]
        signs = 2.0 * rng.integers(0, 2, (200, documents)) - 1
        if exchange:
            drawn = drawn * signs[199]
        null = np.abs(signs[:199] @ drawn)
        found += (1 + np.sum(null >= abs(drawn.sum()) - 1e-9)) / 200 <= 0.05
    return found / simulations


@pytest.mark.calibration
@pytest.mark.parametrize("simulations", [300, pytest.param(4000, marks=pytest.mark.slow)])
def test_calibration_can_fail(simulations: int) -> None:
    population = unequal()
    found = calibrated(population, 25, simulations)
    assert (found.drawn, found.unit, found.sizes.tolist()) == ("documents", "document", [25])
    assert (found.nulls, found.made) == (("exchangeable", "equal-scores"), ("exchanged", "centred"))
    low, high = stats.binom.ppf([5e-5, 1 - 5e-5], simulations, 0.05)
    exchanged, equal = found.rejected[0, 0]
    assert low <= exchanged <= high
    assert equal > high
    for world, exchange in enumerate((True, False)):
        theirs = by_hand(population, 25, 4000, exchange)
        ours = found.rate[0, 0, world]
        share = (simulations * ours + 4000 * theirs) / (simulations + 4000)
        assert abs(ours - theirs) < 4 * np.sqrt(share * (1 - share) * (1 / simulations + 1 / 4000))
    assert found.compared(0, 0, 1) == 1
    text = law_text(found)
    start = "Under systems of equal score that are not exchangeable (whole documents kept, each system's scores shifted"
    assert not lacking(
        text[text.index(start) :], "paired randomization", f"is {equal / simulations:.1%} (", "above the nominal"
    )


@pytest.mark.calibration
@pytest.mark.parametrize("simulations", [100, pytest.param(3000, marks=pytest.mark.slow)])
def test_tilted_documents_let_tests_fail_too(simulations: int) -> None:
    # The same in whole points: they cannot be shifted by less than one, so documents are drawn with other chances.
    real = unequal()
    values = real.values.copy()
    values[0] = np.clip(np.rint(values[0]), 0, 100)
    points = replace(real, values=values.astype(np.float32))
    found = calibrated(points, 25, simulations, nulls=("equal-scores",))
    assert found.made == ("tilted",)
    assert found.share[0] > 0.5
    assert found.rejected[0, 0, 0] > stats.binom.ppf(1 - 5e-5, simulations, 0.05)


@pytest.mark.slow
@pytest.mark.calibration
@pytest.mark.parametrize(
    ("name", "other", "made", "errors", "simulations"),
    [
        ("chrf", "Online-A", "tilted", (0.055, 0.085), 100),
        *slow(
            ("chrf", "Online-A", "tilted", (0.055, 0.085), 3000),
            ("sentchrf", "Online-G", "centred", (0.06, 0.09), 3000),
        ),
    ],
)
def test_real_documents(
    shared: Path, name: str, other: str, made: str, errors: tuple[float, float], simulations: int
) -> None:
    # Measured with 1,500 test sets of 15 documents: .073 and .070, with exchanged labels .050 and .053.
    statistics = measure(read(shared / "data" / "wmt22-several" / "en-ja"), name)
    found = calibrated(statistics, 15, simulations, pair=("Lan-Bridge", other))
    assert found.made == ("exchanged", made)
    assert found.share[1] > 0.99
    assert found.truth.tolist() == [0, 0]
    for world, (least, most) in enumerate([(0.045, 0.055), errors]):
        low, high = stats.binom.ppf(5e-5, simulations, least), stats.binom.ppf(1 - 5e-5, simulations, most)
        assert low <= found.rejected[0, 0, world] <= high


@pytest.mark.calibration
def test_families_err_more_often_under_equal_scores() -> None:
    # Three systems that are steady beside the one that fails in one document of ten.
    real = unequal()
    wild, steady = real.segment_scores
    others = [steady + np.random.default_rng(seed).normal(0, 4, real.n) for seed in range(2)]
    statistics = rated([wild, steady, *others], documents=real.document_of)
    size = round(25 * statistics.n / 300)
    plan = Multiplicity(size=size, simulations=100, n_resamples=99, drawn="documents")
    exchanged = run(plan, statistics)
    equal = run(replace(plan, null="equal-scores"), statistics)
    assert (equal.null, equal.drawn) == ("equal-scores", "documents")
    assert 20 <= equal.size <= 30
    most = stats.binom.ppf(0.9999, 100, 0.05)
    assert exchanged.errors[2].max() <= most < equal.errors[2, -1]
    assert not lacking(law_text(exchanged), "that are exchangeable,", "no system is")
    assert not lacking(law_text(equal), "of equal score", "not exchangeable,", "no system is")
    assert {row["null"] for row in equal.rows()} == {"equal-scores"}


def test_several_systems_are_centred_or_not_at_all() -> None:
    plan = Multiplicity(size=50, simulations=50, n_resamples=99, null="equal-scores")
    with pytest.raises(NotApplicable, match="More than two systems"):
        run(plan, made_statistics(n=100, systems=3))
    assert run(plan, made_ratings(n=100, systems=3)).drawn == "segments"


@pytest.mark.slow
def test_the_same_seed_gives_the_same_test_sets() -> None:
    plan = Calibrate(simulations=50, n_resamples=99, sizes=(100,), tests=("ij-t",), drawn="documents")
    statistics = NEWS.simulate((30.0, 29.0), 900).statistics
    one, again, other = (run(replace(plan, seed=seed), statistics).rows() for seed in (1, 1, 2))
    assert repr(one) == repr(again) != repr(other)


def test_every_row_sentence_and_legend_names_the_null() -> None:
    plan = Calibrate(
        simulations=50, n_resamples=99, sizes=(60,), drawn="segments", unit="segment", tests=("ar", "ij-t")
    )
    found = run(plan, made_statistics(n=300, systems=2))
    assert found.effects.tolist() == [0, 0.5, 1, 0]
    assert found.nulls == ("exchangeable",) * 3 + ("equal-scores",)
    for row in found.rows():
        assert row["made"] == {"exchangeable": "exchanged", "equal-scores": "tilted"}[row["null"]]
        assert 0.8 < row["effective_share"] <= 1
    nulls = {(row["what"], row["null"]) for row in found.rows() if row["effect"] == 0}
    assert len(nulls) == 4
    text = law_text(found)
    for words in ("systems that are exchangeable", "systems of equal score that are not exchangeable"):
        assert f"Under {words} (" in text
        assert f"% under {words}" in text
    assert law_tables(found)[0].caption == text
    tests = ("paired randomization", "fast t test")
    names = {trace.name for trace in of_experiment(found)["Error rates"].screen().data}
    assert names >= {f"{test}, {null}" for test in tests for null in ("exchangeable", "equal scores")}
    names = {trace.name for trace in of_experiment(found)["Power"].screen().data}
    assert names >= {f"{test}, {null}" for test in tests for null in ("exchangeable", "equal scores")}


def test_effects_are_made_in_the_way_of_the_first_null() -> None:
    plan = Calibrate(
        simulations=50, n_resamples=99, sizes=(60,), drawn="segments", unit="segment", tests=("ij-t",),
        nulls=("equal-scores", "exchangeable"),
    )  # fmt: skip
    statistics = made_statistics(n=300, systems=2)
    found = run(plan, statistics)
    assert found.made == ("tilted",) * 3 + ("exchanged",)
    apart = statistics.scores.max() - statistics.scores.min()
    assert found.truth == pytest.approx([0, apart / 2, apart, 0], rel=1e-6)
    assert found.share[2] == pytest.approx(1)


def test_nulls_go_by_their_names_and_once() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'equal-scores'"):
        Calibrate(nulls=("equal-score",))  # type: ignore[arg-type]
    for bad in ((), ("exchangeable", "exchangeable")):
        with pytest.raises(InvalidOption, match="each named once"):
            Calibrate(nulls=bad)  # type: ignore[arg-type]
