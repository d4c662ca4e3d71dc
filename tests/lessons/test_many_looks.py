"""Lessons 4, 5, 8, 9, 10, 12, 13 and the lineup: every number is the library's, and what cannot be shown says why."""

import importlib.util
import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import given
import numpy as np
import pytest
from given import PAIR
from kept import worded
from made import ROOT, made_corpus, made_statistics, rated
from sampled import crossed
from scipy import stats

from mtsig import Corpus, measure
from mtsig.errors import NotApplicable
from mtsig.inference import compare, equivalence
from mtsig.inference._audit import as_sacrebleu
from mtsig.lab import NEWS, Coverage, Peeking, run
from mtsig.lab._blind_spots import matches, words_of
from mtsig.lab._compared import figure_two_size
from mtsig.lab._material import Population, of_units, relabel
from mtsig.lessons import Classroom
from mtsig.lessons import _drawn as made
from mtsig.lessons import _many_looks as many_looks
from mtsig.lessons._course import LINEUP, line_up, rivals
from mtsig.lessons._many_looks import PEEKING, TWENTY_EQUAL
from mtsig.lessons._p_values import HALF_P, TOOL
from mtsig.lessons._stage import Curves, Facts, Lesson, Lineup, Rows, Stage, Tiles, Worlds
from mtsig.lessons._uncertainty import COVERAGE_DANCE, SIZE_LAW, SIZES, USUAL
from mtsig.lessons._what_scores_hide import SAME_BLEU, SIGNIFICANT_OR_IMPORTANT
from mtsig.metrics import Statistics
from mtsig.resampling import Swap, shuffle
from mtsig.segments._ablation import Ablation, size_curve

spec = importlib.util.spec_from_file_location("lesson_numbers", ROOT / "docs" / "lesson_numbers.py")
assert spec is not None
assert spec.loader is not None
numbers = importlib.util.module_from_spec(spec)
spec.loader.exec_module(numbers)

LESSONS = (COVERAGE_DANCE, SIZE_LAW, HALF_P, TWENTY_EQUAL, PEEKING, SAME_BLEU, SIGNIFICANT_OR_IMPORTANT, LINEUP)


@pytest.fixture(scope="module")
def sample() -> Classroom:
    return given.room()


def three_segments() -> Classroom:
    corpus = Corpus.of(
        {"A": ["a b c d", "e f g", "h i j k l"], "B": ["a b c x", "e f y", "h i z k l"]},
        {"ref": ["a b c d e", "e f g h", "h i j k l m"]},
    )
    return Classroom(measure(corpus, "bleu"), corpus=corpus)


def scores_only() -> Classroom:
    return Classroom(rated(np.random.default_rng(5).normal([[0.5], [0.3], [0.2]], 1, (3, 150))))


def large() -> Classroom:
    corpus = made_corpus(n=1000, systems=2, documents=0)
    return Classroom(measure(corpus, "bleu"), corpus=corpus)


ROOMS: dict[str, Callable[[], Classroom]] = {"three": three_segments, "scores": scores_only, "large": large}

REFUSED = {
    ("three", "coverage-dance"): "too few to draw test sets from",
    ("three", "size-law"): "this lesson needs 40",
    ("three", "same-bleu"): "needs an output of 12 to 25 words",
    ("three", "lineup"): "No two systems differ",
    ("scores", "same-bleu"): "only scores are loaded",
}


@pytest.fixture(scope="module")
def rooms() -> dict[str, Classroom]:
    return {name: make() for name, make in ROOMS.items()}


@pytest.fixture(scope="module")
def stages() -> dict[str, Stage]:
    return {lesson.name: given.stage(lesson.name) for lesson in LESSONS}


def text_of(stage: Stage) -> str:
    return json.dumps(stage.plain(), allow_nan=False, ensure_ascii=False)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_a_lesson_is_whole_and_its_stage_fits_in_a_page(lesson: Lesson, stages: dict[str, Stage]) -> None:
    assert lesson.question.endswith("?")
    assert given.solution(lesson.name).endswith(".")
    text = text_of(stages[lesson.name])
    assert len(text) < 1_000_000
    assert "nan" not in re.findall(r"[a-z]+", text.lower())
    for view in stages[lesson.name].views.values():
        assert not any(stages[lesson.name].reveal in said for said in view.says)


@crossed("room, lesson", ROOMS, LESSONS, most=8, ids=lambda one: getattr(one, "name", one))
def test_a_lesson_is_drawn_on_any_data_or_says_why_not(lesson: Lesson, room: str, rooms: dict[str, Classroom]) -> None:
    why = REFUSED.get((room, lesson.name))
    if why is None:
        text_of(lesson.stage(rooms[room]))
        # It takes as long as the stage again; on small data it shows the same.
        assert room == "large" or lesson.solution(rooms[room])
    else:
        with pytest.raises(NotApplicable, match=why):
            lesson.stage(rooms[room])


def panel(stage: Stage, kind: type, view: str = "", number: int = 0) -> Any:
    panels = (stage.views[view] if view else next(iter(stage.views.values()))).panels
    return [each for each in panels if isinstance(each, kind)][number]


def test_red_marks_are_misses(stages: dict[str, Stage], sample: Classroom) -> None:
    stage = stages["coverage-dance"]
    for view, against, month in (("January", None, 0), ("March", None, 2), ("a difference", PAIR[1], 0)):
        seed = 12345 + month
        plan = Coverage(
            size=200, sets=100, interval="jackknife", sampling="random", system=PAIR[0], against=against, seed=seed
        )
        covered = run(plan, sample.statistics)
        rows = panel(stage, Rows, view)
        assert rows.missed.count("1") == covered.misses
        assert stage.views[view].found == (covered.misses,)
        few = run(replace(plan, sets=10), sample.statistics)
        assert few.low == pytest.approx(rows.lows[:10], abs=1e-6)
    rows = panel(stage, Rows, "a difference")
    assert rows.truth == pytest.approx(sample.statistics.scores[2] - sample.statistics.scores[4])


def test_the_usual_number_of_misses_is_binomial() -> None:
    low, high = USUAL
    chance = sum(stats.binom.pmf(k, 100, 0.05) for k in range(low, high + 1))
    assert f"{chance:.0%}" == "97%"
    # One more on either side is unusual.
    assert max(stats.binom.pmf(k, 100, 0.05) for k in (low - 1, high + 1)) < 0.02


def test_widths_are_those_of_size_curves(stages: dict[str, Stage], sample: Classroom) -> None:
    for view, pair in (("one score", None), ("a difference", PAIR)):
        chosen = sample.statistics if pair else sample.statistics.select(PAIR[:1])
        sizes = panel(stages["size-law"], Curves, view, 1).lines[1].x
        curves = size_curve(chosen, Ablation(tuple(size / 200 for size in sizes), unit="segment"), pair)
        lines = panel(stages["size-law"], Curves, view, 1).lines
        assert lines[1].y == pytest.approx(curves.half_width[:, 0])
        assert lines[0].y == pytest.approx([lines[1].y[-1] * np.sqrt(200 / size) for size in sizes])
    worded(stages["size-law"].reveal, "800 segments")


@pytest.mark.parametrize("name", ["size-law", "significant-or-important"])
def test_a_curve_is_not_seen_before_its_step(name: str, stages: dict[str, Stage]) -> None:
    stage = stages[name]
    for curves in (each for each in stage.views[next(iter(stage.views))].panels if isinstance(each, Curves)):
        for line in curves.lines:
            assert [len(line.x[curves.seen(line, k)]) for k in (0, 1, stage.steps)] == [0, 1, len(line.x)]


def test_three_tools_give_three_answers_of_one_file(stages: dict[str, Stage], sample: Classroom) -> None:
    corpus = sample.texts
    names = list(dict.fromkeys(corpus.documents or ()))[:12]
    first = corpus.take([i for i, name in enumerate(corpus.documents or ()) if name in names])
    counted = measure(first, "bleu")
    assert counted.n_documents == 12
    printed = as_sacrebleu(counted, "via-catalan", "via-esperanto")[1]
    exact = compare(counted, "ar", [("via-catalan", "via-esperanto")])
    assert exact.exact[0]
    assert exact.unit == "document"
    pair = counted.select(("via-catalan", "via-esperanto"))
    assert np.array_equal(made.three_answers().values, pair.values)
    for view in ("swaps", "tool"):
        assert panel(stages["half-p"], Facts, view).rows == (
            ("random swaps, as here", ".034", ".069"),
            (f"resamples of {TOOL} (--paired-bs)", ".030, printed", ".047, with signs"),
            (f"random swaps of {TOOL} (--paired-ar)", "not printed", ".066, printed"),
        )
    assert TOOL in HALF_P.take_home
    assert printed.p_bootstrap == pytest.approx(30 / 1001)
    assert printed.p_randomization == pytest.approx(661 / 10001)
    assert exact.p_value[0] == pytest.approx(0.22, abs=0.005)
    assert f"{figure_two_size(0.05):.0%}" == "11%"
    worded(stages["half-p"].reveal, "11%")


def test_twenty_equal_systems_are_called_different_too_often_unless_corrected(stages: dict[str, Stage]) -> None:
    p, minp = (np.array(made.read("twenty-equal")[name]) for name in ("p", "minp"))
    ever = {name: np.array(list(flags)) == "1" for name, flags in made.read("twenty-equal")["any"].items()}
    assert {name: len(flags) for name, flags in ever.items()} == {"none": 1000, "holm": 1000, "minp": 1000}
    assert abs(ever["none"].mean() - 0.47) < 3 * np.sqrt(0.47 * 0.53 * (1 / 100 + 1 / 1000))  # 47 of 100, independently
    # Guesses are judged by all worlds; a class pools the hundreds that its seeds draw.
    assert stages["twenty-equal"].found == (round(100 * ever["none"].mean()),)
    drawn = many_looks.chosen(12345)[1]["uncorrected"].any(axis=1).sum()
    assert [view.found for view in stages["twenty-equal"].views.values()] == [(drawn,), (), ()]
    # Holm's first step decides whether there is any claim.
    holm = p.min(axis=1) <= 0.05 / p.shape[1]
    for name, claimed in (("none", (p <= 0.05).any(axis=1)), ("holm", holm), ("minp", (minp <= 0.05).any(axis=1))):
        assert np.array_equal(ever[name][: len(p)], claimed)
        assert name == "none" or ever[name].mean() < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 1000)
    assert len({tuple(row) for row in many_looks.chosen(12345)[0].tolist()}) == 100


@pytest.mark.slow
def test_min_p_is_the_smallest_p_against_the_smallest_of_every_swap() -> None:
    # Counted by hand in the first world: the clearest comparison, among all nineteen.
    world = replace(Population(numbers.equal_systems()).draw(300, 0), document_of=None)
    rows = np.arange(1, 20)
    null = np.abs(shuffle(world, Swap(made.SHUFFLES, 0, "segment"), np.zeros(19, dtype=int), rows))
    observed = np.abs(world.scores[0] - world.scores[1:])[:, None]
    draws = np.concatenate([observed, null], axis=1)
    shares = np.array([[np.mean(row >= value - 1e-9) for value in row] for row in draws])
    clearest = int(shares[:, 0].argmin())
    by_hand = np.mean(shares.min(axis=0) <= shares[clearest, 0] + 1e-12)
    assert made.read("twenty-equal")["minp"][0][clearest] == pytest.approx(by_hand)


def test_no_lesson_names_a_width_before_its_size_is_taken(stages: dict[str, Stage]) -> None:
    stage = stages["size-law"]
    for view in stage.views.values():
        marks = [mark for curves in view.panels if isinstance(curves, Curves) for mark in curves.marks]
        assert [(mark.text, SIZES[mark.since - 1]) for mark in marks] == [
            ("on a quarter", 0.25),
            ("on half", 0.5),
            ("on all", 1),
        ]
        # A switch position without an answer of its own is not open before the guess.
        assert view.found == ()


def test_shipped_worlds_are_what_their_recipe_makes() -> None:
    for name in numbers.RECIPES:
        text = (made.FOLDER / f"{name}.json").read_text(encoding="utf-8")
        assert text == numbers.content_of(name, json.loads(text)["made"])
    assert numbers.equal_systems().scores == pytest.approx(np.full(20, 25.0), abs=0.01)
    worlds = made.read("twenty-equal")
    first = {name: rows[:3] for name, rows in worlds.items() if name != "any"}
    assert numbers.twenty_equal(worlds=3) == first | {"any": {name: flags[:3] for name, flags in worlds["any"].items()}}
    assert numbers.no_difference(20) == {name: p[:20] for name, p in made.read("no-difference").items()}


@pytest.fixture(scope="module")
def two_hundred_thousand() -> Statistics:
    return NEWS.simulate({"A": 25.2, "B": 25.0}, size=200_000).statistics


@pytest.mark.slow
def test_large_sets_are_what_their_recipe_makes(two_hundred_thousand: Statistics, stages: dict[str, Stage]) -> None:
    assert np.diff(two_hundred_thousand.scores) == pytest.approx(-0.2, abs=0.01)
    content = made.read("large-sets")
    shown = panel(stages["significant-or-important"], Curves)
    band, line = shown.lines
    t = []
    for z, size in enumerate(content["segments"]):
        part = replace(of_units(two_hundred_thousand, np.arange(size)), document_of=None)
        family = compare(part, "ij-t", [("A", "B")], interval="ij") if size <= 1000 else None
        half = (band.upper[z] - band.y[z]) / 2
        t.append(abs(line.y[z]) / (half / stats.t.ppf(0.975, size - 1)))
        if family is None:
            assert content["difference"][z] == pytest.approx(part.scores[0] - part.scores[1], abs=1e-6)
            (first, second), error = part.influence, content["error"][z]
            assert error == pytest.approx((first - second).std(ddof=1) * np.sqrt(size), rel=1e-3)
            assert t[z] == pytest.approx(abs(content["difference"][z]) / error)
            continue
        assert content["difference"][z] == pytest.approx(family.difference[0], abs=1e-6)
        assert t[z] == pytest.approx(abs(stats.t.ppf(family.p_value[0] / 2, size - 1)), rel=1e-3)
        said = stages["significant-or-important"].views[""].says[z + 1]
        assert f"interval {family.ci_low[0]:+.2f} to {family.ci_high[0]:+.2f}".replace("-", "−") in said
        # Whose interval lies within the margin is equivalent by the two one-sided tests, and so is more.
        tost = equivalence(part, "A", "B", 0.5, unit="segment") if size == 200 else None
        assert tost is None or "clearly below" not in said or tost.established
        assert ("clearly not zero" in said) == (family.p_value[0] <= 0.05)
    sizes = dict(zip(content["segments"], t, strict=True))
    # No verdict without its interval.
    stage = stages["significant-or-important"]
    assert all("(95% interval " in said for said in (*stage.views[""].says[1:], stage.reveal))
    # It was .2 and 4.9 with other simulated segments: what is drawn anew moves |t| by about 1.
    assert abs(sizes[200] - 0.2) < 2
    assert abs(sizes[200_000] - 4.9) < 2
    assert sizes[200] < 1 < 1.96 < sizes[200_000]
    worded(stages["significant-or-important"].views[""].says[1], "0.26")


@pytest.mark.slow
def test_someone_cheers_at_the_first_small_p(stages: dict[str, Stage], sample: Classroom) -> None:
    stage = stages["peeking"]
    found = run(Peeking(simulations=100, pair=PAIR), sample.statistics)
    p = np.array(panel(stage, Curves).lines[0].y).reshape(100, 10)
    assert p == pytest.approx(found.p, abs=1e-4)
    ever = int((found.p <= 0.05).any(axis=1).sum())
    assert sum("here someone cheers" in said for said in stage.views[""].says) == ever
    worlds = panel(stage, Worlds)
    assert np.array(worlds.values) == pytest.approx(found.p, abs=1e-4)
    assert sum("1" in flags for flags in worlds.flagged) == ever
    assert all(flags.count("1") <= 1 for flags in worlds.flagged)
    # One world at a time is seen, up to the look that is said, and its first crossing is ringed.
    paths = panel(stage, Curves)
    assert list(paths.flags) == ["01"[": here someone cheers" in said] for said in stage.views[""].says[1:]]
    assert paths.flags.count("1") == ever
    assert [paths.seen(paths.lines[0], k) for k in (0, 1, 10, 11, 1000)] == [
        slice(0, 0), slice(0, 1), slice(0, 10), slice(10, 11), slice(990, 1000),
    ]  # fmt: skip
    assert paths.lines[0].x[10:20] == tuple(found.units)
    # A guess is judged by twenty times as many worlds, not by the hundred of this seed.
    more = run(Peeking(simulations=2000, pair=PAIR), sample.statistics)
    assert np.array_equal(found.p, more.p[:100])
    assert stage.found == (round(100 * more.rate),)
    assert stage.views[""].found == (ever,)  # which a class pools
    assert abs(more.rate - 0.193) < 3 * np.sqrt(0.193 * 0.807 / 2000)  # Armitage, McPherson and Rowe (1969), table 2


@pytest.mark.slow
def test_peeking_is_shown_on_simulated_segments_where_data_are_few(rooms: dict[str, Classroom]) -> None:
    assert many_looks.peeks(rooms["three"])[1].startswith("simulated segments")
    assert many_looks.peeks(rooms["scores"])[1].startswith("the outputs of")


def test_orders_that_change_nothing_come_first_and_all_options_score_the_same(
    stages: dict[str, Stage], sample: Classroom
) -> None:
    stage = stages["same-bleu"]
    tiles = panel(stage, Tiles)
    number = int(re.findall(r"Segment (\d+)", tiles.title)[0]) - 1
    metric = sample.statistics.metric
    reference = words_of(metric, next(iter(sample.texts.references.values()))[number])  # type: ignore[arg-type]
    own = matches(tuple(" ".join(tiles.tiles).split()), [reference]).counts
    assert sorted(tiles.meters, key=lambda meter: "the same matches" not in meter) == list(tiles.meters)
    assert all(sorted(order) == list(range(len(tiles.tiles))) for order in tiles.orders)
    for text in stage.ask.options[:-1]:
        assert matches(tuple(text.split()), [reference]).counts == own
    assert stage.ask.options[-1] in stage.reveal
    # The reference is shown, and only the output as it stands is called one that a reader may prefer.
    assert " ".join(reference) in stage.setting
    for text, reply in zip(stage.ask.options[:-1], stage.replies, strict=False):
        assert ("a reader may prefer it" in reply) == (text == " ".join(tiles.tiles))


def test_a_small_p_stands_over_outputs_that_differ_in_few_words() -> None:
    room = SIGNIFICANT_OR_IMPORTANT.room(given.own_room())
    pair = room.pair
    (one,) = compare(room.statistics, "ar", [pair])
    assert one.p_value < 0.01
    outputs = panel(given.own_stage("significant-or-important"), Facts)
    assert "−".join(pair) in outputs.title.replace(" ", "")
    for _, first, second in outputs.rows:
        words, others = first.split(), second.split()
        assert len(words) == len(others)
        assert 1 <= sum(word != other for word, other in zip(words, others, strict=True)) <= len(words) / 5


def test_a_lineup_hides_the_real_picture_among_relabelled_ones(stages: dict[str, Stage], sample: Classroom) -> None:
    stage = stages["lineup"]
    assert len(stage.rounds) == 6
    for each in stage.rounds[:2]:
        (panel_of_round,) = each.panels
        assert isinstance(panel_of_round, Lineup)
        pictures = np.array(panel_of_round.matrices)
        assert len(pictures) == 20
        assert pictures == pytest.approx(-pictures.transpose(0, 2, 1))
        assert panel_of_round.high == pytest.approx(np.abs(pictures).max())
        assert each.points == tuple(10 * (place == each.answer) for place in range(20))
    scores = sample.statistics.scores
    everyone = next(each for each in stage.rounds if len(each.panels[0].matrices[0]) == 5)  # type: ignore[attr-defined]
    real = np.array(everyone.panels[0].matrices)[int(everyone.answer)]  # type: ignore[attr-defined]
    assert real == pytest.approx(scores[:, None] - scores[None, :], abs=1e-5)


def test_who_picks_the_most_conspicuous_picture_is_wrong_in_some_rounds() -> None:
    for seed in (12345, 7, 99):
        stood_out = []
        for each in LINEUP.stage(given.room(seed)).rounds:
            largest = np.abs(np.array(each.panels[0].matrices)).max(axis=(1, 2))  # type: ignore[attr-defined]
            stood_out.append(int(largest.argmax()) == each.answer)
            assert ("it is not conspicuous" in each.after) == (not stood_out[-1])
        assert 1 <= stood_out.count(False) <= 4
        assert len(stood_out) == 6
    # Two systems that are clearly apart hide on fewer of their segments, or not at all.
    sure = Classroom(made_statistics(n=400, systems=2))
    pictures = [np.array(each.panels[0].matrices) for each in LINEUP.stage(sure).rounds]  # type: ignore[attr-defined]
    answers = [int(each.answer) for each in LINEUP.stage(sure).rounds]
    assert len({rivals(*one) > 0 for one in zip(pictures, answers, strict=True)}) == len(pictures) or len(pictures) == 1


def test_the_real_picture_may_stand_anywhere_and_the_others_are_relabelled() -> None:
    statistics = made_statistics(n=60, systems=2)
    places = [line_up(statistics, seed)[1] for seed in range(200)]
    assert stats.chisquare(np.bincount(places, minlength=20)).pvalue > 1e-4
    pictures, place = line_up(statistics, 9)
    null = relabel(statistics, 10).scores
    assert np.delete(pictures, place, axis=0)[0, 0, 1] == pytest.approx(null[0] - null[1])


def test_a_lower_score_leads_in_a_lineup() -> None:
    lower = rated(np.array([[1.0], [2.0]]) + np.random.default_rng(1).normal(0, 0.1, (2, 40)), higher_is_better=False)
    pictures, place = line_up(lower, 3)
    assert pictures[place][0, 1] == pytest.approx(1, abs=0.1)
