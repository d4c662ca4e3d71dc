"""Ratings named one by one: texts such as `mqm=FILE:higher` go in, parts come out."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from mtsig.errors import ReadError
from mtsig.readers._rating_formats import RatingFile
from mtsig.readers._scored import Scored
from mtsig.readers._sheet import Direction
from mtsig.readers.files import File, is_there
from mtsig.readers.part import Part, rating_parts


def named_ratings(items: Sequence[str | Path]) -> list[Part]:
    """Return the parts of files of ratings.

    An item is a path or a text `[NAME=]FILE[:higher|:lower]`. `:higher` and `:lower` say which direction is better.
    NAME is what the rating is called; where a file holds several, it picks the one of that name, with @JUDGE behind it
    the one of that judge.

    Raises:
        ReadError: a file holds several ratings, and none of them has that name.
    """
    return [part for item in items for part in _parts(str(item))]


def _parts(item: str) -> list[Part]:
    name, path, better = split(item)
    parts = rating_parts(RatingFile(File(path, Path(path))))
    if name is not None:
        parts = _picked(parts, name, path)
    return parts if better is None else [replace(part, better=better) for part in parts]


def split(item: str) -> tuple[str | None, str, Direction | None]:
    """Return name, path and direction of `[NAME=]FILE[:higher|:lower]`; a file that exists under the text is meant.

    >>> split("mqm=scores.tsv:lower"), split("scores.tsv")
    (('mqm', 'scores.tsv', 'lower'), (None, 'scores.tsv', None))
    """
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
        base, at, judge = name.partition("@")
        if at:
            return [replace(part, name=name) for part in parts if len(parts) == 1 or _judge(part) == judge]
        return [replace(part, name=_renamed(part, base)) for part in parts]
    chosen = [part for part in parts if part.scored is not None and name in _names(part.scored)]
    if not chosen:
        raise ReadError(
            f"{path} holds several ratings: {', '.join(sorted(ratings))}. Name one of them, as in "
            f"--ratings {sorted(ratings)[0]}={path}; found {name!r}."
        )
    return [replace(part, name=name if "@" in name else _renamed(part, name)) for part in chosen]


def declared(parts: Sequence[Part], items: Sequence[str]) -> list[Part]:
    """Return the parts with the directions of their ratings declared by texts `NAME=higher` or `NAME=lower`.

    A rating that plays no role only because nobody knew its direction plays one then.

    Raises:
        ReadError: a text says something else, or names no rating.
    """
    better: dict[str, Direction] = {}
    known = list(dict.fromkeys(part.name for part in parts if part.scored is not None))
    for item in items:
        name, _, word = item.rpartition("=")
        if name not in known:
            raise ReadError(f"--better {item}: there is no rating {name!r} here. Known: {', '.join(known) or 'none'}.")
        if word not in ("higher", "lower"):
            raise ReadError(f"--better {item}: expected NAME=higher or NAME=lower.")
        better[name] = "higher" if word == "higher" else "lower"
    return [
        replace(part, role="ratings", better=better[part.name])
        if part.scored is not None and part.name in better
        else part
        for part in parts
    ]


def _judge(part: Part) -> str | None:
    return None if part.scored is None else part.scored.judge


def _renamed(part: Part, name: str) -> str:
    judge = _judge(part)
    return name if judge is None else f"{name}@{judge}"


def _names(scored: Scored) -> set[str]:
    """Return by what names a rating among several can be picked."""
    own = {scored.name, scored.title}
    return own if scored.column is None else own | {scored.column}
