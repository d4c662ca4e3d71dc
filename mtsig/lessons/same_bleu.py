"""Lesson 12: the phrases of a sentence can stand in millions of orders, and BLEU sees no difference."""

from collections.abc import Sequence

import numpy as np

from mtsig.corpus import number_of
from mtsig.errors import NotApplicable
from mtsig.inference import points_text
from mtsig.lab import Material, OrderingCounts, Orderings, Sentence, SentenceVariants, Variant, run
from mtsig.lessons.classroom import Classroom
from mtsig.lessons.lesson import Lesson, Quiz
from mtsig.lessons.stage import Ask, Facts, Stage, Tiles, View
from mtsig.resampling import Purpose, Words

SAMPLES = 20
FEWEST = 3
"""Phrases that can be moved about at all."""

MOST_WORDS = 60
EQUAL = "All of them score the same"


def taken_apart(room: Classroom) -> SentenceVariants:
    """Return one sentence of the first system with other orders, and other words.

    Raises:
        NotApplicable: there are no texts or references, or no sentence has phrases that can be moved.
    """
    texts = room.texts
    if len(texts.systems.get(room.pair[0], ())) != 1:
        raise NotApplicable(f"{room.pair[0]} stands for several outputs, or for none: choose one with a text.")
    sentences = Sentence(samples=SAMPLES, seed=room.seed, system=room.pair[0])
    sentence: SentenceVariants = run(sentences, Material((room.statistics,), texts))
    if (
        len(sentence.matched.phrases()) < FEWEST
        or len(sentence.matched.words) > MOST_WORDS
        or not max(sentence.matched.counts)
    ):
        raise NotApplicable(
            f"No output of {room.pair[0]} has the length (12 to 25 words), and matches of every order, that this "
            "lesson takes apart."
        )
    return sentence


def _stage(room: Classroom) -> Stage:
    sentence = taken_apart(room)
    equal = [variant for variant in sentence.permuted if variant.counts == sentence.matched.counts]
    same = (sentence.variants()[0], *equal[:2], *sentence.redrawn[:1])
    shown = [same[place] for place in np.argsort(Words(room.seed, 1, Purpose.ORDERS).take(1, len(same))[0])]
    # First those that change nothing: that is what the question was about.
    orders = sorted(sentence.permuted, key=lambda variant: variant.counts != sentence.matched.counts)
    orderings, distinct = f"{sentence.orderings:,}", f"{sentence.distinct:,}"
    tiles = Tiles(
        f"Segment {sentence.segment} of {sentence.system}, cut between words that follow each other in no reference",
        tuple(" ".join(phrase) for phrase in sentence.matched.phrases()),
        tuple(variant.order for variant in orders),
        tuple(_meter(sentence, variant) for variant in orders),
        f"at least {_bleu(sentence.bleu)} BLEU: no match is lost in any order, and one may be won by chance",
    )
    facts = Facts(
        "Other words from the references, same counts",
        ("text", "BLEU", "matched 1- to 4-grams"),
        tuple(
            (" ".join(variant.words), _bleu(variant.bleu), _counts(variant))
            for variant in (sentence.variants()[0], *sentence.redrawn[:4])
        ),
        since=1,
    )
    says = [
        f"{_bleu(sentence.bleu)} BLEU with {_counts(sentence.variants()[0])} matched 1- to 4-grams. Its "
        f"{len(sentence.matched.phrases())} phrases can stand in {orderings} orders."
    ]
    says += [f"Order {k}: {_meter(sentence, variant)}." for k, variant in enumerate(orders, 1)]
    return Stage(
        Ask(
            "Which of these scores best?",
            "choice",
            options=(*(" ".join(variant.words) for variant in shown), EQUAL),
        ),
        len(sentence.permuted),
        {"": View((tiles, facts), tuple(says))},
        f"{EQUAL}: {_bleu(sentence.bleu)}, as each has {_counts(sentence.variants()[0])} matched 1- to 4-grams. None "
        f"of the {orderings} orders of the phrases ({distinct} different strings) scores lower; one that wins a "
        "match by chance scores higher.",
        1,
        pace="hand",
        buttons=(1,),
        verb="Shuffle",
        noun="order",
    )


def _bleu(value: float) -> str:
    return points_text(value, 1)


def _counts(variant: Variant) -> str:
    return ", ".join(map(str, variant.counts))


def _meter(sentence: SentenceVariants, variant: Variant) -> str:
    """Return the score of an order, and what is different where the score is."""
    score = f"{_bleu(variant.bleu)} BLEU"
    if variant.counts == sentence.matched.counts:
        return f"{score}, the same matches"
    more = [
        f"{now - before} more of {number_of(length, 'word')}"
        for length, (before, now) in enumerate(zip(sentence.matched.counts, variant.counts, strict=True), 1)
        if now > before
    ]
    return f"{score}: neighbours now match by chance: {', '.join(more)}"


def _solution(room: Classroom) -> str:
    sentence = taken_apart(room)
    counted: OrderingCounts = run(Orderings(system=room.pair[0]), Material((room.statistics,), room.texts))
    place = int(np.argmax(counted.digits))
    changed = _changed([variant for variant in sentence.permuted if variant.counts != sentence.matched.counts])
    return (
        f"The phrases of segment {counted.numbers[place]} of {room.pair[0]} can stand in the most orders, about "
        f"10^{counted.digits[place]:.0f}; the median is 10^{np.median(counted.digits):.1f}. Of "
        f"{len(sentence.permuted)} orders shown of segment {sentence.segment}, {changed}."
    )


def _changed(variants: Sequence[Variant]) -> str:
    if not variants:
        return "none has another score"
    return f"{len(variants)} won a match by chance and score up to {_bleu(max(variant.bleu for variant in variants))}"


SAME_BLEU = Lesson(
    12,
    "same-bleu",
    "Same BLEU, other sentence",
    "Equal BLEU, equal translation.",
    "Callison-Burch, Osborne and Koehn (2006), sections 3.1 and 3.2, figure 1, table 2",
    "How many different sentences have exactly the BLEU of this one?",
    "BLEU counts pieces, not sentences: it cannot see what a reader sees at once.",
    "Put the tiles into the worst order you can find. What does the meter say? Which of your segments has most orders?",
    Quiz(
        "Two systems have the same BLEU on the same test set. What follows?",
        (
            "Matched pieces and lengths come to the same number; readers may find one system much better",
            "Readers will find them equally good",
            "They translate most segments with the same words",
            "Neither is significantly better in any metric",
        ),
        0,
        "The score keeps counts of matched n-grams and lengths, and nothing else. Sentences of very different quality "
        "share them. BLEU suits changes to one system and systems of one kind.",
    ),
    _stage,
    _solution,
)
