"""Ids that name every segment tell documents by the part they share; where there is none, no documents are known."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from kept import lacking
from layouts import LAYOUTS, made
from sampled import crossed

from mtsig import Corpus, read

N = 40
TEXTS = made(N)
IDS: dict[str, Callable[[int], str]] = {
    "underscore": lambda i: f"doc{i // 4}_{i % 4}",
    "colons": lambda i: f"news.{i // 4}::{i % 4}",
    "colon": lambda i: f"doc-{i // 4}:{i % 4 + 1}",
    "dot": lambda i: f"d{i // 4}.{i}",
    "slash": lambda i: f"talks/{i // 4}/{i % 4}",
    "tab": lambda i: f"doc{i // 4}\t{i % 4}",
    "domain, document, segment": lambda i: f"news\tdoc{i // 4}\t{i % 4}",
    "wmt25": lambda i: f"en-de_DE_#_news_#_doc{i // 4}_#_{i % 4}",
    "wmt26": lambda i: f"official_###_eng_###_deu_###_news_###_d{i // 4}_###_{i % 4}",
    "seg": lambda i: f"doc{i // 4}-seg{i % 4}",
    "number first": lambda i: f"{i % 4}\tdoc{i // 4}",
    "letters": lambda i: f"doc{i // 4}_{'abcd'[i % 4]}",
    "paragraph and segment": lambda i: f"doc{i // 4}-p{i % 4}-s1",
    "query": lambda i: f"https://x.org/doc{i // 4}?s={i % 4}",
    "nothing between": lambda i: f"talk{'abcdefghij'[i // 4]}S{i % 4}",
    "Chinese": lambda i: f"文档{i // 4}第{i % 4}句",
    "named number first": lambda i: f"seg{i % 4}@doc{i // 4}",
}
NONE: dict[str, Callable[[int], str]] = {
    "numbers": str,
    "one name": lambda i: f"doc_{i}",
    "names": lambda i: "".join(chr(97 + int(digit)) for digit in f"{i:03d}"),
    "padded": lambda i: f"{i:06d}",
}


def corpus_of(layout: str, ids: list[str], folder: Path) -> Corpus:
    if layout == "docids":
        LAYOUTS["folder"](TEXTS, folder)
        (folder / "docids.txt").write_text("".join(f"{one}\n" for one in ids))
        return read(folder)
    rows = [
        {"doc_id": one, "source": TEXTS["source"][i], "ref": TEXTS["ref"][i], "alpha": TEXTS["alpha"][i],
         "beta": TEXTS["beta"][i]} for i, one in enumerate(ids)
    ]  # fmt: skip
    path = folder / "set.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return read(path)


@crossed("layout, kind", ["docids", "json lines"], IDS)
def test_the_part_that_ids_share_is_the_document(kind: str, layout: str, tmp_path: Path) -> None:
    corpus = corpus_of(layout, [IDS[kind](i) for i in range(N)], tmp_path)
    assert corpus.n_documents == N // 4
    assert corpus.documents is not None
    assert [corpus.documents.index(name) // 4 for name in corpus.documents] == [i // 4 for i in range(N)]
    assert any(not lacking(note.text, "as one document") for note in corpus.notes)


@pytest.mark.parametrize("layout", ["docids", "json lines"])
@pytest.mark.parametrize("kind", NONE)
def test_where_nothing_is_shared_there_are_no_documents(kind: str, layout: str, tmp_path: Path) -> None:
    corpus = corpus_of(layout, [NONE[kind](i) for i in range(N)], tmp_path)
    assert corpus.documents is None
    assert any(not lacking(note.text, "have no common part", "documents") for note in corpus.notes)


def test_documents_that_repeat_stay_as_they_are(tmp_path: Path) -> None:
    ids = [f"doc_{i // 4}" for i in range(N)]
    assert list(corpus_of("docids", ids, tmp_path).documents or ()) == ids


def test_ids_that_number_segments_within_documents_are_warned_of(tmp_path: Path) -> None:
    for name in ("source", "ref", "alpha"):
        (tmp_path / f"{name}.txt").write_text("\n".join(TEXTS[name]))
    for ids, warned in ((lambda i: f"s{i % 4}", True), (lambda i: f"d{i // 4 % 5}", False)):
        (tmp_path / "docids.txt").write_text("\n".join(map(ids, range(N))))
        notes = [note for note in read(tmp_path).notes if "If these are ids of segments" in note.text]
        assert [note.level for note in notes] == ["warning"] * warned
