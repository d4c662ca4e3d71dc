"""Notes: what a reader of the data should know."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

About: TypeAlias = Literal["", "kin", "correction", "files"]
"""What a note is about, where somebody asks: a system kin to a reference, a correction of p-values, files not read."""


LONGEST = 1_500
"""Characters of one note."""


@dataclass(frozen=True)
class Note:
    """Something the user should know about the data; it changes no number by itself.

    about: what it speaks of; systems: whom it concerns, everybody where there are none. Two notes that say the same are
    equal, whoever marked them.
    """

    level: Literal["note", "warning"]
    text: str
    about: About = field(default="", compare=False)
    systems: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        """Take out the middle of a text that is too long: what files hold decides how long a list in it becomes."""
        if len(self.text) > LONGEST:
            object.__setattr__(self, "text", f"{self.text[: LONGEST - 201]}…{self.text[-200:]}")

    def concerns(self, systems: Collection[str]) -> bool:
        """Return whether it concerns one of these systems, as what names none does."""
        return not self.systems or bool(set(self.systems) & set(systems))
