"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._ablation import (
    Ablation,
    ReferencesDesign,
    SizeCurves,
    design_by_references,
    difference_label,
    size_curve,
    usable_sizes,
)
from ._alignments import matches
from ._buckets import BUCKETS, Buckets, BucketShare, bucket_table, buckets_explained, buckets_of
from ._cards import LAYOUTS, MODES, Languages, Mode, card, deck, page, style
from ._choosing import SORTS, Wanted, chosen, disagreement, is_expression, length_thirds, lines_of, searched, sorts_of
from ._contributions import Contributions, contributions
from ._detector import Detector
from ._leverage import LeftOut, Leverage, leverage
from ._matches import Marked, Matches, Token
from ._overview import DocumentRow, Overview, SegmentRow, judged_at, no_verdict, overview, tested_again
from ._word_view import ClassRow, NgramRow, WordView, word_view

__all__ = [
    "BUCKETS",
    "LAYOUTS",
    "MODES",
    "SORTS",
    "Ablation",
    "BucketShare",
    "Buckets",
    "ClassRow",
    "Contributions",
    "Detector",
    "DocumentRow",
    "Languages",
    "LeftOut",
    "Leverage",
    "Marked",
    "Matches",
    "Mode",
    "NgramRow",
    "Overview",
    "ReferencesDesign",
    "SegmentRow",
    "SizeCurves",
    "Token",
    "Wanted",
    "WordView",
    "bucket_table",
    "buckets_explained",
    "buckets_of",
    "card",
    "chosen",
    "contributions",
    "deck",
    "design_by_references",
    "difference_label",
    "disagreement",
    "is_expression",
    "judged_at",
    "length_thirds",
    "leverage",
    "lines_of",
    "matches",
    "no_verdict",
    "overview",
    "page",
    "searched",
    "size_curve",
    "sorts_of",
    "style",
    "tested_again",
    "usable_sizes",
    "word_view",
]
