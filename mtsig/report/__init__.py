"""Results go in, text comes out: sentences, tables, the JSON bundle."""

from mtsig.report.bundle import SCHEMA, ablation_bundle, compare_bundle, score_bundle
from mtsig.report.tables import Table, comparison_table, score_table, size_table
from mtsig.report.words import (
    attainable_text,
    family_text,
    interval_text,
    method_text,
    ranking_text,
    size_text,
    top_group_text,
    verdict_text,
)

__all__ = [
    "SCHEMA",
    "Table",
    "ablation_bundle",
    "attainable_text",
    "compare_bundle",
    "comparison_table",
    "family_text",
    "interval_text",
    "method_text",
    "ranking_text",
    "score_bundle",
    "score_table",
    "size_table",
    "size_text",
    "top_group_text",
    "verdict_text",
]
