"""What every reader promises: the same test set in another form gives the same corpus."""

from collections.abc import Callable
from pathlib import Path

import pytest
from forms import DOCUMENTS, DOMAINS, FORMS, REFERENCE, SOURCE, SYSTEMS, Files, gzipped, zipped

from mtsig import Corpus, read
from mtsig.errors import UnknownName
from mtsig.readers import READERS, File, assemble
from mtsig.readers._read import BENCHMARKS, parts_of

EXPECTED = Corpus.of(SYSTEMS, {"ref": REFERENCE}, documents=DOCUMENTS, domains=DOMAINS, sources=SOURCE)

PACKED: dict[str, Callable[[Files], Files]] = {
    "zip": zipped,
    "zip of a folder": lambda files: zipped(files, "my set/"),
    "gzip": gzipped,
}


def put(place: Path, files: Files) -> Path:
    """Write the files; return the folder, or the file when it is one."""
    for name, content in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(content)
    return place if len(files) > 1 else place / next(iter(files))


def unordered(corpus: Corpus) -> Corpus:
    """Return the corpus with its systems sorted: forms differ in the order in which they name them."""
    return corpus.select(sorted(corpus.systems))


def test_every_reader_has_an_example() -> None:
    # A new reader needs one function in forms.py that writes the example in its form.
    # Logs of benchmarks know neither documents nor domains; tests/readers/test_runs.py has what they promise.
    assert set(READERS) - set(BENCHMARKS) <= set(FORMS)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_corpus(form: str, tmp_path: Path) -> None:
    corpus = unordered(read(put(tmp_path, FORMS[form]())))
    assert corpus == EXPECTED
    assert corpus.digest == EXPECTED.digest
    assert [note for note in corpus.notes if note.level == "warning"] == []


@pytest.mark.parametrize("packing", PACKED)
@pytest.mark.parametrize("form", FORMS)
def test_every_form_may_be_packed(form: str, packing: str, tmp_path: Path) -> None:
    corpus = read(put(tmp_path, PACKED[packing](FORMS[form]())))
    assert unordered(corpus).digest == EXPECTED.digest


@pytest.mark.parametrize("above", ["", "set/"])
@pytest.mark.parametrize("form", FORMS)
def test_every_form_may_be_dropped_on_the_page(form: str, above: str) -> None:
    files = [File(above + name, content) for name, content in FORMS[form]().items()]
    assert unordered(assemble(parts_of(files))).digest == EXPECTED.digest


@pytest.mark.parametrize("form", FORMS)
def test_an_archive_may_be_dropped_on_the_page(form: str) -> None:
    (packed,) = zipped(FORMS[form](), "set/").items()
    assert unordered(assemble(parts_of([File(*packed)]))).digest == EXPECTED.digest


@pytest.mark.parametrize("name", [name for name in READERS if name in FORMS and len(FORMS[name]()) == 1])
def test_a_reader_can_be_named_or_passed(name: str, tmp_path: Path) -> None:
    path = put(tmp_path, FORMS[name]())
    assert read(path, name).digest == read(path, READERS[name]).digest == read(str(path)).digest


def test_an_outsiders_reader_can_be_passed(tmp_path: Path) -> None:
    def twice(path: Path) -> Corpus:
        words = path.read_text(encoding="utf-8").split()
        return Corpus.of({"once": words, "again": words}, {"ref": words})

    (tmp_path / "words").write_text("a b c", encoding="utf-8")
    assert len(read(tmp_path / "words", twice)) == 3


def test_an_unknown_reader_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"no reader called 'foldr'.*Did you mean 'folder'"):
        read(tmp_path, "foldr")
