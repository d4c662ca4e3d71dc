"""What a stranger does, in an environment of its own: the host's start, the tutorial, and the how-to, from a copy."""

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from made import ROOT
from test_walkthrough import blocks, fits, without_ends

pytestmark = pytest.mark.slow

LEFT_HERE = shutil.ignore_patterns(".*_cache", ".git", ".venv", "__pycache__", "dist", "site", "tests")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository, as a host makes one."""
    return Path(shutil.copytree(ROOT, tmp_path_factory.mktemp("host") / "repository", ignore=LEFT_HERE))


@pytest.fixture(scope="module")
def programs(repository: Path) -> Path:
    """The programs of a fresh environment with what requirements.txt says, and nothing else."""
    environment = repository.parent / "environment"
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    folder = environment / ("Scripts" if sys.platform == "win32" else "bin")
    install = [str(folder / "python"), "-m", "pip", "install", "--quiet", "-r", "requirements.txt"]
    told = subprocess.run(install, cwd=repository, env=_own(folder), capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    return folder


def _own(folder: Path) -> dict[str, str]:
    """Return the environment without anything of this one."""
    ours = ("PYTHON", "MTSIG", "VIRTUAL_ENV")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return kept | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "MTSIG_PUBLIC": "1"}


def test_a_host_starts_the_app_and_its_workers_compute(repository: Path, programs: Path, tmp_path: Path) -> None:
    api = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no chromium on this machine (Debian: apt-get install chromium)")
    command = [str(programs / "streamlit"), "run", "streamlit_app.py", "--server.port", "18501"]
    command += ["--server.headless", "true"]
    with (tmp_path / "log").open("w+") as log:
        process = subprocess.Popen(command, cwd=repository, env=_own(programs), stdout=log, stderr=log)
        try:
            for _ in range(120):
                try:
                    with urllib.request.urlopen("http://localhost:18501/_stcore/health", timeout=1):
                        break
                except OSError:
                    assert process.poll() is None, (tmp_path / "log").read_text()
                    time.sleep(0.5)
            name = "mtsig.host.example"
            with api.sync_playwright() as playwright:
                rules = f"--host-resolver-rules=MAP {name} 127.0.0.1"
                browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", rules])
                page = browser.new_page()
                page.goto(f"http://{name}:18501/")
                page.get_by_role("button", name="Open the sample").click(timeout=60_000)
                page.get_by_text("jackknife t test").first.wait_for(timeout=120_000)
                browser.close()
            children = subprocess.run(
                ["ps", "-ww", "-o", "args=", "--ppid", str(process.pid)], capture_output=True, text=True
            )
            assert "mtsig_dashboard.serving._worker" in children.stdout
        finally:
            process.terminate()
            process.wait(20)
        assert "Traceback" not in (tmp_path / "log").read_text()


def test_the_tutorial_typed_there_prints_what_it_shows(programs: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "sample_data", tmp_path / "sample_data")
    own = _own(programs) | {"COLUMNS": "200", "MTSIG_CACHE": str(tmp_path / "cache")}
    for block in blocks("tutorial.md", "console"):
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            told = subprocess.run(
                command, shell=True, cwd=tmp_path, env=own, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            )
            assert told.returncode == 0, told.stdout
            assert fits(shown, without_ends(told.stdout)), f"$ {command}\n{told.stdout}"
    (tmp_path / "tutorial.txt").write_text("\n".join(blocks("tutorial.md", "python")), encoding="utf-8")
    code = "import doctest, sys; sys.exit(doctest.testfile('tutorial.txt', module_relative=False)[0])"
    told = subprocess.run([str(programs / "python"), "-c", code], cwd=tmp_path, env=own, capture_output=True, text=True)
    assert told.returncode == 0, told.stdout


def test_what_the_how_to_adds_from_outside_works_there(programs: Path, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "extend.md").read_text(encoding="utf-8")
    shown = re.findall(r"```python\n(.*?)```\n\n```\n(.*?)```", page, re.DOTALL)
    assert len(shown) == 9
    for code, output in shown:
        told = subprocess.run(
            [str(programs / "python"), "-c", code], cwd=tmp_path, env=_own(programs), capture_output=True, text=True
        )
        assert (told.returncode, told.stdout) == (0, output), told.stderr
