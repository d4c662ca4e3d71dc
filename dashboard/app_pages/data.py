"""Data: files in, roles checked, problems said."""

import hashlib
from dataclasses import replace
from typing import Literal

import pandas as pd
import streamlit as st

from dashboard import compute, in_slices, session, show
from dashboard.markdown import plain
from mtsig import RATING_SCALES, ROLES, Checkup, Corpus, File, Part, in_role, inspect, parts_of
from mtsig.doctor import examine_parts
from mtsig.report import checkup_text, number_of, rated_table

MOST_FILES, MOST_BYTES = 500, 200 * 2**20

FILE, ROLE, NAME, BETTER, SEGMENTS, PROBLEM = "File", "Role", "Name", "Better", "Segments", "Problem"
RATINGS = "ratings"
DIRECTIONS: tuple[Literal["higher", "lower"], ...] = ("higher", "lower")


def page() -> None:
    """Draw the page."""
    st.title("Which of your systems is really better?")
    if session.corpus() is None and not session.parts():
        st.markdown(
            "Drop your systems' outputs and at least one reference: text with one segment per line, a table, WMT's XML "
            "or SGM, JSON, an Excel workbook, or a zip archive of a folder. Nothing leaves this computer."
        )
        if session.problem():
            show.problems(session.problem() or "")
        show.sample_button()
        _drop_zone()
        with st.expander("How files are recognised"):
            st.markdown(
                "- `ref*` is a reference, `src` or `source*` the source, `docids` or `documents` the document ids, "
                "anything else a system.\n"
                "- In a folder, `systems/` holds systems and `refs/` references.\n"
                "- A `.conllu` file holds the dependency parses of the text of the same name.\n"
                "- A `.tsv`, `.csv` or `.xlsx` file has one column per text, named the same way in its first row; or "
                "one row per output, with columns `system` and `hypothesis`.\n"
                "- WMT's file names, mt-metrics-eval's folders, WMT's XML, mteval's SGM and JSON say by themselves "
                "what is what.\n"
                "- Human or metric scores per segment are ratings: a table with one column per system, or with the "
                "columns system, segment and score; also as WMT, mt-metrics-eval and Google's MQM publish them.\n\n"
                "Every guess can be changed in the table that appears."
            )
            _known_ratings()
        return
    _drop_zone()
    if session.parts():
        dropped = "replace the sample data" if session.is_sample() else "are added to these"
        st.caption(f"Dropped files {dropped}. Give a file the role “ignored” to leave it out.")
        _language_pair()
        _roles()
    if session.problem():
        show.problems(session.problem() or "")
        _slipped()
    corpus = session.whole()
    if corpus is not None:
        _summary(corpus)
    if st.button("Start over with other data"):
        session.forget()
        st.rerun()


def _drop_zone() -> None:
    """Take files; they are added to those that are there."""
    uploads = st.file_uploader(
        "Drop files here", accept_multiple_files=True, key=f"drop{session.clicks()}", label_visibility="collapsed"
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
    files = [File(one.name, one.getvalue()) for one in uploads]
    digest = hashlib.sha256()
    for one in uploads:
        digest.update(one.name.encode() + b"\0" + hashlib.sha256(one.getvalue()).digest())
    if session.is_new_upload(digest.hexdigest()):
        session.add_parts(parts_of(files))
        st.rerun()


def _language_pair() -> None:
    """Let the visitor choose among several language pairs."""
    pairs, chosen = session.language_pairs(), session.language_pair()
    if chosen is None:
        return
    picked = st.selectbox("Language pair", pairs, index=pairs.index(chosen), key=f"pair{session.clicks()}")
    if picked != chosen:
        session.choose_language_pair(picked)
        st.rerun()


def _roles() -> None:
    """Show what each file is taken for; changes take effect at once."""
    parts = session.parts()
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
        key=f"roles{session.clicks()}",
        alt="Files with their roles, names, segment counts and problems",
    )
    changed = [new for part, row in zip(parts, _rows(edited), strict=True) for new in _edited(part, row)]
    if changed != parts:
        session.load_parts(changed)
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
    frame = pd.DataFrame(
        {
            "Known": [one.title for one in RATING_SCALES],
            "Better": ["higher" if one.better == "higher" else "lower; higher if negative" for one in RATING_SCALES],
            "Scores": [one.about for one in RATING_SCALES],
        }
    )
    show.table(frame, alt="Known ratings and their directions")


def _ratings(corpus: Corpus) -> None:
    """Show what was read of each rating, and how its direction is known."""
    found = rated_table(corpus)
    st.subheader("Ratings")
    frame = pd.DataFrame(found.rows, columns=[name.capitalize() for name in found.header])
    show.table(frame, alt="Ratings, with how much is rated and which direction is better")
    with st.expander("Which ratings are known"):
        _known_ratings()


def _runs(outputs: list[str]) -> None:
    """Let the visitor say which outputs are runs of one system; names such as X.run1 and X.seed2 say it themselves."""
    said = session.run_of(outputs)
    with st.expander("Several runs of one system?", expanded=bool(session.runs(outputs))):
        st.caption(
            "Outputs of one system trained or tuned several times go by one name here; then *Overview* compares "
            "systems over all their runs."
        )
        edited = st.data_editor(
            pd.DataFrame({"Output": outputs, "Is a run of": [said[output] for output in outputs]}),
            hide_index=True,
            disabled=["Output"],
            column_config={"Is a run of": st.column_config.TextColumn(required=True)},
            key=f"run_of{session.clicks()}",
            alt="Outputs, and the system that each is a run of",
        )
    changed = {str(row["Output"]): str(row["Is a run of"] or row["Output"]).strip() for row in _rows(edited)}
    if changed != said:
        session.keep_run_of(changed)
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
            frame = found.to_frame().drop(columns="lines")
            show.table(frame, alt="Findings of the alignment doctor: where, what and what to do")
        else:
            st.text("Lines that slipped, copies, other languages, odd characters: none.")


def _slipped() -> None:
    """Say where files that do not run in parallel probably slipped; what cannot be read is said already."""
    for one in examine_parts(session.used_parts()):
        if one.check == "lengths":
            st.warning(plain(one.note.text))


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
        st.switch_page("app_pages/overview.py")
    show.notes(inspect(corpus))
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
