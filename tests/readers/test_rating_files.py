"""Scores of whole systems (*.sys.score) are read for what compares systems alone, and refused where a test is asked."""

from pathlib import Path

import numpy as np
import pytest
from forms import mt_metrics_eval
from kept import SHARED, Kept, lacking, worded

from mtsig import Corpus, measure, read
from mtsig.corpus import SystemScores
from mtsig.errors import NotApplicable

WMT21 = SHARED / "data" / "mtme" / "wmt21.news"


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


def test_they_are_read_beside_the_texts(folder: Path, kept: Kept) -> None:
    corpus = read(folder)
    assert corpus.system_scores["mqm"].scores == {"alpha": -1.5, "beta.v2": -2.0}
    assert corpus.system_scores["COMET-ref"] == SystemScores(
        {"alpha": 0.5, "beta.v2": 0.25}, True, corpus.system_scores["COMET-ref"].direction_source
    )
    assert set(corpus.system_scores) == {"da", "mqm", "COMET-ref"}
    notes = "\n".join(note.text for note in corpus.notes)
    assert not lacking(notes, "mystery.sys.score: ", "chrF.sys.score, line 2", "of alpha")
    kept("readers", notes)


def test_no_test_takes_them(folder: Path) -> None:
    with pytest.raises(NotApplicable, match=r"^mqm has .*one score per segment"):
        measure(read(folder), "rating:mqm")
    assert not read(folder).ratings


def test_they_are_not_those_of_a_part_of_the_segments(folder: Path) -> None:
    corpus = read(folder)
    assert not corpus.take([0, 1]).system_scores
    assert corpus.select(["alpha"]).system_scores == corpus.system_scores


@pytest.mark.skipif(not WMT21.is_dir(), reason="needs the shared data (MTSIG_SHARED)")
def test_those_of_people_are_the_means_of_their_segments() -> None:
    corpus: Corpus = read(WMT21)
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


OFFICIAL = "\t".join(["pair", "system", "id", "is_constrained", "metric", "score"])
OFFICIAL += """
es-en\talpha\t12\tTrue\tbleu-A\t30.5
es-en\talpha\t12\tTrue\tchrf-A\t55
es-en\tbeta.v2\t13\tFalse\tbleu-A\t31
es-en\tbeta.v2\t13\tFalse\tchrf-A\tNone
"""


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    for name in ("systems/alpha.txt", "systems/beta.v2.txt", "refs/refA.txt", "metrics/a.sys.tsv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("a cat\na dog\n" if name.endswith("txt") else "alpha\t1\nbeta.v2\t2\n")
    (tmp_path / "metrics" / "a.sys.tsv").unlink()
    return tmp_path


def test_a_table_with_a_column_of_metrics_holds_one_rating_for_each(texts: Path) -> None:
    (texts / "metrics" / "official.sys.tsv").write_text(OFFICIAL)
    corpus = read(texts)
    found = {name: dict(one.scores) for name, one in corpus.system_scores.items()}
    assert found == {"bleu-A": {"alpha": 30.5, "beta.v2": 31.0}, "chrf-A": {"alpha": 55.0}}
    assert not any("official" in note.text for note in corpus.notes)


def test_a_table_with_a_column_for_every_metric_holds_them_all(texts: Path) -> None:
    (texts / "metrics" / "ours.sys.csv").write_text("system,COMET,ter\nalpha,0.5,40\nbeta.v2,0.25,30\n")
    (texts / "metrics" / "esa.sys.tsv").write_text("system\tscore\nalpha\t80\nbeta.v2\t75\n")
    found = read(texts).system_scores
    assert {name: (dict(one.scores), one.higher_is_better) for name, one in found.items()} == {
        "COMET": ({"alpha": 0.5, "beta.v2": 0.25}, True),
        "ter": ({"alpha": 40.0, "beta.v2": 30.0}, False),
        "esa": ({"alpha": 80.0, "beta.v2": 75.0}, True),
    }


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (OFFICIAL + "de-en\tgamma\t1\tTrue\tbleu-A\t3\n", "(es-en and de-en)"),
        (OFFICIAL + "es-en\talpha\t12\tTrue\tbleu-A\t3\n", "line 6: this is a second score of alpha"),
        (
            OFFICIAL + "es-en\tgamma\t12\tTrue\tbleu-A\thigh\n",
            "line 6: the column 'score' is 'high'; expected",
        ),
        (OFFICIAL + "es-en\tgamma\n", "line 6: found 2 columns, but the header on line 1 has 6"),
        ("system\tmetric\talpha\nA\tbleu\tgood\n", "has the columns system, metric, alpha; expected a system"),
    ],
)
def test_a_broken_table_is_left_alone_and_says_why(texts: Path, content: str, said: str) -> None:
    (texts / "metrics" / "official.sys.tsv").write_text(content)
    corpus = read(texts)
    assert not corpus.system_scores
    (note,) = [note.text for note in corpus.notes if "official" in note.text and "Ignored:" not in note.text]
    assert said in note
    worded(note)


def test_official_scores_are_those_of_the_texts(shared: Path) -> None:
    """The organisers' BLEU and chrF, computed by them with sacreBLEU, against ours of the same texts."""
    corpus = read(shared / "data/wmt21-ru-en")
    of_metric = {name: one.scores for name, one in corpus.system_scores.items() if "COMET" not in name}
    assert set(of_metric) == {"bleu-all", "bleu-A", "bleu-B", "chrf-all", "chrf-A", "chrf-B"}
    for metric, name in (("bleu", "A"), ("chrf", "B")):
        given = dict(list(of_metric[f"{metric}-{name}"].items())[:3])
        statistics = measure(corpus.select(list(given), [f"ref{name}"]), metric)
        assert dict(zip(statistics.systems, statistics.scores, strict=True)) == pytest.approx(given, abs=1e-9)


@pytest.mark.parametrize(("separator", "name"), [(";", "semicolons"), ("|", "vertical bars")])
@pytest.mark.parametrize("form", [".csv", ".tsv"])
def test_a_table_among_ratings_with_other_separators_is_called_that(
    separator: str, name: str, form: str, tmp_path: Path
) -> None:
    texts = {"refs/ref.txt": "one\ntwo\n", "systems/alpha.txt": "one\ntwo\n"}
    rows = [("segment", "alpha"), ("1", "0.5"), ("2", "0.7")]
    for place, text in {**texts, f"metrics/COMET{form}": "".join(f"{separator.join(row)}\n" for row in rows)}.items():
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text(text)
    worded(read(tmp_path).notes, name)
