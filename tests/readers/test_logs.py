"""Logs with filters, epochs, failed and missing answers, and scores that are letters or lists; whose model it was."""

import json
import shutil
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from kept import worded
from layouts import made
from pyarrow import parquet

from mtsig import Corpus, read
from mtsig.errors import ReadError
from mtsig.readers import assemble
from mtsig.readers._assemble import of_pair
from mtsig.readers._read import parts_at

LOGS = Path(__file__).with_name("logs")

N = 12
TEXTS = made(N)
DATE = "2024-06-10T10-00-00.123456"


def sample(i: int, chosen: str, answer: str, target: Any) -> dict[str, Any]:
    return {
        "doc_id": i, "doc": {}, "target": target, "resps": [[f"Sure! {TEXTS['alpha'][i]}"]], "filter": chosen,
        "arguments": {"gen_args_0": {"arg_0": TEXTS["source"][i], "arg_1": {"until": ["\n"]}}},
        "filtered_resps": [answer], "metrics": ["bleu"], "doc_hash": f"h{i}", "target_hash": f"t{i}",
        "bleu": ["a", "b"],
    }  # fmt: skip


def run(
    folder: Path, model: str, filters: Sequence[str], named: Sequence[str] = (), targets: Sequence[Any] = ()
) -> None:
    place = folder / model.replace("/", "__")
    place.mkdir(parents=True)
    answers = {"strip": "{}", "none": "Sure! {}", "raw": "Sure! {}", "shout": "{}!!"}
    lines = [
        sample(i, chosen, answers[chosen].format(TEXTS["alpha"][i]), (targets or TEXTS["ref"])[i])
        for chosen in filters for i in range(N)
    ]  # fmt: skip
    (place / f"samples_mt_{DATE}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    config = {"filter_list": [{"name": name, "filter": []} for name in named]} if named else {}
    results = {"results": {}, "configs": {"mt": config}, "versions": {}, "model_name": model}
    (place / f"results_{DATE}.json").write_text(json.dumps(results))


def answers(corpus: Corpus, name: str = "org/a-1.3B") -> list[str]:
    return list(corpus.lines(name))


@pytest.mark.parametrize("filters", [("strip", "raw"), ("strip", "raw", "shout"), ("raw", "strip")])
@pytest.mark.parametrize("named", [(), ("strip",), ("strip", "raw")])
def test_the_tasks_own_filter_counts_and_is_said(filters: Sequence[str], named: Sequence[str], tmp_path: Path) -> None:
    run(tmp_path, "org/a-1.3B", filters, named)
    corpus = read(tmp_path)
    own = named[0] if named else filters[0]
    assert answers(corpus)[0].startswith("Sure!") == (own == "raw")
    assert any(f"filter {own!r}" in note.text for note in corpus.notes)


@pytest.mark.parametrize("target", ["[Applause]", "[Laughter] Well.", "[1]", "[a, b]"])
def test_brackets_are_text(target: str, tmp_path: Path) -> None:
    run(tmp_path, "org/a-1.3B", ["strip"], targets=[target, *TEXTS["ref"][1:]])
    (lines,) = read(tmp_path).references.values()
    assert lines[0] == target


@pytest.mark.parametrize("shown", [str, list])
def test_several_targets_are_several_references(shown: Any, tmp_path: Path) -> None:
    run(tmp_path, "org/a-1.3B", ["strip"], targets=[shown([line, f"{line} Too."]) for line in TEXTS["ref"]])
    references = read(tmp_path).references
    assert [list(lines) for lines in references.values()] == [TEXTS["ref"], [f"{line} Too." for line in TEXTS["ref"]]]


def test_unfiltered_answers_count_only_alone(tmp_path: Path) -> None:
    run(tmp_path / "two", "org/a-1.3B", ["none", "strip"])
    assert answers(read(tmp_path / "two")) == TEXTS["alpha"]
    run(tmp_path / "one", "org/a-1.3B", ["none"])
    assert answers(read(tmp_path / "one"))[0].startswith("Sure!")


def test_one_target_that_looks_like_a_list_is_text(tmp_path: Path) -> None:
    run(tmp_path, "org/a-1.3B", ["strip"], targets=["['sic']", *TEXTS["ref"][1:]])
    (lines,) = read(tmp_path).references.values()
    assert lines[0] == "['sic']"


def test_results_of_another_folder_name_no_model(tmp_path: Path) -> None:
    for model in ("org/a-1.3B", "org/b-7B"):
        run(tmp_path, model, ["strip"])
    (tmp_path / "org__b-7B" / f"results_{DATE}.json").unlink()
    assert sorted(read(tmp_path).systems) == ["org/a-1.3B", "org__b-7B"]


def test_models_that_ran_at_one_time_keep_their_names(tmp_path: Path) -> None:
    for model, chosen in (("org/a-1.3B", "strip"), ("org/b-7B", "shout"), ("x/c", "raw")):
        run(tmp_path, model, [chosen])
    corpus = read(tmp_path)
    assert answers(corpus) == TEXTS["alpha"]
    assert answers(corpus, "org/b-7B") == [f"{line}!!" for line in TEXTS["alpha"]]
    assert answers(corpus, "x/c") == [f"Sure! {line}" for line in TEXTS["alpha"]]


LATER = "2024-07-11T11-00-00.654321"


@pytest.mark.parametrize("inside", ["org__a-1.3B", "runs", ""])
@pytest.mark.parametrize("task", ["mt", "other"])
def test_a_later_run_without_its_results_is_of_no_unknown_model(inside: str, task: str, tmp_path: Path) -> None:
    """Its folder names the model where it is called like that of the other runs in it; else nothing does."""
    run(tmp_path, "org/a-1.3B", ["none"])
    place = (tmp_path / "org__a-1.3B").rename(tmp_path / "set") if not inside else tmp_path / "set" / inside
    if inside:
        place.parent.mkdir()
        (tmp_path / "org__a-1.3B").rename(place)
    earlier = (place / f"samples_mt_{DATE}.jsonl").read_text()
    (place / f"samples_{task}_{LATER}.jsonl").write_text(earlier)
    if (inside, task) == ("org__a-1.3B", "other"):
        assert list(assemble(of_pair(parts_at(tmp_path / "set"), "other")).systems) == ["org/a-1.3B"]
        return
    said = "named 'org/a-1.3B'" if inside == "org__a-1.3B" else f"no results_{LATER}.json.* its model is unknown"
    with pytest.raises(ReadError, match=said):
        read(tmp_path / "set")
    (place / f"results_{LATER}.json").write_text((place / f"results_{DATE}.json").read_text().replace("a-1.3B", "b"))
    if task == "mt":
        assert list(read(tmp_path / "set").systems) == ["org/a-1.3B", "org/b"]


@pytest.mark.parametrize("filtered", [[], [None], [["", None]], "[invalid]"])
def test_answers_that_are_missing_are_named_where_nothing_else_is_known(filtered: object, tmp_path: Path) -> None:
    run(tmp_path, "org/a-1.3B", ["none"])
    (samples,) = tmp_path.rglob("samples*")
    lines = [json.loads(line) for line in samples.read_text().splitlines()]
    for line in lines[2:4]:
        line["filtered_resps"] = filtered
    samples.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(ReadError, match=r"2 of 12 items have no answer \(such as 2\)\. Run them again"):
        read(tmp_path)


Edit = Callable[[Any], object]


def inspected(folder: Path, edit: Edit, archived: bool = False) -> Corpus:
    """Return the logs that Inspect wrote of two models, with every log changed; as archives or as JSON."""
    for path in (LOGS / "inspect" / "json").rglob("*.json"):
        log = json.loads(path.read_text())
        edit(log)
        place = folder / path.parent.name
        place.mkdir(parents=True)
        if not archived:
            (place / path.name).write_text(json.dumps(log))
            continue
        with zipfile.ZipFile(place / f"{path.stem}.eval", "w") as archive:
            for sample in log.pop("samples"):
                archive.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample))
            archive.writestr("header.json", json.dumps(log))
    return read(folder)


def valued(*values: object) -> Edit:
    """Return the edit by which a scorer q gave these values, in turn."""
    return lambda log: [
        sample.update(scores={"q": {"value": values[at % len(values)]}}) for at, sample in enumerate(log["samples"])
    ]


@pytest.mark.parametrize("archived", [False, True])
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ("CIPN", [1, 0, 0.5, 0]), (("yes", "No"), [1, 0]), ((True, False), [1, 0]), (("C", 0.75), [1, 0.75]),
        (({"a": "C", "b": "I"},), [1]), ((None, "C"), [np.nan, 1]), ("ABCDEF", None), (("C", "c"), None),
        (("GRADE: C",), None), (("50%",), None), (([1, 0],), None), (({"a": [1]},), None),
    ],
)  # fmt: skip
def test_scores_of_inspect_are_numbers_or_are_named(
    values: tuple[Any, ...], expected: list[float] | None, archived: bool, tmp_path: Path
) -> None:
    corpus = inspected(tmp_path, valued(*values), archived)
    if expected is None:
        assert not corpus.ratings
        worded(corpus.notes)
        return
    rating = next(iter(corpus.ratings.values()))
    assert rating.higher_is_better
    assert np.array_equal(rating.values, [(expected * 8)[:8]] * 2, equal_nan=True)


@pytest.mark.parametrize("archived", [False, True])
@pytest.mark.parametrize("reducer", ["mode", "max", "pass_at_2", "mean"])
def test_epochs_that_inspect_reduces_otherwise_are_told(reducer: str, archived: bool, tmp_path: Path) -> None:
    def twice(log: Any) -> None:
        log["eval"]["config"]["epochs_reducer"] = [reducer]
        log["samples"] += [{**sample, "epoch": 2, "scores": {"match": {"value": "C"}}} for sample in log["samples"]]

    corpus = inspected(tmp_path, twice, archived)
    assert set(np.unique(corpus.ratings["match"].values)) == {0.5, 1.0}
    told = [note.text for note in corpus.notes if f"the log reports {reducer} over epochs" in note.text]
    assert len(told) == (0 if reducer == "mean" else 2)


def test_a_sample_of_inspect_that_failed_has_neither_text_nor_score(tmp_path: Path) -> None:
    corpus = inspected(tmp_path, lambda log: log["samples"][3].update(error={"message": "x"}))
    assert np.isnan(corpus.ratings["match"].values).sum(axis=1).tolist() == [1, 1]
    assert not corpus.outputs


def helm(folder: Path, edit: Callable[[Any, Any], object]) -> Corpus:
    """Return a task of HELM with the scores and the states of every run changed."""
    for path in (LOGS / "helm" / "runs" / "made").glob("simple_classification:*"):
        place = folder / "runs" / "made" / path.name
        shutil.copytree(path, place)
        names = [place / "per_instance_stats.json", place / "scenario_state.json"]
        scores, states = (json.loads(name.read_text()) for name in names)
        edit(scores, states["request_states"])
        for name, content in zip(names, (scores, states), strict=True):
            name.write_text(json.dumps(content))
    return read(folder)


def test_a_count_of_none_is_no_score_of_helm(tmp_path: Path) -> None:
    corpus = helm(tmp_path, lambda scores, _: [stat.update(count=0, mean=0.0) for stat in scores[0]["stats"]])
    assert np.isnan(corpus.ratings["exact_match"].values).sum(axis=1).tolist() == [1, 1]


def test_several_answers_of_helm_to_an_item_are_told(tmp_path: Path) -> None:
    corpus = helm(
        tmp_path,
        lambda _, states: [state["result"].update(completions=[{"text": t} for t in "ab"]) for state in states],
    )
    assert set(corpus.lines("maker/small")) == {"a"}
    assert sum("6 items have several answers; the first" in note.text for note in corpus.notes) == 2


def test_requests_of_helm_without_an_answer_leave_the_texts_out(tmp_path: Path) -> None:
    for at, spoil in enumerate(
        (lambda states: states[0]["result"].update(completions=[]), lambda states: states.append(states[0]))
    ):
        corpus = helm(tmp_path / str(at), lambda _, states, spoil=spoil: spoil(states))
        assert not corpus.outputs
        assert sum("1 of 6 items have no answer" in note.text for note in corpus.notes) == 2


@pytest.mark.parametrize("metric", [{"q": None, "acc": 1.0}, {"q": [1, 2], "acc": 1.0}, {"q": "C", "acc": 1.0}])
def test_scores_of_lighteval_that_are_no_numbers_are_no_ratings(metric: dict[str, Any], tmp_path: Path) -> None:
    shutil.copytree(LOGS / "lighteval", tmp_path / "runs")
    for path in tmp_path.rglob("*.parquet"):
        rows = parquet.read_table(path).to_pylist()
        for row in rows:
            row["metric"] = metric
            row["model_response"] |= {"text": ["<think>no</think>yes", "no"], "text_post_processed": ["yes", "no"]}
        parquet.write_table(pa.Table.from_pylist(rows), path)
    corpus = read(tmp_path)
    assert list(corpus.ratings) == ["acc"]
    assert len(corpus.samples["maker/small"]) == 2
    assert set(corpus.lines("maker/small")) == {"yes"}
    named = any("cannot be ratings: q" in note.text for note in corpus.notes)
    assert named == (metric["q"] is not None)
