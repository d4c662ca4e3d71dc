"""The lessons about draws: every number of a stage is the library's, and every classroom gets a stage or a reason."""

import json
import re
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import TypeVar

import given
import numpy as np
import pytest
from kept import worded
from made import made_corpus, made_ratings, rated
from sampled import crossed
from scipy import stats

import mtsig
from mtsig.errors import NotApplicable
from mtsig.inference import compare, p_text
from mtsig.inference._significance import ApproximateRandomization, ShiftBootstrap
from mtsig.inference._targets import Scores, pairs_of
from mtsig.inference._tests import KoehnWins
from mtsig.lab._sampling import trace, unpaired
from mtsig.lessons import GAMES, LESSONS, Classroom
from mtsig.lessons import _drawn as drawn
from mtsig.lessons._comparing import OVERLAPPING_BARS, WIN_RATE, doubled, false_alarms, known_truths
from mtsig.lessons._course import GUESS_THE_P, replied
from mtsig.lessons._p_values import alike_exchanged, contrary
from mtsig.lessons._stage import Bag, Curves, Facts, Labels, Lesson, Panel, Pile, Stage, Threads
from mtsig.lessons._still import Still
from mtsig.lessons._what_scores_hide import DOCUMENTS_TRAVEL_TOGETHER, design_effect
from mtsig.metrics import Statistics
from mtsig.resampling import Bootstrap, Swap, resample, shuffle

P = TypeVar("P", bound=Panel)

CLEAR, UNCLEAR = ("direct", "direct-us"), ("via-catalan", "via-galician")

MINE = {
    "why-it-works", "one-redraw", "swap-the-names", "where-p-comes-from", "overlapping-bars", "win-rate",
    "documents-travel-together", "guess-the-p",
}  # fmt: skip
LESSONS_OF_DRAWS = [lesson for lesson in (*LESSONS, *GAMES) if lesson.name in MINE]


@cache
def sample(metric: str = "bleu") -> Statistics:
    return mtsig.measure(mtsig.read_sample(), metric)


@cache
def classroom(name: str) -> Classroom:
    if name == "sample":
        return given.room()
    if name == "3 segments":
        corpus = made_corpus(n=3, documents=0)
    elif name == "3,000 segments":
        corpus = made_corpus(n=3000, documents=300)
    else:
        return Classroom(made_ratings())
    return Classroom(mtsig.measure(corpus, "bleu"), corpus=corpus)


@cache
def stage(name: str, room: str) -> Stage | str:
    """Return the stage of a lesson in a classroom, or why there is none."""
    (lesson,) = (one for one in LESSONS_OF_DRAWS if one.name == name)
    if room == "sample":
        return given.stage(name)
    try:
        return lesson.stage(classroom(room))
    except NotApplicable as error:
        return str(error)


def made(name: str, room: str = "sample") -> Stage:
    found = stage(name, room)
    assert isinstance(found, Stage), found
    return found


def of_kind(found: Stage, kind: type[P], view: int = 0) -> list[P]:
    return [panel for panel in list(found.views.values())[view].panels if isinstance(panel, kind)]


REFUSED = {
    ("win-rate", "3 segments"): "too few to draw test sets from: at least 10",
    ("guess-the-p", "3 segments"): "too few to draw test sets from: at least 10",
    ("documents-travel-together", "3 segments"): "draws whole documents, but it is unknown",
    ("documents-travel-together", "scores only"): "draws whole documents, but it is unknown",
}


@crossed(
    "room, lesson",
    ["sample", "3 segments", "scores only", "3,000 segments"],
    LESSONS_OF_DRAWS,
    ids=lambda one: getattr(one, "name", one),
)
def test_every_classroom_gets_a_stage_or_a_plain_reason(lesson: Lesson, room: str) -> None:
    found = stage(lesson.name, room)
    if (lesson.name, room) in REFUSED:
        assert isinstance(found, str)
        assert re.search(REFUSED[lesson.name, room], found)
        return
    assert isinstance(found, Stage), found
    plain = json.dumps(found.plain(), allow_nan=False)  # a browser knows no NaN
    assert len(plain) < 1_500_000
    assert room != "sample" or found.missing == ()  # there every button's draws are kept
    assert room == "3,000 segments" or lesson.solution(classroom(room)).endswith(".")
    for view in found.views.values():
        for panel in view.panels:
            for cells in getattr(panel, "weights", ()) or getattr(panel, "flips", ()):
                assert len(cells) == len(getattr(panel, "cells", ()) or getattr(panel, "texts", ()))
            if isinstance(panel, Pile):
                words = " ".join([view.says[0], panel.axis, *(each.title for each in view.panels)])
                assert re.search("segment|document", words)  # what was drawn is said beside every pile
                assert len(panel.values) == found.steps
                assert panel.low < min(panel.values) <= max(panel.values) < panel.high
    if lesson not in GAMES:
        assert found.steps == 1_000
        assert 0 <= found.reveal_at < found.steps


def test_one_system_is_refused() -> None:
    for lesson in LESSONS_OF_DRAWS:
        with pytest.raises(NotApplicable, match="but only one is loaded"):
            lesson.stage(Classroom(made_ratings(systems=1)))


def test_scores_alone_have_numbered_cells_and_texts_have_words() -> None:
    (bag,) = of_kind(made("one-redraw", "scores only"), Bag)
    worded(bag.cells[16], "17")
    (bag,) = of_kind(made("one-redraw"), Bag)
    reference = next(iter(mtsig.read_sample().references.values()))
    assert bag.cells[16].startswith(f"Segment 17: {str(reference[16])[:20]}")
    (labels,) = of_kind(made("swap-the-names", "scores only"), Labels)
    assert labels.texts[16] == ("Segment 17", "Segment 17")


def test_cells_of_a_part_have_the_numbers_of_the_whole() -> None:
    sample = mtsig.read_sample()
    part = mtsig.select_subset(sample, [("length", ["long"])])
    room = Classroom.of(part, "sentchrf")
    kept = room.statistics.at("segment")
    reference = next(iter(sample.references.values()))
    last = part.numbers[-1]
    assert last > len(part)
    assert drawn.cells(room, kept)[-1].startswith(f"Segment {last}: {str(reference[last - 1])[:20]}")
    backwards = np.arange(kept.n)[::-1]
    assert drawn.cells(room, kept, backwards)[0] == drawn.cells(room, kept)[-1]


@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_a_copy_more_moves_the_difference_by_about_what_a_cell_says(metric: str) -> None:
    statistics = sample(metric).select(UNCLEAR)
    cells = drawn.told(Classroom(statistics, UNCLEAR), statistics)
    said = [float(re.findall(r"by about ([+−][\d.]+) ", cell)[0].replace("−", "-")) for cell in cells]
    sums = statistics.values.sum(axis=-1, dtype=float)[..., None] + statistics.values
    first, second = statistics.metric.score(sums)
    moved = first - second - (statistics.scores[0] - statistics.scores[1])
    moved *= 1 if metric == "bleu" else -1  # of TER less is better
    assert np.abs(moved).max() > 0.1
    assert said == pytest.approx(moved, abs=0.01)  # to first order


def test_what_is_not_shown_is_said() -> None:
    found = made("one-redraw", "3,000 segments")
    (bag,) = of_kind(found, Bag)
    assert len(bag.weights) < found.steps
    assert any(f"first {len(bag.weights)} resamples" in text for text in found.missing)
    assert made("one-redraw").missing == ()


def counts_of(marks: str) -> list[int]:
    return [int(mark, 36) for mark in marks]


def test_bags_hold_as_many_as_the_test_set_in_the_order_of_the_picks() -> None:
    (bag,) = of_kind(made("one-redraw"), Bag)
    assert len(bag.picks) == 20
    for weights in bag.weights:
        assert sum(counts_of(weights)) == 200
    for weights, picks in zip(bag.weights, bag.picks, strict=False):
        assert len(picks) == 200
        assert counts_of(weights) == np.bincount(picks, minlength=200).tolist()
    # A bag is what its value was scored on: the totals of the picked segments, scored.
    shared = sample().select(UNCLEAR)
    (pile,) = of_kind(made("one-redraw"), Pile)
    for step in (0, 7, 19):
        scores = shared.metric.score(shared.values[..., list(bag.picks[step])].sum(axis=-1, dtype=float))
        assert pile.values[step] == pytest.approx(scores[0] - scores[1], abs=1e-6)


@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_the_thousandth_redraw_is_resamples(metric: str) -> None:
    statistics = sample(metric)
    found = trace(statistics, Bootstrap(1_100, unit="segment"), UNCLEAR)
    library = resample(statistics, Bootstrap(1_000, unit="segment"))
    x, y = (np.array([statistics.row(name)]) for name in UNCLEAR)
    values = library.differences(x, y)[0]
    assert found.values[:1_000] == pytest.approx(values, abs=1e-12)
    # Positive favours the first system, also where lower is better: the better one by score is ahead on most redraws.
    assert np.sign(found.observed) == np.sign(np.median(values))
    assert found.observed > 0
    (one,) = compare(statistics, "bootstrap-ci", [UNCLEAR], interval="percentile")
    assert trace(statistics, Bootstrap(10_000), UNCLEAR).intervals[10_000] == pytest.approx((one.ci_low, one.ci_high))


def test_fewer_draws_are_the_first_of_more() -> None:
    room = classroom("sample")
    for fewer, more in (
        (drawn.redrawn(room, 100), drawn.redrawn(room, 700)),
        (drawn.exchanged(room, draws=100), drawn.exchanged(room, draws=700)),
    ):
        assert fewer.values.tolist() == more.values[:100].tolist()
        assert fewer.weights.tolist() == more.weights[:100].tolist()


def test_flips_exchange_labels_and_equal_segments_do_not_matter() -> None:
    found = made("swap-the-names")
    (labels,), (pile,) = of_kind(found, Labels), of_kind(found, Pile)
    statistics = sample().select(UNCLEAR)
    for step in (0, 5, 999):
        flips = np.array(counts_of(labels.flips[step]), dtype=bool)
        moved = np.where(flips, statistics.values[:, ::-1], statistics.values).sum(axis=-1, dtype=float)
        x, y = statistics.metric.score(moved)
        assert pile.values[step] == pytest.approx(x - y, abs=1e-6)
    assert pile.values[:1_000] == pytest.approx(
        shuffle(statistics, Swap(1_000, unit="segment"), np.array([0]), np.array([1]))[0], abs=1e-6
    )
    corpus = mtsig.read_sample()
    texts = [x == y for x, y in zip(corpus.lines(UNCLEAR[0]), corpus.lines(UNCLEAR[1]), strict=True)]
    assert 0 < sum(texts) <= labels.same.count("1")
    assert all(mark == "1" for mark, same in zip(labels.same, texts, strict=True) if same)
    exchanged = drawn.exchanged(classroom("sample"))
    assert alike_exchanged(exchanged) == pytest.approx(exchanged.observed)
    # The pile's centre: its mean is within four of its own standard errors from zero.
    assert abs(np.mean(pile.values)) < 4 * np.std(pile.values) / np.sqrt(len(pile.values))


def test_p_is_counted_and_never_zero() -> None:
    found = made("where-p-comes-from")
    assert list(found.views) == ["via-catalan − via-galician", "direct − direct-us", "Many pairs"]
    for number, (pair, view) in enumerate(zip((UNCLEAR, CLEAR), found.views.values(), strict=False)):
        (pile,), (curves,) = of_kind(found, Pile, number), of_kind(found, Curves, number)
        observed = trace(sample(), Swap(10, unit="segment"), pair).observed
        flags = [abs(value) >= observed - 1e-6 for value in pile.values]
        assert counts_of(pile.beyond) == flags
        band, line = curves.lines
        for draws in (1, 9, 100, 1_000):
            p = (sum(flags[:draws]) + 1) / (draws + 1)
            assert line.y[draws - 1] == pytest.approx(p, abs=1e-6)
            assert band.y[draws - 1] < p
            assert f"p = ({sum(flags[:draws])} + 1)/({draws:,} + 1)" in view.says[draws]
        test = ApproximateRandomization(Swap(1_000, unit="segment"))
        (one,) = compare(sample(), test, [pair])
        assert (line.y[999], band.y[999], band.upper[999]) == pytest.approx(
            (one.p_value, one.p_mc_low, one.p_mc_high), abs=1e-6
        )
        assert min(line.y) > 0
    # A guess of a p that is just significant is not close to the smallest one.
    assert found.found[1] == 0 < found.near < 0.05 * 1_001 - 1
    # Both differences are asked about, and each pile is of one of them.
    assert found.ask.names == ("+0.56", "+0.47")
    worded(found.ask.question, "+0.56 BLEU", "+0.47")
    assert not any(re.search(r"p\)? = 0|= \.0000", text) for view in found.views.values() for text in view.says)


def test_p_is_exact_where_few_units_differ() -> None:
    room = Classroom(sample(), CLEAR, unit="document")
    lesson = next(one for one in LESSONS if one.name == "where-p-comes-from")
    found = lesson.stage(room)
    worded(found.reveal, "16 documents", "p < .0001", "p = .5389")
    assert "3 segments only" in made("where-p-comes-from", "3 segments").reveal


def test_the_other_pair_contradicts_that_larger_is_surer() -> None:
    assert contrary(Classroom(sample(), UNCLEAR)) == CLEAR
    assert contrary(Classroom(sample(), CLEAR)) == UNCLEAR
    assert contrary(Classroom(made_ratings(systems=2))) is None


def test_the_course_opens_with_a_larger_gap_that_is_less_sure() -> None:
    rows = {}
    for pair in (CLEAR, UNCLEAR):
        (one,) = compare(sample(), "jackknife-t", [pair])
        rows[pair] = (round(one.difference, 2), round(one.p_value, 4))
    assert rows == {CLEAR: (0.47, 0.0009), UNCLEAR: (0.56, 0.5393)}


def test_cut_pairing_redraws_each_system_alone() -> None:
    scheme = Bootstrap(1_000, unit="segment")
    paired, cut = trace(sample(), scheme, CLEAR), unpaired(sample(), scheme, CLEAR)
    assert paired.paired
    assert not cut.paired
    assert cut.scores[0].tolist() == paired.scores[0].tolist()
    assert abs(np.corrcoef(cut.scores)[0, 1]) < 0.13  # four standard errors of none
    assert np.corrcoef(paired.scores)[0, 1] > 0.9
    # Each score spreads as before; only their difference spreads like that of independent scores.
    spread = cut.scores.std(axis=1)
    assert spread == pytest.approx(paired.scores.std(axis=1), rel=0.1)
    assert cut.values.std() == pytest.approx(np.hypot(*spread), rel=0.1)


def test_the_default_pair_is_well_clear_of_zero_only_as_long_as_it_is_paired() -> None:
    for seed in (12345, 7, 99):
        room = OVERLAPPING_BARS.room(given.own_room(seed))
        scheme = Bootstrap(1_000, seed, "segment")
        (low, high), (cut_low, cut_high) = (
            np.quantile(draw(room.statistics, scheme, room.pair).values, [0.025, 0.975]) for draw in (trace, unpaired)
        )
        assert low > 0.7
        assert cut_low < -0.3
        assert cut_high - cut_low > 2.3 * (high - low)


def test_bars_that_do_not_overlap_answer_what_those_that_overlap_leave_open() -> None:
    statistics = given.room().statistics
    found = {}
    for pair in combinations(statistics.systems, 2):
        stage = OVERLAPPING_BARS.stage(replace(given.room(), chosen=pair))
        bars = stage.views["Same resamples"].panels[1].bars
        apart = max(low for low, _ in bars) > min(high for _, high in bars)
        assert ("do not overlap" in stage.ask.question) == apart
        found[pair] = apart, int(stage.found[0])
        assert stage.replies[int(stage.found[0])].startswith("Correct")
        assert stage.reveal.startswith("The bars show a diff" if apart else "These bars cannot show")
        # So it is in truth, too: no pair whose bars are apart has a difference whose interval includes zero.
        assert not apart or "clear of zero" in stage.reveal
    assert set(found.values()) == {(True, 0), (False, 2)}


def test_a_bar_deep_within_a_longer_one_shows_that_the_difference_may_be_zero() -> None:
    # Scores as far apart as .1, of which one varies ten times as much.
    noise = np.random.default_rng(1).normal(size=(2, 120))
    noise = (noise - noise.mean(axis=1, keepdims=True)) * [[10.0], [1.0]] + [[70.1], [70.0]]
    stage = OVERLAPPING_BARS.stage(Classroom(rated(noise, ["wide", "narrow"])))
    assert stage.found == (1.0,)
    worded(stage.reveal)


def test_the_first_test_set_is_seen_apart_from_zero_and_from_the_truth() -> None:
    for seed in (12345, 7, 99):
        resampled, new = of_kind(given.own_stage("why-it-works", seed), Pile)
        (observed, zero), (truth, _) = resampled.marks, new.marks
        assert min(abs(observed.at - zero.at), abs(observed.at - truth.at)) > 0.4


def test_bars_and_the_paired_interval_are_the_contracts_by_documents() -> None:
    found = OVERLAPPING_BARS.stage(Classroom(sample(), CLEAR, unit="document"))
    (facts,) = of_kind(found, Facts)
    library = mtsig.interval(sample())  # over documents
    bars = [library[name] for name in CLEAR]
    assert facts.rows == tuple(
        (name, f"{bar.score:.2f}", f"{bar.ci_low:.2f} to {bar.ci_high:.2f}")
        for name, bar in zip(CLEAR, bars, strict=True)
    )
    assert facts.rows[0][2] == "16.78 to 21.61"
    assert bars[1].ci_low == pytest.approx(16.31, abs=0.01)
    worded(found.ask.question, "90.3%")
    assert pytest.approx(0.903, abs=0.001) == (21.14 - 16.78) / (21.61 - 16.78)
    low, high = trace(sample(), Bootstrap(1_000), CLEAR).intervals[1_000]
    worded(found.reveal, f"+{low:.2f} and +{high:.2f}", "p < .0001")
    for view in found.views.values():
        assert {panel.title for panel in view.panels} >= {"Each score separately"}


def test_threads_are_the_scores_whose_difference_falls_onto_the_pile() -> None:
    found = made("overlapping-bars")
    assert list(found.views) == ["Same resamples", "Pairing cut"]
    library = resample(sample().select(UNCLEAR), Bootstrap(1_000, unit="segment")).draws
    for number, title in enumerate(("the same segments", "for teaching only")):
        (threads,), (pile,) = of_kind(found, Threads, number), of_kind(found, Pile, number)
        assert title in threads.title
        assert [x - y for x, y in threads.values] == pytest.approx(pile.values, abs=2e-6)
        assert np.array(threads.values)[:1_000, 0] == pytest.approx(library[0], abs=1e-6)
        assert threads.low < np.min(threads.values) <= np.max(threads.values) < threads.high
        assert np.allclose(np.array(threads.values)[:1_000, 1], library[1], rtol=0, atol=1e-6) == (number == 0)
    first, second = (of_kind(found, Pile, number)[0] for number in (0, 1))
    assert (first.low, first.high) == (second.low, second.high)  # one axis, so that the pile is seen to swell


def test_wins_are_counted_by_sign() -> None:
    found = made("win-rate")
    (pile,), (curves,) = of_kind(found, Pile, 2), of_kind(found, Curves, 2)
    assert counts_of(pile.groups) == [0 if value > 0 else 1 for value in pile.values]
    won = sum(value > 0 for value in pile.values[:1_000])
    (wins,) = compare(sample(), KoehnWins(Bootstrap(1_000, unit="segment")), [UNCLEAR])
    assert wins.bootstrap_win_rate == pytest.approx(won / 1_000)
    worded(found.views["One pair"].says[1000], f"{won:,}", f"{1000 - won:,}")
    # On the slide, the observed difference has the win rate and the p that the library gives it.
    rate, p = curves.lines
    at = int(np.argmin(np.abs(np.array(rate.x) - pile.marks[0].at)))
    assert rate.x[at] == pytest.approx(pile.marks[0].at, abs=1e-6)
    assert rate.y[at] == pytest.approx(wins.bootstrap_win_rate)
    (shifted,) = compare(sample(), ShiftBootstrap(scheme=Bootstrap(1_000, unit="segment")), [UNCLEAR])
    assert p.y[at] == pytest.approx(shifted.p_value)
    assert list(rate.y) == sorted(rate.y)
    # What is said where the slide stands is what is drawn there.
    worded(curves.tells[at], f"{wins.bootstrap_win_rate:.1%}")
    assert curves.tells[at].endswith(f"two-sided {p_text(shifted.p_value).replace('p =', 'p would be')}.")
    assert len(curves.tells) == len(rate.x)


def test_systems_that_are_level_everywhere_get_no_small_p() -> None:
    lines = ["x y z w v"] * 30
    twins = mtsig.Corpus.of({"a": lines, "b": lines}, {"r": ["x y z w u"] * 30})
    room = Classroom(mtsig.measure(twins, "bleu"), corpus=twins)
    worded(WIN_RATE.solution(room), "p = 1", "+0.00")
    assert all(text.endswith(" p = 1.") for text in WIN_RATE.stage(room).views["One pair"].says[1:])


def test_a_win_rate_of_73_goes_with_a_p_of_54() -> None:
    won = trace(sample(), Bootstrap(10_000, unit="document"), UNCLEAR).values > 0
    assert round(float(won.mean()), 2) == 0.73
    assert round(float(doubled(int((~won).sum()), 10_000)), 2) == 0.54


def test_win_rates_of_95_are_false_alarms_about_twice_as_often_as_said() -> None:
    alarms = np.mean(false_alarms(classroom("sample")) >= 0.95)
    assert 0.08 < alarms < 0.17  # 10 to 15% elsewhere, and what 1,000 test sets leave open
    (pile,) = of_kind(made("win-rate"), Pile)
    assert counts_of(pile.groups) == [value >= 0.95 for value in pile.values]
    count = sum(counts_of(pile.groups)[:1_000])
    assert re.search(rf"on {count} of them \(\S+\) one of the two systems won 95% or more", made("win-rate").reveal)


def test_what_a_win_rate_is_worth_depends_on_who_competes() -> None:
    close, distant = known_truths(classroom("sample"))
    assert (close.pair, distant.pair) == (UNCLEAR, ("direct", "via-esperanto"))
    for truth, errors in ((close, 0.15), (distant, 2.5)):
        # The true difference is so many standard errors of the difference between the same two on all of the data.
        spread = pairs_of(Scores(sample(), Bootstrap(unit="segment")), [truth.pair])
        assert truth.difference / spread.standard_error[0] == pytest.approx(errors, rel=0.15)
        # Who wins is told by the difference and its standard error alone, as Koehn's table 3 (theory: a normal law).
        law = stats.norm(errors / np.sqrt(2), 1)
        for share in (0.7, 0.95):
            limit, claimed = stats.norm.ppf(share), truth.won >= share
            right = law.sf(limit) / (law.sf(limit) + law.cdf(-limit))
            assert np.mean(claimed) == pytest.approx(law.sf(limit) + law.cdf(-limit), abs=0.05)
            assert np.mean(truth.groups[claimed] == 0) == pytest.approx(right, abs=0.1)
    # So the same share is worth little more than a coin in one world, and nearly everything in the other.
    (facts,) = of_kind(made("win-rate"), Facts, 1)
    for band in facts.rows[1:]:
        few, many = (int(text.rpartition("(")[2].rstrip("%)")) for text in band[1:])
        assert few < 70 < 85 < many


def test_documents_change_the_variance_by_the_design_effect() -> None:
    room = Classroom(sample(), CLEAR)
    effects = [design_effect(room, "direct"), design_effect(room, *UNCLEAR), design_effect(room, *CLEAR)]
    assert [round(effect, 2) for effect in effects] == [1.52, 1.39, 0.84]
    for pair, effect in ((UNCLEAR, effects[1]), (CLEAR, effects[2])):
        errors = [
            pairs_of(Scores(sample().at(unit), Bootstrap(unit=unit)), [pair]).infinitesimal_error[0]
            for unit in ("document", "segment")
        ]
        assert (errors[0] / errors[1]) ** 2 == pytest.approx(effect)
    # Drawn, it is about the same, and below 1 it is no reason to count more segments than there are.
    for pair, told in ((CLEAR, "widths, about 0.8."), (UNCLEAR, "widths, about 1.5.")):
        said = DOCUMENTS_TRAVEL_TOGETHER.solution(Classroom(sample(), pair))
        assert told in said
        worded(said, "1")
    # A lesson on a pair that gets wider does not leave the belief that documents always widen.
    worded(made("documents-travel-together").reveal)


def test_rows_are_documents_and_are_drawn_whole() -> None:
    found = made("documents-travel-together")
    documents = mtsig.read_sample().documents
    assert documents is not None
    (single,), (whole,) = of_kind(found, Bag, 0), of_kind(found, Bag, 1)
    assert sorted(single.rows) == sorted(documents.count(name) for name in set(documents))
    assert single.cells == whole.cells
    order = [int(re.findall(r"Segment (\d+)", cell)[0]) - 1 for cell in single.cells]
    names = [documents[number] for number in order]
    starts = np.cumsum([0, *single.rows])
    for row in range(len(single.rows)):
        assert len(set(names[starts[row] : starts[row + 1]])) == 1
    for weights, picks in zip(whole.weights[:20], whole.picks, strict=False):
        for row in range(len(whole.rows)):
            assert len(set(weights[starts[row] : starts[row + 1]])) == 1
        assert np.bincount(picks, minlength=200).tolist() == counts_of(weights)
    for weights, picks in zip(single.weights, single.picks, strict=False):
        assert np.bincount(picks, minlength=200).tolist() == counts_of(weights)
    # The cells of a redraw, scored, are its value.
    statistics = sample().select(UNCLEAR)
    for number, bag in enumerate((single, whole)):
        score, difference = (of_kind(found, Pile, view)[number] for view in (number, 2))
        for step in (0, 19):
            totals = statistics.values[..., order] @ np.array(counts_of(bag.weights[step]), dtype=float)
            x, y = statistics.metric.score(totals)
            assert (score.values[step], difference.values[step]) == pytest.approx((x, x - y), abs=2e-6)


def test_a_game_has_the_same_rounds_for_a_seed_and_keeps_their_answers() -> None:
    found = made("guess-the-p")
    assert len(found.rounds) == 10
    for each in found.rounds:
        answered = zip(each.points, each.replies, strict=True)
        assert list(answered) == [replied(each.answer, guess) for guess in found.ask.places]
        redraws, swaps = each.panels
        assert isinstance(redraws, Pile)
        assert isinstance(swaps, Pile)
        observed = abs(swaps.marks[0].at)
        far = sum(abs(value) >= observed - 1e-4 for value in swaps.values)
        # On paper, what counts is hatched where the answer is told, and not before.
        told = [Still.of_round(each, known).panels[1] for known in (False, True)]
        assert [panel.beyond.count("1") for panel in told if isinstance(panel, Pile)] == [0, far]
        assert each.answer == pytest.approx((far + 1) / 1_000, abs=0.004)
        assert each.after.startswith(p_text(each.answer))
    assert [each.answer for each in GUESS_THE_P.stage(classroom("sample")).rounds] == [
        one.answer for one in found.rounds
    ]
    answers = [one.answer for one in found.rounds]
    assert min(answers) < 0.1 < max(answers)
    again = GUESS_THE_P.stage(replace(classroom("sample"), seed=7))
    assert [one.answer for one in again.rounds] != answers


def test_points_fall_with_the_distance_of_logarithms() -> None:
    assert replied(0.2, 0.2) == (10, "Your guess, .200, is right: 10 of 10 points.")
    assert replied(0.2, 0.1) == (4, "Your guess, .100, is too small; p is 2.0 times this: 4 of 10 points.")
    assert replied(0.1, 0.2) == (4, "Your guess, .200, is too large; it is 2.0 times p: 4 of 10 points.")
    assert replied(0.01, 0.1)[0] == replied(0.001, 1.0)[0] == 0
    assert replied(2**-20, 0.001)[0] == 10  # less than what can be guessed


@pytest.mark.parametrize("seed", [12345, 7, 8, 9])
def test_one_answer_for_all_rounds_earns_about_half_at_most(seed: int) -> None:
    rounds = GUESS_THE_P.stage(replace(classroom("sample"), seed=seed)).rounds
    sums = np.sum([one.points for one in rounds], axis=0)
    assert sums.max() <= 55
    assert sums[-1] <= 40  # p = 1
    answers = [one.answer for one in rounds]
    assert min(answers) < 0.01
    assert max(answers) > 0.3
