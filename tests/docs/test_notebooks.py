"""The notebooks of the documentation are those of their script, and give again what they show."""

import ast
import contextlib
import importlib.util
import io
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from made import ROOT

FOLDER = ROOT / "docs" / "notebooks"


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("notebooks", FOLDER.with_suffix(".py"))
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


SCRIPT = _script()
NAMES = sorted(SCRIPT.NOTEBOOKS)


def kept(name: str) -> dict[str, Any]:
    """Return a notebook as it lies in the repository."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    return found


def shown(cell: dict[str, Any]) -> str:
    """Return what a cell shows as text."""
    return "".join(
        output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"]
        for output in cell["outputs"]
    )


def test_the_notebooks_are_three() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.ipynb")) == NAMES
    assert len(NAMES) == 3


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_gives_again_what_it_shows(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    book = kept(name)
    assert [cell["source"] for cell in book["cells"]] == [source for _, source in SCRIPT.cells(SCRIPT.NOTEBOOKS[name])]
    names: dict[str, Any] = {}
    compared = 0
    for cell in book["cells"]:
        if cell["cell_type"] != "code":
            continue
        *before, last = ast.parse(cell["source"]).body
        assert isinstance(last, ast.Expr), "every cell ends with something to see"
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            exec(compile(ast.Module(before, []), name, "exec"), names)
            value = eval(compile(ast.Expression(last.value), name, "eval"), names)
        assert told.getvalue() + repr(value) == shown(cell).rstrip("\n").replace("\n ", " ")
        compared += 1
    assert compared >= 3


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_jupyter_gives_the_notebook_again(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    again = SCRIPT.executed(name, tmp_path)
    assert json.loads(json.dumps(again)) == kept(name)
