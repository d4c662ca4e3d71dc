"""What a metric matched in one segment, with its places in the text; a row for each metric that can say it."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from mtsig.corpus import Corpus
from mtsig.metrics import (
    Bleu,
    Chrf,
    Gtm,
    MBleu,
    Meteor,
    Metric,
    Per,
    Precision,
    RougeL,
    SentenceBleu,
    SentenceChrf,
    SentenceTer,
    Ter,
    Wer,
)
from mtsig.metrics import metric as metric_of
from mtsig.segments.matches.alignments import of_gtm, of_meteor, of_per, of_rouge, of_ter, of_wer
from mtsig.segments.matches.marked import Marked, Matches, Token
from mtsig.segments.matches.ngrams import of_bleu, of_chrf

__all__ = ["MATCHERS", "MOST_CHARACTERS", "Marked", "Matches", "Token", "has_matches", "matches"]

Matcher: TypeAlias = Callable[[Any, str, Mapping[str, str]], Matches]
"""A metric, an output, and the references by name go in."""


def _of_whole(matcher: Matcher) -> Matcher:
    """Return the matcher of a metric that is made of the counts of another one."""
    return lambda metric, line, references: matcher(metric.whole, line, references)


MATCHERS: dict[type[Metric], Matcher] = {
    Bleu: of_bleu,
    SentenceBleu: _of_whole(of_bleu),
    MBleu: _of_whole(of_bleu),
    Precision: _of_whole(of_bleu),
    Chrf: of_chrf,
    SentenceChrf: _of_whole(of_chrf),
    Ter: of_ter,
    SentenceTer: _of_whole(of_ter),
    Meteor: of_meteor,
    Gtm: of_gtm,
    RougeL: of_rouge,
    Wer: of_wer,
    Per: of_per,
}
"""By the metric's own type: a subclass may count in other ways."""

MOST_CHARACTERS = 100_000
"""A line longer than this is not marked: it is read nowhere, and would be looked through for seconds."""


def has_matches(metric: Metric) -> bool:
    """Return whether a metric can say what it matched; others (ratings, NIST, length ratios) have no places."""
    return type(metric) in MATCHERS


def matches(corpus: Corpus, metric: str | Metric, segment: int, system: str) -> Matches | None:
    """Return what the metric matched in a segment (counted from 0) of a system.

    None where it has no places to show: the metric is none that can say, the segment has no reference, or a line is
    longer than MOST_CHARACTERS.

    >>> import mtsig
    >>> from mtsig.segments import matches
    >>> matched = matches(mtsig.read_sample(), "bleu", 0, "direct")
    >>> matched.metric.name
    'BLEU'

    Raises:
        UnknownName: no such metric or system.
        NotApplicable: the system has no text, or several runs; a tokenizer is missing.
    """
    chosen = metric_of(metric, corpus.ratings).on(corpus)
    line = corpus.lines(system)[segment]
    references = {name: text for name, lines in corpus.references.items() if (text := lines[segment]) is not None}
    longest = max(map(len, (line, *references.values())))
    if not has_matches(chosen) or not references or longest > MOST_CHARACTERS:
        return None
    return MATCHERS[type(chosen)](chosen, line, references)
