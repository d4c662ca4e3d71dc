"""Rating a corpus: what files say goes in with the systems and segments there are, ratings come out.

Whether a higher score is better is declared by the user, or known from the name of the rating; it is never guessed.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from mtsig._limits import normalized, refuse_above, refuse_sparse
from mtsig._records import Index
from mtsig.corpus import Corpus, Note, RaterScores, Rating
from mtsig.corpus._annotations import ORIGINS, Marking
from mtsig.corpus._notes import listed, samples_by_name
from mtsig.corpus._ratings import UNNAMED, Sparse
from mtsig.errors import ReadError
from mtsig.readers._locate import Layout, bare_text, located
from mtsig.readers._names import RATING_SCALES, Scale, name_of, scale_of
from mtsig.readers._scored import Scored
from mtsig.readers._sheet import Direction

_WAVE = re.compile(r"wave[._-]?\d+", re.IGNORECASE)
"""In the name of a campaign's file, the wave that it is of."""


def direction_of(
    name: str, values: NDArray[np.float64], declared: Direction | None, label: str
) -> tuple[bool, str, Sequence[Note]]:
    """Return whether higher is better, how that is known, and what gives doubt."""
    known = values[~np.isnan(values)]
    scale = scale_of(name)
    if declared is not None:
        return declared == "higher", "declared", _doubts(name, known, scale, declared, label)
    if scale is None:
        raise ReadError(
            f"{label}: it is unknown whether a higher or a lower {name!r} is better. Known names are "
            f"{', '.join(item.title for item in RATING_SCALES)}. Declare the direction: {_say(name, label)}."
        )
    if scale.better == "higher":
        return True, f"known: {scale.title}, {scale.about}".rstrip(", "), _doubts(name, known, scale, "higher", label)
    if (known < 0).any() and (known > 0).any():
        raise ReadError(
            f"{label}: {scale.title} counts errors, so lower is better unless it is stored with a minus; here, scores "
            f"run from {known.min():g} to {known.max():g}. Declare the direction: {_say(name, label)}."
        )
    negated = bool((known < 0).any())
    how = "stored with a minus: no score is above 0" if negated else "stored without a minus: no score is below 0"
    return negated, f"known: {scale.title}, {how}", ()


def _say(name: str, label: str) -> str:
    """Return how the direction of a rating is said, wherever its file is read."""
    ending = ".csv" if ".csv" in label.lower() else ".tsv"
    files = f"name the file {name}.higher{ending} or {name}.lower{ending}"
    page = "choose it in the table of files on the Data page"
    return f"{files}, or {page}; in a shell, FILE:lower; in Python, higher_is_better=False"


def _doubts(
    name: str, known: NDArray[np.float64], scale: Scale | None, better: Direction, label: str
) -> Sequence[Note]:
    """Return warnings where scores do not look like their name."""
    if scale is None or not len(known):
        return ()
    doubts = []
    if scale.better == "higher" and better == "lower":
        doubts.append(f"{name}: {scale.title} usually means higher = better, but the declared lower = better is used.")
    low, high = known.min(), known.max()
    if (scale.better == "by sign" or scale.title == "MQM") and better == "higher" and low >= 0 < high:
        doubts.append(
            f"{name}: {scale.title} counts errors, and higher is better only if it is stored with a minus, but here no "
            "score is below 0. It is read as higher = better. If these scores count errors, declare it: "
            f"{_say(name, label)}."
        )
    elif (scale.low is not None and low < scale.low) or (scale.high is not None and high > scale.high):
        doubts.append(f"{name}: scores run from {low:g} to {high:g}; expected for {scale.title}: {scale.about}.")
    return [Note("warning", text) for text in doubts]


MOST_RATERS = 8
"""Up to so many raters are also listed one by one, beside their mean."""


@dataclass(frozen=True, eq=False)
class Given:
    """One rating as it is to be taken: its name, with @RATER behind it where one person gave it, and its direction."""

    name: str
    scored: Scored
    better: Direction | None = None

    @property
    def rating(self) -> str:
        """The rating, whoever gave it."""
        return self.name.partition("@")[0]

    @property
    def wave(self) -> str:
        """The wave of a campaign that its file is of, as the file's name says it; "" where it says none."""
        said = _WAVE.search(PurePosixPath(self.scored.label).name)
        return said[0] if said else ""

    @property
    def rater(self) -> str | None:
        """Who gave it."""
        return self.name.partition("@")[2] or None


def rate(
    given: Sequence[Given], with_text: Sequence[str], layout: Layout
) -> tuple[list[str], dict[str, Rating], list[Marking], list[Note]]:
    """Return all systems (those with text first), the ratings of all of them, marked errors, and what to know of them.

    Files that give the same rating for different systems or raters are put together; raters are averaged, and listed
    one by one when they are few; adequacy and fluency are added up (Zhang and Vogel 2004).
    """
    known = _Names(with_text)
    by_rating: dict[str, list[Given]] = defaultdict(list)
    for sheet in (_named_as_metric(sheet, with_text) for sheet in given):
        _check_name(sheet)
        by_rating[sheet.rating].append(sheet)
    notes: list[Note] = []
    placed: list[tuple[Given, list[int], NDArray[np.int64]]] = []
    tables: dict[str, dict[str | None, _Table]] = {}
    for rating, group in by_rating.items():
        tables[rating] = defaultdict(_Table)
        for sheet in group:
            _check_all_rows(sheet.scored, layout)
            rows, places = known.rows(sheet, layout.outputs)
            notes += places
            taken_for = list(known)
            columns, joins = located(sheet.scored, layout, [taken_for[row] for row in rows])
            notes += joins
            tables[rating][sheet.rater].add(sheet, rows, columns)
            placed.append((sheet, rows, columns))
        _check_match(rating, group, tables[rating], with_text, list(known))
        notes += _may_be_shifted([(sheet.scored, columns) for sheet, _, columns in placed[-len(group) :]], layout)
    names = list(known)
    _check_filled(given, len(by_rating) * len(names) * layout.n, len(with_text) * layout.n)
    marked = [
        marking
        for sheet, rows, columns in placed
        for marking in _markings(sheet, [names[row] for row in rows], columns.tolist())
    ]
    found_ratings: dict[str, Rating] = {}
    for rating, group in by_rating.items():
        cells = {who: table.cells(layout.n) for who, table in tables[rating].items()}
        repeats = {(who, *cell): scores for who, table in tables[rating].items() for cell, scores in table.repeats()}
        rater_scores = RaterScores.of_sparse(cells, repeats) if repeats or set(cells) != {None} else None
        higher, direction_source, doubts = _direction(rating, group, cells)
        notes += doubts
        found_ratings |= _averaged(rating, cells, (len(names), layout.n), higher, direction_source, rater_scores, notes)
    found_ratings |= _sum(found_ratings, notes)
    return names, found_ratings, marked, list(dict.fromkeys(notes))


def _may_be_shifted(group: Sequence[tuple[Scored, NDArray[np.int64]]], layout: Layout) -> list[Note]:
    """Return the doubt of numbers that may count from another number: they end one before the last, or lack the 0."""
    last = max(int(columns.max()) for _, columns in group)
    first, n = group[0][0], layout.n
    rows = [
        place.row for scored, _ in group for place in scored.places
        if layout.documents is None or place.document is None
    ]  # fmt: skip
    if rows and None not in rows and min(filter(None, rows), default=0) == 1 and 0 not in rows:
        text = (
            f"{first.label}: no item is 0, but Appraise counts from 0. If its items count from 1, subtract 1 from each."
        )
        return [Note("warning", text)]
    if last != n - 2 or any(scored.counts_from != 1 or scored.texts for scored, _ in group) or not first.places:
        return []
    text = (
        f"{first.label}: its segments are numbered up to {n - 1:,}, but there are {n:,}. If they count from 0, the "
        "scores are one segment too early: add a row for segment 0, without a score."
    )
    return [Note("warning", text)]


LIKE_ITS_ORIGINS = 0.5
"""From this share of segments that are its origins' own text on, a reference is the one that a file speaks of."""


def with_origins(corpus: Corpus, given: Sequence[Given]) -> Corpus:
    """Return the corpus with what its reference was put together from, segment by segment, as a file says.

    Which reference that is tells its text, for the file does not: most of its segments are those of the systems named.
    """
    outputs = {name: corpus.outputs[runs[0]] for name, runs in corpus.systems.items() if len(runs) == 1}
    names, ratings, _, _ = rate(given, list(corpus.systems), Layout(len(corpus), corpus.documents, outputs=outputs))
    named = ~np.isnan(ratings[ORIGINS].values)
    whose, known = [names[row] for row in named.argmax(axis=0)], np.asarray(named.any(axis=0))
    shares = {
        name: float(np.mean([bare_text(outputs[whose[i]][i] or "") == bare_text(lines[i] or "") for i in at]))
        for name, lines in corpus.references.items()
        if (at := [i for i in np.flatnonzero(known).tolist() if whose[i] in outputs])
    }
    label, best = given[0].scored.label, max(shares, key=shares.__getitem__, default="")
    if not shares or shares[best] < LIKE_ITS_ORIGINS:
        text = f"{label} was not used, because no reference contains the texts of the systems that it names."
        return replace(corpus, notes=(*corpus.notes, Note("warning", text)))
    text = f"{label}: reference {best!r} consists of these outputs ({shares[best]:.0%} are identical)."
    origins = tuple(name if of else None for name, of in zip(whose, known.tolist(), strict=True))
    annotations = {**corpus.annotations, ORIGINS: {**corpus.annotations.get(ORIGINS, {}), best: origins}}
    return replace(corpus, annotations=annotations, notes=(*corpus.notes, Note("note", text)))


def _named_as_metric(given: Given, systems: Sequence[str]) -> Given:
    """Return a rating whose file is called SYSTEM.METRIC, or METRIC/SYSTEM, as METRIC; any other as it is.

    So is one of lists by system in a file that is called METRIC.
    """
    if not given.scored.unnamed:
        return given
    (stem,), column = given.scored.systems, given.scored.column
    folder = PurePosixPath(given.scored.label).parent.name
    if begun := [name for name in systems if given.name.startswith(f"{name}.")]:
        return replace(given, name=given.name[len(max(begun, key=len)) + 1 :])
    if stem in systems and scale_of(folder) is not None:
        return replace(given, name=folder + given.name.removeprefix(stem))
    if column is not None and column in systems and given.name == f"{stem}-{column}":
        return replace(given, name=stem, scored=replace(given.scored, systems=(column,), unnamed=False))
    return given


def _markings(given: Given, systems: Sequence[str], segments: Sequence[int]) -> Iterator[Marking]:
    """Yield the errors that were marked, of these systems of the corpus and at these segments of it."""
    name_of = dict(zip(given.scored.systems, systems, strict=True))
    segment_of = {place.key: segment for place, segment in zip(given.scored.places, segments, strict=True)}
    for mark in given.scored.marks:
        if mark.system in name_of:
            error = mark.error._replace(rating=given.rating)
            yield Marking(
                name_of[mark.system], segment_of[mark.key], error, mark.text, mark.first, mark.last, mark.shown
            )


class _Table:
    """Scores of one rating by one rater, from one or several files."""

    def __init__(self) -> None:
        self._given: list[tuple[Given, NDArray[np.int64], NDArray[np.int64]]] = []
        self._more: dict[tuple[int, int], tuple[float, ...]] = {}
        self.systems: set[int] = set()

    def add(self, given: Given, rows: Sequence[int], columns: NDArray[np.int64]) -> None:
        """Take a file's scores in: the row of each of its systems, the column of each of its places."""
        self._given.append((given, np.array(rows, dtype=np.int64), columns))
        self.systems.update(rows)

    def cells(self, segments: int) -> Sparse:
        """Return the scores and where they belong."""
        parts: list[Sparse] = []
        origins: list[tuple[Given, Index]] = []
        for table, rows, columns in self._given:
            first: dict[int, int] = {}
            for place, column in enumerate(columns.tolist()):
                if first.setdefault(column, place) != place:
                    raise ReadError(_twice(table, place, f"on line {table.scored.places[first[column]].line}"))
            row, place_of = np.nonzero(~np.isnan(table.scored.values))
            parts.append(Sparse(rows[row], columns[place_of], table.scored.values[row, place_of]))
            origins.append((table, place_of))
        if len(parts) == 1:
            return parts[0]
        whole = Sparse(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
        keys = whole.system * segments + whole.segment
        order = np.argsort(keys, kind="stable")
        again = order[1:][np.diff(keys[order]) == 0]
        if len(again) and len({own.wave for own, _, _ in self._given} - {""}) == len(self._given):
            return self._over_waves(whole, keys)
        if len(again):
            at = int(again.min())
            for table, place_of in origins:
                if at < len(place_of):
                    raise ReadError(_twice(table, int(place_of[at]), "in another file"))
                at -= len(place_of)
        return whole

    def _over_waves(self, whole: Sparse, keys: NDArray[np.int64]) -> Sparse:
        """Return the means of outputs that the same rater rated in several waves, and keep what they are means of."""
        _, first, of, count = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
        value = np.bincount(of, whole.value) / count
        for at in np.flatnonzero(count > 1).tolist():
            cell = int(whole.system[first[at]]), int(whole.segment[first[at]])
            self._more[cell] = tuple(whole.value[of == at].tolist())
        return Sparse(whole.system[first], whole.segment[first], value)

    def repeats(self) -> Iterator[tuple[tuple[int, int], tuple[float, ...]]]:
        """Yield the system and segment of every output that was rated more than once, and its scores."""
        yield from self._more.items()
        for table, rows, columns in self._given:
            for (row, place), scores in table.scored.repeats.items():
                yield (int(rows[row]), int(columns[place])), scores


def _twice(given: Given, place: int, where: str) -> str:
    return (
        f"{given.scored.label}, line {given.scored.places[place].line}: this is a second {given.name} for the same "
        f"system and segment; the first is {where}. Give one of them another name: NAME=FILE."
    )


def _check_all_rows(scored: Scored, layout: Layout) -> None:
    """Check that rows without numbers are as many as there are segments: which of them lack could not be told."""
    if scored.in_order and len(scored.places) != layout.n:
        raise ReadError(
            f"{scored.label}: found {len(scored.places):,} rows of scores for {layout.n:,} segments, but no column "
            "gives the segment of a row. Add a column segment (from 1), or a row for every segment (cells may be "
            "empty)."
        )


def _check_filled(given: Sequence[Given], cells: int, texts: int) -> None:
    """Check that ratings of every system at every segment are not far more than the scores and texts that there are."""
    scores = sum(int(np.count_nonzero(~np.isnan(sheet.scored.values))) for sheet in given)
    refuse_sparse(cells, scores + texts, given[0].scored.label)


def _check_name(given: Given) -> None:
    if ":" in given.name or not given.rating.strip():
        raise ReadError(
            f"{given.scored.label}: {given.name!r} cannot be the name of a rating. Give it a name without a colon "
            "(in a shell, NAME=FILE)."
        )


class _Names:
    """The names of all systems so far, by their rows and by how they are spelled: every file adds its own."""

    def __init__(self, names: Sequence[str]) -> None:
        self._row_of: dict[str, int] = {}
        self._spelled: dict[str, list[str]] = defaultdict(list)
        for name in names:
            self._row(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._row_of)

    def __len__(self) -> int:
        return len(self._row_of)

    def rows(
        self, given: Given, outputs: Mapping[str, Sequence[str | None]] | None = None
    ) -> tuple[list[int], list[Note]]:
        """Return the rows of a file's systems, new ones at the end, and what names were taken for."""
        if given.scored.unnamed:
            return self._unnamed(given)
        same = self._same(given.scored.systems)
        if outputs:
            same |= self._by_texts(given.scored, [name for name in given.scored.systems if name not in same], outputs)
        said = [f"{given.name}: {', '.join(f'{new} is read as {name}' for new, name in same.items())}."] * bool(same)
        # A score of a system with several outputs per segment is one of some output: of which one matters to no test.
        sampled = samples_by_name(self._row_of)
        if one := [name for name in given.scored.systems if name not in {*self._row_of, *same} and name in sampled]:
            same |= {name: sampled[name][0] for name in one}
            said.append(f"{given.name}: {listed(one)} has scores of one of its outputs; it is unknown of which.")
        rows = [self._row(same.get(system, system)) for system in given.scored.systems]
        refuse_above("max_systems", len(self), given.scored.label)
        return rows, [Note("note", text) for text in said]

    def _unnamed(self, given: Given) -> tuple[list[int], list[Note]]:
        """Return the row of the system of a file that names none: what its name begins with, or the only one here."""
        (stem,) = given.scored.systems
        known = list(self._row_of)
        begun = [name for name in known if re.match(rf"{re.escape(name)}(?![\w-])", stem)]
        if not begun and len(known) > 1:
            raise ReadError(
                f"{given.scored.label} has scores of an unknown system: expected a file name that begins with "
                f"{_few(known)}; got {stem!r}. Name the file SYSTEM.METRIC.txt, or add a column that names the system."
            )
        name = max(begun, key=len, default=known[0] if known else stem)
        return [self._row(name)], [Note("note", f"{given.scored.label}: its scores were read as those of {name}.")]

    def _row(self, name: str) -> int:
        if name not in self._row_of:
            self._row_of[name] = len(self._row_of)
            self._spelled[_spelling(name)].append(name)
        return self._row_of[name]

    def _same(self, new: Sequence[str]) -> dict[str, str]:
        """Return new name -> known name where they differ in punctuation, case, a submission number or .txt only.

        A name stays what it is when it is known as it stands, or could be several, or when two new ones could be it.
        """
        if all(name in self._row_of for name in new):
            return {}
        rivals = Counter(map(_spelling, new))
        same = {}
        for name in new:
            candidates = self._spelled.get(_spelling(name), [])
            if name not in self._row_of and len(candidates) == 1 and rivals[_spelling(name)] == 1:
                same[name] = candidates[0]
        return same

    def _by_texts(
        self, scored: Scored, new: Sequence[str], outputs: Mapping[str, Sequence[str | None]]
    ) -> dict[str, str]:
        """Return new name -> known name where all texts that were rated are outputs of that one system alone."""
        same = {}
        for name in new:
            if name in self._row_of:
                continue
            row = scored.systems.index(name)
            rated = {bare_text(text) for (system, _), text in scored.texts.items() if system == row}
            whose = [known for known, lines in outputs.items() if rated and rated <= set(map(bare_text, lines))]
            if len(whose) == 1 and whose[0] not in scored.systems:
                same[name] = whose[0]
        return same if len(set(same.values())) == len(same) else {}


def scores_of(scored: Scored, systems: Sequence[str]) -> Scored | None:
    """Return the scores of these systems, however the file spells them; None when none of them is there."""
    wanted = {_spelling(system) for system in systems}
    rows = [row for row, system in enumerate(scored.systems) if _spelling(system) in wanted]
    if not rows:
        return None
    at = {row: place for place, row in enumerate(rows)}
    repeats = {(at[row], place): several for (row, place), several in scored.repeats.items() if row in at}
    texts = {(at.get(row, row), place): text for (row, place), text in scored.texts.items() if row < 0 or row in at}
    systems = tuple(scored.systems[row] for row in rows)
    return replace(scored, systems=systems, values=scored.values[rows], repeats=repeats, texts=texts)


_APART = re.compile(r"(?<=\d)[\W_]+(?=\d)")
"""What stands between numbers: gpt-4.1 is not gpt-41."""


_SUBMISSION = re.compile(r"(?<!\d)\.\d+$|\.\d{3,}$")
"""The number of a submission: Online-B.4, ours.737; behind a number it has three digits, or it is a version."""


def _spelling(name: str) -> str:
    """Return a name for comparison: without its file's ending or a submission's number, punctuation and case."""
    bare = _SUBMISSION.sub("", name_of(normalized("NFKC", name))).lower()
    return ".".join(re.sub(r"[\W_]+", "", piece) for piece in _APART.split(bare))


def _check_match(
    rating: str,
    group: Sequence[Given],
    tables: Mapping[str | None, _Table],
    with_text: Sequence[str],
    names: Sequence[str],
) -> None:
    rated = {row for table in tables.values() for row in table.systems}
    if with_text and not rated & set(range(len(with_text))):
        raise ReadError(
            f"{group[0].scored.label}: {rating} is given for {_few([names[row] for row in sorted(rated)])}, none of "
            f"which is a system here ({_few(with_text)}). Rename one of the two, or omit the ratings."
        )


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (", …" if len(names) > 5 else "")


def _direction(
    rating: str, group: Sequence[Given], cells: Mapping[str | None, Sparse]
) -> tuple[bool, str, Sequence[Note]]:
    declared = {given.better for given in group if given.better is not None}
    if len(declared) > 1:
        raise ReadError(
            f"{rating} is declared higher = better in one file and lower = better in another. Declare one "
            "direction for both."
        )
    everything = np.concatenate([part.value for part in cells.values()])
    return direction_of(rating, everything, next(iter(declared), None), group[0].scored.label)


def _averaged(
    rating: str,
    cells: Mapping[str | None, Sparse],
    shape: tuple[int, int],
    higher: bool,
    direction_source: str,
    rater_scores: RaterScores | None,
    notes: list[Note],
) -> dict[str, Rating]:
    """Return the rating, averaged over raters; and those of the single raters behind it, when they are few."""
    if len(cells) == 1:
        ((who, alone),) = cells.items()
        return {rating: Rating(_filled(alone, shape), higher, who, direction_source, rater_scores)}
    given = np.zeros(shape, dtype=np.intp)
    system, segment, value = (np.concatenate(columns) for columns in zip(*cells.values(), strict=True))
    np.add.at(given, (system, segment), 1)
    # Scores of -0, which MQM has, stay what they are where nobody lacks.
    total = np.where(given < len(cells), 0.0, -0.0)
    np.add.at(total, (system, segment), value)
    mean = np.divide(total, given, out=np.full(shape, np.nan), where=given > 0)
    text = f"{rating}: mean of {len(cells)} raters"
    fewest, most = int(given[given > 0].min(initial=len(cells))), int(given.max(initial=0))
    if fewest < len(cells):
        text += f"; each output was rated by {fewest if fewest == most else f'{fewest} to {most}'} of them"
    ratings = {rating: Rating(mean, higher, f"mean of {len(cells)} raters", direction_source, rater_scores)}
    if len(cells) <= MOST_RATERS:
        ratings |= {
            f"{rating}@{who or UNNAMED}": Rating(_filled(own, shape), higher, who, direction_source)
            for who, own in cells.items()
        }
        text += f". To compare by one rater alone, name the metric, such as {rating}@{next(iter(cells)) or UNNAMED}"
    else:
        text += f"; more than {MOST_RATERS} raters are not listed individually"
    notes.append(Note("note", f"{text}."))
    return ratings


def _filled(cells: Sparse, shape: tuple[int, int]) -> NDArray[np.float64]:
    """Return a rating's values of this shape, NaN where there is none."""
    values = np.full(shape, np.nan)
    values[cells.system, cells.segment] = cells.value
    return values


def _sum(ratings: Mapping[str, Rating], notes: list[Note]) -> dict[str, Rating]:
    """Return adequacy + fluency where both were judged (Zhang and Vogel 2004)."""
    parts = {name.lower(): rating for name, rating in ratings.items() if name.lower() in {"adequacy", "fluency"}}
    if len(parts) < 2 or not all(part.higher_is_better for part in parts.values()) or "adequacy+fluency" in ratings:
        return {}
    adequacy, fluency = parts["adequacy"], parts["fluency"]
    notes.append(Note("note", "adequacy+fluency: the sum of both, if both were rated (Zhang and Vogel 2004)."))
    rater = adequacy.rater if adequacy.rater == fluency.rater else None
    return {"adequacy+fluency": Rating(adequacy.values + fluency.values, True, rater, "sum of adequacy and fluency")}
