"""A study over sets in a paper: its pictures, and its systems under other names or left out."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from kept import lacking
from made_sets import documents_of, rated_corpus
from sampled import sampled

from mtsig import Corpus, Settings
from mtsig.cli import main
from mtsig.collection import Sets, compare, measure
from mtsig.errors import InvalidOption
from mtsig.figures import RankDiagram, SetForest, SetHeat
from mtsig.metrics import metric
from mtsig.report import Document, Exported, Exporter, Naming, exported
from mtsig.report._paper import headline_over_sets
from mtsig.study import Request, Study, conduct, study_of

QUICK = Settings(n_resamples=200)
NAMES = {"A": "our-best", "B": "rival", "C": "third"}


def sets_of(**names: str) -> Sets:
    """Six sets with the same ratings whatever three of the four systems are called."""
    rng, found = np.random.default_rng(8), {}
    for j in range(6):
        scores = np.array([[1.0], [0.7], [0.1], [0.0]]) + rng.normal(0, 1, (4, 60))
        corpus = rated_corpus(scores, documents_of([2] * 30))
        found[f"set{j}"] = corpus if not names else renamed(corpus, names)
    return Sets.of(found)


def renamed(corpus: Corpus, names: Mapping[str, str]) -> Corpus:
    return Corpus.of(dict.fromkeys(names.get(name, name) for name in corpus.systems), ratings=corpus.ratings,
                     documents=corpus.documents)  # fmt: skip


@pytest.fixture(scope="module")
def study() -> Study:
    return conduct(sets_of(), Request((metric("rating:score"),), QUICK))


@pytest.mark.slow
def test_a_study_alone_draws_what_its_comparisons_draw(study: Study) -> None:
    found = compare(measure(sets_of(), "rating:score"), QUICK)
    assert found.averages is not None
    assert found.ranks is not None
    first, second = found.averages.order[:2]
    expected = [SetForest.of(found, first, second), SetHeat.of(found), RankDiagram.of(found.ranks)]
    # Read from its file it has its numbers alone.
    document = Document(study_of(study.text()))
    assert [name.partition("-")[0] for name in document.pictures] == ["forest", "heat", "ranks"]
    assert list(document.pictures.values()) == expected
    written = exported(document, ["svg", "html"])
    assert [name for name in written.files if name.endswith(".svg")] == [f"{name}.svg" for name in document.pictures]
    assert written.files["report.html"].decode().count("<svg") == 3


def test_a_named_study_is_that_of_systems_with_these_names(study: Study) -> None:
    other = Document(conduct(sets_of(**NAMES), Request((metric("rating:score"),), QUICK)))
    ours = Document(study, naming=Naming(NAMES))
    assert ours.tables == other.tables
    assert ours.said == other.said
    assert ours.rows == other.rows
    assert ours.pictures == other.pictures
    assert ours.title == other.title
    assert any(not lacking(note, "our-best is A", "rival is B", "third is C") for note in ours.named.notes)
    # The study itself keeps its names.
    assert ours.study == study


def test_a_human_translation_has_no_best_mean_score_and_is_none_of_the_others() -> None:
    levels = np.array([[9.0], [6.0], [3.0], [0.0]])
    rng = np.random.default_rng(5)
    for names, said in (
        ({"A": "refA"}, "B has the best score and is better than every other ranked system."),
        ({}, "A has the best score and is better than every other system."),
        ({name: f"ref{name}" for name in "ABC"}, ""),
    ):
        sets = {
            f"set{j}": renamed(rated_corpus(levels + rng.normal(0, 1, (4, 60)), documents_of([2] * 30)), names)
            for j in range(4)
        }
        result = conduct(Sets.of(sets), Request((metric("rating:score"),), QUICK)).over[0]
        assert headline_over_sets(result).partition("sets, ")[2] == said


def test_systems_that_are_left_out_are_in_no_table_and_no_picture(study: Study) -> None:
    document = Document(study, naming=Naming(hidden=("A",)))
    table = document.tables[0]
    assert [row[0].value for row in table.rows] == [name for name in study.together[0].averages.order if name != "A"]  # type: ignore[union-attr]
    assert "3 of 4" in table.caption
    forest, heat, ranks = document.pictures.values()
    assert isinstance(forest, SetForest)
    assert isinstance(heat, SetHeat)
    assert isinstance(ranks, RankDiagram)
    assert "A" not in heat.systems
    assert "A" not in ranks.systems
    assert not any("A" in {row["first"], row["second"]} for row in document.rows["comparisons"])
    # Numbers are among all systems: only who is shown changes.
    of_all = study.over[0].compared.ranks
    assert of_all is not None
    full = dict(zip(of_all.systems, of_all.mean_ranks, strict=True))
    assert dict(zip(ranks.systems, ranks.ranks, strict=True)) == {name: full[name] for name in ranks.systems}


@pytest.mark.parametrize(
    ("naming", "said"),
    [(Naming({"A": "B"}), "would both be called 'B'"), (Naming(hidden=("A", "B", "C")), "No comparison in .* is left")],
)
def test_names_that_tell_nothing_apart_are_refused(study: Study, naming: Naming, said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        Document(study, naming=naming)


def test_any_pair_is_drawn_set_by_set_in_the_shell(study: Study, tmp_path: Path) -> None:
    study.save(tmp_path / "study.json")
    arguments = ["report", str(tmp_path / "study.json"), "--to", "svg", "--out", str(tmp_path / "out")]
    assert main([*arguments, "--pair", "D", "B"]) == 0
    assert {"forest-D-B-score.svg", "forest-score.svg", "heat-score.svg", "ranks-over-sets-score.svg"} == {
        path.name for path in (tmp_path / "out").iterdir()
    }
    assert main([*arguments, "--pair", "D", "X"]) == 2


@pytest.mark.slow
def test_no_name_of_a_system_leads_a_picture_out_of_its_folder(tmp_path: Path) -> None:
    names = ["../../out", "/etc/x", "x/../../../../y", "..", ".", "a\\..\\..\\b", "C:\\x", "x" * 3000, "a\nb", "con:"]
    for first, second in zip(names[::2], names[1::2], strict=True):
        study = conduct(sets_of(A=first, B=second, C="c"), Request((metric("rating:score"),), QUICK))
        folder = tmp_path / "deep" / "deep" / "deep"
        kept = study.save(tmp_path / "study.json")
        given = ["report", str(kept), "--out", str(folder), "--to", "svg", "--pair", first, second]
        assert main(given) == 0
        written = {path for path in tmp_path.rglob("*") if path.is_file()} - {kept}
        assert {path.parent for path in written} == {folder}
        assert any(path.name.startswith("forest-") for path in written)


@dataclass(frozen=True)
class Astray(Exporter):
    """A format of somebody else that names a file elsewhere."""

    label = "Astray"
    name: str = ""

    def __call__(self, document: Document) -> Exported:
        del document
        return Exported({self.name: b""})


@sampled("name", ["../x", "/x", "a/../../x", "a\\..\\x", "C:\\x", "C:/x", "", "a//b", "..", "."], most=4)
def test_no_format_writes_outside_of_its_folder(name: str) -> None:
    study = conduct(sets_of(), Request((metric("rating:score"),), QUICK))
    with pytest.raises(InvalidOption, match="whose path is not allowed"):
        exported(Document(study), [Astray(name=name)])
