"""A study over several sets as exporters write it: systems × sets, averages, what the sets say together."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from mtsig._writing import flat_row
from mtsig.collection import FamilyOverSets, by_score
from mtsig.corpus import is_human, listed, number_of
from mtsig.figures import Picture, RankDiagram, SetForest, SetHeat
from mtsig.report.exporters.base import DocumentOf, Said
from mtsig.report.methods import Methods
from mtsig.report.naming import systems_of
from mtsig.report.sets import averages_text, over_sets_texts, sets_text
from mtsig.report.sets_methods import sets_methods, sets_methods_summary
from mtsig.report.sets_paper import headline_over_sets, sets_paper_tables
from mtsig.report.study_tables import names_of
from mtsig.report.table import Table
from mtsig.study import Fingerprint, Study


class SetsDocument(DocumentOf):
    """A study over several sets with its pictures."""

    @staticmethod
    def drawn(study: Study) -> dict[str, Picture]:
        """Return for every metric: the two best on average set by set, systems × sets, and ranks if there are some."""
        pictures: dict[str, Picture] = {}
        for name, result in zip(names_of(study), study.over, strict=True):
            compared = result.compared
            pictures[f"forest-{name}"] = SetForest.of(compared, *best_pair(compared))
            pictures[f"heat-{name}"] = SetHeat.of(compared, result.scored)
            if compared.ranks is not None:
                pictures[f"ranks-over-sets-{name}"] = RankDiagram.of(compared.ranks)
        return pictures

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The tables, systems × sets first, of the systems that are shown."""
        left = self.naming.left(self.study)
        return tuple(
            replace(table, caption=f"{table.caption} {left}".strip()) for table in sets_paper_tables(self.shown)
        )

    @cached_property
    def methods(self) -> Methods:
        """The methods in full."""
        return sets_methods(self.named)

    @property
    def summary(self) -> Methods:
        """The methods in few sentences."""
        return sets_methods_summary(self.named)

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
            for result in self.named.over
        )

    @property
    def rows(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """The numbers in full, of the systems that are shown, by score; rows without a set are averages."""
        results = self.shown.over
        ordered = [by_score(result.compared) for result in results]
        return {
            "scores": [row for result in results for row in result.scored.by_score().rows()],
            "comparisons": [row for compared in ordered for row in compared.rows()],
            "over-sets": [flat_row(beside.row()) for compared in ordered for beside in compared.described],
            "replicability": [
                flat_row({"metric": result.about.metric, **row.row()})
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
        study = self.named
        systems = systems_of(study)
        metrics = ", ".join(of_metric.metric for of_metric in study.together)
        by = study.request.by
        sets = f"{number_of(len(study.sets), 'part')} of a test set" if by else number_of(len(study.sets), "test set")
        heading = f"{number_of(len(systems), 'system')} compared in {metrics} on {sets}"
        return heading, f"{', '.join(systems)}. {'Parts' if by else 'Test sets'}: {listed(list(study.names))}."

    @property
    def data(self) -> str:
        """What the data are, with the fingerprint of every set."""
        said = [
            f"{part.set}: {number_of(part.data.segments, 'segment', ',')}"
            + (f" in {number_of(part.data.documents, 'document', ',')}" if part.data.documents else "")
            + f", fingerprint {part.data.digest}"
            for part in self.study.sets
        ]
        return f"{'; '.join(said)}."

    @property
    def texts(self) -> Sequence[tuple[str, Fingerprint]]:
        """Every text of every set."""
        return [(str(part.set), text) for part in self.study.sets for text in part.texts]


def best_pair(family_over_sets: FamilyOverSets) -> tuple[str, str]:
    """Return the best pair that was compared, the better one first: on average, or in the first set without one.

    Human translations are in it only where no two systems were compared. Of the others it is among those that share the
    most sets: an average over one set says nothing of several.

    >>> import mtsig
    >>> from mtsig.report.exporters import best_pair
    >>> sets = {"2024": mtsig.read_sample(), "2025": mtsig.read_sample(every_reference=True)}
    >>> best_pair(mtsig.compare(sets, "chrf", n_resamples=500).over[0].compared)
    ('direct', 'direct-us')
    """
    family = family_over_sets.averages or next(iter(family_over_sets.families.values()))
    place = {name: number for number, name in enumerate(family.order)}
    pairs = (sorted((record.first, record.second), key=place.__getitem__) for record in family)
    shared = {frozenset((over.first, over.second)): len(over.sets) for over in family_over_sets.described}

    def rank(pair: Sequence[str]) -> tuple[int, ...]:
        return (sum(map(is_human, pair)), -shared.get(frozenset(pair), 0), *(place[name] for name in pair))

    first, second = min(pairs, key=rank)
    return first, second
