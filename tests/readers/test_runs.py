"""Logs of evaluation programs are test sets: tasks, models and scores are those that the programs themselves report.

The files in logs/ were written by the programs (see the scripts beside them), which no test runs.
"""

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pages
import pytest
from kept import Kept, lacking, worded
from made import flat
from scipy.stats import binomtest

from mtsig import compare, measure, read
from mtsig.cli import main
from mtsig.cli._reading import parts_from
from mtsig.collection import read_sets
from mtsig.corpus import Corpus
from mtsig.errors import AlignmentError, InvalidOption, ReadError, UnknownName
from mtsig.metrics import default_metrics
from mtsig.readers import File, assemble
from mtsig.readers._assemble import of_pair
from mtsig.readers._read import logs_at, parts_at, parts_of

LOGS = Path(__file__).with_name("logs")
LM_EVAL, INSPECT, LIGHTEVAL, HELM, EVALSCOPE, DEEPEVAL = (
    LOGS / name for name in ("lm-eval", "inspect", "lighteval", "helm", "evalscope", "deepeval")
)


def task(path: Path, name: str) -> Corpus:
    return assemble(of_pair(parts_at(path), name))


def means(corpus: Corpus) -> dict[str, dict[str, float]]:
    """The mean of every rating of every system."""
    return {
        name: dict(zip(corpus.systems, np.nanmean(rating.values, axis=1), strict=True))
        for name, rating in corpus.ratings.items()
    }


def the(pattern: str, folder: Path) -> Path:
    (only,) = folder.rglob(pattern)
    return only


def notes(corpus: Corpus) -> str:
    return "\n".join(note.text for note in corpus.notes)


# --- lm-evaluation-harness -------------------------------------------------------------------------------------------


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The samples of lm-evaluation-harness, to be spoiled."""
    shutil.copytree(LM_EVAL, tmp_path / "runs")
    return tmp_path / "runs"


def reported(system: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(the("results_*.json", LM_EVAL / f"maker__{system}").read_text())["results"]
    return found


def test_means_are_those_that_lm_eval_reports() -> None:
    for name, metrics in {
        "capitals": {"acc": "acc,none", "acc_norm": "acc_norm,none"},
        "sums": {name: name for name in ("exact_match,strict-match", "exact_match,flexible-extract")},
    }.items():
        corpus = task(LM_EVAL, name)
        assert list(corpus.systems) == ["maker/large", "maker/small"]
        assert all(
            rating.higher_is_better and rating.direction_source == "declared" for rating in corpus.ratings.values()
        )
        expected = {
            ours: {f"maker/{one}": reported(one)[name][theirs] for one in ("large", "small")}
            for ours, theirs in metrics.items()
        }
        assert means(corpus) == expected
        assert default_metrics(corpus) == [f"rating:{ours}" for ours in metrics]


def test_what_lm_eval_counts_over_all_items_is_counted_from_the_texts(kept: Kept) -> None:
    corpus = task(LM_EVAL, "es_en")
    assert not corpus.ratings
    assert "bleu, chrf, ter" in notes(corpus)
    kept("readers", notes(corpus))
    for metric in ("bleu", "chrf", "ter"):
        ours = dict(zip(corpus.systems, measure(corpus, metric).scores, strict=True))
        for system in ("large", "small"):
            assert ours[f"maker/{system}"] == pytest.approx(reported(system)["es_en"][f"{metric},none"], rel=1e-9)
    assert corpus.references["ref"][0] == "The cat sleeps."
    assert corpus.segments.sources is not None
    assert corpus.segments.sources[0] == "El gato duerme."


def test_tasks_are_sets_wherever_the_runs_lie(tmp_path: Path) -> None:
    shutil.copytree(LM_EVAL, tmp_path / "out" / "runs")
    with zipfile.ZipFile(tmp_path / "runs.zip", "w") as archive:
        for path in sorted(LM_EVAL.rglob("*.json*")):
            archive.write(path, Path("runs") / path.relative_to(LM_EVAL))
    expected = dict(read_sets(LM_EVAL).items())
    assert list(expected) == ["capitals", "es_en", "sums"]
    for place in (tmp_path / "out", tmp_path / "runs.zip"):
        assert dict(read_sets(place).items()) == expected
    with pytest.raises(ReadError, match=r"3 tasks: capitals, es_en, sums\..* --task capitals .*_pair='capitals'"):
        read(LM_EVAL)
    with pytest.raises(ReadError, match=r"no task 'capitalz' here\. Did you mean 'capitals'\? Known: capitals"):
        read(LM_EVAL, language_pair="capitalz")
    some = read_sets(LM_EVAL, only=["sums", "capitals"])
    assert dict(some.items()) == {name: expected[name] for name in ("sums", "capitals")}
    with pytest.raises(UnknownName, match=r"no test set called 'sum'\. Did you mean 'sums'\? Known: capitals, es_en"):
        read_sets(LM_EVAL, only=["sum"])
    with pytest.raises(InvalidOption, match="only is a list of names of test sets; found a str"):
        read_sets(LM_EVAL, only="sums")


def test_the_command_line_judges_one_task_and_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--data", str(LM_EVAL), "--lp", "capitals", "--format", "json"]) == 0
    found = flat(json.loads(capsys.readouterr().out))
    assert {one["metric"] for one in found["comparisons"]} == {"acc", "acc_norm"}
    assert main(["compare", "--data", str(LM_EVAL), "--task", "capitals", "--format", "json"]) == 0
    assert flat(json.loads(capsys.readouterr().out)) == found
    assert (
        main(["compare", "--set", str(LM_EVAL), "--only-sets", "capitals", "--metric", "acc", "--format", "json"]) == 0
    )
    assert {one["set"] for one in flat(json.loads(capsys.readouterr().out))["comparisons"]} == {"capitals"}
    assert main(["compare", "--data", str(LM_EVAL), "--only-sets", "capitals"]) == 2
    assert "--only-sets needs --set" in capsys.readouterr().err
    assert main(["compare", "--set", str(INSPECT / "eval"), "--metric", "match"]) == 0
    assert "match" in capsys.readouterr().out


def test_uploaded_without_folders_the_results_name_the_models() -> None:
    files = [File(path.name, path.read_bytes()) for path in sorted(LM_EVAL.rglob("*_20*"))]
    assert assemble(of_pair(parts_of(files), "sums")) == task(LM_EVAL, "sums")


def test_without_results_folders_name_the_models_and_names_the_directions(copied: Path) -> None:
    for path in copied.rglob("results_*"):
        path.unlink()
    corpus = task(copied, "capitals")
    assert list(corpus.systems) == ["maker__large", "maker__small"]
    assert {rating.direction_source[:6] for rating in corpus.ratings.values()} == {"known:"}


def test_runs_of_one_model_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    for run in ("first", "second"):
        shutil.copytree(LM_EVAL / "maker__small", tmp_path / "runs" / run / "maker__small")
    assert list(task(tmp_path / "runs", "sums").systems) == ["first/maker/small", "second/maker/small"]


def test_runs_that_lie_apart_are_read_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder a run, or the file of a run: what one folder with all of them gives."""
    paths = []
    for name in ("maker__large", "maker__small"):
        shutil.copytree(LM_EVAL / name, tmp_path / name / "results" / name)
        paths.append(tmp_path / name / "results")
    asked = [text for path in paths for text in ("--data", str(path))]
    assert main(["compare", *asked, "--lp", "capitals", "--format", "json"]) == 0
    apart = flat(json.loads(capsys.readouterr().out))
    assert main(["compare", "--data", str(LM_EVAL), "--lp", "capitals", "--format", "json"]) == 0
    together = flat(json.loads(capsys.readouterr().out))
    assert (apart["comparisons"], apart["data"]["digest"]) == (together["comparisons"], together["data"]["digest"])

    # Twice the same model: the places tell the runs apart.
    twice = [*asked[:2], "--data", str(tmp_path / "again")]
    shutil.copytree(paths[0], tmp_path / "again")
    assert main(["score", *twice, "--lp", "capitals"]) == 0
    said = capsys.readouterr().out
    assert "results/maker/large" in said
    assert "again/maker/large" in said
    # A log is a file, too.
    logs = sorted((INSPECT / "eval").rglob("*_sums_*.eval"))
    assert assemble(of_pair(logs_at(logs), "sums")) == task(INSPECT / "eval", "sums")

    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "ref.txt").write_text("a cat\n")
    for more, reason in (
        ([str(tmp_path / "texts")], "--set for several"),
        ([asked[1]], "given twice"),
        ([str(tmp_path / "nowhere")], "there is no such file or folder"),
    ):
        capsys.readouterr()
        assert main(["compare", *asked[:2], "--data", *more, "--lp", "capitals"]) == 2
        assert reason in capsys.readouterr().err


def test_places_of_runs_are_told_apart_by_as_many_folders_as_it_takes(tmp_path: Path) -> None:
    paths = [tmp_path / name / "out" / "logs" for name in ("first", "second")]
    for path in paths:
        shutil.copytree(LM_EVAL / "maker__small", path)
    names = [f"{name}/out/logs/maker/small" for name in ("first", "second")]
    assert list(assemble(of_pair(logs_at(paths), "sums")).systems) == names
    # One place within another holds the same logs: a run would be compared with itself.
    for inner in (paths[0], next(paths[0].glob("samples_*"))):
        with pytest.raises(ReadError, match="which was also given, so its logs would be read twice"):
            logs_at([paths[0].parent if inner == paths[0] else paths[0], inner])


def test_two_runs_of_one_model_in_one_place_are_refused(copied: Path) -> None:
    path = the("samples_capitals_*", copied / "maker__small")
    path.with_name("samples_capitals_2027-01-01T00-00-00.000000.jsonl").write_bytes(path.read_bytes())
    shutil.copy(the("results_*", path.parent), path.with_name("results_2027-01-01T00-00-00.000000.json"))
    with pytest.raises(
        ReadError, match=r"this is a second acc for the same system and segment; the first is in another"
    ):
        task(copied, "capitals")


def test_the_order_of_the_lines_says_nothing(copied: Path) -> None:
    for path in copied.rglob("samples_*"):
        if "small" in str(path):
            path.write_text("".join(reversed(path.read_text().splitlines(keepends=True))))
    for name in ("capitals", "sums", "es_en"):
        assert task(copied, name) == task(LM_EVAL, name)


@pytest.mark.parametrize("name", ["capitals", "es_en"])
def test_systems_with_other_items_are_refused_and_the_items_named(copied: Path, name: str) -> None:
    path = the(f"samples_{name}_*", copied / "maker__small")
    rows = path.read_text().splitlines(keepends=True)
    path.write_text("".join(rows[:3] + rows[5:]))
    with pytest.raises(AlignmentError) as caught:
        task(copied, name)
    worded(str(caught.value), path.name, "2 of the 16", "3, 4.")


def test_an_item_twice_is_refused_with_both_lines(copied: Path) -> None:
    path = the("samples_sums_*", copied / "maker__small")
    rows = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*rows, rows[0]]))
    with pytest.raises(ReadError, match=r"line 33: .*\b0; .*line 1\."):
        task(copied, "sums")


def test_a_filter_that_lacks_items_is_refused(copied: Path) -> None:
    path = the("samples_sums_*", copied / "maker__small")
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-3]))
    with pytest.raises(ReadError, match=r"'flexible-extract' lacks 3 of 16 items, the first being 13"):
        task(copied, "sums")


def test_another_version_of_the_task_is_refused(copied: Path) -> None:
    path = the("samples_capitals_*", copied / "maker__small")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows[4]["doc_hash"] = "0" * 64
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(
        ReadError, match=r"1 of 16 items of 'capitals' differ from those of .* with the same ids, .* being 4"
    ):
        task(copied, "capitals")


def test_other_prompts_leave_the_source_out_with_a_warning(copied: Path, kept: Kept) -> None:
    path = the("samples_es_en_*", copied / "maker__small")
    path.write_text(path.read_text().replace('"arg_0": "', '"arg_0": "Translate: '))
    corpus = task(copied, "es_en")
    assert corpus.segments.sources is None
    assert not lacking(notes(corpus), "es_en: ", "prompts")
    kept("readers", notes(corpus))


@pytest.mark.parametrize(
    ("value", "said"),
    [('"acc": 1e300', "acc is '1e\\+300'"), ('"acc": 1.0, "acc": 0.0', "'acc' occurs twice"), ("{", "not valid JSON")],
)
def test_a_broken_line_is_refused_with_its_number(copied: Path, value: str, said: str) -> None:
    path = the("samples_capitals_*", copied / "maker__small")
    rows = path.read_text().splitlines(keepends=True)
    rows[6] = rows[6].replace('"acc": 1.0', value).replace('"acc": 0.0', value, 1)
    path.write_text("".join(rows))
    with pytest.raises(ReadError, match=f"line 7.*{said}"):
        task(copied, "capitals")


def test_a_value_that_is_missing_is_a_gap(copied: Path) -> None:
    path = the("samples_capitals_*", copied / "maker__small")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows[2]["acc"] = float("nan")
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    corpus = task(copied, "capitals")
    assert np.argwhere(np.isnan(corpus.ratings["acc"].values)).tolist() == [[1, 2]]


def test_beside_other_texts_logs_are_left_alone(copied: Path) -> None:
    rows = [{"ref": f"ref {i}", "ours": f"out {i}", "theirs": f"output {i}"} for i in range(30)]
    (copied / "set.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    corpus = read(copied)
    assert list(corpus.systems) == ["ours", "theirs"]
    assert "maker__small/ (4 files)" in notes(corpus)


# --- Inspect ----------------------------------------------------------------------------------------------------------


def test_means_are_those_that_inspect_reports(kept: Kept) -> None:
    corpus = read(INSPECT / "json")
    assert list(corpus.systems) == ["mockllm/large", "mockllm/small"]
    assert list(corpus.ratings) == ["match"]
    for system in ("large", "small"):
        log = json.loads(the("*.json", INSPECT / "json" / system).read_text())
        accuracy = log["results"]["scores"][0]["metrics"]["accuracy"]["value"]
        assert means(corpus)["match"][f"mockllm/{system}"] == accuracy
    said = notes(corpus)
    worded(said, "1", "NAME=higher", "Data page")
    kept("readers", said)


def test_both_forms_of_inspect_hold_the_same() -> None:
    assert task(INSPECT / "eval", "sums") == read(INSPECT / "json")


def test_a_direction_that_nobody_knows_can_be_said(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["compare", "--data", str(INSPECT / "json"), "--format", "json"]
    assert main([*arguments, "--better", "closeness=higher"]) == 0
    found = flat(json.loads(capsys.readouterr().out))
    assert {one["metric"] for one in found["comparisons"]} == {"match", "closeness"}
    log = json.loads(the("*.json", INSPECT / "json" / "small").read_text())
    mean = log["results"]["scores"][1]["metrics"]["mean"]["value"]
    scores = {(one["metric"], one["system"]): one["score"] for one in found["systems"]}
    assert scores["closeness", "mockllm/small"] == pytest.approx(mean, rel=1e-9)
    for wrong, said in (
        ("near=higher", "Known: match, closeness"),
        ("match=up", "expected NAME=h"),
    ):
        assert main([*arguments, "--better", wrong]) != 0
        assert said in capsys.readouterr().err


def test_epochs_are_averaged_and_failed_samples_are_gaps(kept: Kept) -> None:
    corpus = task(INSPECT / "eval", "sums-twice")
    assert set(np.unique(corpus.ratings["match"].values)) == {0.0, 0.5, 1.0}
    assert list(corpus.outputs) == ["mockllm/large", "mockllm/small"]
    (first, second), drawn = corpus.samples["mockllm/large"].values(), corpus.ratings["match"].samples
    assert (len(first), tuple(first)) == (8, corpus.outputs["mockllm/large"])
    assert first != second
    assert drawn is not None
    assert np.array_equal(drawn.mean(axis=0), corpus.ratings["match"].values)
    broken = task(INSPECT / "eval", "sums-broken")
    assert np.isnan(broken.ratings["match"].values).sum(axis=1).tolist() == [0, 1]
    assert list(broken.outputs) == ["mockllm/large"]
    assert not lacking(notes(broken), "1 sample ", "sum-5")
    kept("readers", notes(broken))


def test_means_over_epochs_are_those_that_inspect_reports() -> None:
    from mtsig.readers._files import members

    corpus = task(INSPECT / "eval", "sums-twice")
    for system in ("large", "small"):
        path = the("*sums-twice*", INSPECT / "eval" / system)
        header = json.loads(dict(members(path.name, path.read_bytes()))["header.json"])
        value = header["results"]["scores"][0]["metrics"]["accuracy"]["value"]
        assert means(corpus)["match"][f"mockllm/{system}"] == value


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    content = bytearray(the("*_sums_*", INSPECT / "eval" / "small").read_bytes())
    place = content.index(b"samples/sum-3_epoch_1.json") + 300
    content[place] ^= 0xFF
    (tmp_path / "log.eval").write_bytes(content)
    with pytest.raises(ReadError, match=r"log\.eval/samples/sum-3_epoch_1\.json: damaged in the archive"):
        read(tmp_path)


# --- 0 and 1 ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("only_first", "only_second", "both", "neither"), [(9, 2, 20, 9), (3, 3, 5, 0), (14, 1, 0, 25)]
)
def test_on_right_and_wrong_answers_tests_are_mcnemars(
    only_first: int, only_second: int, both: int, neither: int
) -> None:
    """Items that both or neither get right say nothing; what is left is McNemar's exact test."""
    first = [1.0] * only_first + [0.0] * only_second + [1.0] * both + [0.0] * neither
    second = [0.0] * only_first + [1.0] * only_second + [1.0] * both + [0.0] * neither
    order = np.random.default_rng(1).permutation(len(first))
    scores = {"a": np.array(first)[order].tolist(), "b": np.array(second)[order].tolist()}
    exact = binomtest(only_first, only_first + only_second, 0.5).pvalue
    for test in ("ar", "sign"):
        (row,) = compare(scores, name="accuracy", test=test).rows()
        assert row["p_value"] == pytest.approx(exact, rel=1e-9), test
    (row,) = compare(scores, name="accuracy", test="wilcoxon").rows()
    assert row["p_value"] == pytest.approx(exact, abs=0.03)


def test_all_answers_alike_separate_nothing() -> None:
    scores = {"a": [1.0, 0.0] * 20, "b": [1.0, 0.0] * 20}
    for test in ("ar", "sign", "wilcoxon", "t"):
        (row,) = compare(scores, name="accuracy", test=test).rows()
        assert row["p_value"] == 1.0, test


# --- Parquet ----------------------------------------------------------------------------------------------------------


def parquet(path: Path, rows: list[dict[str, Any]]) -> Path:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet as writer

    writer.write_table(pyarrow.Table.from_pylist(rows), path)
    return path


def test_a_parquet_table_of_texts_is_one_of_tsv(tmp_path: Path) -> None:
    rows = [{"id": i, "source": f"s {i}", "ref": f"r {i}", "ours": f"o\n{i}", "theirs": f"t {i}"} for i in range(30)]
    corpus = read(parquet(tmp_path / "set.parquet", rows))
    assert corpus.outputs["ours"] == tuple(f"o\n{i}" for i in range(30))
    assert list(corpus.systems) == ["ours", "theirs"]
    assert list(corpus.references) == ["ref"]


def test_a_parquet_table_of_scores_is_one_of_tsv(tmp_path: Path) -> None:
    rows = [
        {"system": name, "segment": i + 1, "comet": (i * (7 + k) % 11) / 11}
        for k, name in enumerate("ab")
        for i in range(30)
    ]
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    parquet(tmp_path / "one" / "scores.parquet", rows)
    lines = ["system\tsegment\tcomet", *("\t".join(str(value) for value in row.values()) for row in rows)]
    (tmp_path / "other" / "scores.tsv").write_text("\n".join(lines) + "\n")
    assert read(tmp_path / "one").ratings == read(tmp_path / "other").ratings


@pytest.mark.parametrize(
    ("content", "said"), [(b"PAR1 and no more", "a damaged Parquet table"), (b"system\tsegment", "not a Parquet table")]
)
def test_what_is_no_parquet_table_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "set.parquet").write_bytes(content)
    with pytest.raises(ReadError, match=said):
        read(tmp_path / "set.parquet")


# --- lighteval --------------------------------------------------------------------------------------------------------


def test_lightevals_details_are_read() -> None:
    from mtsig.readers._parquet import rows_of

    corpus = read(LIGHTEVAL)
    assert list(corpus.systems) == ["maker/large", "maker/small"]
    assert list(corpus.ratings) == ["em", "f1"]
    for row, system in enumerate(("large", "small")):
        path = the("*.parquet", LIGHTEVAL / "details" / "maker" / system)
        rows = rows_of(File(path.name, path))
        assert corpus.ratings["em"].values[row].tolist() == [one["metric"]["em"] for one in rows]
        assert corpus.outputs[f"maker/{system}"] == tuple(one["model_response"]["text"][0] for one in rows)
    assert corpus.references["ref"] == tuple(str(12 * i + 11) for i in range(12))


# --- HELM -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["simple_classification", "simple_mcqa:num_train_trials=2"])
def test_means_are_those_that_helm_reports(name: str) -> None:
    corpus = task(HELM, name)
    assert list(corpus.systems) == ["maker/large", "maker/small"]
    for system in ("large", "small"):
        (run,) = (HELM / "runs" / "made").glob(f"{name.partition(':')[0]}:model=maker_{system}*")
        stats = {one["name"]["name"]: one.get("mean") for one in json.loads((run / "stats.json").read_text())}
        for metric, found in means(corpus).items():
            assert found[f"maker/{system}"] == pytest.approx(stats[metric.replace("-at-", "@")], rel=1e-9), metric
    assert "num_prompt_tokens" in notes(corpus)


def test_texts_of_helm_are_those_it_generated() -> None:
    corpus = task(HELM, "simple_classification")
    assert set(corpus.outputs["maker/large"]) <= {"Even", "Odd"}
    assert corpus.segments.sources is not None
    right = ["Odd" if int(number) % 2 else "Even" for number in corpus.segments.sources]
    assert list(corpus.references["ref"]) == right
    exact = [
        [float(line == ref) for line, ref in zip(corpus.outputs[one], right, strict=True)] for one in corpus.systems
    ]
    assert corpus.ratings["exact_match"].values.tolist() == exact
    # With options an answer is a letter, which no text is compared with; over trials there is no one text.
    assert not task(HELM, "simple_mcqa:num_train_trials=2").outputs


def test_perturbed_items_of_helm_are_counted_and_left_out(tmp_path: Path, kept: Kept) -> None:
    (run,) = (HELM / "runs" / "made").glob("simple_classification:model=maker_small")
    shutil.copytree(run, tmp_path / "runs" / run.name)
    path = tmp_path / "runs" / run.name / "per_instance_stats.json"
    entries = json.loads(path.read_text())
    path.write_text(json.dumps([*entries, {**entries[0], "perturbation": {"name": "typos"}}]))
    corpus = read(tmp_path)
    assert "omitted (1)" in notes(corpus)
    kept("readers", notes(corpus))
    whole = task(HELM, "simple_classification").select(["maker/small"])
    assert means(corpus) == means(whole)


def test_a_score_of_helm_that_contradicts_another_is_refused(tmp_path: Path) -> None:
    (run,) = (HELM / "runs" / "made").glob("simple_classification:model=maker_small")
    shutil.copytree(run, tmp_path / "runs" / run.name)
    path = tmp_path / "runs" / run.name / "per_instance_stats.json"
    entries = json.loads(path.read_text())
    other = json.loads(json.dumps(entries[0]))
    other["stats"][0]["mean"] += 7
    path.write_text(json.dumps([*entries, other]))
    with pytest.raises(
        ReadError, match=rf"entry {len(entries) + 1}: num_references is .* in another entry of the same"
    ):
        read(tmp_path)


def chat(scores: list[Any], model: str = "m", **more: Any) -> str:
    """Return a log as Inspect 0.3.285 writes it, with samples that were asked in a chat, whose messages have ids."""
    samples = [
        {"id": i, "epoch": 1, "target": str(i), "output": {"completion": f"{model} {i}"},
         "input": [{"id": f"{model}{i}", "role": "system", "content": "Be brief."},
                   {"id": f"{model}{i}x", "role": "user", "content": [{"type": "text", "text": f"{i} plus 0"}]}],
         "scores": {"judge": {"value": score}}} for i, score in enumerate(scores)
    ]  # fmt: skip
    held = {"version": 2, "status": "success", "eval": {"task": "sums", "model": model}, "samples": samples}
    return json.dumps(held | more)


def test_items_asked_in_a_chat_are_the_same_in_every_log(tmp_path: Path) -> None:
    for model in ("m", "n"):
        (tmp_path / f"{model}.json").write_text(chat(["C", "I", "P", "N", True, "yes"], model))
    corpus = read(tmp_path)
    assert corpus.segments.sources == tuple(f"{i} plus 0" for i in range(6))
    assert corpus.ratings["judge"].values.tolist() == [[1, 0, 0.5, 0, 1, 1]] * 2
    assert corpus.ratings["judge"].higher_is_better


def test_scores_that_are_words_make_no_rating_and_are_named(tmp_path: Path, kept: Kept) -> None:
    for scores in (["A", "B", "A"], ["C", "unparsed", 1], [[1, 2], 3, 4]):
        (tmp_path / "log.json").write_text(chat(scores))
        corpus = read(tmp_path / "log.json")
        assert (len(corpus.lines("m")), list(corpus.ratings)) == (3, [])
        kept("readers", notes(corpus))
    (tmp_path / "log.json").write_text(chat(["0.5", "n/a", 1]))
    parts = [part for part in parts_at(tmp_path / "log.json") if part.scored is not None]
    assert np.isnan(parts[0].scored.values).tolist() == [[False, True, False]]


def test_deepevals_latest_run_is_read_from_its_wrapper(tmp_path: Path) -> None:
    (path, *_) = sorted(DEEPEVAL.rglob("*.json"))
    (tmp_path / "latest.json").write_text(f'{{"testRunData": {flat_text(path)}}}')
    assert read(tmp_path / "latest.json").outputs == read(path).outputs


# --- what the documentation says --------------------------------------------------------------------------------------


# --- EvalScope, DeepEval, promptfoo ----------------------------------------------------------------------------------


def test_means_are_those_that_evalscope_reports(tmp_path: Path) -> None:
    for name, trials in (("once", 1), ("twice", 2)):
        corpus = read(EVALSCOPE / name)
        reports = {the(f"reports/{system}/*.json", EVALSCOPE / name) for system in ("large", "small")}
        reported = {one["model_name"]: one["metrics"][0]["score"] for one in map(json.loads, map(flat_text, reports))}
        assert means(corpus)["accuracy"] == pytest.approx(reported, abs=5e-5)
        assert {len(own) for own in corpus.samples.values()} == ({2} if trials == 2 else set())
        assert len(corpus) == 12
        assert corpus.references["ref"] == tuple(str(12 * i + 11) for i in range(12))
    (tmp_path / "one.json").write_text(flat_text(reports.pop()))
    with pytest.raises(ReadError, match=r"an EvalScope report, or its predictions.*reviews/"):
        read(tmp_path)


def test_means_and_directions_are_those_of_deepeval() -> None:
    corpus = read(DEEPEVAL)
    counted = {}
    for path in DEEPEVAL.rglob("*.json"):
        run = json.loads(flat_text(path))
        counted |= {(one["metric"], run["hyperparameters"]["model"]): np.mean(one["scores"])
                    for one in run["metricsScores"]}  # fmt: skip
    found = {(metric, system): mean for metric, own in means(corpus).items() for system, mean in own.items()}
    assert found == pytest.approx(counted)
    assert {name: rating.higher_is_better for name, rating in corpus.ratings.items()} == {
        "Exact Match": True, "Distance": False,
    }  # fmt: skip
    assert corpus.references["ref"][0] == "11"


def flat_text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def promptfoo(whole: bool, repeat: int = 1) -> str:
    """Return results as promptfoo's types describe them (version 3): two models, one of them with two prompts."""
    results = []
    for column, (model, prompt) in enumerate(
        (("maker:large", "plain"), ("maker:small", "plain"), ("maker:small", "b"))
    ):
        for i in range(6 * repeat):
            right, failed = (i + column) % 3 != 0, column == 2 and i == 4
            results.append({
                "promptIdx": column, "testIdx": i, "success": right, "score": float(right), "latencyMs": 3,
                "failureReason": 2 if failed else 0 if right else 1, "namedScores": {"adequacy": right / 2},
                "testCase": {"vars": {}, "assert": [{"type": "equals", "value": "{{want}}"}]},
                "vars": {"text": f"{i % 6} plus 1", "want": str(i % 6 + 1)}, "provider": {"id": model, "label": ""},
                "prompt": {"raw": f"{prompt} {i % 6} plus 1", "label": prompt},
                "response": None if failed else {"output": str(i % 6 + (1 if right else 9))},
                "gradingResult": {"pass": right, "score": float(right), "reason": "", "componentResults": [
                    {"pass": right, "score": float(right), "reason": "", "assertion": {"type": "equals"}}]},
            })  # fmt: skip
    if not whole:
        return "".join(f"{json.dumps(one)}\n" for one in results)
    held = {"version": 3, "timestamp": "2026-01-01", "prompts": [], "results": results, "stats": {}}
    return json.dumps({"evalId": "eval-1", "results": held, "config": {"description": "sums"}}, indent=2)


def test_promptfoos_results_are_read_in_both_forms(tmp_path: Path) -> None:
    for name in ("out.json", "out.jsonl"):
        (tmp_path / name).write_text(promptfoo(name == "out.json"))
        corpus = read(tmp_path / name)
        assert list(corpus.systems) == ["maker:large", "maker:small/plain", "maker:small/b"]
        assert set(corpus.ratings) == {"score", "pass", "adequacy", "equals"}
        assert np.isnan(corpus.ratings["pass"].values).sum(axis=1).tolist() == [0, 0, 1]
        assert list(corpus.lines("maker:large"))[:3] == ["9", "2", "3"]
        assert corpus.references["ref"] == ("1", "2", "3", "4", "5", "6")
        (tmp_path / name).write_text(promptfoo(name == "out.json").replace('"promptIdx": 1', '"promptIdx": 0'))
        assert list(read(tmp_path / name).systems) == list(corpus.systems)  # models are told apart, however numbered
        (tmp_path / name).write_text(promptfoo(name == "out.json", 2))
        assert len(read(tmp_path / name)) == 6
        assert {len(own) for own in read(tmp_path / name).samples.values()} == {2}
        (tmp_path / name).write_text(promptfoo(name == "out.json").replace("testIdx", "other", 1))
        with pytest.raises(ReadError, match=r"expected a promptfoo result with testIdx"):
            read(tmp_path / name)


def test_promptfoos_table_with_verdicts_in_its_cells_is_refused(tmp_path: Path) -> None:
    old = 'text,"[maker] say"\n' + 'a,"[PASS] (1.00)\nb"\nc,"[FAIL] (0.00)\nd"\n' * 4
    of_each = "Status,Score,Named Scores,Grader Reason,Comment"
    new = f"Description,src,[a] say,{of_each},[b] say,{of_each}\n" + "Row,s,t,PASS,1,,,,u,FAIL,0,,,\n" * 4
    for written in (old, new):
        (tmp_path / "out.csv").write_text(written)
        with pytest.raises(ReadError, match=r"promptfoo.*--output out"):
            read(tmp_path / "out.csv")


def test_the_worked_example_prints_what_the_documentation_shows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--data", str(LM_EVAL), "--lp", "capitals", "--metric", "acc"]) == 0
    printed = {" ".join(line.split()) for line in capsys.readouterr().out.splitlines()}
    page = (Path(__file__).parents[2] / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    example = page.partition("--task capitals --metric acc\n\n")[2].partition("```")[0]
    shown = [" ".join(line.split()) for line in example.splitlines() if line.strip()]
    assert len(shown) == 5
    assert set(shown) <= printed


# --- what the programs' own error bars leave out ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("folder", "name", "program"),
    [
        (LM_EVAL, "capitals", "lm-evaluation-harness"), (LIGHTEVAL, None, "lighteval"),
        (INSPECT / "json", None, "Inspect"), (HELM, None, "HELM"), (DEEPEVAL, None, None),
    ],
)  # fmt: skip
def test_what_own_error_bars_leave_out_is_said_once(folder: Path, name: str | None, program: str | None) -> None:
    corpora = read_sets(folder).values() if name is None and folder != INSPECT / "json" else [
        read(folder) if name is None else task(folder, name)
    ]  # fmt: skip
    for corpus in corpora:
        said = [note.text for note in corpus.notes if "error bars" in note.text]
        assert [text.partition("'s own error bars")[0] for text in said] == ([] if program is None else [program])


def test_helms_spread_is_that_of_trials_and_not_of_items() -> None:
    for stats in HELM.rglob("stats.json"):
        trials = len(
            {row["train_trial_index"] for row in json.loads(stats.with_name("per_instance_stats.json").read_text())}
        )
        own = [one for one in json.loads(stats.read_text()) if one["name"]["name"] == "exact_match"]
        assert {one["count"] for one in own} == {trials}


def test_the_terminal_and_the_page_say_what_error_bars_leave_out(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asked = ["--data", str(LM_EVAL), "--lp", "capitals"]
    assert main(["compare", *asked, "--metric", "acc", "-o", str(tmp_path / "study.json")]) == 0
    worded(capsys.readouterr().err)
    assert (
        main(["report", str(tmp_path / "study.json"), *asked, "--to", "html", "--out", str(tmp_path / "report")]) == 0
    )
    (page,) = (tmp_path / "report").glob("*.html")
    assert "own error bars" in page.read_text(encoding="utf-8")
    at = pages.app()
    at.session_state["session"].load_parts(parts_from([*asked]))
    assert "own error bars" in pages.texts(pages.at_page(at.run(), "data"))
