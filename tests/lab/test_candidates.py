"""N-best lists, models of them, and the log-linear choice among candidates."""

import gzip
import time
from pathlib import Path

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st
from sampled import sampled

from mtsig._limits import Limits, within
from mtsig.errors import MtsigError, NotApplicable, ReadError
from mtsig.lab._candidates import Choices, fit, off_optimum, read_nbest, standardized
from mtsig.readers import File

LIST = """0 ||| a house ||| LM0= -4 TranslationModel0= -1.5 -2e0 ||| -7.5
0 ||| the house ||| LM0= -3 TranslationModel0= -1 -2 ||| -6 ||| 0-0 1-1
1 |||  ||| LM0= 0 TranslationModel0= 0 0 ||| 0
"""


def listed(text: str | bytes) -> File:
    return File("n.best", text.encode() if isinstance(text, str) else text)


def test_a_list_is_read_best_first() -> None:
    found = read_nbest(listed(LIST))
    assert found.texts == ("the house", "a house", "")
    assert found.starts.tolist() == [0, 2]
    assert found.names == ("LM0", "TranslationModel0 1", "TranslationModel0 2")
    assert found.values.tolist() == [[-3, -1, -2], [-4, -1.5, -2], [0, 0, 0]]


def test_equal_scores_keep_their_order_and_files_may_be_packed(tmp_path: Path) -> None:
    text = "".join(f"{i} ||| {word} ||| d= 1 ||| -1\n" for i in range(3) for word in "cab")
    (tmp_path / "list.gz").write_bytes(gzip.compress(text.encode()))
    found = read_nbest(tmp_path / "list.gz")
    assert "".join(found.texts) == "cabcabcab"
    assert found.starts.tolist() == [0, 3, 6]


GOOD = "0 ||| a ||| LM0= -4 ||| -7.5\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            f"{GOOD}0 ||| b ||| LM0= -4\n",
            r"n\.best, line 2: found 3 fields in '0 \|\|\| b .*expected number \|\|\| text",
        ),
        (f"{GOOD}\n", "line 2: found 1 field in an empty line"),
        ("1 ||| a ||| LM0= -4 ||| -7.5\n", "line 1: found segment '1', expected 0: .*Sort the list"),
        (f"{GOOD}2 ||| a ||| LM0= -4 ||| 1\n", "line 2: found segment '2', expected 0 or 1"),
        (f"{GOOD}1 ||| a ||| LM0= -4 ||| 1\n{GOOD}", "line 3: found segment '0', expected 1 or 2"),
        (f"{GOOD}x ||| a ||| LM0= -4 ||| 1\n", "line 2: found segment 'x'"),
        (f"{GOOD} ||| a ||| LM0= -4 ||| 1\n", "line 2: found segment an empty line"),
        ("0 ||| a ||| -4 -5 ||| 1\n", "line 1: found '-4' where features begin; .*with labels"),
        ("0 ||| a |||  ||| 1\n", "line 1: found no feature in an empty line"),
        ("0 ||| a ||| = 1 ||| 1\n", "line 1: found '=' where features begin"),
        ("0 ||| a ||| LM0= ||| 1\n", "line 1: found no feature"),
        ("0 ||| a ||| LM0= 1 LM0= 2 ||| 1\n", "line 1: found a feature twice"),
        ("0 ||| a ||| LM0= minus ||| 1\n", "line 1: found 'minus' for a value of 'LM0'; expected a finite number"),
        ("0 ||| a ||| LM0= nan ||| 1\n", "found 'nan' for a value of 'LM0'"),
        ("0 ||| a ||| LM0= -inf ||| 1\n", "found '-inf'"),
        ("0 ||| a ||| LM0= 1_0 ||| 1\n", "found '1_0'"),
        ("0 ||| a ||| LM0= 1 ||| 1e999\n", "line 1: found '1e999' for the score"),
        (f"{GOOD}0 ||| b ||| LM1= -4 ||| 1\n", "line 2: found the features 'LM1'; the first line has 'LM0'"),
        (f"{GOOD}0 ||| b ||| LM0= -4 3 ||| 1\n", "line 2: found the features 'LM0 1, LM0 2'"),
        (f"{GOOD}0 ||| b ||| ||| 1\n", "line 2: found the features 'none'"),
        (f"{GOOD}0 ||| a ||| b ||| LM0= -4 ||| 1\n", "line 2: found 'b' where features begin"),
        ("", "is empty"),
        (b"0 ||| \xff ||| LM0= 1 ||| 1\n", "not valid UTF-8: line 1"),
        (b"0 ||| a\0 ||| LM0= 1 ||| 1\n", "zero byte"),
    ],
)
def test_what_is_no_list_is_refused_with_its_line(text: str | bytes, said: str) -> None:
    with pytest.raises(ReadError, match=said):
        read_nbest(listed(text))


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="there is no such file"):
        read_nbest(tmp_path / "absent")


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (Limits(max_bytes=50), "n.best: found .* bytes"),
        (Limits(max_segments=2), "found 3 lines; at most 2"),
        (Limits(max_columns=4), "line 1: found 5 features and their names; at most 4"),
        (Limits(max_cells=5), "line 2: found 6 cells; at most 5"),
    ],
)
def test_limits_hold(limits: Limits, said: str) -> None:
    with within(limits), pytest.raises(ReadError, match=said):
        read_nbest(listed(LIST))


@settings(max_examples=75, deadline=None)
@given(st.integers(0, len(LIST)), st.sampled_from(["", "|||", "\n", "=", "\u2028", "9" * 400, "\x1b[2J", "-inf"]),
       st.integers(0, 30))  # fmt: skip
def test_a_damaged_list_is_read_or_refused_in_one_sentence(at: int, by: str, cut: int) -> None:
    try:
        found = read_nbest(listed(LIST[:at] + by + LIST[at + cut :]))
    except MtsigError as error:
        message = str(error)
    else:
        message = "."
        assert found.values.shape == (len(found.texts), len(found.names))
        assert np.isfinite(found.values).all()
    assert message.endswith(".")
    assert "\x1b" not in message


@pytest.mark.slow
def test_long_lists_take_no_more_than_one_pass() -> None:
    lines = "".join(f"{i // 100} ||| w{i} ||| LM0= {i} T= 1 2 3 ||| {-i}\n" for i in range(50_000))
    began = time.process_time()
    found = read_nbest(listed(lines))
    assert time.process_time() - began < 10
    assert len(found.starts) == 500


def made(seed: int, segments: int = 60, features: int = 6) -> Choices:
    """Choices of 2 to 5 candidates, the first three features of which tell something about the target."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(2, 6, segments)
    starts = np.cumsum(counts) - counts
    values = standardized(rng.normal(size=(counts.sum(), features)), starts, np.ones(counts.sum(), dtype=bool))
    chances = values @ np.array([1.0, -0.6, 0.3, *[0.0] * (features - 3)])
    target = np.zeros(len(values))
    for start, count in zip(starts, counts, strict=True):
        noisy = chances[start : start + count] + rng.gumbel(size=count)
        target[start + int(np.argmax(noisy))] = 1.0
    # Some segments have two candidates that are equally near.
    for start in starts[::7]:
        target[start : start + 2] = 0.5
        target[start + 2 : starts[starts > start][0] if (starts > start).any() else len(target)] = 0.0
    return Choices(values, starts, target)


def one_feature(right: int, wrong: int) -> Choices:
    """Two candidates a segment, the feature ½ and −½; the first is right in so many of them."""
    n = right + wrong
    target = np.array([[1.0, 0.0]] * right + [[0.0, 1.0]] * wrong)
    return Choices(np.tile([[0.5], [-0.5]], (n, 1)), np.arange(0, 2 * n, 2), target.ravel())


def slow_loss(choices: Choices, weights: np.ndarray) -> float:
    """Return minus the mean log-likelihood, segment by segment, as the definition has it."""
    ends = [*choices.starts[1:], len(choices.features)]
    total = 0.0
    for start, end in zip(choices.starts, ends, strict=True):
        scores = [float(np.dot(row, weights)) for row in choices.features[start:end]]
        normalizer = np.log(sum(np.exp(score) for score in scores))
        total -= sum(t * (s - normalizer) for t, s in zip(choices.target[start:end], scores, strict=True))
    return total / len(choices.starts)


@pytest.mark.parametrize("seed", range(3))
def test_loss_and_gradient_are_those_of_the_definition(seed: int) -> None:
    choices = made(seed)
    weights = np.random.default_rng(seed).normal(size=6)
    loss, slope = choices.loss(weights)
    assert loss == pytest.approx(slow_loss(choices, weights), rel=1e-12)
    numeric = scipy.optimize.approx_fprime(weights, lambda at: slow_loss(choices, at), 1e-7)
    assert slope == pytest.approx(numeric, abs=1e-6)


@pytest.mark.parametrize("penalty", [0.0, 0.05, 0.2])
def test_one_feature_has_the_weight_of_its_closed_form(penalty: float) -> None:
    # The slope of the loss is σ(w) − a, so a penalty λ leaves σ(w) = a − λ.
    fitted = fit(one_feature(75, 25), penalty)
    assert fitted.weights[0] == pytest.approx(scipy.special.logit(0.75 - penalty), abs=1e-4)


def test_a_feature_joins_just_below_the_largest_slope() -> None:
    choices = one_feature(75, 25)
    assert choices.largest_slope == pytest.approx(0.25)
    assert fit(choices, 0.25).selected == ()
    assert fit(choices, 0.2499).selected == (0,)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.01, 1.0))
def test_every_fit_is_an_optimum(seed: int, share: float) -> None:
    choices = made(seed, segments=30)
    penalty = share * choices.largest_slope
    fitted = fit(choices, penalty)
    slope = choices.loss(fitted.weights)[1]
    for weight, own in zip(fitted.weights, slope, strict=True):
        if weight:
            assert own == pytest.approx(-penalty * np.sign(weight), abs=2e-6)
        else:
            assert abs(own) <= penalty + 2e-6
    assert set(fitted.selected) == set(np.flatnonzero(fitted.weights))


@pytest.mark.parametrize("seed", range(4))
def test_another_solver_finds_no_better_weights(seed: int) -> None:
    choices = made(seed, segments=40)
    penalty = 0.15 * choices.largest_slope
    fitted = fit(choices, penalty)

    def objective(both: np.ndarray) -> float:
        return slow_loss(choices, both[:6] - both[6:]) + penalty * float(both.sum())

    other = scipy.optimize.minimize(
        objective, np.full(12, 0.1), method="SLSQP", bounds=[(0, None)] * 12, options={"maxiter": 500, "ftol": 1e-12}
    )
    assert other.success
    own = slow_loss(choices, fitted.weights) + penalty * float(np.abs(fitted.weights).sum())
    assert own == pytest.approx(other.fun, abs=1e-7)
    assert fitted.weights == pytest.approx(other.x[:6] - other.x[6:], abs=1e-3)


@sampled("seed", range(30), most=10)
def test_few_segments_and_features_that_say_the_same_reach_an_optimum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, own = 30, rng.normal(size=(60, 5))
    side = np.tile([1.0, -1.0], n)
    features = np.column_stack([own, own + 0.5 * rng.normal(size=own.shape), side, -side])
    starts = np.arange(0, 2 * n, 2)
    right = (own[::2, 0] - own[1::2, 0] + rng.normal(size=n) > 0).astype(float)
    target = np.column_stack([right, 1 - right]).ravel()
    choices = Choices(standardized(features, starts, np.ones(60, dtype=bool)), starts, target)
    for share in (0.3, 0.03, 0.01):
        penalty = share * choices.largest_slope
        fitted = fit(choices, penalty)
        assert off_optimum(choices, fitted.weights, penalty).max() < 1e-5 * choices.largest_slope


def test_a_larger_penalty_leaves_smaller_weights_and_at_last_none() -> None:
    choices = made(1)
    sizes = [np.abs(fit(choices, share * choices.largest_slope).weights).sum() for share in (0.01, 0.1, 0.4, 0.9, 1.0)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-2] > 0
    assert sizes[-1] == 0


def test_features_join_by_their_slopes() -> None:
    choices = made(2, segments=400)
    slopes = np.abs(choices.loss(np.zeros(6))[1])
    one = fit(choices, 0.01 * choices.largest_slope, most=1)
    assert one.selected == (int(np.argmax(slopes)),)
    two = fit(choices, 0.01 * choices.largest_slope, most=2)
    slopes = np.abs(choices.loss(one.weights)[1])
    slopes[list(one.selected)] = 0
    assert two.selected == (*one.selected, int(np.argmax(slopes)))
    # Features without anything to say never join where the penalty is above their noise.
    assert set(fit(choices, 0.3 * choices.largest_slope).selected) <= {0, 1, 2}


def test_a_copy_of_a_feature_changes_no_probability() -> None:
    choices = made(3)
    penalty = 0.05 * choices.largest_slope
    twice = Choices(np.hstack([choices.features, choices.features[:, :1]]), choices.starts, choices.target)
    own, other = fit(choices, penalty), fit(twice, penalty)
    assert choices.log_chances(own.weights) == pytest.approx(twice.log_chances(other.weights), abs=1e-3)


def test_an_optimum_is_told_from_what_is_none() -> None:
    choices = made(4)
    penalty = 0.1 * choices.largest_slope
    fitted = fit(choices, penalty)
    assert off_optimum(choices, fitted.weights, penalty).max() < 2e-6
    assert off_optimum(choices, fitted.weights + 0.1, penalty).max() > 1e-3
    assert off_optimum(choices, np.zeros(6), penalty).max() == pytest.approx(0.9 * choices.largest_slope)


def test_without_a_penalty_a_perfect_feature_grows_until_its_slope_is_next_to_nothing() -> None:
    # The likelihood has no maximum.
    fitted = fit(one_feature(10, 0), 0.0)
    assert 10 < fitted.weights[0] < 100


def test_what_does_not_converge_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig.lab._candidates._ROUNDS", 1)
    monkeypatch.setattr("mtsig.lab._candidates._STARTS", 1)
    choices = made(6)
    with pytest.raises(NotApplicable, match=r"did not converge: .* larger penalty"):
        fit(choices, 0.01 * choices.largest_slope)


def test_the_best_candidate_is_the_first_of_equal_ones() -> None:
    choices = Choices(np.array([[1.0], [2.0], [2.0], [5.0], [4.0]]), np.array([0, 3]), np.zeros(5))
    assert choices.best(np.array([1.0])).tolist() == [1, 3]
    assert choices.best(np.array([-1.0])).tolist() == [0, 4]
    assert choices.best(np.array([0.0])).tolist() == [0, 3]


def test_chosen_segments_are_choices_of_their_own() -> None:
    choices = made(5)
    kept = np.arange(60) % 3 == 0
    part, rest = choices.of(kept), choices.of(~kept)
    weights = np.arange(6.0) / 6
    both = 20 * part.loss(weights)[0] + 40 * rest.loss(weights)[0]
    assert both / 60 == pytest.approx(choices.loss(weights)[0])


def test_standardized_features_choose_within_the_segment_alone() -> None:
    rng = np.random.default_rng(0)
    starts, features = np.array([0, 4, 7]), rng.normal(5, 3, (10, 3))
    features[:, 2] = [7] * 4 + [8] * 3 + [9] * 3  # the same for all candidates of a segment
    trained = np.arange(10) < 7
    found = standardized(features, starts, trained)
    assert np.add.reduceat(found, starts) == pytest.approx(np.zeros((3, 3)), abs=1e-12)
    assert np.square(found[trained]).mean(axis=0)[:2] == pytest.approx([1, 1])
    assert not found[:, 2].any()
    assert found[:, :2] == pytest.approx(standardized(10 * features + 3, starts, trained)[:, :2])
