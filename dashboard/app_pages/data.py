"""Data: files in, roles checked, problems said."""

import hashlib
from dataclasses import replace

import pandas as pd
import streamlit as st

from dashboard import session, show
from dashboard.markdown import plain
from mtsig import ROLES, Corpus, File, Part, inspect, parts_of

MOST_FILES, MOST_BYTES = 500, 200 * 2**20

FILE, ROLE, NAME, SEGMENTS, PROBLEM = "File", "Role", "Name", "Segments", "Problem"


def page() -> None:
    """Draw the page."""
    st.title("Which of your systems is really better?")
    if session.corpus() is None and not session.parts():
        st.markdown(
            "Drop your systems' outputs and at least one reference: UTF-8 text, one segment per line, or one table "
            "with a column per system. Nothing leaves this computer."
        )
        if session.problem():
            st.error(plain(session.problem() or ""))
        show.sample_button()
        _drop_zone()
        with st.expander("How files are recognised"):
            st.markdown(
                "- `ref*` is a reference, `src` or `source*` the source, `docids` or `documents` the document ids, "
                "anything else a system.\n"
                "- In a folder, `systems/` holds systems and `refs/` references.\n"
                "- A `.conllu` file holds the dependency parses of the text of the same name.\n"
                "- A `.tsv` or `.csv` file has one column per text, named the same way in its first row.\n\n"
                "Every guess can be changed in the table that appears."
            )
        return
    _drop_zone()
    if session.parts():
        st.caption("Dropped files are added to these. Give a file the role “ignored” to leave it out.")
        _roles()
    if session.problem():
        st.error(plain(session.problem() or ""))
    corpus = session.corpus()
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
    for one in files:
        digest.update(one.label.encode() + b"\0" + hashlib.sha256(one.data).digest())
    if session.is_new_upload(digest.hexdigest()):
        session.add_parts(parts_of(files))
        st.rerun()


def _roles() -> None:
    """Show what each file is taken for; changes take effect at once."""
    parts = session.parts()
    frame = pd.DataFrame(
        {
            FILE: [part.label for part in parts],
            ROLE: [part.role for part in parts],
            NAME: [part.name for part in parts],
            SEGMENTS: pd.array([None if part.lines is None else len(part.lines) for part in parts], dtype="Int64"),
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
        },
        key=f"roles{session.clicks()}",
        alt="Files with their roles, names, segment counts and problems",
    )
    changed = [_edited(part, row) for part, row in zip(parts, _rows(edited), strict=True)]
    if changed != parts:
        session.load_parts(changed)
        st.rerun()


def _rows(edited: pd.DataFrame) -> list[dict[str, object]]:
    return [{str(key): value for key, value in row.items()} for row in edited.to_dict("records")]


def _edited(part: Part, row: dict[str, object]) -> Part:
    role = next((one for one in ROLES if one == row[ROLE]), part.role)
    renamed = replace(part, name=str(row[NAME] or part.name))
    return renamed if role == part.role else renamed.with_role(role)


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


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _summary(corpus: Corpus) -> None:
    """Say what was understood, and lead on."""
    documents = "no document ids" if corpus.n_documents is None else _count(corpus.n_documents, "document")
    counts = (len(corpus.systems), "system"), (len(corpus.references), "reference"), (len(corpus), "segment")
    said = ", ".join(_count(*one) for one in counts) + f", {documents}."
    if not corpus.references:
        st.warning(f"{said} The metrics need a reference: drop one, or give a file that role in the table.")
    else:
        st.success(said)
    if corpus.references and st.button("See the results", type="primary"):
        st.switch_page("app_pages/overview.py")
    show.notes(inspect(corpus))
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
        frame = pd.DataFrame(texts, index=range(1, len(shown) + 1))
        st.dataframe(frame, alt="The first segments with references and outputs")


show.guarded(page)
