"""What the pages say of tests, documents, ranks, power and runs."""

import re
from html import escape
from typing import Any
from urllib.parse import parse_qsl

import pytest
from kept import parts, worded
from mtsig_dashboard import memory
from pages import (
    at_page,
    at_tab,
    comparisons,
    figures,
    group,
    lines,
    made_files,
    strip_of,
    texts,
    uploaded,
    with_sample,
)
from streamlit.testing.v1 import AppTest

from mtsig import compare_subsets, power_analysis, read_sample
from mtsig._cautions import CAUTIONS
from mtsig.doctor import Finding
from mtsig.inference import TESTS


def audit_of(at: AppTest) -> str:
    (rows,) = [one.proto.body for one in at.get("html") if one.proto.body.startswith('<div class="mtsig-audit">')]
    return str(rows)


def test_the_auditor_holds_every_test_against_the_pair():
    at = at_tab(with_sample(None, unit="segment"), "Every test")
    rows = audit_of(at)
    for name in ("ar", "ij-t", "bootstrap-rm2005", "sacrebleu-bs"):
        assert f"<span>{escape(TESTS[name].title)}</span>" in rows
    # Rows that the sentence does not count stand apart, and what errs too often says so without being opened.
    counted, apart = rows.split("not counted above")
    assert re.search(r"All of (\d+) tests find", texts(at))[1] == str(counted.count("<details>"))
    cautions = re.findall(r"better</span><small[^>]*>Caution: ", apart)
    assert len(cautions) == 4
    for title in ("Monte Carlo interval", "Interval", "Estimates", "Assumes", "Why it differs"):
        assert f"<dt>{title}</dt>" in rows
    # Every p on the one axis that all rows share: a smaller p stands further right.
    found = re.findall(r'aria-label="p ([<.\d]+)".*?mtsig-dot" style="left:(\d+)%"', rows)
    assert len(found) > 5
    places = [int(place) for _, place in sorted(found, key=lambda one: float(one[0].lstrip("<")), reverse=True)]
    assert places == sorted(places)
    assert len(set(places)) > 3
    worded(parts(texts(at), "picking the smallest"))


def test_what_a_metric_says_of_its_systems_is_said_once():
    for page in ("results", "compare"):
        assert texts(at_page(with_sample(), page)).count("brevity penalty changes slope") <= 1


def test_compare_two_says_why_one_interval_excludes_zero_and_the_verdict_does_not():
    sample = read_sample().take(range(100))
    files = {f"{name}.txt": lines(sample.lines(name)) for name in sample.systems}
    files |= {"ref.txt": lines(next(iter(sample.references.values()))), "docids.txt": lines(sample.documents)}
    at = uploaded(files, "results")
    for first, second, due in (("direct-us", "direct", True), ("via-catalan", "via-galician", False)):
        at.session_state["first"], at.session_state["second"] = first, second
        at = at_page(at, "compare")
        said = [one.value for one in at.markdown if "interval of this pair alone" in one.value]
        assert len(said) == due, said


def test_a_section_that_is_not_open_costs_nothing(monkeypatch):
    asked, verbs = memory.asked, set()

    def noted(text: str, verb: Any, *args: Any, **options: Any) -> Any:
        verbs.add(verb)
        return asked(text, verb, *args, **options)

    for module in ("memory", "parts.questions"):
        monkeypatch.setattr(f"mtsig_dashboard.{module}.asked", noted)
    at = with_sample("compare")
    assert not {compare_subsets, power_analysis} & verbs
    assert not at.error
    assert 'class="mtsig-audit"' not in texts(at)


def test_documents_and_segments_stand_side_by_side():
    at = at_tab(with_sample(None), "Every test")
    by_documents = audit_of(at)
    next(one for one in at.get("button_group") if one.key == "audit_unit").set_value("segment").run()
    by_segments = audit_of(at)
    printed = escape("Paired bootstrap as sacreBLEU prints it (Post 2018)")
    assert printed in by_segments
    assert printed not in by_documents

    def p_of(rows: str) -> str:
        return (
            rows.split(f"<span>{escape(TESTS['ij-t'].title)}</span>")[1].split("mtsig-audit-p")[1].split("</span>")[0]
        )

    assert p_of(by_documents) != p_of(by_segments)


def test_names_in_the_audit_are_text():
    files = made_files()
    name = "<img src=x onerror=alert(1)>&*b*"
    files[f"{name}.txt"] = files.pop("sys0.txt")
    rows = audit_of(at_tab(uploaded(files, None), "Every test"))
    assert "<img" not in rows
    worded(parts(rows, "&lt;img src=x onerror=alert(1)&gt;&amp;*b*"), "1)&gt;&amp;*b* better")


def test_the_switch_shows_what_sacrebleu_prints():
    at = at_tab(with_sample(None), "Every test")
    at.toggle(key="as_sacrebleu").set_value(True).run()
    said = texts(at)
    assert "Baseline: direct-us" in said
    worded(parts(said, "about half"))


def test_a_pair_too_close_to_call_shows_what_could_have_been_found():
    at = with_sample("compare", first="via-catalan", second="via-galician")
    worded(at.title[0].value.replace("\\", ""))
    said = texts(at)
    worded(parts(said, "This does"))
    assert "<b>4.0 BLEU</b> (2.5 to 6.5)" in said
    assert "observed: 0.56" in said


def bands(at: AppTest) -> list[tuple[float, float]]:
    """Return the ends of the grounds that are paler than bars."""
    pale = [one for one in figures(at)[0]["data"] if one["type"] == "bar" and one["marker"]["color"].startswith("rgba")]
    return [(one["x"][0] - one["width"][0] / 2, one["x"][0] + one["width"][0] / 2) for one in pale]


def test_a_margin_is_drawn_and_tested_against():
    at = with_sample("compare", first="via-catalan", second="via-galician")
    assert bands(at) == []
    worded(parts(texts(at), "No margin"))
    worded(at.number_input(key="worth").help)
    assert at.number_input(key="worth").placeholder == "margin"
    at.number_input(key="worth").set_value(3.0).run()
    assert bands(at) == [pytest.approx((-3, 3))]
    said = texts(at)
    assert re.search(r"Equivalent within ±3\?</span><p><b>(Not e|E)stablished</b>: 90% CI ", said)
    worded(parts(said, "two one-sided tests"))
    assert "exploratory" in said


def test_the_picture_of_the_difference_says_what_the_verdict_says():
    at = with_sample("compare", first="direct-us", second="direct")
    said = " ".join(one["text"] for one in figures(at)[0]["layout"]["annotations"])
    # The interval of the pair alone, and the one by which 0 is judged, as by the corrected p.
    for bound in ("estimate −0.47", "−0.73", "−0.22", "−0.82", "−0.13"):
        assert bound in said


def test_a_button_exchanges_the_two_systems():
    at = with_sample("compare")
    assert at.selectbox(key="first").value == "direct"
    at.button(key="swap").click().run()
    assert (at.selectbox(key="first").value, at.selectbox(key="second").value) == ("direct-us", "direct")
    assert "estimate −0.47" in [one["text"] for one in figures(at)[0]["layout"]["annotations"]]


def test_the_next_steps_lead_on_with_the_pair_and_the_margin():
    at = with_sample("compare", first="via-catalan", second="via-galician", worth="2.5")
    steps = {one.proto.label: one.proto for one in at.get("page_link")}
    there = dict(parse_qsl(steps["How many documents are needed?"].query_string))
    assert there == {"first": "via-catalan", "second": "via-galician", "effect": "2.5"}
    at = with_sample("planning", **there)
    assert (at.selectbox(key="first").value, at.selectbox(key="second").value) == ("via-catalan", "via-galician")
    assert at.number_input(key="effect").value == 2.5
    assert dict(parse_qsl(steps["Figure for a paper"].query_string)) == {
        "first": "via-catalan",
        "second": "via-galician",
    }


def test_dependence_within_documents_is_said():
    assert "design effect" in texts(at_tab(with_sample(None), "Documents"))


def test_without_documents_neighbours_stand_in():
    said = texts(at_tab(uploaded(made_files(), None), "Documents"))
    worded(parts(said, "without document ids"))


def test_ranks_come_from_the_corrected_tests():
    said = texts(with_sample("results"))
    worded(parts(said, "Every system except"))
    assert "3–4" in said


def test_drawing_error_is_shown_beside_a_simulated_p():
    worded(parts(texts(with_sample("compare", test="ar", correction="minp")), "95% Monte Carlo"))


def test_too_few_draws_for_the_family_are_said_with_the_number_that_would_do():
    said = texts(with_sample("results", n_resamples="100", unit="segment"))
    worded(parts(said, "100 resamples may"), "199")


def test_too_near_alpha_is_undecided():
    at = with_sample("compare", n_resamples="20", unit="segment", first="via-catalan", second="via-esperanto")
    worded(at.title[0].value.replace("\\", ""))
    worded(parts(texts(at), "The adjusted p-value"))


def test_runs_of_one_system_are_compared_together():
    made = made_files(systems=4)
    names = {"sys0": "base.run1", "sys1": "base.run2", "sys2": "new.run1", "sys3": "new.run2"}
    files = {f"{new}.txt": made[f"{old}.txt"] for old, new in names.items()} | {"ref.txt": made["ref.txt"]}
    said = texts(uploaded(files, "results"))
    worded(parts(said, "Selecting the best", "2 and 2 runs"))


def test_segment_tests_refuse_corpus_metrics_in_words():
    at = with_sample("results", test="wilcoxon")
    worded(at.error[0].value.replace("\\", ""))


def test_segment_tests_take_sentence_means():
    at = with_sample(test="wilcoxon", more="sentBLEU", correction="holm")
    group(at, "metric").set_value([]).run()
    at = at_page(at, "results")
    worded(parts(texts(at), "Of 10 comparisons"))


def test_few_documents_are_said():
    made = made_files()
    files = made | {"docids.txt": lines(f"doc{i // 10}" for i in range(40))}
    said = texts(uploaded(files, "results"))
    worded(parts(said.lower(), "4 documents"))


def test_runs_can_be_told_by_the_visitor():
    made = made_files(systems=4)
    names = {"sys0": "east", "sys1": "west", "sys2": "north", "sys3": "south"}
    at = uploaded({f"{new}.txt": made[f"{old}.txt"] for old, new in names.items()} | {"ref.txt": made["ref.txt"]})
    worded(parts([one.label for one in at.expander], "Are some outputs"))
    at.session_state["session"].selection.run_of = {"east": "A", "west": "A", "north": "B", "south": "B"}
    at_page(at, "results")
    said = texts(at)
    worded(parts(said, "2 and 2 runs", "best run"))


def test_the_result_by_segments_is_made_where_documents_are_looked_at():
    said = "With segments treated as independent, ignoring documents"
    assert said not in texts(at_page(with_sample(), "compare"))
    assert said in texts(at_tab(with_sample(None), "Documents"))
    assert said not in texts(at_tab(with_sample(None, unit="segment"), "Documents"))


def test_a_caution_from_outside_is_told_on_results(monkeypatch):
    told = Finding("", "warning", "certain", "", "direct was trained on it.", headline="direct", systems=("direct",))
    monkeypatch.setitem(CAUTIONS, "trained on it", lambda _: [told])
    at = at_page(with_sample(), "results")
    worded(parts(texts(at), "direct was trained"))


def test_the_matrix_shows_the_drawing_error_of_what_was_drawn():
    at = with_sample("results", unit="segment")
    frame = next(one.value for one in at.dataframe if "Adjusted p" in one.value)
    assert all(" to " in one for one in frame["Monte Carlo interval"])
    alone = with_sample("results", unit="segment", test="ij-t", correction="holm")
    assert "Monte Carlo interval" not in next(one.value for one in alone.dataframe if "Adjusted p" in one.value)


def test_uncorrected_marks_are_called_uncorrected():
    at = with_sample("results", correction="none")
    worded(parts(strip_of(at), "▲ 1 warning:"))
    worded(parts((one.proto.body for one in at.get("html")), "The 10 comparisons"))
    assert "Adjusted p" not in comparisons(at).columns
    hovers = [trace["hovertemplate"] for trace in figures(at)[0]["data"] if "customdata" in trace]
    assert hovers
    assert all("not corrected" in hover for hover in hovers)


def test_koehns_test_answers_on_the_overview_with_its_caution():
    said = texts(with_sample("results", test="bootstrap-koehn"))
    worded(parts(said, "direct is", "10 to 15"), "5 systems", "BLEU", "Koehn's", "10 to 15 of 100")
    # No correction can be chosen for it.
    worded(parts(said, "has no p-value"))


def test_the_field_of_the_margin_says_what_it_is_for_and_what_an_empty_one_means():
    worded(parts([one.value for one in with_sample("compare").caption], "Margin:", "Empty:"), "Empty:")
