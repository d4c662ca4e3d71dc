"""Translators' files go in, their source and target come out: XLIFF 1.2 and 2, TMX, and PO of gettext.

The target is what the folder or the name of the file says, a system or a reference. Tags inside segments are left out;
what they enclose stays, where it is text and not code of the document.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from xml.parsers import expat

from mtsig._limits import refuse_above
from mtsig.corpus import Note
from mtsig.corpus._notes import listed, number_of
from mtsig.errors import ReadError
from mtsig.readers._files import File, head_of, in_utf8, text_of
from mtsig.readers._markup import parsed_xml, xml_parts
from mtsig.readers._names import OTHER_FORMATS, REFUSED, Role, name_of, role_of_folder, role_of_name
from mtsig.readers._parts import Part, Passage, Placed, or_problem, texts_of


@dataclass
class _Unit:
    """A segment: its document and id, where it stands, and its text by language; "" as language is the target."""

    document: str
    id: str
    line: int
    texts: dict[str, str] = field(default_factory=dict)


@dataclass
class _Read:
    """What a file holds: its units, the languages of source and target, and what was left out."""

    source: str = ""
    target: str = ""
    units: list[_Unit] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    fuzzy: int = 0


def translation_files(files: Sequence[Placed]) -> list[list[Part]]:
    """Return the texts of every file; one that cannot be understood is a part with a problem."""
    return [_role_said(placed) for placed in files]


def _role_said(placed: Placed) -> list[Part]:
    named = role_of_folder(placed.folder) or role_of_name(placed.stem)
    role: Role = "reference" if named == "reference" else "system"
    name = name_of(placed.name, role)
    parts = translation_parts(placed.file)
    return [replace(part, role=role, name=name) if part.role == "system" else part for part in parts]


@or_problem("translators' file")
def translation_parts(file: File) -> list[Part]:
    """Return source and target of one file, the target as a system that is called like the file."""
    suffix = file.path.suffix.lower()
    if suffix in (".po", ".pot"):
        return _parts(file, "PO", _po(file))
    head = in_utf8(file.data[:4096])
    form, handler = ("TMX", _Tmx) if b"<tmx" in head else ("XLIFF", _Xliff)
    reading = handler(file.label)
    parsed_xml(file.label, file.data, reading)
    if not reading.found:
        raise ReadError(f"{file.label} is not {form}: expected <xliff> or <tmx> as its first tag. Export it again.")
    return _parts(file, form, reading.read)


def xml_file_parts(file: File) -> list[Part]:
    """Return the texts of a file of XML: WMT's or NIST's, or that of translators."""
    return translation_parts(file) if _OF_TRANSLATORS.search(head_of(file).data) else xml_parts(file)


_OF_TRANSLATORS = re.compile(rb"<(xliff|tmx)\b")


def _parts(file: File, form: str, read: _Read) -> list[Part]:
    if not read.units:
        raise ReadError(
            f"{file.label} contains no segment. Expected source and target texts of {form}. Export it again."
        )
    left_out = [f"{what} ({count:,})" for what, count in read.left_out.items() if count]
    notes = [Note("note", f"{file.label} was read without: {listed(left_out)}.")] if any(read.left_out.values()) else []
    if read.fuzzy:
        notes.append(Note("note", f"{file.label}: {number_of(read.fuzzy, 'translation')} marked as fuzzy were kept."))
    languages = list(dict.fromkeys(language for unit in read.units for language in unit.texts))
    source = read.source if read.source in languages else languages[0]
    targets = [language for language in languages if language != source]
    if not targets:
        raise ReadError(f"{file.label} contains no target; expected translations next to the source. Export both.")
    refuse_above("max_systems", len(targets), file.label, what="target languages")
    of_target: dict[str, list[_Unit]] = {target: [] for target in targets}
    for unit in read.units:
        for language in unit.texts if source in unit.texts else ():
            if language != source:
                of_target[language].append(unit)
    parts: list[Part] = []
    for target in targets:
        pair = f"{source}-{target}" if len(targets) > 1 else None
        units = of_target[target] if pair else read.units
        said = list(() if parts else notes)
        if missing := len(read.units) - len(units):
            text = f"{file.label}: {number_of(missing, 'unit')} of {len(read.units):,} without {pair} were left out."
            said.append(Note("note", text))
        parts += texts_of(file, form, _passages(file, units, source, target), said, pair)
    return parts


def _passages(file: File, units: Sequence[_Unit], source: str, target: str) -> list[Passage]:
    several = len({unit.document for unit in units}) > 1
    keys = Counter((unit.document, unit.id) for unit in units)
    told = "" not in {unit.id for unit in units} and max(keys.values(), default=0) == 1
    passages = []
    for number, unit in enumerate(units, 1):
        where = (unit.document if several else None, unit.id if told else str(number))
        passages.append(Passage("source", "source", *where, unit.texts.get(source), unit.line))
        passages.append(Passage("system", name_of(file.path.name), *where, unit.texts.get(target), unit.line))
    return passages


_CODE = {"bpt", "ept", "ph", "it", "ut", "x", "bx", "ex", "sub", "cp", "sc", "ec", "sm", "em"}
"""Tags inside segments whose content is code of the document."""


class _Handler:
    """What a pass over XML collects: the text of the element that is open, and of no tag in it that holds code."""

    def __init__(self, label: str) -> None:
        self.label, self.read, self.found = label, _Read(), False
        self.parser: expat.XMLParserType | None = None
        self._text: list[str] | None = None
        self._within: list[str] = []
        self._code = 0

    @property
    def line(self) -> int:
        return 0 if self.parser is None else self.parser.CurrentLineNumber

    def begin(self) -> None:
        self._text, self._within, self._code = [], [], 0

    def end(self) -> str:
        text, self._text = "".join(self._text or ()), None
        return " ".join(text.split("\n")).strip() if "\n" in text else text

    def opens(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        if self._text is None:
            self.outside(tag, attributes)
            return
        self._within.append(tag)
        self._code += tag in _CODE
        self.inside(tag, attributes)

    def holds(self, text: str) -> None:
        if self._text is not None and not self._code:
            self._text.append(text)

    def closes(self, tag: str) -> None:
        tag = tag.rpartition(":")[2]
        if self._text is not None and self._within:
            self._code -= self._within.pop() in _CODE
            self.left(tag)
        else:
            self.closed(tag)

    def outside(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take note of a tag outside of a text."""

    def inside(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take note of a tag inside of a text."""

    def left(self, tag: str) -> None:
        """Take note of the end of a tag inside of a text."""

    def closed(self, tag: str) -> None:
        """Take note of the end of another tag."""


_ASIDE = ("alt-trans", "ignorable", "originalData", "notes")
"""Elements of XLIFF that hold no text of the unit."""


class _Xliff(_Handler):
    """XLIFF: <trans-unit> with <source> and <target> (1.2), or <unit> of <segment>s (2)."""

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self._document = self._unit = self._segment = self._open = ""
        self._texts: dict[str, list[tuple[str, str]]] = {}
        self._marked: list[tuple[str, int]] = []
        self._skipped = 0
        self._began = 0

    def outside(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.found |= tag == "xliff"
        if tag == "xliff":
            self.read.source, self.read.target = attributes.get("srcLang", ""), attributes.get("trgLang", "")
        elif tag == "file":
            self._document = attributes.get("original") or attributes.get("id", "")
            self.read.source = attributes.get("source-language", self.read.source)
        elif tag in _ASIDE or (tag in ("trans-unit", "unit") and attributes.get("translate") == "no"):
            self._skipped += 1
            self.read.left_out["texts marked as not to be translated"] += tag not in _ASIDE
        elif tag in ("trans-unit", "unit"):
            self._unit, self._segment, self._texts, self._began = attributes.get("id", ""), "", {}, self.line
        elif tag == "segment":
            self._segment, self._texts, self._began = attributes.get("id", ""), {}, self.line
        elif tag in ("source", "seg-source", "target") and not self._skipped:
            self._texts[tag], self._marked, self._open = [], [], tag
            self.begin()

    def inside(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "mrk" and attributes.get("mtype") == "seg" and self._text is not None:
            self._marked.append((attributes.get("mid", ""), len(self._text)))

    def left(self, tag: str) -> None:
        if tag == "mrk" and self._marked and self._text is not None and self._marked[-1][1] >= 0:
            mid, start = self._marked[-1]
            self._texts[self._open].append((mid, "".join(self._text[start:]).strip()))
            self._marked[-1] = mid, -1

    def closed(self, tag: str) -> None:
        if self._skipped and tag in (*_ASIDE, "trans-unit", "unit"):
            self._skipped -= 1
        elif tag in ("source", "seg-source", "target") and self._text is not None:
            text = self.end()
            self._texts[tag] = self._texts[tag] or [("", text)]
        elif tag == "segment" or (tag == "trans-unit" and self._texts):
            self._add()

    def _add(self) -> None:
        """Add what a unit holds: the segments that are marked in source and target alike, else one."""
        sources = self._texts.get("seg-source") or self._texts.get("source", [])
        targets = self._texts.get("target", [])
        if [mid for mid, _ in sources] != [mid for mid, _ in targets]:
            sources, targets = (
                [("", " ".join(text for _, text in own))] if own else []
                for own in (self._texts.get("source", sources), targets)
            )
        language = self.read.source or "source"
        for at, (mid, source) in enumerate(sources or [("", "")]):
            key = "/".join(filter(None, [self._unit, self._segment, mid if len(sources) > 1 else ""]))
            texts = {language: source, **({"target": targets[at][1]} if targets else {})}
            self.read.units.append(_Unit(self._document, key, self._began, texts))
        self._texts = {}


class _Tmx(_Handler):
    """TMX: <tu> of <tuv xml:lang> with a <seg> each."""

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self._language = ""
        self._unit: _Unit | None = None

    def outside(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.found |= tag == "tmx"
        if tag == "header":
            self.read.source = attributes.get("srclang", "").lower()
        elif tag == "tu":
            self._unit = _Unit("", attributes.get("tuid", ""), self.line)
        elif tag == "tuv":
            self._language = (attributes.get("xml:lang") or attributes.get("lang", "")).lower()
        elif tag == "seg" and self._unit is not None:
            self.begin()

    def closed(self, tag: str) -> None:
        if tag == "seg" and self._text is not None and self._unit is not None:
            text = self.end()
            if self._language in self._unit.texts:
                self.read.left_out["second translations of a unit"] += 1
            self._unit.texts.setdefault(self._language, text)
        elif tag == "tu" and self._unit is not None:
            self.read.units.append(self._unit)
            self._unit = None


_PO_KEY = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)\s+(".*")\s*')
_ESCAPED = re.compile(r"\\(.)")
_SIGNS = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}


def _po(file: File) -> _Read:
    """Read PO: entries of msgid and msgstr; the first, with an empty msgid, is about the file."""
    text, _ = text_of(file)
    read, entry, key, began = _Read("msgid", "msgstr"), dict[str, list[str]](), "", 1
    for number, line in enumerate([*text.split("\n"), ""], 1):
        line = line.strip()
        match = _PO_KEY.fullmatch(line)
        if line.startswith("#~"):
            read.left_out["obsolete lines"] += 1
        elif line.startswith("#, ") and "fuzzy" in line:
            read.fuzzy += 1
        elif match and (match[1] not in entry or match[1] == key):
            began = began if entry else number
            key = match[1]
            entry[key] = [_unescaped(match[2])]
        elif line.startswith('"') and line.endswith('"') and key and len(line) > 1:
            entry[key].append(_unescaped(line))
        elif (not line or match) and entry:
            _add_entry(read, entry, began)
            entry, key, began = {}, "", number
            if match:
                key = match[1]
                entry[key] = [_unescaped(match[2])]
        elif line and not line.startswith("#"):
            raise ReadError(
                f"{file.label}, line {number}: expected msgid, msgstr or a quoted text; got "
                f"{line[:60]!r}. Export it again."
            )
    return read


def _add_entry(read: _Read, pieces: Mapping[str, Sequence[str]], began: int) -> None:
    entry = {key: "".join(texts) for key, texts in pieces.items()}
    source, target = entry.get("msgid", ""), entry.get("msgstr", entry.get("msgstr[0]"))
    if not source or target is None:
        return
    read.units.append(_Unit("", "", began, {"msgid": source, "msgstr": target}))
    if "msgid_plural" in entry and "msgstr[1]" in entry:
        read.units.append(_Unit("", "", began, {"msgid": entry["msgid_plural"], "msgstr": entry["msgstr[1]"]}))
        if "msgstr[2]" in entry:
            read.left_out["further plurals"] += 1


def _unescaped(text: str) -> str:
    whole = _ESCAPED.sub(lambda match: _SIGNS.get(match[1], match[0]), text[1:-1])
    return whole.replace("\n", " ").rstrip(" ") if whole.endswith("\n") else whole.replace("\n", " ")


def other_formats(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
    """Return the files of these formats that lie where texts do."""
    del alone
    # Where outputs have a folder of their own, what lies beside it at the top is about the data.
    sorted_out = any(role_of_folder(placed.folder) == "system" for placed in files)
    return [
        placed for placed in files
        if placed.suffix in OTHER_FORMATS and not placed.is_about_the_data
        and (role_of_folder(placed.folder) is not None or not (placed.folder or sorted_out))
    ]  # fmt: skip


def refused_formats(files: Sequence[Placed]) -> list[list[Part]]:
    """Return a part with its problem for every file."""
    problems = [f"{item.file.label} is {REFUSED[item.suffix]}." for item in files]
    return [
        [Part(item.file.label, "system", item.name, problem=problem, file=item.file)]
        for item, problem in zip(files, problems, strict=True)
    ]
