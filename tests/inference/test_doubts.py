"""No confident headline where the counts, or the units, do not carry one."""

import pytest
from made import CHINESE, made_corpus

from mtsig import Corpus, Settings, measure, verdict
from mtsig.corpus import inspect
from mtsig.report import headline_text


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
    family = Settings(draws=400).family(statistics)
    decided = verdict(family[0])
    assert decided.word == "undecided"
    assert "Chinese is written without spaces" in str(decided.reason)
    assert "better than" not in headline_text([family])


def test_the_tokenizer_that_the_text_chooses_lets_one_win() -> None:
    family = Settings(draws=400).family(measure(chinese(), "bleu"))
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
