"""Corpus: everything runs in parallel, nothing changes it, and what is odd about it is said."""

import hashlib
import json
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kept import Kept, lacking

from mtsig import Corpus, Rating
from mtsig.corpus import Note, _notes, inspect
from mtsig.corpus._corpus import Segments
from mtsig.corpus._notes import LONGEST
from mtsig.doctor import check_data
from mtsig.errors import AlignmentError, InvalidOption, NotApplicable, UnknownName


def small(**changes: object) -> Corpus:
    given: dict[str, object] = {
        "systems": {"a": ["one", "two", "three"], "b": ["eins", "zwei", "drei"]},
        "references": {"ref": ["uno", "dos", "tres"]},
    }
    return Corpus.of(**(given | changes))


def texts(corpus: Corpus, level: str = "warning") -> str:
    return "\n".join(note.text for note in inspect(corpus) if note.level == level)


def test_the_longer_side_is_named_with_its_first_extra_line(kept: Kept) -> None:
    with pytest.raises(AlignmentError) as caught:
        small(systems={"a": ["one", "two", "three"], "b": ["eins", "zwei", "drei", "vier ist zu viel"]})
    message = str(caught.value)
    assert not lacking(message, "'b' has 4", "has 3", "line 4", repr("vier ist zu viel"))
    kept("corpus", message)


def test_a_shorter_side_is_told_by_the_first_extra_line_of_the_others() -> None:
    with pytest.raises(AlignmentError) as caught:
        small(systems={"a": ["one", "two"], "b": ["eins", "zwei", "drei"]})
    assert not lacking(str(caught.value), "'a' has 2", "line 3", "reference 'ref': 'tres'")


def test_an_empty_extra_line_is_called_empty() -> None:
    with pytest.raises(AlignmentError, match="an empty line"):
        small(systems={"a": ["one", "two", "three", ""], "b": ["eins", "zwei", "drei"]})


def test_a_long_extra_line_is_shortened() -> None:
    with pytest.raises(AlignmentError) as caught:
        small(systems={"a": ["one", "two", "three", "x" * 500], "b": ["eins", "zwei", "drei"]})
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("column", ["documents", "domains", "sources"])
def test_columns_of_segments_need_one_entry_each(column: str) -> None:
    with pytest.raises(AlignmentError, match=rf"(?i){column} has 2"):
        small(**{column: ["d1", "d2"]})


def test_a_corpus_without_systems_does_not_exist() -> None:
    with pytest.raises(NotApplicable, match="no system"):
        Corpus.of({}, {"ref": ["uno"]})


def test_a_system_needs_its_runs() -> None:
    with pytest.raises(UnknownName, match=r"'a'.*'gone'"):
        replace(small(), systems={"a": ("gone",)})


def test_ratings_have_a_row_per_system_and_may_have_gaps() -> None:
    values = np.array([[1.0, np.nan, 3.0], [np.nan, 2.0, 1.0]])
    rated = replace(small(), ratings={"mqm": Rating(values, higher_is_better=False)})
    assert rated.select(["b"]).ratings["mqm"].values[0, 1] == 2.0
    assert rated.take([2]).ratings["mqm"].values.tolist() == [[3.0], [1.0]]
    with pytest.raises(AlignmentError, match=r"\(2, 3\)"):
        replace(small(), ratings={"mqm": Rating(values.T, higher_is_better=False)})


def test_a_corpus_can_hold_scores_without_text() -> None:
    values = np.array([[1.0, 2.0]])
    corpus = Corpus(Segments(2), {}, {"silent": ()}, {}, ratings={"da": Rating(values, higher_is_better=True)})
    with pytest.raises(NotApplicable, match="'silent' has 0 runs"):
        corpus.lines("silent")


def test_a_system_may_have_several_runs() -> None:
    runs = {"a.0": ("x", "y"), "a.1": ("x", "z")}
    corpus = Corpus(Segments(2), runs, {"a": ("a.0", "a.1")}, {"ref": ("x", "y")})
    with pytest.raises(NotApplicable, match="2 runs"):
        corpus.lines("a")


def test_nothing_changes_a_corpus() -> None:
    with pytest.raises(FrozenInstanceError):
        small().systems = {}  # type: ignore[misc]


def test_with_several_references_an_empty_line_means_none(kept: Kept) -> None:
    corpus = small(references={"r1": ["uno", "", ""], "r2": ["un", "deux", ""]})
    assert corpus.references["r1"] == ("uno", None, None)
    assert corpus.referenced.tolist() == [True, True, False]
    assert "1 of 3" in texts(corpus)
    kept("corpus", texts(corpus))


def test_a_single_reference_is_taken_as_it_stands() -> None:
    corpus = small(references={"ref": ["uno", "", "tres"]})
    assert corpus.references["ref"] == ("uno", "", "tres")
    assert corpus.referenced.all()
    assert not lacking(texts(corpus), repr("ref"), "1 empty line", "(line 2)")


def test_empty_translations_are_counted_with_their_lines(kept: Kept) -> None:
    corpus = small(systems={"a": ["", "two", "  "], "b": ["eins", "zwei", "drei"]})
    assert not lacking(texts(corpus), repr("a"), "2 empty lines", "1, 3")
    kept("corpus", texts(corpus))


def test_identical_systems_are_told() -> None:
    said = texts(small(systems={"a": ["x", "y", "z"], "c": ["x", "y", "z"]}))
    assert not lacking(said, "'a' and 'c'", "identical")


def test_a_system_that_is_the_reference_is_told(kept: Kept) -> None:
    said = texts(small(systems={"a": ["uno", "dos", "tres"]}))
    assert not lacking(said, repr("a"), "identical", repr("ref"))
    kept("corpus", said)


def test_a_small_test_set_is_told_and_a_large_one_is_not() -> None:
    assert "Only 3 segments" in texts(small())
    lines = [f"line {i}" for i in range(100)]
    assert texts(Corpus.of({"a": lines}, {"ref": [line + "!" for line in lines]})) == ""


def test_few_documents_are_told() -> None:
    assert "Only 2 documents" in texts(small(documents=["d1", "d1", "d2"]))
    assert "documents" not in texts(small(documents=None))


def test_warnings_come_before_notes() -> None:
    corpus = small(references={"r1": ["uno", "", "tres"], "r2": ["un", "deux", "trois"]})
    levels = [note.level for note in inspect(corpus)]
    assert levels == sorted(levels, key=["warning", "note"].index)
    assert set(levels) == {"warning", "note"}


def test_take_keeps_everything_in_step() -> None:
    corpus = small(documents=["d1", "d2", "d3"], domains=["news", "talk", "news"], sources=["1", "2", "3"])
    taken = corpus.take([2, 0])
    assert len(taken) == 2
    assert taken.lines("b") == ("drei", "eins")
    assert taken.references["ref"] == ("tres", "uno")
    assert (taken.documents, taken.segments.domains) == (("d3", "d1"), ("news", "news"))
    assert taken.segments.sources == ("3", "1")


def test_select_takes_names_in_the_given_order() -> None:
    corpus = small(references={"r1": ["uno", "dos", "tres"], "r2": ["un", "deux", "trois"]})
    chosen = corpus.select(["b", "a"], ["r2"])
    assert (list(chosen.systems), list(chosen.references)) == (["b", "a"], ["r2"])
    with pytest.raises(UnknownName, match=r"no system called 'z'.*a, b"):
        corpus.select(["z"])
    with pytest.raises(UnknownName, match=r"no reference called 'z'.*r1, r2"):
        corpus.select(references=["z"])


def test_an_unknown_system_is_answered_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match="Known: a, b"):
        small().lines("z")


CHANGES: dict[str, dict[str, object]] = {
    "a line": {"systems": {"a": ["one", "two", "three!"], "b": ["eins", "zwei", "drei"]}},
    "a name": {"systems": {"A": ["one", "two", "three"], "b": ["eins", "zwei", "drei"]}},
    "an order": {"systems": {"b": ["eins", "zwei", "drei"], "a": ["one", "two", "three"]}},
    "a reference": {"references": {"ref": ["uno", "dos", "Tres"]}},
    "documents": {"documents": ["d1", "d1", "d2"]},
    "sources": {"sources": ["1", "2", "3"]},
    "a moved line end": {"systems": {"a": ["one\ntwo", "", "three"], "b": ["eins", "zwei", "drei"]}},
}


@pytest.mark.parametrize("what", CHANGES)
def test_the_digest_changes_with_the_data(what: str) -> None:
    assert small(**CHANGES[what]).digest != small().digest


def test_the_digest_does_not_change_with_what_was_noted() -> None:
    noted = replace(small(), notes=inspect(small()))
    assert noted.digest == small().digest
    assert noted.digest.startswith("sha256:")


def test_the_digest_takes_any_text() -> None:
    # A lone surrogate cannot come from a UTF-8 file, but from a caller.
    assert small(systems={"a": ["\ud800", "\u2028", "\x00"]}).digest


def test_a_line_of_spaces_is_no_second_reference() -> None:
    corpus = Corpus.of({"a": ["x", "y"]}, {"r": ["x", "y"], "q": ["x", " \u3000"]})
    assert corpus.references["q"] == ("x", None)
    assert Corpus.of({"a": ["x"]}, {"r": [" "]}).references["r"] == (" ",)


def rated(*, values: object = ((1.0, np.nan, 3.0), (np.nan, 2.0, 1.0)), **changes: object) -> Corpus:
    rating = Rating(np.array(values), **({"higher_is_better": False, "rater": "J"} | changes))  # type: ignore[arg-type]
    return replace(small(), ratings={"mqm": rating})


def test_the_same_content_makes_equal_corpora_with_gaps_and_all() -> None:
    assert rated() == rated()
    assert hash(rated()) == hash(rated())
    assert rated().ratings["mqm"] == rated().ratings["mqm"]
    assert len({rated(), rated(), small()}) == 2
    assert replace(small(), notes=inspect(small())) == small()
    assert small() != "a corpus"
    assert rated().ratings["mqm"] != "a rating"


OTHERS = {
    "a score": rated(values=((1.0, np.nan, 3.5), (np.nan, 2.0, 1.0))),
    "a gap": rated(values=((1.0, 2.0, 3.0), (np.nan, 2.0, 1.0))),
    "the direction": rated(higher_is_better=True),
    "the rater": rated(rater="K"),
    "the name": replace(small(), ratings={"da": rated().ratings["mqm"]}),
    "no ratings": small(),
}


@pytest.mark.parametrize("what", OTHERS)
def test_other_ratings_make_another_corpus(what: str) -> None:
    assert OTHERS[what] != rated()


@pytest.mark.parametrize("what", CHANGES)
def test_what_changes_the_digest_makes_another_corpus(what: str) -> None:
    assert small(**CHANGES[what]) != small()


def test_annotations_belong_to_the_content() -> None:
    def annotated(*items: object) -> Corpus:
        return replace(small(), annotations={"spans": {"a": items}})

    arrays = [np.array([1.0, np.nan]), np.array([]), np.array([[2]])]
    assert annotated(*arrays) == annotated(*[one.copy() for one in arrays])
    assert annotated(1, float("nan"), None) == annotated(1, float("nan"), None)
    assert annotated(*arrays) != annotated(*arrays[:2], np.array([2]))
    assert annotated(1, 2, 3) != annotated(1, 2, 4)
    assert annotated(1, 2, 3) != small()
    assert replace(small(), annotations={"spans": {"b": (1, 2, 3)}}) != annotated(1, 2, 3)


def test_a_corpus_says_in_one_line_what_it_holds(kept: Kept) -> None:
    documented = small(documents=["d1", "d1", "d2"])
    kept("corpus", *map(repr, (rated(rater=None), documented, rated().ratings["mqm"], documented.segments)))
    many = Corpus.of({f"system {i}": ["x" * 10_000] for i in range(50)}, {"ref": ["y"]})
    assert len(repr(many)) < 200


def test_a_note_is_never_longer_than_a_page() -> None:
    text = "a note: " + "x, " * 10**6 + "and the end."
    note = Note("note", text)
    assert len(note.text) == LONGEST
    assert note.text.startswith("a note: ")
    assert note.text.endswith("and the end.")
    assert Note("note", note.text) == note


LINES = st.lists(st.text(max_size=6), min_size=1, max_size=9)


@given(LINES)
@settings(deadline=None, max_examples=25)
def test_a_digest_is_that_of_the_whole_as_json(lines: list[str]) -> None:
    documents = [f"d{len(line)}" for line in lines]
    corpus = Corpus.of({"x": lines, "é": lines}, {"r": [*lines[1:], ""]}, documents=documents)
    content = {
        "outputs": {"x": lines, "é": lines}, "systems": {"x": ["x"], "é": ["é"]}, "references": {"r": [*lines[1:], ""]},
        "documents": documents, "domains": None, "sources": None, "ratings": {},
    }  # fmt: skip
    written = json.dumps(content, separators=(",", ":")).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mtsig.corpus._corpus._ENCODED", 2)
        assert corpus.digest == f"sha256:{hashlib.sha256(written).hexdigest()}"


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({"ref": [["a"], ["b"]]}, r"'ref', segment 1: found a list of 1; .*Give one list per reference\."),
        ({"ref": ["a", 2.0]}, r"'ref', segment 2: found a float; expected a text, or None for a gap\.$"),
        ({"ref": [None, b"a"]}, r"'ref', segment 2: found a bytes; expected a text, or None for a gap\.$"),
        ({"ref": [np.float64(1), "a"]}, r"'ref', segment 1: found a float64 of shape \(\)"),
    ],
)
def test_lines_are_texts(texts: dict[str, list[object]], said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        Corpus.of({"A": ["a", "b"]}, texts)  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match=said.replace("ref", "A", 1)):
        Corpus.of({"A": texts["ref"]}, {"ref": ["a", "b"]})  # type: ignore[dict-item]
    assert len(Corpus.of({"A": np.array(["a", "b"])}, {"ref": ["a", None]})) == 2  # type: ignore[dict-item, list-item]


def test_the_lines_of_references_are_looked_at_once_for_all_that_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    looked, void = list[int](), _notes._void
    monkeypatch.setattr(_notes, "_void", lambda corpus, lines: looked.append(len(lines)) or void(corpus, lines))
    empty = Corpus.of({"A": ["one"] * 9, "B": ["two"] * 9}, {"ref": ["three"] * 8 + ["four"], "none": ["TODO"] * 9})
    inspect(empty)
    check_data(empty)
    assert list(empty.void_references) == ["none"]
    assert looked == [9, 9]
    assert not Corpus.of({"A": ["one"] * 9}, {"ref": ["three"] * 8 + ["four"]}).void_references
