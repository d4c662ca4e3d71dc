"""What is known of metrics beside people, and of people beside each other, worked out once for all visitors."""

from collections.abc import Hashable, Sequence
from typing import Any

from mtsig import Corpus, Settings
from mtsig.errors import NotApplicable
from mtsig.inference import Family
from mtsig.metrics import Metric
from mtsig.resampling import Bootstrap
from mtsig.trust import (
    AGREEMENTS,
    Agreement,
    Ceiling,
    ComparedMetrics,
    Curve,
    Guarded,
    Judged,
    JudgedComparisons,
    Leniency,
    RatingDesign,
    SameOutputs,
    Statistic,
    Trust,
    Underrated,
    VarianceShares,
    agreement,
    ceiling,
    compare_metrics,
    compare_with_random_judges,
    design_ratings_by,
    leniency,
    meaning,
    repeats,
    same_outputs,
    sentinels,
    texts_of,
    trust,
    underrated,
    variance_shares,
)
from mtsig_dashboard.compute import measured
from mtsig_dashboard.resources import remembered, worked


def designed_ratings(corpus: Corpus, rating: str, difference: float, judges: int, **wanted: Any) -> RatingDesign:
    """Return how many segments and judges an evaluation by people takes."""
    key = ("ratings", *_given(corpus, rating), difference, judges, *sorted(wanted.items()))
    text, args = "Looking at what judges bring …", (corpus, rating, difference, judges)
    return remembered(key, lambda: worked(text, design_ratings_by, *args, **wanted))


def judged(corpus: Corpus, human: Metric, metrics: Sequence[Metric], humans: str) -> Judged:
    """Return what people and metrics say of the systems that they share."""
    key = ("judged", corpus.digest, human, *metrics, humans)

    def work() -> Judged:
        people, *others = (measured(corpus, metric) for metric in (human, *metrics))
        return worked("Setting metrics beside people …", Judged.of, corpus, people, others, humans=humans)

    return remembered(key, work)


def _of_judged(judged: Judged) -> tuple[Hashable, ...]:
    """Return what a set of judged systems is known by."""
    return judged.digest, judged.humans, *(part.statistics.metric for part in judged.everything)


def trusted(
    judged: Judged, statistics: Sequence[str], by: str, settings: Settings, without: Sequence[str] = ()
) -> Trust:
    """Return how well each metric agrees with people; without: systems that another value leaves out."""
    key = ("trust", *_of_judged(judged), *statistics, by, settings.drawing, settings.level, *without)
    text = "Redrawing systems and segments …"
    more = {"by": by, "settings": settings, "separated": False, "without": tuple(without)}
    return remembered(key, lambda: worked(text, trust, judged, statistics, **more))


def guarded(corpus: Corpus, judged: Judged, statistic: Statistic, by: str, settings: Settings) -> tuple[Guarded, ...]:
    """Return every metric beside what sees no more than a length, or chance."""
    key = ("sentinels", *_of_judged(judged), statistic, by, settings.drawing, settings.level)
    more = {"by": by, "settings": settings, **texts_of(judged, corpus)}
    return remembered(key, lambda: worked("Holding against sentinels …", sentinels, judged, [statistic], **more))


def metrics_compared(judged: Judged, statistic: Statistic, exchanged: str, settings: Settings) -> ComparedMetrics:
    """Return all pairs of metrics, by what is exchanged between them."""
    key = ("metrics", *_of_judged(judged), statistic, exchanged, settings)
    text = "Exchanging scores between metrics …"
    return remembered(key, lambda: worked(text, compare_metrics, judged, statistic, exchanged, settings))


def family_of(judged: Judged, name: str, settings: Settings) -> Family:
    """Return all pairs of the judged systems by one metric, or by people."""
    statistics = judged[name].statistics
    key = ("of judged", statistics.digest, statistics.metric, judged.systems, settings)
    text = f"Comparing in {name} …"
    return remembered(key, lambda: worked(text, settings.family, statistics.select(judged.systems)))


def meant(judged: Judged, metric: str, settings: Settings) -> Curve:
    """Return how often people see the order that a metric's difference gives."""
    options = {"level": settings.level, "scheme": _scheme(settings)}
    key = ("meaning", *_of_judged(judged), metric, *options.values())
    return remembered(key, lambda: worked("Redrawing pairs …", meaning, judged, metric, **options))


def underrating(judged: Judged, metric: str, settings: Settings) -> Underrated:
    """Return which systems people rate otherwise than a metric suggests."""
    options = {"level": settings.level, "scheme": _scheme(settings)}
    key = ("underrated", *_of_judged(judged), metric, *options.values())
    return remembered(key, lambda: worked("Redrawing segments …", underrated, judged, metric, **options))


def outputs_alike(corpus: Corpus, judged: Judged, metric: str) -> tuple[SameOutputs, ...]:
    """Return outputs of equal score that people rate farthest apart."""
    outputs = dict(corpus.outputs) if all(name in corpus.outputs for name in judged.systems) else None
    key = ("outputs", *_of_judged(judged), metric)
    text = "Looking for equal scores …"
    return remembered(key, lambda: worked(text, same_outputs, judged, metric, outputs=outputs))


def agreed(corpus: Corpus, rating: str, kind: str, settings: Settings) -> Agreement:
    """Return how far the judges of a rating agree."""
    key = ("agreement", *_given(corpus, rating), kind, settings.level, _scheme(settings))
    options = {"documents": corpus.documents, "level": settings.level, "scheme": _scheme(settings)}
    return remembered(
        key, lambda: worked(f"{AGREEMENTS[kind].label} …", agreement, judgements(corpus, rating), kind, **options)
    )


def lenient(corpus: Corpus, rating: str, settings: Settings) -> Leniency:
    """Return how lenient every judge of a rating is."""
    key = ("leniency", *_given(corpus, rating), _scheme(settings))
    options = {"documents": corpus.documents, "scheme": _scheme(settings)}
    text, systems = "Solving for judges and systems …", list(corpus.systems)
    return remembered(key, lambda: worked(text, leniency, judgements(corpus, rating), systems, **options))


def judges_again(corpus: Corpus, rating: str, settings: Settings) -> dict[str, Agreement]:
    """Return how far the judges of a rating agree with themselves, where they rated outputs again."""
    key = ("judges again", *_given(corpus, rating), settings.level, _scheme(settings))
    options = {"documents": corpus.documents, "level": settings.level, "scheme": _scheme(settings)}
    text = "Holding judges against themselves …"
    return remembered(key, lambda: worked(text, repeats, judgements(corpus, rating), **options))


def varying(corpus: Corpus, rating: str) -> VarianceShares:
    """Return what the values of a rating vary by."""
    key = ("shares", *_given(corpus, rating))
    args = judgements(corpus, rating), corpus.documents
    return remembered(key, lambda: worked("Sharing out the variance …", variance_shares, *args))


def judges_ceiling(corpus: Corpus, rating: str, statistic: Statistic) -> Ceiling:
    """Return how well each judge agrees with the others, as a metric does with people."""
    key = ("ceiling", *_given(corpus, rating), statistic)
    return remembered(key, lambda: worked("Holding judges against each other …", ceiling, corpus, rating, statistic))


def judged_at_random(corpus: Corpus, rating: str, settings: Settings) -> JudgedComparisons:
    """Return all pairs by people, for other judges and for these."""
    key = ("random judges", *_given(corpus, rating), settings.unit, settings.level)
    options: dict[str, Any] = {
        "higher_is_better": corpus.ratings[rating].higher_is_better,
        "documents": corpus.documents,
        "unit": settings.unit,
        "level": settings.level,
    }
    args = judgements(corpus, rating), list(corpus.systems)
    text = "Comparing for other judges …"
    return remembered(key, lambda: worked(text, compare_with_random_judges, *args, **options))


def _given(corpus: Corpus, rating: str) -> tuple[Hashable, ...]:
    """Return what judges' values are known by: of who gave which, the corpus's digest says nothing."""
    given = corpus.ratings[rating].judgements
    return corpus.digest, rating, None if given is None else given.digest


def judgements(corpus: Corpus, rating: str) -> Any:
    """Return who gave which value, of the judges that are named."""
    given = corpus.ratings[rating].judgements
    if given is None:
        raise NotApplicable(f"{rating}: it is not known who gave which value, so nothing is said of its judges.")
    return given.signed


def _scheme(settings: Settings) -> Bootstrap:
    return Bootstrap(settings.draws, settings.seed, settings.unit)
