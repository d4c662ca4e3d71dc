"""CoNLL-U files: which words and heads they hold, which segments sentences belong to, and what is wrong with a file."""

import textwrap
from pathlib import Path

import pytest
from kept import Kept

from mtsig import Corpus, measure, read, read_files
from mtsig.cli._reading import parts_from
from mtsig.corpus._annotations import Parse, Word, output_parses, reference_parses
from mtsig.errors import ReadError
from mtsig.readers import File, assemble
from mtsig.readers._conllu import parses_of, sentences_of
from mtsig.readers._read import parts_of


def conllu(text: str) -> str:
    """Return a CoNLL-U file: spaces between columns become tabs, short rows get their other columns."""
    lines = []
    for line in textwrap.dedent(text).strip().split("\n"):
        cells = line.split()
        if not cells or line.startswith("#"):
            lines.append(line)
            continue
        number, form, lemma, head, relation = cells
        lines.append("\t".join([number, form, lemma, "X", "_", "_", head, relation, "_", "_"]))
    return "\n".join(lines) + "\n\n"


def parses(text: str, segments: list[str | None]) -> tuple[Parse, ...]:
    sentences, _ = sentences_of(File("a.conllu", text.encode()))
    return parses_of("a.conllu", sentences, segments)


TWO = conllu("""
    # generator = a parser, version 2
    # sent_id = 1
    # text = The dog barks.
    1 The the 2 det
    2 dog dog 3 nsubj
    3 barks bark 0 root
    4 . . 3 punct

    # text = Yes
    1 Yes _ 0 root
    """)


# --- what is read -------------------------------------------------------------------------------------------


def test_words_have_form_lemma_head_and_relation() -> None:
    first, second = parses(TWO, ["The dog barks.", "Yes"])
    (sentence,) = first.sentences
    assert sentence == (
        Word("The", "the", 2, "det"),
        Word("dog", "dog", 3, "nsubj"),
        Word("barks", "bark", 0, "root"),
        Word(".", ".", 3, "punct"),
    )
    assert second.sentences == ((Word("Yes", "", 0, "root"),),)
    assert first.parser == second.parser == "a parser, version 2"


def test_contractions_and_empty_nodes_are_no_part_of_the_tree() -> None:
    text = conllu("""
        1-2 vámonos _ _ _
        1 vamos ir 0 root
        2 nos nosotros 1 obj
        2.1 nada nada _ _
        3 _ _ 1 punct
        """)
    (parse,) = parses(text, ["vámonos _"])
    assert parse.sentences == (
        (Word("vamos", "ir", 0, "root"), Word("nos", "nosotros", 1, "obj"), Word("_", "_", 1, "punct")),
    )


def test_a_text_without_words_may_have_comments_alone() -> None:
    assert parses("# generator = x\n\n", ["", " "]) == (Parse(), Parse())


def test_windows_files_and_missing_last_blank_lines_are_read() -> None:
    plain = parses(TWO, ["The dog barks.", "Yes"])
    assert parses(TWO.rstrip("\n"), ["The dog barks.", "Yes"]) == plain
    windows = ("\ufeff" + TWO.replace("\n", "\r\n")).encode()
    sentences, notes = sentences_of(File("a.conllu", windows))
    assert parses_of("a.conllu", sentences, ["The dog barks.", "Yes"]) == plain
    assert len(notes) == 2


# --- which segment a sentence belongs to --------------------------------------------------------------------

A, B, C = (conllu(f"1 {word} {word} 0 root") for word in "abc")


def shape(found: tuple[Parse, ...]) -> list[str]:
    """Return the words of each segment."""
    return [" ".join(word.form for sentence in parse.sentences for word in sentence) for parse in found]


def test_one_sentence_per_segment_in_order() -> None:
    assert shape(parses(A + B, ["a", "b"])) == ["a", "b"]
    # Segments without text, or without such a reference, have no sentence.
    assert shape(parses(A + B, ["", "a", None, " ", "b"])) == ["", "a", "", "", "b"]


def test_comments_group_sentences_by_segment() -> None:
    segments = ["c", "", "a b"]
    marked = f"# segment = 3\n{A}# segment = 3\n{B}# segment = 1\n{C}"
    assert shape(parses(marked, segments)) == ["c", "", "a b"]
    ids = f"# sent_id = 3.1\n{A}# sent_id = 3.2\n{B}# sent_id = 1.1\n{C}"
    assert shape(parses(ids, segments)) == ["c", "", "a b"]


def test_sentence_ids_that_merely_count_are_no_groups() -> None:
    counted = f"# sent_id = 1\n{A}# sent_id = 2\n{B}# sent_id = 3\n{C}"
    assert shape(parses(counted, ["a", "b", "c"])) == ["a", "b", "c"]
    with pytest.raises(ReadError, match="3 sentences for 2 segments with text"):
        parses(counted, ["a b", "c"])


def test_the_text_a_sentence_names_must_be_the_segments() -> None:
    named = f"# segment = 1\n# text = a  cafe\u0301\n{A}# segment = 1\n# text = b\n{B}"
    assert shape(parses(named, ["a café b"])) == ["a b"]  # composed or not, and spaced as it may be
    with pytest.raises(ReadError, match=r"a.conllu, line 1: segment 1 is parsed as 'a  cafe. b', but reads 'a cafe b'"):
        parses(named, ["a cafe b"])


@pytest.mark.parametrize(
    ("text", "segments", "said"),
    [
        (A, ["a", "b"], "a.conllu has 1 sentences for 2 segments with text"),
        (A + B, [""], "has 2 sentences for 0 segments with text"),
        (f"# segment = 3\n{A}", ["a", "b"], "a.conllu, line 1: segment 3 of 2 does not exist"),
        (f"# segment = 0\n{A}", ["a"], "line 1: segment 0 of 1"),
        (f"# segment = 2\n{A}", ["a", "b"], "a.conllu: segment 1 has no parse: 'a'"),
        (f"# segment = 1\n{A}", [""], "a.conllu, line 1: segment 1 is empty, but the file has a parse of it"),
        (f"# segment = 1\n{A}{B}", ["a b"], "line 4: .* have a comment `# segment = 12`; this sentence has none"),
        (f"# segment = x\n{A}", ["a"], "line 1: .*; found 'x'"),
        (f"# sent_id = 1.1\n{A}# sent_id = 2\n{B}", ["a", "b"], "line 4: .* `# sent_id = 12.1`; found '2'"),
    ],
)  # fmt: skip
def test_sentences_that_fit_no_segment_are_refused(text: str, segments: list[str | None], said: str) -> None:
    with pytest.raises(ReadError, match=said):
        parses(text, segments)


def test_the_words_of_a_sentence_that_names_no_text_must_be_the_segments() -> None:
    assert shape(parses(A + B, ["A.", "b"])) == ["a", "b"]
    with pytest.raises(ReadError, match=r"a\.conllu: 2 of its 2 words do not occur in the segments"):
        parses(A + B, ["x", "y"])
    # Half of them do: parsers spell some words anew.
    assert shape(parses(A + B, ["a", "y"])) == ["a", "b"]
    # What names its text is held to that alone.
    assert shape(parses(f"# text = x\n{A}", ["x"])) == ["a"]


# --- what is wrong with a file ------------------------------------------------------------------------------


def row(*cells: str) -> str:
    return "\t".join(cells)


GOOD = row("1", "a", "a", "X", "_", "_", "0", "root", "_", "_")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("\n\n", "has 0 sentences for 1 segments with text"),
        ("# text = a\n\n", "has 0 sentences for 1 segments with text"),
        (f"{GOOD}\n\n# text = a\n\n", "line 3 has comments without a sentence"),
        ("just a text\n", "line 1: found 1 columns; CoNLL-U has 10, separated by tabs: 'just a text'"),
        (f"{GOOD}\n2  b  b  X  _  _  1  dep  _  _\n", "line 2: found 1 columns"),
        (f"{GOOD}\t_\n", "line 1: found 11 columns"),
        (row("1", "a", "a", "X", "_", "_", "0"), "line 1: found 7 columns"),
        (f"# x\n{GOOD.replace('1', 'one', 1)}", r"line 2: not valid CoNLL-U \(.* 'one' is not a valid ID"),
        (GOOD.replace("0", "null"), "line 1: not valid CoNLL-U .*'head'"),
        (GOOD.replace("0", "_"), "line 1: the head of word 1 is missing; expected 0"),
        (GOOD.replace("0", "2"), "line 1: the head of word 1 is 2; expected 0 for the root, or another word of the 1"),
        (GOOD.replace("0", "1"), "line 1: the head of word 1 is 1"),
        (GOOD.replace("0", "-1"), "line 1: the head of word 1 is -1"),
        (GOOD.replace("0", "9" * 5000), "line 1: not valid CoNLL-U .a number has thousands of digits"),
        (conllu("1 a a 0 root\n2 b b 3 x\n3 c c 4 x\n4 d d 2 x"), "line 2: .* a circle .2 → 3 → 4 → 2"),
        (GOOD.replace("root", "_"), "line 1: word 1 has no relation"),
        (GOOD.replace("\ta", "\t", 1), "line 1: word 1 has no form"),
        (row("1", "a", "a", "X", "_", "_", "0", "", "", ""), "line 1: word 1 has no relation"),
        (f"{GOOD}\n{GOOD}", "line 2: found word 1, but expected word 2; a blank line ends a sentence"),
        (f"{GOOD}\n{GOOD.replace('1', '3', 1)}", "line 2: found word 3, but expected word 2"),
        (f"\n\n{GOOD}\n\n{GOOD.replace('1', '2', 1)}", "line 5: found word 2, but expected word 1"),
        (GOOD.replace("1", "_", 1), "line 1: found word None, but expected word 1"),
    ],
)  # fmt: skip
def test_a_malformed_file_is_one_clear_error(text: str, said: str) -> None:
    with pytest.raises(ReadError, match=said) as caught:
        parses(text, ["a"])
    assert str(caught.value).startswith("a.conllu")
    assert "\n" not in str(caught.value)


def test_what_is_no_text_is_told_as_such() -> None:
    with pytest.raises(ReadError, match="not valid UTF-8: line 1"):
        sentences_of(File("a.conllu", b"1\t\xff"))


# --- files of a corpus --------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "systems/A.txt": "The dog barks.\nYes\n",
        "systems/B.v2.txt": "The cat barks.\nYes\n",
        "refs/ref.txt": "The dog barks.\nYes\n",
        "parses/A.conllu": TWO,
        "parses/B.v2.conllu": TWO.replace("dog", "cat"),
        "parses/ref.conllu": TWO,
        "parses/README.md": "about",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def check(corpus: Corpus) -> None:
    assert list(corpus.systems) == ["A", "B.v2"]
    assert output_parses(corpus, "A") == reference_parses(corpus, "ref")
    assert output_parses(corpus, "B.v2")[0].sentences[0][1].form == "cat"
    # A: all 5 triples. B.v2: (cat, det, The) and (barks, nsubj, cat) miss, 3 of 5 match.
    statistics = measure(corpus, "depf")
    assert statistics.sums.tolist() == [[5, 3], [5, 5], [5, 5]]
    assert "parser:a parser, version 2|" in statistics.signature


def test_a_folder_may_hold_parses(folder: Path) -> None:
    corpus = read(folder)
    check(corpus)
    assert [note.text for note in corpus.notes] == ["Ignored: parses/README.md."]


def test_parses_are_named_one_by_one(folder: Path) -> None:
    parses = [folder / "parses" / "A.conllu", f"B.v2={folder}/parses/B.v2.conllu", folder / "parses" / "ref.conllu"]
    systems = [folder / "systems" / "A.txt", folder / "systems" / "B.v2.txt"]
    check(read_files([folder / "refs" / "ref.txt"], systems, parses=parses))
    arguments = ["--ref", str(folder / "refs" / "ref.txt"), "--sys", *map(str, systems), "--parses", *map(str, parses)]
    check(assemble(parts_from(arguments)))


def test_parses_can_be_dropped_beside_their_texts(folder: Path) -> None:
    names = [
        "systems/A.txt",
        "systems/B.v2.txt",
        "refs/ref.txt",
        *(f"parses/{one}.conllu" for one in ("A", "B.v2", "ref")),
    ]
    files = [File(name.rsplit("/", 1)[-1], (folder / name).read_bytes()) for name in names]
    parts = parts_of(files)
    assert [part.role for part in parts] == ["system", "system", "reference", "parses", "parses", "parses"]
    check(assemble(parts))


def test_a_part_can_change_into_parses_and_back(folder: Path) -> None:
    (part,) = parts_of([File("A.txt", TWO.encode())])
    assert part.role == "system"
    changed = part.with_role("ignored").with_role("parses")
    assert changed.sentences is not None
    assert len(changed.sentences) == 2
    assert changed.with_role("system").lines == part.lines
    (broken,) = parts_of([File("A.conllu", b"a text\nof two lines\n")])
    assert broken.problem is not None
    again = broken.with_role("system")
    assert (again.problem, again.lines) == (None, ("a text", "of two lines"))


def test_systems_left_out_take_their_parses_along(folder: Path) -> None:
    parts = parts_from(["--data", str(folder), "--systems", "A"])
    assert list(assemble(parts).annotations["parses"]) == ["A"]
    assert read(folder).select(["A"]).annotations["parses"].keys() == {"A"}


def test_parses_of_nothing_are_refused(folder: Path) -> None:
    (folder / "parses" / "A.conllu").rename(folder / "parses" / "a.conllu")
    with pytest.raises(ReadError, match=r"parses/a.conllu contains parses of 'a', but no .* Known: A, B.v2, ref"):
        read(folder)
    (folder / "parses" / "a.conllu").rename(folder / "parses" / "A.conllu")
    (folder / "parses" / "A.conll").write_text(TWO, encoding="utf-8")
    with pytest.raises(ReadError, match=r"only one parse of 'A'; found parses/A.conll and parses/A.conllu"):
        read(folder)


def test_a_broken_parse_is_told_with_its_place(folder: Path) -> None:
    (folder / "parses" / "A.conllu").write_text(TWO.replace("3\tbarks", "4\tbarks"), encoding="utf-8")
    with pytest.raises(ReadError, match=rf"{folder}/parses/A.conllu, line 6: found word 4, but expected word 3"):
        read(folder)


def test_different_parsers_are_said(folder: Path, kept: Kept) -> None:
    (folder / "parses" / "ref.conllu").write_text(TWO.replace("a parser, version 2", "another"), encoding="utf-8")
    (note,) = [note for note in read(folder).notes if note.level == "warning"]
    kept("readers", note.text)
