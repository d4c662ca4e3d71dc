"""Joining: texts that name their segments go in, the same texts in one order come out; none is dropped or made up."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from mtsig.corpus import Note
from mtsig.errors import AlignmentError
from mtsig.readers.part import Part

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
    _check(guide, part, wanted, given)
    missing = [key for key in wanted if key not in at]
    notes = part.notes
    if missing:
        text = f"{part.label} lacks {len(missing)} of {len(wanted)} segments, the first being {_said(missing[0])}."
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


def _check(guide: Part, part: Part, wanted: Sequence[Key], given: Sequence[Key]) -> None:
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
            f"{has.label} has {len(keys)} segments that {lacks.label} lacks, the first being {_said(keys[0])}. Every "
            "system needs an output for every segment; leave out the text that is incomplete."
        )


def _said(key: Key) -> str:
    document, segment = key
    return f"segment {segment}" if document is None else f"segment {segment} of document {document!r}"
