"""The one lookup: a name, or the thing itself, goes in; the thing comes out."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import TypeVar

from mtsig.errors import UnknownName

T = TypeVar("T")


def find_typed(table: Mapping[str, T], text: str, kind: str) -> T:
    """Return the entry that a user typed: called exactly so, or so in lower case.

    Raises:
        UnknownName: as in `find`.
    """
    name = text.strip()
    return find(table, name if name in table else name.lower(), kind)


def find(table: Mapping[str, T], choice: str | T, kind: str) -> T:
    """Return the entry of `table` called `choice`, or `choice` itself when it is not a name.

    Raises:
        UnknownName: the table has no such entry; the message lists those it has.
    """
    if not isinstance(choice, str):
        return choice
    if choice in table:
        return table[choice]
    near = get_close_matches(choice.lower(), table, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise UnknownName(f"There is no {kind} called {choice!r}.{hint} Known: {', '.join(table) or 'none'}.")
