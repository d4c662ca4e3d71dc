"""What every reader of ratings promises: it knows its format, and says the same as the others of the same scores."""

import numpy as np
import pytest
from rated import DOCUMENTS, EXAMPLES, SCORES

from mtsig.errors import ReadError
from mtsig.readers import File, assemble
from mtsig.readers._campaigns import CAMPAIGNS
from mtsig.readers._parts import RatingFile
from mtsig.readers._rating_formats import RATING_READERS
from mtsig.readers._read import parts_of
from mtsig.readers._sheet import Sheet


# What campaigns write has texts or names no system: tests/readers/test_campaigns.py.
@pytest.fixture(
    params=[name for name in RATING_READERS if name not in (*CAMPAIGNS, "numbers", "wmt25-spans", "origins", "of-one")]
)
def name(request: pytest.FixtureRequest) -> str:
    # A new reader needs one function above that writes the example in its form.
    assert request.param in EXAMPLES
    return str(request.param)


def files(name: str) -> list[File]:
    return [File(label, content) for label, content in EXAMPLES[name]().items()]


def test_a_file_is_taken_for_what_it_is(name: str) -> None:
    for file in files(name):
        first = next(other for other, reader in RATING_READERS.items() if reader.recognises(Sheet(file)))
        assert first == name


def test_every_format_gives_the_same_ratings(name: str) -> None:
    documents = File("docids.txt", "".join(f"{one}\n" for one in DOCUMENTS).encode())
    parts = parts_of([documents, *files(name)])
    assert {part.role for part in parts} == {"documents", "ratings"}
    corpus = assemble(parts)
    assert list(corpus.systems) == list(SCORES)
    assert all(runs == () for runs in corpus.systems.values())
    values = next(iter(corpus.ratings.values())).values
    expected = np.array([[np.nan if score is None else score for score in scores] for scores in SCORES.values()])
    np.testing.assert_allclose(values, expected)
    assert all(one.higher_is_better for one in corpus.ratings.values())


def test_what_a_file_says_has_a_place_and_a_line_for_every_score(name: str) -> None:
    for file in files(name):
        for scored in RatingFile(file).scored():
            assert scored.values.shape == (len(scored.systems), len(scored.places))
            assert all(place.line >= 1 for place in scored.places)
            assert scored.label == file.label


def test_a_cut_off_file_is_read_or_refused_with_its_name(name: str) -> None:
    for file in files(name):
        content = file.data
        for end in range(1, len(content), max(1, len(content) // 40)):
            message = ""
            try:
                RatingFile(File(file.label, content[:end])).scored()
            except ReadError as error:
                message = str(error)
            assert message == "" or file.label in message


def test_windows_line_ends_and_byte_order_marks_change_nothing(name: str) -> None:
    for file in files(name):
        content = file.data
        if content.startswith(b"\x1f\x8b"):
            continue
        changed = b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n") + (b"" if content.endswith(b"\n") else b"\r\n")
        for one, other in zip(RatingFile(file).scored(), RatingFile(File(file.label, changed)).scored(), strict=True):
            assert one.systems == other.systems
            np.testing.assert_array_equal(one.values, other.values)
            assert any("byte-order mark" in note.text for note in other.notes)
