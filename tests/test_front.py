"""The front door: whatever one has goes in, the command line's digits come out, and what does not fit is told."""

import gzip
import html
import importlib
import inspect
import itertools
import json
import pickle
import pydoc
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from kept import worded
from made import made_corpus, write
from scipy import stats

import mtsig
from mtsig import Corpus, Rating, Settings
from mtsig.cli import main
from mtsig.errors import AlignmentError, InvalidOption, NotApplicable, ReadError, UnknownName
from mtsig.inference import CORRECTIONS, INTERVALS, TESTS, IntervalMethod
from mtsig.inference import compare as uncorrected
from mtsig.metrics._statistics import Unit
from mtsig.report import Document
from mtsig.resampling import Swap

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "sample_data" / "es-en"
NAMES = ["A", "B", "C"]


def matrix(n: int = 40, seed: int = 3) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Scores of three systems, rounded so that ties happen."""
    rng = np.random.default_rng(seed)
    return np.round(rng.normal(0, 1, n) + rng.normal(0, 0.5, (3, n)) + np.array([[0.4], [0.1], [0.0]]), 1)


def ps(study: mtsig.Study) -> dict[frozenset[str], tuple[float, float]]:
    return {frozenset((one.first, one.second)): (one.p_value, one.p_adjusted) for one in study.comparisons}


# --- the command line's digits ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        ([], {}),
        (["--metric", "bleu", "chrf"], {"metrics": ["bleu", "chrf"]}),
        (["--metric", "bleu", "ter", "--correct-jointly"], {"metrics": ["bleu", "ter"], "joined": True}),
        (["--unit", "segment", "--baseline", "direct"], {"unit": "segment", "baseline": "direct"}),
        (
            ["--test", "bootstrap-shift", "--correction", "holm", "--interval", "percentile", "--seed", "7"],
            {"test": "bootstrap-shift", "correction": "holm", "interval": "percentile", "seed": 7},
        ),
        (["--pair", "direct", "via-catalan", "--level", "0.9"], {"pairs": [("direct", "via-catalan")], "level": 0.9}),
    ],
)
def test_the_digits_are_those_of_the_command_line(
    arguments: list[str], given: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    common = ["--data", str(SAMPLE), "--resamples", "500", "--no-cache", "--format", "json"]
    assert main(["compare", *common, *arguments]) == 0
    printed = json.loads(capsys.readouterr().out)
    study = mtsig.compare(mtsig.read(SAMPLE), **given, n_resamples=500)
    assert study.plain() == printed
    assert mtsig.compare(SAMPLE, **given, n_resamples=500).plain() == printed
    assert mtsig.compare(str(SAMPLE), **given, settings=Settings(n_resamples=500)).plain() == printed


def test_the_rows_are_those_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--data", str(SAMPLE), "--resamples", "500", "--no-cache", "--format", "csv"]) == 0
    header, *lines = capsys.readouterr().out.splitlines()
    study = mtsig.compare(SAMPLE, n_resamples=500)
    frame = study.to_frame(all_columns=True)
    assert list(frame) == header.split(",") == study.to_csv().splitlines()[0].split(",")
    assert len(frame) == len(lines) == 10
    assert set(frame["verdict"]) <= {"better", "not_significant", "withheld"}
    assert (frame["withheld_reason"].notna() == (frame["verdict"] == "withheld")).all()


def test_kin_of_a_reference_is_held_against_the_others_here_too() -> None:
    corpus = made_corpus(n=200, systems=4, documents=0, references=2)
    first = list(corpus.references["ref1"])
    near = [line if i % 3 else corpus.outputs["sys0"][i] for i, line in enumerate(first)]
    kin = Corpus.of({**corpus.outputs, "near": near}, corpus.references)
    study = mtsig.compare(kin, n_resamples=200)
    assert list(study.results[0].without_reference) == ["ref1"]


# --- plain material ---------------------------------------------------------------------------------------------


@settings(max_examples=8, deadline=None)
@given(arrays(np.float64, (3, 25), elements=st.integers(-40, 40).map(lambda whole: whole / 8)))
def test_an_array_a_dict_a_frame_and_lists_are_one(scores: np.ndarray[Any, Any]) -> None:
    how: dict[str, Any] = {"higher_is_better": True, "n_resamples": 100}
    by_name = dict(zip(NAMES, scores, strict=True))
    study = mtsig.compare(scores, systems=NAMES, **how)
    ways = [
        by_name,
        {name: row.tolist() for name, row in by_name.items()},
        {name: pd.Series(row) for name, row in by_name.items()},
        pd.DataFrame(by_name),
    ]
    for way in ways:
        assert mtsig.compare(way, **how).text() == study.text()
    assert mtsig.compare(scores.tolist(), systems=tuple(NAMES), **how).text() == study.text()
    assert mtsig.compare(ratings={"score": scores}, systems=NAMES, **how).text() == study.text()
    rating = Corpus.of(dict.fromkeys(NAMES), ratings={"score": Rating(scores, True)})
    assert mtsig.compare(rating, n_resamples=100).text() == study.text()


@settings(max_examples=15, deadline=None)
@given(st.permutations(NAMES), st.integers(0, 10_000))
def test_the_order_of_the_columns_changes_no_p(order: list[str], seed: int) -> None:
    frame = pd.DataFrame(matrix(60, seed).T, columns=NAMES)
    how: dict[str, Any] = {"name": "comet", "n_resamples": 200}
    assert ps(mtsig.compare(frame[order], **how)) == ps(mtsig.compare(frame, **how))


def test_lower_is_better_is_higher_is_better_of_the_negative() -> None:
    scores = matrix()
    errors = mtsig.compare(-scores, systems=NAMES, name="x", higher_is_better=False, n_resamples=200)
    quality = mtsig.compare(scores, systems=NAMES, name="x", higher_is_better=True, n_resamples=200)
    assert ps(errors) == ps(quality)
    assert [mtsig.verdict(one).winner for one in errors.comparisons] == [
        mtsig.verdict(one).winner for one in quality.comparisons
    ]
    assert [one.difference for one in errors.comparisons] == [one.difference for one in quality.comparisons]


def test_texts_are_scored_as_in_files(tmp_path: Path) -> None:
    corpus = made_corpus(n=60, systems=3, documents=12, references=2)
    plain = {name: list(lines) for name, lines in corpus.outputs.items()}
    how: dict[str, Any] = {"n_resamples": 200, "metrics": ["bleu", "chrf"]}
    known = mtsig.compare(corpus, **how)
    references: list[Any] = [dict(corpus.references), pd.DataFrame(corpus.references)]
    for given_references in references:
        study = mtsig.compare(plain, references=given_references, documents=corpus.documents, **how)
        assert study.text() == known.text()
    frame = pd.DataFrame(plain)
    frame["document"] = corpus.documents
    unnamed = list(corpus.references.values())
    study = mtsig.compare(frame[list(plain)], references=unnamed, documents=frame["document"], **how)
    assert study.comparisons == known.comparisons
    paths = {}
    for role, texts in (("sys", plain), ("ref", corpus.references)):
        for name, lines in texts.items():
            paths[role, name] = tmp_path / f"{name}.txt.gz"
            paths[role, name].write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode()))
    (tmp_path / "docs").write_text("".join(f"{name}\n" for name in corpus.documents or ()))
    files = {name: path for (role, name), path in paths.items() if role == "sys"}
    study = mtsig.compare(
        files, references=[paths["ref", "ref0"], paths["ref", "ref1"]], documents=tmp_path / "docs", **how
    )
    assert study.comparisons == known.comparisons


def test_one_reference_is_a_list_of_strings() -> None:
    corpus = made_corpus(n=40, documents=0)
    study = mtsig.compare(dict(corpus.outputs), "chrf", references=list(corpus.references["ref0"]), n_resamples=100)
    assert study.comparisons == mtsig.compare(corpus, "chrf", n_resamples=100).comparisons


def test_ratings_stand_beside_texts_by_the_names_of_the_systems() -> None:
    corpus = made_corpus(n=30, documents=0)
    scores = dict(zip(["sys2", "sys0", "more"], matrix(30), strict=True))
    study = mtsig.compare(
        dict(corpus.outputs),
        ["bleu", "mqm"],
        references=corpus.references["ref0"],
        ratings={"mqm": scores},
        n_resamples=100,
    )
    alone = mtsig.compare(scores, name="mqm", n_resamples=100)
    assert study.data.systems == ("sys0", "sys1", "sys2", "more")
    assert ps(alone) == {pair: p for pair, p in ps(study).items() if pair in ps(alone)} | ps(alone)
    by_rating = {frozenset((one.first, one.second)): one.p_value for one in study.results[1].compared}
    assert by_rating == {pair: p for pair, (p, _) in ps(alone).items()}


def test_the_rows_of_ratings_are_the_systems_of_the_data() -> None:
    texts = {"A": [f"the cat {number}" for number in range(40)], "B": [f"a cat {number}" for number in range(40)]}
    scores = np.random.default_rng(1).normal(0.7, 0.1, (2, 40))
    named = mtsig.compare(
        texts, "rating:comet", references=texts["A"], ratings={"comet": dict(zip(texts, scores, strict=True))}
    )
    for more in ({}, {"systems": ["A", "B"]}):
        study = mtsig.compare(texts, "rating:comet", references=texts["A"], ratings={"comet": scores}, **more)
        assert study.rows() == named.rows()
    # By their names, not by their order.
    turned = mtsig.compare(
        texts, "rating:comet", references=texts["A"], ratings={"comet": scores[::-1]}, systems=["B", "A"]
    )
    assert turned.rows() == named.rows()


def test_ratings_are_added_to_a_corpus(tmp_path: Path) -> None:
    corpus = made_corpus(n=40, systems=3, documents=4)
    scores = np.random.default_rng(1).normal(0.7, 0.1, (3, 40))
    study = mtsig.compare(corpus, ["bleu", "esa"], ratings={"esa": scores})
    alone = mtsig.compare(dict(zip(corpus.systems, scores, strict=True)), name="esa", documents=corpus.documents)
    assert [row for row in study.rows() if row["metric"] != "BLEU"] == alone.rows()
    assert mtsig.compare(corpus, "bleu").rows() == [row for row in study.rows() if row["metric"] == "BLEU"]
    part = mtsig.compare(
        corpus, "mine", ratings={"mine": {"sys0": scores[0], "sys2": scores[2]}}, higher_is_better=False
    )
    assert [(row["first"], row["second"]) for row in part.rows()] == [("sys0", "sys2")]
    cells = ((name, at, scores[row, at]) for row, name in enumerate(corpus.systems) for at in range(40))
    rows = [f"{name}\t{at + 1}\t{score}" for name, at, score in cells]
    (tmp_path / "esa.tsv").write_text("\n".join(["system\tsegment\tesa", *rows]) + "\n")
    filed = mtsig.compare(corpus, "esa", ratings=[tmp_path / "esa.tsv"])
    assert filed.rows() == alone.rows()


def test_other_fields_bring_names_and_directions_of_their_own() -> None:
    rng = np.random.default_rng(5)
    ratings = {
        "word error rate": {"asr-1": rng.random(80), "asr-2": rng.random(80) + 0.3},
        "exact match": {"asr-1": rng.random(80) > 0.2, "asr-2": rng.random(80) > 0.9},
    }
    study = mtsig.compare(
        ratings=ratings, higher_is_better={"word error rate": False, "exact match": True}, n_resamples=500
    )
    assert [(one.metric, mtsig.verdict(one).winner) for one in study.comparisons] == [
        ("word error rate", "asr-1"),
        ("exact match", "asr-1"),
    ]


def test_gaps_are_told_and_pairs_stand_on_what_both_have() -> None:
    scores = matrix(30).tolist()
    scores[1][4] = None
    scores[2][7] = float("nan")
    study = mtsig.compare(scores, systems=NAMES, name="comet", n_resamples=200)
    worded(study.notes, "1 of 30", "5", "8")
    assert [one.units for one in study.comparisons] == [29, 29, 28]
    frame = pd.DataFrame({name: pd.array(row, dtype="Float64") for name, row in zip(NAMES, scores, strict=True)})
    assert mtsig.compare(frame, name="comet", n_resamples=200).text() == study.text()


# --- independent witnesses --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_few_items_are_enumerated(seed: int) -> None:
    first, second = np.random.default_rng(seed).integers(0, 9, (2, 9)) / 4
    study = mtsig.compare({"A": first, "B": second}, name="comet")
    gaps = first - second
    every = [abs(np.dot(signs, gaps)) for signs in itertools.product((-1, 1), repeat=9)]
    assert study.comparisons[0].p_value == pytest.approx(np.mean(np.array(every) >= abs(gaps.sum()) - 1e-9))
    assert study.comparisons[0].difference == pytest.approx(gaps.mean())


def test_the_paired_t_test_and_holm_are_those_of_scipy() -> None:
    scores = matrix()
    study = mtsig.compare(scores, systems=NAMES, name="comet", test="t", correction="holm", n_resamples=100)
    raw = [stats.ttest_rel(scores[x], scores[y]).pvalue for x, y in itertools.combinations(range(3), 2)]
    assert [one.p_value for one in study.comparisons] == pytest.approx(raw)
    order = np.argsort(raw)
    holm = np.empty(3)
    holm[order] = np.minimum(1, np.maximum.accumulate(np.array(raw)[order] * [3, 2, 1]))
    assert [one.p_adjusted for one in study.comparisons] == pytest.approx(holm)


# --- statistics -------------------------------------------------------------------------------------------------


def test_statistics_give_the_same_numbers_and_a_study_that_is_made_again(tmp_path: Path) -> None:
    corpus = made_corpus(n=60, documents=12)
    statistics = [mtsig.measure(corpus, name) for name in ("bleu", "chrf")]
    study = mtsig.compare(statistics, n_resamples=200)
    known = mtsig.compare(corpus, ["bleu", "chrf"], n_resamples=200)
    assert (study.comparisons, study.systems, study.ranks) == (known.comparisons, known.systems, known.ranks)
    assert (study.data.digest, study.texts) == (corpus.digest, ())
    again = mtsig.read_study(study.save(tmp_path / "study.json"))
    assert again.text() == study.text()
    assert mtsig.reproduce(again, corpus).same
    other = mtsig.reproduce(again, made_corpus(n=60, documents=12, seed=2))
    assert not other.same
    assert [change.kind for change in other.changes] == ["data"]
    assert mtsig.compare(statistics[0], n_resamples=200).comparisons == known.comparisons[:3]


def test_statistics_of_several_corpora_are_no_study() -> None:
    statistics = [mtsig.measure(made_corpus(seed=seed), name) for seed, name in ((1, "bleu"), (2, "chrf"))]
    with pytest.raises(InvalidOption, match="of several corpora"):
        mtsig.compare(statistics, n_resamples=100)


def test_scores_in_a_frame_are_measured_audited_and_planned_with() -> None:
    scores = pd.DataFrame(matrix().T, columns=NAMES)
    counted = mtsig.measure(scores, higher_is_better=True)
    assert counted.scores == pytest.approx(scores.mean())
    assert mtsig.measure(TEXTS, "chrf", references=TEXT).scores.tolist() == [100.0, 100.0]
    audited = mtsig.audit(scores, "A", "B", higher_is_better=True, n_resamples=100)
    assert audited.rows() == mtsig.audit(counted, "A", "B", Settings(n_resamples=100)).rows()
    assert (len(audited), audited[0].test) == (len(list(audited)), audited.rows()[0]["test"])
    planned = mtsig.power_analysis(scores, "A", "B", 0.5, higher_is_better=True)
    assert planned == mtsig.power_analysis(counted, "A", "B", 0.5)


def test_a_folder_a_file_and_a_corpus_are_measured_audited_and_planned_with(tmp_path: Path) -> None:
    corpus = made_corpus(n=20, systems=2)
    counted = mtsig.measure(corpus, "bleu")
    audited = mtsig.audit(counted, "sys0", "sys1", n_resamples=100).rows()
    planned = mtsig.power_analysis(counted, "sys0", "sys1", 0.5)
    folder = write(tmp_path / "set", corpus)
    for data in (folder, str(folder), corpus):
        assert mtsig.measure(data).scores == pytest.approx(counted.scores)
        assert mtsig.audit(data, "sys0", "sys1", n_resamples=100).rows() == audited
        assert mtsig.power_analysis(data, "sys0", "sys1", 0.5) == planned
    file = tmp_path / "scores.csv"
    pd.DataFrame(matrix().T, columns=NAMES).to_csv(file, index=False)
    by_file = mtsig.power_analysis(file, "A", "B", 0.5, higher_is_better=True)
    assert (
        by_file.needed
        == mtsig.power_analysis(dict(zip(NAMES, matrix(), strict=True)), "A", "B", 0.5, higher_is_better=True).needed
    )
    study = mtsig.compare(corpus, "bleu", n_resamples=100).save(tmp_path / "study.json")
    for verb in (mtsig.measure, mtsig.compare, lambda path: mtsig.audit(path, "sys0", "sys1")):
        with pytest.raises(ReadError, match=r"results of mtsig itself.*mtsig\.read_study\(PATH\)"):
            verb(study)


# --- what a study gives -----------------------------------------------------------------------------------------


def test_a_study_gives_a_frame_a_figure_a_file_and_a_report(tmp_path: Path) -> None:
    study = mtsig.compare(matrix(), systems=NAMES, name="comet", n_resamples=200)
    assert list(study.to_frame()["p_adjusted"]) == [one.p_adjusted for one in study.comparisons]
    assert list(study.to_frame()) == [name for name in study.results[0].compared.brief if name != "set"]
    assert list(study.to_frame("scores")["score"]) == [one.score for one in study.systems]
    (result,) = study
    assert (len(study), study[0], study["comet"]) == (1, result, result)
    said = str(study)
    assert said == study.summary()
    told, _, warned = said.partition("\n\n")
    assert told.count("\n") == 4  # a headline, what was judged and how, and three pairs
    assert warned.splitlines() == [f"Warning: {text}" for text in study.warnings]
    assert html.escape(said.split("\n")[0]) in (study._repr_html_() or "")
    assert study.to_markdown().count("\n|---") == (study._repr_html_() or "").count("<table") == 3
    assert re.findall(r"label\{(.*)\}", study.to_latex()) == ["tab:results", "tab:comparisons-comet"]
    assert str(result.scored).splitlines()[0].split() == ["system", "comet", "95%", "CI", "half", "width"]
    assert mtsig.read_study(study.save(tmp_path / "new" / "study.json")).text() == study.text()
    from mtsig.figures import IntervalBars, Matrix

    assert study.plot() == Matrix.of(study.results[0].compared).screen()
    assert study.plot("scores", "comet") == IntervalBars.of(study.results[0].scored).screen()
    page = tmp_path / "page.html"
    assert study.report(page) == [page]
    assert "<html" in page.read_text()
    assert main(["report", str(tmp_path / "new" / "study.json"), "--out", str(tmp_path / "cli")]) == 0
    written = study.report(tmp_path / "folder")

    def content(path: Path) -> list[bytes]:
        # A study read from a file says that nothing was checked; one just made has nothing to check.
        lines = path.read_bytes().splitlines()
        return [line for line in lines if b"These results were not checked" not in line]

    assert {path.name: content(path) for path in written} == {
        path.name: content(path) for path in (tmp_path / "cli").iterdir()
    }
    for formats in (["markdown"], "markdown"):
        assert [path.name for path in study.report(tmp_path / "other.folder", formats)] == ["report.md"]
    assert study.report(tmp_path / "one.json") == [tmp_path / "one.json"]
    assert mtsig.read_study(tmp_path / "one.json").text() == study.text()
    assert (tmp_path / "results-1.0" / "study.json") in study.report(tmp_path / "results-1.0")


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (lambda study: study.plot("pie"), InvalidOption, "matrix or scores; found 'pie'"),
        (lambda study: study.plot(metric="bleu"), UnknownName, "no metric in this study called 'bleu'"),
        (lambda study: study.report("x.pdf"), InvalidOption, r'report\("x", \["pdf"\]\)'),
        (lambda study: study.report("x.html", ["latex"]), InvalidOption, "is one file"),
        (lambda study: study.report("x.txt"), InvalidOption, r"ends in \.html, \.md, \.xlsx or \.json"),
        (lambda study: study.report(None), InvalidOption, "found nothing"),
        (lambda study: study.report("x", 5), InvalidOption, "found an int"),
        (lambda study: study.save(None), InvalidOption, "found nothing"),
        (lambda _: mtsig.read_study(None), InvalidOption, "found nothing"),
        (lambda study: mtsig.reproduce(study, None), InvalidOption, "found nothing"),
        (lambda study: mtsig.reproduce("study.json", study), InvalidOption, "a study first"),
        (lambda study: mtsig.reproduce(study, "nowhere"), ReadError, "no such file or folder"),
    ],
)
def test_what_a_study_cannot_give_is_told(
    ask: Callable[[mtsig.Study], object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        ask(mtsig.compare(matrix(), systems=NAMES, name="comet", n_resamples=100))


@pytest.fixture(scope="module")
def study_of_three() -> mtsig.Study:
    return mtsig.compare(matrix(), systems=NAMES, name="comet", n_resamples=100)


@pytest.mark.parametrize(
    ("ask", "use"),
    [
        ("study.sort_values('p_adjusted')", "Use to_frame().sort_values."),
        ("study.head()", "Use to_frame().head."),
        ("study.iloc[0]", "Use to_frame().iloc."),
        ("study.comet", "Use ['comet']."),
        ("study.corpora", "Did you mean 'sets'?"),
        ("study.results.keys()", "Use study.to_frame().keys."),
        ("study.comparisons.p_value", "Use [0].p_value."),
        ("study[0].scored.A", "Use ['A']."),
        ("mtsig.inference.Setings", "There is no name in mtsig.inference called 'Setings'."),
        ("study.values", "Use to_frame().values."),
        ("study.scores", 'Use to_frame("scores").'),
        ("study.pvalue", "Use to_frame(all_columns=True)['p_adjusted']."),
        ("study.to_excel('x.xlsx')", "Did you mean 'report'?"),
        ("study.to_json()", "Did you mean 'save'?"),
        ("study[0].p_value", "Use compared.p_value."),
        ("study[0].verdict", "Use compared.to_frame(all_columns=True)['verdict']."),
        ("study[0].head()", "Use compared.to_frame().head."),
        ("study[0].scored.conf_int()", "Did you mean 'ci_low' or 'ci_high'?"),
        ("study[0].compared.verdict", "Use to_frame(all_columns=True)['verdict']."),
        ("study[0].compared[0].pvalue", "Did you mean 'p_adjusted' or 'p_value'?"),
        ("study[0].compared[0].verdikt", "Did you mean 'verdict'?"),
        ("corpus.refs", "Did you mean 'references'?"),
        ("corpus.sources", "Use segments.sources."),
        ("corpus.head()", "Use pandas.DataFrame(corpus.outputs).head."),
        ("statistics.mean()", "Did you mean 'scores'?"),
        ("statistics.to_frame()", "Use mtsig.interval(statistics).to_frame()."),
        ("statistics.metric.corpus_score([], [])", "Use mtsig.measure(corpus, metric).scores."),
        ("mtsig.Settings().alpha", "Did you mean 'level'?"),
        ("mtsig.load", "There is no name in mtsig called 'load'. Did you mean 'read'?"),
        ("mtsig.conpare", "There is no name in mtsig called 'conpare'. Did you mean 'compare'?"),
    ],
)
def test_habits_of_other_libraries_are_told_what_to_use(study_of_three: mtsig.Study, ask: str, use: str) -> None:
    corpus = made_corpus(n=20, systems=2)
    known = {"mtsig": mtsig, "study": study_of_three, "corpus": corpus, "statistics": mtsig.measure(corpus, "bleu")}
    with pytest.raises(AttributeError) as raised:
        eval(ask, known)
    assert use in str(raised.value)
    assert not isinstance(raised.value, mtsig.MtsigError)  # in the program itself, it is a bug
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)  # as from another process
    if use.startswith("Use "):  # what it names exists
        thing = "study" + ask.removeprefix("study").rpartition(".")[0].partition("(")[0] if ask[0] == "s" else "corpus"
        code = use.removeprefix("Use ").removesuffix(".")
        alone = code.startswith(("mtsig", "pandas", "study"))
        known |= {"pandas": pd, "metric": known["statistics"].metric}
        eval(code if alone else thing + "." * (code[0] != "[") + code, known)


@pytest.mark.parametrize(
    ("kind", "names", "reader"),
    [
        ("Study", ("load", "from_json", "read", "open"), "mtsig.read_study"),
        ("Corpus", ("load", "from_folder", "read_csv", "from_dataframe"), "mtsig.read"),
        ("study.Sets", ("load", "read"), "mtsig.study.read_sets"),
        ("gate.Ledger", ("load",), "mtsig.gate.read_ledger"),
        ("campaign.Preferences", ("from_csv",), "mtsig.campaign.read_preferences"),
    ],
)
def test_a_constructor_of_another_library_is_told_the_function_that_reads(
    kind: str, names: tuple[str, ...], reader: str
) -> None:
    importlib.import_module(f"mtsig.{kind}".rpartition(".")[0])
    of = eval(f"mtsig.{kind}")
    assert callable(eval(reader))
    for name in names:
        with pytest.raises(AttributeError, match=rf"^{of.__name__} has no attribute '{name}'\. Use {reader}\("):
            getattr(of, name)
    with pytest.raises(AttributeError, match=r"^Corpus has no attribute 'notess'\. Did you mean 'notes'\?"):
        getattr(mtsig.Corpus, "notess")  # noqa: B009
    assert not hasattr(of, "nothing_alike")
    with pytest.raises(AttributeError, match=r"^Experiment has no attribute 'notess'\.$"):
        getattr(importlib.import_module("mtsig.lab").Experiment, "notess")  # noqa: B009


def test_containers_of_results_answer_to_names() -> None:
    corpus = made_corpus(n=30, systems=3)
    one = mtsig.compare(corpus, ["bleu", "chrf"], n_resamples=100)
    many = mtsig.compare({"a": corpus, "b": corpus.take(range(20))}, "bleu", n_resamples=100)
    assert one.results["bleu"] is one.results["BLEU"] is one.sets[0].results[0] is one["BLEU"]
    assert many.sets["b"].results["BLEU"] is many.over["bleu"]["b"] is many.sets[1]["BLEU"]
    assert many.together["bleu"].averages is many.over["BLEU"].compared.averages
    assert many["BLEU"]["sys1", "sys0"].difference == -many.together[0].averages["sys0", "sys1"].difference
    assert (one.texts["sys1"].name, one.counted["chrF2"].name) == ("sys1", "chrF2")
    saved = mtsig.Study.of_plain(json.loads(one.text()))
    assert saved.results["chrf"] == one.results["chrF2"]
    assert saved.text() == one.text()
    for ask, said in (
        (lambda: many.sets["c"], r"There is no row called 'c'\. Known: a, b\."),
        (lambda: one.sets["a"], r"No row has a name here: give an index, such as 0"),
        (lambda: one.results["bleus"], r"Did you mean 'BLEU'\? Known: bleu, BLEU, chrf, chrF2\."),
        (lambda: corpus.outputs["sys7"], r"There is no entry called 'sys7'\. .*Known: sys0, sys1, sys2\."),
        (lambda: many["bleu"].sets["c"], r"Known: a, b\."),
        (lambda: mtsig.metrics.METRICS["blue"], r"There is no metric called 'blue'\. Did you mean 'bleu'\?"),
    ):
        with pytest.raises(UnknownName, match=said):
            ask()
    assert corpus.outputs.get("sys7") is mtsig.study.Sets.of({"a": corpus}).get("c") is None


STATISTICS = mtsig.measure(made_corpus(n=20, systems=2), "bleu")
CALLS: dict[str, str] = {
    "mtsig.Settings(n_resample=5)": r"^Settings\(\) takes no 'n_resample'\. Did you mean 'n_resamples'\?$",
    "mtsig.Settings(alpha=.05)": r"^Settings\(\) takes no 'alpha'\. Did you mean level, which is 1 − alpha\?$",
    "replace(mtsig.Settings(), seeds=5)": r"^Settings\(\) takes no 'seeds'\. Did you mean 'seed'\?$",
    "mtsig.study.Averaging(weight='segments')": r"takes no 'weight'\. Did you mean 'weights'\?",
    "mtsig.metrics.Bleu(lower=True)": r"^Bleu\(\) takes no 'lower'\. Did you mean 'lowercase'\?$",
    "mtsig.Corpus.of({'A': ['a']}, refs=['a'])": r"^Corpus\.of\(\) takes no 'refs'\. Did you mean references\?$",
    "mtsig.Corpus({})": r"Use mtsig\.read\(path\), or Corpus\.of",
    "mtsig.Study('study.json')": r"Use mtsig\.read_study\(path\)\.$",
    "mtsig.power_analysis(STATISTICS, 'sys0', 'sys1', effect_size=1)": r"Did you mean difference\?",
    "mtsig.interval(STATISTICS, alpha=.1)": r"Did you mean level, which is 1 − alpha\?",
    "mtsig.adjust(None, method='holm')": r"Did you mean correction\?",
    "mtsig.read('x', encoding='utf8')": r"^read\(\) takes no 'encoding'\. Known: path, reader",
    "mtsig.gate.judge(None, base='A')": r"^judge\(\) takes no 'base'\. Did you mean 'baseline'\?$",
    "mtsig.audit(STATISTICS)": r"Use audit\(statistics, first, second\)\.$",
    "mtsig.verdict(None, .05)": r"Use verdict\(comparison\)\.$",
    "STATISTICS.at()": r"Use Statistics\.at\(unit\)\.$",
    "mtsig.compare(TEXT, TEXT, TEXT)": r'Use compare\({"A": \[...\], "B": .*}, "bleu", references=\[...\]\)\.$',
    "mtsig.compare({}, 'bleu', data={})": r"Use compare\(data, metrics\)\.$",
    "mtsig.compare({}, 'bleu', 5)": r"too many positional arguments\. Use compare\(data, metrics\)\.$",
    "mtsig.measure()": r'Use measure\({"A": .*, "bleu", references=\[...\]\)\.$',
    "mtsig.measure(metric_or_name='bleu')": r'Use measure\({"A": .*, "bleu", references=\[...\]\)\.$',
    "mtsig.measure(TEXTS, 'bleu', TEXT)": r'Use measure\({"A": .*, "bleu", references=\[...\]\)\.$',
}


@pytest.mark.parametrize("call", CALLS)
def test_arguments_that_a_call_does_not_take_get_one_sentence(call: str) -> None:
    with pytest.raises(mtsig.MtsigError, match=CALLS[call]) as raised:
        eval(call)
    assert "\n" not in str(raised.value)


def test_what_fails_inside_of_a_call_stays_what_it_is() -> None:
    assert pickle.loads(pickle.dumps(mtsig.measure)) is mtsig.measure
    # Threads that ask for it at once get the same one, or pickle would refuse all but the last.
    assert mtsig.__getattr__("measure") is mtsig.measure is mtsig.__getattr__("measure")
    assert list(inspect.signature(mtsig.Settings).parameters) == [one.name for one in fields(mtsig.Settings)]

    def show(share: float, more: int) -> None:
        del share, more

    odd: Any = show
    with pytest.raises(TypeError, match="show\\(\\) missing 1 required positional argument"), mtsig.watching(odd):
        mtsig.measure(made_corpus(n=20, systems=2), "ter")


def test_tables_take_the_arguments_that_pandas_has(study_of_three: mtsig.Study, tmp_path: Path) -> None:
    named: Any = {"index": False}
    study_of_three.to_csv(tmp_path / "a.csv", **named)
    assert (tmp_path / "a.csv").read_text() == study_of_three.to_csv() == study_of_three.to_csv(**named)
    assert study_of_three[0].scored.to_latex(**named) == study_of_three[0].scored.to_latex()
    for ask, said in (
        (lambda: study_of_three.to_csv(sep=";"), r"to_csv\(\) takes no 'sep'. Use to_frame\(\)\.to_csv\(sep=…\)"),
        (lambda: study_of_three.to_csv(index=True), r"takes no 'index'. Use to_frame\(\)\.to_csv\(index=…\)"),
        (lambda: study_of_three.plot(figsize=(3, 4)), r"plot\(\) takes no 'figsize'. Known: kind, metric"),
    ):
        with pytest.raises(UnknownName, match=said):
            ask()


# --- what does not fit ------------------------------------------------------------------------------------------

TEXT = ["the cat sat"] * 5
TEXTS = {"A": TEXT, "B": TEXT}
SCORES = {"A": [1.0, 2, 3], "B": [1, 2, 4]}
ASKED: dict[str, tuple[type[Exception], str, Callable[[], object]]] = {
    "no data": (InvalidOption, "Give data", lambda: mtsig.compare()),
    "a number": (InvalidOption, "found an int", lambda: mtsig.compare(5)),
    "nothing in it": (InvalidOption, "no system", lambda: mtsig.compare({})),
    "no items": (InvalidOption, "no items", lambda: mtsig.compare({"A": [], "B": []})),
    "one system": (NotApplicable, "two systems", lambda: mtsig.compare({"A": [1, 2]}, name="comet")),
    "unnamed rows": (InvalidOption, r"systems=\[", lambda: mtsig.compare(matrix())),
    "turned array": (AlignmentError, r"scores\.T", lambda: mtsig.compare(matrix().T, systems=NAMES)),
    "a cube": (InvalidOption, "shape", lambda: mtsig.compare(np.zeros((2, 2, 2)), systems=["A", "B"])),
    "one name twice": (InvalidOption, "called 'A'", lambda: mtsig.compare(matrix(), systems=["A", "A", "B"])),
    "one column twice": (
        InvalidOption,
        "called 'A'",
        lambda: mtsig.compare(pd.DataFrame([[1, 2]], columns=["A", "A"])),
    ),
    "one name in two types": (InvalidOption, "called '1'", lambda: mtsig.compare({1: [1, 2], "1": [1, 2]})),
    "a long frame": (
        InvalidOption,
        "write system='system', score='score'",
        lambda: mtsig.compare(pd.DataFrame({"system": ["A", "B"], "score": [1, 2]})),
    ),
    "a Series": (InvalidOption, r"series\.reset_index", lambda: mtsig.compare(pd.Series([1, 2, 3]))),
    "indexes": (
        AlignmentError,
        "different indexes",
        lambda: mtsig.compare({"A": pd.Series([1, 2]), "B": pd.Series([1, 2], index=[1, 0])}, name="comet"),
    ),
    "a dict of dicts": (InvalidOption, r"ratings=\{", lambda: mtsig.compare({"A": {"x": 1}, "B": {"x": 2}})),
    "ragged scores": (AlignmentError, "A 2, B 1", lambda: mtsig.compare({"A": [1, 2], "B": [1]}, name="comet")),
    "ragged texts": (AlignmentError, "A 5, B 4", lambda: mtsig.compare({"A": TEXT, "B": TEXT[1:]}, references=TEXT)),
    "ragged reference": (AlignmentError, "has 4", lambda: mtsig.compare(TEXTS, references=TEXT[1:])),
    "direction": (InvalidOption, "higher_is_better=True", lambda: mtsig.compare(SCORES)),
    "no direction": (InvalidOption, "found 'up'", lambda: mtsig.compare(SCORES, higher_is_better="up")),
    "direction of another": (UnknownName, "mqm", lambda: mtsig.compare(SCORES, higher_is_better={"mqm": True})),
    "direction of texts": (
        InvalidOption,
        "metrics of texts have a fixed direction",
        lambda: mtsig.compare(TEXTS, references=TEXT, higher_is_better=True),
    ),
    "no number": (
        InvalidOption,
        "'x' as its comet on item 2",
        lambda: mtsig.compare({"A": [1, "x"], "B": [1, 2]}, name="comet"),
    ),
    "endless": (
        InvalidOption,
        "inf as its comet on item 1",
        lambda: mtsig.compare({"A": [np.inf], "B": [1]}, name="comet"),
    ),
    "no text": (
        InvalidOption,
        "'B' has no entry for item 5",
        lambda: mtsig.compare({"A": TEXT, "B": [*TEXT[1:], None]}, references=TEXT),
    ),
    "texts and scores": (
        InvalidOption,
        "A holds texts",
        lambda: mtsig.compare({"A": TEXT, "B": [1] * 5}, references=TEXT),
    ),
    "one text each": (
        InvalidOption,
        "holds one text",
        lambda: mtsig.compare({"A": "a b", "B": "a c"}, references=TEXT),
    ),
    "one list of texts": (InvalidOption, "a list of 5 strings", lambda: mtsig.compare(TEXT, references=TEXT)),
    "no reference": (InvalidOption, "references=", lambda: mtsig.compare(TEXTS)),
    "references second": (InvalidOption, "references=", lambda: mtsig.compare(TEXTS, TEXT)),
    "references of scores": (InvalidOption, "but you gave scores", lambda: mtsig.compare(SCORES, references=TEXT)),
    "references of a corpus": (
        InvalidOption,
        "leave references out",
        lambda: mtsig.compare(made_corpus(), references=TEXT),
    ),
    "rows of ratings": (
        InvalidOption,
        r"Name the 3 rows.*the data have 2 systems",
        lambda: mtsig.compare(TEXTS, references=TEXT, ratings={"comet": np.ones((3, 5))}),
    ),
    "names of names": (
        InvalidOption,
        "already have names",
        lambda: mtsig.compare(TEXTS, references=TEXT, ratings={"comet": SCORES}, systems=["A", "B"]),
    ),
    "ratings of an unknown system": (
        UnknownName,
        "no system in the corpus called 'A'",
        lambda: mtsig.compare(made_corpus(), ratings={"comet": {"A": [1.0], "B": [2.0]}}),
    ),
    "ratings of another length": (
        AlignmentError,
        "2 scores a system",
        lambda: mtsig.compare(made_corpus(), ratings={"comet": {"sys0": [1.0, 2], "sys1": [2.0, 3]}}),
    ),
    "ratings of a corpus that are none": (
        InvalidOption,
        "found an int",
        lambda: mtsig.compare(made_corpus(), ratings=5),
    ),
    "direction of a corpus": (
        InvalidOption,
        "leave higher_is_better out",
        lambda: mtsig.compare(made_corpus(), higher_is_better=True),
    ),
    "documents missing": (
        InvalidOption,
        "no value for item 1",
        lambda: mtsig.compare(TEXTS, references=TEXT, documents=[None] * 5),
    ),
    "a set": (InvalidOption, "whose order", lambda: mtsig.compare({"A": {1, 2}, "B": {1, 2}})),
    "metric": (InvalidOption, "found an int", lambda: mtsig.compare(made_corpus(), 5)),
    "metric in a list": (
        InvalidOption,
        "give one metric; found an int",
        lambda: mtsig.compare(made_corpus(), ["bleu", 5]),
    ),
    "pairs": (InvalidOption, r'\[\("A", "B"\)\]', lambda: mtsig.compare(made_corpus(), pairs=["sys0", "sys1"])),
    "pairs and baseline": (
        InvalidOption,
        "not both",
        lambda: mtsig.compare(made_corpus(), pairs="all", baseline="sys0"),
    ),
    "unknown setting": (
        UnknownName,
        "Did you mean 'n_resamples'",
        lambda: mtsig.compare(made_corpus(), n_resample=100),
    ),
    "alpha": (UnknownName, "Did you mean level, which is 1 − alpha", lambda: mtsig.compare(made_corpus(), alpha=0.05)),
    "a seed": (UnknownName, "Did you mean seed", lambda: mtsig.compare(made_corpus(), random_state=1)),
    "a language pair": (
        UnknownName,
        r"Did you mean mtsig\.read\(…, language_pair=…\)",
        lambda: mtsig.compare("FOLDER", language_pair="en-de"),
    ),
    "one metric": (UnknownName, "Did you mean metrics", lambda: mtsig.compare(made_corpus(), metric="bleu")),
    "a metric to measure": (
        UnknownName,
        r"Did you mean metric_or_name\?",
        lambda: mtsig.measure(made_corpus(), metrics="bleu"),
    ),
    "a metric to audit": (
        UnknownName,
        r"Did you mean statistics=mtsig\.measure\(corpus, metric\), already counted\?",
        lambda: mtsig.audit("data", "A", "B", metric="chrf"),  # type: ignore[arg-type]
    ),
    "references to audit": (
        UnknownName,
        r"takes no 'refs'\. Known: statistics",
        lambda: mtsig.audit(SCORES, "A", "B", refs=[]),
    ),
    "method": (UnknownName, r"Did you mean test\?", lambda: mtsig.compare(made_corpus(), method="bootstrap")),
    "segment": (UnknownName, r'Did you mean unit="segment"\?', lambda: mtsig.compare(made_corpus(), segment=True)),
    "docs": (UnknownName, r"Did you mean documents\?", lambda: mtsig.compare(made_corpus(), docs=[])),
    "baselines": (
        InvalidOption,
        r"^baseline is the name of one system; for several pairs give pairs=.*; found a list of 1\.$",
        lambda: mtsig.compare(made_corpus(), baseline=["sys0"]),  # type: ignore[arg-type]
    ),
    "draws": (UnknownName, "Did you mean n_resamples", lambda: mtsig.compare(made_corpus(), n_boot=100)),
    "setting": (InvalidOption, "Confidence", lambda: mtsig.compare(made_corpus(), level="high")),
    "a family": (
        InvalidOption,
        "found a Family",
        lambda: mtsig.compare(uncorrected(mtsig.measure(made_corpus(), "bleu"))),
    ),
    "measure many": (
        InvalidOption,
        "give one metric; found a list of 2",
        lambda: mtsig.measure(made_corpus(), ["bleu", "chrf"]),
    ),
    "measure texts": (InvalidOption, "references=", lambda: mtsig.measure(TEXTS, "bleu")),
    "measure a corpus": (InvalidOption, "omit name", lambda: mtsig.measure(made_corpus(), "bleu", name="x")),
    "uncorrected corpus": (InvalidOption, "Give statistics", lambda: uncorrected(made_corpus(), "bleu")),
    "interval": (InvalidOption, "Give statistics", lambda: mtsig.interval(made_corpus())),
    "audit": (InvalidOption, "found a Settings", lambda: mtsig.audit(mtsig.Settings(), "sys0", "sys1")),
    "ranks of a study": (
        InvalidOption,
        "study.ranks; found a Study",
        lambda: mtsig.ranks(mtsig.compare(SCORES, higher_is_better=True)),
    ),
    "a path to an experiment": (InvalidOption, "found a str", lambda: mtsig.lab.run("calibrate", "data")),
    "a path to a document": (InvalidOption, r"read_study\(PATH\); found a str", lambda: Document("study.json")),
    "audit without direction": (InvalidOption, "higher_is_better=True", lambda: mtsig.audit(SCORES, "A", "B")),
    "audit's settings": (UnknownName, "Did you mean 'level'", lambda: mtsig.audit(SCORES, "A", "B", levl=0.9)),
    "size_curve": (InvalidOption, "Give statistics", lambda: mtsig.size_curve(made_corpus())),
    "adjust": (InvalidOption, "Give a family", lambda: mtsig.adjust(mtsig.measure(made_corpus(), "bleu"))),
    "ranks": (InvalidOption, "Give corrected", lambda: mtsig.ranks(made_corpus())),
    "verdict": (InvalidOption, "Give one comparison", lambda: mtsig.verdict(made_corpus())),
    "check_data": (InvalidOption, "Give a corpus", lambda: mtsig.check_data("FOLDER")),
}


def test_a_system_without_scores_is_named_where_a_study_is_shown() -> None:
    scores = {name: [0.9, 0.8, 0.7, 0.9, 0.6, shift] for name, shift in (("A", 0.1), ("B", 0.2), ("C", 0.3))}
    nothing = scores | {"C": [float("nan")] * 6}
    other = {"A": scores["A"], "B": scores["B"], "c": scores["C"]}
    for ratings, said in (
        ({"COMET": nothing}, "There are no COMET scores of C to compare."),
        ({"COMET": scores, "BLEURT": other}, "There are no COMET scores of c to compare. Is C the same system as c?"),
    ):
        study = mtsig.compare(ratings=ratings)
        assert said in study.warnings
        assert said in str(study)
        assert said in study._repr_html_()
    assert not [text for text in mtsig.compare(ratings={"COMET": scores}).warnings if "no COMET scores" in text]


def test_subsets_say_how_many_verdicts_there_are() -> None:
    study = mtsig.compare(mtsig.read_sample(), "bleu", by="length:3")
    names = dict.fromkeys(row["set"] for row in study.rows())
    counted = [Counter(row["verdict"] for row in study.rows() if row["set"] == name) for name in names]
    told = [line.partition("): ")[2] for line in str(study).splitlines() if "characters of the source): " in line][:3]
    for count, line in zip(counted, told, strict=True):
        numbers = re.findall(r"(\d+) (?:significant|not|withheld)", line)
        assert sum(map(int, numbers)) == count.total()
        assert line.startswith(f"{count['better']} significant")


def test_what_was_not_reproduced_is_false_and_says_why() -> None:
    corpus = mtsig.read_sample()
    study = mtsig.compare(corpus, "bleu", n_resamples=100)
    again, other = mtsig.reproduce(study, corpus), mtsig.reproduce(study, corpus.take(np.arange(100)))
    assert again
    worded(str(again))
    assert not other
    assert "200" in str(other)


def test_help_shows_the_fields_of_a_result_by_name() -> None:
    # From Python 3.13 on with a line for each field.
    told = re.sub(r"[\s|]", "", pydoc.render_doc(mtsig.Study, renderer=pydoc.plaintext))
    assert "Study(schema,mtsig,status,plan,request,sets,together,notes,warnings,raters,draws,made_with,skipped=" in told
    assert ",stars=(),intact=True,digest='')" in told


@pytest.mark.parametrize("case", sorted(ASKED))
def test_what_does_not_fit_gets_one_sentence_with_the_next_step(case: str) -> None:
    error, words, ask = ASKED[case]
    with pytest.raises(error, match=words) as raised:
        ask()
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 300


class Unheard(IntervalMethod):
    """A method that stands in no table."""

    name = label = "unheard"
    about = "Nothing."

    def ends(self, targets: Any, level: float) -> Any:
        del level
        return targets.estimate, targets.estimate


METHODS: dict[str, tuple[dict[str, Any], str, object]] = {
    "test": (TESTS, "ar", replace(TESTS["ar"], scheme=Swap(50, seed=1))),
    "interval": (INTERVALS, "bca", Unheard()),
    "correction": (CORRECTIONS, "holm", type("Forgotten", (type(CORRECTIONS["none"]),), {})()),
}


@pytest.mark.parametrize("setting", METHODS)
def test_a_method_itself_is_taken_for_its_name_as_a_study_is_written_with_names(setting: str) -> None:
    table, name, foreign = METHODS[setting]
    given: dict[str, Any] = {"systems": NAMES, "higher_is_better": True}
    by_name, by_method = (mtsig.compare(matrix(), **given, **{setting: choice}) for choice in (name, table[name]))
    assert by_method.text() == by_name.text()
    assert getattr(mtsig.Settings(**{setting: table[name]}), setting) == name
    with pytest.raises(InvalidOption, match=f"^{setting} needs a method of mtsig.inference.{setting.upper()}S"):
        mtsig.compare(matrix(), **given, **{setting: foreign})


# --- correcting anew --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["segment", "block", "document"])
@pytest.mark.parametrize(("before", "after"), list(itertools.permutations(["holm", "minp", "none"], 2)))
def test_a_corrected_family_is_corrected_anew(unit: Unit, before: str, after: str) -> None:
    statistics = mtsig.measure(made_corpus(n=60, systems=4, documents=12 if unit == "document" else 0), "bleu")
    corrected = Settings(n_resamples=300, correction=before, unit=unit).family(statistics)
    fresh = Settings(n_resamples=300, correction=after, unit=unit).family(statistics)
    again = mtsig.adjust(corrected, after)
    assert again.records == fresh.records
    assert again.notes == fresh.notes


# --- scores at the ends of what numbers can hold -------------------------------------------------------------------


def _two(scale: float = 1.0, offset: float = 0.0) -> np.ndarray:
    scores = np.random.default_rng(5).normal(size=(2, 60))
    scores[0] += 0.8
    return scores * scale + offset


@pytest.mark.parametrize(("scale", "offset"), [(1e-3, 0), (1e4, 0), (1, 1e4), (1, -1e4), (1e6, 1e8)])
def test_no_scale_or_offset_changes_the_answer(scale: float, offset: float) -> None:
    (plain,) = mtsig.compare(_two(), systems=["A", "B"], name="COMET", n_resamples=500).rows()
    (moved,) = mtsig.compare(_two(scale, offset), systems=["A", "B"], name="COMET", n_resamples=500).rows()
    assert moved["p_value"] == plain["p_value"]
    for end in ("difference", "ci_low", "ci_high"):
        assert moved[end] == pytest.approx(scale * plain[end], rel=2e-3)


@pytest.mark.parametrize(
    ("scale", "offset", "said"),
    [(1e-320, 0, "by 1e.322"), (1e-12, 0, "Multiply all of them"),
     (1e-9, 0, "Multiply all of them"), (1, 1e9, "rounding hides their differences"),
     (1, -1e11, "rounding hides their differences"), (1e-3, 1e6, "rounding hides their differences")],
)  # fmt: skip
def test_scores_that_rounding_would_swallow_are_refused(scale: float, offset: float, said: str) -> None:
    with pytest.raises(mtsig.MtsigError, match=said):
        mtsig.compare(_two(scale, offset), systems=["A", "B"], name="COMET")


def test_one_score_of_another_size_is_refused_where_the_others_would_be_lost() -> None:
    scores = _two()
    scores[:, 7] = 1e9
    with pytest.raises(mtsig.MtsigError, match="check the largest"):
        mtsig.compare(scores, systems=["A", "B"], name="COMET")


def test_what_is_masked_is_missing_whatever_stands_below_the_mask() -> None:
    scores = _two()
    mask = np.zeros(scores.shape, dtype=bool)
    mask[0, 3] = mask[1, 5] = True
    masked = np.ma.masked_array(np.where(mask, -9999.0, scores), mask=mask)
    gaps = np.where(mask, np.nan, scores)
    expected = mtsig.compare(gaps, systems=["A", "B"], name="COMET", n_resamples=200)
    for data in (masked, {"A": masked[0], "B": masked[1]}):
        systems = None if isinstance(data, dict) else ["A", "B"]
        assert mtsig.compare(data, systems=systems, name="COMET", n_resamples=200).rows() == expected.rows()


def test_numbers_and_strings_of_numpy_are_those_of_python(tmp_path: Path) -> None:
    names = np.array(["A", "B"])
    numbers = {"n_resamples": np.int64(100), "seed": np.int32(3), "level": np.float64(0.9)}
    study = mtsig.compare(_two(), systems=names, name="COMET", baseline=names[0], **numbers)
    study.save(tmp_path / "study.json")
    again = mtsig.compare(
        _two(), systems=["A", "B"], name="COMET", baseline="A", n_resamples=100, seed=3, level=0.9
    )  # fmt: skip
    assert mtsig.read_study(tmp_path / "study.json").rows() == again.rows()


@pytest.mark.parametrize(
    ("data", "more"),
    [({"A": [10**400] * 30, "B": [1] * 30}, {}), ({"A": [1e160] * 30, "B": [1.0] * 30}, {}),
     ({"A": [1 + 1j] * 30, "B": [1.0] * 30}, {}), ({"A": [1.0] * 30, "B": [2.0] * 30}, {"name": 3}),
     ({"A": [1.0] * 30, "B": [2.0] * 30}, {"name": " "}), ({"A": [1.0] * 30, "B": [2.0] * 30}, {"joined": "no"}),
     (_two() + 1j, {"systems": ["A", "B"]})],
)  # fmt: skip
def test_what_is_no_score_name_or_choice_is_one_sentence(data: Any, more: dict[str, Any]) -> None:
    with pytest.raises(InvalidOption):
        mtsig.compare(data, **{"name": "COMET", **more})


def test_names_that_no_file_can_hold_are_written_out(tmp_path: Path) -> None:
    study = mtsig.compare({"A\ud800": _two()[0], "B": _two()[1]}, name=" COMET ", n_resamples=100)
    study.save(tmp_path / "study.json")
    assert mtsig.read_study(tmp_path / "study.json").results[0].scored.metric == "COMET"


def test_columns_of_a_frame_may_be_its_references_and_sources() -> None:
    sample = mtsig.read_sample()
    texts = {name: list(lines) for name, lines in sample.outputs.items()}
    (reference,) = sample.references.values()
    english = [f"the source of {line}" for line in reference]
    frame = pd.DataFrame({**texts, "human": list(reference), "english": english})
    found = mtsig.compare(frame, "chrf", references="human", sources="english")
    expected = mtsig.compare(texts, "chrf", references=list(reference), sources=english)
    assert found.rows() == expected.rows()
    assert mtsig.compare(frame, "chrf", references=["human", "english"]).data.references == ("human", "english")
    with pytest.raises(UnknownName, match=r"no column in the DataFrame called 'humans'. Did you mean 'human'"):
        mtsig.compare(frame, "chrf", references="humans")


def test_a_study_shows_its_warnings_and_the_adjusted_interval() -> None:
    study = mtsig.compare(mtsig.read_sample(), "bleu")
    frame, rows = study.to_frame(), study.rows()
    for name in ("adjusted_ci_low", "adjusted_ci_high", "winner", "p_adjusted"):
        assert [None if value != value else value for value in frame[name]] == [row[name] for row in rows]
    assert "ci_low" not in frame
    assert all(row["adjusted_level"] > row["level"] for row in rows[:1])
    few = mtsig.compare(mtsig.read_sample().take(range(30)), "bleu", baseline="direct")
    assert few.warnings
    assert str(few).splitlines()[-len(few.warnings) :] == [f"Warning: {text}" for text in few.warnings]
    many = few.changed(warnings=tuple(f"number {i}" for i in range(5)))
    worded(str(many).splitlines()[-1], "2 more")
    with pytest.raises(InvalidOption, match=r"matrix or scores; found 'x.pdf'.*study.report"):
        study.plot("x.pdf")  # type: ignore[arg-type]
