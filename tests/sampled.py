"""Families of tests of which the suite's command runs a selection, and `pytest -m slow` the rest."""

import random
from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest

SUITE = "not slow"
"""The selection by marks that leaves out the rest of a family; by any other it is collected, too."""

_selects = ""


def selects(marks: str) -> None:
    """Take what the command selects by marks, before the tests are collected."""
    global _selects
    _selects = marks


def slow(*members: Any) -> list[Any]:
    """Return members of a family for `pytest -m slow` alone; a tuple has a value for every name, as has a param."""
    rows = (getattr(one, "values", one) if isinstance(one, tuple) else (one,) for one in members)
    return [pytest.param(*row, marks=pytest.mark.slow) for row in rows] if _selects != SUITE else []


def sampled(names: str, members: Iterable[Any], most: int = 0, **more: Any) -> pytest.MarkDecorator:
    """Return `parametrize` with a selection of the members: every value of every column once, and `most` at least.

    For a single name that is every member: there `most` alone counts. The members have to come in the same order in
    every process; values are the same if they are written the same.
    """
    rows = list(members)
    several = "," in names
    order = random.Random(0).sample(range(len(rows)), len(rows))
    values = [set(enumerate(map(repr, row))) if several else set() for row in rows]
    seen: set[tuple[int, str]] = set()
    kept: list[int] = []
    # First those that bring something new in every column, which makes them few.
    for new in range(max(map(len, values)), 0, -1):
        for at in order:
            if len(values[at] - seen) >= new:
                seen |= values[at]
                kept.append(at)
    kept += [at for at in order if at not in kept][: max(0, most - len(kept))]
    chosen = [
        row if at in kept else pytest.param(*(row if several else (row,)), marks=pytest.mark.slow)
        for at, row in enumerate(rows)
        if at in kept or _selects != SUITE
    ]
    return pytest.mark.parametrize(names, chosen, **more)


def crossed(names: str, *columns: Iterable[Any], most: int = 0, **more: Any) -> pytest.MarkDecorator:
    """Return the same of all combinations of the columns' values."""
    return sampled(names, product(*map(list, columns)), most, **more)
