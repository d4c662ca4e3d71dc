"""Agreement, meaning and judges in pictures: what is drawn is what was found, on the screen and on paper."""

import math

import numpy as np
import pytest
from sheets import legend_of, on_sheet, texts_of, trouble_on

from mtsig import Corpus, Rating, Settings
from mtsig.figures import AgreementDots, LeniencyDots, Matrix, MeaningCurve, TrustDots, on_paper
from mtsig.judgements import Judgements
from mtsig.resampling import Bootstrap
from mtsig.trust import Judged, agreement, compare_metrics, leniency, meaning, trust

S, N = 9, 30
DRAWS = Bootstrap(50)


@pytest.fixture(scope="module")
def judged() -> Judged:
    rng = np.random.default_rng(1)
    people = np.arange(S)[:, None] + rng.normal(size=(S, N))
    given = {"esa": people, "<b>near</b>": people + 0.2 * rng.normal(size=(S, N)), "far": rng.normal(size=(S, N))}
    corpus = Corpus.of(
        dict.fromkeys("ABCDEFGHI"),
        ratings={name: Rating(values, higher_is_better=True) for name, values in given.items()},
    )
    return Judged.of(corpus, "rating:esa", ["rating:far", "rating:<b>near</b>"])


def test_every_metric_has_its_dot_and_its_interval(judged: Judged) -> None:
    found = trust(judged, ["accuracy", "spa"], settings=Settings(draws=50))
    picture = TrustDots.of(found, ["accuracy", "spa"])
    assert picture.names == ("<b>near</b>", "far")
    accuracy, soft = picture.panels
    for name, row in (("<b>near</b>", 0), ("far", 1)):
        assert accuracy.estimate[row] == found.of(name, "accuracy").value
        assert soft.high[row] == found.of(name, "spa").high
    shown = picture.screen()
    assert shown.layout.yaxis.ticktext == ("&lt;b&gt;near&lt;/b&gt;", "far")
    assert "9 systems and 30 segments" in picture.caption
    assert b"<svg" in on_paper(picture, "svg", "acl-column").data


def test_a_matrix_of_metrics_speaks_of_metrics(judged: Judged) -> None:
    family = compare_metrics(judged, "acc_eq_0", settings=Settings(draws=999))
    assert "the row's metric is better" in Matrix.of(family.by_score(), compared="metric").caption


def test_the_curve_goes_through_what_was_found(judged: Judged) -> None:
    curve = meaning(judged, "far", scheme=DRAWS)
    picture = MeaningCurve.of(curve, 0.2)
    x, y = picture.steps
    assert (x[0], y[0]) == (0.0, 0.5)
    assert y[1:-1] == curve.share.tolist()
    assert len(picture.pairs(True)) == curve.right.sum()
    assert len(picture.pairs(False)) == (1 - curve.right).sum()
    low, high, *_ = picture.screen().data
    assert list(low.y[:-1]) == curve.low.tolist()
    assert list(high.y[:-1]) == curve.high.tolist()
    assert picture.screen().layout.shapes[0].x0 == 0.2
    assert f"the {len(curve.differences)} pairs" in picture.caption
    sheet = on_sheet(picture, "acl-column")
    assert not trouble_on(sheet)
    assert "difference in far" in {text.get_text() for text in texts_of(sheet)}


def test_few_systems_have_no_band_and_pairs_that_are_all_right_no_smooth_curve() -> None:
    values = np.arange(4.0)[:, None] + np.zeros((4, 5))
    ratings = {name: Rating(values, higher_is_better=True) for name in ("esa", "mine")}
    few = Judged.of(Corpus.of(dict.fromkeys("ABCD"), ratings=ratings), "rating:esa", ["rating:mine"])
    picture = MeaningCurve.of(meaning(few, "mine", scheme=DRAWS))
    assert not picture.banded
    assert math.isinf(picture.slope)
    assert [trace.name for trace in picture.screen().data] == [
        "people agree", "pairs that people order the same", "the other way round"
    ]  # fmt: skip
    assert "band" not in picture.caption
    assert b"<svg" in on_paper(picture, "svg", "acl-column").data


def test_judges_are_drawn_with_their_intervals() -> None:
    rng = np.random.default_rng(2)
    true = rng.normal(size=(3, 20))
    given = Judgements.of({who: true + level for who, level in (("Ann", 0.0), ("Bo", 1.0), ("Cy", -1.0))})
    one = agreement(given, scheme=DRAWS)
    (panel,) = AgreementDots.of([one]).panels
    assert (panel.estimate, panel.low, panel.high) == ((one.value,), (one.low,), (one.high,))
    bars = LeniencyDots.of(leniency(given, ["A", "B", "C"], scheme=DRAWS))
    assert bars.names == ("Bo", "Ann", "Cy")
    assert bars.panels[0].estimate == pytest.approx((1.0, 0.0, -1.0))
    sheet = on_sheet(bars, "acl-column")
    assert not trouble_on(sheet)
    assert not legend_of(sheet)
