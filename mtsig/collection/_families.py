"""Set by set: the comparisons of every set, corrected together as one family by joint draws, or each by itself."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mtsig._probability import needed_draws
from mtsig._records import Floats, distinct
from mtsig.collection._pairs import Pair, SharedUnits
from mtsig.collection._sets import SetStatistics
from mtsig.corpus import Note
from mtsig.corpus._notes import listed, merged
from mtsig.errors import InvalidOption, MtsigError
from mtsig.inference import CORRECTIONS, Correction, Family, Intervals, Settings
from mtsig.inference._adjust import adjust_together, seconding
from mtsig.inference._corrections import CorrectedTogether, Holm, OfPValues, StepDownMinP, count_at_least, of_ranks
from mtsig.inference._family import Drawn, concerned, with_adjusted
from mtsig.inference._settings import MOST_DRAWS
from mtsig.inference._significance import AUTO
from mtsig.metrics import Statistics
from mtsig.metrics._statistics import ResolvedUnit
from mtsig.resampling import Purpose, Swap, Words, shuffle

MOST_RANKS = 2**27
"""Comparisons × draws whose ranks are held at once: half a gigabyte."""


def exchanged(
    families: Mapping[str, Family],
    statistics: Mapping[str, Statistics],
    units: SharedUnits,
    draws: int,
    seed: int,
    but: Collection[str] = (),
) -> Iterator[tuple[str, Floats]]:
    """Yield every set with differences under joint exchanges, shape (m_j, draws); one set at a time is in memory.

    Sets that share units are exchanged by the same masks over all units of their block. Sets that do not are
    independent: draw b of one block stands beside draw b of another, put into a random order.
    """
    for number, block in enumerate(units.blocks(list(families))):
        known = distinct(np.concatenate([units.of[name] for name in block]))
        order = _order(seed, number, draws)
        for name in block:
            if name in but:
                continue
            part = _over(units.at(name, statistics[name]), np.searchsorted(known, units.of[name]), len(known))
            family = families[name]
            first, second = (
                np.array([part.row(system) for system in names]) for names in (family.first, family.second)
            )
            null = shuffle(part, Swap(draws, seed, "segment"), first, second)
            yield name, null[:, order] if number else null


def _order(seed: int, block: int, draws: int) -> NDArray[np.int64]:
    """Return the random order in which a block's draws stand beside those of others."""
    return np.argsort(Words(seed, block, Purpose.PAIRED_SETS).take(1, draws)[0], kind="stable")


@dataclass(frozen=True, eq=False)
class JointRanks:
    """The ranks of every difference and of its draws among them all, of all comparisons of all sets in one array.

    Of each comparison's draws only the ranks are kept, and they are written where they stay: a set's differences are
    gone before the next set's come, and nothing is held twice.

    ranks: shape (m, 1 + draws), the observed difference first; draws nearer than it are all last (`count_at_least`).
    rows: set -> its rows. filled: the sets that are there.
    """

    ranks: NDArray[np.int32]
    rows: Mapping[str, slice]
    filled: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, sizes: Mapping[str, int], draws: int) -> "JointRanks":
        """Return room for so many comparisons of each set."""
        ends = np.cumsum(list(sizes.values())).tolist()
        rows = {name: slice(end - size, end) for (name, size), end in zip(sizes.items(), ends, strict=True)}
        return cls(np.empty((ends[-1], 1 + draws), dtype=np.int32), rows)

    def put(self, name: str, family: Family, null: Floats) -> None:
        """Rank the draws of a set, shape (m_j, draws)."""
        own = self.ranks[self.rows[name]]
        for row, (values, observed) in enumerate(zip(null, family.difference, strict=True)):
            own[row] = count_at_least(values, observed, False, family.test.alternative)
        self.filled.add(name)

    def put_alone(self, name: str, family: Family, block: int, seed: int) -> None:
        """Rank the draws of a set's own test where they are those of `exchanged`; else do nothing."""
        null, draws = family.null, self.ranks.shape[1] - 1
        if family.complete or null is None or null.shape[1] != draws:
            return
        self.put(name, family, null[:, _order(seed, block, draws)] if block else null)


def _over(at: Statistics, place: NDArray[np.int64], count: int) -> Statistics:
    """Return statistics over the units of a block of sets, with nothing where the set has no such unit."""
    at = replace(at, samples=None)
    if np.array_equal(place, np.arange(count)):
        return replace(at, unit="segment", document_of=None, sizes=None)
    values = np.zeros((*at.values.shape[:2], count), dtype=at.values.dtype)
    available = np.zeros((len(at.systems), count), dtype=bool)
    values[..., place] = at.values
    available[:, place] = True if at.available is None else at.available
    return replace(at, values=values, available=available, unit="segment", document_of=None, sizes=None, numbers=None)


def step_down(
    families: Mapping[str, Family], joint: JointRanks
) -> tuple[dict[str, Floats], dict[str, Floats], dict[str, Floats]]:
    """Return step-down min-P over all comparisons of all sets, by set: p, and what it could be at least and at most."""

    def column(what: str) -> Floats:
        return np.concatenate([getattr(family, what) for family in families.values()])

    together = CorrectedTogether(
        p_value=column("p_value"),
        p_mc_low=column("p_mc_low"),
        p_mc_high=column("p_mc_high"),
        exact=np.concatenate([family.exact for family in families.values()]),
        difference=column("difference"),
        null=None,
        complete=False,
        alternative="greater",
        scale=None,
        statistics=None,
        first=np.zeros(len(joint.ranks), dtype=np.int64),
        second=np.zeros(len(joint.ranks), dtype=np.int64),
    )
    p_values = []
    for corrected, raw in zip(of_ranks(joint.ranks, together), ("p_value", "p_mc_low", "p_mc_high"), strict=True):
        # The raw p may come from other draws than those that are joint: none is made smaller by company.
        whole = np.where(np.isnan(together.p_value), np.nan, np.fmax(corrected, column(raw)))
        p_values.append({name: whole[joint.rows[name]] for name in families})
    p, low, high = p_values
    return p, low, high


FamilyOf = Literal["joint", "per-set"]


def families_of(
    statistics: SetStatistics, units: SharedUnits, asked: Mapping[str, list[Pair]], settings: Settings, family: FamilyOf
) -> tuple[dict[str, Family], tuple[Note, ...]]:
    """Return the comparisons of every set, corrected together unless each is to be judged by itself."""
    if family not in ("joint", "per-set"):
        raise InvalidOption(f"The family must be joint or per-set; found {family!r}.")
    if len(asked) == 1:
        # One set is what it is without others, to the digit.
        return {name: _named(name, settings, statistics, pairs) for name, pairs in asked.items()}, ()
    if family == "per-set":
        text = "Each set is corrected alone, so do not count significant sets; use “better in at least” instead."
        families = {name: _named(name, settings, statistics, pairs, units) for name, pairs in asked.items()}
        return families, (Note("warning", text),)
    sizes = {name: len(pairs) for name, pairs in asked.items()}
    settings, said = _with_draws(settings, {units.kinds[name] for name in asked}, sum(sizes.values()))
    by_draws = _by_draws(settings, {units.kinds[name] for name in asked})
    blocks = {block[0]: number for number, block in enumerate(units.blocks(list(asked))) if len(block) == 1}
    made: dict[str, Family] = {}
    joint: JointRanks | None = None
    # What is corrected together need not be corrected alone; only doubts about kin read a set's own verdicts.
    if by_draws:
        # The draws are those of all sets together, whatever one by itself would need.
        settings = replace(settings, test=settings.chosen_test("segment").name)
    together = (
        replace(settings, correction="none") if by_draws and settings.chosen_test("segment").exchanges else settings
    )
    for name, pairs in asked.items():
        own = settings if concerned([statistics.of[name]]) else together
        family_of_set = _named(name, own, statistics, pairs, units)
        if by_draws and family_of_set.test.exchanges:
            joint = joint or JointRanks.of(sizes, settings.n_resamples)
            if name in blocks:
                joint.put_alone(name, family_of_set, blocks[name], settings.seed)
        # Of many sets the draws are too many to be kept.
        made[name] = replace(
            family_of_set, drawn=Drawn(family_of_set.statistics, None, family_of_set.farthest, family_of_set.tails)
        )
    corrected, more = _together(statistics, units, made, settings, joint)
    return corrected, said + more


def _named(
    name: str, settings: Settings, statistics: SetStatistics, pairs: list[Pair], units: SharedUnits | None = None
) -> Family:
    """Return the comparisons of one set; over its units among others alone, or as the set has them without others."""
    counted = statistics.of[name]
    try:
        if units is None:
            return settings.family(counted, pairs)
        at = settings.at(counted) if units.kinds[name] == "segment" else units.at(name, counted)
        return replace(settings, unit=units.kinds[name]).family(at, pairs)
    except MtsigError as error:
        raise type(error)(f"{name}: {error}") from None


def _by_draws(settings: Settings, kinds: set[ResolvedUnit]) -> bool:
    """Return whether the draws of all sets are to be joint, as the correction takes them."""
    return kinds == {"segment"} and settings.correction in (AUTO, StepDownMinP.name)


def _with_draws(settings: Settings, kinds: set[ResolvedUnit], size: int) -> tuple[Settings, tuple[Note, ...]]:
    """Return the settings with as many draws as so many comparisons need, or with a test that draws nothing."""
    if not any(settings.chosen_test(kind).exchanges for kind in kinds):
        return settings, ()
    needed = needed_draws(size, 1 - settings.level)
    too_many = ""
    if needed > MOST_DRAWS or size * needed > MOST_RANKS:
        too_many = f"{size:,} comparisons would need {needed:,} joint resamples, more than are possible."
    elif _by_draws(settings, kinds) and size * settings.n_resamples > MOST_RANKS:
        too_many = (
            f"{settings.n_resamples:,} joint resamples of {size:,} comparisons do not fit in memory (at most "
            f"{MOST_RANKS // size:,})."
        )
    if too_many:
        text = f"{too_many} Jackknife p-values with Holm's correction are used instead."
        return replace(settings, test="jackknife-t", correction="holm"), (Note("warning", text),)
    if needed <= settings.n_resamples:
        return settings, ()
    text = f"{needed:,} resamples instead of {settings.n_resamples:,}, as {size:,} comparisons need that many."
    return replace(settings, n_resamples=needed), (Note("note", text),)


def _together(
    statistics: SetStatistics,
    units: SharedUnits,
    made: Mapping[str, Family],
    settings: Settings,
    joint: JointRanks | None,
) -> tuple[dict[str, Family], tuple[Note, ...]]:
    """Return the families corrected as one; `joint`: where their draws go, where they can be joint."""
    names, families = list(made), list(made.values())
    said: tuple[Note, ...] = ()
    # `joint` is there only where step-down min-P was asked for, or nothing.
    chosen: Correction = StepDownMinP()
    if joint is None:
        chosen = Holm() if settings.correction == AUTO else CORRECTIONS[settings.correction]
        if not isinstance(chosen, OfPValues):
            said = (Note("note", f"{chosen.label} is not available over several sets; Holm is used instead."),)
            chosen = Holm()
        if len({family.test for family in families}) == 1:
            return dict(zip(names, adjust_together(families, chosen.name), strict=True)), said
    size = sum(map(len, families))
    if joint is not None:
        for name, null in exchanged(made, statistics.of, units, settings.n_resamples, settings.seed, but=joint.filled):
            joint.put(name, made[name], null)
        p, low, high = step_down(made, joint)
    else:
        # Sets with documents and sets with segments: each by its own test, so p-values are all they have in common.
        p, low, high = (_holm(made, what) for what in ("p_value", "p_mc_low", "p_mc_high"))
    second = np.split(seconding(families, chosen), np.cumsum([len(family) for family in families])[:-1])
    seconded = dict(zip(names, second, strict=True))
    corrected = {
        name: family.changed(
            p_adjusted=p[name],
            p_jackknife=seconded[name],
            p_adjusted_mc_low=low[name],
            p_adjusted_mc_high=high[name],
            correction=chosen.name,
            family_size=size,
        )
        for name, family in made.items()
    }
    return dict(zip(names, with_adjusted(list(corrected.values()), chosen), strict=True)), said


def _holm(made: Mapping[str, Family], what: str) -> dict[str, Floats]:
    """Return Holm's p over all comparisons of all sets; one that is missing counts as 1, and stays missing."""
    p = np.concatenate([getattr(family, what) for family in made.values()])
    corrected = np.where(np.isnan(p), np.nan, Holm().adjusted(np.nan_to_num(p, nan=1.0)))
    ends = np.cumsum([len(family) for family in made.values()])[:-1]
    return dict(zip(made, np.split(corrected, ends), strict=True))


def notes_of(notes: Mapping[str, Iterable[Note]]) -> tuple[Note, ...]:
    """Return the notes on each set, each once; with the names of the sets where it is not on all."""
    whose: dict[Note, dict[str, None]] = {}
    for name, own in notes.items():
        for note in merged(own):
            whose.setdefault(note, {})[name] = None
    return tuple(note if len(names) == len(notes) else _with_names(note, list(names)) for note, names in whose.items())


def _with_names(note: Note, names: list[str]) -> Note:
    where, headline = f"{listed(names)}: ", note.headline
    text, headline = f"{where}{note.text}", headline and f"{where}{headline}"
    return replace(note, text=text, names=tuple(names), together="", headline=headline)


def on_all(notes: Sequence[Note], of_sets: Mapping[str, Family | Intervals]) -> list[Note]:
    """Return the notes on sets together, without those on each."""
    known = notes_of({name: of_set.notes for name, of_set in of_sets.items()})
    return [note for note in notes if note not in known]
