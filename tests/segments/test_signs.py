"""Numbers on cards have minus signs that are ones, and no zero below zero."""

import numpy as np

from mtsig import Corpus, Rating
from mtsig.segments import card


def test_scores_on_cards_have_true_minus_signs_and_no_minus_zero() -> None:
    rating = Rating(np.array([[-4.667, -0.01], [-0.04, -1.0]]), higher_is_better=True)
    corpus = Corpus.of({"A": None, "B": None}, ratings={"mqm": rating})
    shown = card(corpus, 0, scores=(-4.667, -0.04), contribution=-0.000001)
    assert "<b>−4.7</b>" in shown
    assert "<b>0.0</b>" in shown
    # Of what a segment adds the side is the point, however little it is.
    assert "<b>−0.0000</b>" in shown
    assert "-4" not in shown
    assert "-0" not in shown
