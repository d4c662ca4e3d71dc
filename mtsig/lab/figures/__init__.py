"""Which figures belong to which experiment's result."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mtsig.figures.look import MOST_CURVES
from mtsig.figures.picture import Picture
from mtsig.figures.size_curves import Curves
from mtsig.lab import (
    CalibrationRates,
    ConclusionRates,
    CoverageRates,
    DrawCurves,
    EveryTestPs,
    LengthCurves,
    MultiplicityRates,
    NistWeightsScores,
    OrderingCounts,
    PeekingRates,
    Redraws,
    ReferenceCurves,
    RelationsTables,
    RerankScores,
    SensitivityShares,
    SeparationPairs,
    SizeCurves,
    VariationOfScores,
)
from mtsig.lab.figures.calibration import error_rates, power_curves
from mtsig.lab.figures.conclusions import accuracy_by_win_rate, conclusion_curves, win_rates
from mtsig.lab.figures.coverage import intervals_of_sets
from mtsig.lab.figures.draws import spread_by_draws
from mtsig.lab.figures.every_test import p_values, p_values_of_variants
from mtsig.lab.figures.length import scores_by_length
from mtsig.lab.figures.multiplicity import error_by_comparisons
from mtsig.lab.figures.nist_weights import redrawn_nist
from mtsig.lab.figures.orderings import orderings_by_length
from mtsig.lab.figures.peeking import false_alarms_by_look
from mtsig.lab.figures.redraws import redrawn_scores
from mtsig.lab.figures.references import scores_by_references, widths_by_references, widths_by_size
from mtsig.lab.figures.relations import relations
from mtsig.lab.figures.sensitivity import signal_by_pair
from mtsig.lab.figures.separation import segments_needed
from mtsig.lab.figures.variation import between_sets, differences_between_sets, spreads
from mtsig.results import Result

__all__ = ["FIGURES", "of_experiment"]


def _scores_by_size(result: SizeCurves) -> Picture:
    return Curves.of_scores(result, _few(result))


def _widths_by_size(result: SizeCurves) -> Picture:
    return Curves.of_widths(result, _few(result), relative=True)


def _few(result: SizeCurves) -> tuple[str, ...] | None:
    """Return the highest and the lowest of many systems, as ZV04 figures 4 to 7 show them; None for all of few."""
    if len(result.labels) <= MOST_CURVES:
        return None
    order = np.argsort(-result.mean[int(np.argmax(result.units))], kind="stable")
    return tuple(result.labels[t] for t in sorted((int(order[0]), int(order[-1]))))


FIGURES: Mapping[type, Mapping[str, Callable[[Any], Picture | None]]] = {
    VariationOfScores: {
        "Scores of test sets": between_sets,
        "Differences on test sets": differences_between_sets,
        "Spread between test sets": spreads,
    },
    CoverageRates: {"Intervals of test sets": intervals_of_sets},
    ConclusionRates: {
        "Win rates of test sets": win_rates,
        "Right conclusions": conclusion_curves,
        "Accuracy by win rate": accuracy_by_win_rate,
    },
    LengthCurves: {"Scores by length": scores_by_length},
    ReferenceCurves: {
        "Scores by number of references": scores_by_references,
        "What more references are worth": widths_by_references,
        "Widths by size": widths_by_size,
    },
    DrawCurves: {"Spread of interval ends": spread_by_draws},
    Redraws: {"Redrawn scores": redrawn_scores},
    SizeCurves: {"Scores by size": _scores_by_size, "Widths by size": _widths_by_size},
    SeparationPairs: {"Segments needed": segments_needed},
    SensitivityShares: {"Signal of every pair": signal_by_pair},
    EveryTestPs: {"p-values against randomization": p_values},
    RerankScores: {"p-values against randomization": p_values_of_variants},
    MultiplicityRates: {"Error by number of comparisons": error_by_comparisons},
    PeekingRates: {"False alarms by look": false_alarms_by_look},
    NistWeightsScores: {"NIST of redraws": redrawn_nist},
    RelationsTables: {"Relations": relations},
    OrderingCounts: {"Orders by length": orderings_by_length},
    CalibrationRates: {"Power": power_curves, "Error rates": error_rates},
}


def of_experiment(result: Result) -> dict[str, Picture]:
    """Return the figures of a result by title, for screen and paper; none for results that are text.

    >>> import mtsig
    >>> from mtsig.lab import Variation, run
    >>> from mtsig.lab.figures import of_experiment
    >>> list(of_experiment(run(Variation(size=20), mtsig.measure(mtsig.read_sample(), "bleu"))))
    ['Scores of test sets', 'Differences on test sets', 'Spread between test sets']
    """
    pictures: dict[str, Picture] = {}
    for title, make in FIGURES.get(type(result), {}).items():
        if isinstance(result, VariationOfScores) and result.pair is None and make is differences_between_sets:
            continue
        drawn = make(result)
        if drawn is not None:
            pictures[title] = drawn
    return pictures
