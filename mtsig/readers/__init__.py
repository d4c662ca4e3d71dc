"""Read files of any known format into a Corpus; see READERS.

>>> from mtsig.readers import File
>>> from mtsig.readers._read import parts_of
>>> files = [File("systems/ours.txt", b"The cat sat."), File("ref.txt", b"A cat sat.")]
>>> [(part.role, part.name) for part in parts_of(files)]
[('system', 'ours'), ('reference', 'ref')]
"""

from mtsig._options import attached as _attached

__getattr__, __dir__, __all__ = _attached(__name__, __file__)
