"""The page Planning: what it asks for, what it says of the needed size, and what it draws."""

import re

import numpy as np
import pytest
from kept import SHARED, parts, worded
from pages import address, at_page, figures, group, lines, made_files, marks, texts, uploaded, with_sample
from streamlit.testing.v1 import AppTest

from mtsig import measure, power_analysis, read_sample
from mtsig.inference import PowerAnalysis
from mtsig.report._diagnostics import planning_caption

REAL = SHARED / "data" / "wmt21-ru-en"


def test_what_planning_asks_of_new_documents_is_not_what_segments_were_filtered_by():
    at = at_page(with_sample("segments"), "planning")
    assert at.number_input(key="document_length").value is None
    assert not at.run().exception


def test_what_is_needed_asks_for_a_difference_chosen_beforehand_and_for_prices():
    at = with_sample("planning", first="via-catalan", second="via-galician")
    worded(at.number_input(key="effect").help)
    statistics = measure(read_sample(), "bleu")

    def needed(**options: float) -> PowerAnalysis:
        return power_analysis(statistics, "via-catalan", "via-galician", 1.0, **options)

    # All pairs of the systems at hand, if nothing else is said.
    found = needed(comparisons=10)
    said = texts(at)
    worded(at.title[0].value, "1 BLEU")
    assert f"About {found.needed:,} documents ({found.needed_low:,} to {found.needed_high:,}), some" in said
    worded(parts(said, "these 20 documents", "(Bonferroni)"), "1 BLEU", "10 comparisons")
    assert "Cost" not in said.split("\n")
    at.number_input(key="price_segment").set_value(0.5).run()
    at.number_input(key="price_document").set_value(3.0).run()
    assert "Cost" in texts(at).split("\n")
    at.number_input(key="comparisons").set_value(1).run()
    assert f"About {needed().needed:,} documents" in texts(at)
    assert "comparisons (Bonferroni)" not in texts(at)
    at.number_input(key="comparisons").set_value(None).run()
    at.number_input(key="planned_systems").set_value(3).run()
    assert f"About {needed(comparisons=3).needed:,} documents" in texts(at)
    assert not at.error


def test_a_test_set_that_needs_no_more_than_the_fewest_documents_is_told_so() -> None:
    statistics = measure(read_sample(), "bleu")
    found = power_analysis(statistics, "direct", "direct-us", 1.0, comparisons=10, sizes=(10,))
    assert (found.needed, found.curve[0].power > 0.9) == (10, True)
    at = with_sample("planning", first="direct", second="direct-us")
    reached = f"{found.curve[0].power:.0%}"
    worded(parts(texts(at), "10 documents", "underestimated"), f"in {reached} of test sets", found.needed_high)
    # Nobody is told to plan a smaller test set than the one at hand.
    assert [one.label for one in at.button if one.label.startswith("Write an analysis plan")] == [
        "Write an analysis plan"
    ]


@pytest.mark.slow
def test_the_bar_says_what_its_fields_hold_before_and_after_they_are_changed() -> None:
    at = with_sample("planning", first="via-catalan", second="via-galician", planned_systems="7")

    def labels() -> list[str]:
        return [label for label in marks(at) if label[0] in "78P"]

    assert labels() == ["7 systems", "Pilot: via-catalan and via-galician", "Prices"]
    at.number_input(key="price_segment").set_value(0.5).run()
    at.number_input(key="planned_systems").set_value(8).run()
    at.selectbox(key="second").set_value("direct").run()
    assert labels() == ["8 systems", "Pilot: via-catalan and direct", "Prices: 0.5"]


def test_pills_and_the_box_say_the_same_difference():
    at = with_sample("planning", first="via-catalan", second="via-galician")
    pills = group(at, "effect-pills")
    assert (pills.options, pills.value) == (["0.5", "1", "1.5", "2", "3 BLEU"], 1.0)
    offered = ("0.5", "1", "1.5", "2", "3")

    def drawn() -> tuple[set[str], str]:
        power = next(one for one in figures(at) if ", these data" in str(one["layout"]["xaxis"]["ticktext"]))
        said = [text for trace in power["data"] if trace.get("mode") == "text" for text in trace["text"]]
        return {text for text in said if text in offered}, next(text for text in said if " for " in text)

    labels, needed = drawn()
    # Where its label had no room next to others, a curve is left out.
    assert labels == {"0.5", "1.5", "3"}
    pills.set_value(3.0).run()
    assert not at.exception
    assert at.number_input(key="effect").value == 3
    assert address(at)["effect"] == "3.0"
    assert "detect 3 BLEU" in at.title[0].value
    changed, needs_less = drawn()
    assert changed == {"0.5", "1", "1.5", "2"}
    assert needs_less != needed
    at.number_input(key="effect").set_value(2.2).run()
    assert group(at, "effect-pills").value is None
    assert "detect 2.2 BLEU" in texts(at)
    assert drawn()[0] == set(offered)


@pytest.mark.skipif(not REAL.is_dir(), reason="needs the shared data (MTSIG_SHARED)")
@pytest.mark.slow
def test_planning_on_wmt21_says_what_was_worked_out_by_hand():
    files = {f"systems/{one.name}": one.read_bytes() for one in (REAL / "systems").iterdir()}
    files |= {f"refs/{one.name}": one.read_bytes() for one in (REAL / "refs").iterdir()}
    files["docids.txt"] = (REAL / "docids.txt").read_bytes()
    at = uploaded(files, "planning", effect="1.5")
    said = texts(at)
    worded(at.title[0].value.replace("\\", ""), "1.5 BLEU")
    facts = (
        "Facebook-AI and NiuTrans",
        "33% (95% range 13",
        "142 to 376",
        "2,100 segments",
        "45 comparisons",
        "1.5 BLEU",
        "1.35 on",
    )
    worded(parts(said, "between systems like", "About 227 documents", "as one", "by a factor"), *facts)


@pytest.mark.slow
def test_what_is_needed_is_told_for_each_reference_when_asked():
    other = ("a line of words", "words of another kind", "another line", "of a kind")
    files = made_files() | {"ref2.txt": lines(f"{other[i % 4]} {i} and {other[(i + i // 4) % 4]}" for i in range(40))}
    at = uploaded(files)
    at_page(at, "planning")
    assert "ref + ref2" not in texts(at)
    at.session_state["scenarios"] = True
    at_page(at, "planning")
    assert not at.exception
    said = texts(at).split("\n")
    assert {"ref", "ref2", "ref + ref2"} <= set(said)


@pytest.fixture(scope="module")
def of_sample() -> AppTest:
    """The page opened once for the tests that only read it."""
    return with_sample("planning")


def test_the_size_page_states_the_square_root_law(of_sample: AppTest):
    said = texts(of_sample)
    assert re.search(r"by the 1/√n law, twice as many (segments|documents) would give about", said)
    # Of a difference that is found nearly always, a significant result says no more than it is; a share that is not 0
    # is not called 0.0%.
    assert not parts(said, "the wrong sign")
    smaller = power_analysis(measure(read_sample(), "bleu"), "direct", "direct-us", 0.3)
    worded(parts(planning_caption(smaller, 0.95), "the wrong sign"), "1.21", "0.1%")


def test_planning_opens_with_power_twice_for_wide_and_narrow_windows_and_then_widths(of_sample: AppTest):
    wide, narrow, widths, difference = figures(of_sample)
    assert len(narrow["layout"]["xaxis"]["ticktext"]) < len(wide["layout"]["xaxis"]["ticktext"])
    worded(widths["layout"]["xaxis"]["title"]["text"])
    assert difference["layout"]["shapes"][0]["y0"] == 0


def test_the_size_sentence_quotes_its_own_curve():
    at = with_sample()
    at.session_state["sizes_tab"] = "Numbers"
    said = texts(at_page(at, "planning"))
    statistics = measure(read_sample(), "bleu")
    assert statistics.n == 200
    numbers = next(one.value for one in at.dataframe if "Half width" in one.value.columns)
    half = numbers.query("Size == 0.5")["Half width"].mean()
    worded(parts(said, "with 10"), f"±{half:.2f}")


@pytest.mark.slow
def test_several_outputs_of_a_segment_are_weighed_against_more_segments_here_and_for_a_pair() -> None:
    random = np.random.default_rng(5)
    words = ["the", "a", "one", "dog", "cat", "bird", "sees", "finds", "hears", "tree", "house", "road"]
    reference = [" ".join(random.choice(words, 9)) for _ in range(60)]
    files = {"ref.txt": lines(reference), "docids.txt": lines(f"d{i // 3}" for i in range(60))}
    for system, wrong in (("ours", 0.2), ("base", 0.3)):
        for number in (1, 2, 3):
            drawn = [
                " ".join(random.choice(words) if random.random() < wrong else word for word in line.split())
                for line in reference
            ]
            files[f"{system}.sample{number}.txt"] = lines(drawn)
    for page in ("planning", "compare"):
        at = uploaded(files, page, metric="chrf")
        assert not at.error, [one.value for one in at.error]
        said = texts(at)
        assert "Sampling causes" in said, page
        assert "Twice as many samples per segment would make the interval" in said, page
        assert any(one.label == "Price of one more output" for one in at.number_input), page
