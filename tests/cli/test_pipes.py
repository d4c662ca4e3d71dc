"""Named pipes that nobody reads or writes, wherever a verb takes a file: it ends, and says what it found."""

import json
import os
import threading
from pathlib import Path

import pytest
from limited import limited
from made import ROOT

if not hasattr(os, "mkfifo"):
    pytest.skip("this system has no pipes among its files", allow_module_level=True)

SAMPLE = ["--data", str(ROOT / "sample_data" / "es-en")]
CHRF = [*SAMPLE, "--metric", "chrf", "--resamples", "100"]
GATE = ["gate", *CHRF, "--baseline", "direct", "--candidate", "direct-us", "--margin", "1"]
UNREAD = ": cannot be written (it is a pipe that no program reads; give a file, or start its reader first)."
NO_FILE = " is a pipe, not a file. Save its contents as a file, and name that file."
ENDED = """
import signal
signal.alarm(120)  # ends a process that waits
import mtsig.cli._dashboard
mtsig.cli._dashboard.PATIENCE = 1
from mtsig.__main__ import main
raise SystemExit(main())
"""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["read", *SAMPLE, "--out", "PIPE.csv"], UNREAD),
        (["count", *SAMPLE, "--metric", "chrf", "--out", "PIPE"], UNREAD),
        (["sample", *SAMPLE, "--size", "4", "--pearmut", "PIPE"], UNREAD),
        ([*GATE, "--format", "github"], UNREAD),  # to the summary of a step
        (["read", *SAMPLE, "--out", "PIPE"], "a part of its path is a file, not a folder"),
        ([*GATE, "--ledger", "PIPE"], ": a ledger must be a file."),
        (["compare", "--counts", "PIPE"], NO_FILE),
        (["score", "--data", "PIPE"], NO_FILE),
        (["plan", "PIPE"], NO_FILE),
        (["report", "PIPE"], NO_FILE),
        (["dashboard", "--password-file", "PIPE"], ": it is a pipe, and no program wrote to it within 1 seconds."),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_no_verb_waits_for_a_pipe(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = next((word for word in arguments if word.startswith("PIPE")), "PIPE")
    os.mkfifo(tmp_path / pipe)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", pipe)
    monkeypatch.delenv("MTSIG_PASSWORD", raising=False)
    done = limited(ENDED, *arguments, folder=tmp_path)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr


def test_a_pipe_that_is_read_gets_what_is_written(tmp_path: Path) -> None:
    pipe, got = tmp_path / "pipe.json", list[bytes]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    # Its reader may come a moment later.
    while limited(ENDED, "read", *SAMPLE, "--out", pipe).returncode == 2:
        assert reader.is_alive()
    reader.join(60)
    assert json.loads(got[0])["data"]["segments"] == 200


@pytest.mark.skipif(not Path("/proc/kmsg").exists(), reason="this system shows its log in no file")
@pytest.mark.parametrize("name", ["ref.txt", "b.txt", "c.tsv"])
def test_no_reader_waits_for_the_log_of_the_system(name: str, tmp_path: Path) -> None:
    """It is called a file, and its next line may never come."""
    for text in ("ref.txt", "a.txt", "b.txt"):
        (tmp_path / text).write_text("one line\nand another\n", encoding="utf-8")
    (tmp_path / name).unlink(missing_ok=True)
    (tmp_path / name).symlink_to("/proc/kmsg")
    done = limited(ENDED, "score", "--data", tmp_path, "--metric", "chrf", folder=tmp_path)
    assert done.returncode == (0 if name == "c.tsv" else 2), done.stderr[-500:]
    assert name in done.stderr
    assert "Traceback" not in done.stderr
