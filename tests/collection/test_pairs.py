"""Units over sets, and pairs over them: what is one unit in several sets, and what leaving one out does."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from kept import worded
from made import made_corpus
from made_sets import documents_of, of, on_wmt22, rated_corpus

from mtsig import Corpus, Settings
from mtsig.collection import Averaging, Sets, compare, measure
from mtsig.collection._families import exchanged
from mtsig.collection._pairs import units_over
from mtsig.inference import compare as compare_one

QUICK = Settings(n_resamples=500)


def test_the_error_of_an_average_is_what_leaving_documents_out_really_does() -> None:
    rng = np.random.default_rng(8)
    corpora = {}
    for name, count in (("a", 14), ("b", 14), ("c", 11)):
        documents = documents_of(rng.integers(1, 6, count))
        corpora[name] = rated_corpus(rng.normal(size=(2, len(documents))), documents)
    sets, weights = of(corpora), {"a": 1.0, "b": 2.0, "c": 5.0}
    found = compare(sets, QUICK, averaging=Averaging(weights=weights))

    def difference(name: str, without: str) -> float:
        kept = [i for i, one in enumerate(corpora[name].documents or ()) if one != without]
        values = corpora[name].ratings["score"].values[:, kept]
        return float(values[0].mean() - values[1].mean())

    total = 0.0
    for unit in (f"doc{i}" for i in range(14)):
        moved = 0.0
        for name, weight in weights.items():
            count = len(set(corpora[name].documents or ()))
            change = difference(name, unit) - difference(name, "")
            moved += weight / 8 * np.sqrt((count - 1) / count) * change
        total += moved**2
    assert found.averages is not None
    assert found.averages[0].standard_error == pytest.approx(np.sqrt(total), rel=1e-6)
    expected = sum(weight / 8 * difference(name, "") for name, weight in weights.items())
    assert found.averages[0].difference == pytest.approx(expected, abs=1e-6)


def sourced(documents: list[str], sources: list[str], seed: int = 1) -> object:
    return rated_corpus(np.random.default_rng(seed).normal(size=(2, len(documents))), documents, sources)


def test_documents_are_the_same_by_id_and_source_lines() -> None:
    documents = documents_of([2] * 12)
    lines = [f"line {i}" for i in range(24)]
    other = [*lines[:22], "another", "text"]
    sets = of({"a": sourced(documents, lines), "b": sourced(documents, other)})  # type: ignore[dict-item]
    found = units_over(sets)
    assert found.shared == 11
    assert found.blocks(["a", "b"]) == [["a", "b"]]
    worded(found.notes, "11 documents", "2 sets")
    assert units_over(replace(sets, sharing="separate")).shared == 0


def test_documents_without_source_are_the_same_by_id_and_that_is_said() -> None:
    documents = documents_of([2] * 12)
    bare = rated_corpus(np.random.default_rng(2).normal(size=(2, 24)), documents)
    found = units_over(of({"a": sourced(documents, ["x"] * 24), "b": bare}))  # type: ignore[dict-item]
    assert found.shared == 12
    assert "by id alone" in found.notes[1].text


def test_segments_are_the_same_by_position_where_sources_are() -> None:
    lines = [f"line {i}" for i in range(30)]
    one, other = np.random.default_rng(1).normal(size=(2, 2, 30))
    same = {"a": rated_corpus(one, None, lines), "b": rated_corpus(other, None, lines)}
    assert units_over(of(same)).shared == 30
    assert units_over(of({**same, "b": rated_corpus(other, None, lines[::-1])})).shared == 0
    assert units_over(of({**same, "b": rated_corpus(other)})).shared == 0


def test_a_set_with_fewer_segments_shares_those_that_it_has() -> None:
    # Sets of one source, of which one has no rating of the first segments: masks go by unit, not by place.
    lines = [f"line {i}" for i in range(40)]
    rng = np.random.default_rng(5)
    scores = rng.normal(size=(2, 40))
    lacking = scores.copy()
    lacking[:, :15] = np.nan
    sets = of({"whole": rated_corpus(scores, None, lines), "part": rated_corpus(lacking, None, lines)})
    units = units_over(sets, "segment")
    assert units.shared == 25
    families = {name: compare_one(one, "ar") for name, one in sets.of.items()}
    drawn = dict(exchanged(families, sets.of, units, 4000, 7))
    gap = scores[0] - scores[1]
    expected = np.sqrt(np.square(gap[15:]).sum() / np.square(gap).sum())
    assert float(np.corrcoef(drawn["whole"][0], drawn["part"][0])[0, 1]) == pytest.approx(expected, abs=0.05)


def test_sets_of_one_source_are_cut_at_the_same_places() -> None:
    # Runs of 100 in one set, of 20 in the other: the first is cut into fewer blocks, and both share those.
    lines = [f"line {i}" for i in range(1000)]
    rng = np.random.default_rng(3)
    long, short = (
        rng.normal(size=(3, 1000)) + np.repeat(rng.normal(0, 2, (3, 1000 // length)), length, axis=1)
        for length in (100, 20)
    )
    sets = of({"long": rated_corpus(long, None, lines), "short": rated_corpus(short, None, lines)})
    alone = {name: one.at("auto").n for name, one in sets.of.items()}
    assert alone["long"] < alone["short"]
    units = units_over(sets)
    assert units.kinds == {"long": "block", "short": "block"}
    assert units.shared == alone["long"]
    found = compare(sets, QUICK)
    assert {family.unit for family in found.families.values()} == {"block"}
    assert {one.units for family in found.families.values() for one in family} == {alone["long"]}
    apart = units_over(replace(sets, sharing="separate"))
    assert apart.shared == 0
    assert {name: len(own) for name, own in apart.of.items()} == alone


@pytest.mark.slow
def test_what_real_sets_share_is_found(shared: Path) -> None:
    found = on_wmt22(shared / "data" / "wmt22-several")
    blocks = found.units.blocks(list(found.families))
    assert sorted(map(len, blocks)) == [1, 6]
    assert ["en-hr"] in blocks
    assert found.units.shared == 181
    assert found.ranks is not None
    assert found.ranks.systems[0] == "Online-B"


def test_sets_of_one_source_in_which_one_segment_differs_move_together() -> None:
    corpora = {}
    for seed in (36, 37, 38):
        good = made_corpus(21, 1, 12, seed=seed)
        outputs = {**good.outputs, "lacking": ["", *good.lines("sys0")[1:]]}
        corpora[str(seed)] = Corpus.of(outputs, good.references, documents=good.documents)
    found = compare(measure(Sets.of(corpora), "sentter"), QUICK)
    worded(found.described[0].method)
