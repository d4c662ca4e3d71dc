"""Test sets: the average difference of two systems over several sets, set by set, and what it says of one more."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from mtsig.collection import FamilyOverSets, Sets
from mtsig.collection._beyond import FEWEST_SETS
from mtsig.collection._compare import by_score, seen_from
from mtsig.figures import Picture, RankDiagram, SetForest, SetHeat
from mtsig.figures._sets import compared_in
from mtsig.report import Column, Table, _over_sets
from mtsig.report._bundle import source_text
from mtsig.study import Request
from mtsig_dashboard import compute, session
from mtsig_dashboard.parts import forms, frame, pictures, questions, show, strip
from mtsig_dashboard.parts.show import plain

_ORDERS = {"difference": "By difference", "name": "By name"}

_PAIR = {
    "set": "Set", "verdict": "Verdict", "p corrected": "Adjusted p", "difference": "", "adjusted": "", "units": "",
}  # fmt: skip

_AVERAGES = {
    "first": "First", "second": "Second", "verdict": "Verdict", "p corrected": "Adjusted p", "of sets": "Over sets",
    "difference": "", "adjusted": "", "p": "", "sets": "From … to", "lead": "Lead",
    "sets differ": "Sets differ, p", "new set": "New set", "better in at least": "Better in at least",
}  # fmt: skip

# Key of the fold that a button opens.
_HEAT = "more-test-sets-heat"


def page() -> None:
    """Draw the page."""
    data, choices = session.current().data, session.current().selection.choices
    if not data.set_names:
        why = "Put the files of each test set into a folder of its own, and drop these folders together."
        frame.current().say("No more than one test set in these data")
        with st.container(key="needs-no-metric"), show.state("This page needs several test sets", why):
            show.onward(session.DATA, "Drop test sets on the Data page")
        return
    with frame.current().more:
        metric = forms.shown_metric(choices)
        by = _order()
        questions.draw_over_sets(list(data.sets))
    frame.current().say(f"{metric.name} over {len(data.sets)} test sets")
    over = questions.chosen_over_sets()
    statistics = compute.measured_sets(data.sets, metric, over)
    found = compute.over_sets(statistics, choices.settings, over)
    order = found.averages.order if found.averages is not None else statistics.systems
    # The page begins with two systems that are in the same sets, where there are such.
    shared = sorted(order, key=lambda name: -sum(name in counted.systems for counted in statistics.of.values()))
    with frame.current().chosen:
        first, second = questions.chosen_of(shared, True, (session.FIRST_OVER_SETS, session.SECOND_OVER_SETS))
    picture, pair_of_sets = None, seen_from(found, first, second)
    if first == second:
        st.info("Choose two different systems.")
    else:
        with show.part():
            picture = _pair(pair_of_sets, first, second, by)
    few = len(found.families) < FEWEST_SETS
    step = frame.current().step
    if few:
        show.onward(session.DATA, "Add test sets", place=step)
    else:
        step.button("All systems over all sets", type="primary", on_click=session.choose, args=(_HEAT, True))
    with show.steps():
        show.onward(session.PAPER, "Tables for a paper")
    if picture is not None:
        args = (pair_of_sets, picture.sets, first, second)
        show.fold("Set by set in numbers and words", "set-by-set", _set_by_set, *args)
    show.fold("All systems over all sets", _HEAT, _systems, found)
    show.fold("Ranks over sets", "more-test-sets-ranks", _ranks, found)
    show.fold("Every average", "more-test-sets-averages", _averages, found)
    request = Request((metric,), choices.settings, sets=over)
    frame.current().downloads(_study_files, found, data.sets, request)
    with show.part():
        about = strip.over_sets(data.sets, found, (first, second))
        show.quiet([*data.sets.notes, *about], "About these test sets")


def _order() -> str:
    """Let the visitor choose the order of the sets."""
    chosen = st.segmented_control(
        "Order of the sets", list(_ORDERS), format_func=_ORDERS.__getitem__, default="difference", required=True,
        **forms.bound("set_order"), label_visibility="collapsed",
    )  # fmt: skip
    return chosen or "difference"


def _pair(found: FamilyOverSets, first: str, second: str, by: str) -> SetForest | None:
    """Say what the sets show of two systems on average, and draw them set by set; a click on a set opens it."""
    if not compared_in(found, first, second):
        frame.current().say(f"No test set has both {first} and {second}")
        return None
    ledes = (_over_sets.over_sets_lede(found, first, second, brief=brief) for brief in (False, True))
    frame.current().say(_over_sets.over_sets_title(found, first, second), *ledes)
    picture = SetForest.of(found, first, second, "name" if by == "name" else "difference")
    clicks = session.current().view.clicks
    alt = f"Differences of {first} and {second} in every test set with intervals, their average, and one more set's"
    picked = pictures.charts(picture, key=f"sets{clicks}", alt=alt, on_select="rerun", selection_mode="points")
    points = picked["selection"]["points"] if picked else []
    click = "Click a set to open it on Compare two."
    data = session.current().data
    source = source_text(data.sets, [data.languages_of(name) for name in data.sets])
    strip.line(f"{plain(f'{source} {picture.caption} {click}')} `` {found.signature} ``", picture.how_to_read)
    if points:
        session.current().choose_pair(first, second, str(points[0]["customdata"][0]))
    numbers = _table_of_pair(found, picture.sets, first, second)
    frame.current().downloads(_files, picture, "test-sets-forest", numbers, "Set by set")
    return picture


def _set_by_set(found: FamilyOverSets, order: Sequence[str], first: str, second: str) -> None:
    """Say it all in words, and show every set's numbers; a row opens its set."""
    at = None if found.averages is None else found.averages.find(first, second)
    for text in () if at is None else _over_sets.over_sets_texts(found, at):
        st.markdown(plain(text))
    opens = "Choose a row to open the set on Compare two."
    rows = pictures.table(
        _table_of_pair(found, order, first, second),
        alt=f"{first} and {second} in every test set. {opens}",
        on_select="rerun",
        selection_mode="single-row",
        key=f"rows{session.current().view.clicks}",
    )["selection"]["rows"]
    st.caption(plain(f"{opens} {_over_sets.sets_table(found, ('set',)).caption}"))
    if rows:
        session.current().choose_pair(first, second, order[rows[0]])


def _table_of_pair(family_over_sets: FamilyOverSets, order: Sequence[str], first: str, second: str) -> Table:
    """Return one pair in every set, the first system minus the second."""
    families = {}
    for name in order:
        family = family_over_sets.families[name]
        position = family.find(first, second)
        if position is not None:
            families[name] = family.with_rows([family[position]])
    units = f"{next(iter(families.values())).unit.capitalize()}s"
    return _over_sets.sets_table(replace(family_over_sets, families=families), _PAIR | {"units": units})


def _averages(found: FamilyOverSets) -> None:
    numbers = _over_sets.averages_table(found)
    if numbers.rows:
        seen = numbers.seen(_AVERAGES)
        columns = pictures.at_a_glance(seen, "p", "lead", "sets differ", "better in at least")
        pictures.table(seen, alt="The average difference of every pair over the test sets", column_order=columns)
        st.caption("The table's menu and the file have more columns.")
    st.caption(plain(numbers.caption))


def _systems(found: FamilyOverSets) -> None:
    """Draw systems × sets."""
    picture = SetHeat.of(found)
    alt = f"{found.statistics.metric} of every system in every test set, with the best group of each set framed"
    pictures.figure(picture, key="heat", alt=alt)
    st.caption(plain(picture.caption))
    numbers = _scores(found, picture)
    # The names of sets stay as they are.
    shown = numbers.seen(dict.fromkeys(numbers.names, "") | {"system": "System"})
    pictures.table(shown, alt=numbers.caption)
    frame.current().downloads(_files, picture, "test-sets-heat", numbers, "All systems")


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


def _ranks(found: FamilyOverSets) -> None:
    """Draw the critical-difference diagram, or say why there is none."""
    if found.ranks is None:
        st.markdown(plain(_no_ranks(found)))
        return
    picture, numbers = RankDiagram.of(found.ranks), _over_sets.set_ranks_table(found)
    alt = "Mean ranks of the systems over the test sets; bars join systems that do not differ significantly"
    pictures.figure(picture, key="ranks", alt=alt)
    st.caption(plain(numbers.caption))
    pictures.table(pictures.begun(numbers), alt=numbers.caption)
    frame.current().downloads(_files, picture, "test-sets-ranks", numbers, "Ranks")


def _no_ranks(family_over_sets: FamilyOverSets) -> str:
    sets = family_over_sets.statistics.of
    if len(sets) < FEWEST_SETS:
        return f"Ranks over sets need at least {FEWEST_SETS} sets; there are {len(sets)}."
    everywhere = set.intersection(*(set(counted.systems) for counted in sets.values()))
    if len(everywhere) < 3:
        return f"Ranks over sets need at least three systems with a score on every set; there are {len(everywhere)}."
    if any(np.isnan(counted.scores).any() for counted in sets.values()):
        return "Ranks over sets need a score of every system on every set, and some are missing."
    return "With so few sets, the chosen rank test cannot find any significant difference between two systems."


def _files(picture: Picture, name: str, numbers: Table, what: str) -> None:
    """Offer a picture's numbers as a file, and the picture in the formats of papers."""
    pictures.csv(f"{what} (.csv)", lambda: numbers, f"{name}.csv")
    pictures.for_paper(picture, name, what)


def _study_files(found: FamilyOverSets, sets: Sets, request: Request) -> None:
    """Offer every comparison, and the study."""

    def bundle() -> str:
        return compute.study_over_sets(sets, request).text()

    pictures.csv("Every comparison (.csv)", lambda: by_score(found).rows(), "test-sets.csv")
    st.download_button("Study (.json)", bundle, "test-sets.json", "application/json", on_click="ignore")


show.guarded(page)
