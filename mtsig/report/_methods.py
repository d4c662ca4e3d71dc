"""The methods paragraph: a study goes in; English with citations comes out, and the BibTeX of what it cites."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from mtsig._probability import level_text, range_text
from mtsig._say import counted_in, has_own_p, is_classical, units_text
from mtsig.citations import Citations, Work, bibliography, works
from mtsig.collection import Averaging
from mtsig.collection._beyond import SEPARATIONS, SetRanks
from mtsig.corpus._notes import capital_first, is_human, listed, number_of
from mtsig.errors import MtsigError
from mtsig.inference import CORRECTIONS, INTERVALS, Family
from mtsig.inference._corrections import CLASSICALLY, EQUAL_MEANS
from mtsig.metrics import Metric, metric
from mtsig.report._over_sets import over_weights_text
from mtsig.report._table import breaking_latex
from mtsig.study import Study
from mtsig.study._record import Data, MetricResult, ResultOverSets

Result: TypeAlias = MetricResult | ResultOverSets


@dataclass(frozen=True)
class Cite:
    """A citation in a text."""

    cites: Citations

    @property
    def works(self) -> tuple[Work, ...]:
        return works(self.cites)


@dataclass(frozen=True)
class Footnote:
    """A sentence that stands at the foot of the page in LaTeX, and at the end in plain text."""

    text: str


Piece: TypeAlias = str | Cite | Footnote
Pieces: TypeAlias = list[str | Cite]


@dataclass(frozen=True)
class Methods:
    """A paragraph in pieces: plain text, citations and footnotes."""

    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """The paragraph as plain text, citations in brackets."""
        said = "".join(_said(piece) for piece in self.pieces)
        return " ".join([said, *(piece.text for piece in self.pieces if isinstance(piece, Footnote))])

    @property
    def latex(self) -> str:
        """The paragraph as LaTeX, citations by natbib's citep."""
        return "".join(_set(piece) for piece in self.pieces)

    @property
    def bibtex(self) -> str:
        """The BibTeX of what it cites."""
        return bibliography(work for piece in self.pieces if isinstance(piece, Cite) for work in piece.works)


def _said(piece: Piece) -> str:
    if isinstance(piece, Cite):
        return f" ({'; '.join(work.cited for work in piece.works)})" if piece.works else ""
    return piece if isinstance(piece, str) else ""


def _set(piece: Piece) -> str:
    if isinstance(piece, Cite):
        return f"~\\citep{{{','.join(work.key for work in piece.works)}}}" if piece.works else ""
    text = breaking_latex(piece if isinstance(piece, str) else piece.text)
    return text if isinstance(piece, str) else rf"\footnote{{{text}}}"


def signature_line(study: Study, result: Result) -> str:
    """Return all that a reader needs to compute the same, in sacreBLEU's style: metric, test, draws, correction.

    Of several sets it says which are one family, and how they weigh in the average.
    """
    over = isinstance(result, ResultOverSets)
    families, by = _families(result), study.request.by
    first = families[0]
    parts: dict[str, object] = {"by": by, "parts": len(study.sets)} if by else {}
    averaged = over and not by
    parts |= {"sets": len(study.sets)} if averaged else {}
    parts |= {
        "test": _each_once(family.test.name for family in families),
        "alt": first.test.alternative,
        "unit": _each_once(family.unit for family in families),
    }
    # How alike neighbouring segments were; nothing where documents are known.
    alike = _each_once(f"{family.order_z[0]:.2f}" for family in families if not np.isnan(family.order_z[0]))
    parts |= {"z": alike} if alike else {}
    if isinstance(result, ResultOverSets):
        parts |= {"shared": result.about.shared_units if _over(study).units == "shared" else "no"} if averaged else {}
    else:
        parts["n"] = range_text(min(first.units), max(first.units))
    parts |= {
        "draws": "all" if all(family.complete for family in families) else first.scheme.n_draws,
        "seed": first.scheme.seed,
        "corr": first.correction,
        "of": _each_once(str(family.family_size) for family in families),
    }
    if averaged:
        weights = _over(study).weights
        said = weights if isinstance(weights, str) else ",".join(f"{weight:g}" for weight in weights.values())
        parts |= {"family": _over(study).family, "weights": said}
    parts |= {} if over else {"int": study.settings.interval}
    parts |= {"level": f"{study.level:g}", "rng": study.draws.rng if over else study.settings.rng}
    parts |= {} if study.plan is None else {"plan": study.plan.sha256[:12]}
    metric_signature = result.compared.signature if isinstance(result, ResultOverSets) else result.scored.signature
    return "|".join([metric_signature, *(f"{name}:{value}" for name, value in parts.items())])


def _families(result: Result) -> list[Family]:
    return list(result.compared.families.values()) if isinstance(result, ResultOverSets) else [result.compared]


def _each_once(words: Iterable[str]) -> str:
    return "+".join(dict.fromkeys(words))


def methods_paragraph(study: Study, short: bool = False) -> Methods:
    """Return the methods paragraph of a study: the sentences that apply to it, in their order.

    short: what the text of a short paper has room for, signatures in a footnote; an appendix says the rest.
    """
    parts = (_scored, _tested, _averages, _intervals) if short else (
        _scored, _units, _tested, _margins, _averages, _beside, _intervals, _judged, _planned
    )  # fmt: skip
    whose = [f"{study.raters_text} "] if study.raters_text else []
    pieces = joined([*(piece for part in parts for piece in part(study)), *whose, *version_pieces(study.mtsig)])
    lines = [f"{result.scored.metric}: {signature_line(study, result)}" for result in _results(study)]
    signed = f"{'Signature' if len(lines) == 1 else 'Signatures'}: {'; '.join(lines)}."
    return Methods((*pieces, Footnote(signed) if short else f" {signed}"))


def _results(study: Study) -> Sequence[Result]:
    return study.over if study.several else study.results


def version_pieces(version: str) -> Pieces:
    """Return the sentence on the program."""
    return ["Everything was computed with mtsig", Cite(("mtsig",)), f", version {version}."]


def joined(pieces: Sequence[str | Cite]) -> tuple[str | Cite, ...]:
    """Return the pieces with neighbouring texts put together."""
    values: Pieces = []
    for piece in pieces:
        if isinstance(piece, str) and values and isinstance(values[-1], str):
            values[-1] += piece
        else:
            values.append(piece)
    return tuple(values)


# --- what was scored -------------------------------------------------------------------------------------------------


def _scored(study: Study) -> Pieces:
    """Return what was scored: metrics that rest on the same systems and segments in one sentence."""
    if study.several:
        return _scored_on_sets(study)
    groups: dict[tuple[str, str, bool], list[MetricResult]] = {}
    data = study.data
    pieces: Pieces = []
    for result in study.results:
        known = _metric(result)
        against = bool(data.references) if known is None else known.needs_references
        pieces_of = counted_in(result.scored.signature)
        key = (scored_text(result.scored.systems), units_text(result.scored.segments, pieces_of), against)
        groups.setdefault(key, []).append(result)
    for position, ((counted, segments, against), results) in enumerate(groups.items()):
        whole = segments == number_of(data.segments, counted_in(results[0].scored.signature), ",")
        where = f" in {number_of(data.documents, 'document', ',')}" if data.documents and whole else ""
        of_part = f" (a part of the test set: {study.subset})" if study.subset and position == 0 else ""
        references = f" against {number_of(len(data.references), 'reference', ',')}" if against else ""
        pieces += [f"We evaluated {counted} on {segments}{where}{of_part}{references} with ", *named(results), ". "]
    return pieces


def _scored_on_sets(study: Study) -> Pieces:
    systems = dict.fromkeys(system for part in study.sets for system in part.data.systems)
    by, names = study.request.by, [part.set or "" for part in study.sets]
    what = f"{number_of(len(names), 'part')} of one test set by {by.partition(':')[0]}" if by else ""
    sizes = units_text([part.data.segments for part in study.sets], "segment")
    documents = [part.data.documents for part in study.sets if part.data.documents]
    sizes += f" in {units_text(documents, 'document')}" if len(documents) == len(names) else ""
    left = f" Left out: {listed(list(study.skipped))}." if study.skipped else ""
    where = f"{what or number_of(len(names), 'test set')} of {sizes}"
    opening = f"We evaluated {scored_text(list(systems))} on {where} with "
    return [opening, *named(study.over), f". {'Parts' if by else 'Test sets'}: {listed(names)}.{left} "]


def size_text(data: Data) -> str:
    """Return how many segments a test set has, and in how many documents where that is known."""
    documents = f" in {number_of(data.documents, 'document', ',')}" if data.documents else ""
    return f"{number_of(data.segments, 'segment', ',')}{documents}"


def scored_text(systems: Sequence[str]) -> str:
    """Return how many systems there are, and how many translations by people beside them, which are no systems."""
    people = sum(map(is_human, systems))
    said = [number_of(len(systems) - people, "system", ",")] if len(systems) > people else []
    return " and ".join([*said, *([number_of(people, "human translation", ",")] if people else [])])


def named(results: Sequence[Result]) -> Pieces:
    """Return the metrics with their citations; sacreBLEU is credited with those that it computes, and no others."""
    known = [_metric(result) for result in results]
    credited = [test is not None and test.by_sacrebleu for test in known]
    pieces: Pieces = []
    for position, (result, scored_by) in enumerate(zip(results, known, strict=True)):
        between = "" if position == 0 else " and " if position == len(results) - 1 else ", "
        pieces += [f"{between}{result.scored.metric}", Cite(() if scored_by is None else scored_by.cites)]
        if credited[position] and not all(credited):
            pieces += [" (as sacreBLEU computes it", Cite(("post-2018-call",)), ")"]
    if all(credited):
        pieces += [f" as sacreBLEU computes {'it' if len(results) == 1 else 'them'}", Cite(("post-2018-call",))]
    return pieces


def _metric(result: Result) -> Metric | None:
    """Return the metric of a result; None for one without a name, and for one that this program does not know."""
    try:
        return None if result.metric_spec is None else metric(result.metric_spec)
    except MtsigError:
        return None


def method_of(known: Any, name: str) -> tuple[str, Cite]:
    """Return how a method is said, and what it cites; its name alone, where this program does not know it."""
    if known is None:
        return f"the method called {name}", Cite(())
    return known.in_words or f"the method called {known.label}", Cite(known.cites)


# --- how it was tested -----------------------------------------------------------------------------------------------


def _tested(study: Study) -> Pieces:
    """Return how pairs were tested and p-values corrected: metrics that were treated alike share their sentences."""
    alike: dict[tuple[object, ...], list[Result]] = {}
    for result in _results(study):
        first = _families(result)[0]
        kind = (first.unit, first.complete, first.correction, first.family_size, len(first))
        alike.setdefault((result.metric_spec,) if study.several else kind, []).append(result)
    pieces: Pieces = []
    for results in alike.values():
        which = f"In {' and '.join(result.scored.metric for result in results)}, we" if len(alike) > 1 else "We"
        families = _families(results[0])
        where = f" in every {_each(study)}" if study.several else ""
        pieces.append(f"{which} tested {_pairs(study, results[0])}{where} by ")
        for number, (test, unit) in enumerate(dict.fromkeys((family.test, family.unit) for family in families)):
            pieces += [" or " if number else "", test.in_words or test.label, Cite(test.cites), f" over {unit}s"]
        pieces.append(f". {'' if study.several else _details(families[0])}")
        sizes = [] if study.several else families[0].units.tolist()
        if len(set(sizes)) > 1:
            pieces.append(f"Each pair was tested on the {units_text(sizes, families[0].unit)} that both systems have. ")
        pieces += _corrected(study, results[0], families)
    return pieces


def _each(study: Study) -> str:
    return "part" if study.request.by else "set"


def _pairs(study: Study, result: Result) -> str:
    """Return which differences were tested."""
    pairs = study.request.pairs
    if not isinstance(pairs, str):
        chosen = number_of(len(pairs), "chosen pair", ",")
        return f"the difference{'s' if len(pairs) > 1 else ''} of {chosen} of systems"
    if pairs != "all" or (not study.several and "all" in study.data.systems):
        return f"the differences between {pairs} and every other system"
    if isinstance(result, MetricResult):
        systems, compared = len(result.scored.systems), len(result.compared)
        every, unit = systems * (systems - 1) // 2, result.compared.unit
        if compared < every:
            return (
                f"the differences of {compared} of {every} pairs of systems (the others have too few {unit}s in common)"
            )
        if compared == 1:
            return "the difference between the two systems"
    return "the differences of all pairs of systems"


def _details(compared: Family) -> str:
    """Return side, enumeration, resamples and seed."""
    side = {
        "two-sided": "two-sided",
        "greater": "one-sided (the first system is better)",
        "less": "one-sided (the first system is worse)",
    }[compared.test.alternative]
    exact = all(comparison.exact for comparison in compared)
    drawn = any(
        comparison.p_mc_low < comparison.p_mc_high or comparison.p_adjusted_mc_low < comparison.p_adjusted_mc_high
        for comparison in compared
    )
    if compared.complete:
        return f"Tests were {side}, with all swaps enumerated. "
    what = "random swaps" if compared.test.exchanges else "resamples"
    draws = f"{compared.scheme.n_draws:,} {what}{' for the correction' if exact else ''}, seed {compared.scheme.seed}"
    said = " and ".join([*(["exact p-values"] if exact else []), *([draws] if drawn else [])])
    return f"Tests were {side}{', with ' if said else ''}{said}. "


_RATES = {
    "any false claim": "at a nominal family-wise error rate of {alpha}",
    "share of false claims": "at a nominal false discovery rate of {alpha}",
}


def _corrected(study: Study, result: Result, families: Sequence[Family]) -> Pieces:
    """Return what was done about several comparisons, and what that keeps; nothing where nothing is to be said."""
    family, sets = families[0], len(families)
    alpha, count = f"α = {family.alpha:.3g}", number_of(family.family_size, "comparison", ",")
    if not family.corrected or (study.several and not has_own_p(family)):
        if not study.several and (not family[0].has_p or len(family) == 1):
            return []
        return [f"p-values were not corrected{'' if study.several else f' for the {count}'} ({alpha}). "]
    known = CORRECTIONS.get(family.correction)
    method, cite = method_of(known, family.correction)
    if not has_own_p(family):
        return [f"This is one comparison ({alpha}). "]
    if isinstance(result, ResultOverSets):
        of = f"each of the {number_of(sets, 'set')} separately"
        if result.compared.joint and sets > 1:
            of = f"all {count} on all {_each(study)}s together"
        return [f"We corrected p-values of {of} with ", method, cite, f", at {alpha}. "]
    of = "of all metrics together" if study.request.joined else "of each metric"
    if is_classical(family.correction):
        rests = "The verdict rests" if family.family_size == 1 else f"Verdicts on the {count} {of} rest"
        return [
            f"{rests} on {method} for randomized blocks, with segments as blocks", cite,
            f". It controls the family-wise error rate at {alpha} only {CLASSICALLY}. ",
        ]  # fmt: skip
    kept = _RATES.get(known.controls if known else "", "at {alpha}").replace("{alpha}", alpha)
    if not family.test.controls_type1:
        kept = f"which controls no error rate here, because the test itself is anti-conservative ({alpha})"
    return [f"We corrected p-values for the {count} {of} with {method}", cite, f", {kept}. "]


def _intervals(study: Study) -> Pieces:
    if study.several:
        return []
    name = study.settings.interval or ""
    units = dict.fromkeys(f"{result.scored.unit}s" for result in study.results)
    method, cite = method_of(INTERVALS.get(name), name)
    # Next to a verdict by swaps is the interval that excludes 0 exactly where they are significant.
    swapped = any(len(result.compared) and result.compared.test.exchanges for result in study.results)
    of_swaps = "; next to verdicts by swaps, they come from the swaps, at the verdict's level" if swapped else ""
    return [
        f"{level_text(study.level)} confidence intervals were computed by {method}", cite,
        f" over {' and '.join(units)}{of_swaps}. ",
    ]  # fmt: skip


def _margins(study: Study) -> Pieces:
    margins = study.request.margins
    if study.several or not margins:
        return []
    names = {result.metric_spec: result.scored.metric for result in study.results}
    said = [f"{it.kind} within {it.points:g} {names.get(it.metric_spec, it.metric_spec)}" for it in margins]
    when = "fixed in the analysis plan" if study.plan is not None else "chosen without an analysis plan"
    pieces: Pieces = [
        f"We tested {' and '.join(said)} ({'margins' if len(said) > 1 else 'a margin'} {when}) by one-sided t tests",
        Cite(("schuirmann-1987",)), ", corrected with Holm's method", Cite(CORRECTIONS["holm"].cites),
        " for the pairs of the metric. ",
    ]  # fmt: skip
    if any(margin.one_more_document for margin in margins):
        pieces.append("The claim had to hold also with one more document like the most influential one against it. ")
    return pieces


def _judged(study: Study) -> Pieces:
    """Return what a verdict means here."""
    if study.several:
        return []
    if not any(comparison.decides for result in study.results for comparison in result.compared):
        return ["No verdicts are given: the method gives no p-values here. "]
    tests = {result.compared.test for result in study.results}
    wrong = [test for test in tests if not test.controls_type1]
    several = any(result.compared.family_size > 1 and result.compared.corrected for result in study.results)
    means = f"{'an adjusted p' if several else 'p'} of at most α and a confidence interval that excludes 0"
    if any(test.by_wins for test in tests):
        level = level_text(study.level)
        means = f"a bootstrap win rate of at least {level} (Koehn's criterion, not a p-value and not corrected)"
    reason = f" The test does not control its false-positive rate: {wrong[0].anticonservative_reason}." if wrong else ""
    return [f"“Significantly better” means {means}; “not significant” does not imply equality.{reason} "]


def _planned(study: Study) -> Pieces:
    """Return the sentence on the plan, and what it fixed."""
    if study.plan is None:
        return ["There was no analysis plan: the comparisons are exploratory. "]
    what = "The analysis was"
    if study.several:
        what = "The sets, their weights and their average as the quantity of interest were"
    if study.request.by:
        what = "The subsets, and the decision to test them together, were"
    return [f"{what} fixed in a plan (SHA-256 {study.plan.sha256[:16]}…). "]


# --- several sets ----------------------------------------------------------------------------------------------------


def _over(study: Study) -> Averaging:
    """Return how the sets were taken together."""
    return study.request.sets or Averaging()


def _units(study: Study) -> Pieces:
    """Return what several sets share."""
    if not study.several:
        return []
    shared = max(of_metric.shared_units for of_metric in study.together)
    count = number_of(shared, "unit", ",")
    if study.request.by:
        return [f"{count} {'has' if shared == 1 else 'have'} segments in several subsets. "] if shared else []
    if _over(study).units == "separate":
        return ["Units that occur in several sets were treated as different units. "]
    if not shared:
        return ["No unit occurs in more than one set. "]
    return [f"{count} {'occurs' if shared == 1 else 'occur'} in several sets, as the same unit in each. "]


def _averages(study: Study) -> Pieces:
    """Return what was averaged over the sets, and how it was tested."""
    if not study.several or study.request.by:
        return []
    first = study.over[0].compared
    family = first.averages
    if family is None:
        return ["There is no average over the sets. "]
    return [
        f"We averaged each pair's differences over the sets that have both systems, {over_weights_text(first)}. For "
        "the standard error, each unit is left out of all its sets at once, with Satterthwaite's degrees of freedom",
        Cite(("efron-1982-jackknife", "satterthwaite-1946")),
        f". We tested the averages as {'one family' if len(family) > 1 else 'one comparison'} by "
        f"{family.test.in_words or family.test.label}",
        Cite(family.test.cites),
        ", corrected with Holm's method",
        Cite(CORRECTIONS["holm"].cites),
        ". They apply to these test sets only. ",
    ]


def _beside(study: Study) -> Pieces:
    """Return what else was asked of the sets together, as far as something was."""
    if not study.several:
        return []
    compared = study.over[0].compared
    pieces: Pieces = []
    methods = {row.method for result in study.over for row in result.compared.described if row.p_value == row.p_value}
    if methods:
        pieces += [f"We tested whether the {_each(study)}s differ by "]
        for number, method in enumerate(sorted(methods)):
            pieces += [" or " if number else "", *method_of(EQUAL_MEANS.get(method), method)]
        pieces += [", corrected with Holm's method over the pairs. "]
    if compared.replicated:
        first = compared.replicated[0]
        sides = 2 if first.alpha * first.pairs < 1 - study.level - 1e-9 else 1
        shared = sides * first.pairs
        side = "each direction" if sides == 2 else "in the stated direction"
        side += f"{' of each pair' if first.pairs > 1 else ''} at α{f'/{shared:,}' if shared > 1 else ''}"
        pieces += [
            "The number of sets in which a system is better was bounded by partial conjunction tests, combined by "
            f"{capital_first(first.combination)} ({side})",
            Cite(("benjamini-heller-2008", "dror-2017")),
            ". ",
        ]
    if any(row.further is not None and not row.not_further for row in compared.described):
        pieces += [
            "For test sets like these, we fitted a random-effects model with the variance between sets by Paule and "
            "Mandel",
            Cite(("paule-mandel-1982",)),
            " and the standard error of the mean by Hartung and Knapp",
            Cite(("hartung-knapp-2001",)),
            ". The prediction interval for a new test set has J − 1 degrees of freedom",
            Cite(("higgins-2009",)),
            "; these sets are not a random sample of test sets. ",
        ]
    return [*pieces, *_ranked(compared.ranks)]


def _ranked(ranks: SetRanks | None) -> Pieces:
    if ranks is None:
        return []
    how, cites = method_of(SEPARATIONS.get(ranks.separation), ranks.separation)
    return ["Ranks over sets were compared by Friedman's test", Cite(("friedman-1937",)), f" and {how}", cites, ". "]
