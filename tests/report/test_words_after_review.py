"""What a reader of tables and reports must be told: reasons, limits, and how a verdict was made."""

from dataclasses import replace

import numpy as np
import pytest
from made import made_corpus, made_ratings, made_statistics, rated

from mtsig import Corpus, Settings, measure, metric, power_analysis
from mtsig import ranks as ranks_of
from mtsig.corpus import Rating
from mtsig.inference import block_scan, compare
from mtsig.inference.margins import within
from mtsig.metrics import Rated, Statistics
from mtsig.report import (
    attainable_text,
    block_table,
    comparison_table,
    family_text,
    headline_text,
    method_text,
    ranks_text,
)
from mtsig.report.methods import methods_paragraph
from mtsig.report.study_tables import paper_tables, results_table, standing
from mtsig.report.tables import power_table
from mtsig.study import Request, Study, conduct
from mtsig.study.reading import study_of

PAIR = [("A", "B")]


def few(differing: int, n: int = 200) -> Statistics:
    noise = np.random.default_rng(5).normal(size=n)
    return rated([noise + np.where(np.arange(n) < differing, 0.5, 0.0), noise])


def studied(corpus: Corpus | None = None, pairs: object = "all", **settings: object) -> Study:
    corpus = corpus or made_corpus(n=60, systems=3, documents=0)
    request = Request((metric("bleu"),), Settings(**{"draws": 400} | settings), pairs)  # type: ignore[arg-type]
    return conduct(corpus, request)


# --- tables in the shell ------------------------------------------------------------------------------------


def test_an_undecided_comparison_has_its_reason_below_the_table() -> None:
    said = comparison_table(compare(few(5), "ij-t", PAIR)).caption
    assert "Undecided: only 5 of 200 segments differ, too few for this test; choose paired randomization." in said
    assert "only 1 of 200 segments differs" in comparison_table(compare(few(1), "bootstrap-shift", PAIR)).caption
    printed = Settings(test="sacrebleu-ar", draws=100).family(measure(made_corpus(n=60, systems=2), "bleu"))
    assert "Undecided: this test errs more often than it says" in comparison_table(printed).caption
    assert "Undecided" not in comparison_table(compare(few(60), "ij-t", PAIR)).caption


def test_no_difference_can_be_significant_is_said_where_it_is_so() -> None:
    said = attainable_text(compare(few(5), "ar", PAIR)[0])
    assert (
        said == "5 of 200 segments differ; the smallest attainable p is 0.062. No difference can be significant here."
    )
    assert "No difference" not in str(attainable_text(compare(few(6), "ar", PAIR)[0]))


@pytest.mark.parametrize("correction", ["minp-single", "maxt", "bonferroni", "sidak", "minp", "holm"])
def test_stepwise_corrections_make_rank_sets_too(correction: str) -> None:
    # They keep the chance of any false claim with the direction of each difference, which is all that rank sets need.
    found = ranks_text(ranks_of(Settings(correction=correction, draws=400).family(made_statistics(n=100, systems=3))))
    assert "95%" in found
    assert "minp-single" not in found


def test_several_block_lengths_are_several_chances() -> None:
    scan = block_scan(made_statistics(n=200, systems=2), "sys0", "sys1")
    assert "one of several above it may still be chance" in block_table(scan, "BLEU").caption


def test_power_of_one_among_several_says_so() -> None:
    statistics = made_ratings(n=100, systems=2)
    said = power_table(power_analysis(statistics, "sys0", "sys1", 1.0, comparisons=45)).caption
    assert "each of 45 comparisons after Bonferroni's correction" in said
    assert "Bonferroni" not in power_table(power_analysis(statistics, "sys0", "sys1", 1.0)).caption


def test_without_any_power_no_nan_is_printed() -> None:
    analysis = power_analysis(made_ratings(n=100, systems=2), "sys0", "sys1", 1.0)
    assert analysis.power is not None
    none = replace(analysis.power, power=0.0, low=0.0, high=0.0, wrong_sign=float("nan"), exaggeration=float("nan"))
    for power in (none, replace(none, power=float("nan"), low=float("nan"), high=float("nan"))):
        said = [str(cell.value) for row in power_table(replace(analysis, power=power)).rows for cell in row]
        assert "nan" not in " ".join(said)
        assert said.count("there would be none") == 2
    assert ["×" in str(row[1].value) for row in power_table(analysis).rows].count(True) == 1


def test_what_draws_nothing_has_draws_for_the_wins_alone() -> None:
    ratings = made_ratings(n=100, systems=3)
    assert "10,000 draws for the resamples won" in method_text(compare(ratings, "ij-t"))
    assert "on segments, 10,000" in method_text(compare(ratings, "t"))
    assert "10,000 draws, seed" in method_text(compare(ratings, "ar"))


def test_the_overview_blames_the_test_and_not_the_data() -> None:
    statistics = measure(made_corpus(n=60, systems=3, documents=0), "bleu")
    family = Settings(test="bootstrap-rm2005", draws=200).family(statistics)
    assert "errs more often than it says, so it separates nothing" in headline_text([family])


# --- margins and intervals ----------------------------------------------------------------------------------


def test_margins_of_a_comparison_need_segments_that_differ() -> None:
    found = within(compare(few(9), "ar", PAIR)[0], 0.5, both=True)
    assert found.shown is None
    assert found.reason == "they differ on only 9 of 200 segments; to know how much segments vary takes 10"
    assert within(compare(few(10), "ar", PAIR)[0], 0.5, both=True).shown


def test_half_of_the_units_is_enough_in_a_small_set() -> None:
    assert within(compare(few(9, n=18), "ar", PAIR)[0], 5.0, both=True).shown
    found = within(compare(few(8, n=18), "ar", PAIR)[0], 5.0, both=True)
    assert found.shown is None
    assert found.reason == "they differ on only 8 of 18 segments; to know how much segments vary takes 9"


def test_documents_that_are_needed_are_as_many_as_inference_needs() -> None:
    ratings = replace(made_ratings(n=120, systems=2), document_of=np.repeat(np.arange(12), 10))
    found = power_analysis(ratings, "sys0", "sys1", 50.0)
    assert (found.unit, found.needed) == ("document", 10)


def test_the_studentized_bootstrap_without_any_spread_gives_one_or_nothing() -> None:
    ratings = np.arange(30.0)
    same, shifted = (rated([ratings, other]) for other in (ratings, ratings + 1))
    (one,) = compare(same, "bootstrap-t", PAIR)
    assert (one.p_value, one.p_low, one.p_high) == (1, 1, 1)
    (other,) = compare(shifted, "bootstrap-t", PAIR)
    assert not other.has_p


def test_simultaneous_intervals_on_different_segments_are_wider_than_those_alone() -> None:
    statistics = made_statistics(n=40, systems=3)
    coverage = np.ones((3, 40), dtype=bool)
    coverage[1, :10] = False
    together, alone = (
        compare(replace(statistics, available=coverage), interval=one) for one in ("simultaneous", "auto")
    )
    assert np.all(together.high - together.low > alone.high - alone.low)


# --- reports ------------------------------------------------------------------------------------------------


def test_systems_that_were_not_compared_have_no_place_beside_the_best() -> None:
    study = studied(pairs=[("sys0", "sys1")])
    assert standing(study.results[0]) is None
    caption = results_table(study).caption
    assert "No mark" not in caption
    assert "Columns without marks: see the comparisons." in caption
    assert standing(studied().results[0]) is not None
    assert standing(studied(pairs="sys0").results[0]) is not None


@pytest.mark.parametrize("documents", [0, 12])
@pytest.mark.parametrize("test", ["sacrebleu-ar", "sacrebleu-bs", "bootstrap-rm2005"])
def test_a_kept_study_of_a_test_that_errs_too_often_names_no_winner_either(test: str, documents: int) -> None:
    study = study_of(studied(made_corpus(n=60, systems=3, documents=documents), test=test).text())
    assert {row["verdict"] for row in study.plain()["comparisons"]} == {"undecided"}
    said = methods_paragraph(study).text
    assert f"No system is called better than another: {test} is anti-conservative" in said
    assert "We call a system better" not in said
    assert "which keeps no error rate here" in said
    assert "undecided" in family_text(study.results[0].compared)


def test_the_methods_paragraph_says_what_was_corrected_and_what_was_drawn() -> None:
    alone = methods_paragraph(studied(pairs=[("sys0", "sys1")])).text
    assert "This is one comparison; α = 0.05." in alone
    assert "when p is at most α" in alone
    assert "corrected" not in alone
    several = methods_paragraph(studied(correction="holm", test="ij-t")).text
    assert "corrected for the 3 comparisons" in several
    assert "when the corrected p is at most α" in several
    assert "(two-sided), with segments as units" in several
    assert "400 draws, seed 12345" in methods_paragraph(studied()).text
    assert "|draws:400|seed:12345|" in methods_paragraph(studied()).text
    assert (
        "two-sided, exact p-values"
        in methods_paragraph(studied(made_corpus(n=60, systems=2, documents=20), test="ar")).text
    )


def test_sacrebleu_is_credited_with_its_own_metrics_and_each_metric_with_what_it_stands_on() -> None:
    corpus = made_corpus(n=60, systems=3, documents=0)
    some = np.full((3, 60), np.nan)
    some[:2, :40] = np.random.default_rng(1).integers(1, 6, (2, 40))
    corpus = replace(corpus, ratings={"mqm": Rating(some, True, "declared")})
    request = Request(
        # WER cuts words as sacreBLEU does, and its signature says so; sacreBLEU does not compute it.
        (Rated("mqm").on(corpus), metric("bleu"), metric("nist"), metric("wer")),
        Settings(draws=100),
        [("sys0", "sys1")],
    )
    said = methods_paragraph(conduct(corpus, request)).text
    assert said.startswith(
        "We scored 2 systems on 40 segments with mqm. 3 systems were scored on 60 segments, against 1"
    )
    assert "BLEU (Papineni et al., 2002) (as sacreBLEU computes it (Post, 2018)), NIST" in said
    assert said.count("sacreBLEU") == 1


def test_captions_say_in_which_direction_a_difference_is_positive() -> None:
    request = Request((metric("bleu"), metric("ter")), Settings(draws=100))
    study = conduct(made_corpus(n=60, systems=3, documents=0), request)
    captions = {one.name: one.caption for one in paper_tables(study)}
    assert "first minus second, positive when the first is better;" in captions["comparisons-bleu"]
    assert "second minus first, so positive when the first is better (lower);" in captions["comparisons-ter"]
    scores = dict(zip(study.results[1].scored.systems, study.results[1].scored.score, strict=True))
    for one in study.results[1].compared:
        assert one.difference == pytest.approx(scores[one.second] - scores[one.first])


@pytest.mark.parametrize("documents", [0, 12])
def test_ratings_with_gaps_show_on_how_many_segments_a_pair_stands(documents: int) -> None:
    corpus = made_corpus(n=60, systems=3, documents=documents)
    some = np.random.default_rng(1).integers(1, 6, (3, 60)).astype(float)
    some[1, ::6] = np.nan
    statistics = measure(replace(corpus, ratings={"mqm": Rating(some, True, "declared")}), "mqm")
    for pairs in ("all", [("sys0", "sys1")]):
        found = comparison_table(compare(statistics, "ar", pairs))  # type: ignore[arg-type]
        place = found.header.index("segments")
        counts = {frozenset(row[:2]): row[place] for row in found.texts}
        assert counts[frozenset(("sys0", "sys1"))] == "50"
    full = comparison_table(compare(measure(corpus, "bleu"))).header
    assert "segments" not in full


def test_the_methods_paragraph_calls_classical_comparisons_what_they_are() -> None:
    request = Request((metric("sentbleu"),), Settings(correction="tukey", unit="segment", draws=200))
    said = methods_paragraph(conduct(made_corpus(n=60, systems=3, documents=0), request)).text
    assert "for randomized blocks, segments being the blocks" in said
    assert "only where all pairs of systems vary alike" in said
    assert "corrected for" not in said
