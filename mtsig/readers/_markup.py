"""Markup: files of SGM and XML go in, the texts of their documents and segments come out.

SGM, as NIST's mteval has it: <srcset>, <refset> and <tstset>, one or several a file. It is SGML written by hand and by
scripts, not XML: names of tags in any case, attributes without quotes, bare & and <, spaces just inside <seg>, end tags
left out. What can be told is read; what was mended is noted.

WMT's XML: <dataset> [<collection>] <doc id= origlang= [domain=] [testsuite=]> holds <src lang=>, <ref lang=
translator=> and <hyp lang= system=>, and these <seg id=>, numbered anew in every document.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol
from xml.parsers import expat

from mtsig.corpus import Note
from mtsig.corpus._notes import listed
from mtsig.errors import ReadError, said_by
from mtsig.readers._files import File, text_of
from mtsig.readers._frames import decoded
from mtsig.readers._names import Role, name_of, reference_name
from mtsig.readers._parts import Part, Passage, or_problem, texts_of

_SGM = "SGM"
_SETS: dict[str, Role] = {"srcset": "source", "refset": "reference", "tstset": "system"}

# Attributes hold no <, so that a file of "<doc <doc <doc" is read in one pass: from every < to the next.
_TAG = re.compile(r"<(/?)(srcset|refset|tstset|doc|seg|hl|p|poster)\b([^<>]*)(>?)", re.IGNORECASE)
_BARE = ("hl", "p", "poster")
"""Tags that hold no data of ours: without their > they are text, such as "p <p 0.05"."""
_ATTRIBUTE = re.compile(r"""([\w:.-]{1,80})\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")
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


@or_problem(_SGM)
def sgm_parts(file: File) -> list[Part]:
    """Return the texts of one file: a source, references and systems, each as many as it holds."""
    text, notes = text_of(file)
    passages, mended = _passages(file, text)
    return texts_of(file, _SGM, passages, [*notes, *mended])


def _tags(text: str) -> Iterator[_Tag]:
    for tag in _TAG.finditer(text):
        name, ends = tag[2].lower(), bool(tag[4])
        if name in _BARE and not ends:
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
                "the file. Close the tag, or write &lt; if the < is text."
            )
        if place.segment is not None:
            unclosed += not (tag.name == "seg" and tag.closes)
            passages.append(_passage(file, place, text[place.began : tag.start]))
            place.segment = None
        _step(file, place, tag, line)
    if place.segment is not None:
        raise ReadError(
            f"{file.label}, line {place.line}: the file is incomplete: it ends inside segment "
            f"{place.segment}. Copy it again."
        )
    if not passages:
        raise ReadError(
            f"{file.label} contains no <seg> in a <srcset>, <refset> or <tstset>. Is it SGM? Give "
            "a file of a source, a reference or a system."
        )
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
                f"{file.label}, line {line}: a <seg> outside <srcset>, <refset> and <tstset> belongs to no "
                "text. Put it into one."
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


def _mended(file: File, place: _Place, unclosed: int) -> list[Note]:
    notes = []
    if unclosed:
        ends = "segment ends" if unclosed == 1 else "segments end"
        notes.append(
            Note("warning", f"{file.label}: {unclosed} {ends} without </seg>, so the next tag was used as the end.")
        )
    if place.role is not None:
        notes.append(Note("warning", f"{file.label} ends before its set is closed; is it incomplete?"))
    return notes


_XML = "WMT XML"
_TEXTS: dict[str, Role] = {"src": "source", "ref": "reference", "hyp": "system"}

# NIST's and IWSLT's XML is SGM with a declaration; its root says so.
_NIST = re.compile(rb"<(mteval|srcset|refset|tstset)\b", re.IGNORECASE)
_WMT = re.compile(rb"<(dataset|collection|doc)\b")
_LOOK = 8192


@dataclass
class _Open:
    """Where the reading stands."""

    document: Mapping[str, str] | None = None
    role: Role | None = None
    name: str = ""
    segments: int = 0
    segment: str | None = None
    line: int = 0
    text: list[str] = field(default_factory=list)


@dataclass
class _Reading:
    """What a pass over the file collects; expat calls `opens`, `holds` and `closes`."""

    label: str
    parser: expat.XMLParserType | None = None
    place: _Open = field(default_factory=_Open)
    passages: list[Passage] = field(default_factory=list)
    languages: dict[Role, set[str]] = field(default_factory=dict)
    documents: int = 0
    left_out: dict[str, list[int]] = field(default_factory=dict)
    inner: set[str] = field(default_factory=set)

    @property
    def line(self) -> int:
        """The line that is read."""
        return 0 if self.parser is None else self.parser.CurrentLineNumber

    def opens(self, tag: str, attributes: dict[str, str]) -> None:
        """Take note of a start tag."""
        place = self.place
        if place.segment is not None:
            self.inner.add(tag)
        elif tag == "doc":
            self.documents += 1
            place.document = {**attributes, "number": str(self.documents)}
            if "testsuite" in attributes:
                self.left_out.setdefault(attributes["testsuite"], []).append(0)
        elif tag in _TEXTS and place.document is not None:
            self._open_text(_TEXTS[tag], attributes)
        elif tag == "seg" and place.role is not None:
            place.segments += 1
            place.segment = attributes.get("id") or str(place.segments)
            place.line = self.line
            place.text.clear()

    def _open_text(self, role: Role, attributes: Mapping[str, str]) -> None:
        place = self.place
        place.role, place.segments = role, 0
        self.languages.setdefault(role, set()).add(attributes.get("lang", ""))
        if role == "source":
            place.name = "source"
        elif role == "reference":
            place.name = reference_name(attributes.get("translator", ""))
        else:
            place.name = attributes.get("system", "")
            if not place.name:
                raise ReadError(
                    f"{self.label}, line {self.line}: a <hyp> without system= belongs to no system. Name it."
                )

    def holds(self, text: str) -> None:
        """Take in text."""
        if self.place.segment is not None:
            self.place.text.append(text)

    def closes(self, tag: str) -> None:
        """Take note of an end tag."""
        place = self.place
        if tag == "seg" and place.segment is not None:
            self._keep("".join(place.text))
            place.segment = None
        elif tag in _TEXTS and place.segment is None:
            place.role = None
        elif tag == "doc":
            place.document = None

    def _keep(self, text: str) -> None:
        place, document = self.place, self.place.document or {}
        if "testsuite" in document:
            self.left_out[document["testsuite"]][-1] += place.role == "source"
            return
        # Line breaks at the ends are how the file was laid out; those between paragraphs are text.
        text = text.strip(" \t\r\n") if "\n" in text else text
        self.passages.append(
            Passage(
                place.role or "system",
                place.name,
                document.get("id") or document["number"],
                place.segment or "",
                text,
                place.line,
                document.get("domain"),
                document.get("origlang"),
            )
        )

    @property
    def pair(self) -> str | None:
        """The language pair, when the file has just one."""
        sources = self.languages.get("source", set())
        targets = self.languages.get("reference", set()) | self.languages.get("system", set())
        if len(sources) != 1 or len(targets) != 1 or "" in sources | targets:
            return None
        return f"{next(iter(sources))}-{next(iter(targets))}"

    @property
    def notes(self) -> list[Note]:
        """What was left out."""
        notes = []
        for name, documents in self.left_out.items():
            text = (
                f"{self.label}: the test suite {name!r} was omitted ({len(documents)} documents, {sum(documents)} "
                "segments), because test suites have no reference."
            )
            notes.append(Note("note", text))
        if self.inner:
            tags = listed([f"<{tag}>" for tag in sorted(self.inner)], most=10)
            notes.append(Note("note", f"{self.label}: the tags {tags} were removed from segments; the text was kept."))
        return notes


@or_problem(_XML)
def xml_parts(file: File) -> list[Part]:
    """Return the texts of one file: its source, references and systems."""
    data = file.data
    if _is_nist(data[:_LOOK]):
        return sgm_parts(file)
    reading = _read(file.label, data)
    return texts_of(file, _XML, reading.passages, reading.notes, reading.pair)


def _is_nist(head: bytes) -> bool:
    nist, wmt = _NIST.search(head), _WMT.search(head)
    return nist is not None and (wmt is None or nist.start() < wmt.start())


class Handler(Protocol):
    """What takes in XML as it is parsed."""

    parser: expat.XMLParserType | None

    def opens(self, tag: str, attributes: dict[str, str]) -> None:
        """Take note of a start tag."""

    def holds(self, text: str) -> None:
        """Take in text."""

    def closes(self, tag: str) -> None:
        """Take note of an end tag."""


def parsed_xml(label: str, data: bytes, handler: Handler) -> None:
    """Give a file of XML to a handler, tag by tag."""
    handler.parser = parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = handler.opens
    parser.CharacterDataHandler = handler.holds
    parser.EndElementHandler = handler.closes
    parser.EntityDeclHandler = lambda *_: _refuse(label, parser)
    parser.SkippedEntityHandler = lambda *_: _refuse(label, parser)
    parser.AttlistDeclHandler = lambda *_: _refuse(label, parser)
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise ReadError(
            f"{label}, line {error.lineno}: not valid XML ({expat.ErrorString(error.code)}). Is the file incomplete, "
            "or is it SGM? Then name it .sgm."
        ) from None
    except (ValueError, LookupError) as error:
        raise ReadError(
            f"{label}: the encoding that its first line declares cannot be read "
            f"({said_by(error, 'unknown')}). Save it as UTF-8."
        ) from None


def _read(label: str, data: bytes) -> _Reading:
    reading = _Reading(label)
    parsed_xml(label, data, reading)
    if not reading.documents:
        raise ReadError(
            f"{label} is XML, but has no <doc>; expected WMT's <dataset> of <doc>, or NIST's <refset>. Export it so."
        )
    if not reading.passages and not reading.left_out:
        raise ReadError(
            f"{label} contains no <seg> in any <src>, <ref> or <hyp>; expected one for each segment. Export it again."
        )
    return reading


def _refuse(label: str, parser: expat.XMLParserType) -> None:
    """Refuse what a file defines once and uses often: it can grow without bound, or reach for other files."""
    raise ReadError(
        f"{label}, line {parser.CurrentLineNumber}: it defines its own entities (<!ENTITY …>) or attributes "
        "(<!ATTLIST …>). Data sets do not need them, and mtsig refuses such files. Remove them."
    )
