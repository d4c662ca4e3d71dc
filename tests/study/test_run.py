"""Studies, plans, scores and documents over several sets: written, read, refused, made again; one set as before."""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from kept import lacking, parts, worded
from made import flat, made_corpus
from made_sets import documents_of, of, rated_corpus, written

from mtsig import Corpus, Settings, compare, read_sample, verdict
from mtsig.cli import main
from mtsig.collection import Averaging, Sets, measure, score
from mtsig.collection._pairs import average, pair_over_sets, units_over
from mtsig.corpus import slices_of
from mtsig.errors import InvalidOption, NotApplicable, ReadError
from mtsig.metrics import metric
from mtsig.metrics._statistics import Unit
from mtsig.report import EXPORTERS, Document, exported
from mtsig.report._document import best_pair
from mtsig.report._methods import methods_paragraph
from mtsig.report._over_sets import averages_table, spread_text
from mtsig.report._paper import paper_tables
from mtsig.report._shown import shown
from mtsig.study import Request, Study, conduct, study_of, study_schema
from mtsig.study._changes import reproduce, study_changes
from mtsig.study._reading import read_study
from mtsig.study._request import plan_of, plan_text

QUICK = Settings(n_resamples=200)
METRIC = metric("rating:score")


def corpora(count: int = 5, systems: int = 3) -> dict[str, Corpus]:
    """Sets of ratings; all share 60 documents, and one system is missing from the last."""
    rng = np.random.default_rng(5)
    names = documents_of([2] * 60)
    found = {}
    for j in range(count):
        gaps = np.array([[0.0], [0.6], [1.2]])[:systems] + rng.normal(0, 1, (systems, 120))
        kept = systems - (j == count - 1 and systems > 2)
        found[f"set{j}"] = rated_corpus(gaps[:kept], names)
    return found


@pytest.fixture(scope="module")
def sets() -> Sets:
    return Sets.of(corpora())


@pytest.fixture(scope="module")
def study(sets: Sets) -> Study:
    return conduct(sets, Request((METRIC,), QUICK))


# --- scores -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["document", "block", "segment"])
def test_parts_share_the_units_that_reach_into_several(unit: Unit) -> None:
    corpus, documents = read_sample(), np.repeat(np.arange(20), 10)
    if unit != "document":
        corpus = Corpus.of(corpus.outputs, corpus.references)
    parts = [part.inside for part in slices_of(corpus, "length")]
    found = compare(corpus, "sentter", by="length", unit=unit, n_resamples=200)
    unit_of = {"document": documents, "block": np.repeat(np.arange(5), 40), "segment": np.arange(200)}[unit]
    reach = np.sum([np.bincount(unit_of[inside], minlength=unit_of[-1] + 1) > 0 for inside in parts], axis=0)
    assert found.together[0].shared_units == np.count_nonzero(reach > 1)


def test_scores_over_one_set_are_that_sets_and_averages_are_those_of_the_parts() -> None:
    statistics = of(corpora(2, 2))
    found = score(statistics, QUICK)
    for name, one in statistics.of.items():
        assert found.intervals[name].rows() == QUICK.intervals(one).rows()
    assert found.averages is not None
    scores = np.array([one.scores for one in statistics.of.values()])
    assert found.averages.score == pytest.approx(scores.mean(axis=0))
    assert score(of(corpora(1, 2)), QUICK).averages is None


def test_the_spread_of_an_average_score_is_what_leaving_documents_out_of_all_sets_does() -> None:
    # Ratings of equal documents are means: leaving document u out of both sets moves their average by known amounts.
    statistics = of(corpora(2, 2))
    units = units_over(statistics)
    over = pair_over_sets(statistics, units, ["A"], list(statistics.of))
    values = [one.values[0, 0].reshape(60, 2) for one in statistics.of.values()]
    whole = np.mean([one.mean() for one in values])
    left = np.array([np.mean([np.delete(one, u, axis=0).mean() for one in values]) for u in range(60)])
    by_hand = np.sqrt(59 / 60 * np.square(left - whole).sum())
    mean, error, _ = average(over, np.array([0.5, 0.5]))
    assert (mean, error) == pytest.approx((whole, by_hand))
    # A pair moves by what its systems move.
    pair = pair_over_sets(statistics, units, ("A", "B"), list(statistics.of))
    other = pair_over_sets(statistics, units, ["B"], list(statistics.of))
    for own, first, second in zip(pair.moved, over.moved, other.moved, strict=True):
        assert own == pytest.approx(first - second)


def test_only_systems_of_every_set_have_an_average_and_weights_are_those_given(sets: Sets) -> None:
    statistics = measure(sets, METRIC)
    found = score(statistics, QUICK, weights={name: float(name == "set1") for name in sets})
    assert found.averages is not None
    assert found.averages.systems == ("A", "B")
    assert found.systems[-1] == "C"
    assert found.averages.score == pytest.approx(statistics.of["set1"].scores[:2])
    worded(found.notes)
    assert [row["set"] for row in found.rows()][-2:] == [None, None]
    assert "average" in shown(found, "html")


# --- studies ----------------------------------------------------------------------------------------------------------


def test_a_study_is_written_and_read_to_the_byte(study: Study, tmp_path: Path) -> None:
    path = study.save(tmp_path / "several.json")
    again = read_study(path)
    assert again.text() == study.text() == path.read_text(encoding="utf-8")
    assert str(again.rows()) == str(study.rows())
    record = json.loads(path.read_text(encoding="utf-8"))
    assert [one["set"] for one in record["sets"]] == [f"set{j}" for j in range(5)]
    assert len({one["data"]["digest"] for one in record["sets"]}) == 5
    assert all(one["texts"] for one in record["sets"])
    rows = [row["set"] for row in flat(record)["comparisons"]]
    assert rows == [f"set{j}" for j in range(4) for _ in range(3)] + ["set4"] + [None] * 3
    assert Draft202012Validator(study_schema()).is_valid(record)
    assert read_study(path).several


def test_what_is_read_says_what_was_made(sets: Sets, study: Study) -> None:
    again = study_of(study.text())
    documents = [Document(one) for one in (study, again)]
    assert documents[0].tables == documents[1].tables
    assert documents[0].said == documents[1].said
    assert documents[0].methods.text == documents[1].methods.text
    assert repr(again) == "<Study, exploratory: 1 metric (score) on 5 test sets>"


def test_every_set_is_what_it_is_among_the_others(sets: Sets, study: Study) -> None:
    for part in study.sets:
        alone = conduct(sets[str(part.set)], Request((METRIC,), QUICK))
        (own,) = part.results
        assert (part.data, part.texts) == (alone.data, alone.texts)
        assert own.compared.difference.tolist() == alone.results[0].compared.difference.tolist()
        assert own.compared.p_value.tolist() == alone.results[0].compared.p_value.tolist()
        assert own.compared.family_size == 13


def test_per_set_families_in_a_study_are_those_of_studies_of_one_set(sets: Sets) -> None:
    over = Averaging(family="per-set")
    study = conduct(sets, Request((METRIC,), QUICK, sets=over))
    for part in study.sets:
        alone = conduct(sets[str(part.set)], Request((METRIC,), QUICK)).comparisons
        assert tuple(part.results[0].compared) == alone


Edit = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda one: one["over"][0]["comparisons"]["columns"]["difference"].__setitem__(2, 9.0), "own numbers give"),
        (
            lambda one: one["over"][0]["described"].pop(),
            "has no entry for this average",
        ),
        (lambda one: one["sets"][0].__setitem__("set", "set9"), "not the requested ones"),
        (lambda one: one["sets"][0].__setitem__("set", None), "not the requested ones"),
        (lambda one: one["over"][0]["described"][0]["differences"].__setitem__(0, 1.0), "over[0].described[0]"),
        (lambda one: one["request"]["sets"].__setitem__("names", ["set0"]), "not the requested ones"),
        (lambda one: one["request"]["settings"].__setitem__("level", 0.9), "header.level"),
        (lambda one: one.__setitem__("status", "planned"), "'planned'"),
        (lambda one: one["sets"].pop(), "not the requested ones"),
        (lambda one: one["sets"][0]["results"][0].__setitem__("number", 4), "do not belong to the requested metrics"),
        (lambda one: one["over"].pop(), "over does not contain every requested metric"),
    ],
)
def test_an_edited_study_is_refused(study: Study, edit: Edit, said: str) -> None:
    record = json.loads(study.text())
    edit(record)
    with pytest.raises(ReadError) as refused:
        study_of(json.dumps(record))
    assert said in str(refused.value)


def test_studies_of_one_set_and_of_several_are_told_apart(study: Study, sets: Sets, tmp_path: Path) -> None:
    alone = conduct(sets["set0"], Request((METRIC,), QUICK))
    assert (alone.several, alone.over, alone.names) == (False, (), ())
    assert read_study(alone.save(tmp_path / "one.json")).text() == alone.text()
    with pytest.raises(NotApplicable, match="several test sets"):
        _ = study.data
    with pytest.raises(InvalidOption, match="Give the test sets of the study"):
        reproduce(study, sets["set0"])
    with pytest.raises(InvalidOption, match="Give the data of the study"):
        reproduce(alone, sets)  # type: ignore[arg-type]


def test_a_study_is_made_again_and_a_changed_line_is_named_with_its_set(sets: Sets, study: Study) -> None:
    assert reproduce(study, sets).same
    changed = corpora()
    ratings = np.array(changed["set2"].ratings["score"].values)
    ratings[0, 4] += 3
    changed["set2"] = rated_corpus(ratings, documents_of([2] * 60))
    found = reproduce(study, Sets.of(changed))
    assert not found.same
    said = [change.text for change in found.changes]
    assert any(text.startswith("set2: ") and "line 5" in text for text in said)
    assert any("on average" in text for text in said)
    assert not any(text.startswith("set1: ") and "lines" in text for text in said)
    gone = reproduce(study, Sets.of({name: one for name, one in corpora().items() if name != "set0"}))
    assert gone.again is None
    worded(gone.changes[0].text)


def test_changes_between_studies_name_weights_and_averages(sets: Sets, study: Study) -> None:
    over = Averaging(weights={name: 1.0 + j for j, name in enumerate(sets)})
    other = conduct(sets, Request((METRIC,), QUICK, sets=over))
    said = [change.text for change in study_changes(study, other)]
    assert any(text.startswith("request.sets.weights: equal before") for text in said)
    assert any("on average" in text for text in said)
    assert not any(text.startswith("set0: A – B") for text in said)
    assert study_changes(study, study_of(study.text())) == ()


# --- plans ------------------------------------------------------------------------------------------------------------


def test_a_plan_fixes_sets_weights_and_family(sets: Sets) -> None:
    over = Averaging(
        tuple(sets), dict.fromkeys(sets, 1 / 5), units="separate", family="per-set", separate="wilcoxon-holm"
    )
    metrics = (metric("bleu"), metric("chrf"))
    named = Request(metrics, QUICK, sets=Averaging(("a", "b"), own={"a": ("bleu:tokenize=char",)}))
    for one in (Request((METRIC,), QUICK, sets=over), named):
        assert plan_of(plan_text(one)).request == one
    assert named.of_set("a")[0] == metric("bleu:tokenize=char")
    assert named.of_set("a")[1] == named.of_set("b")[1] == metric("chrf")


def test_a_study_keeps_to_its_plan(sets: Sets) -> None:
    plan = plan_of(plan_text(Request((METRIC,), QUICK, sets=Averaging(tuple(sets), "segments"))))
    study = conduct(sets, plan=plan)
    assert study.status == "planned"
    assert all(row.status == "planned" for row in study.comparisons)
    assert study_of(study.text()).analysis_plan == plan
    worded(parts(methods_paragraph(study).text, "a plan"))
    record = json.loads(study.text())
    record["request"]["sets"]["weights"] = "equal"
    with pytest.raises(ReadError, match="differs from the plan"):
        study_of(json.dumps(record))
    with pytest.raises(InvalidOption, match="cannot be changed"):
        conduct(Sets.of(corpora(4)), plan=plan)
    with pytest.raises(InvalidOption, match="several test sets"):
        conduct(sets["set0"], plan=plan)
    of_one = plan_of(plan_text(Request((METRIC,), QUICK)))
    with pytest.raises(InvalidOption, match="covers one test set only"):
        conduct(sets, plan=of_one)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ('[sets]\nnames = ["a"]\nweights = "half"', "weights"),
        ("[sets]", "must have names"),
        ('[sets]\nnames = ["a"]\nwheights = 1', "no key called 'wheights'"),
        ('[sets]\nnames = ["a"]\nown = { b = ["bleu"] }', "not among the sets"),
        ('[sets]\nnames = ["a"]\nown = { a = ["ter"] }', "is not among the metrics"),
        ('[sets]\nnames = ["a", "b"]\nweights = { a = 1 }', "missing: b"),
        ('[sets]\nnames = ["a"]\nweights = { a = -1 }', "non-negative"),
        ("sets = 3", "must be a table"),
        ('[sets]\nnames = ["a"]\n[equivalence]\nbleu = 1', "cannot have margins"),
    ],
)
def test_a_plan_of_sets_that_is_none_is_refused(table: str, said: str) -> None:
    with pytest.raises((ReadError, InvalidOption)) as refused:
        plan_of(f'metrics = ["bleu"]\n{table}')
    assert said in str(refused.value)


# --- documents --------------------------------------------------------------------------------------------------------


def test_every_format_writes_several_sets(study: Study) -> None:
    formats = [name for name in EXPORTERS if name not in ("pdf", "svg", "png", "pgf")]
    files = exported(Document(study), formats).files
    page, report = files["report.html"].decode(), files["report.md"].decode()
    for text in (page, report):
        assert "verage over these" in text
        worded(parts(text, "random sample"))
    assert "<td>set3</td>" in page
    tables = files["tables.tex"].decode()
    assert "set0 & set1 & set2 & set3 & set4 & average" in tables
    assert r"\label{tab:averages-score}" in tables
    rows = list(csv.DictReader(io.StringIO(files["comparisons.csv"].decode())))
    assert [row["set"] for row in rows][-3:] == ["", "", ""]
    assert files["study.json"].decode() == study.text()
    assert exported(Document(study), formats).files == files
    bibliography = files["references.bib"].decode()
    for key in ("benjamini-heller-2008", "paule-mandel-1982", "hartung-knapp-2001", "hotelling-1931", "holm-1979"):
        assert f"{{{key}," in bibliography


def test_rows_and_tables_are_by_score_with_one_order_for_all_sets(study: Study) -> None:
    document, result = Document(study), study.over[0]
    assert result.compared.averages is not None
    order = result.compared.averages.order
    for set_name in (*result.compared.families, None):
        pairs = [(row["first"], row["second"]) for row in document.rows["comparisons"] if row["set"] == set_name]
        places = [(order.index(first), order.index(second)) for first, second in pairs]
        assert places == sorted(places)
        assert all(first < second for first, second in places) or len(pairs) == 1
        scores = [row["score"] for row in document.rows["scores"] if row["set"] == set_name]
        assert scores == sorted(scores, reverse=True)
    (table,) = [table for table in document.tables if table.name == "sets-score"]
    assert [row[1].value for row in table.rows][:3] == [order[0], order[0], order[1]]


def test_the_pair_that_is_drawn_shares_the_most_sets_and_each_average_says_of_how_many(study: Study) -> None:
    # C is the best, and not in the last set.
    compared = study.over[0].compared
    assert compared.averages is not None
    assert compared.averages.order[0] == "C"
    assert set(best_pair(compared)) == {"A", "B"}
    table = averages_table(compared)
    at = {name: place for place, name in enumerate(table.names)}
    counts = {row[at["of sets"]].value for row in table.rows if "C" in (row[0].value, row[1].value)}
    assert counts == {4}
    alone = replace(compared.described[0], sets=compared.described[0].sets[:1])
    assert spread_text(compared.averages[0], alone) == ""


def test_the_table_of_a_paper_marks_the_group_in_every_column_and_on_average(study: Study) -> None:
    table = paper_tables(study)[0]
    assert table.header == ("system", *(f"set{j}" for j in range(5)), "average")
    result = study.over[0]
    averages = result.compared.averages
    assert averages is not None
    by_system = {row[0].value: row for row in table.rows}
    # C is not in the last set: it has no average, and no place in that column.
    assert by_system["C"][-1].value is None
    assert by_system["C"][-2].value is None
    best = max("AB", key=lambda name: by_system[name][-1].value)
    other = "A" if best == "B" else "B"
    assert by_system[best][-1].bold
    at = averages.find(best, other)
    assert at is not None
    assert (by_system[other][-1].mark == "†") == (averages.p_adjusted[at] > 0.05)


def test_methods_name_sets_weights_units_and_family(sets: Sets) -> None:
    over = Averaging(weights="segments", units="separate", family="per-set")
    text = methods_paragraph(conduct(sets, Request((METRIC,), QUICK, sets=over))).text
    worded(text, "5 test", "120 segments", "60 documents", "5 sets", "Holm's")
    assert "weights:segments" in text
    shared = methods_paragraph(conduct(sets, Request((METRIC,), QUICK))).text
    assert not lacking(shared, "60 units", "several sets")
    worded(shared, "13 comparisons")


# --- the front door ---------------------------------------------------------------------------------------------------


def test_the_front_door_takes_sets_by_name(sets: Sets, study: Study, tmp_path: Path) -> None:
    found = compare(corpora(), "rating:score", n_resamples=200)
    assert found.text() == study.text()
    assert [path.name for path in found.report(tmp_path / "report.html")] == ["report.html"]
    assert found.report(tmp_path / "s.json") == [tmp_path / "s.json"]
    assert "verage" in shown(found, "html")
    named = {name: float(j) for j, name in enumerate(sets)}
    weighed = compare(sets, averaging=Averaging(weights=named), baseline="A", n_resamples=200)
    assert weighed.over[0].compared.described[0].weights[0] == 0
    refused: list[tuple[Callable[[], object], str]] = [
        (lambda: compare(sets, joined=True), "leave joined out"),
        (lambda: compare({**corpora(), "x": "lines"}), "Give the test sets by their names"),
        (lambda: compare(read_sample(), averaging=Averaging()), "leave averaging out"),
        (lambda: Averaging(family="one"), "family is joint or per-set"),  # type: ignore[arg-type]
        (lambda: compare(sets, averaging=Averaging(weights={"set0": 1.0})), "missing: set1"),
        (lambda: Averaging(weights=dict.fromkeys("AB", "x")), "must be non-negative numbers"),  # type: ignore[arg-type]
        (lambda: compare(sets, averaging=Averaging(own={"nowhere": ("bleu",)})), "not among the sets"),
    ]
    for ask, said in refused:
        with pytest.raises(InvalidOption) as told:
            ask()
        assert said in str(told.value)


# --- the shell --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sets")
    for name in ("en-cs", "en-de"):
        written(folder / name, 30, 3)
        for i in range(3):
            text = "".join(f"ref line {k if (k * 7 + i * 5) % 9 > i + 1 else 'lost'}\n" for k in range(30))
            (folder / name / "systems" / f"s{i}.txt").write_text(text)
    return folder


def test_save_report_and_plan_in_the_shell(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved, plan = tmp_path / "several.json", tmp_path / "plan.toml"
    fixed = [
        "plan",
        "--metric",
        "chrf",
        "--resamples",
        "300",
        "--set",
        "en-cs",
        "en-de",
        "--weights",
        "en-cs=3",
        "en-de=1",
    ]
    assert main(fixed) == 0
    plan.write_text(capsys.readouterr().out)
    assert main(["plan", str(plan)]) == 0
    worded(parts(capsys.readouterr().out, "2 test sets"), "en-cs and en-de")
    assert main(["compare", "--set", str(root), "--plan", str(plan), "--out", str(saved)]) == 0
    study = read_study(saved)
    assert study.status == "planned"
    assert study.over[0].compared.described[0].weights == (0.75, 0.25)
    capsys.readouterr()
    assert main(["report", str(saved), "--set", str(root), "--to", "markdown", "--out", str(tmp_path / "out")]) == 0
    assert "Reproduced exactly" in capsys.readouterr().out
    worded(parts((tmp_path / "out" / "report.md").read_text(encoding="utf-8"), "en-cs 0.75"), "en-de 0.25")
    assert main(["report", str(saved), "--since", str(saved)]) == 0
    refused = [
        (["compare", "--set", str(root), "--plan", str(plan), "--weights", "equal"], "fixes --weights"),
        (["compare", "--data", str(root / "en-cs"), "--plan", str(plan)], "several test sets"),
        (["compare", "--set", str(root / "en-cs"), "--plan", str(plan)], "cannot be changed"),
        (["compare", "--set", str(root), "--statement", "all"], "--statement combines metrics on one whole test set"),
        (["report", str(saved), "--data", str(root / "en-cs")], "Give them with --set"),
        (["plan", str(plan), "--weights", "equal"], "found both"),
        (["plan", "--weights", "equal"], "--weights needs --set"),
        (["score", "--data", str(root / "en-cs"), "--sharing", "separate"], "--sharing needs --set"),
        (["score", "--set", str(root), "--data", "x"], "--set and --data do not go together"),
    ]
    for given, said in refused:
        assert main(given) == 2, given
        assert said in capsys.readouterr().err


def test_scores_of_several_sets_in_the_shell(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [
        "score",
        "--set",
        str(root),
        "--metric",
        "chrf",
        "--for",
        "en-de",
        "chrf:lowercase=yes",
        "--resamples",
        "100",
    ]
    assert main(asked) == 0
    shown = capsys.readouterr().out
    assert "average" in shown
    assert "case:lc" in shown
    assert main([*asked, "--format", "json"]) == 0
    bundle = json.loads(capsys.readouterr().out)
    assert [row["set"] for row in bundle["systems"]] == ["en-cs"] * 3 + ["en-de"] * 3 + [None] * 3
    odd = tmp_path / "odd"
    written(odd, 3, 2)
    (odd / "systems" / "s0.txt").write_text("one line\n")
    asked += ["--set", str(odd)]
    assert main(asked) == 2
    assert "odd: " in capsys.readouterr().err
    assert main([*asked, "--skip-broken"]) == 0
    worded(capsys.readouterr().err, "1 set")


def test_over_several_sets_misaligned_lines_withhold_the_verdicts_of_their_own_set() -> None:
    right = made_corpus(n=240, systems=2, documents=24)
    lines = list(right.lines("sys1"))
    shifted = replace(right, outputs={**right.outputs, "sys1": (*lines[:100], *lines[101:], "")})
    request = Request((metric("chrf"),), Settings(n_resamples=500))
    study = conduct(Sets.of({"right": right, "shifted": shifted}), request)
    decided = {part.set: verdict(part.results[0].compared[0]) for part in study.sets}
    assert decided["right"].withheld is None
    assert decided["shifted"].withheld == "misaligned"
    worded(decided["shifted"].withheld_reason)


def test_a_part_without_misaligned_lines_gets_its_verdict() -> None:
    right = made_corpus(n=240, systems=2, documents=24)
    lines = list(right.lines("sys1"))
    shifted = replace(
        right,
        outputs={**right.outputs, "sys1": (*lines[:120], *lines[121:], "")},
        segments=replace(right.segments, domains=("first",) * 120 + ("second",) * 120),
    )
    study = conduct(shifted, Request((metric("chrf"),), Settings(n_resamples=500), by="domain"))
    withheld = {part.set: verdict(part.results[0].compared[0]).withheld for part in study.sets}
    assert withheld == {"first": None, "second": "misaligned"}


@pytest.mark.parametrize(
    ("settings", "systems", "said"),
    [
        (Settings(), 170, "14,365 comparisons × 10,000 resamples do not fit in memory"),
        (QUICK, 201, "20,100 comparisons of 201 systems are too many"),
    ],
)
def test_too_many_comparisons_are_refused_before_anything_is_counted(
    settings: Settings, systems: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    corpus = Corpus.of({f"s{i}": [f"a {i}", f"b {i}"] for i in range(systems)}, {"ref": ["a 1", "b 2"]})
    request = Request((metric("chrf"),), settings)

    def counted(*_: object, **__: object) -> None:
        raise AssertionError("it was counted")

    for place in ("mtsig.study._run.measure", "mtsig.study._run.measured_over", "mtsig.cli._reading.measure"):
        monkeypatch.setattr(place, counted)
    with pytest.raises(NotApplicable, match=said):
        conduct(corpus, request)
    with pytest.raises(NotApplicable, match=said):
        conduct(Sets.of({"one": corpus, "two": corpus}), request)
    rows = [f"s{i}\t{n}\t{letter} {i}\t{letter} 1" for i in range(systems) for n, letter in enumerate("ab", 1)]
    (tmp_path / "a.tsv").write_text("\n".join(["system\tsegment\toutput\treference", *rows]) + "\n")
    asked = ["compare", "--data", str(tmp_path / "a.tsv"), "--metric", "chrf"]
    assert main([*asked, "--resamples", str(settings.n_resamples)]) == 2
    assert said in capsys.readouterr().err
