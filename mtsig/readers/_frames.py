"""Frames: what stands on nearly every line of a file beside the segment, as in `12<tab>text` or `text (utt-12)`.

One law for all of them: of a frame that leaves one text on a line, the text is taken and the rest is said; of one that
leaves several, or none for sure, the file is refused with what was seen.

In decoders' logs, the lines of a text stand between others, numbered, in the order in which batches were translated.
"""

import csv
import re
from ast import literal_eval
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, groupby, pairwise, takewhile
from os.path import commonprefix
from typing import Literal, TypeAlias

from mtsig.corpus import Note
from mtsig.corpus._notes import listed, number_of, quoted
from mtsig.errors import ReadError
from mtsig.readers._files import json_of
from mtsig.readers._names import COUNTERS, OUTPUTS, SOURCES, TARGETS, Role, plain_name

_LEAST = 5
"""Lines that are filled, from which on something is on nearly all of them."""

_NEARLY = 0.95
_LOOKED_AT = 40
"""Filled lines at which it is seen whether there may be a frame: most files have none, and cost no more."""

_MOST = 3
"""Frames inside of each other that are taken off."""

_TRIED = 200
"""Filled lines that may tell that what stands beside the texts are no ids: in most files that have it, it repeats."""

_LONGEST = 120
"""Characters at either end of a line that may be its frame."""

FRAMES = (
    "cells separated by a tab, or by separators such as |||, => or <sep>",
    "cells in quotation marks, as in CSV",
    "a number, an id, a time, a digest or a score before or after each segment",
    "tags around each segment",
    "JSON on each line, or a text, a list or a dictionary as Python prints it",
)
"""What is seen on nearly all lines, in words."""


@dataclass(frozen=True)
class _Seen:
    """A frame as it was seen: in words, and what it leaves of a line: its cells, or None where it is not there.

    affix: what is before or behind the text, where that is all there is: it may be an id, or text.
    """

    what: str
    cells: Callable[[str], list[str] | None]
    affix: "_Affix | None" = None


_COMMENT = "(?><!--.*?-->)"
_DECLARED = r"(?><!(?!--)[^>\[]*(?:\[[^\]]*\])?[^>]*>)"
"""What stands before the first tag of XML. Neither can be matched in a second way: those would double with each."""

_MARKUP = {
    re.compile(r"(\S.*\n)?(WEBVTT|\[Script Info\]|(\d+\s*\n)?\d\d?:\d\d:\d\d[,.]\d+( *-->|,\d))"): (
        "subtitles", "save their texts as .txt with one segment per line"
    ),
    re.compile(rf"\s*(<\?xml[^>]*>\s*)?({_COMMENT}\s*)*(<!DOCTYPE html|<html)\b", re.IGNORECASE | re.DOTALL): (
        "a web page", "is it an error page? Save its text as .txt with one segment per line"
    ),
    re.compile(rf"\s*(<\?xml[^>]*>\s*)?(({_COMMENT}|{_DECLARED})\s*)*<(xliff|tmx)\b", re.DOTALL): (
        "a translators' file", "rename it to .xlf or .tmx, so that source and target are read"
    ),
    re.compile(r"\s*<\?xml\b"): (
        "XML", "rename it to .xml if it is WMT's; otherwise save its texts with one segment per line"
    ),
    re.compile(r'(#.*\n|[^\S\n]*\n)*msgid "'): (
        "PO of gettext", "rename it to .po, so that source and target are read"
    ),
    re.compile(r"\s*(%.*\n\s*)*\\(documentclass|begin\{)"): (
        "LaTeX", "save its text as .txt with one segment per line"
    ),
    re.compile(r"(#.*\n)*1\t.*\n(\d+\t.*\n)+\n(#.*\n)*1\t"): (
        "parsed text (CoNLL)", "rename it to .conllu, or save its text with one segment per line"
    ),
    re.compile(r"\s*<([A-Za-z][\w:-]*)(\s[^<>]*)?>\s*\n.*\0\s*</\1>\s*", re.DOTALL): (
        "marked-up text", "rename it to .xml or .sgm if it is WMT's or NIST's; otherwise save its texts as .txt"
    ),
    re.compile(r"\s*[\[{]\s*\n.*\0\s*[\]}]\s*", re.DOTALL): (
        "JSON", "rename it to .json, or save its texts with one segment per line"
    ),
}  # fmt: skip
"""How files begin, and behind a zero how they end, that hold text and no segment on each line: what to do."""


def refuse_markup(label: str, lines: Sequence[str]) -> None:
    """Raise ReadError where lines begin as those of a file do that is no list of segments."""
    head = "\n".join(lines[:_LOOKED_AT])[:4096]
    if head.lstrip()[:1] not in {*"<[{#mW%\\0123456789"}:
        return
    whole = f"{head}\0{next(filter(str.strip, reversed(lines)), '')[:200]}"
    for begins, (what, todo) in _MARKUP.items():
        if begins.match(whole):
            raise ReadError(f"{label} is {what}, not one segment per line: {todo}.")


_LABELLED = re.compile(r"\S{1,15}?[:\t|>]\s?")
_COUNTED = re.compile(r".{0,30}?\d")


def _refuse_blocks(label: str, filled: Sequence[str], shapes: "_Shapes") -> None:
    """Raise ReadError where segments have several lines each, of which one is numbered, or each has a label."""
    for period in range(2, 6) if len(filled) >= 2 * _FEWEST else ():
        each = [filled[at::period] for at in range(period)]
        ends = [(min(own[:_LOOKED_AT]), max(own[:_LOOKED_AT])) for own in each]
        labels = [_LABELLED.match(first) for first, _ in ends]
        said = {match[0] for match, (_, last) in zip(labels, ends, strict=True) if match and last.startswith(match[0])}
        if len(said) == period or any(_is_numbered(at, each, shapes) for at in range(period)):
            raise ReadError(
                f"{label}: expected one segment per line; got {period} lines for each segment, such as "
                f"{listed([quoted(line, 30) for line in filled[:period]])}. Save only the lines of the segments."
            )


def _is_numbered(place: int, each: Sequence[Sequence[str]], shapes: "_Shapes") -> bool:
    """Return whether the lines at one place of all blocks are numbered, and those at the others are not so."""
    own = each[place]
    affix = _affix_of(own[:_LOOKED_AT], False, shapes) if all(map(_COUNTED.match, own[:3])) else None
    others = [line for at, other in enumerate(each) if at != place for line in other[:_LOOKED_AT]]
    if affix is None or _reaches(len(others) / 2, (shapes.framed(affix, line) for line in others)):
        return False
    told = [cells[0] for cells in takewhile(bool, map(affix.cells, own)) if cells]
    return len(told) == len(own) and affix.are_ids(told) is True


def _reaches(enough: float, found: Iterable[bool]) -> bool:
    """Return whether so many are true, without a look at those behind them."""
    return any(count >= enough for count in accumulate(found))


def unframed(label: str, lines: Sequence[str]) -> tuple[tuple[str, ...], tuple[Note, ...]]:
    """Return the segments of lines, and what is to be said of the frames that they stand in; most stand in none."""
    segments, notes, shapes = tuple(lines), list[Note](), _Shapes()
    _refuse_blocks(label, [line for line in lines if line.strip()], shapes)
    verdicts = dict[_Affix, _Ids]()
    for _ in range(_MOST):
        verdicts.clear()
        if not (taken := _taken_off(label, segments, verdicts, shapes)):
            break
        verdicts.clear()
        segments = taken[0]
        notes.append(Note("note", taken[1]))
    filled = [line for line in segments if line.strip()]
    first = filled[:_LOOKED_AT]
    for affix in filter(None, (_affix_of(first, behind, shapes) for behind in (False, True)) if filled else ()):
        if verdicts.get(affix) in (True, False):
            continue
        told = affix.told(filled)
        enough = len(told) >= max(_LEAST, _NEARLY * len(filled))
        if enough and (verdicts[affix] if affix in verdicts else affix.are_ids(told)) in (None, "counting"):
            advice = "Remove the number unless it belongs to the text."
            text = f"{label}: the lines seem to be numbered by {affix.what}, such as {quoted(told[0])}. {advice}"
            notes.append(Note("warning", text))
    for said in _alike(filled) if len(filled) >= _FEWEST else ():
        notes.append(Note("warning", f"{label}: nearly every line {said}. Remove this unless it belongs to the text."))
    if len(segments) > _FEWEST and plain_name(segments[0]) in _HEADS:
        text = f"{label}: its first line, {quoted(segments[0])}, looks like the name of a column. If so, remove it."
        notes.append(Note("warning", text))
    return segments, tuple(notes)


_HEADS = OUTPUTS | SOURCES | TARGETS | {"text", "sentence", "ref", "reference", "prediction", "0"}


def _taken_off(
    label: str, lines: Sequence[str], verdicts: "dict[_Affix, _Ids]", shapes: "_Shapes"
) -> tuple[tuple[str, ...], str] | None:
    """Return the lines without what frames nearly all of them, and what was taken off; None where nothing does.

    verdicts: gets what `are_ids` says of what is before or behind the text of all lines.
    """
    filled = [line for line in lines if line.strip()]
    if len(filled) < _LEAST:
        return None
    for seen in _frames(filled[:_LOOKED_AT], filled, shapes):
        if seen.affix is not None and len(filled) > _TRIED and seen.affix.repeats(filled[:_TRIED]):
            verdicts[seen.affix] = False
            continue
        cells = [seen.cells(line) if line.strip() else [] for line in lines]
        missing = [number for number, own in enumerate(cells, 1) if own is None]
        has_text = (any(map(str.strip, (own or [])[seen.affix is not None :])) for own in cells)
        if len(missing) > (1 - _NEARLY) * len(filled) or not _reaches(len(filled) / 2, has_text):
            continue
        certain: _Ids = True
        if seen.affix is not None:
            certain = verdicts[seen.affix] = seen.affix.are_ids([own[0] for own in cells if own])
        if certain in (False, "counting"):
            continue
        if certain is None:
            at, own = next((number, own) for number, own in enumerate(cells, 1) if own)
            raise ReadError(
                f"{label}, line {at}: expected one segment per line; got {seen.what}, such as {quoted(own[0])}, which "
                "may be ids or text. Save only the segments, or save all texts in a .tsv with a first row of names "
                "(source, ref, and the systems)."
            )
        texts = _texts(label, seen, lines, [own or [] for own in cells])
        if texts is None:
            continue
        if missing:
            raise ReadError(
                f"{label}, line {missing[0]}: expected {seen.what}, as on {len(filled) - len(missing):,} of "
                f"{len(filled):,} lines; got {quoted(lines[missing[0] - 1])}. Correct the line, or save only the "
                "segments, one per line."
            )
        return texts
    return None


_SIGNS = re.compile(
    r"\t|[\x01-\x08\x0e-\x1f]|<(?=[a-z])\w+>|\[[A-Z]+\]|(?<![:\w])[|=<>#~@\\+*§;¦_/:-]{2,}(?!\w)"
    r"|[|;~§¦\u2190-\u21ff\u2500-\u27bf\u27f0-\u27ff]|(?<= )[=/:–—#<>&@^*+-](?= )"
)
"""Signs that may separate the cells of a line: none of them is punctuation of a sentence."""


def _frames(first: Sequence[str], filled: Sequence[str], shapes: "_Shapes") -> Iterator[_Seen]:
    """Yield the frames that nearly all of the first lines stand in."""
    enough = _NEARLY * len(first)
    tags = [tag[1] for line in first if (tag := _TAGGED.fullmatch(line))]
    if len(tags) >= enough and len(set(tags)) == 1:
        yield _Seen(f"<{tags[0]}> around each segment", _untagged)
    if sum(line.lstrip()[:1] in "{[(b\"'" for line in first) >= enough:
        values = [held for line in first if (held := _value(line)) is not None]
        # Quotation marks around every line may be the system's own: what a program printed has something escaped.
        plain = first[0].lstrip()[0] in "\"'" and not any("\\" in line for line in filled)
        plain = plain and len({line.lstrip()[0] for line in filled}) == 1
        if len(values) >= enough and not plain:
            yield _Seen("JSON on each line", _value)
    for delimiter in ",;|\t":
        if not any(f'{delimiter}"' in line or f'"{delimiter}' in line for line in first):
            continue
        rows = [_csv(line, delimiter) or [] for line in first]
        usual = max(map(len, rows))
        if usual > 1 and [*map(len, rows)].count(usual) >= enough:
            yield _Seen(
                f"{usual} cells of {'a quoted table' if delimiter == chr(9) else 'CSV'}",
                _cells_of_csv(delimiter, usual),
            )
    signs = list(dict.fromkeys(match[0] for match in _SIGNS.finditer(first[0])))[:_MOST_SIGNS]
    yield from _cells_between([sign for sign in signs if sign not in _WITHIN], first)
    if first[0].startswith('"') and any('""' in line[1:-1] for line in filled):
        rows = [_csv(line, ",") or [] for line in filled]
        # Quotation marks around every line may be the system's own; where those inside are doubled, it is CSV.
        if sum(
            len(row) == 1 and line[:1] == line[-1:] == '"' for row, line in zip(rows, filled, strict=True)
        ) >= _NEARLY * len(filled):
            yield _Seen("quotation marks around each segment, as in CSV", _cells_of_csv(",", 1))
    for behind in (False, True):
        if affix := _affix_of(first, behind, shapes):
            yield _Seen(affix.what, affix.cells, affix)
    yield from _cells_between([sign for sign in signs if sign in _WITHIN], first)


_MOST_SIGNS = 50
"""Signs of which each may separate cells: every one is looked for in all of the first lines."""

_WITHIN = "=/:–—#<>&@^*+-"
"""Signs with spaces around them that texts have, too: what stands before each segment is looked for first."""


def _cells_between(signs: Sequence[str], first: Sequence[str]) -> Iterator[_Seen]:
    for sign in signs:
        counts = [line.count(sign) for line in first]
        usual = max(set(counts), key=counts.count)
        pieces = first[0].strip().split(sign)
        if (
            usual
            and counts.count(usual) >= _NEARLY * len(first)
            and (sign in ("\t", "|||") or any(pieces[1:-1]) or all(pieces))
        ):
            yield _Seen(
                f"{usual + 1} cells separated by {'a tab' if sign == chr(9) else quoted(sign)}", _split(sign, usual)
            )


def _split(separator: str, count: int) -> Callable[[str], list[str] | None]:
    def cells(line: str) -> list[str] | None:
        return line.split(separator) if line.count(separator) == count else None

    return cells


def _csv(line: str, delimiter: str) -> list[str] | None:
    try:
        return next(csv.reader([line], delimiter=delimiter, strict=True))
    except (csv.Error, StopIteration):
        return None


def _cells_of_csv(delimiter: str, count: int) -> Callable[[str], list[str] | None]:
    def cells(line: str) -> list[str] | None:
        row = _csv(line, delimiter)
        return row if row is not None and len(row) == count and (count > 1 or line[:1] == '"') else None

    return cells


_HOLE = "\0"
"""Stands for what differs from line to line in what lines share; no text has it."""

_VARIES = r"(?<![^\W_])[0-9a-f]{8,}(?:-[0-9a-f]{2,})*(?![^\W_])|(?:(?<![^\s(\[=|:])-)?\d+(?:e-\d+)?"
"""A digest, or a number."""

_varying = re.compile(_VARIES).findall

_Ids: TypeAlias = bool | Literal["counting"] | None
"""Whether what stands beside texts is ids. None: it may be text as well. "counting": it counts lines, as texts may."""

_BEFORE = re.compile(r"(.*[\t|>\])}:：）】、．]\s*|Z\s+|[^\w\"'“«„「(\[{<¿¡]*(?:[A-Z]{3,}\W+)?)")
"""What still belongs to a frame behind its last number, before the text."""

_BEHIND = re.compile(r"(?:\s[^\w\s.,!?]+)?\s+[^\s\w]*(?:\w\S*)?$|[\t|;\[({<（【]\S*$")
"""What belongs to a frame before its first number, behind the text."""

_ENDS = re.compile(r"[\s\])}>|）】;:]*")
_TELLING = re.compile(r"[_./#=-]|^(line|seg|segment|sent|sentence|item|id|utterance|hyp|src|ref) ?$", re.IGNORECASE)
"""What an id has that no word of a text has."""

_SCORE = re.compile(r"[\s\[\](){}|:;,=\w-]*\0\.\0[\s\])}|:;,]*")

_WORDS = 3
"""Words that the frame of a line has at most."""

_FEWEST = 10
"""Lines from which on numbers that only grow tell an order: by chance they do so once in millions."""


@dataclass(frozen=True)
class _Affix:
    """What nearly all lines begin or end with: the same, but for numbers or digests in its holes."""

    shape: str
    behind: bool

    @property
    def what(self) -> str:
        """It in words."""
        bare = self.shape.strip()
        kind = "a score" if f"{_HOLE}.{_HOLE}" in bare else "a number" if not any(map(str.isalpha, bare)) else "an id"
        return f"{kind} {'after' if self.behind else 'before'} each segment"

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        bare = self.shape.lstrip(" ") if self.behind else self.shape.rstrip(" ")
        own = re.escape(bare).replace(re.escape(_HOLE), f"({_VARIES})").replace(r"\ ", " +")
        return re.compile(rf"(?P<text>.*?) *(?P<id>{own})\s*" if self.behind else rf"\s*(?P<id>{own}) *(?P<text>.*)")

    def cells(self, line: str) -> list[str] | None:
        """Return the affix and the text of a line; None where it is not there."""
        at = max(0, len(line) - _LONGEST) if self.behind else 0
        match = self._pattern.fullmatch(line, at)
        return None if match is None else [match["id"], line[:at] + match["text"]]

    def told(self, lines: Sequence[str]) -> list[str]:
        """Return the affixes of the lines that have one."""
        return [cells[0] for line in lines if (cells := self.cells(line))]

    def repeats(self, first: Sequence[str]) -> bool:
        """Return whether the first lines alone tell that these are no ids, whatever follows: they repeat, unordered."""
        told = self.told(first)
        return (
            len(set(told)) < len(told) >= _FEWEST
            and _SCORE.fullmatch(self.shape) is None
            and self.are_ids(told) is False
        )

    def are_ids(self, told: Sequence[str]) -> _Ids:
        """Return whether these are ids, times or scores: they number all lines, or those of each document, or grow.

        None where they may be text as well: they do not count, or look like words. "counting" where words or bare
        numbers at the end count the lines: a made text may well count so.
        """
        if re.search(r"[€$£¥%]", self.shape):
            return False
        held = [*map(_varying, told)]
        if _SCORE.fullmatch(self.shape) and all(len(own[1]) > 2 for own in held):
            return True  # scores, which may be alike
        columns = list(zip(*held, strict=True))
        if any(any(map(str.isalpha, "".join(own))) and min(map(len, own)) >= 8 for own in columns):
            return len(set(told)) == len(told)
        wholes: Sequence[Sequence[str]] = columns
        if not all(map(str.isdecimal, chain.from_iterable(columns))):
            wholes = [[own.partition("e")[0].lstrip("-+") for own in column] for column in columns]
            if not all(map(str.isdecimal, chain.from_iterable(wholes))):
                return False  # words of digits and letters among numbers are text
        numbers = [*zip(*(map(int, column) for column in wholes), strict=True)]
        distinct, many = len(set(numbers)) == len(numbers), len(numbers) >= _FEWEST
        if not distinct:
            grow = len(set(numbers)) > 1 and numbers == sorted(numbers)
            return None if many and grow and not self.behind else False
        order = _count(numbers) or (many and numbers == sorted(numbers) and (len(columns) > 1 or not self.behind))
        bare = self.shape.replace(_HOLE, "0").strip()
        words = "".join(re.findall(r"[^\W\d_]+ ?", bare))
        closed = bare[:1] in "[({<|#" if self.behind else bare[-1:] in ":：|>])}.．、）】"
        telling = closed or _TELLING.search(self.shape.replace(_HOLE, "").strip()) is not None
        if not closed and re.search(r"[^\W\d_] +\0\s*$", self.shape):
            return False  # Line 12 of a text
        telling |= any(own[0].startswith("0") and len(own[0]) > 1 for own in columns)
        if order:
            return telling or (not words and not self.behind) or "counting"
        may_be = telling if words else len(told) >= 2 * _FEWEST
        return None if may_be and not self.behind else False


def _count(numbers: Sequence[tuple[int, ...]]) -> bool:
    """Return whether numbers count all lines, or those of each of few documents."""
    if len(numbers[0]) == 1:
        return len(set(numbers)) == len(numbers) and _NEARLY * (max(numbers)[0] - min(numbers)[0]) < len(numbers)
    groups: dict[tuple[int, ...], list[int]] = {}
    for own in numbers:
        groups.setdefault(own[:-1], []).append(own[-1])
    columns = zip(*numbers, strict=True)
    whole = any(len(set(own)) == len(own) and _NEARLY * (max(own) - min(own)) < len(own) for own in columns)
    within = all(_NEARLY * (max(own) - min(own)) < len(own) for own in groups.values())
    return whole or (within and len(groups) <= max(1, len(numbers) // 5))


class _Shapes(dict[str, str]):
    """The ends of a text's lines with holes for what varies, each made once: the same lines are looked at often."""

    def __init__(self) -> None:
        self._framed: dict[tuple[str, str], bool] = {}

    def framed(self, affix: _Affix, line: str) -> bool:
        """Return whether a line has what is before or behind others."""
        place = affix.shape, line
        if place not in self._framed:
            self._framed[place] = affix.cells(line) is not None
        return self._framed[place]

    def __missing__(self, end: str) -> str:
        self[end] = shape = re.sub(" +", " ", re.sub(_VARIES, _HOLE, end))
        return shape


_has_digit = re.compile(r"\d").search


def _affix_of(first: Sequence[str], behind: bool, shapes: _Shapes) -> _Affix | None:
    """Return what nearly all of these lines begin or end with, where that has a number or a digest."""
    ends = [line.strip()[-_LONGEST:] if behind else line.strip()[:_LONGEST] for line in first]
    if sum(map(bool, map(_has_digit, ends))) < _NEARLY * len(ends):
        return None
    alike = [shapes[end][::-1] if behind else shapes[end] for end in ends]
    own = _shared(alike)
    pieces = (own[::-1] if behind else own).split(_HOLE)
    # A number may begin or end the text itself: the longest affix that stands apart from the text is taken.
    for at in range(1, len(pieces)) if behind else range(len(pieces) - 1, 0, -1):
        inner, outer = _HOLE.join(pieces[:at]), _HOLE.join(pieces[at:])
        kept = _BEHIND.search(pieces[at - 1]) if behind else _BEFORE.match(pieces[at])
        shape = f"{kept[0]}{_HOLE}{outer}" if behind and kept else f"{inner}{_HOLE}{kept[0]}" if kept else ""
        apart = _ENDS.fullmatch(pieces[-1]) if behind else kept and kept[0]
        cut = not behind and kept and kept[0] == "." and any(map(str.isalpha, shape))  # the name of a file
        if shape and apart and not cut and len(re.findall(r"[^\W\d_]+", shape)) <= _WORDS:
            return _Affix(shape, behind)
    return None


def _shared(lines: Sequence[str]) -> str:
    """Return what nearly all of these lines begin with, of at most 1,000 characters."""
    enough = _NEARLY * len(lines)
    while len(own := commonprefix(lines)) < 1_000:  # noqa: RUF071, these are no paths
        sign, count = Counter(line[len(own) : len(own) + 1] for line in lines).most_common(1)[0]
        if not sign or count < enough:
            break
        lines = [line for line in lines if line[len(own) : len(own) + 1] == sign]
    return own[:1_000]


_LISTED = re.compile(r"[(\[]?(?:[A-Za-z]|[ivxlc]{1,7}|[IVXLC]{1,7})[.)\]]\s|[\u2460-\u24ff\u2776-\u2793]")
"""How a list is numbered by letters."""


def _alike(filled: Sequence[str]) -> Iterator[str]:
    """Yield what nearly all lines begin or end with, where no texts do: words may well, and marks at the end."""
    first = [line.strip() for line in filled[:_LOOKED_AT]]
    for behind in (False, True):
        own = _shared([line[::-1] if behind else line for line in first])
        affix = own[::-1] if behind else own
        told = affix.strip(_USUAL_ENDS) if behind else affix
        if not told or told.replace(" ", "").isalnum() or not told.strip():
            continue
        bare = [line.strip() for line in filled]
        having = [line for line in bare if (line.endswith if behind else line.startswith)(affix)]
        if len(having) >= _NEARLY * len(bare) and 2 * sum(len(line) > len(affix) for line in having) > len(bare):
            yield f"{'ends' if behind else 'begins'} with {quoted(told)}"
    listed_so = all(map(_LISTED.match, first)) and [_LISTED.match(line.strip()) is not None for line in filled]
    if listed_so and sum(listed_so) >= _NEARLY * len(filled):
        yield f"begins with a list marker, such as {quoted(first[0].split()[0])}"


_USUAL_ENDS = ".!?…。！？।॥؟۔።:\"'”»）)」』 "


_ENTITY = re.compile(r"&(amp|lt|gt|quot|apos|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


def decoded(text: str) -> str:
    """Return the text with XML's five entities and numbered characters replaced, once."""
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    what = match[1]
    if what in _NAMED:
        return _NAMED[what]
    code = int(what[2:], 16) if what[1] in "xX" else int(what[1:])
    is_one = 0 < code < 0xD800 or 0xE000 <= code <= 0x10FFFF
    return chr(code) if is_one else match[0]


_TAGGED = re.compile(r"\s*<([A-Za-z][\w:-]*)(?:\s[^<>]*)?>(.*)</\1\s*>\s*")


def _untagged(line: str) -> list[str] | None:
    match = _TAGGED.fullmatch(line)
    return None if match is None else [decoded(match[2]).strip()]


def _value(line: str) -> list[str] | None:
    """Return the one text that JSON, or what Python prints, holds on a line, or all; None where it holds no text."""
    bare = line.strip().rstrip(",")
    try:
        held = json_of(bare, "", 1)
    except ReadError:
        try:
            held = literal_eval(bare) if len(bare) < _LONG else None
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            return None
    texts = list(_leaves(held, ""))
    outputs = [text for key, text in texts if plain_name(key) in OUTPUTS]
    chosen = outputs if len(outputs) == 1 else [text for _, text in texts]
    return [*_ids(held), *chosen] if chosen else None


def _ids(held: object) -> Iterator[str]:
    """Yield the number of a segment that a value has beside its text."""
    named = (
        held.items()
        if isinstance(held, dict)
        else [("", one) for one in held]
        if isinstance(held, list | tuple)
        else ()
    )
    for name, own in named:
        is_number = isinstance(own, int) and not isinstance(own, bool) and abs(own) < 10**18
        if is_number and plain_name(str(name)) in COUNTERS:
            yield str(own)


_LONG = 100_000
"""Characters of a line that is read as Python would."""


def _leaves(held: object, key: str) -> Iterator[tuple[str, str]]:
    """Yield the texts in a value, each with the last name on the way to it."""
    if isinstance(held, bytes):
        held = held.decode("utf-8", "replace")
    if isinstance(held, str):
        yield key, held
    elif isinstance(held, dict):
        for name, inner in held.items():
            yield from _leaves(inner, str(name))
    elif isinstance(held, list | tuple):
        for inner in held:
            yield from _leaves(inner, key)


_WORD = re.compile(r"[\w.:/#+-]{1,80}", re.ASCII)


def _kind(cells: Sequence[str]) -> str:
    """Return what a column is: numbers, ids, labels, features of a decoder, or texts."""
    known = [cell.strip() for cell in cells if cell.strip()]
    enough = _NEARLY * len(known)
    if not known or sum(map(is_number, known)) >= enough:
        return "numbers"
    if sum("=" in cell and any(map(is_number, cell.split())) for cell in known) >= enough:
        return "features"
    if sum(all(map(is_number, cell.split())) for cell in known) >= enough:
        return "features"
    words = sum(_WORD.fullmatch(cell) is not None for cell in known)
    if words >= enough and sum(any(map(str.isdigit, cell)) for cell in known) >= enough:
        return "ids"
    return "labels" if 5 * len({re.sub(r"[\d.]+", "", cell) for cell in known}) <= len(known) else "texts"


def is_number(cell: str) -> bool:
    """Return whether a cell holds a number."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _texts(
    label: str, seen: _Seen, lines: Sequence[str], cells: Sequence[Sequence[str]]
) -> tuple[tuple[str, ...], str] | None:
    """Return the segments that a frame leaves, and what is said; None where it leaves the lines as they are."""
    width = max(map(len, cells))
    columns = [[own[at] if at < len(own) else "" for own in cells] for at in range(width)]
    kinds = [_kind(column) for column in columns] if seen.affix is None else ["ids", "texts"]
    heads = [own[0] for own, kind in zip(columns, kinds, strict=True) if kind == "numbers" and not is_number(own[0])]
    if any(head.strip().isidentifier() for head in heads):
        raise ReadError(
            f"{label}, line 1: {quoted(lines[0])} looks like the names of columns. Put the table at the top of the "
            "folder as .tsv or .csv, or save only the segments, one per line."
        )
    if kinds.count("texts") == 0 and kinds.count("labels") == 1:
        kinds[kinds.index("labels")] = "texts"  # answers of a word
    if kinds.count("texts") == 0 and seen.affix is None and "cells" in seen.what:
        raise ReadError(
            f"{label}: expected one segment per line; got {seen.what} without text, as in {quoted(lines[0])}. "
            "Save only the segments, or give the file another role."
        )
    if kinds.count("texts") == 0:
        return None
    if kinds.count("texts") > 1:
        number = next(place for place, own in enumerate(cells, 1) if len(own) == width)
        raise ReadError(
            f"{label}: expected one segment per line; got {kinds.count('texts')} texts on each ({seen.what}), as on "
            f"line {number}: {quoted(lines[number - 1])}. Save each text in a file of its own, or the table as .tsv "
            "with a first row of names (source, ref, and the systems)."
        )
    text = [cell.strip() if width > 1 else cell for cell in columns[kinds.index("texts")]]
    order = _order(label, seen, columns, kinds, cells)
    moved = "" if order == list(range(len(lines))) else ", and the lines were sorted by their numbers"
    frame = f"everything except the text ({seen.what})" if width > 1 and seen.affix is None else seen.what
    said = f"{label}: {frame} was removed from {sum(map(bool, cells)):,} lines{moved}."
    return tuple(text[at] for at in order), said


def _order(
    label: str, seen: _Seen, columns: Sequence[Sequence[str]], kinds: Sequence[str], cells: Sequence[Sequence[str]]
) -> list[int]:
    """Return the order of the lines: that of their numbers where these count all of them, as decoders log them."""
    as_they_are = list(range(len(cells)))
    told = [
        [cell.strip() for cell in column]
        for column, kind in zip(columns, kinds, strict=True)
        if (kind == "ids" or (kind == "numbers" and not any("." in cell for cell in column))) and len(set(column)) > 1
    ]
    whole = [column for column in told if all(map(str.isdigit, column))]
    if whole and any(before == after for before, after in pairwise(whole[0])) and not told[1:]:
        raise ReadError(
            f"{label}: expected one line per segment; got several lines numbered {next(iter(whole[0]))} "
            f"({seen.what}). Is this an n-best list? Keep the best line of each segment."
        )
    for column in told:
        rows = [re.findall(r"\d+", cell) for cell in column]
        for held in zip(*rows, strict=False) if len({*map(len, rows)}) == 1 else ():
            numbers = [int(digits[-18:]) for digits in held]
            if len(set(numbers)) == len(cells) and max(numbers) - min(numbers) == len(cells) - 1:
                return sorted(as_they_are, key=numbers.__getitem__)
    return as_they_are


@dataclass(frozen=True)
class Decoder:
    """A program's log: the lines of each text, those that are taken first; `first` is the number of the first segment.

    holds: what is in every log, by which it is known without a look at each line by each pattern.
    """

    program: str
    holds: str
    texts: Mapping[Role, Sequence[tuple[str, str]]]
    first: int = 0


_NUMBER = r"(?P<id>\d{1,18})"
_FAIRSEQ_SCORED = rf"-{_NUMBER}\t(?P<score>-?(?:\d+(?:\.\d*)?(?:e-?\d+)?|inf|nan))\t(?P<text>.*)"
_FAIRSEQ = rf"-{_NUMBER}\t(?P<text>.*)"

DECODERS = (
    Decoder("fairseq", "H-", {
        "system": [("D- lines", f"D{_FAIRSEQ_SCORED}"), ("H- lines", f"H{_FAIRSEQ_SCORED}")],
        "reference": [("T- lines", f"T{_FAIRSEQ}")],
        "source": [("S- lines", f"S{_FAIRSEQ}")],
    }),
    Decoder("Marian", "Best translation ", {
        "system": [("lines of the best translation", rf"(?:.*\] )?Best translation {_NUMBER} : (?P<text>.*)")],
    }),
    Decoder("OpenNMT-py", "PRED ", {
        "system": [("PRED lines", rf"(?:\[.*\] )?PRED {_NUMBER}: (?P<text>.*)")],
        "reference": [("GOLD lines", rf"(?:\[.*\] )?GOLD {_NUMBER}: (?P<text>.*)")],
        "source": [("SENT lines", rf"(?:\[.*\] )?SENT {_NUMBER}: (?P<text>[^\[(].*)")],
    }, first=1),
    Decoder("Sockeye", "\toutput=", {
        "system": [("outputs", r"input=[^\t]*\toutput=(?P<text>[^\t]*)\tinput_tokens=\d+\toutput_tokens=\d+\t\S+")],
        "source": [("inputs", r"input=(?P<text>[^\t]*)\toutput=[^\t]*\tinput_tokens=\d+\toutput_tokens=\d+\t\S+")],
    }),
)  # fmt: skip


_Matches: TypeAlias = list[tuple[int, re.Match[str]]]
_Found: TypeAlias = Mapping[Role, tuple[str, _Matches]]


def logged(label: str, role: Role, lines: Sequence[str]) -> tuple[tuple[str, ...], tuple[Note, ...]] | None:
    """Return the segments of a text in a decoder's log, in the order of their numbers; None where lines are no log."""
    known = _known(lines)
    return None if known is None else _text(label, role, *known)


def is_log(head: bytes) -> bool:
    """Return whether a file that begins so is a decoder's log."""
    return _known(head.decode(errors="replace").split("\n")) is not None


def _known(lines: Sequence[str]) -> tuple[Decoder, _Found] | None:
    whole = "\n".join(lines)
    for decoder in DECODERS:
        if whole.count(decoder.holds) < 2:
            continue
        found = {role: _lines_of(own, lines) for role, own in decoder.texts.items()}
        outputs, count = len(found["system"][1]), sum(len(matches) for _, matches in found.values())
        # Where each line is an output of fairseq, that is a frame as others are.
        alone = decoder is DECODERS[0] and count == outputs >= _NEARLY * sum(map(bool, lines))
        if outputs and count >= _LEAST and not alone:
            return decoder, found
    return None


def _lines_of(texts: Sequence[tuple[str, str]], lines: Sequence[str]) -> tuple[str, _Matches]:
    """Return what the lines of a text are called, and those of the first kind that there is."""
    for what, pattern in texts:
        matching = re.compile(pattern).fullmatch
        if matches := [(number, match) for number, line in enumerate(lines, 1) if (match := matching(line))]:
            return what, matches
    return texts[0][0], []


def _text(label: str, role: Role, decoder: Decoder, found: _Found) -> tuple[tuple[str, ...], tuple[Note, ...]]:
    what, matches = found.get(role, ("", []))
    log = f"{label} is a log of {decoder.program}"
    if not matches:
        lacking = f", such as {what}" if what else ""
        raise ReadError(f"{log} without the lines of a {role}{lacking}. Give the {role} as a file of its own.")
    if "id" not in matches[0][1].re.groupindex:
        text = f"{log}: its {what} were read; other lines were ignored."
        return tuple(match["text"] for _, match in matches), (Note("note", text),)
    segments: dict[int, str] = {}
    most = 1
    for number, group in groupby(matches, key=lambda own: int(own[1]["id"])):
        own = list(group)
        most = max(most, len(own))
        scores = [float(match["score"]) for _, match in own] if "score" in own[0][1].groupdict() else []
        if number in segments or (len(own) > 1 and (not scores or scores[0] < max(scores))):
            raise ReadError(
                f"{label}, line {own[-1][0]}: segment {number} occurs a second time among the {what} of "
                f"{decoder.program}. Are these several logs in one file? Give one log per system."
            )
        segments[number] = own[0][1]["text"]
    _check_all(label, decoder, what, matches, segments)
    best = f"; of {most} hypotheses of a segment, the first was kept, which has the best score" if most > 1 else ""
    text = f"{log}: its {what} were read in the order of their numbers{best}; other lines were ignored."
    notes = [Note("note", text)]
    if what == "H- lines":
        text = f"{label}: the log has no D- lines, so its outputs may be tokenized. Detokenize them before comparing."
        notes.append(Note("warning", text))
    return tuple(segments[number] for number in sorted(segments)), tuple(notes)


def _check_all(label: str, decoder: Decoder, what: str, matches: _Matches, segments: Mapping[int, str]) -> None:
    """Raise ReadError where numbers of segments are missing: a line of other texts would stand beside the next."""
    missing = next((number for number in range(decoder.first, max(segments)) if number not in segments), None)
    if missing is not None:
        line, match = max(matches, key=lambda own: int(own[1]["id"]))
        lacking = max(segments) - decoder.first + 1 - len(segments)
        raise ReadError(
            f"{label}: expected {what} of {decoder.program} for all segments from {decoder.first} to "
            f"{max(segments)} (line {line}, {quoted(match[0], 40)}); {number_of(lacking, 'segment')} missing, first "
            f"{missing}. Were long inputs skipped, or only a part of the set translated? Translate all of them, or put "
            "the logs of all parts into one file."
        )
