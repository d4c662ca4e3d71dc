"""What users give: options, which are fields of dataclasses, and the arguments of public verbs.

Signatures, command-line flags and forms are made from the fields.

A field made with `option` has a label, a help text and bounds. `check` enforces the bounds, `configured` reads texts
such as `name=value,…`, and `options` lists the options for a form or the command line.
"""

import inspect
import re
import sys
from abc import ABCMeta
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from functools import wraps
from numbers import Integral, Real
from types import FunctionType, NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import lazy_loader

from mtsig._memory import remembered
from mtsig.errors import InvalidOption, UnknownName, called_elsewhere, kind_of, meant, shown, unknown_name

T = TypeVar("T")

_LARGEST = sys.float_info.max

_YES, _NO = {"true", "yes", "1", "on"}, {"false", "no", "0", "off"}


@dataclass(frozen=True)
class Option:
    """One option of a user, as the whole program describes it.

    `type` is bool, int, float or str. `optional`: whether None ("let the program choose") is allowed. `called` is the
    name in messages, such as a flag; by default the label and the name are used.
    """

    name: str
    type: type
    optional: bool
    default: Any
    label: str
    help: str
    choices: tuple[str, ...] | None = None
    low: float | None = None
    high: float | None = None
    advanced: bool = False
    called: str = ""

    @property
    def takes(self) -> str:
        """What the option takes: the beginning of a message."""
        return f"{self.called or f'{self.label} ({self.name})'} takes {self.expected}"

    @property
    def expected(self) -> str:
        """The accepted values, in words."""
        if self.choices is not None:
            return "one of " + ", ".join(self.choices)
        if self.type is bool:
            return "true or false"
        noun = {int: "a whole number", float: "a number", str: "a text"}[self.type]
        if self.low is not None and self.high is not None:
            return f"{noun} from {self.low:,.16g} to {self.high:,.16g}"
        return f"{noun} of at least {self.low:,.16g}" if self.low is not None else noun

    def parse(self, text: str) -> Any:
        """Return the value that `text` represents.

        Raises
        ------
        InvalidOption
            The text does not represent an accepted value.
        """
        word = text.strip().lower()
        if self.optional and word in {"none", ""} and word not in (self.choices or ()):
            return None
        try:
            if self.type is bool:
                if word not in _YES | _NO:
                    raise ValueError
                return word in _YES
            return self.type(text.strip())
        except ValueError:
            raise InvalidOption(f"{self.takes}; found {_short(text)}.") from None

    def check(self, value: Any) -> None:
        """Raise InvalidOption if `value` has the wrong type or is out of bounds."""
        if value is None and self.optional:
            return
        right = isinstance(value, self.type) or (self.type is float and isinstance(value, int))
        if isinstance(value, bool) and self.type is not bool:
            right = False
        if right and self.choices is not None:
            right = value in self.choices
        if right and self.type in (int, float):
            # A whole number may be too long for a float, whatever its bounds are.
            right = abs(value) <= _LARGEST
            right = right and (self.low is None or value >= self.low) and (self.high is None or value <= self.high)
        if not right:
            share = self.type is float and self.high is not None and self.high <= 1
            percent = share and isinstance(value, int | float) and 1 < value <= 100
            large = isinstance(value, int) and abs(value) > _LARGEST
            found = "a number of thousands of digits" if large else shown(value)
            found = kind_of(value) if "\n" in found else found  # an array would be printed over several lines
            hint = f" Write {value / 100:g} for {value:g}%." if percent else ""
            if isinstance(value, str) and self.choices:
                several = sum(name.startswith(value) for name in self.choices) > 1
                if not several or called_elsewhere(value, self.choices):
                    hint = f" {meant(value, self.choices)}".rstrip()
            raise InvalidOption(f"{self.takes}; found {found}.{hint}")


def _short(text: str) -> str:
    return repr(text if len(text) <= 200 else f"{text[:199]}…")


def option(
    default: Any,
    label: str,
    help: str,  # noqa: A002 - the word that argparse and Streamlit use
    *,
    choices: Sequence[str] | Callable[[], Iterable[str]] | None = None,
    low: float | None = None,
    high: float | None = None,
    advanced: bool = False,
) -> Any:
    """Return a dataclass field that is an option.

    choices: the accepted values; a function if more values can be added later, as in a table of methods.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> from mtsig.metrics import option, options
    >>> @dataclass(frozen=True)
    ... class Cutting:
    ...     order: int = option(4, "order", "longest n-gram", low=1, high=9)
    >>> [(known.name, known.default, known.high) for known in options(Cutting)]
    [('order', 4, 9)]
    """
    described = {"label": label, "help": help, "choices": choices, "low": low, "high": high, "advanced": advanced}
    return field(default=default, metadata=described)


def same_option(owner: type, name: str, **changes: Any) -> Any:
    """Return a dataclass field with the option `name` of the options dataclass `owner`, to avoid a second definition.

    changes: arguments of `option` that differ from those of the original.
    """
    known = next(entry for entry in fields(owner) if entry.name == name)
    default = changes.pop("default", known.default)
    return field(default=default, metadata={**known.metadata, **changes})


def options(thing: object) -> tuple[Option, ...]:
    """List the options of a dataclass, or of an instance with its values as defaults.

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.metrics import options
    >>> [(option.name, option.default) for option in options(mtsig.Settings(n_resamples=500))][:5]
    [('test', 'auto'), ('interval', 'auto'), ('correction', 'auto'), ('alternative', 'two-sided'), ('level', 0.95)]
    """
    owner: type = thing if isinstance(thing, type) else type(thing)
    return tuple(
        Option(
            entry.name, kind, optional, entry.default if owner is thing else getattr(thing, entry.name), **described,
            choices=tuple(choices()) if callable(choices) else choices,
        )
        for entry, kind, optional, described, choices in _described(owner)
    )  # fmt: skip


_Choices = tuple[str, ...] | Callable[[], Iterable[str]] | None


@remembered()
def _described(owner: type) -> tuple[tuple[Field[Any], type, bool, dict[str, Any], _Choices], ...]:
    """Return what a dataclass says of its options, worked out once: every object asks that checks its options."""
    hints = get_type_hints(owner)
    known = []
    for entry in fields(owner):
        if "label" not in entry.metadata:
            continue
        hint = hints[entry.name]
        members = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        kind = next(member for member in members if member is not NoneType)
        described = dict(entry.metadata)
        choices = described.pop("choices")
        if get_origin(kind) is Literal:
            kind, choices = str, get_args(kind)
        elif choices is not None and not callable(choices):
            choices = tuple(choices)
        known.append((entry, kind, NoneType in members, described, choices))
    return tuple(known)


def check(thing: Any, but: Collection[str] = ()) -> None:
    """Check all options of `thing` except the given ones; `__post_init__` calls this, so no object has a bad option."""
    for option in options(thing):
        if option.name not in but:
            option.check(getattr(thing, option.name))


def configured(thing: T, text: str) -> T:
    """Return a copy of `thing` with the options in `text`, written as `name=value,name=value`.

    Raises
    ------
    UnknownName
        `thing` has no option of that name.
    InvalidOption
        A value is not accepted for its option, or a part of the text has no `=`.
    """
    if not text:
        return thing
    known = {option.name: option for option in options(thing)}
    named = f"Known: {', '.join(known) or 'none'}."
    values = {}
    for piece in filter(None, text.split(",")):
        name, equals, value = piece.partition("=")
        if not equals:
            raise InvalidOption(f"Options are written name=value; found {piece!r}. {named}")
        if name not in known:
            raise unknown_name("option", name, known)
        values[name] = known[name].parse(value)
    change: Callable[..., T] = replace  # every options object is a dataclass
    return change(thing, **values)


# --- arguments of verbs: what one takes is said once, by the annotations of its parameters ----------------------------

_PLAIN: dict[object, tuple[type, str]] = {
    str: (str, "a string"), bool: (bool, "True or False"), int: (Integral, "a whole number"), float: (Real, "a number")
}  # fmt: skip
"""Kinds of which numpy has its own, too: what is taken for them, and what they are called."""


F = TypeVar("F", bound=Callable[..., Any])

_OF_DATA = ("references", "sources", "documents", "domains", "ratings", "systems", "system", "score", "ignore")
"""Arguments on data: a verb that takes statistics leaves them to `measure`."""

MEANT: dict[str, tuple[str, ...]] = {
    "alpha": ("level, which is 1 − alpha",),
    **dict.fromkeys(
        ("metric", "metrics"),
        ("metrics", "metric_or_name", "statistics=mtsig.measure(corpus, metric), already counted"),
    ),
    **dict.fromkeys(("random_state", "rng", "random_seed"), ("seed",)),
    **dict.fromkeys(
        (
            "n_boot",
            "n_bootstrap",
            "n_samples",
            "num_samples",
            "resamples",
            "draws",
            "n_draws",
            "permutations",
            "paired_bs_n",
            "paired_ar_n",
        ),
        ("n_resamples",),
    ),
    **dict.fromkeys(("paired_bs", "paired_ar"), ("test",)),
    "pair": ("pairs", "first=…, second=…"),
    **{
        name: tuple(f'{taken}="{metric}:{name}=…"' for taken in ("metrics", "metric_or_name"))
        for metric, names in (
            ("bleu", ("tokenize", "lowercase", "smooth_method", "smooth_value", "max_ngram_order", "effective_order")),
            ("chrf", ("char_order", "word_order")),
            ("ter", ("normalized", "no_punct", "case_sensitive")),
        )
        for name in names
    },
    **dict.fromkeys(("confidence", "confidence_level"), ("level",)),
    **dict.fromkeys(("reference", "refs"), ("references",)),
    **dict.fromkeys(("method", "statistic"), ("test", "correction")),
    **dict.fromkeys(("p_adjust", "adjust", "multitest", "multiple_testing"), ("correction",)),
    **dict.fromkeys(("segment", "segments", "sentence", "sentences"), ('unit="segment"',)),
    **dict.fromkeys(("document", "docs", "docids"), ("documents", 'unit="document"')),
    **dict.fromkeys(("tail", "sided"), ("alternative",)),
    **dict.fromkeys(("hyps", "hypotheses", "sys", "outputs"), ("data", "systems")),
    **dict.fromkeys(("greater_is_better", "lower_is_better", "higher", "lower"), ("higher_is_better",)),
    **{name: (f"statistics=mtsig.measure(data, {name}=…)",) for name in _OF_DATA},
    "effect_size": ("difference",),
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
    called, known = _called(verb), [name for name in inspect.signature(verb).parameters if name not in _OWN]
    for name in given:
        if name not in known:
            ours = called_here(name, known)
            if isinstance(given, Mapping) and ":" in ours:  # an option of a metric is written with its value
                ours = ours.replace("…", str(given[name]))
            hint = f"Did you mean {ours}?" if ours else meant(name, known)
            raise UnknownName(f"{called}() takes no {name!r}. {hint or 'Known: ' + ', '.join(known) + '.'}") from None


_OWN = ("self", "cls")


def _called(call: Callable[..., Any]) -> str:
    return call.__qualname__.rpartition("<locals>.")[2].removesuffix(".__init__")


def refuse_call(call: Callable[..., Any], given: Sequence[Any], named: Mapping[str, Any]) -> None:
    """Raise UnknownName or InvalidOption where a function or a method does not take these arguments."""
    try:
        inspect.signature(call).bind(*given, **named)
    except TypeError as error:
        said, own = str(error), [one for name, one in inspect.signature(call).parameters.items() if name not in _OWN]
    else:
        return
    if all(one.kind is not one.VAR_KEYWORD for one in own):
        refuse_unknown(call, named)
    named_only = [f"{one.name}=…" for one in own if one.kind is one.KEYWORD_ONLY]
    placed = [one for one in own if one.kind <= one.POSITIONAL_OR_KEYWORD]
    asked = [one.name for one in placed if one.default is one.empty or "missing" not in said]
    use = f"{_called(call)}({', '.join(asked or named_only[:1])})"
    if "references=…" in named_only and not any(isinstance(one, str | int | float) for one in given[-1:]):
        use = _called(call) + '({"A": [...], "B": [...]}, "bleu", references=[...])'
    elif call.__name__ == "__init__" and "missing" in said:
        use = getattr(given[0], "_uses", {}).get("load") or (
            f"{_called(call)}.of(…)" if hasattr(given[0], "of") else use
        )
    raise InvalidOption(f"{_called(call)}(): {said}. Use {use}.") from None


def answering(call: F) -> F:
    """Let a function or a method say in a sentence which arguments it does not take."""

    @wraps(call)
    def answered(*given: Any, **named: Any) -> Any:
        try:
            return call(*given, **named)
        except TypeError:
            refuse_call(call, given, named)
            raise

    return cast("F", answered)


class Kind(ABCMeta):
    """The class of public classes, which say where an attribute is to be had, and what they and their methods take."""

    if not TYPE_CHECKING:  # or every name would be one of Any's

        def __init__(cls, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            for name, member in list(vars(cls).items() if cls.__module__.startswith("mtsig.") else ()):
                own = member.__func__ if isinstance(member, classmethod) else member
                if name[0] != "_" and isinstance(own, FunctionType):
                    setattr(cls, name, answering(own) if own is member else classmethod(answering(own)))

        def __getattr__(cls, name: str) -> Any:
            raise cls._missing(name=name, obj=cls)

        def __call__(cls, *given: Any, **named: Any) -> Any:
            try:
                return super().__call__(*given, **named)
            except TypeError:
                refuse_call(cls.__init__, (cls, *given), named)
                raise


def attached(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return what a package needs to load its public names late, whose functions say what arguments they take."""
    find, listing, names = lazy_loader.attach_stub(package, file)

    def found(name: str) -> Any:
        if name not in names and name[0] != "_":
            raise AttributeError(str(unknown_name(f"name in {package}", name, names)))
        thing = find(name)
        if inspect.isfunction(thing) and thing.__module__ != package:
            thing = vars(thing).setdefault("answering", answering(thing))  # threads have the same one
            thing.__module__ = package  # by which pickle finds it
            vars(sys.modules[package])[name] = thing
        return thing

    return found, listing, names


def expect_arguments(verb: Callable[..., Any], given: Mapping[str, Any]) -> None:
    """Raise InvalidOption for the first of a verb's `locals()` that its annotation does not allow, items included."""
    for name, hint in _hints(verb).items():
        if name in given and not _fits(given[name], hint):
            raise InvalidOption(f"{verb.__name__}(): {name} is {_words(hint)}; found {_found(given[name])}.")


@remembered()
def _hints(verb: Callable[..., Any]) -> dict[str, Any]:
    return {name: hint for name, hint in get_type_hints(verb).items() if name != "return"}


def _fits(thing: Any, hint: Any) -> bool:
    import numpy as np  # here and below, because the command line's help needs none of it

    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_fits(thing, one) for one in inner)
    if hint in (None, NoneType):
        return thing is None
    if hint is bool:
        return isinstance(thing, bool | np.bool_)
    if hint in _PLAIN:
        return isinstance(thing, _PLAIN[hint][0]) and not isinstance(thing, bool)
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
    import numpy as np

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
