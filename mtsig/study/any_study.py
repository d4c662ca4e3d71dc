"""What studies of one test set and of several have in common: they are shown, written down, read and reported alike."""

import hashlib
import json
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

import msgspec

from mtsig.corpus import Note
from mtsig.errors import expect
from mtsig.records import Record, about
from mtsig.results import Result, made
from mtsig.study.plan import AnalysisPlan, plan_of
from mtsig.writing import write_file

SCHEMA: Literal["mtsig/2"] = "mtsig/2"
"""Version of the layout; a reader may rely on every key that it had."""

REPORT_FORMATS = ("html", "latex", "pdf", "json")
"""The formats of a report for which none are named."""

UNCHECKED = "Nothing here was checked against data: all of it is taken from the file of the study."
"""What is said of a study that was read, and not made again."""

Status = Literal["planned", "exploratory"]


@dataclass(frozen=True)
class PlanText(Record):
    """An analysis plan."""

    digest: Annotated[str, about("SHA-256 of the text.")]
    text: Annotated[str, about("The TOML file.")]

    @property
    def sha256(self) -> str:
        """The digest in hexadecimal digits alone, of which sentences show the first."""
        return self.digest.removeprefix("sha256:")


def digest_of(record: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a study as canonical JSON, all of it but its own digest.

    Raises:
        ValueError: a number is too large to be one.
    """
    bare = {name: value for name, value in record.items() if name != "digest"}
    text = json.dumps(bare, ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


class AnyStudy(Record, Result):
    """An analysis that can be written down; its fields stand in the classes of one test set and of several.

    was_read: whether it comes from a file, so that nothing in it was checked against data here.
    """

    plan: PlanText | None
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    intact: bool
    digest: str
    was_read: ClassVar[bool] = False

    @property
    def seal_text(self) -> str:
        """What its digest said of the file that it was read from; empty where the digest fits, or there was no file."""
        if self.intact:
            return ""
        return (
            "This study was changed after it was written: its digest does not fit what it holds. Make it again from "
            "its data (mtsig report STUDY --data FOLDER) to see what was changed."
        )

    @property
    def unchecked_text(self) -> str:
        """What readers must know of a study that comes from a file alone; empty of one that was just made."""
        return f"{UNCHECKED} {self.seal_text}".strip() if self.was_read else ""

    @property
    @abstractmethod
    def results(self) -> Sequence[Any]:
        """The results, one metric after the other."""

    @cached_property
    def analysis_plan(self) -> AnalysisPlan | None:
        """The analysis plan that it was made under."""
        return None if self.plan is None else plan_of(self.plan.text, "the study's plan")

    @property
    def all_notes(self) -> tuple[Note, ...]:
        """What to know about the data and the results, with what is a warning."""
        warnings = set(self.warnings)
        return tuple(Note("warning" if text in warnings else "note", text) for text in self.notes)

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per comparison, with its verdict and the reason of one that is undecided.

        Of several sets, those of each set stand before those of the averages.
        """
        return [row for result in self.results for row in result.compared.rows()]

    def save(self, path: str | Path) -> Path:
        """Write the study as JSON, what `mtsig compare --save` writes and `read_study` reads; return the path.

        Raises:
            InvalidOption: the path is none.
            ReadError: it cannot be written.
        """
        expect(path, str | PathLike, 'Give the file to write, as in study.save("study.json")')
        write_file(Path(path), self.text().encode())
        return Path(path)

    def report(self, path: str | Path, formats: str | Sequence[str] = ()) -> list[Path]:
        """Write documents, and return the files that were written.

        path: one file (.html, .md, .xlsx, .json), or a folder for the formats that write several.
        formats: one or several, as `mtsig report --to` takes them, such as "latex" and "pdf:paper=acl-full"; for a
        folder REPORT_FORMATS when none is named.

        Raises:
            InvalidOption: the path is none, formats that do not fit it, or two that write the same file.
            UnknownName: there is no such format.
            ProgramError: a library that the format needs is not installed.
            ReadError: a file cannot be written.
        """
        files: list[Path] = made("files", self, path, formats)
        return files

    @classmethod
    def of_plain(cls, record: Mapping[str, Any]) -> Self:
        """Return the study of plain values, unchecked but for their types.

        Raises:
            msgspec.ValidationError: something is missing, or of another type; the message says where.
        """
        return msgspec.convert(record, cls)

    def plain(self) -> dict[str, Any]:
        """Return the record as plain values, as JSON has them: null for a number that does not exist."""
        values: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return {**values, "digest": digest_of(values)}

    def text(self) -> str:
        """Return the record as JSON; the same study gives the same bytes."""
        return json.dumps(self.plain(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
