"""Many systems and documents against known answers: classical comparisons in blocks, ranks, intraclass correlation."""

import numpy as np
import pytest
from made import rated
from scipy import stats

from golden.oracles import oracle
from mtsig import adjust, ranks
from mtsig.errors import NotApplicable
from mtsig.inference import compare
from mtsig.inference._corrections import block_error
from mtsig.inference._dependence import dependence, intraclass_correlation
from mtsig.inference._significance import ApproximateRandomization
from mtsig.resampling import Swap


@pytest.mark.parametrize("name", ["tukey", "scheffe", "nemenyi"])
def test_classical_comparisons_in_blocks(name: str) -> None:
    family = adjust(compare(rated(oracle("westfall_young_exact")["scores"])), name)
    assert family.p_adjusted == pytest.approx(oracle("block_posthoc")[name], rel=1e-4)


def test_the_error_of_the_additive_model() -> None:
    scores = np.array(oracle("westfall_young_exact")["scores"])
    mse, df = block_error(scores)
    known = oracle("block_posthoc")
    assert (mse, df) == (pytest.approx(known["mse"], rel=1e-12), known["df"])


def test_a_comparison_that_ignores_segments_would_be_another() -> None:
    scores = np.array(oracle("westfall_young_exact")["scores"])
    wrong = stats.tukey_hsd(*scores).pvalue[np.triu_indices(4, 1)]
    assert wrong == pytest.approx(oracle("block_posthoc")["tukey_unblocked"], rel=1e-6)
    assert np.all(adjust(compare(rated(scores)), "tukey").p_adjusted < wrong)


def test_best_shares_are_those_of_all_resamples() -> None:
    known, draws = oracle("exact_rank_distribution"), 100_000
    first = np.array(known["p_rank"])[:, 0]
    ties = first.sum() - 1  # the known shares count a tie for every system in it; here it is divided
    found = ranks(adjust(compare(rated(known["scores"]), ApproximateRandomization(Swap(draws)))))
    for name, share in zip(found.systems, found.bootstrap_best_rate, strict=True):
        exact = first["ABC".index(name)]
        assert -ties <= share - exact + 4 * np.sqrt(exact * (1 - exact) / draws)
        assert share <= exact + 4 * np.sqrt(exact * (1 - exact) / draws)
    assert found.bootstrap_best_rate.sum() == pytest.approx(1)


def test_intraclass_correlation_of_six_documents() -> None:
    known = oracle("icc")
    values = np.array(known["u"])
    icc, *anova = intraclass_correlation(values.ravel(), np.repeat(np.arange(6), 5))
    assert icc == pytest.approx(known["icc"], rel=1e-5)
    assert anova == pytest.approx([known["f"], known["p"]], rel=1e-4)
    assert 1 + 4 * icc == pytest.approx(known["design_effect"], rel=1e-5)
    with pytest.raises(NotApplicable, match="6 documents cannot show"):
        dependence(rated([values.ravel()], documents=np.repeat(np.arange(6), 5)), "A")
    # Six documents are too few to report it; twelve, each of the six twice, are not.
    values = np.concatenate([values, values])
    found = dependence(rated([values.ravel()], documents=np.repeat(np.arange(12), 5)), "A")
    # The program's own design effect compares the two standard errors; by documents there are 11 degrees of freedom.
    means = values.mean(axis=1)
    assert found.error_documents == pytest.approx(stats.sem(means), rel=1e-5)
    assert found.error_segments == pytest.approx(stats.sem(values.ravel()), rel=1e-5)
    assert found.design_effect == pytest.approx((stats.sem(means) / stats.sem(values.ravel())) ** 2, rel=1e-5)
    assert found.effective_segments == pytest.approx(60 / found.design_effect)
