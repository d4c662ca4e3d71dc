"""Files that a page is given and cannot trust or keep: read by workers alone, and told of where they are given up."""

import json
import re
from collections.abc import Iterator

import pytest
from kept import parts, worded
from mtsig_dashboard import memory
from mtsig_dashboard.parts import incoming
from mtsig_dashboard.serving import _uploads as uploads
from mtsig_dashboard.serving._workers import Workers
from pages import app, at_page, dropping, texts, uploaded, with_sample

from mtsig.cli._dashboard import VisitorLimits
from mtsig.errors import ReadError

DOTTED = ("a" + ".a" * 49_000 + " = 1\n").encode()
DEEP = b'{"schema": "mtsig/3", "data": ' + b"[" * 50_000 + b"]" * 50_000 + b"}"

SAID = {"plan.toml": "49,001 levels", "study.json": "JSON is nested too deeply"}
HOSTILE = {"plan.toml": DOTTED, "study.json": DEEP}


@pytest.fixture
def with_workers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have children work for pages, as in a server."""
    workers = Workers(VisitorLimits(workers=1))
    monkeypatch.setattr(memory, "workers", lambda: workers)
    yield
    workers.close()


@pytest.mark.usefixtures("with_workers")
def test_a_plan_or_study_that_was_dropped_is_parsed_by_a_worker_and_never_here(monkeypatch: pytest.MonkeyPatch) -> None:
    here: list[object] = []

    def parsed_here(*given: object, **__: object) -> None:
        here.append(given)
        raise ReadError("parsed in the server")

    # A worker is a program of its own, in which nothing is changed.
    monkeypatch.setattr("mtsig.readers._files._refuse_costly", parsed_here)
    monkeypatch.setattr("mtsig.readers._files._refuse_deep", parsed_here)
    for name, content in HOSTILE.items():
        on_data = dropping({name: content})
        for button in on_data.button:
            if button.label in {"Open the study", "Follow the plan"}:
                on_data = button.click().run()
        on_paper = with_sample("paper")
        (uploader,) = [one for one in on_paper.get("file_uploader") if one.key == f"{name.partition('.')[0]}_file"]
        on_paper = uploader.set_value((name, content, "text/plain")).run()
        assert here == []
        for page in (on_data, on_paper):
            assert SAID[name] in texts(page), name


def test_files_that_were_given_up_are_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig_dashboard.host.given_up", lambda _: ["big[1].txt"])
    said = texts(app())
    worded(parts(said, "ran out"))
    assert "Drop them again" in said
    assert incoming.MOST_BYTES < uploads.MOST_BYTES


def test_names_to_choose_from_are_as_they_are_and_turn_nothing() -> None:
    names = ("a_b*", "x\u202ey", "m\x1b[3mn\ufeff")
    rows = [{"ref": f"one {i} two three four", "doc_id": f"d_{i // 2}\u2066", names[0]: f"one {i} two",
             names[1]: f"one {i} three four", names[2]: f"one {i} two three {i}"} for i in range(40)]  # fmt: skip
    at = uploaded({"made.jsonl": "\n".join(map(json.dumps, rows)).encode()})
    offered = set()
    for page in ("data", "results", "compare", "segments", "planning", "paper", "lab"):
        at = at_page(at, page)
        offered |= {option for box in (*at.selectbox, *at.multiselect) for option in box.options}
    assert {"a_b*", r"x\u202ey", r"m\x1b[3mn\ufeff", r"d_3\u2066"} <= offered
    assert not [
        option for option in offered if re.search(r"[\x00-\x1f\u202a-\u202e\u2066-\u2069\ufeff]|\\[_*]", option)
    ]
