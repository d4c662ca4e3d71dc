"""Samples: pooled counts, the part that sampling has, and plans; against numbers by hand and a simulation."""

import numpy as np
import pytest
from kept import worded
from sampled import slow
from scipy import stats

from mtsig import verdict
from mtsig.errors import InvalidOption, UnknownName
from mtsig.inference import Settings, compare
from mtsig.inference._design import SamplingPart, sampling_part
from mtsig.inference._verdict import Comparison
from mtsig.metrics import SegmentMean, Statistics
from mtsig.metrics._statistics import as_values

DOCUMENTS = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 4])
X = "60 64 55 59 70 66 41 47 52 50 66 70 58 58 49 55 61 57 72 76 64 60 53 59"
Y = (
    "67 69 68 59 63 67 75 75 72 38 40 39 43 41 45 64 70 64 63 62 64 54 53 52 59 61 63 62 61 66 52 54 53 59 58 60"
)  # fmt: skip


class Points(SegmentMean):
    """Points that people gave."""

    name = "points"
    needs_references = False


def held(rows: dict[str, np.ndarray], documents: np.ndarray | None = None) -> Statistics:
    """Return the mean of scores, NaN where an output lacks."""
    scores = np.stack(list(rows.values())).astype(float)
    known = ~np.isnan(scores)
    values = as_values(np.stack([np.nan_to_num(scores), known.astype(float)]))
    return Statistics(Points(), tuple(rows), values, document_of=documents, available=None if known.all() else known)


def sampled(**systems: np.ndarray) -> tuple[dict[str, np.ndarray], dict[str, list[str]]]:
    """Return rows by sample, of arrays of shape (n, r), and the samples of every system."""
    rows = {f"{name}{i}": one for name, several in systems.items() for i, one in enumerate(np.transpose(several))}
    return rows, {name: [row for row in rows if row[:-1] == name] for name in systems}


def told(pooled: Statistics, row: Comparison, deterministic: list[str] | None = None) -> SamplingPart:
    """Return the part of sampling, where there is one."""
    part = sampling_part(pooled, row, deterministic or [])
    assert part is not None
    return part


def test_samples_are_pooled_and_their_part_is_told() -> None:
    x, y = (np.array(text.split(), dtype=float).reshape(12, -1) for text in (X, Y))
    rows, samples = sampled(x=x, y=y)
    statistics = held(rows, DOCUMENTS)
    pooled = statistics.over_samples(samples)
    assert pooled.systems == ("x", "y")
    assert (pooled.segment_scores[0] - pooled.segment_scores[1]).tolist() == pytest.approx(
        [-6, -6, -6, 5, 8, 2, -5, -1, -2, 11, 9, -3]
    )
    (row,) = compare(pooled.by_document(), "jackknife-t")
    assert (row.difference, row.standard_error, row.df) == pytest.approx((0.5, 2.945597951, 2.664937222))
    assert row.p_value == pytest.approx(0.8772616838)
    part = told(pooled, row)
    assert part.share == pytest.approx(0.05869376864)
    assert (part.between, part.one_sample) == pytest.approx((8.167288032, 0.7777777778 + 0.3611111111))
    assert part.error_with(5) == pytest.approx(2.897423995)
    assert part.error_with(3, units=20) == pytest.approx(1.461755594)
    assert part.best_samples(10) == pytest.approx(1.180869055)
    worded(part.sentence, "6%", "1% narrower", "29%")


def test_unequal_numbers_of_samples_count_each_segment_once() -> None:
    rows, samples = sampled(x=np.array([[60, 64, np.nan], [55, np.nan, np.nan], [70, 66, 68]]), y=np.ones((3, 1)))
    statistics = held(rows)
    pooled = statistics.over_samples(samples)
    assert pooled.segment_scores[0].tolist() == [62, 55, 68]
    (row,) = compare(pooled, "jackknife-t")
    part = told(pooled, row, deterministic=["y"])
    assert part.sampling == pytest.approx(1.086419753)
    assert "is unknown" in told(pooled, row).sentence


def test_which_sample_is_the_first_of_its_segment_changes_nothing() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(60, 5, (40, 4)).round(1), rng.normal(60, 5, (40, 3)).round(1)
    found = []
    for several in (x, rng.permuted(x, axis=1), np.hstack([x, x])):
        rows, samples = sampled(x=several, y=y)
        statistics = held(rows)
        pooled = statistics.over_samples(samples)
        (row,) = compare(pooled, "jackknife-t")
        found.append((row.difference, row.standard_error, row.p_value, told(pooled, row).sampling))
    assert found[0] == found[1]
    assert found[2][:3] == found[0][:3]  # copies of all samples are no more evidence …
    assert found[2][3] < found[0][3]  # … and make sampling look smaller than it is


def test_what_is_no_sample_is_refused() -> None:
    rows, samples = sampled(x=np.ones((20, 2)), y=np.zeros((20, 1)))
    with pytest.raises(UnknownName, match="no output called 'z'"):
        held(rows).over_samples({"x": ["z"]})
    with pytest.raises(InvalidOption, match="found one twice"):
        held(rows).over_samples({"x": ["x0"], "y": ["x0"]})
    with pytest.raises(InvalidOption, match="by document"):
        held(rows, np.arange(20) // 2).at("document").over_samples(samples)


@pytest.mark.parametrize(("documents", "samples", "sets"), [(20, 3, 300), *slow((60, 2, 200))])
@pytest.mark.slow
def test_equal_models_are_found_different_as_rarely_as_promised(documents: int, samples: int, sets: int) -> None:
    rng, wrong = np.random.default_rng(documents), 0
    of = np.repeat(np.arange(documents), 5)
    for _ in range(sets):
        shared = rng.normal(0, 3, len(of)) + rng.normal(0, 1, documents)[of]
        each = {
            name: (shared + rng.normal(0, 3, len(of)) + rng.normal(0, 1, documents)[of])[:, None]
            + rng.normal(0, 3, (len(of), samples))
            for name in "xy"
        }
        rows, named = sampled(**each)
        (row,) = Settings(n_resamples=100).family(held(rows, of).over_samples(named))
        wrong += row.p_value <= 0.05
    assert stats.binomtest(wrong, sets, 0.06, alternative="greater").pvalue > 0.001


def several_answers(rng: np.random.Generator, items: int, right: float, alike: float) -> Statistics:
    """Return three answers per item, right or wrong, of two models of the same accuracy."""
    chances = rng.beta(right * (1 / alike - 1), (1 - right) * (1 / alike - 1), size=(2, items, 1))
    rows, samples = sampled(**dict(zip("xy", (rng.random((2, items, 3)) < chances).astype(float), strict=True)))
    return held(rows).over_samples(samples)


def test_several_answers_to_an_item_have_intervals_within_their_bounds() -> None:
    rng, covered, sets = np.random.default_rng(42), 0, 200
    for _ in range(sets):
        statistics = several_answers(rng, 20, 0.9, 0.3)
        scores = Settings().intervals(statistics)
        assert np.all(scores.ci_low >= 0)
        assert np.all(scores.ci_high <= 1)
        covered += int(np.sum((scores.ci_low <= 0.9) & (scores.ci_high >= 0.9)))
    print(f"{covered} of {2 * sets} intervals cover")
    assert stats.binom.cdf(covered, 2 * sets, 0.93) > 1e-3
    for row in Settings().family(several_answers(rng, 25, 0.5, 0.3)).rows():
        ends = [abs(row[name]) for name in ("ci_low", "ci_high", "adjusted_ci_low", "adjusted_ci_high")]
        assert max(*ends, row["detectable_high"] or 0) <= 1


def test_a_system_whose_few_wrong_answers_are_not_known_is_not_found_better() -> None:
    """Of 200 answers at 99% two are wrong, and none in one of seven sets: ten samples of another do not show that."""
    for wrong, word in ((1, "withheld"), (10, "better")):
        x = np.ones((200, 10))
        x[::9, :wrong] = 0
        rows, samples = sampled(x=x)
        rows["y"] = np.ones(200)
        pooled = held(rows).over_samples(samples)
        for test in ("jackknife-t", "ar"):
            (row,) = compare(pooled, test)
            assert row.p_value < 0.01
            found = verdict(row)
            assert found.word == word, (wrong, test)
            if word == "withheld":
                worded(found.withheld_reason, "200 answers", "2 wrong")


def test_where_a_system_has_one_output_per_segment_nothing_is_said_of_sampling() -> None:
    rng = np.random.default_rng(0)
    rows, samples = sampled(x=rng.normal(60, 5, (40, 4)), y=rng.normal(60, 5, (40, 1)))
    pooled = held(rows).over_samples(samples)
    (row,) = compare(pooled, "jackknife-t")
    part = told(pooled, row)
    assert np.isnan([part.sampling, part.between, part.share]).all()
    assert told(pooled, row, ["y"]).between > 0
