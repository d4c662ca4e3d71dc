"""Parquet: a file goes in, the rows of its table come out."""

import csv
import io
from typing import Any

from mtsig.errors import ProgramError, ReadError
from mtsig.extras import need
from mtsig.limits import refuse_above
from mtsig.readers.files import File


def rows_of(file: File) -> list[dict[str, Any]]:
    """Return the rows of a table, each a value for every column: as Python has them, nested ones as lists and dicts.

    Raises:
        ReadError: it is no Parquet table, is damaged or too large, or the library that reads it is missing.
    """
    data = file.data
    if data[:4] != b"PAR1":
        raise ReadError(f"{file.label} is called a Parquet table, but is none: its first bytes are {data[:4]!r}.")
    try:
        need("parquet")
    except ProgramError as error:
        raise ReadError(f"{file.label}: {error}") from None  # a fault of one file: what lies beside it is still read
    from pyarrow import parquet  # here, because it takes long to load

    try:
        opened = parquet.ParquetFile(io.BytesIO(data))
        about = opened.metadata
        refuse_above("max_columns", about.num_columns, file.label)
        refuse_above("max_segments", about.num_rows, file.label, what="rows")
        refuse_above("max_cells", about.num_rows * about.num_columns, file.label)
        unpacked = sum(about.row_group(i).total_byte_size for i in range(about.num_row_groups))
        refuse_above("max_unpacked", unpacked, file.label)
        rows: list[dict[str, Any]] = []
        for batch in opened.iter_batches(batch_size=1000):
            rows += batch.to_pylist()
    except ReadError:
        raise
    # A damaged table makes the library raise nearly anything.
    except Exception as error:
        said = f"{type(error).__name__}: {str(error)[:100]}"
        raise ReadError(f"{file.label}: a damaged Parquet table ({said}). Copy it again.") from None
    if not rows:
        raise ReadError(f"{file.label} has no rows.")
    return rows


def as_csv(file: File) -> File:
    """Return the table as a .csv file under the same label, so that tables of scores are known by one code.

    Raises:
        ReadError: as `rows_of`.
    """
    rows = rows_of(file)
    written = io.StringIO(newline="")
    writer = csv.writer(written)
    writer.writerow(rows[0])
    # A cell that spans lines would move the numbers of those below it; no score does.
    writer.writerows(
        [" ".join(str(value).split()) if isinstance(value, str) else value for value in row.values()] for row in rows
    )
    return File(
        file.label, written.getvalue().encode("utf-8", errors="backslashreplace"), str(file.path.with_suffix(".csv"))
    )
