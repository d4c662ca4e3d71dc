"""The verb and the page: the same verdicts as in Python, in every format."""

import csv
import json
from pathlib import Path

import jsonschema
import numpy as np
import pages
import pytest
from made_preferences import campaign
from mtsig_dashboard.session import PREFERENCES

from mtsig.campaign import plan_preferences, preferences
from mtsig.campaign._judged import plan_like
from mtsig.campaign._strengths import strengths
from mtsig.cli import main
from mtsig.cli._reading import parts_from
from mtsig.cli._schemas import schema_of
from mtsig.cli._study import DIFFERS


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign of four systems and six raters as a table."""
    made = campaign(np.random.default_rng(8), (0.9, 0.3, 0, -0.9), raters=6, place=0.8, first_order=0.7)
    place = tmp_path_factory.mktemp("preferences") / "verdicts.csv"
    with place.open("w", encoding="utf-8", newline="\n") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["item", "document", "rater", "system_a", "system_b", "winner", "order"])
        for i, outcome in enumerate(made.outcome.tolist()):
            pair = made.systems[made.first[i]], made.systems[made.second[i]]
            document, rater = (names.known[names.of[i]] for names in (made.document, made.rater))
            rows.writerow([i, document, rater, *pair, {1: pair[0], 0: "tie", -1: pair[1]}[outcome], "ab"])
    return place


def test_the_verb_says_what_python_says(verdicts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "study.json"
    assert main(["preferences", "--data", str(verdicts), "--format", "json", "-o", str(kept)]) == 0
    told = capsys.readouterr()
    printed = json.loads(told.out)
    jsonschema.validate(printed, schema_of("preferences"))
    judged = preferences(verdicts)
    assert kept.read_text(encoding="utf-8") == judged.study.text()
    assert [place["rater"] for place in printed["quality"]["places"]][:1] == [""]
    assert len(printed["quality"]["head_to_head"]) == 6
    assert "If two systems were equal, the one shown first would win" in told.err
    assert "Verdicts are for these 6 raters" in told.err
    assert main(["preferences", "--data", str(verdicts)]) == 0
    finding = capsys.readouterr().out.splitlines()[0]
    better = {row["second"] for row in judged.study.rows() if (row["first"], row["verdict"]) == ("A", "better")}
    assert finding.startswith("A is significantly better than every other" if len(better) == 3 else "A has the highest")
    options = ["--anchor", "A=1500", "--strengths", "half", "--format", "json"]
    assert main(["preferences", "--data", str(verdicts), *options]) == 0
    scores = json.loads(capsys.readouterr().out)["sets"][0]["results"][0]["systems"]
    assert "1500" in json.dumps(scores)
    assert main(["preferences", "--data", str(verdicts), "--compat", "arena", "--format", "json"]) == 0
    boarded = json.loads(capsys.readouterr().out)
    jsonschema.validate(boarded, schema_of("preferences"))
    assert [row["system"] for row in boarded["quality"].pop("board")] == ["A", "B", "C", "D"]
    assert boarded == printed  # what a leaderboard prints changes no verdict
    assert main(["preferences", "--data", str(verdicts), "--compat", "mtme"]) == 2
    assert "board of preferences" in capsys.readouterr().err
    assert main(["preferences", "--data", str(verdicts), "--anchor", "A"]) == 2
    assert "expected NAME=NUMBER" in capsys.readouterr().err
    assert main(["compare", "--data", str(verdicts)]) == 2
    assert "Use mtsig preferences" in capsys.readouterr().err


def test_how_many_judgements_a_difference_takes(verdicts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "preferences", "--win-rate", "0.55"]) == 0
    assert capsys.readouterr().out == f"{plan_preferences(0.55).sentence}\n"
    assert main(["plan", "preferences", "--win-rate", "0.65", "--data", str(verdicts)]) == 0
    assert capsys.readouterr().out.endswith("(estimated from 40 pilot documents).\n")
    wrong = {
        ("--win-rate", "0.4"): "win rate between .5 and 1",
        ("--data", str(verdicts), "--icc", "0.2"): "--data and --icc do not go together",
        ("--metric", "chrf"): "plan preferences and --metric do not go together",
    }
    for options, said in wrong.items():
        assert main(["plan", "preferences", *options]) == 2
        assert said in capsys.readouterr().err
    assert main(["plan", "--metric", "chrf", "--win-rate", "0.6"]) == 2
    assert "--win-rate is an option of mtsig plan preferences" in capsys.readouterr().err


def test_a_plan_by_a_pilot_finds_the_difference_as_often_as_it_says() -> None:
    rng, ties, win_rate = np.random.default_rng(5), 0.3, 0.6
    decided = (win_rate - ties / 2) / (1 - ties)
    apart = float(np.log(decided / (1 - decided)))
    pilot = campaign(rng, (apart / 2, 0, -apart / 2), documents=60, per_document=12)
    plan = plan_like(preferences(pilot), win_rate)
    # Strengths are inside of documents, win rates are averages over them, whose tastes make these smaller.
    made = [campaign(rng, (apart * 1.09, 0.0, 0.0), documents=plan.documents, per_document=12) for _ in range(60)]
    found = sum(bool(strengths(one).compared.pair("A", "B").p_value <= 0.05 / 3) for one in made)
    assert 0.65 < found / 60 < 0.95


@pytest.mark.parametrize("unit", ["document", "item"])
def test_a_saved_study_of_preferences_is_reported(unit: str, verdicts: Path, tmp_path: Path) -> None:
    kept, judged = tmp_path / "study.json", tmp_path / "verdicts.csv"
    # Without a column of documents, items are what is drawn.
    lines = verdicts.read_text(encoding="utf-8")
    judged.write_text(lines.replace("document", "other") if unit == "item" else lines, encoding="utf-8")
    assert main(["preferences", "--data", str(judged), "-o", str(kept), "-q"]) == 0
    assert json.loads(kept.read_text(encoding="utf-8"))["sets"][0]["settings"]["unit"] == unit
    assert main(["report", str(kept), "--to", "markdown", "latex", "html", "-o", str(tmp_path / "all"), "-q"]) == 0
    assert "Elo" in (tmp_path / "all" / "report.md").read_text(encoding="utf-8")


HOW: list[list[str]] = [
    [], ["--strengths", "half"], ["--strengths", "direct"], ["--both-orders", "collapse"], ["--ignore-order"],
    ["--anchor", "A=1200", "--level", "0.9"], ["--systems", "A", "D"], ["--systems", "A", "B", "D"],
]  # fmt: skip


@pytest.mark.parametrize("how", HOW, ids=" ".join)
def test_a_saved_study_is_made_again_from_its_preferences_alone(
    how: list[str], verdicts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, rest = tmp_path / "study.json", tmp_path / "rest.csv"
    assert main(["preferences", "--data", str(verdicts), *how, "-o", str(kept)]) == 0
    to = ["--to", "json", "--out", str(tmp_path / "again")]
    capsys.readouterr()
    assert main(["report", str(kept), "--data", str(verdicts), *to]) == 0
    assert capsys.readouterr().out.startswith("Reproduced exactly")
    rows = verdicts.read_text(encoding="utf-8").splitlines(keepends=True)
    lost = next(number for number, row in enumerate(rows) if ",A,D," in row)
    rest.write_text("".join(rows[:lost] + rows[lost + 1 :]), encoding="utf-8")
    assert main(["report", str(kept), "--data", str(rest), *to]) == DIFFERS
    assert "The judgements are not those of the study" in capsys.readouterr().out
    edited = kept.read_text(encoding="utf-8").replace('"order": "auto"', '"order": "ignore"')
    if "--ignore-order" not in how:
        kept.write_text(edited, encoding="utf-8")
        assert main(["report", str(kept), "--data", str(verdicts), *to]) == DIFFERS


def test_the_page_shows_strengths_and_direct_comparisons(verdicts: Path) -> None:
    at = pages.app()
    at.session_state["session"].load_parts(parts_from(["--data", str(verdicts)]))
    assert at.session_state["session"].home == PREFERENCES  # where it is all that was given
    at = pages.at_page(at.run(), "preferences")
    assert at.title[0].value.startswith("A is the best of 4 systems")
    assert any("Head to head" in header.value for header in at.header)
    assert any("system shown first would win" in caption.value for caption in at.caption)
    next(one for one in at.button if one.label == "How many judgements are needed?").click().run()
    assert any("to detect 55% against 45%" in text.value for text in at.markdown)


def test_the_page_of_circular_preferences_begins_with_the_circle_and_names_no_best(tmp_path: Path) -> None:
    beats = {("A", "B"), ("B", "C"), ("C", "A"), ("A", "D"), ("B", "D"), ("C", "D")}
    rows = [
        f"{document}\t{first}\t{second}\t{first if document % 5 else second}"
        for first, second in sorted(beats)
        for document in range(30)
    ]
    path = tmp_path / "circle.tsv"
    path.write_text("\n".join(["document\tfirst\tsecond\twinner", *rows]), encoding="utf-8")
    at = pages.app()
    at.session_state["session"].load_parts(parts_from(["--data", str(path)]))
    at = pages.at_page(at.run(), "preferences")
    assert not at.exception
    assert at.title[0].value.startswith("Each of 4 systems is significantly worse than another system in net wins")
    told = " ".join(one.proto.body for one in at.get("html"))
    assert "Preferences are circular: A beats B, B beats C, C beats A" in told
    assert "this rater. It is unknown" in told
    assert "the next best" not in told
    kept = tmp_path / "study.json"
    assert main(["preferences", "--data", str(path), "-o", str(kept), "-q"]) == 0
    assert main(["report", str(kept), "--to", "markdown", "-o", str(tmp_path / "all"), "-q"]) == 0
    assert "the next best" not in (tmp_path / "all" / "report.md").read_text(encoding="utf-8")
