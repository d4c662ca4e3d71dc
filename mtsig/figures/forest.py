"""Forest plot: the differences of one system from the others, with their intervals, against zero."""

from collections.abc import Sequence
from dataclasses import dataclass

from mtsig.errors import UnknownName
from mtsig.figures.compared import adjusted_ends_of, ahead, ends_of, lines_of, people_text, without_text, word_of
from mtsig.figures.dots import Dots, Panel
from mtsig.figures.look import short, shorts
from mtsig.figures.screen import escaped
from mtsig.inference import Comparison, Family, level_text


@dataclass(frozen=True)
class Forest(Dots):
    """Differences with intervals and the mark of their verdict, one row for each other system, best on top."""

    how_to_read = "differences-from-one"

    @classmethod
    def of(cls, families: Family | Sequence[Family], system: str) -> "Forest":
        """Return the differences of a system from all that it was compared with.

        families: of one metric, or of several, a panel each; rows are in the order of the first.

        Raises:
            UnknownName: the system was compared with none.
        """
        metrics = [families] if isinstance(families, Family) else list(families)
        compared = {name for family in metrics for name in comparisons_of(family, system)}
        if not compared:
            known = ", ".join(metrics[0].order)
            raise UnknownName(f"No comparison is about a system called {system!r}. Known: {known}.")
        order = [
            name for name in dict.fromkeys(name for family in metrics for name in family.order) if name in compared
        ]
        said = differences_text(short(system), "the row's system", metrics)
        lacking = "".join(
            without_text(
                f" {family.metric} does not compare {short(system)} with",
                [name for name in order if name not in comparisons_of(family, system)],
            )
            for family in metrics
        )
        return cls(
            shorts(order),
            tuple(differences_panel(family, system, order) for family in metrics),
            f"{said} Dashed: no difference. {intervals_of_metrics(metrics)}{lacking}{people_text([system, *order])}",
            short(system),
        )


def differences_text(system: str, other: str, families: Sequence[Family]) -> str:
    """Return a sentence on what is shown: the subtraction, and apart the metrics for which it is turned.

    system, other: what the systems are called in it.
    """
    parts: list[str] = []
    for higher in (True, False):
        metrics = ", ".join(family.metric for family in families if family.higher_is_better == higher)
        if metrics:
            parts.append(f"{ahead(system, other, higher, by='by' if parts else 'By')}, in {metrics}")
    return f"{'; '.join(parts)}."


def comparisons_of(family: Family, system: str) -> dict[str, Comparison]:
    """Return the comparisons of one system, by the name of the other."""
    return {
        second if first == system else first: comparison
        for comparison in family
        for first, second in [(comparison.first, comparison.second)]
        if system in (first, second)
    }


def intervals_text(comparison: Comparison) -> str:
    """Return one sentence on whether intervals of differences are corrected as their verdicts are."""
    level = level_text(comparison.level)
    if comparison.held_together:
        return f"Intervals: {level}, for all comparisons together."
    if not comparison.corrected or comparison.family_size == 1:
        return f"Intervals: {level}, each by itself."
    return (
        f"Intervals: thick, {level} of each pair alone; thin, adjusted for {comparison.family_size:,} comparisons, by "
        "which 0 is judged."
    )


def intervals_of_metrics(families: Sequence[Family]) -> str:
    """Return the same of every metric: in one sentence where it is the same, else a sentence for each."""
    said: dict[str, list[str]] = {}
    for family in families:
        said.setdefault(intervals_text(family[0]), []).append(family.metric)
    if len(said) == 1:
        return next(iter(said))
    return " ".join(f"{text[:-1]} ({', '.join(metrics)})." for text, metrics in said.items())


_NOWHERE = (float("nan"), float("nan"))


def differences_panel(family: Family, system: str, order: Sequence[str]) -> Panel:
    """Return the differences of a system from those of an order; empty where it was not compared."""
    compared = comparisons_of(family, system)
    rows = [compared.get(name) for name in order]
    of_row = f"{short(system)} − row" if family.higher_is_better else f"by how much {short(system)} is better"
    known = [() if row is None else lines_of(row, system, family.higher_is_better) for row in rows]
    lost = (float("nan"),) * 3
    ends = [lost if row is None else ends_of(row, system) for row in rows]
    return Panel(
        f"{family.metric}: {of_row}",
        tuple(end[0] for end in ends),
        tuple(end[1] for end in ends),
        tuple(end[2] for end in ends),
        family[0].decimals,
        tuple(None if row is None else word_of(row, system) for row in rows),
        tuple("<br>".join(map(escaped, lines)) for lines in known),
        tuple(_NOWHERE if row is None else adjusted_ends_of(row, system) for row in rows),
    )
