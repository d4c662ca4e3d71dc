"""The bar's metrics: the common few at once, the others behind "More metrics"."""

import re
from dataclasses import dataclass, replace

from mtsig_dashboard.parts.show import plain
from pages import figures, group, texts, with_sample

from mtsig.inference import INTERVALS, IntervalMethod
from mtsig.metrics import METRICS

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
    assert "NIST's information weights are those of the whole test set" in texts(at)


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
    assert "Length ratio is descriptive: neither direction is better" in said
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
    assert chosen.options[-1] == "The rule of two errors"
    captions = [one.value.replace("\\", "") for one in at.main.caption]
    assert "The rule of two errors. Estimate ± two standard errors." in captions
    assert group(at, "more").options[-1] == "3-gram precision"
