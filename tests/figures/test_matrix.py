"""The significance matrix: colour is the verdict, numbers can be read, groups have lines, clicks find their pair."""

import itertools
import re
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest
from contrasts import DARK, LIGHT, contrast, over
from made import made_statistics, rated
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from sheets import clicked_on, legend_of, on_sheet, trouble_on

from mtsig import Settings, verdict
from mtsig.figures import PAPERS, Matrix, on_paper
from mtsig.inference import Family, groups
from mtsig.metrics import Statistics

NARROWEST_AND_WIDEST = ("neurips-half", "acl-full")
EVERY_WIDTH = pytest.mark.parametrize(
    "paper", [pytest.param(name, marks=() if name in NARROWEST_AND_WIDEST else pytest.mark.slow) for name in PAPERS]
)


def many(size: int, gap: float = 0.25) -> Statistics:
    """Return ratings of systems, each a little worse than the one before, on documents of one segment."""
    rng = np.random.default_rng(5)
    ratings = 60 + rng.normal(0, 2, 90) + rng.normal(0, 0.8, (size, 90)) - gap * np.arange(size)[:, None]
    return replace(rated(ratings, [f"system {i}" for i in range(size)]), document_of=np.arange(90))


@pytest.fixture(scope="module")
def family() -> Family:
    return Settings(n_resamples=1000).family(made_statistics(n=300, systems=5, seed=4))


@pytest.fixture(scope="module")
def crowd() -> Family:
    return Settings(test="jackknife-t", correction="holm").family(many(50))


def bars(figure: go.Figure) -> list[tuple[int, int, str, str, str]]:
    """Return (row, column, colour, text, colour of the text) of all cells with a full colour."""
    found = []
    for trace in figure.data:
        if isinstance(trace, go.Bar):
            texts = trace.text or [""] * len(trace.x)
            inks = trace.insidetextfont.color or [None] * len(trace.x)
            for column, base, high, colour, text, ink in zip(
                trace.x, trace.base, trace.y, trace.marker.color, texts, inks, strict=True
            ):
                found.append((round(base + high / 2), column, colour, text, ink))
    return found


def areas(figure: go.Figure, shape: str) -> set[tuple[int, int]]:
    """Return (row, column) of all cells that are hatched, or dotted."""
    found = set()
    for trace in figure.data:
        if isinstance(trace, go.Scatter) and trace.fillpattern.shape == shape:
            xs, ys = (np.array(values, dtype=float).reshape(-1, 5)[:, :4].mean(axis=1) for values in (trace.x, trace.y))
            found |= {(round(y), round(x)) for x, y in zip(xs, ys, strict=True)}
    return found


def expected(family: Family, *, full: bool) -> dict[tuple[int, int], tuple[str, float]]:
    """Return the word and the difference of each cell, found anew from the comparisons."""
    place = {name: i for i, name in enumerate(family.order)}
    found = {}
    for one in family:
        decided = verdict(one)
        for left, top, difference in (
            (one.first, one.second, one.difference), (one.second, one.first, -one.difference)
        ):  # fmt: skip
            if full or place[left] < place[top]:
                word = decided.word if decided.winner in (None, left) else "worse"
                found[place[left], place[top]] = (word, difference)
    return found


@pytest.mark.parametrize("full", [False, True])
def test_every_cell_has_the_colour_of_its_verdict(family: Family, full: bool) -> None:
    figure, cells = Matrix.of(family, full).screen(), expected(family, full=full)
    assert len(cells) == (20 if full else 10)
    coloured = {(row, column): colour for row, column, colour, _, _ in bars(figure)}
    assert areas(figure, "/") == {place for place, (word, _) in cells.items() if word == "not_significant"}
    assert areas(figure, ".") == {place for place, (word, _) in cells.items() if word == "withheld"}
    assert set(coloured) == {place for place, (word, _) in cells.items() if word in ("better", "worse")}
    for place, colour in coloured.items():
        red, blue = int(colour[1:3], 16), int(colour[5:7], 16)
        assert (blue > red) == (cells[place][0] == "better")


def test_the_larger_the_difference_the_darker_the_cell(crowd: Family) -> None:
    cells = expected(crowd, full=True)
    for word in ("better", "worse"):
        found = [
            (abs(cells[row, column][1]), contrast(colour, "#ffffff"))
            for row, column, colour, _, _ in bars(Matrix.of(crowd, full=True).screen())
            if cells[row, column][0] == word
        ]
        assert len(found) > 500
        steps = np.diff([dark for _, dark in sorted(found)])
        assert (steps > -0.05).all()  # of colours that are whole numbers
        assert sum(steps) > 2


def test_numbers_are_those_of_the_comparisons(family: Family) -> None:
    cells = expected(family, full=True)
    shown = bars(Matrix.of(family, full=True).screen())
    for row, column, _, text, _ in shown:
        assert text.replace("−", "-") == f"{cells[row, column][1]:.2f}"
    assert any(text.startswith("−") for *_, text, _ in shown)


def test_numbers_too_small_to_read_are_left_out(family: Family) -> None:
    figure = Matrix.of(family).screen()
    rules = figure.layout.uniformtext
    assert (rules.minsize, rules.mode) == (9, "hide")
    # The legend promises no number in a cell that has none.
    said = [trace.name for trace in figure.data if "numbers" in (trace.name or "")]
    assert said
    assert all("numbers, where they fit: difference in" in name for name in said)


def test_clicks_find_their_pair_and_hover_says_it_whole(family: Family) -> None:
    figure, seen = Matrix.of(family, full=True).screen(), set()
    for x, y, pair, hover in clicked_on(figure):
        assert (family.order[int(y)], family.order[int(x)]) == pair
        seen.add(pair)
        i = family.find(*pair)
        assert i is not None
        one = family[i] if family[i].first == pair[0] else family[i].turned
        shown = hover.replace("−", "-")
        assert f"{pair[0]} minus {pair[1]}: {one.difference:+.2f} BLEU" in shown
        assert f"{one.ci_low:+.2f} to {one.ci_high:+.2f}" in shown
        assert {"better": f"{verdict(one).winner} is", "not_significant": "≈ not", "withheld": "? wi"}[
            verdict(one).word
        ].replace(pair[1], pair[0]) in shown
    assert len(seen) == 2 * len(family)
    overlays = [trace for trace in figure.data if trace.customdata is not None]
    assert {(trace.opacity, trace.marker.opacity) for trace in overlays} == {(None, 0)}


def test_systems_stand_in_the_order_of_scores_beside_their_first_cell(family: Family) -> None:
    figure = Matrix.of(family).screen()
    scores = dict(zip(family.statistics.systems, family.statistics.scores, strict=True))
    assert list(figure.layout.yaxis.ticktext) == sorted(scores, key=lambda name: -scores[name])
    (names,) = [trace for trace in figure.data if trace.textposition == "middle left"]
    assert list(names.text) == list(family.order)
    assert list(names.y) == list(range(5))
    low, high = figure.layout.xaxis.range
    assert all(low < x < high for x in names.x)  # plotly leaves out what lies beyond


def test_a_matrix_against_one_system_leaves_the_other_cells_empty() -> None:
    family = Settings(n_resamples=200).family(made_statistics(systems=5), "sys2")
    drawn = Matrix.of(family)
    assert len(drawn.cells) == 4
    assert drawn.corners == ()
    assert all("sys2" in cell.keys for cell in clicked_on(drawn.screen()))


# --- groups -----------------------------------------------------------------------------------------------------


def test_groups_are_the_longest_runs_that_nothing_separates(crowd: Family) -> None:
    order, found = crowd.order, groups(crowd)
    apart = {frozenset((one.first, one.second)) for one in crowd if verdict(one).word == "better"}

    def together(first: int, last: int) -> bool:
        return not any(frozenset((order[i], order[j])) in apart for i in range(first, last) for j in range(i + 1, last))

    wanted = [
        order[first:last]
        for first in range(50)
        for last in range(first + 1, 51)
        if together(first, last)
        and not (first and together(first - 1, last))
        and not (last < 50 and together(first, last + 1))
    ]
    assert list(found) == wanted
    assert 5 < len(found) < 50
    assert {name for group in found for name in group} == set(order)


def test_columns_have_numbers_where_names_would_run_into_each_other(family: Family, crowd: Family) -> None:
    """The square, whose names stand at its left, and long names: the number over a column is that in its row's name."""
    long = replace(Matrix.of(family), order=tuple(f"the-system-of-a-long-name-{i}" for i in range(5)))
    for drawn in (Matrix.of(family, full=True), long):
        figure = drawn.screen()
        heads = dict(zip(figure.layout.xaxis.tickvals, figure.layout.xaxis.ticktext, strict=True))
        assert heads == {place: str(place + 1) for place in range(5)}
        rows = figure.layout.yaxis.ticktext if drawn.full else figure.data[-1].text
        assert [row.split() for row in rows] == [[drawn.names[place], heads[place]] for place in range(5)]
    assert list(Matrix.of(family).screen().layout.xaxis.ticktext) == list(Matrix.of(family).names)
    assert list(Matrix.of(crowd, full=True).screen().layout.xaxis.ticktext) == [
        str(number) for number in range(5, 51, 5)
    ]


@pytest.mark.parametrize("full", [False, True])
def test_lines_stand_where_groups_end(crowd: Family, full: bool) -> None:
    drawn = Matrix.of(crowd, full)
    several = [group for group in groups(crowd) if len(group) > 1]
    assert len(drawn.corners) == len(several)
    for corners, group in zip(drawn.corners, several, strict=True):
        first, last = crowd.order.index(group[0]), crowd.order.index(group[-1])
        assert (last + 0.5, first - 0.5) in corners
        assert max(y for _, y in corners) == last + (0.5 if full else -0.5)
    (line,) = [trace for trace in drawn.screen().data if trace.name == "no significant difference within"]
    assert [x for x in line.x if x is not None] == [x for corners in drawn.corners for x, _ in corners]


# --- many, and everyone ---------------------------------------------------------------------------------------------


def test_fifty_systems_have_marks_alone_and_few_things_to_draw(crowd: Family) -> None:
    figure = Matrix.of(crowd).screen()
    assert len(figure.data) <= 7
    assert {text for *_, text, _ in bars(figure)} <= {"", "−"}
    assert len(clicked_on(figure)) == 1225
    assert not figure.layout.shapes
    assert not figure.layout.annotations
    assert figure.layout.height <= 1000


@pytest.mark.parametrize("page", [LIGHT, DARK])
def test_marks_and_texts_stand_out_in_both_themes(crowd: Family, family: Family, page: str) -> None:
    for drawn in (Matrix.of(crowd, full=True).screen(), Matrix.of(family, full=True).screen()):
        for _, _, colour, text, ink in bars(drawn):
            assert contrast(colour, page) >= 3
            assert not text or contrast(ink, colour) >= 4.5
        for trace in drawn.select_traces({"type": "scatter"}):
            if trace.fillpattern.shape:
                assert contrast(trace.fillpattern.fgcolor, over(trace.fillpattern.bgcolor, page)) >= 3
            elif trace.mode == "text":
                assert trace.textfont.color is None  # the page's own
            elif trace.mode == "lines":
                assert contrast(trace.line.color, page) >= 3


# --- paper ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("full", [False, True])
def test_cells_on_paper_are_those_of_the_screen(family: Family, full: bool) -> None:
    drawn = Matrix.of(family, full)
    (axes,) = on_sheet(drawn, "acl-column").axes
    cells = {}
    textures = {}
    for drawn_alike in axes.collections:
        if isinstance(drawn_alike, LineCollection):
            textures |= {(round(y), round(x)): "/" for stroke in drawn_alike.get_segments() for x, y in stroke}
            continue
        for path, colour in zip(drawn_alike.get_paths(), itertools.cycle(drawn_alike.get_facecolors()), strict=False):
            column, row = path.vertices[:4].mean(axis=0)
            cells[round(row), round(column)] = to_hex(colour)
    for line in axes.lines:
        if line.get_linestyle() == "None":
            textures |= {(round(y), round(x)): "." for x, y in zip(*line.get_data(), strict=True)}
    assert len(cells) == len(drawn.cells)
    screen = {(row, column): (colour, text) for row, column, colour, text, _ in bars(drawn.screen())}
    texts = {text.get_position(): text.get_text() for text in axes.texts}
    for (row, column), colour in cells.items():
        shown = texts[column, row]
        if (row, column) in screen:
            assert (colour, shown) == screen[row, column]
        else:
            assert textures[row, column] == {"≈": "/", "?": "."}[shown]


@EVERY_WIDTH
@pytest.mark.parametrize("full", [False, True])
def test_no_two_texts_on_paper_run_into_each_other(family: Family, crowd: Family, full: bool, paper: str) -> None:
    long = replace(Matrix.of(family, full), order=tuple(f"the-system-of-a-long-name-{i}" for i in range(5)))
    for picture in (long, Matrix.of(crowd, full)):
        assert trouble_on(on_sheet(picture, paper)) == []


@EVERY_WIDTH
def test_what_the_caption_promises_stands_in_the_figure(family: Family, crowd: Family, paper: str) -> None:
    for picture in (Matrix.of(family), Matrix.of(family, full=True), Matrix.of(crowd)):
        sheet = on_sheet(picture, paper)
        shown = " | ".join(legend_of(sheet))
        words = {
            "Blue": "row better", "Orange": "row worse", "≈": "≈ not significant (not: equal)", "?": "? withheld",
            "Outlined": "no significant difference within",
        }  # fmt: skip
        for promised, legend in words.items():
            assert (promised in picture.caption) == (legend in shown), promised
        assert picture.metric in shown
        numbers = any(re.fullmatch(r"−?\d+\.\d+", text.get_text()) for text in sheet.axes[0].texts)
        assert ("numbers" in shown) == numbers


def of_size(size: int, gap: float = 0.25) -> Family:
    return Settings(test="jackknife-t", correction="holm").family(many(size, gap))


def test_numbers_of_one_matrix_have_the_same_decimals() -> None:
    for size, gap, digits in ((12, 1.2, 1), (12, 0.07, 2), (6, 0.4, 2), (6, 4.0, 1)):
        drawn = Matrix.of(of_size(size, gap))
        numbers = [drawn.text(cell) for cell in drawn.cells if cell.verdict in ("better", "worse")]
        assert {len(number.partition(".")[2]) for number in numbers} == {digits}
        assert all(float(number.replace("−", "-")) for number in numbers)


@pytest.mark.parametrize("full", [False, True])
def test_heads_of_many_columns_stand_apart_on_a_phone_and_cells_are_no_slivers(full: bool) -> None:
    for size in (9, 12, 20, 24, 40):
        drawn = Matrix.of(of_size(size), full)
        layout = drawn.screen().layout
        heads, longest = layout.xaxis.ticktext, max(map(len, drawn.names))
        high = (layout.height - 170) / size
        wide = max(100, 340 - 0.6 * layout.xaxis.tickfont.size * longest) / size
        assert high <= 2.5 * wide or high == 15
        if layout.xaxis.tickangle == 0:
            apart = wide * (layout.xaxis.tickvals[1] - layout.xaxis.tickvals[0])
            assert apart > 1.3 * layout.xaxis.tickfont.size
            assert [int(head) - 1 for head in heads] == list(layout.xaxis.tickvals)
        else:
            assert size <= 10


def test_the_legend_speaks_of_numbers_only_where_every_screen_has_room_for_them() -> None:
    for size in (8, 9, 20, 24):
        names = {trace.name for trace in Matrix.of(of_size(size)).screen().data if isinstance(trace, go.Bar)}
        assert any("numbers" in name for name in names) == (size <= 8)
        assert any("darker" in name for name in names) == (size > 8)


def test_the_legend_stands_at_the_bottom_of_the_figure_where_no_cell_comes() -> None:
    family = Settings(n_resamples=100).family(made_statistics(n=60, systems=4))
    legend = Matrix.of(family).screen().layout.legend
    assert (legend.yref, legend.y, legend.yanchor) == ("container", 0, "bottom")


def test_cells_of_a_full_square_say_in_grey_which_side_is_ahead(family: Family) -> None:
    # Blue and ochre are equally dark in grey: half of the cells carry a minus sign.
    drawn = Matrix.of(family, full=True)
    svg = on_paper(drawn, "svg", "acl-column").data.decode()
    worse = [cell for cell in drawn.cells if cell.verdict == "worse"]
    assert worse
    assert len(re.findall(r">−[\d.]*!?</text>", svg)) == len(worse)
