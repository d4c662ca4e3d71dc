"""BLEU (Papineni et al. 2002) as sacreBLEU defines it, and metrics made of its counts.

These are brevity penalty, M-BLEU, n-gram precisions and length ratio.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.bleu import BLEU

from mtsig._downloads import LEARNED, advice_on_model, check_tokenizer
from mtsig._options import option, same_option
from mtsig._records import FloatArray
from mtsig.corpus import Corpus, Note
from mtsig.errors import NotApplicable
from mtsig.metrics._counting import AUTO, Tokenizing, made, sacre_signature, texts
from mtsig.metrics._metric import Metric
from mtsig.metrics._statistics import Statistics
from mtsig.progress import report
from mtsig.text import tokenized
from mtsig.text._tokens import Integers, Lines, Rows, Stream, chunks, matches, word_rows

_BARE = 0.001
"""Share of resamples without some n-gram order above which a user is told (docs/statistics/metrics.md, section 1)."""

_SMOOTHINGS = ("exp", "floor", "add-k", "none")


@dataclass(frozen=True)
class Bleu(Tokenizing):
    """Brevity penalty times the geometric mean of n-gram precisions, times 100.

    Statistics: hypothesis length, effective reference length, then for n = 1…N the matched n-grams, then for n = 1…N
    the hypothesis n-grams (sacreBLEU's order). With several references, the effective length of a segment is the
    closest reference length; of two equally close lengths it is the shorter.
    """

    smooth_method: str = option(
        "exp", "Smoothing", "How a precision is computed when no n-gram matches.", choices=_SMOOTHINGS, advanced=True
    )
    smooth_value: float | None = option(
        None, "Smoothing value", "Value for floor (default: 0.1) and add-k (default: 1).", low=0, advanced=True
    )
    max_ngram_order: int = option(4, "Longest n-gram", "Largest n in the precisions.", low=1, high=10, advanced=True)
    effective_order: bool = option(
        False, "Effective order", "Omit n-gram orders longer than the text; useful for single sentences.", advanced=True
    )
    force: bool = option(False, "Tokenized on purpose", "Do not warn about text that looks tokenized.", advanced=True)

    by_sacrebleu = True
    widest = 100.0
    in_blocks = True
    common = True
    cites = ("papineni-etal-2002-bleu",)
    name = "BLEU"

    @property
    def expects_plain_text(self) -> bool:
        """Whether a warning is due if text is already tokenized."""
        return not self.force

    def scorer(self, **extra: Any) -> Any:
        """Return sacreBLEU's own metric object with the same options.

        Raises
        ------
        NotApplicable
            The package or model of a tokenizer is missing; nothing is downloaded.
        """
        learned = self.tokenize if self.tokenize in LEARNED else None
        if learned is not None:
            check_tokenizer(learned)
        try:
            return made(
                BLEU,
                lowercase=self.lowercase,
                force=True,  # the warning is given as a note of the statistics instead of a line in a log
                tokenize=None if self.tokenize == AUTO else self.tokenize,
                smooth_method=self.smooth_method,
                smooth_value=self.smooth_value,
                max_ngram_order=self.max_ngram_order,
                effective_order=self.effective_order,
                trg_lang=self.trg_lang,
                **extra,
            )
        except NotApplicable as error:
            raise NotApplicable(f"{error}{advice_on_model(learned) if learned is not None else ''}") from None

    def count(self, corpus: Corpus) -> FloatArray:
        """Count words as sacreBLEU's tokenizer splits them, and their n-grams."""
        return count_bleu(*texts(corpus), self.on(corpus).scorer().tokenizer, self.max_ngram_order, self.lowercase)

    def counting_options(self, corpus: Corpus) -> Mapping[str, object] | None:
        """Return the tokenization and the largest n-gram order."""
        tokenizer = self.on(corpus).scorer().tokenizer.signature()
        return {"bleu": tokenizer, "lowercase": self.lowercase, "order": self.max_ngram_order}

    def signature(self, corpus: Corpus) -> str:
        """Return sacreBLEU's signature, with this program's version."""
        return sacre_signature(self.on(corpus).scorer(), corpus)

    def _parts(self, totals: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return hypothesis length, reference length, matches (N, …) and totals (N, …), add-k already added."""
        order = self.max_ngram_order
        totals = np.asarray(totals, dtype=np.float64)
        matches, ngrams = totals[2 : 2 + order], totals[2 + order :]
        if self.smooth_method == "add-k":
            extra = np.zeros((order,) + (1,) * (totals.ndim - 1))
            extra[1:] = self._smooth_value
            matches, ngrams = matches + extra, ngrams + extra
        return totals[0], totals[1], matches, ngrams

    @property
    def _smooth_value(self) -> float:
        default = BLEU.SMOOTH_DEFAULTS[self.smooth_method]
        return float(default or 0.0) if self.smooth_value is None else self.smooth_value

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return BLEU of totals (k, …), in 0…100."""
        length, reference, matches, ngrams = self._parts(totals)
        matched = reduce(np.multiply, matches)
        with np.errstate(divide="ignore", invalid="ignore"):
            # One logarithm for all orders; the product of N counts stays far below the largest float.
            mean = np.asarray(np.log(matched / reduce(np.multiply, ngrams)) / self.max_ngram_order)
            penalty = np.minimum(1.0 - reference / length, 0.0)
        bare = np.asarray(matched <= 0)
        if bare.any():
            # Only where a count is 0: a draw's score must not depend on the other draws of its block, to the last bit.
            mean[bare] = self._smoothed_mean(matches[:, bare], ngrams[:, bare])
        score = np.asarray(100.0 * np.exp(mean + penalty))
        if bare.any() or self.smooth_method == "add-k":
            # No match at all is 0 whatever the smoothing; add-k has already lifted the orders above the first.
            score[~np.any(np.asarray(totals)[2 : 2 + self.max_ngram_order] > 0, axis=0)] = 0.0
        return score

    def _smoothed_mean(self, matches: FloatArray, ngrams: FloatArray) -> NDArray[np.float64]:
        """Return the mean log precision where some count is 0, as sacreBLEU smooths it (Chen and Cherry 2014)."""
        shape = matches.shape[1:]
        sum_of_logs, used, halvings = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        reached = np.ones(shape, dtype=bool)
        with np.errstate(divide="ignore", invalid="ignore"):
            for matched, total in zip(matches, ngrams, strict=True):
                reached = reached & (total > 0)
                zero = matched == 0
                if self.smooth_method == "exp":
                    halvings = halvings + (zero & reached)
                    matched = np.where(zero, 0.5**halvings, matched)
                elif self.smooth_method == "floor":
                    matched = np.where(zero, self._smooth_value, matched)
                sum_of_logs = sum_of_logs + np.where(reached, np.log(matched / np.where(reached, total, 1)), 0.0)
                used = used + reached
            if self.effective_order:
                return np.where(used > 0, sum_of_logs / np.maximum(used, 1), -np.inf)
            return np.where(used == self.max_ngram_order, sum_of_logs / self.max_ngram_order, -np.inf)

    def segment_score(self, values: FloatArray) -> NDArray[np.float64]:
        """Return sentence BLEU with effective order, as in sacreBLEU."""
        return replace(self, effective_order=True).score(values)

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return BLEU's derivative by each total; NaN if an order has no match.

        See docs/statistics/intervals.md, section 1. At equal lengths the penalty is treated as inactive: the derivative
        is that for longer outputs.
        """
        length, reference, matches, ngrams = self._parts(totals)
        score = self.score(totals)
        counted = ngrams > 0 if self.effective_order else np.ones_like(ngrams, dtype=bool)
        orders = np.maximum(counted.sum(axis=0), 1)
        slope = np.zeros((2 + 2 * self.max_ngram_order, *score.shape))
        with np.errstate(divide="ignore", invalid="ignore"):
            slope[2 : 2 + self.max_ngram_order] = np.where(counted, score / (orders * matches), 0.0)
            slope[2 + self.max_ngram_order :] = np.where(counted, -score / (orders * ngrams), 0.0)
            shorter = length < reference
            slope[0] = np.where(shorter, score * reference / length**2, 0.0)
            slope[1] = np.where(shorter, -score / length, 0.0)
        undefined = np.any(counted & (matches == 0), axis=0) | (length == 0)
        return np.where(undefined, np.nan, slope)

    @property
    def matches(self) -> tuple[str, ...]:
        """Names of the n-gram orders."""
        return tuple(f"{order}-gram" for order in range(1, self.max_ngram_order + 1))

    def matched(self, totals: FloatArray) -> NDArray[np.bool_]:
        """Return which orders have at least one match."""
        return np.asarray(np.asarray(totals)[2 : 2 + self.max_ngram_order] > 0)

    @property
    def smoothed(self) -> Metric:
        """BLEU with 1 added to every order above the first (Lin and Och 2004)."""
        return replace(self, smooth_method="add-k", smooth_value=1.0)

    def caveats(self, statistics: Statistics) -> tuple[Note, ...]:
        """Return notes on the brevity penalty, and on missing n-gram matches.

        Raises
        ------
        NotApplicable
            Without smoothing, too many resamples would have a score of 0.
        """
        return (*self.kinks(statistics), *self._bare_resamples(statistics))

    def kinks(self, statistics: Statistics) -> tuple[Note, ...]:
        """Return a note for outputs about as long as the reference."""
        n = statistics.n
        if n < 2:
            return ()
        excess = statistics.values[0].astype(np.float64) - statistics.values[1]
        spread = np.sqrt(n) * excess.std(axis=-1, ddof=1)
        at_kink = dict(zip(statistics.systems, np.abs(excess.sum(axis=-1)) < 2 * spread, strict=True))
        near = [name for name in statistics.best_first if at_kink[name]]
        if not near:
            return ()
        theirs = "Its interval" if len(near) == 1 else "Their intervals"
        text = (
            "The output is about as long as the reference, where the slope of the brevity penalty changes: "
            f"{', '.join(near)}. {theirs} may be inaccurate; percentile intervals are not affected."
        )
        whose = near[0] if len(near) == 1 else f"{len(near)} systems"
        return (Note("note", text, systems=tuple(near), headline=f"{whose} at the brevity penalty"),)

    def _bare_resamples(self, statistics: Statistics) -> tuple[Note, ...]:
        matches = statistics.values[2 : 2 + self.max_ngram_order]
        # A resample has no match of an order when it misses every unit that has one: (1 − share)^n.
        share = (matches > 0).mean(axis=-1).min(axis=0)
        odds = (1.0 - share) ** statistics.n
        bare = [name for name, chance in zip(statistics.systems, odds, strict=True) if chance > _BARE]
        if not bare:
            return ()
        text = f"More than 0.1% of resamples have no match of some n-gram order: {', '.join(bare)}."
        if self.smooth_method == "none":
            raise NotApplicable(f"{text} Without smoothing, these resamples would score 0. Use smooth_method=exp.")
        said = f"{text} Their intervals depend on the smoothing."
        return (Note("note", said, systems=tuple(bare), headline="Intervals depend on smoothing"),)


def count_bleu(
    outputs: Sequence[Lines],
    references: Sequence[Stream],
    tokenizer: Callable[[str], str],
    order: int = 4,
    lowercase: bool = False,
) -> NDArray[np.float64]:
    """Count words and their n-grams, and return shape (2 + 2 · order, s, n).

    Rows: hypothesis length, length of the closest reference (the shorter of two equally close), matches for n = 1 …
    order, hypothesis n-grams for n = 1 … order.
    """
    n = len(outputs[0])
    counts = np.empty((2 + 2 * order, len(outputs), n))
    for chunk in chunks(outputs, references):
        if lowercase:
            chunk = chunk.mapped(str.lower)
        hypotheses, *streams = word_rows(chunk, lambda lines: tokenized(lines, tokenizer))
        lengths = [hypotheses.lengths, closest_lengths(hypotheses, streams, len(chunk))]
        matched = matches(hypotheses, streams, len(chunk), order, together=True)[:, 0]
        totals = np.concatenate([lengths, matched, hypotheses.ngrams(order)])
        counts[:, :, chunk.start : chunk.stop] = totals[:, chunk.places]
        report(chunk.stop / n)
    return counts


def closest_lengths(hypotheses: Rows, references: Sequence[Rows], n_segments: int) -> Integers:
    """Return for each hypothesis the length of the reference nearest to it in length; of two, the shorter one."""
    best = np.zeros(len(hypotheses.lengths), dtype=np.intp)
    nearest = np.full(len(best), np.iinfo(np.intp).max)
    for rows in references:
        lengths = np.full(n_segments, -1)
        lengths[rows.segments] = rows.lengths
        length = lengths[hypotheses.segments]
        distance = np.abs(length - hypotheses.lengths)
        better = (length >= 0) & ((distance < nearest) | ((distance == nearest) & (length < best)))
        best[better], nearest[better] = length[better], distance[better]
    return best


def token_signature(bleu: Bleu, corpus: Corpus, own: Sequence[str] = ()) -> str:
    """Return BLEU's signature but for its smoothing: references, case, tokenizer, `own`, and both versions."""
    return sacre_signature(bleu.on(corpus).scorer(), corpus, ("eff", "smooth"), own)


@dataclass(frozen=True)
class OfBleu(Tokenizing):
    """A metric with BLEU's statistics: lengths of hypothesis and reference, matched n-grams, hypothesis n-grams."""

    force: bool = same_option(Bleu, "force")

    by_sacrebleu = True
    in_blocks = True

    @property
    def orders(self) -> int:
        """The longest n-gram that is counted; BLEU's own unless more is needed, so that the two can share counts."""
        return 4

    @property
    def whole(self) -> Bleu:
        """BLEU on the same counts."""
        return Bleu(
            tokenize=self.tokenize,
            lowercase=self.lowercase,
            max_ngram_order=self.orders,
            trg_lang=self.trg_lang,
            force=self.force,
        )

    @property
    def expects_plain_text(self) -> bool:
        """Whether a warning is due if text is already tokenized."""
        return not self.force

    def count(self, corpus: Corpus) -> FloatArray:
        return self.whole.count(corpus)

    def counting_options(self, corpus: Corpus) -> Mapping[str, object] | None:
        """Return BLEU's: what was counted for the one is there for the other."""
        return self.whole.counting_options(corpus)

    def signature(self, corpus: Corpus) -> str:
        """Return BLEU's signature, without the smoothing that is not used here, behind the name of the part."""
        return f"part:{self.name}|{token_signature(self.whole, corpus)}"


def penalty(length: FloatArray, reference: FloatArray) -> NDArray[np.float64]:
    """Return BLEU's brevity penalty exp(min(0, 1 − r/c)) in 0…1 (Papineni et al. 2002); 0 for an empty output."""
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = np.exp(np.minimum(1.0 - reference / length, 0.0))
    return np.asarray(np.where(length > 0, factor, np.where(reference > 0, 0.0, 1.0)))


def slopes(length: FloatArray, reference: FloatArray, score: FloatArray) -> NDArray[np.float64]:
    """Return the derivatives by both lengths, shape (2, …), from the longer side at equal ones; NaN for no output."""
    filled = np.where(length > 0, length, np.nan)
    shorter = ~(length >= reference)
    return np.stack([
        np.where(shorter, score * reference / filled**2, 0.0),
        np.where(shorter, -score / filled, 0.0),
    ])  # fmt: skip


@dataclass(frozen=True)
class BrevityPenalty(OfBleu):
    """BLEU's brevity penalty, times 100: 100 for outputs no shorter than the reference.

    Statistics: those of BLEU. The penalty is what BLEU subtracts for short outputs. It does not measure quality, so no
    system is called better by it. Its slope changes at equal lengths, where jackknife intervals can be inaccurate.
    """

    is_quality_metric = False
    cites = ("papineni-etal-2002-bleu",)
    name = "brevity penalty"

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the penalty of totals (k, …), in 0…100."""
        length, reference = np.asarray(totals[:2], dtype=np.float64)
        return 100 * penalty(length, reference)

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the derivative by each total; 0 except for the two lengths."""
        length, reference = np.asarray(totals[:2], dtype=np.float64)
        slope = np.zeros(np.shape(totals))
        slope[:2] = slopes(length, reference, self.score(totals))
        return slope

    def caveats(self, statistics: Statistics) -> tuple[Note, ...]:
        """Return a note for systems near equal lengths."""
        return self.whole.kinks(statistics)


@dataclass(frozen=True)
class MBleu(OfBleu):
    """Brevity penalty times the arithmetic mean of n-gram precisions, times 100.

    Statistics: those of BLEU. The weights are 1/N. An order without matches counts as 0, without smoothing. The score
    is at least that of unsmoothed BLEU on the same counts (arithmetic against geometric mean).
    """

    max_ngram_order: int = same_option(Bleu, "max_ngram_order")

    by_sacrebleu = False
    cites = ("zhang-vogel-2004-measuring",)
    name = "M-BLEU"

    @property
    def orders(self) -> int:
        """The longest n-gram."""
        return self.max_ngram_order

    def _parts(self, totals: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return hypothesis length, reference length, matches (N, …) and hypothesis n-grams (N, …)."""
        totals = np.asarray(totals, dtype=np.float64)
        return totals[0], totals[1], totals[2 : 2 + self.orders], totals[2 + self.orders :]

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return M-BLEU of totals (k, …), in 0…100; an order without n-grams counts as 0."""
        length, reference, matches, ngrams = self._parts(totals)
        precisions = matches / np.where(ngrams > 0, ngrams, 1.0)
        # Added order by order: numpy's own sum may take another order for another shape, and so other last bits.
        mean = sum(precisions[1:], start=precisions[0]) / self.orders
        return np.asarray(100 * penalty(length, reference) * mean)

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the derivative by each total; NaN if an order has no n-grams."""
        length, reference, matches, ngrams = self._parts(totals)
        score = self.score(totals)
        factor = 100 * penalty(length, reference) / self.orders
        ngrams = np.where(ngrams > 0, ngrams, np.nan)
        slope = np.empty(np.shape(totals))
        slope[:2] = slopes(length, reference, score)
        slope[2 : 2 + self.orders] = factor / ngrams
        slope[2 + self.orders :] = -factor * matches / ngrams**2
        return slope

    @property
    def matches(self) -> tuple[str, ...]:
        """Names of the n-gram orders."""
        return self.whole.matches

    def matched(self, totals: FloatArray) -> NDArray[np.bool_]:
        return self.whole.matched(totals)

    def caveats(self, statistics: Statistics) -> tuple[Note, ...]:
        """Return a note for systems at which the brevity penalty changes slope."""
        return self.whole.kinks(statistics)


@dataclass(frozen=True)
class Precision(OfBleu):
    """Matched n-grams of one order per hypothesis n-gram, times 100, without smoothing.

    Statistics: those of BLEU. A precision ignores omissions: read it together with the length ratio.
    """

    order: int = option(1, "n-gram order", "Which of BLEU's precisions: 1 for words, 4 for 4-grams.", low=1, high=10)

    cites = ("papineni-etal-2002-bleu",)

    @property
    def name(self) -> str:
        """The precision's name, such as 4-gram precision."""
        return f"{self.order}-gram precision"

    @property
    def orders(self) -> int:
        """The largest n-gram order: that of BLEU, or of this precision if larger."""
        return max(4, self.order)

    def _rows(self) -> tuple[int, int]:
        """Return the positions of the matches and of the hypothesis n-grams of this order."""
        return 1 + self.order, 1 + self.orders + self.order

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the precision of totals (k, …), in 0…100; 0 where there is no n-gram."""
        matches, ngrams = (np.asarray(totals[row], dtype=np.float64) for row in self._rows())
        return np.asarray(100 * matches / np.where(ngrams > 0, ngrams, 1.0))

    @property
    def matches(self) -> tuple[str, ...]:
        """Name of the n-gram order."""
        return (f"{self.order}-gram",)

    def matched(self, totals: FloatArray) -> NDArray[np.bool_]:
        """Return whether there is any match."""
        return np.asarray(np.asarray(totals)[list(self._rows()[:1])] > 0)

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the derivative by each total; NaN where there is no n-gram."""
        above, below = self._rows()
        ngrams = np.where(totals[below] > 0, np.asarray(totals[below], dtype=np.float64), np.nan)
        slope = np.zeros(np.shape(totals))
        slope[above], slope[below] = 100 / ngrams, -100 * totals[above] / ngrams**2
        return slope


_WHICH_WAY = "No length ratio is better. A positive difference means that the first system's output is longer."


@dataclass(frozen=True)
class LengthRatio(OfBleu):
    """Hypothesis tokens per reference token, times 100.

    Statistics: those of BLEU; with several references, each segment uses the closest length. A positive difference
    means that the first system is longer. This is neither better nor worse, so no system is called better.
    """

    is_quality_metric = False
    name = "length ratio"

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the ratio of totals (k, …) in percent; 0 where the references are empty, as sacreBLEU has it."""
        length, reference = np.asarray(totals[:2], dtype=np.float64)
        some = reference > 0
        return np.asarray(100 * np.where(some, length / np.where(some, reference, 1.0), 0.0))

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the derivative by each total; NaN where the references are empty."""
        length, reference = np.asarray(totals[:2], dtype=np.float64)
        reference = np.where(reference > 0, reference, np.nan)
        slope = np.zeros(np.shape(totals))
        slope[:2] = 100 * np.stack([1 / reference, -length / reference**2])
        return slope

    def caveats(self, statistics: Statistics) -> tuple[Note, ...]:
        """Return what the sign of a difference means."""
        del statistics
        return (Note("note", _WHICH_WAY),)
