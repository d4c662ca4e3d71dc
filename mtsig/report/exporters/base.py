"""What an exporter is, and what it writes from: a study with the pictures that go with it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from mtsig.corpus import Note
from mtsig.figures import IntervalBars, Matrix, Picture
from mtsig.options import check
from mtsig.report.naming import Naming
from mtsig.report.study_tables import names_of, paper_tables
from mtsig.report.table import Table
from mtsig.study.record import Study


@dataclass(frozen=True)
class Document:
    """A study with its pictures; a picture's name is the stem of its file.

    naming: what systems are called outside of the study's own file, and which of them figures and tables show.
    carrying: the segments that carry the verdict, under these names; they need the data, which no study holds.
    """

    study: Study
    pictures: Mapping[str, Picture] = field(default_factory=dict)
    naming: Naming = field(default_factory=Naming)
    carrying: tuple[Table, ...] = ()

    @classmethod
    def of(
        cls,
        study: Study,
        more: Mapping[str, Picture] | None = None,
        naming: Naming | None = None,
        carrying: tuple[Table, ...] = (),
    ) -> "Document":
        """Return the study with the pictures that can be drawn from it, and `more` that need the draws.

        Raises:
            InvalidOption: the naming does not tell the systems apart, or leaves nothing to compare.
        """
        naming = naming or Naming()
        naming.check(study)
        return cls(study, {**pictures_of(naming.shown(study)), **(more or {})}, naming, carrying)

    @cached_property
    def named(self) -> Study:
        """The study under the names of the paper."""
        return self.naming.named(self.study)

    @cached_property
    def shown(self) -> Study:
        """The results of the systems that figures and tables show, under the names of the paper."""
        return self.naming.shown(self.study)

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The tables, of the systems that are shown."""
        return paper_tables(self.shown, self.naming.left(self.study))


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
