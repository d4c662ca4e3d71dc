"""Cards show text as it is, and nothing in it can do anything: markup, scripts, characters that turn or hide text."""

import re
from html.parser import HTMLParser
from typing import ClassVar

import numpy as np
import pytest
from kept import lacking, worded
from sampled import sampled

from mtsig import Corpus, Rating, read_sample
from mtsig.errors import InvalidOption, UnknownName
from mtsig.segments._cards import MODES, MOST_CHARACTERS, Languages, card, deck, differing, legend, page, style
from mtsig.segments._matches import matches

TAGS = {
    "article", "b", "bdi", "body", "dd", "details", "div", "dl", "dt", "h1", "h3", "head", "html", "main", "meta", "p",
    "small", "span", "style", "summary", "title",
}  # fmt: skip
ATTRIBUTES = {"aria-hidden", "charset", "class", "content", "dir", "http-equiv", "lang", "name", "title"}


class Read(HTMLParser):
    """Tags, attributes and text of HTML, as a browser has them."""

    VOID: ClassVar = {"meta"}

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[tuple[str, str]] = []
        self.text: list[str] = []
        self.signs: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS
        assert {name for name, _ in attrs} <= ATTRIBUTES
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append((tag, dict(attrs).get("class") or ""))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        is_sign = bool(self.open) and self.open[-1][1] == "seg-sign"
        (self.signs if is_sign else self.text).append(data)

    @property
    def all_classes(self) -> set[str]:
        return {name for _, attributes in self.tags for name in (attributes.get("class") or "").split()}


def lines(html: str) -> list[str]:
    """Return what the lines of a card read, signs left out."""
    found = re.findall(r'<bdi class="seg-text"[^>]*>(.*?)</bdi>(?=<span class="seg-told|</dd>)', html, re.DOTALL)
    return ["".join(Read(f"<p>{line}</p>").text) for line in found]


HOSTILE = [
    "<script>alert(1)</script> & <b>bold</b> \"quoted\" 'single'",
    '"><img src=x onerror=alert(1)> </span></bdi></dd> <style>*{display:none}</style>',
    "![x](http://example.org/x.png) [a](javascript:alert(1)) $x^2$ :smile:",
    "&amp; &lt;b&gt; &#60;script&#62; ${x} {{x}} %s",
    "--> ]]> <!-- comment <svg/onload=alert(1)>",
]


@pytest.mark.parametrize("line", HOSTILE)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("metric", ["bleu", "chrf++", "ter"])
def test_hostile_text_stays_text(line: str, mode: str, metric: str) -> None:
    corpus = Corpus.of(
        {line: [line], f"{line}2": [f"{line} more"]}, {line: [f"the {line}"]}, sources=[line], documents=[line],
        domains=[line],
    )  # fmt: skip
    html = card(corpus, 0, metric=metric, mode=mode, scores=(1.0, 2.0), remarks=[line], languages=Languages(line, line))
    assert lines(html) == [line, f"the {line}", line, f"{line} more"]
    assert html.count("<script") == html.count("onerror=alert(1)>") == html.count("<img") == 0


def test_the_page_lets_nothing_run_and_nothing_be_fetched() -> None:
    corpus = Corpus.of({"a": [HOSTILE[0]]}, {"r": [HOSTILE[1]]})
    html = page([card(corpus, 0, metric="bleu")], HOSTILE[0], [HOSTILE[1]])
    read = Read(html)
    policy = next(one["content"] or "" for tag, one in read.tags if one.get("http-equiv") == "Content-Security-Policy")
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "url(" not in style()
    assert "@import" not in style()
    assert html.index("Content-Security-Policy") < html.index("<title>")


def test_every_look_stands_in_the_style() -> None:
    corpus = read_sample()
    cards = [
        card(corpus, segment, ["direct", "via-catalan"], metric=metric, mode=mode)
        for segment in (27, 90)
        for metric, mode in (
            ("bleu", "matches"),
            ("chrf++", "matches"),
            ("ter", "matches"),
            ("meteor", "matches"),
            ("chrf", "diff"),
        )
    ]
    looks = Read(page(cards, "All")).all_classes
    named = set(re.findall(r"\.(seg[\w-]*)", style()))
    assert looks - named <= {"seg-texts"} | {f"seg-{kind}" for kind in ("substituted",)}
    assert {"seg-m", "seg-a", "seg-b", "seg-missed", "seg-wrong"} <= looks
    assert {"seg-word-m", "seg-word-a", "seg-word-b", "seg-word-missed"} <= looks


def test_cards_stand_in_the_element_that_has_their_looks() -> None:
    assert deck(["x"]) == '<div class="segments">x</div>'


SCRIPTS = {
    "Chinese": ("zh", "今天天气很好，我们去公园。", "今天的天气不错，我们去公园吧。"),
    "Japanese": ("ja", "今日は良い天気ですね。", "今日はいい天気です。"),
    "Thai": ("th", "วันนี้อากาศดีมาก", "วันนี้อากาศดี"),
    "Hebrew": ("", 'הוא אמר "שלום" ב-2024 (OK)', "הוא אמר שלום ב-2024"),
    "Arabic": ("", "قال: مرحبًا بالعالم في 2024!", "قال مرحبا بالعالم"),
    "emoji": ("", "Família 👨‍👩‍👧‍👦 e 👍🏽 cafe\u0301 naïve", "Família 👨‍👩‍👧 e 👍 café naive"),
}


@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.parametrize(
    ("metric", "mode"), [("bleu", "matches"), ("chrf", "matches"), ("ter", "matches"), (None, "diff")]
)
def test_other_scripts_stand_as_they_were_written(name: str, metric: str | None, mode: str) -> None:
    language, first, second = SCRIPTS[name]
    corpus = Corpus.of({"a": [first], "b": [second]}, {"r": [first]})
    html = card(corpus, 0, metric=metric, mode=mode)
    assert lines(html) == [first, first, second]
    texts = [one for tag, one in Read(html).tags if tag == "bdi" and one.get("class") == "seg-text"]
    assert [one["dir"] for one in texts] == ["auto"] * 3
    assert [one.get("lang", "") for one in texts] == [language] * 3


def test_a_language_that_was_given_is_taken() -> None:
    corpus = Corpus.of({"a": ["骨直"]}, {"r": ["骨直"]}, sources=["bones"])
    html = card(corpus, 0, languages=Languages("en", "zh-Hant"))
    assert [one.get("lang") for tag, one in Read(html).tags if one.get("class") == "seg-text"] == [
        "en",
        *["zh-Hant"] * 2,
    ]


def test_what_looks_like_one_character_looks_one_way() -> None:
    family = "👨‍👩‍👧‍👦"
    corpus = Corpus.of({"a": [f"cafe\u0301s {family} x"]}, {"r": [f"cafes {family[:5]} x"]})
    html = card(corpus, 0, metric="chrf:char_order=2")
    output = html.split("<bdi>a</bdi>")[1]
    assert "e\u0301" in output
    assert family in output


def test_what_nobody_sees_has_a_sign() -> None:
    line = "a\u202eb\u200bc\u00add\x1be\u2066f\ufeffg\th"
    corpus = Corpus.of({"a": [line]}, {"r": ["a b"]})
    html = card(corpus, 0, metric="bleu")
    assert "".join(Read(html).signs) == "".join(["202E", "200B", "00AD", "001B", "2066", "FEFF", "⇥"])
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\u00ad\ufeff\x1b]", html)
    assert 'title="U+202E RIGHT-TO-LEFT OVERRIDE"' in html


def test_joiners_that_letters_need_are_kept() -> None:
    line = "می\u200cخواهم 👩\u200d🚀"
    assert lines(card(Corpus.of({"a": [line]}), 0)) == [line]


def test_every_matched_word_is_marked_once() -> None:
    corpus = read_sample()
    systems = list(corpus.systems)[:2]
    for segment in range(0, 200, 29):
        html = card(corpus, segment, systems, metric="bleu")
        for system, row in zip(systems, html.split('<div class="seg-row">')[-2:], strict=True):
            found = matches(corpus, "bleu", segment, system)
            assert found is not None
            assert len(re.findall(r'<span class="seg-m[ "]', row)) == found.counts[2]


def test_words_that_chrf_counts_beside_characters_have_a_line_of_their_own() -> None:
    corpus = read_sample()
    for segment in range(0, 200, 29):
        html = card(corpus, segment, ["direct"], metric="chrf++")
        found = matches(corpus, "chrf++", segment, "direct")
        assert found is not None
        _, words = found.output
        row = html.split('<div class="seg-row">')[-1]
        # A 1-gram of words that matches is a word within a line of words.
        singles = sum(len(starts) for piece, starts in words.matched.items() if len(piece) == 1)
        assert len(re.findall(r'<span class="seg-word-m[ "]', row)) == singles > 0
        assert lines(html)[-1] == corpus.lines("direct")[segment]
        assert 'class="seg-m"' in row
    html = card(Corpus.of({"a": ["the cat"], "b": ["the dog"]}, {"r": ["the cat"]}), 0, metric="chrf++")
    worded(html, "2-gram")
    assert html.count("seg-word-missed") == 0
    worded(card(Corpus.of({"a": ["cats"]}, {"r": ["cat"]}), 0, metric="chrf++"))


def test_colours_are_never_alone() -> None:
    corpus = Corpus.of({"a": ["x y z"], "b": ["x q z"]}, {"r": ["x y w"]})
    html = card(corpus, 0, metric="bleu:tokenize=none")
    worded(html, "2-gram", "1", "2 of 3", "1 of 2", "0 of 1", "0 of 0")


def test_only_words_that_the_other_lacks_have_a_colour_and_what_stands_there_instead() -> None:
    corpus = read_sample()
    html = card(corpus, 62, ["direct", "direct-us"], metric="bleu")
    reference, first, second = (html.split('<div class="seg-row">')[place] for place in (2, 3, 4))

    def words(row: str, look: str) -> list[str]:
        return re.findall(rf'<span class="{look}" [^>]*>(.*?)</span>', row)

    assert words(first, "seg-m seg-a") == words(reference, "seg-m seg-a") == ["litres"]
    # What stands there instead is not matched, so it has the ground and the dashes, but no bold letters.
    assert words(second, "seg-b") == ["liters"]
    assert not words(first, "seg-a") + words(second, "seg-m seg-b") + words(reference, "seg-m seg-b")
    assert words(reference, "seg-missed") == ["night", "leave", "a", "brown", "to"]
    # Exchanged, the same words have the other side's look.
    html = card(corpus, 62, ["direct-us", "direct"], metric="bleu")
    reference, first, second = (html.split('<div class="seg-row">')[place] for place in (2, 3, 4))
    assert words(second, "seg-m seg-b") == words(reference, "seg-m seg-b") == ["litres"]
    assert words(first, "seg-a") == ["liters"]


def test_what_the_marks_mean_is_said_with_the_marks_themselves() -> None:
    for look in ("seg-m", "seg-m seg-a", "seg-m seg-b", "seg-missed"):
        assert f'<span class="{look}">' in legend("matches", "A & B", "C")
    assert "A &amp; B" in legend("matches", "A & B", "C")
    for look in "ab":  # what does not match is marked in the colour of its system
        assert f'<span class="seg-{look}">not bold</span>' in legend("matches", "A & B", "C")
    assert "seg-b" not in legend("matches", "A", None)
    assert legend("plain") == ""


def test_what_is_missed_is_missed_by_all_that_are_shown() -> None:
    corpus = Corpus.of({"a": ["x y"], "b": ["x z"], "c": ["q"]}, {"r": ["x y z w"]})
    html = card(corpus, 0, metric="gtm")
    assert re.findall(r'title="missed by all 3 systems">(.)<', html) == ["w"]
    assert re.findall(r'title="missed by a">(.)<', card(corpus, 0, ["a"], metric="gtm")) == ["z", "w"]


def test_five_thousand_words_are_cut_at_four_hundred() -> None:
    line = " ".join(f"w{i}" for i in range(5_000))
    corpus = Corpus.of({"a": [line], "b": [f"{line} end"]}, {"r": [line]})
    html = card(corpus, 0, metric="bleu")
    assert lines(html)[1].replace(f"show all {len(line):,} characters", "") == line
    before = html.split("<details")[0]
    assert "w399" in before
    assert "w400" not in before


@sampled("line", ["x" * 1_000_000, "<b> " * 250_000, "a" + "\u0301" * 1_000_000, "字" * 400_000], most=2)
def test_a_line_without_end_has_an_end(line: str) -> None:
    corpus = Corpus.of({"a": [line], "b": ["short"]}, {"r": [line]})
    for mode in MODES:
        html = card(corpus, 0, metric="chrf", mode=mode)
        assert len(html) < 2 * 30 * MOST_CHARACTERS
        assert not lacking(html, f"{len(line) - MOST_CHARACTERS:,} more characters")
    assert "too long to" in card(corpus, 0, metric="chrf")


def test_a_difference_is_one_of_words() -> None:
    assert differing("the cat sat.", "The cat sat!") == ([(0, 3), (11, 12)], [(0, 3), (11, 12)])
    assert differing("今天很好", "今天好") == ([(2, 3)], [])
    assert differing("", "x") == ([], [(0, 1)])
    html = card(Corpus.of({"a": ["one two"], "b": ["one three"]}), 0, mode="diff")
    worded(html)


def test_metrics_without_places_say_so() -> None:
    corpus = Corpus.of({"a": ["x"], "b": ["y"]}, {"r": ["x"]})
    worded(card(corpus, 0, metric="nist"))
    assert "seg-m" not in card(corpus, 0, metric="nist")


def test_the_head_says_what_is_known() -> None:
    corpus = Corpus.of(
        {"a": ["x y"], "b": ["x"]}, {"r": ["x y z"]}, documents=["d1"], domains=["news"], sources=["s"]
    )  # fmt: skip
    html = card(corpus, 0, metric="bleu", contribution=-0.0237, scores=(28.0, 76.25), remarks=["number differs"])
    head = "".join(Read(html.split("<dl")[0] + "</article>").text)
    worded(head, "3 words", "−0.0237 BLEU")
    scores = re.findall(r'<dd class="seg-score"><b>(.*?)</b></dd>', html)
    assert scores == ["28.0", "76.2"]


def test_references_beyond_the_first_are_folded() -> None:
    corpus = Corpus.of({"a": ["x"]}, {"r": ["x y"], "s": ["y"], "t": ["z"]})
    before, opened, folded = card(corpus, 0, metric="bleu").partition('<details class="seg-more">')
    assert opened
    assert lines(before) == ["x y"]
    assert folded.startswith("<summary>2 more references</summary>")
    assert lines(folded.partition("</details>")[0]) == ["y", "z"]
    assert "<details" not in card(Corpus.of({"a": ["x"]}, {"r": ["x y"]}), 0)


@pytest.mark.parametrize(("source", "is_long"), [("word " * 40, False), ("word " * 41, True), ("字" * 101, True)])
def test_a_long_source_shows_its_first_lines_and_has_all_of_them(source: str, is_long: bool) -> None:
    corpus = Corpus.of({"A": ["one"]}, {"ref": ["one"]}, sources=[source.strip()])
    shown = card(corpus, 0, ["A"])
    assert [attributes.get("class") for tag, attributes in Read(shown).tags if tag == "details"] == [
        "seg-long"
    ] * is_long
    assert "".join(Read(shown).text).count(source.strip()) == 1


def test_only_those_compared_have_colours_and_a_score_that_is_none_is_not_said() -> None:
    corpus = Corpus.of({"a": ["x"], "b": ["y"], "c": ["x y"]}, {"r": ["x y"]})
    html = card(corpus, 0, ("c", "a", "b"), metric="bleu", scores=(100.0, float("nan"), 7.0), compared=1)
    assert "seg-of-a" in html
    assert not {"seg-of-b", "seg-a", "seg-b"} & Read(html).all_classes
    assert "nan" not in html
    both = card(corpus, 0, ("c", "a", "b"), metric="bleu", outputs_only=True)
    assert lines(both) == ["x y", "x", "y"]
    assert {"seg-of-a", "seg-of-b"} <= Read(both).all_classes


def test_systems_without_text_have_a_row() -> None:
    corpus = Corpus.of({"a": ["x"], "b": None}, {"r": ["x"]})
    html = card(corpus, 0, metric="bleu")
    assert html.count('<div class="seg-row">') == 3


def test_what_is_not_there_is_refused() -> None:
    corpus = Corpus.of({"a": ["x"]}, {"r": ["x"]})
    with pytest.raises(InvalidOption, match="no mode 'loud'"):
        card(corpus, 0, mode="loud")  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match="no segment 2; the corpus has 1"):
        card(corpus, 1)
    with pytest.raises(UnknownName):
        card(corpus, 0, ["z"])


def test_a_contribution_is_positive_for_the_first_also_where_lower_is_better() -> None:
    corpus = Corpus.of(
        {"a": ["one two three four"] * 3, "b": ["one two five six"] * 3}, {"ref": ["one two three four"] * 3}
    )
    shown = card(corpus, 0, ("a", "b"), metric="ter", contribution=16.7, scores=(0.0, 50.0))
    assert "+16.7000</b> TER" in shown


def test_scores_on_cards_have_true_minus_signs_and_no_minus_zero() -> None:
    rating = Rating(np.array([[-4.667, -0.01], [-0.04, -1.0]]), higher_is_better=True)
    corpus = Corpus.of({"A": None, "B": None}, ratings={"mqm": rating})
    shown = card(corpus, 0, scores=(-4.667, -0.04), contribution=-0.000001)
    assert "<b>−4.7</b>" in shown
    assert "<b>0.0</b>" in shown
    # Of what a segment adds the side is the point, however little it is.
    assert '<b class="seg-of-b">−0.0000</b>' in shown
    assert "-4" not in shown
    assert "-0" not in shown
