"""Variance shares: judgements go in; how much of their variance comes from systems, segments, judges comes out.

By the method of moments (Henderson 1953, method 1; Searle, Casella and McCulloch 1992, chapter 5): sums of squares over
the levels of every source are set equal to what they are expected to be. Where everything is balanced, these are the
estimates of the analysis of variance.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from mtsig.arrays import Floats, Index
from mtsig.corpus import Judgements, Note, listed
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.records import Count, Number, Record, about
from mtsig.results import Result

RESIDUAL = "residual"

_SOURCES: dict[str, tuple[str, ...]] = {
    "system": ("system",),
    "segment": ("segment",),
    "judge": ("judge",),
    "system × segment": ("system", "segment"),
    "system × judge": ("system", "judge"),
    "segment × judge": ("segment", "judge"),
    "document": ("document",),
    "system × document": ("system", "document"),
}
"""In the order in which they are taken in, as long as the design tells them from those before."""

_SINGULAR = 1e-6


@dataclass(frozen=True)
class Share(Record):
    """One source of variance."""

    source: Annotated[str, about("The source; × is an interaction, residual what nothing else explains.")]
    variance: Annotated[Number, about("Its variance component; below 0 by chance where there is none.")]
    share: Annotated[Number, about("Its share of the sum of all components, those below 0 taken for 0.")]
    levels: Annotated[Count, about("How many different ones there are: systems, segments, pairs of them.")]


@dataclass(frozen=True, eq=False)
class VarianceShares(Result):
    """Variance components of single judgements; a segment's is within its document where documents are known.

    inseparable: sources that this design does not tell from others; what they bring is in the others, the residual
    above all.
    """

    shares: tuple[Share, ...]
    inseparable: tuple[str, ...]
    notes: tuple[Note, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per source."""
        return [share.row() for share in self.shares]

    def variance(self, source: str) -> float:
        """Return a source's variance, at least 0; 0 where it is no source here."""
        return next((max(0.0, share.variance) for share in self.shares if share.source == source), 0.0)

    def standard_error(
        self, segments: int, judges_per_segment: int, judges: int | None, documents: int | None = None
    ) -> float:
        """Return the standard error of a difference of two systems' means in a future evaluation.

        Both outputs of each of m segments are judged by the same j of J judges, who do equal shares:
        SE² = 2 (σ²_system×document/d + σ²_system×segment/m + σ²_system×judge/J + σ²_residual/(m j)).

        Args:
            segments: m.
            judges_per_segment: j.
            judges: J; "other judges" are what the error allows for. None: for these judges alone, and the part of
                judges is left out.
            documents: d; needed where documents are a source.

        Raises:
            InvalidOption: a number is below 1, more judges per segment are asked for than there are, or the number of
                documents is missing.
            NotApplicable: these judgements do not tell what judges, or further judges of an output, bring.
        """
        most = judges_per_segment if judges is None else judges
        if min(segments, judges_per_segment, most, documents or 1) < 1 or judges_per_segment > most:
            raise InvalidOption(
                "A future evaluation has at least 1 segment, document and judge, and no more judges per segment than "
                f"judges; found {segments} segments, {judges_per_segment} of {most} judges."
            )
        if judges is not None and "system × judge" in self.inseparable:
            raise NotApplicable(
                "No judge judged several outputs of several systems: what other judges would say is open."
            )
        if judges_per_segment > 1 and "system × segment" in self.inseparable:
            raise NotApplicable(
                "No output was judged by two judges: what a second judge of an output is worth cannot be told."
            )
        by_document = self.variance("system × document")
        if by_document and documents is None:
            raise InvalidOption("Documents are a source of variance here: say how many there will be.")
        return float(
            np.sqrt(
                2 * by_document / (documents or 1)
                + 2 * self.variance("system × segment") / segments
                + (0.0 if judges is None else 2 * self.variance("system × judge") / judges)
                + 2 * self.variance(RESIDUAL) / (segments * judges_per_segment)
            )
        )


def variance_shares(judgements: Judgements, documents: Sequence[str] | None = None) -> VarianceShares:
    """Return how much of the judgements' variance comes from where; systems, segments and judges are taken as random.

    >>> import numpy as np
    >>> from mtsig.corpus import Judgements
    >>> from mtsig.trust import variance_shares
    >>> rng = np.random.default_rng(1)
    >>> true = np.arange(3)[:, None] + rng.normal(size=(3, 40))
    >>> given = {name: true + shift + rng.normal(size=(3, 40)) for name, shift in (("Ann", 0), ("Bo", 1))}
    >>> judgements = Judgements.of(given)
    >>> [round(share.share, 2) for share in variance_shares(judgements).shares]
    [0.32, 0.0, 0.16, 0.26, 0.0, 0.04, 0.22]

    Args:
        judgements: who gave which value.
        documents: the document of each segment of the rating, when known.

    Raises:
        NotApplicable: there are fewer than two systems, segments or judges, or all values are equal.
    """
    basic: dict[str, Index] = {
        "system": judgements.system.astype(np.int64),
        "segment": judgements.segment.astype(np.int64),
        "judge": judgements.judge.astype(np.int64),
    }
    if documents is not None:
        basic["document"] = np.unique(np.asarray(documents).astype(str), return_inverse=True)[1][judgements.segment]
    for name in ("system", "segment", "judge"):
        if len(np.unique(basic[name])) < 2:
            raise NotApplicable(f"Shares of variance need at least 2 {name}s; found {len(np.unique(basic[name]))}.")
    value = judgements.value - judgements.value.mean()
    if not np.square(value).sum() > 1e-18 * len(value) * np.square(judgements.value).max():
        raise NotApplicable("All ratings are equal: there is no variance to share out.")
    levels = {
        name: _crossed([basic[part] for part in parts])
        for name, parts in _SOURCES.items()
        if all(part in basic for part in parts)
    }
    sources: list[str] = []
    for name in levels:
        if _determined([levels[source] for source in (*sources, name)], len(value)):
            sources.append(name)
    used = [levels[name] for name in sources]
    matrix, right = (
        _expectations(used, len(value)),
        np.array([_squares(source, value) for source in (*_ends(value), *used)]),
    )
    solve = np.linalg.solve(matrix, right)[1:]
    names = (*sources, RESIDUAL)
    kept = np.maximum(solve, 0.0)
    shares = Share.of_columns(
        len(names),
        source=names,
        variance=solve,
        share=kept / kept.sum(),
        levels=[*(int(source.max()) + 1 for source in used), len(value)],
    )
    below = [name for name, share in zip(names, solve, strict=True) if share < 0]
    lost = tuple(name for name in levels if name not in sources)
    said = []
    if below:
        said.append(f"Estimated below 0, and taken for 0: {listed(below)}.")
    if lost:
        said.append(f"This design does not tell apart from the other sources: {listed(lost)}.")
    return VarianceShares(shares, lost, tuple(Note("note", text) for text in said))


def _crossed(columns: Sequence[Index]) -> Index:
    """Return the number of every combination that occurs; shape (m,)."""
    labels = np.unique(columns[0], return_inverse=True)[1]
    for column in columns[1:]:
        labels = np.unique(labels * (int(column.max()) + 1) + column, return_inverse=True)[1]
    return np.asarray(labels, dtype=np.int64)


def _ends(value: Floats) -> tuple[Index, Index]:
    """Return the coarsest levels, all in one, and the finest, each by itself."""
    return np.zeros(len(value), dtype=np.int64), np.arange(len(value))


def _squares(levels: Index, value: Floats) -> float:
    """Return the sum over levels of (sum of values)²/number of values."""
    return float((np.bincount(levels, value) ** 2 / np.bincount(levels)).sum())


def _expectations(sources: Sequence[Index], m: int) -> Floats:
    """Return what the squares of all in one, each by itself, and every source expect of each unknown.

    The unknowns are m μ², the sources' variances and the residual's.
    """
    rows = (np.zeros(m, dtype=np.int64), np.arange(m), *sources)
    columns = (*sources, np.arange(m))
    coefficients = np.ones((len(rows), len(columns) + 1))
    for i, row in enumerate(rows):
        size = np.bincount(row)
        for j, column in enumerate(columns):
            cells, count = np.unique(row * (int(column.max()) + 1) + column, return_counts=True)
            coefficients[i, j + 1] = (count**2 / size[cells // (int(column.max()) + 1)]).sum()
    return coefficients


def _determined(sources: Sequence[Index], m: int) -> bool:
    matrix = _expectations(sources, m)
    scaled = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    scaled = scaled / np.linalg.norm(scaled, axis=0)
    return bool(np.linalg.svd(scaled, compute_uv=False)[-1] > _SINGULAR)
