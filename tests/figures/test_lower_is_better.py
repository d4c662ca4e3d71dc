"""Where a lower score is better, no figure says that a difference is the first score minus the second."""

from dataclasses import replace

import numpy as np
import pytest
from kept import worded
from made import made_corpus
from sheets import clicked_on

from mtsig import Settings, measure, size_curve
from mtsig._say import lines_of
from mtsig.figures import Curves, Forest, Histogram, IntervalBars, Matrix, ParallelIntervals, Picture
from mtsig.inference import Family, joint_statements
from mtsig.segments._ablation import Ablation

SETTINGS = Settings(n_resamples=200)
NAMES = ("bleu", "ter")


@pytest.fixture(scope="module")
def families() -> dict[str, Family]:
    corpus = made_corpus(n=80, systems=3, documents=0)
    return {name: SETTINGS.family(measure(corpus, name)) for name in NAMES}


def of_pair(family: Family) -> list[Picture]:
    comparison, higher = family[0], family.higher_is_better
    draws = np.linspace(-1, 1, 50)
    return [
        Histogram.of_resampled(draws, comparison, higher),
        Histogram.of_shuffled(draws, comparison, higher),
        Forest.of(family, comparison.first),
    ]


def said_by(picture: Picture) -> str:
    return f"{picture.screen().to_json()} {picture.caption}"


def test_a_difference_is_a_subtraction_only_where_higher_is_better(families: dict[str, Family]) -> None:
    for picture in of_pair(families["bleu"]):
        assert "how much" not in said_by(picture)
    for picture in of_pair(families["ter"]):
        said = said_by(picture)
        assert "y how much" in said
        assert " minus " not in said
        assert " \\u2212 row" not in said


def test_of_several_metrics_each_is_said_in_its_direction(families: dict[str, Family]) -> None:
    both = [families[name] for name in NAMES]
    system = both[0].order[0]
    forest = Forest.of(both, system)
    row = "the row's system"
    worded(forest.caption, f"{system} minus", row, "BLEU", system, "TER")
    worded((panel.title for panel in forest.panels), system)
    caption = ParallelIntervals.of(joint_statements(both, "which")).caption
    worded(caption)
    assert "lower" not in ParallelIntervals.of(joint_statements([both[0], both[0]], "which")).caption


def test_scores_that_are_better_when_lower_are_marked_as_in_tables() -> None:
    corpus = made_corpus(n=80, systems=3, documents=0)
    scored = [SETTINGS.intervals(measure(corpus, name)) for name in NAMES]
    drawn = IntervalBars.of(scored)
    assert [panel.title for panel in drawn.panels] == ["BLEU", "TER ↓"]
    worded(drawn.caption)
    assert "↓" not in IntervalBars.of(scored[0]).caption


def test_what_is_known_of_a_cell_is_said_in_the_direction_of_its_metric(families: dict[str, Family]) -> None:
    for name, family in families.items():
        first, second = family[0].first, family[0].second
        text = {cell.keys: cell.text for cell in clicked_on(Matrix.of(family).screen())}[first, second]
        known = {"bleu": f"{first} minus {second}: ", "ter": f"by how much {first} is better than {second}: "}
        assert text.startswith(known[name])
        assert lines_of(family[0], first, family.higher_is_better)[0].startswith(known[name])


def test_a_difference_by_size_says_which_way_it_is_turned() -> None:
    corpus = made_corpus(n=80, systems=3, documents=0)
    for name, turned in (("bleu", False), ("ter", True)):
        statistics = measure(corpus, name)
        curves = size_curve(statistics, Ablation(sizes=(0.5, 1.0), repeats=5), statistics.systems[:2])
        scores = Curves.of_scores(size_curve(statistics, Ablation(sizes=(0.5, 1.0), repeats=5)))
        assert ("↓, " in scores.axis) == ("↓: lower is better." in scores.caption) == turned
        drawn = Curves.of_scores(curves)
        assert "↓" not in drawn.caption + drawn.axis
        # The axis is 290 pixels high, and a sign some 7 wide.
        assert max(map(len, drawn.screen().layout.yaxis.title.text.split("<br>"))) <= 41
        assert ("Lower is better: above zero the first system is ahead." in drawn.caption) == turned
        first, second = statistics.systems[:2]
        assert drawn.curves[0].name == (f"{first} ahead of {second}" if turned else f"{first} − {second}")
        long = ("a-system-trained-on-everything-there-is", "another-that-was-trained-on-less")
        (curve,) = Curves.of_scores(replace(curves, pair=long)).curves
        assert (" ahead of " if turned else " − ") in curve.name
        assert drawn.axis.startswith(f"difference in {statistics.metric.name}, ")
