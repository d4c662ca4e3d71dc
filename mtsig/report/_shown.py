"""Any result goes in; its tables come out, as notebooks and terminals show them."""

from collections.abc import Callable, Sequence
from functools import singledispatch
from typing import Any

from mtsig import _say, inference
from mtsig._probability import interval_text, level_text, points_text
from mtsig._results import Result
from mtsig._writing import WRITTEN, flat_row, in_html, in_markdown
from mtsig.campaign import Judged, _few, _spans
from mtsig.collection import FamilyOverSets, ScoresOverSets
from mtsig.corpus._notes import number_of
from mtsig.doctor import Checkup
from mtsig.gate import GateResult
from mtsig.inference._design import Design
from mtsig.meta_eval import MetaEval, _blind_spots, _delta_accuracy, _leniency, _rating_design
from mtsig.report import (
    _bundle,
    _campaign,
    _diagnostics,
    _gate,
    _meta_eval,
    _over_sets,
    _paper,
    _raters,
    _segments,
    _table,
    _tables,
)
from mtsig.report._document import Document
from mtsig.segments import Leverage, Overview, SizeCurves
from mtsig.study import Study
from mtsig.study._record import MetricResult, ResultOverSets


def _comparison(comparison: inference.Comparison) -> Sequence[_table.Table]:
    alone = interval_text(comparison.ci_low, comparison.ci_high, True, comparison.decimals)
    rows = (
        ("difference", f"{points_text(comparison.difference, comparison.decimals, signed=True)} {comparison.metric}"),
        (_say.ci_name(comparison), _say.ci_text(comparison, signed=True)),
        *(((f"{level_text(comparison.level)} CI of this pair alone", alone),) if _say.adjusts(comparison) else ()),
        ("p", inference.p_number(comparison.p_value)),
        (f"p of {comparison.family_size}", inference.p_number(comparison.p_adjusted)),
        (f"{comparison.unit}s, differing", f"{comparison.units:,}, {comparison.n_differing:,}"),
    )
    second = f"minus {comparison.second}"
    return [_table.Table.of_text(_say.say(comparison), (comparison.first, second), rows, right=(second,))]


@singledispatch
def tables_of(result: object) -> Sequence[_table.Table]:
    """Return the tables that stand for a result, its records if it has no others; none for what is no result."""
    return [_table.records_table(list(map(flat_row, result.rows())))] if isinstance(result, Result) else ()


_TABLES: dict[type, Callable[[Any], Sequence[_table.Table]]] = {
    inference.Family: lambda result: [_tables.comparison_table(result)],
    inference.Intervals: lambda result: [_tables.score_table(result)],
    inference.Ranks: lambda result: [_tables.ranks_table(result)],
    inference.JointStatements: lambda result: [_tables.statement_table(result)],
    inference.Margins: lambda result: [_tables.margin_table(result.records)],
    MetaEval: lambda result: [_meta_eval.trust_table(result)],
    _blind_spots.Underrated: lambda result: [_meta_eval.underrated_table(result)],
    _delta_accuracy.Curve: lambda result: [_meta_eval.needed_table([result])],
    _delta_accuracy.VerdictTable: lambda result: [
        _meta_eval.verdict_counts_table(result),
        _meta_eval.verdict_pairs_table(result),
    ],
    _leniency.Leniency: lambda result: [_raters.leniency_table(result)],
    _leniency.BothScales: lambda result: [_raters.both_scales_table(result)],
    _leniency.Ceiling: lambda result: [_raters.ceiling_table(result)],
    _rating_design.VarianceShares: lambda result: [_raters.shares_table(result)],
    _rating_design.RatingDesign: lambda result: [_raters.ratings_design_table(result)],
    inference.Audit: lambda result: [_diagnostics.audit_table(result)],
    inference.RunComparison: lambda result: [_diagnostics.runs_table(result)],
    Design: lambda result: [_raters.design_table(result)],
    inference.PowerAnalysis: lambda result: [_diagnostics.power_table(result)],
    SizeCurves: lambda result: [_diagnostics.size_table(result)],
    Study: _paper.paper_tables,
    MetricResult: lambda result: [
        *([_tables.comparison_table(result.compared)] if len(result.compared) else []),
        _tables.score_table(result.scored),
    ],
    ResultOverSets: lambda result: [*_over_sets.sets_tables(result.compared), *tables_of(result.scored)],
    inference.Comparison: _comparison,
    Overview: lambda result: [_segments.leverage_table(result.leverage), _segments.segments_table(result)],
    Leverage: lambda result: [_segments.leverage_table(result)],
    FamilyOverSets: _over_sets.sets_tables,
    ScoresOverSets: lambda result: [_paper.scores_over_sets_table(result)],
    GateResult: lambda result: [_gate.gate_table(result)],
    Checkup: lambda result: [_bundle.checkup_table(result)],
    Judged: lambda result: [*_paper.paper_tables(result.study), *_campaign.preference_tables(result)],
    _few.FewRatings: _campaign.few_ratings_tables,
    _few.SamplePlan: lambda result: [_campaign.sample_table(result)],
    _spans.SpanAgreement: _campaign.spans_tables,
}
for _kind, _make in _TABLES.items():
    tables_of.register(_kind, _make)


FORMS: dict[str, Callable[[_table.Table], str]] = {
    "html": _table.html,
    "markdown": lambda table: f"{_table.markdown_table(table)}\n\n{in_markdown(table.caption)}",
    "text": _table.text_table,
}


_WARNED = 3
"""Warnings of a study that stand below what it says."""


def shown(result: object, form: str) -> str:
    """Return the tables of a result in a form, every text of it escaped; what a study says stands first, or alone."""
    said = Document(result).said if isinstance(result, Study) else ()
    warnings = result.warnings if isinstance(result, Study) else ()
    worst = [f"Warning: {text}" for text in warnings[:_WARNED]]
    if len(warnings) > _WARNED:
        worst.append(f"{number_of(len(warnings) - _WARNED, 'more warning')}: see study.warnings.")
    if isinstance(result, Study) and form == "text":
        texts = ["\n".join(filter(None, (told.headline, told.summary, *told.sentences))) for told in said]
        margins = [] if result.several else [each.margins for each in result.results]
        texts += ["\n".join(_say.margin_texts(own)) for own in margins]
        return "\n\n".join(filter(None, [*texts, "\n".join(worst)]))
    heads = [f"{told.headline} {told.summary}" for told in said] + worst if form == "html" else []
    heads = [f"<p>{in_html(text)}</p>" for text in heads]
    if form == "latex" and (tables := tables_of(result)):
        # Next to outputs, a file of it is recognised by its first line, and not read as one.
        needed, others = _paper.printed_tables(result) if isinstance(result, Study) else (tables, ())
        more = '% Further tables: study.report(FOLDER, "latex") writes tables-more.tex.\n' if others else ""
        return f"{WRITTEN}\n{_table.latex_tables(needed, more=more)}"
    return "\n\n".join([*heads, *(FORMS[form](table) for table in tables_of(result))])
