"""Real families whose document ids are hidden: what they are called by segments, by the rule, and with ids.

`.venv/bin/pytest -n 0 -m "slow or not slow" -s` on this file prints the tables of docs/statistics/neighbours.md: every
family, and every verdict that is withheld with its reason.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import mtsig
from mtsig import Settings, measure, verdict
from mtsig.inference import Family

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


SHORT = ("wmt22-en-zh", "wmt21-ru-en", "wmt22-several/en-ja")


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
