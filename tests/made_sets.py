"""Made test sets: ratings of two or more systems, with documents that several sets share."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtsig import Corpus, Rating
from mtsig.collection import FamilyOverSets, Sets, SetStatistics, compare, measure, read_sets
from mtsig.collection._sets import Sharing
from mtsig.metrics import Statistics
from mtsig.metrics._statistics import as_values


def rated_corpus(
    scores: ArrayLike,
    documents: Sequence[str] | None = None,
    sources: Sequence[str] | None = None,
    systems: Sequence[str] = "ABCDEFGH",
    higher_is_better: bool = True,
) -> Corpus:
    """A corpus known by its ratings alone; scores have shape (systems, segments)."""
    values = np.asarray(scores, dtype=np.float64)
    names = list(systems[: len(values)])
    rating = Rating(values, higher_is_better)
    return Corpus.of(dict.fromkeys(names), documents=documents, sources=sources, ratings={"score": rating})


def of(corpora: Mapping[str, Corpus], sharing: Sharing = "shared") -> SetStatistics:
    return measure(Sets.of(corpora), "rating:score", sharing=sharing)


def documents_of(sizes: Sequence[int] | NDArray[np.int64], name: str = "doc") -> list[str]:
    """Return the document of every segment: documents of these sizes."""
    return [f"{name}{i}" for i, size in enumerate(sizes) for _ in range(size)]


class MadeSets:
    """Two systems over sets of documents of these sizes, made once and drawn often.

    shared: document i is the same in all sets that have one.
    """

    def __init__(self, sizes: Sequence[Sequence[int]], shared: bool) -> None:
        corpora = {f"set{j}": rated_corpus(np.ones((2, sum(own))), documents_of(own)) for j, own in enumerate(sizes)}
        self.sizes, self.shared = sizes, shared
        self.blank = of(corpora, "shared" if shared else "separate")

    def drawn(
        self,
        rng: np.random.Generator,
        *,
        effect: float = 1.0,
        between: float = 0.7,
        shift: Sequence[float] | None = None,
        spread: Sequence[float] | None = None,
    ) -> SetStatistics:
        """Return ratings whose difference has strong document effects.

        between: how far the effect of a shared document goes with that of the same in other sets. shift: the true
        difference in each set. spread: factors of each set's noise.
        """
        common = rng.normal(0, effect, max(map(len, self.sizes)))
        found = {}
        for j, (name, own) in enumerate(zip(self.blank.of, self.sizes, strict=True)):
            alone = rng.normal(0, effect, len(own))
            documents = np.sqrt(between) * common[: len(own)] + np.sqrt(1 - between) * alone if self.shared else alone
            noise = np.repeat(documents, own) + rng.normal(0, 1, sum(own))
            gap = (1.0 if spread is None else spread[j]) * noise + (0.0 if shift is None else shift[j])
            base = rng.normal(50, 5, sum(own))
            found[name] = scored(self.blank.of[name], np.array([base + gap, base]))
        return replace(self.blank, of=found)


def scored(blank: Statistics, scores: ArrayLike) -> Statistics:
    """Return the statistics of other ratings of the same segments; shape (systems, segments)."""
    values = blank.values.astype(np.float64)
    values[0] = scores
    return replace(blank, values=as_values(values))


def made_sets(
    rng: np.random.Generator,
    sizes: Sequence[Sequence[int]],
    *,
    shared: bool,
    effect: float = 1.0,
    shift: Sequence[float] | None = None,
) -> SetStatistics:
    """Return one drawing of made sets."""
    return MadeSets(sizes, shared).drawn(rng, effect=effect, shift=shift)


def written(folder: Path, lines: int = 12, systems: int = 2) -> Path:
    """A folder with a test set in it."""
    for place, names in (("systems", [f"s{i}" for i in range(systems)]), ("refs", ["ref"])):
        (folder / place).mkdir(parents=True)
        for name in names:
            (folder / place / f"{name}.txt").write_text("".join(f"{name} line {i}\n" for i in range(lines)))
    return folder


def agree(found: FamilyOverSets) -> int:
    """Hold the intervals of all sets and averages to their corrected p; return how many leave out 0."""
    outside = 0
    for family in (*found.families.values(), found.averages):
        for row in family or ():
            if not row.has_p:
                assert np.isnan([row.adjusted_level, row.adjusted_ci_low, row.adjusted_ci_high]).all()
                continue
            leaves_out = row.adjusted_ci_low > 0 or row.adjusted_ci_high < 0
            assert leaves_out == (row.p_adjusted <= row.alpha + 1e-12), row
            outside += leaves_out
    return outside


def segment_sets(shared: bool, counts: tuple[int, ...] = (40, 40), systems: int = 3, seed: int = 1) -> object:
    rng = np.random.default_rng(seed)
    common = rng.normal(size=(systems, max(counts)))
    corpora = {}
    for j, n in enumerate(counts):
        scores = 0.9 * common[:, :n] + 0.4 * rng.normal(size=(systems, n)) + 0.25 * np.arange(systems)[:, None]
        lines = [f"{'' if shared else j}:{i}" for i in range(n)]
        corpora[f"set{j}"] = rated_corpus(scores, None, lines)
    return of(corpora)


def packed(files: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return content.getvalue()


@cache
def on_wmt22(folder: Path) -> FamilyOverSets:
    systems = ["Lan-Bridge", "Online-A", "Online-B", "Online-G", "Online-Y"]
    return compare(measure(read_sets(folder), "chrf"), pairs=list(combinations(systems, 2)))
