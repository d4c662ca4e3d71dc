"""Fingerprints of the data, per text and per line: a corpus goes in; later, a changed line is found and named."""

import hashlib
import json
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from msgspec import Meta

from mtsig.corpus import Corpus, quoted
from mtsig.records import about

_PER_LINE = 4
_MISSING = "----"
"""Stands for a line that is not there; no base64 text looks so."""


@dataclass(frozen=True)
class Fingerprint:
    """One text of the data: what it is, the SHA-256 of all its lines, and four signs for each line.

    lines: the first 24 bits of each line's SHA-256 in base64, one after another. The digest finds any change; the
    signs say where it is (two different lines look alike once in 17 million).
    """

    role: Annotated[
        str,
        about(
            "source, document, domain, reference, system, system left out (kin of references were sought among them, "
            "too), rating or annotation."
        ),
    ]
    name: Annotated[str, about("Name of the text.")]
    digest: Annotated[str, about("SHA-256 of the lines as a JSON array without spaces, ASCII only.")]
    lines: Annotated[
        str,
        Meta(pattern="^([A-Za-z0-9+/-]{4})*$"),
        about("Four signs per line: the first 24 bits of the SHA-256 of its UTF-8, in base64; ---- where none is."),
    ] = field(repr=False)

    def __len__(self) -> int:
        """Return the number of lines."""
        return len(self.lines) // _PER_LINE

    def __getitem__(self, line: int) -> str:
        """Return the signs of a line, counted from 0."""
        return self.lines[_PER_LINE * line : _PER_LINE * (line + 1)]

    @property
    def label(self) -> str:
        """What messages call it."""
        return f"{self.role} {self.name!r}" if self.name else self.role


def fingerprints(corpus: Corpus) -> tuple[Fingerprint, ...]:
    """Return the fingerprint of every text of the corpus."""
    return tuple(_fingerprint(role, name, lines) for role, name, lines in _texts(corpus))


def _texts(corpus: Corpus) -> list[tuple[str, str, Sequence[str | None]]]:
    texts: list[tuple[str, str, Sequence[str | None]]] = []
    for role in ("sources", "documents", "domains"):
        column = getattr(corpus.segments, role)
        if column is not None:
            texts.append((role.removesuffix("s"), "", column))
    texts += [("reference", name, lines) for name, lines in corpus.references.items()]
    texts += [("system", name, lines) for name, lines in corpus.outputs.items()]
    texts += [("system left out", name, lines) for name, lines in corpus.beside.items()]
    for name, rating in corpus.ratings.items():
        for system, values in zip(corpus.systems, rating.values, strict=True):
            scores = [None if np.isnan(value) else repr(float(value)) for value in values]
            texts.append(("rating", f"{name} of {system}", scores))
    for name, by_run in corpus.annotations.items():
        texts += [
            ("annotation", f"{name} of {run}", [_written(item) for item in items]) for run, items in by_run.items()
        ]
    return texts


def _written(item: object) -> str:
    """Return an annotation as text, nothing left out: numpy shortens long arrays when asked for their repr."""
    return json.dumps(item, default=lambda value: value.tolist() if isinstance(value, np.ndarray) else repr(value))


def _fingerprint(role: str, name: str, lines: Sequence[str | None]) -> Fingerprint:
    whole = json.dumps(list(lines), ensure_ascii=True, separators=(",", ":"))
    return Fingerprint(role, name, f"sha256:{hashlib.sha256(whole.encode()).hexdigest()}", "".join(map(_signs, lines)))


def _signs(line: str | None) -> str:
    if line is None:
        return _MISSING
    return b64encode(hashlib.sha256(line.encode("utf-8", "surrogatepass")).digest()[:3]).decode()


def data_changes(before: Sequence[Fingerprint], now: Sequence[Fingerprint], corpus: Corpus | None = None) -> list[str]:
    """Return a sentence for every text that was changed, renamed, added or taken away; changed lines are named.

    With `corpus`, the data of `now`, the first changed line is quoted.
    """
    old = {(fingerprint.role, fingerprint.name): fingerprint for fingerprint in before}
    new = {(fingerprint.role, fingerprint.name): fingerprint for fingerprint in now}
    texts = {} if corpus is None else {(role, name): lines for role, name, lines in _texts(corpus)}
    changes = []
    for key, value in old.items():
        if key in new:
            if value.digest != new[key].digest:
                changes.append(_changed(value, new[key], texts.get(key)))
            continue
        twin = next((other for at, other in new.items() if at not in old and _same_text(value, other)), None)
        changes.append(
            f"The {value.label} is gone."
            if twin is None
            else f"The {value.label} is now called {twin.name!r}; its lines are the same."
        )
    for key, value in new.items():
        if key not in old and not any(at not in new and _same_text(value, other) for at, other in old.items()):
            changes.append(f"The {value.label} is new.")
    return changes


def _same_text(fingerprint: Fingerprint, other: Fingerprint) -> bool:
    return (fingerprint.role, fingerprint.digest) == (other.role, other.digest)


def _changed(fingerprint: Fingerprint, other: Fingerprint, lines: Sequence[str | None] | None) -> str:
    places = [line for line in range(min(len(fingerprint), len(other))) if fingerprint[line] != other[line]]
    if len(fingerprint) != len(other):
        first = places[0] if places else min(len(fingerprint), len(other))
        return (
            f"The {fingerprint.label} had {len(fingerprint)} lines and now has {len(other)}; the first difference is "
            f"line {first + 1}."
        )
    if not places:
        return f"The {fingerprint.label} was changed, but its lines' short digests do not tell where."
    shown = ", ".join(str(line + 1) for line in places[:5]) + (", …" if len(places) > 5 else "")
    many = f"lines {shown} were ({len(places)} of {len(fingerprint)})" if len(places) > 1 else f"line {shown} was"
    text = f"The {fingerprint.label} was changed: {many} not the same before."
    if lines is None:
        return text
    return f"{text} Line {places[0] + 1} now reads {quoted(lines[places[0]])}."
