"""Options are fields of dataclasses; signatures, command-line flags and forms are made from these fields.

A field made with `option` has a label, a help text and bounds. `check` enforces the bounds, `configured` reads texts
such as `name=value,…`, and `options` lists the options for a form or the command line.
"""

import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from mtsig._memory import remembered
from mtsig.errors import InvalidOption, UnknownName, called_elsewhere, kind_of, meant, shown

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
            raise UnknownName(f"There is no option called {name!r}. {named}")
        values[name] = known[name].parse(value)
    change: Callable[..., T] = replace  # every options object is a dataclass
    return change(thing, **values)
