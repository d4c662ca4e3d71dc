"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from .course_page import course_page
from .files import FORMATS, Source, kit_files
from .worksheet import Worksheet, worksheet

__all__ = ["FORMATS", "Source", "Worksheet", "course_page", "kit_files", "worksheet"]
