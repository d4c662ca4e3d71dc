"""What several test sets say together, worked out once for all visitors."""

from dataclasses import replace
from typing import Any

from mtsig import MtsigError, Settings
from mtsig.collection import FamilyOverSets, Sets, SetStatistics, metric_of_set
from mtsig.collection import compare as compare_over_sets
from mtsig.metrics import Metric, Statistics
from mtsig.study import (
    AnalysisPlan,
    OverSetsRequest,
    Reproduction,
    Request,
    Study,
    conduct,
    reproduce,
    requested_of,
)
from mtsig_dashboard.compute import measured
from mtsig_dashboard.memory import asked, asked_here, bar, worked


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


def reproduced_sets(study: Study, sets: Sets) -> Reproduction:
    """Return a study over several sets made again from them."""
    return asked("Making it again …", reproduce, study, sets)
