"""The bundle: results as one JSON object of a versioned schema, complete enough to make them again."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from mtsig._records import Record
from mtsig.cautions import single_runs
from mtsig.citations import VERSION
from mtsig.collection import ScoresOverSets, Sets
from mtsig.corpus import Corpus, Note
from mtsig.inference import (
    Audit,
    Design,
    Family,
    Intervals,
    PowerAnalysis,
    RunComparison,
    Settings,
    verdict,
)
from mtsig.meta_eval import (
    AccuracyOverSets,
    Agreement,
    BothScales,
    Ceiling,
    ComparedMetrics,
    Curve,
    Guarded,
    JudgedComparisons,
    Leniency,
    MetaEval,
    RatedData,
    RatingDesign,
    VarianceShares,
    VerdictTable,
)
from mtsig.options import options
from mtsig.report.meanings import SHARES
from mtsig.report.methods import trust_methods
from mtsig.resampling import RNG
from mtsig.segments import Overview, SizeCurves
from mtsig.study import SCHEMA, data_of


def score_bundle(corpus: Corpus, settings: Settings, scored: Sequence[Intervals]) -> dict[str, Any]:
    """Return scores with intervals."""
    unit = scored[0].unit if scored else settings.unit
    interval = settings.resolved(unit if scored else "segment").interval
    used = _used(settings, "interval level n_resamples seed unit", interval=interval, unit=unit)
    return _frame(
        corpus,
        {"test": None, "correction": None, **used},
        corpus.systems,
        (note for intervals in scored for note in intervals.notes),
        systems=[row for intervals in scored for row in intervals.rows()],
    )


def scores_over_sets_bundle(sets: Sets, settings: Settings, scored: Sequence[ScoresOverSets]) -> dict[str, Any]:
    """Return scores with intervals on several sets; a row whose set is null is an average over them."""
    return _framed(
        _used(settings, "interval level n_resamples seed unit"),
        sets=[{"set": name, **data_of(corpus).row()} for name, corpus in sets.items()],
        skipped=dict(sets.skipped),
        notes=_texts(note for scores_over_sets in scored for note in scores_over_sets.notes),
        systems=[row for scores_over_sets in scored for row in scores_over_sets.rows()],
    )


def _decision(run_comparison: RunComparison) -> dict[str, Any]:
    decided = verdict(run_comparison)
    return {
        "verdict": decided.word,
        "winner": decided.winner,
        "withheld_reason": decided.withheld_reason,
        "caution": decided.caution,
    }


def ablation_bundle(corpus: Corpus, size_curves: Sequence[SizeCurves], pair: tuple[str, str] | None) -> dict[str, Any]:
    """Return curves by test-set size, of the scores or of one pair's difference."""
    ablation = size_curves[0].ablation
    used = {option.name: getattr(ablation, option.name) for option in options(ablation)}
    return _frame(
        corpus,
        {**used, "sizes": ablation.sizes, "unit": size_curves[0].unit},
        pair or (),
        (note for curves in size_curves for note in curves.notes),
        sizes=[row for curves in size_curves for row in curves.rows()],
    )


def audit_bundle(
    corpus: Corpus,
    settings: Settings,
    audits: Sequence[Audit],
    dependence: Sequence[dict[str, Any]] = (),
    printed: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """Return one pair under every test, with its dependence within documents, and with what sacreBLEU prints of it."""
    return _frame(
        corpus,
        {"test": "all", "correction": "none", **_used(settings)},
        {name for audit in audits for name in (audit.first, audit.second)},
        (note for audit in audits for note in audit.notes),
        tests=[{**row, "signature": audit.signature} for audit in audits for row in audit.rows()],
        dependence=dependence,
        as_sacrebleu=printed,
    )


def runs_bundle(corpus: Corpus, settings: Settings, run_comparisons: Sequence[RunComparison]) -> dict[str, Any]:
    """Return comparisons over several runs, each with its verdict and all that it takes to make it again."""
    return _frame(
        corpus,
        _used(settings, unit=run_comparisons[0].unit if run_comparisons else settings.unit),
        (),
        (note for run_comparison in run_comparisons for note in run_comparison.notes),
        runs=[{**run_comparison.row(), **_decision(run_comparison)} for run_comparison in run_comparisons],
    )


def power_bundle(
    corpus: Corpus,
    settings: Settings,
    power_analysis: Sequence[PowerAnalysis],
    notes: Sequence[Note] = (),
    designs: Sequence[Design] = (),
    ratings: Mapping[str, RatingDesign] | None = None,
) -> dict[str, Any]:
    """Return needed size, power and equivalence, and what a future test set has to hold; ratings: by their names."""
    return _frame(
        corpus,
        _used(settings, "level seed unit"),
        {name for analysis in power_analysis for name in (analysis.first, analysis.second)},
        notes,
        status="exploratory",  # a margin given here was fixed in no plan
        power=[asdict(analysis) for analysis in power_analysis],
        designs=[asdict(design) for design in designs],
        ratings=[
            {"rating": name, "judges": design.judges, "difference": design.difference, **row}
            for name, design in (ratings or {}).items()
            for row in design.rows()
        ],
    )


def trust_bundle(
    corpus: Corpus,
    settings: Settings,
    trust: MetaEval,
    families: Sequence[Family] = (),
    guarded: Sequence[Guarded] = (),
    verdicts: Sequence[VerdictTable] = (),
) -> dict[str, Any]:
    """Return how well metrics agree with people, which is better than which, and what to write of it.

    verdicts: what people and each metric say of every pair of systems.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.report import trust_bundle
    >>> from mtsig.meta_eval import RatedData, meta_eval
    >>> rng = np.random.default_rng(1)
    >>> people = np.arange(5)[:, None] + rng.normal(size=(5, 40))
    >>> scores = {"esa": people, "near": people + rng.normal(size=(5, 40)), "far": rng.normal(size=(5, 40))}
    >>> ratings = {name: mtsig.Rating(values, higher_is_better=True) for name, values in scores.items()}
    >>> corpus = mtsig.Corpus.of(dict.fromkeys("ABCDE"), ratings=ratings)
    >>> judged = RatedData.of(corpus, "rating:esa", ["rating:near", "rating:far"])
    >>> settings = mtsig.Settings(n_resamples=100)
    >>> bundle = trust_bundle(corpus, settings, meta_eval(judged, ["pearson"], settings=settings))
    >>> [(row["metric"], round(row["value"], 3)) for row in bundle["meta_eval"]]
    [('near', 0.999), ('far', -0.592)]
    """
    asked = {
        statistic.name: {option.name: option.default for option in options(statistic)} for statistic in trust.asked
    }
    judged = trust.judged
    beside = [family.others for family in families if isinstance(family, ComparedMetrics)]
    methods = trust_methods(trust, families)
    return _frame(
        corpus,
        _used(settings, unit=trust.unit) | {"over": trust.over, "statistics": asked},
        (),
        [*trust.notes, *(note for family in families for note in family.notes)],
        human={
            "name": trust.human,
            "signature": trust.human_signature,
            "humans": judged.humans,
            "segments": judged.segments,
            "left_out": dict(judged.left_out),
            "outliers": trust.outliers,
            "without": trust.without,
        },
        meta_eval=trust.rows(),
        comparisons=[row for family in families for row in family.rows()],
        systems_exchanged=[row for family in beside if family is not None for row in family.rows()],
        sentinels=[row.row() | {"sentence": row.sentence} for row in guarded],
        verdicts=[
            {"metric": verdict_table.metric, **row} for verdict_table in verdicts for row in verdict_table.rows()
        ],
        methods={"text": methods.text, "bibtex": methods.bibtex},
    )


def trust_over_sets_bundle(settings: Settings, over_sets: Sequence[AccuracyOverSets]) -> dict[str, Any]:
    """Return on how many pairs of systems of several test sets metrics and people agree."""
    return _framed(_used(settings), meta_eval=over_sets)


def judges_bundle(
    corpus: Corpus,
    settings: Settings,
    rating: str,
    agreements: Sequence[Agreement],
    levels: Leniency | None,
    shares: VarianceShares | None,
    notes: Sequence[Note] = (),
    pairs: JudgedComparisons | None = None,
    highest: Ceiling | None = None,
    both: BothScales | None = None,
    again: Mapping[str, Agreement] | None = None,
) -> dict[str, Any]:
    """Return how far judges of a rating agree, how lenient each is, what their values vary by, and what all judges say.

    pairs: comparisons of systems, for other judges and for these. highest: each judge held against the others. both:
    the systems raw and standardised by judge. again: judges against themselves.
    """
    ceiling: dict[str, Any] = {}
    if highest is not None:
        ceiling = {"statistic": highest.statistic, "value": highest.value, "raters": highest.rows()}
    return _frame(
        corpus,
        _used(settings),
        (),
        notes,
        rating=rating,
        agreement=agreements,
        raters=[] if levels is None else levels.rows(),
        shares=[] if shares is None else shares.rows(),
        comparisons=[] if pairs is None else pairs.rows(),
        ceiling=ceiling,
        scales={} if both is None else {"tau": both.tau, "left_out": both.left_out, "systems": both.rows()},
        repeats=[{"rater": rater, **agreement.row()} for rater, agreement in (again or {}).items()],
    )


def meaning_bundle(
    corpus: Corpus, settings: Settings, judged: RatedData, curves: Sequence[Curve], differences: Sequence[float] = ()
) -> dict[str, Any]:
    """Return what differences of metrics mean to people: every pair, what was asked for, and what it takes."""
    return _frame(
        corpus,
        _used(settings),
        (),
        [*judged.notes, *(note for curve in curves for note in curve.notes)],
        human={"name": judged.human.name, "humans": judged.humans, "segments": judged.segments},
        meant=[curve.at(difference) for curve in curves for difference in differences],
        needed=[
            {"metric": curve.metric, **curve.needed(share).row(), "pairs": len(curve.differences)}
            for curve in curves
            for share in SHARES
        ],
        pairs=[{"metric": curve.metric, **row} for curve in curves for row in curve.rows()],
    )


def segments_bundle(
    corpus: Corpus, settings: Settings, overview: Overview, asked: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the segments of a comparison and its leverage as one JSON object; asked: which segments were asked for."""
    whole, pushed = overview.contributions, overview.leverage
    until, left_out = pushed.holds_until, pushed.numbers.tolist()
    names = whole.document_names(corpus)
    test = settings.resolved(pushed.unit).test
    return _frame(
        corpus,
        _used(settings, "test level n_resamples seed unit", test=test, unit=pushed.unit),
        overview.pair,
        overview.notes,
        status="exploratory",
        metric=whole.metric.name,
        signature=whole.statistics.signature,
        pair=overview.pair,
        difference=whole.difference,
        unit=pushed.unit,
        level=settings.level,
        seed=pushed.seed,
        asked=dict(asked or {}),
        segments=overview.segments,
        documents=overview.documents,
        buckets=overview.buckets,
        leverage={
            "curve": pushed.rows(),
            "holds_until": None if until is None else {"units": until.units, "share": until.share},
            "unit": pushed.unit,
            "units": pushed.n,
            "interval": pushed.interval,
            "level": pushed.level,
            "comparisons": pushed.comparisons,
            "random_draws": pushed.n_resamples,
            "sentence": pushed.sentence,
            "caution": pushed.caution,
            "left_out": [
                names[i] if pushed.unit == "document" else i + 1 if pushed.unit == "block" else corpus.numbers[i]
                for i in left_out
            ],
            "again": overview.again,
            "untested": overview.untested or None,
        },
    )


def _used(settings: Settings, names: str = "level n_resamples seed unit", **otherwise: Any) -> dict[str, Any]:
    """Return these of the settings; otherwise: what was used in place of what was set."""
    return {name: otherwise.get(name, getattr(settings, name)) for name in names.split()}


def _frame(
    corpus: Corpus, settings: Mapping[str, Any], systems: Iterable[str], notes: Iterable[Note], /, **results: Any
) -> dict[str, Any]:
    """Return results on a corpus as one JSON object; systems: those whose single runs are to be told of."""
    said = _texts([*single_runs(systems), *notes])
    return _framed(settings, data=data_of(corpus), notes=said, **results)


def _framed(settings: Mapping[str, Any], **results: Any) -> dict[str, Any]:
    return plain({"schema": SCHEMA, "mtsig": VERSION, "settings": {**settings, "rng": RNG}, **results})


def _texts(notes: Iterable[Note]) -> list[str]:
    """Return what notes say, each sentence once."""
    return list(dict.fromkeys(note.text for note in notes))


def plain(bundle: dict[str, Any]) -> dict[str, Any]:
    """Return the bundle with what JSON does not know (NaN) as null.

    >>> from mtsig.report import plain
    >>> plain({"p_value": [0.5, float("nan")]})
    {'p_value': [0.5, None]}
    """
    return {key: _plain_value(value) for key, value in bundle.items()}


def _plain_value(value: Any) -> Any:
    if isinstance(value, dict):
        return plain(value)
    if isinstance(value, Record):
        return plain(value.row())
    if isinstance(value, list | tuple):
        return [_plain_value(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
