"""One thin function per verb on one test set, each remembering its results; other rooms have modules of their own."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

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
from mtsig.corpus import Note, inspect
from mtsig.doctor import Checkup
from mtsig.figures import Picture
from mtsig.inference import (
    CORRECTIONS,
    Audit,
    BlockScan,
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
from mtsig.metrics import Metric, Statistics
from mtsig.readers import File, Part
from mtsig.report import Naming, Table, carrying_tables
from mtsig.sets import parts_of_files
from mtsig.slices import slices_of, slicings
from mtsig.study import AnalysisPlan, Reproduction, Request, Study, as_known, conduct, record, reproduce
from mtsig_dashboard.resources import at_once, recalled, remembered, worked

# What only some pages need is loaded with them.
if TYPE_CHECKING:
    from mtsig.figures import Sheet
    from mtsig.lab import Experiment, Material, Population

_FEW_NUMBERS = 2_000_000
"""Counts of 64 systems on 3,000 segments: they take less time than the way to a worker and back."""


def parts(files: Sequence[File]) -> list[Part]:
    """Return what dropped files are; not remembered, since the visitor's session keeps it."""
    return worked("Reading the files …", parts_of_files, files)


def examined(corpus: Corpus) -> Checkup:
    """Return what the alignment doctor finds."""
    key = ("examine", corpus.digest)
    return remembered(key, lambda: worked("Checking the data …", examine, corpus))


def measured(corpus: Corpus, metric: Metric) -> Statistics:
    """Return the statistics of a metric, counted once per data and metric."""
    text = f"Counting {metric.name} …"
    key = ("measure", corpus.digest, metric)
    return remembered(key, lambda: worked(text, measure, corpus, metric))


def inspected(corpus: Corpus) -> tuple[Note, ...]:
    """Return what is odd about the corpus as a whole."""
    # Of its notes the digest says nothing: they tell of the files that it was read from.
    return at_once(("inspect", corpus.digest, corpus.notes), lambda: inspect(corpus))


def remark(corpus: Corpus, metric: Metric) -> Note | None:
    """Return what the text chooses for a metric; None where it chooses nothing."""
    return at_once(("remark", corpus.digest, metric), lambda: metric.remark(corpus))


def slice_names(corpus: Corpus) -> dict[str, dict[str, str]]:
    """Return way to slice -> the names of its slices, each with what is asked by in a link."""
    return remembered(
        ("slices", corpus.digest),
        lambda: {by: {part.name: part.asked_by for part in slices_of(corpus, by)} for by in slicings(corpus)},
    )


def scanned(statistics: Statistics, first: str, second: str) -> BlockScan:
    """Return the standard error of one pair with neighbours taken together."""
    key = ("scan", statistics.digest, statistics.metric, first, second)
    return remembered(key, lambda: worked("Scanning neighbours …", block_scan, statistics, first, second))


def intervals(statistics: Statistics, settings: Settings) -> Intervals:
    """Return every system's interval."""
    settings = settings.scoring
    key = ("intervals", statistics.digest, statistics.metric, settings)
    if not settings.redraws and statistics.values.size <= _FEW_NUMBERS:
        return remembered(key, lambda: settings.intervals(statistics))
    return remembered(key, lambda: worked("Redrawing …", settings.intervals, statistics))


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
        # Another test redraws the same test sets.
        redraws = ("redrawn", *of, settings.draws, settings.seed, settings.unit)
        # A function of this file would have the worker load all of Streamlit.
        kept, drawn = worked(text, settings.keeping, many, joined=joined, redrawn=recalled(redraws))
        first.append(drawn)
        at_once(redraws, lambda: kept.redrawn)
        return kept

    def judged() -> list[Family]:
        kept = remembered(("drawn", *of, settings.drawing), drawn)
        if first:
            return first[0]
        if _is_soon_done(settings, kept):
            return settings.families(many, joined=joined, kept=kept)
        return worked(text, settings.families, many, joined=joined, kept=kept)

    return remembered(("families", *of, settings), judged)


def _is_soon_done(settings: Settings, kept: Kept) -> bool:
    """Return whether what was drawn has all that the interval and the correction read."""
    correction = CORRECTIONS.get(settings.correction)
    joint = all(tested.outcome.null is not None for made in kept.tested.values() for tested in made)
    return not settings.redraws and (correction is None or correction.needs != "joint draws" or joint)


def sliced(
    corpus: Corpus, statistics: Statistics, settings: Settings, by: str, first: str, second: str
) -> SlicedFamily:
    """Return one pair in every slice of the test set."""
    key = ("sliced", corpus.digest, statistics.metric, settings, by, first, second)
    pair = [(first, second)]
    text = "Comparing in slices …"
    return remembered(key, lambda: worked(text, compare_slices, corpus, statistics, by, settings, pair))


def audited(statistics: Statistics, settings: Settings, first: str, second: str) -> Audit:
    """Return every test on one pair, by the unit of the settings."""
    key = ("audit", statistics.digest, statistics.metric, settings, first, second)
    args = (statistics, first, second, settings)
    return remembered(key, lambda: worked("Auditing …", audit, *args, every_unit=False))


def printed(statistics: Statistics, first: str, second: str) -> tuple[Printed, Printed]:
    """Return one pair as sacreBLEU prints it, the second system being the baseline."""
    key = ("sacrebleu", statistics.digest, statistics.metric, first, second)
    return remembered(key, lambda: worked("As sacreBLEU …", as_sacrebleu, statistics, first, second))


def ranked(family: Family) -> Ranks:
    """Return rank sets and clusters of a corrected family."""
    statistics = family.statistics
    drawn = statistics.digest, statistics.metric, statistics.unit, family.scheme, family.systems

    def work() -> Ranks:
        return ranks(family, remembered(("best", *drawn), lambda: worked("Redrawing …", best_share, family)))

    return remembered(("ranks", *_of_family(family)), work)


def tabled(family: Family, table: Callable[[Family], Table]) -> Table:
    """Return the table that `table` makes of a family."""
    return at_once(("table", table.__name__, *_of_family(family)), lambda: table(family))


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
    return remembered(key, lambda: worked(text, power_analysis, *args, **options))


def runs(
    statistics: Statistics, settings: Settings, first: str, second: str, mapping: Mapping[str, tuple[str, ...]]
) -> RunComparison:
    """Return the comparison of two systems with several runs each; `mapping` says which are whose."""
    key = ("runs", statistics.digest, statistics.metric, settings, first, second, mapping[first], mapping[second])
    options = {name: getattr(settings, name) for name in ("level", "unit", "draws", "seed")}
    text, args = "Comparing runs …", (statistics, first, second, mapping)
    return remembered(key, lambda: worked(text, compare_runs, *args, **options))


def resampled(family: Family, i: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the bootstrap differences of one comparison."""
    statistics = family.statistics
    of_pair = (family.scheme, family.first[i], family.second[i])
    key = ("draws", statistics.digest, statistics.metric, statistics.unit, *of_pair)
    return remembered(key, lambda: family.resampled(i))


def curves(statistics: Statistics, ablation: Ablation, pair: tuple[str, str] | None) -> SizeCurves:
    """Return scores, or a difference, by test-set size."""
    key = ("ablate", statistics.digest, statistics.metric, ablation, pair)
    text = f"{ablation.repeats} subsets of each size …"
    return remembered(key, lambda: worked(text, ablate, statistics, ablation, pair))


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

    return remembered(("study", corpus.digest, request), work)


def planned_study(corpus: Corpus, plan: AnalysisPlan) -> Study:
    """Return the study that an analysis plan asks for."""

    def work() -> Study:
        many = [measured(corpus, metric.on(corpus)) for metric in plan.request.metrics]
        return worked("Following the plan …", conduct, corpus, plan=plan, statistics=many)

    return remembered(("planned", corpus.digest, plan), work)


def reproduced(study: Study, corpus: Corpus) -> Reproduction[Study]:
    """Return a study made again from the data."""
    key = ("reproduced", corpus.digest, study.text())
    return remembered(key, lambda: worked("Making it again …", reproduce, study, corpus))


def carried(study: Study, corpus: Corpus, naming: Naming) -> tuple[tuple[Table, ...], tuple[Note, ...]]:
    """Return the segments that carry the study's verdicts, as tables, and what has none."""
    named = tuple(sorted(naming.names.items())), tuple(sorted(naming.hidden))

    def work() -> tuple[tuple[Table, ...], tuple[Note, ...]]:
        part = as_known(corpus, study.data, study.texts)
        counted = [measured(part, metric) for metric in study.counted]
        return worked(
            "Looking for the segments that carry the verdict …", carrying_tables, study, part, counted, naming
        )

    return remembered(("carrying", corpus.digest, study.text(), named), work)


def screen(picture: Picture) -> go.Figure:
    """Return a picture for the screen; it is shared, so nobody changes it."""
    return at_once(("screen", picture), picture.screen)


def sheet(picture: Picture, paper: str) -> "Sheet":
    """Return a picture as a bitmap at its true size."""
    from mtsig.figures import on_paper

    return remembered(("sheet", picture, paper), lambda: worked("Drawing …", on_paper, picture, "png", paper))


def experiment(chosen: "Experiment[Any]", material: "Material", wanted: bool) -> Any | None:
    """Return what an experiment finds; None when it has not been run with these choices and is not wanted now."""
    from mtsig.lab import run

    measured_by = tuple(
        (statistics.digest, statistics.metric, statistics.systems) for statistics in material.statistics
    )
    corpus = None if material.corpus is None else material.corpus.digest
    key = ("experiment", chosen, measured_by, corpus)
    if not wanted:
        return recalled(key)
    return remembered(key, lambda: worked(f"{chosen.label} …", run, chosen, material))


def simulated() -> "Population":
    """Return the simulated population: made once for everybody."""
    from mtsig.lab import KOEHN_SCORES, NEWS

    return remembered(("simulated",), lambda: worked("Simulating …", NEWS.simulate, KOEHN_SCORES))


def sample_with_references() -> Corpus:
    """Return the sample data with all three references."""
    return remembered(("sample",), lambda: read_sample(every_reference=True))


def sample() -> Corpus:
    """Return the sample data as they are loaded: with one reference."""
    return remembered(("sample", "one reference"), read_sample)


def designed(statistics: Statistics, first: str, second: str, difference: float, **options: Any) -> Design:
    """Return what a future test set has to hold to find a difference of one pair."""
    key = ("design", statistics.digest, statistics.metric, first, second, difference, *sorted(options.items()))
    text, args = "Looking at what is needed …", (statistics, first, second, difference)
    return remembered(key, lambda: worked(text, design_test_set, *args, **options))


def designed_by_references(
    corpus: Corpus, metric: Metric, first: str, second: str, difference: float, **options: Any
) -> tuple[ReferencesDesign, ...]:
    """Return the same with every combination of references in use."""
    key = ("references", corpus.digest, metric, first, second, difference, *sorted(options.items()))
    text, args = "Counting with other references …", (corpus, metric, first, second, difference)
    return remembered(key, lambda: worked(text, design_by_references, *args, **options))


def stated(many: Sequence[Family], form: JointForm) -> JointStatements:
    """Return what several metrics say together of every pair."""
    key = ("statements", form, *(part for family in many for part in _of_family(family)))
    return remembered(key, lambda: joint_statements(many, form))
