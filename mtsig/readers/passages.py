"""Passages: segments found one by one in a file go in, with text, document and id; the texts they make come out."""

from collections.abc import Sequence
from dataclasses import dataclass

from mtsig.corpus import Note
from mtsig.errors import ReadError
from mtsig.readers.files import File
from mtsig.readers.names import Role
from mtsig.readers.part import About, Part


@dataclass(frozen=True, slots=True)
class Passage:
    """One segment of one text. line: where it stands in the file; None as text: this text has no such segment."""

    role: Role
    name: str
    document: str | None
    segment: str
    text: str | None
    line: int
    domain: str | None = None
    original_language: str | None = None


def texts_of(
    file: File, form: str, result: Sequence[Passage], notes: Sequence[Note] = (), language_pair: str | None = None
) -> list[Part]:
    """Return one part for every role and name, in the order of their first passage; notes go with the first.

    Raises:
        ReadError: a text has a segment twice, or holds something that no text can.
    """
    by_text: dict[tuple[Role, str], list[Passage]] = {}
    for passage in result:
        by_text.setdefault((passage.role, passage.name), []).append(passage)
    parts = []
    for number, ((role, name), passages) in enumerate(by_text.items()):
        _check(file.label, passages)
        label = f"{file.label}, {role}" if role == "source" else f"{file.label}, {role} {name!r}"
        lines = tuple(item.text for item in passages)
        said = tuple(notes) if number == 0 else ()
        about = _about(passages)
        parts.append(Part(label, role, name, lines, notes=said, form=form, about=about, language_pair=language_pair))
    return parts


def _check(label: str, passages: Sequence[Passage]) -> None:
    seen: dict[tuple[str | None, str], int] = {}
    for passage in passages:
        key = (passage.document, passage.segment)
        if key in seen:
            document = "" if passage.document is None else f" of document {passage.document!r}"
            raise ReadError(
                f"{label}, line {passage.line}: segment {passage.segment}{document} stands there a second time for "
                f"{passage.role} {passage.name!r}; the first is on line {seen[key]}."
            )
        seen[key] = passage.line
        check_text(f"{label}, line {passage.line}", passage.text)


def check_text(where: str, text: str | None) -> None:
    """Raise ReadError when a text holds a character that is none: half of a pair, or zero."""
    if text is None:
        return
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ReadError(
            f"{where}: character {error.start + 1} is half of a surrogate pair (U+{ord(text[error.start]):04X}), which "
            "stands for nothing alone. Write the file again as UTF-8."
        ) from None
    if "\0" in text:
        raise ReadError(f"{where}: holds a zero character (U+0000), which is no text.")


def _about(passages: Sequence[Passage]) -> About:
    def column(values: list[str | None]) -> tuple[str, ...] | None:
        # Known for some documents only is not known: a slice must not be called by a name nobody gave it.
        return None if None in values else tuple(value or "" for value in values)

    return About(
        documents=column([passage.document for passage in passages]),
        ids=tuple(passage.segment for passage in passages),
        domains=column([passage.domain for passage in passages]),
        original_languages=column([passage.original_language for passage in passages]),
    )
