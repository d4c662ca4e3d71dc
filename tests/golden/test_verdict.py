"""Known answers of verdicts, worked out by plain loops: every one of the file has a check here.

The tests of the modules hold the same numbers where the file is not at hand, and say what each of them is about.
"""

from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from golden.oracles import known_answers
from mtsig import Corpus, Rating, measure
from mtsig._probability import Tails, t_above, t_critical
from mtsig.collection._beyond import replicability
from mtsig.inference import CORRECTIONS, compare, detectable_difference
from mtsig.inference._corrections import adjusted_ends
from mtsig.inference._fields import noncentral, own_factor, pilot_factor
from mtsig.inference._power import smallest_units
from mtsig.inference._targets import heaviest_share
from mtsig.metrics import Bleu, Statistics
from mtsig.metrics._sums import edges_of, first_blocks, moments

FILE = "oracles_verdicts.json"
Known = dict[str, Any]
CLOSE = 1e-8
"""The file has ten digits."""


def neighbours_of_all_orders(given: Known, known: Known) -> None:
    centred = np.array(given["influences"])
    centred -= centred.mean(axis=1, keepdims=True)
    weights, width = np.diag(1 / np.square(centred).sum(axis=1)), given["width"]
    found, expected, variance = moments(centred, weights, width)
    z = (found - expected) / np.sqrt(variance)
    assert [found, expected, variance, z] == pytest.approx(
        [known[name] for name in ("Z", "expectation", "variance", "z")], rel=CLOSE
    )
    every = [moments(centred[:, order], weights, width)[0] for order in permutations(range(centred.shape[1]))]
    assert [np.mean(every), np.var(every)] == pytest.approx([expected, variance], rel=CLOSE)


def by_blocks(first: object, second: object, known: Known) -> Statistics:
    """Hold two systems to what is known of their blocks."""
    rating = Rating(np.array([first, second], dtype=float), higher_is_better=True)
    statistics = measure(Corpus.of({"x": None, "y": None}, ratings={"given": rating}), "rating:given")
    (one,) = compare(statistics)
    assert (one.unit, one.units, one.df) == ("block", known["blocks"], known["df"])
    assert edges_of(one.segments, one.units).tolist() == known["edges"]
    assert [one.difference, one.standard_error, one.p_value] == pytest.approx(
        [known["d"], known["se"], known["p"]], rel=CLOSE
    )
    return statistics


def sixty_segments(given: Known, known: Known) -> None:
    statistics = by_blocks(given["a"], given["b"], known)
    (one,) = compare(statistics)
    assert one.order_z == pytest.approx(known["z"], rel=CLOSE)
    assert statistics.order is not None
    assert statistics.order.alike == known["flagged"]
    assert [one.ci_low, one.ci_high] == pytest.approx(known["interval95"], rel=CLOSE)
    assert compare(statistics, "ar")[0].standard_error == pytest.approx(known["se_segments"], rel=CLOSE)


def six_hundred_segments(given: Known, known: Known) -> None:
    assert given["a"] == "((i*37) mod 101)/10 + (3 if floor(i/130) is even else 0), i = 0..599"
    assert given["b"] == "((i*53) mod 97)/10"
    i = np.arange(600)
    first, second = i * 37 % 101 / 10 + 3 * (i // 130 % 2 == 0), i * 53 % 97 / 10
    by_blocks(first, second, known)
    assert [first_blocks(600), known["blocks"]] == known["tried"]
    means = np.array([part.mean() for part in np.split(first - second, known["tried"][0])])
    assert means.std(ddof=1) / np.sqrt(len(means)) == pytest.approx(known["se_at_12_blocks"], rel=CLOSE)
    assert known["se_at_6_blocks"] == known["se"]


def first_numbers_of_blocks(given: Known, known: Known) -> None:
    assert [first_blocks(n) for n in given["n"]] == known["first_blocks"]


def bleu_without_a_match(given: Known, known: Known) -> None:
    values = np.stack([np.array(given[name]).T for name in "xy"], axis=1).astype(np.float32)
    statistics = Statistics(Bleu(), ("x", "y"), values)
    assert list(statistics.scores) == pytest.approx([known["bleu_x"], known["bleu_y"]], rel=CLOSE)
    (one,) = compare(statistics, "jackknife-t")
    assert [-one.difference, -one.smoothed_difference, one.smoothed_error, one.p_value] == pytest.approx(
        [known[name] for name in ("d", "d_add1", "se_add1", "p")], rel=CLOSE
    )
    order = known["missing_orders_x"][0]
    assert (known["missing_orders_x"], known["missing_orders_y"]) == ([order], [])
    assert one.unmatched == f"'x' has no {order}-gram match"
    (by_exchange,) = compare(statistics, "ar")
    assert by_exchange.p_jackknife == pytest.approx(known["p_jackknife_add1"], rel=1e-6)
    assert by_exchange.p_value == pytest.approx(known["p_ar_exact"], rel=CLOSE)
    assert np.count_nonzero(values[1 + order, 1]) == known["units_with_match_of_order_4_in_y"]


def levels_of_holm(given: Known, known: Known) -> None:
    d, error, df, alpha = np.array(given["d"]), np.array(given["se"]), given["df"], given["alpha"]
    p = 2 * t_above(np.abs(d) / error, df)
    adjusted = CORRECTIONS["holm"].adjusted(p)
    level = CORRECTIONS["holm"].levels(p, adjusted, alpha)
    separated = adjusted <= alpha
    for name, found in (("p", p), ("p_holm", adjusted), ("level", level)):
        np.testing.assert_allclose(found, known[name], rtol=CLOSE)
    assert separated.tolist() == known["separated"]
    ends = adjusted_ends(d, t_critical(level / 2, df) * error, separated, level)
    np.testing.assert_allclose(np.transpose([ends.low, ends.high]), known["interval"], rtol=CLOSE)
    for name, share in (("interval95", alpha), ("all_together", alpha / len(d))):
        half = t_critical(np.full(len(d), share / 2), df) * error
        np.testing.assert_allclose(np.transpose([d - half, d + half]), known[name], rtol=CLOSE)


def levels_of_minp(given: Known, known: Known) -> None:
    adjusted = np.array(given["p_minp"])
    assert (adjusted <= given["alpha"]).tolist() == known["separated"]
    level = CORRECTIONS["minp"].levels(np.array(given["p"]), adjusted, given["alpha"])
    np.testing.assert_allclose(level, known["level"], rtol=CLOSE)


def half_widths_of_exchanges(given: Known, known: Known) -> None:
    drawn, observed = given["abs_draws_with_the_observed"], given["observed"]
    assert np.mean(np.array(drawn) >= observed) == pytest.approx(known["p"])
    drawn.remove(observed)  # the program adds it itself
    for level, width in zip(given["levels"], known["half_width"], strict=True):
        tails = Tails.of(np.array([drawn]), np.array([observed]), "two-sided", False, level)
        assert tails.reached_by(np.array([level])).tolist() == [float(str(width).replace("infinite", "inf"))]


def factors_of_pilots(given: Known, known: Known) -> None:
    assert given["columns"].startswith("df, comparisons, lambda, c ; tail .025/comparisons, power .8")
    for df, comparisons, shift, factor in known["rows"]:
        tail = 0.025 / comparisons
        assert [noncentral(df, tail, 0.8), pilot_factor(df, df, tail, 0.8)] == pytest.approx([shift, factor], rel=CLOSE)


def needed_documents(given: Known, known: Known) -> None:
    assert given["cases"] == "se, df, K, delta, comparisons"
    asked = [(se, df, k, delta, 0.025 / m, 0.8, True) for se, df, k, delta, m in given["rows"]]
    assert [smallest_units(*one, one[1]) for one in asked] == known["needed"]
    assert [smallest_units(*one) for one in asked] == known["without_the_factor"]


def detectable(given: Known, known: Known) -> None:
    error, df, comparisons = given["se"], given["df"], given["comparisons"]
    tail = 0.025 / comparisons
    assert noncentral(df, tail, 0.8) == pytest.approx(known["lambda"], rel=CLOSE)
    assert own_factor(df, tail, 0.8) == pytest.approx(known["c"], rel=1e-6)  # between few that are worked out
    found = detectable_difference(error, comparisons=comparisons, df=df)
    assert found == pytest.approx(known["difference"], rel=1e-6)


def in_how_many_sets(given: Known, known: Known) -> None:
    p, pairs, alpha = np.array(given["one_sided_p"]), given["pairs"], given["alpha"]
    level, sets = alpha / (2 * pairs), p.shape[1]
    assert level == pytest.approx(known["level"], rel=CLOSE)
    found = [replicability(("A", "B"), sets, row, level, pairs=pairs) for row in p]
    np.testing.assert_allclose([one.p_values for one in found], known["partial_conjunction_p"], rtol=CLOSE)
    assert [one.least for one in found] == known["sets"]
    # What a pair alone would be told, at half of alpha.
    assert [replicability(("A", "B"), sets, row, alpha / 2).least for row in p] == known["sets_today"]
    withheld = known["first_pair_with_its_first_set_withheld"]
    held = np.where(np.array(withheld["p"]) == 1, np.nan, withheld["p"])
    assert replicability(("A", "B"), sets, held, level, pairs=pairs).least == withheld["sets"]


def heaviest_document(given: Known, known: Known) -> None:
    share, at = heaviest_share(np.array(given["contributions"]))
    assert (share, at) == (pytest.approx(known["share"], rel=CLOSE), known["document"])
    assert (share >= 0.5) == known["flagged_at_half"]


CHECKS: dict[str, Callable[[Known, Known], None]] = {
    "A_neighbours_small": neighbours_of_all_orders,
    "A_blocks_60": sixty_segments,
    "A_blocks_600": six_hundred_segments,
    "A_block_counts": first_numbers_of_blocks,
    "B_fallback_bleu": bleu_without_a_match,
    "C_verdict_level_holm": levels_of_holm,
    "C_verdict_level_minp": levels_of_minp,
    "C_swap_half_width": half_widths_of_exchanges,
    "D_factor": factors_of_pilots,
    "D_needed": needed_documents,
    "D_detectable": detectable,
    "E_sets": in_how_many_sets,
    "F_share": heaviest_document,
}
ANOTHER_DESIGN = {"G_samples", "G_unequal", "H_ratings"}
"""Several outputs per segment (tests/inference/test_samples.py), few ratings (tests/campaign/test_few.py)."""


def answers() -> dict[str, Known]:
    return known_answers("verdicts")


def test_every_known_answer_has_a_check() -> None:
    assert set(answers()) == CHECKS.keys() | ANOTHER_DESIGN


@pytest.mark.parametrize("key", CHECKS)
def test_known_answers(key: str) -> None:
    block = answers()[key]
    CHECKS[key](block["inputs"], block["outputs"])
