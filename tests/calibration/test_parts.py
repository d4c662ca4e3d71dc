"""How often the test of equal differences in several slices errs, where documents are few or unequal.

The difference of the two systems is the same in all slices, and documents have effects of their own, so that nothing
makes their labels exchangeable.
"""

from collections.abc import Callable

import numpy as np
import pytest
from made import rated
from sampled import slow

from calibration.documents import at_most, plausibly_at_most
from mtsig._probability import satterthwaite_df
from mtsig.collection import Sets, SetStatistics
from mtsig.collection._pairs import PairOverSets, heterogeneity, pair_over_sets
from mtsig.collection._parts import only_of, units_of
from mtsig.corpus._slices import Slice

pytestmark = pytest.mark.calibration


def by_the_library(inside: np.ndarray, documents: np.ndarray, gaps: np.ndarray, slices: int) -> PairOverSets:
    """Return a pair's differences in slices as the program makes them of segments."""
    parts = [Slice(str(j), inside == j) for j in range(slices)]
    statistics = rated(np.stack([gaps, np.zeros(len(gaps))]), documents=documents)
    sets_of = SetStatistics(Sets({}), {part.name: only_of(part, statistics, None) for part in parts})
    return pair_over_sets(sets_of, units_of(parts, statistics, "document"), ("A", "B"), list(sets_of.of))


def by_hand(inside: np.ndarray, documents: np.ndarray, gaps: np.ndarray, slices: int) -> PairOverSets:
    """Return the same of sums by document: a thirtieth of the time."""
    sums, sizes = (np.bincount(documents * slices + inside, of, (documents[-1] + 1) * slices) for of in (gaps, None))
    sums, sizes = (of.reshape(-1, slices).T for of in (sums, sizes))
    own = tuple(np.flatnonzero(size) for size in sizes)
    differences = sums.sum(axis=1) / sizes.sum(axis=1)
    moved = tuple(
        (sums[j].sum() - sums[j, at]) / (sizes[j].sum() - sizes[j, at]) - differences[j] for j, at in enumerate(own)
    )
    errors = np.array([np.sqrt((len(one) - 1) / len(one) * np.square(one).sum()) for one in moved])
    held = tuple(sizes[j, at].astype(float) for j, at in enumerate(own))
    df = np.array([satterthwaite_df(one) for one in held])
    return PairOverSets(
        "A", "B", tuple(map(str, range(slices))), differences, errors, df, sizes.sum(axis=1), own, moved, held
    )


def claims(
    layout: tuple[int, ...], spread: float, shared: bool, sets: int, seed: int,
    made_by: Callable[[np.ndarray, np.ndarray, np.ndarray, int], PairOverSets] = by_hand,
) -> tuple[int, int]:  # fmt: skip
    """Return how many tests claimed a difference between slices at .05, and how many could be made.

    layout: documents of each slice. shared: every document reaches into the next slice as well.
    """
    rng = np.random.default_rng(seed)
    claimed = made = 0
    names = np.repeat(np.arange(len(layout)), layout)
    for _ in range(sets):
        lengths = np.minimum(120, np.maximum(2, np.rint(10 * rng.lognormal(0, spread, len(names))))).astype(np.int64)
        documents, own = np.repeat(np.arange(len(names)), lengths), np.repeat(names, lengths)
        effect = rng.standard_t(4, len(names)) * 0.5
        gaps = 0.2 + effect[documents] + rng.normal(0, 1, len(documents))
        inside = (own + (rng.random(len(own)) < 0.5)) % len(layout) if shared else own
        p = heterogeneity(made_by(inside, documents, gaps, len(layout)))["p_value"]
        made += not np.isnan(p)
        claimed += bool(p <= 0.05)
    return claimed, made


CELLS = [
    ((10, 10, 10), 0.9),
    ((20, 20, 20), 0.9),
    ((15,) * 5, 0.9),
    ((30, 30), 0.9),
    ((10, 10, 10), 0.0),
    ((30, 30), 0.0),
]


@pytest.mark.slow
@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize(("layout", "spread"), CELLS)
def test_slices_of_documents_that_do_not_differ(layout: tuple[int, ...], spread: float, shared: bool) -> None:
    sets = 2000
    claimed, made = claims(layout, spread, shared, sets, 1)
    print(layout, spread, "shared" if shared else "apart", f"{claimed / max(1, made):.3f} of {made}")
    assert at_most(claimed / max(1, made), 0.05, max(1, made))


@pytest.mark.parametrize("shared", [True, *slow(False)])
def test_slices_of_documents_that_do_not_differ_in_short(shared: bool) -> None:
    """Twice the nominal rate is noticed with a probability of .99."""
    claimed, made = claims((20, 20, 20), 0.9, shared, 1000, 2)
    assert made > 500
    assert plausibly_at_most(claimed, made, 0.05)
    assert claims((20, 20, 20), 0.9, shared, 20, 4) == claims((20, 20, 20), 0.9, shared, 20, 4, by_the_library)


@pytest.mark.parametrize("shared", [False, True])
def test_sums_by_document_make_the_pair_that_the_program_makes(shared: bool) -> None:
    rng = np.random.default_rng(3)
    documents = np.repeat(np.arange(30), rng.integers(2, 20, 30))
    inside = (documents // 10 + (rng.random(len(documents)) < 0.5)) % 3 if shared else documents // 10
    gaps = rng.normal(size=len(documents))
    ours, theirs = (make(inside, documents, gaps, 3) for make in (by_hand, by_the_library))
    for name in ("differences", "errors", "df"):
        assert getattr(ours, name) == pytest.approx(getattr(theirs, name))
    assert heterogeneity(ours)["p_value"] == pytest.approx(heterogeneity(theirs)["p_value"])
