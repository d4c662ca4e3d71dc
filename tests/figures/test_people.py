"""Agreement, meaning and raters in pictures: what is drawn is what was found, on the screen and on paper."""

import math
from dataclasses import replace

import numpy as np
import pytest
from kept import worded
from sheets import legend_of, on_sheet, texts_of, trouble_on

from mtsig import Corpus, Rating, Settings, compare, read_sample
from mtsig._writing import PAPERS
from mtsig.campaign._rules import rank_by_rule
from mtsig.corpus import RaterScores
from mtsig.errors import NotApplicable
from mtsig.figures import (
    AgreementDots,
    LeniencyDots,
    Matrix,
    MeaningCurve,
    ParallelIntervals,
    RankRanges,
    TrustDots,
    on_paper,
)
from mtsig.figures._dots import Panel
from mtsig.figures._marks import PAGE_HEIGHT
from mtsig.figures._people import VerdictMarks
from mtsig.inference import Family, joint_statements
from mtsig.meta_eval import (
    RatedData,
    agreement,
    compare_metrics,
    delta_accuracy,
    leniency,
    meta_eval,
    sentinels,
    side_by_side,
)
from mtsig.resampling import Bootstrap

S, N = 9, 30
DRAWS = Bootstrap(50)


@pytest.fixture(scope="module")
def rated() -> RatedData:
    rng = np.random.default_rng(1)
    people = np.arange(S)[:, None] + rng.normal(size=(S, N))
    given = {"esa": people, "<b>near</b>": people + 0.2 * rng.normal(size=(S, N)), "far": rng.normal(size=(S, N))}
    corpus = Corpus.of(
        dict.fromkeys("ABCDEFGHI"),
        ratings={name: Rating(values, higher_is_better=True) for name, values in given.items()},
    )
    return RatedData.of(corpus, "rating:esa", ["rating:far", "rating:<b>near</b>"])


def test_every_metric_has_its_dot_and_its_interval(rated: RatedData) -> None:
    found = meta_eval(rated, ["accuracy", "spa"], settings=Settings(n_resamples=50))
    picture = TrustDots.of(found, ["accuracy", "spa"])
    assert picture.names == ("<b>near</b>", "far")
    accuracy, soft = picture.panels
    for name, row in (("<b>near</b>", 0), ("far", 1)):
        assert accuracy.estimate[row] == found.of(name, "accuracy").value
        assert soft.high[row] == found.of(name, "spa").ci_high
    shown = picture.screen()
    assert shown.layout.yaxis.ticktext == ("&lt;b&gt;near&lt;/b&gt;", "far")
    worded(picture.caption, "9 systems", "30 segments")
    assert b"<svg" in on_paper(picture, "svg", "acl-column").data


def test_what_every_metric_was_held_against_stands_below_the_metrics(rated: RatedData) -> None:
    settings = Settings(n_resamples=50)
    found, guarded = meta_eval(rated, ["spa"], settings=settings), sentinels(rated, ["spa"], settings=settings)
    for rows in (guarded, [row for row in guarded if row.metric == "far"]):
        picture = TrustDots.of(found, ["spa"], rows)
        (panel,) = picture.panels
        own = {row.sentinel_value for row in guarded} if rows is guarded else set()
        assert set(panel.estimate[2:]) == own
        assert [row in panel.unranked for row in range(len(panel.estimate))] == [False, False, *[True] * len(own)]
        assert panel.cuts == ((1,) if own else ())
        assert ("○" in picture.caption) == bool(own)


def test_a_statistic_without_any_value_has_no_panel() -> None:
    rng = np.random.default_rng(2)
    turned = np.stack([np.roll(np.arange(N) % 5, shift) for shift in range(3)])  # every system has the same mean
    given = {"esa": Rating(rng.normal(size=(3, N)), True), "far": Rating(turned.astype(float), True)}
    corpus = Corpus.of(dict.fromkeys("ABC"), ratings=given)
    statistics = ["pearson", "acc_eq"]
    found = meta_eval(RatedData.of(corpus, "rating:esa", ["rating:far"]), statistics, settings=Settings(n_resamples=50))
    assert math.isnan(found.of("far", "pearson").value)
    picture = TrustDots.of(found, statistics)
    (soft,) = picture.panels
    assert soft.estimate == (found.of("far", "acc_eq").value,)
    assert b"<svg" in on_paper(picture, "svg", "acl-column").data
    with pytest.raises(NotApplicable, match="undefined"):
        TrustDots.of(found, ["pearson"])


def test_a_panel_without_any_number_has_an_axis() -> None:
    low, high = Panel.of("nothing", [(math.nan,) * 3], 2).range
    assert low < high


def test_ranks_by_a_rule_stand_next_to_the_valid_ones(rated: RatedData) -> None:
    corpus = Corpus.of(dict.fromkeys("ABCDEFGHI"), ratings={"esa": Rating(rated.human.cells, True)})
    (side,) = rank_by_rule(corpus, "esa", "wmt25", Settings(n_resamples=50))
    picture = RankRanges.of(side)
    assert side.places is not None
    by_rule, valid = picture.panels
    order = [row.system for row in side.official.records]
    assert picture.names == tuple(order)
    assert by_rule.high == tuple(row.rank_high for row in side.official.records)
    own = {place.system: place for place in side.places}
    assert valid.low == tuple(own[name].rank_low for name in order)
    assert by_rule.cuts == tuple(place for place, row in enumerate(side.official.records[:-1]) if row.cut)
    lines = [shape for shape in picture.screen().layout.shapes if shape.y0 == shape.y1]
    assert {shape.y0 for shape in lines} == {place + 0.5 for place in by_rule.cuts}
    worded(picture.caption)
    assert b"<svg" in on_paper(picture, "svg", "acl-column").data
    two = Corpus.of(dict.fromkeys("AB"), ratings={"esa": Rating(np.arange(8.0).reshape(2, 4), True)})
    with pytest.raises(NotApplicable, match="at least three systems"):
        RankRanges.of(rank_by_rule(two, "esa", "wmt25")[0])


def test_a_matrix_of_metrics_speaks_of_metrics(rated: RatedData) -> None:
    family = compare_metrics(rated, "acc_eq_0", settings=Settings(n_resamples=999))
    worded(Matrix.of(family.by_score(), compared="metric").caption)


def test_the_curve_goes_through_what_was_found(rated: RatedData) -> None:
    curve = delta_accuracy(rated, "far", scheme=DRAWS)
    picture = MeaningCurve.of(curve, 0.2)
    x, y = picture.steps
    assert (x[0], y[0]) == (0.0, 0.5)
    assert y[1:-1] == curve.share.tolist()
    assert len(picture.pairs(True)) == curve.right.sum()
    assert len(picture.pairs(False)) == (1 - curve.right).sum()
    high, low, *_ = picture.screen().data
    assert list(low.y[:-1]) == curve.ci_low.tolist()
    assert list(high.y[:-1]) == curve.ci_high.tolist()
    assert picture.screen().layout.shapes[0].x0 == 0.2
    assert f"the {len(curve.differences)} pairs" in picture.caption
    sheet = on_sheet(picture, "acl-column")
    assert not trouble_on(sheet)
    assert "difference in far" in {text.get_text() for text in texts_of(sheet)}


def test_few_systems_have_no_band_and_pairs_that_are_all_right_no_smooth_curve() -> None:
    values = np.arange(4.0)[:, None] + np.zeros((4, 5))
    ratings = {name: Rating(values, higher_is_better=True) for name in ("esa", "mine")}
    few = RatedData.of(Corpus.of(dict.fromkeys("ABCD"), ratings=ratings), "rating:esa", ["rating:mine"])
    picture = MeaningCurve.of(delta_accuracy(few, "mine", scheme=DRAWS))
    assert not picture.banded
    assert math.isinf(picture.slope)
    assert [trace.name for trace in picture.screen().data] == [
        "human ratings agree", "concordant pairs", "discordant pairs"
    ]  # fmt: skip
    assert "band" not in picture.caption
    assert b"<svg" in on_paper(picture, "svg", "acl-column").data


def test_raters_are_drawn_with_their_intervals() -> None:
    rng = np.random.default_rng(2)
    true = rng.normal(size=(3, 20))
    given = RaterScores.of({who: true + level for who, level in (("Ann", 0.0), ("Bo", 1.0), ("Cy", -1.0))})
    one = agreement(given, scheme=DRAWS)
    (panel,) = AgreementDots.of([one]).panels
    assert (panel.estimate, panel.low, panel.high) == ((one.value,), (one.ci_low,), (one.ci_high,))
    bars = LeniencyDots.of(leniency(given, ["A", "B", "C"], scheme=DRAWS))
    assert bars.names == ("Bo", "Ann", "Cy")
    assert bars.panels[0].estimate == pytest.approx((1.0, 0.0, -1.0))
    sheet = on_sheet(bars, "acl-column")
    assert not trouble_on(sheet)
    assert not legend_of(sheet)


def _against(rated: RatedData) -> list[Family]:
    return [Settings(n_resamples=200).family(rated[name].statistics) for name in ("esa", "<b>near</b>", "far")]


def test_every_pair_has_a_row_and_every_metric_an_axis(rated: RatedData) -> None:
    people, near, far = _against(rated)
    found = joint_statements([people, near, far], "which")
    picture = ParallelIntervals.of(found, most=10)
    assert [panel.title for panel in picture.panels] == ["esa", "<b>near</b>", "far"]
    assert len(picture.names) == 10
    worded(picture.caption, "26 of 36")
    for row, statement in enumerate(found.statements[:10]):
        pair = picture.names[row].split(" – ")
        # The better one stands first, in the order of the statements.
        assert pair[0] == (statement.winner or statement.first)
        for panel, family in zip(picture.panels, (people, near, far), strict=True):
            at = family.find(*pair)
            assert at is not None
            sign = 1 if family.first[at] == pair[0] else -1
            assert panel.estimate[row] == sign * family.difference[at]
            assert panel.low[row] <= panel.estimate[row] <= panel.high[row]
    assert "&lt;b&gt;near" in picture.screen().to_json().replace("\\u0026", "&")
    assert not trouble_on(on_sheet(picture, "acl-full"))


def test_three_metrics_of_five_systems_and_a_caption_have_room_on_a_page_of_letter_paper() -> None:
    study = compare(read_sample(), ["bleu", "chrf", "ter"], n_resamples=50)
    picture = ParallelIntervals.of(joint_statements([result.compared for result in study.results], "which"))
    # 550 pt of text in LaTeX's article, less two lines of a caption with what is above it.
    assert all(picture.height(PAPERS[paper]) * 72.27 + 34 < 550 for paper in ("acl-column", "acl-full", "neurips-full"))


@pytest.mark.slow
def test_panels_stand_side_by_side_where_below_each_other_they_leave_the_page(rated: RatedData) -> None:
    picture = ParallelIntervals.of(joint_statements(_against(rated), "which"))
    sheet = on_paper(picture, "svg", "acl-column")
    assert len(picture.names) == 20
    assert sheet.height <= PAGE_HEIGHT
    assert not sheet.notes
    drawn = on_sheet(picture, "acl-column")
    assert len({axes.get_position().y0 for axes in drawn.axes}) == 1
    assert not trouble_on(drawn)
    more = ParallelIntervals.of(joint_statements(_against(rated), "which"), most=36)
    names = tuple(f"{name} of a long and winding name" for name in more.names)
    (told,) = on_paper(replace(more, names=names), "svg", "acl-column").notes
    worded(told.text)


def test_pairs_are_marked_by_who_separates_them(rated: RatedData) -> None:
    people, _, far = _against(rated)
    found = side_by_side(people, far)
    picture = VerdictMarks.of(found)
    assert len(picture.pairs) == 36
    for mark, pair in zip(picture.pairs, found.pairs, strict=True):
        assert mark.metric[0] == abs(pair.metric_difference)
        assert mark.human[0] * mark.metric[0] == pytest.approx(pair.human_difference * pair.metric_difference)
        assert mark.human[1] <= mark.human[0] <= mark.human[2]
    counts = {one.said: one.pairs for one in found.counts if one.pairs}
    assert {said: len(picture.of_kind(said)) for said in picture.kinds} == counts
    names = [trace.name for trace in picture.screen().data]
    worded(names, f"{counts['human_only']}")
    sheet = on_sheet(picture, "acl-column")
    assert not trouble_on(sheet)
    assert legend_of(sheet) == names
