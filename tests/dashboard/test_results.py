"""The pages, run by Streamlit's own test harness: what they say, and that none is ever blank."""

import random
import re
from html import unescape
from itertools import islice, permutations
from pathlib import Path

import numpy as np
import pytest
from forms import FORMS, zipped
from kept import parts, worded
from made import DASHBOARD, WORDS, translated
from pages import (
    FOLDS,
    PAGES,
    address,
    app,
    at_page,
    at_tab,
    comparisons,
    figures,
    group,
    league,
    lines,
    made_files,
    marks,
    strip_of,
    texts,
    uploaded,
    with_sample,
)  # fmt: skip
from sampled import sampled, slow
from shown import pieces
from streamlit.testing.v1 import AppTest

from mtsig import Settings, measure, read_sample


@pytest.fixture(scope="module")
def results_of_sample() -> AppTest:
    """The page as it comes, opened once for the tests that only read it."""
    return with_sample("results")


@sampled("page", PAGES, most=3)
def test_a_page_without_data_offers_the_sample_where_it_is_of_use(page):
    at = app(page)
    # Trust asks for ratings, which the sample has none of: it leads to where they come in.
    assert ("Open the sample" in [button.label for button in at.button]) == (page != "trust")
    if page == "trust":
        worded(parts([button.label for button in at.button], "Add ratings"), "Data")
    elif page != "data":
        assert "data" in [one.proto.page for one in at.main.get("page_link")]


@pytest.mark.parametrize("page", [page for page in PAGES[1:] if page not in ("trust", "lab")])
def test_a_page_with_data_opens_with_a_sentence_and_a_figure(page):
    # Trust asks for ratings, which the sample has none of; the lab runs when asked.
    at = with_sample(page)
    assert figures(at) or (page == "segments" and "Contribution" in texts(at))
    assert "BLEU" in texts(at)
    assert page == "segments" or "How to read this" in marks(at)


def test_the_sample_is_summed_up_on_the_data_page():
    worded(parts(texts(with_sample()), "1 reference"), "5 systems", "200 segments", "20 documents")


def test_what_is_folded_costs_nothing_and_ledes_are_brief_on_a_phone():
    at = app("data", data="sample")
    for fold in FOLDS:
        at.session_state[fold] = False
    for page in ("results", "compare", "planning"):
        at = at_page(at, page, folds=())
        assert not at.dataframe, page
        assert not at.get("download_button"), page
        (lede,) = [one.proto.body for one in at.get("html") if 'class="lede"' in one.proto.body]
        full, brief = (unescape(re.sub("<.*?>", "", said)) for said in re.findall(r"<p class=.*?>(.*?)</p>", lede))
        # Three lines of some 46 letters; the title has the names.
        assert len(brief) <= 140, page
        assert len(brief) < len(full), page
        of_full, of_brief = (set(re.findall(r"[.\d]*\d", said)) for said in (full, brief))
        assert of_brief <= of_full, page


def test_results_open_with_the_verdict_and_do_not_compare_by_overlap(results_of_sample: AppTest):
    at = results_of_sample
    said = texts(at)
    worded(at.title[0].value.replace("\\", ""), "5 systems", "BLEU")
    worded(
        parts(said, "direct scores 0.47", "9 of 10", "Overlapping intervals do", "Do not compare"),
        "0.47 BLEU",
        "0.13 to 0.82",
        "0.05",
    )


@pytest.mark.slow
def test_results_show_every_chosen_metric_in_the_order_of_one():
    at = with_sample("results")
    group(at, "metric").set_value(["bleu", "chrf"]).run()
    assert not at.exception
    worded(at.title[0].value.replace("\\", ""), "5 systems", "BLEU")
    worded(parts(texts(at), "9 of 10"), "BLEU")
    rows = league(at)
    assert list(rows) == ["direct", "direct-us", "via-catalan", "via-galician", "via-esperanto"]
    bleu, chrf = (Settings().intervals(measure(read_sample(), name))["direct"] for name in ("bleu", "chrf"))
    assert rows["direct"] == [
        *(f"{score.score:.2f} ({score.ci_low:.2f} to {score.ci_high:.2f})" for score in (bleu, chrf)),
        "1",
    ]
    assert [row[-1] for row in rows.values()] == ["1", "2", "3–4", "3–4", "5"]
    # One forest for each metric, and one matrix, of the metric that is chosen.
    assert sum("with 95% CI" in title for title in headings(at)) == 2
    worded(parts(headings(at), "Row minus column"), "BLEU")
    group(at, "shown").set_value("chrF2").run()
    worded(parts(texts(at), "Of 10 comparisons"))
    worded(parts(headings(at), "Row minus column"))


def headings(at) -> list[str]:
    """Return the texts of the wide figure that stand beside its axes."""
    return [one["text"] for one in figures(at)[0]["layout"]["annotations"]]


def test_human_translations_are_marked_and_never_the_best():
    files = made_files(3)
    names = {"sys0.txt": "refB.txt", "sys1.txt": "systems/one.txt", "sys2.txt": "systems/two.txt"}
    at = uploaded(
        {"systems/HUMAN.txt" if new == "refB.txt" else new: files[old] for old, new in names.items()}
        | {"ref.txt": files["ref.txt"]}
    )
    worded(parts(texts(at), "1 reference"), "2 systems", "1 human", "40 segments")
    at_page(at, "results")
    assert not at.title[0].value.startswith("HUMAN")
    assert "Not ranked" in headings(at)
    assert "<strong>1 human translation</strong>" in texts(at)
    worded(parts(league(at), "HUMAN (not ranked:"))
    at = at_page(at, "compare")
    assert [at.selectbox(key=key).value for key in ("first", "second")] == ["one", "two"]
    assert at.selectbox(key="first").options == ["one", "two", "HUMAN"]
    assert "HUMAN is a human translation, not a system." not in texts(at)
    at.selectbox(key="second").set_value("HUMAN").run()
    worded(parts(texts(at), "HUMAN is"))


@pytest.mark.parametrize("page", ["compare", *slow("planning")])
def test_of_two_human_translations_it_is_said_that_they_are(page: str):
    files = made_files(2)
    at = uploaded(
        {f"systems/ref{x}.txt": files[f"sys{i}.txt"] for i, x in enumerate("AB")} | {"ref.txt": files["ref.txt"]}
    )
    at = at_page(at, page)
    worded(parts(texts(at), "Both are human"))


def test_a_reference_among_the_systems_never_wins_in_green_by_its_own_scores():
    reference = [line or "" for line in read_sample().references["ref"]]
    outputs = {f"systems/{name}": list(read_sample().lines(name)) for name in ("direct", "via-catalan")}
    at = uploaded(files_of({**outputs, "systems/refA": reference}))
    at.session_state["first"], at.session_state["second"] = "refA", "direct"
    at = at_page(at, "compare")
    worded(at.title[0].value.replace("\\", ""))
    worded(parts(strip_of(at), "▲ 1 warning:"))
    assert not at.warning
    worded(parts(texts(at_page(at, "results")), "refA is"))


def test_the_strip_says_what_the_numbers_rest_on(results_of_sample: AppTest):
    at = results_of_sample
    for said in ("✓ No warnings", "✓ BLEU tokenized with 13a", "20 documents", "1 reference", "All 2 findings"):
        assert said in strip_of(at)
    # So few documents have a finding of their own, and no tick.
    assert "✓ 20 documents" not in strip_of(at)
    listed = "".join(one.proto.body for one in at.get("html"))
    worded(parts(listed, "p-values need no"))
    drawn = with_sample("results", unit="segment")
    assert "p-values are precise" in "".join(one.proto.body for one in drawn.get("html"))


def test_the_next_steps_lead_to_the_closest_pair():
    at = with_sample("results")
    next(one for one in at.button if one.label == "Compare direct and direct\\-us").click().run()
    assert not at.exception
    assert "direct beats direct-us" in texts(at)


def test_the_next_step_of_results_is_to_read_the_closest_pair():
    at = with_sample("results")
    next(one for one in at.button if one.label == "Read the most influential segments").click().run()
    assert not at.exception
    assert at.button(key="swap")  # a page of two systems
    assert (at.selectbox(key="first").value, at.selectbox(key="second").value) == ("direct", "direct-us")


def files_of(outputs: dict[str, list[str]]) -> dict[str, bytes]:
    """Return the files of these outputs and the sample's reference."""
    texts_by_name = {**outputs, "ref": [line or "" for line in read_sample().references["ref"]]}
    return {f"{name}.txt": lines(texts) for name, texts in texts_by_name.items()}


def test_where_nothing_separates_two_no_segments_are_said_to_decide():
    direct, catalan, far = (list(read_sample().lines(name)) for name in ("direct", "via-catalan", "via-esperanto"))
    at = uploaded(files_of({"direct": direct, "nearly": [*catalan[:3], *direct[3:]], "far": far}))
    labels = {one.label for one in at_page(at, "results").button}
    worded(parts(labels, "Read the segments"))
    assert "Read the most influential segments" not in labels


def test_comparisons_show_what_has_room_and_their_file_holds_the_rest(results_of_sample: AppTest):
    at = results_of_sample
    table = next(one for one in at.dataframe if "First" in one.value.columns)
    beyond = {"p", "Bootstrap win rate", "Low, unadjusted", "High, unadjusted"}
    assert beyond < set(table.value.columns)
    assert list(table.proto.column_order) == [name for name in table.value.columns if name not in beyond]


@pytest.mark.slow
def test_comparisons_leave_out_what_long_names_take_the_room_of():
    def columns(at):
        return list(next(one for one in at.dataframe if "First" in one.value.columns).proto.column_order)

    assert "Detectable" in columns(with_sample("results"))
    outputs = {
        f"a system whose name is long, {name}": list(read_sample().lines(name)) for name in read_sample().systems
    }
    at = uploaded(files_of(outputs))
    assert columns(at_page(at, "results"))[-1] == "Verdict"


def test_a_narrow_window_has_pair_verdict_and_p_of_every_comparison(results_of_sample: AppTest):
    at = results_of_sample
    (said,) = (one.proto.body for one in at.get("html") if 'class="grid pairs"' in one.proto.body)
    assert said.count("<tr>") == 11
    assert "direct<br>direct-us</th><td>direct better</td>" in said


def test_what_is_wrong_with_the_data_stands_above_the_first_verdict_on_two_systems():
    direct, catalan = (list(read_sample().lines(name)) for name in ("direct", "via-catalan"))
    at = uploaded(files_of({"direct": direct, "shifted": ["an extra line", *catalan[:-1]]}))
    worded(parts(strip_of(at_page(at, "compare")), "shifted has misaligned"))
    assert not [one for one in with_sample("compare").expander if "Before you quote" in one.label]


def test_compare_opens_with_the_verdict_on_the_two_best():
    at = with_sample("compare")
    said = texts(at)
    worded(at.title[0].value.replace("\\", ""), "0.47 BLEU")
    lede = "direct is 0.47 BLEU ahead on these 20 documents; on similar data, it could be anywhere from 0.13 to 0.82 "
    worded(parts(said, f"{lede}ahead (adjusted CI", "corrected for 10"), "10 comparisons")


def test_turning_the_pair_round_turns_the_sign():
    at = with_sample("compare")
    at.selectbox(key="first").set_value("direct-us").run()
    at.selectbox(key="second").set_value("direct").run()
    assert not at.exception
    worded(figures(at)[0]["layout"]["xaxis"]["title"]["text"], "BLEU")
    assert "estimate −0.47" in [one["text"] for one in figures(at)[0]["layout"]["annotations"]]
    worded(at.title[0].value.replace("\\", ""), "0.47 BLEU")


def test_a_system_is_not_compared_with_itself():
    at = with_sample("compare")
    at.selectbox(key="second").set_value("direct").run()
    assert "two different systems" in at.info[0].value


def test_a_win_rate_gets_no_p_value():
    at = with_sample("compare")
    at.selectbox(key="test").set_value("bootstrap-koehn").run()
    assert not at.exception
    said = texts(at)
    worded(parts(said, "of resamples (Koehn's"), "95%")
    assert "p = " not in said.replace("\u00a0", " ")
    # What it does not use is disabled, and the line above says the same as the page.
    assert at.selectbox(key="correction").disabled
    assert any("uncorrected" in one.value for one in at.main.caption)


def test_settings_that_a_test_does_not_use_are_disabled():
    at = with_sample("compare", test="sacrebleu-bs", n_resamples="5000")
    assert at.number_input(key="n_resamples").disabled
    said = [one.value.replace("\\", "") for one in at.main.caption]
    worded(parts(said, "Not used:"), "1,000 resamples")
    assert any("1,000 resamples" in one for one in said)
    assert not with_sample("compare").number_input(key="n_resamples").disabled


def test_a_test_that_is_not_for_the_metric_leads_on_by_one_click():
    at = with_sample("results", test="wilcoxon", correction="none", unit="segment")
    worded(one.value for one in at.error)
    labels = [one.label for one in at.button]
    assert "Use sentBLEU" in labels
    next(one for one in at.button if one.label == "Use sentBLEU").click().run()
    assert not at.exception
    assert "sentBLEU" in at.title[0].value
    assert "signed" in at.title[0].value
    again = with_sample("results", test="wilcoxon", correction="none", unit="segment")
    next(one for one in again.button if one.label == "Use the recommended test").click().run()
    assert "BLEU" in again.title[0].value
    assert "signed" not in again.title[0].value


@pytest.mark.parametrize(
    ("asked", "labels"),
    [
        ({"correction": "tukey"}, ["Use sentBLEU", "Use the recommended test"]),
        ({"interval": "wilson"}, ["Use the recommended test"]),
    ],
)
def test_a_correction_or_an_interval_that_is_not_for_the_metric_does_too(asked: dict[str, str], labels: list[str]):
    at = with_sample("results", **asked)
    assert [one.label for one in at.button if one.label.startswith("Use ")] == labels
    next(one for one in at.button if one.label == "Use the recommended test").click().run()
    assert not at.error
    assert "BLEU" in at.title[0].value


@pytest.mark.slow
def test_several_metrics_say_what_they_add_up_to_and_one_click_judges_them_together():
    at = with_sample("results", metric=["BLEU", "chrF2"])
    worded((one.value.replace("\\", "") for one in at.caption), "2 metrics", "10%")
    next(one for one in at.button if one.label == "Correct for all metrics together").click().run()
    assert at.checkbox(key="joined").value
    assert "family-wise error rate is at most" not in texts(at)


def test_a_cell_of_the_matrix_opens_its_pair():
    at = with_sample("results")
    points = [tuple(said[:2]) for trace in figures(at)[0]["data"] for said in trace.get("customdata", ())]
    assert ("direct", "via-catalan") in points
    assert len(points) == 10
    at.toggle(key="full_square").set_value(True).run()
    points = [tuple(said[:2]) for trace in figures(at)[0]["data"] for said in trace.get("customdata", ())]
    assert ("via-catalan", "direct") in points
    assert len(points) == 20


def test_the_number_of_comparisons_is_on_the_matrix_page(results_of_sample: AppTest):
    worded(parts(texts(results_of_sample), "Of 10 comparisons"), "BLEU")


def test_bad_settings_in_the_address_fall_back():
    assert figures(with_sample("results", test="no-such-test", level="7"))


def test_the_address_reproduces_the_view():
    said = texts(with_sample("results", correction="holm", unit="segment"))
    assert "corrected by Holm" in said
    assert "over segments" in said


def test_uploaded_files_get_roles_and_results():
    at = uploaded(made_files())
    worded(parts(texts(at), "1 reference"), "2 systems", "40 segments")
    at_page(at, "compare")
    assert figures(at)


def test_a_file_too_long_is_named_with_its_first_extra_line():
    files = made_files()
    files["sys1.txt"] += b"one line too many\n"
    at = uploaded(files)
    said = at.error[0].value.replace("\\", "")
    assert "sys1" in said
    assert "41 segments" in said
    worded(parts(said, "one line too"))
    assert "See the results" not in [button.label for button in at.button]
    assert "sys1" in at_page(at, "results").error[0].value


def test_invalid_utf8_is_named_with_line_and_byte():
    at = uploaded(made_files() | {"sys1.txt": b"good\nb\xffad\n"})
    worded(at.error[0].value.replace("\\", ""), "UTF-8", "2")


def test_every_broken_file_is_told_on_a_line_of_its_own():
    at = uploaded(made_files() | {"sys1.txt": b"b\xffad\n", "ref.txt": b"", "c.rar": b"Rar!\x1a\x07\x01\0"})
    said = at.error[0].value.replace("\\", "").split("\n")
    assert [line.split(" is ")[0] for line in said] == ["- sys1.txt", "- ref.txt", "- c.rar"]
    assert not at.warning
    many = uploaded({f"{name}.txt": b"\xff" for name in range(30)})
    worded(many.error[0].value, "20 more")


def test_one_system_alone_is_scored_and_not_compared():
    files = made_files()
    del files["sys1.txt"]
    at = uploaded(files)
    at_page(at, "results")
    worded(parts(texts(at), "One system alone"))
    assert league(at)["sys0"]
    at_page(at, "compare")
    worded(at.title[0].value)


def test_names_are_shown_as_text():
    files = made_files()
    # A picture in Markdown would be fetched from outside by whoever opens the page.
    name = "![x](https://example.org/x.png) $a$ <b>*b*"
    files[f"{name}.txt"] = files.pop("sys0.txt")
    at = uploaded(files, "compare")
    for element in [*at.success, *at.info, *at.warning, *at.markdown, *at.caption]:
        assert "![x](" not in element.value
        assert "<b>" not in element.value.replace("\\<b\\>", "")


def test_starting_over_forgets_the_data():
    at = with_sample()
    next(button for button in at.button if button.label == "Forget my data").click().run()
    assert "Open the sample" in [button.label for button in at.button]


@pytest.mark.slow
def test_every_form_of_files_can_be_dropped():
    for form, make in FORMS.items():
        at = uploaded(zipped(make()))
        assert not at.exception, form
        assert "1 reference · 2 systems · 4 segments · 2 documents" in texts(at), form


def test_of_several_language_pairs_one_is_chosen():
    files = FORMS["wmt-names"]()
    more = {name.replace("es-en", "de-en"): text + b"more\n" for name, text in files.items() if "es-en" in name}
    at = uploaded({**files, **more})
    assert not at.exception
    worded(parts(texts(at), "1 reference"), "2 systems", "4 segments", "2 documents")
    one = next(one for one in at.selectbox if one.label == "Test set")
    one.set_value("de-en").run()
    assert not at.exception
    worded(parts(texts(at), "has 4 segments"))
    one = next(one for one in at.selectbox if one.label == "Test set")
    one.set_value("es-en").run()
    worded(parts(texts(at), "1 reference"), "2 systems", "4 segments", "2 documents")


def test_the_logs_of_a_benchmark_can_be_dropped():
    logs = Path(__file__).parents[1] / "readers" / "logs" / "lm-eval"
    at = uploaded(zipped({path.relative_to(logs).as_posix(): path.read_bytes() for path in logs.rglob("*.json*")}))
    assert not at.exception
    worded(parts(texts(at), "2 systems"), "16 segments")
    one = next(one for one in at.selectbox if one.label == "Test set")
    assert sorted(one.options) == ["capitals", "es_en", "sums"]
    one.set_value("sums").run()
    assert not at.exception
    worded(parts(texts(at), "1 reference"), "2 systems", "16 segments")


def test_the_doctor_speaks_on_the_data_page_before_any_number():
    at = with_sample()
    assert not any("▲" in text for text in pieces(at))
    files = made_files()
    slipped = files["sys0.txt"].split(b"\n")[:-1]
    files["sys0.txt"] = b"\n".join([*slipped[:10], *slipped[11:30], b"something else", *slipped[30:]]) + b"\n"
    at = uploaded(files)
    assert not at.exception
    assert "lines 11–28" in texts(at)
    worded(parts(texts(at), "fit the reference"), "1 line")


def test_the_doctor_says_where_a_text_of_another_length_slipped():
    files = made_files()
    files["sys0.txt"] = b"\n".join(files["sys0.txt"].split(b"\n")[1:])
    at = uploaded(files)
    assert not at.exception
    worded(parts(texts(at), "has 39 lines"), "40")


def test_a_part_of_the_test_set_can_be_chosen_and_all_pages_say_so():
    files = made_files()
    files["domains.txt"] = b"news\n" * 25 + b"talks\n" * 15
    at = uploaded(files)
    choice = next(one for one in at.multiselect if one.label == "Domain")
    choice.select("news").run()
    assert not at.exception
    worded(parts(texts(at), "25 of 40", "1 reference"), "2 systems", "40 segments")
    at_page(at, "results")
    worded(parts(texts(at), "Only domain:"), "25 of 40", "Data")
    at_page(at, "data")
    # The way back to the whole: nothing chosen.
    next(one for one in at.multiselect if one.label == "Domain").unselect("news").run()
    at_page(at, "results")
    assert "chosen on the Data page" not in texts(at)


def test_slices_that_share_no_segment_are_told_and_nothing_changes():
    files = made_files()
    files["domains.txt"] = b"news\n" * 20 + b"talks\n" * 20
    files["docids.txt"] = b"".join(b"d%d\n" % (number // 10) for number in range(40))
    at = uploaded(files)
    next(one for one in at.multiselect if one.label == "Domain").select("news").run()
    next(one for one in at.multiselect if one.label == "Document").select("d3").run()
    assert "domain=news, document=d3." in texts(at)
    worded(parts(texts(at), "20 of 40"))


def test_the_compare_page_shows_the_pair_in_slices():
    at = at_tab(with_sample(None), "Subsets")
    assert "Subsets by" in [one.label for one in at.get("button_group")]
    said = texts(at)
    worded(parts(said, "The difference does", "Results for this"), "3 subsets")
    assert "short (" in said


def test_tables_have_no_csv_but_ours():
    """Streamlit's button does not know what a spreadsheet computes; that the rule meets it was seen in a browser."""
    style = (DASHBOARD / "style.css").read_text(encoding="utf-8")
    rule = style.split('button[aria-label^="Download as CSV"]')[1]
    assert rule.split("}")[0].split() == ["{", "display:", "none;"]


def test_one_segment_is_refused_in_words_on_every_page():
    at = uploaded(
        {"a.txt": b"one two three four five\n", "b.txt": b"one two\n", "ref.txt": b"one two three four five\n"}
    )
    for page in ("results", "compare", "planning"):
        at_page(at, page)
        assert "at least 2" in at.error[0].value


def test_a_level_is_never_rounded_up():
    said = texts(with_sample("results", level="0.975"))
    assert "97.5% CI" in said
    assert "98%" not in said


def test_an_uncorrected_test_is_not_called_a_corrected_one(results_of_sample: AppTest):
    assert "Holm, FWER 0.05" in texts(results_of_sample)
    shown = texts(with_sample("results", correction="none"))
    worded(parts(shown, "not corrected"), "0.05")
    assert "FWER" not in shown


def test_two_systems_are_told_nothing_of_ranks_that_are_not_there():
    told = "Ranked first"
    assert told in texts(with_sample("results"))
    at = uploaded(made_files(2), "results")
    assert told not in texts(at)


def test_of_many_metrics_the_title_speaks_of_one_and_a_table_shows_all():
    at = with_sample("results", metric=["BLEU", "chrF2", "TER", "chrF2++"])
    assert at.title[0].value.replace("\\", "").endswith("in BLEU")
    assert len([title for title in headings(at) if "with 95% CI" in title]) == 1
    (table,) = [one.proto.body for one in at.get("html") if 'class="grid league"' in one.proto.body]
    worded(parts(table, "TER ↓"), "95% CI")
    two = with_sample("results", metric=["BLEU", "chrF2"])
    worded(two.title[0].value.replace("\\", ""), "BLEU")
    assert not [one for one in two.get("html") if 'class="grid league"' in one.proto.body]


def test_differences_from_one_system_are_shown_left_again_and_in_the_address():
    at = with_sample("results", from_system="via-catalan")
    worded(parts(headings(at), "BLEU, difference"))
    dots = next(trace for trace in figures(at)[0]["data"] if trace.get("error_x"))
    family = Settings().family(measure(read_sample(), "bleu"))
    pair = family.pair("direct", "via-catalan")
    assert dots["x"][0] == pytest.approx(pair.difference)
    assert dots["x"][2] == 0
    worded(parts(texts(at), "thin, adjusted"), "10 comparisons")
    next(one for one in at.button if one.key == "leave-base").click().run()
    assert not at.exception
    worded(parts(headings(at), "BLEU, with 95%"), "95% CI")
    assert "from_system" not in address(at)
    assert not [one for one in at.button if one.key == "leave-base"]


def test_of_two_systems_the_better_one_stands_first_in_the_table():
    reference = [" ".join(words) for words in islice(permutations(["the", "ape", "bee", "cow", "dog", "eel"], 5), 40)]
    worse = [line if i % 3 else "x y z" for i, line in enumerate(reference)]
    # Files come by name: the better system comes last.
    files = {"z.txt": [*reference[:-1], "e"], "a.txt": worse, "ref.txt": reference}
    row = comparisons(uploaded({name: lines(text) for name, text in files.items()}, "results")).iloc[0]
    assert (row["First"], row["Second"]) == ("z", "a")
    assert row["Δ BLEU"] > 0


@pytest.mark.slow
def test_a_system_of_next_to_no_bleu_is_beaten_in_headline_table_and_matrix():
    sample, rng = read_sample(), random.Random(2)
    good = list(sample.lines("direct"))
    # Now and then a word of the references, and never two in their order.
    broken = [" ".join(rng.choice(["the", ".", "q"]) for _ in line.split()) for line in good]
    outputs = {"direct": good, "broken": broken, "via-catalan": list(sample.lines("via-catalan"))}
    files = files_of(outputs) | {"docids.txt": lines(sample.documents or ())}
    at = uploaded(files, "results")
    worded(at.title[0].value, "3 systems", "BLEU")
    table = comparisons(at)
    verdicts = dict(zip(zip(table["First"], table["Second"], strict=True), table["Verdict"], strict=True))
    assert verdicts == {
        ("direct", "via-catalan"): "direct better",
        ("direct", "broken"): "direct better",
        ("via-catalan", "broken"): "via-catalan better",
    }
    (said,) = (one.proto.body for one in at.get("html") if 'class="grid pairs"' in one.proto.body)
    for better in ("direct", "via-catalan"):
        assert f"{better}<br>broken</th><td>{better} better</td>" in said


@pytest.mark.slow
def test_what_a_difference_from_an_inflated_score_may_hide_is_said() -> None:
    rng = np.random.default_rng(3)
    first = [" ".join(rng.choice(WORDS, rng.integers(8, 20))) for _ in range(240)]
    outputs = {
        f"sys{at}": translated(first, kept, rng) for at, kept in enumerate([0.85, 0.8, 0.75, 0.7, 0.7, 0.65, 0.6])
    }
    outputs["kin"] = translated(first, 0.2, rng)
    reference = [own if at % 3 == 0 else line for at, (own, line) in enumerate(zip(outputs["kin"], first, strict=True))]
    files = {f"{name}.txt": lines(output) for name, output in outputs.items()}
    said = texts(uploaded(files | {"ref.txt": lines(translated(reference, 0.995, rng))}, "results"))
    worded(parts(said, "Verdicts in favour", "Where a difference"))
    assert "that kin is worse" not in said  # it is significantly worse than none
