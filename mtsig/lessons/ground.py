"""What several lessons stand on: the pair's statistics by segment, ends of axes, and how numbers are said."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from mtsig.inference import points_text
from mtsig.lessons.classroom import Classroom
from mtsig.metrics import Metric, Statistics


def pair_of(room: Classroom) -> Statistics:
    """Return the statistics of the pair on the segments that both systems have, documents forgotten."""
    kept = room.statistics.at("segment").select(room.pair)
    return replace(kept.shared_by(room.pair), document_of=None)


def around(*parts: Iterable[float]) -> tuple[float, float]:
    """Return the ends of an axis that holds all these values, with a little room."""
    values = np.array([value for part in parts for value in part])
    low, high = float(values.min()), float(values.max())
    room = 0.04 * (high - low) or 1.0
    return round(low - room, 6), round(high + room, 6)


def marks(flags: Iterable[bool]) -> str:
    """Return yes and no as 1 and 0."""
    return "".join("1" if flag else "0" for flag in flags)


def points(metric: Metric, value: float) -> str:
    """Return a difference with its sign."""
    return points_text(value, metric.decimals, signed=True)


def share_of(count: int, total: int) -> str:
    """Return a count in words: of how many, and in percent."""
    return f"{count} of {total} ({count / total:.0%})"
