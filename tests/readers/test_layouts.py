"""Roles are guessed from names and folders, nothing is dropped, and every guess can be changed."""

from dataclasses import replace
from pathlib import Path

import pytest
from kept import Kept, lacking

from mtsig import Corpus, read
from mtsig.corpus import inspect
from mtsig.readers import File, assemble
from mtsig.readers._names import ROLES
from mtsig.readers._parts import in_role
from mtsig.readers._read import parts_of


def files(*labels: str) -> list[File]:
    return [File(label, f"{label}\n".encode()) for label in labels]


def roles(*labels: str) -> dict[str, str]:
    return {part.label: part.role for part in parts_of(files(*labels))}


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("ref.txt", "reference"),
        ("refA.txt", "reference"),
        ("REF.B.de", "reference"),
        ("reference-1.txt", "reference"),
        ("src.txt", "source"),
        ("source.txt", "source"),
        ("source.es.txt", "source"),
        ("src-model.txt", "system"),
        ("docids.txt", "documents"),
        ("documents.txt", "documents"),
        ("doc_ids.txt", "documents"),
        ("Doc-IDs (1).txt", "documents"),
        ("document_ids.txt", "documents"),
        ("ref.conllu", "parses"),
        ("base.CONLLU", "parses"),
        ("docids.inferred.txt", "system"),
        ("document-level-model.txt", "system"),
        ("domains.txt", "domains"),
        ("origlang.txt", "original languages"),
        ("ted.ref.detok.eng", "reference"),
        ("newstest.refA.de", "reference"),
        ("self.refined.txt", "system"),
        ("Online-A.txt", "system"),
        ("preference-tuned.txt", "system"),
        ("hyp", "system"),
        ("README.md", "ignored"),
        ("readme.txt", "ignored"),
        ("LICENSE", "ignored"),
        ("LICENSE-note", "ignored"),
        (".DS_Store", "ignored"),
        ("scores.json", "ignored"),
        ("make.py", "ignored"),
        ("refs.tar.gz", "ignored"),
    ],
)
def test_a_name_in_a_flat_folder_suggests_a_role(name: str, role: str) -> None:
    assert roles(name, "a-system.txt")[name] == role


IDS = [f"talk{i // 3}" for i in range(12)]
TEXT = [f"line {i} of a text" for i in range(12)]


def written(name: str, lines: list[str]) -> File:
    return File(name, "".join(f"{line}\n" for line in lines).encode())


@pytest.mark.parametrize("name", ["docs.txt", "doc.txt", "document", "docs (1).txt"])
@pytest.mark.parametrize(("folder", "otherwise"), [("", "system"), ("systems/", "ignored")])
def test_a_name_that_may_mean_document_ids_does_where_its_lines_repeat(name: str, folder: str, otherwise: str) -> None:
    beside = [written("ref.txt", TEXT), written(f"{folder}ours.txt", TEXT)]
    mixed = IDS[::2] + IDS[1::2]  # ids of a set that was shuffled
    for lines, role in ((IDS, "documents"), (mixed, "documents"), (TEXT, otherwise), (["", *IDS[1:]], otherwise)):
        (part,) = (part for part in parts_of([*beside, written(name, lines)]) if part.label == name)
        assert part.role == role, lines
    assert assemble(parts_of([*beside, written(name, IDS)])).n_documents == 4


def test_outputs_that_look_like_document_ids_are_warned_of(kept: Kept) -> None:
    def notes(lines: list[str], role: str = "system") -> list[str]:
        parts = parts_of([written("ref.txt", TEXT), written("ours.txt", TEXT), written("talks.txt", lines)])
        return [note.text for note in assemble([*parts[:2], *in_role(parts[2], role)]).notes]  # type: ignore[arg-type]

    (note,) = notes(IDS)
    assert not lacking(note, "talks.txt", "document ids", "4 different", "--docs FILE")
    kept("readers", note)
    assert notes(IDS, "documents") == []
    for lines in (TEXT, ["xyz"] * 12, ["yes", "no"] * 6, [f"a {line}" for line in IDS]):
        assert notes(lines) == []


def test_folders_decide_before_names_do() -> None:
    found = roles("systems/refined.txt", "systems/source-aware.txt", "refs/human.txt", "docids.txt", "source.txt")
    assert found == {
        "systems/refined.txt": "system",
        "systems/source-aware.txt": "system",
        "refs/human.txt": "reference",
        "docids.txt": "documents",
        "source.txt": "source",
    }


def test_beside_a_systems_folder_other_files_are_left_alone() -> None:
    found = roles("systems/a.txt", "ref.txt", "notes.txt", "docids.inferred.txt", "human/mqm.tsv", "segids.txt")
    assert (
        found["notes.txt"] == found["docids.inferred.txt"] == found["segids.txt"] == found["human/mqm.tsv"] == "ignored"
    )
    assert found["ref.txt"] == "reference"


def test_files_that_say_they_are_about_the_data_are_ignored_in_folders_too() -> None:
    assert roles("systems/README.md", "systems/.hidden", "systems/a.txt", "refs/r.txt") == {
        "systems/README.md": "ignored",
        "systems/.hidden": "ignored",
        "systems/a.txt": "system",
        "refs/r.txt": "reference",
    }


@pytest.mark.parametrize("above", ["", "set/", "my uploads/set/"])
def test_an_uploaded_folder_brings_its_own_name_along(above: str) -> None:
    labels = ["systems/a.txt", "systems/b.txt", "refs/human.txt", "docids.txt", "README.md", "human/da.tsv"]
    found = parts_of(files(*(above + label for label in labels)))
    assert [part.label for part in found] == [above + label for label in labels]
    assert [part.role for part in found] == ["system", "system", "reference", "documents", "ignored", "ignored"]
    assert [part.name for part in found[:3]] == ["a", "b", "human"]


@pytest.mark.parametrize("above", ["", "set/"])
def test_an_uploaded_folder_may_hold_nothing_but_its_two_folders(above: str) -> None:
    assert set(roles(f"{above}systems/a.txt", f"{above}refs/r.txt").values()) == {"system", "reference"}


def test_an_uploaded_flat_folder_is_flat() -> None:
    assert list(roles("set/ref.txt", "set/a.txt", "set/b.txt").values()) == ["reference", "system", "system"]


def test_an_uploaded_folder_gives_the_corpus_of_the_folder_itself(tmp_path: Path) -> None:
    contents = {
        "set/systems/a.txt": "one\ntwo\n",
        "set/systems/b.txt": "eins\nzwei\n",
        "set/refs/r.txt": "uno\ndos\n",
        "set/docids.txt": "d1\nd2\n",
        "set/notes.txt": "remember\n",
    }
    for label, text in contents.items():
        (tmp_path / label).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / label).write_text(text, encoding="utf-8")
    uploaded = assemble(parts_of([File(label, text.encode()) for label, text in contents.items()]))
    assert uploaded.digest == read(tmp_path / "set").digest
    assert "Ignored: set/notes.txt." in [note.text for note in inspect(uploaded)]


def test_whatever_is_left_alone_is_named(tmp_path: Path) -> None:
    for name in ("a.txt", "ref.txt", "README.md", "make.sh"):
        (tmp_path / name).write_text("x\n", encoding="utf-8")
    (tmp_path / "old").mkdir()
    (left,) = [note for note in read(tmp_path).notes if "Ignored" in note.text]
    for name in ("README.md", "make.sh", "old/"):
        assert name in left.text
    assert "a.txt" not in left.text


def test_an_ignored_part_is_not_read_until_it_gets_a_role() -> None:
    (part,) = parts_of([File("README.md", b"\xff not UTF-8")])
    assert (part.role, part.lines, part.problem) == ("ignored", None, None)
    changed = part.with_role("system")
    assert changed.lines is None
    assert changed.problem is not None
    assert "not valid UTF-8" in changed.problem


def test_a_part_that_cannot_be_read_keeps_the_others_readable() -> None:
    good, bad = parts_of([File("a.txt", b"one\n"), File("b.txt", b"")])
    assert good.lines == ("one",)
    assert bad.problem is not None
    assert "b.txt is empty" in bad.problem
    assert bad.with_role("ignored").problem == bad.problem
    assert list(assemble([good, bad.with_role("ignored")]).systems) == ["a"]


def test_roles_can_be_changed_by_hand() -> None:
    first, second = parts_of(files("a.txt", "b.txt"))
    corpus = assemble([first, second.with_role("reference")])
    assert (list(corpus.systems), list(corpus.references)) == (["a"], ["b"])


def test_every_role_can_be_played(tmp_path: Path) -> None:
    assert set(ROLES) == {
        "system", "reference", "source", "documents", "domains", "original languages", "parses", "ratings", "ignored"
    }  # fmt: skip
    texts = [role for role in ROLES if role not in ("parses", "ratings")]
    parts = [part.with_role(role) for part, role in zip(parts_of(files(*"abcdefg")), texts, strict=True)]
    tree = File("a.conllu", b"1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n")
    (taken,) = parts_of([File("scores.txt", b"seg_id\ta\n1\t0.5\n")])
    (scores,) = in_role(taken, "ratings")
    assert isinstance(assemble([*parts, *parts_of([tree]), replace(scores, better="higher")]), Corpus)
