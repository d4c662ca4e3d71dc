"""Length: what happens to scores when outputs get shorter or longer (K04 figure 1: BLEU and GTM by length ratio)."""

from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mtsig.arrays import Floats
from mtsig.corpus import Corpus
from mtsig.errors import InvalidOption
from mtsig.jobs import done_in_order
from mtsig.lab.material import Experiment, LabResult, Material
from mtsig.lab.sources import KOEHN
from mtsig.metrics import Bleu, Metric, measure


@dataclass(frozen=True, eq=False)
class LengthCurves(LabResult):
    """Scores of one system's output cut or stretched; arrays have shape (z,) or (metrics, z).

    ratio: hypothesis words per reference word, as BLEU counts them. unpenalised: BLEU without its brevity penalty.
    """

    system: str
    metrics: tuple[str, ...]
    shares: Floats
    ratio: Floats
    scores: Floats
    penalty: Floats
    unpenalised: Floats

    @property
    def given_names(self) -> tuple[str, ...]:
        """The metrics."""
        return self.metrics

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per length, with a column for each metric."""
        return [
            {"system": self.system, "kept": float(self.shares[z]), "length_ratio": float(self.ratio[z])}
            | {metric: float(self.scores[row, z]) for row, metric in enumerate(self.metrics)}
            | {"brevity_penalty": float(self.penalty[z]), "BLEU_without_penalty": float(self.unpenalised[z])}
            for z in range(len(self.shares))
        ]


@dataclass(frozen=True)
class Length(Experiment[LengthCurves]):
    """Keep the first words of every segment, or repeat its last ones, and score again."""

    shares: tuple[float, ...] = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0, 1.05, 1.1, 1.2)
    system: str | None = None

    name = "length"
    label = "Length of outputs"
    about = "How do scores change when outputs become shorter or longer than the reference?"
    paper = f"{KOEHN}, section 2, figure 1"
    suggested = ("bleu", "gtm")
    needs_text = True

    def run(self, material: Material, executor: Executor | None = None) -> LengthCurves:
        """Cut and score, one length a job.

        Raises:
            InvalidOption: a share is not positive.
        """
        if not self.shares or not all(0 < share <= 3 for share in self.shares):
            raise InvalidOption(f"A share of the words lies above 0 and up to 3; found {list(self.shares)}.")
        system = self.system or material.first.best_first[0]
        corpus = material.text.select([system])
        metrics = tuple(statistics.metric for statistics in material.statistics)
        plain = next((metric for metric in metrics if isinstance(metric, Bleu)), Bleu())
        jobs = [_Job(corpus, share, metrics, plain) for share in self.shares]
        parts = done_in_order(_scored, jobs, executor)
        ratio, penalty, bleu, *scores = np.array(parts).T
        return LengthCurves(
            system,
            tuple(metric.name for metric in metrics),
            np.array(self.shares),
            ratio,
            np.array(scores),
            penalty,
            bleu / penalty,
        )


@dataclass(frozen=True)
class _Job:
    corpus: Corpus
    share: float
    metrics: tuple[Metric, ...]
    plain: Bleu


def _scored(job: _Job) -> list[float]:
    """Return length ratio, brevity penalty, BLEU, and the score under every metric."""
    changed = resized(job.corpus, job.share)
    bleu = measure(changed, job.plain)
    length, reference = bleu.sums[:2, 0]
    penalty = np.exp(min(0.0, 1 - reference / length)) if length else 0.0
    scores = [bleu if metric == job.plain else measure(changed, metric) for metric in job.metrics]
    return [length / reference, penalty, bleu.scores[0], *(float(score.scores[0]) for score in scores)]


def resized(corpus: Corpus, share: float) -> Corpus:
    """Return the corpus with `share` of each output's words: the first ones, or the last ones once more.

    Text without spaces is cut by characters.
    """
    return replace(
        corpus, outputs={run: tuple(_resized(line, share) for line in lines) for run, lines in corpus.outputs.items()}
    )


def _resized(line: str, share: float) -> str:
    pieces, glue = (line.split(), " ") if " " in line.strip() else (list(line.strip()), "")
    if not pieces:
        return line
    wanted = max(1, round(share * len(pieces)))
    while len(pieces) < wanted:
        pieces += pieces[-(wanted - len(pieces)) :]
    return glue.join(pieces[:wanted])
