"""The sidebar's metrics: the common few at once, the others behind "More metrics"."""

from pages import at_page, group, texts, with_sample

from mtsig.metrics import METRICS

TEXT_ONLY = [name for name, one in METRICS.items() if not one.common and not one.needs_parses]


def test_the_common_metrics_come_first_and_the_others_are_folded_away():
    at = with_sample()
    assert group(at, "metric").options == ["BLEU", "chrF2", "chrF2++", "TER"]
    assert group(at, "more").options == [one.name for one in METRICS.values() if not one.common]
    assert "More metrics" in [one.label for one in at.sidebar.expander]
    assert group(at, "more").value == []


def test_a_link_brings_a_metric_that_is_folded_away():
    at = at_page(with_sample(more="NIST"), "overview")
    assert [one.value for one in at.subheader] == ["BLEU", "NIST"]
    assert "NIST's information weights are those of the whole test set" in texts(at)


def test_every_metric_can_be_looked_at():
    at = at_page(with_sample(), "overview")
    group(at, "metric").set_value([])
    group(at, "more").set_value(TEXT_ONLY).run()
    assert not at.exception
    assert [one.value for one in at.subheader] == [METRICS[name].name for name in TEXT_ONLY]


def test_nobody_is_called_better_for_length():
    at = at_page(with_sample(more="length ratio"), "compare")
    group(at, "metric").set_value([]).run()
    assert not at.exception
    assert not at.success
    said = texts(at)
    assert "length ratio describes, and no system is better by it" in said
    assert "better than" not in said
