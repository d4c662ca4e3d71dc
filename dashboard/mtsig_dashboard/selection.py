"""What one visitor has chosen of the data, and how to look at it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mtsig import Corpus, Settings
from mtsig.corpus import runs_by_name
from mtsig.metrics import METRICS, Metric
from mtsig.report import Naming
from mtsig.study import AnalysisPlan, Star, Study

LONGEST_NOTE = 10_000
"""Characters of what is noted of a segment."""


@dataclass(frozen=True)
class Choices:
    """What the sidebar says: metrics, the first being the one the pages open with, settings, and the family.

    joined: whether the comparisons of all metrics are judged together.
    """

    metrics: tuple[Metric, ...] = (METRICS["bleu"],)
    settings: Settings = field(default_factory=Settings)
    joined: bool = False


@dataclass
class Selection:
    """What was chosen of the data, and how to look at it.

    slices: way to slice -> names; empty for the whole test set. run_of: output -> the system that it is said to be a
    run of. plan: the analysis plan that was given, and study: the study made before that was opened; they outlive a
    change of page, which drops uploaded files. naming: what systems are called in the paper, and which of them its
    figures and tables leave out. stars: digest of the corpus -> number of a starred segment -> what was noted of it.
    """

    slices: dict[str, tuple[str, ...]] = field(default_factory=dict)
    run_of: dict[str, str] = field(default_factory=dict)
    plan: AnalysisPlan | None = None
    study: Study | None = None
    choices: Choices = field(default_factory=Choices)
    naming: Naming = field(default_factory=Naming)
    stars: dict[str, dict[int, str]] = field(default_factory=dict)

    @property
    def kept(self) -> dict[str, object]:
        """What of it is kept on disk beside the data, as plain JSON."""
        naming = {"names": dict(self.naming.names), "hidden": list(self.naming.hidden)}
        return {"slices": self.slices, "runs": self.run_of, "stars": self.stars, "naming": naming}

    def take_kept(self, kept: Mapping[str, Any]) -> None:
        """Take what was kept on disk."""
        self.slices = {by: tuple(names) for by, names in kept.get("slices", {}).items()}
        self.run_of = dict(kept.get("runs", {}))
        naming = kept.get("naming", {})
        self.naming = Naming(dict(naming.get("names", {})), tuple(naming.get("hidden", ())))
        self.stars = {
            digest: {int(number): note for number, note in starred.items()}
            for digest, starred in kept.get("stars", {}).items()
        }

    def starred(self, digest: str) -> dict[int, str]:
        """Return the segments of a corpus that are starred, with their notes."""
        return self.stars.get(digest, {})

    def star(self, digest: str, number: int) -> None:
        """Star a segment, or take its star away, and what was noted with it."""
        starred = self.stars.setdefault(digest, {})
        if starred.pop(number, None) is None:
            starred[number] = ""

    def note(self, digest: str, number: int, text: str) -> None:
        """Note something of a starred segment, in LONGEST_NOTE characters at most."""
        self.stars[digest][number] = text[:LONGEST_NOTE]

    def stars_of(self, corpus: Corpus) -> tuple[Star, ...]:
        """Return the stars as a study keeps them: by the segments' numbers in the data."""
        starred = sorted(self.starred(corpus.digest).items())
        return tuple(Star(corpus.numbers[place], note) for place, note in starred)

    def take_stars(self, corpus: Corpus, stars: Sequence[Star]) -> None:
        """Take the stars of a study beside those that are there; what is no segment of the corpus is left out."""
        places = corpus.places
        taken = {places[star.segment]: star.note for star in stars if star.segment in places}
        self.stars[corpus.digest] = taken | self.starred(corpus.digest)

    def systems(self, outputs: Sequence[str]) -> dict[str, str]:
        """Return for every output the system it is a run of: as the visitor said, else as its name says."""
        named = {run: system for system, several in runs_by_name(outputs).items() for run in several}
        return {output: self.run_of.get(output, named[output]) for output in outputs}

    def grouped(self, outputs: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return system -> its runs."""
        runs: dict[str, list[str]] = {}
        for output, system in self.systems(outputs).items():
            runs.setdefault(system, []).append(output)
        return {system: tuple(several) for system, several in runs.items()}

    def runs(self, outputs: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return system -> its runs, for the systems that have several."""
        return {system: several for system, several in self.grouped(outputs).items() if len(several) > 1}
