"""Preferences: which system raters or models prefer, and how reliable their judgements are."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from mtsig import Settings
from mtsig._writing import short_names
from mtsig.figures._dots import Dots
from mtsig.figures._league import League
from mtsig.inference import Family
from mtsig.readers import File
from mtsig.report import Table
from mtsig.report._families import lede_text, title_text
from mtsig_dashboard import session
from mtsig_dashboard.memory import asked, workers
from mtsig_dashboard.parts import forms, frame, judging, pictures, show, strip
from mtsig_dashboard.parts.show import plain

_MODELS = {
    "davidson": "Bradley–Terry with ties (Davidson)",
    "half": "Bradley–Terry, a tie as half a win",
    "direct": "Each pair separately",
}

_DUAL = {"keep": "Every judgement counts", "collapse": "Merge both orders of a pair"}

_HOW_MANY, _PLANNED = "How many judgements are needed?", "judgements-needed"


def page() -> None:
    """Draw the page."""
    files = session.current().data.preferences
    head = frame.current()
    if not files:
        head.say("No preferences in these data")
        with st.container(key="needs-no-metric"), show.state("This page needs preferences", "", "no-preferences"):
            show.onward(session.DATA, "Drop files of preferences on the Data page")
        return
    criteria, counted = asked("Reading the preferences …", judging.counted, files)
    with head.chosen:
        model = forms.one_of("Compared by", "preference_model", _MODELS, in_bar=True)
    with head.more:
        named = {name: name or "not named" for name in criteria}
        criterion = forms.one_of("Criterion", "criterion", named, in_bar=True) if len(criteria) > 1 else None
        dual = forms.one_of("Both orders", "preference_dual", _DUAL, in_bar=True)
    choices = session.current().selection.choices
    settings = choices.settings if choices is not None else Settings()
    options = {"criterion": criterion, "model": model, "dual": dual, "settings": settings}
    shown = asked("Comparing …", judging.shown, files, **options)
    family = shown.compared
    # For which raters verdicts hold is said first, then what leaves no ranks; a best system is one with ranks.
    said = next((place for place, note in enumerate(shown.notes, 1) if note.about == "raters"), 0)
    whose, notes = shown.notes[max(0, said - 1) : said], shown.notes[said:]
    head.raters = "".join(note.text for note in whose)
    own = " ".join(note.text for note in shown.notes[: max(0, said - 1)])
    called, ranked = short_names(family.order), shown.places is not None or len(family) == 1
    head.say(
        title_text([family], shown.places, called),
        f"{own} {lede_text(family, shown.places, called) if ranked else ''}".strip(),
    )
    with head.strip:
        strip.warned(notes)
    league = League.of([shown.scored], family, shown.places, "", False, 0, {})
    clicks = session.current().view.clicks
    alt = f"Systems in {family.metric} with intervals, and all pairs with differences and verdicts"
    with st.container(key="league-both"):
        pictures.charts(league, f"preferences{clicks}", alt)
    with st.container(key="league-narrow"):
        for view in ("scores", "matrix") if league.matrix is not None else ("scores",):
            pictures.charts(league.alone(view), f"preferences-{view}{clicks}", alt)
    cells = "Overlapping intervals do not show whether two systems differ; the cells do. "
    if about := f"{cells if league.matrix is not None else ''}{league.rails_text}":
        st.caption(about)
    strip.line(plain(f"{family.metric}: {counted}"), "preferences")
    with head.step.popover(_HOW_MANY, type="primary", on_change="rerun", key=_PLANNED) as box:
        if box.open:
            with show.part():
                _needed(files, options)
    with show.steps():
        if session.current().data.corpus is None:
            show.onward(session.DATA, "Add the outputs of these systems")
        else:
            show.onward(session.RESULTS, "See the results by metrics")
    if shown.direct is not None:
        st.header("Head to head", anchor=False)
        direct = shown.direct.seen({name: "adjusted p" if name == "p corrected" else "" for name in shown.direct.names})
        pictures.captioned(pictures.begun(direct), alt="Direct comparisons: wins, ties, losses and verdicts")
        show.fold("One pair, by the order shown and by document", "one-pair", _pair, files, family, options)
    st.header("Reliability of the judgements", anchor=False)
    quiet = [note for note in notes if note.level != "warning"]
    found = " ".join(note.text for note in quiet if note.about == "judging")
    if found:
        st.markdown(plain(found))
    with st.container(key="judging"):
        columns = st.columns([2, 3] if len(shown.drawn) > 1 else 1, gap="large")
    for place, (key, (picture, table)) in zip(columns, shown.drawn.items(), strict=False):
        with place:
            _drawn(picture, key, table)
    if shown.agreement is not None:
        pictures.captioned(pictures.begun(shown.agreement), alt="Inter-rater agreement")
    with st.expander(f"Raters ({shown.raters})"):
        pictures.captioned(pictures.begun(shown.of_raters), alt="Judgements and agreement of every rater")
    show.quiet([*whose, *(note for note in quiet if note.about != "judging")], "About these judgements")
    head.downloads(_files, files, options)


def _pair(files: Sequence[File], family: Family, options: Mapping[str, Any]) -> None:
    """Show the judgements of a pair that the visitor chooses."""
    pairs = {f"{row.first} – {row.second}": (row.first, row.second) for row in family.by_score()}
    first, second = pairs[forms.one_of("Pair", "preference_pair", {name: name for name in pairs})]
    numbers = asked("Counting …", judging.of_pair, files, first, second, **options)
    pictures.captioned(pictures.begun(numbers), alt=f"Judgements of {first} and {second}")


def _needed(files: Sequence[File], options: Mapping[str, Any]) -> None:
    """Say how many judgements find a difference."""
    share = st.number_input(
        "Win rate to detect, %", 50.5, 99.0, 55.0, 0.5, **forms.bound_number("win_rate"),
        help="The share of judgements that the better system wins: 55 means 55 against 45. A tie counts half.",
    )  # fmt: skip
    st.markdown(plain(asked("Planning …", judging.planned, files, share / 100, **options)))


def _drawn(picture: Dots, key: str, table: Table) -> None:
    """Show a picture of the judging, and its numbers where they are asked for."""
    pictures.charts(picture, key, picture.caption)
    st.caption(plain(picture.caption))
    with st.expander("Numbers"):
        pictures.captioned(pictures.begun(table), alt=picture.caption)


def _files(files: Sequence[File], options: Mapping[str, Any]) -> None:
    for label, make, name, kind in (
        ("Direct comparisons (.csv)", judging.direct_csv, "head-to-head.csv", "text/csv"),
        ("Everything (.json)", judging.as_json, "preferences.json", "application/json"),
    ):
        made = partial(workers().run, partial(make, files, **options))
        st.download_button(label, made, name, kind, on_click="ignore")


show.guarded(page)
