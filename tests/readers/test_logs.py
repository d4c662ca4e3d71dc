"""Of samples with several filters the task's own counts, brackets are text, and a model is named by its own run."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from layouts import made

from mtsig import Corpus, read

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
