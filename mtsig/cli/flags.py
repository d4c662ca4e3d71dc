"""Flags made from the fields of options dataclasses: an option is written down once."""

import argparse
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from mtsig.errors import InvalidOption
from mtsig.options import options

T = TypeVar("T")


def add_flags(
    parser: argparse.ArgumentParser,
    described: type,
    only: Sequence[str] | None = None,
    title: str = "analysis",
    names: Mapping[str, Mapping[str, str]] | None = None,
) -> None:
    """Add a flag for every option of a dataclass, or for those named.

    names: by option, what its choices are called in full.
    """
    group = parser.add_argument_group(title)
    for option in options(described):
        if only is not None and option.name not in only:
            continue
        kind = {int: "N", float: "X", bool: "BOOL"}.get(option.type, "TEXT")
        shown = "|".join(option.choices) if option.choices else kind
        called = "".join(f" {choice}: {name}." for choice, name in (names or {}).get(option.name, {}).items())
        words = f"{option.help} (default: {option.default}){called}".replace("%", "%%")
        # Parsed by the option itself, so that its one message speaks here too.
        alone: dict[str, Any] = {"nargs": "?", "const": "true"} if option.type is bool else {}
        flags = dict.fromkeys([f"--{option.name.replace('_', '-')}", f"--{option.name}"])
        group.add_argument(*flags, metavar=shown, help=words, **alone)


def refuse_given(chosen: argparse.Namespace, beside: str, names: Sequence[str], why: str) -> None:
    """Raise InvalidOption where an argument is given that `beside` does not go with; none is ignored in silence."""
    for name in names:
        if getattr(chosen, name, None):
            flag = name.replace("_", "-")
            raise InvalidOption(f"{beside} and --{flag} do not go together: {why.replace('{flag}', flag)}")


def chosen_options(described: type[T], chosen: argparse.Namespace, **extra: Any) -> T:
    """Return the dataclass with the flags that were given.

    Raises:
        InvalidOption: a value is not allowed.
    """
    values = dict(extra)
    for option in options(described):
        text = getattr(chosen, option.name, None)
        if text is not None:
            values[option.name] = option.parse(text)
    return described(**values)


FORMATS = ("table", "markdown", "json", "csv")
"""What a verb prints that writes tables."""


def add_format(parser: argparse.ArgumentParser, formats: Sequence[str] = FORMATS, words: str = "") -> None:
    """Add --format; `words` come before its default in the help."""
    parser.add_argument("--format", choices=formats, default="table", help=f"{words}default: table")
