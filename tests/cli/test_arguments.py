"""Mistyped words are answered with the nearest; shells complete; tables come as Markdown."""

import contextlib
import json
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from made import ROOT, flat, made_corpus

from mtsig.cli import main
from mtsig.cli._arguments import Parser, add_options
from mtsig.cli._verbs import VERBS, _describe, parser_of
from mtsig.corpus._slices import SLICINGS
from mtsig.metrics import METRICS

SAMPLE = ["--data", str(ROOT / "sample_data/es-en")]
FILES = [str(ROOT / f"sample_data/es-en/systems/{name}.txt") for name in ("direct", "direct-us")]
REFERENCE = str(ROOT / "sample_data/es-en/refs/ref.txt")
MISTYPED = [
    (["scor", "--data", "x"], "Did you mean 'score'?"),
    (["Compare"], "Did you mean 'compare'?"),
    (["score", "--meric", "bleu"], "unknown argument: --meric bleu. Did you mean '--metric'? Try: mtsig score --help"),
    (["score", "--formt=json"], "Did you mean '--format'?"),
    (["score", "--format", "markdwn"], "Did you mean 'markdown'?"),
    (["compare", "--alpha", "0.01"], "Did you mean '--level', which is 1 − alpha?"),
    (["compare", "--random-state=1"], "Did you mean '--seed'?"),
    (["compare", "--segment"], "Did you mean '--unit segment'?"),
    (["compare", *SAMPLE, "--correction", "fdr_bh"], "found 'fdr_bh'. Did you mean 'bh'?"),
    (["compare", *SAMPLE, "--test", "bootstrap"], "Did you mean 'bootstrap-shift' or 'bootstrap-koehn' or"),
    (["metrics", "comet"], "mtsig does not compute comet. Compute it elsewhere, one score per segment and system"),
    (["compare", "-m", "bleu"], "unknown argument: -m bleu. Did you mean '--metric'?"),
    (["compare", "--n-boot=100"], "Did you mean '--resamples'?"),
    (["compare", "--paired-bs"], "Did you mean '--method sacrebleu'?"),
    (["experiment", "drawz"], "Did you mean 'draws'?"),
    (["experiment", "draws", "--wokers", "2"], "Did you mean '--workers'?"),
    (["dashboard", "--dta", "x"], "Did you mean '--data'?"),
    (["report", "s.json", str(ROOT)], f"unknown argument: {ROOT}. To use data, write --data {ROOT}. Try: mtsig report"),
    (["compare", str(ROOT), "-m", "bleu"], "unknown argument: -m bleu. Did you mean '--metric'?"),
    (["compare", "--metrics", str(ROOT)], "Did you mean '--metric'?"),
    (["compare", FILES[0], "--ref", FILES[1]], f"To use files, write --sys {FILES[0]}."),
    (["compare", *FILES], f"To use files, write --ref REFERENCE --sys {' '.join(FILES)}."),
    (["compare", "--ref", FILES[0], "-q", *FILES], f"To use files, write --sys {' '.join(FILES)}."),
    (["compare", REFERENCE, *FILES], f"To use files, write --ref {REFERENCE} --sys {' '.join(FILES)}."),
    (["compare", "bleu", "chrf"], "To use metrics, write --metric bleu chrf."),
    (["compare", "--systems", FILES[0]], "--systems only selects systems by name; use --sys to give their files."),
    (["compare", *SAMPLE, "--metric", "bleu,chrf"], "Did you mean several, bleu chrf on the command line, or ['bleu',"),
    (["compare", *SAMPLE, "--systems", "direct,direct-us"], "Did you mean several, direct direct-us on the command"),
    (["compare", *SAMPLE, "--baseline", "dirct"], "Did you mean 'direct'?"),
    (["check", *SAMPLE, "--only", "shifts,empty"], "Did you mean several, shifts empty on the command line"),
    (["compare", *SAMPLE, "--metric", "Unbabel/wmt22-comet-da"], "--ratings wmt22-comet-da=scores.tsv --metric wmt22-"),
    (["compare", *SAMPLE, "--metric", "bleurt"], "mtsig does not compute bleurt. Compute it elsewhere, one score per"),
    (["read", "--set", "x"], "Did you mean '--data FOLDER --lp NAME'?"),
    (["compare", "--set", "nowhere"], "mtsig: nowhere: there is no such file or folder."),
    (["help", "comapre"], "Did you mean 'compare'?"),
]


@pytest.mark.parametrize(("arguments", "said"), MISTYPED, ids=[" ".join(one) for one, _ in MISTYPED])
def test_what_was_meant_is_asked(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(arguments)
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


@pytest.mark.parametrize(
    ("asked", "shown"),
    [([], ["--help"]), (["help"], ["--help"]), (["help", "compare"], ["compare", "--help"])],
)
def test_bare_and_help_show_the_help(asked: list[str], shown: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(asked) == main(shown) == 0
    out, err = capsys.readouterr()
    assert (out[: len(out) // 2], err) == (out[len(out) // 2 :], "")


def test_what_is_like_nothing_is_asked_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["qqq"], ["score", "--qqq"]):
        assert main(arguments) == 2
        assert "Did you mean" not in capsys.readouterr().err


# --- completion ------------------------------------------------------------------------------------------------------


def completed(script: Path, line: str, cwd: Path) -> set[str]:
    """Return what bash offers when Tab is pressed at the end of a line."""
    words = line.split(" ")
    asked = f"""
        source {script}
        COMP_WORDS=({" ".join(f"'{word}'" for word in words)})
        COMP_CWORD={len(words) - 1}
        COMP_LINE='{line}'
        COMP_POINT={len(line)}
        _shtab_mtsig mtsig '{words[-1]}' '{words[-2]}'
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    shell = subprocess.run(["bash", "-c", asked], check=True, capture_output=True, text=True, cwd=cwd)
    return {word.strip() for word in shell.stdout.splitlines()} - {""}


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("completion") / "mtsig.bash"
    with path.open("w", encoding="utf-8") as file, contextlib.redirect_stdout(file):
        assert main(["completion", "bash"]) == 0
    return path


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash_completes_verbs_flags_choices_and_files(script: Path, tmp_path: Path) -> None:
    (tmp_path / "ours.txt").write_text("x\n", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    assert completed(script, "mtsig ", tmp_path) >= set(VERBS)
    assert completed(script, "mtsig co", tmp_path) == {"count", "compare", "completion"}
    assert completed(script, "mtsig compare --stat", tmp_path) == {"--statement"}
    for typed, offered in {
        "compare --metric sent": {name for name in METRICS if name.startswith("sent")},
        "score --format ": {"table", "markdown", "json", "csv"},
        "compare --correction h": {"holm"},
        "score --sys ": {"ours.txt"},
        "size-curve --re": {"--repeats"},
        "experiment draws --sim": {"--simulated"},
    }.items():
        found = completed(script, f"mtsig {typed}", tmp_path)
        assert found >= offered
        assert found == offered or "sent" not in typed
    assert "folder" in {name.rstrip("/") for name in completed(script, f"mtsig {'lessons --out '}", tmp_path)}


@pytest.mark.parametrize("shell", ["zsh", "tcsh"])
def test_other_shells_have_their_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    out = capsys.readouterr().out
    assert all(verb in out for verb in VERBS)
    if shutil.which(shell) is not None:
        subprocess.run([shell, "-n"], input=out, check=True, text=True)


def test_completing_changes_no_parser_that_runs() -> None:
    described = parser_of(["score"])
    _describe(described)
    assert parser_of(["score"]).parse_args(["score", "--metric", "bleu:tokenize=zh"]).metric == ["bleu:tokenize=zh"]


# --- Markdown --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = made_corpus(n=40, systems=2, documents=0)
    place = tmp_path_factory.mktemp("markdown")
    names = dict(zip(made.systems, ("a|b ![x](http:__evil)", "c"), strict=True))
    texts = {f"systems/{new}.txt": made.lines(old) for old, new in names.items()}
    texts |= {f"refs/{name}.txt": lines for name, lines in made.references.items()}
    for name, lines in texts.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return place


@pytest.mark.parametrize("verb", ["score", "compare", "audit", "size-curve", "power", "segments", "check", "read"])
def test_tables_come_as_markdown(verb: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = {"size-curve": ["--shares", "1"], "power": ["--difference", "1"]}.get(verb, [])
    assert main([verb, "--data", str(folder), *more, "--format", "markdown"]) == 0
    out = capsys.readouterr().out
    lines = out.splitlines()
    rules = [number for number, line in enumerate(lines) if line.startswith("|--")]
    assert rules
    for number in rules:
        columns = lines[number].count("|") - 1
        rows = lines[number - 1 : next((at for at in range(number, len(lines)) if not lines[at]), len(lines))]
        for row in rows:
            assert row.replace(r"\|", "").count("|") - 1 == columns, row
    assert "![x](" not in out
    assert out.endswith("\n")
    assert not out.endswith("\n\n")


def test_markdown_has_the_sentences_over_several_sets(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("x", "y"):
        shutil.copytree(folder, tmp_path / name)
    sets = ["compare", "--set", str(tmp_path), "--metric", "chrf", "--resamples", "50", "--format"]
    assert main([*sets, "table"]) == 0
    said = capsys.readouterr().out.strip().splitlines()[-1]
    assert main([*sets, "markdown"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("- ")
    plain = "".join(sign for sign in last[2:] if sign.isalnum())
    assert plain == "".join(sign for sign in said if sign.isalnum())


def test_segments_are_written_as_markdown(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["segments", "--data", str(folder), "--metric", "chrf", "--format", "markdown"]
    assert main(asked) == 0
    printed = capsys.readouterr().out
    assert main([*asked, "--out", str(tmp_path / "segments.md")]) == 0
    assert (tmp_path / "segments.md").read_text(encoding="utf-8") == printed == capsys.readouterr().out


def test_the_help_names_every_way_to_slice() -> None:
    # Written there by hand: a start of the program does not wait for what slices.
    parser = Parser()
    add_options(parser, ["subset"])
    said = parser.long_help()
    assert all(f"{by}=" in said for by in SLICINGS)


# A verb with several ways of working refuses what the way that was chosen does not use: nothing is ignored.


def write(place: Path, seed: int) -> None:
    made = made_corpus(n=40, systems=2, documents=0, seed=seed)
    texts = {f"systems/{name}.txt": made.lines(name) for name in made.systems}
    texts |= {f"refs/{name}.txt": lines for name, lines in made.references.items()}
    for name, lines in texts.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("modes")
    for seed, name in enumerate(("a", "b")):
        write(place / "sets" / name, seed + 1)
    one, many = ["--data", str(place / "sets/a")], ["--set", str(place / "sets")]
    for name, where in (("one", one), ("many", many)):
        assert main(["count", *where, "--metric", "chrf", "-o", str(place / f"{name}.parquet")]) == 0
        study = str(place / f"{name}.json")
        assert main(["compare", *where, "--metric", "chrf", "--resamples", "50", "--out", study]) == 0
    return place


ONE, MANY = ("--data", "sets/a"), ("--set", "sets")
PAIR = ("--baseline", "sys0", "--candidate", "sys1")

REFUSED: list[tuple[Sequence[str], str]] = [
    *(
        (("compare", "--counts", "many.parquet", *more), f"{more[0]} do not go together")
        for more in (
            ("--by", "length"), ("--plan", "x"),
            ("--skip-broken",), ("--called", "x=a:sys0"), ("--for", "a", "chrf"), ("--data", "sets/a"),
            ("--subset", "length=short"), ("--better", "x=higher"), ("--workers", "2"), ("--no-cache",),
        )
    ),
    (("compare", "--counts", "many.parquet", "--correct-jointly"), "metrics cannot be corrected jointly"),
    (("compare", "--counts", "many.parquet", "--statement", "all"), ("--statement combines metrics on one whole test "
                                                                     "set")),
    (("compare", "--counts", "one.parquet", "--weights", "segments"), "--weights needs --set"),
    (("compare", "--counts", "one.parquet", "--family", "joint"), "--family needs --set"),
    (("compare", "--counts", "one.parquet", "--workers", "2"), "--workers do not go together"),
    *(
        (("compare", *MANY, *more), f"--set and {more[0]} do not go together")
        for more in (
            ("--subset", "length=short"), ("--lp", "a-b"), ("--better", "x=higher"), ("--data", "sets/a"),
        )
    ),
    (("compare", *MANY, "--by", "length"), "Subsets of a test set cannot be combined with several test sets"),
    (("compare", *MANY, "--correct-jointly"), "metrics cannot be corrected jointly"),
    (("compare", *MANY, "--statement", "all"), "--statement combines metrics on one whole test set"),
    (("compare", *ONE, "--by", "length", "--statement", "all"), "--statement combines metrics on one whole test set"),
    (("compare", *ONE, "--sharing", "shared"), "--sharing needs --set"),
    (("count", *MANY, "--better", "x=higher", "-o", "x"), "--set and --better do not go together"),
    (("count", *MANY, "--subset", "length=short", "-o", "x"), "--set and --subset do not go together"),
    (("count", *ONE, "--skip-broken", "-o", "x"), "--skip-broken needs --set"),
    (("score", *MANY, "--better", "x=higher"), "--set and --better do not go together"),
    (("score", *ONE, "--called", "x=a:sys0"), "--called needs --set"),
    (("score", "--ref", "a", "--sys", "b", "--lp", "en-de"), "--lp concerns a language pair of --data"),
    (("score", "--ref", "a", "--sys", "b", "--better", "x=higher"), "--better concerns a rating in --data"),
    (("gate", *MANY, *PAIR, "--better", "x=higher"), "--set and --better do not go together"),
    (("gate", *MANY, *PAIR, "--plan", "many.toml", "--weights", "equal"), "The analysis plan fixes --weights"),
    (("gate", *ONE, *PAIR, "--plan", "many.toml"), "The analysis plan covers several test sets"),
    (("gate", *MANY, *PAIR, "--plan", "others.toml"), "fixes the test sets x and y"),
    (("gate", *ONE, *PAIR, "--skip-broken"), "--skip-broken needs --set"),
    (("gate", *ONE, *PAIR, "--rule", "lord"), "ledger"),
    *(
        (("report", "one.json", "--since", "one.json", *more), f"--since and {more[0]} do not go together")
        for more in (("--out", "x"), ("--to", "html"), ("--size-curve",), ONE, ("--subset", "length=short"))
    ),
    (("report", "many.json", "--since", "many.json", "--out", "x"), "--since and --out do not go together"),
    (("report", "many.json", "--since", "many.json", *MANY), "--since and --set do not go together"),
    (("report", "many.json", "--skip-broken"), "--skip-broken needs --set"),
    (("report", "many.json", "--better", "x=higher"), "--better concerns a rating"),
    (("report", "one.json", "--subset", "length=short"), "No data"),
    (("plan", *MANY, "--correct-jointly"), "metrics cannot be corrected jointly"),
    (("meta-eval", *MANY, "--group-by", "item"), "--set and --group-by do not go together"),
    (("meta-eval", *MANY, "--subset", "length=short"), "--set and --subset do not go together"),
    (("meta-eval", *ONE, "--exchange", "item"), "--exchange only affects the test of --compare"),
    (("experiment", "draws", *ONE, "--simulated"), "--simulated replaces data"),
    (("lessons", "--subset", "length=short", "--out", "x"), "No data"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "said"), REFUSED, ids=[" ".join(one) for one, _ in REFUSED])
def test_what_would_be_ignored_is_refused(
    place: Path,
    arguments: Sequence[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(place)
    for name, sets in (("one", ()), ("many", ("--set", "a", "b")), ("others", ("--set", "x", "y"))):
        if f"{name}.toml" in arguments:
            assert main(["plan", "--metric", "chrf", *sets]) == 0
            Path(f"{name}.toml").write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(list(arguments)) == 2
    out, err = capsys.readouterr()
    assert said in err
    assert (out, err.count("mtsig: ")) == ("", 1)
    assert not Path("x").exists()


@pytest.mark.slow
def test_workers_share_the_sets_and_the_slices(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place)
    counted = []
    pool = "concurrent.futures.ProcessPoolExecutor"
    monkeypatch.setattr(pool, lambda count, **_: counted.append(count) or ThreadPoolExecutor(count))
    for more in ((*MANY,), (*ONE, "--by", "length:2")):
        arguments = ["compare", *more, "--metric", "chrf", "--resamples", "50", "--format", "json", "--no-cache"]
        assert main(arguments) == 0
        alone = flat(json.loads(capsys.readouterr().out))
        assert main([*arguments, "--workers", "2"]) == 0
        assert flat(json.loads(capsys.readouterr().out))["comparisons"] == alone["comparisons"]
    assert counted == [2, 2]


@pytest.mark.slow
def test_a_gate_follows_the_plan_of_several_sets(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place)
    weights, own = ("--weights", "a=3", "b=1"), ("--for", "b", "chrf:char_order=3")
    assert main(["plan", "--metric", "chrf", "--set", "a", "b", *weights, *own]) == 0
    Path("fixed.toml").write_text(capsys.readouterr().out, encoding="utf-8")
    found = []
    asked = ("--metric", "chrf")
    for more in (("--plan", "fixed.toml"), (*asked, *weights, *own), (*asked, *weights), (*asked, *own)):
        assert main(["gate", *MANY, *PAIR, *more, "--format", "json"]) in (0, 1, 3)
        found.append(json.loads(capsys.readouterr().out)["checks"][0]["difference"])
    assert found[0] == found[1]
    assert len(set(found)) == 3
