"""Files of scores go in, what they say of each rating comes out; one format, one file."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from mtsig.corpus import quoted
from mtsig.errors import ReadError
from mtsig.readers.files import File
from mtsig.readers.parquet import as_csv
from mtsig.readers.ratings import (
    blocks,
    comet,
    comet_lines,
    esa,
    esa_records,
    long,
    metrics_task,
    mqm_annotations,
    mqm_average,
    wide,
    wmt25,
    wmt_da,
)
from mtsig.readers.ratings.scored import Scored
from mtsig.readers.ratings.sheet import Sheet

__all__ = ["RATING_READERS", "RatingFile", "RatingReader"]


class RatingReader(NamedTuple):
    """One format: whether a file is of it, what the file says, and what it looks like in a few words."""

    recognises: Callable[[Sheet], bool]
    read: Callable[[Sheet], list[Scored]]
    looks_like: str


RATING_READERS: dict[str, RatingReader] = {
    "wmt-da": RatingReader(wmt_da.recognises, wmt_da.read, "SYS SID RAW.SCR Z.SCR N"),
    "mqm-average": RatingReader(mqm_average.recognises, mqm_average.read, "system mqm_avg_score seg_id"),
    "mqm-annotations": RatingReader(
        mqm_annotations.recognises, mqm_annotations.read, "a row per error: system doc doc_id seg_id rater … severity"
    ),
    "wmt25": RatingReader(wmt25.recognises, wmt25.read, "JSON lines with document_id and metric_scores"),
    "esa-records": RatingReader(
        esa_records.recognises, esa_records.read, "JSON lines with system, line_id, doc_id, esa_score and esa_spans"
    ),
    "comet": RatingReader(
        comet.recognises, comet.read, "JSON as COMET writes it: system -> segments with mt and a score"
    ),
    "comet-lines": RatingReader(
        comet_lines.recognises, comet_lines.read, "FILE<tab>Segment N<tab>score: X, as comet-score prints"
    ),
    "metrics-task": RatingReader(
        metrics_task.recognises, metrics_task.read, "METRIC LP TESTSET REFSET SYSTEM DOC SEG SCORE"
    ),
    "esa": RatingReader(esa.recognises, esa.read, "user,system,item,type,src,tgt,score,document,…"),
    "blocks": RatingReader(blocks.recognises, blocks.read, "SYSTEM<tab>score, a block of lines per system"),
    "long": RatingReader(long.recognises, long.read, "columns system, segment and score"),
    "wide": RatingReader(wide.recognises, wide.read, "one column per system, one row per segment"),
}
"""In the order in which a file is held against them: those with telling marks first."""


@dataclass(frozen=True)
class RatingFile:
    """A file that may hold scores; it is opened, and held against the formats, once."""

    file: File

    @cached_property
    def _sheet(self) -> Sheet:
        return Sheet(as_csv(self.file) if self.file.path.suffix.lower() == ".parquet" else self.file)

    @cached_property
    def _reader(self) -> RatingReader | None:
        return next((reader for reader in RATING_READERS.values() if reader.recognises(self._sheet)), None)

    def is_rating(self, unreadable: bool = False) -> bool:
        """Return whether it looks like scores of segments, and `unreadable` when it cannot be read at all."""
        try:
            return not blocks.of_whole_systems(self._sheet) and self._reader is not None
        except ReadError:
            return unreadable

    def scored(self) -> list[Scored]:
        """Return what it says of its ratings.

        Raises:
            ReadError: it is of no known format, or broken.
        """
        if self._reader is not None:
            return self._reader.read(self._sheet)
        label = self.file.label
        if len(self._sheet.header) == 1 and ";" in self._sheet.lines[0]:
            raise ReadError(f"{label} looks separated by semicolons; save it with commas (.csv) or tabs (.tsv).")
        if cell := wide.stray(self._sheet):
            line, column, text = cell
            raise ReadError(
                f"{label}, line {line}: {quoted(text)} below {quoted(column)} is no score; most others are."
            )
        shapes = "; ".join(reader.looks_like for reader in RATING_READERS.values())
        raise ReadError(f"{label} is no table of scores that is known here. Known: {shapes}.")
