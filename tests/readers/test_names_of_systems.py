"""Systems keep their names: known endings alone are cut, and names that collide keep what tells them apart."""

import json
from pathlib import Path

import pytest
from kept import Kept
from layouts import LAYOUTS, made, written
from sampled import crossed

from mtsig import read, read_files
from mtsig.errors import ReadError
from mtsig.readers._names import in_doubt, name_of, names_of, role_of_name
from mtsig.readers._rating_files import named_ratings

NAMES = (
    "gpt-4.1", "gpt-4o", "nllb-200-3.3B", "m2m100_1.2B", "v1.2.3", "opus-mt.en-de", "Llama-3.1-8B", "qwen2.5",
    "base.big", "model.ema", "sys.737", "ours.run1", "x.v2", "1", "2024", "A&B", "naïve", "模型",
)  # fmt: skip
ENDINGS = ("", ".txt", ".hyp", ".out", ".de", ".eng", ".zh-CN", ".deu_Latn", ".detok")


@crossed("name, ending", NAMES, ENDINGS)
def test_a_known_ending_is_all_that_is_cut(name: str, ending: str) -> None:
    assert name_of(name + ending) == name


SYSTEMS = ("Reformer", "reformer-base", "refined", "Refact-1.6B", "reflection", "REFORMER", "SourceAware", "ref2text")
REFERENCES = ("ref", "refA", "ref1", "refs", "refPE", "refen", "ref_b", "ref-2", "Reference", "REFERENCE_A",
              "references", "refhuman", "reference text", "source", "sources",
              "source_text", "sourceA", "Source-de")  # fmt: skip


def test_systems_whose_names_begin_like_a_reference_are_systems(tmp_path: Path) -> None:
    texts = made(systems=["ours", *SYSTEMS])
    for name, lines in texts.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines))
    corpus = read(tmp_path)
    assert sorted(corpus.systems) == sorted(["ours", *SYSTEMS])
    assert list(corpus.references) == ["ref"]
    assert [role_of_name(name) for name in REFERENCES] == ["reference"] * 13 + ["source"] * 5
    table = tmp_path / "set.tsv"
    table.write_text("".join("\t".join(row) + "\n" for row in [list(texts), *zip(*texts.values(), strict=True)]))
    assert sorted(read(table).systems) == sorted(corpus.systems)


@pytest.mark.parametrize("name", ["ref-like", "ref_alice", "ref-free-dpo", "source-aware", "source_filtered"])
def test_a_name_that_only_begins_like_a_reference_or_source_is_doubted(name: str, tmp_path: Path) -> None:
    texts = made(systems=["ours", name])
    for own in ("ours", name, "ref"):
        (tmp_path / f"{own}.txt").write_text("\n".join(texts[own]))
    held = {own: texts[own] for own in ("ours", name, "ref")}
    (tmp_path / "set.csv").write_text(written([list(held), *zip(*held.values(), strict=True)]))
    for path in (tmp_path, tmp_path / "set.csv"):
        said = [note.text for note in read(path).notes if note.level == "warning"]
        assert len(said) == 1
        assert "because of its name. If it is a system," in said[0]
    assert not any(in_doubt(usual, role_of_name(usual)) for usual in REFERENCES)
    if name.startswith("source"):  # there is one source
        (tmp_path / "source.txt").write_text("\n".join(texts["source"]))
        corpus = read(tmp_path)
        assert sorted(corpus.systems) == sorted(["ours", name])
        assert corpus.segments.sources == tuple(texts["source"])


def test_files_about_the_data_are_called_so_and_no_more(tmp_path: Path) -> None:
    texts = made(systems=["licensed-mt", "noticeable", "copyingnet"])
    for name in texts:
        (tmp_path / f"{name}.txt").write_text("\n".join(texts[name]))
    for name in ("README.de.txt", "LICENSE-2.txt", "notices.txt", "licences"):
        (tmp_path / name).write_text("About the data.")
    assert sorted(read(tmp_path).systems) == ["copyingnet", "licensed-mt", "noticeable"]


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["a/out.txt", "b/out.txt"], ["a/out", "b/out"]),
        (["x/a/out.txt", "y/a/out.txt", "z.txt"], ["x/a/out", "y/a/out", "z"]),
        (["a.txt", "a.hyp"], ["a.txt", "a.hyp"]),
        (["runs\\a\\out.txt", "runs\\b\\out.txt"], ["a/out", "b/out"]),
        (["a/out.txt", "a/out.hyp", "b/out.txt"], ["a/out.txt", "a/out.hyp", "b/out.txt"]),
    ],
)
def test_names_that_collide_keep_what_tells_them_apart(paths: list[str], names: list[str]) -> None:
    assert names_of(paths) == names


def test_outputs_of_one_name_in_two_languages_are_not_two_systems(tmp_path: Path, kept: Kept) -> None:
    texts = made()
    for name in ("a.en", "a.de", "b.de"):
        (tmp_path / name).write_text("\n".join(texts["alpha"]))
    with pytest.raises(ReadError, match=r"a has outputs in 2 languages \(de, en\), and no reference shows which"):
        read(tmp_path)
    (tmp_path / "ref.de").write_text("\n".join(texts["ref"]))
    corpus = read(tmp_path)
    assert list(corpus.systems) == ["a", "b"]
    assert any("a.en" in note.text for note in corpus.notes)
    kept("readers", *(note.text for note in corpus.notes))


def test_files_of_one_name_in_two_folders_are_two_systems(tmp_path: Path) -> None:
    texts = made()
    (tmp_path / "ref.txt").write_text("\n".join(texts["ref"]))
    for name in ("alpha", "beta"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "out.txt").write_text("\n".join(texts[name]))
    corpus = read_files([tmp_path / "ref.txt"], [tmp_path / name / "out.txt" for name in ("alpha", "beta")])
    assert {name: list(corpus.lines(name)) for name in corpus.systems} == {
        f"{name}/out": texts[name] for name in ("alpha", "beta")
    }


@pytest.mark.parametrize("separator", ["/", "\\"])
def test_what_comet_writes_of_files_of_one_name_is_two_systems(separator: str, tmp_path: Path) -> None:
    texts = made()
    content = {
        separator.join(["runs", name, "out.txt"]): [
            {"src": source, "mt": line, "ref": ref, "COMET": number / 30}
            for number, (source, ref, line) in enumerate(zip(texts["source"], texts["ref"], texts[name], strict=True))
        ]
        for name in ("alpha", "beta")
    }
    path = tmp_path / "comet.json"
    path.write_text(json.dumps(content))
    corpus = read(path)
    assert {name: len(corpus.lines(name)) for name in corpus.systems} == {"alpha/out": 30, "beta/out": 30}
    (part,) = named_ratings([path])
    assert part.scored is not None
    assert part.scored.systems == ("alpha/out", "beta/out")


def test_scores_of_one_version_are_not_those_of_another(tmp_path: Path) -> None:
    texts = made(systems=["gpt-4"])
    rows = "".join(f"gpt-4.1\t{number}\t{number % 7}\n" for number in range(1, 31))
    folder = LAYOUTS["folder"](texts, tmp_path)
    (folder / "esa.tsv").write_text(f"system\tsegment\tscore\n{rows}")
    with pytest.raises(ReadError, match="none of which is a system here"):
        read(folder)


def per_pair(folder: Path, *names: str) -> Path:
    texts = made()
    for name in names:
        lines = texts["ref" if name.startswith("ref") else "alpha" if "en-de" in name else "beta"]
        (folder / name).write_text("\n".join(lines))
    return folder


def test_files_of_several_language_pairs_are_several_test_sets(tmp_path: Path) -> None:
    folder = per_pair(tmp_path, "ref.en-de.txt", "ref.en-fr.txt", "ours.v2.en-de.txt", "ours.v2.en-fr.txt")
    with pytest.raises(ReadError, match="2 language pairs: en-de, en-fr"):
        read(folder)
    corpus = read(folder, language_pair="en-fr")
    assert {name: list(corpus.lines(name)) for name in corpus.systems} == {"ours.v2": made()["beta"]}


def test_several_language_pairs_beside_one_reference_are_doubted(tmp_path: Path) -> None:
    corpus = read(per_pair(tmp_path, "ref.txt", "sys.en-de.txt", "sys.de-en.txt"))
    assert list(corpus.systems) == ["sys.de-en", "sys.en-de"]
    assert any(note.level == "warning" and "different language pairs" in note.text for note in corpus.notes)
