"""Counting in blocks of segments, here or in worker processes: the same digits whatever the blocks.

The tokenizer that a text needs is taken by default, said, and recorded; no other one is believed on such text.
"""

import importlib
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kept import worded
from made import flat, made_corpus, parsed
from sacrebleu.metrics.bleu import BLEU
from sampled import sampled, slow

from mtsig import Corpus, measure, metric, watching
from mtsig._limits import Limits, within
from mtsig._memory import closed
from mtsig._options import options
from mtsig._records import FloatArray
from mtsig.errors import InvalidOption, NotApplicable, ProgramError
from mtsig.inference import Settings
from mtsig.metrics import METRICS, Bleu, Chrf, Gtm, SentenceBleu, Statistics, Wer
from mtsig.metrics._bleu import MBleu
from mtsig.metrics._counting import Tokenizing, counted
from mtsig.progress import done_in_order, one_by_one
from mtsig.readers._read import read
from mtsig.study import Request, Study, conduct
from mtsig.study._changes import reproduce
from mtsig.study._request import choice_of

LINES = st.text("ab c.,'é漢", max_size=12)
IN_BLOCKS = [name for name, one in METRICS.items() if one.in_blocks]


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    with closed():
        yield


def same(one: FloatArray, other: FloatArray) -> bool:
    return one.shape == other.shape and bool(np.all(one == other))


def of_lines(rows: list[tuple[str, str, str, str | None]]) -> Corpus:
    """A corpus of two systems and two references, the second of which some segments lack."""
    a, b, first, second = zip(*rows, strict=True)
    return Corpus.of({"a": a, "b": b}, {"r": first, "s": second})


@sampled("name", IN_BLOCKS, most=6)
@given(rows=st.lists(st.tuples(LINES, LINES, LINES.map(lambda line: f"{line}x"), LINES | st.none()), min_size=1,
                     max_size=12),
       size=st.integers(1, 12))  # fmt: skip
@settings(deadline=None, max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_blocks_of_any_size_count_what_the_whole_counts(
    name: str, rows: list[tuple[str, str, str, str | None]], size: int
) -> None:
    corpus = parsed(of_lines(rows))
    one = metric(name).on(corpus)
    with pytest.MonkeyPatch.context() as patch, closed():
        patch.setattr("mtsig.metrics._counting.BLOCK", size)
        assert same(counted(one, corpus), one.count(corpus))


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_measures_the_same_in_blocks(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = parsed(made_corpus(n=24, references=2))
    whole = measure(corpus, name)
    monkeypatch.setattr("mtsig.metrics._counting.BLOCK", 7)
    blocks = measure(corpus, name)
    assert same(blocks.values, whole.values)
    assert blocks.values.dtype == whole.values.dtype
    assert (blocks.notes, blocks.signature) == (whole.notes, whole.signature)


def test_all_metrics_but_those_that_look_at_the_whole_are_counted_in_blocks() -> None:
    # NIST weighs n-grams by the references of all segments; means of sentence scores are made of counts in blocks.
    assert set(METRICS) - set(IN_BLOCKS) == {"nist", "sentbleu", "sentchrf", "sentter"}


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        yield executor


@pytest.mark.parametrize("name", ["bleu", "chrf++", "ter", "meteor", "sentchrf", "nist", "depf"])
def test_worker_processes_give_the_same_digits(name: str, pool: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = parsed(made_corpus(n=20, references=2))
    whole = measure(corpus, name)
    monkeypatch.setattr("mtsig.metrics._counting.BLOCK", 6)
    assert same(measure(corpus, name, executor=pool).values, whole.values)


def test_limits_hold_in_worker_processes_and_name_the_segment(pool: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig.metrics._counting.BLOCK", 2)
    lines = ["a", "b", "a", "a b " * 6]
    corpus = Corpus.of({"x": lines}, {"r": ["a"] * 4})
    for executor in (None, pool):
        with within(Limits(max_tokens=11)), pytest.raises(NotApplicable, match="x, segment 4: found 12 words"):
            measure(corpus, "ter", executor=executor)


@dataclass(frozen=True)
class Whole(Bleu):
    """BLEU from outside that counts how many segments there are: it must see them all."""

    def count(self, corpus: Corpus) -> FloatArray:
        return np.full((10, len(corpus.systems), len(corpus)), float(len(corpus)))


@dataclass(frozen=True)
class Wrong(Chrf):
    """A metric that may be counted in blocks, and counts what is no number."""

    in_blocks = True

    def count(self, corpus: Corpus) -> FloatArray:
        return np.array([[[np.nan if line == "bad" else 1.0 for line in corpus.lines("x")]]])


def test_a_metric_that_counts_in_its_own_way_is_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig.metrics._counting.BLOCK", 2)
    corpus = Corpus.of({"x": ["a", "b", "bad"]}, {"r": ["a", "b", "c"]})
    assert np.all(counted(Whole(), corpus) == 3)
    with pytest.raises(ProgramError, match="statistic 1, system x, segment 3 of those counted"):
        counted(Wrong(), corpus)


def test_real_numbers_among_whole_ones_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True)
    class Late(Chrf):
        in_blocks = True

        def count(self, corpus: Corpus) -> FloatArray:
            return np.array([[[float(line) for line in corpus.lines("x")]]])

    lines = ["1", "2", "0.1", "16777217", "3"]
    corpus = Corpus.of({"x": lines}, {"r": lines})
    for size in (1, 2, 5):
        monkeypatch.setattr("mtsig.metrics._counting.BLOCK", size)
        assert counted(Late(), corpus).ravel().tolist() == [1.0, 2.0, 0.1, 16777217.0, 3.0]


def test_progress_of_blocks_grows_to_one(pool: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig.metrics._counting.BLOCK", 8)
    for executor in (None, pool):
        shares: list[float] = []
        with watching(shares.append):
            measure(made_corpus(n=40), "bleu", executor=executor)
        assert shares == sorted(shares)
        assert shares[-1] == 1


class Jobs(list[int]):
    """Jobs that remember which of them were made."""

    def __init__(self, count: int) -> None:
        super().__init__(range(count))
        self.made: list[int] = []

    def __getitem__(self, number: int) -> int:  # type: ignore[override]
        self.made.append(number)
        return super().__getitem__(number)


def test_few_jobs_wait_at_a_time(pool: Executor) -> None:
    jobs = Jobs(20)
    results = one_by_one(abs, jobs, pool, ahead=3)
    assert (next(results), jobs.made) == (0, [0, 1, 2])
    assert (next(results), jobs.made) == (1, [0, 1, 2, 3])
    assert list(results) == list(range(2, 20))
    assert done_in_order(abs, Jobs(20)) == list(range(20))


def test_a_digest_takes_less_memory_than_the_text() -> None:
    lines = [f"{number} " * 20 for number in range(20_000)]
    corpus = Corpus.of({"x": lines}, {"r": lines})
    tracemalloc.start()
    assert corpus.digest.startswith("sha256:")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < sum(map(len, lines)) / 2


@pytest.mark.slow
def test_counts_of_many_segments_take_what_they_are_and_little_more() -> None:
    n = 12_000  # two blocks: counted at once it would be 8 MiB more than the counts themselves, in blocks it is 5
    corpus = Corpus.of({"x": ["a b c d"] * n, "y": ["a c d"] * n}, {"r": ["a b d"] * n})
    tracemalloc.start()
    found: Statistics = measure(corpus, "bleu")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < found.values.nbytes + 6.5 * 2**20


TEXTS = {
    "Chinese": (["今天早上下了大雨，路上没有人。", "他把旧书送给了图书馆。"],
                ["今天早上下了一场大雨，路上几乎没有行人。", "他把那本旧书送给了图书馆。"]),
    "Japanese": (["駅前の喫茶店で友人と待ち合わせた。", "コーヒーを三杯飲みました。"],
                 ["駅前の喫茶店で友だちと待ち合わせをした。", "コーヒーを三杯も飲んでしまいました。"]),
    "Korean": (["오늘 아침에 비가 많이 내렸다.", "그는 낡은 책을 도서관에 주었다."],
               ["오늘 아침에는 비가 많이 내렸습니다.", "그는 낡은 책을 도서관에 주었다."]),
    "Thai": (["เช้านี้ฝนตกหนักและแทบไม่มีคนบนถนน", "เขาให้หนังสือเก่าแก่ห้องสมุด"],
             ["เช้านี้ฝนตกหนักมากและแทบไม่มีใครอยู่บนถนน", "เขาให้หนังสือเล่มเก่าแก่ห้องสมุด"]),
    "English": (["It rained hard today, and nobody was out.", "He gave the book to the library."],
                ["It rained hard this morning, and hardly anybody was out.", "He gave the old book to the library."]),
}  # fmt: skip
USUAL = {"Chinese": "zh", "Japanese": "ja-mecab", "Korean": "ko-mecab", "Thai": "char", "English": "13a"}
BY_WORDS = [name for name, one in METRICS.items() if isinstance(one, Tokenizing)]


def of(language: str) -> Corpus:
    output, reference = TEXTS[language]
    return Corpus.of({"a": output, "b": reference[::-1]}, {"r": reference})


def without_mecab(monkeypatch: pytest.MonkeyPatch, *languages: str) -> None:
    """Leave the tokenizers of these languages as they are without their packages."""
    for language in languages:
        monkeypatch.setattr(importlib.import_module(f"sacrebleu.tokenizers.tokenizer_{language}_mecab"), "MeCab", None)


def said(statistics: Statistics) -> list[str]:
    return [note.text for note in statistics.notes if " counts with the tokenizer " in note.text]


# --- what is chosen --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", TEXTS)
def test_bleu_is_sacrebleus_with_the_tokenizer_that_the_text_needs(language: str) -> None:
    output, reference = TEXTS[language]
    found = measure(of(language), "bleu")
    sacre = BLEU(tokenize=USUAL[language])
    assert found.scores[0] == pytest.approx(sacre.corpus_score(output, [reference]).score, abs=1e-9)
    assert found.signature.startswith(sacre.get_signature().format() + "|")
    assert found.metric.tokenize == USUAL[language]  # type: ignore[attr-defined]
    assert found.data_caveat == ""


@pytest.mark.parametrize("name", BY_WORDS)
@pytest.mark.parametrize("language", ["Chinese", "English"])
def test_every_metric_with_a_tokenizer_takes_it(name: str, language: str) -> None:
    corpus, tokenizer = of(language), USUAL[language]
    found, chosen = measure(corpus, name), measure(corpus, f"{name}:tokenize={tokenizer}")
    assert found.signature == chosen.signature
    assert f"|tok:{tokenizer}|" in found.signature
    assert (found.values == chosen.values).all()
    assert (said(chosen), len(said(found))) == ([], language == "Chinese")


def test_bleu_and_all_that_is_made_of_its_counts_are_left_to_the_text() -> None:
    assert {"bleu", "mbleu", "precision", "bp", "ratio", "sentbleu", "meteor", "rouge-l", "gtm", "wer", "per"} <= {
        name
        for name in BY_WORDS
        if metric(name).tokenize == "auto"  # type: ignore[attr-defined]
    }


@pytest.mark.parametrize("kind", [Bleu, SentenceBleu, MBleu, Wer, Gtm])
def test_counting_without_measure_takes_it_too(kind: type[Tokenizing]) -> None:
    corpus, asked, chosen = of("Chinese"), kind(), kind(tokenize="zh")
    assert (asked.count(corpus) == chosen.count(corpus)).all()
    assert asked.signature(corpus) == chosen.signature(corpus)
    assert asked.counting_options(corpus) == chosen.counting_options(corpus)


@pytest.mark.parametrize(("language", "code"), [("Japanese", "ja"), ("Korean", "ko")])
def test_without_mecab_characters_are_counted_and_what_to_install_is_said(
    language: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_mecab(monkeypatch, code)
    found = measure(of(language), "bleu")
    assert "|tok:char|" in found.signature
    (line,) = said(found)
    assert f"the extra {code} of mtsig" in line
    worded(line, f"{code}-mecab", "BLEU")


def test_what_is_chosen_by_hand_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    for tokenizer in ("13a", "char", "none", "intl"):
        assert f"|tok:{tokenizer}|" in measure(of("Japanese"), f"bleu:tokenize={tokenizer}").signature
    without_mecab(monkeypatch, "ja")
    for choice in ("bleu:tokenize=ja-mecab", "bleu:trg_lang=ja"):
        with pytest.raises(NotApplicable, match=r"extra ja.*such as chrF"):
            measure(of("Japanese"), choice)


def test_the_target_language_is_heard_before_the_text() -> None:
    assert "|tok:zh|" in measure(of("English"), "bleu:trg_lang=zh").signature
    assert "|tok:char|" in measure(of("Thai"), "bleu:trg_lang=th").signature


def test_none_is_sacrebleus_own_default_as_it_always_was() -> None:
    assert Bleu(tokenize=None) == Bleu(tokenize="13a")  # type: ignore[arg-type]
    assert Bleu(tokenize=None, trg_lang="zh") == Bleu(tokenize="zh", trg_lang="zh")  # type: ignore[arg-type]


def test_references_decide_and_not_a_system_in_another_script() -> None:
    reference, broken = TEXTS["English"][1], TEXTS["Chinese"][0]
    found = measure(Corpus.of({"good": reference, "broken": broken}, {"r": reference}), "bleu")
    assert "|tok:13a|" in found.signature
    assert said(found) == []


def test_traditional_characters_are_chinese() -> None:
    lines = ["這條街上的書店都關門了，只剩下一家麵館。"]
    assert "|tok:zh|" in measure(Corpus.of({"a": lines}, {"r": lines}), "bleu").signature


def test_the_other_reference_decides_where_one_is_missing() -> None:
    _, (first, second) = TEXTS["Chinese"]
    corpus = Corpus.of({"a": [first, second]}, {"r": [None, None], "s": [first, None]})
    assert "|tok:zh|" in measure(corpus, "bleu").signature


def test_the_tokenizer_of_the_text_is_no_longer_that_after_a_change_by_hand() -> None:
    found = measure(of("Chinese"), "bleu").metric
    assert isinstance(found, Bleu)
    assert (found.by_text, found.asked, found.counted) == ("zh", Bleu(), Bleu(tokenize="zh"))
    changed = Bleu(**{**vars(found), "tokenize": "char"})
    assert (changed.by_text, changed.asked) == ("", changed)
    assert "by_text" not in {one.name for one in options(found)}


# --- what is said ----------------------------------------------------------------------------------------------


def test_one_line_says_what_was_chosen_and_how_to_change_it() -> None:
    worded(said(measure(of("Chinese"), "bleu")), "BLEU", "zh", "char")
    (of_rates,) = said(measure(of("Thai"), "wer"))
    worded(of_rates, "WER", "flores200")
    (later,) = said(measure(of("Korean"), "meteor-1.5"))
    assert "such as 13a" in later
    assert measure(of("English"), "bleu").notes == ()


# --- what is not believed --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "choice",
    ["bleu:tokenize=13a", "bleu:tokenize=none", "bleu:tokenize=intl", "bp:tokenize=13a", "sentbleu:tokenize=13a",
     "wer:tokenize=13a", "meteor:tokenize=13a", "nist", "nist:tokenize=intl", "ter", "sentter",
     "ter:asian_support=true"],
)  # fmt: skip
def test_clauses_counted_as_words_are_doubted(choice: str) -> None:
    found = measure(of("Chinese"), choice)
    worded(found.data_caveat)
    assert [note.text for note in found.notes if note.level == "warning"] == [found.data_caveat]
    assert found.select(["a"]).data_caveat == found.data_caveat


def test_the_doubt_says_what_to_choose_instead() -> None:
    worded(measure(of("Chinese"), "bleu:tokenize=13a").data_caveat, "(13a)", "tokenizer zh")
    worded(measure(of("Thai"), "bleu:tokenize=zh").data_caveat, "tokenizer char")
    # As the page's gear calls them; the shell's options of the metric are listed under the same labels.
    worded(measure(of("Japanese"), "ter").data_caveat, "“Normalize”")
    for choice in ("nist", "ter:normalized=true,asian_support=true"):
        assert "chrF" in measure(of("Thai"), choice).data_caveat


@pytest.mark.parametrize(
    "choice",
    ["chrf", "bleu", "bleu:tokenize=zh", "bleu:tokenize=char", "bleu:trg_lang=zh", "gtm:tokenize=char",
     "ter:normalized=true,asian_support=true", "sentbleu:trg_lang=zh"],
)  # fmt: skip
def test_where_words_need_no_spaces_nothing_is_doubted(choice: str) -> None:
    found = measure(of("Chinese"), choice)
    assert found.data_caveat == ""
    assert not [note for note in found.notes if note.level == "warning"]


@pytest.mark.parametrize("choice", ["bleu:tokenize=none", "bleu:tokenize=13a", "nist", "ter", "wer:tokenize=none"])
def test_text_that_was_cut_into_words_may_be_counted_by_its_spaces(choice: str) -> None:
    lines = ["今天 早上 下 了 一 场 大雨 ， 路上 几乎 没有 行人 。"]
    assert measure(Corpus.of({"a": lines}, {"r": lines}), choice).data_caveat == ""


@pytest.mark.parametrize("choice", ["bleu:tokenize=13a", "ter", "nist"])
def test_korean_has_spaces(choice: str) -> None:
    assert measure(of("Korean"), choice).data_caveat == ""


# --- what is recorded ------------------------------------------------------------------------------------------


def study(language: str, *choices: str) -> Study:
    output, reference = TEXTS[language]
    corpus = Corpus.of({"a": output * 6, "b": (reference[::-1]) * 6}, {"r": reference * 6})
    return conduct(corpus, Request(tuple(map(metric, choices)), Settings(n_resamples=100)))


def corpus_of(language: str) -> Corpus:
    output, reference = TEXTS[language]
    return Corpus.of({"a": output * 6, "b": (reference[::-1]) * 6}, {"r": reference * 6})


def test_a_study_says_what_was_asked_and_what_was_counted() -> None:
    found = study("Chinese", "bleu", "chrf")
    assert found.plain()["request"]["metrics"] == ["bleu", "chrf"]
    assert [one["counted_as"] for one in flat(found.plain())["metrics"]] == ["bleu:tokenize=zh", "chrf"]
    assert [choice_of(one.counted) for one in found.counted] == ["bleu:tokenize=zh", "chrf"]
    assert len([text for text in found.plain()["notes"] if "the tokenizer zh" in text]) == 1


def test_a_study_is_made_again_with_the_recorded_tokenizer_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    found = study("Japanese", "bleu", "wer")
    again = reproduce(found, corpus_of("Japanese"))
    assert again.same
    assert again.again is not None
    assert again.again.plain() == found.plain()
    without_mecab(monkeypatch, "ja")
    lacking = reproduce(found, corpus_of("Japanese"))
    assert lacking.again is None
    assert "extra ja" in lacking.changes[0].text
    by_characters = study("Japanese", "bleu")
    monkeypatch.undo()
    assert flat(by_characters.plain())["metrics"][0]["counted_as"] == "bleu:tokenize=char"
    assert reproduce(by_characters, corpus_of("Japanese")).same


def test_one_metric_asked_for_under_two_names_is_refused() -> None:
    with pytest.raises(InvalidOption, match="bleu:tokenize=zh is named twice"):
        study("Chinese", "bleu", "bleu:tokenize=zh")


# --- real text -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pair", "tokenizer"), [("en-zh", "zh"), *slow(("en-ja", "ja-mecab"), ("en-de", "13a"))])
def test_real_sets_score_as_in_sacrebleu(pair: str, tokenizer: str, shared: Path) -> None:
    corpus = read(shared / "data" / "wmt22-several" / pair)
    corpus = corpus.select(list(corpus.systems)[:2]).take(range(300))
    found = measure(corpus, "bleu")
    sacre: Any = BLEU(tokenize=tokenizer)
    streams = [list(lines) for lines in corpus.references.values()]
    expected = [sacre.corpus_score(list(corpus.lines(name)), streams).score for name in corpus.systems]
    assert found.scores == pytest.approx(expected, abs=1e-9)
    assert sacre.get_signature().format() in found.signature
    assert (found.data_caveat, len(said(found))) == ("", tokenizer != "13a")
