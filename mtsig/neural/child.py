"""A child process: its arguments go in, how it ended comes out; on the way it tells how far it is."""

import os
import re
import signal
import subprocess
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread, current_thread, main_thread
from typing import IO, Any

from mtsig.errors import ProgramError
from mtsig.progress import report

BEAT = 0.1
"""Seconds between two reports of progress; a watcher who wants to stop is heard this soon."""

PATIENCE = 3.0
"""Seconds a child has to leave when it is asked to, before it is made to."""

_BAR = re.compile(rb"Predicting\b[^\r\n]*?(\d+)%\|")
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x1f\x7f-\x9f]")
_MOST_LINES, _MOST_CHARACTERS = 6, 300
_BEGUN = 0.001


@dataclass(frozen=True)
class Ended:
    """How a child ended: its exit code (negative: the signal that killed it) and the last lines it said."""

    code: int
    said: tuple[str, ...]


class _Listener:
    """What a child says: bars of progress are counted, the last other lines are kept."""

    def __init__(self, bars: int) -> None:
        self._bars, self._done, self._percent = bars, 0, 0
        self._lines: deque[str] = deque(maxlen=_MOST_LINES)

    @property
    def share(self) -> float:
        """The share done, as far as the bars tell."""
        return min(1.0, max(_BEGUN, (self._done + self._percent / 100) / self._bars))

    @property
    def lines(self) -> tuple[str, ...]:
        """The last lines that were no bars."""
        return tuple(self._lines)

    def listen(self, stream: IO[bytes]) -> None:
        """Read until the stream ends; whatever arrives is taken at once, so the child never waits for us."""
        rest = b""
        while piece := os.read(stream.fileno(), 65536):
            *whole, rest = re.split(rb"[\r\n]", rest + piece)
            for line in whole:
                self._hear(line)
            rest = rest[-10 * _MOST_CHARACTERS :]
        self._hear(rest)

    def _hear(self, line: bytes) -> None:
        bar = _BAR.search(line)
        if bar is not None:
            percent = int(bar[1])
            # Each system has a bar of its own: when the number falls, the next has begun.
            self._done += percent < self._percent
            self._percent = percent
            return
        text = _CONTROL.sub("", line.decode("utf-8", errors="replace")).strip()
        if text and "%|" not in text:
            self._lines.append(text[:_MOST_CHARACTERS])


def run(arguments: Sequence[str], folder: Path, environment: Mapping[str, str], bars: int) -> Ended:
    """Run a program in `folder`, reporting the share of its `bars` that is done, and return how it ended.

    When whoever watches raises, or a signal comes, the child and its own children are ended too.

    Raises:
        ProgramError: it cannot be started.
    """
    child: subprocess.Popen[bytes] | None = None
    reader: Thread | None = None
    held = _HeldSignals()
    try:
        try:
            child = _started(arguments, folder, environment)
        finally:
            held.release()
        listener = _Listener(bars)
        reader = Thread(target=listener.listen, args=(child.stdout,), daemon=True)
        reader.start()
        while child.poll() is None:
            report(listener.share)
            with suppress(subprocess.TimeoutExpired):
                child.wait(BEAT)
        # A grandchild that outlives its parent may hold the pipe open; nothing it says matters any more.
        reader.join(PATIENCE)
        return Ended(child.returncode, listener.lines)
    finally:
        if child is not None:
            _end(child)
            if reader is not None and reader.ident is not None:
                reader.join(PATIENCE)
            if child.stdout is not None and (reader is None or not reader.is_alive()):
                child.stdout.close()


def _started(arguments: Sequence[str], folder: Path, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            list(arguments),
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise ProgramError(f"{arguments[0]} cannot be started: {error.strerror or error}.") from None


class _HeldSignals:
    """Signals that would end this program wait until `release`.

    While a child is being started an exception would leave it behind: it runs, and nobody knows its number yet.
    """

    def __init__(self) -> None:
        self._came: list[int] = []
        self._before: dict[int, Any] = {}
        if current_thread() is not main_thread():
            return  # signals are the main thread's business
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            # What is ignored, or left to the system, stays so: a child inherits it.
            if number is not None and callable(signal.getsignal(number)):
                self._before[number] = signal.signal(number, lambda number, _: self._came.append(number))

    def release(self) -> None:
        """Let signals through again, first of all those that came meanwhile."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
        came, self._came = self._came, []
        for number in came:
            signal.raise_signal(number)


def _end(child: subprocess.Popen[bytes]) -> None:
    """End a child that still runs, with all it started."""
    if child.poll() is not None:
        return
    _signal(child, signal.SIGTERM)
    try:
        child.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        _signal(child, getattr(signal, "SIGKILL", signal.SIGTERM))
        child.wait()


def _signal(child: subprocess.Popen[bytes], number: int) -> None:
    if not hasattr(os, "killpg"):
        child.terminate()
        return
    # The child leads a group of its own, which its data loaders belong to; it may have gone by itself just now.
    with suppress(ProcessLookupError):
        os.killpg(child.pid, number)
