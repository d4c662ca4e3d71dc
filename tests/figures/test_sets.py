"""Several test sets in pictures: what is drawn is what was found, on the screen and on paper."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from contrasts import DARK, LIGHT, contrast
from kept import worded
from made import made_corpus
from sampled import sampled
from sheets import clicked_on, legend_of, on_sheet, texts_of, trouble_on

from mtsig import Settings
from mtsig._probability import ends_text
from mtsig.collection import FamilyOverSets, Sets, compare, measure, rank_over_sets
from mtsig.errors import UnknownName
from mtsig.figures import PAPERS, RankDiagram, SetForest, SetHeat, on_paper
from mtsig.figures._look import legible_on
from mtsig.figures._marks import PHONE, SCREEN, Line
from mtsig.figures._matrix import ends_of, word_of
from mtsig.figures._sets import compared_in
from mtsig.inference import groups, p_number

HARD = "<b>long & hard</b> name of a $set$ that says much"


def made(sets: int, systems: int = 4) -> FamilyOverSets:
    # Of sets that share few documents nothing is said of further sets.
    corpora = {f"set{i}": made_corpus(80, systems, 40, seed=i, of=f"set{i}") for i in range(sets - 1)}
    hard = made_corpus(80, systems - 1, 40, seed=99, of="hard")
    return compare(measure(Sets.of({**corpora, HARD: hard}), "chrf"), Settings())


@pytest.fixture(scope="module")
def found() -> FamilyOverSets:
    return made(6)


@pytest.fixture(scope="module")
def forest(found: FamilyOverSets) -> SetForest:
    return SetForest.of(found, "sys2", "sys0")


def test_a_forest_has_a_row_for_every_set_and_the_average_and_the_prediction_below(
    found: FamilyOverSets, forest: SetForest
) -> None:
    (panel,) = forest.panels
    compared = compared_in(found, "sys2", "sys0")
    assert sorted(forest.sets) == sorted(compared)
    for row, name in enumerate(forest.sets):
        ends = (panel.estimate[row], panel.low[row], panel.high[row])
        assert ends == ends_of(compared[name], "sys2")
        assert panel.verdicts[row] == word_of(compared[name], "sys2")
    assert list(panel.estimate[:6]) == sorted(panel.estimate[:6], reverse=True)
    assert found.averages is not None
    average = found.averages[found.averages.find("sys0", "sys2") or 0]
    assert forest.mean == (-average.difference, -average.ci_high, -average.ci_low)
    assert forest.adjusted_mean == (-average.adjusted_ci_high, -average.adjusted_ci_low)
    assert forest.word == word_of(average, "sys2") == "worse"
    (beside,) = [one for one in found.described if (one.first, one.second) == ("sys0", "sys2")]
    assert beside.further is not None
    assert forest.further == (-beside.further.predict_high, -beside.further.predict_low)
    worded(forest.names[6:], "6")
    assert panel.range[0] <= forest.further[0] < forest.further[1] <= panel.range[1]


def test_rows_are_sorted_by_name_where_that_is_asked_for(found: FamilyOverSets) -> None:
    assert SetForest.of(found, "sys2", "sys0", "name").sets == tuple(sorted(found.families))
    with pytest.raises(UnknownName, match="No test set contains both"):
        SetForest.of(found, "sys2", "nobody")


def test_the_screen_draws_diamond_and_dots_and_offers_every_set_to_a_click(forest: SetForest) -> None:
    figure = forest.screen()
    # On a phone names are at the axis, and elsewhere the first column of texts beside it.
    names = forest.screen(PHONE).layout.yaxis.ticktext
    assert names[forest.sets.index(HARD)].startswith("&lt;b&gt;")
    assert any("&lt;b&gt;long" in one.text for one in figure.layout.annotations)
    by_name = {trace.name: trace for trace in figure.data}
    low, middle, high, *_ = by_name["average"].x
    assert (middle, low, high) == forest.mean
    assert tuple(by_name["Expected in one more set"].x) == forest.further
    assert by_name["Expected in one more set"].line.dash == "dot"
    assert [cell.keys[0] for cell in clicked_on(figure)] == list(forest.sets)
    assert [cell.x for cell in clicked_on(figure)] == list(forest.panels[0].estimate[:6])


def test_thin_lines_divide_the_rows_also_under_their_numbers_and_a_dark_one_the_average(forest: SetForest) -> None:
    for room, sides in ((SCREEN, {None, 0.0, 1.0}), (PHONE, {None})):
        (plane,) = forest.scene(room).planes
        ruled: dict[float, set[float | None]] = {}
        dark = set()
        for mark in (mark for mark in plane.marks if isinstance(mark, Line) and mark.width == 1):
            for height in {at for at in mark.y if at is not None}:
                ruled.setdefault(height, set()).add(mark.pinned)
                dark |= {height} if mark.opacity == 1 else set()
        assert ruled == {row + 0.5: sides for row in range(len(forest.names))}
        assert dark == {len(forest.sets) - 0.5}


def test_numbers_beside_the_rows_are_those_of_the_marks(found: FamilyOverSets, forest: SetForest) -> None:
    compared, (panel,) = compared_in(found, "sys2", "sys0"), forest.panels
    texts = [(one.y, one.text.replace("<b>", "").replace("</b>", "")) for one in forest.screen().layout.annotations]
    # The sides of 0 have names, so that nothing else says which one is better.
    assert "better →" not in {text for _, text in texts}
    for row, name in enumerate(forest.sets):
        beside = {re.sub("<.*?>", "", text) for y, text in texts if y == row}
        # The interval that agrees with the verdict, whatever one looks at.
        low, high = ends_text(*panel.adjusted[row], signed=True)
        assert (panel.verdicts[row] in ("better", "worse")) == (panel.adjusted[row][0] * panel.adjusted[row][1] > 0)
        assert {f"{panel.estimate[row]:+.2f}".replace("-", "−"), f"{low} to {high}"} <= beside
        assert f"{compared[name].units}" in beside
        assert p_number(compared[name].p_adjusted) in beside
    (seen,) = [one for one in forest.screen(PHONE).layout.annotations if one.y == 0]
    assert re.sub("<.*?>", "", seen.text) == f"{panel.estimate[0]:+.2f}".replace("-", "−")


def test_without_five_sets_nothing_is_drawn_of_further_ones() -> None:
    few = made(3)
    drawn = SetForest.of(few, "sys0", "sys1")
    assert math.isnan(drawn.further[0])
    worded(drawn.names[3:], "3")
    assert "Dotted" not in drawn.caption
    for room in (SCREEN, PHONE):
        texts = [text for trace in drawn.screen(room).data if trace.mode == "text" for text in trace.text]
        worded((text.replace("<br>", " ") for text in texts), "5 sets")
    assert few.ranks is None
    # The fourth system is not in the last set: two of three remain, and the average is one of these.
    assert len(SetForest.of(few, "sys0", "sys3").sets) == 2
    lone = SetForest.of(replace(few, averages=None), "sys0", "sys1")
    assert len(lone.names) == 3


def test_the_heat_table_has_scores_distances_and_best_groups(found: FamilyOverSets) -> None:
    picture = SetHeat.of(found)
    assert len(picture.cells) == 6 * 4 - 1
    for name, family in found.families.items():
        statistics, column = found.statistics.of[name], picture.sets.index(name)
        cells = {picture.systems[cell.row]: cell for cell in picture.cells if cell.column == column}
        scores = dict(zip(statistics.systems, statistics.scores.tolist(), strict=True))
        assert {system: cell.score for system, cell in cells.items()} == scores
        best = max(scores.values())
        assert all(cell.behind == pytest.approx(best - scores[system]) for system, cell in cells.items())
        assert {system for system, cell in cells.items() if cell.with_best} == set(groups(family)[0])
    assert found.averages is not None
    assert picture.systems == found.averages.order
    shades = sorted(picture.cells, key=lambda cell: cell.behind)
    lights = [int(picture.colour(cell)[1:3], 16) for cell in shades]
    assert lights == sorted(lights, reverse=True)


def test_numbers_and_frames_in_cells_can_be_read(found: FamilyOverSets) -> None:
    picture = SetHeat.of(found)
    for cell in picture.cells:
        ground = picture.colour(cell)
        assert contrast(legible_on(ground), ground) >= 4.5
    figure = picture.screen()
    assert list(figure.data[0].text) == [picture.text(cell) for cell in picture.cells]
    frames = [trace for trace in figure.data[1:] if trace.mode == "lines"]
    assert sum(sum(x is None for x in trace.x) for trace in frames) == sum(cell.with_best for cell in picture.cells)
    (key,) = [trace for trace in figure.data[1:] if trace.name]
    assert all(contrast(key.marker.color, page) >= 3 for page in (LIGHT, DARK))


def test_lower_is_better_turns_the_heat() -> None:
    corpora = {name: made_corpus(40, 2, 20, seed=seed) for seed, name in enumerate("ab")}
    picture = SetHeat.of(compare(measure(Sets.of(corpora), "ter")))
    worded(picture.caption)
    for column in (0, 1):
        best = min((cell for cell in picture.cells if cell.column == column), key=lambda cell: cell.score)
        assert best.behind == 0
        assert best.with_best


def test_the_diagram_joins_the_groups_of_the_ranks() -> None:
    # Six systems in twelve sets: ranks are known beforehand but for neighbours that change places.
    rng = np.random.default_rng(5)
    scores = np.arange(6.0, 0, -1) * 1.2 + rng.normal(size=(12, 6))
    ranks = rank_over_sets(scores, list("ABCDEF"))
    picture = RankDiagram.of(ranks)
    assert picture.ranks == ranks.mean_ranks
    assert [picture.systems[first : last + 1] for first, last in picture.cliques] == list(ranks.cliques)
    figure = picture.screen()
    bars = [trace for trace in figure.data if trace.name == "not significantly different from each other"]
    for bar, clique in zip(bars, ranks.cliques, strict=True):
        inside = [rank for rank in ranks.mean_ranks if bar.x[0] <= rank <= bar.x[1]]
        places = [ranks.mean_ranks[ranks.systems.index(name)] for name in clique]
        assert set(places) <= set(inside)
        assert bar.x[1] - bar.x[0] < ranks.critical_difference + 0.2
    assert len({bar.y[0] for bar in bars}) == len(bars)
    (critical,) = [trace for trace in figure.data if (trace.name or "").startswith("critical difference")]
    assert critical.x[1] - critical.x[0] == pytest.approx(ranks.critical_difference)
    assert f"{ranks.critical_difference:.2f}" in picture.caption
    other = RankDiagram.of(rank_over_sets(scores, list("ABCDEF"), separation="wilcoxon-holm"))
    assert "Nemenyi" not in other.caption
    assert not [trace for trace in other.screen().data if (trace.name or "").startswith("critical")]


@sampled("paper", list(PAPERS), most=2)
def test_nothing_meets_or_leaves_the_sheet(found: FamilyOverSets, forest: SetForest, paper: str) -> None:
    assert found.ranks is not None
    for picture in (forest, SetHeat.of(found), RankDiagram.of(found.ranks)):
        sheet = on_sheet(picture, paper)
        assert not trouble_on(sheet)


def test_paper_says_what_the_screen_says(found: FamilyOverSets, forest: SetForest) -> None:
    assert found.ranks is not None
    (axes,) = on_sheet(forest, "acl-column").axes
    (diamond,) = axes.patches
    assert sorted({round(x, 9) for x, _ in diamond.get_xy()}) == sorted(round(x, 9) for x in forest.mean)
    dotted = [line for line in axes.lines if line.get_linestyle() == ":"]
    assert [tuple(line.get_xdata()) for line in dotted] == [forest.further]
    heat = SetHeat.of(found)
    assert "lower" not in heat.caption
    numbers = [text.get_text() for text in on_sheet(heat, "acl-full").axes[0].texts]
    assert numbers == [heat.text(cell) for cell in heat.cells]
    diagram = RankDiagram.of(found.ranks)
    sheet = on_sheet(diagram, "acl-column")
    assert f"critical difference {found.ranks.critical_difference:.2f}" in legend_of(sheet)
    assert {text.get_text() for text in texts_of(sheet)} >= set(diagram.systems)
    for picture in (forest, heat, diagram):
        assert on_paper(picture, "svg", "acl-column").data == on_paper(picture, "svg", "acl-column").data
