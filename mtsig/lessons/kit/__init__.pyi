"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from .files import FORMATS, kit_files
from .origin import Source
from .worksheet import Worksheet

__all__ = ["FORMATS", "Source", "Worksheet", "kit_files"]
