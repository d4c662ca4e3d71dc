"""What the built package says of itself: a README that an index can show, links that lead somewhere or are left out."""

import email
import importlib.util
import re
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType

import pytest
from made import ROOT

from mtsig.citations import VERSION


@pytest.fixture(scope="module")
def build() -> ModuleType:
    pytest.importorskip("hatchling", reason="the package is built with pip install '.[test]'")
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def links(markdown: str) -> list[str]:
    code = r"(?ms)^```.*?^```|`[^`\n]*`"
    return re.findall(r"\]\(([^)]+)\)", re.sub(code, "", markdown))


def test_the_wheels_readme_stands_alone(build: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    hatchling = pytest.importorskip("hatchling.build")
    with zipfile.ZipFile(tmp_path / hatchling.build_wheel(str(tmp_path))) as wheel:
        names = wheel.namelist()
        (metadata,) = [name for name in names if name.endswith(".dist-info/METADATA")]
        said = email.message_from_bytes(wheel.read(metadata))
    assert {"mtsig/sample_data/es-en/source.txt", "mtsig_dashboard/config.toml", "mtsig_dashboard/app.py"} <= set(names)
    assert not [name for name in names if name.startswith(("dashboard/", "tests/", "docs/"))]
    assert (said["Name"], said["Version"], said["Description-Content-Type"]) == ("mtsig", VERSION, "text/markdown")
    text = said.get_payload(decode=True).decode()
    assert text.startswith("# mtsig\n\nConfidence intervals")
    assert "sdk: docker" not in text
    assert all(link.startswith(("https://", "#")) for link in links(text))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    address = project["tool"]["hatch"]["metadata"]["hooks"]["custom"]["address"]
    found = dict(url.split(", ", 1) for url in said.get_all("Project-URL", []))
    assert found == build.links(address)
    if not address:
        assert "![" not in text


def test_with_an_address_every_link_of_the_readme_is_one(build: ModuleType) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    address = "https://forge.example/lab/mtsig"
    text = build.on_an_index(readme, address)
    assert f"![The Results page with the sample data]({address}/raw/HEAD/docs/images/results.png)" in text
    assert len(links(text)) == len(links(readme)) > 10
    for link in links(text):
        assert link.startswith("https://")
        if link.startswith(address):
            kind, head, path = link.removeprefix(f"{address}/").split("/", 2)
            assert kind in {"blob", "raw"}
            assert head == "HEAD"
            assert (ROOT / path.partition("#")[0]).exists(), link
    assert set(build.links(address)) == {"Repository", "Documentation", "Changelog", "Issues"}
    assert (
        build.on_an_index("[a](b.md) and [c](https://d.example) ![e](f.png).", "") == "a and [c](https://d.example) ."
    )
