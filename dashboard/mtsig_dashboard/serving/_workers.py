"""A bounded pool of child processes: heavy work of one visitor neither stops the others nor the server.

Children are started by hand, as programs of their own: the standard pools (and loky) hand over the parent's `__main__`,
which under Streamlit is the page being drawn, so that every child would draw it; and they end all their children when
one must be ended, which here happens whenever a visitor changes a setting.
"""

import atexit
import os
import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from mtsig import MtsigError, watching
from mtsig.cli._dashboard import VisitorLimits
from mtsig_dashboard.serving._messages import Texts, get, put
from mtsig_dashboard.serving._worker import Done, Failed, Job, Long, Share

T = TypeVar("T")

_LOOK = 0.1
"""Seconds between two looks at whether the visitor whose work is done has gone on to something else."""

_LOOK_OF_QUEUE = 0.5
"""The same for those who wait: many may, and each look takes the server's time."""


_LONG_WORK = 5.0
"""CPU seconds after which work no longer keeps others from beginning theirs: most is done long before.

By the clock, all work would be long where many visitors wait for it.
"""


def _nothing(told: float) -> None:
    del told


class Stopped(MtsigError):
    """Work was ended because it needed more than it may have."""


class _Child:
    """One child process; a thread reads what it says."""

    def __init__(self, limits: VisitorLimits) -> None:
        threads = str(max(1, (os.cpu_count() or 1) // limits.workers))
        limited = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), threads)
        # -P and the parent's path: what the server can load, its child can, and nothing else.
        path = os.pathsep.join(folder for folder in sys.path if folder)
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-P",
                "-c",
                f"from mtsig_dashboard.serving._worker import main; main({int(limits.worker_memory * 2**30)})",
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **limited, "PYTHONPATH": path},
        )
        self.is_last = False
        self.texts = Texts()
        self.said: queue.SimpleQueue[Share | Long | Done | Failed | None] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        stream = self.process.stdout
        while stream is not None:
            try:
                self.said.put(get(stream, self.texts))
            except Exception:  # whatever is wrong with what came, nothing more can be read
                self.said.put(None)
                return

    def send(self, job: Job) -> None:
        stream = self.process.stdin
        if stream is not None:
            put(stream, job, self.texts)

    def end(self) -> int:
        """End it at once and return how it ended."""
        self.process.kill()
        code = self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        return code


class Workers:
    """A bounded number of children; who comes when all are busy waits for his turn.

    `limits.workers` pieces of work are done at a time. Those who have been at it for long no longer count, so that a
    few visitors with minutes of work do not make all others wait for minutes, and stand behind the others; but there
    are never more children than twice as many.
    """

    def __init__(self, limits: VisitorLimits | None = None) -> None:
        self.limits = limits or VisitorLimits()
        self._turn = threading.Condition()
        self._idle: list[_Child] = []
        self._at_work: set[object] = set()
        self._long: set[object] = set()
        self._queue: deque[object] = deque()
        atexit.register(self.close)

    def run(
        self,
        work: Callable[[], T],
        show: Callable[[float], object] = _nothing,
        waits: Callable[[int], object] = _nothing,
    ) -> T:
        """Return `work()`, done by a child.

        work: a function of a module, or a partial of one with its arguments; it and its result go from process to
        process by pickle. show: called several times a second with the share done; what it raises ends the work at
        once. waits: likewise with the place in the queue, from 1; what it raises leaves the queue.
        """
        if self.limits.workers == 0:
            with watching(show):
                return work()
        ticket = object()
        child = self._child(ticket, waits)
        try:
            result: T = self._done(ticket, child, Job(work, self.limits.worker_seconds, _LONG_WORK), show)
        except _Kept as kept:
            self._back(ticket, child)
            raise kept.error from None
        except BaseException:
            child.end()
            self._back(ticket, None)
            raise
        self._back(ticket, child)
        return result

    def _child(self, ticket: object, waits: Callable[[int], object]) -> _Child:
        with self._turn:
            self._queue.append(ticket)
            try:
                while self._queue[0] is not ticket or not self._has_room():
                    waits(self._queue.index(ticket) + 1)
                    self._turn.wait(_LOOK_OF_QUEUE)
            finally:
                self._queue.remove(ticket)
                self._turn.notify_all()
            self._at_work.add(ticket)
            while self._idle:
                child = self._idle.pop()
                if child.process.poll() is None:
                    return child
                child.end()
        try:
            return _Child(self.limits)
        except BaseException:
            self._back(ticket, None)
            raise

    def _has_room(self, idle: int = 0) -> bool:
        """Return whether one more child may be at work, or be kept, beside so many that are kept."""
        short = len(self._at_work) - len(self._long)
        return short + idle < self.limits.workers and len(self._at_work) + idle < 2 * self.limits.workers

    def _back(self, ticket: object, child: _Child | None) -> None:
        if child is not None:
            child.texts.clear()
        with self._turn:
            self._at_work.remove(ticket)
            self._long.discard(ticket)
            if child is not None and not child.is_last and self._has_room(len(self._idle)):
                self._idle.append(child)
            elif child is not None:
                child.end()
            self._turn.notify_all()

    def _done(self, ticket: object, child: _Child, job: Job, show: Callable[[float], object]) -> Any:
        with suppress(BrokenPipeError):  # it has ended already, which is told below
            child.send(job)
        share = 0.0
        while True:
            try:
                said = child.said.get(timeout=_LOOK)
            except queue.Empty:
                said = Share(share)
            if isinstance(said, Done):
                return said.result
            if isinstance(said, Failed):
                if isinstance(said.error, MemoryError):
                    raise _Kept(Stopped(self._too_much_memory()))
                raise _Kept(said.error)
            if said is None:
                raise Stopped(self._ended(child.end()))
            if isinstance(said, Long):
                child.is_last = True
                with self._turn:
                    self._long.add(ticket)
                    self._turn.notify_all()
                continue
            share = said.value
            show(share)

    def _too_much_memory(self) -> str:
        return (
            f"This task was stopped: it needs more than a visitor's {self.limits.worker_memory:g} GB of memory. "
            "Take fewer systems, segments or resamples, or ask the server's administrator for a higher limit."
        )

    def _ended(self, code: int) -> str:
        if code == -getattr(signal, "SIGXCPU", 0):
            return (
                f"This task was stopped at its limit of {self.limits.worker_seconds:g} seconds of computing. Take "
                "fewer systems, segments or resamples, or ask the server's administrator for a higher limit."
            )
        if code in {-signal.SIGSEGV, -signal.SIGABRT}:
            return self._too_much_memory()
        return f"Another program ended the process of this computation (code {code}). Try again."

    def close(self) -> None:
        """End all idle children; busy ones see that nobody listens any more."""
        with self._turn:
            for child in self._idle:
                child.end()
            self._idle.clear()


class _Kept(Exception):
    """What the work raised; the child is fit for more."""

    def __init__(self, error: Exception) -> None:
        super().__init__(error)
        self.error = error
