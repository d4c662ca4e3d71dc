"""Differences of two trees of plain values, leaf by leaf: nothing is listed by name, so that no field is forgotten."""

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from typing import Any

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

ABSENT = object()
"""Stands for a value where a tree has no such key, or no such item."""

Rows = tuple[Mapping[str, Any], Mapping[str, Any]]


@dataclass(frozen=True)
class Leaf:
    """A value that differs, or is in one tree alone, and ABSENT from the other.

    path: where it is, in the first tree if it is there. row: the path of the row of a table that it is in; "" in none.
    rows: that row in both trees; empty in one that lacks it.
    """

    path: str
    row: str
    rows: Rows
    before: Any
    now: Any

    @property
    def top(self) -> str:
        """The first name of the path."""
        return re.split(r"[.\[]", self.path, maxsplit=1)[0]

    @property
    def name(self) -> str:
        """What the row calls it."""
        return self.path.removeprefix(self.row).lstrip(".")

    @property
    def is_p(self) -> bool:
        """Whether it is a p-value."""
        return bool(_P_VALUE.search(self.path))

    @property
    def is_rounding(self) -> bool:
        """Whether both are the same computed number but for rounding: what was chosen or counted has none."""
        if not (isinstance(self.before, float) and isinstance(self.now, float)):
            return False
        if not self.row or self.top == "request" or self.name in _GIVEN:
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
    if isinstance(before, dict) and isinstance(now, dict):
        for key in dict.fromkeys([*before, *now]):
            at = f"{path}.{key}" if path else key
            yield from _leaves(before.get(key, ABSENT), now.get(key, ABSENT), at, row, rows, called)
    elif isinstance(before, list) and isinstance(now, list):
        names, new_names = _names(before, {}), _names(now, called)
        places = {name: place for place, name in enumerate(new_names)}
        paired = [(place, before[place], now[places[name]] if name in places else ABSENT)
                  for place, name in enumerate(names)]  # fmt: skip
        paired += [(places[name], ABSENT, now[places[name]]) for name in new_names if name not in set(names)]
        for place, old, new in paired:
            at = f"{path}[{place}]"
            if isinstance(old, dict) or isinstance(new, dict):
                own: Any = ({} if old is ABSENT else old, {} if new is ABSENT else new)
                yield from _leaves(old, new, at, at, own, called)
            else:
                yield from _leaves(old, new, at, row, rows, called)
        there = [name for name in new_names if name in set(names)]
        if [name for name in names if name in places] != there:
            yield Leaf(f"{path}.order", row, rows, "one order", "another")
    elif type(before) is not type(now) or before != now:
        yield Leaf(path, row, rows, before, now)


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
