"""Families of tests of which the suite's command runs a selection, and `pytest -m slow` the rest."""

import random
from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest


def sampled(names: str, members: Iterable[Any], most: int = 0, **more: Any) -> pytest.MarkDecorator:
    """Return `parametrize` with a selection of the members: every value of every column once, and `most` at least.

    For a single name that is every member: there `most` alone counts.
    """
    rows = list(members)
    several = "," in names
    order = random.Random(0).sample(range(len(rows)), len(rows))
    seen: set[tuple[int, int]] = set()
    kept: list[int] = []
    for at in order if several else ():
        values = set(enumerate(map(id, rows[at])))
        if values - seen:
            seen |= values
            kept.append(at)
    kept += [at for at in order if at not in kept][: max(0, most - len(kept))]
    chosen = [
        row if at in kept else pytest.param(*(row if several else (row,)), marks=pytest.mark.slow)
        for at, row in enumerate(rows)
    ]
    return pytest.mark.parametrize(names, chosen, **more)


def crossed(names: str, *columns: Iterable[Any], most: int = 0, **more: Any) -> pytest.MarkDecorator:
    """Return the same of all combinations of the columns' values."""
    return sampled(names, product(*map(list, columns)), most, **more)
