"""`--slice` and `compare --by`: parts of the test set chosen, and compared as one family."""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from forms import lines
from made import made_corpus

from mtsig import Corpus
from mtsig.cli import main
from mtsig.corpus._slices import slices_of, slicings
from mtsig.errors import NotApplicable

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def called(*arguments: object) -> tuple[int, str, str]:
        try:
            code = main([str(one) for one in arguments])
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        told = capsys.readouterr()
        return code, told.out, told.err

    return called


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    corpus = made_corpus(n=180, systems=3, documents=36)
    files = {f"{name}.txt": lines(list(corpus.lines(name))) for name in corpus.systems}
    files |= {"ref.txt": lines([line or "" for line in corpus.references["ref0"]])}
    files |= {"docids.txt": lines(list(corpus.documents or ()))}
    files |= {"domains.txt": lines([("news", "talks", "social")[number // 60] for number in range(180)])}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def test_slices_are_compared_as_one_family(run: Run, folder: Path) -> None:
    code, out, _ = run("compare", "--data", folder, "--by", "domain", "--draws", 500)
    assert code == 0
    assert "p of 9 (holm)" in out
    assert "3 slices by domain (news 60, talks 60, social 60 segments) × 3 pairs: 9 comparisons in BLEU" in out
    assert "Is a pair's difference the same in all slices? Welch's test" in out


def test_slices_say_how_they_were_tested_and_that_they_were_not_planned(run: Run, folder: Path) -> None:
    arguments = ["compare", "--data", folder, "--by", "domain", "--pairs", "sys0", "--draws", 500]
    arguments += ["--alternative", "less", "--correction", "none", "--seed", 7]
    _, out, err = run(*arguments)
    assert "the direction counts as chosen afterwards" in err
    assert "judged together" not in out
    for said in ("jackknife t test over", "500 draws", "seed 7", "one-sided", "uncorrected, α = 0.05"):
        assert said in out
    assert json.loads(run(*arguments, "--format", "json")[1])["status"] == "exploratory"


def test_slices_in_json_and_csv(run: Run, folder: Path) -> None:
    arguments = ["compare", "--data", folder, "--by", "domain", "--pairs", "sys0", "--draws", 500]
    bundle = json.loads(run(*arguments, "--format", "json")[1])
    assert [one["slice"] for one in bundle["slices"]] == ["news", "talks", "social"]
    assert [(one["slice"], one["first"], one["second"], one["family_size"]) for one in bundle["comparisons"]][:2] == [
        ("news", "sys1", "sys0", 6),
        ("news", "sys2", "sys0", 6),
    ]
    assert [list(one["differences"]) for one in bundle["heterogeneity"]] == [["news", "talks", "social"]] * 2
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv")[1])))
    assert [row["slice"] for row in rows] == ["news", "news", "talks", "talks", "social", "social"]


def test_a_slice_can_be_chosen_for_every_verb(run: Run, folder: Path) -> None:
    for verb in ("score", "compare", "check"):
        more = [] if verb == "check" else ["--draws", 200]
        code, _, err = run(verb, "--data", folder, "--slice", "domain=news", "length=short", *more)
        assert code == 0
        assert verb == "check" or "Only domain=news, length=short:" in err
    bundle = json.loads(run("score", "--data", folder, "--slice", "domain=news", "--draws", 200, "--format", "json")[1])
    assert bundle["data"]["segments"] == 60


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--by", "topic"], "no way to slice called 'topic'"),
        (["--by", "origlang"], "do not say which original language a segment is of. Give origlang.txt"),
        (["--by", "document"], "at least two of 20 segments"),
        (["--by", "domain", "--joined"], "--by and --joined do not go together"),
        (["--slice", "domain=sport"], "no domain called 'sport'. Known: news, talks, social"),
        (["--slice", "news"], "written as in domain=news"),
    ],
)
def test_bad_slices_are_one_line(run: Run, folder: Path, arguments: list[str], said: str) -> None:
    code, out, err = run("compare", "--data", folder, *arguments, "--draws", 200)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_the_dashboard_takes_whole_test_sets(run: Run, folder: Path) -> None:
    code, _, err = run("dashboard", "--data", folder, "--slice", "domain=news")
    assert (code, "chosen on its Data page" in err) == (2, True)


def test_the_ways_to_slice_are_those_that_the_data_know(folder: Path) -> None:
    corpus = made_corpus(40, documents=0)
    assert slicings(corpus) == ["length"]
    assert slicings(made_corpus(40, documents=8)) == ["length", "document"]
    named = replace(corpus.segments, domains=tuple("ab" * 20))
    assert slicings(replace(corpus, segments=named)) == ["domain", "length"]
    alone = Corpus.of({"a": ["x", "y"]})
    assert slicings(alone) == []
    with pytest.raises(NotApplicable):
        slices_of(alone, "length")
