"""Numbers that scores have for segments: places or ids, from 0 or 1, whichever order the files of texts have."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from layouts import made, written
from sampled import crossed

from mtsig import read
from mtsig.errors import ReadError

SEGMENTS = 20
IN_TEXTS = made(SEGMENTS)
NAMES = ("alpha", "beta")
ORDERS = {"as they are": range(SEGMENTS), "reversed": range(SEGMENTS)[::-1], "mixed": [7 * k % 20 for k in range(20)]}


def inspected(name: str, order: Sequence[int], first: int) -> str:
    """Return a log of Inspect with the samples of a made system in this order."""
    samples = [
        {"id": k + first, "epoch": 1, "input": IN_TEXTS["source"][k], "target": IN_TEXTS["ref"][k],
         "output": {"completion": IN_TEXTS[name][k]}, "scores": {"exact": {"value": k % 2}}} for k in order
    ]  # fmt: skip
    about = {"version": 2, "status": "success", "eval": {"task": "mt", "model": name}}
    return json.dumps({**about, "plan": {}, "samples": samples})


def texts_in_order(folder: Path, form: str, order: Sequence[int], first: int) -> Path:
    """Write a made test set whose segments have their numbers, in this order; return where it is."""
    rows = [["segment", *IN_TEXTS], *([k + first, *(own[k] for own in IN_TEXTS.values())] for k in order)]
    path = folder / "texts" / f"set{form}"
    path.parent.mkdir(parents=True)
    if form == ".json":
        for name in NAMES:
            (path.parent / f"2025-01-01T00-00-00_mt_{name}.json").write_text(inspected(name, order, first))
        return path.parent
    objects = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    text = "".join(f"{json.dumps(one)}\n" for one in objects)
    path.write_text(text if form == ".jsonl" else written(rows, "," if form == ".csv" else "\t"))
    return path


def scores_of_all(folder: Path, numbers: Iterable[int], first: int, form: str = ".tsv", texts: bool = False) -> str:
    """Write a score for every system and segment, which says its number: segment k has k; return the path."""
    said = {k: {"segment": k + first, "COMET": k, **({"output": ""} if texts else {})} for k in numbers}
    rows = [{"system": name, **own, **({"output": IN_TEXTS[name][k]} if texts else {})}
            for name in NAMES for k, own in said.items()]  # fmt: skip
    path = folder / f"COMET{form}"
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    path.write_text(
        lines if form == ".jsonl" else written([list(rows[0]), *(list(row.values()) for row in rows)], "\t")
    )
    return str(path)


@crossed("order, form, first, texts", list(ORDERS), [".tsv", ".csv", ".jsonl", ".json"], [0, 1], [False, True])
def test_numbers_mean_ids_where_these_do_not_count_the_segments(
    order: str, form: str, first: int, texts: bool, tmp_path: Path
) -> None:
    place = texts_in_order(tmp_path, form, ORDERS[order], first)
    corpus = read(place, ratings=scores_of_all(tmp_path, range(SEGMENTS), first, texts=texts))
    expected = [IN_TEXTS["alpha"].index(line) for line in corpus.lines("alpha")]
    assert corpus.ratings["COMET"].values.tolist() == [expected, expected]
    told = [note for note in corpus.notes if "as the ids" in note.text]
    assert bool(told) == (order != "as they are" and not texts)
    assert all(note.level == ("warning" if form == ".json" else "note") for note in told)


@crossed("form, first", [".tsv", ".jsonl"], [0, 1])
def test_scores_of_some_ids_go_where_these_are(form: str, first: int, tmp_path: Path) -> None:
    place = texts_in_order(tmp_path, form, range(5, SEGMENTS), first)
    corpus = read(place, ratings=scores_of_all(tmp_path, range(6, 18), first))
    assert corpus.ratings["COMET"].values[0, 1:13].tolist() == [*range(6, 18)]


def test_scores_in_the_order_of_lines_are_refused_beside_several_orders(tmp_path: Path) -> None:
    place = texts_in_order(tmp_path, ".json", ORDERS["reversed"], 1)
    (place / "2025-01-01T00-00-00_mt_beta.json").write_text(inspected("beta", ORDERS["mixed"], 1))
    path = tmp_path / "COMET.tsv"
    path.write_text("".join(f"{name}\t{k}\n" for name in NAMES for k in range(SEGMENTS)))
    with pytest.raises(ReadError, match=r"COMET\.tsv has scores in the order of segments.*different orders"):
        read(place, ratings=str(path))


@crossed("form, lacking, first", [".tsv", ".jsonl"], [0, SEGMENTS - 1, 4], [0, 1])
def test_numbers_that_end_one_early_are_doubted_and_no_others(
    form: str, lacking: int, first: int, tmp_path: Path
) -> None:
    for name in ("ref", *NAMES):
        folder = tmp_path / ("systems" if name in NAMES else "refs")
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.txt").write_text("\n".join(IN_TEXTS[name]))
    scores_of_all(tmp_path, (k for k in range(SEGMENTS) if k != lacking), first, form)
    doubts = [note for note in read(tmp_path).notes if "one segment too early" in note.text]
    assert [note.level for note in doubts] == ["warning"] * ((lacking, first) in {(0, 0), (SEGMENTS - 1, 1)})
