"""Which segments are looked at, and in which order: each wish against a plain loop over the sample."""

import time

import numpy as np
import pytest
from made import made_corpus

from mtsig import Corpus, measure, read_sample
from mtsig.errors import InvalidOption, NotApplicable, UnknownName
from mtsig.segments import SORTS, Contributions, Wanted, choosing, chosen, contributions, disagreement, sorts_of


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return read_sample()


@pytest.fixture(scope="module")
def found(corpus: Corpus) -> Contributions:
    return contributions(measure(corpus, "chrf"), "direct", "via-catalan")


def numbers(corpus: Corpus, found: Contributions, **wanted: object) -> list[int]:
    return found.numbers[chosen(corpus, found, Wanted(**wanted), "number")].tolist()  # type: ignore[arg-type]


def test_orders_are_those_of_the_numbers_they_are_called_after(corpus: Corpus, found: Contributions) -> None:
    values = found.values.tolist()
    sources = corpus.segments.sources
    assert sources is not None
    keys = {
        "contribution": lambda i: -values[i],
        "against": lambda i: values[i],
        "absolute": lambda i: -abs(values[i]),
        "length": lambda i: -len(sources[i]),
        "number": lambda i: i,
    }
    assert set(keys) == set(SORTS) == set(sorts_of(corpus))
    for name, key in keys.items():
        assert chosen(corpus, found, sort=name).tolist() == sorted(range(found.statistics.n), key=key), name


def test_a_text_is_looked_for_in_every_line_in_upper_or_lower_case(corpus: Corpus, found: Contributions) -> None:
    lines = [corpus.segments.sources, *corpus.references.values(), corpus.lines("direct"), corpus.lines("via-catalan")]
    wanted = "water"
    expected = [i for i in range(len(corpus)) if any(wanted in (text[i] or "").lower() for text in lines if text)]
    assert 0 < len(expected) < len(corpus)
    assert numbers(corpus, found, search="WATER") == expected
    assert numbers(corpus, found, search="/w[a]ter/") == expected
    assert numbers(corpus, found, search="no line has this") == []


def test_numbers_are_asked_for_as_cards_show_them(corpus: Corpus, found: Contributions) -> None:
    assert numbers(corpus, found, search="#7") == [6]
    assert numbers(corpus, found, search=" #7, #12 #200 #9999") == [6, 11, 199]
    assert numbers(corpus, found, search="#7 water") == []


def test_a_regular_expression_that_is_none_or_never_ends_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = made_corpus(n=20, systems=2, documents=0, references=1)
    corpus = Corpus.of({name: ["a" * 40 + "!"] * 20 for name in corpus.systems}, {"ref": ["b " * 9] * 20})
    found = contributions(measure(corpus, "ter"), *corpus.systems)
    with pytest.raises(InvalidOption, match=r"/\(/ is no regular expression"):
        chosen(corpus, found, Wanted(search="/(/"))
    with pytest.raises(InvalidOption, match="no regular expression: too deep"):
        chosen(corpus, found, Wanted(search="/" + "(" * 450 + "a" + ")" * 450 + "/"))
    with pytest.raises(InvalidOption, match="at most 1,000 characters; found 2,000"):
        chosen(corpus, found, Wanted(search="/" + "a" * 2000 + "/"))
    monkeypatch.setattr(choosing, "SEARCH_SECONDS", 0.2)
    began = time.process_time()
    with pytest.raises(NotApplicable, match=r"takes more than 0\.2 seconds"):
        chosen(corpus, found, Wanted(search="/(a|aa)+$/"))
    assert time.process_time() - began < 10


def test_filters_leave_what_they_say(corpus: Corpus, found: Contributions) -> None:
    values, documents = found.values, corpus.documents
    assert documents is not None
    name = documents[7]
    assert numbers(corpus, found, document=name) == [i for i in range(len(corpus)) if documents[i] == name]
    assert numbers(corpus, found, side="first") == np.flatnonzero(values > 0).tolist()
    assert numbers(corpus, found, side="second") == np.flatnonzero(values < 0).tolist()
    assert numbers(corpus, found, side="neither") == np.flatnonzero(values == 0).tolist()
    assert numbers(corpus, found, only=frozenset({3, 9})) == [3, 9]
    assert numbers(corpus, found, domain="news") == []
    low, high = 0.0, float(np.quantile(values, 0.9))
    assert numbers(corpus, found, push=(low, high)) == np.flatnonzero((values >= low) & (values <= high)).tolist()
    second, first = (20.0, 60.0), (40.0, 100.0)
    inside = [i for i in range(len(corpus)) if 20 <= found.scores[1, i] <= 60 and 40 <= found.scores[0, i] <= 100]
    assert numbers(corpus, found, scores=(second, first)) == inside
    lengths = [len(text) for text in corpus.segments.sources or ()]
    assert numbers(corpus, found, lengths=(50, 90)) == [i for i in range(len(corpus)) if 50 <= lengths[i] <= 90]


def test_buckets_are_joined_and_everything_else_is_cut(corpus: Corpus, found: Contributions) -> None:
    even, third = np.arange(len(corpus)) % 2 == 0, np.arange(len(corpus)) % 3 == 0
    wanted = Wanted(within=("even", "third"), side="first")
    kept = chosen(corpus, found, wanted, "number", {"even": even, "third": third})
    assert kept.tolist() == np.flatnonzero((even | third) & (found.values > 0)).tolist()
    with pytest.raises(UnknownName):
        chosen(corpus, found, wanted, masks={"even": even})
    with pytest.raises(UnknownName):
        chosen(corpus, found, sort="beauty")


def test_disagreement_is_largest_where_two_metrics_point_apart(corpus: Corpus, found: Contributions) -> None:
    other = contributions(measure(corpus, "bleu"), "direct", "via-catalan")
    apart = disagreement(found, other)
    mine, yours = found.values / np.std(found.values), other.values / np.std(other.values)
    np.testing.assert_allclose(apart, abs(mine - yours))
    order = chosen(corpus, found, sort="against BLEU", keys={"against BLEU": apart})
    assert order[0] == int(np.argmax(apart))
    np.testing.assert_allclose(disagreement(found, found), 0, atol=1e-15)
