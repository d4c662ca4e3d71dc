"""The address says what was chosen, also where Streamlit's page in the browser forgot to write it."""

import pytest
from made import DASHBOARD
from pages import address as said
from pages import texts, with_sample
from streamlit.testing.v1 import AppTest


def page() -> None:
    import streamlit as st
    from mtsig_dashboard.parts import forms

    st.selectbox("Order", ["best first", "worst first", "any"], **forms.bound("order"))


def test_a_choice_that_the_browser_left_out_of_the_address_is_written_by_the_server() -> None:
    at = AppTest.from_function(page).run().run()
    assert said(at) == {}
    for order, address in (("worst first", "worst first"), ("any", "any"), ("best first", None), ("any", "any")):
        at.selectbox[0].set_value(order).run()
        assert not at.exception
        assert said(at).get("order") == address


def test_what_the_browser_did_write_is_left_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from mtsig_dashboard import session

    written: list[str] = []
    monkeypatch.setattr(session, "choose", lambda key, _: written.append(key))
    at = AppTest.from_function(page).run().run()
    at.query_params["order"] = "any"
    at.selectbox[0].set_value("any").run()
    assert (at.selectbox[0].value, written) == ("any", [])
    at.selectbox[0].set_value("worst first").run()
    assert written == ["order"]


def test_every_widget_of_the_address_is_bound_at_one_place() -> None:
    users = [file.name for file in DASHBOARD.rglob("*.py") if "query-params" in file.read_text(encoding="utf-8")]
    assert users == ["forms.py"]


def test_a_pair_opens_by_its_address_in_a_new_visit():
    for first, second in (("direct-us", "via-galician"), ("direct", "via-esperanto"), ("via-catalan", "direct")):
        at = with_sample("compare", first=first, second=second)
        assert at.selectbox(key="first").value == first
        assert at.selectbox(key="second").value == second


def test_a_link_sets_the_rarer_options_of_a_metric_too():
    at = with_sample("results", **{"bleu.smooth_method": "floor"})
    assert "smooth:floor" in texts(at)
