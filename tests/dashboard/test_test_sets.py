"""The page Test sets: there with several sets, right in what it says, and a way to each of them."""

import html
import json
import re

import pytest
from kept import SHARED, parts, worded
from made import made_corpus
from made_sets import packed
from pages import address, app, at_page, figures, group, lines, strip_of, texts, uploaded, with_sample
from streamlit.testing.v1 import AppTest
from streamlit.typing import DataframeState, PlotlyState

from mtsig import Corpus, Settings
from mtsig.collection import Averaging, Sets, compare, measure

REAL = SHARED / "data" / "wmt22-several"
NAMES = ("en-cs", "en-de", "en-fr", "en-it", "en-ru")


def corpus_of(seed: int, systems: int = 3) -> Corpus:
    """Return a set with documents of its own: of sets that share few documents nothing is said of further sets."""
    return made_corpus(40, systems, 20, seed=seed, of=f"{seed}-")


def files_of(seed: int, systems: int = 3) -> dict[str, bytes]:
    corpus = corpus_of(seed, systems)
    files = {f"systems/{name}.txt": lines(output) for name, output in corpus.outputs.items()}
    files["refs/ref0.txt"] = lines(line or "" for line in corpus.references["ref0"])
    return files | {"docids.txt": lines(corpus.documents or ())}


def sets_zip(names: tuple[str, ...] = NAMES, **more: bytes) -> dict[str, bytes]:
    files = {f"{name}/{file}": text for seed, name in enumerate(names) for file, text in files_of(seed).items()}
    return {"wmt.zip": packed(files | more)}


def dropped(files: dict[str, bytes], **said: str) -> AppTest:
    """Drop files under an address that says this, with few draws."""
    return uploaded(files, n_resamples="200", **said)


def chosen_set(at: AppTest):
    return next(one for one in at.main.selectbox if one.label == "Test set")


def opened(files: dict[str, bytes], **said: str) -> AppTest:
    return uploaded(files, "test_sets", n_resamples="200", **said)


@pytest.fixture(scope="module")
def ours() -> str:
    """What the library says of the same sets."""
    corpora = {name: corpus_of(seed) for seed, name in enumerate(NAMES)}
    found = compare(measure(Sets.of(corpora), "bleu"), Settings(n_resamples=200))
    assert found.averages is not None
    best, second = found.averages.order[:2]
    one = found.averages[found.averages.find(best, second) or 0]
    return f"{best}|{second}|{abs(one.difference):.2f}"


def test_the_page_begins_with_systems_that_stand_in_the_same_sets() -> None:
    # The reference's own lines, in one set alone: the best there is.
    best = {"en-cs/systems/alone.txt": files_of(0)["refs/ref0.txt"]}
    at = opened(sets_zip(("en-cs", "en-de"), **best))
    assert "alone" in at.selectbox(key="over_first").options
    assert "alone" not in (at.selectbox(key="over_first").value, at.selectbox(key="over_second").value)


def test_the_warnings_of_results_on_any_set_are_above_the_picture_those_on_the_pair_first() -> None:
    copied = {"en-cs/systems/sys1.txt": files_of(0)["systems/sys0.txt"]}
    copied |= {"en-de/systems/sys3.txt": files_of(1, 4)["systems/sys2.txt"]}
    of_sets = {"en-cs": "sys0 and sys1 are identical", "en-de": "sys2 and sys3 are identical"}
    for pair, first in ((("sys0", "sys1"), "en-cs"), (("sys2", "sys3"), "en-de")):
        names = dict(zip(("over_first", "over_second"), pair, strict=True))
        files = {
            f"{name}/{file}": text for seed, name in enumerate(NAMES[:3]) for file, text in files_of(seed, 4).items()
        }
        at = opened({"wmt.zip": packed(files | copied)}, **names)
        assert not at.error, [one.value for one in at.error]
        strips = [one.label.replace("\\", "") for one in at.expander if "Before you quote this" in one.label]
        (label,) = strips
        assert f"▲ 2 warnings:orange[: {first}: {of_sets[first]}" in label
        for name, said in of_sets.items():
            chosen_set(at_page(at, "results")).set_value(name).run()
            assert said in strip_of(at)


def test_several_sets_are_said_together_the_average_first(ours: str) -> None:
    at = with_folds(dropped(sets_zip()))
    assert not at.error, [one.value for one in at.error]
    best, second, difference = ours.split("|")
    assert (at.selectbox(key="over_first").value, at.selectbox(key="over_second").value) == (best, second)
    said = texts(at)
    keys = (
        "On average over",
        f"{best} leads",
        "In a new",
        "n average over",
        "In single sets",
        "WMT test sets",
        "of the 5",
    )
    worded(parts(said, *keys, "5 test sets"), best, second, difference, "15 comparisons", "at most 5%")
    segments, documents = 5 * len(files_of(0)["docids.txt"].split()), 5 * len(set(files_of(0)["docids.txt"].split()))
    counts = (
        rf"5 test sets, 3 outputs, {segments} segments in {documents} documents, en-cs, en-de, en-fr, en-it and en-ru"
    )
    below = "".join(one.value for one in at.caption).replace("\\", "")
    assert re.search(rf"Data: {counts}, reference ref0, sha256 [0-9a-f]{{8}}\. sys0 minus", below), below
    # A button for every metric, and no other one opens them.
    assert group(at, "metric").proto.label_visibility.value == 2
    wide, narrow, heat, ranks = figures(at)
    worded(narrow["layout"]["yaxis"]["ticktext"][-2:], "5")
    beside = [one["text"] for one in wide["layout"]["annotations"]]
    assert "<b><span>Average of these 5</span></b>" in beside
    assert sum(name in text for text in beside for name in NAMES) == 5
    assert heat["layout"]["xaxis"]["ticktext"] == list(NAMES)
    worded(ranks["layout"]["xaxis"]["title"]["text"], "1")
    (averages,) = [one for one in at.dataframe if "New set" in one.value.columns]
    beyond = {"p", "Lead", "Sets differ, p", "Better in at least"}
    assert {*averages.value.columns} - {*averages.proto.column_order} == beyond


def with_folds(at: AppTest) -> AppTest:
    """Go to the page with all its folds open."""
    for name in ("heat", "ranks"):
        at.session_state[f"more-test-sets-{name}"] = True
    return at_page(at, "test_sets")


@pytest.mark.slow
def test_numbers_of_pictures_are_headed_by_the_names_of_sets() -> None:
    heads = [[*one.value.columns] for one in with_folds(dropped(sets_zip())).dataframe]
    assert ["System", *NAMES] in heads
    assert not any("P corrected" in head for head in heads)


@pytest.mark.slow
def test_few_sets_lead_to_more_of_them_and_enough_to_the_paper() -> None:
    ways = {sets: [link.proto.label for link in opened(sets_zip(NAMES[:sets])).get("page_link")] for sets in (4, 5)}
    assert ways == {4: ["Add test sets", "Tables for a paper"], 5: ["Tables for a paper"]}


def test_a_button_opens_the_fold_with_all_systems() -> None:
    at = opened(sets_zip())
    assert len(figures(at)) == 2
    next(one for one in at.button if one.label == "All systems over all sets").click().run()
    assert not at.exception
    assert len(figures(at)) == 3


@pytest.mark.slow
def test_rows_go_by_name_and_the_pair_can_be_swapped() -> None:
    at = opened(sets_zip(), set_order="By name")
    _, forest = figures(at)
    assert forest["layout"]["yaxis"]["ticktext"][:5] == list(NAMES)
    title, runs = at.title[0].value, next(one.value for one in at.markdown if "In single sets" in one.value)
    next(one for one in at.button if one.key == "swap").click().run()
    turned = next(one.value for one in at.markdown if "In single sets" in one.value)
    assert turned != runs
    # The winner is the same, on the other side of zero.
    assert at.title[0].value == title
    seen = figures(at)[1]["layout"]["xaxis"]["range"]
    assert seen[0] == pytest.approx(-forest["layout"]["xaxis"]["range"][1], rel=1e-6)
    assert group(at, "set_order").value == "name"


def test_the_other_pages_are_of_one_set_which_the_address_says() -> None:
    at = dropped(sets_zip(), set="en-it")
    assert chosen_set(at).value == "en-it"
    session = at.session_state["session"]
    assert session.data.corpus.outputs == made_corpus(40, 3, 20, seed=3).outputs
    worded(parts(texts(at), "5 test sets"), "3 systems")
    before = session.data.corpus.digest
    chosen_set(at).set_value("en-ru").run()
    assert address(at)["set"] == "en-ru"
    assert at.session_state["session"].data.corpus.digest != before
    at = at_page(at, "results")
    assert chosen_set(at).value == "en-ru"
    # What was chosen outlives a reload.
    again = app(data=address(at)["data"])
    assert again.session_state["session"].data.set_name == "en-ru"


def test_a_row_opens_its_set_on_compare_two() -> None:
    at = opened(sets_zip())
    pair = (at.selectbox(key="over_first").value, at.selectbox(key="over_second").value)
    key = next(one.proto.id for one in at.dataframe if "Set" in one.value.columns).split("-")[-1]
    shown = next(one.value["Set"].tolist() for one in at.dataframe if "Set" in one.value.columns)
    at.session_state[key] = DataframeState(selection={"rows": [2], "columns": [], "cells": []})
    at.run()
    assert at.button(key="swap")  # a page of two systems
    assert chosen_set(at).value == shown[2]
    assert (at.selectbox(key="first").value, at.selectbox(key="second").value) == pair
    assert address(at)["set"] == shown[2]


@pytest.mark.slow
def test_a_click_on_a_set_of_the_forest_opens_it() -> None:
    at = opened(sets_zip())
    state = PlotlyState(selection={"points": [{"customdata": ["en-fr"]}], "point_indices": [0], "box": [], "lasso": []})
    at.session_state["figure-sets0"] = state
    at.run()
    assert at.button(key="swap")  # a page of two systems
    assert at.session_state["session"].data.set_name == "en-fr"


def test_a_set_that_cannot_be_read_is_named_and_the_others_are_compared() -> None:
    broken = {"en-de/refs/ref0.txt": b"one line\n"}
    at = dropped(sets_zip(NAMES, **broken))
    reason = "Left out: 1 set (en-de: "
    assert reason in texts(at)
    at = with_folds(at)
    said = texts(at)
    assert reason in said
    worded(parts(said, "over these 4", "t least 5", "Ranks over sets"), "4 test", "5 sets", "4")
    assert len(figures(at)) == 3
    # The broken one can be looked at: its page says what is wrong.
    at = chosen_set(at_page(at, "data")).set_value("en-de").run()
    assert "ref0" in texts(at)


def test_archives_dropped_one_after_the_other_are_sets() -> None:
    at = app(n_resamples="200")
    files = {f"{name}.zip": packed(files_of(seed)) for seed, name in enumerate(NAMES[:2])}
    first, second = ((name, data, "application/zip") for name, data in files.items())
    at.get("file_uploader")[0].set_value([first]).run()
    assert at.session_state["session"].data.set_names == []
    at.get("file_uploader")[0].set_value([first, second]).run()
    assert not at.exception
    assert at.session_state["session"].data.set_names == ["en-cs", "en-de"]
    said = texts(at_page(at, "test_sets"))
    worded(parts(said, "over these 2"), "2 test")


def test_one_set_has_no_such_page() -> None:
    at = uploaded({"set.zip": packed(files_of(1))})
    assert not [one for one in at.main.selectbox if one.label == "Test set"]
    assert at.session_state["session"].home == "app_pages/results.py"
    at = dropped(sets_zip())
    assert at.session_state["session"].home == "app_pages/test_sets.py"


def test_roles_are_changed_in_the_set_that_is_shown() -> None:
    at = dropped(sets_zip())
    session = at.session_state["session"]
    changed = [part.with_role("ignored") if part.label.endswith("en-cs/systems/sys2.txt") else part
               for part in session.data.parts]  # fmt: skip
    session.load_parts(changed)
    at.run()
    assert "5 test sets" in texts(at)
    worded(parts(texts(at), "2 systems"))
    said = texts(at_page(at, "test_sets"))
    assert "Only in en-de, en-fr, en-it and en-ru" in said or "4 test sets" in said


def test_names_of_sets_and_systems_are_no_markdown() -> None:
    name = "![set](x)"
    files = {f"{name}{seed}/{file.replace('sys0', '![sys](x)')}": text for seed in range(2)
             for file, text in files_of(seed).items()}  # fmt: skip
    files |= {f"{name}2/{file}": b"x\n" for file in ("refs/a.txt", "systems/b.txt", "systems/c.txt", "docids.txt")}
    files |= {f"{name}2/systems/d.txt": b"x\ny\n"}
    at = opened({"wmt.zip": packed(files)})
    for page in ("test_sets", "data"):
        at = at_page(at, page)
        assert not at.error, [one.value for one in at.error]
        for kind in ("markdown", "caption", "info", "warning", "success", "header"):
            assert not [one.value for one in at.get(kind) if "![" in one.value], kind


def test_sets_named_on_the_command_line_are_opened(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    for seed, name in enumerate(NAMES[:2]):
        for file, text in files_of(seed).items():
            (tmp_path / name / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / file).write_bytes(text)
    monkeypatch.setenv("MTSIG_INPUT", f'["--set", "a={tmp_path / "en-cs"}", "b={tmp_path / "en-de"}"]')
    at = app()
    assert at.session_state["session"].data.set_names == ["a", "b"]
    worded(parts(texts(at), "2 test sets"), "3 systems")


def weigh(at: AppTest, given: str) -> AppTest:
    at.session_state["over_weights"], at.session_state["over_given"] = "given", given
    return at_page(at, "test_sets")


def test_the_bar_counts_the_comparisons_of_all_sets_on_their_page() -> None:
    def said(at: AppTest) -> list[str]:
        """Return what the method does: said in the bar, and where the method is changed."""
        return list({one.value for one in at.main.caption if one.value.endswith("95%\\.")})

    at = opened(sets_zip(NAMES[:2]))
    # Three systems a set: three pairs each.
    assert ["corrected for 6 comparisons" in text for text in said(at)] == [True]
    at.selectbox(key="over_family").set_value("per-set").run()
    assert ["corrected for 3 comparisons" in text for text in said(at)] == [True]
    assert ["corrected for 3 comparisons" in text for text in said(at_page(at, "results"))] == [True]


@pytest.mark.slow
def test_weights_of_other_sets_are_said_to_be_and_made_equal_by_a_button() -> None:
    at = weigh(dropped(sets_zip(NAMES[:3])), "en-cs=2 en-de=1")
    worded(parts(texts(at), "The weights do"))
    next(one for one in at.button if one.label == "Give every set the same weight").click().run()
    assert not at.exception, at.exception
    assert at.text_input(key="over_given").value == "en-cs=1 en-de=1 en-fr=1"
    assert "The weights do" not in texts(at)
    assert not at.error


@pytest.mark.slow
def test_sets_whose_names_have_spaces_can_be_weighed() -> None:
    corpora = {name: corpus_of(seed) for seed, name in enumerate(("news of 2024", "talks"))}
    weights = {"news of 2024": 3.0, "talks": 1.0}
    found = compare(measure(Sets.of(corpora), "bleu"), Settings(n_resamples=200), averaging=Averaging(weights=weights))
    at = weigh(dropped(sets_zip(tuple(corpora))), "news of 2024=3 talks=1")
    assert not at.error, [one.value for one in at.error]
    assert "The weights do" not in texts(at)
    assert all(f"{abs(one.difference):.2f}" in texts(at) for one in found.averages or ())
    at.text_input(key="over_given").set_value("talks=1 and more").run()
    worded(at.error[0].value.replace("\\", ""))


@pytest.mark.slow
def test_what_was_chosen_over_sets_is_forgotten_with_the_data() -> None:
    at = weigh(dropped(sets_zip(NAMES[:2])), "en-cs=2 en-de=1")
    assert address(at)["over_weights"] == "given"
    at = at_page(at, "data")
    next(one for one in at.button if one.label == "Forget my data").click().run()
    assert not [key for key in address(at) if key.startswith("over_")]
    again = opened(sets_zip(NAMES[:2]))
    assert again.selectbox(key="over_weights").value == "equal"
    at.get("file_uploader")[0].set_value([("wmt.zip", sets_zip(NAMES[:2])["wmt.zip"], "application/zip")]).run()
    assert at_page(at, "test_sets").selectbox(key="over_weights").value == "equal"


@pytest.mark.skipif(not REAL.is_dir(), reason="needs the shared data (MTSIG_SHARED)")
@pytest.mark.slow
def test_wmt22_in_seven_directions_is_what_was_worked_out_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    folders = sorted(one for one in REAL.iterdir() if one.is_dir())
    monkeypatch.setenv("MTSIG_INPUT", json.dumps(["--set", *map(str, folders)]))
    at = app("test_sets", metric="chrF2", over_first="Online-B", over_second="Lan-Bridge")
    said = texts(at)
    facts = "0.80 chrF2", "7 test sets", "5 of them", "125 comparisons", "−0.40 to +1.81", "95% prediction"
    worded(parts(said, "Online-B beats Lan-Bridge", "but not necessarily", "Online-B leads", "(I² 86%)"), *facts)
    forest = figures(at)[0]
    rows: dict[float, set[str]] = {}
    for one in forest["layout"]["annotations"]:
        rows.setdefault(one["y"], set()).add(html.unescape(re.sub("<.*?>", "", one["text"])))
    assert {"Average of these 7", "+0.80", "< .0001"} <= rows[7]
    assert "−0.40 to +1.81" in rows[8]
    assert {"en-zh", "+1.52", ".1004"} <= rows[0]
    # An interval of a set alone may leave out 0 where the corrected test does not: it is drawn, the other one printed.
    dots = [trace for trace in forest["data"] if trace.get("error_x")]
    alone = {
        row: (x - below, x + above)
        for trace in dots
        for row, x, below, above in zip(
            trace["y"], trace["x"], trace["error_x"]["arrayminus"], trace["error_x"]["array"], strict=True
        )
    }
    assert alone[0] == pytest.approx((0.57, 2.47), abs=0.005)
    for row in range(8):
        ends = next(text for text in rows[row] if " to " in text)
        low, high = (float(end.replace("−", "-")) for end in ends.split(" to "))
        assert (low < 0 < high) == (row in (0, 6, 8))
    symbols = {row: trace["marker"]["symbol"] for trace in dots for row in trace["y"]}
    assert {row for row, symbol in symbols.items() if symbol == "circle-open"} == {0, 6}
    assert {row for row, symbol in symbols.items() if symbol == "square"} == {1, 2, 3, 4, 5}


@pytest.mark.parametrize(("page", "needed"), [("test_sets", "several test sets"), ("preferences", "preferences")])
def test_a_link_to_a_page_that_these_data_do_not_fill_opens_and_says_what_it_needs(page: str, needed: str) -> None:
    at = at_page(with_sample(), page)
    assert not at.exception
    assert needed in texts(at)


def test_pages_of_outputs_lead_from_preferences_alone_to_theirs() -> None:
    rows = "item\tdocument\tjudge\tsystem_a\tsystem_b\twinner\ni1\td1\tr1\tada\tbly\tada\n"
    at = uploaded({"preferences.tsv": rows.encode()}, "results")
    worded(parts(texts(at), "These data"))
    assert "cannot be used" not in texts(at)
    assert [link.proto.label for link in at.get("page_link")][:1] == ["See the preferences"]
