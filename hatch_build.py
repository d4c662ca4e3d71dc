"""What the build puts into the package's metadata: the README as a package index can show it, and the project's links.

An index shows the README alone: no file lies beside it, and the lines by which Hugging Face Spaces know how to start
the repository mean nothing there. Where the repository has a public address (pyproject.toml says so), links lead to it;
as long as it has none, words are left without their link, and pictures are left out.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?://|#|mailto:)([^)\s]+)\)")


def on_an_index(readme: str, address: str) -> str:
    """Return the README for a package index; an empty address is none."""
    text = re.sub(r"\A---\n.*?\n---\n+", "", readme, flags=re.DOTALL)

    def elsewhere(link: re.Match[str]) -> str:
        picture, words, path = link.groups()
        if not address:
            return "" if picture else words
        return f"{picture}[{words}]({address}/{'raw' if picture else 'blob'}/HEAD/{path})"

    return re.sub(r"\n{3,}", "\n\n", _LINK.sub(elsewhere, text))


def links(address: str) -> dict[str, str]:
    """Return the project's links by their names; none without an address."""
    if not address:
        return {}
    return {
        "Repository": address,
        "Documentation": f"{address}/blob/HEAD/docs/index.md",
        "Changelog": f"{address}/blob/HEAD/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }


class Metadata(MetadataHookInterface):
    """Hatchling's hook."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Put in what pyproject.toml leaves to the build."""
        address = str(self.config["address"]).rstrip("/")
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": on_an_index(text, address)}
        metadata["urls"] = links(address)
