"""Words: names and numbers go in, pieces of sentences that speak of them come out."""

import re
from collections.abc import Iterable, Sequence


def listed(names: Sequence[str], last: str = "and", most: int | None = None) -> str:
    """Return names as a sentence lists them; where there are more than `most`, the first and how many more.

    >>> listed(["A", "B", "C"]), listed(["A", "B", "C", "D"], most=2)
    ('A, B and C', 'A, B and 2 more')
    """
    if most is not None and len(names) > most:
        names = [*names[:most], f"{len(names) - most:,} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def number_of(count: int, noun: str, form: str = "") -> str:
    """Return how many there are; form: how the number is written, "," with commas.

    >>> number_of(1, "system"), number_of(1000, "segment", ",")
    ('1 system', '1,000 segments')
    """
    return f"{count:{form}} {noun}{'' if count == 1 else 's'}"


_WRITTEN_SMALL = re.compile(r"[a-z]+[A-Z]|p\b")
"""sacreBLEU, chrF2, daRR; p, p-values."""


def capital_first(text: str) -> str:
    """Return the text as a sentence begins: with a large letter, but for names and symbols that begin with a small one.

    >>> capital_first("the mean"), capital_first("sacreBLEU's p"), capital_first("p-values"), capital_first("β is .2")
    ('The mean', "sacreBLEU's p", 'p-values', 'β is .2')
    """
    return text if _WRITTEN_SMALL.match(text) or not text[:1].isascii() else text[:1].upper() + text[1:]


def counted_names(kind: str, names: Iterable[str], most: int = 4) -> str:
    """Return how many there are and the first few names, for a `repr`.

    >>> counted_names("system", "abcdef"), counted_names("rating", ["mqm"])
    ('6 systems (a, b, c, d, …)', '1 rating (mqm)')
    """
    shown = [name if len(name) <= 40 else f"{name[:39]}…" for name in names]
    few = ", ".join([*shown[:most], *(("…",) if len(shown) > most else ())])
    return f"{number_of(len(shown), kind)}{f' ({few})' if shown else ''}"


def quoted(line: object, width: int = 60) -> str:
    """Return the line in quotes, shortened; an empty or missing one is called so.

    >>> from mtsig.corpus import quoted
    >>> quoted("a line of some length", width=12), quoted("")
    ("'a line of s…'", 'an empty line')
    """
    if line is None or line == "":
        return "an empty line"
    text = str(line)
    return repr(text if len(text) <= width else text[: width - 1] + "…")
