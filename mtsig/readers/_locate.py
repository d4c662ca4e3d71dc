"""Locating and joining: segments as files name them go in, their positions or one order of them come out."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from mtsig._records import Index
from mtsig.corpus import Note
from mtsig.errors import AlignmentError, ReadError
from mtsig.limits import most_numbered, refuse_above
from mtsig.readers._parts import Part
from mtsig.readers._scored import Scored
from mtsig.readers._sheet import Place

_OFFSETS = (0, 1, -1)
"""Rows of ESA count from 0; a first line that is no segment (a canary) may stand on either side only."""


@dataclass(frozen=True)
class Layout:
    """The segments of a corpus: how many, and the document and the id of each when known."""

    n: int
    documents: tuple[str, ...] | None = None
    items: tuple[str, ...] | None = None

    @cached_property
    def of_document(self) -> Mapping[str, list[int]]:
        """Return the positions of each document's segments."""
        segments: dict[str, list[int]] = defaultdict(list)
        for position, document in enumerate(self.documents or ()):
            segments[document].append(position)
        return segments

    @cached_property
    def of_item(self) -> Mapping[str, int]:
        """Return the position of every id."""
        return {item: position for position, item in enumerate(self.items or ())}

    @cached_property
    def by_documents(self) -> list[int]:
        """Return the positions of the segments when the documents are sorted by their ids."""
        documents = self.documents or ()
        return sorted(range(len(documents)), key=lambda position: documents[position])


def located(scored: Scored, layout: Layout) -> Index:
    """Return the position in the corpus, from 0, of every place of a file.

    Raises:
        ReadError: a place is not in the corpus (it names file and line), or the corpus has no document ids to find it.
    """
    return np.array(_positions(scored, layout), dtype=np.int64)


def _positions(scored: Scored, layout: Layout) -> list[int]:
    first = scored.places[0]
    if first.item is not None:
        return [_of_item(scored, place, str(place.item), layout) for place in scored.places]
    if first.by_documents is not None:
        return [_sorted(scored, place, layout) for place in scored.places]
    if first.row is not None:
        return _rows(scored, layout)
    if first.document is not None and first.index is not None:
        if layout.documents is not None and (first.number is None or first.document in layout.of_document):
            return [_in_document(scored, place, place.index, layout) for place in scored.places]
        if first.number is None:
            raise ReadError(_needs_documents(scored, "names documents and numbers segments within them"))
    elif first.document is not None and layout.documents is not None and not _global(scored.places, layout):
        return [_in_document(scored, place, place.number, layout) for place in scored.places]
    return [_within(scored, place, place.number, layout.n) for place in scored.places]


def _needs_documents(scored: Scored, why: str) -> str:
    return f"{scored.label} {why}, and the document ids are not known here. Give them: docids.txt, one a line."


def _within(scored: Scored, place: Place, number: int | None, n: int) -> int:
    if number is None or not 1 <= number <= n:
        raise ReadError(
            f"{scored.label}, line {place.line}: {place.text}, but there are only {n:,} segments. Are these scores of "
            "another test set, or are its texts cut off?"
        )
    return number - 1


def _of_item(scored: Scored, place: Place, item: str, layout: Layout) -> int:
    if layout.items is None:
        raise ReadError(
            f"{scored.label} tells items by their ids, and the other files here do not. Give logs of one task "
            "together, and other files apart from them."
        )
    if item not in layout.of_item:
        raise ReadError(f"{scored.label}, line {place.line}: {place.text} is not among the {layout.n:,} here.")
    return layout.of_item[item]


def check_items(held: Mapping[str, Sequence[str]]) -> None:
    """Check that files which tell items by their ids have the same ones.

    held: file -> the ids of its items.

    Raises:
        AlignmentError: they do not; the message names the files, and counts and lists what one lacks.
    """
    guide = max(held, key=lambda label: len(held[label]), default="")
    for label in held:
        for has, lacks in ((guide, label), (label, guide)):
            known = set(held[lacks])
            missing = [item for item in held[has] if item not in known]
            if missing:
                shown = ", ".join(missing[:_SHOWN]) + (", …" if len(missing) > _SHOWN else "")
                raise AlignmentError(
                    f"{lacks} lacks {len(missing):,} of the {len(held[has]):,} items that {has} has: {shown}. Every "
                    "system has to be asked the same items: run it again on all of them (was --limit another?), or "
                    "leave out the run that is incomplete."
                )


_SHOWN = 10
"""Ids that a message lists."""


def _in_document(scored: Scored, place: Place, index: int | None, layout: Layout) -> int:
    document = place.document or ""
    if document not in layout.of_document:
        known = list(layout.of_document)
        raise ReadError(
            f"{scored.label}, line {place.line}: the document {document!r} is not among the {len(known)} here "
            f"({', '.join(known[:3])}, …)."
        )
    positions = layout.of_document[document]
    if index is None or not 1 <= index <= len(positions):
        raise ReadError(
            f"{scored.label}, line {place.line}: segment {index} of document {document!r}, which has {len(positions)}."
        )
    return positions[index - 1]


def _sorted(scored: Scored, place: Place, layout: Layout) -> int:
    if layout.documents is None:
        raise ReadError(_needs_documents(scored, "numbers segments in the order of sorted documents"))
    return layout.by_documents[_within(scored, place, place.by_documents, layout.n)]


def _global(places: Sequence[Place], layout: Layout) -> bool:
    """Return whether numbers count over the whole test set: then every one falls into the document beside it."""
    documents = layout.documents or ()
    return all(
        place.number is not None and place.number <= layout.n and documents[place.number - 1] == place.document
        for place in places
    )


def _rows(scored: Scored, layout: Layout) -> list[int]:
    """Return the positions of rows that count from 0; the documents tell whether a first line was counted along."""
    rows = [place.row or 0 for place in scored.places]
    documents = layout.documents
    if documents is None:
        return [_within(scored, place, row + 1, layout.n) for place, row in zip(scored.places, rows, strict=True)]
    for offset in _OFFSETS:
        at = [row + offset for row in rows]
        if all(
            0 <= index < layout.n and documents[index] == place.document
            for index, place in zip(at, scored.places, strict=True)
        ):
            return at
    for place, row in zip(scored.places, rows, strict=True):
        number = _within(scored, place, row + 1, layout.n)
        if documents[number] != place.document:
            raise ReadError(
                f"{scored.label}, line {place.line}: item {row} belongs to document {place.document!r} there and to "
                f"{documents[number]!r} here; are these the same segments?"
            )
    raise ReadError(f"{scored.label}: its items do not fall into the documents here; are these the same segments?")


def layout_of(all_scored: Sequence[Scored]) -> Layout:
    """Return the segments that files of scores speak of, for corpora that have nothing else.

    Raises:
        ReadError: none of them says how the segments are numbered, or a number is far above how many are rated.
    """
    items = dict.fromkeys(place.item for scored in all_scored for place in scored.places if place.item is not None)
    if items:
        return Layout(len(items), items=tuple(items))
    most = most_numbered(sum(len(scored.places) for scored in all_scored))
    lengths: dict[str, int] = {}
    n = total = 0
    for scored in all_scored:
        within = _numbered_within(scored.places)
        for place in scored.places:
            index = place.index if place.index is not None else place.number if within else None
            if place.document is not None and index is not None:
                before = lengths.get(place.document, 0)
                lengths[place.document] = max(before, index)
                total += lengths[place.document] - before
            elif place.number is not None:
                n = max(n, place.number)
            said = f"{scored.label}, line {place.line}: {place.text}"
            refuse_above("max_spread", max(n, total), said, what="segments by their numbers", most=most)
    if lengths:
        return Layout(sum(lengths.values()), tuple(name for name, count in lengths.items() for _ in range(count)))
    if n:
        return Layout(n)
    raise ReadError(
        f"{all_scored[0].label} does not say by itself which segments there are. Give the texts it belongs to, or the "
        "document ids (docids.txt, one a line)."
    )


def _numbered_within(places: Sequence[Place]) -> bool:
    """Return whether segments are numbered within documents: then a number stands in several of them."""
    documents: dict[int, set[str]] = defaultdict(set)
    for place in places:
        if place.document is not None and place.number is not None and place.index is None:
            documents[place.number].add(place.document)
    return any(len(names) > 1 for names in documents.values())


Key: TypeAlias = tuple[str | None, str]
"""Document and id of a segment; without document where the form knows none."""

_ORDER = {"source": 0, "reference": 1, "system": 2}


def joined(parts: Sequence[Part]) -> list[Part]:
    """Return the parts with those that name their segments brought into one order, which is the source's if it can be.

    A reference may lack segments: it gets None there. Parts that name no segments run by line, and stay as they are.

    Raises:
        AlignmentError: a text has segments that the others lack, or lacks some; the message names the first.
    """
    for with_documents in (True, False):
        named = [part for part in parts if _keys(part) and _has_documents(part) == with_documents]
        if len(named) > 1:
            guide = min(named, key=lambda part: (-len(part.lines or ()), _ORDER.get(part.role, 3)))
            parts = [
                _like(guide, part) if _keys(part) and _has_documents(part) == with_documents else part for part in parts
            ]
    return list(parts)


def _keys(part: Part) -> list[Key]:
    if part.about is None or part.about.ids is None or part.lines is None:
        return []
    documents = part.about.documents or [None] * len(part.about.ids)
    return list(zip(documents, part.about.ids, strict=True))


def _has_documents(part: Part) -> bool:
    return part.about is not None and part.about.documents is not None


def _like(guide: Part, part: Part) -> Part:
    """Return the part in the guide's order."""
    wanted, given = _keys(guide), _keys(part)
    if wanted == given:
        return part
    at = {key: number for number, key in enumerate(given)}
    _check_same(guide, part, wanted, given)
    missing = [key for key in wanted if key not in at]
    notes = part.notes
    if missing:
        text = f"{part.label} lacks {len(missing)} of {len(wanted)} segments, the first being {_named(missing[0])}."
        notes += (Note("note", text),)
    kept = [key for key in wanted if key in at]
    if [at[key] for key in kept] != sorted(at[key] for key in kept):
        text = f"{part.label} has its segments in another order than {guide.label}; they were joined by their ids."
        notes += (Note("note", text),)
    lines = part.lines or ()
    return replace(
        part,
        lines=tuple(lines[at[key]] if key in at else None for key in wanted),
        notes=notes,
        about=guide.about if missing else part.about and part.about.take([at[key] for key in wanted]),
    )


def _check_same(guide: Part, part: Part, wanted: Sequence[Key], given: Sequence[Key]) -> None:
    known, own = set(wanted), set(given)
    if len(known) < len(wanted) or len(own) < len(given):
        raise AlignmentError(
            f"{part.label} and {guide.label} name their segments differently, and some twice, so that they cannot be "
            "joined. Give both with the same ids, or as line files in the same order."
        )
    extra = [key for key in given if key not in known]
    missing = [] if part.role == "reference" else [key for key in wanted if key not in own]
    if extra or missing:
        has, lacks, keys = (part, guide, extra) if extra else (guide, part, missing)
        raise AlignmentError(
            f"{has.label} has {len(keys)} segments that {lacks.label} lacks, the first being {_named(keys[0])}. Every "
            "system needs an output for every segment; leave out the text that is incomplete."
        )


def _named(key: Key) -> str:
    document, segment = key
    return f"segment {segment}" if document is None else f"segment {segment} of document {document!r}"
