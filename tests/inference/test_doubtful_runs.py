"""No verdict on runs where `compare` has none: doubtful counts, kin, copies, and few or unequal documents."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from made import CHINESE, edited_reference, rated

from mtsig import Corpus, compare_runs, measure, verdict
from mtsig.inference._runs import judge_runs
from mtsig.metrics import Statistics
from mtsig.report._diagnostics import runs_table, runs_text

RUNS = ["X.run1", "X.run2", "Y.run1", "Y.run2"]


def with_runs(documents: np.ndarray | None = None, n: int = 150) -> Statistics:
    """Return two systems of two runs each, the first far better."""
    rng = np.random.default_rng(3)
    scores = rng.normal(70, 10, n) + np.array([[3.0], [3.1], [0.0], [0.1]]) + rng.normal(0, 2, (4, n))
    return rated(scores, RUNS, documents)


def covered(documents: int, size: int = 10) -> Statistics:
    """Return runs of which the last has so many of the fifteen documents."""
    whole = with_runs(np.repeat(np.arange(15), size), 15 * size)
    coverage = np.ones((4, 15 * size), dtype=bool)
    coverage[3, documents * size :] = False
    return replace(whole, values=np.where(coverage, whole.values, 0), available=coverage)


def test_without_a_doubt_one_wins() -> None:
    found = compare_runs(with_runs(np.repeat(np.arange(15), 10)), "X", "Y")
    assert (verdict(found).winner, found.data_caveat) == ("X", "")


def test_words_counted_in_text_without_spaces_name_no_winner() -> None:
    lines = CHINESE["ref"]
    outputs = {
        "X.run1": lines,
        "X.run2": [line[:-1] if i % 9 == 0 else line for i, line in enumerate(lines)],
        "Y.run1": [line[: len(line) // 2] if i % 2 else line for i, line in enumerate(lines)],
        "Y.run2": [line[: len(line) // 2] if i % 2 == 0 else line for i, line in enumerate(lines)],
    }
    found = compare_runs(measure(Corpus.of(outputs, {"ref": lines}), "ter"), "X", "Y")
    assert verdict(found).word == "withheld"
    assert "Chinese is written without spaces" in str(verdict(found).withheld_reason)
    assert "Chinese is written without spaces" in runs_text(found)
    assert found.row()["data_caveat"] == found.data_caveat
    assert any("Chinese is written" in note.text for note in found.notes)


def test_runs_of_a_kin_name_no_winner_and_do_not_hide_each_other() -> None:
    corpus = edited_reference()
    other, *rest = (name for name in corpus.systems if name != "kin")
    changed = [line if i % 40 else "something else" for i, line in enumerate(corpus.lines("kin"))]
    outputs = {
        "K.run1": corpus.lines("kin"),
        "K.run2": changed,
        "L.run1": corpus.lines(other),
        "L.run2": [line if i % 30 else "something else" for i, line in enumerate(corpus.lines(other))],
        **{name: corpus.lines(name) for name in rest},
    }
    statistics = measure(Corpus.of(outputs, corpus.references), "bleu")
    assert [one.kin.system for one in statistics.kinships] == ["K.run1", "K.run2"]
    decided = verdict(compare_runs(statistics, "L", "K"))
    assert decided.word == "withheld"
    assert "of reference 'B', and runs are not judged without that reference" in str(decided.withheld_reason)
    bare = compare_runs(replace(statistics, kinships=()), "L", "K")
    assert verdict(bare).winner == "K"


@pytest.mark.parametrize("which", [0, 2])
def test_copies_are_no_runs(which: int) -> None:
    statistics = with_runs()
    values = statistics.values.copy()
    values[:, which + 1] = values[:, which]
    found = compare_runs(replace(statistics, values=values), "X", "Y")
    assert found.significant
    assert verdict(found).word == "withheld"
    first, second = RUNS[which : which + 2]
    assert (
        verdict(found).withheld_reason == f"{first} and {second} are the same in every segment, and copies are no runs"
    )


@pytest.mark.parametrize("documents", [1, 3, 9])
def test_few_shared_documents_carry_no_verdict_on_runs(documents: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = judge_runs([compare_runs(covered(documents), "X", "Y")])[0]
        said = runs_text(found)
        assert "nan" not in str(runs_table(found))
    known = "1 document is known" if documents == 1 else f"{documents} documents are known"
    expected = f"only {known} for all runs, too few for document-level inference"
    assert (verdict(found).word, verdict(found).withheld_reason) == ("withheld", expected)
    assert "Nothing varies" not in said
    assert np.isnan([found.ci_low, found.ci_high, found.p_value]).all() == (documents == 1)
    assert ("cannot be known from one" in said) == (documents == 1)


def test_one_segment_has_no_spread() -> None:
    found = compare_runs(with_runs(n=1), "X", "Y")
    assert verdict(found).withheld_reason == "one segment alone has no spread"
    assert np.isnan(found.ci_low)


def test_very_unequal_documents_carry_no_verdict_on_runs_and_are_warned_of() -> None:
    sizes = [100, *[5] * 12]
    found = compare_runs(with_runs(np.repeat(np.arange(13), sizes), sum(sizes)), "X", "Y")
    reason = str(verdict(found).withheld_reason)
    assert reason.startswith("13 documents of 5 to 100 segments judge their own spread like 2 equal ones")
    texts = [note.text for note in found.notes]
    assert f"{reason}." in texts
    assert "A document unlike the others that is not among the 13 cannot be seen from them." in texts
