"""Studies whose fields were edited one by one: each edit is told, or changes nothing that is written."""

import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from copy import deepcopy
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kept import parts, worded
from made import ROOT, edited_reference, made_corpus, put, sealed
from sampled import slow

from mtsig import Corpus, Settings, metric, read_sample
from mtsig._records import as_list
from mtsig.campaign import Preferences, preferences
from mtsig.cli import main
from mtsig.collection import Sets
from mtsig.corpus import Rating
from mtsig.corpus._corpus import Segments
from mtsig.errors import InvalidOption, MtsigError, ReadError
from mtsig.report import Document, exported
from mtsig.study import Margin, Request, Study, conduct, study_of
from mtsig.study._changes import TAKEN, TAKEN_TEXT, again_changes, are_roundings, as_known, reproduce, study_changes
from mtsig.study._differences import leaves
from mtsig.study._request import plan_of, plan_text

QUICK = Settings(n_resamples=100)
METRICS = (metric("bleu"), metric("chrf"))


def planned() -> tuple[Study, Study]:
    corpus = made_corpus(n=24, systems=3, documents=8)
    plan = plan_of(plan_text(Request(METRICS, QUICK, "sys0", margins=(Margin("bleu", "equivalence", 1.5),))))
    return twice(conduct(corpus, plan=plan), partial(reproduce, data=corpus))


def of_ratings() -> tuple[Study, Study]:
    values = np.random.default_rng(4).normal(70, 10, (3, 40))
    ratings = {"mqm": Rating(values, higher_is_better=True)}
    corpus = Corpus(Segments(40), {}, dict.fromkeys("abc", ()), {}, ratings=ratings)
    return twice(conduct(corpus, Request((metric("rating:mqm"),), QUICK)), partial(reproduce, data=corpus))


def over_sets() -> tuple[Study, Study]:
    sets = Sets.of({f"set{seed}": made_corpus(n=16, systems=2, documents=8, seed=seed) for seed in range(5)})
    return twice(conduct(sets, Request((metric("chrf"),), QUICK)), partial(reproduce, data=sets))


def over_two_sets() -> tuple[Study, Study]:
    """Two metrics against a baseline, and too few sets for a prediction."""
    sets = Sets.of({name: made_corpus(n=16, systems=3, documents=8, seed=seed) for seed, name in enumerate("AB")})
    request = Request((metric("chrf"), metric("bleu")), QUICK, "sys0")
    return twice(conduct(sets, request), partial(reproduce, data=sets))


def of_parts() -> tuple[Study, Study]:
    corpus = made_corpus(n=48, systems=2, documents=0)
    study = conduct(corpus, Request((metric("chrf"),), QUICK, by="length:2"))
    return twice(study, partial(reproduce, data=corpus))


def twice(study: Any, again: Any) -> Any:
    """Return a study as it is read, and made again."""
    found = again(study)
    assert (found.changes, found.same) == ((), True)
    return study_of(study.text()), found.again


def of_samples() -> tuple[Study, Study]:
    corpus = made_corpus(n=24, systems=8, documents=8)
    names = list(corpus.outputs)
    corpus = corpus.pooled({name: names[at : at + 2] for at, name in zip(range(0, 8, 2), "wxyz", strict=True)})
    return twice(conduct(corpus, Request((metric("chrf"),), QUICK)), partial(reproduce, data=corpus))


def of_preferences() -> tuple[Study, Study]:
    rng = random.Random(2)
    rows = [
        {"item": str(i), "document": str(i // 6), "rater": "xyz"[i % 3], "outcome": rng.choice((1, 0, -1))}
        | dict(zip(("first", "second"), rng.sample("ABC", 2), strict=True))
        for i in range(180)
    ]
    made = preferences(Preferences.of(rows)).study
    return study_of(made.text()), made


def of_overlaps() -> tuple[Study, Study]:
    corpus = edited_reference(5, 120)
    return twice(conduct(corpus, Request((metric("chrf"),), QUICK)), partial(reproduce, data=corpus))


STUDIES = {
    "planned": planned, "of ratings": of_ratings, "over sets": over_sets, "over two sets": over_two_sets,
    "of parts": of_parts, "of samples": of_samples, "of preferences": of_preferences, "of overlaps": of_overlaps,
}  # fmt: skip


EDITED = ("planned", "of ratings", "of preferences", "of parts", "over sets")
"""Studies of one set, of ratings, of preferences, of parts and of sets; the suite edits no others."""
UNEDITED = tuple(name for name in STUDIES if name not in EDITED)


@cache
def made(name: str) -> Any:
    return STUDIES[name]()


Place = tuple[str | int, ...]


def edits(value: Any, path: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Yield every value of a tree with each of the values that somebody could write in its place."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from edits(item, (*path, key))
            yield (*path, key), MISSING
        yield (*path, "added"), 1
    elif isinstance(value, list):
        # Rows are all alike: the first two and the last of a table stand for the others.
        for number in range(len(value)) if len(value) < 4 else (0, 1, len(value) - 1):
            yield from edits(value[number], (*path, number))
        if value:
            yield (*path, len(value) - 1), MISSING
            yield path, [*value, value[0]]
        yield path, None
    elif isinstance(value, bool):
        yield from ((path, other) for other in (not value, None, int(value), "word", [value]))
    elif isinstance(value, int | float):
        yield from ((path, other) for other in (value + 1, value * 1.001, -1, 1e999, None, "word", True, [value]))
    elif isinstance(value, str):
        yield from ((path, other) for other in (f"{value}x", "", 1, None, True, [value]))
    else:
        yield from ((path, other) for other in (0.5, True, "word", []))


MISSING = object()


def edited(record: dict[str, Any], path: Place, value: Any) -> dict[str, Any]:
    top = path[0]
    copy = {**record, top: deepcopy(record[top])} if top in record else dict(record)
    at: Any = copy
    for key in path[:-1]:
        at = at[key]
    if value is MISSING:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return copy


def written(path: Place) -> str:
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).lstrip(".")


def is_told(study: Any, again: Any, record: dict[str, Any], path: Place) -> bool:
    """Return whether an edit by somebody who makes a fitting digest is refused, named, or changes nothing at all."""
    try:
        found = study_of(sealed(record) if path[-1] != "digest" else json.dumps(record))
    except MtsigError as error:
        return str(error).startswith("the study")
    except ValueError as error:  # what no digest can be made of no forger writes
        return "JSON compliant" in str(error)
    if path[0] in TAKEN or path == ("intact",):
        return True
    named = [told for change in again_changes(study=found, again=again) for told in change.paths]
    place = written(path)
    if any(place.startswith(told) or told.startswith(place) or told == f"{place}.order" for told in named):
        return True
    if named or found.plain() != study.plain():
        return False
    _ignored[study].append(found)
    return True


_ignored: defaultdict[Any, list[Any]] = defaultdict(list)
"""Studies as they were read whose edits change nothing, by what was edited."""


@pytest.mark.parametrize("share", [0.01, pytest.param(1.0, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", [*EDITED, *slow(*UNEDITED)])
def test_every_edit_is_told_or_changes_nothing(name: str, share: float) -> None:
    study, again = made(name)
    record, rng = json.loads(study.text()), random.Random(1)
    tried, unseen = 0, []
    for path, value in edits(record):
        if rng.random() >= share:
            continue
        tried += 1
        if not is_told(study, again, edited(record, path, value), path):
            unseen.append(f"{written(path)}: {value!r}")
    assert unseen == []
    assert tried > 500 * share
    # Followed into the report, too: what is read says nothing of the edit.
    ignored = _ignored.pop(study, [])
    assert ignored or share < 1
    written_as = exported(Document(study), ["markdown"]).files
    for found in ignored[::20]:
        assert exported(Document(found), ["markdown"]).files == written_as


def test_what_nobody_can_ask_for_is_refused_or_not_made_again() -> None:
    study, _ = made("over sets")
    record = json.loads(study.text())
    with pytest.raises(ReadError, match=r"at request\.by: several test sets cannot be divided into subsets"):
        study_of(sealed(edited(record, ("request", "by"), "domain")))
    joined = study_of(sealed(edited(record, ("request", "joined"), True)))
    with pytest.raises(InvalidOption, match="cannot be corrected jointly"):
        reproduce(joined, Sets.of({"other": made_corpus(n=16, systems=2, documents=8)}))


def test_an_edit_by_hand_is_told_by_the_digest_alone() -> None:
    study, _ = made("planned")
    record = json.loads(study.text())
    assert (study.intact, study.seal_text) == (True, "")
    stars = [{"segment": 1, "note": ""}]
    by_hand = ((("made_with", "numpy"), "9"), (("stars",), stars), (("later",), 1), (("digest",), MISSING))
    for path, value in by_hand:
        found = study_of(json.dumps(edited(record, path, value)))
        assert found.intact is False
        # Written again, with a digest that fits, it still says so.
        assert study_of(found.text()).intact is False
        page = exported(Document(found), ["markdown"]).files["report.md"].decode()
        worded(parts(page, "was changed"))


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("systems", "score"), 99.9, "systems[0]: 99.9 is outside its interval"),
        (("systems", "score"), 1e999, "systems[0].score: a number too large"),
        (("comparisons", "ci_low"), 1e6, "comparisons[0]: ci_low is 1000000.0, above ci_high"),
        (("comparisons", "p_value"), 1.5, "at most 1"),
        (("comparisons", "standard_error"), -1.0, "at least 0"),
        (("comparisons", "units"), -1, "at least 0"),
        (("comparisons", "df"), 1e-3, "at least 0.5"),
        (("ranks", "rank_low"), 0, "at least 1"),
        (("ranks", "rank_high"), 9, "there are 5 systems"),
        (("settings", "level"), 1.0, "at most 0.9999"),
    ],
)
def test_a_number_that_cannot_be_is_refused_with_its_place(path: tuple[str, str], value: Any, said: str) -> None:
    record = json.loads(edited_text())
    if path[0] == "settings":
        record["sets"][0]["settings"][path[1]] = value
    else:
        put(record, path[0], 0, path[1], value)
    with pytest.raises(ReadError, match=path[0]) as refused:
        study_of(json.dumps(record).replace("Infinity", "1e999"))
    assert said in str(refused.value)


Row = tuple[Any, str | int, Any, str | int]
"""Where the names of a pair are: what holds the first, and under which key, and the same of the second."""


def tables_of_pairs(tree: Any) -> Iterator[list[Row]]:
    """Yield the tables of a study that have a row for each pair: blocks of columns, and lists of records."""
    if isinstance(tree, dict) and {"first", "second"} <= tree.get("columns", {}).keys():
        columns = tree["columns"]
        size = max([len(column) for column in columns.values() if isinstance(column, list)], default=1)
        first, second = (as_list(columns[name], size) for name in ("first", "second"))
        columns |= {"first": first, "second": second}
        yield [(first, row, second, row) for row in range(size)]
    elif isinstance(tree, list) and tree and isinstance(tree[0], dict) and "first" in tree[0]:
        yield [(row, "first", row, "second") for row in tree]
    for item in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        yield from tables_of_pairs(item)


@pytest.mark.parametrize("name", STUDIES)
def test_a_pair_of_one_system_and_a_pair_twice_are_refused(name: str) -> None:
    text = made(name)[0].text()
    record = json.loads(text)
    one, other, *_ = record["sets"][0]["data"]["systems"]
    for pairs in ([[one, one]], [[one, other], [other, one]]):
        with pytest.raises(ReadError, match=r"request\.pairs: .*(compared with itself|is listed twice)"):
            study_of(sealed(edited(record, ("request", "pairs"), pairs)))
    for number, table in enumerate(tables_of_pairs(record)):
        wrong = {"cannot be compared with itself": [(0, 0)], "is listed twice": [(0, 1), (1, 0)]}
        if len(table) < 2:
            del wrong["is listed twice"]
        elif table[0][1] == "first":  # what is said of both directions
            wrong["is listed twice"].remove((1, 0))
        for said, (x, y) in ((said, names) for said, rows in wrong.items() for names in rows):
            forged = json.loads(text)
            rows = list(tables_of_pairs(forged))[number]
            first, at, second, beside = rows[0]
            pair = first[at], second[beside]
            first, at, second, beside = rows[-1]
            first[at], second[beside] = pair[x], pair[y]
            with pytest.raises(ReadError, match=said):
                study_of(sealed(forged))


EXTREME = (0.0, -0.0, 5e-324, 1e-300, 1e-17, 1.0, -1.0, 1e100, -1e99, 1e300, -1.7e308, 2.0**62, 0.05, 1 - 2**-53, None)
"""Numbers that sums, quotients and axes of figures break at."""


@pytest.mark.parametrize("number", [4, pytest.param(400, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["planned", *slow("over two sets", "of samples")])
def test_no_number_of_a_study_stops_its_documents(name: str, number: int) -> None:
    text, rng = made(name)[0].text(), random.Random(number)
    places = [path for path, _ in floats(json.loads(text))]
    written_ones = 0
    while written_ones < number:
        record = json.loads(text)
        for path in rng.sample(places, rng.choice((1, 1, 2, 3))):
            record = edited(record, path, rng.choice(EXTREME))
        try:
            study = study_of(sealed(record))
        except MtsigError:
            continue
        exported(Document(study), [rng.choice(("markdown", "latex", "html"))])
        written_ones += 1


@pytest.mark.parametrize("high", [5e-324, 1e-300, 1e-160])
def test_an_interval_without_width_asks_for_no_number_of_resamples(high: float) -> None:
    record = json.loads(made("of samples")[0].text())
    columns = record["sets"][0]["results"][0]["comparisons"]["columns"]
    columns |= {"p_value": 0.04, "p_mc_low": 0.0, "p_mc_high": high}
    columns |= {"p_adjusted": 0.04, "p_adjusted_mc_low": 0.03, "p_adjusted_mc_high": 0.06}
    (page,) = exported(Document(study_of(sealed(record))), ["markdown"]).files.values()
    assert b"choose a test without resampling" in page


@pytest.mark.parametrize("value", [1.7e308, 1e200, 1.1e100])
def test_a_number_that_nothing_can_be_drawn_at_is_refused(value: float) -> None:
    record = json.loads(made("over two sets")[0].text())
    record["sets"][0]["results"][1]["comparisons"]["columns"]["ci_high"][0] = value
    with pytest.raises(ReadError, match="a number too large to be one"):
        study_of(sealed(record))


@pytest.mark.parametrize("key", ["score", "warnings", "p_value"])
def test_what_stands_twice_is_refused(key: str) -> None:
    text = edited_text()
    for twice in (
        text.replace(f'"{key}":', f'"{key}": null, "{key}":', 1),
        text.replace(f'"{key}":', f'"{key}": 1, "{key}":'),
    ):
        with pytest.raises(ReadError, match=f"the name '{key}' occurs twice"):
            study_of(twice)


def test_half_a_character_is_refused_wherever_it_stands() -> None:
    record = json.loads(edited_text())
    places = [path for path, _ in edits(record) if path != ("digest",)][::17]
    for path in places:
        with pytest.raises(ReadError, match="an incomplete character"):
            study_of(sealed(edited(record, path, "\ud800")))
    assert len(places) > 50
    with pytest.raises(ReadError, match="an incomplete character"):
        study_of(json.dumps({**record, "notes": [{"\udc00": 1}]}).encode())


@cache
def edited_text() -> str:
    return conduct(read_sample(), Request((metric("chrf"),), QUICK)).text()


def test_the_command_line_names_every_edit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads(edited_text())
    record["sets"][0]["results"][0]["comparisons"]["header"]["higher_is_better"] = False
    put(record, "ranks", 0, "score", 99.9)
    put(record, "systems", 0, "units", lambda units: units + 1)
    put(record, "comparisons", 3, "exact", True)
    record["sets"][0]["settings"]["interval"] = "bca"
    record["notes"] = ["All is well."]
    kept = tmp_path / "study.json"
    kept.write_text(json.dumps(record), encoding="utf-8")
    out = ["--out", str(tmp_path / "out"), "--to", "markdown"]
    assert main(["report", str(kept), *out]) == 0
    worded(capsys.readouterr().err)
    report = tmp_path / "out" / "report.md"
    worded(parts(report.read_text(encoding="utf-8"), "not checked"))
    assert main(["report", str(kept), "--data", str(ROOT / "sample_data" / "es-en"), *out]) == 5
    said = capsys.readouterr().out
    for name in (
        "higher is better false before, true now (sets[0].results[0])", "results[0].ranks[0])",
        "units 21 before, 20 now (sets[0].results[0].systems[0])",
        "exact true before, false now (sets[0].results[0].comparisons[3])",
        "settings.interval: bca before, jackknife now", "“All is well”",
        "digest does not match", TAKEN_TEXT,
    ):  # fmt: skip
        assert name in said
    assert "Not reproduced" in report.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["study_tampered.json", "study_score_outside.json"])
def test_a_study_of_another_layout_is_refused(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    data = ["--data", str(ROOT / "sample_data" / "es-en"), "--out", str(tmp_path), "--to", "json"]
    assert main(["report", str(shared / "data" / "attacks" / name), *data]) == 2
    worded(capsys.readouterr().err)


def said_of(record: Any, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Return exit code and words of `mtsig report` on a study with these data."""
    (tmp_path / "study.json").write_text(record if isinstance(record, str) else json.dumps(record), encoding="utf-8")
    out = ["--out", str(tmp_path / "out"), "--to", "markdown"]
    code = main(["report", str(tmp_path / "study.json"), "--data", str(data), *out])
    return code, capsys.readouterr().out


SAMPLE = ROOT / "sample_data" / "es-en"


def test_a_study_that_says_less_is_not_reproduced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, corpus = json.loads(edited_text()), read_sample()
    study = study_of(edited_text())
    again = reproduce(study, corpus).again
    assert again is not None
    (result,) = whole["sets"][0]["results"]
    parts = [(name, part) for name in ("comparisons", "systems") for part in ("header", "columns", "derived")]
    refused, named, same = [], [], []
    for table, key in ((at, key) for at in parts for key in result[at[0]][at[1]]):
        record = deepcopy(whole)
        del record["sets"][0]["results"][0][table[0]][table[1]][key]
        try:
            found = study_of(sealed(record))
        except MtsigError:
            refused.append(key)
            continue
        made = again if found.counted == study.counted else reproduce(found, corpus).again
        if made is not None and not [*again_changes(found, made)]:  # what is as it is where nothing is said
            assert found.plain() == whole, (table, key)
            same.append(key)
        else:
            named.append((table, key))
    assert refused
    assert named
    assert same
    # The shell says the same of the whole, of one without its digest, and of one that is named.
    code, said = said_of(whole, SAMPLE, tmp_path, capsys)
    assert (code, "Reproduced exactly" in said) == (0, True)
    (table, key), *_ = named
    less = deepcopy(whole)
    del less["sets"][0]["results"][0][table[0]][table[1]][key]
    del whole["digest"]
    for record in (whole, sealed(less)):
        code, said = said_of(record, SAMPLE, tmp_path, capsys)
        assert (code, "Not reproduced" in said) == (5, True)


@pytest.mark.parametrize("share", [1e-7, 5e-9, 1e-12])
def test_what_was_chosen_has_no_last_digits(share: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study, again = made("planned")
    record = json.loads(study.text())
    chosen = [
        (path, value)
        for path, value in floats(record)
        if {"level", "adjusted_level", "margin", "points", "alpha"} & set(path) or "settings" in path
    ]
    assert len(chosen) > 8
    for path, value in chosen:
        try:
            found = study_of(sealed(edited(record, path, value * (1 + share))))
        except MtsigError:
            continue
        named = [(told, change.kind) for change in again_changes(found, again) for told in change.paths]
        assert any(told.startswith(written(path)) and kind != "rounding" for told, kind in named), path
    record = json.loads(edited_text())
    put(record, "comparisons", 0, "adjusted_level", lambda level: level * (1 - share))
    code, said = said_of(sealed(record), SAMPLE, tmp_path, capsys)
    assert (code, "adjusted level" in said) == (5, True)


@pytest.mark.parametrize("name", [*EDITED, *slow(*UNEDITED)])
@pytest.mark.parametrize("share", [5e-9, *slow(1e-7)])
def test_a_computed_number_is_held_against_itself(share: float, name: str) -> None:
    study, again = made(name)
    record = json.loads(study.text())
    tried = 0
    for path, value in list(floats(record))[::7]:
        if path[0] in TAKEN or "derived" in path or abs(value) * share < 1e-12:
            continue
        try:
            found = study_of(sealed(edited(record, path, value * (1 + share))))
        except MtsigError:
            continue
        tried += 1
        changes = again_changes(found, again)
        kinds = {one.kind for one in changes if any(told.startswith(written(path)) for told in one.paths)}
        assert kinds, path
        assert "rounding" not in kinds, path
    assert tried > 5


def near(record: dict[str, Any]) -> Iterator[tuple[Place, float, float]]:
    """Yield places with two numbers for them, one at what it is held against in words and one next to that."""
    columns: defaultdict[Place, set[float]] = defaultdict(set)
    for path, value in floats(record):
        columns[tuple(key for key in path if isinstance(key, str))].add(value)
    for path, _ in floats(record):
        if path[0] not in TAKEN:
            beside = columns[tuple(key for key in path if isinstance(key, str))]
            for bound, sign in product({0.0, 0.05, 0.95, 1.5, *sorted(beside)[:3]}, (1, -1)):
                yield path, bound, sign * 1e-13 if bound == 0 else bound * (1 + sign * 5e-10)


def words(study: Study) -> str:
    """Return a study's report, a sign for every number: 0 is not printed as what lies next to it."""
    (report,) = exported(Document(study), ["markdown"]).files.values()
    return re.sub(r"[+−]?(?<![a-z])[\d.]+", "#", report.decode() if isinstance(report, bytes) else report)


@pytest.mark.parametrize("share", [0.02, pytest.param(1.0, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["planned", *slow("over sets", "of ratings", "of preferences")])
def test_no_rounding_changes_a_word_of_the_report(name: str, share: float) -> None:
    record, rng = json.loads(made(name)[0].text()), random.Random(3)
    roundings, others = 0, 0
    for path, at, value in near(record):
        if rng.random() >= share:
            continue
        try:
            one, other = (study_of(sealed(edited(record, path, number))) for number in (at, value))
        except MtsigError:
            continue
        if {change.kind for change in study_changes(one, other)} == {"rounding"}:
            assert words(one) == words(other), (path, at, value)
            roundings += 1
        else:
            others += 1
    assert min(roundings, others) >= 3


@pytest.mark.parametrize(
    ("table", "name", "row", "at", "now", "told"),
    [
        ("systems", "score", 1, None, 1 + 5e-10, "score"),  # as the best has, and then it alone is the best
        ("systems", "score", 1, None, 1 - 5e-10, "score"),
        ("comparisons", "adjusted_ci_low", 0, 0.0, 1e-13, "lower end of the adjusted CI"),  # 0 "excluded"
        ("comparisons", "ci_high", 0, 0.0, -1e-13, "upper end of the CI"),
        ("comparisons", "p_adjusted", 0, 0.05, 1 + 5e-10, "p adjusted"),  # the verdict turns with it
        ("margins", "ci_high", 0, 1.5, 1 + 5e-10, "upper end of the CI"),
        ("comparisons", "p_mc_low", 0, None, 1 - 5e-10, "p mc low"),  # drawn, or not
    ],
)
def test_a_number_on_another_side_is_named(
    table: str, name: str, row: int, at: float | None, now: float, told: str
) -> None:
    record = json.loads(made("planned")[0].text())
    other = deepcopy(record)
    before, after = (study["sets"][0]["results"][0][table] for study in (record, other))
    if table == "margins":
        (before,), (after,) = before, after
    columns = before["columns"]
    bound = at if at is not None else columns["score"][0] if name == "score" else columns["p_value"][row]
    columns[name][row], after["columns"][name][row] = bound, now if at == 0 else bound * now
    changes = study_changes(study_of(sealed(record)), study_of(sealed(other)))
    assert any(change.kind != "rounding" and f"{told} " in change.text for change in changes), changes
    assert not are_roundings(changes)


def floats(value: Any, path: Place = ()) -> Iterator[tuple[Place, float]]:
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from floats(item, (*path, key))
    elif isinstance(value, float):
        yield path, value


def test_a_system_left_out_that_is_taken_away_leaves_a_trace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = read_sample()
    few = corpus.select(list(corpus.systems)[:3])
    study = conduct(few, Request((metric("chrf"),), QUICK))
    assert reproduce(study, corpus).changes == ()
    record = json.loads(study.text())
    (part,) = record["sets"]
    gone = [text["name"] for text in part["texts"] if text["role"] == "system left out"]
    part["texts"] = [text for text in part["texts"] if text["role"] != "system left out"]
    for table in ("notes", "warnings"):
        record[table] = [text for text in record[table] if not any(name in text for name in gone)]
    code, said = said_of(sealed(record), SAMPLE, tmp_path, capsys)
    assert (code, "data.digest" in said) == (5, True)
    # Who makes that digest anew, too, has what would be written had these systems come later.
    part["data"]["digest"] = as_known(few, study.data, ()).digest
    code, said = said_of(sealed(record), SAMPLE, tmp_path, capsys)
    worded(said, f"{len(gone)} systems")
    assert gone[0] in said
    assert code == 0, said  # as where these systems came later
    assert "does not mention" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("before", "now", "told"), [(0.0, -0.0, True), (0, 0.0, True), (0.0, 0.0, False)])
def test_a_zero_of_another_sign_or_kind_is_told(before: float, now: float, told: bool) -> None:
    assert bool(list(leaves({"score": [before]}, {"score": [now]}))) == told
