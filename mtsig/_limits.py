"""Limits: what one input may cost, written once; a number goes in, nothing or one refusal comes out.

They hold for a whole run: the command line sets them with --max-bytes and its kin, the environment with MTSIG_LIMITS
(as in `max_bytes=1000000,max_tokens=500`), and Python code with `within`.
"""

import os
import unicodedata
from collections.abc import Iterable, Iterator, Sized
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal, TypeVar

from mtsig._memory import held, remembered
from mtsig._options import check, configured, option, options
from mtsig.errors import MtsigError, ReadError

Row = TypeVar("Row", bound=Sized)

VARIABLE = "MTSIG_LIMITS"

_HIGHEST = 2**53 - 1


@dataclass(frozen=True)
class Limits:
    """The most that is taken of each; what is above is refused before work on it begins."""

    max_bytes: int = option(2**30, "bytes", "Maximum bytes of one file.", low=1, high=_HIGHEST)
    max_unpacked: int = option(
        2**29, "bytes unpacked", "Maximum bytes that one archive may unpack to.", low=1, high=_HIGHEST
    )  # fmt: skip
    max_segments: int = option(10_000_000, "segments", "Maximum segments of one text.", low=1, high=_HIGHEST)
    max_characters: int = option(
        4_000_000, "characters", "Maximum characters of one segment.", low=1, high=_HIGHEST
    )  # fmt: skip
    max_tokens: int = option(
        5_000, "words", "Maximum number of words of one segment, for metrics that read them more than once.",
        low=1, high=_HIGHEST,
    )  # fmt: skip
    max_word_pairs: int = option(
        10**10, "pairs of words", "Maximum words of a segment × words of its reference, if all pairs are compared.",
        low=1, high=_HIGHEST,
    )  # fmt: skip
    max_columns: int = option(10_000, "columns", "Maximum columns of a table, or names in JSON.", low=1, high=_HIGHEST)
    max_cells: int = option(10_000_000, "cells", "Maximum cells of a table, even empty ones.", low=1, high=_HIGHEST)
    max_systems: int = option(1_000, "systems", "Maximum systems of one test set.", low=1, high=_HIGHEST)
    max_spread: int = option(
        20, "segments", "Maximum ratio of all segments to rated segments, if ratings name segments only by number.",
        low=1, high=_HIGHEST,
    )  # fmt: skip

    def __post_init__(self) -> None:
        """Check the options."""
        check(self)

    @property
    def text(self) -> str:
        """The limits as MTSIG_LIMITS has them."""
        return ",".join(f"{limit.name}={limit.default}" for limit in options(self))


_ANY_SPREAD = 10_000
"""Up to so many segments, most of them without a rating, take no memory to speak of."""

_here: ContextVar[Limits | None] = ContextVar("limits", default=None)


def limits() -> Limits:
    """Return the limits that hold here."""
    return _here.get() or _written(os.environ.get(VARIABLE, ""))


@remembered()
def _written(text: str) -> Limits:
    return configured(Limits(), text)


def within(chosen: Limits) -> AbstractContextManager[None]:
    """Let these limits hold for as long as the context lasts."""
    return held(_here, chosen)


def refuse_above(
    limit: str, amount: int, where: str, error: type[MtsigError] = ReadError, *, what: str = "", most: int | None = None
) -> None:
    """Raise `error` if `amount` is above the limit of this name.

    where: file and line, or system and segment, as the sentence begins. what: of what there is so much, where the
    limit's own word does not say it. most: the number, where it follows from the limit and the data.
    """
    most = getattr(limits(), limit) if most is None else most
    if amount > most:
        flag = limit.replace("_", "-")
        noun = what or Limits.__dataclass_fields__[limit].metadata["label"]
        raise error(
            f"{where}: found {amount:,} {noun}; at most {most:,} are allowed. To raise the limit, use --{flag} N, or "
            f"set {VARIABLE}={limit}=N in the environment."
        )


def within_cells(label: str, rows: Iterable[tuple[int, Row]]) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a table, each with its number; raise ReadError once their cells are more than are taken."""
    cells, most = 0, limits().max_cells
    for number, values in rows:
        cells += max(1, len(values))
        if cells > most:
            refuse_above("max_cells", cells, f"{label}, line {number}")
        yield number, values


def most_numbered(rated: int) -> int:
    """Return how many segments numbers may count where so many are rated, and no text says how many there are."""
    return max(_ANY_SPREAD, limits().max_spread * rated)


def refuse_sparse(cells: int, filled: int, where: str) -> None:
    """Raise ReadError if a table of all systems at all segments has many more cells than are filled."""
    most = max(limits().max_cells, limits().max_spread * filled)
    refuse_above("max_cells", cells, where, what="cells of systems times segments", most=most)


def normalized(form: Literal["NFC", "NFKC", "NFKD"], text: str) -> str:
    """Return a text in a normal form of Unicode; of more than 100 marks on one character, each 100 by themselves.

    No text has so many, and ordering marks takes a time that grows with the square of their number.
    """
    pieces = [text]
    if len(text) > 1_000:
        import regex  # here, because few texts have such lines

        pieces = regex.findall(r"(?s)(?:(?!\p{M}{101}).)+\p{M}{0,100}|\p{M}{1,100}", text)
    return "".join(unicodedata.normalize(form, piece) for piece in pieces)
