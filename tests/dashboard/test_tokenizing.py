"""The pages say which tokenizer the text chose, offer the choice among the options, and read old addresses."""

from collections.abc import Callable

import pytest
from kept import parts, worded
from made import CHINESE
from mtsig_dashboard import memory
from pages import at_page, lines, strip_of, texts, uploaded, with_sample

from mtsig import measure

LINE = "Chinese text: BLEU counts with the tokenizer zh. To use another one, such as char, choose it among the options"


def with_chinese(page: str = "data", **query: str):
    return uploaded({f"{name}.txt": lines(some) for name, some in CHINESE.items()}, page, **query)


def test_the_line_stands_in_the_bar_and_the_signature_on_the_page():
    at = with_chinese("results")
    assert [one.value for one in at.main.caption if LINE in one.value.replace("\\", "")]
    assert "tok:zh" in texts(at)
    assert "tok:13a" not in texts(at)


def test_a_text_is_not_counted_again_under_the_name_of_its_tokenizer(monkeypatch: pytest.MonkeyPatch):
    at, asked, worked = with_chinese("results"), [], memory.worked

    def seen(text: str, verb: Callable[..., object], *given: object, **options: object) -> object:
        asked.append(verb)
        return worked(text, verb, *given, **options)

    monkeypatch.setattr(memory, "worked", seen)
    at_page(at, "compare")
    assert asked
    assert measure not in asked


def test_a_tokenizer_in_the_address_is_taken_without_a_word():
    at = with_chinese("results", **{"bleu.tokenize": "char"})
    assert "tok:char" in texts(at)
    assert LINE not in texts(at)


def test_clauses_counted_as_words_are_warned_of():
    at = with_chinese("results", **{"bleu.tokenize": "13a"})
    worded(parts(strip_of(at), "▲ 3 warnings"), "2")
    worded(parts((one.proto.body for one in at.get("html")), "whole clauses"))


@pytest.mark.parametrize("address", [{}, {"bleu.tokenize": "auto"}, {"bleu.tokenize": "automatic"}])
def test_english_is_counted_by_13a_also_from_addresses_of_before(address: dict[str, str]):
    at = with_sample("results", **address)
    (choice,) = [one for one in at.selectbox if one.key == "bleu.tokenize"]
    assert choice.value == "auto"
    worded(parts(texts(at), "Chinese uses zh", "ja-mecab"))
    assert "tok:13a" in texts(at)
    assert "counts with the tokenizer" not in texts(at)
