"""Material and populations: what experiments are run on, as it was measured, and what they draw test sets from."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from mtsig._options import check
from mtsig._records import Floats, Index
from mtsig._results import Public, Result
from mtsig.corpus import Corpus, Note
from mtsig.errors import InvalidOption, NotApplicable, kind_of
from mtsig.metrics import Metric, Statistics
from mtsig.metrics._metric import sign_of
from mtsig.resampling import Purpose, Words

KOEHN = "Koehn (2004), Statistical Significance Tests for Machine Translation Evaluation"
ZHANG_VOGEL = "Zhang and Vogel (2004), Measuring Confidence Intervals for the Machine Translation Evaluation Metrics"
RIEZLER_MAXWELL = "Riezler and Maxwell (2005), On Some Pitfalls in Automatic Evaluation and Significance Testing for MT"
CALLISON_BURCH = (
    "Callison-Burch, Osborne and Koehn (2006), Re-evaluating the Role of BLEU in Machine Translation Research"
)
ARMITAGE = "Armitage, McPherson and Rowe (1969), Repeated Significance Tests on Accumulating Data"


FEWEST = 10
"""Of fewer units no truth can be told, however they are redrawn."""


@dataclass(frozen=True, eq=False)
class Population:
    """s systems on N units that are taken as the whole truth.

    effect: how much of the real difference between the systems is kept. 1: the systems as they are. 0: a true null, in
    every drawn unit the labels are permuted at random, so no system is better and all are exchangeable. Between: labels
    are permuted with probability 1 − effect. Where documents are known and drawn, labels stay together within them.
    origin: where it comes from, in words. weights: shape (N,), how often each unit is drawn, relative to the others;
    None when all are drawn alike. Where whole documents are drawn, all units of one have the same.
    """

    statistics: Statistics
    effect: float = 1.0
    origin: str = "the test set, treated as the whole population"
    weights: Floats | None = None

    def __post_init__(self) -> None:
        """Check the effect and the weights."""
        if not 0 <= self.effect <= 1:
            raise InvalidOption(
                f"The effect must be a share of the observed difference, from 0 to 1; found {self.effect:g}."
            )
        # Where some systems lack some units, the population is what all of them have.
        object.__setattr__(self, "statistics", self.statistics.shared_by(self.systems))
        if self.size < FEWEST:
            raise NotApplicable(
                f"{self.size} {self.statistics.unit}{' is' if self.size == 1 else 's are'} too few to draw test sets "
                f"from: at least {FEWEST} are needed."
            )
        weights = self.weights
        if weights is not None and (weights.shape != (self.size,) or not np.all(weights >= 0) or not weights.sum() > 0):
            raise InvalidOption(f"Weights must be {self.size} numbers, one per unit, not negative and not all 0.")

    @property
    def systems(self) -> tuple[str, ...]:
        return self.statistics.systems

    @property
    def size(self) -> int:
        """The number of units."""
        return self.statistics.n

    @cached_property
    def truth(self) -> Floats:
        """The systems' true scores, shape (s,): those of the expected sums of a drawn unit."""
        if self.effect == 1 and self.weights is None:
            return self.statistics.scores
        sums = self._sums
        mixed = self.effect * sums + (1 - self.effect) * sums.mean(axis=1, keepdims=True)
        return np.asarray(self.statistics.metric.score(mixed))

    @property
    def _sums(self) -> Floats:
        """Weighted totals, shape (k, s)."""
        if self.weights is None:
            return self.statistics.sums
        # einsum's plain loop adds in one order whatever the number of threads.
        return np.asarray(np.einsum("ksn,n->ks", self.statistics.values.astype(np.float64), self.weights))

    def chances(self, by_document: bool) -> Floats:
        """Return with which probability each unit is drawn, or each document; shape (units,)."""
        count = len(self._members) if by_document else self.size
        if self.weights is None:
            return np.full(count, 1 / count)
        weights = self.weights[[units[0] for units in self._members]] if by_document else self.weights
        return np.asarray(weights / weights.sum())

    def effective(self, by_document: bool) -> float:
        """Return how many units, or documents, drawn alike would be as many: 1/Σp² (Kish 1965, section 11.7)."""
        return float(1 / np.square(self.chances(by_document)).sum())

    def true_difference(self, first: str, second: str) -> float:
        """Return the true difference of two systems, positive when the first is better."""
        truth, row = self.truth, self.statistics.row
        return float(sign_of(self.statistics.metric) * (truth[row(first)] - truth[row(second)]))

    def select(self, systems: Sequence[str]) -> "Population":
        """Return the population of these systems; a true null of them, where it was one of all."""
        return replace(self, statistics=self.statistics.select(systems))

    def draw(self, size: int, number: int, seed: int = 12345) -> Statistics:
        """Return test set number `number`: `size` units drawn with replacement, labels permuted as `effect` says.

        Numbers give independent sets; the same seed and number give the same set.
        """
        words = Words(seed, number, Purpose.TEST_SETS)
        units = self._drawn(words, size, by_document=False)
        return self._permuted(of_units(self.statistics, units), np.arange(size), words)

    def draw_documents(self, count: int, number: int, seed: int = 12345) -> Statistics:
        """Return test set number `number`: `count` whole documents drawn with replacement, all their segments."""
        members = self._members
        words = Words(seed, number, Purpose.TEST_SETS)
        drawn = [members[document] for document in self._drawn(words, count, by_document=True)]
        document_of = np.repeat(np.arange(count), [len(units) for units in drawn])
        statistics = replace(of_units(self.statistics, np.concatenate(drawn)), document_of=document_of)
        return self._permuted(statistics, document_of, words)

    def _drawn(self, words: Words, count: int, by_document: bool) -> Index:
        """Return the numbers of `count` units, or documents, drawn with their chances."""
        if self.weights is None:
            return _below(words, count, len(self._members) if by_document else self.size)
        return np.asarray(np.searchsorted(self._ends(by_document), words.halves(1, count)[0], side="right"))

    def _ends(self, by_document: bool) -> NDArray[np.uint64]:
        """Return up to which of 2^32 words each unit is drawn: whole numbers, so that every machine draws the same."""
        ends = np.rint(np.cumsum(self.chances(by_document)) * 2.0**32)
        ends[-1] = 2.0**32
        return ends.astype(np.uint64)

    @cached_property
    def _members(self) -> list[Index]:
        document_of = self.statistics.document_of
        if document_of is None:
            raise NotApplicable("Documents cannot be sampled: this population has no document ids.")
        order = np.argsort(document_of, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(document_of[order])) + 1)

    def _permuted(self, drawn: Statistics, together: Index, words: Words) -> Statistics:
        """Permute the labels of units with the same number in `together` with probability 1 − effect."""
        if self.effect == 1:
            return drawn
        labels = _labels(words, int(together.max()) + 1, len(self.systems))
        stay = words.uniform(1, len(labels))[0] < self.effect
        labels[stay] = np.arange(len(self.systems))
        return _relabelled(drawn, labels[together])


def relabel(statistics: Statistics, seed: int) -> Statistics:
    """Return the same units with the systems' labels permuted at random in each: a world in which names mean nothing.

    Units that some system lacks are left out. Statistics by document keep whole documents together.
    """
    shared = statistics.shared_by(statistics.systems)
    return _relabelled(shared, _labels(Words(seed, 0, Purpose.LABELS), shared.n, len(shared.systems)))


def _labels(words: Words, units: int, systems: int) -> Index:
    """Return a random order of the systems for each unit; shape (units, systems)."""
    return np.argsort(words.take(units, systems), axis=1)


def _relabelled(statistics: Statistics, labels: Index) -> Statistics:
    values = statistics.values[:, labels.T, np.arange(statistics.n)]
    return replace(statistics, values=np.ascontiguousarray(values))


def _below(words: Words, count: int, bound: int) -> Index:
    """Return `count` numbers below `bound`, as the bootstrap draws its units."""
    drawn = (words.halves(1, count)[0] * np.uint64(bound)) >> np.uint64(32)
    return np.asarray(drawn, dtype=np.int64)


def of_units(statistics: Statistics, units: Index) -> Statistics:
    """Return the statistics of these units, in this order; a unit may stand there more than once."""
    document_of = statistics.document_of
    if document_of is not None:
        document_of = np.unique(document_of[units], return_inverse=True)[1]
    values = np.ascontiguousarray(statistics.values[..., units])
    return replace(statistics, values=values, document_of=document_of, document_names=None, numbers=None)


def broad(n: int, size: int) -> Index:
    """Return disjoint sets of `size` units spread over all n.

    Of g sets, set j holds units j, j + g, j + 2g … Koehn 2004, section 3: every hundredth sentence makes
    100 broad samples of 300 out of 30,000. Shape (n // size, size).
    """
    sets = _sets(n, size)
    return np.arange(sets)[:, None] + sets * np.arange(size)


def consecutive(n: int, size: int) -> Index:
    """Return disjoint sets of `size` neighbouring units (Koehn 2004, section 3); shape (n // size, size)."""
    return np.arange(_sets(n, size) * size).reshape(-1, size)


def _sets(n: int, size: int) -> int:
    if not 0 < size <= n:
        raise NotApplicable(f"Sets of {size} units cannot be taken from {n}.")
    return n // size


Pair = tuple[str, str]
M = TypeVar("M", bound=Metric)


@dataclass(frozen=True, eq=False)
class Material:
    """The data of an experiment: statistics by metric, and the texts.

    population: a population with known true scores, given instead of a corpus.
    """

    statistics: tuple[Statistics, ...]
    corpus: Corpus | None = None
    population: Population | None = None

    @classmethod
    def of(cls, thing: "Material | Population | Statistics | Corpus | Sequence[Statistics]") -> "Material":
        """Collect the data of an experiment; a corpus alone has no statistics yet."""
        if isinstance(thing, Material):
            return thing
        if isinstance(thing, Population):
            return cls((thing.statistics,), population=thing)
        if isinstance(thing, Statistics):
            return cls((thing,))
        if isinstance(thing, Corpus):
            return cls((), thing)
        if not isinstance(thing, list | tuple) or not all(isinstance(one, Statistics) for one in thing):
            raise InvalidOption(f"An experiment needs statistics, a population or a corpus; found {kind_of(thing)}.")
        return cls(tuple(thing))

    @property
    def first(self) -> Statistics:
        """The statistics of the first metric.

        Raises
        ------
        NotApplicable
            There are no statistics.
        """
        if not self.statistics:
            raise NotApplicable("This experiment needs statistics: measure the corpus under a metric first.")
        return self.statistics[0]

    @property
    def complete(self) -> Statistics:
        """The statistics of the first metric on the units that all its systems have.

        Raises
        ------
        NotApplicable
            The systems share fewer than two units.
        """
        shared = self.first.shared_by(self.first.systems)
        if shared.n < 2:
            raise NotApplicable(f"A single {shared.unit} has no variance: this experiment needs at least 2.")
        return shared

    @property
    def truth(self) -> Population:
        """The given population, or else a population that consists of the observed units."""
        return self.population or Population(self.first)

    def truth_of(self, systems: Sequence[str]) -> Population:
        """Return the population of these systems, on the units they share.

        Raises
        ------
        UnknownName
            A name is not that of a system.
        """
        if self.population is not None:
            return self.population.select(systems)
        return Population(self.first.select(systems))

    @property
    def text(self) -> Corpus:
        """The corpus with outputs and references.

        Raises
        ------
        NotApplicable
            There are no texts.
        """
        if self.corpus is None or not self.corpus.references:
            raise NotApplicable("This experiment works on text: it needs system outputs and references.")
        return self.corpus

    def pair(self, chosen: Pair | None) -> Pair:
        """Return the chosen pair, or the two best systems by score.

        Raises
        ------
        NotApplicable
            There are fewer than two systems, or both names in the pair are the same.
        UnknownName
            A name is not that of a system.
        """
        statistics = self.first
        if chosen is not None:
            for name in chosen:
                statistics.row(name)
            if chosen[0] == chosen[1]:
                raise NotApplicable(f"System {chosen[0]!r} cannot be compared with itself.")
            return chosen[0], chosen[1]
        best, second, *_ = several(statistics).contenders_first
        return best, second

    def metric_of(self, kind: type[M]) -> M | None:
        """Return the first metric of a class; `None` if no metric has this class."""
        return next((counted.metric for counted in self.statistics if isinstance(counted.metric, kind)), None)

    def system(self, chosen: str | None) -> str:
        """Return the chosen system, or the best (without statistics, the first)."""
        return chosen or (self.first.best_first[0] if self.statistics else next(iter(self.text.systems)))


def several(statistics: Statistics) -> Statistics:
    """Return statistics that are of two systems at least."""
    if len(statistics.systems) < 2:
        raise NotApplicable("This experiment compares systems; found only one.")
    return statistics


def common_systems(many: Sequence[Statistics]) -> list[str]:
    """Return the systems that all of these statistics have, best first by the first of them."""
    common = [name for name in many[0].best_first if all(name in statistics.systems for statistics in many)]
    if len(common) < 2:
        raise NotApplicable("This experiment compares systems: every metric must have the same two or more of them.")
    return common


def upright(values: Any) -> NDArray[Any]:
    """Return values along the first axis, to stand in columns beside those along the last one; shape (x, 1)."""
    return (values if isinstance(values, np.ndarray) else np.array(values, dtype=object))[:, None]


def records(**columns: Any) -> list[dict[str, Any]]:
    """Return a record for every place of the columns, arrays or single values that broadcast; the last axis is first.

    >>> records(metric="BLEU", size=upright([10, 20]), system=("A", "B"))[1]
    {'metric': 'BLEU', 'size': 10, 'system': 'B'}
    """
    arrays = (value if isinstance(value, np.ndarray) else np.array(value, dtype=object) for value in columns.values())
    values = (array.ravel().tolist() for array in np.broadcast_arrays(*arrays))
    return [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]


class LabResult(Result):
    """What an experiment found; subclasses are frozen dataclasses."""

    notes: tuple[Note, ...] = ()

    decimals: ClassVar[int | None] = None
    """Of all numbers of its tables that are not whole; None: as many as count."""

    @property
    def given_names(self) -> tuple[str, ...]:
        """Columns that are called as a metric or a rating is; the names of the others are words. JSON lists them."""
        return ()

    @property
    def test_names(self) -> tuple[str, ...]:
        """Columns of `rows` that are called as a test is."""
        return ()

    def summaries(self) -> dict[str, list[dict[str, Any]]]:
        """Return further tables by title: the same numbers seen from farther away."""
        return {}


R = TypeVar("R", bound=LabResult, covariant=True)


@dataclass(frozen=True)
class Experiment(Public, ABC, Generic[R]):
    """An experiment on the methods; the fields of subclasses are its options.

    name: the name that users type. label, about: the texts that are shown. paper: the source. suggested: the default
    metrics; more than one if it compares metrics. only: the only class of metrics that it applies to. of_references:
    whether it needs several references. at_once: whether it takes about a second on any data and can start
    automatically.
    """

    name: ClassVar[str] = ""
    label: ClassVar[str] = ""
    about: ClassVar[str] = ""
    paper: ClassVar[str] = ""
    suggested: ClassVar[tuple[str, ...]] = ("bleu",)
    only: ClassVar[type[Metric] | None] = None
    of_references: ClassVar[bool] = False
    needs_text: ClassVar[bool] = False
    at_once: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Check the options."""
        check(self)

    @abstractmethod
    def run(self, material: Material, executor: Executor | None = None) -> R:
        """Return the result; long work reports its progress (mtsig.progress)."""
