"""A study over several sets as exporters write it: systems × sets, averages, what the sets say together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from mtsig.corpus import listed, number_of
from mtsig.figures import Picture
from mtsig.report.exporters.base import Said, Written
from mtsig.report.methods import Methods
from mtsig.report.sets import averages_text, over_sets_texts, sets_text
from mtsig.report.sets_methods import sets_methods, sets_methods_summary
from mtsig.report.sets_paper import headline_over_sets, sets_paper_tables
from mtsig.report.table import Table
from mtsig.study import SetsStudy
from mtsig.study.fingerprints import Fingerprint


@dataclass(frozen=True)
class SetsDocument(Written):
    """A study over several sets with its pictures."""

    study: SetsStudy
    pictures: Mapping[str, Picture] = field(default_factory=dict)
    carrying: tuple[Table, ...] = ()

    @property
    def named(self) -> SetsStudy:
        """The study: its systems keep their names."""
        return self.study

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The tables, systems × sets first."""
        return sets_paper_tables(self.study)

    @cached_property
    def methods(self) -> Methods:
        """The methods in full."""
        return sets_methods(self.study)

    @property
    def summary(self) -> Methods:
        """The methods in few sentences."""
        return sets_methods_summary(self.study)

    @property
    def said(self) -> tuple[Said, ...]:
        """What is said of each metric: what was judged together, then a passage for each average."""
        return tuple(
            Said(
                result.about.metric,
                headline_over_sets(result),
                f"{sets_text(result.compared)} {averages_text(result.compared)}",
                tuple(
                    " ".join(over_sets_texts(result.compared, number))
                    for number in range(len(result.compared.averages or ()))
                ),
            )
            for result in self.study.results
        )

    @property
    def rows(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """The numbers in full; rows without a set are averages."""
        results = self.study.results
        return {
            "scores": [row for result in results for row in result.scored.rows()],
            "comparisons": [row for result in results for row in result.compared.rows()],
            "over-sets": [_flat(beside.row()) for result in results for beside in result.compared.described],
            "replicability": [
                _flat({"metric": result.about.metric, **row.row()})
                for result in results
                for row in result.compared.replicated
            ],
            "ranks-over-sets": [
                {"metric": result.about.metric, "system": system, "mean_rank": rank}
                for result in results
                if result.compared.ranks is not None
                for system, rank in zip(result.compared.ranks.systems, result.compared.ranks.mean_ranks, strict=True)
            ],
        }

    @property
    def title(self) -> tuple[str, str]:
        """What was compared, and on what."""
        study = self.study
        systems = list(dict.fromkeys(name for one in study.sets for name in one.data.systems))
        metrics = ", ".join(one.metric for one in study.over)
        sets = number_of(len(study.sets), "test set")
        heading = f"{number_of(len(systems), 'system')} compared in {metrics} on {sets}"
        return heading, f"{', '.join(systems)}. Test sets: {listed(list(study.names))}."

    @property
    def data(self) -> str:
        """What the data are, with the fingerprint of every set."""
        said = [
            f"{one.set}: {number_of(one.data.segments, 'segment', ',')}"
            + (f" in {number_of(one.data.documents, 'document', ',')}" if one.data.documents else "")
            + f", fingerprint {one.data.digest}"
            for one in self.study.sets
        ]
        return f"{'; '.join(said)}."

    @property
    def texts(self) -> Sequence[tuple[str, Fingerprint]]:
        """Every text of every set."""
        return [(one.set, text) for one in self.study.sets for text in one.texts]


def _flat(row: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return a record with what is nested in it as columns of its own, and lists as one text."""
    flat: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{before}{key}.")
        else:
            flat[before + key] = ",".join(map(str, value)) if isinstance(value, list | tuple) else value
    return flat
