"""What differs: fingerprints of data find a changed line and name it; trees of plain values differ leaf by leaf."""

import hashlib
import json
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isclose
from typing import Annotated, Any, Literal, TypeVar

import numpy as np
from msgspec import Meta

from mtsig._records import about
from mtsig.corpus import Corpus
from mtsig.corpus._notes import quoted

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
            "source, document, domain, reference, system, system left out (still checked for reference overlap), "
            "rating or annotation."
        ),
    ]
    name: Annotated[str, about("Name of the text.")]
    digest: Annotated[str, about("SHA-256 of the lines as a JSON array without spaces, ASCII only.")]
    lines: Annotated[
        str,
        Meta(pattern="^([A-Za-z0-9+/-]{4})*$"),
        about("Four characters per line: the first 24 bits of its SHA-256, in base64; ---- if missing."),
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
    """Return a sentence for every changed, renamed, new or missing text; `corpus`, of `now`, quotes the first line."""
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
            f"The {value.label} is missing."
            if twin is None
            else f"The {value.label} has a new name, {twin.name!r}; its lines are the same."
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
        return f"The {fingerprint.label} was changed. The short digests of its lines do not show where."
    shown = ", ".join(str(line + 1) for line in places[:5]) + (", …" if len(places) > 5 else "")
    many = f"lines {shown} were ({len(places)} of {len(fingerprint)})" if len(places) > 1 else f"line {shown} was"
    text = f"The {fingerprint.label} was changed: {many} not the same before."
    if lines is None:
        return text
    return f"{text} Line {places[0] + 1} now reads {quoted(lines[places[0]])}."


ROUNDING = 1e-9
"""Numbers that differ by less than this share of them differ by rounding: processors and versions of numpy take
logarithms and sums to about 1e-16, which a standard error of nearly equal parts makes 1e-13 of."""

NEARLY_NOTHING = 1e-12
"""What a computed number that is nearly 0 may differ by: of what sums of equal parts leave over all digits are the
last ones. A p-value has no such part."""

NAMING = ("set", "metric", "signature", "system", "first", "second", "kind", "reference", "role", "name", "segment")
"""Fields that say which row a row is; of two rows of one table with the same names the first is the first."""

_GIVEN = frozenset({"level", "adjusted_level", "margin", "points", "alpha"})
"""Fields in rows of results that were chosen, or follow from choices and counts: they have no last digits."""

_ORDERED = frozenset({"score"})
"""Columns that say which row is the best, and in what order the others follow."""

_P_VALUE = re.compile(r"(^|\.)(p_\w+|adjusted_(low|high))(\[\d+\])?$")

_ROW_OF_RESULTS = re.compile(r"(systems|comparisons|ranks|margins|described|replicability)(\[\d+\])+$")

ABSENT = object()
"""Stands for a value where a tree has no such key, or no such item."""

K = TypeVar("K", bound=str)

Rows = tuple[Mapping[str, Any], Mapping[str, Any]]


@dataclass(frozen=True)
class Leaf:
    """A value that differs, or is in one tree alone, and ABSENT from the other.

    path: where it is, in the first tree if it is there. row: the path of the row of a table that it is in; "" in none.
    rows: that row in both trees; empty in one that lacks it. column: the name of its column, where it is in one.
    table: all rows of the block it is in, before and now.
    """

    path: str
    row: str
    rows: Rows
    before: Any
    now: Any
    column: str = ""
    table: Sequence[tuple[int, Any, Any]] = field(default=(), repr=False)

    @property
    def top(self) -> str:
        """The first name of the path."""
        return re.split(r"[.\[]", self.path, maxsplit=1)[0]

    @property
    def name(self) -> str:
        """What the row calls it."""
        return self.column or self.path.removeprefix(self.row).lstrip(".")

    def kind(self, kinds: Mapping[str, K]) -> K | Literal["number"]:
        """Return what kind of thing it is, by the outermost field that says so; rows of results are numbers."""
        if self.column or _ROW_OF_RESULTS.search(self.row):
            return "number"
        names = re.findall(r"[a-z_]+", self.path)
        return next((kinds[name] for name in (names[1:] if names[0] == "sets" else names) if name in kinds), "number")

    @property
    def is_p(self) -> bool:
        return bool(_P_VALUE.search(self.column or self.path))

    def is_rounding(self, bounds: Collection[float]) -> bool:
        """Whether both are the same computed number but for rounding: what was chosen or counted has none.

        What is said of a number follows from the side of `bounds` that it is on, and of numbers beside it: numbers of
        which not the same is said differ, however near.
        """
        if not (isinstance(self.before, float) and isinstance(self.now, float)):
            return False
        if not self.row or self.top == "request" or self.name.rpartition(".")[2] in _GIVEN:
            return False
        if not isclose(self.before, self.now, rel_tol=ROUNDING, abs_tol=0.0 if self.is_p else NEARLY_NOTHING):
            return False
        passed = [*((bound, bound) for bound in bounds), *self._beside()]
        return all(_side(self.before, old) == _side(self.now, new) for old, new in passed)

    def _beside(self) -> Iterator[tuple[float, float]]:
        """Yield the numbers, before and now, that this one is held against in words."""
        old, new = self.rows
        name = self.name.partition("[")[0]
        if all(isinstance(row.get(name), list) for row in self.rows):  # which is the largest, whether all are the same
            found: Iterable[tuple[Any, Any]] = zip(old[name], new[name], strict=False)
        elif self.is_p:  # whether it was drawn: of one that was not both ends of its Monte Carlo interval are the same
            found = ((old[other], new[other]) for other in old if _P_VALUE.search(other) and other in new)
        elif name in _ORDERED:
            rows = ((old, new) for _, old, new in self.table if ABSENT not in (old, new))
            found = ((old[name], new[name]) for old, new in rows)
        else:
            return
        yield from (both for both in found if all(isinstance(value, float) for value in both))


def _side(value: float, bound: float) -> int:
    return (value > bound) - (value < bound)


def bounds_in(tree: Any) -> set[float]:
    """Return what results are held against in words: 0, and what was chosen anywhere in a tree, on either side of 0."""
    found, left = {0.0}, [("", tree)]
    while left:
        name, value = left.pop()
        if isinstance(value, dict):
            left += value.items()
        elif isinstance(value, list):
            left += [(name, item) for item in value if not isinstance(item, str)]
        elif name in _GIVEN and isinstance(value, float):
            # The level .95 belongs to p = .05, as 1 − level has it and as it was written.
            found |= {value, -value, 1 - value, round(1 - value, 12)}
    return found


def leaves(before: Any, now: Any, called: Mapping[str, str] | None = None) -> Iterator[Leaf]:
    """Yield where two trees of plain values differ, rows paired by name; called: new names of the old ones."""
    yield from _leaves(before, now, "", "", ({}, {}), called or {})


def _leaves(before: Any, now: Any, path: str, row: str, rows: Rows, called: Mapping[str, str]) -> Iterator[Leaf]:
    if _is_block(before) and _is_block(now):
        yield from _leaves(before["header"], now["header"], f"{path}.header", row, rows, called)
        yield from _leaves_of_rows(before, now, path, called)
    elif isinstance(before, dict) and isinstance(now, dict):
        for key in dict.fromkeys([*before, *now]):
            at = f"{path}.{key}" if path else key
            yield from _leaves(before.get(key, ABSENT), now.get(key, ABSENT), at, row, rows, called)
    elif isinstance(before, list) and isinstance(now, list):
        for place, old, new in _paired(before, now, called):
            at = f"{path}[{place}]"
            own = _own(old, new)
            # The only test set has no name, and what is in it is in no row.
            if own is not None and any(item.get(key) is not None for item in own for key in NAMING):
                yield from _leaves(old, new, at, at, own, called)
            else:
                yield from _leaves(old, new, at, row, rows, called)
        if _in_another_order(before, now, called):
            yield Leaf(f"{path}.order", row, rows, "one order", "another")
    elif type(before) is not type(now) or before != now or (before == 0 and str(before) != str(now)):  # 0.0 and −0.0
        yield Leaf(path, row, rows, before, now)


def _leaves_of_rows(
    before: Mapping[str, Any], now: Mapping[str, Any], path: str, called: Mapping[str, str]
) -> Iterator[Leaf]:
    """Yield where the rows of two blocks of estimates differ."""
    old_rows, new_rows = _rows_of(before), _rows_of(now)
    table = _paired(old_rows, new_rows, called)
    for place, old, new in table:
        at, own = f"{path}[{place}]", _own(old, new) or ({}, {})
        if old is ABSENT or new is ABSENT:
            yield Leaf(at, at, own, old, new)
            continue
        for part in ("columns", "derived"):
            for name in dict.fromkeys([*before[part], *now[part]]):
                for leaf in _leaves(old.get(name, ABSENT), new.get(name, ABSENT), "", at, own, called):
                    told = f"{path}.{part}.{name}[{place}]{leaf.path}"
                    yield Leaf(told, at, own, leaf.before, leaf.now, f"{name}{leaf.path}", table)
    if _in_another_order(old_rows, new_rows, called):
        yield Leaf(f"{path}.columns.order", path, ({}, {}), "one order", "another")


def _is_block(value: Any) -> bool:
    """Return whether a value is a block of estimates (see `mtsig._records`)."""
    return isinstance(value, dict) and {"of", "header", "columns"} <= value.keys()


def _rows_of(block: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of a block, each with what the header says of all, and with what follows from it."""
    columns = {**block["columns"], **block["derived"]}
    size = max((len(column) for column in columns.values() if isinstance(column, list)), default=0)
    return [
        {**block["header"], **{name: item[i] if isinstance(item, list) else item for name, item in columns.items()}}
        for i in range(size)
    ]


def _paired(before: Sequence[Any], now: Sequence[Any], called: Mapping[str, str]) -> list[tuple[int, Any, Any]]:
    """Return place, item before and item now, held together by their names; ABSENT where a list has none."""
    names, new_names = _names(before, {}), _names(now, called)
    places = {name: place for place, name in enumerate(new_names)}
    paired = [
        (place, before[place], now[places[name]] if name in places else ABSENT) for place, name in enumerate(names)
    ]
    return paired + [(places[name], ABSENT, now[places[name]]) for name in new_names if name not in set(names)]


def _in_another_order(before: Sequence[Any], now: Sequence[Any], called: Mapping[str, str]) -> bool:
    names, new_names = _names(before, {}), _names(now, called)
    both = set(names) & set(new_names)
    return [name for name in names if name in both] != [name for name in new_names if name in both]


def _own(old: Any, new: Any) -> Rows | None:
    """Return a row in both trees, empty in one that lacks it; None where neither is a row."""
    if not (isinstance(old, dict) or isinstance(new, dict)):
        return None
    return {} if old is ABSENT else old, {} if new is ABSENT else new


def _names(items: Sequence[Any], called: Mapping[str, str]) -> list[Hashable]:
    """Return what tells the items of a list apart: the names of rows, texts themselves, else their places."""
    if items and all(isinstance(item, str) for item in items):
        names: list[Hashable] = list(items)
    elif items and all(isinstance(item, dict) for item in items):
        names = [tuple(called.get(text, text) for text in (str(item.get(key)) for key in NAMING)) for item in items]
    else:
        return list(range(len(items)))
    seen: Counter[Hashable] = Counter()
    numbered: list[Hashable] = []
    for name in names:
        seen[name] += 1
        numbered.append((name, seen[name]))
    return numbered
