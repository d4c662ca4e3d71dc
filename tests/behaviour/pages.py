"""A page's title goes in, all that the page shows comes out, in words."""

import ast
import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from behaviour.runs import EXPERIMENTS, LONGEST, QUICK


def page(title: str, root: Path, data: Sequence[str]) -> int:
    """Print all that a page shows, and write its figures; return the exit code.

    That is without data, with the sample, and with the data that the arguments name, as those of a command line do.
    """
    from streamlit.testing.v1 import AppTest

    script = root / "dashboard" / "mtsig_dashboard" / "app.py"
    path = _page_path(script, title)

    def opened(heading: str, *clicks: int) -> Any | None:
        at = AppTest.from_file(str(script), default_timeout=LONGEST).run()
        for click in clicks:
            at.button[click].click().run()
        try:
            return at.switch_page(path).run()
        except ValueError:  # the navigation has this page with some data only
            print(f"##### {heading}\nno such page")
            return None

    if (bare := opened("without data")) is not None:
        _print_page("without data", bare)
    if (at := opened("sample", 0)) is not None:
        _print_opened("sample", at)
        if title == "Lab":
            _experiments_on_page(at)
    os.environ["MTSIG_INPUT"] = json.dumps(data)
    if data and (at := opened("given")) is not None:
        _print_opened("given", at)
    return 0


def _print_opened(heading: str, at: Any) -> None:
    """Print a page as it comes, with every section open that computes only then, and with every tab in its turn."""
    _print_page(heading, at)
    for key in _closed(at):
        at.session_state[key] = True
    at.run()
    _print_page(f"{heading}, all opened", at)
    for tabs in [block for block in at.get("tab_container") if block.proto.tab_container.id]:
        for tab in tabs.children.values():
            at.session_state[_key(tabs.proto.tab_container.id)] = tab.label
            at.run()
            _print_page(f"{heading}, {tab.label}", at)


def _page_path(script: Path, title: str) -> str:
    """Return the file of the page with this title, as the app's navigation names it, wherever it lies."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in [script, *sorted(script.parent.rglob("*.py"))]]
    paths = {name: path for tree in trees for name, path in _constants(tree)}
    for node in (node for tree in trees for node in ast.walk(tree)):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        named = {keyword.arg: keyword.value for keyword in node.keywords}.get("title")
        if isinstance(named, ast.Constant) and named.value == title:
            page = node.args[0]
            return paths[page.attr] if isinstance(page, ast.Attribute) else str(ast.literal_eval(page))
    raise SystemExit(f"No page is called {title}.")


def _constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the names of a module that stand for texts, alone or side by side, with the texts."""
    for node in tree.body:
        if isinstance(node, ast.Assign):
            target, value = node.targets[0], node.value
            pairs = (
                zip(target.elts, value.elts, strict=False)
                if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
                else [(target, value)]
            )
            for name, text in pairs:
                if isinstance(name, ast.Name) and isinstance(text, ast.Constant) and isinstance(text.value, str):
                    yield name.id, text.value


def _closed(at: Any) -> list[str]:
    """Return the keys of sections that compute only when they are open."""
    return [_key(one.proto.id) for one in at.expander if getattr(one.proto, "id", "")]


def _key(identity: str) -> str:
    """Return the key in a widget's identity, which begins with a digest of how it was made."""
    return re.sub(r"^\$\$ID-[0-9a-f]+-", "", identity)


def _experiments_on_page(at: Any) -> None:
    chooser = next(one for one in at.selectbox if one.key == "experiment")
    for name in list(EXPERIMENTS):
        chooser.set_value(name).run()
        _print_page(f"{name} chosen", at)
        if name in QUICK:
            for pressed in [one for one in at.button if one.label == "Run"]:
                pressed.click().run()
            _print_page(f"{name} run", at)
        chooser = next(one for one in at.selectbox if one.key == "experiment")


def _print_page(heading: str, at: Any) -> None:
    """Print every element in its order; figures go into files."""
    print(f"##### {heading}")
    for error in at.exception:
        print(f"EXCEPTION {error.value}")
    figures = 0
    for element in at.main:
        if element.type == "plotly_chart":
            figures += 1
            file = Path(f"{heading.replace(', ', '-').replace(' ', '-')}-{figures}.json")
            file.write_text(json.dumps(json.loads(element.proto.spec), indent=1, ensure_ascii=False), encoding="utf-8")
            print(f"plotly_chart: {file}")
        else:
            print(_element(element))


def _element(element: Any) -> str:
    """Return one element in words: its text, then all else that it was made with."""
    from google.protobuf.json_format import MessageToDict  # type: ignore[import-untyped]
    from pandas import DataFrame

    proto = getattr(element, "proto", None)
    found = {} if proto is None else MessageToDict(proto)
    value = getattr(element, "value", None)
    if isinstance(value, DataFrame):
        value = f"\n{value.to_csv()}"
    body = found.pop("body", "" if value is None else value)
    rest = json.dumps(_lasting(found), ensure_ascii=False, sort_keys=True)
    return f"{element.type}: {body}" + (f"\n    {rest}" if rest != "{}" else "")


def _lasting(found: Any) -> Any:
    """Return what an element was made with, without what only its wiring needs."""
    if isinstance(found, list):
        return [_lasting(one) for one in found]
    if not isinstance(found, dict):
        return found
    named = {name: _key(one) if name == "id" else _lasting(one) for name, one in found.items()}
    # Tables are told as text; addresses of files and of deferred files are drawn anew for every session.
    return {name: one for name, one in named.items() if name not in {"arrowData", "data", "url", "deferredFileId"}}
