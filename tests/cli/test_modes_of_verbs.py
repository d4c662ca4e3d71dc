"""A verb with several ways of working refuses what the way that was chosen does not use: nothing is ignored."""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from made import flat, made_corpus

from mtsig.cli import main


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
        assert main(["compare", *where, "--metric", "chrf", "--resamples", "50", "--save", study]) == 0
    return place


ONE, MANY = ("--data", "sets/a"), ("--set", "sets")
PAIR = ("--baseline", "sys0", "--candidate", "sys1")

REFUSED: list[tuple[Sequence[str], str]] = [
    *(
        (("compare", "--counts", "many.parquet", *more), f"{more[0]} do not go together")
        for more in (
            ("--save", "x.json"), ("--correct-jointly",), ("--statement", "all"), ("--by", "length"), ("--plan", "x"),
            ("--skip-broken",), ("--called", "x=a:sys0"), ("--for", "a", "chrf"), ("--data", "sets/a"),
            ("--subset", "length=short"), ("--better", "x=higher"), ("--workers", "2"), ("--no-cache",),
        )
    ),
    (("compare", "--counts", "many.parquet", "--out", "x"), "--out writes what --statement says"),
    (("compare", "--counts", "one.parquet", "--out", "x"), "--out writes what --statement says"),
    (("compare", "--counts", "one.parquet", "--weights", "segments"), "--weights goes with --set"),
    (("compare", "--counts", "one.parquet", "--family", "joint"), "--family goes with --set"),
    (("compare", "--counts", "one.parquet", "--workers", "2"), "--workers do not go together"),
    *(
        (("compare", *MANY, *more), f"--set and {more[0]} do not go together")
        for more in (
            ("--by", "length"), ("--correct-jointly",), ("--statement", "all"), ("--subset", "length=short"),
            ("--lp", "a-b"),            ("--better", "x=higher"), ("--data", "sets/a"),
        )
    ),
    (("compare", *MANY, "--out", "x"), "--out writes what --statement says"),
    (("compare", *ONE, "--units", "shared"), "--units goes with --set"),
    (("count", *MANY, "--better", "x=higher", "-o", "x"), "--set and --better do not go together"),
    (("count", *MANY, "--subset", "length=short", "-o", "x"), "--set and --subset do not go together"),
    (("count", *ONE, "--skip-broken", "-o", "x"), "--skip-broken goes with --set"),
    (("score", *MANY, "--better", "x=higher"), "--set and --better do not go together"),
    (("score", *ONE, "--called", "x=a:sys0"), "--called goes with --set"),
    (("score", "--ref", "a", "--sys", "b", "--lp", "en-de"), "--lp is of a language pair of --data"),
    (("score", "--ref", "a", "--sys", "b", "--better", "x=higher"), "--better is of a rating in --data"),
    (("gate", *MANY, *PAIR, "--better", "x=higher"), "--set and --better do not go together"),
    (("gate", *MANY, *PAIR, "--plan", "many.toml", "--weights", "equal"), "The analysis plan fixes --weights"),
    (("gate", *ONE, *PAIR, "--plan", "many.toml"), "The analysis plan is of several test sets"),
    (("gate", *MANY, *PAIR, "--plan", "others.toml"), "fixes the test sets x and y"),
    (("gate", *ONE, *PAIR, "--skip-broken"), "--skip-broken goes with --set"),
    (("gate", *ONE, *PAIR, "--rule", "lord"), "ledger"),
    *(
        (("report", "one.json", "--against", "one.json", *more), f"--against and {more[0]} do not go together")
        for more in (("--out", "x"), ("--to", "html"), ("--sizes",), ONE, ("--subset", "length=short"))
    ),
    (("report", "many.json", "--against", "many.json", "--out", "x"), "--against and --out do not go together"),
    (("report", "many.json", "--against", "many.json", *MANY), "--against and --set do not go together"),
    (("report", "many.json", "--skip-broken"), "--skip-broken goes with --set"),
    (("report", "many.json", "--better", "x=higher"), "--better is of one"),
    (("report", "one.json", "--subset", "length=short"), "No data"),
    (("plan", *MANY, "--correct-jointly"), "--set and --correct-jointly do not go together"),
    (("meta-eval", *MANY, "--by", "item"), "--set and --by do not go together"),
    (("meta-eval", *MANY, "--subset", "length=short"), "--set and --subset do not go together"),
    (("meta-eval", *ONE, "--exchange", "item"), "--exchange is of the test that --compare"),
    (("experiment", "draws", *ONE, "--simulated"), "--simulated stands in for data"),
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
