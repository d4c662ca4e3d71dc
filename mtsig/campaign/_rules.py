"""Rules of WMT and Pearmut for ranks of rated systems, and AutoRank: as they are published, next to the valid analysis.

All rules take items as independent and correct for no number of pairs. What that errs is measured in
docs/statistics/campaigns.md, section 3; `RULES` says it in a sentence.
"""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import numpy as np
import scipy

from mtsig._probability import normal_above, normal_quantile, satterthwaite_df, t_quantile
from mtsig._records import Floats, Index, Mask, Number, Ordinal, Record, SystemName, about
from mtsig._results import Result
from mtsig.corpus import Corpus, Note, RaterScores, Rating
from mtsig.corpus._notes import MIN_DOCUMENTS, counted_names, listed, number_of
from mtsig.errors import NotApplicable, find
from mtsig.inference import Family, Intervals, Ranks, Settings
from mtsig.inference._adjust import refuse_many
from mtsig.inference._ranks import rankable, ranks
from mtsig.inference._raters import ON_SCREENS, assignment
from mtsig.inference._raters import compare_ratings as compare_ratings
from mtsig.inference._verdict import verdict
from mtsig.meta_eval._statistic import summed
from mtsig.metrics import Metric, measure
from mtsig.metrics._metric import sign_of

ALPHA = 0.05
"""What all of these rules call significant."""

FEWEST_2025 = 500
"""WMT25's table leaves out sets with fewer ratings."""

BCA_DRAWS = 100
"""Resamples of WMT26's later script, which has no seed."""


@dataclass(frozen=True)
class OfficialRank(Record):
    """Where one system stands by a rule of WMT's or Pearmut's."""

    rule: Annotated[str, about("Short name of the rule, as in --compat.")]
    system: Annotated[SystemName, about("The system.")]
    score: Annotated[Number, about("Mean score of the system, as the rule computes it.")]
    rank_low: Annotated[Ordinal, about("Best rank of the system under the rule.")]
    rank_high: Annotated[Ordinal, about("Worst rank of the system under the rule.")]
    cluster: Annotated[Ordinal, about("Cluster of the system, from 1.")]
    cut: Annotated[bool, about("Whether the rule draws a line between this system and the next.")]


@dataclass(frozen=True, eq=False)
class OfficialRanks(Result):
    """Systems by a rule, best first; wins: shape (s, s), whether the rule calls one better than another."""

    rule: str
    rating: str
    records: tuple[OfficialRank, ...]
    wins: Mask
    notes: tuple[Note, ...] = ()

    @property
    def pairs(self) -> int:
        """How many pairs the rule compares."""
        systems = len(self.records)
        return systems - 1 if RULES[self.rule].neighbours else systems * (systems - 1) // 2

    def __repr__(self) -> str:
        """Return the rule and the systems, in one line."""
        return f"<OfficialRanks by {self.rule}: {counted_names('system', [row.system for row in self.records])}>"


@dataclass(frozen=True)
class Rule:
    """A rule: what it is called, what it does, and how often it errs, each in a sentence.

    repeats: what becomes of several ratings of an output: "mean", or "items" of their own. whose: who uses it.
    neighbours: whether it compares neighbours alone, and has no ranks but those between its lines.
    differ: the items' scores, shape (s, n), NaN where there is none, systems best first; whether each is called better
    than those that follow, shape (s, s).
    """

    label: str
    about: str
    errs: str
    repeats: str
    differ: Callable[[Floats, Sequence[str] | None, int], Mask]
    whose: str = "WMT"
    neighbours: bool = False

    @property
    def title(self) -> str:
        """Whose rule it is."""
        return f"{self.whose}'s rule ({self.label})"


def _pairs(systems: int) -> Iterator[tuple[int, int]]:
    return ((x, y) for x in range(systems) for y in range(x + 1, systems))


def _common(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    both = ~np.isnan(first) & ~np.isnan(second)
    return first[both], second[both]


def _wilcoxon(first: Floats, second: Floats, alternative: Literal["two-sided", "greater"]) -> float:
    """Return scipy's p of signed ranks on the items of both; 1 where nothing differs, or nothing is shared.

    Few items with ties or zeros have their exact p, which scipy also gives, after up to a second for each pair.
    """
    x, y = _common(first, second)
    apart = (x - y)[x != y]
    if not len(apart):
        return 1.0
    sizes = np.abs(apart)
    if len(x) > _FEW or len({*sizes.tolist()}) == len(x):
        return float(scipy.stats.wilcoxon(x, y, alternative=alternative).pvalue)
    ranks = scipy.stats.rankdata(sizes)
    chosen = (np.arange(2 ** len(ranks))[:, None] >> np.arange(len(ranks))) & 1
    sums, observed = chosen @ ranks, ranks[apart > 0].sum()
    above, below = float((sums >= observed).mean()), float((sums <= observed).mean())
    return above if alternative == "greater" else min(1.0, 2 * min(above, below))


_FEW = 13
"""Items of which scipy tries all signs, where some differences are equal or zero."""


def combined(scores: Floats, domains: Sequence[str] | None) -> Floats:
    """Return WMT24's p of every pair: two-sided signed ranks by domain, combined by Stouffer without their directions.

    scores: shape (s, n). domains: of every item; one where they are not known.
    """
    of = np.asarray(domains if domains is not None else [""] * scores.shape[1], dtype=object)
    p = np.ones((len(scores), len(scores)))
    for x, y in _pairs(len(scores)):
        parts = [_wilcoxon(scores[x, of == name], scores[y, of == name], "two-sided") for name in dict.fromkeys(of)]
        z = normal_quantile(1 - np.array(parts)).sum() / np.sqrt(len(parts))
        p[x, y] = p[y, x] = float(normal_above(z))
    return p


def signed_ranks(scores: Floats) -> Floats:
    """Return WMT25's p of every pair: one-sided signed ranks on the items that both have; NaN on the diagonal."""
    p = np.full((len(scores), len(scores)), np.nan)
    for x, y in _pairs(len(scores)):
        p[x, y], p[y, x] = (_wilcoxon(scores[a], scores[b], "greater") for a, b in ((x, y), (y, x)))
    return p


def either_t(scores: Floats) -> tuple[Floats, Floats]:
    """Return the p of paired and of unpaired t tests, two-sided, as WMT26's script of August 2026 makes them."""
    paired, unpaired = np.full((2, len(scores), len(scores)), np.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of equal values t is NaN, and NaN is no win
        for x, y in _pairs(len(scores)):
            both = _common(scores[x], scores[y])
            for into, p in (
                (paired, scipy.stats.ttest_rel(*both).pvalue if len(both[0]) > 1 else np.nan),
                (unpaired, scipy.stats.ttest_ind(scores[x], scores[y], nan_policy="omit").pvalue),
            ):
                into[x, y] = into[y, x] = p
    return paired, unpaired


def bca_bounds(scores: Floats, seed: int) -> tuple[Floats, Floats]:
    """Return the lower ends of one-sided .95 BCa intervals, paired and unpaired, of pairs x < y; shape (s, s) each."""
    paired, unpaired = np.full((2, len(scores), len(scores)), np.nan)
    one, two = (np.random.default_rng(seed) for _ in range(2))
    options: dict[str, Any] = {
        "vectorized": True, "n_resamples": BCA_DRAWS, "confidence_level": 1 - ALPHA, "alternative": "greater",
    }  # fmt: skip

    def apart(x: Floats, y: Floats, axis: int = -1) -> Floats:
        return np.asarray(np.mean(x, axis=axis) - np.mean(y, axis=axis))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of equal values BCa has no interval, and NaN is no win
        for x, y in _pairs(len(scores)):
            both = _common(scores[x], scores[y])
            alone = [row[~np.isnan(row)] for row in (scores[x], scores[y])]
            if len(both[0]) > 1:
                drawn = scipy.stats.bootstrap((both[0] - both[1],), np.mean, random_state=one, **options)
                paired[x, y] = drawn.confidence_interval.low
            drawn = scipy.stats.bootstrap(tuple(alone), apart, random_state=two, **options)
            unpaired[x, y] = drawn.confidence_interval.low
    return paired, unpaired


def _either_t(scores: Floats) -> Mask:
    paired, unpaired = either_t(scores)
    return (paired < ALPHA) | (unpaired < ALPHA)


def _either_bound(scores: Floats, seed: int) -> Mask:
    paired, unpaired = bca_bounds(scores, seed)
    return (paired > 0) | (unpaired > 0)


RULES: Mapping[str, Rule] = {
    "wmt24": Rule(
        "WMT24", "signed-rank tests by domain, combined by Stouffer's method without their directions",
        "with ten equal systems and four domains, it calls at least one pair different in 80% of campaigns with "
        "independent items, and in over 99% if documents and annotators matter",
        "mean", lambda scores, domains, _: combined(scores, domains) < ALPHA,
    ),
    "wmt25": Rule(
        "WMT25", "one-sided signed-rank tests of the better system, where the waves' ratings are different items",
        "with ten equal systems, it calls at least one pair different in 88% of campaigns with independent items, and "
        "in 98% if documents and annotators matter",
        "items", lambda scores, *_: signed_ranks(scores) < ALPHA,
    ),
    "wmt26-t": Rule(
        "WMT26, t tests", "a paired or an unpaired two-sided t test, as in August 2026",
        "with ten equal systems, it calls at least one pair different in 65% of campaigns with independent items, and "
        "in 90% if documents and annotators matter",
        "mean", lambda scores, *_: _either_t(scores),
    ),
    "wmt26-bca": Rule(
        "WMT26, BCa", f"a paired or an unpaired one-sided BCa bootstrap of {BCA_DRAWS} resamples (WMT uses no seed)",
        "with ten equal systems, it calls at least one pair different in 93% of campaigns with independent items, and "
        "in 98% if documents and annotators matter",
        "mean", lambda scores, _, seed: _either_bound(scores, seed),
    ),
    "pearmut": Rule(
        "table of results", "a paired two-sided t test between neighbours",
        "with two equal systems, it calls one better in 5.0% of campaigns with independent items, and in 14.5% if "
        "documents and annotators matter (5,000 simulated campaigns each, of 200 items in 50 documents); with ten "
        "equal systems, in 0% and 2% (200 campaigns), because neighbours differ least, but in 50% if raters see three "
        "systems at once and better systems are shown more often",
        "mean", lambda scores, *_: either_t(scores)[0] < ALPHA, "Pearmut", neighbours=True,
    ),
}  # fmt: skip
"""Rules by name; none is a default, and none changes the valid analysis.

How often each errs is measured by tests/benchmarks/campaign_errors.py: 200 items in 50 documents, 5,000 campaigns of
two systems, 200 of ten; in four domains, which WMT24's rule alone uses.
"""


COMPAT: Mapping[str, str] = {
    "mtme": "soft and pairwise accuracy as mt-metrics-eval computes them (meta-eval)",
    "arena": "Elo as arena leaderboards print it (preferences)",
    "mt-bench": "win rates as FastChat prints them for MT-Bench (preferences)",
    **{name: f"ranks by {rule.title}: {rule.about} (compare and report, for ratings)" for name, rule in RULES.items()},
}
"""Programs of others whose results are made, too."""


def official_ranks(corpus: Corpus, rating: str, rule: str, seed: int = 12345) -> OfficialRanks:
    """Return the systems of a rating by a rule, as its own script orders them; seed: of the resamples of wmt26-bca."""
    chosen, given = find(RULES, rule, "rule"), find(corpus.ratings, rating, "rating")
    items, of_item = (
        side_by_side(given)
        if chosen.repeats == "items"
        else (given.values.astype(np.float64), np.arange(given.values.shape[1]))
    )
    there = np.flatnonzero(~np.isnan(items).all(axis=1))
    if len(there) < 2:
        raise NotApplicable(f"Ranks need 2 rated systems; found {number_of(len(there), 'system')} in {rating}.")
    refuse_many(len(there))
    domains = corpus.segments.domains if rule == "wmt24" else None
    names = [list(corpus.systems)[row] for row in there]
    notes = []
    if rule == "wmt24" and domains is None:
        notes.append(Note("note", "WMT24's rule uses domains, which are unknown here: all segments count as one."))
    ratings = int(np.count_nonzero(~np.isnan(items)))
    if rule == "wmt25" and ratings < FEWEST_2025:
        notes.append(Note("note", f"WMT25 omits sets with fewer than {FEWEST_2025} ratings; this one has {ratings}."))
    if rule == "wmt24" and domains is not None:
        text = "WMT24's scores are means over domains; mtsig compare --macro domain tests these averages."
        notes.append(Note("note", text))
    if rule == "pearmut" and given.rater_scores is not None and len(given.rater_scores) > ratings:
        # Ratings are kept by rater, not by time (see RaterScores).
        notes.append(Note("note", "Pearmut uses the last rating of an output; mtsig averages all ratings of it."))
    own = None if domains is None else [domains[segment] for segment in of_item]
    signed = items[there] if given.higher_is_better else -items[there]
    records, wins = ranked(names, signed, rule, own, seed)
    size, short = len(records), [records[row].system for row in np.flatnonzero(~wins[:-1].any(axis=1))]
    if rule == "wmt26-bca" and short:
        text = f"WMT's script stops one rank too early for {listed(short)}: it prints {size - 1} as the lowest rank"
        notes.append(Note("note", f"{text}, but {size} is correct, since no lower system is significantly worse."))
    if not given.higher_is_better:
        records = tuple(OfficialRank(**row.row() | {"score": -row.score}) for row in records)
    return OfficialRanks(rule, rating, records, wins, tuple(notes))


def ranked(
    names: Sequence[str], scores: Floats, rule: str, domains: Sequence[str] | None = None, seed: int = 12345
) -> tuple[tuple[OfficialRank, ...], Mask]:
    """Return systems by a rule, best first, and which is better than which, in that order.

    scores: of items, shape (s, n), higher is better, NaN where there is none. domains: of every item.
    """
    chosen = find(RULES, rule, "rule")
    if rule == "wmt24" and domains is not None:
        of = np.asarray(domains, dtype=object)
        means = np.nanmean([np.nanmean(scores[:, of == name], axis=1) for name in dict.fromkeys(domains)], axis=0)
    else:
        means = np.nanmean(scores, axis=1)
    order = np.argsort(-means, kind="stable")
    ordered = scores[order]
    differ = chosen.differ(ordered, domains, seed)
    wins = differ & np.eye(len(differ), k=1, dtype=bool) if chosen.neighbours else np.triu(differ, 1)
    adjacent = np.append(np.diagonal(wins, 1), False)
    ends = _ends_by_p(~differ) if rule == "wmt24" else np.append(adjacent[:-1], True)
    places = _by_losses(wins) if rule == "wmt24" else _between(ends) if chosen.neighbours else _by_neighbours(wins)
    if rule == "wmt26-bca":
        places[:-1, 1] -= ~wins[:-1].any(axis=1)
    ends = ends if rule == "wmt24" or chosen.neighbours else _ends(wins, places, rule)
    clusters = 1 + np.concatenate([[0], np.cumsum(ends[:-1])])
    rows = OfficialRank.of_columns(
        len(order), rule=rule, system=[names[row] for row in order], score=means[order], rank_low=places[:, 0],
        rank_high=places[:, 1], cluster=clusters, cut=adjacent if rule != "wmt24" else ends,
    )  # fmt: skip
    return rows, wins


def _by_losses(wins: Mask) -> Index:
    """Return 1 + losses and N − wins of each system; shape (s, 2)."""
    return np.stack([1 + wins.sum(axis=0), len(wins) - wins.sum(axis=1)], axis=1)


def _by_neighbours(wins: Mask) -> Index:
    """Return the ranges up to the first that is significantly better, and the first significantly worse; (s, 2)."""
    ranges = []
    for row in range(len(wins)):
        above = np.flatnonzero(wins[:row, row])
        below = np.flatnonzero(wins[row, row + 1 :])
        ranges.append((above[-1] + 2 if len(above) else 1, row + 1 + below[0] if len(below) else len(wins)))
    return np.array(ranges, dtype=np.int64)


def _between(ends: Mask) -> Index:
    """Return the first and the last rank between two lines; shape (s, 2)."""
    last = np.flatnonzero(ends) + 1
    of = np.searchsorted(last, np.arange(len(ends)), side="right")
    return np.stack([np.concatenate([[0], last])[of] + 1, last[of]], axis=1)


def _ends(wins: Mask, places: Index, rule: str) -> Mask:
    """Return after which systems a cluster ends: for 2025 where no range crosses, for 2026 where all above beat all."""
    size = len(wins)
    if rule == "wmt25":
        crossed = [any(low <= row + 1 < high for low, high in places.tolist()) for row in range(size)]
        return np.append(~np.array(crossed[:-1], dtype=bool), True)
    return np.array([row == size - 1 or wins[: row + 1, row + 1 :].all() for row in range(size)])


def _ends_by_p(open_pair: Mask) -> Mask:
    """Return after which systems a cluster of 2024 ends: no earlier one of it is tied with any that follows."""
    size, start = len(open_pair), 0
    ends = np.zeros(size, dtype=bool)
    for row in range(size):
        if row == size - 1 or not open_pair[start : row + 1, row + 1 :].any():
            ends[row], start = True, row + 1
    return ends


def side_by_side(rating: Rating) -> tuple[Floats, Index]:
    """Return items of which every output has one rating at most, and the segment of each: (s, items) and (items,).

    Ratings of one wave make items of their own, as far as outputs were rated several times.
    """
    given = rating.rater_scores
    segments = rating.values.shape[1]
    if given is None:
        return rating.values.astype(np.float64), np.arange(segments)
    # Who rated most systems of a segment is its wave; where every output has a rater of its own, places in order are.
    cells = given.system.astype(np.int64) * segments + given.segment
    whole = assignment(given).on_screens >= ON_SCREENS and len(np.unique(cells)) < len(cells)
    wave = given.rater.astype(np.int64) if whole else _places(cells)
    items = np.full((len(rating.values), int(wave.max(initial=0)) + 1, segments), np.nan)
    items[given.system, wave, given.segment] = given.value
    flat = items.reshape(len(items), -1)
    there = ~np.isnan(flat).all(axis=0)
    return flat[:, there], np.tile(np.arange(segments), items.shape[1])[there].astype(np.int64)


def _places(key: Index) -> Index:
    """Return the place of each row among those of the same key, from 0."""
    order = np.argsort(key, kind="stable")
    first = np.maximum.accumulate(np.where(np.diff(key[order], prepend=-1) != 0, np.arange(len(key)), 0))
    place = np.empty(len(key), dtype=np.int64)
    place[order] = np.arange(len(key)) - first
    return place


def autorank(means: Floats) -> Floats:
    """Return AutoRank of systems by several metrics: shape (m, s) gives shape (s,), best 1 and worst s.

    z = (x − median)/max(ε, P100 − P25) by metric, the mean over metrics, and that on a scale from 1 to the number of
    systems (Kocmi et al. 2025). It depends on who else takes part.
    """
    middle = np.median(means, axis=1, keepdims=True)
    low, high = np.percentile(means, [25, 100], axis=1, keepdims=True)
    z = ((means - middle) / np.maximum(np.finfo(float).eps, high - low)).mean(axis=0)
    spread = z.max() - z.min()
    return np.asarray(1 + (z.max() - z) / (spread if spread > 0 else 1.0) * (len(z) - 1))


def autoranks(
    corpus: Corpus, metrics: str | Metric | Sequence[str | Metric], settings: Settings | None = None
) -> Intervals:
    """Compute AutoRank from several metrics, with intervals over documents.

    Every resample ranks all systems again. Scores are means over segments, or corpus scores for corpus-level metrics,
    without missing scores. AutoRank depends on the other systems: do not compare it with human ratings.

    Parameters
    ----------
    corpus
        The corpus whose outputs are scored.
    metrics
        The metrics, as for `measure`; metric scores in the corpus are given as rating:NAME.
    settings
        The level and the unit.

    Raises
    ------
    NotApplicable
        Fewer than two systems have every metric.

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.campaign import autoranks
    >>> [(row.system, round(float(row.score), 2)) for row in autoranks(mtsig.read_sample(), ["chrf", "bleu"])][:2]
    [('direct', 1.0), ('direct-us', 1.36)]
    """
    settings = Settings() if settings is None else settings
    chosen = [metrics] if isinstance(metrics, str | Metric) else metrics
    counted = [measure(corpus, metric) for metric in chosen]
    systems = [name for name in counted[0].systems if all(name in each.systems for each in counted)]
    if len(systems) < 2:
        raise NotApplicable(f"AutoRank needs 2 systems with all metrics; found {number_of(len(systems), 'system')}.")
    unit, of = "segment", np.arange(len(corpus), dtype=np.int64)
    if corpus.documents is not None and settings.unit in ("auto", "document"):
        known, by_document = np.unique(np.asarray(corpus.documents, dtype=object).astype(str), return_inverse=True)
        if len(known) >= MIN_DOCUMENTS or settings.unit == "document":
            unit, of = "document", by_document.astype(np.int64)
    groups = int(of.max()) + 1
    whole, left = [], []
    for each in counted:
        own = of if each.numbers is None else of[each.numbers]
        values = each.values[:, [each.row(name) for name in systems]].astype(np.float64)
        by_group = summed(values.reshape(-1, values.shape[-1]), own, groups).reshape(*values.shape[:2], groups)
        sums = by_group.sum(axis=-1, keepdims=True)
        whole.append(sign_of(each.metric) * each.metric.score(sums)[:, 0])
        left.append(sign_of(each.metric) * each.metric.score(sums - by_group))
    own_ranks = autorank(np.array(whole))
    without = np.stack([autorank(np.array([one[:, group] for one in left])) for group in range(groups)], axis=1)
    error = np.sqrt((groups - 1) / groups * np.square(without - own_ranks[:, None]).sum(axis=1))
    half = t_quantile((1 + settings.level) / 2, satterthwaite_df(np.bincount(of))) * error
    order = np.argsort(own_ranks, kind="stable")
    label, notes = "AutoRank", list[Note]()
    # The best is 1 and the worst N whatever their distance: of those that stay so there is nothing to estimate.
    if fixed := [systems[row] for row in order if error[row] < 1e-9]:
        half = np.where(error < 1e-9, np.nan, half)
        why = (
            "All systems score the same, so all have AutoRank 1, and there are no intervals."
            if len(fixed) == len(systems) and own_ranks.max() == 1
            else "By definition, AutoRank is 1 for the best system and the number of systems for the worst. That "
            f"of {listed(fixed)} is the same without any one {unit}, so it has no interval."
        )
        notes.append(Note("note", why))
    return Intervals(
        **Intervals.columns(
            len(systems), metric=label, signature=f"{label}|{'+'.join(each.metric.name for each in counted)}",
            system=[systems[row] for row in order], score=own_ranks[order],
            ci_low=np.maximum(1.0, own_ranks - half)[order],
            ci_high=np.minimum(len(systems), own_ranks + half)[order], interval="jackknife",
            units=[groups] * len(systems), segments=[len(corpus)] * len(systems), level=settings.level, unit=unit,
            higher_is_better=False, decimals=1,
        ),
        notes=tuple(notes),
    )  # fmt: skip


# --- next to the valid analysis -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Beside:
    """A rule, and the corrected comparisons of the same ratings with their ranks; None where these have none.

    left_out: raters whose ratings a filter has taken out of both.
    """

    official: OfficialRanks
    family: Family
    places: Ranks | None
    left_out: tuple[str, ...] = ()

    @property
    def counts(self) -> tuple[int, int]:
        """How many pairs the rule calls different, and how many differ significantly."""
        return int(self.official.wins.sum()), sum(verdict(row).winner is not None for row in self.family)


def rank_by_rule(
    corpus: Corpus, rating: str, rule: str, settings: Settings | None = None, without: Sequence[str] = ()
) -> tuple[Beside, ...]:
    """Rank systems by a rule of WMT or Pearmut, and by corrected comparisons.

    Parameters
    ----------
    corpus
        The corpus whose outputs were rated.
    rating
        The name of the rating.
    rule
        A name in RULES: wmt24, wmt25, wmt26-t, wmt26-bca or pearmut.
    settings
        The level, correction and unit of the comparisons, and the seed of the resamples for wmt26-bca.
    without
        Raters to leave out in additional rankings; "wmt26" means the raters that WMT26's filter removes.

    Raises
    ------
    UnknownName
        The rating or the rule is unknown.
    NotApplicable
        Fewer than two systems are rated, or raters are to be left out but the rating has no rater ids.

    Examples
    --------
    >>> import numpy as np
    >>> from mtsig import Corpus, Rating
    >>> from mtsig.campaign import rank_by_rule
    >>> values = np.array([[1.0], [0.5], [0.0]]) + np.random.default_rng(1).normal(size=(3, 60))
    >>> corpus = Corpus.of(dict.fromkeys("ABC"), ratings={"esa": Rating(values, higher_is_better=True)})
    >>> (found,) = rank_by_rule(corpus, "esa", "wmt25")
    >>> [(row.system, row.rank_low, row.rank_high) for row in found.official.records]
    [('A', 1, 1), ('B', 2, 2), ('C', 3, 3)]
    >>> [(row.system, row.rank_low, row.rank_high) for row in found.places]
    [('A', 1, 1), ('B', 2, 2), ('C', 3, 3)]
    """
    settings = Settings() if settings is None else settings
    chosen = [(corpus, tuple[str, ...]())]
    given = find(corpus.ratings, rating, "rating")
    if without:
        if given.rater_scores is None:
            raise NotApplicable(f"{rating}: no rater ids, so no rater can be left out.")
        signed = given.rater_scores.signed
        known = {name: name for name in signed.raters}
        named = [find(known, name, "rater") for name in without if name != FILTER]
        like_wmt = unlike_the_others(signed, corpus.documents) if FILTER in without else ()
        if out := tuple(dict.fromkeys((*like_wmt, *named))):
            chosen.append((without_raters(corpus, rating, out), out))
    return tuple(_beside(held, rating, rule, settings, out) for held, out in chosen)


def _beside(corpus: Corpus, rating: str, rule: str, settings: Settings, out: tuple[str, ...]) -> Beside:
    given = corpus.ratings[rating].rater_scores
    dynamic = given is not None and assignment(given.signed).kind == "dynamic"
    # Where raters saw changing subsets, only differences within their screens are comparable.
    family = (
        compare_ratings(corpus, rating, settings) if dynamic else settings.family(measure(corpus, f"rating:{rating}"))
    )
    official = official_ranks(corpus, rating, rule, settings.seed)
    return Beside(official, family, ranks(family) if rankable(family) else None, out)


FILTER = "wmt26"
"""What stands for the raters whom WMT26's filter leaves out, where raters are named."""

FEWEST_ENTRIES, FEWEST_OF_SYSTEM, LEAST_LIKELY = 3, 10, 0.75
"""WMT26's filter: entries of a rater and ratings of a system (more than so many) that it takes, and its threshold."""


def unlike_the_others(given: RaterScores, documents: Sequence[str] | None = None) -> tuple[str, ...]:
    """Return the raters whom WMT26's filter leaves out: their differences are unlike those of all raters.

    Of two systems on one screen, 2^−((Δ − μ)²/(2σ² + 10⁻⁶)) with μ and σ² the difference of the systems' means and the
    sum of their variances over all ratings, the rater's own among them; below .75 on average a rater is left out. An
    entry is taken to be a document, as in WMT's campaigns; a segment where there are none.
    """
    size = np.bincount(given.system)
    means = np.bincount(given.system, given.value) / np.maximum(size, 1)
    squares = np.bincount(given.system, np.square(given.value - means[given.system]))
    variances = squares / np.maximum(size - 1, 1)
    order = np.lexsort((given.segment, given.rater))
    rater, segment, system, value = (
        column[order] for column in (given.rater, given.segment, given.system, given.value)
    )
    total, pairs = np.zeros(len(given.raters)), np.zeros(len(given.raters))
    for step in range(1, int(np.bincount(np.unique((rater, segment), axis=1, return_inverse=True)[1]).max(initial=1))):
        one, other = slice(None, -step), slice(step, None)
        x, y = system[one], system[other]
        held = (rater[one] == rater[other]) & (segment[one] == segment[other])
        held &= (size[x] > FEWEST_OF_SYSTEM) & (size[y] > FEWEST_OF_SYSTEM) & (x != y)
        away = np.square(value[one] - value[other] - (means[x] - means[y]))
        likely = np.exp2(-away / (2 * (variances[x] + variances[y]) + 1e-6))
        total += np.bincount(rater[one][held], likely[held], minlength=len(total))
        pairs += np.bincount(rater[one][held], minlength=len(pairs))
    of = (
        np.arange(int(segment.max(initial=-1)) + 1)
        if documents is None
        else np.unique(documents, return_inverse=True)[1]
    )
    entries = np.bincount(np.unique((rater, of[segment]), axis=1)[0], minlength=len(total))
    out = (entries >= FEWEST_ENTRIES) & (pairs > 0) & (total < LEAST_LIKELY * pairs)
    return tuple(given.raters[place] for place in np.flatnonzero(out))


def without_raters(corpus: Corpus, rating: str, raters: Sequence[str]) -> Corpus:
    """Return the corpus with a rating that these raters have no part in."""
    given = corpus.ratings[rating]
    if given.rater_scores is None:
        raise NotApplicable(f"{rating}: no rater ids, so no rater can be left out.")
    kept = [place for place, name in enumerate(given.rater_scores.raters) if name not in raters]
    own = given.rater_scores.where(np.isin(given.rater_scores.rater, kept))
    cell = own.system.astype(np.int64) * len(corpus) + own.segment
    size = given.values.size
    with np.errstate(invalid="ignore"):
        values = np.bincount(cell, own.value, minlength=size) / np.bincount(cell, minlength=size)
    less = replace(given, values=values.reshape(given.values.shape), rater_scores=own)
    return replace(corpus, ratings={**corpus.ratings, rating: less})


def rules_text(official: OfficialRanks) -> str:
    """Return what the rule says, and what it errs, in sentences."""
    rule = RULES[official.rule]
    top = [row.system for row in official.records if row.cluster == 1]
    return (
        f"{rule.title}: {rule.about}. It calls {int(official.wins.sum())} of {number_of(official.pairs, 'pair')} of "
        f"{official.rating} different and puts {listed(top)} into the first cluster. It treats items as independent "
        f"and does not correct for the number of comparisons: {rule.errs}."
    )
