"""Figures are asked for the numbers they drew."""

import html
import json
import re
from dataclasses import replace

import made
import numpy as np
import plotly.graph_objects as go
import pytest
from kept import worded
from made import made_statistics
from sheets import clicked_on, on_sheet
from streamlit.elements.lib.streamlit_plotly_theme import GRAY_90

from mtsig import Settings, interval, power_analysis, ranks, size_curve
from mtsig.figures import (
    ContributionBars,
    Curves,
    Forest,
    Histogram,
    IntervalBars,
    LeverageCurve,
    Matrix,
    MeaningCurve,
    Picture,
    PowerCurve,
    RankDiagram,
    ScoresApart,
    SetHeat,
    SubsetWidths,
    VerdictMarks,
)
from mtsig.figures._curves import LAW
from mtsig.figures._league import League
from mtsig.figures._look import GREY, INK_2, PALETTE
from mtsig.figures._marks import PHONE
from mtsig.figures._planning import sizes_of
from mtsig.figures._sets import HeatCell
from mtsig.inference import Family
from mtsig.meta_eval import side_by_side
from mtsig.metrics import Statistics
from mtsig.resampling import Bootstrap
from mtsig.segments import contributions, leverage
from mtsig.segments._ablation import Ablation, SizeCurves

AWKWARD = ["<b>bold</b>", "a & b", "$x^2$", "%{x}", "x" * 80, 'it\'s "quoted"']
# Alike at both ends, where long names are kept.
ALIKE = ["transformer-big-with-backtranslation-run-1-average", "transformer-big-with-distillation-run-1-average"]


@pytest.fixture(scope="module")
def statistics() -> Statistics:
    return made_statistics(n=300, systems=5)


@pytest.fixture(scope="module")
def family(statistics: Statistics) -> Family:
    return Settings(n_resamples=1000).family(statistics)


@pytest.fixture(scope="module")
def curves(statistics: Statistics) -> SizeCurves:
    return size_curve(statistics, Ablation(sizes=(0.2, 0.5, 1.0), repeats=20))


def bars(figure: go.Figure) -> list[go.Bar]:
    return [trace for trace in figure.data if isinstance(trace, go.Bar)]


def hatched(figure: go.Figure) -> go.Bar:
    (found,) = [trace for trace in bars(figure) if trace.marker.pattern.shape]
    return found


def lines_at(figure: go.Figure) -> list[float]:
    return sorted({shape.x0 for shape in figure.layout.shapes if shape.type == "line" and shape.x0 == shape.x1})


def bands(figure: go.Figure) -> list[tuple[float, float]]:
    found = [(shape.x0, shape.x1) for shape in figure.layout.shapes if shape.type == "rect"]
    # Above the bars stands the same interval once more, where it stands out.
    assert [tuple(trace.x) for trace in figure.data if trace.name and " interval " in trace.name] == found
    return found


# --- intervals ------------------------------------------------------------------------------------------


def test_interval_bars_draw_estimates_and_both_ends(statistics: Statistics) -> None:
    found = interval(statistics, scheme=Bootstrap(200))
    figure = IntervalBars.of(found).screen()
    (dots,) = figure.data
    names = figure.layout.yaxis.ticktext
    assert list(figure.layout.yaxis.tickvals) == list(dots.y)
    for place, name in enumerate(names):
        one = found[name]
        assert dots.x[place] == one.score
        assert dots.x[place] + dots.error_x.array[place] == pytest.approx(one.ci_high)
        assert dots.x[place] - dots.error_x.arrayminus[place] == pytest.approx(one.ci_low)
    assert sorted(names) == sorted(found.systems)


def test_the_best_system_stands_on_top(statistics: Statistics) -> None:
    figure = IntervalBars.of(interval(statistics, scheme=Bootstrap(200))).screen()
    assert list(figure.data[0].x) == sorted(figure.data[0].x, reverse=True)
    bottom, top = figure.layout.yaxis.range
    assert bottom > top  # position 0 is drawn on top


# --- curves -------------------------------------------------------------------------------------------------


def named(figure: go.Figure) -> dict[str, go.Scatter]:
    return {trace.name: trace for trace in figure.data if trace.name}


def test_score_curves_draw_means_and_bands(curves: SizeCurves) -> None:
    figure = Curves.of_scores(curves).screen()
    for t, name in enumerate(curves.labels):
        line = named(figure)[name]
        assert list(line.x) == [60, 150, 300]
        assert list(line.y) == curves.mean[:, t].tolist()
        place = figure.data.index(line)
        band = figure.data[place - 2 : place]
        assert [list(trace.y) for trace in band] == [curves.ci_high[:, t].tolist(), curves.ci_low[:, t].tolist()]


def test_chosen_curves_only_are_drawn(curves: SizeCurves) -> None:
    assert set(named(Curves.of_scores(curves, ["sys1", "sys3"]).screen())) == {"sys1", "sys3"}


def test_width_curves_draw_half_widths_and_the_square_root_law(curves: SizeCurves) -> None:
    figure = Curves.of_widths(curves, ["sys2"]).screen()
    assert list(named(figure)["sys2"].y) == curves.half_width[:, 2].tolist()
    law = named(figure)["1/√n law"].y
    assert law[-1] == pytest.approx(curves.half_width[-1, 2])
    assert law[0] == pytest.approx(curves.half_width[-1, 2] * np.sqrt(5))


def test_the_law_alone_is_dashed_where_it_is_drawn(curves: SizeCurves) -> None:
    drawn = Curves.of_widths(curves)
    dashed = {trace.name for trace in drawn.screen().data if trace.line.dash not in (None, "solid")}
    assert dashed == {LAW}
    axes = on_sheet(drawn, "acl-column").axes[0]
    assert {line.get_color() for line in axes.lines if line.get_linestyle() == "--"} == {GREY}


def test_captions_say_what_is_drawn(curves: SizeCurves) -> None:
    absolute, relative = (Curves.of_widths(curves, ["sys2"], relative=one).caption for one in (False, True))
    worded(relative)
    assert "sensitive" not in absolute
    assert "in % of" not in absolute
    worded(absolute, f"1 of {len(curves.labels)}")
    assert "Shown" not in Curves.of_widths(curves).caption


def test_relative_widths_are_in_percent_of_the_score(curves: SizeCurves) -> None:
    shown = named(Curves.of_widths(curves, ["sys2"], relative=True).screen())["sys2"].y
    assert list(shown) == pytest.approx((100 * curves.half_width / curves.mean)[:, 2].tolist())


def test_a_difference_has_a_zero_line_and_no_relative_width(statistics: Statistics) -> None:
    curves = size_curve(statistics, Ablation(sizes=(0.5, 1.0), repeats=10), pair=("sys0", "sys4"))
    figure = Curves.of_scores(curves).screen()
    assert [shape.y0 for shape in figure.layout.shapes] == [0]
    shown = Curves.of_widths(curves, relative=True).screen().data
    assert curves.half_width[:, 0].tolist() in [list(trace.y) for trace in shown]
    (label,) = [trace for trace in figure.data if trace.text and "\u00a0no difference" in trace.text]
    assert label.y[0] == 0


def test_curves_have_their_names_at_their_ends_and_no_legend(curves: SizeCurves) -> None:
    for figure in (Curves.of_scores(curves).screen(), Curves.of_widths(curves).screen()):
        assert figure.layout.showlegend is False
        ends = [trace for trace in figure.data if trace.mode == "lines+text"]
        # The space keeps the end of the line off the name.
        assert [trace.text[1] for trace in ends] == [f"\u00a0{name}" for name in curves.labels]
        for trace in ends:
            curve = named(figure)[trace.text[1].strip()]
            assert (trace.x[0], trace.y[0]) == (curve.x[-1], curve.y[-1])
            assert trace.line.color == curve.line.color
        low, high = figure.layout.yaxis.range
        pixels = np.sort([trace.y[1] for trace in ends]) / (high - low) * (figure.layout.height - 80)
        assert np.diff(pixels).min() > 15.9


def test_long_names_at_the_ends_of_curves_are_folded_and_stay_apart(curves: SizeCurves) -> None:
    drawn = Curves.of_scores(curves)
    names = [f"a-system-trained-on-everything-{place}" for place in range(len(drawn.curves))]
    long = replace(
        drawn, curves=tuple(replace(curve, name=name) for curve, name in zip(drawn.curves, names, strict=True))
    )
    figure = long.screen()
    ends = [trace for trace in figure.data if trace.mode == "lines+text"]
    lines = [trace.text[1].split("<br>") for trace in ends]
    assert ["".join(map(str.strip, some)) for some in lines] == names
    assert max(len(line) for some in lines for line in some) <= 15
    # On a phone of 400 pixels the curves keep more than half.
    assert figure.layout.margin.r < 150
    low, high = figure.layout.yaxis.range
    pixels = np.sort([trace.y[1] for trace in ends]) / (high - low) * (figure.layout.height - 80)
    assert np.diff(pixels).min() > 15.9 * max(map(len, lines))


def test_systems_beyond_the_last_colour_take_those_that_are_free(curves: SizeCurves) -> None:
    many = tuple(f"sys{place}" for place in range(20))
    columns = np.arange(20) % len(curves.labels)
    arrays = ("mean", "spread", "ci_low", "ci_high", "half_width", "relative", "undefined")
    wide = replace(curves, labels=many, **{name: getattr(curves, name)[:, columns] for name in arrays})
    drawn = named(Curves.of_scores(wide, ["sys1", "sys15", "sys19"]).screen())
    colours = [drawn[name].line.color for name in ("sys1", "sys15", "sys19")]
    assert colours[0] == PALETTE[1]
    assert len(set(colours)) == 3
    assert set(colours) <= set(PALETTE)


def test_a_system_has_one_colour_whichever_others_are_drawn(curves: SizeCurves) -> None:
    every = {name: trace.line.color for name, trace in named(Curves.of_scores(curves).screen()).items()}
    few = {name: trace.line.color for name, trace in named(Curves.of_scores(curves, ["sys1", "sys3"]).screen()).items()}
    widths = {
        name: trace.line.color for name, trace in named(Curves.of_widths(curves).screen()).items() if name in every
    }
    assert len(set(every.values())) == 5
    assert few == {name: every[name] for name in ("sys1", "sys3")}
    assert widths == every


def test_of_very_many_systems_the_highest_and_the_lowest_are_drawn_and_the_caption_says_so() -> None:
    found = size_curve(made_statistics(n=60, systems=12), Ablation(sizes=(0.5, 1.0), repeats=4))
    drawn = Curves.of_scores(found)
    ends = {found.labels[int(found.mean[-1].argmax())], found.labels[int(found.mean[-1].argmin())]}
    assert {curve.name for curve in drawn.curves} == ends
    worded(drawn.caption, "12 systems")


# --- bytes ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_picture_of_fifty_systems_takes_at_most_200_kilobytes() -> None:
    names, rng = [f"newstest2017.team-{number}.0.en-de" for number in range(50)], np.random.default_rng(1)
    statistics = replace(made_statistics(n=300, systems=50), systems=tuple(names))
    settings = Settings(test="jackknife-t", correction="holm", n_resamples=200)
    family, scored = settings.family(statistics), settings.intervals(statistics)
    league = League.of(scored, family, ranks(family))
    curves = size_curve(statistics, Ablation(sizes=(0.2, 0.5, 1.0), repeats=2))
    rated = np.arange(50)[:, None] + 8 * rng.normal(size=(50, 60))
    families = [settings.family(made.rated(values, names)) for values in (rated, rated + rng.normal(size=(50, 60)))]
    pilot = power_analysis(statistics, *names[:2], 1.5)
    differences, shares = tuple(np.cumsum(rng.random(1225)).tolist()), tuple(rng.random(1225).tolist())
    cells = tuple(HeatCell(row, column, *rng.random(2), False) for row in range(50) for column in range(12))
    contributing = contributions(made_statistics(n=10_000, systems=2), "sys0", "sys1")
    pictures: dict[str, Picture] = {
        "league": league,
        "every pair from both sides": replace(league, matrix=Matrix.of(family, full=True)),
        "differences from one": League.of(scored, family, ranks(family), family.order[3]),
        "scores": league.alone("scores"),
        "cells": league.alone("matrix"),
        "matrix": Matrix.of(family, full=True),
        "bars": IntervalBars.of(scored, family),
        "forest": Forest.of(family, family.order[0]),
        "draws": Histogram.of_resampled(family.resampled(0), family[0], margin=0.5),
        "curves": Curves.of_scores(curves, names),
        "widths": Curves.of_widths(curves, names),
        "power": PowerCurve.of(power_analysis(statistics, *names[:2], 1.5, sizes=sizes_of(pilot)), segments=300),
        "half widths": SubsetWidths.of(curves),
        "verdicts": VerdictMarks.of(side_by_side(*families)),
        "delta and accuracy": MeaningCurve(
            "x", differences, (1.0, 0.0) * 612 + (1.0,), shares, shares, shares, 0.5, 0.95
        ),
        "sets": SetHeat("x", tuple(names), tuple(f"set{number}" for number in range(12)), cells, 2),
        "ranks": RankDiagram(tuple(names), tuple(range(1, 51)), tuple((at, at + 9) for at in range(40)), 3.0, 12),
        "contributions": ContributionBars.of(contributing),
        "scores apart": ScoresApart.of(contributing),
        "leverage": LeverageCurve.of(leverage(contributing)),
    }
    sizes = {name: len(picture.screen(PHONE).to_json()) for name, picture in pictures.items() if picture.narrows}
    sizes |= {name: len(picture.screen().to_json()) for name, picture in pictures.items()}
    assert {name: size for name, size in sizes.items() if size > 200_000} == {}


# --- names ------------------------------------------------------------------------------------------------------


def renamed(statistics: Statistics, names: list[str]) -> Statistics:
    return replace(statistics.select(statistics.systems[: len(names)]), systems=tuple(names))


def every_figure(statistics: Statistics) -> dict[str, go.Figure]:
    family = Settings(n_resamples=100).family(statistics)
    assert family.null is not None
    curves = size_curve(statistics, Ablation(sizes=(0.5, 1.0), repeats=10))
    scored = interval(statistics, scheme=Bootstrap(100))
    return {
        "bars": IntervalBars.of(scored).screen(),
        "matrix": Matrix.of(family).screen(),
        "resampled": Histogram.of_resampled(family.resampled(0), family[0], margin=0.5).screen(),
        "shuffled": Histogram.of_shuffled(family.null[0], family[0]).screen(),
        "curves": Curves.of_scores(curves).screen(),
        "widths": Curves.of_widths(curves).screen(),
    }


def shown_texts(figure: go.Figure) -> list[str]:
    """Return every text of a figure that plotly would read markup in."""
    texts: list[str] = []
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        texts += [*(axis.ticktext or ()), axis.title.text or ""]
    for trace in figure.data:
        texts += [trace.name or "", *(trace["hovertext"] or () if "hovertext" in trace else ())]
        texts += [cell.text for cell in clicked_on(go.Figure([trace]))] if trace.customdata is not None else []
        texts += trace["text"] or () if "text" in trace else ()
    return [*texts, *(one.text for one in figure.layout.annotations)]


@pytest.fixture(scope="module")
def awkward() -> dict[str, go.Figure]:
    return every_figure(renamed(made_statistics(n=80, systems=len(AWKWARD)), AWKWARD))


@pytest.mark.parametrize("kind", ["bars", "matrix", "resampled", "shuffled", "curves", "widths"])
def test_names_with_markup_stay_text(awkward: dict[str, go.Figure], kind: str) -> None:
    for text in shown_texts(awkward[kind]):
        assert "<b>" not in text
        assert "$" not in text  # plotly hands text between dollar signs to MathJax
        assert "&" not in re.sub("&(amp|lt|gt|#36|#123);", "", text)


def test_names_come_back_from_their_escapes(awkward: dict[str, go.Figure]) -> None:
    shown = {html.unescape(text) for text in awkward["bars"].layout.yaxis.ticktext}
    assert {name for name in AWKWARD if len(name) <= 28} <= shown


def test_long_names_are_shortened_but_clicks_carry_them_whole(awkward: dict[str, go.Figure]) -> None:
    assert max(len(html.unescape(text)) for text in awkward["bars"].layout.yaxis.ticktext) <= 40
    assert {name for cell in clicked_on(awkward["matrix"]) for name in cell.keys} == set(AWKWARD)


@pytest.fixture(scope="module")
def alike() -> dict[str, go.Figure]:
    return every_figure(renamed(made_statistics(n=80, systems=2), ALIKE))


def test_names_that_shorten_alike_have_places_of_their_own(alike: dict[str, go.Figure]) -> None:
    assert list(alike["bars"].layout.yaxis.tickvals) == [0, 1]
    assert list(alike["bars"].data[0].y) == [0, 1]
    assert len(alike["matrix"].layout.xaxis.tickvals) == 2


@pytest.mark.parametrize("kind", ["bars", "matrix"])
def test_names_that_shorten_alike_can_be_told_apart_on_the_axis(alike: dict[str, go.Figure], kind: str) -> None:
    assert len(set(alike[kind].layout.yaxis.ticktext)) == 2


@pytest.mark.parametrize("kind", ["curves", "widths"])
def test_names_that_shorten_alike_can_be_told_apart_in_the_legend(alike: dict[str, go.Figure], kind: str) -> None:
    names = [trace.name for trace in alike[kind].data if trace.name and trace.name != "1/√n law"]
    assert len(names) == len(set(names)) == 2


def test_an_axis_about_two_such_systems_names_both(alike: dict[str, go.Figure]) -> None:
    first, _, second = alike["resampled"].layout.xaxis.title.text.removeprefix("BLEU: ").partition(" minus ")
    assert first != second


@pytest.mark.parametrize("kind", ["bars", "matrix", "resampled", "shuffled", "curves", "widths"])
def test_every_figure_becomes_json(awkward: dict[str, go.Figure], kind: str) -> None:
    found = json.loads(awkward[kind].to_json())
    assert go.Figure(found).data  # which refuses what plotly does not know
    assert "NaN" not in awkward[kind].to_json()


@pytest.mark.parametrize("kind", ["bars", "matrix", "resampled", "shuffled", "curves", "widths"])
def test_texts_have_the_pages_own_colour(awkward: dict[str, go.Figure], kind: str) -> None:
    # Streamlit puts it in the place of this one; the grey that its theme has for charts is too faint on white.
    layout = awkward[kind].layout
    found = [layout.font.color, layout.hoverlabel.font.color]
    for axis in (*awkward[kind].select_xaxes(), *awkward[kind].select_yaxes()):
        found += [axis.tickfont.color, axis.title.font.color]
    assert GRAY_90 in found
    assert set(found) <= {GRAY_90, INK_2[0]}


@pytest.mark.parametrize("kind", ["bars", "matrix", "resampled", "shuffled", "curves", "widths"])
def test_no_figure_paints_its_own_background(awkward: dict[str, go.Figure], kind: str) -> None:
    # The page behind it may be light or dark.
    assert awkward[kind].layout.paper_bgcolor == awkward[kind].layout.plot_bgcolor == "rgba(0,0,0,0)"


def test_a_key_of_series_hides_them_by_a_click_and_a_key_of_signs_does_not(curves: SizeCurves, family: Family) -> None:
    legend = Curves.of_scores(curves).screen().layout.legend
    assert (legend.itemclick, legend.itemdoubleclick) == ("toggle", "toggleothers")
    legend = Matrix.of(family).screen().layout.legend
    assert (legend.itemclick, legend.itemdoubleclick) == (False, False)
