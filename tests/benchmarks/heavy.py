"""Data that cost a server much and the visitor who drops them little; all are made here."""

import gzip
import io
import json
import zipfile
from collections.abc import Callable, Mapping

import numpy as np
from openpyxl import Workbook

Files = Mapping[str, bytes]


def many_lines(megabytes: float = 37) -> Files:
    """Return three packed files of so many bytes together, of lines of which no two are the same."""
    rng, lines = np.random.default_rng(0), int(megabytes * 2**20 / 3 / 8.8)
    return {
        f"{name}.txt.gz": gzip.compress(
            "\n".join(f"{number:x} {word:x}" for number, word in enumerate(rng.integers(0, 2**32, lines))).encode(), 1
        )
        for name in ("ref", "alpha", "beta")
    }


def many_texts(texts: int = 990) -> Files:
    """Return an archive of so many texts of a hundred short lines, all of them systems but one."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(texts + 1):
            archive.writestr("ref.txt" if number == texts else f"sys{number}.txt", "a b c\n" * 100)
    return {"many.zip": packed.getvalue()}


def inflated_workbook(megabytes: int = 300) -> Files:
    """Return a workbook of two columns, whose table of strings is so large when it is unpacked."""
    book, plain, packed = Workbook(), io.BytesIO(), io.BytesIO()
    for row in (("system", "reference"), ("a cat", "the cat")):
        book.active.append(row)
    book.save(plain)
    with zipfile.ZipFile(plain) as made, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in made.namelist():
            content = made.read(name)
            if name == "xl/sharedStrings.xml":
                more = b"<si><t>a</t></si>"
                content = content.replace(b"</sst>", more * (megabytes * 2**20 // len(more)) + b"</sst>")
            archive.writestr(name, content)
    return {"book.xlsx": packed.getvalue()}


def many_verdicts(judgements: int = 100_000, systems: int = 60) -> Files:
    """Return verdicts on pairs of so many systems, each on an item of its own by one of as many raters as items."""
    pairs = np.random.default_rng(0).integers(0, systems, (judgements, 2))
    rows = (
        json.dumps({"item": number, "judge": f"r{number}", "model_a": f"s{a}", "model_b": f"s{b}", "winner": "model_b"})
        for number, (a, b) in enumerate(pairs.tolist())
    )
    return {"verdicts.jsonl.gz": gzip.compress("\n".join(rows).encode(), 1)}


def many_raters(entries: int = 80_000) -> Files:
    """Return a campaign of one text by two systems, rated by so many."""
    rated = '"item": [{"item_id": "a"}], "annotation": [{"A": {"score": 1}, "B": {"score": 2}}]'
    rows = (f'{{"user_id": "u{number}", "item_i": 0, {rated}}}' for number in range(entries))
    return {"campaign.jsonl.gz": gzip.compress("\n".join(rows).encode(), 1)}


KINDS: Mapping[str, Callable[[], Files]] = {
    "lines": many_lines,
    "texts": many_texts,
    "workbook": inflated_workbook,
    "verdicts": many_verdicts,
    "campaign": many_raters,
}

PAGE_OF: Mapping[str, str] = {"verdicts": "Preferences", "campaign": "Metrics vs humans"}
"""Which page works out most of a kind; of the others it is where they are dropped."""

SMALL: Mapping[str, Callable[[], Files]] = {
    "verdicts": lambda: many_verdicts(400, 4),
    "campaign": lambda: many_raters(400),
}
"""The same kinds as they are usually."""
