"""A reference that was made from a system's output: what that system wins by it alone is withheld."""

import pickle
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from kept import worded
from made import edited_reference, translated
from mtsig_dashboard.parts.questions import best
from sampled import slow

from mtsig import Corpus, Rating, Settings, compare_subsets, measure, metric, ranks, read, read_study, verdict
from mtsig._cautions import Seen, findings
from mtsig.cli import main
from mtsig.collection import Sets
from mtsig.collection import compare as compare_sets
from mtsig.collection import measure as measure_sets
from mtsig.corpus import Note
from mtsig.figures._matrix import Matrix
from mtsig.inference import groups
from mtsig.inference._family import kept_without
from mtsig.metrics._kinship import COPIED, kin_of, references_among
from mtsig.report import score_table
from mtsig.report._families import headline_text, people_text, ranking_text
from mtsig.report._paper import results_table
from mtsig.study import Request, conduct, study_of
from mtsig.study._changes import reproduce

SETTINGS = Settings(n_resamples=2000)

edited = cache(edited_reference)


def test_what_a_kin_wins_by_its_reference_is_undecided() -> None:
    corpus = edited()
    statistics = measure(corpus, "bleu")
    assert [one.kin.system for one in statistics.kinships] == ["kin"]
    assert statistics.notes[0].level == "warning"
    assert "System 'kin' has" in statistics.notes[0].text
    family = SETTINGS.family(statistics)
    bare = replace(statistics, kinships=())
    assert {verdict(one).winner for one in SETTINGS.family(bare) if "kin" in (one.first, one.second)} == {"kin"}
    for one in family:
        decided = verdict(one)
        if "kin" in (one.first, one.second):
            assert decided.word == "withheld"
            worded(decided.withheld_reason, "'B'")
        else:
            assert one.data_caveat == ""
    worded(family.notes[0].text, "'B'", "7 of its 7")
    scores = family.without["B"].statistics.scores
    alone = measure(corpus.select(references=["A"]), "bleu").scores
    assert scores.tolist() == alone.tolist()
    worded(headline_text([family]))


def test_pages_do_not_begin_with_a_system_that_is_set_apart() -> None:
    statistics = measure(edited(), "bleu")
    assert statistics.best_first[0] == "kin"
    assert statistics.contenders_first == (*statistics.best_first[1:], "kin")
    assert best(statistics) == statistics.best_first[1:3]


def test_kin_of_two_references_is_judged_without_both_and_both_are_named() -> None:
    corpus = edited()
    halves = [
        kin if i % 2 else other
        for i, (kin, other) in enumerate(zip(corpus.lines("kin"), corpus.references["A"], strict=True))
    ]
    both = replace(corpus, references={**corpus.references, "C": tuple(halves)})
    statistics = measure(both, "bleu")
    assert {one.kin.reference for one in statistics.kinships} == {"B", "C"}
    family = SETTINGS.family(statistics)
    said = [note.text for note in family.notes if note.text.startswith("Without reference")]
    assert len(said) == 1
    worded(said[0], "'B' and 'C'")
    assert "with them" in said[0]
    doubts = {one.data_caveat for one in family if "kin" in (one.first, one.second)} - {""}
    assert doubts
    worded(doubts, "'B' and 'C'")
    scores = family.without["B"].statistics.scores
    assert scores.tolist() == measure(corpus.select(references=["A"]), "bleu").scores.tolist()


def test_what_was_counted_without_a_reference_holds_no_text() -> None:
    corpus = edited()
    statistics = measure(corpus, "bleu")
    assert list(statistics.kinships[0].without) == ["without that reference"]
    held = pickle.dumps(statistics)
    texts = [*corpus.outputs.values(), *corpus.references.values()]
    assert not any(str(line).encode() in held for lines in texts for line in lines)
    assert b"kin" in held


def test_notes_on_kin_say_so_and_are_no_other_notes_for_it() -> None:
    statistics = measure(edited(), "bleu")
    family = SETTINGS.family(statistics)
    assert [note.about for note in statistics.notes].count("kin") == 1
    assert [note.text for note in family.notes if note.about == "kin"] == [
        family.notes[0].text,
        statistics.notes[0].text,
    ]
    assert Note("warning", statistics.notes[0].text) == statistics.notes[0]


def test_what_stands_without_the_reference_stands() -> None:
    corpus = edited()
    worse = translated(list(corpus.references["A"]), 0.3, np.random.default_rng(8))
    corpus = Corpus.of({**corpus.outputs, "bad": worse}, corpus.references)
    family = SETTINGS.family(measure(corpus, "bleu"))
    found = {(one.first, one.second): verdict(one) for one in family}
    assert found["kin", "bad"].winner == "kin"


def test_runs_of_a_kin_are_judged_like_the_kin() -> None:
    corpus = edited()
    again = [line if i % 40 else "something else" for i, line in enumerate(corpus.lines("kin"))]
    outputs = {("kin.run1" if name == "kin" else name): lines for name, lines in corpus.outputs.items()}
    statistics = measure(Corpus.of({**outputs, "kin.run2": again}, corpus.references), "bleu")
    family = SETTINGS.family(statistics)
    for one in family:
        runs = {one.first, one.second} & {"kin.run1", "kin.run2"}
        assert (verdict(one).word == "withheld") == (len(runs) == 1) or not runs
    worded(family.notes[0], "kin.run1", "kin.run2")


def test_what_is_judged_without_the_reference_is_said_where_it_is_judged() -> None:
    statistics = measure(edited(), "bleu")
    told = "The score against this reference may be inflated."
    for notes in (statistics.notes, SETTINGS.intervals(statistics).notes):
        assert notes[0].text.endswith(told)
        assert not any("also judged" in note.text or "withheld" in note.text for note in notes)
    worded(SETTINGS.family(statistics).notes)


def test_with_that_reference_alone_nothing_is_won() -> None:
    corpus = edited().select(references=["B"])
    statistics = measure(corpus, "chrf")
    worded(statistics.notes[0].text)
    for one in SETTINGS.family(statistics, "kin"):
        assert verdict(one).word == "withheld"
        worded(verdict(one).withheld_reason)


def test_slices_and_several_metrics_know_it_too() -> None:
    corpus = edited()
    corpus = replace(corpus, segments=replace(corpus.segments, domains=tuple("ab"[i % 120 > 60] for i in range(240))))
    statistics = measure(corpus, "bleu")
    parts = compare_subsets(corpus, statistics, "domain", replace(SETTINGS, unit="segment"))
    decided = [verdict(one) for family in parts.families.values() for one in family]
    assert all(one.winner != "kin" for one in decided)
    assert [set(family.without) for family in parts.families.values()] == [{"B"}, {"B"}]
    worded((one.withheld_reason for one in decided), "'B'")
    worded(parts.notes, "'B'")
    joined = SETTINGS.families([statistics, measure(corpus, "chrf")], joined=True)
    for family in joined:
        assert all(verdict(one).winner != "kin" for one in family)
        assert set(family.without) == {"B"}


def test_a_system_whose_name_ends_like_a_slice_is_no_kin() -> None:
    corpus = edited()
    other = next(name for name in corpus.systems if name != "kin")
    outputs = {("kin [short]" if name == other else name): lines for name, lines in corpus.outputs.items()}
    family = SETTINGS.family(measure(Corpus.of(outputs, corpus.references), "bleu"))
    assert {name for one in family if one.data_caveat for name in (one.first, one.second)} == set(family.systems)
    worded(family.notes[0].text, "7 of its 7")


def test_a_study_keeps_what_was_found_without_it() -> None:
    corpus = edited(systems=5)
    study = conduct(corpus, Request((measure(corpus, "bleu").metric,), SETTINGS))
    again = study_of(study.text())
    assert again.text() == study.text()
    (result,) = again.results
    assert list(result.without_reference) == ["B"]
    assert len(result.without_reference["B"]) == 10
    words = {
        verdict(one).word for finding in again.results for one in finding.compared if "kin" in (one.first, one.second)
    }
    assert words == {"withheld"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kin"),
    [pytest.param("wmt21-en-de", "VolcTrans-GLAT", marks=pytest.mark.slow), ("wmt22-en-zh", "Online-B")],
)
def test_published_systems_are_not_announced_by_their_kin(shared: Path, name: str, kin: str) -> None:
    statistics = measure(read(shared / "data" / name), "bleu")
    assert [(one.kin.system, one.kin.reference) for one in statistics.kinships] == [(kin, "refB")]
    settings = Settings(n_resamples=1000)
    family = settings.family(statistics)
    assert "every other system" not in headline_text([family])
    assert f"Not ranked: {kin!r}" in headline_text([family])
    assert any(verdict(one).word == "withheld" and kin in (one.first, one.second) for one in family)


def test_kin_is_sought_among_the_systems_that_were_left_out(tmp_path: Path) -> None:
    corpus = edited()
    # Two systems alone tell little of what is ordinary; the others stand beside them.
    other = next(name for name in corpus.systems if name != "kin")
    pair = corpus.select([other, "kin"])
    assert set(pair.beside) == set(corpus.systems) - {other, "kin"}
    without = replace(pair, beside={})
    assert pair.digest != without.digest
    assert measure(pair, "bleu").kinships[0].others == len(corpus.systems) - 1
    assert verdict(SETTINGS.family(measure(pair, "bleu"))[0]).word == "withheld"
    # A kin that was left out itself is nobody's concern.
    assert measure(corpus.select([name for name in corpus.systems if name != "kin"]), "bleu").kinships == ()
    study = conduct(pair, Request((metric("bleu"),), SETTINGS))
    assert reproduce(study_of(study.text()), corpus).same
    gone = reproduce(study, without)
    assert not gone.same
    assert any("system left out" in change.text and "is missing" in change.text for change in gone.changes)


def test_systems_that_came_to_the_data_later_change_no_study_that_is_made_again() -> None:
    corpus = edited()
    other = next(name for name in corpus.systems if name != "kin")
    known = replace(corpus.select([other, "kin"]), beside={})
    request = Request((metric("bleu"),), SETTINGS)
    assert reproduce(conduct(known, request), corpus).same
    of_sets = conduct(Sets.of({"a": known, "b": known}), request)
    assert reproduce(of_sets, Sets.of({"a": corpus, "b": corpus})).same


def test_systems_left_out_on_the_command_line_stand_beside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = edited()
    for folder, columns in (("refs", corpus.references), ("systems", corpus.outputs)):
        (tmp_path / folder).mkdir()
        for name, lines in columns.items():
            (tmp_path / folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    other = next(name for name in corpus.systems if name != "kin")
    assert main(["compare", "--data", str(tmp_path), "--systems", other, "kin", "--resamples", "200"]) == 0
    assert "withheld" in capsys.readouterr().out


def with_people() -> Corpus:
    """Systems with both references among them, as WMT scores them; B is a copy but for its name."""
    corpus = edited(systems=4)
    a, b = ([line or "" for line in corpus.references[name]] for name in "AB")
    outputs = {name: lines for name, lines in corpus.outputs.items() if name != "kin"}
    return Corpus.of({**outputs, "refA": a, "copied": b}, corpus.references)


def test_a_reference_among_the_systems_wins_nothing_by_itself() -> None:
    family = SETTINGS.family(measure(with_people().select(references=["A"]), "bleu"))
    (told,) = (note.text for note in family.statistics.notes if note.text.startswith("System 'refA' is reference 'A'"))
    worded(told)
    bare = SETTINGS.family(replace(family.statistics, kinships=()))
    assert {verdict(one).winner for one in bare if "refA" in (one.first, one.second)} == {"refA"}
    for one in family:
        if "refA" in (one.first, one.second):
            worded(verdict(one).withheld_reason, "'refA'", "'A'")
    # The other human translation is held against a reference that it is not.
    assert {verdict(one).word for one in family if {one.first, one.second} == {"copied", "refA"}} == {"withheld"}
    assert all(one.data_caveat == "" for one in family if "refA" not in (one.first, one.second))
    worded(people_text(family))


def test_a_reference_among_the_systems_is_judged_by_the_others() -> None:
    statistics = measure(with_people(), "bleu")
    assert [(one.kin.system, one.kin.reference) for one in statistics.kinships] == [("refA", "A"), ("copied", "B")]
    family = SETTINGS.family(statistics)
    assert set(family.without) == {"A", "B"}
    alone = {
        frozenset((one.first, one.second)): verdict(one).winner
        for one in SETTINGS.family(measure(with_people().select(references=["B"]), "bleu"))
    }
    won = [one for one in family if verdict(one).winner == "refA"]
    assert all(alone[frozenset((one.first, one.second))] == "refA" for one in won)
    worded({kept_without(family, one) for one in won}, "'A'")
    others = [one for one in family if not {"refA", "copied"} & {one.first, one.second} or one.data_caveat]
    assert {kept_without(family, one) for one in others} == {""}
    # Where there is no verdict, as by a metric that only describes, none is the same.
    described = SETTINGS.family(measure(with_people(), "ratio"))
    assert set(described.without) == {"A", "B"}
    assert {kept_without(described, one) for one in described} == {""}
    assert all(verdict(one).winner != "copied" for one in family if "refA" in (one.first, one.second))


def test_a_few_lines_that_are_the_references_make_no_copy() -> None:
    assert references_among(with_people().take(range(COPIED - 1))) == ()


def of_transcripts(*rates: float, n: int = 300) -> Corpus:
    """Return systems of which each is wrong in its share of lines, as systems are that transcribe."""
    rng = np.random.default_rng(3)
    reference = [" ".join(f"w{word}" for word in rng.integers(0, 500, rng.integers(4, 12))) for _ in range(n)]
    outputs = {
        f"{rate:g}": [
            f"{line} uh" if chance < rate else line for line, chance in zip(reference, rng.random(n), strict=True)
        ]
        for rate in rates
    }
    return Corpus.of(outputs, {"ref": reference})


@pytest.mark.parametrize("rates", [(0.06, 0.14, 0.2), (0.0, 0.14, 0.3), (0.02, 0.14), (0.1, 0.11, 0.12, 0.6)])
def test_systems_that_are_right_in_most_lines_are_no_references(rates: tuple[float, ...]) -> None:
    corpus = of_transcripts(*rates)
    assert references_among(corpus) == kin_of(corpus) == ()
    family = SETTINGS.family(measure(corpus, "wer"))
    assert not any(one.data_caveat for one in family)
    assert any(verdict(one).winner for one in family)


@pytest.mark.parametrize("n", [15, 25, 29, 60])
def test_a_copy_wins_nothing_by_its_reference_however_few_lines_there_are(n: int) -> None:
    corpus = of_transcripts(0.0, 0.7, 0.8, 0.9, n=n)
    assert [kin.system for kin in references_among(corpus)] == ["0"]
    family = SETTINGS.family(measure(corpus, "bleu"))
    assert not any(verdict(one).winner == "0" for one in family)


def test_people_win_by_ratings() -> None:
    corpus = with_people()
    rng = np.random.default_rng(1)
    values = np.array([[level] for level in (0, 1, 2, 9, 3)][: len(corpus.systems)]) + rng.normal(
        size=(len(corpus.systems), len(corpus))
    )
    rated = Corpus.of(corpus.outputs, corpus.references, ratings={"mqm": Rating(values, higher_is_better=True)})
    family = SETTINGS.family(measure(rated, "rating:mqm"))
    assert not family.statistics.kinships
    assert not any(one.data_caveat for one in family)


# --- not ranked ----------------------------------------------------------------------------------------------


def with_a_copy(share: float, two: bool = False) -> Corpus:
    """Return four systems and one that has this share of a reference's lines, or the lines of two in turn."""
    rng = np.random.default_rng(5)
    first = [" ".join(str(word) for word in rng.integers(0, 400, rng.integers(8, 20))) for _ in range(200)]
    second = translated(first, 0.75, rng)
    outputs = {f"sys{s}": translated(first, 0.5 + 0.05 * s, rng) for s in range(4)}
    ordinary = translated(first, 0.5, rng)
    taken = [second[i] if two and i % 2 else first[i] for i in range(200)]
    outputs["copy"] = [
        line if i < 200 * share else other for i, (line, other) in enumerate(zip(taken, ordinary, strict=True))
    ]
    return Corpus.of(outputs, {"A": first, "B": second} if two else {"A": first})


@pytest.mark.parametrize(
    ("share", "two"),
    [(0.8, False), (1.0, False), (0.9, True), *slow((0.85, False), (0.9, False), (0.95, False), (1.0, True))],
)
def test_what_was_copied_from_references_is_not_crowned(share: float, two: bool) -> None:
    statistics = measure(with_a_copy(share, two), "bleu")
    assert statistics.best_first[0] == "copy"
    family = replace(SETTINGS, unit="segment").family(statistics)
    assert not any(verdict(one).winner == "copy" for one in family)
    assert list(family.unranked) == ["copy"]
    assert family.order[-1] == "copy"
    assert family.ranked_systems[0] == "sys3"
    worded(headline_text([family]), "Not ranked: 'copy'")
    placed = ranks(family)
    assert placed.best == ("sys3",)
    assert groups(family)[-1] == ("copy",)
    worded(Matrix.of(family).caption)
    scored = SETTINGS.intervals(statistics)
    assert score_table(scored).texts[-1][:2] == ("copy", family.unranked["copy"])
    worded(ranking_text(scored), "BLEU")


def test_a_study_sets_it_apart_too(tmp_path: Path) -> None:
    study = conduct(with_a_copy(0.9), Request((metric("bleu"),), SETTINGS))
    study.save(tmp_path / "study.json")
    read_again = read_study(tmp_path / "study.json")
    assert read_again == study
    for made in (study, read_again):
        (result,) = made.results
        assert list(result.compared.unranked) == ["copy"]
        assert result.compared.ranked_systems[0] == "sys3"
        assert results_table(made).texts[-1][0].startswith("copy (not ranked)")
        assert [place.system for place in made.ranks if place.could_be_best] == ["sys3"]


def test_over_sets_it_is_set_apart() -> None:
    corpus = with_a_copy(0.9)
    halves = Sets.of({"first": corpus.take(range(100)), "second": corpus.take(range(100, 200))})
    found = compare_sets(measure_sets(halves, "bleu"), SETTINGS)
    assert found.averages is not None
    assert found.averages.ranked_systems[0] == "sys3"
    assert not any(verdict(one).winner == "copy" for one in found.averages)


def test_people_rate_whom_they_like() -> None:
    corpus = with_a_copy(0.9)
    rng = np.random.default_rng(1)
    rating = Rating(rng.normal(np.arange(5)[:, None], 1, (5, 200)), higher_is_better=True)
    family = SETTINGS.family(measure(replace(corpus, ratings={"esa": rating}), "rating:esa"))
    assert family.unranked == {}
    assert family.order[0] == "copy"


def _spliced(place: Path) -> tuple[Corpus, list[str]]:
    """Return a test set whose one reference was taken, segment by segment, from three of five systems."""
    sample, random = read("sample_data/es-en"), np.random.default_rng(1)
    whose = [list(sample.systems)[number] for number in random.integers(3, size=len(sample))]
    texts = {f"systems/{name}": sample.lines(name) for name in sample.systems}
    texts["refs/synthetic"] = tuple(sample.lines(name)[i] for i, name in enumerate(whose))
    texts["docids"] = sample.documents or ()
    rows, seen = ["direction,doc_id,segment_index,final_system"], dict.fromkeys(texts["docids"], 0)
    for document, name in zip(texts["docids"], whose, strict=True):
        rows.append(f"x---y,{document},{seen[document]},{name}")
        seen[document] += 1
    texts["ratings/segment_provenance.csv"] = tuple(rows)
    for name, lines in texts.items():
        file = place / (name if "." in name else f"{name}.txt")
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return read(place), whose


def test_a_reference_that_was_taken_from_outputs_is_left_out_segment_by_segment(tmp_path: Path) -> None:
    """Each pair is compared again on the segments of neither, and a verdict that changes there is withheld."""
    corpus, whose = _spliced(tmp_path)
    assert corpus.ratings == {}
    assert corpus.annotations["origins"] == {"synthetic": tuple(whose)}
    worded(corpus.notes, "'synthetic'", "100%")
    statistics = measure(corpus, "chrf")
    assert [(each.kin.system, each.kin.shared) for each in statistics.kinships] == [
        (name, whose.count(name)) for name in corpus.systems if name in whose
    ]
    family = SETTINGS.family(statistics)
    without, plain = family.without["synthetic"], replace(corpus, annotations={})
    bare = SETTINGS.family(replace(statistics, kinships=()))
    withheld = []
    for row, other, before in zip(family, without, bare, strict=True):
        neither = [i for i, name in enumerate(whose) if name not in (row.first, row.second)]
        (alone,) = SETTINGS.family(measure(plain.take(neither).select([row.first, row.second]), "chrf"))
        assert other.difference == pytest.approx(alone.difference)
        assert other.standard_error == pytest.approx(alone.standard_error)
        changes = {row.first, row.second} & set(whose) and verdict(before) != verdict(other)
        assert (verdict(row).word == "withheld") == bool(changes)
        withheld += [{row.first, row.second}] if changes else []
    assert {"via-catalan", "via-galician"} in withheld
    assert family.unranked == {}
    # The data, both metrics and the verdicts tell of it: that is one warning.
    families = tuple(SETTINGS.family(measure(corpus, name)) for name in ("chrf", "bleu"))
    (told,) = [each for each in findings(Seen(corpus, families=families)) if each.warns and "reference" in each.found]
    assert told.systems == tuple(each.kin.system for each in statistics.kinships)
    assert told.found.count("Segments of reference 'synthetic' were taken from outputs: ") == 1
    assert all(told.found.count(f"verdicts on {name} change") == 1 for name in ("chrF2", "BLEU"))
    # Where there is another reference, that one is asked.
    more = replace(corpus, references={**corpus.references, "ref": read("sample_data/es-en").references["ref"]})
    beside = SETTINGS.family(measure(more, "chrf"))
    assert beside.without["synthetic"].difference.tolist() == SETTINGS.family(
        measure(plain_of(more, "ref"), "chrf")
    ).difference.tolist()  # fmt: skip
    assert beside.unranked == {}
    wrong = tmp_path / "ratings" / "segment_provenance.csv"
    wrong.write_text(wrong.read_text(encoding="utf-8").replace(",direct\n", ",via-esperanto\n")
                     .replace(",via-catalan\n", ",via-galician\n"), encoding="utf-8")  # fmt: skip
    other = read(tmp_path)
    assert other.annotations == {}
    worded(other.notes)


def plain_of(corpus: Corpus, reference: str) -> Corpus:
    return replace(corpus.select(references=[reference]), annotations={})
