"""The real test sets of the field load as they are."""

from pathlib import Path

import pytest
from sampled import sampled

from mtsig import Corpus, read, read_sample
from mtsig.readers import File, assemble
from mtsig.readers._read import parts_of

SETS = [
    # folder, systems with text, segments, documents, references, what is left alone
    ("wmt22-en-zh", 13, 2037, 181, ["refA", "refB"], ["LICENSE-note", "README.md"]),
    ("wmt21-en-de", 20, 1002, None, ["refA", "refB", "refC", "refD"], ["docids.inferred.txt"]),
    ("wmt21-ru-en", 10, 1000, 107, ["refA", "refB"], ["human/raw/", "LICENSE-note"]),
    ("wmt21-ted-zh-en", 13, 529, 5, ["refA", "refB"], ["segids.txt", "human/raw/"]),
]


def left_alone(corpus: Corpus) -> str:
    return "\n".join(note.text for note in corpus.notes if "Ignored" in note.text)


@pytest.mark.parametrize(("folder", "systems", "segments", "documents", "references", "left"), SETS)
def test_a_real_set_loads_as_it_is(
    shared: Path,
    folder: str,
    systems: int,
    segments: int,
    documents: int | None,
    references: list[str],
    left: list[str],
) -> None:
    corpus = read(shared / "data" / folder)
    assert len(corpus.outputs) == systems
    assert len(corpus) == segments
    assert corpus.n_documents == documents
    assert list(corpus.references) == references
    assert corpus.segments.sources is not None
    for name in left:
        assert name in left_alone(corpus)
    # The organisers' scores of whole systems are read.
    assert "metrics/" not in left_alone(corpus)


def test_domains_of_a_real_set_are_read(shared: Path) -> None:
    assert read(shared / "data" / "wmt22-en-zh").segments.domains is not None


# Those of several layouts first, then others that lie as the first does.
UPLOADED = [
    *("wmt21-ted-zh-en", "wmt20-en-de-scores", "wmt25-ja-zh", "mtme/wmt21.news"),
    *(name for name, *_ in SETS[:3]),
]


@sampled("folder", UPLOADED, most=2)
def test_uploading_a_real_set_gives_the_same_corpus(shared: Path, folder: str) -> None:
    root = shared / "data" / folder
    files = sorted(file for file in root.rglob("*") if file.is_file())
    parts = parts_of([File(f"{folder}/{file.relative_to(root).as_posix()}", file) for file in files])
    assert assemble(parts).digest == read(root).digest


@pytest.mark.parametrize("folder", ["systems", "human", "ratings"])
def test_dropped_files_of_deeper_folders_are_left_alone_as_in_a_read_folder(folder: str, tmp_path: Path) -> None:
    texts = {"ref.txt": "a b\nc d\n", "systems/one.txt": "a b\nc e\n", "systems/two.txt": "a x\nc d\n"}
    texts[f"{folder}/raw/more.csv"] = "SYS SID RAW\nno table of this kind\n"
    for name, text in texts.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    dropped = assemble(parts_of([File(f"set/{name}", tmp_path / name) for name in texts]))
    assert dropped.digest == read(tmp_path).digest
    assert any("more.csv" in note.text for note in dropped.notes)


def test_the_sample_loads_with_its_documents() -> None:
    corpus = read_sample()
    assert len(corpus.systems) == 5
    assert len(corpus) == 200
    assert corpus.n_documents == 20
    assert corpus.segments.sources is not None
    assert corpus.references
