"""What a metric, test, interval, correction, reader, exporter or check of one's own promises, as checks to call.

Each function takes one object, tries it on made data, and raises `AssertionError` with the promise that it breaks. In a
test of one's own package:

>>> from mtsig.metrics import METRICS
>>> from mtsig.testing import check_metric
>>> check_metric(METRICS["wer"])

mtsig's own rows are held to the same functions.
"""

import inspect
import io
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import FrozenInstanceError, fields, is_dataclass, replace
from functools import wraps
from typing import Any, ParamSpec

import numpy as np
from scipy.stats import binom

from mtsig._memory import remembered
from mtsig._options import Option
from mtsig._records import Floats
from mtsig.corpus import Corpus, Rating
from mtsig.doctor import Check
from mtsig.doctor._view import View
from mtsig.errors import InvalidOption, MtsigError, NotApplicable, kind_of
from mtsig.inference import TESTS, Correction, Family, IntervalMethod, Settings, SignificanceTest, compare
from mtsig.inference._adjust import adjust
from mtsig.inference._intervals import interval
from mtsig.inference._verdict import verdict
from mtsig.metrics import METRICS, Metric, Statistics, measure, options, statistics_of
from mtsig.readers import File, Reader, assemble
from mtsig.readers._read import parts_by, read_sample
from mtsig.report import Document, Exporter
from mtsig.resampling import Bootstrap
from mtsig.study import Request, Study, conduct

__all__ = [
    "check_correction", "check_exporter", "check_finding", "check_interval", "check_metric", "check_reader",
    "check_test", "made_corpus",
]  # fmt: skip

_DRAWS = 200


def _promise(holds: object, text: str, found: object = None) -> None:
    """Raise AssertionError with the promise, and with what was found in its place, where this says more."""
    if not holds:
        raise AssertionError(text if found is None else f"{text}; found {found}")


_Checked = ParamSpec("_Checked")

_RAISES = """Raises
    ------
    AssertionError
        A promise is broken; the message says which.

    Examples
"""


def _promised(check: Callable[_Checked, None]) -> Callable[_Checked, None]:
    """Let a check raise AssertionError alone, also for a class in place of an object, and for whatever this raises."""

    @wraps(check)
    def checked(*args: _Checked.args, **kwargs: _Checked.kwargs) -> None:
        one = next(iter((*args, *kwargs.values())), None)
        if isinstance(one, type | str):
            made = one if isinstance(one, str) else f"{one.__name__}()"
            raise AssertionError(f"give an object, not its class or name: {check.__name__}({made}, …)")
        inspect.signature(check).bind(*args, **kwargs)  # what is missing is the caller's, not the object's
        try:
            check(*args, **kwargs)
        except AssertionError:
            raise
        except Exception as error:
            raise AssertionError(f"{type(one).__name__} raises {type(error).__name__}: {error}") from error

    checked.__doc__ = (check.__doc__ or "").replace("Examples\n", _RAISES, 1)
    return checked


def _alike(found: Any, expected: Any, text: str, relative: float = 1e-9, absolute: float = 1e-9) -> None:
    """Promise that two arrays are the same but for rounding; the message has the values that differ most."""
    if np.allclose(found, expected, rtol=relative, atol=absolute, equal_nan=True):
        return
    have, want = (np.ravel(values) for values in np.broadcast_arrays(np.asarray(found, float), expected))
    both = np.isnan(have) & np.isnan(want)
    far = int(np.argmax(np.where(both, 0.0, np.nan_to_num(np.abs(have - want), nan=np.inf))))
    _promise(False, text, f"{have[far]:.6g}, expected {want[far]:.6g}")


def made_corpus(
    n: int = 60, systems: int = 3, documents: int = 12, references: int = 1, seed: int = 1, of: str = ""
) -> Corpus:
    """Make a corpus of random words in which each system keeps fewer of the reference's than the one before.

    Parameters
    ----------
    n, systems, documents, references
        How many; no document ids for 0 documents.
    seed
        Of the random numbers.
    of
        What ids of documents begin with.

    Examples
    --------
    >>> from mtsig.testing import made_corpus
    >>> made_corpus(n=20, systems=2)
    <Corpus: 20 segments in 12 documents, 2 systems (sys0, sys1), 1 reference (ref0), 0 ratings>
    """
    refs, outputs = _made_lines(n, systems, references, seed)
    names = [f"{of}doc{i * documents // n}" for i in range(n)] if documents else None
    return Corpus.of(outputs, {f"ref{r}": lines for r, lines in enumerate(refs)}, documents=names)


@remembered()
def _made_lines(n: int, systems: int, references: int, seed: int) -> tuple[list[list[str]], dict[str, list[str]]]:
    rng = np.random.default_rng(seed)
    words = np.array([f"w{i}" for i in range(60)])
    refs = [[" ".join(rng.choice(words, rng.integers(4, 15))) for _ in range(n)] for _ in range(references)]
    outputs = {}
    for s in range(systems):
        keep = 0.8 - 0.05 * s
        outputs[f"sys{s}"] = [
            " ".join(w if rng.random() < keep else words[rng.integers(len(words))] for w in line.split())
            for line in refs[0]
        ]
    return refs, outputs


# --- metrics --------------------------------------------------------------------------------------------------------


@_promised
def check_metric(metric: Metric, corpus: Corpus | None = None) -> None:
    """Check what every metric promises: options, counts, score, gradient, order, signature.

    Parameters
    ----------
    metric
        The metric.
    corpus
        Data that it can count, with documents; by default made data in words, on either side of equal lengths.

    Examples
    --------
    >>> from mtsig.metrics import METRICS
    >>> from mtsig.testing import check_metric
    >>> check_metric(METRICS["chrf"])
    """
    _check_frozen(metric)
    _check_options(metric)
    _promise(metric.name.strip(), "name: the metric's name in tables", repr(metric.name))
    full = metric.about[-1:] == "."
    _promise(full, "about, or the docstring: one sentence that ends with a full stop", repr(metric.about))
    for one in [corpus] if corpus else _off_the_kink():
        statistics = measure(one, metric)
        # What one segment decides as well as many is tried on a dozen: counting may be slow.
        few = one.take(range(0, len(one), max(1, len(one) // 12)))
        of_few = measure(few, metric)
        # That counts are finite and of the right shape is checked wherever they are made.
        scores, shape = statistics.segment_scores, (len(one.systems), len(one))
        _promise(scores.shape == shape, f"segment scores have shape {shape}", scores.shape)
        _check_finite(statistics, one, "every segment has a finite score of its own")
        _check_score(metric, of_few, np.asarray(metric.count(few), float))
        _check_influence(metric, statistics)
        _check_order(metric, of_few, few)
        if one.documents is not None:
            pooled = statistics.by_document()
            same = pooled.scores.tolist() == statistics.scores.tolist()
            different = f"{_list(pooled.scores)} instead of {_list(statistics.scores)}"
            _promise(same, "scores are the same with documents as units", different)
        _check_signature(metric, of_few, few)
        _check_perfect(metric, few)
    if corpus is None:
        lines = {"a": ["", "word", "word", ""], "b": ["x", "", "word", "y z"]}
        empty = Corpus.of(lines, {"r": ["x", "word", "other", ""]})
        _check_finite(measure(empty, metric), empty, "empty outputs and references also have finite scores")


def _list(values: Any) -> str:
    return f"[{', '.join(f'{value:.6g}' for value in np.ravel(values))}]"


def _check_finite(statistics: Statistics, corpus: Corpus, promise: str) -> None:
    """Check that segments and systems have finite scores; the message has the texts of the first that has none."""
    for system, scores, total in zip(corpus.systems, statistics.segment_scores, statistics.scores, strict=True):
        for place in np.flatnonzero(~np.isfinite(scores)).tolist():
            texts = [lines[place] for lines in corpus.references.values()]
            said = f"score {scores[place]} for the output {corpus.lines(system)[place]!r}"
            _promise(False, promise, f"{said} with the references {texts}")
        _promise(np.isfinite(total), promise, f"score {total} for all outputs {list(corpus.lines(system))[:9]}")


def _off_the_kink() -> Iterator[Corpus]:
    """Yield corpora with two references, whose outputs are shorter or longer than these."""
    made = made_corpus(documents=12, references=2)
    for shorter in (True, False):
        changed = {
            system: [line.rsplit(" ", 1)[0] if shorter else f"{line} {line}" for line in made.lines(system)]
            for system in made.systems
        }
        yield Corpus.of(changed, dict(made.references), documents=made.documents)


def _check_frozen(one: Any) -> None:
    _promise(
        is_dataclass(one), f"{type(one).__name__} is a frozen dataclass", "a class without @dataclass(frozen=True)"
    )
    _promise(one == replace(one) and len({one, replace(one)}) == 1, "a copy is equal, and has the same hash")
    for each in fields(one):
        try:
            setattr(one, each.name, getattr(one, each.name))
        except FrozenInstanceError:
            continue
        raise AssertionError(f"{type(one).__name__} is frozen: @dataclass(frozen=True)")


def _check_options(one: Any) -> None:
    described = options(one)
    names = {each.name for each in fields(one)} - {"by_text"}
    plain = ", ".join(sorted(names - {each.name for each in described}))
    _promise(not plain, "every field is made by option(), with label and help", f"the field {plain} without option()")
    for each in described:
        full = each.label and each.help[-1:] == "."
        found = f"{each.label!r} and {each.help!r}"
        _promise(full, f"{each.name}: a label, and a help that ends with a full stop", found)
        for value in refused_values(each):
            try:
                replace(one, **{each.name: value})
            except InvalidOption as error:
                said = each.name in str(error) and repr(value) in str(error)
                _promise(said, f"{each.name}: the refusal of {value!r} names the option and the value", f"{error}")
                continue
            raise AssertionError(f"{each.name}: {value!r} is refused with InvalidOption")


def refused_values(option: Option) -> Iterator[Any]:
    """Yield values that an option has to refuse."""
    if option.choices is not None:
        yield "no-such-choice"
    elif option.type is not str:
        yield "words"
        if option.low is not None:
            yield option.type(option.low - 1)
        if option.high is not None:
            yield option.type(option.high + 1)


def _check_score(metric: Metric, statistics: Statistics, counts: Floats) -> None:
    totals = counts.sum(axis=-1)
    # Real numbers stand on a grid of 2^-20, so that their sums do not depend on the order of adding.
    slack = 0.0 if statistics.values.dtype == np.float32 else 2.0**-21
    _alike(statistics.scores, metric.score(totals), "score: of summed counts", 1e-12, 100 * slack)
    shaped = counts[:, :, :12].reshape(len(counts), counts.shape[1], 4, 3)
    scores = metric.score(shaped)
    shapes = f"shape {np.shape(scores)} for counts of shape {shaped.shape}"
    _promise(np.shape(scores) == shaped.shape[1:], "score: takes shape (counts, …), returns shape (…)", shapes)
    for place in np.ndindex(scores.shape):
        alone = metric.score(shaped[(slice(None), *place)])
        _alike(scores[place], alone, "score: the score of many columns is the score of each column", 1e-12, 1e-12)
    slopes, expected = metric.gradient(totals), _slopes(metric, totals)
    _alike(slopes, expected, "gradient: equals the numerical derivative", 1e-5, 1e-6 * float(np.abs(expected).max()))
    both = metric.gradient(np.stack([totals, 2 * totals], axis=-1))
    _alike(both[..., 1], metric.gradient(2 * totals), "gradient: keeps the shape (counts, …)")


def _check_influence(metric: Metric, statistics: Statistics) -> None:
    sums = np.abs(statistics.influence.sum(axis=-1))
    _promise(sums.max() < 1e-8, "the influences of all segments sum to 0", f"{sums.max():.3g}")
    weights = 1 - np.eye(statistics.n)
    moved = statistics.scores[:, None] - metric.score(statistics.weighted()(weights))
    for found, predicted in zip(moved, statistics.influence, strict=True):
        follows = np.corrcoef(found, predicted)[0, 1] > 0.99 if predicted.any() else not found.any()
        _promise(follows, "leaving out a segment changes the score by its influence")


def _slopes(metric: Metric, totals: Floats) -> Floats:
    """Return derivatives by each total from the score alone: central differences with Richardson's correction."""

    def central(row: int, step: Floats) -> Floats:
        above, below = totals.copy(), totals.copy()
        above[row] += step
        below[row] -= step
        return (metric.score(above) - metric.score(below)) / (2 * step)

    steps = [1e-3 * np.maximum(1.0, row) for row in totals]
    return np.array([(4 * central(row, step / 2) - central(row, step)) / 3 for row, step in enumerate(steps)])


def _check_order(metric: Metric, plain: Statistics, few: Corpus) -> None:
    names = list(few.systems)
    mixed = list(np.random.default_rng(3).permutation(len(few)))
    turned = measure(few.select(names[::-1]).take(mixed), metric)
    said = f"{_list(turned.scores)} instead of {_list(plain.scores[::-1])}"
    same = turned.scores.tolist() == plain.scores[::-1].tolist()
    _promise(same, "the order of systems and segments changes nothing", said)
    found, expected = turned.segment_scores[0], plain.segment_scores[-1][mixed]
    _alike(found, expected, "a segment's score does not depend on the other segments", 0, 0)


def _check_signature(metric: Any, plain: Statistics, few: Corpus) -> None:
    keys = re.findall(r"(?:^|\|)([^:|]+):", plain.signature)
    said = repr(plain.signature)
    _promise(len(keys) == 1 + plain.signature.count("|"), "signature: pieces key:value with | between them", said)
    _promise(len(set(keys)) == len(keys), "signature: no key twice", said)
    for each in options(metric):
        if each.type is bool:
            turned = measure(few, replace(metric, **{each.name: not getattr(metric, each.name)}))
            same = turned.scores.tolist() == plain.scores.tolist()
            told = same or turned.signature != plain.signature
            _promise(told, f"signature: says {each.name}, which changes scores", f"{said} with both values")


def _check_perfect(metric: Metric, few: Corpus) -> None:
    if not metric.needs_references:
        return
    name, lines = next(iter(few.references.items()))
    perfect = Corpus.of({**few.outputs, "perfect": [line or "" for line in lines]}, {name: lines})
    try:
        scores = measure(perfect, metric).scores
    except NotApplicable:
        return  # it needs more than texts
    best = np.argmax(scores if metric.higher_is_better else -scores)
    said = (
        f"{scores[-1]:.6g} for the reference and {scores[best]:.6g} for worse outputs, where higher_is_better is "
        f"{metric.higher_is_better}. An error rate, of which less is better, sets higher_is_better = False; what does "
        "not measure quality sets is_quality_metric = False"
    )
    _promise(not metric.is_quality_metric or best == len(scores) - 1, "the reference itself scores best", said)


# --- tests, intervals, corrections ----------------------------------------------------------------------------------


def _quick(test: Any, seed: int = 12345) -> SignificanceTest:
    quick: SignificanceTest = replace(test, scheme=replace(test.scheme, n_draws=_DRAWS, seed=seed))
    return quick


def _described(one: Any, *more: str) -> None:
    for name in ("name", "label", *more):
        _promise(getattr(one, name, "").strip(), f"{name}: in words", repr(getattr(one, name, None)))


@remembered()
def _made(metric: str, n: int, systems: int) -> Statistics:
    return measure(made_corpus(n=n, systems=systems, documents=n // 5), metric)


def _fitting(one: SignificanceTest | IntervalMethod) -> Statistics:
    """Return made data that a method is for: of a corpus metric, or of one that is a mean over segments."""
    for name in ("chrf", "bleu", "sentchrf"):
        statistics = _made(name, 120, 4)
        try:
            if isinstance(one, IntervalMethod):
                interval(statistics, one, scheme=Bootstrap(20))
            else:
                compare(statistics, _quick(one))
        except NotApplicable:
            continue
        return statistics
    raise AssertionError(f"{one.name} accepts chrF, BLEU, or chrF averaged over segments")


@_promised
def check_test(test: SignificanceTest, rounds: int = 200) -> None:
    """Check what every significance test promises: p-values, order, seed, and its rate of false positives.

    Parameters
    ----------
    test
        The test.
    rounds
        How many pairs of equal systems are made to count false positives; 0 for none. Tests with an
        `anticonservative_reason` are left out.

    Notes
    -----
    Equal systems of 200 independent segments, at .05: more false positives than a binomial law with this rate has in
    999 of 1,000 cases break the promise.

    Examples
    --------
    >>> from mtsig.inference import TESTS
    >>> from mtsig.testing import check_test
    >>> check_test(TESTS["jackknife-t"], rounds=0)
    """
    _promise(is_dataclass(test), f"{type(test).__name__} is a frozen dataclass", "a class without @dataclass")
    _described(test, "about", "estimand", "assumes", "differs")
    statistics = _fitting(test)
    family = compare(statistics, _quick(test))
    _check_p(test, family)
    again = compare(statistics, _quick(test))
    same = all(np.array_equal(getattr(family, key), getattr(again, key), True) for key in ("p_value", "ci_low"))
    _promise(same, "the same seed gives identical results")
    one, other = (compare(statistics, _quick(test), [pair]) for pair in (("sys1", "sys2"), ("sys2", "sys1")))
    _alike(one.p_value, other.p_value, "p is the same for (A, B) and (B, A)")
    _alike(one.ci_low, -other.ci_high, "the interval of (B, A) is that of (A, B) with reversed signs")
    at = family.find("sys1", "sys2")
    _alike(one.p_value, family.p_value[at], "a pair has the same p in a family and alone")
    lines = made_corpus(n=120, systems=2, documents=0)
    twins = Corpus.of({**lines.outputs, "twin": lines.lines("sys0")}, lines.references)
    (equal,) = compare(measure(twins, statistics.metric), _quick(test), [("sys0", "twin")])
    said = f"p {equal.p_value:.3g} for a difference of {equal.difference:.3g}"
    _promise(verdict(equal).winner is None, "neither of two identical systems is better", said)
    bad = [" ".join(line.split()[::3]) + " and nothing else is right" for line in lines.lines("sys0")]
    spoiled = Corpus.of({"bad": bad, **lines.outputs}, lines.references)
    (plain,) = adjust(compare(measure(spoiled, statistics.metric), _quick(test), [("bad", "sys0")]), "none")
    found = plain.p_value <= plain.alpha if np.isfinite(plain.p_value) else plain.bootstrap_win_rate < 0.05
    said = f"p {plain.p_value:.3g} for a difference of {plain.difference:.3g}"
    _promise(found, "a system that keeps only a third of the words is significantly worse", said)
    if rounds and not test.by_wins and not test.anticonservative_reason:
        _check_rate(test, rounds)


def _check_p(test: SignificanceTest, family: Family) -> None:
    m = len(family)
    for name in ("p_value", "p_mc_low", "p_mc_high", "difference", "ci_low", "ci_high"):
        shape = getattr(family, name).shape
        _promise(shape == (m,), f"{name}: one for every pair", f"shape {shape} for {m} pairs")
    p = family.p_value
    if test.by_wins:
        _promise(np.isnan(p).all(), "a test by wins has no p-values", _list(p))
        return
    _promise(((p > 0) & (p <= 1)).all(), "p: above 0, at most 1", _list(p))
    inside = (family.p_mc_low <= p + 1e-12) & (p <= family.p_mc_high + 1 / _DRAWS)
    ends = f"p {_list(p)}, from {_list(family.p_mc_low)} to {_list(family.p_mc_high)}"
    _promise(inside.all(), "p lies within its Monte Carlo interval", ends)


def _check_rate(test: SignificanceTest, rounds: int, correction: str | Correction = "none", systems: int = 2) -> None:
    """Check that in at most 5% of many sets of equal systems some are found to differ, but for chance."""
    rng = np.random.default_rng(7)
    wrong = 0
    for _ in range(rounds):
        hard = rng.normal(70, 10, 200)
        scores = {f"sys{i}": hard + rng.normal(0, 5, 200) for i in range(systems)}
        try:
            family = compare(statistics_of(scores, True), _quick(test, int(rng.integers(2**31))))
        except NotApplicable:
            return  # it is not for means over segments
        wrong += bool((adjust(family, correction).p_adjusted <= 0.05).any())
    most = int(binom.ppf(0.999, rounds, 0.05))
    said = (
        f"of {rounds} sets of {systems} equal systems, at most {most} may have a difference with p ≤ .05; found {wrong}"
    )
    _promise(wrong <= most, said)


@_promised
def check_interval(method: IntervalMethod, statistics: Statistics | None = None) -> None:
    """Check what every interval promises: order, width by level, sign and seed.

    Parameters
    ----------
    method
        The method.
    statistics
        Data that it is for, of two systems or more; by default made data.

    Examples
    --------
    >>> from mtsig.inference import INTERVALS
    >>> from mtsig.testing import check_interval
    >>> check_interval(INTERVALS["percentile"])
    """
    _described(method, "about", "in_words")
    _promise(method.about[-1:] == ".", "about: ends with a full stop", repr(method.about))
    statistics = _fitting(method) if statistics is None else statistics
    scheme = Bootstrap(_DRAWS * 5)
    narrow, middle, wide = (interval(statistics, method, level, scheme) for level in (0.8, 0.95, 0.99))
    held = (middle.ci_low < middle.score) & (middle.score < middle.ci_high)
    ends = f"{_list(middle.score)}, from {_list(middle.ci_low)} to {_list(middle.ci_high)}"
    _promise(held.all(), "the score lies inside its interval", ends)
    for inner, outer in ((narrow, middle), (middle, wide)):
        wider = (outer.ci_low < inner.ci_low) & (inner.ci_high < outer.ci_high)
        ends = " and ".join(f"{_list(one.ci_low)} to {_list(one.ci_high)} at {one.level}" for one in (inner, outer))
        _promise(wider.all(), "a higher level gives a wider interval", ends)
    again = interval(statistics, method, 0.95, scheme)
    _alike(again.ci_low, middle.ci_low, "the same seed gives identical results", 0, 0)
    pairs = (statistics.systems[:2], statistics.systems[1::-1])
    try:
        one, other = (compare(statistics, "jackknife-t", [(a, b)], interval=method)[0] for a, b in pairs)
    except NotApplicable:
        return  # it is for single systems
    ends = f"{one.difference:.6g}, from {one.ci_low:.6g} to {one.ci_high:.6g}"
    _promise(one.ci_low <= one.difference <= one.ci_high, "the difference lies inside its interval", ends)
    _alike(other.ci_low, -one.ci_high, "the interval of (B, A) is that of (A, B) with reversed signs")


@_promised
def check_correction(correction: Correction, rounds: int = 200) -> None:
    """Check what every correction promises: p-values in the same order, and its rate of false claims.

    Parameters
    ----------
    correction
        The correction.
    rounds
        How many sets of four equal systems are made to count those with a false claim; 0 for none. It is counted where
        `controls` is "any false claim".

    Examples
    --------
    >>> from mtsig.inference import CORRECTIONS
    >>> from mtsig.testing import check_correction
    >>> check_correction(CORRECTIONS["holm"], rounds=0)
    """
    _described(correction, "controls")
    means = correction.needs == "segment means"
    metric, test = ("sentchrf", "t") if means else ("chrf", "ar")
    family = compare(_made(metric, 120, 4), _quick(TESTS[test]))
    adjusted = adjust(family, correction)
    p = adjusted.p_adjusted
    _promise(p.shape == family.p_value.shape, "one adjusted p for every comparison", f"shape {p.shape}")
    _promise(((p > 0) & (p <= 1)).all(), "adjusted p: above 0, at most 1", _list(p))
    _alike(adjusted.p_value, family.p_value, "the unadjusted p-values do not change", 0, 0)
    _alike(adjust(adjusted, correction).p_adjusted, p, "a second correction changes nothing", 0, 0)
    if correction.needs == "p-values":
        order = np.argsort(family.p_value, kind="stable")
        said = f"{_list(p[order])} for {_list(family.p_value[order])}"
        _promise((np.diff(p[order]) >= -1e-12).all(), "adjusted p-values have the order of the p-values", said)
    if rounds and correction.controls == "any false claim":
        _check_rate(TESTS["t"], rounds, correction, 4)


# --- files and words ------------------------------------------------------------------------------------------------


@_promised
def check_exporter(exporter: Exporter, study: Study | None = None) -> None:
    """Check what every exporter promises: the same bytes for the same study, under plain names.

    Parameters
    ----------
    exporter
        The exporter.
    study
        A study; by default one of made data.

    Examples
    --------
    >>> from mtsig.report import EXPORTERS
    >>> from mtsig.testing import check_exporter
    >>> check_exporter(EXPORTERS["csv"])
    """
    for name in ("label", "about"):
        _promise(getattr(exporter, name, "").strip(), f"{name}: in words", repr(getattr(exporter, name, None)))
    _promise(exporter.about[-1:] == ".", "about: ends with a full stop", repr(exporter.about))
    asked = Request((METRICS["chrf"],), Settings(n_resamples=_DRAWS))
    made = study or conduct(made_corpus(), asked)
    one, again = exporter(Document(made)), exporter(Document(made))
    empty = ", ".join(name for name, content in one.files.items() if not content) or "no file"
    _promise(one.files and all(one.files.values()), "the exporter writes files, and none is empty", empty)
    changed = [name for name, content in one.files.items() if again.files.get(name) != content]
    _promise(one == again, "the same study gives the same bytes", ", ".join(changed) + " changed")
    for name, content in one.files.items():
        _promise(re.fullmatch(r"[a-z0-9-]+\.[a-z0-9]+", name), f"{name}: small letters, digits and hyphens")
        _promise(isinstance(content, bytes), f"{name}: bytes", kind_of(content))


@_promised
def check_reader(reader: Reader, files: Mapping[str, bytes], expected: Corpus) -> None:
    r"""Check what every reader promises: the corpus, from a folder and from an archive; errors for damaged files.

    Parameters
    ----------
    reader
        The reader.
    files
        Name to content of an example in its form.
    expected
        The corpus that the example holds.

    Examples
    --------
    >>> from mtsig import Corpus
    >>> from mtsig.readers import READERS
    >>> from mtsig.testing import check_reader
    >>> files = {"ref.txt": b"a b\nc d\n", "systems/ours.txt": b"a b\nc\n"}
    >>> check_reader(READERS["folder"], files, Corpus.of({"ours": ["a b", "c"]}, {"ref": ["a b", "c d"]}))
    """
    _promise(reader.what.strip(), "what: a description of the format")
    found = _corpus_by(reader, files)
    _promise(found.digest == expected.digest, "the reader returns the expected corpus", f"{found!r}, not {expected!r}")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"set/{name}", content)
    again = assemble(parts_by([reader], [File("set.zip", packed.getvalue())]))
    _promise(again.digest == expected.digest, "the reader returns the same from an archive", repr(again))
    for name, content in files.items():
        for end in range(1, len(content), max(1, len(content) // 20)):
            try:
                _corpus_by(reader, {**files, name: content[:end]})
            except MtsigError:
                continue
    plain = [File("ref.txt", b"a b\nc d\n"), File("systems/ours.txt", b"a b\nc\n")]
    taken = [part for part in parts_by([reader], plain) if part.role == "system" and part.lines is not None]
    names = ", ".join(part.label for part in taken)
    _promise(not taken or reader.marks is None, "the reader ignores files of other formats", f"that it read {names}")


def _corpus_by(reader: Reader, files: Mapping[str, bytes]) -> Corpus:
    return assemble(parts_by([reader], [File(name, content) for name, content in files.items()]))


@_promised
def check_finding(check: Check, faulty: Corpus) -> None:
    """Check what every check of the data promises: it finds its fault, and nothing in clean data.

    Parameters
    ----------
    check
        The check.
    faulty
        Data in which it has to find something.

    Examples
    --------
    >>> from mtsig import Corpus
    >>> from mtsig.study import CHECKS
    >>> from mtsig.testing import check_finding
    >>> check_finding(CHECKS["empty"], Corpus.of({"a": ["", "x"], "b": ["x", "x"]}, {"r": ["x", "x"]}))
    """
    _promise(check.what.strip(), "what: a description of the fault that the check looks for")
    quiet = [found.headline for found in check.run(View(read_sample())) if found.level != "note"]
    _promise(not quiet, "clean data (mtsig.read_sample()) have no warning", ", ".join(quiet))
    scored = Corpus.of({"a": None, "b": None}, ratings={"score": Rating(np.eye(2), higher_is_better=True)})
    loud = [found.headline for found in check.run(View(scored)) if found.level != "note"]
    _promise(not loud, "data without texts can be checked, and have no warning", ", ".join(loud))
    findings = list(check.run(View(faulty)))
    _promise(findings, "the check finds the fault")
    for one in findings:
        _promise(one.headline and len(one.headline.split()) <= 6, "headline: at most six words", repr(one.headline))
        _promise(one.note.text[-1:] in ".?!", "found and advice: whole sentences", repr(one.note.text))
        strangers = ", ".join(sorted(set(one.systems) - set(faulty.systems)))
        _promise(not strangers, "systems: names of systems in the data", strangers)
