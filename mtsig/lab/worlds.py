"""Worlds: the nulls that test sets are drawn from, by name, how each is made of the data, and what is drawn of it."""

from dataclasses import dataclass
from typing import Literal

from mtsig.corpus import MIN_DOCUMENTS
from mtsig.errors import NotApplicable
from mtsig.lab.equal_scores import equal_scores
from mtsig.lab.populations import Population
from mtsig.metrics import Statistics, Unit
from mtsig.registry import find

Null = Literal["exchangeable", "equal-scores"]

NULLS: dict[Null, str] = {
    "exchangeable": "systems that are exchangeable",
    "equal-scores": "systems of equal score that are not exchangeable",
}
"""The nulls of which test sets are drawn, and what they are in words."""

Made = Literal["exchanged", "centred", "tilted"]
Drawn = Literal["auto", "segments", "documents"]

LITTLE_SHARE = 0.2
"""A tilt that leaves less of the units in effect than this makes a population unlike the data, which is to be said."""


@dataclass(frozen=True, eq=False)
class World:
    """A population, and towards which null and how far it was changed."""

    population: Population
    null: Null
    effect: float

    @property
    def made(self) -> Made:
        """How it was changed."""
        if self.null == "exchangeable":
            return "exchanged"
        return "centred" if self.population.weights is None else "tilted"

    @property
    def truth(self) -> float:
        """The true difference of two systems; exactly 0 without an effect, as what solving for it left is none."""
        return self.population.true_difference(*self.population.systems) if self.effect else 0.0

    def share(self, by_document: bool) -> float:
        """Return the effective share of the units that are drawn, 1 where all are drawn alike."""
        chances = self.population.chances(by_document)
        return 1.0 if self.population.weights is None else self.population.effective(by_document) / len(chances)


def world_of(alone: Statistics, null: Null, effect: float, by_document: bool) -> World:
    """Return the statistics as a world: `effect` of the real difference is left, 0 making a true null.

    Raises:
        NotApplicable: it cannot be made of these systems.
    """
    if null == "exchangeable":
        return World(Population(alone, effect), null, effect)
    return World(equal_scores(alone, by_document, effect), null, effect)


def known_null(name: str) -> None:
    """Check the name of a null.

    Raises:
        UnknownName: there is none of that name.
    """
    find({other: other for other in NULLS}, name, "null")


def draws_documents(alone: Statistics, drawn: Drawn, unit: Unit) -> bool:
    """Return whether whole documents are drawn.

    Raises:
        NotApplicable: they are asked for and unknown.
    """
    documents = alone.n_documents
    if drawn == "documents" and documents is None:
        raise NotApplicable("Documents cannot be drawn: no document ids were given (docids.txt, one a line).")
    return drawn == "documents" or (
        drawn == "auto" and documents is not None and documents >= MIN_DOCUMENTS and unit != "segment"
    )


def units_of(size: int, alone: Statistics, by_document: bool) -> int:
    """Return how many units make a test set of about `size` segments.

    Raises:
        NotApplicable: that is too few documents.
    """
    if not by_document:
        return size
    count = round(size * (alone.n_documents or 1) / alone.n)
    if count < MIN_DOCUMENTS:
        raise NotApplicable(
            f"{size} segments are about {count} documents here, and inference by document needs {MIN_DOCUMENTS}. "
            "Take larger sizes, or draw segments."
        )
    return count
