"""Counts kept between runs: the same digits whatever is kept, counted once, and never taken for others."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made import made_corpus
from made_wordnet import make_wordnet
from sampled import sampled

from mtsig import Corpus, measure, watching
from mtsig._memory import Cache, CacheWarning, closed
from mtsig._options import Option, options
from mtsig._records import FloatArray
from mtsig.errors import NotApplicable
from mtsig.metrics import METRICS, Bleu, Chrf, Metric, SentenceBleu, Statistics, Ter
from mtsig.metrics import _counting as counts
from mtsig.metrics._counting import compact
from mtsig.metrics._word_metrics import ErrorRate, Words

COUNTED = [name for name, one in METRICS.items() if not one.needs_parses]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache that keeps the counts of short texts, too."""
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("WNSEARCHDIR", str(make_wordnet(tmp_path / "wordnet")))
    monkeypatch.setattr(counts, "LEAST_CHARACTERS", 0)
    monkeypatch.setattr(counts, "RECOUNTED", 2**40)  # which of these texts it would meet by chance is no matter here
    return tmp_path / "cache" / "counts"


@pytest.fixture
def corpus() -> Corpus:
    return made_corpus(n=24, systems=3, references=2)


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The systems of every pass of counting, in order."""
    seen: list[tuple[str, ...]] = []
    for kind in (Bleu, Chrf, Ter):
        monkeypatch.setattr(kind, "count", spied(kind.count, seen))
    return seen


def spied(count: Any, seen: list[tuple[str, ...]]) -> Any:
    def counted_and_seen(self: Metric, corpus: Corpus) -> FloatArray:
        seen.append(tuple(corpus.systems))
        counts: FloatArray = count(self, corpus)
        return counts

    return counted_and_seen


def same(first: Statistics, second: Statistics) -> bool:
    return (
        np.array_equal(first.values, second.values)
        and first.values.dtype == second.values.dtype
        and first.scores.tolist() == second.scores.tolist()
        and (first.signature, first.digest, first.systems) == (second.signature, second.digest, second.systems)
    )


@sampled("name", COUNTED, most=7)
def test_the_digits_are_the_same_whatever_is_kept(name: str, corpus: Corpus) -> None:
    with closed():
        plain = measure(corpus, name)
    assert same(measure(corpus, name), plain)
    assert same(measure(corpus, name), plain)
    mixed = corpus.select(["sys2", "sys0"])
    with closed():
        plain = measure(mixed, name)
    assert same(measure(mixed, name), plain)


@pytest.mark.parametrize("name", COUNTED)
def test_progress_goes_up_to_one_whatever_is_kept(name: str, corpus: Corpus) -> None:
    for _ in range(2):
        shares: list[float] = []
        with watching(shares.append):
            measure(corpus, name)
        assert shares[-1] == 1.0
        assert all(0 < first <= second for first, second in pairwise(shares)) or len(shares) == 1


def test_nothing_is_counted_twice(corpus: Corpus, passes: list[tuple[str, ...]]) -> None:
    for _ in range(3):
        measure(corpus, "bleu")
    assert passes == [("sys0", "sys1", "sys2")]


def test_one_more_system_costs_that_one(corpus: Corpus, passes: list[tuple[str, ...]]) -> None:
    measure(corpus.select(["sys0", "sys2"]), "ter")
    measure(corpus, "ter")
    assert passes == [("sys0", "sys2"), ("sys1",)]


def test_names_and_documents_do_not_matter(corpus: Corpus, passes: list[tuple[str, ...]]) -> None:
    measure(corpus, "chrf")
    renamed = Corpus.of(
        {f"new {name}": corpus.lines(name) for name in corpus.systems},
        {f"new {name}": lines for name, lines in corpus.references.items()},
    )
    measure(renamed, "chrf")
    assert len(passes) == 1


def test_systems_with_the_same_lines_are_counted_once(corpus: Corpus, passes: list[tuple[str, ...]]) -> None:
    twins = Corpus.of({"a": corpus.lines("sys0"), "b": corpus.lines("sys1"), "c": corpus.lines("sys0")},
                      dict(corpus.references))  # fmt: skip
    found = measure(twins, "bleu")
    assert passes == [("a", "b")]
    assert np.array_equal(found.values[:, 0], found.values[:, 2])


SHARING = [
    [Bleu(), Bleu(smooth_method="floor"), Bleu(smooth_method="add-k", smooth_value=2), Bleu(effective_order=True),
     Bleu(force=True), Bleu(tokenize="13a"), SentenceBleu(), SentenceBleu(smooth_method="none")],
    [Bleu(trg_lang="zh"), Bleu(tokenize="zh")],
]  # fmt: skip


@pytest.mark.parametrize("group", SHARING)
def test_options_of_the_score_share_one_count(
    group: list[Metric], corpus: Corpus, passes: list[tuple[str, ...]]
) -> None:
    for one in group:
        with closed():
            plain = measure(corpus, one)
        passes.clear()
        assert same(measure(corpus, one), plain)
        assert len(passes) == (1 if one is group[0] else 0)


def test_beta_shares_a_count_where_it_chooses_no_reference(corpus: Corpus, passes: list[tuple[str, ...]]) -> None:
    variants = (Chrf(), Chrf(beta=1), Chrf(eps_smoothing=True), METRICS["sentchrf"])
    single = corpus.select(references=["ref0"])
    for one in variants:
        measure(single, one)
    assert len(passes) == 1
    for one in variants:
        measure(corpus, one)
    assert len(passes) == 4  # the mean of sentences has chrF's own β


def test_the_words_of_other_metrics_are_shared_where_only_the_score_differs(corpus: Corpus, folder: Path) -> None:
    single = corpus.select(references=["ref0"])
    for group in (["gtm", "gtm:part=recall"], ["meteor", "meteor:alpha=.5,stem_weight=.2"], ["bleu", "mbleu", "bp"]):
        before = set(folder.glob("*"))
        for name in group:
            with closed():
                plain = measure(single, name)
            assert same(measure(single, name), plain)
        assert len(set(folder.glob("*")) - before) == 3
    measure(single, "gtm:exponent=2")
    measure(single, "wer")
    measure(single, "per")
    assert len(set(folder.glob("*"))) == 9 + 9


@dataclass(frozen=True)
class FirstWord(ErrorRate):
    """Somebody's error rate: whether the first word is wrong."""

    name = "first"

    def errors(self, hypothesis: Words, reference: Words) -> int:
        return int(hypothesis[:1] != reference[:1])


def test_what_an_outsider_counts_is_not_kept(corpus: Corpus, folder: Path) -> None:
    measure(corpus, FirstWord())
    assert not folder.exists()


def other_values(option: Option) -> Iterator[Any]:
    if option.choices is not None:
        yield from (one for one in option.choices if one in {"13a", "zh", "intl", "char", "none", "exp", "floor"})
    elif option.type is bool:
        yield from (True, False)
    elif option.type is not str:
        low, high = option.low or 0, option.high or 3
        yield from (option.type(value) for value in (0, 1, 2, 3) if low <= value <= high)
    else:
        yield "zh"


@sampled("name", COUNTED, most=7)
def test_counts_that_differ_are_never_taken_for_each_other(name: str) -> None:
    lines = ["The cat, 1.5 (猫) sat — on the mat.", "It's  “HERE” and there; 3-2=1!", "the the The 好 the"] * 2
    references = {"a": ["the cat 1.5 sat on a Mat .", "its HERE and there 3-2", "好 The the"] * 2,
                  "b": ["A cat, (猫) on the mat.", "It's “here” and 1!", "the The the the 好 好"] * 2}  # fmt: skip
    corpus = Corpus.of({"x": lines, "y": lines[::-1]}, references)
    for one in options(METRICS[name]):
        for value in other_values(one):
            chosen = replace(METRICS[name], **{one.name: value})
            with closed():
                try:
                    plain = measure(corpus, chosen)
                except NotApplicable:  # what this option needs is not installed here
                    continue
            assert same(measure(corpus, chosen), plain), f"{one.name}={value}"


def test_other_references_are_other_counts(corpus: Corpus, passes: list[tuple[str, ...]]) -> None:
    measure(corpus, "bleu")
    measure(corpus.select(references=["ref0"]), "bleu")
    measure(corpus.select(references=["ref1", "ref0"]), "bleu")
    missing = [None, *corpus.references["ref1"][1:]]
    measure(Corpus.of(dict(corpus.outputs), {"r": corpus.references["ref0"], "s": missing}), "bleu")
    assert len(passes) == 4


def test_lines_are_told_apart_wherever_they_are_divided() -> None:
    columns = [["ab", "c"], ["a", "bc"], ["", "abc"], ["abc", ""], ["a\nb", "c"], ["ab", "", "c"]]
    digests = {Corpus.of({"x": column}).output_digests["x"] for column in columns}
    assert len(digests) == len(columns)
    absent = [Corpus.of({"x": ["1", "2"]}, {"r": lines}).references_digest for lines in (["", "a"], [None, "a"])]
    assert absent[0] != absent[1]


def test_what_is_broken_is_counted_again_and_written_anew(
    corpus: Corpus, folder: Path, passes: list[tuple[str, ...]]
) -> None:
    whole = measure(corpus, "bleu")
    files = sorted(folder.iterdir())
    assert len(files) == 3
    contents = [file.read_bytes() for file in files]
    files[1].write_bytes(contents[1][:100])
    files[2].write_bytes(contents[2][:-20] + b"x" * 20)
    assert same(measure(corpus, "bleu"), whole)
    assert [len(systems) for systems in passes] == [3, 2]
    assert [file.read_bytes() for file in files] == contents


def forge(file: Path, key: str, numbers: Any) -> None:
    """Write a file as the cache itself would, under this key."""
    beside = file.parents[2] / "forged"
    Cache(beside).put(key, numbers)
    (beside / f"{key}.npy").replace(file)


def test_files_that_were_exchanged_exchange_no_scores(
    corpus: Corpus, folder: Path, passes: list[tuple[str, ...]]
) -> None:
    whole = measure(corpus, "bleu")
    first, second, _ = sorted(folder.iterdir())
    contents = first.read_bytes(), second.read_bytes()
    assert contents[0] != contents[1]
    first.write_bytes(contents[1])
    second.write_bytes(contents[0])
    assert same(measure(corpus, "bleu"), whole)
    assert [len(systems) for systems in passes] == [3, 2]
    assert (first.read_bytes(), second.read_bytes()) == contents


@pytest.mark.parametrize("shape", [(10, 39), (9, 40), (400,), (10, 40, 1)])
def test_counts_of_another_shape_empty_the_cache(
    corpus: Corpus, folder: Path, passes: list[tuple[str, ...]], shape: tuple[int, ...]
) -> None:
    whole = measure(corpus, "bleu")
    file = min(folder.iterdir())
    forge(file, file.stem, np.ones(shape))
    with pytest.warns(CacheWarning, match="counts that do not match these texts"):
        assert same(measure(corpus, "bleu"), whole)
    assert [len(systems) for systems in passes] == [3, 3]
    assert same(measure(corpus, "bleu"), whole)
    assert len(passes) == 2


def test_a_forged_count_is_found_by_counting_again(
    corpus: Corpus, folder: Path, passes: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = measure(corpus, "bleu")
    other = measure(corpus, "chrf")
    files = sorted(folder.iterdir())
    systems = {key: system for system, key in keys_of(corpus).items()}
    forged = next(file for file in files if file.stem in systems)
    kept = Cache(folder).get(forged.stem)
    assert kept is not None
    changed = kept.copy()
    changed[1, 7] += 1
    forge(forged, forged.stem, changed)
    assert not same(measure(corpus, "bleu"), whole)  # nothing about the file betrays it
    checked = int(forged.stem[:8], 16)
    monkeypatch.setattr(counts, "RECOUNTED", checked)  # so that this key is among the chosen
    passes.clear()
    with pytest.warns(CacheWarning) as told:
        assert same(measure(corpus, "bleu"), whole)
    assert len(told) == 1
    assert str(folder) in str(told[0].message)
    assert {systems[forged.stem]} <= set(passes[0])
    assert sorted(passes[0] + passes[1]) == ["sys0", "sys1", "sys2"]
    # What the other metric had kept there is no more trusted either.
    passes.clear()
    assert same(measure(corpus, "bleu"), whole)
    assert same(measure(corpus, "chrf"), other)
    assert passes[-1] == ("sys0", "sys1", "sys2")


def keys_of(corpus: Corpus) -> dict[str, str]:
    options = counts._options(METRICS["bleu"].on(corpus), corpus)
    assert options is not None
    return counts._keys(options, corpus)


@pytest.mark.parametrize("name", COUNTED)
def test_counting_everything_again_finds_the_same(name: str, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = measure(corpus, name)
    monkeypatch.setattr(counts, "RECOUNTED", 1)
    assert same(measure(corpus, name), whole)


def test_one_in_a_hundred_is_counted_again_and_always_the_same_ones(
    folder: Path, passes: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counts, "RECOUNTED", 100)
    many = Corpus.of({f"s{at}": [f"a word {at}", "the cat"] for at in range(600)}, {"r": ["a word", "a cat"]})
    for _ in range(3):
        measure(many, "bleu")
    assert len(passes[0]) == 600
    assert 0 < len(passes[1]) <= 20
    assert passes[1] == passes[2]


@dataclass(frozen=True)
class EveryOther(Bleu):
    """Somebody's BLEU that counts otherwise, and does not say what its counts depend on."""

    def count(self, corpus: Corpus) -> FloatArray:
        return Bleu().count(corpus) * np.array([2] * 10)[:, None, None]


def test_a_subclass_that_counts_otherwise_is_not_given_its_parents_counts(corpus: Corpus, folder: Path) -> None:
    plain = measure(corpus, "bleu")
    before = set(folder.iterdir())
    assert np.array_equal(measure(corpus, EveryOther()).values, 2 * plain.values)
    assert set(folder.iterdir()) == before


def test_switched_off_nothing_is_kept(corpus: Corpus, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTSIG_CACHE", "off")
    measure(corpus, "bleu")
    assert not folder.exists()


def test_little_text_is_not_kept(corpus: Corpus, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("MTSIG_CACHE", str(folder.parent))
        measure(corpus, "bleu")
    assert not folder.exists()


def test_no_text_and_no_name_is_kept(corpus: Corpus, folder: Path) -> None:
    measure(corpus, "ter")
    for file in folder.iterdir():
        assert b"w1" not in file.read_bytes()
        assert len(file.stem) == 64


def test_numbers_are_kept_small_and_whole() -> None:
    assert compact(np.array([0.0, 255.0])).dtype == np.uint8
    assert compact(np.array([0.0, 256.0])).dtype == np.uint16
    assert compact(np.array([0.5])).dtype == np.float64
    assert compact(np.array([-1.0])).dtype == np.float64
    assert compact(np.array([2.0**60])).dtype == np.float64
    assert compact(np.zeros((3, 0))).tolist() == [[], [], []]
