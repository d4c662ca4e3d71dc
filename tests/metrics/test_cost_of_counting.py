"""What counting costs when a system repeats itself: alignments stay the same, and time and memory in bounds."""

import random
import time
import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mtsig import Corpus, measure
from mtsig.cache import closed
from mtsig.errors import NotApplicable
from mtsig.limits import Limits, within
from mtsig.metrics._gtm import matched_runs
from mtsig.text._alignment import NONE, align


def seconds(work: Callable[[], object]) -> float:
    """Return the least of three times of the processor."""
    found = []
    for _ in range(3):
        began = time.process_time()
        work()
        found.append(time.process_time() - began)
    return min(found)


LOOPS: dict[str, Callable[[int], tuple[list[str], list[str]]]] = {
    "one word against a sentence": lambda n: (["the"] * n, ["the", "cat"] * 30),
    "one word on both sides": lambda n: (["the"] * n, ["the"] * n),
    "two words in turn": lambda n: (["the", "cat"] * (n // 2), ["cat", "the", "sat"] * (n // 3)),
}


def synonyms(word: str) -> tuple[int, ...]:
    """A relation that is not transitive, so that words compete for partners that others cannot have."""
    return {"the": (1,), "cat": (1, 2), "sat": (2, 3)}[word]


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("stage", [lambda word: (word,), synonyms])
def test_repeated_words_are_aligned_in_time_that_hardly_grows_faster_than_they_do(
    loop: str, stage: Callable[[str], tuple[object, ...]]
) -> None:
    times = [seconds(lambda n=n: align(*LOOPS[loop](n), [stage])) for n in (60, 480)]
    # Eight times the words: linear work takes 8 times as long, quadratic 64, cubic 512.
    assert times[1] < 28 * times[0]


def itself(word: str) -> tuple[str]:
    return (word,)


def test_a_looping_output_has_the_matches_that_it_can_have() -> None:
    found = align(["the"] * 2_000, ["the", "cat"] * 30, [lambda word: (word,)])
    assert (found.matches, found.chunks) == ((30,), 30)
    found = align(["the"] * 1_500, ["the"] * 1_500, [lambda word: (word,)])
    assert (found.matches, found.chunks) == ((1_500,), 1)


def test_the_words_of_long_hypotheses_cost_no_more_than_those_of_shorter_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig.text._alignment.LONG", 100)
    times = [seconds(lambda n=n: align(["the", "cat"] * n, ["cat", "the", "the"] * n, [itself])) for n in (50, 500)]
    # Ten times the words, each with a tenth of the ways to go on: about as long.
    assert times[1] < 4 * times[0]
    found = align(["the"] * 1_000, ["the"] * 1_000, [itself])
    assert (found.matches, found.chunks) == ((1_000,), 1)


def test_where_the_beam_is_narrower_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig.metrics._meteor.LONG", 11)
    corpus = Corpus.of({"x": ["a", "b", LONG], "y": [LONG, "c", "b"]}, {"r": ["a", None, "b"]})
    notes = [note.text for note in measure(corpus, "meteor").notes if "fewer alignments" in note.text]
    assert len(notes) == 1
    assert notes[0].endswith("2, the first x, segment 3.")
    monkeypatch.setattr("mtsig.metrics._meteor.LONG", 12)
    assert not any("fewer alignments" in note.text for note in measure(corpus, "meteor").notes)


def permuted(segments: int, words: int) -> Corpus:
    """Outputs that have the words of their references in another order, each once: the most shifts to try."""
    order = random.Random(1)
    lines = [[f"w{number}" for number in range(words)] for _ in range(segments)]
    outputs = [" ".join(order.sample(line, words)) for line in lines]
    return Corpus.of({"x": outputs}, {"r": [" ".join(line) for line in lines]})


def test_ter_of_permuted_words_takes_time_that_grows_with_segments_and_words() -> None:
    def taken(segments: int, words: int) -> float:
        corpus = permuted(segments, words)
        with closed():
            return seconds(lambda: measure(corpus, "ter"))

    short = taken(1, 500)
    # Eight times the words or segments: linear work takes 8 times as long, quadratic 64.
    assert taken(1, 4_000) < 28 * short
    assert taken(8, 500) < 16 * short


def most_matches(hypothesis: list[str], reference: list[str]) -> int:
    """Return the size of a maximum matching, by trying for one word after the other whom it could displace."""
    owner: dict[int, int] = {}

    def placed(i: int, tried: set[int]) -> bool:
        for j, word in enumerate(reference):
            if j not in tried and set(synonyms(word)) & set(synonyms(hypothesis[i])):
                tried.add(j)
                if j not in owner or placed(owner[j], tried):
                    owner[j] = i
                    return True
        return False

    return sum(placed(i, set()) for i in range(len(hypothesis)))


FEW_WORDS = st.lists(st.sampled_from(["the", "cat", "sat"]), max_size=25)


# A beam full of ways with fewer chunks, none of which leaves "cat" to "sat".
@example(["the", "sat"] * 3, ["cat", *["the"] * 9])
@given(FEW_WORDS, FEW_WORDS)
@settings(deadline=None, max_examples=100)
def test_words_that_compete_are_matched_as_often_as_can_be(hypothesis: list[str], reference: list[str]) -> None:
    found = align(hypothesis, reference, [synonyms])
    assert found.matches == (most_matches(hypothesis, reference),)
    linked = [link for link in found.links if link != NONE]
    assert len(set(linked)) == len(linked) == found.matches[0]


def one_by_one(hypothesis: list[str], reference: list[str]) -> list[int]:
    """Return the lengths of matched runs by looking through all pairs of places for the longest free run, each time."""
    ours, theirs = list[str | None](hypothesis), list[str | None](reference)
    found = []
    while True:
        runs = []
        for i in range(len(ours)):
            for j in range(len(theirs)):
                length = 0
                for own, other in zip(ours[i:], theirs[j:], strict=False):
                    if own is None or own != other:
                        break
                    length += 1
                if length:
                    runs.append((-length, i, j))
        if not runs:
            return found
        length, i, j = min(runs)
        found.append(-length)
        ours[i : i - length] = theirs[j : j - length] = [None] * -length


@given(FEW_WORDS, FEW_WORDS)
@settings(deadline=None, max_examples=100)
def test_runs_are_those_that_are_found_one_by_one(hypothesis: list[str], reference: list[str]) -> None:
    assert matched_runs(hypothesis, reference) == one_by_one(hypothesis, reference)


@pytest.mark.parametrize("other", ["the", "cat"])
def test_runs_hold_pairs_as_bits(other: str) -> None:
    hypothesis, reference = ["the", other] * 1_000, [other, "the"] * 1_000
    tracemalloc.start()
    assert sum(matched_runs(hypothesis, reference)) == 2_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # There are 2,000,000 pairs of equal words or more, each of some 150 bytes if it were an object.
    assert peak < 2**24


def test_runs_of_every_length_are_found_in_the_time_of_few() -> None:
    # Of all texts of so many words, one whose runs have the most different lengths takes the most passes.
    blocks = [["a"] * length + [f"end {length}"] for length in range(1, 60)]
    reference = [word for block in reversed(blocks) for word in [*block[:-1], f"no {block[-1]}"]]
    hypothesis = [word for block in blocks for word in block]
    assert matched_runs(hypothesis, reference) == list(range(59, 0, -1))
    assert seconds(lambda: matched_runs(hypothesis, reference)) < 1.5


LONG = "a b " * 6


@pytest.mark.parametrize("metric", ["ter", "meteor", "gtm:exponent=2"])
def test_metrics_that_align_refuse_long_segments(metric: str) -> None:
    for corpus, said in (
        (Corpus.of({"x": ["a", LONG]}, {"r": ["a", "b"]}), "x, segment 2: found 12 words; at most 11 are taken"),
        (Corpus.of({"x": ["a", "b"]}, {"r": [LONG, "b"]}), "r, segment 1: found 12 words; at most 11 are taken"),
    ):
        with closed(), within(Limits(max_tokens=11)), pytest.raises(NotApplicable, match=said) as raised:
            measure(corpus, metric)
        assert "--max-tokens" in str(raised.value)
        with closed(), within(Limits(max_tokens=12)):
            limited = measure(corpus, metric)
        with closed():
            assert limited.scores.tolist() == measure(corpus, metric).scores.tolist()


@pytest.mark.parametrize("metric", ["wer", "rouge-l"])
def test_metrics_that_look_at_every_pair_of_words_refuse_too_many(metric: str) -> None:
    corpus = Corpus.of({"x": ["a", "a b"], "y": [LONG, "a"]}, {"r": ["a", "b"], "s": ["a b c", None]})
    with closed(), within(Limits(max_word_pairs=35)), pytest.raises(NotApplicable) as raised:
        measure(corpus, metric)
    assert "y, segment 1: found 36 pairs of words; at most 35 are taken" in str(raised.value)
    assert "--max-word-pairs N" in str(raised.value)
    with closed(), within(Limits(max_word_pairs=36)):
        assert len(measure(corpus, metric).scores) == 2


@pytest.mark.parametrize("metric", ["bleu", "chrf", "gtm", "per", "wer", "rouge-l", "nist"])
def test_metrics_that_count_in_one_pass_take_segments_of_any_length(metric: str) -> None:
    corpus = Corpus.of({"x": ["a b c d e", LONG]}, {"r": ["a b c d e", LONG]})
    with closed(), within(Limits(max_tokens=11)):
        assert len(measure(corpus, metric).scores) == 1
