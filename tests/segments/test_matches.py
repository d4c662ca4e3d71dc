"""What is marked adds up to what the metric counted: on made and real segments, for every metric that can say it."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sampled import sampled
from texts import WORDS, corpora

from mtsig import Corpus, measure, read, read_sample
from mtsig.metrics import METRICS, Bleu, Metric, Statistics, metric
from mtsig.segments._matches import MATCHERS, Marked, Matches, has_matches, matches, placed
from mtsig.text import tokenized

CHOICES = [
    # The others are made of the counts of these, and marked by the same function.
    *(name for name, one in METRICS.items() if has_matches(one) and not hasattr(one, "whole")),
    "sentchrf",
    "precision:order=2",
    "bleu:lowercase=true,max_ngram_order=6",
    "bleu:tokenize=char",
    "bleu:tokenize=intl",
    "chrf:whitespace=true,lowercase=true",
    "chrf++:eps_smoothing=true,char_order=3",
    "ter:normalized=true,no_punct=true,asian_support=true",
    "ter:case_sensitive=true",
    "meteor:lowercase=false,stemmer=none",
    "gtm:exponent=2",
    "rouge-l:beta=2",
]
REAL_SETS = ["wmt21-en-de", "wmt21-ru-en", "wmt22-en-zh"]


def whole(one: Metric) -> Metric:
    """Return the metric whose counts are marked."""
    return getattr(one, "whole", one)


def patchwork(corpus: Corpus, segments: Sequence[int]) -> Corpus:
    """Return some segments, each in the words of another system, and against two other references, than the last."""
    lines, given = [corpus.lines(name) for name in corpus.systems], list(corpus.references.values())
    patches = [lines[i % len(lines)][i] for i in segments]
    references = {f"r{k}": [given[(i + k) % len(given)][i] for i in segments] for k in range(min(2, len(given)))}
    return Corpus.of({"patchwork": patches}, references)


def check(corpus: Corpus, choice: str) -> None:
    asked = metric(choice).on(corpus)
    statistics = measure(corpus, whole(asked))
    for system in statistics.systems:
        for unit, segment in enumerate(segments_of(statistics)):
            found = matches(corpus, asked, segment, system)
            assert found is not None
            counts = statistics.values[:, statistics.row(system), unit]
            # Scores (ROUGE-L, GTM's powers, TER's mean length) are kept on a grid of 2⁻²⁰ or finer.
            np.testing.assert_allclose(found.counts, counts, rtol=0, atol=2.0**-20, err_msg=f"{system} {segment}")
            check_marks(found)


def segments_of(statistics: Statistics) -> Sequence[int]:
    numbers = statistics.numbers
    return range(statistics.n) if numbers is None else [int(number) for number in numbers]


def check_marks(found: Matches) -> None:
    """Check that marks lie on tokens that read so, overlap as they say, and are no more than the references have."""
    references = [*zip(*found.references.values(), strict=True)]
    for marked, theirs in zip(found.output, references, strict=True):
        covered = np.zeros(len(marked.tokens), dtype=int)
        ours, *others = (ngrams(one, {len(piece) for piece in marked.matched}) for one in (marked, *theirs))
        for piece, starts in marked.matched.items():
            assert len(set(starts)) == len(starts) > 0
            if marked.longest:
                assert set(starts) <= set(ours[tuple(piece)])
                most = max(len(one.get(tuple(piece), ())) for one in others)
                assert len(starts) == min(len(ours[tuple(piece)]), most)
            for i in starts:
                covered[i : i + len(piece)] = np.maximum(covered[i : i + len(piece)], len(piece))
        if marked.longest:
            assert covered.tolist() == marked.orders.tolist()
        else:
            assert (covered > 0).tolist() == (marked.orders > 0).tolist()
        for token in marked.tokens:
            if token.start is not None and token.end is not None:
                assert 0 <= token.start < token.end <= len(marked.line)


def ngrams(marked: Marked, lengths: set[int]) -> dict[tuple[str, ...], list[int]]:
    """Return where each n-gram of these lengths stands."""
    texts = tuple(token.text for token in marked.tokens)
    places: dict[tuple[str, ...], list[int]] = {}
    for n in lengths:
        for i in range(len(texts) - n + 1):
            places.setdefault(texts[i : i + n], []).append(i)
    return places


@sampled("choice", CHOICES, most=8)
def test_of_the_sample(choice: str) -> None:
    corpus = read_sample()
    check(corpus.take(range(3, 200, 33)).select(list(corpus.systems)[:2]), choice)


@pytest.mark.parametrize("choice", CHOICES)
@settings(max_examples=4, deadline=None)
@given(corpora())
def test_of_lines_that_tokenizers_stumble_over(choice: str, corpus: Corpus) -> None:
    check(corpus, choice)


@pytest.fixture(scope="module", params=REAL_SETS)
def real(request: pytest.FixtureRequest, shared: Path) -> Corpus:
    return read(shared / "data" / request.param).with_text().with_references()


# chrF's characters are counted within chrF++; METEOR 1.5 differs from METEOR in weights alone.
ON_EVERY_SET = ["bleu", "chrf++", "ter", "meteor", "rouge-l", "gtm", "wer", "per"]
IN_TURN = [choice for choice in CHOICES if choice not in ON_EVERY_SET]


EVERY_SEGMENT = [
    *((choice, name) for choice in ON_EVERY_SET for name in REAL_SETS),
    *((choice, REAL_SETS[place % len(REAL_SETS)]) for place, choice in enumerate(IN_TURN)),
]


@sampled("choice, real", EVERY_SEGMENT, indirect=["real"])
def test_of_real_segments(real: Corpus, choice: str) -> None:
    check(patchwork(real, range(5, len(real), len(real) // 5)), choice)


@pytest.mark.slow
@pytest.mark.parametrize(("choice", "name"), EVERY_SEGMENT)
def test_of_every_real_segment(shared: Path, choice: str, name: str) -> None:
    corpus = read(shared / "data" / name).with_text().with_references()
    check(patchwork(corpus, range(len(corpus))), choice)


@pytest.mark.parametrize("choice", CHOICES)
def test_a_reference_is_marked_as_the_output_would_be(choice: str) -> None:
    corpus = read_sample()
    system = next(iter(corpus.systems))
    for segment in range(0, 200, 40):
        found = matches(corpus, choice, segment, system)
        assert found is not None
        for marked, (theirs,) in zip(found.output, zip(*found.references.values(), strict=True), strict=True):
            # With one reference as often as in the output, and in the same lengths.
            assert counted(marked.matched) == counted(theirs.matched)


def counted(matched: object) -> Counter[object]:
    assert isinstance(matched, dict)
    return Counter({piece: len(starts) for piece, starts in matched.items()})


def test_of_several_references_each_is_marked_with_what_it_has() -> None:
    corpus = Corpus.of({"a": ["x y y z"]}, {"p": ["x y q"], "q": ["y y r"]})
    found = matches(corpus, "bleu:tokenize=none", 0, "a")
    assert found is not None
    assert found.counts.tolist() == [4, 3, 3, 2, 0, 0, 4, 3, 2, 1]
    assert [token.text for token in found.output[0].tokens] == ["x", "y", "y", "z"]
    assert found.output[0].orders.tolist() == [2, 2, 2, 0]
    assert found.references["p"][0].orders.tolist() == [2, 2, 0]
    assert found.references["q"][0].orders.tolist() == [2, 2, 0]


def test_of_repeated_words_those_within_longer_matches_count() -> None:
    corpus = Corpus.of({"a": ["the dog the cat"]}, {"r": ["the cat"]})
    found = matches(corpus, "bleu", 0, "a")
    assert found is not None
    assert found.output[0].orders.tolist() == [0, 0, 2, 2]


def test_metrics_without_places() -> None:
    silent = {name for name, one in METRICS.items() if type(one) not in MATCHERS}
    assert silent == {"nist", "depf", "bp", "ratio"}
    assert matches(read_sample(), "nist", 0, "direct") is None


def test_no_reference_no_matches() -> None:
    corpus = Corpus.of({"a": ["x", "y"]}, {"p": ["x", None], "q": [None, None]})
    assert matches(corpus, "bleu", 1, "a") is None


def test_a_line_without_end_is_not_marked() -> None:
    corpus = Corpus.of({"a": ["x " * 100_000]}, {"r": ["x"]})
    assert matches(corpus, "bleu", 0, "a") is None


def test_what_only_one_system_matches() -> None:
    corpus = Corpus.of({"a": ["a b c d"], "b": ["a b x d"]}, {"r": ["a b c d"]})
    first, second = (found.output[0] for name in "ab" if (found := matches(corpus, "bleu", 0, name)))
    assert first.beyond([second]).tolist() == [True] * 4
    assert second.beyond([first]).tolist() == [False] * 4
    words = Corpus.of({"a": ["a a c"], "b": ["a x c"]}, {"r": ["a a c"]})
    first, second = (found.output[0] for name in "ab" if (found := matches(words, "gtm", 0, name)))
    assert first.beyond([second]).tolist() == [False, True, False]


def test_edits_have_names() -> None:
    corpus = Corpus.of({"a": ["c d a b x e f"]}, {"r": ["a b c d y e g f"]})
    ter, wer = (matches(corpus, name, 0, "a") for name in ("ter", "wer"))
    assert ter is not None
    assert wer is not None
    assert ter.output[0].kinds in (
        ("shifted", "shifted", "", "", "substituted", "", ""),
        ("", "", "shifted", "shifted", "substituted", "", ""),
    )
    assert ter.references["r"][0].kinds[4:] == ("substituted", "", "missing", "")
    assert ter.counts.tolist() == [3, 8]
    kinds = Counter(wer.output[0].kinds) + Counter(wer.references["r"][0].kinds)
    edits = kinds["substituted"] // 2 + kinds["extra"] + kinds["missing"]
    assert wer.counts.tolist() == [edits, 8]


def test_stems_and_words() -> None:
    corpus = Corpus.of({"a": ["cats sleep"]}, {"r": ["the cat sleeps"]})
    found = matches(corpus, "meteor", 0, "a")
    assert found is not None
    assert found.output[0].kinds == ("stem", "stem")
    assert found.counts.tolist() == [0, 2, 0, 1, 2, 3]


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
