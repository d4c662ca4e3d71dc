"""One list of cautions: where they come from, whom they concern, and one of a stranger's everywhere."""

from collections.abc import Iterator

import pytest
from made import edited_reference, made_corpus

from mtsig import Corpus, Settings, measure, verdict
from mtsig.cautions import CAUTIONS, Caution, Seen, cautions
from mtsig.cli import main
from mtsig.report._families import caution_of_family
from mtsig.study import Request, conduct

DRAWN = Settings(n_resamples=200)


def looked_at(corpus: Corpus, settings: Settings = DRAWN) -> Seen:
    statistics = measure(corpus, "bleu")
    return Seen(corpus, (settings.intervals(statistics),), (settings.family(statistics),))


def test_kin_and_copies_concern_those_that_they_are_of() -> None:
    corpus = edited_reference()
    seen = looked_at(corpus)
    every = [caution.told.text for caution in cautions(seen)]
    others = [caution.told.text for caution in cautions(seen, {"sys0", "sys1"})]
    gone = [text for text in every if text not in others]
    assert any(text.startswith("System 'kin' has") for text in gone)
    assert any(text.startswith("Without reference 'B' kin has") for text in gone)
    twins = Corpus.of({**corpus.outputs, "again": corpus.outputs["sys0"]}, corpus.references)
    assert any("identical" in each.sentence for each in cautions(Seen(twins), {"sys0", "sys1"}))
    assert not any("identical" in each.sentence for each in cautions(Seen(twins), {"sys1", "sys2"}))


def test_what_withholds_verdicts_counts_their_pairs_among_those_in_view() -> None:
    seen = looked_at(edited_reference())
    withheld = [caution for caution in cautions(seen) if caution.strength == "withholds"]
    (family,) = seen.families
    undecided = {(one.first, one.second) for one in family if verdict(one).word == "withheld"}
    assert undecided
    assert {pair for caution in withheld for pair in caution.pairs} == undecided
    assert all(caution.step and caution.flags for caution in withheld)
    kept = [caution for caution in cautions(seen, {"kin", "sys0"}) if caution.strength == "withholds"]
    assert [set(caution.pairs[0]) for caution in kept] == [{"kin", "sys0"}]


def test_what_a_family_is_doubted_for_is_counted_by_the_list() -> None:
    seen = looked_at(made_corpus(), Settings(test="bootstrap-koehn", n_resamples=200))
    beside = [caution for caution in cautions(seen) if caution.pairs and caution.strength == "warning"]
    said = caution_of_family(seen.families[0])
    assert beside
    assert all(f"{caution.sentence} ({len(caution.pairs)} of " in said for caution in beside)


def test_a_note_that_is_a_warning_somewhere_is_one_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, strength in (("a", "note"), ("b", "warning"), ("c", "note")):
        monkeypatch.setitem(CAUTIONS, name, lambda _, strength=strength: [Caution("Said thrice.", strength)])
    (one,) = [caution for caution in cautions(Seen()) if caution.sentence == "Said thrice."]
    assert (one.strength, one.source) == ("warning", "b")


def test_a_caution_from_outside_is_told_by_study_and_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def shouting(seen: Seen) -> Iterator[Caution]:
        for name in () if seen.corpus is None else seen.corpus.systems:
            yield Caution(f"{name} was trained on it.", systems=(name,), step="leave it out", flags="--sys")

    monkeypatch.setitem(CAUTIONS, "trained on it", shouting)
    corpus = made_corpus()
    study = conduct(corpus, Request((measure(corpus, "bleu").metric,), DRAWN))
    assert "sys0 was trained on it. Leave it out (--sys)." in study.warnings
    found = cautions(Seen(corpus), {"sys0"})
    assert [each.systems for each in found if each.source == "trained on it"] == [("sys0",)]
    assert main(["compare", "--data", "sample_data/es-en", "--metric", "chrf", "--resamples", "100"]) == 0
    assert "direct was trained on it" in capsys.readouterr().err
