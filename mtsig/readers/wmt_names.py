"""WMT's file names: TESTSET.LP.{src|ref.A|hyp.SYSTEM}.LANG, one segment a line."""

import re
from collections.abc import Sequence

from mtsig.readers.names import Role, reference_name
from mtsig.readers.part import Part, loaded
from mtsig.readers.reader import Placed, Reader

_LANGUAGE = r"[a-z]{2,3}(?:_[A-Za-z]{2,4}){0,2}"
_NAME = re.compile(
    rf"(?P<set>.+?)\.(?P<pair>{_LANGUAGE}-{_LANGUAGE})"
    rf"\.(?:(?P<source>src)|ref\.?(?P<translator>(?<=\.)[\w-]+|[A-Z]?)|hyp\.(?P<system>.+))\.{_LANGUAGE}(?:\.txt)?"
)
"""The name of reference A is written ref.A or refA; test sets may have dots in their names, systems too."""


def claims(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
    """Return the files that are called so, in whatever folders."""
    del alone
    return [placed for placed in files if _NAME.fullmatch(placed.name)]


def parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return one part a file."""
    return [[loaded(_named(placed))] for placed in files]


def _named(placed: Placed) -> Part:
    match = _NAME.fullmatch(placed.name)
    role: Role = "system"
    name = placed.file.path.stem
    if match is not None and match["source"]:
        role, name = "source", "source"
    elif match is not None and match["system"] is not None:
        name = match["system"]
    elif match is not None:
        role, name = "reference", reference_name(match["translator"])
    pair = None if match is None else match["pair"]
    return Part(placed.file.label, role, name, file=placed.file, form="line file, WMT's name", language_pair=pair)


WMT_NAMES = Reader("line files with WMT's names: TESTSET.LP.src.LANG, .ref.A.LANG and .hyp.SYSTEM.LANG", claims, parts)
