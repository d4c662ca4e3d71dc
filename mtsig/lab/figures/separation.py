"""How many segments would separate pairs of systems, with the range that the data leave."""

import numpy as np

from mtsig.figures.look import MOST_NAMES
from mtsig.figures.plot import Line, Plot, Series, numbers
from mtsig.lab import SeparationPairs


def segments_needed(result: SeparationPairs) -> Plot:
    """Return needed segments with their ranges, the easiest pairs first; unbounded ranges end at the top."""
    order = [int(i) for i in np.argsort(result.needed, kind="stable") if np.isfinite(result.needed[i])]
    finite = np.concatenate([result.needed[order], result.most[np.isfinite(result.most)], [result.segments]])
    top = 10 * float(finite.max())
    return Plot(
        "",
        "segments",
        (
            Series(
                f"for {result.power:.0%} power", numbers(range(len(order))), numbers(result.needed[order]), "points",
                numbers(result.fewest[order]), numbers(np.minimum(result.most[order], top)),
                texts=tuple(" – ".join(result.pairs[i]) for i in order),
            ),
        ),
        (Line(float(result.segments), "segments at hand"),),
        log_y=True,
        names=tuple(" – ".join(result.pairs[i]) for i in order) if len(order) <= MOST_NAMES else (),
    )  # fmt: skip
