"""What people and metrics say of the same systems: who takes part, on which segments, and in which direction."""

import numpy as np
import pytest

from mtsig.corpus import Corpus, Rating
from mtsig.errors import InvalidOption, NotApplicable, UnknownName
from mtsig.metrics import measure
from mtsig.trust import Judged
from mtsig.trust.judged import equal, signs

NAN = np.nan
PEOPLE = np.array([[3.0, NAN, 1.0, 2.0], [1.0, 2.0, NAN, 2.0], [2.0, 1.0, 1.0, NAN]])
PROGRAM = np.array([[0.9, 0.5, 0.2, 0.1], [0.4, 0.3, 0.2, 0.2], [0.5, 0.6, 0.7, 0.8]])


def corpus_of(systems: str = "ABC", people: np.ndarray = PEOPLE, **metrics: Rating) -> Corpus:
    ratings = {"people": Rating(people, higher_is_better=True), **metrics}
    return Corpus.of(dict.fromkeys(systems.split() if " " in systems else systems), ratings=ratings)


def judged_of(**options: str) -> Judged:
    return Judged.of(corpus_of(m=Rating(PROGRAM, higher_is_better=True)), "rating:people", ["rating:m"], **options)


def test_a_metrics_system_scores_stand_on_the_segments_rated_for_that_system() -> None:
    judged = judged_of()
    np.testing.assert_allclose(judged.system_scores("people"), [2.0, 5 / 3, 4 / 3])
    np.testing.assert_allclose(judged.system_scores("m"), [1.2 / 3, 0.9 / 3, 1.8 / 3])
    assert (np.isnan(judged.cells("m")) == np.isnan(PEOPLE)).all()
    assert judged.shared.tolist() == [2, 2, 2]


def test_or_on_all_segments_that_it_has() -> None:
    judged = judged_of(segments="all")
    np.testing.assert_allclose(judged.system_scores("people"), [2.0, 5 / 3, 4 / 3])
    np.testing.assert_allclose(judged.system_scores("m"), PROGRAM.mean(axis=1))


def test_signs_are_turned_once_for_metrics_and_for_ratings() -> None:
    corpus = Corpus.of(
        dict.fromkeys("ABC"),
        ratings={"errors": Rating(PEOPLE, higher_is_better=False), "ter": Rating(PROGRAM, higher_is_better=False)},
    )
    judged = Judged.of(corpus, "rating:errors", ["rating:ter"])
    np.testing.assert_allclose(judged.ratings, -PEOPLE)
    np.testing.assert_allclose(judged.system_scores("ter"), [-1.2 / 3, -0.9 / 3, -1.8 / 3])


def test_weights_redraw_segments() -> None:
    found = judged_of().system_scores("m", np.array([[2, 0, 0, 1], [1, 1, 1, 1]], dtype=np.float32))
    np.testing.assert_allclose(found[:, 0], [(2 * 0.9 + 0.1) / 3, (2 * 0.4 + 0.2) / 3, 0.5])
    np.testing.assert_allclose(found[:, 1], [0.4, 0.3, 0.6])


def test_a_cell_that_a_metric_lacks_counts_for_none_of_them() -> None:
    gap = PROGRAM.copy()
    gap[0, 0] = NAN
    corpus = corpus_of(m=Rating(PROGRAM, higher_is_better=True), gap=Rating(gap, higher_is_better=True))
    judged = Judged.of(corpus, "rating:people", ["rating:m", "rating:gap"])
    np.testing.assert_allclose(judged.system_scores("people")[0], 1.5)
    np.testing.assert_allclose(judged.system_scores("m")[0], 0.15)
    assert any("1 rating of outputs" in note.text for note in judged.notes)


def test_human_translations_are_left_out_unless_asked_for() -> None:
    corpus = corpus_of("A refB C", m=Rating(PROGRAM, higher_is_better=True))
    judged = Judged.of(corpus, "rating:people", ["rating:m"])
    assert judged.systems == ("A", "C")
    assert judged.left_out == {"refB": "a human translation"}
    assert judged.under("include").systems == ("A", "refB", "C")
    assert judged.under("include").under("exclude").systems == ("A", "C")


@pytest.mark.parametrize("metric", ["COMET-refB", "COMET-ref-B"])
def test_a_metrics_own_reference_takes_no_part_whatever_is_asked(metric: str) -> None:
    corpus = corpus_of("A refB C", **{metric: Rating(PROGRAM, higher_is_better=True)})
    judged = Judged.of(corpus, "rating:people", [f"rating:{metric}"], humans="include")
    assert judged.systems == ("A", "C")
    assert judged.left_out["refB"] == f"refB is the reference of {metric}: its own score is no judgement of the metric"


def test_an_output_that_is_the_reference_is_known_by_its_lines() -> None:
    lines = ["one two three four", "five six seven eight", "nine ten eleven twelve"]
    systems = {
        "A": ["one two three five", *lines[1:2], "nine nine ten"],
        "B": ["one two", "five six", "nine"],
        "C": lines,
    }
    rating = Rating(np.array([[1.0, 2, 3], [1, 1, 2], [3, 3, 3]]), higher_is_better=True)
    corpus = Corpus.of(systems, {"ref": lines}, ratings={"people": rating})
    judged = Judged.of(corpus, "rating:people", ["chrf"])
    assert judged.systems == ("A", "B")
    assert "is the reference of chrF2" in judged.left_out["C"]
    with pytest.raises(NotApplicable, match="sentence-level version"):
        judged.cells("chrF2")
    # A rating read from a file was made with nobody knows what: the same output stays.
    program = Rating(rating.values, higher_is_better=True)
    unknown = Corpus.of(systems, {"ref": lines}, ratings={"people": rating, "m": program})
    assert Judged.of(unknown, "rating:people", ["rating:m"]).systems == ("A", "B", "C")


def test_corpus_metrics_are_scored_from_sums_over_the_rated_segments() -> None:
    lines = ["one two three four", "five six seven eight", "nine ten eleven twelve"]
    systems = {"A": ["one two four", *lines[1:2], "nine nine ten"], "B": ["one two", "five six eight", "nine twelve"]}
    rating = Rating(np.array([[1.0, NAN, 3], [1, 1, 2]]), higher_is_better=True)
    corpus = Corpus.of(systems, {"ref": lines}, ratings={"people": rating})
    judged = Judged.of(corpus, "rating:people", ["chrf"])
    alone = measure(corpus.take([0, 2]), "chrf").scores
    whole = measure(corpus, "chrf").scores
    np.testing.assert_allclose(judged.system_scores("chrF2"), [alone[0], whole[1]])


def test_too_few_systems_are_refused_by_name() -> None:
    corpus = corpus_of(m=Rating(np.vstack([PROGRAM[:1], PROGRAM[1:] * NAN]), higher_is_better=True))
    with pytest.raises(
        NotApplicable, match=r"needs 2 systems that were rated and scored; found 1 \(A\).*not scored by m"
    ):
        Judged.of(corpus, "rating:people", ["rating:m"])


def test_wrong_words_are_refused() -> None:
    with pytest.raises(InvalidOption, match="humans is exclude or include; found 'some'"):
        judged_of(humans="some")
    with pytest.raises(InvalidOption, match="people stands twice"):
        Judged.of(corpus_of(), "rating:people", ["rating:people"])
    with pytest.raises(UnknownName, match="no metric called 'n' here"):
        judged_of()["n"]


def test_statistics_do_as_well_as_names() -> None:
    corpus = corpus_of(m=Rating(PROGRAM, higher_is_better=True))
    judged = Judged.of(None, measure(corpus, "rating:people"), [measure(corpus, "rating:m")])
    np.testing.assert_array_equal(judged.cells("m"), judged_of().cells("m"))
    with pytest.raises(InvalidOption, match="Without a corpus"):
        Judged.of(None, "rating:people", ["rating:m"])


def test_documents_are_units_where_there_are_ten() -> None:
    people, program = (Rating(np.arange(48.0).reshape(2, 24) % size, higher_is_better=True) for size in (5, 7))
    ratings = {"people": people, "m": program}
    for count, unit in ((12, "document"), (6, "segment")):
        names = tuple(f"d{number % count}" for number in range(24))
        judged = Judged.of(Corpus.of(dict.fromkeys("AB"), ratings=ratings, documents=names), "people", ["m"])
        assert judged.unit() == unit
        assert len(np.unique(judged.units())) == (12 if unit == "document" else 24)
    with pytest.raises(NotApplicable, match="there are 6 of them"):
        judged.unit("document")


def test_equal_numbers_are_ties_whatever_their_last_digits() -> None:
    assert equal(np.array(0.3 - 0.2), np.array(0.2 - 0.1))
    assert not equal(np.array(0.3), np.array(0.3 + 1e-8))
    assert signs(np.array([0.3 - 0.2, 1.0, -1.0]), np.array([0.2 - 0.1, 0.0, 0.0])).tolist() == [0.0, 1.0, -1.0]
