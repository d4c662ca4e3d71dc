"""Margins: shown, not shown, or withheld with the reason; never shown where the data carry no verdict."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from kept import worded
from made import CHINESE, Run, edited_reference, flat, made_corpus, rated, translated
from numpy.typing import ArrayLike

import mtsig
from mtsig import Corpus, Rating, Settings, Study, measure, metric, power_analysis, verdict
from mtsig._say import equivalence_text
from mtsig.errors import InvalidOption, MtsigError, ReadError
from mtsig.gate import judge
from mtsig.inference import compare, equivalence, non_inferiority, smallest_detectable
from mtsig.inference._margins import MarginResult, against_margin, one_more_document, within
from mtsig.metrics import Metric, Rated
from mtsig.report._diagnostics import power_table
from mtsig.report._table import markdown_table
from mtsig.report._tables import margin_table
from mtsig.study import Margin, Request, conduct, study_of
from mtsig.study._changes import study_changes
from mtsig.study._reading import read_study
from mtsig.study._request import choice_of, margins_from, plan_of, plan_text

SETTINGS = Settings(n_resamples=2000)

WIDE = 1000.0
"""So wide that it is shown of any two systems that can be judged."""


def planned(corpus: Corpus, asked: Metric) -> list[MarginResult]:
    """Return every pair within a wide margin, as the text of the study has it."""
    margins = (Margin(choice_of(asked) or "", "equivalence", WIDE),)
    return list(study_of(conduct(corpus, Request((asked,), SETTINGS, margins=margins)).text()).results[0].margins)


def of_ratings(rows: ArrayLike, documents: Sequence[str] | None = None) -> Corpus:
    values = np.array(rows, dtype=float)
    return Corpus.of(dict.fromkeys("ABCD"[: len(values)]), documents=documents, ratings={"mqm": Rating(values, True)})


def few_shared() -> Corpus:
    """Twelve documents, of which system B has eight."""
    values = np.random.default_rng(1).normal(70, 3, (3, 120)) + np.array([[3.0], [0], [0]])
    values[1, 80:] = np.nan
    return of_ratings(values, [f"d{i // 10}" for i in range(120)])


# --- where a verdict is refused, so is a margin -------------------------------------------------------------------


def test_fewer_than_ten_shared_documents_show_no_margin_and_find_nothing() -> None:
    statistics = measure(few_shared(), "mqm")
    for one in SETTINGS.family(statistics):
        found = within(one, WIDE, both=True)
        assert (verdict(one).word == "withheld") == (one.units == 8) == ("B" in (one.first, one.second))
        if one.units == 8:
            assert found.established is None
            assert found.withheld_reason == verdict(one).withheld_reason
            worded(found.withheld_reason, "8 documents")
            assert smallest_detectable(one) is None
        else:
            assert found.established
            assert smallest_detectable(one) is not None


def test_words_counted_in_text_without_spaces_show_no_margin() -> None:
    lines = CHINESE["ref"]
    outputs = {"a": [line[:-1] for line in lines], "b": [line.replace("那位", "这位") for line in lines]}
    corpus = Corpus.of(outputs, {"ref": lines})
    statistics = measure(corpus, "bleu:tokenize=13a")
    for found in (equivalence(statistics, "a", "b", WIDE), non_inferiority(statistics, "a", "b", WIDE)):
        assert found.established is None
        worded(found.withheld_reason)
    said = [row[1] for row in power_table(power_analysis(statistics, "a", "b", margin=9)).texts]
    worded((text.split(":")[0] for text in said), "9 BLEU")
    assert [one.established for one in planned(corpus, metric("bleu:tokenize=13a"))] == [None]
    assert equivalence(measure(corpus, "bleu"), "a", "b", WIDE).established


def test_a_margin_for_a_kin_is_undecided_even_where_its_verdict_stands() -> None:
    corpus = edited_reference()
    worse = translated(list(corpus.references["A"]), 0.3, np.random.default_rng(8))
    corpus = Corpus.of({**corpus.outputs, "bad": worse}, corpus.references)
    statistics = measure(corpus, "bleu")
    family = SETTINGS.family(statistics)
    stands = next(one for one in family if {one.first, one.second} == {"kin", "bad"})
    assert verdict(stands).winner == "kin"
    results = planned(corpus, metric("bleu"))
    assert {one.established for one in results if "kin" in (one.first, one.second)} == {None}
    assert {one.established for one in results if "kin" not in (one.first, one.second)} == {True}
    found = non_inferiority(statistics, "kin", "bad", WIDE)
    assert found.established is None
    worded(found.withheld_reason, "'B'")
    assert non_inferiority(measure(corpus.select(references=["A"]), "bleu"), "kin", "bad", WIDE).established


# --- where the spread is not known --------------------------------------------------------------------------------


def near_alike() -> Corpus:
    """B is A but for three segments, D is A, and C is another system."""
    rng = np.random.default_rng(2)
    first, other = rng.normal(70, 8, (2, 100))
    second = first + np.where(np.arange(100) % 40 == 7, 2.0, 0.0)
    return of_ratings([first, second, other, first])


def test_a_pair_that_hardly_differs_leaves_the_other_pairs_of_a_plan_their_results() -> None:
    results = planned(near_alike(), Rated("mqm"))
    found = {one.first + one.second: one for one in results}
    assert {pair: one.established for pair, one in found.items()} == {
        "AB": None, "AC": True, "AD": None, "BC": True, "BD": None, "CD": True,
    }  # fmt: skip
    worded(found["AB"].withheld_reason, "3 of 100")
    worded(found["AD"].withheld_reason)
    # Holm over all six: those without a rating count as 1.
    smallest = min(one.p_value for one in results if one.established)
    assert min(one.p_adjusted for one in results if one.established) == pytest.approx(6 * smallest)
    assert all(np.isnan([one.p_adjusted, one.ci_low, one.p_value]).all() for one in results if not one.established)
    table = margin_table(results)
    assert [row[-1] for row in table.texts].count("withheld") == 3
    worded(table.caption, "3 of 100")


def test_two_systems_that_a_constant_keeps_apart_have_no_spread_to_judge_by() -> None:
    ratings = np.random.default_rng(4).normal(70, 8, 100)
    statistics = rated([ratings, ratings + 0.1])
    for found in (equivalence(statistics, "A", "B", 1.0), within(compare(statistics)[0], 1.0, both=True)):
        assert found.established is None
        assert np.isnan(found.p_value)
        assert "no variance" in found.withheld_reason


def test_the_sentence_says_why_nothing_was_judged() -> None:
    found = equivalence(rated(np.ones((2, 30))), "A", "B", 0.5)
    worded(equivalence_text(found, "A", "B", "rated"), "A and B", "0.5 rated")


def test_a_printed_study_says_of_every_pair_whether_it_is_within_the_margin() -> None:
    scores = np.random.default_rng(1).normal(0, 1, (3, 200)) - np.array([[0], [0], [1.2]])
    data = dict(zip("ABC", scores.tolist(), strict=True))
    study = mtsig.compare(data, margin=0.5, higher_is_better=True, baseline="A", n_resamples=100)
    said = str(study).splitlines()
    for held in study.results[0].margins:
        (line,) = [line for line in said if "0.5 score" in line and held.first in line.partition(" (")[0]]
        assert ("not established" in line) == (not held.established)
        assert f"{held.adjusted_ci_low:+.2f}".replace("-", "−") in line
    assert {held.established for held in study.results[0].margins} == {True, False}


# Margins from command line, Python and plans: one request, and the bound with one more document.


def rated_corpus(heavy: float, documents: bool = True) -> Corpus:
    """B scores about as A does, a little worse in one document."""
    rng = np.random.default_rng(3)
    second = rng.normal(-0.1, 0.5, (24, 5))
    second[4] -= heavy
    scores = np.array([np.zeros(120), second.ravel(), rng.normal(-3, 0.5, 120)])
    ids = [f"d{i // 5}" for i in range(120)] if documents else None
    return Corpus.of(dict.fromkeys("ABC"), documents=ids, ratings={"r": Rating(scores, higher_is_better=True)})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place, corpus = tmp_path_factory.mktemp("set"), made_corpus(n=120, systems=3, documents=24)
    files = {f"systems/{name}.txt": corpus.lines(name) for name in corpus.systems}
    files |= {f"refs/{name}.txt": lines for name, lines in corpus.references.items()}
    files["docids.txt"] = corpus.documents or ()
    for name, lines in files.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text("".join(f"{line}\n" for line in lines))
    return place


def kept(points: float, more: bool) -> Margin:
    return Margin("rating:r", "non-inferiority", points, one_more_document=more)


def row(study: Study, first: str) -> MarginResult:
    return next(row for row in study.margins if row.first == first)


def test_python_and_a_plan_ask_the_same() -> None:
    corpus = rated_corpus(0.0)
    asked = mtsig.compare(corpus, "rating:r", baseline="A", margin=kept(0.5, True))
    plan = plan_of('metrics = ["rating:r"]\npairs = "A"\none_more_document = true\n[non_inferiority]\n"rating:r" = 0.5')
    assert asked.asked == plan.request
    assert [(margin.first, margin.second, margin.established) for margin in asked.margins] == [
        ("B", "A", True), ("C", "A", False),
    ]  # fmt: skip
    assert plan_of(plan_text(asked.asked)).request == asked.asked
    assert {margin.status for margin in asked.margins} == {"exploratory"}


def test_what_one_heavy_document_carries_is_not_shown_with_one_more() -> None:
    corpus = rated_corpus(4.0)
    plain, asked = (
        row(mtsig.compare(corpus, "rating:r", pairs=[("B", "A")], margin=kept(0.7, more)), "B")
        for more in (False, True)
    )
    assert (plain.established, asked.established) == (True, False)
    assert (asked.p_value, asked.ci_low, asked.adjusted_ci_low) == (plain.p_value, plain.ci_low, plain.adjusted_ci_low)
    assert asked.one_more_low < -0.7 < asked.adjusted_ci_low
    assert not plain.one_more_asked
    assert np.isnan(plain.one_more_low)


def test_the_bounds_are_at_the_level_at_which_each_pair_was_judged() -> None:
    family = Settings(n_resamples=200).family(mtsig.measure(rated_corpus(0.5), "rating:r"))
    for result, pair in zip(against_margin(family, 1.0, both=True, one_more=True), family, strict=True):
        known = pair.difference, pair.standard_error, pair.df, pair.heaviest_share, (1 - result.adjusted_level) / 2
        bounds = one_more_document(*known), one_more_document(*known, "less")
        assert (result.one_more_low, result.one_more_high) == pytest.approx(bounds)
        assert result.one_more_low < result.adjusted_ci_low < result.adjusted_ci_high < result.one_more_high
        inside = result.one_more_low > -1.0 and result.one_more_high < 1.0
        assert result.established == (inside and result.p_adjusted <= result.alpha)
    below = against_margin(family, 1.0, both=False, one_more=True)
    assert all(np.isnan(result.one_more_high) and not np.isnan(result.one_more_low) for result in below)


def test_equivalence_looks_to_both_sides() -> None:
    corpus = rated_corpus(0.0)
    pair = [("A", "C")]  # A is three points better: not inferior, and not equivalent
    worse, same = (
        mtsig.compare(corpus, "rating:r", pairs=pair, margin=[replace(kept(1, True), kind=kind)]).margins[0]
        for kind in ("non-inferiority", "equivalence")
    )
    assert (worse.kind, worse.established, same.kind, same.established) == (
        "non-inferiority",
        True,
        "equivalence",
        False,
    )


def test_segments_have_no_heaviest_document_and_nothing_is_shown_of_them() -> None:
    study = mtsig.compare(rated_corpus(0.0, documents=False), "rating:r", baseline="A", margin=kept(9, True))
    assert {margin.established for margin in study.margins} == {None}
    worded(study.margins[0].withheld_reason)
    worded(margin_table(study.margins).caption)


def test_a_study_with_it_is_read_checked_and_made_again(tmp_path: Path) -> None:
    corpus = rated_corpus(0.3)
    study = mtsig.compare(corpus, "rating:r", baseline="A", margin=kept(0.8, True))
    path = study.save(tmp_path / "study.json")
    again = read_study(path)
    assert again == study or study_changes(again, study) == ()
    edited = json.loads(path.read_text())
    edited["sets"][0]["results"][0]["margins"][0]["header"]["status"] = "planned"
    path.write_text(json.dumps(edited))
    with pytest.raises(ReadError, match=r"margins\[0\].header.status"):
        read_study(path)


def test_tables_say_what_had_to_hold() -> None:
    asked, plain = (
        mtsig.compare(rated_corpus(0.0), "rating:r", baseline="A", margin=kept(1.0, more)) for more in (True, False)
    )
    table = margin_table(asked.margins)
    worded(table.caption)
    worded(markdown_table(table))
    assert "with one more" not in markdown_table(margin_table(plain.margins))


def test_margins_are_named_as_metrics_are() -> None:
    metrics = [mtsig.metric("chrf:word_order=2"), mtsig.metric("bleu")]
    for name in ("chrf++", "chrf:word_order=2", "chrF2++"):
        assert margins_from({name: 1}, metrics, "base") == (Margin("chrf++", "non-inferiority", 1.0),)
    both = margins_from(0.5, metrics, "all", both=True, one_more_document=True)
    assert both == tuple(Margin(name, "equivalence", 0.5, True) for name in ("chrf++", "bleu"))
    assert margins_from(None, metrics, "all") == ()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"margin": 1.0}, "found all pairs, which have no direction"),
        ({"margin": 0.0, "baseline": "A"}, "must be a positive number of points; found 0"),
        ({"margin": {"bleu": 1.0}, "baseline": "A"}, "There is a margin for bleu"),
        ({"margin": "1", "baseline": "A"}, r"compare\(\): margin is"),
        ({"margin": Margin("rating:r", "non-inferiority", 1.0)}, "found all pairs, which have no direction"),
    ],
)
def test_what_cannot_be_asked_is_refused(asked: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        mtsig.compare(rated_corpus(0.0), "rating:r", **asked)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('one_more_document = "yes"', "one_more_document must be true or false"),
        ("one_more_document = true", "one_more_document needs margins, but none are given"),
    ],
)
def test_plans_refuse_it_without_a_margin(line: str, said: str) -> None:
    with pytest.raises(MtsigError, match=said):
        plan_of(f'metrics = ["bleu"]\n{line}', "plan.toml")


def test_the_gate_follows_a_plan_that_asks_for_it() -> None:
    text = 'metrics = ["rating:r"]\npairs = "A"\n{}[non_inferiority]\n"rating:r" = 0.6\n'
    plain, asked = (
        judge(rated_corpus(4.0), "A", "B", plan=plan_of(text.format(line)))
        for line in ("", "one_more_document = true\n")
    )
    assert (plain.checks[0].one_more_asked, asked.checks[0].one_more_asked) == (False, True)
    given = judge(rated_corpus(4.0), "A", "B", plan=plan_of(text.format("")), one_more_document=True)
    assert asked.checks == given.checks


def test_the_command_line_asks_as_python_does(run: Run, folder: Path) -> None:
    asked = ("--data", folder, "--metric", "chrf", "bleu", "--resamples", "200")
    code, out, _ = run(
        "compare", *asked, "--baseline", "sys0", "--margin", "chrf=4", "--one-more-document", "--format", "json"
    )
    assert code == 0
    study = mtsig.compare(
        mtsig.read(folder),
        ["chrf", "bleu"],
        baseline="sys0",
        n_resamples=200,
        margin=Margin("chrf", "non-inferiority", 4, one_more_document=True),
    )
    written = flat(json.loads(out))
    assert written["margins"] == flat(study.plain())["margins"]
    assert {margin["kind"] for margin in written["margins"]} == {"non-inferiority"}
    code, out, _ = run("compare", *asked, "--margin", "4", "--equivalence")
    assert code == 0
    assert out.count("within ±4") == 6
    code, text, _ = run("plan", "--metric", "chrf", "--baseline", "sys0", "--margin", "4", "--one-more-document")
    assert code == 0
    assert plan_of(text).request.margins == (Margin("chrf", "non-inferiority", 4.0, True),)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--margin", "1"), "Name the baseline (--baseline SYSTEM"),
        (("--baseline", "sys0", "--margin", "x"), "--margin takes POINTS or METRIC=POINTS"),
        (
            ("--by", "length", "--baseline", "sys0", "--margin", "1"),
            "Subsets of a test set cannot be combined with margins",
        ),
        (("--by", "length", "--one-more-document"), "The option of one more document needs a margin"),
    ],
)
def test_the_command_line_refuses_in_one_sentence(run: Run, folder: Path, given: tuple[str, ...], said: str) -> None:
    code, _, told = run("compare", "--data", folder, *given)
    assert code == 2
    assert said in told


def test_counts_in_place_of_text_are_held_against_a_margin(run: Run, folder: Path, tmp_path: Path) -> None:
    counted = tmp_path / "counts.json"
    assert run("count", "--data", folder, "--metric", "chrf", "-o", counted)[0] == 0
    given = ("--baseline", "sys0", "--margin", "4", "--resamples", "200", "--format", "json")
    by_counts, by_text = (
        flat(json.loads(run("compare", *source, *given)[1]))["margins"]
        for source in (("--counts", counted), ("--data", folder, "--metric", "chrf"))
    )
    assert by_counts == by_text != []
