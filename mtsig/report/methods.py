"""The methods paragraph: a study goes in; English with citations comes out, and the BibTeX of what it cites."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from mtsig._writing import latex
from mtsig.citations import Citations, Work, bibliography, works
from mtsig.collection import SeparationOfRanks
from mtsig.corpus import capital_first, is_human, listed, number_of
from mtsig.errors import MtsigError
from mtsig.inference import (
    CLASSICALLY,
    CORRECTIONS,
    INTERVALS,
    Correction,
    EqualMeans,
    Family,
    IntervalMethod,
    PairChoice,
    level_text,
)
from mtsig.meta_eval import STATISTICS, ComparedMetrics, Exchange, MetaEval
from mtsig.metrics import Metric, metric
from mtsig.report.words import has_own_p, range_text, units_text
from mtsig.study import MetricResult, PlanText, ResultOverSets, Study


@dataclass(frozen=True)
class Cite:
    """A citation in a text."""

    cites: Citations

    @property
    def works(self) -> tuple[Work, ...]:
        """What is cited."""
        return works(self.cites)


@dataclass(frozen=True)
class Footnote:
    """A sentence that stands at the foot of the page in LaTeX, and at the end in plain text."""

    text: str


Piece: TypeAlias = str | Cite | Footnote


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


_BAR = latex("|")


def _said(piece: Piece) -> str:
    if isinstance(piece, Cite):
        return _in_brackets(piece.works)
    return piece if isinstance(piece, str) else ""


def _set(piece: Piece) -> str:
    if isinstance(piece, Cite):
        return _citep(piece.works)
    # A signature is one long word: it may break after any of its parts.
    text = latex(piece if isinstance(piece, str) else piece.text).replace(_BAR, rf"{_BAR}\allowbreak{{}}")
    return text if isinstance(piece, str) else rf"\footnote{{{text}}}"


def _in_brackets(cited: Sequence[Work]) -> str:
    # A program without a year is named in the sentence already.
    dated = [work.cited for work in cited if work.year]
    return f" ({'; '.join(dated)})" if dated else ""


def _citep(cited: Sequence[Work]) -> str:
    return f"~\\citep{{{','.join(work.key for work in cited)}}}" if cited else ""


def signature_line(study: Study, result: MetricResult) -> str:
    """Return all that a reader needs to compute the same, in sacreBLEU's style: metric, test, draws, correction."""
    compared, settings = result.compared, study.settings
    return signature_of(
        result.scored.signature,
        study.plan,
        test=compared.test.name,
        alt=compared.test.alternative,
        unit=compared.unit,
        **order_part([compared]),
        n=range_text(min(compared.units), max(compared.units)),
        draws="all" if compared.complete else compared.scheme.n_draws,
        seed=compared.scheme.seed,
        corr=compared.correction,
        of=compared.family_size,
        int=settings.interval,
        level=f"{study.level:g}",
        rng=settings.rng,
    )


def order_part(families: Iterable[Family]) -> dict[str, str]:
    """Return how alike neighbouring segments were, as a part of a signature; nothing where documents are known."""
    told = [f"{family.order_z[0]:.2f}" for family in families if not np.isnan(family.order_z[0])]
    return {"z": "+".join(dict.fromkeys(told))} if told else {}


def signature_of(metric: str, plan: PlanText | None, **parts: object) -> str:
    """Return the signature of results: that of the metric, then parts by their names, then the beginning of a plan."""
    if plan is not None:
        parts["plan"] = plan.sha256[:12]
    return "|".join([metric, *(f"{name}:{value}" for name, value in parts.items())])


def methods_paragraph(study: Study) -> Methods:
    """Return the methods paragraph of a study."""
    pieces: list[str | Cite] = [*_scored(study), " ", *_intervals(study), ". "]
    for result in _unlike(study.results):
        judged = _at_what_level(study, result)
        pieces += [*_compared(study, result), ". ", *_opening(judged), *([". "] if judged else [])]
    pieces += [*_margins(study), *_judged(study), " ", planned(study.plan, "The analysis was"), " "]
    pieces += [*version_pieces(study.mtsig), _signed(study)]
    return Methods(joined(pieces))


def methods_summary(study: Study) -> Methods:
    """Return the methods in few sentences: what was scored, how it was tested and corrected; signatures in a footnote.

    For the text of a short paper; `methods_paragraph` says in an appendix what is left out here.
    """
    pieces: list[str | Cite] = [*_scored(study), " "]
    for result in _unlike(study.results):
        judged = _at_what_level(study, result)
        pieces += [*_compared(study, result), *(["; ", *judged] if judged else []), ". "]
    pieces += [
        *_intervals(study),
        "; everything was computed with mtsig",
        Cite(("mtsig",)),
        f", version {study.mtsig}.",
    ]
    return Methods((*joined(pieces), Footnote(_signed(study))))


def _signed(study: Study) -> str:
    return signed_with([f"{result.scored.metric}: {signature_line(study, result)}" for result in study.results])


def signed_with(lines: Sequence[str]) -> str:
    """Return the sentence that holds the signatures."""
    return f"{'Signature' if len(lines) == 1 else 'Signatures'}: {'; '.join(lines)}."


def version_pieces(version: str) -> list[str | Cite]:
    """Return the sentence on the program."""
    return ["Everything was computed with mtsig", Cite(("mtsig",)), f", version {version}. "]


def joined(pieces: Sequence[str | Cite]) -> tuple[str | Cite, ...]:
    """Return the pieces with neighbouring texts put together."""
    values: list[str | Cite] = []
    for piece in pieces:
        if isinstance(piece, str) and values and isinstance(values[-1], str):
            values[-1] += piece
        else:
            values.append(piece)
    return tuple(values)


def _scored(study: Study) -> list[str | Cite]:
    """Return what was scored: metrics that stand on the same systems and segments in one sentence."""
    groups: dict[tuple[str, str, bool], list[MetricResult]] = {}
    data, pieces = study.data, []
    for result in study.results:
        known = _metric(result)
        against = bool(data.references) if known is None else known.needs_references
        key = (scored_text(result.scored.systems), units_text(result.scored.segments, "segment"), against)
        groups.setdefault(key, []).append(result)
    for position, ((counted, segments, against), results) in enumerate(groups.items()):
        whole = segments == number_of(data.segments, "segment", ",")
        where = f" in {number_of(data.documents, 'document', ',')}" if data.documents and whole else ""
        of_part = f" (a part of the test set: {study.subset})" if study.subset and position == 0 else ""
        references = f", against {number_of(len(data.references), 'reference', ',')}," if against else ""
        opening = f"We scored {counted} on" if position == 0 else f" {counted} were scored on"
        pieces += [f"{opening} {segments}{where}{of_part}{references} with ", *named(results), "."]
    return pieces


def scored_text(systems: Sequence[str]) -> str:
    """Return how many systems there are, and how many translations by people beside them, which are no systems."""
    people = sum(map(is_human, systems))
    said = [number_of(len(systems) - people, "system", ",")] if len(systems) > people else []
    return " and ".join([*said, *([number_of(people, "human translation", ",")] if people else [])])


def named(results: Sequence[MetricResult | ResultOverSets]) -> list[str | Cite]:
    """Return the metrics with their citations; sacreBLEU is credited with those that it computes, and no others."""
    known = [_metric(result) for result in results]
    credited = [test is not None and test.by_sacrebleu for test in known]
    pieces: list[str | Cite] = []
    for position, (result, scored_by) in enumerate(zip(results, known, strict=True)):
        between = "" if position == 0 else " and " if position == len(results) - 1 else ", "
        pieces += [f"{between}{result.scored.metric}", Cite(() if scored_by is None else scored_by.cites)]
        if credited[position] and not all(credited):
            pieces += [" (as sacreBLEU computes it", Cite(("post-2018-call",)), ")"]
    if all(credited):
        pieces += [f" as sacreBLEU computes {'it' if len(results) == 1 else 'them'}", Cite(("post-2018-call",))]
    return pieces


def _metric(result: MetricResult | ResultOverSets) -> Metric | None:
    """Return the metric of a result; None for one without a name, and for one that this program does not know."""
    try:
        return None if result.metric_spec is None else metric(result.metric_spec)
    except MtsigError:
        return None


Cited: TypeAlias = IntervalMethod | Correction | EqualMeans | SeparationOfRanks
"""What says how a methods paragraph calls it, and what to cite for it."""


def method_of(known: Cited | None, name: str) -> tuple[str, Cite]:
    """Return how a method is said, and what it cites; its name alone, where this program does not know it."""
    if known is None:
        return f"the method called {name}", Cite(())
    return known.in_words or f"the method called {known.label}", Cite(known.cites)


def _intervals(study: Study) -> list[str | Cite]:
    name = study.settings.interval or ""
    units = dict.fromkeys(f"{result.scored.unit}s" for result in study.results)
    method, cite = method_of(INTERVALS.get(name), name)
    return [
        f"Intervals have a nominal coverage of {level_text(study.level)} and were made by {method}",
        cite,
        f", with {' and '.join(units)} as units",
    ]


def _unlike(results: Sequence[MetricResult]) -> list[MetricResult]:
    """Return the first result of each kind: metrics that were tested alike share a sentence."""
    by_options: dict[tuple[object, ...], MetricResult] = {}
    for metric_result in results:
        compared = metric_result.compared
        kind = (compared.unit, compared.complete, compared.correction, compared.family_size, len(compared))
        by_options.setdefault(kind, metric_result)
    return list(by_options.values())


def _alike(study: Study, result: MetricResult) -> list[str]:
    """Return the metrics that were tested as this one was."""
    return [other.scored.metric for other in study.results if len(_unlike([result, other])) == 1]


def _compared(study: Study, result: MetricResult) -> list[str | Cite]:
    """Return how pairs were compared, without the full stop."""
    compared, test = result.compared, result.compared.test
    metrics = _alike(study, result)
    which = "" if len(metrics) == len(study.results) else f"In {' and '.join(metrics)}, "
    return [
        capital_first(f"{which}{_pairs(study, result)} compared by {test.in_words or test.label}"),
        Cite(test.cites),
        f" ({_details(result)}), with {compared.unit}s as units{_shared(result)}",
    ]


def _at_what_level(study: Study, result: MetricResult) -> list[str | Cite]:
    """Return what was done about several comparisons, and what that keeps: a clause, or nothing to be said."""
    compared, test = result.compared, result.compared.test
    alpha = f"α = {compared.alpha:.3g}"
    if not compared.corrected:
        if not compared[0].has_p or len(compared) == 1:
            return []
        return [f"p-values were not corrected for the {compared.family_size} comparisons; {alpha}"]
    family = "of all metrics together" if study.request.joined else "of a metric"
    known = CORRECTIONS.get(compared.correction)
    controls = "" if known is None else known.controls
    method, cite = method_of(known, compared.correction)
    if not has_own_p(compared):
        return [f"this is one comparison; {alpha}"]
    if controls == "any false claim, classically":
        return [
            f"{_verdicts_on(compared, family)} on {method} for randomized blocks, segments being the blocks",
            cite,
            f", which keeps the chance of any false claim at {alpha} only {CLASSICALLY}",
        ]
    kept = f"at {alpha}"
    if controls == "any false claim":
        kept = f"at a nominal chance of any false claim among them of {alpha}"
    if controls == "share of false claims":
        kept = f"at a nominal expected share of false claims of {alpha}"
    if not test.controls_type1:
        kept = f"which keeps no error rate here, because the test itself does not control its own ({alpha})"
    return [
        f"p-values were corrected for the {number_of(compared.family_size, 'comparison', ',')} {family} by {method}",
        cite,
        f", {kept}",
    ]


def _verdicts_on(compared: Family, family: str) -> str:
    return (
        "the verdict rests"
        if compared.family_size == 1
        else f"verdicts on the {compared.family_size} comparisons {family} rest"
    )


def _opening(pieces: Sequence[str | Cite]) -> list[str | Cite]:
    """Return the pieces of a sentence as it begins."""
    return [
        capital_first(piece) if place == 0 and isinstance(piece, str) else piece for place, piece in enumerate(pieces)
    ]


def _pairs(study: Study, result: MetricResult) -> str:
    pairs = study.request.pairs
    if pairs == "all" and "all" not in study.data.systems:
        systems, compared = len(result.scored.systems), len(result.compared)
        every = systems * (systems - 1) // 2
        if compared < every:
            return (
                f"{compared} of {every} pairs of systems (the others have too few {result.compared.unit}s in common) "
                "were"
            )
        return "the two systems were" if compared == 1 else EVERY_PAIR
    return chosen_pairs(pairs)


EVERY_PAIR = "all pairs of systems were"


def chosen_pairs(pairs: PairChoice) -> str:
    """Return which pairs were chosen: those with one system, or so many."""
    if isinstance(pairs, str):
        return f"every other system and {pairs} were"
    return f"{number_of(len(pairs), 'chosen pair', ',')} of systems {'was' if len(pairs) == 1 else 'were'}"


def _details(result: MetricResult) -> str:
    compared = result.compared
    alternative = {
        "two-sided": "two-sided",
        "greater": "one-sided: the first system is better",
        "less": "one-sided: the first system is worse",
    }[compared.test.alternative]
    if compared.complete:
        return f"{alternative}, all arrangements enumerated"
    if not any(
        comparison.p_mc_low < comparison.p_mc_high or comparison.p_adjusted_mc_low < comparison.p_adjusted_mc_high
        for comparison in compared
    ):
        exact = all(comparison.exact for comparison in compared)
        return f"{alternative}, exact p-values" if exact else alternative
    drawn = f"{compared.scheme.n_draws:,} draws, seed {compared.scheme.seed}"
    if all(comparison.exact for comparison in compared):
        return f"{alternative}, exact p-values; {drawn} for their correction"
    return f"{alternative}, {drawn}"


def _shared(result: MetricResult) -> str:
    """Return on what pairs stand where not every system has everything; nothing where all have."""
    units = result.compared.units.tolist()
    if len(set(units)) == 1:
        return ""
    return f"; each pair on the {units_text(units, result.compared.unit)} that both systems have"


def _margins(study: Study) -> list[str | Cite]:
    margins = study.request.margins
    if not margins:
        return []
    named = {result.metric_spec: result.scored.metric for result in study.results}
    said = [
        f"{margin.kind} within {margin.points:g} {named.get(margin.metric_spec, margin.metric_spec)}"
        for margin in margins
    ]
    when = "fixed in the analysis plan" if study.plan is not None else "chosen without an analysis plan"
    asked = any(margin.one_more_document for margin in margins)
    one_more = ", and had to hold even with one more document like the heaviest, against the claim" if asked else ""
    what = f"{' and '.join(said)} ({'margins' if len(said) > 1 else 'a margin'} {when})"
    return [
        f"{capital_first(what)} was tested by one-sided t tests",
        Cite(("schuirmann-1987",)),
        ", corrected by Holm's method",
        Cite(CORRECTIONS["holm"].cites),
        f" for the pairs of the metric{one_more}. ",
    ]


def _judged(study: Study) -> list[str | Cite]:
    if not any(comparison.decides for result in study.results for comparison in result.compared):
        return ["No system is called better than another: the method gives no p-values here."]
    tests = {result.compared.test for result in study.results}
    wrong = [test for test in tests if not test.controls_type1]
    caution = f" The test does not control its error rate: {wrong[0].anticonservative_reason}." if wrong else ""
    if any(test.by_wins for test in tests):
        level = level_text(study.level)
        return [
            f"We call a system better when it wins at least {level} of resamples (Koehn's criterion, which is not a "
            f"p-value and was not corrected); otherwise the two do not differ significantly, which does not mean "
            f"equal.{caution}"
        ]
    several = any(result.compared.family_size > 1 and result.compared.corrected for result in study.results)
    return [
        f"We call a system better when {'the corrected p' if several else 'p'} is at most α; otherwise the two are not "
        f"separated, which does not mean equal, or the verdict is withheld.{caution}"
    ]


def planned(plan: PlanText | None, what: str) -> str:
    """Return the sentence on the plan; what: what was fixed in it, with the verb."""
    if plan is None:
        return "There was no analysis plan: the comparisons are exploratory."
    return f"{what} fixed in a plan (SHA-256 {plan.sha256[:16]}…)."


def trust_methods(result: MetaEval, families: Sequence[Family] = ()) -> Methods:
    """Return the methods paragraph of metrics held against people: statistics, intervals, tests between metrics."""
    judged = result.judged
    people = "with" if judged.humans == "include" else "without"
    pieces: list[str | Cite] = [
        f"Metrics ({listed(judged.names)}) were held against {result.human} on {len(judged.systems)} systems, {people} "
        f"human translations, and {number_of(judged.n, 'segment', ',')}; "
        f"{'each system on the segments rated for it' if judged.segments == 'matched' else 'on all segments'}. "
    ]
    by_name = {statistic.name: statistic for statistic in STATISTICS.values()}
    for number, name in enumerate(dict.fromkeys(row.statistic for row in result)):
        statistic = by_name.get(name)
        pieces += [
            ", " if number else "Agreement was measured by ",
            name if statistic is None else statistic.label,
            *([Cite(statistic.cites)] if statistic is not None and statistic.cites else []),
        ]
    drawn = f"{result.unit}s and systems" if result.over == "both" else result.over
    pieces += [
        f". Intervals are percentiles of {result.draws:,} redraws of {drawn}, the same for all metrics",
        Cite(("deutsch-2021",)),
        f", at level {result.records[0].level:g}. ",
    ]
    if result.outliers:
        pieces += [f"People score {listed(result.outliers)} far from the others", Cite(("mathur-2020",)), ". "]
    for family in families:
        test = family.test
        pieces += [f"Metrics were compared in {family.metric} by {test.in_words or test.label}"]
        pieces += [Cite(test.cites)] if test.cites else []
        correction = CORRECTIONS[family.correction]
        pieces += [f", p-values of {number_of(len(family), 'pair')} of metrics "]
        pieces += [f"corrected by {correction.in_words}"] if family.corrected else ["uncorrected"]
        pieces += [Cite(correction.cites)] if correction.cites else []
        pieces += [
            f"; this test errs more often than it says: {test.anticonservative_reason}"
            if test.anticonservative_reason
            else "",
            ". ",
        ]
        pieces += _by_pseudo_values(result, family)
        if isinstance(family, ComparedMetrics):
            pieces += [f"{family.other_systems} "] if family.other_systems else []
    pieces += version_pieces(result.version)
    pieces += [f"Signature: human:{result.human_signature}|seed:{result.seed}|rng:{result.rng}."]
    return Methods(joined(pieces))


def _by_pseudo_values(result: MetaEval, family: Family) -> list[str | Cite]:
    """Return what stood for the scores of segments that metrics of whole corpora do not have."""
    compared = dict.fromkeys((*family.first, *family.second))
    whole = [name for name in compared if result.judged[name].cells is None and not result.judged[name].whole]
    if not whole or not (isinstance(family.test, Exchange) and family.test.of_parts):
        return []
    return [
        f"{listed(whole)} {'scores' if len(whole) == 1 else 'score'} whole corpora: exchanged was what every segment "
        "brings to a system's score, the pseudo-value of the infinitesimal jackknife",
        Cite(("efron-tibshirani-1993",)),
        ". ",
    ]
