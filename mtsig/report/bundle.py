"""The bundle: results as one JSON object of a versioned schema, complete enough to make them again."""

import math
from collections.abc import Sequence
from typing import Any

from mtsig.corpus import Corpus, Note
from mtsig.experiments import SizeCurves
from mtsig.inference import Family, Intervals, Settings
from mtsig.options import options
from mtsig.resampling import RNG
from mtsig.version import VERSION

SCHEMA = "mtsig/1"
"""Version of the layout; a reader may rely on every key that it had."""


def score_bundle(corpus: Corpus, settings: Settings, scored: Sequence[Intervals]) -> dict[str, Any]:
    """Return scores with intervals."""
    used: dict[str, Any] = {"test": None, "correction": None}
    used |= {name: getattr(settings, name) for name in ("interval", "level", "draws", "seed")}
    unit = scored[0].unit if scored else settings.unit
    bundle = _frame(corpus, {**used, "unit": unit}, [note for one in scored for note in one.notes])
    return _plain({**bundle, "systems": [row for one in scored for row in one.rows()]})


def compare_bundle(
    corpus: Corpus, settings: Settings, scored: Sequence[Intervals], families: Sequence[Family]
) -> dict[str, Any]:
    """Return scores with intervals, and comparisons; the settings name the correction that was really used."""
    used = {one.name: getattr(settings, one.name) for one in options(settings)}
    used["unit"] = families[0].statistics.unit
    used["correction"] = families[0].correction
    bundle = _frame(corpus, used, [note for family in families for note in family.notes])
    rows = [{**row, "of": len(family)} for family in families for row in family.rows()]
    return _plain({**bundle, "systems": [row for one in scored for row in one.rows()], "comparisons": rows})


def ablation_bundle(corpus: Corpus, found: Sequence[SizeCurves]) -> dict[str, Any]:
    """Return curves by test-set size."""
    plan = found[0].plan
    used: dict[str, Any] = {one.name: getattr(plan, one.name) for one in options(plan)}
    used |= {"sizes": list(plan.sizes), "unit": found[0].unit}
    bundle = _frame(corpus, used, [note for one in found for note in one.notes])
    return _plain({**bundle, "sizes": [row for one in found for row in one.rows()]})


def _frame(corpus: Corpus, settings: dict[str, Any], notes: Sequence[Note]) -> dict[str, Any]:
    said = dict.fromkeys(note.text for note in notes)
    return {
        "schema": SCHEMA,
        "mtsig": VERSION,
        "settings": {**settings, "rng": RNG},
        "data": {
            "segments": len(corpus),
            "documents": corpus.n_documents,
            "systems": list(corpus.systems),
            "references": list(corpus.references),
            "digest": corpus.digest,
        },
        "notes": list(said),
    }


def _plain(bundle: dict[str, Any]) -> dict[str, Any]:
    """Return the bundle with what JSON does not know (NaN) as null."""
    return {key: _plain_value(value) for key, value in bundle.items()}


def _plain_value(value: Any) -> Any:
    if isinstance(value, dict):
        return _plain(value)
    if isinstance(value, list):
        return [_plain_value(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
