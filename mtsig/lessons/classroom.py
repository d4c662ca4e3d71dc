"""Classroom: what a lesson is given on, the user's data or the sample."""

from dataclasses import dataclass
from functools import cached_property

from mtsig.corpus import Corpus
from mtsig.errors import NotApplicable
from mtsig.lab import Material
from mtsig.metrics import Metric, Statistics, Unit, measure


@dataclass(frozen=True, eq=False)
class Classroom:
    """One metric's statistics, the pair that is looked at, and the seed.

    chosen: the pair, None for the two best. unit: what is drawn; lessons 1 to 10 take segments whatever the data know
    of documents, until lesson 11 says what documents change. corpus: the texts, where there are any.
    """

    statistics: Statistics
    chosen: tuple[str, str] | None = None
    seed: int = 12345
    unit: Unit = "segment"
    corpus: Corpus | None = None

    @classmethod
    def of(
        cls,
        corpus: Corpus,
        metric: str | Metric = "bleu",
        pair: tuple[str, str] | None = None,
        seed: int = 12345,
    ) -> "Classroom":
        """Return the classroom on these data: everything that is counted there is counted now.

        Raises:
            UnknownName: no such metric or system.
            NotApplicable: the metric cannot be counted on these data.
        """
        room = cls(measure(corpus, metric), pair, seed, corpus=corpus)
        for name in room.pair:
            room.statistics.row(name)
        return room

    @cached_property
    def pair(self) -> tuple[str, str]:
        """The pair: the one chosen, or the two best.

        Raises:
            NotApplicable: there is one system.
        """
        if len(self.statistics.systems) < 2:
            raise NotApplicable("Lessons compare two systems, and here is only one.")
        return Material((self.statistics,)).pair(self.chosen)

    @property
    def texts(self) -> Corpus:
        """The texts.

        Raises:
            NotApplicable: there are none.
        """
        if self.corpus is None or not self.corpus.outputs:
            raise NotApplicable("This lesson is about words: it needs the outputs' texts, and only scores are loaded.")
        return self.corpus
