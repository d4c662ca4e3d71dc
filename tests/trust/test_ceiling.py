"""One judge against the others, by the statistic of the metrics."""

import numpy as np
import pytest

from mtsig.corpus import Corpus, Rating
from mtsig.corpus._ratings import Judgements
from mtsig.errors import NotApplicable
from mtsig.trust import STATISTICS
from mtsig.trust.ceilings import ceiling, means


def _corpus(values: dict[str, np.ndarray], higher: bool = True) -> Corpus:
    judgements = Judgements.of(values)
    shape = next(iter(values.values())).shape
    rating = Rating(means(judgements, shape), higher, judgements=judgements)
    return Corpus.of({f"s{number}": None for number in range(shape[0])}, ratings={"esa": rating})


def test_a_judge_is_a_metric_of_the_mean_of_the_others() -> None:
    random = np.random.default_rng(1)
    values = {name: np.arange(6.0)[:, None] + 4 * random.normal(size=(6, 3)) for name in ("Ann", "Bo", "Cem")}
    found = ceiling(_corpus(values), "esa", STATISTICS["pearson"])
    for one in found.judges:
        others = np.mean([own for name, own in values.items() if name != one.judge], axis=0)
        expected = np.corrcoef(values[one.judge].mean(axis=1), others.mean(axis=1))[0, 1]
        assert one.value == pytest.approx(expected)
        assert one.outputs == 18
    assert found.value == pytest.approx(np.mean([one.value for one in found.judges]))
    negated = ceiling(_corpus({name: -own for name, own in values.items()}, False), "esa", STATISTICS["accuracy"])
    plain = ceiling(_corpus(values), "esa", STATISTICS["accuracy"])
    assert [one.value for one in negated.judges] == [one.value for one in plain.judges]


def test_a_judge_without_company_has_no_value_and_the_reason() -> None:
    values = {name: np.full((4, 6), np.nan) for name in ("Ann", "Bo", "alone")}
    random = np.random.default_rng(2)
    values["Ann"][:, :3], values["Bo"][:, :3] = random.normal(size=(2, 4, 3))
    values["alone"][:, 3:] = random.normal(size=(4, 3))
    found = {one.judge: one for one in ceiling(_corpus(values), "esa", STATISTICS["pearson"]).judges}
    assert np.isfinite(found["Ann"].value)
    assert np.isnan(found["alone"].value)
    assert found["alone"].reason
    with pytest.raises(NotApplicable, match="only one is known"):
        ceiling(_corpus({"Ann": np.ones((2, 3))}), "esa", STATISTICS["pearson"])
