"""One thin function per verb, each remembering its results; the only file with a cache.

Results are frozen, so visitors share them. The memory is bounded by bytes: other people share the process.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from mtsig import (
    Corpus,
    Settings,
    ablate,
    audit,
    compare_runs,
    compare_slices,
    design_test_set,
    examine,
    measure,
    power_analysis,
    ranks,
    read_sample,
)
from mtsig.ablation import Ablation, SizeCurves
from mtsig.cli import VisitorLimits, memory
from mtsig.corpus import Note, inspect
from mtsig.doctor import Checkup
from mtsig.errors import MtsigError, NotApplicable
from mtsig.figures import Picture
from mtsig.inference import (
    CORRECTIONS,
    Audit,
    BlockScan,
    Comparison,
    Design,
    Family,
    Intervals,
    JointForm,
    JointStatements,
    Kept,
    PowerAnalysis,
    Printed,
    Ranks,
    ReferencesDesign,
    RunComparison,
    SlicedFamily,
    as_sacrebleu,
    best_share,
    block_scan,
    design_by_references,
    joint_statements,
    rankable,
)
from mtsig.lab import KOEHN_SCORES, NEWS, Experiment, Material, Population, run
from mtsig.metrics import Metric, Statistics
from mtsig.readers import File, Part
from mtsig.report import Naming, Table, carrying_tables
from mtsig.resampling import Bootstrap
from mtsig.segments import (
    Buckets,
    Contributions,
    Leverage,
    WordView,
    buckets_of,
    contributions,
    length_thirds,
    leverage,
    tested_again,
    word_view,
)
from mtsig.sets import FamilyOverSets, Sets, SetStatistics, metric_of_set, parts_of_files
from mtsig.sets import compare as compare_sets
from mtsig.slices import slices_of, slicings
from mtsig.study import (
    AnalysisPlan,
    OverSetsRequest,
    Reproduction,
    Request,
    SetsStudy,
    Study,
    conduct,
    conduct_sets,
    record,
    reproduce,
    reproduce_sets,
    requested_of,
)
from mtsig.trust import (
    AGREEMENTS,
    Agreement,
    Ceiling,
    ComparedMetrics,
    Curve,
    Guarded,
    Judged,
    JudgedComparisons,
    Leniency,
    RatingDesign,
    SameOutputs,
    Statistic,
    Trust,
    Underrated,
    VarianceShares,
    agreement,
    ceiling,
    compare_metrics,
    compare_with_random_judges,
    design_ratings_by,
    leniency,
    meaning,
    same_outputs,
    sentinels,
    texts_of,
    trust,
    underrated,
    variance_shares,
)
from mtsig_dashboard.memory import Memory
from mtsig_dashboard.session import Session
from mtsig_dashboard.visitors import Visitors, present_visitors
from mtsig_dashboard.workers import Workers

# What only some pages need is loaded with them.
if TYPE_CHECKING:
    from mtsig.figures import Sheet
    from mtsig.lessons import Classroom, Lesson, Stage
    from mtsig.lessons.kit import Source

T = TypeVar("T")

MOST_BYTES = min(512 * 2**20, memory() // 8)
"""Bytes of results kept in the process, least recently used ones going first."""

_QUIET_SECONDS = 0.4
"""Work shorter than this shows no progress bar."""

_BEAT = 0.05
"""Seconds between two pictures of a bar: inner loops report by the thousand."""


_WITHOUT_DRAWS = {Settings().interval, "jackknife", "ij"}
"""Intervals of a moment's work."""

_WAITING = "Another visitor is having the same computed; the result is shown here as soon as it is there."


@st.cache_resource
def _workers() -> Workers:
    return Workers(VisitorLimits.from_environment())


@st.cache_resource
def _memory() -> Memory:
    return Memory(MOST_BYTES)


@st.cache_resource
def _visitors() -> Visitors:
    visitors = Visitors(_memory(), VisitorLimits.from_environment(), present_visitors)
    visitors.watch()
    return visitors


def _visitor() -> str:
    """Return the id of the visitor whose page is being drawn; "" outside of a page."""
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def came(visit: Session) -> None:
    """Take down that a visitor is here: what he holds leaves memory some time after his tab is gone."""
    _visitors().came(_visitor(), visit)


def _remembered(key: Hashable, work: Callable[[], T]) -> T:
    """Return the result of `work`; while another visitor has it computed, wait. Any change of a setting stops it.

    The place of what is said meanwhile is there also when the result is at hand: were it not, all that stands below
    would come to stand elsewhere in the next run, and Streamlit draw it anew.
    """
    place, began, told = st.empty(), monotonic(), False

    def waiting() -> None:
        nonlocal told
        if monotonic() - began > _QUIET_SECONDS:
            place.info(_WAITING)
            told = True

    with place:
        result = _memory().remembered(key, work, waiting, _visitor())
    if told:
        place.empty()
    return result


def _at_once(key: Hashable, work: Callable[[], T]) -> T:
    """Return the result of `work`, which takes no time that anything had to be said in."""
    return _memory().remembered(key, work, lambda: None, _visitor())


def _worked(text: str, work: Callable[..., T], *args: Any, **options: Any) -> T:
    """Have `work(*args, **options)` done by a child process, under a bar, which appears when it takes a while.

    The bar starts afresh with every pass. Any change of a setting, and closing the tab, stops the work.
    """
    place, due = st.empty(), monotonic() + _QUIET_SECONDS

    def show(share: float, said: str = text) -> None:
        nonlocal due
        if monotonic() > due:
            place.progress(min(1.0, share), text=said)
            due = monotonic() + _BEAT

    def waits(number: int) -> None:
        show(0.0, f"{text} waits for other visitors' work, number {number} in the queue")

    result = _workers().run(partial(work, *args, **options), show=show, waits=waits)
    place.empty()
    return result


def parts(files: Sequence[File]) -> list[Part]:
    """Return what dropped files are; not remembered, since the visitor's session keeps it."""
    return _worked("Reading the files …", parts_of_files, files)


def examined(corpus: Corpus) -> Checkup:
    """Return what the alignment doctor finds."""
    key = ("examine", corpus.digest)
    return _remembered(key, lambda: _worked("Checking the data …", examine, corpus))


def measured(corpus: Corpus, metric: Metric) -> Statistics:
    """Return the statistics of a metric, counted once per data and metric."""
    text = f"Counting {metric.name} …"
    key = ("measure", corpus.digest, metric)
    return _remembered(key, lambda: _worked(text, measure, corpus, metric))


def inspected(corpus: Corpus) -> tuple[Note, ...]:
    """Return what is odd about the corpus as a whole."""
    # Of its notes the digest says nothing: they tell of the files that it was read from.
    return _at_once(("inspect", corpus.digest, corpus.notes), lambda: inspect(corpus))


def remark(corpus: Corpus, metric: Metric, name: str) -> Note | None:
    """Return what the text chooses for a metric, called `name` on the command line; None where it chooses nothing."""
    return _at_once(("remark", corpus.digest, metric, name), lambda: metric.remark(corpus, name))


def slice_names(corpus: Corpus) -> dict[str, list[str]]:
    """Return way to slice -> the names of its slices."""
    return _remembered(
        ("slices", corpus.digest),
        lambda: {by: [part.name for part in slices_of(corpus, by)] for by in slicings(corpus)},
    )


def scanned(statistics: Statistics, first: str, second: str) -> BlockScan:
    """Return the standard error of one pair with neighbours taken together."""
    key = ("scan", statistics.digest, statistics.metric, first, second)
    return _remembered(key, lambda: _worked("Scanning neighbours …", block_scan, statistics, first, second))


def intervals(statistics: Statistics, settings: Settings) -> Intervals:
    """Return every system's interval."""
    key = ("intervals", statistics.digest, statistics.metric, settings)
    return _remembered(key, lambda: _worked("Redrawing …", settings.intervals, statistics))


def family(statistics: Statistics, settings: Settings) -> Family:
    """Return all pairs, corrected."""
    return _families([statistics], settings, False, f"Comparing in {statistics.metric.name} …")[0]


def families(many: Sequence[Statistics], settings: Settings) -> list[Family]:
    """Return all pairs of every metric, corrected as one family."""
    return _families(many, settings, True, "Comparing in all metrics …")


def _families(many: Sequence[Statistics], settings: Settings, joined: bool, text: str) -> list[Family]:
    """Return all pairs, drawn once for every correction, level and interval."""
    of = (tuple((statistics.digest, statistics.metric) for statistics in many), joined)

    first: list[list[Family]] = []

    def drawn() -> Kept:
        # A function of this file would have the worker load all of Streamlit.
        kept, drawn = _worked(text, settings.keeping, many, joined=joined)
        first.append(drawn)
        return kept

    def judged() -> list[Family]:
        kept = _remembered(("drawn", *of, settings.drawing), drawn)
        if first:
            return first[0]
        if _is_soon_done(settings, kept):
            return settings.families(many, joined=joined, kept=kept)
        return _worked(text, settings.families, many, joined=joined, kept=kept)

    return _remembered(("families", *of, settings), judged)


def _is_soon_done(settings: Settings, kept: Kept) -> bool:
    """Return whether what was drawn has all that the interval and the correction read."""
    correction = CORRECTIONS.get(settings.correction)
    joint = all(tested.outcome.null is not None for made in kept.tested.values() for tested in made)
    return settings.interval in _WITHOUT_DRAWS and (correction is None or correction.needs != "joint draws" or joint)


def sliced(
    corpus: Corpus, statistics: Statistics, settings: Settings, by: str, first: str, second: str
) -> SlicedFamily:
    """Return one pair in every slice of the test set."""
    key = ("sliced", corpus.digest, statistics.metric, settings, by, first, second)
    pair = [(first, second)]
    text = "Comparing in slices …"
    return _remembered(key, lambda: _worked(text, compare_slices, corpus, statistics, by, settings, pair))


def audited(statistics: Statistics, settings: Settings, first: str, second: str) -> Audit:
    """Return every test on one pair, by the unit of the settings."""
    key = ("audit", statistics.digest, statistics.metric, settings, first, second)
    args = (statistics, first, second, settings)
    return _remembered(key, lambda: _worked("Auditing …", audit, *args, every_unit=False))


def printed(statistics: Statistics, first: str, second: str) -> tuple[Printed, Printed]:
    """Return one pair as sacreBLEU prints it, the second system being the baseline."""
    key = ("sacrebleu", statistics.digest, statistics.metric, first, second)
    return _remembered(key, lambda: _worked("As sacreBLEU …", as_sacrebleu, statistics, first, second))


def ranked(family: Family) -> Ranks:
    """Return rank sets and clusters of a corrected family."""
    statistics = family.statistics
    drawn = statistics.digest, statistics.metric, statistics.unit, family.scheme, family.systems

    def work() -> Ranks:
        return ranks(family, _remembered(("best", *drawn), lambda: best_share(family)))

    return _remembered(("ranks", *_of_family(family)), work)


def tabled(family: Family, table: Callable[[Family], Table]) -> Table:
    """Return the table that `table` makes of a family."""
    return _at_once(("table", table.__name__, *_of_family(family)), lambda: table(family))


def _of_family(family: Family) -> tuple[Hashable, ...]:
    """Return what a family is known by; its records tell what was judged together."""
    statistics = family.statistics
    return statistics.digest, statistics.metric, statistics.unit, family.test, family.scheme, family.records


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
    key = (
        "power_analysis",
        statistics.digest,
        statistics.metric,
        settings,
        first,
        second,
        difference,
        margin,
        comparisons,
    )
    options = {"level": settings.level, "comparisons": comparisons, "unit": settings.unit}
    text, args = "Looking at power …", (statistics, first, second, difference, margin)
    return _remembered(key, lambda: _worked(text, power_analysis, *args, **options))


def runs(
    statistics: Statistics, settings: Settings, first: str, second: str, mapping: Mapping[str, tuple[str, ...]]
) -> RunComparison:
    """Return the comparison of two systems with several runs each; `mapping` says which are whose."""
    key = ("runs", statistics.digest, statistics.metric, settings, first, second, mapping[first], mapping[second])
    options = {name: getattr(settings, name) for name in ("level", "unit", "draws", "seed")}
    text, args = "Comparing runs …", (statistics, first, second, mapping)
    return _remembered(key, lambda: _worked(text, compare_runs, *args, **options))


def resampled(family: Family, i: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the bootstrap differences of one comparison."""
    statistics = family.statistics
    of_pair = (family.scheme, family.first[i], family.second[i])
    key = ("draws", statistics.digest, statistics.metric, statistics.unit, *of_pair)
    return _remembered(key, lambda: family.resampled(i))


def curves(statistics: Statistics, plan: Ablation, pair: tuple[str, str] | None) -> SizeCurves:
    """Return scores, or a difference, by test-set size."""
    key = ("ablate", statistics.digest, statistics.metric, plan, pair)
    text = f"{plan.repeats} subsets of each size …"
    return _remembered(key, lambda: _worked(text, ablate, statistics, plan, pair))


def study(corpus: Corpus, request: Request) -> Study:
    """Return the study of what the pages show: all pairs, each metric by itself or all judged together."""

    def work() -> Study:
        many = [measured(corpus, metric.on(corpus)) for metric in request.metrics]
        if request.joined:
            compared = families(many, request.settings)
        else:
            compared = [family(statistics, request.settings) for statistics in many]
        scored = [intervals(statistics, request.settings) for statistics in many]
        places = [ranked(family) if rankable(family) else None for family in compared]
        return record(corpus, request, scored, compared, places)

    return _remembered(("study", corpus.digest, request), work)


def planned_study(corpus: Corpus, plan: AnalysisPlan) -> Study:
    """Return the study that an analysis plan asks for."""

    def work() -> Study:
        many = [measured(corpus, metric.on(corpus)) for metric in plan.request.metrics]
        return _worked("Following the plan …", conduct, corpus, plan=plan, statistics=many)

    return _remembered(("planned", corpus.digest, plan), work)


def reproduced(study: Study, corpus: Corpus) -> Reproduction[Study]:
    """Return a study made again from the data."""
    key = ("reproduced", corpus.digest, study.text())
    return _remembered(key, lambda: _worked("Making it again …", reproduce, study, corpus))


def carried(study: Study, corpus: Corpus, naming: Naming) -> tuple[tuple[Table, ...], tuple[Note, ...]]:
    """Return the segments that carry the study's verdicts, as tables, and what has none."""
    named = tuple(sorted(naming.names.items())), tuple(sorted(naming.hidden))

    def work() -> tuple[tuple[Table, ...], tuple[Note, ...]]:
        part = corpus.select(study.data.systems, study.data.references)
        counted = [measured(part, metric) for metric in study.counted]
        return _worked(
            "Looking for the segments that carry the verdict …", carrying_tables, study, part, counted, naming
        )

    return _remembered(("carrying", corpus.digest, study.text(), named), work)


def screen(picture: Picture) -> go.Figure:
    """Return a picture for the screen; it is shared, so nobody changes it."""
    return _at_once(("screen", picture), picture.screen)


def sheet(picture: Picture, paper: str) -> "Sheet":
    """Return a picture as a bitmap at its true size."""
    from mtsig.figures import on_paper

    return _remembered(("sheet", picture, paper), lambda: _worked("Drawing …", on_paper, picture, "png", paper))


def experiment(chosen: Experiment[Any], material: Material, wanted: bool) -> Any | None:
    """Return what an experiment finds; None when it has not been run with these choices and is not wanted now."""
    measured_by = tuple(
        (statistics.digest, statistics.metric, statistics.systems) for statistics in material.statistics
    )
    corpus = None if material.corpus is None else material.corpus.digest
    key = ("experiment", chosen, measured_by, corpus)
    if not wanted:
        return _memory().get(key, _visitor())
    return _remembered(key, lambda: _worked(f"{chosen.label} …", run, chosen, material))


def simulated() -> Population:
    """Return the simulated population: made once for everybody."""
    return _remembered(("simulated",), lambda: _worked("Simulating …", NEWS.simulate, KOEHN_SCORES))


def sample_with_references() -> Corpus:
    """Return the sample data with all three references."""
    return _remembered(("sample",), lambda: read_sample(every_reference=True))


def sample() -> Corpus:
    """Return the sample data as they are loaded: with one reference."""
    return _remembered(("sample", "one reference"), read_sample)


def staged(lesson: "Lesson", room: "Classroom") -> "Stage":
    """Return what a lesson shows on these data."""
    return _remembered(_of_lesson("stage", lesson, room), lambda: _worked("Drawing …", lesson.stage, room))


def solved(lesson: "Lesson", room: "Classroom") -> str:
    """Return the answer to a lesson's exercise on these data."""
    return _remembered(_of_lesson("solution", lesson, room), lambda: _worked("Solving …", lesson.solution, room))


def handout(
    lesson: "Lesson", room: "Classroom", kind: str, solutions: bool, source: "Source | None"
) -> Callable[[], bytes]:
    """Return what makes a lesson's file in one of FORMATS, as `mtsig lessons` writes it.

    It is called while no page is drawn, so there is no bar; not remembered, since the visitor has the file.
    """
    from mtsig.lessons.kit import FORMATS, kit_files

    workers, work = _workers(), partial(kit_files, room, [kind], [lesson], solutions, source)
    return lambda: workers.run(work)[0][FORMATS[kind]]


def _of_lesson(what: str, lesson: "Lesson", room: "Classroom") -> tuple[Hashable, ...]:
    corpus = None if room.corpus is None else room.corpus.digest
    statistics = room.statistics
    return what, lesson.name, corpus, statistics.digest, statistics.metric, room.pair, room.seed, room.unit


def contributed(statistics: Statistics, first: str, second: str | None) -> Contributions:
    """Return what each segment adds to the difference of two systems, or to the score of one."""
    key = ("contributions", statistics.digest, statistics.metric, first, second)
    return _remembered(key, lambda: contributions(statistics.at("segment"), first, second))


def bucketed(corpus: Corpus, first: str, second: str | None) -> Buckets:
    """Return what may be the matter with which segments of two systems, or of one."""
    key = ("buckets", corpus.digest, first, second)

    def work() -> Buckets:
        # The other systems' texts need not go to another process.
        part = corpus.select([name for name in (first, second) if name is not None])
        return _worked("Looking at the texts …", buckets_of, part, first, second)

    return _remembered(key, work)


def length_thirds_of(corpus: Corpus) -> dict[str, tuple[int, int]]:
    """Return the ends of the short, the medium and the long segments."""
    return _remembered(("thirds", corpus.digest), lambda: length_thirds(corpus))


def worded(corpus: Corpus, metric: Metric, settings: Settings, first: str, second: str) -> WordView:
    """Return on which words, lengths and n-grams two systems differ."""
    key = ("words", corpus.digest, metric, settings.unit, settings.level, first, second)
    args = (corpus, metric, first, second, settings.unit, settings.level)
    return _remembered(key, lambda: _worked("Looking at the words …", word_view, *args))


def leveraged(
    statistics: Statistics, settings: Settings, first: str, second: str, no_verdict: str
) -> tuple[Leverage, Comparison | None, str]:
    """Return what is left of a difference without the units that push most, and the test made again where it turns."""
    key = ("leverage", statistics.digest, statistics.metric, settings, first, second, no_verdict)

    def work() -> tuple[Leverage, Comparison | None, str]:
        pushing = contributions(statistics.at(settings.unit), first, second)
        options = {"seed": settings.seed, "no_verdict": no_verdict}
        curve = _worked("Leaving segments out …", leverage, pushing, settings.level, **options)
        by_segment = contributions(statistics.at("segment"), first, second)
        return (curve, *_worked("Testing without them …", tested_again, by_segment, pushing, curve, settings))

    return _remembered(key, work)


def designed(statistics: Statistics, first: str, second: str, difference: float, **options: Any) -> Design:
    """Return what a future test set has to hold to find a difference of one pair."""
    key = ("design", statistics.digest, statistics.metric, first, second, difference, *sorted(options.items()))
    text, args = "Looking at what is needed …", (statistics, first, second, difference)
    return _remembered(key, lambda: _worked(text, design_test_set, *args, **options))


def designed_by_references(
    corpus: Corpus, metric: Metric, first: str, second: str, difference: float, **options: Any
) -> tuple[ReferencesDesign, ...]:
    """Return the same with every combination of references in use."""
    key = ("references", corpus.digest, metric, first, second, difference, *sorted(options.items()))
    text, args = "Counting with other references …", (corpus, metric, first, second, difference)
    return _remembered(key, lambda: _worked(text, design_by_references, *args, **options))


def measured_sets(sets: Sets, metric: Metric, over: OverSetsRequest) -> SetStatistics:
    """Return the statistics of a metric on every set, each counted once per data and metric."""
    found: dict[str, Statistics] = {}
    place, due = st.empty(), monotonic() + _QUIET_SECONDS
    for name, corpus in sets.items():
        if monotonic() > due:
            place.progress(len(found) / len(sets), text=f"Counting {metric.name}, {len(found)} of {len(sets)} sets …")
        try:
            found[name] = measured(corpus, metric_of_set(metric, name))
        except MtsigError as error:
            raise type(error)(f"{name}: {error}") from None
    place.empty()
    return SetStatistics(sets, found, over.units)


def over_sets(statistics: SetStatistics, settings: Settings, over: OverSetsRequest) -> FamilyOverSets:
    """Return all pairs in every set, their averages, and what else the sets say together."""
    key = ("over sets", *((name, one.digest, one.metric) for name, one in statistics.of.items()), settings, repr(over))

    def work() -> FamilyOverSets:
        # Outputs and references are counted; sent there and back they would be the most of it.
        bare = {
            name: replace(
                corpus,
                outputs={},
                systems=dict.fromkeys(corpus.systems, ()),
                references={},
                annotations={},
                beside={},
            )
            for name, corpus in statistics.sets.items()
        }
        sent = replace(statistics, sets=replace(statistics.sets, corpora=bare))
        how = {
            "weights": over.weights,
            "family": over.family,
            "combination": over.combine,
            "separation": over.separate,
        }
        work = _worked("Comparing over the sets …", compare_sets, sent, settings, **how)
        return replace(work, drawn=None if work.drawn is None else replace(work.drawn, statistics=statistics))

    return _remembered(key, work)


def study_over_sets(sets: Sets, request: Request | None, plan: AnalysisPlan | None = None) -> SetsStudy:
    """Return the study over several sets of what the pages show, or of what an analysis plan asks for."""

    def work() -> SetsStudy:
        asked = requested_of(sets, request, plan)
        over = asked.sets or OverSetsRequest()
        if any(over.own.values()):
            return _worked("Comparing over the sets …", conduct_sets, sets, request, plan)
        many = [measured_sets(sets, metric, over) for metric in asked.metrics]
        return _worked("Comparing over the sets …", conduct_sets, sets, request, plan, many)

    digests = [(name, corpus.digest) for name, corpus in sets.items()]
    return _remembered(("study over sets", *digests, repr(request), repr(plan)), work)


def reproduced_sets(study: SetsStudy, sets: Sets) -> Reproduction[SetsStudy]:
    """Return a study over several sets made again from them."""
    key = ("reproduced", *((name, corpus.digest) for name, corpus in sets.items()), study.text())
    return _remembered(key, lambda: _worked("Making it again …", reproduce_sets, study, sets))


def designed_ratings(corpus: Corpus, rating: str, difference: float, judges: int, **wanted: Any) -> RatingDesign:
    """Return how many segments and judges an evaluation by people takes."""
    key = ("ratings", corpus.digest, rating, difference, judges, *sorted(wanted.items()))
    text, args = "Looking at what judges bring …", (corpus, rating, difference, judges)
    return _remembered(key, lambda: _worked(text, design_ratings_by, *args, **wanted))


def judged(corpus: Corpus, human: Metric, metrics: Sequence[Metric], humans: str) -> Judged:
    """Return what people and metrics say of the systems that they share."""
    key = ("judged", corpus.digest, human, *metrics, humans)

    def work() -> Judged:
        people, *others = (measured(corpus, metric) for metric in (human, *metrics))
        return _worked("Setting metrics beside people …", Judged.of, corpus, people, others, humans=humans)

    return _remembered(key, work)


def _of_judged(judged: Judged) -> tuple[Hashable, ...]:
    """Return what a set of judged systems is known by."""
    return judged.digest, judged.humans, *(part.statistics.metric for part in judged.everything)


def trusted(
    judged: Judged, statistics: Sequence[str], by: str, settings: Settings, without: Sequence[str] = ()
) -> Trust:
    """Return how well each metric agrees with people; without: systems that another value leaves out."""
    key = ("trust", *_of_judged(judged), *statistics, by, settings.drawing, settings.level, *without)
    text = "Redrawing systems and segments …"
    more = {"by": by, "settings": settings, "separated": False, "without": tuple(without)}
    return _remembered(key, lambda: _worked(text, trust, judged, statistics, **more))


def guarded(corpus: Corpus, judged: Judged, statistic: Statistic, by: str, settings: Settings) -> tuple[Guarded, ...]:
    """Return every metric beside what sees no more than a length, or chance."""
    key = ("sentinels", *_of_judged(judged), statistic, by, settings.drawing, settings.level)
    more = {"by": by, "settings": settings, **texts_of(judged, corpus)}
    return _remembered(key, lambda: _worked("Holding against sentinels …", sentinels, judged, [statistic], **more))


def metrics_compared(judged: Judged, statistic: Statistic, exchanged: str, settings: Settings) -> ComparedMetrics:
    """Return all pairs of metrics, by what is exchanged between them."""
    key = ("metrics", *_of_judged(judged), statistic, exchanged, settings)
    text = "Exchanging scores between metrics …"
    return _remembered(key, lambda: _worked(text, compare_metrics, judged, statistic, exchanged, settings))


def family_of(judged: Judged, name: str, settings: Settings) -> Family:
    """Return all pairs of the judged systems by one metric, or by people."""
    statistics = judged[name].statistics
    key = ("of judged", statistics.digest, statistics.metric, judged.systems, settings)
    text = f"Comparing in {name} …"
    return _remembered(key, lambda: _worked(text, settings.family, statistics.select(judged.systems)))


def meant(judged: Judged, metric: str, settings: Settings) -> Curve:
    """Return how often people see the order that a metric's difference gives."""
    options = {"level": settings.level, "scheme": _scheme(settings)}
    key = ("meaning", *_of_judged(judged), metric, *options.values())
    return _remembered(key, lambda: _worked("Redrawing pairs …", meaning, judged, metric, **options))


def underrating(judged: Judged, metric: str, settings: Settings) -> Underrated:
    """Return which systems people rate otherwise than a metric suggests."""
    options = {"level": settings.level, "scheme": _scheme(settings)}
    key = ("underrated", *_of_judged(judged), metric, *options.values())
    return _remembered(key, lambda: _worked("Redrawing segments …", underrated, judged, metric, **options))


def outputs_alike(corpus: Corpus, judged: Judged, metric: str) -> tuple[SameOutputs, ...]:
    """Return outputs of equal score that people rate farthest apart."""
    outputs = dict(corpus.outputs) if all(name in corpus.outputs for name in judged.systems) else None
    key = ("outputs", *_of_judged(judged), metric)
    text = "Looking for equal scores …"
    return _remembered(key, lambda: _worked(text, same_outputs, judged, metric, outputs=outputs))


def agreed(corpus: Corpus, rating: str, kind: str, settings: Settings) -> Agreement:
    """Return how far the judges of a rating agree."""
    key = ("agreement", corpus.digest, rating, kind, settings.level, _scheme(settings))
    options = {"documents": corpus.documents, "level": settings.level, "scheme": _scheme(settings)}
    return _remembered(
        key, lambda: _worked(f"{AGREEMENTS[kind].label} …", agreement, _judgements(corpus, rating), kind, **options)
    )


def lenient(corpus: Corpus, rating: str, settings: Settings) -> Leniency:
    """Return how lenient every judge of a rating is."""
    key = ("leniency", corpus.digest, rating, _scheme(settings))
    options = {"documents": corpus.documents, "scheme": _scheme(settings)}
    text, systems = "Solving for judges and systems …", list(corpus.systems)
    return _remembered(key, lambda: _worked(text, leniency, _judgements(corpus, rating), systems, **options))


def varying(corpus: Corpus, rating: str) -> VarianceShares:
    """Return what the values of a rating vary by."""
    key = ("shares", corpus.digest, rating)
    args = _judgements(corpus, rating), corpus.documents
    return _remembered(key, lambda: _worked("Sharing out the variance …", variance_shares, *args))


def judges_ceiling(corpus: Corpus, rating: str, statistic: Statistic) -> Ceiling:
    """Return how well each judge agrees with the others, as a metric does with people."""
    key = ("ceiling", corpus.digest, rating, statistic)
    return _remembered(key, lambda: _worked("Holding judges against each other …", ceiling, corpus, rating, statistic))


def judged_at_random(corpus: Corpus, rating: str, settings: Settings) -> JudgedComparisons:
    """Return all pairs by people, for other judges and for these."""
    key = ("random judges", corpus.digest, rating, settings.unit, settings.level)
    options: dict[str, Any] = {
        "higher_is_better": corpus.ratings[rating].higher_is_better,
        "documents": corpus.documents,
        "unit": settings.unit,
        "level": settings.level,
    }
    args = _judgements(corpus, rating), list(corpus.systems)
    text = "Comparing for other judges …"
    return _remembered(key, lambda: _worked(text, compare_with_random_judges, *args, **options))


def stated(many: Sequence[Family], form: JointForm) -> JointStatements:
    """Return what several metrics say together of every pair."""
    key = ("statements", form, *(part for family in many for part in _of_family(family)))
    return _remembered(key, lambda: joint_statements(many, form))


def _judgements(corpus: Corpus, rating: str) -> Any:
    """Return who gave which value, of the judges that are named."""
    given = corpus.ratings[rating].judgements
    if given is None:
        raise NotApplicable(f"{rating}: it is not known who gave which value, so nothing is said of its judges.")
    return given.signed


def _scheme(settings: Settings) -> Bootstrap:
    return Bootstrap(settings.draws, settings.seed, settings.unit)
