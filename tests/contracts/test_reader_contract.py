"""What every reader promises: the same test set in another form gives the same corpus."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mtsig import READERS, Corpus, UnknownName, read

SOURCE = ["uno dos", "tres", "cuatro cinco"]
REFERENCE = ["one two", "three", "four five"]
SYSTEMS = {"alpha": ["one too", "three", "for five"], "beta.v2": ["one two", "tree", "four fife"]}
DOCUMENTS = ["d1", "d1", "d2"]


def as_folder(place: Path) -> Path:
    folder = place / "set"
    folder.mkdir()
    columns = {"source": SOURCE, "ref": REFERENCE, "docids": DOCUMENTS, **SYSTEMS}
    for name, lines in columns.items():
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder


def as_table(place: Path) -> Path:
    columns = {"source": SOURCE, "ref": REFERENCE, "docid": DOCUMENTS, **SYSTEMS}
    rows = ["\t".join(columns), *("\t".join(cells) for cells in zip(*columns.values(), strict=True))]
    file = place / "set.tsv"
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return file


EXAMPLES: dict[str, Callable[[Path], Path]] = {"folder": as_folder, "table": as_table}


@pytest.fixture(params=list(READERS))
def name(request: pytest.FixtureRequest) -> str:
    # A new reader needs one function above that writes the example in its form.
    assert request.param in EXAMPLES
    return str(request.param)


def test_the_example_is_read(name: str, tmp_path: Path) -> None:
    corpus = read(EXAMPLES[name](tmp_path))
    assert {system: list(corpus.lines(system)) for system in corpus.systems} == SYSTEMS
    assert {reference: list(lines) for reference, lines in corpus.references.items()} == {"ref": REFERENCE}
    assert corpus.documents == tuple(DOCUMENTS)
    assert corpus.segments.sources == tuple(SOURCE)
    assert corpus.notes == ()


def test_every_form_gives_the_same_digest(name: str, tmp_path: Path) -> None:
    of_lines = Corpus.of(SYSTEMS, {"ref": REFERENCE}, documents=DOCUMENTS, sources=SOURCE)
    assert read(EXAMPLES[name](tmp_path)).digest == of_lines.digest


def test_a_reader_can_be_named_or_passed(name: str, tmp_path: Path) -> None:
    path = EXAMPLES[name](tmp_path)
    assert read(path, name).digest == read(path, READERS[name]).digest == read(str(path)).digest


def test_an_outsiders_reader_can_be_passed(tmp_path: Path) -> None:
    def twice(path: Path) -> Corpus:
        lines = path.read_text(encoding="utf-8").split()
        return Corpus.of({"once": lines, "again": lines}, {"ref": lines})

    (tmp_path / "words").write_text("a b c", encoding="utf-8")
    assert len(read(tmp_path / "words", twice)) == 3


def test_an_unknown_reader_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"no reader called 'foldr'.*Did you mean 'folder'"):
        read(tmp_path, "foldr")
