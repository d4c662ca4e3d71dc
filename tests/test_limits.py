"""Limits: Unicode's normal forms of texts, also of those that would take long."""

import unicodedata
from random import Random

import pytest

from mtsig.limits import normalized

SIGNS = [
    "a",
    " ",
    "é",
    "한",
    "\u1112",
    "\u1161",
    "\u11ab",
    "\u0301",
    "\u0327",
    "\u0323",
    "ｗ",
    "ﬁ",
    "\u0915",
    "\u094d",
    "👩",
    "\u200d",
]


@pytest.mark.parametrize("form", ["NFC", "NFKC", "NFKD"])
def test_texts_have_the_normal_form_of_unicode(form: str) -> None:
    rng = Random(0)
    for length in (0, 1, 50, 1_001, 5_000):
        text = "".join(rng.choices(SIGNS, k=length))
        assert normalized(form, text) == unicodedata.normalize(form, text)  # type: ignore[arg-type]


@pytest.mark.parametrize("marks", [99, 100])
def test_long_texts_with_as_many_marks_as_are_ordered_at_once(marks: int) -> None:
    text = "x" * 1_000 + "a" + "\u0301\u0327" * (marks // 2) + "\u0301" * (marks % 2) + "e\u0301"
    assert normalized("NFC", text) == unicodedata.normalize("NFC", text)


def test_of_more_marks_on_a_character_none_is_lost() -> None:
    text = "e\u0301" + "y" * 1_000 + "a" + "\u0301\u0327" * 50_000 + "e\u0301"
    formed = normalized("NFC", text)
    assert formed.startswith("éy")
    assert formed.endswith("é")
    # The first acute accent is part of "á"; every other mark stays.
    assert formed.count("\u0327") == 50_000
    assert unicodedata.normalize("NFD", formed[:1_100]).count("\u0301") >= 50
