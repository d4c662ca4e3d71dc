"""Soft pairwise accuracy where documents are turned as a whole: the p-values of the documents' sums."""

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest
from agreement_oracles import made
from made import made_corpus
from scipy import stats

from mtsig import Corpus, Rating, Settings
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.meta_eval import EXCHANGES, RatedData, SoftPairwiseAccuracy, compare_metrics, meta_eval, sentinels
from mtsig.meta_eval._hybrids import Hybrids, on_one_scale
from mtsig.meta_eval._statistic import Redraw, redraws
from mtsig.meta_eval._systems import _differences_of_scores, normal_p

LONG, BY_DOCUMENT = 5, Settings(n_resamples=50, unit="document")


def drawn(documents: int, systems: int = 6) -> tuple[RatedData, dict[str, np.ndarray]]:
    """Return scores with errors that the segments of a document share, and the sums of every document."""
    rng = np.random.default_rng(documents)
    shape = (systems, documents * LONG)
    people = np.linspace(0, 0.3, systems)[:, None] + rng.normal(size=shape)
    cells = {"people": people}
    for name in ("a", "b"):
        shared = np.repeat(rng.normal(size=(systems, documents)), LONG, axis=1)
        cells[name] = people + rng.normal(size=shape) + 2 * shared
    corpus = Corpus.of(
        {f"s{row}": None for row in range(systems)},
        ratings={name: Rating(x, higher_is_better=True) for name, x in cells.items()},
        documents=np.repeat([f"d{number:02}" for number in range(documents)], LONG).tolist(),
    )
    sums = {name: x.reshape(systems, documents, LONG).sum(axis=2) for name, x in cells.items()}
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
        swap = np.repeat(mask, LONG)[None] if unit == "item" else mask[:, None]
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
    assert "20 documents are too few for the normal approximation" in " ".join(note.text for note in found.notes)
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
