"""Real families whose document ids are hidden: what they are called by segments, by the rule, and with ids.

`.venv/bin/pytest -n 0 -m "slow or not slow" -s` on this file prints the tables of docs/statistics/neighbours.md: every
family, and every verdict that is withheld with its reason; and how often each reason withholds one, for section 9 of
docs/statistics/tests.md.
"""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

import mtsig
from mtsig import Settings, measure, verdict
from mtsig.collection import compare, read_sets
from mtsig.collection import measure as measure_sets
from mtsig.inference import Family
from mtsig.inference._verdict import REASONS

SETS = (
    "wmt22-en-zh",
    "wmt21-ru-en",
    "mtme/wmt21.news",
    *(f"wmt22-several/en-{language}" for language in ("cs", "de", "hr", "ja", "ru", "uk", "zh")),
)
RATED = (
    ("wmt21-ru-en", "da-raw"),
    ("wmt21-ru-en", "da-z"),
    *(("mtme/wmt21.news", rating) for rating in ("wmt-raw", "wmt-z", "BLEU-refA", "chrF-refA")),
)
"""Direct assessments of samples, and metric scores of segments."""

PAIR = tuple[str, str]


@dataclass(frozen=True)
class Called:
    """Who is better in every pair, and which verdicts are withheld for what."""

    unit: str
    winners: dict[PAIR, str | None]
    withheld: dict[PAIR, tuple[str, str]]

    @classmethod
    def of(cls, family: Family) -> "Called":
        """Return what a family is called."""
        found = {(one.first, one.second): verdict(one) for one in family}
        return cls(
            f"{family.units.max()} {family.unit}s",
            {pair: one.winner for pair, one in found.items()},
            {pair: (str(one.withheld), str(one.withheld_reason)) for pair, one in found.items() if one.withheld},
        )

    @property
    def better(self) -> set[tuple[PAIR, str]]:
        """The pairs that are told apart, with the winner."""
        return {(pair, winner) for pair, winner in self.winners.items() if winner is not None}


@cache
def hidden(shared: Path, name: str, metric: str) -> tuple[Called, Called, Called]:
    """Return a set's family by its documents, and without ids by segments and by the rule; printed as a row."""
    statistics = measure(mtsig.read(shared / "data" / name), metric)
    blind = replace(statistics, document_of=None, settled=False)
    with_ids = Called.of(Settings().family(statistics))
    by_segments, by_rule = Called.of(Settings(unit="segment").family(blind)), Called.of(Settings().family(blind))
    z = float("nan") if blind.order is None else blind.order.z
    print(
        f"\n| {name}, {metric} | {len(with_ids.winners)} | {z:.1f} | {by_rule.unit} | {len(with_ids.better)} | "
        f"{len(by_segments.better)} ({len(by_segments.better - with_ids.better)}) | "
        f"{len(by_rule.better)} ({len(by_rule.better - with_ids.better)}) | "
        f"{len(with_ids.withheld)}, {len(by_segments.withheld)}, {len(by_rule.withheld)} |"
    )
    for label, called in (("ids", with_ids), ("segments", by_segments), ("rule", by_rule)):
        for pair, (reason, sentence) in called.withheld.items():
            print(f"  withheld ({label}): {' – '.join(pair)}: {reason}: {sentence}")
    return with_ids, by_segments, by_rule


def holds(shared: Path, name: str, metric: str) -> None:
    """Hold the rule to what the documents say."""
    with_ids, by_segments, by_rule = hidden(shared, name, metric)
    # Nobody wins by the rule who loses with ids, and it calls no more pairs better that documents do not.
    for pair, winner in by_rule.better:
        assert with_ids.winners[pair] in (None, winner)
    assert len(by_rule.better - with_ids.better) <= max(1, len(by_segments.better - with_ids.better))
    # Only a system that is kin to the reference withholds a verdict without ids, or with them.
    assert {reason for reason, _ in by_rule.withheld.values()} <= {"reference"}
    assert {reason for reason, _ in with_ids.withheld.values()} <= {"reference", "not settled"}


SHORT = ("wmt21-ru-en", "wmt22-several/en-ja")


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name in SHORT else pytest.mark.slow) for name in SETS])
def test_families_without_ids_are_called_as_documents_say(shared: Path, name: str) -> None:
    holds(shared, name, "sentchrf")


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_families_in_bleu_without_ids_are_called_as_documents_say(shared: Path, name: str) -> None:
    holds(shared, name, "bleu")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rating"), RATED)
def test_ratings_without_ids_are_called_as_documents_say(shared: Path, name: str, rating: str) -> None:
    holds(shared, name, f"rating:{rating}")


@pytest.mark.slow
def test_each_reason_withholds_few_verdicts(shared: Path) -> None:
    families = [hidden(shared, name, metric) for name in SETS for metric in ("sentchrf", "bleu")]
    families += [hidden(shared, name, f"rating:{rating}") for name, rating in RATED]
    pairs = sum(len(with_ids.winners) for with_ids, *_ in families)
    ways = zip(*families, strict=True)
    counts = [Counter(reason for called in way for reason, _ in called.withheld.values()) for way in ways]
    several = read_sets([shared / "data" / "wmt22-several"])
    averages = [compare(measure_sets(several, metric), Settings()).averages for metric in ("sentchrf", "bleu")]
    of_averages = [verdict(one).withheld for family in averages if family is not None for one in family]
    print(f"\n{len(of_averages)} averages over sets, withheld: {Counter(filter(None, of_averages))}")
    print(f"{pairs} pairs: with ids, by segments, by the rule")
    for reason in REASONS:
        print(f"| {reason} | {' | '.join(f'{count[reason]} ({count[reason] / pairs:.1%})' for count in counts)} |")
    assert len(of_averages) == 42
    assert not any(of_averages)
    assert {reason for count in counts for reason in count} <= REASONS.keys()
    assert all(count.total() <= 0.03 * pairs for count in counts)
