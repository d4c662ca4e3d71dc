"""No confident headline where the counts, or the units, do not carry one."""

from dataclasses import replace

import numpy as np
import pytest
from made import CHINESE, made_corpus, made_ratings, rated

from mtsig import Corpus, Settings, audit, interval, measure, power_analysis, verdict
from mtsig.corpus import inspect
from mtsig.errors import NotApplicable
from mtsig.inference import compare
from mtsig.report._families import headline_text


def chinese(n: int = 60) -> Corpus:
    """Chinese text without spaces, of which the second system loses every other line's second half."""
    given = CHINESE["ref"]
    lines = [given[i % len(given)] * (1 + i % 3) for i in range(n)]
    worse = [line if i % 2 else line[: len(line) // 2] for i, line in enumerate(lines)]
    other = [line[:-1] if i % 3 else line for i, line in enumerate(lines)]
    return Corpus.of({"good": other, "bad": worse}, {"ref": lines})


@pytest.mark.parametrize("metric", ["bleu:tokenize=13a", "nist"])
def test_words_counted_in_text_without_spaces_name_no_winner(metric: str) -> None:
    statistics = measure(chinese(), metric)
    family = Settings(n_resamples=400).family(statistics)
    decided = verdict(family[0])
    assert decided.word == "withheld"
    assert "Chinese is written without spaces" in str(decided.withheld_reason)
    assert "better than" not in headline_text([family])


def test_the_tokenizer_that_the_text_chooses_lets_one_win() -> None:
    family = Settings(n_resamples=400).family(measure(chinese(), "bleu"))
    assert verdict(family[0]).winner == "good"


def said(n: int, documents: int) -> list[str]:
    corpus = made_corpus(n=n, systems=2, documents=documents)
    return [f"{note.level}: {note.text}" for note in inspect(corpus) if note.text.startswith("Only")]


def test_the_caution_about_short_test_sets_counts_units() -> None:
    assert said(600, 0) == []
    assert said(60, 0) == ["warning: Only 60 segments: intervals of small test sets tend to be a little too narrow."]
    (few,) = said(600, 12)
    assert few.startswith("warning: Only 12 documents: too few to conclude much from")
    (some,) = said(600, 40)
    assert some.startswith("note: Only 40 documents:")
    assert said(600, 150) == []


def test_documents_of_very_unequal_length_are_warned_of() -> None:
    lengths = [191, *[1] * 9]
    documents = np.repeat(np.arange(10), lengths)
    statistics = replace(made_ratings(n=200, systems=2), document_of=documents)
    said = "10 documents of 1 to 191 segments judge their own spread like 2 equal ones; no verdict on fewer than 5."
    for notes in (compare(statistics).notes, interval(statistics).notes):
        assert any(note.text == f"{said} The longest holds 96%." for note in notes)
    assert {verdict(one).word for one in compare(statistics)} == {"withheld"}
    even = replace(statistics, document_of=np.repeat(np.arange(20), 10))
    assert not any("judge their own spread" in note.text for note in compare(even).notes)


def test_too_few_shared_documents_carry_no_verdict() -> None:
    # Twelve documents, of which the second system has nine: the pair stands on nine.
    scores = np.random.default_rng(1).normal(size=(3, 120)) + np.array([[2.0], [0.0], [1.0]])
    documents = np.repeat(np.arange(12), 10)
    coverage = np.ones((3, 120), dtype=bool)
    coverage[1] = documents < 9
    statistics = replace(rated(scores), document_of=documents, available=coverage)
    family = compare(statistics)
    found = {(one.first, one.second): verdict(one) for one in family}
    assert "only 9 documents are known for both" in str(found["A", "B"].withheld_reason)
    assert found["A", "C"].winner == "A"
    with pytest.raises(NotApplicable, match="Only 9 documents are known for both A and B"):
        power_analysis(statistics, "A", "B", 0.5)
    assert {one.unit for one in audit(statistics, "A", "B", Settings(n_resamples=100))} == {"segment"}
    assert {one.unit for one in audit(statistics, "A", "C", Settings(n_resamples=100))} == {"document", "segment"}
