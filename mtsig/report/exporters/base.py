"""What an exporter is, and what it writes from: a study with the pictures that go with it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

from mtsig.corpus import Note
from mtsig.figures import IntervalBars, Matrix, Picture
from mtsig.options import check
from mtsig.report.study_tables import names_of
from mtsig.study.record import Study


@dataclass(frozen=True)
class Document:
    """A study with its pictures; a picture's name is the stem of its file."""

    study: Study
    pictures: Mapping[str, Picture] = field(default_factory=dict)

    @classmethod
    def of(cls, study: Study, more: Mapping[str, Picture] | None = None) -> "Document":
        """Return the study with the pictures that can be drawn from it, and `more` that need the draws."""
        return cls(study, {**pictures_of(study), **(more or {})})


def pictures_of(study: Study) -> dict[str, Picture]:
    """Return scores and matrix of every metric."""
    found: dict[str, Picture] = {}
    for name, result in zip(names_of(study), study.results, strict=True):
        found[f"scores-{name}"] = IntervalBars.of(result.scored)
        found[f"matrix-{name}"] = Matrix.of(result.compared)
    return found


@dataclass(frozen=True)
class Exported:
    """Files by name, and what could not be shown in them."""

    files: Mapping[str, bytes]
    notes: tuple[Note, ...] = ()


class Exporter(ABC):
    """A document format; subclasses are frozen dataclasses whose fields are their options.

    `label` is what it is called, `about` one sentence on what comes out.
    """

    label = ""
    about = ""

    def __post_init__(self) -> None:
        """Check the options."""
        check(self)

    @abstractmethod
    def __call__(self, document: Document) -> Exported:
        """Return the files; the same document gives the same bytes."""
