"""The JSON that verbs print, described by the classes of what is in it; `mtsig VERB --schema` prints the schema.

A description is a type, "module:Class" for an object with the fields of a class, [x] for a list of x, a dict for an
object with these keys (those that end in ? may be missing), or a tuple of several of these as one object.
"""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import fields, is_dataclass
from importlib import import_module
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

from mtsig._memory import remembered
from mtsig._records import Record, about, hints_of
from mtsig.study import study_schema


class Maybe(NamedTuple):
    """Something, or null."""

    what: Any


def _each(names: str, kind: Any) -> dict[str, Any]:
    return dict.fromkeys(names.split(), kind)


_PLAIN = str | bool | int | float | None
_HEAD = {"schema": Literal["mtsig/3"], "mtsig": Annotated[str, about("Version of the program.")]}
_SETTINGS = Annotated[dict[str, Any], about("The settings that were used, by name.")]
_DATA, _META, _CAMPAIGN = "mtsig.study._record:Data", "mtsig.meta_eval", "mtsig.campaign"
_OPEN = {**_HEAD, "settings": _SETTINGS, "notes": [str]}
_FRAME = {**_OPEN, "data": _DATA}
_NOTES = [{"level": Literal["note", "warning"], "text": str}]
_PAIR = _each("metric first second signature", str)
_ROW = dict[str, Any]
_COMPARISON = ("mtsig.inference._verdict:Comparison", "mtsig.inference._family:ComparisonConclusions")
_ENDS = _each("ci_low ci_high", float)

VERBS: Mapping[str, Any] = {
    "score": (
        {**_OPEN, "systems": [("mtsig.inference._intervals:Score", {"set?": str | None})]},
        {"data?": _DATA, "sets?": [(_DATA, {"set": str})], "skipped?": dict[str, str]},
    ),
    "runs": {
        **_FRAME,
        "runs": [
            {
                **_PAIR,
                **_each("first_runs second_runs family_size units n_resamples seed", int),
                **_each("difference p_value p_mc_low p_mc_high p_adjusted p_adjusted_mc_low p_adjusted_mc_high", float),
                **_each("ci_low ci_high adjusted_ci_low adjusted_ci_high adjusted_level level df units_df", float),
                **_each("first_run_variance second_run_variance variance_segments variance_runs", float),
                **_each("variance_overlap run_share documents order_segments order_z", float),
                **_each("unit data_caveat data_caveat_id verdict caution", str),
                **_each("first_outputs second_outputs", [str]),
                **_each("winner withheld_reason", str | None),
                "significant": bool | None,
            }
        ],
    },
    "audit": {
        **_FRAME,
        "tests": [("mtsig.inference._audit:Audited", _PAIR)],
        "dependence": [
            {
                "metric": str,
                "problem": str | None,
                "target?": str,
                **_each("segments? documents?", int),
                **_each("icc? f_statistic? p_value? error_segments? error_documents?", float),
                **_each("design_effect? effective_segments?", float),
                **_each("lengths? ratio? limit?", [float]),
            }
        ],
        "as_sacrebleu": [
            {
                **_each("metric system?", str),
                **_each("score? mean? half_width? p_bootstrap? p_randomization?", float),
                "problem": str | None,
            }
        ],
    },
    "segments": {
        **_FRAME,
        **_each("status metric signature unit", str),
        **_each("difference level", float),
        "pair": [str],
        "seed": int,
        "asked": {"within": [str], "search": str, "sort": str, "top": int | None},
        "segments": ["mtsig.segments._overview:SegmentRow"],
        "documents": Maybe(["mtsig.segments._overview:DocumentRow"]),
        "buckets": ["mtsig.segments._buckets:BucketShare"],
        "leverage": {
            "curve": [{"k": int, **_each("difference ci_low ci_high random random_low random_high", float)}],
            "holds_until": Maybe({"units": int, "share": float}),
            **_each("unit interval sentence caution", str),
            **_each("units comparisons random_draws", int),
            "level": float,
            "left_out": list[str | int],
            "again": Maybe(_COMPARISON),
            "untested": str | None,
        },
    },
    "gate": {
        **_HEAD,
        **_each("baseline candidate sharing data status", str),
        "outcome": Literal["pass", "regression", "inconclusive"],
        "exit_code": Literal[0, 1, 3],
        **_each("sets lacking sentences notes", [str]),
        "weights": str | dict[str, float],
        "plan": str | None,
        "settings": _SETTINGS,
        "alpha": float,
        "look": Maybe("mtsig.gate._judge:LookTaken"),
        "checks": ["mtsig.gate._decision:GateCheck"],
    },
    "read": {
        **_HEAD,
        "problem": str | None,
        "data": Maybe(
            {
                "segments": int,
                "documents": int | None,
                "source": bool,
                "digest": str,
                **_each("systems references ratings", [str]),
                **_each("domains original_languages", list[str] | None),
            }
        ),
        "parts": [
            {
                **_each("file role name", str),
                **_each("read_as language_pair problem", str | None),
                "segments": int | None,
                "notes": _NOTES,
            }
        ],
        "notes": _NOTES,
    },
    "check": {
        **_HEAD,
        "checked": [str],
        "segments": {"checked": int, "of": int},
        "digest": str | None,
        "findings": [
            {
                **_each("check headline where found advice", str),
                "level": Literal["note", "warning"],
                "confidence": Literal["certain", "likely", "possible", ""],
                "lines": [int],
                "systems": [str],
            }
        ],
    },
    "download": {**_HEAD, "downloads": [{**_each("name what", str), "here": bool, "language_pairs": [str]}]},
    "power": {
        **_FRAME,
        "status": Literal["exploratory"],
        "power": ["mtsig.inference._power:PowerAnalysis"],
        "designs": ["mtsig.inference._design:Design"],
        "samples?": ["mtsig.inference._design:SamplingPart"],
        "ratings": [(f"{_META}._rating_design:RatingSize", {"rating": str, "raters": int, "difference": float})],
    },
    "size-curve": {
        **_FRAME,
        "sizes": [
            {
                **_each("metric signature system", str),
                **_each("units subsets undefined", int),
                **_each("size score spread ci_low ci_high half_width relative_width", float),
            }
        ],
    },
    "meta-eval": (
        {**_HEAD, "settings": _SETTINGS, "data?": _DATA, "notes?": [str], "meta_eval": [_ROW]},
        {
            "human?": {
                **_each("name signature humans segments", str),
                "left_out": dict[str, Any],
                **_each("outliers without", [str]),
            },
            "comparisons?": [_COMPARISON],
            "systems_exchanged?": [_COMPARISON],
            "sentinels?": [(f"{_META}._metric_agreement:Guarded", {"sentence": str})],
            "verdicts?": [(f"{_META}._delta_accuracy:PairVerdict", {"metric": str})],
            "methods?": {"text": str, "bibtex": str},
        },
    ),
    "delta": {
        **_FRAME,
        "human": _each("name humans segments", str),
        "meant": [f"{_META}._delta_accuracy:Meant"],
        "needed": [(f"{_META}._delta_accuracy:Needed", {"metric": str, "pairs": int})],
        "pairs": [{"metric": str, **_each("difference right share ci_low ci_high", float)}],
    },
    "raters": {
        **_FRAME,
        "rating": str,
        "agreement": [f"{_META}._rater_agreement:Agreement"],
        "raters": [f"{_META}._leniency:RaterLevel"],
        "shares": [f"{_META}._rating_design:Share"],
        "comparisons": [_COMPARISON],
        "other_raters": [_COMPARISON],
        "ceiling": {"statistic?": str, "value?": float, "raters?": [f"{_META}._leniency:RaterAsMetric"]},
        "scales": {"tau?": float, "left_out?": Any, "systems?": [f"{_META}._leniency:OnBothScales"]},
        "repeats": [(f"{_META}._rater_agreement:Agreement", {"rater": str})],
    },
    "few-ratings": {
        **_FRAME,
        **_each("rating metric sentence", str),
        "verdict_by": Literal["ratings", "metric"],
        "explained": [f"{_CAMPAIGN}._few:Explained"],
        "alone": [_COMPARISON],
        "with_metric": [_COMPARISON],
        "needed": [(f"{_CAMPAIGN}._few:NeededRatings", {"difference": float, "power": float})],
    },
    "sample": {
        **_FRAME,
        **_each("metric sentence", str),
        "by": Literal["segment", "document"],
        "focus": float,
        "segments": [f"{_CAMPAIGN}._few:Chosen"],
    },
    "spans": {
        **_FRAME,
        "gold": str,
        "measure": Literal["mpp", "w25"],
        "penalty": float,
        "spans": [f"{_CAMPAIGN}._spans:SpanScore"],
        "comparisons": [_COMPARISON],
        "below_ceiling": [_COMPARISON],
    },
    "autorank": {**_FRAME, "systems": ["mtsig.inference._intervals:Score"]},
    "metrics": {
        **_HEAD,
        "metrics": [
            {
                **_each("name prints about", str),
                **_each("common segment_mean", bool),
                "higher_is_better": bool | None,
                "options": dict[str, dict[str, _PLAIN]],
            }
        ],
    },
    "experiment": {**_OPEN, **_each("experiment paper given verdict", str), "summaries": _ROW, "rows": [_ROW]},
    "papers": {
        **_HEAD,
        **_each("paper citation", str),
        "given": _ROW | str | list[Any],
        "exhibits": [{**_each("label title kind", str), "holds": bool | None, "says": Any, "rows": [_ROW]}],
        "printed": [_ROW],
    },
}
"""What each verb prints; compare prints a study, and calibrate what an experiment does."""

_MORE = {
    "sentences?": [str],
    "statements?": ["mtsig.inference._ranks:JointStatement"],
    "official?": [("mtsig.campaign._rules:OfficialRank", {"rating": str, "left_out": Any})],
}
"""What compare adds to a study."""


_QUALITY = "mtsig.campaign._quality"
_QUALITIES = {
    "quality": {
        "head_to_head": [_COMPARISON],
        "places": [f"{_QUALITY}:PlaceEffect"],
        "orders": Maybe(f"{_QUALITY}:DualOrder"),
        "misfits": [f"{_QUALITY}:Misfit"],
        "gaps": [f"{_QUALITY}:Gaps"],
        "raters": [f"{_QUALITY}:RaterCounts"],
        "agreement": [f"{_META}._rater_agreement:Agreement"],
        "board?": ["mtsig.campaign._strengths:BoardRow"],
        "drift": [f"{_QUALITY}:Drift"],
    }
}
"""What preferences adds to a study."""


_STATEMENTS = {**_HEAD, "settings": _SETTINGS, "data": _DATA, "statements": ["mtsig.inference._ranks:JointStatement"]}
"""What compare writes into a folder for --statement."""


def schema_of(verb: str) -> dict[str, Any]:
    """Return the JSON Schema of what a verb prints; of verbs that print a study, that of studies and what they add."""
    if verb in ("compare", "preferences"):
        added = _MORE if verb == "compare" else _QUALITIES
        study, more = deepcopy(study_schema()), msgspec.json.schema(_made("More", added))
        properties = next(iter(more["$defs"].values()))["properties"]
        study["$defs"]["Study"]["properties"] |= properties
        study["$defs"] |= {name: kind for name, kind in more["$defs"].items() if name != "More"}
        if verb == "compare":
            study["$defs"]["Statements"] = msgspec.json.schema(_made("Statements", _STATEMENTS))
        return study
    described = msgspec.json.schema(_made("Result", VERBS.get(verb, VERBS["experiment"])))
    if verb == "gate":
        described["$defs"]["LedgerLine"] = msgspec.json.schema(_made("Look", "mtsig.gate._ledger:Look"))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"What mtsig {verb} --format json prints",
        "description": "null means that the number does not exist. Later versions may add keys.",
        **described,
    }


def _made(name: str, described: Any) -> Any:
    """Return the type that a description stands for."""
    if isinstance(described, Maybe):
        return _made(name, described.what) | None
    if isinstance(described, list):
        return list[_made(name, described[0])]  # type: ignore[misc]
    if isinstance(described, str):
        return _of_class(described)
    if isinstance(described, dict | tuple):
        return _struct(name, described)
    return _nullable(described)


@remembered()
def _of_class(place: str) -> Any:
    """Return the type of objects of a class, one for all places."""
    return _struct(place.rpartition(":")[2], place)


def _struct(name: str, described: Any) -> Any:
    listed = dict(_fields(name, described))
    keys = [(key.rstrip("?"), kind, *((None,) if key.endswith("?") else ())) for key, kind in listed.items()]
    return msgspec.defstruct(name, keys, kw_only=True, forbid_unknown_fields=True)


def _fields(name: str, described: Any) -> Iterator[tuple[str, Any]]:
    """Yield the keys of an object, each with its type."""
    if isinstance(described, tuple):
        for part in described:
            yield from _fields(name, part)
    elif isinstance(described, dict):
        for key, kind in described.items():
            yield key, _made(f"{name}{key.rstrip('?').title().replace('_', '')}", kind)
    else:
        module, _, called = described.partition(":")
        kind = getattr(import_module(module), called)
        hints = hints_of(kind) if issubclass(kind, Record) else get_type_hints(kind, include_extras=True)
        for field in fields(kind):
            yield field.name, _nullable(hints[field.name])


def _nullable(hint: Any) -> Any:
    """Return a type in which every number may be null, and a class is the object of its fields."""
    if hint is float:
        return float | None
    if hint is msgspec.UnsetType:
        return None
    if get_origin(hint) is Annotated:
        inner, *metas = get_args(hint)
        # Bounds are of the number; what is said of the field is of what stands in its place, too.
        bounds = [meta for meta in metas if not getattr(meta, "description", None)]
        inner = Annotated[(inner, *bounds)] | None if bounds and inner is float else _nullable(inner)
        return (
            Annotated[(inner, *(meta for meta in metas if meta not in bounds))] if len(bounds) < len(metas) else inner
        )
    if isinstance(hint, type) and is_dataclass(hint):
        return _of_class(f"{hint.__module__}:{hint.__name__}")
    if get_origin(hint) in (Union, UnionType):
        kinds = [_nullable(kind) for kind in get_args(hint)]
        return Union[tuple(kinds)]  # noqa: UP007
    if get_origin(hint) is tuple:
        return list[_nullable(get_args(hint)[0])]  # type: ignore[misc]
    if get_args(hint) and get_origin(hint) is not Literal:
        return get_origin(hint)[tuple(map(_nullable, get_args(hint)))]
    return hint
