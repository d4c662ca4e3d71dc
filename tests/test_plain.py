"""What plain material is refused for says what to do, in words of Python and not of numpy."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from layouts import made
from scipy.stats import permutation_test

from mtsig import audit, compare, measure, power_analysis
from mtsig._plain import corpus_of
from mtsig.errors import AlignmentError, InvalidOption, ReadError, UnknownName

TEXTS = made(12)


def test_a_column_that_numbers_items_or_is_about_them_is_no_system() -> None:
    counting = {name: range(first, first + 12) for name in ("id", "", "Unnamed: 0", "row") for first in (0, 1)}
    of_items = {
        "uid": [7 * i % 97 for i in range(12)], "year": [2000 + i // 2 for i in range(12)], "fold": [2] * 12,
        "time": [1.7e9 + 3.3 * i for i in range(12)], "rater": [1, 2] * 6, "doc_id": range(12), "segment": range(12),
    }  # fmt: skip
    for name, numbers in {**counting, **of_items}.items():
        frame = pd.DataFrame({name: numbers, "alpha": np.arange(12) % 5, "beta": np.arange(12) % 7}).astype(
            {"alpha": float, "beta": float} if name not in counting else {}
        )
        with pytest.raises(InvalidOption, match=r"Not every column .*: write (?:ignore|documents)="):
            compare(frame, higher_is_better=True)
    assert compare(pd.DataFrame({"2024": np.arange(12) % 5, "2025": np.arange(12) % 7}), higher_is_better=True)


def test_a_list_for_every_item_is_to_be_turned() -> None:
    references = [[line, f"Also: {line}"] for line in TEXTS["ref"]]
    with pytest.raises(InvalidOption, match="Transpose it: give one list per reference"):
        compare({"alpha": TEXTS["alpha"]}, references=references, metrics=["bleu"])
    turned = list(zip(*references, strict=True))
    assert compare({name: TEXTS[name] for name in ("alpha", "beta")}, references=turned, metrics=["chrf"])


@pytest.mark.parametrize("item", [np.float64(2.5), np.int64(3), np.float32(1)])
def test_what_numpy_wraps_is_shown_as_python_has_it(item: object) -> None:
    with pytest.raises(InvalidOption) as caught:
        compare({"alpha": ["a text", item]}, references=["a text", "another"], metrics=["bleu"])
    assert "np." not in str(caught.value)
    with pytest.raises(InvalidOption) as caught:
        compare({"alpha": [1.0, np.float64(1e300)]}, higher_is_better=True)
    assert "np." not in str(caught.value)


# --- columns of a frame -----------------------------------------------------------------------------------------


def test_columns_of_a_frame_are_named() -> None:
    rng = np.random.default_rng(1)
    texts, scores = np.repeat([f"d{number}" for number in range(12)], 5), rng.normal((1, 0), 1, (60, 2))
    wide = pd.DataFrame(scores, columns=["A", "B"]).assign(doc=texts, lang="de", seg=range(60))
    known = compare({"A": scores[:, 0], "B": scores[:, 1]}, documents=list(texts), higher_is_better=True)
    ignoring = compare(wide, documents="doc", ignore=["lang", "seg"], higher_is_better=True)
    assert ignoring.rows() == known.rows()
    long = wide.melt(["doc", "seg"], ["A", "B"], "model", "f1").sample(frac=1, random_state=1)
    columns = {"system": "model", "score": "f1", "documents": "doc", "higher_is_better": True}
    (row,) = compare(long, **columns).rows()
    (same,) = known.rows()
    assert abs(row["difference"]) == pytest.approx(abs(same["difference"]), rel=1e-12)
    assert row["p_value"] == pytest.approx(same["p_value"], rel=1e-9)
    assert row["n_documents" if "n_documents" in row else "units"] == 12
    by_item = columns | {"documents": list(texts)}
    in_order = wide.melt(["seg"], ["A", "B"], "model", "f1")
    assert compare(in_order, **by_item).rows()[0]["p_value"] == pytest.approx(same["p_value"], rel=1e-9)
    # Without a column that numbers them, items are matched by their order, which is then the same for all systems.
    ordered = wide.melt(["doc"], ["A", "B"], "model", "f1")
    assert compare(ordered, **columns).rows()[0]["p_value"] == pytest.approx(same["p_value"], rel=1e-9)
    for frame, given, message in (
        (ordered.sample(frac=1, random_state=1), columns, "scores for different items, or in a different order"),
        (pd.concat([long, long[:1]]), columns, "has two scores of the item"),
        (long, columns | {"score": None}, "write system='model', score='f1'"),
        (long, columns | {"score": "f2"}, "no column in the DataFrame called 'f2'"),
        (wide, {"higher_is_better": True}, "write documents='doc', ignore=['lang', 'seg']."),
        (long, columns | {"documents": None}, "write documents='doc', or ignore='doc' if"),
        (long, {"higher_is_better": True}, "write system='model', score='f1', documents='doc' in compare"),
        ({"A": [1.0, 2]}, {"ratings": {"f1": long}}, "row per score: give one with a column per system"),
        ({"A": [1.0]}, {"system": "model"}, "are for a DataFrame"),
    ):
        with pytest.raises((InvalidOption, AlignmentError, UnknownName), match=re.escape(message)):
            compare(frame, **given)


def test_levels_of_an_index_count_as_columns() -> None:
    rng = np.random.default_rng(1)
    long = pd.DataFrame(
        [(name, f"d{k // 5}", k, rng.normal()) for name in "AB" for k in range(60)],
        columns=["system", "document", "segment", "f1"],
    )
    names = {"documents": "document", "higher_is_better": True}
    known = compare(long, system="system", score="f1", **names).rows()
    assert known[0]["unit"] == "document"
    wide = long.pivot(index=["document", "segment"], columns="system", values="f1").sort_index(level="segment")
    assert compare(wide, name="f1", **names).rows() == known
    assert (
        compare(long.set_index(["system", "document", "segment"]), system="system", score="f1", **names).rows() == known
    )
    by_segment = compare(wide, higher_is_better=True, ignore="document").rows()
    assert by_segment == compare(wide.reset_index(drop=True), higher_is_better=True).rows()
    assert by_segment[0]["unit"] == "segment"
    with pytest.raises(InvalidOption, match=r"write documents='document'\. If"):
        compare(wide, higher_is_better=True)


def test_texts_beside_the_systems_are_no_systems() -> None:
    documents = [f"d{k // 2}" for k in range(12)]
    frame = pd.DataFrame(TEXTS).assign(doc=documents)
    systems = {name: TEXTS[name] for name in ("alpha", "beta")}
    known = compare(systems, "chrf", references=TEXTS["ref"], sources=TEXTS["source"], documents=documents)
    found = compare(frame, "chrf", references="ref", sources="source", documents="doc")
    assert found.rows() == known.rows()
    for given, advice in (
        ({}, r"write documents='doc', (references='ref', sources='source'|sources='source', references='ref')\."),
        ({"references": "ref"}, r"write documents='doc', sources='source'\."),
        ({"references": "ref", "documents": "doc"}, r"write sources='source'\."),
    ):
        with pytest.raises(InvalidOption, match=advice):
            compare(frame, "chrf", **given)
    # Scores of a human translation are scores of a system.
    scores = pd.DataFrame({"refA": np.arange(12) % 5, "alpha": np.arange(12) % 7})
    assert compare(scores, higher_is_better=True).systems


def test_one_direction_for_several_scores_turns_none_that_is_known(tmp_path: Path) -> None:
    good = {"A": [0.9, 0.8, 0.7, 0.9, 0.6, 0.8], "B": [0.5, 0.7, 0.4, 0.6, 0.5, 0.6]}
    errors = {name: [100 - 100 * x for x in values] for name, values in good.items()}
    for ratings, better, said in (
        ({"COMET": good, "judge": errors}, None, r"higher_is_better=\{'judge': True\} or \{'judge': False\}"),
        ({"COMET": good, "judge": errors}, False, r"would also turn COMET.*higher_is_better=\{'judge': False\}"),
        ({"COMET": good, "TER": errors}, True, "would also turn TER"),
    ):
        with pytest.raises(InvalidOption, match=said):
            compare(ratings=ratings, higher_is_better=better)
    study = compare(ratings={"COMET": good, "judge": errors}, higher_is_better={"judge": False})
    assert [row["winner"] or row["first"] for row in study.rows()] == ["A", "A"]
    compare(ratings={"x": good, "y": good}, higher_is_better=True)
    # A single score may be declared against its name, and that is told.
    for name, values, better in (("COMET", good, False), ("TER", errors, True), ("MQM", errors, True)):
        assert any(
            text.startswith(f"{name}: ") for text in compare(values, name=name, higher_is_better=better).warnings
        )
    # In files the direction is said of the file, or of the only one.
    file = tmp_path / "judge.csv"
    rows = [f"{name},{i},{x}" for name, values in errors.items() for i, x in enumerate(values, 1)]
    file.write_text("\n".join(["system,segment,score", *rows]))
    by_file = [compare(file, higher_is_better=False), compare(ratings=[f"judge={file}:lower"])]
    assert [one.rows()[0]["first"] for one in by_file] == ["A", "A"]
    with pytest.raises(ReadError, match="in Python, higher_is_better=False"):
        compare(file)


def test_subsets_are_made_by_a_column_of_a_frame() -> None:
    rng = np.random.default_rng(4)
    wide = pd.DataFrame({"A": rng.normal(0.6, 0.1, 40), "B": rng.normal(0.4, 0.1, 40)})
    wide["domain"] = ["news", "chat"] * 20
    long = wide.assign(seg=range(40)).melt(["domain", "seg"], ["A", "B"], "model", "f1").sample(frac=1, random_state=1)
    arrays = {name: wide[name].tolist() for name in "AB"}
    studies = [
        compare(wide, name="f1", domains="domain", by="domain"),
        compare(long, name="f1", domains="domain", by="domain", system="model", score="f1"),
        compare(arrays, name="f1", domains=list(wide["domain"]), by="domain"),
    ]
    told = [
        sorted((row["set"], round(abs(row["difference"]), 9), row["units"]) for row in one.rows()) for one in studies
    ]
    for name, difference, units in told[0]:
        part = wide[wide["domain"] == name.rpartition(" ")[2].strip("[]")]
        assert difference == pytest.approx(abs(part["A"].mean() - part["B"].mean()))
        assert units == 20
    assert told[0] == told[1] == told[2]
    long.loc[(long["seg"] == 3) & (long["model"] == "A"), "domain"] = "news!"
    for given, error, said in (
        ((wide,), InvalidOption, "domains='domain'"),
        ((long, "domain", "model", "f1"), AlignmentError, "Item 3 has several values in the column 'domain'"),
        ((arrays, ["news"] * 39), AlignmentError, "domains has 39 labels for 40 items"),
    ):
        data, domains, system, score = (*given, None, None, None)[:4]
        with pytest.raises(error, match=said):
            compare(data, name="f1", domains=domains, system=system, score=score)


def test_two_lists_of_scores_are_two_systems() -> None:
    frame = pd.DataFrame({"ours": [1.0, 2, 3, 4, 5, 7], "base": [0.5, 2, 2, 3, 3, 4]})
    by_name = compare(frame, name="accuracy")
    assert compare(frame["ours"], frame["base"], name="accuracy").rows() == by_name.rows()
    (row,) = compare(list(frame["ours"]), np.array(frame["base"]), name="accuracy").rows()
    assert (row["first"], row["second"], row["p_value"]) == ("A", "B", by_name.rows()[0]["p_value"])
    # The first minus the second, whichever is better; the test in that direction is the one that scipy enumerates.
    worse, better = list(frame["base"]), list(frame["ours"])
    for pair in ((better, worse), (worse, better)):
        given = {"name": "accuracy", "test": "ar", "alternative": "greater"}
        (row,) = compare(*pair, **given).rows()
        exact = permutation_test(
            pair, lambda x, y: np.mean(x) - np.mean(y), permutation_type="samples", alternative="greater"
        )
        assert row["p_value"] == pytest.approx(exact.pvalue)
        assert row["difference"] == pytest.approx(exact.statistic)
    with pytest.raises(InvalidOption, match="write name='no such', and omit the metric"):
        compare([[1.0, 2], [3, 4]], "no such", systems=["A", "B"], higher_is_better=True)
    with pytest.raises(InvalidOption):
        compare([1.0, 2, 3], np.float64(2.5), higher_is_better=True)


WIDE = pd.DataFrame({"A": np.arange(60) % 7 / 8, "B": np.arange(60) % 5 / 8, "C": np.arange(60) % 4 / 8})
LONG = WIDE.assign(doc=[f"d{i // 6}" for i in range(60)]).melt(id_vars=["doc"], var_name="system", value_name="score")
COMMAS = WIDE.map(lambda number: f"{number:.2f}".replace(".", ","))


@pytest.mark.parametrize(
    ("data", "named", "said"),
    [
        (
            WIDE.astype(str),
            {},
            r"The column 'A' .* '0\.0' is item 1, .* pandas\.to_numeric\(column, errors=\"coerce\"\)\.",
        ),
        (
            COMMAS,
            {},
            r"The column 'A' .* '0,00' is item 1, .*str\.replace.*, or read the file with .* decimal=\",\"\)",
        ),
        (COMMAS.assign(A=WIDE.A), {}, "The column 'B' .* '0,00' is item 1, counted from 1"),
        (dict(COMMAS.to_dict("list")), {}, r"The column 'A' .*: \[float\(cell\.replace\(\",\", \"\.\"\)\) for cell"),
        (LONG.astype(str), {"system": "system", "score": "score", "documents": "doc"}, "column 'score' .* '0.0' is"),
        (None, {"ratings": {"COMET": COMMAS}}, "The column 'A' .* '0,00' is item 1, counted"),
    ],
    ids=["strings", "commas", "some", "lists", "a row per score", "rating"],
)
def test_numbers_written_as_texts_are_told_with_how_to_convert_them(data: Any, named: Any, said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        corpus_of(data, higher_is_better=True, **named)


TWO_SCORES = LONG.assign(comet=LONG.score / 2)


@pytest.mark.parametrize("named", [{}, {"score": "comet"}, {"system": "system"}])
def test_a_frame_with_several_scores_is_told_how_to_choose_one(named: Any) -> None:
    with pytest.raises(InvalidOption) as raised:
        compare(TWO_SCORES, higher_is_better=True, **named)
    said = str(raised.value)
    assert ("columns of scores score and comet." in said) == ("score" not in named)
    (given,) = re.findall(r"write (.+?) in compare or measure", said)
    found = compare(TWO_SCORES, higher_is_better=True, **eval(f"dict({given})"))
    assert found.systems["A"].score == pytest.approx(
        TWO_SCORES.groupby("system")[named.get("score", "score")].mean()["A"]
    )


def test_a_frame_with_raters_is_told_what_keeps_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    frame = pd.concat([LONG.assign(seg=list(range(60)) * 3, rater=f"r{number}") for number in range(2)])
    for named in ({}, {"system": "system", "score": "score", "documents": "doc"}):
        with pytest.raises(InvalidOption, match=r"column 'rater' .* names the rater of each score") as raised:
            compare(frame, higher_is_better=True, **named)
    written, read = re.findall(r"(frame\.to_csv\(.+?\)|compare\(.+?\))", str(raised.value))
    eval(written)
    study = eval(read)
    assert "2 raters" in study.raters_text
    whole = frame.groupby(["system", "doc", "seg"], as_index=False)["score"].mean().assign(rater="all")
    named = {"system": "system", "score": "score", "documents": "doc", "ignore": "rater"}
    assert len(compare(whole, higher_is_better=True, **named).systems) == 3


@pytest.mark.parametrize(
    "ask",
    [
        compare,
        lambda data, **named: audit(data, "A", "B", n_resamples=100, **named),
        lambda data, **named: power_analysis(data, "A", "B", 0.1, **named),
    ],
)
def test_every_verb_that_takes_scores_takes_their_name(ask: Callable[..., Any]) -> None:
    assert "accuracy" in str(ask(WIDE, name="accuracy", higher_is_better=True))


def test_rows_in_a_random_order_need_a_number_for_each_item() -> None:
    frame = LONG.drop(columns="doc")
    named: Any = {"system": "system", "score": "score", "higher_is_better": True, "n_resamples": 100}
    known = compare(frame, **named).rows()
    one_by_one = frame.assign(at=list(range(60)) * 3).sort_values(["at", "system"])
    by_tens = frame.assign(at=[i // 10 for i in range(60)] * 3).sort_values(["at", "system"], kind="stable")
    for ordered in (one_by_one, by_tens):
        assert compare(ordered.drop(columns="at"), **named).rows() == known
    mixed = frame.assign(segment=list(range(60)) * 3).sample(frac=1, random_state=1)
    with pytest.raises(AlignmentError, match="rows of the systems are mixed, and no column numbers the items"):
        compare(mixed.drop(columns="segment"), **named)
    found = {frozenset((row["first"], row["second"])): row for row in compare(mixed, **named).rows()}
    assert all(
        found[frozenset((row["first"], row["second"]))]["standard_error"] == pytest.approx(row["standard_error"])
        for row in known
    )


@pytest.mark.parametrize("ask", [compare, lambda data, *given, **named: measure(data, *given, **named)])
@pytest.mark.parametrize("called", ["COMET", "zest"])
def test_the_name_of_scores_is_no_metric(called: str, ask: Callable[..., Any]) -> None:
    frame = LONG.rename(columns={"score": called}).assign(mqm=1.0)
    for data in (WIDE, {"A": [0.1, 0.2], "B": [0.3, 0.1]}, frame):
        named: dict[str, Any] = {}
        for _ in range(3):  # what a message says to write is all that is written
            try:
                result = ask(data, *[called] * (not named), **named)
                break
            except InvalidOption as error:
                (written,) = re.findall(r"(?:write|Say) (.+?)(?:, and omit the metric| in compare or|\.$)", str(error))
                named |= eval(f"dict({re.sub(r' .?or False.?', '', written)})")
        metric = result.metric if ask is not compare else result.counted[0]
        assert (metric.name, metric.higher_is_better) == (called, True)


def test_groups_of_systems_may_be_one_after_another() -> None:
    frame = LONG.drop(columns="doc").assign(at=list(range(60)) * 3)
    two, third = (frame[frame.system.isin(list(names))].sort_values(["at", "system"]) for names in ("AB", "C"))
    named: Any = {"system": "system", "score": "score", "higher_is_better": True, "n_resamples": 100}
    known = compare(frame.drop(columns="at"), **named).rows()
    for rows in ((two, third), (third, two)):
        found = compare(pd.concat(rows).drop(columns="at"), **named)
        for row in known:
            again = found.comparisons[row["first"], row["second"]]
            assert (again.difference, again.standard_error) == pytest.approx((row["difference"], row["standard_error"]))
    # Whatever is mixed with another system's rows has no order of its own, and counts have to agree.
    mixed = two.sample(frac=1, random_state=1)
    for rows in ((mixed, third), (two[:-1], third), (two[:60], third, two[60:]), (two[::2][:30], two, third)):
        with pytest.raises(AlignmentError, match="Add a column that numbers the items"):
            compare(pd.concat(rows).drop(columns="at"), **named)


def test_scores_in_a_column_with_a_name_are_called_so() -> None:
    frame = LONG.rename(columns={"score": "COMET"})
    named: Any = {"system": "system", "score": "COMET", "documents": "doc"}
    assert compare(frame, **named).comparisons[0].metric == "COMET"  # of which higher is known to be better
    assert compare(frame, **named, name="MQM").comparisons[0].metric == "MQM"
    with pytest.raises(InvalidOption, match="Is a higher score better"):
        compare(LONG, system="system", score="score", documents="doc")


def test_arguments_on_data_are_left_to_measure() -> None:
    named: Any = {"references": ["a"]}
    with pytest.raises(UnknownName, match=r"Did you mean statistics=mtsig\.measure\(data, references=…\)"):
        audit({"A": ["a"], "B": ["b"]}, "A", "B", **named)


def test_outputs_that_are_numbers_are_texts_where_there_are_references() -> None:
    answers = {"A": ["1", "2", "3,5"], "B": ["1", "4", "5"]}
    assert list(corpus_of(answers, references=["1", "2", "3"]).outputs) == ["A", "B"]
    with pytest.raises(InvalidOption, match="Texts are scored against references"):
        corpus_of({"A": ["In 1984", "7 cats", "8"], "B": ["In 1985", "7 dogs", "8"]})


@pytest.mark.parametrize(
    ("named", "error", "said"),
    [
        (
            {"system": "system", "score": ["score", "doc"]},
            InvalidOption,
            r"^score takes the name of a column.*found \['sco",
        ),
        ({"system": ["system"], "score": "score"}, InvalidOption, "^system takes the name of a column"),
        (
            {"system": "system", "score": 239},
            UnknownName,
            "no column in the DataFrame called '239'.* Known: doc, system",
        ),
        ({"ignore": [["doc"]]}, InvalidOption, "^ignore takes the name of a column"),
        ({"ignore": 7}, UnknownName, "no column in the DataFrame called '7'"),
    ],
)
def test_what_names_no_column_is_refused(named: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        corpus_of(LONG, higher_is_better=True, **named)


def test_columns_may_be_called_by_numbers() -> None:
    long = LONG.set_axis([0, 1, 2], axis=1)
    named = corpus_of(LONG, system="system", score="score", documents="doc", higher_is_better=True)
    assert corpus_of(long, system=1, score=2, documents=0, higher_is_better=True).digest == named.digest  # type: ignore[arg-type]
    wide = WIDE.set_axis([0, 1, 2], axis=1)
    for ignored in (0, [0], "0", np.int64(0)):
        assert list(corpus_of(wide, ignore=ignored, higher_is_better=True).systems) == ["1", "2"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("frame", "how"),
    [
        (WIDE.T, r"has 3 rows and 60 columns.* Transpose it: frame\.T\."),
        (WIDE.T.reset_index(), r"Transpose it: frame\.set_index\('index'\)\.T\."),
    ],
)
def test_a_row_per_system_is_told_to_be_transposed(frame: Any, how: str) -> None:
    with pytest.raises(InvalidOption, match=how):
        corpus_of(frame, higher_is_better=True)
    with pytest.raises(InvalidOption, match=how):
        corpus_of(None, ratings={"COMET": frame}, higher_is_better=True)
    turned = eval(re.findall(r"frame\S*T\b", how.replace("\\", ""))[0], {"frame": frame})
    assert list(corpus_of(turned, higher_is_better=True).systems) == ["A", "B", "C"]


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ({"documents": ["d"] * 59}, "^documents has 59 labels for 60 items"),
        ({"documents": ["d"] * 61}, "^documents has 61 labels for 60 items"),
        ({"sources": ["d"]}, "^sources has 1 text for 60 items"),
        (
            {"ratings": {"human": {"A": [1, 2], "B": [2, 3]}}},
            "^The rating 'human' has 2 scores per system for 60 items",
        ),
    ],
)
def test_what_is_too_short_is_named_and_not_the_scores(named: Any, said: str) -> None:
    with pytest.raises(AlignmentError, match=said):
        corpus_of(WIDE, name="COMET", higher_is_better=True, **named)


@pytest.mark.parametrize("rises", [True, False])
@pytest.mark.parametrize("by", [["system", "score"], ["score"]])
def test_the_order_of_sorted_scores_is_not_that_of_items(by: list[str], rises: bool) -> None:
    # One far ahead of the other, so that by score alone, too, the systems are one after another.
    frame = LONG[LONG.system != "C"].assign(segment=list(range(60)) * 2).drop(columns="doc")
    frame.loc[frame.system == "A", "score"] += 9
    named: Any = {"system": "system", "score": "score", "higher_is_better": True, "n_resamples": 100}
    ordered = frame.sort_values(by, ascending=rises)
    with pytest.raises(AlignmentError, match=r"^Rows are sorted by score, and no column .* items"):
        compare(ordered.drop(columns="segment"), **named)
    (found,), (known,) = (compare(rows, **named).rows() for rows in (ordered, frame))
    # Neighbours in score are none in the text, whose blocks would be the units.
    assert found["units"] == known["units"]
    assert found["standard_error"] == pytest.approx(known["standard_error"])
    # A system that has one score throughout tells nothing, and few may be in order by chance.
    frame.loc[frame.system == "A", "score"] = 9.0
    for rows in (frame.sort_values(by), ordered[ordered.segment < 9].sort_values(["system", "score"])):
        assert len(compare(rows.drop(columns="segment"), **named).systems) == 2
