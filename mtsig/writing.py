"""Files: bytes go in; a file that is whole, or none, is there afterwards."""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from mtsig.errors import ReadError


def write_file(path: Path, data: bytes) -> None:
    """Write a file, making its folder.

    Raises:
        ReadError: it cannot be written; what was there before still is.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():  # a pipe or a device takes what is written to it
            path.write_bytes(data)
        else:
            put_whole(path.resolve(), data)  # where a link stands, what it names is written
    except OSError as error:
        raise ReadError(f"{path}: cannot be written ({error.strerror or error}).") from None


def put_whole(path: Path, data: bytes, lasting: bool = True) -> None:
    """Put a file in its place when it is whole: whoever reads meanwhile sees the old one or the new one.

    lasting: whether to wait until the disk has it, so that it is whole even after the power fails.

    Raises:
        OSError: it cannot be written.
    """
    with whole_file(path, lasting) as file:
        file.write(data)


@contextmanager
def whole_file(path: Path, lasting: bool = True) -> Iterator[IO[bytes]]:
    """Yield a file to write to; it is put in its place, as by `put_whole`, when the context ends without an error.

    Raises:
        OSError: it cannot be written.
    """
    part = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as file:
            yield file
            file.flush()
            if lasting:
                os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            shutil.copymode(path, part)
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise
