"""What the server's threads freed goes back to the system."""

import ctypes
import os
import platform
import subprocess
import sys

import pytest
from made import ROOT
from mtsig_dashboard import host
from sampled import slow
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

# Visitors' pages are threads; each holds some megabytes for a moment. The large block before them is an upload: when it
# goes, glibc decides to keep that much at the end of every heap.
PROGRAM = """
import re, sys, threading
from mtsig_dashboard import host

def resident():
    return int(re.search(r"VmRSS:\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024

if sys.argv[1] == "settled":
    host.settle()
before = resident()
upload = bytes(30 << 20)
del upload
together = threading.Barrier(8)

def visit():
    held = [bytes(500_000) for _ in range(30)]
    together.wait()

for _ in range(3):
    threads = [threading.Thread(target=visit) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
host.give_back()
print(resident() - before)
"""


def left_over(settled: str) -> float:
    """Return the megabytes that stay with a process whose threads have let go of everything."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "dashboard")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, settled], capture_output=True, text=True, check=True, env=environment
    )
    return float(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc keeps heaps by thread")
def test_what_threads_let_go_of_leaves_the_process() -> None:
    assert left_over("settled") < 10 < 20 < left_over("not")


@pytest.mark.parametrize("error", [OSError, *slow(AttributeError, TypeError)])
def test_where_the_c_library_is_another_nothing_happens(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def library(name: str | None) -> None:
        asked.append(name)
        raise error

    monkeypatch.setattr(ctypes, "CDLL", library)
    host.settle()
    host.give_back()
    assert asked == [None, None]


def test_where_a_dropped_file_should_go_is_told_though_a_run_begins() -> None:
    host.keep_answers()
    queue, drawn, answer = ForwardMsgQueue(), ForwardMsg(), ForwardMsg()
    drawn.delta.new_element.text.body = "of the last run"
    answer.file_urls_response.response_id = "asked"
    for fragments in (None, ["one"]):
        queue.enqueue(drawn)
        queue.enqueue(answer)
        queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=fragments)
        assert [one.file_urls_response.response_id for one in queue.flush() if one != drawn] == ["asked"]
        assert queue.is_empty()
    queue.enqueue(answer)
    queue.clear()
    assert queue.is_empty()
