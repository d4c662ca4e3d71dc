"""The page Trust: who is held against whom, what is said of it, and what it asks for where something is missing."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from kept import lacking, parts, worded
from pages import address, at_page, figures, made_files, texts, uploaded, with_sample
from streamlit.elements.lib import policies
from streamlit.testing.v1 import AppTest
from streamlit.typing import DataframeState

from mtsig.errors import NotApplicable
from mtsig.meta_eval import STATISTICS, ceiling
from mtsig.meta_eval._metric_agreement import RANDOM

SYSTEMS = tuple(f"sys{s}" for s in range(8))


def table(name: str, step: float, noise: float, seed: int, systems: tuple[str, ...] = SYSTEMS) -> bytes:
    """Scores of made systems, each by a step worse than the one before."""
    rng = np.random.default_rng(seed)
    rows = [f"system\tseg_id\t{name}"]
    for s, system in enumerate(systems):
        rows += [f"{system}\t{i}\t{-step * s - 10 + noise * rng.normal():.3f}" for i in range(1, 41)]
    return ("\n".join(rows) + "\n").encode()


RATED = {
    "mqm.tsv": table("mqm", 1.0, 0.5, 3),
    "comet.tsv": table("COMET", 1.0, 0.5, 4),
    "bleurt.tsv": table("BLEURT", 0, 1, 5),
}


def opened(files: dict[str, bytes], tab: str = "Verdicts", **said: str) -> AppTest:
    """Drop files and open a tab of the page under an address that says this, with few draws."""
    at = uploaded(files, None, **{"n_resamples": "200"} | said)
    at.session_state["trust_tab"] = tab
    return at_page(at, "trust")


def test_metrics_are_held_against_people_in_one_sentence() -> None:
    at = opened(RATED)
    assert not at.error, [one.value for one in at.error]
    said = texts(at)
    assert not lacking(said, "8 systems no", "than COMET", "than BLEURT")
    worded(parts(said, "COMET and"), "28 of 28", "100%")
    dots, segments, systems, verdicts = figures(at)
    assert dots["layout"]["yaxis"]["ticktext"] == ["COMET", "BLEURT", RANDOM]
    assert segments["layout"]["xaxis"]["ticktext"] == systems["layout"]["xaxis"]["ticktext"]
    assert verdicts["layout"]["xaxis"]["title"]["text"].startswith("difference in ")
    worded(parts(said, "Other systems like"))
    worded(parts(str(segments), "difference in soft"))
    # BLEURT knows nothing: people separate all pairs, it separates none that it should.
    at.selectbox(key="closer").set_value("COMET").run()
    worded(parts(texts(at), "28 of 28"), "COMET", "0")
    # What has no room beside the names of systems and metrics is in the table's menu.
    (pairs,) = [one for one in at.dataframe if {"First", "Significant in"} <= {*one.value.columns}]
    seen = ["First", "Second", "Significant in", "Δ mqm", "p, mqm", "Δ COMET", "p, COMET"]
    assert list(pairs.proto.column_order) == seen
    assert {*pairs.value.columns} - {*seen} == {"CI, mqm", "CI, COMET", "Detectable"}


def test_what_to_do_next_is_to_try_other_metrics_and_then_to_see_results() -> None:
    at = uploaded(made_files(8) | {"mqm.tsv": RATED["mqm.tsv"]}, None, n_resamples="200")
    at = at_page(at, "trust")
    (step,) = [one for one in at.button if one.proto.type == "primary"]
    worded(step.label, "BLEU")
    step.click().run()
    assert not at.exception, at.exception
    assert "chrF2" in texts(at)
    assert not [one for one in at.button if one.proto.type == "primary"]
    worded(parts([one.proto.label for one in at.get("page_link")], "See the results"), "4 metrics")


@pytest.mark.slow
def test_where_the_ratings_decide_no_pair_the_next_step_is_more_of_them() -> None:
    people = table("mqm", 0.0, 2.0, 11)
    for metrics in ({"bleurt.tsv": RATED["bleurt.tsv"]}, {name: RATED[name] for name in ("bleurt.tsv", "comet.tsv")}):
        at = opened({"mqm.tsv": people} | metrics)
        assert not at.error, [one.value for one in at.error]
        worded(parts(texts(at), "no pair of systems"))
        (step,) = [one for one in at.button if one.proto.type == "primary"]
        worded(step.label)
        step.click().run()
        assert not at.exception, at.exception
        worded(parts(texts(at), "To detect"), "mqm")  # the page Planning, on the ratings


def test_a_number_for_agreement_is_read_with_its_interval() -> None:
    at = opened({"mqm.tsv": RATED["mqm.tsv"], "bleurt.tsv": RATED["bleurt.tsv"]})
    (dots, *_) = figures(at)
    drawn = dots["data"][0]
    value, high, low = drawn["x"][0], drawn["error_x"]["array"][0], drawn["error_x"]["arrayminus"][0]
    (lede,) = [one.proto.body for one in at.get("html") if 'class="lede"' in one.proto.body]
    for said in lede.split("<p ")[1:]:  # the full one, and that of a phone
        assert not lacking(said, f"{value:.3f}", f"95% CI {value - low:.3f} to {value + high:.3f}", "8 systems")


def test_an_address_says_by_what_agreement_is_measured() -> None:
    at = opened(RATED, statistic="Accuracy with ties, uncalibrated", by="Segments of one system", held="COMET")
    assert not at.error, [one.value for one in at.error]
    assert (at.selectbox(key="statistic").value, at.selectbox(key="by").value) == ("acc_eq_0", "system")
    dots, *_ = figures(at)
    assert dots["layout"]["yaxis"]["ticktext"] == ["COMET"]
    worded(dots["layout"]["xaxis"]["title"]["text"])


def test_a_row_of_the_verdicts_opens_its_pair() -> None:
    at = opened(RATED)
    key = next(one.proto.id for one in at.dataframe if "Significant in" in one.value.columns and "First" in one.value)
    at.session_state[key.split("-")[-1]] = DataframeState(selection={"rows": [0], "columns": [], "cells": []})
    at.run()
    assert at.button(key="swap")  # a page of two systems


def test_metrics_and_people_speak_together_contradictions_first() -> None:
    # BLEURT has two systems the other way round, and is as sure of it as COMET and people are.
    swapped = ("sys1", "sys0", *SYSTEMS[2:])
    files = RATED | {"bleurt.tsv": table("BLEURT", 1.0, 0.5, 9, swapped)}
    at = opened(files, "Several together", n_resamples="10000")
    assert not at.error, [one.value for one in at.error]
    at.multiselect(key="jointly").set_value(["mqm", "COMET", "BLEURT"]).run()
    said = texts(at)
    worded(parts(said, "mqm, COMET", "one system"), "COMET and BLEURT", "1 of 28", "27")
    (contrary,) = [one.value for one in at.warning if "Contradiction" in one.value]
    worded(parts(contrary, "sys0 is significantly"))
    drawn = figures(at)[-1]
    assert drawn["layout"]["yaxis"]["ticktext"][0] in ("sys0 – sys1", "sys1 – sys0")
    at.multiselect(key="jointly").set_value(["mqm"]).run()
    worded(parts(texts(at), "Choose at least"))


def test_metrics_have_places_and_correlations_their_own_test() -> None:
    at = opened(RATED | {"gemba.tsv": table("GEMBA", 1.0, 0.5, 6)}, statistic="Pearson r")
    assert not at.error, [one.value for one in at.error]
    assert any("WMT's cluster" in one.value.columns for one in at.dataframe)
    worded(parts(texts(at), "Are two correlations"))


def test_human_translations_are_out_until_they_are_let_in_and_the_other_result_stands_beside() -> None:
    # People rate refB best; the metric, worst.
    people = table("mqm", 1.0, 0.5, 3, ("refB", *SYSTEMS))
    files = {"mqm.tsv": people, "comet.tsv": table("COMET", 1.0, 0.5, 4, (*SYSTEMS, "refB"))}
    at = opened(files, statistic="Pairwise accuracy")
    said = texts(at)
    worded(parts(said, "On these 8", "With human translations"), "8 systems", "28 of 28", "9 systems", "0.778", "1.000")
    at.toggle(key="trust_humans").set_value(True).run()
    said = texts(at)
    facts = "28 of 36", "78%", "8 systems", "1.000", "0.778"
    worded(parts(said, "9 systems", "Without human translations"), *facts)


def test_what_a_difference_means_and_what_the_metric_does_not_see() -> None:
    files = RATED | {"gemba.tsv": table("GEMBA", 1.0, 0.5, 6)}
    at = opened(
        RATED | {"gemba.tsv": table("GEMBA", 1.0, 0.5, 6)},
        trust_tab="What a difference means",
        closer="COMET",
        meant="1",
    )
    assert "(a program's)" in " ".join(at.selectbox(key="human").options)
    said = texts(at)
    worded(parts(said, "A difference", "This is based"), "1 COMET", "100%", "7 pairs")
    at = opened(files, "Blind spots", closer="COMET")
    assert not at.error, [one.value for one in at.error]
    worded(parts(texts(at), "COMET does"))
    at = opened(files, "Raters")
    worded(parts(texts(at), "mqm: no rater"))
    at.selectbox(key="human").set_value("GEMBA").run()
    worded(parts(texts(at), "GEMBA was computed"))


def test_raters_are_shown_where_it_is_known_who_gave_what() -> None:
    rng = np.random.default_rng(8)
    esa = [
        f"{who},{system},{i},TGT,eng,deu,{50 + 5 * s + 3 * i + level + rng.normal():.1f},d{i},False,[],1.0,2.0"
        for who, level in (("Ann", 0), ("Bo", 8))
        for s, system in enumerate(("sys0", "sys1", "sys2"))
        for i in range(8)
    ]
    files = {"esa.csv": "\n".join(esa).encode(), "docids.txt": "\n".join(f"d{i}" for i in range(8)).encode()}
    at = opened(files)
    said = texts(at)
    # No metric is there: it is asked for, and raters are shown all the same.
    worded(parts(said, "A rating needs", "sys2 is"), "3 systems")
    assert "Krippendorff's α (interval)" in said
    _, agreement, leniency = figures(at)
    assert "ICC(A,1)" in agreement["layout"]["yaxis"]["ticktext"]
    assert leniency["layout"]["yaxis"]["ticktext"] == ["Bo", "Ann"]
    worded(parts(said, "A rater agrees"))
    worded(parts([one.label for one in at.expander], "Who rated what"))
    worded(parts(said, "The two orders:", "Rater × system", "2 raters:"), "1.000", "5")


@pytest.mark.slow
def test_very_many_raters_are_refused_in_a_sentence_that_names_a_few() -> None:
    count = 6000
    rows = (f"s{i % 3}\t{i // 3 + 1}\tr{i}\t{i * 7 % 10}" for i in range(count))
    at = opened({"human.tsv": "\n".join(["system\tsegment\trater\tscore", *rows]).encode()})
    (error,) = [plain.value.replace("\\", "") for plain in at.error]
    worded(parts(error, "r0, r3"), "1,995 more")
    assert len(error) < 600
    with pytest.raises(NotApplicable, match="6,000 raters with the others takes too long"):
        ceiling(at.session_state["session"].data.corpus, "human", STATISTICS["spa"])
    at = at_page(at, "planning")
    assert not [one for one in at.error if "error in mtsig" in one.value]
    assert at.number_input(key="raters").value == 1000


def test_without_ratings_by_people_the_page_says_what_to_drop() -> None:
    at = with_sample("trust")
    worded(parts(texts(at), "This page needs"))
    # What to do next stands at the title, as on every page; what the page shows, and a sample, are folded below.
    worded((button.label for button in at.button if button.proto.type == "primary"), "Data")
    worded([box.label for box in at.expander])
    at.session_state["sample-to-rate"] = True
    worded(parts(texts(at.run()), "covers every document", "few-ratings"))
    assert "Segments to rate (.csv)" in {button.proto.label for button in at.get("download_button")}
    at = opened({"comet.tsv": RATED["comet.tsv"], "gemba-mqm.tsv": table("GEMBA-MQM", 1, 1, 2)})
    said = texts(at)
    worded(parts(said, "This page needs"))
    assert (
        "COMET and GEMBA-MQM: the names show that programs gave these scores" in said
        or "GEMBA-MQM and COMET: scores by programs" in said
    )


def test_names_are_no_markdown() -> None:
    names = tuple(f"![{s}](//x.test/a.png)" for s in range(6))
    files = {"mqm.tsv": table("mqm", 1, 0.5, 3, names), "x.tsv": table("![comet](//x.test/a.png)", 1, 0.5, 4, names)}
    for tab in ("Verdicts", "What a difference means", "Blind spots"):
        at = opened(files, tab)
        assert not at.error, [one.value for one in at.error]
        for kind in ("markdown", "caption", "info", "warning", "success"):
            assert not [one.value for one in at.get(kind) if "![" in one.value]
        assert not [one.label for one in at.number_input if "![" in one.label]


@pytest.mark.slow
def test_texts_are_scored_beside_the_ratings() -> None:
    at = uploaded(made_files(3) | {"mqm.tsv": table("mqm", 1.0, 0.5, 3, SYSTEMS[:3])})
    at = at_page(at, "trust")
    worded(parts(texts(at), "On these 3"), "3 systems", "BLEU")
    assert not at.error, [one.value for one in at.error]
    assert "that were rated" not in texts(at)


def test_verdicts_on_all_segments_are_told_from_agreement_on_the_rated_ones() -> None:
    head, *rows = table("mqm", 1.0, 0.5, 3, SYSTEMS[:3]).decode().splitlines()
    some = [row for row in rows if int(row.split("\t")[1]) <= 30]
    at = at_page(uploaded(made_files(3) | {"mqm.tsv": "\n".join([head, *some, ""]).encode()}), "trust")
    worded(parts(texts(at), "from all segments"), "30")


def test_sentinels_stand_beside_every_metric() -> None:
    said = texts(opened(RATED))
    worded(parts(said, "No evidence", "COMET: significantly better"), "BLEURT")
    # Of a metric that stands alone, the head of the page says it.
    alone = texts(opened({name: RATED[name] for name in ("mqm.tsv", "bleurt.tsv")}))
    at = alone.split("\n").index("No evidence that BLEURT measures more than chance")
    lede = next(line for line in alone.split("\n")[at:] if line.startswith("Agreement 0."))
    worded(lede, "8 systems", "BLEURT", "below chance", "of 28 pairs")


@pytest.mark.slow
def test_values_without_systems_of_a_kind_stand_beside() -> None:
    at = opened(RATED, statistic="Pearson r")
    at.multiselect(key="trust_without").set_value(["sys0", "sys7"]).run()
    assert not at.error, [one.value for one in at.error]
    worded(parts(texts(at), "Without sys0"), "6 systems")


def test_scores_of_whole_systems_are_held_against_people() -> None:
    scores = "".join(f"{system}\t{80 - 3 * s}\n" for s, system in enumerate(SYSTEMS)).encode()
    at = opened(RATED | {"XCOMET.sys.tsv": scores}, statistic="Pearson r", held="XCOMET (whole systems)")
    assert not at.error, [one.value for one in at.error]
    assert "XCOMET (whole systems)" in at.multiselect(key="held").options
    said = texts(at)
    worded(parts(said, "There are only"), "XCOMET")
    dots, *_ = figures(at)
    assert dots["layout"]["yaxis"]["ticktext"] == ["XCOMET", RANDOM]
    at.multiselect(key="held").set_value(["COMET", "XCOMET"]).run()
    # Systems are exchanged between the two, segments are not.
    systems = figures(at)[1]
    assert set(systems["layout"]["xaxis"]["ticktext"]) == {"COMET", "XCOMET"}
    at.multiselect(key="held").set_value(["COMET"]).run()
    assert "XCOMET" not in figures(at)[0]["layout"]["yaxis"]["ticktext"]


@pytest.mark.slow
def test_an_address_can_say_that_no_other_rating_is_held_against_people() -> None:
    at = opened(RATED)
    assert at.multiselect(key="held").value == ["COMET", "BLEURT"]
    at.multiselect(key="held").set_value([]).run()
    assert address(at)["no.held"] == "true"
    again = opened(RATED, **{"no.held": "true"})
    assert again.multiselect(key="held").value == []
    again.multiselect(key="held").set_value(["COMET"]).run()
    assert "no.held" not in address(again)


def test_people_who_scored_whole_systems_only_are_people() -> None:
    scores = "".join(f"{system}\t{80 - 3 * s}\n" for s, system in enumerate(SYSTEMS)).encode()
    files = {name: RATED[name] for name in ("comet.tsv", "bleurt.tsv")} | {"esa.sys.tsv": scores}
    at = opened(files, statistic="Pearson r", tab="What a difference means", human="esa (whole systems)")
    assert not at.error, [one.value for one in at.error]
    assert at.selectbox(key="human").value == "esa"
    said = texts(at)
    worded(parts(said, "COMET and", "There are only"))
    dots, systems, meaning = figures(at)
    assert dots["layout"]["yaxis"]["ticktext"] == ["COMET", "BLEURT", RANDOM]
    assert set(systems["layout"]["xaxis"]["ticktext"]) == {"COMET", "BLEURT"}
    assert meaning["layout"]["xaxis"]["title"]["text"].startswith("difference in ")
    at.selectbox(key="statistic").set_value("spa").run()
    assert not at.exception
    worded(parts(texts(at), "There are only"))


def test_what_a_figure_for_papers_is_of_stands_by_its_files() -> None:
    worded(parts(texts(opened(RATED)), "Differences in human"))


def _warning(get_option: Callable[[str], Any]) -> Callable[[str], Any]:
    return lambda name: name != "global.disableWidgetStateDuplicationWarning" and get_option(name)


@pytest.mark.parametrize("said", [{}, {"no.held": "true"}, {"held": "COMET"}])
def test_what_stays_as_it_was_chosen_leaves_no_warning_in_the_log(
    monkeypatch: pytest.MonkeyPatch, said: dict[str, str]
) -> None:
    monkeypatch.setattr(policies, "_shown_default_value_warning", False)
    monkeypatch.setattr(policies.config, "get_option", _warning(policies.config.get_option))
    at = opened(RATED, "Several together", **said).run()
    assert not at.error
    assert not policies._shown_default_value_warning


def test_what_people_gave_is_never_a_metric() -> None:
    files = {**RATED, "esa.tsv": table("esa", 1.0, 0.5, 6)}
    at = opened(files, held="esa")
    human = at.selectbox(key="human")
    assert set(human.options) == {"mqm", "esa", "COMET (a program's)", "BLEURT (a program's)"}
    for rating in ("mqm", "esa"):
        at.selectbox(key="human").set_value(rating).run()
        assert set(at.multiselect(key="held").options) == {"BLEURT", "COMET"}
        assert set(at.selectbox(key="closer").options) == {"COMET", "BLEURT"}
        assert set(figures(at)[0]["layout"]["yaxis"]["ticktext"]) == {"COMET", "BLEURT", RANDOM}


@pytest.mark.slow
def test_every_part_has_its_place_whatever_metrics_there_are() -> None:
    at = opened(RATED)
    places = [f"trust-{name}" for name in ("values", "between", "closer")]

    def keyed(at: AppTest) -> list[str]:
        found: list[str] = []

        def walk(node: Any) -> None:
            block = str(getattr(getattr(node, "proto", None), "id", ""))
            found.extend(place for place in places if block.endswith(place))
            for child in getattr(node, "children", {}).values():
                walk(child)

        walk(at.main)
        return found

    assert keyed(at) == places
    at.multiselect(key="held").set_value(["COMET"]).run()
    assert keyed(at) == places


def test_ratings_that_no_two_systems_share_are_answered_in_words() -> None:
    rows = "".join(f"sys{i % 4}\t{i + 1}\t{-i % 7}\n" for i in range(40))
    at = opened(made_files(4) | {"mqm.tsv": f"system\tseg_id\tmqm\n{rows}".encode()}, "Blind spots", metric="BLEU")
    errors = [one.value.replace("\\", "") for one in at.error]
    worded(parts(errors, "The soft pairwise"))
    worded(errors)
