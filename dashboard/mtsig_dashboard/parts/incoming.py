"""What comes in: files that the browser does not take, a study made before, and an analysis plan."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from mtsig import Corpus, MtsigError
from mtsig.corpus import Note
from mtsig.corpus._notes import number_of
from mtsig.explain import explain
from mtsig.readers import File
from mtsig.study import AnalysisPlan, Change, Study, study_of
from mtsig.study._changes import TAKEN_TEXT, checked_note, reproduce, reproduction_text
from mtsig.study._request import plan_of
from mtsig_dashboard import session
from mtsig_dashboard.memory import asked, worked
from mtsig_dashboard.parts.forms import MOST
from mtsig_dashboard.parts.show import plain

MOST_BYTES = 50 * 2**20

_LOAD = "To re-run the study, load its data on the Data page. The documents below come from the study file only."
_MANY = f"With more than {MOST['n_resamples']:,} resamples, it can be re-run only on the command line."


_WRITES_STUDY = re.compile(rb'\s*\{\s*"schema":\s*"mtsig/')


def is_for_paper(file: File) -> bool:
    """Return whether a file is no part of a test set but a study or an analysis plan."""
    return file.path.suffix == ".toml" or (file.path.suffix == ".json" and bool(_WRITES_STUDY.match(file.data)))


def open_on_paper(file: File) -> None:
    """Open a study, or take an analysis plan, on the Paper page."""
    selection, is_plan = session.current().selection, file.path.suffix == ".toml"
    held = _READ["plan" if is_plan else "study"](file.data, file.label)
    selection.plan, selection.study = (held, None) if is_plan else (selection.plan, held)
    session.current().open_page(session.PAPER)


_READ: Mapping[str, Callable[[bytes, str], Any]] = {
    "study": partial(worked, "Reading the study …", study_of), "plan": partial(worked, "Reading the plan …", plan_of),
}  # fmt: skip
"""What a strange file holds is found out by a worker, within its limits of memory and time."""


_TAKEN = {
    "study": ("Open an earlier study", "earlier-study", "Close the study", "Study", "json"),
    "plan": ("Analysis plan", "analysis-plan", "Drop the plan", "Plan", "toml"),
}


def taken(what: Literal["study", "plan"]) -> Any:
    """Take a study made before, or an analysis plan, and return it until it is let go; None when there is none."""
    title, about, let_go, label, ending = _TAKEN[what]
    selection = session.current().selection
    kept = getattr(selection, what)
    # A file that cannot be read leaves it open, or what is wrong with it would not be seen.
    with st.expander(title, expanded=kept is not None or session.choice(f"{what}_file") is not None):
        st.markdown(explain(about))
        if isinstance(kept, AnalysisPlan):
            st.text(kept.digest)
        if kept is not None:
            if st.button(let_go):
                setattr(selection, what, None)
                st.rerun()
            return kept
        most = MOST_BYTES // 2**20 if what == "study" else 1
        file = st.file_uploader(f"{label} (.{ending})", [ending], key=f"{what}_file", max_upload_size=most)
        if file is not None:
            try:
                setattr(selection, what, _READ[what](file.getvalue(), file.name))
            except MtsigError as error:
                st.error(plain(str(error)))
                return None
            st.rerun()
    return None


def compared(study: Study) -> tuple[Corpus | None, Note | None]:
    """Say whether the loaded data give the study again.

    Returns the data where they are one test set and do, and what documents say of it; None without data.
    """
    if study.seal_text:
        st.warning(plain(study.seal_text))
    data, over_sets = session.current().data, study.request.sets is not None
    settings = study.request.settings if over_sets else study.sets[0].settings
    if not data.set_names if over_sets else data.corpus is None:
        st.info(_LOAD)
        return None, None
    if settings is not None and settings.n_resamples > MOST["n_resamples"]:
        st.warning(_MANY)
        return None, None
    try:
        loaded = data.sets if over_sets else data.corpus
        reproduction = asked("Re-running it …", reproduce, study, loaded)
    except MtsigError as error:
        st.error(plain(str(error)))
        return None, None
    box: Callable[[str], object] = st.success if reproduction.same else st.warning
    box(plain(reproduction_text(reproduction, study)))
    if isinstance(loaded, Corpus):
        _offer_stars(study, loaded)
    _differences(reproduction.changes)
    return loaded if reproduction.same and isinstance(loaded, Corpus) else None, checked_note(reproduction)


def _offer_stars(study: Study, corpus: Corpus) -> None:
    visit = session.current()
    there = {star.segment for star in visit.selection.stars_of(corpus)}
    new = {star.segment for star in study.stars} & corpus.places.keys() - there
    if new:
        st.button(
            f"Add {number_of(len(new), 'star')} from the study",
            on_click=visit.take_stars,
            args=(corpus, study.stars),
            help="They are shown on the Segments page.",
        )


def _differences(changes: Sequence[Change]) -> None:
    """List what differs, where anything does, and say what was not compared."""
    st.caption(plain(TAKEN_TEXT))
    if changes:
        with st.expander(f"What differs ({len(changes)})", expanded=True):
            for change in changes[:100]:
                st.text(f"{change.kind}: {change.text}")
            if len(changes) > 100:
                st.caption(f"… and {len(changes) - 100} more; the command line lists them all.")


_MOST_REFUSED, _LONGEST = 20, 200
"""Files that were not taken and are named, and characters of a name."""

_refused = st.components.v2.component(
    "mtsig_refused", js=(Path(__file__).parents[1] / "refused.js").read_text(encoding="utf-8")
)


def watch() -> None:
    """Take down which files the browser does not take; drawn first, so that it stays while all below it changes."""
    with st.container(key="unseen-files"):
        _refused(key="refused", on_files_change=_take_down, height=0)


def _take_down() -> None:
    # What comes from a browser may be anything.
    match session.choice("refused")["files"]:
        case [*files]:
            pairs = [pair for pair in files if isinstance(pair, list) and len(pair) == 2]
            session.current().view.refused |= {str(name)[:_LONGEST]: str(why)[:_LONGEST] for name, why in pairs}


def tell_refused(there: Collection[str]) -> None:
    """Say which files were not taken, but for those that are there by now, and what can be done."""
    refused = session.current().view.refused
    for name in [name for name in refused if name in there]:
        del refused[name]
    for name, why in list(refused.items())[:_MOST_REFUSED]:
        reason = why.removeprefix("Error: ").rstrip(".") or "the browser refused it"
        st.warning(
            plain(
                f"{name} was not loaded: {reason}. The results do not contain this file. Pack it with gzip, drop only "
                "a part of it, or use the command line, which has no size limit."
            )
        )
    if refused:
        st.button("Continue without it" if len(refused) == 1 else "Continue without them", on_click=refused.clear)
