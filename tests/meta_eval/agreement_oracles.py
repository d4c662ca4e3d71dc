"""What the tests of trust share: the oracles, and data as they speak of them."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from golden.oracles import known_answers

import mtsig
from mtsig.corpus import Corpus, Rating
from mtsig.meta_eval import RatedData
from mtsig.metrics import Statistics, Ter, measure
from mtsig.metrics._statistics import as_values


def oracles() -> dict[str, Any]:
    """Return the oracles of agreement: oracles_trust.json of tests/golden."""
    return known_answers("trust")


def array(rows: list[list[float | None]]) -> np.ndarray:
    return np.array([[np.nan if value is None else value for value in row] for row in rows], dtype=np.float64)


def made(human: np.ndarray, **metrics: np.ndarray) -> RatedData:
    """Return made scores as judged data; higher is better."""
    ratings = {name: Rating(np.asarray(x, dtype=np.float64), higher_is_better=True) for name, x in metrics.items()}
    people = Rating(np.asarray(human, dtype=np.float64), higher_is_better=True)
    systems = [f"s{row}" for row in range(len(people.values))]
    corpus = Corpus.of(dict.fromkeys(systems), ratings={"people": people, **ratings})
    return RatedData.of(corpus, "rating:people", [f"rating:{name}" for name in metrics])


BY = {"none": "none", "item": "item", "sys": "system"}
NAMES = {
    "tau b": "segment-kendall",
    "tau 23": "tau_eq",
    "tau acc23": "acc_eq_0",
    "acc_eq": "acc_eq_0",
    "pearson": "segment-pearson",
    "spearman": "segment-spearman",
    "acc_eq*": "acc_eq",
}
"""Statistics of segments by the names that the oracles have for them."""


# The metrics by the oracles' names; systems in the order of the oracles.
SETS = {
    "wmt20-en-de": (
        "wmt20-en-de-scores",
        "mqm",
        {
            "BLEURT": "rating:bleurt-combi-newstestM2020",
            "YiSi": "rating:Yisi-combi-newstest2020",
            "chrF": "rating:chrF-newstest2020",
            "negTER": "rating:TER-newstest2020",
        },
        None,
    ),
    "wmt21-ru-en": ("wmt21-ru-en", "da-z", {"BLEU": "sentbleu", "chrF": "sentchrf"}, "refA"),
    "wmt21-ted-zh-en": (
        "wmt21-ted-zh-en",
        "mqm",
        {"chrF": "sentchrf", "BLEU": "sentbleu", "chrF++": "sentchrf:word_order=2"},
        "refB",
    ),
}


@cache
def real(shared: Path, name: str) -> tuple[RatedData, dict[str, str]]:
    """Return a set of real data as judged by people, and the metrics' names by those of the oracles."""
    folder, human, metrics, reference = SETS[name]
    corpus = mtsig.read(shared / "data" / folder)
    systems = oracles()["real"][name]["systems"]["expected"]
    corpus = corpus.select(systems, None if reference is None else [reference])
    rated = RatedData.of(corpus, f"rating:{human}", list(metrics.values()), humans="include")
    return rated, dict(zip(metrics, rated.names, strict=True))


def ratios(rng: np.random.Generator, systems: int = 8, n: int = 100, *, equal: bool) -> RatedData:
    """Return two equally good metrics: a ratio of sums, errors of all words, and another such ratio or a mean.

    Scores of systems have the same law by both, also where one is a mean: its noise is as much as words weigh.
    """
    quality = 0.3 * rng.normal(size=(systems, 1))
    words = rng.integers(5, 60, size=(1, n)).astype(np.float64)
    share = float((words**2).sum() / words.sum() ** 2)

    def ratio(name: str) -> Statistics:
        noise = np.sqrt(1 / n / share) * rng.normal(size=(systems, n))
        errors = words * (2 - 0.2 * (quality + noise))
        values = as_values(np.stack([errors, np.broadcast_to(words, errors.shape)]))
        return Statistics(Named(called=name), names, values)

    names = tuple(f"s{row}" for row in range(systems))
    cells = [quality + rng.normal(size=(systems, n)) for _ in range(2)]
    corpus = Corpus.of(
        dict.fromkeys(names),
        ratings={name: Rating(x, higher_is_better=True) for name, x in zip("hm", cells, strict=True)},
    )
    return RatedData.of(
        None, measure(corpus, "rating:h"), [ratio("a"), ratio("b") if equal else measure(corpus, "rating:m")]
    )


@dataclass(frozen=True)
class Named(Ter):
    """TER under a name of its own: errors by words."""

    called: str = "a"

    @property
    def name(self) -> str:
        return self.called
