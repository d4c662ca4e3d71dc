"""The word view against counting by hand, and its intervals against the formulas and scipy."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from mtsig import Corpus, Rating, measure, read_sample
from mtsig._probability import satterthwaite_df
from mtsig.errors import InvalidOption, NotApplicable, UnknownName
from mtsig.segments import WordView, word_view
from mtsig.segments._word_view import FREQUENCIES, ClassRow

VOCABULARY = [f"w{i}" for i in range(60)]


def _lines(rng: np.random.Generator, n: int, longest: int = 14) -> list[str]:
    weights = 1 / np.arange(1, len(VOCABULARY) + 1)
    return [" ".join(rng.choice(VOCABULARY, rng.integers(1, longest), p=weights / weights.sum())) for _ in range(n)]


def _noisy(lines: Sequence[str], keep: float, rng: np.random.Generator) -> list[str]:
    return [" ".join(w if rng.random() < keep else str(rng.choice(VOCABULARY)) for w in line.split()) for line in lines]


def made(n: int = 240, documents: int | None = 12, references: int = 1) -> Corpus:
    rng = np.random.default_rng(4)
    first = _lines(rng, n)
    columns = {"r0": first} | {f"r{i}": _noisy(first, 0.7, rng) for i in range(1, references)}
    of = None if documents is None else [f"d{int(i)}" for i in np.sort(rng.integers(0, documents, n))]
    outputs = {"A": _noisy(first, 0.8, rng), "B": _noisy(first, 0.6, rng)}
    if references > 1:
        columns["r1"] = ["" if i % 7 == 0 else line for i, line in enumerate(columns["r1"])]
    return Corpus.of(outputs, columns, documents=of)


def _frequencies(corpus: Corpus) -> Counter[str]:
    return Counter(word for lines in corpus.references.values() for line in lines for word in (line or "").split())


def _class_of(count: int) -> int:
    return max(i for i, start in enumerate(FREQUENCIES) if count >= start)


def by_hand(corpus: Corpus, system: str) -> np.ndarray:
    """Return matches, reference words and output words by class and segment; shape (3, classes, n)."""
    frequency = _frequencies(corpus)
    found = np.zeros((3, len(FREQUENCIES), len(corpus)))
    for i, line in enumerate(corpus.lines(system)):
        own = Counter(line.split())
        given = [Counter(one[i].split()) for one in corpus.references.values() if one[i] is not None]  # type: ignore[union-attr]
        best = max(given, key=lambda one: 2 * (one & own).total() / max(1, one.total() + own.total()))
        for row, counts in enumerate((best & own, best, own)):
            for word, count in counts.items():
                if frequency[word]:
                    found[row, _class_of(frequency[word]), i] += count
    return found


def _view(corpus: Corpus, metric: str = "bleu:tokenize=none", **more: object) -> WordView:
    return word_view(corpus, metric, "A", "B", **more)  # type: ignore[arg-type]


def _known(rows: Sequence[ClassRow]) -> dict[str, ClassRow]:
    return {row.name: row for row in rows}


NAMES = ["1", "2", "3", "4", "5–9", "10–99", "100–999", "1000 or more"]


@pytest.mark.parametrize("references", [1, 3])
def test_word_classes_are_what_counting_by_hand_gives(references: int) -> None:
    corpus = made(references=references)
    rows = _known(_view(corpus).by_frequency)
    first, second = by_hand(corpus, "A"), by_hand(corpus, "B")
    for number, name in enumerate(NAMES):
        totals = [counts[:, number].sum(axis=1) for counts in (first, second)]
        if not any(one.any() for one in totals):
            assert name not in rows
            continue
        scores = [200 * m / (r + o) for m, r, o in totals]
        row = rows[name]
        assert (row.first, row.second) == pytest.approx(scores)
        assert row.difference == pytest.approx(scores[0] - scores[1])
        assert row.count == totals[0][1]


def _half(moved: np.ndarray, sizes: np.ndarray) -> float:
    """Return half the width of the jackknife's interval: what leaving out each document does, and their sizes."""
    error = np.sqrt((len(moved) - 1) / len(moved) * np.square(moved).sum())
    return float(stats.t.ppf(0.975, satterthwaite_df(sizes)) * error)


def test_intervals_of_classes_are_the_jackknifes_over_documents() -> None:
    corpus = made()
    view = _view(corpus)
    assert view.unit == "document"
    documents = np.unique(np.array(corpus.documents), return_inverse=True)[1]
    first, second = by_hand(corpus, "A"), by_hand(corpus, "B")
    checked = 0
    for number, name in enumerate(NAMES):
        row = _known(view.by_frequency).get(name)
        if row is None or np.isnan(row.ci_low):
            continue
        inside = (first[1:, number].any(axis=0)) | (second[1:, number].any(axis=0))
        kept = np.unique(documents[inside])
        differences = np.empty(len(kept))
        for place, document in enumerate(kept):
            rest = documents != document
            scores = [200 * c[0, number, rest].sum() / c[1:, number][:, rest].sum() for c in (first, second)]
            differences[place] = scores[0] - scores[1]
        half = _half(differences - row.difference, np.bincount(documents[inside])[kept])
        assert (row.ci_low, row.ci_high) == pytest.approx((row.difference - half, row.difference + half), rel=1e-6)
        assert row.units == len(kept)
        checked += 1
    assert checked >= 3


def test_without_documents_segments_are_the_units() -> None:
    view = _view(made(documents=None))
    assert view.unit == "segment"
    row = _known(view.by_frequency)["10–99"]
    assert row.units > 60
    assert row.ci_low < row.difference < row.ci_high


def test_length_classes_are_the_metric_on_their_segments() -> None:
    corpus = made(n=200, documents=None)
    lengths = np.array([len((line or "").split()) for line in corpus.references["r0"]])
    for row in _view(corpus, "ter").by_length:
        inside = np.flatnonzero(lengths < 10 if row.name == "1–9" else lengths >= 10)
        alone = measure(corpus.take(inside), "ter").scores
        assert row.count == len(inside)
        assert (row.first, row.second) == pytest.approx(tuple(alone))
        assert row.difference == pytest.approx(alone[1] - alone[0])  # fewer edits are better


def test_a_rating_has_length_classes_on_the_segments_that_both_have() -> None:
    corpus = read_sample()
    rated = np.random.default_rng(1).normal(70, 5, (len(corpus.systems), len(corpus)))
    rated[0, ::3] = np.nan
    corpus = replace(corpus, ratings={"da": Rating(rated, True)})
    view = word_view(corpus, "rating:da", "direct-us", "direct")
    row = _known(view.by_length)["20–29"]
    lengths = np.array([len(line.split()) for line in corpus.references["ref"]])  # type: ignore[union-attr]
    assert 0 < row.units <= 20
    assert row.ci_low < row.difference < row.ci_high
    assert len(lengths) == 200


def _matches(corpus: Corpus, system: str, ngram: tuple[str, ...]) -> np.ndarray:
    def count(line: str | None) -> int:
        words = (line or "").split()
        return sum(tuple(words[i : i + len(ngram)]) == ngram for i in range(len(words)))

    outputs = np.array([count(line) for line in corpus.lines(system)])
    return np.minimum(outputs, np.max([[count(line) for line in one] for one in corpus.references.values()], axis=0))


@pytest.mark.parametrize("references", [1, 2])
def test_ngrams_are_matched_as_often_as_by_hand(references: int) -> None:
    corpus = made(references=references)
    view = _view(corpus)
    documents = np.unique(np.array(corpus.documents), return_inverse=True)[1]
    sizes = np.bincount(documents)
    assert {row.order for row in view.gained} >= {1, 2}
    intervals = 0
    for row in (*view.gained, *view.lost):
        words = tuple(row.ngram.split())
        first, second = _matches(corpus, "A", words), _matches(corpus, "B", words)
        assert len(words) == row.order
        assert (row.first, row.second) == (first.sum(), second.sum())
        assert row.difference == row.first - row.second
        assert row.segments == tuple(np.flatnonzero(first != second)[:10].tolist())
        if not np.isnan(row.ci_low):
            by = np.bincount(documents, first - second)
            means = (by.sum() - by) / (len(corpus) - sizes)
            half = len(corpus) * _half(means - by.sum() / len(corpus), sizes)
            assert (row.ci_low, row.ci_high) == pytest.approx((row.difference - half, row.difference + half))
            intervals += 1
    assert intervals >= 1
    assert all(row.difference > 0 for row in view.gained)
    assert all(row.difference < 0 for row in view.lost)


def test_the_first_ngram_is_farthest_ahead_of_all() -> None:
    corpus = made()
    view = _view(corpus)
    words = _frequencies(corpus)

    def ahead(word: str) -> float:
        a, b = (_matches(corpus, name, (word,)).sum() for name in ("A", "B"))
        return float((a - b) / np.sqrt(max(1, a + b)))

    best = max(map(ahead, words))
    top = view.gained[0]
    assert (top.first - top.second) / np.sqrt(top.first + top.second) >= best - 1e-12


def test_the_other_order_turns_the_signs() -> None:
    corpus = made()
    there, back = _view(corpus), word_view(corpus, "bleu:tokenize=none", "B", "A")
    for one, other in zip(there.by_length, back.by_length, strict=True):
        assert (one.difference, one.ci_low) == pytest.approx((-other.difference, -other.ci_high), nan_ok=True)
    assert {row.ngram for row in there.gained} == {row.ngram for row in back.lost}


def test_tokens_are_the_metrics_own() -> None:
    corpus = Corpus.of({"A": ["我爱北京。"] * 30, "B": ["我爱上海。"] * 30}, {"r": ["我爱北京。"] * 30})
    assert word_view(corpus, "bleu", "A", "B").tokens == "zh"
    assert word_view(corpus, "bleu:tokenize=char", "A", "B").tokens == "char"
    assert word_view(corpus, "ter", "A", "B").tokens == "zh, lower case"
    assert word_view(corpus, "wer:lowercase=true,tokenize=13a", "A", "B").tokens == "13a, lower case"
    assert {row.ngram for row in word_view(corpus, "bleu", "A", "B").gained} >= {"北", "北 京"}


def test_systems_that_are_one_differ_in_nothing() -> None:
    corpus = made()
    same = Corpus.of({"A": corpus.lines("A"), "B": corpus.lines("A")}, corpus.references, documents=corpus.documents)
    view = _view(same)
    assert view.gained == view.lost == ()
    for row in (*view.by_frequency, *view.by_length):
        assert row.difference == 0
        assert np.isnan(row.ci_low)
        assert row.why


def test_what_cannot_be_is_told() -> None:
    corpus = made()
    with pytest.raises(NotApplicable, match="reference"):
        _view(Corpus.of({"A": ["a"], "B": ["b"]}))
    with pytest.raises(UnknownName, match="no system called 'C'"):
        word_view(corpus, "bleu", "A", "C")
    with pytest.raises(InvalidOption, match="level"):
        _view(corpus, level=95)
