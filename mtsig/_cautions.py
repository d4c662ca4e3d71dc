"""Cautions: what to know before a verdict is read, in one list: where it comes from, whom it concerns, its cause."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mtsig._memory import remembered
from mtsig._plugins import Rows
from mtsig.corpus import Corpus, Note, inspect
from mtsig.corpus._notes import listed, merged, number_of, runs_by_name, single_runs_text
from mtsig.doctor import Checkup, Finding, check_data
from mtsig.errors import NotApplicable
from mtsig.inference import Comparison, Family, Intervals, Settings
from mtsig.inference._design import sampling_part
from mtsig.inference._estimated import raters_note
from mtsig.inference._raters import compare_rater_scores
from mtsig.inference._verdict import unit_cautions, verdict
from mtsig.metrics import Rated
from mtsig.metrics._statistics import Statistics, Unit
from mtsig.metrics._sums import ALIKE


@dataclass(frozen=True, eq=False)
class Seen:
    """What is looked at: the data, where they are there, scores and comparisons.

    checkup: what the data checks found, where they were run already. runs: system -> its outputs, where somebody said
    so; else their names say it. notes: what is known of data of which only the counts are here.
    """

    corpus: Corpus | None = None
    scored: tuple[Intervals, ...] = ()
    families: tuple[Family, ...] = ()
    checkup: Checkup | None = None
    runs: Mapping[str, Sequence[str]] | None = None
    notes: tuple[Note, ...] = ()

    @property
    def compared(self) -> set[str]:
        """The systems that are compared."""
        return {name for family in self.families for name in family.order}


def _checks(seen: Seen) -> Iterable[Finding]:
    """Return what data checks find in texts and ratings."""
    if seen.corpus is None:
        return ()
    return _checkup(seen.corpus) if seen.checkup is None else seen.checkup


@remembered(most=8, by=lambda corpus: corpus.digest)
def _checkup(corpus: Corpus) -> Checkup:
    """Return what the data checks find, once for data that are compared by one metric after the other."""
    return check_data(corpus)


def with_misaligned(statistics: Statistics, corpus: Corpus, checkup: Checkup | None = None) -> Statistics:
    """Return statistics of a text with what withholds verdicts on systems whose lines are certainly misaligned.

    checkup: what the data checks found, where they were run already.
    """
    if not statistics.metric.needs_references:
        return statistics
    checks = _checkup(corpus) if checkup is None else checkup
    found = [each for each in checks if each.check == "shifts" and each.confidence == "certain"]
    misaligned = {name: finding.headline for finding in found for name in finding.systems}
    if not misaligned:
        return statistics
    numbers = np.asarray(corpus.numbers)
    lines: dict[str, frozenset[int]] = dict.fromkeys(misaligned, frozenset())
    for finding in found:
        first, last = finding.span or (numbers.min(), numbers.max())
        inside = np.flatnonzero((first <= numbers) & (numbers <= last)).tolist()
        lines |= {name: lines[name].union(inside) for name in finding.systems}
    return replace(statistics, misaligned=misaligned, misaligned_lines=lines)


def _data(seen: Seen) -> Iterator[Finding]:
    """Yield what readers noted of the data; which other files lay beside them is not about results."""
    notes = inspect(seen.corpus) if seen.corpus else seen.notes
    return _of(note for note in notes if note.about not in ("files", "texts"))


def _of(notes: Iterable[Note]) -> Iterator[Finding]:
    for note in merged(notes):
        cause = note.about if note.about in (*_CAUSES, "raters") else ""
        systems = () if cause == "documents" else note.systems
        of_one = systems or ("",)
        for name in of_one if cause == "kin" else ("",):
            whose = (name,) if name else systems
            found, headline = note.text, note.headline
            yield Finding("", note.level, "certain", "", found, headline=headline, systems=whose, cause=cause)


def _runs(seen: Seen) -> Iterator[Finding]:
    grouped = runs_by_name(sorted(seen.compared)) if seen.runs is None else seen.runs
    said = single_runs_text(grouped)
    if said is not None:
        yield from _of([Note("warning", said, headline="Single runs are compared")])


def _raters(seen: Seen) -> Iterator[Finding]:
    """Yield for whom verdicts by ratings hold: for these raters, and whether for raters like these."""
    several = len({family.metric for family in seen.families}) > 1
    for family in seen.families:
        scored = None if family.drawn is None else family.statistics.metric
        if seen.corpus is None or not isinstance(scored, Rated) or not len(family):
            continue
        rating = seen.corpus.ratings.get(scored.rating)
        if rating is None or rating.rater_scores is None:
            continue
        unit: Unit = "document" if family.unit == "document" else "auto"
        try:
            held = compare_rater_scores(
                rating.rater_scores.signed, list(seen.corpus.systems), Settings(level=family.level, unit=unit),
                higher_is_better=rating.higher_is_better, documents=seen.corpus.documents, within="segment",
                pairs={frozenset((row.first, row.second)) for row in family},
            )  # fmt: skip
        except NotApplicable:
            continue
        yield from _of([raters_note(held, family, family.metric if several else "")])


def _samples(seen: Seen) -> Iterator[Finding]:
    """Yield what is estimated where systems have several outputs per segment, and how much of the variance that is."""
    for family in seen.families:
        drawn = None if family.drawn is None else family.statistics.samples
        parts = [] if drawn is None else [sampling_part(family.statistics, comparison) for comparison in family]
        shares = [part.share for part in parts if part is not None and part.sampling == part.sampling]
        if drawn is None or not any(parts):
            continue
        named = (f"{name} {_range(counts[counts > 0])}" for name, counts in drawn.counts.items())
        found = (
            f"Outputs per segment: {listed(list(named))}. The score of a segment is the mean over the system's outputs."
        )
        if shares:
            low, high = min(shares), max(shares)
            share = f"{high:.0%}" if f"{low:.0%}" == f"{high:.0%}" else f"{low:.0%} to {high:.0%}"
            of = "the difference" if len(shares) == 1 else "differences"
            found += f" Sampling causes {share} of the variance of {of} in {family.metric}; see mtsig power."
        yield from _of([Note("note", found, headline="Several outputs per segment")])


def _range(counts: NDArray[np.int64]) -> str:
    return f"{counts.min()}" if counts.min() == counts.max() else f"{counts.min()} to {counts.max()}"


def _corrections(seen: Seen) -> Iterator[Finding]:
    """Yield a warning where several comparisons are not corrected for their number."""
    for family in seen.families:
        if family.corrected or family.family_size < 2:
            continue
        found = (
            f"The {family.family_size} comparisons are not corrected, so the chance of a false positive grows with the "
            "number of systems."
        )
        by_wins = family.test.by_wins
        advice = (
            "Koehn's criterion has no p-value to correct; choose a test that has one." if by_wins else "Choose one."
        )
        flags = "--test jackknife-t" if by_wins else "--correction holm"
        headline = "Comparisons are not corrected"
        yield Finding("", "warning", "certain", "", found, advice, headline=headline, flags=flags)


def verdicts(seen: Seen) -> Iterator[Finding]:
    """Yield what withholds verdicts or stands beside them, each with all its pairs."""
    found: dict[Finding, list[tuple[str, str]]] = {}
    for family in seen.families:
        for comparison in family:
            decided, pair = verdict(comparison), (comparison.first, comparison.second)
            if decided.withheld_reason:
                cause, systems = _cause(decided.withheld or "", comparison, family)
                of = Finding(
                    "verdicts", "withholds", "certain", "", decided.withheld_reason, decided.step, systems=systems,
                    flags=decided.flags, cause=cause,
                )  # fmt: skip
                found.setdefault(of, []).append(pair)
            if decided.caution:
                alike = comparison.unit == "segment" and comparison.order_z > ALIKE
                of_units = decided.caution == "; ".join(unit_cautions(comparison)) and not alike
                cause = "documents" if of_units else ""
                of = Finding("verdicts", "warning", "certain", "", decided.caution, cause=cause)
                found.setdefault(of, []).append(pair)
    for finding, pairs in found.items():
        yield replace(finding, pairs=tuple(pairs))


def _cause(withheld: str, comparison: Comparison, family: Family) -> tuple[str, tuple[str, ...]]:
    """Return what withholds a verdict, where the data have it too, and in which systems."""
    if withheld == "few documents":
        return "documents", ()
    if withheld == "reference" and family.drawn is not None:
        kin = (each.kin for each in family.statistics.kinships if each.concerns(comparison.first, comparison.second))
        first = next((each for each in kin if comparison.data_caveat.startswith(each.brief)), None)
        if first is not None and first.spliced:
            of_all = (each.kin for each in family.statistics.kinships)
            return "spliced", tuple(each.system for each in of_all if each.reference == first.reference)
        return "kin", () if first is None else (first.system,)
    return "", ()


CAUTIONS = Rows[Callable[[Seen], Iterable[Finding]]](
    "mtsig.cautions",
    Callable,
    {
        "raters": _raters,
        "checks": _checks,
        "data": _data,
        "runs": _runs,
        "samples": _samples,
        "comparisons": lambda seen: _of(note for family in seen.families for note in family.notes),
        "scores": lambda seen: _of(note for intervals in seen.scored for note in intervals.notes),
        "corrections": _corrections,
        "verdicts": verdicts,
    },
)
"""Where findings come from, by name, in the order in which their words are taken; one more is one entry here."""

_OF_RESULTS = frozenset(CAUTIONS.own) - {"checks", "data"}


def is_on_data(finding: Finding) -> bool:
    """Return whether a finding is on the data, whatever the metrics and tests."""
    return finding.check not in _OF_RESULTS


_CAUSES = ("kin", "spliced", "documents", "size")
"""Causes that several sources tell of: of one and the same systems, that is one finding."""

_HEADLINES = {
    "data": "A note on these data", "raters": "On the raters", "comparisons": "A note on the "
    "comparisons",
    "scores": "On the scores",
}  # fmt: skip


def findings(seen: Seen, systems: Collection[str] | None = None) -> tuple[Finding, ...]:
    """Return every finding once, warnings first, many of a kind as one; `systems`: as far as it concerns these.

    >>> import mtsig
    >>> from mtsig._cautions import Seen, findings
    >>> settings = mtsig.Settings(test="bootstrap-koehn", n_resamples=200)
    >>> family = settings.family(mtsig.measure(mtsig.read_sample(), "bleu"))
    >>> found = [each for each in findings(Seen(families=(family,))) if each.check == "verdicts"]
    >>> [(each.level, len(each.pairs)) for each in found], len(found[0].among({"direct", "via-catalan"}).pairs)
    ([('warning', 9)], 1)
    """
    found: dict[tuple[str, ...], Finding] = {}
    for source, look in CAUTIONS.items():
        for each in look(seen):
            finding = each if each.check else replace(each, check=source)
            key = (finding.cause, *sorted(finding.systems)) if finding.cause in _CAUSES else (_bare(finding),)
            found[key] = _joined(found[key], finding) if key in found else finding
    kept = found.values() if systems is None else filter(None, (finding.among(systems) for finding in found.values()))
    return tuple(sorted(_told_as_one(map(_said, kept)), key=lambda finding: not finding.warns))


_AS_ONE = {
    ("mixed systems", "warning", 2): "pairs of systems share lines",
    ("mixed systems", "warning", 1): "systems have lines of another",
    ("identical", "note", 2): "pairs of systems nearly identical",
}
"""By check, level and number of systems, the headline of several findings of a kind after their number."""

_ONE_BY_ONE, _NAMED = 2, 3
"""So many findings of a kind are told one by one; of more, the first in full, and so many others by their systems."""


def _told_as_one(found: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings, many of a kind as one with their number."""
    kinds: dict[str | Finding, list[Finding]] = {}
    for finding in found:
        headline = _AS_ONE.get((finding.check, finding.level, len(finding.systems)))
        kinds.setdefault(headline or finding, []).append(finding)
    for kind, (first, *others) in kinds.items():
        if not isinstance(kind, str) or len(others) < _ONE_BY_ONE:
            yield from (first, *others)
            continue
        also = listed([" with ".join(each.systems) for each in others], most=_NAMED)
        systems = tuple(dict.fromkeys(name for each in (first, *others) for name in each.systems))
        said = f"{first.found} Also: {also}."
        lines = tuple(sorted({line for each in (first, *others) for line in each.lines}))
        yield replace(first, headline=f"{1 + len(others)} {kind}", found=said, systems=systems, lines=lines)


def _bare(finding: Finding) -> str:
    return f"{finding.where}\0{finding.found.rstrip('.')}"


def _joined(first: Finding, other: Finding) -> Finding:
    """Return two findings of one cause as one, in words that say what follows from it for these results."""
    joined = first.joined(other)
    if other.level == "withholds":
        return replace(joined, advice=other.advice, flags=other.flags)
    if other.found in first.found:
        return joined
    if first.cause in ("kin", "spliced", "size"):
        # Sources may begin with the same sentences.
        new = [sentence for sentence in re.split(r"(?<=[.?!]) ", other.found) if sentence not in first.found]
        return replace(joined, found=" ".join([first.found, *new]))
    if first.cause == "documents" and other.check == "comparisons":
        # The data checks say what is the default; results, what was done.
        return replace(joined, where="", found=other.found, advice="")
    return joined


def _said(finding: Finding) -> Finding:
    """Return the finding in words: of verdicts, how many there are among the systems in view."""
    if finding.check != "verdicts":
        return replace(finding, headline=finding.headline or _HEADLINES.get(finding.check, finding.check.capitalize()))
    many = number_of(len(finding.pairs), "verdict")
    how = "withheld" if finding.level == "withholds" else "with a caution"
    return replace(finding, headline=f"{many} {how}", found=f"{many} {how}: {finding.found}.")
