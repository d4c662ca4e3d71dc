"""The kernel against sacreBLEU on text repeated line by line; the digits and laws of weights, whatever the chunks."""

import tracemalloc
from dataclasses import replace
from itertools import pairwise
from math import comb

import numpy as np
import pytest
from made import made_corpus, made_statistics
from numpy.typing import NDArray
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from threadpoolctl import threadpool_limits

from mtsig import Corpus, interval, measure
from mtsig.errors import InvalidOption
from mtsig.inference import compare
from mtsig.meta_eval._statistic import _rows
from mtsig.metrics import Bleu, Chrf, Metric, Statistics
from mtsig.metrics._statistics import as_values
from mtsig.metrics._sums import WeightedSums
from mtsig.resampling import BLOCK, RNG, Bootstrap, Scheme, Subsample, Swap, resample, resample_together, shuffle

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
            ends = interval(statistics).ci_low
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


@pytest.mark.parametrize("scheme", [Bootstrap(4096, seed=3), Swap(4096, seed=3)], ids=str)
def test_memory_is_bounded_however_many_systems_there_are(scheme: Bootstrap | Swap) -> None:
    # The totals of all systems in all draws of a block would take 197 MB, and the scores' work several times that.
    few = made_statistics(n=20, systems=2)
    statistics = replace(few, systems=tuple(map(str, range(600))), values=np.tile(few.values, (1, 300, 1)))

    def drawn(some: Statistics) -> NDArray[np.float64]:
        return resample(some, scheme).draws if isinstance(scheme, Bootstrap) else shuffle(some, scheme, ONE, TWO)

    tracemalloc.start()
    found = drawn(statistics)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak - found.nbytes < 150e6
    alone = drawn(few)
    assert np.array_equal(found[: len(alone)], alone)


def test_draws_keep_what_they_were_drawn_from() -> None:
    statistics = made_statistics()
    found = resample(statistics, Bootstrap(50, seed=9))
    assert found.scheme == Bootstrap(50, seed=9)
    assert np.array_equal(found.observed, statistics.scores)
    assert found.draws.shape == (4, 50)
    assert found.systems == statistics.systems


SEED, N = 12345, 7


SCHEMES: dict[str, Scheme] = {
    "bootstrap": Bootstrap(600, SEED),
    "swap": Swap(600, SEED),
    "subsample": Subsample(600, SEED, size=3),
}


def weights(scheme: Scheme, n: int) -> np.ndarray:
    return np.concatenate(list(scheme.blocks(n)))


def words(block: int, count: int, seed: int = SEED) -> list[int]:
    """Return raw words of a block as Python's whole numbers; children are spawned the long way."""
    child = np.random.SeedSequence(seed).spawn(block + 1)[block]
    return [int(word) for word in np.random.PCG64(child).random_raw(count)]


def halves(row: int, n: int, block: int) -> list[int]:
    per_row = (n + 1) // 2
    mine = words(block, per_row * (row + 1))[per_row * row :]
    return [part for word in mine for part in (word % 2**32, word // 2**32)][:n]


def bootstrap_row(row: int, n: int, block: int) -> list[int]:
    counts = [0] * n
    for half in halves(row, n, block):
        counts[half * n // 2**32] += 1
    return counts


def swap_row(row: int, n: int, block: int) -> list[int]:
    per_row = (n + 63) // 64
    mine = words(block, per_row * (row + 1))[per_row * row :]
    return [mine[unit // 64] // 2 ** (unit % 64) % 2 for unit in range(n)]


def subsample_row(row: int, n: int, block: int, size: int = 3) -> list[int]:
    keys = halves(row, n, block)
    chosen = sorted(range(n), key=lambda unit: (keys[unit], unit))[:size]
    return [int(unit in chosen) for unit in range(n)]


BY_HAND = {"bootstrap": bootstrap_row, "swap": swap_row, "subsample": subsample_row}


@pytest.mark.parametrize("n", [1, 2, 7, 64, 65, 130])
@pytest.mark.parametrize("name", list(SCHEMES))
def test_weights_follow_from_raw_words(name: str, n: int) -> None:
    found = weights(SCHEMES[name], n)
    for draw in (0, 1, 255, 256, 511, 599):
        row, block = draw % BLOCK, draw // BLOCK
        expected = BY_HAND[name](row, n, block) if not (name == "subsample" and n < 3) else [1] * n
        assert found[draw].astype(int).tolist() == expected


def test_large_sets_are_filled_in_chunks_that_change_nothing() -> None:
    # 20,000 units pass the 2^22 numbers that are made at a time, after 209 draws.
    n = 20_000
    found = weights(Bootstrap(212, SEED), n)
    for draw in (208, 209, 211):
        assert found[draw].astype(int).tolist() == bootstrap_row(draw, n, 0)


# Digits of scheme 1, found once and never to change: a new scheme needs a new number, and a line in the CHANGELOG.
DIGITS = {
    "bootstrap": ["0211021", "0112111", "1201111", "1202011", "1010230", "0222100"],
    "swap": ["1011010", "0010110", "0011011", "1100101", "0011011", "1011100"],
    "subsample": ["1000011", "1010100", "0110010", "0100101", "0110001", "0010011"],
}


def test_the_scheme_is_the_one_whose_digits_stand_here() -> None:
    assert (RNG, BLOCK) == ("1", 256)


@pytest.mark.parametrize("name", list(SCHEMES))
def test_digits_of_the_scheme_never_change(name: str) -> None:
    found = weights(SCHEMES[name], N).astype(int)
    rows = ["".join(map(str, row)) for row in (*found[:4], *found[256:258])]
    assert rows == DIGITS[name]


@pytest.mark.parametrize("draws", [10, 255, 256, 257, 511, 513])
@pytest.mark.parametrize("name", list(SCHEMES))
def test_a_shorter_run_is_a_prefix(name: str, draws: int) -> None:
    scheme = SCHEMES[name]
    shorter = type(scheme)(**{**vars(scheme), "n_draws": draws})
    assert np.array_equal(weights(shorter, 33), weights(scheme, 33)[:draws])


@pytest.mark.parametrize(("units", "most"), [(5, 16 * BLOCK), (2000, 2 * BLOCK), (9000, BLOCK)])
@pytest.mark.parametrize("draws", [10, 256, 5000])
def test_blocks_are_bounded_and_add_up(draws: int, units: int, most: int) -> None:
    for scheme in (Bootstrap(draws), Swap(draws), Subsample(draws, size=2)):
        if draws * units > 2**24:
            continue
        sizes = [len(block) for block in scheme.blocks(units)]
        assert sum(sizes) == draws
        assert max(sizes) <= most
        assert all(size == most for size in sizes[:-1])


def test_other_seeds_give_other_weights() -> None:
    for kind in (Bootstrap, Swap):
        assert not np.array_equal(weights(kind(20, 1), 50), weights(kind(20, 2), 50))


def test_the_unit_is_not_part_of_the_stream() -> None:
    assert np.array_equal(weights(Bootstrap(20, unit="segment"), 30), weights(Bootstrap(20, unit="document"), 30))


def test_bootstrap_weights_sum_to_the_number_of_units() -> None:
    for n in (1, 2, 7, 100):
        found = weights(Bootstrap(300), n)
        assert np.all(found.sum(axis=1) == n)
        assert found.dtype == np.float32


def test_every_unit_is_drawn_equally_often() -> None:
    n, draws = 50, 20_000
    drawn = weights(Bootstrap(draws), n).sum(axis=0)
    statistic = np.sum((drawn - draws) ** 2 / draws)
    assert abs(statistic - (n - 1)) < 4 * np.sqrt(2 * (n - 1))


def test_bootstrap_counts_are_binomial() -> None:
    n, draws = 20, 20_000
    found = weights(Bootstrap(draws), n)
    for times in range(4):
        share = np.mean(found == times)
        # The n counts of a draw depend on each other only a little: a row counts as one trial, so the bound is wide.
        exact = _binomial(n, times)
        assert abs(share - exact) < 4 * np.sqrt(exact * (1 - exact) / draws)


def _binomial(n: int, times: int) -> float:
    return comb(n, times) * (1 / n) ** times * (1 - 1 / n) ** (n - times)


def test_pairs_of_units_are_independent() -> None:
    # Cov(w_i, w_j) of a multinomial is −1/n, and its estimate has an SD of about 1/√draws.
    n, draws = 10, 40_000
    covariance = np.cov(weights(Bootstrap(draws), n).T)
    assert np.abs(covariance - (np.eye(n) - 1 / n)).max() < 5 * np.sqrt(2 / draws)


def test_swaps_are_fair_and_independent() -> None:
    n, draws = 130, 20_000
    found = weights(Swap(draws), n)
    assert set(np.unique(found)) == {0.0, 1.0}
    bound = 5 * 0.5 / np.sqrt(draws)
    assert np.abs(found.mean(axis=0) - 0.5).max() < bound
    correlation = np.corrcoef(found.T) - np.eye(n)
    assert np.abs(correlation).max() < 6 / np.sqrt(draws)


def test_draws_of_different_blocks_are_independent() -> None:
    found = weights(Swap(1024), 2000)
    agreement = (found[:BLOCK] == found[BLOCK : 2 * BLOCK]).mean()
    assert abs(agreement - 0.5) < 5 * 0.5 / np.sqrt(BLOCK * 2000)


@pytest.mark.parametrize("size", [1, 2, 49, 50, 60])
def test_subsets_have_exactly_their_size(size: int) -> None:
    found = weights(Subsample(300, size=size), 50)
    assert set(np.unique(found)) <= {0.0, 1.0}
    assert np.all(found.sum(axis=1) == min(size, 50))


def test_smaller_subsets_lie_inside_larger_ones() -> None:
    found = [weights(Subsample(300, size=size), 50) for size in (5, 20, 45)]
    for smaller, larger in pairwise(found):
        assert np.all(smaller <= larger)


def test_subsets_take_every_unit_equally_often() -> None:
    n, size, draws = 40, 10, 20_000
    taken = weights(Subsample(draws, size=size), n).mean(axis=0)
    share = size / n
    assert np.abs(taken - share).max() < 4.5 * np.sqrt(share * (1 - share) / draws)


@pytest.mark.parametrize("options", [{"n_draws": 9}, {"n_draws": 10**8}, {"seed": -1}, {"unit": "word"}])
def test_plans_out_of_range_are_refused(options: dict[str, int]) -> None:
    for kind in (Bootstrap, Swap, Subsample):
        with pytest.raises(InvalidOption):
            kind(**options)


@pytest.mark.parametrize("n", [1, 7, 100, 5000, 9000])
def test_a_redraw_counts_its_own_picks_however_many_are_counted_at_a_time(n: int) -> None:
    scheme = Bootstrap(90, SEED)
    expected = [[(row == unit).sum() for unit in range(min(n, 50))] for row in scheme.picks(n, 90)]
    drawn = weights(scheme, n)
    assert drawn[:, :50].tolist() == expected
    assert np.all(drawn.sum(axis=1) == n)


@pytest.mark.parametrize("scheme", [Bootstrap(600), Swap(600), Subsample(600, size=5)])
@pytest.mark.parametrize("most", [1, 40, 100, 5000])
def test_draws_come_in_parts_that_make_up_the_same_rows(
    scheme: Scheme, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = np.concatenate(list(scheme.blocks(20)))
    monkeypatch.setattr("mtsig.resampling._MOST", most)
    monkeypatch.setattr("mtsig.resampling._CHUNK", 60)
    parts = list(scheme.blocks(20))
    assert max(map(len, parts)) <= max(1, most // 20)
    assert np.array_equal(np.concatenate(parts), whole)
    rows = list(_rows(iter(parts)))
    assert [len(part) for part in rows] == [BLOCK, BLOCK, 600 - 2 * BLOCK]
    assert np.array_equal(np.concatenate(rows), whole)
