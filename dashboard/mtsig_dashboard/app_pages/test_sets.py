"""Test sets: what several of them say together of two systems, and then of all."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from mtsig.collection import FamilyOverSets, Sets
from mtsig.collection._beyond import FEWEST_SETS
from mtsig.collection._compare import by_score, seen_from
from mtsig.figures import Picture, RankDiagram, SetForest, SetHeat
from mtsig.figures._sets import compared_in
from mtsig.report import Column, Table, csv_table
from mtsig.report._exporters import FigureFiles
from mtsig.report._over_sets import averages_table, over_sets_texts, set_ranks_table, sets_table
from mtsig.report._table import records_table
from mtsig.study import Request
from mtsig_dashboard import compute, session
from mtsig_dashboard.parts import forms, pictures, questions, show
from mtsig_dashboard.parts.show import plain

_PAPER = FigureFiles().paper

_ORDERS = {"difference": "By difference", "name": "By name"}

_PAIR = {
    "set": "Set", "verdict": "Verdict", "p corrected": "Corrected p", "difference": "", "adjusted": "", "units": "",
}  # fmt: skip

_AVERAGES = {
    "first": "First", "second": "Second", "verdict": "Verdict", "p corrected": "Corrected p", "of sets": "Over sets",
    "difference": "", "adjusted": "", "p": "", "sets": "From … to", "lead": "Lead",
    "sets differ": "Sets differ, p", "further set": "Further set", "better in at least": "Better in at least",
}  # fmt: skip


def page() -> None:
    """Draw the page."""
    st.title("Test sets")
    visit = session.current()
    sets = visit.data.sets
    for note in sets.notes:
        st.warning(plain(note.text))
    choices = visit.selection.choices
    metric = forms.shown_metric(choices)
    questions.draw_over_sets(list(sets))
    over = questions.chosen_over_sets()
    statistics = compute.measured_sets(sets, metric, over)
    family_over_sets = compute.over_sets(statistics, choices.settings, over)
    about = [note for note in dict.fromkeys(family_over_sets.notes) if note not in sets.notes]
    show.warned(about)
    order = family_over_sets.averages.order if family_over_sets.averages is not None else statistics.systems
    # The page begins with two systems that stand in the same sets, where there are such.
    shared = sorted(order, key=lambda name: -sum(name in counted.systems for counted in statistics.of.values()))
    first, second = questions.chosen_of(shared, True, (session.FIRST_OVER_SETS, session.SECOND_OVER_SETS))
    if first == second:
        st.info("Choose two different systems.")
    else:
        with show.part():
            _pair(seen_from(family_over_sets, first, second), first, second)
    with show.part():
        _systems(family_over_sets)
    with show.part():
        _ranks(family_over_sets)
    with show.part():
        _numbers(family_over_sets, Request((metric,), choices.settings, sets=over))
    show.quiet([note for note in about if note.level == "note"], "About these test sets")
    show.onward(session.PAPER, "Tables in LaTeX, methods and the study are on the Paper page")


def _pair(family_over_sets: FamilyOverSets, first: str, second: str) -> None:
    """Say what the sets say of two systems, and draw them set by set; a click on a set opens it."""
    compared = compared_in(family_over_sets, first, second)
    if not compared:
        st.info(plain(f"No test set has both {first} and {second}: nothing can be said of the two."))
        return
    _sentences(family_over_sets, first, second)
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    left.header("Set by set")
    by = right.segmented_control(
        "Order of the sets", list(_ORDERS), format_func=_ORDERS.__getitem__, default="difference", required=True,
        **forms.bound("set_order"), label_visibility="collapsed",
    )  # fmt: skip
    picture = SetForest.of(family_over_sets, first, second, "name" if by == "name" else "difference")
    clicks = session.current().view.clicks
    alt = f"Difference of {first} and {second} in every test set with its interval, their average, and a further set's"
    picked = pictures.figure(
        picture,
        key=f"sets{clicks}",
        alt=alt,
        on_select="rerun",
        selection_mode="points",
    )
    points = picked["selection"]["points"] if picked else []
    numbers = _table_of_pair(family_over_sets, picture.sets, first, second)
    rows = pictures.table(
        numbers,
        alt=f"{first} and {second} in every test set; choosing a row opens the set on Compare two",
        on_select="rerun",
        selection_mode="single-row",
        key=f"rows{clicks}",
    )["selection"]["rows"]
    st.caption(plain(f"{picture.caption} Choosing a row opens the set on Compare two, where it is judged by itself."))
    st.caption(plain(sets_table(family_over_sets, ("set",)).caption))
    if points:
        session.current().choose_pair(first, second, str(points[0]["customdata"][0]))
    elif rows:
        session.current().choose_pair(first, second, picture.sets[rows[0]])
    _for_paper(picture, "test-sets-forest", numbers)


def _sentences(family_over_sets: FamilyOverSets, first: str, second: str) -> None:
    """Say the average first, then how the sets differ, what that says of further sets, and in how many it holds."""
    at = None if family_over_sets.averages is None else family_over_sets.averages.find(first, second)
    if family_over_sets.averages is None or at is None:
        st.info(plain(f"There is no average of {first} and {second} over these sets; the notes below say why."))
        return
    average, *others = over_sets_texts(family_over_sets, at)
    show.verdict_box(average, family_over_sets.averages[at])
    for text in others:
        st.markdown(plain(text))


def _table_of_pair(family_over_sets: FamilyOverSets, order: Sequence[str], first: str, second: str) -> Table:
    """Return one pair in every set, the first system minus the second."""
    families = {}
    for name in order:
        family = family_over_sets.families[name]
        position = family.find(first, second)
        if position is not None:
            families[name] = family.with_rows([family[position]])
    units = f"{next(iter(families.values())).unit.capitalize()}s"
    return sets_table(replace(family_over_sets, families=families), _PAIR | {"units": units})


def _systems(family_over_sets: FamilyOverSets) -> None:
    """Draw systems × sets."""
    st.header("All systems")
    picture = SetHeat.of(family_over_sets)
    alt = f"{family_over_sets.statistics.metric} of every system in every test set, the best groups framed"
    pictures.figure(picture, key="heat", alt=alt)
    st.caption(plain(picture.caption))
    numbers = _scores(family_over_sets, picture)
    # The names of sets stay as they are.
    shown = numbers.seen(dict.fromkeys(numbers.names, "") | {"system": "System"})
    _for_paper(picture, "test-sets-heat", numbers, shown)


def _scores(family_over_sets: FamilyOverSets, picture: SetHeat) -> Table:
    """Return the scores of a heat table; a system has none in a set that lacks it."""
    cells = {(cell.row, cell.column): cell.score for cell in picture.cells}
    columns = (
        (Column(name, "score", picture.decimals, key=f"set {number}"),
         [cells.get((row, number)) for row in range(len(picture.systems))])
        for number, name in enumerate(picture.sets)
    )  # fmt: skip
    return Table.of(
        f"{family_over_sets.statistics.metric} in every set.", (Column("system"), picture.systems), *columns
    )


def _ranks(family_over_sets: FamilyOverSets) -> None:
    """Draw the critical-difference diagram, or say why there is none."""
    st.header("Ranks over sets")
    if family_over_sets.ranks is None:
        st.markdown(plain(_no_ranks(family_over_sets)))
        return
    picture, numbers = RankDiagram.of(family_over_sets.ranks), set_ranks_table(family_over_sets)
    alt = "Mean ranks of the systems over the test sets; bars join systems that do not differ significantly"
    pictures.figure(picture, key="ranks", alt=alt)
    st.caption(plain(numbers.caption))
    _for_paper(picture, "test-sets-ranks", numbers)


def _no_ranks(family_over_sets: FamilyOverSets) -> str:
    sets = family_over_sets.statistics.of
    if len(sets) < FEWEST_SETS:
        return f"Ranks over sets take at least {FEWEST_SETS} sets; there are {len(sets)}."
    everywhere = set.intersection(*(set(counted.systems) for counted in sets.values()))
    if len(everywhere) < 3:
        return (
            f"Ranks over sets take at least three systems that have a score in every set; there are {len(everywhere)}."
        )
    if any(np.isnan(counted.scores).any() for counted in sets.values()):
        return "Ranks over sets take a score of every system in every set; some are missing."
    return "The way of separating ranks that is chosen cannot separate any two systems on so few sets."


def _for_paper(picture: Picture, name: str, numbers: Table, shown: Table | None = None) -> None:
    """Offer a picture's numbers, as the page shows them, and the picture in the formats of papers."""
    with st.expander("In numbers, and for a paper", key=f"more-{name}", on_change="rerun") as opened:
        if not opened.open:
            return
        pictures.table(shown or pictures.begun(numbers), alt=numbers.caption or name)
        pictures.csv("CSV", partial(csv_table, numbers), f"{name}.csv")
        pictures.for_paper(picture, name, _PAPER)


def _numbers(family_over_sets: FamilyOverSets, request: Request) -> None:
    """Show the average of every pair, and offer everything as files."""
    st.header("Every average")
    numbers = averages_table(family_over_sets)
    if numbers.rows:
        seen = numbers.seen(_AVERAGES)
        shown = pictures.at_a_glance(seen, "p", "lead", "sets differ", "better in at least")
        pictures.table(seen, alt="The average difference of every pair over the test sets", column_order=shown)
        st.caption("More columns: in the table's menu, and in the file.")
    st.caption(plain(numbers.caption))
    bundle = partial(_json, session.current().data.sets, request)
    with st.container(horizontal=True):
        pictures.csv("CSV, every comparison", partial(_csv, family_over_sets), "test-sets.csv")
        st.download_button("JSON", bundle, "test-sets.json", "application/json", on_click="ignore")


def _csv(family_over_sets: FamilyOverSets) -> str:
    rows = by_score(family_over_sets).rows()
    return csv_table(records_table(rows, given=rows[0]))


def _json(sets: Sets, request: Request) -> str:
    return compute.study_over_sets(sets, request).text()


show.guarded(page)
