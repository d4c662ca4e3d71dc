"""Margins from command line, Python and plans: one request, and the bound with one more document like the heaviest."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from made import flat, made_corpus

import mtsig
from mtsig import Corpus, Rating, Settings, Study
from mtsig.cli import main
from mtsig.errors import InvalidOption, MtsigError, ReadError
from mtsig.gate import judge
from mtsig.inference._margins import MarginResult, against_margin, one_more_document
from mtsig.report._table import markdown_table
from mtsig.report._tables import margin_table
from mtsig.study import Margin, read_study
from mtsig.study._changes import study_changes
from mtsig.study._request import margins_from, plan_of, plan_text

Run = Callable[..., tuple[int, str, str]]


def rated_corpus(heavy: float, documents: bool = True) -> Corpus:
    """B scores about as A does, a little worse in one document."""
    rng = np.random.default_rng(3)
    second = rng.normal(-0.1, 0.5, (24, 5))
    second[4] -= heavy
    scores = np.array([np.zeros(120), second.ravel(), rng.normal(-3, 0.5, 120)])
    ids = [f"d{i // 5}" for i in range(120)] if documents else None
    return Corpus.of(dict.fromkeys("ABC"), documents=ids, ratings={"r": Rating(scores, higher_is_better=True)})


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def called(*arguments: object) -> tuple[int, str, str]:
        code = main([str(one) for one in arguments])
        told = capsys.readouterr()
        return code, told.out, told.err

    return called


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


def row(study: Study, first: str) -> MarginResult:
    return next(row for row in study.margins if row.first == first)


def test_python_and_a_plan_ask_the_same() -> None:
    corpus = rated_corpus(0.0)
    asked = mtsig.compare(corpus, "rating:r", baseline="A", margin=0.5, one_more_document=True)
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
        row(mtsig.compare(corpus, "rating:r", pairs=[("B", "A")], margin=0.7, one_more_document=more), "B")
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
        known = pair.difference, pair.standard_error, pair.df, pair.heaviest_share, result.adjusted_level
        assert (result.one_more_low, result.one_more_high) == (
            one_more_document(*known),
            one_more_document(*known, "less"),
        )
        assert result.one_more_low < result.adjusted_ci_low < result.adjusted_ci_high < result.one_more_high
        inside = result.one_more_low > -1.0 and result.one_more_high < 1.0
        assert result.established == (inside and result.p_adjusted <= result.alpha)
    below = against_margin(family, 1.0, both=False, one_more=True)
    assert all(np.isnan(result.one_more_high) and not np.isnan(result.one_more_low) for result in below)


def test_equivalence_looks_to_both_sides() -> None:
    corpus = rated_corpus(0.0)
    pair = [("A", "C")]  # A is three points better: not inferior, and not equivalent
    worse, same = (
        mtsig.compare(corpus, "rating:r", pairs=pair, margin=1, equivalence=both, one_more_document=True).margins[0]
        for both in (False, True)
    )
    assert (worse.kind, worse.established, same.kind, same.established) == (
        "non-inferiority",
        True,
        "equivalence",
        False,
    )


def test_segments_have_no_heaviest_document_and_nothing_is_shown_of_them() -> None:
    study = mtsig.compare(
        rated_corpus(0.0, documents=False), "rating:r", baseline="A", margin=9, one_more_document=True
    )
    assert {margin.established for margin in study.margins} == {None}
    assert "takes documents as units" in study.margins[0].withheld_reason
    assert "takes documents as units" in margin_table(study.margins).caption


def test_a_study_with_it_is_read_checked_and_made_again(tmp_path: Path) -> None:
    corpus = rated_corpus(0.3)
    study = mtsig.compare(corpus, "rating:r", baseline="A", margin={"r": 0.8}, one_more_document=True)
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
        mtsig.compare(rated_corpus(0.0), "rating:r", baseline="A", margin=1.0, one_more_document=more)
        for more in (True, False)
    )
    table = margin_table(asked.margins)
    assert "holds even with one more document" in table.caption
    assert "with one more document" in markdown_table(table)
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
        ({"margin": 0.0, "baseline": "A"}, "is a positive number of points; found 0"),
        ({"margin": {"bleu": 1.0}, "baseline": "A"}, "There is a margin for bleu"),
        ({"margin": "1", "baseline": "A"}, r"compare\(\): margin is"),
        ({"equivalence": True}, "Equivalence takes a margin"),
        ({"one_more_document": True}, "One more document stands in the bound of a margin"),
    ],
)
def test_what_cannot_be_asked_is_refused(asked: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        mtsig.compare(rated_corpus(0.0), "rating:r", **asked)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('one_more_document = "yes"', "one_more_document must be true or false"),
        ("one_more_document = true", "one_more_document is of margins, and there are none"),
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
        "compare", *asked, "--pairs", "sys0", "--margin", "chrf=4", "--one-more-document", "--format", "json"
    )
    assert code == 0
    study = mtsig.compare(
        mtsig.read(folder),
        ["chrf", "bleu"],
        baseline="sys0",
        n_resamples=200,
        margin={"chrf": 4},
        one_more_document=True,
    )
    written = flat(json.loads(out))
    assert written["margins"] == flat(study.plain())["margins"]
    assert {margin["kind"] for margin in written["margins"]} == {"non-inferiority"}
    code, out, _ = run("compare", *asked, "--margin", "4", "--equivalence")
    assert code == 0
    assert out.count("within ±4") == 6
    code, text, _ = run("plan", "--metric", "chrf", "--pairs", "sys0", "--margin", "4", "--one-more-document")
    assert code == 0
    assert plan_of(text).request.margins == (Margin("chrf", "non-inferiority", 4.0, True),)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--margin", "1"), "Name the baseline (--pairs SYSTEM"),
        (("--pairs", "sys0", "--margin", "x"), "--margin takes POINTS or METRIC=POINTS"),
        (("--by", "length", "--margin", "1"), "--by and --margin do not go together"),
        (("--by", "length", "--one-more-document"), "--by and --one-more-document do not go together"),
    ],
)
def test_the_command_line_refuses_in_one_sentence(run: Run, folder: Path, given: tuple[str, ...], said: str) -> None:
    code, _, told = run("compare", "--data", folder, *given)
    assert code == 2
    assert said in told


def test_counts_in_place_of_text_are_held_against_a_margin(run: Run, folder: Path, tmp_path: Path) -> None:
    counted = tmp_path / "counts.json"
    assert run("count", "--data", folder, "--metric", "chrf", "-o", counted)[0] == 0
    given = ("--pairs", "sys0", "--margin", "4", "--resamples", "200", "--format", "json")
    by_counts, by_text = (
        flat(json.loads(run("compare", *source, *given)[1]))["margins"]
        for source in (("--counts", counted), ("--data", folder, "--metric", "chrf"))
    )
    assert by_counts == by_text != []
