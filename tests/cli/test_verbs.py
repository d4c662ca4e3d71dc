"""The examples in every `--help`: each is a command line of today, and those that wait for nothing outside are run."""

import io
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made import made_corpus

from mtsig.cli import main
from mtsig.cli._verbs import VERBS, parser_of

LEFT = {
    "download": "downloads",
    "calibrate": "takes minutes",
    "experiment": "takes minutes",
    "papers": "takes minutes",
    "lessons": "takes minutes",
    "parse": "needs a model",
    "dashboard": "becomes a server",
    "cache": "clears the user's cache",
}
"""Verbs whose examples are not run here, and why; all are parsed."""


def _examples(verb: str) -> dict[str, str]:
    return dict(VERBS[verb].examples)


def _of_mtsig(command: str) -> tuple[list[str], str | None, str | None]:
    """Return the arguments of mtsig in a line of a shell, the file that goes in and the file that comes out."""
    inner = re.fullmatch(r'eval "\$\((.*)\)"', command)
    words = shlex.split(inner[1] if inner else command)
    piped = words[1] if words[0] == "cat" else None
    words = words[words.index("|") + 1 :] if "|" in words else words
    written = next((words[words.index(sign) + 1] for sign in (">", ">>") if sign in words), None)
    words = words[: -2 if written else None]
    assert words[0] == "mtsig", command
    return words[1:], piped, written


@pytest.mark.parametrize("verb", VERBS)
def test_examples_are_parsed(verb: str) -> None:
    examples = _examples(verb)
    assert 1 <= len(examples) <= 4
    assert any(f"mtsig {verb}" in command for command in examples)
    for command in examples:
        arguments, _, _ = _of_mtsig(command)
        if "--help" in arguments:
            arguments.remove("--help")
        chosen, rest = parser_of([arguments[0]]).parse_known_args(arguments)
        assert chosen.verb == arguments[0]
        assert not rest or chosen.verb == "dashboard"


@pytest.mark.parametrize("verb", ["compare", "metrics"])
def test_the_help_shows_the_examples(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([verb, "--help"])
    out = capsys.readouterr().out.splitlines()
    for command, words in _examples(verb).items():
        assert out[out.index(f"  {command}") - 1] == f"  # {words}"


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the examples name: a folder, the same files one by one, several sets, runs and ratings."""
    place = tmp_path_factory.mktemp("examples")
    made = made_corpus(n=60, systems=4, documents=20)
    base, ours, theirs, other = (list(made.lines(name)) for name in made.systems)
    reference = list(next(iter(made.references.values())))
    texts: dict[str, Any] = {
        "ref.txt": reference, "base.txt": base, "ours.txt": ours, "theirs.txt": theirs,
        "source.txt": [line.upper() for line in reference],
        "a.txt": base, "b.txt": theirs, "c.txt": ours, "d.txt": other,
        "base.run1": base, "base.run2": theirs, "ours.run1": ours, "ours.run2": other,
    }  # fmt: skip
    for folder in ("data", "sets/en-de", "sets/en-ja"):
        texts |= {f"{folder}/systems/{name}.txt": lines for name, lines in (("base", base), ("ours", ours))}
        texts |= {f"{folder}/refs/ref.txt": reference, f"{folder}/docids.txt": made.documents}
    assert made.documents is not None
    rng = np.random.default_rng(3)
    texts["mqm.tsv"] = ["system\tsegment\tmqm"] + [
        f"{name}\t{i}\t{-rng.random() - (name == 'base'):.3f}" for name in ("base", "ours") for i in range(1, 61)
    ]
    texts["esa.csv"] = [
        f"J{judge},{system},{i},TGT,eng,deu,{50 + 3 * rng.normal():.2f},{made.documents[i]},False,[],1.0,2.0"
        for judge in range(6)
        for system in ("base", "ours")
        for i in range(60)
        if (i + judge) % 3 == 0
    ]
    for name, lines in texts.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return place


@pytest.mark.parametrize("verb", sorted(set(VERBS) - set(LEFT)))
def test_examples_run(
    verb: str, workplace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(workplace)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    if verb == "report":
        for name, draws in (("study.json", "200"), ("earlier.json", "300")):
            assert main(["compare", "--data", "data", "--resamples", draws, "--save", name]) == 0
    for command in _examples(verb):
        arguments, piped, written = _of_mtsig(command)
        if piped is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(piped).read_bytes())))
        capsys.readouterr()
        code = main(arguments)
        out, err = capsys.readouterr()
        # 1 and 3 are the gate's outcomes; 1 is the report's when two studies differ.
        assert code in ({0, 1, 3} if verb in ("gate", "report") else {0}), f"{command}: {err}"
        assert out or "--out" in arguments, command
        if written is not None and not {"~", "$"} & set(written):
            Path(written).write_text(out, encoding="utf-8")
