"""Messages that no browser sends: a widget has the value that it begins with, and the log has one line."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hostile_addresses import OPENED
from mtsig_dashboard import host
from pages import app, with_sample
from sampled import crossed
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.state.session_state import SessionState
from streamlit.testing.v1 import AppTest


def plain(**field: object) -> Callable[[WidgetState], None]:
    ((name, value),) = field.items()
    return lambda state: setattr(state, name, value)


def several(name: str, *values: object) -> Callable[[WidgetState], None]:
    def write(state: WidgetState) -> None:
        getattr(state, name).SetInParent()
        getattr(state, name).data.extend(values)

    return write


def file(state: WidgetState) -> None:
    state.file_uploader_state_value.uploaded_file_info.add().file_id = "none"


FORGED: Mapping[str, Callable[[WidgetState], None]] = {
    "a press": plain(trigger_value=True), "yes": plain(bool_value=True), "huge": plain(double_value=1e300),
    "nan": plain(double_value=float("nan")), "endless": plain(double_value=float("-inf")), "minus": plain(int_value=-5),
    "many": plain(int_value=2**62), "a word": plain(string_value="zzz"), "nothing": plain(string_value=""),
    "half JSON": plain(json_value='{"a":['), "JSON": plain(json_value='[1, "a", {"rows": -1}]'),
    "deep JSON": plain(json_value="[" * 100_000), "no object": plain(json_value="7"),
    "a choice": plain(string_value='{"selection":{"rows":[-1,99999999,"x"],"points":[{"a":1}],"box":3}}'),
    "a list": plain(string_value="[1]"), "bytes": plain(bytes_value=b"\xff"),
    "half an event": plain(json_trigger_value="{"),
    "an event": plain(json_trigger_value='{"x": 1}'), "whole numbers": several("int_array_value", 1, -2),
    "numbers": several("double_array_value", 1e308, float("inf"), 3.0),
    "one number": several("double_array_value", 5.0),
    "no number": several("double_array_value"), "words": several("string_array_value", "zzz", "zzz"), "a file": file,
}  # fmt: skip
"""What every widget of a page is said to have, in any of the fields that a message has."""

NOT_HERE = ("preferences", "test_sets")


def states_of(at: AppTest) -> SessionState:
    state: Any = at.session_state
    while not isinstance(state, SessionState):
        state = vars(state)["_state"]
    return state


def run_with(at: AppTest, forge: Callable[[WidgetState], None]) -> int:
    """Run a page whose widgets all have a forged value; return how many they are."""
    widgets, said = list(states_of(at)._new_widget_state.widget_metadata), WidgetStates()
    for widget in widgets:
        state = said.widgets.add()
        state.id = widget
        forge(state)
    at._tree.get_widget_states = lambda: said  # type: ignore[method-assign]
    at.run()
    return len(widgets)


@crossed("opened, name", [place for place in OPENED if place[0] not in NOT_HERE], FORGED)
def test_a_forged_value_is_none(
    opened: tuple[str, dict[str, str]], name: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, address = opened
    at = with_sample(page, n_resamples="200", **address)
    caplog.clear()
    monkeypatch.setattr(host, "_told", [-1e9])
    assert run_with(at, FORGED[name]) > 15
    assert not at.exception
    assert all(str(one.value) and "error in mtsig" not in one.value for one in at.error)
    told = [one for one in caplog.records if one.levelno >= logging.WARNING and "ScriptRunContext" not in one.msg]
    assert [one.exc_info for one in told if one.exc_info] == []
    assert len([one for one in told if "no browser sends" in one.msg]) <= 1
    assert len(told) <= 2, [one.getMessage() for one in told]


def test_what_is_forged_leaves_what_the_widget_begins_with_and_the_true_ones_are_believed() -> None:
    at = with_sample("results", n_resamples="200")
    metadata = states_of(at)._new_widget_state.widget_metadata
    numbers = [one for one, known in metadata.items() if known.value_type == "double_value"]
    for forge, value in ((plain(string_value="300"), 10_000), (plain(double_value=300.0), 300)):
        at = with_sample("results")
        said = WidgetStates()
        resamples = next(one for one in numbers if "n_resamples" in one)
        state = said.widgets.add()
        state.id = resamples
        forge(state)
        at._tree.get_widget_states = lambda said=said: said  # type: ignore[method-assign, misc]
        at.run()
        assert states_of(at)[resamples] == value


@crossed("name, page", ["", "$$ID-x", "$$ID-0-None", "$$WIDGET-x", " ", "\0", "[0]"], [None, "results", "compare"])
def test_no_name_in_an_address_is_more_than_no_name(name: str, page: str | None) -> None:
    at = app(None, data="sample")
    at.query_params[name] = "x"
    if page:
        at.switch_page(f"app_pages/{page}.py")
    at.run()
    assert not at.exception
    assert not at.error
