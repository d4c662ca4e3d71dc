"""Who rated what is kept beside the mean, and goes with it wherever the rating goes."""

import numpy as np
import pytest

from mtsig.corpus import Corpus, Rating
from mtsig.corpus._ratings import RaterScores
from mtsig.errors import AlignmentError
from mtsig.readers import File, assemble
from mtsig.readers._read import parts_of

SYSTEMS, SEGMENTS = ("A", "B", "C"), 7


def _read(name: str, lines: list[str]) -> Corpus:
    text = "".join(f"{line}\n" for line in lines)
    return assemble(parts_of([File(name, text.encode())]))


@pytest.fixture
def rated() -> Corpus:
    """Twelve raters, more than are listed one by one; two outputs of every segment each, with gaps."""
    random = np.random.default_rng(5)
    lines = ["system,segment,rater,adequacy"]
    for rater in range(12):
        for segment in range(SEGMENTS):
            for system in random.permutation(3)[:2]:
                if random.random() < 0.8:
                    value = round(float(random.normal()), 3)
                    lines.append(f"{SYSTEMS[system]},{segment + 1},rater {rater},{value}")
    return _read("adequacy.csv", lines)


def _cell_means(rater_scores: RaterScores, shape: tuple[int, int]) -> np.ndarray:
    found = np.full(shape, np.nan)
    for system, segment in np.ndindex(*shape):
        own = [
            value
            for row, column, value in zip(rater_scores.system, rater_scores.segment, rater_scores.value, strict=True)
            if (row, column) == (system, segment)
        ]
        if own:
            found[system, segment] = sum(own) / len(own)
    return found


def test_ratings_of_many_raters_are_kept_and_the_rating_is_their_mean(rated: Corpus) -> None:
    rating = rated.ratings["adequacy"]
    assert list(rated.ratings) == ["adequacy"]
    assert rating.rater_scores is not None
    assert len(rating.rater_scores.raters) == 12
    assert len(rating.rater_scores) > 100
    np.testing.assert_allclose(_cell_means(rating.rater_scores, rating.values.shape), rating.values)


def test_ratings_follow_chosen_segments_and_systems(rated: Corpus) -> None:
    part = rated.take([5, 2, 2]).select(["C", "A"])
    rating = part.ratings["adequacy"]
    assert rating.rater_scores is not None
    np.testing.assert_allclose(_cell_means(rating.rater_scores, rating.values.shape), rating.values)
    rows = [list(rated.systems).index(name) for name in ("C", "A")]
    np.testing.assert_array_equal(rating.values, rated.ratings["adequacy"].values[rows][:, [5, 2, 2]])


def test_of_an_output_that_a_rater_saw_twice_the_latest_value_counts() -> None:
    texts = {"ref.txt": "a\nb\n", "A.txt": "a\nb\n", "docids.txt": "doc\ndoc\n"}
    rows = [("ann", 0, 60), ("ann", 0, 70), ("ann", 1, 90), ("bo", 0, 40), ("bo", 1, 50)]
    esa = "".join(f"{who},A,{item},TGT,en,de,{score},doc,False\n" for who, item, score in rows)
    corpus = assemble(parts_of([File(name, text.encode()) for name, text in {**texts, "esa.csv": esa}.items()]))
    rating = corpus.ratings["esa"]
    assert rating.values.tolist() == [[55, 70]]
    assert rating.rater_scores is not None
    assert rating.rater_scores.value.tolist() == [70, 90, 40, 50]
    assert [rating.rater_scores.raters[rater] for rater in rating.rater_scores.rater] == ["ann", "ann", "bo", "bo"]
    assert rating.rater_scores.segment.tolist() == [0, 1, 0, 1]


def test_equal_ratings_have_equal_rater_scores() -> None:
    rater_scores = RaterScores.of({"Ann": np.array([[1.0, 2.0]]), "Bo": np.array([[3.0, 4.0]])})
    swapped = RaterScores.of({"Bo": np.array([[1.0, 2.0]]), "Ann": np.array([[3.0, 4.0]])})
    values = np.array([[2.0, 3.0]])
    assert Rating(values, True, rater_scores=rater_scores) == Rating(
        values, True, rater_scores=rater_scores.take([0, 1])
    )
    assert Rating(values, True, rater_scores=rater_scores) != Rating(values, True, rater_scores=swapped)
    assert hash(rater_scores) == hash(rater_scores.take([0, 1]))


def test_ratings_of_what_is_not_there_are_refused() -> None:
    rater_scores = RaterScores.of({"Ann": np.array([[1.0, 2.0], [3.0, 4.0]])})
    with pytest.raises(AlignmentError, match="scores by raters"):
        Corpus.of({"A": None}, ratings={"mqm": Rating(np.array([[1.0, 2.0]]), True, rater_scores=rater_scores)})
