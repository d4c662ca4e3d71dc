"""XLIFF, TMX and PO give source and target; what only looks like text is refused by its name and by what it holds."""

from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from kept import Kept
from layouts import LAYOUTS, made

from mtsig import read, read_files
from mtsig.errors import ReadError
from mtsig.readers import File
from mtsig.readers._translators import translation_parts

N = 24
TEXTS = made(N) | {"alpha": [f"{line} A & B < C" if i % 5 == 0 else line for i, line in enumerate(made(N)["alpha"])]}


def xliff12(target: list[str], tags: bool = False) -> str:
    body = []
    for i, (source, text) in enumerate(zip(TEXTS["source"], target, strict=True)):
        shown = f'<bpt id="1">&lt;b&gt;</bpt>{escape(text)}<ept id="1">&lt;/b&gt;</ept>' if tags else escape(text)
        body.append(
            f'<trans-unit id="{i}"><source>{escape(source)}</source><seg-source>{escape(source)}</seg-source>'
            f"<target>{shown}</target><alt-trans><target>Another.</target></alt-trans><note>No.</note></trans-unit>"
        )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">'
        '<file original="a.docx" source-language="de" target-language="en"><body><group>'
        + "\n".join(body) + "</group></body></file></xliff>\n"
    )  # fmt: skip


def xliff2(target: list[str], tags: bool = False) -> str:
    body = []
    for i, (source, text) in enumerate(zip(TEXTS["source"], target, strict=True)):
        shown = f'<pc id="1">{escape(text)}</pc><ph id="2"/>' if tags else escape(text)
        body.append(
            f'<unit id="u{i}"><originalData><data id="d">code</data></originalData><segment id="s1">'
            f"<source>{escape(source)}</source><target>{shown}</target></segment></unit>"
        )
    return (
        '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="de" trgLang="en"><file id="f1">'
        + "".join(body) + "</file></xliff>"
    )  # fmt: skip


def tmx(target: list[str], tags: bool = False) -> str:
    code = '<ph x="1">{1}</ph>' if tags else ""
    body = [
        f'<tu tuid="{i}"><tuv xml:lang="de"><seg>{escape(source)}</seg></tuv>'
        f'<tuv xml:lang="en"><seg>{escape(text)}{code}</seg></tuv></tu>'
        for i, (source, text) in enumerate(zip(TEXTS["source"], target, strict=True))
    ]
    return f'<?xml version="1.0"?>\n<tmx version="1.4"><header srclang="de"/><body>{"".join(body)}</body></tmx>'


def po(target: list[str], tags: bool = False) -> str:
    del tags

    def text(line: str) -> str:
        return '"' + line.replace("\\", "\\\\").replace('"', '\\"') + '"'

    head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    entries = [
        f'#: a.c:{i}\nmsgid {text(source)}\nmsgstr ""\n{text(line[:9])}\n{text(line[9:])}\n'
        for i, (source, line) in enumerate(zip(TEXTS["source"], target, strict=True))
    ]
    return head + "\n".join(entries) + '\n#~ msgid "old"\n#~ msgstr "gone"\n'


Written = Callable[[list[str], bool], str]
FORMS: dict[str, Written] = {".xlf": xliff12, ".xliff": xliff2, ".tmx": tmx, ".po": po, ".xml": xliff12}


@pytest.mark.parametrize("tags", [False, True])
@pytest.mark.parametrize("ending", FORMS)
def test_source_and_target_are_read(ending: str, tags: bool, tmp_path: Path) -> None:
    for folder, name in (("systems", "alpha"), ("systems", "beta"), ("refs", "ref")):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / f"{name}{ending}").write_text(FORMS[ending](TEXTS[name], tags), encoding="utf-8")
    if ending == ".xml":
        (tmp_path / "refs" / "ref.xml").unlink()
        (tmp_path / "refs" / "ref.txt").write_text("\n".join(TEXTS["ref"]))
    corpus = read(tmp_path)
    assert list(corpus.segments.sources or ()) == TEXTS["source"]
    assert {name: list(corpus.lines(name)) for name in corpus.systems} == {k: TEXTS[k] for k in ("alpha", "beta")}
    assert [list(lines) for lines in corpus.references.values()] == [TEXTS["ref"]]


@pytest.mark.parametrize("ending", [".xlf", ".xliff", ".tmx", ".po"])
def test_they_are_read_where_they_are_named(ending: str, tmp_path: Path) -> None:
    for name in ("alpha", "ref"):
        (tmp_path / f"{name}{ending}").write_text(FORMS[ending](TEXTS[name], False), encoding="utf-8")
    corpus = read_files([tmp_path / f"ref{ending}"], [tmp_path / f"alpha{ending}"])
    assert list(corpus.lines("alpha")) == TEXTS["alpha"]
    assert list(corpus.references["ref"]) == TEXTS["ref"]


@pytest.mark.parametrize("ending", [".xlf", ".xliff", ".tmx", ".po"])
def test_what_is_cut_off_is_refused(ending: str, tmp_path: Path) -> None:
    content = FORMS[ending](TEXTS["alpha"], False)
    (tmp_path / f"alpha{ending}").write_text(
        content[: len(content) // 2] if ending != ".po" else content.replace("msgstr", "mstr", 3)
    )
    with pytest.raises(ReadError, match=r"line \d+"):
        read(tmp_path / f"alpha{ending}")


SRT = "".join(f"{i}\n00:00:{i:02d},000 --> 00:00:{i:02d},900\nA line.\n\n" for i in range(1, 30))
CONTENT = {
    ".srt": SRT, ".vtt": "WEBVTT\n\n" + SRT.replace(",", "."), ".rtf": "{\\rtf1\\ansi A line.\\par}",
    ".html": "<!DOCTYPE html>\n<html><body><p>A line.</p></body></html>", ".docx": "PK\x03\x04word/document.xml",
    ".tex": "\\documentclass{article}\nA line.", ".xhtml": '<?xml version="1.0"?>\n<html xmlns="x"><p>A</p></html>',
}  # fmt: skip


@pytest.mark.parametrize("ending", CONTENT)
def test_other_documents_are_refused_by_their_suffix(ending: str, tmp_path: Path) -> None:
    LAYOUTS["folder"](TEXTS, tmp_path)
    (tmp_path / "systems" / f"gamma{ending}").write_text(CONTENT[ending])
    with pytest.raises(ReadError, match=f"gamma{ending} is .*[Ss]ave its text as .txt"):
        read(tmp_path)


@pytest.mark.parametrize(
    "content", [*CONTENT.values(), xliff12(TEXTS["alpha"]), tmx(TEXTS["alpha"]), po(TEXTS["alpha"])]
)
def test_and_by_what_they_hold(content: str, tmp_path: Path) -> None:
    LAYOUTS["folder"](TEXTS, tmp_path)
    (tmp_path / "systems" / "gamma.txt").write_text(content)
    with pytest.raises(ReadError, match=r"gamma\.txt is "):
        read(tmp_path)


def test_segments_that_are_marked_alike_are_segments_and_what_is_not_translated_is_none(kept: Kept) -> None:
    unit = "".join(f'<mrk mtype="seg" mid="{i}">{{0}} {i}.</mrk> ' for i in (1, 2))
    marked = (f'<trans-unit id="a"><source>x 1. x 2.</source><seg-source>{unit.format("x")}</seg-source>'
              f'<target>{unit.format("y")}</target></trans-unit>')  # fmt: skip
    code = '<trans-unit id="b" translate="no"><source>code</source></trans-unit>'
    file = f'<xliff version="1.2"><file source-language="de"><body>{marked}{code}</body></file></xliff>'
    source, target = translation_parts(File("a.sdlxliff", file.encode()))
    assert (source.lines, target.lines) == (("x 1.", "x 2."), ("y 1.", "y 2."))
    kept("readers", source.notes[0].text)


def test_languages_are_the_same_in_any_case() -> None:
    file = tmx(TEXTS["alpha"]).replace('"de"><seg>', '"DE"><seg>', 3)
    source, target = translation_parts(File("a.tmx", file.encode()))
    assert (len(source.lines or ()), len(target.lines or ())) == (N, N)
