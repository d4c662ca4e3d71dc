"""Files of ratings: which files hold scores of segments or of whole systems, and the parts that they make.

Scores of whole systems have three forms: a system, a tab and its score; a table with the columns system, metric and
score, as WMT's organisers give their automatic scores out; a table with the column system and one for every metric.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from mtsig.corpus import Note
from mtsig.errors import ReadError
from mtsig.readers._files import File, is_there
from mtsig.readers._names import LANGUAGE_PAIRS, METRICS, NOT_LINES, PAIR, TABLE_SUFFIXES, role_of_folder, role_of_name
from mtsig.readers._parts import Part, Placed, RatingFile, ignored, left_over, rating_parts
from mtsig.readers._scored import GENERIC, Scored, rating_name, refuse_several_pairs, score_columns, system_column
from mtsig.readers._sheet import Direction, Sheet, columns_called, name_and_direction, refusal, score_at, score_of

WHOLE_SYSTEMS = "scores of whole systems, which only meta-evaluation uses"
"""What is said of a file with one score a system."""

_PAIRS = LANGUAGE_PAIRS | {PAIR}


def whole_systems(file: File, form: str = WHOLE_SYSTEMS) -> list[Part]:
    """Return the scores of whole systems in a file, which play no role among segments; a broken one is noted."""
    stem, better = name_and_direction(file.path.name.replace(".sys.", "."))
    part = replace(ignored(file, form), name=stem, better=better)
    try:
        read = _read(Sheet(file), stem)
    except ReadError as error:
        # Only trust takes such scores: the test set is not refused for them.
        return [replace(part, notes=(Note("note", f"{error} The file was ignored."),))]
    labels = [file.label if len(read) == 1 else f"{file.label}, {name}" for name in read]
    return [
        replace(part, label=label, name=name, whole=scores)
        for label, (name, scores) in zip(labels, read.items(), strict=True)
    ]


def _read(sheet: Sheet, stem: str) -> Mapping[str, dict[str, float]]:
    """Return the scores of every metric, by system, without gaps."""
    system = system_column(sheet.header)
    if system is None or all(score_of(cells[-1]) is not None for _, cells in sheet.top[:1]):
        return {stem: _one_a_system(sheet)}
    names, rows = sheet.table()
    metrics = columns_called(sheet.header, METRICS)
    refuse_several_pairs(sheet, rows, _PAIRS)
    columns = [place for place in score_columns(sheet) if sheet.header[place] not in _PAIRS and place != system]
    if metrics:
        columns = [place for place in columns if sheet.header[place] in GENERIC]
    if not columns or (metrics and len(columns) > 1):
        raise ReadError(
            f"{sheet.label} has the columns {', '.join(names)}; expected a system, a metric and a score. Name the "
            "columns so."
        )
    read: dict[str, dict[str, float]] = {}
    for line, row in rows:
        for column in columns:
            alone = len(columns) == 1
            name = row[metrics[0]].strip() if metrics else rating_name(names[column], stem, alone)
            score = score_at(sheet, line, row[column], f"the column {names[column]!r}")
            _add(read.setdefault(name, {}), row[system].strip(), score, sheet.at(line))
    return {name: _without_gaps(scores) for name, scores in read.items()}


def _one_a_system(sheet: Sheet) -> dict[str, float]:
    scores: dict[str, float] = {}
    for line, cells in sheet.rows:
        score = score_of(cells[1]) if len(cells) == 2 else None
        if not cells[0].strip() or score is None:
            raise ReadError(f"{sheet.at(line)}: expected a system, a tab, and its score. Correct the line.")
        _add(scores, cells[0].strip(), score, sheet.at(line))
    return _without_gaps(scores)


def _add(scores: dict[str, float], system: str, score: float, where: str) -> None:
    if system in scores:
        raise ReadError(f"{where}: this is a second score of {system}. Keep one.")
    scores[system] = score


def _without_gaps(scores: Mapping[str, float]) -> dict[str, float]:
    return {system: score for system, score in scores.items() if score == score}


_SUFFIXES = {".tsv", ".csv", ".score", ".jsonl", ".parquet", ".xlsx"}
"""Endings of files that may hold scores; what they hold decides."""

_IN_FOLDERS = {".json"}
"""Further ones among ratings; elsewhere such a file holds texts, perhaps with scores beside them."""

_OF_WHOLE_SYSTEMS = re.compile(r"\.(sys|domain)\.")
_BY_DOMAIN = "scores by domain, which mtsig does not use"
"""In the names of files that hold one score per system, or per system and domain."""


def rating_claims(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
    """Return what lies in ratings/, human/ and metrics/, and tables of scores at the top."""
    del alone
    # Where outputs lie in a folder of their own, a file at the top that has some with their scores is there for these.
    beside = any(role_of_folder(placed.folder) == "system" or _is_system(placed) for placed in files)
    return [
        placed for placed in files
        if not placed.is_about_the_data and (_in_folder(placed) or _at_top(placed, beside))
    ]  # fmt: skip


def _is_system(placed: Placed) -> bool:
    """Return whether it is a line file at the top that is called like a system."""
    is_lines = placed.suffix not in NOT_LINES | TABLE_SUFFIXES and not placed.is_about_the_data
    return is_lines and not placed.folder and role_of_name(placed.stem) == "system"


def _in_folder(placed: Placed) -> bool:
    return placed.stands_out and role_of_folder(placed.folder) == "ratings"


def _at_top(placed: Placed, beside: bool) -> bool:
    if placed.folder or placed.suffix not in _SUFFIXES | _IN_FOLDERS:
        return False
    if _is_of_whole_systems(placed):
        return True
    rating = placed.rating
    return rating.is_rating() and rating.names_systems and (beside or not rating.holds_texts)


def preference_claims(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
    """Return the files that hold preferences, wherever they lie."""
    del alone
    known = {*_SUFFIXES, *_IN_FOLDERS} - {".score"}
    return [item for item in files if item.suffix in known and not item.is_about_the_data and item.rating.preferences]


def preference_files(files: Sequence[Placed]) -> list[list[Part]]:
    """Return a part for every file: beside a test set it plays no role, and by itself it is none."""
    parts = []
    for item in files:
        said = refusal(item.file.label, item.rating.preferences)
        notes = (Note("note", said),)
        parts.append([replace(ignored(item.file, item.rating.preferences), problem=said, notes=notes)])
    return parts


def rating_files(files: Sequence[Placed]) -> list[list[Part]]:
    """Return the ratings of every file; what lies in their folders and is none is ignored."""
    return [_file_parts(placed) for placed in files]


def _file_parts(placed: Placed) -> list[Part]:
    if _is_of_whole_systems(placed):
        return whole_systems(placed.file) if ".sys." in placed.name else [ignored(placed.file, _BY_DOMAIN)]
    known = _SUFFIXES | _IN_FOLDERS
    unread = placed.suffix in NOT_LINES and placed.suffix not in known
    # At the top it was claimed for what it holds; what lies in a folder of ratings and cannot be read is a broken one.
    taken = not placed.folder or (not unread and placed.rating.is_rating(unreadable=True))
    if taken:
        return rating_parts(placed.rating)
    return [_left_alone(placed) if placed.suffix in known else left_over(placed)]


def _left_alone(placed: Placed) -> Part:
    """Return a table that lies where ratings do and is none, with a warning: it was put there to be read."""
    why = f": {said}" if (said := placed.rating.stopped_by or placed.rating.separated) else ""
    text = (
        f"{placed.file.label} was ignored: it is in a folder of ratings, but is not a table of scores in a known "
        f"form{why}. Give it the columns system, segment and score, or one column per system."
    )
    return replace(ignored(placed.file), notes=(Note("warning", text),))


def _is_of_whole_systems(placed: Placed) -> bool:
    return _OF_WHOLE_SYSTEMS.search(placed.name) is not None


def named_ratings(items: Sequence[str | Path]) -> list[Part]:
    """Return the parts of files of ratings.

    An item is a path or a text `[NAME=]FILE[:higher|:lower]`. `:higher` and `:lower` say which direction is better.
    NAME is what the rating is called; where a file holds several, it picks the one of that name, with @RATER behind it
    the one of that rater.
    """
    return [part for item in items for part in _named_parts(str(item))]


def with_named(parts: Sequence[Part], rated: Sequence[Part]) -> list[Part]:
    """Return the parts with these ratings; a file that is named by itself is taken as it is named, and once."""
    named = {part.file.place for part in rated if part.file is not None}
    return [*(part for part in parts if part.file is None or part.file.place not in named), *rated]


def _named_parts(item: str) -> list[Part]:
    name, path, better = split(item)
    parts = rating_parts(RatingFile(File(path, Path(path))))
    if name is not None:
        parts = _picked(parts, name, path)
    return parts if better is None else [replace(part, better=better) for part in parts]


def split(item: str) -> tuple[str | None, str, Direction | None]:
    """Return name, path and direction of `[NAME=]FILE[:higher|:lower]`; a file that exists under the text is meant."""
    better: Direction | None = None
    rest, colon, word = item.rpartition(":")
    if colon and word in ("higher", "lower") and not is_there(Path(item)):
        item, better = rest, "higher" if word == "higher" else "lower"
    name, equals, path = item.partition("=")
    if equals and name and not is_there(Path(item)):
        return name, path, better
    return None, item, better


def _picked(parts: list[Part], name: str, path: str) -> list[Part]:
    """Return the parts that a name means, called so."""
    ratings = {part.scored.name for part in parts if part.scored is not None}
    if len(ratings) < 2:
        base, at, rater = name.partition("@")
        if at:
            return [replace(part, name=name) for part in parts if len(parts) == 1 or _rater(part) == rater]
        return [replace(part, name=_renamed(part, base)) for part in parts]
    chosen = [part for part in parts if part.scored is not None and name in _names(part.scored)]
    if not chosen:
        raise ReadError(
            f"{path} contains several ratings: {', '.join(sorted(ratings))}. Name one of them, as in "
            f"--ratings {sorted(ratings)[0]}={path}; found {name!r}."
        )
    return [replace(part, name=name if "@" in name else _renamed(part, name)) for part in chosen]


def declared(parts: Sequence[Part], items: Sequence[str]) -> list[Part]:
    """Return the parts with the directions of their ratings declared by texts `NAME=higher` or `NAME=lower`.

    A rating that plays no role only because nobody knew its direction plays one then.
    """
    better: dict[str, Direction] = {}
    known = list(dict.fromkeys(part.name for part in parts if part.scored is not None))
    for item in items:
        name, _, word = item.rpartition("=")
        if name not in known:
            raise ReadError(f"--better {item}: the data have no rating {name!r}. Known: {', '.join(known) or 'none'}.")
        if word not in ("higher", "lower"):
            raise ReadError(f"--better {item}: expected NAME=higher or NAME=lower.")
        better[name] = "higher" if word == "higher" else "lower"
    return [
        replace(part, role="ratings", better=better[part.name])
        if part.scored is not None and part.name in better
        else part
        for part in parts
    ]


def _rater(part: Part) -> str | None:
    return None if part.scored is None else part.scored.rater


def _renamed(part: Part, name: str) -> str:
    rater = _rater(part)
    return name if rater is None else f"{name}@{rater}"


def _names(scored: Scored) -> set[str]:
    """Return by what names a rating among several can be picked."""
    own = {scored.name, scored.title}
    return own if scored.column is None else own | {scored.column}
