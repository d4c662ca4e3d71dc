"""Few human ratings with a metric on every segment; and which segments to rate, with known probabilities.

θ(λ) = ΣH/ΣW − λ(ΣG/ΣW − ΣA/Σm) over documents: H, G and W are the human differences, the metric's and 1, each over its
inclusion probability, summed over the rated segments; A and m are the metric's differences and the segments of the
whole test set. λ is fitted; the jackknife leaves out documents, rated or not, and fits it again. Definitions, error
rates and gains: docs/statistics/campaigns.md, section 4.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np

from mtsig._probability import FEWEST_DF, satterthwaite_df
from mtsig._records import Count, Floats, Index, Mask, Number, Record, SystemName, about
from mtsig._results import Result
from mtsig.citations import VERSION
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import MIN_DOCUMENTS, listed, number_of, quoted
from mtsig.errors import InvalidOption, NotApplicable, ReadError, find
from mtsig.inference import Family, Settings
from mtsig.inference._adjust import refuse_many
from mtsig.inference._estimated import Made, all_pairs, df_by_decided, raters_note, with_others
from mtsig.inference._power import smallest_units
from mtsig.inference._raters import Contrast, Groups, over_raters, spreads
from mtsig.metrics import Metric, measure
from mtsig.metrics._metric import sign_of
from mtsig.readers import File
from mtsig.readers._sheet import score_of
from mtsig.readers._tables import _rows_of, named_rows
from mtsig.resampling import Purpose, Words

FEW_RATED = 20
"""With fewer rated documents R² is estimated about .07 too low."""

Verdict: TypeAlias = Literal["ratings", "metric"]
"""Which of the two results is the verdict: fixed before the ratings are seen."""


@dataclass(frozen=True)
class Explained(Record):
    """What the metric explains of one pair's human difference."""

    first: Annotated[SystemName, about("The first system.")]
    second: Annotated[SystemName, about("The second system.")]
    weight: Annotated[Number, about("λ: weight of the metric's difference, subtracted from the human difference.")]
    r2: Annotated[Number, about("R² between the documents' contributions to the human and to the metric's difference.")]
    r2_adjusted: Annotated[Number, about("R² adjusted for the fitted λ: the share of ratings that the metric saves.")]
    rated_documents: Annotated[Count, about("Number of documents in which both systems are rated.")]
    rated_segments: Annotated[Count, about("Number of segments in which both systems are rated.")]


@dataclass(frozen=True, eq=False)
class FewRatings(Result):
    """Comparisons by few ratings alone, and with a metric on all segments.

    verdict: which of the two was fixed beforehand. records: what the metric explains, pair by pair.
    """

    human: str
    metric: str
    alone: Family
    assisted: Family
    verdict: Verdict
    records: tuple[Explained, ...]
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        """Return what was compared, in one line."""
        return f"<FewRatings of {self.human} with {self.metric}: {number_of(len(self.alone), 'pair')}>"

    @property
    def family(self) -> Family:
        """The comparisons that the verdict rests on."""
        return self.assisted if self.verdict == "metric" else self.alone

    @property
    def explained(self) -> float:
        """The median of the adjusted R² over the pairs."""
        return float(np.median([row.r2_adjusted for row in self.records]))

    @property
    def fewest_documents(self) -> int:
        """The number of rated documents of the pair that has the fewest."""
        return min(row.rated_documents for row in self.records)

    @property
    def sentence(self) -> str:
        """What the metric is worth, in a sentence."""
        fewest = self.fewest_documents
        if fewest < MIN_DOCUMENTS:
            unit = self.alone.unit
            return (
                f"{number_of(fewest, f'rated {unit}')} are too few to estimate how many ratings {self.metric} saves; "
                f"at least {MIN_DOCUMENTS} are needed."
            )
        if not any(row.weight for row in self.records):
            least = f"{self.metric} adds nothing to {self.human}: all segments are rated, or its scores do not vary."
            share = f" With few ratings, its R² would be {self.explained:.0%}." if self.explained > 0 else ""
            return f"{least}{share}"
        if not self.explained > 0:
            return f"{self.metric} saves no ratings here: it does not explain the differences in {self.human}."
        many = "median over pairs, " if len(self.records) > 1 else ""
        weight = float(np.median([row.weight for row in self.records]))
        return (
            f"{self.metric} explains {self.explained:.0%} of the difference in {self.human} ({many}adjusted R²): "
            f"using it is equivalent to {1 / (1 - self.explained):.2f} times as many ratings. λ = {weight:.2g}."
        )

    def needed(
        self, difference: float, *, power: float = 0.8, price: float | None = None
    ) -> tuple["NeededRatings", ...]:
        """Return how many ratings find a true difference of the least certain pair, without the metric and with it.

        With fewer than ten rated documents of some pair, what the metric saves is not known, so only the first is
        returned.

        As many documents like those rated as `needed_units` would ask for, of the pair whose standard
        error is largest. The metric has to score all segments either way. Where everything is rated, the metric is
        taken to leave 1 − R² (adjusted) of the variance, as it does where the share that is rated is small.

        Raises
        ------
        InvalidOption
            The difference is not above 0.
        """
        if not difference > 0:
            raise InvalidOption(f"The difference to detect must be above 0; found {difference:g}.")
        found = []
        for with_metric, family in ((False, self.alone), (True, self.assisted)):
            at = int(np.nanargmax(family.standard_error))
            row, explained = family[at], self.records[at]
            per = explained.rated_segments / explained.rated_documents
            left = 1 - max(0.0, explained.r2_adjusted) if with_metric and not explained.weight else 1.0
            tail, error = (1 - row.level) / 2 / row.family_size, row.standard_error * left**0.5
            by_document = row.unit == "document"
            units = smallest_units(error, row.df, row.units, difference, tail, power, by_document, row.df)
            segments = int(np.ceil(units * per))
            cost = float("nan") if price is None else 2 * segments * price
            found.append(NeededRatings(with_metric, units, segments, 2 * segments, cost))
        return tuple(found if self.fewest_documents >= MIN_DOCUMENTS else found[:1])


@dataclass(frozen=True, eq=False)
class Sums:
    """One pair's sums by document, shape (K,) each: what the estimate is made of.

    human, metric, weight: over rated segments, each divided by its inclusion probability. every, segments: the metric's
    differences and the number of all segments. rated: how many segments are rated.
    """

    human: Floats
    metric: Floats
    weight: Floats
    every: Floats
    segments: Floats
    rated: Floats

    @classmethod
    def of(cls, human: Floats, metric: Floats, inclusion: Floats, document: Index) -> "Sums":
        """Return the sums of differences of shape (n,), those by people NaN where they are not rated."""
        known = ~np.isnan(human)
        share = np.where(known, 1 / inclusion, 0.0)
        columns = (
            np.where(known, human, 0.0) * share, metric * share, share, metric, np.ones(len(metric)),
            known.astype(np.float64),
        )  # fmt: skip
        return cls(*(np.bincount(document, column).astype(np.float64) for column in columns))

    @property
    def moves(self) -> tuple[Floats, Floats]:
        """What each document adds to the human difference, and to that of the metric on rated less all segments."""
        whole, n = self.weight.sum(), self.segments.sum()
        a = (self.human - self.human.sum() / whole * self.weight) / whole
        e = (self.metric - self.metric.sum() / whole * self.weight) / whole
        return a, e - (self.every - self.every.sum() / n * self.segments) / n

    def estimate(self, with_metric: bool) -> tuple[float, float, float]:
        """Return θ, its standard error over documents, and λ."""
        a, e = self.moves
        products, squares = a * e, e * e
        weight = _ratio(products.sum(), squares.sum()) if with_metric else np.asarray(0.0)
        left = _ratio(products.sum() - products, squares.sum() - squares) if with_metric else np.zeros(len(a))
        theta = self._at(weight, 0.0)
        without = self._at(left, 1.0)
        k = len(a)
        return float(theta), float(np.sqrt((k - 1) / k * np.square(without - theta).sum())), float(weight)

    def _at(self, weight: Floats, gone: float) -> Floats:
        """Return θ(λ) without each document (gone = 1), or of all (0)."""
        human, metric, share, every, n = (
            column.sum() - gone * column for column in (self.human, self.metric, self.weight, self.every, self.segments)
        )
        theta = human / share - weight * (metric / share - every / n)
        return np.asarray(theta if gone else theta[0])

    @property
    def explained(self) -> tuple[float, float]:
        """R², and the same adjusted; where everything is rated, what it would be of few ratings."""
        a, e = self.moves
        if not np.square(e).sum() > _NOTHING:
            e = (self.every - self.every.sum() / self.segments.sum() * self.segments) / self.segments.sum()
        r2 = float(_ratio(np.square((a * e).sum()), (a * a).sum() * (e * e).sum()))
        rated = np.count_nonzero(self.rated)
        return r2, 1 - (1 - r2) * (rated - 1) / (rated - 2) if rated > 2 else float("nan")


def _ratio(above: Floats, below: Floats) -> Floats:
    """Return above/below, 0 where below is what rounding leaves of 0."""
    return np.divide(above, below, out=np.zeros(np.broadcast(above, below).shape), where=np.asarray(below) > _NOTHING)


_NOTHING = 1e-20
"""What rounding leaves of 0."""


def few_ratings(
    corpus: Corpus, human: str, metric: str | Metric, *, inclusion: Sequence[float] | Floats | None = None,
    verdict: Verdict = "ratings", settings: Settings | None = None,
) -> FewRatings:  # fmt: skip
    """Compare all pairs by few ratings, with and without the help of a metric.

    Parameters
    ----------
    corpus
        The outputs with ratings; missing ratings are NaN.
    human
        The name of the rating.
    metric
        A segment-level metric, or metric scores in the corpus, as for `measure`. It must score every segment.
    inclusion
        The probability, shape (n,), with which the design chose each segment to be rated; it must not depend on quality
        scores. `None` means that all segments had the same probability.
    verdict
        The result, with or without the metric, that gives the verdict. Choose it before the ratings are seen.
    settings
        The level, correction and alternative.

    Raises
    ------
    UnknownName
        The rating or the metric is unknown.
    NotApplicable
        Fewer than two segments of a pair are rated, or the metric does not score every segment of a rated system.
    InvalidOption
        The probability of a rated segment is unknown, or it is not in (0, 1].

    Examples
    --------
    >>> import numpy as np
    >>> from mtsig import Corpus, Rating
    >>> from mtsig.campaign import few_ratings
    >>> rng = np.random.default_rng(1)
    >>> values = np.array([[1.0], [0.5]]) + rng.normal(size=(2, 90))
    >>> few = np.where(np.arange(90) % 3 == 0, values, np.nan)
    >>> metric = values + rng.normal(size=(2, 90))
    >>> ratings = {"esa": Rating(few, higher_is_better=True), "mine": Rating(metric, higher_is_better=True)}
    >>> corpus = Corpus.of(dict.fromkeys("AB"), ratings=ratings)
    >>> few_ratings(corpus, "esa", "rating:mine").sentence.partition(": ")[2]
    'using it is equivalent to 1.19 times as many ratings. λ = 0.41.'
    """
    settings = Settings() if settings is None else settings
    rating = find(corpus.ratings, human, "rating")
    values = rating.values if rating.higher_is_better else -rating.values
    known = ~np.isnan(values)
    there = np.flatnonzero(known.any(axis=1))
    if len(there) < 2:
        raise NotApplicable(f"A comparison needs 2 rated systems; found {number_of(len(there), 'system')} in {human}.")
    refuse_many(len(there))
    names = list(corpus.systems)
    label, scores = segment_scores(corpus, metric, [names[row] for row in there])
    rated = np.asarray(known.any(axis=0))
    chosen = _checked(inclusion, rated)
    documents = corpus.documents if corpus.documents is not None else range(len(corpus))
    _, document = np.unique(np.asarray(documents, dtype=object).astype(str), return_inverse=True)
    pairs = all_pairs(len(there))
    sums = [
        Sums.of(values[there[x]] - values[there[y]], scores[x] - scores[y], chosen, document) for x, y in pairs.tolist()
    ]
    unrated = [pair for pair, own in zip(pairs.tolist(), sums, strict=True) if np.count_nonzero(own.rated) < 2]
    if unrated:
        x, y = (names[there[row]] for row in unrated[0])
        raise NotApplicable(f"{x} and {y} have fewer than two rated documents in common. Select others with --systems.")
    unit: Literal["document", "segment"] = "segment" if corpus.documents is None else "document"
    rated_units = [int(np.count_nonzero(own.rated)) for own in sums]
    family = Made(
        human, f"rating:{human}|few ratings|n:{int(rated.sum())}|mtsig:{VERSION}",
        [names[row] for row in there], np.array([np.nanmean(rating.values[row]) for row in there]), pairs, unit,
        rated_units, [int(own.rated.sum()) for own in sums], settings, rating.higher_is_better,
        fewest=MIN_DOCUMENTS,
    )  # fmt: skip
    # Documents of small probability weigh most, so few of them may decide, however many others are rated.
    sizes = [[satterthwaite_df(of[own.rated > 0]) for of in (own.rated, own.weight)] for own in sums]
    df = df_by_decided(*np.array(sizes).T)
    lacking = [
        f"the inclusion probabilities are so unequal that {number_of(number, f'rated {unit}')} are worth about "
        f"{nu + 1:.1f} of equal weight, and at least {FEWEST_DF + 1} are needed" if nu < FEWEST_DF <= own[0] else ""
        for number, nu, own in zip(rated_units, df.tolist(), sizes, strict=True)
    ]  # fmt: skip
    alone, assisted = (np.array([own.estimate(with_metric) for own in sums]) for with_metric in (False, True))
    rows = Explained.of_columns(
        len(pairs), first=[names[there[x]] for x, _ in pairs], second=[names[there[y]] for _, y in pairs],
        weight=assisted[:, 2], r2=[own.explained[0] for own in sums], r2_adjusted=[own.explained[1] for own in sums],
        rated_documents=rated_units, rated_segments=[int(own.rated.sum()) for own in sums],
    )  # fmt: skip
    notes = []
    if MIN_DOCUMENTS <= min(rated_units) < FEW_RATED:
        text = f"{min(rated_units)} rated {unit}s: with fewer than {FEW_RATED}, R² is underestimated by about .07."
        notes.append(Note("note", text))
    by_raters = rating.rater_scores
    made: list[Family] = [family.family(found[:, 0], found[:, 1], df, lacking) for found in (alone, assisted)]
    if by_raters is not None:
        given = by_raters.signed
        given = given if rating.higher_is_better else replace(given, value=-given.value)
        groups = Groups(unit, document[given.segment], int(document.max()) + 1)
        of_output = scores[np.searchsorted(there, given.system), given.segment]
        for place, found in enumerate((alone, assisted)):
            # A rater adds the ratings less λ times the metric of these outputs; of unrated segments it has no rater.
            contrasts = [
                Contrast.of(replace(given, value=given.value - weight * of_output), there[x], there[y], groups, chosen)
                for (x, y), weight in zip(pairs, found[:, 2], strict=True)
            ]
            held = [contrast for contrast in contrasts if contrast is not None]
            others, no_others = over_raters(
                family, found[:, 0], (np.square(found[:, 1]), df), spreads(held, "rater"), spreads(held, "both"),
                [contrast.raters for contrast in held],
            )  # fmt: skip
            made[place] = rated_by = with_others(made[place], others, no_others, len(np.unique(given.rater)))
            if place == (verdict == "metric"):
                notes.insert(0, raters_note(rated_by))
    return FewRatings(human, label, made[0], made[1], verdict, rows, tuple(notes))


def segment_scores(corpus: Corpus, metric: str | Metric, systems: Sequence[str]) -> tuple[str, Floats]:
    """Return a metric's name and its scores of all segments of these systems, higher is better; shape (s, n).

    Raises
    ------
    NotApplicable
        It scores whole corpora only, or misses a segment.
    """
    counted = measure(corpus, metric)
    if not counted.metric.is_segment_mean:
        raise NotApplicable(
            f"{counted.metric.name} scores whole test sets, not segments; choose its sentence-level version, such as "
            "sentBLEU."
        )
    rows = [counted.row(name) for name in systems]
    places = np.arange(len(corpus)) if counted.numbers is None else counted.numbers
    known = np.ones((len(rows), counted.n), dtype=bool) if counted.available is None else counted.available[rows]
    lost = np.setdiff1d(np.arange(len(corpus)), places[known.all(axis=0)])
    if len(lost):
        raise NotApplicable(
            f"{counted.metric.name} must score every segment of these systems, but has no score of some of them for "
            f"{number_of(len(lost), 'segment')} of {len(corpus):,}; the first is segment {corpus.numbers[lost[0]]}. "
            "Add these scores."
        )
    values = counted.values[:, rows].astype(np.float64)
    return counted.metric.name, sign_of(counted.metric) * counted.metric.segment_score(values)


def _checked(inclusion: Sequence[float] | Floats | None, rated: Mask) -> Floats:
    """Return the inclusion probabilities, 1 for all where all are the same."""
    if inclusion is None:
        return np.ones(len(rated))
    given = np.asarray(inclusion, dtype=np.float64)
    if given.shape != rated.shape:
        raise InvalidOption(f"Give {len(rated):,} inclusion probabilities, one per segment; found {len(given):,}.")
    wrong = rated & ~((given > 0) & (given <= 1))
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        raise InvalidOption(
            f"Segment {at + 1} is rated, but its inclusion probability is {given[at]:g}; expected the probability in "
            "the design, above 0 and at most 1."
        )
    return np.where(rated, given, 1.0)


def inclusions(corpus: Corpus, path: str | Path) -> tuple[Floats, Mask | None]:
    """Return the inclusion probabilities of a table with columns segment and inclusion, NaN where it has none; (n,).

    And which segments were chosen, where a column says so.

    Raises
    ------
    ReadError
        It cannot be read, lacks a column, or names a segment twice or one that is not there.
    """
    file = File(str(path), Path(path))
    names, records, _ = named_rows(file.label, _rows_of(file)[0], "line", "Is a cell missing?")
    if not {"segment", "inclusion"} <= set(names):
        raise ReadError(f"{file.label}: expected columns segment and inclusion; found {listed(names)}.")
    place = {number: at for at, number in enumerate(corpus.numbers)}
    found, chosen = np.full(len(corpus), np.nan), np.zeros(len(corpus), dtype=bool)
    for record in records:
        segment, inclusion = record.texts["segment"] or "", record.texts["inclusion"] or ""
        at = place.get(int(segment)) if segment.isdecimal() else None
        share = score_of(inclusion)
        if at is None or share is None or share != share or not np.isnan(found[at]):
            raise ReadError(
                f"{file.label}, line {record.line}: expected the number of a segment of these data, once each, and its "
                f"probability; found {quoted(segment)} and {quoted(inclusion)}."
            )
        found[at], chosen[at] = share, score_of(record.texts.get("chosen") or "") == 1
    return found, chosen if chosen.any() else None


def off_plan(corpus: Corpus, human: str, chosen: Mask) -> list[Note]:
    """Return a warning where the rated segments are not those that were chosen."""
    rated = ~np.isnan(find(corpus.ratings, human, "rating").values).all(axis=0)
    lost, more = int((chosen & ~rated).sum()), int((rated & ~chosen).sum())
    said = f"{lost:,} of the {int(chosen.sum()):,} chosen segments have no rating in {human}" if lost else ""
    added = (
        f"{number_of(more, 'segment', ',')} rated in {human} {'was' if more == 1 else 'were'} not chosen"
        if more
        else ""
    )
    text = (
        f"{', and '.join(filter(None, (said, added)))}. The inclusion probabilities are those of the plan, so results "
        "are biased if which segments are rated depends on their quality. Rate what was chosen."
    )
    return [Note("warning", text, headline="Ratings differ from the sampling plan")] if lost or more else []


@dataclass(frozen=True)
class NeededRatings(Record):
    """How many ratings a true difference takes."""

    with_metric: Annotated[bool, about("Whether a metric that scores every segment is also used.")]
    documents: Annotated[Count, about("Number of documents to rate, or number of segments if documents are unknown.")]
    segments: Annotated[Count, about("Number of segments in these documents.")]
    ratings: Annotated[Count, about("Number of ratings, for the outputs of both systems.")]
    cost: Annotated[Number, about("Cost of the ratings; null if no price was given.")]


By: TypeAlias = Literal["segment", "document"]


@dataclass(frozen=True)
class Chosen(Record):
    """One segment of a sampling plan."""

    segment: Annotated[Count, about("Number of the segment in the data, from 1.")]
    document: Annotated[str | None, about("Document of the segment; null if documents are unknown.")]
    inclusion: Annotated[Number, about("Probability with which the segment was chosen.")]
    chosen: Annotated[bool, about("Whether the segment is to be rated.")]


@dataclass(frozen=True, eq=False)
class SamplePlan(Result):
    """Which segments to rate; by, focus, seed: how they were chosen."""

    records: tuple[Chosen, ...]
    by: By
    focus: float
    seed: int
    metric: str

    @property
    def chosen(self) -> list[int]:
        """The chosen segments, by their positions in the corpus."""
        return [place for place, row in enumerate(self.records) if row.chosen]

    @property
    def sentence(self) -> str:
        """What was chosen, and how, in a sentence."""
        own = {row.document for row in self.records if row.chosen}
        places = "" if None in own else f" in {number_of(len(own), 'document')}"
        often = (
            f"; segments whose {self.metric} varies more than usual between systems are {self.focus:g} times as likely"
            if self.focus > 1
            else ""
        )
        return (
            f"{number_of(len(self.chosen), 'segment', ',')} of {len(self.records):,}{places}, chosen by {self.by} with "
            f"known probabilities (seed {self.seed}){often}."
        )

    def pearmut(self, corpus: Corpus, name: str = "sample", users: int = 5) -> dict[str, Any]:
        """Return the chosen segments as a campaign that Pearmut can load: all raters draw from one stream of documents.

        As Pearmut 1.1.6 takes it. Ids come back in annotations.json: they are DOCUMENT_#_NUMBER, the number of the
        segment in its document from 0, as WMT's are.

        Raises
        ------
        NotApplicable
            Pearmut could not show it: there are no outputs, one of a chosen segment lacks, or a name is a number.
        """
        outputs = {system: corpus.outputs[runs[0]] for system, runs in corpus.systems.items() if runs}
        if not outputs:
            raise NotApplicable("A campaign shows outputs, but these systems have no text.")
        if wrong := [system for system in outputs if system.isdigit()]:
            raise NotApplicable(f"In Pearmut, a number cannot be the name of a system. Rename {listed(wrong)}.")
        sources, within = corpus.segments.sources, Counter[str]()
        by_document: dict[str, list[Mapping[str, Any]]] = {}
        for place in range(len(corpus)):
            document = "segments" if corpus.documents is None else corpus.documents[place]
            within[document] += 1
            if not self.records[place].chosen:
                continue
            shown = {system: lines[place] for system, lines in outputs.items()}
            if lacking := [system for system, text in shown.items() if text is None]:
                number = corpus.numbers[place]
                raise NotApplicable(f"Pearmut shows all systems at once, but {listed(lacking)} lacks segment {number}.")
            item = {"item_id": f"{document}_#_{within[document] - 1}", "tgt": shown}
            item |= {} if sources is None else {"src": sources[place]}
            by_document.setdefault(document if corpus.documents is not None else f"{place}", []).append(item)
        return {
            "info": {"assignment": "single-stream", "protocol": "cESA" if len(outputs) > 1 else "ESA", "users": users},
            "campaign_id": name,
            "data": list(by_document.values()),
        }


def plan_sample(
    corpus: Corpus, size: int, metric: str | Metric | None = None, *, by: By = "segment", focus: float = 1.0,
    seed: int = 12345,
) -> SamplePlan:  # fmt: skip
    """Choose segments to rate, with known probabilities.

    By segment, a systematic sample in the order of the documents represents each of them in proportion. Segments whose
    metric scores vary more between systems than the median are `focus` times as likely. By document, whole documents
    are chosen with equal probability.

    Parameters
    ----------
    corpus
        The corpus with the segments that may be rated.
    size
        The number of segments, or of documents when sampling by document.
    metric
        The metric whose scores define the focus; needed if `focus` exceeds 1.
    by
        The sampling unit: "segment" or "document".
    focus
        The factor by which a segment is more likely if the metric's standard deviation over systems is above its
        median. A factor above 1 reduces precision unless the metric explains the ratings well.
    seed
        The seed of the random start of the sample.

    Raises
    ------
    InvalidOption
        The size exceeds the number of segments or documents, or the focus is below 1.
    NotApplicable
        Documents are to be sampled but are unknown, or the metric does not score every segment.

    Examples
    --------
    >>> import mtsig
    >>> plan = plan_sample(mtsig.read_sample(), 40, "sentchrf")
    >>> len(plan.chosen), round(sum(row.inclusion for row in plan.records), 6)
    (40, 40.0)
    """
    n = len(corpus)
    if not 1 <= focus < np.inf:
        raise InvalidOption(f"The focus must be a factor of at least 1; found {focus:g}.")
    if by == "document" and corpus.documents is None:
        raise NotApplicable("Whole documents cannot be chosen: no document ids were given.")
    documents = corpus.documents if corpus.documents is not None else [""] * n
    names = list(dict.fromkeys(documents))
    most = len(names) if by == "document" else n
    if not 1 <= size <= most:
        raise InvalidOption(f"Choose 1 to {most:,} {by}s; found {size}.")
    draw = float(Words(seed, 0, Purpose.SAMPLED).halves(1, 1)[0, 0]) / 2**32
    label = ""
    if by == "document":
        hit = systematic(np.full(most, size / most), draw)
        of = np.array([names.index(document) for document in documents])
        inclusion, taken = np.full(n, size / most), hit[of]
        focus = 1.0
    else:
        likely = np.ones(n)
        if metric is None:
            focus = 1.0
        elif focus > 1:
            label, scores = segment_scores(corpus, metric, list(corpus.systems))
            spread = scores.std(axis=0)
            likely = np.where(spread > np.median(spread), focus, 1.0)
        place = np.array([names.index(document) for document in documents])
        order = np.lexsort((likely, place))
        inclusion, taken = probabilities(likely, size), np.zeros(n, dtype=bool)
        taken[order] = systematic(inclusion[order], draw)
    rows = Chosen.of_columns(
        n, segment=list(corpus.numbers), document=[None if corpus.documents is None else name for name in documents],
        inclusion=inclusion, chosen=taken,
    )  # fmt: skip
    return SamplePlan(rows, by, focus, seed, label)


def probabilities(likely: Floats, size: int) -> Floats:
    """Return probabilities in proportion to `likely` that add up to `size`; none above 1."""
    sure = np.zeros(len(likely), dtype=bool)
    while True:
        share = np.where(sure, 1.0, likely * (size - sure.sum()) / max(likely[~sure].sum(), 1e-300))
        if not (share > 1 + 1e-12).any():
            return np.minimum(share, 1.0)
        sure |= share > 1


def systematic(inclusion: Floats, draw: float) -> Mask:
    """Return a systematic sample: steps of 1 along the summed probabilities, from one random start in [0, 1)."""
    ends = np.round(np.cumsum(inclusion), 9)
    starts = np.concatenate([[0.0], ends[:-1]])
    return np.asarray(np.ceil(ends - draw) > np.ceil(starts - draw))
