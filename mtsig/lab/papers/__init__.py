"""The four papers made again: evidence goes in, their tables and figures beside the printed numbers come out."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from mtsig.corpus import Corpus
from mtsig.errors import InvalidOption
from mtsig.lab import KOEHN_SCORES, NEWS, Material, Population
from mtsig.lab.papers import callison2006, koehn2004, riezler2005, zhang2004
from mtsig.lab.papers.exhibit import Evidence, Exhibit, Maker, Reproduction, within
from mtsig.metrics import Bleu, Metric, measuring, metric
from mtsig.readers import read_sample
from mtsig.registry import find
from mtsig.steps import Steps, finish

__all__ = [
    "METRIC_NAMES",
    "PAPERS",
    "Evidence",
    "Exhibit",
    "Paper",
    "Reproduction",
    "evidence",
    "gathering",
    "reproduce",
    "reproducing",
]

METRIC_NAMES = ("bleu", "mbleu", "nist", "chrf")
"""The metrics that the papers compare, and one that came later."""

SIMULATED = 30_000


@dataclass(frozen=True)
class Paper:
    """A paper that can be made again."""

    name: str
    citation: str
    make: Maker


PAPERS: dict[str, Paper] = {
    "koehn2004": Paper("koehn2004", koehn2004.CITATION, koehn2004.make),
    "riezler2005": Paper("riezler2005", riezler2005.CITATION, riezler2005.make),
    "zhang2004": Paper("zhang2004", zhang2004.CITATION, zhang2004.make),
    "callison2006": Paper("callison2006", callison2006.CITATION, callison2006.make),
}


def gathering(corpus: Corpus | None = None, metrics: Sequence[str | Metric] = METRIC_NAMES) -> Steps[Evidence]:
    """Measure in steps: yields the share done, returns what `evidence` does."""
    chosen = [metric(one) for one in metrics]
    if not isinstance(chosen[0], Bleu):
        raise InvalidOption(f"The papers are about BLEU: name it first. Found {chosen[0].name}.")
    real = corpus is not None
    text = corpus or read_sample(every_reference=True)
    found = []
    for number, one in enumerate(chosen):
        part = within(measuring(text, one), number / len(chosen), (number + 1) / len(chosen))
        found.append((yield from part))
    material = Material(tuple(found), text)
    if real:
        return Evidence(material, Population(found[0]), real, f"{len(text)} segments given by the user")
    population = NEWS.simulate(KOEHN_SCORES, SIMULATED)
    given = f"{population.origin}, and the sample data ({len(text)} segments) for what needs text"
    return Evidence(material, population, real, given)


def evidence(
    corpus: Corpus | None = None,
    metrics: Sequence[str | Metric] = METRIC_NAMES,
    show: Callable[[float], object] | None = None,
) -> Evidence:
    """Return what papers are made again on: a corpus, or a simulated population and the sample data.

    Args:
        corpus: the user's data; None for the simulated population and the sample.
        metrics: BLEU first, with the tokenizer that the language needs; then those it is compared with.
        show: called with the share done.

    Raises:
        InvalidOption: the first metric is not BLEU.
        NotApplicable: the corpus lacks references.
    """
    return finish(gathering(corpus, metrics), show)


def reproduce(
    paper: str | Paper,
    given: Evidence,
    show: Callable[[float], object] | None = None,
    executor: Executor | None = None,
) -> Reproduction:
    """Return a paper made again.

    Raises:
        UnknownName: no such paper.
        NotApplicable: the data do not carry one of its experiments.
    """
    return finish(reproducing(paper, given, executor), show)


def reproducing(paper: str | Paper, given: Evidence, executor: Executor | None = None) -> Steps[Reproduction]:
    """Make a paper again in steps: yields the share done, returns what `reproduce` does."""
    chosen = find(PAPERS, paper, "paper")
    exhibits = yield from chosen.make(given, executor)
    return Reproduction(chosen.name, chosen.citation, given.given, tuple(exhibits))
