"""The bar's method: presets in words, one sentence, addresses that keep every choice, values not allowed."""

import re
from dataclasses import dataclass, replace

import numpy as np
import pytest
from kept import parts, worded
from made import made_corpus
from mtsig_dashboard import memory
from mtsig_dashboard.parts.show import plain
from pages import address, at_page, figures, group, lines, texts, uploaded, with_sample
from sampled import sampled
from streamlit.testing.v1 import AppTest

from mtsig import Settings
from mtsig.inference import CORRECTIONS, INTERVALS, METHODS, TESTS, IntervalMethod
from mtsig.metrics import METRICS


def captions(at) -> list[str]:
    return [one.value.replace("\\", "") for one in at.main.caption]


def sentence(at) -> str:
    """Return what the method does: said in the bar, and where the method is changed."""
    (said,) = {one for one in captions(at) if re.search(r", 9\d(\.\d+)?%\.$", one)}
    return said


def test_the_method_says_what_it_does_on_these_data():
    at = with_sample()
    assert group(at, "method").options == ["Standard", "Koehn 2004", "sacreBLEU", "WMT", "Custom"]
    assert group(at, "method").value == "standard"
    worded(sentence(at), "10 comparisons", "95%")
    at.selectbox(key="unit").set_value("segment").run()
    worded(sentence(at), "10,000 resamples", "10 comparisons", "95%")
    assert group(at, "method").value == "custom"


def test_a_preset_sets_everything_and_the_address_says_it_in_the_words_of_the_command_line():
    at = with_sample()
    group(at, "method").set_value("sacrebleu").run()
    worded(sentence(at), "1,000 resamples", "95%")
    asked = {
        "test": "sacrebleu-bs",
        "interval": "percentile",
        "correction": "none",
        "n_resamples": "1000",
        "unit": "segment",
    }
    assert address(at).items() >= asked.items()
    linked = with_sample(**asked)
    assert group(linked, "method").value == "sacrebleu"
    assert sentence(linked) == sentence(at)
    group(at, "method").set_value("standard").run()
    assert not address(at).keys() & asked.keys()
    assert group(at, "method").value == "standard"


def test_wmts_method_is_for_scores_of_segments():
    at = with_sample(more="sentBLEU")
    group(at, "method").set_value("wmt").run()
    worded(sentence(at), "95%")
    assert "not for BLEU" in texts(at)


def test_old_links_say_codes_and_the_page_says_words():
    at = with_sample(test="ar", correction="minp", interval="ij", level="0.9", unit="segment", seed="7")
    assert group(at, "method").value == "custom"
    assert not at.main.warning
    assert at.number_input(key="level").label == "Confidence (%)"
    assert at.number_input(key="level").value == 90
    assert sentence(at).endswith(", 90%.")
    shown = {key: at.selectbox(key=key) for key in ("test", "interval", "correction", "unit")}
    assert {key: one.value for key, one in shown.items()} == {
        "test": "ar", "interval": "ij", "correction": "minp", "unit": "segment",
    }  # fmt: skip
    codes = {*TESTS, *INTERVALS, *CORRECTIONS, "auto", "segment", "document"}
    assert not codes & {option for one in shown.values() for option in one.options}
    worded(shown["test"].options, "2005")
    assert "Fast t interval" in shown["interval"].options
    assert {one.options[0] for one in shown.values()} <= {"Recommended", shown["correction"].options[0]}
    said = [one.value.replace("\\", "") for one in with_sample().main.caption]
    worded(said, "2002")
    assert "Documents." in said
    at = at_page(at, "results")
    assert address(at)["test"] == "ar"
    assert address(at)["level"] == "0.9"
    assert "seed 7" in texts(at)


def test_what_a_link_may_not_ask_is_told_in_one_line():
    at = with_sample(correction="fdr", level="95", n_resamples="9000000", metric="BLEU5")
    (warning,) = at.main.warning
    said = warning.value.replace("\\", "")
    assert "correction=fdr" in said
    assert "level=95" in said
    assert "n_resamples=9000000" in said
    assert "metric=BLEU5" in said
    worded(sentence(at), "10 comparisons", "95%")
    at.selectbox(key="correction").set_value("bh").run()
    assert "correction" not in at.main.warning[0].value
    assert "resamples" in at.main.warning[0].value


def test_custom_opens_all_settings_and_changes_none():
    at = with_sample()
    before = sentence(at)
    group(at, "method").set_value("custom").run()
    assert at.session_state["change_method"] is True
    assert group(at, "method").value == "custom"
    assert sentence(at) == before


def test_every_metric_that_is_chosen_has_options():
    at = with_sample(metric="chrF2", more="NIST")
    assert [one.label for one in at.expander if "Options" in one.label] == ["Options of chrF2", "Options of NIST"]


@sampled("change", [{"correction": "holm"}, {"level": "0.9"}, {"interval": "ij"}], most=1)
def test_another_correction_level_or_interval_asks_no_worker(change: dict[str, str], monkeypatch: pytest.MonkeyPatch):
    at = with_sample("results", test="ar")

    ((key, value),) = change.items()
    worker = memory.workers()
    run = worker.run
    asked: list[str] = []
    monkeypatch.setattr(worker, "run", lambda work, **shown: asked.append(work.func.__name__) or run(work, **shown))
    if key == "level":
        at.number_input(key="level").set_value(90).run()
    else:
        at.selectbox(key=key).set_value(value).run()
    assert not at.exception
    assert not [name for name in asked if name in {"keeping", "families", "measure"}]


def test_sacrebleus_method_is_sacrebleus_default(monkeypatch: pytest.MonkeyPatch):
    from sacrebleu.sacrebleu import parse_args

    monkeypatch.setattr("sys.argv", ["sacrebleu", "ref.txt"])
    settings = METHODS["sacrebleu"].settings
    assert parse_args().paired_bs_n == settings.n_resamples
    assert settings.seed == Settings().seed == 12345


def late() -> None:
    """A page whose bar appears with the data."""
    import streamlit as st
    from mtsig_dashboard import session
    from mtsig_dashboard.parts import bar, frame

    from mtsig import read_sample

    visit = session.current()
    if st.checkbox("data"):
        visit.data.corpus = read_sample()
        bar.draw(frame.begin("Late", is_seen=True))
    choices = visit.selection.choices
    st.text(f"{[one.name for one in choices.metrics]} {choices.settings.test} {choices.settings.level}")


def test_a_bar_that_is_drawn_later_takes_up_what_the_link_says():
    at = AppTest.from_function(late, default_timeout=300)
    for key, value in {"test": "ar", "level": "0.9", "metric": "chrF2", "seed": "7"}.items():
        at.query_params[key] = value
    at.run()
    assert at.text[0].value == "['BLEU'] auto 0.95"
    at.checkbox[0].check().run()
    assert not at.exception
    assert at.text[0].value == "['chrF2'] ar 0.9"
    assert at.number_input(key="seed").value == 7
    (data,) = [one for one in at.checkbox if one.label == "data"]
    data.uncheck().run()
    (data,) = [one for one in at.checkbox if one.label == "data"]
    data.check().run()
    assert at.text[0].value == "['chrF2'] ar 0.9"


def test_the_gear_names_smoothings_in_words_and_the_address_as_they_are_typed() -> None:
    at = with_sample("results")
    smoothing = at.selectbox(key="bleu.smooth_method")
    assert smoothing.options == ["Exponential", "Floor", "Add k", "None"]
    smoothing.set_value("floor").run()
    assert address(at)["bleu.smooth_method"] == "floor"


def in_runs() -> dict[str, bytes]:
    """Files without document ids whose neighbouring lines are alike: a system is good or bad for 20 lines."""
    made = made_corpus(n=400, systems=1, documents=0)
    (reference,) = made.references.values()
    good, rng = made.lines("sys0"), np.random.default_rng(5)
    files = {"ref.txt": lines(reference)}
    for name in ("A", "B", "C"):
        bad = np.repeat(rng.random(20) < 0.5, 20)
        files[f"{name}.txt"] = lines(
            line.split(" ", 2)[0] if worse else line for line, worse in zip(good, bad, strict=True)
        )
    return files


def test_the_sentence_says_which_units_are_used_once_they_are_known():
    at = uploaded(in_runs())
    hedged = "the units are blocks of similar neighbouring segments."
    assert any(one.endswith(hedged) for one in captions(at))
    at = at_page(at, "results")
    (said,) = {one for one in captions(at) if "Neighbouring segments" in one}
    worded(said, "3 comparisons", "95%")
    assert "over blocks" in texts(at)
    at.selectbox(key="unit").set_value("segment").run()
    worded(sentence(at), "10,000 resamples", "3 comparisons", "95%")


@pytest.mark.slow
def test_the_sentence_has_no_hedge_where_nothing_speaks_against_segments():
    made = made_corpus(n=400, systems=2, documents=0)
    rng = np.random.default_rng(1)
    order = rng.permutation(400)
    files = {f"{name}.txt": lines(made.lines(name)[i] for i in order) for name in made.systems}
    files["ref.txt"] = lines(next(iter(made.references.values()))[i] or "" for i in order)
    at = uploaded(files, "results")
    worded(sentence(at), "10,000 resamples", "95%")


TEXT_ONLY = [name for name, one in METRICS.items() if not one.common and not one.needs_parses]


def test_the_common_metrics_come_first_and_the_others_are_folded_away():
    at = with_sample()
    assert group(at, "metric").options == ["BLEU", "chrF2", "chrF2++", "TER"]
    assert group(at, "more").options == [one.name for one in METRICS.values() if not one.common]
    assert group(at, "more").label == "More metrics"
    assert group(at, "more").value == []


def test_a_link_brings_a_metric_that_is_folded_away():
    at = with_sample("results", more="NIST")
    assert group(at, "shown").options == ["BLEU", "NIST"]
    worded(parts(texts(at), "NIST's information weights"))


@pytest.mark.slow
def test_every_metric_can_be_looked_at():
    at = with_sample("results")
    group(at, "metric").set_value([])
    group(at, "more").set_value(TEXT_ONLY).run()
    assert not at.exception
    assert group(at, "shown").options == [plain(METRICS[name].name) for name in TEXT_ONLY]


def test_nobody_is_called_better_for_length():
    at = with_sample("compare", more="length ratio")
    group(at, "metric").set_value([]).run()
    assert not at.exception
    said = texts(at)
    worded(parts(said, "Length ratio"))
    shown = [at.title[0].value, *(one["text"] for one in figures(at)[0]["layout"]["annotations"])]
    assert not re.search("better|beats|favour|ahead", " ".join(shown))


@dataclass(frozen=True)
class TwoErrors(IntervalMethod):
    """An interval from outside the package."""

    name = "two-errors"
    label = "the rule of two errors"
    about = "Estimate ± two standard errors."

    def ends(self, targets, level):
        del level
        return targets.estimate - 2 * targets.standard_error, targets.estimate + 2 * targets.standard_error


def test_a_method_from_outside_is_offered_and_used(monkeypatch):
    monkeypatch.setitem(INTERVALS, TwoErrors.name, TwoErrors())
    monkeypatch.setitem(METRICS, "trigrams", replace(METRICS["precision"], order=3))
    at = with_sample(interval="two-errors")
    [chosen] = [one for one in at.main.selectbox if one.label == "Interval"]
    assert chosen.value == "two-errors"
    worded(chosen.options[-1])
    captions = [one.value.replace("\\", "") for one in at.main.caption]
    worded(parts(captions, "The rule", "two standard errors"))
    assert group(at, "more").options[-1] == "3-gram precision"
