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
    return [one for one in files if _NAME.fullmatch(one.name)]


def parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return one part a file."""
    return [[loaded(_named(one))] for one in files]


def _named(one: Placed) -> Part:
    found = _NAME.fullmatch(one.name)
    role: Role = "system"
    name = one.file.path.stem
    if found is not None and found["source"]:
        role, name = "source", "source"
    elif found is not None and found["system"] is not None:
        name = found["system"]
    elif found is not None:
        role, name = "reference", reference_name(found["translator"])
    pair = None if found is None else found["pair"]
    return Part(one.file.label, role, name, file=one.file, form="line file, WMT's name", language_pair=pair)


WMT_NAMES = Reader("line files with WMT's names: TESTSET.LP.src.LANG, .ref.A.LANG and .hyp.SYSTEM.LANG", claims, parts)
