"""Learn: significance testing by the visitor's own data, a question and a commitment before every drawing."""

import hashlib
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from mtsig import Corpus, NotApplicable, read_sample
from mtsig.lessons import FORMATS, GAMES, LESSONS, Classroom, kit_files
from mtsig.lessons._course import Source
from mtsig.lessons._stage import Lesson, Stage
from mtsig.readers._find import parts_of
from mtsig.readers._read import sample_files
from mtsig.study._request import choice_of
from mtsig_dashboard import compute, session
from mtsig_dashboard.memory import asked, asked_here, workers
from mtsig_dashboard.parts import forms, questions, show, sidebar, stages
from mtsig_dashboard.parts.show import plain
from mtsig_dashboard.session import Progress

_DOCUMENTS = 11
_COLUMNS = 3

_PLANNING = "app_pages/planning.py"
_SEEN_ON = {
    5: (_PLANNING, "See this on Planning"),
    9: (session.RESULTS, "See this on Results"),
    10: (_PLANNING, "See this on Planning"),
    12: (session.SEGMENTS, "See this on Segments"),
    13: (_PLANNING, "See this on Planning"),
}

_HANDOUTS = {"html": "Web page", "pdf": "PDF", "ipynb": "Jupyter"}

# Where a notebook looks for data that came without a folder.
_FOLDER = "data"

_PROJECTOR = Path(__file__).resolve().parent.parent / "projector.css"


def page() -> None:
    """Draw the page."""
    chosen = _chosen()
    if chosen is None:
        _cards()
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
        sidebar.seed()
        st.info("Your data cannot be compared as they are: the lesson is on the sample.")
    _lesson(chosen, corpus)


def _course() -> dict[str, Lesson]:
    """Return lessons and games by their address."""
    return {str(each.number): each for each in (*LESSONS, *GAMES)}


def _chosen() -> Lesson | None:
    """Return the lesson that the address names."""
    return _course().get(st.query_params.get("lesson", ""))


def _open(number: str) -> None:
    """Let the address name another lesson, or none; for callbacks."""
    forms.say("lesson", number, "")
    forms.say("shown", "", "")


def _cards() -> None:
    """Show what can be learnt, a card each."""
    st.title("Learn")
    minutes = max(each.minutes for each in (*LESSONS, *GAMES))
    st.markdown(
        "Each lesson asks a question, waits for your guess, and then draws the answer: on your own data where some "
        f"are loaded, else on the sample. Each takes up to {minutes} minutes. Your answers stay on this computer."
    )
    _grid("Lessons", LESSONS)
    if GAMES:
        _grid("Games", GAMES)
    _answers()
    with st.expander("A first tour of the pages", key="tour_again", on_change="rerun") as again:
        if again.open:
            stages.tour(partial(session.choose, "tour_again", False))


def _grid(title: str, some: tuple[Lesson, ...]) -> None:
    st.header(title)
    for begin in range(0, len(some), _COLUMNS):
        for column, each in zip(st.columns(_COLUMNS), some[begin : begin + _COLUMNS], strict=False):
            with column.container(border=True, height="stretch"):
                number = str(each.number)
                st.button(_title(each), key=f"open{number}", on_click=_open, args=(number,), width="stretch")
                st.markdown(f"Against: *{plain(each.misconception)}*")
                if any(answer["lesson"] == each.number for answer in _given().values()):
                    st.caption("answered")


def _title(each: Lesson) -> str:
    return f"{each.number} · {plain(each.title)}"


def _lesson(lesson: Lesson, corpus: Corpus) -> None:
    """Draw one lesson: question, commitment, drawing, take-home, exercise."""
    row = st.container(horizontal=True, vertical_alignment="center")
    title = row.container()
    with row.container(key="projector-switch", width="content"):
        projector = st.toggle(
            "Projector",
            **forms.bound("projector"),
            help="Large letters, and nothing but the drawing.",
        )
    if projector:
        st.html(_PROJECTOR)
    else:
        title.title(_title(lesson))
        st.caption(f"Against: {plain(lesson.misconception)} · From {plain(lesson.sections)}")
        st.markdown(f"**Question.** {plain(lesson.question)}")
    room = _room(lesson, corpus)
    drawn = False
    try:
        stage = asked("Drawing …", lesson.stage, room)
        drawn = (_game if stage.rounds else _stage)(lesson, room, stage, projector)
    except NotApplicable as error:
        st.info(plain(str(error)))
    if not projector:
        _after(lesson, room, drawn)


def _room(lesson: Lesson, corpus: Corpus) -> Classroom:
    """Return the classroom: the first metric, and the pair and seed that the sidebar says."""
    choices = session.current().selection.choices
    statistics = compute.measured(corpus, choices.metrics[0])
    with st.sidebar:
        pair = questions.chosen(statistics)
        if pair[0] == pair[1]:
            st.info("Choose two different systems.")
            pair = questions.best(statistics)
        drawn = "unit: segment." if lesson.number != _DOCUMENTS else "units: segments, and whole documents."
        later = " Documents come in lesson 11." if lesson.number < _DOCUMENTS else ""
        st.caption(f"{plain(statistics.metric.name)} · {drawn}{later}")
    return Classroom(statistics, pair, choices.settings.seed, corpus=corpus)


def _id(lesson: Lesson, room: Classroom) -> str:
    """Return what a lesson on these data is called where answers are kept."""
    metric = room.statistics.metric.name
    text = json.dumps([lesson.name, room.statistics.digest, metric, room.pair, room.seed, room.unit])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _given() -> dict[str, dict[str, Any]]:
    """Return the answers that were given in this visit."""
    return session.current().view.answers


def _answer(lesson: Lesson, room: Classroom) -> dict[str, Any]:
    """Return the answers that were given in a lesson on these data, to be read and written."""
    about = {
        "lesson": lesson.number,
        "title": lesson.title,
        "data": room.statistics.digest,
        "metric": room.statistics.metric.name,
        "pair": list(room.pair),
        "seed": room.seed,
    }
    return _given().setdefault(_id(lesson, room), about)


def _stage(lesson: Lesson, room: Classroom, stage: Stage, projector: bool) -> bool:
    """Draw a lesson's stage; return whether a guess is locked in."""
    name, known = _id(lesson, room), _given().get(_id(lesson, room), {})
    asked = st.query_params.get("shown", "")
    shown = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 7 else known.get("shown", 0)
    start = Progress(known.get("guess"), min(shown, stage.steps), known.get("view", ""))
    progress = stages.lesson(name, lesson.title, stage.plain(), start, projector, partial(_follow, lesson))
    forms.say("shown", str(progress.shown), "0")
    if progress.guess is None:
        return False
    answer = _answer(lesson, room)
    answer |= {"question": stage.ask.question, "guess": progress.guess, "shown": progress.shown, "view": progress.view}
    return True


def _follow(lesson: Lesson) -> None:
    """Open the lesson after this one, or the first game after the last."""
    numbers = list(_course())
    at = numbers.index(str(lesson.number)) + 1
    if at < len(numbers):
        _open(numbers[at])


def _game(lesson: Lesson, room: Classroom, stage: Stage, projector: bool) -> bool:
    """Draw a game's rounds, judge guesses and keep the score; return whether it is over."""
    rounds: list[dict[str, Any]] = _given().get(_id(lesson, room), {}).get("rounds", [])

    def judge(number: int, guess: float) -> None:
        # A round is judged once, in its turn.
        kept = _answer(lesson, room).setdefault("rounds", [])
        if number == len(kept) < len(stage.rounds):
            played = stage.rounds[number]
            points = 0 if lesson.points is None else lesson.points(played.answer, guess)
            kept.append({"guess": guess, "answer": played.answer, "points": points, "after": played.after})

    score = f"{sum(played['points'] for played in rounds)} points so far." if rounds else ""
    follow = partial(_follow, lesson)
    name = _id(lesson, room)
    stages.game(name, lesson.title, stage.plain(), rounds, score, projector, judge, follow)
    return len(rounds) == len(stage.rounds)


def _after(lesson: Lesson, room: Classroom, drawn: bool) -> None:
    """Show what stands below the drawing: what to take home, what to try, the quiz, and the way on."""
    st.header("Say it")
    if drawn:
        st.success(plain(lesson.take_home))
        st.header("Try")
        st.markdown(plain(lesson.exercise))
        with st.expander("Solution, worked out on these data", on_change="rerun", key=f"solution{lesson.number}") as at:
            if at.open:
                with show.part():
                    st.markdown(plain(asked("Solving …", lesson.solution, room)))
        _quiz(lesson, room)
    else:
        when = "every round is played" if lesson.points else "you have committed yourself"
        st.caption(f"What to take home stands here when {when}.")
    if session.current().data.corpus is not None:
        target, label = _SEEN_ON.get(lesson.number, (session.COMPARE, "See this on Compare two"))
        first, second = room.pair
        show.onward(target, label, {session.FIRST: first, session.SECOND: second})
    _handouts(lesson, room)
    numbers = list(_course())
    at_number = numbers.index(str(lesson.number))
    steps = st.container(horizontal=True)
    steps.button("All lessons", on_click=_open, args=("",))
    for label, to in (("Previous lesson", at_number - 1), ("Next lesson", at_number + 1)):
        if 0 <= to < len(numbers):
            steps.button(label, on_click=_open, args=(numbers[to],))
    _answers()


def _handouts(lesson: Lesson, room: Classroom) -> None:
    """Offer the lesson on paper and as notebooks, on these data with this pair and seed."""
    with st.expander("Handout and notebooks of this lesson", key=f"handout{lesson.number}", on_change="rerun") as offer:
        if not offer.open:
            return
        solutions = st.toggle("With the answers, worked out on these data", key="handout_answers")
        source, told = _source(room)
        kinds = [kind for kind in _HANDOUTS if source is not None or kind != "ipynb"]
        for column, kind in zip(st.columns(len(_HANDOUTS)), kinds, strict=False):
            column.download_button(
                _HANDOUTS[kind],
                _handout(lesson, room, kind, solutions, source),
                FORMATS[kind],
                on_click="ignore",
                key=f"download-{kind}",
                width="stretch",
            )
        st.caption(f"All lessons at once are made on the command line. {told}")


def _handout(lesson: Lesson, room: Classroom, kind: str, solutions: bool, source: Source | None) -> Callable[[], bytes]:
    """Return what makes a lesson's file in one of FORMATS, as `mtsig lessons` writes it.

    It is called while no page is drawn, so there is no bar; not remembered, since the visitor has the file.
    """
    pool, work = workers(), partial(kit_files, room, [kind], [lesson], solutions, source)
    return lambda: pool.run(work)[0][FORMATS[kind]]


def _source(room: Classroom) -> tuple[Source | None, str]:
    """Return where notebooks find these data, None where they would find others; and what is to be said of it."""
    metric, data = choice_of(room.statistics.metric), session.current().data
    if room.corpus is None or metric is None:
        return None, "A notebook cannot ask for this metric by a name."
    if room.corpus.digest == asked_here(read_sample).digest:
        return Source(None, metric), ""
    if data.corpus is not data.whole:
        return None, "Notebooks are made of whole data only; these are a part."
    return Source(_FOLDER, metric), f"The notebooks read your files again, from a folder {_FOLDER} beside them."


def _quiz(lesson: Lesson, room: Classroom) -> None:
    """Ask the lesson's question; the first answer that is checked is the one that counts."""
    quiz, known = lesson.quiz, _answer(lesson, room)
    st.header("Quiz")
    picked = st.radio(
        plain(quiz.question),
        range(len(quiz.answers)),
        index=known.get("quiz", {}).get("answer"),
        format_func=lambda i: plain(quiz.answers[i]),
        key=f"quiz{_id(lesson, room)}",
        disabled="quiz" in known,
    )
    if "quiz" not in known:
        st.button("Check", disabled=picked is None, on_click=_check, args=(lesson, room, picked))
        return
    box = st.success if known["quiz"]["right"] else st.warning
    right = "Right." if known["quiz"]["right"] else f"The answer is: {quiz.answers[quiz.right]}."
    box(plain(f"{right} {quiz.why}"))


def _check(lesson: Lesson, room: Classroom, picked: int) -> None:
    _answer(lesson, room)["quiz"] = {"answer": picked, "right": picked == lesson.quiz.right}


def _answers() -> None:
    """Offer the answers of this visit as a file; nothing is sent."""
    given = _given()
    if given:
        text = json.dumps(list(given.values()), indent=1, ensure_ascii=False)
        st.download_button("Download my answers", text, "answers.json", "application/json", on_click="ignore")


show.guarded(page)
