"""Scores of whole systems (*.sys.score) are read for what compares systems alone, and refused where a test is asked."""

import os
from pathlib import Path

import numpy as np
import pytest
from forms import mt_metrics_eval

from mtsig import Corpus, measure, read
from mtsig.corpus import SystemScores
from mtsig.errors import NotApplicable

SHARED = Path(os.environ.get("MTSIG_SHARED", "/nowhere")) / "data" / "mtme" / "wmt21.news"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    more = {
        "human-scores/es-en.mqm.sys.score": b"alpha\t-1.5\nbeta.v2\t-2\nelsewhere\tNone\n",
        "metric-scores/es-en/COMET-ref.sys.score": b"alpha\t0.5\nbeta.v2\t0.25\n",
        "metric-scores/es-en/mystery.sys.score": b"alpha\t3\nbeta.v2\t4\n",
        "metric-scores/es-en/chrF.sys.score": b"alpha\t3\nalpha\t4\n",
        "metric-scores/de-en/BLEU.sys.score": b"gamma\t3\n",
    }
    for name, content in {**mt_metrics_eval(), **more}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return tmp_path


def test_they_are_read_beside_the_texts(folder: Path) -> None:
    corpus = read(folder)
    assert corpus.system_scores["mqm"].scores == {"alpha": -1.5, "beta.v2": -2.0}
    assert corpus.system_scores["COMET-ref"] == SystemScores(
        {"alpha": 0.5, "beta.v2": 0.25}, True, corpus.system_scores["COMET-ref"].known_by
    )
    assert set(corpus.system_scores) == {"da", "mqm", "COMET-ref"}
    notes = "\n".join(note.text for note in corpus.notes)
    assert "mystery.sys.score: whether a higher or a lower value is better is not known; it was left alone" in notes
    assert "chrF.sys.score, line 2: a second score of alpha. It was left alone." in notes


def test_no_test_takes_them(folder: Path) -> None:
    with pytest.raises(NotApplicable, match=r"Of mqm there are scores of whole systems only.*one score per segment"):
        measure(read(folder), "rating:mqm")
    assert not read(folder).ratings


def test_they_are_not_those_of_a_part_of_the_segments(folder: Path) -> None:
    corpus = read(folder)
    assert not corpus.take([0, 1]).system_scores
    assert corpus.select(["alpha"]).system_scores == corpus.system_scores


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the shared data (MTSIG_SHARED)")
def test_those_of_people_are_the_means_of_their_segments() -> None:
    corpus: Corpus = read(SHARED)
    assert set(corpus.system_scores) == {"wmt-raw", "wmt-z", "BLEU-refA", "chrF-refA"}
    for name in ("wmt-raw", "wmt-z"):
        values = corpus.ratings[name].values
        means = {
            one: row[~np.isnan(row)].mean()
            for one, row in zip(corpus.systems, values, strict=True)
            if not np.isnan(row).all()
        }
        scores = corpus.system_scores[name].scores
        assert len(set(means) & set(scores)) >= 10
        for system in set(means) & set(scores):
            assert means[system] == pytest.approx(scores[system], abs=1e-6)
