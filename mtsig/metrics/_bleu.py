"""BLEU (Papineni et al. 2002) as sacreBLEU defines it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.bleu import BLEU

from mtsig._downloads import advice_on_model, check_tokenizer
from mtsig.corpus import Corpus, FloatArray, Note
from mtsig.errors import NotApplicable
from mtsig.metrics._metric import Metric
from mtsig.metrics._statistics import Statistics
from mtsig.metrics._tokenizing import AUTO, Tokenizing, made, sacre_signature, texts
from mtsig.options import option
from mtsig.progress import report
from mtsig.text import tokenized
from mtsig.text._ngrams import Rows, matches, word_rows
from mtsig.text._tokens import Integers, Lines, Stream, chunks

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
        False, "Effective order", "Omit orders longer than the text; useful for single sentences.", advanced=True
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
        check_tokenizer(self.tokenize)
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
            raise NotApplicable(f"{error}{advice_on_model(self.tokenize)}") from None

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
            "The output is about as long as the reference, where the brevity penalty changes slope: "
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
        text = f"More than 0.1% of resamples lack matches of some n-gram order: {', '.join(bare)}."
        if self.smooth_method == "none":
            raise NotApplicable(f"{text} Without smoothing, these would score 0. Use smooth_method=exp.")
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
