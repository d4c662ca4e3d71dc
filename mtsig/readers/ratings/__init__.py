"""Files of scores go in, what they say of each rating comes out; one format, one file."""

from collections.abc import Callable
from typing import NamedTuple

from mtsig.errors import ReadError
from mtsig.readers.files import File
from mtsig.readers.parquet import as_csv
from mtsig.readers.ratings import (
    blocks,
    comet,
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

__all__ = ["RATING_READERS", "RatingReader", "is_rating", "scored_of"]


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
    "metrics-task": RatingReader(
        metrics_task.recognises, metrics_task.read, "METRIC LP TESTSET REFSET SYSTEM DOC SEG SCORE"
    ),
    "esa": RatingReader(esa.recognises, esa.read, "user,system,item,type,src,tgt,score,document,…"),
    "blocks": RatingReader(blocks.recognises, blocks.read, "SYSTEM<tab>score, a block of lines per system"),
    "long": RatingReader(long.recognises, long.read, "columns system, segment and score"),
    "wide": RatingReader(wide.recognises, wide.read, "one column per system, one row per segment"),
}
"""In the order in which a file is held against them: those with telling marks first."""


def scored_of(file: File) -> list[Scored]:
    """Return what a file says of its ratings.

    Raises:
        ReadError: the file is of no known format, or broken.
    """
    sheet = _sheet(file)
    for reader in RATING_READERS.values():
        if reader.recognises(sheet):
            return reader.read(sheet)
    if len(sheet.header) == 1 and ";" in sheet.lines[0]:
        raise ReadError(f"{file.label} looks separated by semicolons; save it with commas (.csv) or tabs (.tsv).")
    shapes = "; ".join(reader.looks_like for reader in RATING_READERS.values())
    raise ReadError(f"{file.label} is no table of scores that is known here. Known: {shapes}.")


def _sheet(file: File) -> Sheet:
    return Sheet(as_csv(file) if file.path.suffix.lower() == ".parquet" else file)


def is_rating(file: File, unreadable: bool = False) -> bool:
    """Return whether a file looks like scores of segments, and `unreadable` when it cannot be read at all."""
    try:
        sheet = _sheet(file)
        return not blocks.of_whole_systems(sheet) and any(
            reader.recognises(sheet) for reader in RATING_READERS.values()
        )
    except ReadError:
        return unreadable
