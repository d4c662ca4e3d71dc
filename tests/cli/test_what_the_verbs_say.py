"""What the verbs say beside their numbers: warnings of runs and documents, detectable differences, dependence."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from kept import Kept, lacking, worded
from made import edited_reference, flat, made_corpus, write
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest
from sampled import sampled

from mtsig import Corpus, Settings, measure
from mtsig._say import attainable_text
from mtsig.cli import main
from mtsig.inference import detectable_difference, smallest_detectable
from mtsig.inference._audit import as_sacrebleu
from mtsig.inference._dependence import dependence

Run = Callable[..., tuple[str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def called(*arguments: object) -> tuple[str, str]:
        code = main([str(one) for one in arguments])
        told = capsys.readouterr()
        assert code == 0, told.err
        return told.out, told.err

    return called


def with_runs() -> Corpus:
    made = made_corpus(n=40, systems=4, documents=0)
    names = ["X.run1", "X.run2", "Y.opt0", "Y.opt1"]
    outputs = {new: made.lines(old) for new, old in zip(names, made.systems, strict=True)}
    return Corpus.of(outputs, made.references)


@pytest.mark.parametrize("verb", ["compare", "score", "audit", "power"])
def test_single_runs_are_warned_of(run: Run, tmp_path: Path, verb: str) -> None:
    extra: list[object] = ["--pair", "X.run1", "Y.opt1"] if verb in ("audit", "power") else []
    extra += ["--difference", "1"] if verb == "power" else ["--resamples", "50"]
    data = ("--data", write(tmp_path, with_runs()))
    _, err = run(verb, *data, *extra)
    (line,) = [line for line in err.splitlines() if "Single runs" in line]
    each = 1 if verb in ("audit", "power") else 2
    assert not lacking(line, "warning: ", f"{each} of X", f"{each} of Y", "inflates its score", "mtsig runs")
    out, _ = run(verb, *data, *extra, "--format", "json")
    assert [note for note in json.loads(out)["notes"] if "Single runs" in note]


def test_systems_without_runs_are_not_warned_of(run: Run, tmp_path: Path) -> None:
    data = write(tmp_path, made_corpus(n=40, documents=0))
    assert "Single runs" not in run("compare", "--data", data, "--resamples", "50")[1]


def test_runs_under_several_metrics_are_corrected(run: Run, tmp_path: Path, kept: Kept) -> None:
    data = write(tmp_path, with_runs())
    out, _ = run("runs", "--data", data, "--metric", "bleu", "chrf", "ter", "--format", "json")
    rows = json.loads(out)["runs"]
    ascending = sorted(rows, key=lambda row: row["p_value"])
    lowest = 0.0
    for factor, row in zip((3, 2, 1), ascending, strict=True):  # Holm's steps: 3p, 2p, p, never falling
        lowest = max(lowest, min(1.0, factor * row["p_value"]))
        assert row["p_adjusted"] == pytest.approx(lowest)
        assert row["family_size"] == 3
    kept("runs", run("runs", "--data", data, "--metric", "bleu", "chrf", "ter")[0])
    assert "(Holm)" not in run("runs", "--data", data)[0]


def test_what_could_have_been_found_stands_beside_what_was_not(run: Run, tmp_path: Path, kept: Kept) -> None:
    corpus = made_corpus(n=120, systems=3, documents=24)
    data = write(tmp_path, corpus)
    out, _ = run("compare", "--data", data, "--resamples", "300", "--format", "json")
    rows = flat(json.loads(out))["comparisons"]
    family = Settings(n_resamples=300).family(measure(corpus, "bleu"))
    assert "not_significant" in {row["verdict"] for row in rows}
    for row, one in zip(rows, family, strict=True):
        found = smallest_detectable(one)
        assert found is not None
        ends = (found.difference, found.low, found.high)
        assert (row["detectable"], row["detectable_low"], row["detectable_high"]) == pytest.approx(ends)
        assert row["detectable"] > detectable_difference(one.standard_error)  # of three comparisons, more is needed
        assert (row["p_adjusted_mc_low"], row["p_adjusted_mc_high"]) == (one.p_adjusted_mc_low, one.p_adjusted_mc_high)
        assert (row["alternative"], row["estimand"]) == ("two-sided", one.estimand)
        assert row["p_adjusted_mc_low"] <= row["p_adjusted"] <= row["p_adjusted_mc_high"]
    table, _ = run("compare", "--data", data, "--resamples", "300")
    for row in rows:
        assert (f"{row['detectable']:.2f}" in table) == (row["verdict"] != "better")
    kept("compare", table)
    text, _ = run("compare", "--data", data, "--resamples", "300", "--format", "csv")
    assert {"detectable", "verdict", "withheld_reason", "p_adjusted_mc_low"} <= set(
        next(csv.DictReader(io.StringIO(text)))
    )


def test_a_named_test_its_caution_and_the_default_are_in_the_rows(run: Run, tmp_path: Path) -> None:
    data = write(tmp_path, made_corpus(n=40, documents=0))
    flags = ("compare", "--data", data, "--resamples", "300", "--format", "json")
    rows, defaults = (
        flat(json.loads(run(*flags, *more)[0]))["comparisons"] for more in (["--test", "bootstrap-koehn"], [])
    )
    assert {row["verdict"] for row in rows} == {"better", "not_significant"}
    for row, default in zip(rows, defaults, strict=True):
        assert row["p_value"] is None
        wins, losses = row["bootstrap_win_rate"], 1 - row["bootstrap_win_rate"] - row["tie_rate"]
        winner = row["first"] if wins >= 0.95 else row["second"] if losses >= 0.95 else None
        assert (row["winner"], row["withheld_reason"]) == (winner, None)
        assert ("10 to 15" in row["caution"]) == (winner is not None)
        assert (row["default_verdict"], row["default_winner"]) == (default["verdict"], default["winner"])
        assert (default["default_verdict"], default["default_winner"]) == (None, None)
        assert not lacking(default["caution"], "fewer than 250", "no document ids")
        assert (default["order_segments"], default["documents"]) == (40, None)


@pytest.mark.parametrize("verb", ["compare", "score", "audit", "power", "runs"])
def test_documents_are_said_not_to_show_what_is_not_among_them(run: Run, tmp_path: Path, verb: str) -> None:
    made = made_corpus(n=120, systems=4, documents=24)
    names = ["X.run1", "X.run2", "Y.run1", "Y.run2"] if verb == "runs" else list(made.systems)
    outputs = {new: made.lines(old) for new, old in zip(names, made.systems, strict=True)}
    data = write(tmp_path, Corpus.of(outputs, made.references, documents=made.documents))
    pair = ["--pair", "sys0", "sys1"] if verb in ("audit", "power") else []
    extra = ["--difference", "1"] if verb == "power" else ["--resamples", "50"]
    said = "Rare and atypical documents may be missing, and the intervals cannot reflect those."
    few = "intervals are wide and small differences may be missed, even with many segments."
    worded(run(verb, "--data", data, *pair, *extra)[1].splitlines(), "24 documents", few, said)
    if verb not in ("score", "audit"):  # an audit shows documents beside segments
        assert said not in run(verb, "--data", data, *pair, *extra, "--unit", "segment")[1]


@pytest.mark.parametrize("verb", ["score", "audit", "power", "compare"])
def test_what_is_judged_without_a_reference_is_said_where_it_is(run: Run, tmp_path: Path, verb: str) -> None:
    data = write(tmp_path, edited_reference(systems=4, n=120))
    pair = ["--pair", "kin", "sys0"] if verb in ("audit", "power") else []
    _, err = run(verb, "--data", data, *pair, *(["--difference", "1"] if verb == "power" else ["--resamples", "200"]))
    assert "System 'kin' has" in err
    assert ("Without reference 'B'" in err) == (verb in ("audit", "compare"))
    assert "also judged" not in err


def test_the_audit_says_what_dependence_costs(run: Run, tmp_path: Path) -> None:
    corpus = made_corpus(n=120, systems=2, documents=24)
    arguments = ("audit", "--data", write(tmp_path, corpus), "--resamples", "50")
    (row,) = json.loads(run(*arguments, "--format", "json")[0])["dependence"]
    known = dependence(measure(corpus, "bleu"), "sys0", "sys1")
    assert row["icc"] == pytest.approx(known.icc)
    assert row["design_effect"] == pytest.approx(known.design_effect)
    assert row["effective_segments"] == pytest.approx(120 / known.design_effect)
    assert "design effect" in run(*arguments)[0]


def test_the_audit_refuses_dependence_of_few_documents(run: Run, tmp_path: Path, kept: Kept) -> None:
    arguments = ("audit", "--data", write(tmp_path, made_corpus(n=60, systems=2, documents=5)), "--resamples", "50")
    (row,) = json.loads(run(*arguments, "--format", "json")[0])["dependence"]
    assert "5 documents" in row["problem"]
    out, _ = run(*arguments)
    kept("audit", out)
    assert "show no dependence" not in out


def test_the_audit_scans_blocks_where_documents_are_unknown(run: Run, tmp_path: Path) -> None:
    arguments = ("audit", "--data", write(tmp_path, made_corpus(n=60, systems=2, documents=0)), "--resamples", "50")
    assert json.loads(run(*arguments, "--format", "json")[0])["dependence"][0]["lengths"] == [2, 5]
    assert "neighbours taken together" in run(*arguments)[0]


def test_the_audit_prints_as_sacrebleu_does(run: Run, tmp_path: Path) -> None:
    corpus = made_corpus(n=40, systems=2, documents=0)
    arguments = ("audit", "--data", write(tmp_path, corpus), "--resamples", "50", "--as-sacrebleu")
    rows = json.loads(run(*arguments, "--metric", "bleu", "sentbleu", "--format", "json")[0])["as_sacrebleu"]
    base, system = as_sacrebleu(measure(corpus, "bleu"), "sys0", "sys1")
    assert [(row["metric"], row.get("system")) for row in rows] == [
        ("BLEU", "sys1"), ("BLEU", "sys0"), ("sentBLEU", None),
    ]  # fmt: skip
    assert (rows[0]["score"], rows[0]["half_width"]) == (base.score, base.half_width)
    assert (rows[1]["p_bootstrap"], rows[1]["p_randomization"]) == (system.p_bootstrap, system.p_randomization)
    assert "cannot be shown" in rows[2]["problem"]
    out, _ = run(*arguments)
    assert f"{system.mean:.4f} ± {system.half_width:.4f}" in out
    assert "--paired-ar" not in run(*arguments[:-1])[0]


def test_one_segment_carries_no_test_and_no_interval(run: Run, tmp_path: Path, kept: Kept) -> None:
    corpus = made_corpus(n=40, systems=2, documents=0).take([3])
    data = ("--data", write(tmp_path, corpus), "--metric", "chrf")
    out, _ = run("audit", *data)
    assert "nan" not in out
    assert "All 0 tests" not in out
    kept("audit", out)
    scores = measure(corpus, "chrf").scores
    assert f"{scores[0] - scores[1]:+.2f} chrF2" in out.replace("−", "-")
    table, err = run("score", *data)
    assert f"{scores[0]:.2f}" in table
    assert "nan" not in table
    kept("score", err)
    (row, _) = flat(json.loads(run("score", *data, "--format", "json")[0]))["systems"]
    assert (row["score"], row["ci_low"], row["interval"]) == (pytest.approx(scores[0]), None, "none")


@pytest.mark.parametrize(
    ("test", "documents"),
    [("t", 12), ("wilcoxon", 12), ("wmt-wilcoxon", 12), ("sign", 12), ("sacrebleu-bs", 12), ("t", 0), ("sign", 5)],
)
def test_segment_tests_warn_where_documents_are_known(run: Run, tmp_path: Path, test: str, documents: int) -> None:
    data = write(tmp_path, made_corpus(n=48, systems=2, documents=documents))
    metric = "bleu" if test == "sacrebleu-bs" else "sentbleu"
    _, err = run("compare", "--data", data, "--metric", metric, "--test", test, "--resamples", "50")
    assert ("segments as independent" in err) == (documents >= 10)


def test_the_floor_of_p_is_that_of_exchanged_labels() -> None:
    corpus = made_corpus(n=40, systems=2, documents=0)
    outputs = {"a": corpus.lines("sys0"), "b": [*corpus.lines("sys1")[:3], *corpus.lines("sys0")[3:]]}
    statistics = measure(Corpus.of(outputs, corpus.references), "chrf")
    exchanged = Settings(n_resamples=50, unit="segment").family(statistics)[0]
    assert "at least 0.25" in str(attainable_text(exchanged))
    assert attainable_text(Settings(test="bootstrap-shift", n_resamples=50).family(statistics)[0]) is None
    declared = Settings(alternative="greater", n_resamples=50, unit="segment").family(statistics, [("a", "b")])[0]
    assert "at least 0.12" in str(attainable_text(declared))
    assert np.isfinite(exchanged.p_value)


@pytest.mark.parametrize(
    ("flag", "baseline"),
    [
        ("bs", "sys1"),
        ("ar", "sys2"),
        *(pytest.param(*both, marks=pytest.mark.slow) for both in (("bs", "sys2"), ("ar", "sys1"))),
    ],
)
def test_the_preset_prints_the_cells_of_sacrebleu(run: Run, tmp_path: Path, flag: str, baseline: str) -> None:
    corpus = made_corpus(n=40, systems=3, documents=0)
    references = [list(lines) for lines in corpus.references.values()]
    names = [baseline, *(name for name in corpus.systems if name != baseline)]
    # What is exchanged or redrawn is the same for every metric.
    metrics = (
        {"BLEU": BLEU(references=references), "TER": TER(references=references)}
        if flag == "bs"
        else {"chrF2": CHRF(references=references)}
    )
    named = [(name, list(corpus.lines(name))) for name in names]
    draws = 1000 if flag == "bs" else 10_000
    _, scores = PairedTest(named, metrics, None, test_type=flag, n_samples=draws)()
    test = [] if flag == "bs" else ["--test", "sacrebleu-ar"]
    out, _ = run(
        "compare", "--data", write(tmp_path, corpus), "--method", "sacrebleu", *test,
        "--metric", *(("bleu", "ter") if flag == "bs" else ("chrf",)), "--baseline", baseline, "--format", "markdown",
    )  # fmt: skip
    for metric in metrics:
        lines = out.splitlines()
        head = next(i for i, line in enumerate(lines) if "as sacreBLEU prints it" in line and metric in line)
        for name, line, result in zip(names, lines[head + 2 :], scores[metric], strict=False):
            cells = [cell.strip() for cell in line.strip("| ").split("|")]
            assert cells[0] == (f"Baseline: {name}" if name == baseline else name)
            assert float(cells[1]) == pytest.approx(result.score, abs=5e-5)
            if flag == "bs":
                assert cells[2] == f"{result.mean:.4f} ± {result.ci:.4f}"
            if name != baseline:
                assert cells[3] == f"{result.p_value:.4f}"


def test_verdicts_that_are_withheld_alike_are_one_note_and_one_clause(run: Run, tmp_path: Path, kept: Kept) -> None:
    made = made_corpus(n=60, systems=2, documents=0)
    broken = {f"broken{i}": [f"x{i} y{i}"] * 60 for i in range(5)}
    outputs = {name: made.lines(name) for name in made.systems} | broken
    out, err = run("compare", "--data", write(tmp_path, Corpus.of(outputs, made.references)), "--unit", "block")
    notes = [line for line in err.splitlines() if " withheld: " in line]
    assert sum(int(note.split()[1]) for note in notes) == 20
    for note in notes:
        assert note.startswith("warning: ")
        assert not lacking(note, "segment scores", "--metric sentchrf")
    assert out.count("of segment scores") == 1
    kept("compare", out)


@pytest.mark.slow
def test_several_metrics_say_what_their_families_add_up_to_and_a_flag_judges_them_together(
    run: Run, tmp_path: Path
) -> None:
    data = ("--data", write(tmp_path, made_corpus(n=60, systems=3, documents=12)), "--resamples", "100")
    said = "Each metric is corrected separately. So over 2 metrics, the family-wise error rate is at most 10%, not 5%."
    # What only describes is no verdict, and adds nothing.
    for metrics in (("bleu", "chrf"), ("bleu", "chrf", "ratio")):
        _, err = run("compare", *data, "--metric", *metrics)
        (note,) = [line for line in err.splitlines() if "family-wise error rate" in line]
        assert note.startswith(f"note: {said}")
        assert "--correct-jointly" in note
    for other in (
        ("--metric", "bleu", "chrf", "--correct-jointly"),
        ("--metric", "bleu"),
        ("--metric", "bleu", "ratio"),
    ):
        _, err = run("compare", *data, *other)
        assert "family-wise error rate" not in err
    study = tmp_path / "study.json"
    for flag, due in (((), True), (("--correct-jointly",), False)):
        run("compare", *data, "--metric", "bleu", "chrf", *flag, "--out", study)
        report = tmp_path / f"report{due}"
        run("report", study, "--to", "html", "markdown", "latex", "--out", report)
        for suffix in ("html", "md", "tex"):
            texts = [" ".join(path.read_text().replace("\\%", "%").split()) for path in report.rglob(f"*.{suffix}")]
            assert texts
            assert any(said in text for text in texts) == due, suffix


NAMED = [("{0}{x}%s$a[bold]", "{}}{"), ("%(a)s %\\g<0>${b}{%x%}", "{!r}{:>9999999999}"),
         ("a{{b}}%%$$", "base{v2}{0.__class__}")]  # fmt: skip
"""Names that one or another way to fill in text would take for a place, or fail on: several in each, of which one is
enough. Those of the last are shortened without a word of error."""

RATED = ("--ratings", "{q}=ratings.csv:higher")
ASKED: dict[str, tuple[str, ...]] = {
    "score": (), "compare": ("--resamples", "99", "--out", "study.json"), "check": (), "read": (),
    "count": ("--out", "counts.parquet"), "size-curve": (), "segments": ("--pair", "A", "B", "--out", "s.html"),
    "audit": ("--pair", "A", "B", "--resamples", "99"), "power": ("--pair", "A", "B", "--difference", "1"),
    "gate": ("--baseline", "A", "--candidate", "B", "--metric", "chrf", "--margin", "99", "--ledger", "looks.jsonl"),
    "card": ("--pair", "A", "B", "--out", "c.svg"), "meta-eval": RATED, "delta": RATED, "raters": RATED,
    "few-ratings": (*RATED, "--metric", "sentbleu"), "sample": ("--size", "10"),
    "autorank": ("--metric", "bleu", "ter"),
}  # fmt: skip


SHOWING = ("score", "compare", "gate", "segments", "audit", "power", "autorank", "preferences")


def named(folder: Path, first: str, second: str) -> list[list[str]]:
    """Write a table of texts, ratings and preferences of two systems, and return the rows of texts."""
    corpus = made_corpus(n=48, systems=2, documents=0)
    texts = [next(iter(corpus.references.values())), *(corpus.lines(name) for name in corpus.systems)]
    rows = [["ref", first, second, "document"]]
    rows += [[*map(str, own), f"{{d{at // 4}}}"] for at, own in enumerate(zip(*texts, strict=True))]
    rated = [["system", "segment", "rater", "score"]]
    rated += [[name, str(at + 1), f"{{r{own}}}", str(30 * (name == first) + (7 * at + 13 * own) % 50)]
              for name in (first, second) for at in range(48) for own in range(2)]  # fmt: skip
    judged = [["system_a", "system_b", "winner", "item", "document", "judge"]]
    judged += [[first, second, (first, second, "tie")[at % 3], str(at), f"{{d{at // 4}}}", "{j}"] for at in range(48)]
    for file, content in {"texts.tsv": rows, "ratings.csv": rated, "judged.csv": judged}.items():
        with (folder / file).open("w", newline="") as stream:
            csv.writer(stream, delimiter="\t" if file.endswith("tsv") else ",", lineterminator="\n").writerows(content)
    return rows


@sampled("pair", NAMED, most=1)
def test_no_verb_takes_a_name_for_a_template(
    pair: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (first, second), own = pair, dict(zip("AB", pair, strict=True))
    named(tmp_path, first, second)
    study = ["study.json", "--data", "texts.tsv", "--out", "report", "--to", "markdown", "html", "latex", "json"]
    verbs = {verb: ["--data", "texts.tsv", *(own.get(one, one) for one in asked)] for verb, asked in ASKED.items()}
    for verb, asked in {**verbs, "report": study, "preferences": ["judged.csv"]}.items():
        for style in ("table", "json")[: 1 if verb in ("report", "card", "count") else 2]:
            code = main([verb, *asked, *(["--format", style] if style != "table" else [])])
            told = capsys.readouterr()
            assert code in ((0, 3) if verb == "gate" else (0,)), (verb, told.err)
            spelled = json.dumps(first)[1:-1] if style == "json" else first
            assert verb not in SHOWING or spelled in told.out, verb
