"""What every experiment is: options that, given material, lead to a result with rows."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from mtsig.corpus import Corpus, Note
from mtsig.errors import NotApplicable
from mtsig.lab.populations import Population
from mtsig.metrics import Metric, Statistics
from mtsig.options import check
from mtsig.results import Result

Pair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Material:
    """What an experiment works on: the statistics of one metric or of several, and the texts they were counted in.

    population: set instead of a corpus where the statistics are those of a population with known truth.
    """

    statistics: tuple[Statistics, ...]
    corpus: Corpus | None = None
    population: Population | None = None

    @classmethod
    def of(cls, thing: "Material | Population | Statistics | Corpus | Sequence[Statistics]") -> "Material":
        """Return the material that this is: a corpus alone has no statistics yet."""
        if isinstance(thing, Material):
            return thing
        if isinstance(thing, Population):
            return cls((thing.statistics,), population=thing)
        if isinstance(thing, Statistics):
            return cls((thing,))
        if isinstance(thing, Corpus):
            return cls((), thing)
        return cls(tuple(thing))

    @property
    def first(self) -> Statistics:
        """The statistics of the first metric.

        Raises:
            NotApplicable: nothing is measured.
        """
        if not self.statistics:
            raise NotApplicable("This experiment needs statistics: measure the corpus under a metric first.")
        return self.statistics[0]

    @property
    def complete(self) -> Statistics:
        """The statistics of the first metric on the units that all its systems have.

        Raises:
            NotApplicable: that is one unit, which has no spread.
        """
        shared = self.first.shared_by(self.first.systems)
        if shared.n < 2:
            raise NotApplicable(f"One {shared.unit} alone has no spread: this experiment needs at least 2.")
        return shared

    @property
    def truth(self) -> Population:
        """The population: the one given, or the statistics taken as the whole truth."""
        return self.population or Population(self.first)

    def truth_of(self, systems: Sequence[str]) -> Population:
        """Return the population of these systems alone: the units that they have, whatever the others lack.

        Raises:
            UnknownName: a name is no system's.
        """
        if self.population is not None:
            return self.population.select(systems)
        return Population(self.first.select(systems))

    @property
    def text(self) -> Corpus:
        """The texts.

        Raises:
            NotApplicable: there are none.
        """
        if self.corpus is None or not self.corpus.references:
            raise NotApplicable("This experiment works on text: it needs system outputs and references.")
        return self.corpus

    def pair(self, chosen: Pair | None) -> Pair:
        """Return the chosen pair, or the two best systems by score.

        Raises:
            NotApplicable: there are fewer than two systems, or the pair is one system twice.
            UnknownName: a name is no system's.
        """
        statistics = self.first
        if chosen is not None:
            for name in chosen:
                statistics.row(name)
            if chosen[0] == chosen[1]:
                raise NotApplicable(f"System {chosen[0]!r} cannot be compared with itself.")
            return chosen[0], chosen[1]
        if len(statistics.systems) < 2:
            raise NotApplicable("This experiment compares systems; found only one.")
        best, second, *_ = statistics.best_first
        return best, second


def common_systems(many: Sequence[Statistics]) -> list[str]:
    """Return the systems that all of these statistics have, best first by the first of them.

    Raises:
        NotApplicable: there are not two such systems.
    """
    common_systems = [name for name in many[0].best_first if all(name in statistics.systems for statistics in many)]
    if len(common_systems) < 2:
        raise NotApplicable("This experiment compares systems: every metric must have the same two or more of them.")
    return common_systems


class LabResult(Result):
    """What an experiment found; subclasses are frozen dataclasses."""

    notes: tuple[Note, ...] = ()

    decimals: ClassVar[int | None] = None
    """Of all numbers of its tables that are not whole; None: as many as count."""

    @property
    def given_names(self) -> tuple[str, ...]:
        """Columns of `rows` that are called as a metric or a rating is; the names of the others are words."""
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
class Experiment(ABC, Generic[R]):
    """A question about the methods; subclasses are frozen dataclasses whose fields are its options.

    name: what users type. label, about: for people. paper: where it comes from. suggested: the metrics to
    run it on when nobody says; more than one when it compares metrics. only: the class of the metrics that it is about
    alone. of_references: whether it is about several references.
    """

    name: ClassVar[str] = ""
    label: ClassVar[str] = ""
    about: ClassVar[str] = ""
    paper: ClassVar[str] = ""
    suggested: ClassVar[tuple[str, ...]] = ("bleu",)
    only: ClassVar[type[Metric] | None] = None
    of_references: ClassVar[bool] = False
    needs_text: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Check the options."""
        check(self)

    @abstractmethod
    def run(self, material: Material, executor: Executor | None = None) -> R:
        """Return the result; work that takes long reports the share done (mtsig.progress)."""
