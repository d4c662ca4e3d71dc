"""The way out to a terminal: text goes in, and what reaches stdout or stderr is shown and does nothing else."""

import io
import json
import os
import re
import sys
from contextlib import suppress
from typing import NoReturn, TextIO

from mtsig.escaping import ACTING, visible


def say(*lines: str) -> None:
    """Print lines of text on stdout."""
    sys.stdout.write("".join(f"{visible(line)}\n" for line in lines))


def tell(*lines: str) -> None:
    """Print lines on stderr; where nobody can be told, the work goes on."""
    try:
        sys.stderr.write("".join(f"{visible(line)}\n" for line in lines))
        sys.stderr.flush()
    except OSError:
        give_up(sys.stderr)


def say_data(text: str) -> None:
    """Print what another program reads on stdout: as it is, unless it is a terminal that reads."""
    sys.stdout.write(visible(text, keep="\n\t") if sys.stdout.isatty() else text)


def say_json(text: str) -> None:
    r"""Print JSON on stdout; what a terminal would act upon, or the encoding does not have, stands there as \u…."""
    is_unicode = (sys.stdout.encoding or "utf-8").lower().replace("-", "").startswith("utf")
    text = ACTING.sub(lambda sign: sign[0] if sign[0] == "\n" else _in_json(sign[0]), text)
    sys.stdout.write(text if is_unicode else re.sub(r"[^\x00-\x7f]", lambda sign: _in_json(sign[0]), text))


def _in_json(character: str) -> str:
    return r"\u007f" if character == "\x7f" else json.dumps(character)[1:-1]


def prepare() -> None:
    """Make stdout and stderr such that no text fails for their encoding, and none for their being closed."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:  # closed: the next file that is opened would take its place, and be written over
            os.open(os.devnull, os.O_RDWR)
    # None: they were closed when Python started.
    sys.stdout = _Closed() if sys.stdout is None else sys.stdout
    sys.stderr = io.StringIO() if sys.stderr is None else sys.stderr
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def give_up(stream: TextIO) -> None:
    """Let what a stream still holds go nowhere, so that Python does not try again, and complain, when it ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class Held(io.StringIO):
    """Holds back what is printed, made as for the stream that it will go to."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream

    def isatty(self) -> bool:
        """Return whether a terminal will read it."""
        return self._stream.isatty()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The encoding that it will be written in."""
        return self._stream.encoding or "utf-8"


class _Closed(io.TextIOBase):
    """A stdout that was closed: nothing is lost silently."""

    def write(self, text: str, /) -> NoReturn:
        del text
        raise OSError("stdout is closed")
