"""Parallel intervals: what several metrics say of the same pairs, side by side, contradictions first."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from mtsig.corpus import number_of
from mtsig.figures.compared import adjusted_ends_of, ends_of, lines_of, word_of
from mtsig.figures.dots import Dots, Panel
from mtsig.figures.look import shorts
from mtsig.figures.screen import escaped
from mtsig.inference import Comparison, Family, JointStatements, level_text, verdict

MOST_PAIRS = 20
"""Rows of a picture; with more, nobody sees which mark stands in which row."""


@dataclass(frozen=True)
class ParallelIntervals(Dots):
    """The differences of pairs with their intervals, a row for every pair and a panel for every metric."""

    how_to_read = "together"

    @classmethod
    def of(cls, joint_statements: JointStatements, most: int = MOST_PAIRS) -> "ParallelIntervals":
        """Return the picture of joint statements: rows in their order, at most so many."""
        shown = joint_statements.statements[:most]
        turned = [(row.second, row.first) if row.winner == row.second else (row.first, row.second) for row in shown]
        names = [" – ".join(shorts(pair)) for pair in turned]
        turned_too = [family.metric for family in joint_statements.families if not family.higher_is_better]
        of = f"; where lower is better ({', '.join(turned_too)}), by how much it is better" if turned_too else ""
        said = (
            f"Each row's first system minus its second{of}. Dashed: no difference. Intervals: thick, "
            f"{level_text(joint_statements.families[0].level)} of each pair alone; thin, adjusted; marks: "
            "verdicts of all metrics and pairs as one family (Holm)."
        )
        if len(shown) > 1:
            said += (
                " Pairs that metrics separate in opposite directions come first, then those that all metrics separate, "
                f"some, none, and those undecided; alike ones by their scores in {joint_statements.metrics[0]}."
            )
            said += _undecided(joint_statements)
        if joint_statements.left_out:
            said += f" Left out: {number_of(len(joint_statements.left_out), 'pair')} that not all metrics compare."
        hidden = len(joint_statements.statements) - len(shown)
        if hidden:
            said += f" Not shown: the last {hidden} of {len(joint_statements.statements)} pairs."
        return cls(
            tuple(names), tuple(_panel(family, turned) for family in joint_statements.families), said, "the first"
        )


def _undecided(joint_statements: JointStatements) -> str:
    """Return on how many pairs nothing is said, and mostly why; nothing where there are none."""
    undecided = sum(row.said == "undecided" for row in joint_statements.statements)
    reasons = Counter(
        reason for family in joint_statements.families for reason in map(_reason, family) if reason is not None
    )
    if not undecided or not reasons:
        return ""
    (reason, _), *others = reasons.most_common()
    return f" Undecided: {number_of(undecided, 'pair')}, {'mostly ' if others else ''}since {reason}."


def _reason(comparison: Comparison) -> str | None:
    return verdict(comparison).reason


def _panel(family: Family, pairs: Sequence[tuple[str, str]]) -> Panel:
    # Joint statements are of pairs that every family has.
    rows = [(family[family.find(first, second) or 0], first) for first, second in pairs]
    ends = [ends_of(*row) for row in rows]
    return Panel(
        family.metric,
        tuple(end[0] for end in ends),
        tuple(end[1] for end in ends),
        tuple(end[2] for end in ends),
        family[0].decimals,
        tuple(word_of(*row) for row in rows),
        tuple("<br>".join(map(escaped, lines_of(*row, family.higher_is_better))) for row in rows),
        tuple(adjusted_ends_of(*row) for row in rows),
    )
