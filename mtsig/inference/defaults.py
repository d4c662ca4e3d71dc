"""Defaults: which test, interval and correction stand for "auto", by what the units are.

See docs/statistics/documents.md, section 2.
"""

from collections.abc import Mapping
from dataclasses import dataclass

AUTO = "auto"
"""The name under which one leaves a choice to this table."""


@dataclass(frozen=True)
class Defaults:
    """The names of a test, an interval and a correction."""

    test: str
    interval: str
    correction: str


DEFAULTS: Mapping[str, Defaults] = {
    "segment": Defaults("ar", "jackknife", "minp"),
    "block": Defaults("jackknife-t", "jackknife", "holm"),
    # Documents differ in length and are few: exchanging them tests more than equal scores, and joint draws of so few
    # err more often than Holm.
    "document": Defaults("jackknife-t", "jackknife", "holm"),
}
