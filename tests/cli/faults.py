"""A program of its own: read, compare and report, once for each fault, each time in a forked child.

    python faults.py DATA WORK FILES ALLOCATIONS

So many faults of each kind are spread over all that could be. Each line that it prints is one outcome as JSON; the
first is the one without a fault.
"""

import _pyio
import builtins
import contextlib
import errno
import faulthandler
import io
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ERRORS = (errno.EIO, errno.ENOSPC, errno.EACCES)
ALLOCATIONS = 123_000
"""So many there are, about; their number is never twice the same."""

FORMATS = ("markdown", "csv", "latex", "xlsx", "json")


class Faults:
    """Counts what is asked of the disk, and lets one of it fail."""

    def __init__(self, at: int, folders: tuple[str, ...]) -> None:
        self.at = at
        self.folders = folders
        self.count = 0
        self.failed = ""

    def step(self, what: str, path: object, named: bool = True) -> None:
        if not str(path).startswith(self.folders):
            return
        self.count += 1
        if self.count == self.at:
            code = ERRORS[self.at % len(ERRORS)]
            self.failed = f"{what} {path}: {errno.errorcode[code]}"
            raise OSError(code, os.strerror(code), *([str(path)] if named else []))

    def install(self) -> None:
        step, real = self.step, io.FileIO

        class Raw(real):  # type: ignore[misc, valid-type]
            def __init__(self, file: Any, mode: str = "r", closefd: bool = True, opener: Any = None) -> None:
                # A file that was opened by its number has its name in /proc.
                self.path = Path(f"/proc/self/fd/{file}").readlink() if isinstance(file, int) else file
                step("open", self.path)
                super().__init__(file, mode, closefd, opener)

            def read(self, *size: Any) -> Any:
                step("read", self.path, named=False)
                return super().read(*size)

            def readall(self) -> Any:
                step("read", self.path, named=False)
                return super().readall()

            def readinto(self, buffer: Any) -> Any:
                step("read", self.path, named=False)
                return super().readinto(buffer)

            def write(self, data: Any) -> Any:
                step("write", self.path, named=False)
                return super().write(data)

        _pyio.FileIO = Raw  # type: ignore[misc]
        builtins.open = io.open = _pyio.open  # type: ignore[assignment]
        names = "stat lstat mkdir rmdir replace rename unlink remove scandir listdir utime chmod"
        for name in names.split():
            setattr(os, name, self._failing(name, getattr(os, name)))

        real_fsync = os.fsync

        def fsync(descriptor: int) -> None:
            step("fsync", Path(f"/proc/self/fd/{descriptor}").readlink(), named=False)
            real_fsync(descriptor)

        os.fsync = fsync

    def _failing(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(path: Any = ".", *others: Any, **named: Any) -> Any:
            self.step(name, path)
            return real(path, *others, **named)

        return call


def flow(data: Path, work: Path) -> list[int]:
    """Run the verbs as long as they succeed, in an empty folder, and return their exit codes."""
    from mtsig.cli import main

    study = str(work / "study.json")
    compare = ["compare", "--data", str(data), "--metric", "bleu", "chrf", "--resamples", "100", "--format", "json"]
    codes = []
    for arguments in (
        ["read", "--data", str(data), "--format", "json"],
        [*compare, "--out", study],
        compare,  # now with what is kept between runs
        ["report", study, "--out", str(work / "pages"), "--to", *FORMATS],
    ):
        codes.append(main(arguments))
        if codes[-1]:
            break
    return codes


def outcome(data: Path, work: Path, prepare: Callable[[], Callable[[], str]]) -> dict[str, Any]:
    """Return what becomes of the flow in a child that is prepared so: exit codes, what it said, what it left."""
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    results = work.with_name("results.json")
    results.unlink(missing_ok=True)
    crash = work.with_name("crash.txt")
    child = os.fork()
    if child == 0:
        said, told = io.StringIO(), io.StringIO()
        sys.stdout, sys.stderr = said, told
        code: Any
        descriptor = os.open(results, os.O_WRONLY | os.O_CREAT)
        faulthandler.enable(crash.open("w"))
        finish = str
        try:
            finish = prepare()
            code = flow(data, work)
        except BaseException as error:
            code = repr(error)
        with contextlib.suppress(BaseException):
            fault = finish()
        os.write(descriptor, json.dumps([code, said.getvalue(), told.getvalue(), fault]).encode())
        os._exit(0)
    _, status = os.waitpid(child, 0)
    died = [f"died: {status}", "", "", crash.read_text()]
    code, said_text, told_text, fault = json.loads(results.read_bytes()) if status == 0 else died
    files = {str(file.relative_to(work)): file.read_bytes().hex() for file in sorted(work.rglob("*")) if file.is_file()}
    return {"codes": code, "said": said_text, "told": told_text, "fault": fault, "files": files}


def disk(at: int, *folders: Path) -> Callable[[], Callable[[], str]]:
    def prepare() -> Callable[[], str]:
        faults = Faults(at, tuple(map(str, folders)))
        faults.install()
        return lambda: faults.failed or str(faults.count)

    return prepare


def memory(at: int) -> Callable[[], Callable[[], str]]:
    def prepare() -> Callable[[], str]:
        import _testcapi

        _testcapi.set_nomemory(at, at + 1)

        def finish() -> str:
            _testcapi.remove_mem_hooks()
            return f"allocation {at}"

        return finish

    return prepare


def outcomes(data: Path, work: Path, files: int, allocations: int) -> Iterator[dict[str, Any]]:
    os.environ["MTSIG_CACHE"] = str(work / "cache")
    import mtsig.metrics._counting as counts

    counts._is_worth_it = lambda _: True  # so few lines would not be kept between runs
    # What is loaded once is loaded before: a fault is one of the work.
    assert flow_quietly(data, work) == [0, 0, 0, 0]
    yield (without := outcome(data, work, disk(0, data, work)))
    for point in spread(1, int(without["fault"]), files):
        yield outcome(data, work, disk(point, data, work))
    for point in spread(100, ALLOCATIONS, allocations):
        yield outcome(data, work, memory(point))


def spread(first: int, last: int, count: int) -> list[int]:
    count = min(count, last)
    return [first + (last - first) * at // max(count - 1, 1) for at in range(count)]


def flow_quietly(data: Path, work: Path) -> list[int]:
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return flow(data, work)


if __name__ == "__main__":
    for one in outcomes(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])):
        print(json.dumps(one), flush=True)
