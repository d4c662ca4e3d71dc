"""Texts that explain (how to read a picture, what a plan is), one a file: shared by pages, reports and lessons."""

from pathlib import Path

from mtsig._memory import remembered
from mtsig.errors import find

__all__ = ["EXPLANATIONS", "explain"]

EXPLANATIONS = {file.stem: file for file in sorted(Path(__file__).parent.glob("*.md"))}
"""Name -> file."""


@remembered()
def explain(name: str) -> str:
    """Return a text that explains, in Markdown, by the name of its file without the ending."""
    return find(EXPLANATIONS, name, "explanation").read_text(encoding="utf-8").strip()
