"""Error rates of tests between metrics, and coverage of intervals, in many made sets; most run with -m slow.

Null (i): both metrics see people's truth with as much noise in every cell. Null (ii): each also has a view of its own
of every system, so that one may be the better on these systems, and neither is on others.

Exchanging scores between two metrics makes data that are as likely as the real ones only where the metrics' scores are
exchangeable. In the second half they are not: the second metric has another scale, noise that is shared by the segments
of a document, with heavy tails where that leaves the agreement equal, or a view of systems that is far off for a few
and right for the others. Equal is the agreement that the statistic measures: its definition gives the noise that each
null needs.

Soft pairwise accuracy where documents are turned as a whole: the p-values of the documents' sums.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Literal, NamedTuple

import numpy as np
import pytest
from agreement_oracles import made, ratios
from kept import worded
from made import made_corpus
from sampled import slow
from scipy import stats
from scipy.optimize import brentq

from mtsig import Corpus, Rating, Settings
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.meta_eval import (
    EXCHANGES,
    STATISTICS,
    RatedData,
    SoftPairwiseAccuracy,
    Statistic,
    compare_metrics,
    meta_eval,
    sentinels,
)
from mtsig.meta_eval._exchanges import Hybrids, on_one_scale
from mtsig.meta_eval._statistic import Redraw, redrawn, redraws
from mtsig.meta_eval._systems import _differences_of_scores, normal_p
from mtsig.metrics._statistics import Unit

SETS = 1000
SPREAD, VIEW = 0.3, 0.2


def nulls(systems: int, own_view: float, sets: int, seed: int) -> Iterator[tuple[np.ndarray, ...]]:
    rng = np.random.default_rng(seed)
    for _ in range(sets):
        truth = SPREAD * rng.normal(size=(systems, 1)) + 0.7 * rng.normal(size=(systems, 100))
        truth = truth + 0.5 * rng.normal(size=(1, 100))
        human = truth + 0.7 * rng.normal(size=truth.shape)
        yield (
            human,
            *(truth + rng.normal(size=truth.shape) + own_view * rng.normal(size=(systems, 1)) for _ in range(2)),
        )


def errors(statistic: Statistic, unit: str, systems: int, own_view: float, sets: int = SETS) -> int:
    wrong = 0
    for number, (human, a, b) in enumerate(nulls(systems, own_view, sets, 10 * systems)):
        family = compare_metrics(made(human, a=a, b=b), statistic, unit, Settings(n_resamples=200, seed=number))
        wrong += bool(family.p_value[0] <= 0.05)
    print(f"{statistic.name} by {unit}, {systems} systems, own view {own_view}: {wrong} of {sets}")
    return wrong


def between(wrong: int, low: float, high: float, sets: int = SETS) -> bool:
    """Return whether so many errors go with some rate between the two, but for once in ten thousand."""
    return stats.binom.sf(wrong - 1, sets, high) > 1e-4 and stats.binom.cdf(wrong, sets, low) > 1e-4


NONE = replace(STATISTICS["segment-pearson"], by="none")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statistic", "unit", "systems"),
    [
        (STATISTICS["pearson"], "item", 8),
        (STATISTICS["pearson"], "both", 8),
        (STATISTICS["pearson"], "williams", 8),
        (STATISTICS["spa"], "item", 8),
        (STATISTICS["accuracy"], "item", 8),
        (STATISTICS["acc_eq"], "item", 8),
        (STATISTICS["acc_eq"], "item", 15),
        (STATISTICS["segment-kendall"], "item", 8),
        (NONE, "item", 8),
        (NONE, "cells", 8),
        (NONE, "both", 8),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_on_these_systems_tests_err_as_often_as_they_say(statistic: Statistic, unit: str, systems: int) -> None:
    assert between(errors(statistic, unit, systems, 0.0), 0.0, 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("equal", [True, False], ids=["two ratios", "a ratio and a mean"])
@pytest.mark.parametrize("name", ["pearson", "spa", "accuracy"])
def test_tests_of_metrics_of_whole_corpora_err_as_often_as_they_say(name: str, equal: bool) -> None:
    rng = np.random.default_rng(8)
    wrong = 0
    for number in range(SETS):
        family = compare_metrics(ratios(rng, equal=equal), name, "item", Settings(n_resamples=200, seed=number))
        wrong += bool(family.p_value[0] <= 0.05)
    print(f"{name}: {wrong} of {SETS}")
    assert between(wrong, 0.0, 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("own_view", [0.0, VIEW])
@pytest.mark.parametrize("systems", [8, 15])
@pytest.mark.parametrize("name", ["pearson", "spa", "accuracy", "kendall"])
def test_systems_exchanged_err_in_no_more_cases_than_their_label_says(name: str, systems: int, own_view: float) -> None:
    # All 2^15 exchanges of a set take seconds where they are no sums.
    sets = 60 if systems == 15 and name != "pearson" else SETS
    assert between(errors(STATISTICS[name], "systems", systems, own_view, sets), 0.0, 0.08, sets)


@pytest.mark.slow
def test_williams_holds_for_other_systems() -> None:
    assert between(errors(STATISTICS["pearson"], "williams", 8, VIEW), 0.0, 0.05)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "unit"), [("pearson", "item"), ("spa", "item"), ("pearson", "both")])
def test_of_other_systems_exchanged_items_say_nothing(name: str, unit: str) -> None:
    # They take a view of these systems for a better metric: what "on these systems" in every result is for.
    assert between(errors(STATISTICS[name], unit, 8, VIEW), 0.2, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize(("systems", "low", "high"), [(5, 0.08, 0.3), (10, 0.12, 0.35), (15, 0.15, 0.4)])
def test_decisions_on_pairs_err_as_their_label_says(systems: int, low: float, high: float) -> None:
    assert between(errors(STATISTICS["acc_eq"], "pairs", systems, 0.0), low, high)


# What the statistics are of all systems, from the correlation r of two normal scores (Kendall 1948).
OF_ALL_SYSTEMS = {
    "pearson": lambda r: r,
    "spearman": lambda r: 6 / np.pi * np.arcsin(r / 2),
    "kendall": lambda r: 2 / np.pi * np.arcsin(r),
    "accuracy": lambda r: 0.5 + np.arcsin(r) / np.pi,
}


@pytest.mark.slow
@pytest.mark.parametrize("systems", [8, 12, 15])
@pytest.mark.parametrize("over", ["systems", "both"])
def test_intervals_over_systems_cover_what_holds_of_all_systems(systems: int, over: str) -> None:
    r = SPREAD / np.hypot(SPREAD, VIEW)
    missed = dict.fromkeys(OF_ALL_SYSTEMS, 0)
    for number, (human, a, _) in enumerate(nulls(systems, VIEW, SETS, systems)):
        asked = [STATISTICS[name] for name in OF_ALL_SYSTEMS]
        drawn = redrawn(made(human, a=a), asked, over, draws=300, seed=number)
        for name, truth in OF_ALL_SYSTEMS.items():
            low, high = drawn.ends(name, "a", 0.95)
            missed[name] += not low <= truth(r) <= high
    print(f"{systems} systems, {over} redrawn: not covered {missed} of {SETS}")
    # Redrawing both adds the chance of segments twice: it covers too much. Systems alone: a little too little.
    for count in missed.values():
        assert between(count, 0.0, 0.05) if over == "both" else between(count, 0.0, 0.1)


SYSTEMS, DOCUMENTS, LONG = 8, 20, 5
OWN, COMMON = 0.7, 0.5
"""SD of systems, of their outputs on segments, and of segments."""
FEW, SHARED = 1 / 4, 0.5
"""SD of a metric's view of systems; the shares of systems that the second sees wrongly, and of noise of documents."""


class Null(NamedTuple):
    """What agrees equally with people, and how the second metric is unlike the first.

    equal: whose noise is as large, that of systems' means or of cells; of neither, the second's being twice as large,
    they agree equally on endless segments. heavy: the second's has heavy tails. views: both
    see systems wrongly, the second a few of them; so that Pearson's r is equal, or how often pairs are ordered alike.
    """

    equal: Literal["means", "cells", "endless"]
    heavy: bool = False
    views: Literal["", "r", "order"] = ""


MEANS, CELLS, HEAVY_CELLS = Null("means", heavy=True), Null("cells"), Null("cells", heavy=True)
ENDLESS = Null("endless")
VIEWS, ORDERS = Null("means", views="r"), Null("means", views="order")


def ordered_alike(*views: tuple[float, float]) -> float:
    """Return how often people and a metric order a pair alike; views: (share of pairs, variance of the view's error).

    Two normal scores with correlation r are ordered alike in 1/2 + arcsin(r)/π of all pairs (Kendall 1948).
    """
    n = DOCUMENTS * LONG
    truth, people, metric = SPREAD**2 + OWN**2 / n, 0.7**2 / n, 1 / n
    return sum(
        share * (0.5 + np.arcsin(truth / np.sqrt((truth + people) * (truth + metric + variance))) / np.pi)
        for share, variance in views
    )


@cache
def sd_of_few(views: str) -> float:
    """Return the SD of the view of systems that the second metric sees wrongly."""
    if views == "r":
        return VIEW / np.sqrt(FEW)
    pairs = (1 - FEW) ** 2, 2 * FEW * (1 - FEW), FEW**2
    target = ordered_alike((1.0, VIEW**2))
    return brentq(lambda sd: ordered_alike(*zip(pairs, (0.0, sd**2 / 2, sd**2), strict=True)) - target, VIEW, 50.0)


def rated(rng: np.random.Generator, null: Null, documents: bool = True) -> RatedData:
    """Return one set: people and two metrics, on the segments of made documents."""
    shape = SYSTEMS, DOCUMENTS * LONG
    noise = stats.t(3).rvs((2, *shape), rng) / np.sqrt(3) if null.heavy else rng.normal(size=(2, *shape))
    noise = np.sqrt(SHARED) * np.repeat(noise[0, :, :DOCUMENTS], LONG, axis=1) + np.sqrt(1 - SHARED) * noise[1]
    if null.equal != "cells":
        # What a document shares does not grow less by its segments.
        noise /= np.sqrt(SHARED * LONG + 1 - SHARED)
    if null.equal == "endless":
        noise *= 2
    truth = SPREAD * rng.normal(size=(SYSTEMS, 1)) + OWN * rng.normal(size=shape) + COMMON * rng.normal(size=shape[1])
    a, b = truth + rng.normal(size=shape), truth + noise
    if null.views:
        a = a + VIEW * rng.normal(size=(SYSTEMS, 1))
        b = b + sd_of_few(null.views) * rng.normal(size=(SYSTEMS, 1)) * (rng.random((SYSTEMS, 1)) < FEW)
    scores = {"people": truth + 0.7 * rng.normal(size=shape), "a": a, "b": 20 + 5 * b}
    corpus = Corpus.of(
        dict.fromkeys(f"s{row}" for row in range(SYSTEMS)),
        documents=[f"d{i // LONG}" for i in range(shape[1])] if documents else None,
        ratings={name: Rating(values, higher_is_better=True) for name, values in scores.items()},
    )
    return RatedData.of(corpus, "rating:people", ["rating:a", "rating:b"])


def errors_unlike(
    null: Null, statistic: Statistic, unit: str, sets: int, documents: bool = True, turned: Unit = "auto"
) -> int:
    rng = np.random.default_rng(7)
    p, difference = np.empty(sets), np.empty(sets)
    for number in range(sets):
        settings = Settings(n_resamples=99, seed=number, unit=turned)
        family = compare_metrics(rated(rng, null, documents), statistic, unit, settings)
        p[number], difference[number] = family.p_value[0], family.difference[0]
    wrong = p <= 0.05
    favoured = np.count_nonzero(wrong & (difference < 0))
    known = "" if documents else ", documents unknown"
    print(f"{null}, {statistic.name} by {unit}{known}: {wrong.sum()} of {sets}, {favoured} for the second metric")
    return int(wrong.sum())


P, SPA, ACCURACY = (STATISTICS[name] for name in ("pearson", "spa", "accuracy"))


@pytest.mark.parametrize("sets", [40, pytest.param(SETS, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("null", "statistic", "unit"),
    [
        (MEANS, P, "item"),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in (
                (MEANS, P, "both"),
                (MEANS, P, "williams"),
                (MEANS, SPA, "item"),
                (MEANS, SPA, "systems"),
                (MEANS, ACCURACY, "item"),
                (MEANS, ACCURACY, "systems"),
                (MEANS, STATISTICS["kendall"], "systems"),
                (MEANS, STATISTICS["spearman"], "item"),
                (MEANS, STATISTICS["spearman"], "systems"),
                (CELLS, STATISTICS["segment-kendall"], "item"),
                (CELLS, STATISTICS["acc_eq"], "item"),
                (CELLS, NONE, "item"),
                (CELLS, NONE, "cells"),
                (CELLS, NONE, "both"),
                (ORDERS, ACCURACY, "systems"),
                (ORDERS, STATISTICS["kendall"], "systems"),
            )
        ),
    ],
)
def test_metrics_that_agree_equally_well_are_called_different_in_no_more_cases_than_said(
    null: Null, statistic: Statistic, unit: str, sets: int
) -> None:
    assert between(errors_unlike(null, statistic, unit, sets), 0.0, 0.05, sets)


@pytest.mark.parametrize(("unit", "sets"), [("item", 40), *slow(("item", SETS), ("systems", SETS))])
@pytest.mark.slow
def test_soft_accuracy_of_whole_documents_errs_in_no_more_cases_than_said(unit: str, sets: int) -> None:
    assert between(errors_unlike(MEANS, SPA, unit, sets, turned="document"), 0.0, 0.05, sets)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("null", "statistic", "unit", "documents", "low", "high"),
    [
        # "errs in up to 8 of 100 cases with 8 systems, and 10% where one metric is far off on a few"
        (MEANS, P, "systems", True, 0.05, 0.08),
        (VIEWS, P, "systems", True, 0.08, 0.10),
        # "assumes normal system scores"
        (VIEWS, P, "williams", True, 0.08, 0.12),
        # "a few segment scores of one metric are far from the others"
        *((HEAVY_CELLS, NONE, unit, True, 0.08, 0.15) for unit in ("item", "cells", "both")),
        # "segments count as independent"
        (MEANS, P, "item", False, 0.10, 0.14),
        (MEANS, SPA, "item", False, 0.09, 0.14),
        (HEAVY_CELLS, NONE, "item", False, 0.10, 0.15),
        # "on these systems": which they say nothing beyond
        (VIEWS, P, "item", True, 0.3, 0.5),
        (VIEWS, P, "both", True, 0.3, 0.5),
        (CELLS, STATISTICS["acc_eq"], "pairs", True, 0.15, 0.25),
        # On so many segments the metric with more noise agrees less well, and is found to.
        *((ENDLESS, P, unit, True, 0.10, 0.20) for unit in ("item", "systems", "williams")),
    ],
)
def test_where_they_err_they_err_as_their_labels_say(
    null: Null, statistic: Statistic, unit: str, documents: bool, low: float, high: float
) -> None:
    assert between(errors_unlike(null, statistic, unit, SETS, documents), low, high)


def test_where_they_err_they_say_so() -> None:
    rng = np.random.default_rng(1)
    known, unknown = (rated(rng, CELLS, documents) for documents in (True, False))

    def said(data: RatedData, statistic: Statistic, unit: str) -> str:
        return " ".join(note.text for note in compare_metrics(data, statistic, unit, Settings(n_resamples=100)).notes)

    worded(said(known, P, "williams"))
    worded(said(known, P, "systems"), "10% where")
    worded(said(known, NONE, "item"))
    worded(said(unknown, P, "item"))
    assert "Segments are treated as independent" not in said(known, P, "item")


def test_the_null_is_one() -> None:
    """What is called equal is equal: r in means and in cells, and how often a pair is ordered alike."""
    rng = np.random.default_rng(2)
    first, second = np.triu_indices(SYSTEMS, 1)
    for null, of_cells, sets in ((MEANS, False, 80), (CELLS, True, 15), (ORDERS, False, 80)):
        values = np.empty((sets, 2))
        for number in range(sets):
            data = rated(rng, null)
            for place, name in enumerate("ab"):
                people, metric = (
                    data.cells(other).ravel() if of_cells else data.system_scores(other) for other in ("people", name)
                )
                right = (people[first] - people[second]) * (metric[first] - metric[second]) > 0
                values[number, place] = right.mean() if null.views else np.corrcoef(people, metric)[0, 1]
        apart = values[:, 0] - values[:, 1]
        assert abs(apart.mean()) < 4 * apart.std() / np.sqrt(sets)
    assert ordered_alike((1.0, VIEW**2)) == pytest.approx(0.7895, abs=5e-4)


LONG_of_hybrids, BY_DOCUMENT = 5, Settings(n_resamples=50, unit="document")


def drawn(documents: int, systems: int = 6) -> tuple[RatedData, dict[str, np.ndarray]]:
    """Return scores with errors that the segments of a document share, and the sums of every document."""
    rng = np.random.default_rng(documents)
    shape = (systems, documents * LONG_of_hybrids)
    people = np.linspace(0, 0.3, systems)[:, None] + rng.normal(size=shape)
    cells = {"people": people}
    for name in ("a", "b"):
        shared = np.repeat(rng.normal(size=(systems, documents)), LONG_of_hybrids, axis=1)
        cells[name] = people + rng.normal(size=shape) + 2 * shared
    corpus = Corpus.of(
        {f"s{row}": None for row in range(systems)},
        ratings={name: Rating(x, higher_is_better=True) for name, x in cells.items()},
        documents=np.repeat([f"d{number:02}" for number in range(documents)], LONG_of_hybrids).tolist(),
    )
    sums = {name: x.reshape(systems, documents, LONG_of_hybrids).sum(axis=2) for name, x in cells.items()}
    return RatedData.of(corpus, "rating:people", ["rating:a", "rating:b"]), sums


@pytest.mark.parametrize("documents", [12, 60])
def test_its_p_values_are_those_of_the_sums(documents: int) -> None:
    """A set with one segment for every document, its sum, has the same p-values; by all signs with 12, else the limit.

    The tie tolerance cannot matter: scores are continuous.
    """
    rated, sums = drawn(documents)
    alone = made(sums["people"], a=sums["a"], b=sums["b"])
    whole = SoftPairwiseAccuracy(unit="document")
    for name in ("people", "a", "b"):
        np.testing.assert_allclose(whole.p_values(rated, name), SoftPairwiseAccuracy().p_values(alone, name))
    if documents > 50:
        x = sums["a"][0] - sums["a"][1]
        expected = stats.norm.sf(x.sum() / np.sqrt(np.square(x).sum()))
        assert whole.p_values(rated, "a")[0] == pytest.approx(expected)
    # Documents that share their errors are worth less than their segments: p-values lie nearer to one half.
    near = [np.abs(one.p_values(rated, "a") - 0.5).mean() for one in (whole, SoftPairwiseAccuracy())]
    assert near[0] < near[1]


def test_redraws_are_those_of_the_sums() -> None:
    rated, sums = drawn(20)
    alone = made(sums["people"], a=sums["a"], b=sums["b"])
    rng = np.random.default_rng(1)
    weights = rng.multinomial(20, [1 / 20] * 20, size=7).astype(np.float64)
    systems = rng.multinomial(6, [1 / 6] * 6, size=7).astype(np.float64)
    ours = SoftPairwiseAccuracy(unit="document").redrawn(rated, "a", Redraw(weights, systems, rated.units("document")))
    np.testing.assert_allclose(ours, SoftPairwiseAccuracy().redrawn(alone, "a", Redraw(weights, systems)))
    with pytest.raises(InvalidOption, match=r"choose (segment|document)s as units"):
        SoftPairwiseAccuracy(unit="document").redrawn(rated, "a", Redraw(np.ones((1, 100))))


@pytest.mark.parametrize("unit", ["item", "systems"])
def test_tests_between_metrics_are_those_of_a_plain_loop(unit: Literal["item", "systems"]) -> None:
    rated, _ = drawn(20)
    whole = SoftPairwiseAccuracy("normal", unit="document")
    hybrids = Hybrids(rated, whole, rated.names, EXCHANGES[unit], BY_DOCUMENT)
    null, observed = hybrids.null()
    a, b = (on_one_scale(rated.cells(name).ravel()).reshape(6, 100) for name in "ab")

    def accuracy(cells: np.ndarray) -> float:
        return whole.value(made_by_documents(rated, cells), "m")

    assert observed[0] == pytest.approx(accuracy(a) - accuracy(b))
    exchanged = np.concatenate(list(hybrids.masks()))[:3]
    for row, mask in enumerate(exchanged):
        swap = np.repeat(mask, LONG_of_hybrids)[None] if unit == "item" else mask[:, None]
        expected = accuracy(np.where(swap, b, a)) - accuracy(np.where(swap, a, b))
        assert null[0, row] == pytest.approx(expected)


def made_by_documents(rated: RatedData, cells: np.ndarray) -> RatedData:
    ratings = {"people": Rating(rated.ratings, True), "m": Rating(cells, True)}
    documents = [f"d{number}" for number in rated.units("document")]
    corpus = Corpus.of(dict.fromkeys(rated.systems), ratings=ratings, documents=documents)
    return RatedData.of(corpus, "rating:people", ["rating:m"])


def test_documents_are_turned_where_they_are_asked_for_by_name() -> None:
    rated, _ = drawn(20)
    by_segment, by_document = (SoftPairwiseAccuracy(unit=unit).value(rated, "a") for unit in ("segment", "document"))
    assert by_segment != by_document
    for settings, expected in ((Settings(n_resamples=50), by_segment), (BY_DOCUMENT, by_document)):
        found = meta_eval(rated, ["spa"], settings=settings)
        assert found.of("a", "spa").value == expected
        assert {one.value for one in sentinels(rated, ["spa"], settings=settings) if one.metric == "a"} == {expected}
    worded(found.notes, "20 documents")
    assert compare_metrics(rated, "spa", settings=BY_DOCUMENT).difference[0] == pytest.approx(
        SoftPairwiseAccuracy("normal", unit="document").value(rated, "a")
        - SoftPairwiseAccuracy("normal", unit="document").value(rated, "b")
    )
    # mt-metrics-eval turns segments, whatever is redrawn.
    mtme = SoftPairwiseAccuracy("mtme")
    assert meta_eval(rated, [mtme], settings=BY_DOCUMENT).of("a", "spa").value == mtme.value(rated, "a")
    with pytest.raises(InvalidOption):
        replace(mtme, unit="document").value(rated, "a")
    with pytest.raises(NotApplicable, match="at least 10"):
        SoftPairwiseAccuracy(unit="document").value(drawn(5)[0], "a")


@pytest.mark.parametrize("documents", [0, 12])
def test_scores_of_whole_corpora_stand_on_the_segments_that_both_systems_share(documents: int) -> None:
    corpus, rng = made_corpus(n=36, systems=4, documents=documents), np.random.default_rng(documents)
    values = rng.normal(size=(4, 36))
    values[rng.random(values.shape) < 0.5] = np.nan
    values[0, ::2] = values[1, 1::2] = np.nan  # these two share nothing
    corpus = replace(corpus, ratings={"mqm": Rating(values, higher_is_better=True)})
    rated = RatedData.of(corpus, "rating:mqm", ["bleu", "chrf"])
    (redraw,) = redraws(rated, "segments", 20, 1, "document" if documents else "segment")
    for name in rated.names:
        scored = rated[name]
        score = scored.statistics.metric.score
        found = _differences_of_scores(rated, scored, redraw)
        # A plain loop: every segment as often as it was drawn.
        for draw, weights in enumerate(redraw.segments.astype(int)):
            often = np.repeat(np.arange(rated.n), weights)
            for pair, (x, y) in enumerate(zip(*rated.pairs, strict=True)):
                both = [at for at in often if rated.mask[x, at] and rated.mask[y, at]]
                if both:
                    one, other = (score(scored.values[:, row, both].sum(axis=1)[:, None])[0] for row in (x, y))
                    assert found[pair, draw] == one - other
        assert np.isnan(normal_p(rated, scored, redraw)).all(axis=1).tolist() == (rated.shared == 0).tolist()
        assert rated.shared[0] == 0 < rated.shared.max()
    # Many pairs are put together anew for every block, and say the same.
    again = replace(rated, known={})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mtsig.meta_eval._systems._MOST_KEPT", 0)
        assert np.array_equal(_differences_of_scores(again, again["BLEU"], replace(redraw, known={})),
                              _differences_of_scores(rated, rated["BLEU"], redraw))  # fmt: skip
