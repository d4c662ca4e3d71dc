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
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import DASHBOARD, ROOT

from mtsig.cache import CacheWarning, users_folder
from mtsig.cli import main
from mtsig.cli.say import say_json, tell
from mtsig.escaping import visible
from mtsig.readers.names import as_text

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
    "read": lambda texts: ["read", str(texts)],
    "check": lambda texts: ["check", "--data", str(texts)],
    "score": lambda texts: ["score", "--data", str(texts), "--draws", "100"],
    "compare": lambda texts: ["compare", "--data", str(texts), "--draws", "100"],
    # Loads next to nothing and prints the folder's name: a tenth of the time of the others, through the same way out.
    "cache": lambda _: ["cache"],
}


ONE_AFTER_ANOTHER = """
import json, sys
from mtsig.cli import main
for arguments in json.loads(sys.argv[1]):
    try:
        code = main(arguments)
    except SystemExit as end:  # argparse leaves so
        code = end.code
    print(f"\\n{'=' * 9}{code}", file=sys.stderr)
"""


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
    assert process.wait(60) == 0
    texts = re.split(f"\r\n{'=' * 9}(.*)\r\n", written.decode("utf-8"))
    return list(zip(map(int, texts[1::2]), texts[::2], strict=False))


OWN = re.compile(r"\x1b\[[\d;?]*[mKAhl]|\r\n|\r|\n")
"""What rich itself sends: colours, and the bar that is drawn over and taken away."""


def test_no_name_reaches_the_terminal_raw(texts: Path) -> None:
    asked = [("read", "table"), ("check", "table"), ("compare", "table"), ("compare", "json"), ("score", "csv")]
    shown = on_a_terminal(*([*VERBS[verb](texts), "--format", style] for verb, style in asked))
    for (_, style), (code, written) in zip(asked, shown, strict=True):
        assert code == 0, written
        left = OWN.sub("", written).replace("\t", "")
        assert not [character for character in left if acts(character)]
        assert "\x1b[2J" not in written
        assert "\x1b[H" not in written
        assert "syst" in written
        if style == "table":
            assert r"a\x1b[2J" in re.sub(r"\s", "", left)


def test_what_is_wrong_is_told_without_acting(texts: Path) -> None:
    wrong = [
        ["score", "--data", f"{texts}/\x1b[2J"], ["score", "--no\x1b[2J"], ["\x1b[2J\u202e"],
        ["audit", "--data", str(texts), "--pair", "\x9b", "x"],
    ]  # fmt: skip
    shown = on_a_terminal(*wrong)
    assert len(shown) == len(wrong)
    for code, written in shown:
        assert code == 2
        assert not [character for character in OWN.sub("", written) if acts(character)]
        assert re.sub(r".*[\r\n](?=.)", "", OWN.sub("\n", written).rstrip("\n"), flags=re.DOTALL).startswith("mtsig: ")


def test_a_pipe_gets_data_as_they_are(texts: Path) -> None:
    asked = command(*VERBS["score"](texts), "--format", "json")
    done = subprocess.run(asked, capture_output=True, check=True, env=environment())
    names = {name.replace("/", "∕") for name in HOSTILE.values()} | {r"syst\xe8me"}
    assert set(json.loads(done.stdout)["data"]["systems"]) == names
    ascii_only = subprocess.run(asked, capture_output=True, check=True, env=environment(PYTHONIOENCODING="ascii"))
    assert ascii_only.stdout.isascii()
    assert json.loads(ascii_only.stdout) == json.loads(done.stdout)


ENCODINGS: dict[str, dict[str, str]] = {
    "C": {"LC_ALL": "C"},
    "C without UTF-8": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "ascii:strict": {"PYTHONIOENCODING": "ascii:strict"},
    "latin-1": {"PYTHONIOENCODING": "latin-1"},
    "utf-16": {"PYTHONIOENCODING": "utf-16"},
}


@pytest.mark.parametrize(
    ("verb", "encoding"),
    [*(("cache", encoding) for encoding in ENCODINGS), ("read", "C without UTF-8"), ("read", "utf-16"),
     ("score", "ascii"), ("help", "ascii")],
)  # fmt: skip
def test_no_encoding_is_too_small(verb: str, encoding: str, texts: Path) -> None:
    arguments = ["compare", "--help"] if verb == "help" else VERBS[verb](texts)
    named = os.fsdecode(os.fsencode(texts.parent) + b"/kept \x1b[2J\xe8 \xe7\xb3\xbb")
    env = environment(MTSIG_CACHE=named, **ENCODINGS[encoding])
    done = subprocess.run(command(*arguments), capture_output=True, check=False, env=env)
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False), done.stderr
    assert done.stdout


STREAMS = {
    ">&-": 2, ">/dev/full": 2, "2>&-": 0, "2>/dev/full": 0, "<&-": 0, ">&- 2>&-": 2, ">/dev/full 2>/dev/full": 2,
    "<&- >&- 2>&-": 2, "| :": 0,
}  # fmt: skip


@pytest.mark.parametrize(
    ("verb", "streams"),
    [*(("cache", streams) for streams in STREAMS), ("read", "<&- >&- 2>&-"), ("read", ">/dev/full 2>/dev/full"),
     ("csv", ">/dev/full"), ("csv", ">&-"), ("help", ">&-"), ("help", ">/dev/full")],
)  # fmt: skip
def test_streams_that_are_closed_or_full_are_told_by_the_exit_code(verb: str, streams: str, texts: Path) -> None:
    arguments = {"help": ["--help"], "csv": [*VERBS["score"](texts), "--format", "csv"]}.get(verb) or VERBS[verb](texts)
    shell = ["bash", "-o", "pipefail", "-c", f'"$@" {streams}', "bash"]
    done = subprocess.run([*shell, *command(*arguments)], capture_output=True, check=False, env=environment())
    # argparse itself says nothing of help that could not be printed.
    codes = {0, 2} if verb == "help" else {STREAMS[streams]}
    assert done.returncode in codes, done.stderr
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr
    if STREAMS[streams] == 2 and "2>" not in streams and verb != "help":
        assert done.stderr.decode().splitlines()[-1].startswith("mtsig: The output cannot be written (")


def test_no_file_takes_the_place_of_a_closed_stream(texts: Path, tmp_path: Path) -> None:
    saved = tmp_path / "study.json"
    shell = ["bash", "-c", '"$@" >&- 2>&-', "bash"]
    done = subprocess.run(
        [*shell, *command(*VERBS["compare"](texts), "--save", saved)], check=False, env=environment()
    )  # fmt: skip
    assert done.returncode == 2
    assert set(json.loads(saved.read_bytes())["data"]["systems"]) > {r"syst\xe8me"}


def test_a_study_of_such_names_is_saved_and_reported_under_such_names(texts: Path, tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path)
    study, pages = folder + b"/st\xfcdy\x1b[2J.json", folder + b"/p\xe4ges"
    asked = [
        [*VERBS["compare"](texts), "--save", study],
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
    assert capsys.readouterr().out == "Nothing is kept: there is no home folder.\n"
    assert main(["score", "--data", str(texts)]) == 0
    assert main(["score", "--data", str(texts), "--metric", "meteor:synonyms=true"]) in {0, 2}
    monkeypatch.setenv("MTSIG_CACHE", "~nobody-of-that-name/cache")
    assert users_folder() is None


# --- interrupts ------------------------------------------------------------------------------------------------------

INTERRUPTED = """
import runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
sys.argv = ["mtsig", *{arguments!r}]
runpy.run_module({program!r}, run_name="__main__", alter_sys=False)
"""


@pytest.mark.parametrize(
    ("program", "module"),
    [("mtsig", name) for name in ("mtsig.cli", "mtsig.cli.verbs", "mtsig.cli.say", "mtsig.cli.score", "numpy",
                                  "sacrebleu", "rich.console")]
    + [("mtsig_dashboard", name) for name in ("mtsig_dashboard.launch", "mtsig.cli.serving", "streamlit.web.cli")],
)  # fmt: skip
def test_an_interrupt_while_things_are_loaded_is_one_word_and_code_130(program: str, module: str, texts: Path) -> None:
    arguments = VERBS["score"](texts) if program == "mtsig" else ["--server.headless=true", "--server.port=1"]
    code = INTERRUPTED.format(module=module, arguments=arguments, program=program)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment(), timeout=60
    )
    assert (done.returncode, done.stderr.strip().splitlines()[-1:]) == (130, ["mtsig: stopped"]), done.stderr
    assert "Traceback" not in done.stderr


# --- what is told on the side ----------------------------------------------------------------------------------------


def test_a_warning_is_a_line_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], texts: Path
) -> None:
    def warn(*_: object) -> int:
        warnings.warn("It was\x1b emptied.", CacheWarning, stacklevel=1)
        return 0

    monkeypatch.setattr("mtsig.cli.cache.run", warn)
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        assert main(["cache"]) == 0
    told = capsys.readouterr().err
    assert "warning: It was\\x1b emptied.\n" in told


def test_where_nobody_can_be_told_the_work_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(Stream):
        def write(self, text: str) -> None:
            raise OSError(28, f"No space left for {text}")

        def fileno(self) -> int:
            raise OSError

    monkeypatch.setattr(sys, "stderr", Full("utf-8"))
    tell("nobody hears this")
