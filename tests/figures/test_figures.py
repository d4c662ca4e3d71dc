"""Figures of experiments are asked for the numbers they drew."""

import html

import numpy as np
import plotly.graph_objects as go
import pytest
from contrasts import DARK, LIGHT, contrast, over
from kept import worded
from made import made_statistics
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mtsig import size_curve
from mtsig.figures import Picture
from mtsig.figures._look import verdict_colour
from mtsig.lab import (
    NEWS,
    Calibrate,
    Conclusions,
    Coverage,
    Draws,
    Relations,
    Sensitivity,
    Variation,
    of_experiment,
    run,
)
from mtsig.lab._material import LabResult
from mtsig.segments._ablation import Ablation


def screen(result: LabResult, title: str) -> go.Figure:
    return of_experiment(result)[title].screen()


def test_misses_and_hits_are_drawn_apart() -> None:
    found = run(Coverage(size=30, sets=40, interval="ij", level=0.8), NEWS.simulate((30.0,), 1500))
    hits, misses, line = screen(found, "Intervals of test sets").data
    assert len(hits.x) == 40 - found.misses
    assert len(misses.x) == found.misses > 0
    assert hits.error_y.array[0] == pytest.approx((found.high - found.estimate)[found.covered][0])
    worded(line.name)


def test_win_rates_and_accuracy_are_those_of_the_result() -> None:
    found = run(Conclusions(sizes=(30, 60), sets=(20, 10), n_resamples=200), NEWS.simulate((30.0, 27.0), 900))
    figures = of_experiment(found)
    assert list(figures["Win rates of test sets"].screen().data[0].y) == pytest.approx(found.wins[0][0])
    right, theory = (figures["Right conclusions"].screen().data[i] for i in (0, -1))
    assert list(right.y) == pytest.approx(found.right[:, 0])
    assert np.all(np.diff(theory.x) >= 0)
    drawn = figures["Accuracy by win rate"].screen().data[0]
    bins = [one for one in reversed(found.by_win_rate()) if one[1]]
    assert list(drawn.y) == pytest.approx([right / count for _, count, right in bins])


def test_theory_is_dashed_and_measured_is_not() -> None:
    found = run(Draws(total=2000, sizes=(50, 200)), made_statistics(n=60))
    low, high, theory = screen(found, "Spread of interval ends").data
    assert theory.line.dash == "dash"
    assert (low.mode, high.mode) == ("markers", "markers")
    assert list(theory.y) == pytest.approx(found.theory.mean(axis=1))


def test_spreads_stand_beside_what_independence_predicts() -> None:
    found = run(Variation(size=20, orders=20), made_statistics(n=200, systems=2))
    together, apart, predicted = screen(found, "Spread between test sets").data
    assert list(together.y) == pytest.approx(found.spread_consecutive)
    assert list(apart.y) == pytest.approx(found.spread_broad)
    assert list(predicted.y) == pytest.approx(found.predicted)


def test_one_system_has_no_difference_to_draw() -> None:
    found = run(Variation(size=20, orders=20), made_statistics(n=200, systems=1))
    assert "Differences on test sets" not in of_experiment(found)


def cells_of(figure: go.Figure, axis: str = "x") -> dict[tuple[int, int], tuple[str, go.Bar | go.Scatter]]:
    """Return by row and column the sign that whoever hovers or reads finds there, with what it is drawn by."""
    found = {}
    for trace in figure.select_traces(lambda one: one.xaxis == axis):
        if isinstance(trace, go.Bar):
            bars = zip(trace.x, trace.base, trace.text, strict=True)
            found |= {(round(base + 0.46), x): (text, trace) for x, base, text in bars}
        elif trace.mode == "text":
            found |= {(y, x): (text, trace) for x, y, text in zip(trace.x, trace.y, trace.text, strict=True)}
    return found


def test_relations_are_drawn_once_for_every_metric() -> None:
    many = [made_statistics(n=200), made_statistics(n=200, seed=2)]
    found = run(Relations(n_resamples=200), many)
    figure = screen(found, "Relations")
    for metric, axis in enumerate(("x", "x2")):
        cells = cells_of(figure, axis)
        size = len(found.systems)
        assert len(cells) == size * (size - 1)
        for (row, column), (sign, _) in cells.items():
            said = found.between(metric, found.systems[row], found.systems[column])
            assert html.unescape(sign) == said


def test_signs_of_relations_can_be_read_and_have_the_colours_of_verdicts() -> None:
    found = run(Relations(n_resamples=200), [made_statistics(n=200)])
    figure = screen(found, "Relations")
    cells = {html.unescape(sign): trace for sign, trace in cells_of(figure).values()}
    for sign, verdict in {">": "better", "<": "worse"}.items():
        (ground,), (ink,) = set(cells[sign].marker.color), set(cells[sign].insidetextfont.color)
        assert ground == verdict_colour(verdict, 0)
        assert contrast(ink, ground) >= 4.5
        assert min(contrast(ground, page) for page in (LIGHT, DARK)) >= 3 - 0.05
    # What separates nothing has the page's own ink on next to nothing.
    (pale,) = [trace for trace in figure.data if isinstance(trace, go.Scatter) and trace.fillpattern.shape]
    assert cells["~"].textfont.color is None
    assert contrast("#000037", over(pale.fillpattern.bgcolor, LIGHT)) >= 4.5


def test_power_is_drawn_by_the_true_difference_and_errors_by_size() -> None:
    plan = Calibrate(
        simulations=50, n_resamples=99, sizes=(30, 60), effects=(1.0, 0.0), drawn="segments", unit="segment"
    )
    found = run(plan, made_statistics(n=100, systems=2))
    figures = of_experiment(found)
    traces = figures["Power"].screen().data
    curves = [trace for trace in traces if trace.name == "paired randomization, exchangeable" and trace.mode != "lines"]
    assert found.effects.tolist() == [1, 0, 0]
    order = np.argsort(found.truth[:2])
    assert list(curves[0].y) == pytest.approx(found.rate[0, -1, order])
    other = next(trace for trace in traces if trace.name == "paired randomization, equal scores")
    assert (list(other.x), list(other.y)) == ([0.0], pytest.approx([found.rate[0, -1, 2]]))
    rates = {trace.name: trace for trace in figures["Error rates"].screen().data}
    assert list(rates["paired randomization, exchangeable"].y) == pytest.approx(found.rate[0, :, 1])
    assert list(rates["paired randomization, equal scores"].y) == pytest.approx(found.rate[0, :, 2])
    without = run(Calibrate(**{**vars(plan), "effects": (1.0,)}), made_statistics(n=100, systems=2))
    assert "Error rates" not in of_experiment(without)


def on_axes(picture: Picture) -> Axes:
    """Return the first axes of a picture drawn on paper."""
    paper = Figure(figsize=(3, 3), layout="constrained")
    picture.draw(paper, str)
    return paper.axes[0]


def test_paper_shows_the_same_numbers_as_the_screen() -> None:
    found = run(Draws(total=2000, sizes=(50, 200)), made_statistics(n=60))
    axes = on_axes(of_experiment(found)["Spread of interval ends"])
    low, _, theory = axes.get_lines()
    assert list(low.get_ydata()) == pytest.approx(found.spread_low.mean(axis=1))
    assert list(theory.get_ydata()) == pytest.approx(found.theory.mean(axis=1))
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")


def test_bars_stand_beside_each_other_on_paper() -> None:
    found = run(Variation(size=20, orders=20), made_statistics(n=200, systems=2))
    bars = on_axes(of_experiment(found)["Spread between test sets"]).patches
    heights = [bar.get_height() for bar in bars]
    assert heights == pytest.approx([*found.spread_consecutive, *found.spread_broad])
    assert bars[0].get_x() + bars[0].get_width() == pytest.approx(bars[2].get_x())


def test_relations_on_paper_hold_every_sign() -> None:
    found = run(Relations(n_resamples=200), [made_statistics(n=200)])
    signs = [text.get_text() for text in on_axes(of_experiment(found)["Relations"]).texts]
    assert len(signs) == 12  # none on the diagonal
    assert signs.count(">") == signs.count("<") == int(np.sum(found.sign != 0))


def test_logarithmic_axes_name_every_tick_whole() -> None:
    found = run(Draws(total=2000, sizes=(50, 200)), made_statistics(n=60))
    drawn = of_experiment(found)["Spread of interval ends"]
    axis = drawn.screen().layout.xaxis
    assert list(axis.tickvals) == [50.0, 100.0, 200.0]
    assert list(axis.ticktext) == ["50", "100", "200"]
    paper = Figure(figsize=(3.0, drawn.height(3.0)))
    drawn.draw(paper, str)
    paper.canvas.draw()
    assert [one.get_text() for one in paper.axes[0].get_xticklabels()] == ["50", "100", "200"]


def test_win_rates_are_shown_of_the_pair_that_is_hardest_to_tell_apart() -> None:
    found = run(Conclusions(sizes=(30,), sets=(20,), n_resamples=100), NEWS.simulate((30.0, 27.0, 26.5), 900))
    hardest = int(np.argmin(found.difference / found.error[:, 0]))
    assert list(screen(found, "Win rates of test sets").data[0].y) == pytest.approx(found.wins[0][hardest])
    assert set(found.pairs[hardest]) == {"S2", "S3"}


def test_pairs_stand_in_rows_and_the_line_that_separates_them_at_the_level() -> None:
    found = run(Sensitivity(level=0.99), made_statistics())
    figure = screen(found, "Signal of every pair")
    line = figure.layout.shapes[0]
    assert line.x0 == line.x1 == pytest.approx(2.5758, abs=1e-4)
    assert len(figure.layout.yaxis.ticktext) == len(found.pairs)
    assert not figure.layout.xaxis.tickangle


def test_of_many_systems_curves_by_size_show_the_highest_and_the_lowest() -> None:
    statistics = made_statistics(n=60, systems=9)
    curves = of_experiment(size_curve(statistics, Ablation(sizes=(0.5, 1.0), repeats=2)))["Scores by size"]
    order = np.argsort(statistics.scores)
    assert {one.name for one in curves.curves} == {statistics.systems[order[0]], statistics.systems[order[-1]]}


def test_one_effect_makes_no_power_curve() -> None:
    found = run(
        Calibrate(simulations=50, n_resamples=99, sizes=(30,), effects=(0.0,), tests=("ij-t",)), made_statistics(n=60)
    )
    assert list(of_experiment(found)) == ["Error rates"]
