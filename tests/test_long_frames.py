"""A table of scores with a row for each: names and labels are those of its columns, and refusals work when followed."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import mtsig
from mtsig import MtsigError, compare, measure
from mtsig.errors import AlignmentError, InvalidOption

SYSTEMS = ("alpha", "beta", "gamma")
LONG = pd.DataFrame(
    [
        (name, item, f"d{item // 10:02}", (7 * item + 3 * k) % 11 / 16)
        for k, name in enumerate(SYSTEMS)
        for item in range(60)
    ],
    columns=["system", "segment", "document", "score"],
)
WIDE = LONG.pivot(index="segment", columns="system", values="score")
K: Any = {"name": "COMET", "system": "system", "score": "score", "documents": "document"}
LINES = ["One line.", "Another.", "A third one.", "The last."]
TEXTS = {"A": LINES, "B": LINES[::-1]}
SAMPLE = Path(mtsig.__file__)  # some file
EMPTY = [None, np.nan, "", "  ", pd.NA]


def changed(column: str, row: int, value: object) -> pd.DataFrame:
    frame = LONG.astype({column: object})
    frame.loc[row, column] = value
    return frame


def with_first_called(name: object) -> list[Callable[[], object]]:
    """Return ways to give names, by which the first of some things is called so, and the second beta."""
    scores, kinds = [[1.0, 2, 4, 3], [2.0, 1, 3, 3]], {"A": [1.0, 2, 4, 3], "B": [2.0, 1, 3, 3]}
    return [
        lambda: compare({name: scores[0], "beta": scores[1]}, name="COMET"),  # type: ignore[dict-item]
        lambda: compare(pd.DataFrame(np.transpose(scores), columns=[name, "beta"]), name="COMET"),
        lambda: compare(scores, name="COMET", systems=[name, "beta"]),  # type: ignore[list-item]
        lambda: compare(TEXTS, "chrf", references={name: LINES, "beta": LINES}),  # type: ignore[dict-item]
        lambda: compare(ratings={name: kinds, "beta": kinds}, higher_is_better=True),  # type: ignore[dict-item]
        lambda: compare(ratings={"COMET": {name: scores[0], "beta": scores[1]}}),
        lambda: compare({name: mtsig.read_sample(), "beta": mtsig.read_sample()}, "chrf"),  # type: ignore[dict-item]
        lambda: compare({name: str(SAMPLE), "beta": str(SAMPLE)}, "chrf", references=str(SAMPLE)),  # type: ignore[dict-item]
    ]


@pytest.mark.parametrize("value", EMPTY, ids=repr)
def test_nothing_is_no_name(value: object) -> None:
    for column in ("system", "segment", "document"):
        with pytest.raises(
            InvalidOption, match=rf"^Row 5 \(from 0\) .* the name of the {column} is empty; expected one"
        ):
            compare(changed(column, 5, value), **K)
    levels = changed("system", 5, value).set_index(["system", "segment"])
    with pytest.raises(InvalidOption, match="the name of the system is empty"):
        compare(levels, **K)
    for ask in with_first_called(value):
        with pytest.raises(
            InvalidOption, match=r"^Entry 1 of \d: the name of the (system|reference|rating|test set) is empty"
        ):
            ask()
    for words in ("documents", "domains"):
        with pytest.raises(InvalidOption, match=f"^{words} has no value for item 2, counted from 1"):
            compare({"A": [1.0, 2], "B": [2.0, 1]}, name="COMET", **{words: ["d", value]})  # type: ignore[arg-type]


def test_spaces_around_names_are_no_part_of_them() -> None:
    known = compare(LONG, **K).rows()
    spaced = LONG.assign(
        system=[f"{name}{' ' * (row % 2)}" for row, name in enumerate(LONG.system)],
        document=[f"{' ' * (row % 2)}{name}" for row, name in enumerate(LONG.document)],
        segment=[f"{item}{' ' * (row % 3)}" for row, item in enumerate(LONG.segment)],
    )
    assert compare(spaced, **K).rows() == known
    assert compare(WIDE.rename(columns={"alpha": " alpha"}), name="COMET").rows() == compare(WIDE, name="COMET").rows()
    for ask in with_first_called("beta "):
        with pytest.raises(
            InvalidOption, match=r"^Two (system|reference|rating|test set)s are called 'beta' without the spaces"
        ):
            ask()


@pytest.mark.parametrize("turned", [False, True])
def test_items_are_called_as_the_user_calls_them(turned: bool) -> None:
    frame = LONG[::-1] if turned else LONG
    missing = f"alpha has no COMET on 2 of 60 items ({'50, 3' if turned else '3, 50'}), so its pairs leave these out."
    (note,) = (text for text in compare(frame.drop([3, 50]), **K).notes if "has no COMET" in text)
    assert note == missing
    gaps = WIDE.copy()
    gaps.loc[[3, 50], "alpha"] = np.nan
    assert missing in compare(gaps[::-1] if turned else gaps, name="COMET").notes
    column = gaps.reset_index()
    assert missing in compare(column[::-1] if turned else column, name="COMET", ignore="segment").notes
    named = LONG.assign(segment=[f"s{item}" for item in LONG.segment])
    assert any("(s3, s50)" in text for text in compare(named.drop([3, 50]), **K).notes)
    halves = LONG.assign(id=LONG.segment / 2, segment=LONG.segment.astype(float))
    assert any("(3/1.5, 50/25)" in text for text in compare(halves.drop([3, 50]), **K).notes)
    within = LONG.assign(segment=LONG.segment % 10)
    assert any("(3 of d00, 0 of d05)" in text for text in compare(within.drop([3, 50]), **K).notes)
    repeated = gaps.reset_index(drop=True).assign(id=[1, 2] * 30)  # which tells no items apart
    assert any("(4, 51, counted from 1)" in text for text in compare(repeated, name="COMET", ignore="id").notes)
    unlabelled = compare(gaps.to_numpy().T.tolist(), name="COMET", systems=SYSTEMS).notes
    assert any("(4, 51, counted from 1)" in text for text in unlabelled)


@pytest.mark.parametrize("row", [0, 7, 67])
def test_a_text_among_scores_is_shown_with_its_label_and_how_to_convert(row: int) -> None:
    frame = changed("score", row, "n/a")
    said = rf"^System '{SYSTEMS[row // 60]}' has 'n/a' as its score on item {row % 60}; expected a number"
    with pytest.raises(InvalidOption, match=said) as raised:
        compare(frame, **K)
    (convert,) = re.findall(r"For a column: (.+)\.$", str(raised.value))
    frame["score"] = eval(convert, {"pandas": pd, "column": frame["score"]})
    assert len(compare(frame, **K).systems) == 3
    strings = LONG.astype({"score": str})
    with pytest.raises(InvalidOption, match=r"'0\.0' is item 0\. .*convert it: pandas\.to_numeric\(column, errors="):
        compare(strings, **K)


def followed(said: str, frame: pd.DataFrame) -> list[pd.DataFrame]:
    """Return the frames that the code in a message makes."""
    return [
        eval(code, {"frame": frame})
        for code in re.findall(
            r"frame\.(?:query|drop_dup|groupby|reset_index\(\)\.).+?\)(?:\['score'\]\.mean\(\))?(?=[.,]? Or|, or|\.$)",
            said,
        )
    ]


@pytest.mark.parametrize(
    ("frame", "words", "ways"),
    [
        (pd.concat([LONG, LONG[:1]]), r"item 0, in rows 0 and 180 \(from 0\)\. Keep one of them", 2),
        (pd.concat([LONG.assign(run=1), LONG.assign(run=2)]), "They differ in the column 'run': keep one", 2),
        (
            pd.concat([LONG.assign(metric="a"), LONG.assign(metric="b")]),
            "They differ in the column 'metric': keep one",
            1,
        ),
        (pd.concat([LONG, LONG[7:8]]).set_index(["system", "segment"]), r"item 7, in rows 7 and 180", 2),
    ],
    ids=["repeated", "runs", "metrics", "levels"],
)
def test_two_scores_of_an_item_come_with_what_to_do(frame: pd.DataFrame, words: str, ways: int) -> None:
    with pytest.raises(AlignmentError, match=words) as raised:
        compare(frame, **K)
    made = followed(str(raised.value), frame)
    assert len(made) == ways
    for one in made:
        assert [row["difference"] for row in compare(one, **K).rows()] == pytest.approx(
            [row["difference"] for row in compare(LONG, **K).rows()]
        )


def test_a_segment_is_in_one_document() -> None:
    said = r"^Segment 0 is in several documents: in d24 for alpha and in d00 for beta and gamma\. Correct .* 'document'"
    with pytest.raises(AlignmentError, match=said):
        compare(changed("document", 0, "d24"), **K)
    with pytest.raises(AlignmentError, match=r"^Segment s12 is .* in d01 for alpha and gamma and in x for beta"):
        compare(changed("document", 72, "x").assign(segment=[f"s{item}" for item in LONG.segment]), **K)
    # Where segments are counted within documents, their numbers come again.
    within = LONG.assign(segment=LONG.segment % 10)
    assert compare(within, **K).rows() == compare(LONG, **K).rows()
    in_lists = within.assign(document=[[name] for name in within.document])
    assert compare(in_lists, **K).rows() == compare(LONG, **K).rows()


@pytest.mark.parametrize("named", [K, K | {"name": "zest", "higher_is_better": False}])
@pytest.mark.parametrize("heads", [{}, {"system": "MT", "document": "text"}])
def test_what_a_frame_with_raters_is_told_works(
    named: Any, heads: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    frame = pd.concat([LONG.assign(rater=f"r{number}") for number in range(2)]).rename(columns=heads)
    given = named | {"system": heads.get("system", "system"), "documents": heads.get("document", "document")}
    with pytest.raises(InvalidOption, match="names the rater of each score") as raised:
        compare(frame, **given)
    write, read = re.findall(r"(frame\.\S.*index=False\)) and (compare\(.+?\))\.", str(raised.value))[0]
    eval(write, {"frame": frame})
    assert eval(read)[0].metric == given["name"]


def test_a_keyword_without_effect_is_refused(tmp_path: Path) -> None:
    file, folder = tmp_path / "scores.csv", tmp_path / "set"
    LONG.to_csv(file, index=False)
    folder.mkdir()
    for name in ("ref", "A", "B"):
        (folder / f"{name}.txt").write_text("\n".join(LINES))
    assert compare(file, name="COMET")[0].metric == compare(str(file), name="COMET")[0].metric == "COMET"
    statistics = measure(LONG, **K)
    texts: Any = {"references": LINES}
    refused: list[Callable[[], object]] = [
        lambda: compare(folder, "chrf", name="COMET"),
        lambda: compare(folder, "chrf", higher_is_better=True),
        lambda: compare({"A": str(folder / "A.txt")}, "chrf", references=str(folder / "ref.txt"), name="COMET"),
        lambda: compare(ratings=[f"COMET={file}"], name="chrF"),
        lambda: compare(ratings={"COMET": WIDE}, name="chrF"),
        lambda: compare(TEXTS, "chrf", name="COMET", **texts),
        lambda: measure(TEXTS, "chrf", name="COMET", **texts),
        lambda: mtsig.audit(statistics, "alpha", "beta", name="chrF"),
        lambda: mtsig.power_analysis(statistics, "alpha", "beta", 0.1, higher_is_better=False),
        *(lambda key=key: compare(file, **{key: "score"}) for key in ("system", "score", "ignore")),  # type: ignore[misc]
        *(lambda key=key: compare(folder, "chrf", **{key: "x"}) for key in ("documents", "domains", "sources")),  # type: ignore[misc]
    ]
    for ask in refused:
        with pytest.raises(InvalidOption, match=r"name|higher_is_better|DataFrame|documents|domains|sources"):
            ask()
    with pytest.raises(MtsigError, match=r"scores\.higher\.csv or scores\.lower\.csv"):
        compare(file)
    assert compare(file.rename(tmp_path / "scores.lower.csv"))


def test_several_test_sets_are_given_as_frames_or_read_from_folders(tmp_path: Path) -> None:
    other = LONG.assign(score=LONG.score * 0.5 + (LONG.system == "alpha") * 0.1)
    study = compare({"2024": LONG, "2025": other}, **K)
    for number, frame in enumerate((LONG, other)):
        ours = [row["difference"] for row in study.rows() if row["set"] == ("2024", "2025")[number]]
        assert sorted(map(abs, ours)) == pytest.approx(
            sorted(abs(row["difference"]) for row in compare(frame, **K).rows())
        )
    with pytest.raises(InvalidOption, match="several test sets as DataFrames with a row per score"):
        compare({"2024": WIDE, "2025": WIDE}, name="COMET")
    for make in (str, Path):
        with pytest.raises(InvalidOption, match=r"folders: give mtsig\.study\.read_sets\(\{name: folder, …\}\)"):
            compare({"en-cs": make(tmp_path), "en-de": make(tmp_path)}, "chrf")


def test_what_draws_figures_over_sets_is_said() -> None:
    study = compare({"2024": LONG, "2025": LONG}, **K)
    for draw in (
        lambda: study.plot(), lambda: study.sets[0].plot(), lambda: study["COMET"].plot(),  # type: ignore[attr-defined]
        lambda: study["COMET"].compared.plot(),
    ):  # fmt: skip
        with pytest.raises((MtsigError, AttributeError), match=r'study\.report\("FOLDER", \["pdf"\]\)'):
            draw()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"metrics": ["COMET"]}, "write name='COMET', and omit"),
        ({"metrics": ["zest", "other"]}, r"write name='zest', higher_is_better=True \(or False\), and omit"),
    ],
)
def test_metrics_of_scores_are_their_names(given: Any, said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        compare(LONG, system="system", score="score", documents="document", **given)


def test_other_forms_of_scores_are_told_how_to_become_a_frame() -> None:
    series = LONG.set_index(["system", "segment"]).score
    with pytest.raises(InvalidOption, match=r"write series\.reset_index\(\), with the names of its columns as system="):
        compare(series, name="COMET")
    assert compare(series.reset_index(), name="COMET", system="system", score="score").rows()
    with pytest.raises(InvalidOption, match=r"made by frame\.pivot\(") as raised:
        compare(ratings={"quality": LONG}, higher_is_better=True)
    pivoted = eval(re.findall(r"frame\.pivot\(.+?\)", str(raised.value))[0], {"frame": LONG})
    assert pivoted.equals(WIDE)
    with pytest.raises(InvalidOption, match=r"Other functions take what measure returns, as in mtsig\.audit\(mtsig\.m"):
        mtsig.power_analysis(LONG, "alpha", "beta", name="COMET")
    assert mtsig.audit(measure(LONG, **K), "alpha", "beta", n_resamples=100)
