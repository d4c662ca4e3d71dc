"""In a notebook results show themselves, and whatever stands in a name stays text."""

from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from made import made_corpus, made_statistics, rated

from mtsig import (
    Corpus,
    Rating,
    Settings,
    audit,
    collection,
    compare,
    compare_runs,
    compare_subsets,
    design_test_set,
    measure,
    power_analysis,
    ranks,
    size_curve,
)
from mtsig._records import Shown
from mtsig.gate import judge
from mtsig.inference import joint_statements
from mtsig.lab import Material, run
from mtsig.lab._material import LabResult
from mtsig.lab._words import law_text
from mtsig.meta_eval import RatedData, meta_eval
from mtsig.report import Table, comparison_table, verdict_text
from mtsig.report._shown import tables_of
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
        "MetaEval": meta_eval(scored_by, settings=QUICK),
        "JointStatements": joint_statements([family, family]),
        "FamilyOverSets": collection.compare(collection.measure(two, "chrf"), QUICK),
        "ScoresOverSets": collection.score(collection.measure(two, "chrf"), QUICK),
        "Study over sets": compare(two, "chrf", settings=QUICK),
        "GateResult": judge(corpus, "sys0", "sys1", ["chrf"], settings=QUICK),
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
