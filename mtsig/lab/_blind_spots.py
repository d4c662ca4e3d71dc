"""What BLEU cannot see: orders of the same words, and variants of a sentence that score alike."""

from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from math import factorial, lgamma, log, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtsig._options import option, same_option
from mtsig._records import Floats
from mtsig.corpus import Corpus
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference import Settings
from mtsig.lab._material import CALLISON_BURCH, Experiment, LabResult, Material, records
from mtsig.metrics import Bleu, measure
from mtsig.progress import batches, done_in_order, report
from mtsig.resampling import Purpose
from mtsig.resampling import Words as RandomWords

Words = tuple[str, ...]
ORDERS = 4


def words_of(metric: Bleu, line: str) -> Words:
    """Return the tokens that BLEU with these options sees."""
    return tuple(metric.scorer()._preprocess_segment(line.rstrip()).split())


def grams(words: Sequence[str], order: int) -> list[Words]:
    """Return the n-grams in order of their place."""
    return [tuple(words[i : i + order]) for i in range(len(words) - order + 1)]


def allowed(references: Iterable[Sequence[str]], order: int) -> Counter[Words]:
    """Return how often each n-gram may count: its largest count in one reference."""
    counts: Counter[Words] = Counter()
    for reference in references:
        counts |= Counter(grams(reference, order))
    return counts


@dataclass(frozen=True)
class Matches:
    """Clipped matches of one hypothesis; flags has for each order n = 1…4 one flag per n-gram, in order of place.

    Where an n-gram stands more often than it may count, the first ones count. known: the same without clipping: does
    the n-gram occur in a reference at all?
    """

    words: Words
    flags: tuple[tuple[bool, ...], ...]
    known: tuple[tuple[bool, ...], ...]

    @property
    def counts(self) -> tuple[int, ...]:
        """Matched n-grams of each order."""
        return tuple(sum(flags) for flags in self.flags)

    def phrases(self) -> tuple[Words, ...]:
        """Cut the words between any two that are adjacent in no reference (Callison-Burch et al. 2006).

        Inside a phrase lies every n-gram that can match, n ≥ 2; so phrases can change places and lose no match.
        """
        starts = [place for place, joined in enumerate((False, *self.known[1])) if not joined]
        return tuple(self.words[a:b] for a, b in pairwise([*starts, len(self.words)]))

    def reach(self) -> tuple[int, ...]:
        """Return for every word the longest matched n-gram it is part of, 0 for none."""
        longest = [0] * len(self.words)
        for order, flags in enumerate(self.flags, 1):
            for place, matched in enumerate(flags):
                for word in range(place, place + order) if matched else ():
                    longest[word] = order
        return tuple(longest)


def matches(words: Sequence[str], references: Sequence[Sequence[str]]) -> Matches:
    flags, known = [], []
    for order in range(1, ORDERS + 1):
        limit = allowed(references, order)
        used: Counter[Words] = Counter()
        row = []
        for gram in grams(words, order):
            used[gram] += 1
            row.append(used[gram] <= limit[gram])
        flags.append(tuple(row))
        known.append(tuple(gram in limit for gram in grams(words, order)))
    return Matches(tuple(words), tuple(flags), tuple(known))


Counts = NDArray[np.int64]


def log10_factorial(number: int) -> float:
    """Return log10 of number!."""
    return lgamma(number + 1) / log(10)


@dataclass(frozen=True, eq=False)
class OrderingCounts(LabResult):
    """Each segment's length and orderings; arrays have shape (n,).

    numbers: which segments of the data, from 1.
    words: k. bigrams: b, how many stand in a reference. digits: log10 of (k − b)!, the orders of the k − b phrases.
    """

    system: str
    references: int
    numbers: Sequence[int]
    words: Counts
    bigrams: Counts

    @property
    def phrases(self) -> Counts:
        """How many phrases can be put in another order: k − b."""
        return self.words - self.bigrams

    @property
    def digits(self) -> Floats:
        """log10 of the number of orderings."""
        return np.array([log10_factorial(int(count)) for count in self.phrases])

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per segment."""
        return records(
            system=self.system, segment=self.numbers, words=self.words, bigram_matches=self.bigrams,
            phrases=self.phrases, log10_orderings=self.digits,
        )  # fmt: skip


@dataclass(frozen=True)
class Orderings(Experiment[OrderingCounts]):
    """Count the phrase orders of a translation that do not lower its BLEU."""

    system: str | None = None

    name = "orderings"
    at_once = True
    label = "Orders that keep the score"
    about = "In how many orders could the phrases of each translation be put without losing a matching n-gram?"
    paper = f"{CALLISON_BURCH}, section 3.1, figure 1"
    needs_text = True

    def run(self, material: Material, executor: Executor | None = None) -> OrderingCounts:
        """Count words and bigrams, with several segments per job."""
        corpus = material.text.with_references()
        metric, system = bleu_of(material), material.system(self.system)
        lines, references = corpus.lines(system), list(corpus.references.values())
        jobs = [
            [(lines[i], [line for reference in references if (line := reference[i]) is not None]) for i in numbers]
            for numbers in batches(len(corpus), 100)
        ]
        words, bigrams = np.concatenate(done_in_order(partial(_counted, metric), jobs, executor), axis=1)
        return OrderingCounts(system, len(references), corpus.numbers, words, bigrams)


def bleu_of(material: Material) -> Bleu:
    """Return the BLEU among the metrics of the material, else the default one."""
    return material.metric_of(Bleu) or Bleu().on(material.text)


def _counted(metric: Bleu, segments: list[tuple[str, list[str]]]) -> Counts:
    counts = []
    for line, references in segments:
        matched = matches(words_of(metric, line), [words_of(metric, reference) for reference in references])
        counts.append((len(matched.words), sum(matched.known[1])))
    return np.array(counts, dtype=np.int64).T


_TRIES = 4000


@dataclass(frozen=True)
class Variant:
    """A string with its matched n-grams of orders 1 to 4 and its sentence BLEU.

    order: which of the translation's phrases stands where, for those that are the same phrases in another order.
    """

    kind: str
    words: Words
    counts: tuple[int, ...]
    bleu: float
    order: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class SentenceVariants(LabResult):
    """One translation and its references, as BLEU sees them.

    matched: the matches. permuted: samples of the orders of its phrases. redrawn: other words, drawn from the
    references phrase for phrase, with the same numbers of matches. distinct: how many different strings the orders
    make: equal phrases can change places unseen.
    """

    system: str
    segment: int
    references: tuple[Words, ...]
    matched: Matches
    bleu: float
    permuted: tuple[Variant, ...]
    redrawn: tuple[Variant, ...]

    @property
    def orderings(self) -> int:
        """(k − b)!: the orders of the phrases."""
        return factorial(len(self.matched.phrases()))

    @property
    def distinct(self) -> int:
        """How many different strings they make."""
        phrases = self.matched.phrases()
        return factorial(len(phrases)) // prod(factorial(phrases.count(phrase)) for phrase in set(phrases))

    def reference_grams(self, order: int) -> tuple[tuple[Words, bool], ...]:
        """List the references' n-grams of an order, and whether they match (Callison-Burch et al. 2006, table 2)."""
        own = set(grams(self.matched.words, order))
        every = dict.fromkeys(gram for reference in self.references for gram in grams(reference, order))
        return tuple((gram, gram in own) for gram in every)

    def reference_reach(self, number: int) -> tuple[int, ...]:
        """Return for every word of a reference the longest n-gram of the translation that it is part of."""
        return matches(self.references[number], [self.matched.words]).reach()

    def summaries(self) -> dict[str, list[dict[str, Any]]]:
        """Return the references' n-grams and which of them are matched (Callison-Burch et al. 2006, table 2)."""
        tables = [
            {"order": order, "words": " ".join(gram), "matched": matched}
            for order in range(1, ORDERS + 1)
            for gram, matched in self.reference_grams(order)
        ]
        return {"Reference n-grams": tables}

    def variants(self) -> tuple[Variant, ...]:
        """Return the translation itself and everything made from it."""
        return (
            Variant("translation", self.matched.words, self.matched.counts, self.bleu),
            *self.permuted,
            *self.redrawn,
        )

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per string."""
        variants = self.variants()
        matched = {f"matched_{order}": [v.counts[order - 1] for v in variants] for order in range(1, ORDERS + 1)}
        return records(
            system=self.system, segment=self.segment, kind=[v.kind for v in variants],
            text=[" ".join(v.words) for v in variants], **matched, sentence_BLEU=[v.bleu for v in variants],
        )  # fmt: skip


@dataclass(frozen=True)
class Sentence(Experiment[SentenceVariants]):
    """What BLEU cannot see in one translation."""

    segment: int = option(
        0,
        "Segment",
        "Number from 1. With 0, a segment of medium length with matches of every n-gram order is used.",
        low=0,
    )
    samples: int = option(10, "Samples", "Number of reordered and of substituted sentences to show.", low=1, high=1000)
    seed: int = same_option(Settings, "seed")
    system: str | None = None

    name = "sentence"
    at_once = True
    label = "BLEU's blind spots in one sentence"
    about = "Which other word orders, and which other words, would have the same score as this translation?"
    paper = f"{CALLISON_BURCH}, sections 3.1 and 3.2, table 2"
    needs_text = True

    def run(self, material: Material, executor: Executor | None = None) -> SentenceVariants:
        """Take the sentence apart, and put samples together."""
        del executor  # one sentence
        corpus, metric = material.text, bleu_of(material)
        system = material.system(self.system)
        if self.segment and self.segment not in corpus.places:
            raise InvalidOption(f"Segment {self.segment} does not exist; there are {len(corpus)} segments.")
        number = corpus.places[self.segment] if self.segment else _typical(corpus, metric, system)
        references = _references(corpus, metric, number)
        if not references:
            raise NotApplicable(f"Segment {corpus.numbers[number]} has no reference.")
        report(0.2)
        matched = matches(words_of(metric, corpus.lines(system)[number]), references)
        random = RandomWords(self.seed, number, Purpose.SENTENCES)
        phrases = matched.phrases()
        places = [_order(len(phrases), random) for _ in range(self.samples)]
        orders = [_joined(phrases, order) for order in places]
        report(0.5)
        others = list(_redrawn(matched, references, random, self.samples))
        score, *scores = sentence_bleu(metric, [matched.words, *orders, *others], references)
        made = [
            Variant("order" if order else "other words", words, matches(words, references).counts, bleu, order)
            for words, bleu, order in zip([*orders, *others], scores, [*places, *[()] * len(others)], strict=True)
        ]
        permuted, redrawn = tuple(made[: len(orders)]), tuple(made[len(orders) :])
        return SentenceVariants(system, corpus.numbers[number], references, matched, score, permuted, redrawn)


def _references(corpus: Corpus, metric: Bleu, number: int) -> tuple[Words, ...]:
    lines = [reference[number] for reference in corpus.references.values()]
    return tuple(words_of(metric, line) for line in lines if line is not None)


def sentence_bleu(metric: Bleu, strings: Sequence[Words], references: Sequence[Words]) -> list[float]:
    """Return sentence BLEU of token strings against the same references."""
    lines = {str(number): (" ".join(words),) for number, words in enumerate(strings)}
    corpus = Corpus.of(lines, {f"ref{number}": (" ".join(words),) for number, words in enumerate(references)})
    plain = replace(metric, tokenize="none", lowercase=False, force=True)  # for words that are tokens already
    return [float(score) for score in measure(corpus, plain).segment_scores[:, 0]]


def _typical(corpus: Corpus, metric: Bleu, system: str) -> int:
    """Return the first segment of 12 to 25 words with a match of every order and something to permute."""
    for number, line in enumerate(corpus.lines(system)):
        words = words_of(metric, line)
        references = _references(corpus, metric, number)
        if 12 <= len(words) <= 25 and references:
            matched = matches(words, references)
            if min(matched.counts) > 0 and 4 <= len(matched.phrases()) <= 12:
                return number
    return 0


def _order(phrases: int, random: RandomWords) -> tuple[int, ...]:
    return tuple(int(place) for place in np.argsort(random.take(1, phrases)[0]))


def _joined(phrases: Sequence[Words], order: Sequence[int]) -> Words:
    return tuple(word for place in order for word in phrases[place])


def _redrawn(result: Matches, references: Sequence[Words], random: RandomWords, wanted: int) -> Sequence[Words]:
    """Return strings with the same length and counts whose matched words come from elsewhere in the references.

    About half of the translation's phrases with a match give way to a piece of a reference of the same length, and the
    phrases are shuffled; what happens to have other counts is thrown away.
    """
    kept: dict[Words, None] = {}
    phrases = result.phrases()
    known = {word for reference in references for word in reference}
    for _ in range(_TRIES):
        chosen = random.take(1, len(phrases))[0] & np.uint64(1)
        drawn = [
            _piece(references, len(phrase), random) if phrase_of and (phrase[0] in known or len(phrase) > 1) else phrase
            for phrase_of, phrase in zip(chosen, phrases, strict=True)
        ]
        words = _joined(drawn, _order(len(drawn), random))
        if sorted(words) != sorted(result.words) and matches(words, references).counts == result.counts:
            kept[words] = None
        if len(kept) == wanted:
            break
    return list(kept)


def _piece(references: Sequence[Words], length: int, random: RandomWords) -> Words:
    """Return a random run of words of a random reference that has one so long."""
    starts = [(reference, place) for reference in references for place in range(len(reference) - length + 1)]
    reference, place = starts[int(random.take(1, 1)[0, 0] % np.uint64(len(starts)))]
    return reference[place : place + length]
