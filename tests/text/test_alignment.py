"""METEOR's alignments: the fewest chunks among those with the most matches, stage by stage, at a cost in bounds."""

from collections.abc import Callable, Iterable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from made import seconds
from sampled import crossed

from mtsig.text._alignment import BEAM, NONE, Alignment, align

Common = Callable[[str], Iterable[object]]


def itself(word: str) -> tuple[str]:
    return (word,)


def first_letter(word: str) -> tuple[str]:
    return (word[0],)


def related(word: str) -> tuple[int, ...]:
    """A relation that is not transitive: a–b, b–c, c–d, but not a–c."""
    return {"a": (1,), "b": (1, 2), "c": (2, 3), "d": (3,)}[word]


BY_HAND = [
    ("a b c", "a b c", 3, 1),
    # Two words between: two chunks.
    ("a b x y c d", "a b c d", 4, 2),
    ("c d a b", "a b c d", 4, 2),
    ("d c b a", "a b c d", 4, 4),
    # The second "the" of the reference leaves "the cat" in one piece; the first would cut it.
    ("the cat", "the dog the cat", 2, 1),
    # One of two a's is matched: the one in front of b.
    ("a x a b", "a b", 2, 1),
    # a b a | b a as a b + a b a would be 2 chunks as well; no way does with 1.
    ("a b a b a", "b a a b a", 5, 2),
    ("x", "y", 0, 0),
    ("", "a", 0, 0),
]


@pytest.mark.parametrize(("hypothesis", "reference", "matches", "chunks"), BY_HAND)
def test_matches_and_chunks_by_hand(hypothesis: str, reference: str, matches: int, chunks: int) -> None:
    found = align(hypothesis.split(), reference.split(), [itself])
    assert (found.matches, found.chunks) == ((matches,), chunks)


def best(hypothesis: list[str], reference: list[str], common: Common) -> tuple[int, int]:
    """Return the most matches, and the fewest chunks with them, by trying every alignment."""
    found: list[tuple[int, int]] = []

    def extend(links: tuple[int, ...]) -> None:
        if len(links) == len(hypothesis):
            found.append((links.count(NONE), Alignment(links, ()).chunks))
            return
        extend((*links, NONE))
        for j, word in enumerate(reference):
            if j not in links and set(common(word)) & set(common(hypothesis[len(links)])):
                extend((*links, j))

    extend(())
    unmatched, chunks = min(found)
    return len(hypothesis) - unmatched, chunks


WORDS = st.lists(st.sampled_from("abcd"), max_size=6)


@pytest.mark.parametrize("common", [itself, related])
@given(hypothesis=WORDS, reference=WORDS)
@settings(deadline=None, max_examples=30)
def test_one_stage_is_the_best_there_is(common: Common, hypothesis: list[str], reference: list[str]) -> None:
    found = align(hypothesis, reference, [common])
    assert (found.matches[0], found.chunks) == best(hypothesis, reference, common)


@given(
    st.lists(st.sampled_from(["a", "ab", "b", "ba"]), max_size=8),
    st.lists(st.sampled_from(["a", "ac", "b"]), max_size=8),
)
@settings(deadline=None)
def test_a_stage_matches_only_what_the_stages_before_left(hypothesis: list[str], reference: list[str]) -> None:
    found = align(hypothesis, reference, [itself, first_letter])
    assert found.matches[0] == align(hypothesis, reference, [itself]).matches[0]
    assert sum(found.matches) == align(hypothesis, reference, [first_letter]).matches[0]
    linked = [link for link in found.links if link != NONE]
    assert len(set(linked)) == len(linked) == sum(found.matches)
    assert all(hypothesis[i][0] == reference[j][0] for i, j in enumerate(found.links) if j != NONE)


def test_many_repeated_words_are_aligned_well_in_the_beam() -> None:
    # 12! ways: far more than the beam holds, and the best is one chunk.
    assert BEAM < 1000
    words = ["the"] * 12
    found = align(words, words, [itself])
    assert (found.matches, found.chunks) == ((12,), 1)
    turned = align(["a", "the", "b", "the", "c"] * 6, ["c", "the", "b", "the", "a"] * 6, [itself])
    assert turned.matches == (30,)
    assert turned.chunks <= 18


def test_the_answer_is_one() -> None:
    found = [align(["a", "b", "a", "b"], ["b", "a", "b", "a"], [itself]) for _ in range(3)]
    assert found[0] == found[1] == found[2]
    assert align(["a"], ["a", "a"], [itself]).links == (0,)


LOOPS: dict[str, Callable[[int], tuple[list[str], list[str]]]] = {
    "one word against a sentence": lambda n: (["the"] * n, ["the", "cat"] * 30),
    "one word on both sides": lambda n: (["the"] * n, ["the"] * n),
    "two words in turn": lambda n: (["the", "cat"] * (n // 2), ["cat", "the", "sat"] * (n // 3)),
}


def synonyms(word: str) -> tuple[int, ...]:
    """A relation that is not transitive, so that words compete for partners that others cannot have."""
    return {"the": (1,), "cat": (1, 2), "sat": (2, 3)}[word]


@crossed("loop, stage", LOOPS, [lambda word: (word,), synonyms])
def test_repeated_words_are_aligned_in_time_that_hardly_grows_faster_than_they_do(
    loop: str, stage: Callable[[str], tuple[object, ...]]
) -> None:
    times = [seconds(lambda n=n: align(*LOOPS[loop](n), [stage])) for n in (60, 480)]
    # Eight times the words: linear work takes 8 times as long, quadratic 64, cubic 512.
    assert times[1] < 28 * times[0]


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
@settings(deadline=None, max_examples=50)
def test_words_that_compete_are_matched_as_often_as_can_be(hypothesis: list[str], reference: list[str]) -> None:
    found = align(hypothesis, reference, [synonyms])
    assert found.matches == (most_matches(hypothesis, reference),)
    linked = [link for link in found.links if link != NONE]
    assert len(set(linked)) == len(linked) == found.matches[0]
