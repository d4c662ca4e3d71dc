"""Real ratings are read as they come; the same scores in two formats are the same scores."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from kept import lacking

from mtsig import Corpus, measure, read
from mtsig.corpus import inspect
from mtsig.errors import ReadError
from mtsig.readers import File, assemble
from mtsig.readers._assemble import with_ratings
from mtsig.readers._rating_files import named_ratings
from mtsig.readers._read import parts_of


def with_files(shared: Path, folder: str, name: str, files: Sequence[Path], column: str | None = None) -> Corpus:
    """Return the corpus of a folder with a rating called `name` from these files."""
    picked = "" if column is None else f"{column}="
    parts = [part for file in files for part in named_ratings([f"{picked}{file}:higher"])]
    judged = [replace(part, name="@".join([name, *part.name.partition("@")[2:]]).rstrip("@")) for part in parts]
    return with_ratings(read(shared / "data" / folder), judged)


def check_equal(corpus: Corpus, name: str, other: str, count: int) -> None:
    """Assert that two ratings agree wherever both have a score, which is `count` times."""
    one, two = corpus.ratings[name].values, corpus.ratings[other].values
    both = ~np.isnan(one) & ~np.isnan(two)
    assert both.sum() == count
    np.testing.assert_allclose(one[both], two[both], atol=1e-9)


def test_scores_of_annotations_are_those_derived_from_them(shared: Path) -> None:
    file = shared / "data" / "wmt21-ted-zh-en" / "human" / "raw" / "mqm_ted_zhen.6systems.tsv"
    corpus = with_files(shared, "wmt21-ted-zh-en", "raw", [file])
    # Six systems are in the file; the reference is called ref there and refA in the table: five times 529 segments.
    check_equal(corpus, "mqm", "raw", 5 * 529)


def test_wmts_assessments_find_their_segments(shared: Path) -> None:
    file = shared / "data" / "wmt21-ru-en" / "human" / "raw" / "ad-seg-scores-ru-en.head500.csv"
    corpus = with_files(shared, "wmt21-ru-en", "raw", [file], "raw")
    check_equal(corpus, "da-raw", "raw", 499)
    assert any(not lacking(note.text, "raw: Online-B.4", "Online-B.") for note in corpus.notes)


def test_the_metrics_task_counts_segments_within_documents(shared: Path) -> None:
    sample = shared / "data" / "wmt20-en-de-scores" / "metrics" / "raw-sample"
    corpus = with_files(shared, "wmt20-en-de-scores", "raw", [sample / "Yisi-combi.seg.score"])
    check_equal(corpus, "Yisi-combi-newstest2020", "raw", 300)


def test_wmt25s_files_of_systems_make_one_rating(shared: Path) -> None:
    files = sorted((shared / "data" / "wmt25-ja-zh" / "metrics" / "raw").glob("*.jsonl"))
    corpus = with_files(shared, "wmt25-ja-zh", "raw", files, "MetricX-24-Hybrid-XL")
    check_equal(corpus, "MetricX-24-Hybrid-XL", "raw", 6 * 334)


def test_mt_metrics_evals_folder_holds_the_same_as_ours(shared: Path) -> None:
    theirs, ours = read(shared / "data" / "mtme" / "wmt21.news"), read(shared / "data" / "wmt21-ru-en")
    assert theirs.documents == ours.documents
    assert theirs.segments.sources == ours.segments.sources
    assert theirs.references == ours.references
    assert list(theirs.ratings) == ["wmt-raw", "wmt-z", "BLEU-refA", "chrF-refA"]
    for name, other in (("wmt-raw", "da-raw"), ("wmt-z", "da-z")):
        for system in ours.outputs:
            assert theirs.lines(system) == ours.lines(system)
            rows = [one.ratings[which].values[list(one.systems).index(system)]
                    for one, which in ((theirs, name), (ours, other))]  # fmt: skip
            np.testing.assert_array_equal(*rows)
    pair = read(shared / "data" / "mtme" / "wmt21.news" / "system-outputs" / "ru-en")
    assert pair.digest == theirs.digest


def test_several_language_pairs_are_not_guessed_between() -> None:
    labels = ["x/system-outputs/en-de/a.txt", "x/system-outputs/de-en/a.txt", "x/references/en-de.refA.txt"]
    with pytest.raises(ReadError, match=r"2 language pairs: en-de, de-en. Choose one .*--lp en-de"):
        assemble(parts_of([File(label, b"a\n") for label in labels]))


@pytest.mark.parametrize(
    ("folder", "systems", "texts", "segments", "documents", "ratings"),
    [
        ("wmt20-en-de-scores", 17, 0, 1418, 130, {"mqm": 10, "TER-newstest2020": 16, "bleurt-combi-newstestM2020": 17}),
        ("wmt25-ja-zh", 41, 2, 334, 106, {"XCOMET-XL": 41, "MetricX-24-Hybrid-XL": 41, "GEMBA-ESA-GPT4.1": 41}),
    ],
)
def test_scores_of_systems_without_text(
    shared: Path, folder: str, systems: int, texts: int, segments: int, documents: int, ratings: dict[str, int]
) -> None:
    corpus = read(shared / "data" / folder)
    assert (len(corpus.systems), len(corpus), corpus.n_documents) == (systems, segments, documents)
    assert len(corpus.outputs) == texts
    for name, rated in ratings.items():
        statistics = measure(corpus, f"rating:{name}")
        assert len(statistics.systems) == rated
        assert statistics.n_documents == documents
        assert corpus.ratings[name].higher_is_better
        assert f"rating:{name}|better:higher|segments:rated|n:{segments}|" in statistics.signature
    assert not [note for note in inspect(corpus) if note.level == "warning"]


def test_ratings_of_segments_that_nobody_else_has_stay_out_of_the_count(shared: Path) -> None:
    corpus = read(shared / "data" / "wmt21-en-de")
    statistics = measure(corpus, "mqm")
    assert (statistics.n, statistics.available) == (527, None)
    assert statistics.numbers is not None
    assert len(statistics.systems) == 17
    assert len(measure(corpus.take(range(40)), "bleu").systems) == 20
