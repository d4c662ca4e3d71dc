"""Locating and joining: segments as files name them go in, their positions or one order of them come out."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import cached_property
from itertools import chain, groupby, pairwise
from typing import Literal, TypeAlias

import numpy as np

from mtsig._limits import most_numbered, normalized, refuse_above
from mtsig._records import Index
from mtsig.corpus import Note
from mtsig.corpus._notes import number_of, quoted
from mtsig.errors import AlignmentError, ReadError
from mtsig.readers._parts import Part, unequal_paragraphs
from mtsig.readers._scored import REFERENCE, SOURCE, Scored
from mtsig.readers._sheet import Place

_OFFSETS = (0, 1, -1)
"""Rows of ESA count from 0; a first line that is no segment (a canary) may stand on either side only."""


@dataclass(frozen=True)
class Layout:
    """The segments of a corpus: how many, and the document and the id of each when known; their texts.

    in_one_order: whether all files have their segments in one order. of_task: whether the ids are those of a benchmark.
    """

    n: int
    documents: tuple[str, ...] | None = None
    items: tuple[str, ...] | None = None
    outputs: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    sources: Sequence[str] | None = None
    references: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    in_one_order: bool = True
    of_task: bool = False

    def of(self, row: int, names: Sequence[str]) -> tuple[str, Sequence[str | None] | None]:
        """Return what the texts of a row of scores are called here, and these texts; None where they are not known."""
        if row == SOURCE:
            return "the source", self.sources
        if row == REFERENCE:
            return "the reference", next(iter(self.references.values())) if len(self.references) == 1 else None
        name = names[row] if row < len(names) else ""
        return name, self.outputs.get(name)

    def places_of(self, texts: Sequence[str | None]) -> Mapping[str, list[int]]:
        """Return where the texts of one system, or of the source, stand, by `bare_text`; made once for all raters."""
        found = self._places.setdefault(id(texts), defaultdict(list))
        if not found:
            for position, text in enumerate(texts):
                found[bare_text(text)].append(position)
        return found

    @cached_property
    def _places(self) -> dict[int, dict[str, list[int]]]:
        return {}

    @cached_property
    def of_document(self) -> Mapping[str, list[int]]:
        """Return the positions of each document's segments."""
        segments: dict[str, list[int]] = defaultdict(list)
        for position, document in enumerate(self.documents or ()):
            segments[document].append(position)
        return segments

    def called_so(self, document: str) -> str:
        """Return the only document whose id ends, or begins to, in the same name; the id itself without one."""
        last = re.split(r"_#+_", document)[-1]
        known = [own for own in self.of_document if re.split(r"_#+_", own)[-1] == last]
        return known[0] if len(known) == 1 else document

    @cached_property
    def of_item(self) -> Mapping[str, int]:
        """Return the position of every id."""
        return {item: position for position, item in enumerate(self.items or ())}

    @cached_property
    def of_number(self) -> Mapping[int, int]:
        """Return the position of every id, where all are numbers; these are counted from 1, or the least."""
        numbers = [int(item) for item in self.items or () if _NUMBER.fullmatch(item)]
        first = min(numbers, default=1)
        found = {number + (first == 0): position for position, number in enumerate(numbers)}
        return found if len(found) == self.n else {}

    @cached_property
    def by_documents(self) -> list[int]:
        """Return the positions of the segments when the documents are sorted by their ids."""
        documents = self.documents or ()
        return sorted(range(len(documents)), key=lambda position: documents[position])


_NUMBER = re.compile(r"[0-9]{1,15}")

_LAST = re.compile(
    r"(?P<document>.*?\w)(?:_#+_|[\s:./|#,;_@&\[(-]+)(?:seg|segment|line|s|par|p)?[_:.=-]?(?P<index>\d{1,15})[\])]?",
    re.IGNORECASE,
)
"""An id of a segment: that of its document, and its number in it."""

_OTHERWISE = tuple(map(re.compile, (
    r"(?:[^\W\d_]{1,9}[_-]?)?(?P<index>\d{1,15})[\W_]+(?P<document>.+)",
    r"(?P<document>.*\w)[\W_]+[^\W_]+",
    r"(?P<document>.*[^\W\d]\D*)(?<!\d)\d+\D*",
    r"(?P<document>.*\w)[\W_]+[^\W_]+[\W_]+[^\W_]+",
)))  # fmt: skip
"""Other ids, which tell documents where the segments of each stand together: 3_doc, doc_b, doc-p1-s3."""

_FEWEST = 6
"""Segments from which on it is told whether every one of them has a document of its own."""


def shared_documents(ids: Sequence[str]) -> tuple[tuple[str, ...] | None, list[Note]]:
    """Return the documents that ids tell, and what is to be said: ids may name every segment apart.

    Then the part before a last number is the document, where several segments share it; else no documents are known.
    """
    named_so = bool(ids) and all(len(re.findall("_#+_", one)) > 2 and one[-1].isdigit() for one in ids)
    if len(ids) >= _FEWEST and 1 < len(set(ids)) < len(ids) == len([*groupby(ids)]):
        said = f"No two neighbouring segments have the same document id; the first id is {ids[0]!r}."
        return tuple(ids), [Note("warning", f"{said} If these are ids of segments, give the ids of documents instead.")]
    if (len(ids) < _FEWEST and not named_so) or len(set(ids)) < len(ids):
        return tuple(ids), []
    for pattern in (_LAST, *_OTHERWISE):
        found = [pattern.fullmatch(one) for one in ids]
        documents = tuple(re.sub(r"\s+", "/", match["document"]) for match in found if match)
        together = pattern is _LAST or len([*groupby(documents)]) == len(set(documents))
        several = (named_so and pattern is _LAST) or (1 < len(set(documents)) <= len(ids) / 2 and together)
        if len(documents) == len(ids) and several:
            text = (
                f"Every segment has a different document id, such as {ids[0]!r}. Segments that share the beginning of "
                f"the id were used as one document, such as {documents[0]!r}: {len(set(documents)):,} documents."
            )
            return documents, [Note("note", text)]
    text = (
        f"Every segment has a different document id, such as {ids[0]!r}, and the ids have no common part. So documents "
        "are unknown. If there are documents, give the document id of each segment, one per line."
    )
    return None, [Note("note", text)]


def located(scored: Scored, layout: Layout, names: Sequence[str] = ()) -> tuple[Index, list[Note]]:
    """Return the position in the corpus, from 0, of every place of a file, and what is to be said of it.

    Where the file has the outputs that were rated, these are compared with the corpus's, and scores are joined by text
    where places disagree. names: what the systems of the file are called in the corpus.
    """
    rated = _rated_texts(scored, layout, names)
    try:
        at = _positions(scored, layout)
    except ReadError:
        joined_at = _by_text(rated, len(scored.places), {})
        if joined_at is None:
            raise
        at, said = joined_at, "numbers its segments differently from the other files"
    else:
        other = [own for own in rated if not own.is_at(at[own.place])]
        if not other:
            whose = {"the source": "sources", "the reference": "references"}
            notes = [
                Note("note", f"{scored.label}: its texts match the {whose.get(own.system, 'outputs')}.")
                for own in rated[:1]
            ]
            if scored.guessed and not rated:
                text = f"{scored.label}: its texts are not outputs of a system here, so they were not compared."
                notes = [Note("note", text)]
            if not rated and _are_ids(scored, layout):
                level: Literal["note", "warning"] = "warning" if layout.of_task else "note"
                text = f"{scored.label}: its numbers of segments were read as the ids of the segments, "
                why = "which are in another order in the files of texts." + _PLACES_INSTEAD * layout.of_task
                notes = [Note(level, f"{text}{why}")]
            return np.array(at, dtype=np.int64), notes
        joined_at = _by_text(rated, len(scored.places), dict(enumerate(at)))
        if joined_at is None:
            near = [own for own in other if own.is_near(at[own.place])]
            if len(near) < len(other):
                raise ReadError(_other_texts(scored, [own for own in other if own not in near], at, layout, len(rated)))
            text = f"{scored.label}: {len(near):,} of {len(rated):,} texts differ a little from the outputs here"
            line = scored.places[near[0].place].line
            notes = [Note("warning", f"{text}, first on line {line}. Do these scores belong to an earlier version?")]
            return np.array(at, dtype=np.int64), notes
        at, said = joined_at, "has its segments in another order"
    return np.array(at, dtype=np.int64), [Note("note", f"{scored.label} {said}, so its scores were matched by text.")]


@dataclass(frozen=True)
class _RatedText:
    """An output that was rated: of which system, at which place of its file, and where that system has such a text."""

    system: str
    place: int
    text: str
    outputs: Sequence[str | None]
    found: Sequence[int]

    def is_at(self, position: int) -> bool:
        """Return whether the system has this text there."""
        return position in self.found or bare_text(self.outputs[position]) == bare_text(self.text)

    def is_near(self, position: int) -> bool:
        """Return whether the system has nearly this text there."""
        own, here = bare_text(self.text)[:_COMPARED], bare_text(self.outputs[position])[:_COMPARED]
        return bool(SequenceMatcher(None, own, here, autojunk=False).ratio() >= _NEAR)


_COMPARED, _NEAR = 500, 0.9
"""Letters that are compared, and the share of common ones from which on a text is the same but for small changes."""


def bare_text(text: str | None) -> str:
    """Return a text for comparison: its letters and digits, small; of a text without any, what there is."""
    whole = normalized("NFKC", _ENTITY.sub("", text or ""))
    return "".join(filter(str.isalnum, whole.casefold())) or "".join(whole.split())


_ENTITY = re.compile(r"&(?:[a-z]{2,6}|#\d{1,6});")


def _rated_texts(scored: Scored, layout: Layout, names: Sequence[str]) -> list[_RatedText]:
    """Return the outputs that were rated of systems whose outputs are here."""
    rated = []
    for (row, place), text in scored.texts.items():
        name, outputs = layout.of(row, names)
        if outputs is not None:
            found = layout.places_of(outputs).get(bare_text(text), ())
            rated.append(_RatedText(name, place, text, outputs, found))
    if scored.guessed:
        known = [layout.places_of(lines) for lines in layout.outputs.values()]
        alike = sum(any(bare_text(own.text) in own_places for own_places in known) for own in rated)
        return rated if 2 * alike > len(rated) else []
    return rated


def _by_text(rated: Sequence[_RatedText], places: int, known: Mapping[int, int]) -> list[int] | None:
    """Return the position of every place by the texts that were rated there; None where these do not tell it.

    known: the positions that places have by their numbers; they are kept where a text stands there, too.
    """
    found: dict[int, set[int]] = {}
    for own in rated:
        found[own.place] = found.get(own.place, set(own.found)) & set(own.found)
    if len(found) < places or not all(found.values()):
        return None
    at = [known[k] if known.get(k) in found[k] else min(found[k]) for k in range(places)]
    unclear = any(len(found[k]) > 1 and known.get(k) not in found[k] for k in range(places))
    return None if unclear or len(set(at)) < places else at


def _other_texts(scored: Scored, other: Sequence[_RatedText], at: Sequence[int], layout: Layout, count: int) -> str:
    """Return what is said where texts that were rated are others than the outputs, and cannot be joined to them."""
    first = other[0]
    lines = list(dict.fromkeys(scored.places[own.place].line for own in other))
    told = [f"line {line}" for line in lines] if len(lines) > 1 else [scored.places[own.place].text for own in other]
    told = list(dict.fromkeys(told))
    there, here = quoted(first.text), f"segment {at[first.place] + 1} here is {quoted(first.outputs[at[first.place]])}"
    is_system = first.system in layout.outputs
    said = (
        f"{scored.label}, line {lines[0]}: {first.system} {'was rated for' if is_system else 'is'} {there}, but "
        f"{'its output for' if is_system else 'that of'} {here}. {len(other):,} of {count:,} texts differ "
        f"({', '.join(told[:5])}{', …' if len(told) > 5 else ''})"
    )
    whose = [
        name for name, outputs in layout.outputs.items()
        if name != first.system and all(bare_text(outputs[at[own.place]]) == bare_text(own.text) for own in other
                                        if own.system == first.system)
    ]  # fmt: skip
    if whose:
        return f"{said}: they are the outputs of {whose[0]}. Were names swapped? Correct them in one of the files."
    return f"{said} and cannot be matched by text. Rate these outputs, or give the outputs that were rated."


_PLACES_INSTEAD = " If they count the lines of a log, add the outputs that were scored, in a column output."


def _are_ids(scored: Scored, layout: Layout) -> bool:
    """Return whether a column numbers segments as ids do that do not simply count them."""
    if scored.counts_from is None or scored.places[0].document is not None:
        return False
    known = layout.of_number
    counted = layout.in_one_order and all(number == position + 1 for number, position in known.items())
    return not counted and all(place.number in known for place in scored.places)


def _positions(scored: Scored, layout: Layout) -> list[int]:
    first = scored.places[0]
    if first.number is not None and _are_ids(scored, layout):
        return [layout.of_number[place.number or 0] for place in scored.places]
    if first.number is not None and first.document is None and not layout.in_one_order:
        raise ReadError(
            f"{scored.label} has scores in the order of segments, but the files of texts have their segments in "
            "different orders. Add the outputs that were scored, in a column output, or give all files the same order."
        )
    if first.item is not None:
        if layout.documents is None and (numbers := _of_one_document(scored.places)) is not None:
            return [
                _within(scored, place, number, layout.n) for place, number in zip(scored.places, numbers, strict=True)
            ]
        return [_of_item(scored, place, str(place.item), layout) for place in scored.places]
    if first.by_documents is not None:
        return [_sorted(scored, place, layout) for place in scored.places]
    if first.row is not None:
        return _rows(scored, layout)
    if first.document is not None and first.index is not None:
        if layout.documents is not None and first.number is None and not _fit_documents(scored.places, layout):
            whole = [replace(place, number=place.index) for place in scored.places]
            if _global(whole, layout):  # numbers count over the whole test set
                return [_within(scored, place, place.index, layout.n) for place in scored.places]
        if layout.documents is not None and (first.number is None or first.document in layout.of_document):
            return [_in_document(scored, place, place.index, layout) for place in scored.places]
        if first.number is None:
            raise ReadError(_needs_documents(scored, "names documents and numbers segments within them"))
    elif first.document is not None and layout.documents is not None and not _global(scored.places, layout):
        return [_in_document(scored, place, place.number, layout) for place in scored.places]
    return [_within(scored, place, place.number, layout.n) for place in scored.places]


def _fit_documents(places: Sequence[Place], layout: Layout) -> bool:
    """Return whether every number is that of a segment of its document."""
    return all((place.index or 0) <= len(layout.of_document.get(place.document or "", ())) for place in places)


def _needs_documents(scored: Scored, why: str) -> str:
    return f"{scored.label} {why}, but the document ids are unknown here. Give them in docids.txt, one per line."


def _within(scored: Scored, place: Place, number: int | None, n: int) -> int:
    if number is None or not 1 <= number <= n:
        raise ReadError(
            f"{scored.label}, line {place.line}: {place.text}, but there are only {n:,} segments. Do these scores "
            "belong to another test set, or are its texts incomplete? Give the two that belong together."
        )
    return number - 1


def _of_one_document(places: Sequence[Place]) -> list[int] | None:
    """Return the numbers, from 1, of items that WMT's ids put into one document; None where they do not."""
    told = [_LAST.fullmatch(place.item or "") for place in places if "_#" in (place.item or "")]
    found = [match for match in told if match]
    one = len(found) == len(places) and len({match["document"] for match in found}) == 1
    return [int(match["index"]) + 1 for match in found] if one else None


def _of_item(scored: Scored, place: Place, item: str, layout: Layout) -> int:
    told = _LAST.fullmatch(item) if "_#" in item else None
    if item not in layout.of_item and told is not None and layout.documents is not None:
        # WMT's ids: the number of the paragraph, from 0, behind the document.
        within = replace(place, document=layout.called_so(told["document"]))
        return _in_document(scored, within, int(told["index"]) + 1, layout)
    if layout.items is None:
        raise ReadError(
            f"{scored.label} identifies items by their ids, but the other files here do not. Load the logs of a task "
            f"separately from other files."
        )
    if item not in layout.of_item:
        raise ReadError(
            f"{scored.label}, line {place.line}: {place.text} is not among the {layout.n:,} here. Do these scores "
            "belong to another test set? Leave them out, or give the texts that they are of."
        )
    return layout.of_item[item]


def check_items(held: Mapping[str, Sequence[str]]) -> None:
    """Check that files which tell items by their ids have the same ones.

    held: file -> the ids of its items.
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
                    "system must be tested on the same items. Run it again on all items (perhaps --limit was "
                    "different), or leave out the incomplete run."
                )


_SHOWN = 10
"""Ids that a message lists."""


def _in_document(scored: Scored, place: Place, index: int | None, layout: Layout) -> int:
    document = place.document or ""
    if document not in layout.of_document:
        document = layout.called_so(document)
    if document not in layout.of_document:
        known = list(layout.of_document)
        raise ReadError(
            f"{scored.label}, line {place.line}: the document {document!r} is not among the {len(known)} here "
            f"({', '.join(known[:3])}, …). Use the same ids, or leave the scores out."
        )
    positions = layout.of_document[document]
    if index is None or not 1 <= index <= len(positions):
        raise ReadError(
            f"{scored.label}, line {place.line}: segment {index} of document {document!r}, which has {len(positions)} "
            "segments here. Number the segments of each document from 1, or give all of its texts."
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
    unknown = documents is None or scored.places[0].document is None
    if unknown and min(rows) > 0 and max(rows) == layout.n:
        raise ReadError(
            f"{scored.label}: its items go up to {layout.n:,}, for {layout.n:,} segments, and none is 0. Do they count "
            "from 1? Appraise counts from 0: subtract 1 from each, or add the documents."
        )
    if scored.places[0].document is None and scored.rater is not None and max(rows) + 1 < layout.n:
        raise ReadError(
            f"{scored.label}: several raters have items from {min(rows)} to {max(rows)}, for {layout.n} segments, but "
            "no documents. Does the numbering begin again in every batch? Every segment of the test set needs its own "
            "id. Export the documents with the scores, or give a table with the columns system, segment, rater and "
            "score."
        )
    if documents is None or unknown:
        return [_within(scored, place, row + 1, layout.n) for place, row in zip(scored.places, rows, strict=True)]
    for offset in _OFFSETS:
        at = [row + offset for row in rows]
        if all(
            0 <= index < layout.n and documents[index] == place.document
            for index, place in zip(at, scored.places, strict=True)
        ):
            return at
    if all(place.document in layout.of_document for place in scored.places):
        for first in (0, 1):
            within = [(layout.of_document[place.document or ""], row - first)
                      for place, row in zip(scored.places, rows, strict=True)]  # fmt: skip
            if all(0 <= index < len(positions) for positions, index in within):
                return [positions[index] for positions, index in within]
    for place, row in zip(scored.places, rows, strict=True):
        number = _within(scored, place, row + 1, layout.n)
        if documents[number] != place.document:
            raise ReadError(
                f"{scored.label}, line {place.line}: item {row} belongs to document {place.document!r} in this file "
                f"and to {documents[number]!r} in the test set. Are these the same segments? Give the scores "
                "of these texts."
            )
    raise ReadError(
        f"{scored.label}: its items do not match the documents here. Are these the same segments? "
        "Give the scores of these texts."
    )


def check_rated_alike(all_scored: Sequence[Scored]) -> None:
    """Check that files which place scores alike rated the same texts there, where no text tells which is right."""
    seen: dict[tuple[object, ...], tuple[Scored, int, str]] = {}
    for scored in all_scored:
        for (row, at), text in scored.texts.items():
            key = scored.systems[row] if row >= 0 else row, *scored.places[at].key
            other, line, before = seen.setdefault(key, (scored, scored.places[at].line, text))
            if before != text and other.label != scored.label and bare_text(before) != bare_text(text):
                raise ReadError(
                    f"{scored.label}, line {scored.places[at].line}: {scored.places[at].text} of {key[0]} is "
                    f"{quoted(text)}, but {quoted(before)} in {other.label}, line {line}. Give files of one test set "
                    "only, or the outputs that were rated."
                )


def layout_of(all_scored: Sequence[Scored]) -> Layout:
    """Return the segments that files of scores speak of, for corpora that have nothing else."""
    items = dict.fromkeys(place.item for scored in all_scored for place in scored.places if place.item is not None)
    if items:
        told = [_LAST.fullmatch(item) if "_#" in item else None for item in items]  # WMT's ids: the document, a number
        documents = tuple(match["document"] for match in told if match)
        return Layout(len(items), documents if len(documents) == len(items) else None, tuple(items))
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
        places = [place for scored in all_scored for place in scored.places if place.document is not None]
        of = {place.number: place.document for place in places}
        whole = sorted(of, key=lambda number: number or 0) == [*range(1, n + 1)]
        agreed = whole and len({(place.number, place.document) for place in places}) == n
        return Layout(n, tuple(of[number] or "" for number in range(1, n + 1)) if agreed else None)
    raise ReadError(
        f"{all_scored[0].label} does not show which segments exist. Give the texts it belongs to, or the "
        "document ids (docids.txt, one per line)."
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

    A reference may lack segments: it gets None there. Parts that name no segments run by line, and stay as they are;
    beside these, the others are in the order of ids that count all segments.
    """
    parts = _same_paragraphs(parts)
    if any(part.role in _ORDER and part.lines is not None and not _keys(part) for part in parts):
        parts = [_counted(part) if part.role in _ORDER and not _has_documents(part) else part for part in parts]
    for with_documents in (True, False):
        named = [part for part in parts if _keys(part) and _has_documents(part) == with_documents]
        if len(named) > 1:
            guide = min(named, key=lambda part: (-len(part.lines or ()), _ORDER.get(part.role, 3)))
            parts = [
                _like(guide, part) if _keys(part) and _has_documents(part) == with_documents else part for part in parts
            ]
    return list(parts)


def _counted(part: Part) -> Part:
    """Return the part in the order of its ids, where these count all of its segments."""
    ids = [key for _, key in _keys(part)]
    numbers = [int(found[-1]) for key in ids if (found := _NUMBER.findall(key))]
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    whole = len(numbers) == len(ids) > 1 and len({_NUMBER.sub("0", key) for key in ids}) == 1
    if not whole or numbers[order[0]] > 1 or numbers[order[-1]] - numbers[order[0]] != len(ids) - 1:
        return part
    if order == sorted(order) or len(set(numbers)) < len(numbers):
        return part
    text = f"{part.label} was sorted by its ids, because other texts have none and run by line."
    lines = tuple((part.lines or ())[at] for at in order)
    return replace(
        part, lines=lines, about=part.about and part.about.take(order), notes=(*part.notes, Note("warning", text))
    )


def in_one_order(parts: Sequence[Part]) -> bool:
    """Return whether all parts that name their segments have these in one order."""
    named = [keys for part in parts if (keys := _keys(part))]
    longest = max(named, key=lambda keys: len(keys), default=[])
    at = {key: number for number, key in enumerate(longest)}
    return all(a < b for keys in named for a, b in pairwise(at[key] for key in keys if key in at))


def _same_paragraphs(parts: Sequence[Part]) -> list[Part]:
    """Return the parts with each document in one segment that has another number of paragraphs in one than in another.

    Outputs of whole documents have paragraphs of their own.
    """
    counts = {
        id(part): Counter(part.about.documents) for part in parts
        if part.about is not None and part.about.paragraphs and part.about.documents is not None
    }  # fmt: skip
    whole = [name for name in dict.fromkeys(chain.from_iterable(counts.values()))
             if len({own[name] for own in counts.values() if name in own}) > 1]  # fmt: skip
    if not whole:
        return list(parts)
    unequal, said = set(whole), [unequal_paragraphs(whole)]
    return [_whole_documents(part, unequal, said) if id(part) in counts else part for part in parts]


def _whole_documents(part: Part, whole: Set[str], said: list[Note]) -> Part:
    """Return the part with the paragraphs of these documents put together; the first takes what is said along."""
    documents = part.about.documents if part.about is not None and part.about.documents is not None else ()
    texts: dict[str, list[str | None]] = {}
    for name, line in zip(documents, part.lines or (), strict=True):
        texts.setdefault(name, []).append(line)
    kept = [at for at, name in enumerate(documents) if name not in whole or at == documents.index(name)]
    lines = [
        "\n\n".join(line or "" for line in texts[documents[at]]) if documents[at] in whole else (part.lines or ())[at]
        for at in kept
    ]
    notes = (*part.notes, *(said.pop() for _ in said[:1]))
    return replace(part, lines=tuple(lines), about=part.about and part.about.take(kept), notes=notes)


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
        text = f"{part.label} has its segments in a different order from {guide.label}; they were matched by their ids."
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
            f"{part.label} and {guide.label} have different ids for their segments, and some ids occur twice. So the "
            "segments cannot be matched. Give both with the same ids, or as line files in the same order."
        )
    extra = [key for key in given if key not in known]
    missing = [] if part.role == "reference" else [key for key in wanted if key not in own]
    if extra or missing:
        has, lacks, keys = (part, guide, extra) if extra else (guide, part, missing)
        raise AlignmentError(
            f"{has.label} has {number_of(len(keys), 'segment')} that {lacks.label} lacks, the first being "
            f"{_named(keys[0])}. Every system needs an output for every segment. Omit the incomplete text."
        )


def _named(key: Key) -> str:
    document, segment = key
    return f"segment {segment}" if document is None else f"segment {segment} of document {document!r}"
