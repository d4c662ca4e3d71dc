"""The Lab page: choose, run, read, take away."""

import ast
import re
from functools import cache
from html import unescape
from pathlib import Path
from shutil import which

import pytest
from kept import parts, worded
from made import DASHBOARD
from pages import address, app, at_page, figures, group, made_files, texts, uploaded, with_sample
from sampled import sampled
from shown import codes
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from mtsig.explain import EXPLANATIONS
from mtsig.lab import EXPERIMENTS, FIGURES
from mtsig.lab._koehn2004 import MeanInterval
from mtsig.lab._sampling import Redraws
from mtsig.meta_eval._blind_spots import Underrated
from mtsig.segments._ablation import SizeCurves

FORMATS = ["PDF", "SVG", "PNG", *(["PGF"] if any(map(which, ("pdflatex", "lualatex", "xelatex"))) else [])]

QUICK = ("separation", "sensitivity", "orderings", "sentence", "variation", "tests")


def chosen(name: str, simulated: bool = False, **numbers: float) -> AppTest:
    """Choose an experiment on the sample, with numbers for its options."""
    return set_up(with_sample("lab", experiment=name), name, simulated, **numbers)


@cache
def page_for_all() -> AppTest:
    """Return the page on the sample, opened once for the tests that run nothing on it."""
    return with_sample("lab")


def set_up(at: AppTest, name: str, simulated: bool = False, **numbers: float) -> AppTest:
    if keyed(at.selectbox, "experiment").value != name:
        keyed(at.selectbox, "experiment").set_value(name).run()
    if simulated:
        group(at, "on").set_value("Simulated segments with known truth").run()
    for option, value in numbers.items():
        keyed(at.number_input, f"{name}.{option}").set_value(value)
    if numbers:
        at.run()
    assert not at.exception, at.exception
    return at


def keyed(widgets, key: str):
    return next(one for one in widgets if one.key == key)


def answer(at: AppTest) -> str:
    """Return what was found: title, where it is no experiment's name, and lede; nothing while nothing was run."""
    title = at.title[0].value.replace("\\", "")
    said = [] if title in {known.label for known in EXPERIMENTS.values()} else [f"{title}."]
    ledes = [one.proto.body for one in at.get("html") if 'class="lede"' in one.proto.body]
    return " ".join([*said, *(unescape(re.sub(r"<[^>]+>", "", lede)) for lede in ledes[:1])])


def run(at: AppTest) -> AppTest:
    if pressed := [one for one in at.button if one.label == "Run"]:
        pressed[0].click().run()
    assert not at.exception, at.exception
    return at


@sampled("name", EXPERIMENTS, most=6)
def test_every_experiment_can_be_chosen_and_waits_for_run_unless_it_is_quick(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What a test before ran is there at once.
    monkeypatch.setattr("mtsig_dashboard.memory.recalled", {}.get)
    at = set_up(page_for_all(), name)
    # The finding is the title where it is short, else the experiment's name; the question is asked in either case.
    assert (EXPERIMENTS[name].label == at.title[0].value.replace("\\", "")) or EXPERIMENTS[name].at_once
    assert EXPERIMENTS[name].about in texts(at)
    (source,) = [one.value for one in at.caption if "From " in one.value]
    assert re.search(r"From .*(Koehn|Vogel|Maxwell|Rowe) \((19|20)\d\d\), [A-Z].{30}", source.replace("\\", ""))
    assert not re.search(r"ZV04|K04|RM05|CB06|STATISTICS", texts(at))
    ways = [*(one.proto.label for one in at.get("page_link")), *(one.label for one in at.button)]
    assert ways.count("See the results of your systems") == 1
    assert ("Press Run" in texts(at)) != EXPERIMENTS[name].at_once
    assert bool(answer(at)) == EXPERIMENTS[name].at_once
    assert not at.error
    assert not [*codes(at)]


def test_the_results_are_shown_by_the_interval_that_an_experiment_was_on() -> None:
    at = set_up(with_sample("lab"), "coverage")
    at.selectbox(key="coverage.interval").set_value("basic").run()
    at.button(key="by-these-methods").click().run()
    assert not at.exception, at.exception
    assert at.session_state["session"].selection.choices.settings.interval == "basic"


def test_at_first_sight_there_is_a_result_with_a_picture_and_no_form() -> None:
    at = with_sample("lab")
    assert answer(at)
    assert len(figures(at)) == 1
    assert "Run" not in [one.label for one in at.button]
    # The options are behind a button of the bar.
    assert "Options of the experiment" in [one.proto.popover.label for one in at.get("popover")]


@sampled("name", QUICK, most=3)
def test_quick_experiments_run_on_the_sample(name: str) -> None:
    numbers = {"size": 20} if name == "variation" else {}
    at = run(chosen(name, **numbers))
    assert not at.error
    assert answer(at)
    drawn = figures(at)
    assert drawn or name == "sentence"
    # Each figure in every format of papers, one for the table, one for everything.
    assert len(at.get("download_button")) == len(FORMATS) * len(drawn) + 2


def test_a_result_is_there_again_without_running() -> None:
    at = run(chosen("tests"))
    at.run()
    assert answer(at)


def test_a_run_that_a_change_has_stopped_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    at = chosen("variation", size=19, orders=21)  # which no other test has remembered
    with monkeypatch.context() as patched:

        def stopped(*_: object) -> None:
            raise StopException  # as Streamlit does in the work's own bar when the visitor changes something

        patched.setattr("mtsig_dashboard.memory.asked", stopped)
        run(at)
    at.run()
    worded(parts(texts(at), "Broad or consecutive"))
    assert "was stopped" not in texts(run(at))


def test_another_option_needs_another_run() -> None:
    at = run(chosen("variation"))
    keyed(at.number_input, "variation.orders").set_value(22).run()
    assert "Press Run" in texts(at)
    # One that is quick is there again by itself.
    at = chosen("separation")
    before = answer(at)
    keyed(at.number_input, "separation.power").set_value(50).run()
    assert answer(at) != before


def test_the_sample_brings_its_references_to_the_experiment_on_them() -> None:
    at = run(chosen("references"))
    assert "3 references on" in answer(at)


def test_a_sentence_is_shown_with_its_matches_marked() -> None:
    at = run(chosen("sentence"))
    shown = [one.value for one in at.markdown]
    assert any(one.startswith("**Translation**") and "**" in one[15:] for one in shown)
    assert any(one.startswith("**Reference 1**") for one in shown)


@pytest.mark.slow
def test_simulated_segments_stand_in_where_truth_is_needed() -> None:
    at = run(chosen("variation", simulated=True, size=300, orders=20))
    assert "30,000 simulated segments" in texts(at)
    worded(parts(answer(at), "100 test sets"), "300")


def test_without_data_every_experiment_is_offered_and_says_what_it_needs() -> None:
    at = app("lab")
    assert not at.exception
    assert "Open the sample" in [one.label for one in at.button]
    assert keyed(at.selectbox, "experiment").options == [known.label for known in EXPERIMENTS.values()]
    for name, needs in (
        ("sentence", "needs data with texts"),
        ("relations", "needs data: it compares several metrics"),
    ):
        set_up(at, name)
        assert needs in texts(at)
        assert "Run" not in [one.label for one in at.button]
        assert [one.label for one in at.button if one.proto.type == "primary"] == ["Open the sample"]
    set_up(at, "variation")
    assert [one.label for one in at.button if one.proto.type == "primary"] == ["Run"]
    at = run(set_up(at, "variation", size=300, orders=20))
    assert "30,000 simulated segments" in texts(at)
    worded(parts(answer(at), "100 test sets"), "300")
    # With data it is these data that are asked about, as ever.
    next(one for one in at.button if one.label == "Open the sample").click().run()
    assert group(at, "on").value == "These data"


@pytest.mark.parametrize("name", ["calibrate", "sentence"])
def test_an_experiment_typed_into_the_address_is_the_one_that_opens(name: str) -> None:
    at = app("lab", experiment=name)
    assert keyed(at.selectbox, "experiment").value == name
    assert EXPERIMENTS[name].about in texts(at).replace("\\", "")
    # What is chosen then holds, whatever was typed.
    set_up(at, "variation")
    assert EXPERIMENTS["variation"].about in texts(at)


def test_what_does_not_fit_the_data_is_said() -> None:
    at = run(chosen("variation", size=100))
    worded(at.error[0].value.replace("\\", ""), "5 sets")


def test_numbers_that_are_none_are_asked_for_again() -> None:
    at = chosen("calibrate")
    keyed(at.text_input, "calibrate.sizes").set_value("many").run()
    assert "Expected at most" in texts(at)


@pytest.mark.slow
def test_nulls_are_chosen_by_name() -> None:
    at = chosen("calibrate", simulations=50, n_resamples=99)
    for option, system in {"first": "via-catalan", "second": "via-galician"}.items():
        keyed(at.selectbox, f"calibrate.{option}").set_value(system).run()
    assert keyed(at.multiselect, "calibrate.nulls").value == ["exchangeable", "equal-scores"]
    keyed(at.multiselect, "calibrate.nulls").set_value(["equal-scores"]).run()
    keyed(at.multiselect, "calibrate.tests").set_value(["ij-t"]).run()
    for option, value in {"sizes": "100", "effects": "0"}.items():
        keyed(at.text_input, f"calibrate.{option}").set_value(value).run()
    found = answer(run(at))
    at.multiselect(key="calibrate.nulls").set_value([]).run()
    assert not at.exception
    worded(at.error[0].value)
    # A reload does not bring back what was emptied.
    again = with_sample()
    again.session_state["experiment"] = "calibrate"
    again.switch_page("app_pages/lab.py")
    again.query_params["no.calibrate.nulls"] = "true"
    assert keyed(again.run().multiselect, "calibrate.nulls").value == []
    worded(found)
    assert "Under systems that are exchangeable" not in found


def test_names_from_the_data_stay_text() -> None:
    name = "*a*<b>$x$"
    lines = b"the cat sat on the mat today\n" * 30
    at = uploaded({f"{name}.txt": lines, "B.txt": lines.replace(b"mat", b"rug"), "ref.txt": lines})
    at_page(at, "lab")
    run(set_up(at, "orderings"))
    assert name in answer(at)
    assert "<b>$x$" not in "".join(one.proto.body for one in at.get("html"))


def test_downloads_are_what_is_shown() -> None:
    at = run(chosen("separation"))
    assert [one.proto.label for one in at.get("download_button")] == ["CSV", "JSON", *FORMATS]


_OF_PAPERS = (Redraws, SizeCurves, MeanInterval, Underrated)
"""What no experiment finds."""


def test_every_figure_says_how_it_is_read() -> None:
    told = {name for name in EXPLANATIONS if name.startswith("experiment-")}
    titles = {title for kind, one in FIGURES.items() if kind not in _OF_PAPERS for title in one}
    assert told == {f"experiment-{title.lower().replace(' ', '-')}" for title in titles}


def test_small_data_get_a_size_that_fits() -> None:
    at = run(chosen("variation"))
    assert not at.error
    worded(parts(answer(at), "10 test sets"), "20")


def test_a_sentence_is_shown_with_strings_that_score_as_well() -> None:
    at = run(chosen("sentence"))
    shown = next(one.value for one in at.dataframe if "sentence BLEU" in one.value.columns)
    assert shown["what"].value_counts()["order"] == 10
    assert (shown["sentence BLEU"] >= shown["sentence BLEU"][0] - 1e-9).all()


@pytest.mark.parametrize("page", sorted((DASHBOARD / "app_pages").glob("*.py")), ids=lambda one: one.stem)
def test_no_text_of_the_program_stands_on_a_page(page: Path) -> None:
    # Streamlit writes bare strings of a page's file on the page, but for the first.
    _, *others = ast.parse(page.read_text(encoding="utf-8")).body
    bare = [ast.unparse(one) for one in others if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)]
    assert bare == []


def test_boxes_show_words_and_percentages_and_links_have_the_names_of_the_command_line() -> None:
    said = {"multiplicity.null": "equal-scores", "multiplicity.alpha": "0.1", "coverage.interval": "bca"}
    at = with_sample("lab", experiment="multiplicity", **said)
    assert keyed(at.selectbox, "multiplicity.null").value == "equal-scores"
    worded(keyed(at.selectbox, "multiplicity.null").options)
    assert keyed(at.number_input, "multiplicity.alpha").label == "Error rate (%)"
    assert keyed(at.number_input, "multiplicity.alpha").value == 10
    set_up(at, "coverage")
    assert keyed(at.selectbox, "coverage.interval").value == "bca"
    keyed(at.selectbox, "coverage.interval").set_value("ij").run()
    keyed(at.number_input, "coverage.level").set_value(90.0).run()
    assert address(at)["experiment"] == "coverage"
    assert (address(at)["coverage.interval"], address(at)["coverage.level"]) == ("ij", "0.9")


def test_several_tests_stand_in_the_link_by_their_codes() -> None:
    at = with_sample("lab", experiment="tests")
    assert "Shifted paired bootstrap" in keyed(at.multiselect, "tests.tests").options
    keyed(at.multiselect, "tests.tests").set_value(["ij-t", "bootstrap-ci"]).run()
    assert at.query_params["tests.tests"] == ["ij-t", "bootstrap-ci"]
    keyed(at.multiselect, "tests.tests").set_value([]).run()
    assert address(at)["no.tests.tests"] == "true"


def test_figures_for_papers_are_offered_by_their_titles_below_all_of_them() -> None:
    at = run(chosen("tests", n_resamples=100))
    (fold,) = [one for one in at.get("popover") if one.proto.popover.label == "Download"]
    assert [one.label for one in fold.selectbox] == ["Paper"]
    assert len(fold.get("download_button")) == 2 + len(FORMATS) * len(figures(at))
    assert sum(one.value.endswith("for a paper:") for one in fold.caption) == len(figures(at))


def test_differences_in_standard_errors_are_called_that() -> None:
    at = run(chosen("sensitivity"))
    shown = texts(at)
    assert "|d|" not in shown
    assert "median z" not in shown
    (metrics, _) = [one.value for one in at.dataframe]
    worded(metrics.columns)


def test_what_needs_no_data_does_not_say_that_there_are_none() -> None:
    at = set_up(app("lab"), "variation")
    worded(parts(texts(at), "Without data"))
    assert "No data yet" not in texts(at)


def test_outputs_without_a_reference_are_told_of_in_the_words_of_pages() -> None:
    files = made_files()
    del files["ref.txt"]
    at = set_up(uploaded(files, "lab"), "variation")
    assert not at.error
    worded(parts(texts(at), "there is neither"))
    assert "Run" in [button.label for button in at.button]
