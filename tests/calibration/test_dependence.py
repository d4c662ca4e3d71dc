"""Document ids hidden: how often families of equal systems err by blocks, and how often independent segments flag.

`.venv/bin/pytest -m slow -s` on this file prints the table of docs/statistics/neighbours.md.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from made import rated

import mtsig
from calibration.documents import centred
from calibration.nulls import plausible
from mtsig import Settings, measure, verdict
from mtsig.inference import CORRECTIONS, TESTS
from mtsig.inference._targets import Scores, pairs_of
from mtsig.metrics import Statistics
from mtsig.resampling import Bootstrap

pytestmark = pytest.mark.calibration

BY_T = type(TESTS["jackknife-t"])(Bootstrap(10))  # type: ignore[call-arg]  # it draws for its win rates only
SYSTEMS = 6


@dataclass
class Found:
    """How many of so many sets were flagged, and erred: by the rule, by segments, with ids (0 where there are none)."""

    sets: int = 0
    flagged: int = 0
    rule: int = 0
    segments: int = 0
    documents: int = 0

    def __str__(self) -> str:
        """Return the shares."""
        return (
            f"{self.sets} sets: flagged {self.flagged / self.sets:.3f}; any false claim by segments "
            f"{self.segments / self.sets:.3f}, by the rule {self.rule / self.sets:.3f}, with ids "
            f"{self.documents / self.sets:.3f}"
        )


def errs(statistics: Statistics) -> bool:
    """Return whether any of the systems, which are all equal, is called better, at the unit of the statistics.

    By the program's own p, df and correction; what else a family holds would take most of the time.
    """
    pairs = pairs_of(Scores(statistics, BY_T.scheme), "all")
    return bool(np.any((CORRECTIONS["holm"].adjusted(BY_T(pairs).p_value) <= 0.05) & (pairs.df >= 4)))


def test_errors_are_those_of_verdicts() -> None:
    found = []
    for statistics in of_documents(300, 60, 8):
        hidden = replace(statistics, settled=False)
        family = Settings(n_resamples=10, test="auto").family(hidden)
        at = hidden.at("auto")
        if at.unit == "block":
            found.append(errs(at))
            assert found[-1] == any(verdict(one).winner for one in family)
    assert 0 < sum(found) < len(found)


def counted(sets: Iterable[Statistics], documents: bool = False) -> Found:
    """Return what is found on sets that come by segment, in the order of their text, with ids or without any."""
    found = Found()
    for statistics in sets:
        hidden = replace(statistics, document_of=None, settled=False)
        at, segments = hidden.at("auto"), hidden.at("segment")
        by_segments = errs(segments)
        found.sets += 1
        found.flagged += at.unit == "block"
        found.segments += by_segments
        found.rule += errs(at) if at.unit == "block" else by_segments
        found.documents += documents and errs(statistics.by_document())
    print(found)
    return found


def independent(n: int, count: int, seed: int) -> Iterator[Statistics]:
    rng = np.random.default_rng([seed, n])
    for _ in range(count):
        yield rated(rng.normal(size=(SYSTEMS, n)))


def of_documents(n: int, count: int, seed: int, length: int = 25) -> Iterator[Statistics]:
    """Yield made documents of so many segments, each with an effect of its own on every system."""
    rng = np.random.default_rng([seed, n])
    for _ in range(count):
        effect = np.repeat(rng.normal(0, 0.3, (SYSTEMS, -(-n // length))), length, axis=1)[:, :n]
        yield rated(effect + rng.normal(size=(SYSTEMS, n)))


def growing(n: int, count: int, seed: int) -> Iterator[Statistics]:
    """Yield independent segments of which the last vary three times as much as the first."""
    rng = np.random.default_rng([seed, n])
    for _ in range(count):
        yield rated(np.linspace(1, 3, n) * rng.normal(size=(SYSTEMS, n)))


@pytest.mark.parametrize(("n", "count"), [(120, 250), (500, 120)])
def test_independent_segments_are_flagged_in_three_of_ten_sets_and_err_no_more(n: int, count: int) -> None:
    found = counted(independent(n, count, 1))
    assert plausible(found.flagged, found.sets, 0.23, 0.35)
    assert plausible(found.rule, found.sets, 0.0, 0.08)


@pytest.mark.parametrize(("n", "count", "most"), [(120, 250, 0.09), (500, 120, 0.06)])
def test_documents_whose_ids_are_lost_cost_little(n: int, count: int, most: float) -> None:
    found = counted(of_documents(n, count, 2))
    assert plausible(found.rule, found.sets, 0.0, most)


def test_segments_that_vary_more_and_more_are_no_documents() -> None:
    found = counted(growing(300, 150, 3))
    assert plausible(found.rule, found.sets, 0.0, 0.06)


def redrawn(statistics: Statistics, documents: int, count: int, seed: int) -> Iterator[Statistics]:
    """Yield sets of so many documents of a real set, drawn whole with replacement, in the order of their text."""
    assert statistics.document_of is not None
    at = [np.flatnonzero(statistics.document_of == d) for d in range(int(statistics.document_of.max()) + 1)]
    rng = np.random.default_rng([seed, documents])
    for _ in range(count):
        taken = rng.integers(0, len(at), documents)
        segments = np.concatenate([at[d] for d in taken])
        yield replace(
            statistics,
            values=np.ascontiguousarray(statistics.values[..., segments]),
            document_of=np.repeat(np.arange(documents), [len(at[d]) for d in taken]),
            numbers=None,
            kinships=(),
        )


REAL = ("wmt21-ru-en", *(f"wmt22-several/en-{language}" for language in ("cs", "de", "hr", "ja", "ru", "uk", "zh")))
"""Sets that no threshold of the rule was chosen on."""

SETS = 2000
FEW, MANY = 0.17, 0.10
"""How often families may err below 250 segments, and from there on."""


@pytest.mark.slow
@pytest.mark.parametrize("documents", [10, 20, 60, 150])
@pytest.mark.parametrize("name", REAL)
def test_real_documents_whose_ids_are_hidden(shared: Path, name: str, documents: int) -> None:
    corpus = mtsig.read(shared / "data" / name)
    corpus = corpus.select(systems=list(corpus.systems)[:SYSTEMS])
    statistics = centred(measure(corpus, "sentchrf"))
    segments = round(documents * statistics.n / (statistics.n_documents or 1))
    print(name, f"{len(corpus.systems)} systems, {documents} documents, about {segments} segments:", end=" ")
    found = counted(redrawn(statistics, documents, SETS, 4), documents=True)
    assert plausible(found.rule, found.sets, 0.0, FEW if segments < 250 else MANY)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "most"), [(120, 0.09), (500, 0.06), (2000, 0.06)])
def test_documents_whose_ids_are_lost_cost_little_in_the_long_run(n: int, most: float) -> None:
    print(f"made documents of 25 segments, {n} segments:", end=" ")
    found = counted(of_documents(n, SETS, 5))
    assert plausible(found.rule, found.sets, 0.0, most)


@pytest.mark.slow
@pytest.mark.parametrize("n", [60, 120, 300, 500, 1000, 2000])
def test_independent_segments_err_no_more_in_the_long_run(n: int) -> None:
    print(f"independent segments, {n}:", end=" ")
    found = counted(independent(n, SETS, 6))
    assert plausible(found.flagged, found.sets, 0.23, 0.35)
    assert plausible(found.rule, found.sets, 0.0, 0.08)


@pytest.mark.slow
def test_segments_that_vary_more_and_more_are_no_documents_in_the_long_run() -> None:
    print("spread growing threefold, 500 segments:", end=" ")
    found = counted(growing(500, SETS, 7))
    assert plausible(found.rule, found.sets, 0.0, 0.05)
