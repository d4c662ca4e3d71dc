"""Convert plain material (lists, arrays, DataFrames, paths) to a Corpus, or say in one sentence what to give."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, repeat
from numbers import Real
from os import PathLike
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypedDict, TypeGuard

import numpy as np
from numpy.typing import NDArray

from mtsig._records import Floats
from mtsig.corpus import Corpus, Note, Rating
from mtsig.corpus._notes import listed, number_of
from mtsig.errors import AlignmentError, InvalidOption, ReadError, expect, find, kind_of
from mtsig.readers import _assemble, _locate, _names, _rates, _rating_files, _sheet
from mtsig.readers._read import read, read_files


class Frame(Protocol):
    """A table with a column per system, such as a DataFrame of pandas or polars."""

    @property
    def columns(self) -> Any:
        """Names of the columns."""

    @property
    def dtypes(self) -> Any:
        """Types of the columns."""


class Series(Protocol):
    """One column, such as a Series of pandas or polars."""

    @property
    def dtype(self) -> Any:
        """Type of the values."""

    def to_numpy(self) -> Any:
        """Return the values as an array."""


Place: TypeAlias = str | PathLike[str]
Column: TypeAlias = Sequence[Any] | NDArray[Any] | Series
"""A text, or a score, per item."""

Table: TypeAlias = Mapping[str, Column] | Frame | NDArray[Any] | Sequence[Sequence[float]]
"""Scores of several systems: by their names, or a row for each."""


class Material(TypedDict, total=False):
    """Keyword arguments for texts or scores by system."""

    references: Column | Sequence[Column] | Mapping[str, Column] | Frame | Place | Sequence[Place] | None
    sources: Column | Place | None
    documents: Column | Place | None
    domains: Column | None
    ratings: Mapping[str, Table | Place] | Sequence[Place] | None
    higher_is_better: bool | Mapping[str, bool] | None
    systems: Sequence[str] | None
    name: str
    system: str | None
    score: str | None
    ignore: str | Sequence[str] | None


_SHOWN = 5
"""So many systems, or items, are named in a message."""

_BY_SYSTEM = 'by system, as in {"A": [...], "B": [...]}'


def corpus_of(
    data: Any,
    *,
    references: Any = None,
    sources: Any = None,
    documents: Any = None,
    domains: Any = None,
    ratings: Mapping[str, Table | Place] | Sequence[Place] | None = None,
    higher_is_better: bool | Mapping[str, bool] | None = None,
    systems: Sequence[str] | None = None,
    name: str | None = None,
    system: str | None = None,
    score: str | None = None,
    ignore: str | Sequence[str] | None = None,
    metric: Any = None,
) -> Corpus:
    """Return the corpus of plain material, to compare by a metric; `mtsig.compare` lists the accepted forms."""
    if name is not None and (not isinstance(name, str) or not name.strip()):
        raise InvalidOption(f'name must be the name of the scores, as in name="COMET"; found {name!r}.')
    called = name
    labels: Sequence[str] = ()
    # A column that was chosen has a name.
    name = _names.as_text((name or (score if isinstance(score, str) else "score")).strip())
    if _is_frame(data):
        one = isinstance(ignore, str | int | np.integer)
        ignored = [_column_name("ignore", name) for name in ([ignore] if one else ignore or ())]
        about = (_column_name("system", system), _column_name("score", score))
        of_items = (references, sources, documents, domains)
        said = "".join(f", {key}={value!r}" for key, value in (("name", called), ("higher_is_better", higher_is_better))
                       if value is not None)  # fmt: skip
        data, (references, sources, documents, domains), labels = _of_frame(data, of_items, *about, ignored, said)
    elif (system, score, ignore) != (None, None, None):
        raise InvalidOption("system=, score= and ignore= are for a DataFrame, but the data are not a DataFrame.")
    one_file = ratings is None and _is_path(data) and _is_file(data) and not Path(data).is_dir()
    if one_file and (called is not None or isinstance(higher_is_better, bool)):
        way = f":{'higher' if higher_is_better else 'lower'}" * isinstance(higher_is_better, bool)
        is_named = called is None or not Path(data).is_file()  # as NAME=FILE
        data, ratings = None, [f"{data}{way}" if is_named else f"{name}={data}{way}"]
        called, higher_is_better = called if is_named else None, None
    if isinstance(data, Mapping) and any(_is_path(one) and os.path.isdir(one) for one in data.values()):  # noqa: PTH112
        raise InvalidOption("These are folders: give mtsig.study.read_sets({name: folder, …}), which reads test sets.")
    if _is_path(data) or _are_paths(data) or (data is None and _are_files_of_scores(ratings)):
        if called is not None:
            raise InvalidOption(
                'name= names scores in arrays, or in one file; name files as in ratings=["COMET=FILE"].'
            )
        if domains is not None:
            raise InvalidOption("domains= is for arrays; in a folder, write the domain of each line into domains.txt.")
        return _from_files(data, references, sources, documents, ratings, systems, higher_is_better)
    if data is None and not ratings:
        raise InvalidOption(f"Give data as a corpus, a folder, or texts or scores {_BY_SYSTEM}.")
    if ratings is not None and not isinstance(ratings, Mapping):
        raise InvalidOption(f'ratings must be scores by name, as in {{"comet": scores}}; found {kind_of(ratings)}.')
    _check_row_names(systems, [data, *(ratings or {}).values()])
    asked = [one for one in (metric if _listed(metric) else [metric]) if isinstance(one, str)]
    columns = {} if data is None else _columns(data, systems)
    scored: dict[str, dict[str, Any]] = {}
    if columns and not _are_texts(columns):
        if references is not None:
            raise InvalidOption("References belong to texts, but you gave scores for the systems.")
        if asked and not {name, *(ratings or ())} & {one.removeprefix("rating:") for one in asked}:
            way = ", higher_is_better=True (or False)" * (higher_is_better is None and not _names.scale_of(asked[0]))
            raise InvalidOption(f"These are scores already: write name={asked[0]!r}{way}, and omit the metric.")
        scored[name], columns = columns, {}
    elif columns and references is None and not ratings:
        _refuse_written_numbers(columns, labels)
        raise InvalidOption("Texts are scored against references: give references=[...], one string per item.")
    if called is not None and not scored:
        raise InvalidOption("name= is the name of the scores in data, but data has none: leave name out.")
    known = list(columns or scored.get(name, {}))
    for rating, given_scores in _scored(ratings or {}, systems, known).items():
        if rating in scored:
            raise InvalidOption(f"Two ratings are called {rating!r}; name= gives the scores in data another name.")
        scored[rating] = given_scores
    if higher_is_better is not None and not scored:
        raise InvalidOption("higher_is_better is for scores; metrics of texts have a fixed direction.")
    given = _references(references)
    items = len(next(iter(columns.values()))) if columns else 0
    if items and len(given) == items and all(len(lines) != items for lines in given.values()):
        raise InvalidOption(
            f"references has one list for each of the {items} items. Transpose it: give one list per reference, as in "
            "references=list(zip(*references))."
        )
    beside = {"documents": documents, "domains": domains, "sources": sources}
    _check_indexes(column for many in (columns, given, beside, *scored.values()) for column in many.values())
    names = list(dict.fromkeys([*columns, *(system for scores in scored.values() for system in scores)]))
    notes: list[Note] = []
    better = _directions(list(scored), higher_is_better)
    rated = {rating: _rating(rating, scores, names, better, notes, labels) for rating, scores in scored.items()}
    of_rows, kinds = _labels("documents", documents), _labels("domains", domains)
    for rating, of_rating in rated.items():
        count = of_rating.values.shape[1]
        items = items or count
        if count != items:
            raise AlignmentError(f"The rating {rating!r} has {number_of(count, 'score')} per system for {items} items.")
    for what, column, thing in (
        ("documents", of_rows, "label"),
        ("domains", kinds, "label"),
        ("sources", sources, "text"),
    ):
        if column is not None and (count := len(_items(what, column))) != items:
            one_each = f"Give one {thing} for every item, in the same order"
            raise AlignmentError(f"{what} has {number_of(count, thing)} for {items} items. {one_each}.")
    if of_rows is not None:
        of_rows, told = _locate.shared_documents(of_rows)
        notes += told
    return Corpus.of(
        {one: _texts(f"System {one!r}", columns[one], labels) if one in columns else None for one in names},
        {reference: _texts(f"Reference {reference!r}", lines, labels, True) for reference, lines in given.items()},
        documents=of_rows,
        domains=kinds,
        sources=None if sources is None else _texts("sources", _items("sources", sources), labels),
        ratings=rated,
        notes=notes,
    )


def corpora_of(data: Any, metric: Any, about: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return test sets by their names, none where the data are one, and the keywords that are left over.

    DataFrames with a row per score are made corpora, by the keywords that one takes.
    """
    held = dict(data) if isinstance(data, Mapping) else {}
    if held and "system" in about and all(map(_is_frame, held.values())):
        held, about = {name: corpus_of(frame, metric=metric, **about) for name, frame in held.items()}, {}
    if not any(isinstance(one, Corpus) for one in held.values()):
        return {}, about
    return dict(zip(_named(held, "test set"), held.values(), strict=True)), about


def with_plain_ratings(
    corpus: Corpus,
    ratings: Any,
    higher_is_better: bool | Mapping[str, bool] | None = None,
    systems: Sequence[str] | None = None,
) -> Corpus:
    """Return a corpus with additional ratings of its systems and segments: scores by name, or files of scores."""
    if _are_files_of_scores(ratings):
        if systems is not None or higher_is_better is not None:
            raise InvalidOption(_OF_FILES)
        return _assemble.with_ratings(corpus, _rating_files.named_ratings(_named_files(ratings)))
    expect(ratings, Mapping, 'ratings must be scores by name, as in {"comet": scores}, or a list of files')
    _check_row_names(systems, list(ratings.values()))
    names, notes = list(corpus.systems), list[Note]()
    scored = _scored(ratings, systems, names)
    better = _directions(list(scored), higher_is_better)
    _check_indexes(column for scores in scored.values() for column in scores.values())
    rated = {}
    for rating, scores in scored.items():
        if rating in corpus.ratings:
            raise InvalidOption(f"The corpus has a rating called {rating!r} already: give the scores another name.")
        for system in scores:
            find(corpus.systems, system, "system in the corpus")
        count = len(next(iter(scores.values())))
        if count != len(corpus):
            raise AlignmentError(
                f"The rating {rating!r} has {count} scores a system; the corpus has {len(corpus)} segments."
            )
        rated[rating] = _rating(rating, scores, names, better, notes)
    return replace(corpus, ratings={**corpus.ratings, **rated}, notes=(*corpus.notes, *notes))


def _scored(
    ratings: Mapping[str, Any], systems: Sequence[str] | None, known: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """Return the scores of every rating by system; rows without names are those of the known systems."""
    scored: dict[str, dict[str, Any]] = {}
    for rating, scores in zip(_named(ratings, "rating"), ratings.values(), strict=True):
        scored[rating] = _columns(scores, systems, known)
        if _are_texts(scored[rating]):
            _refuse_written_numbers(scored[rating])
            raise InvalidOption(f"The rating {rating!r} needs numbers; found texts.")
    return scored


# --- paths ------------------------------------------------------------------------------------------------------


def _is_path(thing: object) -> bool:
    return isinstance(thing, str | Path)


def _is_file(thing: object) -> bool:
    """Return whether this is a path, or a text such as NAME=PATH of a file that exists."""
    if isinstance(thing, Path):
        return True
    if not isinstance(thing, str) or "\n" in thing:
        return False
    try:
        return Path(thing).is_file() or Path(thing.partition("=")[2] or "/").is_file()
    except (OSError, ValueError):  # too long for a path, or with signs that none has
        return False


def _are_paths(thing: object) -> bool:
    items = list(thing.values()) if isinstance(thing, Mapping) else thing
    return isinstance(items, list | tuple) and bool(items) and all(map(_is_file, items))


def _are_files_of_scores(thing: object) -> bool:
    """Return whether these are files, each perhaps with its better direction, as in FILE:lower."""
    items = list(thing.values()) if isinstance(thing, Mapping) else thing
    bare = [_rating_files.split(item)[1] if isinstance(item, str) else item for item in items] if _listed(items) else ()
    return _are_paths(bare)


def _listed(thing: object) -> TypeGuard[Sequence[Any]]:
    return isinstance(thing, list | tuple)


_OF_FILES = (
    "systems= and higher_is_better= are for scores in arrays. If the systems are files, give their scores in files, "
    'each with its better direction: ratings=["mqm=FILE:lower"].'
)


def _named_files(ratings: Any) -> Sequence[str | Path]:
    return [f"{name}={file}" for name, file in ratings.items()] if isinstance(ratings, Mapping) else ratings or ()


def _from_files(
    data: Any, references: Any, sources: Any, documents: Any, ratings: Any, systems: Any, higher_is_better: Any
) -> Corpus:
    if (
        systems is not None
        or higher_is_better is not None
        or (ratings is not None and not _are_files_of_scores(ratings))
    ):
        raise InvalidOption(_OF_FILES)
    files = _named_files(ratings)
    if _is_path(data):
        if given := [word for word, of in (("references", references), ("sources", sources), ("documents", documents))
                     if of is not None]:  # fmt: skip
            raise InvalidOption(f"For {given[0]}=, list the systems' files one by one: [PATH, ...].")
        return read(data, ratings=files)
    if references is None and data is not None:
        raise InvalidOption("Files of outputs are scored against references: give references=PATH, or a list of paths.")
    if isinstance(data, Mapping):
        data = dict(zip(_named(data, "system"), data.values(), strict=True))
    for role, path in (("references", references), ("sources", sources), ("documents", documents)):
        if path is not None and not (_is_file(path) or (role == "references" and _are_paths(path))):
            raise InvalidOption(f"As systems are files, {role} must also be an existing file; found {kind_of(path)}.")
    references = [references] if _is_path(references) else references or ()
    return read_files(references, data or (), sources, documents, ratings=files)


# --- columns ----------------------------------------------------------------------------------------------------


def _is_frame(thing: object) -> bool:
    """Return whether this is a DataFrame, of pandas or of another library: none is imported for it."""
    return hasattr(thing, "columns") and hasattr(thing, "dtypes")


def _is_series(thing: object) -> bool:
    return hasattr(thing, "dtype") and hasattr(thing, "to_numpy") and not _is_frame(thing)


def _has_names(data: Any) -> bool:
    """Return whether the systems have names where the data have columns or keys; rows have none."""
    return data is None or isinstance(data, Mapping) or _is_frame(data) or _is_series(data)


def _check_row_names(systems: Sequence[str] | None, materials: Sequence[Any]) -> None:
    if systems is not None and all(map(_has_names, materials)):
        raise InvalidOption("systems= names the rows of an array; these systems already have names.")


def _columns(data: Any, systems: Sequence[str] | None, known: Sequence[str] = ()) -> dict[str, Any]:
    """Return what was given for each system, by its name: `known` names rows for which there are no other names."""
    named: list[tuple[Any, Any]]
    if _is_frame(data):
        _refuse_transposed(data)
        named = [(_head(column), data[column]) for column in data.columns]
        held = _levels(data) | dict(named)
        if found := _per_score(held, dict(named)):
            items = [one for one in held if _names.plain_name(one) in _names.COUNTERS] or ["segment"]
            pivot = _written({"index": items[:1], "columns": found["system"], "values": found["score"][:1]})
            raise InvalidOption(
                f"The DataFrame has a row per score: give one with a column per system, made by frame.pivot({pivot})."
            )
        if aside := list(dict.fromkeys(_aside(named))):
            raise InvalidOption(
                f"Not every column of the DataFrame holds scores of a system. Leave out {listed(aside)}."
            )
    elif isinstance(data, Mapping):
        _check_values(data)
        named = list(data.items())
    elif _is_series(data):
        raise InvalidOption(
            f"One Series holds the scores of one system: give them {_BY_SYSTEM}. If the systems are in its index, "
            "write series.reset_index(), with the names of its columns as system= and score=."
        )
    else:
        named = _named_rows(data, systems, known)
    if not named:
        raise InvalidOption(f"There is no system in the data: give texts or scores {_BY_SYSTEM}.")
    names = _named([name for name, _ in named], "system")
    columns = {name: _items(f"System {name!r}", column) for name, (_, column) in zip(names, named, strict=True)}
    lengths = {system: len(column) for system, column in columns.items()}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{system} {length}" for system, length in list(lengths.items())[:_SHOWN])
        raise AlignmentError(f"Every system needs one entry per item, in the same order; their lengths differ: {said}.")
    if 0 in lengths.values():
        raise InvalidOption("The systems have no items: every list is empty.")
    return columns


def _blank(item: object) -> bool:
    return _is_missing(item) or (isinstance(item, str) and not item.strip())


def _head(name: object) -> str:
    """Return the name of a column as text; a missing one is empty."""
    return "" if _is_missing(name) else _names.as_text(str(name))


def _named(given: Iterable[Any], what: str) -> list[str]:
    """Return names as those in files are: without spaces around them, and none is empty, or that of two."""
    heads = [*map(_head, given)]
    names = [name.strip() for name in heads]
    if "" in names:
        raise InvalidOption(_sheet.nameless(f"Entry {names.index('') + 1} of {len(names)}", what))
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        alike = [head for head, name in zip(heads, names, strict=True) if name == twice[0]]
        spaces = " without the spaces around it" * (len({*alike}) > 1)
        raise InvalidOption(f"Two {what}s are called {twice[0]!r}{spaces}: give them different names.")
    return names


def _filled(column: str, cells: Iterable[Any], what: str) -> list[Any]:
    """Return what a column of a frame calls things, without spaces around it; none may be empty."""
    items = [cell.strip() if isinstance(cell, str) else cell for cell in cells]
    if empty := [row for row, item in enumerate(items) if (not item if isinstance(item, str) else _is_missing(item))]:
        raise InvalidOption(_sheet.nameless(f"Row {empty[0]} (from 0) of the DataFrame, column {column!r}", what))
    return items


def _at(labels: Sequence[str], positions: Sequence[int]) -> str:
    """Return how messages call items: as the user's own column does, or by their positions."""
    shown = ", ".join([labels[place] if labels else str(place + 1) for place in positions[:_SHOWN]])
    return f"{shown}{', …' * (len(positions) > _SHOWN)}{'' if labels else ', counted from 1'}"


_ABOUT = _names.COUNTERS | _names.DOCUMENTS | _names.DOMAINS | _names.RATERS | _names.METADATA
_FEWEST = 10
"""Items from which on it tells something that numbers all differ, or only grow."""


def _aside(named: Sequence[tuple[str, Any]]) -> Iterator[str]:
    """Yield the columns of a DataFrame that tell items apart or are about them: by their names, or their numbers.

    These count, are whole where others are not, only grow, or are another on every row, as no more than half do.
    """
    shown: dict[str, list[str]] = {"whole": [], "grow": [], "differ": []}
    for name, column in named:
        items = list(column)
        whole = all(isinstance(item, int | np.integer) and not isinstance(item, bool) for item in items)
        counts = (
            whole and len(items) > 2 and items[0] in (0, 1) and items == list(range(items[0], items[0] + len(items)))
        )
        if counts or (name.strip() and _names.plain_name(name) in _ABOUT):
            yield name
        numbers = len(items) >= _FEWEST and all(map(_is_number, items))
        shown["whole"] += [name] * whole
        shown["grow"] += [name] * (numbers and all(before < after for before, after in pairwise(items)))
        shown["differ"] += [name] * (numbers and whole and len(set(items)) == len(items))
    for names in shown.values():
        yield from names if 2 * len(names) <= len(named) else ()


def _refuse_transposed(frame: Any) -> None:
    """Refuse a frame with a row per system and a column per segment, by its shape."""
    rows, columns = len(frame), len(frame.columns)
    if columns >= _MANY and columns >= 5 * rows:
        texts = [name for name in list(frame.columns)[:3] if isinstance(next(iter(frame[name]), None), str)]
        turned = f"frame.set_index({texts[0]!r}).T" if len(texts) == 1 else "frame.T"
        raise InvalidOption(
            f"The DataFrame has {number_of(rows, 'row')} and {columns} columns, but a row per segment and a column per "
            f"system are needed. Transpose it: {turned}."
        )


_MANY = 40
"""Columns from which on segments are meant, where rows are a fifth of them or fewer."""


def _column_name(keyword: str, given: Any) -> Any:
    """Return the name of one column, as text where the frame has a number for it."""
    if isinstance(given, int | np.integer) and not isinstance(given, bool):
        return str(given)
    if not isinstance(given, str | None):
        how = " For several scores, give ratings={name: DataFrame with a column per system}." * (keyword == "score")
        raise InvalidOption(f'{keyword} takes the name of a column, as in {keyword}="{keyword}"; found {given!r}.{how}')
    return given


def _of_frame(
    frame: Any, of_items: Sequence[Any], system: str | None, score: str | None, ignored: Sequence[str], said: str
) -> tuple[dict[str, Any], tuple[Any, Any, Any, Any], Sequence[str]]:
    """Return the columns of a frame by system; what belongs to the items, which may name other columns; their labels.

    of_items: references, sources, documents and domains. said: other keywords, as they were written. What an index is
    called by counts as columns, of which none is a system.
    """
    _refuse_transposed(frame)
    references, sources, documents, domains = (
        str(name) if isinstance(name, int | np.integer) else name for name in of_items
    )
    texts = [*map(_head, frame.columns)]
    if len({*texts}) < len(texts):
        _named([name for name, count in Counter(texts).items() for _ in range(count) if count > 1], "column")
    levels = _levels(frame)
    columns = levels | {text: frame[name] for text, name in zip(texts, frame.columns, strict=True)}
    of_references = [references] if isinstance(references, str) else references
    given = list(map(str, of_references)) if isinstance(of_references, list | tuple) else []
    of_references = given if isinstance(references, str) or set(given) <= columns.keys() else []
    asked = (system, score, sources, documents, domains, *of_references, *ignored)
    named = [name for name in asked if isinstance(name, str)]
    for name in named:
        find(columns, name, "column in the DataFrame")
    references = {name: columns[name] for name in of_references} or references
    sources = columns[sources] if isinstance(sources, str) else sources
    of_rows, kinds = (
        [*map(str, _filled(one, columns[one], what))] if isinstance(one, str) else None
        for one, what in ((documents, "document"), (domains, "domain"))
    )
    table = f"frame{'.reset_index()' * bool(levels)}"
    usual = ((system, "system", _names.SYSTEMS), (documents, "document", _names.DOCUMENTS))
    odd = {name: kind for name, kind, words in usual if isinstance(name, str) and _names.plain_name(name) not in words}
    renamed = f"{table}.rename(columns={odd!r})" if odd else table
    to_file = f'{renamed}.to_csv("scores.csv", index=False) and compare("scores.csv"'
    left = {name: column for name, column in columns.items() if name not in named}
    rest = {name: column for name, column in left.items() if name not in levels}
    found = _per_score(columns, rest) if system is None or score is None else {}
    if (system or score or found) and (raters := [name for name in left if _names.plain_name(name) in _names.RATERS]):
        raise InvalidOption(
            f"The column {raters[0]!r} of the DataFrame names the rater of each score, which only a file can say: "
            f"{to_file}{said}). Or average over raters, and write ignore={raters[0]!r} if the column is still there."
        )
    if found:
        raise InvalidOption(_a_row_per_score(found, system, score, f"{to_file})"))
    counters = [name for name in columns if _names.plain_name(name) in _names.COUNTERS]
    if system is None and score is None:
        aside: dict[str, list[str]] = {}
        of_levels = [name for name in left if name in levels and _names.plain_name(name) in _names.DOCUMENTS]
        for name in dict.fromkeys([*of_levels, *_aside(list(rest.items())), *_other_texts(rest)]):
            aside.setdefault(_KEYWORDS.get(_names.role_of_column(name), "ignore"), []).append(name)
        if aside:
            raise InvalidOption(
                "Not every column of the DataFrame holds the texts or scores of a system: write "
                f"{_written(aside)}. If one of these is a system, give a dictionary of lists."
            )
        rows_of = [*zip(of_rows or repeat(None, len(frame)), *(columns[name] for name in counters), strict=True)]
        labels = _item_labels(rows_of) if counters else ()
        return rest, (references, sources, of_rows or documents, kinds or domains), labels
    if system is None or score is None:
        raise InvalidOption("A DataFrame with a row per score needs both column names: system= and score=.")
    if documents is None and (unused := [name for name in left if _names.plain_name(name) in _names.DOCUMENTS]):
        raise InvalidOption(
            f"The column {unused[0]!r} of the DataFrame seems to name the document of each row: write "
            f"documents={unused[0]!r}, or ignore={unused[0]!r} if it does not."
        )
    counters = [name for name in counters if name not in ignored]
    numbered = [_filled(name, columns[name], "segment") for name in counters]
    names = [*map(str, _filled(system, columns[system], "system"))]
    of_system = [*map({name: _names.as_text(name) for name in {*names}}.__getitem__, names)]
    rows: dict[str, dict[Any, int]] = {}
    for row, name in enumerate(of_system):
        own = rows.setdefault(name, {})
        item = (of_rows[row] if of_rows else None, *([numbers[row] for numbers in numbered] or [len(own)]))
        if item in own:
            keys = dict.fromkeys(one for one in (*named, *counters) if one != score and one not in ignored)
            label = _label(item[1:])
            raise AlignmentError(_twice(name, columns, (own[item], row), list(keys), label, score, table))
        own[item] = row
    items = dict.fromkeys(item for own in rows.values() for item in own)
    if not numbered and any(own.keys() != items.keys() for own in rows.values()):
        raise AlignmentError(
            "The systems have scores for different items, or in a different order. Add a column that numbers the items."
        )
    if len({item[1:] for item in items}) < len(items):
        _check_one_document(rows, documents)
    scores = list(columns[score])
    unclear = "The rows of the systems are mixed"
    if all(map(_in_rounds, _one_after_another(of_system))):
        unclear = "Rows are sorted by score" * _by_size(
            [[scores[row] for row in own.values()] for own in rows.values()]
        )
    if not numbered and unclear:
        raise AlignmentError(
            f"{unclear}, and no column numbers the items, so it is unknown which scores belong to the same item. Add a "
            "column that numbers the items, such as segment."
        )
    alone = all(one is None for one in (references, sources, documents, None if kinds else domains))
    if numbered and alone and all(isinstance(part, Real) for item in items for part in item[1:]):
        items = dict.fromkeys(sorted(items))  # or neighbours in sorted scores would be taken for those in a text
    labels = _item_labels(list(items)) if numbered else ()
    of_items = [{kinds[own[item]] for own in rows.values() if item in own} for item in items] if kinds else []
    if mixed := [place for place, known in enumerate(of_items) if len(known) > 1]:
        raise AlignmentError(f"Item {_at(labels, mixed[:1])} has several values in the column {domains!r}.")
    by = {name: [scores[own[item]] if item in own else None for item in items] for name, own in rows.items()}
    if references is None:
        _refuse_written_numbers({score: columns[score]}, [*map(_label, zip(*numbered, strict=True))])
        known = [one for one in scores if not _is_missing(one)]
        if 0 < sum(map(_is_number, known)) < len(known):
            for name, column in by.items():
                _numbers(f"{name!r}", score, column, labels)
    of_kinds = [known.pop() for known in of_items]
    return by, (references, sources, [item[0] for item in items] if of_rows else documents, of_kinds or domains), labels


def _label(counters: Iterable[Any]) -> str:
    """Return what an item is called whose row has these counters; whole numbers are shown as such."""
    whole = (int(one) if isinstance(one, float) and one.is_integer() else one for one in counters)
    return "/".join(map(str, whole))


def _item_labels(items: Sequence[tuple[Any, ...]]) -> Sequence[str]:
    """Return what a user's columns call items: their counters, with the document where these repeat; else nothing.

    items: the document of each, and its counters.
    """
    alone = [_label(item[1:]) for item in items]
    if len({*alone}) == len(alone):
        return alone
    return [f"{label} of {item[0]}" for label, item in zip(alone, items, strict=True) if item[0] is not None]


def _check_one_document(rows: Mapping[str, Mapping[tuple[Any, ...], int]], column: str | None) -> None:
    """Refuse segments that are in one document for some systems, and in another one for others.

    rows: by system, the document and the counters of each item. Where counters repeat, they count within documents.
    """
    held: dict[tuple[Any, ...], dict[Any, list[str]]] = {}
    for name, own in rows.items():
        if len({item[1:] for item in own}) < len(own):
            return
        for item in own:
            held.setdefault(item[1:], {}).setdefault(item[0], []).append(name)
    for label, documents in held.items():
        if len(documents) > 1:
            told = [f"in {document} for {listed(names[:_SHOWN])}" for document, names in documents.items()]
            raise AlignmentError(
                f"Segment {_label(label)} is in several documents: {listed(told[:_SHOWN])}. Correct the "
                f"column {column!r}: a segment has the same document for all systems."
            )


def _twice(
    system: str, columns: Mapping[str, Any], rows: tuple[int, int], keys: Sequence[str], item: str, score: str,
    table: str,
) -> str:  # fmt: skip
    """Return what is said of two scores of an item: where they are, what tells them apart, and what to do.

    keys: the columns that tell scores apart. table: the frame with all columns, as code.
    """
    values = {name: [list(column)[row] for row in rows] for name, column in columns.items() if name != score}
    apart = [name for name, (one, other) in values.items() if str(one) != str(other) and not isinstance(one, float)]
    mean = f"average them: {table}.groupby({list(keys)!r}, as_index=False)[{score!r}].mean()"
    how = f"Keep one of them: {table}.drop_duplicates({list(keys)!r}). Or {mean}."
    if apart:
        choice = f"`{apart[0]}` == {_shown(values[apart[0]][0])}"
        how = f"They differ in the column {apart[0]!r}: keep one of its values, as in frame.query({choice!r})."
        if apart[0] not in keys and _names.plain_name(apart[0]) not in _names.METRICS:
            how = f"{how[:-1]}, or {mean}."
    return f"The system {system!r} has two scores of the item {item}, in rows {rows[0]} and {rows[1]} (from 0). {how}"


def _one_after_another(systems: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the rows of the systems in groups, such that no row of another group is between the rows of one."""
    last, start, end = {name: row for row, name in enumerate(systems)}, 0, 0
    for row, name in enumerate(systems):
        end = max(end, last[name])
        if row == end:
            yield systems[start : row + 1]
            start = end = row + 1


def _by_size(scores: Iterable[Sequence[Any]]) -> bool:
    """Return whether the scores of each system rise, or those of each fall, which is no chance in that many items."""
    known = [[one for one in of_system if isinstance(one, Real) and one == one] for of_system in scores]
    if len(known) < 2 or any(len(of_system) < _FEWEST_SORTED or len({*of_system}) < 2 for of_system in known):
        return False
    return any(all(one == sorted(one, reverse=down) for one in known) for down in (False, True))


_FEWEST_SORTED = 10


def _in_rounds(systems: Sequence[str]) -> bool:
    """Return whether the rows of systems alternate, in blocks or one by one, so that their order tells the items."""
    counts, round_of, all_of = Counter[str](), list[str](), len(set(systems))
    for name in systems:
        if round_of[-1:] != [name]:
            if name in round_of:
                return False
            round_of.append(name)
        counts[name] += 1
        if len(round_of) == all_of and len(set(counts.values())) == 1:
            round_of = []
    return True


_KEYWORDS = {"documents": "documents", "domains": "domains", "reference": "references", "source": "sources"}
"""The keyword that takes a column, by the role that its name suggests."""


def _a_row_per_score(found: Mapping[str, Sequence[str]], system: str | None, score: str | None, to_file: str) -> str:
    """Return what to write for a frame with a row per score, where it was not; of several scores, how to choose one.

    system, score: the columns that were given. to_file: how a file is made of the frame and compared, as code.
    """
    scores = [score] if score is not None else list(found["score"])
    choices = [_written({**found, "system": [system or found["system"][0]], "score": [one]}) for one in scores]
    if len(choices) == 1:
        return f"The DataFrame has a row per score: write {choices[0]} in compare or measure.{_MEASURED}"
    return (
        f"The DataFrame has a row per item and the columns of scores {listed(scores)}. Choose one with score=: write "
        f"{choices[0]} in compare or measure.{_MEASURED} For all of them, save it and compare the file: {to_file}."
    )


_MEASURED = " Other functions take what measure returns, as in mtsig.audit(mtsig.measure(frame, system=…), …)."


def _written(by_keyword: Mapping[str, Sequence[str]]) -> str:
    """Return keyword arguments as they are typed."""
    given = {key: names[0] if len(names) == 1 else list(names) for key, names in by_keyword.items()}
    return ", ".join(f"{key}={value!r}" for key, value in given.items())


def _levels(frame: Any) -> dict[str, Any]:
    """Return the levels of a frame's index that have names; only pandas has an index."""
    index = getattr(frame, "index", None)
    names = [name for name in getattr(index, "names", None) or () if isinstance(name, str)]
    return {name: index.get_level_values(name) for name in names}  # type: ignore[union-attr]


def _per_score(columns: Mapping[str, Any], rest: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the keywords of a frame with a row per score; nothing for a frame with a column per system."""
    numbers = [
        name
        for name, column in rest.items()
        if _names.plain_name(name) not in _ABOUT | _names.SYSTEMS
        and all(_is_missing(item) or _is_number(item) for item in column)
    ]
    for name in (name for name in columns if _names.plain_name(name) in _names.SYSTEMS):
        items = list(columns[name])
        # A system may be called model, and its scores, or its texts, differ.
        repeats = numbers and len(set(map(str, items))) < len(items) and isinstance(items[0], str)
        if repeats or _names.plain_name(name) not in _names.MODELS:
            documents = [other for other in columns if _names.plain_name(other) in _names.DOCUMENTS]
            found = {"system": [name], "score": numbers or ["score"], "documents": documents[:1]}
            return {keyword: names for keyword, names in found.items() if names}
    return {}


def _other_texts(columns: Mapping[str, Any]) -> list[str]:
    """Return the columns of texts that are called references or sources; scores may be those of a reference."""
    return [
        name
        for name, column in columns.items()
        if _names.role_of_column(name) in {"reference", "source"}
        and isinstance(next((item for item in column if not _is_missing(item)), None), str)
    ]


def two_columns(first: Any, second: Any) -> dict[str, Any] | None:
    """Return two columns of scores by system, as in compare(a, b); None if the arguments are not two columns."""
    for column in (second, first):
        numbers = list(column) if isinstance(column, list | tuple) or getattr(column, "ndim", 0) == 1 else []
        if not numbers or not all(map(_is_number, numbers)):
            return None
    names = [_head(getattr(column, "name", None)).strip() for column in (first, second)]
    called: Sequence[str] = names if all(names) and names[0] != names[1] else "AB"
    return dict(zip(called, (first, second), strict=True))


def _check_values(data: Mapping[Any, Any]) -> None:
    """Refuse what would leave open which names are systems, and texts that are no lists of texts."""
    for key, value in data.items():
        if isinstance(value, Mapping) or _is_frame(value):
            raise InvalidOption(
                f"{key!r} holds {kind_of(value)}, but each system needs one list. Give several scores as "
                'ratings={"comet": {"A": [...], "B": [...]}}, scores by item as one DataFrame with a column per '
                "system, and several test sets as DataFrames with a row per score, with system= and score=."
            )
        if isinstance(value, str):
            raise InvalidOption(
                f"{key!r} holds one text: give a list with one string per item, or the path of a file that exists "
                f"(for every system); found {value[:40]!r}."
            )


def _named_rows(data: Any, systems: Sequence[str] | None, known: Sequence[str]) -> list[tuple[str, Any]]:
    """Return the rows of an array, or of a list of lists, each with its name."""
    if isinstance(data, list | tuple):
        rows = list(data)
    elif hasattr(data, "__array__"):
        # As it is: a masked array is one by its rows, too.
        rows = list(data if isinstance(data, np.ndarray) else np.asarray(data)) if np.ndim(data) else []
    else:
        raise InvalidOption(f"Give a corpus, a folder, or texts or scores {_BY_SYSTEM}; found {kind_of(data)}.")
    if not rows or not all(map(_is_row, rows)):
        strings = " strings" if rows and all(isinstance(row, str) for row in rows) else ""
        raise InvalidOption(
            f"One row per system is needed: give texts or scores {_BY_SYSTEM}, or an array of shape (systems, items) "
            f"and systems=[names]; found {kind_of(data)}{strings}."
        )
    if systems is None and len(rows) == len(known):
        systems = known
    if systems is None:
        beside = f"; the data have {len(known)} systems" if known else ""
        raise InvalidOption(f"Name the {len(rows)} rows, one per system: systems=[...]{beside}.")
    if isinstance(systems, str) or not isinstance(systems, Iterable):
        raise InvalidOption(f"systems must be a list of names; found {kind_of(systems)}.")
    names = _named(systems, "system")
    if len(names) != len(rows):
        turned = " Give its transpose: scores.T." if {len(row) for row in rows} == {len(names)} else ""
        raise AlignmentError(f"systems= has {len(names)} names for {len(rows)} rows, one row per system.{turned}")
    return list(zip(names, rows, strict=True))


def _is_row(row: Any) -> bool:
    return not isinstance(row, str | bytes | Mapping) and hasattr(row, "__len__") and getattr(row, "ndim", 1) == 1


def _items(label: str, column: Any) -> Any:
    """Return a column as something with a length whose items can be had one by one."""
    if isinstance(column, str) or not (hasattr(column, "__len__") or isinstance(column, Iterable)):
        raise InvalidOption(f"{label} needs a list with one entry per item; found {kind_of(column)}.")
    if isinstance(column, Mapping | set | frozenset):
        raise InvalidOption(f"{label} needs a list, whose order is that of the items; found {kind_of(column)}.")
    if getattr(column, "ndim", 1) != 1:
        raise InvalidOption(f"{label} needs one entry per item; found {kind_of(column)}.")
    if isinstance(column, np.ma.MaskedArray):
        # What is masked is missing, whatever stands below the mask.
        return [None if hidden else item for item, hidden in zip(column.data, np.ma.getmaskarray(column), strict=True)]
    return column if hasattr(column, "__len__") else list(column)


def _check_indexes(columns: Iterable[Any]) -> None:
    """Refuse Series that pandas would align and a list cannot be aligned with."""
    indexed = [column for column in columns if hasattr(column, "iloc")]
    if any(not column.index.equals(indexed[0].index) for column in indexed[1:]):
        raise AlignmentError(
            "The Series have different indexes: put them into one DataFrame, which aligns them, or give plain lists "
            "in the same order (series.tolist())."
        )


def _is_number(item: object) -> bool:
    return isinstance(item, float | int | np.number)


def _is_missing(item: Any) -> bool:
    """Return whether this stands for no entry: None, NaN, or pandas's NA, which is not even unlike itself."""
    if item is None or type(item).__name__ in {"NAType", "NaTType"}:
        return True
    return isinstance(item, float | np.floating) and item != item


def _are_texts(columns: Mapping[str, Any]) -> bool:
    """Return whether the columns hold texts, not scores; refuse some of each."""
    kinds = {}
    for system, column in columns.items():
        first = next((item for item in column if not _is_missing(item)), None)
        kinds[system] = isinstance(first, str | bytes)
    texts = [system for system, text in kinds.items() if text]
    if texts and len(texts) < len(kinds):
        _refuse_written_numbers({system: columns[system] for system in texts})
        raise InvalidOption(
            f"{listed(texts[:5])} hold{'s' if len(texts) == 1 else ''} texts, but the others hold scores. Give only "
            "systems here, and other data as references=, sources= or documents=."
        )
    return bool(texts)


_TO_NUMBERS = 'pandas.to_numeric(column, errors="coerce")'
"""How a column is made of numbers, and of gaps where there is none."""


def _refuse_written_numbers(columns: Mapping[str, Any], labels: Sequence[str] = ()) -> None:
    """Refuse a column of texts nearly all of which are numbers, as pandas reads those with a decimal comma."""
    for name, column in columns.items():
        cells = [(number, item) for number, item in enumerate(column) if isinstance(item, str) and item.strip()]
        numbers = [
            (number, item) for number, item in cells
            if _sheet.is_meant_as_score(item) and (any(map(str.isdigit, item)) or item.lower() == "nan")
        ]  # fmt: skip
        if not numbers or len(numbers) < 0.9 * len(cells):
            continue
        comma = next((place for place in numbers if "," in place[1]), None)
        number, item = comma or numbers[0]
        convert = 'column.str.replace(",", ".").astype(float)' if comma else _TO_NUMBERS
        if not hasattr(column, "str"):  # no Series of pandas or polars
            point = '.replace(",", ".")' if comma else ""
            convert = f"[float(cell{point}) for cell in column]"
        file = ', or read the file with pandas.read_csv(…, decimal=",")' if comma else ""
        raise InvalidOption(
            f"The column {name!r} holds texts that read as numbers: {item!r} is item {_at(labels, [number])}. "
            f"If they are scores, convert it: {convert}{file}. If they are outputs, give references=[...]."
        )


# --- texts and scores -------------------------------------------------------------------------------------------


def _texts(label: str, column: Any, labels: Sequence[str], gaps: bool = False) -> tuple[Any, ...]:
    lines = tuple(None if _is_missing(item) else item for item in column)
    for number, line in enumerate(lines):
        if line is None and gaps:
            continue
        if line is None:
            raise InvalidOption(f"{label} has no entry for item {_at(labels, [number])}; an empty text is written ''.")
        if not isinstance(line, str):
            raise InvalidOption(f"{label} has no text for item {_at(labels, [number])}; found {_shown(line)}.")
    return tuple(None if line is None else str(line) for line in lines)


def _labels(label: str, column: Any) -> tuple[str, ...] | None:
    if column is None:
        return None
    items = list(_items(label, column))
    if missing := [number for number, item in enumerate(items) if _blank(item)]:
        where = _at((), missing[:1])
        raise InvalidOption(f"{label} has no value for item {where}. Give one for every item, or omit {label}.")
    return tuple(str(item).strip() for item in items)


def _references(references: Any) -> dict[str, Any]:
    """Return the references by name: one list of strings is one, several lists are several."""
    if references is None:
        return {}
    if isinstance(references, Mapping) or _is_frame(references):
        heads = list(references if isinstance(references, Mapping) else references.columns)
        named = {name: references[head] for name, head in zip(_named(heads, "reference"), heads, strict=True)}
    elif isinstance(references, str | Path):
        raise InvalidOption(
            "references must be a list with one string per item, or the name of a column of a DataFrame; found "
            f"{str(references)[:60]!r}."
        )
    elif not hasattr(references, "__len__"):
        raise InvalidOption(f"references must be a list with one string per item; found {kind_of(references)}.")
    elif len(references) and not isinstance(next(iter(references)), str | None):
        named = {f"reference {number}": column for number, column in enumerate(references, 1)}
    else:
        named = {"reference": references}
    return {key: _items(f"Reference {key!r}", column) for key, column in named.items()}


def _rating(
    name: str,
    scores: Mapping[str, Any],
    systems: Sequence[str],
    better: Mapping[str, bool | None],
    notes: list[Note],
    labels: Sequence[str] = (),
) -> Rating:
    """Return the scores as a rating of all systems; those that it does not have are gaps."""
    n = len(next(iter(scores.values())))
    values = np.full((len(systems), n), np.nan)
    for system, column in scores.items():
        values[systems.index(system)] = row = _numbers(f"{system!r}", name, column, labels)
        gaps = np.flatnonzero(np.isnan(row)).tolist()
        if 0 < len(gaps) < n:
            where = f"{len(gaps)} of {n} items ({_at(labels, gaps)})"
            text = f"{system} has no {name} on {where}, so its pairs leave these out."
            notes.append(Note("note", text))
    if absent := [system for system, row in zip(systems, values, strict=True) if np.isnan(row).all()]:
        alike = [
            (one, other) for one in absent for other in scores if one != other and one.casefold() == other.casefold()
        ]
        asked = "".join(f" Is {other} the same system as {one}?" for one, other in alike)
        text = f"There are no {name} scores of {listed(absent)} to compare.{asked}"
        notes.append(Note("warning", text, systems=tuple(absent)))
    declared = better[name]
    word: _sheet.Direction | None = None if declared is None else "higher" if declared else "lower"
    try:
        higher, direction_source, doubts = _rates.direction_of(name, values.reshape(-1), word, name)
    except ReadError:
        said = "True or False" if len(better) == 1 else f"{{{name!r}: True}} or {{{name!r}: False}}"
        raise InvalidOption(f"Is a higher {name} better, or a lower one? Say higher_is_better={said}.") from None
    notes += doubts
    return Rating(values, higher, direction_source=direction_source)


def _directions(names: Sequence[str], higher_is_better: bool | Mapping[str, bool] | None) -> dict[str, bool | None]:
    """Return for each score whether higher is better, as declared; one word for all is none for a known other one."""
    of_all = None if isinstance(higher_is_better, Mapping) else higher_is_better
    by_name = higher_is_better if isinstance(higher_is_better, Mapping) else dict.fromkeys(names, of_all)
    for name, declared in by_name.items():
        find(dict.fromkeys(names, name), name, "rating")
        if not isinstance(declared, bool | np.bool_ | None):
            raise InvalidOption(f"higher_is_better must be True or False, or either by name; found {_shown(declared)}.")
    scales = {name: _names.scale_of(name) for name in names}
    against = [name for name, scale in scales.items() if scale and (scale.better == "higher") != bool(of_all)]
    if of_all is not None and against and len(names) > 1:
        rest = {name: bool(of_all) for name in names if name not in against} or dict.fromkeys(names, bool(of_all))
        raise InvalidOption(
            f"higher_is_better={of_all} would also turn {listed(against)}, of which {'lower' if of_all else 'higher'} "
            f"is better. Give it by name, as in higher_is_better={rest}."
        )
    return {name: None if (said := by_name.get(name)) is None else bool(said) for name in names}


def _shown(item: object) -> str:
    """Return an item for a message: what numpy wraps, as Python has it."""
    return repr(item.item() if isinstance(item, np.generic) else item)


def _numbers(system: str, name: str, column: Any, labels: Sequence[str]) -> Floats:
    """Return scores as numbers, NaN where one is missing."""
    numbers = np.empty(len(column))
    for number, item in enumerate(column):
        if _is_missing(item):
            numbers[number] = np.nan
            continue
        try:
            # A complex number would give its real part, and a warning.
            numbers[number] = np.nan if isinstance(item, str | bytes | complex | np.complexfloating) else float(item)
        except (TypeError, ValueError, OverflowError):
            numbers[number] = np.nan
        if not abs(numbers[number]) <= _sheet.MOST_SCORE:
            how = f" For a column: {_TO_NUMBERS}." if isinstance(item, str) else ""
            shown = "a number of hundreds of digits" if isinstance(item, int) and item > 10**15 else _shown(item)
            raise InvalidOption(
                f"System {system} has {shown} as its {name} on item {_at(labels, [number])}; expected a number from "
                f"−{_sheet.MOST_SCORE:.0e} to {_sheet.MOST_SCORE:.0e}, or None if there is no number.{how}"
            )
    return numbers
