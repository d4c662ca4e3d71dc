"""WMT's XML: documents with a source, references and hypotheses, each of numbered segments.

<dataset> [<collection>] <doc id= origlang= [domain=] [testsuite=]> holds <src lang=>, <ref lang= translator=> and
<hyp lang= system=>, and these <seg id=>, numbered anew in every document.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from xml.parsers import expat

from mtsig.corpus import Note, listed
from mtsig.errors import ReadError, said_by
from mtsig.readers.files import File
from mtsig.readers.names import Role, name_of, reference_name
from mtsig.readers.part import Part
from mtsig.readers.passages import Passage, texts_of
from mtsig.readers.reader import Placed, Reader, by_suffix
from mtsig.readers.sgm import sgm_parts

FORM = "WMT XML"
_TEXTS: dict[str, Role] = {"src": "source", "ref": "reference", "hyp": "system"}

# NIST's and IWSLT's XML is SGM with a declaration; its root says so.
_NIST = re.compile(rb"<(mteval|srcset|refset|tstset)\b", re.IGNORECASE)
_WMT = re.compile(rb"<(dataset|collection|doc)\b")
_LOOK = 8192


@dataclass
class _Place:
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
    parser: expat.XMLParserType
    place: _Place = field(default_factory=_Place)
    passages: list[Passage] = field(default_factory=list)
    languages: dict[Role, set[str]] = field(default_factory=dict)
    documents: int = 0
    left_out: dict[str, list[int]] = field(default_factory=dict)
    inner: set[str] = field(default_factory=set)

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
            place.line = self.parser.CurrentLineNumber
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
                    f"{self.label}, line {self.parser.CurrentLineNumber}: a <hyp> without system=: whose output is it?"
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
                f"{self.label}: the test suite {name!r} was left out ({len(documents)} documents, {sum(documents)} "
                "segments): test suites have no reference."
            )
            notes.append(Note("note", text))
        if self.inner:
            tags = listed([f"<{tag}>" for tag in sorted(self.inner)], most=10)
            notes.append(Note("note", f"{self.label}: the tags {tags} inside segments were left out, their text kept."))
        return notes


def parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return the texts of every file; one that cannot be understood is a part with a problem."""
    return [xml_parts(placed.file) for placed in files]


def xml_parts(file: File) -> list[Part]:
    """Return the texts of one file: its source, references and systems."""
    try:
        data = file.data
        if _is_nist(data[:_LOOK]):
            return sgm_parts(file)
        reading = _read(file.label, data)
        return texts_of(file, FORM, reading.passages, reading.notes, reading.pair)
    except ReadError as error:
        return [Part(file.label, "system", name_of(file.path.name), problem=str(error), file=file, form=FORM)]


def _is_nist(head: bytes) -> bool:
    nist, wmt = _NIST.search(head), _WMT.search(head)
    return nist is not None and (wmt is None or nist.start() < wmt.start())


def _read(label: str, data: bytes) -> _Reading:
    parser = expat.ParserCreate()
    reading = _Reading(label, parser)
    parser.buffer_text = True
    parser.StartElementHandler = reading.opens
    parser.CharacterDataHandler = reading.holds
    parser.EndElementHandler = reading.closes
    parser.EntityDeclHandler = lambda *_: _refuse(label, parser)
    parser.SkippedEntityHandler = lambda *_: _refuse(label, parser)
    parser.AttlistDeclHandler = lambda *_: _refuse(label, parser)
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise ReadError(
            f"{label}, line {error.lineno}: not valid XML ({expat.ErrorString(error.code)}). Was it cut off, or is it "
            "SGM? Then call it .sgm."
        ) from None
    except (ValueError, LookupError) as error:
        raise ReadError(
            f"{label}: the encoding that its first line declares cannot be read ({said_by(error, 'unknown')})."
        ) from None
    if not reading.documents:
        raise ReadError(f"{label} is XML, but holds no <doc>; expected WMT's <dataset> of <doc>, or NIST's <refset>.")
    if not reading.passages and not reading.left_out:
        raise ReadError(f"{label} holds no <seg> in any <src>, <ref> or <hyp>.")
    return reading


def _refuse(label: str, parser: expat.XMLParserType) -> None:
    """Refuse what a file defines once and uses often: it can grow without bound, or reach for other files."""
    raise ReadError(
        f"{label}, line {parser.CurrentLineNumber}: defines entities of its own (<!ENTITY …>), or attributes "
        "(<!ATTLIST …>). Data sets have no use for them, and they are not read."
    )


WMT_XML = Reader("WMT's XML: <doc> with <src>, <ref> and <hyp>; test suites are left out", by_suffix(".xml"), parts)
