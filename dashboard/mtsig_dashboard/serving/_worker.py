"""A worker: a child process that does one piece of work at a time, within its limits, and tells how far it is.

Started by `workers`. Work comes in on stdin and messages go out on stdout.
"""

import gc
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic, process_time
from typing import Any

from mtsig_dashboard.serving._messages import Texts, get, put

_BETWEEN = 0.2
"""Seconds between two shares that are told."""

_NICENESS = 10
"""How far workers stand behind the server, in the system's own steps: it gets about nine tenths of what both want."""

_LAST = 19
"""The priority of long work: the system's last."""


@dataclass(frozen=True)
class Job:
    """Work to do, in at most `seconds` of CPU time; after `long` of them it stands behind all other work."""

    work: Callable[[], Any]
    seconds: float
    long: float


@dataclass(frozen=True)
class Share:
    """How far the pass under way is, in [0, 1]."""

    value: float


@dataclass(frozen=True)
class Long:
    """The job has become a long one, and this process stands behind all others from now on."""


@dataclass(frozen=True)
class Done:
    """The result of a job."""

    result: Any


@dataclass(frozen=True)
class Failed:
    """What a job raised."""

    error: Exception


def limit_memory(most_bytes: int) -> None:
    """Let this process have no more memory; where the system knows no such limit, nothing happens."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes))


def give_way() -> None:
    """Let the server, which draws everybody's pages, have the processor first; where priorities are not had, nothing.

    Otherwise a page of no work at all waits for its turn beside every worker that computes.
    """
    with suppress(AttributeError, OSError):
        os.nice(_NICENESS)


@contextmanager
def limited_seconds(seconds: float) -> Iterator[None]:
    """End this process when the work inside takes more CPU time; where the system knows no such limit, never."""
    try:
        import resource
    except ImportError:
        yield
        return
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    used = resource.getrusage(resource.RUSAGE_SELF)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime + seconds) + 1, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, (hard, hard))


@contextmanager
def stands_back(seconds: float, tell: Callable[[], object]) -> Iterator[None]:
    """Let the work inside have the processor last when it has taken more CPU time, for good, and tell so once.

    Only who runs the system may raise a priority again.
    """
    begun, over = process_time(), threading.Event()

    def watch() -> None:
        while not over.wait(_BETWEEN):
            if process_time() - begun > seconds:
                with suppress(AttributeError, OSError):  # this system has no priorities
                    os.setpriority(os.PRIO_PROCESS, os.getpid(), _LAST)
                tell()
                return

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def main(most_bytes: int) -> None:
    """Do what comes in until nobody sends any more."""
    # Whoever ends the server by Ctrl-C ends it, and its workers see that nobody sends any more.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stdin, stdout = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    # What a library prints must not stand between two messages.
    os.dup2(2, 1)
    limit_memory(most_bytes)
    # Loaded before there is work, so that the first visitor does not wait for it.
    import mtsig.inference  # noqa: F401
    from mtsig import watching

    give_way()
    told, speaking, texts = [0.0], threading.Lock(), Texts()

    def say(message: object) -> None:
        with speaking:
            put(stdout, message, texts)

    def tell(share: float) -> None:
        now = monotonic()
        if now - told[0] > _BETWEEN:
            told[0] = now
            say(Share(share))

    while True:
        try:
            job: Job = get(stdin, texts)
        except EOFError:
            return
        message: Done | Failed
        try:
            with limited_seconds(job.seconds), stands_back(job.long, partial(say, Long())), watching(tell):
                message = Done(job.work())
        except Exception as error:
            message = Failed(error)
        del job
        try:
            say(message)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            say(Failed(RuntimeError(f"The result cannot be sent: {error}")))
        except BrokenPipeError:
            return
        del message
        texts.clear()
        # The next visitor's work begins with the memory that this one's has left. What is loaded by now stays, and need
        # not be looked through again.
        gc.collect()
        gc.freeze()
