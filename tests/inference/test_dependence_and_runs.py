"""Documents and runs: planted effects are found in their size, and their absence too."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made import made_corpus, made_statistics, rated
from scipy import stats

from mtsig import (
    Bootstrap,
    Corpus,
    InvalidOption,
    NotApplicable,
    Statistics,
    UnknownName,
    block_scan,
    compare,
    compare_runs,
    dependence,
    measure,
    read_files,
    runs_by_name,
)
from mtsig.inference import JackknifeT


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
    assert (one.high - one.low) / 2 == pytest.approx(stats.t.ppf(0.975, 11) * error, rel=1e-5)
    segments = compare(statistics, JackknifeT(Bootstrap(100, unit="segment")), interval="ij")[0]
    assert segments.high - segments.low < one.high - one.low


def test_dependence_needs_documents_and_a_derivative() -> None:
    with pytest.raises(NotApplicable, match="block_scan"):
        dependence(made_statistics(), "sys0")
    statistics = measure(made_corpus(documents=12), "bleu")
    values = statistics.values.copy()
    values[5] = 0
    with pytest.raises(NotApplicable, match="no derivative"):
        dependence(replace(statistics, values=values), "sys0")


def test_a_block_scan_finds_neighbours_that_go_together() -> None:
    statistics = replace(planted(0.4), document_of=None)
    found = block_scan(statistics, "A", "B")
    assert found.lengths.tolist() == [2, 5, 10, 20, 50]
    assert np.all(found.ratio > found.limit)
    assert found.ratio[0] < found.ratio[1] < found.ratio[2] < found.ratio[3]
    # Blocks of 20 are the documents: the squared ratio is the design effect.
    assert found.ratio[3] ** 2 == pytest.approx(dependence(planted(0.4), "A", "B").design_effect, rel=1e-6)


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
    with pytest.raises(NotApplicable, match="nothing varies"):
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
    for name, expected in (("segments", 54 / 500), ("runs", 2 * 1.032 / 8), ("overlap", 32 / 4000)):
        assert np.mean([getattr(one, name) for one in found]) == pytest.approx(expected, rel=0.15)
    one = found[0]
    assert one.variance == pytest.approx(one.segments + one.runs - one.overlap)
    assert one.run_share == pytest.approx(one.runs / one.variance)


@pytest.mark.parametrize("spread", [0.0, 0.5, 1.0])
def test_two_components_keep_the_error_rate_whatever_the_runs_do(spread: float) -> None:
    rng, errors, wrong, sets = np.random.default_rng(9), 0, 0, 400
    for _ in range(sets):
        statistics = with_runs(rng, 3, spread)
        errors += compare_runs(statistics, "X", "Y").p_value <= 0.05
        wrong += compare(statistics, JackknifeT(Bootstrap(20)), [("X.run0", "Y.run0")]).p_value[0] <= 0.05
    # STATISTICS.md, section 5: .035, .042 and .044; single runs .044, .179 and .409.
    assert errors <= stats.binom.ppf(0.9999, sets, 0.055)
    assert errors >= stats.binom.ppf(0.0001, sets, 0.025)
    if spread:
        assert wrong > 2 * sets * 0.05


def test_the_interval_of_runs_is_the_test_turned_round() -> None:
    statistics = with_runs(np.random.default_rng(2), 3, 0.5)
    found = compare_runs(statistics, "X", "Y")
    edge = stats.t.ppf(0.975, found.df) * np.sqrt(found.variance)
    assert [found.low, found.high] == pytest.approx([found.difference - edge, found.difference + edge])
    assert (found.p_value <= 0.05) == (found.low > 0 or found.high < 0)
    turned = compare_runs(statistics, "Y", "X")
    assert (turned.difference, turned.p_value) == pytest.approx((-found.difference, found.p_value))


def test_a_single_run_is_refused_with_the_reason() -> None:
    statistics = with_runs(np.random.default_rng(2), 2, 0.5)
    with pytest.raises(NotApplicable, match=r"one run only.*Give at least two runs"):
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
    assert found.segments > 0
    by_hand = measure(corpus, "bleu").scores.reshape(2, 3)
    assert found.runs == pytest.approx(by_hand.var(axis=1, ddof=1).sum() / 3)
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
    assert found.low < found.difference < found.high
    assert 0 < found.run_share < 1


def test_the_variance_is_at_least_that_of_the_segments() -> None:
    # Runs with equal means: no variance between runs, and what they share with the segments must not be taken off.
    scores = np.array([[5.0, 1, 3, 7, 4, 4], [1, 5, 7, 3, 4, 4], [2.0, 2, 6, 1, 4, 3], [6, 1, 2, 2, 3, 4]])
    found = compare_runs(rated(scores, ["X.run0", "X.run1", "Y.run0", "Y.run1"]), "X", "Y")
    assert found.runs == 0
    assert found.overlap > 0
    gaps = scores[:2].mean(axis=0) - scores[2:].mean(axis=0)
    # Six gaps of the runs' means: their variance over six, five degrees of freedom.
    half = stats.t.ppf(0.975, 5) * np.sqrt(gaps.var(ddof=1) / 6)
    assert (found.high - found.low) / 2 == pytest.approx(half, rel=1e-6)
    assert found.variance == pytest.approx(gaps.var(ddof=1) / 6, rel=1e-6)
