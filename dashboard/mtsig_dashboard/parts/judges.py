"""The judges of a rating: how far they agree, how lenient each is, and what would hold for other judges."""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from mtsig import Corpus, NotApplicable, Settings
from mtsig.figures import AgreementDots, LeniencyDots
from mtsig.inference import Family
from mtsig.meta_eval import (
    AGREEMENTS,
    MetaEval,
    RatedData,
    Statistic,
    agreement,
    ceiling,
    leniency,
    sentinels,
    variance_shares,
)
from mtsig.meta_eval._blind_spots import SameOutputs, same_outputs
from mtsig.meta_eval._comparing import Guarded, texts_of
from mtsig.meta_eval._leniency import Leniency, both_scales
from mtsig.meta_eval._random_raters import JudgedComparisons, compare_with_random_judges
from mtsig.meta_eval._rater_agreement import Agreement, repeats
from mtsig.metrics import Metric
from mtsig.report._exporters import FigureFiles
from mtsig.report._raters import (
    agreement_table,
    both_scales_table,
    ceiling_text,
    judges_design_table,
    leniency_table,
    random_judges_table,
    random_judges_text,
    repeats_table,
    residuals_table,
    shares_table,
)
from mtsig_dashboard.compute import measured
from mtsig_dashboard.contents import known_by
from mtsig_dashboard.memory import asked, asked_here, worked
from mtsig_dashboard.parts import pictures, show
from mtsig_dashboard.parts.show import plain

_PAPER = FigureFiles().paper


def section(corpus: Corpus, rating: str, settings: Settings, statistic: Statistic, trust: MetaEval | None) -> None:
    """Show all that is known of the judges of a rating; trust: how well metrics agree, by the same statistic."""
    if rating not in corpus.ratings or corpus.ratings[rating].judgements is None:
        st.markdown(plain(f"{rating}: it is not known who gave which value, so nothing is said of its judges."))
        return
    _agreement(corpus, rating, settings)
    with show.part():
        try:
            st.markdown(
                plain(
                    ceiling_text(
                        asked("Holding judges against each other …", ceiling, corpus, rating, statistic), trust
                    )
                )
            )
        except NotApplicable as error:
            st.caption(plain(str(error)))
    with show.part():
        _other_judges(corpus, rating, settings)
    with show.part():
        _scales(corpus, rating, settings)
    with show.part():
        levels = _lenient(corpus, rating, settings)
        bars = LeniencyDots.of(levels)
        pictures.figure(bars, key="leniency", alt="Leniency of every judge")
        numbers = leniency_table(levels)
        pictures.captioned(numbers, alt="Leniency of every judge in numbers")
        show.notes(levels.notes)
        with st.expander("Judges and systems: what leniency does not explain"):
            pictures.captioned(residuals_table(levels, list(corpus.systems)), "What judges give to single systems")
        pictures.for_paper(bars, "leniency", _PAPER)
    with show.part():
        numbers = shares_table(
            asked("Sharing out the variance …", variance_shares, judgements(corpus, rating), corpus.documents)
        )
        pictures.table(pictures.begun(numbers), alt="Where the variance of judges' values comes from")
        st.caption(plain(f"{numbers.caption} How many segments and judges that would take is on the Planning page."))


def _agreement(corpus: Corpus, rating: str, settings: Settings) -> None:
    agreements, refused = [], []
    for kind in AGREEMENTS:
        try:
            agreements.append(_agreed(corpus, rating, kind, settings))
        except NotApplicable as error:
            refused.append((AGREEMENTS[kind].label, error))
    if not agreements:
        st.markdown(plain(str(refused[0][1])))
        return
    with show.part():
        picture = AgreementDots.of(agreements)
        pictures.figure(picture, key="agreement", alt="Agreement of judges with intervals")
        pictures.table(pictures.begun(agreement_table(agreements)), alt="Agreement of judges in numbers")
        pictures.for_paper(picture, "agreement", _PAPER)
    with st.expander(f"Coefficients left out ({len(refused)})"):
        for text in (f"{label}: {error}" for label, error in refused):
            st.text(text)


def _scales(corpus: Corpus, rating: str, settings: Settings) -> None:
    """Show who rated what, the systems raw and standardised by judge, and judges against themselves."""
    given, names = judgements(corpus, rating), list(corpus.systems)
    with st.expander("Who rated what, and the systems standardised by judge"):
        pictures.captioned(judges_design_table(given, names), "How many values each judge gave of each system")
        pictures.captioned(
            both_scales_table(both_scales(given, names)), "Means of systems, raw and standardised by judge"
        )
        again = _again(corpus, rating, settings)
        if again:
            pictures.captioned(repeats_table(again), "How far judges agree with themselves")


def _other_judges(corpus: Corpus, rating: str, settings: Settings) -> None:
    judged_comparisons = _judged_at_random(corpus, rating, settings)
    st.markdown(plain(random_judges_text(judged_comparisons)))
    with st.expander("Every pair for these judges, and for others"):
        numbers = random_judges_table(judged_comparisons)
        pictures.captioned(numbers, alt="Differences of systems for these judges and for others")
    show.notes(judged_comparisons.notes)


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


def guarded(
    corpus: Corpus, judged: RatedData, statistic: Statistic, by: str, settings: Settings
) -> tuple[Guarded, ...]:
    """Return every metric beside what sees no more than a length, or chance."""
    return asked_here(_guarded, corpus, judged, statistic, by, redrawing(settings))


def _guarded(
    corpus: Corpus, judged: RatedData, statistic: Statistic, by: str, settings: Settings
) -> tuple[Guarded, ...]:
    options = {"by": by, "settings": settings, **texts_of(judged, corpus)}
    return worked("Holding against sentinels …", sentinels, judged, [statistic], **options)


def family_of(judged: RatedData, name: str, settings: Settings) -> Family:
    """Return all pairs of the judged systems by one metric, or by people."""
    return asked(f"Comparing in {name} …", settings.family, judged[name].statistics.select(judged.systems))


def outputs_alike(corpus: Corpus, judged: RatedData, metric: str) -> tuple[SameOutputs, ...]:
    """Return outputs of equal score that people rate farthest apart."""
    return asked_here(_outputs_alike, corpus, judged, metric)


def _outputs_alike(corpus: Corpus, judged: RatedData, metric: str) -> tuple[SameOutputs, ...]:
    outputs = dict(corpus.outputs) if all(name in corpus.outputs for name in judged.systems) else None
    return worked("Looking for equal scores …", same_outputs, judged, metric, outputs=outputs)


def judgements(corpus: Corpus, rating: str) -> Any:
    """Return who gave which value, of the judges that are named."""
    given = corpus.ratings[rating].judgements
    if given is None:
        raise NotApplicable(f"{rating}: it is not known who gave which value, so nothing is said of its judges.")
    return given.signed


def redrawing(settings: Settings) -> Settings:
    """Return the settings with the defaults for what a coefficient and its interval do not read."""
    return replace(settings.drawing, level=settings.level)


def _agreed(corpus: Corpus, rating: str, kind: str, settings: Settings) -> Agreement:
    """Return how far the judges of a rating agree."""
    options = {"documents": corpus.documents, "level": settings.level, "scheme": settings.bootstrap()}
    return asked(f"{AGREEMENTS[kind].label} …", agreement, judgements(corpus, rating), kind, **options)


def _lenient(corpus: Corpus, rating: str, settings: Settings) -> Leniency:
    """Return how lenient every judge of a rating is."""
    args, options = (judgements(corpus, rating), list(corpus.systems)), {"documents": corpus.documents}
    return asked("Solving for judges and systems …", leniency, *args, **options, scheme=settings.bootstrap())


def _again(corpus: Corpus, rating: str, settings: Settings) -> dict[str, Agreement]:
    """Return how far the judges of a rating agree with themselves, where they rated outputs again."""
    options = {"documents": corpus.documents, "level": settings.level, "scheme": settings.bootstrap()}
    return asked("Holding judges against themselves …", repeats, judgements(corpus, rating), **options)


def _judged_at_random(corpus: Corpus, rating: str, settings: Settings) -> JudgedComparisons:
    """Return all pairs by people, for other judges and for these."""
    options: dict[str, Any] = {
        "higher_is_better": corpus.ratings[rating].higher_is_better,
        "documents": corpus.documents,
        "unit": settings.unit,
        "level": settings.level,
    }
    args = judgements(corpus, rating), list(corpus.systems)
    return asked("Comparing for other judges …", compare_with_random_judges, *args, **options)
