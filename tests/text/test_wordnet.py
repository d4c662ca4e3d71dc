"""Senses of words from WordNet's files, in a folder or in NLTK's archive."""

import shutil
from pathlib import Path

import pytest
from made_wordnet import make_wordnet

from mtsig.errors import NotApplicable
from mtsig.metrics import _meteor as wordnet
from mtsig.metrics._meteor import PARTS_OF_SPEECH, installed_wordnet


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
