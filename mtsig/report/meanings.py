"""What a difference of a metric means to people: in a sentence and in tables."""

from collections.abc import Sequence

from mtsig.corpus import number_of
from mtsig.inference import level_text
from mtsig.meta_eval import Curve, Meant
from mtsig.report.table import Column, Table, known

SHARES = (0.8, 0.9, 0.95)
"""How often people shall agree: the shares for which the difference that it takes is given."""


def meaning_text(curve: Curve, difference: float) -> str:
    """Return what people make of a difference, on these systems and segments, in sentences.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.report import meaning_text
    >>> from mtsig.resampling import Bootstrap
    >>> from mtsig.meta_eval import RatedData, delta_accuracy
    >>> rng = np.random.default_rng(1)
    >>> people = np.arange(5)[:, None] + rng.normal(size=(5, 40))
    >>> scores = {"esa": people, "near": people + rng.normal(size=(5, 40)), "far": rng.normal(size=(5, 40))}
    >>> ratings = {name: mtsig.Rating(values, higher_is_better=True) for name, values in scores.items()}
    >>> corpus = mtsig.Corpus.of(dict.fromkeys("ABCDE"), ratings=ratings)
    >>> judged = RatedData.of(corpus, "rating:esa", ["rating:near", "rating:far"])
    >>> curve = delta_accuracy(judged, "near", scheme=Bootstrap(100))
    >>> print(meaning_text(curve, 1.0))  # doctest: +NORMALIZE_WHITESPACE
    A difference of 1 near: people preferred the higher-scored system in 100% of such pairs, on these systems and
    segments. 1 pair speaks for this, give or take a fifth of the difference.
    """
    meant = curve.at(difference)
    lead = f"A difference of {difference:g} {curve.metric}: "
    if not meant.pairs and difference < curve.differences[0]:
        return f"{lead}no pair of these systems differs by so little; nothing is known of it here."
    band = (
        ""
        if meant.ci_low != meant.ci_low
        else f" ({level_text(curve.level)} band {meant.ci_low:.0%} to {meant.ci_high:.0%})"
    )
    speak = "speaks" if meant.pairs == 1 else "speak"
    return (
        f"{lead}people preferred the higher-scored system in {meant.share:.0%} of such pairs{band}, on these systems "
        f"and segments. {number_of(meant.pairs, 'pair')} {speak} for this, give or take a fifth of the difference."
    )


def meant_table(meant: Sequence[Meant]) -> Table:
    """Return a row for every metric and difference that was asked for."""
    return Table.of(
        "How often people see the same order where a metric's scores differ by so much, on these systems and segments. "
        "It is no probability that a difference is real: that is what tests are for.",
        (Column("metric"), [row.metric for row in meant]),
        (Column("difference", "number"), [row.difference for row in meant]),
        (Column("people agree", "share"), [row.share for row in meant]),
        (Column("band from", "share"), [known(row.ci_low) for row in meant]),
        (Column("band to", "share"), [known(row.ci_high) for row in meant]),
        (Column("pairs near it", "count"), [row.pairs for row in meant]),
        name="meant",
    )


def needed_table(curves: Sequence[Curve]) -> Table:
    """Return from which difference on people agree so often, by the curve and by the lower end of its band.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.report import needed_table
    >>> from mtsig.resampling import Bootstrap
    >>> from mtsig.meta_eval import RatedData, delta_accuracy
    >>> rng = np.random.default_rng(1)
    >>> people = np.arange(5)[:, None] + rng.normal(size=(5, 40))
    >>> scores = {"esa": people, "near": people + rng.normal(size=(5, 40)), "far": rng.normal(size=(5, 40))}
    >>> ratings = {name: mtsig.Rating(values, higher_is_better=True) for name, values in scores.items()}
    >>> corpus = mtsig.Corpus.of(dict.fromkeys("ABCDE"), ratings=ratings)
    >>> judged = RatedData.of(corpus, "rating:esa", ["rating:near", "rating:far"])
    >>> needed_table([delta_accuracy(judged, "near", scheme=Bootstrap(100))]).texts[0]
    ('near', '80.0%', '0.673', 'not reached', '10')
    """
    rows = [(curve, curve.needed(share)) for curve in curves for share in SHARES]
    return Table.of(
        "The smallest difference at which people agree so often, on these systems and segments.",
        (Column("metric"), [curve.metric for curve, _ in rows]),
        (Column("people agree", "share"), [need.share for _, need in rows]),
        (Column("from a difference of", "number"), [_reached(need.difference) for _, need in rows]),
        (Column("surely from", "number"), [_reached(need.sure) for _, need in rows]),
        (Column("pairs", "count"), [len(curve.differences) for curve, _ in rows]),
        name="needed",
    )


def _reached(difference: float) -> float | str:
    return "not reached" if difference != difference else difference
