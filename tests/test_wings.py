"""Wings can be taken away: without them the library compares and reports, and the pages show one person's data."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from made import ROOT

SERVING = "dashboard/mtsig_dashboard/serving"

WINGS = {"mtsig/lab": "mtsig.lab", "mtsig/lessons": "mtsig.lessons", SERVING: "mtsig_dashboard.serving"}
"""A wing -> what it is called where it is imported."""

USERS = {
    "mtsig/lab": ("mtsig/lessons/", "mtsig/cli/_lab.py", "app_pages/lab.py"),
    "mtsig/lessons": (
        "mtsig/cli/_lab.py", "mtsig/cli/_dashboard.py", "mtsig/cli/_verbs.py", "app_pages/learn.py", "parts/stages.py",
    ),
    SERVING: ("host.py",),
}  # fmt: skip
"""The verbs and pages that show a wing, and what they work with."""

LIBRARY = """
import contextlib, io, json, sys
import mtsig, mtsig.figures, mtsig.report, mtsig.study, mtsig.meta_eval, mtsig.segments, mtsig.gate
from mtsig.cli import main
study = mtsig.compare(mtsig.read_sample(), "chrf", n_resamples=200)
assert len(study.rows()) == 10
study.report("report", ["markdown", "csv", "latex", "html"])
said = io.StringIO()
with contextlib.redirect_stdout(said):
    assert main("compare --data sample_data/es-en --metric chrf --resamples 200 --format json".split()) == 0
[(block,)] = [[one["comparisons"] for one in part["results"]] for part in json.loads(said.getvalue())["sets"]]
assert len(block["columns"]["first"]) == 10
assert not [name for name in sys.modules if name.startswith(WINGS)]
"""

PAGES = """
import sys
from streamlit.testing.v1 import AppTest
import mtsig_dashboard
pages = "app_pages/data.py", "app_pages/results.py", "app_pages/compare.py", "app_pages/paper.py"
at = AppTest.from_file(f"{mtsig_dashboard.__path__[0]}/app.py", default_timeout=300).run()
assert not at.exception, at.exception
next(button for button in at.button if "sample" in button.label).click()
titles = []
for page in pages:
    at.switch_page(page).run()
    assert not at.exception, (page, at.exception)
    titles += [one.value for one in at.title]
assert titles[-2].startswith("direct beats direct"), titles
assert not [name for name in sys.modules if name.startswith(WINGS)]
"""


# That nothing but the lessons and what shows them imports the lessons, the next test reads in the files.
@pytest.mark.slow
@pytest.mark.parametrize(
    "wings", [pytest.param(("mtsig/lessons",), marks=pytest.mark.slow), tuple(WINGS)], ids=["lessons", "all"]
)
def test_library_and_pages_do_without_wings(wings: tuple[str, ...], tmp_path: Path) -> None:
    """Lessons are made of experiments: the lab goes with them, and no page of either starts what serves many."""
    for package in ("mtsig", "dashboard", "sample_data"):
        shutil.copytree(ROOT / package, tmp_path / package)
    for folder in wings:
        shutil.rmtree(tmp_path / folder)
    paths = os.pathsep.join(map(str, (tmp_path, tmp_path / "dashboard")))
    environment = {**os.environ, "PYTHONPATH": paths, "MTSIG_CACHE": "off"}
    command = [sys.executable, "-P", "-c", f"WINGS = {tuple(map(WINGS.get, wings))!r}\n{LIBRARY}\n{PAGES}"]
    done = subprocess.run(command, check=False, cwd=tmp_path, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("wing", WINGS)
def test_only_what_shows_a_wing_imports_it(wing: str) -> None:
    name = WINGS[wing]
    users = {
        file.relative_to(ROOT).as_posix().removeprefix("dashboard/mtsig_dashboard/")
        for package in ("mtsig", "dashboard")
        for file in (ROOT / package).rglob("*.py")
        if any(f"{word} {name}" in file.read_text(encoding="utf-8") for word in ("import", "from"))
    }
    assert [user for user in users if not user.startswith((f"{wing}/", "serving/", *USERS[wing]))] == []
