"""The files that a stranger looks for are there, say what the package says, and name no place that does not exist."""

import re
import runpy
import tomllib
from string import Formatter

import yaml
from made import ROOT

from mtsig.citations import VERSION

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_citation_is_of_this_version_and_of_the_four_papers() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(cited)  # what the format requires
    assert (cited["title"], cited["version"], cited["license"]) == (PROJECT["name"], VERSION, PROJECT["license"])
    page = " ".join((ROOT / "docs" / "papers.md").read_text(encoding="utf-8").split())
    assert len(cited["references"]) == 4
    for work in cited["references"]:
        assert f"{work['year']}. *{work['title']}.*" in page


def test_the_readme_is_short_and_begins_with_install_and_a_first_comparison() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 150
    assert max(len(line) for line in lines if not line.startswith(("|", "    "))) <= 120
    begun = lines[lines.index("# mtsig") :][:40]
    assert begun[2] == "Confidence intervals and significance tests for machine-translation evaluation."
    heads = [line for line in begun if line.startswith("## ")]
    assert heads == ["## Install", "## Compare two or more systems", "## Read the result"]
    assert sum("mtsig compare --" in line for line in begun) == 2
    assert any(line.startswith("> direct is significantly better") for line in begun)
    (picture,) = re.findall(r"!\[[^]]+\]\(([^)]+)\)", "\n".join(begun))
    content = (ROOT / picture).read_bytes()
    assert content.startswith(b"\x89PNG")
    assert int.from_bytes(content[16:20], "big") == 1280  # as wide as the page that it shows
    assert len(content) <= 150_000


def test_the_hooks_are_of_this_environment() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    assert [repository["repo"] for repository in hooks] == ["local"]
    assert [hook["entry"].split()[:2] for hook in hooks[0]["hooks"]] == [["ruff", "check"], ["ruff", "format"]]


def test_the_workflow_tests_what_the_package_says_it_runs_on() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8"))
    matrix = workflow["jobs"]["tests"]["strategy"]["matrix"]
    assert [one.partition("-")[0] for one in matrix["os"]] == ["ubuntu", "macos", "windows"]
    versions = [re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", one) for one in PROJECT["classifiers"]]
    # On the last nothing has run: it is tried, and not named.
    assert matrix["python"] == [*(found[1] for found in versions if found), "3.14"]
    assert PROJECT["requires-python"] == f">={matrix['python'][0]}"


def test_the_recipe_asks_for_what_the_package_needs() -> None:
    recipe = yaml.safe_load((ROOT / ".github" / "conda" / "recipe.yaml").read_text(encoding="utf-8"))
    asked = {one.replace(" ", "") for one in recipe["requirements"]["run"]}
    assert asked == {*PROJECT["dependencies"], f"python{PROJECT['requires-python']}"}


def test_the_paper_says_what_its_script_makes() -> None:
    made = runpy.run_path(str(ROOT / "paper" / "make.py"))["counted"]()
    template = (ROOT / "paper" / "paper.in.md").read_text(encoding="utf-8")
    fields = {name for _, name, *_ in Formatter().parse(template) if name} - set(made)
    assert fields == {"segments", "by_documents", "uncorrected", "corrected"}  # what is simulated, for a minute
    form = re.escape(template.format(**made, **dict.fromkeys(fields, "@@"))).replace("@@", r"\d+%")
    assert re.fullmatch(form, (ROOT / "paper" / "paper.md").read_text(encoding="utf-8"))


def test_links_between_these_files_lead_somewhere() -> None:
    for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        links = [link for link in re.findall(r"\]\(([^)#]+)", text) if "://" not in link]
        assert links
        assert [link for link in links if not (ROOT / link).exists()] == []


def test_tests_that_are_cited_are_there() -> None:
    places = ("*.md", "docs/**/*.md", "docs/**/*.py", "mtsig/**/*.py", "dashboard/**/*.py", "tests/**/*.py")
    cited = {
        (file.name, place.rstrip("."))
        for pattern in places
        for file in ROOT.glob(pattern)
        for place in re.findall(r"\btests/[a-z_]+/[a-z_0-9./-]+", file.read_text(encoding="utf-8"))
    }
    assert len(cited) > 20
    assert [(name, place) for name, place in sorted(cited) if not (ROOT / place).exists()] == []
