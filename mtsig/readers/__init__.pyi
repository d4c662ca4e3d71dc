"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._assemble import assemble
from ._files import File, lines_of
from ._parts import Marks, Part, Reader, by_suffix
from ._read import READERS, read, read_files, read_sample

__all__ = [
    "READERS",
    "File",
    "Marks",
    "Part",
    "Reader",
    "assemble",
    "by_suffix",
    "lines_of",
    "read",
    "read_files",
    "read_sample",
]
