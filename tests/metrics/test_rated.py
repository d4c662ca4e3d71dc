"""The same text of several systems is equal for scores that programs give, whatever noise these have.

Means of sentence scores are means of what sacreBLEU gives each sentence.
"""

import numpy as np
import pytest
from kept import worded
from sacrebleu.metrics import TER

from mtsig import Corpus, Rating, Settings, measure, read_sample, verdict
from mtsig.corpus._ratings import RaterScores
from mtsig.inference import compare


def noisy(name: str, share: float = 1.0, n: int = 60, effect: float = 0.0) -> Corpus:
    """Return two systems that share so many lines, scored by COMET or otherwise with noise that is all of one sign."""
    rng = np.random.default_rng(1)
    first = [f"line {i}" for i in range(n)]
    second = [line if i < share * n else f"{line}!" for i, line in enumerate(first)]
    scores = rng.normal(0.7, 0.1, n)
    other = scores + np.where(np.arange(n) < share * n, 6e-5, rng.normal(effect, 0.01, n))
    rating = Rating(np.stack([other, scores]), higher_is_better=True)
    return Corpus.of({"X": first, "Y": second}, ratings={name: rating})


def test_systems_with_the_same_texts_are_equal() -> None:
    statistics = measure(noisy("COMET"), "rating:COMET")
    family = Settings().family(statistics)
    assert family[0].difference == 0
    assert family[0].n_differing == 0
    assert (family[0].p_value, verdict(family[0]).word) == (1.0, "not_significant")
    (note,) = (note.text for note in statistics.notes if "same text" in note.text)
    worded(note, "60 of 60", "6e-05")
    assert float(statistics.scores[0]) == pytest.approx(0.7 + 3e-5, abs=0.05)


def test_only_segments_that_differ_count() -> None:
    statistics = measure(noisy("COMET", 0.75, effect=0.05), "rating:COMET")
    # The texts that differ stand together: by blocks there are two units of them.
    family = Settings(unit="segment").family(statistics)
    assert family[0].n_differing == 15
    assert verdict(family[0]).winner == "X"


@pytest.mark.parametrize(("name", "kept"), [("MQM", True), ("ESA", True), ("effort", True), ("MetricX-24", False)])
def test_ratings_of_people_stay_as_they_are(name: str, kept: bool) -> None:
    statistics = measure(noisy(name), f"rating:{name}")
    assert (statistics.values[0, 0] != statistics.values[0, 1]).all() == kept
    assert any("so they are kept" in note.text for note in statistics.notes) == (name == "effort")


def test_means_over_samples_are_not_scores_of_the_first_text() -> None:
    texts = {name: ["one", "two"] if name.endswith("1") else ["six", "ten"] for name in ("A.1", "A.2", "B.1", "B.2")}
    rating = Rating(np.array([[0.5, 0.1], [0.7, 0.2], [0.5, 0.1], [0.3, 0.4]]), higher_is_better=True)
    corpus = Corpus.of(texts, ratings={"comet": rating}).pooled({"A": ["A.1", "A.2"], "B": ["B.1", "B.2"]})
    assert not any("same text" in note.text for note in measure(corpus, "rating:comet").notes)


def test_three_systems_two_of_which_agree() -> None:
    rating = Rating(np.array([[0.5, 0.1], [0.7, 0.2], [0.9, 0.3]]), higher_is_better=True)
    texts = {"A": ["one", "a"], "B": ["two", "b"], "C": ["one", "c"]}
    statistics = measure(Corpus.of(texts, ratings={"comet": rating}), "rating:comet")
    assert statistics.values[0].round(6).tolist() == [[0.7, 0.1], [0.7, 0.2], [0.7, 0.3]]


def test_what_is_not_rated_takes_no_part() -> None:
    rating = Rating(np.array([[0.5, 0.1], [np.nan, 0.2]]), higher_is_better=True)
    statistics = measure(Corpus.of({"A": ["one", "a"], "B": ["one", "b"]}, ratings={"comet": rating}), "rating:comet")
    assert statistics.values[0, 0].round(6).tolist() == [0.5, 0.1]
    assert not any("same text" in note.text for note in statistics.notes)


def test_raters_who_are_told_apart_are_people() -> None:
    corpus = noisy("COMET")
    values = corpus.ratings["COMET"].values
    rating = Rating(values, higher_is_better=True, rater_scores=RaterScores.of({"Ann": values}))
    statistics = measure(Corpus.of(corpus.outputs, ratings={"COMET": rating}), "rating:COMET")
    assert (statistics.values[0, 0] != statistics.values[0, 1]).all()


def test_sentence_ter_is_the_mean_of_sacrebleus_sentences() -> None:
    sample = read_sample().take(range(40))
    (reference,) = ([str(line) for line in lines] for lines in sample.references.values())
    statistics = measure(sample, "sentter")
    assert not statistics.metric.higher_is_better
    program = TER()
    for system, found in zip(statistics.systems, statistics.segment_scores, strict=True):
        lines = zip(sample.lines(system), reference, strict=True)
        each = [program.sentence_score(line, [wanted]).score for line, wanted in lines]
        assert found == pytest.approx(each, abs=2.0**-20)
    np.testing.assert_allclose(statistics.scores, statistics.segment_scores.mean(axis=1), atol=1e-6)
    assert compare(statistics, "t")[0].p_value <= 1


@pytest.mark.parametrize(("late", "warned"), [(1, True), (0, False), (2, False)])
def test_scores_numbered_from_0_and_from_1_are_told(late: int, warned: bool) -> None:
    values = np.full((2, 42), np.nan)
    values[0, :41] = np.linspace(0, 1, 41)
    values[1, late : late + (41 if late < 2 else 40)] = values[0, : 41 if late < 2 else 40]
    corpus = Corpus.of({"X": None, "Y": None}, ratings={"COMET": Rating(values, higher_is_better=True)})
    told = [note.text for note in measure(corpus, "rating:COMET").notes if "numbered from 0" in note.text]
    assert len(told) == warned
    assert all(text.startswith("COMET: X lacks only the last segment, and Y only the first.") for text in told)
