"""Verbs that are asked once for all visitors: what a result is known by is made of what the verb was given."""

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property, singledispatch
from types import FunctionType, MethodType, NoneType
from typing import Any, TypeVar

from mtsig import Corpus, InvalidOption, NotApplicable
from mtsig.figures import Picture
from mtsig.inference import Family
from mtsig.metrics import Metric, Statistics
from mtsig.study import Study
from mtsig_dashboard.resources import at_once, recalled, remembered, worked

T = TypeVar("T")

_FEW_TEXTS = 100
"""A key holds no more texts than these themselves: it lives as long as a result and is not weighed."""


def asked(text: str, verb: Callable[..., T], /, *args: Any, **options: Any) -> T:
    """Return `verb(*args, **options)`, done by a child process under a bar with this text.

    A refusal is remembered as a result is: it takes as long to find, and says the same of the same data.
    """

    def work() -> T | _Refusal:
        try:
            return worked(text, verb, *args, **options)
        except (InvalidOption, NotApplicable) as error:
            return _Refusal(type(error), str(error))

    result = remembered(key_of(verb, *args, **options), work)
    if isinstance(result, _Refusal):
        raise result.kind(result.text)
    return result


def asked_here(verb: Callable[..., T], /, *args: Any, **options: Any) -> T:
    """Return the same, done by this process; the verb may ask others."""
    return remembered(key_of(verb, *args, **options), lambda: verb(*args, **options))


def asked_at_once(verb: Callable[..., T], /, *args: Any, **options: Any) -> T:
    """Return the same, of a verb that takes no time that anything had to be said in."""
    return at_once(key_of(verb, *args, **options), lambda: verb(*args, **options))


def answered(verb: Callable[..., T], /, *args: Any, **options: Any) -> T | None:
    """Return what a verb has answered before; None where it was never asked, or refused."""
    result: T | _Refusal | None = recalled(key_of(verb, *args, **options))
    return None if isinstance(result, _Refusal) else result


def key_of(*args: Any, **options: Any) -> Hashable:
    """Return what tells these arguments from any others.

    Raises:
        TypeError: an argument is of a type that nobody has said how to know.
    """
    return (*map(direction_source, args), *((name, direction_source(value)) for name, value in sorted(options.items())))


@dataclass(frozen=True)
class _Refusal:
    """Why there is no result; not the error itself, which holds on to all that was at work when it was raised."""

    kind: type[InvalidOption | NotApplicable]
    text: str


@singledispatch
def direction_source(thing: Any) -> Hashable:
    """Return what tells a thing from all others: itself where it is small, else a digest of what it holds.

    What works out a digest of all that it holds, as judgements do, is known by that. Options are frozen dataclasses,
    and known by all of their fields.

    Raises:
        TypeError: nobody has said how to know things of this type.
    """
    if isinstance(getattr(type(thing), "digest", None), cached_property):
        return type(thing), thing.digest
    if is_dataclass(thing) and getattr(type(thing), "__dataclass_params__").frozen:  # noqa: B009 (no type knows of it)
        return type(thing), *(direction_source(getattr(thing, field.name)) for field in fields(thing))
    raise TypeError(f"Nothing says what a {type(thing).__name__} is known by: say it in {__name__}.")


@direction_source.register(bool | int | complex | str | bytes | NoneType)
def _plain(thing: Hashable) -> Hashable:
    return type(thing), thing  # 1, 1.0 and True are one key


@direction_source.register
def _number(thing: float) -> Hashable:
    return float, float.hex(thing)  # no nan is itself


@direction_source.register
def _class(thing: type) -> Hashable:
    return thing


@direction_source.register(Metric | Picture)
def _hashable(thing: Hashable) -> Hashable:
    return thing


@direction_source.register(list | tuple)
def _sequence(things: Collection[Any]) -> Hashable:
    if len(things) > _FEW_TEXTS and set(map(type, things)) <= {str, NoneType}:
        return type(things), len(things), hash(tuple(things))
    return type(things), *map(direction_source, things)


@direction_source.register(set | frozenset)
def _set(things: Collection[Any]) -> Hashable:
    return type(things), frozenset(map(direction_source, things))


@direction_source.register
def _mapping(things: Mapping) -> Hashable:  # type: ignore[type-arg]
    return Mapping, *((direction_source(name), direction_source(thing)) for name, thing in things.items())


@direction_source.register
def _function(thing: FunctionType) -> Hashable:
    # By its name: a page's functions are made anew whenever it is drawn.
    if thing.__closure__ or not thing.__qualname__.replace(".", "_").isidentifier():
        raise TypeError(f"{thing.__qualname__} is not known by its name alone.")
    return thing.__module__, thing.__qualname__


@direction_source.register
def _method(thing: MethodType) -> Hashable:
    return direction_source(thing.__func__), direction_source(thing.__self__)


@direction_source.register
def _corpus(corpus: Corpus) -> Hashable:
    # Of who gave which value, of notes, and of where a part was taken from, the digest says nothing.
    judges = tuple((name, direction_source(rating.judgements)) for name, rating in corpus.ratings.items())
    return (
        corpus.digest,
        corpus.subset,
        hash(corpus.segments.numbers),
        corpus.notes,
        judges,
        direction_source(corpus.system_scores),
    )


@direction_source.register
def _statistics(statistics: Statistics) -> Hashable:
    numbers = None if statistics.numbers is None else hash(statistics.numbers.tobytes())
    what = statistics.digest, statistics.metric, statistics.systems, statistics.unit, statistics.signature
    return Statistics, *what, statistics.values.shape, numbers


@direction_source.register
def _family(family: Family) -> Hashable:
    # Its comparisons tell what was judged together.
    return Family, direction_source(family.statistics), family.test, family.scheme, family.records


@direction_source.register
def _study(study: Study) -> Hashable:
    return type(study), study.text()
