"""Read files of any known format into a Corpus; see READERS.

>>> from mtsig.readers import File
>>> from mtsig.readers._read import parts_of
>>> files = [File("systems/ours.txt", b"The cat sat."), File("ref.txt", b"A cat sat.")]
>>> [(part.role, part.name) for part in parts_of(files)]
[('system', 'ours'), ('reference', 'ref')]
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
