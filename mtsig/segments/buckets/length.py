"""Length: outputs that are much shorter or longer than they should be."""

import numpy as np

from mtsig.arrays import Floats, Mask
from mtsig.segments.buckets.detector import Column, Detector, Stream, Texts
from mtsig.text import spaces, unspaced

RATIO = 2
"""How many times as long, or as short, is much …"""

LEAST = 30
"""… where it makes at least so many letters."""

WITHOUT_SPACES = 3
"""How many letters a character of a script without spaces between words is worth."""


class Length(Detector):
    """Segments in which an output is much shorter or longer than its references, or than the other output."""

    name = "length"
    title = "much shorter or longer"
    about = (
        f"One output is over {RATIO} times as long, or as short, as the other or as each reference, and by {LEAST} "
        f"letters or more (a Chinese, Japanese or Thai character counts as {WITHOUT_SPACES})."
    )
    alone = (
        f"The output is over {RATIO} times as long, or as short, as each reference, and by {LEAST} letters or more (a "
        f"Chinese, Japanese or Thai character counts as {WITHOUT_SPACES})."
    )
    alone_needs = "reference"

    def marks(self, texts: Texts) -> Mask:
        """Return where a length is off."""
        outputs = [lengths_of(lines, texts.column(lines)) for lines in texts.outputs]
        references = [lengths_of(lines, texts.column(lines)) for lines in texts.references]
        marks = np.zeros(len(texts), dtype=bool)
        if len(outputs) > 1:
            marks |= _far(*outputs)
        if references:
            given = np.any([~np.isnan(lengths) for lengths in references], axis=0)
            for own in outputs:
                marks |= given & np.all([_far(own, lengths) | np.isnan(lengths) for lengths in references], axis=0)
        return marks


def _far(ours: Floats, theirs: Floats) -> Mask:
    shorter, longer = np.fmin(ours, theirs), np.fmax(ours, theirs)
    return np.asarray((longer > RATIO * shorter) & (longer - shorter >= LEAST))


def lengths_of(lines: Stream, column: Column) -> Floats:
    """Return the length of each line in letters, spaces left out; shape (n,), NaN where there is no line."""
    # White space is in none of those scripts, and a line feed stands before each line.
    letters = column.lengths + 1 - column.count(spaces()[column.codes])
    lengths = letters + (WITHOUT_SPACES - 1.0) * column.count(unspaced()[column.codes])
    lengths[[line is None for line in lines]] = np.nan
    return lengths
