"""Files that a page is given and cannot trust or keep: read by workers alone, and told of where they are given up."""

from collections.abc import Iterator

import pytest
from mtsig_dashboard import memory
from mtsig_dashboard.parts import incoming
from mtsig_dashboard.serving import _uploads as uploads
from pages import app, texts, uploaded, with_sample

from mtsig.errors import ReadError

DOTTED = ("a" + ".a" * 49_000 + " = 1\n").encode()
DEEP = b'{"schema": "mtsig/3", "data": ' + b"[" * 50_000 + b"]" * 50_000 + b"}"

SAID = {"plan.toml": "keys of 49,001 names", "study.json": "JSON nested so deeply"}
HOSTILE = {"plan.toml": DOTTED, "study.json": DEEP}


@pytest.fixture
def with_workers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have children work for pages, as in a server."""
    monkeypatch.setenv("MTSIG_VISITORS", '{"workers": 1}')
    memory.workers.clear()
    yield
    memory.workers().close()
    memory.workers.clear()


@pytest.mark.usefixtures("with_workers")
@pytest.mark.parametrize("page", ["data", "paper"])
@pytest.mark.parametrize("name", HOSTILE)
def test_a_plan_or_study_that_was_dropped_is_parsed_by_a_worker_and_never_here(
    name: str, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here: list[str] = []

    def parsed_here(*_: object, **__: object) -> None:
        here.append(name)
        raise ReadError("parsed in the server")

    # A worker is a program of its own, in which nothing is changed.
    monkeypatch.setattr("mtsig.readers._files._refuse_costly", parsed_here)
    monkeypatch.setattr("mtsig.readers._files._refuse_deep", parsed_here)
    if page == "data":
        at = uploaded({name: HOSTILE[name]})
        for button in at.button:
            if button.label in {"Open the study", "Follow the plan"}:
                at = button.click().run()
    else:
        at = with_sample("paper")
        (uploader,) = [one for one in at.get("file_uploader") if one.key == f"{name.partition('.')[0]}_file"]
        at = uploader.set_value((name, HOSTILE[name], "text/plain")).run()
    assert here == []
    assert SAID[name] in texts(at)


def test_files_that_were_given_up_are_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig_dashboard.host.given_up", lambda _: ["big[1].txt"])
    said = texts(app())
    assert "gave up this file for lack of room" in said
    assert "Drop them again" in said
    assert incoming.MOST_BYTES < uploads.MOST_BYTES
