"""The examples in every `--help`: each is a command line of today, and those that wait for nothing outside are run."""

import argparse
import io
import json
import re
import runpy
import shlex
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from described import described
from kept import Kept
from made import ROOT, made_corpus
from sampled import sampled

from mtsig.cli import main
from mtsig.cli._arguments import Parser
from mtsig.cli._verbs import CODES, VERBS, parser_of

LEFT = {
    "download": "downloads",
    "calibrate": "takes minutes",
    "experiment": "takes minutes",
    "papers": "takes minutes",
    "lessons": "takes minutes",
    "parse": "needs a model",
    "spans": "needs a detector's spans",
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
    assert main([verb, "--help"]) == 0
    out = capsys.readouterr().out.splitlines()
    for command, words in _examples(verb).items():
        assert out[out.index(f"  {command}") - 1].strip() == f"# {words}"


# The help: one screen for the command, five options for a verb; an option is the same one in every verb.


def test_the_help_of_the_command_is_one_screen(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    assert {verb.group for verb in VERBS.values()} == {line for line in lines[1:-1] if not line.startswith(" ")}
    for name, verb in VERBS.items():
        assert f" {name:<11} {verb.words}" in lines
        assert len(verb.words) <= 72


@pytest.fixture(scope="module")
def parsers() -> dict[str, Parser]:
    """The parsers of all verbs, and of each experiment."""
    (verbs,) = (action for action in parser_of(VERBS)._actions if isinstance(action, argparse._SubParsersAction))
    found = dict(verbs.choices)
    (names,) = (action for action in found["experiment"]._actions if isinstance(action, argparse._SubParsersAction))
    return found | {f"experiment {name}": parser for name, parser in names.choices.items()}


def test_the_help_of_a_verb_begins_with_five_options_and_ends_with_all(parsers: dict[str, Parser]) -> None:
    for name, parser in parsers.items():
        short, whole = parser.format_help(), parser.long_help()
        flags = [action.option_strings for action in parser._actions if action.option_strings]
        assert all(f"{one[-1]}" in whole for one in flags), name
        assert 1 <= len(parser.common) <= 5, name
        known = {action.dest: action for action in parser._actions}
        own = {known[dest].option_strings[-1] for dest in parser.common if known[dest].option_strings}
        shown = re.findall(r"^  (?:-\w, |-\w PATH, )?(--[\w-]+)", short, flags=re.MULTILINE)
        assert set(shown) == own | {"--help", "--help-all"} | {"--schema"} & {one[-1] for one in flags}, name
        assert all(f"{code} " in whole for code in CODES) or name.startswith("experiment "), name


def test_what_must_be_given_has_no_default(parsers: dict[str, Parser]) -> None:
    needed = [(verb, action) for verb, parser in parsers.items() for action in parser._actions
              if action.required and action.option_strings]  # fmt: skip
    assert {("autorank", "metric"), ("few-ratings", "metric")} <= {(verb, action.dest) for verb, action in needed}
    assert [(verb, action.dest) for verb, action in needed if "default" in str(action.help)] == []


def test_all_options_begin_with_what_most_people_need(parsers: dict[str, Parser]) -> None:
    whole = parsers["compare"].long_help()
    flags = ("--data", "--metric", "--baseline", "--test", "--set", "--format", "--help-all", "--max-")
    places = [whole.index(f"\n  {flag}") for flag in flags]
    assert places == sorted(places)


OWN = {"format": ("choices", "help"), "out": ("type",)}
"""What may differ: the gate and segments print further formats, and a file of counts has any name."""


def test_an_option_is_the_same_one_in_every_verb(parsers: dict[str, Parser]) -> None:
    seen: dict[str, tuple[str, dict[str, Any]]] = {}
    for name, parser in parsers.items():
        of_experiment = name.startswith("experiment ") or name == "calibrate"
        for action in parser._actions:
            if not action.option_strings or action.dest == argparse.SUPPRESS:
                continue
            about = {key: getattr(action, key) for key in ("nargs", "metavar", "default", "choices", "help", "type")}
            about["help"] = re.sub(r" \(default: [^)]*\)", "", str(action.help))  # what is required has none
            if isinstance(action.type, partial):  # of a setting: its bounds and its default are in the help
                about["type"] = None
            left = ("help", "metavar", "default", "type") if of_experiment and about["type"] is None else ()
            says = ["help"] if name in VERBS and action.dest in VERBS[name].helps else []
            for key in (*OWN.get(action.dest, ()), *says, *left):  # an experiment has the defaults of its paper
                about.pop(key, None)
            for flag in action.option_strings:
                first, known = seen.setdefault(flag, (name, about))
                shared = about.keys() & known.keys()
                assert {key: about[key] for key in shared} == {key: known[key] for key in shared}, (flag, first, name)


def test_the_exit_codes_and_the_options_have_one_page() -> None:
    page = runpy.run_path(str(ROOT / "docs" / "command_line.py"))["command_line_page"]()
    assert all(f"| {code} |" in page for code in CODES)
    assert all(f"## {name}" in page for name in VERBS)
    assert "--correct-jointly" in page


IDENTIFIER = re.compile(r"(?<![\w./<>'=:-])[a-z]+(?:_[a-z0-9]+)+(?![\w/.=(])")
"""A name of the program's own, which no screen shows."""

FOR_PROGRAMS = ("completion", "metrics", "plan")
"""Verbs that print what users, or programs, write: scripts, options and plans."""


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
        f"J{rater},{system},{i},TGT,eng,deu,{50 + 3 * rng.normal():.2f},{made.documents[i]},False,[],1.0,2.0"
        for rater in range(6)
        for system in ("base", "ours")
        for i in range(60)
        if (i + rater) % 3 == 0
    ]
    texts["verdicts.tsv"] = ["item\tdocument\tsystem_a\tsystem_b\twinner"] + [
        f"{i}\td{i % 15}\tours\tbase\t{('ours', 'ours', 'base', 'tie')[i % 7 % 4]}" for i in range(60)
    ]
    texts["gpt-4_pair.jsonl"] = [
        json.dumps({
            "question_id": i, "model_1": "ours", "model_2": "base", "judge": ["gpt-4"], "turn": 1,
            "g1_winner": ("model_1", "model_2", "tie")[i % 3], "g2_winner": ("model_1", "tie")[i % 2],
        })
        for i in range(40)
    ]  # fmt: skip
    for name, lines in texts.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return place


@sampled("verb", sorted(set(VERBS) - set(LEFT)), most=12)
def test_examples_run(
    verb: str, workplace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(workplace)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    if verb in ("card", "report"):
        for name, draws in (("study.json", "200"), ("earlier.json", "300")):
            assert main(["compare", "--data", "data", "--resamples", draws, "--out", name]) == 0
    for number, command in enumerate(_examples(verb)):
        arguments, piped, written = _of_mtsig(command)
        is_described = number == 0 and "format" in VERBS[verb].names
        arguments += ["-o", "result.json"] * is_described
        if piped is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(piped).read_bytes())))
        capsys.readouterr()
        code = main(arguments)
        out, err = capsys.readouterr()
        # 1 and 3 are the gate's outcomes; 5 is the report's when two studies differ.
        assert code in ({"gate": {0, 1, 3}, "report": {0, 5}}.get(verb, {0})), f"{command}: {err}"
        assert out or {"-o", "--out"} & set(arguments), command
        assert not IDENTIFIER.findall(err if "--format" in arguments or verb in FOR_PROGRAMS else out + err), command
        if is_described:
            described(verb, Path("result.json").read_text(encoding="utf-8"))
        if written is not None and not {"~", "$"} & set(written):
            Path(written).write_text(out, encoding="utf-8")


# `mtsig cache` shows what is kept and clears it; `--no-cache` keeps nothing.

Run = Callable[..., str]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def called(*arguments: object) -> str:
        assert main([str(one) for one in arguments]) == 0
        return capsys.readouterr().out

    return called


@pytest.fixture
def data(tmp_path: Path) -> Path:
    corpus = made_corpus(n=1200, systems=2)
    for name, lines in [*corpus.outputs.items(), ("ref", corpus.references["ref0"])]:
        (tmp_path / "set").mkdir(exist_ok=True)
        (tmp_path / "set" / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path / "set"


def test_what_is_kept_is_shown_and_cleared(run: Run, data: Path, cache: Path, kept: Kept) -> None:
    assert "counts: 0 entries" in run("cache")
    first = run("score", "--data", data, "--resamples", 300, "--format", "json")
    assert run("score", "--data", data, "--resamples", 300, "--format", "json") == first
    shown = run("cache")
    assert shown.startswith(f"{cache}\n")
    kept("cache", shown)
    kept("cache", run("cache", "--clear"))
    assert "counts: 0 entries" in run("cache")
    assert list((cache / "counts").iterdir()) == []
    assert (cache / "CACHEDIR.TAG").read_bytes().startswith(b"Signature: 8a477f597d28d172789f06886806bc55\n")


def test_no_cache_keeps_nothing(run: Run, data: Path, cache: Path) -> None:
    kept = run("score", "--data", data, "--resamples", 300, "--format", "json")
    run("cache", "--clear")
    assert run("score", "--data", data, "--resamples", 300, "--format", "json", "--no-cache") == kept
    assert "counts: 0 entries" in run("cache")


def test_switched_off_it_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTSIG_CACHE", "off")
    assert "MTSIG_CACHE is off" in run("cache")
