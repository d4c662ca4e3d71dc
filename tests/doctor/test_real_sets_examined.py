"""What the doctor says of real test sets: nothing above a note of clean ones, and the faults that some really have."""

import csv
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from kept import lacking
from sampled import sampled

from mtsig import Corpus, Rating, check_data, read
from mtsig.doctor import Checkup

# One set of each script and of each form of files in short; the others behind `slow`.
SEVERAL = [
    *(f"wmt22-several/en-{code}" for code in ("ja", "uk")),
    *(pytest.param(f"wmt22-several/en-{code}", marks=pytest.mark.slow) for code in ("cs", "de", "hr", "ru", "zh")),
]
CLEAN = [
    # The same texts in three forms: that they are read alike tests/readers shows.
    *(pytest.param(name, marks=pytest.mark.slow) for name in ("wmt21-ru-en", "wmt-xml")),
    "mtme",
    "multeval-example",
    "wmt25-ja-zh",
    "sgm/wmt21-ted-zh-en",
    *SEVERAL,
]


@cache  # every check of a whole set takes seconds
def examined(place: Path, first: int | None = None) -> Checkup:
    corpus = read(place)
    return check_data(corpus if first is None else corpus.take(range(min(first, len(corpus)))))


IN_SHORT = pytest.mark.parametrize("first", [600, pytest.param(None, marks=pytest.mark.slow)])


@IN_SHORT
@sampled("folder", CLEAN, most=2)
def test_nothing_above_a_note_is_said_of_a_clean_set(shared: Path, folder: str, first: int | None) -> None:
    assert [one.note.text for one in examined(shared / "data" / folder, first).warnings] == []


def test_nothing_above_a_note_is_said_of_compare_mts_example(shared: Path) -> None:
    place = shared / "data" / "compare-mt"
    texts = {name: (place / f"ted.{name}.detok.eng").read_text(encoding="utf-8") for name in ("ref", "sys1", "sys2")}
    lines = {name: text.split("\n")[:-1] for name, text in texts.items()}
    assert check_data(Corpus.of({name: lines[name] for name in ("sys1", "sys2")}, {"ref": lines["ref"]})).warnings == ()


@IN_SHORT
@pytest.mark.parametrize("folder", SEVERAL)
def test_what_is_noted_of_several_systems_is_one_finding(shared: Path, folder: str, first: int | None) -> None:
    # Lines out of place are told for each text, as each has its own distance from where they belong.
    found = [one for one in examined(shared / "data" / folder, first) if one.check != "shifts"]
    assert len({one.check for one in found}) == len(found)


@pytest.mark.parametrize(
    ("folder", "system", "shared_lines"),
    [pytest.param("wmt21-en-de", "VolcTrans-GLAT", 365, marks=pytest.mark.slow), ("wmt22-en-zh", "Online-B", 368)],
)
@pytest.mark.slow
def test_only_the_kinship_is_warned_of_where_a_reference_has_kin(
    shared: Path, folder: str, system: str, shared_lines: int
) -> None:
    (found,) = examined(shared / "data" / folder).warnings
    assert found.check == "kinship"
    assert not lacking(found.where, repr(system), repr("refB"))
    assert f"has {shared_lines} of the" in found.found


def test_lines_that_slipped_in_a_published_output_are_found(shared: Path) -> None:
    # In WMT21's TED annotations lines 181 and 182 of metricsystem5 are one text, and its lines 182 to 199 belong one
    # line up: seen by reading them beside the references.
    (found,) = examined(shared / "data" / "wmt21-ted-zh-en").warnings
    assert found.check == "shifts"
    assert not lacking(found.where, repr("metricsystem5"), "182–199")
    assert "1 line earlier" in found.found


def test_source_text_left_in_a_published_reference_is_found(shared: Path) -> None:
    # Fifteen lines of WMT23's ru-en reference are Russian.
    checkup = examined(shared / "data" / "pitfalls")
    assert checkup.warnings == ()
    found = [one for one in checkup if one.check == "script"]
    assert [(one.where, one.level) for one in found] == [("reference 'refA'", "note")]
    assert not lacking(found[0].found, "15 of 1,723", "745–759")


def rated(corpus: Corpus, file: Path, score: str, number: str, higher_is_better: bool = True) -> Corpus:
    """Return the corpus with a long table of ratings, joined by line in the column `number`."""
    values = np.full((len(corpus.systems), len(corpus)), np.nan)
    rows = {name: row for row, name in enumerate(corpus.systems)}
    with file.open(encoding="utf-8") as lines:
        for one in csv.DictReader(lines, delimiter="\t"):
            if one["system"] in rows and one[score] not in {"", "None"}:
                values[rows[one["system"]], int(one[number]) - 1] = float(one[score])
    return replace(corpus, ratings={score: Rating(values, higher_is_better)})


@pytest.mark.parametrize("score", ["raw", "z"])
def test_the_trap_of_wmts_direct_assessments_is_found(shared: Path, score: str) -> None:
    place = shared / "data" / "wmt21-ru-en"
    corpus, file = read(place), place / "human" / "da.seg.tsv"
    (found,) = check_data(rated(corpus, file, score, "orig_sid"), ["rating order", "rating sign"])
    assert not lacking(found.found, "documents sorted")
    assert len(check_data(rated(corpus, file, score, "seg_id"), ["rating order", "rating sign"])) == 0


@pytest.mark.parametrize("folder", [pytest.param("wmt21-en-de", marks=pytest.mark.slow), "wmt21-ted-zh-en"])
def test_mqm_scores_called_errors_are_found_to_have_their_sign_turned(shared: Path, folder: str) -> None:
    place = shared / "data" / folder
    corpus, file = read(place), place / "human" / "mqm.seg.tsv"
    checks = ["rating order", "rating sign"]
    (found,) = check_data(rated(corpus, file, "mqm", "seg_id", higher_is_better=False), checks)
    assert found.check == "rating sign"
    assert len(check_data(rated(corpus, file, "mqm", "seg_id"), checks)) == 0
