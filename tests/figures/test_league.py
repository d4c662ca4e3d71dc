"""The league: who is ranked and who is not, what its axis spans, and rows, numbers and cells that stand in line."""

import math
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise

import numpy as np
import plotly.graph_objects as go
import pytest
from kept import worded
from made import made_corpus, made_statistics
from sampled import crossed, slow
from sheets import clicked_on, on_sheet, texts_of, trouble_on

from mtsig import Corpus, Settings, measure, ranks, read_sample
from mtsig._probability import interval_text
from mtsig._writing import shorts
from mtsig.figures import IntervalBars
from mtsig.figures._dots import off_axis
from mtsig.figures._league import Column, League, Rail
from mtsig.figures._marks import Line, Points, Words
from mtsig.figures._panels import Panels, tick_texts, ticks_of
from mtsig.inference._verdict import verdict

SETTINGS = Settings(n_resamples=300)


@cache
def league_of(systems: int = 5, **options: object) -> League:
    statistics = made_statistics(n=200, systems=systems)
    family = SETTINGS.family(statistics)
    return League.of(SETTINGS.intervals(statistics), family, ranks(family), **options)  # type: ignore[arg-type]


def corpus_with_unranked() -> Corpus:
    """Return four systems with a copy of the reference, one of the source, nothing, and a human translation."""
    made = made_corpus(n=120, systems=4, documents=12)
    reference = [line or "" for line in made.references["ref0"]]
    source = [f"qu{number} elle {number} histoire de {number}" for number in range(120)]
    human = [" ".join(reversed(line.split())) for line in reference]
    outputs = {name: list(made.lines(name)) for name in made.systems}
    outputs |= {"copy": reference, "source-copy": source, "silent": [""] * 120, "refB": human}
    return Corpus.of(outputs, {"ref0": reference}, sources=source, documents=made.documents)


@pytest.fixture(scope="module")
def unranked() -> League:
    statistics = measure(corpus_with_unranked(), "bleu")
    family = SETTINGS.family(statistics)
    return League.of(SETTINGS.intervals(statistics), family, ranks(family))


def written(figure: go.Figure) -> list[go.Scatter]:
    """Return the traces that are texts."""
    return [trace for trace in figure.data if trace.type == "scatter" and trace.mode == "text"]


def texts(figure: go.Figure) -> list[str]:
    return [one.text for one in figure.layout.annotations]


def column_of(values: dict[str, tuple[float, float, float]]) -> Column:
    low, estimate, high = zip(*values.values(), strict=True)
    return Column("x", tuple(estimate), tuple(low), tuple(high), 2)


def test_what_is_no_system_stands_below_without_a_rank_and_says_why(unranked: League) -> None:
    below = {row.name: (row.number, row.reason) for row in unranked.rows if not row.ranked}
    assert below == {
        "copy": ("a", "reference 'ref0'"),
        "refB": ("b", "human translation"),
        "source-copy": ("c", "the source, not translated"),
        "silent": ("d", "empty"),
    }
    assert [row.number for row in unranked.rows if row.ranked] == ["1", "2", "3", "4"]
    assert unranked.ranks[4:] == ("–",) * 4
    # Ranks count the ranked alone.
    assert all(int(place.split("–")[-1]) <= 4 for place in unranked.ranks[:4])
    assert all(rail.last < 4 for rail in unranked.rails)
    assert {"Not ranked", "the source, not translated", "human translation"} <= set(texts(unranked.screen()))


def test_on_paper_the_caption_of_scores_names_what_is_not_ranked() -> None:
    bars = IntervalBars.of(SETTINGS.intervals(measure(corpus_with_unranked(), "bleu")))
    worded(bars.caption)
    panel = bars.panels[0]
    assert [bars.names[row] for row in panel.unranked] == ["copy", "source-copy", "silent"]
    assert panel.cuts == (panel.unranked[0] - 1,)
    # Where all systems are on the axis they are hollow.
    near = replace(panel, ranked=())
    (hollow,) = (mark for mark in bars.marks(near) if getattr(mark, "symbol", "") == "circle-open")
    assert list(hollow.y) == list(panel.unranked)
    assert bars.names[-3:] == ("copy", "source-copy", "silent")


def test_scores_on_paper_have_the_axis_of_the_league_and_name_what_is_off_it(unranked: League) -> None:
    scored, column = SETTINGS.intervals(measure(corpus_with_unranked(), "bleu")), unranked.columns[0]
    bars = IntervalBars.of(scored)
    (panel,) = bars.panels
    assert panel.range == column.span(range(4))
    low, high = column.span(range(4))
    far = [name for name, value in zip(unranked.names, column.estimate, strict=True) if not low <= value <= high]
    assert {bars.names[row] for row in panel.off} == {*far} >= {"copy", "silent"}
    numbers = [f"{panel.estimate[row]:.1f}, off the axis" for row in panel.off]
    assert "A triangle is a score outside of the axis." in bars.caption
    for paper, picture, said in (
        ("acl-column", bars, numbers),
        ("neurips-full", bars, numbers),
        ("acl-column", IntervalBars.of([scored, scored]), []),  # no room: the triangles alone
    ):
        sheet = on_sheet(picture, paper)
        assert [text.get_text() for text in texts_of(sheet) if "off the axis" in text.get_text()] == said
        assert not trouble_on(sheet)


def test_what_is_far_off_is_clipped_and_its_number_said(unranked: League) -> None:
    column = unranked.columns[0]
    low, high = column.span(range(4))
    assert all(low < end < high for row in range(4) for end in (column.low[row], column.high[row]))
    off = [row for row, value in enumerate(column.estimate) if not low <= value <= high]
    assert {unranked.rows[row].name for row in off} >= {"copy", "source-copy", "silent"}
    drawn = unranked.screen()
    triangles = [trace for trace in drawn.data if trace.type == "scatter" and "triangle" in str(trace.marker.symbol)]
    assert len(triangles) == len(off)
    assert all(low <= trace.x[0] <= high for trace in triangles)
    said = [text for trace in written(drawn) for text in trace.text]
    worded(said, column.text(off[0]))
    narrow = unranked.alone("scores").screen()
    assert not [text for trace in written(narrow) for text in trace.text if "off the axis" in text]


def test_a_ranked_system_is_clipped_only_where_that_halves_the_axis() -> None:
    near = {name: (at - 1.0, float(at), at + 1.0) for name, at in zip("abcd", (50, 52, 54, 56), strict=True)}
    low, high = column_of(near).span(range(4))
    assert low < 49
    assert high > 57
    far = {**near, "e": (9.0, 10.0, 11.0)}
    low, high = column_of(far).span(range(5))
    assert low > 48
    little = {**near, "e": (44.0, 45.0, 46.0)}
    assert column_of(little).span(range(5))[0] < 44
    # What is not ranked has room up to a quarter of the span.
    beside = {**near, "u": (47.5, 48.0, 48.5)}
    assert column_of(beside).span(range(4))[0] < 47.5


@pytest.mark.parametrize("most", [2, 3, 4, 6])
@pytest.mark.parametrize("ends", [(45.3, 66.7), (0.811, 0.842), (-14.2, 2.7), (90.0, 103.0), (51.0, 59.0)])
def test_an_axis_has_two_round_ticks_and_no_more_than_have_room(ends: tuple[float, float], most: int) -> None:
    ticks = ticks_of(*ends, most)
    assert 2 <= len(ticks) <= most
    assert ends[0] <= ticks[0]
    assert ticks[-1] <= ends[1]
    printed = tick_texts(ticks, False)
    assert [float(text.replace("−", "-")) for text in printed] == pytest.approx(ticks)


@pytest.mark.parametrize(("systems", "pitch"), [(5, 44), (16, 28), (50, 16), *slow((9, 34), (30, 20))])
def test_rows_are_as_high_as_their_number_allows(systems: int, pitch: int) -> None:
    league = league_of(systems)
    panels = Panels(league)
    assert panels.pitch == pitch
    assert np.diff(panels.places) == pytest.approx([pitch] * (systems - 1))
    assert panels.has_intervals == (pitch > 16)
    forests, matrix = panels.domains()
    assert matrix[1] - matrix[0] <= 0.6
    assert forests[0][1] - forests[0][0] >= 0.1
    assert panels.cell * systems <= 592, "at most half the page"
    drawn = league.screen()
    # Nothing that is read is smaller than 11 pixels.
    sizes = [one.font.size for one in drawn.layout.annotations]
    sizes += [trace.textfont.size for trace in written(drawn)]
    assert min(sizes) >= 11


@pytest.mark.parametrize("systems", [5, 16])
def test_numbers_beside_a_mark_are_those_of_the_mark(systems: int) -> None:
    league = league_of(systems)
    column = league.columns[0]
    (dots,) = [trace for trace in league.screen().data if trace.type == "scatter" and trace.error_x.array is not None]
    printed = [text for text in texts(league.screen()) if text[:1].isdigit() and " to " in text]
    assert len(printed) == systems
    for row, text in enumerate(printed):
        low, high = (float(part.replace("−", "-")) for part in text.split(" to "))
        assert low == pytest.approx(dots.x[row] - dots.error_x.arrayminus[row], abs=0.5 * 10**-column.places + 1e-9)
        assert high == pytest.approx(dots.x[row] + dots.error_x.array[row], abs=0.5 * 10**-column.places + 1e-9)
        assert text == column.interval(row)


def test_every_cell_can_be_clicked_and_stands_in_the_row_of_its_system() -> None:
    league = league_of(6)
    assert league.matrix is not None
    drawn = league.screen()
    places = Panels(league).places
    names = [row.name for row in league.rows]
    assert len(clicked_on(drawn)) == 15
    for x, y, (first, second), _ in clicked_on(drawn):
        assert (names[int(x)], y) == (second, places[names.index(first)])
    # A click on a name carries it whole.
    assert {one.name for one in drawn.layout.annotations if one.name} == set(names)
    full = league_of(6, full=True).screen()
    assert len(clicked_on(full)) == 30


@pytest.mark.slow
def test_the_key_speaks_of_numbers_only_where_cells_have_them() -> None:
    statistics = measure(read_sample(), "bleu")
    sample = League.of(SETTINGS.intervals(statistics), SETTINGS.family(statistics))
    for shown, numbered in ((sample, True), (league_of(30), False)):
        key = [text for text in texts(shown.screen()) if text.startswith("row better")]
        assert [text.startswith("row better; numbers in ") for text in key] == [numbered]


def test_the_key_explains_the_sign_of_a_caution() -> None:
    for corpus, expected in ((made_corpus(n=60, systems=3, documents=4), True), (read_sample(), False)):
        statistics = measure(corpus, "bleu")
        shown = League.of(SETTINGS.intervals(statistics), SETTINGS.family(statistics)).screen()
        assert ("with a caution" in texts(shown)) == expected


def test_a_dot_hides_no_interval() -> None:
    statistics = made_statistics(n=200, systems=50)
    wide = League.of(SETTINGS.intervals(statistics))
    (column,) = wide.columns
    middles = np.linspace(0, 100, 50)
    narrow = replace(column, estimate=tuple(middles), low=tuple(middles - 0.5), high=tuple(middles + 0.5))
    for league, size in ((wide, 8), (replace(wide, columns=(narrow,)), 6)):
        (dots,) = [one for one in league.screen().data if one.type == "scatter" and one.error_x.array is not None]
        assert dots.marker.size == size


def test_differences_from_one_system_are_seen_from_the_rows() -> None:
    statistics = made_statistics(n=200, systems=5)
    family = SETTINGS.family(statistics)
    names = list(family.order)
    league = League.of(SETTINGS.intervals(statistics), family, ranks(family), base=names[1])
    column = league.columns[0]
    assert column.text(1) == "0"
    for row, name in enumerate(names):
        if row != 1:
            pair = family.pair(name, names[1])
            assert pair is not None
            seen = pair if pair.first == name else pair.turned
            assert column.estimate[row] == pytest.approx(seen.difference)
            # The printed interval is the one that agrees with the verdict.
            ends = interval_text(seen.adjusted_ci_low, seen.adjusted_ci_high, True, column.places)
            assert column.interval(row) == ends
    assert column.interval_title == "adjusted CI"
    drawn = league.screen()
    said = [text for trace in written(drawn) for text in trace.text]
    assert {"behind ", " ahead"} <= set(said)
    (zero,) = [trace for trace in drawn.data if trace.type == "scatter" and tuple(trace.x) == (0.0, 0.0)]
    assert zero.line.width == 2


@pytest.mark.parametrize("side", [1, -1])
def test_the_number_of_a_difference_off_the_axis_does_not_reach_beyond_zero(side: int) -> None:
    far = column_of({"far": (49.0 * side, 50.0 * side, 51.0 * side)})
    column = replace(far, adjusted=((math.nan,) * 2,), hover=("",))
    for beyond, is_said in ((0.5, False), (30.0, True)):  # how far the axis reaches where the number would be
        low, high = sorted((-10.0 * side, beyond * side))
        words = [mark for mark in off_axis(column, 0, (low, high), 0.0, 12) if isinstance(mark, Words)]
        assert bool(words) == is_said
        scores = off_axis(replace(column, adjusted=()), 0, (low, high), 0.0, 12)
        assert [mark for mark in scores if isinstance(mark, Words)]


def test_the_best_alone_is_bold_and_rails_join_the_others() -> None:
    for systems in (4, 8):
        league = league_of(systems)
        statistics = made_statistics(n=200, systems=systems)
        family = SETTINGS.family(statistics)
        best, *others = family.order
        alone = all(verdict(family.pair(best, name)).winner == best for name in others)  # type: ignore[arg-type]
        assert league.best == alone
        bold = [one.text for one in league.screen().layout.annotations if one.name and one.font.weight == 700]
        assert bold == ([best] if alone else [])
        # Each is one line from its first row to its last.
        lines = [mark for mark in Panels(league).scene().planes[0].marks if isinstance(mark, Line) and mark.width == 3]
        rows = Panels(league).places
        for line, rail in zip(lines, league.rails, strict=True):
            first, last, lane, dash = rail
            assert first < last
            begins, ends = line.y
            assert begins < rows[first]
            assert ends > rows[last]
            joined = [family.pair(*pair) for pair in combinations(family.order[first : last + 1], 2)]
            words = {verdict(pair).word for pair in joined if pair is not None}
            assert words == {"not_significant"} if dash == "solid" else "withheld" in words
            assert not [
                other for other in league.rails
                if other != rail and other.lane == lane and other[0] <= last and first <= other[1]
            ]  # fmt: skip


def test_a_phone_has_a_key_of_the_marks_that_are_drawn_and_of_no_others(unranked: League) -> None:
    assert league_of(5).alone("scores").marks_text == ""
    rows = league_of(5).rows
    apart = replace(league_of(5), rows=(*rows[:3], replace(rows[3], human=True), replace(rows[4], fair=False)))
    for league in (unranked, apart):
        said = league.alone("scores").marks_text
        worded(said)
        (plane,) = Panels(league.alone("scores")).scene().planes
        drawn = {mark.symbol for mark in plane.marks if isinstance(mark, Points)}
        for sign, symbol in (("○", "circle-open"), ("◇", "diamond-open"), ("▷", "triangle-left-open")):
            assert (sign in said) == (symbol in drawn)


def test_a_rail_over_a_withheld_verdict_is_dotted_which_is_said() -> None:
    rails = (Rail(0, 1, 0), Rail(1, 2, 1, "dot"))
    for some, dashes in ((rails, ["solid", "dot"]), (rails[:1], ["solid"])):
        league = replace(league_of(4), rails=some)
        lines = [mark for mark in Panels(league).scene().planes[0].marks if isinstance(mark, Line) and mark.width == 3]
        assert [line.dash for line in lines] == dashes
        for said in (league.rails_text, league.caption):
            assert ("A dotted bar" in said) == ("dot" in dashes)
        worded(league.rails_text)
        # A phone has no room below the figure within its first window.
        (plane,) = Panels(league.alone("scores")).scene().planes
        assert ["↓ too close to call"] in [mark.texts for mark in plane.marks if isinstance(mark, Words)]


def test_no_number_of_the_axis_stands_beside_the_head_of_the_scores() -> None:
    def ticks(end: float, *, turned: bool) -> list[list[float]]:
        near = {name: (end - 20 + at, end - 15 + at, end - 10 + at) for name, at in zip("ab", (0, 10), strict=True)}
        column = replace(column_of(near), higher_is_better=not turned, hover=("", ""))
        league = replace(league_of(3), columns=(column,), rows=league_of(3).rows[:2], ranks=(), rails=(), matrix=None)
        drawn = written(league.alone("scores").screen())
        return [[float(text) for text in trace.text] for trace in drawn if len(set(trace.y)) == 1 and len(trace.x) > 1]

    above, below = ticks(60.0, turned=False)
    assert below == [*above, 60.0]
    above, below = ticks(60.0, turned=True)
    assert below == [40.0, *above]
    above, below = ticks(64.0, turned=False)
    assert above == below


@pytest.mark.parametrize("turned", [False, True])
def test_two_numbers_stand_above_and_below_a_narrow_axis_wherever_its_ends_are(turned: bool) -> None:
    names = {name: "a name as long as there is room for" + name for name in "ab"}
    for end in np.arange(40.0, 60.0, 0.5):
        near = {
            name: (end - 20 + at, end - 15 + at, end - 10 + at)
            for name, at in zip(names.values(), (0, 10), strict=True)
        }
        column = replace(column_of(near), higher_is_better=not turned, hover=("", ""))
        rows = tuple(replace(row, name=name) for row, name in zip(league_of(3).rows, near, strict=False))
        league = replace(league_of(3), columns=(column,), rows=rows, ranks=(), rails=(), matrix=None)
        drawn = written(league.alone("scores").screen())
        numbers = [trace.text for trace in drawn if len(set(trace.y)) == 1 and trace.text[0][0].isdigit()]
        assert [len(texts) >= 2 for texts in numbers] == [True, True], (end, numbers)
        axis = league.alone("scores").screen().layout.xaxis
        # Both ends of every interval are still on the axis.
        assert min(axis.range) <= end - 20
        assert max(axis.range) >= end


def test_where_lower_is_better_the_axis_runs_from_worse_to_better() -> None:
    corpus = made_corpus(n=100, systems=4, documents=10)
    statistics = measure(corpus, "ter")
    family = SETTINGS.family(statistics)
    drawn = League.of(SETTINGS.intervals(statistics), family, ranks(family)).screen()
    assert drawn.layout.xaxis.range[0] > drawn.layout.xaxis.range[1]
    assert any("better →" in text for text in texts(drawn))
    worded(texts(drawn), "TER")


def test_several_metrics_have_a_forest_each_and_one_matrix() -> None:
    corpus = made_corpus(n=100, systems=4, documents=10)
    many = [measure(corpus, name) for name in ("bleu", "chrf", "ter")]
    families = SETTINGS.families(many)
    league = League.of([SETTINGS.intervals(one) for one in many], families[1], ranks(families[1]), by=1)
    assert [row.name for row in league.rows] == list(families[1].order)
    titles = [text for text in texts(league.screen()) if "with 95% CI" in text]
    assert [title.split(",")[0] for title in titles] == ["BLEU", "chrF2", "TER"]
    worded(texts(league.screen()))
    narrow = texts(league.alone("scores").screen())
    assert [text for text in narrow if "95% CI" in text] == ["chrF2, 95% CI"]
    domains = [league.screen().layout[f"xaxis{number}"].domain for number in ("", 2, 3, 4)]
    assert all(one[1] <= other[0] for one, other in pairwise(domains))


def test_a_metric_between_0_and_1_has_three_decimals() -> None:
    column = column_of({"a": (0.81, 0.83, 0.85), "b": (0.7, 0.72, 0.74)})
    assert column.text(0) == "0.830"
    assert column_of({"a": (50.1, 51.23, 52.0)}).text(0) == "51.2"
    missing = Column("x", (1.0,), (math.nan,), (math.nan,), 2)
    assert missing.interval(0) == ""


@crossed("paper, systems", ["acl-full", "acl-column", "neurips-full"], [5, 16])
def test_on_paper_nothing_collides_and_all_names_stand(systems: int, paper: str) -> None:
    league = league_of(systems)
    sheet = on_sheet(league, paper)
    assert trouble_on(sheet) == []
    said = " ".join(text.get_text().replace("\n", " ") for text in texts_of(sheet))
    assert all(row.name in said for row in league.rows)
    assert len(sheet.axes) == (1 if paper == "acl-column" else 2)


def test_names_are_shortened_alike_and_whole_where_pointed_at() -> None:
    names = [f"newstest2024.en-de.hyp.{team}.detok" for team in ("alpha", "beta", "gamma", "delta")]
    assert shorts(names) == ("alpha", "beta", "gamma", "delta")
    statistics = made_statistics(n=100, systems=4)
    statistics = replace(statistics, systems=tuple(names))
    league = League.of(SETTINGS.intervals(statistics), SETTINGS.family(statistics))
    hovers = {one.hovertext for one in league.screen().layout.annotations if one.name}
    assert hovers == set(names)
    assert {"alpha", "beta", "gamma", "delta"} <= set(texts(league.screen()))
