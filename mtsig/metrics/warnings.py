"""A corpus and a metric go in, notes come out: where its text is not such as the metric expects, and how it was cut."""

from collections.abc import Iterable

from mtsig.corpus import Corpus, Note
from mtsig.metrics.base import Metric
from mtsig.metrics.tokenizing import Tokenizing, usual_tokenizer, writing
from mtsig.options import options
from mtsig.text.scripts import HAN, Writing

MANY_TOKENIZED = 100
"""sacreBLEU's bound: this many lines that end in " ." look like text that was tokenized before."""


def text_notes(corpus: Corpus, metric: Metric) -> tuple[tuple[Note, ...], str]:
    """Return what is to be known about counting the text of a corpus by a metric, and why not to conclude from it."""
    doubt = _doubt(corpus, metric)
    said = (*_tokenized(corpus, metric), metric.remark(corpus), Note("warning", doubt) if doubt else None)
    return tuple(note for note in said if note is not None), doubt


def _tokenized(corpus: Corpus, metric: Metric) -> Iterable[Note]:
    if not metric.expects_plain_text:
        return
    texts = []
    for system in corpus.systems:
        count = sum(line.endswith(" .") for line in corpus.lines(system))
        if count >= MANY_TOKENIZED:
            texts.append(f"{system} ({count} lines)")
    if texts:
        tokenized = f"Text that looks already tokenized (lines that end in ' .'): {', '.join(texts)}."
        yield Note("warning", f"{tokenized} {metric.name} expects plain text.")


def _doubt(corpus: Corpus, metric: Metric) -> str:
    """Return why words cannot be counted so in text without spaces; nothing where they can."""
    result = writing(corpus) if metric.needs_references else None
    if result is None or result.spaced or metric.cuts(result.language):
        return ""
    tokenizer = getattr(metric, "tokenize", None)
    by = f" ({tokenizer})" if tokenizer else ""
    return (
        f"{result.language} is written without spaces between words, and {metric.name} as chosen{by} takes whole "
        f"clauses for words: {_advice(metric, result)}."
    )


def _advice(metric: Metric, writing: Writing) -> str:
    if isinstance(metric, Tokenizing):
        return f"choose the tokenizer {usual_tokenizer(writing)}"
    labels = {option.name: option.label for option in options(metric)}
    if writing.language in HAN and "asian_support" in labels:
        return f"switch on its options “{labels['normalized']}” and “{labels['asian_support']}”"
    return "choose another metric, such as chrF, which needs no words"
