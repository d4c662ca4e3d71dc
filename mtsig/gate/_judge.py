"""The gate: decide on a candidate and a baseline from data, and return the outcome with all its grounds."""

import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from mtsig._probability import needed_draws
from mtsig._results import Result
from mtsig.citations import VERSION
from mtsig.collection import Averaging, FamilyOverSets, Sets, SetStatistics, compare, measure
from mtsig.collection._averages import Weights
from mtsig.collection._families import notes_of
from mtsig.collection._sets import Sharing, names_with
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import listed, single_runs, without_text
from mtsig.doctor import check_data
from mtsig.errors import InvalidOption, NotApplicable, expect, unknown_name
from mtsig.gate._decision import EXIT_CODES, Compared, GateCheck, Outcome, decide, worst
from mtsig.gate._ledger import Asked, Look, OpenLedger, open_ledger
from mtsig.inference import TESTS, Comparison, Settings, SignificanceTest
from mtsig.inference._margins import kin_doubt
from mtsig.inference._settings import MOST_DRAWS
from mtsig.inference._significance import AUTO
from mtsig.inference._tests import JackknifeT
from mtsig.metrics import Metric, Rated, default_metrics
from mtsig.resampling import Swap
from mtsig.study import AnalysisPlan
from mtsig.study._differences import fingerprints
from mtsig.study._request import choice_of, points_by_metric

ALONE = "test set"
"""What the set is called where there is only one, and it was given no name."""

ENOUGH = 5
"""Times the draws of a joint family: with fewer than twice as many, even a p that no draw reaches is not settled."""


@dataclass(frozen=True)
class LookTaken:
    """Position of an interim test in its ledger.

    number: from 1. head: the digest of its line. repeated: whether the same test was run on these data before.
    """

    ledger: str
    number: int
    rule: str
    alpha: float
    head: str
    repeated: bool


@dataclass(frozen=True, eq=False)
class GateResult(Result):
    """Whether a candidate may pass, by each metric and overall.

    sets: the test sets that have both systems. alpha: the two-sided error rate of this interim test, used for intervals
    and tests. data: digest of the sets and of both outputs. weights: weights of the sets, as given. plan: digest of the
    analysis plan, or None. look: None without a ledger. lacking: test sets that lack one of the two systems.
    """

    listed = "checks"
    baseline: str
    candidate: str
    checks: tuple[GateCheck, ...]
    sets: tuple[str, ...]
    settings: Settings
    alpha: float
    data: str
    weights: Weights = "equal"
    sharing: Sharing = "shared"
    plan: str | None = None
    look: LookTaken | None = None
    lacking: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        """Return the outcome, in one line."""
        return f"<GateResult: {self.outcome} of {self.candidate} against {self.baseline}>"

    @property
    def outcome(self) -> Outcome:
        """The worst outcome of any metric; a regression is worse than inconclusive."""
        return worst(self.checks)

    @property
    def exit_code(self) -> int:
        """The exit code: 0 pass, 1 regression, 3 inconclusive."""
        return EXIT_CODES[self.outcome]


def judge(
    data: Corpus | Sets,
    baseline: str,
    candidate: str,
    metrics: str | Metric | Sequence[str | Metric] | None = None,
    margin: float | Mapping[str, float] | None = None,
    *,
    settings: Settings | None = None,
    plan: AnalysisPlan | None = None,
    own: Mapping[str, Mapping[str, str | Metric]] | None = None,
    weights: Weights = "equal",
    sharing: Sharing = "shared",
    ledger: str | Path | None = None,
    rule: str | None = None,
    one_more_document: bool = False,
    before: Callable[[GateResult], object] | None = None,
) -> GateResult:
    """Decide whether a candidate may replace the baseline.

    Parameters
    ----------
    data
        A test set, or several test sets, over which differences are averaged.
    baseline
        Name of the system that is in use.
    candidate
        Name of the system that may replace the baseline.
    metrics
        Metrics, or one, by name or as objects. If None, those of the plan are used, or the default of the data.
    margin
        How many points worse the candidate may be, for all metrics or by metric name. If None, a test decides.
    settings
        Test (jackknife-t, ar or auto), level, resamples, seed and unit. Intervals are by the jackknife, and metrics
        without a margin are corrected by Holm.
    plan
        The analysis plan that fixes metrics, settings and margins of non-inferiority.
    own
        Options that differ between sets: metric name -> set -> metric, as in `mtsig.study.measure`.
    weights
        Weights of the sets, as in `mtsig.collection._compare`.
    sharing
        Whether segments that occur in several sets are one unit, as in `mtsig.study.measure`.
    ledger
        A file of earlier interim tests. It determines the error rate of this test, and the result is added to it.
    rule
        The rule by which a new ledger divides its error rate over interim tests: "spend" or "lord".
    one_more_document
        If True, a margin is passed only if the bound also holds with one more document like the most influential.
    before
        A function called with the result before the ledger is written. If it raises, nothing is written.

    Raises
    ------
    UnknownName
        There is no system or metric of that name.
    InvalidOption
        Settings, a margin or a plan do not suit a gate; the rule or level differs from the ledger's; or the candidate
        was tested on other data before.
    NotApplicable
        No set has both systems, or the direction of a metric is unknown.
    ReadError
        The ledger cannot be read or written, or was changed.

    Examples
    --------
    >>> import mtsig
    >>> judge(mtsig.read_sample(), "direct", "via-catalan", ["chrf"], margin=1.0)
    <GateResult: regression of via-catalan against direct>
    """
    expect(data, Corpus | Sets, "Give a test set, as read(PATH) returns it, or a collection of them")
    if baseline == candidate:
        raise InvalidOption(f"Baseline and candidate are the same system, {baseline!r}.")
    if rule is not None and ledger is None:
        raise InvalidOption("A rule divides the error rate among the looks of a ledger, so give a ledger too.")
    sets = of_both(data if isinstance(data, Sets) else Sets.of({ALONE: data}), (candidate, baseline))
    metrics = [metrics] if isinstance(metrics, str | Metric) else metrics
    chosen: Sequence[str | Metric] = metrics or default_metrics(next(iter(sets.values())))
    if plan is not None:
        chosen, settings, margin = _planned(plan, baseline, candidate)
        one_more_document = one_more_document or any(
            own.one_more_document for own in plan.request.margins if own.kind == "non-inferiority"
        )
    settings = settings or Settings()
    _check_settings(settings)
    counted = [measure(sets, metric, own=(own or {}).get(_written(metric)), sharing=sharing) for metric in chosen]
    _check_counted(counted)
    margins = points_by_metric(
        margin, [(_written(metric), measured.metric) for metric, measured in zip(chosen, counted, strict=True)]
    )
    if one_more_document and set(margins) == {None}:
        raise InvalidOption("One more document can be required only with a margin: give a margin, or omit the option.")
    stricter = ["one more document"] if one_more_document else []
    drawing = [settings.test, settings.n_resamples, settings.seed, settings.unit]
    weighed = weights if isinstance(weights, str) else sorted(weights.items())
    asked = _asked(counted, baseline, candidate, [margins, drawing, weighed, sharing, *stricter])
    alpha = round(1 - settings.level, 12)
    with nullcontext() if ledger is None else open_ledger(ledger, asked, rule, alpha) as opened:
        spent = alpha if opened is None else opened.spent
        compared = [
            _compared(measured, own_margin, (candidate, baseline), settings, weights, spent, margins.count(None))
            for measured, own_margin in zip(counted, margins, strict=True)
        ]
        each = [replace(comparison, one_more=one_more_document) for comparison, _ in compared]
        checks = decide(each, spent, planned=plan is not None)
        if any(check.outcome == "pass" for check in checks):
            shifted, textless = _shifted(sets), _textless(sets)
            reasons = [shifted or (textless if any(one.needs_references for one in _metrics(counts)) else "")
                       for counts in counted]  # fmt: skip
            checks = tuple(
                replace(check, outcome="inconclusive", withheld_reason=reason)
                if reason and check.outcome == "pass" else check
                for check, reason in zip(checks, reasons, strict=True)
            )  # fmt: skip
        look, taken, said = (None, None, ()) if opened is None else _looked(opened, checks, str(ledger))
        broken = () if worst(checks) == "pass" else _broken(data, candidate)
        notes = [
            *broken,
            *single_runs((baseline, candidate)),
            *(note for _, own_notes in compared for note in own_notes),
            *said,
        ]
        both = tuple(names_with(counted[0], (candidate, baseline)))
        result = GateResult(
            baseline,
            candidate,
            checks,
            both,
            settings,
            spent,
            asked.data,
            weights,
            sharing,
            None if plan is None else plan.digest,
            taken,
            tuple(name for name in data if name not in both) if isinstance(data, Sets) else (),
            tuple(dict.fromkeys(notes)),
        )
        if before is not None:
            before(result)
        if opened is not None and look is not None:
            opened.write(look)
    return result


_BROKEN = (
    "shifts", "empty", "copied source", "repeated output", "looping", "script", "language", "processing", "residue",
    "characters", "entities",
)  # fmt: skip
"""The checks of the doctor that tell why an output is none, or written otherwise than translations are."""


def _broken(data: Corpus | Sets, candidate: str) -> tuple[Note, ...]:
    """Return what the doctor finds wrong with the text of a candidate that does not pass."""
    sets = data if isinstance(data, Sets) else Sets.of({ALONE: data})
    found = {
        name: [each.note for each in check_data(corpus, _BROKEN).warnings if repr(candidate) in each.where]
        for name, corpus in sets.items()
        if candidate in corpus.systems and any(map(any, corpus.outputs.values()))
    }
    return notes_of(found)


def _shifted(sets: Sets) -> str:
    """Return which systems have lines that are certainly misaligned, and so no meaningful scores; empty if none."""
    found = {
        name: [each.headline for each in check_data(corpus, ["shifts"]) if each.confidence == "certain"]
        for name, corpus in sets.items()
        if any(map(any, corpus.outputs.values()))
    }
    return "; ".join(listed(headlines) for headlines in found.values() if headlines)


_TEXTLESS = 0.05
"""Share of lines of a reference without text from which on nothing passes: differences shrink by it, margins do not."""


def _textless(sets: Sets) -> str:
    """Return which references have so many lines without text that no margin holds; empty if none."""
    found = [
        f"{len(some)} of {len(lines)} lines of reference {name} have no text"
        for corpus in sets.values() for name, lines in corpus.references.items()
        if (some := without_text(corpus, lines)) and len(some) >= _TEXTLESS * len(lines)
    ]  # fmt: skip
    return listed(found) if found else ""


def of_both(sets: Sets, pair: tuple[str, str]) -> Sets:
    """Return the sets with these two systems alone; the others stand beside them, as kin of references may be there."""
    known = tuple(dict.fromkeys(name for corpus in sets.values() for name in corpus.systems))
    for name in pair:
        if name not in known:
            raise unknown_name("system", name, known)
    own = {name: [system for system in pair if system in corpus.systems] for name, corpus in sets.items()}
    return replace(sets, corpora={name: sets[name].select(systems) for name, systems in own.items() if systems})


# --- what is asked ----------------------------------------------------------------------------------------------------


def _planned(plan: AnalysisPlan, baseline: str, candidate: str) -> tuple[Sequence[Metric], Settings, dict[str, float]]:
    """Return metrics, settings and margins of a plan."""
    request = plan.request
    if not (request.pairs in ("all", baseline) or (candidate, baseline) in tuple(request.pairs)):
        raise InvalidOption(f"The analysis plan does not compare {candidate} with {baseline}, in this order.")
    for name, others in (("correction", (AUTO, "holm")), ("interval", (AUTO, "jackknife"))):
        if getattr(request.settings, name) not in others:
            raise InvalidOption(f"The analysis plan requires a different {name}; a gate uses {others[1]}.")
    margins = {
        _written(metric): margin.points
        for metric in request.metrics
        for margin in request.margins_of(metric)
        if margin.kind == "non-inferiority"
    }
    return request.metrics, request.settings, margins


def _check_settings(settings: Settings) -> None:
    if settings.test != AUTO and not _holds(TESTS[settings.test]):
        known = sorted(filter(_holds, TESTS.values()), key=lambda test: not test.by_jackknife)
        raise InvalidOption(f"A gate uses the test {' or '.join(test.name for test in known)}; found {settings.test}.")
    if settings.alternative != "two-sided":
        raise InvalidOption("A gate tests both directions: choose two-sided.")


def _holds(test: SignificanceTest) -> bool:
    """Return whether averages over sets have such a test, and it holds at the small error rates of later looks."""
    return test.controls_type1 and (test.by_jackknife or test.exchanges)


def _written(chosen: str | Metric) -> str:
    """Return a metric as one writes it."""
    return chosen if isinstance(chosen, str) else choice_of(chosen) or chosen.name


def _check_counted(counted: Sequence[SetStatistics]) -> None:
    for statistics in counted:
        if [(other.metric, other.signature) for other in counted].count((statistics.metric, statistics.signature)) > 1:
            raise InvalidOption(f"The metric {statistics.metric} is named twice.")
        if not next(iter(statistics.of.values())).metric.is_quality_metric:
            raise NotApplicable(
                f"{statistics.metric} is descriptive: neither direction is better. A gate needs a quality metric."
            )


# --- what it is asked of ----------------------------------------------------------------------------------------------

_OF_TEST = ("source", "document", "domain", "reference")
"""Roles of texts that are the test set's, whatever the systems."""


def _asked(counted: Sequence[SetStatistics], baseline: str, candidate: str, how: Sequence[object]) -> Asked:
    """Return the digests that a look is known by; systems and sets may be renamed, and sets stand in any order."""
    ratings = {metric.rating for counts in counted for metric in _metrics(counts) if isinstance(metric, Rated)}
    sets = counted[0].sets
    parts = []
    for name in names_with(counted[0], (candidate, baseline)):
        ours, theirs = (_texts(sets[name].select([system]), ratings) for system in (candidate, baseline))
        data = [ours, [other for other in theirs if other[0] not in _OF_TEST]]
        # Of ratings alone there may be no text that says how many segments there are.
        test = [len(sets[name]), [our for our in ours if our[0] in _OF_TEST]]
        parts.append((data, test, [statistics.of[name].signature for statistics in counted]))
    parts.sort()
    question = [[statistics.metric for statistics in counted], [signatures for _, _, signatures in parts], *how]
    tests = sorted(test for _, test, _ in parts)
    return Asked(_digest([data for data, _, _ in parts]), _digest(tests), _digest(question), baseline, candidate)


def _texts(corpus: Corpus, ratings: Collection[str]) -> list[tuple[str, str]]:
    """Return role and digest of every text that is measured."""
    measured = {name: rating for name, rating in corpus.ratings.items() if name in ratings}
    return [
        (fingerprint.role, fingerprint.digest)
        for fingerprint in fingerprints(replace(corpus, beside={}, ratings=measured))
    ]


def _metrics(counted: SetStatistics) -> list[Metric]:
    return [metric.metric for metric in counted.of.values()]


def _digest(content: object) -> str:
    written = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(written.encode()).hexdigest()}"


# --- the comparison ---------------------------------------------------------------------------------------------------


def _compared(
    counted: SetStatistics,
    margin: float | None,
    pair: tuple[str, str],
    settings: Settings,
    weights: Weights,
    alpha: float,
    metrics: int,
) -> tuple[Compared, tuple[Note, ...]]:
    """Return one metric's comparison, over the sets where there are several, and what is to be said of it."""
    # The unit is left to the data before a test is named for small error rates.
    at = {name: part if part.document_of is not None else settings.at(part) for name, part in counted.of.items()}
    counted = replace(counted, of=at)
    settings, said = _for_level(counted, settings, alpha, metrics)
    result = compare(counted, settings, [pair], Averaging(weights=weights))
    statistics = [counted.of[name] for name in names_with(counted, pair)]
    family = result.averages or next(iter(result.families.values()))
    comparison, test = family[0], family.test
    if result.averages is None and len(counted.of) > 1:
        comparison = _without_average(comparison, result)
    doubt = next(filter(None, (kin_doubt(part, *pair) for part in statistics)), "")
    draws = test.scheme.n_draws if isinstance(test.scheme, Swap) else 0
    higher = statistics[0].metric.higher_is_better
    return Compared(comparison, higher, draws, doubt, margin), (*result.notes, *said)


def _without_average(comparison: Comparison, family_over_sets: FamilyOverSets) -> Comparison:
    """Return what is known of an average that has no standard error: the difference."""
    beside = family_over_sets.described[0]
    unknown: dict[str, Any] = dict.fromkeys(("standard_error", "df", "p_value", "p_mc_low", "p_mc_high"), float("nan"))
    return comparison.changed(
        difference=float(np.dot(beside.weights, beside.differences)),
        **unknown,
        data_caveat="the jackknife is undefined in some set, so the variance of the average is unknown",
        data_caveat_id="no match",
    )


def _for_level(
    counted: SetStatistics, settings: Settings, alpha: float, metrics: int
) -> tuple[Settings, tuple[Note, ...]]:
    """Return the settings with a test whose p can be as small as this error rate asks for."""
    statistics = next(iter(counted.of.values()))
    if len(counted.of) > 1:
        test = JackknifeT.name if settings.test == AUTO else settings.test
    else:
        test = settings.resolved(settings.at(statistics).unit).test
    settings = replace(settings, test=test)
    needed = needed_draws(ENOUGH * max(metrics, 1), alpha)
    if not TESTS[test].exchanges or needed <= settings.n_resamples:
        return settings, ()
    if needed > MOST_DRAWS:
        instead = JackknifeT.name
        text = f"An error rate of {alpha:.2g} needs {needed:,} resamples, so {instead}, which needs none, is used."
        return replace(settings, test=instead), (Note("note", text),)
    text = f"An error rate of {alpha:.2g} needs more than {settings.n_resamples:,} resamples, so {needed:,} are used."
    return replace(settings, n_resamples=needed), (Note("note", text),)


def _looked(opened: OpenLedger, checks: Sequence[GateCheck], path: str) -> tuple[Look, LookTaken, tuple[Note, ...]]:
    """Return the look, where it will stand, and what is to be said of it."""
    outcome = worst(checks)
    look = opened.look(checks, outcome, VERSION)
    notes = opened.notes
    if look.outcome != outcome:
        was = f"Look {opened.number} was recorded as {look.outcome}, by mtsig {look.mtsig}"
        text = f"{was}; now it is {outcome}."
        notes = (*notes, Note("warning", text))
    repeated = opened.recorded is not None
    return look, LookTaken(path, opened.number, opened.rule, opened.alpha, look.digest, repeated), notes
