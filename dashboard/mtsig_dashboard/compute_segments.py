"""What single segments, and the words in them, bring to a difference, worked out once for all visitors."""

from mtsig import Corpus, Settings
from mtsig.inference import Comparison
from mtsig.metrics import Metric, Statistics
from mtsig.segments import (
    Buckets,
    Contributions,
    Leverage,
    WordView,
    buckets_of,
    contributions,
    length_thirds,
    leverage,
    tested_again,
    word_view,
)
from mtsig_dashboard.resources import remembered, worked


def contributed(statistics: Statistics, first: str, second: str | None) -> Contributions:
    """Return what each segment adds to the difference of two systems, or to the score of one."""
    key = ("contributions", statistics.digest, statistics.metric, first, second)
    return remembered(key, lambda: contributions(statistics.at("segment"), first, second))


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
        pushing = contributions(statistics.at(settings.unit), first, second)
        options = {"seed": settings.seed, "no_verdict": no_verdict}
        curve = worked("Leaving segments out …", leverage, pushing, settings.level, **options)
        by_segment = contributions(statistics.at("segment"), first, second)
        return (curve, *worked("Testing without them …", tested_again, by_segment, pushing, curve, settings))

    return remembered(key, work)
