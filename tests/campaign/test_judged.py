"""The verb and the page: the same verdicts as in Python, in every format."""

import csv
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import jsonschema
import numpy as np
import pages
import pytest
from kept import parts, worded
from made_campaigns import contrastive
from made_preferences import campaign, counted
from mtsig_dashboard.session import PREFERENCES
from sampled import sampled
from scipy import stats

from mtsig import Corpus, Rating, verdict
from mtsig._say import ci_text
from mtsig.campaign import Preferences, plan_preferences, preferences
from mtsig.campaign._judged import plan_like
from mtsig.campaign._strengths import strengths
from mtsig.cli import main
from mtsig.cli._reading import parts_from
from mtsig.cli._schemas import schema_of
from mtsig.cli._study import DIFFERS
from mtsig.corpus import RaterScores
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.figures._people import Places
from mtsig.report._campaign import direct_table


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
    worded(parts(told.err, "shown first", "6 raters"))
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


def test_ratings_by_one_rater_on_one_segment_are_preferences() -> None:
    corpus = contrastive(np.random.default_rng(3), systems=4, tasks=20, per_screen=3, raters=3)
    given = corpus.ratings["esa"].rater_scores
    assert given is not None
    rows = list(zip(given.rater, given.segment, given.system, given.value, strict=True))
    known = Counter(
        (given.raters[rater], segment, corpus.documents[segment], frozenset((x, y)), x if value > other else y)
        for rater, segment, x, value in rows
        for again, place, y, other in rows
        if (rater, segment) == (again, place) and x < y
    )
    made = Preferences.of_ratings(corpus, "esa")
    names = list(corpus.systems)
    found = Counter(
        (made.raters[made.rater.of[i]], int(made.item.known[made.item.of[i]]) - 1, made.documents[made.document.of[i]],
         frozenset((names.index(a), names.index(b))), names.index(a if made.outcome[i] > 0 else b))
        for i in range(len(made))
        for a, b in [(made.systems[made.first[i]], made.systems[made.second[i]])]
    )  # fmt: skip
    assert found == known
    assert not made.ordered.any()


def test_equal_ratings_are_ties_and_lower_may_be_better() -> None:
    values = np.array([[3.0, 1.0, 2.0], [3.0, 5.0, np.nan]])
    scores = RaterScores.of({"Ann": values}, {("Ann", 0, 0): (2.0, 4.0)})
    rating = Rating(values, higher_is_better=False, rater_scores=scores)
    made = Preferences.of_ratings(Corpus.of(dict.fromkeys("AB"), ratings={"mqm": rating}), "mqm")
    assert (made.outcome.tolist(), made.grade.tolist(), made.documents_known) == ([0, 1], [0, 4], False)
    alone = Rating(
        values[:, :1] * np.array([[1.0], [np.nan]]), True, rater_scores=RaterScores.of({"Ann": values[:1, :1]})
    )
    for wrong, why in ((Rating(values, True), "no rater ids"), (alone, "no rater rated two systems")):
        with pytest.raises(NotApplicable, match=why):
            Preferences.of_ratings(Corpus.of(dict.fromkeys("AB"), ratings={"mqm": wrong}), "mqm")
    with pytest.raises(InvalidOption, match="Name the rating"):
        preferences(Corpus.of(dict.fromkeys("AB"), ratings={"mqm": rating}))


def test_ratings_in_the_shell_are_those_of_python(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    corpus = contrastive(np.random.default_rng(3), systems=4, tasks=30, per_screen=3, raters=3)
    given = corpus.ratings["esa"].rater_scores
    assert given is not None
    assert corpus.documents is not None
    place, kept = tmp_path / "esa.csv", tmp_path / "study.json"
    columns = (of.tolist() for of in (given.rater, given.segment, given.system, given.value))
    lines = [
        f"S{system},{segment + 1},{corpus.documents[segment]},r{rater},{value!r}"
        for rater, segment, system, value in zip(*columns, strict=True)
    ]
    place.write_text("\n".join(["system,segment,document,rater,esa", *lines]) + "\n", encoding="utf-8")
    for how in (["--data", str(place), "--ratings", "esa"], ["--ratings", str(place)]):
        assert main(["preferences", *how, "--format", "json", "-o", str(kept)]) == 0
        printed = json.loads(capsys.readouterr().out)
        own = preferences(Preferences.of_ratings(corpus, "esa"))
        found = printed["quality"]["head_to_head"]
        for name in ("p_value", "difference"):
            assert [row[name] for row in found] == pytest.approx([row[name] for row in own.plain()["head_to_head"]])
        assert main(["report", str(kept), *how[:2], "--to", "json", "--out", str(tmp_path / "again")]) == 0
        assert capsys.readouterr().out.startswith("Reproduced exactly")
    assert main(["preferences", "--data", str(place), "--ratings", "esa", "mqm"]) == 2
    worded(capsys.readouterr().err)
    assert main(["preferences", "--data", str(place), "--docs", str(place)]) == 2
    worded(capsys.readouterr().err)


def test_margins_are_compared_directly_by_their_mean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng, place = np.random.default_rng(4), tmp_path / "margins.csv"
    pairs = [("A", "B"), ("B", "C"), ("A", "C")]
    margins = {pair: np.round(rng.normal(1.5, 3, 40), 1) for pair in pairs}
    rows = [f"i{i},d{i // 2},{a},{b},{margins[a, b][i]}" for i in range(40) for a, b in pairs]
    place.write_text("\n".join(["item,document,system_a,system_b,margin", *rows]) + "\n", encoding="utf-8")
    judged = preferences(place, grades="margin")
    assert judged.modelled is None
    for row in judged.compared:
        sign = 1 if (row.first, row.second) in margins else -1
        own = sign * margins[(row.first, row.second) if sign > 0 else (row.second, row.first)]
        means = own.reshape(20, 2).mean(axis=1)
        test = stats.ttest_1samp(means, 0)  # documents of the same size: the jackknife's t is the usual one
        ends = test.confidence_interval()
        assert (row.difference, row.p_value) == pytest.approx((means.mean(), test.pvalue))
        assert (row.ci_low, row.ci_high) == pytest.approx((ends.low, ends.high))
    assert main(["preferences", "--data", str(place), "--grades", "margin"]) == 0
    out = capsys.readouterr().out
    worded(parts(out, "mean margin"))
    with pytest.raises(NotApplicable, match="A plan for a win rate"):
        plan_like(judged)
    with pytest.raises(NotApplicable, match="needs margins"):
        preferences(counted({"AB": (9, 2, 4)}), grades="margin")
    some = Preferences.of(
        {"item": str(i), "first": "A", "second": "B", "outcome": 1, "grade": [2.0, np.nan][i % 2]} for i in range(20)
    )
    with pytest.raises(NotApplicable, match="Without a margin: 10 verdicts"):
        preferences(some, grades="margin")


def test_the_model_says_where_direct_comparisons_alone_do_not_show_it(capsys: pytest.CaptureFixture[str]) -> None:
    # A and C meet seldom; that A is better than C is known by B.
    made = campaign(np.random.default_rng(2), (1.0, 0.0, -1.0), documents=40, per_document=12, icc=0.0)
    rare = (made.first + made.second != 2) | (made.first == 1) | (made.document.of < 11)
    few = preferences(made.where(rare & ((made.first + made.second != 2) | (np.arange(len(made)) % 3 == 0))))
    (note,) = (note.text for note in few.notes if "direct comparisons alone" in note.text)
    many = sum(few.counts("A", "C"))
    alone = f"but it is not significantly better in their direct comparisons alone ({many} judgements)."
    worded(note, alone)
    assert not any("comparisons alone" in note.text for note in preferences(made).notes)


def test_the_classical_sign_test_stands_next_to_the_verdict_only() -> None:
    made = campaign(np.random.default_rng(2), documents=12, per_document=30, icc=0.6)
    judged = preferences(made)
    table = direct_table(judged)
    assert table is not None
    assert judged.direct is not None
    worded(table.caption)
    for row, shown in zip(judged.direct.by_score(judged.study.results[0].compared.order), table.rows, strict=True):
        won, _, lost = judged.counts(row.first, row.second)
        assert shown[-1].value == pytest.approx(stats.binomtest(won, won + lost).pvalue)


def test_how_many_judgements_a_difference_takes(verdicts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "preferences", "--win-rate", "0.55"]) == 0
    assert capsys.readouterr().out == f"{plan_preferences(0.55).sentence}\n"
    assert main(["plan", "preferences", "--win-rate", "0.65", "--data", str(verdicts)]) == 0
    worded(capsys.readouterr().out, "40 pilot")
    wrong = {
        ("--win-rate", "0.4"): "win rate between .5 and 1",
        ("--data", str(verdicts), "--icc", "0.2"): "--data and --icc do not go together",
        ("--metric", "chrf"): "plan preferences and --metric do not go together",
    }
    for options, said in wrong.items():
        assert main(["plan", "preferences", *options]) == 2
        assert said in capsys.readouterr().err
    assert main(["plan", "--metric", "chrf", "--win-rate", "0.6"]) == 2
    worded(capsys.readouterr().err, "--win-rate")


@pytest.mark.slow
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


@sampled("how", HOW, most=3, ids=" ".join)
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
    assert "not those of the study" in capsys.readouterr().out
    edited = kept.read_text(encoding="utf-8").replace('"order": "auto"', '"order": "ignore"')
    if "--ignore-order" not in how:
        kept.write_text(edited, encoding="utf-8")
        assert main(["report", str(kept), "--data", str(verdicts), *to]) == DIFFERS


def test_the_page_shows_strengths_and_direct_comparisons(verdicts: Path) -> None:
    at = pages.app()
    at.session_state["session"].load_parts(parts_from(["--data", str(verdicts)]))
    assert at.session_state["session"].home == PREFERENCES  # where it is all that was given
    at = pages.at_page(at.run(), "preferences")
    worded(at.title[0].value, "4 systems")
    assert any("Head to head" in header.value for header in at.header)
    worded(parts((caption.value for caption in at.caption), "shown first"))
    at.session_state["one-pair"] = True
    judged = preferences(str(verdicts))
    shown = list(judged.split("A", "D"))
    assert [name for name, *_ in shown[:2]] == ["A shown first", "D shown first"]
    for some in (shown[:2], shown[2:]):
        assert tuple(map(sum, zip(*(counts for _, *counts in some), strict=True))) == judged.counts("A", "D")
    turned = judged.preferences.where(judged.preferences.first == judged.preferences.systems.index("D"))
    assert shown[1][3] == int(((turned.outcome == 1) & (turned.second == turned.systems.index("A"))).sum())
    worded(parts((one.value for one in at.run().caption), "the order shown"))
    at.session_state["judgements-needed"] = True
    at.run()
    worded(parts((text.value for text in at.markdown), "55%"), "45%")


def test_the_page_says_that_the_order_matters_where_it_shows_it(tmp_path: Path) -> None:
    rows = [f"d{i % 20}\t{a}\t{b}\t{'a' if i % 7 else 'b'}\tab" for i in range(210) for a, b in ("XY", "YX")]
    path = tmp_path / "places.tsv"
    path.write_text("\n".join(["document\tsystem_a\tsystem_b\twinner\torder", *rows]), encoding="utf-8")
    at = pages.app()
    at.session_state["session"].load_parts(parts_from(["--data", str(path)]))
    at = pages.at_page(at.run(), "preferences")
    worded(parts((text.value for text in at.markdown), "86%"))
    assert not any("Elo" in text for text in (*pages.texts(at), *(one.value for one in at.caption)))
    low, high = Places.of(preferences(str(path)).places).panels[0].range
    assert low < 50 < high


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
    worded(at.title[0].value, "4 systems")
    told = " ".join(one.proto.body for one in at.get("html"))
    worded(parts(told, "circular", "this rater", "It is unknown"))
    assert "the next best" not in told
    kept = tmp_path / "study.json"
    assert main(["preferences", "--data", str(path), "-o", str(kept), "-q"]) == 0
    assert main(["report", str(kept), "--to", "markdown", "-o", str(tmp_path / "all"), "-q"]) == 0
    assert "the next best" not in (tmp_path / "all" / "report.md").read_text(encoding="utf-8")


def test_equal_means_of_several_ratings_are_ties() -> None:
    # .1, .2 and .3 have the mean .2, and its last digit is another.
    assert np.mean([0.1, 0.2, 0.3]) != 0.2
    given = RaterScores.of({"r": np.array([[0.2], [0.2]])}, {("r", 0, 0): [0.1, 0.2, 0.3]})
    corpus = Corpus.of(
        {"A": ["a"], "B": ["b"]}, ratings={"esa": Rating(np.array([[0.2], [0.2]]), True, rater_scores=given)}
    )
    assert Preferences.of_ratings(corpus, "esa").outcome.tolist() == [0.0]


def test_two_systems_of_which_every_judgement_is_a_tie_are_called_that_and_have_an_interval() -> None:
    made = preferences(counted({"AB": (0, 20, 0)}))
    worded(made.notes[0].text, "A and B", "20 judgements", "20 items")
    (row,) = made.study.comparisons
    # Items with another result, as frequent as this, are in no sample of 20 with a chance of 2.5%.
    rare = 100 * (1 - 0.025 ** (1 / 20))
    assert stats.binom.pmf(0, 20, rare / 100) == pytest.approx(0.025)
    assert (row.adjusted_ci_low, row.adjusted_ci_high) == pytest.approx((-rare, rare))
    assert ci_text(row) == "−16.8 to 16.8"
    # Shown in one order only, a tie may be an effect of the order that hides a preference.
    whole = made.preferences
    one_order = preferences(replace(whole, ordered=np.ones_like(whole.ordered)))
    worded(verdict(one_order.study.comparisons[0]).withheld_reason)


def test_no_digest_depends_on_the_order_of_rows_nor_do_copies_with_other_margins() -> None:
    rng, found = np.random.default_rng(0), []
    rows: list[dict[str, object]] = [
        {"item": str(i // 2), "document": str(i // 6), "rater": "r", "first": pair[0], "second": pair[1],
         "outcome": int(rng.integers(-1, 2)), "grade": float(rng.integers(1, 4)), "both_bad": bool(rng.random() < 0.5)}
        for i in range(36) for pair in ("BA", "AB", "CA", "BC")
    ]  # fmt: skip
    for _ in range(4):
        data = Preferences.of(rows)
        families = [preferences(data, dual=dual, grades="margin").direct for dual in ("keep", "collapse")]
        values = [round(abs(row.difference), 9) for family in families if family for row in family.by_score()]
        found.append((data.digest, data.collapsed().digest, len(data), len(data.collapsed()), tuple(values)))
        rows = [rows[i] for i in rng.permutation(len(rows))]
    assert len(set(found)) == 1


@pytest.mark.slow
def test_no_sentence_depends_on_the_order_of_rows() -> None:
    rng, beats = np.random.default_rng(2), ["CA", "AB", "BC", "DE", "EF", "FD"]
    rows = [
        {"item": f"{i}", "document": f"d{i // 3}", "rater": f"r{i % 2}", "first": pair[0], "second": pair[1],
         "outcome": float("nan") if i % 9 == 0 else float(rng.choice([1, 1, 0]))}
        for i in range(60) for pair in (*beats, "AD")
    ]  # fmt: skip
    ties = [row | {"outcome": 0} for row in rows]
    for some in (rows, ties):
        told = []
        for _ in range(3):
            made = preferences(Preferences.of([some[i] for i in rng.permutation(len(some))]), model="direct")
            fitted = () if some is ties else preferences(made.preferences).notes
            told.append([note.text for note in (*made.notes, *fitted)])
            told[-1] += [f"{one.first} {one.second} {one.turns}" for one in made.gaps]
            told[-1] += [f"{row.first} {row.second}" for row in made.study.results[0].compared]
        assert told[0] == told[1] == told[2]
