"""Cells of a picture by keyboard: a line under it, which the Tab key comes to, reads them out and chooses one."""

from pathlib import Path

import streamlit as st

_HERE = Path(__file__).resolve().parent

_line = st.components.v2.component(
    "mtsig_cells",
    html='<div role="application" tabindex="0" aria-describedby="keys"><span id="keys">Arrow keys, Home, End: other '
    'cells. Enter: this pair.</span> <b aria-live="polite"></b></div>',
    css=(_HERE / "cells.css").read_text(encoding="utf-8"),
    js=(_HERE / "cells.js").read_text(encoding="utf-8"),
)


def chosen_by_keyboard(picture: str, label: str) -> tuple[str, str] | None:
    """Return the pair of the cell that was chosen; None where none was.

    picture: the key of the figure above, whose points have their pairs as data.
    """
    said = _line(data={"picture": picture, "label": label}, key=f"cells-{picture}", on_cell_change=lambda: None)
    # What comes from a browser may be anything.
    match said["cell"]:
        case [str(first), str(second), *_]:
            return first, second
    return None
