"""Rating a corpus: what files say goes in with the systems and segments there are, ratings come out.

Whether a higher score is better is declared by the user, or known from the name of the rating; it is never guessed.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mtsig._records import Index
from mtsig.corpus import Judgements, Note, Rating
from mtsig.corpus._annotations import Marking
from mtsig.corpus._ratings import UNNAMED, Sparse
from mtsig.errors import ReadError
from mtsig.limits import refuse_above, refuse_sparse
from mtsig.readers._locate import Layout, located
from mtsig.readers._scored import Scored
from mtsig.readers._sheet import Direction


@dataclass(frozen=True)
class Scale:
    """A known kind of score: the words that name it, its direction, and between which values it usually lies.

    better: "by sign" means that the score counts errors, so that lower is better as long as it is stored as it is, and
    higher when it is stored with a minus. people: whether people give it.
    """

    title: str
    words: tuple[str, ...]
    better: Literal["higher", "by sign"]
    about: str
    low: float | None = None
    high: float | None = None
    people: bool = False


RATING_SCALES: tuple[Scale, ...] = (
    Scale("MQM", ("mqm",), "higher", "minus the weight of the errors: 0 is perfect", high=0, people=True),
    Scale("ESA", ("esa",), "higher", "0 to 100", 0, 100, people=True),
    Scale("adequacy, fluency", ("adequacy", "fluency"), "higher", "1 to 5", 1, 5, people=True),
    Scale("correct", ("correct", "acceptable"), "higher", "1 = right, 0 = wrong", 0, 1, people=True),
    Scale("accuracy, exact match, F1", ("acc", "accuracy", "em", "exact", "f1"), "higher",
          "1 = right, 0 = wrong, or a share", 0, 1),
    Scale("COMET", ("comet", "xcomet", "cometkiwi", "kiwi", "cometoid"), "higher", "about 0 to 1"),
    Scale("BLEURT", ("bleurt",), "higher", "about 0 to 1"),
    Scale("BERTScore, BARTScore", ("bertscore", "bartscore", "prism"), "higher", "BARTScore and Prism are negative"),
    Scale("YiSi, UniTE", ("yisi", "unite"), "higher", "about 0 to 1"),
    Scale("GEMBA", ("gemba",), "higher", "0 to 100; GEMBA-MQM is negative"),
    Scale("MaTESe, SEScore", ("matese", "sescore"), "higher", "minus the weight of the errors"),
    Scale("BLEU", ("bleu", "sentbleu", "sentencebleu", "spbleu"), "higher", "0 to 100, or 0 to 1"),
    Scale("chrF", ("chrf", "chrfs"), "higher", "0 to 100, or 0 to 1"),
    Scale("METEOR, NIST, ROUGE, hLEPOR", ("meteor", "nist", "rouge", "hlepor"), "higher", ""),
    Scale("DA", ("da", "raw", "z", "sqm", "appraise"), "higher", "direct assessment: 0 to 100, or standardized (z)",
          people=True),
    Scale("MetricX", ("metricx",), "by sign", "0 to 25, lower is better; often stored negated"),
    Scale("TER, HTER, WER, CER, EED", ("ter", "hter", "wer", "cer", "eed"), "by sign",
          "errors, lower is better; often stored negated"),
)  # fmt: skip
"""What is known of ratings by name: the table that decides directions, and that is shown where one is asked for."""

_TURNS = {
    "error", "errors", "neg", "negative", "negated", "minus", "inverse", "inverted", "penalty", "loss", "cost",
    "distance", "rank", "diff", "difference", "delta", "time", "seconds", "length", "count", "std", "sd", "variance",
}  # fmt: skip
"""Words after which a name no longer says which direction is better."""


def scale_of(name: str) -> Scale | None:
    """Return the known scale that a rating's name tells, or None: no word of it is known, or one turns its meaning.

    >>> scale_of("MetricX-24-Hybrid-XL").title, scale_of("wmt22-comet-da").title, scale_of("comet_error")
    ('MetricX', 'COMET', None)
    """
    words = _words(name)
    if _TURNS & words:
        return None
    return next((scale for scale in RATING_SCALES if words & set(scale.words)), None)


def given_by(name: str) -> Literal["people", "programs", ""]:
    """Return who gave a rating, as far as its name tells: programs too give MQM and direct assessments.

    >>> given_by("GEMBA-MQM"), given_by("wmt22-comet-da"), given_by("mqm"), given_by("effort")
    ('programs', 'programs', 'people', '')
    """
    words = _words(name)
    scales = [scale for scale in RATING_SCALES if words & set(scale.words)]
    if any(not scale.people for scale in scales):
        return "programs"
    return "people" if scales else ""


def _words(name: str) -> set[str]:
    words = re.split(r"[^a-z0-9]+", name.lower())
    return {*words, *(word.rstrip("0123456789") for word in words)}


def direction_of(
    name: str, values: NDArray[np.float64], declared: Direction | None, label: str
) -> tuple[bool, str, Sequence[Note]]:
    """Return whether higher is better, how that is known, and what gives doubt.

    Raises:
        ReadError: nothing was declared and the name is not known, or its scores have both signs.
    """
    known = values[~np.isnan(values)]
    scale = scale_of(name)
    if declared is not None:
        return declared == "higher", "declared", _doubts(name, known, scale, declared)
    if scale is None:
        raise ReadError(
            f"{label}: is a higher {name!r} better, or a lower one? The name is none of the known ones "
            f"({', '.join(item.title for item in RATING_SCALES)}), so say it: {_say(name)}."
        )
    if scale.better == "higher":
        return True, f"known: {scale.title}, {scale.about}".rstrip(", "), _doubts(name, known, scale, "higher")
    if (known < 0).any() and (known > 0).any():
        raise ReadError(
            f"{label}: {scale.title} counts errors, lower is better, unless it is stored with a minus; here scores "
            f"from {known.min():g} to {known.max():g} have both signs. Say which is better: {_say(name)}."
        )
    negated = bool((known < 0).any())
    how = "stored negated: none is above 0" if negated else "stored as it is: none is below 0"
    return negated, f"known: {scale.title}, {how}", ()


def _say(name: str) -> str:
    """Return how the direction of a rating is said, wherever its file is read."""
    return f"call the file {name}.higher.tsv or {name}.lower.tsv, or choose it on the Data page; in a shell, FILE:lower"


def _doubts(name: str, known: NDArray[np.float64], scale: Scale | None, better: Direction) -> Sequence[Note]:
    """Return warnings where scores do not look like their name."""
    if scale is None or not len(known):
        return ()
    doubts = []
    if scale.better == "higher" and better == "lower":
        doubts.append(f"{name}: {scale.title} is known as higher = better, and was declared lower = better; kept so.")
    low, high = known.min(), known.max()
    if scale.title == "MQM" and better == "higher" and low >= 0 < high:
        doubts.append(
            f"{name}: MQM is usually stored as minus the weight of the errors, and here no score is below 0. It is "
            f"read as higher = better; if these are weights of errors, say so: {_say(name)}."
        )
    elif (scale.low is not None and low < scale.low) or (scale.high is not None and high > scale.high):
        doubts.append(f"{name}: scores run from {low:g} to {high:g}; expected for {scale.title}: {scale.about}.")
    return [Note("warning", text) for text in doubts]


MOST_JUDGES = 8
"""Up to so many judges are also listed one by one, beside their mean."""


@dataclass(frozen=True, eq=False)
class Given:
    """One rating as it is to be taken: its name, with @JUDGE behind it where one person gave it, and its direction."""

    name: str
    scored: Scored
    better: Direction | None = None

    @property
    def rating(self) -> str:
        """The rating, whoever gave it."""
        return self.name.partition("@")[0]

    @property
    def judge(self) -> str | None:
        """Who gave it."""
        return self.name.partition("@")[2] or None


def rate(
    given: Sequence[Given], with_text: Sequence[str], layout: Layout
) -> tuple[list[str], dict[str, Rating], list[Marking], list[Note]]:
    """Return all systems (those with text first), the ratings of all of them, marked errors, and what to know of them.

    Files that give the same rating for different systems or judges are put together; judges are averaged, and listed
    one by one when they are few; adequacy and fluency are added up (ZV04).

    Raises:
        ReadError: two files give the same score, a rating matches no system, a segment is not here, or a direction is
            not known.
    """
    known = _Names(with_text)
    by_rating: dict[str, list[Given]] = defaultdict(list)
    for sheet in given:
        _check_name(sheet)
        by_rating[sheet.rating].append(sheet)
    notes: list[Note] = []
    placed: list[tuple[Given, list[int], NDArray[np.int64]]] = []
    tables: dict[str, dict[str | None, _Table]] = {}
    for rating, group in by_rating.items():
        tables[rating] = defaultdict(_Table)
        for sheet in group:
            _check_all_rows(sheet.scored, layout)
            rows, places = known.rows(sheet)
            notes += places
            columns = located(sheet.scored, layout)
            tables[rating][sheet.judge].add(sheet, rows, columns)
            placed.append((sheet, rows, columns))
        _check_match(rating, group, tables[rating], with_text, list(known))
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
        judgements = Judgements.of_sparse(cells, repeats) if repeats or set(cells) != {None} else None
        higher, direction_source, doubts = _direction(rating, group, cells)
        notes += doubts
        found_ratings |= _judged(rating, cells, (len(names), layout.n), higher, direction_source, judgements, notes)
    found_ratings |= _sum(found_ratings, notes)
    return names, found_ratings, marked, notes + _textless(names, with_text)


def _markings(given: Given, systems: Sequence[str], segments: Sequence[int]) -> Iterator[Marking]:
    """Yield the errors that were marked, of these systems of the corpus and at these segments of it."""
    name_of = dict(zip(given.scored.systems, systems, strict=True))
    segment_of = {place.key: segment for place, segment in zip(given.scored.places, segments, strict=True)}
    for mark in given.scored.marked:
        if mark.system in name_of:
            error = mark.error._replace(rating=given.rating)
            yield Marking(name_of[mark.system], segment_of[mark.key], error, mark.text, mark.first, mark.last)


class _Table:
    """Scores of one rating by one judge, from one or several files."""

    def __init__(self) -> None:
        self._given: list[tuple[Given, NDArray[np.int64], NDArray[np.int64]]] = []
        self.systems: set[int] = set()

    def add(self, given: Given, rows: Sequence[int], columns: NDArray[np.int64]) -> None:
        """Take a file's scores in: the row of each of its systems, the column of each of its places."""
        self._given.append((given, np.array(rows, dtype=np.int64), columns))
        self.systems.update(rows)

    def cells(self, segments: int) -> Sparse:
        """Return the scores and where they belong.

        Raises:
            ReadError: two files, or two lines of one, give a score for the same system and segment.
        """
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
        if len(again):
            at = int(again.min())
            for table, place_of in origins:
                if at < len(place_of):
                    raise ReadError(_twice(table, int(place_of[at]), "in another file"))
                at -= len(place_of)
        return whole

    def repeats(self) -> Iterator[tuple[tuple[int, int], tuple[float, ...]]]:
        """Yield the system and segment of every output that was rated more than once, and its scores."""
        for table, rows, columns in self._given:
            for (row, place), scores in table.scored.repeats.items():
                yield (int(rows[row]), int(columns[place])), scores


def _twice(given: Given, place: int, where: str) -> str:
    return (
        f"{given.scored.label}, line {given.scored.places[place].line}: a second {given.name} for the same system and "
        f"segment; the first stands {where}. Give one of them another name: NAME=FILE."
    )


def _check_all_rows(scored: Scored, layout: Layout) -> None:
    """Check that rows without numbers are as many as there are segments: which of them lack could not be told."""
    if scored.in_order and len(scored.places) != layout.n:
        raise ReadError(
            f"{scored.label}: found {len(scored.places):,} rows of scores and no column that says which segment each "
            f"is of; there are {layout.n:,} segments. Add a column called segment (from 1), or a row for every segment "
            "(cells may be empty)."
        )


def _check_filled(given: Sequence[Given], cells: int, texts: int) -> None:
    """Check that ratings of every system at every segment are not far more than the scores and texts that there are."""
    scores = sum(int(np.count_nonzero(~np.isnan(sheet.scored.values))) for sheet in given)
    refuse_sparse(cells, scores + texts, given[0].scored.label)


def _check_name(given: Given) -> None:
    if ":" in given.name or not given.rating.strip():
        raise ReadError(
            f"{given.scored.label}: a rating cannot be called {given.name!r}; give it another name, without a colon "
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

    def rows(self, given: Given) -> tuple[list[int], list[Note]]:
        """Return the rows of a file's systems, new ones at the end, and what names were taken for."""
        same = self._same(given.scored.systems)
        rows = [self._row(same.get(system, system)) for system in given.scored.systems]
        refuse_above("max_systems", len(self), given.scored.label)
        if not same:
            return rows, []
        said = ", ".join(f"{system} is taken to be {name}" for system, name in same.items())
        return rows, [Note("note", f"{given.name}: {said}.")]

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


def scores_of(scored: Scored, systems: Sequence[str]) -> Scored | None:
    """Return the scores of these systems, however the file spells them; None when none of them is there."""
    wanted = {_spelling(system) for system in systems}
    rows = [row for row, system in enumerate(scored.systems) if _spelling(system) in wanted]
    if not rows:
        return None
    repeats = {(rows.index(row), place): several for (row, place), several in scored.repeats.items() if row in rows}
    systems = tuple(scored.systems[row] for row in rows)
    return replace(scored, systems=systems, values=scored.values[rows], repeats=repeats)


def _spelling(name: str) -> str:
    return re.sub(r"[\W_]+", "", re.sub(r"\.(\d+|txt)$", "", name).lower())


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
            f"which is a system here ({_few(with_text)}). Rename one side, or leave the ratings out."
        )


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (", …" if len(names) > 5 else "")


def _direction(
    rating: str, group: Sequence[Given], cells: Mapping[str | None, Sparse]
) -> tuple[bool, str, Sequence[Note]]:
    declared = {given.better for given in group if given.better is not None}
    if len(declared) > 1:
        raise ReadError(f"{rating} is declared higher = better in one file and lower = better in another.")
    everything = np.concatenate([part.value for part in cells.values()])
    return direction_of(rating, everything, next(iter(declared), None), group[0].scored.label)


def _judged(
    rating: str,
    cells: Mapping[str | None, Sparse],
    shape: tuple[int, int],
    higher: bool,
    direction_source: str,
    judgements: Judgements | None,
    notes: list[Note],
) -> dict[str, Rating]:
    """Return the rating, averaged over judges; and those of the single judges behind it, when they are few."""
    if len(cells) == 1:
        ((who, alone),) = cells.items()
        return {rating: Rating(_filled(alone, shape), higher, who, direction_source, judgements)}
    given = np.zeros(shape, dtype=np.intp)
    system, segment, value = (np.concatenate(columns) for columns in zip(*cells.values(), strict=True))
    np.add.at(given, (system, segment), 1)
    # Scores of -0, which MQM has, stay what they are where nobody lacks.
    total = np.where(given < len(cells), 0.0, -0.0)
    np.add.at(total, (system, segment), value)
    mean = np.divide(total, given, out=np.full(shape, np.nan), where=given > 0)
    text = f"{rating}: the mean of {len(cells)} judges"
    fewest, most = int(given[given > 0].min(initial=len(cells))), int(given.max(initial=0))
    if fewest < len(cells):
        text += f", of whom {fewest if fewest == most else f'{fewest} to {most}'} gave each score"
    ratings = {rating: Rating(mean, higher, f"mean of {len(cells)} judges", direction_source, judgements)}
    if len(cells) <= MOST_JUDGES:
        ratings |= {
            f"{rating}@{who or UNNAMED}": Rating(_filled(own, shape), higher, who, direction_source)
            for who, own in cells.items()
        }
    else:
        text += f"; more than {MOST_JUDGES}, so they are not listed one by one"
    notes.append(Note("note", f"{text}."))
    return ratings


def _filled(cells: Sparse, shape: tuple[int, int]) -> NDArray[np.float64]:
    """Return a rating's values of this shape, NaN where there is none."""
    values = np.full(shape, np.nan)
    values[cells.system, cells.segment] = cells.value
    return values


def _sum(ratings: Mapping[str, Rating], notes: list[Note]) -> dict[str, Rating]:
    """Return adequacy + fluency where both were judged (ZV04)."""
    parts = {name.lower(): rating for name, rating in ratings.items() if name.lower() in {"adequacy", "fluency"}}
    if len(parts) < 2 or not all(part.higher_is_better for part in parts.values()) or "adequacy+fluency" in ratings:
        return {}
    adequacy, fluency = parts["adequacy"], parts["fluency"]
    notes.append(Note("note", "adequacy+fluency: their sum, where both were judged (Zhang and Vogel 2004)."))
    judge = adequacy.judge if adequacy.judge == fluency.judge else None
    return {"adequacy+fluency": Rating(adequacy.values + fluency.values, True, judge, "sum of adequacy and fluency")}


def _textless(names: Sequence[str], with_text: Sequence[str]) -> list[Note]:
    added = names[len(with_text) :]
    if not with_text or not added:
        return []
    noun = "name is" if len(added) == 1 else "names are"
    return [Note("note", f"{len(added)} {noun} known by ratings alone, without text: {', '.join(added)}.")]
