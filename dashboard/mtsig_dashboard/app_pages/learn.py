"""Learn: lessons by the visitor's own data. The browser draws them; the page says which lesson, and on what."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from mtsig import Corpus, NotApplicable, read_sample
from mtsig.lessons import Classroom, kit_files
from mtsig.lessons._course import COURSE, FORMATS, Source, course_data
from mtsig.lessons._sheets import id_of, lesson_data
from mtsig.lessons._stage import Lesson
from mtsig.readers._read import parts_of, sample_files
from mtsig.study._request import choice_of
from mtsig_dashboard import compute, session
from mtsig_dashboard.memory import asked, asked_here, workers
from mtsig_dashboard.parts import bar, forms, frame, questions, show, stages
from mtsig_dashboard.parts.show import plain

_PLANNING = ("app_pages/planning.py", "See this on Planning")
_SEEN_ON = {
    0: _PLANNING, 5: _PLANNING, 10: _PLANNING, 13: _PLANNING, 9: (session.RESULTS, "See this on Results"),
    12: (session.SEGMENTS, "See this on Segments"),
}  # fmt: skip

_HANDOUTS = {"html": "Web page", "pdf": "PDF", "ipynb": "Jupyter"}

# Where a notebook looks for data that came without a folder.
_FOLDER = "data"

_PROJECTOR = Path(__file__).resolve().parent.parent / "projector.css"

# Lessons and games by their address.
_NUMBERS = {str(lesson.number): lesson for lesson in COURSE}


def page() -> None:
    """Draw the page."""
    chosen = _NUMBERS.get(st.query_params.get("lesson", ""))
    if chosen is None:
        _course()
        return
    data = session.current().data
    if data.corpus is None and not data.parts and data.problem is None:
        show.lost()
        session.current().load_sample(parts_of(sample_files()))
        st.rerun()
    if data.scorable and data.corpus is not None:
        corpus = data.corpus
    else:
        corpus = asked_here(read_sample)
        bar.seed()
        st.info("Your data do not allow a comparison yet, so this lesson uses the sample data.")
    _lesson(chosen, corpus)


def _open(number: str) -> None:
    """Let the address name another lesson, or none; for callbacks. What was of this lesson alone goes."""
    forms.say("lesson", number, "")
    for name in ("shown", session.FIRST, session.SECOND):
        forms.say(name, "", "")
    session.choose(_MINE, False)


def _go(at: Lesson | None, where: str) -> None:
    """Open what was asked for: a lesson by its number, the next or the one before, or all."""
    numbers = list(_NUMBERS)
    if at is not None and where in ("next", "previous"):
        place = numbers.index(str(at.number)) + (1 if where == "next" else -1)
        where = numbers[place] if 0 <= place < len(numbers) else ""
    _open(where if where in _NUMBERS else "")


def _course() -> None:
    """Show what can be learnt, and what a teacher needs."""
    frame.current().say(f"Guess first, then see: {len(COURSE)} beliefs about test sets")
    stages.lessons("course", course_data(heading=False), partial(_go, None), forms.say)
    with st.expander("A first tour of the pages", key="tour_again", on_change="rerun") as again:
        if again.open:
            stages.tour(partial(session.choose, "tour_again", False))


def _lesson(lesson: Lesson, corpus: Corpus) -> None:
    """Draw one lesson, and what leads on from it."""
    projector = st.query_params.get("projector") == "true"
    if projector:
        st.html(_PROJECTOR)
    else:
        frame.current().say(f"{lesson.number} · {lesson.title}", lesson.question)
    room = _room(lesson, corpus)
    name = id_of(lesson, room)
    place = list(_NUMBERS).index(str(lesson.number))
    ways = {"all": True, "previous": place > 0, "next": place + 1 < len(_NUMBERS)}
    nav = {way: "" for way, there in ways.items() if there}
    solution, refused, stage = None, "", None
    try:
        stage = asked("Drawing …", lesson.stage, room)
        if stages.wants_solution(name):
            solution = asked("Solving …", lesson.solution, room)
    except NotApplicable as error:
        refused = str(error)
    data = lesson_data(lesson, room, stage, nav, solution, refused, heading=projector) | {"projector": projector}
    told = stages.lessons(name, data, partial(_go, lesson), forms.say, st.query_params.get("shown", ""))
    if told is not None:
        forms.say("shown", told, "0")
    if not projector:
        _onward(lesson, room)
        _handouts(lesson, room)


_MINE = "mine"


def _room(lesson: Lesson, corpus: Corpus) -> Classroom:
    """Return the classroom: the first metric, the seed, and the pair: the lesson's own, or the one that was chosen."""
    choices = session.current().selection.choices
    statistics = compute.measured(corpus, choices.metrics[0])
    room = Classroom(statistics, None, choices.settings.seed, corpus=corpus)
    linked = any(st.query_params.get(name) for name in (session.FIRST, session.SECOND))
    if linked and session.choice(_MINE) is None:
        session.choose(_MINE, True)
    with frame.current().chosen:
        if st.toggle("Choose the pair", key=_MINE, help="If this is off, the lesson uses the most instructive pair."):
            pair = questions.chosen(statistics)
            if pair[0] == pair[1]:
                st.info("Choose two different systems.")
                pair = questions.best(statistics)
            room = Classroom(statistics, pair, choices.settings.seed, corpus=corpus)
        elif len(statistics.systems) < 2:
            questions.chosen(statistics)  # it says what is missing
        st.caption(plain(f"{statistics.metric.name}; {' and '.join(lesson.room(room).pair)}."))
    return room


def _onward(lesson: Lesson, room: Classroom) -> None:
    """Lead to the page that shows the same of these data, by the test and the unit of the lesson."""
    first, second = lesson.room(room).pair
    # Other pages do not have the systems that the sample has for lessons alone.
    if session.current().data.corpus is not None and {first, second} <= {*room.statistics.systems}:
        target, label = _SEEN_ON.get(lesson.number, (session.COMPARE, "See this on Compare two"))
        pair = {session.FIRST: first, session.SECOND: second}
        # No link: what a link says of widgets that all pages have, Streamlit drops in favour of what they say here.
        look: dict[str, Any] = {"type": "tertiary", "icon": ":material/arrow_forward:"}
        if st.button(label, key="onward", on_click=_choose, args=({**pair, **dict(lesson.settings)},), **look):
            # A pair that was chosen here has widgets, which alone write it into the address.
            session.current().open_page(target, None if room.chosen else {name: [one] for name, one in pair.items()})


def _choose(said: Mapping[str, str]) -> None:
    for name, value in said.items():
        session.choose(name, value)


def _handouts(lesson: Lesson, room: Classroom) -> None:
    """Offer the lesson on paper and as notebooks, on these data with this pair and seed."""
    with st.expander("Handout and notebooks of this lesson", key=f"handout{lesson.number}", on_change="rerun") as offer:
        if not offer.open:
            return
        solved = st.toggle("Include the answers, computed from these data", key="handout_answers")
        source, told = _source(room)
        kinds = [kind for kind in _HANDOUTS if source is not None or kind != "ipynb"]
        for column, kind in zip(st.columns(len(_HANDOUTS)), kinds, strict=False):
            stem, _, ending = FORMATS[kind].partition(".")
            file = f"{stem}{'-solutions' if solved else ''}.{ending}"
            column.download_button(
                _HANDOUTS[kind],
                _handout(lesson, room, kind, file, source),
                file,
                on_click="ignore",
                key=f"download-{kind}",
                width="stretch",
            )
        st.caption(f"The command line writes all lessons at once. {told}")


def _handout(lesson: Lesson, room: Classroom, kind: str, file: str, source: Source | None) -> Callable[[], bytes]:
    """Return what makes a lesson's file, as `mtsig lessons` writes it.

    It is called while no page is drawn, so there is no bar; not remembered, since the visitor has the file.
    """
    pool, work = workers(), partial(kit_files, room, [kind], [lesson], "solutions" in file, source)
    return lambda: pool.run(work)[0][file]


def _source(room: Classroom) -> tuple[Source | None, str]:
    """Return where notebooks find these data, None where they would find others; and what is to be said of it."""
    metric, data = choice_of(room.statistics.metric), session.current().data
    if room.corpus is None or metric is None:
        return None, "Notebooks cannot use this metric, because it is not available by name."
    if room.corpus.digest == asked_here(read_sample).digest:
        return Source(None, metric), ""
    if data.corpus is not data.whole:
        return None, "Notebooks need the whole test set, but only a part is chosen here."
    return Source(_FOLDER, metric), f"The notebooks read your files from the folder {_FOLDER} next to them."


show.guarded(page)
