"""Weights: their digits, their laws, and that a run's length and chunking change none of them."""

from itertools import pairwise
from math import comb

import numpy as np
import pytest

from mtsig.errors import InvalidOption
from mtsig.resampling import BLOCK, RNG, Bootstrap, Scheme, Subsample, Swap

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
