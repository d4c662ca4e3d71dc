"""The four papers made again: evidence goes in, their tables and figures beside the printed numbers come out."""

from collections.abc import Sequence
from concurrent.futures import Executor

from mtsig.corpus import Corpus
from mtsig.errors import InvalidOption, find
from mtsig.lab import _callison2006, _koehn2004, _riezler2005, _zhang2004
from mtsig.lab._exhibit import Evidence, Paper, Reproduction
from mtsig.lab._material import Material, Population
from mtsig.lab._worlds import KOEHN_SCORES, NEWS
from mtsig.metrics import Bleu, Metric, measure, metric
from mtsig.progress import each, part
from mtsig.readers._read import read_sample

METRIC_NAMES = ("bleu", "mbleu", "nist", "chrf")
"""The metrics that the papers compare, and one that came later."""

SIMULATED = 30_000


PAPERS: dict[str, Paper] = {
    module.PAPER.name: module.PAPER for module in (_koehn2004, _riezler2005, _zhang2004, _callison2006)
}


def evidence(corpus: Corpus | None = None, metrics: str | Metric | Sequence[str | Metric] = METRIC_NAMES) -> Evidence:
    """Prepare data to reproduce papers: a corpus, or simulated and sample data.

    `metrics`: BLEU first, with the tokenizer for the language. Raise InvalidOption if the first metric is not BLEU, and
    NotApplicable if the corpus lacks references.

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.lab import evidence
    >>> evidence(mtsig.read_sample(), ["bleu"]).real
    True
    """
    chosen = [metric(name) for name in ([metrics] if isinstance(metrics, str | Metric) else metrics)]
    if not isinstance(chosen[0], Bleu):
        raise InvalidOption(f"The papers are about BLEU, so name BLEU first. Found {chosen[0].name}.")
    real = corpus is not None
    text = corpus or read_sample(every_reference=True)
    statistics = tuple(measure(text, metric) for metric in each(chosen))
    material = Material(statistics, text)
    if real:
        return Evidence(material, Population(statistics[0]), real, f"{len(text)} segments given by the user")
    population = NEWS.simulate(KOEHN_SCORES, SIMULATED)
    given = f"{population.origin}, and the sample data ({len(text)} segments) where texts are needed"
    return Evidence(material, population, real, given)


def reproduce(paper: str | Paper, given: Evidence, executor: Executor | None = None) -> Reproduction:
    """Reproduce a paper's tables and figures.

    Raises
    ------
    UnknownName
        The paper is unknown.

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.lab import PAPERS, evidence, reproduce
    >>> sorted(PAPERS)
    ['callison2006', 'koehn2004', 'riezler2005', 'zhang2004']
    >>> reproduce("efron1979", evidence(mtsig.read_sample(), ["bleu"]))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    mtsig.errors.UnknownName: There is no paper called 'efron1979'. Known: koehn2004, riezler2005, ...
    """
    chosen = find(PAPERS, paper, "paper")
    with part(0.0, 1.0):
        exhibits = tuple(exhibit for step in each(chosen.steps) for exhibit in step.made(given, executor))
    return Reproduction(chosen.name, chosen.citation, given.given, exhibits)
