"""The trust strip: what to know before any number, as small marks that open their explanations."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import streamlit as st

from mtsig import Corpus
from mtsig.cautions import Seen, cautions
from mtsig.cautions._list import single_runs_text
from mtsig.corpus import Note, inspect
from mtsig.corpus._notes import is_human, listed, number_of
from mtsig.doctor import Finding
from mtsig.inference import Family, Intervals
from mtsig.metrics import Metric, ReferenceOverlap, Statistics
from mtsig.report._bundle import checkup_text
from mtsig.report._families import method_text, people_text
from mtsig.report._say import units_text
from mtsig_dashboard import compute, session
from mtsig_dashboard.memory import asked_at_once
from mtsig_dashboard.parts import show
from mtsig_dashboard.parts.show import plain

MOST_FINDINGS = 20
"""Findings that a mark tells one by one; the Data page has them all."""

_MARKED = ("data", "runs")
"""Cautions that have marks of their own."""

_QUIET = "What the numbers stand on"


class ScoredMetric(NamedTuple):
    """A metric with its scores and, where there is anything to compare, its comparisons."""

    metric: Metric
    statistics: Statistics
    intervals: Intervals
    family: Family | None


@dataclass(frozen=True)
class Mark:
    """A mark of the strip: its words, what it opens, and whether something may be wrong."""

    label: str
    told: Sequence[Note] = field(default_factory=tuple)
    warns: bool = False
    more: Callable[[], None] | None = None


def draw(corpus: Corpus, judged: Sequence[ScoredMetric]) -> None:
    """Draw the strip."""
    _strip(_marks(corpus, judged))


def draw_data(corpus: Corpus, kin: Sequence[ReferenceOverlap]) -> None:
    """Draw what is wrong with the data, where something is, on a page that may be the first with a verdict.

    kin: what the page says of kin beside. What is odd about the corpus as a whole, such a page says itself.
    """
    mark = _data(corpus, kin, odd=())
    if mark.warns:
        _strip([mark])


def _strip(marks: Sequence[Mark]) -> None:
    """Draw what warns first, each mark by itself, and the quiet marks as one."""
    quiet = [mark for mark in marks if not mark.warns]
    with st.container(horizontal=True, gap="small", key="trust"):
        for number, mark in enumerate(mark for mark in marks if mark.warns):
            with st.popover(f"⚠ {plain(mark.label)}", key=f"warned{number}"):
                _tell(mark)
        if quiet:
            with st.popover(_QUIET, key="quiet"):
                for mark in quiet:
                    st.markdown(f"**{plain(mark.label)}**")
                    _tell(mark)


def _tell(mark: Mark) -> None:
    """Say what a mark opens: opened already, it is not folded once more."""
    told = list(dict.fromkeys(mark.told))
    show.warnings([note.text for note in told if note.level == "warning"])
    for note in told:
        if note.level != "warning":
            st.markdown(plain(note.text))
    if mark.more is not None:
        mark.more()


def _marks(corpus: Corpus, judged: Sequence[ScoredMetric]) -> list[Mark]:
    families = [of_metric.family for of_metric in judged if of_metric.family is not None]
    kin = [kinship.kin for of_metric in judged for kinship in of_metric.statistics.kinships]
    marks = [*_kin(judged), *_runs(corpus), *_uncorrected(families), _data(corpus, kin, odd(corpus, kin))]
    marks += [*_people(families), *_references(corpus, judged), *_tokenizers(judged)]
    return [*marks, _units(corpus, judged), *_draws(families), *_left(corpus, judged)]


def _note(text: str, level: str = "note") -> tuple[Note, ...]:
    return (Note("warning" if level == "warning" else "note", text),)


def _kin(judged: Sequence[ScoredMetric]) -> list[Mark]:
    """Return what is said of systems that are kin to a reference: these notes stand first in those of the counts."""
    kin = list(dict.fromkeys(kinship.kin for each in judged for kinship in each.statistics.kinships))
    told = [note for of_metric in judged for note in show.notes_of_kin(of_metric.statistics, of_metric.family)]
    if kin:
        return [Mark(listed([kinship.brief for kinship in kin]), told, warns=True)]
    if any(of_metric.metric.needs_references for of_metric in judged):
        said = "No system has more of a reference word for word than translations have by themselves."
        return [Mark("No system has a reference's text", _note(said))]
    return []


def _runs(corpus: Corpus) -> list[Mark]:
    said = single_runs_text(session.current().selection.grouped(list(corpus.systems)))
    return [] if said is None else [Mark("Several runs of one system", _note(said, "warning"), warns=True)]


def _uncorrected(families: Sequence[Family]) -> list[Mark]:
    several = [family for family in families if not family.corrected and len(family) > 1]
    if not several:
        return []
    leads_on = "A correction is chosen in the sidebar."
    if several[0].test.by_wins:
        leads_on = "Koehn's criterion has no p-value to correct; a test that has one is chosen in the sidebar."
    said = (
        f"Each of the {len(several[0])} comparisons errs by itself, so the more systems there are, the likelier it is "
        f"that some verdict is wrong. {leads_on}"
    )
    return [Mark("Not corrected", _note(said, "warning"), warns=True)]


def odd(corpus: Corpus, kin: Sequence[ReferenceOverlap], systems: Collection[str] | None = None) -> list[Note]:
    """Return what is odd about the corpus, or about these systems of it, but for kin where that is told of beside."""
    concerned = [note for note in asked_at_once(inspect, corpus) if systems is None or note.concerns(systems)]
    return [note for note in concerned if not (kin and note.about == "kin")]


def _data(corpus: Corpus, kin: Sequence[ReferenceOverlap], odd: Sequence[Note]) -> Mark:
    """Return what the doctor found, and what is odd about the corpus as a whole.

    Overlap that is said of beside does not count once more, nor do systems that are identical: of them the corpus
    speaks.
    """
    checkup = compute.examined(corpus)
    told = {each.where for each in kin}
    found = [
        finding
        for finding in checkup.findings
        if finding.where not in told and (finding.check, finding.level) != ("identical", "warning")
    ]
    levels = [*(finding.level for finding in found), *(note.level for note in odd)]
    warnings = levels.count("warning")
    count = len(found) + len(odd)
    none = "No other warning on the data" if len(found) < len(checkup) else "No warning on the data"
    label = f"{number_of(warnings, 'warning')} on the data" if warnings else none

    def more() -> None:
        st.markdown(plain(checkup_text(checkup)))
        if len(found) < len(checkup):
            st.markdown("What is said beside is not said here again.")
        # A list: the place is too narrow for a table of sentences.
        st.markdown("\n".join(f"- {_sign(finding)}{plain(finding.note.text)}" for finding in found[:MOST_FINDINGS]))
        left = len(found) - MOST_FINDINGS
        if left > 0:
            st.markdown(f"{number_of(left, 'more finding')} on the Data page.")

    notes = number_of(count - warnings, "note")
    return Mark(f"{label}{f', {notes}' if count > warnings else ''}", odd, warnings > 0, more)


def _sign(finding: Finding) -> str:
    return "⚠ " if finding.level == "warning" else ""


def _people(families: Sequence[Family]) -> list[Mark]:
    people = list(dict.fromkeys(name for family in families for name in family.order if is_human(name)))
    if not people:
        return []
    said = [
        f"{family.metric}: {people_text(family)}" for family in families if any(is_human(name) for name in family.order)
    ]
    return [Mark(number_of(len(people), "human translation"), [note for text in said for note in _note(text)])]


def _references(corpus: Corpus, judged: Sequence[ScoredMetric]) -> list[Mark]:
    using = [of_metric.metric.name for of_metric in judged if of_metric.metric.needs_references]
    if not using:
        return []
    said = f"{listed(using)}: scored against {listed(list(corpus.references))}, all of them together."
    return [Mark(f"{number_of(len(corpus.references), 'reference')} in use", _note(said))]


def _tokenizers(judged: Sequence[ScoredMetric]) -> list[Mark]:
    by_tokenizer: dict[str, list[ScoredMetric]] = {}
    for metric in judged:
        tokenizer = getattr(metric.statistics.metric, "tokenize", None)
        if tokenizer:
            by_tokenizer.setdefault(tokenizer, []).append(metric)
    marks = []
    for tokenizer, using in by_tokenizer.items():
        doubts = [measured.statistics.data_caveat for measured in using if measured.statistics.data_caveat]
        chosen = any(getattr(measured.statistics.metric, "by_text", "") for measured in using)
        who = "The references' script chose it; another one is" if chosen else "It was chosen by hand; another one is"
        names = listed([measured.metric.name for measured in using])
        said = f"{names}: words are cut by {tokenizer}. {who} chosen in the sidebar."
        notes = [*_note(said), *(note for doubt in doubts for note in _note(doubt, "warning"))]
        notes += [note for measured in using for note in _note(measured.statistics.signature)]
        marks.append(Mark(f"Words cut by {tokenizer}", notes, bool(doubts)))
    return marks


def _units(corpus: Corpus, judged: Sequence[ScoredMetric]) -> Mark:
    """Return what is drawn and exchanged as a whole."""
    scored = judged[0].intervals
    counts = {
        of_metric.intervals.metric: units_text(of_metric.intervals.units.tolist(), of_metric.intervals.unit)
        for of_metric in judged
    }
    differ = len(set(counts.values())) > 1
    if scored.unit == "document":
        said = "Sentences of one document are not independent, so documents are drawn and exchanged as a whole."
    elif scored.unit == "block":
        said = "Neighbouring segments are alike, so blocks of them are drawn as a whole."
    elif corpus.documents is None:
        said = "No document ids are known, so sentences are taken as independent."
    else:
        said = "Documents are known, but sentences are taken as independent: p-values may be too small."
    said += f" The test set has {number_of(len(corpus), 'segment', ',')}."
    each = [f"{metric}: {count}." for metric, count in counts.items()] if differ else []
    label = "Units differ by metric" if differ else f"Units: {counts[scored.metric]}"
    return Mark(label, [note for text in [*each, said] for note in _note(text)])


def _draws(families: Sequence[Family]) -> list[Mark]:
    """Return whether drawing longer could change a verdict."""
    if not families:
        return []
    open_still = sum(not comparison.settled for family in families for comparison in family if comparison.has_p)
    drawn = any(
        comparison.p_adjusted_mc_low < comparison.p_adjusted_mc_high for family in families for comparison in family
    )
    how = [note for family in families for note in _note(f"{family.metric}: {method_text(family)}.")]
    if open_still:
        said = "Their corrected p is too near alpha for this number of draws: draw more."
        label = f"{number_of(open_still, 'p-value')} not settled"
        return [Mark(label, [*_note(said, "warning"), *how], warns=True)]
    if drawn:
        said = "No p-value has alpha within its 95% drawing error: other draws would hardly change a verdict."
        return [Mark(f"p-values settled by {families[0].test.scheme.n_draws:,} draws", [*_note(said), *how])]
    if not any(comparison.has_p for family in families for comparison in family):
        return [Mark("No p-values", how)]
    return [
        Mark("p-values that need no draws", [*_note("They are computed: other draws would not change them."), *how])
    ]


def _left(corpus: Corpus, judged: Sequence[ScoredMetric]) -> list[Mark]:
    """Return all other notes on counts, scores and comparisons."""
    families = tuple(each.family for each in judged if each.family is not None)
    found = cautions(Seen(corpus, tuple(each.intervals for each in judged), families))
    # What marks of their own say, and what stands beside verdicts, is not said once more.
    here = [each.told for each in found if each.source not in _MARKED and not each.pairs]
    unique = list(dict.fromkeys(note for note in here if note.about != "kin"))
    warnings = sum(note.level == "warning" for note in unique)
    if not unique:
        return []
    label = number_of(warnings, "warning") if warnings else number_of(len(unique), "note")
    return [Mark(f"{label} on the scores", unique, warnings > 0)]
