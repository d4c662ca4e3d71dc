"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._assemble import assemble as assemble
from ._files import File as File
from ._files import lines_of as lines_of
from ._parts import Marks as Marks
from ._parts import Part as Part
from ._parts import Reader as Reader
from ._parts import by_suffix as by_suffix
from ._read import READERS as READERS

__all__ = ["READERS", "File", "Marks", "Part", "Reader", "assemble", "by_suffix", "lines_of"]
