"""The Learn page: which lesson the browser is given, on these data or on the sample, and what leads on from it."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from kept import parts, worded
from made import DASHBOARD, made_corpus
from mtsig_dashboard.parts import stages
from mtsig_dashboard.parts.show import plain
from pages import address, app, at_page, lines, made_files, texts, uploaded, with_sample
from sampled import slow
from shown import pieces
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest

from dashboard.test_ratings import long_table
from mtsig import read_sample
from mtsig.lessons import GAMES, LESSONS, Classroom, kit_files
from mtsig.lessons._stage import Lesson

METHODS = {
    "": "", "ar": "Paired randomization", "bootstrap-ci": "Bootstrap interval", "bootstrap-koehn": "Koehn's paired",
    "bootstrap-rm2005": "Riezler and Maxwell's Figure 2",
}  # fmt: skip
"""What the page that a lesson leads to says of its test."""

FILES = made_files(systems=2)
NUMBERED = {each.number: each for each in LESSONS}


def lesson(at: AppTest, number: int, **query: str) -> AppTest:
    """Open a lesson as a link does."""
    for name, value in {"lesson": str(number), **query}.items():
        at.query_params[name] = value
    return at_page(at, "learn")


def sent(at: AppTest) -> dict[str, Any]:
    """Return what the drawing was given."""
    (drawing,) = drawings(at)
    return json.loads(drawing.proto.json)


def drawings(at: AppTest) -> list[Any]:
    """Return the components of the page itself, without that of the frame."""
    return [one for one in at.get("bidi_component") if one.key not in ("history", "refused")]


def tell(at: AppTest, **told: object) -> AppTest:
    """Let the drawing tell of draws that were drawn, or of what is asked for."""
    at.session_state[f"lesson-{sent(at)['id']}"] = told
    at.run()
    assert not at.exception, at.exception
    return at


def test_the_course_has_a_card_for_every_lesson_and_a_lesson_leads_on() -> None:
    at = app("learn")
    assert f"{len([*LESSONS, *GAMES])} beliefs" in at.title[0].value
    course = sent(at)["course"]
    assert [card["number"] for card in (*course["lessons"], *course["games"])] == [
        each.number for each in (*LESSONS, *GAMES)
    ]
    assert [card["against"] for card in course["lessons"]] == [each.misconception for each in LESSONS]
    first, *_, last = (*LESSONS, *GAMES)
    lesson(at, first.number)
    assert at.title[0].value == plain(f"{first.number} · {first.title}")
    # Without data there is the sample, and the visitor is told nothing of missing data.
    assert address(at)["data"] == "sample"
    assert set(sent(at)["nav"]) == {"all", "next"}
    assert set(sent(lesson(at, last.number))["nav"]) == {"all", "previous"}


def test_numbers_are_addresses() -> None:
    numbers = [each.number for each in (*LESSONS, *GAMES)]
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("lessons", [(*LESSONS[1::5], GAMES[0]), *slow(((*LESSONS, *GAMES),))], ids=len)
def test_every_lesson_is_given_whole_and_leads_to_the_page_that_shows_the_same(lessons: Sequence[Lesson]) -> None:
    seen = set()
    for each in lessons:
        at = lesson(with_sample(None, n_resamples="200"), each.number, first="via-catalan", second="via-galician")
        given = sent(at)
        assert given["question"] == each.question
        assert " ".join(each.question.split()) in texts(at)
        assert given["start"]["shown"] == 0
        assert given["solution"] is None  # worked out when it is asked for
        onward = at.button(key="onward")
        worded(onward.label)
        if (onward.label, each.settings) in seen:
            continue
        seen.add((onward.label, each.settings))
        onward.click().run()
        # The page computes as the lesson did, and says so, on the same two systems.
        assert not at.error
        assert not at.exception, each.name
        assert {name: at.session_state[name] for name, _ in each.settings} == dict(each.settings), each.name
        assert (at.session_state["first"], at.session_state["second"]) == ("via-catalan", "via-galician")
        said = dict(each.settings)
        told = " ".join(one.value for one in at.caption)
        assert METHODS[said.get("test", "")] in told, each.name
        assert (f"over {said['unit']}s" if "unit" in said else "") in told, each.name


@pytest.mark.slow
def test_a_lesson_on_systems_that_no_other_page_has_leads_to_none() -> None:
    at = with_sample(None)
    for number, leads in ((5, True), (6, False)):
        given = sent(lesson(at, number))
        assert not at.error
        assert any(button.key == "onward" for button in at.button) == leads
        assert ("in lessons only" in given["stage"]["setting"]) == (not leads)
        assert any(plain(" and ".join(given["facts"]["pair"])) in caption.value for caption in at.caption)


def test_what_a_lesson_cannot_show_is_said() -> None:
    texts_of = {"A": "the cat sat", "B": "a cat sat", "ref": "the cat sat down"}
    at = uploaded({f"{name}.txt": lines([text] * 3) for name, text in texts_of.items()}, None)
    for each in LESSONS[::3]:
        given = sent(lesson(at, each.number))
        assert bool(given["stage"]) != bool(given["refused"]), each.name
        assert not at.error, each.name


def test_scores_alone_are_taught_or_it_is_said_why_not() -> None:
    at = uploaded({"comet.tsv": long_table("COMET", n=60, better=-0.1)}, None)
    refused = {11: "it is unknown which segments belong to which document", 12: "only scores are loaded"}
    for number in (1, 5, *refused):
        given = sent(lesson(at, number))
        assert refused.get(number, "") in given["refused"], number
        assert bool(given["stage"]) == (number not in refused), number
        assert not at.error, number


@pytest.mark.slow
def test_three_thousand_segments_are_drawn_and_what_is_left_out_is_said() -> None:
    corpus = made_corpus(n=3000, systems=2, documents=0)
    at = uploaded({f"{name}.txt": lines(corpus.lines(name)) for name in corpus.systems}
                  | {"ref.txt": lines(next(iter(corpus.references.values())))}, None)  # fmt: skip
    for number in (1, 2):
        stage = sent(lesson(at, number))["stage"]
        (panel, *_), *_ = (view["panels"] for view in stage["views"].values())
        assert len(panel["cells" if number == 1 else "texts"]) == 3000
        assert any("3,000" in text for text in stage["missing"])


def test_one_system_is_told_what_is_missing() -> None:
    at = uploaded({"A.txt": FILES["sys0.txt"], "ref.txt": FILES["ref.txt"]})
    worded(parts(texts(lesson(at, 1)), "A comparison needs", "Data page"), "only 'A'")


def says(given: dict[str, Any]) -> list[str]:
    """Return what a lesson says step by step, as it is seen first."""
    return next(iter(given["stage"]["views"].values()))["says"]


def test_a_link_restores_lesson_data_pair_seed_and_draws() -> None:
    pair = {"first": "via-catalan", "second": "via-galician"}
    at = lesson(with_sample(None, seed="7"), 1, **pair, shown="100")
    given = sent(at)
    assert given["start"]["shown"] == 100
    worded(given["stage"]["ask"]["question"], "+0.56")
    other = sent(lesson(with_sample(None, seed="8"), 1, **pair))
    assert says(other)[100] != says(given)[100]
    assert "Metrics" in [one.label for one in at.main.get("button_group")]  # kept, though not seen
    # A number of draws that is none, or that there are not, does no harm.
    for shown, starts in (("many", 0), ("99999", 99999), ("²", 0)):
        assert sent(lesson(with_sample(None), 1, shown=shown))["start"]["shown"] == starts


def test_draws_that_were_drawn_stand_in_the_address_and_are_not_sent_again() -> None:
    at = lesson(with_sample(None), 1)
    before = sent(at)
    tell(at, guess=[0.0, 1.0], shown=111)
    assert address(at)["shown"] == "111"
    assert sent(at) == before


def test_the_solution_is_worked_out_when_it_is_asked_for() -> None:
    at = lesson(with_sample(None), 1)
    tell(at, solve=True)
    worded(sent(at)["solution"], "1,000 draws", "95% lie")


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
    pair, size_law = ("via-catalan", "via-galician"), NUMBERED[5]
    at = lesson(with_sample(None, seed="7"), 5, first=pair[0], second=pair[1])
    assert not offered  # made when they are asked for
    room = Classroom.of(read_sample(), "bleu", pair, 7)
    for answers, kind, file in ((False, "html", "handout.html"), (True, "ipynb", "lessons-solutions.ipynb")):
        offered.clear()
        opened(at, 5, answers)
        stem = "-solutions" if answers else ""
        assert list(offered) == [f"handout{stem}.html", f"handout{stem}.pdf", f"lessons{stem}.ipynb"]
        given, _ = kit_files(room, [kind], [size_law], answers)
        assert offered[file]() == given[file]
        assert (size_law.take_home in given[file].decode()) == answers


@pytest.mark.slow
def test_notebooks_say_where_they_look_for_own_data(offered: dict[str, Callable[[], bytes]]) -> None:
    at = opened(lesson(uploaded(FILES, None), 2), 2)
    assert b"mtsig.read('data')" in offered["lessons.ipynb"]()
    worded(parts(texts(at), "from the folder"))
    # A part of the data is no data that a notebook could read.
    offered.clear()
    session = at.session_state["session"]
    session.data.corpus = session.data.whole.take(range(len(session.data.whole) - 1))
    at.run()
    assert list(offered) == ["handout.html", "handout.pdf"]
    worded(parts(texts(at), "Notebooks need"))


def test_data_that_cannot_be_compared_stay_and_the_sample_is_taught() -> None:
    at = lesson(uploaded({"A.txt": next(iter(FILES.values()))}), 1)
    worded(parts(texts(at), "this lesson uses"))
    assert at.get("bidi_component")
    assert at.session_state["session"].data.parts
    assert not at.session_state["session"].data.is_sample


def test_a_link_made_of_other_data_says_so() -> None:
    at = lesson(app(None, of="0" * 12), 1)
    assert "This link has no data" in texts(at) or "This link was made with other data" in texts(at)
    at.run()
    worded(parts(texts(at), "This link"))


def test_names_from_the_data_stay_text() -> None:
    some = list(FILES.values())
    at = lesson(uploaded({"<img src=x>.txt": some[0], "![a](b).txt": some[1], "ref.txt": FILES["ref.txt"]}, None), 1)
    assert sent(at)["stage"]["steps"]
    said = "\n".join(str(one.value) for one in [*at.markdown, *at.caption])
    assert "![" not in said
    assert "<img" not in said.replace("\\<img", "")


def test_the_tour_is_one_closed_line_until_it_was_seen() -> None:
    at = app()
    worded({piece for piece in pieces(at) if piece.startswith("A tour")})
    assert not drawings(at)
    at.session_state["tour_offered"] = True
    at.run()
    assert [step["title"] for step in sent(at)["tour"]] == [step.title for step in stages.TOUR]
    at.session_state["session"].view.end_tour()
    at.run()
    assert not any(piece.startswith("A tour") for piece in pieces(at))
    at_page(at, "learn")
    at.session_state["tour_again"] = True
    assert "tour" in [one.key for one in drawings(at.run())]


def test_the_front_door_leads_to_the_lesson_that_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTSIG_LESSON", "2")
    at = AppTest.from_file(str(DASHBOARD / "app.py"), default_timeout=300).run()
    at.run()
    assert at.title[0].value == plain(f"2 · {NUMBERED[2].title}")
