"""What goes to a worker and comes back is what it was, and a text that both have goes once."""

import gc
import pickle
from io import BytesIO

import pytest
from mtsig_dashboard.serving._messages import Texts, get, put
from pages import lines

from mtsig.readers import File, Part
from mtsig.readers._read import parts_of

MANY = tuple(f"line {number}" for number in range(10_000))


def sent(message: object, texts: Texts | None = None) -> bytes:
    stream = BytesIO()
    put(stream, message, texts or Texts())
    return stream.getvalue()


@pytest.mark.parametrize(
    "text",
    [MANY, (*MANY, None), (*MANY, "a\0b"), ("",) * 5000, ("\udcff é\n\r", None) * 100, MANY[:3], ()],
    ids=["many", "a gap", "a zero", "empty", "odd", "few", "none"],
)
def test_texts_come_back_as_they_were(text: tuple[str | None, ...]) -> None:
    message = {"text": text, "again": [text, list(text)], "other": (1, "a", text)}
    assert get(BytesIO(sent(message)), Texts()) == message


def test_what_stands_in_a_message_twice_goes_once() -> None:
    once, equal = sent(MANY), (*MANY[:1], *MANY[1:])
    assert len(sent([MANY, equal] * 50)) < len(once) + 1000
    first, second = get(BytesIO(sent([MANY, equal])), Texts())
    assert first is second


def test_an_answer_with_the_texts_of_the_question_is_short_and_has_the_same_texts() -> None:
    here, there = Texts(), Texts()
    question = BytesIO(sent([MANY, "measure"], here))
    received, _ = get(question, there)
    answer = sent({"corpus": (*received[:1], *received[1:]), "new": MANY[:100]}, there)
    assert len(answer) < 3000
    back = get(BytesIO(answer), here)
    assert back["corpus"] is MANY
    assert back["new"] == MANY[:100]
    here.clear()
    assert len(sent([MANY], here)) > 50_000


def test_texts_take_no_more_room_than_pickle_gives_them() -> None:
    assert len(sent(MANY)) < len(pickle.dumps(MANY))


def test_half_a_message_is_the_end() -> None:
    with pytest.raises(EOFError):
        get(BytesIO(sent(MANY)[:-1]), Texts())
    with pytest.raises(EOFError):
        get(BytesIO(b"123"), Texts())


def test_what_many_raters_marked_comes_back_and_leaves_little_for_the_garbage_collector_to_look_through() -> None:
    raters, head = 500, ["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"]
    rows = [
        f"{system}\td\t1\t{number % 30 + 1}\trater{number}\tone\tone <v>word</v>\tFluency\tMinor"
        for number in range(raters)
        for system in ("A", "B")
    ]
    parts = parts_of([File("mqm.tsv", lines(["\t".join(head), *rows]))])
    gc.collect()
    before = len(gc.get_objects())
    back = sent_on(parts)
    gc.collect()
    # The part, its rating and the places of that: neither marks nor dictionaries.
    assert len(gc.get_objects()) - before < 3.5 * raters
    for one, other in zip(parts, back, strict=True):
        assert one.scored is not None
        assert other.scored is not None
        assert len(one.scored.marks) == 2
        assert (other.scored.marks, other.scored.places) == (one.scored.marks, one.scored.places)
        assert (other.scored.values == one.scored.values).all()
        assert (other.label, other.name, other.role) == (one.label, one.name, one.role)


def sent_on(message: list[Part]) -> list[Part]:
    """Return what the other side gets."""
    back: list[Part] = get(BytesIO(sent(message)), Texts())
    return back
