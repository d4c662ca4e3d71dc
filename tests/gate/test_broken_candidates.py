"""Broken candidates: a regression where the data carry a verdict; where not none passes, and what is known is said."""

from collections.abc import Callable

import pytest

from mtsig import Corpus, Settings, read_sample
from mtsig.gate import GateResult, judge
from mtsig.report._gate import check_text

MADE: dict[str, str | Callable[[str], str]] = {
    "empty": "",
    "garbage": "qzx jjk wxq zzq",
    "untranslated": "Это предложение не перевели",
    "looping": "the the the the the the the",
    "upper": str.upper,
    "subword": lambda line: " ".join(f"{word[:2]}@@ {word[2:]}" if len(word) > 3 else word for word in line.split()),
}


def broken(kind: str, lines: list[str]) -> list[str]:
    made = MADE[kind]
    return [made if isinstance(made, str) else made(line) for line in lines]


def judged(kind: str, n: int, documents: int, metric: str, margin: float | None) -> GateResult:
    part = read_sample().take(range(n))
    base = [line or "" for line in part.lines("direct")]
    (reference, *_) = part.references.values()
    names = [f"d{i * documents // n}" for i in range(n)] if documents else None
    corpus = Corpus.of({"base": base, "new": broken(kind, base)}, {"ref": list(reference)}, documents=names)
    return judge(corpus, "base", "new", [metric], margin=margin)


def crossed(sizes: list[tuple[int, int]]) -> pytest.MarkDecorator:
    """Parametrise by every kind and size; in short, by half of either's with the other, in turn."""
    cases = ((kind, *size, (i + j) % 2) for i, kind in enumerate(MADE) for j, size in enumerate(sizes))
    marked = [pytest.param(*case, marks=pytest.mark.slow if odd else ()) for *case, odd in cases]
    return pytest.mark.parametrize(("kind", "n", "documents"), marked)


@crossed([(20, 0), (20, 5), (50, 0), (50, 12), (200, 5), (200, 12)])
def test_from_some_segments_on_they_are_a_regression(kind: str, n: int, documents: int) -> None:
    for metric, margin in (("bleu", None), ("bleu", 1.0), ("chrf", None), ("chrf", 1.0)):
        assert judged(kind, n, documents, metric, margin).exit_code == 1


@crossed([(5, 0), (5, 5), (8, 0), (8, 5), (10, 0), (10, 5)])
def test_on_fewer_none_passes_and_what_is_known_is_said(kind: str, n: int, documents: int) -> None:
    for metric, margin in (("bleu", None), ("bleu", 1.0), ("chrf", None), ("chrf", 1.0)):
        result = judged(kind, n, documents, metric, margin)
        (check,) = result.checks
        assert check.outcome != "pass"
        if check.outcome == "inconclusive":
            said = check_text(result, check)
            assert (
                f"What is known: new scores worse by {-check.difference:.2f} {check.metric} on these {n} segments"
                in said
            )
            assert "segments only" in said or f"p is at least {2 ** (1 - n):.2g} whatever the candidate" in said
    if kind in ("empty", "untranslated", "looping"):
        assert any("new" in note.text for note in result.notes if note.level == "warning")


def test_a_candidate_that_differs_in_few_of_many_segments_passes() -> None:
    part = read_sample().take(range(100))
    base = list(part.lines("direct"))
    changed = [f"{line}." if i < 3 else line for i, line in enumerate(base)]
    corpus = Corpus.of({"base": base, "new": changed}, {"ref": list(next(iter(part.references.values())))})
    assert judge(corpus, "base", "new", ["chrf"], settings=Settings(test="ar")).outcome == "pass"
