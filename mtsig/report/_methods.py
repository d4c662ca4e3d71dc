"""The methods paragraph: a study goes in; English with citations comes out, and the BibTeX of what it cites."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from mtsig._probability import level_text
from mtsig._writing import latex
from mtsig.citations import Citations, Work, bibliography, works
from mtsig.collection._beyond import SEPARATIONS, SeparationOfRanks, SetRanks
from mtsig.corpus._notes import capital_first, is_human, listed, number_of
from mtsig.errors import MtsigError
from mtsig.inference import CORRECTIONS, INTERVALS, Correction, Family, IntervalMethod
from mtsig.inference._corrections import CLASSICALLY
from mtsig.inference._means import EQUAL_MEANS, EqualMeans
from mtsig.inference._targets import PairChoice
from mtsig.metrics import Metric, metric
from mtsig.report._over_sets import over_weights_text
from mtsig.report._say import has_own_p, range_text, units_text
from mtsig.study import Study
from mtsig.study._record import Data, MetricResult, ResultOverSets
from mtsig.study._request import OverSetsRequest


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


def signature_line(study: Study, result: MetricResult | ResultOverSets) -> str:
    """Return all that a reader needs to compute the same, in sacreBLEU's style: metric, test, draws, correction.

    Of several sets it says which are one family, and how they weigh in the average.
    """
    over = isinstance(result, ResultOverSets)
    families = list(result.compared.families.values()) if isinstance(result, ResultOverSets) else [result.compared]
    first, by = families[0], study.request.by
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


def _each_once(words: Iterable[str]) -> str:
    return "+".join(dict.fromkeys(words))


def methods_paragraph(study: Study) -> Methods:
    """Return the methods paragraph of a study: the parts that apply to it, in their order."""
    parts = (_scored, _units, _intervals, _tested, _margins, _averages, _beside, _judged, _planned)
    pieces = [piece for part in parts for piece in part(study)]
    return Methods(joined([*pieces, *version_pieces(study.mtsig), _signed(study)]))


def methods_summary(study: Study) -> Methods:
    """Return the methods in few sentences: what was scored, how it was tested and corrected; signatures in a footnote.

    For the text of a short paper; `methods_paragraph` says in an appendix what is left out here.
    """
    pieces = [*_scored(study), *_tested(study, in_short=True), *_averages(study)]
    pieces += ["E"] if study.several else [*_made_by(study), "; e"]
    pieces += ["verything was computed with mtsig", Cite(("mtsig",)), f", version {study.mtsig}."]
    return Methods((*joined(pieces), Footnote(_signed(study))))


def _signed(study: Study) -> str:
    results = study.over if study.several else study.results
    lines = [f"{result.scored.metric}: {signature_line(study, result)}" for result in results]
    return f"{'Signature' if len(lines) == 1 else 'Signatures'}: {'; '.join(lines)}."


def version_pieces(version: str) -> Pieces:
    """Return the sentence on the program."""
    return ["Everything was computed with mtsig", Cite(("mtsig",)), f", version {version}. "]


def joined(pieces: Sequence[str | Cite]) -> tuple[str | Cite, ...]:
    """Return the pieces with neighbouring texts put together."""
    values: Pieces = []
    for piece in pieces:
        if isinstance(piece, str) and values and isinstance(values[-1], str):
            values[-1] += piece
        else:
            values.append(piece)
    return tuple(values)


def _scored(study: Study) -> Pieces:
    """Return what was scored: metrics that stand on the same systems and segments in one sentence."""
    if study.several:
        return _scored_on_sets(study)
    groups: dict[tuple[str, str, bool], list[MetricResult]] = {}
    data = study.data
    pieces: Pieces = []
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
    return [*pieces, " "]


def size_text(data: Data) -> str:
    """Return how many segments a test set has, and in how many documents where that is known."""
    documents = f" in {number_of(data.documents, 'document', ',')}" if data.documents else ""
    return f"{number_of(data.segments, 'segment', ',')}{documents}"


def scored_text(systems: Sequence[str]) -> str:
    """Return how many systems there are, and how many translations by people beside them, which are no systems."""
    people = sum(map(is_human, systems))
    said = [number_of(len(systems) - people, "system", ",")] if len(systems) > people else []
    return " and ".join([*said, *([number_of(people, "human translation", ",")] if people else [])])


def named(results: Sequence[MetricResult | ResultOverSets]) -> Pieces:
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


def _intervals(study: Study) -> Pieces:
    return [] if study.several else [*_made_by(study), ". "]


def _made_by(study: Study) -> Pieces:
    """Return how intervals were made, without the full stop."""
    name = study.settings.interval or ""
    units = dict.fromkeys(f"{result.scored.unit}s" for result in study.results)
    method, cite = method_of(INTERVALS.get(name), name)
    return [
        f"Intervals have a nominal coverage of {level_text(study.level)} and were made by {method}",
        cite,
        f", with {' and '.join(units)} as units",
    ]


def _tested(study: Study, in_short: bool = False) -> Pieces:
    """Return how pairs were compared and p-values corrected: in two sentences, or in one."""
    if study.several:
        return _by_set(study)
    pieces: Pieces = []
    for result in _unlike(study.results):
        judged = _at_what_level(study, result)
        pieces += _compared(study, result)
        if in_short:
            pieces += [*(["; ", *judged] if judged else []), ". "]
        else:
            pieces += [". ", *_opening(judged), *([". "] if judged else [])]
    return pieces


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


def _compared(study: Study, result: MetricResult) -> Pieces:
    """Return how pairs were compared, without the full stop."""
    compared, test = result.compared, result.compared.test
    metrics = _alike(study, result)
    which = "" if len(metrics) == len(study.results) else f"In {' and '.join(metrics)}, "
    return [
        capital_first(f"{which}{_pairs(study, result)} compared by {test.in_words or test.label}"),
        Cite(test.cites),
        f" ({_details(result)}), with {compared.unit}s as units{_shared(result)}",
    ]


def _at_what_level(study: Study, result: MetricResult) -> Pieces:
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


def _opening(pieces: Sequence[str | Cite]) -> Pieces:
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


def _margins(study: Study) -> Pieces:
    margins = study.request.margins
    if study.several or not margins:
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


def _judged(study: Study) -> Pieces:
    """Return what a verdict means here."""
    if study.several:
        return []
    if not any(comparison.decides for result in study.results for comparison in result.compared):
        return ["No system is called better than another: the method gives no p-values here. "]
    tests = {result.compared.test for result in study.results}
    wrong = [test for test in tests if not test.controls_type1]
    caution = f" The test does not control its error rate: {wrong[0].anticonservative_reason}." if wrong else ""
    if any(test.by_wins for test in tests):
        level = level_text(study.level)
        return [
            f"We call a system better when it wins at least {level} of resamples (Koehn's criterion, which is not a "
            f"p-value and was not corrected); otherwise the two do not differ significantly, which does not mean "
            f"equal.{caution} "
        ]
    several = any(result.compared.family_size > 1 and result.compared.corrected for result in study.results)
    return [
        f"We call a system better when {'the corrected p' if several else 'p'} is at most α; otherwise the two are not "
        f"separated, which does not mean equal, or the verdict is withheld.{caution} "
    ]


def _over(study: Study) -> OverSetsRequest:
    """Return how the sets were taken together."""
    return study.request.sets or OverSetsRequest()


def _scored_on_sets(study: Study) -> Pieces:
    systems = dict.fromkeys(system for part in study.sets for system in part.data.systems)
    said = [f"{part.set} ({size_text(part.data)})" for part in study.sets]
    by = study.request.by
    count = f"{number_of(len(study.sets), 'part')} of one test set by {by.partition(':')[0]}" if by else ""
    where = f"{count or number_of(len(study.sets), 'test set')}: {listed(said)}"
    left = f" {listed(list(study.skipped))} could not be read and was left out." if study.skipped else ""
    opening = f"We scored {scored_text(list(systems))} with "
    return [opening, *named(study.over), f" on {where}.{left} "]


def _units(study: Study) -> Pieces:
    """Return what several sets share."""
    if not study.several:
        return []
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
    """Return what was averaged over the sets, and how it was tested."""
    if not study.several or study.request.by:
        return []
    first = study.over[0].compared
    family = first.averages
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
    if not study.several:
        return []
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


def _planned(study: Study) -> Pieces:
    """Return the sentence on the plan, and what it fixed."""
    plan = study.plan
    if plan is None:
        return ["There was no analysis plan: the comparisons are exploratory. "]
    what = "The analysis was"
    if study.several:
        what = "The sets, their weights and the average over them as the estimand were"
    if study.request.by:
        what = "The parts, and that they are judged together, were"
    return [f"{what} fixed in a plan (SHA-256 {plan.sha256[:16]}…). "]
