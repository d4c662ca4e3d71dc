"""Data: files in, roles checked, problems said."""

import hashlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import islice, takewhile
from typing import Literal

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from mtsig import Corpus, MtsigError
from mtsig._writing import visible
from mtsig.corpus._notes import counted_names, is_human, listed, number_of
from mtsig.doctor import Checkup, Finding
from mtsig.explain import explain
from mtsig.readers import File, Part
from mtsig.readers._names import RATING_SCALES, ROLES
from mtsig.readers._parts import in_role
from mtsig.readers._read import parts_of, sample_files
from mtsig.readers._sheet import is_of_preferences
from mtsig.report import Table
from mtsig.report._bundle import checkup_table, checkup_text
from mtsig.report._raters import rated_table
from mtsig_dashboard import compute, session
from mtsig_dashboard.host import MOST_BYTES, MOST_FILES, given_up
from mtsig_dashboard.memory import visitor
from mtsig_dashboard.parts import bar, frame, incoming, pictures, questions, show, stages, strip
from mtsig_dashboard.parts.show import plain
from mtsig_dashboard.state import Data, files_of

# Files, and systems, that a table lists to be changed: of more, the first.
MOST_LISTED = 500

# Findings that stand on the page; of more, the table has all.
_MOST_FOUND = 6

# Systems whose texts stand beside each other.
_MOST_SEEN = 20

_TITLE = "Which of your systems is significantly better?"

_SERIOUS = "A warning (▲) can change a verdict or a rank: remove its cause, or report it with the results."
_NOT_SERIOUS = "The data checks gave no warnings."
_MORE_LATER = "Each page of results adds the findings on its metrics and tests."

FILE, ROLE, NAME, BETTER, SEGMENTS, PROBLEM = "File", "Role", "Name", "Better", "Segments", "Problem"
RATINGS, IGNORED = "ratings", "ignored"

_ALONE = (".json", ".jsonl", ".tsv", ".csv", ".xlsx")
_MOST_RATINGS = _MOST_UNUSED = 3  # more are counted, not named

DIRECTIONS: tuple[Literal["higher", "lower"], ...] = ("higher", "lower")


def page() -> None:
    """Draw the page."""
    incoming.watch()
    visit, data = session.current(), session.current().data
    if data.corpus is None and not data.parts:
        _without_data()
        return
    with st.container(key="first-words"):
        title, lede = st.empty(), st.empty()
        for told in _not_used(data):
            st.markdown(plain(told))
        if data.whose:
            st.caption(data.whose)
    title.title(plain(_title(data)), anchor=False)
    frame.current().about_link()
    if data.set_names:
        with show.part():
            _sets()
    papers = {part.label: part.file for part in data.parts if part.file is not None and _is_for_paper(part)}
    for file in papers.values():
        with show.part():
            _for_paper(file)
    if data.preferences:
        with show.state("Preferences", f"{number_of(len(data.preferences), 'file')} with verdicts on system pairs."):
            if st.button("See the preferences", type="primary" if data.whole is None else "secondary"):
                visit.open_page(session.PREFERENCES)
    understood = st.container()
    with st.container(key="data-parts"):
        found, adding = (st.container(key=f"data-{name}") for name in ("found", "adding"))
    more = st.container(key="data-more", gap=None)
    with more:
        # What is known at once stands at once; looking through the texts takes seconds.
        mine = data.parts_of_set(data.set_name)
        label = f"How each file was interpreted ({number_of(len(files_of(mine)), 'file', ',')})"
        with st.expander(label, expanded=data.whole is None or any(part.problem for part in mine)):
            _roles()
    with adding:
        _drop_zone()
        disk = ", its address and the disk" if data.own else " and its address; the sender of the link keeps them"
        if st.button("Forget my data", help=f"Removes the files from this page{disk}."):
            visit.forget()
            st.rerun()
    with found, show.part():
        if data.problem and len(papers) + len(data.preferences) < len(data.parts):
            show.problems(data.problem)
            show.quiet(data.slipped, "Where lines are misaligned")
    if data.whole is None:
        return
    with understood, show.part():
        warnings, checkup, findings = _understood(data.whole)
        title.title(plain(_title(data, warnings)), anchor=False)
        if data.scorable:
            lede.markdown(_SERIOUS if warnings else _NOT_SERIOUS)
        with found:
            _found(findings, checkup)
    with more, show.part():
        _more(data.whole)


def _title(data: Data, warnings: int = 0) -> str:
    """Return what can be done with the data; of several test sets with that which is shown."""
    corpus = data.whole
    if corpus is None:
        return "Ready to compare by preferences" if data.preferences else "These files are not a test set yet"
    judged = corpus.outputs or corpus.systems
    systems = number_of(sum(not is_human(name) for name in judged), "system")
    if not data.scorable:
        return f"{systems}, but no reference"
    systems += f" on {data.set_name}" if data.set_names else ""
    ready = f"Ready to {'compare' if len(judged) > 1 else 'score'} {systems}"
    return f"{ready}, with {number_of(warnings, 'warning')}" if warnings else ready


def _found(findings: Sequence[Finding], checkup: Checkup) -> None:
    """List what was found, worst first, with how much was looked at."""
    facts = [fact._replace(sentence=f"{fact.sentence} {_MORE_LATER}") for fact in strip.checked(checkup)]
    strip.listed_findings(findings[:_MOST_FOUND], facts, may_leave_out=True)
    if len(findings) > _MOST_FOUND:
        st.caption(f"{number_of(len(findings) - _MOST_FOUND, 'more finding')} in the table below.")


def _without_data() -> None:
    """Ask for files, next to the sample data that are answered already."""
    data = session.current().data
    with st.container(key="first-words"):
        st.title(_TITLE, anchor=False)
        st.markdown(explain("files"))
    frame.current().about_link()
    if data.problem:
        show.problems(data.problem)
    show.lost(is_data=True)
    with st.container(key="first-page"):
        with st.container(key="first-left"):
            with st.container(key="first-drop"):
                _drop_zone()
            with st.container(horizontal=True, gap="small"):
                with st.popover("How files are recognised"):
                    st.markdown(explain("recognised-files"))
                    _known_ratings()
                _tour()
                if st.button("Open a saved study"):
                    session.current().open_page(session.PAPER)
        with st.container(key="first-right"):
            st.html(stages.sample_answer())
            if st.button("Open the sample", type="primary"):
                with show.part():
                    session.current().load_sample(parts_of(sample_files()))
                session.current().open_page(session.current().home)


def _tour() -> None:
    """Offer the first tour, until it was seen or dismissed."""
    view = session.current().view
    if not view.toured:
        with st.popover("A tour in three steps", key="tour_offered", on_change="rerun") as tour:
            if tour.open:
                stages.tour(view.end_tour)


def _drop_zone() -> None:
    """Take files; they are added to those that are there. A file whose chip is removed goes."""
    visit = session.current()
    key = f"drop{visit.view.clicks}"
    uploads = st.file_uploader(
        "Add files" if visit.data.parts else "Drop your systems' outputs and a reference",
        accept_multiple_files=True,
        key=key,
        on_change=visit.chips_changed,
        args=(key,),
        help="Dropped files replace the sample data." if visit.data.is_sample else None,
    )
    files = visit.files_of(uploads)
    lost = [upload.name for upload in uploads if visit.has_lost(upload)]
    if lost:
        again = f"{', '.join(lost)}. Drop {'it' if len(lost) == 1 else 'them'} again."
        with show.state("No longer kept", again, warns=True):
            pass
    there = {*(upload.name for upload in uploads), *visit.data.dropped}
    gone = [name for name in given_up(visitor()) if name not in there]
    if gone:
        these = "this file" if len(gone) == 1 else "these files"
        told = f"The server ran out of memory and discarded {these} before they were read: {', '.join(gone)}."
        what = "No result uses them. Drop them again, a few at a time or packed with gzip, or use the command line."
        with show.state("Files were not kept", f"{told} {what}", warns=True):
            pass
    incoming.tell_refused(there)
    labels = visit.labelled(uploads)
    _same_names(uploads, labels)
    total = sum(len(file.content) for file in files if isinstance(file.content, bytes))
    if len(uploads) > MOST_FILES or total > MOST_BYTES:
        st.error(
            f"{len(uploads)} files of {total / 2**20:.0f} MB together are too much for the browser, which "
            f"takes at most {MOST_FILES} files and {MOST_BYTES // 2**20} MB. The command line has no such limit."
        )
        return
    if visit.data.are_new(labels):
        # Whether an archive is a test set beside others is seen from all of them.
        archives = [file for label, file in visit.data.dropped.items() if _is_archive(label)]
        before = archives if any(_is_archive(file.label) for file in files) else []
        new = {file.label for file in files}
        try:
            parts = compute.parts([*(file for file in before if file.label not in new), *files])
            if visit.data.aside:
                visit.restore(compute.parts)  # the room was needed meanwhile
            visit.drop(files, parts, labels)
        except MtsigError:
            visit.data.upload = labels
            raise
        visit.empty(uploads)
        st.rerun()
    visit.data.upload = labels
    _dropped_before(set(labels.values()))


def _same_names(uploads: Sequence[UploadedFile], labels: Mapping[str, str]) -> None:
    """Say what becomes of files of one name: dropped together, they have numbers; a later one replaces the earlier."""
    names = {upload.file_id: File(upload.name, b"").label for upload in uploads}
    numbered = [f"{name} is {labels[upload]}" for upload, name in names.items() if labels[upload] != name]
    if numbered:
        st.info(plain(f"Files with the same name are numbered: {', '.join(numbered)}."))
    replaced = session.current().data.replaced
    if replaced:
        these = "the files" if len(replaced) > 1 else "the file"
        st.info(plain(f"{', '.join(replaced)}: this replaces {these} dropped before."))


def _dropped_before(shown: Collection[str]) -> None:
    """Let files go whose chips are not shown: a change of page or a reload takes all chips away."""
    visit = session.current()
    kept = [label for label in visit.data.dropped if label not in shown]
    if kept:
        key = f"remove{visit.view.clicks}-{len(kept)}"
        chosen = st.multiselect("Remove files", kept, format_func=visible, key=key, placeholder="Files dropped before")
        if chosen and st.button("Remove"):
            visit.remove(chosen)
            st.rerun()


def _is_archive(label: str) -> bool:
    return label.lower().endswith(".zip")


def _sets() -> None:
    """Say which test sets there are and which cannot be read, and lead on to what they say together."""
    data = session.current().data
    sets = data.sets
    everywhere = set.intersection(*(set(corpus.systems) for corpus in sets.values()))
    systems = [name for name in everywhere if not is_human(name)]
    said = f"{counted_names('test set', sets)} · {number_of(len(systems), 'system')} in all of them"
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="understood-sets"):
        with st.container(width="stretch"):
            st.markdown(f"**{plain(said)}**")
        if len(sets) > 1 and st.button("See the test sets", type="primary"):
            session.current().open_page(session.TEST_SETS)
    show.quiet(sets.notes, "About these test sets")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        bar.choose_set()
        st.caption("Everything below is for this test set.")


def _is_for_paper(part: Part) -> bool:
    return part.role == IGNORED and part.file is not None and incoming.is_for_paper(part.file)


def _for_paper(file: File) -> None:
    """Lead a study made before, or an analysis plan, to where it is opened."""
    study = file.path.suffix == ".json"
    left, right = st.columns([3, 1], vertical_alignment="center")
    left.markdown(f"**{plain(file.label)}** is {'an earlier study' if study else 'an analysis plan'}, not a text.")
    label = "Open the study" if study else "Follow the plan"
    kind: Literal["primary", "secondary"] = "primary" if session.current().data.whole is None else "secondary"
    if right.button(label, type=kind, key=f"paper-{file.label}", width="stretch"):
        incoming.open_on_paper(file)


def _roles() -> None:
    """Show what each file is taken for: those to be mended, those that are used, the others; changes hold at once."""
    visit = session.current()
    mine = visit.data.parts_of_set(visit.data.set_name)
    parts = sorted(mine, key=lambda part: (part.problem is None, part.role == IGNORED))
    left, parts = len(parts) - MOST_LISTED, parts[:MOST_LISTED]
    expected = _usual_length(visit.data)
    frame = pd.DataFrame(
        {
            FILE: _short([part.label for part in parts]),
            ROLE: [part.role for part in parts],
            NAME: [part.name for part in parts],
            BETTER: [part.better or "" for part in parts],
            SEGMENTS: [_segments(part) for part in parts],
            PROBLEM: [_remark(part, visit.data, expected) for part in parts],
        }
    )
    # A table of many rows is measured by the first few: the room that names need is said.
    room = {
        name: st.column_config.TextColumn(width=_room(frame[name].tolist()), required=name == NAME)
        for name in (FILE, NAME)
    }
    unsaid = {PROBLEM} if not any(frame[PROBLEM]) else set()
    if all(part.role != RATINGS for part in parts):
        unsaid.add(BETTER)
    edited = st.data_editor(
        frame,
        hide_index=True,
        disabled=[FILE, SEGMENTS, PROBLEM],
        placeholder=" ",
        column_config={
            ROLE: st.column_config.SelectboxColumn(options=list(ROLES), required=True),
            **room,
            SEGMENTS: st.column_config.TextColumn(alignment="right"),
            PROBLEM: st.column_config.TextColumn(width="large"),
            BETTER: st.column_config.SelectboxColumn(
                options=["", *DIRECTIONS],
                help="For ratings: the better direction. Leave it empty if the rating's name shows it, as for MQM.",
            ),
        },
        column_order=[name for name in frame.columns if name not in unsaid],
        # Edits are kept by place: where another file stands there, they are forgotten.
        key=f"roles{visit.view.clicks}-{_order(parts)}",
        alt="Files with their roles, names, segment counts and problems",
    )
    if left > 0:
        st.caption(f"{number_of(left, 'more file', ',')} not listed here. Files with a problem come first.")
    said = {part.label: _edited(part, row) for part, row in zip(parts, _rows(edited), strict=True)}
    changed = [new for part in visit.data.parts for new in said.get(part.label, [part])]
    if changed != visit.data.parts:
        visit.load_parts(changed)
        st.rerun()


def _order(parts: Sequence[Part]) -> str:
    """Return what tells this order of parts from others."""
    labels = "\0".join(part.label for part in parts)
    return hashlib.sha256(labels.encode("utf-8", "surrogatepass")).hexdigest()


def _rows(edited: pd.DataFrame) -> list[dict[str, object]]:
    return [{str(key): value for key, value in row.items()} for row in edited.to_dict("records")]


def _room(texts: Sequence[str]) -> int:
    """Return how many pixels a column of texts needs; very long ones are read on being pointed at."""
    return 24 + 7 * min(40, max(map(len, texts), default=0))


def _short(labels: Sequence[str]) -> list[str]:
    """Return labels without the archive and folders that all of them lie in, so that there is room for the rest."""
    split = [label.split("/") for label in labels]
    levels = zip(*(parts[:-1] for parts in split), strict=False)
    shared = len(list(takewhile(lambda level: len(set(level)) == 1, levels)))
    return ["/".join(parts[shared:]) for parts in split]


def _segments(part: Part) -> str:
    """Return how many segments a part has text, or scores, for; a text, so that an empty cell is empty."""
    if part.scored is not None:
        return f"{part.scored.segments:,}"
    return "" if part.lines is None else f"{len(part.lines):,}"


def _remark(part: Part, data: Data, expected: int | None) -> str:
    """Return what is wrong with a part, or why it plays no role."""
    if _is_for_paper(part):
        return "This file opens on the Paper page."
    if is_of_preferences(part.form):
        return "This file opens on the Preferences page."
    if part.problem is not None:
        return part.problem
    if part.role != IGNORED:
        own = len(part.lines or ())
        other = expected is not None and _has_length(part) and own != expected
        return f"This file has {number_of(own, 'segment', ',')}, but {expected:,} are expected." if other else ""
    if part.lines is not None or part.scored is not None:
        return "Left out: its role is “ignored”."
    if part.notes:
        return part.notes[0].text
    if part.form and part.form != "line file" and not part.form.startswith("ratings"):
        return f"Left out: {part.form}."
    name = part.label.lower()
    if name.endswith(_ALONE):
        return "Left out: a file of this type is read as text only if no other file is a system."
    if any("systems/" in used_part.label for used_part in data.used_parts):
        return "Left out: it is not in the folder of systems."
    return "Left out: its role is unknown. Give it a role to use it."


def _not_used(data: Data) -> list[str]:
    """Return a sentence on each file that was dropped and of which nothing is used; of many one sentence on all."""
    used = {label for part in data.parts if part.role != IGNORED for label in files_of([part])}
    unused = {
        label: reduce(
            str.removeprefix, ("Left out: ", f"{label}: ", f"{label} was ignored: "), _remark(part, data, None)
        )
        for part in data.parts for label in files_of([part])
        if label in data.dropped and label not in used and not _is_for_paper(part) and not is_of_preferences(part.form)
    }  # fmt: skip
    if len(unused) > _MOST_UNUSED:
        return [f"{len(unused)} files were not used: {listed(list(unused), most=_MOST_UNUSED)}. The table says why."]
    return [f"{label} was not used: {why.removesuffix('.')}." for label, why in unused.items()]


def _usual_length(data: Data) -> int | None:
    """Return how many segments most files have; None where they make a test set, or are no texts."""
    lengths = Counter(len(part.lines or ()) for part in data.used_parts if _has_length(part))
    return lengths.most_common(1)[0][0] if lengths and data.whole is None else None


def _has_length(part: Part) -> bool:
    return part.lines is not None and part.role not in {"parses", RATINGS, IGNORED}


def _edited(part: Part, row: dict[str, object]) -> list[Part]:
    """Return what the visitor made of a part: more than one where its file turns out to hold several ratings."""
    role = next((known_role for known_role in ROLES if known_role == row[ROLE]), part.role)
    better = next((direction for direction in DIRECTIONS if direction == row[BETTER]), None)
    changed = replace(part, name=str(row[NAME] or part.name), better=better)
    return [changed] if role == part.role else in_role(changed, role)


def _known_ratings() -> None:
    """Show the names of ratings that tell which direction is better."""
    st.caption("For ratings with these names, the better direction is known. For others, choose it in the table.")
    lower = "lower; higher if negative"
    rows = ((scale.title, "higher" if scale.better == "higher" else lower, scale.about) for scale in RATING_SCALES)
    known = Table.of_text("", ("Known", "Better", "Scores"), rows)
    pictures.table(known, alt="Known ratings and their directions")


def _ratings(corpus: Corpus, parts: Sequence[Part]) -> None:
    """Show what was read of each rating, and how its direction is known."""
    st.header("Ratings")
    rated = pictures.begun(rated_table(corpus, parts))
    pictures.table(rated, alt="Ratings, their protocols, raters, number of segments and better direction",
                   column_order=pictures.at_a_glance(rated, if_room=("because", "to", "from", "by")))  # fmt: skip
    st.caption(plain(rated.caption))
    with st.expander("Ratings with a known direction"):
        _known_ratings()


def _runs(outputs: list[str]) -> None:
    """Let the visitor say which outputs are runs of one system; names such as X.run1 and X.seed2 say it themselves."""
    visit = session.current()
    left, outputs = len(outputs) - MOST_LISTED, outputs[:MOST_LISTED]
    said = visit.selection.systems(outputs)
    with st.expander("Are some outputs runs of one system?", expanded=bool(visit.selection.runs(outputs))):
        st.caption(explain("runs"))
        edited = st.data_editor(
            pd.DataFrame({"Output": outputs, "Is a run of": [said[output] for output in outputs]}),
            hide_index=True,
            disabled=["Output"],
            column_config={"Is a run of": st.column_config.TextColumn(required=True)},
            key=f"run_of{visit.view.clicks}",
            alt="Outputs, and the system that each is a run of",
        )
        if left > 0:
            st.caption(f"{number_of(left, 'more output', ',')} not listed here.")
        several = visit.selection.runs(outputs)
        if several and st.button("Treat each group as samples of one model", help=explain("samples")):
            visit.load_parts(compute.samples(visit.data.parts, several))
            st.rerun()
    changed = {str(row["Output"]): str(row["Is a run of"] or row["Output"]).strip() for row in _rows(edited)}
    if changed != said:
        visit.choose_runs({**visit.selection.run_of, **changed})
        st.rerun()


def _understood(corpus: Corpus) -> tuple[int, Checkup, Sequence[Finding]]:
    """Say what was understood, and lead on; return how many warnings there are, and all that was found."""
    data, checkup = session.current().data, compute.examined(corpus)
    found = strip.found_in(corpus, [], [], None, checkup)
    warnings = sum(finding.warns for finding in found)
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="understood"):
        with st.container(width="stretch"):
            st.markdown(f"**{plain(_roles_text(corpus))}**")
        if data.scorable:
            # What all sets say together comes first.
            label = f"See the results of {plain(str(data.set_name))}" if data.set_names else "See the results"
            to_read = next(filter(None, (strip.to_read(finding) for finding in found if finding.warns)), None)
            if to_read and st.button("Read the segments in question", type="primary"):
                session.current().open_page(session.SEGMENTS, to_read)
            if st.button(label, type="secondary" if data.set_names or to_read else "primary"):
                session.current().open_page(session.current().home_of_set)
    if not data.scorable:
        with show.state("No reference", explain("no-reference")):
            pass
    return warnings, checkup, found


def _roles_text(corpus: Corpus) -> str:
    """Return what the files are, by role; a system is what has text, where anything has.

    Results compares as many: also references that lie among the systems, and in a rating what has that alone.
    """
    copies = {tuple(lines) for lines in corpus.references.values()}
    again = [run for run, lines in corpus.outputs.items() if tuple(lines) in copies]
    judged = corpus.outputs or corpus.systems
    people = sum(map(is_human, judged))
    rated = sum(not runs for runs in corpus.systems.values())
    said = [number_of(len(corpus.references), "reference")] if corpus.references else []
    with_text = " with text" if rated and corpus.outputs else ""
    said.append(number_of(len(judged) - people, "system") + with_text)
    said += [number_of(people, "human translation")] if people else []
    said += [f"{len(again)} of these identical to a reference"] if again else []
    said += [number_of(rated, "name") + " with ratings only"] if with_text else []
    said.append(number_of(len(corpus), "segment", ","))
    said.append("no document ids" if corpus.n_documents is None else number_of(corpus.n_documents, "document", ","))
    if len(corpus.ratings) > _MOST_RATINGS:
        said.append(number_of(len(corpus.ratings), "rating"))
    else:
        for name, rating in corpus.ratings.items():
            said.append(f"{name} for {np.count_nonzero(~np.isnan(rating.values).all(axis=1))}")
    return " · ".join(said)


def _more(corpus: Corpus) -> None:
    """Show what else can be said and chosen of the data."""
    checkup = compute.examined(corpus)
    found = replace(checkup, findings=strip.found_in(corpus, [], [], None, checkup))
    with st.expander(f"All findings on the data as a table ({len(found)})"):
        pictures.table(checkup_table(found), alt="Findings of the data checks: place, problem and solution")
        st.caption(checkup_text(found))
    questions.part_of_set(corpus)
    if corpus.ratings:
        _ratings(corpus, session.current().data.used_parts)
    if corpus.outputs:
        _runs(list(corpus.systems))
    with st.expander("Look at the segments"):
        shown = corpus.take(range(min(50, len(corpus))))
        texts: dict[str, object] = {}
        if shown.documents is not None:
            texts["document"] = shown.documents
        if shown.segments.sources is not None:
            texts["source"] = shown.segments.sources
        texts |= {f"reference {name}": lines for name, lines in shown.references.items()}
        texts |= {f"system {name}": lines for name, lines in islice(shown.outputs.items(), _MOST_SEEN)}
        if not shown.outputs:
            name, rating = next(iter(shown.ratings.items()))
            texts |= {f"{name} of {system}": row for system, row in zip(shown.systems, rating.values, strict=True)}
        frame = pd.DataFrame(texts, index=pd.RangeIndex(1, len(shown) + 1, name="segment"))
        st.dataframe(frame, alt="The first segments with references and outputs")


show.guarded(page, is_data=True)
