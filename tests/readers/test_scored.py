"""What annotators marked comes back at its place in the outputs, or says that it has none."""

import json
from pathlib import Path

import pytest
from kept import Kept, lacking

from mtsig import Corpus, read
from mtsig.corpus._annotations import ERRORS, ErrorSpan, errors_of
from mtsig.errors import ReadError
from mtsig.readers import assemble
from mtsig.readers._assemble import with_ratings
from mtsig.readers._files import File
from mtsig.readers._rating_files import named_ratings
from mtsig.readers._read import parts_of
from mtsig.segments._cards import card

TEXTS = {
    "systems/A.txt": "the  cat sat\nso it goes\nit is 😀 odd text\n",
    "systems/B.txt": "a dog\n  and so on \nlast\n",
    "ref.txt": "the cat sat\nso it goes\nthat is odd\n",
    "source.txt": "el gato\nasí es\nraro\n",
    "docids.txt": "d1\nd1\nd2\n",
}
HEADER = "\t".join(["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"])


def corpus_of(files: dict[str, str]) -> Corpus:
    return assemble(parts_of([File(name, text.encode()) for name, text in {**TEXTS, **files}.items()]))


def mqm(*rows: str) -> Corpus:
    return corpus_of({"mqm.tsv": "\n".join([HEADER, *(row.replace("|", "\t") for row in rows)]) + "\n"})


def esa(*rows: str) -> Corpus:
    return corpus_of({"esa.csv": "\n".join(rows) + "\n"})


def esa_row(system: str, item: int, spans: str, user: str = "u1") -> str:
    document = "d2" if item == 2 else "d1"
    quoted = spans.replace('"', '""')
    return f'{user},{system},{item},TGT,eng,deu,50,{document},False,"{quoted}",1.0,2.0'


def span(first: int | str, last: int | str, severity: str = "minor", **more: object) -> str:
    return json.dumps({"start_i": first, "end_i": last, "severity": severity, **more})


def test_mqms_marks_have_places_in_the_corpus() -> None:
    corpus = mqm(
        "A|d1|1|1|r1|el gato|the <v>cat</v> sat|Accuracy/Mistranslation|Major",
        "A|d1|1|1|r2|el <v>gato</v>|the cat sat|Accuracy/Omission|Minor",
        "A|d1|1|1|r2|el gato|the cat<v></v> sat|Fluency/Grammar|Minor",
        "A|d1|2|2|r1|así es|so it goes|No-error|No-error",
        "B|d1|1|1|r1|el gato|a dog|Non-translation!|Major",
        "B|d1|2|2|r1|así es|and <v>so</v> <v>on</v>|Style/Awkward|Minor",
    )
    cat, omitted, behind = errors_of(corpus, "A", 0)
    # The corpus has two spaces where the annotators saw one.
    assert cat == ErrorSpan("mqm", "r1", "Accuracy/Mistranslation", "Major", "output", 5, 8)
    assert omitted == ErrorSpan("mqm", "r2", "Accuracy/Omission", "Minor", "source", 3, 7)
    assert (behind.start, behind.end) == (9, 9)
    assert errors_of(corpus, "A", 1) == errors_of(corpus, "A", 2) == ()
    assert errors_of(corpus, "B", 0) == (ErrorSpan("mqm", "r1", "Non-translation!", "Major", "missing"),)
    # Two pairs of marks in one row: which of them is meant is not guessed.
    assert errors_of(corpus, "B", 1) == (ErrorSpan("mqm", "r1", "Style/Awkward", "Minor", "output"),)
    assert {run: len(column) for run, column in corpus.annotations[ERRORS].items()} == {"A": 3, "B": 3}


def test_marks_in_another_text_have_no_place_and_are_counted(kept: Kept) -> None:
    corpus = mqm("A|d1|1|1|r1|el gato|the <v>cat</v> sats|Accuracy/Mistranslation|Major")
    assert errors_of(corpus, "A", 0) == (ErrorSpan("mqm", "r1", "Accuracy/Mistranslation", "Major"),)
    assert any(not lacking(one.text, "mqm: 1 error span") for one in corpus.notes)
    kept("readers", *(one.text for one in corpus.notes))


def test_esas_spans_end_with_their_last_character() -> None:
    left_out = span("missing", "missing", "major", error_type=["Accuracy", "Omission"])
    corpus = esa(
        esa_row("A", 0, f"[{span(5, 7)}]"),
        esa_row("A", 1, "[]"),
        esa_row("A", 2, f"[{span(0, 1, 'major')}, {span(8, 9)}]"),
        esa_row("B", 0, f"[{left_out}]"),
        esa_row("B", 1, f"[{span(0, 2, error_type=None)}]"),
        esa_row("B", 2, f"[{span(2, 4)}]"),
    )
    assert errors_of(corpus, "A", 0) == (ErrorSpan("esa", "u1", "", "minor", "output", 5, 8),)
    assert errors_of(corpus, "A", 1) == ()
    # Behind a character that browsers count twice no place is certain.
    assert [(one.start, one.end) for one in errors_of(corpus, "A", 2)] == [(0, 2), (None, None)]
    assert errors_of(corpus, "B", 0) == (ErrorSpan("esa", "u1", "Accuracy/Omission", "major", "missing"),)
    # Appraise shows outputs without the spaces around them.
    (three,) = errors_of(corpus, "B", 1)
    assert corpus.lines("B")[1][three.start : three.end] == "and"
    # Past the end of the text.
    assert errors_of(corpus, "B", 2)[0].start is None


@pytest.mark.parametrize(
    "spans",
    [
        "[{",
        '[{"start_i": 1, "severity": "minor"}]',
        '[{"start_i": 4, "end_i": 2, "severity": "minor"}]',
        '[{"start_i": -1, "end_i": 2, "severity": "minor"}]',
        '[{"start_i": "0", "end_i": "2", "severity": "minor"}]',
        '[{"start_i": true, "end_i": 2, "severity": "minor"}]',
        '["minor"]',
        "[" * 5_000,
    ],
)
def test_broken_spans_are_told_with_their_line(spans: str) -> None:
    with pytest.raises(ReadError, match=r"esa.csv, line 2: the error spans are .*expected JSON such as"):
        esa(esa_row("A", 0, "[]"), esa_row("A", 1, spans), esa_row("B", 0, "[]"))


def test_spans_go_where_their_segments_go() -> None:
    corpus = mqm(
        "A|d1|1|1|r1|x|the <v>cat</v> sat|Accuracy/Mistranslation|Major",
        "B|d2|1|3|r1|x|<v>last</v>|Style/Awkward|Minor",
    )
    taken = corpus.take([2, 0])
    assert errors_of(taken, "A", 1) == errors_of(corpus, "A", 0)
    assert errors_of(taken, "B", 0) == errors_of(corpus, "B", 2)
    assert errors_of(corpus.select(["B"]), "B", 2) == errors_of(corpus, "B", 2)
    assert corpus.digest != mqm("B|d2|1|3|r1|x|<v>last</v>|Style/Awkward|Minor").digest


def test_a_card_shows_them_on_the_text() -> None:
    corpus = mqm(
        "A|d1|1|1|r1|el <v>gato</v>|the cat sat|Accuracy/<b>Omission</b>|Minor",
        "A|d1|1|1|r1|el gato|the <v>cat sat</v>|Accuracy/Mistranslation|Major",
        "A|d1|1|1|r1|el gato|the cat sat|Other|Minor",
    )
    html = card(corpus, 0, ["A"])
    meaning = "Major Accuracy/Mistranslation (mqm)"
    assert not lacking(html, f'<span class="seg-error" title="{meaning}">cat sat</span><small class="seg-label"',
                       'title="Minor Accuracy/&lt;b&gt;Omission&lt;/b&gt; (mqm) in A">gato</span>')  # fmt: skip
    assert not lacking(html, "Rated: mqm \u22127.", "Minor Other (mqm).")
    assert '<span class="seg-error"' in card(corpus, 0, ["A"], metric="bleu")


def test_every_span_of_real_annotations_is_found(shared: Path) -> None:
    folder = shared / "data" / "wmt21-ted-zh-en"
    file = folder / "human" / "raw" / "mqm_ted_zhen.6systems.tsv"
    corpus = with_ratings(read(folder), named_ratings([f"raw={file}"]))
    rows = [line.split("\t") for line in file.read_text(encoding="utf-8").split("\n")[1:] if line]
    ours = [row for row in rows if corpus.systems.get(row[0])]
    marked = [row for row in ours if "<v>" in row[5] + row[6]]
    errors = [one for name in corpus.systems for i in range(len(corpus)) for one in errors_of(corpus, name, i)]
    assert len(errors) == len([row for row in ours if row[8] != "No-error"])
    assert len([one for one in errors if one.start is not None]) == len(marked) > 1_000
    spans = sorted((row[5] + row[6]).split("<v>")[1].split("</v>")[0] for row in marked)
    sources = corpus.segments.sources or ()
    found = sorted(
        (corpus.lines(name)[i] if one.side == "output" else sources[i])[one.start : one.end]
        for name in corpus.systems
        for i in range(len(corpus))
        for one in errors_of(corpus, name, i)
    )
    assert found == spans


def record(system: str, line: int, spans: list[object], **more: object) -> str:
    about = {"langs": "en-de", "line_id": line, "doc_id": "d2" if line == 2 else "d1", "src": "", "tgt": ""}
    return json.dumps({**about, "system": system, "esa_score": 50, "esa_spans": spans, **more})


def test_wmt24s_json_lines_hold_scores_and_spans() -> None:
    rows = [record(system, line, []) for system in "AB" for line in range(3)]
    rows[0] = record("A", 0, [json.loads(span(5, 7, "major"))], annotator="u7", esa_score=20)
    rows.append(record("A", 0, [json.loads(span("missing", "missing"))], annotator="u8", esa_score=40))
    corpus = corpus_of({"esa.jsonl": "\n".join(rows)})
    assert corpus.ratings["esa"].values.tolist() == [[30, 50, 50], [50, 50, 50]]
    assert errors_of(corpus, "A", 0) == (
        ErrorSpan("esa", "u7", "", "major", "output", 5, 8),
        ErrorSpan("esa", "u8", "", "minor", "missing"),
    )


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("[1]", r"esa.jsonl, line 2: expected an object"),
        (record("A", -1, []), r"esa.jsonl, line 2: line_id is '-1'; expected a whole number"),
        (record("A", 1, [], esa_score="good"), r"esa.jsonl, line 2: esa_score is 'good'"),
        (record("A", 1, [{"start_i": 1}]), r"esa.jsonl, line 2: the error spans are"),
        (record("A", 1, [], esa_spans=None), r"esa.jsonl, line 2: the error spans are"),
    ],
)
def test_broken_json_lines_are_told_with_their_line(row: str, message: str) -> None:
    with pytest.raises(ReadError, match=message):
        corpus_of({"esa.jsonl": "\n".join([record("A", 0, []), row])})
