"""What the pages say of tests, documents, ranks, power and runs."""

import re
from dataclasses import replace
from html import escape
from typing import Any
from urllib.parse import parse_qsl

import pytest
from made import edited_reference
from mtsig_dashboard import memory
from mtsig_dashboard.parts.show import notes_of_kin
from pages import at_page, at_tab, comparisons, figures, group, lines, made_files, marks, texts, uploaded, with_sample
from streamlit.testing.v1 import AppTest

from mtsig import audit, compare_subsets, design_test_set, measure, read_sample
from mtsig.cautions import CAUTIONS, Caution
from mtsig.corpus import Note
from mtsig.inference import TESTS


def audit_of(at: AppTest) -> str:
    (rows,) = [one.proto.body for one in at.get("html") if one.proto.body.startswith('<div class="mtsig-audit">')]
    return str(rows)


def test_the_auditor_holds_every_test_against_the_pair():
    at = at_tab(with_sample(unit="segment"), "Every test")
    rows = audit_of(at)
    for name in ("ar", "ij-t", "bootstrap-rm2005", "sacrebleu-bs"):
        assert f"<span>{escape(TESTS[name].title)}</span>" in rows
    # Rows that the sentence does not count stand apart, and what errs too often says so without being opened.
    counted, apart = rows.split("not counted above")
    assert re.search(r"All (\d+) tests separate", texts(at))[1] == str(counted.count("<details>"))
    cautions = re.findall(r"better</span><small[^>]*>Caution: [^<]*of 100 cases", apart)
    assert len(cautions) == 4
    for title in ("Drawing error", "Interval", "It is about", "It assumes", "Why it differs"):
        assert f"<dt>{title}</dt>" in rows
    # Every p on the one axis that all rows share: a smaller p stands further right.
    found = re.findall(r'aria-label="p ([<.\d]+)".*?mtsig-dot mtsig-l(\d+)"', rows)
    assert len(found) > 5
    places = [int(place) for _, place in sorted(found, key=lambda one: float(one[0].lstrip("<")), reverse=True)]
    assert places == sorted(places)
    assert len(set(places)) > 3
    assert "picking the smallest p is no test" in texts(at)


def test_what_a_metric_says_of_its_systems_is_said_once_and_of_the_pair_alone():
    at = at_tab(with_sample(), "Every test")
    said = [one.value for one in at.warning if one.value.startswith("At the kink")]
    assert len(said) == 1
    assert "via" not in said[0]
    at = at_page(at, "results")
    assert texts(at).count("At the kink") <= 1


def test_compare_two_says_why_one_interval_excludes_zero_and_the_verdict_does_not():
    sample = read_sample().take(range(100))
    files = {f"{name}.txt": lines(sample.lines(name)) for name in sample.systems}
    files |= {"ref.txt": lines(next(iter(sample.references.values()))), "docids.txt": lines(sample.documents)}
    at = at_page(uploaded(files), "results")
    for first, second, due in (("direct-us", "direct", True), ("via-catalan", "via-galician", False)):
        at.session_state["first"], at.session_state["second"] = first, second
        at = at_page(at, "compare")
        said = [one.value for one in at.markdown if "of this pair alone" in one.value]
        assert len(said) == due, said


def test_a_tab_that_is_not_open_costs_nothing(monkeypatch):
    asked, verbs = memory.asked, set()

    def noted(text: str, verb: Any, *args: Any, **options: Any) -> Any:
        verbs.add(verb)
        return asked(text, verb, *args, **options)

    for module in ("memory", "parts.questions"):
        monkeypatch.setattr(f"mtsig_dashboard.{module}.asked", noted)
    monkeypatch.setattr("mtsig_dashboard.compute.power_of_pair", None)
    at = with_sample("compare")
    assert not verbs & {audit, compare_subsets}
    assert not at.error
    assert 'class="mtsig-audit"' not in texts(at)


def test_documents_and_segments_stand_side_by_side():
    at = at_tab(with_sample(), "Every test")
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
    rows = audit_of(at_tab(uploaded(files), "Every test"))
    assert "<img" not in rows
    assert "&lt;img src=x onerror=alert(1)&gt;&amp;*b* better" in rows


def test_the_switch_shows_what_sacrebleu_prints():
    at = at_tab(with_sample(), "Every test")
    at.toggle(key="as_sacrebleu").set_value(True).run()
    said = texts(at)
    assert "Baseline: direct-us" in said
    assert "about half of a two-sided p" in said


def test_a_pair_that_is_not_separated_shows_what_could_have_been_found():
    at = with_sample("compare", first="via-catalan", second="via-galician")
    (box,) = at.info
    said = box.value.replace("\\", "")
    assert "a true difference of about 3.96 BLEU (2.53 to 6.53) would be detected with 80% power" in said


def test_a_difference_worth_finding_is_drawn_and_tested_against():
    at = with_sample("compare", first="via-catalan", second="via-galician")
    assert not [one for one in figures(at)[0]["layout"]["shapes"] if one["type"] == "rect"]
    assert "not after the difference just observed" in at.number_input(key="worth").help
    assert at.number_input(key="worth").placeholder == "optional"
    at.number_input(key="worth").set_value(3.0).run()
    (shade,) = [one for one in figures(at)[0]["layout"]["shapes"] if one["type"] == "rect"]
    assert (shade["x0"], shade["x1"]) == (-3, 3)
    said = texts(at)
    assert "differ by less than 3 BLEU" in said
    assert "chosen after the data were seen: the result is exploratory" in said


def test_the_picture_of_the_difference_says_what_the_verdict_says():
    at = with_sample("compare", first="direct-us", second="direct")
    thin, dot = figures(at)[0]["data"]
    assert dot["x"][0] == pytest.approx(-0.47, abs=0.005)
    ends = (dot["x"][0] - dot["error_x"]["arrayminus"][0], dot["x"][0] + dot["error_x"]["array"][0])
    assert ends == pytest.approx((-0.73, -0.22), abs=0.005)
    # By the thin line 0 is judged, as by the corrected p.
    assert thin["x"] == pytest.approx((-0.82, -0.13), abs=0.005)


def test_a_button_exchanges_the_two_systems():
    at = with_sample("compare")
    assert (at.selectbox(key="first").value, at.metric[0].value) == ("direct", "+0.47")
    at.button(key="swap").click().run()
    assert (at.selectbox(key="first").value, at.selectbox(key="second").value) == ("direct-us", "direct")
    assert at.metric[0].value == "−0.47"


def test_the_next_steps_lead_on_with_the_pair_and_the_difference_worth_finding():
    at = with_sample("compare", first="via-catalan", second="via-galician", worth="2.5")
    steps = {one.proto.label: one.proto for one in at.get("page_link")}
    there = dict(parse_qsl(steps["How many segments would it take?"].query_string))
    assert there == {"first": "via-catalan", "second": "via-galician", "effect": "2.5"}
    at = with_sample("planning", **there)
    assert (at.selectbox(key="first").value, at.selectbox(key="second").value) == ("via-catalan", "via-galician")
    assert at.number_input(key="effect").value == 2.5
    assert dict(parse_qsl(steps["Get the figure"].query_string)) == {"first": "via-catalan", "second": "via-galician"}


def test_what_planning_asks_of_new_documents_is_not_what_segments_were_filtered_by():
    at = at_page(with_sample("segments"), "planning")
    assert at.number_input(key="document_length").value is None
    assert not at.run().exception


def test_what_is_needed_asks_for_a_difference_chosen_beforehand_and_for_prices():
    at = with_sample("planning", first="via-catalan", second="via-galician")
    assert "not the difference just observed" in at.number_input(key="effect").help
    corpus = read_sample()
    options = {"price_segment": 0.5, "price_document": 3.0}
    (found, _) = design_test_set(measure(corpus, "bleu"), "via-catalan", "via-galician", 1.0, **options).ways
    assert found.needed is not None
    said = texts(at)
    assert f"It takes about {found.needed.documents:,} (" in said
    # One comparison with a baseline, if nothing else is said.
    assert "find a true difference of 1 BLEU with 80% power." in said
    assert "On 20 documents such as these it would be found with a power of" in said
    assert "Cost" not in said.split("\n")
    at.number_input(key="price_segment").set_value(0.5).run()
    at.number_input(key="price_document").set_value(3.0).run()
    before = texts(at)
    assert "Cost" in before.split("\n")
    at.number_input(key="comparisons").set_value(10).run()
    assert "find a true difference of 1 BLEU with 80% power, as one of 10 comparisons" in texts(at)
    assert at_bold(at)[1] not in before
    at.number_input(key="effect").set_value(None).run()
    assert "What would it take?" in texts(at)
    assert not at.error


def at_bold(at: AppTest) -> list[str]:
    return [one.value for one in at.markdown if one.value.startswith("**")]


def test_what_is_needed_is_told_for_each_reference_when_asked():
    files = made_files() | {"ref2.txt": lines(f"a line {i} of another kind" for i in range(40))}
    at = uploaded(files)
    at_page(at, "planning")
    assert "ref + ref2" not in texts(at)
    at.toggle(key="scenarios").set_value(True).run()
    assert not at.exception
    said = texts(at).split("\n")
    assert {"ref", "ref2", "ref + ref2"} <= set(said)


def test_dependence_within_documents_is_said():
    assert "design effect" in texts(at_tab(with_sample(), "Documents"))


def test_without_documents_neighbours_stand_in():
    said = texts(at_tab(uploaded(made_files()), "Documents"))
    assert "without document ids, blocks of neighbouring segments stand in for documents" in said


def test_ranks_come_from_the_corrected_tests():
    said = texts(with_sample("results"))
    assert "Only direct can be the best" in said
    assert "3–4" in said


def test_drawing_error_is_shown_beside_a_simulated_p():
    assert "95% drawing error" in texts(with_sample("compare", test="ar", correction="minp"))


def test_too_few_draws_for_the_family_are_said_with_the_number_that_would_do():
    said = texts(with_sample("results", n_resamples="100", unit="segment"))
    assert "100 draws may not reach significance in a family of 10: at least 199 are needed" in said


def test_too_near_alpha_is_undecided():
    at = with_sample("compare", n_resamples="20", unit="segment", first="via-catalan", second="via-esperanto")
    assert "Withheld" in at.warning[0].value


def test_runs_of_one_system_are_compared_together():
    made = made_files(systems=4)
    names = {"sys0": "base.run1", "sys1": "base.run2", "sys2": "new.run1", "sys3": "new.run2"}
    files = {f"{new}.txt": made[f"{old}.txt"] for old, new in names.items()} | {"ref.txt": made["ref.txt"]}
    said = texts(at_page(uploaded(files), "results"))
    assert "better by luck" in said
    assert "over 2 and 2 runs" in said


def test_segment_tests_refuse_corpus_metrics_in_words():
    at = with_sample("results", test="wilcoxon")
    assert "sentence-level metric under its own name, such as sentBLEU" in at.error[0].value.replace("\\", "")


def test_segment_tests_take_sentence_means():
    at = with_sample(test="wilcoxon", more="sentBLEU", correction="holm")
    group(at, "metric").set_value([]).run()
    at = at_page(at, "results")
    assert "Of 10 comparisons in sentBLEU" in texts(at)


def test_few_documents_are_said():
    made = made_files()
    files = made | {"docids.txt": lines(f"doc{i // 10}" for i in range(40))}
    said = texts(at_page(uploaded(files), "results"))
    assert "Only 4 documents: too few for document-level inference" in said


def test_runs_can_be_told_by_the_visitor():
    made = made_files(systems=4)
    names = {"sys0": "east", "sys1": "west", "sys2": "north", "sys3": "south"}
    at = uploaded({f"{new}.txt": made[f"{old}.txt"] for old, new in names.items()} | {"ref.txt": made["ref.txt"]})
    assert "Several runs of one system?" in [one.label for one in at.expander]
    at.session_state["session"].selection.run_of = {"east": "A", "west": "A", "north": "B", "south": "B"}
    at_page(at, "results")
    said = texts(at)
    assert "over 2 and 2 runs" in said
    assert "best run of each is no test" in said


def test_the_result_by_segments_is_made_where_documents_are_looked_at():
    said = "With segments as units, as if sentences of one document were independent"
    assert said not in texts(at_page(with_sample(), "compare"))
    assert said in texts(at_tab(with_sample(), "Documents"))
    assert said not in texts(at_tab(with_sample(unit="segment"), "Documents"))


def test_a_caution_from_outside_is_told_on_results(monkeypatch):
    told = Caution("direct was trained on it.", systems=("direct",))
    monkeypatch.setitem(CAUTIONS, "trained on it", lambda _: [told])
    assert "direct was trained on it." in texts(at_page(with_sample(), "results"))


def test_the_matrix_shows_the_drawing_error_of_what_was_drawn():
    at = with_sample("results", unit="segment")
    frame = next(one.value for one in at.dataframe if "Corrected p" in one.value)
    assert all(" to " in one for one in frame["Drawing error"])
    alone = with_sample("results", unit="segment", test="ij-t", correction="holm")
    assert "Drawing error" not in next(one.value for one in alone.dataframe if "Corrected p" in one.value)


def test_kin_of_a_reference_is_told_before_any_verdict():
    corpus = edited_reference()
    files = {f"{name}.txt": lines(list(one)) for name, one in corpus.outputs.items()}
    files |= {f"ref{name}.txt": lines([str(line) for line in one]) for name, one in corpus.references.items()}
    at = uploaded(files)
    for page in ("results", "compare"):
        # Compare two begins with systems that are not set apart: the kin has to be chosen.
        at.session_state["first"] = next(iter(measure(corpus, "bleu").kinships)).kin.system
        at_page(at, page)
        assert "word for word" in str(at.warning[0].value), page
        assert sum("word for word" in str(one.value) for one in at.warning) == 1, page


def test_kin_counts_once_among_what_is_wrong():
    corpus = edited_reference()
    files = {f"{name}.txt": lines(list(one)) for name, one in corpus.outputs.items()}
    files |= {f"ref{name}.txt": lines([str(line) for line in one]) for name, one in corpus.references.items()}
    at = uploaded(files)
    warned = [mark for mark in marks(at_page(at, "results")) if mark.startswith("⚠")]
    assert any("has text of reference" in mark for mark in warned)
    assert not any("on the data" in mark for mark in warned)
    kin = next(iter(measure(corpus, "bleu").kinships)).kin.system
    at.session_state["first"] = kin
    assert not [mark for mark in marks(at_page(at, "compare")) if mark.startswith("⚠")]
    # Of a pair without the kin the page has no box that says it: the finding stands among those on the data.
    others = [name for name in corpus.outputs if name != kin][:2]
    at = uploaded(files)
    at.session_state["first"], at.session_state["second"] = others
    assert any("⚠ 1 warning on the data" in mark for mark in marks(at_page(at, "compare")))


def test_what_qualifies_a_verdict_stands_by_it():
    def drawn(at) -> list[tuple[str, str]]:
        return [(one.type, str(getattr(one, "value", ""))) for one in at.main]

    order = drawn(with_sample("compare"))
    (kink,) = [i for i, (kind, said) in enumerate(order) if kind == "warning" and said.startswith("At the kink")]
    assert order[kink - 1][0] == "success"
    order = drawn(with_sample("paper"))
    (kink,) = [i for i, (kind, said) in enumerate(order) if kind == "warning" and said.startswith("At the kink")]
    assert kink < order.index(("header", "Figure"))


def test_notes_on_kin_are_found_wherever_they_stand():
    statistics = measure(edited_reference(), "bleu")
    other = Note("warning", "Something else, said first.")
    kin = [note for note in statistics.notes if note.about == "kin"]
    assert notes_of_kin(replace(statistics, notes=(other, *statistics.notes)), None) == kin != []


def test_uncorrected_marks_are_called_uncorrected():
    at = with_sample("results", correction="none")
    assert "⚠ Not corrected" in marks(at)
    assert "Each of the 10 comparisons errs by itself" in at.warning[0].value
    assert "Corrected p" not in comparisons(at).columns
    hovers = next(trace["hovertext"] for trace in figures(at)[0]["data"] if "customdata" in trace)
    assert all("not corrected" in hover for hover in hovers)


def test_koehns_test_answers_on_the_overview_with_its_caution():
    said = texts(with_sample("results", test="bootstrap-koehn"))
    assert "direct is better than every other system in BLEU, by Koehn's paired bootstrap, with a caution." in said
    assert "10 to 15 of 100 cases without any difference" in said
    # No correction can be chosen for it.
    assert "has no p-value to correct; a test that has one is chosen in the sidebar" in said
