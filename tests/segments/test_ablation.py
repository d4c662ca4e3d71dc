"""Ablation by test-set size against intervals made subset by subset, and against theory."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from made import made_corpus, made_statistics

from mtsig import interval, measure, size_curve, watching
from mtsig.errors import InvalidOption, NotApplicable, UnknownName
from mtsig.inference import compare
from mtsig.metrics import Bleu, Statistics
from mtsig.resampling import Bootstrap, Subsample
from mtsig.segments._ablation import Ablation, SizeCurves

METHODS = ["jackknife", "percentile"]
SAME = {"jackknife": "ij", "percentile": "percentile"}
"""Over segments the curve's jackknife is the first-order one: the same to some parts in a thousand, and at once."""
FEW = Ablation(sizes=(0.25, 0.5, 1.0), repeats=12, n_resamples=300)


def curves_of(statistics: Statistics, **options: object) -> SizeCurves:
    return size_curve(statistics, replace(FEW, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize("method", METHODS)
def test_the_whole_test_set_gives_its_own_interval(method: str) -> None:
    statistics = made_statistics()
    curves = curves_of(statistics, interval=method)
    whole = interval(statistics, SAME[method], scheme=Bootstrap(300))
    assert curves.mean[-1] == pytest.approx(whole.score, abs=1e-9)
    assert curves.ci_low[-1] == pytest.approx(whole.ci_low, abs=1e-9)
    assert curves.ci_high[-1] == pytest.approx(whole.ci_high, abs=1e-9)
    assert (curves.units[-1], curves.subsets[-1]) == (statistics.n, 1)


@pytest.mark.parametrize("method", METHODS)
def test_a_point_is_the_mean_over_intervals_of_its_subsets(method: str) -> None:
    statistics = made_statistics()
    curves = curves_of(statistics, interval=method)
    subsets = np.concatenate(list(Subsample(FEW.repeats, FEW.seed, "segment", 50).blocks(statistics.n)))
    alone = [
        interval(replace(statistics, values=statistics.values[..., row > 0]), SAME[method], scheme=Bootstrap(300))
        for row in subsets
    ]
    scores = np.array([one.score for one in alone])
    low, high = np.array([one.ci_low for one in alone]), np.array([one.ci_high for one in alone])
    assert curves.mean[0] == pytest.approx(scores.mean(axis=0), abs=1e-9)
    assert curves.spread[0] == pytest.approx(scores.std(axis=0, ddof=1), abs=1e-9)
    assert curves.ci_low[0] == pytest.approx(low.mean(axis=0), abs=1e-9)
    assert curves.ci_high[0] == pytest.approx(high.mean(axis=0), abs=1e-9)
    assert curves.half_width[0] == pytest.approx((high - low).mean(axis=0) / 2, abs=1e-9)
    assert curves.relative[0] == pytest.approx(100 * curves.half_width[0] / curves.mean[0])


@pytest.mark.parametrize("method", METHODS)
def test_a_pair_has_one_curve_of_its_difference(method: str) -> None:
    statistics = made_statistics()
    curves = size_curve(statistics, replace(FEW, interval=method), pair=("sys2", "sys0"))
    whole = compare(statistics, "bootstrap-shift", [("sys2", "sys0")], interval=SAME[method])[0]
    # `compare` draws ten thousand times here and the ablation three hundred: the quantiles' errors differ.
    slack = 1e-9 if method == "jackknife" else 4 * 2.67 * curves.half_width[-1, 0] / 1.96 / np.sqrt(300)
    assert curves.is_difference
    assert curves.mean.shape == (3, 1)
    assert curves.mean[-1, 0] == pytest.approx(whole.difference, abs=1e-9)
    assert [curves.ci_low[-1, 0], curves.ci_high[-1, 0]] == pytest.approx([whole.ci_low, whole.ci_high], abs=slack)
    assert np.isnan(curves.relative).all()


def test_jackknife_curve_of_a_pair_is_that_of_its_subsets() -> None:
    statistics = made_statistics()
    curves = size_curve(statistics, FEW, pair=("sys0", "sys3"))
    subsets = np.concatenate(list(Subsample(FEW.repeats, FEW.seed, "segment", 50).blocks(statistics.n)))
    alone = [
        compare(
            replace(statistics, values=statistics.values[..., row > 0]), "bootstrap-koehn", [("sys0", "sys3")],
            interval="ij",
        )[0]
        for row in subsets
    ]  # fmt: skip
    assert curves.ci_low[0, 0] == pytest.approx(np.mean([one.ci_low for one in alone]), abs=1e-9)
    assert curves.ci_high[0, 0] == pytest.approx(np.mean([one.ci_high for one in alone]), abs=1e-9)


def test_over_documents_the_whole_test_set_gives_its_own_interval() -> None:
    lengths = np.resize([3, 9, 5, 14, 7], 25)
    statistics = replace(made_statistics(int(lengths.sum())), document_of=np.repeat(np.arange(25), lengths))
    curves, pair = size_curve(statistics, FEW), size_curve(statistics, FEW, pair=("sys0", "sys3"))
    whole = interval(statistics)
    assert (curves.unit, whole.unit) == ("document", "document")
    assert curves.ci_low[-1] == pytest.approx(whole.ci_low, abs=1e-9)
    one = compare(statistics, pairs=[("sys0", "sys3")])[0]
    assert [pair.ci_low[-1, 0], pair.ci_high[-1, 0]] == pytest.approx([one.ci_low, one.ci_high], abs=1e-9)


def test_jackknife_width_follows_the_square_root_law() -> None:
    # On independent segments the width of k of them is that of n times sqrt(n/k), but for t's heavier tails.
    statistics = made_statistics(n=4000, systems=2)
    curves = size_curve(statistics, Ablation(sizes=(0.05, 0.1, 0.2, 0.4, 0.8, 1.0), repeats=100))
    expected = np.sqrt(1 / curves.shares)[:, None] * curves.half_width[-1]
    assert np.all(np.abs(curves.half_width / expected - 1) < 0.05)
    assert curves.square_root_law(curves.half_width) == pytest.approx(expected)


def test_spread_over_small_subsets_is_what_their_intervals_say() -> None:
    # Subsets of a twentieth hardly overlap: their scores scatter as new test sets would, short of the drawn share.
    statistics = made_statistics(n=4000, systems=2)
    curves = size_curve(statistics, Ablation(sizes=(0.05,), repeats=400))
    error = curves.half_width[0] / 1.972  # t with 199 degrees of freedom
    expected = error * np.sqrt(1 - 0.05)
    assert np.all(np.abs(curves.spread[0] / expected - 1) < 4 / np.sqrt(2 * 400))


def test_bootstrap_inside_subsets_agrees_with_the_jackknife() -> None:
    statistics = made_statistics(n=600)
    sizes = (0.3, 0.6, 1.0)
    jackknife = size_curve(statistics, Ablation(sizes=sizes, repeats=25))
    bootstrap = size_curve(statistics, Ablation(sizes=sizes, repeats=25, interval="percentile", n_resamples=1500))
    # The whole has one subset only, and so the full Monte-Carlo error of 1,500 draws: 2 · 2.67/1.96/√1500 = 7% at 2 SD.
    assert np.abs(bootstrap.half_width / jackknife.half_width - 1)[:2].max() < 0.04
    assert np.abs(bootstrap.half_width / jackknife.half_width - 1)[2].max() < 0.08
    assert bootstrap.mean == pytest.approx(jackknife.mean, abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_curves(method: str) -> None:
    one, again = (curves_of(made_statistics(), interval=method) for _ in range(2))
    other = curves_of(made_statistics(), interval=method, seed=1)
    for field in ("mean", "ci_low", "ci_high", "spread"):
        assert np.array_equal(getattr(one, field), getattr(again, field))
    assert not np.array_equal(one.mean[0], other.mean[0])


@pytest.mark.parametrize("repeats", [1, 3, 300])
def test_as_many_subsets_as_asked_for(repeats: int) -> None:
    curves = curves_of(made_statistics(), repeats=repeats)
    assert curves.subsets.tolist() == [repeats, repeats, 1]
    assert np.isfinite(curves.spread).all()


def test_more_systems_do_not_change_a_curve() -> None:
    every = curves_of(made_statistics())
    alone = curves_of(made_statistics().select(["sys2"]))
    assert alone.half_width[:, 0] == pytest.approx(every.half_width[:, 2], abs=1e-12)


@pytest.mark.parametrize("pair", [None, ("sys0", "sys1")])
@pytest.mark.parametrize("method", METHODS)
def test_it_reports_growing_shares_up_to_one(method: str, pair: tuple[str, str] | None) -> None:
    shares: list[float] = []
    with watching(shares.append):
        size_curve(made_statistics(), replace(FEW, interval=method), pair)
    assert all(0 < share <= 1 for share in shares)
    assert all(later >= earlier for earlier, later in pairwise(shares))
    assert shares[-1] == 1
    assert len(shares) >= len(FEW.sizes)


class Stopped(Exception):
    """What a watcher stops the work with."""


def test_the_watcher_may_stop() -> None:
    shares: list[float] = []

    def stop(share: float) -> None:
        shares.append(share)
        raise Stopped

    with watching(stop), pytest.raises(Stopped):
        size_curve(made_statistics(), replace(FEW, interval="percentile"))
    assert len(shares) == 1
    assert 0 < shares[0] < 0.5


def test_documents_are_the_unit_where_they_are_known() -> None:
    curves = curves_of(measure(made_corpus(n=60, documents=20), "chrf"))
    assert (curves.unit, curves.units.tolist()) == ("document", [5, 10, 20])
    with pytest.raises(NotApplicable, match="document"):
        curves_of(measure(made_corpus(n=60, documents=4), "chrf"), unit="document")


def test_subsets_without_four_grams_are_counted_and_left_out() -> None:
    statistics = made_statistics(n=40, systems=2)
    values = statistics.values.copy()
    values[5, 0] = np.arange(40) < 6  # a quarter of the segments misses these six in a sixth of the subsets
    curves = curves_of(replace(statistics, values=values, metric=Bleu()), repeats=200)
    assert 0 < curves.undefined[0, 0] < 100
    assert curves.undefined[:, 1].tolist() == [0, 0, 0]
    assert np.isfinite(curves.half_width).all()
    assert any("left out" in note.text for note in curves.notes)


@pytest.mark.parametrize("sizes", [(), (0.0,), (1.5,), (-0.1, 0.5)])
def test_sizes_out_of_range_are_refused(sizes: tuple[float, ...]) -> None:
    with pytest.raises(InvalidOption):
        Ablation(sizes=sizes)


def test_unknown_pairs_are_refused() -> None:
    with pytest.raises(UnknownName, match="nobody"):
        size_curve(made_statistics(), FEW, pair=("sys0", "nobody"))
