"""What the pages ask of the library where more than a call is needed: a choice of worker, or an order of calls."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mtsig import (
    Corpus,
    MtsigError,
    Settings,
    check_data,
    measure,
    power_analysis,
    ranks,
    size_curve,
)
from mtsig.collection import FamilyOverSets, Sets, SetStatistics
from mtsig.collection import compare as compare_over_sets
from mtsig.collection._sets import metric_of_set, parts_of_files
from mtsig.corpus import Note
from mtsig.doctor import Checkup
from mtsig.inference import CORRECTIONS, Comparison, Family, Intervals, PowerAnalysis, Ranks
from mtsig.inference._ranks import bootstrap_best_rate, rankable
from mtsig.inference._settings import Kept
from mtsig.metrics import Metric, Statistics
from mtsig.readers import File, Part
from mtsig.report import Naming, Table
from mtsig.report._segments import carrying_tables
from mtsig.segments import Ablation, Buckets, Contributions, Leverage, SizeCurves, buckets_of, leverage
from mtsig.segments import contributions as contributions_of
from mtsig.segments._choosing import searched
from mtsig.segments._overview import tested_again
from mtsig.study import AnalysisPlan, Request, Study, conduct
from mtsig.study._changes import as_known
from mtsig.study._request import OverSetsRequest
from mtsig.study._run import record, requested_of
from mtsig_dashboard.contents import key_of
from mtsig_dashboard.memory import (
    answered,
    asked,
    asked_at_once,
    asked_here,
    at_once,
    bar,
    recalled,
    remembered,
    worked,
)
from mtsig_dashboard.state import Made, made_of

_FEW_NUMBERS = 2_000_000
"""Counts of 64 systems on 3,000 segments: they take less time than the way to a worker and back."""

_FEW_LINES = 100_000
"""Texts of 32 systems on 3,000 segments, for the same reason."""

_LINES_OF_PART = 50
"""Lines that take as long as a part without any: ratings have one for every rater, of whom there may be 80,000."""


def parts(files: Sequence[File]) -> list[Part]:
    """Return what dropped files are; not remembered, since the visitor's session keeps it."""
    return worked("Reading the files …", parts_of_files, files)


def corpora(parts: Sequence[Part]) -> Made:
    """Return what large files make; of small ones nothing, since the way to a worker and back takes longer."""
    if _LINES_OF_PART * len(parts) + sum(len(part.lines or ()) for part in parts) <= _FEW_LINES:
        return {}
    return worked("Putting the files together …", made_of, parts)


def examined(corpus: Corpus) -> Checkup:
    """Return what the alignment doctor finds."""
    return asked("Checking the data …", check_data, corpus)


def measured(corpus: Corpus, metric: Metric) -> Statistics:
    """Return the statistics of a metric, counted once per data and metric."""
    return asked(f"Counting {metric.name} …", measure, corpus, metric)


def unit_in_order(corpus: Corpus, metric: Metric) -> str | None:
    """Return the unit that the default takes by the order of the text; None where the metric is not counted yet."""
    counted = answered(measure, corpus, metric)
    return None if counted is None else asked_at_once(_default_unit, counted)


def _default_unit(statistics: Statistics) -> str:
    return statistics.at("auto").unit


def intervals(statistics: Statistics, settings: Settings) -> Intervals:
    """Return every system's interval."""
    settings = settings.scoring
    if not settings.redraws and statistics.values.size <= _FEW_NUMBERS:
        return asked_here(settings.intervals, statistics)
    return asked("Redrawing …", settings.intervals, statistics)


def family(statistics: Statistics, settings: Settings) -> Family:
    """Return all pairs, corrected."""
    return _families([statistics], settings, False, f"Comparing in {statistics.metric.name} …")[0]


def families(many: Sequence[Statistics], settings: Settings) -> list[Family]:
    """Return all pairs of every metric, corrected as one family."""
    return _families(many, settings, True, "Comparing in all metrics …")


def _families(many: Sequence[Statistics], settings: Settings, joined: bool, text: str) -> list[Family]:
    """Return all pairs, drawn once for every correction, level and interval."""
    first: list[list[Family]] = []

    def drawn() -> Kept:
        # Another test redraws the same test sets.
        redraws = key_of("redrawn", many, joined, settings.n_resamples, settings.seed, settings.unit)
        # A function of this file would have the worker load all of Streamlit.
        kept, drawn = worked(text, settings.keeping, many, joined=joined, redrawn=recalled(redraws))
        first.append(drawn)
        at_once(redraws, lambda: kept.redrawn)
        return kept

    def judged() -> list[Family]:
        kept = remembered(key_of("drawn", many, joined, settings.drawing), drawn)
        if first:
            return first[0]
        if _is_soon_done(settings, kept):
            return settings.families(many, joined=joined, kept=kept)
        return worked(text, settings.families, many, joined=joined, kept=kept)

    return remembered(key_of("families", many, joined, settings), judged)


def _is_soon_done(settings: Settings, kept: Kept) -> bool:
    """Return whether what was drawn has all that the interval and the correction read."""
    correction = CORRECTIONS.get(settings.correction)
    joint = all(tested.outcome.null is not None for made in kept.tested.values() for tested in made)
    return not settings.redraws and (correction is None or correction.needs != "joint draws" or joint)


def ranked(family: Family) -> Ranks:
    """Return rank sets and clusters of a corrected family."""
    return asked_here(_ranked, family)


def _ranked(family: Family) -> Ranks:
    # Who is best in the redraws does not depend on what was corrected for.
    drawn = key_of(bootstrap_best_rate, family.statistics, family.scheme, family.systems)
    return ranks(family, remembered(drawn, lambda: worked("Redrawing …", bootstrap_best_rate, family)))


def power_of_pair(
    statistics: Statistics,
    settings: Settings,
    first: str,
    second: str,
    difference: float | None,
    margin: float | None,
    comparisons: int,
) -> PowerAnalysis:
    """Return needed size, power and equivalence of one pair."""
    text, args = "Looking at power …", (statistics, first, second, difference, margin)
    return asked(text, power_analysis, *args, level=settings.level, comparisons=comparisons, unit=settings.unit)


def resampled(family: Family, i: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the bootstrap differences of one comparison."""
    pair = key_of(Family.resampled, family.statistics, family.scheme, family.first[i], family.second[i])
    return remembered(pair, lambda: family.resampled(i))


def curves(statistics: Statistics, ablation: Ablation, pair: tuple[str, str] | None) -> SizeCurves:
    """Return scores, or a difference, by test-set size."""
    return asked(f"{ablation.repeats} subsets of each size …", size_curve, statistics, ablation, pair)


def study(corpus: Corpus, request: Request) -> Study:
    """Return the study of what the pages show: all pairs, each metric by itself or all judged together."""
    return asked_here(_study, corpus, request)


def _study(corpus: Corpus, request: Request) -> Study:
    many = [measured(corpus, metric.on(corpus)) for metric in request.metrics]
    if request.joined:
        compared = families(many, request.settings)
    else:
        compared = [family(statistics, request.settings) for statistics in many]
    scored = [intervals(statistics, request.settings) for statistics in many]
    places = [ranked(family) if rankable(family) else None for family in compared]
    return record(corpus, request, scored, compared, places)


def planned_study(corpus: Corpus, plan: AnalysisPlan) -> Study:
    """Return the study that an analysis plan asks for."""
    return asked_here(_planned_study, corpus, plan)


def _planned_study(corpus: Corpus, plan: AnalysisPlan) -> Study:
    many = [measured(corpus, metric.on(corpus)) for metric in plan.request.metrics]
    return worked("Following the plan …", conduct, corpus, plan=plan, statistics=many)


def carried(study: Study, corpus: Corpus, naming: Naming) -> tuple[tuple[Table, ...], tuple[Note, ...]]:
    """Return the segments that carry the study's verdicts, as tables, and what has none."""
    return asked_here(_carried, study, corpus, naming)


def _carried(study: Study, corpus: Corpus, naming: Naming) -> tuple[tuple[Table, ...], tuple[Note, ...]]:
    part = as_known(corpus, study.data, study.texts)
    counted = [measured(part, metric) for metric in study.counted]
    return worked("Looking for the segments that carry the verdict …", carrying_tables, study, part, counted, naming)


def measured_sets(sets: Sets, metric: Metric, over: OverSetsRequest) -> SetStatistics:
    """Return the statistics of a metric on every set, each counted once per data and metric."""
    counted: dict[str, Statistics] = {}
    with bar() as show:
        for name, corpus in sets.items():
            done = len(counted)
            show(done / len(sets), f"Counting {metric.name}, {done} of {len(sets)} sets …")
            try:
                counted[name] = measured(corpus, metric_of_set(metric, name))
            except MtsigError as error:
                raise type(error)(f"{name}: {error}") from None
    return SetStatistics(sets, counted, over.units)


def over_sets(statistics: SetStatistics, settings: Settings, over: OverSetsRequest) -> FamilyOverSets:
    """Return all pairs in every set, their averages, and what else the sets say together."""
    return asked_here(_over_sets, statistics, settings, over)


def _over_sets(statistics: SetStatistics, settings: Settings, over: OverSetsRequest) -> FamilyOverSets:
    # Outputs and references are counted; sent there and back they would be the most of it.
    gone: dict[str, Any] = {"outputs": {}, "references": {}, "annotations": {}, "beside": {}}
    bare = {
        name: replace(corpus, systems=dict.fromkeys(corpus.systems, ()), **gone)
        for name, corpus in statistics.sets.items()
    }
    sent = replace(statistics, sets=replace(statistics.sets, corpora=bare))
    how = {"weights": over.weights, "family": over.family, "combination": over.combine, "separation": over.separate}
    made = worked("Comparing over the sets …", compare_over_sets, sent, settings, **how)
    return replace(made, drawn=None if made.drawn is None else replace(made.drawn, statistics=statistics))


def study_over_sets(sets: Sets, request: Request | None, plan: AnalysisPlan | None = None) -> Study:
    """Return the study over several sets of what the pages show, or of what an analysis plan asks for."""
    return asked_here(_study_over_sets, sets, request, plan)


def _study_over_sets(sets: Sets, request: Request | None, plan: AnalysisPlan | None) -> Study:
    wanted = requested_of(sets, request, plan)
    over = wanted.sets or OverSetsRequest()
    if any(over.own.values()):
        return worked("Comparing over the sets …", conduct, sets, request, plan)
    many = [measured_sets(sets, metric, over) for metric in wanted.metrics]
    return worked("Comparing over the sets …", conduct, sets, request, plan, many)


def contributed(statistics: Statistics, first: str, second: str | None) -> Contributions:
    """Return what each segment adds to the difference of two systems, or to the score of one."""
    return asked_here(contributions_of, statistics.at("segment"), first, second)


def bucketed(corpus: Corpus, first: str, second: str | None) -> Buckets:
    """Return what may be the matter with which segments of two systems, or of one."""
    return asked_here(_bucketed, corpus, first, second)


def _bucketed(corpus: Corpus, first: str, second: str | None) -> Buckets:
    # The other systems' texts need not go to another process.
    part = corpus.select([name for name in (first, second) if name is not None])
    return worked("Looking at the texts …", buckets_of, part, first, second)


def described(corpus: Corpus, first: str, second: str | None, expression: str) -> frozenset[int]:
    """Return the places of the segments in which a regular expression finds something.

    A child process reads and uses it: whoever writes an address writes it, and it may take any memory and time.
    """
    return asked_here(_described, corpus, first, second, expression)


def _described(corpus: Corpus, first: str, second: str | None, expression: str) -> frozenset[int]:
    pair = [name for name in (first, second) if name is not None]
    found = worked("Looking for the expression …", searched, corpus.select(pair), pair, expression)
    return frozenset(np.flatnonzero(found).tolist())


def leveraged(
    statistics: Statistics,
    settings: Settings,
    first: str,
    second: str,
    no_verdict: str,
    judged_at: tuple[float, int],
) -> tuple[Leverage, Comparison | None, str]:
    """Return what is left of a difference without the units that push most, and the test made again where it turns."""
    return asked_here(_leveraged, statistics, settings, first, second, no_verdict, judged_at)


def _leveraged(
    statistics: Statistics,
    settings: Settings,
    first: str,
    second: str,
    no_verdict: str,
    judged_at: tuple[float, int],
) -> tuple[Leverage, Comparison | None, str]:
    by_segment = contributed(statistics, first, second)
    unit = settings.at(statistics)
    pushing = by_segment if unit.unit == "segment" else contributions_of(unit, first, second)
    level, comparisons = judged_at
    options = {"comparisons": comparisons, "seed": settings.seed, "no_verdict": no_verdict}
    curve = worked("Leaving segments out …", leverage, pushing, level, **options)
    return (curve, *worked("Testing without them …", tested_again, by_segment, pushing, curve, settings))
