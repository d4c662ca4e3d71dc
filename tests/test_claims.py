"""The 20 claims that must never be made, each with what prevents it or records it.

What no program can prevent (choosing after looking, drawing until significant) is recorded: the result says what was
chosen, so that a reader can ask. The pages have a table of their own in tests/dashboard.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest
from made import made_corpus, made_ratings, made_statistics, rated

import mtsig
from mtsig import (
    Corpus,
    Rating,
    Settings,
    adjust,
    audit,
    compare_runs,
    interval,
    measure,
    power_analysis,
    ranks,
    verdict,
)
from mtsig._options import options
from mtsig._say import attainable_text, say
from mtsig.corpus import inspect
from mtsig.corpus._notes import runs_by_name, single_runs_text
from mtsig.errors import NotApplicable
from mtsig.inference import CORRECTIONS, INTERVALS, TESTS, Audit, Comparison, Intervals, compare, p_text
from mtsig.meta_eval import RatedData, meta_eval
from mtsig.metrics import Statistics
from mtsig.report import comparison_table, score_table, verdict_text
from mtsig.report._diagnostics import audit_table, audit_text, power_table, runs_table
from mtsig.report._families import (
    counts_text,
    family_text,
    headline_text,
    lede_text,
    method_text,
    people_text,
    ranking_text,
    ranks_text,
    title_text,
)
from mtsig.report._meta_eval import trust_table
from mtsig.report._tables import ranks_table

QUICK = Settings(n_resamples=300)


@dataclass(frozen=True)
class Claim:
    """A claim in short, whether it is prevented or recorded, and by what; `shown` holds the test."""

    number: int
    claim: str
    way: str
    by: str
    shown: Callable[[], None]


def words_of(statistics: Statistics, settings: Settings = QUICK) -> str:
    """Return every sentence, label and table that the program has for these statistics, as one text."""
    family = settings.family(statistics)
    scored = settings.intervals(statistics)
    first, second = statistics.systems[:2]
    seen = audit(statistics, first, second, settings)
    texts = [verdict_text(one) for one in family]
    texts += [
        family_text(family),
        method_text(family),
        ranking_text(scored),
        headline_text([family]),
        people_text(family),
        title_text([family]),
        lede_text(family),
        counts_text([family]),
    ]
    texts += [audit_text(seen)]
    tables = [score_table(scored), comparison_table(family), audit_table(seen)]
    if settings.test != "bootstrap-koehn":
        found = ranks(family)
        texts.append(ranks_text(found))
        tables.append(ranks_table(found))
    for table in tables:
        texts += [table.caption, *table.header, *(cell for row in table.texts for cell in row)]
    return "\n".join(texts)


def labels() -> str:
    """Return what the program says about its methods: names, labels, one-sentence descriptions, help."""
    found = [vars(type(one)).get(name, "") or getattr(one, name, "") for one in TESTS.values()
             for name in ("label", "about", "estimand", "assumes", "differs")]  # fmt: skip
    found += [text for one in INTERVALS.values() for text in (one.label, one.about)]
    found += [text for one in CORRECTIONS.values() for text in (one.label, one.controls)]
    found += [text for one in options(Settings) for text in (one.label, one.help)]
    return "\n".join(str(text) for text in found)


@cache
def everything() -> str:
    wins = replace(QUICK, test="bootstrap-koehn")
    return "\n".join(
        [labels(), words_of(made_statistics()), words_of(made_statistics(), wins), words_of(made_ratings())]
    )


def comparison(**changes: object) -> Comparison:
    one = QUICK.family(made_statistics())[0]
    given = {
        "difference": 0.4, "ci_low": -0.1, "ci_high": 0.9, "p_value": 0.1, "p_mc_low": 0.09, "p_mc_high": 0.11,
        "p_adjusted": 0.3, "p_adjusted_mc_low": 0.29, "p_adjusted_mc_high": 0.31,
    }  # fmt: skip
    return replace(one, **given | changes)


def win_rates_have_no_p() -> None:
    family = replace(QUICK, test="bootstrap-koehn").family(made_statistics())
    assert np.isnan(family.p_value).all()
    text = " ".join(verdict_text(one) for one in family)
    assert not re.search(r"\bp [=<]|p-value", text.replace("not a p-value", ""))
    assert "Koehn's criterion: 95%" in text
    assert "one-sided" in TESTS["bootstrap-koehn"].differs
    clear = replace(QUICK, test="bootstrap-koehn").family(rated([np.zeros(60), np.arange(60.0)]))
    assert "in 10 to 15 of 100 cases" in verdict_text(clear[0])


def sacrebleus_p_is_labelled() -> None:
    for name in ("sacrebleu-bs", "bootstrap-rm2005"):
        one = TESTS[name]
        assert one.printed_only
        assert "as printed" in one.label
        assert "half" in one.differs
    family = compare(made_statistics(), "sacrebleu-bs")
    assert TESTS["sacrebleu-bs"].label in method_text(family)
    found = audit(made_statistics(), "sys0", "sys1", QUICK)
    own = [one for one in found if one.significant is not None and one.counts]
    assert str(len(own)) in audit_text(found)  # they have no vote


def overlap_decides_nothing() -> None:
    # Single intervals overlap widely, the paired difference is clear: the verdict looks at the pair alone.
    rng = np.random.default_rng(1)
    base = rng.normal(50, 20, 200)
    statistics = rated([base, base + rng.normal(1, 1, 200)])
    single, (one,) = QUICK.intervals(statistics), QUICK.family(statistics)
    assert single.ci_low[1] < single.ci_high[0]
    assert verdict(one).winner == "B"
    assert "overlap" not in everything().lower()


def not_separated_is_not_equal() -> None:
    text = verdict_text(comparison())
    assert "is not significant: " in text
    assert "does not show that they are equal" in text
    runs = say(compare_runs(with_runs(), "X", "Y"))
    assert "significantly better than" in runs or "does not show that they are equal" in runs
    assert not re.search(
        r"\b(are|is) (the same|equally good|equal)\b",
        re.sub("(evidence|not show) that they are equal", "", everything()),
    )


def p_is_no_probability_of_a_hypothesis() -> None:
    assert not re.search(
        r"probabilit|chance that|due to chance|by chance|null hypothesis is|likely", everything(), re.I
    )


def significant_is_not_large() -> None:
    p = dict.fromkeys(
        ("p_value", "p_mc_low", "p_mc_high", "p_adjusted", "p_adjusted_mc_low", "p_adjusted_mc_high"), 1e-4
    )
    tiny = comparison(difference=0.01, ci_low=0.005, ci_high=0.015, **p)
    text = verdict_text(tiny)
    assert "on BLEU: by 0.01" in text  # the size stands beside every "better", in the metric's own points
    family = QUICK.family(rated(np.random.default_rng(1).normal([[50.0], [52.0], [54.0]], 3, (3, 200))))
    assert {verdict(one).word for one in family} == {"better"}
    for one in family:
        assert f"on rated: by {abs(one.difference):.2f}" in verdict_text(one)
    assert "Δ rated" in comparison_table(family).header
    assert not re.search(
        r"large (gain|effect|improve)|substantial|notabl|noticeabl|perceptib|human(?! scores)|dramatic|important",
        everything(),
        re.I,
    )


def shares_of_wins_are_descriptions() -> None:
    found = ranks(QUICK.family(made_statistics()))
    assert "ranked first" in ranks_table(found).header
    assert "bootstrap win rate" in comparison_table(QUICK.family(made_statistics())).header
    assert not re.search(r"probab|posterior|P\(", everything())
    assert TESTS["bootstrap-koehn"].differs.startswith("Not a p-value")


def several_pairs_are_corrected() -> None:
    assert [Settings().resolved(unit).correction for unit in ("segment", "document")] == ["minp", "holm"]
    family = QUICK.family(made_statistics())
    for one in family:
        assert re.search(rf"adjusted p [=<] \S+, {len(family)} comparisons", verdict_text(one))
    for one in adjust(family, "none"):
        assert "not corrected for 6 comparisons" in verdict_text(one)
    assert "Not corrected for other comparisons" in audit_table(audit(made_statistics(), "sys0", "sys1", QUICK)).caption
    joined = QUICK.families([made_statistics(), made_ratings(n=200)], joined=True)
    assert {one.family_size for family in joined for one in family} == {12}
    assert "*" not in "".join(cell for row in comparison_table(family).texts for cell in row)


def what_was_chosen_is_recorded() -> None:
    corpus = made_corpus()
    statistics = measure(corpus, "bleu")
    chosen = Settings(test="ij-t", n_resamples=777, seed=99, correction="holm")
    used = mtsig.compare(corpus, settings=chosen).settings.row()
    assert {name: used[name] for name in ("test", "n_resamples", "seed", "correction")} == {
        "test": "ij-t", "n_resamples": 777, "seed": 99, "correction": "holm",
    }  # fmt: skip
    assert "777 resamples, seed 99" in method_text(replace(chosen, test="ar", unit="segment").family(statistics))
    # Near alpha the program asks for more draws by itself, in either direction, before it says anything.
    near = comparison(p_value=0.01, p_adjusted=0.049, p_adjusted_mc_low=0.045, p_adjusted_mc_high=0.053, ci_low=0.1)
    assert verdict(near).word == "withheld"
    assert "choose one in advance" in audit_text(disagreeing())


def disagreeing() -> Audit:
    found = audit(made_statistics(), "sys0", "sys1", QUICK)
    rows = [
        replace(one, verdict=("better", "not_significant")[i % 2]) if one.has_p else one for i, one in enumerate(found)
    ]
    return replace(found, audited=tuple(rows))


def alpha_is_no_share_of_wrong_conclusions() -> None:
    assert not re.search(r"1 in 20|one in twenty|of (all )?conclusions|wrong conclusions", everything(), re.I)
    assert CORRECTIONS["bh"].controls == CORRECTIONS["by"].controls == "share of false claims"
    assert all(one.controls != "share of false claims" for name, one in CORRECTIONS.items() if name not in {"bh", "by"})
    family = adjust(QUICK.family(made_statistics()), "bh")
    assert "false discovery rate" in method_text(family)
    assert "nominal false discovery rate 0.05 (for screening)" in method_text(family)
    assert "nominal family-wise error rate 0.05" in method_text(adjust(family, "holm"))


def coverage_is_claimed_of_the_procedure() -> None:
    the_level_is_the_procedures()
    assert not re.search(r"conservative(?! anti)", everything().replace("anti-conservative", ""), re.I)
    assert not re.search(r"true score (lies|is)|contains the true|95% (sure|certain|confident)", everything(), re.I)


def the_level_is_the_procedures() -> None:
    assert "The procedure that makes an interval covers the true score in a share" in str(Intervals.__doc__)
    for one in INTERVALS.values():
        assert one.about.strip()
    assert "95% CI" in score_table(interval(made_statistics())).header


def relative_widths_are_not_compared_across_metrics() -> None:
    many = [interval(made_statistics()), interval(made_ratings())]
    assert all("%" not in cell for one in many for row in score_table(one).texts for cell in row)
    assert not re.search(r"sensitiv|discriminati", everything(), re.I)


def the_unit_is_always_said() -> None:
    by_documents = measure(made_corpus(n=120, documents=24), "bleu")
    family, scored = QUICK.family(by_documents), QUICK.intervals(by_documents)
    assert "over documents" in method_text(family)
    assert "24 documents" in score_table(scored).caption
    assert "over segments" in method_text(replace(QUICK, unit="segment").family(by_documents))
    few = made_corpus(n=60, documents=5)
    assert any("too few for document-level" in note.text for note in inspect(few))
    with pytest.raises(NotApplicable, match="too few"):
        replace(QUICK, unit="document").family(measure(few, "bleu"))


def with_runs() -> Statistics:
    scores = np.random.default_rng(3).normal(50, 5, (6, 100))
    return rated(scores, [f"{s}.run{r}" for s in "XY" for r in range(3)])


def best_runs_are_warned_against() -> None:
    found = compare_runs(with_runs(), "X", "Y")
    assert "Do not compare each system's best run" in runs_table(found).caption
    corpus = made_corpus(systems=4)
    named = dict(zip(["X.run0", "X.run1", "Y.run0", "Y.run1"], corpus.outputs.values(), strict=True))
    corpus = Corpus.of(named, corpus.references)
    notes = mtsig.compare(corpus, settings=QUICK).notes
    assert any("best of several runs inflates its score" in note for note in notes)
    assert single_runs_text(runs_by_name(["X", "Y"])) is None
    means = with_runs().scores.reshape(2, 3).mean(axis=1)
    assert found.difference == pytest.approx(means[0] - means[1])  # of means, not of the best
    with pytest.raises(NotApplicable, match="only one run"):
        compare_runs(with_runs(), "X", "Y", {"X": ["X.run0"], "Y": ["Y.run0"]})


def p_has_a_floor() -> None:
    for p in (0.0, 1e-12, 2.0**-40):
        assert p_text(p) == "p < .0001"
    apart = rated(np.random.default_rng(1).normal([[0.0], [9.0]], 1, (2, 100)))
    assert QUICK.family(apart).p_value[0] == 1 / 301
    twins = Corpus.of({"a": ["x y z w v"] * 9, "b": ["x y z w v"] * 9}, {"r": ["x y z w u"] * 9})
    (one,) = QUICK.family(measure(twins, "chrf"))
    assert one.p_value == 1
    assert "same statistics in every segment" in verdict_text(one)
    assert "p is at least 0.25" in str(attainable_text(replace(one, n_differing=3)))


def power_is_not_of_the_observed_difference() -> None:
    statistics = made_statistics(systems=2)
    caption = power_table(power_analysis(statistics, "sys0", "sys1", 0.5)).caption
    assert "chosen in advance" in caption
    assert "would only restate its p-value" in caption
    # The observed difference does not enter: moved by ten points, the power stays.
    scores = np.random.default_rng(4).normal(50, 5, (2, 100))
    apart = np.array([[10.0], [0.0]])
    one, other = (power_analysis(rated(ratings), "A", "B", 1.0).power for ratings in (scores, scores + apart))
    assert one is not None
    assert other is not None
    assert one.power == pytest.approx(other.power, abs=0.002)
    assert "observed power" not in everything().lower()


def scores_of_other_sets_do_not_meet() -> None:
    # Every score carries the signature of its metric and references; one run holds one test set, named by its digest.
    corpus = made_corpus()
    signatures = {measure(corpus, name).signature for name in ("bleu", "bleu:tokenize=char", "bleu:lowercase=true")}
    assert len(signatures) == 3
    family = QUICK.family(measure(corpus, "bleu"))
    assert measure(corpus, "bleu").signature in comparison_table(family).caption
    shorter = corpus.take(list(range(30)))
    assert shorter.digest != corpus.digest
    assert mtsig.compare(corpus, settings=QUICK).data.digest == corpus.digest


def not_separated_is_not_transitive() -> None:
    family = QUICK.family(made_statistics(systems=3))
    p = np.array([0.5, 0.001, 0.5])
    found = ranks(family.changed(p_adjusted=p, difference=np.array([0.1, 0.3, 0.2])))
    assert found.rank_high.tolist() != found.rank_low.tolist()  # sets of places, and no letters or groups of equals
    assert set(found.cluster) == {1}  # a cut needs every pair across it
    assert not re.search(r"≈|group of equal|tied with|equivalence class", everything())


def no_bare_correlation() -> None:
    rng = np.random.default_rng(7)
    people = rng.normal(size=(7, 60)) + np.arange(7)[:, None]
    near = people + rng.normal(size=people.shape)
    scores = {name: Rating(values, higher_is_better=True) for name, values in (("people", people), ("near", near))}
    rated = RatedData.of(Corpus.of(dict.fromkeys("ABCDEFG"), ratings=scores), "rating:people", ["rating:near"])
    found = meta_eval(rated, ["pearson"], settings=QUICK)
    (row,) = found.rows()
    assert row["systems"] == 7
    assert row["ci_low"] < row["value"] < row["ci_high"]
    assert row["loo_low"] <= row["loo_high"]
    shown = trust_table(found)
    assert {"95% CI", "without one system"} <= set(shown.header)
    assert "on 7 systems" in shown.caption
    # And where nobody asked for one, none is made.
    assert not [key for key in QUICK.family(made_statistics()).rows()[0] if re.search(r"correl|tau|rho|human", key)]


def assumptions_stand_beside_every_method() -> None:
    for one in TESTS.values():
        assert one.assumes.strip()
    assert "assumption-free" not in everything()
    assert not re.search(r"(needs|makes|without) (no|any) assumption", everything(), re.I)
    found = audit(made_statistics(), "sys0", "sys1", QUICK)
    assert all(row["assumes"] for row in found.rows())


CLAIMS = [
    Claim(1, "95% of resamples better = p < .05", "prevented", "bootstrap-koehn has no p", win_rates_have_no_p),
    Claim(2, "sacreBLEU's p is two-sided", "prevented", "its label, and no vote", sacrebleus_p_is_labelled),
    Claim(3, "intervals overlap, so no difference", "prevented", "only pairs are judged", overlap_decides_nothing),
    Claim(4, "not significant, so equal", "prevented", "the sentence, and TOST", not_separated_is_not_equal),
    Claim(5, "p = P(H0)", "prevented", "no sentence says so", p_is_no_probability_of_a_hypothesis),
    Claim(6, "significant = large", "prevented", "the difference in every sentence", significant_is_not_large),
    Claim(7, "win rate = posterior", "prevented", "named shares of redraws", shares_of_wins_are_descriptions),
    Claim(8, "an uncorrected star", "prevented", "min-P by default, 'of m'", several_pairs_are_corrected),
    Claim(9, "test or draws changed after looking", "recorded", "the bundle's settings", what_was_chosen_is_recorded),
    Claim(10, "1 in 20 conclusions is wrong", "prevented", "FDR is labelled", alpha_is_no_share_of_wrong_conclusions),
    Claim(11, "97 of 100 covered: conservative", "prevented", "no such words", coverage_is_claimed_of_the_procedure),
    Claim(12, "relative widths as sensitivity", "prevented", "none", relative_widths_are_not_compared_across_metrics),
    Claim(13, "segments of sampled documents", "prevented", "the unit in every caption", the_unit_is_always_said),
    Claim(14, "best seed against best seed", "prevented", "means of runs, a warning", best_runs_are_warned_against),
    Claim(15, "p below 1/(R + 1)", "prevented", "the printed p, and ≥", p_has_a_floor),
    Claim(16, "observed power", "prevented", "a difference must be given", power_is_not_of_the_observed_difference),
    Claim(17, "scores of other sets", "recorded", "signature and digest", scores_of_other_sets_do_not_meet),
    Claim(18, "not significant is transitive", "prevented", "rank sets", not_separated_is_not_transitive),
    Claim(19, "a correlation of 7 systems", "prevented", "its range and interval", no_bare_correlation),
    Claim(20, "the bootstrap assumes nothing", "prevented", "assumes", assumptions_stand_beside_every_method),
]


def test_all_twenty_claims_are_in_the_table() -> None:
    assert [one.number for one in CLAIMS] == list(range(1, 21))
    assert {one.way for one in CLAIMS} == {"prevented", "recorded"}
    assert len({one.shown for one in CLAIMS}) == 20


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda one: f"{one.number} {one.claim}")
def test_the_claim_cannot_be_read_off(claim: Claim) -> None:
    claim.shown()
