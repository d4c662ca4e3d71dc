"""The Learn page: question, commitment, drawing, take-home and exercise, on these data or on the sample."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from made import DASHBOARD, made_corpus
from mtsig_dashboard.parts import stages
from pages import address, app, at_page, lines, made_files, texts, uploaded, with_sample
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest
from test_ratings_on_pages import long_table

from mtsig import read_sample
from mtsig.lessons import GAMES, LESSONS, Classroom, kit_files
from mtsig.lessons._stage import Ask, Facts, Lesson, Quiz, Round, Stage

FILES = made_files(systems=2)


def lesson(at: AppTest, number: int, **query: str) -> AppTest:
    """Open a lesson as a link does."""
    for name, value in {"lesson": str(number), **query}.items():
        at.query_params[name] = value
    return at_page(at, "learn")


def sent(at: AppTest) -> dict[str, Any]:
    """Return what the drawing was given."""
    (drawing,) = at.get("bidi_component")
    return json.loads(drawing.proto.json)


def tell(at: AppTest, **told: object) -> AppTest:
    """Let the drawing tell of a guess that was locked in, or of draws that were drawn."""
    at.session_state[f"stage-{sent(at)['id']}"] = told
    at.run()
    assert not at.exception, at.exception
    return at


def click(at: AppTest, label: str) -> AppTest:
    next(one for one in at.button if one.label.replace("\\", "") == label).click().run()
    assert not at.exception, at.exception
    return at


def buttons(at: AppTest) -> list[str]:
    return [one.label.replace("\\", "") for one in at.button]


def guess(stage: dict[str, Any]) -> object:
    ask = stage["ask"]
    numbers = [ask["low"] for _ in ask["names"]] or ask["low"]
    return {"range": [ask["low"], ask["high"]], "number": numbers, "choice": 0}[ask["kind"]]


def test_there_is_a_card_for_every_lesson_and_it_opens_the_lesson() -> None:
    at = app("learn")
    assert buttons(at) == [f"{each.number} · {each.title}" for each in (*LESSONS, *GAMES)]
    assert all(each.misconception in texts(at) for each in (*LESSONS, *GAMES))
    click(at, buttons(at)[0])
    assert (at.title[0].value, address(at)["lesson"]) == (f"1 · {LESSONS[0].title}", "1")
    # Without data there is the sample, and the visitor is told nothing of missing data.
    assert address(at)["data"] == "sample"
    click(at, "Next lesson")
    assert address(at)["lesson"] == "2"
    click(at, "All lessons")
    assert "lesson" not in address(at)
    assert at.title[0].value == "Learn"


def test_numbers_are_addresses() -> None:
    numbers = [each.number for each in (*LESSONS, *GAMES)]
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("each", LESSONS, ids=lambda each: each.name)
def test_every_lesson_is_drawn_and_waits_for_a_guess(each: Lesson) -> None:
    at = lesson(with_sample(), each.number, first="via-catalan", second="via-galician")
    given = sent(at)
    assert (given["start"]["guess"], given["start"]["shown"]) == (None, 0)
    told = texts(at)
    assert " ".join(each.question.split()) in told
    assert each.take_home not in told
    assert each.quiz.question not in [one.label for one in at.radio]
    assert given["stage"]["reveal"] not in told
    tell(at, guess=guess(given["stage"]))
    assert " ".join(each.take_home.split()) in texts(at)
    assert " ".join(each.exercise.split()) in texts(at)
    (link,) = [one.proto for one in at.get("page_link") if one.proto.label.startswith("See this on ")]
    assert "first=via-catalan" in link.query_string
    assert not at.error


def test_what_a_lesson_cannot_show_is_said() -> None:
    texts_of = {"A": "the cat sat", "B": "a cat sat", "ref": "the cat sat down"}
    at = uploaded({f"{name}.txt": lines([text] * 3) for name, text in texts_of.items()})
    for each in LESSONS:
        lesson(at, each.number)
        assert at.get("bidi_component") or at.info, each.name
        assert not at.error, each.name


def test_scores_alone_are_taught_or_it_is_said_why_not() -> None:
    at = uploaded({"comet.tsv": long_table("COMET", n=60, better=-0.1)})
    refused = {11: "which segments belong to one document is not known", 12: "only scores are loaded"}
    for each in LESSONS:
        lesson(at, each.number)
        assert bool(at.get("bidi_component")) == (each.number not in refused), each.name
        assert refused.get(each.number, "") in texts(at)
        assert not at.error, each.name
    given = sent(lesson(at, 1))
    assert "COMET" in given["stage"]["ask"]["question"]
    assert given["stage"]["views"][""]["panels"][0]["cells"][3].startswith("Segment 7 ·")  # 4 to 6 lack a score


def test_three_thousand_segments_are_drawn_and_what_is_left_out_is_said() -> None:
    corpus = made_corpus(n=3000, systems=2, documents=0)
    at = uploaded({f"{name}.txt": lines(corpus.lines(name)) for name in corpus.systems}
                  | {"ref.txt": lines(next(iter(corpus.references.values())))})  # fmt: skip
    for number in (1, 2):
        stage = sent(lesson(at, number))["stage"]
        panel = stage["views"][""]["panels"][0]
        assert len(panel["cells" if number == 1 else "texts"]) == 3000
        assert any("3,000" in text for text in stage["missing"])


def test_one_system_is_told_what_is_missing() -> None:
    at = uploaded({"A.txt": FILES["sys0.txt"], "ref.txt": FILES["ref.txt"]})
    assert "A comparison needs two systems; there is only 'A'. Add one on the Data page." in texts(lesson(at, 1))


def test_a_link_restores_lesson_data_pair_seed_and_draws() -> None:
    pair = {"first": "via-catalan", "second": "via-galician"}
    at = lesson(with_sample(seed="7"), 1, **pair, shown="100")
    given = sent(at)
    assert given["start"]["shown"] == 100
    assert "via-catalan − via-galician is +0.56" in given["stage"]["views"][""]["says"][0]
    other = sent(lesson(with_sample(seed="8"), 1, **pair))
    assert other["stage"]["views"][""]["says"][100] != given["stage"]["views"][""]["says"][100]
    assert "Metrics" in [one.label for one in at.sidebar.get("button_group")]  # kept, though not seen
    # A number of draws that is none, or that there are not, does no harm.
    for shown, starts in (("many", 0), ("99999", given["stage"]["steps"]), ("²", 0)):
        assert sent(lesson(with_sample(), 1, shown=shown))["start"]["shown"] == starts


def test_draws_that_were_drawn_stand_in_the_address_and_are_not_sent_again() -> None:
    at = lesson(with_sample(), 1)
    before = sent(at)
    tell(at, guess=[0.0, 1.0], shown=111)
    assert address(at)["shown"] == "111"
    assert sent(at) == before
    # Who comes back from another page finds the lesson as it was left.
    at_page(at, "compare")
    lesson(at, 1)
    assert sent(at)["start"] == {"guess": [0.0, 1.0], "shown": 111, "view": ""}


def test_answers_stay_in_the_visit_and_can_be_saved() -> None:
    at = app("learn")
    assert not at.get("download_button")
    lesson(at, 1)
    tell(at, guess=[0.0, 1.0], shown=10)
    quiz: Quiz = LESSONS[0].quiz
    (radio,) = at.radio
    assert radio.value is None
    radio.set_value((quiz.right + 1) % len(quiz.answers)).run()
    click(at, "Check")
    assert quiz.answers[quiz.right] in texts(at)
    assert at.radio[0].disabled
    (kept,) = at.session_state["session"].view.answers.values()
    assert (kept["lesson"], kept["guess"], kept["shown"]) == (1, [0.0, 1.0], 10)
    assert kept["quiz"] == {"answer": (quiz.right + 1) % len(quiz.answers), "right": False}
    assert json.loads(json.dumps(kept)) == kept
    assert [one.proto.label for one in at.get("download_button")] == ["Download my answers"]


def test_the_solution_is_worked_out_when_it_is_opened() -> None:
    at = lesson(with_sample(), 1)
    tell(at, guess=[0.0, 1.0])
    assert "with the seeds 1, 2 and 3" not in texts(at).partition("Solution")[2]
    at.session_state["solution1"] = True
    at.run()
    assert not at.exception
    assert "seeds 1, 2 and 3 the middle 95%" in texts(at)


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> dict[str, Callable[[], bytes]]:
    """The files that a page offers, by name."""
    files: dict[str, Callable[[], bytes]] = {}

    def button(_: DeltaGenerator, label: str, data: Any, file_name: str, *rest: Any, **options: Any) -> bool:
        del label, rest, options
        files[file_name] = data
        return False

    monkeypatch.setattr(DeltaGenerator, "download_button", button)
    return files


def opened(at: AppTest, number: int, answers: bool = False) -> AppTest:
    at.session_state[f"handout{number}"] = True
    at.session_state["handout_answers"] = answers
    at.run()
    assert not at.exception, at.exception
    return at


def test_a_lesson_s_files_are_those_of_the_command_line(offered: dict[str, Callable[[], bytes]]) -> None:
    pair, size_law = ("via-catalan", "via-galician"), LESSONS[4]
    at = lesson(with_sample(seed="7"), 5, first=pair[0], second=pair[1])
    assert not offered  # made when they are asked for
    room = Classroom.of(read_sample(), "bleu", pair, 7)
    for answers, kinds in ((False, ["html"]), (True, ["ipynb"])):
        opened(at, 5, answers)
        assert list(offered) == ["handout.html", "handout.pdf", "lessons.ipynb"]
        given, _ = kit_files(room, kinds, [size_law], answers)
        assert {name: offered[name]() for name in given} == given
        assert all((size_law.take_home in file.decode()) == answers for file in given.values())


def test_notebooks_say_where_they_look_for_own_data(offered: dict[str, Callable[[], bytes]]) -> None:
    at = opened(lesson(uploaded(FILES), 2), 2)
    assert b"mtsig.read('data')" in offered["lessons.ipynb"]()
    assert "from a folder data beside them" in texts(at)
    # A part of the data is no data that a notebook could read.
    offered.clear()
    session = at.session_state["session"]
    session.data.corpus = session.data.whole.take(range(len(session.data.whole) - 1))
    at.run()
    assert list(offered) == ["handout.html", "handout.pdf"]
    assert "Notebooks are made of whole data only" in texts(at)


def test_data_that_cannot_be_compared_stay_and_the_sample_is_taught() -> None:
    at = lesson(uploaded({"A.txt": next(iter(FILES.values()))}), 1)
    assert "the lesson is on the sample" in texts(at)
    assert at.get("bidi_component")
    assert at.session_state["session"].data.parts
    assert not at.session_state["session"].data.is_sample


def test_a_link_made_of_other_data_says_so() -> None:
    at = lesson(app(of="0" * 12), 1)
    assert "This link holds settings, not the data" in texts(at) or "This link was made of other data" in texts(at)
    at.run()
    assert "This link was made of other data" in texts(at)


def test_names_from_the_data_stay_text() -> None:
    some = list(FILES.values())
    at = lesson(uploaded({"<img src=x>.txt": some[0], "![a](b).txt": some[1], "ref.txt": FILES["ref.txt"]}), 1)
    assert sent(at)["stage"]["steps"]
    assert "<img" not in "\n".join(str(one.value) for one in [*at.markdown, *at.caption])


def _judged(room: object) -> Stage:
    rounds = tuple(Round((Facts("Seen", ("a",), (("b",),)),), answer, f"It was {answer:g}.") for answer in (41.5, 43.5))
    return Stage(Ask("How many?", "number", 0, 50, 1), 0, {}, "", 0, rounds=rounds)


def _points(answer: float, said: float) -> int:
    return 100 - round(10 * abs(answer - said))


GAME = replace(LESSONS[0], number=99, name="counting", title="Counting", stage=_judged, points=_points)


def test_guesses_are_judged_here_and_answers_are_told_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig.lessons._course.GAMES", (GAME,))
    monkeypatch.setattr("mtsig.lessons.GAMES", (GAME,), raising=False)
    sends: list[str] = []

    def drawn(name: str, title: str, plain: Any, judged: Any, score: str, projector: bool, judge: Any, _: Any) -> None:
        sends.append(json.dumps([plain, judged, score]))
        judge(len(judged), 40.0 + len(judged))

    monkeypatch.setattr(stages, "game", drawn)
    at = lesson(with_sample(), 99)
    at.run().run()
    assert not at.exception
    first, second, third = sends[-3:]
    assert "41.5" not in first
    assert "43.5" not in first
    assert "It was 41.5." in second
    assert "43.5" not in second
    # Guessed were 40 and 41.
    assert "160 points" in third
    (kept,) = at.session_state["session"].view.answers.values()
    assert [each["points"] for each in kept["rounds"]] == [85, 75]
    assert GAME.take_home in texts(at)


def test_the_tour_is_one_closed_line_until_it_was_seen() -> None:
    at = app()
    line = "New here? A tour in three steps"
    assert [one.label for one in at.expander if one.label == line] == [line]
    assert not at.get("bidi_component")
    at.session_state["tour_offered"] = True
    at.run()
    assert [step["title"] for step in sent(at)["tour"]] == [step.title for step in stages.TOUR]
    at.session_state["session"].view.end_tour()
    at.run()
    assert line not in [one.label for one in at.expander]
    at_page(at, "learn")
    at.session_state["tour_again"] = True
    assert sent(at.run())["tour"]


def test_the_front_door_leads_to_the_lesson_that_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTSIG_LESSON", "2")
    at = AppTest.from_file(str(DASHBOARD / "app.py"), default_timeout=60).run()
    at.run()
    assert at.title[0].value == f"2 · {LESSONS[1].title}"
