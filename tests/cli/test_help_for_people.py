"""Mistyped words are answered with the nearest; shells complete; tables come as Markdown."""

import argparse
import contextlib
import shutil
import subprocess
from pathlib import Path

import pytest
from made import ROOT, made_corpus

from mtsig.cli import main
from mtsig.cli._arguments import add_input
from mtsig.cli._verbs import VERBS, _describe, parser_of
from mtsig.corpus._slices import SLICINGS
from mtsig.metrics import METRICS

MISTYPED = [
    (["scor", "--data", "x"], "Did you mean 'score'?"),
    (["Compare"], "Did you mean 'compare'?"),
    (["score", "--meric", "bleu"], "unknown argument: --meric bleu. Did you mean '--metric'? Try: mtsig --help"),
    (["score", "--formt=json"], "Did you mean '--format'?"),
    (["score", "--format", "markdwn"], "Did you mean 'markdown'?"),
    (["experiment", "drawz"], "Did you mean 'draws'?"),
    (["experiment", "draws", "--wokers", "2"], "Did you mean '--workers'?"),
    (["dashboard", "--dta", "x"], "Did you mean '--data'?"),
    (["compare", str(ROOT)], f"unknown argument: {ROOT}. Data are given by --data {ROOT}. Try: mtsig --help"),
]


@pytest.mark.parametrize(("arguments", "said"), MISTYPED, ids=[" ".join(one) for one, _ in MISTYPED])
def test_what_was_meant_is_asked(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    out, err = capsys.readouterr()
    assert (end.value.code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_what_is_like_nothing_is_asked_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["qqq"], ["score", "--qqq"]):
        with pytest.raises(SystemExit):
            main(arguments)
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
    assert completed(script, "mtsig compare --metric sent", tmp_path) == {
        name for name in METRICS if name.startswith("sent")
    }
    assert completed(script, "mtsig score --format ", tmp_path) >= {"table", "markdown", "json", "csv"}
    assert completed(script, "mtsig compare --correction h", tmp_path) >= {"holm"}
    assert "ours.txt" in completed(script, "mtsig score --sys ", tmp_path)
    assert "folder" in {name.rstrip("/") for name in completed(script, "mtsig lessons --out ", tmp_path)}
    assert "--repeats" in completed(script, "mtsig size-curve --re", tmp_path)
    assert "--simulated" in completed(script, "mtsig experiment draws --sim", tmp_path)


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
    more = {"size-curve": ["--sizes", "1"], "power": ["--difference", "1"]}.get(verb, [])
    data = [str(folder)] if verb == "read" else ["--data", str(folder)]
    assert main([verb, *data, *more, "--format", "markdown"]) == 0
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
    assert (tmp_path / "segments.md").read_text(encoding="utf-8") == printed
    assert capsys.readouterr().out == ""


def test_the_help_names_every_way_to_slice() -> None:
    # Written there by hand: a start of the program does not wait for what slices.
    parser = argparse.ArgumentParser()
    add_input(parser)
    said = parser.format_help()
    assert all(f"{by}=" in said for by in SLICINGS)
