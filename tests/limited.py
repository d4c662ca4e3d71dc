"""Child processes with a limit of memory and of the processor's time: to reach one is the failure."""

import atexit
import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from made import ROOT

GB = 10**9

_SERVER = """
import contextlib, gc, importlib, io, json, os, pkgutil, resource, sys, traceback
import mtsig.cli._compare, mtsig.gate, mtsig.readers, mtsig.report._gate, mtsig.study, scipy.sparse, scipy.stats
from mtsig.cli import main
for package in (mtsig.gate, mtsig.readers):
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    for verb in ("read", "score"):
        assert main([verb, "--data", "sample_data/es-en"]) == 0
gc.freeze()
while line := sys.stdin.readline():
    asked = json.loads(line)
    child = os.fork()
    if not child:
        break
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
else:
    raise SystemExit
for number, file in enumerate((os.devnull, asked["out"], asked["err"])):
    os.dup2(os.open(file, os.O_WRONLY if number else os.O_RDONLY), number)
sys.stdin = open(0)
os.chdir(asked["folder"])
os.environ.clear()
os.environ.update(asked["environment"])
sys.argv = ["-c", *asked["arguments"]]
for limit, most in (("RLIMIT_AS", asked["memory"]), ("RLIMIT_CPU", asked["seconds"])):
    resource.setrlimit(getattr(resource, limit), (most, most))
code = 0
try:
    exec(asked["code"], {"__name__": "__main__", "sys": sys, "resource": resource})
except SystemExit as end:
    code = end.code or 0
except BaseException:
    traceback.print_exc()
    code = 1
sys.stdout.flush()
sys.stderr.flush()
os._exit(code)
"""
"""A process that has loaded the library once and forks for every piece of code: to load it costs half a second.

Most of it is loaded by what it does: packages wait with their modules until a name is used. A child ends at once: to
take a copy of the whole library apart again costs a tenth of a second.
"""


@cache
def _server() -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", _SERVER]
    started = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(started.communicate)
    return started


def limited(
    code: str, *arguments: object, memory: float = 1.5 * GB, seconds: int = 20, folder: Path | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run Python code in a child with these bytes of address space and seconds of the processor."""
    server = _server()
    assert server.stdin is not None
    assert server.stdout is not None
    with tempfile.TemporaryDirectory() as place:
        out, err = Path(place, "out"), Path(place, "err")
        out.touch()
        err.touch()
        asked = {
            "code": code, "arguments": [*map(str, arguments)], "memory": int(memory), "seconds": seconds,
            "folder": str((folder or ROOT).absolute()), "out": str(out), "err": str(err), "environment": {**os.environ},
        }  # fmt: skip
        server.stdin.write(json.dumps(asked) + "\n")
        server.stdin.flush()
        code_of_end = int(server.stdout.readline())
        said = [file.read_text(encoding="utf-8") for file in (out, err)]
    return subprocess.CompletedProcess([*map(str, arguments)], code_of_end, *said)


def mtsig(
    *arguments: object, memory: float = 1.5 * GB, seconds: int = 20, folder: Path | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run the command in such a child."""
    code = "from mtsig.__main__ import main\nraise SystemExit(main())"
    return limited(code, *arguments, memory=memory, seconds=seconds, folder=folder)
