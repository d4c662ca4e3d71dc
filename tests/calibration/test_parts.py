"""How often the test of equal differences in several slices errs, where documents are few or unequal.

The difference of the two systems is the same in all slices, and documents have effects of their own, so that nothing
makes their labels exchangeable. Cells: DOCUMENTS.md, section 5 ("Heterogeneity").
"""

import numpy as np
import pytest
from made import rated

from calibration.documents import at_most, plausibly_at_most
from mtsig.collection import Sets, SetStatistics
from mtsig.collection._pairs import heterogeneity, pair_over_sets
from mtsig.collection._parts import only_of, units_of
from mtsig.corpus._slices import Slice

pytestmark = pytest.mark.calibration


def claims(layout: tuple[int, ...], spread: float, shared: bool, sets: int, seed: int) -> tuple[int, int]:
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
        slices = [Slice(str(j), inside == j) for j in range(len(layout))]
        statistics = rated(np.stack([gaps, np.zeros(len(gaps))]), documents=documents)
        sets_of = SetStatistics(Sets({}), {part.name: only_of(part, statistics, None) for part in slices})
        pair = pair_over_sets(sets_of, units_of(slices, statistics, "document"), ("A", "B"), list(sets_of.of))
        p = heterogeneity(pair)["p_value"]
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


@pytest.mark.parametrize("shared", [False, True])
def test_slices_of_documents_that_do_not_differ_in_short(shared: bool) -> None:
    claimed, made = claims((20, 20, 20), 0.9, shared, 200, 2)
    assert made > 100
    assert plausibly_at_most(claimed, made, 0.05)
