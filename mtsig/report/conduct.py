"""Conducting a study: a corpus and a request, or a plan, go in; the study comes out."""

import hashlib
import platform
from collections.abc import Sequence
from dataclasses import replace
from importlib import metadata
from typing import Any

import numpy as np

from mtsig.corpus import Corpus, inspect
from mtsig.errors import InvalidOption
from mtsig.inference import CORRECTIONS, Family, Intervals, Ranks, rankable, ranks, within
from mtsig.inference.corrections import OfPValues
from mtsig.inference.kin import kin_doubt
from mtsig.metrics import Statistics, measure
from mtsig.report.bundle import compare_bundle, judged, plain, single_runs
from mtsig.report.fingerprints import fingerprint_records, fingerprints
from mtsig.report.plan import AnalysisPlan
from mtsig.report.recorded import MarginResult
from mtsig.report.request import Request, choice_of
from mtsig.report.study import Study
from mtsig.resampling import BLOCK, RNG, Plan
from mtsig.version import VERSION

_HASHED = 10
"""So many draws tell one stream of random numbers from another."""


def conduct(
    corpus: Corpus,
    request: Request | None = None,
    plan: AnalysisPlan | None = None,
    statistics: Sequence[Statistics] | None = None,
) -> Study:
    """Return the study of a corpus: what the request asks, or what the plan fixed.

    Args:
        corpus: the data.
        request: what to do; the plan's request when None.
        plan: the analysis plan, when one was written before scoring.
        statistics: of the request's metrics in their order, when they are there already.

    Raises:
        InvalidOption: neither request nor plan, a request that is not the plan's, or two metrics that are one on these
            data.
        NotApplicable: the data do not carry the analysis.
        UnknownName: a pair names no system.
    """
    request = _asked(request, plan)
    many = [measure(corpus, one) for one in request.metrics] if statistics is None else list(statistics)
    _check_differ(many)
    families = request.settings.families(many, request.pairs, joined=request.joined)
    scored = [request.settings.intervals(one) for one in many]
    return record(corpus, request, scored, families, plan=plan)


def _asked(request: Request | None, plan: AnalysisPlan | None) -> Request:
    if plan is None:
        if request is None:
            raise InvalidOption("Say what to do: give a request or an analysis plan.")
        return request
    if request is not None and request != plan.request:
        raise InvalidOption("The request differs from the analysis plan; what a plan fixes cannot be changed under it.")
    return plan.request


def _check_differ(many: Sequence[Statistics]) -> None:
    """Refuse a metric that was asked for twice: once left to the text, once as what the text then chose."""
    metrics = [one.metric.counted for one in many]
    twice = next((one for one in metrics if metrics.count(one) > 1), None)
    if twice is not None:
        raise InvalidOption(f"The metric {choice_of(twice) or twice.name} is named twice on these data.")


def record(
    corpus: Corpus,
    request: Request,
    scored: Sequence[Intervals],
    families: Sequence[Family],
    places: Sequence[Ranks | None] | None = None,
    plan: AnalysisPlan | None = None,
) -> Study:
    """Return the study of results that were computed as `request` says, one of each per metric."""
    # Beside a test that knows segments only there is no segment-level result, so there is none beside its scores.
    scored = [
        one if family.by_segment else replace(one, by_segment=None)
        for one, family in zip(scored, families, strict=True)
    ]
    if places is None:
        places = [ranks(one) if rankable(one) else None for one in families]
    compared = {name for family in families for name in family.order}
    notes = [*inspect(corpus), *single_runs(compared), *(note for family in families for note in family.notes)]
    notes += [note for one in scored for note in one.notes]
    said = dict.fromkeys(note.text for note in notes)
    status = "exploratory" if plan is None else "planned"
    added: dict[str, Any] = {
        "notes": list(said),
        "warnings": list(dict.fromkeys(note.text for note in notes if note.level == "warning")),
        "status": status,
        "plan": None if plan is None else {"digest": plan.digest, "text": plan.text},
        "request": request.record(),
        "metrics": [_about(*one) for one in zip(request.choices, scored, families, places, strict=True)],
        "ranks": [
            {"metric": family.metric, "signature": family.signature, **row}
            for family, place in zip(families, places, strict=True)
            for row in (place.rows() if place else ())
        ],
        "margins": [
            {"signature": family.signature, **one.row()}
            for metric, family in zip(request.metrics, families, strict=True)
            for margin in request.margins_of(metric)
            for one in _against(family, margin.points, both=margin.kind == "equivalence")
        ],
        "without_reference": [
            {"signature": family.signature, "reference": reference, "comparisons": _rows_of(without, status)}
            for family in families
            for reference, without in family.without.items()
        ],
        "segment_level": {
            "systems": [row for one in scored if one.by_segment for row in one.by_segment.rows()],
            "comparisons": [
                {**row, "of": family.by_segment[0].of, "status": status}
                for family in families
                if family.by_segment
                for row in family.by_segment.rows()
            ],
        },
        "texts": fingerprint_records(fingerprints(corpus)),
        "draws": {"rng": RNG, "block": BLOCK},
        "made_with": _versions(),
    }
    bundle = compare_bundle(corpus, request.settings, scored, families)
    for row in (*bundle["comparisons"], *added["margins"]):
        row["status"] = status
    return Study(plain({**bundle, **added}))


def _about(choice: str | None, scored: Intervals, family: Family, place: Ranks | None) -> dict[str, Any]:
    beside = family.by_segment
    return {
        "choice": choice,
        "counted_as": choice_of(family.statistics.metric.counted),
        "metric": family.metric,
        "signature": family.signature,
        "higher_is_better": scored.higher_is_better,
        "judges": family.statistics.metric.judges,
        "decimals": family.statistics.metric.decimals,
        "order": list(family.order),
        "ranked": None if place is None else {"units": place.units, "shared": place.shared},
        **_at_unit(scored, family),
        "by_segment": None if beside is None else _at_unit(scored.by_segment or scored, beside),
    }


def _at_unit(scored: Intervals, family: Family) -> dict[str, Any]:
    """Return what the results of a metric at one unit have in common."""
    plans = {"resampling": family.plan, "test": family.test.plan}
    return {
        "score_unit": scored.unit,
        "score_units": scored.n_units,
        "unit": family.unit,
        "units": family.statistics.n,
        "test": family.test.name,
        "complete": family.complete,
        "correction": family.correction,
        "judged": family.judged,
        "first_draws": {kind: _first_draws(plan, family.statistics.n) for kind, plan in plans.items()},
    }


def _first_draws(plan: Plan, units: int) -> str:
    """Return the digest of the first draws: the weights, row by row, as 16-bit little-endian integers."""
    weights = next(replace(plan, n_draws=_HASHED).blocks(units))
    return "sha256:" + hashlib.sha256(weights.astype("<u2").tobytes()).hexdigest()


def _rows_of(family: Family, status: str) -> list[dict[str, Any]]:
    rows = zip(family, family.rows(), strict=True)
    return [{**row, "of": one.of, **judged(one), "status": status} for one, row in rows]


def _against(family: Family, margin: float, *, both: bool) -> list[MarginResult]:
    """Return every pair against a margin, corrected by Holm: these tests have no joint draws."""
    doubts = (kin_doubt(family.statistics, one.first, one.second) for one in family)
    found = [within(one, margin, both=both, doubt=doubt) for one, doubt in zip(family, doubts, strict=True)]
    holm = CORRECTIONS["holm"]
    p = np.array([one.p_value for one in found])
    lost = np.isnan(p)
    # A pair that cannot be judged stays in the family, as if its p were 1.
    adjusted = holm.adjusted(np.where(lost, 1.0, p)) if isinstance(holm, OfPValues) else p
    adjusted = np.where(lost, np.nan, adjusted)
    return [
        MarginResult(family.metric, one.first, one.second, result, float(p_adjusted), len(family), one.decimals)
        for one, result, p_adjusted in zip(family, found, adjusted, strict=True)
    ]


def _versions() -> dict[str, str]:
    found = {name: metadata.version(name) for name in ("numpy", "scipy", "sacrebleu")}
    return {"mtsig": VERSION, "python": platform.python_version(), **found}
