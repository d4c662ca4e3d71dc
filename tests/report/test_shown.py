"""In a notebook results show themselves, and whatever stands in a name stays text."""

from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from made import made_corpus, made_statistics, rated

from mtsig import (
    Corpus,
    Rating,
    Settings,
    audit,
    check_data,
    collection,
    compare,
    compare_runs,
    compare_subsets,
    design_test_set,
    measure,
    meta_eval,
    power_analysis,
    ranks,
    size_curve,
)
from mtsig._probability import Alternative
from mtsig._results import Result, Shown, Tabled
from mtsig._writing import INPUTS, as_input
from mtsig.campaign import Preferences, few_ratings, plan_sample, preferences, span_agreement
from mtsig.corpus import ErrorSpan, Marking, RaterScores, with_errors
from mtsig.errors import InvalidOption, ReadError, UnknownName
from mtsig.gate import judge
from mtsig.inference import Comparison, Intervals, joint_statements
from mtsig.lab import Material, run
from mtsig.lab._material import LabResult
from mtsig.lab._words import law_text
from mtsig.meta_eval import RatedData
from mtsig.meta_eval._leniency import both_scales
from mtsig.report import Table, comparison_table, verdict_text
from mtsig.report._shown import tables_of
from mtsig.resampling import Bootstrap
from mtsig.segments import overview
from mtsig.segments._ablation import Ablation
from mtsig.study import Request, conduct

QUICK = Settings(n_resamples=100)


class Cells(HTMLParser):
    """Reads the cells of HTML tables back."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.captions: list[str] = []
        self._into: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        if tag == "tr":
            self.rows.append([])
        self._into = self.rows[-1] if tag in ("td", "th") else self.captions if tag == "caption" else None
        if self._into is not None:
            self._into.append("")

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002
        self._into = None

    def handle_data(self, data: str) -> None:
        if self._into is not None:
            self._into[-1] += data


KINDS = (
    "Family",
    "Intervals",
    "Ranks",
    "Audit",
    "RunComparison",
    "PowerAnalysis",
    "SizeCurves",
    "Study",
    "Comparison",
    "Parts",
    "Design",
    "Overview",
    "Leverage",
    "MetaEval",
    "JointStatements",
    "FamilyOverSets",
    "ScoresOverSets",
    "Study over sets",
    "GateResult",
    "MetricResult",
    "ResultOverSets",
    "Margins",
    "Checkup",
    "Underrated",
    "Curve",
    "VerdictTable",
    "Leniency",
    "BothScales",
    "Ceiling",
    "VarianceShares",
    "RatingDesign",
    "FewRatings",
    "SamplePlan",
    "SpanAgreement",
    "Judged",
)


@pytest.fixture(scope="module")
def shown() -> dict[str, object]:
    statistics = made_statistics(n=100)
    family = QUICK.family(statistics)
    corpus = made_corpus(n=60, documents=0)
    seen = overview(corpus, measure(corpus, "bleu"), "sys0", "sys1", QUICK)
    study = conduct(made_corpus(n=40), Request((made_statistics().metric,), QUICK))
    rng = np.random.default_rng(2)
    people, near = (Rating(rng.normal(size=(6, 40)), higher_is_better=True) for _ in range(2))
    scored = Corpus.of(dict.fromkeys("ABCDEF"), ratings={"people": people, "near": near})
    scored_by = RatedData.of(scored, "rating:people", ["rating:near"])
    runs = rated(np.random.default_rng(1).normal(50, 5, (4, 60)), ["X.run0", "X.run1", "Y.run0", "Y.run1"])
    two = collection.Sets.of({"a": corpus, "b": made_corpus(n=60, documents=0, seed=2)})
    by_rater = RaterScores.of({name: values + rng.normal(size=(6, 40)) for name, values in (("x", 0), ("y", 1))})
    rated_twice = replace(scored, ratings={"esa": Rating(people.values, True, rater_scores=by_rater)})
    few = np.where(np.arange(40) % 2 == 0, people.values, np.nan)
    half = replace(scored, ratings={"esa": Rating(few, higher_is_better=True), "near": near})
    shares = meta_eval.variance_shares(by_rater)
    marked = with_errors(
        Corpus.of(
            {"A": ["a line that is long"] * 24},
            ratings={name: Rating(np.full((1, 24), 50.0), higher_is_better=True) for name in ("esa", "auto")},
            documents=[str(i // 2) for i in range(24)],
        ),
        [
            Marking("A", i, ErrorSpan(by, "", "", "minor"), None, at, at + 4)
            for i in range(24)
            for by, at in (("esa", 1), ("auto", 2))
        ],
    )
    shown_twice = [("A", "B", 1), ("B", "A", -1), ("A", "B", 1), ("B", "A", 1)]
    judgements = [
        {"rater": "r", "item": str(i), "first": first, "second": second, "outcome": outcome}
        for i, (first, second, outcome) in enumerate(10 * shown_twice)
    ]
    return {
        "Family": family,
        "Intervals": QUICK.intervals(statistics),
        "Ranks": ranks(family),
        "Audit": audit(statistics, "sys0", "sys1", QUICK),
        "RunComparison": compare_runs(runs, "X", "Y"),
        "PowerAnalysis": power_analysis(statistics, "sys0", "sys1", 0.5),
        "SizeCurves": size_curve(statistics, Ablation(sizes=(0.5, 1.0), repeats=10)),
        "Study": study,
        "Comparison": family[0],
        "Parts": compare_subsets(corpus, measure(corpus, "bleu"), "length", QUICK, "all"),
        "Design": design_test_set(statistics, "sys0", "sys1", 0.5),
        "Overview": seen,
        "Leverage": seen.leverage,
        "MetaEval": meta_eval.meta_eval(scored_by, settings=QUICK),
        "JointStatements": joint_statements([family, family]),
        "FamilyOverSets": collection.compare(collection.measure(two, "chrf"), QUICK),
        "ScoresOverSets": collection.score(collection.measure(two, "chrf"), QUICK),
        "Study over sets": compare(two, "chrf", settings=QUICK),
        "GateResult": judge(corpus, "sys0", "sys1", ["chrf"], settings=QUICK),
        "MetricResult": study.results[0],
        "ResultOverSets": compare(two, "chrf", settings=QUICK)[0],
        "Margins": compare(corpus, "chrf", baseline="sys0", margin=1, settings=QUICK).results[0].against[0],
        "Checkup": check_data(replace(corpus, outputs={**corpus.outputs, "sys1": ("same line",) * 60})),
        "Underrated": meta_eval.underrated(scored_by, "near", scheme=Bootstrap(100)),
        "Curve": meta_eval.delta_accuracy(scored_by, "near", scheme=Bootstrap(100)),
        "VerdictTable": meta_eval.verdict_table(scored_by, "near", QUICK),
        "Leniency": meta_eval.leniency(by_rater, scored.systems),
        "BothScales": both_scales(by_rater, list(scored.systems)),
        "Ceiling": meta_eval.ceiling(rated_twice, "esa", meta_eval.STATISTICS["pearson"]),
        "VarianceShares": shares,
        "RatingDesign": meta_eval.design_ratings(shares, 0.5, 2),
        "FewRatings": few_ratings(half, "esa", "rating:near"),
        "SamplePlan": plan_sample(corpus, 20, "sentchrf"),
        "SpanAgreement": span_agreement(marked, "esa", ["auto"]),
        "Judged": preferences(Preferences.of(judgements)),
    }


def read(shown: object) -> Cells:
    assert isinstance(shown, Shown)
    cells = Cells()
    cells.feed(shown._repr_html_() or "")
    return cells


@pytest.mark.parametrize("kind", KINDS)
def test_a_result_shows_itself_as_a_table(shown: dict[str, object], kind: str) -> None:
    cells = read(shown[kind])
    assert len(cells.rows) > 1
    assert cells.captions


def test_every_result_that_shows_itself_has_its_table(shown: dict[str, object]) -> None:
    registered = {one.__name__ for one in tables_of.registry if one is not object and not issubclass(one, LabResult)}
    assert registered | {"Study over sets", "Parts"} == set(KINDS) == set(shown)


@pytest.mark.parametrize("kind", KINDS)
def test_a_result_is_text_or_with_a_path_a_file(shown: dict[str, object], kind: str, tmp_path: Path) -> None:
    result = shown[kind]
    assert isinstance(result, Tabled)
    assert str(result) == result.summary() != repr(result)
    for to in (result.to_markdown, result.to_latex, *([result.to_csv] if isinstance(result, Result) else [])):
        text, path = to(), tmp_path / "new" / to.__name__
        assert text.strip()
        assert to(path) is None
        assert to(str(path)) is None
        assert path.read_bytes().decode() == text.removesuffix("\n") + "\n"
        assert not list(path.parent.glob(".*"))


def test_a_result_without_tables_of_its_own_shows_its_records(tmp_path: Path) -> None:
    class Own(Result):
        def rows(self) -> list[dict[str, object]]:
            return [{"system": "A", "found": {"n": 2}}]

    assert read(Own()).rows == [["system", "found.n"], ["A", "2"]]
    with pytest.raises(InvalidOption, match=r'Give the name of the file to write, such as "table.csv"; found an int.'):
        Own().to_csv(1)  # type: ignore[call-overload]
    with pytest.raises(ReadError, match="cannot be written"):
        Own().to_csv(tmp_path)


def test_what_a_command_read_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("read")
    token = INPUTS.set({})
    try:
        as_input(path)
        with pytest.raises(InvalidOption, match="is an input of this command"):
            QUICK.intervals(made_statistics(n=100)).to_csv(path)
    finally:
        INPUTS.reset(token)
    assert path.read_text() == "read"


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_is_had_by_its_index_as_from_a_list(shown: dict[str, object], kind: str) -> None:
    result = shown[kind]
    if not isinstance(result, Result):
        return
    records = list(result)
    count = len(records)
    assert len(result) == count
    assert repr(list(result[:2])) == repr(records[:2])
    assert repr(result[-1]) == repr(records[-1])
    indices = "There is 1, with index 0" if count == 1 else f"There are {count}, with indices 0 to {count - 1}, or −1"
    for index in (count, -count - 1):
        with pytest.raises(UnknownName, match=f"with index {index}. {indices}") as raised:
            result[index]
        assert isinstance(raised.value, IndexError)
    with pytest.raises(InvalidOption, match=r"Give the index of a .*, such as 0.* or a slice, such as 0:2; found 1.5"):
        result[1.5]


def test_names_are_indices_where_rows_have_names(shown: dict[str, object]) -> None:
    intervals, study = shown["Intervals"], shown["Study"]
    assert isinstance(intervals, Intervals)
    assert intervals["sys1"] is intervals[1]
    with pytest.raises(UnknownName, match=r"called 'sys'. Did you mean 'sys.'. Known: sys0, sys1, sys2, sys3"):
        intervals["sys"]
    with pytest.raises(UnknownName, match=r"no metric in this study with index 5. There is 1, .* Known: BLEU, bleu"):
        study[5]  # type: ignore[index]


def test_names_that_one_would_try_work_or_are_told_what_to_use() -> None:
    corpus = made_corpus(n=30, systems=3)
    first, second, third = corpus.systems
    study = compare(corpus, ["bleu", "chrf"], n_resamples=100)
    bleu = study["bleu"]
    assert study["bleu"] is study["BLEU"] is study.results[0]
    assert {"bleu", "BLEU"} == {name for name in ("bleu", "BLEU", first) if name in study}
    assert bleu[second] == bleu.scored[1]
    one, turned = bleu[first, third], bleu[third, first]
    assert (one.first, one.second, turned.first, turned.second) == (first, third, third, first)
    assert one.difference == -turned.difference == bleu.scored[first].score - bleu.scored[third].score
    assert [name in bleu for name in (first, (third, first), one, bleu.scored[0])] == [True] * 4
    assert [name in bleu for name in ("nobody", (first, "nobody"), study["chrf"].scored[0])] == [False] * 3
    both = compare({"old": corpus, "new": corpus}, "bleu", baseline=first, n_resamples=100)
    assert both["bleu"]["new"].metric == both["bleu"].metric == "BLEU"
    assert both["bleu"]["new"] is both.sets[1]["bleu"] is both.sets[1][0]
    for ask, said in (
        (lambda: study[first], rf"no metric in this study called '{first}'\. Use \['BLEU'\]\['{first}'\]\."),
        (lambda: both["new"], r"no metric in this study called 'new'\. Use \['BLEU'\]\['new'\]\."),
        (lambda: both["bleu"][first], rf"no test set called '{first}'\. Use \['old'\]\['{first}'\]\."),
        (lambda: bleu.compared[first], rf"More than one row has '{first}': give an index \(0, 1\), or both names"),
        (lambda: study.systems[first], rf"More than one row has '{first}': give an index \(0, 3\)\."),
        (lambda: compare(corpus, "bleu", baseline=first).ranks[first], rf"no row called '{first}'\. Known: none"),
        (lambda: bleu["nobody"], "no system called 'nobody'.* Known: "),
        (lambda: corpus[first], rf"Corpus .* use outputs\['{first}'\] or systems\['{first}'\]\."),
        (lambda: corpus[first[:-1]], rf"called '{first[:-1]}'\. Did you mean '"),
        (lambda: corpus[0], r"Corpus is not indexed; found 0\. Use outputs or systems or references\."),
        (lambda: measure(corpus, "bleu")[first], r"Use mtsig\.interval\(statistics\)\[system\]\."),
        (lambda: Settings()["level"], r"Settings is not indexed; found 'level'\. Use its attribute level\."),
    ):
        with pytest.raises(UnknownName, match=said):
            ask()


def test_collections_of_records_have_every_name_that_they_answer_to() -> None:
    corpus = made_corpus(n=30, systems=3)
    first, _, third = corpus.systems
    study = compare(corpus, "bleu", n_resamples=100)
    for rows in (study.comparisons, study.comparisons[:], study[0].compared):
        here = [name in rows for name in (first, "nobody", (third, first), (first, first))]
        assert here == [True, False, True, False]
        assert rows[third, first] == study[0].compared[third, first]
    assert study.comparisons[0] in study.comparisons
    assert study.comparisons == tuple(study.comparisons)


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_a_pair_that_is_turned_is_the_pair_that_was_compared_the_other_way_round(alternative: Alternative) -> None:
    corpus = made_corpus(n=30, systems=3)
    first, second, _ = corpus.systems
    other: dict[Alternative, Alternative] = {"greater": "less", "less": "greater", "two-sided": "two-sided"}
    one, back = (
        compare(corpus, "chrf", pairs=[pair], alternative=side, test="ar")["chrf"]
        for pair, side in (((first, second), alternative), ((second, first), other[alternative]))
    )
    seen, made = one[second, first].row(), back[second, first].row()
    assert seen["alternative"] == other[alternative]
    assert seen == {name: pytest.approx(value, nan_ok=True) if isinstance(value, float) else value
                    for name, value in made.items()}  # fmt: skip
    assert one[second, first].turned == one[first, second]


@pytest.mark.parametrize("kind", KINDS)
def test_only_public_names_are_listed(shown: dict[str, object], kind: str) -> None:
    result = shown[kind]
    verdict_text(result) if isinstance(result, Comparison) else str(result)  # which keeps what it computes
    listed = [name for name in dir(result) if name[:2] != "__"]
    assert [name for name in listed if name[0] == "_"] == []
    assert {"brief", "listed", "in_file", "of_rows", "of_columns"}.isdisjoint(listed)
    assert {name for name in vars(type(result)) if isinstance(vars(type(result))[name], property)} <= {*listed} | {
        name for name in vars(type(result)) if name[0] == "_"
    }


def test_what_is_shown_is_the_table_of_the_command_line() -> None:
    family = QUICK.family(made_statistics(n=100))
    table: Table = comparison_table(family)
    assert read(family).rows == [list(table.header), *(list(row) for row in table.texts)]
    assert read(family).captions == [table.caption]


def test_a_comparison_says_its_verdict_and_its_numbers(shown: dict[str, object]) -> None:
    cells = read(shown["Comparison"])
    (caption,) = cells.captions
    assert caption == verdict_text(QUICK.family(made_statistics(n=100))[0])
    assert cells.rows[0] == ["sys0", "minus sys1"]
    ends = ["adjusted CI", "95% CI of this pair alone"]
    assert [row[0] for row in cells.rows[1:]] == ["difference", *ends, "p", "p of 6", "segments, differing"]


def test_an_experiment_shows_its_law_and_no_endless_table() -> None:
    corpus = made_corpus(n=80, documents=0)
    result = run("orderings", Material((measure(corpus, "bleu"),), corpus))
    cells = read(result)
    assert law_text(result) in cells.captions[0]
    assert "60 of 80" in cells.captions[0]
    assert len(result.to_frame()) == 80


def test_markup_in_a_name_stays_text() -> None:
    names = ("<img src=x onerror=alert(1)>", 'R&D_50% \\ "译文"')
    family = QUICK.family(replace(made_statistics(n=60, systems=2), systems=names))
    html = family._repr_html_() or ""
    assert "<img" not in html
    assert read(family).rows[1][:2] == list(names)


def test_a_stranger_is_left_to_its_repr() -> None:
    class Other(Shown):
        pass

    assert Other()._repr_html_() is None
