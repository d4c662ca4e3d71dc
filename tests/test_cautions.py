"""One list of findings: where they come from, whom they concern, and one of a stranger's everywhere."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from kept import Kept, lacking, worded
from made import edited_reference, made_corpus
from sampled import slow

from mtsig import Corpus, Settings, check_data, measure, read, read_sample, verdict
from mtsig._cautions import CAUTIONS, Seen, findings, with_misaligned
from mtsig.cli import main
from mtsig.doctor import Checkup, Finding
from mtsig.report._families import caution_of_family
from mtsig.study import Request, conduct

DRAWN = Settings(n_resamples=200)

WORDS = 6
"""Words that a headline has at most; the name of a text is one."""


def looked_at(corpus: Corpus, settings: Settings = DRAWN, metric: str = "bleu") -> Seen:
    statistics = measure(corpus, metric)
    return Seen(corpus, (settings.intervals(statistics),), (settings.family(statistics),))


def test_overlap_and_copies_concern_those_that_they_are_of(kept: Kept) -> None:
    corpus = edited_reference()
    seen = looked_at(corpus)
    (overlap,) = [each for each in findings(seen) if each.cause == "kin"]
    assert overlap.systems == ("kin",)
    assert overlap.found.startswith("System 'kin' has")
    assert overlap.found.count("word for word") == 1
    assert "Without reference 'B'" in overlap.found
    kept("cautions", overlap.headline, overlap.found)
    assert not any(each.cause == "kin" for each in findings(seen, {"sys0", "sys1"}))
    twins = Corpus.of({**corpus.outputs, "again": corpus.outputs["sys0"]}, corpus.references)
    assert any("identical" in each.headline for each in findings(Seen(twins), {"sys0", "sys1"}))
    assert not any("identical" in each.headline for each in findings(Seen(twins), {"sys1", "sys2"}))


def test_what_withholds_verdicts_counts_their_pairs_among_those_in_view() -> None:
    seen = looked_at(edited_reference())
    withheld = [each for each in findings(seen) if each.level == "withholds"]
    (family,) = seen.families
    undecided = {(one.first, one.second) for one in family if verdict(one).word == "withheld"}
    assert undecided
    assert {pair for each in withheld for pair in each.pairs} == undecided
    assert all(each.advice and each.flags for each in withheld)
    kept = [each for each in findings(seen, {"kin", "sys0"}) if each.level == "withholds"]
    assert [set(each.pairs[0]) for each in kept] == [{"kin", "sys0"}]


def test_what_a_family_is_doubted_for_is_counted_by_the_list() -> None:
    seen = looked_at(made_corpus(), Settings(test="bootstrap-koehn", n_resamples=200))
    beside = [each for each in findings(seen) if each.pairs and each.level == "warning"]
    said = caution_of_family(seen.families[0])
    assert beside
    for each in beside:
        many, sentence = each.found.removesuffix(".").split(" with a caution: ")
        assert f"{sentence} ({many.split()[0]} of " in said


def test_a_note_that_is_a_warning_somewhere_is_one_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, level in (("a", "note"), ("b", "warning"), ("c", "note")):
        found = Finding("", level, "certain", "", "Said thrice.")
        monkeypatch.setitem(CAUTIONS, name, lambda _, found=found: [found])
    (one,) = [each for each in findings(Seen()) if each.found == "Said thrice."]
    assert (one.level, one.check) == ("warning", "a")


def test_two_findings_of_one_cause_have_the_lines_of_both() -> None:
    one = Finding("a", "note", "certain", "", "Said.", lines=(3, 5))
    assert one.joined(replace(one, level="warning", lines=(1, 5))).lines == (1, 3, 5)
    assert one.joined(replace(one, lines=())).lines == (3, 5)


def test_many_pairs_that_are_mixed_are_one_finding_with_their_number() -> None:
    corpus = made_corpus(systems=4)
    pairs = [*combinations(corpus.systems, 2)]
    mixed = [
        Finding(
            "mixed systems", "warning", "likely", f"systems {first!r} and {second!r}", "9 lines are the same in both.",
            "Look.", (1, 9 - at), f"{first} and {second} share lines", (first, second),
        )
        for at, (first, second) in enumerate(pairs)
    ]  # fmt: skip
    seen = Seen(corpus, checkup=Checkup(tuple(mixed), ("mixed systems",), 1, 1))
    (one,) = [each for each in findings(seen) if each.check == "mixed systems"]
    worded(one.headline, "6 pairs")
    assert one.systems == tuple(corpus.systems)
    assert one.lines == (1, 4, 5, 6, 7, 8, 9)  # those of all of them are reached
    worded(one.note.text, "'sys0' and 'sys1'", "9 lines")
    (one,) = [each for each in findings(seen, {"sys3"}) if each.check == "mixed systems"]
    worded((one.headline, one.found.partition("Also: ")[2]), "3 pairs")
    few = Seen(corpus, checkup=Checkup(tuple(mixed[:2]), ("mixed systems",), 1, 1))
    found = [each for each in findings(few) if each.check == "mixed systems"]
    assert [each.headline for each in found] == [each.headline for each in mixed[:2]]


def test_a_copy_of_the_source_is_one_finding_and_without_its_sources_others_tell() -> None:
    sample = read_sample()
    sources = list(sample.segments.sources or ())
    copied = replace(
        sample, outputs={**sample.outputs, "copy": tuple(sources)}, systems={**sample.systems, "copy": ("copy",)}
    )
    (one,) = [each for each in findings(Seen(copied)) if each.systems == ("copy",)]
    assert one.level == "warning"
    assert not lacking(one.headline, "copy", "source")
    unknown = replace(copied, segments=replace(copied.segments, sources=None))
    assert {each.check for each in findings(Seen(unknown)) if each.systems == ("copy",)} >= {"language"}


def test_comparisons_that_are_not_corrected_are_a_warning() -> None:
    seen = looked_at(made_corpus(), replace(DRAWN, correction="none"))
    (one,) = [each for each in findings(seen) if each.check == "corrections"]
    assert (one.warns, one.flags) == (True, "--correction holm")
    assert not [each for each in findings(looked_at(made_corpus())) if each.check == "corrections"]


def test_what_touches_single_intervals_alone_is_a_note() -> None:
    (slope,) = [each for each in findings(looked_at(read_sample())) if "brevity penalty" in each.headline]
    assert slope.level == "note"


@pytest.mark.parametrize("data", ["overlap", "wmt22-en-zh", *slow("sample")])
def test_terminal_study_and_list_have_the_same_findings(
    data: str, shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = (
        read_sample() if data == "sample" else edited_reference() if data == "overlap" else with_copies(shared / "data")
    )
    of_data = findings(Seen(corpus))
    study = conduct(corpus, Request((measure(corpus, "bleu").metric,), DRAWN))
    seen = looked_at(corpus)
    whole = findings(seen)
    assert list(study.notes) == list(dict.fromkeys(each.note.text for each in whole))
    assert len(study.warnings) == sum(each.warns for each in whole)
    headlines = [each.headline for each in whole]
    assert len(headlines) == len(set(headlines))
    assert all(len(headline.split()) <= WORDS for headline in headlines), headlines
    assert set(headlines) >= {each.headline for each in of_data}
    if data == "wmt22-en-zh":
        overlap, copy = [each.headline for each in whole if each.warns]
        assert not lacking(overlap, "Online-B", "refB") + lacking(copy, "source-copy is")
        assert sum(each.warns for each in of_data) == 2
    place = written(tmp_path, corpus)
    assert main(["check", "--data", str(place), "--format", "csv"]) == 0
    printed = capsys.readouterr().out
    assert all(each.headline in printed for each in of_data)


def with_copies(shared: Path) -> Corpus:
    """Return WMT22 by its second reference alone, with the first among the systems, and a copy of the source."""
    corpus = read(shared / "wmt22-en-zh").take(range(300))
    more = {"refA": tuple(str(line) for line in corpus.references["refA"])}
    more["source-copy"] = tuple(corpus.segments.sources or ())
    return Corpus.of(
        {**corpus.outputs, **more},
        {"refB": corpus.references["refB"]},
        documents=corpus.documents,
        sources=corpus.segments.sources,
    )


def written(place: Path, corpus: Corpus) -> Path:
    for folder, columns in (("systems", corpus.outputs), ("refs", corpus.references)):
        (place / folder).mkdir()
        for name, lines in columns.items():
            (place / folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    for name, column in (("docids", corpus.documents), ("source", corpus.segments.sources)):
        if column is not None:
            (place / f"{name}.txt").write_text("".join(f"{line}\n" for line in column), encoding="utf-8")
    return place


def test_a_finding_from_outside_is_told_by_study_and_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def shouting(seen: Seen) -> Iterator[Finding]:
        for name in () if seen.corpus is None else seen.corpus.systems:
            found = f"{name} was trained on it."
            yield Finding("", "warning", "certain", "", found, "leave it out", systems=(name,), flags="--sys")

    monkeypatch.setitem(CAUTIONS, "trained on it", shouting)
    corpus = made_corpus()
    study = conduct(corpus, Request((measure(corpus, "bleu").metric,), DRAWN))
    assert any(not lacking(text, "sys0 was trained", "Leave it out", "(--sys)") for text in study.warnings)
    found = findings(Seen(corpus), {"sys0"})
    assert [each.systems for each in found if each.check == "trained on it"] == [("sys0",)]
    assert main(["compare", "--data", "sample_data/es-en", "--metric", "chrf", "--resamples", "100"]) == 0
    assert "direct was trained" in capsys.readouterr().err


def test_checks_run_before_are_not_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = made_corpus()
    checkup = check_data(corpus)
    monkeypatch.setattr("mtsig._cautions.check_data", lambda _: pytest.fail("run again"))
    assert len(findings(Seen(corpus, checkup=checkup))) >= len(checkup)
    # Nor where they found nothing.
    statistics = measure(corpus, "bleu")
    assert with_misaligned(statistics, corpus, replace(checkup, findings=())) is statistics
