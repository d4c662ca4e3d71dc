"""The arguments that set limits, and what they say."""

import argparse
from dataclasses import replace

from mtsig.limits import Limits, limits
from mtsig.options import options


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add a flag for every limit."""
    group = parser.add_argument_group("limits", "what is above is refused before work on it begins")
    for limit in options(Limits):
        words = f"{limit.help} (default: {limit.default:,})"
        group.add_argument(f"--{limit.name.replace('_', '-')}", metavar="N", help=words)


def chosen_limits(chosen: argparse.Namespace) -> Limits:
    """Return the limits that hold here, with those that were given; a verb may have no such flags.

    Raises:
        InvalidOption: a value is not allowed.
    """
    held = limits()
    given = {limit: getattr(chosen, limit.name, None) for limit in options(held)}
    return replace(held, **{limit.name: limit.parse(text) for limit, text in given.items() if text is not None})
