"""Shares of variance: the analysis of variance where all is balanced, planted components where it is not."""

import numpy as np
import pytest

from mtsig.corpus._ratings import Judgements
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.trust.shares import VarianceShares, variance_shares

PLANTED = {
    "system": 0.5, "segment": 1.0, "judge": 0.8, "system × segment": 0.6, "system × judge": 0.4, "segment × judge": 0.3,
    "residual": 1.0,
}  # fmt: skip


def _drawn(random: np.random.Generator, s: int, n: int, j: int, planted: dict[str, float] = PLANTED) -> np.ndarray:
    """Return values of shape (judges, systems, segments) with these variances."""
    shapes = {
        "system": (1, s, 1), "segment": (1, 1, n), "judge": (j, 1, 1), "system × segment": (1, s, n),
        "system × judge": (j, s, 1), "segment × judge": (j, 1, n), "residual": (j, s, n),
    }  # fmt: skip
    return 5 + sum(np.sqrt(planted[name]) * random.normal(size=shape) for name, shape in shapes.items())


def _judgements(values: np.ndarray) -> Judgements:
    return Judgements.of({f"j{number}": own for number, own in enumerate(values)})


def _of(found: VarianceShares) -> dict[str, float]:
    return {one.source: one.variance for one in found.shares}


def test_balanced_judgements_give_the_analysis_of_variance_of_statsmodels() -> None:
    smf = pytest.importorskip("statsmodels.formula.api")
    anova = pytest.importorskip("statsmodels.stats.anova")
    pandas = pytest.importorskip("pandas")
    s, n, j = 3, 8, 4
    values = _drawn(np.random.default_rng(1), s, n, j)
    judge, system, segment = np.indices(values.shape)
    frame = pandas.DataFrame({"x": values.ravel(), "J": judge.ravel(), "S": system.ravel(), "T": segment.ravel()})
    table = anova.anova_lm(smf.ols("x ~ (C(J) + C(S) + C(T))**2", frame).fit())
    mean = {name.replace("C(", "").replace(")", ""): row for name, row in table["mean_sq"].items()}
    left = mean["Residual"]
    expected = {
        "residual": left,
        "system × segment": (mean["S:T"] - left) / j,
        "system × judge": (mean["J:S"] - left) / n,
        "segment × judge": (mean["J:T"] - left) / s,
        "system": (mean["S"] - mean["S:T"] - mean["J:S"] + left) / (n * j),
        "segment": (mean["T"] - mean["S:T"] - mean["J:T"] + left) / (s * j),
        "judge": (mean["J"] - mean["J:S"] - mean["J:T"] + left) / (s * n),
    }
    found = variance_shares(_judgements(values))
    assert _of(found) == pytest.approx(expected)
    assert found.inseparable == ()
    assert sum(one.share for one in found.shares) == pytest.approx(1)


def test_planted_variances_are_found_in_the_mean_where_judgements_are_missing() -> None:
    random = np.random.default_rng(2)
    sums: dict[str, list[float]] = {name: [] for name in PLANTED}
    for _ in range(150):
        values = _drawn(random, 6, 20, 6)
        values[random.random(values.shape) < 0.4] = np.nan
        for name, variance in _of(variance_shares(_judgements(values))).items():
            sums[name].append(variance)
    for name, planted in PLANTED.items():
        error = np.std(sums[name]) / np.sqrt(len(sums[name]))
        # Unbiased: the mean of 150 lies within four standard errors.
        assert abs(np.mean(sums[name]) - planted) < 4 * error, name


def test_documents_are_a_source_around_their_segments() -> None:
    random = np.random.default_rng(3)
    found: dict[str, list[float]] = {"document": [], "system × document": [], "segment": []}
    for _ in range(60):
        values = _drawn(random, 6, 40, 3)
        values += np.repeat(random.normal(size=(1, 1, 10)) * 1.5, 4, axis=2)
        values += np.repeat(random.normal(size=(1, 6, 10)), 4, axis=2)
        shares = _of(variance_shares(_judgements(values), [f"d{i // 4}" for i in range(40)]))
        for name, own in found.items():
            own.append(shares[name])
    for name, planted in {"document": 2.25, "system × document": 1.0, "segment": 1.0}.items():
        assert abs(np.mean(found[name]) - planted) < 4 * np.std(found[name]) / np.sqrt(60), name


def test_one_judge_an_output_leaves_outputs_and_noise_in_one() -> None:
    values = _drawn(np.random.default_rng(4), 4, 30, 5)
    values[np.arange(5)[:, None, None] != (np.arange(30) % 5)[None, None, :].repeat(4, axis=1)] = np.nan
    found = variance_shares(_judgements(values))
    assert "system × segment" in found.inseparable
    assert "system × judge" not in found.inseparable
    assert found.standard_error(30, 1, 5) > 0
    with pytest.raises(NotApplicable, match="a second judge of an output"):
        found.standard_error(30, 2, 5)


def test_the_predicted_error_is_the_spread_of_future_differences() -> None:
    random = np.random.default_rng(5)
    differences = []
    m, j, judges = 24, 2, 6
    for _ in range(1500):
        values = _drawn(random, 2, m, judges, PLANTED | {"system": 0.0})
        chosen = (np.arange(m)[None] + np.arange(j)[:, None]) % judges
        means = values[chosen, :, np.arange(m)[None]].mean(axis=(0, 1))
        differences.append(means[0] - means[1])
    found = variance_shares(_judgements(_drawn(random, 12, 150, 12)))
    truth = np.sqrt(2 * (0.6 / m + 0.4 / judges + 1.0 / (m * j)))
    assert np.std(differences) == pytest.approx(truth, rel=0.08)
    assert found.standard_error(m, j, judges) == pytest.approx(truth, rel=0.15)
    # What the formula says of the variances it has.
    parts = {name: found.variance(name) for name in ("system × segment", "system × judge", "residual")}
    own = 2 * (parts["system × segment"] / m + parts["system × judge"] / judges + parts["residual"] / (m * j))
    assert found.standard_error(m, j, judges) ** 2 == pytest.approx(own)


def test_what_cannot_be_shared_out_is_refused() -> None:
    values = _drawn(np.random.default_rng(6), 3, 10, 3)
    with pytest.raises(NotApplicable, match="2 judges"):
        variance_shares(_judgements(values[:1]))
    with pytest.raises(NotApplicable, match="All ratings are equal"):
        variance_shares(_judgements(np.ones((2, 2, 5))))
    with pytest.raises(InvalidOption, match="no more judges per segment"):
        variance_shares(_judgements(values)).standard_error(10, 4, 3)


def test_below_0_is_taken_for_0_and_said() -> None:
    random = np.random.default_rng(7)
    nothing = PLANTED | {"system × judge": 0.0, "segment × judge": 0.0}
    found = [variance_shares(_judgements(_drawn(random, 3, 10, 3, nothing))) for _ in range(20)]
    below = [one for one in found if any(share.variance < 0 for share in one.shares)]
    assert below
    for one in below:
        assert all(share.share >= 0 for share in one.shares)
        assert "taken for 0" in one.notes[0].text
