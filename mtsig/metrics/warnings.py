"""A corpus and a metric go in, warnings come out where its text is not such as the metric expects."""

from collections.abc import Iterable

from mtsig.corpus import Corpus, Note
from mtsig.metrics.base import Metric
from mtsig.text.characters import codes_of, spaces, unspaced

MANY_TOKENIZED = 100
"""sacreBLEU's bound: this many lines that end in " ." look like text that was tokenized before."""

WITHOUT_SPACES = 0.3
"""Above this share of characters in scripts without spaces between words, references are taken to be such text."""


def text_warnings(corpus: Corpus, metric: Metric) -> tuple[Note, ...]:
    """Return what is doubtful about counting the text of a corpus by a metric."""
    return (*_tokenized(corpus, metric), *_unspaced(corpus, metric))


def _tokenized(corpus: Corpus, metric: Metric) -> Iterable[Note]:
    if not metric.expects_plain_text:
        return
    found = []
    for system in corpus.systems:
        count = sum(line.endswith(" .") for line in corpus.lines(system))
        if count >= MANY_TOKENIZED:
            found.append(f"{system} ({count} lines)")
    if found:
        tokenized = f"Text that looks already tokenized (lines that end in ' .'): {', '.join(found)}."
        yield Note("warning", f"{tokenized} {metric.name} expects plain text.")


def _unspaced(corpus: Corpus, metric: Metric) -> Iterable[Note]:
    if not metric.needs_references or not metric.needs_spaces:
        return
    lines = next(iter(corpus.references.values()))
    codes = codes_of("".join(line for line in lines if line is not None))
    letters = codes[~spaces()[codes]]
    if len(letters) == 0 or unspaced()[letters].mean() <= WITHOUT_SPACES:
        return
    yield Note(
        "warning",
        f"The references are written without spaces between words, and {metric.name} as chosen takes whole clauses for "
        "words. Where a tokenizer can be chosen, take zh for Chinese, ja-mecab for Japanese, or char; for TER, "
        "normalized with asian_support. chrF needs no words.",
    )
