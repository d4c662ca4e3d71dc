"""What frames nearly every line is taken off and said, or the file is refused: never read as if it were text."""

import json
import random
import sys
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from kept import Kept, lacking
from layouts import LAYOUTS, made
from limited import mtsig
from sampled import crossed, sampled

from mtsig import Corpus, read
from mtsig.errors import ReadError

N = 30
TEXTS = made(N)
SPLIT: dict[str, Callable[[int, str], str]] = {
    "id tab text": lambda i, text: f"{i}\t{text}",
    "text tab id": lambda i, text: f"{text}\t{i}",
    "named id tab text": lambda i, text: f"doc.{i // 10}_{i}\t{text}",
    "document tab segment tab text": lambda i, text: f"news{i // 10}\t{i % 10}\t{text}",
    "text tab score": lambda i, text: f"{text}\t-{i / 7:.3f}",
    "fairseq": lambda i, text: f"H-{i}\t-0.{i}3\t{text}",
    "moses": lambda i, text: f"{i} ||| {text} ||| LM0= -{i}.5 WP= -3 ||| -{i}.25",
    "numbered": lambda i, text: f"{i + 1}. {text}",
    "in brackets": lambda i, text: f"[{i}] {text}",
    "kaldi": lambda i, text: f"utt_{i:04d} {text}",
    "kaldi, by document": lambda i, text: f"doc{i // 10}-{i % 10} {text}",
    "semicolon": lambda i, text: f"{i};{text}",
    "colons": lambda i, text: f"{i}::{text}",
    "behind a bar": lambda i, text: f"{text} || {i}",
    "Line 1:": lambda i, text: f"Line {i + 1}: {text}",
    "full width": lambda i, text: f"（{i + 1}）{text}",
    "a score": lambda i, text: f"-{i / 7:.4f} {text}",
    "digests": lambda i, text: f"{i * 7919 + 3 * 16**7:08x}-aa {text}",
    "quoted as CSV": lambda _, text: '"' + text.replace("o", '""o""') + '"',
    "padded": lambda i, text: f"word{i:02d} {text}",
    "sclite": lambda i, text: f"{text} (spk1-{i:03d})",
    "spoken": lambda i, text: f"{text} {{{i}}}",
    "a dash": lambda i, text: f"{i} — {text}",
    "an arrow": lambda i, text: f"{i} => {text}",
    "of all": lambda i, text: f"[{i + 1}/{N}] {text}",
    "angles": lambda i, text: f"<<{i}>> {text}",
    "key": lambda i, text: f"seg={i} {text}",
    "sign of number": lambda i, text: f"№ {i} {text}",
    "Chinese": lambda i, text: f"第{i + 1}句：{text}",
    "question": lambda i, text: f"Q{i}. {text}",
    "ISO time": lambda i, text: f"2024-05-01T12:{i // 9:02d}:{6 * (i % 9):02d}Z {text}",
    "log": lambda i, text: f"[2024-05-01 12:{i // 9:02d}:{6 * (i % 9):02d},003] INFO: {text}",
    "times": lambda i, text: f"{i * 3.5:.2f}\t{i * 3.5 + 3:.2f}\t{text}",
    "recording": lambda i, text: f"utt{i:04d}.wav|{text}",
    "stm": lambda i, text: f"talk1 1 spk {i * 3.5:.2f} {i * 3.5 + 3:.2f} <o> {text}",
    "grep": lambda i, text: f"out.txt:{i + 1}:{text}",
    "table of Markdown": lambda i, text: f"| {i} | {text} |",
    "behind a sign": lambda i, text: f"{text} # {i}",
    "score behind": lambda i, text: f"{text} {-i / 7:.4f}",
    "subset in order": lambda i, text: f"{7 * i * i + 3} {text}",
    "control character": lambda i, text: f"{i}\x01{text}",
    "csv": lambda i, text: f'doc{i // 10},{i % 10},"{text}, well"',
    "semicolons, quoted": lambda i, text: f'"{i}";"{text}"',
    "open tag": lambda i, text: f'<seg id="{i}"> {text}',
    "tags in tags": lambda i, text: f'<tu id="{i}"><seg>{text}</seg></tu>',
    "dictionary": lambda _, text: repr({"translation_text": text}),
    "list of one dictionary": lambda _, text: repr([{"translation_text": text, "score": 0.5}]),
    "bytes": lambda _, text: repr(text.encode()),
    "answer of a server": lambda _, text: json.dumps({"choices": [{"message": {"content": text}}]}),
    "number in JSON": lambda i, text: json.dumps([i, text]),
    "seg tags": lambda i, text: f'<seg id="{i}">{text}</seg>',
    "bare tags": lambda _, text: f"<hyp>{text}</hyp>",
    "json strings": lambda i, text: json.dumps(text).replace("e", "\\u0065") if i % 4 == 0 else json.dumps(text),
    "json objects": lambda i, text: json.dumps({"id": i, "translation": text}),
    "json lists": lambda _, text: json.dumps([text]),
    "quoted, tab": lambda i, text: f'"{i}"\t"{text}"',
    "a pointed arrow": lambda i, text: f"{i} → {text}",
}
REFUSED: dict[str, Callable[[int, str], str]] = {
    **{
        sign: lambda i, text, sign=sign: f"{TEXTS['source'][i]}{sign}{text}"
        for sign in (" → ", " / ", " — ", "➜", "│", " # ", " > ", " & ")
    },
    "two texts, quoted": lambda i, text: f'"{TEXTS["source"][i]}"\t"{text}"',
    "two texts": lambda i, text: f"{text}\t{TEXTS['ref'][i]} indeed",
    "source and text": lambda i, text: f"{TEXTS['source'][i]}\t{text}",
    "source ||| text": lambda i, text: f"{TEXTS['source'][i]} ||| {text}",
    "id, two texts": lambda i, text: f"{i}\t{TEXTS['source'][i]}\t{text}",
    "n best": lambda i, text: f"{i // 3} ||| {text} ||| -{i}.5",
    "n best, alike": lambda i, text: f"{i // 3} ||| {text} ||| -1",
    "ids that do not count": lambda i, text: f"item-{7919 * i % 997} {text}",
    "numbers that do not count": lambda i, text: f"[{7919 * i % 997}] {text}",
    "arrow": lambda i, text: f"{TEXTS['source'][i]} => {text}",
    "two tags": lambda i, text: f"<src>{TEXTS['source'][i]}</src> <sep> <tgt>{text}</tgt>",
    "csv of two": lambda i, text: f'"{TEXTS["source"][i]}","{text}"',
    "recording, twice": lambda i, text: f"utt{i}|{text}|{text.lower()}",
    "json of two texts": lambda i, text: json.dumps({"a": TEXTS["source"][i], "b": text}),
}


def corpus_of(folder: Path, name: str, lines: Sequence[str], ending: str = ".txt") -> Corpus:
    """Return the made set with the lines of one text changed."""
    role = "refs" if name == "ref" else "systems"
    LAYOUTS["folder"](TEXTS, folder)
    (folder / role / f"{name}.txt").unlink()
    (folder / role / f"{name}{ending}").write_bytes("".join(f"{line}\n" for line in lines).encode())
    return read(folder)


def column(corpus: Corpus, name: str) -> list[str | None]:
    return list(corpus.references[name] if name == "ref" else corpus.lines(name))


@crossed("frame, name", SPLIT, ["ref", "alpha"])
def test_a_frame_of_one_text_is_taken_off_and_said(frame: str, name: str, tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, name, [SPLIT[frame](i, text) for i, text in enumerate(TEXTS[name])])
    same = [text.replace("o", '"o"') if "CSV" in frame else f"{text}, well" if frame == "csv" else text
            for text in TEXTS[name]]  # fmt: skip
    assert column(corpus, name) == same
    assert any("was removed" in note.text and name in note.text for note in corpus.notes)


@crossed("frame, name", REFUSED, ["ref", "alpha"])
def test_a_frame_of_several_texts_is_refused_with_what_was_seen(frame: str, name: str, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"expected one (segment|line) per (line|segment); got"):
        corpus_of(tmp_path, name, [REFUSED[frame](i, text) for i, text in enumerate(TEXTS[name])])


def test_words_of_digits_and_letters_among_numbers_are_text(tmp_path: Path) -> None:
    for own in (("1b842d03", "7"), ("1b842d03", "12345678"), ("00aa11ff", "9e1")):
        lines = [f"{own[i % 2]} {text}" for i, text in enumerate(TEXTS["alpha"])]
        assert column(corpus_of(tmp_path, "alpha", lines), "alpha") == lines


def test_what_counts_the_lines_and_may_be_text_is_kept_and_warned_of(tmp_path: Path) -> None:
    for frame in ("Chapter{i} {text}", "{text} {i}"):
        lines = [frame.format(i=i, text=text) for i, text in enumerate(TEXTS["alpha"])]
        corpus = corpus_of(tmp_path, "alpha", lines)
        assert column(corpus, "alpha") == lines
        assert any("numbered by" in note.text and note.level == "warning" for note in corpus.notes)


@pytest.mark.parametrize("frame", ["id tab text", "fairseq", "named id tab text", "json objects", "number in JSON"])
def test_lines_that_are_numbered_in_another_order_are_put_into_it(frame: str, tmp_path: Path) -> None:
    order = random.Random(3).sample(range(N), N)
    corpus = corpus_of(tmp_path, "alpha", [SPLIT[frame](i, TEXTS["alpha"][i]) for i in order])
    assert column(corpus, "alpha") == TEXTS["alpha"]
    assert any("by their numbers" in note.text for note in corpus.notes)


@sampled("frame", SPLIT, most=19)
def test_a_line_that_lacks_the_frame_is_named(frame: str, tmp_path: Path) -> None:
    lines = [SPLIT[frame](i, text) for i, text in enumerate(TEXTS["alpha"])]
    lines[16] = "a line without it"
    with pytest.raises(ReadError, match=r"line 17: expected .* on 29 of 30 lines"):
        corpus_of(tmp_path, "alpha", lines)


@pytest.mark.parametrize("text", [
    "He said (in 1999)", "3 men left", "<b>bold</b> words here", "{x} is a set", "1. one 2. two", "a\tb", "(12)",
])  # fmt: skip
def test_what_stands_on_some_lines_is_text(text: str, tmp_path: Path) -> None:
    lines = [text if i % 3 == 0 else line for i, line in enumerate(TEXTS["alpha"])]
    corpus = corpus_of(tmp_path, "alpha", lines)
    assert column(corpus, "alpha") == lines
    assert not any("was removed" in note.text for note in corpus.notes)


@pytest.mark.parametrize("lines", [
    [f"{i % 7} men and {i % 5} women left" for i in range(N)],
    [f"In {1990 + i % 9} it rained (as in {1980 + i % 4})" for i in range(N)],
    [f"It rained again ({1200 + 37 * i})" for i in range(N)],
    [f"{1.5 + i % 3} million people" for i in range(N)],
    [f'"Come {i % 4} times," he said.' for i in range(N)],
    ["Yes." for _ in range(N)],
])  # fmt: skip
def test_numbers_that_do_not_count_are_text(lines: list[str], tmp_path: Path) -> None:
    assert column(corpus_of(tmp_path, "alpha", lines), "alpha") == lines


ALIKE = {
    "begins with 'OUT> '": "OUT> {}", "begins with '- '": "- {}", "ends with '<br/>'": "{}<br/>",
    "ends with ','": "{},", "begins with 'en: '": "en: {}", "begins with a list marker, such as '①'": "① {}",
}  # fmt: skip


@pytest.mark.parametrize("texts", [("alpha",), ("ref", "alpha", "beta")])
def test_what_all_lines_share_and_no_text_is_warned_of(texts: Sequence[str], tmp_path: Path, kept: Kept) -> None:
    for at, (said, frame) in enumerate(ALIKE.items()):
        folder = LAYOUTS["folder"](TEXTS, tmp_path / str(at))
        for name in texts:
            lines = "".join(f"{frame.format(text)}\n" for text in TEXTS[name])
            (folder / ("refs" if name == "ref" else "systems") / f"{name}.txt").write_text(lines)
        told = [note.text for note in read(folder).notes if note.level == "warning"]
        assert sum(said in text for text in told) == len(texts), (said, told)
    lettered = [f"{'abcdefgh'[i % 8]}) {text}" for i, text in enumerate(TEXTS["alpha"])]
    (note,) = [note.text for note in corpus_of(tmp_path / "l", "alpha", lettered).notes if repr("a)") in note.text]
    if len(texts) == 1:
        kept("readers", note)


def test_words_that_all_lines_share_are_text(tmp_path: Path) -> None:
    for frame in ("The {}", "{} again.", "{}?"):
        notes = corpus_of(tmp_path / frame[:1], "alpha", [frame.format(text) for text in TEXTS["alpha"]]).notes
        assert not any(note.level == "warning" for note in notes)


WHOLE: dict[str, tuple[Callable[[Sequence[str]], list[str]], str]] = {
    "labels in turn": (lambda own: [f"{'SH'[i % 2]}: {line}" for i, line in enumerate(own * 2)], "2 lines for each"),
    "a log before each": (
        lambda own: [line for i, text in enumerate(own) for line in (f"INFO: {i}/{N} done", text)], "2 lines for each"
    ),
    "what fairseq prints": (
        lambda own: [f"{kind}-{i}\t{text}" for i, text in enumerate(own) for kind in "STHDP"], "5 lines for each"
    ),
    "a first row of names": (
        lambda own: ["id\ttext", *(f"{i}\t{text}" for i, text in enumerate(own))], "names of columns"
    ),
    "markup around all": (lambda own: ["<doc>", *(f"<p>{text}</p>" for text in own), "</doc>"], "marked-up text"),
    "list of JSON": (lambda own: json.dumps(own, indent=1).split("\n"), "is JSON"),
    "subtitles of YouTube": (
        lambda own: [line for text in own for line in ("0:00:01.000,0:00:02.000", text, "")], "subtitles"
    ),
    "CoNLL": (
        lambda own: [
            line for text in own for line in (*(f"{k}\t{word}\t_" for k, word in enumerate(text.split(), 1)), "")
        ],
        "parsed text",
    ),
    "LaTeX": (lambda own: ["\\begin{itemize}", *(f"\\item {text}" for text in own)], "is LaTeX"),
}  # fmt: skip


def test_files_in_which_all_texts_are_framed_alike_are_refused(tmp_path: Path) -> None:
    for number, (form, (write, said)) in enumerate(WHOLE.items()):
        folder = tmp_path / str(number)
        LAYOUTS["folder"](TEXTS, folder)
        (folder / "source.txt").unlink()
        for place, name in (("refs", "ref"), ("systems", "alpha"), ("systems", "beta")):
            (folder / place / f"{name}.txt").write_text("\n".join(write(TEXTS[name])) + "\n")
        with pytest.raises(ReadError, match=said):
            pytest.fail(f"{form} was read: {read(folder)}")


def test_a_first_line_that_names_a_column_is_told(tmp_path: Path, kept: Kept) -> None:
    corpus = corpus_of(tmp_path, "alpha", ["Translation", *TEXTS["alpha"][1:]])
    assert any(not lacking(note.text, repr("Translation"), "a column") for note in corpus.notes)
    kept("readers", *(note.text for note in corpus.notes))


ALPHA, REF = TEXTS["alpha"], TEXTS["ref"]
LONG = "9" * 5000
"""More digits than Python turns into a number, or a number into."""

HOSTILE = {
    "comments of XML": "<!--a-->" * 500 + "x\n",
    "comments that are not closed": "<!--" * 1000 + "x\n",
    "declarations of XML": "<!a>" * 1000 + "x\n",
    "empty lines behind a comment of PO": "#\n" + "\n" * 38 + "x\n",
    "an id in base 16": "".join(f"{{'id': 0x{'f' * 5000}, 'text': 'these are {n} words'}}\n" for n in range(N)),
    "a long number in a cell": "".join(f"{LONG}{n}\t{text}\n" for n, text in enumerate(ALPHA)),
    "fairseq, a long number": "".join(
        f"S-{LONG}{n}\t{text}\nH-{LONG}{n}\t-1\t{text}\n" for n, text in enumerate(ALPHA)
    ),
    "fairseq, a score of three parts": "".join(
        f"S-{n}\t{text}\nH-{n}\t-1.2.3\t{text}\n" for n, text in enumerate(ALPHA)
    ),
    "Marian, a long number": "".join(f"Best translation {LONG}{n} : {text}\n" for n, text in enumerate(ALPHA)),
    "Sockeye, fields again and again": "".join(
        f"input=a\toutput={text}\tinput_tokens=1\toutput_tokens=1\t0.1\n" for text in ALPHA
    )
    + "input="
    + "\toutput=" * 30_000
    + "\n"
    + "input=a\toutput="
    + "\tinput_tokens=1" * 30_000
    + "\n",
    "tags of which each may be a separator": "".join(f"<a{n}>" for n in range(100_000))
    + "\n"
    + "\n".join(ALPHA)
    + "\n",
    "OpenNMT, a long number": "".join(f"SENT {LONG}{n}: a\nPRED {LONG}{n}: {text}\n" for n, text in enumerate(ALPHA)),
}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the address space")
@pytest.mark.parametrize("name", HOSTILE)
def test_lines_made_to_stall_are_read_or_refused_at_once(name: str, tmp_path: Path) -> None:
    (tmp_path / "ref.txt").write_text("".join(f"{line}\n" for line in REF), encoding="utf-8")
    (tmp_path / "a.txt").write_text(HOSTILE[name], encoding="utf-8")
    done = mtsig("read", "--data", tmp_path, seconds=5)
    assert done.returncode in {0, 2}, done.stderr[-500:]
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("before", "what"),
    [
        ("<!-- a > b -->\n<!-- c -->\n<html>", "a web page"),
        ('<?xml version="1.0"?>\n<!DOCTYPE xliff [<!ENTITY a "b">]>\n<!-- c > -->\n<xliff>', "a translators' file"),
        ('# Made by hand.\n\n  \n#: a.c\nmsgid "a"', "PO of gettext"),
    ],
)
def test_markup_is_known_behind_comments(before: str, what: str, tmp_path: Path) -> None:
    (tmp_path / "ref.txt").write_text("".join(f"{line}\n" for line in REF), encoding="utf-8")
    (tmp_path / "a.txt").write_text(f"{before}\nx\ny\n", encoding="utf-8")
    with pytest.raises(ReadError, match=rf"a\.txt is {what}, not one segment per line"):
        read(tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the processor's time of a child")
def test_texts_in_which_every_line_has_numbers_cost_little(tmp_path: Path) -> None:
    """An archive of few bytes holds many such texts; each line of them looks as if it were numbered."""
    lines = {"years": "In {} we saw {} cats\n", "count": "segment {} of {}\n"}
    with zipfile.ZipFile(tmp_path / "many.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(300):
            own = lines["count" if number % 2 else "years"]
            text = "".join(own.format(i if number % 2 else 1990 + i * 7 % 30, i % 9) for i in range(1_000))
            archive.writestr("ref.txt" if not number else f"sys{number}.txt", text)
    done = mtsig("read", "--data", tmp_path / "many.zip", seconds=6)
    assert done.returncode == 0, done.stderr[-500:]
    assert "sys299" in done.stdout
