"""The head of a page: its finding, its lede and its bar, which stand first and are filled in once they are known."""

import re
from collections.abc import Callable, Collection, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, ParamSpec

import streamlit as st

from mtsig._writing import in_html
from mtsig_dashboard.parts.show import part, plain, unbroken

if TYPE_CHECKING:
    from mtsig.figures._frame import Card


P = ParamSpec("P")


@dataclass
class Frame:
    """The places at the head of a page.

    page: what the page is called. step: what to do next, beside the finding: one link or button. chosen: the one
    thing that the page itself asks for, before the metrics. more: what else it asks for. asked: metrics and method.
    strip: what warns. shared: links and cards. files: what can be downloaded. found: the findings on what the page
    shows, with what it rests on, once they are known; in_view: on which systems alone, all when None. card: makes the
    picture that is shared. offered: draws of files. method: says what the method does on these data. raters: for
    which raters verdicts hold, where no findings say so. remark: what is to be known of a chosen pair, said below
    the picture. about_link: says what is to be known of the link; only a page with a title of its own calls it.
    """

    page: str
    title: Any
    lede: Any
    step: Any
    chosen: Any
    more: Any
    asked: Any
    shared: Any
    files: Any
    strip: Any
    found: Any = None
    in_view: Collection[str] | None = None
    card: "Callable[[], Card] | None" = None
    method: "Callable[[], object] | None" = None
    offered: list[Callable[[], object]] = field(default_factory=list)
    raters: str = ""
    remark: str = ""
    about_link: "Callable[[], object]" = lambda: None

    @property
    def whose(self) -> str:
        """For whom verdicts by raters hold, where it is known."""
        found = () if self.found is None else self.found[0]
        return "".join(
            f"{said} " for said in (self.raters, *(one.found for one in found if one.check == "raters")) if said
        )

    def say(self, title: str, lede: str = "", brief: str = "") -> None:
        """Say what was found: the title, plain text; for which raters, and how far.

        brief: the same on a phone, where the first words say for which raters, and the list of findings says the rest.
        """
        self.title.title(plain(title), anchor=False)
        if lede:
            said = dict.fromkeys((f"{self.whose}{lede}", f"{_REST.sub('. ', self.whose)}{brief or lede}"))
            kinds = zip(("full", "brief"), said, strict=False)
            shown = [f'<p class="{kind}">{_marked(text)}</p>' for kind, text in kinds]
            self.lede.html(f'<div class="lede">{"".join(shown)}</div>')

    def downloads(self, draw: Callable[P, object], *args: P.args, **options: P.kwargs) -> None:
        """Let files be offered by `draw(*args, **options)`, called when a button of the bar opens their list."""
        self.offered.append(partial(draw, *args, **options))

    def draw_downloads(self) -> None:
        """Draw that button, once the page has offered all that it has."""
        if self.offered:
            with self.files:
                _files(self.offered)


@st.fragment
def _files(offered: Sequence[Callable[[], object]]) -> None:
    with st.popover("Download", on_change="rerun", key="downloads") as box:
        for draw in offered if box.open else ():
            with part():
                draw()


_ASIDE, _NAME = re.compile(r"\([^()]+\)"), re.compile(r"(?<![\w-])(?=[\w-]{3,24}(?![\w-]))\w+(?:-\w+)+")
"""Evidence in parentheses, and names with hyphens that are short enough not to be broken there."""


def _marked(text: str) -> str:
    """Return a lede as HTML."""
    named = _NAME.sub(r'<span class="name">\g<0></span>', in_html(unbroken(text)))
    return _ASIDE.sub(r'<span class="aside">\g<0></span>', named)


_REST = re.compile(r"[.;:,] .*")
"""All that a sentence on raters says behind whose verdicts these are."""

_OPTIONS = '<details class="options"><summary>Options</summary></details>'
"""What opens, on a phone, all of the bar but the one thing that leads it: the page's own, or else the metrics."""

_BY_METRICS = "Results"
"""The page that asks for nothing but metrics and method."""

_current: ContextVar[Frame] = ContextVar("frame")


def begin(title: str, *, is_seen: bool) -> Frame:
    """Draw an empty head and return it; where it is not seen, the page draws a head of its own.

    title: what the page is called, until it says what it found.
    """
    row: dict[str, Any] = {"horizontal": True, "vertical_alignment": "center", "gap": "small"}
    with st.container(key="head" if is_seen else "unseen-settings"):
        with st.container(key="finding"):
            heading, lede = st.empty(), st.empty()
            with st.container(key="step"):
                step = st.empty()
        if is_seen:
            heading.title(title, anchor=False)
        with st.container(**row, key="bar"):
            chosen, more, asked = (
                st.container(**row, width="content", key=f"bar-{name}")
                for name in ("page", "more", "leads" if title == _BY_METRICS else "asked")
            )
            st.html(_OPTIONS, width="content")
            with st.container(**row, width="content", key="bar-last"):
                shared, files = st.empty(), st.empty()
        strip = st.container(key="strip")
    frame = Frame(title, heading, lede, step, chosen, more, asked, shared, files, strip)
    _current.set(frame)
    return frame


def current() -> Frame:
    """Return the head of the page that is being drawn."""
    return _current.get()
