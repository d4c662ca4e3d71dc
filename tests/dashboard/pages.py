"""Running the pages in Streamlit's own test harness."""

import json
import re
from collections.abc import Iterable
from functools import cache
from html import unescape

import harness  # noqa: F401 (makes pages light, wherever they are opened)
import pandas as pd
import plotly.graph_objects as go
from made import DASHBOARD, made_corpus
from mtsig_dashboard.session import Session
from mtsig_dashboard.state import read_parts
from streamlit.testing.v1 import AppTest

from mtsig.readers import File

PAGES = ("data", "results", "compare", "segments", "trust", "planning", "lab")

TABS = ("Every test", "Subsets", "Documents")
"""What the Compare page opens below the picture."""


FOLDS = (
    "all-comparisons", "scores-in-numbers", "by-size", "all-numbers", "set-by-set", "more-test-sets-averages",
    "trust-numbers", "trust-sentinels", "trust-pairs", "raters-others", "raters-scales", "raters-residuals",
    "lab-numbers", "lab-paper", "downloads",
)  # fmt: skip
"""What costs nothing until it is opened; tests read what is in it."""


def app(page: str | None = "data", /, **query: str) -> AppTest:
    """Open a page by its address; without a page nothing is drawn yet."""
    at = AppTest.from_file(str(DASHBOARD / "app.py"), default_timeout=300)
    for key, value in query.items():
        at.query_params[key] = value
    return at if page is None else at_page(at, page)


def with_sample(page: str | None = "data", /, **query: str) -> AppTest:
    return app(page, data="sample", **query)


def at_page(at: AppTest, page: str, folds: Iterable[str] = FOLDS) -> AppTest:
    """Go to a page, with these folds open."""
    for fold in folds:
        at.session_state[fold] = True
    at.switch_page(f"app_pages/{page}.py").run()
    assert not at.exception, at.exception
    return at


def at_tab(at: AppTest, tab: str) -> AppTest:
    """Go to the Compare page with this tab open."""
    at.session_state["tab"] = tab
    return at_page(at, "compare")


def texts(at: AppTest) -> str:
    """Return everything a page says in words, without Markdown's escapes."""
    kinds: Iterable[str] = (
        "title",
        "header",
        "subheader",
        "markdown",
        "caption",
        "success",
        "info",
        "warning",
        "error",
        "text",
    )
    found = [str(element.value) for kind in kinds for element in at.get(kind)]
    found += [f"{one.label}: {one.value}" for one in at.metric]
    bodies = [unescape(str(one.proto.body)) for one in at.get("html") if not one.proto.body.startswith("<style>")]
    found += [re.sub(r"<[^>]+>", "", body) if 'class="lede"' in body else body for body in bodies]
    for frame in [*at.dataframe, *at.table]:
        found += [str(cell) for row in frame.value.reset_index().values.tolist() for cell in row]
        found += [str(name) for name in frame.value.columns]
    # One line a text: where the source of a paragraph breaks is not for the tests to know.
    return "\n".join(" ".join(one.split()) for one in found).replace("\\", "")


def address(at: AppTest) -> dict[str, str]:
    """Return what the address says; of several values the first."""
    return {key: value[0] if isinstance(value, list) else value for key, value in dict(at.query_params).items()}


def figures(at: AppTest) -> list[dict]:
    """Return the figures, in all of which plotly knows whatever is there."""
    specs = [chart.proto.spec for chart in at.get("plotly_chart")]
    for spec in specs:
        _known(spec)
    return [json.loads(spec) for spec in specs]


@cache
def _known(spec: str) -> None:
    """Raise an error where plotly does not know what is in a figure: what many tests see, once."""
    go.Figure(json.loads(spec))


def group(at: AppTest, key: str):
    return next(one for one in at.get("button_group") if one.key == key)


def marks(at: AppTest) -> list[str]:
    """Return the labels of what opens."""
    return [one.proto.popover.label.replace("\\", "") for one in at.get("popover")]


def strip_of(at: AppTest) -> str:
    """Return what the closed strip says: the label of what opens the findings."""
    (label,) = [one.label for one in at.expander if "Before you quote this" in one.label]
    return re.sub(r":(orange|gray|green)\[|[\]*\\]", "", label)


def league(at: AppTest) -> dict[str, list[str]]:
    """Return the rows of the table of scores, which a page has for who has it read out: system, and its cells."""
    (table,) = [one.proto.body for one in at.get("html") if 'aria-label="Scores of all systems"' in one.proto.body]
    rows: dict[str, list[str]] = {}
    for row in re.findall(r"<tr>(.*?)</tr>", table.partition("<tbody>")[2]):
        system = re.sub(r"<.*?>", "", re.search(r'<th scope="row">(.*?)</th>', row)[1])
        rows[system] = re.findall(r"<td>(.*?)</td>", row)
    return rows


def comparisons(at: AppTest) -> pd.DataFrame:
    """Return the table of comparisons."""
    return next(one.value for one in at.dataframe if "First" in one.value.columns)


def dropping(files: dict[str, bytes]) -> AppTest:
    """Drop files on the Data page."""
    at = app()
    at.get("file_uploader")[0].set_value([(name, data, "text/plain") for name, data in files.items()]).run()
    return at


def uploaded(files: dict[str, bytes], page: str | None = "data", /, **query: str) -> AppTest:
    """Open a page with files that were dropped before, without drawing the Data page to drop them."""
    given, visit, at = [File(name, data) for name, data in files.items()], Session(), app(None, **query)
    visit.drop(given, read_parts(given))
    visit.view.started = not query
    at.session_state["session"] = visit
    return at if page is None else at_page(at, page)


def lines(some: Iterable[str]) -> bytes:
    return ("\n".join(some) + "\n").encode()


def made_files(systems: int = 2, documents: int = 0) -> dict[str, bytes]:
    corpus = made_corpus(40, systems, documents)
    files = {f"{name}.txt": lines(output) for name, output in corpus.outputs.items()}
    return files | {"ref.txt": lines(line or "" for line in corpus.references["ref0"])}
