"""Files go in, a Corpus comes out, whatever form they have; see READERS.

>>> from mtsig.readers import File
>>> from mtsig.readers._find import parts_of
>>> files = [File("systems/ours.txt", b"The cat sat."), File("ref.txt", b"A cat sat.")]
>>> [(part.role, part.name) for part in parts_of(files)]
[('system', 'ours'), ('reference', 'ref')]
"""

from mtsig.readers._assemble import assemble
from mtsig.readers._files import File, lines_of
from mtsig.readers._find import READERS
from mtsig.readers._parts import Marks, Part, Reader, by_suffix
from mtsig.readers._read import read, read_files, read_sample

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
