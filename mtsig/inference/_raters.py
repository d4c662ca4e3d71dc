"""Compare systems by ratings with known raters: within screens of one rater, or by means over segments.

In contrastive campaigns (cESA), a rater sees several outputs of a segment on one screen, but not always all systems.
The difference is then estimated within screens: x = screen + system by least squares. Rater leniency, segment
difficulty and unequal numbers of ratings cannot bias it. In other campaigns, the difference is that of means over the
segments rated for both systems. Definitions and error rates: docs/statistics/campaigns.md.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from mtsig._records import Floats, Index
from mtsig.citations import VERSION
from mtsig.corpus import Corpus, Note, RaterScores
from mtsig.corpus._notes import MIN_DOCUMENTS, listed, number_of
from mtsig.errors import InvalidOption, NotApplicable, find
from mtsig.inference import Family, Settings, _estimated
from mtsig.inference._adjust import refuse_many
from mtsig.inference._estimated import Made, RatedFamily, all_pairs, df_of, few_raters, with_others
from mtsig.metrics._statistics import Unit

Spread: TypeAlias = tuple[Floats, Floats]
"""Variances and degrees of freedom of pairs; shape (m,) each."""

Within: TypeAlias = Literal["auto", "screen", "segment"]
"""Differences are taken within one rater's screen, or within segments over all raters; auto: by the design."""

ON_SCREENS = 0.9
"""At this share of ratings on screens of several systems, an incomplete design is compared within screens."""

_SINGULAR = 1e-9


@dataclass(frozen=True)
class Assignment:
    """How outputs were assigned to raters, based on counts.

    kind: "one rater" per output, "every rater" rates all outputs, "dynamic" (screens with varying subsets of systems,
    which connect all of them), or "shared". on_screens: share of ratings on screens of at least two systems.
    per_screen: mean number of systems on these screens. repeats: number of outputs that one rater rated several times.
    """

    kind: Literal["one rater", "every rater", "dynamic", "shared"]
    raters: int
    on_screens: float
    per_screen: float
    repeats: int

    @property
    def text(self) -> str:
        """The design, in a sentence."""
        kinds = {
            "one rater": "one rater for every output",
            "every rater": "every rater rated every output",
            "dynamic": "raters saw varying subsets of the systems",
            "shared": "the outputs were divided among the raters",
        }
        screens = (
            f", {self.per_screen:.1f} systems of a segment by the same rater" if self.on_screens >= ON_SCREENS else ""
        )
        again = f"; {self.repeats:,} outputs were rated again by the same rater" if self.repeats else ""
        return f"{number_of(self.raters, 'rater')}: {kinds[self.kind]}{screens}{again}."


def assignment(given: RaterScores) -> Assignment:
    """Return how outputs were assigned to raters."""
    screen, cell, own = _numbers(given)
    systems_of = np.bincount(screen[np.unique(own, return_index=True)[1]], minlength=int(screen.max(initial=-1)) + 1)
    several = systems_of[screen] > 1
    there = len(np.unique(given.system))
    raters, by_cell = len(np.unique(given.rater)), np.bincount(cell[np.unique(own, return_index=True)[1]])
    complete = bool((systems_of[systems_of > 1] == there).all())
    kind: Literal["one rater", "every rater", "dynamic", "shared"] = "shared"
    if len(by_cell) and (by_cell == raters).all() and raters > 1:
        kind = "every rater"
    elif several.mean() >= ON_SCREENS and not complete and _connected(given.system.astype(np.int64), screen):
        kind = "dynamic"
    elif (by_cell == 1).all():
        kind = "one rater"
    repeats = int(np.count_nonzero(np.bincount(own) > 1))
    per_screen = float(systems_of[systems_of > 1].mean()) if (systems_of > 1).any() else 0.0
    return Assignment(kind, raters, float(several.mean()), per_screen, repeats)


def _connected(system: Index, screen: Index) -> bool:
    """Return whether screens connect all systems; where they do not, only means can be compared."""
    # Here, because reading data needs neither.
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    systems, of = np.unique(system, return_inverse=True)
    size = len(systems) + int(screen.max(initial=-1)) + 1
    graph = coo_array((np.ones(len(of)), (of, len(systems) + screen)), shape=(size, size))
    return bool(connected_components(graph, directed=False)[0] <= 1)


def _numbers(given: RaterScores) -> tuple[Index, Index, Index]:
    """Return the numbers of each rating's screen, of its output, and of its output by its rater; shape (m,) each."""
    segments, systems = int(given.segment.max(initial=0)) + 1, int(given.system.max(initial=0)) + 1
    keys = (
        given.rater.astype(np.int64) * segments + given.segment,
        given.system.astype(np.int64) * segments + given.segment,
        (given.rater.astype(np.int64) * systems + given.system) * segments + given.segment,
    )
    screen, cell, own = (np.unique(key, return_inverse=True)[1] for key in keys)
    return screen, cell, own


@dataclass(frozen=True, eq=False)
class Groups:
    """What is resampled as a whole; of: the group of every rating, shape (m,). count: how many groups there are."""

    unit: str
    of: Index
    count: int


def groups_of(rater_scores: RaterScores, documents: Sequence[str] | None = None, unit: Unit = "auto") -> Groups:
    """Return the documents of the ratings where there are at least ten, else their segments.

    documents: the document of each segment of the rating, shape (n,), when known.
    """
    if documents is not None and len(rater_scores) and rater_scores.segment.max() >= len(documents):
        raise InvalidOption(
            f"A document id is needed for every segment; found {len(documents)}, but there are ratings of segment "
            f"{rater_scores.segment.max() + 1}."
        )
    _, segments = np.unique(rater_scores.segment, return_inverse=True)
    by_segment = Groups("segment", segments, int(segments.max(initial=-1)) + 1)
    if unit == "segment" or (unit == "auto" and documents is None):
        return by_segment
    if documents is None:
        raise NotApplicable("Documents were chosen as units, but no document ids were given.")
    _, of_segment = np.unique(np.asarray(documents, dtype=object).astype(str), return_inverse=True)
    _, of = np.unique(of_segment[rater_scores.segment], return_inverse=True)
    count = int(of.max(initial=-1)) + 1
    if count >= MIN_DOCUMENTS:
        return Groups("document", of, count)
    if unit == "auto":
        return by_segment
    raise NotApplicable(f"{number_of(count, 'document')} with ratings: at least {MIN_DOCUMENTS} are needed.")


def compare_ratings(
    corpus: Corpus, rating: str, settings: Settings | None = None, *, within: Within = "auto"
) -> RatedFamily:
    """Compare all pairs of systems by a rating with known raters, corrected.

    The family generalises to new units with these raters. `others` also generalises to new raters, by V = V(units) +
    V(raters) − V(units × raters) (Cameron, Gelbach and Miller 2011), with the smaller degrees of freedom. With fewer
    than five equally active raters, results do not generalise to other raters.

    Parameters
    ----------
    corpus
        The rated corpus; documents are the units if there are at least ten.
    rating
        Name of the rating.
    settings
        Settings; level, correction, unit and alternative are used.
    within
        "screen", "segment", or "auto": within screens if raters saw varying subsets of the systems and screens connect
        all of them.

    Raises
    ------
    UnknownName
        There is no rating of that name.
    NotApplicable
        There are no rater ids, or the ratings do not connect the systems.

    Examples
    --------
    >>> import numpy as np
    >>> from mtsig import Corpus, Rating
    >>> from mtsig.campaign import compare_ratings
    >>> from mtsig.corpus import RaterScores
    >>> values = np.array([[1.0], [0.5], [0.0]]) + np.random.default_rng(1).normal(size=(3, 60))
    >>> raters = RaterScores.of({"Ann": values, "Bo": values + 0.5})
    >>> esa = Rating(values + 0.25, higher_is_better=True, rater_scores=raters)
    >>> family = compare_ratings(Corpus.of(dict.fromkeys("ABC"), ratings={"esa": esa}), "esa")
    >>> [(row.first, row.second, round(float(row.difference), 2)) for row in family]
    [('A', 'B', 0.51), ('A', 'C', 1.07), ('B', 'C', 0.56)]
    """
    settings = Settings() if settings is None else settings
    given = find(corpus.ratings, rating, "rating")
    if given.rater_scores is None:
        raise NotApplicable(f"{rating}: no rater ids, so raters cannot be analysed.")
    return compare_rater_scores(
        given.rater_scores.signed, list(corpus.systems), settings, label=rating,
        higher_is_better=given.higher_is_better, documents=corpus.documents, within=within,
    )  # fmt: skip


def compare_rater_scores(
    given: RaterScores, names: Sequence[str], settings: Settings | None = None, *, label: str = "rating",
    higher_is_better: bool = True, documents: Sequence[str] | None = None, within: Within = "auto",
    pairs: Collection[frozenset[str]] | None = None,
) -> RatedFamily:  # fmt: skip
    """Return `compare_ratings` of ratings without a corpus; names: of the systems, by position.

    pairs: which are compared, within segments; all where it is None.
    """
    settings = Settings() if settings is None else settings
    if within not in ("auto", "screen", "segment"):
        raise InvalidOption(f"Differences must be taken within auto, screen or segment; found {within!r}.")
    how = assignment(given)
    if within == "auto":
        within = "screen" if how.kind == "dynamic" else "segment"
    of = (given, names, documents, settings, 1 if higher_is_better else -1)
    parts = _on_screens(*of) if within == "screen" else _over_segments(*of, pairs)
    words = "within screens" if within == "screen" else "means"
    family = Made(
        label,
        f"rating:{label}|{words}|better:{'higher' if higher_is_better else 'lower'}|n:{len(given)}|mtsig:{VERSION}",
        parts.names, parts.scores, parts.pairs, parts.unit, parts.units, parts.segments, settings, higher_is_better,
        notes=(Note("note", how.text), *parts.notes),
    )  # fmt: skip
    error, df = np.sqrt(parts.by_units[0]), parts.by_units[1]
    others, no_others = over_raters(
        replace(family, notes=()), parts.difference, parts.by_units, parts.by_raters, parts.by_both, parts.raters,
        parts.floor_raters,
    )  # fmt: skip
    return with_others(family.family(parts.difference, error, df), others, no_others, len(np.unique(given.rater)))


@dataclass(frozen=True, eq=False)
class _Parts:
    """What families need: of pairs, (m,) each; by_units, by_raters, by_both: variances and degrees of freedom."""

    names: Sequence[str]
    scores: Floats
    pairs: Index
    difference: Floats
    unit: str
    units: Sequence[int]
    segments: Sequence[int]
    raters: Sequence[int]
    by_units: Spread
    by_raters: Spread
    by_both: Spread
    floor_raters: bool
    notes: tuple[Note, ...] = ()


def over_raters(
    family: Made, difference: Floats, by_units: Spread, by_raters: Spread, by_both: Spread, numbers: Sequence[int],
    floor_raters: bool = False,
) -> tuple[Family | None, str]:  # fmt: skip
    """Return the comparisons for other raters, and why there are none; numbers: of the raters of every pair."""
    lacking = [few_raters(number, df) for number, df in zip(numbers, by_raters[1].tolist(), strict=True)]
    if all(lacking):
        return None, lacking[0]
    (units, df), (raters, df_raters), (both, _) = by_units, by_raters, by_both
    variance = np.maximum(units + raters - both, np.maximum(units, raters) if floor_raters else units)
    known = np.array([not why for why in lacking])
    error, least = (np.where(known, x, np.nan) for x in (np.sqrt(variance), np.minimum(df, df_raters)))
    return family.family(difference, error, least, lacking), ""


def _over_segments(
    given: RaterScores, names: Sequence[str], documents: Sequence[str] | None, settings: Settings, sign: int,
    wanted: Collection[frozenset[str]] | None,
) -> _Parts:  # fmt: skip
    """Compare means over the segments rated for both systems, an output's mean over its raters counting once.

    With ψ what a rating adds to the difference, centred, V = G/(G − 1) Σ (Σψ)² over G clusters.
    """
    there = np.unique(given.system).tolist()
    # One unit for all pairs: few documents of a pair are few, and its segments no more independent than others.
    groups = groups_of(given, documents, settings.unit if settings.unit != "block" else "auto")
    contrasts = {
        (x, y): Contrast.of(given, x, y, groups) for i, x in enumerate(there) for y in there[i + 1 :]
        if wanted is None or {names[x], names[y]} in wanted
    }  # fmt: skip
    known = {pair: contrast for pair, contrast in contrasts.items() if contrast is not None}
    if not known:
        raise NotApplicable("No two systems share two rated segments, so human scores cannot be compared.")
    left = [f"{names[x]} – {names[y]}" for (x, y), contrast in contrasts.items() if contrast is None]
    text = f"Not compared, because hardly any segment was rated for both systems: {', '.join(left)}."
    used = sorted({row for pair in known for row in pair})
    place = {row: number for number, row in enumerate(used)}
    every = list(known.values())
    return _Parts(
        names=[names[row] for row in used],
        scores=np.array([given.value[given.system == row].mean() for row in used]),
        pairs=np.array([[place[x], place[y]] for x, y in known]),
        difference=np.array([sign * contrast.difference for contrast in every]),
        unit=groups.unit,
        units=[contrast.units for contrast in every],
        segments=[contrast.segments for contrast in every],
        raters=[contrast.raters for contrast in every],
        by_units=spreads(every, "group"),
        by_raters=spreads(every, "rater"),
        by_both=spreads(every, "both"),
        floor_raters=False,
        notes=(Note("warning", text),) if left else (),
    )


@dataclass(frozen=True, eq=False)
class Contrast:
    """One pair's ratings: what each adds to the difference, its unit, its rater, both of them, and its weight."""

    difference: float
    moved: Floats
    weight: Floats
    group: Index
    rater: Index
    both: Index
    segments: int

    @classmethod
    def of(
        cls, given: RaterScores, first: int, second: int, groups: Groups, inclusion: Floats | None = None
    ) -> "Contrast | None":
        """Return the contrast of two systems; None without two units. inclusion: of each segment, where they differ."""
        found = cls.in_set(given, first, second, groups, inclusion)
        return None if found is None else cls.average([found], np.ones(1))

    @classmethod
    def in_set(
        cls, given: RaterScores, first: int, second: int, groups: Groups, inclusion: Floats | None = None
    ) -> "Contrast | None":
        """Return the same with groups and raters as they are numbered in all sets."""
        shared = np.intersect1d(given.segment[given.system == first], given.segment[given.system == second])
        here = np.isin(given.system, [first, second]) & np.isin(given.segment, shared)
        own, group = given.where(here), groups.of[here]
        if len(np.unique(group)) < 2:
            return None
        is_first = own.system == first
        # An output's raters count alike, and so do the values of a rater who saw it more than once.
        _, cell = np.unique(own.segment.astype(np.int64) * 2 + is_first, return_inverse=True)
        _, seen = np.unique(cell * len(own.raters) + own.rater, return_inverse=True)
        values_of_rater = np.bincount(seen)[seen]
        raters_of_cell = np.bincount(cell, 1 / values_of_rater)[cell]
        share = np.ones(len(own)) if inclusion is None else 1 / inclusion[own.segment]
        weight = share / (values_of_rater * raters_of_cell)
        weight *= 2 / weight.sum()
        means = np.bincount(is_first.astype(np.int64), weight * own.value, minlength=2)
        moved = weight * (own.value - means[is_first.astype(np.int64)]) * np.where(is_first, 1, -1)
        return cls(float(means[1] - means[0]), moved, weight, group, own.rater.astype(np.int64), group, len(shared))

    @classmethod
    def average(cls, parts: "Sequence[Contrast]", weights: Floats) -> "Contrast":
        """Return Σ w_j d_j over sets; groups and raters have the same numbers in all, and are numbered anew."""
        (group, rater), (moved, weight) = (
            [np.concatenate([getattr(part, name) for part in parts]) for name in names]
            for names in (("group", "rater"), ("moved", "weight"))
        )
        _, group = np.unique(group, return_inverse=True)
        _, rater = np.unique(rater, return_inverse=True)
        _, both = np.unique(group * (int(rater.max()) + 1) + rater, return_inverse=True)
        share = np.repeat(weights, [len(part.moved) for part in parts])
        difference = float(weights @ [part.difference for part in parts])
        return cls(difference, share * moved, share * weight, group, rater, both, sum(part.segments for part in parts))

    @property
    def units(self) -> int:
        """How many units both systems have."""
        return int(self.group.max()) + 1

    @property
    def raters(self) -> int:
        """How many raters both systems had."""
        return int(self.rater.max()) + 1

    def spread(self, clusters: Index) -> tuple[float, float]:
        """Return G/(G − 1) times the sum over G clusters of the square of what they add, and its degrees of freedom."""
        count = int(clusters.max()) + 1
        if count < 2:
            return float("nan"), 0.0
        variance = count / (count - 1) * float(np.square(np.bincount(clusters, self.moved)).sum())
        # Without any spread but what rounding leaves there is none.
        variance = variance if variance > (1e-12 * self.difference) ** 2 else 0.0
        return variance, float(df_of(np.bincount(clusters, self.weight).astype(np.float64)[None])[0])


def spreads(contrasts: Sequence[Contrast], by: Literal["group", "rater", "both"]) -> Spread:
    """Return the variances of contrasts over such clusters, and their degrees of freedom."""
    variances, df = zip(*(contrast.spread(getattr(contrast, by)) for contrast in contrasts), strict=True)
    return np.array(variances), np.array(df)


def _on_screens(
    given: RaterScores, names: Sequence[str], documents: Sequence[str] | None, settings: Settings, sign: int
) -> _Parts:
    """Compare within screens: least squares of x = screen + system, one step of the jackknife over clusters."""
    given = _once(given)
    screen, _, _ = _numbers(given)
    given = given.where(np.bincount(screen)[screen] > 1)
    if not len(given):
        raise NotApplicable("No rater rated two systems of a segment, so there are no differences within screens.")
    screen, _, _ = _numbers(given)
    groups = groups_of(given, documents, settings.unit if settings.unit != "block" else "auto")
    there, system = np.unique(given.system, return_inverse=True)
    refuse_many(len(there))
    labels = [names[row] for row in there]
    screens = _Screens.of(system, screen, given.value, labels)
    pairs = all_pairs(len(there))
    contrasts = np.zeros((len(there), len(pairs)))
    contrasts[pairs[:, 0], range(len(pairs))], contrasts[pairs[:, 1], range(len(pairs))] = 1, -1
    _, rater = np.unique(given.rater, return_inverse=True)
    _, both = np.unique(groups.of * (int(rater.max()) + 1) + rater, return_inverse=True)

    def lost(what: str, called: Callable[[int], str]) -> Callable[[int, list[str]], str]:
        return lambda number, alone: (
            f"Only {what} {called(number)} compares {listed(alone)} with the others, so the variation between {what}s "
            f"is unknown. Leave out {listed(alone)}."
        )

    by_units = screens.spread(groups.of, contrasts, labels, lost(groups.unit, _called(given, groups, documents)))
    raters = int(rater.max()) + 1
    nothing = np.full(len(pairs), np.nan), np.zeros(len(pairs))
    by_raters = by_both = nothing
    if raters >= _estimated.FEWEST_RATERS:
        used = np.unique(given.rater)
        named = lost("rater", lambda number: given.raters[int(used[number])])
        by_raters = screens.spread(rater, contrasts, labels, named)
        by_both = screens.spread(both, contrasts, labels, named)
    rated = [len(np.unique(given.segment[np.isin(system, pair)])) for pair in pairs.tolist()]
    return _Parts(
        labels, screens.effects + given.value.mean(), pairs, sign * (screens.effects @ contrasts), groups.unit,
        [groups.count] * len(pairs), rated, [raters] * len(pairs), by_units, by_raters, by_both, floor_raters=True,
    )  # fmt: skip


def _once(given: RaterScores) -> RaterScores:
    """Return ratings in which each rater's values of an output are their mean."""
    _, _, own = _numbers(given)
    _, first = np.unique(own, return_index=True)
    means = np.bincount(own, given.value) / np.bincount(own)
    return replace(
        given, rater=given.rater[first], system=given.system[first], segment=given.segment[first], value=means
    )


def _called(given: RaterScores, groups: Groups, documents: Sequence[str] | None) -> Callable[[int], str]:
    """Return what says how a group is called."""

    def name(number: int) -> str:
        segment = int(given.segment[groups.of == number][0])
        return documents[segment] if groups.unit == "document" and documents is not None else str(segment + 1)

    return name


_MOST_HELD = 2**26
"""Numbers of the information of all clusters: half a GB."""


@dataclass(frozen=True, eq=False)
class _Screens:
    """Ratings less the mean of their screen, as rows of a regression on systems.

    system, screen, left: shape (m,), of every rating its system, its screen, and what neither explains. design: shape
    (screens, s), who was on it. information: XᵀX of the rows, shape (s, s). effects: shape (s,), summing to 0.
    """

    system: Index
    screen: Index
    left: Floats
    design: Floats
    information: Floats
    effects: Floats

    @classmethod
    def of(cls, system: Index, screen: Index, value: Floats, names: Sequence[str]) -> "_Screens":
        size, systems = np.bincount(screen), len(names)
        design = np.zeros((len(size), systems))
        np.add.at(design, (screen, system), 1.0)
        information = np.diag(np.bincount(system, minlength=systems)) - (design / size[:, None]).T @ design
        parts = _parts(information)
        if len(parts) > 1:
            named = "; ".join(listed([names[row] for row in part]) for part in parts)
            raise NotApplicable(f"No screen connects these groups of systems, so they have no common scale: {named}.")
        away = value - (np.bincount(screen, value) / size)[screen]
        whole = information + _constant(information)
        effects: Floats = np.linalg.solve(whole, np.bincount(system, away, minlength=systems)).astype(np.float64)
        expected = effects[system] - (np.bincount(screen, effects[system]) / size)[screen]
        return cls(system, screen, away - expected, design, information, effects)

    def spread(
        self, clusters: Index, contrasts: Floats, names: Sequence[str], lost: Callable[[int, list[str]], str]
    ) -> tuple[Floats, Floats]:
        """Return variances of contrasts, shape (s, m), by leaving out each cluster once, and degrees of freedom.

        Least squares moves by (H − H_d)⁻¹ S_d without cluster d; a cluster counts by its share of the information.
        """
        count, (screens, s) = int(clusters.max()) + 1, self.design.shape
        if count * s**2 > _MOST_HELD:
            raise NotApplicable(f"{count:,} clusters of ratings of {s} systems are too many for a jackknife.")
        score = np.zeros((count, s))
        np.add.at(score, (clusters, self.system), self.left)
        of_screen = np.zeros(screens, dtype=np.int64)
        of_screen[self.screen] = clusters
        own = np.zeros((count, s, s))
        scaled = self.design / np.sqrt(self.design.sum(axis=1))[:, None]
        for cluster, rows in enumerate(_rows_of(of_screen, count)):
            own[cluster] = np.diag(self.design[rows].sum(axis=0)) - scaled[rows].T @ scaled[rows]
        whole = self.information + _constant(self.information)
        left = whole - own
        weakest = np.linalg.eigvalsh(left)[:, 0]
        for cluster in np.flatnonzero(weakest < _SINGULAR * self.information.trace()).tolist():
            parts = _parts(self.information - own[cluster])
            raise NotApplicable(lost(cluster, [names[row] for row in min(parts, key=len)]))
        moved = np.linalg.solve(left, score[..., None])[..., 0] @ contrasts
        held = np.linalg.solve(whole, contrasts)
        shares = np.stack([np.einsum("sm,sm->m", held, one @ held) for one in own])
        variance = (count - 1) / count * np.square(moved).sum(axis=0)
        return variance, df_of(np.maximum(shares.T, 0.0))


def _constant(information: Floats) -> Floats:
    """Return what a constant for all systems is given: differences alone are known, and it moves none of them."""
    return np.full_like(information, information.trace() / len(information) ** 2)


def _rows_of(of: Index, count: int) -> list[Index]:
    """Return the positions of each of so many clusters."""
    order = np.argsort(of, kind="stable")
    return np.split(order, np.cumsum(np.bincount(of, minlength=count))[:-1])


def _parts(information: Floats) -> list[list[int]]:
    """Return the parts that information connects, as positions."""
    linked = np.abs(information) > _SINGULAR * np.abs(information).max(initial=0.0)
    left, parts = set(range(len(linked))), []
    while left:
        reached, new = set(), {min(left)}
        while new:
            reached |= new
            new = {int(j) for i in new for j in np.flatnonzero(linked[i])} - reached
        parts.append(sorted(reached))
        left -= reached
    return parts
