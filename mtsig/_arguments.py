"""Arguments of public verbs: what was given goes in; one sentence comes out where something is of another kind.

What a verb takes is said once, by the annotations of its parameters.
"""

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from mtsig._memory import remembered
from mtsig.errors import InvalidOption, UnknownName, kind_of, meant

_PLAIN: dict[object, tuple[tuple[type, ...], str]] = {
    str: ((str,), "a string"),
    bool: ((bool, np.bool_), "True or False"),
    int: ((Integral,), "a whole number"),
    float: ((Real,), "a number"),
}
"""Kinds of which numpy has its own, too: what is taken for them, and what they are called."""


F = TypeVar("F", bound=Callable[..., Any])

MEANT: dict[str, tuple[str, ...]] = {
    "alpha": ("level, which is 1 − alpha",),
    **dict.fromkeys(
        ("metric", "metrics"),
        ("metrics", "metric_or_name", "statistics=mtsig.measure(corpus, metric), already counted"),
    ),
    **dict.fromkeys(("random_state", "rng", "random_seed"), ("seed",)),
    **dict.fromkeys(("n_boot", "n_bootstrap", "resamples", "draws", "n_draws", "permutations"), ("n_resamples",)),
    **dict.fromkeys(("confidence", "confidence_level"), ("level",)),
    **dict.fromkeys(("reference", "refs"), ("references",)),
    **dict.fromkeys(("method", "statistic"), ("test",)),
    **dict.fromkeys(("p_adjust", "adjust", "multitest", "multiple_testing"), ("correction",)),
    **dict.fromkeys(("segment", "segments", "sentence", "sentences"), ('unit="segment"',)),
    **dict.fromkeys(("document", "docs", "docids"), ("documents", 'unit="document"')),
    **dict.fromkeys(("tail", "sided"), ("alternative",)),
    "language_pair": ("mtsig.read(…, language_pair=…), which reads the corpus",),
}
"""What arguments of other libraries, or slips of the pen, are called here: the first that a verb takes is meant."""


def called_here(name: str, known: Collection[str]) -> str:
    """Return how a verb with these arguments takes what was given under another name; nothing where none is known."""
    fitting = (ours for ours in MEANT.get(name, ()) if re.split(r"[=,.]", ours)[0] in {*known, "mtsig"})
    return next(fitting, "")


def spelled_out(verb: F) -> F:
    """Let the signature of a verb name the arguments that its ** takes, as a TypedDict has them."""
    *before, last = inspect.signature(verb).parameters.values()
    (taken,) = get_args(last.annotation)
    named = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in taken.__annotations__]
    vars(verb)["__signature__"] = inspect.signature(verb).replace(parameters=[*before, *named])
    return verb


def refuse_unknown(verb: Callable[..., Any], given: Iterable[str]) -> None:
    """Raise UnknownName for the first argument that a verb does not take; the message says what may be meant."""
    known = list(inspect.signature(verb).parameters)
    for name in given:
        if name not in known:
            ours = called_here(name, known)
            hint = f"Did you mean {ours}?" if ours else meant(name, known)
            raise UnknownName(f"{verb.__name__}() takes no {name!r}. {hint or 'Known: ' + ', '.join(known) + '.'}")


def expect_arguments(verb: Callable[..., Any], given: Mapping[str, Any]) -> None:
    """Raise InvalidOption for the first of a verb's `locals()` that its annotation does not allow, items included."""
    for name, hint in _hints(verb).items():
        if name in given and not _fits(given[name], hint):
            raise InvalidOption(f"{verb.__name__}(): {name} is {_words(hint)}; found {_found(given[name])}.")


@remembered()
def _hints(verb: Callable[..., Any]) -> dict[str, Any]:
    return {name: hint for name, hint in get_type_hints(verb).items() if name != "return"}


def _fits(thing: Any, hint: Any) -> bool:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_fits(thing, one) for one in inner)
    if hint in (None, NoneType):
        return thing is None
    if hint in _PLAIN:
        return isinstance(thing, _PLAIN[hint][0]) and (hint is bool or not isinstance(thing, bool))
    if origin is Literal:
        # Which words there are is said by who knows what they mean.
        return isinstance(thing, tuple({type(one) for one in inner}))
    if origin is tuple and Ellipsis not in inner:
        return isinstance(thing, list | tuple) and len(thing) == len(inner) and all(map(_fits, thing, inner))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        fits = isinstance(thing, Mapping)
        return fits and all(_fits(key, inner[0]) and _fits(value, inner[1]) for key, value in thing.items())
    if isinstance(origin, type) and issubclass(origin, Iterable) and origin is not np.ndarray:
        walked = _is_list(thing) or (isinstance(thing, Mapping) and not issubclass(origin, Sequence))
        return walked and all(_fits(item, inner[0]) for item in thing)
    kind = origin or hint
    return isinstance(thing, kind) if isinstance(kind, type) else True


def _is_list(thing: object) -> bool:
    """Return whether something may stand for a list: a string is one thing, and a DataFrame's items are its columns."""
    return (
        hasattr(thing, "__len__")
        and isinstance(thing, Iterable)
        and not isinstance(thing, str | bytes | Mapping)
        and not hasattr(thing, "columns")
    )


def _words(hint: Any) -> str:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(_words(one) for one in inner))
    if hint in (None, NoneType):
        return "None"
    if hint in _PLAIN:
        return _PLAIN[hint][1]
    if origin is Literal:
        return " or ".join(map(repr, inner))
    if origin is tuple and Ellipsis not in inner:
        return f"({', '.join(map(_words, inner))})"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return f"a dict of {_words(inner[1])} by name"
    if isinstance(origin, type) and issubclass(origin, Iterable) and origin is not np.ndarray:
        return f"a list, each item {_words(inner[0])}"
    name = getattr(origin or hint, "__name__", str(hint))
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def _found(thing: Any) -> str:
    """Return what was found, and what is in it."""
    if isinstance(thing, Mapping) and thing:
        return f"{kind_of(thing)} with {kind_of(next(iter(thing.values())))} in it"
    if isinstance(thing, list | tuple) and thing:
        kinds = dict.fromkeys(map(kind_of, thing[:100]))
        return f"{kind_of(thing)} with {' and '.join(list(kinds)[:3])} in it"
    return kind_of(thing)
