"""How many segments and raters: the error and the power that are promised, against simulated evaluations."""

import numpy as np
import pytest
from sampled import slow
from scipy import stats

from mtsig import Corpus, Rating, verdict
from mtsig.corpus import RaterScores
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference._fields import noncentral
from mtsig.inference._raters import compare_rater_scores
from mtsig.meta_eval import design_ratings, variance_shares
from mtsig.meta_eval._rating_design import Share, VarianceShares, design_ratings_by

PLANTED = {"system × segment": 0.6, "system × rater": 0.15, "residual": 1.0}


def shares_of(planted: dict[str, float], inseparable: tuple[str, ...] = ()) -> VarianceShares:
    """Return shares that are known, and not estimated."""
    rows = Share.of_columns(
        len(planted), source=tuple(planted), variance=list(planted.values()), share=0.0, levels=[2] * len(planted)
    )
    return VarianceShares(rows, inseparable)


def evaluated(
    rng: np.random.Generator, m: int, j: int, raters: int, difference: float, planted: dict[str, float], length: int = 0
) -> RaterScores:
    """Return one future evaluation of two systems: each segment is seen by j of the raters, who do equal shares."""
    spread = {name: np.sqrt(variance) for name, variance in planted.items()}
    system = np.array([difference, 0.0])
    output = spread["system × segment"] * rng.normal(size=(2, m))
    if length:
        output += np.repeat(spread["system × document"] * rng.normal(size=(2, -(-m // length))), length, axis=1)[:, :m]
    own = spread["system × rater"] * rng.normal(size=(2, raters))
    segments = np.repeat(np.arange(m), j)
    who = (segments + np.tile(np.arange(j), m) * (raters // j or 1)) % raters
    cells = np.full((raters, 2, m), np.nan)
    noise = spread["residual"] * rng.normal(size=(2, m * j))
    cells[who, :, segments] = (system[:, None] + output[:, segments] + own[:, who] + noise).T
    return RaterScores.of({str(rater): values for rater, values in enumerate(cells)})


@pytest.mark.parametrize(("m", "j", "raters"), [(40, 1, 8), (40, 2, 8), (90, 3, 6)])
def test_the_promised_error_is_the_spread_of_simulated_differences(m: int, j: int, raters: int) -> None:
    rng = np.random.default_rng(m + j)
    found = []
    for _ in range(500):
        given = evaluated(rng, m, j, raters, 0.0, PLANTED)
        means = np.bincount(given.system, given.value) / np.bincount(given.system)
        found.append(means[0] - means[1])
    # The spread of 500 is known to 3.2%.
    assert np.std(found) == pytest.approx(shares_of(PLANTED).standard_error(m, j, raters), rel=0.1)


def test_documents_add_their_part_to_the_error() -> None:
    rng = np.random.default_rng(3)
    planted = PLANTED | {"system × document": 0.3}
    found = []
    for _ in range(500):
        given = evaluated(rng, 40, 1, 8, 0.0, planted, length=5)
        means = np.bincount(given.system, given.value) / np.bincount(given.system)
        found.append(means[0] - means[1])
    assert np.std(found) == pytest.approx(shares_of(planted).standard_error(40, 1, 8, 8), rel=0.1)
    with pytest.raises(InvalidOption, match="their planned number of segments"):
        design_ratings(shares_of(planted), 1.0, 8)
    assert design_ratings(shares_of(planted), 1.0, 8, length=5).length == 5


@pytest.mark.parametrize("j", [2, *slow(1)])
@pytest.mark.slow
def test_evaluations_of_the_promised_size_find_the_difference_as_often_as_promised(j: int) -> None:
    planted = PLANTED | {"system × rater": 0.05}
    design = design_ratings(shares_of(planted), 0.7, 10)
    size = design.sizes[j - 1]
    assert size.segments is not None
    rng = np.random.default_rng(j)
    wins = 0
    for _ in range(300):
        given = evaluated(rng, size.segments, j, 10, 0.7, planted)
        others = compare_rater_scores(given, ("A", "B"), within="segment").others
        wins += others is not None and verdict(others[0]).winner == "A"
    # .8 is promised; the test may find more, for it errs less often than it says. Three standard errors of 300 are .07.
    assert 0.73 <= wins / 300 <= 0.95


@pytest.mark.parametrize(
    ("systems", "m", "raters", "of_raters"),
    [(3, 40, 3, 0.05), *slow((3, 40, 6, 0.05), (8, 40, 3, 0.05), (3, 100, 6, 0.2))],
)
def test_over_pilots_power_is_on_average_what_was_promised(systems: int, m: int, raters: int, of_raters: float) -> None:
    """Shares pool all systems: the factor for one pair's spread is not needed, and would double the segments."""
    rng, planted = np.random.default_rng(systems + m), {"system × segment": 1.0, "system × rater": of_raters}
    true, wanted = shares_of(planted | {"residual": 1.0}), round(1.5 * m)
    for among in (None, 6):
        df = (wanted if among is None else min(wanted, among)) - 1.0
        difference = noncentral(df, 0.025, 0.8) * true.standard_error(wanted, 1, among)
        power = []
        for _ in range(40):
            common = rng.normal(size=(systems, m)) + rng.normal(size=(1, m))
            own = np.sqrt(of_raters) * rng.normal(size=(raters, systems, 1))
            given = common + own + rng.normal(size=(raters, systems, m))
            shares = variance_shares(RaterScores.of({str(rater): values for rater, values in enumerate(given)}))
            size = design_ratings(shares, difference, 6, comparisons=1).sizes[0]
            segments = size.segments_fixed if among is None else size.segments
            if segments is not None:
                df = (segments if among is None else min(segments, among)) - 1.0
                centre = difference / true.standard_error(segments, 1, among)
                power.append(stats.nct.sf(stats.t.isf(0.025, df), df, centre))
        assert len(power) >= 28
        # Where much of the error is what raters differ by, pilots that promise too little are told that none would do.
        assert 0.72 <= np.mean(power) <= 0.86


def test_no_number_of_segments_takes_away_what_raters_differ_by() -> None:
    design = design_ratings(shares_of(PLANTED | {"system × rater": 1.0}), 0.5, 6)
    assert all(one.segments is None for one in design.sizes)
    assert all(one.segments_fixed is not None for one in design.sizes)
    assert design.cheapest is None
    few = design_ratings(shares_of(PLANTED), 5.0, 4)
    assert [one.segments for one in few.sizes] == [None] * 4
    assert [one.raters_per_segment for one in few.sizes] == [1, 2, 3, 4]


def test_the_least_that_finds_it_is_the_least() -> None:
    shares = shares_of(PLANTED)
    for one in design_ratings(shares, 0.9, 12, systems=3, price_segment=1.0, price_rating=0.5).sizes:
        assert one.segments is not None
        for m, enough in ((one.segments, True), (one.segments - 1, False)):
            df = min(m, 12) - 1
            error = shares.standard_error(m, one.raters_per_segment, 12)
            assert (noncentral(float(df), 0.025 / 3, 0.8) * error <= 0.9) == enough
        assert one.cost == one.segments * (1.0 + 0.5 * 3 * one.raters_per_segment)
        assert one.ratings == one.segments * 3 * one.raters_per_segment
        assert one.segments_fixed is not None
        assert one.segments_fixed <= one.segments


def test_a_pilot_of_one_rater_an_output_says_nothing_of_two() -> None:
    design = design_ratings(shares_of(PLANTED, ("system × segment",)), 1.0, 8)
    assert [one.raters_per_segment for one in design.sizes] == [1]
    with pytest.raises(NotApplicable, match="results may differ for other raters"):
        design_ratings(shares_of(PLANTED, ("system × rater",)), 1.0, 8)
    with pytest.raises(InvalidOption, match="price of a rating"):
        design_ratings(shares_of(PLANTED), 1.0, 8, price_rating=-1.0)


def test_a_rating_of_a_corpus_is_the_pilot() -> None:
    rng = np.random.default_rng(4)
    given = evaluated(rng, 60, 2, 6, 1.0, PLANTED)
    total, count = np.zeros((2, 60)), np.zeros((2, 60))
    np.add.at(total, (given.system, given.segment), given.value)
    np.add.at(count, (given.system, given.segment), 1)
    rating = Rating(total / count, higher_is_better=True, rater_scores=given)
    corpus = Corpus.of(dict.fromkeys("AB"), ratings={"esa": rating, "alone": Rating(total, higher_is_better=True)})
    design = design_ratings_by(corpus, "esa", 1.0)
    assert design.raters == 6
    assert design.rows() == design_ratings(variance_shares(given), 1.0, 6).rows()
    with pytest.raises(NotApplicable, match="no rater ids"):
        design_ratings_by(corpus, "alone", 1.0)


SHARES = {
    "system": 0.5, "segment": 1.0, "rater": 0.8, "system × segment": 0.6, "system × rater": 0.4, "segment × rater": 0.3,
    "residual": 1.0,
}  # fmt: skip


def _drawn(random: np.random.Generator, s: int, n: int, j: int, planted: dict[str, float] = SHARES) -> np.ndarray:
    """Return values of shape (raters, systems, segments) with these variances."""
    shapes = {
        "system": (1, s, 1), "segment": (1, 1, n), "rater": (j, 1, 1), "system × segment": (1, s, n),
        "system × rater": (j, s, 1), "segment × rater": (j, 1, n), "residual": (j, s, n),
    }  # fmt: skip
    return 5 + sum(np.sqrt(planted[name]) * random.normal(size=shape) for name, shape in shapes.items())


def _rater_scores(values: np.ndarray) -> RaterScores:
    return RaterScores.of({f"j{number}": own for number, own in enumerate(values)})


def _of(found: VarianceShares) -> dict[str, float]:
    return {one.source: one.variance for one in found.shares}


def test_balanced_ratings_give_the_analysis_of_variance_of_statsmodels() -> None:
    smf = pytest.importorskip("statsmodels.formula.api")
    anova = pytest.importorskip("statsmodels.stats.anova")
    pandas = pytest.importorskip("pandas")
    s, n, j = 3, 8, 4
    values = _drawn(np.random.default_rng(1), s, n, j)
    rater, system, segment = np.indices(values.shape)
    frame = pandas.DataFrame({"x": values.ravel(), "J": rater.ravel(), "S": system.ravel(), "T": segment.ravel()})
    table = anova.anova_lm(smf.ols("x ~ (C(J) + C(S) + C(T))**2", frame).fit())
    mean = {name.replace("C(", "").replace(")", ""): row for name, row in table["mean_sq"].items()}
    left = mean["Residual"]
    expected = {
        "residual": left,
        "system × segment": (mean["S:T"] - left) / j,
        "system × rater": (mean["J:S"] - left) / n,
        "segment × rater": (mean["J:T"] - left) / s,
        "system": (mean["S"] - mean["S:T"] - mean["J:S"] + left) / (n * j),
        "segment": (mean["T"] - mean["S:T"] - mean["J:T"] + left) / (s * j),
        "rater": (mean["J"] - mean["J:S"] - mean["J:T"] + left) / (s * n),
    }
    found = variance_shares(_rater_scores(values))
    assert _of(found) == pytest.approx(expected)
    assert found.inseparable == ()
    assert sum(one.share for one in found.shares) == pytest.approx(1)


def test_planted_variances_are_found_in_the_mean_where_ratings_are_missing() -> None:
    random = np.random.default_rng(2)
    sums: dict[str, list[float]] = {name: [] for name in SHARES}
    for _ in range(150):
        values = _drawn(random, 6, 20, 6)
        values[random.random(values.shape) < 0.4] = np.nan
        for name, variance in _of(variance_shares(_rater_scores(values))).items():
            sums[name].append(variance)
    for name, planted in SHARES.items():
        error = np.std(sums[name]) / np.sqrt(len(sums[name]))
        # Unbiased: the mean of 150 lies within four standard errors.
        assert abs(np.mean(sums[name]) - planted) < 4 * error, name


@pytest.mark.slow
def test_documents_are_a_source_around_their_segments() -> None:
    random = np.random.default_rng(3)
    found: dict[str, list[float]] = {"document": [], "system × document": [], "segment": []}
    for _ in range(60):
        values = _drawn(random, 6, 40, 3)
        values += np.repeat(random.normal(size=(1, 1, 10)) * 1.5, 4, axis=2)
        values += np.repeat(random.normal(size=(1, 6, 10)), 4, axis=2)
        shares = _of(variance_shares(_rater_scores(values), [f"d{i // 4}" for i in range(40)]))
        for name, own in found.items():
            own.append(shares[name])
    for name, planted in {"document": 2.25, "system × document": 1.0, "segment": 1.0}.items():
        assert abs(np.mean(found[name]) - planted) < 4 * np.std(found[name]) / np.sqrt(60), name


def test_one_rater_an_output_leaves_outputs_and_noise_in_one() -> None:
    values = _drawn(np.random.default_rng(4), 4, 30, 5)
    values[np.arange(5)[:, None, None] != (np.arange(30) % 5)[None, None, :].repeat(4, axis=1)] = np.nan
    found = variance_shares(_rater_scores(values))
    assert "system × segment" in found.inseparable
    assert "system × rater" not in found.inseparable
    assert found.standard_error(30, 1, 5) > 0
    with pytest.raises(NotApplicable, match="a second rater per output"):
        found.standard_error(30, 2, 5)


def test_the_predicted_error_is_the_spread_of_future_differences() -> None:
    random = np.random.default_rng(5)
    differences = []
    m, j, raters = 24, 2, 6
    for _ in range(1500):
        values = _drawn(random, 2, m, raters, SHARES | {"system": 0.0})
        chosen = (np.arange(m)[None] + np.arange(j)[:, None]) % raters
        means = values[chosen, :, np.arange(m)[None]].mean(axis=(0, 1))
        differences.append(means[0] - means[1])
    found = variance_shares(_rater_scores(_drawn(random, 12, 150, 12)))
    truth = np.sqrt(2 * (0.6 / m + 0.4 / raters + 1.0 / (m * j)))
    assert np.std(differences) == pytest.approx(truth, rel=0.08)
    assert found.standard_error(m, j, raters) == pytest.approx(truth, rel=0.15)
    # What the formula says of the variances it has.
    parts = {name: found.variance(name) for name in ("system × segment", "system × rater", "residual")}
    own = 2 * (parts["system × segment"] / m + parts["system × rater"] / raters + parts["residual"] / (m * j))
    assert found.standard_error(m, j, raters) ** 2 == pytest.approx(own)


def test_what_cannot_be_shared_out_is_refused() -> None:
    values = _drawn(np.random.default_rng(6), 3, 10, 3)
    with pytest.raises(NotApplicable, match="2 raters"):
        variance_shares(_rater_scores(values[:1]))
    with pytest.raises(NotApplicable, match="All ratings are equal"):
        variance_shares(_rater_scores(np.ones((2, 2, 5))))
    with pytest.raises(InvalidOption, match="at most as many raters per segment"):
        variance_shares(_rater_scores(values)).standard_error(10, 4, 3)


def test_below_0_is_taken_for_0_and_said() -> None:
    random = np.random.default_rng(7)
    nothing = SHARES | {"system × rater": 0.0, "segment × rater": 0.0}
    found = [variance_shares(_rater_scores(_drawn(random, 3, 10, 3, nothing))) for _ in range(20)]
    below = [one for one in found if any(share.variance < 0 for share in one.shares)]
    assert below
    for one in below:
        assert all(share.share >= 0 for share in one.shares)
        assert "set to 0" in one.notes[0].text
