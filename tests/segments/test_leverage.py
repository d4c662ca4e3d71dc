"""What is left of a difference without the units that contribute most, held against scores made from scratch."""

from functools import cache

import numpy as np
import pytest
import scipy.stats
from made import made_corpus, made_statistics
from sacrebleu.metrics import BLEU, CHRF, TER

from mtsig import Corpus, measure, read_sample
from mtsig.corpus import Rating
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference import Settings, compare
from mtsig.metrics import Statistics
from mtsig.segments import Leverage, contributions, leverage, overview
from mtsig.segments._leverage import LeftOut

SACREBLEU = {"bleu": (BLEU, 1, (0, 1, 8, 25, 40)), "chrf": (CHRF, 1, (1, 25)), "ter": (TER, -1, (40,))}
"""Class, sign, and how many segments are left out; its TER takes its time."""


@cache
def sample() -> Corpus:
    return read_sample()


def of(statistics: Statistics, first: str, second: str) -> Leverage:
    return leverage(contributions(statistics, first, second))


def rated(values: np.ndarray, documents: list[str] | None = None) -> Statistics:
    """Statistics of ratings, shape (2, n): systems x and y."""
    rating = Rating(values, higher_is_better=True)
    return measure(Corpus.of({"x": None, "y": None}, documents=documents, ratings={"judged": rating}), "rating:judged")


@pytest.mark.parametrize("metric", SACREBLEU)
def test_the_difference_without_k_segments_is_sacrebleus_on_the_rest(metric: str) -> None:
    found = of(measure(sample(), metric), "direct", "via-catalan")
    make, sign, numbers = SACREBLEU[metric]
    assert found.k.tolist() == list(range(41))
    for k in numbers:
        kept = sorted(set(range(len(sample()))) - set(found.numbers[:k].tolist()))
        references = [[lines[i] for i in kept] for lines in sample().references.values()]
        scores = [
            make().corpus_score([sample().lines(name)[i] for i in kept], references).score
            for name in ("direct", "via-catalan")
        ]
        assert found.difference[k] == pytest.approx(sign * (scores[0] - scores[1]), abs=1e-5)


@pytest.mark.parametrize("unit", ["segment", "document"])
@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_the_interval_is_the_one_of_a_comparison_without_them(metric: str, unit: str) -> None:
    corpus = made_corpus(90, systems=2, documents=13)
    statistics = measure(corpus, metric)
    found = of(statistics if unit == "segment" else statistics.by_document(), "sys0", "sys1")
    assert (found.unit, found.interval) == (unit, "jackknife")
    documents = list(dict.fromkeys(corpus.documents or ()))
    for k in (0, 1, 2):
        out = set(found.numbers[:k].tolist())
        kept = [
            i
            for i in range(90)
            if (i if unit == "segment" else documents.index((corpus.documents or ())[i])) not in out
        ]
        settings = Settings(test="ij-t", interval="jackknife", unit="segment" if unit == "segment" else "document")
        (again,) = settings.family(measure(corpus.take(np.array(kept)), metric))
        assert again.unit == unit
        ends = (again.difference, again.ci_low, again.ci_high)
        assert (found.difference[k], found.ci_low[k], found.ci_high[k]) == pytest.approx(ends, rel=1e-9)


def test_of_many_segments_the_interval_is_the_fast_one() -> None:
    statistics = made_statistics(2400, 2)
    first, second = statistics.systems
    found = of(statistics, first, second)
    assert found.interval == "ij"
    assert len(found.k) <= 202
    assert found.k[-1] == 480
    for at in (0, 1, 40, len(found.k) - 1):
        kept = np.setdiff1d(np.arange(2400), found.numbers[: found.k[at]])
        rest = Statistics(statistics.metric, statistics.systems, statistics.values[..., kept])
        (again,) = compare(rest, "ij-t", interval="ij")
        ends = (again.difference, again.ci_low, again.ci_high)
        assert (found.difference[at], found.ci_low[at], found.ci_high[at]) == pytest.approx(ends, rel=1e-9)


def brute_force(x: np.ndarray, y: np.ndarray) -> int | None:
    """The smallest k, up to 20%, without which Student's t interval of the mean difference holds 0."""
    ahead = np.sort(x - y if x.sum() > y.sum() else y - x)[::-1]
    for k in range(len(ahead) // 5 + 1):
        rest = ahead[k:]
        if not scipy.stats.t.interval(0.95, len(rest) - 1, rest.mean(), scipy.stats.sem(rest))[0] > 0:
            return k or None
    return None


def test_the_smallest_number_that_turns_the_verdict_is_found() -> None:
    seen = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        x, y = rng.normal(0.1 * (seed % 9), 1, 60), rng.normal(0, 1, 60)
        expected = brute_force(x, y)
        found = of(rated(np.stack([x, y])), "x", "y")
        assert found.holds_until == (None if expected is None else LeftOut(expected, expected / 60))
        turned = of(rated(np.stack([y, x])), "x", "y")
        assert turned.holds_until == found.holds_until
        np.testing.assert_allclose(turned.difference, -found.difference)
        np.testing.assert_allclose(turned.ci_low, -found.ci_high)
        seen.append(expected)
    assert None in seen
    assert len(set(seen)) > 4


def test_the_smallest_is_found_between_the_points_that_are_shown() -> None:
    rng = np.random.default_rng(5)
    x, y = rng.normal(0.07, 1, 6000), rng.normal(0, 1, 6000)
    expected = brute_force(x, y)
    found = of(rated(np.stack([x, y])), "x", "y")
    assert found.holds_until is not None
    assert found.holds_until.units == expected
    steps = np.linspace(0, 1200, 201).round()
    assert expected not in steps
    assert expected in found.k
    assert f"until {expected} segments ({expected / 60:.1f}%) are left out" in found.sentence


def test_whole_documents_are_left_out() -> None:
    rng = np.random.default_rng(3)
    sizes = rng.integers(1, 9, 40)
    documents = [f"d{number}" for number, size in enumerate(sizes) for _ in range(size)]
    values = rng.normal(0, 1, (2, len(documents)))
    values[0] += 0.5
    found = of(rated(values, documents).by_document(), "x", "y")
    assert (found.unit, found.n, found.k[-1]) == ("document", 40, 8)
    names = np.array([int(name[1:]) for name in documents])
    for at, k in enumerate(found.k):
        rest = ~np.isin(names, found.numbers[:k])
        assert found.difference[at] == pytest.approx((values[0] - values[1])[rest].mean())
    sums = np.bincount(names, weights=values[0] - values[1])
    np.testing.assert_array_equal(found.numbers, np.argsort(-sums)[:8])


def test_random_units_take_nothing_away_on_average() -> None:
    rng = np.random.default_rng(8)
    x, y = rng.normal(0.2, 1, 500), rng.normal(0, 1, 500)
    found = leverage(contributions(rated(np.stack([x, y])), "x", "y"), n_resamples=400)
    ends = (found.random[0], found.random_low[0], found.random_high[0])
    assert ends == pytest.approx([found.difference[0]] * 3, rel=1e-14)
    # Without k of n units drawn at random, the mean of the rest has this standard deviation.
    rest = 500 - found.k[1:]
    deviation = (x - y).std(ddof=1) * np.sqrt(found.k[1:] / 500 / rest)
    assert np.all(np.abs(found.random[1:] - found.difference[0]) < 4.5 * deviation / np.sqrt(400))
    widths = (found.random_high - found.random_low)[1:] / (2 * scipy.stats.norm.ppf(0.95) * deviation)
    assert np.all((widths > 0.75) & (widths < 1.3))
    again = leverage(contributions(rated(np.stack([x, y])), "x", "y"), n_resamples=400)
    np.testing.assert_array_equal(found.random, again.random)
    other = leverage(contributions(rated(np.stack([x, y])), "x", "y"), n_resamples=400, seed=2)
    assert not np.array_equal(found.random_low, other.random_low)


def test_the_sentences() -> None:
    rng = np.random.default_rng(1)
    noise, clear = rng.normal(0, 1, (2, 50)), np.stack([np.linspace(0.9, 1.1, 50), np.zeros(50)])
    assert of(rated(noise), "x", "y").sentence == (
        "The 95% interval includes 0, so there is no significant verdict to change."
    )
    found = of(rated(clear), "x", "y")
    assert found.turns
    assert found.holds_until is None
    assert found.sentence == "The verdict holds even when the 10 segments (20.0%) that contribute most are left out."
    assert found.caution == (
        "The segments were chosen by their effect, so this is a sensitivity analysis, not a test. The verdict is "
        "traced with the 95% "
        "interval of this pair alone."
    )
    few = of(rated(clear[:, :4]), "x", "y")
    assert few.k.tolist() == [0]
    assert few.sentence == "With 4 segments none can be left out."
    describes = of(measure(sample(), "ratio"), "direct", "via-esperanto")
    assert describes.holds_until is None
    assert "length ratio is descriptive" in describes.sentence


def test_equal_systems_have_no_verdict_to_turn() -> None:
    corpus = made_corpus(40)
    twins = Corpus.of({"x": corpus.outputs["sys0"], "y": corpus.outputs["sys0"]}, corpus.references)
    found = of(measure(twins, "bleu"), "x", "y")
    assert not found.difference.any()
    assert found.holds_until is None
    assert "no significant verdict" in found.sentence


@pytest.mark.parametrize("n", [1, 2])
def test_one_or_two_segments_have_no_verdict_to_turn(n: int) -> None:
    found = of(rated(np.array([[1.0, 3.0], [0.0, 0.5]])[:, :n]), "x", "y")
    assert found.k.tolist() == [0]
    assert found.holds_until is None
    assert np.isnan(found.ci_low[0]) == (n == 1)
    assert ("cannot be traced" if n == 1 else "no significant verdict") in found.sentence


def test_where_the_last_match_is_left_out_there_is_no_interval_and_no_verdict() -> None:
    # One segment alone has the 4-grams of system y: without it y's BLEU has no derivative.
    good = ["a b c d e f g h"] * 30
    poor = ["a b c d x f g h"] + ["a b c x e f g x"] * 29
    corpus = Corpus.of({"x": good, "y": poor}, {"ref": good})
    found = of(measure(corpus, "bleu"), "x", "y")
    assert np.isnan(found.ci_low[0])
    assert found.sentence == "The difference has no jackknife interval, so changes of the verdict cannot be traced."


def test_what_cannot_be_asked() -> None:
    statistics = measure(sample(), "ter")
    with pytest.raises(NotApplicable, match="give two systems"):
        leverage(contributions(statistics, "direct"))
    pair = contributions(statistics, "direct", "via-catalan")
    with pytest.raises(InvalidOption, match="level"):
        leverage(pair, 95)
    with pytest.raises(InvalidOption, match="At least one random choice"):
        leverage(pair, n_resamples=0)
    rows = leverage(pair).rows()
    assert list(rows[0]) == ["k", "difference", "ci_low", "ci_high", "random", "random_low", "random_high"]
    assert [row["k"] for row in rows] == list(range(41))


def test_where_no_interval_is_left_nothing_is_said_to_have_turned() -> None:
    # Two units alone have what makes a four-gram; without them the score has no derivative.
    corpus = Corpus.of(
        {"a": ["the old man sat by the sea"] * 2 + ["x y"] * 38, "b": ["the old man sat by a sea"] * 2 + ["x z"] * 38},
        {"ref": ["the old man sat by the sea"] * 2 + ["x y"] * 38},
    )
    found = leverage(contributions(measure(corpus, "bleu:max_ngram_order=4,smooth_method=none"), "a", "b"))
    assert np.isnan(found.ci_low[found.k == found.lost_at]).all()
    assert found.lost_at is not None
    assert found.holds_until is None or found.holds_until.units < found.lost_at
    if found.turns and found.holds_until is None:
        assert "as far as it can be traced" in found.sentence


def test_what_the_test_does_not_separate_has_no_verdict_to_turn() -> None:
    values = np.array([[1.0, 2.0, 1.5, 1.7, 1.2], [0.5, 1.1, 0.9, 0.8, 0.4]])
    found = contributions(rated(values), "x", "y")
    assert leverage(found).turns
    plain = leverage(found, no_verdict="the two do not differ significantly")
    assert plain.holds_until is None
    assert plain.sentence == "The two do not differ significantly, so there is no verdict to change."
    assert "followed" not in plain.caution


def test_a_pair_that_its_family_does_not_separate_has_no_verdict_to_turn() -> None:
    # Alone the two are apart; judged with the other pairs they are not, and nothing is followed.
    rng = np.random.default_rng(2)
    scores = rng.normal(0, 1, (6, 60))
    gap = rng.normal(0, 1, 60)
    scores[1] = scores[0] - 2.4 / np.sqrt(60) + (gap - gap.mean()) / gap.std(ddof=1)
    names = [f"s{i}" for i in range(6)]
    corpus = Corpus.of(dict.fromkeys(names), ratings={"r": Rating(scores, True)})
    statistics = measure(corpus, "rating:r")
    settings = Settings(n_resamples=2000, unit="segment", test="jackknife-t", correction="holm")
    family = settings.family(statistics)
    comparison = family.pair("s0", "s1")
    assert comparison is not None
    assert comparison.p_value <= 0.05 < comparison.p_adjusted
    shown = overview(corpus, statistics, "s0", "s1", settings).leverage
    assert shown.holds_until is None
    assert shown.level == pytest.approx(comparison.adjusted_level)
    assert (shown.ci_low[0], shown.ci_high[0]) == pytest.approx(
        (comparison.adjusted_ci_low, comparison.adjusted_ci_high)
    )
    assert shown.sentence.startswith("The adjusted interval (")
    assert shown.sentence.endswith(", 15 comparisons) includes 0, so there is no significant verdict to change.")
