"""Documents and runs: planted effects are found in their size, and their absence too."""

import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from kept import worded
from made import CHINESE, edited_reference, made_corpus, made_statistics, rated
from numpy.typing import ArrayLike
from sampled import slow
from scipy import stats

from mtsig import Corpus, compare_runs, measure, read_files, verdict
from mtsig._say import say
from mtsig.corpus._notes import runs_by_name
from mtsig.errors import InvalidOption, NotApplicable, UnknownName
from mtsig.inference import RunComparison, block_scan, compare
from mtsig.inference._dependence import dependence
from mtsig.inference._runs import correct_runs
from mtsig.inference._tests import JackknifeT
from mtsig.metrics import Statistics
from mtsig.report._diagnostics import runs_table
from mtsig.resampling import Bootstrap


def planted(share: float, documents: int = 400, size: int = 20, seed: int = 1) -> Statistics:
    """Return two rated systems whose difference owes `share` of its variance to the document."""
    rng = np.random.default_rng(seed)
    of = np.repeat(np.arange(documents), size)
    gap = np.sqrt(share) * rng.normal(size=documents)[of] + np.sqrt(1 - share) * rng.normal(size=len(of))
    base = rng.normal(50, 10, len(of))
    return rated([base + gap, base], documents=of)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.4])
def test_planted_document_effects_are_found(share: float) -> None:
    found = dependence(planted(share), "A", "B")
    assert found.icc == pytest.approx(share, abs=0.08)
    assert found.design_effect == pytest.approx(1 + 19 * share, rel=0.3)
    # Documents that seem to make the test set larger do so by chance.
    assert found.effective_segments == pytest.approx(8000 / max(1, found.design_effect))
    assert (found.p_value < 0.001) == (share > 0)
    assert (found.segments, found.documents, found.target) == (8000, 400, "A − B")


def test_documents_of_unequal_length_follow_the_formula_of_the_analysis_of_variance() -> None:
    rng = np.random.default_rng(7)
    of = np.repeat(np.arange(30), rng.integers(1, 25, 30))
    values = rng.normal(size=30)[of] + rng.normal(size=len(of))
    found = dependence(rated([values], documents=of), "A")
    groups = [values[of == k] for k in range(30)]
    theirs = stats.f_oneway(*groups)
    assert (found.f_statistic, found.p_value) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-4)
    sizes = np.array([len(g) for g in groups])
    typical = (sizes.sum() - np.sum(sizes**2) / sizes.sum()) / 29
    assert found.icc == pytest.approx((theirs.statistic - 1) / (theirs.statistic - 1 + typical), rel=1e-4)


def test_intervals_by_documents_have_the_spread_and_the_freedom_of_documents() -> None:
    statistics = planted(0.4, documents=12, size=10)
    one = compare(statistics, "ij-t", interval="ij")[0]
    sums = statistics.by_document().values[0]
    error = stats.sem((sums[0] - sums[1]) / 10)
    assert (one.units, one.unit) == (12, "document")
    assert (one.ci_high - one.ci_low) / 2 == pytest.approx(stats.t.ppf(0.975, 11) * error, rel=1e-5)
    segments = compare(statistics, JackknifeT(Bootstrap(100, unit="segment")), interval="ij")[0]
    assert segments.ci_high - segments.ci_low < one.ci_high - one.ci_low


def test_dependence_needs_documents_and_a_derivative() -> None:
    with pytest.raises(NotApplicable, match="block_scan"):
        dependence(made_statistics(), "sys0")
    statistics = measure(made_corpus(documents=12), "bleu")
    values = statistics.values.copy()
    values[5] = 0
    with pytest.raises(NotApplicable, match="jackknife is undefined"):
        dependence(replace(statistics, values=values), "sys0")


def test_a_block_scan_finds_neighbours_that_go_together() -> None:
    statistics = replace(planted(0.4), document_of=None)
    found = block_scan(statistics, "A", "B")
    assert found.lengths.tolist() == [2, 5, 10, 20, 50]
    assert np.all(found.ratio > found.limit)
    assert found.ratio[0] < found.ratio[1] < found.ratio[2] < found.ratio[3]
    # Blocks of 20 are the documents: the squared ratio is the design effect.
    assert found.ratio[3] ** 2 == pytest.approx(dependence(planted(0.4), "A", "B").design_effect, rel=1e-6)


@pytest.mark.slow
def test_without_dependence_the_limit_is_passed_in_about_one_of_twenty_sets() -> None:
    over, sets = 0, 200
    for seed in range(sets):
        statistics = rated(np.random.default_rng(seed).normal(size=(1, 200)))
        found = block_scan(statistics, "A", lengths=(5,), seed=seed)
        over += int(found.ratio[0] > found.limit[0])
    assert stats.binom.ppf(0.0005, sets, 0.04) <= over <= stats.binom.ppf(0.9995, sets, 0.06)


def test_short_sets_are_refused_by_the_block_scan() -> None:
    with pytest.raises(NotApplicable, match="too few"):
        block_scan(rated(np.random.default_rng(1).normal(size=(1, 15))), "A")
    assert block_scan(rated(np.random.default_rng(1).normal(size=(1, 60))), "A").lengths.tolist() == [2, 5]
    with pytest.raises(NotApplicable, match="contribute equally"):
        block_scan(rated(np.ones((2, 60))), "A", "B")


# --- runs ---------------------------------------------------------------------------------------------------


def with_runs(rng: np.random.Generator, runs: int, spread: float, n: int = 500) -> Statistics:
    """Return two equal systems of so many runs: segments shared, runs of SD `spread`, noise of run × segment."""
    segment, gap = rng.normal(50, 10, n), rng.normal(0, 5, (2, 1, n))
    scores = segment + gap + spread * rng.normal(size=(2, runs, 1)) + rng.normal(0, 4, (2, runs, n))
    return rated(scores.reshape(2 * runs, n), [f"{s}.run{r}" for s in "XY" for r in range(runs)])


def test_variance_components_are_those_of_the_model() -> None:
    found = [compare_runs(with_runs(np.random.default_rng(seed), 8, 1.0), "X", "Y") for seed in range(60)]
    # segments: (2 · 5² + 2 · 4²/8)/500; runs: 2 · (1 + 4²/500)/8; overlap: 2 · 4²/(500 · 8).
    for name, expected in (
        ("variance_segments", 54 / 500),
        ("variance_runs", 2 * 1.032 / 8),
        ("variance_overlap", 32 / 4000),
    ):
        assert np.mean([getattr(one, name) for one in found]) == pytest.approx(expected, rel=0.15)
    one = found[0]
    assert one.variance == pytest.approx(one.variance_segments + one.variance_runs - one.variance_overlap)
    assert one.run_share == pytest.approx(one.variance_runs / one.variance)


@pytest.mark.parametrize("spread", [1.0, *slow(0.0, 0.5)])
@pytest.mark.slow
def test_two_components_keep_the_error_rate_whatever_the_runs_do(spread: float) -> None:
    rng, errors, wrong, sets = np.random.default_rng(9), 0, 0, 150
    for _ in range(sets):
        statistics = with_runs(rng, 3, spread)
        errors += compare_runs(statistics, "X", "Y").p_value <= 0.05
        wrong += compare(statistics, JackknifeT(Bootstrap(20)), [("X.run0", "Y.run0")]).p_value[0] <= 0.05
    # An independent simulation: with three runs that vary alike at most .023; single runs .044, .179 and .409.
    assert errors <= stats.binom.ppf(0.9999, sets, 0.023)
    assert errors >= stats.binom.ppf(0.0001, sets, 0.003)
    if spread:
        assert wrong > 2 * sets * 0.05


def test_the_interval_of_runs_is_the_test_turned_round() -> None:
    statistics = with_runs(np.random.default_rng(2), 3, 0.5)
    found = compare_runs(statistics, "X", "Y")
    assert found.difference - found.ci_low == pytest.approx(found.ci_high - found.difference)
    half = (found.ci_high - found.ci_low) / 2
    values = statistics.values.copy()
    for share in (0.5, 0.99, 0.9999, 1.0001, 1.01, 2.0):
        # Both sides of the edge, and far from it: the difference becomes this share of half the interval.
        values[0, :3] = statistics.values[0, :3] + (share * half - found.difference)
        one = compare_runs(replace(statistics, values=values), "X", "Y")
        assert one.difference == pytest.approx(share * half, rel=1e-5)
        assert (one.p_value <= 0.05) == (one.ci_low > 0 or one.ci_high < 0) == (share > 1)
    turned = compare_runs(statistics, "Y", "X")
    assert (turned.difference, turned.ci_low, turned.ci_high) == (-found.difference, -found.ci_high, -found.ci_low)
    assert turned.p_value == found.p_value


def test_a_single_run_is_refused_with_the_reason() -> None:
    statistics = with_runs(np.random.default_rng(2), 2, 0.5)
    with pytest.raises(NotApplicable, match=r"only one run.*Give at least two runs"):
        compare_runs(statistics, "X", "Y", {"X": ["X.run0"], "Y": ["Y.run0", "Y.run1"]})
    with pytest.raises(UnknownName, match="Known: X, Y"):
        compare_runs(statistics, "X", "Z")
    with pytest.raises(UnknownName, match=r"X\.run9"):
        compare_runs(statistics, "X", "Y", {"X": ["X.run0", "X.run9"], "Y": ["Y.run0", "Y.run1"]})
    with pytest.raises(InvalidOption):
        compare_runs(statistics, "X", "Y", level=95)


def test_a_system_is_not_compared_with_itself_over_runs() -> None:
    with pytest.raises(NotApplicable, match="itself"):
        compare_runs(with_runs(np.random.default_rng(2), 2, 0.5), "X", "X")


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["X.run1", "X.run2"], {"X": ("X.run1", "X.run2")}),
        (["X.opt0", "Y.opt0", "X.opt1"], {"X": ("X.opt0", "X.opt1"), "Y": ("Y.opt0",)}),
        (["big-run-3", "big-run-4"], {"big": ("big-run-3", "big-run-4")}),
        (["a_seed1234", "a_SEED5"], {"a": ("a_seed1234", "a_SEED5")}),
        (["rerun1", "run1", "X.run", "Online-A"], {n: (n,) for n in ("rerun1", "run1", "X.run", "Online-A")}),
        (["hyps.lc.tok.en.baseline.opt0"], {"hyps.lc.tok.en.baseline": ("hyps.lc.tok.en.baseline.opt0",)}),
    ],
)
def test_runs_are_read_from_names(names: list[str], expected: dict[str, tuple[str, ...]]) -> None:
    assert runs_by_name(names) == expected


def test_runs_work_on_bleu_and_by_documents() -> None:
    corpora = [made_corpus(n=120, systems=1, documents=24, seed=1)]
    lines = {f"X.run{r}": made_variant(corpora[0], r) for r in range(3)}
    lines |= {f"Y.run{r}": made_variant(corpora[0], 10 + r) for r in range(3)}
    corpus = Corpus.of(lines, corpora[0].references, documents=corpora[0].documents)
    found = compare_runs(measure(corpus, "bleu"), "X", "Y")
    assert (found.unit, found.units, found.first_runs) == ("document", 24, 3)
    assert found.variance_segments > 0
    by_hand = measure(corpus, "bleu").scores.reshape(2, 3)
    assert found.variance_runs == pytest.approx(by_hand.var(axis=1, ddof=1).sum() / 3)
    assert found.difference == pytest.approx(by_hand[0].mean() - by_hand[1].mean())


def made_variant(corpus: Corpus, seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(word if rng.random() < 0.9 else "other" for word in line.split()) for line in corpus.lines("sys0")]


def test_the_example_of_multeval(shared: Path) -> None:
    folder = shared / "data" / "multeval-example"
    files = sorted(folder.glob("hyps.*"))
    corpus = read_files([folder / "refs.test2010.lc.tok.en.0"], {path.name: path for path in files})
    grouped = runs_by_name(list(corpus.systems))
    assert [len(runs) for runs in grouped.values()] == [3, 3]
    statistics = measure(corpus, "bleu:tokenize=none,force=true")
    baseline, other = grouped
    found = compare_runs(statistics, other, baseline)
    means = [statistics.select(grouped[name]).scores.mean() for name in (other, baseline)]
    assert found.difference == pytest.approx(means[0] - means[1])
    assert (found.first_runs, found.second_runs) == (3, 3)
    assert found.ci_low < found.difference < found.ci_high
    assert 0 < found.run_share < 1


def test_the_variance_is_at_least_that_of_the_segments() -> None:
    # Runs with equal means: no variance between runs, and what they share with the segments must not be taken off.
    scores = np.array([[5.0, 1, 3, 7, 4, 4], [1, 5, 7, 3, 4, 4], [2.0, 2, 6, 1, 4, 3], [6, 1, 2, 2, 3, 4]])
    found = compare_runs(rated(scores, ["X.run0", "X.run1", "Y.run0", "Y.run1"]), "X", "Y")
    assert found.variance_runs == 0
    assert found.variance_overlap > 0
    gaps = scores[:2].mean(axis=0) - scores[2:].mean(axis=0)
    # Six gaps of the runs' means: their variance over six, five degrees of freedom; drawing leaves about a hundredth.
    half = stats.t.ppf(0.975, 5) * np.sqrt(gaps.var(ddof=1) / 6)
    assert (found.ci_high - found.ci_low) / 2 == pytest.approx(half, rel=0.05)
    assert found.p_mc_low <= 2 * stats.t.sf(abs(gaps.mean()) / np.sqrt(gaps.var(ddof=1) / 6), 5) <= found.p_mc_high
    assert found.variance == pytest.approx(gaps.var(ddof=1) / 6, rel=1e-6)


def constant(first: ArrayLike, second: ArrayLike, n: int = 4) -> Statistics:
    """Return runs whose segments all have the run's score: nothing but runs varies."""
    scores = np.concatenate([np.asarray(first, dtype=float), np.asarray(second, dtype=float)])
    names = [f"{s}.run{r}" for s, runs in (("X", first), ("Y", second)) for r in range(len(np.asarray(runs)))]
    return rated(np.repeat(scores[:, None], n, axis=1), names)


def spread_out(runs: int, variance_of_mean: float) -> np.ndarray:
    """Return scores of so many runs whose mean has this estimated variance."""
    scores = np.arange(runs) - (runs - 1) / 2
    return np.asarray(scores * np.sqrt(variance_of_mean * runs / scores.var(ddof=1)))


def integrated_p(found: RunComparison) -> float:
    """Return the p-value by integrating over the three chi-squares, with no draws: E 2Φ(−|d|/√V*)."""
    nodes, weights = np.polynomial.legendre.leggauss(60)
    chance = (nodes + 1) / 2
    segments = found.variance_segments * found.units_df / stats.chi2.ppf(chance, found.units_df)

    # Thin tails of the chi-squares near 0 bend the integrand there: the squares put points into them.
    grid, at = np.polynomial.legendre.leggauss(50)
    x, w = (grid + 1) / 2, at / 2
    first, second = (
        variance / r * (r - 1) / stats.chi2.ppf(x**2, r - 1)
        for variance, r in (
            (found.first_run_variance, found.first_runs), (found.second_run_variance, found.second_runs)
        )
    )  # fmt: skip
    runs = (first[:, None] + second)[..., None]
    total = np.maximum(np.maximum(segments + runs - found.variance_overlap, segments), runs)
    over_segments = 2 * stats.norm.sf(abs(found.difference) / np.sqrt(total)) @ weights / 2
    return float(4 * (w * x) @ over_segments @ (w * x))


@pytest.mark.parametrize(("runs", "seed"), [(2, 3), (5, 1), *slow((3, 2), (3, 5))])
def test_the_p_of_runs_is_the_integral_over_what_the_variances_may_be(runs: int, seed: int) -> None:
    statistics = with_runs(np.random.default_rng(seed), runs, 1.0, n=30)
    found = compare_runs(statistics, "X", "Y")
    exact = integrated_p(found)
    assert 0.01 < exact < 0.99
    assert abs(found.p_value - exact) < 3 * np.sqrt(exact * (1 - exact) / found.n_resamples)
    many = compare_runs(statistics, "X", "Y", n_resamples=100_000)
    assert abs(many.p_value - exact) < 3 * np.sqrt(exact * (1 - exact) / many.n_resamples)


# Behrens's distribution with 8 and 6 degrees of freedom, two-sided 5% points: P(|t₈ sin θ + t₆ cos θ| > point) = .05,
# integrated over the two t densities (scipy's quad). tan θ is the ratio of the two standard errors.
@pytest.mark.parametrize(
    ("angle", "point"), [(0, 2.4469), (15, 2.4305), (30, 2.3978), (45, 2.3641), (75, 2.3099), (90, 2.3060)]
)
def test_two_spreads_alone_give_the_points_of_behrens_and_fisher(angle: float, point: float) -> None:
    first, second = np.sin(np.radians(angle)) ** 2, np.cos(np.radians(angle)) ** 2
    found = compare_runs(constant(spread_out(9, first), spread_out(7, second)), "X", "Y", n_resamples=200_000)
    assert found.variance == pytest.approx(1, rel=1e-5)
    # Its density there is about .036 on each side: so much does drawing leave to the point.
    error = np.sqrt(0.05 * 0.95 / found.n_resamples) / 0.072
    assert (found.ci_high - found.ci_low) / 2 == pytest.approx(point, abs=3 * error)


def test_a_larger_difference_has_a_smaller_p_and_a_larger_spread_a_larger_one() -> None:
    apart = [
        compare_runs(constant(gap + spread_out(3, 0.5), spread_out(3, 0.5)), "X", "Y").p_value for gap in (0, 1, 2, 4)
    ]
    assert apart[0] == 1
    assert apart == sorted(apart, reverse=True)
    assert len(set(apart)) == 4
    wider = [
        compare_runs(constant(2 + spread_out(3, v), spread_out(3, 0.5)), "X", "Y").p_value for v in (0, 0.1, 0.5, 2)
    ]
    assert wider == sorted(wider)
    more = [compare_runs(constant(2 + spread_out(r, 0.5), spread_out(r, 0.5)), "X", "Y").p_value for r in (2, 3, 5, 9)]
    assert more == sorted(more, reverse=True)


def test_the_draws_of_runs_are_seeded() -> None:
    statistics = with_runs(np.random.default_rng(2), 3, 0.5)
    found = compare_runs(statistics, "X", "Y")
    assert found == compare_runs(statistics, "X", "Y", n_resamples=10_000, seed=12345)
    other = compare_runs(statistics, "X", "Y", seed=1)
    assert other.p_value != found.p_value
    assert other.p_value == pytest.approx(found.p_value, abs=0.03)
    # Digits that must stay; p is a number of draws of 10,001.
    assert (found.p_value * 10_001, other.p_value * 10_001) == pytest.approx((2434, 2425), abs=1e-6)
    with pytest.raises(InvalidOption, match="Draws"):
        compare_runs(statistics, "X", "Y", n_resamples=0)


def test_too_few_draws_leave_runs_undecided() -> None:
    statistics = constant(100 + spread_out(3, 0.5), spread_out(3, 0.5))
    few = compare_runs(statistics, "X", "Y", n_resamples=10)
    assert np.isnan(few.ci_low)
    assert (verdict(few).word, few.significant) == ("withheld", None)
    assert "use about" in say(few)
    assert "nan" not in say(few)
    assert verdict(compare_runs(statistics, "X", "Y")).winner == "X"


def test_a_p_near_alpha_is_undecided_after_holm() -> None:
    sure = compare_runs(constant(100 + spread_out(3, 0.5), spread_out(3, 0.5)), "X", "Y")
    close = replace(sure, p_value=0.025, p_mc_low=0.022, p_mc_high=0.028)
    alone, family = correct_runs([close])[0], correct_runs([close, close])
    assert verdict(alone).word == "better"
    assert [verdict(one).word for one in family] == ["withheld", "withheld"]
    assert [one.p_adjusted_mc_low for one in family] == [0.044, 0.044]


def test_who_varied_is_told_system_by_system() -> None:
    found = compare_runs(constant(spread_out(5, 0.2), 3 + spread_out(2, 0.0)), "X", "Y")
    assert (found.first_run_variance, found.second_run_variance) == pytest.approx((1.0, 0.0), rel=1e-5)
    assert found.variance_runs == pytest.approx(0.2, rel=1e-5)
    assert found.df == pytest.approx(4, rel=1e-5)
    said = say(found)
    worded(said, "1.00", "0.00", "4.0 degrees", "2 runs", "3 runs", "5")


@pytest.mark.parametrize(
    ("runs", "told"),
    [
        ((2, 3), "X has 2 runs and Y has 3 runs: two runs can"),
        ((3, 4), "X has 3 runs: three runs miss"),
        ((4, 4), ""),
    ],
)
def test_few_runs_are_warned_of(runs: tuple[int, int], told: str) -> None:
    found = compare_runs(constant(spread_out(runs[0], 1), 3 + spread_out(runs[1], 1)), "X", "Y")
    assert [note.level for note in found.notes] == (["warning"] if told else [])
    assert all(note.text.startswith(told) and note.text in say(found) for note in found.notes)


def test_runs_without_any_variance() -> None:
    same, apart = constant([1, 1], [1, 1]), constant([2, 2], [1, 1])
    found = compare_runs(same, "X", "Y")
    assert (found.p_value, found.p_mc_low, found.p_mc_high, found.ci_low, found.ci_high) == (1, 1, 1, 0, 0)
    found = compare_runs(apart, "X", "Y")
    assert np.isnan(found.p_value)
    assert np.isnan([found.ci_low, found.ci_high]).all()  # no interval from nothing
    assert found.significant is None
    worded(say(replace(found, data_caveat="")))


def test_copies_given_as_runs_are_told() -> None:
    same = np.random.default_rng(2).normal(size=50)
    found = compare_runs(rated([same] * 4, ["X.run1", "X.run2", "Y.run1", "Y.run2"]), "X", "Y")
    said = say(found) + " ".join(" ".join(row) for row in runs_table(found).texts)
    assert "nan" not in said
    assert "inf" not in said
    assert verdict(found).word == "withheld"
    worded(say(found))


# No verdict on runs where `compare` has none: doubtful counts, kin, copies, and few or unequal documents.

RUNS = ["X.run1", "X.run2", "Y.run1", "Y.run2"]


def counted_runs(documents: np.ndarray | None = None, n: int = 150) -> Statistics:
    """Return two systems of two runs each, the first far better."""
    rng = np.random.default_rng(3)
    scores = rng.normal(70, 10, n) + np.array([[3.0], [3.1], [0.0], [0.1]]) + rng.normal(0, 2, (4, n))
    return rated(scores, RUNS, documents)


def covered(documents: int, size: int = 10) -> Statistics:
    """Return runs of which the last has so many of the fifteen documents."""
    whole = counted_runs(np.repeat(np.arange(15), size), 15 * size)
    coverage = np.ones((4, 15 * size), dtype=bool)
    coverage[3, documents * size :] = False
    return replace(whole, values=np.where(coverage, whole.values, 0), available=coverage)


def test_without_a_doubt_one_wins() -> None:
    found = compare_runs(counted_runs(np.repeat(np.arange(15), 10)), "X", "Y")
    assert (verdict(found).winner, found.data_caveat) == ("X", "")


def test_words_counted_in_text_without_spaces_name_no_winner() -> None:
    lines = CHINESE["ref"]
    outputs = {
        "X.run1": lines,
        "X.run2": [line[:-1] if i % 9 == 0 else line for i, line in enumerate(lines)],
        "Y.run1": [line[: len(line) // 2] if i % 2 else line for i, line in enumerate(lines)],
        "Y.run2": [line[: len(line) // 2] if i % 2 == 0 else line for i, line in enumerate(lines)],
    }
    found = compare_runs(measure(Corpus.of(outputs, {"ref": lines}), "ter"), "X", "Y")
    assert verdict(found).word == "withheld"
    worded(verdict(found).withheld_reason)
    worded(say(found))
    assert found.row()["data_caveat"] == found.data_caveat
    assert any("Chinese is written" in note.text for note in found.notes)


def test_runs_of_a_kin_name_no_winner_and_do_not_hide_each_other() -> None:
    corpus = edited_reference()
    other, *rest = (name for name in corpus.systems if name != "kin")
    changed = [line if i % 40 else "something else" for i, line in enumerate(corpus.lines("kin"))]
    outputs = {
        "K.run1": corpus.lines("kin"),
        "K.run2": changed,
        "L.run1": corpus.lines(other),
        "L.run2": [line if i % 30 else "something else" for i, line in enumerate(corpus.lines(other))],
        **{name: corpus.lines(name) for name in rest},
    }
    statistics = measure(Corpus.of(outputs, corpus.references), "bleu")
    assert [one.kin.system for one in statistics.kinships] == ["K.run1", "K.run2"]
    decided = verdict(compare_runs(statistics, "L", "K"))
    assert decided.word == "withheld"
    worded(decided.withheld_reason, "'B'")
    bare = compare_runs(replace(statistics, kinships=()), "L", "K")
    assert verdict(bare).winner == "K"


@pytest.mark.parametrize("which", [0, 2])
def test_copies_are_no_runs(which: int) -> None:
    statistics = counted_runs()
    values = statistics.values.copy()
    values[:, which + 1] = values[:, which]
    found = compare_runs(replace(statistics, values=values), "X", "Y")
    assert found.significant
    assert verdict(found).word == "withheld"
    first, second = RUNS[which : which + 2]
    worded(verdict(found).withheld_reason, f"{first} and {second}")


@pytest.mark.parametrize("documents", [1, 3, 9])
def test_few_shared_documents_carry_no_verdict_on_runs(documents: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = correct_runs([compare_runs(covered(documents), "X", "Y")])[0]
        said = say(found)
        assert "nan" not in str(runs_table(found))
    known = "1 document is known" if documents == 1 else f"{documents} documents are known"
    expected = f"only {known} for all runs, too few for document-level inference"
    assert (verdict(found).word, verdict(found).withheld_reason) == ("withheld", expected)
    assert "have identical scores" not in said
    assert np.isnan([found.ci_low, found.ci_high, found.p_value]).all() == (documents == 1)
    assert ("cannot be estimated from one" in said) == (documents == 1)


def test_one_segment_has_no_spread() -> None:
    found = compare_runs(counted_runs(n=1), "X", "Y")
    worded(verdict(found).withheld_reason)
    assert np.isnan(found.ci_low)


def test_very_unequal_documents_carry_no_verdict_on_runs_and_are_warned_of() -> None:
    sizes = [100, *[5] * 12]
    found = compare_runs(counted_runs(np.repeat(np.arange(13), sizes), sum(sizes)), "X", "Y")
    reason = str(verdict(found).withheld_reason)
    worded(reason, "13 documents", "5 to 100", "2")
    texts = [note.text for note in found.notes]
    assert f"{reason}." in texts
    worded(texts)
