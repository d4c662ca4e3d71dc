"""Running the pages in Streamlit's own test harness."""

import json
from collections.abc import Iterable

from made import ROOT, made_corpus
from streamlit.testing.v1 import AppTest

PAGES = ("data", "results", "compare", "matrix", "planning", "lab")


def app(**query: str) -> AppTest:
    at = AppTest.from_file(str(ROOT / "dashboard" / "app.py"), default_timeout=60)
    for key, value in query.items():
        at.query_params[key] = value
    return at.run()


def with_sample(**query: str) -> AppTest:
    at = app(**query)
    at.button[0].click().run()
    return at


def at_page(at: AppTest, page: str, *opened: str) -> AppTest:
    """Go to a page, with these of its sections (by key) open."""
    for key in opened:
        at.session_state[key] = True
    at.switch_page(f"app_pages/{page}.py").run()
    assert not at.exception, at.exception
    return at


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
    for frame in [*at.dataframe, *at.table]:
        found += [str(cell) for row in frame.value.reset_index().values.tolist() for cell in row]
        found += [str(name) for name in frame.value.columns]
    # One line a text: where the source of a paragraph breaks is not for the tests to know.
    return "\n".join(" ".join(one.split()) for one in found).replace("\\", "")


def figures(at: AppTest) -> list[dict]:
    return [json.loads(chart.proto.spec) for chart in at.get("plotly_chart")]


def group(at: AppTest, key: str):
    return next(one for one in at.get("button_group") if one.key == key)


def uploaded(files: dict[str, bytes]) -> AppTest:
    at = app()
    at.get("file_uploader")[0].set_value([(name, data, "text/plain") for name, data in files.items()]).run()
    return at


def lines(some: Iterable[str]) -> bytes:
    return ("\n".join(some) + "\n").encode()


def made_files(systems: int = 2, documents: int = 0) -> dict[str, bytes]:
    corpus = made_corpus(40, systems, documents)
    files = {f"{name}.txt": lines(output) for name, output in corpus.outputs.items()}
    return files | {"ref.txt": lines(line or "" for line in corpus.references["ref0"])}
