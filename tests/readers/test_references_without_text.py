"""A reference that holds no text is refused wherever it comes from, by every metric that needs one."""

from collections.abc import Callable
from pathlib import Path

import pytest
from kept import lacking
from layouts import LAYOUTS, made
from sampled import crossed

from mtsig import Corpus, check_data, compare, measure, read
from mtsig.errors import NotApplicable
from mtsig.gate import judge

NOTHING = ("", " ", "None", "nan", "N/A", "TODO", "-", "—", "null", "[missing]", "<no reference>", "???", "REF HERE")


@crossed("word, layout", ["", "None", "TODO", "-"], LAYOUTS)
def test_it_is_refused_in_every_layout(layout: str, word: str, tmp_path: Path) -> None:
    texts = made() | {"ref": [word] * 30}
    corpus = read(LAYOUTS[layout](texts, tmp_path))
    for metric in ("bleu", "chrf"):
        with pytest.raises(NotApplicable, match="has no text"):
            measure(corpus, metric)


@pytest.mark.parametrize("word", NOTHING)
def test_whatever_stands_there(word: str) -> None:
    texts = made()
    corpus = Corpus.of({"alpha": texts["alpha"], "beta": texts["beta"]}, {"ref": [word] * 30})
    with pytest.raises(NotApplicable, match=r"BLEU needs a reference\. Reference 'ref' has no text"):
        compare(corpus, metrics=["bleu"])
    assert any(finding.where == "reference 'ref'" and "no text" in finding.found for finding in check_data(corpus))


STANDING_IN: dict[str, Callable[[int], str]] = {
    "a sentence": lambda _: "No reference is available for this segment yet.",
    "counted": lambda i: f"TODO: translate segment {i}.",
    "numbers": str,
    "ids": lambda i: f"doc{i // 10}_{i % 10}",
    "digests": lambda i: f"{i * 7919 + 5 * 16**7:x}",
    "paths": lambda i: f"/data/ref/{i}.txt",
    "labels": lambda i: ("good", "bad")[i % 2],
    "two words": lambda i: ("None", "TBA")[i % 2],
    "sources": lambda i: made()["source"][i],
    "sources to be translated": lambda i: f"TODO: {made()['source'][i].upper()}",
}


def test_lines_without_any_translation() -> None:
    texts = made()
    for kind, line in STANDING_IN.items():
        corpus = Corpus.of({"alpha": texts["alpha"]}, {"ref": [*map(line, range(30))]}, sources=texts["source"])
        with pytest.raises(NotApplicable, match=r"Reference 'ref' has no text: .*(every line|lines are)"):
            measure(corpus, "chrf")
        assert any("has no text" in finding.found for finding in check_data(corpus)), kind


def test_answers_that_are_numbers_or_labels_are_references() -> None:
    for answer in (str, lambda i: "ABCD"[i % 4], lambda i: f"{i % 7}.5"):
        right = [*map(answer, range(40))]
        corpus = Corpus.of({"alpha": [right[0], *right[:-1]]}, {"ref": right})
        assert measure(corpus, "chrf").scores[0] > 0


SPARSE: dict[str, Callable[[int], str]] = {
    "TODO": lambda _: "TODO", "counted": lambda i: f"TODO {i}", "none": lambda i: ("None", "nan")[i % 2],
    "dash": lambda _: "-", "blank": lambda _: "", "either": lambda i: ("", "N/A")[i % 2],
}  # fmt: skip


@crossed("kind, share", SPARSE, [0.02, 0.05, 0.3, 0.49, 0.5, 0.7, 0.98])
def test_references_that_lack_text_on_many_lines_are_no_evidence(kind: str, share: float) -> None:
    """Half without text is no reference; from a twentieth on a gate does not pass, whatever outputs have there."""
    texts, count = made(200), round(200 * share)
    missing = {i for i in range(200) if i * count // 200 < (i + 1) * count // 200}
    lines = [SPARSE[kind](i) if i in missing else line for i, line in enumerate(texts["ref"])]
    also = [lines[i] if i in missing else line for i, line in enumerate(texts["beta"])]
    for beta in (texts["beta"], also):
        corpus = Corpus.of({"alpha": texts["alpha"], "beta": beta}, {"ref": lines})
        if share >= 0.5:
            with pytest.raises(NotApplicable, match=rf"{count} of 200 lines hold nothing or placeholders, such as"):
                judge(corpus, "alpha", "beta", ["chrf"], 60.0)
            continue
        (check,) = judge(corpus, "alpha", "beta", ["chrf"], 60.0).checks
        said = "" if share < 0.05 else f"{count} of 200 lines of reference ref have no text"
        assert (check.outcome, check.withheld_reason) == ("inconclusive" if said else "pass", said)


def test_short_answers_may_be_called_none() -> None:
    right = ["none", "blue", "red", "none", "none"] * 10
    corpus = Corpus.of({"alpha": ["red", *right[1:]], "beta": ["red"] * 50}, {"ref": right})
    assert measure(corpus, "chrf").scores[0] > 90
    blank = {name: [line if i % 5 else "" for i, line in enumerate(lines)] for name, lines in made(200).items()}
    corpus = Corpus.of({name: blank[name] for name in ("alpha", "beta")}, {"ref": blank["ref"]})
    assert judge(corpus, "alpha", "beta", ["chrf"], 60.0).outcome == "pass"


def test_placeholders_on_some_lines_are_told() -> None:
    texts = made()
    half = [line if i % 3 else "None" for i, line in enumerate(texts["ref"])]
    for systems, references, where in (("alpha", half, "ref"), ("ref", texts["ref"], "ref")):
        corpus = Corpus.of({"alpha": half if systems == "ref" else texts["alpha"]}, {"ref": references})
        found = [finding.found for finding in check_data(corpus) if finding.check == "empty"]
        assert any(not lacking(one, "None or TODO", "10 of 30") for one in found), where


@pytest.mark.parametrize("share", [3, 5])
def test_numbered_placeholders_are_placeholders(share: int) -> None:
    texts = made(30)
    some = [line if at % share else f"TODO {at}" for at, line in enumerate(texts["ref"])]
    corpus = Corpus.of({"alpha": texts["alpha"]}, {"ref": some})
    found = [finding.found for finding in check_data(corpus) if finding.check == "empty"]
    assert any(not lacking(one, "None or TODO", f"{30 // share} of 30") for one in found)


def test_blank_lines_among_placeholders_are_none_either() -> None:
    texts = made()
    corpus = Corpus.of({"alpha": texts["alpha"]}, {"ref": ["", "nan", "TBD"] * 10})
    with pytest.raises(NotApplicable, match="has no text"):
        measure(corpus, "chrf")


def test_one_of_several_is_named() -> None:
    texts = made()
    corpus = Corpus.of({"alpha": texts["alpha"]}, {"refA": texts["ref"], "refB": ["TODO"] * 30})
    with pytest.raises(NotApplicable, match="'refB' has no text: 'TODO' is on every line"):
        measure(corpus, "bleu")


def test_a_reference_that_is_one_word_for_answers_of_one_word_is_one() -> None:
    assert measure(Corpus.of({"alpha": ["yes", "no"] * 10}, {"ref": ["yes"] * 20}), "chrf").scores[0] > 0


def test_a_reference_with_some_empty_lines_is_one() -> None:
    texts = made()
    corpus = Corpus.of({"alpha": texts["alpha"]}, {"ref": ["", "-", "None", *texts["ref"][3:]]})
    assert measure(corpus, "bleu").scores[0] > 10
