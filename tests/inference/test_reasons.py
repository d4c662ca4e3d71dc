"""Every reason that can withhold a verdict: data on which it does, and the step that it names, which leads to one."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from kept import worded
from made import CHINESE, edited_reference, made_corpus, rated

from mtsig import Corpus, Settings, compare_runs, measure, verdict
from mtsig.campaign import Preferences, preferences
from mtsig.collection import Sets
from mtsig.collection import compare as over_sets
from mtsig.collection import measure as measure_sets
from mtsig.inference import Comparison, RunComparison
from mtsig.inference._verdict import REASONS
from mtsig.metrics import METRICS, Statistics
from mtsig.report import comparison_table
from mtsig.report._families import headline_text
from mtsig.report._tables import withheld_text
from mtsig.study import Request, conduct

Judged = Comparison | RunComparison
NOISE = np.random.default_rng(4).normal(size=(4, 240))
TENS = np.repeat(np.arange(24), 10)


def one(statistics: Statistics, **settings: object) -> Comparison:
    return Settings(**{"n_resamples": 1000, **settings}).family(statistics)[0]  # type: ignore[arg-type]


def near(gap: float, size: float = 0.1) -> np.ndarray:
    return np.array([NOISE[0] + gap, NOISE[0] + size * NOISE[1]])


def describes() -> tuple[Judged, Judged]:
    corpus = made_corpus(systems=2)
    return one(measure(corpus, "ratio")), one(measure(corpus, "bleu"))


def few_documents() -> tuple[Judged, Judged]:
    """Of 24 documents, one system has 6."""
    statistics = rated(near(1.0), documents=TENS)
    available = np.ones((2, 240), dtype=bool)
    available[1, 60:] = False
    statistics = replace(statistics, values=np.where(available, statistics.values, 0), available=available)
    return one(statistics), one(statistics, unit="segment")


def few_rated() -> tuple[Judged, Judged]:
    """Judgements of 6 documents, then of 24."""
    rows = [
        {"item": str(i), "document": str(i // 10), "first": "A", "second": "B", "outcome": outcome, "ordered": False}
        for i, outcome in enumerate(np.sign(NOISE[0] + 0.5).tolist())
    ]
    few, more = (preferences(Preferences.of(some)).study.comparisons[0] for some in (rows[:60], rows))
    return few, more


def few_answers() -> tuple[Judged, Judged]:
    """Of ten samples of one system a few are wrong; the other has one output, and then ten, and none is wrong."""
    x, found = np.ones((10, 240)), []
    x[0, ::8] = 0
    for several in (1, 10):
        names = [f"{system}{i}" for system, count in (("x", 10), ("y", several)) for i in range(count)]
        samples = {system: [name for name in names if name[0] == system] for system in "xy"}
        found.append(one(rated(np.vstack([x, np.ones((several, 240))]), names).over_samples(samples)))
    return found[0], found[1]


def text_without_spaces() -> tuple[Judged, Judged]:
    lines = CHINESE["ref"]
    worse = [line[: len(line) // 2] if i % 2 else line for i, line in enumerate(lines)]
    corpus = Corpus.of({"A": [*lines[:-1], lines[-1][:-2]], "B": worse}, {"ref": lines})
    return one(measure(corpus, "ter")), one(measure(corpus, "chrf"))


def unequal_documents() -> tuple[Judged, Judged]:
    statistics = rated(near(1.0), documents=np.maximum(np.arange(240) - 215, 0))
    return one(statistics), one(statistics, unit="segment")


def unequal_blocks() -> tuple[Judged, Judged]:
    """Of three systems one lacks most, in the middle: its blocks are unlike, its documents are not."""
    scores, available = NOISE[:3] + np.array([[1.0], [0.5], [0.0]]), np.ones((3, 240), dtype=bool)
    available[2, 66:234] = False
    without, known = (
        replace(counted, values=np.where(available, counted.values, 0), available=available)
        for counted in (rated(scores), rated(scores, documents=np.repeat(np.arange(120), 2)))
    )
    return Settings(unit="block", n_resamples=1000).family(without)[-1], Settings(n_resamples=1000).family(known)[-1]


def no_match() -> tuple[Judged, Judged]:
    """Without document ids, on blocks that are too few to hold the match that an empty output lacks."""
    corpus = made_corpus(n=240, systems=1, documents=0)
    corpus = Corpus.of({"full": corpus.lines("sys0"), "empty": [""] * 240}, corpus.references)
    return tuple(one(measure(corpus, name), unit="block") for name in ("bleu", "sentchrf"))  # type: ignore[return-value]


def reference() -> tuple[Judged, Judged]:
    corpus = edited_reference()
    pair = [next((name, "kin") for name in corpus.systems if name != "kin")]
    return tuple(  # type: ignore[return-value]
        Settings(n_resamples=1000).family(measure(corpus.select(references=[name]), "bleu"), pair)[0] for name in "BA"
    )


def misaligned() -> tuple[Judged, Judged]:
    """A line is missing in the middle of one system, so that those behind it belong to other segments."""
    corpus = made_corpus(n=240, systems=2, documents=24)
    lines = list(corpus.lines("sys1"))
    shifted = replace(corpus, outputs={**corpus.outputs, "sys1": (*lines[:100], *lines[101:], "")})
    request = Request((METRICS["chrf"],), Settings(n_resamples=1000))
    return tuple(conduct(one, request).results[0].compared[0] for one in (shifted, corpus))  # type: ignore[return-value]


def mixed_units() -> tuple[Judged, Judged]:
    corpora = {name: made_corpus(n=240, systems=2, documents=k, of=name) for name, k in (("a", 24), ("b", 3))}
    both, alone = (
        over_sets(measure_sets(Sets(some), "chrf"), Settings(n_resamples=1000))
        for some in (corpora, {"a": corpora["a"]})
    )
    assert both.averages is not None
    return both.averages[0], alone.families["a"][0]


def in_runs() -> Statistics:
    scores = NOISE[0] + np.array([[3.0], [3.1], [0.0], [0.1]]) + 0.2 * NOISE
    return rated(scores, ["X.run1", "X.run2", "Y.run1", "Y.run2"])


def one_unit() -> tuple[Judged, Judged]:
    whole = in_runs()
    alone = rated(whole.segment_scores[:, :1], whole.systems)
    return compare_runs(alone, "X", "Y"), compare_runs(whole, "X", "Y")


def copies() -> tuple[Judged, Judged]:
    whole = in_runs()
    copied = replace(whole, values=whole.values[:, [0, 0, 2, 3, 1]], systems=(*whole.systems, "X.run3"))
    without = {"X": ["X.run1", "X.run3"], "Y": ["Y.run1", "Y.run2"]}
    return compare_runs(copied, "X", "Y"), compare_runs(copied, "X", "Y", without)


def of_an_earlier_version() -> tuple[Judged, Judged]:
    found, led_to = no_match()
    assert isinstance(found, Comparison)
    return replace(found, data_caveat_id=""), led_to


def no_p() -> tuple[Judged, Judged]:
    """Of systems that are apart by the same in every block, the jackknife sees no spread."""
    scores = np.round(10 * NOISE[0])
    statistics = rated([scores + 1, scores])
    return one(statistics, unit="block"), one(statistics, unit="segment")


def few_differ() -> tuple[Judged, Judged]:
    statistics = rated(near(0.0, 0.0) + np.array([[1.0], [0.0]]) * (np.arange(240) < 70), documents=TENS)
    return one(statistics), one(statistics, test="ar")


def not_settled() -> tuple[Judged, Judged]:
    statistics = rated(near(0.014))
    found = one(statistics, unit="segment", n_resamples=100)
    word, draws = verdict(found).flags.split()
    assert word == "--resamples"
    return found, one(statistics, unit="segment", n_resamples=int(draws))


def not_confirmed() -> tuple[Judged, Judged]:
    found, led_to = no_match()
    assert isinstance(found, Comparison)
    numbers = dict.fromkeys(
        ("p_value", "p_mc_low", "p_mc_high", "p_adjusted", "p_adjusted_mc_low", "p_adjusted_mc_high"), 0.001
    )
    return replace(found, data_caveat="", data_caveat_id="", p_jackknife=0.2, **numbers), led_to


FOUND: dict[str, Callable[[], tuple[Judged, Judged]]] = {
    "describes": describes,
    "few documents": few_documents,
    "few rated": few_rated,
    "few answers": few_answers,
    "text": text_without_spaces,
    "unequal documents": unequal_documents,
    "unequal blocks": unequal_blocks,
    "no match": no_match,
    "misaligned": misaligned,
    "reference": reference,
    "mixed units": mixed_units,
    "one unit": one_unit,
    "copies": copies,
    "data": of_an_earlier_version,
    "no p": no_p,
    "few differ": few_differ,
    "not settled": not_settled,
    "not confirmed": not_confirmed,
}


def test_every_reason_is_found_here() -> None:
    assert list(FOUND) == list(REASONS)


@pytest.mark.parametrize("name", FOUND)
def test_a_reason_withholds_and_its_step_leads_to_a_verdict(name: str) -> None:
    withheld, led_to = FOUND[name]()
    decided = verdict(withheld)
    assert (decided.word, decided.withheld) == ("withheld", name)
    assert decided.withheld_reason
    assert decided.step
    assert decided.flags
    assert verdict(led_to).withheld is None


def test_a_headline_tells_withheld_verdicts_from_those_not_significant() -> None:
    full = made_corpus(n=240, systems=2, documents=0)
    near_full = [line if i % 80 else "w1 w2" for i, line in enumerate(full.lines("sys0"))]
    outputs = {"full": full.lines("sys0"), "near": near_full, "empty": [""] * 240, "odd": ["xyz"] * 240}
    statistics = measure(Corpus.of(outputs, full.references), "bleu")
    settings = Settings(unit="block", n_resamples=1000)
    family = settings.family(statistics)
    words = {name: verdict(family.pair("full", name) or family[0]).word for name in ("near", "empty", "odd")}
    assert words == {"near": "not_significant", "empty": "withheld", "odd": "withheld"}
    worded(headline_text([family]), "BLEU")
    alone = settings.family(statistics, [("full", "empty")])
    worded(headline_text([alone]), "BLEU", "'empty'")
    told = withheld_text(family, 1)
    assert told.startswith("Withheld: ")
    assert told.count("such as sentchrf") == 1
    worded(told, "4 others", "5")
    kinds = [
        "reference" if pair == ("full", "odd") else "no match" for pair in zip(family.first, family.second, strict=True)
    ]
    worded(withheld_text(family.changed(data_caveat_id=kinds), 1), "1 more")


def test_it_is_not_the_only_reference_where_a_system_has_text_of_all() -> None:
    corpus = made_corpus(n=60, systems=3, references=2)
    mixed = [corpus.references[f"ref{i % 2}"][i] or "" for i in range(60)]
    outputs = {**{name: corpus.lines(name) for name in corpus.systems}, "mixed": mixed}
    several = measure(Corpus.of(outputs, corpus.references), "bleu")
    told = [note.text for note in several.notes if "'mixed'" in note.text]
    assert told
    worded(told)


def test_where_no_interval_agrees_with_a_verdict_the_pairs_own_is_shown() -> None:
    koehn = Settings(test="bootstrap-koehn", interval="jackknife", n_resamples=1000).family(
        rated(near(1.0)), [("A", "B")]
    )
    assert "95% CI" in comparison_table(koehn).header


@pytest.mark.parametrize("correction", ["tukey", "scheffe", "nemenyi"])
def test_no_pair_is_judged_at_more_than_alpha_for_p_values_of_another_test(correction: str) -> None:
    scores = NOISE + np.array([[0.3], [0.2], [0.1], [0.0]])
    family = Settings(test="sign", correction=correction, unit="segment", n_resamples=500).family(rated(scores))
    assert any(each.p_adjusted < each.p_value for each in family)
    for each in family:
        assert each.adjusted_level >= 1 - max(each.alpha, each.p_value) - 1e-12
        left_out = each.adjusted_ci_low > 0 or each.adjusted_ci_high < 0
        assert left_out == (each.p_adjusted <= each.alpha) or each.p_value == pytest.approx(1 - each.adjusted_level)
