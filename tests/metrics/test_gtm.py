"""GTM, whose program is not at hand: examples by hand, and laws that any matching obeys."""

import time
import tracemalloc
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig import Corpus, measure, read_sample
from mtsig.metrics import Gtm
from mtsig.metrics._gtm import matched_runs, placed_runs

RUNS = [
    ("a b c d", "a b c d", [4]),
    ("a b c d", "c d a b", [2, 2]),
    ("a b c d", "d c b a", [1, 1, 1, 1]),
    # The longest first: b c d; then a, which cannot use the reference's second b.
    ("a b c d", "b c d b a", [3, 1]),
    # "a b a" is taken from the left; then only "a" and "b" of the rest have partners: hypothesis "b a" against "b".
    ("a b a b a", "a b a b", [4]),
    ("a b a b a", "b a a b a", [3, 2]),
    ("a a a", "a a", [2]),
    ("x y", "a b", []),
    ("", "a b", []),
    # c d e first; it cuts the run "a b c" down to "a b".
    ("a b c d e", "c d e a b c", [3, 2]),
]


@pytest.mark.parametrize(("hypothesis", "reference", "expected"), RUNS)
def test_runs_by_hand(hypothesis: str, reference: str, expected: list[int]) -> None:
    assert matched_runs(hypothesis.split(), reference.split()) == expected


BY_HAND = [
    # Equal: M = 4, F = 2·4/(4 + 4).
    ({}, "a b c d", ["a b c d"], 100),
    # Order does not count with e = 1: M = 4.
    ({}, "d c b a", ["a b c d"], 100),
    # It does with e = 2: runs 1 1 1 1, M = √4 = 2: F = 2·2/8.
    ({"exponent": 2}, "d c b a", ["a b c d"], 50),
    # Runs 2 2: M = √8 = 2.828427: F = 2·2.828427/8 = .707107.
    ({"exponent": 2}, "c d a b", ["a b c d"], 70.710678),
    # One word wrong, e = 1: M = 3, F = 6/8.
    ({}, "a b x d", ["a b c d"], 75),
    # The same with e = 2: runs 2 1, M = √5 = 2.236068, F = .559017.
    ({"exponent": 2}, "a b x d", ["a b c d"], 55.901699),
    # With e = 3: M = ∛(8 + 1) = 2.080084, F = .520021.
    ({"exponent": 3}, "a b x d", ["a b c d"], 52.002096),
    # Clipped: one of three a's: M = 1, P = 1/3, R = 1/2, F = 2/5.
    ({}, "a a a", ["a b"], 40),
    ({"part": "precision"}, "a a a", ["a b"], 33.333333),
    ({"part": "recall"}, "a a a", ["a b"], 50),
    # Two references: F = 2·1/(2 + 2) against the first, 2·2/(2 + 3) against the second: the second.
    ({}, "a b", ["a x", "a y b"], 80),
    ({}, "", ["a b"], 0),
    ({}, "a", ["b"], 0),
]


@pytest.mark.parametrize(("options", "output", "references", "expected"), BY_HAND)
def test_scores_by_hand(options: dict[str, object], output: str, references: list[str], expected: float) -> None:
    corpus = Corpus.of({"x": [output]}, {f"r{i}": [line] for i, line in enumerate(references)})
    assert measure(corpus, Gtm(tokenize="none", **options)).scores[0] == pytest.approx(expected, abs=1e-4)


def test_a_test_set_has_the_f_of_its_sums() -> None:
    corpus = Corpus.of({"x": ["a b", "c d x y"]}, {"r": ["a b", "c d"]})
    # M = 2 + 2, H = 2 + 4, R = 2 + 2: F = 8/10, and not the mean of 100 and 66.7.
    assert measure(corpus, "gtm").scores.tolist() == [80]
    # Each segment's size is taken by itself: e = 2 leaves the equal segment its 2 words.
    assert measure(corpus, "gtm:exponent=2").scores.tolist() == [80]


WORDS = st.lists(st.sampled_from("abcd"), max_size=8)


@given(WORDS, WORDS)
@settings(deadline=None)
def test_as_many_words_are_matched_as_can_be(one: list[str], other: list[str]) -> None:
    runs = matched_runs(one, other)
    assert sum(runs) == (Counter(one) & Counter(other)).total()
    assert runs == sorted(runs, reverse=True)


@given(WORDS, WORDS)
@settings(deadline=None)
def test_the_first_run_is_the_longest_common_one(one: list[str], other: list[str]) -> None:
    def parts(words: list[str]) -> set[tuple[str, ...]]:
        return {tuple(words[i:j]) for i, j in combinations(range(len(words) + 1), 2)}

    assert matched_runs(one, other)[:1] == sorted(map(len, parts(one) & parts(other)))[-1:]


def best_size(one: list[str], other: list[str]) -> float:
    """Return the greatest √Σ length² of any matching, by trying all of them."""

    def sizes(i: int, used: frozenset[int], last: int, run: int) -> float:
        if i == len(one):
            return run**2
        found = run**2 + sizes(i + 1, used, -2, 0)
        for j in range(len(other)):
            if j in used or one[i] != other[j]:
                continue
            longer = run + 1 if j == last + 1 else 1
            closed = 0 if j == last + 1 else run**2
            found = max(found, closed + sizes(i + 1, used | {j}, j, longer))
        return found

    return sqrt(sizes(0, frozenset(), -2, 0))


@given(st.lists(st.sampled_from("abc"), max_size=5), st.lists(st.sampled_from("abc"), max_size=5))
@settings(deadline=None, max_examples=100)
def test_greedy_runs_are_near_the_best(one: list[str], other: list[str]) -> None:
    greedy, best = sqrt(sum(run**2 for run in matched_runs(one, other))), best_size(one, other)
    assert 0.8 * best <= greedy <= best + 1e-12


def test_a_large_exponent_counts_the_longest_run_alone() -> None:
    corpus = Corpus.of({"x": ["a b c x d e"]}, {"r": ["a b c d e"]})
    assert measure(corpus, Gtm(exponent=100)).scores[0] == pytest.approx(200 * 3 / 11, abs=1e-4)


def test_longer_runs_never_raise_the_score_of_the_sample() -> None:
    sample = read_sample()
    scores = np.array([measure(sample, Gtm(exponent=e)).scores for e in (1.0, 1.5, 2.0)])
    assert (np.diff(scores, axis=0) < 0).all()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from("abcd"), max_size=14), st.lists(st.sampled_from("abcd"), max_size=14))
def test_runs_stand_where_they_say_and_use_every_word_once(one: list[str], other: list[str]) -> None:
    runs = placed_runs(one, other)
    for run in runs:
        assert one[run.start : run.start + run.length] == other[run.place : run.place + run.length]
    for places in ([(run.start, run.length) for run in runs], [(run.place, run.length) for run in runs]):
        used = [start + offset for start, length in places for offset in range(length)]
        assert len(set(used)) == len(used)


def seconds(work: Callable[[], object]) -> float:
    """Return the least of three times of the processor."""
    found = []
    for _ in range(3):
        began = time.process_time()
        work()
        found.append(time.process_time() - began)
    return min(found)


FEW_WORDS = st.lists(st.sampled_from(["the", "cat", "sat"]), max_size=25)


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
