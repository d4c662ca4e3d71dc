"""The judges of a rating: how far they agree, how lenient each is, and what would hold for other judges."""

import streamlit as st

from mtsig import Corpus, NotApplicable, Settings
from mtsig.figures import AgreementDots, LeniencyDots
from mtsig.meta_eval import AGREEMENTS, MetaEval, Statistic, both_scales
from mtsig.report import (
    FigureFiles,
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
from mtsig_dashboard import compute_trust
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
            st.markdown(plain(ceiling_text(compute_trust.judges_ceiling(corpus, rating, statistic), trust)))
        except NotApplicable as error:
            st.caption(plain(str(error)))
    with show.part():
        _other_judges(corpus, rating, settings)
    with show.part():
        _scales(corpus, rating, settings)
    with show.part():
        levels = compute_trust.lenient(corpus, rating, settings)
        bars = LeniencyDots.of(levels)
        pictures.figure(bars, key="leniency", alt="Leniency of every judge")
        numbers = leniency_table(levels)
        pictures.captioned(numbers, alt="Leniency of every judge in numbers")
        show.notes(levels.notes)
        with st.expander("Judges and systems: what leniency does not explain"):
            pictures.captioned(residuals_table(levels, list(corpus.systems)), "What judges give to single systems")
        pictures.for_paper(bars, "leniency", _PAPER)
    with show.part():
        numbers = shares_table(compute_trust.varying(corpus, rating))
        pictures.table(pictures.begun(numbers), alt="Where the variance of judges' values comes from")
        st.caption(plain(f"{numbers.caption} How many segments and judges that would take is on the Planning page."))


def _agreement(corpus: Corpus, rating: str, settings: Settings) -> None:
    agreements, refused = [], []
    for kind in AGREEMENTS:
        try:
            agreements.append(compute_trust.agreed(corpus, rating, kind, settings))
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
    judgements, names = compute_trust.judgements(corpus, rating), list(corpus.systems)
    with st.expander("Who rated what, and the systems standardised by judge"):
        pictures.captioned(judges_design_table(judgements, names), "How many values each judge gave of each system")
        pictures.captioned(
            both_scales_table(both_scales(judgements, names)), "Means of systems, raw and standardised by judge"
        )
        again = compute_trust.judges_again(corpus, rating, settings)
        if again:
            pictures.captioned(repeats_table(again), "How far judges agree with themselves")


def _other_judges(corpus: Corpus, rating: str, settings: Settings) -> None:
    judged_comparisons = compute_trust.judged_at_random(corpus, rating, settings)
    st.markdown(plain(random_judges_text(judged_comparisons)))
    with st.expander("Every pair for these judges, and for others"):
        numbers = random_judges_table(judged_comparisons)
        pictures.captioned(numbers, alt="Differences of systems for these judges and for others")
    show.notes(judged_comparisons.notes)
