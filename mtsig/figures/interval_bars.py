"""Interval bars: one dot with its confidence interval per system, best on top."""

from collections.abc import Sequence
from dataclasses import dataclass

from mtsig.figures.compared import ahead, people_text, without_text
from mtsig.figures.dots import Dots, Panel
from mtsig.figures.forest import differences_panel
from mtsig.figures.look import short, shorts
from mtsig.inference import Family, Interval, Intervals, level_text


@dataclass(frozen=True)
class IntervalBars(Dots):
    """Scores as dots with their intervals, best on top; beside them, it may be, the differences from one system."""

    how_to_read = "score-intervals"

    @classmethod
    def of(
        cls, intervals: Intervals | Sequence[Intervals], family: Family | None = None, system: str | None = None
    ) -> "IntervalBars":
        """Return the picture of scores with intervals: of several metrics, a panel each, in the order of the first.

        Systems that the first does not have stand below, and the caption says which metric has no score of which.

        family: comparisons whose differences from `system` (the best, when None) stand beside the scores: intervals of
        single scores do not compare two systems, those of differences do.
        """
        metrics = [intervals] if isinstance(intervals, Intervals) else list(intervals)
        order = list(dict.fromkeys(scored.systems[i] for scored in metrics for i in scored.order()))
        panels = [_scores(scored, order) for scored in metrics]
        said = (
            f"{_metrics_text(metrics)}. Intervals of single systems do not tell "
            "whether two systems differ; the comparisons of pairs do."
        )
        if not all(scored.higher_is_better for scored in metrics):
            said += " ↓: lower is better."
        said += "".join(
            without_text(f" {scored.metric} has no score of", [name for name in order if name not in scored.systems])
            for scored in metrics
        )
        said += people_text(order)
        if family is None:
            return cls(shorts(order), tuple(panels), said)
        system = order[0] if system is None else system
        panels.append(differences_panel(family, system, order))
        of_row = ahead(short(system), "the row's system", family.higher_is_better)
        said += f" Beside them: {of_row}; dashed: no difference."
        return cls(shorts(order), tuple(panels), said, short(system))


def _metrics_text(metrics: Sequence[Intervals]) -> str:
    """Return which metrics have which intervals, over how many units: once where all have as many."""
    counts = [f"{scored.n_units:,} {scored.unit}s" for scored in metrics]
    level = f"with {level_text(metrics[0].level)} intervals"
    if len(set(counts)) == 1:
        return f"{', '.join(scored.metric for scored in metrics)} {level} ({counts[0]})"
    each = (f"{scored.metric} ({count})" for scored, count in zip(metrics, counts, strict=True))
    return f"{', '.join(each)} {level}"


def _scores(intervals: Intervals, order: Sequence[str]) -> Panel:
    """Return the scores of systems in an order; systems that the metric does not have are left empty."""
    missing = Interval(float("nan"), float("nan"), float("nan"), intervals.level, "")
    rows = [intervals[name] if name in intervals.systems else missing for name in order]
    return Panel(
        intervals.metric if intervals.higher_is_better else f"{intervals.metric} ↓",
        tuple(float(row.estimate) for row in rows),
        tuple(float(row.low) for row in rows),
        tuple(float(row.high) for row in rows),
        intervals.decimals,
    )
