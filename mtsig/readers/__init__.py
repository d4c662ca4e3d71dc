"""Files go in, a Corpus comes out, whatever form they have; see READERS.

>>> from mtsig.readers import File, parts_of
>>> files = [File("systems/ours.txt", b"The cat sat."), File("ref.txt", b"A cat sat.")]
>>> [(part.role, part.name) for part in parts_of(files)]
[('system', 'ours'), ('reference', 'ref')]
"""

from mtsig.readers._archives import MOST_RATIO as MOST_RATIO
from mtsig.readers._archives import members as members
from mtsig.readers._assemble import assemble, language_pairs
from mtsig.readers._assemble import of_pair as of_pair
from mtsig.readers._assemble import with_ratings as with_ratings
from mtsig.readers._conllu import parses_of as parses_of
from mtsig.readers._conllu import sentences_of as sentences_of
from mtsig.readers._files import File, lines_of
from mtsig.readers._files import bytes_of as bytes_of
from mtsig.readers._files import is_there as is_there
from mtsig.readers._files import json_of as json_of
from mtsig.readers._files import toml_of as toml_of
from mtsig.readers._find import READERS, parts_of
from mtsig.readers._layouts import LOGS as LOGS
from mtsig.readers._names import FOLDERS as FOLDERS
from mtsig.readers._names import ROLES, Role
from mtsig.readers._names import as_text as as_text
from mtsig.readers._parts import Marks, Part, Placed, Reader, by_suffix, in_role
from mtsig.readers._parts import ignored as ignored
from mtsig.readers._parts import loaded as loaded
from mtsig.readers._rates import MOST_JUDGES as MOST_JUDGES
from mtsig.readers._rates import RATING_SCALES, given_by
from mtsig.readers._rates import direction_of as direction_of
from mtsig.readers._rates import scores_of as scores_of
from mtsig.readers._rating_files import declared as declared
from mtsig.readers._rating_files import named_ratings as named_ratings
from mtsig.readers._read import (
    logs_at,
    named_parts,
    parts_at,
    read,
    read_files,
    read_sample,
    sample_files,
    sample_folder,
    with_system,
)
from mtsig.readers._sheet import MOST_SCORE as MOST_SCORE
from mtsig.readers._sheet import Direction as Direction

__all__ = [
    "RATING_SCALES",
    "READERS",
    "ROLES",
    "File",
    "Marks",
    "Part",
    "Placed",
    "Reader",
    "Role",
    "assemble",
    "by_suffix",
    "given_by",
    "in_role",
    "language_pairs",
    "lines_of",
    "logs_at",
    "named_parts",
    "parts_at",
    "parts_of",
    "read",
    "read_files",
    "read_sample",
    "sample_files",
    "sample_folder",
    "with_system",
]
