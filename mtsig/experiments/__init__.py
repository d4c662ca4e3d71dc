"""The laws of the methods: statistics go in, what happens when something about the test set changes comes out."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Any

from mtsig.corpus import Corpus
from mtsig.experiments.ablation import Ablation, SizeCurves, ablate, ablating, usable_sizes
from mtsig.experiments.calibration import Calibrating, Calibration
from mtsig.experiments.conclusions import Conclusions, PairedBootstraps
from mtsig.experiments.coverage import Coverage, Covering
from mtsig.experiments.draws import ByDraws, DrawCurves, Redraws, end_spread, redraws
from mtsig.experiments.equal_scores import equal_scores
from mtsig.experiments.every_test import EveryTest, ManyTests, figure_two_p, figure_two_size
from mtsig.experiments.length import ByLength, LengthCurves
from mtsig.experiments.material import Experiment, Material, Result
from mtsig.experiments.multiplicity import ManyComparisons, Multiplicity, independent_bound
from mtsig.experiments.nist_weights import NistWeights, RecomputedNist
from mtsig.experiments.orderings import Orderings, Permuting, log10_factorial
from mtsig.experiments.populations import Population, broad, consecutive, with_documents
from mtsig.experiments.references import ByReferences, ReferenceCurves
from mtsig.experiments.relations import Relations, SideBySide
from mtsig.experiments.sensitivity import Sensitive, Sensitivity
from mtsig.experiments.sentence import BlindSpots, Sentence
from mtsig.experiments.separation import Separating, Separation
from mtsig.experiments.simulated import KOEHN_SCORES, NEWS, SegmentModel, fit
from mtsig.experiments.variation import BroadOrConsecutive, Variation
from mtsig.experiments.worlds import LITTLE_SHARE, NULLS
from mtsig.metrics import Statistics
from mtsig.registry import find
from mtsig.steps import Steps, finish

__all__ = [
    "EXPERIMENTS",
    "KOEHN_SCORES",
    "LITTLE_SHARE",
    "NEWS",
    "NULLS",
    "Ablation",
    "BlindSpots",
    "BroadOrConsecutive",
    "ByDraws",
    "ByLength",
    "ByReferences",
    "Calibrating",
    "Calibration",
    "Conclusions",
    "Coverage",
    "Covering",
    "DrawCurves",
    "EveryTest",
    "Experiment",
    "LengthCurves",
    "ManyComparisons",
    "ManyTests",
    "Material",
    "Multiplicity",
    "NistWeights",
    "Orderings",
    "PairedBootstraps",
    "Permuting",
    "Population",
    "RecomputedNist",
    "Redraws",
    "ReferenceCurves",
    "Relations",
    "Result",
    "SegmentModel",
    "Sensitive",
    "Sensitivity",
    "Sentence",
    "Separating",
    "Separation",
    "SideBySide",
    "SizeCurves",
    "Variation",
    "ablate",
    "ablating",
    "broad",
    "consecutive",
    "end_spread",
    "equal_scores",
    "figure_two_p",
    "figure_two_size",
    "fit",
    "independent_bound",
    "log10_factorial",
    "redraws",
    "run",
    "running",
    "usable_sizes",
    "with_documents",
]

EXPERIMENTS: dict[str, Experiment[Any]] = {
    one.name: one
    for one in (
        Separating(),
        ByReferences(),
        ByDraws(),
        BroadOrConsecutive(),
        Covering(),
        PairedBootstraps(),
        ByLength(),
        Sensitive(),
        ManyTests(),
        ManyComparisons(),
        SideBySide(),
        BlindSpots(),
        Permuting(),
        RecomputedNist(),
        Calibrating(),
    )
}

Given = Material | Population | Statistics | Corpus | Sequence[Statistics]


def run(
    experiment: str | Experiment[Any],
    given: Given,
    show: Callable[[float], object] | None = None,
    executor: Executor | None = None,
) -> Any:
    """Return what an experiment finds.

    Args:
        experiment: a name in EXPERIMENTS, or an experiment object with its options.
        given: the statistics of a metric or of several, a population, or material with texts.
        show: called with the share done.
        executor: where long work runs, in one job after the other when None; the digits are the same everywhere.

    Raises:
        UnknownName: no such experiment.
        NotApplicable: the data do not carry it.
    """
    return finish(running(experiment, given, executor), show)


def running(experiment: str | Experiment[Any], given: Given, executor: Executor | None = None) -> Steps[Any]:
    """Run in steps: yields the share done, returns what `run` does."""
    return find(EXPERIMENTS, experiment, "experiment").steps(Material.of(given), executor)
