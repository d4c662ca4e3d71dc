"""What every metric promises; a new row of METRICS is held to it without a word here."""

from collections.abc import Iterator
from dataclasses import FrozenInstanceError, dataclass, fields, is_dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pytest
import sacrebleu
from made import made_corpus, parsed
from made_wordnet import make_wordnet
from sacrebleu.metrics import BLEU

from mtsig import VERSION, Corpus, measure, metric, verdict, watching
from mtsig import interval as interval_of
from mtsig.errors import InvalidOption, UnknownName
from mtsig.inference import compare as compare_systems
from mtsig.metrics import METRICS, Metric, Statistics
from mtsig.options import Option, options


@pytest.fixture(scope="module", autouse=True)
def wordnet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let options that need WordNet find one."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("WNSEARCHDIR", str(make_wordnet(tmp_path_factory.mktemp("wordnet"))))
        yield


@pytest.fixture(params=list(METRICS))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module", params=["shorter", "longer"])
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


def slopes_by_hand(one: Metric, totals: np.ndarray) -> np.ndarray:
    """Return derivatives by each total from the score alone: central differences with Richardson's correction."""

    def central(row: int, step: np.ndarray) -> np.ndarray:
        above, below = totals.copy(), totals.copy()
        above[row] += step
        below[row] -= step
        return (one.score(above) - one.score(below)) / (2 * step)

    found = np.empty(totals.shape)
    for row in range(len(totals)):
        step = 1e-3 * np.maximum(1.0, totals[row])
        found[row] = (4 * central(row, step / 2) - central(row, step)) / 3
    return found


def test_a_metric_is_a_frozen_dataclass(name: str) -> None:
    one = METRICS[name]
    assert is_dataclass(one)
    assert isinstance(one, Metric)
    assert one == replace(one)
    assert len({one, replace(one)}) == 1
    for field in fields(one):
        with pytest.raises(FrozenInstanceError):
            setattr(one, field.name, getattr(one, field.name))


def test_every_field_is_a_described_option(name: str) -> None:
    one = METRICS[name]
    # by_text is nobody's to choose: `on` fills it in.
    assert {field.name for field in fields(one)} - {"by_text"} == {option.name for option in options(one)}
    for option in options(one):
        assert option.label
        assert option.help.endswith(".")


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


def bad_values(option: Option) -> Iterator[Any]:
    """Yield values an option may not take."""
    if option.choices is not None:
        yield "no-such-choice"
    elif option.type is not str:
        yield "words"
        if option.low is not None:
            yield option.type(option.low - 1)
        if option.high is not None:
            yield option.type(option.high + 1)


def test_a_bad_value_is_answered_with_what_is_allowed(name: str) -> None:
    tried = 0
    for option in options(METRICS[name]):
        for value in bad_values(option):
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
    assert f"no metric called '{name}x'" in str(caught.value)
    assert f"Known: {', '.join(METRICS)}." in str(caught.value)
    with pytest.raises(UnknownName, match=options(METRICS[name])[0].name):
        metric(f"{name}:no_such_option=1")


def test_counts_have_one_row_per_statistic_system_and_segment(name: str, corpus: Corpus) -> None:
    counts = counted(corpus, name)
    assert counts.shape[1:] == (len(corpus.systems), len(corpus))
    assert np.isfinite(counts).all()


def test_the_score_of_summed_counts_is_the_score(name: str, corpus: Corpus) -> None:
    one = METRICS[name]
    summed = counted(corpus, name).sum(axis=-1)
    statistics = measured(corpus, name)
    # Real numbers stand on a grid of 2^-20, so that their sums do not depend on the order of adding.
    slack = 0.0 if statistics.values.dtype == np.float32 else 2.0**-21
    np.testing.assert_allclose(statistics.scores, one.score(summed), rtol=1e-12, atol=100 * slack)
    np.testing.assert_allclose(statistics.sums, summed, rtol=1e-12, atol=slack * len(corpus))


def test_the_score_of_many_columns_is_the_score_of_each(name: str, corpus: Corpus) -> None:
    one = METRICS[name]
    counts = counted(corpus, name)
    shaped = counts[:, :, :12].reshape(len(counts), 3, 4, 3)
    scores = one.score(shaped)
    assert scores.shape == (3, 4, 3)
    for place in np.ndindex(scores.shape):
        alone = one.score(shaped[(slice(None), *place)])
        assert np.shape(alone) == ()
        assert scores[place] == pytest.approx(float(alone), rel=1e-12, abs=1e-12)


def test_the_gradient_is_the_slope_of_the_score(name: str, corpus: Corpus) -> None:
    one = METRICS[name]
    totals = counted(corpus, name).sum(axis=-1)
    expected = slopes_by_hand(one, totals)
    np.testing.assert_allclose(one.gradient(totals), expected, rtol=1e-5, atol=1e-6 * np.abs(expected).max())


def test_the_gradient_takes_any_trailing_shape(name: str, corpus: Corpus) -> None:
    one = METRICS[name]
    totals = counted(corpus, name).sum(axis=-1)
    both = np.stack([totals, 2 * totals], axis=-1)
    np.testing.assert_allclose(one.gradient(both)[..., 1], one.gradient(2 * totals), rtol=1e-9)
    np.testing.assert_allclose(one.gradient(both)[:, 0, 0], one.gradient(totals[:, 0]), rtol=1e-9)


def test_influences_add_up_to_the_change_they_describe(name: str, corpus: Corpus) -> None:
    statistics = measured(corpus, name)
    assert statistics.influence.shape == (3, 60)
    assert np.abs(statistics.influence.sum(axis=-1)).max() < 1e-8
    if np.allclose(statistics.metric.score(2 * statistics.sums), statistics.scores, rtol=1e-12):
        # A score that a doubled test set leaves as it is does not move along its own totals (Euler).
        slope = statistics.metric.gradient(statistics.sums)
        assert np.abs((slope * statistics.sums).sum(axis=0)).max() < 1e-6


def test_dropping_a_segment_moves_the_score_by_its_influence(name: str, corpus: Corpus) -> None:
    statistics = measured(corpus, name)
    weights = np.ones((60, 60)) - np.eye(60)
    change = statistics.scores[:, None] - statistics.metric.score(statistics.weighted()(weights))
    for moved, predicted in zip(change, statistics.influence, strict=True):
        if not predicted.any():  # a brevity penalty that nobody pays
            assert not moved.any()
        else:
            assert np.corrcoef(moved, predicted)[0, 1] > 0.99


def test_segment_scores_are_finite_and_one_per_segment(name: str, corpus: Corpus) -> None:
    scores = measured(corpus, name).segment_scores
    assert scores.shape == (3, 60)
    assert np.isfinite(scores).all()


def test_empty_and_one_word_segments_have_scores(name: str) -> None:
    corpus = Corpus.of(
        {"a": ["", "word", "word", ""], "b": ["x", "", "word", "y z"]}, {"r": ["x", "word", "other", ""]}
    )
    statistics = measure(parsed(corpus), name)
    assert np.isfinite(statistics.segment_scores).all()
    assert np.isfinite(statistics.scores).all()


def test_a_perfect_system_has_the_best_score(name: str) -> None:
    corpus = made_corpus(n=30)
    perfect = Corpus.of({**corpus.outputs, "perfect": corpus.references["ref0"]}, corpus.references)
    scores = measure(parsed(perfect), name).scores
    sign = 1 if METRICS[name].higher_is_better else -1
    assert sign * scores[3] == max(sign * scores)
    if METRICS[name].is_quality_metric:
        assert np.argmax(sign * scores) == 3


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


def test_the_signature_changes_with_the_options_that_change_the_score(name: str, corpus: Corpus) -> None:
    capitals = Corpus.of(
        {system: [line.title() + "!" for line in corpus.lines(system)] for system in corpus.systems},
        dict(corpus.references),
    )
    capitals = parsed(capitals).take(range(20))
    plain = measure(capitals, name)
    for option in options(METRICS[name]):
        if option.type is not bool:
            continue
        turned = measure(capitals, replace(METRICS[name], **{option.name: not getattr(METRICS[name], option.name)}))
        if turned.scores.tolist() != plain.scores.tolist():
            assert turned.signature != plain.signature, option.name


def test_the_order_of_systems_and_segments_does_not_matter(name: str, few: Corpus) -> None:
    statistics = measured(few, name)
    mixed = list(np.random.default_rng(3).permutation(len(few)))
    turned = measure(few.select(["sys2", "sys0", "sys1"]).take(mixed), name)
    assert turned.scores.tolist() == statistics.scores[[2, 0, 1]].tolist()
    assert turned.segment_scores[1].tolist() == statistics.segment_scores[0][mixed].tolist()


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
