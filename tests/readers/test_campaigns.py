"""What campaigns and metrics write of many outputs is read with its raters, joined by ids or texts, and counted."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fuzzing import INTERNALS
from kept import Kept, lacking, worded
from layouts import LAYOUTS, made, written
from sampled import crossed

from mtsig import Corpus, read
from mtsig.campaign import span_agreement
from mtsig.cli import main
from mtsig.corpus._annotations import errors_of
from mtsig.errors import MtsigError, ReadError
from mtsig.readers import File, assemble
from mtsig.readers._rating_files import named_ratings
from mtsig.readers._read import parts_at, parts_of
from mtsig.report._raters import rated_table

N = 12
TEXTS = made(N)
SCORES = {"alpha": [60 + 2 * i for i in range(N)], "beta": [50 + i for i in range(N)]}
IDS = [f"en-de_DE_#_news_#_d{i // 4}_#_{i % 4}" for i in range(N)]


def lines(objects: Sequence[Any]) -> str:
    return "".join(json.dumps(one) + "\n" for one in objects)


def said(corpus: Corpus) -> str:
    return "\n".join(note.text for note in corpus.notes)


def entry(i: int, user: str = "u1", scores: Any = None, **more: Any) -> dict[str, Any]:
    given = {name: {"score": values[i], "error_spans": []} for name, values in SCORES.items()}
    item = {"item_id": IDS[i], "src": TEXTS["source"][i], "tgt": {name: TEXTS[name][i] for name in SCORES}}
    return {"user_id": user, "item_i": i, "item": [item], "annotation": [scores or given], "actions": []} | more


def humeval(i: int) -> dict[str, Any]:
    scores = {name: {"human1": values[i], "errors1": [], "annotator1": "a1"} for name, values in SCORES.items()}
    return {"doc_id": IDS[i], "src_text": TEXTS["source"][i], "tgt_text": {name: TEXTS[name][i] for name in SCORES},
            "scores": scores}  # fmt: skip


def compared() -> dict[str, Any]:
    """As comet-compare --to_json writes it (unbabel-comet 1.1.3 and 2.2.7)."""
    translations = [{"name": f"{k}.txt", "mt": TEXTS[k], "scores": v} for k, v in SCORES.items()]
    return {"model": "m", "statistical_results": [], "source": TEXTS["source"], "translations": translations}


def compared_once() -> list[dict[str, Any]]:
    """As comet-compare -x alpha -y beta --to_json wrote it (unbabel-comet 1.0.0): without the systems' names."""
    sides = {"system_x": "alpha", "system_y": "beta"}
    head = {"bootstrap_resampling": {"x-mean": 1.0}, "paired_t-test": {"p_value": 0.1}}
    return [head, *({"src": TEXTS["source"][i], "ref": TEXTS["ref"][i]}
                    | {side: {"mt": TEXTS[k][i], "score": SCORES[k][i]} for side, k in sides.items()}
                    for i in range(N))]  # fmt: skip


FORMS: dict[str, tuple[str, Callable[[], str]]] = {
    "pearmut, entries": ("esa.jsonl", lambda: lines([entry(i) for i in range(N)])),
    "pearmut, another order": ("esa.jsonl", lambda: lines([entry(i) for i in reversed(range(N))])),
    "pearmut, campaign": ("annotations.json", lambda: json.dumps({"en---de v3": [entry(i) for i in range(N)]})),
    "pearmut, without texts": (
        "esa.jsonl",
        lambda: lines([
            {"user_id": "u", "item_i": i, "annotation": {k: {"score": v[i]} for k, v in SCORES.items()}}
            for i in range(N)
        ]),
    ),
    "humeval": ("humeval.jsonl", lambda: lines([humeval(i) for i in range(N)])),
    "subset2evaluate": (
        "set.json",
        lambda: json.dumps([
            {"i": i, "src": TEXTS["source"][i], "ref": TEXTS["ref"][i], "tgt": {k: TEXTS[k][i] for k in SCORES},
             "scores": {k: {"human": v[i]} for k, v in SCORES.items()}} for i in range(N)
        ]),
    ),
    "comet-compare": ("compare.json", lambda: json.dumps(compared(), indent=4)),
    "comet-compare of COMET 1.0": ("COMET.json", lambda: json.dumps(compared_once(), indent=4)),
    "metricx, meta": (
        "metricx.jsonl",
        lambda: lines([{"system_id": k, "segment_id": i, "label": 0, "prediction": -v[i]} for k, v in SCORES.items()
                       for i in range(N)]),
    ),
    "lists by system": ("esa.json", lambda: json.dumps([
        {"system": k, "segment": i + 1, "score": v[i]} for k, v in SCORES.items() for i in range(N)
    ])),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_scores_go_with_the_outputs_here(form: str, tmp_path: Path) -> None:
    LAYOUTS["folder"](TEXTS, tmp_path)
    (tmp_path / "ratings").mkdir()
    name, content = FORMS[form]
    (tmp_path / "ratings" / name).write_text(content())
    corpus = read(tmp_path)
    (rating,) = (rating for name, rating in corpus.ratings.items() if "@" not in name)
    values = rating.values * (-1 if form.startswith("metricx") else 1)
    np.testing.assert_allclose(values, list(SCORES.values()))


@pytest.mark.parametrize("form", ["humeval", "subset2evaluate"])
def test_alone_they_are_a_test_set(form: str, tmp_path: Path) -> None:
    name, content = FORMS[form]
    (tmp_path / name).write_text(content())
    corpus = read(tmp_path / name)
    assert {system: list(corpus.lines(system)) for system in corpus.systems} == {k: TEXTS[k] for k in SCORES}
    np.testing.assert_allclose(next(iter(corpus.ratings.values())).values, list(SCORES.values()))
    assert corpus.n_documents in (None, 3)


def test_the_last_score_of_a_user_counts_and_a_reset_erases(tmp_path: Path, kept: Kept) -> None:
    other = {name: {"score": 1, "error_spans": []} for name in SCORES}
    entries = [entry(0, scores=other), *(entry(i) for i in range(N)), entry(3, "u2", other),
               entry(3, "u2", annotation="__RESET__"), entry(0, item_i="welcome_0"), entry(1, annotation=[None]),
               *(entry(i, "u3", other, validations=[False]) for i in (4, 5)),
               {"user_id": "u3", "annotation": "__RESET__"},
               {"user_id": "u1", "item_i": 5, "annotation": {"text": "form"}, "item": {"text": "a form"}}]  # fmt: skip
    (tmp_path / "esa.jsonl").write_text(lines(entries))
    corpus = assemble(named_ratings([tmp_path / "esa.jsonl"]))
    np.testing.assert_allclose(corpus.ratings["esa"].values, list(SCORES.values()))
    assert corpus.n_documents == 3
    assert not lacking(said(corpus), "3 reset documents", "1 tutorial", "1 unscored item", "1 form.")
    assert "failed checks" not in said(corpus)
    kept("readers", said(corpus))


def test_what_rates_no_output_is_named_for_what_it_is_wherever_it_stands(tmp_path: Path) -> None:
    question = [{"text": "Native language?", "form": "string"}, {"text": "Expertise (1-10)", "form": "number"}]
    check = [{"item_id": "attention_check_0", "src": "A cat.", "tgt": {"1st": "Eine Katze.", "2nd": "Ein Hund."}}]
    entries = [*map(entry, range(N)), entry(0, item_i="welcome_0"), entry(0, item_i="goodbye_0"),
               entry(0, item_i="welcome_1", item=question, annotation=["German", "7"]),
               *(entry(0, item_i=at, item=check) for at in ("random_0", "welcome_2", 3))]  # fmt: skip
    (tmp_path / "esa.jsonl").write_text(lines(entries))
    corpus = assemble(named_ratings([tmp_path / "esa.jsonl"]))
    np.testing.assert_allclose(corpus.ratings["esa"].values, list(SCORES.values()))
    worded(said(corpus), "1 tutorial", "1 goodbye", "1 form", "3 attention")


def of_documents(users: int, ids: bool) -> str:
    """As Pearmut 1.1.6 stores documents of two items: of one stream, or, without ids, of a task of each user."""
    given = [(i, 0 if ids else i * users // N) for i in range(0, N, 2)]
    firsts = [min(i for i, user in given if user == own) for own in range(users)]
    return lines([
        {"user_id": f"u{user}", "item_i": (i - (0 if ids else firsts[user])) // 2, "actions": [{"time": 1}],
         "item": [{"src": TEXTS["source"][k], "tgt": {name: TEXTS[name][k] for name in SCORES}}
                  | ({"item_id": IDS[k]} if ids else {}) for k in (i, i + 1)],
         "annotation": [{name: {"score": values[k], "error_spans": []} for name, values in SCORES.items()}
                        for k in (i, i + 1)]}
        for i, user in given
    ])  # fmt: skip


@pytest.mark.parametrize(("users", "ids"), [(1, True), (1, False), (3, False)])
def test_documents_of_several_items_are_told_apart_with_ids_and_without(users: int, ids: bool, tmp_path: Path) -> None:
    (tmp_path / "esa.jsonl").write_text(of_documents(users, ids))
    corpus = assemble(named_ratings([tmp_path / "esa.jsonl"]))
    assert len(corpus) == N
    np.testing.assert_allclose(np.sort(corpus.ratings["esa"].values), np.sort(list(SCORES.values())))


def test_sliders_are_ratings_of_their_own_and_marks_stand_in_characters(tmp_path: Path) -> None:
    def rated(i: int, name: str) -> dict[str, Any]:
        spans = [{"start_i": 0, "end_i": 3, "category": None, "severity": "Minor"},
                 {"start_i": 14, "end_i": 14, "category": None, "severity": "Major"}]  # fmt: skip
        return {
            "score": None,
            "sliders": {"adequacy": SCORES[name][i], "fluency": None if i else 7},
            "error_spans": spans,
        }

    sliders = [entry(i, scores={name: rated(i, name) for name in SCORES}) for i in range(N)]
    (tmp_path / "own.jsonl").write_text(lines(sliders))
    corpus = assemble(named_ratings([tmp_path / "own.jsonl"]))
    np.testing.assert_allclose(corpus.ratings["adequacy"].values, list(SCORES.values()))
    assert np.isnan(corpus.ratings["fluency"].values[:, 1:]).all()
    # JavaScript counts an emoji twice; [missing] stands behind the text.
    item = [{"item_id": "a_#_0", "src": "x", "tgt": {"alpha": "\U0001f408 cat and dog"}}]
    marked = [entry(0, item=item, annotation=[{"alpha": rated(0, "alpha") | {"score": 5, "sliders": None}}])]
    (tmp_path / "esa.jsonl").write_text(lines(marked))
    (one,) = named_ratings([tmp_path / "esa.jsonl"])
    assert one.scored is not None
    assert [(mark.first, mark.last, mark.error.side) for mark in one.scored.marks] == [
        (0, 3, "output"), (None, None, "missing")
    ]  # fmt: skip


def test_the_progress_of_a_campaign_names_who_failed_checks(tmp_path: Path, kept: Kept) -> None:
    users = {
        "u1": {
            "progress": ["completed", "completed_foreign"],
            "validations": {"welcome_1": [True], "12": [True, False]},
        },
        "u2": {"progress": [{"alpha": "completed", "beta": None}], "validations": {}},
    }
    (tmp_path / "esa.jsonl").write_text(lines([entry(i) for i in range(N)]))
    for held in (users, {"campaign": users}):
        (tmp_path / "progress.json").write_text(json.dumps(held))
        corpus = assemble(named_ratings([tmp_path / "esa.jsonl", tmp_path / "progress.json"]))
        assert list(corpus.ratings) == ["esa"]
        worded(said(corpus), "1 of 2")
        kept("readers", said(corpus))


def test_sliders_of_their_own_are_ratings_of_their_own(tmp_path: Path) -> None:
    """As Pearmut 1.1.6 writes them: score is null, and a span may have no severity."""
    span = {"start_i": 0, "end_i": 2, "category": None, "severity": None}
    given = [{k: {"score": None, "sliders": {"Fluency": v[i] % 6, "Adequacy": v[i]}, "error_spans": [span]}
              for k, v in SCORES.items()} for i in range(N)]  # fmt: skip
    (tmp_path / "esa.jsonl").write_text(lines([entry(i, scores=own) for i, own in enumerate(given)]))
    corpus = assemble(named_ratings([tmp_path / "esa.jsonl"]))
    np.testing.assert_allclose(corpus.ratings["Adequacy"].values, list(SCORES.values()))
    np.testing.assert_allclose(corpus.ratings["Fluency"].values, [[v % 6 for v in own] for own in SCORES.values()])


def test_items_without_ids_are_known_by_their_sources(tmp_path: Path) -> None:
    """Pearmut's numbers are those of documents, and of each user's own in task-based campaigns."""
    documents = [
        {"user_id": f"u{at % 2}", "item_i": at // 2, "actions": [],
         "item": [{"src": TEXTS["source"][i], "tgt": {k: TEXTS[k][i] for k in SCORES}} for i in group],
         "annotation": [{k: {"score": v[i], "error_spans": []} for k, v in SCORES.items()} for i in group]}
        for at, group in enumerate([range(3), range(3, 6), range(6, 9), range(9, 12)])
    ]  # fmt: skip
    LAYOUTS["folder"](TEXTS, tmp_path)
    (tmp_path / "ratings").mkdir()
    (tmp_path / "ratings" / "esa.jsonl").write_text(lines(documents))
    np.testing.assert_allclose(read(tmp_path).ratings["esa"].values, list(SCORES.values()))
    alone = assemble(named_ratings([tmp_path / "ratings" / "esa.jsonl"]))
    assert sorted(map(tuple, alone.ratings["esa"].values.T)) == sorted(zip(*SCORES.values(), strict=True))


def test_places_that_a_browser_counts_are_those_of_characters(tmp_path: Path) -> None:
    text = "\U0001f600 good \U0001f680 boat"  # each of these counts twice
    spans = [{"start_i": 3, "end_i": 6, "category": None, "severity": "minor"},
             {"start_i": 8, "end_i": 9, "category": None, "severity": "minor"},
             {"start_i": 15, "end_i": 15, "category": None, "severity": "major"}]  # fmt: skip
    item = {"item_id": IDS[0], "src": "s", "tgt": {"alpha": text}}
    (tmp_path / "esa.jsonl").write_text(
        lines([entry(0, {}, {"alpha": {"score": 1, "error_spans": spans}}, item=[item])])
    )
    parts = named_ratings([tmp_path / "esa.jsonl"])
    found = [(mark.first, mark.last, mark.error.side) for part in parts if part.scored for mark in part.scored.marks]
    assert found == [(2, 6, "output"), (7, 8, "output"), (None, None, "missing")]


@pytest.mark.parametrize("campaigns", [False, True])
def test_progress_is_called_that(campaigns: bool, tmp_path: Path) -> None:
    users = {"u1": {"progress": ["completed"], "time": 3, "validations": {"0": [True]}}}
    (tmp_path / "progress.json").write_text(json.dumps({"en---de": users} if campaigns else users))
    with pytest.raises(ReadError, match="a Pearmut campaign before annotation, or its progress"):
        read(tmp_path / "progress.json")


def test_failed_checks_are_told_and_drop_nobody(tmp_path: Path, kept: Kept) -> None:
    checked = [entry(i, validations=[True, i > 3]) for i in range(6)]
    for entries, told in (
        (
            [*checked, *(entry(i, "u2", validations=[True]) for i in range(6, N))],
            "u1 4 of 6.",
        ),
        ([entry(i, validations=[True]) for i in range(N)], "all raters with"),
    ):
        (tmp_path / "esa.jsonl").write_text(lines(entries))
        corpus = assemble(named_ratings([tmp_path / "esa.jsonl"]))
        assert told in said(corpus)
        kept("readers", said(corpus))
        np.testing.assert_allclose(corpus.ratings["esa"].values, list(SCORES.values()))


def test_of_several_campaigns_the_language_pair_chooses(tmp_path: Path) -> None:
    other = [entry(i, scores={name: {"score": 3} for name in SCORES}) for i in range(N)]
    held = {"en---de v3": [entry(i) for i in range(N)], "en---cs": other}
    (tmp_path / "annotations.json").write_text(json.dumps(held))
    parts = named_ratings([tmp_path / "annotations.json"])
    for pair, expected in (("en-de", list(SCORES.values())), ("en-cs", [[3.0] * N] * 2)):
        corpus = assemble(parts, pair)
        np.testing.assert_allclose(corpus.ratings["esa"].values, expected)
    with pytest.raises(ReadError, match=r"2 language pairs: en-de, en-cs"):
        assemble(parts)


def renamed(i: int, ids: bool, **more: Any) -> dict[str, Any]:
    """Return an entry of another campaign, on other segments."""
    item = {"src": f"{TEXTS['source'][i]} Again.", "tgt": {name: f"{TEXTS[name][i]} Again." for name in SCORES}}
    said = {name: {"score": 3.0, "error_spans": []} for name in SCORES}
    return entry(i, scores=said, **more) | {"item": [item | ({"item_id": f"other-{IDS[i]}"} if ids else {})]}


@crossed("folder, ids, beside", ["", "outputs/", "annotations/", "data/outputs/"], [True, False], [False, True])
def test_campaigns_side_by_side_are_test_sets_of_their_own(
    folder: str, ids: bool, beside: bool, tmp_path: Path
) -> None:
    (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    first = [entry(i) for i in range(N)]
    for one in first:
        one["item"] = [{key: own for key, own in one["item"][0].items() if ids or key != "item_id"}]
    for name, entries in (("first", first), ("second", [renamed(i, ids) for i in range(N)])):
        (tmp_path / folder / f"{name}.jsonl").write_text(lines(entries))
        if beside:
            inner = (tmp_path / folder).parent / "tasks" if folder else tmp_path
            inner.mkdir(exist_ok=True)
            campaign = {"info": {"assignment": "task-based"}, "campaign_id": name, "data": [[]]}
            (inner / f"{name}.json").write_text(json.dumps(campaign))
    with pytest.raises(ReadError, match=r"2 test sets: first, second"):
        read(tmp_path)
    for name, expected in (("first", list(SCORES.values())), ("second", [[3.0] * N] * 2)):
        np.testing.assert_allclose(read(tmp_path, language_pair=name).ratings["esa"].values, expected)


@crossed("folder, ids", ["", "outputs/", "annotations/"], [True, False])
def test_one_campaign_of_several_files_is_one_set(folder: str, ids: bool, tmp_path: Path) -> None:
    (tmp_path / folder).mkdir(exist_ok=True)
    for user in ("u1", "u2"):
        entries = [entry(i, user) for i in range(N)]
        for one in entries if not ids else ():
            del one["item"][0]["item_id"]
        (tmp_path / folder / f"{user}.jsonl").write_text(lines(entries))
    np.testing.assert_allclose(read(tmp_path).ratings["esa"].values, list(SCORES.values()))


def test_parts_of_one_campaign_without_ids_are_never_joined_by_place(tmp_path: Path) -> None:
    for name, some in (("a", range(N - 2)), ("b", range(1, N))):
        entries = [entry(i, name) for i in some]
        for one in entries:
            del one["item"][0]["item_id"]
        (tmp_path / f"{name}.jsonl").write_text(lines(entries))
    with pytest.raises(ReadError, match=r"b\.jsonl, line 1: segment 1 of alpha is .*but .* in a\.jsonl, line 1"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("alpha.wmt22-comet-da.txt", "".join(f"{value}\n" for value in SCORES["alpha"])),
        ("alpha.comet.json", json.dumps({"scores": SCORES["alpha"], "mean_score": 71.0})),
        ("alpha.comet.json", json.dumps(SCORES["alpha"])),
        ("alpha.metricx.jsonl", lines([{"id": i, "prediction": value} for i, value in enumerate(SCORES["alpha"])])),
    ],
)
def test_scores_of_one_system_are_named_by_their_file(name: str, content: str, tmp_path: Path) -> None:
    LAYOUTS["folder"](TEXTS, tmp_path)
    (tmp_path / "ratings").mkdir()
    (tmp_path / "ratings" / name).write_text(content)
    corpus = read(tmp_path)
    (rating,) = corpus.ratings.values()
    assert rating.values[list(corpus.systems).index("alpha")].tolist() == SCORES["alpha"]
    assert rating.higher_is_better == ("metricx" not in name)
    (tmp_path / "ratings" / name).rename(tmp_path / "ratings" / name.replace("alpha", "gamma"))
    with pytest.raises(ReadError, match=r"expected a file name|none of which is a system here"):
        read(tmp_path)


def test_bertscore_has_a_rating_for_each_list(tmp_path: Path) -> None:
    LAYOUTS["folder"](made(N, ["alpha"]), tmp_path)
    (tmp_path / "ratings").mkdir()
    held = {"precision": SCORES["alpha"], "recall": SCORES["beta"], "f1": SCORES["alpha"], "hashcode": "roberta"}
    (tmp_path / "ratings" / "bertscore.json").write_text(json.dumps(held))
    assert sorted(read(tmp_path).ratings) == ["bertscore-f1", "bertscore-precision", "bertscore-recall"]


# --- Appraise -------------------------------------------------------------------------------------------------------


def appraise(item: Callable[[int], Any], document: bool = True, header: bool = False, whole: bool = False) -> str:
    rows: list[list[Any]] = [["login", "system", "itemID", "type", "src", "tgt", "score"]] if header else []
    for name, values in SCORES.items():
        for i in range(N):
            row = ["u1", f"{name}.txt", item(i), "TGT", "en", "de", values[i]]
            rows.append([*row, f"d{i // 4}", False, 1.0 + i, 2.0 + i] if document else [*row, 1.0 + i, 2.0 + i])
            if whole and i % 4 == 3:
                rows.append([*row[:6], 1, f"d{i // 4}", True, 1.5 + i, 2.5 + i])
    if header:
        rows[0] += ["document", "complete", "start", "end"] if document else ["start", "end"]
    return written(rows)


APPRAISE = {
    "items over the set": appraise(lambda i: i),
    "with the whole document": appraise(lambda i: i, whole=True),
    "items within documents": appraise(lambda i: i % 4),
    "within documents, with the whole": appraise(lambda i: i % 4, whole=True),
    "with the whole, as 1": appraise(lambda i: i, whole=True).replace("False", "0").replace("True", "1"),
    "without documents, times as dates": re.sub(
        r",\d+\.0,\d+\.0", ",2024-05-01 12:00:00,2024-05-01 12:01:00", appraise(lambda i: i, document=False)
    ),
    "without documents": appraise(lambda i: i, document=False),
    "with a header": appraise(lambda i: i, header=True),
    "without documents, with a header": appraise(lambda i: i, document=False, header=True),
    "of 2025": appraise(lambda i: f"en-de_#_news_#_d{i // 4}_#_{i % 4}"),
}


@pytest.mark.parametrize("layout", APPRAISE)
def test_appraises_scores_find_their_segments(layout: str, tmp_path: Path) -> None:
    LAYOUTS["folder"](TEXTS, tmp_path)
    (tmp_path / "docids.txt").write_text("".join(f"d{i // 4}\n" for i in range(N)))
    (tmp_path / "ratings").mkdir()
    (tmp_path / "ratings" / "esa.csv").write_text(APPRAISE[layout])
    corpus = read(tmp_path)
    np.testing.assert_allclose(corpus.ratings["esa"].values, list(SCORES.values()))
    if "whole" in layout:
        assert "whole documents (6)" in said(corpus)


def test_items_that_count_anew_in_every_batch_are_refused(tmp_path: Path) -> None:
    LAYOUTS["folder"](TEXTS, tmp_path)
    (tmp_path / "ratings").mkdir()
    half = [row for row in appraise(lambda i: i % 6, document=False).split("\n") if row]
    batches = [row.replace("u1", f"u{1 + (at // 6) % 2}") for at, row in enumerate(half)]
    for raters in (batches, half):
        (tmp_path / "ratings" / "esa.csv").write_text("\n".join(raters) + "\n")
        with pytest.raises(ReadError, match="Does the numbering begin again in every batch"):
            read(tmp_path)


def test_the_latest_score_of_a_user_counts(tmp_path: Path, kept: Kept) -> None:
    LAYOUTS["folder"](TEXTS, tmp_path)
    (tmp_path / "ratings").mkdir()
    again = "u1,alpha.txt,0,TGT,en,de,1,d0,False,90.0,91.0\n"
    (tmp_path / "ratings" / "esa.csv").write_text(again.replace("90.0,91.0", "0.0,0.5") + appraise(lambda i: i) + again)
    corpus = read(tmp_path)
    assert corpus.ratings["esa"].values[0, 0] == 1
    worded(said(corpus), "2")
    kept("readers", said(corpus))


def test_waves_are_repeats_of_the_same_rater(tmp_path: Path) -> None:
    LAYOUTS["folder"](TEXTS, tmp_path)
    (tmp_path / "ratings").mkdir()
    for wave, more in ((1, ""), (2, "0")):
        content = appraise(lambda i: i).replace(",60,", f",6{more},", 1)
        (tmp_path / "ratings" / f"esa_wave{wave}.csv").write_text(content)
    rating = read(tmp_path).ratings["esa"]
    assert rating.values[0, :2].tolist() == [33.0, 62.0]
    assert rating.rater_scores is not None
    assert sorted(rating.rater_scores.value[:2]) == [6.0, 60.0]
    (tmp_path / "ratings" / "esa_wave2.csv").rename(tmp_path / "ratings" / "esa_again.csv")
    with pytest.raises(ReadError, match="a second esa"):
        read(tmp_path)


def _marks(category: str | None = None) -> list[dict[str, Any]]:
    return [{"start_i": 0, "end_i": 2, "category": category, "severity": "minor"}]


def _rated_by(protocol: str) -> str:
    """Return Pearmut's entries of a protocol, as the README of its version 1.1.6 says what each asks for."""
    spans = {"DA": [], "ESA": _marks(), "MQM": _marks("Style")}[protocol.removeprefix("contrastive ")]
    names = list(SCORES) if protocol.startswith("contrastive") else [""]
    entries = []
    for i in range(N):
        for user, name in enumerate(SCORES):
            shown = names if names[0] else [name]
            given = {key: {"score": SCORES[key][i], "error_spans": spans} for key in shown}
            entries.append(entry(i, f"u{0 if names[0] else user}", given))
    return lines(entries)


SPAN = '"[{""start_i"": 0, ""end_i"": 1, ""severity"": ""minor""}]"'

PROTOCOLS: dict[str, tuple[str, str, str]] = {
    "Pearmut, DA": ("p.jsonl", _rated_by("DA"), "DA, or ESA without any span"),
    "Pearmut, ESA": ("p.jsonl", _rated_by("ESA"), "ESA"),
    "Pearmut, MQM": ("p.jsonl", _rated_by("MQM"), "MQM"),
    "Pearmut, cESA": ("p.jsonl", _rated_by("contrastive ESA"), "contrastive ESA"),
    "Appraise, scores alone": ("a.csv", APPRAISE["items over the set"], "DA or SQM (no error spans)"),
    "Appraise, ESA": (
        "a.csv", "".join(f"u1,alpha,{i},TGT,en,de,{50 + i},d{i // 4},False,{SPAN},1,2\n" for i in range(N)), "ESA",
    ),
    "WMT25": ("humeval.jsonl", FORMS["humeval"][1](), "ESA"),
    "WMT24": (
        "esa.jsonl",
        lines([{"system": "alpha", "line_id": i, "doc_id": f"d{i // 4}", "esa_score": 50 + i, "esa_spans": []}
               for i in range(N)]),
        "ESA",
    ),
    "MQM": (
        "errors.tsv",
        "system\tdoc\tdoc_id\tseg_id\trater\tseverity\tcategory\n"
        + "".join(f"alpha\td{i // 4}\t{i % 4 + 1}\t{i + 1}\tr\tMinor\tStyle\n" for i in range(N)),
        "MQM",
    ),
    "DA of WMT": ("da.csv", "SYS SID RAW.SCR Z.SCR N\n" + "".join(f"alpha {i + 1} 50 0.1 1\n" for i in range(N)), "DA"),
    "SQM, by its name": ("sqm.csv", "seg_id,alpha\n" + "".join(f"{i + 1},{i % 7}\n" for i in range(N)), "SQM"),
    "by people, unsaid how": ("human.csv", "seg_id,alpha\n" + "".join(f"{i + 1},{i % 7}\n" for i in range(N)), ""),
    "a program's": ("gemba-mqm.csv", "seg_id,alpha\n" + "".join(f"{i + 1},-{i % 7}\n" for i in range(N)), ""),
}  # fmt: skip


@pytest.mark.parametrize("form", PROTOCOLS)
def test_the_protocol_of_a_campaign_is_named(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    LAYOUTS["folder"](TEXTS, tmp_path)
    (tmp_path / "docids.txt").write_text("".join(f"d{i // 4}\n" for i in range(N)))
    (tmp_path / "ratings").mkdir()
    name, content, protocol = PROTOCOLS[form]
    (tmp_path / "ratings" / name).write_text(content)
    parts = parts_at(tmp_path)
    assert {part.form for part in parts if part.role == "ratings"} == {
        f"ratings, {protocol}" if protocol else "ratings"
    }
    table = rated_table(assemble(parts), parts)
    named = [row[table.names.index("protocol")].value for row in table.rows] if "protocol" in table.names else [""]
    assert set(named) == {protocol}
    assert main(["read", "--data", str(tmp_path)]) == 0
    assert not protocol or f"  {protocol}  " in capsys.readouterr().out


# --- texts of WMT26 -------------------------------------------------------------------------------------------------


def test_a_reference_with_its_kind_is_one_reference(tmp_path: Path) -> None:
    held = [
        {"item_id": f"official_###_eng_###_deu_###_news_###_d{i // 4}_###_{i % 4}", "src": TEXTS["source"][i],
         "ref": {"text": TEXTS["ref"][i], "type": "postedit"}, "hyps": {k: TEXTS[k][i] for k in SCORES}}
        for i in range(N)
    ]  # fmt: skip
    (tmp_path / "mteval.jsonl").write_text(lines(held))
    corpus = read(tmp_path / "mteval.jsonl")
    assert [list(own) for own in corpus.references.values()] == [TEXTS["ref"]]
    assert sorted(corpus.systems) == ["alpha", "beta"]
    assert corpus.n_documents == 3
    spans = {"beta": {"errors": [{"start": 0, "end": 4, "severity": "minor", "category": "style"}]}}
    predicted = [{"item_id": one["item_id"], "task1_pred": spans, "task2_pred": {k: v[i] for k, v in SCORES.items()}}
                 for i, one in enumerate(held)]  # fmt: skip
    (tmp_path / "pred.jsonl").write_text(lines(list(reversed(predicted))))
    rated = read(tmp_path / "mteval.jsonl", ratings=[f"mine={tmp_path / 'pred.jsonl'}:higher"])
    np.testing.assert_allclose(rated.ratings["mine"].values, list(SCORES.values()))
    (error,) = errors_of(rated, "beta", 3)
    assert (error.rating, error.start, error.end, error.severity, error.category) == ("mine", 0, 4, "minor", "style")
    (tmp_path / "pred.jsonl").write_text(lines([one | {"task2_pred": None} for one in predicted]))
    rated = read(tmp_path / "mteval.jsonl", ratings=[f"mine={tmp_path / 'pred.jsonl'}:higher"])
    assert np.nanmin(rated.ratings["mine"].values) == np.nanmax(rated.ratings["mine"].values) == -1


UNEVEN = {
    "plain text here": ("text", 6),
    "e\u0301a\u0300 cafe\u0301 x": ("cafe\u0301", 5),
    "\u4f60\u597d\u4e16\u754c": ("\u4e16\u754c", 2),
    "\U0001f600 good \U0001f680 boat": ("boat", 9),
    "  padded  line": ("padded", 2),
    "\U0001f469\u200d\U0001f680 flies": ("\U0001f680 fl", 2),
}
"""Texts, each with what is marked in it and the character at which that begins."""


def _units(text: str, at: int) -> int:
    """Return how many units JavaScript counts before a character."""
    return len(text[:at].encode("utf-16-le")) // 2


def _in_file(form: str) -> tuple[str, str]:
    """Return a file in which UNEVEN's texts are marked, as its format counts."""
    marks = []
    for at, (text, (marked, first)) in enumerate(UNEVEN.items()):
        ends = {"start": first, "end": first + len(marked), "severity": "minor"}
        shown = {"start_i": _units(text, first), "end_i": _units(text, first + len(marked)) - 1, "severity": "minor"}
        marks.append((at, f"d{at // 3}", text, ends, shown))
    if form.startswith("Pearmut"):
        entries = [
            {"user_id": "u", "item_i": at, "annotation": [{"alpha": {"score": 5, "error_spans": [shown]}}],
             "item": [{"item_id": f"x_#_{document}_#_{at % 3}", "src": "s", "tgt": {"alpha": text}}]}
            for at, document, text, _, shown in marks
        ]  # fmt: skip
        return ("c.json", json.dumps({"c": entries})) if form.endswith("campaign") else ("c.jsonl", lines(entries))
    if form == "xCOMET":
        segments = [{"mt": text, "COMET": 0.5, "errors": [ends]} for _, _, text, ends, _ in marks]
        return "xcomet.json", json.dumps({"alpha.txt": segments})
    if form == "WMT25 task":
        columns = ["doc_id", "segment_id", "system_id", "hypothesis_segment", "method", "start_indices", "end_indices",
                   "error_types"]  # fmt: skip
        rows = [[document, str(at % 3 + 1), "alpha", text, "auto", str(ends["start"]), str(ends["end"]), "minor"]
                for at, document, text, ends, _ in marks]  # fmt: skip
        return "spans.tsv", written([columns, *rows], "\t")
    columns = ["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"]
    tagged = [f"{text[: ends['start']]}<v>{text[ends['start'] : ends['end']]}</v>{text[ends['end'] :]}"
              for _, _, text, ends, _ in marks]  # fmt: skip
    rows = [["alpha", document, str(at % 3 + 1), str(at + 1), "r", "s", tagged[at], "Style", "Minor"]
            for at, document, *_ in marks]  # fmt: skip
    return "mqm.tsv", written([columns, *rows], "\t")


@pytest.mark.parametrize("form", ["Pearmut, entries", "Pearmut, campaign", "xCOMET", "WMT25 task", "MQM"])
def test_marks_stand_where_they_were_made_whatever_the_characters(form: str, tmp_path: Path) -> None:
    """Combining marks, emoji and spaces in front move no span, in whatever units its format counts."""
    (tmp_path / "systems").mkdir()
    (tmp_path / "ratings").mkdir()
    (tmp_path / "systems" / "alpha.txt").write_text("".join(f"{text}\n" for text in UNEVEN))
    (tmp_path / "docids.txt").write_text("".join(f"d{at // 3}\n" for at in range(len(UNEVEN))))
    name, content = _in_file(form)
    (tmp_path / "ratings" / name).write_text(content)
    corpus = read(tmp_path)
    for at, (text, (marked, first)) in enumerate(UNEVEN.items()):
        (error,) = errors_of(corpus, "alpha", at)
        assert (error.side, error.start, error.end) == ("output", first, first + len(marked)), text
    assert "not placed" not in said(corpus)


def test_annotators_of_one_output_stay_apart_and_two_marks_in_a_row_have_no_place(tmp_path: Path) -> None:
    LAYOUTS["folder"](TEXTS, tmp_path)
    (tmp_path / "docids.txt").write_text("".join(f"d{i // 4}\n" for i in range(N)))
    (tmp_path / "ratings").mkdir()
    spans = [{"start_i": 0, "end_i": 1, "severity": "minor"}]
    given = [{"system": "alpha", "line_id": i, "doc_id": f"d{i // 4}", "esa_score": 50, "esa_spans": spans[:found],
              "annotator": rater} for i in range(N) for rater, found in (("r1", 1), ("r2", i % 2))]  # fmt: skip
    (tmp_path / "ratings" / "esa.jsonl").write_text(lines(given))
    text = TEXTS["alpha"][0]
    columns = ["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"]
    twice = f"<v>{text[:2]}</v>{text[2:4]}<v>{text[4:6]}</v>{text[6:]}"
    source = f"<v>{TEXTS['source'][0][:2]}</v>{TEXTS['source'][0][2:]}"
    marked = [["alpha", "d0", "1", "1", "r", side, target, "Style", "Minor"]
              for side, target in ((TEXTS["source"][0], twice), (source, text))]  # fmt: skip
    (tmp_path / "ratings" / "mqm.tsv").write_text(written([columns, *marked], "\t"))
    corpus = read(tmp_path)
    found = span_agreement(corpus, "esa", ["esa"])
    assert [row.outputs for row in found.records if row.role == "ceiling"] == [N]
    own = [error[4:] for error in errors_of(corpus, "alpha", 0) if error.rating == "mqm"]
    assert own == [("output", None, None), ("source", 0, 2)]


def test_marks_at_the_ends_of_a_text(tmp_path: Path) -> None:
    """A mark that runs into [missing] ends with the text; half an emoji is all of it; no-error marks nothing."""
    text = "a cat \U0001f408"
    last, spans = _units(text, len(text)), [(0, 0), (4, 99), (6, 6), (7, 7), (8, 8), (99, 120)]
    given = [{"start_i": a, "end_i": b, "severity": "minor"} for a, b in spans]
    given.append({"start_i": 0, "end_i": 3, "severity": "no-error"})
    assert last == 8
    item = {"item_id": IDS[0], "src": "s", "tgt": {"alpha": text}}
    held = [entry(0, scores={"alpha": {"score": 1, "error_spans": given}}, item=[item])]
    (tmp_path / "esa.jsonl").write_text(lines(held))
    (part,) = named_ratings([tmp_path / "esa.jsonl"])
    assert part.scored is not None
    assert [(mark.first, mark.last, mark.error.side) for mark in part.scored.marks] == [
        (0, 1, "output"), (4, 7, "output"), (6, 7, "output"), (6, 7, "output"), (None, None, "missing"),
        (None, None, "missing"),
    ]  # fmt: skip
    for wrong in ((-1, 3), (5, 3), (1.0, 2.0)):
        held[0]["annotation"] = [
            {
                "alpha": {
                    "score": 1,
                    "error_spans": [dict(zip(("start_i", "end_i"), wrong, strict=True), severity="minor")],
                }
            }
        ]
        (tmp_path / "esa.jsonl").write_text(lines(held))
        (part,) = named_ratings([tmp_path / "esa.jsonl"])
        assert part.problem is not None
        worded(part.problem)


def test_spans_of_a_task_and_of_xcomet_are_read(tmp_path: Path) -> None:
    """Ends are behind the span; outputs without errors are looked at, too."""
    columns = ["doc_id", "segment_id", "system_id", "hypothesis_segment", "method", "start_indices", "end_indices",
               "error_types"]  # fmt: skip
    marked = [("0 3", "2 5", "minor major"), ("", "", "no-error"), ("missing", "missing", "minor")]
    rows = [[f"d{i // 4}", str(i % 4 + 1), k, TEXTS[k][i], "esa", *marked[i % 3]] for k in SCORES for i in range(N)]
    LAYOUTS["folder"](TEXTS, tmp_path)
    (tmp_path / "docids.txt").write_text("".join(f"d{i // 4}\n" for i in range(N)))
    (tmp_path / "ratings").mkdir()
    (tmp_path / "ratings" / "gold.tsv").write_text(written([columns, *rows], "\t"))
    # The key "errors" of xCOMET's file is assumed; its spans are as COMET documents them.
    errors = [{"text": " good", "confidence": 0.4, "severity": "minor", "start": 1, "end": 6}]
    scored = {f"{k}.txt": [{"mt": TEXTS[k][i], "COMET": v[i] / 100, "errors": errors} for i in range(N)]
              for k, v in SCORES.items()}  # fmt: skip
    (tmp_path / "ratings" / "xcomet.json").write_text(json.dumps(scored))
    corpus = read(tmp_path)
    assert corpus.ratings["esa-spans"].values[:, :3].tolist() == [[-6, 0, -1]] * 2
    found = {(error.rating, error.side, error.start, error.end, error.severity)
             for i in range(3) for error in errors_of(corpus, "alpha", i)}  # fmt: skip
    assert found == {("esa-spans", "output", 0, 2, "minor"), ("esa-spans", "output", 3, 5, "major"),
                     ("esa-spans", "missing", None, None, "minor"), ("COMET", "output", 1, 6, "minor")}  # fmt: skip
    rows[0][-3:] = ["-1 1", "-1 3", "no-error critical"]
    (tmp_path / "ratings" / "gold.tsv").write_text(written([columns, *rows], "\t"))
    (own,) = [error for error in errors_of(read(tmp_path), "alpha", 0) if error.rating == "esa-spans"]
    assert (own.start, own.end, own.severity) == (1, 3, "critical")
    rows[0][-1] = "minor"
    (tmp_path / "ratings" / "gold.tsv").write_text(written([columns, *rows], "\t"))
    with pytest.raises(ReadError, match="as many start_indices and end_indices as error_types"):
        read(tmp_path)


def test_fields_that_are_null_are_no_system(tmp_path: Path) -> None:
    held = [
        {"doc_id": f"official_###_news_###_eng_###_deu_###_d{i}", "domain": "news", "src_lang": "eng",
         "src_text": f"{TEXTS['source'][i]}\n\n{TEXTS['source'][i + 1]}", "video": None, "screenshot": None,
         "extra": None, "prompt_instruction": "Translate.", "evaluation_instruction": "Look at tone.",
         "refs": {"refA": {"ref": f"{TEXTS['ref'][i]}\n\n{TEXTS['ref'][i + 1]}"}}} for i in range(0, N, 2)
    ]  # fmt: skip
    (tmp_path / "genmt.jsonl").write_text(lines(held))
    (tmp_path / "systems").mkdir()
    for name in SCORES:
        outputs = [{"doc_id": one["doc_id"], "hypothesis": f"{TEXTS[name][i]}\n\n{TEXTS[name][i + 1]}", "metadata": {}}
                   for i, one in zip(range(0, N, 2), held, strict=True)]  # fmt: skip
        (tmp_path / "systems" / f"{name}.jsonl").write_text(lines(outputs))
    corpus = read(tmp_path / "systems")
    assert {name: list(corpus.lines(name)) for name in corpus.systems} == {k: TEXTS[k] for k in SCORES}
    (tmp_path / "genmt.jsonl").rename(tmp_path / "systems" / ".." / "wmt26-genmt.jsonl")
    corpus = read(tmp_path)
    assert (list(corpus.segments.sources or ()), list(corpus.references["refA"])) == (TEXTS["source"], TEXTS["ref"])


def test_documents_with_unequal_paragraphs_are_one_segment(tmp_path: Path, kept: Kept) -> None:
    texts = {"alpha": "one\n\ntwo", "beta": "one two"}
    kinds = (("d0", lambda name: texts[name]), ("d1", lambda name: f"{name} a\n\n{name} b"))
    (tmp_path / "systems").mkdir()
    for name in texts:
        held = [{"doc_id": f"o_###_news_###_en_###_de_###_{doc}", "hypothesis": of(name)} for doc, of in kinds]
        (tmp_path / "systems" / f"{name}.jsonl").write_text(lines(held))
    corpus = read(tmp_path)
    assert corpus.documents == ("d0", "d1", "d1")
    assert [corpus.lines(name)[0] for name in texts] == list(texts.values())
    assert not lacking(said(corpus), "1 document", "paragraphs", "one segment", ": d0.")
    kept("readers", said(corpus))
    wide = [{"doc_id": f"o_###_news_###_en_###_de_###_{doc}", "src_text": of("alpha"), "tgt_text": {
        name: of(name) for name in texts}} for doc, of in kinds]  # fmt: skip
    (tmp_path / "wide.jsonl").write_text(lines(wide))
    assert read(tmp_path / "wide.jsonl").outputs == corpus.outputs
    assert not lacking(said(read(tmp_path / "wide.jsonl")), "1 document", "one segment", ": d0.")


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the places of a tree, of lists the first."""
    yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(min(1, len(value))):
            yield from leaves(value[key], (*path, key))


HOSTILE = [None, True, 1e999, 10**30, "9" * 5000, "{0}", "\u202e\0", "\ud800", [], {}, ["a"], {"score": {"score": {}}}]


def test_values_of_another_kind_are_told_in_one_sentence_or_left_out() -> None:
    number, said_of = 0, list[str]()
    for name, content in (make for form, make in FORMS.items() if form != "lists by system"):
        text = content()
        whole = [json.loads(line) for line in text.splitlines()] if name.endswith("jsonl") else json.loads(text)
        for path in [path for path in leaves(whole) if path]:
            for value in HOSTILE[number % 3 :: 3]:
                number += 1
                changed = at = json.loads(json.dumps(whole))
                for key in path[:-1]:
                    at = at[key]
                at[path[-1]] = value
                written = lines(changed) if name.endswith("jsonl") else json.dumps(changed)
                try:
                    assemble(parts_of([File(f"ratings/{name}", written.encode())]))
                except MtsigError as error:
                    said_of.append(re.sub(r"'[^']*'", "", str(error)))
    assert number > 200
    assert [text for text in said_of if INTERNALS.search(text)] == []
