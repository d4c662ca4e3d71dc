"""Tokens are found again in the line as it was given; where that is not certain, they have no place."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from texts import WORDS

from mtsig.metrics import Bleu
from mtsig.segments.matches.places import placed
from mtsig.text._tokens import tokenized

LINES = st.lists(st.sampled_from([*WORDS, "&lt;b&gt;", "x&amp;amp;y", "naïve", "ＡＢ", "½"]), max_size=9).map(" ".join)


def pieces(line: str, texts: list[str]) -> list[str | None]:
    return [None if token.start is None else line[token.start : token.end] for token in placed(texts, line)]


def test_entities_and_what_is_skipped() -> None:
    line = "R&amp;D <skipped>said &quot;a&amp;lt;b&quot;"
    texts = tokenized([line], Bleu(tokenize="13a").scorer().tokenizer).lists()[0]
    assert texts == ["R", "&", "D", "said", '"', "a", "<", "b", '"']
    assert pieces(line, texts) == ["R", "&amp;", "D", "said", "&quot;", "a", "&amp;lt;", "b", "&quot;"]


def test_one_letter_may_become_two() -> None:
    line = "Über İstanbul ΟΔΟΣ"
    assert pieces(line, line.lower().split()) == ["Über", "İstanbul", "ΟΔΟΣ"]


def test_pieces_of_sentencepiece() -> None:
    line = "ＡＢ und ½"
    assert pieces(line, ["\u2581A", "B", "\u2581und", "\u2581", "1⁄2"]) == ["Ａ", "Ｂ", "und", None, "½"]


def test_what_is_left_out_is_found_around() -> None:
    assert pieces("Yes, he is.", ["Yes", "he", "is"]) == ["Yes", "he", "is"]


def test_no_place_is_guessed() -> None:
    # The tokenizer wrote something else in the middle: what stands before and behind is certain, nothing between.
    assert pieces("one two three four", ["one", "2", "drei", "four"]) == ["one", None, None, "four"]
    assert pieces("a a a", ["a", "a"]) in (["a", "a"], ["a", None])
    assert pieces("", ["x"]) == [None]
    assert pieces("x", []) == []


@pytest.mark.parametrize(
    "tokenize", [name for name in BLEU.TOKENIZERS if name in {"13a", "intl", "zh", "char", "none"}]
)
@settings(max_examples=80, deadline=None)
@given(LINES, st.booleans())
def test_every_token_of_the_mteval_family_is_found(tokenize: str, line: str, lowercase: bool) -> None:
    tokenizer = Bleu(tokenize=tokenize).scorer().tokenizer
    texts = tokenized([line.lower() if lowercase else line], tokenizer).lists()[0]
    found = placed(texts, line)
    assert [token.text for token in found] == texts
    assert all(token.start is not None for token in found)
    for token in found:
        # One letter may have become two words.
        assert plain(token.text) in plain(line[token.start : token.end])
    starts = [token.start or 0 for token in found]
    assert starts == sorted(starts)


def plain(text: str) -> str:
    """Return text without what tokenizers change."""
    for entity, char in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.lower().replace(entity, char)
    return text.replace("<skipped>", "").replace("-\n", "").replace("ς", "σ")


@pytest.mark.parametrize("line", ["今日は良い天気ですね。", "Windows 11を使う", "　全角　空白"])
def test_words_of_mecab(line: str) -> None:
    texts = Bleu(tokenize="ja-mecab").scorer().tokenizer(line).split()
    assert pieces(line, texts) == texts
