"""Texts that explain: every one is shown somewhere, and every one that is shown is there."""

import re
import subprocess
import sys

import pytest
from made import ROOT

from mtsig.errors import UnknownName
from mtsig.explain import EXPLANATIONS, explain

NAMED = re.compile(
    r'(?:explain(?:ed)?\(|_taken\(\s*"[^"]+", "[^"]+", |how_to_read = |also=None if .{1,40} else )"([^"]+)"'
)
TEXT = re.compile(r'"([a-z]+(?:-[a-z]+)+|matrix|preferences)"')
ON_PAGE = "-on-page"
"""What stands below a picture on a page alone, after what is said of it everywhere."""


def _named() -> set[str]:
    files = [*(ROOT / "dashboard").rglob("*.py"), *(ROOT / "mtsig").rglob("*.py"), *(ROOT / "mtsig").rglob("*.j2")]
    named = {name for file in files for name in NAMED.findall(file.read_text(encoding="utf-8"))}
    # Figures that are made of several results, and pages that lack something, say which text is theirs.
    places = [*(ROOT / "mtsig" / "figures").glob("*.py"), *(ROOT / "dashboard").rglob("*.py")]
    texts = [file.read_text(encoding="utf-8") for file in places]
    return named | {name for text in texts for name in TEXT.findall(text) if name in EXPLANATIONS}


def test_every_text_that_is_named_is_there_and_every_other_is_of_an_experiment() -> None:
    named = _named()
    assert "score-intervals" in named
    assert named <= set(EXPLANATIONS)
    others = {name for name in set(EXPLANATIONS) - named if name.removesuffix(ON_PAGE) not in named}
    assert {name.split("-")[0] for name in others} == {"experiment"}


@pytest.mark.parametrize("name", EXPLANATIONS)
def test_a_text_is_what_its_file_says_without_blank_lines_around_it(name: str) -> None:
    text = explain(name)
    assert text == text.strip()
    assert EXPLANATIONS[name].read_bytes() == f"{text}\n".encode()
    assert text.endswith((".", "appears."))
    assert "<" not in re.sub(r"[:,;] > better, < worse", "", text)  # Markdown only, no HTML


def test_a_text_that_is_not_there_is_said_with_those_that_are() -> None:
    with pytest.raises(UnknownName, match=r"no explanation called 'matrx'. Did you mean 'matrix'\?"):
        explain("matrx")


def test_reading_a_text_loads_neither_numbers_nor_pages() -> None:
    code = "import sys; from mtsig.explain import explain; explain('matrix'); sys.exit('plotly' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, cwd=ROOT).returncode == 0
