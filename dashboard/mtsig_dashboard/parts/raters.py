"""The raters of a rating: how far they agree, how lenient each is, and what would hold for other raters."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from mtsig import Corpus, NotApplicable, Settings, meta_eval
from mtsig.campaign import compare_ratings
from mtsig.campaign._rules import FILTER, RULES, rank_by_rule
from mtsig.corpus import Note
from mtsig.figures import AgreementDots, LeniencyDots, Picture, RankRanges
from mtsig.inference import Family
from mtsig.inference._estimated import raters_note
from mtsig.meta_eval import AGREEMENTS, MetaEval, RatedData, Statistic
from mtsig.meta_eval._blind_spots import SameOutputs, same_outputs
from mtsig.meta_eval._leniency import both_scales
from mtsig.meta_eval._metric_agreement import Guarded, texts_of
from mtsig.meta_eval._rater_agreement import repeats
from mtsig.metrics import Metric
from mtsig.report import Table, _raters
from mtsig.report._campaign import beside_text, official_table
from mtsig_dashboard.compute import measured
from mtsig_dashboard.contents import known_by
from mtsig_dashboard.memory import asked, kept, worked
from mtsig_dashboard.parts import forms, frame, pictures, show
from mtsig_dashboard.parts.show import plain


def section(corpus: Corpus, rating: str, settings: Settings, statistic: Statistic, trust: MetaEval | None) -> None:
    """Show all that is known of the raters of a rating; trust: how well metrics agree, by the same statistic."""
    rater_scores = corpus.ratings[rating].rater_scores if rating in corpus.ratings else None
    if rater_scores is None:
        st.markdown(plain(f"{rating}: no rater ids, so raters cannot be analysed."))
        return
    given, names = rater_scores.signed, list(corpus.systems)
    drawn = {"documents": corpus.documents, "scheme": settings.bootstrap()}
    of_level = drawn | {"level": settings.level}
    _agreed(given, of_level)
    with show.part():
        try:
            reached = asked("Comparing raters with each other …", meta_eval.ceiling, corpus, rating, statistic)
            st.markdown(plain(_raters.ceiling_text(reached, trust)))
        except NotApplicable as error:
            st.caption(plain(str(error)))
    with show.part():
        others = asked("Comparing systems for other raters …", compare_ratings, corpus, rating, settings)
        st.markdown(plain(raters_note(others).text))
        alt = "Differences between systems, for these raters and for similar other raters"
        label, pairs = "Every pair, for these raters and for similar other raters", _raters.random_raters_table
        show.fold(label, "raters-others", lambda: pictures.captioned(pairs(others), alt))
        show.quiet(others.notes)
    label = "Who rated what, and system means standardised by rater"
    show.fold(label, "raters-scales", _scales, given, names, of_level)
    with show.part():
        levels = asked("Estimating rater leniency …", meta_eval.leniency, given, names, **drawn)
        _evidence(LeniencyDots.of(levels), "leniency", "Leniency of every rater", _raters.leniency_table(levels))
        show.quiet(levels.notes)
        alt = "Ratings of each system by each rater, after leniency is subtracted"
        label, residuals = "Raters and systems: differences that leniency does not explain", _raters.residuals_table
        show.fold(label, "raters-residuals", lambda: pictures.captioned(residuals(levels, names), alt))
    with show.part():
        found = asked("Estimating variance components …", meta_eval.variance_shares, given, corpus.documents)
        numbers = _raters.shares_table(found)
        pictures.table(pictures.begun(numbers), alt="Variance components of the ratings")
        st.caption(plain(f"{numbers.caption} The Planning page computes how many segments and raters are needed."))


def whose(corpus: Corpus, rating: str, settings: Settings) -> Note | None:
    """Return for which raters the verdicts by a rating hold; None where nothing is known of raters."""
    if rating not in corpus.ratings or corpus.ratings[rating].rater_scores is None:
        return None
    try:
        return raters_note(asked("Comparing systems for other raters …", compare_ratings, corpus, rating, settings))
    except NotApplicable:
        return None


def rules(corpus: Corpus, rating: str, settings: Settings) -> None:
    """Let the visitor choose a rule of WMT or Pearmut, and show it next to the corrected comparisons."""
    if rating not in corpus.ratings:
        st.markdown(plain(f"{rating}: ranks need ratings of segments, and these are scores of systems."))
        return
    chosen, beside = st.columns([2, 3], vertical_alignment="bottom")
    with chosen:
        rule = forms.one_of("Ranks by", "rule", {name: rule.title for name, rule in RULES.items()})
    about = "Both results are shown, because the filter removes raters who differ from the others."
    label, named = "Also apply WMT26's filter of raters", corpus.ratings[rating].rater_scores is not None
    without = (FILTER,) if named and beside.toggle(label, **forms.bound("rule_filter"), help=about) else ()
    sides = asked("Ranking …", rank_by_rule, corpus, rating, rule, settings, without)
    alt = f"Rank ranges of the systems by {RULES[rule].title} and by the corrected comparisons, side by side"
    for side in (side for side in sides if side.places is not None):
        left = ", without the filtered raters" if side.left_out else ""
        picture, key = RankRanges.of(side), "rules-filtered" if left else "rules"
        pictures.charts(picture, key, f"{alt}{left}")
        frame.current().downloads(pictures.for_paper, picture, key, f"{alt}{left}")
    if sides[0].places is not None:
        pictures.explained(RankRanges.how_to_read)
    st.markdown(plain(beside_text(sides)))
    if without and len(sides) == 1:
        st.caption("The filter removes no rater.")
    show.quiet(sides[0].official.notes)
    show.fold("Ranks in numbers", "rules-numbers", lambda: pictures.captioned(official_table(sides), alt))


def _evidence(picture: Picture, key: str, alt: str, numbers: Table) -> None:
    """Show a picture, its numbers and its files."""
    pictures.figure(picture, key=key, alt=alt)
    pictures.captioned(numbers, alt=f"{alt} in numbers")
    frame.current().downloads(pictures.for_paper, picture, key, alt)


def _agreed(given: Any, options: Mapping[str, Any]) -> None:
    """Show how far raters agree, by every coefficient that is defined here."""
    agreements, refused = [], []
    for kind, known in AGREEMENTS.items():
        try:
            agreements.append(asked(f"{known.label} …", meta_eval.agreement, given, kind, **options))
        except NotApplicable as error:
            refused.append(f"{known.label}: {error}")
    if not agreements:
        st.markdown(plain(refused[0].partition(": ")[2]))
        return
    with show.part():
        numbers = _raters.agreement_table(agreements)
        _evidence(AgreementDots.of(agreements), "agreement", "Inter-rater agreement with confidence intervals", numbers)
    with st.expander(f"Coefficients left out ({len(refused)})"):
        for text in refused:
            st.text(text)


def _scales(given: Any, names: Sequence[str], options: Mapping[str, Any]) -> None:
    """Show who rated what, the systems raw and standardised by rater, and raters against themselves."""
    # Of 30,000 raters each takes seconds.
    counts = asked("Counting ratings …", _raters.raters_design_table, given, names)
    pictures.captioned(counts, "Number of ratings of each system by each rater")
    scales = asked("Standardising by rater …", both_scales, given, names)
    pictures.captioned(_raters.both_scales_table(scales), "System means, raw and standardised by rater")
    again = asked("Comparing raters with themselves …", repeats, given, **options)
    if again:
        pictures.captioned(_raters.repeats_table(again), "Agreement of each rater with his or her own repeated ratings")


@kept
def rated(corpus: Corpus, human: Metric, metrics: Sequence[Metric], humans: str) -> RatedData:
    """Return what people and metrics say of the systems that they share."""
    people, *others = (measured(corpus, metric) for metric in (human, *metrics))
    return worked("Comparing metrics with human ratings …", RatedData.of, corpus, people, others, humans=humans)


@known_by.register
def _of_rated(rated: RatedData) -> Hashable:
    parts = tuple(known_by(part.statistics) for part in rated.everything)
    return RatedData, rated.digest, rated.humans, rated.segments, rated.systems, parts


@kept
def guarded(corpus: Corpus, rated: RatedData, statistic: Statistic, by: str, settings: Settings) -> tuple[Guarded, ...]:
    """Return every metric beside what sees no more than a length, or chance."""
    options = {"by": by, "settings": settings, **texts_of(rated, corpus)}
    return worked("Comparing metrics with sentinels …", meta_eval.sentinels, rated, [statistic], **options)


def family_of(rated: RatedData, name: str, settings: Settings) -> Family:
    """Return all pairs of the rated systems by one metric, or by people."""
    return asked(f"Comparing in {name} …", settings.family, rated[name].statistics.select(rated.systems))


@kept
def outputs_alike(corpus: Corpus, rated: RatedData, metric: str) -> tuple[SameOutputs, ...]:
    """Return outputs of equal score that people rate farthest apart."""
    outputs = dict(corpus.outputs) if all(name in corpus.outputs for name in rated.systems) else None
    return worked("Looking for equal scores …", same_outputs, rated, metric, outputs=outputs)


def redrawing(settings: Settings) -> Settings:
    """Return the settings with the defaults for what a coefficient and its interval do not read."""
    return replace(settings.drawing, level=settings.level)
