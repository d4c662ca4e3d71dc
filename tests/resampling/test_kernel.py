"""The kernel against brute force: text repeated or exchanged line by line and scored again by sacreBLEU."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from made import made_corpus, made_statistics
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from threadpoolctl import threadpool_limits

from mtsig import Corpus, interval, measure
from mtsig.inference import compare
from mtsig.metrics import Bleu, Chrf, Metric, Statistics, as_values
from mtsig.metrics._sums import WeightedSums
from mtsig.resampling import Bootstrap, Scheme, Subsample, Swap, resample, resample_together, shuffle

REFERENCES = {
    "first": [
        "The ferry leaves at seven, so we should pack tonight.",
        "Nobody had told the gardener about the frost.",
        "Please return the form before the end of the month.",
        "She laughed, closed the window and went on reading.",
        "Prices rose by 3.5% in March, the bank said on Monday.",
        "The bridge will stay closed until further notice.",
        "Add two spoons of sugar and stir until it dissolves.",
    ],
    "second": [
        "The ferry goes at seven: let us pack this evening.",
        "No one had warned the gardener of the frost.",
        "Please send the form back before the month ends.",
        "She laughed, shut the window and kept reading.",
        "Prices went up 3.5% in March, the bank said Monday.",
        "The bridge remains closed until further notice.",
        "Put in two spoons of sugar and stir until dissolved.",
    ],
}
OUTPUTS = {
    "close": [
        "The ferry leaves at seven, so we must pack tonight.",
        "Nobody had told the gardener about the ice.",
        "Please return the form before the end of this month.",
        "She laughed, closed the window and went on reading.",
        "Prices rose by 3.5% in March, said the bank on Monday.",
        "The bridge will be closed until further notice.",
        "Add two spoons of sugar and stir until dissolved.",
    ],
    "loose": [
        "The boat goes away at seven, we should make the bags tonight.",
        "Nobody told to the gardener about the frost.",
        "Return the form please before the end of the month.",
        "She laughed and closed the window and was reading on.",
        "The prices have risen 3.5% in March, the bank said on Monday.",
        "The bridge stays closed up to new notice.",
        "Add two spoons of sugar and mix until it is dissolved.",
    ],
}
ONE, TWO = np.array([0]), np.array([1])


def corpus() -> Corpus:
    return Corpus.of(OUTPUTS, REFERENCES)


def scored(metric: Metric, lines: list[str], units: list[int]) -> float:
    """Return sacreBLEU's score of `lines` against the references of `units`, which may repeat."""
    streams = [[stream[unit] for unit in units] for stream in REFERENCES.values()]
    scorer = BLEU() if isinstance(metric, Bleu) else CHRF(word_order=metric.word_order)  # type: ignore[attr-defined]
    return float(scorer.corpus_score(lines, streams).score)


@pytest.mark.parametrize("metric", [Bleu(), Chrf(), Chrf(word_order=2)], ids=["BLEU", "chrF", "chrF++"])
def test_a_draw_is_the_score_of_repeated_segments(metric: Metric) -> None:
    scheme = Bootstrap(60)
    found = resample(measure(corpus(), metric), scheme).draws
    for draw, counts in enumerate(np.concatenate(list(scheme.blocks(7))).astype(int)):
        units = [unit for unit, times in enumerate(counts) for _ in range(times)]
        for system, lines in enumerate(OUTPUTS.values()):
            expected = scored(metric, [lines[unit] for unit in units], units)
            assert found[system, draw] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("metric", [Bleu(), Chrf(), Chrf(word_order=2)], ids=["BLEU", "chrF", "chrF++"])
def test_a_shuffle_is_the_difference_after_exchanging_lines(metric: Metric) -> None:
    scheme = Swap(60)
    found = shuffle(measure(corpus(), metric), scheme, ONE, TWO)[0]
    for draw, exchanged in enumerate(np.concatenate(list(scheme.blocks(7))).astype(bool)):
        one, other = OUTPUTS["close"], OUTPUTS["loose"]
        first = [other[i] if turn else one[i] for i, turn in enumerate(exchanged)]
        second = [one[i] if turn else other[i] for i, turn in enumerate(exchanged)]
        expected = scored(metric, first, list(range(7))) - scored(metric, second, list(range(7)))
        assert found[draw] == pytest.approx(expected, abs=1e-9)


def test_a_subset_is_the_score_of_its_segments() -> None:
    scheme = Subsample(30, size=4)
    found = resample(measure(corpus(), "chrf"), scheme).draws
    for draw, taken in enumerate(np.concatenate(list(scheme.blocks(7)))):
        units = [int(unit) for unit in np.flatnonzero(taken)]
        expected = scored(Chrf(), [OUTPUTS["loose"][unit] for unit in units], units)
        assert found[1, draw] == pytest.approx(expected, abs=1e-9)


def test_documents_are_drawn_whole() -> None:
    statistics = measure(made_corpus(n=36, documents=12), "chrf")
    scheme = Bootstrap(20, unit="document")
    found = resample(statistics, scheme)
    for draw, counts in enumerate(np.concatenate(list(scheme.blocks(12)))):
        by_segment = np.repeat(counts, 3)[None]  # documents of three segments each
        expected = statistics.metric.score(statistics.weighted()(by_segment))[:, 0]
        assert found.draws[:, draw] == pytest.approx(expected, abs=1e-9)
    assert (found.statistics.unit, found.statistics.n) == ("document", 12)


def test_exchanging_all_pairs_together_is_exchanging_each_alone() -> None:
    statistics, scheme = made_statistics(n=50), Swap(300)
    first, second = np.array([0, 0, 1, 3]), np.array([1, 2, 2, 0])
    together = shuffle(statistics, scheme, first, second)
    for row in range(4):
        alone = shuffle(statistics, scheme, first[row : row + 1], second[row : row + 1])[0]
        assert together[row] == pytest.approx(alone, abs=1e-9)


def test_metrics_resampled_together_are_resampled_alike() -> None:
    many = [measure(made_corpus(), name) for name in ("bleu", "chrf", "chrf++")]
    scheme = Bootstrap(300)
    for one, found in zip(many, resample_together(many, scheme), strict=True):
        assert np.array_equal(found.draws, resample(one, scheme).draws)
        assert found.metric == one.metric


def few_matches(n: int, matched: tuple[int, int]) -> Statistics:
    """Return statistics of two systems that match a four-gram in so many segments only, as small test sets do."""
    statistics = made_statistics(n=n, systems=2)
    values = statistics.values.copy()
    for system, units in enumerate(matched):
        values[5, system] = np.arange(n) < units
    return replace(statistics, values=values)


PREFIXES = (10, 57, 255, 256, 257, 300, 511, 512, 700)


def test_shorter_runs_are_prefixes_to_the_bit() -> None:
    # One resample in 200 lacks four-grams: some blocks hold such a draw only beyond the end of a shorter run.
    rare = few_matches(9, (4, 4))
    for statistics in (made_statistics(n=60), rare, measure(made_corpus(n=12), Chrf(word_order=2))):
        longer = resample(statistics, Bootstrap(1000, unit="segment")).draws
        for draws in PREFIXES:
            shorter = resample(statistics, Bootstrap(draws, unit="segment")).draws
            assert np.array_equal(shorter, longer[:, :draws]), (statistics.metric.name, draws)


@pytest.mark.parametrize("metric", [Bleu(max_ngram_order=10), Chrf(word_order=10)], ids=["BLEU", "chrF"])
def test_a_last_block_of_one_draw_is_a_prefix_too(metric: Metric) -> None:
    # With one system and one draw the axis of the orders is contiguous, and numpy may add along it in another order.
    statistics = measure(made_corpus(n=12, systems=1), metric)
    longer = resample(statistics, Bootstrap(1000, unit="segment")).draws
    for draws in (257, 513, 769):
        shorter = resample(statistics, Bootstrap(draws, unit="segment")).draws
        assert np.array_equal(shorter, longer[:, :draws])


def test_shorter_shuffles_are_prefixes_to_the_bit() -> None:
    # One exchange in 64 leaves one side without four-grams.
    for statistics in (made_statistics(n=60), few_matches(30, (7, 0))):
        longer = shuffle(statistics, Swap(1000), ONE, TWO)
        for draws in (*PREFIXES, *range(258, 290)):
            assert np.array_equal(shuffle(statistics, Swap(draws), ONE, TWO), longer[:, :draws]), draws


def test_other_systems_do_not_change_a_systems_draws() -> None:
    statistics = few_matches(9, (9, 4))
    both = resample(statistics, Bootstrap(300)).draws
    assert np.array_equal(resample(statistics.select(["sys0"]), Bootstrap(300)).draws[0], both[0])


@pytest.mark.parametrize("kind", ["counts", "scores"])
def test_any_number_of_threads_gives_the_same_bits(kind: str) -> None:
    statistics = made_statistics(n=3000, systems=6)
    if kind == "scores":
        noise = np.random.default_rng(1).normal(size=statistics.values.shape)
        statistics = replace(statistics, values=as_values(statistics.values + np.abs(noise)))
    results = []
    for threads in (1, 2):
        with threadpool_limits(limits=threads):
            drawn = resample(statistics, Bootstrap(600)).draws
            moved = shuffle(statistics, Swap(600), np.array([0, 1]), np.array([2, 5]))
            ends = interval(statistics).low
            results.append((drawn, moved, ends))
    for one, other in zip(*results, strict=True):
        assert np.array_equal(one, other)


def test_p_values_do_not_depend_on_threads() -> None:
    found = []
    for threads in (1, 2):
        with threadpool_limits(limits=threads):
            found.append(compare(made_statistics(n=900)).p_value)
    assert np.array_equal(*found)


def test_sums_beyond_single_precision_are_exact() -> None:
    # Odd numbers just below 2^24 cannot be added in float32: every second sum would be rounded.
    rng = np.random.default_rng(3)
    counts = 2.0**24 - 1 - 2 * rng.integers(0, 500, (3, 2, 40))
    values = as_values(counts)
    weights = np.concatenate(list(Bootstrap(20).blocks(40)))
    exact = [
        [[sum(int(c) * int(w) for c, w in zip(row, draw, strict=True)) for draw in weights] for row in system]
        for system in counts
    ]
    assert values.dtype == np.float32
    assert np.array_equal(WeightedSums(values)(weights), np.array(exact, dtype=float))


def test_rows_that_begin_alike_are_told_apart_by_their_last_unit() -> None:
    rng = np.random.default_rng(3)
    row = rng.integers(0, 30, 500)
    values = np.array([row, row, row, row[::-1]]).astype(np.float32)
    values[2, -1] += 1
    weights = rng.integers(0, 4, (7, 500)).astype(np.float32)
    exact = values.astype(int) @ weights.T.astype(int)
    assert np.array_equal(WeightedSums(values)(weights), exact)


@pytest.mark.parametrize("short", [0.0, 0.02, 0.1, 0.5])
@pytest.mark.parametrize("most", [2**17, 1000])
def test_rows_that_follow_from_others_are_added_as_all_are(
    short: float, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(5)
    n, systems = 3000, 6
    length = np.where(
        rng.random((systems, n)) < short, rng.integers(0, 4, (systems, n)), rng.integers(4, 40, (systems, n))
    )
    shared = np.broadcast_to(rng.integers(0, 40, n), (systems, n))
    totals = [np.maximum(length - order, 0) for order in range(4)]
    matches = [rng.binomial(total, 0.4) for total in totals]
    # What a chrF of a reference without this order would be: far from the step, and below it.
    lacking = np.where(rng.random(n) < short / 4, 0, totals[1])
    counts = np.array([length, shared, *matches, *totals, np.maximum(shared - 1, 0), lacking])
    monkeypatch.setattr("mtsig.metrics._sums.UNITS_ADDED", most)
    values, sums = as_values(counts.astype(float)), WeightedSums(as_values(counts.astype(float)))
    assert values.dtype == np.float32
    for scheme in (Bootstrap(40), Swap(40)):
        weights = np.concatenate(list(scheme.blocks(n)))
        assert np.array_equal(sums(weights), counts @ weights.T.astype(np.int64))


def test_one_large_row_does_not_spoil_the_others() -> None:
    values = as_values(np.stack([np.full((1, 30), 2.0**23 + 1), np.arange(30.0)[None]]))
    totals = WeightedSums(values)(np.ones((2, 30), dtype=np.float32))
    assert totals[:, 0].tolist() == [[30 * (2.0**23 + 1)] * 2, [435.0] * 2]


@pytest.mark.parametrize("largest", [2.0**24 - 1, 2.0**24, 2.0**24 + 1])
def test_counts_keep_every_digit(largest: float) -> None:
    assert as_values(np.array([[[largest, 1.0]]]))[0, 0].tolist() == [largest, 1.0]


def test_real_scores_stand_on_a_grid_on_which_sums_do_not_depend_on_order() -> None:
    values = as_values(np.random.default_rng(2).normal(size=(1, 1, 5000)) * 100)
    backwards = np.ascontiguousarray(values[..., ::-1])
    weights = np.concatenate(list(Bootstrap(50).blocks(5000)))
    assert values.dtype == np.float64
    assert np.array_equal(WeightedSums(values)(weights), WeightedSums(backwards)(weights[:, ::-1]))


def test_memory_is_bounded_by_a_block() -> None:
    # All 8,192 draws of weights at once would take 131 MB; a block takes 4 MB.
    statistics, schemes = made_statistics(n=4000, systems=2), (Bootstrap(8192), Swap(8192))

    def run(scheme: Scheme) -> None:
        if isinstance(scheme, Bootstrap):
            resample(statistics, scheme)
        else:
            shuffle(statistics, scheme, ONE, TWO)  # type: ignore[arg-type]

    for scheme in schemes:
        tracemalloc.start()
        run(scheme)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 40e6


def test_draws_keep_what_they_were_drawn_from() -> None:
    statistics = made_statistics()
    found = resample(statistics, Bootstrap(50, seed=9))
    assert found.scheme == Bootstrap(50, seed=9)
    assert np.array_equal(found.observed, statistics.scores)
    assert found.draws.shape == (4, 50)
    assert found.systems == statistics.systems
