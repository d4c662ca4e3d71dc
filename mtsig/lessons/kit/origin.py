"""Origin: what a handout is made of, and where a notebook finds its data again."""

from typing import NamedTuple

from mtsig.lessons.classroom import Classroom
from mtsig.version import VERSION


class Source(NamedTuple):
    """What a notebook reads again: the folder or file of the data, None for the sample; the metric as it is typed."""

    data: str | None = None
    metric: str = "bleu"


def about(room: Classroom) -> str:
    """Return what a handout is made of, in one line: what makes it again."""
    statistics = room.statistics
    return (
        f"mtsig {VERSION} · {' and '.join(room.pair)} · {statistics.metric.name} on {statistics.n:,} "
        f"{statistics.unit}s · seed {room.seed} · data {statistics.digest}"
    )
