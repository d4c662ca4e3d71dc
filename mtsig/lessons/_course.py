"""The course: every lesson and game in order, the pages about it, and the files of the kit.

The games: the line-up, and guessing the p.
"""

import copyreg
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import Any, NamedTuple

import numpy as np

from mtsig._memory import remembered
from mtsig._probability import points_text
from mtsig._records import Floats
from mtsig.corpus import Note
from mtsig.corpus._notes import listed, number_of
from mtsig.errors import NotApplicable, find
from mtsig.inference import compare, p_text
from mtsig.inference._significance import ApproximateRandomization
from mtsig.lab._material import FEWEST, Pair, Population, of_units, relabel
from mtsig.lab._sampling import trace
from mtsig.lessons import _comparing, _many_looks, _p_values, _stage, _uncertainty, _what_scores_hide
from mtsig.lessons import _drawn as drawn
from mtsig.lessons._drawn import ALPHA
from mtsig.lessons._p_values import half
from mtsig.lessons._stage import Ask, Classroom, Lesson, Mark, Round, Stage
from mtsig.metrics import Statistics
from mtsig.metrics._metric import sign_of
from mtsig.progress import each
from mtsig.report import Table
from mtsig.report._table import markdown_table
from mtsig.resampling import Bootstrap, Purpose, Swap, Words, differing_units

PICTURES = 20
SHEETS = 6
WORTH = 10
"""Points for a real picture that was picked."""

HIDDEN = 2
"""Rounds, at least, in which the real picture is not the most conspicuous one, wherever the data have such."""

_PARTS = (1.0, 0.5, 0.25, 0.125)
"""Shares of the segments on which a pair that stands out on all of them may not."""


def differences(statistics: Statistics) -> Floats:
    """Return every system's lead over every other, positive where the row's is better; shape (s, s)."""
    scores = sign_of(statistics.metric) * statistics.scores
    return np.asarray(scores[:, None] - scores[None, :])


def line_up(statistics: Statistics, seed: int) -> tuple[Floats, int]:
    """Return the pictures in order, shape (20, s, s), and which of them is real."""
    place = int(Words(seed, 3, Purpose.ORDERS).take(1, 1)[0, 0] % np.uint64(PICTURES))
    made = [differences(relabel(statistics, seed + number)) for number in range(1, PICTURES)]
    made.insert(place, differences(statistics.shared_by(statistics.systems)))
    return np.array(made), place


def rivals(pictures: Floats, place: int) -> int:
    """Return how many pictures are at least as conspicuous as the real one."""
    largest = np.abs(pictures).max(axis=(1, 2))
    return int(np.sum(np.delete(largest, place) >= largest[place]))


def _stage_of_lineup(room: Classroom) -> Stage:
    pick = Ask(
        f"One of {PICTURES} pictures has the true names. In the others, the systems' names were assigned by lot in "
        "every segment, as if each had been sampled by itself (lesson 11). Which is the true one?",
        "choice",
        options=tuple(str(number) for number in range(1, PICTURES + 1)),
    )
    shown = [(statistics, *line_up(statistics, seed)) for statistics, seed in _lined_up(room)]
    clear = sum(not rivals(pictures, place) for _, pictures, place in shown)
    reveal = (
        f"Random guesses get {WORTH * len(shown) / PICTURES:g} of {WORTH * len(shown)} points on average. If you "
        f"choose the darkest picture in every round, you get {WORTH * clear} points. In "
        f"{number_of(len(shown) - clear, 'round')}, a picture with swapped names has a difference at least as large as "
        "the largest one of the real picture."
    )
    return Stage(pick, 0, {}, reveal, rounds=tuple(_round_of_lineup(*one) for one in shown))


def _lined_up(room: Classroom) -> list[tuple[Statistics, int]]:
    """Return the systems and the seed of each round: some stand out, others do not, at places that the seed decides."""
    whole = room.statistics.at("segment")
    if len(whole.systems) < 2:
        raise NotApplicable("This game compares systems, but your data have only one.")
    names = whole.systems[: drawn.MOST_SYSTEMS]
    order = Words(room.seed, 4, Purpose.ORDERS).take(2, max(len(names) * (len(names) - 1) // 2, SHEETS))
    pairs = list(combinations(names, 2))
    groups = [names] * (len(names) > 2) + [pairs[int(k)] for k in np.argsort(order[0, : len(pairs)], kind="stable")]
    rounds: dict[bool, list[tuple[Statistics, int]]] = {True: [], False: []}
    for number, group in enumerate(groups):
        for share in _PARTS:
            statistics, seed = _part(whole.select(group), share), room.seed + 1000 * number
            if not _apart(statistics):
                break
            hidden = rivals(*line_up(statistics, seed)) > 0
            if hidden or share == 1:
                rounds[hidden].append((statistics, seed))
            # A clear pair is shown on fewer segments, too, while there are not enough rounds that hide.
            if hidden or len(rounds[True]) >= HIDDEN:
                break
    if not rounds[True] and not rounds[False]:
        raise NotApplicable(
            f"No two systems differ on {FEWEST} segments or more. So after swapping names, the picture would often be "
            "the same."
        )
    hiding = rounds[True][: max(HIDDEN, SHEETS - len(rounds[False]))]
    chosen = [*hiding, *rounds[False][: SHEETS - len(hiding)]]
    return [chosen[int(k)] for k in np.argsort(order[1, : len(chosen)], kind="stable")]


def _part(statistics: Statistics, share: float) -> Statistics:
    if share == 1:
        return statistics
    shared = statistics.shared_by(statistics.systems)
    return of_units(shared, np.arange(round(share * shared.n)))


def _apart(statistics: Statistics) -> bool:
    """Return whether every two of the systems differ on units enough that worlds are not the real one again."""
    if statistics.units_of(statistics.systems) < FEWEST:
        return False
    shared = statistics.shared_by(statistics.systems)
    pairs = np.array(list(combinations(range(len(shared.systems)), 2)))
    return bool((differing_units(shared, *pairs.T).sum(axis=-1) >= FEWEST).all())


def _round_of_lineup(statistics: Statistics, pictures: Floats, place: int) -> Round:
    panel = _stage.Lineup(
        f"Differences in {statistics.metric.name} on {statistics.units_of(statistics.systems):,} segments. Rows from "
        f"the top and columns from the left: {', '.join(statistics.systems)}",
        tuple(tuple(map(tuple, picture)) for picture in np.round(pictures, 6).tolist()),
        round(float(np.abs(pictures).max()), 6),
    )
    points = tuple(WORTH * (number == place) for number in range(PICTURES))
    right = (
        f"the real one, {WORTH} points. A blind guess finds it in 1 of {PICTURES} rounds: p = {half(1 / PICTURES)}, if "
        "you did not know the data."
    )
    replies = (f"You picked {n}: {right if won else '0 points.'}" for n, won in enumerate(points, 1))
    return Round((panel,), float(place), _told(statistics, pictures, place), points, tuple(replies))


def _told(statistics: Statistics, pictures: Floats, place: int) -> str:
    """Return which picture is real, and how it stands among the others."""
    largest, above = np.abs(pictures).max(axis=(1, 2)), rivals(pictures, place)
    digits, name = statistics.metric.decimals, statistics.metric.name
    many = f"{above} of them have one at least as large, so it is not conspicuous"
    stands = many if above else "it is the largest"
    p = half((above + 1) / PICTURES)
    its = "Its difference" if len(statistics.systems) == 2 else "Its largest difference"
    return (
        f"Picture {place + 1} is real. {its} is {points_text(float(largest[place]), digits)} {name}, "
        f"and the {PICTURES - 1} others have at most {points_text(float(np.delete(largest, place).max()), digits)}: "
        f"{stands}. Whichever you picked, a computer that compares these differences gets p = "
        f"({above} + 1)/({PICTURES - 1} + 1) = {p}."
    )


def _solution_of_lineup(room: Classroom) -> str:
    above = [rivals(*line_up(statistics, seed)) for statistics, seed in _lined_up(room)]
    told = "; ".join(f"{number}: {count or 'none'}" for number, count in enumerate(above, 1))
    return (
        f"Round by round, the number of the {PICTURES - 1} pictures with swapped names that have a difference at least "
        f"as large as the largest one of the real picture: {told}. If no other picture has one, the real picture is "
        f"easy to find. With {PICTURES} pictures, the smallest possible p is (0 + 1)/({PICTURES - 1} + 1)."
    )


LINEUP = Lesson.of(
    "lineup",
    draw=_stage_of_lineup,
    solve=_solution_of_lineup,
    on="all systems, and pairs of them",
    settings=(("test", "ar"), ("unit", "segment")),
    code="""place = rng.integers(20)
swapped = lambda: np.where(rng.random(n) < 0.5, values[:, ::-1], values)
lineup = [values if number == place else swapped() for number in range(20)]
np.argmax([abs(np.subtract(*score(named.sum(axis=-1)))) for named in lineup]) == place""",
    is_game=True,
)


ROUNDS = 10
_DRAWS = 999
"""So that p is at least 1 in 1,000."""

_FEWEST, _MOST = 20, 400
_MOST_POINTS = 10
_FARTHEST = 4.0
"""Standard errors that the largest of the differences has."""

_P = Ask(
    "How large is p? The slider has a logarithmic scale: .001 to .01 takes as much space as .01 to .1, and as .1 to 1. "
    "You get 10 points for p itself, 4 for twice or half of it, and 0 for three times or a third of it.",
    "number", 1 / (_DRAWS + 1), 1.0, 0.02, 3, log=True,
)  # fmt: skip


def _stage_of_guess(room: Classroom) -> Stage:
    rounds = tuple(_round_of_guess(room, number) for number in range(ROUNDS))
    sums = np.sum([one.points for one in rounds], axis=0)
    reveal = (
        f"If you give the same answer in all rounds, you get at most {sums.max()} of {_MOST_POINTS * ROUNDS} points. "
        f"The best such answer is {half(_P.places[sums.argmax()])}."
    )
    return Stage(_P, 0, {}, reveal, pace="hand", noun="round", rounds=rounds)


@remembered(64, lambda room, number: (room.statistics, room.chosen, room.seed, number))
def _round_of_guess(room: Classroom, number: int) -> Round:
    """Return a round: some of the segments drawn again, on which more or less of the real difference is left."""
    pair, size, effect = _chosen(room, number)
    room.statistics.row(pair[0])
    population = Population(room.statistics.at("segment").select(pair), effect=effect)
    statistics = population.draw(min(size, population.size), number, room.seed)
    redrawn = trace(statistics, Bootstrap(_DRAWS, room.seed, "segment"), pair)
    swapped = trace(statistics, Swap(_DRAWS, room.seed, "segment"), pair)
    (comparison,) = compare(statistics, ApproximateRandomization(Swap(_DRAWS, room.seed, "segment")), [pair])
    ends = drawn.axis_around_zero(np.concatenate([redrawn.values, swapped.values]), redrawn.observed)
    far, observed = int(swapped.beyond.sum()), drawn.points(room, redrawn.observed)
    how = "by trying every swap" if comparison.exact else f"({far} + 1)/({_DRAWS} + 1)"
    return Round(
        (
            drawn.pile(room, redrawn, f"{statistics.n} segments, resampled", ends, pair,
                       marks=(Mark(0.0, "no difference"),)),
            drawn.pile(room, swapped, "The same segments, names swapped at random", ends, pair, ", names swapped",
                       marks=(Mark(redrawn.observed, f"observed {observed}"),), beyond=_stage.marks(swapped.beyond),
                       sides=2),
        ),
        comparison.p_value,
        f"{p_text(comparison.p_value)}{',' if comparison.exact else ' ='} {how}. Hatched: the {far} of {_DRAWS} "
        f"random swaps that are at least as far from zero as {observed}, on either side.",
        *zip(*(replied(comparison.p_value, guess) for guess in _P.places), strict=True),
    )  # fmt: skip


def _chosen(room: Classroom, number: int) -> tuple[Pair, int, float]:
    """Return a round's pair, the number of its segments, and how much of the real difference is left.

    As much of it is left as gives ten rounds large and small p, as far as the systems differ by enough.
    """
    n, order = room.statistics.at("segment").n, Words(room.seed, ROUNDS, Purpose.ROUNDS).uniform(1, ROUNDS)[0]
    which, how_many, within = Words(room.seed, number, Purpose.ROUNDS).uniform(1, 3)[0]
    most = min(_MOST, n)
    fewest = min(_FEWEST, most)
    size = round(fewest * (most / fewest) ** how_many)
    wanted = _FARTHEST * float(np.argsort(order)[number] + within) / ROUNDS
    known = {one.pair: one.z * (size / n) ** 0.5 for one in drawn.measured(room)} or {room.pair: wanted}
    able = [pair for pair, z in known.items() if z >= wanted] or [max(known, key=known.__getitem__)]
    pair = able[int(which * len(able))]
    return pair, size, min(1.0, wanted / known[pair])


def replied(answer: float, guess: float) -> tuple[int, str]:
    """Return what a guess is worth, and the reply to it: 10 points less 2 for every 26% that it is off; never below 0.

    Exact values below what can be guessed count as the least that can.
    """
    times = max(answer, _P.low) / guess
    points = max(0, round(_MOST_POINTS * (1 - 2 * abs(float(np.log10(times))))))
    told = "right"
    if points < 10:
        told = f"too small; p is {times:.1f} times this" if times > 1 else f"too large; it is {1 / times:.1f} times p"
    if (guess <= ALPHA) != (answer <= ALPHA):
        told += ", and on the other side of .05"
    return points, f"Your guess, {half(guess)}, is {told}: {points} of {_MOST_POINTS} points."


def _solution_of_guess(room: Classroom) -> str:
    said = []
    for number in range(ROUNDS):
        played = _round_of_guess(room, number)
        values = np.array(played.panels[0].values)  # type: ignore[attr-defined]
        few = min(float(np.mean(values > 0)), float(np.mean(values < 0)))
        said.append(f"{number + 1}: {p_text(played.answer)}, {drawn.share_text(few)}")
    return (
        f"The rounds of seed {room.seed}, each with its p and the share of resamples on the smaller side of zero: "
        f"{'; '.join(said)}. If p is smaller, this share is mostly smaller, too: it is roughly half of p."
    )


GUESS_THE_P = Lesson.of(
    "guess-the-p",
    draw=_stage_of_guess,
    solve=_solution_of_guess,
    on="pairs of all systems",
    settings=(("test", "ar"), ("unit", "segment")),
    code="""observed = np.subtract(*score(values.sum(axis=-1)))
draws = [np.subtract(*score(np.where(rng.random(n) < 0.5, values[:, ::-1], values).sum(axis=-1))) for _ in range(999)]
right, left = np.sum(draws >= abs(observed)), np.sum(draws <= -abs(observed))
(right + left + 1) / (999 + 1)""",
    is_game=True,
)


_ORDER = (
    _uncertainty.WHY_IT_WORKS,
    _uncertainty.ONE_REDRAW,
    _p_values.SWAP_THE_NAMES,
    _p_values.WHERE_P_COMES_FROM,
    _uncertainty.COVERAGE_DANCE,
    _uncertainty.SIZE_LAW,
    _comparing.OVERLAPPING_BARS,
    _comparing.WIN_RATE,
    _p_values.HALF_P,
    _many_looks.TWENTY_EQUAL,
    _many_looks.PEEKING,
    _what_scores_hide.DOCUMENTS_TRAVEL_TOGETHER,
    _what_scores_hide.SAME_BLEU,
    _what_scores_hide.SIGNIFICANT_OR_IMPORTANT,
    LINEUP,
    GUESS_THE_P,
)
COURSE = tuple(replace(lesson, number=number) for number, lesson in enumerate(_ORDER))
LESSONS: tuple[Lesson, ...] = tuple(lesson for lesson in COURSE if not lesson.is_game)
"""The lessons, in order of their numbers."""

GAMES: tuple[Lesson, ...] = tuple(lesson for lesson in COURSE if lesson.is_game)
"""The games."""

MINUTES = 10
"""That each of them takes in class."""

_BY_NAME = {lesson.name: lesson for lesson in COURSE}


def _called(name: str) -> Lesson:
    return _BY_NAME[name]


# To a process that draws it a lesson goes by its name: what draws it is there, and is made of functions without one.
copyreg.pickle(Lesson, lambda lesson: (_called, (lesson.name,)))


class Source(NamedTuple):
    """The data and the metric that a notebook reads; None for the sample."""

    data: str | None = None
    metric: str = "bleu"


Plan = tuple[tuple[str | Lesson, int], ...]
"""Parts of a class, each with its minutes: a lesson, or what else is done; at home, it takes none of them."""


def _plan(*parts: str | tuple[str, int]) -> Plan:
    """Return a plan of what is done, and of lessons by their names."""
    lessons = (((_BY_NAME[name], MINUTES) for name in part.split()) if isinstance(part, str) else (part,)
               for part in parts)  # fmt: skip
    return tuple(chain.from_iterable(lessons))


_SHORT = "why-it-works one-redraw swap-the-names where-p-comes-from overlapping-bars twenty-equal peeking lineup"
_ASKED = f"questions {listed([str(_BY_NAME[name].number + 1) for name in _SHORT.split()])}"
_OPENING, _RECALL = ("Opening: which difference of two pairs is more certain?", 5), ("What do you remember?", 5)

SHORT: Plan = _plan(
    (f"At home, before: {_ASKED} of the quiz", 0), _OPENING, _SHORT, ("Closing: the opening again", 5),
    ("At home, after: the same questions", 0),
)  # fmt: skip
"""90 minutes."""

LONG: tuple[tuple[str, Plan], ...] = (
    ("What moves a score",
     _plan(("At home, before: the quiz", 0), _OPENING, "why-it-works one-redraw coverage-dance size-law")),
    ("What a p-value is", _plan(_RECALL, "swap-the-names where-p-comes-from lineup guess-the-p")),
    ("Comparing", _plan(_RECALL, "overlapping-bars win-rate half-p twenty-equal")),
    ("What a small p does not show",
     _plan(_RECALL, "peeking documents-travel-together same-bleu significant-or-important",
           ("At home, after: the quiz again", 0))),
)  # fmt: skip
"""Titles of four times 45 minutes, each with its parts."""

TEACHING = (
    "Open the page Compare two with the sample data, and show two pairs: direct against direct-us, and via-catalan "
    "against via-galician. The second difference is larger, but only the first is significant. Ask why before anything "
    "is explained; the course answers this question.",
    "Projector, at the top of a lesson, shows only the drawing, in large type. The keys 1, 2, 3 and 4 press the four "
    "buttons, R starts the lesson again, and → opens the next lesson. The answer appears only when you ask for it.",
    "In lesson 4, every student uses the hundred test sets of his or her month of birth. Then add up the intervals "
    "that miss the true value over the whole class. The button Download my answers saves a student's answers in a "
    "file. Below this button, you can combine the files of a class.",
    "Every lesson ends with one question, and explains its answer. The quiz on the page of all lessons has other "
    "questions about the same ideas, for use before and after the course: "
    f"{len(_ORDER)} questions, about a minute each, to be answered at home. `mtsig lessons --to course --out FOLDER` "
    "writes them to a file, and their answers to another.",
)
"""What a teacher needs to know."""


def plans() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the titles of the plans, each with its table."""
    for title, plan in (("90 minutes", SHORT), *((f"45 minutes: {title}", plan) for title, plan in LONG)):
        rows = [
            [part, "", str(minutes or "")] if isinstance(part, str) else [part.label, part.question, str(minutes)]
            for part, minutes in plan
        ]
        rows.append(["", "", str(sum(minutes for _, minutes in plan))])
        yield title, {"header": ["Part", "Question", "Minutes"], "rows": rows}


ABOUT_QUIZ = (
    "Answer before the first lesson, and again after the last one. No lesson asks these questions. You see only the "
    "number of right answers, and which lessons treat the others."
)


def course_pages() -> dict[str, str]:
    """Return the pages about the course in Markdown, by file: the plan, the quiz, and its answers by themselves."""
    treated = [(lesson.misconception, lesson.label, lesson.sections) for lesson in COURSE]
    tables = (
        f"## {title}\n\n{markdown_table(Table.of_text('', table['header'], table['rows'], right=('Minutes',)))}"
        for title, table in plans()
    )
    plan = [
        "# A course on significance testing",
        "[Start the course](learn/index.html): each lesson asks a question, waits for your guess, and then draws the "
        "answer. It runs in the browser and sends no data. `mtsig lessons --to web --out FOLDER` writes the same pages "
        "for your own data (`--data`). Open them from the folder, or put them on any web server. In the dashboard, "
        "they are on the page Learn.",
        "## For the teacher",
        *TEACHING,
        "`mtsig lessons --to html pdf ipynb --solutions --out FOLDER` writes handouts and notebooks, each without "
        "answers and, in a separate file, with answers. Here are the [quiz](course-quiz.md) and "
        "its [answers](course-answers.md). This page is written by `mtsig lessons --to course "
        "--out docs`.",
        *tables,
        "## Misconceptions",
        markdown_table(Table.of_text("", ("Misconception", "Lesson", "Where it is treated"), treated)),
    ]
    quiz = [
        "# Quiz, before and after the course",
        "Ask the same questions before and after the course, and compare the numbers of right answers.",
        *(
            f"{number}. {lesson.exam.question}\n\n"
            + "\n".join(
                f"    {one}) {text}  " for one, text in zip("abcd", lesson.exam.answers(lesson.number), strict=True)
            )
            for number, lesson in enumerate(COURSE, 1)
        ),
    ]
    answers = [
        "# Answers of the quiz",
        *(
            f"{number}. **{'abcd'[lesson.exam.place(lesson.number)]}) {lesson.exam.right}.** {lesson.exam.why}"
            for number, lesson in enumerate(COURSE, 1)
        ),
    ]
    pages = {"course.md": plan, "course-quiz.md": quiz, "course-answers.md": answers}
    return {file: "\n\n".join(parts) + "\n" for file, parts in pages.items()}


FORMATS: Mapping[str, str] = {
    "web": "index.html",
    "html": "handout.html",
    "pdf": "handout.pdf",
    "ipynb": "lessons.ipynb",
    "course": "course.md",
}
"""The formats, each with the file that it writes, or the first of several."""


def course_data(heading: bool = True) -> dict[str, Any]:
    """Return what the component is given of the course: its lessons, and what a teacher needs."""
    from mtsig.lessons._sheets import TITLE  # here, because matplotlib takes a while to load

    def cards(lessons: Sequence[Lesson]) -> list[dict[str, Any]]:
        return [
            {"number": one.number, "title": f"{one.number} · {one.title}", "against": one.misconception}
            for one in lessons
        ]

    intro = (
        f"Each lesson asks a question, waits for your guess, and then draws the answer. Each takes about {MINUTES} "
        "minutes. The quotes are common mistakes: each lesson shows what is wrong with one of them."
    )
    quiz = [one.exam.plain(one.number) | {"lesson": one.number} for one in COURSE]
    course = {"intro": intro, "lessons": cards(LESSONS), "games": cards(GAMES), "notes": list(TEACHING)}
    course |= {"quiz": quiz, "invitation": ABOUT_QUIZ}
    return {
        "id": "course", "title": TITLE, "heading": heading, "projector": False, "glossary": [], "nav": {},
        "course": course | {"plans": [table | {"title": title} for title, table in plans()]},
    }  # fmt: skip


def kit_files(
    room: Classroom,
    formats: Sequence[str] = ("html",),
    lessons: Sequence[Lesson] = COURSE,
    solutions: bool = False,
    source: Source | None = None,
) -> tuple[dict[str, bytes], list[Note]]:
    """Return the files of lessons by name, and notes on what they cannot show.

    Parameters
    ----------
    room
        The data, the pair and the seed of the lessons.
    formats
        Names in FORMATS.
    lessons
        The lessons to write, in this order.
    solutions
        Whether to also write handouts and notebooks with answers, into separate files.
    source
        The data that notebooks read; None for the sample data.

    Raises
    ------
    UnknownName
        There is no format of that name.
    ProgramError
        A package that a format needs is not installed.

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.lessons import LESSONS, Classroom, kit_files
    >>> files, notes = kit_files(Classroom.of(mtsig.read_sample(), "chrf"), ("ipynb", "course"), LESSONS[5:6])
    >>> list(files), notes
    (['lessons.ipynb', 'course.md', 'course-quiz.md', 'course-answers.md'], [])
    """
    # Here and not above: matplotlib takes a while to load, and the list of formats needs none of it.
    from mtsig.lessons._sheets import Worksheet, html, ipynb, pages, pdf

    sheet: dict[str, Callable[[Sequence[Worksheet]], tuple[bytes, Iterable[Note]]]] = {
        "html": lambda sheets: html(room, sheets),
        "pdf": lambda sheets: pdf(room, sheets),
        "ipynb": lambda sheets: (ipynb(room, sheets, source or Source()), ()),
    }
    for name in formats:
        find(FORMATS, name, "format")
    files: dict[str, bytes] = {}
    notes: dict[Note, None] = {}
    if "web" in formats:
        files |= pages(room, lessons, course_data())
    for solved in (False, True)[: 1 + solutions]:
        chosen = [name for name in dict.fromkeys(formats) if name in sheet]
        sheets = [Worksheet.of(lesson, room, solved) for lesson in each(lessons)] if chosen else []
        for name in chosen:
            stem, _, ending = FORMATS[name].partition(".")
            data, said = sheet[name](sheets)
            files[f"{stem}{'-solutions' if solved else ''}.{ending}"] = data
            notes |= dict.fromkeys(said)
    if "course" in formats:
        files |= {name: page.encode() for name, page in course_pages().items()}
    return files, list(notes)
