"""`--subset` and `compare --by`: parts of the test set chosen, and compared as one family."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from forms import lines
from kept import Kept, lacking
from made import Run, flat, made_corpus

import mtsig
from mtsig import Corpus, Settings, compare_subsets, measure, read, read_study, reproduce
from mtsig.corpus._slices import slices_of, slicings
from mtsig.errors import NotApplicable


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


def test_slices_are_compared_as_one_family(run: Run, folder: Path, kept: Kept) -> None:
    code, out, _ = run("compare", "--data", folder, "--by", "domain", "--resamples", 500)
    assert code == 0
    kept("compare", out)


def test_slices_say_how_they_were_tested_and_that_they_were_not_planned(run: Run, folder: Path, kept: Kept) -> None:
    arguments = ["compare", "--data", folder, "--by", "domain", "--baseline", "sys0", "--resamples", 500]
    arguments += ["--alternative", "less", "--correction", "none", "--seed", 7]
    _, out, err = run(*arguments)
    kept("compare", err)
    assert "corrected together" not in out
    for said in ("ackknife t test over", "ne-sided", "uncorrected, α = 0.05"):
        assert said in out
    assert "resamples" not in out  # nothing that is shown was drawn
    study = json.loads(run(*arguments, "--format", "json")[1])
    assert study["status"] == "exploratory"
    used = [one["settings"] for one in study["sets"]]
    assert {(one["n_resamples"], one["seed"]) for one in used} == {(500, 7)}


def test_slices_in_json_and_csv(run: Run, folder: Path) -> None:
    arguments = ["compare", "--data", folder, "--by", "domain", "--baseline", "sys0", "--resamples", 500]
    written = json.loads(run(*arguments, "--format", "json")[1])
    bundle = flat(written)
    assert [one["set"] for one in written["sets"]] == ["news", "talks", "social"]
    assert written["sets"][0]["subset"] == "domain=news"
    assert [(one["set"], one["first"], one["second"], one["family_size"]) for one in bundle["comparisons"]][:2] == [
        ("news", "sys1", "sys0", 6),
        ("news", "sys2", "sys0", 6),
    ]
    assert [one["sets"] for one in written["over"][0]["described"]] == [["news", "talks", "social"]] * 2
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv")[1])))
    assert [row["set"] for row in rows] == ["news", "news", "talks", "talks", "social", "social"]


def test_parts_are_planned_saved_made_again_and_reported(
    run: Run, folder: Path, tmp_path_factory: pytest.TempPathFactory, kept: Kept
) -> None:
    plan, saved, out = (tmp_path_factory.mktemp("parts") / name for name in ("plan.toml", "parts.json", "out"))
    plan.write_text(run("plan", "--metric", "chrf", "--resamples", 300, "--by", "domain")[1])
    kept("plan", run("plan", plan)[1])
    code, said, err = run("compare", "--data", folder, "--plan", plan, "--out", saved)
    assert (code, "Planned" in err, "3 subsets of" in said) == (0, True, True)
    study = read_study(saved)
    assert (study.status, study.names) == ("planned", ("news", "talks", "social"))
    corpus = read(folder)
    sliced = compare_subsets(corpus, measure(corpus, "chrf"), "domain", Settings(n_resamples=300))
    names = ("set", "first", "second", "difference", "p_adjusted")
    told = [tuple(row[key] for key in names) for row in sliced.rows()]
    assert [tuple(row[key] for key in names) for row in study.rows()] == told
    assert reproduce(study, corpus).same
    free = mtsig.compare(corpus, "chrf", by="domain", n_resamples=300)
    assert free.status == "exploratory"
    assert [row["p_adjusted"] for row in free.rows()] == [row["p_adjusted"] for row in study.rows()]
    code, said, _ = run("report", saved, "--data", folder, "--to", "markdown", "html", "latex", "--out", out)
    assert code == 0
    kept("report", said)
    page = (out / "report.md").read_text(encoding="utf-8")
    assert not lacking(page, "3 subsets of", "by domain", "9 comparisons")
    assert "test sets" not in page
    (folder / "sys0.txt").write_text("other\n" + "\n".join(corpus.lines("sys0")[1:]) + "\n")
    said = run("report", saved, "--data", folder, "--to", "markdown", "--out", out)[1]
    kept("report", said)
    for flags, wrong in ((["--by", "domain"], "fixes --by"), (["--correct-jointly"], "fixes --correct-jointly")):
        assert wrong in run("compare", "--data", folder, "--plan", plan, *flags)[2]
    kept("plan", run("plan", "--by", "domain", "--baseline", "a", "--margin", 1)[2])


def test_a_slice_can_be_chosen_for_every_verb(run: Run, folder: Path) -> None:
    for verb in ("score", "compare", "check"):
        more = [] if verb == "check" else ["--resamples", 200]
        code, _, err = run(verb, "--data", folder, "--subset", "domain=news", "length=short", *more)
        assert code == 0
        assert verb == "check" or "Only domain=news, length=short:" in err
    bundle = json.loads(
        run("score", "--data", folder, "--subset", "domain=news", "--resamples", 200, "--format", "json")[1]
    )
    assert bundle["data"]["segments"] == 60


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--by", "topic"], "form subsets called 'topic'"),
        (["--by", "origlang"], "do not give the original language of segments. Add origlang.txt"),
        (["--by", "document"], "at least two need 20 segments"),
        (["--by", "domain", "--correct-jointly"], "cannot be combined with joined metrics"),
        (["--subset", "domain=sport"], "no domain 'sport'. Known: news, talks, social"),
        (["--subset", "news"], "written as in domain=news"),
    ],
)
def test_bad_slices_are_one_line(run: Run, folder: Path, arguments: list[str], said: str) -> None:
    code, out, err = run("compare", "--data", folder, *arguments, "--resamples", 200)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_the_dashboard_takes_whole_test_sets(run: Run, folder: Path, kept: Kept) -> None:
    code, _, err = run("dashboard", "--data", folder, "--subset", "domain=news")
    assert code == 2
    kept("dashboard", err)


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
