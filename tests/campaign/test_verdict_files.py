"""Files of preferences: every form, mark and refusal; made here as the programs write them."""

import json
import re
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from fuzzing import INTERNALS
from golden.oracles import known_answers
from kept import worded

from mtsig import read
from mtsig.campaign import Preferences, read_preferences
from mtsig.campaign._model import chosen
from mtsig.campaign._quality import dual_order
from mtsig.campaign._verdict_files import verdict_of
from mtsig.errors import InvalidOption, MtsigError, NotApplicable, ReadError

NAN = float("nan")


def wrote(place: Path, records: object) -> Path:
    if isinstance(records, str):
        place.write_text(records, encoding="utf-8")
    elif place.suffix == ".jsonl":
        assert isinstance(records, list)
        place.write_text("".join(f"{json.dumps(one)}\n" for one in records), encoding="utf-8")
    else:
        place.write_text(json.dumps(records), encoding="utf-8")
    return place


def shown(made: Preferences) -> list[tuple[str, str, float]]:
    """Return who was shown first and second, and d of the first; 9 for a gap."""
    names = made.systems
    outcome = np.nan_to_num(made.outcome, nan=9).tolist()
    return [(names[a], names[b], d) for a, b, d in zip(made.first, made.second, outcome, strict=True)]


def test_marks_are_read_and_prose_is_not() -> None:
    for text, outcome in {
        "[[A]]": 1, "[[B]]": -1, "[[C]]": 0, "tie": 0, "Draw": 0, "tie (bothbad)": 0, "both_bad": 0, "[[A>>B]]": 1,
        "[[A>B]]": 1, "[[A=B]]": 0, "[[B>A]]": 1 - 2, "[[B>>A]]": -1, "[[A<B]]": -1, "A": 1, "A>>B": 1, "B<<A": 1,
        "Both fine, but [[A]]": 1, "[[A]] and again [[A]]": 1,
    }.items():  # fmt: skip
        assert verdict_of(text).outcome == outcome, text
    for text in ("", "error", "inconsistent", "[[A]] … on reflection [[B]]", "I cannot decide.", "A is better", "A>A"):
        assert np.isnan(verdict_of(text).outcome), text
    assert [verdict_of(text).grade for text in ("[[A>>B]]", "[[B>A]]")] == [2, 1]
    assert verdict_of("both_bad").both_bad


def test_mt_bench_shows_the_second_system_first_in_its_second_game(tmp_path: Path) -> None:
    games = [("model_1", "model_1"), ("model_1", "model_2"), ("tie", "tie"), ("error", "model_2")]
    records = [
        {"question_id": 81 + i, "model_1": "Ada", "model_2": "Bly", "g1_winner": g1, "g2_winner": g2,
         "judge": ["gpt-4", "pair-v2"], "turn": 1}
        for i, (g1, g2) in enumerate(games)
    ]  # fmt: skip
    made = read_preferences(wrote(tmp_path / "pair.jsonl", records))
    assert shown(made) == [
        ("Ada", "Bly", 1), ("Bly", "Ada", -1), ("Ada", "Bly", 1), ("Bly", "Ada", 1),
        ("Ada", "Bly", 0), ("Bly", "Ada", 0), ("Ada", "Bly", 9), ("Bly", "Ada", 1),
    ]  # fmt: skip
    assert made.raters == ("gpt-4 pair-v2",)
    worded(made.notes, "1 of 8", "'error'")
    second = [records[0] | {"turn": 2}]
    assert read_preferences(wrote(tmp_path / "turn.jsonl", second)).item.known == ("81, turn 2",)


def test_other_programs_files(tmp_path: Path) -> None:
    arena = [
        {"question_id": f"q{i}", "model_a": "Ada", "model_b": "Bly", "winner": winner, "judge": "u"}
        for i, winner in enumerate(("model_a", "model_b", "tie", "tie (bothbad)"))
    ]
    made = read_preferences(wrote(tmp_path / "arena.jsonl", arena))
    assert made.outcome.tolist() == [1, -1, 0, 0]
    assert made.both_bad.sum() == 1
    assert made.ordered.all()
    alpaca = [
        {"instruction": f"s{i}", "generator_1": "Bly", "generator_2": "Ada", "preference": p, "annotator": "w"}
        for i, p in enumerate((1.0, 2.0, 1.5, 1.62, None))
    ]
    made = read_preferences(wrote(tmp_path / "annotations.json", alpaca))
    assert made.outcome[:4] == pytest.approx([1, -1, 0, -0.24])
    assert (made.gaps.tolist(), made.ordered.any(), made.fractional) == ([False] * 4 + [True], False, True)
    hard = [
        {"uid": f"u{i}", "judge": "j", "model": "Ada", "baseline": "Bly", "games": [g and {"score": g} for g in games]}
        for i, games in enumerate((("B>A", "A>B"), ("B>>A", "A>>B"), ("A=B", "A=B"), (None, "A>B")))
    ]
    made = read_preferences(wrote(tmp_path / "hard.jsonl", hard))
    assert shown(made)[:2] == [("Bly", "Ada", -1), ("Ada", "Bly", 1)]
    assert made.outcome.tolist()[2:6] == [-1, 1, 0, 0]
    assert made.gaps.tolist() == [False] * 6 + [True, False]
    assert made.grade.tolist()[:4] == [1, 1, 2, 2]


@pytest.mark.parametrize("suffix", ["tsv", "csv", "jsonl"])
def test_tidy_tables(tmp_path: Path, suffix: str) -> None:
    rows = [
        {"item": "1", "doc": "d0", "rater": "Bo", "system_a": "Ada", "system_b": "Bly", "winner": "Ada", "order": "ab"},
        {"item": "1", "doc": "d0", "rater": "Bo", "system_a": "Ada", "system_b": "Bly", "winner": "b", "order": "ba"},
        {"item": "2", "doc": "d0", "rater": "Bo", "system_a": "Bly", "system_b": "Ada", "winner": "tie", "order": ""},
    ]
    mark = "," if suffix == "csv" else "\t"
    text = "\n".join(mark.join(row) for row in ([*rows[0]], *([*row.values()] for row in rows)))
    made = read_preferences(wrote(tmp_path / f"p.{suffix}", rows if suffix == "jsonl" else f"{text}\n"))
    assert shown(made) == [("Ada", "Bly", 1), ("Bly", "Ada", 1), ("Bly", "Ada", 0)]
    assert made.ordered.tolist() == [True, True, False]
    assert (made.documents, made.raters) == (("d0",), ("Bo",))


def test_signed_numbers_are_verdicts_with_a_margin(tmp_path: Path) -> None:
    made = read_preferences(wrote(tmp_path / "m.csv", "segment,doc,model_1,model_2,margin\n1,d,A,B,2\n2,d,A,B,-.5\n"))
    assert (made.outcome.tolist(), made.grade.tolist(), made.ordered.any()) == ([1, -1], [2, 0.5], False)


def test_what_is_wrong_is_named_with_its_line(tmp_path: Path) -> None:
    head = "item,system_a,system_b,winner\n"
    with pytest.raises(ReadError, match=r"w.csv, line 3: winner 'Cox' is neither 'Ada' nor 'Bly'"):
        read_preferences(wrote(tmp_path / "w.csv", f"{head}1,Ada,Bly,Ada\n2,Ada,Bly,Cox\n"))
    with pytest.raises(ReadError, match="no preferences in a known format; found item, score"):
        read_preferences(wrote(tmp_path / "s.csv", "item,score\n1,2\n"))
    with pytest.raises(ReadError, match="one JSON object; expected a list"):
        read_preferences(wrote(tmp_path / "o.json", '{\n "a": 1}'))
    with pytest.raises(ReadError, match=r"j.jsonl, line 2: expected"):
        read_preferences(wrote(tmp_path / "j.jsonl", [{"system_a": "A", "system_b": "B", "winner": "A"}, {"other": 1}]))
    with pytest.raises(NotApplicable, match="two different systems"):
        read_preferences(wrote(tmp_path / "same.csv", f"{head}1,Ada,Ada,Ada\n"))


def test_what_stands_twice_counts_once_and_contrary_verdicts_stay(tmp_path: Path) -> None:
    text = "item,rater,system_a,system_b,winner\n1,Bo,A,B,A\n1,Bo,A,B,A\n1,Bo,A,B,B\n2,Bo,A,A,A\n"
    made = read_preferences(wrote(tmp_path / "t.csv", text))
    assert made.outcome.tolist() == [1, -1]
    said = " ".join(note.text for note in made.notes)
    for part in (
        "1 judgement that the file contains twice",
        "contradictory verdicts",
        "1 judgement comparing a system with itself",
    ):
        assert part in said


def test_the_made_files_of_all_programs_are_read(shared: Path) -> None:
    folder = shared / "data" / "preferences"
    if not folder.is_dir():
        pytest.skip("the made preferences are not here")
    counts = {
        "arena.jsonl": (6, 0), "arena_140k.jsonl": (4, 0), "arena_hard.jsonl": (10, 1), "gpt-4_pair.jsonl": (10, 1),
        "annotations_alpaca.json": (5, 1), "raw_verdicts.jsonl": (7, 2), "preferences_margin.csv": (6, 0),
        "pairwise_qe.tsv": (6, 0),
    }  # fmt: skip
    for name, expected in counts.items():
        made = read_preferences(folder / name)
        assert (len(made), int(made.gaps.sum())) == expected, name
        assert set(made.systems) <= {"Ada", "Bly", "Cox"}


def test_every_judgement_of_the_made_files_is_that_of_the_contract(shared: Path) -> None:
    known, folder = known_answers("preferences")["readings"], shared / "data" / "preferences"
    made = read_preferences(folder / "gpt-4_pair.jsonl")
    rows = [(int(made.item.known[item]), *one) for item, one in zip(made.item.of, shown(made), strict=True)]
    own = known["gpt-4_pair.jsonl"]
    assert [list(row) for row in rows if row[3] != 9] == own["d_first_shown"]
    assert [list(row[:3]) for row in rows if row[3] == 9] == [own["gap"]]
    orders = dual_order(made)
    assert (orders.comparisons, orders.consistent) == (own["both_orders"], own["consistent"])
    made, own = read_preferences(folder / "arena_hard.jsonl"), known["arena_hard.jsonl"]
    # The baseline is shown first in the first game, so d of the model is that of the second place.
    turned = made.outcome * np.tile([-1.0, 1.0], len(made) // 2)
    expected = np.array([[np.nan if one is None else one for one in pair] for pair in own["d_for_model"]], dtype=float)
    np.testing.assert_array_equal(turned, expected.ravel())
    grades = np.array([[np.nan if one is None else one for one in pair] for pair in own["grades"]], dtype=float)
    np.testing.assert_array_equal(np.where(np.isnan(turned), np.nan, made.grade), grades.ravel())
    made, own = read_preferences(folder / "annotations_alpaca.json"), known["annotations_alpaca.json"]
    wins = [np.nan if one is None else one for one in own["win_of_generator_2"]]
    np.testing.assert_allclose((1 - made.outcome) / 2, wins)
    assert not made.ordered.any()
    with pytest.raises(InvalidOption, match="some verdicts are fractions"):
        chosen(made.judged())
    made, own = read_preferences(folder / "arena.jsonl"), known["arena.jsonl"]
    assert (made.outcome.tolist(), int(made.both_bad.sum())) == (own["d"], own["bothbad"])
    corpus, own = read(folder / "annotations.json"), known["annotations.json"]
    made = Preferences.of_ratings(corpus, "esa")
    value = {(rater, item, system): score for rater, system, item, score in own["judgements"]}
    apart = sorted(
        abs(score - value[rater, item, other])
        for (rater, item, system), score in value.items()
        for other in ("Ada", "Bly", "Cox")
        if system < other and (rater, item, other) in value
    )
    assert sorted(made.grade.tolist()) == apart


ALL = {"document": "d1", "judge": "r", "swapped": "no", "turn": 1, "criterion": "c"}
RECORDS: list[dict[str, object]] = [
    {"question_id": 1, "model_1": "A", "model_2": "B", "g1_winner": "tie", "g2_winner": "model_1", **ALL},
    {"instruction": "i", "generator_1": "A", "generator_2": "B", "preference": 1.5, **ALL},
    {"uid": 1, "model": "A", "baseline": "B", "games": [{"score": "A>B"}, None], **ALL},
    {"item": 1, "system_a": "A", "system_b": "B", "winner": "A", "order": "ab", **ALL},
    {"id": 1, "left": "A", "right": "B", "margin": -1.5, **ALL},
    {"id": 1, "doc": {"model_a": "A", "model_b": "B"}, "filtered_resps": ["[[A]]"]},
]
HOSTILE = [
    None, True, -0.0, 3, 1e999, float("nan"), 10**30, "9" * 5000, "1_0", "-inf", "{0}", "</script>", "\u202e\x01", "",
    "a" * 5000, "[[A" + " " * 5000, [], {}, ["a"], {"a": 1}, [[["x"]]], "[[A]] [[B]]",
]  # fmt: skip


def test_values_of_another_kind_are_told_or_gaps(tmp_path: Path) -> None:
    said = list[str]()
    for record in RECORDS:
        for key in record:
            for value in HOSTILE:
                path = wrote(tmp_path / "v.jsonl", [record, record | {key: value}])
                try:
                    made = read_preferences(path)
                except MtsigError as error:
                    said.append(re.sub(r"'[^']*'", "", str(error)))
                    continue
                known = made.outcome[~made.gaps]
                assert np.all(np.abs(known) <= 1)
                assert all(isinstance(name, str) and name.strip() for name in made.systems)
    assert [text for text in said if INTERNALS.search(text)] == []
    assert read_preferences(wrote(tmp_path / "n.jsonl", [RECORDS[4], RECORDS[4] | {"margin": "nan"}])).gaps.sum() == 1


@pytest.mark.parametrize("suffix", ["tsv", "jsonl"])
def test_files_are_read_row_by_row(suffix: str, tmp_path: Path) -> None:
    rows = [{"item": f"i{i}", "rater": f"r{i % 7}", "system_a": "A", "system_b": "B", "winner": "ab"[i % 2]}
            for i in range(1500)]  # fmt: skip
    table = "\n".join("\t".join(cells) for cells in [list(rows[0]), *(list(row.values()) for row in rows)])
    path = wrote(tmp_path / f"verdicts.{suffix}", rows if suffix == "jsonl" else f"{table}\n")
    read_preferences(path)  # what is only done once is done
    tracemalloc.start()
    made = read_preferences(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(made) == 1500
    # A judgement takes some 600 bytes; a million of them would take 1.5 GB if the records were held as objects.
    assert peak < 900 * len(made)


HEAD = "item\tdocument\tsystem_a\tsystem_b\t"


def table(place: Path, last: str, rows: list[tuple[str, ...]]) -> Path:
    lines = [f"i{i}\td{i // 2}\t" + "\t".join(row) for i, row in enumerate(rows)]
    return wrote(place / "preferences.tsv", "\n".join([HEAD + last, *lines]) + "\n")


@pytest.mark.parametrize("column", ["preference", "margin", "score"])
@pytest.mark.parametrize("values", ["12", "122", ("0.2", "0.8"), "01"])
def test_numbers_that_all_favour_the_first_are_no_signed_numbers(
    column: str, values: str | tuple[str, ...], tmp_path: Path
) -> None:
    rows = [("X", "Y", values[i % len(values)]) for i in range(30)]
    with pytest.raises(ReadError, match=f"column {column}: found only .* none of them favours the second system"):
        read_preferences(table(tmp_path, column, rows))
    rows[4] = ("X", "Y", "-1")
    assert (read_preferences(table(tmp_path, column, rows)).outcome < 0).sum() == 1


def test_a_zero_is_no_tie_where_ones_alone_are_next_to_it(tmp_path: Path) -> None:
    rows = [("X", "Y", str(i % 2)) for i in range(8)]
    with pytest.raises(ReadError, match="column winner: found only the numbers 0 and 1; 0 may be"):
        read_preferences(table(tmp_path, "winner", rows))
    assert read_preferences(table(tmp_path, "winner", [*rows, ("X", "Y", "2")])).outcome.tolist().count(0) == 4


@pytest.mark.parametrize(
    ("systems", "said"), [(("3", "1"), "2"), (("B", "A"), "a"), (("2", "1"), "1"), (("second", "x"), "Second")]
)
def test_what_may_be_a_place_or_a_system_is_refused(systems: tuple[str, str], said: str, tmp_path: Path) -> None:
    place = table(tmp_path, "winner", [(*systems, said)] * 3)
    if said in systems:
        assert shown(read_preferences(place))[0][2] == (1 if said == systems[0] else -1)
    else:
        with pytest.raises(ReadError, match=f"winner '{said}' may be a place or a system"):
            read_preferences(place)


@pytest.mark.parametrize("order", ["ba", "21", "2", "b", "second", "Y", "swapped"])
def test_who_was_shown_first_is_read_or_refused(order: str, tmp_path: Path) -> None:
    place = table(tmp_path, "winner\torder", [("X", "Y", "X", order)] * 3)
    if order == "swapped":
        with pytest.raises(ReadError, match="line 2: order takes ab or ba, or the system that was shown first; found"):
            read_preferences(place)
    else:
        assert shown(read_preferences(place)) == [("Y", "X", -1.0)] * 3


@pytest.mark.parametrize(("order", "first"), [("A", "A"), ("B", "B"), ("nan", None), ("", None), ("a", ""), ("b", "")])
def test_an_order_by_name_goes_before_one_by_place(order: str, first: str | None, tmp_path: Path) -> None:
    place = table(tmp_path, "winner\torder", [("B", "A", "A", order)] * 3)
    if first == "":
        with pytest.raises(ReadError, match=f"line 2: order takes ab or ba.*found '{order}'"):
            read_preferences(place)
        return
    made = read_preferences(place)
    assert shown(made)[0] == (("A", "B", 1.0) if first == "A" else ("B", "A", -1.0))
    assert made.ordered.all() == (first is not None)


def test_items_of_other_documents_are_others_and_margins_are_merged(tmp_path: Path) -> None:
    rows = [("X", "Y", f"{value}", order) for value, order in ((3, "ab"), (1, "ba"), (-2, "ab"), (4, "ba"))]
    lines = [f"{i % 2}\td{i // 2}\t" + "\t".join(row) for i, row in enumerate(rows)]
    apart = read_preferences(wrote(tmp_path / "apart.tsv", "\n".join([HEAD + "margin\torder", *lines]) + "\n"))
    assert not apart.repeated()
    for turned in (lines, lines[::-1]):
        one = [line.replace("1\td", "0\td", 1) for line in turned]
        made = read_preferences(wrote(tmp_path / "one.tsv", "\n".join([HEAD + "margin\torder", *one]) + "\n"))
        merged = made.collapsed().graded()
        signed = np.where(merged.first == merged.systems.index("X"), 1, -1) * merged.outcome
        # 3 and 1 for X make 2; −2 and 4 contradict each other.
        assert sorted(signed.tolist()) == [0.0, 2.0]


@pytest.mark.parametrize("column", ["output", "verdict", "winner"])
@pytest.mark.parametrize("mark", ["[[A]]", "A>>B", "Both are fluent. [[A>B]]", "[[B<A]]"])
@pytest.mark.parametrize("order", ["ab", "ba"])
def test_a_mark_is_of_the_place_as_shown_and_a_letter_of_the_column(
    column: str, mark: str, order: str, tmp_path: Path
) -> None:
    shown_first, last = ("X", "Y") if order == "ab" else ("Y", "X")
    made = read_preferences(table(tmp_path, f"{column}\torder", [("X", "Y", mark, order)] * 3))
    assert shown(made) == [(shown_first, last, 1.0)] * 3
    told = [note.text for note in made.notes if "was read as a place" in note.text]
    assert len(told) == (order == "ba")
    assert all(text.startswith("In 3 judgements") for text in told)
    if column == "winner":
        made = read_preferences(table(tmp_path, f"{column}\torder", [("X", "Y", "A", order)] * 3))
        assert shown(made) == [(shown_first, last, 1.0 if order == "ab" else -1.0)] * 3
    # A system that is called B, but was shown first, may be meant by A or by its name.
    named = table(tmp_path, f"{column}\torder", [("A", "B", mark, order)] * 3)
    if order == "ab":
        assert shown(read_preferences(named)) == [("A", "B", 1.0)] * 3
    else:
        with pytest.raises(ReadError, match=r"line 2: .*is for A, which may be a place or a system"):
            read_preferences(named)


def test_a_word_for_a_place_is_refused_where_places_and_columns_differ(tmp_path: Path) -> None:
    for word in ("first", "second", "left", "right"):
        kept = read_preferences(table(tmp_path, "winner\torder", [("X", "Y", word, "ab")] * 3))
        assert shown(kept)[0][2] == (1.0 if word in ("first", "left") else -1.0)
        with pytest.raises(ReadError, match=f"line 2: '{word}' may be the {word} column or the system shown {word}"):
            read_preferences(table(tmp_path, "winner\torder", [("X", "Y", word, "ba")] * 3))
    lines = "item\tleft\tright\twinner\torder\n" + "1\tX\tY\tleft\tba\n"
    assert shown(read_preferences(wrote(tmp_path / "columns.tsv", lines))) == [("Y", "X", -1.0)]


@pytest.mark.parametrize("column", ["output", "verdict"])
def test_a_sentence_with_a_mark_outside_of_brackets_is_not_read(column: str, tmp_path: Path) -> None:
    said = "At first I thought A>B but the second one is complete."
    made = read_preferences(table(tmp_path, column, [("X", "Y", said)] * 3))
    assert made.gaps.all()
    with pytest.raises(NotApplicable, match=r"3 of 3 verdicts could.*At first I thought A>B.*a mark such as"):
        made.judged()


TEXTS = "The cat sat on the mat, and looked at the dog for a while."


@pytest.mark.parametrize(
    "pair", [("left", "right"), ("system_a", "system_b"), ("first", "second"), ("model_1", "model_2")]
)
@pytest.mark.parametrize(("rows", "text"), [(1, TEXTS), (12, "Text {}"), (36, "Satz {}"), (12, "第{}句")])
def test_columns_that_hold_texts_make_no_systems(
    pair: tuple[str, str], rows: int, text: str, tmp_path: Path
) -> None:  # fmt: skip
    raters = 3 if rows == 36 else 1
    records = [
        {"id": i // raters, "judge": f"r{i % raters}", pair[0]: text.format(i // raters) + " one",
         pair[1]: text.format(i // raters) + " two", "choice": "b"}
        for i in range(rows)
    ]  # fmt: skip
    with pytest.raises(ReadError, match=f"columns {pair[0]} and {pair[1]}: expected the names.*found texts: ") as told:
        read_preferences(wrote(tmp_path / "texts.jsonl", records))
    assert text.format(0) in str(told.value)


def test_what_reads_a_test_set_says_as_well_that_the_names_of_systems_are_missing(tmp_path: Path) -> None:
    said = [(f"The cat {i} sat on it.", f"A cat {i} sat.", "tie") for i in range(5)]
    for pair in (("left", "right"), ("system_a", "system_b")):
        records = [{"id": i, pair[0]: a, pair[1]: b, "winner": w} for i, (a, b, w) in enumerate(said)]
        for name in ("texts.jsonl", "texts.tsv"):
            path = wrote(tmp_path / name, records) if name[-1] == "l" else tmp_path / name
            if name[-1] != "l":
                path.write_text("\n".join("\t".join(map(str, row)) for row in [records[0], *map(dict.values, records)]))
            for reads in (read, read_preferences):
                with pytest.raises(ReadError, match=r"texts.*Add two columns with the names of the systems"):
                    reads(path)
    # Where the names stand next to the texts, the file is of preferences.
    named = [{"left": a, "right": b, "model_a": "X", "model_b": "Y", "winner": "model_a"} for a, b, _ in said]
    with pytest.raises(ReadError, match="so systems have no scores"):
        read(wrote(tmp_path / "named.jsonl", named))
    assert read_preferences(tmp_path / "named.jsonl").systems == ("X", "Y")


def test_names_are_systems_however_many_there_are_and_however_few_judgements(tmp_path: Path) -> None:
    # A knock-out of 16: half of the systems are judged once.
    left, records = [f"system {i}" for i in range(16)], []
    while len(left) > 1:
        records += [{"item": f"{a}{b}", "system_a": a, "system_b": b, "winner": a}
                    for a, b in zip(left[::2], left[1::2], strict=True)]  # fmt: skip
        left = left[::2]
    assert len(read_preferences(wrote(tmp_path / "cup.jsonl", records)).systems) == 16
    few = [{"item": 1, "system_a": f"GPT-4 Turbo {i} (few-shot)", "system_b": "base", "winner": "b"} for i in range(5)]
    assert len(read_preferences(wrote(tmp_path / "few.jsonl", few)).systems) == 6


@pytest.mark.parametrize("word", ["C", "A", "tie", "left", "2"])
def test_a_verdict_that_is_the_name_of_a_system_outside_of_its_pair_is_refused(word: str, tmp_path: Path) -> None:
    """Read as a place or as a tie, it would silently be a verdict that nobody gave."""
    other = [("Ada", "Bly", "Ada"), ("Bly", "Ada", word), (word.upper(), "Ada", "Ada")]
    for rows in (other, other[::-1]):
        with pytest.raises(ReadError, match=f"'{word}' may be a place or a tie, or the system of that name"):
            read_preferences(table(tmp_path, "winner", rows))
    assert len(read_preferences(table(tmp_path, "winner", other[:2]))) == 2
