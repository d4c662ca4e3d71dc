"""Outputs in a folder of each system or of each test set are read under their systems' names, or asked about."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from layouts import made
from sampled import crossed

from mtsig import Corpus, read
from mtsig.errors import ReadError

ONE, OTHER = made(20), {name: [f"{line} Again." for line in lines] for name, lines in made(20).items()}
SYSTEMS = ("alpha", "gpt-4.1", "nllb-200-3.3B")
FILES = (
    "hyps.txt",
    "output.txt",
    "translations.en",
    "generated_predictions.jsonl",
    "wmt24.txt",
    "wmt24.hyp.en",
    "pred.json",
)
PLACES = ("MODEL/FILE", "outputs/MODEL/FILE", "runs/2025/MODEL/FILE", "systems/MODEL/FILE", "outputs/MODEL.txt",
          "hyp/MODEL.txt", "translations/MODEL.en")  # fmt: skip
REFERENCES = ("ref.txt", "refs/wmt24.txt", "wmt24.ref.txt", "ref/ref.en", "MODEL/ref.txt")


def put(folder: Path, name: str, lines: list[str], reference: list[str]) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    objects = [
        {"prompt": "Translate.", "predict": line, "label": own} for line, own in zip(lines, reference, strict=True)
    ]
    text = json.dumps(objects) if path.suffix == ".json" else "".join(f"{json.dumps(one)}\n" for one in objects)
    path.write_text(text if path.suffix in {".json", ".jsonl"} else "\n".join(lines) + "\n")


def outputs(texts: Mapping[str, list[str]]) -> dict[str, list[str]]:
    return {name: [f"{name}: {line}" for line in texts["alpha"]] for name in SYSTEMS}


def held(corpus: Corpus) -> dict[str, list[str]]:
    return {name: [*corpus.lines(name)] for name in corpus.systems}


@crossed("place, file, reference, packed", PLACES, FILES, REFERENCES, [False, True], most=60)
def test_systems_are_called_by_what_differs_in_their_paths(
    place: str, file: str, reference: str, packed: bool, tmp_path: Path
) -> None:
    folder = tmp_path / "data"
    for name, lines in outputs(ONE).items():
        put(folder, place.replace("MODEL", name).replace("FILE", file), lines, ONE["ref"])
        if not file.endswith(("json", "jsonl")) or "FILE" not in place:
            beside = reference if "FILE" in place or "MODEL" not in reference else "ref.txt"
            at = place.partition("MODEL")[0] if "MODEL" in beside else ""
            put(folder, at + beside.replace("MODEL", name), ONE["ref"], ONE["ref"])
        put(folder, "train.log", ["step 1"], ["step 1"])
    where = Path(shutil.make_archive(str(tmp_path / "data"), "zip", folder)) if packed else folder
    corpus = read(where)
    assert held(corpus) == outputs(ONE)
    assert [[*lines] for lines in corpus.references.values()] == [ONE["ref"]]


OF_SETS = ("MODEL/SET.txt", "outputs/MODEL/SET.en", "SET/MODEL.txt", "out/SET/MODEL/hyps.txt", "SET/systems/MODEL.txt")
THEIRS = ("refs/SET.txt", "SET.ref.txt", "SET.ref.en", "ref.SET.txt", "SET/ref.txt")


@crossed("place, reference, sets", OF_SETS, THEIRS, [("wmt23", "wmt24"), ("en-de", "en-cs")], most=8)
def test_test_sets_are_told_by_their_references(
    place: str, reference: str, sets: tuple[str, str], tmp_path: Path
) -> None:
    at = place.partition("SET")[0] if reference.startswith("SET/") and place.find("SET") < place.find("MODEL") else ""
    for own, texts in zip(sets, (ONE, OTHER), strict=True):
        for name, lines in outputs(texts).items():
            put(tmp_path, place.replace("SET", own).replace("MODEL", name), lines, texts["ref"])
        put(tmp_path, at + reference.replace("SET", own), texts["ref"], texts["ref"])
    with pytest.raises(ReadError, match=r"2 (test sets|language pairs): .*Choose one"):
        read(tmp_path)
    for own, texts in zip(sets, (ONE, OTHER), strict=True):
        corpus = read(tmp_path, language_pair=own)
        assert held(corpus) == outputs(texts)
        assert [[*lines] for lines in corpus.references.values()] == [texts["ref"]]


def test_files_beside_the_output_that_are_none_are_left_alone_and_named(tmp_path: Path) -> None:
    for name, lines in outputs(ONE).items():
        put(tmp_path, f"{name}/hyps.txt", lines, ONE["ref"])
        put(tmp_path, f"{name}/bleu.txt", ["BLEU = 31.2"], ["x"])
        put(tmp_path, f"{name}/comet.txt", [str(at / 20) for at in range(20)], ONE["ref"])
        put(tmp_path, f"{name}/all_results.json", ["0.3"], ["x"])
    put(tmp_path, "ref.txt", ONE["ref"], ONE["ref"])
    corpus = read(tmp_path)
    assert held(corpus) == outputs(ONE)
    assert "alpha/bleu.txt" in " ".join(note.text for note in corpus.notes)


@pytest.mark.parametrize("place", ["MODEL/SET.txt", "SET/MODEL.txt", "a/MODEL/SET/hyps.txt"])
def test_what_nothing_tells_is_asked(place: str, tmp_path: Path) -> None:
    for own, texts in (("first", ONE), ("second", OTHER)):
        for name, lines in outputs(texts).items():
            put(tmp_path, place.replace("SET", own).replace("MODEL", name), lines, texts["ref"])
    put(tmp_path, "ref.txt", ONE["ref"], ONE["ref"])
    with pytest.raises(ReadError, match=r"found 6 files, such as .*no reference tells which.*systems/"):
        read(tmp_path)


def test_folders_beside_outputs_are_no_systems_as_before(tmp_path: Path) -> None:
    for name in ("ref", "alpha"):
        put(tmp_path, f"{name}.txt", ONE[name], ONE["ref"])
    put(tmp_path, "old/beta.txt", ONE["beta"], ONE["ref"])
    corpus = read(tmp_path)
    assert [*corpus.systems] == ["alpha"]
    assert "old/" in " ".join(note.text for note in corpus.notes)


def test_an_answer_that_stands_beside_its_messages_is_read_once(tmp_path: Path) -> None:
    for name, lines in outputs(ONE).items():
        said = [[{"role": "user", "content": own}, {"role": "assistant", "content": line}]
                for own, line in zip(ONE["source"], lines, strict=True)]  # fmt: skip
        objects = [{"response": line, "labels": own, "messages": held}
                   for line, own, held in zip(lines, ONE["ref"], said, strict=True)]  # fmt: skip
        (tmp_path / name).mkdir()
        (tmp_path / name / "infer.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in objects))
    corpus = read(tmp_path)
    assert held(corpus) == outputs(ONE)
    assert [[*lines] for lines in corpus.references.values()] == [ONE["ref"]]


def test_what_is_broken_in_folders_is_named(tmp_path: Path) -> None:
    for name in SYSTEMS:
        put(tmp_path, f"{name}/predictions.txt", ["{"], ["{"])
        (tmp_path / name / "predictions.txt").rename(tmp_path / name / "predictions.jsonl")
    with pytest.raises(ReadError, match=r"alpha/predictions\.jsonl, line 1: not valid JSON"):
        read(tmp_path)


UNEQUAL = (
    ("models/gpt-4/out.txt", "models/nllb/run1/pred.en"),
    ("models/gpt-4/out.txt", "models/nllb/generated_predictions.txt"),
    ("gpt-4/2025/a/hyps.en", "nllb/translations.txt"),
    ("outputs/gpt-4/hyp.txt", "outputs/nllb/best/hyp.txt"),
    ("exp/gpt-4/gpt-4.wmt24.txt", "exp/nllb/nllb-out.en"),
    ("models/gpt-4/out.json", "models/nllb/run1/pred.en"),
)
WITH = {"nothing else": {}, "a short file": {"more.txt": 3}, "several": {"a.log": 9, "more.txt": 3, "bleu.txt": 1}}


@crossed("paths, beside, reference", UNEQUAL, WITH, ["ref.txt", "refs/wmt24.txt", ""])
def test_the_one_output_in_a_folder_is_read_whatever_it_is_called(
    paths: tuple[str, str], beside: str, reference: str, tmp_path: Path
) -> None:
    own = {"gpt-4": ONE["alpha"], "nllb": ONE["beta"]}
    for path, lines in zip(paths, own.values(), strict=True):
        put(tmp_path, path, lines, ONE["ref"])
        for name, count in WITH[beside].items():
            put(tmp_path, f"{path.rpartition('/')[0]}/{name}", ["a word"] * count, ONE["ref"][:count])
    if reference:
        put(tmp_path, reference, ONE["ref"], ONE["ref"])
    # A file of JSON has the reference beside its outputs.
    if beside == "nothing else" or reference or paths[0].endswith(".json"):
        corpus = read(tmp_path)
        assert held(corpus) == own
        assert any("called by their" in note.text for note in corpus.notes)
    else:
        assert_asked(tmp_path, r"of which \S+ has several that may be the output.*more\.txt")


def assert_asked(folder: Path, said: str) -> None:
    with pytest.raises(ReadError, match=f"expected one output of each system; found .*{said}.*Keep one output"):
        pytest.fail(f"it was read: {read(folder)}")


@pytest.mark.parametrize(("more", "said"), [
    ("models/nllb/run2/pred.en", r"nllb has several that may be the output: \S+run1/pred.en and \S+run2/pred.en"),
    ("models/gpt-4/second.txt", r"gpt-4 has several that may be the output"),
    ("models/gpt-4/a/b/second.txt", r"gpt-4 has several that may be the output"),
])  # fmt: skip
def test_folders_with_several_outputs_are_named(more: str, said: str, tmp_path: Path) -> None:
    for path in ("models/gpt-4/out.txt", "models/nllb/run1/pred.en", more):
        put(tmp_path, path, ONE["alpha"], ONE["ref"])
    put(tmp_path, "refs/ref.txt", ONE["ref"], ONE["ref"])
    assert_asked(tmp_path, said)


def test_a_file_beside_the_folders_may_be_a_system(tmp_path: Path) -> None:
    for path, lines in (("outputs/gpt-4.txt", ONE["alpha"]), ("outputs/nllb/best/hyp.txt", ONE["beta"])):
        put(tmp_path, path, lines, ONE["ref"])
    put(tmp_path, "ref.txt", ONE["ref"], ONE["ref"])
    assert held(read(tmp_path)) == {"gpt-4": ONE["alpha"], "nllb": ONE["beta"]}


def test_folders_of_language_pairs_are_no_systems(tmp_path: Path) -> None:
    for path in ("en-de/gpt-4.txt", "en-fr/nllb.txt"):
        put(tmp_path, path, ONE["alpha"], ONE["ref"])
    put(tmp_path, "ref.txt", ONE["ref"], ONE["ref"])
    assert_asked(tmp_path, "which of their folders name systems, and which test sets")


def test_a_system_whose_outputs_are_all_of_another_length_is_named(tmp_path: Path) -> None:
    for path, length in (("models/a/out.txt", 20), ("models/b/x.txt", 8), ("models/b/y.txt", 9)):
        put(tmp_path, path, ONE["alpha"][:length], ONE["ref"][:length])
    put(tmp_path, "refs/ref.txt", ONE["ref"], ONE["ref"])
    assert_asked(tmp_path, "b has none that is as long as the reference: models/b/x.txt and models/b/y.txt")
