"""Notes: each is told once, with the names of all of whom it is said."""

from kept import worded

from mtsig.corpus import Note
from mtsig.corpus._notes import merged


def missing(name: str, level: str = "note") -> Note:
    text = f"No scores of {name} for: A."
    return Note("warning" if level == "warning" else "note", text, names=(name,), together="have no scores for: A.")


def test_the_same_of_several_is_one_note_with_all_names_and_the_higher_level() -> None:
    worded(merged([missing("mqm")])[0].text)
    (told,) = merged([missing("mqm"), missing("mqm"), missing("esa"), missing("da", "warning")])
    worded((told.level, told.text))
    # What was merged already merges on.
    (again,) = merged([told, missing("comet")])
    worded(again.text)


def test_equal_sentences_are_one_and_a_warning_somewhere_is_one() -> None:
    notes = [Note("note", "x", systems=("A",)), Note("note", "y"), Note("warning", "x", systems=("B",))]
    assert merged(notes) == [Note("warning", "x"), Note("note", "y")]
    assert merged(notes)[0].systems == ("A", "B")
    assert merged([*notes, Note("note", "x")])[0].systems == ()  # all are concerned


def test_what_is_said_on_the_number_of_units_is_one_note_for_each_set() -> None:
    few, unseen = Note("note", "Only 20 documents.", "size"), Note("note", "Some may be missing.", "size")
    own = Note("note", "news: Only 5 documents.", "size", names=("news",))
    told = merged([few, own, unseen, Note("note", "Only 20 documents.")])
    worded(told, "20 documents", "5 documents")
