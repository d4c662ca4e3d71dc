"""Columns that run in parallel: what has another length than the rest is named."""

from collections import Counter
from collections.abc import Mapping, Sequence

from mtsig.corpus.words import capital_first, quoted
from mtsig.errors import AlignmentError


def check_parallel(columns: Mapping[str, Sequence[object]]) -> None:
    """Raise AlignmentError when columns differ in length: it names two of them and quotes the first extra line.

    >>> from mtsig.corpus import check_parallel
    >>> check_parallel({"A": ["yes"], "B": ["yes", "no"], "the reference": ["yes"]})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    mtsig.errors.AlignmentError: B has 2 segments, but A has 1. The first extra one is line 2 of B: 'no'. ...
    """
    if not columns:
        return
    expected = Counter(len(lines) for lines in columns.values()).most_common(1)[0][0]
    for label, lines in columns.items():
        if len(lines) == expected:
            continue
        other, others = next((name, column) for name, column in columns.items() if len(column) == expected)
        longer, extra = (label, lines) if len(lines) > expected else (other, others)
        at = min(len(lines), expected)
        raise AlignmentError(
            f"{capital_first(label)} has {len(lines)} segments, but {other} has {expected}. The first extra one "
            f"is line {at + 1} of {longer}: {quoted(extra[at])}. "
            "Every file needs one line per segment, in the same order."
        )
