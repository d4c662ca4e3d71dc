"""Digests: columns of lines go in, what tells them from all others comes out."""

import hashlib
import json
from collections.abc import Iterator, Sequence

import numpy as np


def digest_of(columns: Sequence[Sequence[str | None]]) -> str:
    """Return what tells these columns of lines from all others, whatever they are called."""
    digest = hashlib.sha256(f"{len(columns)}:".encode())
    for lines in columns:
        # With the lengths in front no two columns are written alike, whatever stands in the lines.
        lengths = np.fromiter((-1 if line is None else len(line) for line in lines), dtype="<i8", count=len(lines))
        digest.update(np.array(len(lines), dtype="<i8").tobytes())
        digest.update(lengths.tobytes())
        step = _step(lines)
        for start in range(0, len(lines), step):
            some = [line for line in lines[start : start + step] if line]
            digest.update("".join(some).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


_ENCODED = 2**10
"""Items that are encoded at a time: of a large test set the whole would be larger than its text."""

_LETTERS = 2**24
"""Letters that are encoded at a time."""


def as_json(content: object) -> Iterator[str]:
    """Yield the pieces of content as compact JSON."""
    encoded = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), default=_written).encode
    if isinstance(content, dict):
        for number, (name, value) in enumerate(content.items()):
            yield f"{',' if number else '{'}{encoded(name)}:"
            yield from as_json(value)
        yield "}" if content else "{}"
    elif isinstance(content, list | tuple) and len(content) > (step := _step(content)):
        for start in range(0, len(content), step):
            yield f"{',' if start else '['}{encoded(content[start : start + step])[1:-1]}"
        yield "]"
    else:
        yield encoded(content)


def _step(content: Sequence[object]) -> int:
    """Return how many items are encoded at once: fewer where they are long."""
    longest = max((len(item) for item in content if isinstance(item, str)), default=0)
    return max(1, min(_ENCODED, _LETTERS // max(1, longest)))


def _written(item: object) -> object:
    """Return an annotation that JSON does not know in a form it does, nothing left out."""
    return item.tolist() if isinstance(item, np.ndarray) else repr(item)
