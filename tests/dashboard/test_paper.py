"""The Paper page: figures at their true size, tables, methods; plans and earlier studies come in."""

import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import streamlit
from kept import parts, worded
from made import put
from matplotlib.image import imread
from pages import address, app, at_page, group, made_files, texts, uploaded, with_sample
from sampled import sampled, slow
from streamlit.testing.v1 import AppTest

from mtsig import Settings, metric, read_sample
from mtsig.figures import PAPERS
from mtsig.report import Document, Naming, exporter
from mtsig.study import Request, Star, conduct

PLAN = (
    b'metrics = ["chrf"]\npairs = "via-galician"\nalternative = "greater"\nn_resamples = 300\n[equivalence]\n'
    b"chrf = 1.5\n"
)


def export(**query: str) -> AppTest:
    return with_sample("paper", **query)


def said(at: AppTest) -> str:
    return texts(at) + "\n".join(str(one.value) for one in at.get("code"))


def downloads(at: AppTest) -> list[str]:
    return [one.proto.label for one in at.get("download_button")]


def upload(at: AppTest, key: str, name: str, data: bytes) -> AppTest:
    (field,) = [one for one in at.get("file_uploader") if one.key == key]
    field.set_value([(name, data, "application/octet-stream")]).run()
    assert not at.exception, at.exception
    return at


def sample_study(**changes: object) -> str:
    return conduct(read_sample(), Request((metric("bleu"),), Settings(n_resamples=200), **changes)).text()  # type: ignore[arg-type]


def test_without_data_the_page_offers_the_sample_and_still_takes_a_study():
    at = app("paper")
    assert "Open the sample" in [button.label for button in at.button]
    upload(at, "study_file", "study.json", sample_study().encode())
    worded(parts(texts(at), "The documents below"))
    assert "direct" in said(at)


@pytest.fixture(scope="module")
def as_it_comes() -> AppTest:
    """The page opened once for the tests that only read it."""
    return export()


def test_the_page_holds_figure_table_methods_and_everything_else(as_it_comes: AppTest):
    at = as_it_comes
    assert {"PDF", "SVG", "PNG", "LaTeX", "Markdown", "CSV", "Spreadsheet", "Report", "Study"} <= set(downloads(at))
    text = said(at)
    lede = "direct scores 0.47 BLEU better than direct-us, the next best (adjusted CI 0.13 to 0.82, adjusted p = "
    assert lede in text
    worded(parts(text, "Exploratory: there"))
    assert "\\begin{tabular}" in text
    worded(parts(text, "We tested"))
    assert "delete-one jackknife" in text
    assert "corr:holm|of:10" in text
    assert "of 10 comparisons" in text


@sampled("paper", PAPERS, most=1)
def test_the_preview_is_told_its_size(paper: str):
    at = export(paper_paper=paper)
    assert len(at.get("image")) == 1
    assert f"{PAPERS[paper]:.2f} ×" in texts(at)


FIGURES = {
    "Scores": "BLEU with 95% CIs", "Matrix": "BLEU",
    "Differences from one system": "direct minus the row's system",
    "Resampled test sets of a pair": "10,000 resampled test sets. Right of 0 (blue), direct is ahead",
    "Swapped names of a pair": "between direct and direct-us after", "Scores by size": "on random subsets",
    "Widths by size": "Half width of 95% CIs",
}  # fmt: skip


def preview(at: AppTest):
    (shown,) = at.get("image")
    (image,) = shown.proto.imgs
    return image


@pytest.fixture(scope="module")
def by_exchanges() -> AppTest:
    """The page on which one figure is chosen after the other."""
    return export(test="ar")


@sampled("figure, said", FIGURES.items(), most=4)
def test_every_figure_of_the_pages_can_be_had_for_paper(figure: str, said: str, by_exchanges: AppTest):
    at = by_exchanges
    assert at.selectbox(key="paper_figure").options == list(FIGURES)
    at.selectbox(key="paper_figure").set_value(figure).run()
    assert not at.exception
    # Who cannot see the preview hears what it shows.
    assert preview(at).alt.startswith(f"{figure}. ")
    assert said in preview(at).alt


@pytest.mark.parametrize("figure", ["Scores", *slow("Differences from one system")])
def test_several_metrics_stand_in_one_figure(figure: str):
    at = export(metric=["BLEU", "chrF2"])
    at.selectbox(key="paper_figure").set_value(figure).run()
    assert "BLEU, chrF2" in texts(at)
    group(at, "paper_metrics").set_value(["chrf2"]).run()
    assert "BLEU, chrF2" not in texts(at)
    assert not at.exception


@pytest.mark.slow
def test_a_figure_of_one_metric_is_of_the_one_that_was_chosen():
    at = export(metric=["BLEU", "chrF2"])
    at.selectbox(key="paper_figure").set_value("Widths by size").run()
    group(at, "paper_metric").set_value("chrf2").run()
    assert not at.exception
    assert group(at, "paper_metric").value == "chrf2"
    worded(parts(texts(at), "Half width"), "95% CIs")
    bleu = export(metric=["BLEU", "chrF2"], paper_metric="bleu")
    bleu.selectbox(key="paper_figure").set_value("Widths by size").run()
    assert preview(bleu).url != preview(at).url


def named(at: AppTest, names: dict[str, str], hidden: tuple[str, ...] = ()) -> AppTest:
    at.session_state["session"].selection.naming = Naming(names, hidden)
    at.run()
    assert not at.exception, at.exception
    return at


def test_names_of_the_paper_reach_figures_tables_and_methods_and_outlive_a_change_of_page():
    at = named(export(test="ar"), {"direct": "Ours", "via-galician": "R&D_1"}, ("via-catalan",))
    at_page(at, "results")
    at_page(at, "paper")
    for figure in ("Scores", "Resampled test sets of a pair", "Scores by size"):
        at.selectbox(key="paper_figure").set_value(figure).run()
        assert not at.exception, figure
        assert not at.error, figure
        assert "direct minus" not in preview(at).alt
        assert "between direct" not in preview(at).alt
    (table,) = [one.value for one in at.get("code") if "label{tab:results}" in one.value]
    assert "Ours" in table
    assert "R\\&D\\_1" in table
    assert "via-catalan" not in table
    worded(parts(table, "4 of 5"))
    at.selectbox(key="paper_figure").set_value("Differences from one system").run()
    assert "via-catalan" not in at.selectbox(key="paper_system").options
    worded(parts(texts(at), "Ours minus"))
    assert "Of 10 comparisons" in texts(at)  # corrections count every system


def test_methods_stand_in_short_and_in_full(as_it_comes: AppTest):
    at = as_it_comes
    short, *_ = [
        one.value for one in at.get("code") if one.value.startswith("We evaluated") and "citep" not in one.value
    ]
    worded(parts(short, "Everything was computed"))
    assert "“Significantly better”" not in short
    assert "“Significantly better”" in said(at)


def test_headings_follow_in_order_and_one_link_leads_on(as_it_comes: AppTest):
    at = as_it_comes
    heads = ["Figure", "Methods", "Table", "Report and study", "Plans and earlier studies"]
    assert [one.value for one in at.header] == heads
    assert not at.subheader
    worded(one.proto.label for one in at.get("page_link"))


def test_the_sheet_has_the_rows_of_the_table_and_the_methods(as_it_comes: AppTest):
    at = as_it_comes
    (source,) = [one.value for one in at.get("code") if "label{tab:results}" in one.value]
    (table,) = [one.proto.body for one in at.get("html") if 'aria-label="Table"' in one.proto.body]
    assert re.findall(r"<tr><td[^>]*>([\w-]+)<", table) == re.findall(
        r"^([\w-]+) & ", source.partition("midrule")[2], re.MULTILINE
    )
    assert re.search(r"<b>19\.20</b> <small>\[.*?\]</small>", table)
    assert "<p>Figure 1: BLEU with 95% CIs" in texts(at)
    assert "<p>Table 1: Scores on 200 segments" in texts(at)
    assert "<p>We evaluated 5 systems" in texts(at)
    worded(downloads(at)[0])


@pytest.mark.slow
def test_of_a_table_of_many_rows_the_sheet_has_those_of_a_page():
    at = uploaded(made_files(11), "paper")
    at.selectbox(key="paper_table").set_value("Comparisons in BLEU").run()
    (table,) = [one.proto.body for one in at.get("html") if 'aria-label="Table"' in one.proto.body]
    assert table.count("<tr>") == 1 + 40
    worded(parts(texts(at), "These are", "Its 55 rows"), "40 of 55")


def test_the_page_offers_the_tables_that_the_paper_gets():
    study = conduct(read_sample(), Request((metric("bleu"), metric("chrf")), Settings(n_resamples=200)))
    at = upload(export(), "study_file", "study.json", study.text().encode())
    options = at.selectbox(key="paper_table").options
    assert {"Comparisons", "Ranks in BLEU", "Ranks in chrF2"} < {*options}
    written = exporter("latex")(Document(study)).files["tables.tex"].decode()
    at.selectbox(key="paper_table").set_value("Comparisons").run()
    (source,) = [one.value for one in at.get("code") if "label{tab:comparisons}" in one.value]
    rows = re.findall(r"^.* & .*\\$", source, re.MULTILINE)
    assert len(rows) > 20
    assert {*rows} <= {*written.splitlines()}


def test_figures_follow_the_pair_that_was_chosen():
    at = with_sample()
    at_page(at, "compare")
    at.selectbox(key="first").set_value("via-catalan").run()
    at.selectbox(key="second").set_value("via-galician").run()
    at_page(at, "paper")
    at.selectbox(key="paper_figure").set_value("Resampled test sets of a pair").run()
    worded(parts(texts(at), "between via-catalan"))


def test_settings_of_the_bar_reach_the_methods():
    text = said(export(correction="holm", unit="segment", metric="chrF2"))
    assert "with Holm's method" in text
    assert "over segments" in text
    assert "tested" in text or "chrF2" in text


def test_a_plan_is_followed_whatever_the_bar_says():
    at = upload(export(correction="none"), "plan_file", "plan.toml", PLAN)
    text = said(at)
    worded(parts(text, "Planned: these results", "one-sided (the first", "We tested equivalence"), "SHA-256", "1.5")
    at_page(at, "results")
    at_page(at, "paper")
    worded(parts(said(at), "Planned: these results"))  # it outlives a change of page
    next(button for button in at.button if button.label == "Drop the plan").click().run()
    worded(parts(said(at), "Exploratory: there"))


def test_a_plan_that_is_none_is_refused_with_its_file():
    at = upload(export(), "plan_file", "mine.toml", b"metrics = [")
    worded(at.error[0].value.replace("\\", ""), "TOML")
    assert "Exploratory" in said(at)


def test_a_study_is_made_again_to_the_digit():
    at = upload(export(), "study_file", "study.json", sample_study().encode())
    assert at.success[0].value.replace("\\", "").startswith("Reproduced exactly")
    assert "draws:200" in said(at)


def test_the_button_for_stars_says_how_many_it_takes():
    stars = tuple(Star(number, "") for number in (3, 9, 900))
    study = replace(conduct(read_sample(), Request((metric("bleu"),), Settings(n_resamples=200))), stars=stars).text()
    at = upload(export(), "study_file", "study.json", study.encode())
    # The sample has no segment 900.
    (button,) = [button for button in at.button if button.label.startswith("Add ")]
    worded(button.label, "2 stars")
    button.click().run()
    assert not [button for button in at.button if button.label.startswith("Take ")]


def test_a_study_of_other_data_names_the_line():
    files = made_files()
    study = json.loads(sample_study())
    at = upload(uploaded(files, "paper"), "study_file", "study.json", json.dumps(study).encode())
    worded(at.warning[0].value.replace("\\", ""))
    worded(parts(texts(at), "The system 'direct'"))


def test_a_study_whose_numbers_were_changed_is_found_out():
    study = json.loads(sample_study())
    put(study, "systems", 0, "score", lambda score: score + 1)
    at = upload(export(), "study_file", "study.json", json.dumps(study).encode())
    digest, found = (warning.value.replace("\\", "") for warning in at.warning[:2])
    worded(digest)
    assert "1 result differs" in found
    worded(parts(texts(at), "score 19.72 before"), "18.72 now")


def test_a_study_that_says_two_things_is_refused():
    study = json.loads(sample_study())
    study["sets"][0]["results"][0]["comparisons"]["header"]["status"] = "planned"
    at = upload(export(), "study_file", "study.json", json.dumps(study).encode())
    worded(at.error[0].value.replace("\\", ""), "'planned'", "'exploratory'")


def test_a_file_that_is_no_study_is_refused():
    at = upload(export(), "study_file", "notes.json", b'{"a": 1}')
    # What is wrong with it is said in the box that was opened for it, which stays open.
    assert next(box for box in at.expander if box.label == "Open an earlier study").proto.expanded
    worded(at.error[0].value.replace("\\", ""))


def test_a_study_with_very_many_draws_is_left_to_the_command_line():
    study = json.loads(sample_study())
    study["sets"][0]["settings"]["n_resamples"] = study["request"]["settings"]["n_resamples"] = 5_000_000
    at = upload(export(), "study_file", "study.json", json.dumps(study).encode())
    worded(at.warning[1].value.replace("\\", ""))


def test_names_with_markup_stay_text():
    files = made_files()
    name = "![x](https://example.org/x.png) $a$ <b>*b*"
    files[f"{name}.txt"] = files.pop("sys0.txt")
    at = uploaded(files, "paper")
    for element in [*at.success, *at.info, *at.warning, *at.markdown, *at.caption]:
        assert "![x](" not in element.value
        assert "<b>" not in element.value.replace("\\<b\\>", "")
    assert not at.exception


def test_one_system_alone_cannot_be_exported():
    files = made_files()
    del files["sys1.txt"]
    at = uploaded(files, "paper")
    worded(parts(texts(at), "One system alone"))


def test_a_picture_is_a_picture():
    # What the page shows comes from the library: here only that it is a bitmap of 300 dots per inch.
    from mtsig.figures import IntervalBars, on_paper

    study = conduct(read_sample(), Request((metric("bleu"),), Settings(n_resamples=100)))
    sheet = on_paper(IntervalBars.of(study.results[0].scored), "png")
    assert imread(io.BytesIO(sheet.data)).shape[1] == round(300 * sheet.width)


@pytest.mark.slow
def test_metrics_stand_side_by_side_where_there_are_two():
    at = export(metric=["BLEU", "chrF2"])
    at.selectbox(key="paper_figure").set_value("Metrics side by side").run()
    assert not at.exception
    worded(preview(at).alt)
    group(at, "paper_metrics").set_value(["chrf2"]).run()
    worded(parts(said(at), "Choose at least"))


@pytest.mark.parametrize("beside", [{}, made_files()], ids=["alone", "beside a test set"])
def test_a_study_or_plan_that_is_dropped_as_data_is_opened_on_the_paper_page(beside: dict[str, bytes]):
    at = uploaded({**beside, "study.json": sample_study().encode(), "plan.toml": PLAN})
    assert not at.error
    worded(parts(texts(at).replace("*", ""), "study.json is an"))
    next(one for one in at.button if one.label == "Open the study").click().run()
    assert not at.exception, at.exception
    worded(parts(texts(at), "the opened study"))
    # It stays through a change of page, until it is closed.
    at = at_page(at_page(at, "data"), "paper")
    next(one for one in at.button if one.label == "Close the study").click().run()
    assert "the opened study" not in texts(at)
    at = at_page(at, "data")
    next(one for one in at.button if one.label == "Follow the plan").click().run()
    assert at.session_state["session"].selection.plan is not None


def test_what_only_looks_like_a_study_is_said_where_it_is_opened():
    at = uploaded({"study.json": b'{"schema": "mtsig/3", "status": 1}'})
    next(one for one in at.button if one.label == "Open the study").click().run()
    assert at.title[0].value != "Paper"
    assert "study.json" in at.error[0].value.replace("\\", "")


@pytest.mark.slow
def test_a_metric_that_is_added_enters_the_figure():
    at = export(metric=["BLEU"])
    group(at, "metric").set_value(["BLEU", "chrF2"]).run()
    worded(preview(at).alt, "95% CIs")
    group(at, "paper_metrics").set_value(["chrf2"]).run()
    group(at, "metric").set_value(["BLEU", "chrF2", "TER"]).run()
    # What was taken out before stays out.
    worded(preview(at).alt, "TER", "95% CIs")
    assert "BLEU" not in preview(at).alt


@pytest.mark.slow
def test_the_pair_of_redraws_is_chosen_beside_them():
    at = export()
    at.selectbox(key="paper_figure").set_value("Resampled test sets of a pair").run()
    at.selectbox(key="first").set_value("via-catalan").run()
    worded(preview(at).alt)
    at.selectbox(key="second").set_value("via-catalan").run()
    worded(parts(said(at), "Choose two different"))


@pytest.mark.slow
def test_curves_by_size_are_of_the_best_and_the_worst_until_others_are_chosen():
    at = export()
    at.selectbox(key="paper_figure").set_value("Widths by size").run()
    assert at.multiselect(key="paper_systems").value == ["direct", "via-esperanto"]
    worded(preview(at).alt, "2 of 5")
    assert "elative" not in preview(at).alt
    at.multiselect(key="paper_systems").set_value(["direct", "direct-us", "via-catalan"]).run()
    worded(preview(at).alt, "3 of 5")


def test_a_figure_says_which_systems_are_not_shown():
    at = named(export(), {"via-catalan": "Ours"}, ("via-catalan",))
    worded(preview(at).alt, "5 systems")


@pytest.mark.slow
def test_differences_are_of_a_system_before_they_are_of_people():
    files = made_files()
    files["Human-A.txt"] = files["ref.txt"]
    at = uploaded(files, "paper")
    at.selectbox(key="paper_figure").set_value("Differences from one system").run()
    assert at.selectbox(key="paper_system").options[-1] == "Human-A"
    assert "Human-A minus" not in preview(at).alt


@pytest.mark.slow
def test_what_was_chosen_for_the_paper_outlives_a_reload(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path))
    at = uploaded(made_files(4), "paper")
    table = at.selectbox(key="paper_table").options[-1]
    edited = streamlit.data_editor

    def renamed(frame: pd.DataFrame, **options: Any) -> pd.DataFrame:
        if "Shown" not in frame:
            return edited(frame, **options)
        return frame.assign(**{"Name in the paper": ["Ours", *frame["System"][1:]], "Shown": [True, True, True, False]})

    with monkeypatch.context() as table_of_names:
        table_of_names.setattr(streamlit, "data_editor", renamed)
        at.run()
    assert not at.exception
    # What a browser writes into the address when these are chosen.
    chosen = {
        "paper_figure": "Differences from one system",
        "paper_system": "sys2",
        "paper_table": table,
        "paper_paper": "neurips-full",
    }
    again = app("paper", **address(at), **chosen)
    assert {name: again.selectbox(key=name).value for name in chosen} == chosen
    naming = again.session_state["session"].selection.naming
    assert (list(naming.names.values()), len(naming.hidden)) == (["Ours"], 1)
    # What names a system goes with the data.
    forgotten = at_page(again, "data")
    next(one for one in forgotten.button if one.label == "Forget my data").click().run()
    assert "sys2" not in str(address(forgotten))
