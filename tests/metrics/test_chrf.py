"""chrF of one total does not depend on those beside it."""

import numpy as np
import pytest

from mtsig.metrics import Chrf


@pytest.mark.parametrize("word_order", [0, 2])
def test_a_score_does_not_depend_on_those_beside_it(word_order: int) -> None:
    rng, metric = np.random.default_rng(2), Chrf(word_order=word_order)
    totals = rng.integers(1, 500, (3 * (6 + word_order), 300)).astype(float)
    without = np.where(rng.random(totals.shape) < 0.2, 0.0, totals)
    without[:, 0] = totals[:, 0]  # one among them that lacks nothing
    whole = metric.score(np.concatenate([totals, without], axis=1))
    assert np.array_equal(whole[:300], metric.score(totals))
    assert whole.tolist() == [float(metric.score(column)) for column in np.concatenate([totals, without], axis=1).T]
