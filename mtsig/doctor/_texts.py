"""Checks of text: wrong characters, copies, text of a reference, and processed text."""

import re
import unicodedata
from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import compress, islice, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mtsig._memory import remembered
from mtsig._records import Mask
from mtsig.corpus._corpus import Lines
from mtsig.corpus._notes import FEW, GIVE_TEXT, is_placeholder, listed, number_of, quoted
from mtsig.doctor import _view
from mtsig.doctor._view import NOTHING, WHOLE, WHOLE_SOURCE, Confidence, Finding, Level, Named, Shown, View, counted
from mtsig.metrics._kinship import spliced_text
from mtsig.text._characters import codes_of, letters_of


class Kind(NamedTuple):
    """Characters of one kind, and what is known about them."""

    pattern: re.Pattern[str]
    what: str
    advice: str
    has: str


KINDS = (
    Kind(re.compile("\ufeff"), "a byte-order mark inside the line",
         "The mark is read as part of the next word. Remove U+FEFF.", "byte-order marks"),
    Kind(re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]"), "a separator that other programs read as a line break",
         "mtsig splits only at newlines, so a program that splits here gets different lines. Replace it by a space.",
         "unusual line separators"),
    Kind(re.compile("\r"), "a carriage return",
         "Only a part of the file has Windows line ends. Save it with newlines only.", "Windows line ends"),
    Kind(re.compile("\t"), "a tab", "It breaks tables. Replace it by a space.", "tabs"),
    Kind(re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f]"), "a control character",
         "Characters U+0080 to U+009F come from text that was decoded as Latin-1. Decode it again.",
         "control characters"),
    Kind(re.compile("\ufffd"), "a replacement character",
         "A character here could not be decoded. Decode the original bytes again.", "undecodable characters"),
    Kind(re.compile("[ÃÂâÐ](?:(?<=[ÃÂ])[\x80-\xbf]|(?<=â)€[\x80-\xbf™œžš¢¦“”]|(?<=Ð)[\x80-\xbf]Ð)"),
         "letters such as Ã© and â€™",
         "UTF-8 was decoded as another encoding. Decode it again.", "wrongly decoded text"),
    Kind(re.compile("[\u200b\u2060\u00ad\u202a-\u202e\u2066-\u2069]"), "an invisible character",
         "It makes identical words different. Remove it, unless the script needs it.", "invisible characters"),
)  # fmt: skip

_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#[0-9]{1,6}|#x[0-9a-fA-F]{1,5});")


def check_characters(view: View) -> Iterator[Finding]:
    """Return a finding for every kind of wrong character, with the texts that have it."""
    return _by_text("characters", view, KINDS, plain=bytes([*b"\n", *range(32, 127)]))


def check_entities(view: View) -> Iterator[Finding]:
    """Return a finding for HTML entities, with the texts that have them."""
    advice = "sacreBLEU's tokenizer 13a decodes them once, but others do not. Decode them in all texts."
    return _by_text("entities", view, [Kind(_ENTITY, "an HTML entity such as &amp;", advice, "HTML entities")])


def _by_text(check: str, view: View, kinds: Sequence[Kind], plain: bytes = b"") -> Iterator[Finding]:
    """Yield a finding for each kind; plain: ASCII characters that stand in no match of any of them."""
    hits: list[dict[Named, Sequence[int]]] = [{} for _ in kinds]
    for name, lines in view.texts.items():
        whole = "\n".join(line or "" for line in lines).encode("utf-8", "surrogatepass")
        left = whole.translate(None, plain).decode("utf-8", "surrogatepass")
        for own, kind in zip(hits, kinds, strict=True):
            # One search over the whole text decides most cases: texts without any are the rule.
            if kind.pattern.search(left):
                found = (number for number, line in enumerate(lines) if line and kind.pattern.search(line))
                own[name] = view.in_whole(found)
    for own, kind in zip(hits, kinds, strict=True):
        shown = Shown(check, f"lines with {kind.what}", kind.advice, kind.has, "certain")
        yield from _view.by_text(shown, own, len(view.corpus))


NEARLY = 0.95
"""From this share of equal lines on, two systems are nearly one."""

MOSTLY_EQUAL = 0.5
"""From this share of equal lines on, a reference and a system have something to do with each other."""

COPIED = 0.05
"""From this share of copied source lines on, a system did not translate: names and numbers alone stay below it."""

LONG = 20
"""Characters from which on a line is not equal to another by chance."""

LOOPING_FROM, LOOP, LOOPED = 60, 10, 3
"""A line of so many characters loops where each of its stretches of 10 comes three times and more on average."""

ALIKE = 0.5
"""From this share of common trigrams on, two lines say nearly one thing; unlike lines of a text have .1 or so."""


def check_empty(view: View) -> Iterator[Finding]:
    """Yield the references without text, and the texts with empty lines."""
    void = view.corpus.void_references
    for reference, said in void.items():
        where, headed = f"reference {reference!r}", f"Reference {reference} has no text"
        yield Finding("empty", "warning", "certain", where, f"has no text: {said}.", GIVE_TEXT, headline=headed)
    several = len(view.corpus.references) > 1
    hits = {
        name: numbers for name, numbers in view.hits(lambda _, line: not line.strip(), source=True).items()
        # Of several references, one that is empty somewhere has no such segment.
        if not (name.role == "reference" and (several or name.name in void))
    }  # fmt: skip
    advice = "These lines are scored as empty. Did the program stop too early, or did post-processing remove lines?"
    shown = Shown("empty", "empty lines", advice, "empty lines", "certain")
    yield from _view.of_whole_texts(shown, hits, len(view.corpus), advice, "is empty", NOTHING)
    void_hits = view.hits(lambda _, line: is_placeholder(line))
    said = "lines with a word such as None or TODO instead of a text"
    shown = Shown("empty", said, "Omit these segments, or give their texts.", "placeholders", "certain")
    kept = {name: own for name, own in void_hits.items() if len(own) > 2 and name.name not in void}
    yield from _view.beside_references(shown, kept, len(view.corpus))


def check_identical(view: View) -> Iterator[Finding]:
    """Yield the systems that are equal line by line, and each system that nearly equals an earlier system."""
    total = len(view.corpus)
    equal: dict[Lines, list[str]] = {}
    for run, lines in view.corpus.outputs.items():
        equal.setdefault(lines, []).append(run)
    for runs in equal.values():
        if len(runs) > 1:
            advice = "Was one file copied over another? If they are runs of one system, use names such as X.run1."
            where = f"systems {listed(list(map(repr, runs)), most=FEW)}"
            named = f"{runs[0]} and {runs[1]}" if len(runs) == 2 else f"{len(runs)} systems"
            said, headed = "are identical, line by line.", f"{named} are identical"
            yield Finding("identical", "warning", "certain", where, said, advice, (), headed, tuple(runs))
    for first, second, same in _nearly_equal(list(equal)):
        where = f"systems {equal[first][0]!r} and {equal[second][0]!r}"
        advice = "Are they the same engine, or a copy with a few changed lines?"
        said, pair = f"share {same:,} of {total:,} lines.", (equal[first][0], equal[second][0])
        headed = f"{pair[0]} and {pair[1]} nearly identical"
        yield Finding("identical", "note", "possible", where, said, advice, (), headed, pair)


MIXED = 0.3
"""From this share of equal longer lines on, two systems whose other lines are unlike are not two systems."""

UNLIKE = 0.7
"""Two systems' other lines are unlike from this part of the distance on that lines of unrelated systems have."""

APART, APART_ALONE = 0.3, 0.5
"""Lines of unrelated systems have at least this part of the distance that they have from a reference; the second where
there is no third system to compare with. In MultEval's runs, TED talks and the sample, unrelated systems have .32 to
.92; related ones, of MIXED equal lines and more, .06 to .15, and three systems of TED's up to .45."""

CHANGED = 4.0
"""Standard errors by which the likeness of a mixed system to another text differs between its two kinds of lines."""


def check_mixed(view: View) -> Iterator[Finding]:
    """Yield the systems that have many lines of another, while their other lines have nothing of it.

    Of a pair it is the one that other texts are like on some lines only; the other one's relatives do not change.
    """
    view = view.of_sample
    shared, told = dict[tuple[str, str], tuple[Mask, Mask]](), dict[tuple[str, str], str]()
    for pair, own in islice(_mixed_lines(view), _MOST_MIXED):
        shared[pair], told[pair] = own, _mixed_one(view, pair, *own)
    for pair, (same, _) in sorted(shared.items(), key=lambda own: -own[1][0].sum()):
        if pair not in told:
            continue
        hubs = [run for run in pair if run in told.values() or sum(run in other for other in told) > 1]
        one = told[pair] or (hubs[0] if len(hubs) == 1 else "")
        # What else the one has in common with others is explained by this, unless it is theirs.
        told = {
            other: run for other, run in told.items() if other != pair and (one not in other or run not in ("", one))
        }
        first, second = pair if one in ("", pair[0]) else pair[::-1]
        where, headed = f"systems {first!r} and {second!r}", f"{first} and {second} share lines"
        same_as, also = "the same in both", " The texts do not show which system has lines of the other."
        if one:
            where, headed, same_as, also = f"system {one!r}", f"{one} has lines of {second}", f"those of {second!r}", ""
        numbers, text = view.in_whole(np.flatnonzero(same).tolist()), view.corpus.outputs[first][int(same.argmax())]
        said = (
            f"{counted(numbers, len(view.corpus))} are {same_as}, such as {quoted(text)}. The other lines are as "
            f"different as those of unrelated systems.{also}"
        )
        advice = "Were lines of one system written into the other's file? Translate the segments of these lines again."
        found, of = _view.first_lines(numbers), (one,) if one else pair
        yield Finding("mixed systems", "warning", "likely", where, said, advice, found, headed, of)


_MOST_PAIRS, _MOST_MIXED, _MOST_THIRD = 1_000, 50, 50
"""Pairs of systems whose lines are compared, those that share most; findings; and other systems to compare with."""


def _mixed_lines(view: View) -> Iterator[tuple[tuple[str, str], tuple[Mask, Mask]]]:
    """Yield pairs of systems with many equal lines, most first: these lines, and those unlike as of unrelated ones."""
    outputs = view.corpus.outputs
    codes, lengths = _codes_of(list(outputs.values())), np.array([list(map(len, lines)) for lines in outputs.values()])

    def lines_of(first: int, others: NDArray[np.int64]) -> tuple[Mask, Mask]:
        long = np.maximum(lengths[first], lengths[others]) >= LONG
        return long & (codes[first] == codes[others]), long

    found: list[tuple[int, int, int]] = []
    for first in range(len(outputs) - 1):
        others = np.arange(first + 1, len(outputs))
        alike, long = lines_of(first, others)
        same, all_long = alike.sum(axis=1), long.sum(axis=1)
        share = same / np.maximum(all_long, 1)
        enough = (all_long >= _FEW) & (share >= MIXED) & (share < NEARLY)
        found += [(int(same[place]), first, int(others[place])) for place in np.flatnonzero(enough)]
        found = sorted(found, key=lambda one: -one[0])[:_MOST_PAIRS]
    names = list(outputs)
    for _, first, second in found:
        pair, ((alike,), (long,)) = (names[first], names[second]), lines_of(first, np.array([second]))
        # Lines that are out of place are unlike those of every system.
        in_place = [own >= np.nanmedian(own) / 2 for own in (view.own[run] for run in pair)]
        apart = np.logical_and.reduce([long, ~alike, *in_place])
        if apart.sum() >= _FEW and _are_unrelated(view, pair, apart):
            yield pair, (alike, apart)


def _are_unrelated(view: View, pair: tuple[str, str], lines: Mask) -> bool:
    """Return whether two systems are as different on these lines as unrelated systems are."""
    third = _third(view, pair)
    two = [pair, *((one, other) for other in third for one in pair)]
    distances = (float(np.median(1 - np.nan_to_num(view.likeness(*names))[lines])) for names in two)
    apart = (APART if third else APART_ALONE) * float(np.median(1 - view.own[pair[0]][lines]))
    return (between := next(distances)) >= apart and all(between >= UNLIKE * distance for distance in distances)


def _third(view: View, pair: tuple[str, str]) -> list[str]:
    """Return the systems that two are compared with: all others, or some of very many, evenly."""
    others = [name for name in view.corpus.outputs if name not in pair]
    return others[:: len(others) // _MOST_THIRD or 1][:_MOST_THIRD]


def _mixed_one(view: View, pair: tuple[str, str], same: Mask, others: Mask) -> str:
    """Return the one of two systems whose likeness to other texts changes far more than the other's; "" without one."""
    changes = []
    for run in pair:
        third = [view.likeness(run, name) for name in _third(view, pair)]
        groups = [[np.nan_to_num(like)[own] for own in (same, others)] for like in (view.own[run], *third)]
        changes.append(max(
            abs(float(a.mean() - b.mean())) / max(1e-9, float(np.sqrt(a.var() / len(a) + b.var() / len(b))))
            for a, b in groups
        ))  # fmt: skip
    most = int(np.argmax(changes))
    return pair[most] if changes[most] > max(CHANGED, 2 * changes[1 - most]) else ""


_LOOKED_AT = 1000
"""Lines, evenly over the test set, by which it is found which systems are nearly equal; those are compared whole."""


def _nearly_equal(texts: Sequence[Lines]) -> Iterator[tuple[Lines, Lines, int]]:
    """Yield every text with the earlier one that it is most like, and how many lines they share, where nearly all.

    Only one pair a text: of many copies of one, each with a line changed, every two would be a pair.
    """
    if len(texts) < 2 or not len(texts[0]):
        return
    n = len(texts[0])
    chosen = range(n) if n <= _LOOKED_AT else [i * n // _LOOKED_AT for i in range(_LOOKED_AT)]
    codes = _codes_of([[lines[number] for number in chosen] for lines in texts])
    for place in range(1, len(texts)):
        alike = (codes[:place] == codes[place]).mean(axis=1)
        nearest = int(alike.argmax())
        # Where the share of all lines is NEARLY, that of a thousand hardly ever is less by 3 points.
        if alike[nearest] < NEARLY - 0.03:
            continue
        same = sum(a == b for a, b in zip(texts[nearest], texts[place], strict=True))
        if same >= NEARLY * n:
            yield texts[nearest], texts[place], same


def _codes_of(texts: Sequence[Sequence[str]]) -> NDArray[np.int32]:
    """Return numbers that are equal where two texts have the same line; shape (texts, lines)."""
    codes = np.empty((len(texts), len(texts[0]) if texts else 0), dtype=np.int32)
    for column, lines in enumerate(zip(*texts, strict=True)):
        known: dict[str, int] = {}
        codes[:, column] = [known.setdefault(line, len(known)) for line in lines]
    return codes


def check_reference_as_system(view: View) -> Iterator[Finding]:
    """Yield every system whose lines are those of a reference, unless the overlap check names the two."""
    kin = {(run, kinship.reference) for kinship in view.kin for run in view.corpus.systems[kinship.system]}
    for run, lines in view.corpus.outputs.items():
        for name, reference in view.corpus.references.items():
            same = sum(line == other and len(line) >= LONG for line, other in zip(lines, reference, strict=True))
            long = sum(other is not None and len(other) >= LONG for other in reference)
            if not long or same < MOSTLY_EQUAL * long or (run, name) in kin:
                continue
            sure = same >= NEARLY * long
            where = f"system {run!r} and reference {name!r}"
            text = f"{same:,} of {long:,} longer lines are identical."
            advice = "Is this the reference itself? Omit it, or score it only against others." if sure else _OVERLAPS
            level: Level = "warning" if sure or same >= 0.8 * long else "note"
            confidence: Confidence = "certain" if sure else "possible"
            headed, of = f"{run} {'is reference' if sure else 'shares lines with'} {name}", (run,)
            yield Finding("reference as system", level, confidence, where, text, advice, (), headed, of, cause="kin")


def check_copied_source(view: View) -> Iterator[Finding]:
    """Yield the texts that copy source lines."""
    sources = view.corpus.segments.sources
    if sources is None:
        return
    hits = view.hits(lambda i, line: len(sources[i]) >= LONG and line.strip() == sources[i].strip())
    advice = "Did the system fail on these lines, or do they need no translation?"
    left = "Omit this system, or interpret its score as a lower bound."
    text = "lines that are the untranslated source"
    shown = Shown("copied source", text, advice, "untranslated lines", "certain", COPIED)
    yield from _view.of_whole_texts(shown, hits, len(view.corpus), left, "is the source", WHOLE_SOURCE)


def check_repeated(view: View) -> Iterator[Finding]:
    """Yield the systems that give one long output for segments with different sources and references."""
    outputs = view.corpus.outputs
    columns = list(map(_letters, _known(view)))
    hits = {}
    for run, lines in outputs.items():
        # Where sources are not known, it is the other systems that tell whether they repeat.
        others = [] if view.corpus.segments.sources else [other for name, other in outputs.items() if name != run]
        hits[Named("system", run)] = view.in_whole(_repeated(lines, columns, others)) if columns or others else []
    advice = "Did the system repeat itself, or are lines misaligned? See also the check for shifts."
    text = f"lines of at least {LONG} characters that repeat the output for another segment"
    yield from _view.by_text(Shown("repeated output", text, advice, "repeated lines"), hits, len(view.corpus))


def check_looping(view: View) -> Iterator[Finding]:
    """Yield the texts with lines in which a few words or characters repeat many times."""
    advice = "Did the system repeat itself in a loop? Such lines are not translations."
    shown = Shown("looping", "lines that repeat the same words over and over", advice, "looping lines")
    hits = {name: view.in_whole(_looping(lines)) for name, lines in _outputs_and_references(view).items()}
    yield from _view.beside_references(shown, hits, len(view.corpus))


def _looping(lines: Sequence[str | None]) -> Iterator[int]:
    """Yield the numbers of the lines that loop; those with many different trigrams for their length need no look."""
    long = [i for i, line in enumerate(lines) if line and len(line) >= LOOPING_FROM]
    for top in range(0, len(long), _AT_ONCE):
        numbers = long[top : top + _AT_ONCE]
        texts = [(lines[i] or "")[: _view.MOST_CHARACTERS] for i in numbers]
        codes = codes_of("\n".join((*texts, "\n\n")))
        places = ((codes[:-2] * np.uint32(37) + codes[1:-1]) * np.uint32(37) + codes[2:]) % _PLACES
        seen = np.zeros(len(texts) * _PLACES, dtype=bool)
        seen[np.repeat(np.arange(0, len(seen), _PLACES), [len(text) + 1 for text in texts]) + places] = True
        # A trigram begins a stretch that no other trigram begins, but for the last LOOP, which begin none.
        least = np.count_nonzero(seen.reshape(-1, _PLACES), axis=1) - LOOP
        few = least * LOOPED < np.array([len(lines[i] or "") for i in numbers]) - LOOP + 1
        yield from (i for i in compress(numbers, few) if _loops(lines[i] or ""))


_AT_ONCE, _PLACES = 500, 1024
"""Lines looked at together, and places by which their trigrams are told apart; they change nothing but the time."""


def _loops(line: str) -> bool:
    """Return whether a long line holds the same stretches of characters over and over."""
    count = len(line) - LOOP + 1
    # A line that begins with enough different ones, as most do, has as many.
    some = (count // LOOPED + 1, count)
    return all(len({line[start : start + LOOP] for start in range(first)}) * LOOPED < count for first in some)


def _letters(column: Sequence[str | None]) -> Callable[[int], str]:
    """Return what gives the small letters and digits of a line: few lines of a text are ever looked at."""
    return remembered()(lambda number: "".join(filter(str.isalnum, (column[number] or "").casefold())))


def _repeated(lines: Lines, columns: Sequence[Callable[[int], str]], others: Sequence[Lines]) -> list[int]:
    """Return the numbers of the lines that repeat an earlier one although no column is alike on both.

    Test sets ask one thing in several ways, and a reference may have one sentence for two: a line may repeat where its
    source or a reference does, or nearly, or where half of the other systems do.
    """
    result = []
    for numbers in _equal(lines):
        seen = [{letters(numbers[0])} - {""} for letters in columns]
        for before, number in pairwise(numbers):
            near = (before, numbers[0])
            if not (
                any(letters(number) in known for letters, known in zip(columns, seen, strict=True))
                or (others and 2 * sum(other[number] == other[before] for other in others) >= len(others))
                or any(_alike(letters(number), letters(neighbour)) for letters in columns for neighbour in near)
            ):
                result.append(number)
            for letters, known in zip(columns, seen, strict=True):
                known |= {letters(number)} - {""}
    return sorted(result)


def _alike(line: str, other: str) -> bool:
    """Return whether two lines have most of their character trigrams in common (Dice's coefficient)."""
    first, second = (Counter(map("".join, zip(text, text[1:], text[2:], strict=False))) for text in (line, other))
    return 2 * (first & second).total() >= ALIKE * max(1, first.total() + second.total())


def check_duplicates(view: View) -> Iterator[Finding]:
    """Yield segments that occur more than once in the test set."""
    total, numbers, before = len(view.corpus), [], set()
    # What tells segments apart: source and references, or without these everything.
    for number, key in enumerate(zip(*(_known(view) or view.corpus.outputs.values()), strict=True)):
        if key in before:
            numbers.append(number)
        before.add(key)
    if numbers:
        numbers = view.in_whole(numbers)
        text = f"segments with the source and references of an earlier one: {counted(numbers, total)}."
        advice = "Greetings and headings often occur twice. But repeated documents make intervals too narrow."
        level: Level = "warning" if len(numbers) >= 0.2 * total else "note"
        headed = f"{number_of(len(numbers), 'repeated segment', ',')}"
        yield Finding("duplicates", level, "certain", "the test set", text, advice, _view.first_lines(numbers), headed)


def _known(view: View) -> list[Sequence[str | None]]:
    """Return what is known of the segments apart from the systems: their references and source."""
    columns: list[Sequence[str | None]] = list(view.corpus.references.values())
    if view.corpus.segments.sources is not None:
        columns.append(view.corpus.segments.sources)
    return columns


def _equal(lines: Sequence[str]) -> Iterable[list[int]]:
    """Return the numbers of the long lines that stand more than once, by their text."""
    several = [line for line, count in Counter(lines).items() if count > 1 and len(line) >= LONG]
    groups: dict[str, list[int]] = {line: [] for line in several}
    for number, line in enumerate(lines if groups else ()):
        if line in groups:
            groups[line].append(number)
    return groups.values()


def check_kinship(view: View) -> Iterator[Finding]:
    """Yield every system that overlaps a reference, and every reference that was combined from outputs."""
    spliced = [kin for kin in view.kin if kin.spliced]
    for name in dict.fromkeys(kin.reference for kin in spliced):
        kins = [kin for kin in spliced if kin.reference == name]
        headed, whom, text = f"{name} is made of outputs", tuple(kin.system for kin in kins), spliced_text(kins)
        advice = "Use another reference, or see the verdicts without those segments."
        where = f"reference {name!r}"
        yield Finding("kinship", "warning", "certain", where, text, advice, (), headed, whom, cause="spliced")
    for kin in (kin for kin in view.kin if not kin.spliced):
        free = {*view.corpus.references} - {each.reference for each in view.kin if each.system == kin.system}
        advice = f"{_OVERLAPS} This reference gives it an advantage that no other system has. " + (
            "Also evaluate the system without that reference."
            if free
            else "Add a reference that was made without this output, or leave the system out."
        )
        headed, of = f"{kin.system} shares lines with {kin.reference}", (kin.system,)
        yield Finding("kinship", "warning", "likely", kin.where, kin.sentence, advice, (), headed, of, cause="kin")


_OVERLAPS = "Was the reference made by post-editing this output, or was the system trained on it?"

# Patterns that every line is searched for begin with what few lines have: that is looked for far faster than \w.
_STOPS = tuple(re.compile(rf"{sign}(?= |$)(?:(?<=\w.)|(?<=\w .))") for sign in (r"\.", ","))
_TOKENIZED = re.compile(r" [.,](?= |$)(?<=\w .)")
"""A word, a space, and a full stop or comma: written so in no language."""

_SUBWORD = re.compile(r"@@(?: |$)|▁(?<![^ ]▁)\w|@-@|#(?<= #)#\w")
_FEW = 20
"""Marks below this number say nothing about a whole text."""

_ENOUGH = 1000
"""Lines that tell whether there are capitals."""

MOSTLY = 0.5


def check_processing(view: View) -> Iterator[Finding]:
    """Yield the texts that were processed differently from their reference."""
    yield from _coded(view)
    for way in _WAYS:
        yield from _written(view, way)


def _is_coded(line: str) -> bool:
    """Return whether a line is one word that stands for a text: base64, hexadecimal digits, escapes, percent signs."""
    word = line.strip()
    if len(word) < _FEW or " " in word or not word.isascii():
        return False
    if _ESCAPED.fullmatch(word):
        return True
    with suppress(ValueError):  # not of this code, or of no text
        of_bytes = _HEXADECIMAL.fullmatch(word)
        text = (bytes.fromhex(word) if of_bytes else b64decode(word.translate(_SAFE), validate=True)).decode()
        return sum(map(str.isprintable, text)) >= NEARLY * len(text)
    return False


_SAFE = str.maketrans("-_", "+/")
_HEXADECIMAL = re.compile(r"(?:[0-9a-fA-F]{2})+")
_SIGN = r"(?:%[0-9A-F]{2}|=[0-9A-F]{2}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|&#x?[0-9a-fA-F]+;)"
_ESCAPED = re.compile(rf"(?:[\w.,!?'+~-]*{_SIGN}){{3,}}[\w.,!?'+~-]*")


def _is_tagged(line: str) -> bool:
    """Return whether the same sign stands inside of every word: word|NN, word/NN, word_NN."""
    first, *_ = line.split(None, 1) or [""]
    words = [] if first.isalnum() else line.split()
    if len(words) < _WORDS:
        return False
    signs = {sign for sign in words[0][1:-1] if unicodedata.category(sign)[0] in "PS"}
    return any(all(sign in word[1:-1] for word in words) for sign in signs)


def _is_apart(line: str) -> bool:
    """Return whether nearly every letter is a word, or every word a number."""
    words = line.split()
    return len(words) >= 2 * _WORDS and (
        all(map(str.isdecimal, words)) or list(map(len, words)).count(1) >= NEARLY * len(words)
    )


_WORDS = 4
"""Words from which on they tell of a line how it was written."""

_CODES: tuple[tuple[str, str, str, float, Callable[[str], object]], ...] = (
    ("lines with subword marks (@@, ▁, ##, @-@)", "Join the subwords", "subword marks", 0.05, _SUBWORD.search),
    ("encoded lines, such as base64", "Decode them", "coded lines", WHOLE, _is_coded),
    ("lines with a tag on every word, as in word|NN", "Keep only the words", "tagged words", WHOLE, _is_tagged),
    ("lines of single letters, or of token numbers", "Join them into words", "split letters", WHOLE, _is_apart),
)
"""How texts are written for programs and for no reader; what a reference shows as well counts, too."""


def _coded(view: View) -> Iterator[Finding]:
    """Yield the texts with enough lines that are written for programs."""
    view = view.of_sample
    total = len(view.corpus)
    for text, todo, has, share, shows in _CODES:
        hits = {
            name: view.in_whole([i for i, line in enumerate(lines) if line and shows(line)])
            for name, lines in _outputs_and_references(view).items()
        }
        whole = {name: own for name, own in hits.items() if len(own) >= share * total}
        yield from _view.by_text(Shown("processing", text, f"{todo} before scoring.", has, "certain"), whole, total)


class _Way(NamedTuple):
    """A way in which a text is written as a whole: how it is measured, and what is said of one that is, and of all.

    others: which share another text has at least, for the difference to count.
    """

    share: Callable[[Sequence[str | None]], float | None]
    so: Callable[[float], bool]
    one: str
    found: str
    advice: str
    every: str = ""
    all: str = ""
    all_advice: str = ""
    others: float = 0.0


_NOT_COMPARABLE = "Scores are not comparable with scores on ordinary text."
_WAYS = (
    _Way(
        lambda lines: _tokenized(lines), lambda share: share > MOSTLY, "is tokenized",
        "{share} of its full stops and commas follow a space: it is tokenized, but other texts are not.",
        "Detokenize it, like the other texts.", "All texts are tokenized",
        "all of them have spaces before full stops and commas: they are tokenized already.",
        "Scores are not comparable with scores on plain text. Use one tokenization, and report it.",
    ),
    _Way(
        lambda lines: _capitals(lines), lambda share: share < 0.001, "is lower-cased",
        "it has only small letters, but other texts have capitals.",
        "Restore its capitals, or compare all systems with lowercase=true.", "All texts are lower-cased",
        "less than one letter in a thousand is a capital, so all texts are lower-cased.", _NOT_COMPARABLE, 0.01,
    ),
    _Way(
        lambda lines: _capitals(lines), lambda share: share > 0.9, "is in capitals",
        "it has only capitals, but other texts have small letters.",
        "Restore its small letters, or compare all systems with lowercase=true.",
    ),
)  # fmt: skip


def _written(view: View, way: _Way) -> Iterator[Finding]:
    """Yield the texts that are written in a way in which others are not, or a note where all of them are."""
    shares = {name: way.share(lines) for name, lines in _outputs_and_references(view).items()}
    known = {name: share for name, share in shares.items() if share is not None}
    so = [name for name, share in known.items() if way.so(share)]
    if so and len(so) == len(known):
        if way.every:
            where = "systems and references"
            yield Finding("processing", "note", "likely", where, way.all, way.all_advice, (), way.every)
    elif max((share for name, share in known.items() if name not in so), default=0.0) >= way.others:
        for name in so:
            found = way.found.replace("{share}", f"{known[name]:.0%}")
            headed, of = _view.headline([name], way.one, ""), _view.systems_of([name])
            yield Finding("processing", "warning", "likely", str(name), found, way.advice, (), headed, of)


def _outputs_and_references(view: View) -> dict[Named, Sequence[str | None]]:
    return {name: lines for name, lines in view.texts.items() if name.role != "source"}


def _tokenized(lines: Sequence[str | None]) -> float | None:
    """Return the share of full stops and commas that follow a space; None where there are few."""
    text = "\n".join(line or "" for line in lines)
    total = sum(len(stop.findall(text)) for stop in _STOPS)
    return len(_TOKENIZED.findall(text)) / total if total >= _FEW else None


def _capitals(lines: Sequence[str | None]) -> float | None:
    """Return the share of capitals among letters that have two cases; None where the script has none."""
    counts = letters_of(lines[:_ENOUGH])
    upper, lower = (sum(counts[sign] for sign in counts if is_of(sign)) for is_of in (str.isupper, str.islower))
    return upper / (upper + lower) if upper + lower >= 50 * _FEW else None
