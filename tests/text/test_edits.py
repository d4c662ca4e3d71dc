"""TER's edits against sacreBLEU's `translation_edit_rate`: within its beam and outside, and at its limits."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import lib_ter

from mtsig.text import edits
from mtsig.text.edits import align, count_edits, fewest_edits


def sacrebleus(hypothesis: Sequence[str], reference: Sequence[str]) -> int:
    return int(lib_ter.translation_edit_rate(list(hypothesis), list(reference))[0])


def texts(words: int, most: int, least: int = 0) -> st.SearchStrategy[str]:
    return st.text(alphabet=[chr(ord("a") + i) for i in range(words)], min_size=least, max_size=most)


@st.composite
def moved(draw: st.DrawFn, words: int, most: int, least: int) -> tuple[str, str]:
    """Draw a reference and what is left of it when blocks are moved, words replaced and a stretch is dropped."""
    reference = draw(texts(words, most, least))
    hypothesis = reference
    for _ in range(draw(st.integers(0, 4))):
        start, length, target = (draw(st.integers(0, len(hypothesis))) for _ in range(3))
        block, rest = hypothesis[start : start + length % 12], hypothesis[:start] + hypothesis[start + length % 12 :]
        hypothesis = rest[:target] + block + rest[target:]
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, max(0, len(hypothesis) - 1)))
        hypothesis = hypothesis[:at] + draw(texts(words + 2, 3)) + hypothesis[at + 1 :]
    if draw(st.booleans()):
        at, length = draw(st.integers(0, len(hypothesis))), draw(st.integers(0, 30))
        hypothesis = hypothesis[:at] + hypothesis[at + length :]
    return hypothesis, reference


@settings(max_examples=1000, deadline=None, derandomize=True)
@given(texts(4, 9), texts(3, 9))
def test_short_segments(hypothesis: str, reference: str) -> None:
    assert count_edits(hypothesis, reference) == sacrebleus(hypothesis, reference)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(moved(words=8, most=26, least=4))
def test_segments_with_blocks_moved(pair: tuple[str, str]) -> None:
    assert count_edits(*pair) == sacrebleus(*pair)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(moved(words=26, most=80, least=50))
def test_long_segments(pair: tuple[str, str]) -> None:
    assert count_edits(*pair) == sacrebleus(*pair)


@settings(max_examples=8, deadline=None, derandomize=True)
@given(texts(20, 60, 45), texts(20, 60, 45))
def test_long_segments_that_have_little_in_common(hypothesis: str, reference: str) -> None:
    # Their distances are above what the beam is sure to hold.
    assert count_edits(hypothesis, reference) == sacrebleus(hypothesis, reference)


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [("", ""), ("abc", ""), ("", "abc"), ("abc", "abc"), ("a", "b" * 60 + "a"), ("ab" * 30, "ba" * 31)],
)
def test_edges(hypothesis: str, reference: str) -> None:
    assert count_edits(hypothesis, reference) == sacrebleus(hypothesis, reference)


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [("ccaaaacb" * 3 + "ccaaaa", "aaaaccbc" * 4), ("caadddbbb" * 4 + "ca", "daacbbbdd" * 5), ("ab" * 24, "ba" * 24)],
)
def test_more_candidates_than_sacrebleu_looks_at(
    hypothesis: str, reference: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert count_edits(hypothesis, reference) == sacrebleus(hypothesis, reference)
    monkeypatch.setattr(lib_ter, "_MAX_SHIFT_CANDIDATES", 200)
    assert count_edits(hypothesis, reference) == sacrebleus(hypothesis, reference)


def test_stopping_early_shows() -> None:
    # After 1000 candidates sacreBLEU gives up; with more patience it would find 6.
    assert count_edits("ccaaaacb" * 3 + "ccaaaa", "aaaaccbc" * 4) == 9


@settings(max_examples=300, deadline=None, derandomize=True)
@given(texts(5, 20, 1), texts(5, 24, 1))
def test_the_alignment(hypothesis: str, reference: str) -> None:
    _, trace = lib_ter.BeamEditDistance(list(reference))(list(hypothesis))
    places, wanted, wrong = lib_ter.trace_to_alignment(lib_ter._flip_trace(trace))
    assert align(hypothesis, reference) == ([places[j] for j in range(len(reference))], wrong, wanted)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(moved(words=12, most=60, least=26))
def test_where_the_beam_is_said_to_hold_it_does(pair: tuple[str, str]) -> None:
    hypothesis, reference = pair
    found, trace = lib_ter.BeamEditDistance(list(reference))(list(hypothesis))
    plain = edits.Levenshtein.distance(hypothesis, reference)
    assert found >= plain
    if plain + abs(len(hypothesis) - len(reference)) <= 46:
        assert found == plain
        places, wanted, wrong = lib_ter.trace_to_alignment(lib_ter._flip_trace(trace))
        assert align(hypothesis, reference) == ([places[j] for j in range(len(reference))], wrong, wanted)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(texts(5, 10), st.lists(texts(5, 10), min_size=1, max_size=4))
def test_the_reference_that_needs_the_fewest(hypothesis: str, references: list[str]) -> None:
    assert fewest_edits(hypothesis, references) == min(sacrebleus(hypothesis, one) for one in references)


def test_a_shift_counts_as_one_edit() -> None:
    # Snover et al. 2006, section 3: a shift of any length over any distance costs as much as replacing one word.
    assert count_edits("efabcd", "abcdef") == 1
    assert edits.Levenshtein.distance("efabcd", "abcdef") == 4
