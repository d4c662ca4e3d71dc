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


def must_be_named(test: str, unit: str) -> bool:
    """Return whether a test is made over such units only where it was asked for by name, since no default is it.

    >>> from mtsig.inference.defaults import must_be_named
    >>> must_be_named("ar", "segment"), must_be_named("ar", "document"), must_be_named("wilcoxon", "segment")
    (False, True, True)
    """
    if unit != "segment" and test == DEFAULTS["segment"].test:
        return True
    return test not in {default.test for default in DEFAULTS.values()}
