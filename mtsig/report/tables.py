"""Tables of results: headers and rows of text, for whoever draws them."""

from dataclasses import dataclass

from mtsig.experiments import SizeCurves
from mtsig.inference import Family, Intervals, p_number, verdict
from mtsig.report.words import family_text, interval_text, ranking_text


@dataclass(frozen=True)
class Table:
    """Text in rows and columns; `numeric` says which columns are set flush right, `caption` what the table shows."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: tuple[bool, ...]


def score_table(intervals: Intervals) -> Table:
    """Return the systems, best first, with score and interval."""
    rows = tuple(
        (
            intervals.systems[i],
            f"{intervals.estimate[i]:.2f}",
            interval_text(intervals.low[i], intervals.high[i]),
            f"± {(intervals.high[i] - intervals.low[i]) / 2:.2f}",
        )
        for i in intervals.order()
    )
    header = ("system", intervals.metric, f"{intervals.level:.0%} interval", "half width")
    caption = f"{ranking_text(intervals)} {intervals.n_units} {intervals.unit}s. {intervals.signature}"
    return Table(caption, header, rows, (False, True, True, True))


def comparison_table(family: Family) -> Table:
    """Return the comparisons with difference, interval, p-values, win rate and verdict."""
    rows = []
    for one in family:
        decided = verdict(one)
        rows.append(
            (
                one.first,
                one.second,
                f"{one.difference:+.2f}",
                interval_text(one.low, one.high, signed=True),
                p_number(one.p_value) + (" exact" if one.exact else ""),
                p_number(one.p_adjusted),
                f"{one.wins:.1%}",
                f"{decided.winner} better" if decided.winner else decided.word,
            )
        )
    header = (
        "first",
        "second",
        f"Δ {family.metric}",
        f"{family.level:.0%} interval",
        "p",
        f"p of {len(family)} ({family.correction})",
        "resamples won",
        "verdict",
    )
    caption = f"{family_text(family)} {family.signature}"
    return Table(caption, header, tuple(rows), (False, False, True, True, True, True, True, False))


def size_table(curves: SizeCurves) -> Table:
    """Return score, spread and interval widths by test-set size."""
    rows = tuple(
        (
            f"{share:.0%}",
            str(int(curves.units[z])),
            label,
            f"{curves.mean[z, t]:.2f}",
            f"{curves.spread[z, t]:.2f}",
            interval_text(curves.low[z, t], curves.high[z, t]),
            f"± {curves.half_width[z, t]:.2f}",
            "" if curves.is_difference else f"± {curves.relative[z, t]:.2f}%",
        )
        for z, share in enumerate(curves.shares)
        for t, label in enumerate(curves.labels)
    )
    header = ("size", f"{curves.unit}s", "system", curves.metric, "spread", "mean interval", "half width", "relative")
    caption = (
        f"Means over {int(curves.subsets.max())} random subsets of each size; spread is their standard deviation. "
        f"{curves.signature}"
    )
    return Table(caption, header, rows, (True, True, False, True, True, True, True, True))
