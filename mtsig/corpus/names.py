"""Names: what those of systems, runs and ratings tell."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence


def joint_ratings(ratings: Sequence[str] | Mapping[str, object]) -> list[str]:
    """Return the ratings but for those of single judges of another one, called NAME@JUDGE.

    >>> joint_ratings(["esa", "esa@Ann", "me@home"])
    ['esa', 'me@home']
    """
    return [name for name in ratings if "@" not in name or name.partition("@")[0] not in ratings]


# A program may be called Translator; people are called so with a letter or a number.
_HUMAN = re.compile(
    r"(?:(?:ref|reference|human)(?:[-_. ]?[a-z0-9])?|translator[-_. ]?[a-z0-9])(?:\.[0-9]+)?", re.IGNORECASE
)


def is_human(system: str) -> bool:
    """Return whether a system's name says that people translated: WMT scores its references among the systems.

    >>> [is_human(name) for name in ("refA", "ref-B", "HUMAN", "Human-A.0", "translator 2", "Translator")]
    [True, True, True, True, True, False]
    """
    return _HUMAN.fullmatch(system) is not None


def contenders(systems: Iterable[str], apart: Collection[str] = ()) -> tuple[str, ...]:
    """Return the systems that can be called the best: no human translations, and none of those that are set apart.

    All where that leaves none.

    >>> contenders(["refA", "Online-W", "UEdin"]), contenders(["refA", "refB"])
    (('Online-W', 'UEdin'), ('refA', 'refB'))
    >>> contenders(["copy", "Online-W", "UEdin"], apart=["copy"])
    ('Online-W', 'UEdin')
    """
    named = tuple(systems)
    return tuple(name for name in named if not is_human(name) and name not in apart) or named


_RUN = re.compile(r"(?P<system>.+)[._-](?:run|opt|seed)[._-]?\d+", re.IGNORECASE)


def runs_by_name(names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return system -> its runs, from names such as X.run1, X.opt0 or X.seed3; a name of another form is one run.

    >>> runs_by_name(["A.opt0", "A.opt1", "B"])
    {'A': ('A.opt0', 'A.opt1'), 'B': ('B',)}
    """
    names_by_system: dict[str, list[str]] = {}
    for name in names:
        match = _RUN.fullmatch(name)
        names_by_system.setdefault(match["system"] if match else name, []).append(name)
    return {system: tuple(runs) for system, runs in names_by_system.items()}
