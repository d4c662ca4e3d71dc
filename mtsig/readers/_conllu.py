"""CoNLL-U: a file of parsed sentences goes in, one parse per segment comes out, or one clear ReadError.

One file per text. Sentences find their segments by the first of these rules that applies:

1. A comment `# segment = 12` before every sentence.
2. A comment `# sent_id = 12.1` before every sentence: segment 12, sentence 1.
3. One sentence per segment, in order; segments without text have none.

Where sentences have a comment `# text = …`, it must be the segment's text, white space aside; where they have none, at
least half of their words must stand in their segments.
"""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mtsig._limits import normalized
from mtsig.corpus import Note, Parse
from mtsig.corpus._annotations import Sentence, Word
from mtsig.corpus._notes import quoted
from mtsig.errors import ReadError
from mtsig.readers._files import File, lines_of

COLUMNS = 10
"""ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC (universaldependencies.org/format.html)."""

_UNREAD = dict.fromkeys(("feats", "deps", "misc"), lambda line, at: line[at])
"""Columns no dependency needs stay as they are: taking them apart costs a third of the time."""

_GROUPED_ID = re.compile(r"(\d{1,9})\.\d+")


@dataclass(frozen=True)
class Parsed:
    """One sentence of a file: its words, the number of its first line, and what its comments say."""

    words: Sentence
    line: int
    comments: Mapping[str, str]


def sentences_of(file: File) -> tuple[tuple[Parsed, ...], tuple[Note, ...]]:
    """Return the sentences of a CoNLL-U file, and what was noted on the way.

    Tokens that stand for several words (1-2) and empty nodes (1.1) are no part of the tree, and left out.
    """
    lines, notes = lines_of(file)
    sentences = []
    for start, block in _blocks(lines):
        if not all(line.startswith("#") for line in block):
            sentences.append(_sentence(file.label, start, block))
        elif len(block) < sum(bool(line.strip()) for line in lines):
            raise ReadError(
                f"{file.label}, line {start} has comments without a sentence; expected the words "
                "of one below. Remove them."
            )
    return tuple(sentences), notes  # of a text without words there may be comments alone


def parses_of(label: str, sentences: Sequence[Parsed], segments: Sequence[str | None]) -> tuple[Parse, ...]:
    """Return one parse per segment; see the module's docstring for how sentences find their segments."""
    grouped: list[list[Parsed]] = [[] for _ in segments]
    for number, parsed in zip(_numbers(label, sentences, segments), sentences, strict=True):
        if not 1 <= number <= len(segments):
            raise ReadError(
                f"{label}, line {parsed.line}: segment {number} of {len(segments)} does not exist. Parse "
                "the text that is here."
            )
        grouped[number - 1].append(parsed)
    parser = next((tree.comments["generator"] for tree in sentences if "generator" in tree.comments), None)
    for number, (group, text) in enumerate(zip(grouped, segments, strict=True), 1):
        _check_text(label, number, group, text or "")
    _check_words(label, grouped, segments)
    return tuple(Parse(tuple(sentence.words for sentence in group), parser) for group in grouped)


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield each run of lines between blank ones, with the number of its first line."""
    block: list[str] = []
    for number, line in enumerate([*lines, ""], 1):
        if line.strip():
            block.append(line)
        elif block:
            yield number - len(block), block
            block = []


def _sentence(label: str, start: int, block: Sequence[str]) -> Parsed:
    for number, line in enumerate(block, start):
        if not line.startswith("#") and line.count("\t") != COLUMNS - 1:
            raise ReadError(
                f"{label}, line {number}: found {line.count(chr(9)) + 1} columns; CoNLL-U has {COLUMNS}, separated by "
                f"tabs: {quoted(line)}. Save it as the parser wrote it."
            )
    import conllu  # here, because few corpora come with parses

    try:
        (tokens,) = conllu.parse("\n".join(block), field_parsers=_UNREAD)
    except (conllu.exceptions.ParseException, ValueError):  # numbers of thousands of digits are a ValueError
        raise ReadError(_fault(label, start, block)) from None
    numbers = [number for number, line in enumerate(block, start) if not line.startswith("#")]
    words = [
        (token, number) for token, number in zip(tokens, numbers, strict=True) if not isinstance(token["id"], tuple)
    ]
    for expected, (token, number) in enumerate(words, 1):
        _check_word(f"{label}, line {number}", token, expected, len(words))
    circle = _circle([token["head"] for token, _ in words])
    if circle:
        raise ReadError(
            f"{label}, line {words[circle[0] - 1][1]}: the heads form a circle ({_round_text(circle)}), but "
            "from every word they must lead to a root, whose head is 0. Parse "
            "this sentence again."
        )
    comments = {key: str(value) for key, value in tokens.metadata.items()}
    return Parsed(tuple(_word(token) for token, _ in words), start, comments)


def _circle(heads: Sequence[int]) -> list[int]:
    """Return the words of a circle of heads, first the first in the sentence; none in a tree."""
    passed = [0] * (len(heads) + 1)  # by which start's way a word was passed first
    passed[0] = -1
    for start in range(1, len(passed)):
        word = start
        while passed[word] == 0:
            passed[word] = start
            word = heads[word - 1]
        if passed[word] == start:
            circle = [word]
            while heads[circle[-1] - 1] != word:
                circle.append(heads[circle[-1] - 1])
            first = circle.index(min(circle))
            return circle[first:] + circle[:first]
    return []


def _round_text(circle: Sequence[int]) -> str:
    shown = [*map(str, circle)] if len(circle) <= 8 else [*map(str, circle[:7]), "…"]
    return " → ".join([*shown, str(circle[0])])


def _fault(label: str, start: int, block: Sequence[str]) -> str:
    """Return the message for the first line of a block that cannot be read."""
    import conllu

    for number, line in enumerate(block, start):
        try:
            conllu.parse(line, field_parsers=_UNREAD)
        except (conllu.exceptions.ParseException, ValueError) as error:
            known = isinstance(error, conllu.exceptions.ParseException)
            why = str(error)[:200] if known else "a number has thousands of digits"
            return f"{label}, line {number}: not valid CoNLL-U ({why})."
    return f"{label}, line {start}: not valid CoNLL-U."


def _check_word(where: str, token: Mapping[str, Any], expected: int, count: int) -> None:
    if token["id"] != expected:
        raise ReadError(
            f"{where}: found word {token['id']}, but expected word {expected}; a blank line ends a sentence. "
            "Number its words from 1."
        )
    head = token.get("head")
    if head is None or not 0 <= head <= count or head == expected:
        raise ReadError(
            f"{where}: the head of word {expected} is {'missing' if head is None else head}; expected 0 for the root, "
            f"or another word of the {count}. Correct it."
        )
    # conllu takes empty columns at the end of a line for none at all.
    if not token["form"] or token.get("deprel", "") in ("", "_"):
        missing = "relation" if token["form"] else "form"
        raise ReadError(
            f"{where}: word {expected} has no {missing}; expected one. Parse the text with a parser that writes it."
        )


def _word(token: Mapping[str, Any]) -> Word:
    form, lemma = token["form"], token["lemma"]
    known = lemma if lemma != "_" or form == "_" else ""
    # Interned: the same few thousand words stand in every system's output.
    return Word(sys.intern(form), sys.intern(known), token["head"], sys.intern(token["deprel"]))


def _numbers(label: str, sentences: Sequence[Parsed], segments: Sequence[str | None]) -> list[int]:
    """Return the segment of each sentence, counted from 1."""
    if any("segment" in parsed.comments for parsed in sentences):
        return [
            _marked(label, parsed, parsed.comments.get("segment", ""), "segment = 12", r"(\d{1,9})")
            for parsed in sentences
        ]
    ids = [parsed.comments.get("sent_id", "") for parsed in sentences]
    if any(_GROUPED_ID.fullmatch(text) for text in ids):
        return [
            _marked(label, parsed, given, "sent_id = 12.1", _GROUPED_ID.pattern)
            for parsed, given in zip(sentences, ids, strict=True)
        ]
    spoken = [number for number, text in enumerate(segments, 1) if text and text.strip()]
    if len(spoken) != len(sentences):
        raise ReadError(
            f"{label} has {len(sentences)} sentences for {len(spoken)} segments with text. If a segment has several "
            "sentences, name its segment in a comment before each: `# segment = 12` or `# sent_id = 12.1`."
        )
    return spoken


def _marked(label: str, parsed: Parsed, given: str, example: str, pattern: str) -> int:
    match = re.fullmatch(pattern, given)
    if match is None:
        said = f"found {given!r}" if given else "this sentence has none"
        raise ReadError(
            f"{label}, line {parsed.line}: the other sentences have a comment `# {example}`; {said}. "
            "Give it to all, or to none."
        )
    return int(match[1])


def _check_text(label: str, number: int, group: Sequence[Parsed], text: str) -> None:
    if bool(group) != bool(text.strip()):
        where = f"{label}, line {group[0].line}" if group else label
        problem = "is empty, but the file has a parse of it" if group else f"has no parse: {quoted(text)}"
        raise ReadError(f"{where}: segment {number} {problem}. Give each segment with text its parse.")
    texts = [tree.comments.get("text") for tree in group]
    if None in texts or _bare("".join(filter(None, texts))) == _bare(text):
        return
    parsed = " ".join(filter(None, texts))
    raise ReadError(
        f"{label}, line {group[0].line}: segment {number} is parsed as {quoted(parsed)}, but reads {quoted(text)}. "
        "Does the parse belong to another text? Parse this one."
    )


def _check_words(label: str, grouped: Sequence[Sequence[Parsed]], segments: Sequence[str | None]) -> None:
    """Refuse sentences that do not say their text, when most of their words are not in the segments they are put to.

    Half, because parsers spell some words anew ("-LRB-", "du" as "de" and "le").
    """
    words = known = 0
    for group, text in zip(grouped, segments, strict=True):
        bare = _bare(text or "").casefold()
        for sentence in group:
            if "text" not in sentence.comments:
                words += len(sentence.words)
                known += sum(_bare(word.form).casefold() in bare for word in sentence.words)
    if 2 * known < words:
        raise ReadError(
            f"{label}: {words - known} of its {words} words do not occur in the segments that they are assigned to. "
            "Does the parse belong to another text? Parse this one."
        )


def _bare(text: str) -> str:
    # CoNLL-U files are normalized (NFC), texts need not be; and parsers space words as they like.
    return "".join(normalized("NFC", text).split())
