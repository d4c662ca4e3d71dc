"""The trust strip: what to know before a result is quoted, one list of findings for every page of an analysis."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import streamlit as st

from mtsig import Corpus
from mtsig._cautions import Seen, findings, is_on_data
from mtsig._say import units_text
from mtsig._writing import in_html, short
from mtsig.collection import FamilyOverSets, Sets
from mtsig.collection._families import notes_of, on_all
from mtsig.corpus._notes import SHORT_TEST_SET, Note, capital_first, is_human, listed, number_of
from mtsig.doctor import Checkup, Finding
from mtsig.inference import Family, Intervals
from mtsig.metrics import Statistics
from mtsig.metrics._kinship import kin_and_copies
from mtsig.report._bundle import source_text
from mtsig.report._families import method_text, people_text
from mtsig_dashboard import compute, session
from mtsig_dashboard.compute import ScoredMetric
from mtsig_dashboard.parts import frame, pictures, show
from mtsig_dashboard.parts.show import plain
from mtsig_dashboard.state import WayOn

_MOST = 20
"""Findings of one list that are shown; the Data page has them all as a table."""

_NAMED = 2
"""Warnings that the closed strip names."""

_LEADS = "Results"
"""The page whose strip stands also without a warning."""


class Fact(NamedTuple):
    """What results rest on: in a few words, in full, and whether it is as it should be."""

    label: str
    sentence: str
    fine: bool = True


def draw(corpus: Corpus, judged: Sequence[ScoredMetric], systems: Collection[str] | None = None) -> None:
    """Draw the strip into the head of the page; systems: those in view, all when None."""
    head = frame.current()
    with head.strip, show.part():
        checkup = compute.examined(corpus)
        families = [each.family for each in judged if each.family is not None]
        found = found_in(corpus, families, [each.intervals for each in judged], systems, checkup)
        facts = _facts(corpus, judged)
        head.found = found, [*facts, *_more_facts(judged), *checked(checkup)]
        head.in_view = systems
        if head.page == _LEADS or any(finding.warns for finding in found):
            with st.expander(_label(found, facts), key="before-you-quote"):
                listed_findings(*head.found)


def warned(notes: Sequence[Note]) -> None:
    """Draw the warnings among notes as the strip, here; nothing where there are none."""
    warnings = [note for note in notes if note.level == "warning"]
    if warnings:
        said = (
            f"**▲ {number_of(len(warnings), 'warning')}:orange[: {plain(warnings[0].headline or warnings[0].text)}]**"
        )
        label = f"**Before you quote this**  :orange[{said}]  :gray[{number_of(len(warnings), 'finding')}]"
        with st.expander(label, key="before-you-quote"):
            show.sentences([note.text for note in warnings])


def found_in(
    corpus: Corpus, families: Sequence[Family], scored: Sequence[Intervals], systems: Collection[str] | None,
    checkup: Checkup,
) -> tuple[Finding, ...]:  # fmt: skip
    """Return the findings on the data and these results, as far as they concern the systems in view."""
    compared = list(corpus.systems) if systems is None else list(systems)
    runs = session.current().selection.grouped(list(corpus.systems)) if families or scored else {}
    in_view = {system: names for system, names in runs.items() if set(names) & set(compared)}
    seen = Seen(corpus, tuple(scored), tuple(families), checkup, in_view)
    return findings(seen, systems)


def source_line(corpus: Corpus, counted: Statistics | Family | None = None, *how_to_read: str) -> None:
    """Say below a picture what it was drawn of, and by which metric, and offer its explanations, by their names."""
    # Two marks round it: a single one in it does not end it.
    signature = "" if counted is None else f" `` {counted.signature} ``"
    data = session.current().data
    line(f"{plain(source_text(corpus, [data.languages_of(data.set_name)]))}{signature}", *how_to_read)


def line(text: str, *how_to_read: str) -> None:
    """Draw a line below a picture, in Markdown, and what explains it.

    Where nothing warns, and the head of the page has no strip, the line begins with the way to the findings.
    """
    head = frame.current()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="source-line"):
        if head.found is not None and head.page != _LEADS and not any(finding.warns for finding in head.found[0]):
            on = "" if head.in_view is None else " on this pair"
            with st.popover(f"✓ No warnings{on}; see all findings", type="tertiary", key="all-findings"):
                listed_findings(*head.found)
        with st.container(width="stretch"):
            st.caption(f"{plain(head.remark)} {text}".strip())
        if how_to_read:
            pictures.explained(*how_to_read)


def over_sets(sets: Sets, found: FamilyOverSets, systems: Collection[str]) -> list[Note]:
    """Draw the warnings on each set, as Results has them, as the strip, those on these systems first; return the notes.

    The notes are those on sets with these systems, and on all sets together.
    """
    own: dict[str, list[Note]] = {}
    for name, family in found.families.items():
        checkup = compute.examined(sets[name])
        own[name] = [finding.note for finding in found_in(sets[name], [family], [], None, checkup)]
    notes = notes_of(own)
    with frame.current().strip:
        warned(sorted(notes, key=lambda note: not note.concerns(systems)))
    return [*(note for note in notes if note.concerns(systems)), *on_all(found.notes, found.families)]


def _label(found: Sequence[Finding], facts: Sequence[Fact]) -> str:
    """Return the closed strip: warnings by their headlines, what results rest on, and how many findings there are."""
    said = ["**Before you quote this**"]
    warnings = [finding for finding in found if finding.warns]
    if warnings:
        names = list(dict.fromkeys(finding.headline for finding in warnings))[:_NAMED]
        # One text may have several findings of a kind: they have one name, and each counts.
        more = sum(finding.headline not in names for finding in warnings)
        named = plain(" · ".join([*names, *([f"+ {more}"] if more else [])]))
        count = number_of(len(warnings), "warning")
        said.append(f":orange[**▲ {count}:orange[{_on_the_data(warnings)}: {named}]**]")
    else:
        said.append(":gray[:green[✓] No warnings]")
    said += [f":gray[{':green[✓] ' if fact.fine else ''}{plain(fact.label)}]" for fact in facts]
    said.append(f":gray[{counted(found)}]")
    return "  ".join(said)


def counted(found: Sequence[Finding]) -> str:
    """Return how many findings there are, as the label of what opens them."""
    return f"{'All ' if len(found) > 1 else ''}{number_of(len(found), 'finding')}{_on_the_data(found)}"


def _on_the_data(found: Sequence[Finding]) -> str:
    """Return how many of these the Data page counts, too, where others come from metrics and tests."""
    count = sum(map(is_on_data, found))
    return f" ({count} on the data)" if 0 < count < len(found) else ""


def listed_findings(found: Sequence[Finding], facts: Sequence[Fact], *, may_leave_out: bool = False) -> None:
    """List the findings, worst first, each with what leads on; then what results rest on.

    may_leave_out: whether a system that a warning is on can be left out here.
    """
    with st.container(key="findings", gap=None):
        for number, finding in enumerate(found[:_MOST]):
            with st.container(horizontal=True, vertical_alignment="top", key=f"finding{number}"):
                st.html(_row("▲" if finding.warns else "●", finding.headline, _sentence(finding)), width="stretch")
                _lead_on(finding, number, may_leave_out)
        if len(found) > _MOST:
            st.caption(f"{number_of(len(found) - _MOST, 'more finding')} on the Data page.")
        st.html("".join(_row("✓" if fact.fine else "●", fact.label, fact.sentence) for fact in facts))


def _row(mark: str, headline: str, sentence: str) -> str:
    kind = {"▲": "warns", "✓": "fine"}.get(mark, "notes")
    return (
        f'<div class="finding {kind}"><span aria-hidden="true">{mark}</span>'
        f"<strong>{in_html(headline)}</strong><span>{in_html(sentence)}</span></div>"
    )


def _sentence(finding: Finding) -> str:
    """Return what was found and what to do; the headline says of which text."""
    # Without a place it is a sentence already, which may begin with the name of a system; as a reason may.
    said = finding.found.removeprefix(f"{finding.headline}: ")
    found = capital_first(said) if finding.where or said != finding.found else said
    # Of several texts the sentence counts the others: without the first, the headline would count one too many.
    found = f"{capital_first(finding.where)}: {said}" if finding.where and " Also: " in said else found
    found = f"Reason: {said}" if finding.check == "verdicts" else found
    said = " ".join(filter(None, (found, capital_first(finding.advice))))
    return said if said.endswith((".", "?", "!")) else f"{said}."


def _lead_on(finding: Finding, number: int, may_leave_out: bool) -> None:
    """Offer what can be done about a finding on this page, or where its segments are read."""
    corpus = session.current().data.corpus
    if finding.flags.startswith("--correction"):
        st.button("Correct by Holm", type="tertiary", on_click=session.choose, args=("correction", "holm"))
    elif finding.headline.endswith("at the brevity penalty"):
        args = ("interval", "percentile")
        st.button("Use percentile", type="tertiary", on_click=session.choose, args=args, key=f"percentile{number}")
    elif looked_for := to_read(finding):
        show.onward(session.SEGMENTS, "Read them", looked_for)
    elif finding.warns and len(finding.systems) == 1 and corpus is not None:
        (name,) = finding.systems
        references = _without_kin(corpus, name) if finding.cause == "kin" else ()
        if references:
            said = f"{listed(references)} {'is' if len(references) == 1 else 'are'} ignored"
            _leave_out(f"Evaluate without {listed([short(one) for one in references])}", said, "reference", references,
                       f"without{number}")  # fmt: skip
        if (may_leave_out or (finding.cause == "kin" and not references)) and len(corpus.systems) > 2:
            runs = corpus.systems.get(name, ())
            _leave_out(f"Leave out {short(name)}", f"{name} is ignored", "system", runs, f"leave-out{number}")


def _without_kin(corpus: Corpus, system: str) -> list[str]:
    """Return the references that a system overlaps, where there are others; else nothing."""
    overlapped = {kin.reference for kin in kin_and_copies(corpus, corpus.digest) if kin.system == system}
    return sorted(overlapped) if overlapped < {*corpus.references} else []


def _leave_out(label: str, said: str, role: str, names: Collection[str], key: str) -> None:
    """Offer to go on without the files of these systems or references."""
    visit = session.current()
    files = [part.label for part in visit.data.used_parts if part.role == role and part.name in names]
    if files:
        st.button(
            plain(label), type="tertiary", key=key, on_click=visit.leave_out, args=(WayOn(label, frozenset(files)),),
            help=plain(f"{said} until the file gets back its role under “How each file was interpreted”."),
        )  # fmt: skip


def to_read(finding: Finding) -> dict[str, str]:
    """Return what the address of Segments says where the lines of a finding are read; nothing where none can be."""
    corpus = session.current().data.corpus
    if not finding.lines or corpus is None or len(corpus.systems) < 2 or not corpus.references:
        return {}
    return {"look_for": " ".join(f"#{line}" for line in finding.lines)}


def _facts(corpus: Corpus, judged: Sequence[ScoredMetric]) -> list[Fact]:
    """Return tokenizers, units and references."""
    facts = [_tokenizer(using) for using in _by_tokenizer(judged).values()]
    if judged:
        facts.append(_units(corpus, judged))
    using = [each.metric.name for each in judged if each.metric.needs_references]
    if using:
        said = f"{listed(using)}: scored against {listed(list(corpus.references))} (multi-reference)."
        if len(corpus.references) == 1:
            said = f"{listed(using)}: scored against {listed(list(corpus.references))}."
        facts.append(Fact(number_of(len(corpus.references), "reference"), said, fine=False))
    return facts


def _by_tokenizer(judged: Sequence[ScoredMetric]) -> dict[str, list[ScoredMetric]]:
    by_tokenizer: dict[str, list[ScoredMetric]] = {}
    for each in judged:
        tokenizer = getattr(each.statistics.metric, "tokenize", None)
        if tokenizer:
            by_tokenizer.setdefault(tokenizer, []).append(each)
    return by_tokenizer


def _tokenizer(using: Sequence[ScoredMetric]) -> Fact:
    metric = using[0].statistics.metric
    by = f"tokenized with {getattr(metric, 'tokenize', '')}"
    names = listed([each.metric.name for each in using])
    who = "The script of the references determined it" if getattr(metric, "by_text", "") else "The user chose it"
    signatures = " ".join(each.statistics.signature for each in using)
    fine = not any(each.statistics.data_caveat for each in using)
    return Fact(f"{names} {by}", f"{who}; others are among its options under Method. {signatures}", fine)


def _units(corpus: Corpus, judged: Sequence[ScoredMetric]) -> Fact:
    """Return what is resampled as a whole."""
    first = judged[0].intervals
    counts = {each.intervals.metric: units_text(each.intervals.units.tolist(), each.intervals.unit) for each in judged}
    if first.unit == "document":
        said = "Sentences of one document are not independent, so documents are resampled as a whole."
    elif first.unit == "block":
        said = "Neighbouring segments are not independent, so blocks of them are resampled as a whole."
    elif corpus.documents is None:
        said = "Without document ids, segments are treated as independent."
    else:
        said = "Documents are known, but segments are treated as independent, so p-values may be too small."
    said += f" The test set has {number_of(len(corpus), 'segment', ',')}."
    if len(set(counts.values())) > 1:
        each = " ".join(f"{metric}: {count}." for metric, count in counts.items())
        return Fact("Units differ by metric", f"{each} {said}", fine=False)
    return Fact(counts[first.metric], said, fine=first.unit == "document" and min(first.units) >= SHORT_TEST_SET)


def _more_facts(judged: Sequence[ScoredMetric]) -> list[Fact]:
    """Return what the opened list has in addition: human translations, and whether more resamples matter."""
    families = [each.family for each in judged if each.family is not None]
    people = list(dict.fromkeys(name for family in families for name in family.order if is_human(name)))
    facts = [Fact(number_of(len(people), "human translation"), people_text(families[0]), fine=False)] if people else []
    if not families:
        return facts
    how = " ".join(f"{family.metric}: {method_text(family)}." for family in families)
    comparisons = [comparison for family in families for comparison in family]
    if not any(comparison.has_p for comparison in comparisons):
        return [*facts, Fact("No p-values", how, fine=False)]
    if not all(comparison.settled for comparison in comparisons if comparison.has_p):
        return [*facts, Fact("Some p-values need more resamples", how, fine=False)]
    if any(comparison.p_adjusted_mc_low < comparison.p_adjusted_mc_high for comparison in comparisons):
        said = "Every p-value is clear of α by more than its Monte Carlo error"
        return [*facts, Fact("p-values are precise", f"{said}; more resamples are unlikely to change a verdict. {how}")]
    return [*facts, Fact("p-values need no resamples", f"The p-values are computed without resampling. {how}")]


def checked(checkup: Checkup) -> list[Fact]:
    """Return how many data checks were run, and on what."""
    looked = f" Similarity was checked on {checkup.segments:,} of {checkup.of:,} segments."
    said = f"The data were not changed.{looked if checkup.segments < checkup.of else ''}"
    return [Fact(number_of(len(checkup.checked), "data check"), said)]
