"""Boards: the numbers that leaderboards print of the same judgements, to be told from what the judgements show."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from mtsig._records import Count, Number, Record, about
from mtsig.errors import NotApplicable
from mtsig.preference._data import Preferences
from mtsig.preference._model import Cells, check_connected, fit
from mtsig.preference._strengths import ELO, analysed

Board = Literal["arena", "mt-bench"]

BOARDS: Mapping[str, str] = {
    "arena": (
        "as arena boards: Bradley–Terry with a tie as half a win, with 2.5 and 97.5% quantiles of 100 bootstraps of "
        "judgements. This treats every judgement as independent: in simulated campaigns without any difference, 11% of "
        "pairs and 15% of boards were called different at .05 (docs/preferences.md)."
    ),
    "mt-bench": (
        "as FastChat's show_result for MT-Bench: a win if both orders agree, otherwise a tie, and the win rate over "
        "all opponents of a system, with a tie as half a win. It has no interval, and it depends on which opponents a "
        "system had."
    ),
}
"""What each board prints, and what that leaves out."""

_ROUNDS = 100
"""Bootstraps of arena boards."""


@dataclass(frozen=True)
class BoardRow(Record):
    """A system as a leaderboard has it."""

    board: Annotated[str, about("The board's rule: arena or mt-bench.")]
    system: Annotated[str, about("The system.")]
    score: Annotated[Number, about("Elo (mean 1000, or as anchored), or win rate in percent, with a tie as half.")]
    ci_low: Annotated[Number, about("Lower end of the board's interval; null if it has none.")]
    ci_high: Annotated[Number, about("Upper end of the board's interval.")]
    judgements: Annotated[Count, about("Number of the system's judgements that the board counts.")]


def board(
    preferences: Preferences, rule: Board, *, anchor: tuple[str, float] | None = None, seed: int = 12345
) -> tuple[BoardRow, ...]:
    """Return the systems, best first, as a leaderboard ranks them.

    Raises
    ------
    NotApplicable
        No comparison connects the systems, or between some of them all judgements go one way.
    """
    judged = analysed(preferences.collapsed() if rule == "mt-bench" else preferences)
    seen = np.bincount(np.concatenate([judged.first, judged.second]), minlength=len(judged.systems))
    if rule == "mt-bench":
        won = np.bincount(judged.first, judged.outcome, len(seen)) - np.bincount(
            judged.second, judged.outcome, len(seen)
        )
        score, ends = 50 * (1 + won / seen), np.full((2, len(seen)), np.nan)
    else:
        cells = Cells.of(judged).merged(clusters=False)
        check_connected(judged, cells)
        at = None if anchor is None else judged.systems.index(anchor[0])
        base = 1000.0 if anchor is None else anchor[1]

        def elo(counts: np.ndarray[tuple[int], np.dtype[np.float64]]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
            some = replace(cells, count=counts).where(counts > 0)
            values = fit(some, place=False, ties=False).strengths
            return np.asarray(base + ELO * (values - (0.0 if at is None else values[at])))

        rng, m = np.random.default_rng(seed), int(cells.count.sum())
        score, drawn = elo(cells.count), []
        for counts in rng.multinomial(m, cells.count / m, _ROUNDS):
            try:
                drawn.append(elo(counts.astype(np.float64)))
            except NotApplicable:
                continue  # a bootstrap in which one of two groups never won has no estimate
        ends = np.quantile(drawn, [0.025, 0.975], axis=0) if drawn else np.full((2, len(seen)), np.nan)
    order = np.argsort(-score, kind="stable").tolist()
    return tuple(
        BoardRow(rule, judged.systems[i], float(score[i]), float(ends[0, i]), float(ends[1, i]), int(seen[i]))
        for i in order
    )
