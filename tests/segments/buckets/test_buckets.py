"""What every bucket promises, whoever wrote it; what is left out; and the share of the difference."""

from collections.abc import Iterator

import numpy as np
import pytest

from mtsig import Corpus, measure, read_sample
from mtsig.arrays import Mask
from mtsig.errors import NotApplicable, UnknownName
from mtsig.segments import BUCKETS, Detector, bucket_table, buckets_of
from mtsig.segments.buckets import Texts

NAMES = ["identical", "number", "negation", "untranslated", "length", "repetition", "entity", "surface"]


class Shouting(Detector):
    """A bucket from outside: an output has an exclamation mark."""

    name = "shouting"
    title = "shouts"
    about = "One of the outputs has an exclamation mark."
    needs = "reference"

    def marks(self, texts: Texts) -> Mask:
        return np.array([any("!" in line for line in pair) for pair in zip(*texts.outputs, strict=True)])


@pytest.fixture
def shouting() -> Iterator[None]:
    BUCKETS["shouting"] = Shouting()
    yield
    del BUCKETS["shouting"]


@pytest.mark.usefixtures("shouting")
def test_a_bucket_from_outside_is_a_bucket_like_any_other() -> None:
    corpus = Corpus.of({"A": ["Oh!", "oh", "oh"], "B": ["oh", "oh", "Oh!"]}, {"r": ["oh"] * 3})
    found = buckets_of(corpus, "A", "B")
    assert [*found][-1] == "shouting"
    assert found["shouting"].tolist() == [True, False, True]
    [row] = bucket_table(buckets_of(corpus, "A", "B", ["shouting"]), np.array([3.0, 0.0, 1.0]))
    assert (row.name, row.title, row.count, row.share_of_difference) == ("shouting", "shouts", 2, 1.0)
    alone = buckets_of(corpus, "A")
    assert "shouting" not in alone
    assert alone.left_out["shouting"] == "It compares two systems."
    bare = buckets_of(Corpus.of({"A": ["oh"], "B": ["oh"]}), "A", "B")
    assert bare.left_out["shouting"] == "It needs a reference, and none was given."


def test_the_table_has_every_file_and_says_what_it_is() -> None:
    assert list(BUCKETS) == NAMES
    for name, one in BUCKETS.items():
        assert one.name == name
        assert one.title == one.title.strip()
        for said in (one.about, one.alone):
            assert said.endswith(".")
            assert "  " not in said


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_the_systems_does_not_matter(name: str) -> None:
    corpus = read_sample()
    there = buckets_of(corpus, "direct", "via-esperanto", [name])[name]
    back = buckets_of(corpus, "via-esperanto", "direct", [name])[name]
    assert there.shape == (200,)
    assert there.dtype == bool
    assert there.tolist() == back.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_segments_are_judged_one_by_one(name: str) -> None:
    corpus = read_sample()
    whole = buckets_of(corpus, "direct", "via-galician", [name], "en")[name]
    some = np.arange(150, 20, -7)
    assert buckets_of(corpus.take(some), "direct", "via-galician", [name], "en")[name].tolist() == whole[some].tolist()


@pytest.mark.parametrize("name", NAMES[1:6])
def test_identical_outputs_differ_in_nothing(name: str) -> None:
    corpus = read_sample()
    found = buckets_of(corpus, "direct", "direct-us")
    same = found["identical"]
    if name in ("number", "negation"):
        assert not (found[name] & same).any()
    assert not (found["surface"] & same).any()
    assert not (found["entity"] & same).any()


def test_what_is_missing_is_left_out_with_its_reason() -> None:
    corpus = Corpus.of({"A": ["the cat of the house"], "B": ["a dog"]})
    pair, alone = buckets_of(corpus, "A", "B"), buckets_of(corpus, "A")
    assert pair.left_out == {
        "untranslated": "It needs a source, and none was given.",
        "entity": "It needs a source or reference, and none was given.",
    }
    assert list(alone) == ["repetition"]
    assert alone.left_out["number"] == "It needs a source or reference, and none was given."
    assert alone.left_out["length"] == "It needs a reference, and none was given."


def test_a_segment_without_any_reference_is_in_no_bucket_of_one_system() -> None:
    corpus = Corpus.of({"A": ["5 cats", "7 cats"]}, {"r": ["6 cats", ""], "q": ["6 cats", ""]})
    assert buckets_of(corpus, "A", names=["number", "length", "identical", "surface"], language="en")[
        "number"
    ].tolist() == [True, False]


def test_unknown_names_are_told() -> None:
    corpus = read_sample()
    with pytest.raises(UnknownName, match=r"no bucket called 'numbr'\. Did you mean 'number'"):
        buckets_of(corpus, "direct", "direct-us", ["numbr"])
    with pytest.raises(UnknownName, match="no system called 'nobody'"):
        buckets_of(corpus, "direct", "nobody")


def test_shares_of_the_difference_add_up_over_a_partition() -> None:
    corpus = read_sample()
    scores = measure(corpus, "sentbleu").segment_scores
    values = (scores[1] - scores[0]) / scores.shape[1]
    same = buckets_of(corpus, "direct", "direct-us", ["identical"])["identical"]
    rows = bucket_table({"identical": same, "surface": ~same}, values)
    assert [row.count for row in rows] == [163, 37]
    assert [row.share_of_segments for row in rows] == [163 / 200, 37 / 200]
    assert sum(row.contribution for row in rows) == pytest.approx(values.sum())
    assert [row.share_of_difference for row in rows] == pytest.approx([0.0, 1.0])


def test_nothing_of_a_loss_is_a_share_of_plain_zero() -> None:
    [row] = bucket_table({"number": np.array([True, False])}, np.array([0.0, -2.0]))
    assert str(row.share_of_difference) == "0.0"


def test_a_difference_of_nothing_has_no_shares() -> None:
    [row] = bucket_table({"number": np.array([True, False, False])}, np.array([0.1, 0.2, -0.3]))
    assert np.isnan(row.share_of_difference)
    assert row.contribution == 0.1
    [empty] = bucket_table({"number": np.zeros(0, dtype=bool)}, np.zeros(0))
    assert np.isnan(empty.share_of_segments)


def test_values_of_some_segments_take_their_numbers() -> None:
    buckets = {"number": np.array([True, False, True, True])}
    [row] = bucket_table(buckets, np.array([1.0, 3.0]), np.array([1, 3]))
    assert (row.count, row.share_of_segments, row.contribution, row.share_of_difference) == (1, 0.5, 3.0, 0.75)
    with pytest.raises(NotApplicable, match="Bucket 'number' is of 4 segments, but there are 2 values"):
        bucket_table(buckets, np.array([1.0, 3.0]))
