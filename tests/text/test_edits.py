"""TER's edits against sacreBLEU's `translation_edit_rate`: within its beam and outside, and at its limits."""

import random
import time
import tracemalloc
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein
from sacrebleu.metrics import lib_ter
from sampled import slow

from mtsig import Corpus, measure
from mtsig._memory import closed
from mtsig.text import _beams as beams
from mtsig.text import _beams as pairs
from mtsig.text import _edits as text_edits
from mtsig.text._tokens import Rows


def sacrebleus(hypothesis: Sequence[str], reference: Sequence[str]) -> int:
    return int(lib_ter.translation_edit_rate(list(hypothesis), list(reference))[0])


def rows(lines: Sequence[str], known: Sequence[str]) -> Rows:
    """Return lines in which a character is a word; what its reference lacks is 0."""
    symbols = [[ord(word) if word in words else 0 for word in line] for line, words in zip(lines, known, strict=True)]
    flat = [symbol for line in symbols for symbol in [*line, 0]]
    lengths = np.array([len(line) for line in lines], dtype=np.intp)
    return Rows(np.array(flat, dtype=np.intp), lengths, np.arange(len(lines)))


def part(some: Sequence[tuple[str, str]]) -> tuple[Rows, Rows]:
    hypotheses, references = zip(*some, strict=True)
    return rows(hypotheses, references), rows(references, references)


def edits(some: Sequence[tuple[str, str]]) -> list[int]:
    found: list[int] = text_edits.count_edits([part(some)], np.arange(len(some))).tolist()
    return found


def count_edits(hypothesis: str, reference: str) -> int:
    return edits([(hypothesis, reference)])[0]


def fewest_edits(hypothesis: str, references: Sequence[str]) -> int:
    parts = [part([(hypothesis, reference)]) for reference in references]
    return int(text_edits.count_edits(parts, np.zeros(len(references), dtype=np.intp))[0])


def aligned(hypothesis: str, reference: str, *, beam: bool) -> tuple[list[int], list[int], list[int]]:
    found = beams.alignments(*pairs.Pairs.joined([part([(hypothesis, reference)])]), beam=beam)
    return found.places[1:-1].tolist(), found.wrong[1:-1].tolist(), found.wanted[1:-1].tolist()


def sacrebleus_beam(hypothesis: str, reference: str) -> tuple[int, str]:
    """Return the distance that sacreBLEU's beam finds, and its way."""
    distance, trace = lib_ter.BeamEditDistance(list(reference))(list(hypothesis))
    return int(distance), trace


def sacrebleus_alignment(trace: str, reference: str) -> tuple[list[int], list[int], list[int]]:
    places, wanted, wrong = lib_ter.trace_to_alignment(lib_ter._flip_trace(trace))
    return [places[j] for j in range(len(reference))], wrong, wanted


def distance(hypothesis: str, reference: str, *, beam: bool) -> int:
    return int(beams.distances(*pairs.Pairs.joined([part([(hypothesis, reference)])]), beam=beam)[0])


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


@settings(max_examples=150, deadline=None, derandomize=True)
@given(texts(4, 9), texts(3, 9))
def test_short_segments(hypothesis: str, reference: str) -> None:
    assert count_edits(hypothesis, reference) == sacrebleus(hypothesis, reference)


@settings(max_examples=62, deadline=None, derandomize=True)
@given(moved(words=8, most=26, least=4))
def test_segments_with_blocks_moved(pair: tuple[str, str]) -> None:
    assert count_edits(*pair) == sacrebleus(*pair)


@pytest.mark.slow
@settings(max_examples=6, deadline=None, derandomize=True)
@given(moved(words=26, most=80, least=50))
def test_long_segments(pair: tuple[str, str]) -> None:
    assert count_edits(*pair) == sacrebleus(*pair)


@pytest.mark.slow
@settings(max_examples=2, deadline=None, derandomize=True)
@given(texts(20, 60, 45), texts(20, 60, 45))
def test_long_segments_that_have_little_in_common(hypothesis: str, reference: str) -> None:
    # Their distances are above what the beam is sure to hold.
    assert count_edits(hypothesis, reference) == sacrebleus(hypothesis, reference)


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [("", ""), ("abc", ""), ("", "abc"), ("", "a" * 70), ("abc", "abc"), ("a", "b" * 60 + "a"), ("ab" * 30, "ba" * 31)],
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


@settings(max_examples=75, deadline=None, derandomize=True)
@given(texts(5, 20, 1), texts(5, 24, 1))
def test_the_alignment(hypothesis: str, reference: str) -> None:
    expected = sacrebleus_alignment(sacrebleus_beam(hypothesis, reference)[1], reference)
    assert aligned(hypothesis, reference, beam=False) == expected
    assert aligned(hypothesis, reference, beam=True) == expected


@settings(max_examples=25, deadline=None, derandomize=True)
@given(moved(words=12, most=60, least=26))
def test_where_the_beam_is_said_to_hold_it_does(pair: tuple[str, str]) -> None:
    assume(pair[0])  # what has no words is counted without a beam (test_edges)
    found = distance(*pair, beam=True)
    theirs, trace = sacrebleus_beam(*pair)
    assert found == theirs
    plain = Levenshtein.distance(*pair)
    assert found >= plain == distance(*pair, beam=False)
    if plain + abs(len(pair[0]) - len(pair[1])) <= 46:
        assert found == plain
        assert aligned(*pair, beam=False) == sacrebleus_alignment(trace, pair[1])


@settings(max_examples=25, deadline=None, derandomize=True)
@given(texts(6, 90, 3), texts(4, 150, 26))
def test_the_edge_of_the_beam(hypothesis: str, reference: str) -> None:
    # Little in common, and up to 50 words for each of the hypothesis: the ways run along both edges, and windows move.
    theirs, trace = sacrebleus_beam(hypothesis, reference)
    assert distance(hypothesis, reference, beam=True) == theirs
    assert aligned(hypothesis, reference, beam=True) == sacrebleus_alignment(trace, reference)


@pytest.mark.parametrize("cells", [1, 900])
def test_distances_after_shifts_of_which_few_rows_are_computed(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beams, "MOST_CELLS", cells)
    rng = random.Random(cells)
    # As many words on both sides; ten for each of the hypothesis; fewer than it has; one window only.
    sizes = [(150, 150), (14, 140), (120, 40), (60, 60)]
    some = [("".join(rng.choices("abcdefghijkl", k=n)), "".join(rng.choices("abcdefghijkl", k=m))) for n, m in sizes]
    of, rotations, expected = [], [], []
    for number, (hypothesis, reference) in enumerate(some):
        for _ in range(8):
            begin, middle, end = sorted(rng.sample(range(len(hypothesis) + 1), 3))
            after = hypothesis[:begin] + hypothesis[middle:end] + hypothesis[begin:middle] + hypothesis[end:]
            of.append(number)
            rotations.append((begin, end - middle, middle - begin))
            expected.append(sacrebleus_beam(after, reference)[0])
    order = rng.sample(range(len(of)), len(of))
    rotation = beams.Rotation(*np.array(rotations)[order].T)
    found = beams.shifted_distances(*beams.Pairs.joined([part(some)]), np.array(of)[order], rotation, beam=True)
    assert found.tolist() == [expected[i] for i in order]


@pytest.mark.slow
def test_a_long_reference_beside_a_short_one() -> None:
    # The windows of the first pair's rows are far more than the words of the second one have.
    long, short = "".join(chr(200 + i) for i in range(900)), "abcdefghijklmnopqrstuvwxyzäöü"
    some = [(long[400:430] + long[:10], long), (short[::-1] + "?" * 30, short)]
    assert edits(some) == [sacrebleus(*pair) for pair in some]


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.lists(moved(words=6, most=40, least=0) | st.tuples(texts(2, 12), texts(2, 12)), min_size=1, max_size=30))
def test_many_pairs_at_once(some: list[tuple[str, str]]) -> None:
    assert edits(some) == [sacrebleus(*pair) for pair in some]


@pytest.mark.parametrize("length", [25, 64, *slow(24, 63)])
def test_lengths_at_which_beam_and_window_begin(length: int) -> None:
    rng = random.Random(length)
    some = []
    for _ in range(2 if length < 60 else 1):  # sacreBLEU takes half a second for a long one
        reference = "".join(rng.choices("abcdefghijklmnopqrst", k=length))
        start, stop = sorted(rng.sample(range(length), 2))
        some.append((reference[stop:] + reference[start:stop][: rng.randint(0, 40)] + reference[:start], reference))
    assert edits(some) == [sacrebleus(*pair) for pair in some]


@pytest.mark.parametrize("cells", [1, 200])
def test_neither_small_portions_nor_large_tables_show(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(cells)
    lengths = [(rng.randint(0, 30), rng.randint(0, 70)) for _ in range(20)]
    some = [("".join(rng.choices("abcdefgh", k=n)), "".join(rng.choices("abcdef", k=m))) for n, m in lengths]
    expected = edits(some)
    monkeypatch.setattr(beams, "MOST_CELLS", cells)
    monkeypatch.setattr(pairs, "MOST_CELLS", cells)
    monkeypatch.setattr(text_edits, "MOST_STARTS", cells)
    assert edits(some) == expected


@pytest.mark.parametrize(("words", "length"), [(500, 800), pytest.param(3, 5000, marks=pytest.mark.slow)])
def test_lines_of_pages_take_little_memory(words: int, length: int) -> None:
    rng = random.Random(1)
    alphabet = [chr(256 + word) for word in range(words)]
    reference, other = ("".join(rng.choices(alphabet, k=length)) for _ in range(2))
    hypothesis = reference[: length // 2] + other[: length // 50] + reference[length // 2 + 60 :]
    tracemalloc.start()
    assert 0 < count_edits(hypothesis, reference) < length
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 300e6


@settings(max_examples=50, deadline=None, derandomize=True)
@given(texts(5, 10), st.lists(texts(5, 10), min_size=1, max_size=4))
def test_the_reference_that_needs_the_fewest(hypothesis: str, references: list[str]) -> None:
    assert fewest_edits(hypothesis, references) == min(sacrebleus(hypothesis, one) for one in references)


def test_a_shift_counts_as_one_edit() -> None:
    # Snover et al. 2006, section 3: a shift of any length over any distance costs as much as replacing one word.
    assert count_edits("efabcd", "abcdef") == 1
    assert Levenshtein.distance("efabcd", "abcdef") == 4


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        ("cdab", "abcd"),
        ("abcdefgh", "ghabcdef"),
        ("", "ab"),
        ("ab", ""),
        ("fgabcde", "abcdefg" * 60),
        ("ba", "".join(chr(200 + i) for i in range(110)) + "ab"),
    ],
)
def test_shifts_bring_words_where_the_distance_is_what_is_left(hypothesis: str, reference: str) -> None:
    check_shifts(hypothesis, reference)


@settings(max_examples=20, deadline=None)
@given(st.text("abcde", max_size=60), st.text("abcdef", max_size=60))
def test_shifts_add_up_with_the_distance_that_is_left(hypothesis: str, reference: str) -> None:
    check_shifts(hypothesis, reference)


def check_shifts(hypothesis: str, reference: str) -> None:
    found = text_edits.shifted(list(hypothesis), list(reference))
    assert sorted(found.order.tolist()) == list(range(len(hypothesis)))
    after = [hypothesis[i] for i in found.order.tolist()]
    left = lib_ter.BeamEditDistance(list(reference))(after)[0] if reference else len(after)
    assert found.shifts + left == sacrebleus(hypothesis, reference)
    assert found.moved.any() <= (found.shifts > 0)


def seconds(work: Callable[[], object], times: int) -> float:
    """Return the least of so many times of the processor."""
    found = []
    for _ in range(times):
        began = time.process_time()
        work()
        found.append(time.process_time() - began)
    return min(found)


def permuted(segments: int, words: int) -> Corpus:
    """Outputs that have the words of their references in another order, each once: the most shifts to try."""
    order = random.Random(1)
    lines = [[f"s{segment}w{number}" for number in range(words)] for segment in range(segments)]
    outputs = [" ".join(order.sample(line, words)) for line in lines]
    return Corpus.of({"x": outputs}, {"r": [" ".join(line) for line in lines]})


def test_ter_of_permuted_words_takes_time_that_grows_with_segments_and_words() -> None:
    def taken(segments: int, words: int, times: int = 1) -> float:
        corpus = permuted(segments, words)
        with closed():
            return seconds(lambda: measure(corpus, "ter"), times)

    short = taken(1, 100, 3)
    # Eight times the words or segments: linear work takes 8 times as long, quadratic 64.
    assert taken(1, 800) < 24 * short
    assert taken(8, 100) < 24 * short
    # Of several together a word costs about as much in long segments as in short ones; quadratic, 16 times as much.
    assert taken(2, 1_200) < 2 * 4 * taken(2, 300, 3)
