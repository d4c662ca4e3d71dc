"""Set by set: the comparisons of every set, judged together as one family, or each set by itself."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import numpy as np

from mtsig.arrays import Floats
from mtsig.corpus import Note, listed
from mtsig.errors import InvalidOption, MtsigError
from mtsig.inference.adjust import adjust_together, seconding
from mtsig.inference.adjusted import with_adjusted
from mtsig.inference.corrections import Correction, Holm, OfPValues, StepDownMinP
from mtsig.inference.defaults import AUTO
from mtsig.inference.family import Drawn, Family
from mtsig.inference.intervals import Intervals
from mtsig.inference.kin import concerned
from mtsig.inference.probability import needed_draws
from mtsig.inference.registered import CORRECTIONS
from mtsig.inference.settings import MOST_DRAWS, Settings
from mtsig.metrics import ResolvedUnit
from mtsig.sets.collection import SetStatistics
from mtsig.sets.joint import MOST_RANKS, JointRanks, exchanged, step_down
from mtsig.sets.results import Pair
from mtsig.sets.units import SharedUnits

FamilyOf = Literal["joint", "per-set"]


def families_of(
    statistics: SetStatistics,
    units: SharedUnits,
    asked: Mapping[str, list[Pair]],
    settings: Settings,
    family: FamilyOf,
) -> tuple[dict[str, Family], tuple[Note, ...]]:
    """Return the comparisons of every set, judged together unless each is to be judged by itself."""
    if family not in ("joint", "per-set"):
        raise InvalidOption(f"The family is joint or per-set; found {family!r}.")
    if len(asked) == 1:
        # One set is what it is without others, to the digit.
        return {name: _named(name, settings, statistics, pairs) for name, pairs in asked.items()}, ()
    if family == "per-set":
        text = "Each set is a family of its own: significant sets must not be counted; see in how many at least."
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
            family_of_set,
            drawn=Drawn(family_of_set.statistics, None, family_of_set.farthest, family_of_set.tails),
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
    if needed > MOST_DRAWS or size * needed > MOST_RANKS:
        text = (
            f"{size:,} comparisons would need {needed:,} joint draws, more than are made: the jackknife's p with Holm "
            "is used instead."
        )
        return replace(settings, test="jackknife-t", correction="holm"), (Note("warning", text),)
    if _by_draws(settings, kinds) and size * settings.n_resamples > MOST_RANKS:
        text = (
            f"{settings.n_resamples:,} joint draws of {size:,} comparisons are more than are held at once: "
            f"{MOST_RANKS // size:,} at most. The jackknife's p with Holm is used instead."
        )
        return replace(settings, test="jackknife-t", correction="holm"), (Note("warning", text),)
    if needed <= settings.n_resamples:
        return settings, ()
    text = f"{needed:,} draws instead of {settings.n_resamples:,}: so many are needed for {size:,} comparisons."
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
            said = (Note("note", f"{chosen.label} is not made over several sets here; Holm is used instead."),)
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


def notes_of(families: Mapping[str, Family] | Mapping[str, Intervals]) -> tuple[Note, ...]:
    """Return the notes of what was made of each set, each once; with the names of the sets where it is not of all."""
    whose: dict[Note, list[str]] = {}
    for name, family in families.items():
        for note in family.notes:
            whose.setdefault(note, []).append(name)
    return tuple(
        note if len(names) == len(families) else replace(note, text=f"{listed(names)}: {note.text}")
        for note, names in whose.items()
    )
