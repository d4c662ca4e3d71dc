"""Two good human translations of one text: how often detectors raise an alarm there bounds their false alarms."""

from pathlib import Path

import pytest

from mtsig import Corpus, read
from mtsig.segments import buckets_of

# Most alarms, in % of segments; people differ in numbers, names and commas, too, if seldom.
MOST = {
    "number": 3.5,
    "negation": 5.0,
    "untranslated": 0.2,
    "length": 1.0,
    "repetition": 0.1,
    "entity": 3.0,
    "surface": 1.0,
}


@pytest.mark.parametrize("folder", ["wmt21-ru-en", "wmt21-en-de", "wmt22-en-zh", "wmt21-ted-zh-en"])
def test_human_translations_raise_few_alarms(shared: Path, folder: str) -> None:
    corpus = read(shared / "data" / folder)
    first, second, *_ = corpus.references.values()
    people = {"first": [line or "" for line in first], "second": [line or "" for line in second]}
    found = buckets_of(Corpus.of(people, sources=corpus.segments.sources), "first", "second")
    assert found.left_out == {}
    alarms = {name: round(100 * float(found[name].mean()), 2) for name in MOST}
    print(folder, alarms)
    assert {name: share for name, share in alarms.items() if share > MOST[name]} == {}


def test_languages_of_real_sets_are_known(shared: Path) -> None:
    croatian = read(shared / "data" / "wmt22-several" / "en-hr")
    first, second, *_ = croatian.systems
    found = buckets_of(croatian, first, second, ["negation"])
    assert "Croatian" in found.left_out["negation"]
