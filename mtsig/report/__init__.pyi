"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._card import card
from ._document import Document, Exported, Exporter
from ._exporters import EXPORTERS, exported, exporter
from ._families import verdict_text
from ._naming import Naming
from ._table import Cell, Column, Table, csv_table, html_page, latex_table
from ._tables import comparison_table, score_table

__all__ = [
    "EXPORTERS",
    "Cell",
    "Column",
    "Document",
    "Exported",
    "Exporter",
    "Naming",
    "Table",
    "card",
    "comparison_table",
    "csv_table",
    "exported",
    "exporter",
    "html_page",
    "latex_table",
    "score_table",
    "verdict_text",
]
