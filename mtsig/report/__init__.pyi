"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._card import card as card
from ._diagnostics import BUCKETS as BUCKETS
from ._diagnostics import Ablation as Ablation
from ._diagnostics import Buckets as Buckets
from ._diagnostics import SizeCurves as SizeCurves
from ._diagnostics import buckets_of as buckets_of
from ._document import Document as Document
from ._document import Exported as Exported
from ._document import Exporter as Exporter
from ._document import Naming as Naming
from ._exporters import EXPORTERS as EXPORTERS
from ._exporters import exported as exported
from ._exporters import exporter as exporter
from ._families import verdict_text as verdict_text
from ._segments import Contributions as Contributions
from ._segments import Leverage as Leverage
from ._segments import Overview as Overview
from ._segments import WordView as WordView
from ._segments import contributions as contributions
from ._segments import leverage as leverage
from ._segments import overview as overview
from ._segments import word_view as word_view
from ._table import Cell as Cell
from ._table import Column as Column
from ._table import Table as Table
from ._table import csv_table as csv_table
from ._table import html_page as html_page
from ._table import latex_table as latex_table
from ._tables import comparison_table as comparison_table
from ._tables import score_table as score_table

__all__ = [
    "BUCKETS",
    "EXPORTERS",
    "Ablation",
    "Buckets",
    "Cell",
    "Column",
    "Contributions",
    "Document",
    "Exported",
    "Exporter",
    "Leverage",
    "Naming",
    "Overview",
    "SizeCurves",
    "Table",
    "WordView",
    "buckets_of",
    "card",
    "comparison_table",
    "contributions",
    "csv_table",
    "exported",
    "exporter",
    "html_page",
    "latex_table",
    "leverage",
    "overview",
    "score_table",
    "verdict_text",
    "word_view",
]
