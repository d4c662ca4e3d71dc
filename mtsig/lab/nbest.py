"""n-best lists as Moses writes them: a file goes in, the candidates of every segment with their features come out."""

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mtsig.arrays import Floats, Index
from mtsig.corpus import number_of, quoted
from mtsig.errors import ReadError
from mtsig.limits import refuse_above
from mtsig.readers import File, lines_of

_SHAPE = "number ||| text ||| Name0= 1 2 Name1= 3 ||| score"


@dataclass(frozen=True, eq=False)
class Candidates:
    """N candidates of n segments, one segment's behind the other's; the first of a segment is the baseline's.

    texts: N of them. starts: shape (n,), where each segment's begin. names: of the d features; values: shape (N, d).
    """

    texts: tuple[str, ...]
    starts: Index
    names: tuple[str, ...]
    values: Floats


def read_nbest(file: str | Path | File) -> Candidates:
    """Return the candidates of an n-best list, those of a segment by the decoder's score, highest first.

    A line is `number ||| text ||| features ||| score`; further fields, as alignments, are not read. Segments are
    numbered from 0 and stand in order. Features are names with `=`, each with its values behind it; every line has the
    same. A feature of one value is called by its name, one of several by name and position.

    Raises:
        ReadError: the file cannot be read, a line is no such line, or there is more than the limits allow.
    """
    file = file if isinstance(file, File) else File(str(file), Path(file))
    lines, _ = lines_of(file)
    texts: list[str] = []
    starts: list[int] = []
    scores: list[float] = []
    values: list[list[float]] = []
    names: list[str] = []
    for number, line in enumerate(lines, 1):
        where = f"{file.label}, line {number}"
        fields = [field.strip() for field in line.split("|||")]
        if len(fields) < 4:
            raise ReadError(
                f"{where}: found {number_of(len(fields), 'field')} in {quoted(line)}; expected {_SHAPE}. Write the "
                "list with Moses' -n-best-list."
            )
        segment = _segment(where, fields[0], len(starts))
        if segment == len(starts):
            starts.append(len(texts))
        features = _features(where, fields[2].split(), names)
        names = names or [name for name, _ in features]
        values.append([value for _, value in features])
        refuse_above("max_cells", len(values) * len(names), where)
        scores.append(_number(where, "the score", fields[3]))
        texts.append(fields[1])
    by_segment = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(texts)))
    order = np.lexsort((-np.array(scores), by_segment))
    table = np.array(values, dtype=np.float64)
    return Candidates(tuple(texts[i] for i in order), np.array(starts, dtype=np.int64), tuple(names), table[order])


def _segment(where: str, text: str, begun: int) -> int:
    """Return a segment's number: that of the line before, or the next one."""
    allowed = [str(begun)] if begun == 0 else [str(begun - 1), str(begun)]
    if text not in allowed:
        raise ReadError(
            f"{where}: found segment {quoted(text)}, expected {' or '.join(allowed)}: segments are numbered from 0, "
            "none is left out, and the candidates of one stand together. Sort the list by its first field."
        )
    return int(text)


def _features(where: str, words: list[str], names: list[str]) -> list[tuple[str, float]]:
    """Return names and values of one line's features; `names`: those of the first line, none there."""
    refuse_above("max_columns", len(words), where, what="features and their names")
    groups: list[tuple[str, list[float]]] = []
    for word in words:
        if word.endswith("=") and len(word) > 1:
            groups.append((word[:-1], []))
        elif not groups:
            raise ReadError(
                f"{where}: found {quoted(word)} where features begin; expected a name with =, as in LM0= -12.5. Write "
                "the list with labels (Moses' -labeled-n-best-list true)."
            )
        else:
            groups[-1][1].append(_number(where, f"a value of {quoted(groups[-1][0])}", word))
    features = [
        (name if len(group) == 1 else f"{name} {position}", value)
        for name, group in groups
        for position, value in enumerate(group, 1)
    ]
    shown = [name for name, _ in features]
    if names and shown != names:
        raise ReadError(
            f"{where}: found the features {quoted(', '.join(shown) or 'none')}; the first line has "
            f"{quoted(', '.join(names))}. Every line needs the same ones, in the same order: leave sparse features out."
        )
    if not features or len(set(shown)) < len(shown):
        raise ReadError(
            f"{where}: found {'a feature twice' if features else 'no feature'} in {quoted(' '.join(words))}; expected "
            "names that differ, each with = and one value or several. Write the list anew with features of such names."
        )
    return features


def _number(where: str, what: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    # Python also reads 1_000; no decoder writes that.
    if not math.isfinite(value) or "_" in text:
        raise ReadError(
            f"{where}: found {quoted(text)} for {what}; expected a finite number, as -12.5. Take the candidate out, or "
            "give it a number."
        )
    return value
