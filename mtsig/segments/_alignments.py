"""Words that a metric links (METEOR, GTM, ROUGE-L, PER, WER, TER), and the table of all metrics that have matches."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from sacrebleu.metrics import lib_ter

from mtsig.corpus import Corpus
from mtsig.corpus._corpus import Segments
from mtsig.corpus._notes import number_of
from mtsig.metrics import Bleu, Chrf, Gtm, Meteor, Metric, RougeL, SentenceBleu, Ter, Wer
from mtsig.metrics import metric as metric_of
from mtsig.metrics._bleu import MBleu, Precision
from mtsig.metrics._rated import SentenceChrf, SentenceTer
from mtsig.metrics._word_metrics import Per, WordMetric, placed_runs
from mtsig.segments._matches import Marked, Matches, Piece, Token, of_bleu, of_chrf, placed
from mtsig.text import align
from mtsig.text._alignment import NONE
from mtsig.text._edits import shifted


def chosen_reference(metric: Metric, line: str, references: Mapping[str, str], rows: slice = slice(None)) -> str:
    """Return the first reference that alone gives what all of them give, in these rows of the metric's counts."""
    first, *others = references
    if not others:
        return first
    # As segments of one corpus, which are counted at once: the output with all of them, then with one after the other.
    n = 1 + len(references)
    streams = {
        name: (text, *(text if place == own else None for place in range(1, n)))
        for own, (name, text) in enumerate(references.items(), 1)
    }
    counts = metric.count(Corpus(Segments(n), {"": (line,) * n}, {"": ("",)}, streams))[rows, 0]
    alone = (counts[:, 1:] == counts[:, :1]).all(axis=0)
    return list(references)[int(np.argmax(alone))]


_STAGES = ("", "stem", "synonym")


class _Cut(NamedTuple):
    """An output and the reference that the metric chose, as lines and as words with their places."""

    line: str
    reference: str
    name: str
    ours: tuple[Token, ...]
    theirs: tuple[Token, ...]

    @classmethod
    def by(cls, metric: WordMetric, line: str, references: Mapping[str, str]) -> "_Cut":
        name = chosen_reference(metric, line, references)
        words = metric.cut([line, references[name]])
        return cls(line, references[name], name, placed(words[0], line), placed(words[1], references[name]))

    @property
    def words(self) -> tuple[list[str], list[str]]:
        return [token.text for token in self.ours], [token.text for token in self.theirs]


class _Links:
    """Which word of the output goes with which of the reference, and what the others are called."""

    def __init__(self, cut: _Cut) -> None:
        self.cut = cut
        self.place_of: dict[int, int] = {}
        self.ours, self.theirs = [""] * len(cut.ours), [""] * len(cut.theirs)

    def link(self, ours: int, theirs: int, kind: str = "") -> None:
        """Link two words."""
        self.place_of[ours] = theirs
        self.ours[ours] = self.theirs[theirs] = kind

    def leave(self, ours: int | None, theirs: int | None) -> None:
        """Leave one word, or two in each other's place, without a link."""
        if ours is not None:
            self.ours[ours] = "extra" if theirs is None else "substituted"
        if theirs is not None:
            self.theirs[theirs] = "missing" if ours is None else "substituted"

    def matches(self, metric: WordMetric | Ter, counts: Sequence[float], told: str) -> Matches:
        back = {there: here for here, there in self.place_of.items()}
        ours = self._marked(self.cut.line, self.cut.ours, self.place_of, self.place_of, self.ours)
        places = {there: there for there in back}
        theirs = self._marked(self.cut.reference, self.cut.theirs, back, places, self.theirs)
        return Matches(metric, np.array(counts, dtype=np.float64), (ours,), {self.cut.name: (theirs,)}, told)

    def _marked(
        self,
        line: str,
        tokens: tuple[Token, ...],
        links: Mapping[int, int],
        places: Mapping[int, int],
        kinds: Sequence[str],
    ) -> Marked:
        """Return one side; links: to the other one, places: in the reference, whose word says what matched."""
        orders = np.zeros(len(tokens), dtype=np.intp)
        matched: defaultdict[Piece, list[int]] = defaultdict(list)
        run: list[int] = []
        for here in sorted(links):
            if run and (here, links[here]) != (run[-1] + 1, links[run[-1]] + 1):
                run = []
            run.append(here)
            orders[run] = len(run)
            matched[(self.cut.theirs[places[here]].text,)].append(here)
        return Marked(line, tokens, "word", matched, orders, 0, tuple(kinds))


def of_meteor(metric: Meteor, line: str, references: Mapping[str, str]) -> Matches:
    """Return the words that METEOR aligns: exactly, by stem, as synonyms."""
    cut = _Cut.by(metric, line, references)
    ours, theirs = cut.words
    stages = metric.stages()
    alignment, links = align(ours, theirs, stages), _Links(cut)
    for here, there in enumerate(alignment.links):
        if there != NONE:
            # A stage leaves no two words that it could match: the first that can is the one that did.
            stage = next(i for i, keys in enumerate(stages) if {*keys(ours[here])} & {*keys(theirs[there])})
            links.link(here, there, _STAGES[stage])
    kinds = Counter(links.ours[here] for here in links.place_of)
    exact, stem, synonym = (kinds[kind] for kind in _STAGES)
    chunks = number_of(alignment.chunks, "chunk", ",")
    told = f"Matched: {exact:,} exactly, {stem:,} by stem, {synonym:,} as synonyms, in {chunks}; {_lengths(cut)}"
    return links.matches(metric, [exact, stem, synonym, alignment.chunks, len(ours), len(theirs)], told)


def _of_runs(cut: _Cut) -> tuple[_Links, list[int]]:
    """Return a matching that uses every word once, in long runs, and the lengths of the runs."""
    links, lengths = _Links(cut), []
    for run in placed_runs(*cut.words):
        lengths.append(run.length)
        for offset in range(run.length):
            links.link(run.start + offset, run.place + offset)
    return links, lengths


def of_gtm(metric: Gtm, line: str, references: Mapping[str, str]) -> Matches:
    """Return the words of GTM's matching; with exponent 1 any matching is as good, and this is one in long runs."""
    cut = _Cut.by(metric, line, references)
    links, lengths = _of_runs(cut)
    told = f"Matched: {number_of(sum(lengths), 'word', ',')} in {number_of(len(lengths), 'run', ',')}; {_lengths(cut)}"
    return links.matches(metric, [metric.size(lengths), len(cut.ours), len(cut.theirs)], told)


def of_per(metric: Per, line: str, references: Mapping[str, str]) -> Matches:
    """Return the words that stand in both, wherever; of all ways to pair them one in long runs."""
    cut = _Cut.by(metric, line, references)
    links, lengths = _of_runs(cut)
    errors = max(len(cut.ours), len(cut.theirs)) - sum(lengths)
    told = f"{number_of(errors, 'error', ',')}; matched: {number_of(sum(lengths), 'word', ',')}; {_lengths(cut)}"
    return links.matches(metric, [errors, len(cut.theirs)], told)


def of_rouge(metric: RougeL, line: str, references: Mapping[str, str]) -> Matches:
    """Return a longest common subsequence of words; of several the one that rapidfuzz finds."""
    from rapidfuzz.distance import LCSseq  # here, because only metrics of edits and subsequences need it

    cut = _Cut.by(metric, line, references)
    ours, theirs = cut.words
    links = _Links(cut)
    for block in LCSseq.opcodes(ours, theirs):
        if block.tag == "equal":
            for offset in range(block.src_end - block.src_start):
                links.link(block.src_start + offset, block.dest_start + offset)
    common = len(links.place_of)
    told = f"A common subsequence of {number_of(common, 'word', ',')}; {_lengths(cut)}"
    return links.matches(metric, [metric.f(ours, theirs, common), 1.0], told)


def of_wer(metric: Wer, line: str, references: Mapping[str, str]) -> Matches:
    """Return the edits of a shortest way from the output to the reference; of several the one that rapidfuzz finds."""
    from rapidfuzz.distance import Levenshtein  # here, because only metrics of edits and subsequences need it

    cut = _Cut.by(metric, line, references)
    links, edits = _Links(cut), 0
    for block in Levenshtein.opcodes(*cut.words):
        pairs = max(block.src_end - block.src_start, block.dest_end - block.dest_start)
        edits += 0 if block.tag == "equal" else pairs
        for offset in range(pairs):
            ours = None if block.tag == "insert" else block.src_start + offset
            theirs = None if block.tag == "delete" else block.dest_start + offset
            if block.tag == "equal" and ours is not None and theirs is not None:
                links.link(ours, theirs)
            else:
                links.leave(ours, theirs)
    told = f"Edits: {_edits(links)}; {_lengths(cut)}"
    return links.matches(metric, [edits, len(cut.theirs)], told)


def of_ter(metric: Ter, line: str, references: Mapping[str, str]) -> Matches:
    """Return TER's edits: the shifts first, then one of the shortest ways from the words in their new order."""
    # Only edits are those of the chosen reference: the length is the mean of all.
    name = chosen_reference(metric, line, references, slice(0, 1))
    tokenizer = metric.scorer().tokenizer
    ours = tokenizer(line.rstrip()).split()
    # sacreBLEU cuts references twice.
    theirs = {other: tokenizer(tokenizer(text.rstrip())).split() for other, text in references.items()}
    cut = _Cut(line, references[name], name, placed(ours, line), placed(theirs[name], references[name]))
    moves = shifted(ours, theirs[name])
    order = moves.order.tolist()
    _, trace = lib_ter.BeamEditDistance(theirs[name])([ours[i] for i in order])
    links = _Links(cut)
    here = there = edits = 0
    for step in trace:
        a = None if step == "i" else order[here]
        b = None if step == "d" else there
        here, there = here + (a is not None), there + (b is not None)
        if step == " " and a is not None and b is not None:
            links.link(a, b, "shifted" if moves.moved[a] else "")
        else:
            links.leave(a, b)
            edits += 1
    lengths = [len(words) for words in theirs.values()]
    told = f"Edits: {_edits(links)}, {number_of(moves.shifts, 'block', ',')} shifted; {_lengths(cut)}"
    return links.matches(metric, [edits + moves.shifts, sum(lengths) / len(lengths)], told)


def _edits(links: _Links) -> str:
    ours, theirs = Counter(links.ours), Counter(links.theirs)
    return f"{ours['substituted']:,} substituted, {ours['extra']:,} extra, {theirs['missing']:,} missing"


def _lengths(cut: _Cut) -> str:
    return f"{number_of(len(cut.ours), 'word', ',')}, {len(cut.theirs):,} in the reference"


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
    """
    chosen = metric_of(metric, corpus.ratings).on(corpus)
    line = corpus.lines(system)[segment]
    references = {name: text for name, lines in corpus.references.items() if (text := lines[segment]) is not None}
    longest = max(map(len, (line, *references.values())))
    if not has_matches(chosen) or not references or longest > MOST_CHARACTERS:
        return None
    return MATCHERS[type(chosen)](chosen, line, references)
