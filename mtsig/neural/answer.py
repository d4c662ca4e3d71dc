"""What comet-score wrote goes in as a file, one score per segment and system comes out."""

import json
import math
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from mtsig.corpus import FloatArray, Lines, quoted
from mtsig.errors import ProgramError, kind_of

SCORE = "COMET"
"""The key under which every comet-score since 1.0 writes a segment's score, whatever the model."""


def scores_of(answer: Path, sent: Mapping[str, Lines], names: Mapping[str, str]) -> dict[str, FloatArray]:
    """Return file name -> scores, shape (n,), of the JSON that `comet-score --to_json` wrote.

    Args:
        answer: the JSON: {file: [{"src": …, "mt": …, "ref": …, "COMET": score, …}, …], …}; versions before 1.1 wrote
            the list of a single file alone. Keys that are not asked for are passed over.
        sent: file name -> the lines that were sent; the translations in the answer must be these.
        names: file name -> what messages call the system.

    Raises:
        ProgramError: the file is missing, cut short, about other files or lines, or a score is no finite number.
    """
    scores = _parsed(answer)
    if isinstance(scores, list) and len(sent) == 1:
        scores = {next(iter(sent)): scores}
    if not isinstance(scores, dict):
        raise ProgramError(
            f"comet-score wrote JSON of another form: expected an object with a list per file, found {kind_of(scores)}."
        )
    by_name = {PurePath(key).name: value for key, value in scores.items()}
    if missing := [names[file] for file in sent if file not in by_name]:
        raise ProgramError(f"comet-score answered for {len(by_name)} files, without system {missing[0]!r}.")
    return {file: _scores(by_name[file], lines, names[file]) for file, lines in sent.items()}


def _parsed(answer: Path) -> Any:
    try:
        return json.loads(answer.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ProgramError("comet-score ended without an error, but wrote no scores.") from None
    except ValueError as error:
        raise ProgramError(f"comet-score wrote JSON that cannot be read (cut short?): {error}.") from None


def _scores(segments: Any, lines: Lines, system: str) -> FloatArray:
    if not isinstance(segments, list) or len(segments) != len(lines):
        count = len(segments) if isinstance(segments, list) else "no list of"
        raise ProgramError(f"System {system!r}: {len(lines)} segments went to comet-score, {count} scores came back.")
    scores = np.empty(len(lines))
    for at, (segment, line) in enumerate(zip(segments, lines, strict=True)):
        where = f"System {system!r}, segment {at + 1} of those sent"
        if not isinstance(segment, dict) or SCORE not in segment:
            keys = ", ".join(map(str, segment)) if isinstance(segment, dict) else kind_of(segment)
            raise ProgramError(f"{where}: comet-score gave no {SCORE!r}; found: {keys or 'nothing'}.")
        # comet-score strips every line it reads; anything else it changed would mean that lines went astray.
        if str(segment.get("mt", line)).strip() != line.strip():
            raise ProgramError(
                f"{where}: comet-score scored another translation, {quoted(segment['mt'])} instead of {quoted(line)}."
            )
        scores[at] = _number(segment[SCORE], where)
    return scores


def _number(score: Any, where: str) -> float:
    if isinstance(score, int | float) and not isinstance(score, bool) and math.isfinite(score):
        return float(score)
    raise ProgramError(f"{where}: comet-score gave {score!r} where a number is needed.")
