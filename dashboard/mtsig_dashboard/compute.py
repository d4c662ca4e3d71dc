"""What the pages ask of the library where more than a call is needed: a choice of worker, or an order of calls."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from mtsig import Corpus, MtsigError, NotApplicable, Settings, check_data, measure, ranks, segments, size_curve
from mtsig._cautions import with_misaligned
from mtsig.collection import Averaging, FamilyOverSets, Sets, SetStatistics
from mtsig.collection import compare as compare_over_sets
from mtsig.collection._sets import metric_of_set
from mtsig.corpus import Note
from mtsig.doctor import Checkup
from mtsig.inference import CORRECTIONS, Comparison, Family, Intervals, Ranks
from mtsig.inference._ranks import bootstrap_best_rate, rankable
from mtsig.inference._settings import Kept
from mtsig.metrics import Metric, Statistics
from mtsig.readers import File, Part
from mtsig.report import Naming, Table
from mtsig.report._segments import carrying_tables
from mtsig.segments._overview import searched, tested_again
from mtsig.study import AnalysisPlan, Request, Study, conduct
from mtsig.study._changes import as_known
from mtsig.study._run import record, requested_of
from mtsig_dashboard import memory
from mtsig_dashboard.contents import key_of
from mtsig_dashboard.memory import answered, asked, asked_at_once, asked_here, kept, remembered, worked
from mtsig_dashboard.state import Choices, Made, in_samples, made_of, read_parts, size_of

_FEW_NUMBERS = 2_000_000
"""Counts of 64 systems on 3,000 segments: they take less time than the way to a worker and back."""

_FEW_LINES = 100_000
"""Texts of 32 systems on 3,000 segments, for the same reason."""

_LINES_OF_PART = 50
"""Lines that take as long as a part without any."""


def parts(files: Sequence[File]) -> list[Part]:
    """Return what dropped files are; not remembered, since the visitor's session keeps it."""
    return worked("Reading the files …", read_parts, files)


def samples(parts: Sequence[Part], of: Mapping[str, Sequence[str]]) -> list[Part]:
    """Return the parts with these outputs of a system renamed as its samples."""
    return worked("Renaming the outputs …", in_samples, parts, of)


def corpora(parts: Sequence[Part]) -> Made:
    """Return what large files make; of small ones nothing, since the way to a worker and back takes longer."""
    if _LINES_OF_PART * len(parts) + sum(map(size_of, parts)) <= _FEW_LINES:
        return {}
    return worked("Combining the files …", made_of, parts)


def examined(corpus: Corpus) -> Checkup:
    """Return what the data checks find."""
    return asked("Checking the data …", check_data, corpus)


def measured(corpus: Corpus, metric: Metric) -> Statistics:
    """Return the statistics of a metric, counted once per data and metric, whose tokenizer may be that of the text."""
    counted = asked(f"Counting {metric.name} …", measure, corpus, metric)
    return memory.at_once(
        key_of(measure, corpus, counted.metric), lambda: with_misaligned(counted, corpus, examined(corpus))
    )


def unit_in_order(corpus: Corpus, metric: Metric) -> str | None:
    """Return the unit that the default takes by the order of the text; None where the metric is not counted yet."""
    counted = answered(measure, corpus, metric)
    return None if counted is None else asked_at_once(_default_unit, counted)


def _default_unit(statistics: Statistics) -> str:
    return statistics.at("auto").unit


def intervals(statistics: Statistics, settings: Settings) -> Intervals:
    """Return every system's interval."""
    settings = settings.scoring
    # Where the jackknife is undefined, resamples replace it.
    few = statistics.values.size + len(statistics.systems) * settings.n_resamples <= _FEW_NUMBERS
    if few and not settings.redraws:
        return asked_here(settings.intervals, statistics)
    return asked("Resampling …", settings.intervals, statistics)


def family(statistics: Statistics, settings: Settings) -> Family:
    """Return all pairs, corrected."""
    return families([statistics], settings, joined=False)[0]


def families(many: Sequence[Statistics], settings: Settings, *, joined: bool = True) -> list[Family]:
    """Return all pairs of every metric, corrected as one family or each, drawn once for every correction and level."""
    first: list[list[Family]] = []
    text = f"Comparing in {many[0].metric.name if len(many) == 1 else 'all metrics'} …"

    def drawn() -> Kept:
        # Another test redraws the same test sets.
        redraws = key_of("redrawn", many, joined, settings.n_resamples, settings.seed, settings.unit)
        number = settings.able_to_pass(many, ["all"] * len(many), joined)[0].n_resamples
        # A function of this file would have the worker load all of Streamlit.
        made, compared = worked(
            lambda share: f"{text} {number * share:,.0f} of {number:,} resamples",
            settings.keeping, many, joined=joined, redrawn=memory.recalled(redraws),
        )  # fmt: skip
        first.append(compared)
        memory.at_once(redraws, lambda: made.redrawn)
        return made

    def judged() -> list[Family]:
        made = remembered(key_of("drawn", many, joined, settings.drawing), drawn)
        if first:
            return first[0]
        if _is_soon_done(settings, made):
            return settings.families(many, joined=joined, kept=made)
        return worked(text, settings.families, many, joined=joined, kept=made)

    return remembered(key_of("families", many, joined, settings), judged)


def compared(corpus: Corpus, metric: Metric, choices: Choices) -> Family:
    """Return the corrected comparisons of the metric: by themselves, or corrected together with all other metrics."""
    if not choices.joined or len(choices.metrics) < 2:
        return family(measured(corpus, metric), choices.settings)
    together = families([measured(corpus, each) for each in choices.metrics], choices.settings)
    return together[choices.metrics.index(metric)]


class ScoredMetric(NamedTuple):
    """A metric with its scores and, where there is anything to compare, its comparisons."""

    metric: Metric
    statistics: Statistics
    intervals: Intervals
    family: Family | None


def scored(corpus: Corpus, metric: Metric, choices: Choices) -> ScoredMetric:
    """Return the metric with its scores and comparisons by these choices, as every page has them."""
    statistics = measured(corpus, metric)
    own = intervals(statistics, choices.settings)
    return ScoredMetric(metric, statistics, own, compared(corpus, metric, choices) if len(own.systems) > 1 else None)


def is_drawn(statistics: Statistics, settings: Settings) -> bool:
    """Return whether all is drawn that the comparisons by these settings take."""
    return memory.recalled(key_of("drawn", [statistics], False, settings.drawing)) is not None


def _is_soon_done(settings: Settings, kept: Kept) -> bool:
    """Return whether what was drawn has all that the interval and the correction read."""
    correction = CORRECTIONS.get(settings.correction)
    joint = all(tested.outcome.null is not None for made in kept.tested.values() for tested in made)
    return not settings.redraws and (correction is None or correction.needs != "joint draws" or joint)


@kept
def ranked(family: Family) -> Ranks:
    """Return rank sets and clusters of a corrected family."""
    # Who is best in the redraws does not depend on what was corrected for.
    drawn = key_of(bootstrap_best_rate, family.statistics, family.scheme, family.systems)
    return ranks(family, remembered(drawn, lambda: worked("Resampling …", bootstrap_best_rate, family)))


def resampled(family: Family, i: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the bootstrap differences of one comparison."""
    pair = key_of(Family.resampled, family.statistics, family.scheme, family.first[i], family.second[i])
    return remembered(pair, lambda: family.resampled(i))


def exchanged(
    statistics: Statistics, settings: Settings, first: str, second: str
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the differences of one pair after random swaps of their names, by approximate randomization."""
    by_swaps = Settings(test="ar", unit=settings.unit, n_resamples=settings.n_resamples, seed=settings.seed)
    family = asked("Swapping names …", by_swaps.family, statistics, [(first, second)])
    if family.null is None:
        raise NotApplicable("There are no differences after random swaps to show for this pair.")
    return np.asarray(family.null[0] if family.first[0] == first else -family.null[0])


def curves(statistics: Statistics, ablation: segments.Ablation, pair: tuple[str, str] | None) -> segments.SizeCurves:
    """Return scores, or a difference, by test-set size."""
    return asked(f"{ablation.repeats} subsets of each size …", size_curve, statistics, ablation, pair)


@kept
def study(corpus: Corpus, request: Request) -> Study:
    """Return the study of what the pages show: all pairs, each metric by itself or all corrected together."""
    many = [measured(corpus, metric.on(corpus)) for metric in request.metrics]
    if request.joined:
        compared = families(many, request.settings)
    else:
        compared = [family(statistics, request.settings) for statistics in many]
    scored = [intervals(statistics, request.settings) for statistics in many]
    places = [ranked(family) if rankable(family) else None for family in compared]
    return record(corpus, request, scored, compared, places, checkup=examined(corpus))


@kept
def planned_study(corpus: Corpus, plan: AnalysisPlan) -> Study:
    """Return the study that an analysis plan asks for."""
    many = [measured(corpus, metric.on(corpus)) for metric in plan.request.metrics]
    return worked("Following the plan …", conduct, corpus, plan=plan, statistics=many)


@kept
def carried(study: Study, corpus: Corpus, naming: Naming) -> tuple[tuple[Table, ...], tuple[Note, ...]]:
    """Return the segments that carry the study's verdicts, as tables, and what has none."""
    part = as_known(corpus, study.data, study.texts)
    counted = [measured(part, metric) for metric in study.counted]
    return worked("Looking for the most influential segments …", carrying_tables, study, part, counted, naming)


def measured_sets(sets: Sets, metric: Metric, over: Averaging) -> SetStatistics:
    """Return the statistics of a metric on every set, each counted once per data and metric."""
    counted: dict[str, Statistics] = {}
    with memory.bar() as show:
        for name, corpus in sets.items():
            done = len(counted)
            show(done / len(sets), f"Counting {metric.name}, {done} of {len(sets)} sets …")
            try:
                counted[name] = measured(corpus, metric_of_set(metric, name))
            except MtsigError as error:
                raise type(error)(f"{name}: {error}") from None
    return SetStatistics(sets, counted, over.units)


@kept
def over_sets(statistics: SetStatistics, settings: Settings, over: Averaging) -> FamilyOverSets:
    """Return all pairs in every set, their averages, and what else the sets say together."""
    # Outputs and references are counted; sent there and back they would be the most of it.
    gone: dict[str, Any] = {"outputs": {}, "references": {}, "annotations": {}, "beside": {}}
    bare = {
        name: replace(corpus, systems=dict.fromkeys(corpus.systems, ()), **gone)
        for name, corpus in statistics.sets.items()
    }
    sent = replace(statistics, sets=replace(statistics.sets, corpora=bare))
    made = worked("Comparing over the sets …", compare_over_sets, sent, settings, averaging=over)
    return replace(made, drawn=None if made.drawn is None else replace(made.drawn, statistics=statistics))


@kept
def study_over_sets(sets: Sets, request: Request | None, plan: AnalysisPlan | None = None) -> Study:
    """Return the study over several sets of what the pages show, or of what an analysis plan asks for."""
    wanted = requested_of(sets, request, plan)
    over = wanted.sets or Averaging()
    if any(over.own.values()):
        return worked("Comparing over the sets …", conduct, sets, request, plan)
    many = [measured_sets(sets, metric, over) for metric in wanted.metrics]
    return worked("Comparing over the sets …", conduct, sets, request, plan, many)


def contributed(statistics: Statistics, first: str, second: str | None) -> segments.Contributions:
    """Return what each segment adds to the difference of two systems, or to the score of one."""
    return asked_here(segments.contributions, statistics.at("segment"), first, second)


@kept
def bucketed(corpus: Corpus, first: str, second: str | None) -> segments.Buckets:
    """Return what may be the matter with which segments of two systems, or of one."""
    # The other systems' texts need not go to another process.
    part = corpus.select([name for name in (first, second) if name is not None])
    return worked("Comparing the texts …", segments.buckets_of, part, first, second)


@kept
def described(corpus: Corpus, first: str, second: str | None, expression: str) -> frozenset[int]:
    """Return the places of the segments in which a regular expression finds something.

    A child process reads and uses it: whoever writes an address writes it, and it may take any memory and time.
    """
    pair = [name for name in (first, second) if name is not None]
    found = worked("Searching …", searched, corpus.select(pair), pair, expression)
    return frozenset(np.flatnonzero(found).tolist())


@kept
def leveraged(
    statistics: Statistics, settings: Settings, first: str, second: str, no_verdict: str, judged_at: tuple[float, int]
) -> tuple[segments.Leverage, Comparison | None, str]:
    """Return a difference without the units that contribute most, and the test made again where the verdict turns."""
    by_segment = contributed(statistics, first, second)
    unit = settings.at(statistics)
    pushing = by_segment if unit.unit == "segment" else segments.contributions(unit, first, second)
    level, comparisons = judged_at
    options = {"comparisons": comparisons, "seed": settings.seed, "no_verdict": no_verdict}
    curve = worked("Leaving segments out …", segments.leverage, pushing, level, **options)
    return (curve, *worked("Testing without them …", tested_again, by_segment, pushing, curve, settings))
