"""One thin function per verb on one test set, each remembering its results; other rooms have modules of their own."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from mtsig import (
    Corpus,
    Settings,
    audit,
    check_data,
    compare_runs,
    compare_subsets,
    design_test_set,
    measure,
    power_analysis,
    ranks,
    read_sample,
    size_curve,
)
from mtsig.collection import parts_of_files
from mtsig.corpus import Note, inspect, slices_of, slicings
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
    RunComparison,
    SlicedFamily,
    as_sacrebleu,
    block_scan,
    bootstrap_best_rate,
    joint_statements,
    rankable,
)
from mtsig.metrics import Metric, Statistics
from mtsig.readers import File, Part
from mtsig.report import Naming, Table, carrying_tables
from mtsig.segments import Ablation, ReferencesDesign, SizeCurves, design_by_references
from mtsig.study import AnalysisPlan, Reproduction, Request, Study, as_known, conduct, record, reproduce
from mtsig_dashboard.contents import key_of
from mtsig_dashboard.memory import answered, asked, asked_at_once, asked_here, at_once, recalled, remembered, worked
from mtsig_dashboard.state import Made, made_of

# What only some pages need is loaded with them.
if TYPE_CHECKING:
    from mtsig.figures import Sheet
    from mtsig.lab import Experiment, Material, Population

_FEW_NUMBERS = 2_000_000
"""Counts of 64 systems on 3,000 segments: they take less time than the way to a worker and back."""

_FEW_LINES = 100_000
"""Texts of 32 systems on 3,000 segments, for the same reason."""


def parts(files: Sequence[File]) -> list[Part]:
    """Return what dropped files are; not remembered, since the visitor's session keeps it."""
    return worked("Reading the files …", parts_of_files, files)


def corpora(parts: Sequence[Part]) -> Made:
    """Return what large files make; of small ones nothing, since the way to a worker and back takes longer."""
    if sum(len(part.lines or ()) for part in parts) <= _FEW_LINES:
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


def inspected(corpus: Corpus) -> tuple[Note, ...]:
    """Return what is odd about the corpus as a whole."""
    return asked_at_once(inspect, corpus)


def remark(corpus: Corpus, metric: Metric) -> Note | None:
    """Return what the text chooses for a metric; None where it chooses nothing."""
    return asked_at_once(_remark, corpus, metric)


def _remark(corpus: Corpus, metric: Metric) -> Note | None:
    return metric.remark(corpus)


def slice_names(corpus: Corpus) -> dict[str, dict[str, str]]:
    """Return way to slice -> the names of its slices, each with what is asked by in a link."""
    return asked_here(_slice_names, corpus)


def _slice_names(corpus: Corpus) -> dict[str, dict[str, str]]:
    return {by: {part.name: part.asked_by for part in slices_of(corpus, by)} for by in slicings(corpus)}


def scanned(statistics: Statistics, first: str, second: str) -> BlockScan:
    """Return the standard error of one pair with neighbours taken together."""
    return asked("Scanning neighbours …", block_scan, statistics, first, second)


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


def sliced(
    corpus: Corpus, statistics: Statistics, settings: Settings, by: str, first: str, second: str
) -> SlicedFamily:
    """Return one pair in every slice of the test set."""
    return asked("Comparing in slices …", compare_subsets, corpus, statistics, by, settings, [(first, second)])


def audited(statistics: Statistics, settings: Settings, first: str, second: str) -> Audit:
    """Return every test on one pair, by the unit of the settings."""
    return asked("Auditing …", audit, statistics, first, second, settings, every_unit=False)


def printed(statistics: Statistics, first: str, second: str) -> tuple[Printed, Printed]:
    """Return one pair as sacreBLEU prints it, the second system being the baseline."""
    return asked("As sacreBLEU …", as_sacrebleu, statistics, first, second)


def ranked(family: Family) -> Ranks:
    """Return rank sets and clusters of a corrected family."""
    return asked_here(_ranked, family)


def _ranked(family: Family) -> Ranks:
    # Who is best in the redraws does not depend on what was corrected for.
    drawn = key_of(bootstrap_best_rate, family.statistics, family.scheme, family.systems)
    return ranks(family, remembered(drawn, lambda: worked("Redrawing …", bootstrap_best_rate, family)))


def tabled(family: Family, table: Callable[[Family], Table]) -> Table:
    """Return the table that `table` makes of a family."""
    return asked_at_once(table, family)


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


def runs(
    statistics: Statistics, settings: Settings, first: str, second: str, mapping: Mapping[str, tuple[str, ...]]
) -> RunComparison:
    """Return the comparison of two systems with several runs each; `mapping` says which are whose."""
    # What is nobody's of the two says nothing of them.
    own = {name: mapping[name] for name in (first, second)}
    options = {name: getattr(settings, name) for name in ("level", "unit", "n_resamples", "seed")}
    return asked("Comparing runs …", compare_runs, statistics, first, second, own, **options)


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


def reproduced(study: Study, corpus: Corpus) -> Reproduction:
    """Return a study made again from the data."""
    return asked("Making it again …", reproduce, study, corpus)


def carried(study: Study, corpus: Corpus, naming: Naming) -> tuple[tuple[Table, ...], tuple[Note, ...]]:
    """Return the segments that carry the study's verdicts, as tables, and what has none."""
    return asked_here(_carried, study, corpus, naming)


def _carried(study: Study, corpus: Corpus, naming: Naming) -> tuple[tuple[Table, ...], tuple[Note, ...]]:
    part = as_known(corpus, study.data, study.texts)
    counted = [measured(part, metric) for metric in study.counted]
    return worked("Looking for the segments that carry the verdict …", carrying_tables, study, part, counted, naming)


def screen(picture: Picture) -> go.Figure:
    """Return a picture for the screen; it is shared, so nobody changes it."""
    return asked_at_once(_screen, picture)


def _screen(picture: Picture) -> go.Figure:
    return picture.screen()


def sheet(picture: Picture, paper: str) -> "Sheet":
    """Return a picture as a bitmap at its true size."""
    from mtsig.figures import on_paper

    return asked("Drawing …", on_paper, picture, "png", paper)


def experiment(chosen: "Experiment[Any]", material: "Material", wanted: bool) -> Any | None:
    """Return what an experiment finds; None when it has not been run with these choices and is not wanted now."""
    from mtsig.lab import run

    return asked(f"{chosen.label} …", run, chosen, material) if wanted else answered(run, chosen, material)


def simulated() -> "Population":
    """Return the simulated population: made once for everybody."""
    from mtsig.lab import KOEHN_SCORES, NEWS

    return asked("Simulating …", NEWS.simulate, KOEHN_SCORES)


def sample_with_references() -> Corpus:
    """Return the sample data with all three references."""
    return asked_here(read_sample, every_reference=True)


def sample() -> Corpus:
    """Return the sample data as they are loaded: with one reference."""
    return asked_here(read_sample)


def designed(statistics: Statistics, first: str, second: str, difference: float, **options: Any) -> Design:
    """Return what a future test set has to hold to find a difference of one pair."""
    return asked("Looking at what is needed …", design_test_set, statistics, first, second, difference, **options)


def designed_by_references(
    corpus: Corpus, metric: Metric, first: str, second: str, difference: float, **options: Any
) -> tuple[ReferencesDesign, ...]:
    """Return the same with every combination of references in use."""
    text, args = "Counting with other references …", (corpus, metric, first, second, difference)
    return asked(text, design_by_references, *args, **options)


def stated(many: Sequence[Family], form: JointForm) -> JointStatements:
    """Return what several metrics say together of every pair."""
    return asked_here(joint_statements, many, form)
