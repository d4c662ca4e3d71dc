"""mt-metrics-eval's folders: sources, references, documents and system outputs of one or several language pairs."""

import re
from collections.abc import Sequence
from dataclasses import replace

from mtsig.corpus import Note
from mtsig.errors import ReadError
from mtsig.readers.files import lines_of
from mtsig.readers.names import reference_name
from mtsig.readers.part import Part, ignored, loaded, rating_parts, whole_systems
from mtsig.readers.reader import Placed, Reader

_FORM = "mt-metrics-eval"
OUTPUTS = "system-outputs"
_SCORES = {"human-scores", "metric-scores"}
_PAIR = r"(?P<pair>[A-Za-z_]+-[A-Za-z_]+)"
_PLACES = {
    "sources": re.compile(rf"{_PAIR}\.txt"),
    "references": re.compile(rf"{_PAIR}\.(?P<name>.+)\.txt"),
    "documents": re.compile(rf"{_PAIR}\.docs"),
    OUTPUTS: re.compile(rf"{_PAIR}/(?P<name>.+)\.txt"),
    "human-scores": re.compile(rf"{_PAIR}\..+\.seg\.score"),
    "metric-scores": re.compile(rf"{_PAIR}/.+\.seg\.score"),
}
"""Folder -> what the names of its files look like."""

_OF_SYSTEMS = re.compile(rf"{_PAIR}[./].+\.sys\.score")
"""Scores of whole systems, of people or of a metric."""

PLACES = frozenset(_PLACES)


def claims(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
    """Return the files in folders of this layout, provided that there are outputs sorted by language pair."""
    del alone
    if not any(_match(placed, OUTPUTS) for placed in files):
        return []
    return [placed for placed in files if placed.folder and placed.folder[0] in _PLACES]


def parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return the texts; a reference that is copied among the outputs, to be scored as a system, is left out of them."""
    parts_by_file = [_parts(placed) for placed in files]
    references = {
        (part.language_pair, part.name): part.lines
        for several in parts_by_file
        for part in several
        if part.role == "reference" and part.lines
    }
    return [[_left_out(part) if _is_copy(part, references) else part for part in several] for several in parts_by_file]


def _match(placed: Placed, place: str) -> re.Match[str] | None:
    if not placed.folder or placed.folder[0] != place:
        return None
    return _PLACES[place].fullmatch("/".join((*placed.folder[1:], placed.name)))


def _parts(placed: Placed) -> list[Part]:
    place = placed.folder[0]
    match = _match(placed, place)
    whole = _OF_SYSTEMS.fullmatch("/".join((*placed.folder[1:], placed.name))) if place in _SCORES else None
    if whole is not None:
        return [replace(whole_systems(placed.file, f"{_FORM}, scores of whole systems"), language_pair=whole["pair"])]
    if match is None:
        return [ignored(placed.file, f"{_FORM}, scores of whole systems" if place in _SCORES else "")]
    pair = match["pair"]
    if place in _SCORES:
        return [replace(part, form=_FORM, language_pair=pair) for part in rating_parts(placed.rating)]
    if place == "documents":
        return _documents(placed, pair)
    if place == OUTPUTS:
        part = Part(placed.file.label, "system", match["name"])
    elif place == "references":
        part = Part(placed.file.label, "reference", reference_name(match["name"]))
    else:
        part = Part(placed.file.label, "source", "source")
    return [loaded(replace(part, file=placed.file, form=_FORM, language_pair=pair))]


def _documents(placed: Placed, pair: str) -> list[Part]:
    """Return domains and documents, which stand side by side in one file."""
    whole = Part(placed.file.label, "documents", "documents", form=_FORM, language_pair=pair)
    try:
        lines, notes = lines_of(placed.file)
        rows = [line.split("\t") for line in lines]
        for number, row in enumerate(rows, 1):
            if len(row) != 2:
                raise ReadError(
                    f"{placed.file.label}, line {number}: found {len(row)} columns; expected two, domain and document, "
                    "separated by a tab."
                )
    except ReadError as error:
        return [replace(whole, problem=str(error))]
    domains = replace(
        whole,
        label=f"{placed.file.label}, first column",
        role="domains",
        name="domains",
        lines=tuple(r[0] for r in rows),
    )
    return [replace(whole, lines=tuple(row[1] for row in rows), notes=notes), domains]


def _is_copy(part: Part, references: dict[tuple[str | None, str], tuple[str | None, ...]]) -> bool:
    return part.role == "system" and references.get((part.language_pair, reference_name(part.name))) == part.lines


def _left_out(part: Part) -> Part:
    text = f"{part.label} is a copy of reference {part.name!r}, there to be scored as a system; it was left out."
    return replace(part, role="ignored", notes=(*part.notes, Note("note", text)))


MT_METRICS_EVAL = Reader(
    "mt-metrics-eval's folders: sources, references, documents, system-outputs/LP, human-scores, metric-scores",
    claims,
    parts,
)
