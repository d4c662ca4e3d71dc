"""What a difference consists of, drawn: bars, points and the curve hold the numbers they are of."""

import numpy as np
import pytest
from kept import worded
from made import made_corpus

from mtsig import Corpus, measure
from mtsig.figures import ContributionBars, LeverageCurve, Picture, ScoresApart, on_paper
from mtsig.segments import Contributions, contributions, leverage


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return made_corpus(n=60, systems=2, documents=0, references=1)


@pytest.fixture(scope="module")
def found(corpus: Corpus) -> Contributions:
    return contributions(measure(corpus, "chrf"), *corpus.systems)


def test_every_unit_that_contributes_is_in_a_bar_of_its_side(found: Contributions) -> None:
    picture = ContributionBars.of(found)
    assert sum(picture.counts) + picture.none == found.statistics.n
    edges = np.array(picture.edges)
    towards_first = sum(count for count, left in zip(picture.counts, edges[:-1], strict=True) if left >= 0)
    assert towards_first == int((found.values > 0).sum())
    bars, rest = picture.screen().data
    assert sum(bars.y) == sum(picture.counts)
    assert sum(rest.y) == 0
    colours = {colour: x for x, colour in zip(bars.x, bars.marker.color, strict=True)}
    assert len(colours) == 2


def test_both_pictures_show_where_the_chosen_units_lie(found: Contributions) -> None:
    chosen = np.flatnonzero(found.values > np.quantile(found.values, 0.8))
    bars = ContributionBars.of(found, chosen)
    assert sum(bars.shown) == len(chosen)
    assert all(looked <= count for looked, count in zip(bars.shown, bars.counts, strict=True))
    bright, rest = bars.screen().data
    assert (sum(bright.y), sum(rest.y)) == (len(chosen), sum(bars.counts) - len(chosen))
    points = ScoresApart.of(found, chosen)
    marked = {point for point, looked in zip(zip(points.x, points.y, strict=True), points.shown, strict=True) if looked}
    assert marked == set(zip(found.scores[1, chosen].tolist(), found.scores[0, chosen].tolist(), strict=True))


def test_one_system_alone_has_bars_of_what_its_units_add(corpus: Corpus) -> None:
    alone = contributions(measure(corpus, "chrf"), next(iter(corpus.systems)))
    picture = ContributionBars.of(alone)
    assert sum(picture.counts) + picture.none == 60
    assert picture.axis == "contribution in chrF2"
    worded(picture.caption)


def test_of_two_equal_outputs_nothing_contributes(corpus: Corpus) -> None:
    line = ["the same words in every line"] * 30
    same = Corpus.of({"a": line, "b": line}, {"ref": ["the same words"] * 30})
    picture = ContributionBars.of(contributions(measure(same, "chrf"), "a", "b"))
    assert picture.none == 30
    assert sum(picture.counts) == 0
    worded(picture.caption, "30 segments")


def test_points_are_the_scores_of_the_units(found: Contributions) -> None:
    picture = ScoresApart.of(found)
    points = set(zip(picture.x, picture.y, strict=True))
    assert points <= set(zip(found.scores[1].tolist(), found.scores[0].tolist(), strict=True))
    assert picture.units == found.statistics.n


def test_the_curve_begins_at_the_difference_and_says_where_it_turns(found: Contributions) -> None:
    whole = leverage(found)
    picture = LeverageCurve.of(whole)
    assert picture.difference[0] == pytest.approx(found.difference)
    assert picture.share[0] == 0
    assert picture.share[-1] == pytest.approx(20)
    assert whole.sentence in picture.caption
    lines = [shape for shape in picture.screen().layout.shapes if shape.x0 == shape.x1]
    assert len(lines) == (whole.holds_until is not None)


@pytest.mark.parametrize("width", ["acl-column", "acl-full"])
def test_all_of_them_can_be_drawn_on_paper(found: Contributions, width: str) -> None:
    pictures: list[Picture] = [ContributionBars.of(found), ScoresApart.of(found), LeverageCurve.of(leverage(found))]
    for picture in pictures:
        assert b"<svg" in on_paper(picture, "svg", width).data
