"""What is made a part at a time is what it was in one piece: digests, scripts, draws and their sums."""

import hashlib
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig import Corpus
from mtsig.meta_eval._statistic import _rows
from mtsig.metrics import Chrf
from mtsig.metrics._sums import WeightedSums
from mtsig.resampling import BLOCK, Bootstrap, Scheme, Subsample, Swap
from mtsig.text import writing_of

LINES = st.lists(st.text(max_size=6), min_size=1, max_size=9)


@given(LINES)
@settings(deadline=None, max_examples=50)
def test_a_digest_is_that_of_the_whole_as_json(lines: list[str]) -> None:
    documents = [f"d{len(line)}" for line in lines]
    corpus = Corpus.of({"x": lines, "é": lines}, {"r": [*lines[1:], ""]}, documents=documents)
    content = {
        "outputs": {"x": lines, "é": lines}, "systems": {"x": ["x"], "é": ["é"]}, "references": {"r": [*lines[1:], ""]},
        "documents": documents, "domains": None, "sources": None, "ratings": {},
    }  # fmt: skip
    written = json.dumps(content, separators=(",", ":")).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mtsig.corpus._corpus._ENCODED", 2)
        assert corpus.digest == f"sha256:{hashlib.sha256(written).hexdigest()}"


@given(st.lists(st.text("ab 漢字かなกขไทย가나\n", max_size=8), max_size=10))
@settings(deadline=None, max_examples=100)
def test_a_script_is_told_from_parts_as_from_the_whole(lines: list[str]) -> None:
    whole = writing_of(lines)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mtsig.text._characters.MOST_LINES", 1)
        assert writing_of(lines) == whole


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


@pytest.mark.parametrize("word_order", [0, 2])
def test_a_score_does_not_depend_on_those_beside_it(word_order: int) -> None:
    rng, metric = np.random.default_rng(2), Chrf(word_order=word_order)
    totals = rng.integers(1, 500, (3 * (6 + word_order), 300)).astype(float)
    without = np.where(rng.random(totals.shape) < 0.2, 0.0, totals)
    without[:, 0] = totals[:, 0]  # one among them that lacks nothing
    whole = metric.score(np.concatenate([totals, without], axis=1))
    assert np.array_equal(whole[:300], metric.score(totals))
    assert whole.tolist() == [float(metric.score(column)) for column in np.concatenate([totals, without], axis=1).T]
