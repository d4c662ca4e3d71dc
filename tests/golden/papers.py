"""Numbers that the four papers print, and what follows from them by theory."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any


@lru_cache
def printed(paper: str) -> dict[str, Any]:
    """Return one paper's block: koehn, riezler_maxwell, zhang_vogel or callison_burch."""
    blocks = json.loads(Path(__file__).with_name("papers.json").read_text(encoding="utf-8"))
    return dict(blocks[paper])
