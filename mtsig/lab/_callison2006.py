"""Callison-Burch, Osborne and Koehn 2006 (CB06) made again: what BLEU cannot see, and seven systems' correlation."""

from collections.abc import Sequence
from concurrent.futures import Executor
from itertools import combinations
from math import factorial
from typing import Any

import numpy as np
import scipy

from mtsig.lab._blind_spots import ORDERS, OrderingCounts, Orderings, Sentence, SentenceVariants, log10_factorial
from mtsig.lab._exhibit import Evidence, Exhibit, all_agree, compared
from mtsig.lab._experiments import run
from mtsig.lab._material import Material
from mtsig.metrics import Bleu
from mtsig.progress import part

_WORDS, _REFERENCE = 18, 18
_EXAMPLE, _CASED, _REDRAWN = (15, 10, 5, 3), (14, 9, 5, 3), (15, 10, 5, 3)
"""Lengths and matches of the example of table 1, lowercased and cased, and of the 17 words of section 3.2."""

_FOUR_GRAMS = 5
"""The row of matched 4-grams among BLEU's statistics."""

_CORRELATIONS = (
    ("adequacy", 0.14, 7), ("adequacy, without the outlier", 0.87, 6), ("fluency", 0.002, 7),
    ("fluency, without the outlier", 0.742, 6),
)  # fmt: skip
"""Section 4: what, printed R², systems."""


def make(evidence: Evidence, executor: Executor | None) -> Sequence[Exhibit]:
    """Make tables 1, 2 and 4 and figure 1, and read the correlations of section 4 again."""
    with part(0.0, 0.2):
        result = run(Sentence(), evidence.text)
    with part(0.2, 0.6):
        orderings = run(Orderings(), evidence.text, executor)
    exhibits = [arithmetic(), phrases(), _figure_1(orderings), _own_example(result, evidence.real)]
    if evidence.text.text.ratings:
        exhibits.append(like_counts(evidence.text))
    else:
        says = "Not made: it holds people's scores against BLEU's counts, and these data have no ratings."
        exhibits.append(Exhibit("Table 4", "The same counts, other scores by people", "shape", (), says, None))
    return (*exhibits, correlations(), advice())


def arithmetic() -> Exhibit:
    """Return table 1's precisions and scores, from its counts."""
    rows = [
        compared({"what": f"{order}-gram precision"}, printed, matched / (_WORDS - order + 1), 2)
        for order, (printed, matched) in enumerate(zip((0.83, 0.59, 0.31, 0.20), _EXAMPLE, strict=True), 1)
    ]
    score = {"lower": _bleu(_WORDS, _EXAMPLE), "cased": _bleu(_WORDS, _CASED), "redrawn": _bleu(17, _REDRAWN)}
    says = (
        f"Lowercased the example scores {score['lower']:.2f}, cased {score['cased']:.2f}. The printed example of "
        f"section 3.2, said to have the same counts, has 17 tokens and scores {score['redrawn']:.2f}."
    )
    return Exhibit("Table 1", "N-gram precisions of the example", "exact", tuple(rows), says, all_agree(rows))


def _bleu(length: int, matched: tuple[int, ...]) -> float:
    totals = [length, _REFERENCE, *matched, *(length - order for order in range(4))]
    return float(Bleu().score(np.array(totals, dtype=np.float64)))


def phrases() -> Exhibit:
    """Return the numbers of orders that section 3.1 names."""
    words, bigrams = _WORDS, _EXAMPLE[1]
    rows = [
        compared({"what": "orders of the example, (18 − 10)!"}, 40_320, factorial(words - bigrams), 0),
        compared({"what": "power of ten of 55!"}, 73, int(log10_factorial(55)), 0),
    ]
    says = (
        "A bigram that stands in no reference can be cut without losing a match: k words with b matched bigrams make "
        "k − b phrases."
    )
    return Exhibit("Section 3.1", "Orders that keep the score", "exact", tuple(rows), says, all_agree(rows))


def _figure_1(orderings: OrderingCounts) -> Exhibit:
    digits = orderings.digits
    correlation = float(np.corrcoef(orderings.words, digits)[0, 1])
    rows = (
        {"what": "median", "10 to the power of": float(np.median(digits))},
        {"what": "largest", "10 to the power of": float(digits.max())},
        {"what": "share above a million", "10 to the power of": float(np.mean(digits > 6))},
    )
    says = (
        f"{len(digits)} translations of {orderings.system} with {orderings.references} reference(s): 10^"
        f"{np.median(digits):.1f} orders in the median, up to 10^{digits.max():.0f}; correlation with length "
        f"{correlation:.2f}."
    )
    return Exhibit("Figure 1", "Orders by sentence length", "shape", rows, says, correlation > 0.5, orderings)


def _own_example(sentence: SentenceVariants, real: bool) -> Exhibit:
    rows = [
        {"string": kind, "how many": len(made), "fewest matches": _least(made), "sentence BLEU": _range(made)}
        for kind, made in (("orders", sentence.permuted), ("other words", sentence.redrawn))
        if made
    ]
    rows += [_reference_grams(sentence, order, real) for order in range(1, ORDERS + 1)]
    if not real:
        # The sample's text is the project's own: it may be printed.
        rows += [
            {"string": f"{v.kind}: {' '.join(v.words)}", "how many": 1}
            for v in (*sentence.permuted[:2], *sentence.redrawn[:2])
        ]
    empty = {"fewest matches": "", "sentence BLEU": ""}
    rows = [row | {key: row.get(key, text) for key, text in empty.items()} for row in rows]
    says = (
        f"Segment {sentence.segment} of {sentence.system} ({len(sentence.matched.words)} words, matches "
        f"{'/'.join(str(count) for count in sentence.matched.counts)}, sentence BLEU {sentence.bleu:.2f}): "
        f"{sentence.orderings:,} "
        f"orders, {sentence.distinct:,} of them different. Orders lose no match (new neighbours may even add one); "
        "other "
        "reference words score the same."
    )
    kept = all(v.bleu >= sentence.bleu - 1e-9 for v in sentence.permuted)
    same = all(abs(v.bleu - sentence.bleu) < 1e-9 for v in sentence.redrawn)
    title = "A sentence of these data: orders and other words with its score"
    return Exhibit("Table 2, section 3.2", title, "shape", tuple(rows), says, kept and same, sentence)


def _reference_grams(sentence: SentenceVariants, order: int, real: bool) -> dict[str, Any]:
    """Return how many of the references' n-grams the translation has, and of the sample's which: in brackets."""
    every = sentence.reference_grams(order)
    text = f"{order}-grams of the references, {sum(matched for _, matched in every)} of them matched"
    if not real:
        said = ", ".join(f"[{' '.join(gram)}]" if matched else " ".join(gram) for gram, matched in every)
        text += f" (in brackets): {said}"
    return {"string": text, "how many": len(every)}


def _least(made: Sequence[Any]) -> str:
    return "/".join(str(min(v.counts[order] for v in made)) for order in range(4))


def _range(made: Sequence[Any]) -> str:
    scores = [v.bleu for v in made]
    return f"{min(scores):.2f} to {max(scores):.2f}"


def like_counts(text: Material) -> Exhibit:
    """Return two different outputs of one segment with equal BLEU counts that people rated most differently (table 4).

    Outputs of the same words do not count: what is different about those are the people.
    """
    rows: tuple[dict[str, Any], ...] = ()
    title = "Equal counts, unequal ratings"
    name, statistics = _farthest_apart(text)
    if statistics:
        segment, *systems = statistics
        rows = tuple(
            {"system": system, "segment": text.text.numbers[segment], name: _rated(text, name, system, segment)}
            for system in systems
        )
    noise = _gap(text, name, *_farthest_apart(text, same_words=True)[1])
    says = (
        f"Two different translations of one segment with the same n-gram matches and lengths, and their {name}: BLEU "
        "cannot tell them apart, people did. It is the pair that they rated most differently of all there are"
        + (
            f"; but they rated the same words up to {noise:g} apart, too, so part of it is the raters'."
            if noise
            else "."
        )
        if rows
        else "No two different outputs of a segment have equal counts and different ratings."
    )
    return Exhibit("Table 4", title, "shape", rows, says, bool(rows))


def _farthest_apart(text: Material, same_words: bool = False) -> tuple[str, tuple[Any, ...]]:
    """Return the rating, and segment and two systems of equal counts that it holds farthest apart, () for none.

    same_words: whether their outputs are the same words, or other ones.
    """
    corpus, name = text.text, next(iter(text.text.ratings))
    statistics = next(counted for counted in text.statistics if isinstance(counted.metric, Bleu))
    farthest = 0.0
    widest: tuple[Any, ...] = ()
    for place in range(statistics.n):
        segment = place if statistics.numbers is None else int(statistics.numbers[place])
        alike: dict[tuple[float, ...], list[str]] = {}
        # Without a matched 4-gram equal counts are no wonder.
        for s in np.flatnonzero(statistics.values[_FOUR_GRAMS, :, place] > 0):
            system = statistics.systems[s]
            alike.setdefault(tuple(statistics.values[:, s, place]), []).append(system)
        for left, other in (pair for group in alike.values() for pair in combinations(group, 2)):
            gap = _gap(text, name, segment, left, other)
            # NaN is not larger than anything: what was not rated is passed over.
            alike_words = corpus.lines(left)[segment].split() == corpus.lines(other)[segment].split()
            if gap > farthest and alike_words == same_words:
                farthest, widest = gap, (segment, left, other)
    return name, widest


def _rated(text: Material, name: str, system: str, segment: int) -> float:
    return float(text.text.ratings[name].values[list(text.text.systems).index(system), segment])


def _gap(text: Material, name: str, segment: int = 0, *systems: str) -> float:
    """Return how far apart two systems' outputs of a segment are rated; 0 without systems."""
    rated = [_rated(text, name, system, segment) for system in systems]
    return abs(rated[0] - rated[1]) if rated else 0.0


def correlations() -> Exhibit:
    """Return section 4's correlations with the intervals that so few systems leave (normal theory, r > 0 taken)."""
    rows = []
    for what, squared, n in _CORRELATIONS:
        r = squared**0.5
        half = scipy.stats.norm.ppf(0.975) / np.sqrt(n - 3)
        low, high = np.tanh(np.arctanh(r) - half), np.tanh(np.arctanh(r) + half)
        p = 2 * scipy.stats.t.sf(r * np.sqrt((n - 2) / (1 - r**2)), n - 2)
        interval = f"{low:.2f} to {high:.2f}".replace("-", "−")
        rows.append(
            {
                "what": what,
                "systems": n,
                "R² printed": squared,
                "r": round(r, 3),
                "95% interval": interval,
                "p": f"{p:.3f}",
            }
        )
    says = (
        "Seven systems, one of them human-aided: r = .374 could be anything from −.53 to .88, and .933 without the "
        "outlier anything from .50 to .99. No correlation of so few systems without its interval and its leave-one-out "
        "range."
    )
    return Exhibit("Section 4, figures 2 and 3", "Correlation of BLEU with people", "theory", tuple(rows), says)


def advice() -> Exhibit:
    """Return what section 6 concludes."""
    says = (
        "BLEU is for incremental changes to one system, and for systems of the same kind. Between systems of different "
        "kinds (a rule-based one and statistical ones, figure 4) it can be wrong by any amount; three systems allow no "
        "correlation."
    )
    return Exhibit("Section 6", "When to use BLEU", "shape", (), says)
