"""Buckets: what may be the matter with a segment; two systems go in, which segments are in which bucket comes out.

A new bucket is a Detector in a file of its own, and a row in BUCKETS.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from mtsig.arrays import Floats, Mask
from mtsig.corpus import Corpus
from mtsig.errors import NotApplicable, find
from mtsig.explain import explain
from mtsig.progress import each
from mtsig.records import Count, Number, Record, about
from mtsig.segments.buckets.detector import Detector, Texts
from mtsig.segments.buckets.entity import Entity
from mtsig.segments.buckets.identical import Identical
from mtsig.segments.buckets.length import Length
from mtsig.segments.buckets.negation import Negation
from mtsig.segments.buckets.number import DifferentNumbers
from mtsig.segments.buckets.repetition import Repetition
from mtsig.segments.buckets.surface import Surface
from mtsig.segments.buckets.untranslated import Untranslated

__all__ = ["BUCKETS", "BucketShare", "Buckets", "Detector", "Texts", "bucket_table", "buckets_explained", "buckets_of"]

BUCKETS: dict[str, Detector] = {
    detector.name: detector
    for detector in (
        Identical(),
        DifferentNumbers(),
        Negation(),
        Untranslated(),
        Length(),
        Repetition(),
        Entity(),
        Surface(),
    )
}
"""The buckets by the names a user types, in the order in which they are shown; a segment may be in several."""


@dataclass(frozen=True, eq=False)
class Buckets(Mapping[str, Mask]):
    """Bucket -> which segments of the corpus are in it.

    masks: the same as a mapping, each of shape (n,). left_out: the buckets that nothing can be known of here, each with
    the reason in a sentence.
    """

    masks: Mapping[str, Mask]
    left_out: Mapping[str, str]

    def __getitem__(self, name: str) -> Mask:
        """Return which segments are in a bucket; shape (n,)."""
        return self.masks[name]

    def __iter__(self) -> Iterator[str]:
        """Go through the names."""
        return iter(self.masks)

    def __len__(self) -> int:
        """Return how many buckets there are."""
        return len(self.masks)


def buckets_of(
    corpus: Corpus,
    first: str,
    second: str | None = None,
    names: Sequence[str] | None = None,
    language: str | None = None,
) -> Buckets:
    """Return which segments of a corpus are in which bucket, for two systems or for one against its references.

    >>> import mtsig
    >>> buckets = buckets_of(mtsig.read_sample(), "direct", "direct-us")
    >>> int(buckets["identical"].sum()), buckets.left_out
    (163, {})

    Args:
        corpus: the corpus.
        first: a system.
        second: another one; None for one system alone.
        names: of buckets in BUCKETS; all when None.
        language: of the outputs, a code such as "de"; found out by their references' words when None.

    Raises:
        UnknownName: no such system, or no such bucket.
        NotApplicable: a system has no text, or several runs.
    """
    texts = Texts.of(corpus, first, second, language)
    chosen = {name: find(BUCKETS, name, "bucket") for name in (BUCKETS if names is None else names)}
    left_out = {name: why for name, detector in chosen.items() if (why := detector.lacking(texts))}
    known = {name: detector for name, detector in chosen.items() if name not in left_out}
    marks = [{name: detector.marks(part) for name, detector in known.items()} for part in each(texts.blocks())]
    return Buckets({name: np.concatenate([part[name] for part in marks]) for name in known}, left_out)


@dataclass(frozen=True)
class BucketShare(Record):
    """One bucket of a comparison: how many segments, and how much of the difference."""

    name: Annotated[str, about("Name of the bucket.")]
    title: Annotated[str, about("The same in words.")]
    count: Annotated[Count, about("Segments in it.")]
    share_of_segments: Annotated[Number, about("The same as a share of all segments.")]
    contribution: Annotated[Number, about("What its segments contribute to the difference, in points.")]
    share_of_difference: Annotated[
        Number, about("The same as a share of the difference; below 0 or above 1 where others weigh against it.")
    ]


def bucket_table(
    buckets: Mapping[str, Mask], values: Floats, numbers: NDArray[np.integer] | None = None
) -> tuple[BucketShare, ...]:
    """Return a row for every bucket; as a segment may be in several buckets, or in none, shares need not sum to 1.

    >>> [row] = bucket_table({"number": np.array([True, False, True])}, np.array([0.5, 1.0, -0.25]))
    >>> row.count, row.contribution, row.share_of_difference
    (2, 0.25, 0.2)

    Args:
        buckets: which segments are in which bucket.
        values: what each segment contributes, shape (n,); their sum is the difference.
        numbers: the segments of the buckets that the values are of, shape (n,); all of them when None.

    Raises:
        UnknownName: no such bucket.
        NotApplicable: a bucket has another number of segments than there are values.
    """
    difference = float(np.sum(values))
    # What is left when values cancel out is rounding, and no difference.
    differs = abs(difference) > 1e-12 * float(np.abs(values).sum())
    rows = []
    for name, mask in buckets.items():
        inside = mask if numbers is None else mask[numbers]
        if inside.shape != np.shape(values):
            raise NotApplicable(f"Bucket {name!r} is of {len(inside)} segments, but there are {len(values)} values.")
        part = float(np.sum(values[inside]))
        rows.append(
            BucketShare(
                name,
                find(BUCKETS, name, "bucket").title,
                int(inside.sum()),
                float(inside.mean()) if len(inside) else float("nan"),
                part,
                part / difference + 0.0 if differs else float("nan"),  # no minus before a share of nothing
            )
        )
    return tuple(rows)


def buckets_explained() -> str:
    """Return, in Markdown, what the buckets find and miss: precision and recall, and how they were measured.

    >>> from mtsig.segments import buckets_explained
    >>> buckets_explained().split(";")[0].split()[:6]
    ['A', 'bucket', 'holds', 'segments', 'that', 'have']
    """
    return explain("buckets")
