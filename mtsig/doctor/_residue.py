"""Residue of decoders and language models: text on many lines of one system, and not in the references there.

All checks share one rule: many lines of a system have the same beginning, end, mark, wrapping or change, and neither
the references nor the source have it on these lines.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import eq

from mtsig._limits import normalized
from mtsig.corpus._notes import quoted
from mtsig.doctor._view import Finding, Level, Named, View, also, counted, first_lines, headline, systems_of

Lines = Sequence[str]
Texts = Sequence[str | None]

LEAST, MANY = 3, 0.05
"""A mark is residue from so many lines and this share of them on."""

MOST = 0.2
"""Of what texts have, too, such as a quotation mark, it takes this share."""

LOUD = 0.25
"""From this share on it is a warning: of published outputs, one has a mark of unknown words on 22% of its lines."""

NEARLY = 0.9
"""Of references it is told from this share of the lines on."""

OF_REFERENCES = 0.1
"""At most this part of what a system has may be what the references have elsewhere."""

_LONGEST, _AGAIN = 60, 12
_GROWS = 0.8
"""A beginning is as long as this part of its lines share it."""

_FEWEST = 10
"""Lines from which on shares are told."""


@dataclass(frozen=True)
class Change:
    """A change of whole lines: what it is, what to do, which lines show it, and from which share on it is told."""

    what: str
    todo: str
    shows: Callable[[str], bool]
    share: float = MANY


_WRAPPED = re.compile(
    r"""\s*(?:"[^"]*"|'[^']*'|“[^“”]*”|«[^«»]*»|„[^„“”]*[“”]|‘[^‘’]*’|「[^「」]*」|```.*```|`[^`]*`|\*\*.+\*\*|\*[^*]+\*"""
    r"""|__?[^_].*__?|\[[^\[\]]*\]|\{.*\}|\([^()]*\))\s*""",
    re.DOTALL,
)
_TECHNICAL = "<>|#*/\\_~^=+{}[]@$`"
"""Signs with which no sentence begins or ends."""

_STOPS = ".!?…。！？।॥؟۔።"
_ENDS = _STOPS + ":;\"'”»)）」』]"

_ANNOUNCED = re.compile(r"[^\W\d_][^.:：!！\n]{1,40}(?:[:：]|[!！](?=\s*\w)| [-=—] )")
_PUNCTUATION = re.compile(r"[^\w\s]")
_DIGITS, _FULL_WIDTH, _ACCENTED = map(re.compile, (r"\d+", "[Ａ-Ｚａ-ｚ]", "[À-ÖØ-öø-ž]"))


def _accents(line: str) -> list[str]:
    return [] if line.isascii() else _ACCENTED.findall(line)


_MIXED = re.compile(r"[\u0370-\u052f](?:[a-zA-Z]|(?<=[a-zA-Z].))")
_SPACED = re.compile(r" (?<!\w\w )(?<=[^\W\d_] )(?:[^\W\d_] ){7,}")


def _in_capitals(line: str) -> bool:
    """Return whether most letters of a line with words are capitals."""
    # Of nearly every line half is small letters of ASCII, which are counted at once.
    small = len(plain := line.encode("ascii", "ignore")) - len(plain.translate(None, b"abcdefghijklmnopqrstuvwxyz"))
    if 2 * small >= len(line) or len(line.split(maxsplit=3)) <= 3:
        return False
    return 2 * sum(map(str.isupper, line)) > sum(map(str.isalpha, line))


CHANGES = (
    Change("are completely in quotation marks or brackets", "Remove these.",
           lambda line: _WRAPPED.fullmatch(line) is not None),
    Change("begin with words and a colon, or an exclamation mark", "Did the model announce its answer? Keep only the "
           "translation.", lambda line: _ANNOUNCED.match(line) is not None, MOST),
    Change("have decomposed letters (NFD), with the accent as its own character",
           "Compose them: unicodedata.normalize('NFC', line).", lambda line: not line.isascii()
           and normalized("NFC", line) != line and any(map(unicodedata.combining, line))),
    Change("have full-width letters", "Normalize them: unicodedata.normalize('NFKC', line).",
           lambda line: not line.isascii() and _FULL_WIDTH.search(line) is not None),
    Change("have a space after every letter", "Join the letters into words.",
           lambda line: _SPACED.search(line) is not None),
    Change("begin or end with spaces", "Remove these spaces.",
           lambda line: line != line.strip(" "), MOST),
    Change("have no-break spaces between words", "Write ordinary spaces.", lambda line: "\u00a0" in line, MOST),
    Change("begin every word with a capital", "Restore small letters.",
           lambda line: line.istitle() and len(line.split(maxsplit=3)) > 3),
    Change("are in capitals", "Restore small letters.", _in_capitals),
    Change("are all in small letters", "Restore capitals.",
           lambda line: line.islower() and len(line.split(maxsplit=3)) > 3),
    Change("have question marks within words", "Letters were lost: write the file again, as UTF-8.",
           lambda line: "?" in line and re.search(r"[^\W\d_]\?[^\W\d_]", line) is not None),
    Change("have no spaces", "Put spaces between the words.", lambda line: len(line) > 30 and " " not in line),
    Change("have no punctuation", "Was it removed?",
           lambda line: not _PUNCTUATION.search(line) and len(line.split(maxsplit=5)) > 5, MOST),
    Change("mix letters of two alphabets within a word", "Write each word in one alphabet.",
           lambda line: not line.isascii() and _MIXED.search(line) is not None),
)  # fmt: skip
"""What may have happened to whole lines; of each, lines that a reference shows, too, do not count."""

_MARK = re.compile(
    r"<\|[^<>|]{1,40}\|>|</?[A-Za-z][\w:.-]{0,30}(?:\s[^<>]{0,60})?/?>|\[/?[A-Z][A-Z_]{1,20}\]|__[A-Za-z_0-9]{2,12}__"
    r"|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[nrt\"'/]|%[0-9A-F]{2}(?=%[0-9A-F]{2})|⁇|▁|```|\*\*|\$\$|@@|##(?=\w)"
    r"|>>\w{2,12}<<|<2\w{2,8}>|\{\{\w*\}\}|\{\d\}|<0x[0-9A-F]{2}>|\$[A-Z]{2,}|Ġ|｟[^｠]*｠"
    r"|UNK\b(?<=\bUNK)|NUM\b(?<=\bNUM)|OOV\b(?<=\bOOV)|EOS\b(?<=\bEOS)|BOS\b(?<=\bBOS)"
)
"""Marks that no text has: tags, tokens, escapes, subwords, fences. Each begins with one sign, which is found fast."""

_CAPITALS = re.compile(r"[A-Z]{3,}(?![A-Za-z])")
"""Words in capitals, which may stand for others, such as NAME: on 2 * MANY lines, and beside them on none, they do."""


@dataclass(frozen=True)
class _Found:
    """What many lines have: the mark itself, where it is one; in words, what to do, the lines, and how loud it is."""

    mark: str
    what: str
    todo: str
    hits: list[int]
    level: Level

    def is_part_of(self, other: "_Found") -> bool:
        """Return whether another finding says the same of more lines, or more of the same."""
        if not self.mark or not other.mark:
            return False
        own, its = self.mark.strip(" ."), other.mark.strip(" .")
        if own not in its and its not in own:
            return False
        return (len(self.hits), len(own)) < (len(other.hits), len(its))


def check_residue(view: View) -> Iterator[Finding]:
    """Yield residue on many lines of a system and of no reference: affixes, marks, changes, cut or repeated text."""
    view = view.of_sample
    corpus, seen, bare = view.corpus, dict[tuple[int, str], set[int]](), dict[int, list[str]]()
    if len(corpus) < _FEWEST:
        return
    sources = corpus.segments.sources
    said = list[tuple[Named, Lines, _Found]]()
    for run, lines in corpus.outputs.items():
        # Without references it is the other systems that tell what texts are like here.
        known: list[Texts] = list(corpus.references.values())
        known = known or [own for name, own in corpus.outputs.items() if name != run]
        if not known:
            return
        beside = [*known, sources] if sources is not None else known
        whole = [*_repeated(lines, known), *_cut(lines, known)]
        covered = {i for found in whole for i in found.hits}
        marks = [found for found in _shown(lines, beside, bare) if not set(found.hits) <= covered]
        covered = {i for found in marks for i in found.hits}
        changes = [found for found in _changes(lines, known, sources, seen) if not set(found.hits) <= covered]
        told = {found.what for found in (*whole, *changes)}
        if loud := [found for found in marks if found.level == "warning"]:
            # What else happened to a line is seen when the marks around it, or in it, are taken off.
            rest = _without(loud, lines)
            below = [*_repeated(rest, known), *_cut(rest, known), *_changes(rest, known, sources, {}, least=MANY)]
            changes += [found for found in below if found.what not in told]
        said += [(Named("system", run), lines, found) for found in (*whole, *_together([*marks, *changes], lines))]
    for name, references in corpus.references.items():
        lines = [line or "" for line in references]
        others = [*corpus.outputs.values(), *(own for other, own in corpus.references.items() if other != name)]
        beside = [*others, *filter(None, [sources])]
        marks = _shown(references, beside, bare) if beside else []
        marks = [found for found in marks if len(found.hits) >= NEARLY * len(lines)]
        said += [(Named("reference", name), lines, found) for found in (*marks, *_with_source(lines, others, sources))]
    yield from _said(view, said)


def _together(every: Sequence[_Found], lines: Lines) -> list[_Found]:
    """Return what was found; where many lines have one mark or another, each of these is a warning."""
    having = {i for found in every if len(found.hits) <= LOUD * len(lines) for i in found.hits}
    is_loud = len(having) >= LOUD * len(lines)
    return [replace(found, level="warning") if is_loud and found.mark.strip(_STOPS + " ") else found for found in every]


_NUMBER, _ANY = re.compile(r"\d(?<![^\s(\[{<|/:.#-].)\d*\b"), "\0"


def _shown(lines: Texts, beside: Sequence[Texts], bare: dict[int, list[str]]) -> list[_Found]:
    """Return what many lines begin or end with, and their marks, once each; `bare`: texts, composed and stripped.

    Any number is as good as another there: lines may be numbered, or end with a score.
    """
    for column in (lines, *beside):
        if id(column) not in bare:
            bare[id(column)] = [_NUMBER.sub(_ANY, normalized("NFC", (line or "").strip())) for line in column]
    own, *others = (bare[id(column)] for column in (lines, *beside))
    marks = [*_affixes(own, others, ends=False), *_affixes(own, others, ends=True), *_marks(lines, beside)]
    return [found for found in marks if not any(found.is_part_of(other) for other in marks)]


def _without(marks: Sequence[_Found], lines: Lines) -> list[str]:
    """Return the lines without the marks; a full stop before an end remains, as it belongs to the text."""
    shown = sorted({found.mark.lstrip(_STOPS).strip() for found in marks} - {""}, key=len, reverse=True)
    pattern = re.compile("|".join(re.escape(mark).replace(re.escape(_ANY), r"\d+") for mark in shown) or r"(?!)")
    return [pattern.sub(" ", line).strip() for line in lines]


def _said(view: View, every: Sequence[tuple[Named, Lines, _Found]]) -> Iterator[Finding]:
    """Yield what was found, once for all texts that show the same."""
    alike = dict[tuple[Level, str, str], list[tuple[Named, Lines, _Found]]]()
    for one in every:
        alike.setdefault((one[2].level, one[2].what, one[2].todo), []).append(one)
    for (level, what, todo), some in alike.items():
        some.sort(key=lambda one: -len(one[2].hits))
        hits = {where: view.in_whole(found.hits) for where, _, found in some}
        (first, lines, found), names = some[0], [*hits]
        text = (
            f"{what}: {counted(hits.pop(first), len(view.corpus))}, such as {quoted(lines[found.hits[0]])}.{also(hits)}"
        )
        yield Finding(
            "residue", level, "likely", str(first), text, todo, first_lines(view.in_whole(found.hits)),
            headline(names, "has lines to clean", "have lines to clean"), systems_of(names),
        )  # fmt: skip


def _affixes(lines: Lines, beside: Sequence[Lines], ends: bool) -> Iterator[_Found]:
    """Yield the beginnings, or ends, that many lines share and that nothing beside them has; all of them are bare."""
    has = str.endswith if ends else str.startswith
    least = max(LEAST, MANY * len(lines))
    # What others write in small letters is no residue of a system in capitals.
    folded = [[line.casefold() for line in column] for column in beside]
    for affix in _shared([line[::-1] for line in lines] if ends else lines, least):
        shown = affix[::-1] if ends else affix
        bare = shown.strip()
        is_mark = not any(map(str.isalnum, bare))
        if not bare or (not is_mark and len(bare) < 12 and bare.replace(" ", "").isalnum()):
            continue
        small = shown.casefold()
        elsewhere = max(sum([has(line, small) for line in column]) for column in folded)
        if elsewhere > OF_REFERENCES * len(lines):
            continue
        hits = [i for i, line in enumerate(lines) if has(line, shown) and line != shown
                and not any(has(column[i], small) for column in folded)]  # fmt: skip
        if len(hits) < min(least, MOST * len(lines)):
            continue
        # A mark such as - or . is written by some and not by others; a sign that no text begins with is residue.
        is_common = ((is_mark and len(bare) < 3) or len(bare) < 4) and elsewhere
        enough = MOST * len(lines) if is_common else least
        if len(hits) >= enough and elsewhere <= OF_REFERENCES * len(hits):
            told = "a number" if bare == _ANY else repr(shown.replace(_ANY, "N")) + (", N a number" * (_ANY in shown))
            what = f"lines that {'end' if ends else 'begin'} with {told}"
            # Sentences may end with most single signs, if not nearly all of them.
            is_usual = is_mark and len(bare) < 2 and (bare in _STOPS or len(hits) < NEARLY * len(lines))
            level: Level = "note" if is_usual and bare not in _TECHNICAL else _level(hits, lines)
            yield _Found(shown, what, "Remove this text before scoring.", hits, level)


def _shared(texts: Sequence[str], least: float) -> Iterator[str]:
    """Yield the beginnings that at least so many texts share, each as long as nearly all of its texts share it."""
    left = [("", 0, list(range(len(texts))))]
    while left:
        affix, fork, having = left.pop()
        groups: dict[str, list[int]] = {}
        for i in having:
            if len(texts[i]) > len(affix):
                groups.setdefault(texts[i][len(affix)], []).append(i)
        longer = {sign: own for sign, own in groups.items() if len(own) >= least}
        grows = max(map(len, longer.values()), default=0) >= _GROWS * len(having)
        # Behind two signs that texts share by chance, it takes more to be the same text again.
        if affix and not (grows and len(affix) < _LONGEST) and (fork < 2 or len(affix) >= fork + _AGAIN):
            yield affix
        if len(affix) < _LONGEST:
            left += [(affix + sign, fork if grows else len(affix), own) for sign, own in longer.items()]


def _marks(lines: Texts, beside: Sequence[Texts]) -> Iterator[_Found]:
    """Yield the marks that no text has on lines where nothing beside has them."""
    hits: dict[str, list[int]] = {}
    for i, line in enumerate(lines):
        marks, words = _MARK.findall(line or ""), _CAPITALS.findall(line or "")
        for mark in dict.fromkeys([*marks, *(words if words and not _in_capitals(line or "") else ())]):
            kind = re.sub(r"\s.*?(?=/?>)", "", mark) if mark.startswith("<") else mark[:2] if mark[0] in "\\%" else mark
            if not any(column[i] and mark in (column[i] or "") for column in beside):
                hits.setdefault(kind, []).append(i)
    for kind, own in hits.items():
        share = 2 * MANY if _CAPITALS.fullmatch(kind) and not _MARK.fullmatch(kind) else 0.01
        if len(own) >= max(LEAST, share * len(lines)):
            todo = "Remove it, or decode it, before scoring."
            yield _Found(kind, f"lines with {kind!r}", todo, own, _level(own, lines))


def _level(hits: Sequence[int], lines: Texts) -> Level:
    return "warning" if len(hits) >= LOUD * len(lines) else "note"


def _changes(
    lines: Lines, known: Sequence[Texts], sources: Lines | None, seen: dict[tuple[int, str], set[int]], least: float = 1
) -> Iterator[_Found]:
    """Yield the changes that many lines show and no reference does, and sources that are handed along.

    seen: what each text is known to show, as references are looked at for every system. least: changes that are told
    from a greater share on are left out.
    """
    for change in (change for change in CHANGES if change.share <= least):
        for column in (lines, *known):
            if (id(column), change.what) not in seen:
                seen[id(column), change.what] = {i for i, line in enumerate(column) if line and change.shows(line)}
        own, *beside = (seen[id(column), change.what] for column in (lines, *known))
        hits, elsewhere = sorted(own.difference(*beside)), max(map(len, beside))
        if len(hits) >= max(LEAST, change.share * len(lines)) and elsewhere <= OF_REFERENCES * len(hits):
            yield _Found("", f"lines that {change.what}", change.todo, hits, _level(hits, lines))
    yield from _with_source(lines, known, sources)


def _with_source(lines: Lines, known: Sequence[Texts], sources: Lines | None) -> Iterator[_Found]:
    """Yield lines that hold their source, and something else."""
    if sources is not None:
        own = [i for i, (line, source) in enumerate(zip(lines, sources, strict=True))
               if len(source) >= 20 and source in line and line.strip() != source.strip()
               and not any(source in (column[i] or "") for column in known)]  # fmt: skip
        if len(own) >= max(LEAST, MANY * len(lines)):
            yield _Found("", "lines that also contain the source", "Remove it before scoring.", own, "warning")


CUT = 0.75
"""A line is cut when it is shorter than this times what a reference has there, as the system is usually as long."""


def _cut(lines: Lines, known: Sequence[Texts]) -> Iterator[_Found]:
    """Yield lines that end before their sentence does, or go on long after it."""
    references = [max([line or "" for line in own], key=len) for own in zip(*known, strict=True)]
    ratios = [
        len(line) / len(reference) for line, reference in zip(lines, references, strict=True) if line and reference
    ]
    if len(ratios) < _FEWEST:
        return
    usual = min(max(sorted(ratios)[len(ratios) // 2], 0.9), 1.1)
    bare = [
        i for i, (line, reference) in enumerate(zip(lines, references, strict=True))
        if line.rstrip()[-1:].isalnum() and len(line) >= 20 and reference.rstrip()[-1:] in _STOPS
        and len(line) >= CUT * usual * len(reference)
    ]  # fmt: skip
    if len(bare) >= max(LEAST, LOUD * len(lines)):
        todo = "Was the full stop removed, or the last word? Other systems have it."
        level: Level = "warning" if len(bare) >= 0.5 * len(lines) else "note"
        yield _Found("", "lines without the full stop that their references have", todo, bare, level)
    cut = [
        i for i, (line, reference) in enumerate(zip(lines, references, strict=True))
        if len(line) < CUT * usual * len(reference) and line.strip() and len(reference) >= 20
        and reference.rstrip()[-1:] in _ENDS and line.rstrip()[-1:] not in _ENDS
    ]  # fmt: skip
    if len(cut) >= max(LEAST, MANY * len(lines)):
        todo = "Was the number of tokens limited? Translate again with a higher limit."
        yield _Found("", "lines that are cut off", todo, cut, "warning")
    for parts, what, least in ((_DIGITS.findall, "numbers", 0), (_accents, "accented letters", MOST)):
        having = [i for i in range(len(lines)) if all(parts(column[i] or "") for column in known)]
        without = [
            i for i in having
            if {*parts(lines[i])}.isdisjoint(part for column in known for part in parts(column[i] or ""))
        ]  # fmt: skip
        if len(having) >= least * len(lines) and len(without) >= max(_FEWEST, 0.75 * len(having)):
            todo = f"Were {what} removed, or replaced? Restore them before scoring."
            yield _Found("", f"lines without the {what} that their references have", todo, without, "warning")
    long = [i for i, (line, reference) in enumerate(zip(lines, references, strict=True))
            if len(reference) >= 20 and len(line) > 2.5 * len(reference)]  # fmt: skip
    if len(long) >= max(LEAST, MANY * len(lines)):
        todo = "Did the model add remarks, or repeat itself? Keep only the translation."
        yield _Found("", "lines far longer than their references", todo, long, "warning")


def _repeated(lines: Lines, known: Sequence[Texts]) -> Iterator[_Found]:
    """Yield lines in which words come four times in a row, or four words twice, or that say the whole twice."""
    hits = [
        i for i, line in enumerate(lines)
        if len(line) >= 20 and _repeats(line) and not any(_repeats(column[i] or "") for column in known)
    ]  # fmt: skip
    if len(hits) >= LEAST and len(hits) >= 0.02 * len(lines):
        todo = "Did the system repeat itself in a loop? Limit repetition, or translate these lines again."
        level: Level = "warning" if len(hits) >= MANY * len(lines) else "note"
        yield _Found("", "lines that repeat themselves", todo, hits, level)


def _repeats(line: str) -> bool:
    """Return whether words come four times in a row, over twenty characters and more, or four words or all twice."""
    words = line.lower().split()
    if 12 * len(words) < len(line):
        return _repeats_signs("".join(words))
    # Who says some words four times says each of them three times again, and who says the whole twice half of all.
    again = len(words) - len(set(words))
    for period in range(1, min(9, again // 3 + 1)):
        least = max(3 * period, 12 - 4 * sum(map(len, words[:period])))
        if bytes([1]) * least in bytes(map(eq, words[period:], words)):
            return True
    pairs = list(pairwise(words)) if again > 3 else []
    if sum(one == other for one, other in pairs) > 3 or (
        len(pairs) - len(set(pairs)) > 2 and _comes_twice(words, 4, again, 0)
    ):
        return True
    half = len(words) // 2
    # Some say "or" between.
    return any(again >= half > 3 and words[:half] == words[-half:] for half in range(half - 1, half + 1))


def _repeats_signs(line: str) -> bool:
    """Return whether nine signs or more, or all, come twice, with up to four between, in a script without spaces."""
    grams = [line[i : i + 6] for i in range(len(line) - 5)]
    if len(grams) - len(set(grams)) < 4:
        return False
    half = len(line) // 2
    return _comes_twice(line, 9, 60, 4) or any(line[:own] == line[-own:] for own in range(max(1, half - 2), half + 1))


def _comes_twice(units: Sequence[str], least: int, most: int, between: int) -> bool:
    """Return whether some units come again at once, from `least` to `most` of them with those between."""
    return any(
        bytes([1]) * max(least, period - between) in bytes(map(eq, units[period:], units))
        for period in range(least, min(most, len(units) // 2 + between) + 1)
    )
