"""NIST is mteval-v13a's to its printed digits; BLEU too, once both read the same words."""

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sampled import sampled

from mtsig import Corpus, measure, read_files
from mtsig.metrics import Bleu, Nist, Statistics
from mtsig.metrics._nist import mteval_words

SETS = ("wmt21-en-de", "wmt21-ru-en", "wmt21-ted-zh-en")
ORDERS = range(1, 10)

# mteval's scores of a system hang on no other system. In short: so many of each set, and those that differ below.
SOME, DIFFERING = 2, ("HuaweiTSC", "Online-A")
SHORT_AND_WHOLE = pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.slow)])


@dataclass(frozen=True)
class Run:
    """One set of mteval's runs: the texts, and what it printed for every system."""

    corpus: Corpus
    printed: dict[str, dict[str, str]]

    def numbers(self, column: str) -> list[list[str]]:
        return [self.printed[system][column].split() for system in self.corpus.systems]


@cache
def golden() -> dict[str, Any]:
    return dict(json.loads(Path(__file__).with_name("mteval-v13a.json").read_text(encoding="utf-8")))


def golden_words() -> list[Any]:
    """Return every two of a set, a tokenizer and a case; every three behind `slow`."""
    return [
        pytest.param(name, tokenizer, case, marks=() if (i + j + k) % 2 == 0 else pytest.mark.slow)
        for i, name in enumerate((*SETS, "wmt22-en-zh"))
        for j, tokenizer in enumerate(("13a", "intl"))
        for k, case in enumerate(("keep", "lower"))
    ]


@cache
def run_of(shared: Path, name: str, whole: bool) -> Run:
    printed = golden()["sets"][name]["systems"]
    kept = [system for at, system in enumerate(printed) if whole or at < SOME or system in DIFFERING]
    printed = {system: printed[system] for system in kept}
    folder = shared / "data" / name
    references = {file.stem: file for file in sorted((folder / "refs").glob("*.txt"))}
    systems = {system: folder / "systems" / f"{system}.txt" for system in printed}
    return Run(read_files(references, systems), printed)


def few_of(run: Run, whole: bool) -> Run:
    """Return some of the systems in short: NIST is dear, and reads the same words whichever systems differ in them."""
    some = list(run.corpus.systems)[: None if whole else SOME]
    return Run(run.corpus.select(some), {system: run.printed[system] for system in some})


def up_to(statistics: Statistics, order: int) -> np.ndarray:
    """Return the NIST scores of the orders up to `order` from counts of the orders up to 9."""
    rows = [*range(order), *range(9, 9 + order), 18]
    return Nist(max_ngram_order=order).score(statistics.sums[rows])


@sampled("name", SETS, most=1)
@SHORT_AND_WHOLE
def test_nist_is_mtevals_to_the_digit(shared: Path, name: str, whole: bool) -> None:
    run = few_of(run_of(shared, name, whole), whole)
    found = measure(run.corpus, "nist").scores
    assert [[f"{score:.4f}"] for score in found] == run.numbers("NIST")


@sampled("name", SETS[1:], most=1)
@SHORT_AND_WHOLE
def test_nist_of_every_order_is_mtevals(shared: Path, name: str, whole: bool) -> None:
    run = few_of(run_of(shared, name, whole), whole)
    statistics = measure(run.corpus, Nist(max_ngram_order=9))
    scores = np.array([np.zeros(len(run.corpus.systems)), *(up_to(statistics, order) for order in ORDERS)])
    cumulative = np.array(run.numbers("NIST cumulative"), dtype=float)
    individual = np.array(run.numbers("NIST individual"), dtype=float)
    np.testing.assert_allclose(scores[1:].T, cumulative, atol=0.5001e-4)
    np.testing.assert_allclose(np.diff(scores, axis=0).T, individual, atol=0.5001e-4)


@pytest.mark.parametrize(("name", "tokenizer", "case"), golden_words())
def test_words_are_mtevals(shared: Path, name: str, tokenizer: str, case: str) -> None:
    found = hashlib.sha256()
    for file in sorted((shared / "data" / name / "refs").glob("*.txt")):
        lines = file.read_bytes().decode().removesuffix("\n").split("\n")
        words = [" ".join(mteval_words(line, tokenizer == "intl", case == "lower")) for line in lines]
        found.update("".join(f"{line}\n" for line in words).encode())
    assert found.hexdigest() == golden()["words"]["files"][name][f"{tokenizer} {case}"]


def scores_of(corpus: Corpus, **options: object) -> list[list[str]]:
    return [[f"{score / 100:.4f}"] for score in measure(corpus, Bleu(**options)).scores]


@cache
def in_mtevals_words(shared: Path, name: str, whole: bool) -> Corpus:
    """Return the corpus of a set with every line cut into words as mteval cuts it."""
    corpus = run_of(shared, name, whole).corpus

    def cut(lines: "list[str] | tuple[str, ...]") -> list[str]:
        return [" ".join(mteval_words(line)) for line in lines]

    return Corpus.of(
        {name: cut(list(corpus.lines(name))) for name in corpus.systems},
        {name: cut([str(line) for line in lines]) for name, lines in corpus.references.items()},
    )


@sampled("name", SETS, most=1)
@SHORT_AND_WHOLE
def test_bleu_on_mtevals_words_is_mtevals_to_the_digit(shared: Path, name: str, whole: bool) -> None:
    run = run_of(shared, name, whole)
    found = scores_of(in_mtevals_words(shared, name, whole), tokenize="none", force=True)
    assert found == run.numbers("BLEU")


@pytest.mark.parametrize(("name", "differing"), [*zip(SETS, (list(DIFFERING), [], []), strict=True)])
@SHORT_AND_WHOLE
def test_sacrebleus_tokenizer_departs_from_mtevals_on_entities_alone(
    shared: Path, name: str, differing: list[str], whole: bool
) -> None:
    run = run_of(shared, name, whole)
    printed, found = run.numbers("BLEU"), scores_of(run.corpus)
    systems = list(run.corpus.systems)
    assert [system for system, ours, theirs in zip(systems, found, printed, strict=True) if ours != theirs] == differing
    # mteval reads what a line file has as it stands; sacreBLEU's 13a takes "&quot;" for a quotation mark.
    escaped = Corpus.of(
        {name: [line.replace("&", "&amp;") for line in run.corpus.lines(name)] for name in systems},
        {name: [str(line).replace("&", "&amp;") for line in lines] for name, lines in run.corpus.references.items()},
    )
    assert scores_of(escaped) == printed


@sampled("name", SETS[1:], most=1)
@SHORT_AND_WHOLE
def test_bleus_precisions_and_every_cumulative_bleu_are_mtevals(shared: Path, name: str, whole: bool) -> None:
    run = run_of(shared, name, whole)
    totals = measure(in_mtevals_words(shared, name, whole), Bleu(tokenize="none", force=True, max_ngram_order=9)).sums
    cumulative = np.array(run.numbers("BLEU cumulative"), dtype=float)
    individual = np.array(run.numbers("BLEU individual"), dtype=float)
    for order in ORDERS:
        rows = [0, 1, *range(2, 2 + order), *range(11, 11 + order)]
        found = Bleu(max_ngram_order=order).score(totals[rows]) / 100
        np.testing.assert_allclose(found, cumulative[:, order - 1], atol=0.5001e-4)
        np.testing.assert_allclose(totals[1 + order] / totals[10 + order], individual[:, order - 1], atol=0.5001e-4)
