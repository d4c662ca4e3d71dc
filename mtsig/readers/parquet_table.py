"""Parquet tables of texts: a file goes in, its columns of text come out as those of any other table."""

import json
from collections.abc import Sequence

from mtsig.errors import ReadError
from mtsig.readers.files import File
from mtsig.readers.names import name_of
from mtsig.readers.parquet import rows_of
from mtsig.readers.part import Part
from mtsig.readers.reader import Placed, Reader, by_suffix, when_alone
from mtsig.readers.records import texts_of_records
from mtsig.readers.table import named_rows

FORM = "Parquet table"


def parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return the texts of every table; one that cannot be understood is a part with a problem."""
    return [_parts(placed.file) for placed in files]


def _parts(file: File) -> list[Part]:
    try:
        rows = rows_of(file, _text)
        names = list(rows[0])
        cells: list[tuple[int, list[str | None]]] = [(0, [*names])]
        cells += [(number, [row[name] for name in names]) for number, row in enumerate(rows, 1)]
        keys, records = named_rows(file.label, cells, "row", "")
        return texts_of_records(file, FORM, keys, records)
    except ReadError as error:
        return [Part(file.label, "system", name_of(file.path.name), problem=str(error), file=file, form=FORM)]


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, default=str) if isinstance(value, list | dict) else str(value)


PARQUET = Reader("a .parquet table: a column per text, or a row per output", when_alone(by_suffix(".parquet")), parts)
