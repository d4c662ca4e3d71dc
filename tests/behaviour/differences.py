"""Two records go in, what differs between them comes out."""

import difflib
import hashlib
import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

SHOWN = 12
"""Lines of a difference that are printed for a file."""


def compare(
    before: Path, after: Path, renames: Mapping[str, str], reasons: Sequence[tuple[str, str]], only: str
) -> int:
    """Print every difference of two records and return 1 where one has no reason, else 0."""
    old = {_renamed(name, renames): file for name, file in _files(before, only).items()}
    new = _files(after, only)
    told: list[str] = []
    unexplained = 0
    for name in sorted(old.keys() | new.keys()):
        found = _difference(name, old.get(name), new.get(name), renames)
        if not found:
            continue
        why = [(glob, reason) for glob, reason in reasons if fnmatchcase(name, glob)]
        if why:
            told.append(why[0][0])
            print(f"~ {name}: {why[0][1]}")
            continue
        unexplained += 1
        print("\n".join([f"! {name}", *(f"    {line}" for line in found)]))
    for glob, _ in reasons:
        if glob not in told:
            print(f"? nothing differs that the reason for {glob} is about")
    print(f"{len(old)} files before, {len(new)} after: {unexplained} differ without a reason, {len(told)} with one.")
    return 1 if unexplained or not old else 0


def _files(folder: Path, only: str) -> dict[str, Path]:
    found = {one.relative_to(folder).as_posix(): one for one in sorted(folder.rglob("*")) if one.is_file()}
    return {name: one for name, one in found.items() if fnmatchcase(name.split("/")[0].removesuffix(".txt"), only)}


def _renamed(text: str, renames: Mapping[str, str]) -> str:
    """Return the text with whole words renamed."""
    for old, new in renames.items():
        text = re.sub(rf"(?<![\w]){re.escape(old)}(?![\w])", new.replace("\\", r"\\"), text)
    return text


def _difference(name: str, before: Path | None, after: Path | None, renames: Mapping[str, str]) -> list[str]:
    """Return in a few lines how a file differs; nothing where it does not, or only in what is volatile."""
    if before is None or after is None:
        return ["new" if before is None else "missing"]
    one, two = before.read_bytes(), after.read_bytes()
    if one == two and not renames:
        return []
    texts = _renamed(readable(name, one), renames), readable(name, two)
    if texts[0] == texts[1]:
        if one != two and texts[1].encode() != two:  # read from something else than text
            print(f"= {name}: other bytes, the same content")
        return []
    found = difflib.unified_diff(_short_lines(texts[0]), _short_lines(texts[1]), lineterm="", n=1)
    changes = list(found)[2:]  # without the two names
    cut = [line if len(line) < 200 else f"{line[:200]}…" for line in changes[:SHOWN]]
    more = [f"… {len(changes) - SHOWN} more lines"] if len(changes) > SHOWN else []
    return [*_structure(*texts), *cut, *more]


def _short_lines(text: str) -> list[str]:
    """Return the lines; long ones are broken where something ends, so that a difference in them can be seen."""
    found: list[str] = []
    for line in text.split("\n"):
        found += [line] if len(line) < 200 else re.sub(r"(?<=[,;>}])", "\n", line).split("\n")
    return found


def readable(name: str, data: bytes) -> str:
    """Return a file as text that is the same when only what is volatile differs: dates, versions, compression."""
    if data[:4] == b"PK\x03\x04":
        return _members(data)
    if data[:4] == b"%PDF":
        return _pdf(data)
    if data[:4] == b"\x89PNG":
        return _image(data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return f"{len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}"
    if name.endswith(".html"):
        # Plotly calls the place of every figure by a random number.
        text = re.sub(r"\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b", "<ID>", text)
    if name.endswith((".xml", ".rels")):
        text = re.sub(r"(<dcterms:(created|modified)[^>]*>)[^<]*", r"\1", text).replace("><", ">\n<")
    return text


def _members(data: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = sorted(archive.namelist())
        return "\n".join(f"=== {name}\n{readable(name, archive.read(name))}" for name in names)


def _pdf(data: bytes) -> str:
    """Return what a PDF says and draws; without pypdf only its size."""
    try:
        from pypdf import PdfReader
    except ImportError:
        return f"PDF of {len(data)} bytes (pypdf is not installed)"
    found: list[str] = []
    for page in PdfReader(io.BytesIO(data)).pages:
        contents = page.get_contents()
        drawn = b"" if contents is None else contents.get_data()
        found += [str(list(page.mediabox)), page.extract_text(), f"drawn: sha256 {hashlib.sha256(drawn).hexdigest()}"]
    return "\n".join(found)


def _image(data: bytes) -> str:
    """Return size and pixels of an image, whatever program compressed it."""
    from PIL import Image

    with Image.open(io.BytesIO(data)) as image:
        return f"image {image.size}, pixels sha256 {hashlib.sha256(image.convert('RGBA').tobytes()).hexdigest()}"


def _structure(before: str, after: str) -> list[str]:
    """Return how JSON differs by paths: that of a file, or that of every command in a record."""
    if not before.startswith("$ mtsig"):
        one, two = _json(before), _json(after)
        return [] if one is None or two is None else _summed(json_changes(one, two))
    found: list[str] = []
    for one, two in zip(_outputs(before), _outputs(after), strict=False):
        if one is not None and two is not None and one != two:
            found += _summed(json_changes(one, two))
    return found


def _outputs(record: str) -> list[Any]:
    parts = re.findall(r"^--- stdout\n(.*?)\n--- stderr$", record, flags=re.DOTALL | re.MULTILINE)
    return [_json(part) for part in parts]


def _json(text: str) -> Any:
    """Return the object or list that the text is as JSON, or None."""
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict | list) else None


def json_changes(before: Any, after: Any, path: str = "$") -> Iterator[tuple[str, str, str]]:
    """Yield what differs as (kind, path, detail): keys added, removed, renamed or moved, and values changed."""
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _changes_of_keys(before, after, path)
    elif isinstance(before, list) and isinstance(after, list):
        if len(before) != len(after):
            yield "length", path, f"{len(before)} → {len(after)}"
        for number, (one, two) in enumerate(zip(before, after, strict=False)):
            yield from json_changes(one, two, f"{path}[{number}]")
    elif before != after or type(before) is not type(after):
        yield "changed", path, f"{_brief(before)} → {_brief(after)}"


def _changes_of_keys(before: dict[str, Any], after: dict[str, Any], path: str) -> Iterator[tuple[str, str, str]]:
    gone = [key for key in before if key not in after]
    come = [key for key in after if key not in before]
    renamed = _pairs_of_keys(before, after, gone, come)
    for old, new in renamed.items():
        yield "key renamed", f"{path}.{old}", f"now {new}"
        yield from json_changes(before[old], after[new], f"{path}.{new}")
    for key in (key for key in gone if key not in renamed):
        yield "key removed", f"{path}.{key}", f"was {_brief(before[key])}"
    for key in (key for key in come if key not in renamed.values()):
        yield "key added", f"{path}.{key}", f"is {_brief(after[key])}"
    shared = [key for key in before if key in after]
    if shared != [key for key in after if key in before]:
        yield "keys in another order", path, ""
    for key in shared:
        yield from json_changes(before[key], after[key], f"{path}.{key}")


def _pairs_of_keys(
    before: Mapping[str, Any], after: Mapping[str, Any], gone: Sequence[str], come: Sequence[str]
) -> dict[str, str]:
    """Return old key -> new key: those with the same value, then those at the same place and of the same type."""
    found: dict[str, str] = {}
    places = list(before), list(after)
    for same_value in (True, False):
        for old in gone:
            for new in come:
                if old in found or new in found.values():
                    continue
                fits = before[old] == after[new] if same_value else places[0].index(old) == places[1].index(new)
                if fits and type(before[old]) is type(after[new]):
                    found[old] = new
    return found


def _brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:40]}…"


def _summed(changes: Iterator[tuple[str, str, str]]) -> list[str]:
    """Return a line for each kind of change at each path, items of one list taken together."""
    counts: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], str] = {}
    for kind, path, detail in changes:
        where = kind, re.sub(r"\[\d+\]", "[]", path)
        counts[where] += 1
        first.setdefault(where, detail)
    lines = [
        f"JSON: {kind}: {path} {first[kind, path]}" + (f" (and {many - 1} more)" if many > 1 else "")
        for (kind, path), many in sorted(counts.items(), key=lambda item: (item[0][0] == "changed", item[0]))
    ]
    return lines if len(lines) <= 2 * SHOWN else [*lines[: 2 * SHOWN], f"… {len(lines) - 2 * SHOWN} more paths"]
