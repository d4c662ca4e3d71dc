"""What comes into the Paper page: a study made before, and an analysis plan."""

import re
from collections.abc import Callable, Sequence

import streamlit as st

from mtsig import Corpus, MtsigError
from mtsig.corpus import Note
from mtsig.corpus._notes import number_of
from mtsig.explain import explain
from mtsig.readers import File
from mtsig.study import AnalysisPlan, Change, Study, reproduce, study_of
from mtsig.study._changes import TAKEN_TEXT, checked_note, reproduced_text, reproduction_text
from mtsig.study._request import plan_of
from mtsig_dashboard import session
from mtsig_dashboard.memory import asked, worked
from mtsig_dashboard.parts.forms import MOST
from mtsig_dashboard.parts.show import plain

MOST_BYTES = 50 * 2**20

_LOAD = "Load the study's data on the Data page to make it again; the documents below are from the file alone."
_STUDY, _PLAN, _AGAIN = "Reading the study …", "Reading the plan …", "Making it again …"
"""What a strange file holds is found out by a worker, within its limits of memory and time."""

_MANY = f"With more than {MOST['n_resamples']:,} draws it is made again on the command line alone."


_WRITES_STUDY = re.compile(rb'\s*\{\s*"schema":\s*"mtsig/')


def is_for_paper(file: File) -> bool:
    """Return whether a file is no part of a test set but a study or an analysis plan."""
    return file.path.suffix == ".toml" or (file.path.suffix == ".json" and bool(_WRITES_STUDY.match(file.data)))


def open_on_paper(file: File) -> None:
    """Open a study, or take an analysis plan, on the Paper page.

    Raises:
        ReadError: it is none.
    """
    visit = session.current()
    if file.path.suffix == ".toml":
        visit.selection.plan, visit.selection.study = worked(_PLAN, plan_of, file.data, file.label), None
    else:
        visit.selection.study = worked(_STUDY, study_of, file.data, file.label)
    visit.open_page(session.PAPER)


def opened_study() -> Study | None:
    """Take a study made before, and keep it until it is closed; None when there is none."""
    selection = session.current().selection
    kept = selection.study
    with st.expander("Open a study made before", expanded=kept is not None):
        st.markdown(explain("earlier-study"))
        if kept is not None:
            if st.button("Close the study"):
                selection.study = None
                st.rerun()
            return kept
        file = st.file_uploader("Study (.json)", type=["json"], key="study_file", max_upload_size=MOST_BYTES // 2**20)
        if file is not None:
            try:
                selection.study = worked(_STUDY, study_of, file.getvalue(), file.name)
            except MtsigError as error:
                st.error(plain(str(error)))
                return None
            st.rerun()
    return None


def compared_with_sets(study: Study) -> Note | None:
    """Say whether the loaded test sets give the study again; return what documents say of it, None without sets."""
    _say_seal(study)
    data = session.current().data
    if not data.set_names:
        st.info(_LOAD)
        return None
    if study.request.settings.n_resamples > MOST["n_resamples"]:
        st.warning(_MANY)
        return None
    try:
        reproduction = asked(_AGAIN, reproduce, study, data.sets)
    except MtsigError as error:
        st.error(plain(str(error)))
        return None
    box: Callable[[str], object] = st.success if reproduction.same else st.warning
    box(plain(reproduced_text(reproduction)))
    _differences(reproduction.changes)
    return checked_note(reproduction)


def _say_seal(study: Study) -> None:
    """Say where the digest of a study does not fit, or is not there."""
    if study.seal_text:
        st.warning(plain(study.seal_text))


def compared_with_data(study: Study) -> tuple[Corpus | None, Note | None]:
    """Say whether the loaded data give the study again; return them where they do, and what documents say of it."""
    _say_seal(study)
    corpus = session.current().data.corpus
    if corpus is None:
        st.info(_LOAD)
    elif study.sets[0].settings is not None and study.sets[0].settings.n_resamples > MOST["n_resamples"]:
        st.warning(_MANY)
    else:
        return _checked(study, corpus)
    return None, None


def _checked(study: Study, corpus: Corpus) -> tuple[Corpus | None, Note | None]:
    try:
        reproduction = asked(_AGAIN, reproduce, study, corpus)
    except MtsigError as error:
        st.error(plain(str(error)))
        return None, None
    box: Callable[[str], object] = st.success if reproduction.same else st.warning
    box(plain(reproduction_text(reproduction, study)))
    visit = session.current()
    there = {star.segment for star in visit.selection.stars_of(corpus)}
    new = {star.segment for star in study.stars} & corpus.places.keys() - there
    if new:
        st.button(
            f"Take {number_of(len(new), 'star')} of the study",
            on_click=visit.take_stars,
            args=(corpus, study.stars),
            help="They are shown on the Segments page.",
        )
    _differences(reproduction.changes)
    return corpus if reproduction.same else None, checked_note(reproduction)


def _differences(changes: Sequence[Change]) -> None:
    """List what differs, where anything does, and say what was not compared."""
    st.caption(plain(TAKEN_TEXT))
    if changes:
        with st.expander(f"What differs ({len(changes)})", expanded=True):
            for change in changes[:100]:
                st.text(f"{change.kind}: {change.text}")
            if len(changes) > 100:
                st.caption(f"… and {len(changes) - 100} more; the command line lists them all.")


def given_plan() -> AnalysisPlan | None:
    """Take an analysis plan, and keep it until it is dropped."""
    selection = session.current().selection
    kept = selection.plan
    with st.expander("Analysis plan", expanded=kept is not None):
        st.markdown(explain("analysis-plan"))
        if kept is not None:
            st.text(kept.digest)
            if st.button("Drop the plan"):
                selection.plan = None
                st.rerun()
            return kept
        file = st.file_uploader("Plan (.toml)", type=["toml"], key="plan_file", max_upload_size=1)
        if file is not None:
            try:
                selection.plan = worked(_PLAN, plan_of, file.getvalue(), file.name)
            except MtsigError as error:
                st.error(plain(str(error)))
                return None
            st.rerun()
    return None
