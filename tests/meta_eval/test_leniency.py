"""How severe raters are: planted levels, least squares as statsmodels', gaps in the design; one against the others."""

import numpy as np
import pytest
from kept import worded

from mtsig.corpus import Corpus, RaterScores, Rating
from mtsig.errors import NotApplicable
from mtsig.meta_eval import STATISTICS, ceiling, leniency
from mtsig.meta_eval._leniency import design, means, standardised
from mtsig.resampling import Bootstrap

FEW = Bootstrap(300)
NAMES = ("A", "B", "C")


def _crossed(seed: int, missing: float) -> RaterScores:
    random = np.random.default_rng(seed)
    quality = np.array([0.0, 1.0, 3.0])[:, None] + random.normal(size=(1, 40))
    values = {}
    for number, level in enumerate((-1.0, 0.0, 0.5, 2.0)):
        own = quality + level + random.normal(size=(3, 40)) * 0.5
        own[random.random(own.shape) < missing] = np.nan
        values[f"j{number}"] = own
    return RaterScores.of(values)


def test_leniency_is_least_squares_with_segments_as_statsmodels_has_it() -> None:
    smf = pytest.importorskip("statsmodels.formula.api")
    pandas = pytest.importorskip("pandas")
    given = _crossed(1, 0.5)
    frame = pandas.DataFrame({"x": given.value, "system": given.system, "rater": given.rater, "segment": given.segment})
    fitted = smf.ols("x ~ C(system) + C(rater, Sum) + C(segment)", frame).fit()
    found = leniency(given, NAMES, scheme=FEW)
    assert found.by_segment
    sums = [float(fitted.params[f"C(rater, Sum)[S.{number}]"]) for number in range(3)]
    expected = [*sums, -sum(sums)]
    assert [one.leniency for one in found.levels] == pytest.approx(expected, abs=1e-9)
    steps = [float(fitted.params[f"C(system)[T.{number}]"]) for number in (1, 2)]
    assert np.diff(found.scores).tolist() == pytest.approx([steps[0], steps[1] - steps[0]], abs=1e-9)
    # Bootstrap and least squares agree on the spread where noise is independent.
    classical = [float(fitted.bse[f"C(rater, Sum)[S.{number}]"]) for number in range(3)]
    assert [one.standard_error for one in found.levels[:3]] == pytest.approx(classical, rel=0.35)
    frame["left"] = fitted.resid
    means = frame.groupby(["rater", "system"])["left"].mean()
    for number, one in enumerate(found.levels):
        assert list(one.residuals) == pytest.approx([float(means[number, system]) for system in range(3)], abs=1e-9)


def test_raters_of_segments_of_their_own_have_levels_without_the_segments() -> None:
    smf = pytest.importorskip("statsmodels.formula.api")
    pandas = pytest.importorskip("pandas")
    whole = _crossed(2, 0.0)
    given = whole.where(whole.segment % 4 == whole.rater)
    frame = pandas.DataFrame({"x": given.value, "system": given.system, "rater": given.rater})
    fitted = smf.ols("x ~ C(system) + C(rater, Sum)", frame).fit()
    found = leniency(given, NAMES, scheme=FEW)
    assert not found.by_segment
    worded(found.notes[0].text)
    expected = [float(fitted.params[f"C(rater, Sum)[S.{number}]"]) for number in range(3)]
    assert [one.leniency for one in found.levels[:3]] == pytest.approx(expected, abs=1e-9)
    assert sum(one.leniency for one in found.levels) == pytest.approx(0, abs=1e-9)


def test_parts_that_nothing_connects_are_named() -> None:
    given = RaterScores.of(
        {
            "Ann": np.array([[1.0, 2], [1, 3], [np.nan, np.nan]]),
            "Bo": np.array([[np.nan, np.nan], [np.nan, np.nan], [4.0, 5]]),
        }
    )
    with pytest.raises(NotApplicable, match=r"Ann rated A and B; Bo rated C"):
        leniency(given, NAMES, scheme=FEW)
    with pytest.raises(NotApplicable, match="found 1 rater"):
        leniency(given.where(given.rater == 0), NAMES, scheme=FEW)


def test_redraws_without_a_connection_are_counted() -> None:
    # Bo meets the others on one segment only: a third of the redraws lack it.
    values = np.full((3, 12), np.nan)
    values[2, :] = 1.0
    values[1, 0] = 2.0
    other = np.array([np.arange(12.0), np.arange(12.0) + 1, np.full(12, np.nan)])
    found = leniency(RaterScores.of({"Ann": other, "Bo": values}), NAMES, scheme=Bootstrap(2000))
    assert found.undefined / 2000 == pytest.approx((1 - 1 / 12) ** 12, abs=0.04)
    assert "no value" in found.notes[0].text


def test_standardised_values_have_mean_0_and_spread_1_by_rater() -> None:
    given = _crossed(3, 0.3)
    few = np.full((3, 40), np.nan)
    few[0, :9] = np.arange(9)
    with_few = RaterScores.of(
        {
            **{name: _table(given, number) for number, name in enumerate(given.raters)},
            "few": few,
            "always": np.ones((3, 40)),
        }
    )
    found = standardised(with_few)
    assert found.left_out == ("few", "always")
    for rater in range(4):
        own = found.rater_scores.value[found.rater_scores.rater == rater]
        assert (own.mean(), own.std(ddof=1)) == (pytest.approx(0, abs=1e-12), pytest.approx(1))
    assert design(with_few, 3)[4:].tolist() == [[9, 0, 0], [40, 40, 40]]


def _table(given: RaterScores, rater: int) -> np.ndarray:
    found = np.full((3, 40), np.nan)
    own = given.rater == rater
    found[given.system[own], given.segment[own]] = given.value[own]
    return found


def _corpus(values: dict[str, np.ndarray], higher: bool = True) -> Corpus:
    rater_scores = RaterScores.of(values)
    shape = next(iter(values.values())).shape
    rating = Rating(means(rater_scores, shape), higher, rater_scores=rater_scores)
    return Corpus.of({f"s{number}": None for number in range(shape[0])}, ratings={"esa": rating})


def test_a_rater_is_a_metric_of_the_mean_of_the_others() -> None:
    random = np.random.default_rng(1)
    values = {name: np.arange(6.0)[:, None] + 4 * random.normal(size=(6, 3)) for name in ("Ann", "Bo", "Cem")}
    found = ceiling(_corpus(values), "esa", STATISTICS["pearson"])
    for one in found.raters:
        others = np.mean([own for name, own in values.items() if name != one.rater], axis=0)
        expected = np.corrcoef(values[one.rater].mean(axis=1), others.mean(axis=1))[0, 1]
        assert one.value == pytest.approx(expected)
        assert one.outputs == 18
    assert found.value == pytest.approx(np.mean([one.value for one in found.raters]))
    negated = ceiling(_corpus({name: -own for name, own in values.items()}, False), "esa", STATISTICS["accuracy"])
    plain = ceiling(_corpus(values), "esa", STATISTICS["accuracy"])
    assert [one.value for one in negated.raters] == [one.value for one in plain.raters]


def test_a_rater_without_company_has_no_value_and_the_reason() -> None:
    values = {name: np.full((4, 6), np.nan) for name in ("Ann", "Bo", "alone")}
    random = np.random.default_rng(2)
    values["Ann"][:, :3], values["Bo"][:, :3] = random.normal(size=(2, 4, 3))
    values["alone"][:, 3:] = random.normal(size=(4, 3))
    found = {one.rater: one for one in ceiling(_corpus(values), "esa", STATISTICS["pearson"]).raters}
    assert np.isfinite(found["Ann"].value)
    assert np.isnan(found["alone"].value)
    assert found["alone"].reason
    with pytest.raises(NotApplicable, match="there is just one"):
        ceiling(_corpus({"Ann": np.ones((2, 3))}), "esa", STATISTICS["pearson"])
