"""Differences of two trees of plain values, leaf by leaf: nothing is listed by name, so that no field is forgotten."""

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from typing import Any, Literal, TypeVar

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

_P_VALUE = re.compile(r"(^|\.)(p_\w+|adjusted_(low|high))$")

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
    """

    path: str
    row: str
    rows: Rows
    before: Any
    now: Any
    column: str = ""

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
        """Whether it is a p-value."""
        return bool(_P_VALUE.search(self.column or self.path))

    @property
    def is_rounding(self) -> bool:
        """Whether both are the same computed number but for rounding: what was chosen or counted has none."""
        if not (isinstance(self.before, float) and isinstance(self.now, float)):
            return False
        if not self.row or self.top == "request" or self.name.rpartition(".")[2] in _GIVEN:
            return False
        return isclose(self.before, self.now, rel_tol=ROUNDING, abs_tol=0.0 if self.is_p else NEARLY_NOTHING)


def leaves(before: Any, now: Any, called: Mapping[str, str] | None = None) -> Iterator[Leaf]:
    """Yield where two trees of dicts, lists and plain values differ; rows are held together by their names.

    called: what a name of the second tree is in the first.

    >>> old, new = ({"rows": [{"name": "a", "n": n}, {"name": "b", "n": 1}], "notes": ["x"]} for n in (1, 2))
    >>> [(leaf.path, leaf.before, leaf.now) for leaf in leaves(old, new)]
    [('rows[0].n', 1, 2)]
    """
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
            if own is not None and any(_name_of(item) for item in own):
                yield from _leaves(old, new, at, at, own, called)
            else:
                yield from _leaves(old, new, at, row, rows, called)
        if _in_another_order(before, now, called):
            yield Leaf(f"{path}.order", row, rows, "one order", "another")
    elif type(before) is not type(now) or before != now:
        yield Leaf(path, row, rows, before, now)


def _leaves_of_rows(
    before: Mapping[str, Any], now: Mapping[str, Any], path: str, called: Mapping[str, str]
) -> Iterator[Leaf]:
    """Yield where the rows of two blocks of estimates differ."""
    old_rows, new_rows = _rows_of(before), _rows_of(now)
    for place, old, new in _paired(old_rows, new_rows, called):
        at, own = f"{path}[{place}]", _own(old, new) or ({}, {})
        if old is ABSENT or new is ABSENT:
            yield Leaf(at, at, own, old, new)
            continue
        for part in ("columns", "derived"):
            for name in dict.fromkeys([*before[part], *now[part]]):
                for leaf in _leaves(old.get(name, ABSENT), new.get(name, ABSENT), "", at, own, called):
                    told = f"{path}.{part}.{name}[{place}]{leaf.path}"
                    yield Leaf(told, at, own, leaf.before, leaf.now, f"{name}{leaf.path}")
    if _in_another_order(old_rows, new_rows, called):
        yield Leaf(f"{path}.columns.order", path, ({}, {}), "one order", "another")


def _is_block(value: Any) -> bool:
    """Return whether a value is a block of estimates (see `mtsig.forms`)."""
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


def _name_of(item: Mapping[str, Any]) -> list[Any]:
    return [item[key] for key in NAMING if item.get(key) is not None]


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
