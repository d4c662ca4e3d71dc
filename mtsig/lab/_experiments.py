"""The experiments by name: an experiment and material go in, what it finds comes out.

A new experiment is a file of its own, and a line in EXPERIMENTS.
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any

from mtsig.corpus import Corpus
from mtsig.errors import find
from mtsig.lab._blind_spots import Orderings, Sentence
from mtsig.lab._compared import EveryTest, NistWeights, Relations, Sensitivity
from mtsig.lab._error_rates import Calibrate, Multiplicity, Peeking
from mtsig.lab._material import Experiment, Material, Population
from mtsig.lab._reranking import Rerank
from mtsig.lab._sampling import Conclusions, Coverage, Draws
from mtsig.lab._test_sets import Length, References, Separation, Variation
from mtsig.metrics import Statistics
from mtsig.progress import part

EXPERIMENTS: dict[str, Experiment[Any]] = {
    experiment.name: experiment
    for experiment in (
        Separation(),
        References(),
        Draws(),
        Variation(),
        Coverage(),
        Conclusions(),
        Length(),
        Sensitivity(),
        EveryTest(),
        Rerank(),
        Multiplicity(),
        Peeking(),
        Relations(),
        Sentence(),
        Orderings(),
        NistWeights(),
        Calibrate(),
    )
}

Given = Material | Population | Statistics | Corpus | Sequence[Statistics]


def run(experiment: str | Experiment[Any], given: Given, executor: Executor | None = None) -> Any:
    """Run an experiment and return its result.

    Parameters
    ----------
    experiment
        A name in `EXPERIMENTS`, or an experiment object with its options.
    given
        What the experiment uses: statistics of one or more metrics, a population, or a corpus with texts.
    executor
        The executor of long work; `None` runs all jobs in sequence. The results are identical.

    Raises
    ------
    UnknownName
        The experiment is unknown.
    NotApplicable
        The data do not allow the experiment.

    Examples
    --------
    >>> import mtsig
    >>> from mtsig import lab
    >>> result = lab.run(lab.Variation(size=20), mtsig.measure(mtsig.read_sample(), "bleu"))
    >>> result.sets, result.systems
    (10, ('direct-us', 'direct', 'via-catalan', 'via-esperanto', 'via-galician'))
    """
    with part(0.0, 1.0):
        return find(EXPERIMENTS, experiment, "experiment").run(Material.of(given), executor)
