"""The methods paragraph of a study over several sets: what was averaged over, corrected together, and rests on what."""

from mtsig.collection import SEPARATIONS, SetRanks
from mtsig.corpus import capital_first, listed, number_of
from mtsig.inference import CORRECTIONS, EQUAL_MEANS, Family
from mtsig.report.methods import (
    EVERY_PAIR,
    Cite,
    Footnote,
    Methods,
    chosen_pairs,
    joined,
    method_of,
    named,
    order_part,
    planned,
    scored_text,
    signature_of,
    signed_with,
    version_pieces,
)
from mtsig.report.sets import over_weights_text
from mtsig.report.words import has_own_p
from mtsig.study import OverSetsRequest, ResultOverSets, Study

Pieces = list[str | Cite]

_FIXED = {
    "sets": "The sets, their weights and the average over them as the estimand were",
    "parts": "The parts, and that they are judged together, were",
}
"""What a plan fixes."""


def sets_methods(study: Study) -> Methods:
    """Return the methods paragraph of a study over several sets."""
    return Methods(
        joined(
            [
                *_scored(study),
                *_units(study),
                *_by_set(study),
                *_averages(study),
                *_beside(study),
                planned(study.plan, _FIXED["parts" if study.request.by else "sets"]),
                " ",
                *version_pieces(study.mtsig),
                _signed(study),
            ]
        )
    )


def sets_methods_summary(study: Study) -> Methods:
    """Return the methods in few sentences; signatures in a footnote."""
    pieces = [*_scored(study), *_by_set(study), *_averages(study)]
    pieces += ["Everything was computed with mtsig", Cite(("mtsig",)), f", version {study.mtsig}."]
    return Methods((*joined(pieces), Footnote(_signed(study))))


def _over(study: Study) -> OverSetsRequest:
    """Return how the sets were taken together."""
    return study.request.sets or OverSetsRequest()


def _scored(study: Study) -> Pieces:
    systems = dict.fromkeys(system for part in study.sets for system in part.data.systems)
    said = [
        f"{part.set} ({number_of(part.data.segments, 'segment', ',')}"
        + (f" in {number_of(part.data.documents, 'document', ',')})" if part.data.documents else ")")
        for part in study.sets
    ]
    by = study.request.by
    count = f"{number_of(len(study.sets), 'part')} of one test set by {by.partition(':')[0]}" if by else ""
    where = f"{count or number_of(len(study.sets), 'test set')}: {listed(said)}"
    left = f" {listed(list(study.skipped))} could not be read and was left out." if study.skipped else ""
    opening = f"We scored {scored_text(list(systems))} with "
    return [opening, *named(study.over), f" on {where}.{left} "]


def _units(study: Study) -> Pieces:
    shared = max(of_metric.shared_units for of_metric in study.together)
    if study.request.by:
        verb = "reaches" if shared == 1 else "reach"
        return [f"{number_of(shared, 'unit', ',')} {verb} into several parts. "] if shared else []
    if _over(study).units == "separate":
        return ["What occurs in several sets was taken for another unit in each. "]
    if not shared:
        return ["No unit is in several sets. "]
    verb = "is" if shared == 1 else "are"
    return [f"{number_of(shared, 'unit', ',')} {verb} in several sets, and each is one unit in all of them. "]


def _by_set(study: Study) -> Pieces:
    """Return how the sets' comparisons were made and corrected, metrics that were treated alike in one sentence."""
    pieces: Pieces = []
    pairs = EVERY_PAIR if study.request.pairs == "all" else chosen_pairs(study.request.pairs)
    for result in study.over:
        compared = result.compared
        tests = list(dict.fromkeys((family.test, family.unit) for family in compared.families.values()))
        which = "" if len(study.over) == 1 else f"In {result.about.metric}, "
        pieces.append(capital_first(f"{which}{pairs} compared in every {_each(study)} by "))
        for number, (test, unit) in enumerate(tests):
            between = " or " if number else ""
            pieces += [between, test.in_words or test.label, Cite(test.cites), f", with {unit}s as units"]
        family = next(iter(compared.families.values()))
        pieces += [
            "; ",
            *_corrected(compared.joint and len(compared.families) > 1, family, len(compared.families), _each(study)),
            ". ",
        ]
    return pieces


def _each(study: Study) -> str:
    return "part" if study.request.by else "set"


def _corrected(joint: bool, family: Family, sets: int, each: str) -> Pieces:
    if not has_own_p(family) or not family.corrected:
        return [f"p-values were not corrected; α = {family.alpha:.3g}"]
    method, cite = method_of(CORRECTIONS.get(family.correction), family.correction)
    together = (
        f"p-values of all {number_of(family.family_size, 'comparison', ',')} on all {each}s were corrected together by "
        if joint
        else f"p-values of each of the {number_of(sets, 'set')} were corrected by themselves by "
    )
    return [together, method, cite, f", at α = {family.alpha:.3g}"]


def _averages(study: Study) -> Pieces:
    first = study.over[0].compared
    family = first.averages
    if study.request.by:
        return []
    if family is None:
        return ["There is no average over the sets. "]
    test = family.test
    return [
        f"For each pair its differences were averaged over the sets that have both, {over_weights_text(first)}; the "
        "standard error leaves each unit out of every set that has it, with Satterthwaite's degrees of freedom",
        Cite(("efron-1982-jackknife", "satterthwaite-1946")),
        f". The averages were tested by {test.in_words or test.label}",
        Cite(test.cites),
        f" and corrected by Holm's method as {'a family' if len(family) > 1 else 'one comparison'} of their own",
        Cite(CORRECTIONS["holm"].cites),
        ". They speak of these test sets, and of no others. ",
    ]


def _beside(study: Study) -> Pieces:
    """Return what else was asked of the sets together, as far as something was."""
    compared = study.over[0].compared
    pieces: Pieces = []
    methods = {row.method for result in study.over for row in result.compared.described if row.p_value == row.p_value}
    if methods:
        pieces += [f"Whether the {_each(study)}s disagree was tested by "]
        for number, method in enumerate(sorted(methods)):
            pieces += [" or " if number else "", *method_of(EQUAL_MEANS.get(method), method)]
        pieces += [", corrected by Holm's method over the pairs. "]
    if compared.replicated:
        first = compared.replicated[0]
        sides = 2 if first.alpha * first.pairs < 1 - study.level - 1e-9 else 1
        shared = sides * first.pairs
        side = "each direction" if sides == 2 else "in the stated direction"
        side += f"{' of each pair' if first.pairs > 1 else ''} at α{f'/{shared:,}' if shared > 1 else ''}"
        pieces += [
            "In how many sets a system is better at least was tested by partial conjunctions, combined by "
            f"{capital_first(first.combination)} ({side})",
            Cite(("benjamini-heller-2008", "dror-2017")),
            ". ",
        ]
    if any(row.further is not None and not row.not_further for row in compared.described):
        pieces += [
            "What holds for sets like these is the mean of a random-effects model, its variance between sets by Paule "
            "and Mandel",
            Cite(("paule-mandel-1982",)),
            ", its standard error by Hartung and Knapp",
            Cite(("hartung-knapp-2001",)),
            ", with a prediction interval for one further set",
            Cite(("higgins-2009",)),
            " (t with J − 1 degrees of freedom); test sets are no random sample of test sets. ",
        ]
    return [*pieces, *_ranked(compared.ranks)]


def _ranked(ranks: SetRanks | None) -> Pieces:
    if ranks is None:
        return []
    how, works = method_of(SEPARATIONS.get(ranks.separation), ranks.separation)
    return [
        "Ranks over sets were compared by Friedman's test",
        Cite(("friedman-1937",)),
        f" and {how}",
        works,
        ". ",
    ]


def _signed(study: Study) -> str:
    return signed_with([f"{result.about.metric}: {signature_over_sets(study, result)}" for result in study.over])


def signature_over_sets(study: Study, result: ResultOverSets) -> str:
    """Return all that a reader needs to compute the same: metric, tests, draws, sets, weights, what is one family."""
    compared, asked, settings = result.compared, _over(study), study.request.settings
    families = list(compared.families.values())
    if study.request.by:
        return signature_of(
            compared.signature,
            study.plan,
            by=study.request.by,
            parts=len(study.sets),
            test=families[0].test.name,
            alt=settings.alternative,
            unit=families[0].unit,
            **order_part(families),
            draws=families[0].scheme.n_draws,
            seed=settings.seed,
            corr=families[0].correction,
            of=families[0].family_size,
            level=f"{study.level:g}",
            rng=study.draws.rng,
        )
    weights = asked.weights if isinstance(asked.weights, str) else ",".join(f"{w:g}" for w in asked.weights.values())
    return signature_of(
        compared.signature,
        study.plan,
        sets=len(study.sets),
        test="+".join(dict.fromkeys(family.test.name for family in families)),
        alt=settings.alternative,
        unit="+".join(dict.fromkeys(family.unit for family in families)),
        **order_part(families),
        shared=result.about.shared_units if asked.units == "shared" else "no",
        draws=families[0].scheme.n_draws,
        seed=settings.seed,
        corr=families[0].correction,
        of="+".join(dict.fromkeys(str(family.family_size) for family in families)),
        family=asked.family,
        weights=weights,
        level=f"{study.level:g}",
        rng=study.draws.rng,
    )
