"""One vocabulary: columns are understood by the same names in every form of table, and systems keep their names."""

import csv
import io
import json
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import openpyxl
import pytest
from kept import Kept, worded
from layouts import LAYOUTS, made, written
from sampled import crossed

from mtsig import Corpus, read, read_files
from mtsig.errors import ReadError
from mtsig.readers import File
from mtsig.readers._names import (
    DOCUMENTS,
    IN_DOCUMENT,
    LANGUAGE_PAIRS,
    OUTPUTS,
    PAIR,
    RATERS,
    SEGMENTS,
    SENTENCE,
    SYSTEMS,
    TARGETS,
    in_doubt,
    name_of,
    names_of,
    role_of_name,
)
from mtsig.readers._rating_files import named_ratings
from mtsig.readers._read import parts_of

Row = Sequence[object]
TEXTS = {("A", 1): "one cat", ("A", 2): "two dogs", ("B", 1): "a cat", ("B", 2): "some dogs"}
TABLES = (".tsv", ".csv")
FORMS = (*TABLES, ".jsonl", ".xlsx")


def write(place: Path, header: Sequence[str], rows: Sequence[Row]) -> None:
    """Write a table in the form that the ending of its name says."""
    if place.suffix == ".xlsx":
        book = openpyxl.Workbook()
        for row in (header, *rows):
            book.active.append(list(row))
        book.save(place)
    elif place.suffix == ".jsonl":
        place.write_text("".join(json.dumps(dict(zip(header, row, strict=True))) + "\n" for row in rows))
    else:
        buffer = io.StringIO()
        writer = csv.writer(buffer, delimiter="," if place.suffix == ".csv" else "\t", lineterminator="\n")
        writer.writerows([header, *rows])
        place.write_text(buffer.getvalue())


def texts(place: Path, header: Sequence[str], rows: Sequence[Row]) -> Corpus:
    write(place, header, rows)
    return read(place)


def outputs(corpus: Corpus) -> dict[tuple[str, int], str]:
    return {(name, at): line for name in corpus.systems for at, line in enumerate(corpus.lines(name), 1)}


def ratings(folder: Path, form: str, header: Sequence[str], rows: Sequence[Row]) -> Corpus:
    """Return a corpus of two systems with ratings in a table of this form."""
    given = [("d1", "x", "one cat", "a cat"), ("d2", "y", "two dogs", "some dogs")]
    write(folder / f"set{form}", ["doc", "ref", "A", "B"], given)
    (folder / "ratings").mkdir()
    write(folder / "ratings" / f"mqm{form}", header, rows)
    return read(folder)


@crossed("column, form", sorted(SYSTEMS | {"System ID", "mt-system", "Model"}), FORMS)
def test_the_system_of_a_text_is_named_by_every_synonym(tmp_path: Path, column: str, form: str) -> None:
    rows = [(name, number, "ref", line) for (name, number), line in TEXTS.items()]
    assert outputs(texts(tmp_path / f"t{form}", [column, "seg_id", "ref", "mt"], rows)) == TEXTS


@crossed("column, form", sorted((SEGMENTS | {"Seg ID"}) - {SENTENCE}), FORMS)
def test_the_segment_of_a_text_is_named_by_every_synonym(tmp_path: Path, column: str, form: str) -> None:
    rows = [(name, number, "ref", line) for (name, number), line in reversed(TEXTS.items())]
    read_back = texts(tmp_path / f"t{form}", ["system", column, "ref", "mt"], rows)
    # Known by the number, not by the order: the systems' rows stand in two orders.
    other = [*rows[:2], *reversed(rows[2:])]
    assert outputs(read_back) == outputs(texts(tmp_path / f"o{form}", ["system", column, "ref", "mt"], other))


@crossed("inside, column, form", sorted(IN_DOCUMENT), sorted(DOCUMENTS), FORMS)
def test_documents_of_texts_are_named_by_every_synonym(tmp_path: Path, column: str, inside: str, form: str) -> None:
    rows = [(name, f"d{number}", 1, "ref", line) for (name, number), line in TEXTS.items()]
    corpus = texts(tmp_path / f"t{form}", ["system", column, inside, "ref", "mt"], rows)
    assert (corpus.documents, outputs(corpus)) == (("d1", "d2"), TEXTS)


@crossed("system, column, form", ["system", "model"], sorted(OUTPUTS | TARGETS), FORMS)
def test_the_text_of_a_system_is_named_by_every_synonym(tmp_path: Path, system: str, column: str, form: str) -> None:
    rows = [(name, number, "ref", line) for (name, number), line in TEXTS.items()]
    assert outputs(texts(tmp_path / f"t{form}", [system, "segment", "ref", column], rows)) == TEXTS


@crossed("column, form", sorted(SYSTEMS | {"System ID", "mt-system", "Model"}), TABLES)
def test_the_system_of_a_rating_is_named_by_every_synonym(tmp_path: Path, column: str, form: str) -> None:
    rows = [(name, number, number + (name == "B")) for name, number in TEXTS]
    corpus = ratings(tmp_path, form, [column, "seg_id", "mqm"], rows)
    assert corpus.ratings["mqm"].values.tolist() == [[1, 2], [2, 3]]


@crossed("wide, column, form", [False, True], sorted(SEGMENTS | {SENTENCE, "Seg ID"}), TABLES)
def test_the_segment_of_a_rating_is_named_by_every_synonym(tmp_path: Path, column: str, wide: bool, form: str) -> None:
    if wide:
        corpus = ratings(tmp_path, form, [column, "A", "B"], [(2, -2, -3), (1, -1, -2)])
    else:
        rows = [(name, number, -number - (name == "B")) for name, number in reversed(TEXTS)]
        corpus = ratings(tmp_path, form, ["system", column, "mqm"], rows)
    assert corpus.ratings["mqm"].values.tolist() == [[-1, -2], [-2, -3]]


@crossed("inside, column, form", sorted(IN_DOCUMENT), sorted(DOCUMENTS), TABLES)
def test_documents_of_ratings_are_named_by_every_synonym(tmp_path: Path, column: str, inside: str, form: str) -> None:
    rows = [(name, f"d{number}", 1, -number) for name, number in TEXTS]
    corpus = ratings(tmp_path, form, ["system", column, inside, "mqm"], rows)
    assert corpus.documents == ("d1", "d2")
    assert corpus.ratings["mqm"].values.tolist() == [[-1, -2], [-1, -2]]


@crossed("column, form", sorted(RATERS), TABLES)
def test_raters_are_named_by_every_synonym(tmp_path: Path, column: str, form: str) -> None:
    rows = [(name, number, rater, -number) for name, number in TEXTS for rater in "xy"]
    corpus = ratings(tmp_path, form, ["system", "segment", column, "mqm"], rows)
    assert list(corpus.ratings) == ["mqm", "mqm@x", "mqm@y"]


@crossed("column, form", sorted(LANGUAGE_PAIRS | {PAIR}), FORMS)
def test_language_pairs_of_texts_are_told_apart_by_every_synonym(tmp_path: Path, column: str, form: str) -> None:
    pairs = ("en-de", "en-fr")
    rows = [(name, number, pair, "ref", line) for pair in pairs for (name, number), line in TEXTS.items()]
    write(tmp_path / f"t{form}", ["system", "segment", column, "ref", "mt"], rows)
    with pytest.raises(Exception, match=r"en-de.*en-fr"):
        read(tmp_path / f"t{form}")


@crossed("column, form", sorted(LANGUAGE_PAIRS), TABLES)
def test_language_pairs_of_ratings_are_told_apart_by_every_synonym(tmp_path: Path, column: str, form: str) -> None:
    rows = [(name, number, pair, -number) for pair in ("en-de", "en-fr") for name, number in TEXTS]
    with pytest.raises(Exception, match="2 language pairs"):
        ratings(tmp_path, form, ["system", "segment", column, "mqm"], rows)


@crossed("column, form", sorted(SYSTEMS), [".jsonl", ".xlsx"])
def test_ratings_in_a_form_of_texts_are_never_taken_for_texts(tmp_path: Path, column: str, form: str) -> None:
    rows = [(name, number, -number) for name, number in TEXTS]
    place = tmp_path / f"mqm{form}"
    write(place, [column, "segment", "mqm"], rows)
    (part,) = parts_of([File(place.name, place.read_bytes())])
    assert (part.role, part.name) == ("ratings", "mqm")


# --- where a word means two things ------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_a_system_may_be_called_model(tmp_path: Path, form: str) -> None:
    rows = [("x", "one cat", "a cat"), ("y", "two dogs", "some dogs")]
    corpus = texts(tmp_path / f"t{form}", ["ref", "model", "baseline"], rows)
    assert list(corpus.systems) == ["model", "baseline"]
    assert corpus.lines("model") == ("one cat", "two dogs")


@pytest.mark.parametrize("form", FORMS)
def test_a_model_that_is_the_same_in_every_row_says_how_one_system_was_made(tmp_path: Path, form: str) -> None:
    rows = [(number, "large-2", f"ref {number}", f"text {number}") for number in range(1, 5)]
    assert list(texts(tmp_path / f"hot{form}", ["id", "model", "ref", "output"], rows).systems) == ["hot"]


@pytest.mark.parametrize("form", FORMS)
def test_a_model_chosen_for_every_segment_is_no_system(tmp_path: Path, form: str) -> None:
    rows = [(number, "AB"[number % 2], f"ref {number}", f"text {number}") for number in range(1, 41)]
    corpus = texts(tmp_path / f"routed{form}", ["id", "model", "ref", "output"], rows)
    assert (list(corpus.systems), len(corpus.lines("routed"))) == (["routed"], 40)


@pytest.mark.parametrize("header", [("model", "system"), ("system", "model")])
def test_a_column_called_system_goes_before_one_called_model(tmp_path: Path, header: tuple[str, str]) -> None:
    named = {"model": "base", "system": None}
    rows = [(*(named[key] or name for key in header), number, "ref", line) for (name, number), line in TEXTS.items()]
    assert outputs(texts(tmp_path / "t.tsv", [*header, "segment", "ref", "mt"], rows)) == TEXTS
    scores = [(*row[:3], -row[2]) for row in rows]
    (tmp_path / "t.tsv").unlink()
    corpus = ratings(tmp_path, ".csv", [*header, "segment", "mqm"], scores)
    assert corpus.ratings["mqm"].values.tolist() == [[-1, -2], [-1, -2]]


def test_a_sentence_may_be_a_text(tmp_path: Path) -> None:
    corpus = texts(tmp_path / "t.tsv", ["ref", "sentence"], [("x", "one cat"), ("y", "two dogs")])
    assert corpus.lines("sentence") == ("one cat", "two dogs")


COLUMNS = {
    "German": "System Satz-Nr. Dokument Gutachter Referenzübersetzung Ausgangstext Übersetzung Bewertung",
    "French": "Modèle Segment Document Évaluateur Référence Texte-source Traduction Note",
    "Spanish": "Sistema Segmento Documento Evaluador Referencia Fuente Hipótesis Puntuación",
    "Portuguese": "Sistema Segmento Documento Avaliador Referência Fonte Traducao Pontuação",
    "Czech": "Systém Segment Dokument Anotátor Reference Zdroj Překlad Skóre",
    "Chinese": "系统 句子编号 文档 评分者 参考译文 原文 译文 分数",
    "Japanese": "システム 文番号 文書 評価者 参照訳 原文 翻訳 スコア",
}


@pytest.mark.parametrize("language", COLUMNS)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_columns_and_files_are_known_in_other_languages(
    tmp_path: Path, language: str, form: Literal["NFC", "NFD"]
) -> None:
    names = unicodedata.normalize(form, COLUMNS[language]).split()
    system, segment, document, rater, reference, source, output, score = names
    rows = [(number, name, f"q {number}", f"ref {number}", line) for (name, number), line in TEXTS.items()]
    corpus = texts(tmp_path / "t.tsv", [segment, system, source, reference, output], rows)
    assert (outputs(corpus), list(corpus.references)) == (TEXTS, [reference])
    assert corpus.segments.sources is not None
    folder = tmp_path / "texts"
    folder.mkdir()
    for name, lines in ((reference, "ref 1\nref 2\n"), (source, "q 1\nq 2\n"), ("a", "one\ntwo\n")):
        (folder / f"{name}.txt").write_text(lines, encoding="utf-8")
    corpus = read(folder)
    assert (list(corpus.systems), len(corpus.references)) == (["a"], 1)
    assert corpus.segments.sources is not None
    taken = f"{source}.txt is read as a source, because of its name. If it is a system"
    assert [note.level for note in corpus.notes if taken in note.text] == ["note"]
    table = tmp_path / "ratings.csv"
    rated = [f"a,{number},d,{who},{number + len(who)}" for number in (1, 2) for who in ("x", "yz")]
    table.write_text("\n".join([",".join((system, segment, document, rater, score)), *rated]) + "\n", encoding="utf-8")
    corpus = read(folder, ratings=[f"DA={table}:higher"])
    assert corpus.ratings["DA"].values.tolist() == [[2.5, 3.5]]
    assert {"DA@x", "DA@yz"} <= set(corpus.ratings)


NAMES = (
    "gpt-4.1", "gpt-4o", "nllb-200-3.3B", "m2m100_1.2B", "v1.2.3", "opus-mt.en-de", "Llama-3.1-8B", "qwen2.5",
    "base.big", "model.ema", "sys.737", "ours.run1", "x.v2", "1", "2024", "A&B", "naïve", "模型",
)  # fmt: skip
ENDINGS = ("", ".txt", ".hyp", ".out", ".de", ".eng", ".zh-CN", ".deu_Latn", ".detok")


@crossed("name, ending", NAMES, ENDINGS)
def test_a_known_ending_is_all_that_is_cut(name: str, ending: str) -> None:
    assert name_of(name + ending) == name


NEARLY_REFERENCES = (
    "Reformer",
    "reformer-base",
    "refined",
    "Refact-1.6B",
    "reflection",
    "REFORMER",
    "SourceAware",
    "ref2text",
)
REFERENCES = ("ref", "refA", "ref1", "refs", "refPE", "refen", "ref_b", "ref-2", "Reference", "REFERENCE_A",
              "references", "refhuman", "reference text", "source", "sources",
              "source_text", "sourceA", "Source-de")  # fmt: skip


def test_systems_whose_names_begin_like_a_reference_are_systems(tmp_path: Path) -> None:
    texts = made(systems=["ours", *NEARLY_REFERENCES])
    for name, lines in texts.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines))
    corpus = read(tmp_path)
    assert sorted(corpus.systems) == sorted(["ours", *NEARLY_REFERENCES])
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
        worded(said[0])
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
