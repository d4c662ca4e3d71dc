"""The sentences and tables of the auditor, ranks, documents, runs, power and equivalence, and their bundles."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from kept import Kept, lacking, worded
from made import made_corpus, made_ratings, made_statistics, rated

from mtsig import Corpus, Settings, audit, compare_runs, measure, metric, power_analysis, ranks
from mtsig import ranks as ranks_of
from mtsig._say import equivalence_text, say, short_p_text
from mtsig.inference import CORRECTIONS, block_scan, compare, equivalence, non_inferiority, p_text
from mtsig.inference._dependence import dependence
from mtsig.metrics import Statistics
from mtsig.report import Table, comparison_table, verdict_text
from mtsig.report._diagnostics import (
    audit_bundle,
    audit_table,
    audit_text,
    block_table,
    dependence_text,
    power_bundle,
    power_table,
    runs_bundle,
    runs_table,
)
from mtsig.report._families import family_text, method_text, ranks_text
from mtsig.report._paper import paper_tables, terminal_tables
from mtsig.report._tables import ranks_table
from mtsig.study import Request, conduct
from mtsig.study._run import record

QUICK = Settings(n_resamples=300)


def well_formed(table: Table, rows: int | None = None) -> None:
    assert table.caption.strip()
    assert table.rows
    for row in table.texts:
        assert len(row) == len(table.header) == len(table.columns)
        assert all(isinstance(cell, str) for cell in row)
        assert not any(re.search(r"\b(nan|None|inf)\b", cell) for cell in row)
    if rows is not None:
        assert len(table.rows) == rows


def plain_json(bundle: dict[str, object]) -> None:
    """Assert that a bundle is plain JSON: no NaN, nothing that json does not know."""
    assert json.loads(json.dumps(bundle, allow_nan=False)) == bundle
    assert {"schema", "mtsig", "settings", "data", "notes"} <= set(bundle)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return made_corpus(n=60, systems=4, documents=12)


@pytest.fixture(scope="module")
def bleu(corpus: Corpus) -> Statistics:
    return measure(corpus, "bleu")


# --- the auditor --------------------------------------------------------------------------------------------


def test_the_audit_says_how_many_tests_agree(kept: Kept) -> None:
    same = audit(made_statistics(systems=2), "sys0", "sys1", QUICK)
    own = [one for one in same if one.has_p and not one.printed_only]
    yes, open_still = (sum(one.verdict == word for one in own) for word in ("better", "withheld"))
    text = audit_text(same)
    agree = not open_still and yes in (0, len(own))
    assert f"{'All' if yes else 'None'} of {len(own)} tests" in text if agree else f"{yes} of {len(own)} tests" in text
    apart = audit(rated(np.random.default_rng(1).normal([[0.0], [2.0]], 1, (2, 80)), ["a", "b"]), "a", "b", QUICK)
    assert audit_text(apart).startswith("All of ")
    assert not lacking(audit_text(apart), "a and b", "one comparison")
    kept("say", audit_text(apart))


def test_tests_that_disagree_are_no_menu() -> None:
    found = audit(made_ratings(systems=2), "sys0", "sys1", QUICK)
    rows = [
        replace(one, verdict=("better", "not_significant")[i % 2]) if one.has_p else one for i, one in enumerate(found)
    ]
    text = audit_text(replace(found, audited=tuple(rows)))
    assert "in advance" in text


def test_undecided_tests_do_not_separate_and_say_why_where_it_is_one_reason() -> None:
    found = audit(made_ratings(systems=2), "sys0", "sys1", QUICK)
    rows = [
        replace(one, significant=True, verdict="withheld", withheld_reason="so few") if one.has_p else one
        for one in found
    ]
    said = audit_text(replace(found, audited=tuple(rows)))
    assert not lacking(said, "None of 10", "sys0 and sys1")
    assert said.endswith("withheld: so few.")
    some = [replace(one, verdict="better") if one.test == "ar" else one for one in rows]
    assert "1 of 10" in audit_text(replace(found, audited=tuple(some)))
    other = [replace(one, withheld_reason="another") if one.test == "ar" else one for one in rows]
    assert audit_text(replace(found, audited=tuple(other))).endswith("All are withheld.")


def test_the_audit_table_holds_every_row_and_labels_it(bleu: Statistics) -> None:
    found = audit(bleu, "sys0", "sys2", QUICK)
    table = audit_table(found)
    well_formed(table, len(found.audited))
    assert "Not corrected" in table.caption
    for row, one in zip(table.texts, found, strict=True):
        assert row[:2] == (one.test, one.unit)
        assert row[-1] in (one.problem, one.differs)
        if one.test == "bootstrap-koehn":
            assert row[2].endswith("% won")
        elif one.problem is None:
            assert row[2].split(" exact")[0] == p_text(one.p_value).removeprefix("p = ").removeprefix("p ")
    said = " ".join(row[-1] for row in table.texts)
    for piece in ("anti-conservative", "Not a p-value", "> instead of ≥", "sentBLEU"):
        assert piece in said


def test_a_test_that_found_no_p_is_not_given_a_win_rate_instead() -> None:
    values = made_statistics(n=60, systems=2).values.copy()
    values[5, 1] = 0  # no four-gram matches: ij-t has no p
    found = audit(replace(made_statistics(n=60, systems=2), values=values), "sys0", "sys1", QUICK)
    row = next(row for row in audit_table(found).texts if row[0] == "ij-t")
    assert "won" not in row[2]


def test_the_audit_bundle(corpus: Corpus, bleu: Statistics) -> None:
    found = audit(bleu, "sys0", "sys2", QUICK)
    bundle = audit_bundle(corpus, QUICK, [found])
    plain_json(bundle)
    assert len(bundle["tests"]) == len(found.audited)
    for row in bundle["tests"]:
        assert {"test", "unit", "p_value", "p_mc_low", "p_mc_high", "ci_low", "ci_high", "estimand", "assumes",
                "differs", "printed_only", "problem", "signature"} <= set(row)  # fmt: skip


# --- ranks --------------------------------------------------------------------------------------------------


def test_ranks_say_who_could_be_the_best(kept: Kept) -> None:
    family = QUICK.family(made_statistics(n=200, systems=5))
    found = ranks(family)
    text = ranks_text(found)
    for name in found.best:
        assert name in text
    for name in set(found.systems) - set(found.best):
        assert name not in text
    assert "10 comparisons" in text
    alone = found.changed(could_be_best=[True, False, False, False, False])
    assert not lacking(ranks_text(alone), "Every system except", f" {found.systems[0]} is")
    kept("say", ranks_text(alone))
    table = ranks_table(found)
    well_formed(table, 5)
    assert [row[0] for row in table.texts] == list(found.systems)
    assert "probab" not in " ".join(table.header) + table.caption


def test_uncorrected_ranks_are_not_sold_as_corrected() -> None:
    found = ranks(replace(QUICK, correction="none").family(made_statistics(n=200, systems=5)))
    assert "not corrected" in ranks_text(found)


# --- documents ----------------------------------------------------------------------------------------------


def test_dependence_is_said_in_segments_worth(bleu: Statistics, kept: Kept) -> None:
    found = dependence(bleu, "sys0", "sys1")
    text = dependence_text(found)
    assert not lacking(
        text, "sys0 − sys1", "60 segments", "12 documents", f"{found.effective_segments:.0f} independent"
    )
    kept("say", text)
    assert p_text(found.p_value) in text


# --- runs ---------------------------------------------------------------------------------------------------


def runs(gap: float) -> Statistics:
    scores = np.random.default_rng(2).normal(50, 5, (6, 200)) + np.repeat([0.0, gap], 3)[:, None]
    return rated(scores, [f"{s}.run{r}" for s in "XY" for r in range(3)])


@pytest.mark.parametrize("gap", [0.1, 5.0, -5.0])
def test_runs_are_said_with_the_share_of_their_variance(gap: float) -> None:
    found = compare_runs(runs(gap), "X", "Y")
    text = say(found)
    assert f"{abs(found.difference):.2f}" in text
    worded(text, "3 and 3", f"{found.run_share:.0%} of the")
    assert short_p_text(found.p_value, 1 - found.level) in text
    if abs(gap) > 1:
        better, worse = ("Y", "X") if gap > 0 else ("X", "Y")
        assert text.startswith(f"{better} is significantly")
        assert f"than {worse}" in text
    else:
        assert not lacking(text, "is not significant", "does not show")
    table = runs_table(found)
    well_formed(table)
    assert "best run" in table.caption


def test_the_bundle_of_runs(corpus: Corpus) -> None:
    bundle = runs_bundle(corpus, QUICK, [compare_runs(runs(1.0), "X", "Y")])
    plain_json(bundle)
    (row,) = bundle["runs"]
    assert row["variance_segments"] > 0
    assert (row["first_runs"], row["second_runs"]) == (3, 3)


# --- power and equivalence ----------------------------------------------------------------------------------


def test_power_is_for_a_difference_chosen_beforehand(corpus: Corpus, bleu: Statistics) -> None:
    found = power_analysis(bleu, "sys0", "sys1", 2.0, 3.0)
    table = power_table(found)
    well_formed(table, 6)
    assert "chosen in advance" in table.caption
    assert f"about {found.needed:,} ({found.needed_low:,} to {found.needed_high:,})" in [row[1] for row in table.texts]
    said = " ".join(row[0] for row in table.texts)
    assert "type S" in said
    assert "type M" in said
    plain_json(power_bundle(corpus, QUICK, [found, power_analysis(bleu, "sys0", "sys1", margin=1.0)]))


@pytest.mark.parametrize(("margin", "shown"), [(50.0, True), (0.001, False)])
def test_equivalence_is_within_a_margin_or_not_said(margin: float, shown: bool) -> None:
    statistics = made_ratings(systems=2)
    for test, claim in ((equivalence, "differ by less than"), (non_inferiority, "at most")):
        text = equivalence_text(test(statistics, "sys0", "sys1", margin), "sys0", "sys1", "rated")
        assert ("is not established" not in text) == shown
        assert claim in text or not shown
        assert f"{margin:g}" in text
        assert "90% CI" in text
        assert "margin chosen without an analysis plan" in text
        assert " equal" not in text


# --- the family ---------------------------------------------------------------------------------------------


def test_a_joined_family_counts_what_was_judged_with_it() -> None:
    many = [made_statistics(systems=3), replace(made_ratings(n=200, systems=3))]
    first, second = QUICK.families(many, joined=True)
    for family in (first, second):
        assert any("of 6" in name for name in comparison_table(family).header)
        for one in family:
            assert not lacking(verdict_text(one), "adjusted p", ", 6 comparisons")
    assert "6" in family_text(first)


@pytest.mark.parametrize("correction", list(CORRECTIONS))
def test_the_correction_and_what_it_controls_are_said(correction: str) -> None:
    family = replace(QUICK, correction=correction).family(made_ratings(systems=3))
    text = method_text(family)
    if correction == "none":
        assert "uncorrected" in text
        return
    assert CORRECTIONS[correction].label in text
    if correction in {"bh", "by"}:
        assert "false discovery rate" in text


def test_a_one_sided_p_says_who_declared_it() -> None:
    family = replace(QUICK, alternative="greater").family(made_statistics(), "sys3")
    for one in family:
        assert not lacking(verdict_text(one), "one-sided", "the user")
    assert "one-sided" not in verdict_text(QUICK.family(made_statistics(), "sys3")[0])


def test_ranks_stand_in_the_bundle_of_comparisons(corpus: Corpus, bleu: Statistics) -> None:
    family = QUICK.family(bleu)
    bundle = record(corpus, Request((bleu.metric,), QUICK), [QUICK.intervals(bleu)], [family]).plain()
    (result,) = bundle["sets"][0]["results"]
    columns = result["ranks"]["columns"]
    assert columns["system"] == list(ranks(family).systems)
    assert result["comparisons"]["header"]["family_size"] == 6
    assert set(columns) - {"system", "score"} == {
        "rank_low",
        "rank_high",
        "cluster",
        "bootstrap_best_rate",
        "could_be_best",
    }


@pytest.mark.parametrize("correction", ["minp-single", "maxt", "bonferroni", "sidak", "minp", "holm"])
def test_stepwise_corrections_make_rank_sets_too(correction: str) -> None:
    # They keep the chance of any false claim with the direction of each difference, which is all that rank sets need.
    found = ranks_text(
        ranks_of(Settings(correction=correction, n_resamples=400).family(made_statistics(n=100, systems=3)))
    )
    assert "95%" in found
    assert "minp-single" not in found


def test_several_block_lengths_are_several_chances() -> None:
    scan = block_scan(made_statistics(n=200, systems=2), "sys0", "sys1")
    worded(block_table(scan, "BLEU").caption)


def test_power_of_one_among_several_says_so() -> None:
    statistics = made_ratings(n=100, systems=2)
    said = power_table(power_analysis(statistics, "sys0", "sys1", 1.0, comparisons=45)).caption
    assert not lacking(said, "45 comparisons", "Bonferroni")
    assert "Bonferroni" not in power_table(power_analysis(statistics, "sys0", "sys1", 1.0)).caption


def test_without_any_power_no_nan_is_printed() -> None:
    analysis = power_analysis(made_ratings(n=100, systems=2), "sys0", "sys1", 1.0)
    assert analysis.power is not None
    nan = float("nan")
    none = replace(analysis.power, power=0.0, power_low=0.0, power_high=0.0, wrong_sign=nan, exaggeration=nan)
    for power in (none, replace(none, power=nan, power_low=nan, power_high=nan)):
        said = [str(cell.value) for row in power_table(replace(analysis, power=power)).rows for cell in row]
        assert "nan" not in " ".join(said)
        assert sum("none" in one for one in said) == 2
    assert ["×" in str(row[1].value) for row in power_table(analysis).rows].count(True) == 1


def test_what_draws_nothing_has_draws_for_the_wins_alone() -> None:
    ratings = made_ratings(n=100, systems=3)
    assert not lacking(
        method_text(compare(ratings, "ij-t"), shown=["bootstrap win rate"]), "10,000 resamples", "win rate"
    )
    assert "on segments, 10,000" in method_text(compare(ratings, "t"), shown=["bootstrap win rate"])
    for shown in ((), ["bootstrap win rate"]):
        assert "10,000 resamples, seed" in method_text(compare(ratings, "ar"), shown=shown)
        assert "10,000 resamples, seed" in method_text(compare(ratings, "bootstrap-koehn"), shown=shown)


@pytest.mark.parametrize(("interval", "drawn"), [("jackknife", False), ("percentile", True)])
@pytest.mark.parametrize("documents", [0, 12])
def test_captions_name_resamples_for_what_they_show_alone(
    interval: str, drawn: bool, documents: int, tmp_path: Path
) -> None:
    corpus = made_corpus(n=120, systems=3, documents=documents)
    how = Settings(n_resamples=500, test="jackknife-t", interval=interval, correction="holm")
    study = conduct(corpus, Request((metric("chrf"),), how))
    family = study.results[0].compared
    for table in (*paper_tables(study), *terminal_tables(study), comparison_table(family)):
        seen = re.search(r"500 resamples for the .*?(?=, seed)", table.caption)
        used = ["intervals"] if drawn and (table.name == "results" or "pair" in table.names) else []
        used += ["bootstrap win rate"] if "bootstrap win rate" in table.names else []
        if not used or "corrected by" not in table.caption:
            assert seen is None
        else:
            assert seen is not None
            worded(seen[0], "500 resamples", " and the ".join(used))
    assert any("bootstrap win rate" in table.names for table in terminal_tables(study))
    for path in study.report(tmp_path, ["latex", "markdown", "html"]):
        assert "for the bootstrap win rate" not in path.read_text(encoding="utf-8")
