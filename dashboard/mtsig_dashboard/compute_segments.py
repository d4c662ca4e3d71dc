"""What single segments, and the words in them, bring to a difference, worked out once for all visitors."""

from mtsig import Corpus, Settings
from mtsig.inference import Comparison
from mtsig.metrics import Metric, Statistics
from mtsig.segments import (
    Buckets,
    Contributions,
    Leverage,
    Mode,
    WordView,
    buckets_of,
    card,
    contributions,
    length_thirds,
    leverage,
    tested_again,
    word_view,
)
from mtsig_dashboard.resources import at_once, remembered, worked


def contributed(statistics: Statistics, first: str, second: str | None) -> Contributions:
    """Return what each segment adds to the difference of two systems, or to the score of one."""
    key = ("contributions", statistics.digest, statistics.metric, first, second)
    return remembered(key, lambda: contributions(statistics.at("segment"), first, second))


def carded(corpus: Corpus, contributions: Contributions, position: int, mode: Mode, layout: str) -> str:
    """Return the card of a segment, by its position among the contributions; most clicks show the same ones again."""
    segment = int(contributions.numbers[position])
    pair = [name for name in (contributions.first, contributions.second) if name is not None]
    value, scores = float(contributions.values[position]), contributions.scores[:, position].tolist()
    number = corpus.numbers[segment]
    key = ("card", corpus.digest, number, segment, contributions.metric, *pair, value, *scores, mode, layout)

    def work() -> str:
        told = {"contribution": value, "scores": scores, "layout": layout}
        return card(corpus, segment, pair, metric=contributions.metric, mode=mode, **told)

    return at_once(key, work)


def bucketed(corpus: Corpus, first: str, second: str | None) -> Buckets:
    """Return what may be the matter with which segments of two systems, or of one."""
    key = ("buckets", corpus.digest, first, second)

    def work() -> Buckets:
        # The other systems' texts need not go to another process.
        part = corpus.select([name for name in (first, second) if name is not None])
        return worked("Looking at the texts …", buckets_of, part, first, second)

    return remembered(key, work)


def length_thirds_of(corpus: Corpus) -> dict[str, tuple[int, int]]:
    """Return the ends of the short, the medium and the long segments."""
    return remembered(("thirds", corpus.digest), lambda: length_thirds(corpus))


def worded(corpus: Corpus, metric: Metric, settings: Settings, first: str, second: str) -> WordView:
    """Return on which words, lengths and n-grams two systems differ."""
    key = ("words", corpus.digest, metric, settings.unit, settings.level, first, second)
    args = (corpus, metric, first, second, settings.unit, settings.level)
    return remembered(key, lambda: worked("Looking at the words …", word_view, *args))


def leveraged(
    statistics: Statistics, settings: Settings, first: str, second: str, no_verdict: str
) -> tuple[Leverage, Comparison | None, str]:
    """Return what is left of a difference without the units that push most, and the test made again where it turns."""
    key = ("leverage", statistics.digest, statistics.metric, settings, first, second, no_verdict)

    def work() -> tuple[Leverage, Comparison | None, str]:
        by_segment = contributed(statistics, first, second)
        unit = statistics.at(settings.unit)
        pushing = by_segment if unit.unit == "segment" else contributions(unit, first, second)
        options = {"seed": settings.seed, "no_verdict": no_verdict}
        curve = worked("Leaving segments out …", leverage, pushing, settings.level, **options)
        return (curve, *worked("Testing without them …", tested_again, by_segment, pushing, curve, settings))

    return remembered(key, work)
