"""The experiments by name: an experiment and material go in, what it finds comes out.

A new experiment is a file of its own, and a line in EXPERIMENTS.
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any

from mtsig.corpus import Corpus
from mtsig.lab.calibration import Calibrating
from mtsig.lab.conclusions import PairedBootstraps
from mtsig.lab.coverage import Covering
from mtsig.lab.draws import ByDraws
from mtsig.lab.every_test import ManyTests
from mtsig.lab.length import ByLength
from mtsig.lab.material import Experiment, Material
from mtsig.lab.multiplicity import ManyComparisons
from mtsig.lab.nist_weights import RecomputedNist
from mtsig.lab.orderings import Permuting
from mtsig.lab.peeking import Peeking
from mtsig.lab.populations import Population
from mtsig.lab.references import ByReferences
from mtsig.lab.relations import SideBySide
from mtsig.lab.reranking import Rerank
from mtsig.lab.sensitivity import Sensitive
from mtsig.lab.sentence import BlindSpots
from mtsig.lab.separation import Separating
from mtsig.lab.variation import BroadOrConsecutive
from mtsig.metrics import Statistics
from mtsig.progress import part
from mtsig.registry import find

EXPERIMENTS: dict[str, Experiment[Any]] = {
    experiment.name: experiment
    for experiment in (
        Separating(),
        ByReferences(),
        ByDraws(),
        BroadOrConsecutive(),
        Covering(),
        PairedBootstraps(),
        ByLength(),
        Sensitive(),
        ManyTests(),
        Rerank(),
        ManyComparisons(),
        Peeking(),
        SideBySide(),
        BlindSpots(),
        Permuting(),
        RecomputedNist(),
        Calibrating(),
    )
}

Given = Material | Population | Statistics | Corpus | Sequence[Statistics]


def run(experiment: str | Experiment[Any], given: Given, executor: Executor | None = None) -> Any:
    """Return what an experiment finds.

    >>> import mtsig
    >>> from mtsig import lab
    >>> result = lab.run(lab.BroadOrConsecutive(size=20), mtsig.measure(mtsig.read_sample(), "bleu"))
    >>> result.sets, result.systems
    (10, ('direct-us', 'direct', 'via-catalan', 'via-esperanto', 'via-galician'))

    Args:
        experiment: a name in EXPERIMENTS, or an experiment object with its options.
        given: the statistics of a metric or of several, a population, or material with texts.
        executor: where long work runs, in one job after the other when None; the digits are the same everywhere.

    Raises:
        UnknownName: no such experiment.
        NotApplicable: the data do not carry it.
    """
    with part(0.0, 1.0):
        return find(EXPERIMENTS, experiment, "experiment").run(Material.of(given), executor)
