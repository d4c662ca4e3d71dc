"""Zhang and Vogel 2004 reproduced: intervals by test-set size, by references and by number of resamples."""

from collections.abc import Sequence
from concurrent.futures import Executor
from math import log

import numpy as np

from mtsig.errors import NotApplicable
from mtsig.lab import _compared
from mtsig.lab._compared import NistWeights, Relations, RelationsTables, Sensitivity, SensitivityShares
from mtsig.lab._exhibit import Evidence, Found, Paper, Step, all_agree, compared, exhibit
from mtsig.lab._experiments import run
from mtsig.lab._material import ZHANG_VOGEL, records
from mtsig.lab._sampling import DrawCurves, Draws, Redraws, end_spread, redraws
from mtsig.lab._test_sets import ReferenceCurves, References
from mtsig.lab._words import law_text
from mtsig.metrics import Bleu
from mtsig.metrics._statistics import Unit
from mtsig.progress import each
from mtsig.resampling import Bootstrap
from mtsig.segments import Ablation, SizeCurves
from mtsig.segments._ablation import size_curve

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


def _by_size(evidence: Evidence, _: Executor | None) -> Sequence[SizeCurves]:
    """Return the curves by size of BLEU, then of every other metric and rating whose relative width means something.

    Simulated systems have BLEU alone: other metrics are those of the sample, whose documents are too few for tenths.
    """
    others = [counted for counted in evidence.rated.statistics[1:] if not isinstance(counted.metric, Bleu)]
    many = [evidence.population.statistics, *others]
    size_curves: list[SizeCurves] = []
    for number, statistics in enumerate(each(many)):
        unit: Unit = "auto" if evidence.real or number == 0 else "segment"
        try:
            # Blocks of segments would be too few for tenths of them.
            curves = size_curve(statistics.at(unit, by_order=False), Ablation())
        except NotApplicable:
            if number == 0:
                raise
            continue
        # A width in % of a score whose interval holds zero says nothing: z-scores have their zero in the middle.
        if np.all(np.abs(curves.relative[-1]) < 100):
            size_curves.append(curves)
    return size_curves


@exhibit("Sections 2 and 4.1", "Constants", "exact")
def constants() -> Found:
    """Return NIST's β and how much twice the data narrow an interval."""
    beta = log(0.5) / log(1.5) ** 2
    rows = [
        {"what": "β of NIST's brevity penalty", "printed": "−4.22", "ours": f"−{-beta:.3f}", "note": "one digit more"},
        compared({"what": "% by which twice the data narrow an interval"}, 29.3, 100 * (1 - 1 / np.sqrt(2)), 1),
    ]
    says = f"β = −{-beta:.4f} makes the penalty one half if the output has two thirds of the reference's length."
    return Found(rows, says, all_agree(rows))


@exhibit("Section 2", "NIST, its weights and the size of the test set")
def _nist(nist: _compared.NistWeightsScores) -> Found:
    return Found(nist.rows(), law_text(nist), bool(np.all(np.diff(nist.by_size) > 0)), nist)


@exhibit("Figures 1 and 2", "BLEU scores of resamples")
def _figure_1(drawn: Redraws) -> Found:
    low, high = (f"{end:+.2f}%".replace("-", "−") for end in drawn.relative)
    says = (
        f"In {len(drawn.draws):,} resamples of {drawn.system}, the middle 95% of scores are {low} to {high} from the "
        "median. For the paper's system A, these numbers are −4.35% and +4.41%, on 878 sentences."
    )
    return Found(drawn.rows(), says, None, drawn, needs="the outputs of the paper's system A on its 878 sentences")


@exhibit("Table 1", "Relative intervals of systems and metrics")
def _table_1(sensitivity: SensitivityShares) -> Found:
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
        f"{'Metrics have the same order of relative widths as in the paper. ' if holds else ''}Relative widths do not "
        f"show which metric is more sensitive, because the metrics have different zero points. {law_text(sensitivity)} "
        "The paper's system A has NIST 7.191 ± 1.69%, BLEU .184 with −4.35% and +4.41%, and M-BLEU .125 ± 2.48%. The "
        "third block of table 3, printed as “BLEU”, is M-BLEU."
    )
    return Found(rows, says, holds, sensitivity, needs="NIST, BLEU and M-BLEU of the same systems")


@exhibit("Figure 3", "Relations by several metrics")
def _figure_3(relations: RelationsTables) -> Found:
    counts = {m: int(np.sum(row != 0)) for m, row in zip(relations.metrics, relations.sign, strict=True)}
    says = (
        f"Significant pairs among {len(relations.pairs)}, corrected for their number: "
        + ", ".join(f"{count} by {name}" for name, count in counts.items())
        + ". “~” does not mean equal."
    )
    needs = "the outputs of the paper's seven systems, and how raters scored their fluency and adequacy"
    return Found(relations.rows(), says, None, relations, needs=needs)


@exhibit("Table 2", "Relative intervals by size, by theory", "theory")
def table_two_by_theory() -> Found:
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
    says = f"Every printed width equals the width on all documents times 1/√n, within {gap:.0%}."
    return Found(rows, says, gap < 0.08)


@exhibit("Table 2, figures 4 to 7", "Intervals by size")
def _table_2(size_curves: Sequence[SizeCurves]) -> Found:
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
        "The table gives relative half widths (in %) on parts of the test set, as means over the systems and "
        f"{int(size_curves[0].subsets[0])} random subsets"
        + (f". They follow 1/√n within {farthest:.1%}" if checked else "")
        + (f" on {_ENOUGH} units or more; on fewer, t intervals are wider." if few and checked else ".")
    )
    holds, needs = farthest < 0.05 if checked else None, f"more than {_ENOUGH} documents"
    return Found(rows, says, holds, size_curves[0], tuple(size_curves[1:]), needs=needs)


@exhibit("Table 4", "References against segments, as a grid")
def _grid(references: ReferenceCurves) -> Found:
    widths = references.mean(references.relative_by_size)
    alone = widths[0, -1]
    rows = []
    for count, row in zip(references.counts, widths, strict=True):
        narrow = references.sizes[row <= alone * (1 + 1e-9)]
        enough = {"as narrow as one on all, from": f"{narrow.min():.0%}" if narrow.size else "more than all"}
        shares = (f"{share:.0%}" for share in references.sizes)
        rows.append({"references": count, **dict(zip(shares, row.tolist(), strict=True)), **enough})
    says = (
        f"Each cell is the half width of the 95% interval in % of {references.metric}: a mean over systems, choices of "
        f"references and random parts of the test set. One reference on all segments gives {alone:.2f}%. The last "
        "column is the smallest share of the segments on which more references give at most this width. In the paper, "
        "this share is 80 to 90% with two references, 70 to 80% with three, and 60 to 70% with four."
    )
    return Found(rows, says, bool(widths[-1, -1] < alone), references)


@exhibit("Figure 8, tables 3 and 4", "Intervals by number of references")
def _references(references: ReferenceCurves) -> Found:
    rows = references.equivalences()
    says = f"{law_text(references)} In the paper, by relative width, four references need 60 to 70% of the segments."
    return Found(rows, says, bool(rows[-1]["by_relative_width"] < 1), references)


@exhibit("Table 6", "Standard deviation of interval ends, by theory", "theory")
def table_six_by_theory() -> Found:
    """Return table 6 beside the theory's standard deviation of an end."""
    rows = [
        compared({"metric": metric, "n_resamples": draws}, printed, float(end_spread(width, draws)), 4, "theory")
        for metric, table in _TABLE_6.items()
        for width, draws, printed in zip([_WIDTHS[metric] / 100] * len(_DRAWS), _DRAWS, table, strict=True)
    ]
    gaps = {
        metric: max(abs(float(row["ours"]) - float(row["printed"])) for row in rows if row["metric"] == metric)
        for metric in _TABLE_6
    }
    listed = ", ".join(f"{gap:.4f} for {metric}" for metric, gap in gaps.items())
    says = (
        f"sqrt(a(1 − a)/B)/f(q) with the widths of table 1 reproduces table 6 within {listed}, without any resampling."
    )
    return Found(rows, says, max(gaps.values()) < 0.00025)


@exhibit("Tables 5 and 6", "Number of resamples")
def _tables_5_6(draws: DrawCurves) -> Found:
    measured, theory = np.median(draws.spread, axis=1), np.median(draws.theory, axis=1)
    rows = records(
        draws=draws.draws, low=draws.low[:, 0], high=draws.high[:, 0], **{"SD of an end": measured}, theory=theory
    )
    off = float(np.max(np.abs(measured[:-1] / theory[:-1] - 1)))
    return Found(rows, law_text(draws), off < 0.2, draws)


def _redrawn(evidence: Evidence, _: Executor | None) -> Redraws:
    alike = evidence.test_set(SENTENCES)
    return redraws(alike, alike.best_first[-1], Bootstrap(20_000, 12345, "segment"))


PAPER = Paper(
    "zhang2004",
    ZHANG_VOGEL,
    (
        Step([constants]),
        Step([_nist], lambda evidence, _: run(NistWeights(), evidence.text)),
        Step([_figure_1], _redrawn),
        Step([_table_1], lambda evidence, _: run(Sensitivity(), evidence.text)),
        Step([_figure_3], lambda evidence, _: run(Relations(), evidence.rated)),
        Step([table_two_by_theory]),
        Step([_table_2], _by_size),
        Step([_references, _grid], lambda evidence, executor: run(References(), evidence.text, executor)),
        Step([table_six_by_theory]),
        Step([_tables_5_6], lambda evidence, _: run(Draws(), evidence.text)),
    ),
)
