"""Sums of parts of the units are exact, whatever the parts."""

import numpy as np
import pytest

from mtsig.metrics._sums import WeightedSums


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("most", [1, 3, 50])
def test_sums_of_parts_are_exact(kind: type, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    values = rng.integers(0, 2**23, (3, 2, 50)).astype(kind)
    weights = rng.integers(0, 4, (7, 50)).astype(np.float32)
    exact = [[[sum(int(v) * int(w) for v, w in zip(row, draw, strict=True)) for draw in weights] for row in pair]
             for pair in values]  # fmt: skip
    monkeypatch.setattr("mtsig.metrics._sums.UNITS_ADDED", most)
    assert WeightedSums(values)(weights).tolist() == exact
