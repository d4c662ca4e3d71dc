"""The promises that outsiders' objects are held to: each is broken once, and found."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np
import pytest
from forms import DOCUMENTS, DOMAINS, FORMS, REFERENCE, SOURCE, SYSTEMS

from mtsig import Corpus
from mtsig.errors import ProgramError
from mtsig.inference import Bootstrap, Correction, IntervalMethod, Outcome, SignificanceTest
from mtsig.metrics import Metric, option
from mtsig.readers import READERS, File, Reader, assemble
from mtsig.readers._read import parts_by
from mtsig.report import Document, Exported, Exporter
from mtsig.study import Check, Finding
from mtsig.testing import (
    check_correction,
    check_exporter,
    check_finding,
    check_interval,
    check_metric,
    check_reader,
    check_test,
)


@dataclass(frozen=True)
class Sound(Metric):
    """Words of the output that the reference has, in percent."""

    lower: bool = option(False, "Lower case", "Compare in small letters.")

    name = "sound"

    def count(self, corpus: Corpus) -> np.ndarray:
        (reference, *_) = corpus.references.values()
        wanted = [set((line or "").split()) for line in reference]
        found = [
            [[sum(word in words for word in line.split()), max(1, len(line.split()))]
             for line, words in zip(corpus.lines(system), wanted, strict=True)]
            for system in corpus.systems
        ]  # fmt: skip
        return np.moveaxis(np.array(found, float), -1, 0)

    def score(self, totals: np.ndarray) -> np.ndarray:
        return 100 * totals[0] / totals[1]


class Loose(Sound):
    """Words, as they like."""

    __setattr__ = object.__setattr__


class Drifts(Sound):
    """Words, but not as they should be."""

    def score(self, totals: np.ndarray) -> np.ndarray:
        return np.asarray(100 * totals[0] / totals[1] + totals[0].mean())


class Flat(Sound):
    """Words, but not as they should be."""

    def gradient(self, totals: np.ndarray) -> np.ndarray:
        return np.ones_like(totals)


class Infinite(Sound):
    """Words, but not as they should be."""

    def count(self, corpus: Corpus) -> np.ndarray:
        return super().count(corpus) * np.inf


class Shares(Sound):
    """Words, but not as they should be."""

    def count(self, corpus: Corpus) -> np.ndarray:
        given = [[float(len(line.split())) for line in corpus.lines(system)] for system in corpus.systems]
        return np.stack([super().count(corpus)[0], given])

    def score(self, totals: np.ndarray) -> np.ndarray:
        with np.errstate(invalid="ignore"):
            return np.asarray(100 * totals[0] / totals[1])


class Turned(Sound):
    """Words, but not as they should be."""

    def score(self, totals: np.ndarray) -> np.ndarray:
        return -super().score(totals)


@dataclass(frozen=True)
class Hidden(Sound):
    """Words, or none of them, under one signature."""

    cut: bool = option(False, "Cut", "Count no words at all.")

    def count(self, corpus: Corpus) -> np.ndarray:
        return super().count(corpus) * np.array([0.5 if self.cut else 1, 1])[:, None, None]

    def signature(self, corpus: Corpus) -> str:
        del corpus
        return "name:hidden"


@dataclass(frozen=True)
class Bare(Sound):
    """Words, with a field."""

    margin: float = 3.0


BROKEN_METRICS: dict[type[Metric], str] = {
    Loose: "frozen",
    Drifts: r"score: the score of many columns.*; found [\d.]+, expected [\d.]+",
    Flat: r"gradient: .*; found 1, expected",
    Infinite: "finite",
    Turned: (
        r"reference itself scores best; found -100 for the reference and -\d.* for worse outputs, where "
        r"higher_is_better is True\. An error rate, of which less is better, sets higher_is_better = False"
    ),
    Shares: "empty outputs and references also have finite scores; found score nan for the output '' with the",
    Hidden: r"signature: says cut, which changes scores; found 'name:hidden' with both values",
    Bare: r"option\(\).*; found the field margin without option\(\)",
}


def test_a_sound_metric_passes() -> None:
    check_metric(Sound())


@pytest.mark.parametrize("broken", BROKEN_METRICS)
def test_a_broken_metric_is_told_what_it_breaks(broken: type[Metric]) -> None:
    with pytest.raises((AssertionError, ProgramError), match=BROKEN_METRICS[broken]):
        check_metric(broken())


@dataclass(frozen=True)
class Says(SignificanceTest):
    """A test whose p comes from a rule."""

    rule: Callable[[Any], Any] = field(default=lambda pairs: np.full(len(pairs.first), 0.5))
    scheme: Bootstrap = field(default_factory=Bootstrap)

    name = label = about = estimand = assumes = differs = "a rule"

    def __call__(self, pairs: Any) -> Outcome:
        p = self.rule(pairs)
        return Outcome(p, p, p, exact=np.zeros(len(p), bool))


_calls = count()
BROKEN_TESTS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "zero": (lambda pairs: np.zeros(len(pairs.first)), r"above 0, at most 1; found \[0, 0"),
    "clock": (lambda pairs: np.full(len(pairs.first), 0.5 + 1e-3 * next(_calls)), "same seed"),
    "sided": (lambda pairs: np.where(pairs.estimate > 0, 0.01, 0.6), "the same for"),
    "company": (lambda pairs: np.full(len(pairs.first), 0.5 / len(pairs.first)), "in a family and alone"),
    "deaf": (lambda pairs: np.full(len(pairs.first), 0.5), "significantly worse"),
    "rash": (lambda pairs: np.full(len(pairs.first), 0.01), "of 200 sets of 2 equal systems, at most"),
}


@pytest.mark.parametrize("fault", BROKEN_TESTS)
def test_a_broken_test_is_told_what_it_breaks(fault: str) -> None:
    rule, promise = BROKEN_TESTS[fault]
    with pytest.raises(AssertionError, match=promise):
        check_test(Says(rule=rule))


@dataclass(frozen=True)
class Wide(IntervalMethod):
    """An interval whose half-width comes from a rule."""

    rule: Callable[[Any, float], tuple[Any, Any]]

    name = label = in_words = "wide"
    about = "A rule."

    def ends(self, targets: Any, level: float) -> tuple[Any, Any]:
        low, high = self.rule(targets, level)
        return targets.estimate - low, targets.estimate + high


BROKEN_INTERVALS: dict[str, tuple[Callable[[Any, float], tuple[Any, Any]], str]] = {
    "fixed": (lambda *_: (1.0, 1.0), r"wider interval; found .* at 0\.8 and .* at 0\.95"),
    "beside": (lambda _, level: (-level, 2 * level), "inside"),
    "lopsided": (lambda _, level: (level, 2 * level), "reversed signs"),
}


@pytest.mark.parametrize("fault", BROKEN_INTERVALS)
def test_a_broken_interval_is_told_what_it_breaks(fault: str) -> None:
    rule, promise = BROKEN_INTERVALS[fault]
    with pytest.raises(AssertionError, match=promise):
        check_interval(Wide(rule))


@dataclass(frozen=True)
class Rule(Correction):
    """A correction by a rule."""

    rule: Callable[[Any], Any]

    name = label = "rule"

    def __call__(self, together: Any) -> tuple[Any, Any, Any]:
        p = self.rule(together.p_value)
        return p, p, p


BROKEN_CORRECTIONS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "above one": (lambda p: 1 + p, "at most 1"),
    "turned": (lambda p: np.maximum(p, 1 - p), r"order of the p-values; found \[.* for \["),
    "idle": (lambda p: p, "of 200 sets of 4 equal systems"),
}


@pytest.mark.parametrize("fault", BROKEN_CORRECTIONS)
def test_a_broken_correction_is_told_what_it_breaks(fault: str) -> None:
    rule, promise = BROKEN_CORRECTIONS[fault]
    with pytest.raises(AssertionError, match=promise):
        check_correction(Rule(rule))


@dataclass(frozen=True)
class Writes(Exporter):
    """Files by a rule."""

    rule: Callable[[], dict[str, bytes]]

    label = "Rule"
    about = "A rule."

    def __call__(self, document: Document) -> Exported:
        del document
        return Exported(self.rule())


BROKEN_EXPORTERS: dict[str, tuple[Callable[[], dict[str, bytes]], str]] = {
    "nothing": (dict, "none is empty; found no file"),
    "clock": (lambda: {"a.txt": str(next(_calls)).encode()}, "same bytes"),
    "place": (lambda: {"../a.txt": b"a"}, "small letters"),
}


@pytest.mark.parametrize("fault", BROKEN_EXPORTERS)
def test_a_broken_exporter_is_told_what_it_breaks(fault: str) -> None:
    rule, promise = BROKEN_EXPORTERS[fault]
    with pytest.raises(AssertionError, match=promise):
        check_exporter(Writes(rule))


EXPECTED = Corpus.of(SYSTEMS, {"ref": REFERENCE}, documents=DOCUMENTS, domains=DOMAINS, sources=SOURCE)


def test_readers_are_held_to_their_example() -> None:
    for name in ("sgm", "wmt-xml", "table"):
        systems = Corpus.of(dict(sorted(SYSTEMS.items())), dict(EXPECTED.references))
        files = FORMS[name]()
        with pytest.raises(AssertionError, match="expected corpus"):
            check_reader(READERS[name], files, systems)

    def fragile(files: Any) -> Any:
        if any(not placed.file.data.endswith(b">\n") for placed in files):
            raise ZeroDivisionError
        return READERS["sgm"].parts(files)

    reader = Reader("sgm that breaks", READERS["sgm"].claims, fragile, READERS["sgm"].marks)

    files = FORMS["sgm"]()
    whole = assemble(parts_by([READERS["sgm"]], [File(name, content) for name, content in files.items()]))
    check_reader(READERS["sgm"], files, whole)
    with pytest.raises(AssertionError, match="Reader raises ZeroDivisionError"):
        check_reader(reader, files, whole)
    with pytest.raises(TypeError, match="missing a required argument: 'expected'"):
        check_reader(reader, files)  # type: ignore[call-arg]


def finding(**changes: Any) -> Finding:
    said = {"where": "", "found": "A is odd.", "advice": "Look at it.", "headline": "A is odd", "systems": ("A",)}
    return Finding("odd", "warning", "certain", **(said | changes))


BROKEN_CHECKS: dict[str, tuple[Callable[[Any], list[Finding]], str]] = {
    "deaf": (lambda _: [], "finds the fault"),
    "shrill": (lambda _: [finding()], "clean data .* have no warning; found A is odd"),
    "wordy": (lambda _: [finding(headline="one two three four five six seven")], "six words"),
    "stranger": (lambda _: [finding(systems=("Z",))], "names of systems in the data; found Z"),
}


@pytest.mark.parametrize("fault", BROKEN_CHECKS)
def test_a_broken_check_is_told_what_it_breaks(fault: str) -> None:
    rule, promise = BROKEN_CHECKS[fault]
    faulty = Corpus.of({"A": ["x"], "B": ["y"]}, {"r": ["x"]})

    def run(view: Any) -> list[Finding]:
        return rule(view) if len(view.corpus) == 1 or fault == "shrill" else []

    with pytest.raises(AssertionError, match=promise):
        check_finding(Check("odd systems", run), faulty)


@dataclass(frozen=True)
class Flat(Sound):
    """Counts of a shape that no metric has."""

    def count(self, corpus: Corpus) -> np.ndarray:
        return super().count(corpus)[:, 0]


@pytest.mark.parametrize(
    ("check", "one", "said"),
    [
        (check_metric, Sound, r"check_metric\(Sound\(\), …\)"),
        (check_test, SignificanceTest, "give an object, not its class or name"),
        (check_metric, Flat(), "Flat raises ProgramError: .*shape"),
        (check_correction, "holm", r"not its class or name: check_correction\(holm, …\)"),
    ],
)
def test_what_is_no_such_object_is_a_broken_promise(check: Callable[[Any], None], one: Any, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        check(one)
