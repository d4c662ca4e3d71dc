"""Preferences: who judged, which two systems, on which item of which document, and which was the better one."""

import hashlib
import json
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from typing import Any, ClassVar, Literal

import numpy as np

from mtsig._records import Floats, Index, Mask
from mtsig._results import Public
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import counted_names, listed, number_of
from mtsig.errors import InvalidOption, NotApplicable, UnknownName, find

UNNAMED = "?"
"""The rater of judgements that name none."""

REPEATS = 20
"""Comparisons that a rater judged again, from which they count as repeats, and her drift is looked at."""

Dual = Literal["keep", "collapse"]
Grades = Literal["sign", "margin"]


@dataclass(frozen=True, eq=False)
class Names:
    """A column of m names: each name once, and which of them stands in each row."""

    known: tuple[str, ...]
    of: Index

    def at(self, rows: Mask | Index) -> "Names":
        """Return these rows of the column, with the names that are left."""
        left, of = np.unique(self.of[rows], return_inverse=True)
        return Names(tuple(self.known[i] for i in left), of.astype(np.int64))

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self.of)


class _Column:
    """A column of names that grows."""

    def __init__(self) -> None:
        self.number: dict[str, int] = defaultdict(count().__next__)
        self.of = array("q")

    def add(self, name: str) -> None:
        """Add a row."""
        self.of.append(self.number[name])

    @property
    def names(self) -> Names:
        """The column, names in the order in which they came."""
        return Names(tuple(self.number), np.array(self.of))


@dataclass(frozen=True, eq=False, kw_only=True)
class Preferences(Public):
    """Pairwise preference judgements of systems; every column has shape (m,).

    systems: the names. first, second: the systems in the order shown, as positions in `systems`. outcome: 1 if the
    first system is preferred, −1 if the second is, 0 for a tie, a fraction if the file has one, NaN if no verdict was
    given (a gap). ordered: whether the display order is known. both_bad: whether a tie means that both are bad. grade:
    the strength or margin of a verdict; NaN if unknown. item, document, rater, criterion: names. documents_known: false
    if every item is its own document.
    """

    _uses: ClassVar[Mapping[str, str]] = {"load": "mtsig.campaign.read_preferences(path)"}

    systems: tuple[str, ...]
    first: Index
    second: Index
    outcome: Floats
    item: Names
    document: Names
    rater: Names
    criterion: Names
    ordered: Mask
    both_bad: Mask
    grade: Floats
    documents_known: bool = True
    notes: tuple[Note, ...] = field(default=())

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]], notes: Sequence[Note] = ()) -> "Preferences":
        """Return preferences from records.

        Parameters
        ----------
        rows
            Mappings with first, second (the names of the systems in the order shown) and outcome (from −1 to 1, or
            NaN); item, document, rater, criterion, grade, ordered and both_bad are optional.
        notes
            Notes on how the records were read.

        Raises
        ------
        NotApplicable
            No record compares two systems.
        InvalidOption
            An outcome is outside the range from −1 to 1.

        Examples
        --------
        >>> from mtsig.campaign import Preferences
        >>> Preferences.of([{"item": "1", "rater": "r", "first": "A", "second": "B", "outcome": 1}])
        <Preferences: 1 judgement of 2 systems (A, B) by 1 rater>
        """
        system, item, document, rater, criterion = (_Column() for _ in range(5))
        plain = {name: array("d") for name in ("outcome", "grade", "ordered", "both_bad")}
        same, known = 0, False
        for record in rows:
            first, second = record["first"], record["second"]
            if first == second:
                same += 1
                continue
            outcome, own = float(record["outcome"]), record.get("document")
            if abs(outcome) > 1:
                raise InvalidOption(
                    f"An outcome must be a number from −1 to 1; found {record['outcome']} for {first} and {second}."
                )
            known = known or own is not None
            named = str(record.get("item", len(plain["outcome"])))
            system.add(str(first))
            system.add(str(second))
            item.add(named)
            document.add(named if own is None else str(own))
            rater.add(str(record.get("rater") or UNNAMED))
            criterion.add(str(record.get("criterion") or ""))
            plain["outcome"].append(outcome + 0.0)  # no negative 0
            plain["grade"].append(record.get("grade", np.nan))
            plain["ordered"].append(bool(record.get("ordered", True)))
            plain["both_bad"].append(bool(record.get("both_bad", False)))
        if not plain["outcome"]:
            raise NotApplicable("Preferences need judgements that compare two different systems; found none.")
        said = [*notes]
        if same:
            said.append(Note("note", f"Omitted: {number_of(same, 'judgement')} comparing a system with itself."))
        if not known:
            said.append(Note("note", "The data have no document ids, so every item counts as a document."))
        shown = system.names
        order = np.argsort(np.array(shown.known, dtype=object), kind="stable")  # what is named first is not the file's
        place = np.argsort(order)[shown.of]
        made = cls(
            systems=tuple(shown.known[at] for at in order.tolist()),
            first=place[0::2],
            second=place[1::2],
            outcome=np.array(plain["outcome"]),
            item=item.names,
            document=document.names,
            rater=rater.names,
            criterion=criterion.names,
            ordered=np.array(plain["ordered"], dtype=bool),
            both_bad=np.array(plain["both_bad"], dtype=bool),
            grade=np.array(plain["grade"]),
            documents_known=known,
            notes=tuple(said),
        )
        return made._each_once()

    @classmethod
    def of_ratings(cls, corpus: Corpus, rating: str) -> "Preferences":
        """Return preferences from ratings: of two outputs of a segment by one rater, the better rated is preferred.

        Equal ratings are a tie; the grade is the difference. Several ratings of an output by one rater are averaged.

        Parameters
        ----------
        corpus
            The corpus whose outputs were rated.
        rating
            The name of the rating.

        Raises
        ------
        UnknownName
            There is no such rating.
        NotApplicable
            The rating has no rater ids, or no rater rated two systems on one segment.

        Examples
        --------
        >>> import numpy as np
        >>> from mtsig import Corpus, Rating
        >>> from mtsig.campaign import Preferences
        >>> from mtsig.corpus import RaterScores
        >>> values = np.array([[70.0, 80.0], [60.0, 80.0]])
        >>> esa = Rating(values, higher_is_better=True, rater_scores=RaterScores.of({"Ann": values}))
        >>> made = Preferences.of_ratings(Corpus.of(dict.fromkeys("AB"), ratings={"esa": esa}), "esa")
        >>> made.outcome.tolist(), made.grade.tolist()
        ([1.0, 0.0], [10.0, 0.0])
        """
        given = find(corpus.ratings, rating, "rating")
        if given.rater_scores is None:
            raise NotApplicable(f"{rating}: no rater ids, so it is unknown which outputs a rater compared.")
        own, n, s = given.rater_scores.signed, len(corpus), len(corpus.systems)
        cells, of = np.unique((own.rater * np.int64(n) + own.segment) * s + own.system, return_inverse=True)
        value = np.bincount(of, own.value) / np.bincount(of) * (1 if given.higher_is_better else -1)
        screen, system = cells // s, cells % s
        rows = [
            (np.flatnonzero(screen[:-step] == screen[step:]), step)
            for step in range(1, int(np.unique(screen, return_counts=True)[1].max(initial=1)))
        ]
        if not rows:
            raise NotApplicable(f"{rating}: no rater rated two systems on the same segment.")
        first = np.concatenate([left for left, _ in rows])
        second = np.concatenate([left + step for left, step in rows])
        apart, segment, everyone = value[first] - value[second], screen[first] % n, np.ones(len(first), dtype=bool)
        # Means of several ratings that are equal may differ in their last digit.
        apart[np.abs(apart) <= 1e-9 * np.maximum(np.abs(value[first]), np.abs(value[second]))] = 0.0
        names = tuple(map(str, corpus.numbers))
        item = Names(names, segment)
        document = item if corpus.documents is None else Names(*_known(corpus.documents, segment))
        said = (
            f"Preferences are made from {rating}: if one rater rated two outputs of a segment, the better rated one is "
            "preferred. Equal ratings are ties."
        )
        made = cls(
            systems=tuple(corpus.systems), first=system[first], second=system[second], outcome=np.sign(apart) + 0.0,
            item=item, document=document, rater=Names(own.raters, screen[first] // n),
            criterion=Names(("",), np.zeros(len(first), dtype=np.int64)), ordered=~everyone, both_bad=~everyone,
            grade=np.abs(apart), documents_known=corpus.documents is not None, notes=(Note("note", said),),
        )  # fmt: skip
        return made.where(everyone)

    def graded(self) -> "Preferences":
        """Return the judgements with their margins as outcomes; one without a margin has the largest.

        Raises
        ------
        NotApplicable
            No verdict has a margin.
        """
        margins = self.grade[~np.isnan(self.grade) & (self.outcome != 0)]
        if not len(margins):
            raise NotApplicable("--grades margin needs margins: a signed number as the verdict, or marks such as A>>B.")
        return replace(self, outcome=self.outcome * np.where(np.isnan(self.grade), margins.max(), self.grade))

    def __repr__(self) -> str:
        """Return what was judged, in one line."""
        systems, raters = counted_names("system", self.systems, 5), number_of(len(self.raters), "rater")
        return f"<Preferences: {number_of(len(self), 'judgement')} of {systems} by {raters}>"

    def __len__(self) -> int:
        """Return how many judgements there are, gaps among them."""
        return len(self.outcome)

    @property
    def raters(self) -> tuple[str, ...]:
        """The names of the raters; unnamed raters appear as `UNNAMED`."""
        return self.rater.known

    @property
    def documents(self) -> tuple[str, ...]:
        """The names of the documents, or of the items if documents are unknown."""
        return self.document.known

    @property
    def criteria(self) -> tuple[str, ...]:
        """The criteria of the judgements; one empty name if the data have none."""
        return self.criterion.known

    @property
    def gaps(self) -> Mask:
        """A mask of the judgements without a verdict; shape (m,)."""
        return np.isnan(self.outcome)

    @property
    def fractional(self) -> bool:
        """Whether any verdict is a fraction, not a win, a tie or a loss."""
        known = self.outcome[~self.gaps]
        return bool(np.any((known != 0) & (np.abs(known) != 1)))

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the judgements, which does not depend on their order."""
        columns = [self.item, self.document, self.rater, self.criterion]
        columns += [Names(self.systems, side) for side in (self.first, self.second)]
        texts = [(map(json.dumps, column.known), column.of) for column in columns]
        for plain in (self.outcome, self.grade, self.ordered, self.both_bad):
            kinds, of = np.unique(plain, return_inverse=True)
            said = kinds.tolist() if kinds.dtype == bool else [f"{kind:.12g}" for kind in kinds]
            texts.append((map(json.dumps, said), of))
        written = (np.array([*names], dtype=object)[of].tolist() for names, of in texts)
        rows = sorted(f"[{', '.join(row)}]" for row in zip(*written, strict=True))
        return "sha256:" + hashlib.sha256("\n".join(rows).encode()).hexdigest()

    @property
    def unit(self) -> str:
        """The unit of clusters: document, or item if documents are unknown."""
        return "document" if self.documents_known else "item"

    def where(self, rows: Mask | Index) -> "Preferences":
        """Return the selected judgements, with the systems that occur in them."""
        left = np.unique(np.concatenate([self.first[rows], self.second[rows]]))
        place = np.zeros(len(self.systems), dtype=np.int64)
        place[left] = np.arange(len(left))
        named = {name: getattr(self, name).at(rows) for name in ("item", "document", "rater", "criterion")}
        plain = {name: getattr(self, name)[rows] for name in ("outcome", "ordered", "both_bad", "grade")}
        return replace(
            self,
            systems=tuple(self.systems[i] for i in left),
            first=place[self.first[rows]],
            second=place[self.second[rows]],
            **named,
            **plain,
        )

    def judged(self) -> "Preferences":
        """Return the judgements with a verdict.

        Raises
        ------
        NotApplicable
            No judgement has a verdict.
        """
        if self.gaps.all():
            found = [note.text for note in self.notes if note.headline == _NOT_READ]
            how = "Write the better system into a column winner, or a mark such as [[A]], [[B]] or [[C]] into the text."
            raise NotApplicable(" ".join(["No verdict in the judgements could be read.", *found, how]))
        return self.where(~self.gaps) if self.gaps.any() else self

    def select(self, systems: Sequence[str]) -> "Preferences":
        """Return the judgements that compare two of these systems.

        Raises
        ------
        UnknownName
            A name is not that of a system.
        NotApplicable
            No two of these systems were compared with each other.
        """
        unknown = [name for name in systems if name not in self.systems]
        if unknown:
            raise UnknownName(f"No judgement concerns {listed(unknown)}. Known: {', '.join(self.systems)}.")
        among = np.isin(np.array(self.systems), list(systems))
        rows = among[self.first] & among[self.second]
        if not rows.any():
            raise NotApplicable(f"No judgement compares {listed(list(systems))} with each other.")
        return self.where(rows)

    def of_criterion(self, criterion: str) -> "Preferences":
        """Return the judgements by one criterion.

        Raises
        ------
        UnknownName
            There is no such criterion.
        """
        if criterion not in self.criteria:
            known = ", ".join(filter(None, self.criteria)) or "none is named"
            raise UnknownName(f"There is no criterion {criterion!r}. Known: {known}.")
        return self.where(self.criterion.of == self.criteria.index(criterion))

    def collapsed(self) -> "Preferences":
        """Merge both orders of a pair; different verdicts give a tie, equal ones the mean of their margins.

        MT-Bench uses this rule. The display order of merged judgements is lost; their `first` system is first by name.
        """
        kept = np.ones(len(self), dtype=bool)
        changed = {name: getattr(self, name).copy() for name in ("first", "second", "outcome", "ordered", "grade")}
        changed["both_bad"] = self.both_bad.copy()
        place = np.argsort(np.argsort(np.array(self.systems, dtype=object)))
        for rows in self.repeated():
            ahead = place[self.first[rows]] < place[self.second[rows]]
            if ahead.all() or not ahead.any() or not self.ordered[rows].all():
                continue
            verdicts = np.where(ahead, self.outcome[rows], -self.outcome[rows])
            one = verdicts[0] if np.all(verdicts == verdicts[0]) else np.nan if np.isnan(verdicts).any() else 0.0
            shown = int(rows[np.argmax(ahead)])
            grade = abs(float((verdicts * self.grade[rows]).mean())) if one else 0.0
            merged = self.first[shown], self.second[shown], one + 0.0, False, grade, bool(self.both_bad[rows].all())
            for column, value in zip(changed.values(), merged, strict=True):
                column[rows[0]] = value
            kept[rows[1:]] = False
        return replace(self, **changed).where(kept)

    def repeated(self) -> list[Index]:
        """Return the rows of each item, rater, criterion and pair that has several."""
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        _, of = alike([self.item.of, self.document.of, self.rater.of, self.criterion.of, low, high])
        several = np.flatnonzero((np.bincount(of) > 1)[of])
        return [several[rows] for rows in groups([of[several]])] if len(several) else []

    def _each_once(self) -> "Preferences":
        """Return the judgements without those that say the same twice; contrary ones stay, counted.

        A rater who often judged again, and not always alike, has repeats: those that agree are no copies either. Of
        copies whose margins differ the smallest stays.
        """
        keys = [self.item.of, self.document.of, self.rater.of, self.criterion.of, self.first, self.second]
        first, of = alike(keys)
        said = np.unique(np.nan_to_num(self.outcome, nan=9), return_inverse=True)[1]
        order = np.lexsort((np.nan_to_num(self.grade, nan=np.inf), ~self.ordered, self.both_bad))
        once = order[alike([of[order], said[order]])[0]]
        raters, rater = len(self.raters), self.rater.of
        differ = np.bincount(of[once]) > 1
        again = np.bincount(rater[first], np.bincount(of) > 1, raters)
        contrary = np.bincount(rater[first], differ, raters)
        kept = ((again >= REPEATS) & (contrary > 0))[rater]
        kept[once] = True
        twice = int((~kept).sum())
        notes = [*self.notes]
        if twice:
            notes.append(Note("note", f"Left out: {number_of(twice, 'judgement')} that the file contains twice."))
        if many := int(differ.sum()):
            told = f"{number_of(many, 'comparison')} with contradictory verdicts by one rater: all are kept."
            notes.append(Note("note", told))
        whole = replace(self, notes=tuple(notes))
        return whole.where(kept) if twice else whole


_MOST_NUMBERS = 2**62


def alike(keys: Iterable[Index]) -> tuple[Index, Index]:
    """Return where each combination of keys comes first, and which of them each row has; they are sorted as the keys.

    As many keys at once as have no more combinations than a number counts.
    """
    first = of = np.zeros(1, dtype=np.int64)
    many = 1
    for key in keys:
        own = int(key.max(initial=0)) + 1
        if many * own > _MOST_NUMBERS:
            _, first, of = np.unique(of, return_index=True, return_inverse=True)
            many = len(first)
        of, many = of * own + key, many * own
    _, first, of = np.unique(of, return_index=True, return_inverse=True)
    return first, of


def groups(keys: Iterable[Index]) -> list[Index]:
    """Return the rows that have the same keys, each of shape (m,), in the order in which they come."""
    first, of = alike(keys)
    order = np.argsort(of, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(of))[:-1])
    return [parts[i] for i in np.argsort(first)]


def _known(names: Sequence[str], rows: Index) -> tuple[tuple[str, ...], Index]:
    known, of = np.unique(np.asarray(names, dtype=object).astype(str), return_inverse=True)
    return tuple(known.tolist()), of[rows].astype(np.int64)


_NOT_READ = "Verdicts that could not be read"


def unread_note(counted: Counter[str], total: int) -> tuple[Note, ...]:
    """Return a warning that counts verdicts which could not be read, with the most frequent text."""
    if not counted:
        return ()
    (text, _), *_ = counted.most_common(1)
    shown = text if len(text) <= 40 else f"{text[:39]}…"
    said = (
        f"{counted.total():,} of {total:,} verdicts could not be read (most often: {shown!r}). They count as "
        "missing, not as ties."
    )
    return (Note("warning", said, headline=_NOT_READ),)
