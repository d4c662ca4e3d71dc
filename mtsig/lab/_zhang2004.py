"""Zhang and Vogel 2004 (ZV04) made again: intervals by test-set size, by references and by number of resamples."""

from collections.abc import Sequence
from concurrent.futures import Executor
from math import log

import numpy as np

from mtsig.errors import NotApplicable
from mtsig.lab._draws import DrawCurves, Draws, Redraws, end_spread, redraws
from mtsig.lab._every_pair import Sensitivity, SensitivityShares
from mtsig.lab._exhibit import Evidence, Exhibit, all_agree, compared, shown
from mtsig.lab._experiments import run
from mtsig.lab._material import Material
from mtsig.lab._metrics_compared import NistWeights, NistWeightsScores, Relations, RelationsTables
from mtsig.lab._references import ReferenceCurves, References
from mtsig.lab._words import separated_text
from mtsig.metrics import Bleu, measure
from mtsig.metrics._statistics import Unit
from mtsig.progress import each, part
from mtsig.resampling import Bootstrap
from mtsig.segments import Ablation, SizeCurves, size_curve

SENTENCES = 878
"""Size of the paper's test set."""

_ENOUGH = 30
"""Units from which on t is the normal distribution but for a few percent."""

_SHARES = (0.1, 0.2, 0.5, 0.8, 1.0)
_TABLE_2 = {
    "BLEU": (13.5, 9.6, 6.1, 4.8, 4.4),
    "NIST": (4.95, 3.6, 2.35, 1.88, 1.69),
    "human": (4.7, 3.4, 2.2, 1.7, 1.6),
}
"""Relative intervals in % on 10, 20, 50, 80 and 100% of the documents."""

_WIDTHS = {"NIST": 1.69, "BLEU": 4.38, "M-BLEU": 2.48}
"""Table 1, system A: relative half widths in %; BLEU's is the mean of −4.35 and +4.41."""

_DRAWS = (100, 500, 1000, 2000, 10_000)
_TABLE_6 = {
    "NIST": (0.0024, 0.0011, 0.0007, 0.0005, 0.0002),
    "BLEU": (0.0060, 0.0027, 0.0019, 0.0013, 0.0006),
    "M-BLEU": (0.0034, 0.0015, 0.0012, 0.0008, 0.0004),
}
"""Standard deviations of the ends of relative intervals over repeated bootstraps."""


def make(evidence: Evidence, executor: Executor | None) -> Sequence[Exhibit]:
    """Make tables 1 to 6 and figures 1 to 8."""
    text = evidence.text
    with part(0.0, 0.05):
        table_1 = shown(lambda: [_table_1(run(Sensitivity(), text))], "Table 1", "Relative intervals")
    with part(0.05, 0.2):
        alike = evidence.test_set(SENTENCES)
        drawn = redraws(alike, alike.best_first[-1], Bootstrap(20_000, 12345, "segment"))
    with part(0.2, 0.25):
        people = _with_people(text)
    with part(0.25, 0.35):
        figure_3 = shown(lambda: [_figure_3(run(Relations(), people))], "Figure 3", "Relations")
    with part(0.35, 0.5):
        table_2 = shown(lambda: [_table_2(_by_size(evidence, people))], "Table 2, figures 4 to 7", "Intervals by size")
    with part(0.5, 0.65):
        draws = run(Draws(), text)
    with part(0.65, 0.8):
        nist = run(NistWeights(), text)
    with part(0.8, 1.0):
        references = shown(
            lambda: [_references(run(References(), text, executor))],
            "Figure 8, tables 3 and 4",
            "Intervals by number of references",
        )
    return (
        constants(), _nist(nist), _figure_1(drawn), *table_1, *figure_3, table_two_by_theory(), *table_2, *references,
        table_six_by_theory(), _tables_5_6(draws),
    )  # fmt: skip


def _by_size(evidence: Evidence, people: Material) -> Sequence[SizeCurves]:
    """Return the curves by size of BLEU, then of every other metric and rating whose relative width means something.

    Simulated systems have BLEU alone: other metrics are those of the sample, whose documents are too few for tenths.
    """
    others = [counted for counted in people.statistics[1:] if not isinstance(counted.metric, Bleu)]
    many = [evidence.population.statistics, *others]
    size_curves: list[SizeCurves] = []
    for number, statistics in enumerate(each(many)):
        unit: Unit = "auto" if evidence.real or number == 0 else "segment"
        try:
            curves = size_curve(statistics, Ablation(unit=unit))
        except NotApplicable:
            if number == 0:
                raise
            continue
        # A width in % of a score whose interval holds zero says nothing: z-scores have their zero in the middle.
        if np.all(np.abs(curves.relative[-1]) < 100):
            size_curves.append(curves)
    return size_curves


def _with_people(text: Material) -> Material:
    """Return the material with the ratings that came with the texts, as further metrics."""
    ratings = (measure(text.text, f"rating:{name}") for name in each(text.text.ratings))
    return Material((*text.statistics, *ratings), text.corpus)


def constants() -> Exhibit:
    """Return NIST's β and how much twice the data narrow an interval."""
    beta = log(0.5) / log(1.5) ** 2
    rows = [
        {"what": "β of NIST's brevity penalty", "printed": "−4.22", "ours": f"−{-beta:.3f}", "note": "one digit more"},
        compared({"what": "twice the data narrow an interval by %"}, 29.3, 100 * (1 - 1 / np.sqrt(2)), 1),
    ]
    says = f"β is such that the penalty is one half at two thirds of the length: −{-beta:.4f}."
    return Exhibit("Sections 2 and 4.1", "Constants", "exact", tuple(rows), says, all_agree(rows))


def _nist(nist: NistWeightsScores) -> Exhibit:
    low, high = nist.interval("recomputed")
    says = (
        f"NIST grows with the test set: {nist.by_size[0]:.2f} on {nist.sizes[0]} segments, {nist.by_size[-1]:.2f} on "
        f"{nist.sizes[-1]}. Weights counted anew in every resample make the interval {low:.2f} to {high:.2f}, which "
        f"{'holds' if low <= nist.observed <= high else 'leaves out'} the score itself, {nist.observed:.2f}; they stay "
        "fixed here."
    )
    rows = (*nist.rows(),)
    holds = bool(np.all(np.diff(nist.by_size) > 0))
    return Exhibit("Section 2", "NIST, its weights and the size of the test set", "shape", rows, says, holds, nist)


def _figure_1(drawn: Redraws) -> Exhibit:
    low, high = (f"{end:+.2f}%".replace("-", "−") for end in drawn.relative)
    says = (
        f"{len(drawn.draws):,} redraws of {drawn.system}: the middle 95% lie {low} to {high} from the median. The "
        "paper's system A: −4.35% to +4.41%, on 878 sentences."
    )
    return Exhibit("Figures 1 and 2", "Redrawn BLEU scores", "shape", tuple(drawn.rows()), says, None, drawn)


def _table_1(sensitivity: SensitivityShares) -> Exhibit:
    rows = tuple(
        {"system": name} | {
            metric: f"{sensitivity.scores[i, s]:.2f} ± {abs(sensitivity.relative[i, s]):.2f}%"
            for i, metric in enumerate(sensitivity.metrics)
        }
        for s, name in enumerate(sensitivity.systems)
    )  # fmt: skip
    widths = dict(zip(sensitivity.metrics, np.median(np.abs(sensitivity.relative), axis=1), strict=True))
    holds = None
    if {"NIST", "BLEU", "M-BLEU"} <= set(widths):
        holds = bool(widths["NIST"] < widths["M-BLEU"] < widths["BLEU"])
    says = (
        "The order of relative widths is the paper's (NIST, M-BLEU, BLEU)" if holds else "Relative widths by metric"
    ) + (
        ". They say nothing about sensitivity, for the metrics have different zeros; d/SE of the same pairs does: "
        + ", ".join(f"{m} {z:.1f}" for m, z in zip(sensitivity.metrics, sensitivity.typical, strict=True))
        + " (median). The paper's system A: NIST 7.191 ± 1.69%, BLEU .184 with −4.35% and +4.41%, M-BLEU .125 ± 2.48%. "
        "The third block of table 3, printed “BLEU”, is M-BLEU."
    )
    return Exhibit("Table 1", "Relative intervals of systems and metrics", "shape", rows, says, holds, sensitivity)


def _figure_3(relations: RelationsTables) -> Exhibit:
    counts = {m: int(np.sum(row != 0)) for m, row in zip(relations.metrics, relations.sign, strict=True)}
    says = (
        f"Of {len(relations.pairs)} pairs, corrected for their number, "
        + ", ".join(f"{name} separates {count}" for name, count in counts.items())
        + ". “~” is no equality."
    )
    return Exhibit("Figure 3", "Relations by several metrics", "shape", tuple(relations.rows()), says, None, relations)


def table_two_by_theory() -> Exhibit:
    """Return table 2 beside 1/√n from its last column."""
    rows = [
        {
            "metric": metric,
            "documents": f"{share:.0%}",
            "printed": f"{width:g}",
            "ours": f"{widths[-1] / share**0.5:.2f}",
        }
        for metric, widths in _TABLE_2.items()
        for share, width in zip(_SHARES, widths, strict=True)
    ]
    gap = max(abs(float(row["ours"]) / float(row["printed"]) - 1) for row in rows)
    says = f"Every printed width follows from the one on all documents by 1/√n, within {gap:.0%}."
    return Exhibit("Table 2", "Relative intervals by size, by theory", "theory", tuple(rows), says, gap < 0.08)


def _table_2(size_curves: Sequence[SizeCurves]) -> Exhibit:
    rows, farthest, few = [], 0.0, False
    for sizes in size_curves:
        widths = np.nanmean(np.abs(sizes.relative), axis=1)
        law = widths[-1] / np.sqrt(sizes.units / sizes.units[-1])
        # Of few documents t intervals are wider than 1/√n says, by the factor of t.
        enough = sizes.units >= _ENOUGH
        few = few or not enough.all()
        off = float(np.max(np.abs(widths / law - 1)[enough], initial=0.0))
        farthest = max(farthest, off)
        at = {f"{share:.0%}": float(width) for share, width in zip(sizes.shares, widths, strict=True)}
        rows.append(
            {"metric": sizes.metric, "systems": len(sizes.labels), "units": f"{sizes.units[-1]:,} {sizes.unit}s"}
            | {f"{share:.0%}": at[f"{share:.0%}"] for share in _SHARES}
            | {"off 1/√n": f"{off:.1%}" if (sizes.units[:-1] >= _ENOUGH).any() else ""}
        )
    checked = any((sizes.units[:-1] >= _ENOUGH).any() for sizes in size_curves)
    says = (
        "Relative half widths in % on parts of the test set, means over the systems and "
        f"{int(size_curves[0].subsets[0])} random subsets"
        + (f": 1/√n within {farthest:.1%}" if checked else "")
        + (f". Compared on {_ENOUGH} units or more: on fewer, t intervals are wider than 1/√n." if few else ".")
    )
    title, holds = "Intervals by size", farthest < 0.05 if checked else None
    return Exhibit(
        "Table 2, figures 4 to 7", title, "shape", tuple(rows), says, holds, size_curves[0], tuple(size_curves[1:])
    )  # fmt: skip


def _references(references: ReferenceCurves) -> Exhibit:
    rows = tuple(references.equivalences())
    last = rows[-1]
    says = (
        f"{last['references']} references on {last['by_relative_width']:.0%} of the segments are as good as one on all "
        "of them by relative width, the paper's measure (it has four on 60 to 70%). By absolute width they need "
        f"{last['by_absolute_width']:.0%}: the relative width falls mostly because the score rises. "
        + separated_text(references)
    )
    falls = bool(last["by_relative_width"] < 1)
    title = "Intervals by number of references"
    return Exhibit("Figure 8, tables 3 and 4", title, "shape", rows, says, falls, references)


def table_six_by_theory() -> Exhibit:
    """Return table 6 beside the theory's standard deviation of an end."""
    rows = [
        compared(
            {"metric": metric, "n_resamples": draws},
            printed,
            float(end_spread(_WIDTHS[metric] / 100, draws)),
            4,
            "theory",
        )
        for metric, table in _TABLE_6.items()
        for draws, printed in zip(_DRAWS, table, strict=True)
    ]
    gaps = {
        metric: max(abs(float(row["ours"]) - float(row["printed"])) for row in rows if row["metric"] == metric)
        for metric in _TABLE_6
    }
    listed = ", ".join(f"{gap:.4f} for {metric}" for metric, gap in gaps.items())
    says = f"sqrt(a(1 − a)/B)/f(q) from the widths of table 1 gives table 6 within {listed}: nothing needed repeating."
    return Exhibit(
        "Table 6", "Spread of interval ends, by theory", "theory", tuple(rows), says, max(gaps.values()) < 0.00025
    )


def _tables_5_6(draws: DrawCurves) -> Exhibit:
    measured, theory = np.median(draws.spread, axis=1), np.median(draws.theory, axis=1)
    rows = tuple(
        {
            "draws": int(count),
            "low": float(draws.low[z, 0]),
            "high": float(draws.high[z, 0]),
            "SD of an end": float(measured[z]),
            "theory": float(theory[z]),
        }
        for z, count in enumerate(draws.draws)
    )
    off = float(np.max(np.abs(measured[:-1] / theory[:-1] - 1)))
    says = f"Ends of {draws.systems[0]}'s interval, and how far ends move from seed to seed: theory within {off:.0%}."
    return Exhibit("Tables 5 and 6", "Number of resamples", "shape", rows, says, off < 0.2, draws)
