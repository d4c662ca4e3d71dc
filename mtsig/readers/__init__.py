"""Files go in, a Corpus comes out, whatever form they have; see READERS.

>>> from mtsig.readers import File, parts_of
>>> files = [File("systems/ours.txt", b"The cat sat."), File("ref.txt", b"A cat sat.")]
>>> [(part.role, part.name) for part in parts_of(files)]
[('system', 'ours'), ('reference', 'ref')]
"""

from mtsig.readers._archives import MOST_RATIO, members
from mtsig.readers._assemble import assemble, language_pairs, of_pair, with_ratings
from mtsig.readers._conllu import parses_of, sentences_of
from mtsig.readers._files import File, bytes_of, is_there, json_of, lines_of, toml_of
from mtsig.readers._find import READERS, parts_of
from mtsig.readers._layouts import LOGS
from mtsig.readers._names import FOLDERS, ROLES, Role, as_text
from mtsig.readers._parts import Marks, Part, Placed, Reader, by_suffix, ignored, in_role, loaded
from mtsig.readers._rates import RATING_SCALES, direction_of, given_by, scores_of
from mtsig.readers._rating_files import declared, named_ratings
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
from mtsig.readers._sheet import MOST_SCORE, Direction

__all__ = [
    "FOLDERS",
    "LOGS",
    "MOST_RATIO",
    "MOST_SCORE",
    "RATING_SCALES",
    "READERS",
    "ROLES",
    "Direction",
    "File",
    "Marks",
    "Part",
    "Placed",
    "Reader",
    "Role",
    "as_text",
    "assemble",
    "by_suffix",
    "bytes_of",
    "declared",
    "direction_of",
    "given_by",
    "ignored",
    "in_role",
    "is_there",
    "json_of",
    "language_pairs",
    "lines_of",
    "loaded",
    "logs_at",
    "members",
    "named_parts",
    "named_ratings",
    "of_pair",
    "parses_of",
    "parts_at",
    "parts_of",
    "read",
    "read_files",
    "read_sample",
    "sample_files",
    "sample_folder",
    "scores_of",
    "sentences_of",
    "toml_of",
    "with_ratings",
    "with_system",
]
