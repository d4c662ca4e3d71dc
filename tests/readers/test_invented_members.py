"""Members of each kind that nobody filed: remarks, back-ups, names, columns; none becomes a system in silence."""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from kept import worded
from layouts import made, written
from sampled import crossed

from mtsig import Corpus, read
from mtsig.errors import ReadError

TEXTS = made(20, ("alpha", "beta"))
SOURCE, REF, ALPHA, BETA = TEXTS.values()
REMARKS = [f"Number {at} is rendered too literally by half." for at in range(20)]

ABOUT = (
    "gloss", "glosses", "explain", "explanation", "backtranslation", "back_translation", "bt", "notes", "comment",
    "remark", "transliteration", "romanisation", "romaji", "pinyin", "reasoning", "rationale", "thoughts", "analysis",
    "feedback", "critique", "annotation", "translator_notes", "src_gloss", "error_analysis", "chain_of_thought",
    "glossary", "keywords", "justification", "alpha_comment", "comment_beta",
)  # fmt: skip
COPIES = (
    "alpha.txt.bak", "alpha.txt~", "alpha.txt.orig", "alpha.txt.old", ".alpha.txt.swp", "alpha.txt.swo", "#alpha.txt#",
    "alpha.txt.save", "alpha.txt.tmp", "alpha copy.txt", "alpha - Copy.txt", "Copy of alpha.txt", "alpha_backup.txt",
    "alpha.txt.part", "alpha.txt.crdownload", "alpha.txt.dpkg-old", "alpha.txt.bak.gz", "~$alpha.txt", "alpha.txt.~1~",
    "alpha (copy).txt", "alpha conflicted copy.txt", "alpha.sync-conflict-20240101-120000-ABCDEF.txt",
)  # fmt: skip
OLDER = ("alpha-old.txt", "alpha.orig.txt", "alpha (1).txt", "alpha.txt.1", "alpha.txt_old", "alpha.txt.2024-01-01")
NAMES = (
    "NAME.hyp.txt", "NAME.out.txt", "NAME.en.txt", "NAME.hyp.en", "NAME.hyp.en.txt", "NAME.pred.txt", "NAME.mt.txt",
    "NAME.hypothesis.txt", "NAME.detok.en-US.txt", "NAME.eng_Latn.txt", "NAME.txt.en", "NAME.Hyp.TXT",
)  # fmt: skip


def placed(folder: Path, sorted_out: bool = False) -> Path:
    for name, lines in TEXTS.items():
        inner = {"source": "", "ref": "refs/"}.get(name, "systems/") if sorted_out else ""
        path = folder / f"{inner}{name}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines) + "\n")
    return folder


def table(folder: Path, columns: Mapping[str, Sequence[str]], form: str) -> Path:
    rows = list(zip(*columns.values(), strict=True))
    text = "".join(json.dumps(dict(zip(columns, row, strict=True))) + "\n" for row in rows)
    path = folder / f"set{form}"
    path.write_text(text if form == ".jsonl" else written([list(columns), *rows], "," if form == ".csv" else "\t"))
    return path


def held(corpus: Corpus) -> dict[str, list[str | None]]:
    return {
        "source": list(corpus.segments.sources or ()), **{name: [*own] for name, own in corpus.references.items()},
        **{name: [*corpus.lines(name)] for name in corpus.systems},
    }  # fmt: skip


def said(corpus: Corpus, level: str) -> str:
    return " ".join(note.text for note in corpus.notes if note.level == level)


@pytest.mark.parametrize("name", ABOUT)
def test_what_is_about_the_texts_is_no_system_and_is_named(name: str, tmp_path: Path) -> None:
    (placed(tmp_path) / f"{name}.txt").write_text("\n".join(REMARKS))
    corpus = read(tmp_path)
    assert list(corpus.systems) == ["alpha", "beta"]
    assert f"{name}.txt" in said(corpus, "note")
    for form in (".tsv", ".csv", ".jsonl"):
        (tmp_path / form).mkdir()
        corpus = read(table(tmp_path / form, {**TEXTS, name: REMARKS}, form))
        assert held(corpus) == TEXTS
        assert repr(name) in said(corpus, "note")


@crossed("sorted_out, name", [False, True], COPIES)
def test_a_copy_that_a_program_left_is_no_system_and_warned_of(name: str, sorted_out: bool, tmp_path: Path) -> None:
    place = placed(tmp_path, sorted_out) / ("systems" if sorted_out else "") / name
    place.write_text("\n".join(ALPHA))
    corpus = read(tmp_path)
    assert held(corpus) == TEXTS
    assert name in said(corpus, "warning")


@pytest.mark.parametrize("name", OLDER)
def test_what_may_be_an_older_copy_is_read_and_doubted(name: str, tmp_path: Path) -> None:
    (placed(tmp_path) / name).write_text("\n".join(ALPHA))
    corpus = read(tmp_path)
    assert len(corpus.systems) == 3
    worded(said(corpus, "warning"), name)


@pytest.mark.parametrize("name", ["more.md", "more.yaml", "more.toml", "more.pdf", "more.tar"])
def test_a_file_among_systems_that_nothing_reads_is_warned_of(name: str, tmp_path: Path) -> None:
    (placed(tmp_path, True) / "systems" / name).write_text("\n".join(ALPHA))
    assert f"systems/{name} was ignored" in said(read(tmp_path), "warning")


@pytest.mark.parametrize("pattern", NAMES)
def test_a_system_is_called_without_the_kinds_of_its_text(pattern: str, tmp_path: Path) -> None:
    for name, lines in TEXTS.items():
        called = pattern.replace("NAME", name) if name in ("alpha", "beta") else f"{name}.txt"
        (tmp_path / called).write_text("\n".join(lines))
    assert held(read(tmp_path)) == TEXTS


WORDS = (("src", "ref", "tgt"), ("source", "reference", "target"), ("de", "en", "tgt"), ("deu", "eng", "target"),
         ("de", "en", "mt"), ("src", "tgt", "mt"), ("de", "tgt", "mt"), ("de", "ref", "mt"), ("src", "pe", "mt"),
         ("src", "human", "mt"), ("input", "labels", "mt"), ("src_text", "tgt_text", "pred_text"),
         ("src [de]", "ref [en]", "mt"), ("x_src", "x_ref", "mt"), ("source_de", "target_en", "mt"),
         ("src", "tgt_gold", "tgt_mt"), ("src", "target_human", "target_mt"), ("text", "labels", "generated"),
         ("text", "label", "prediction"), ("sources", "targets", "predictions"))  # fmt: skip


@pytest.mark.parametrize("form", [".tsv", ".csv", ".jsonl"])
@pytest.mark.parametrize("words", WORDS, ids=", ".join)
def test_columns_settle_each_other(words: Sequence[str], form: str, tmp_path: Path) -> None:
    corpus = read(table(tmp_path, dict(zip(words, (SOURCE, REF, ALPHA), strict=True)), form))
    assert list(held(corpus).values()) == [SOURCE, REF, ALPHA]


@pytest.mark.parametrize("form", [".tsv", ".jsonl"])
def test_two_languages_beside_a_source_are_refused_by_name(form: str, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"'de' and 'fr' are named after languages.*Rename"):
        read(table(tmp_path, {"source": SOURCE, "de": REF, "fr": REF, "alpha": ALPHA}, form))


BESIDE: dict[str, list[str]] = {
    "date": [f"2024-01-{at % 7 + 1:02d}" for at in range(20)], "spans": [f"[{at}, {at + 3}]" for at in range(20)],
    "tokens": [f"{at % 5} 12 {at}" for at in range(20)], "meta": [json.dumps({"n": at}) for at in range(20)],
    "annotator": [f"p{at % 3}" for at in range(20)], "prev_source": ["", *SOURCE[:-1]],
    "next_ref": [*REF[1:], ""], "Kommentar": [f"Das ist Satz {at}, frei übersetzt." for at in range(20)],
}  # fmt: skip


@pytest.mark.parametrize("form", [".tsv", ".csv", ".jsonl"])
@pytest.mark.parametrize("name", BESIDE)
def test_what_no_translation_is_made_of_is_no_system(name: str, form: str, tmp_path: Path) -> None:
    corpus = read(table(tmp_path, {**TEXTS, name: BESIDE[name]}, form))
    assert held(corpus) == TEXTS
    assert repr(name) in said(corpus, "note")


@pytest.mark.parametrize("form", [".tsv", ".csv", ".jsonl"])
@pytest.mark.parametrize(
    "names", [("system", "temperature"), ("model", "prompt_id"), ("engine", "run"), ("mode", "setting")]
)
def test_runs_of_one_system_are_told_by_the_column_that_differs(
    names: tuple[str, str], form: str, tmp_path: Path
) -> None:
    own = {names[0]: ["one"] * 40, names[1]: ["0"] * 20 + ["1"] * 20, "source": SOURCE * 2, "ref": REF * 2}
    corpus = read(table(tmp_path, {**own, "hypothesis": ALPHA + BETA}, form))
    assert [[*corpus.lines(name)] for name in corpus.systems] == [ALPHA, BETA]
    assert list(corpus.systems) == ["0", "1"]


@pytest.mark.parametrize("form", [".tsv", ".csv", ".jsonl"])
@pytest.mark.parametrize("column", ["hypothesis", "prediction", "generated", "response", "answer", "text"])
def test_a_file_of_each_system_is_called_like_it(column: str, form: str, tmp_path: Path) -> None:
    order = sorted(range(20), key=lambda at: 7 * at % 20)
    for name, lines, rows in (("alpha", ALPHA, range(20)), ("beta", BETA, order)):
        columns = {"id": [str(at) for at in range(20)], "source": SOURCE, "reference": REF, column: lines}
        path = table(tmp_path, {key: [own[at] for at in rows] for key, own in columns.items()}, form)
        path.rename(tmp_path / f"{name}{form}")
    corpus = read(tmp_path)
    assert list(held(corpus).values()) == [SOURCE, REF, ALPHA, BETA]
    assert list(corpus.systems) == ["alpha", "beta"]


SHORT = [f"Satz {at}" for at in range(20)]
UNSPACED = [f"第{at}句话是关于河边花园的。" for at in range(20)]
TEMPLATE = "<|im_start|>user\nTranslate: {}<|im_end|>\n<|im_start|>assistant\n"


@crossed(
    "label, predict, reference, form, template", ["label", "labels"], ["predict", "prediction"],
    [REF, SHORT, UNSPACED], [".jsonl", ".tsv"], ["{}", TEMPLATE],
)  # fmt: skip
def test_what_a_model_predicts_is_the_system_and_its_label_the_reference(
    label: str, predict: str, reference: list[str], form: str, template: str, tmp_path: Path
) -> None:
    columns = {"prompt": [template.format(line) for line in SOURCE], predict: ALPHA, label: reference}
    if form == ".tsv":
        columns = {key: [line.replace("\n", " ") for line in own] for key, own in columns.items()}
    corpus = read(table(tmp_path, columns, form))
    assert [[*corpus.lines(name)] for name in corpus.systems] == [ALPHA]
    assert [*corpus.systems] == ["set"]
    assert [[*own] for own in corpus.references.values()] == [reference]


@crossed(
    "source, ref", ["wmt24.src.txt", "wmt24.src", "wmt24.source.en", "wmt24.src.en", "test.en-de.src.gz"],
    ["wmt24.ref.txt", "wmt24.ref", "wmt24.refA.en", "test.en-de.ref"],
)  # fmt: skip
def test_sources_and_references_may_be_called_so_inside_of_their_names(source: str, ref: str, tmp_path: Path) -> None:
    for called, lines in ((source.removesuffix(".gz"), SOURCE), (ref, REF), ("alpha.txt", ALPHA), ("beta.txt", BETA)):
        (tmp_path / called).write_text("\n".join(lines))
    assert list(held(read(tmp_path)).values()) == [SOURCE, REF, ALPHA, BETA]


IN_LANGUAGES = (
    ("bron", "referentie"), ("Källa", "Referens"), ("Kilde", "Referanse"), ("Lähde", "Viite"), ("Forrás", "Referencia"),
    ("Sursă", "Referință"), ("Kaynak", "Referans"), ("Πηγή", "Αναφορά"), ("מקור", "תרגום ייחוס"), ("المصدر", "المرجع"),
    ("स्रोत", "संदर्भ"), ("nguồn", "tham chiếu"), ("ต้นฉบับ", "อ้างอิง"), ("Sumber", "Referensi"), ("Джерело", "Еталон"),
    ("Źródło", "Tłumaczenie referencyjne"), ("Исходный текст", "Эталонный перевод"), ("Izvor", "Referenca"),
)  # fmt: skip
HUMPS = (("sourceText", "referenceText", "alpha"), ("input", "expectedOutput", "actualOutput"),
         ("userInput", "reference", "response"), ("src", "goldTranslation", "machineTranslation"))  # fmt: skip


@crossed("words, form", IN_LANGUAGES, [".tsv", ".csv", ".jsonl"])
def test_columns_may_be_called_in_many_languages(words: tuple[str, str], form: str, tmp_path: Path) -> None:
    columns = dict(zip((*words, "alpha", "beta"), (SOURCE, REF, ALPHA, BETA), strict=True))
    assert list(held(read(table(tmp_path, columns, form))).values()) == [SOURCE, REF, ALPHA, BETA]


@crossed("words, form", HUMPS, [".tsv", ".csv", ".jsonl"])
def test_words_may_be_told_apart_by_capitals(words: tuple[str, str, str], form: str, tmp_path: Path) -> None:
    columns = dict(zip(words, (SOURCE, REF, ALPHA), strict=True))
    assert list(held(read(table(tmp_path, columns, form))).values()) == [SOURCE, REF, ALPHA]


@pytest.mark.parametrize("form", [".tsv", ".csv", ".jsonl"])
def test_where_no_column_is_called_like_a_reference_it_is_told(form: str, tmp_path: Path) -> None:
    columns = dict(zip(("qaynaq", "etalon mətn", "alpha", "beta"), (SOURCE, REF, ALPHA, BETA), strict=True))
    worded(said(read(table(tmp_path, columns, form)), "note"))


@pytest.mark.parametrize("name", ["tgt.txt", "tgt-test.txt", "target.en", "gold.txt", "test.tgt.txt"])
def test_a_lone_target_beside_outputs_is_the_reference_and_told(name: str, tmp_path: Path) -> None:
    for called, lines in (("src.txt", SOURCE), (name, REF), ("alpha.txt", ALPHA), ("beta.txt", BETA)):
        (tmp_path / called).write_text("\n".join(lines))
    corpus = read(tmp_path)
    if name == "test.tgt.txt":  # as likely an output
        assert len(corpus.systems) == 3
    else:
        assert list(held(corpus).values()) == [SOURCE, REF, ALPHA, BETA]
        worded(said(corpus, "note"), name)


NUMBERS = [f"0.{at:03d}" for at in range(20)]


@crossed("ending, sorted_out", [".comet", ".comet.txt", ".wmt22-comet-da.txt", ".bleurt"], [False, True])
def test_a_number_a_line_is_the_rating_of_the_system_that_its_file_is_called_by(
    ending: str, sorted_out: bool, tmp_path: Path
) -> None:
    for name in ("alpha", "beta"):
        place = placed(tmp_path, sorted_out) / ("systems" if sorted_out else "") / f"{name}{ending}"
        place.write_text("\n".join(NUMBERS))
    corpus = read(tmp_path)
    assert held(corpus) == TEXTS
    assert [one.values.tolist() for one in corpus.ratings.values()] == [[list(map(float, NUMBERS))] * 2]


@pytest.mark.parametrize("name", ["scores.txt", "alpha_scores.txt", "lengths.txt", "alpha.logprob", "comet.alpha.txt"])
def test_numbers_of_unknown_meaning_are_no_system_and_warned_of(name: str, tmp_path: Path) -> None:
    (placed(tmp_path) / name).write_text("\n".join(NUMBERS))
    corpus = read(tmp_path)
    assert held(corpus) == TEXTS
    assert not corpus.ratings
    worded(said(corpus, "warning"), name)


def test_where_all_texts_are_numbers_they_are_texts(tmp_path: Path) -> None:
    for name in ("ref", "alpha", "beta"):
        (tmp_path / f"{name}.txt").write_text("\n".join(NUMBERS))
    assert list(read(tmp_path).systems) == ["alpha", "beta"]


@pytest.mark.parametrize("form", ["numbers", "list", "blocks"])
def test_scores_in_order_are_as_many_as_segments(form: str, tmp_path: Path) -> None:
    (placed(tmp_path) / "ratings").mkdir()
    short = NUMBERS[:-1]
    lines = [f"{name}\t{one}" for name in ("alpha", "beta") for one in short] if form == "blocks" else short
    text = json.dumps({"scores": list(map(float, short))}) if form == "list" else "\n".join(lines)
    (tmp_path / "ratings" / ("alpha.comet.json" if form == "list" else "alpha.comet.txt")).write_text(text)
    with pytest.raises(ReadError, match="found 19 rows of scores for 20 segments"):
        read(tmp_path)


@pytest.mark.parametrize("name", ["Alpha", "alpha ", "\uff41lpha", "ALPHA"])
@pytest.mark.parametrize("form", [".txt", ".tsv", ".jsonl"])
def test_names_that_look_alike_are_warned_of(name: str, form: str, tmp_path: Path) -> None:
    if form == ".txt":
        (placed(tmp_path) / f"{name}.txt").write_text("\n".join(BETA))
    elif name != "alpha " or form == ".jsonl":
        table(tmp_path, {**TEXTS, name: BETA}, form)
    else:
        pytest.skip("names of columns have no spaces around them")
    worded(said(read(tmp_path), "warning"), "Unicode")


def test_a_rating_finds_its_system_in_each_form_of_unicode(tmp_path: Path) -> None:
    (placed(tmp_path) / "mode\u0300le.txt").write_text("\n".join(BETA))
    rows = [f"{name}\t{at + 1}\t{one}" for name in ("mod\u00e8le", "beta") for at, one in enumerate(NUMBERS)]
    (tmp_path / "COMET.tsv").write_text("\n".join(["system\tsegment\tCOMET", *rows]))
    corpus = read(tmp_path)
    assert len(corpus.systems) == 3
    assert not any(map(all, (corpus.ratings["COMET"].values != corpus.ratings["COMET"].values)[1:]))


@pytest.mark.parametrize("name", ["gamma.json", "gamma.jsonl", "gamma.tsv", "gamma.csv"])
def test_a_lone_file_of_data_beside_texts_is_told_with_a_way_on(name: str, tmp_path: Path) -> None:
    lines = [json.dumps({"mt": line}) for line in ALPHA] if "json" in name else ALPHA
    text = json.dumps(ALPHA) if name.endswith(".json") else "\n".join(lines)
    (placed(tmp_path) / name).write_text(text)
    corpus = read(tmp_path)
    assert held(corpus) == TEXTS
    worded(said(corpus, "note"), name)


NESTED = {
    "by system": lambda at: {"alpha": ALPHA[at], "beta": BETA[at], "scores": {"alpha": 0.5, "beta": 0.4}},
    "by metric": lambda at: {"outputs": {"alpha": ALPHA[at], "beta": BETA[at]}, "scores": {"COMET": {"alpha": 0.5}}},
    "beside texts": lambda at: {"translations": [
        {"system": "alpha", "text": ALPHA[at], "score": 0.5}, {"system": "beta", "text": BETA[at], "score": 0.4}]},
    "listed": lambda at: {"alpha": ALPHA[at], "beta": BETA[at], "metrics": [{"name": "COMET", "alpha": 0.5}]},
}  # fmt: skip


@pytest.mark.parametrize("kind", NESTED)
def test_scores_that_lie_deep_beside_texts_are_told(kind: str, tmp_path: Path) -> None:
    rows = [{"source": SOURCE[at], "ref": REF[at], **NESTED[kind](at)} for at in range(20)]
    (tmp_path / "all.json").write_text(json.dumps(rows))
    corpus = read(tmp_path)
    assert held(corpus) == TEXTS
    worded(said(corpus, "warning"))


def test_sources_that_differ_are_refused_with_the_first_that_does(tmp_path: Path) -> None:
    for name, lines, order in (("ref", REF, range(20)), ("alpha", ALPHA, range(19, -1, -1))):
        units = [f'<tu><tuv xml:lang="de"><seg>{SOURCE[at]}</seg></tuv><tuv xml:lang="en"><seg>{lines[at]}</seg></tuv>'
                 "</tu>" for at in order]  # fmt: skip
        text = f'<tmx version="1.4"><header srclang="de"/><body>{"".join(units)}</body></tmx>'
        (tmp_path / f"{name}.tmx").write_text(text)
    with pytest.raises(ReadError, match=r"which differ in segment 1: .*Give all files the same segments in one order"):
        read(tmp_path)


VALUES = [float(one) for one in NUMBERS]

SCORED: dict[str, Callable[[str], object]] = {
    "systems with metrics": lambda metric: {name: {"metrics": {metric: VALUES}} for name in ("alpha", "beta")},
    "listed systems": lambda metric: {"systems": [{"name": name, "scores": {metric: VALUES}} for name in "ab"]},
    "lists of objects": lambda metric: {"run": {name: [{metric: one} for one in VALUES] for name in ("a", "b")}},
    "segments": lambda metric: {"data": {"segments": [{"id": i, "scores": {metric: {"a": 1.0}}} for i in range(20)]}},
    "listed segments": lambda metric: [{"id": i, "eval": {"a": {metric: 0.5}}} for i in range(20)],
}


@pytest.mark.parametrize("metric", ["comet", "score", "BLEURT"])
@pytest.mark.parametrize("kind", SCORED)
def test_scores_inside_of_other_objects_are_no_texts(kind: str, metric: str, tmp_path: Path) -> None:
    alone, beside = tmp_path / "gamma.json", placed(tmp_path / "set", True) / "COMET.json"
    alone.write_text(json.dumps(SCORED[kind](metric)))
    with pytest.raises(ReadError, match=rf"contains scores \({metric}\) .* system, segment and score in ratings/"):
        read(alone)
    shutil.copy(alone, beside)
    corpus = read(beside.parent)
    assert held(corpus) == TEXTS
    worded(said(corpus, "warning"))


@pytest.mark.parametrize("name", ["comet.txt", "alpha.comet.txt", "scores.txt", "COMET", "chrf.out"])
def test_a_number_a_line_at_the_top_is_told_with_a_way_on(name: str, tmp_path: Path) -> None:
    (placed(tmp_path, True) / name).write_text("".join(f"{one}\n" for one in NUMBERS))
    corpus = read(tmp_path)
    assert held(corpus) == TEXTS
    worded(said(corpus, "warning"), name, "SYSTEM")
