"""`mtsig cache` shows what is kept and clears it; `--no-cache` keeps nothing."""

from collections.abc import Callable
from pathlib import Path

import pytest
from kept import Kept
from made import made_corpus

from mtsig.cli import main

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
    assert run("cache") == "Nothing is kept: MTSIG_CACHE is off.\n"
