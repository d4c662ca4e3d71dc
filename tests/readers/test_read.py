"""Files as they come from the world: what is read, what is noted, and what is said when it cannot be read."""

import gzip
import io
import zipfile
from pathlib import Path

import pytest
from kept import Kept, lacking, worded

from mtsig import Corpus, read, read_files
from mtsig.corpus import inspect
from mtsig.errors import AlignmentError, NotApplicable, ReadError
from mtsig.readers import File, assemble
from mtsig.readers._read import parts_of, with_system


def texts(corpus: Corpus) -> str:
    return "\n".join(note.text for note in inspect(corpus))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a reference and one good system of three lines."""
    (tmp_path / "ref.txt").write_text("uno\ndos\ntres\n", encoding="utf-8")
    (tmp_path / "good.txt").write_text("one\ntwo\nthree\n", encoding="utf-8")
    return tmp_path


def put(place: Path, content: bytes, name: str = "bad.txt") -> Path:
    (place / name).write_bytes(content)
    return place / name


def problem(place: Path, content: bytes, name: str = "bad.txt") -> str:
    """Return what is said of a file with this content beside a reference; the same from both ways of reading."""
    file = put(place, content, name)
    with pytest.raises(ReadError) as named:
        read_files([place / "ref.txt"], [file])
    with pytest.raises(ReadError) as found:
        read(place)
    assert str(found.value) == str(named.value)
    assert str(file) in str(named.value)
    assert "\n" not in str(named.value)
    return str(named.value)


# --- what is read --------------------------------------------------------------------------------------


def test_line_files_split_on_newline_only(place: Path) -> None:
    odd = "one\u2028still one\x85still\x0cone\x1cone\ntwo\ttabbed\nthree  \n"
    corpus = read_files([place / "ref.txt"], [put(place, odd.encode())])
    assert list(corpus.lines("bad")) == ["one\u2028still one\x85still\x0cone\x1cone", "two\ttabbed", "three  "]


def test_the_last_line_needs_no_newline(place: Path) -> None:
    with_newline = read_files([place / "ref.txt"], {"x": put(place, b"one\ntwo\nthree\n")})
    without = read_files([place / "ref.txt"], {"x": put(place, b"one\ntwo\nthree")})
    assert with_newline.digest == without.digest


def test_an_empty_last_line_is_a_line(place: Path) -> None:
    corpus = read_files([place / "ref.txt"], [put(place, b"one\ntwo\n\n")])
    assert list(corpus.lines("bad")) == ["one", "two", ""]


def test_a_byte_order_mark_is_taken_off_and_noted(place: Path, kept: Kept) -> None:
    corpus = read_files([place / "ref.txt"], [put(place, b"\xef\xbb\xbfone\ntwo\nthree\n")])
    assert corpus.lines("bad")[0] == "one"
    assert not lacking(texts(corpus), "bad.txt", "byte-order mark")
    kept("readers", texts(corpus))


def test_a_byte_order_mark_inside_a_line_is_text(place: Path) -> None:
    corpus = read_files([place / "ref.txt"], [put(place, "one\n\ufefftwo\nthree\n".encode())])
    assert corpus.lines("bad")[1] == "\ufefftwo"
    assert "byte-order" not in texts(corpus)


def test_windows_line_ends_are_taken_off_and_noted(place: Path, kept: Kept) -> None:
    corpus = read_files([place / "ref.txt"], [put(place, b"one\r\ntwo\r\nthree\r\n")])
    assert list(corpus.lines("bad")) == ["one", "two", "three"]
    assert not lacking(texts(corpus), "bad.txt", "Windows")
    kept("readers", texts(corpus))


def test_a_single_carriage_return_is_text(place: Path) -> None:
    corpus = read_files([place / "ref.txt"], [put(place, b"one\r\ntwo\nthree\n")])
    assert corpus.lines("bad")[0] == "one\r"
    assert "Windows" not in texts(corpus)


def test_empty_lines_are_kept_counted_and_warned_of(place: Path) -> None:
    corpus = read_files([place / "ref.txt"], [put(place, b"\ntwo\n\n")])
    assert list(corpus.lines("bad")) == ["", "two", ""]
    (warning,) = [note for note in inspect(corpus) if "empty" in note.text]
    assert warning.level == "warning"
    assert not lacking(warning.text, "2 empty lines", "lines 1, 3")


def test_a_system_is_called_by_its_file_without_the_last_extension(place: Path) -> None:
    names = ["newstest.en-de.hyp.Online-A.de", "plain", ".737"]
    for name in names:
        put(place, b"one\ntwo\nthree\n", name)
    corpus = read_files([place / "ref.txt"], [place / name for name in names])
    assert list(corpus.systems) == ["newstest.en-de.hyp.Online-A", "plain", ".737"]


def test_files_can_be_given_names(place: Path) -> None:
    corpus = read_files([f"human={place / 'ref.txt'}"], [f"Online-A={place / 'good.txt'}", place / "good.txt"])
    assert list(corpus.references) == ["human"]
    assert list(corpus.systems) == ["Online-A", "good"]


def test_a_file_whose_own_name_holds_an_equals_sign_is_taken_as_it_is(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(place, b"one\ntwo\nthree\n", "beam=4.txt")
    monkeypatch.chdir(place)
    assert list(read_files(["ref.txt"], ["beam=4.txt"]).systems) == ["beam=4"]


def test_a_mapping_names_files_too(place: Path) -> None:
    corpus = read_files({"human": place / "ref.txt"}, {"machine": place / "good.txt"})
    assert (list(corpus.references), list(corpus.systems)) == (["human"], ["machine"])


def test_source_and_documents_come_along(place: Path) -> None:
    docs = put(place, b"d1\nd1\nd2\n", "which.txt")
    corpus = read_files([place / "ref.txt"], [place / "good.txt"], place / "ref.txt", docs)
    assert corpus.documents == ("d1", "d1", "d2")
    assert corpus.segments.sources == ("uno", "dos", "tres")


# --- what cannot be read ---------------------------------------------------------------------------------


def test_unequal_counts_name_the_longer_file_and_its_first_extra_line(place: Path, kept: Kept) -> None:
    put(place, b"one\ntwo\nthree\nfour is too many\nfive\n")
    with pytest.raises(AlignmentError) as caught:
        read(place)
    message = str(caught.value)
    assert not lacking(message, "has 5 segments", "has 3", repr("four is too many"))
    assert "bad.txt" in message.partition("line 4 of")[2]
    kept("readers", message)


def test_a_shorter_file_is_named_with_the_first_line_that_others_have_more(place: Path, kept: Kept) -> None:
    put(place, b"one\n")
    with pytest.raises(AlignmentError) as caught:
        read(place)
    assert not lacking(str(caught.value), "bad.txt", "1 segment", "line 2")
    kept("readers", str(caught.value))


def test_documents_of_the_wrong_length_are_named(place: Path) -> None:
    put(place, b"d1\nd2\n", "docids.txt")
    with pytest.raises(AlignmentError, match=r"docids\.txt\) has 2 segments, but .* has 3"):
        read(place)


def test_an_empty_file_is_called_empty(place: Path, kept: Kept) -> None:
    message = problem(place, b"")
    assert not lacking(message, "bad.txt", "0 bytes")
    kept("readers", message)


def test_a_file_of_nothing_but_a_byte_order_mark_is_refused(place: Path) -> None:
    assert "byte-order mark" in problem(place, b"\xef\xbb\xbf")


def test_invalid_utf8_is_told_by_line_and_byte(place: Path, kept: Kept) -> None:
    message = problem(place, b"bien\naqu" + b"\xed mismo\ntres\n")  # í in Latin-1
    assert not lacking(message, "UTF-8", "line 2", "byte 4", "0xED")
    kept("readers", message)


def test_the_byte_is_counted_after_a_byte_order_mark(place: Path) -> None:
    worded(problem(place, b"\xef\xbb\xbfa\xff\n"), "1", "2", "0xFF")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_is_read_by_its_mark_and_refused_without(place: Path, encoding: str) -> None:
    texts = {"systems/a.txt": "été\n今日\n👍🏽\n", "ref.txt": "Ça\n明日\n👍\n"}
    plain = {name: text.encode() for name, text in texts.items()}
    marked = {name: ("\ufeff" + text).encode(encoding) for name, text in texts.items()}
    corpora = [assemble(parts_of([File(name, data) for name, data in files.items()])) for files in (plain, marked)]
    assert corpora[0].lines("a") == corpora[1].lines("a") == ("été", "今日", "👍🏽")
    assert corpora[0].references == corpora[1].references
    assert any("byte-order mark" in note.text for note in corpora[1].notes)


@pytest.mark.parametrize(
    "text", ["one\ntwo", "çà!\nça!", "明日\n今日", "кошка\nпёс", "👍🏽\r\n👍", "يوم\nغد", "\n", "字\n" * 40_000]
)
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_text_without_its_mark_is_called_by_name(place: Path, encoding: str, text: str) -> None:
    message = problem(place, f"{text}\n".encode(encoding))
    worded(message, f"{encoding[:6].upper()} text", "UTF-8")


def test_a_mark_of_utf16_before_something_else_is_damage(place: Path, kept: Kept) -> None:
    for mark, encoding in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        message = problem(place, mark + "one\n".encode(encoding) + b"\x00")
        assert not lacking(message, "damaged UTF-16", "as UTF-8")
    kept("readers", message, problem(place, "one\n".encode("utf-32")))


def test_a_binary_file_is_told_by_its_first_zero_byte(place: Path, kept: Kept) -> None:
    message = problem(place, b"one\ntw\0o\n")
    assert not lacking(message, "line 2", "byte 6")
    kept("readers", message)


def test_a_packed_line_file_is_read(place: Path) -> None:
    file = put(place, gzip.compress(b"one\ntwo\nthree\n"), "more.txt.gz")
    for corpus in (read_files([place / "ref.txt"], [file]), read(place)):
        assert corpus.lines("more") == ("one", "two", "three")


def test_other_archives_and_documents_are_told_what_to_become(place: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("one.txt", "one")
    assert "zip archive" in problem(place, packed.getvalue())
    assert "PDF" in problem(place, b"%PDF-1.7\n")


def test_an_empty_document_id_is_told_by_its_line(place: Path) -> None:
    put(place, b"d1\n  \nd2\n", "docids.txt")
    with pytest.raises(ReadError, match=r"docids\.txt, line 2 is empty; expected a document id"):
        read(place)


def test_document_ids_are_stripped(place: Path) -> None:
    put(place, b"d1 \nd1\n d2\n", "docids.txt")
    assert read(place).documents == ("d1", "d1", "d2")


def test_a_missing_file_is_named(place: Path) -> None:
    with pytest.raises(ReadError, match=r"gone\.txt: there is no such file"):
        read_files([place / "ref.txt"], [place / "gone.txt"])
    with pytest.raises(ReadError, match=r"gone: there is no such file or folder"):
        read(place / "gone")


def test_a_folder_given_as_a_file_is_answered_with_what_to_do(place: Path) -> None:
    with pytest.raises(ReadError, match=r"is a folder, but a file is needed here.*--data"):
        read_files([place / "ref.txt"], [place])


def test_a_single_line_file_given_as_data_is_answered_with_what_to_do(place: Path) -> None:
    with pytest.raises(ReadError, match=r"good\.txt is a single text file.*every system as separate files"):
        read(place / "good.txt")
    # The same is said on a page, where there are no options.
    with pytest.raises(ReadError, match=r"^[^-]*declare each file a system or a reference\.$"):
        with_system("folder", [])


def test_two_systems_of_one_name_are_named_with_their_folders(place: Path) -> None:
    (place / "more").mkdir()
    other = put(place / "more", b"one\ntwo\nthree\n", "good.txt")
    corpus = read_files([place / "ref.txt"], [place / "good.txt", other])
    assert list(corpus.systems) == [f"{place.name}/good", "more/good"]


def test_two_systems_that_were_given_one_name_are_named_with_their_files(place: Path, kept: Kept) -> None:
    with pytest.raises(ReadError) as caught:
        read_files([place / "ref.txt"], [f"x={place / 'good.txt'}", f"x={place / 'ref.txt'}"])
    message = str(caught.value)
    assert not lacking(message, repr("x"), place / "good.txt", place / "ref.txt", "NAME=FILE")
    kept("readers", message)


def test_a_system_and_a_reference_may_share_a_name(place: Path) -> None:
    corpus = read_files([f"x={place / 'ref.txt'}"], [f"x={place / 'good.txt'}"])
    assert list(corpus.systems) == list(corpus.references) == ["x"]


def test_two_sources_are_one_too_many(place: Path) -> None:
    put(place, b"1\n2\n3\n", "source.txt")
    put(place, b"1\n2\n4\n", "src.txt")
    with pytest.raises(ReadError, match=r"only one file of source; found source\.txt and src\.txt"):
        read(place)


def test_a_folder_without_systems_says_what_it_found(tmp_path: Path) -> None:
    put(tmp_path, b"one\n", "ref.txt")
    (tmp_path / "deeper").mkdir()
    with pytest.raises(ReadError, match=r"contains no system output; found: ref\.txt, deeper/.*systems/"):
        read(tmp_path)


def test_an_empty_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="found: nothing"):
        read(tmp_path)


def test_a_test_set_without_reference_can_be_looked_at(tmp_path: Path) -> None:
    put(tmp_path, b"one\n", "a.txt")
    assert read(tmp_path).references == {}
    with pytest.raises(NotApplicable, match="no system output"):
        assemble([])


def test_a_label_is_never_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, b"secret\n", "secret.txt")
    monkeypatch.chdir(tmp_path)
    (part,) = parts_of([File("secret.txt", b"uploaded\n")])
    assert part.lines == ("uploaded",)


@pytest.mark.parametrize("label", ["../../a.txt", "/etc/a.txt", "a\\b.txt", "ä/ö.txt", "a" * 300])
def test_any_label_is_taken_as_a_label(label: str) -> None:
    parts = parts_of([File(label, b"one\n"), File("b.txt", b"two\n")])
    assert [part.label for part in parts] == [label, "b.txt"]


def test_every_broken_file_is_named(tmp_path: Path) -> None:
    for name in ("ref.txt", "one.txt"):
        (tmp_path / name).write_bytes(b"\xff\xfe\xfa broken\n")
    (tmp_path / "two.txt").write_text("fine\n", encoding="utf-8")
    with pytest.raises(ReadError) as caught:
        read(tmp_path)
    assert "ref.txt" in str(caught.value)
    assert "one.txt" in str(caught.value)


def test_a_string_is_one_path(tmp_path: Path) -> None:
    for name in ("ref", "out"):
        (tmp_path / f"{name}.txt").write_text("one line\nand another\n")
    ref, out = str(tmp_path / "ref.txt"), str(tmp_path / "out.txt")
    assert read_files(ref, f"ours={out}") == read_files([ref], {"ours": out})
