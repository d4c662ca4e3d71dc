"""SGM, as NIST's mteval has it: <srcset>, <refset> and <tstset> of documents and segments, one or several a file.

It is SGML written by hand and by scripts, not XML: names of tags in any case, attributes without quotes, bare & and <,
spaces just inside <seg>, end tags left out. What can be told is read; what was mended is noted.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mtsig.corpus import Note
from mtsig.errors import ReadError
from mtsig.readers.files import File, text_of
from mtsig.readers.names import Role, name_of, reference_name
from mtsig.readers.part import Part
from mtsig.readers.passages import Passage, texts_of
from mtsig.readers.reader import Placed, Reader, by_suffix

FORM = "SGM"
_SETS: dict[str, Role] = {"srcset": "source", "refset": "reference", "tstset": "system"}

# Attributes hold no <, so that a file of "<doc <doc <doc" is read in one pass: from every < to the next.
_TAG = re.compile(r"<(/?)(srcset|refset|tstset|doc|seg|hl|p|poster)\b([^<>]*)(>?)", re.IGNORECASE)
_TEXT = ("hl", "p", "poster")
"""Tags that hold no data of ours: without their > they are text, such as "p <p 0.05"."""
_ATTRIBUTE = re.compile(r"""([\w:.-]{1,80})\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")
_ENTITY = re.compile(r"&(amp|lt|gt|quot|apos|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
# A run of white space is taken as a whole, so that one without a line break is looked at once, not from every space.
_WHITE = re.compile(r"[ \t\r\n]+")


@dataclass
class _Place:
    """Where the reading stands: the set, the document, the segment that is open."""

    role: Role | None = None
    name: str = ""
    document: Mapping[str, str] = field(default_factory=dict)
    documents: int = 0
    segments: int = 0
    segment: str | None = None
    began: int = 0
    line: int = 0


@dataclass(frozen=True)
class _Tag:
    name: str
    closes: bool
    attributes: Mapping[str, str]
    start: int
    end: int
    ends: bool


def parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return the texts of every file; one that cannot be understood is a part with a problem."""
    return [sgm_parts(placed.file) for placed in files]


def sgm_parts(file: File) -> list[Part]:
    """Return the texts of one file: a source, references and systems, each as many as it holds."""
    try:
        text, notes = text_of(file)
        passages, mended = _passages(file, text)
        return texts_of(file, FORM, passages, [*notes, *mended])
    except ReadError as error:
        return [Part(file.label, "system", name_of(file.path.name), problem=str(error), file=file, form=FORM)]


def _tags(text: str) -> Iterator[_Tag]:
    for tag in _TAG.finditer(text):
        name, ends = tag[2].lower(), bool(tag[4])
        if name in _TEXT and not ends:
            continue
        attributes = {name.lower(): decoded(value.strip("\"'")).strip() for name, value in _ATTRIBUTE.findall(tag[3])}
        yield _Tag(name, bool(tag[1]), attributes, tag.start(), tag.end(), ends)


def _passages(file: File, text: str) -> tuple[list[Passage], list[Note]]:
    place, passages, unclosed = _Place(), [], 0
    line, counted = 1, 0
    for tag in _tags(text):
        line += text.count("\n", counted, tag.start)
        counted = tag.start
        if not tag.ends:
            raise ReadError(
                f"{file.label}, line {line}: <{'/' * tag.closes}{tag.name} has no > before the next < or the end of "
                "the file; end the tag, or write a < that is text as &lt;."
            )
        if place.segment is not None:
            unclosed += not (tag.name == "seg" and tag.closes)
            passages.append(_passage(file, place, text[place.began : tag.start]))
            place.segment = None
        _step(file, place, tag, line)
    if place.segment is not None:
        raise ReadError(
            f"{file.label}, line {place.line}: the file ends inside segment {place.segment}; it was cut off."
        )
    if not passages:
        raise ReadError(f"{file.label} holds no <seg> in a <srcset>, <refset> or <tstset>; is it SGM?")
    return passages, _mended(file, place, unclosed)


def _step(file: File, place: _Place, tag: _Tag, line: int) -> None:
    """Move on over one tag."""
    if tag.name in _SETS:
        place.role = None if tag.closes else _SETS[tag.name]
        place.name = tag.attributes.get("refid" if tag.name == "refset" else "sysid", "")
        place.document, place.documents = {}, 0
    elif tag.name == "doc":
        place.document = {} if tag.closes else tag.attributes
        place.documents += not tag.closes
        place.segments = 0
    elif tag.name == "seg" and not tag.closes:
        if place.role is None:
            raise ReadError(
                f"{file.label}, line {line}: a <seg> outside of <srcset>, <refset> and <tstset>: whose text is it?"
            )
        place.segments += 1
        place.segment = tag.attributes.get("id") or str(place.segments)
        place.began, place.line = tag.end, line


def _passage(file: File, place: _Place, text: str) -> Passage:
    document = place.document
    role = place.role or "system"
    name = place.name or document.get("sysid", "") or document.get("refid", "")
    if role == "source":
        name = "source"
    elif role == "reference":
        name = reference_name(name)
    return Passage(
        role,
        name or name_of(file.path.name),
        document.get("docid") or document.get("id") or str(place.documents),
        place.segment or "",
        _on_one_line(decoded(text).strip(" \t\r\n")),
        place.line,
        document.get("genre"),
        document.get("origlang"),
    )


def _on_one_line(text: str) -> str:
    """Return the text with a space for every line break and the white space around it; other white space stays."""
    if "\n" not in text and "\r" not in text:
        return text
    return _WHITE.sub(lambda run: run[0] if run[0].strip(" \t") == "" else " ", text)


def decoded(text: str) -> str:
    """Return the text with XML's five entities and numbered characters replaced, once.

    >>> decoded("R&amp;D &lt; AT&T &amp;lt; &#233; &nbsp;")
    'R&D < AT&T &lt; é &nbsp;'
    """
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    what = match[1]
    if what in _NAMED:
        return _NAMED[what]
    code = int(what[2:], 16) if what[1] in "xX" else int(what[1:])
    is_one = 0 < code < 0xD800 or 0xE000 <= code <= 0x10FFFF
    return chr(code) if is_one else match[0]


def _mended(file: File, place: _Place, unclosed: int) -> list[Note]:
    notes = []
    if unclosed:
        ends = "segment ends" if unclosed == 1 else "segments end"
        notes.append(
            Note("warning", f"{file.label}: {unclosed} {ends} without </seg>; the next tag was taken for the end.")
        )
    if place.role is not None:
        notes.append(Note("warning", f"{file.label} ends without closing its set; was it cut off?"))
    return notes


SGM = Reader("SGM of NIST's mteval: <srcset>, <refset>, <tstset>", by_suffix(".sgm", ".sgml"), parts)
