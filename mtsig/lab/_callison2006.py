"""Callison-Burch, Osborne and Koehn 2006 reproduced: what BLEU cannot see, and seven systems' correlation."""

import re
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from math import factorial
from typing import Any

import numpy as np
import scipy

from mtsig.corpus._notes import listed
from mtsig.errors import NotApplicable
from mtsig.lab._blind_spots import ORDERS, OrderingCounts, Orderings, Sentence, SentenceVariants, log10_factorial
from mtsig.lab._exhibit import Evidence, Found, Paper, Step, all_agree, compared, exhibit
from mtsig.lab._experiments import run
from mtsig.lab._material import CALLISON_BURCH, Material, records
from mtsig.lab._words import law_text
from mtsig.meta_eval import RatedData, underrated
from mtsig.meta_eval._blind_spots import Underrated
from mtsig.metrics import Bleu, Statistics
from mtsig.report._meta_eval import underrated_text
from mtsig.resampling import Bootstrap

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


@exhibit("Table 1", "N-gram precisions of the example", "exact")
def arithmetic() -> Found:
    """Return table 1's precisions and scores, from its counts."""
    rows = [
        compared({"what": f"{order}-gram precision"}, printed, matched / (_WORDS - order + 1), 2)
        for order, (printed, matched) in enumerate(zip((0.83, 0.59, 0.31, 0.20), _EXAMPLE, strict=True), 1)
    ]
    score = {"lower": _bleu(_WORDS, _EXAMPLE), "cased": _bleu(_WORDS, _CASED), "redrawn": _bleu(17, _REDRAWN)}
    says = (
        f"The example scores {score['lower']:.2f} in lower case and {score['cased']:.2f} cased. The printed example of "
        f"section 3.2 should have the same counts, but has 17 tokens and scores {score['redrawn']:.2f}."
    )
    return Found(rows, says, all_agree(rows))


def _bleu(length: int, matched: tuple[int, ...]) -> float:
    totals = [length, _REFERENCE, *matched, *(length - order for order in range(4))]
    return float(Bleu().score(np.array(totals, dtype=np.float64)))


@exhibit("Section 3.1", "Orders that keep the score", "exact")
def phrases() -> Found:
    """Return the numbers of orders that section 3.1 names."""
    words, bigrams = _WORDS, _EXAMPLE[1]
    rows = [
        compared({"what": "orders of the example, (18 − 10)!"}, 40_320, factorial(words - bigrams), 0),
        compared({"what": "power of ten of 55!"}, 73, int(log10_factorial(55)), 0),
    ]
    says = (
        "If a bigram occurs in no reference, separating its two words loses no match. So k words, b of whose bigrams "
        "match, form k − b phrases."
    )
    return Found(rows, says, all_agree(rows))


@exhibit("Figure 1", "Orders by sentence length")
def _figure_1(orderings: OrderingCounts) -> Found:
    digits = orderings.digits
    correlation = float(np.corrcoef(orderings.words, digits)[0, 1])
    powers = np.array([np.median(digits), digits.max(), np.mean(digits > 6)])
    rows = records(what=("median", "largest", "share above a million"), **{"10 to the power of": powers})
    says = (
        f"{law_text(orderings)} Over {len(digits)} translations, the correlation of this power of ten with length is "
        f"{correlation:.2f}."
    )
    return Found(rows, says, correlation > 0.5, orderings)


@exhibit("Table 2, section 3.2", "A sentence of these data: orders and other words with its score")
def _own_example(found: tuple[SentenceVariants, bool]) -> Found:
    sentence, real = found
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
    says = f"{law_text(sentence)} Reordering phrases loses no match (new neighbours may even add one)."
    kept = all(v.bleu >= sentence.bleu - 1e-9 for v in sentence.permuted)
    same = all(abs(v.bleu - sentence.bleu) < 1e-9 for v in sentence.redrawn)
    return Found(rows, says, kept and same, sentence)


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


@exhibit("Table 4", "Equal counts, unequal ratings")
def like_counts(text: Material) -> Found:
    """Return two different outputs of one segment with equal BLEU counts that people rated most differently (table 4).

    Outputs of the same words do not count: what is different about those are the people.
    """
    if not text.text.ratings:
        says = "Not reproduced, because it compares human scores with BLEU's counts."
        return Found((), says, needs="human ratings of the segments")
    name, rating = next(iter(text.text.ratings.items()))
    rated = dict(zip(text.text.systems, rating.values, strict=True))
    # How far apart two outputs were rated, and which: of other words, and of the same ones.
    farthest: dict[bool, tuple[float, Sequence[dict[str, Any]]]] = {False: (0.0, ()), True: (0.0, ())}
    for segment, first, second in _alike(next(one for one in text.statistics if isinstance(one.metric, Bleu))):
        same = text.text.lines(first)[segment].split() == text.text.lines(second)[segment].split()
        gap = abs(float(rated[first][segment] - rated[second][segment]))
        # NaN is not larger than anything: what was not rated is passed over.
        if gap > farthest[same][0]:
            number = text.text.numbers[segment]
            farthest[same] = (
                gap,
                [
                    {"system": system, "segment": number, name: float(rated[system][segment])}
                    for system in (first, second)
                ],
            )
    (_, rows), (noise, _) = farthest[False], farthest[True]
    if not rows:
        return Found((), "No two different outputs of a segment have equal counts and different ratings.", False)
    says = (
        f"The table shows two translations of one segment with the same n-gram matches and lengths, and their {name}. "
        "BLEU gives them the same score, but human raters did not. Among all such pairs, this one has the largest "
        "difference in ratings"
    )
    raters = f"; but ratings of identical texts also differ by up to {noise:g}, so the raters are part of the cause"
    return Found(rows, f"{says}{raters if noise else ''}.", True)


def _alike(counted: Statistics) -> Iterator[tuple[int, str, str]]:
    """Yield segments with two systems of the same counts there; without a matched 4-gram they are no wonder."""
    numbers = range(counted.n) if counted.numbers is None else counted.numbers.tolist()
    for place, segment in enumerate(numbers):
        counts = counted.values[..., place]
        same = (counts[:, :, None] == counts[:, None, :]).all(axis=0) & (counts[_FOUR_GRAMS] > 0)
        for first, second in np.argwhere(np.triu(same, 1)).tolist():
            yield segment, counted.systems[first], counted.systems[second]


@exhibit("Section 4, figures 2 and 3", "Correlation of BLEU with human ratings", "theory")
def correlations() -> Found:
    """Return section 4's correlations with the intervals that so few systems leave (normal theory, r > 0 taken)."""
    rows = []
    for what, squared, n in _CORRELATIONS:
        r = squared**0.5
        half = scipy.stats.norm.ppf(0.975) / np.sqrt(n - 3)
        low, high = np.tanh(np.arctanh(r) - half), np.tanh(np.arctanh(r) + half)
        p = 2 * scipy.stats.t.sf(r * np.sqrt((n - 2) / (1 - r**2)), n - 2)
        interval = f"{low:.2f} to {high:.2f}".replace("-", "−")
        found = {"r": round(r, 3), "95% interval": interval, "p": f"{p:.3f}"}
        rows.append({"what": what, "systems": n, "R² printed": squared, **found})
    says = (
        "With seven systems, one of them human-aided, the 95% interval of r = .374 is −.53 to .88, and that of .933 "
        "without the outlier is .50 to .99. Always report a correlation over so few systems with its interval and its "
        "leave-one-out range."
    )
    return Found(rows, says, needs="ratings of twenty systems or more")


_SCALES = (
    (5, "all", "flawless"), (4, "most", "good"), (3, "much", "non-native"), (2, "little", "disfluent"),
    (1, "none", "incomprehensible"),
)  # fmt: skip
"""Value, how much of the meaning is expressed, how fluent the English is."""


@exhibit("Table 3", "Scales of adequacy and fluency", "exact")
def scales() -> Found:
    """Return the scales by which people rated, which table 3 prints."""
    rows = records(value=[value for value, *_ in _SCALES], adequacy=[all_ for _, all_, _ in _SCALES],
                   fluency=[english for *_, english in _SCALES])  # fmt: skip
    says = "The values have an order, but the distances between them are unknown. A mean treats all steps as equal."
    needs = "ratings of the same segments on both scales by several raters, which show how large each step is"
    return Found(rows, says, needs=needs)


_RULE_BASED = re.compile("rule.?based|rbmt|systran", re.IGNORECASE)
"""What names say of a system's type: WMT calls rule-based ones so, and whoever has such can."""


@exhibit("Figure 4, section 6", "Systems of a different type")
def _another_kind(found: Underrated) -> Found:
    rule_based = {one.system: one.flag for one in found.residuals if _RULE_BASED.search(one.system)}
    says = (
        f"{underrated_text(found)} A system is flagged if it is more than 2.5 MADs from the line and its interval "
        "excludes 0. In the paper, a rule-based system was rated higher than two statistical systems, but BLEU scored "
        "it lower. The paper therefore advises to use BLEU for changes to one system or for systems of one type. "
        "A system counts as rule-based if its name contains “rule-based”, “RBMT” or “Systran”: here, "
        f"{listed(list(rule_based)) if rule_based else 'none'}."
    )
    rows = [
        {"system": one.system, "residual": one.residual, "low": one.ci_low, "high": one.ci_high, "MADs": one.mads,
         "flag": one.flag}
        for one in sorted(found.residuals, key=lambda one: -one.residual)
    ]  # fmt: skip
    flags = rule_based.values()
    holds = True if "underrated" in flags else False if "overrated" in flags else None
    needs = "human ratings of six or more systems, one of them rule-based, such as rbmt-1 in WMT until 2014"
    return Found(rows, says, holds, found, needs=needs)


def _underrated(evidence: Evidence, _: Executor | None) -> Underrated:
    """Return whom BLEU underrates."""
    text = evidence.text
    if not text.text.ratings:
        raise NotApplicable(
            "there are no human ratings. Provide ratings of six or more systems with --ratings. One of them must be "
            "rule-based, and its name must say so, as in --sys rbmt-1=FILE."
        )
    rated = RatedData.of(text.text, f"rating:{next(iter(text.text.ratings))}", [text.first])
    return underrated(rated, text.first.metric.name, scheme=Bootstrap(1000))


PAPER = Paper(
    "callison2006",
    CALLISON_BURCH,
    (
        Step([arithmetic, phrases]),
        Step([_figure_1], lambda evidence, executor: run(Orderings(), evidence.text, executor)),
        Step([_own_example], lambda evidence, _: (run(Sentence(), evidence.text), evidence.real)),
        Step([like_counts], lambda evidence, _: evidence.text),
        Step([scales, correlations]),
        Step([_another_kind], _underrated),
    ),
)
