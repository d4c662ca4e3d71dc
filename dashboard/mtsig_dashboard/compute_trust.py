"""What is known of metrics beside people, and of people beside each other, worked out once for all visitors."""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

from mtsig import Corpus, NotApplicable, Settings
from mtsig.inference import Family
from mtsig.meta_eval import (
    AGREEMENTS,
    Agreement,
    Ceiling,
    ComparedMetrics,
    Curve,
    Guarded,
    JudgedComparisons,
    Leniency,
    MetaEval,
    RatedData,
    RatingDesign,
    SameOutputs,
    Statistic,
    Underrated,
    VarianceShares,
    agreement,
    ceiling,
    compare_metrics,
    compare_with_random_judges,
    delta_accuracy,
    design_ratings_by,
    leniency,
    meta_eval,
    repeats,
    same_outputs,
    sentinels,
    texts_of,
    underrated,
    variance_shares,
)
from mtsig.metrics import Metric
from mtsig_dashboard.compute import measured
from mtsig_dashboard.contents import known_by
from mtsig_dashboard.memory import asked, asked_here, worked


def designed_ratings(corpus: Corpus, rating: str, difference: float, judges: int, **wanted: Any) -> RatingDesign:
    """Return how many segments and judges an evaluation by people takes."""
    return asked("Looking at what judges bring …", design_ratings_by, corpus, rating, difference, judges, **wanted)


def judged(corpus: Corpus, human: Metric, metrics: Sequence[Metric], humans: str) -> RatedData:
    """Return what people and metrics say of the systems that they share."""
    return asked_here(_judged, corpus, human, metrics, humans)


def _judged(corpus: Corpus, human: Metric, metrics: Sequence[Metric], humans: str) -> RatedData:
    people, *others = (measured(corpus, metric) for metric in (human, *metrics))
    return worked("Setting metrics beside people …", RatedData.of, corpus, people, others, humans=humans)


@known_by.register
def _of_judged(judged: RatedData) -> Hashable:
    parts = tuple(known_by(part.statistics) for part in judged.everything)
    return RatedData, judged.digest, judged.humans, judged.segments, judged.systems, parts


def trusted(
    judged: RatedData, statistics: Sequence[str], by: str, settings: Settings, without: Sequence[str] = ()
) -> MetaEval:
    """Return how well each metric agrees with people; without: systems that another value leaves out."""
    options = {"by": by, "settings": _redrawing(settings), "separated": False, "without": tuple(without)}
    return asked("Redrawing systems and segments …", meta_eval, judged, statistics, **options)


def guarded(
    corpus: Corpus, judged: RatedData, statistic: Statistic, by: str, settings: Settings
) -> tuple[Guarded, ...]:
    """Return every metric beside what sees no more than a length, or chance."""
    return asked_here(_guarded, corpus, judged, statistic, by, _redrawing(settings))


def _guarded(
    corpus: Corpus, judged: RatedData, statistic: Statistic, by: str, settings: Settings
) -> tuple[Guarded, ...]:
    options = {"by": by, "settings": settings, **texts_of(judged, corpus)}
    return worked("Holding against sentinels …", sentinels, judged, [statistic], **options)


def metrics_compared(judged: RatedData, statistic: Statistic, exchanged: str, settings: Settings) -> ComparedMetrics:
    """Return all pairs of metrics, by what is exchanged between them."""
    text = "Exchanging scores between metrics …"
    return asked(text, compare_metrics, judged, statistic, exchanged, settings)


def family_of(judged: RatedData, name: str, settings: Settings) -> Family:
    """Return all pairs of the judged systems by one metric, or by people."""
    return asked(f"Comparing in {name} …", settings.family, judged[name].statistics.select(judged.systems))


def meant(judged: RatedData, metric: str, settings: Settings) -> Curve:
    """Return how often people see the order that a metric's difference gives."""
    return asked("Redrawing pairs …", delta_accuracy, judged, metric, level=settings.level, scheme=settings.bootstrap())


def underrating(judged: RatedData, metric: str, settings: Settings) -> Underrated:
    """Return which systems people rate otherwise than a metric suggests."""
    text, scheme = "Redrawing segments …", settings.bootstrap()
    return asked(text, underrated, judged, metric, level=settings.level, scheme=scheme)


def outputs_alike(corpus: Corpus, judged: RatedData, metric: str) -> tuple[SameOutputs, ...]:
    """Return outputs of equal score that people rate farthest apart."""
    return asked_here(_outputs_alike, corpus, judged, metric)


def _outputs_alike(corpus: Corpus, judged: RatedData, metric: str) -> tuple[SameOutputs, ...]:
    outputs = dict(corpus.outputs) if all(name in corpus.outputs for name in judged.systems) else None
    return worked("Looking for equal scores …", same_outputs, judged, metric, outputs=outputs)


def agreed(corpus: Corpus, rating: str, kind: str, settings: Settings) -> Agreement:
    """Return how far the judges of a rating agree."""
    options = {"documents": corpus.documents, "level": settings.level, "scheme": settings.bootstrap()}
    return asked(f"{AGREEMENTS[kind].label} …", agreement, judgements(corpus, rating), kind, **options)


def lenient(corpus: Corpus, rating: str, settings: Settings) -> Leniency:
    """Return how lenient every judge of a rating is."""
    args, options = (judgements(corpus, rating), list(corpus.systems)), {"documents": corpus.documents}
    return asked("Solving for judges and systems …", leniency, *args, **options, scheme=settings.bootstrap())


def judges_again(corpus: Corpus, rating: str, settings: Settings) -> dict[str, Agreement]:
    """Return how far the judges of a rating agree with themselves, where they rated outputs again."""
    options = {"documents": corpus.documents, "level": settings.level, "scheme": settings.bootstrap()}
    return asked("Holding judges against themselves …", repeats, judgements(corpus, rating), **options)


def varying(corpus: Corpus, rating: str) -> VarianceShares:
    """Return what the values of a rating vary by."""
    return asked("Sharing out the variance …", variance_shares, judgements(corpus, rating), corpus.documents)


def judges_ceiling(corpus: Corpus, rating: str, statistic: Statistic) -> Ceiling:
    """Return how well each judge agrees with the others, as a metric does with people."""
    return asked("Holding judges against each other …", ceiling, corpus, rating, statistic)


def judged_at_random(corpus: Corpus, rating: str, settings: Settings) -> JudgedComparisons:
    """Return all pairs by people, for other judges and for these."""
    options: dict[str, Any] = {
        "higher_is_better": corpus.ratings[rating].higher_is_better,
        "documents": corpus.documents,
        "unit": settings.unit,
        "level": settings.level,
    }
    args = judgements(corpus, rating), list(corpus.systems)
    return asked("Comparing for other judges …", compare_with_random_judges, *args, **options)


def judgements(corpus: Corpus, rating: str) -> Any:
    """Return who gave which value, of the judges that are named."""
    given = corpus.ratings[rating].judgements
    if given is None:
        raise NotApplicable(f"{rating}: it is not known who gave which value, so nothing is said of its judges.")
    return given.signed


def _redrawing(settings: Settings) -> Settings:
    """Return the settings with the defaults for what a coefficient and its interval do not read."""
    return replace(settings.drawing, level=settings.level)
