"""A corpus as the checks use it: its texts, the similarity of their lines, and the findings of checks."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mtsig._memory import remembered
from mtsig._records import Floats, Index
from mtsig._results import Result
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import About, capital_first
from mtsig.metrics import ReferenceOverlap
from mtsig.metrics._kinship import kin_and_copies

if TYPE_CHECKING:
    from scipy import sparse


Level = Literal["note", "warning", "withholds"]
Confidence = Literal["certain", "likely", "possible"]

_STRENGTH: tuple[Level, ...] = ("note", "warning", "withholds")

WHOLE_SOURCE, NOTHING = "is the source", "is empty"
"""Causes that explain whatever else is odd about a text."""

WHOLE = 0.5
"""From this share of its lines on, what is wrong with a text is wrong with the whole of it."""

SHARE_FOR_WARNING = 0.01
"""From this share of segments on, what would be a note is a warning: it can move a score by a tenth of a point."""

LEAST_FOR_WARNING = 3
"""Fewer lines are a note, unless they are half of all: of a hundred segments, one is a share of 1% by itself."""


@dataclass(frozen=True)
class Named:
    """A text of the data: what it is, and its name; as text, what it is called in messages."""

    role: Literal["source", "reference", "system"]
    name: str = ""

    def __str__(self) -> str:
        """Return what it is called in messages."""
        return self.role if self.role == "source" else f"{self.role} {self.name!r}"


def headline(names: Sequence[Named], one: str, many: str) -> str:
    """Return in a few words which texts have what: the text by its name where it is one, else how many."""
    if len(names) == 1:
        return f"{names[0].name or 'The source'} {one}"
    return f"{len(names)} {'systems' if all(name.role == 'system' for name in names) else 'texts'} {many}"


@dataclass(frozen=True)
class Finding:
    """One finding to consider before any verdict.

    check: the name in CHECKS, or in `mtsig.study.CAUTIONS`. level: a warning can change a verdict or a rank, a note
    cannot; "withholds" if verdicts are withheld because of it. where: the text and lines; may be empty. found: the
    fault that was found. advice, flags: what to do, in words and on the command line. lines: numbers of the first
    segments concerned, from 1, in the whole data. headline: the finding in at most six words. systems: the systems
    concerned; empty if all are. pairs: the comparisons whose verdicts may change. cause: findings with the same cause
    and systems are joined. span: the first and last line, from 1, if all lines between them are concerned.
    """

    check: str
    level: Level
    confidence: Confidence
    where: str
    found: str
    advice: str = ""
    lines: tuple[int, ...] = ()
    headline: str = ""
    systems: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    flags: str = ""
    cause: str = ""
    span: tuple[int, int] | None = None

    @property
    def warns(self) -> bool:
        """Whether the finding can change a verdict or a rank."""
        return self.level != "note"

    @property
    def note(self) -> Note:
        """The finding as a note in words."""
        # A finding that begins like a sentence says by itself where it is.
        where = "" if not self.where or self.found[:1].isupper() else f"{self.where}:"
        said = " ".join(filter(None, (where, self.found, capital_first(self.advice))))
        if self.flags:
            said = f"{said.removesuffix('.')} ({self.flags})"
        ends = "" if said.endswith((".", "?", "!")) else "."
        about: About = "raters" if self.cause == "raters" else "size" if self.cause == "size" else ""
        return Note("warning" if self.warns else "note", f"{said}{ends}", about, self.systems, self.headline)

    def among(self, systems: Collection[str]) -> "Finding | None":
        """Return the finding for these systems only, or None."""
        pairs = tuple(pair for pair in self.pairs if set(pair) <= set(systems))
        concerned = set(self.systems) & set(systems) if self.systems else pairs or not self.pairs
        return replace(self, pairs=pairs) if concerned else None

    def joined(self, other: "Finding") -> "Finding":
        """Merge two findings of the same cause: higher level, all lines and pairs."""
        return replace(
            self,
            level=max(self.level, other.level, key=_STRENGTH.index),
            advice=self.advice or other.advice,
            flags=self.flags or other.flags,
            lines=tuple(sorted({*self.lines, *other.lines})),
            headline=self.headline or other.headline,
            pairs=self.pairs + other.pairs,
        )


@dataclass(frozen=True)
class Checkup(Result):
    """All findings of one corpus, warnings first.

    checked: names of the checks that were run.
    segments: number of segments used by checks of similarity; of: number of all segments.
    """

    brief = ("check", "level", "confidence", "headline", "where", "found", "advice", "lines", "systems")

    findings: tuple[Finding, ...]
    checked: tuple[str, ...]
    segments: int
    of: int

    def __iter__(self) -> Iterator[Finding]:
        """Go through the findings."""
        return iter(self.findings)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The findings to consider before any result."""
        return tuple(finding for finding in self.findings if finding.warns)

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per finding."""
        return [
            {name: getattr(finding, name) for name in self.brief[:-2]}
            | {"lines": list(finding.lines), "systems": list(finding.systems)}
            for finding in self.findings
        ]


def is_loud(count: int, total: int, share: float = SHARE_FOR_WARNING) -> bool:
    """Return whether something that concerns `count` of `total` segments is worth a warning."""
    return count > 0 and count >= max(share * total, min(LEAST_FOR_WARNING, total / 2))


def at_lines(numbers: Sequence[int]) -> str:
    """Return where segments stand, numbered from 0: `line 3`, `lines 3–7`, `lines 3, 8, 9, …`."""
    if len(numbers) == 1:
        return f"line {numbers[0] + 1}"
    if numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"lines {numbers[0] + 1}–{numbers[-1] + 1}"
    return "lines " + ", ".join(str(number + 1) for number in numbers[:3]) + (", …" if len(numbers) > 3 else "")


def counted(numbers: Sequence[int], total: int) -> str:
    """Return how many of the lines, and which: `3 of 200 (lines 3, 8, 9)`."""
    return f"{len(numbers):,} of {total:,} ({at_lines(numbers)})"


class Shown(NamedTuple):
    """What lines may show: of which check, in words ("empty lines"), what to do, and the headline behind a name.

    share: from which share of the lines on it is a warning.
    """

    check: str
    text: str
    advice: str
    has: str
    confidence: Confidence = "likely"
    share: float = SHARE_FOR_WARNING


def by_text(shown: Shown, hits: Mapping[Named, Sequence[int]], total: int) -> Iterator[Finding]:
    """Yield one warning for all texts of which enough lines show something, and one note for the others.

    hits: text -> numbers of its lines in the whole of the data, from 0. total: how many lines each text has.
    """
    some = {name: numbers for name, numbers in hits.items() if numbers}
    levels: tuple[Level, Level] = ("warning", "note")
    for level in levels:
        concerned = [
            name for name, numbers in some.items()
            if is_loud(len(numbers), total, shown.share) == (level == "warning")
        ]  # fmt: skip
        if concerned:
            first, *others = sorted(concerned, key=lambda name: -len(some[name]))
            said = f"{shown.text}: {counted(some[first], total)}.{also({name: some[name] for name in others})}"
            headed = headline([first, *others], f"has {shown.has}", f"have {shown.has}")
            lines, of = first_lines(some[first]), systems_of([first, *others])
            yield Finding(shown.check, level, shown.confidence, str(first), said, shown.advice, lines, headed, of)


def also(hits: Mapping[Named, Sequence[int]]) -> str:
    """Return the sentence on further texts with such lines, and how many lines; "" without any."""
    return f" Also: {', '.join(f'{name} {len(numbers):,}' for name, numbers in hits.items())}." if hits else ""


def systems_of(names: Sequence[Named]) -> tuple[str, ...]:
    """Return the systems that a finding on these texts concerns: with a source or reference among them, everybody."""
    return tuple(name.name for name in names) if all(name.role == "system" for name in names) else ()


def left_beside_references(hits: Mapping[Named, Sequence[int]]) -> tuple[dict[Named, Sequence[int]], list[int]]:
    """Return the lines of each text without those that references account for, and what these have as systems do."""
    references = {name: set(numbers) for name, numbers in hits.items() if name.role == "reference"}
    known = set().union(*references.values())
    systems = [numbers for name, numbers in hits.items() if name.role == "system"]
    having = Counter(number for numbers in systems for number in numbers)
    alike = {number for number in known if 2 * having[number] >= max(1, len(systems))}
    left: dict[Named, Sequence[int]] = {
        name: [number for number in numbers if number not in (alike if name in references else known)]
        for name, numbers in hits.items()
    }
    return left, sorted(alike)


def beside_references(shown: Shown, hits: Mapping[Named, Sequence[int]], total: int) -> Iterator[Finding]:
    """Yield what `by_text` does, after comparing every line with what the references have there.

    Anomalies that a reference shares are not reported of systems; what half of the systems have there as well is not
    reported of the reference: such lines are noted once for all.
    """
    left, alike = left_beside_references(hits)
    yield from by_text(shown, left, total)
    if alike:
        said = f"{shown.text}: {counted(alike, total)}."
        advised = "References and systems both contain these, so they are probably intended."
        where, headed = "references and systems", f"All texts have {shown.has}"
        yield Finding(shown.check, "note", "possible", where, said, advised, first_lines(alike), headed)


def of_whole_texts(
    shown: Shown, hits: Mapping[Named, Sequence[int]], total: int, advice: str, what: str, cause: str
) -> Iterator[Finding]:
    """Yield a warning for every system most of whose lines show something, and for the others what they have of it."""
    left, _ = left_beside_references(hits)
    whole = [name for name, numbers in left.items() if name.role == "system" and len(numbers) >= WHOLE * total]
    for name in whole:
        found, lines = f"{shown.text}: {counted(left[name], total)}.", first_lines(left[name])
        headed, of = f"{name.name} {what}", (name.name,)
        yield Finding(shown.check, "warning", "certain", str(name), found, advice, lines, headed, of, cause=cause)
    yield from beside_references(shown, {name: own for name, own in hits.items() if name not in whole}, total)


def first_lines(numbers: Sequence[int]) -> tuple[int, ...]:
    """Return the first few numbers, from 1."""
    return tuple(number + 1 for number in numbers[:10])


MOST_CHARACTERS = 2_000
"""Characters of a line that are looked at."""

_BITS = 18
_PLACES = 1 << _BITS
_ORDERS = (2, 3)
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_LINE_END = np.uint64(10)


def counts_of(lines: Sequence[str | None]) -> "sparse.csr_matrix":
    """Return how often each hashed n-gram stands in each line; shape (n, 2^18)."""
    from scipy import sparse

    # First characters of lines, small and with single spaces.
    text = "\n".join(" ".join((line or "")[:MOST_CHARACTERS].lower().split()) for line in lines) + "\n"
    codes = np.frombuffer(text.encode("utf-32-le", errors="replace"), dtype="<u4").astype(np.uint64)
    ends = codes == _LINE_END
    # One number for line and place: sorted, equal ones stand together, which is faster than a matrix that adds them up.
    # Numbers of half the size are sorted in half the time.
    size = np.int32 if (len(lines) + 1) << _BITS <= 2**31 else np.int64
    first_places = (np.cumsum(ends, dtype=size) - ends) << _BITS
    keys = np.concatenate([_ngrams(codes, ends, first_places, order) for order in _ORDERS])
    keys.sort()
    starts = np.flatnonzero(np.concatenate([keys[:1] >= 0, keys[1:] != keys[:-1]]))
    counts = np.diff(starts, append=len(keys)).astype(np.float32)
    keys = keys[starts]
    rows = np.searchsorted(keys, np.arange(0, (len(lines) + 1) * _PLACES, _PLACES, dtype=size))
    return sparse.csr_matrix((counts, keys % _PLACES, rows), shape=(len(lines), _PLACES))


def _ngrams(codes: NDArray[np.uint64], ends: NDArray[np.bool_], first_places: Index, order: int) -> Index:
    """Return the place of each n-gram within a line, behind those of the lines before."""
    count = max(0, len(codes) - order + 1)
    hashed = np.full(count, order, dtype=np.uint64)
    inside = np.ones(count, dtype=bool)
    for offset in range(order):
        hashed ^= codes[offset : offset + count]
        hashed *= _MULTIPLIER
        inside &= ~ends[offset : offset + count]
    hashed >>= np.uint64(64 - _BITS)
    return (first_places[:count] + hashed.astype(first_places.dtype))[inside]


@dataclass(frozen=True, eq=False)
class Lines:
    """Lines as vectors of length 1, or 0 for an empty line; shape (n, 2^18)."""

    vectors: "sparse.csr_matrix"

    def like(self, other: "Lines", offset: int = 0) -> Floats:
        """Return how like each line i is to line i + offset of the other; shape (n,), NaN where there is none."""
        likeness = np.full(self.vectors.shape[0], np.nan)
        start, end = max(0, -offset), min(len(likeness), other.vectors.shape[0] - offset)
        if start < end:
            own, others = self.vectors, other.vectors
            if offset or own.shape != others.shape:  # which copies them
                own, others = own[start:end], others[start + offset : end + offset]
            likeness[start:end] = np.asarray(own.multiply(others).sum(axis=1)).ravel()
        return likeness


def weights_of(counts: Sequence["sparse.csr_matrix"]) -> Floats:
    """Return the weight of every n-gram from the texts it is to tell apart; shape (2^18,)."""
    seen = np.sum([np.bincount(count.indices, minlength=_PLACES) for count in counts], axis=0)
    n = sum(count.shape[0] for count in counts)
    return np.asarray(np.log((n + 1) / (seen + 1)))


def weighted(counts: "sparse.csr_matrix", weights: Floats) -> Lines:
    """Return the lines as vectors under these weights."""
    return Lines(_unit(counts, np.sqrt(counts.data) * weights[counts.indices]))


def mean_of(several: Sequence[Lines]) -> Lines:
    """Return the mean of several texts' lines, of length 1 again: like all of them at once."""
    if len(several) == 1:
        return several[0]
    whole = sum((lines.vectors for lines in several[1:]), several[0].vectors)
    return Lines(_unit(whole, whole.data))


def _unit(like: "sparse.csr_matrix", data: Floats) -> "sparse.csr_matrix":
    """Return the matrix that has these numbers where another has its own, with rows of length 1."""
    row_of = np.repeat(np.arange(like.shape[0]), np.diff(like.indptr))
    lengths = np.sqrt(np.bincount(row_of, weights=data * data, minlength=like.shape[0]))
    shares = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    # Places stay in order, as a product of matrices would not leave them: without it, each likeness costs all of them.
    return type(like)((data * shares[row_of], like.indices, like.indptr), shape=like.shape)


MOST_SEGMENTS, STRETCHES = 5_000, 10
"""Segments that checks of likeness look at; of more, so many stretches spread over the set."""

MOST_KEPT = 20_000_000
"""Counts remembered between checks, 8 bytes each."""


class View:
    """A corpus, its texts by what they are called in messages, and vectors of their lines.

    corpus: all segments. sample: those that checks of likeness look at; places and numbers: shape (n,), which these
    are in the corpus and in the whole of the data, of which the corpus may be a part, from 0.
    """

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.places = sampled(len(corpus))
        self.sample = corpus if len(self.places) == len(corpus) else corpus.take(self.places)
        self.numbers = np.array(self.sample.numbers, dtype=np.int64) - 1
        self._counts: dict[int, tuple[Sequence[str | None], sparse.csr_matrix]] = {}

    @cached_property
    def of_sample(self) -> "View":
        """The sampled segments alone, for checks of what many lines show; what is known of their n-grams is kept."""
        view = copy(self)
        view.corpus = self.sample
        for of_all in ("texts", "kin"):
            vars(view).pop(of_all, None)
        return view

    def counts(self, lines: Sequence[str | None]) -> "sparse.csr_matrix":
        """Return the counts of n-grams of sampled lines, remembered as long as there is room."""
        if id(lines) in self._counts:
            return self._counts[id(lines)][1]
        counts = counts_of(lines)
        if sum(kept.nnz for _, kept in self._counts.values()) + counts.nnz <= MOST_KEPT:
            # The lines are kept with their counts, so that no other lines can have their id.
            self._counts[id(lines)] = (lines, counts)
        return counts

    def in_whole(self, segments: Iterable[int]) -> list[int]:
        """Return the numbers, from 0, that segments of the corpus have in the whole of the data."""
        numbers = self.corpus.numbers
        return [numbers[segment] - 1 for segment in segments]

    @cached_property
    def texts(self) -> dict[Named, Sequence[str | None]]:
        """All texts: source, references and systems."""
        sources = self.corpus.segments.sources
        columns: dict[Named, Sequence[str | None]] = {} if sources is None else {Named("source"): sources}
        columns |= {Named("reference", name): lines for name, lines in self.corpus.references.items()}
        return columns | {Named("system", name): lines for name, lines in self.corpus.outputs.items()}

    def hits(self, shows: Callable[[int, str], bool], source: bool = False) -> dict[Named, Sequence[int]]:
        """Return the lines of each text, by their numbers in the whole, that show something; of the source, too."""
        return {
            name: self.in_whole(i for i, line in enumerate(lines) if line is not None and shows(i, line))
            for name, lines in self.texts.items() if source or name.role != "source"
        }  # fmt: skip

    @cached_property
    def guides(self) -> Mapping[str, Sequence[str | None]]:
        """What the sampled lines are held against: the references, or without any the outputs of other systems."""
        return self.sample.references or dict(list(self.sample.outputs.items())[:3])

    @cached_property
    def weights(self) -> Floats:
        """The weight of every n-gram, from the guides."""
        return weights_of([self.counts(lines) for lines in self.guides.values()])

    @cached_property
    def guide_lines(self) -> dict[str, Lines]:
        """The guides as vectors."""
        return {name: weighted(self.counts(lines), self.weights) for name, lines in self.guides.items()}

    @cached_property
    def guide(self) -> Lines:
        """The mean of the guides: one vector per segment."""
        return mean_of(list(self.guide_lines.values()))

    def guide_for(self, run: str) -> Lines:
        """Return what a run is held against: never itself."""
        if self.sample.references or run not in self.guide_lines:
            return self.guide
        return mean_of([lines for name, lines in self.guide_lines.items() if name != run])

    def vectors(self, run: str, some: Index | None = None) -> Lines:
        """Return the sampled lines of a run, or some of them, as vectors."""
        counts = self.counts(self.sample.outputs[run])
        return weighted(counts if some is None else counts[some], self.weights)

    @cached_property
    def likeness(self) -> Callable[[str, str], Floats]:
        """How like one run's sampled lines are to another's, remembered for a pair and those it is held against."""
        vectors = remembered(8)(self.vectors)
        return remembered(128)(lambda one, other: vectors(one).like(vectors(other)))

    @cached_property
    def kin(self) -> tuple[ReferenceOverlap, ...]:
        """The systems that are kin to a reference."""
        return tuple(kin for kin in kin_and_copies(self.corpus, self.corpus.digest) if not kin.itself)

    @cached_property
    def own(self) -> dict[str, Floats]:
        """How like its guide every sampled line of every run is; shape (n,) each."""
        return {run: self.vectors(run).like(self.guide_for(run)) for run in self.sample.outputs}


def sampled(n: int) -> NDArray[np.int64]:
    """Return the numbers of the segments that checks of likeness look at: all, or stretches from start to end."""
    if n <= MOST_SEGMENTS:
        return np.arange(n)
    length = MOST_SEGMENTS // STRETCHES
    starts = np.linspace(0, n - length, STRETCHES).astype(np.int64)
    return np.unique((starts[:, None] + np.arange(length)).ravel())
