"""The preset "As WMT", held cell by cell to how the general task ranked systems by human scores in 2024.

Its script (humeval of wmt-conference/wmt24-news-systems, micro averages) takes for every pair scipy's `wilcoxon` of the
differences of the segments that both have, with scipy's defaults, at .05; who has the higher mean wins. A system's
ranks go from one more than its losses to the number of systems less its wins, and a cluster ends where no pair across
it is left withheld. Written here once more, from that description.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from sampled import slow
from scipy import stats

from mtsig import Corpus, Rating, measure, ranks, read
from mtsig.campaign import rank_by_rule
from mtsig.campaign._rules import official_ranks
from mtsig.corpus._notes import is_human
from mtsig.inference import METHODS


@dataclass(frozen=True)
class Printed:
    """What WMT prints: p of every pair, and every system's ranks and cluster."""

    p: dict[frozenset[str], float]
    places: dict[str, tuple[int, int]]
    clusters: dict[str, int]


def as_wmt(scores: dict[str, np.ndarray]) -> Printed:
    """Rank the systems by scores of the same segments, higher better."""
    order = sorted(scores, key=lambda name: -scores[name].mean())
    p, wins, losses = {}, dict.fromkeys(order, 0), dict.fromkeys(order, 0)
    for i, better in enumerate(order):
        for worse in order[i + 1 :]:
            gaps = np.round(scores[better] - scores[worse], 8)  # equal on paper
            value = float(stats.wilcoxon(gaps).pvalue) if gaps.any() else 1.0
            p[frozenset((better, worse))] = value
            if value < 0.05:
                wins[better] += 1
                losses[worse] += 1
    places = {name: (losses[name] + 1, len(order) - wins[name]) for name in order}
    clusters, number = {}, 1
    for i, name in enumerate(order):
        clusters[name] = number
        across = [p[frozenset((above, below))] for above in order[: i + 1] for below in order[i + 1 :]]
        number += all(value < 0.05 for value in across)
    return Printed(p, places, clusters)


def agrees(corpus: Corpus, rating: str) -> Printed:
    """Hold the preset to the plain loop: the systems that are rated, on the segments that are rated for all of them."""
    known = ~np.isnan(corpus.ratings[rating].values)
    # People are not ranked here: what they are better than costs no system a place.
    rows = [row for row, name in enumerate(corpus.systems) if known[row].any() and not is_human(name)]
    whole = corpus.select([list(corpus.systems)[row] for row in rows]).take(np.flatnonzero(known[rows].all(axis=0)))
    statistics = measure(whole, f"rating:{rating}")
    sign = 1 if statistics.metric.higher_is_better else -1
    names = list(statistics.systems)
    scores = {name: sign * whole.ratings[rating].values[names.index(name)] for name in names}
    expected, family = as_wmt(scores), METHODS["wmt"].settings.family(statistics)
    for one in family:
        pair = frozenset((one.first, one.second))
        assert one.p_value == pytest.approx(expected.p[pair], rel=1e-6), pair
    placed = ranks(family)
    assert {place.system: (place.rank_low, place.rank_high) for place in placed} == expected.places
    assert {place.system: place.cluster for place in placed} == expected.clusters
    return expected


def made(n: int, ties: float, seed: int) -> Corpus:
    """Return seven systems with scores of 0 to 100 in steps of 5, of which many are the same for all of them."""
    rng = np.random.default_rng(seed)
    common = rng.normal(75, 12, n)
    own = common + np.linspace(0, 12, 7)[:, None] + rng.normal(0, 9, (7, n))
    scores = np.clip(5 * np.round(np.where(rng.random(n) < ties, common, own) / 5), 0, 100)
    return Corpus.of(dict.fromkeys("ABCDEFG"), ratings={"esa": Rating(scores, True)})


@pytest.mark.parametrize("ties", [0.1, 0.5])
@pytest.mark.parametrize("n", [120, 400])
def test_made_scores_are_ranked_as_by_wmt(n: int, ties: float) -> None:
    found = agrees(made(n, ties, n), "esa")
    decided = [value < 0.05 for value in found.p.values()]
    assert any(decided)
    assert not all(decided)


def test_segments_that_tie_are_not_ranked() -> None:
    statistics = measure(made(120, 0.5, 1), "rating:esa")
    dropped = METHODS["wmt"].settings.family(statistics).p_value
    ranked = replace(METHODS["wmt"].settings, test="wilcoxon").family(statistics).p_value
    assert np.abs(np.log(dropped / ranked)).max() > 0.1


@pytest.mark.parametrize(
    ("folder", "rating"),
    [
        ("wmt21-ted-zh-en", "mqm"),
        *slow(("wmt25-ja-zh", "GEMBA-ESA-GPT4.1"), ("wmt21-en-de", "mqm"), ("wmt20-en-de-scores", "mqm")),
    ],
)
def test_real_scores_are_ranked_as_by_wmt(shared: Path, folder: str, rating: str) -> None:
    found = agrees(read(shared / "data" / folder), rating)
    print(folder, rating, f"{len(found.places)} systems in {max(found.clusters.values())} clusters")


@pytest.mark.parametrize(
    ("folder", "rating", "row"),
    [
        ("wmt21-en-de", "mqm", "| wmt21 en-de, MQM"),
        *slow(("wmt21-ru-en", "da-raw", "(raw scores)"), ("wmt21-ru-en", "da-z", "(z scores)")),
    ],
)
@pytest.mark.slow
def test_the_rules_side_by_side_are_those_of_the_page(shared: Path, folder: str, rating: str, row: str) -> None:
    page = Path(__file__).parents[2] / "docs" / "statistics" / "campaigns.md"
    (line,) = (line for line in page.read_text(encoding="utf-8").splitlines() if row in line)
    pairs, *by_rule, valid = map(int, line.strip("| ").split(" | ")[1:])
    corpus, inferred = read(shared / "data" / folder), shared / "data" / folder / "docids.inferred.txt"
    if inferred.exists():
        ids = tuple(inferred.read_text(encoding="utf-8").splitlines())
        blocks = rank_by_rule(corpus, rating, "wmt24")[0].counts[1]
        assert f"{blocks} pairs are significant instead of {valid}" in page.read_text(encoding="utf-8")
        corpus = replace(corpus, segments=replace(corpus.segments, documents=ids))
    (found,) = rank_by_rule(corpus, rating, "wmt24")
    assert (found.official.pairs, found.counts) == (pairs, (by_rule[0], valid))
    others = [official_ranks(corpus, rating, rule) for rule in ("wmt25", "wmt26-t", "wmt26-bca")]
    assert [int(ranks.wins.sum()) for ranks in others] == by_rule[1:]
