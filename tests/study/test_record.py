"""Studies: written, read and made again to the digit; a changed line is found and named."""

import hashlib
import json
import os
import pickle
import random
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from kept import worded
from made import ROOT, flat, made_corpus, made_ratings, made_statistics, put, sealed, with_rows

import mtsig
from mtsig import Corpus, Settings, measure, metric, ranks, read, verdict
from mtsig.cli import main
from mtsig.corpus import Rating
from mtsig.corpus._corpus import Segments
from mtsig.errors import InvalidOption, ReadError
from mtsig.inference._ranks import rankable
from mtsig.metrics import METRICS, Bleu, Metric
from mtsig.readers._read import sample_folder
from mtsig.report import EXPORTERS, Document
from mtsig.report._bundle import plain
from mtsig.report._paper import paper_tables
from mtsig.resampling import Bootstrap
from mtsig.study import Change, Margin, Request, Study, conduct, study_of, study_schema
from mtsig.study._changes import are_roundings, reproduce, reproduced_text, reproduction_text, study_changes
from mtsig.study._reading import read_study
from mtsig.study._request import choice_of
from mtsig.study._run import record

QUICK = Settings(n_resamples=300)
REQUEST = Request((metric("bleu"), metric("chrf")), QUICK, margins=(Margin("bleu", "equivalence", 1.5),))


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return made_corpus(n=60, systems=4, documents=12)


@pytest.fixture(scope="module")
def study(corpus: Corpus) -> Study:
    return conduct(corpus, REQUEST)


def with_line(corpus: Corpus, system: str, line: int, text: str) -> Corpus:
    lines = list(corpus.lines(system))
    lines[line] = text
    return replace(corpus, outputs={**corpus.outputs, system: tuple(lines)})


def texts(changes: tuple[Change, ...], kind: str) -> list[str]:
    return [one.text for one in changes if one.kind == kind]


# --- what a study holds ---------------------------------------------------------------------------------------


def test_the_record_holds_every_row_as_the_families_have_it(corpus: Corpus, study: Study) -> None:
    families = QUICK.families([measure(corpus, one) for one in REQUEST.metrics])
    rows = [plain(row) for family in families for row in family.rows()]
    for row, shown in zip(flat(study.plain())["comparisons"], rows, strict=True):
        assert {key: row[key] for key in shown} == shown


def test_results_come_back_as_they_went_in(corpus: Corpus, study: Study) -> None:
    statistics = measure(corpus, "chrf")
    family = QUICK.families([measure(corpus, "bleu"), statistics])[1]
    found = study.results[1]
    assert tuple(found.compared) == tuple(family)
    assert [verdict(one) for one in found.compared] == [verdict(one) for one in family]
    assert found.compared.order == family.order
    assert (found.compared.unit, found.compared.family_size) == ("document", 6)
    assert found.compared.complete == family.complete
    scored = QUICK.intervals(statistics)
    for name in ("score", "ci_low", "ci_high"):
        assert np.array_equal(getattr(found.scored, name), getattr(scored, name))
    assert (found.scored.systems, found.scored.unit, found.scored.n_units) == (scored.systems, "document", 12)
    assert rankable(family)
    assert found.places is not None
    assert found.places.rows() == ranks(family).rows()


def test_digests_are_those_that_the_schema_describes(corpus: Corpus, study: Study) -> None:
    lines = list(corpus.lines("sys1"))
    text = next(one for one in flat(study.plain())["texts"] if (one["role"], one["name"]) == ("system", "sys1"))
    whole = json.dumps(lines, ensure_ascii=True, separators=(",", ":")).encode()
    assert text["digest"] == "sha256:" + hashlib.sha256(whole).hexdigest()
    signs = b64encode(hashlib.sha256(lines[7].encode()).digest()[:3]).decode()
    assert text["lines"][28:32] == signs
    assert len(text["lines"]) == 4 * len(lines)


def test_the_recipe_names_the_first_draws(study: Study) -> None:
    weights = next(Bootstrap(10, QUICK.seed).blocks(12))
    assert weights.shape == (10, 12)
    digest = hashlib.sha256(weights.astype("<u2").tobytes()).hexdigest()
    assert flat(study.plain())["metrics"][0]["first_draws"]["resampling"] == f"sha256:{digest}"


def test_a_study_holds_no_date(study: Study) -> None:
    assert not [key for key in study.plain() if "date" in key or "time" in key]


# --- the round trip ---------------------------------------------------------------------------------------------


def test_writing_and_reading_gives_the_same_study(study: Study) -> None:
    again = study_of(study.text())
    assert again.plain() == study.plain()
    assert again.text() == study.text()
    assert again.asked == study.asked == REQUEST
    assert [tuple(one.compared) for one in again.results] == [tuple(one.compared) for one in study.results]
    assert [one.margins for one in again.results] == [one.margins for one in study.results]
    assert study_changes(study, again) == ()
    assert again == study


def test_a_study_from_another_process_is_the_same_where_numbers_are_missing(study: Study) -> None:
    missing = replace(study.comparisons[0], p_jackknife=float("nan"))
    other = with_rows(study, compared=(missing, *study.results[0].compared.records[1:]))
    sent = pickle.loads(pickle.dumps(other))
    assert sent.comparisons[0] == missing
    assert hash(sent.comparisons[0]) == hash(missing)


def test_studies_of_other_numbers_are_not_equal(study: Study) -> None:
    assert altered(study, 0) == study
    assert altered(study, 1e-3) != study


def test_making_it_again_gives_the_same_bytes(corpus: Corpus, study: Study) -> None:
    found = reproduce(study_of(study.text()), corpus)
    assert found.same
    assert found.again is not None
    assert found.again.text() == study.text()
    assert reproduction_text(found).startswith("Reproduced exactly")


def altered(study: Study, share: float) -> Study:
    """Return the study with the upper ends of two intervals another by this share of them."""
    content = json.loads(study.text())
    for table in ("comparisons", "systems"):
        put(content, table, 0, "ci_high", lambda high: high * (1 + share))
    return study_of(sealed(content))


def test_last_digits_that_a_processor_makes_are_no_failure(corpus: Corpus, study: Study) -> None:
    # The most that logarithms of another processor changed in 90 comparisons of real data was 4e-13.
    found = reproduce(altered(study, 4e-13), corpus)
    assert (found.same, [change.kind for change in found.changes]) == (True, ["rounding"])
    worded(reproduction_text(found))
    worded(found.changes[0].text, "2 results")
    worse = reproduce(altered(study, 1e-7), corpus)
    assert (worse.same, {change.kind for change in worse.changes}) == (False, {"number"})
    worded(reproduction_text(worse), "2 results")


def test_of_a_difference_of_nearly_nothing_all_digits_are_the_last(study: Study) -> None:
    def kinds(old: float, new: float) -> set[str]:
        row, *others = study.results[0].compared
        nearly = [with_rows(study, compared=(replace(row, difference=d), *others)) for d in (old, new)]
        return {change.kind for change in study_changes(*nearly)}

    assert kinds(1e-15, 1.4e-14) == kinds(-1e-13, -1e-15) == {"rounding"}
    # Which of the two is ahead is said in words.
    assert kinds(0.0, 1e-6) == kinds(-1e-15, 0.0) == kinds(-1e-15, 1e-15) == {"number"}


def test_a_verdict_that_turns_is_no_rounding_however_little_its_p_changed(study: Study) -> None:
    pair, *pairs = study.results[0].compared
    of_margin, *margins = study.margins
    few = 0.05 * (1 - 1e-10), 0.05 * (1 + 1e-10)
    rows = [
        replace(pair, ci_low=0.1, p_value=0.04, p_adjusted=p, p_adjusted_mc_low=p, p_adjusted_mc_high=p) for p in few
    ]
    held = [replace(of_margin, p_adjusted=p) for p in few]
    for one, other in (
        [with_rows(study, compared=(row, *pairs)) for row in rows],
        [with_rows(study, against=(row, *margins)) for row in held],
    ):
        changes = study_changes(one, other)
        assert "verdict" in {change.kind for change in changes}
        assert not are_roundings(changes)


def test_a_study_of_one_processor_is_made_again_by_another(tmp_path: Path) -> None:
    features = np.show_config(mode="dicts")["SIMD Extensions"].get("found")  # type: ignore[call-overload]
    if not features:
        pytest.skip("this processor has nothing that numpy could do without")
    data, kept = ROOT / "sample_data" / "es-en", tmp_path / "study.json"
    assert main(["compare", "--metric", "bleu", "--resamples", "1000", "--out", str(kept), "--data", str(data)]) == 0
    done = subprocess.run(
        [sys.executable, "-m", "mtsig", "report", str(kept), "--to", "json", "--data", str(data)],
        env={**os.environ, "NPY_DISABLE_CPU_FEATURES": " ".join(features)}, capture_output=True, text=True,
        cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Reproduced")


def test_it_is_made_again_from_a_path(tmp_path: Path) -> None:
    for name, lines in {"ref.txt": "a b\nc d\ne f\n", "x.txt": "a b\nc\ne\n", "y.txt": "b\nc d\nf\n"}.items():
        (tmp_path / name).write_text(lines, encoding="utf-8")
    study = conduct(read(tmp_path), Request((metric("chrf"),), QUICK))
    assert reproduce(study, tmp_path).same
    assert reproduce(study, str(tmp_path)).same
    (tmp_path / "x.txt").write_text("a b\nc\nchanged\n", encoding="utf-8")
    assert texts(reproduce(study, tmp_path).changes, "data")


def test_more_systems_and_another_order_do_not_matter(corpus: Corpus) -> None:
    study = conduct(corpus.select(["sys2", "sys0"]), Request((Bleu(),), QUICK))
    assert reproduce(study, corpus).same


@pytest.mark.parametrize("pairs", ["all", "sys2", (("sys3", "sys0"), ("sys1", "sys2"))])
@pytest.mark.parametrize("settings", [
    Settings(n_resamples=100, test="ij-t", correction="holm", level=0.9),
    Settings(n_resamples=100, test="bootstrap-koehn"),
    Settings(n_resamples=100, unit="segment", interval="percentile", seed=3),
])  # fmt: skip
def test_every_kind_of_request_comes_back(corpus: Corpus, settings: Settings, pairs: Any) -> None:
    request = Request((metric("bleu:tokenize=char,lowercase=true"), metric("ter")), settings, pairs, joined=True)
    study = conduct(corpus, request)
    again = study_of(study.text())
    assert again.asked == request
    assert reproduce(again, corpus).same
    for one, other in zip(study.results, again.results, strict=True):
        # NaN is not equal to itself: as text it is.
        assert str(list(one.compared)) == str(list(other.compared))


def test_numbers_that_do_not_exist_are_null_and_come_back(corpus: Corpus) -> None:
    study = conduct(corpus, Request((Bleu(),), Settings(n_resamples=100, test="bootstrap-koehn")))
    assert flat(study.plain())["comparisons"][0]["p_value"] is None
    assert np.isnan(study_of(study.text()).results[0].compared[0].p_value)


@pytest.mark.parametrize("name", sorted(METRICS))
def test_metrics_are_written_so_that_they_come_back(name: str) -> None:
    assert metric(choice_of(METRICS[name]) or "") == METRICS[name]


def test_a_metric_without_a_name_is_shown_but_not_made_again(corpus: Corpus) -> None:
    class Mine(Bleu):
        pass

    assert choice_of(Mine()) is None
    study = study_of(conduct(corpus, Request((Mine(),), QUICK)).text())
    assert len(study.results[0].compared) == 6
    with pytest.raises(InvalidOption, match="no name in METRICS"):
        reproduce(study, corpus)


def test_results_computed_elsewhere_are_recorded_as_if_conducted(corpus: Corpus) -> None:
    # The dashboard computes one metric at a time.
    statistics = measure(corpus, "bleu")
    request = Request((Bleu(),), QUICK)
    kept = record(corpus, request, [QUICK.intervals(statistics)], [QUICK.family(statistics)])
    assert kept.text() == conduct(corpus, request).text()


def test_ratings_have_fingerprints_of_their_own() -> None:
    values = np.array([[1.0, np.nan, 3.0], [2.0, 2.5, 1.0]])
    rated = Corpus(
        Segments(3), {}, {"a": (), "b": ()}, {}, ratings={"mqm": Rating(values, higher_is_better=True)}
    )  # fmt: skip
    from mtsig.study._differences import data_changes, fingerprints

    changed = values.copy()
    changed[1, 2] = 1.5
    other = replace(rated, ratings={"mqm": Rating(changed, higher_is_better=True)})
    (text,) = data_changes(fingerprints(rated), fingerprints(other), other)
    worded(text)
    assert "line 3" in text


# --- what differs is named --------------------------------------------------------------------------------------


def test_a_changed_line_is_found_and_named(corpus: Corpus, study: Study) -> None:
    found = reproduce(study, with_line(corpus, "sys2", 41, "quite another line"))
    (text,) = texts(found.changes, "data")
    assert "system 'sys2'" in text
    assert "line 42" in text
    assert "'quite another line'" in text
    assert not found.same
    changed = texts(found.changes, "number")
    worded(changed)
    assert not any(one.startswith("BLEU of sys1") for one in changed)
    worded(reproduction_text(found))


def test_a_changed_line_that_changes_no_number_is_named_too(corpus: Corpus, study: Study) -> None:
    # BLEU and chrF see no trailing space.
    found = reproduce(study, with_line(corpus, "sys2", 3, corpus.lines("sys2")[3] + " "))
    assert [one.kind for one in found.changes] == ["data"]
    worded(reproduction_text(found))


def test_many_changed_lines_are_counted(corpus: Corpus, study: Study) -> None:
    lines = [f"{line} more" for line in corpus.lines("sys0")]
    changed = replace(corpus, outputs={**corpus.outputs, "sys0": tuple(lines)})
    (text,) = texts(reproduce(study, changed).changes, "data")
    worded(text, "1", "2", "3", "4", "5")
    assert "60 of 60" in text


def test_a_missing_line_is_found(corpus: Corpus, study: Study) -> None:
    shorter = corpus.take([i for i in range(60) if i != 17])
    found = reproduce(study, shorter)
    named = [one for one in texts(found.changes, "data") if one.startswith("The ")]
    assert len(named) == len(study.texts)
    worded(named, "60 lines", "59", "18")


def test_a_renamed_system_is_recognised(corpus: Corpus, study: Study) -> None:
    outputs = {("ours" if name == "sys1" else name): lines for name, lines in corpus.outputs.items()}
    found = reproduce(study, Corpus.of(outputs, corpus.references, documents=corpus.documents))
    assert found.again is None
    worded(texts(found.changes, "data"), "'sys1'", "'ours'")
    worded(reproduction_text(found))


def test_changed_documents_are_found(corpus: Corpus, study: Study) -> None:
    documents = list(corpus.documents or ())
    documents[0] = "another"
    found = reproduce(study, replace(corpus, segments=replace(corpus.segments, documents=tuple(documents))))
    worded(texts(found.changes, "data"), "1")


def test_missing_documents_are_found(corpus: Corpus, study: Study) -> None:
    found = reproduce(study, replace(corpus, segments=replace(corpus.segments, documents=None)))
    worded(texts(found.changes, "data"))


def test_another_number_with_the_same_data_is_named_with_the_versions(corpus: Corpus, study: Study) -> None:
    edited = json.loads(study.text())
    put(edited, "systems", 2, "score", lambda score: score + 1e-7)
    edited["made_with"]["numpy"] = "0.1"
    found = reproduce(study_of(sealed(edited)), corpus)
    (text,) = texts(found.changes, "number")
    worded(text)
    assert text.count("before") == 1  # as many digits as tell the two apart
    worded(texts(found.changes, "program"), "0.1 before")
    assert "1 result differs" in reproduction_text(found)


def test_data_that_no_longer_carry_the_analysis_are_named_all_the_same(corpus: Corpus) -> None:
    study = conduct(corpus, Request((Bleu(),), Settings(n_resamples=100, unit="document")))
    few = replace(corpus, segments=replace(corpus.segments, documents=("one",) * 60))
    found = reproduce(study, few)
    assert found.again is None
    assert any("document was changed" in text for text in texts(found.changes, "data"))
    worded(texts(found.changes, "number"))


def test_a_pair_that_cannot_be_tested_against_a_margin_is_not_shown(corpus: Corpus) -> None:
    outputs = {**corpus.outputs, "odd": tuple("nothing in common" for _ in range(60))}
    study = conduct(Corpus.of(outputs, corpus.references), replace(REQUEST, settings=QUICK))
    odd = [one for one in study.results[0].margins if "odd" in (one.first, one.second)]
    assert len(odd) == 4
    assert {one.established for one in odd} == {None}
    worded((one.withheld_reason for one in odd), "'odd'", "1-gram match")
    assert all(one.family_size == 10 for one in study.results[0].margins)
    assert study_of(study.text()).plain() == study.plain()


# --- two studies ------------------------------------------------------------------------------------------------


def test_two_studies_differ_in_settings_and_numbers(corpus: Corpus, study: Study) -> None:
    other = conduct(corpus, replace(REQUEST, settings=Settings(n_resamples=500, correction="bonferroni")))
    found = study_changes(study, other)
    assert texts(found, "data") == []
    worded(texts(found, "request"), "300 before", "500 now")
    assert any("p adjusted" in text for text in texts(found, "number"))
    assert not any("score" in text for text in texts(found, "number"))


def test_a_changed_verdict_is_told_with_both_p_values(corpus: Corpus, study: Study) -> None:
    row, *others = study.results[0].compared
    p = {
        "p_value": 0.9,
        "p_mc_low": 0.9,
        "p_mc_high": 0.9,
        "p_adjusted": 0.9,
        "p_adjusted_mc_low": 0.9,
        "p_adjusted_mc_high": 0.9,
    }
    now = replace(row, ci_low=-1, ci_high=3, difference=1.0, **p)
    few = {"p_value": 0.01, "p_mc_low": 0.01, "p_mc_high": 0.01, "p_adjusted": 0.02, "p_adjusted_mc_low": 0.02}
    better = replace(now, ci_low=1, p_adjusted_mc_high=0.02, **few)
    before, after = (with_rows(study, compared=(one, *others)) for one in (better, now))
    (text,) = texts(study_changes(before, after), "verdict")
    worded(text, "sys0 – sys1", "(p .0200)", "(p .9000)")


def test_pairs_that_came_or_went_are_told(corpus: Corpus) -> None:
    few, many = (conduct(corpus, Request((Bleu(),), QUICK, pairs)) for pairs in ("sys0", "all"))
    came, went = texts(study_changes(few, many), "verdict"), texts(study_changes(many, few), "verdict")
    assert sum("in BLEU: not compared before" in text for text in came) == 3
    assert sum("not compared now" in text for text in went) == 3
    worded(texts(study_changes(few, many), "metric"), "3 before", "6 now")


def test_a_pair_seen_from_the_other_side_is_the_same_pair(corpus: Corpus) -> None:
    one, other = (
        conduct(corpus, Request((Bleu(),), QUICK, pairs)) for pairs in ((("sys0", "sys1"),), (("sys1", "sys0"),))
    )
    assert [change.kind for change in study_changes(one, other)] == ["request"]


def test_another_metric_is_told(corpus: Corpus) -> None:
    one, other = (conduct(corpus, Request((metric(name),), QUICK)) for name in ("bleu", "chrf"))
    worded(texts(study_changes(one, other), "metric"))


# --- reading refuses ---------------------------------------------------------------------------------------------


FIRST = ("sets", 0, "results", 0)


def broken(study: Study, *path: Any, value: Any) -> str:
    edited = json.loads(study.text())
    at = edited
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return json.dumps(edited)


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ((*FIRST, "comparisons", "columns", "p_value", 3), "small", r"comparisons\.columns\.p_value\[3\]"),
        (("schema",), "mtsig/2", r"reads mtsig/3 alone"),
        ((*FIRST, "systems", "columns", "score", 0), [], r"systems\.columns\.score\[0\]"),
        ((*FIRST, "systems", "columns", "score"), [1.0], r"at .*systems\.columns\.score: expected 4 values, found 1"),
        (("request", "settings", "test"), "no-such", "no-such"),
        (("request", "settings", "extra"), 1, "no setting called 'extra'"),
        (("request", "margins", 0, "points"), -1, "margins"),
        ((*FIRST, "comparisons", "columns", "first", 0), "nobody", "'nobody' is not among the data's systems"),
        ((*FIRST, "comparisons", "header", "level"), 0.9, r"header\.level: the file has 0\.9, but the study 0\.95"),
        (("sets", 0, "texts", 0, "lines"), "abc", r"texts\[0\]\.lines"),
        (("status",), "planned", "but the study 'planned'"),
    ],
)
def test_a_file_that_is_no_study_is_refused_with_the_place(study: Study, path: Any, value: Any, said: str) -> None:
    with pytest.raises(ReadError, match=said):
        study_of(broken(study, *path, value=value), "mine.json")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "line 1"),
        (b"{\n \"a\": }", "line 2: not valid JSON"),
        (b"[]", "no key called schema"),
        (b'{"schema": "mtsig/3"}', "not a study of comparisons"),
        (b"\xff{}", "not valid UTF-8"),
        (b'{"schema": NaN}', "NaN is not a JSON number"),
        (b"[" * 100_000, r"mine\.json, line 1: .*nested too deeply"),
        (b'{"a": \n' * 100_000, r"mine\.json: .*nested too deeply"),
        (b'{"seed": -' + b"9" * 5000 + b"}", r"mine\.json, line 1: not valid JSON \(a number of 5,000 digits\)\."),
    ],
)  # fmt: skip
def test_text_that_is_no_study_is_refused(text: bytes, said: str) -> None:
    with pytest.raises(ReadError, match=said):
        study_of(text, "mine.json")


def places_in(record: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to every value, of lists to the first two."""
    if path:
        yield path
    if isinstance(record, dict):
        for key, value in record.items():
            yield from places_in(value, (*path, key))
    elif isinstance(record, list):
        for position, value in enumerate(record[:2]):
            yield from places_in(value, (*path, position))


@pytest.mark.parametrize(
    ("seed", "edits"), [(0, 20), *(pytest.param(seed, 300, marks=pytest.mark.slow) for seed in range(1, 4))]
)
def test_whatever_a_file_holds_it_is_refused_or_can_be_written_up(study: Study, seed: int, edits: int) -> None:
    draw = random.Random(seed)
    places = list(places_in(study.plain()))
    values = [None, 0, -1, 2.5, "", "all", [], {}, True, ["a"], {"a": 1}, 10**20]
    for _ in range(edits):
        edited = json.loads(study.text())
        *path, last = draw.choice(places)
        at = edited
        for key in path:
            at = at[key]
        if draw.random() < 0.3:
            del at[last]
        else:
            at[last] = draw.choice(values)
        try:
            found = study_of(json.dumps(edited))
        except ReadError:
            continue
        study_changes(study, found)
        document = Document(found)
        for name in ("latex", "markdown", "csv", "xlsx"):
            assert EXPORTERS[name](document).files
        for picture in document.pictures.values():
            assert picture.screen().data


def test_a_key_that_a_later_program_added_is_no_trouble(corpus: Corpus, study: Study) -> None:
    assert reproduce(study_of(sealed({**study.plain(), "later": {"a": 1}})), corpus).same


def test_every_key_of_the_record_is_described(study: Study) -> None:
    schema, written = study_schema(), study.plain()
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(written)
    described = schema["$defs"]
    assert set(written) == set(described["Study"]["properties"])
    assert set(written["sets"][0]) == set(described["OneSet"]["properties"])
    result = written["sets"][0]["results"][0]
    assert set(result) == set(described["MetricResult"]["properties"])
    for key, kind in (("systems", "Intervals"), ("comparisons", "Family"), ("ranks", "Ranks")):
        assert set(result[key]) == set(described[kind]["properties"])
        columns = described[f"{kind}Columns"]["properties"]
        assert set(result[key]["columns"]) == set(columns), key
        assert all(one["description"] for one in columns.values()), key
    for kind in ("FamilyHeading", "IntervalsHeader", "RanksHeader", "ComparisonConclusions", "MarginHeader"):
        assert all(one["description"] for one in described[kind]["properties"].values()), kind


# --- margins ------------------------------------------------------------------------------------------------------


def test_margins_are_tested_by_two_one_sided_t_tests_and_corrected(corpus: Corpus, study: Study) -> None:
    from mtsig.inference import equivalence

    statistics = measure(corpus, "bleu")
    found = study.results[0].margins
    assert len(found) == 6
    assert study.results[1].margins == ()
    for one in found:
        asked = equivalence(statistics, one.first, one.second, 1.5)
        assert one.p_value == pytest.approx(asked.p_value, abs=1e-12)
        assert (one.ci_low, one.ci_high) == pytest.approx((asked.ci_low, asked.ci_high))
    # Holm by hand: the smallest times 6, and so on, never falling.
    p = sorted(one.p_value for one in found)
    by_hand = np.maximum.accumulate(np.minimum(1, np.array(p) * np.arange(6, 0, -1)))
    assert sorted(one.p_adjusted for one in found) == pytest.approx(by_hand.tolist())


@pytest.mark.parametrize("margin", [Margin("ter", "equivalence", 1.0), Margin("bleu", "equivalence", 0.0)])
def test_a_margin_needs_a_metric_and_a_size(margin: Margin) -> None:
    with pytest.raises(InvalidOption, match="margin"):
        Request((Bleu(),), margins=(margin,))


def test_a_metric_named_twice_is_refused() -> None:
    with pytest.raises(InvalidOption, match="twice"):
        Request((Bleu(), Bleu()))


def test_custom_statistics_need_no_text(corpus: Corpus) -> None:
    made: list[Metric] = [made_statistics().metric, made_ratings().metric]
    assert [choice_of(one) for one in made] == ["bleu", None]


# --- parses and lengths --------------------------------------------------------------------------------------


def test_a_changed_parse_is_found(corpus: Corpus) -> None:
    parses = {run: tuple(f"parse {i}" for i in range(60)) for run in corpus.outputs}
    parsed = replace(corpus, annotations={"parses": parses})
    other = {**parses, "sys1": (*parses["sys1"][:30], "another", *parses["sys1"][31:])}
    study = conduct(parsed, Request((Bleu(),), QUICK))
    (text,) = texts(reproduce(study, replace(parsed, annotations={"parses": other})).changes, "data")
    worded(text, "31")


def test_lengths_are_described_and_nothing_is_best_by_them(corpus: Corpus) -> None:
    study = study_of(conduct(corpus, Request((metric("ratio"), Bleu()), QUICK)).text())
    assert [one.is_quality_metric for one in study.results] == [False, True]
    assert {verdict(one).word for one in study.results[0].compared} == {"withheld"}
    results, *_ = paper_tables(study)
    assert not any(row[1].bold or row[1].mark for row in results.rows)
    assert sum(row[2].bold for row in results.rows) == 1


def test_a_study_whose_notes_differ_is_not_reproduced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = read(sample_folder())
    content = json.loads(mtsig.compare(corpus, "chrf", n_resamples=100).text())
    path = tmp_path / "study.json"
    shell = ["report", str(path), "--data", str(sample_folder()), "--to", "json", "--out", str(tmp_path / "out")]
    path.write_text(sealed(content), encoding="utf-8")
    assert main(shell) == 0
    for field in ("notes", "warnings"):
        edited = {**content, field: [*content[field], "Nothing here says this."]}
        path.write_text(sealed(edited), encoding="utf-8")
        found = reproduce(read_study(path), corpus)
        assert ({change.kind for change in found.changes}, found.same) == ({"note"}, False), field
        worded(reproduced_text(found))
    capsys.readouterr()
    assert main(shell) == 5
    worded(capsys.readouterr().out)


@pytest.mark.parametrize("name", ["study.html", "study.PDF", "study.csv", "study.json.gz"])
def test_json_is_saved_under_no_other_ending(name: str, tmp_path: Path) -> None:
    study = mtsig.compare(mtsig.read_sample(), "chrf", baseline="direct")
    with pytest.raises(InvalidOption, match=r"writes JSON.* study\.report\("):
        study.save(tmp_path / name)
    assert not list(tmp_path.iterdir())
    for known in ("study", "study.json", "results-1.0"):
        assert study.save(tmp_path / known) == tmp_path / known
