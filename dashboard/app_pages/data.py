"""Data: files in, roles checked, problems said."""

from dataclasses import replace
from typing import Literal

import pandas as pd
import streamlit as st

from dashboard import compute, in_slices, session, show
from dashboard.markdown import plain
from mtsig import Corpus
from mtsig.doctor import Checkup
from mtsig.explain import explain
from mtsig.readers import RATING_SCALES, ROLES, File, Part, in_role
from mtsig.report import Table, checkup_table, checkup_text, number_of, rated_table

MOST_FILES, MOST_BYTES = 500, 200 * 2**20

FILE, ROLE, NAME, BETTER, SEGMENTS, PROBLEM = "File", "Role", "Name", "Better", "Segments", "Problem"
RATINGS = "ratings"
DIRECTIONS: tuple[Literal["higher", "lower"], ...] = ("higher", "lower")


def page() -> None:
    """Draw the page."""
    st.title("Which of your systems is really better?")
    visit, data = session.current(), session.current().data
    if data.corpus is None and not data.parts:
        st.markdown(explain("files"))
        if data.problem:
            show.problems(data.problem)
        _lost()
        show.sample_button()
        _drop_zone()
        with st.expander("How files are recognised"):
            st.markdown(explain("recognised-files"))
            _known_ratings()
        return
    _drop_zone()
    if data.parts:
        dropped = "replace the sample data" if data.is_sample else "are added to these"
        st.caption(f"Dropped files {dropped}. Give a file the role “ignored” to leave it out.")
        _language_pair()
        _roles()
    if data.problem:
        show.problems(data.problem)
        _slipped()
    if data.whole is not None:
        _summary(data.whole)
    if st.button("Start over with other data"):
        visit.forget()
        st.rerun()


def _lost() -> None:
    """Say that the data of a link are gone, by the names it knew."""
    names = session.current().data.lost
    if names is not None:
        known = f": {', '.join(names)}" if names else ""
        st.info(plain(f"The data of this link are no longer here: drop the files again{known}."))


def _drop_zone() -> None:
    """Take files; they are added to those that are there."""
    visit = session.current()
    uploads = st.file_uploader(
        "Drop files here", accept_multiple_files=True, key=f"drop{visit.view.clicks}", label_visibility="collapsed"
    )
    if not uploads:
        return
    total = sum(one.size for one in uploads)
    if len(uploads) > MOST_FILES or total > MOST_BYTES:
        st.error(
            f"{len(uploads)} files of {total / 2**20:.0f} MB together are too much for the browser: at most "
            f"{MOST_FILES} files and {MOST_BYTES // 2**20} MB. The command line has no such limit: "
            "mtsig compare --data FOLDER."
        )
        return
    if visit.data.is_new_upload(tuple(one.file_id for one in uploads)):
        files = [File(one.name, one.getvalue()) for one in uploads]
        visit.drop(files, compute.parts(files))
        st.rerun()


def _language_pair() -> None:
    """Let the visitor choose among several language pairs."""
    visit = session.current()
    pairs, chosen = visit.data.language_pairs, visit.data.language_pair
    if chosen is None:
        return
    picked = st.selectbox("Language pair", pairs, index=pairs.index(chosen), key=f"pair{visit.view.clicks}")
    if picked != chosen:
        visit.choose_language_pair(picked)
        st.rerun()


def _roles() -> None:
    """Show what each file is taken for; changes take effect at once."""
    visit = session.current()
    parts = visit.data.parts
    frame = pd.DataFrame(
        {
            FILE: [part.label for part in parts],
            ROLE: [part.role for part in parts],
            NAME: [part.name for part in parts],
            BETTER: [part.better or "" for part in parts],
            SEGMENTS: pd.array([_segments(part) for part in parts], dtype="Int64"),
            PROBLEM: [part.problem or "" for part in parts],
        }
    )
    edited = st.data_editor(
        frame,
        hide_index=True,
        disabled=[FILE, SEGMENTS, PROBLEM],
        column_config={
            ROLE: st.column_config.SelectboxColumn(options=list(ROLES), required=True),
            NAME: st.column_config.TextColumn(required=True),
            BETTER: st.column_config.SelectboxColumn(
                options=["", *DIRECTIONS],
                help="For ratings: which direction is better. Leave it empty where the name tells, as MQM or COMET do.",
            ),
        },
        column_order=[name for name in frame.columns if name != BETTER or any(part.role == RATINGS for part in parts)],
        key=f"roles{visit.view.clicks}",
        alt="Files with their roles, names, segment counts and problems",
    )
    changed = [new for part, row in zip(parts, _rows(edited), strict=True) for new in _edited(part, row)]
    if changed != parts:
        visit.load_parts(changed)
        st.rerun()


def _rows(edited: pd.DataFrame) -> list[dict[str, object]]:
    return [{str(key): value for key, value in row.items()} for row in edited.to_dict("records")]


def _segments(part: Part) -> int | None:
    """Return how many segments a part has text, or scores, for."""
    if part.scored is not None:
        return part.scored.segments
    return None if part.lines is None else len(part.lines)


def _edited(part: Part, row: dict[str, object]) -> list[Part]:
    """Return what the visitor made of a part: more than one where its file turns out to hold several ratings."""
    role = next((one for one in ROLES if one == row[ROLE]), part.role)
    better = next((one for one in DIRECTIONS if one == row[BETTER]), None)
    changed = replace(part, name=str(row[NAME] or part.name), better=better)
    return [changed] if role == part.role else in_role(changed, role)


def _known_ratings() -> None:
    """Show the names of ratings that tell which direction is better."""
    st.caption("The names of these ratings tell which direction is better; for others it must be said.")
    lower = "lower; higher if negative"
    rows = ((scale.title, "higher" if scale.better == "higher" else lower, scale.about) for scale in RATING_SCALES)
    known = Table.of_text("", ("Known", "Better", "Scores"), rows)
    show.table(known, alt="Known ratings and their directions")


def _ratings(corpus: Corpus) -> None:
    """Show what was read of each rating, and how its direction is known."""
    st.subheader("Ratings")
    rated = show.capitalised(rated_table(corpus))
    show.table(rated, alt="Ratings, with how much is rated and which direction is better")
    with st.expander("Which ratings are known"):
        _known_ratings()


def _runs(outputs: list[str]) -> None:
    """Let the visitor say which outputs are runs of one system; names such as X.run1 and X.seed2 say it themselves."""
    visit = session.current()
    said = visit.selection.systems(outputs)
    with st.expander("Several runs of one system?", expanded=bool(visit.selection.runs(outputs))):
        st.caption(explain("runs"))
        edited = st.data_editor(
            pd.DataFrame({"Output": outputs, "Is a run of": [said[output] for output in outputs]}),
            hide_index=True,
            disabled=["Output"],
            column_config={"Is a run of": st.column_config.TextColumn(required=True)},
            key=f"run_of{visit.view.clicks}",
            alt="Outputs, and the system that each is a run of",
        )
    changed = {str(row["Output"]): str(row["Is a run of"] or row["Output"]).strip() for row in _rows(edited)}
    if changed != said:
        visit.selection.run_of = changed
        st.rerun()


def _doctor(corpus: Corpus) -> None:
    """Say what the alignment doctor found, before any number is shown."""
    found = compute.examined(corpus)
    for one in found.warnings:
        # What is said of empty and identical systems stands below already.
        if one.check not in {"empty", "identical"}:
            st.warning(plain(one.note.text))
    _findings(found)


def _findings(found: Checkup) -> None:
    with st.expander(checkup_text(found)):
        if len(found):
            show.table(checkup_table(found), alt="Findings of the alignment doctor: where, what and what to do")
        else:
            st.text("Lines that slipped, copies, other languages, odd characters: none.")


def _slipped() -> None:
    """Say where files that do not run in parallel probably slipped; what cannot be read is said already."""
    for note in session.current().data.slipped:
        st.warning(plain(note.text))


def _summary(corpus: Corpus) -> None:
    """Say what was understood, and lead on."""
    documents = "no document ids" if corpus.n_documents is None else number_of(corpus.n_documents, "document")
    counts = (len(corpus.systems), "system"), (len(corpus.references), "reference"), (len(corpus), "segment")
    said = ", ".join(number_of(*one) for one in counts) + f", {documents}"
    said += f", {number_of(len(corpus.ratings), 'rating')}." if corpus.ratings else "."
    usable = bool(corpus.references or corpus.ratings)
    if not usable:
        st.warning(f"{said} The metrics need a reference: drop one, or give a file that role in the table.")
    else:
        st.success(said)
    _doctor(corpus)
    in_slices.selection(corpus)
    if usable and st.button("See the results", type="primary"):
        st.switch_page("app_pages/results.py")
    show.notes(compute.inspected(corpus))
    if corpus.ratings:
        _ratings(corpus)
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
        texts |= {f"system {name}": lines for name, lines in shown.outputs.items()}
        if not shown.outputs:
            name, rating = next(iter(shown.ratings.items()))
            texts |= {f"{name} of {system}": row for system, row in zip(shown.systems, rating.values, strict=True)}
        frame = pd.DataFrame(texts, index=range(1, len(shown) + 1))
        st.dataframe(frame, alt="The first segments with references and outputs")


show.guarded(page)
