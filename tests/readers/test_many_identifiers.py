"""Files of very many raters, systems, categories, documents, segments or lines take bounded time, or are refused."""

import gzip
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from kept import lacking
from limited import mtsig
from sampled import crossed, sampled

from mtsig import MtsigError, read
from mtsig._limits import Limits, within
from mtsig.corpus._ratings import RaterScores

MANY = pytest.mark.parametrize(("many", "seconds"), [(10_000, 5), pytest.param(80_000, 35, marks=pytest.mark.slow)])
"""Rows, and what they may take: what grows with their square takes longer, or more memory than there is."""


def mqm(varies: str, rows: int) -> str:
    """A table of MQM with a row per error, in which these columns have another entry in every row."""
    columns = {
        "system": "s{parity}", "doc": "d", "doc_id": "{place}", "seg_id": "{place}", "rater": "r", "source": "x",
        "target": "y", "category": "Style", "severity": "Minor",
    }  # fmt: skip
    columns |= {
        "raters": {"rater": "r{row}"},
        "raters and segments": {"rater": "r{row}", "doc_id": "{pair}", "seg_id": "{pair}"},
        "systems": {"system": "s{row}"},
        "systems and segments": {"system": "s{row}", "doc_id": "{pair}", "seg_id": "{pair}"},
        "categories": {"category": "c{row}"},
        "documents": {"doc": "d{row}", "doc_id": "1", "seg_id": "{pair}"},
        "segments": {"doc_id": "{pair}", "seg_id": "{pair}"},
    }[varies]
    line = "\t".join(columns.values()) + "\n"
    return (
        "\t".join(columns)
        + "\n"
        + "".join(
            line.format(row=row, parity=row % 2, place=row % 100 // 2 + 1, pair=row // 2 + 1) for row in range(rows)
        )
    )


@sampled(
    "varies",
    ["raters", "raters and segments", "systems", "systems and segments", "categories", "documents", "segments"],
    most=3,
)
@MANY
def test_one_file_of_very_many_of_anything_is_read_or_refused(
    varies: str, many: int, seconds: int, tmp_path: Path
) -> None:
    path = tmp_path / "mqm.tsv"
    path.write_text(mqm(varies, many), encoding="utf-8")
    done = mtsig("read", "--data", path, seconds=seconds)
    assert done.returncode == (2 if "systems" in varies else 0), done.stderr[-500:]
    if "systems" in varies:
        assert not lacking(done.stderr, f"{many:,} systems", "1,000")
    if "raters" in varies:
        assert f"mqm, {many:,} raters" in done.stdout
        assert len(done.stdout) < 5_000


def test_many_raters_of_texts_that_are_here_are_joined_to_them_once(tmp_path: Path) -> None:
    texts = [f"{'abcdefgh'[i % 8]}{'stuv'[i // 8 % 4]} stands at place {'lmnop'[i % 5]}{i:b}" for i in range(300)]
    for name in ("ref", "s0", "s1"):
        (tmp_path / f"{name}.txt").write_text("".join(f"{text} by {name}\n" for text in texts), encoding="utf-8")
    head = mqm("raters", 0)
    rows = (
        f"s{k % 2}\td\t{i + 1}\t{i + 1}\tr{k}\tx\t{texts[i]} by s{k % 2}\tStyle\tMinor\n"
        for k, i in ((k, k // 2 % 300) for k in range(10_000))
    )
    (tmp_path / "mqm.tsv").write_text(head + "".join(rows), encoding="utf-8")
    done = mtsig("score", "--metric", "rating:mqm", "--data", tmp_path, seconds=9)
    assert done.returncode == 0, done.stderr[-500:]
    assert "mqm" in done.stdout


def test_scores_of_few_segments_by_many_systems_are_no_table_of_all(tmp_path: Path) -> None:
    rows = "".join(f"s{row % 900}\t{row + 1}\t1\n" for row in range(2_000))
    path = tmp_path / "da.tsv"
    path.write_text("system\tsegment\tscore\n" + rows, encoding="utf-8")
    with within(Limits(max_cells=10_000)), pytest.raises(MtsigError, match="1,800,000 cells of systems times segments"):
        read(path)
    assert len(read(path).ratings["da"].values) == 900


def test_many_raters_have_the_mean_and_the_ratings_of_each(tmp_path: Path) -> None:
    path = tmp_path / "mqm.tsv"
    path.write_text(
        mqm("raters", 400) + mqm("raters", 200).partition("\n")[2].replace("Minor", "Major"), encoding="utf-8"
    )
    rating = read(path).ratings["mqm"]
    assert np.allclose(rating.values, -(400 + 200 * 5) / 400)
    assert isinstance(rating.rater_scores, RaterScores)
    assert sorted(set(rating.rater_scores.value.tolist())) == [-6.0, -1.0]
    assert len(rating.rater_scores) == 400


@crossed("packed, verb, line", ["gzip", "zip"], ["read", "check", "score", "compare"], [b"\n", b"a\n"])
def test_lines_packed_into_nothing_are_refused(packed: str, verb: str, line: bytes, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    content = line * 1_000_000
    names = ("ref.txt", "a.txt", "b.txt")
    if packed == "zip":
        data = data / "data.zip"
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in names:
                archive.writestr(name, content)
    else:
        for name in names:
            (data / f"{name}.gz").write_bytes(gzip.compress(content))
    done = mtsig(verb, "--data", data, seconds=8)
    assert done.returncode == 2, done.stderr[-500:]
    assert not lacking(done.stderr, "200 times")


@pytest.mark.parametrize("many", [200_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_a_million_tags_inside_segments_are_one_short_note(many: int, tmp_path: Path) -> None:
    path = tmp_path / "wmt.xml"
    tags = "".join(f"<t{number}/>" for number in range(many))
    path.write_text(
        f"<dataset><doc id='d'><src lang='de'><p><seg id='1'>x</seg></p></src><hyp system='s' language='en'><p>"
        f"<seg id='1'>a{tags}<{'n' * 100_000}/></seg></p></hyp></doc></dataset>",
        encoding="utf-8",
    )
    done = mtsig("read", "--data", path, seconds=15)
    assert done.returncode == 0, done.stderr[-500:]
    assert not lacking(done.stdout + done.stderr, f"{many - 9:,} more")
    assert len(done.stdout + done.stderr) < 5_000


@pytest.mark.parametrize("suffix", [".jsonl", ".json"])
def test_names_of_fields_are_counted_before_they_are_looked_at(suffix: str, tmp_path: Path) -> None:
    one = {f"k{i}": i for i in range(400_000)}
    (tmp_path / f"a{suffix}").write_text(json.dumps([one] if suffix == ".json" else one), encoding="utf-8")
    done = mtsig("read", "--data", tmp_path, seconds=6)
    assert done.returncode == 2
    assert not lacking(done.stderr, f"a{suffix}, line 1", "400,000 names", "10,000", "--max-columns")
