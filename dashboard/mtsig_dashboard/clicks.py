"""Clicks on points of pictures, also where a box can be drawn over them; what a click does is the page's to say."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from mtsig_dashboard import session

_listen = st.components.v2.component(
    "mtsig_clicks", js=(Path(__file__).resolve().parent / "clicks.js").read_text(encoding="utf-8")
)

_KEY = "clicks"


def follow(actions: Mapping[str, Callable[[int, Any], None]]) -> None:
    """Do what `actions` says when a point is clicked: key of a picture -> what takes its number and its own data.

    Nothing is drawn. Whoever has no pointer needs another way to the same.
    """
    _listen(data={"pictures": list(actions)}, key=_KEY, on_point_change=partial(_clicked, actions), height=0)


def _clicked(actions: Mapping[str, Callable[[int, Any], None]]) -> None:
    point = session.choice(_KEY)["point"]
    # What comes from a browser may be anything.
    match point:
        case {"picture": str(picture), "number": int(number), **rest} if picture in actions:
            actions[picture](number, rest.get("data"))
