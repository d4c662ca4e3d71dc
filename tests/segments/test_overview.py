"""`mtsig segments`: JSON, tables, CSV, sorting, searching, and what is wrong.

Which segments are looked at, and in which order; expressions are searched or refused within bounds.
"""

import csv
import io
import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kept import parts, worded
from made import ROOT, made_corpus, write
from sampled import slow

from mtsig import Corpus, MtsigError, Rating, Settings, measure, read_sample
from mtsig.cli import main
from mtsig.errors import InvalidOption, NotApplicable, UnknownName
from mtsig.report._segments import segments_bundle, segments_page
from mtsig.segments import BUCKETS, Contributions, _overview, buckets_of, contributions, overview
from mtsig.segments import _overview as choosing
from mtsig.segments._overview import SORTS, Wanted, _compiled, chosen, disagreement, searched, sorts_of

Run = Callable[..., tuple[str, str]]
PAIR = ("--pair", "sys0", "sys2")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def called(*arguments: object) -> tuple[str, str]:
        code = main(["segments", *map(str, arguments)])
        told = capsys.readouterr()
        assert code == 0, told.err
        return told.out, told.err

    return called


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def called(*arguments: object) -> str:
        assert main(["segments", *map(str, arguments)]) == 2
        return capsys.readouterr().err

    return called


def as_json(run: Run, *arguments: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--format", "json")[0])
    return found


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write(tmp_path / "data", made_corpus(60, documents=12))


def test_json_holds_every_segment_and_what_it_takes_to_make_it_again(run: Run, data: Path) -> None:
    corpus = made_corpus(60, documents=12)
    found = as_json(run, "--data", data, *PAIR, "--metric", "ter", "--seed", "7", "--level", ".9", "--sort", "number")
    statistics = measure(corpus, "ter")
    assert (found["metric"], found["signature"], found["pair"]) == ("TER", statistics.signature, ["sys0", "sys2"])
    assert (found["unit"], found["level"], found["seed"]) == ("document", 0.9, 7)
    assert (found["schema"], found["settings"]["n_resamples"]) == ("mtsig/3", 10_000)
    assert found["data"]["digest"].startswith("sha256:")
    assert found["data"]["segments"] == 60
    rows = found["segments"]
    assert [row["segment"] for row in rows] == list(range(1, 61))
    assert [row["document"] for row in rows] == list(corpus.documents or ())
    score = dict(zip(statistics.systems, statistics.scores, strict=True))
    assert found["difference"] == pytest.approx(score["sys2"] - score["sys0"])
    assert sum(row["contribution"] for row in rows) == pytest.approx(found["difference"])
    assert sum(row["contribution"] for row in found["documents"]) == pytest.approx(found["difference"])
    assert sum(row["share"] for row in found["documents"]) == pytest.approx(1)
    alone = statistics.segment_scores
    for i in (0, 31, 59):
        assert rows[i]["first_score"] == alone[statistics.row("sys0"), i]
        assert rows[i]["second_score"] == alone[statistics.row("sys2"), i]
        assert rows[i]["first_length"] == len(corpus.lines("sys0")[i])
        assert rows[i]["length"] == len(corpus.references["ref0"][i] or "")


def test_json_holds_the_leverage_by_documents_or_by_segments(run: Run, data: Path) -> None:
    documents = as_json(run, "--data", data, *PAIR)["leverage"]
    assert (documents["unit"], documents["units"], len(documents["curve"])) == ("document", 12, 3)
    assert set(documents["left_out"]) < {f"doc{i}" for i in range(12)}
    found = as_json(run, "--data", data, *PAIR, "--unit", "segment", "--resamples", "500")
    segments, rows = found["leverage"], {row["segment"]: row["contribution"] for row in found["segments"]}
    assert list(segments["curve"][0]) == ["k", "difference", "ci_low", "ci_high", "random", "random_low", "random_high"]
    assert [row["k"] for row in segments["curve"]] == list(range(13))
    pushes = [rows[number] for number in segments["left_out"]]
    assert pushes == sorted(rows.values(), reverse=True)[:12]
    assert segments["curve"][0]["difference"] == pytest.approx(found["difference"])


def test_the_test_is_made_again_where_the_verdict_turns(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = made_corpus(80, systems=2, documents=0, seed=4)
    folder = write(tmp_path, corpus)
    found = as_json(run, "--data", folder, "--metric", "sentchrf", "--test", "t")["leverage"]
    units = found["holds_until"]["units"]
    assert found["holds_until"]["share"] == units / 80
    worded(found["sentence"], f"{units} segments", f"{100 * units / 80:.1f}%")
    left_out = np.array(found["left_out"][:units]) - 1
    rest = corpus.take(np.setdiff1d(np.arange(80), left_out))
    again = Settings(test="t").family(measure(rest, "sentchrf"))[0]
    assert found["again"]["p_value"] == pytest.approx(again.p_value)
    assert found["again"]["p_value"] > 0.05
    assert found["again"]["units"] == 80 - units
    # One fewer, and the interval, which is Student's here, still leaves out 0.
    kept = corpus.take(np.setdiff1d(np.arange(80), left_out[:-1]))
    assert Settings(test="t").family(measure(kept, "sentchrf"))[0].p_value <= 0.05
    _, told = run("--data", folder, "--metric", "sentchrf", "--test", "t")
    worded(told, f"{80 - units} segments")
    monkeypatch.setattr(_overview, "TESTED", 80 * 1_000 - 1)
    many = as_json(run, "--data", folder, "--metric", "sentchrf", "--resamples", "1000")["leverage"]
    assert many["again"] is None
    worded(many["untested"], "1,000 resamples", "80 segments")


def test_documents_too_few_to_be_tested_again_are_said_so() -> None:
    # Ten documents of four segments: one decides, the others go up and down.
    first = np.repeat([0.5, 0.02, -0.02, 0.02, -0.02, 0.02, -0.02, 0.02, -0.02, 0.02], 4)
    corpus = Corpus.of(
        {"a": None, "b": None},
        documents=[f"d{i // 4}" for i in range(40)],
        ratings={"judged": Rating(np.stack([first, np.zeros(40)]), higher_is_better=True)},
    )
    found = overview(corpus, measure(corpus, "rating:judged"), "a", "b", Settings(level=0.5))
    assert (found.leverage.unit, found.leverage.interval) == ("document", "jackknife")
    worded(found.leverage.sentence, "1 document", "10.0%")
    assert found.again is None
    worded(found.untested, "9")


def test_the_order_and_the_number_of_segments(run: Run, data: Path) -> None:
    def numbers(*more: object) -> list[tuple[int, float, int]]:
        rows = as_json(run, "--data", data, *PAIR, *more)["segments"]
        return [(row["segment"], row["contribution"], row["length"]) for row in rows]

    all_of_them = numbers("--sort", "number")
    assert numbers() == sorted(all_of_them, key=lambda row: -row[1])
    assert numbers("--sort", "against") == sorted(all_of_them, key=lambda row: row[1])
    assert numbers("--sort", "absolute") == sorted(all_of_them, key=lambda row: -abs(row[1]))
    assert numbers("--sort", "length") == sorted(all_of_them, key=lambda row: -row[2])
    assert numbers("--top", "3") == numbers()[:3]


def test_what_favours_the_system_that_is_ahead_comes_first(run: Run, data: Path) -> None:
    def listed(first: str, second: str, *more: str) -> list[int]:
        rows = as_json(run, "--data", data, "--pair", first, second, "--top", "5", *more)["segments"]
        return [row["segment"] for row in rows]

    one, other = listed("sys0", "sys1"), listed("sys1", "sys0")
    assert (
        one == other == listed("sys0", "sys1", "--sort", "contribution") != listed("sys0", "sys1", "--sort", "against")
    )


def test_search_looks_into_references_and_the_two_outputs_alone() -> None:
    corpus = Corpus.of(
        {"x": ["One fish", "b", "c", "d"], "y": ["a", "two FISH", "c", "d"], "z": ["a", "b", "c", "fish"]},
        {"ref": ["a", "b", "Fishes", "d"]},
    )
    found = overview(corpus, measure(corpus, "ter"), "x", "y", search="fish", sort="number")
    assert [row.segment for row in found.segments] == [1, 2, 3]
    assert len(found.contributions.numbers) == 4


def test_buckets_are_counted_with_what_they_add() -> None:
    corpus = made_corpus(30, systems=2, documents=0)
    statistics = measure(corpus, "chrf")
    odd, few = np.arange(30) % 2 == 1, np.arange(30) < 4
    buckets = {"number": odd, "entity": few}
    found = overview(corpus, statistics, "sys0", "sys1", buckets=buckets, within=["entity"], sort="number")
    assert [row.segment for row in found.segments] == [1, 2, 3, 4]
    assert [row.buckets for row in found.segments] == [("entity",), ("number", "entity")] * 2
    values = found.contributions.values
    assert [(row.name, row.count) for row in found.buckets] == [("number", 15), ("entity", 4)]
    assert found.buckets[0].contribution == pytest.approx(values[odd].sum())
    assert found.buckets[1].share_of_difference == pytest.approx(values[few].sum() / values.sum())
    with pytest.raises(UnknownName, match=r"no bucket called 'entitx'\. Did you mean 'entity'"):
        overview(corpus, statistics, "sys0", "sys1", buckets=buckets, within=["entitx"])


def with_numbers() -> Corpus:
    made = made_corpus(30, systems=2, documents=0)
    letters = str.maketrans("0123456789", "abcdefghij")
    outputs = {name: [f"{line.translate(letters)} in 1987" for line in made.lines(name)] for name in made.systems}
    outputs["sys1"][4] = outputs["sys1"][4].replace("1987", "1978")
    outputs["sys1"][9] = outputs["sys0"][9]
    reference = [f"{(line or '').translate(letters)} in 1987" for line in made.references["ref0"]]
    return Corpus.of(outputs, {"ref": reference})


def test_a_bucket_is_asked_for_by_its_name(run: Run, refused: Callable[..., str], tmp_path: Path) -> None:
    corpus = with_numbers()
    data = ("--data", write(tmp_path, corpus), "--metric", "chrf")
    found = as_json(run, *data, "--bucket", "number", "identical", "--sort", "number")
    shown = {row["segment"]: row["buckets"] for row in found["segments"]}
    alike = [i for i, (x, y) in enumerate(zip(*corpus.outputs.values(), strict=True), 1) if x == y]
    assert 10 in alike
    assert list(shown) == sorted([5, *alike])
    assert "number" in shown[5]
    assert all(shown[i] == ["identical"] for i in alike)
    counts = {row["name"]: row["count"] for row in found["buckets"]}
    assert list(counts) == [name for name in BUCKETS if name in counts]
    asked = {"within": ["number", "identical"], "search": "", "sort": "number", "top": None}
    assert found["asked"] == asked
    assert (counts["number"], counts["identical"]) == (1, len(alike))
    (differs,) = [row["contribution"] for row in found["segments"] if row["segment"] == 5]
    (row,) = [row for row in found["buckets"] if row["name"] == "number"]
    assert row["contribution"] == pytest.approx(differs)
    assert "number differs" in run(*data)[0]
    assert "invalid choice: 'numbers'" in refused(*data, "--bucket", "numbers")


def test_a_bucket_that_nothing_is_known_of_is_said_so(refused: Callable[..., str], tmp_path: Path) -> None:
    corpus = Corpus.of({"x": ["a b", "c d"], "y": ["a c", "c d"]}, {"ref": ["a b", "c d"]})
    left_out = buckets_of(corpus, "x", "y").left_out
    assert left_out
    for name, why in left_out.items():
        told = refused("--data", write(tmp_path, corpus), "--metric", "ter", "--bucket", name)
        assert f"Bucket {name!r}: {why}" in told


def test_html_is_one_file_of_cards_that_asks_for_nothing(run: Run, tmp_path: Path) -> None:
    made = with_numbers()
    lines = [f"<script>alert(1)</script>\u202e {line}" for line in made.lines("sys0")]
    corpus = Corpus.of({"sys0": lines, "a&<b>": made.lines("sys1")}, made.references)
    statistics = measure(corpus, "chrf")
    found = overview(corpus, statistics, "sys0", "a&<b>", Settings(seed=3), buckets=buckets_of(corpus, "sys0", "a&<b>"))
    page = segments_page(found, corpus)
    assert page.startswith("<!DOCTYPE html>")
    assert page.count('<article class="seg-card">') == 30
    for wrong in ("<script", "src=", "href=", "\u202e", "<b>alert", "a&<b>"):
        assert wrong not in page
    worded(parts(page, "sensitivity"))
    assert "number differs" in page
    data = ("--data", write(tmp_path / "data", with_numbers()), "--metric", "chrf", "--format", "html", "--seed", "3")
    printed, _ = run(*data)
    assert run(*data, "-o", tmp_path / "cards.html")[0] == printed
    assert (tmp_path / "cards.html").read_text(encoding="utf-8") == printed
    assert run(*data, "--top", "2")[0].count("<article") == 2


def test_what_an_overview_cannot_show() -> None:
    corpus = made_corpus(30, systems=2, documents=0)
    statistics = measure(corpus, "chrf")
    with pytest.raises(UnknownName, match="order of segments"):
        overview(corpus, statistics, "sys0", "sys1", sort="size")
    with pytest.raises(InvalidOption, match="At least one segment"):
        overview(corpus, statistics, "sys0", "sys1", top=0)


def test_the_table_says_what_it_shows(run: Run, data: Path) -> None:
    out, _ = run("--data", data, *PAIR, "--unit", "segment", "--top", "4")
    worded(parts(out, "sys0 minus sys2", "4 of 60", "sensitivity"))
    assert out.count("doc") == 4 + 1  # and the title of the column
    assert "0.0%" in out
    finding, _, *rows = out.partition("sys0 minus")[0].strip().splitlines()
    worded(finding)
    assert len(rows) == 1 + 4
    assert len(run("--data", data, *PAIR)[0].partition("sys0 minus")[0].strip().splitlines()) == 2 + 1 + 20


def test_names_and_texts_from_files_do_nothing_in_the_table(run: Run, tmp_path: Path) -> None:
    made = made_corpus(30, systems=2, documents=0)
    lines = [f"\x1b[2J\u202e{line} <b>" for line in made.outputs["sys0"]]
    corpus = Corpus.of({"sys0": lines, "sys1": made.outputs["sys1"]}, made.references, documents=["\x1b[1m"] * 30)
    out, _ = run("--data", write(tmp_path, corpus), "--metric", "chrf")
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert r"\x1b[2J\u202e" in out
    again, _ = run("--data", tmp_path, "--metric", "chrf", "--format", "json")
    assert "\x1b" not in again
    assert json.loads(again)["segments"][0]["document"] == "\x1b[1m"


def test_runs_again_to_the_same_bytes_and_writes_them_too(run: Run, data: Path, tmp_path: Path) -> None:
    for style in ("json", "csv"):
        printed, _ = run("--data", data, *PAIR, "--format", style)
        assert run("--data", data, *PAIR, "--format", style)[0] == printed
        file = tmp_path / f"segments.{style}"
        again, told = run("--data", data, *PAIR, "--format", style, "-o", file)
        assert again == printed
        assert str(file) in told.splitlines()
        assert file.read_text(encoding="utf-8") == printed
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert len(rows) == 60
    assert list(rows[0])[:3] == ["segment", "document", "contribution"]
    other = as_json(run, "--data", data, *PAIR, "--seed", "2")["leverage"]["curve"][2]
    assert other["random_low"] != as_json(run, "--data", data, *PAIR)["leverage"]["curve"][2]["random_low"]


def test_no_segment_is_a_header_alone(run: Run, data: Path, tmp_path: Path) -> None:
    all_of_them, _ = run("--data", data, *PAIR, "--format", "csv")
    none, _ = run("--data", data, *PAIR, "--format", "csv", "--search", "xyzzy")
    assert none.splitlines() == all_of_them.splitlines()[:1]
    run("--data", data, *PAIR, "--format", "csv", "--search", "xyzzy", "--out", tmp_path / "none.csv")
    assert (tmp_path / "none.csv").read_text(encoding="utf-8") == none


@pytest.mark.parametrize("n", [1, 2])
def test_one_or_two_segments(run: Run, tmp_path: Path, n: int) -> None:
    corpus = Corpus.of({"x": ["a b c", "d e f"][:n], "y": ["a b x", "d e f"][:n]}, {"ref": ["a b c", "d e g"][:n]})
    found = as_json(run, "--data", write(tmp_path, corpus), "--metric", "ter")
    assert len(found["segments"]) == n
    assert found["leverage"]["holds_until"] is None
    assert (found["leverage"]["curve"][0]["ci_low"] is None) == (n == 1)
    why = (
        "has no jackknife interval, so it is unknown when the verdict would change"
        if n == 1
        else "The difference is not significant: "
    )
    assert why in run("--data", tmp_path, "--metric", "ter")[0]


def test_equal_systems(run: Run, tmp_path: Path) -> None:
    made = made_corpus(30, documents=0)
    corpus = Corpus.of({"x": made.outputs["sys0"], "y": made.outputs["sys0"]}, made.references, documents=["d"] * 30)
    found = as_json(run, "--data", write(tmp_path, corpus))
    assert found["difference"] == 0
    assert {row["contribution"] for row in found["segments"]} == {0}
    assert found["documents"][0]["share"] is None
    assert found["leverage"]["holds_until"] is None


def test_ratings_alone_have_no_texts(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "ratings.tsv"
    table.write_text("A\tB\n" + "".join(f"{i % 5}\t{i % 3}\n" for i in range(25)), encoding="utf-8")
    found = as_json(run, "--ratings", f"judged={table}:higher", "--sort", "number")
    assert [row["contribution"] for row in found["segments"]] == pytest.approx(
        [(i % 5 - i % 3) / 25 for i in range(25)]
    )
    assert {row["length"] for row in found["segments"]} == {None}
    assert {row["first_length"] for row in found["segments"]} == {None}
    assert found["buckets"] == []


def test_the_sample_by_every_default(run: Run) -> None:
    corpus = read_sample()
    found = overview(corpus, measure(corpus, "bleu"), "direct", "via-catalan")
    assert found.leverage.unit == "document"
    assert len(found.segments) == 200
    assert len(found.documents) == 20
    assert found.to_frame().shape == (200, 9)
    worded(parts(found._repr_html_(), "sensitivity"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "--pair FIRST SECOND"),
        (("--pair", "sys0", "nobody"), "Known: sys0"),
        (("--pair", "sys0", "sys0"), "itself"),
        ((*PAIR, "--metric", "bleu", "ter"), "This command uses one metric"),
        ((*PAIR, "--top", "0"), "At least one segment"),
        ((*PAIR, "--sort", "size"), "invalid choice: 'size'"),
        ((*PAIR, "--level", "95"), "0.5 to 0.9999"),
        ((*PAIR, "--out", "x.txt"), "a file that ends in .json, .csv, .md, .tex, .html"),
    ],
)
def test_what_is_wrong_is_told(
    refused: Callable[..., str], data: Path, arguments: tuple[str, ...], message: str
) -> None:
    assert message in refused("--data", data, *arguments)


def test_without_source_and_reference_there_is_no_order_by_length(refused: Callable[..., str], tmp_path: Path) -> None:
    table = tmp_path / "ratings.tsv"
    table.write_text("A\tB\n1\t2\n2\t2\n", encoding="utf-8")
    worded(refused("--ratings", f"judged={table}:higher", "--sort", "length"))


@pytest.mark.parametrize("style", ["table", "markdown", "csv", "json", "html"])
def test_a_part_shows_its_own_texts_under_the_numbers_of_the_whole(run: Run, tmp_path: Path, style: str) -> None:
    # Even numbers have long references, and are the part; every output tells its number.
    tails = ["" if number % 2 else " with a long end" for number in range(1, 41)]
    right = [
        f"well then a word{number:02} is {'right' if number % 4 else 'wrong'} here{tails[number - 1]}"
        for number in range(1, 41)
    ]
    wrong = [line.replace("is", "was") for line in right]
    reference = [line.replace("wrong", "right") for line in right]
    folder = write(tmp_path, Corpus.of({"A": right, "B": wrong}, {"ref": reference}))
    part = ("--data", folder, "--subset", "length:2=long", "--pair", "A", "B", "--metric", "sentchrf")
    printed, _ = run(*part, "--sort", "number", "--format", style)
    if style in ("json", "csv"):
        found = json.loads(printed) if style == "json" else {"segments": list(csv.DictReader(io.StringIO(printed)))}
        assert [int(row["segment"]) for row in found["segments"]] == list(range(2, 41, 2))
        if style == "json":
            pushes = {row["segment"]: row["contribution"] for row in found["segments"]}
            left_out = [pushes[number] for number in found["leverage"]["left_out"]]
            assert left_out == sorted(pushes.values(), reverse=True)[: len(left_out)]
            assert left_out
    elif style == "html":
        cards = re.split(r"<b>#(\d+)</b>", printed)[1:]
        assert [int(number) for number in cards[::2]] == list(range(2, 41, 2))
        for number, card in zip(cards[::2], cards[1::2], strict=True):
            assert {int(said) for said in re.findall(r"word(\d\d)", card)} == {int(number)}
    else:
        rows = re.findall(r"^\W*(\d+) .*?word(\d\d) is .*?word(\d\d) was ", printed, re.MULTILINE)
        assert [int(number) for number, *_ in rows] == list(range(2, 41, 2))
        assert all(int(number) == int(first) == int(second) for number, first, second in rows)


def test_with_gaps_segments_and_documents_keep_their_names() -> None:
    rng = np.random.default_rng(2)
    ratings = np.stack([rng.normal(0.8, 1, 96), rng.normal(0, 1, 96)])
    ratings[1, :8] = np.nan  # the first two documents, and the first segment of the fourth
    ratings[0, 12] = np.nan
    corpus = Corpus.of(
        {"a": None, "b": None},
        documents=[f"d{i // 4}" for i in range(96)],
        ratings={"judged": Rating(ratings, higher_is_better=True)},
    )
    settings = Settings(n_resamples=500)
    found = overview(corpus, measure(corpus, "rating:judged"), "a", "b", settings, sort="number")
    assert [row.segment for row in found.segments[:6]] == [9, 10, 11, 12, 14, 15]
    assert [(row.document, row.segments) for row in found.documents[:3]] == [("d2", 4), ("d3", 3), ("d4", 4)]
    assert (found.leverage.unit, found.leverage.n) == ("document", 22)
    sums = {row.document: row.contribution for row in found.documents}
    left_out = segments_bundle(corpus, settings, found)["leverage"]["left_out"]
    assert left_out == sorted(sums, key=lambda name: -sums[name])[:4]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return read_sample()


@pytest.fixture(scope="module")
def found(corpus: Corpus) -> Contributions:
    return contributions(measure(corpus, "chrf"), "direct", "via-catalan")


def numbers(corpus: Corpus, found: Contributions, **wanted: object) -> list[int]:
    return found.numbers[chosen(corpus, found, Wanted(**wanted), "number")].tolist()  # type: ignore[arg-type]


def test_orders_are_those_of_the_numbers_they_are_called_after(corpus: Corpus, found: Contributions) -> None:
    values = found.values.tolist()
    sources = corpus.segments.sources
    assert sources is not None
    keys = {
        "contribution": lambda i: -values[i],
        "against": lambda i: values[i],
        "absolute": lambda i: -abs(values[i]),
        "length": lambda i: -len(sources[i]),
        "number": lambda i: i,
    }
    assert set(keys) == set(SORTS) == set(sorts_of(corpus))
    for name, key in keys.items():
        assert chosen(corpus, found, sort=name).tolist() == sorted(range(found.statistics.n), key=key), name


def test_a_text_is_looked_for_in_every_line_in_upper_or_lower_case(corpus: Corpus, found: Contributions) -> None:
    lines = [corpus.segments.sources, *corpus.references.values(), corpus.lines("direct"), corpus.lines("via-catalan")]
    wanted = "water"
    expected = [i for i in range(len(corpus)) if any(wanted in (text[i] or "").lower() for text in lines if text)]
    assert 0 < len(expected) < len(corpus)
    assert numbers(corpus, found, search="WATER") == expected
    assert numbers(corpus, found, search="/w[a]ter/") == expected
    assert numbers(corpus, found, search="no line has this") == []


def test_numbers_are_asked_for_as_cards_show_them(corpus: Corpus, found: Contributions) -> None:
    assert numbers(corpus, found, search="#7") == [6]
    assert numbers(corpus, found, search=" #7, #12 #200 #9999") == [6, 11, 199]
    assert numbers(corpus, found, search="#7 water") == []


def test_a_regular_expression_that_is_none_or_never_ends_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = made_corpus(n=20, systems=2, documents=0, references=1)
    corpus = Corpus.of({name: ["a" * 40 + "!"] * 20 for name in corpus.systems}, {"ref": ["b " * 9] * 20})
    found = contributions(measure(corpus, "ter"), *corpus.systems)
    with pytest.raises(InvalidOption, match=r"/\(/ is not a regular expression"):
        chosen(corpus, found, Wanted(search="/(/"))
    with pytest.raises(InvalidOption, match="not a regular expression: too deep"):
        chosen(corpus, found, Wanted(search="/" + "(" * 450 + "a" + ")" * 450 + "/"))
    with pytest.raises(InvalidOption, match="at most 1,000 characters; found 2,000"):
        chosen(corpus, found, Wanted(search="/" + "a" * 2000 + "/"))
    monkeypatch.setattr(choosing, "SEARCH_SECONDS", 0.2)
    began = time.process_time()
    with pytest.raises(NotApplicable, match=r"takes more than 0\.2 seconds"):
        chosen(corpus, found, Wanted(search="/(a|aa)+$/"))
    assert time.process_time() - began < 10


def test_filters_leave_what_they_say(corpus: Corpus, found: Contributions) -> None:
    values, documents = found.values, corpus.documents
    assert documents is not None
    name = documents[7]
    assert numbers(corpus, found, document=name) == [i for i in range(len(corpus)) if documents[i] == name]
    assert numbers(corpus, found, side="first") == np.flatnonzero(values > 0).tolist()
    assert numbers(corpus, found, side="second") == np.flatnonzero(values < 0).tolist()
    assert numbers(corpus, found, side="neither") == np.flatnonzero(values == 0).tolist()
    assert numbers(corpus, found, only=frozenset({3, 9})) == [3, 9]
    assert numbers(corpus, found, domain="news") == []
    low, high = 0.0, float(np.quantile(values, 0.9))
    assert numbers(corpus, found, push=(low, high)) == np.flatnonzero((values >= low) & (values <= high)).tolist()
    second, first = (20.0, 60.0), (40.0, 100.0)
    inside = [i for i in range(len(corpus)) if 20 <= found.scores[1, i] <= 60 and 40 <= found.scores[0, i] <= 100]
    assert numbers(corpus, found, scores=(second, first)) == inside
    lengths = [len(text) for text in corpus.segments.sources or ()]
    assert numbers(corpus, found, lengths=(50, 90)) == [i for i in range(len(corpus)) if 50 <= lengths[i] <= 90]


def test_buckets_are_joined_and_everything_else_is_cut(corpus: Corpus, found: Contributions) -> None:
    even, third = np.arange(len(corpus)) % 2 == 0, np.arange(len(corpus)) % 3 == 0
    wanted = Wanted(within=("even", "third"), side="first")
    kept = chosen(corpus, found, wanted, "number", {"even": even, "third": third})
    assert kept.tolist() == np.flatnonzero((even | third) & (found.values > 0)).tolist()
    with pytest.raises(UnknownName):
        chosen(corpus, found, wanted, masks={"even": even})
    with pytest.raises(UnknownName):
        chosen(corpus, found, sort="beauty")


def test_disagreement_is_largest_where_two_metrics_point_apart(corpus: Corpus, found: Contributions) -> None:
    other = contributions(measure(corpus, "bleu"), "direct", "via-catalan")
    apart = disagreement(found, other)
    mine, yours = found.values / np.std(found.values), other.values / np.std(other.values)
    np.testing.assert_allclose(apart, abs(mine - yours))
    order = chosen(corpus, found, sort="against BLEU", keys={"against BLEU": apart})
    assert order[0] == int(np.argmax(apart))
    np.testing.assert_allclose(disagreement(found, found), 0, atol=1e-15)


resource = pytest.importorskip("resource")

CHILD = """
import json, resource, sys
from mtsig import Corpus, MtsigError
from mtsig.segments import _overview
from mtsig.segments._overview import searched
_overview.SEARCH_SECONDS = 0.3
lines = ["the cat sat, 12 of 1999: " + "a" * 60 + "!", "Ünïcode słowa 漢字仮名 الكلمة", "", "ab " * 400]
corpus = Corpus.of({"one": lines, "two": lines[::-1]}, {"ref": lines})
searched(corpus, ["one"], "/a/")
here = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (here + 2**29, here + 2**29))
for pattern in json.load(sys.stdin):
    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = int(used.ru_utime + used.ru_stime)
    # The search may take 0.3 seconds; the rest is for reading the expression.
    resource.setrlimit(resource.RLIMIT_CPU, (spent + 5, resource.RLIM_INFINITY))
    print(json.dumps(pattern), flush=True)
    try:
        found = searched(corpus, ["one", "two"], f"/{pattern}/").tolist()
    except MtsigError as error:
        assert "\\n" not in str(error).replace(pattern, ""), error
        found = str(error)
    print(json.dumps(found), flush=True)
"""
"""Half a GB and five seconds for each: to read one that takes more is a MemoryError, or ends the process."""

ATOMS = [
    "a", ".", r"\w", r"\p{L}", r"[\p{Han}\p{Latin}]", "[a-z]", "(?<=a)", "(?<!b)", "(?=.*c)", r"\X", "(?P<x>a)(?P=x)",
    "(?:ab|cd)", r"\b", "[^,]", "é", "(?i:ß)", "(?>a+)", "(?|(a)|(b))", "(?:cat){e<=2}", "(?R)?", r"\m", "(?r)b",
    "(?#note)", "(?V1)[[a-z]--[aeiou]]", r"\N{LATIN SMALL LETTER A}", "(?(DEFINE)(?P<y>a{3}))(?&y)", "$", "^",
]  # fmt: skip
COUNTS = [
    "", "", "*", "+", "?", "+?", "*+", "{3}", "{2,}", "{0,99999999}", "{99999999}", "{999,99999}", "{1000}", "{,50}",
    "{4294967294}", "{e<=99999}", "{99999999}+", "{ 9 }", "{0000000099999999}",
]  # fmt: skip
KNOWN = [
    "(?P<x>a)(?P=x){99999999}", "a{99999999}", "((a{1000}){1000}){1000}", "(?x)a{9 9 9 9 9 9 9 9}",
    "(?sx:a{99999#\n999})", "(?x)a # [\n{99999999} # ]", r"\p{L}{9999999}b", "[[a]{99999999}]{99999999}",
    r"(\)){99999999}", "(a+)+$", "(a|aa)+$", "(a*)*b", "(?:a?){5000}a{5000}", "(" * 450 + "a" + ")" * 450,
    "(a" * 300 + ")+" * 300, "|".join("ab" for _ in range(300)), "(?=" * 200 + "a" + ")" * 200, "(?:.*,){40}x",
    r"(\w+\s?)+(?<=(a+)+)!", "(?:(?:(?:a{9}){9}){9}){9}", "(?R)(?R)", "(a(?1)?b)+", "(?e)(?:the cat sat){e}",
    "(?b)(?:" + "a" * 200 + "){e<=50}", "[" + "a-z" * 300 + "]+", r"(?i)" + "ß" * 400, "a" * 1001,
    "(a)(?:(?#x)){9999}(?#){9999}{9999}",
]  # fmt: skip


def made(rng: random.Random, depth: int) -> str:
    """Return an expression of nested groups, counts, classes, back references and looks behind."""
    if depth == 0:
        return rng.choice(ATOMS) + rng.choice(COUNTS)
    inside = "".join(made(rng, depth - 1) for _ in range(rng.randint(1, 3)))
    return rng.choice(["({})", "(?:{})", "(?={})", "(?<={})", "{}|a", "(?P<n>{})", "(?i:{})"]).format(
        inside
    ) + rng.choice(COUNTS)


def results(patterns: list[str]) -> dict[str, object]:
    """Return what comes of each, found or refused, by a process that ends when one takes too much."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD], input=json.dumps(patterns), capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, (done.returncode, told[-1:], done.stderr[-2000:])
    return dict(zip(told[::2], told[1::2], strict=True))


def test_an_expression_that_takes_too_much_is_refused_before_it_does() -> None:
    found = results(KNOWN)
    assert [
        pattern for pattern in KNOWN[:9] if not re.search("has too many repetitions|flag x", str(found[pattern]))
    ] == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *slow(1, 2, 3)])
def test_made_expressions_stay_within_memory_and_time(seed: int) -> None:
    rng = random.Random(seed)
    patterns = list(dict.fromkeys(made(rng, rng.randint(0, 4)) for _ in range(60)))
    found = results(patterns)
    assert len(found) == len(patterns)
    assert {type(each) for each in found.values()} == {str, list}  # refused, and looked for


@pytest.mark.parametrize(
    "pattern",
    [r"(?<=the )\w+", r"[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]+", r"(\w+ ){3,}", r"\p{Lu}\p{Ll}{3,}", r".{60,}",
     r"(?!the)\b\w{12,}\b", r"(\w)\1", r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}|water"],
)  # fmt: skip
def test_what_people_look_for_is_found_as_before(pattern: str) -> None:
    import regex

    corpus = read_sample()
    columns = [corpus.segments.sources or (), *corpus.references.values(), corpus.lines("direct")]
    expected = [any(regex.search(pattern, line, regex.I) for line in lines) for lines in zip(*columns, strict=True)]
    assert searched(corpus, ["direct"], f"/{pattern}/").tolist() == expected
    assert any(expected)


def test_a_refusal_says_what_was_found_and_what_to_do() -> None:
    corpus = read_sample()
    parts = contributions(measure(corpus, "bleu"), "direct", "via-catalan")
    with pytest.raises(
        MtsigError, match=r"/a\{99999999\}/ has too many repetitions.*more than 100,000 characters\. Use smaller"
    ):
        chosen(corpus, parts, Wanted(search="/a{99999999}/"))
    with pytest.raises(MtsigError, match="has the flag x, which is not supported; write it without"):
        searched(corpus, [], "/(?x) a/")


def test_the_command_line_refuses_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    data, pattern = str(ROOT / "sample_data" / "es-en"), "/(?P<x>a)(?P=x){99999999}/"
    assert main(["segments", "--data", data, "--pair", "direct", "via-catalan", "--search", pattern]) == 2
    worded(capsys.readouterr().err)


PIECES = r"""
a ( ) [ ] {2} {1, * + ? | \ ^ $ . (?a) (?L) (?u) (?V1) (?e) (?P<n> (?P=n) (?(n) (?1) (?R) (?&n) \1 \g< \p{L \N{ [[:a --
&& ~~ (?<= (?! (?> (?| {e<=1} {i<2,d<3} \L<x> \K \G (*SKIP) (?# \x \u12 -i: (?i-s:
"""


def test_whatever_is_no_expression_is_told_in_a_sentence() -> None:
    rng, refused = random.Random(0), 0
    for pattern in (
        "(?a)(?L)x",
        "(?a)(?u)x",
        "(?L)x",
        *("".join(rng.choices(PIECES.split(), k=5)) for _ in range(3000)),
    ):
        try:
            _compiled(pattern)
        except InvalidOption:
            refused += 1
    assert refused > 1000
