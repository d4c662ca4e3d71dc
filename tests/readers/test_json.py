"""Scores and logs of other programs are no texts: they are refused with what they are, or left alone beside texts."""

import json
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from kept import Kept, lacking, worded
from layouts import made
from limited import GB, mtsig
from made import made_corpus
from sampled import crossed, sampled

from mtsig import Settings, metric, read, read_files
from mtsig.cli import main
from mtsig.errors import MtsigError, ReadError
from mtsig.readers import File, assemble
from mtsig.readers._names import is_language
from mtsig.readers._read import parts_at, parts_of
from mtsig.study import Request, conduct

SHA = "ab12" * 16


def sample(number: int) -> dict[str, Any]:
    """A line as lm-evaluation-harness 0.4 logs it."""
    return {
        "doc_id": number, "doc": {"de": f"Satz {number}", "en": f"sentence {number}"}, "target": f"sentence {number}",
        "arguments": {"gen_args_0": {"arg_0": f"Translate: Satz {number}", "arg_1": {"until": ["\n"]}}},
        "resps": [[f" a sentence {number}"]], "filtered_resps": [f"a sentence {number}"], "filter": "none",
        "metrics": ["bleu", "ter", "chrf"], "doc_hash": f"{number:064x}", "prompt_hash": f"{number + 99:064x}",
        "target_hash": f"{number + 999:064x}", "bleu": [f"sentence {number}", f"a sentence {number}"],
    }  # fmt: skip


def score(name: str) -> dict[str, Any]:
    """What sacreBLEU 2.6 prints of a metric."""
    return {
        "name": name, "score": 34.5, "signature": "nrefs:1|case:mixed|version:2.6.0",
        "verbose_score": "66.9/41.2 (BP = 1.0)", "nrefs": "1", "case": "mixed", "version": "2.6.0",
    }  # fmt: skip


def lines(objects: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(one) + "\n" for one in objects)


def study() -> str:
    return conduct(made_corpus(n=30, documents=0), Request((metric("bleu"),), Settings(n_resamples=100))).text()


PAIRED = {"score": 21.3, "p_value": 0.01, "mean": 21.2, "ci": 1.1}

CASES: dict[str, tuple[str, str, str]] = {
    "samples": ("samples_wmt16.jsonl", lines([sample(i) for i in range(40)]), "lm-evaluation-harness logged"),
    "one sample": ("samples_wmt16.jsonl", lines([sample(1)]), "lm-evaluation-harness logged"),
    "samples in a list": ("samples.json", json.dumps([sample(i) for i in range(3)], indent=1), "(--log_samples)"),
    "results": (
        "results_2026.json",
        json.dumps({"results": {"wmt16": {"bleu,none": 12.1}}, "configs": {}, "versions": {}, "n-shot": {}}, indent=1),
        "results of lm-evaluation-harness",
    ),
    "lighteval": ("results.json", json.dumps({"config_general": {}, "results": {}, "versions": {}}), "lighteval"),
    "sacreBLEU": ("bleu.json", json.dumps(score("BLEU"), indent=1), "scores that sacreBLEU printed"),
    "sacreBLEU's list": ("bleu.json", json.dumps([score("BLEU"), score("chrF2"), score("TER")]), "sacreBLEU printed"),
    "sacreBLEU's systems": (
        "bleu.json", json.dumps([{"system": one, "BLEU": "45.1", "chrF2++": "51.2"} for one in "abc"]),
        "scores of several systems that sacreBLEU printed",
    ),
    "sacreBLEU's pairs": (
        "bleu.json", json.dumps([{"system": one, "BLEU": PAIRED, "TER": PAIRED} for one in ("Baseline: a", "b")]),
        "scores of several systems that sacreBLEU printed",
    ),
    "HELM": ("display_predictions.json", json.dumps([{"instance_id": "id1", "train_trial_index": 0}]), "a HELM run"),
    "HELM's state": ("scenario_state.json", json.dumps({"adapter_spec": {}, "request_states": []}), "a HELM run"),
    "Inspect": ("log.json", json.dumps({"status": "success", "eval": {}, "plan": {}}), "an Inspect log"),
    "a study": ("study.json", study(), "results of mtsig itself"),
}  # fmt: skip


READ_ALONE = ("samples", "one sample", "samples in a list")
"""What is a test set where nothing else is one (see test_runs.py), and a log where something else is."""


@pytest.fixture(params=[name for name in CASES if name not in READ_ALONE])
def refused(request: pytest.FixtureRequest) -> tuple[str, str, str]:
    return CASES[str(request.param)]


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> tuple[str, str, str]:
    return CASES[str(request.param)]


@pytest.fixture
def file(case: tuple[str, str, str], tmp_path: Path) -> Path:
    return written(case, tmp_path)


@pytest.fixture
def refused_file(refused: tuple[str, str, str], tmp_path: Path) -> Path:
    return written(refused, tmp_path)


def written(case: tuple[str, str, str], folder: Path) -> Path:
    (folder / case[0]).write_text(case[1], encoding="utf-8")
    return folder / case[0]


def check(message: str, name: str, what: str) -> None:
    """Check that a refusal says which file it is, what that holds, what was expected and what to do."""
    assert name in message
    assert what in message
    assert "Expected objects" in message
    assert any(word in message for word in ("Write the outputs", "Give the", "mtsig report FILE"))
    assert message.count("\n") == 0


def test_alone_it_is_refused_with_what_it_is(refused: tuple[str, str, str], refused_file: Path, tmp_path: Path) -> None:
    for place in (refused_file, tmp_path):
        with pytest.raises(ReadError) as caught:
            read(place)
        check(str(caught.value), refused_file.name, refused[2])


def test_named_as_a_system_it_is_refused(refused: tuple[str, str, str], refused_file: Path, tmp_path: Path) -> None:
    (tmp_path / "ref.txt").write_text("x\n" * 40, encoding="utf-8")
    with pytest.raises(ReadError) as caught:
        read_files([tmp_path / "ref.txt"], [refused_file])
    check(str(caught.value), refused_file.name, refused[2])


def test_the_score_of_a_whole_test_set_is_refused_with_the_reason(tmp_path: Path) -> None:
    for name in ("sacreBLEU", "sacreBLEU's list", "sacreBLEU's systems", "sacreBLEU's pairs"):
        with pytest.raises(
            ReadError, match="does not show how scores vary between segments, but every test needs this"
        ):
            read(written(CASES[name], tmp_path))


def test_among_systems_it_is_refused(case: tuple[str, str, str], tmp_path: Path) -> None:
    (tmp_path / "systems").mkdir()
    (tmp_path / "systems" / case[0]).write_text(case[1], encoding="utf-8")
    (tmp_path / "systems" / "a.txt").write_text("x\n" * 40, encoding="utf-8")
    (tmp_path / "ref.txt").write_text("x\n" * 40, encoding="utf-8")
    with pytest.raises(ReadError) as caught:
        read(tmp_path)
    check(str(caught.value), f"systems/{case[0]}", case[2])


def test_the_shell_fails_and_the_page_says_why_in_the_row(
    refused: tuple[str, str, str], refused_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case, file = refused, refused_file
    for arguments in (
        ["read", "--data", str(file)],
        ["compare", "--data", str(file)],
        ["score", "--data", str(file.parent)],
    ):
        assert main(arguments) != 0
        out, err = capsys.readouterr()
        assert case[2] in err
        assert "Traceback" not in out + err
    parts = parts_of([File(file.name, file.read_bytes())])
    check(" ".join(part.problem or "" for part in parts), file.name, case[2])
    with pytest.raises(MtsigError) as caught:
        assemble(parts)
    check(str(caught.value), file.name, case[2])


def test_beside_a_test_set_it_is_left_alone_and_named(case: tuple[str, str, str], file: Path, tmp_path: Path) -> None:
    texts = [{"ref": f"ref {i}", "ours": f"out {i}", "theirs": f"output {i}"} for i in range(30)]
    (tmp_path / "set.jsonl").write_text(lines(texts), encoding="utf-8")
    corpus = read(tmp_path)
    assert list(corpus.systems) == ["ours", "theirs"]
    assert any(file.name in note.text for note in corpus.notes)


# --- what is about the texts --------------------------------------------------------------------------------------

ABOUT = {
    "filter": lambda _: "none",
    "model": lambda _: "some/model-7b",
    "doc_hash": lambda i: f"{i:064x}",
    "uid": lambda i: f"{i:08x}-0000-4000-8000-{i:012x}",
    "link": lambda i: f"https://example.org/{i}",
    "category": lambda i: ("news", "social", "speech")[i % 3],
}


@pytest.mark.parametrize("suffix", ["jsonl", "json", "tsv"])
def test_fields_about_the_texts_are_no_systems(tmp_path: Path, suffix: str, kept: Kept) -> None:
    rows = [{"ref": f"ref {i}", "ours": f"out {i}", **{name: one(i) for name, one in ABOUT.items()}} for i in range(90)]
    content = {
        "jsonl": lines(rows),
        "json": json.dumps(rows),
        "tsv": "\n".join(["\t".join(rows[0]), *("\t".join(row.values()) for row in rows)]) + "\n",
    }[suffix]
    path = tmp_path / f"set.{suffix}"
    path.write_text(content, encoding="utf-8")
    corpus = read(path)
    assert list(corpus.systems) == ["ours"]
    parts = {part.name: part for part in parts_of([File(path.name, path.read_bytes())])}
    assert {parts[name].role for name in ABOUT} == {"ignored"}
    assert not lacking(parts["filter"].form, "same", repr("none"))
    assert parts["uid"].form == parts["link"].form == parts["doc_hash"].form == "digests or addresses"
    assert not lacking(parts["category"].form, "labels", "3", "90 rows")
    assert any("category" in note.text for note in corpus.notes)
    if suffix == "jsonl":
        kept(
            "readers", *(f"{part.name}: {part.form}" for part in parts.values()), *(note.text for note in corpus.notes)
        )


def test_metadata_alone_are_no_test_set(tmp_path: Path) -> None:
    rows = [{"ref": f"ref {i}", **{name: one(i) for name, one in ABOUT.items()}} for i in range(90)]
    (tmp_path / "set.jsonl").write_text(lines(rows), encoding="utf-8")
    with pytest.raises(ReadError, match=r"contains no system output.*'filter' \(the same in every row: 'none'\)"):
        read(tmp_path / "set.jsonl")


@pytest.mark.parametrize(
    "outputs",
    [
        ["a cat", "a cat", "a cat"] * 10,  # says the same, but in a field that is called output
        ["", "", "only one"] * 10,
    ],
)
def test_what_is_called_an_output_is_one(tmp_path: Path, outputs: list[str]) -> None:
    rows = [{"ref": f"ref {i}", "hyp": outputs[i]} for i in range(30)]
    (tmp_path / "ours.jsonl").write_text(lines(rows), encoding="utf-8")
    assert list(read(tmp_path / "ours.jsonl").systems) == ["ours"]


def test_a_few_alike_lines_are_no_label(tmp_path: Path) -> None:
    rows = [{"ref": f"ref {i}", "ours": "yes" if i % 3 else f"no {i}", "theirs": f"output {i}"} for i in range(30)]
    (tmp_path / "set.jsonl").write_text(lines(rows), encoding="utf-8")
    assert list(read(tmp_path / "set.jsonl").systems) == ["ours", "theirs"]


TEXTS = made(20, ("alpha", "beta"))
SOURCE, REF, ALPHA, BETA = TEXTS.values()


def asked(number: int) -> dict[str, Any]:
    return {"role": "user", "content": f"Translate: {SOURCE[number]}"}


def answer(number: int) -> dict[str, Any]:
    return {"role": "assistant", "content": ALPHA[number]}


def blocks(text: str, kind: str = "text") -> list[dict[str, str]]:
    return [{"type": "thinking", "thinking": "It is a bridge."}, {"type": kind, "text": text}]


MESSAGES: dict[str, Callable[[int], dict[str, Any]]] = {
    "OpenAI": lambda n: {"messages": [{"role": "system", "content": "You translate."}, asked(n), answer(n)]},
    "several turns": lambda n: {"messages": [asked(n), {**answer(n), "content": "A draft."}, asked(n), answer(n)]},
    "Anthropic": lambda n: {"messages": [{**asked(n), "content": blocks("x")},
                                         {**answer(n), "content": blocks(ALPHA[n])}]},
    "Anthropic's response": lambda n: {"id": f"msg_{n}", "type": "message", **answer(n), "content": blocks(ALPHA[n])},
    "Anthropic's batch": lambda n: {"custom_id": str(n), "result": {"type": "succeeded", "message": answer(n)}},
    "ShareGPT": lambda n: {"id": str(n), "conversations": [{"from": "human", "value": SOURCE[n]},
                                                           {"from": "gpt", "value": ALPHA[n]}]},
    "a completion": lambda n: {"object": "chat.completion", "choices": [{"index": 0, "message": answer(n)}]},
    "a response": lambda n: {"output": [{"type": "reasoning"},
                                        {**answer(n), "content": blocks(ALPHA[n], "output_text")}]},
    "a batch": lambda n: {"custom_id": str(n), "response": {"body": {"choices": [{"message": answer(n)}]}}},
    "Gemini": lambda n: {"contents": [{"role": "user", "parts": [{"text": SOURCE[n]}]},
                                      {"role": "model", "parts": [{"text": ALPHA[n]}]}]},
    "Ollama": lambda n: {"model": "llama3", "message": answer(n), "done": True},
    "prompt and completion": lambda n: {"prompt": [asked(n)], "completion": [answer(n)]},
    "a question, and the output": lambda n: {"messages": [asked(n)], "output": ALPHA[n]},
    "an answer alone": answer,
}  # fmt: skip


@pytest.mark.parametrize("name", MESSAGES)
@pytest.mark.parametrize("beside", [{}, {"ref": REF}, {"ref": REF, "source": SOURCE}], ids=["", "ref", "ref, source"])
def test_the_last_answer_of_an_assistant_is_the_output(name: str, beside: dict[str, list[str]], tmp_path: Path) -> None:
    each = [{**MESSAGES[name](n), **{key: own[n] for key, own in beside.items()}} for n in range(20)]
    for place, text in (("alpha.jsonl", lines(each)), ("alpha.json", json.dumps(each, indent=1))):
        (tmp_path / place).write_text(text, encoding="utf-8")
        corpus = read(tmp_path / place)
        assert {name: [*own] for name, own in corpus.outputs.items()} == {"alpha": ALPHA}
        assert [[*own] for own in corpus.references.values()] == ([REF] if beside else [])
        assert corpus.segments.sources == (tuple(SOURCE) if "source" in beside else None)


def test_of_questions_and_answers_by_turns_the_answers_are_outputs(tmp_path: Path) -> None:
    each = [one for n in range(20) for one in (asked(n), answer(n))]
    table = "role\tcontent\n" + "".join(f"{one['role']}\t{one['content']}\n" for one in each)
    for name, text in (("alpha.jsonl", lines(each)), ("alpha.json", json.dumps({"messages": each})),
                       ("alpha.tsv", table)):  # fmt: skip
        (tmp_path / name).write_text(text, encoding="utf-8")
        corpus = read(tmp_path / name)
        assert {name: [*own] for name, own in corpus.outputs.items()} == {"alpha": ALPHA}
        worded(corpus.notes)


NO_ANSWER: dict[str, list[dict[str, Any]]] = {
    "questions": [{"messages": [asked(n)]} for n in range(20)],
    "one question": [{"messages": [asked(n), *([answer(n)] if n != 7 else [])]} for n in range(20)],
    "two outputs": [{"messages": [asked(n), answer(n)], "output": BETA[n]} for n in range(20)],
    "two blocks": [{"messages": [{**answer(n), "content": blocks("x") + blocks("y")}]} for n in range(20)],
    "questions in records": [asked(n) for n in range(20)],
    "an answer is missing": [one for n in range(20) for one in ((asked(n), answer(n)) if n != 7 else (asked(n),))],
    "texts by role": [{"role": role, "text": own[n]} for n in range(20) for role, own in TEXTS.items()],
}  # fmt: skip


@pytest.mark.parametrize("name", NO_ANSWER)
def test_messages_without_one_answer_are_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "alpha.jsonl").write_text(lines(NO_ANSWER[name]), encoding="utf-8")
    with pytest.raises(ReadError, match=r"alpha\.jsonl.*expected one (answer|text).*Write (each output|one record)"):
        read(tmp_path / "alpha.jsonl")


def test_beside_its_source_a_role_says_who_speaks(tmp_path: Path) -> None:
    each = [{"role": "user" if n % 3 else "assistant", "source": SOURCE[n], "ref": REF[n], "alpha": ALPHA[n]}
            for n in range(20)]  # fmt: skip
    (tmp_path / "set.jsonl").write_text(lines(each), encoding="utf-8")
    assert len(read(tmp_path / "set.jsonl")) == 20


OUTPUTS = {"alpha": ALPHA, "beta": BETA}
LISTED = [{"name": name, "outputs": own} for name, own in OUTPUTS.items()]
OF_SET: dict[str, Any] = {"references": [REF], "source": SOURCE}
NAMED: dict[str, Any] = {
    **{key: {key: LISTED, **OF_SET}
       for key in ("systems", "models", "hypotheses", "outputs", "candidates", "translations")},
    "other words": {"models": [{"id": 7, "model": name, "segments": own} for name, own in OUTPUTS.items()], **OF_SET},
    "with scores": {"systems": [{**one, "bleu": 3.5} for one in LISTED], **OF_SET},
    "objects": {"systems": [{"name": name, "outputs": [{"id": n, "text": text} for n, text in enumerate(own)]}
                            for name, own in OUTPUTS.items()], **OF_SET},
    "by name": {"systems": {name: {"outputs": own} for name, own in OUTPUTS.items()}, **OF_SET},
    "alone": [{"name": name, "outputs": own, **OF_SET, "references": REF} for name, own in OUTPUTS.items()],
    "alone, by system": [{"system": name, "lines": own, "refs": REF, "src": SOURCE} for name, own in OUTPUTS.items()],
    "the set apart": {"testset": OF_SET, "systems": LISTED},
    "segments apart": {"segments": [{"src": src, "ref": ref} for src, ref in zip(SOURCE, REF, strict=True)],
                       "systems": LISTED},
}  # fmt: skip


@pytest.mark.parametrize("name", NAMED)
def test_lists_of_named_things_are_systems(name: str, tmp_path: Path) -> None:
    (tmp_path / "set.json").write_text(json.dumps(NAMED[name]), encoding="utf-8")
    if isinstance(NAMED[name], list):
        (tmp_path / "set.jsonl").write_text(lines(NAMED[name]), encoding="utf-8")
    for place in tmp_path.iterdir():
        corpus = read(place)
        assert {name: [*own] for name, own in corpus.outputs.items()} == OUTPUTS
        assert [[*own] for own in corpus.references.values()] == [REF]
        assert list(corpus.segments.sources or ()) == SOURCE


def test_named_lists_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    place = tmp_path / "set.json"
    place.write_text(json.dumps({"systems": [{"name": "a", "outputs": own} for own in (ALPHA, BETA)]}))
    with pytest.raises(ReadError, match="the name 'a' occurs twice"):
        read(place)
    place.write_text(json.dumps({"systems": [{"name": "a", "outputs": ALPHA[1:]}], "references": REF}))
    with pytest.raises(ReadError, match="has 20 entries, but 'a' has 19"):
        read(place)


def segments(system: list[str], *, ref: bool = True) -> list[dict[str, str]]:
    return [{"src": src, "mt": own, **({"ref": one} if ref else {})}
            for src, own, one in zip(SOURCE, system, REF, strict=True)]  # fmt: skip


def by_id(texts: list[str], key: str = "s{}", turned: bool = False) -> dict[str, str]:
    held = [(key.format(at), text) for at, text in enumerate(texts)]
    return dict(held[::-1] if turned else held)


EACH: dict[str, Callable[[list[str]], Any]] = {
    "a list of segments": segments,
    "segments in an object": lambda own: {"bleu": 31.2, "segments": segments(own)},
    "segments by id": lambda own: {"segments": {str(at): one for at, one in enumerate(segments(own))}},
    "two deep": lambda own: {"date": "today", "data": {"items": segments(own)}},
    "columns": lambda own: {"src": SOURCE, "mt": own, "ref": REF, "bleu": 31.2},
    "outputs alone": lambda own: {"outputs": own},
    "an output of each": lambda own: [{"output": text} for text in own],
    "texts": lambda own: own,
    "texts by id": by_id,
}
WRAPPED: dict[str, Callable[[dict[str, Any]], Any]] = {
    "at the top": lambda held: held,
    "in results": lambda held: {"results": held},
    "in results, with remarks": lambda held: {"version": 2, "config": {"beam": 5}, "results": held},
    "in two": lambda held: {"evaluation": {"systems": held}},
    "in a list": lambda held: {"systems": [{"name": name, **(own if isinstance(own, dict) else {"segments": own})}
                                           for name, own in held.items()]},
}  # fmt: skip


@crossed("form, place, beside", EACH, WRAPPED, ["", "ref", "set"])
def test_a_table_that_lies_deep_is_read_whole(form: str, place: str, beside: str, tmp_path: Path) -> None:
    own = {name: EACH[form](lines) for name, lines in OUTPUTS.items()}
    whole = WRAPPED[place](own)
    has_set = any(key in json.dumps(own["alpha"]) for key in ('"src"', '"ref"'))
    if form == "texts by id" and (place == "in a list" or beside):
        return  # ids beside lists that have none
    if beside and not has_set:
        whole |= (
            {"ref": REF, "src": SOURCE} if beside == "ref" else {"testset": {"references": [REF], "sources": SOURCE}}
        )
        has_set = True
    (tmp_path / "set.json").write_text(json.dumps(whole), encoding="utf-8")
    corpus = read(tmp_path / "set.json")
    assert {name: [*lines] for name, lines in corpus.outputs.items()} == OUTPUTS
    assert [[*lines] for lines in corpus.references.values()] == ([REF] if has_set else [])
    assert list(corpus.segments.sources or ()) == (SOURCE if has_set else [])


LISTS: dict[str, Callable[[list[str]], str]] = {
    ".json": json.dumps,
    ".jsonl": lambda own: "".join(f"{json.dumps(text)}\n" for text in own),
    "by id.json": lambda own: json.dumps(by_id(own, turned=own is ALPHA)),
}


@crossed("form, sorted_out", LISTS, [False, True])
def test_a_list_of_texts_is_the_text_of_its_file(form: str, sorted_out: bool, tmp_path: Path) -> None:
    suffix = form.removeprefix("by id")
    for name, lines_of_it in (("source", SOURCE), ("ref", REF), ("alpha", ALPHA), ("beta", BETA)):
        inner = {"source": "", "ref": "refs/"}.get(name, "systems/") if sorted_out else ""
        (tmp_path / inner).mkdir(exist_ok=True)
        (tmp_path / f"{inner}{name}{suffix}").write_text(LISTS[form](lines_of_it), encoding="utf-8")
    if sorted_out:  # beside folders, only a file of documents is taken for the source
        (tmp_path / f"source{suffix}").unlink()
    corpus = read(tmp_path)
    assert {name: [*own] for name, own in corpus.outputs.items()} == OUTPUTS
    assert [[*own] for own in corpus.references.values()] == [REF]


OTHERS: dict[str, tuple[Any, str]] = {
    "rows without names": ([*map(list, zip(SOURCE, REF, ALPHA, strict=True))], "a name for each; got 20 lists"),
    "lists without names": ([REF, ALPHA, BETA], "a name for each; got 3 lists"),
    "two sets": ({name: {"ref": REF, "A": ALPHA} for name in ("wmt23", "wmt24")}, "2 lists are named '(ref|A)'"),
    "two sets of segments": ({name: {"A": segments(ALPHA), "B": segments(BETA)} for name in ("x", "y")},
                             "'x' and 'y' each hold systems"),
    "language pairs": ({pair: {"ref": REF, "A": ALPHA} for pair in ("en-de", "en-cs")}, "2 language pairs.*Choose one"),
    "other ids": ({"ref": by_id(REF), "A": by_id(ALPHA, "s1{}")}, "not every text has the id 's0'"),
    "either may be ids": ({f"sys{at}": by_id(own) for at, own in enumerate((ALPHA, BETA))}, "both 'sys0' and 's0' may"),
    "unequal": ({"A": {"segments": segments(ALPHA)}, "ref": REF[1:]}, "has 20 entries, but 'ref' has 19"),
    "another order": ({"A": segments(ALPHA), "B": segments(BETA)[::-1]}, "the source 'src' of this segment is"),
    "unknown lists": ({"a": {"rows": [{"k": 1}] * 3}, "b": [{"k": 2}] * 3},
                      r"its lists are a\.rows \(3 objects with k\) and b \("),
    "an unknown field": ([{"src": src, "ref": ref, "found": {"A": one}} for src, ref, one in
                          zip(SOURCE, REF, ALPHA, strict=True)], "if 'found' holds outputs, call it outputs"),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_json_that_may_be_read_in_two_ways_is_refused(name: str, tmp_path: Path) -> None:
    held, said = OTHERS[name]
    (tmp_path / "set.json").write_text(json.dumps(held), encoding="utf-8")
    with pytest.raises(ReadError, match=said):
        pytest.fail(f"it was read: {read(tmp_path / 'set.json')}")


def test_documents_below_their_names_are_no_systems(tmp_path: Path) -> None:
    held = segments(ALPHA)
    by_name = {"d1": held[:8], "d2": held[8:]}
    for key, own in (("documents", by_name), ("docs", {name: {"segments": own} for name, own in by_name.items()})):
        (tmp_path / "alpha.json").write_text(json.dumps({key: own}), encoding="utf-8")
        corpus = read(tmp_path / "alpha.json")
        assert {name: [*lines] for name, lines in corpus.outputs.items()} == {"alpha": ALPHA}
        assert list(corpus.documents or ()) == ["d1"] * 8 + ["d2"] * 12


def chain(depth: int) -> Any:
    held: Any = {"x": [{"y": 1}]}
    for _ in range(depth):
        held = {"a": held, "b": {"c": 1}}
    return held


def branches(depth: int) -> Any:
    return {f"a{at}": branches(depth - 1) for at in range(5)} if depth else {"x": 1}


HOSTILE: dict[str, Callable[[], Any]] = {
    "objects inside of each other": lambda: {f"k{at}": chain(60) for at in range(400)},
    "objects that branch": lambda: branches(6),
    "systems times columns": lambda: {
        **{f"ref{at}": ["a b c"] for at in range(2_500)},
        **{f"sys{at}": [{"output": "hello there"}] for at in range(2_500)},
    },
    "a pair of languages in each object": lambda: [
        {"langpair": f"p{at}", "src": "a", "ref": "b c", "system": "x", "output": "hello"} for at in range(50_000)
    ],
    "languages times languages": lambda: [
        {**{first + second: f"a b {at}" for first in "abcdefghklmnops" for second in "aefhiklmnorstuvz"}, "mt": "x"}
        for at in range(300)
    ],
    "many columns of texts by id": lambda: {
        "outputs": {f"s{at}": {str(place): "t" for place in range(30)} for at in range(5_000)}, "src": ["a"] * 30,
    },
}  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the address space")
@sampled("name", HOSTILE, most=3)
def test_json_made_to_stall_is_read_or_refused_soon(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(HOSTILE[name]()), encoding="utf-8")
    done = mtsig("read", "--data", tmp_path, seconds=10, memory=GB)
    assert done.returncode in {0, 2}, done.stderr[-500:]
    assert "Traceback" not in done.stderr


def test_tables_of_many_languages_say_how_to_take_fewer(tmp_path: Path) -> None:
    languages = [one for one in map("".join, product("abcdefghijklmnopqrstuvwxyz", repeat=2)) if is_language(one)]
    rows = [{language: f"text {at} of {language}" for language in languages} for at in range(300)]
    (tmp_path / "all.json").write_text(json.dumps(rows))
    said = r"pairs of 18\d languages \(keep the columns of the languages that you need\).*--max-cells N"
    with pytest.raises(ReadError, match=said):
        read(tmp_path / "all.json")
    (tmp_path / "few.json").write_text(json.dumps([{one: row[one] for one in ("de", "en")} for row in rows]))
    assert len(parts_at(tmp_path / "few.json")) == 2
