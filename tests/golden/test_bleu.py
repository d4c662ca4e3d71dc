"""Standard errors, smoothing and effective lengths on tiny data, known before this program was written."""

import numpy as np
import pytest
from scipy import stats

from golden.oracles import bleu_statistics, oracle
from mtsig import Corpus, interval, measure
from mtsig.inference import compare
from mtsig.metrics import Bleu


@pytest.mark.parametrize("name", ["tiny5", "tiny6", "small12", "mid100"])
def test_influence_of_single_segments(name: str) -> None:
    known = oracle("infinitesimal_jackknife")[name]
    influence = bleu_statistics(name).influence
    assert influence[0, :5] == pytest.approx(known["u_first5"], abs=1e-6)
    assert influence.sum(axis=1) == pytest.approx([0, 0], abs=1e-9)


@pytest.mark.parametrize("name", ["tiny5", "tiny6", "small12", "mid100"])
def test_jackknife_intervals_are_t_times_the_known_errors(name: str) -> None:
    known, statistics = oracle("infinitesimal_jackknife")[name], bleu_statistics(name)
    t = stats.t.ppf(0.975, statistics.n - 1)
    singles, pair = interval(statistics, "ij"), compare(statistics, interval="ij")[0]
    one = singles["X"]
    assert (one.ci_high - one.ci_low) / (2 * t) == pytest.approx(known["se_X"], rel=1e-7)
    assert (one.ci_high + one.ci_low) / 2 == pytest.approx(oracle("datasets")[name]["bleuX"], abs=1e-9)
    assert (pair.ci_high - pair.ci_low) / (2 * t) == pytest.approx(known["se_d"], rel=1e-7)
    if "se_Y" in known:
        other = singles["Y"]
        assert (other.ci_high - other.ci_low) / (2 * t) == pytest.approx(known["se_Y"], rel=1e-7)


def test_systems_at_the_kink_of_the_brevity_penalty_are_named() -> None:
    notes = [
        note.text
        for note in interval(bleu_statistics("tiny6")).notes
        if "slope of the brevity penalty changes" in note.text
    ]
    assert len(notes) == 1
    assert "X, Y" in notes[0]


@pytest.mark.parametrize("method", ["exp", "none", "floor", "add-k"])
def test_a_missing_four_gram_under_each_smoothing(method: str) -> None:
    known = oracle("smoothing_zero4")
    found = Bleu(smooth_method=method).score(np.array(known["stats"], dtype=float))
    assert float(found) == pytest.approx(known[method], abs=1e-9)


def test_no_match_at_all_scores_zero() -> None:
    known = oracle("smoothing_zero4")
    assert float(Bleu().score(np.array(known["stats_all_zero"], dtype=float))) == known["exp_all_zero"]


@pytest.mark.parametrize("turned", [False, True])
def test_of_two_equally_close_references_the_shorter_counts(turned: bool) -> None:
    known = oracle("closest_ref_len")
    lengths = known["ref_lens"][::-1] if turned else known["ref_lens"]
    references = {f"ref{i}": [" ".join(["word"] * length)] for i, length in enumerate(lengths)}
    corpus = Corpus.of({"system": [" ".join(["word"] * known["hyp_len"])]}, references)
    length, reference = measure(corpus, Bleu(tokenize="none")).sums[:2, 0]
    assert (length, reference) == (known["hyp_len"], known["picked"])
