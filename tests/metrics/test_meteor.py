"""METEOR equals NLTK's where the two mean the same, and sums done by hand elsewhere; senses are those of the files."""

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kept import worded
from made_wordnet import make_wordnet

from mtsig import Corpus, measure, read_sample
from mtsig.errors import NotApplicable
from mtsig.metrics import METRICS, Meteor
from mtsig.metrics import _meteor as wordnet
from mtsig.metrics._meteor import PARTS_OF_SPEECH, installed_wordnet, stem_by

# No two words of the list have a stem in common but those with the same beginning, and none is said twice: NLTK, too,
# has only one way to align them.
STEMS = ["walk", "talk", "jump", "paint", "boat", "tree", "house", "garden"]


ENDINGS = ["", "s", "ed", "ing"]


SENTENCE = st.lists(st.sampled_from(STEMS), unique=True, max_size=8).flatmap(
    lambda words: st.tuples(*(st.sampled_from([word + ending for ending in ENDINGS]) for word in words))
)


KNOWS_NOTHING = SimpleNamespace(synsets=lambda _: [])
"""A WordNet without words."""


def by_nltk(hypothesis: tuple[str, ...], reference: tuple[str, ...], **options: float) -> float:
    from nltk.translate.meteor_score import single_meteor_score  # a quarter of a second, not for all that collect

    stemmer = SimpleNamespace(stem=stem_by("porter"))
    return 100 * single_meteor_score(
        list(reference), list(hypothesis), stemmer=stemmer, wordnet=KNOWS_NOTHING, **options
    )


@given(SENTENCE, SENTENCE)
@settings(deadline=None, max_examples=30)
def test_where_words_are_said_once_meteor_is_nltks(hypothesis: tuple[str, ...], reference: tuple[str, ...]) -> None:
    corpus = Corpus.of({"x": [" ".join(hypothesis)]}, {"r": [" ".join(reference)]})
    assert measure(corpus, "meteor").scores[0] == pytest.approx(by_nltk(hypothesis, reference))
    chosen = {"alpha": 0.85, "beta": 0.2, "gamma": 0.6}
    found = measure(corpus, Meteor(**chosen)).scores[0]
    assert found == pytest.approx(by_nltk(hypothesis, reference, **chosen))


BY_HAND = [
    # m = 4, one chunk: F = 1, penalty .5·(1/4)³ = .0078125.
    ({}, "a b c d", ["a b c d"], 99.21875),
    # Banerjee and Lavie's sentence: 6 matches in 2 chunks, P = 6/6, R = 6/7: F = 10·6/(9·7 + 6) = .869565,
    # penalty .5·(2/6)³ = .018519: .853462.
    ({}, "the president spoke to the audience", ["the president then spoke to the audience"], 85.346216),
    # The other way round: P = 6/7, R = 6/6: F = 60/(9·6 + 7) = .983607, the same penalty: .965392.
    ({}, "the president then spoke to the audience", ["the president spoke to the audience"], 96.539162),
    # Turned round: 4 chunks of 4 matches, penalty .5: F = 1.
    ({}, "d c b a", ["a b c d"], 50),
    # Stems: walks matches walked in the second stage: m = 2, one chunk, F = 1, penalty .5·(1/2)³ = .0625.
    ({}, "she walks", ["she walked"], 93.75),
    # The same where a stem counts .6: weighted 1.6: F = 16/(9·2 + 2) = .8; the penalty counts matches: .8·.9375.
    ({"stem_weight": 0.6}, "she walks", ["she walked"], 75),
    # Without stems: m = 1, F = 10/(18 + 2) = .5, penalty .5·1³ = .5.
    ({"stemmer": "none"}, "she walks", ["she walked"], 25),
    # Case is ignored, unless told otherwise: then nothing matches.
    ({}, "A", ["a"], 50),
    ({"lowercase": False, "stemmer": "none"}, "A", ["a"], 0),
    # Precision alone (α = 0) without penalty: 1 of 2; recall alone: 1 of 3.
    ({"alpha": 0.0, "gamma": 0.0}, "a x", ["a b c"], 50),
    ({"alpha": 1.0, "gamma": 0.0}, "a x", ["a b c"], 33.333333),
    # Two references: .5·(1 − .5) against the first, F = 10·2/(9·3 + 2) = .689655 and .9375 against the second.
    ({}, "a b", ["a x", "a b c"], 64.655172),
    # The parameters of METEOR 1.5, one stem: weighted 1.6, F = 1.6/(.85·2 + .15·2) = .8, penalty
    # .6·(1/2)^.2 = .52233034: .8·.47766966.
    ({"alpha": 0.85, "beta": 0.2, "gamma": 0.6, "stem_weight": 0.6}, "she walks", ["she walked"], 38.213573),
    ({}, "", ["a"], 0),
    ({}, "x", ["a"], 0),
]


@pytest.mark.parametrize(("options", "output", "references", "expected"), BY_HAND)
def test_scores_by_hand(options: dict[str, object], output: str, references: list[str], expected: float) -> None:
    corpus = Corpus.of({"x": [output]}, {f"r{i}": [line] for i, line in enumerate(references)})
    assert measure(corpus, Meteor(**options)).scores[0] == pytest.approx(expected, abs=1e-5)


def test_a_test_set_has_the_score_of_its_sums() -> None:
    corpus = Corpus.of({"x": ["a b", "c x"]}, {"r": ["a b", "c d e"]})
    # m = 2 + 1 in 1 + 1 chunks, H = 4, R = 5: F = 30/(45 + 4) = .612245, penalty .5·(2/3)³ = .148148.
    assert measure(corpus, "meteor").scores[0] == pytest.approx(100 * 30 / 49 * (1 - 4 / 27))


def test_the_program_of_2014_is_offered_as_what_it_is_without_tables() -> None:
    one = METRICS["meteor-1.5"]
    assert isinstance(one, Meteor)
    assert (one.alpha, one.beta, one.gamma, one.stem_weight, one.synonym_weight) == (0.85, 0.2, 0.6, 0.6, 0.8)
    assert one.name == "METEOR(0.85/0.2/0.6)"


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A WordNet of a few words."""
    monkeypatch.setenv("WNSEARCHDIR", str(make_wordnet(tmp_path / "wordnet")))


def test_synonyms_match_in_the_third_stage(made: None) -> None:
    corpus = Corpus.of({"x": ["she bought big cars"]}, {"r": ["she purchased large autos"]})
    # she; bought and purchased, big and large, cars and autos are synonyms: m = 4, one chunk.
    found = measure(corpus, Meteor(synonyms=True))
    assert found.sums[:, 0].tolist() == [1, 0, 3, 1, 4, 4]
    assert found.scores[0] == pytest.approx(99.21875)
    assert "wordnet:3.0" in found.signature
    # Weighted .8: F = (1 + 2.4)/4.
    weighted = measure(corpus, Meteor(synonyms=True, synonym_weight=0.8))
    assert weighted.scores[0] == pytest.approx(85 * 0.9921875)


def test_an_exact_match_comes_before_a_synonym(made: None) -> None:
    corpus = Corpus.of({"x": ["car auto"]}, {"r": ["auto"]})
    assert measure(corpus, Meteor(synonyms=True)).sums[:4, 0].tolist() == [1, 0, 0, 1]


def test_without_wordnet_synonyms_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordnet, "_places", lambda: iter([tmp_path]))
    with pytest.raises(NotApplicable, match="WordNet"):
        measure(read_sample(), Meteor(synonyms=True))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A WordNet of a few words, and no other."""
    monkeypatch.setattr(wordnet, "_places", lambda: iter([tmp_path / "wordnet"]))
    return make_wordnet(tmp_path / "wordnet")


def related(one: str, other: str) -> bool:
    found = installed_wordnet()
    return bool(found.senses(one) & found.senses(other))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("car", "auto", True),
        ("cars", "auto", True),  # s → nothing
        ("buses", "cars", True),  # ses → s
        ("cities", "metropolis", True),  # ies → y
        ("purchasing", "bought", True),  # ing → e; irregular
        ("used", "applies", True),  # ed → e; ies → y
        ("started", "began", True),  # one of two senses is shared
        ("biggest", "large", False),  # not in this list of irregular forms, and "bigg" is no word
        ("bigger", "larger", True),
        ("fast", "quickly", True),
        ("mouse", "rat", False),
        ("motor_vehicle", "car", False),  # only single words
        ("zebra", "zebra", False),  # unknown words have no sense
    ],
)
def test_synonyms_share_a_sense(folder: Path, one: str, other: str, expected: bool) -> None:
    assert related(one, other) is expected


def test_the_same_number_in_another_part_of_speech_is_another_sense(folder: Path) -> None:
    assert {part for part, _ in installed_wordnet().senses("fast")} == {"adj", "adv"}


def test_the_version_is_read(folder: Path) -> None:
    assert installed_wordnet().version == "3.0"


def test_an_archive_of_nltk_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_wordnet(tmp_path / "corpora" / "wordnet")
    shutil.make_archive(str(tmp_path / "corpora" / "wordnet"), "zip", tmp_path / "corpora", "wordnet")
    shutil.rmtree(tmp_path / "corpora" / "wordnet")
    monkeypatch.setenv("NLTK_DATA", str(tmp_path))
    monkeypatch.delenv("WNSEARCHDIR", raising=False)
    places = [place for place in wordnet._places() if tmp_path in place.parents]
    assert [place.name for place in places] == ["wordnet", "wordnet.zip"]
    monkeypatch.setattr(wordnet, "_places", lambda: iter(places))
    assert related("cars", "auto")


def test_without_wordnet_the_message_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordnet, "_places", lambda: iter([tmp_path]))
    with pytest.raises(NotApplicable, match="wordnet-base") as caught:
        installed_wordnet()
    assert str(tmp_path) in str(caught.value)
    assert "synonyms off" in str(caught.value)


def test_a_real_wordnet_knows_what_everyone_knows() -> None:
    try:
        found = installed_wordnet()
    except NotApplicable as missing:
        pytest.skip(str(missing))
    assert all(len(found.senses_of[part]) > 1000 for part in PARTS_OF_SPEECH)
    assert found.senses("cars") & found.senses("automobile")
    assert found.senses("bought") & found.senses("purchased")
    assert not found.senses("car") & found.senses("banana")


def test_where_the_beam_is_narrower_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig.metrics._meteor.LONG", 11)
    corpus = Corpus.of({"x": ["a", "b", LONG], "y": [LONG, "c", "b"]}, {"r": ["a", None, "b"]})
    notes = [note.text for note in measure(corpus, "meteor").notes if "fewer alignments" in note.text]
    assert len(notes) == 1
    worded(notes[0], "2 segments", "segment 3")
    monkeypatch.setattr("mtsig.metrics._meteor.LONG", 12)
    assert not any("fewer alignments" in note.text for note in measure(corpus, "meteor").notes)


LONG = "a b " * 6
