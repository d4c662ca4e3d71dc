"""Parts of one test set as the sets of a collection: compared as one family, by exchanges of the whole set.

Two parts of which one is significant and the other is not need not differ (Gelman and Stern 2006, The American
Statistician 60): whether a pair's difference varies between parts is tested by itself.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mtsig._options import expect_arguments
from mtsig._records import Index
from mtsig.collection._averages import ScoresOverSets
from mtsig.collection._compare import DrawnOverSets, FamilyOverSets, described_of
from mtsig.collection._families import notes_of
from mtsig.collection._pairs import SharedUnits, pair_over_sets
from mtsig.collection._sets import Sets, SetStatistics
from mtsig.corpus import Corpus, Note, Slice, slices_of
from mtsig.corpus._notes import MIN_DOCUMENTS, TINY_TEST_SET, number_of
from mtsig.corpus._slices import Slicing
from mtsig.errors import NotApplicable, expect
from mtsig.inference import Settings
from mtsig.inference._family import counted_without
from mtsig.inference._intervals import interval
from mtsig.inference._targets import PairChoice, Scores, pairs_of
from mtsig.metrics import Statistics
from mtsig.metrics._statistics import ResolvedUnit, expect_statistics
from mtsig.metrics._sums import blocks_of

MOST_PARTS = 20
"""More parts leave nothing to find after correction, and are too many to read."""


def compare_subsets(
    corpus: Corpus, statistics: Statistics, by: str, settings: Settings | None = None, pairs: PairChoice = "all"
) -> FamilyOverSets:
    """Compare systems on every subset of a test set, and test whether subsets differ.

    Parameters
    ----------
    corpus : Corpus
        The corpus on which the statistics were computed.
    statistics : Statistics
        The statistics that `measure` returns.
    by : str
        A name in `mtsig.corpus.SLICINGS`, such as "domain" or "length:4".
    settings : Settings, optional
        The settings of the analysis.
    pairs : "all", str, or a list of (first, second)
        The pairs to compare, as for `compare`.

    Returns
    -------
    found : FamilyOverSets
        The comparisons of every subset, their averages, and for each pair whether the subsets differ.

    Raises
    ------
    InvalidOption
        The test set cannot be divided by `by`, or an argument has the wrong type.
    UnknownName
        The name in `by`, or the name of a system, is unknown.
    NotApplicable
        The corpus lacks the needed data, fewer than two subsets are large enough, or there are more than 20 subsets.

    Notes
    -----
    1. Each subset is analysed as a test set, on the same resamples of the whole test set.
    2. p-values are corrected for subsets × pairs together.
    3. The test of equal differences takes into account that documents may be in several subsets.

    Examples
    --------
    >>> import mtsig
    >>> corpus = mtsig.read_sample()
    >>> settings = mtsig.Settings(n_resamples=200)
    >>> found = mtsig.compare_subsets(corpus, mtsig.measure(corpus, "bleu"), "length:2", settings)
    >>> found
    <FamilyOverSets in BLEU: 20 comparisons on 2 sets>
    >>> [(name, len(family)) for name, family in found.families.items()]
    [('short (22–110 characters of the source)', 10), ('long (111–210 characters of the source)', 10)]
    """
    expect(corpus, Corpus, "Give the corpus that the statistics come from")
    expect_statistics(statistics)
    expect_arguments(compare_subsets, locals())
    settings = settings or Settings()
    slicing = Slicing.of(by)
    asked, parts, small = _large_enough(slices_of(corpus, slicing), statistics, slicing)
    settings, said = _with_unit(settings, parts, statistics, slicing)
    statistics, blocks = _in_order(settings, statistics)
    chosen = pairs_of(Scores(statistics, settings.bootstrap()), pairs).labels
    # Systems in no pair are not tested, and no caution concerns them.
    named = {system for pair in chosen for system in pair}
    statistics = statistics.select([system for system in statistics.systems if system in named])
    inside = {part.name: only_of(part, statistics, blocks) for part in parts}
    families = dict(zip(inside, settings.families(list(inside.values()), chosen, joined="parts"), strict=True))
    units = units_of(parts, statistics, next(iter(families.values())).statistics.unit, blocks)
    corpora = {
        part.name: replace(corpus.take(np.flatnonzero(part.inside)), subset=f"{by}={part.asked_by}") for part in asked
    }
    sets = SetStatistics(Sets(corpora), inside)
    sizes = np.array([len(part) for part in parts], dtype=np.float64)
    over = [pair_over_sets(sets, units, pair, list(inside)) for pair in chosen]
    why = "parts of one test set do not generalise to new sets"
    return FamilyOverSets(
        families,
        averages=None,
        described=described_of(sets, over, [sizes / sizes.sum()] * len(over), settings, why),
        replicated=(),
        ranks=None,
        joint=True,
        sets=tuple(inside),
        notes=(*small, *said, *notes_of({name: family.notes for name, family in families.items()})),
        drawn=DrawnOverSets(sets, units),
        by=by,
    )


def units_of(
    parts: Sequence[Slice], statistics: Statistics, unit: ResolvedUnit, blocks: Index | None = None
) -> SharedUnits:
    """Return which units the parts have, by their numbers in the whole test set."""
    groups = np.arange(statistics.n) if unit == "segment" else statistics.document_of if blocks is None else blocks
    own = {part.name: np.unique(np.asarray(groups, dtype=np.int64)[part.inside]) for part in parts}
    return SharedUnits(own, dict.fromkeys(own, unit), 0, whole=True)


def scores_of_subsets(compared: FamilyOverSets, settings: Settings) -> ScoresOverSets:
    """Return the scores of the systems in every part, with intervals over the units of their comparisons."""
    return ScoresOverSets(
        {
            name: interval(family.statistics, settings.interval, settings.level, family.scheme)
            for name, family in compared.families.items()
        },
        None,
    )


def _in_order(settings: Settings, statistics: Statistics) -> tuple[Statistics, Index | None]:
    """Return statistics that know their order, and the blocks of segments that parts share where these are units."""
    if statistics.clustered or (statistics.document_of is not None and settings.unit != "block"):
        return statistics, None
    at = settings.at(statistics)
    if at.unit != "block":
        return replace(at, neighbours=at.order), None
    return replace(statistics, neighbours=at.neighbours), blocks_of(statistics)


def only_of(part: Slice, statistics: Statistics, blocks: Index | None) -> Statistics:
    """Return the statistics of a part on the units of the whole test set, with nothing outside of it."""
    inside = np.broadcast_to(part.inside, statistics.values.shape[1:])
    available = inside if statistics.available is None else statistics.available & part.inside
    kinships = []
    for kinship in statistics.kinships:
        others = counted_without(statistics, kinship.kin.reference)
        same = all(np.array_equal(_numbers(other), _numbers(statistics)) for other in others.values())
        without = {said: only_of(part, other, blocks) for said, other in others.items()} if same else {}
        kinships.append(replace(kinship, without=without))
    segments = set(_numbers(statistics)[part.inside].tolist())
    concerned = {name for name in statistics.misaligned if segments & statistics.misaligned_lines.get(name, segments)}
    only = replace(
        statistics,
        values=np.ascontiguousarray((statistics.values * part.inside).astype(statistics.values.dtype)),
        available=available,
        unit="segment",
        kinships=tuple(kinships),
        misaligned={name: said for name, said in statistics.misaligned.items() if name in concerned},
        digest=f"{statistics.digest}|{part.name}",
        samples=None if statistics.samples is None else statistics.samples.within(part.inside),
    )
    return only if blocks is None else only.summed_by(blocks, "block")


def _numbers(statistics: Statistics) -> Index:
    return np.arange(statistics.n) if statistics.numbers is None else statistics.numbers.astype(np.int64)


def _large_enough(
    parts: Sequence[Slice], statistics: Statistics, by: Slicing
) -> tuple[list[Slice], list[Slice], tuple[Note, ...]]:
    """Return the parts with segments enough, as corpus and statistics have them, and a note on the others."""
    numbers = statistics.numbers
    counted = [part if numbers is None else Slice(part.name, part.inside[numbers]) for part in parts]
    kept = [part for part in counted if len(part) >= TINY_TEST_SET]
    if len(kept) > MOST_PARTS:
        raise NotApplicable(
            f"{len(kept)} subsets by {by} are too many to test together (at most {MOST_PARTS}). Test each subset alone."
        )
    if len(kept) < 2:
        raise NotApplicable(
            f"Subsets by {by}: at least two need {TINY_TEST_SET} segments or more; found {_sizes(counted)} segments."
        )
    small = [part for part in counted if len(part) < TINY_TEST_SET]
    text = f"Subsets of fewer than {TINY_TEST_SET} segments are left out: {_sizes(small)}."
    asked = [part for part, own in zip(parts, counted, strict=True) if len(own) >= TINY_TEST_SET]
    return asked, kept, (Note("note", text),) if small else ()


def _sizes(parts: Sequence[Slice]) -> str:
    return ", ".join(f"{part.name} ({len(part)})" for part in parts[:8]) + (", …" if len(parts) > 8 else "")


def _with_unit(
    settings: Settings, parts: Sequence[Slice], statistics: Statistics, by: Slicing
) -> tuple[Settings, tuple[Note, ...]]:
    """Return the settings with the unit that all parts can carry."""
    if settings.unit != "auto" or statistics.document_of is None:
        return settings, ()
    fewest = min(len(np.unique(statistics.document_of[part.inside])) for part in parts)
    if fewest >= MIN_DOCUMENTS:
        return replace(settings, unit="document"), ()
    text = (
        f"A subset by {by} has {number_of(fewest, 'document')}, too few as sampling units. Segments are used instead "
        "and treated as independent."
    )
    return replace(settings, unit="segment"), (Note("warning", text),)
