"""Why the interval of a pair alone may leave out 0 where the family's does not: said exactly where it is so."""

import pytest

from mtsig import Settings, measure, read_sample, verdict
from mtsig.report import alone_text


@pytest.mark.parametrize(
    "settings", [Settings(n_resamples=500), Settings(n_resamples=500, test="ar"), Settings(test="wilcoxon")]
)
@pytest.mark.parametrize("n", [60, 100, 200])
def test_it_is_said_exactly_where_the_two_intervals_disagree(settings: Settings, n: int) -> None:
    family = settings.family(measure(read_sample().take(range(n)), "sentchrf"))
    for one in family:
        alone = one.ci_low > 0 or one.ci_high < 0
        together = one.adjusted_ci_low > 0 or one.adjusted_ci_high < 0
        assert (alone_text(one) != "") == (alone and not together and verdict(one).word == "not_significant")
        assert (alone_text(one.turned) != "") == (alone_text(one) != "")


def test_it_names_both_intervals_and_how_many_were_judged() -> None:
    family = Settings(n_resamples=200).family(measure(read_sample().take(range(100)), "bleu"))
    said = [alone_text(one) for one in family if alone_text(one)]
    assert said
    assert all("one of 10 comparisons" in text and "adjusted CI (" in text for text in said)
    (alone,) = Settings(n_resamples=200).family(
        measure(read_sample().take(range(100)), "bleu"), [("direct-us", "direct")]
    )
    assert alone_text(alone) == ""
