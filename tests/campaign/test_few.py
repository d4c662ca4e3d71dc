"""Few ratings with a metric: to the digits of the contract's numbers, unchanged where it must be, and error rates."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy
from golden.oracles import known_answers
from kept import lacking, worded
from sampled import sampled

from mtsig import Corpus, Rating, Settings, measure, read, read_sample, verdict
from mtsig.campaign import compare_ratings, few_ratings, plan_sample
from mtsig.campaign._few import Sums, probabilities, systematic
from mtsig.corpus import RaterScores
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference._estimated import RatedFamily
from mtsig.report._campaign import needed_ratings_table


def test_estimates_are_those_written_out_by_loops() -> None:
    known = known_answers("verdicts")["H_ratings"]
    given, expected = known["inputs"], known["outputs"]
    human = np.array([np.nan if value is None else value for value in given["human_difference_where_rated"]])
    metric, inclusion, document = (
        np.array(given[name]) for name in ("metric_difference", "inclusion_probability", "document")
    )
    sums = Sums.of(human, metric.astype(float), inclusion, document)
    assert sums.estimate(with_metric=False)[:2] == pytest.approx(expected["ratings_alone"], abs=1e-9)
    assert sums.estimate(with_metric=True) == pytest.approx([*expected["with_metric"], expected["lambda"]], abs=1e-9)
    assert sums.explained == pytest.approx([expected["r2"], expected["r2_adjusted"]], abs=1e-9)
    # A metric on another scale, and probabilities in other units, change nothing.
    other = Sums.of(human, 7.0 * metric, inclusion / 2, document)
    assert other.estimate(with_metric=True)[:2] == pytest.approx(expected["with_metric"], abs=1e-9)


def made(
    random: np.random.Generator, *, share: float = 0.4, r2: float = 0.5, documents: int = 40, by: str = "document"
) -> tuple[Corpus, np.ndarray]:
    """Return two equal systems, rated on some documents or segments, with a metric everywhere; and probabilities."""
    lengths = random.integers(2, 12, size=documents)
    document = np.repeat(np.arange(documents), lengths)
    n = len(document)
    truth = 0.6 * random.normal(size=(2, documents))[:, document] + random.normal(size=(2, n))
    human = truth + 0.4 * random.normal(size=(2, n))
    metric = np.sqrt(r2) * truth + np.sqrt(1 - r2) * random.normal(size=(2, n))
    if by == "document":
        likely = np.where(lengths > 6, 0.6, share)
        inclusion, rated = likely[document], (random.random(documents) < likely)[document]
    elif by == "rare":
        likely = np.where(np.arange(documents) < 0.6 * documents, 0.05, 0.9)
        inclusion, rated = likely[document], (random.random(documents) < likely)[document]
    else:
        apart = np.abs(metric[0] - metric[1])
        inclusion = np.where(apart > np.median(apart), 0.6, 0.2)
        rated = random.random(n) < inclusion
    ratings = {
        "esa": Rating(np.where(rated, human, np.nan), higher_is_better=True),
        "m": Rating(metric, higher_is_better=True),
    }  # fmt: skip
    names = [f"d{number}" for number in document]
    return Corpus.of(dict.fromkeys("AB"), ratings=ratings, documents=names), inclusion


def test_a_metric_that_says_nothing_and_one_that_says_it_all() -> None:
    corpus, inclusion = made(np.random.default_rng(1))
    values = corpus.ratings["esa"].values
    flat = Rating(np.zeros_like(values), higher_is_better=True)
    constant = Corpus.of(
        dict.fromkeys("AB"), ratings={"esa": corpus.ratings["esa"], "m": flat}, documents=corpus.documents
    )
    found = few_ratings(constant, "esa", "rating:m", inclusion=inclusion)
    assert found.alone.difference == pytest.approx(found.assisted.difference)
    assert found.alone.standard_error == pytest.approx(found.assisted.standard_error)
    assert found.records[0].weight == 0
    assert "nothing to esa" in found.sentence
    every = corpus.ratings["m"].values
    whole = Corpus.of(
        dict.fromkeys("AB"), ratings={"esa": Rating(every, True), "m": Rating(every, True)}, documents=corpus.documents
    )
    all_rated = few_ratings(whole, "esa", "rating:m", verdict="metric")
    family = Settings().family(measure(whole, "rating:esa"))
    assert all_rated.family.difference == pytest.approx(family.difference)
    assert all_rated.family.standard_error == pytest.approx(family.standard_error)
    assert all_rated.family.df == pytest.approx(family.df)


def test_what_cannot_be_estimated_is_refused() -> None:
    corpus, inclusion = made(np.random.default_rng(2))
    names, values = corpus.documents, corpus.ratings["esa"].values
    rated = ~np.isnan(values[0])
    for wrong, match in ((0.0, "inclusion probability is 0"), (1.5, "at most 1"), (np.nan, "is nan")):
        with pytest.raises(InvalidOption, match=match):
            few_ratings(corpus, "esa", "rating:m", inclusion=np.where(rated, wrong, inclusion))
    gap = corpus.ratings["m"].values.copy()
    gap[1, 0] = np.nan
    holed = Corpus.of(
        dict.fromkeys("AB"), ratings={"esa": corpus.ratings["esa"], "m": Rating(gap, True)}, documents=names
    )
    with pytest.raises(
        NotApplicable, match=r"must score every segment.*for 1 segment of [\d,]+; the first is segment 1\."
    ):
        few_ratings(holed, "esa", "rating:m")
    few = values.copy()
    few[:, [number for number, name in enumerate(names or ()) if int(name[1:]) > 8]] = np.nan
    ratings = {"esa": Rating(few, True), "m": corpus.ratings["m"]}
    found = few_ratings(Corpus.of(dict.fromkeys("AB"), ratings=ratings, documents=names), "esa", "rating:m")
    assert verdict(found.family[0]).word == "withheld"
    worded(verdict(found.family[0]).withheld_reason or "", "10")
    with pytest.raises(NotApplicable, match="whole test sets"):
        few_ratings(read_sample_rated(), "esa", "bleu")


def read_sample_rated() -> Corpus:
    sample = read_sample()
    values = np.random.default_rng(3).normal(size=(len(sample.systems), len(sample)))
    return Corpus.of(
        {name: sample.outputs[runs[0]] for name, runs in sample.systems.items()}, {"ref": sample.references["ref"]},
        ratings={"esa": Rating(values, higher_is_better=True)}, documents=sample.documents,
    )  # fmt: skip


def test_fewer_ratings_are_needed_with_a_metric_that_explains_them() -> None:
    corpus, inclusion = made(np.random.default_rng(4), r2=0.9, documents=80)
    found = few_ratings(corpus, "esa", "rating:m", inclusion=inclusion)
    assert found.explained > 0.2
    worded(found.sentence)
    alone, assisted = found.needed(0.2, price=0.5)
    assert assisted.documents < alone.documents
    assert assisted.cost == assisted.ratings * 0.5 == assisted.segments
    with pytest.raises(InvalidOption, match="above 0"):
        found.needed(0.0)


def test_what_a_metric_saves_is_not_told_of_too_few_rated_documents() -> None:
    corpus, inclusion = made(np.random.default_rng(4), r2=0.9, documents=9)
    found = few_ratings(corpus, "esa", "rating:m", inclusion=inclusion)
    worded(found.sentence)
    assert [row.with_metric for row in found.needed(0.2)] == [False]
    assert len(needed_ratings_table(found, 0.2, 0.8, None).rows) == 1


def test_a_pilot_that_is_rated_everywhere_tells_what_the_metric_would_save() -> None:
    """With documents of equal length R² is the squared correlation of their means, and 1 − R² is what is left."""
    random = np.random.default_rng(12)
    of_document = random.normal(size=(2, 200, 1))
    truth = of_document + random.normal(size=(2, 200, 3))
    metric = of_document + 0.5 * random.normal(size=(2, 200, 3))
    values = {"esa": truth, "m": metric}
    corpus = Corpus.of(
        dict.fromkeys("AB"), ratings={name: Rating(own.reshape(2, -1), True) for name, own in values.items()},
        documents=[f"d{number // 3}" for number in range(600)],
    )  # fmt: skip
    found = few_ratings(corpus, "esa", "rating:m")
    r2 = np.corrcoef(*((own[0] - own[1]).mean(axis=1) for own in (truth, metric)))[0, 1] ** 2
    adjusted = 1 - (1 - r2) * 199 / 198
    assert found.records[0].r2_adjusted == pytest.approx(adjusted)
    assert found.records[0].weight == 0
    assert not lacking(found.sentence, "few ratings", f"{adjusted:.0%}.")
    alone, assisted = found.needed(0.2, price=2.0)
    assert assisted.ratings / alone.ratings == pytest.approx(1 - adjusted, rel=0.03)
    assert alone.cost == 2 * alone.ratings


def _missed(sets: int, seed: int, **options: Any) -> tuple[int, int, float]:
    """Return how often the 95% intervals miss 0, alone and with the metric, and the gain in variance."""
    random = np.random.default_rng(seed)
    missed, found = np.zeros(2, dtype=int), []
    for _ in range(sets):
        corpus, inclusion = made(random, **options)
        both = few_ratings(corpus, "esa", "rating:m", inclusion=inclusion)
        missed += [int((family.p_value <= 0.05)[0]) for family in (both.alone, both.assisted)]
        found.append([both.alone.difference[0], both.assisted.difference[0]])
    alone, assisted = np.var(found, axis=0)
    print(f"{sets} sets, {options}: intervals miss {missed} of {sets}; gain {alone / assisted:.2f}")
    return int(missed[0]), int(missed[1]), float(alone / assisted)


@sampled("by", ["document", "segment"], most=1)
def test_intervals_hold_with_the_metric_too(by: str) -> None:
    alone, assisted, gain = _missed(80, 5, by=by)
    assert scipy.stats.binom.sf(max(alone, assisted) - 1, 80, 0.06) > 1e-3
    assert gain > 0.9


def test_few_documents_of_small_probability_give_no_verdict_however_many_others_are_rated() -> None:
    random, documents = np.random.default_rng(4), np.repeat(np.arange(60), 4)
    likely = np.where(np.arange(60) < 40, 0.05, 0.9)
    rated = np.isin(documents, [3, 17, *range(40, 58)])
    values = random.normal(size=(2, 240)) + np.array([[1.0], [0.0]])
    ratings = {"esa": Rating(np.where(rated, values, np.nan), True), "m": Rating(values, True)}
    corpus = Corpus.of(dict.fromkeys("AB"), ratings=ratings, documents=[f"d{number}" for number in documents])
    equal = few_ratings(corpus, "esa", "rating:m").alone
    assert (verdict(equal[0]).winner, equal[0].df) == ("A", pytest.approx(19))
    unequal = few_ratings(corpus, "esa", "rating:m", inclusion=likely[documents]).alone
    assert unequal[0].p_value > equal[0].p_value
    assert verdict(unequal[0]).word == "withheld"
    worded(verdict(unequal[0]).withheld_reason, "20 rated", "5 are needed")


@pytest.mark.slow
@pytest.mark.parametrize("by", ["document", "segment", "rare"])
@pytest.mark.parametrize(("r2", "least", "most"), [(0.0, 0.85, 1.1), (0.5, 1.0, 1.9), (0.8, 1.1, 4.0)])
def test_error_rates_of_few_ratings(by: str, r2: float, least: float, most: float) -> None:
    alone, assisted, gain = _missed(2000, 6, by=by, r2=r2)
    for wrong in (alone, assisted):
        assert scipy.stats.binom.sf(wrong - 1, 2000, 0.06) > 1e-4
    assert least < gain < most or by == "rare"  # there a few ratings decide alone what the gain is


def rated_by_eight(random: np.random.Generator, share: float, taste: float) -> Corpus:
    """Return two equal systems in 40 documents, each rated by one of eight raters, who lean and have tastes."""
    documents, raters = np.repeat(np.arange(40), 4), 8
    n = len(documents)
    truth = 0.6 * random.normal(size=(2, 40))[:, documents] + random.normal(size=(2, n))
    tastes, leniency = taste * random.normal(size=(2, raters)), random.normal(size=raters)
    rated, who, given = random.random(n) < share, documents % raters, {}
    for rater in range(raters):
        value = truth + tastes[:, [rater]] + leniency[rater] + 0.3 * random.normal(size=(2, n))
        given[f"r{rater}"] = np.where(rated & (who == rater), value, np.nan)
    esa = Rating(np.where(rated, sum(np.nan_to_num(one) for one in given.values()), np.nan), True,
                 rater_scores=RaterScores.of(given))  # fmt: skip
    metric = Rating(np.sqrt(0.5) * (truth + random.normal(size=(2, n))), True)
    names = [f"d{number}" for number in documents]
    return Corpus.of(dict.fromkeys("AB"), ratings={"esa": esa, "m": metric}, documents=names)


def test_verdicts_of_few_ratings_say_whether_they_hold_for_raters_like_these() -> None:
    whole = rated_by_eight(np.random.default_rng(8), share=1.1, taste=0.5)
    found, known = few_ratings(whole, "esa", "rating:m"), compare_ratings(whole, "esa", within="segment")
    assert known.others is not None
    for family in (found.alone, found.assisted):  # where everything is rated the metric has no weight
        assert isinstance(family, RatedFamily)
        assert family.others is not None
        assert family.others.standard_error == pytest.approx(known.others.standard_error)
        assert family.others.df == pytest.approx(known.others.df)
    assert found.notes[0].about == "raters"
    few, inclusion = made(np.random.default_rng(1))
    assert not any(note.about == "raters" for note in few_ratings(few, "esa", "rating:m", inclusion=inclusion).notes)


def _wrong_over_raters(sets: int) -> tuple[int, int, int, int]:
    """Return how often raters' tastes make one of two equal systems better: alone, with a metric; for others alike."""
    random, wrong = np.random.default_rng(43), np.zeros(4, dtype=int)
    for _ in range(sets):
        found = few_ratings(rated_by_eight(random, share=0.5, taste=0.6), "esa", "rating:m")
        for place, family in enumerate((found.alone, found.assisted)):
            assert isinstance(family, RatedFamily)
            assert family.others is not None
            wrong[[place, place + 2]] += family.p_value[0] <= 0.05, family.others.p_value[0] <= 0.05
    print(f"{sets} sets: {wrong}")
    return tuple(wrong.tolist())


@pytest.mark.slow
@pytest.mark.parametrize("sets", [60, pytest.param(1000, marks=pytest.mark.slow)])
def test_raters_with_tastes_are_no_evidence_for_others_however_few_the_ratings(sets: int) -> None:
    *these, alone, assisted = _wrong_over_raters(sets)
    assert min(these) > 0.08 * sets
    assert scipy.stats.binom.sf(max(alone, assisted) - 1, sets, 0.06) > 1e-3


def test_samples_have_the_probabilities_that_they_name() -> None:
    random = np.random.default_rng(7)
    likely = random.choice([1.0, 3.0], size=30)
    inclusion = probabilities(likely, 20)
    assert inclusion.sum() == pytest.approx(20)
    assert inclusion.max() <= 1
    free = inclusion < 1
    assert inclusion[free] / likely[free] == pytest.approx(np.full(free.sum(), (inclusion[free] / likely[free])[0]))
    hits = np.mean([systematic(inclusion, draw) for draw in (np.arange(4000) + 0.5) / 4000], axis=0)
    assert hits == pytest.approx(inclusion, abs=1e-3)
    assert {int(systematic(inclusion, draw).sum()) for draw in random.random(50)} == {20}


def test_plans_name_what_is_rated_and_come_back_from_pearmut(tmp_path: Path) -> None:
    sample = read_sample()
    plan = plan_sample(sample, 60, "sentchrf", focus=3, seed=3)
    chosen = {row.segment for row in plan.records if row.chosen}
    assert len(chosen) == 60
    assert {row.inclusion for row in plan.records} == {0.15, 0.45}
    by_document = plan_sample(sample, 12, by="document")
    assert len({row.document for row in by_document.records if row.chosen}) == 12
    assert {row.inclusion for row in by_document.records} == {0.6}
    campaign = plan.pearmut(sample)
    random = np.random.default_rng(8)
    entries = [
        {"user_id": f"u{number % 5}", "item_i": number, "item": items, "actions": [],
         "annotation": [{name: {"score": float(random.integers(40, 99)), "error_spans": []} for name in item["tgt"]}
                        for item in items]}
        for number, items in enumerate(campaign["data"])
    ]  # fmt: skip
    outputs = {name: sample.outputs[runs[0]] for name, runs in sample.systems.items()}
    for name, lines in (*outputs.items(), ("ref", sample.references["ref"])):
        place = tmp_path / ("systems" if name in outputs else "")
        place.mkdir(exist_ok=True)
        (place / f"{name}.txt").write_text("\n".join(str(line) for line in lines), encoding="utf-8")
    (tmp_path / "docids.txt").write_text("\n".join(sample.documents or ()), encoding="utf-8")
    (tmp_path / "ratings").mkdir()
    (tmp_path / "ratings" / "annotations.json").write_text(json.dumps({"sample": entries}), encoding="utf-8")
    back = read(tmp_path)
    assert any("texts match" in note.text for note in back.notes)  # joined by ids
    values = back.ratings["esa"].values
    assert {1 + int(place) for place in np.flatnonzero(~np.isnan(values).any(axis=0))} == chosen
    found = few_ratings(back, "esa", "sentchrf", inclusion=[row.inclusion for row in plan.records])
    assert {row.rated_segments for row in found.records} == {60}
    for outputs, why in (
        ({"7": ["a", "b"]}, "cannot be the name of a system"),
        ({"A": ["a", None]}, "A lacks segment 2"),
    ):
        lone = Corpus.of(outputs, {"ref": ["c", "d"]})  # type: ignore[arg-type]
        with pytest.raises(NotApplicable, match=why):
            plan_sample(lone, 2).pearmut(lone)
    with pytest.raises(InvalidOption, match="Choose 1 to 20 documents"):
        plan_sample(sample, 21, by="document")
    with pytest.raises(InvalidOption, match="focus"):
        plan_sample(sample, 5, "sentchrf", focus=0.5)


def test_picking_the_segments_with_the_largest_differences_is_biased_and_a_sample_is_not() -> None:
    """The first system is as good as the second; the metric favours it, most where it differs most."""
    random, picked, sampled = np.random.default_rng(9), [], []
    for _ in range(60):
        truth = random.normal(size=(2, 400))
        metric = truth + 0.7 * random.normal(size=(2, 400)) + np.array([[0.3], [0.0]])
        apart = metric[0] - metric[1]
        top = np.argsort(-np.abs(apart))[:60]
        picked.append((truth[0] - truth[1])[top].mean())
        likely = np.where(np.abs(apart) > np.median(np.abs(apart)), 3.0, 1.0)
        inclusion = probabilities(likely, 60)
        taken = systematic(inclusion, random.random())
        weight = taken / inclusion
        sampled.append(((truth[0] - truth[1]) * weight).sum() / weight.sum())
    error = np.std(sampled) / np.sqrt(60)
    assert abs(np.mean(sampled)) < 4 * error
    assert np.mean(picked) > 4 * np.std(picked) / np.sqrt(60)


@pytest.mark.parametrize("rated", [2, 3, 9])
def test_what_a_metric_is_worth_is_not_told_by_few_ratings(rated: int) -> None:
    random = np.random.default_rng(3)
    metric = random.normal(size=(2, 60))
    human = np.where(np.arange(60) < rated, metric + 0.1 * random.normal(size=(2, 60)), np.nan)
    corpus = Corpus.of(dict.fromkeys("AB"), ratings={"esa": Rating(human, True), "m": Rating(metric, True)})
    assert not lacking(few_ratings(corpus, "esa", "rating:m").sentence, "too few", "m saves")
