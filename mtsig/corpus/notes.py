"""Notes: what a reader of the data should know."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Note:
    """Something the user should know about the data; it changes no number by itself."""

    level: Literal["note", "warning"]
    text: str
