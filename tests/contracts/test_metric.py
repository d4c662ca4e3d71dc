"""What every metric promises; a new row of METRICS is held to it without a word here."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pytest
import sacrebleu
from kept import worded
from made import made_corpus, parsed
from made_wordnet import make_wordnet
from sacrebleu.metrics import BLEU
from sampled import slow

from mtsig import Corpus, measure, metric, verdict, watching
from mtsig import interval as interval_of
from mtsig._options import Option, options
from mtsig.citations import VERSION
from mtsig.errors import InvalidOption, UnknownName
from mtsig.inference import compare as compare_systems
from mtsig.metrics import METRICS, Metric, Statistics
from mtsig.testing import check_metric, refused_values


@pytest.fixture(scope="module", autouse=True)
def wordnet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let options that need WordNet find one."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("WNSEARCHDIR", str(make_wordnet(tmp_path_factory.mktemp("wordnet"))))
        yield


@pytest.fixture(params=list(METRICS))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module", params=["shorter", *slow("longer")])
def corpus(request: pytest.FixtureRequest) -> Corpus:
    """Two references, documents, and outputs off the kink where lengths are equal, on either side."""
    made = made_corpus(n=60, systems=3, documents=12, references=2)
    changed = {
        system: [
            line.rsplit(" ", 1)[0] if request.param == "shorter" else f"{line} {line}" for line in made.lines(system)
        ]
        for system in made.systems
    }
    return parsed(Corpus.of(changed, dict(made.references), documents=made.documents))


@pytest.fixture(scope="module")
def few(corpus: Corpus) -> Corpus:
    """A dozen of its segments: METEOR aligns repeated words, and what counts twice over needs no more."""
    return corpus.take(range(0, 60, 5))


@cache
def measured(corpus: Corpus, name: str) -> Statistics:
    """Return the statistics, counted once for all tests that look at them."""
    return measure(corpus, name)


@cache
def counted(corpus: Corpus, name: str) -> np.ndarray:
    """Return the metric's own counts."""
    return np.asarray(METRICS[name].count(corpus), dtype=float)


def test_a_metric_keeps_its_promises(name: str, corpus: Corpus, few: Corpus) -> None:
    check_metric(METRICS[name], few if name == "meteor" else corpus)


def test_a_name_and_the_object_give_the_same(name: str, few: Corpus) -> None:
    assert metric(name) == metric(METRICS[name]) == METRICS[name]
    by_name, by_object = measured(few, name), measure(few, METRICS[name])
    assert np.array_equal(by_name.values, by_object.values)
    assert by_name.signature == by_object.signature


def other_values(option: Option) -> Iterator[Any]:
    """Yield values an option may take."""
    if option.choices is not None:
        yield from option.choices
    elif option.type is bool:
        yield from (True, False)
    elif option.type is str:
        yield "de"
    else:
        low = 0 if option.low is None else option.low
        high = low + 3 if option.high is None else option.high
        yield from (option.type(low), option.type(min(low + 2, high)))
        if option.type is float:
            yield low + 0.25


def written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_every_option_can_be_written_on_the_name(name: str) -> None:
    wrong = []
    for option in options(METRICS[name]):
        for value in other_values(option):
            if metric(f"{name}:{option.name}={written(value)}") != replace(METRICS[name], **{option.name: value}):
                wrong.append(f"{option.name}={written(value)}")
    assert wrong == []


def test_an_option_left_empty_is_left_to_the_program(name: str) -> None:
    for option in options(METRICS[name]):
        if option.optional:
            assert getattr(metric(f"{name}:{option.name}="), option.name) is None


def test_a_bad_value_is_answered_with_what_is_allowed(name: str) -> None:
    tried = 0
    for option in options(METRICS[name]):
        for value in refused_values(option):
            with pytest.raises(InvalidOption) as caught:
                replace(METRICS[name], **{option.name: value})
            message = str(caught.value)
            assert option.name in message
            assert repr(value) in message
            for allowed in option.choices or [f"{bound:g}" for bound in (option.low, option.high) if bound is not None]:
                assert allowed in message
            with pytest.raises(InvalidOption):
                metric(f"{name}:{option.name}={written(value)}")
            tried += 1
    assert tried


def test_unknown_names_are_answered_with_those_there_are(name: str) -> None:
    with pytest.raises(UnknownName) as caught:
        metric(f"{name}x")
    worded(str(caught.value), f"'{name}x'")
    assert f"Known: {', '.join(METRICS)}." in str(caught.value)
    with pytest.raises(UnknownName, match=options(METRICS[name])[0].name):
        metric(f"{name}:no_such_option=1")


def test_influences_add_up_to_the_change_they_describe(name: str, corpus: Corpus) -> None:
    statistics = measured(corpus, name)
    assert statistics.influence.shape == (3, 60)
    assert np.abs(statistics.influence.sum(axis=-1)).max() < 1e-8
    if np.allclose(statistics.metric.score(2 * statistics.sums), statistics.scores, rtol=1e-12):
        # A score that a doubled test set leaves as it is does not move along its own totals (Euler).
        slope = statistics.metric.gradient(statistics.sums)
        assert np.abs((slope * statistics.sums).sum(axis=0)).max() < 1e-6


def test_empty_and_one_word_segments_have_scores(name: str) -> None:
    corpus = Corpus.of(
        {"a": ["", "word", "word", ""], "b": ["x", "", "word", "y z"]}, {"r": ["x", "word", "other", ""]}
    )
    statistics = measure(parsed(corpus), name)
    assert np.isfinite(statistics.segment_scores).all()
    assert np.isfinite(statistics.scores).all()


def test_the_signature_names_the_programs_and_the_references(name: str, corpus: Corpus) -> None:
    signature = measured(corpus, name).signature
    keys = dict(piece.split(":", 1) for piece in signature.split("|"))
    assert len(keys) == signature.count("|") + 1
    assert keys["mtsig"] == VERSION
    if METRICS[name].needs_references:
        assert keys["nrefs"] == "2"
    if keys.get("tok") in BLEU.TOKENIZERS or hasattr(METRICS[name], "scorer"):
        # Whatever sacreBLEU counts or cuts into tokens carries sacreBLEU's own key for its version.
        assert keys["version"] == sacrebleu.__version__


def test_a_number_of_references_that_varies_is_said_so(name: str, corpus: Corpus) -> None:
    first, second = corpus.references.values()
    varying = parsed(Corpus.of(corpus.outputs, {"a": first, "b": [*second[:30], *[""] * 30]})).take(range(20, 40))
    signature = measure(varying, name).signature
    assert signature != measured(corpus, name).signature
    assert "nrefs:var" in signature or not METRICS[name].needs_references


def test_no_two_metrics_share_a_name_or_a_line_of_help(name: str) -> None:
    assert [other.name for other in METRICS.values()].count(METRICS[name].name) == 1
    assert METRICS[name].about.endswith(".")


def test_systems_are_called_better_only_by_metrics_that_judge(name: str, corpus: Corpus) -> None:
    for one in compare_systems(measured(corpus, name)):
        found = verdict(one)
        assert METRICS[name].is_quality_metric or (found.word, found.winner) == ("withheld", None)


def test_selecting_and_pooling_keep_the_scores(name: str, corpus: Corpus) -> None:
    statistics = measured(corpus, name)
    assert statistics.select(["sys2", "sys0"]).scores.tolist() == statistics.scores[[2, 0]].tolist()
    pooled = statistics.by_document()
    assert (pooled.n, pooled.unit, pooled.n_segments) == (12, "document", 60)
    assert pooled.scores.tolist() == statistics.scores.tolist()
    np.testing.assert_allclose(pooled.influence.sum(axis=-1), 0, atol=1e-8)


def test_progress_goes_up_to_one(name: str, few: Corpus) -> None:
    shares: list[float] = []
    with watching(shares.append):
        measure(few, name)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert shares[0] > 0


@dataclass(frozen=True)
class LengthError(Metric):
    """An outsider's metric: how far lengths are from the reference's, per reference word; lower is better."""

    name = "LenErr"
    higher_is_better = False

    def count(self, corpus: Corpus) -> np.ndarray:
        reference = next(iter(corpus.references.values()))
        wanted = np.array([len(str(line).split()) for line in reference], dtype=float)
        lengths = np.array([[len(line.split()) for line in corpus.lines(system)] for system in corpus.systems])
        return np.stack([np.abs(lengths - wanted), np.broadcast_to(wanted, lengths.shape)])

    def score(self, totals: np.ndarray) -> np.ndarray:
        return 100 * totals[0] / totals[1]


OUTSIDE = Corpus.of(
    {"good": ["x y z", "x y", "x y z w", "x"] * 10, "bad": ["a b", "a", "a", "a b"] * 10},
    {"ref": ["a b c", "a b", "a b c d", "a"] * 9 + ["a b c d e", "a b", "a b c d", "a"]},
)


def test_an_outsiders_metric_can_be_passed() -> None:
    statistics = measure(OUTSIDE, LengthError())
    assert statistics.scores.tolist() == pytest.approx([100 * 2 / 102, 100 * (10 * 6 + 2) / 102])
    assert f"mtsig:{VERSION}" in statistics.signature
    np.testing.assert_allclose(statistics.influence.sum(axis=-1), 0, atol=1e-6)


def test_lower_is_better_turns_the_sign_of_differences() -> None:
    family = compare_systems(measure(OUTSIDE, LengthError()))
    (one,) = family
    assert (one.first, one.second) == ("good", "bad")
    assert one.difference == pytest.approx(100 * 60 / 102)
    assert 0 < one.ci_low < one.difference < one.ci_high
    assert one.bootstrap_win_rate > 0.9
    scores = interval_of(measure(OUTSIDE, LengthError()))
    assert scores.order() == [0, 1]
