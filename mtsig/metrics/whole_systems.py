"""Scores of whole systems as a metric: one number for each system, as a file gives it, and none for segments.

Good for what compares systems' scores alone (mtsig.trust); no test of two systems takes them.
"""

from dataclasses import dataclass
from typing import NoReturn, Self

import numpy as np

from mtsig.corpus import Corpus, FloatArray, Note
from mtsig.errors import NotApplicable
from mtsig.metrics.mean import SegmentMean
from mtsig.metrics.scope import Scope
from mtsig.metrics.statistics import Statistics
from mtsig.version import VERSION


@dataclass(frozen=True)
class WholeSystems(SegmentMean):
    """Scores that a file gives whole systems. Statistics: on every segment the system's score, and 1.

    given: (system, score) of every system that has one.
    """

    given_name: str
    given: tuple[tuple[str, float], ...]
    higher_is_better: bool = True

    is_segment_mean = False
    needs_references = False
    decimals = 4

    @classmethod
    def of(cls, corpus: Corpus, name: str) -> Self:
        """Return the scores of this name in the corpus, which has them beside its ratings of segments.

        Files of one set differ in how they write a system: ref-B is refB, where no other system is.
        """
        scores = corpus.system_scores[name]
        letters = [_letters(system) for system in corpus.systems]
        called = {_letters(system): system for system in corpus.systems if letters.count(_letters(system)) == 1}
        known = {system: score for system, score in scores.scores.items() if system in corpus.systems}
        for system, score in scores.scores.items():
            known.setdefault(called.get(_letters(system), system), score)
        given = tuple((system, score) for system, score in known.items() if system in corpus.systems)
        return cls(name, given, scores.higher_is_better)

    @property
    def name(self) -> str:
        """The name of the scores: that of their file."""
        return self.given_name

    @property
    def about(self) -> str:
        """What it is, in one line."""
        return f"{self.name} of whole systems: {'higher' if self.higher_is_better else 'lower'} is better."

    def scope(self, corpus: Corpus) -> Scope:
        """Return the systems that have a score.

        Raises:
            NotApplicable: none has one.
        """
        known = [system for system, _ in self.given if system in corpus.systems]
        if not known:
            raise NotApplicable(f"The scores {self.name!r} of whole systems are of none of these systems.")
        missing = [system for system in corpus.systems if system not in known]
        if not missing:
            return Scope(corpus)
        text = f"Without any {self.name}: {', '.join(missing)}."
        kept = [system for system in corpus.systems if system in known]
        return Scope(corpus.select(kept), None, (Note("note", text),))

    def count(self, corpus: Corpus) -> FloatArray:
        """Return (score, 1) of the system for every segment: whatever is drawn of them, the score stays."""
        scores = dict(self.given)
        column = np.array([scores[system] for system in corpus.systems])[:, None]
        return np.stack([np.repeat(column, len(corpus), axis=1), np.ones((len(column), len(corpus)))])

    def caveats(self, statistics: Statistics) -> NoReturn:
        """Raise NotApplicable: nothing can be drawn of whole systems."""
        del statistics
        raise NotApplicable(
            f"Of {self.name} there are scores of whole systems only. They say nothing about how sure a difference is; "
            "a test needs one score per segment."
        )

    def signature(self, corpus: Corpus) -> str:
        """Return the name, the direction, and how many systems have a score."""
        better = "higher" if self.higher_is_better else "lower"
        return f"scores of systems:{self.name}|better:{better}|systems:{len(corpus.systems)}|mtsig:{VERSION}"


def _letters(system: str) -> str:
    return "".join(filter(str.isalnum, system.lower()))
