"""The bundle: results as one JSON object of a versioned schema, complete enough to make them again."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from typing import Any

from mtsig.corpus import Corpus, Note
from mtsig.experiments import Experiment, Result, SizeCurves
from mtsig.inference import (
    Audit,
    Compared,
    Comparison,
    Intervals,
    Outlook,
    Ranks,
    RunComparison,
    Settings,
    runs_by_name,
    smallest_detectable,
    verdict,
)
from mtsig.options import options
from mtsig.report.words import single_runs_text
from mtsig.resampling import RNG
from mtsig.version import VERSION

SCHEMA = "mtsig/1"
"""Version of the layout; a reader may rely on every key that it had."""


def score_bundle(corpus: Corpus, settings: Settings, scored: Sequence[Intervals]) -> dict[str, Any]:
    """Return scores with intervals."""
    used: dict[str, Any] = {"test": None, "correction": None}
    used |= {name: getattr(settings, name) for name in ("interval", "level", "draws", "seed")}
    unit = scored[0].unit if scored else settings.unit
    used["interval"] = settings.resolved(unit if scored else "segment").interval
    bundle = _frame(
        corpus, {**used, "unit": unit}, [*single_runs(corpus.systems), *(note for one in scored for note in one.notes)]
    )
    return plain({**bundle, "systems": [row for one in scored for row in one.rows()]})


def compare_bundle(
    corpus: Corpus,
    settings: Settings,
    scored: Sequence[Intervals],
    families: Sequence[Compared],
    ranked: Sequence[Ranks] = (),
) -> dict[str, Any]:
    """Return scores with intervals, and comparisons; the settings name the correction that was really used."""
    used = {one.name: getattr(settings, one.name) for one in options(settings)}
    resolved = settings.resolved(families[0].unit)
    used["test"], used["interval"] = families[0].test.name, resolved.interval
    used["draws"] = families[0].test.plan.n_draws
    used["unit"] = families[0].unit
    used["correction"] = families[0].correction
    used["estimand"] = families[0].test.estimand
    compared = {name for family in families for name in family.order}
    notes = [*single_runs(compared), *(note for family in families for note in family.notes)]
    bundle = _frame(corpus, used, notes)
    rows = [
        {**row, "of": one.of, **judged(one)}
        for family in families
        for one, row in zip(family, family.rows(), strict=True)
    ]
    systems = [row for one in scored for row in one.rows()]
    places = [{"metric": one.metric, **row} for one in ranked for row in one.rows()]
    return plain({**bundle, "systems": systems, "comparisons": rows, "ranks": places})


def judged(one: Comparison) -> dict[str, Any]:
    """Return the verdict, and the true difference that 80% of such test sets would find."""
    detectable = smallest_detectable(one)
    return {
        **_decision(one),
        "detectable": None if detectable is None else detectable.difference,
        "detectable_low": None if detectable is None else detectable.low,
        "detectable_high": None if detectable is None else detectable.high,
    }


def _decision(one: Comparison | RunComparison) -> dict[str, Any]:
    decided = verdict(one)
    return {"verdict": decided.word, "winner": decided.winner, "reason": decided.reason}


def ablation_bundle(corpus: Corpus, found: Sequence[SizeCurves], pair: tuple[str, str] | None) -> dict[str, Any]:
    """Return curves by test-set size, of the scores or of one pair's difference."""
    plan = found[0].plan
    used: dict[str, Any] = {one.name: getattr(plan, one.name) for one in options(plan)}
    used |= {"sizes": list(plan.sizes), "unit": found[0].unit}
    bundle = _frame(corpus, used, [*single_runs(pair or ()), *(note for one in found for note in one.notes)])
    return plain({**bundle, "sizes": [row for one in found for row in one.rows()]})


def audit_bundle(
    corpus: Corpus,
    settings: Settings,
    found: Sequence[Audit],
    dependence: Sequence[dict[str, Any]] = (),
    printed: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """Return one pair under every test, with its dependence within documents, and with what sacreBLEU prints of it."""
    used: dict[str, Any] = {"test": "all", "correction": "none"}
    used |= {name: getattr(settings, name) for name in ("level", "draws", "seed", "unit")}
    rows = [{**row, "signature": one.signature} for one in found for row in one.rows()]
    compared = {name for one in found for name in (one.first, one.second)}
    notes = [*single_runs(compared), *(note for one in found for note in one.notes)]
    return plain(
        {
            **_frame(corpus, used, notes),
            "tests": rows,
            "dependence": list(dependence),
            "as_sacrebleu": list(printed),
        }
    )


def runs_bundle(corpus: Corpus, settings: Settings, found: Sequence[RunComparison]) -> dict[str, Any]:
    """Return comparisons over several runs, each with its verdict and all that it takes to make it again."""
    used: dict[str, Any] = {name: getattr(settings, name) for name in ("level", "draws", "seed")}
    used["unit"] = found[0].unit if found else settings.unit
    rows = [{**one.row(), **_decision(one)} for one in found]
    return plain({**_frame(corpus, used, [note for one in found for note in one.notes]), "runs": rows})


def power_bundle(
    corpus: Corpus, settings: Settings, found: Sequence[Outlook], notes: Sequence[Note] = ()
) -> dict[str, Any]:
    """Return needed size, power and equivalence."""
    used = {name: getattr(settings, name) for name in ("level", "seed", "unit")}
    compared = {name for one in found for name in (one.first, one.second)}
    rows = [asdict(one) for one in found]
    frame = _frame(corpus, used, [*single_runs(compared), *notes])
    # A margin given here was fixed in no plan.
    return plain({**frame, "status": "exploratory", "power": rows})


def experiment_bundle(experiment: Experiment[Any], result: Result, verdict: str, given: str) -> dict[str, Any]:
    """Return what an experiment found; `given` says what it was run on."""
    used = {one.name: getattr(experiment, one.name) for one in fields(experiment)}
    return plain(
        {
            "schema": SCHEMA,
            "mtsig": VERSION,
            "experiment": experiment.name,
            "paper": experiment.paper,
            "settings": {name: list(one) if isinstance(one, tuple) else one for name, one in used.items()}
            | {"rng": RNG},
            "given": given,
            "verdict": verdict,
            "notes": [note.text for note in result.notes],
            "summaries": result.summaries(),
            "rows": result.rows(),
        }
    )


def single_runs(names: Iterable[str]) -> tuple[Note, ...]:
    """Return the warning that is due where outputs of these names are held against each other one by one."""
    said = single_runs_text(runs_by_name(sorted(names)))
    return () if said is None else (Note("warning", said),)


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
            "ratings": [
                {"name": name, "higher_is_better": one.higher_is_better, "known_by": one.known_by, "judge": one.judge}
                for name, one in corpus.ratings.items()
            ],
            "digest": corpus.digest,
        },
        "notes": list(said),
    }


def plain(bundle: dict[str, Any]) -> dict[str, Any]:
    """Return the bundle with what JSON does not know (NaN) as null."""
    return {key: _plain_value(value) for key, value in bundle.items()}


def _plain_value(value: Any) -> Any:
    if isinstance(value, dict):
        return plain(value)
    if isinstance(value, list):
        return [_plain_value(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
