"""How many segments and judges: the error and the power that are promised, against simulated evaluations."""

import numpy as np
import pytest

from mtsig import Corpus, Rating
from mtsig.corpus._ratings import Judgements
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference.detectable import noncentral
from mtsig.trust import VarianceShares, compare_with_random_judges, design_ratings, design_ratings_by, variance_shares
from mtsig.trust.shares import Share

PLANTED = {"system × segment": 0.6, "system × judge": 0.15, "residual": 1.0}


def shares_of(planted: dict[str, float], inseparable: tuple[str, ...] = ()) -> VarianceShares:
    """Return shares that are known, and not estimated."""
    rows = Share.of_columns(
        len(planted), source=tuple(planted), variance=list(planted.values()), share=0.0, levels=[2] * len(planted)
    )
    return VarianceShares(rows, inseparable)


def evaluated(
    rng: np.random.Generator, m: int, j: int, judges: int, difference: float, planted: dict[str, float], length: int = 0
) -> Judgements:
    """Return one future evaluation of two systems: each segment is seen by j of the judges, who do equal shares."""
    spread = {name: np.sqrt(variance) for name, variance in planted.items()}
    system = np.array([difference, 0.0])
    output = spread["system × segment"] * rng.normal(size=(2, m))
    if length:
        output += np.repeat(spread["system × document"] * rng.normal(size=(2, -(-m // length))), length, axis=1)[:, :m]
    own = spread["system × judge"] * rng.normal(size=(2, judges))
    segments = np.repeat(np.arange(m), j)
    who = (segments + np.tile(np.arange(j), m) * (judges // j or 1)) % judges
    cells = np.full((judges, 2, m), np.nan)
    noise = spread["residual"] * rng.normal(size=(2, m * j))
    cells[who, :, segments] = (system[:, None] + output[:, segments] + own[:, who] + noise).T
    return Judgements.of({str(judge): values for judge, values in enumerate(cells)})


@pytest.mark.parametrize(("m", "j", "judges"), [(40, 1, 8), (40, 2, 8), (90, 3, 6)])
def test_the_promised_error_is_the_spread_of_simulated_differences(m: int, j: int, judges: int) -> None:
    rng = np.random.default_rng(m + j)
    found = []
    for _ in range(500):
        given = evaluated(rng, m, j, judges, 0.0, PLANTED)
        means = np.bincount(given.system, given.value) / np.bincount(given.system)
        found.append(means[0] - means[1])
    # The spread of 500 is known to 3.2%.
    assert np.std(found) == pytest.approx(shares_of(PLANTED).standard_error(m, j, judges), rel=0.1)


def test_documents_add_their_part_to_the_error() -> None:
    rng = np.random.default_rng(3)
    planted = PLANTED | {"system × document": 0.3}
    found = []
    for _ in range(500):
        given = evaluated(rng, 40, 1, 8, 0.0, planted, length=5)
        means = np.bincount(given.system, given.value) / np.bincount(given.system)
        found.append(means[0] - means[1])
    assert np.std(found) == pytest.approx(shares_of(planted).standard_error(40, 1, 8, 8), rel=0.1)
    with pytest.raises(InvalidOption, match="how many segments one will have"):
        design_ratings(shares_of(planted), 1.0, 8)
    assert design_ratings(shares_of(planted), 1.0, 8, length=5).length == 5


@pytest.mark.parametrize("j", [1, 2])
def test_evaluations_of_the_promised_size_find_the_difference_as_often_as_promised(j: int) -> None:
    planted = PLANTED | {"system × judge": 0.05}
    design = design_ratings(shares_of(planted), 0.7, 10)
    size = design.sizes[j - 1]
    assert size.segments is not None
    rng = np.random.default_rng(j)
    wins = 0
    for _ in range(300):
        given = evaluated(rng, size.segments, j, 10, 0.7, planted)
        (pair,) = compare_with_random_judges(given, ("A", "B")).comparisons
        wins += pair.winner == "A"
    # .8 is promised; the test may find more, for it errs less often than it says. Three standard errors of 300 are .07.
    assert 0.73 <= wins / 300 <= 0.95


def test_no_number_of_segments_takes_away_what_judges_differ_by() -> None:
    design = design_ratings(shares_of(PLANTED | {"system × judge": 1.0}), 0.5, 6)
    assert all(one.segments is None for one in design.sizes)
    assert all(one.segments_fixed is not None for one in design.sizes)
    assert design.cheapest is None
    few = design_ratings(shares_of(PLANTED), 5.0, 4)
    assert [one.segments for one in few.sizes] == [None] * 4
    assert [one.judges_per_segment for one in few.sizes] == [1, 2, 3, 4]


def test_the_least_that_finds_it_is_the_least() -> None:
    shares = shares_of(PLANTED)
    for one in design_ratings(shares, 0.9, 12, systems=3, price_segment=1.0, price_judgement=0.5).sizes:
        assert one.segments is not None
        for m, enough in ((one.segments, True), (one.segments - 1, False)):
            df = min(m, 12) - 1
            error = shares.standard_error(m, one.judges_per_segment, 12)
            assert (noncentral(float(df), 0.025 / 3, 0.8) * error <= 0.9) == enough
        assert one.cost == one.segments * (1.0 + 0.5 * 3 * one.judges_per_segment)
        assert one.judgements == one.segments * 3 * one.judges_per_segment
        assert one.segments_fixed is not None
        assert one.segments_fixed <= one.segments


def test_a_pilot_of_one_judge_an_output_says_nothing_of_two() -> None:
    design = design_ratings(shares_of(PLANTED, ("system × segment",)), 1.0, 8)
    assert [one.judges_per_segment for one in design.sizes] == [1]
    with pytest.raises(NotApplicable, match="other judges would say"):
        design_ratings(shares_of(PLANTED, ("system × judge",)), 1.0, 8)
    with pytest.raises(InvalidOption, match="price of a judgement"):
        design_ratings(shares_of(PLANTED), 1.0, 8, price_judgement=-1.0)


def test_a_rating_of_a_corpus_is_the_pilot() -> None:
    rng = np.random.default_rng(4)
    given = evaluated(rng, 60, 2, 6, 1.0, PLANTED)
    total, count = np.zeros((2, 60)), np.zeros((2, 60))
    np.add.at(total, (given.system, given.segment), given.value)
    np.add.at(count, (given.system, given.segment), 1)
    rating = Rating(total / count, higher_is_better=True, judgements=given)
    corpus = Corpus.of(dict.fromkeys("AB"), ratings={"esa": rating, "alone": Rating(total, higher_is_better=True)})
    design = design_ratings_by(corpus, "esa", 1.0)
    assert design.judges == 6
    assert design.rows() == design_ratings(variance_shares(given), 1.0, 6).rows()
    with pytest.raises(NotApplicable, match="who gave which value"):
        design_ratings_by(corpus, "alone", 1.0)
