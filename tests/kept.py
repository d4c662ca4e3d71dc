"""Texts that the program prints, in tests/snapshots: a file for a verb or a folder of tests, a section for every test.

Phrases are read there, where a change of words is one difference; facts are asserted in the tests. After a change of
words, `.venv/bin/pytest -n 0 --renew FILES` writes the sections of the tests that it runs anew, and no others.
"""

import os
import re
from collections.abc import Callable, Iterable, Set
from difflib import unified_diff
from pathlib import Path
from typing import Any

from mtsig.citations import VERSION

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("MTSIG_SHARED", ROOT.parent / "shared"))
"""The folder of real data, where there is one; tests that use it skip where there is none."""
SNAPSHOTS = ROOT / "tests" / "snapshots"
Kept = Callable[..., None]


def sections(verb: str) -> dict[str, str]:
    """Return the kept texts of a verb by their tests."""
    file = SNAPSHOTS / f"{verb}.txt"
    pieces = re.split(r"^=== (.*)\n", file.read_text(encoding="utf-8") if file.exists() else "", flags=re.MULTILINE)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


def plain(text: str, base: Path) -> str:
    """Return a text without this machine's folders, the version, digests, dates, and blanks that nobody sees."""
    text = re.sub(re.escape(str(base)) + r"/[^/\s:,'\"]+", "<tmp>", text).replace(str(ROOT), "<root>")
    text = text.replace(str(SHARED), "<shared>")
    text = re.sub(rf"\b{re.escape(VERSION)}\b", "<version>", text)
    text = re.sub(r"\bsha256:[0-9a-f]{64}", "sha256:…", text)
    text = re.sub(r"\b\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?(\+00:00|Z)?)?", "<date>", text)
    text = re.sub(r"\b\d\d? [A-Z][a-z]{2} \d{4}\b", "<date>", text)
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def texts(said: object) -> list[str]:
    """Return what is said, text by text: of a note its text, of several notes or texts each, of a set in order."""
    if isinstance(said, Iterable) and not isinstance(said, str):
        return [text for one in (sorted(said) if isinstance(said, Set) else said) for text in texts(one)]
    return [] if said is None else [str(getattr(said, "text", said))]


def parts(said: object, *keys: str) -> list[str]:
    """Return those sentences, lines and cells of texts, HTML or plain, that hold a key."""
    pieces = re.split(r"<[^<>]{1,500}>|\n|(?<=[.!?])\s", "\n".join(texts(said)))
    return [piece.strip() for piece in pieces if any(key in piece for key in keys)]


def lacking(text: str | None, *facts: object) -> list[str]:
    """Return which facts (a file, a line, a number, an option) a text does not hold, whatever its sentences are.

    A number is a whole one: "1 columns" is not in "found 11 columns".
    """
    said = " ".join((text or "").split())
    return [fact for fact in map(str, facts) if not re.search(rf"(?<!\d(?=\d)){re.escape(fact)}(?!(?<=\d)\d)", said)]


def kept(test: str, base: Path, renew: bool) -> Kept:
    """Return what holds texts of a test to what is kept of them; `base` is the folder of temporary folders."""
    called: dict[str, int] = {}

    def hold(verb: str, *texts: str) -> None:
        called[verb] = number = called.get(verb, 0) + 1
        section = test if number == 1 else f"{test} ({number})"
        said, known = plain("\n".join(texts), base), sections(verb)
        if renew:
            if number == 1:  # as many sections as the test has calls now
                known = {name: text for name, text in known.items() if name.removeprefix(test)[:2] not in ("", " (")}
            known[section] = said
            SNAPSHOTS.mkdir(exist_ok=True)
            texts_of_all = (f"=== {name}\n{known[name]}" for name in sorted(known))
            (SNAPSHOTS / f"{verb}.txt").write_text("".join(texts_of_all), encoding="utf-8")
        place = f"tests/snapshots/{verb}.txt"
        differing = unified_diff(known.get(section, "").splitlines(), said.splitlines(), place, "said now", lineterm="")
        lines = [*differing] or [f"{place} has no text of this test"] * (section not in known)
        assert not lines, "\n".join([*lines, f"renew: pytest -n 0 --renew {test}"])

    _running.update(hold=hold, folder=Path(test.partition("::")[0]).relative_to("tests").parts[0], said=set())
    return hold


_running: dict[str, Any] = {}
"""The test that is running: its `kept`, its folder, and what `worded` was given in it."""


def worded(said: object, *facts: object) -> None:
    """Hold a text, or several, to the facts that they state, and to their wording in the file of the test's folder.

    What a test says again and again, for many systems or on many pages, is kept once.
    """
    words = "\n".join(texts(said))
    assert words, "nothing is said"
    assert not lacking(words, *facts), words
    if words not in _running["said"]:
        _running["hold"](Path(_running["folder"]).stem, words)
    _running["said"].add(words)
