"""Names that act on terminals, streams that are closed, full or ASCII, no home, an interrupt at the worst moment."""

import json
import os
import pty
import re
import select
import subprocess
import sys
import unicodedata
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kept import Kept, lacking
from made import DASHBOARD, ROOT, flat
from sampled import slow

from mtsig._memory import CacheWarning, users_folder
from mtsig._writing import visible
from mtsig.cli import _output as terminal
from mtsig.cli import main
from mtsig.cli._output import say_json, tell
from mtsig.errors import InvalidOption
from mtsig.readers._names import as_text
from mtsig.report import Column, Table

ANYTHING = st.text(alphabet=st.characters(codec=None, exclude_categories=()))
DIRECTIONS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

# --- the sanitiser ---------------------------------------------------------------------------------------------------


def acts(character: str) -> bool:
    """Return whether a terminal may do something for this character, by what Unicode says of it."""
    controls = unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"}
    return controls or character in DIRECTIONS


def test_of_all_of_unicode_nothing_that_acts_gets_through_and_no_letter_is_lost() -> None:
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        shown = visible(character)
        if acts(character):
            assert shown.isascii(), hex(code)
            assert shown.isprintable(), hex(code)
        elif unicodedata.category(character) not in {"Cf", "Cn"}:
            assert shown == character, hex(code)


@given(ANYTHING)
def test_whatever_is_printed_only_shows(text: str) -> None:
    shown = visible(text)
    assert not any(map(acts, shown))
    assert visible(shown) == shown
    assert "\n" not in shown
    shown.encode()
    kept = visible(text, keep="\n\t")
    assert not any(map(acts, kept.replace("\n", "").replace("\t", "")))
    assert kept.count("\n") == text.count("\n")


@pytest.mark.parametrize("name", ["Online-A", "système 1", "系统", "מערכת", "سیستم‌ها", "👩‍🔬", "a\\b", "Å", "नेपा‍ल"])
def test_names_of_all_scripts_are_shown_as_they_are(name: str) -> None:
    assert visible(name) == name


@given(ANYTHING, st.booleans())
def test_json_says_the_same_and_acts_on_nothing(text: str, is_ascii: bool) -> None:
    raw = json.dumps({"a": [text]}, indent=1, ensure_ascii=False)
    stream = Stream("ascii" if is_ascii else "utf-8")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "stdout", stream)
        say_json(raw)
    written = "".join(stream.written)
    assert json.loads(written) == json.loads(raw)
    assert not any(map(acts, written.replace("\n", "")))
    if is_ascii:
        assert written.isascii()
    elif not any(map(acts, text)) and visible(text) == text:
        assert written == raw


class Stream:
    def __init__(self, encoding: str) -> None:
        self.encoding = encoding
        self.written: list[str] = []

    def write(self, text: str) -> None:
        self.written.append(text)


@given(ANYTHING)
def test_a_name_can_always_be_written_as_utf_8(name: str) -> None:
    named = as_text(name)
    named.encode()
    if not any(unicodedata.category(character) == "Cs" for character in name):
        assert named == name


@given(st.binary())
def test_a_files_name_says_its_bytes(name: bytes) -> None:
    assert as_text(name.decode("utf-8", "surrogateescape")) == name.decode("utf-8", "backslashreplace")
    assert as_text(name.decode("ascii", "surrogateescape")) == name.decode("utf-8", "backslashreplace")


# --- the command -----------------------------------------------------------------------------------------------------

HOSTILE = {
    "clears": "a\x1b[2J\x1b[H",
    "rings": "b\x07\x08\x9b31m",
    "turns": "c\u202egnp.txt\u2066",
    "breaks": "d\ne\rf\u2028g",
    "marks": "[bold]h[/]",
}


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose systems have names that act on terminals, and one that is no UTF-8."""
    folder = tmp_path_factory.mktemp("hostile") / "set\x1b]0;title\x07"
    (folder / "systems").mkdir(parents=True)
    reference = [f"the cat number {at} sat on the mat ." for at in range(40)]
    (folder / "ref.txt").write_text("\n".join(reference) + "\n")
    for at, name in enumerate(HOSTILE.values()):
        lines = [line.replace("cat", "dog") if number % (at + 2) else line for number, line in enumerate(reference)]
        (folder / "systems" / f"{name.replace('/', '∕')}.txt").write_text("\n".join(lines) + "\n")
    with open(os.fsencode(folder / "systems") + b"/syst\xe8me.txt", "w") as file:  # noqa: PTH123
        file.write("\n".join(line.replace("mat", "hat") for line in reference) + "\n")
    return folder


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "mtsig", *map(str, arguments)]


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, DASHBOARD.parent))), **more}


VERBS: dict[str, Callable[[Path], list[str]]] = {
    "read": lambda texts: ["read", "--data", str(texts)],
    "check": lambda texts: ["check", "--data", str(texts)],
    "score": lambda texts: ["score", "--data", str(texts), "--resamples", "100"],
    "compare": lambda texts: ["compare", "--data", str(texts), "--resamples", "100"],
    # Loads next to nothing and prints the folder's name: a tenth of the time of the others, through the same way out.
    "cache": lambda _: ["cache"],
}


ONE_AFTER_ANOTHER = """
import json, os, sys
from mtsig.cli import main
from mtsig.cli import _output
_output.DELAY = 0  # a bar from the first moment on
for arguments in json.loads(sys.argv[1]):
    if arguments[0].startswith("NO_COLOR="):
        os.environ["NO_COLOR"] = arguments.pop(0).partition("=")[2]
    code = main(arguments)
    print(f"\\n{'=' * 9}{code}", file=sys.stderr)
"""


FORKED = """
import contextlib, io, json, os, runpy, sys
from mtsig.cli import main
ready, *cases = json.loads(sys.argv[1])
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    for arguments in ready:
        assert main(arguments) == 0

def stream(descriptor, mode, **how):  # as the interpreter itself opens them
    try:
        return open(descriptor, mode, closefd=False, **how)
    except OSError:
        return None

for arguments, streams in cases:
    if child := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    for descriptor, place in enumerate(streams):
        if place is None:
            os.close(descriptor)
        else:
            opened = os.open(place, os.O_WRONLY | os.O_CREAT if descriptor else os.O_RDONLY)
            os.dup2(opened, descriptor)
            os.close(opened)
    sys.stdin = sys.__stdin__ = stream(0, "r")
    sys.stdout = sys.__stdout__ = stream(1, "w")
    sys.stderr = sys.__stderr__ = stream(2, "w", errors="backslashreplace", buffering=1)
    sys.argv = ["mtsig", *arguments]
    runpy.run_module("mtsig", run_name="__main__")
    raise AssertionError("the command leaves by its exit code")
"""
"""A Python that has loaded what the verbs need, and a copy of it for every case: from the fork on it is the program."""


@dataclass(frozen=True)
class Ended:
    """What became of a command."""

    code: int
    out: bytes
    told: bytes


CLOSED, FULL = None, "/dev/full"
FEW: dict[str, tuple[str, tuple[str | None, str | None, str | None]]] = {
    "json": ("json", ("", "", "")),
    "read <&- >&- 2>&-": ("read", (CLOSED, CLOSED, CLOSED)),
    "read >/dev/full 2>/dev/full": ("read", ("", FULL, FULL)),
    "csv >/dev/full": ("csv", ("", FULL, "")),
    "csv >&-": ("csv", ("", CLOSED, "")),
    "save >&- 2>&-": ("save", ("", CLOSED, CLOSED)),
}
"""Commands that load much, each with its three streams: closed, full, or to a file where none is named."""


@pytest.fixture(scope="module")
def ended(texts: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Ended]:
    """Run the commands of FEW in one process; the study of the last one is study.json in its folder."""
    folder = tmp_path_factory.mktemp("ended")
    asked = {
        "json": [*VERBS["score"](texts), "--format", "json"],
        "csv": [*VERBS["score"](texts), "--format", "csv"],
        "read": VERBS["read"](texts),
        "save": [*VERBS["compare"](texts), "--out", str(texts.with_name("study.json"))],
    }
    cases = []
    for at, (verb, streams) in enumerate(FEW.values()):
        given = [place if place != "" else str(folder / f"{at}-{n}") for n, place in enumerate(streams)]
        (folder / f"{at}-0").touch()
        cases.append((asked[verb], given))
    loading = [VERBS["read"](texts), VERBS["compare"](texts)]
    done = subprocess.run(
        [sys.executable, "-c", FORKED, json.dumps([loading, *cases])],
        capture_output=True,
        env=environment(),
        check=True,
    )

    def written(name: str) -> bytes:
        return (folder / name).read_bytes() if (folder / name).exists() else b""

    codes = done.stdout.split()
    return {
        name: Ended(int(code), written(f"{at}-1"), written(f"{at}-2"))
        for at, (name, code) in enumerate(zip(FEW, codes, strict=True))
    }


def on_a_terminal(*commands: list[str]) -> list[tuple[int, str]]:
    """Run commands one after the other on a terminal; return each one's exit code and all that reached the terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", ONE_AFTER_ANOTHER, json.dumps(commands)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment(TERM="xterm"),
        cwd="/",
    )
    os.close(theirs)
    written = b""
    while select.select([ours], [], [], 60)[0]:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not piece:
            break
        written += piece
    os.close(ours)
    assert process.wait(180) == 0
    texts = re.split(f"\r\n{'=' * 9}(.*)\r\n", written.decode("utf-8"))
    return list(zip(map(int, texts[1::2]), texts[::2], strict=False))


OWN = re.compile(r"\x1b\[[\d;?]*[mKAhl]|\r\n|\r|\n")
"""What rich itself sends: colours, and the bar that is drawn over and taken away."""


ASKED = [("read", "table"), ("check", "table"), ("compare", "table"), ("compare", "json"), ("score", "csv")]
WRONG: list[Callable[[Path], list[str]]] = [
    lambda texts: ["score", "--data", f"{texts}/\x1b[2J"],
    lambda _: ["score", "--no\x1b[2J"],
    lambda _: ["\x1b[2J\u202e"],
    lambda texts: ["audit", "--data", str(texts), "--pair", "\x9b", "x"],
]


@pytest.fixture(scope="module")
def shown(texts: Path) -> list[tuple[int, str]]:
    """Exit codes and words of ASKED, then of WRONG, then of a comparison that is quiet and without colours."""
    asked = [[*VERBS[verb](texts), "--format", style] for verb, style in ASKED]
    plain = [["NO_COLOR=1", *VERBS["compare"](texts)], [*VERBS["compare"](texts), "--quiet"]]
    return on_a_terminal(*asked, *(arguments(texts) for arguments in WRONG), *plain)


def test_bars_and_colours_are_for_terminals_that_want_them(shown: list[tuple[int, str]]) -> None:
    (_, usual), (code, plain), (_, quiet) = shown[ASKED.index(("compare", "table"))], *shown[-2:]
    assert code == 0
    assert "\x1b[1m" in usual  # heads of tables
    for text, has_bar in ((usual, True), (plain, True), (quiet, False)):
        assert ("Counting BLEU …" in text) is has_bar
        assert ("note: " in text) is has_bar
        assert "better" in text or "not significant" in text
    assert not re.search(r"\x1b\[[\d;]*m", re.sub(r"\x1b\[\d*(;\d+)*[AKhl]|\x1b\[\?25[hl]|\x1b\[2K", "", plain))
    # The finding comes first; in 80 columns the verdict is on the first table.
    lead, first, *_ = re.split(r"\n\s*\n", OWN.sub("\n", usual.rpartition("\x1b[?25h")[2]).strip())
    assert "the highest BLEU" in lead
    assert "verdict" in first.splitlines()[0]
    assert "\x1b" not in quiet.replace("\x1b[1m", "").replace("\x1b[0m", "")


def test_no_name_reaches_the_terminal_raw(shown: list[tuple[int, str]]) -> None:
    for (_, style), (code, written) in zip(ASKED, shown[: len(ASKED)], strict=True):
        assert code == 0, written
        left = OWN.sub("", written).replace("\t", "")
        assert not [character for character in left if acts(character)]
        assert "\x1b[2J" not in written
        assert "\x1b[H" not in written
        assert "syst" in written
        if style == "table":
            assert r"a\x1b[2J" in re.sub(r"\s", "", left)


def test_what_is_wrong_is_told_without_acting(shown: list[tuple[int, str]]) -> None:
    told = shown[len(ASKED) : -2]
    assert len(told) == len(WRONG)
    for code, written in told:
        assert code == 2
        assert not [character for character in OWN.sub("", written) if acts(character)]
        assert re.sub(r".*[\r\n](?=.)", "", OWN.sub("\n", written).rstrip("\n"), flags=re.DOTALL).startswith("mtsig: ")


def test_a_pipe_gets_data_as_they_are(texts: Path, ended: dict[str, Ended]) -> None:
    plain = ended["json"]
    assert plain.code == 0, plain.told
    names = {name.replace("/", "∕") for name in HOSTILE.values()} | {r"syst\xe8me"}
    assert set(flat(json.loads(plain.out))["data"]["systems"]) == names
    score = VERBS["score"](texts)
    asked = json.dumps([[*score, "--format", "json"], score, ["score", "--help"]])
    done = subprocess.run(
        [sys.executable, "-c", ONE_AFTER_ANOTHER, asked],
        capture_output=True, check=True, env=environment(PYTHONIOENCODING="ascii"),
    )  # fmt: skip
    assert re.findall(rb"\n=========(.*)", done.stderr) == [b"0", b"0", b"0"], done.stderr
    assert b"Traceback" not in done.stderr
    found, end = json.JSONDecoder().raw_decode(done.stdout.decode("ascii"))
    assert found == json.loads(plain.out)
    assert "usage: mtsig score" in done.stdout[end:].decode("ascii")


def test_one_pipe_for_all_has_output_and_notes_in_the_order_of_a_terminal() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mtsig", "read", "--data", str(ROOT / "sample_data" / "es-en")],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True, env=environment(PYTHONUNBUFFERED=""),
    )  # fmt: skip
    assert 0 < done.stdout.index("sha256:") < done.stdout.index("note: ")


ENCODINGS: dict[str, dict[str, str]] = {
    "C": {"LC_ALL": "C"},
    "C without UTF-8": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "ascii:strict": {"PYTHONIOENCODING": "ascii:strict"},
    "latin-1": {"PYTHONIOENCODING": "latin-1"},
    "utf-16": {"PYTHONIOENCODING": "utf-16"},
}
STREAMS = {
    ">&-": 2, ">/dev/full": 2, "2>&-": 0, "2>/dev/full": 0, "<&-": 0, ">&- 2>&-": 2, ">/dev/full 2>/dev/full": 2,
    "<&- >&- 2>&-": 2, "| :": 0,
}  # fmt: skip


@pytest.mark.parametrize(
    ("verb", "streams"),
    [*(("cache", streams) for streams in STREAMS), *(tuple(name.split(" ", 1)) for name in FEW if name[0] in "rc"),
     ("help", ">&-"), ("help", ">/dev/full")],
)  # fmt: skip
def test_streams_that_are_closed_or_full_are_told_by_the_exit_code(
    verb: str, streams: str, texts: Path, request: pytest.FixtureRequest
) -> None:
    if (name := f"{verb} {streams}") in FEW:
        found: Ended = request.getfixturevalue("ended")[name]
    else:
        arguments = ["--help"] if verb == "help" else VERBS[verb](texts)
        shell = ["bash", "-o", "pipefail", "-c", f'"$@" {streams}', "bash"]
        done = subprocess.run([*shell, *command(*arguments)], capture_output=True, check=False, env=environment())
        found = Ended(done.returncode, done.stdout, done.stderr)
    # argparse itself says nothing of help that could not be printed.
    codes = {0, 2} if verb == "help" else {STREAMS[streams]}
    assert found.code in codes, found.told
    assert b"Traceback" not in found.told
    assert b"Exception" not in found.told
    if STREAMS[streams] == 2 and "2>" not in streams and verb != "help":
        assert not lacking(found.told.decode().splitlines()[-1], "mtsig: ", "cannot be written")


def test_a_study_is_saved_whole_where_streams_are_closed(texts: Path, ended: dict[str, Ended]) -> None:
    assert ended["save >&- 2>&-"].code == 2
    saved = texts.with_name("study.json")
    assert set(flat(json.loads(saved.read_bytes()))["data"]["systems"]) > {r"syst\xe8me"}


def test_what_others_write_to_a_closed_stream_gets_into_no_file(tmp_path: Path) -> None:
    # Libraries in C, and programs that are started, write to the descriptor whatever Python holds for its stream.
    written = tmp_path / "written"
    opens = (
        "import os, sys; from mtsig.cli._output import prepare; prepare(); file = open(sys.argv[1], 'w');"
        "file.write('own'); file.flush(); [os.write(descriptor, b'foreign') for descriptor in (1, 2)]"
    )
    shell = ["bash", "-c", '"$@" <&- >&- 2>&-', "bash"]
    done = subprocess.run([*shell, sys.executable, "-c", opens, str(written)], check=False, env=environment())
    assert done.returncode == 0
    assert written.read_text() == "own"


@pytest.mark.slow
def test_a_study_of_such_names_is_saved_and_reported_under_such_names(texts: Path, tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path)
    study, pages = folder + b"/st\xfcdy\x1b[2J.json", folder + b"/p\xe4ges"
    asked = [
        [*VERBS["compare"](texts), "--out", study],
        ["report", study, "--data", str(texts), "--out", pages, "--to", "html", "latex", "csv"],
        ["report", folder + b"/n\xf6.json"],
    ]
    # As Python itself reads arguments where the locale knows ASCII alone.
    words = [[os.fsencode(word).decode("ascii", "surrogateescape") for word in arguments] for arguments in asked]
    done = subprocess.run(
        [sys.executable, "-c", ONE_AFTER_ANOTHER, json.dumps(words)],
        check=True, capture_output=True, env=environment(**ENCODINGS["C without UTF-8"]),
    )  # fmt: skip
    assert re.findall(rb"\n=========(.*)", done.stderr) == [b"0", b"0", b"2"], done.stderr
    assert b"Traceback" not in done.stderr
    assert b"\x1b" not in done.stdout + done.stderr
    assert done.stdout.isascii()
    assert {b"report.html", b"tables.tex", b"scores.csv"} <= set(os.listdir(pages))  # noqa: PTH208


# --- no home ---------------------------------------------------------------------------------------------------------


def test_without_a_home_everything_but_keeping_works(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], texts: Path
) -> None:
    def none() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", none)
    monkeypatch.setattr(Path, "expanduser", lambda _: none())
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("HOME", "MTSIG_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert users_folder() is None
    assert main(["cache"]) == 0
    assert "no home folder" in capsys.readouterr().out
    assert main(["score", "--data", str(texts)]) == 0
    assert main(["score", "--data", str(texts), "--metric", "meteor:synonyms=true"]) in {0, 2}
    monkeypatch.setenv("MTSIG_CACHE", "~nobody-of-that-name/cache")
    with pytest.raises(InvalidOption, match="a user who has no home folder here"):
        users_folder()


# --- interrupts ------------------------------------------------------------------------------------------------------

INTERRUPTED = """
import os, runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
left = {modules!r}
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name in left:
            left.remove(name)
            sys.stdout.flush()
            for what in {whats!r}:
                if not (child := os.fork()):
                    left.clear()
                    exec(what)
                    return
                ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
                os.write(2, f"=== {{name}} {{ended}}\\n".encode())
            if not left:
                os._exit(0)
sys.meta_path.insert(0, Interrupting())
sys.argv = ["mtsig", *{arguments!r}]
runpy.run_module({program!r}, run_name="__main__", alter_sys=False)
"""
"""The command, and copies of it to which something happens at each module, when it is about to be loaded."""


@pytest.mark.parametrize(
    ("program", "modules"),
    [
        ("mtsig", ["mtsig.cli", "mtsig.cli._verbs", "mtsig.cli._output", "mtsig.cli._compare", "numpy", "sacrebleu"]),
        *slow(("mtsig_dashboard", ["mtsig_dashboard.launch", "mtsig.cli._dashboard", "streamlit.web.cli"])),
    ],
)  # fmt: skip
def test_an_interrupt_while_things_are_loaded_is_one_word_and_code_130(
    program: str, modules: list[str], texts: Path
) -> None:
    arguments = VERBS["score"](texts) if program == "mtsig" else ["--server.headless=true", "--server.port=1"]
    told = ends(program, modules, arguments, "signal.raise_signal(signal.SIGINT)")
    assert sorted(told) == [(name, 130, "mtsig: stopped") for name in sorted(modules)]


def ends(program: str, modules: list[str], arguments: list[str], *whats: str) -> list[tuple[str, int, str]]:
    """Return the exit codes and words of a command to which these things happen when a module is about to be loaded."""
    code = INTERRUPTED.format(modules=modules, arguments=arguments, program=program, whats=whats)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment(), timeout=180
    )
    parts = re.split(r"^=== (\S+) (-?\d+)\n", done.stderr, flags=re.MULTILINE)
    return [(name, int(code), said.strip()) for said, name, code in zip(*(parts[i::3] for i in range(3)), strict=False)]


FAILURES = (
    "raise OSError(24, 'Too many open files')", "raise SystemExit(1)", "raise ImportError(name)", "raise RuntimeError",
)  # fmt: skip


@pytest.mark.parametrize("whole", [False, *slow(True)])
@pytest.mark.parametrize(
    ("program", "modules"),
    [
        ("mtsig", ["lazy_loader", "mtsig.cli", "mtsig.cli._verbs", "numpy", "mtsig.gate._judge", "sacrebleu"]),
        *slow(
            ("mtsig_dashboard", ["lazy_loader", "mtsig_dashboard.launch", "mtsig.cli._dashboard", "streamlit.web.cli"])
        ),
    ],
)  # fmt: skip
def test_what_fails_while_things_are_loaded_is_no_regression(
    program: str, modules: list[str], whole: bool, texts: Path
) -> None:
    failures = FAILURES if whole else FAILURES[:2]
    quick = ["--server.headless=true", "--server.port=1"]
    gate = ["gate", *VERBS["score"](texts)[1:], "--baseline", "A", "--candidate", "B"]
    told = ends(program, modules, gate if program == "mtsig" else quick, *failures)
    came = [name for name, *_ in told]
    assert [came.count(name) for name in modules[:4]] == [len(failures)] * 4, told
    assert {code for _, code, _ in told} <= {2, 70}, told


# --- what is told on the side ----------------------------------------------------------------------------------------


def test_a_warning_is_a_line_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], texts: Path, kept: Kept
) -> None:
    def warn(*_: object) -> int:
        warnings.warn("It was\x1b emptied.", CacheWarning, stacklevel=1)
        return 0

    monkeypatch.setattr("mtsig.cli._verbs.run_cache", warn)
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        assert main(["cache"]) == 0
    told = capsys.readouterr().err
    kept("cache", told)


def test_where_nobody_can_be_told_the_work_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(Stream):
        def write(self, text: str) -> None:
            raise OSError(28, f"No space left for {text}")

        def fileno(self) -> int:
            raise OSError

    monkeypatch.setattr(sys, "stderr", Full("utf-8"))
    tell("nobody hears this")


# Tables in consoles narrower than they are: no number and no head is cut, and every row keeps its name.

METRICS = ("a metric with a name", "another")
HEADS = ("difference of metrics", "low end of the interval", "right of separated pairs")
TABLE = Table.of(
    "",
    (Column("metric"), METRICS),
    *((Column(head, "difference", 4), (0.1234 + place, -7.25 - place)) for place, head in enumerate(HEADS)),
)
NUMBERS = ["+0.1234", "+1.1234", "+2.1234", "−7.2500", "−8.2500", "−9.2500"]


def printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: int) -> list[str]:
    monkeypatch.setattr(terminal, "_PIPED", columns)
    terminal.print_tables([TABLE])
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(("columns", "sheets"), [(200, 1), (60, 1), (42, 1), (24, 3)])
def test_no_number_and_no_head_is_cut(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: int, sheets: int
) -> None:
    lines = printed(monkeypatch, capsys, columns)
    words = " ".join(lines).split()
    assert max(map(len, lines)) <= columns
    assert sorted(word for word in words if word in NUMBERS) == NUMBERS
    assert all(word in words for head in HEADS for word in head.split())
    # What names the rows stands on every sheet.
    assert words.count("another") == sheets
    assert "…" not in "".join(words)


def test_heads_stay_on_one_line_where_there_is_room(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert all(head in printed(monkeypatch, capsys, 100)[0] for head in HEADS)
