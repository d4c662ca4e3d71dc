"""Figures are asked for the numbers they drew."""

import html
import json
import re
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest
from made import made_corpus, made_statistics
from sheets import on_sheet
from streamlit.elements.lib.streamlit_plotly_theme import GRAY_90

from mtsig import Corpus, Settings, interval, measure, size_curve
from mtsig.figures import (
    Curves,
    Histogram,
    IntervalBars,
    Matrix,
)
from mtsig.figures._curves import LAW
from mtsig.figures._look import GREY, PALETTE
from mtsig.inference import Family, compare
from mtsig.metrics import Statistics
from mtsig.resampling import Bootstrap, Swap, resample, shuffle
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
        assert dots.x[place] == one.estimate
        assert dots.x[place] + dots.error_x.array[place] == pytest.approx(one.ci_high)
        assert dots.x[place] - dots.error_x.arrayminus[place] == pytest.approx(one.ci_low)
    assert sorted(names) == sorted(found.systems)


def test_the_best_system_stands_on_top(statistics: Statistics) -> None:
    figure = IntervalBars.of(interval(statistics, scheme=Bootstrap(200))).screen()
    assert list(figure.data[0].x) == sorted(figure.data[0].x, reverse=True)
    bottom, top = figure.layout.yaxis.range
    assert bottom > top  # position 0 is drawn on top


# --- histograms -------------------------------------------------------------------------------------------


def test_the_histogram_of_resamples_holds_every_draw(family: Family) -> None:
    one, draws = family[2], family.resampled(2)
    figure = Histogram.of_resampled(draws, one).screen()
    assert sum(sum(trace.y) for trace in bars(figure)) == len(draws) == 1000
    assert lines_at(figure) == sorted([0.0, one.difference])
    assert bands(figure) == [(one.ci_low, one.ci_high)]


def test_the_bars_stand_where_the_draws_are(family: Family) -> None:
    draws = family.resampled(2)
    (bar,) = bars(Histogram.of_resampled(draws, family[2]).screen())
    width = bar.width
    for place in (5, 30, 50):
        left, right = bar.x[place] - width / 2, bar.x[place] + width / 2
        assert bar.y[place] == np.count_nonzero((draws >= left) & (draws < right))


def test_the_hatched_share_is_the_p_value_of_a_simulated_test(family: Family) -> None:
    assert family.null is not None
    assert not family.exact.any()
    for i in range(len(family)):
        figure = Histogram.of_shuffled(family.null[i], family[i]).screen()
        far = sum(hatched(figure).y)
        assert sum(sum(trace.y) for trace in bars(figure)) == 1000
        assert (far + 1) / 1001 == pytest.approx(family[i].p_value)


def test_the_hatched_share_is_the_p_value_of_an_enumerated_test() -> None:
    corpus = made_corpus(n=40, systems=1, documents=0)
    nearly = ["changed here" if i % 9 == 1 else line for i, line in enumerate(corpus.lines("sys0"))]
    two = measure(Corpus.of({**corpus.outputs, "nearly": nearly}, corpus.references), "chrf")
    family = compare(two)
    assert family.complete
    assert family.null is not None
    figure = Histogram.of_shuffled(family.null[0], family[0]).screen()
    assert sum(hatched(figure).y) / family.null.shape[1] == pytest.approx(family[0].p_value)


def test_the_observed_difference_is_drawn_on_both_sides_of_the_null(family: Family) -> None:
    assert family.null is not None
    one = family[3]
    assert lines_at(Histogram.of_shuffled(family.null[3], one).screen()) == sorted([one.difference, -one.difference])


def test_identical_systems_have_a_histogram_too() -> None:
    corpus = made_corpus(n=30, systems=1, documents=0)
    twins = measure(Corpus.of({**corpus.outputs, "twin": corpus.lines("sys0")}, corpus.references), "bleu")
    family = compare(twins)
    assert family.null is not None
    figure = Histogram.of_shuffled(family.null[0], family[0]).screen()
    assert sum(hatched(figure).y) == family.null.shape[1]
    assert sum(bars(Histogram.of_resampled(family.resampled(0), family[0]).screen())[0].y) == 10_000


def test_draws_that_differ_by_rounding_only_can_be_drawn(family: Family) -> None:
    draws = np.array([5.0, np.nextafter(5.0, 6.0)] * 50)
    assert sum(bars(Histogram.of_resampled(draws, family[0]).screen())[0].y) == 100


def test_the_histogram_of_one_system_holds_score_and_interval(statistics: Statistics) -> None:
    found = interval(statistics, "percentile", scheme=Bootstrap(500))["sys1"]
    draws = resample(statistics, Bootstrap(500)).draws[1]
    figure = Histogram.of_scores(draws, found, "sys1", "BLEU").screen()
    assert sum(bars(figure)[0].y) == 500
    assert lines_at(figure) == [found.estimate]
    assert bands(figure) == [(found.ci_low, found.ci_high)]
    # The percentile interval leaves out 2.5% on each side of what is drawn.
    assert np.count_nonzero(draws < found.ci_low) == pytest.approx(12.5, abs=1)


def test_the_null_that_is_drawn_is_the_null_of_the_family(statistics: Statistics, family: Family) -> None:
    drawn = shuffle(statistics, Swap(1000), np.array([0]), np.array([1]))
    assert family.null is not None
    np.testing.assert_allclose(drawn[0], family.null[0])


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
    assert "They do not tell which of two metrics is more sensitive." in relative
    assert "sensitive" not in absolute
    assert "in % of" not in absolute
    assert f"Shown: 1 of {len(curves.labels)} systems." in absolute
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
    assert drawn.caption.endswith("the highest and the lowest of 12 systems.")


# --- names ------------------------------------------------------------------------------------------------------


def renamed(statistics: Statistics, names: list[str]) -> Statistics:
    return replace(statistics.select(statistics.systems[: len(names)]), systems=tuple(names))


def every_figure(statistics: Statistics) -> dict[str, go.Figure]:
    family = Settings(n_resamples=100).family(statistics)
    assert family.null is not None
    curves = size_curve(statistics, Ablation(sizes=(0.5, 1.0), repeats=10))
    scored = interval(statistics, scheme=Bootstrap(100))
    first = statistics.systems[0]
    draws = resample(statistics, Bootstrap(100)).draws[0]
    return {
        "bars": IntervalBars.of(scored).screen(),
        "matrix": Matrix.of(family).screen(),
        "resampled": Histogram.of_resampled(family.resampled(0), family[0]).screen(),
        "shuffled": Histogram.of_shuffled(family.null[0], family[0]).screen(),
        "scores": Histogram.of_scores(draws, scored[first], first, "BLEU").screen(),
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
        texts += trace["text"] or () if "text" in trace else ()
    return texts


@pytest.fixture(scope="module")
def awkward() -> dict[str, go.Figure]:
    return every_figure(renamed(made_statistics(n=80, systems=len(AWKWARD)), AWKWARD))


@pytest.mark.parametrize("kind", ["bars", "matrix", "resampled", "shuffled", "scores", "curves", "widths"])
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
    overlay = next(trace for trace in awkward["matrix"].data if trace.customdata is not None)
    assert {name for pair in overlay.customdata for name in pair} == set(AWKWARD)


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


@pytest.mark.parametrize("kind", ["bars", "matrix", "resampled", "shuffled", "scores", "curves", "widths"])
def test_every_figure_becomes_json(awkward: dict[str, go.Figure], kind: str) -> None:
    found = json.loads(awkward[kind].to_json())
    assert found["data"]
    assert "NaN" not in awkward[kind].to_json()


@pytest.mark.parametrize("kind", ["bars", "matrix", "resampled", "shuffled", "scores", "curves", "widths"])
def test_texts_have_the_pages_own_colour(awkward: dict[str, go.Figure], kind: str) -> None:
    # Streamlit puts it in the place of this one; the grey that its theme has for charts is too faint on white.
    layout = awkward[kind].layout
    found = [layout.font.color, layout.hoverlabel.font.color]
    for axis in (*awkward[kind].select_xaxes(), *awkward[kind].select_yaxes()):
        found += [axis.tickfont.color, axis.title.font.color]
    assert set(found) == {GRAY_90}


@pytest.mark.parametrize("kind", ["bars", "matrix", "resampled", "shuffled", "scores", "curves", "widths"])
def test_no_figure_paints_its_own_background(awkward: dict[str, go.Figure], kind: str) -> None:
    # The page behind it may be light or dark.
    assert awkward[kind].layout.paper_bgcolor == awkward[kind].layout.plot_bgcolor == "rgba(0,0,0,0)"


def test_a_key_of_series_hides_them_by_a_click_and_a_key_of_signs_does_not(curves: SizeCurves, family: Family) -> None:
    legend = Curves.of_scores(curves).screen().layout.legend
    assert (legend.itemclick, legend.itemdoubleclick) == ("toggle", "toggleothers")
    legend = Matrix.of(family).screen().layout.legend
    assert (legend.itemclick, legend.itemdoubleclick) == (False, False)
