"""Reranking: variants of a system by a model that chooses candidates, under every test (Riezler and Maxwell 2005).

Section 2 of the paper: a log-linear model with an ℓ1 penalty, its features selected by their gradient, chooses among
the candidates of a segment; tables 1 and 2 compare what variants of it choose.
"""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import scipy

from mtsig._options import option, same_option
from mtsig._records import Floats, Index, Mask
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import number_of
from mtsig.errors import AlignmentError, NotApplicable
from mtsig.inference import TESTS, Settings
from mtsig.inference._significance import DEFAULTS
from mtsig.inference._tests import known_test
from mtsig.lab import _candidates
from mtsig.lab._blind_spots import bleu_of
from mtsig.lab._candidates import Candidates, Choices
from mtsig.lab._compared import EveryTest, EveryTestPs
from mtsig.lab._material import RIEZLER_MAXWELL, Experiment, LabResult, Material, Pair, records, upright
from mtsig.metrics import Metric, Statistics, measure
from mtsig.progress import done_in_order, each, part
from mtsig.resampling import Purpose, Words

ALPHA = 0.05
"""At or below this p a test is said to reject."""

BASELINE, RERANKED, NEAREST = "baseline", "reranked", "nearest the reference"

_PENALTIES = (0.3, 0.1, 0.03)
"""Shares of the largest slope at zero, above the smallest, which is the reranked system's."""

_FEATURES = (1, 2)
_SMALLEST = 0.01
_EQUIVALENT = 5
"""Pairs of equivalent systems in the paper's table 2."""

_NOISE = 0.5
"""Share of a feature's standard deviation that its redundant copy has besides."""

_FEWEST_FOLDS = 3
"""The character model of a candidate leaves out its own fold and the one to be scored."""

_NOTES = (
    Note(
        "note",
        "Riezler and Maxwell reranked n-best lists of a phrase-based system and tested 2,000 sentences of 5 to 15 "
        "words. Their lists, models and outputs are not available, so this is their method on other data.",
    ),
)


@dataclass(frozen=True)
class Variant:
    """A way to make a system: penalty as a share of the largest slope, the most features, and the redundant copies."""

    name: str
    penalty: float = _SMALLEST
    most: int | None = None
    copies: int | None = None


VARIANTS = (
    *(Variant(f"penalty {share:g}", share) for share in _PENALTIES),
    *(Variant(f"{number_of(count, 'feature')}", most=count) for count in _FEATURES),
    Variant(RERANKED),
    *(Variant(f"redundant {number}", copies=number) for number in range(1, _EQUIVALENT + 1)),
)

PAIRS: tuple[Pair, ...] = (
    *((variant.name, BASELINE) for variant in VARIANTS if variant.copies is None),
    *((RERANKED, variant.name) for variant in VARIANTS if variant.copies is not None),
)
"""Each variant against the baseline (table 1), and the reranked system against its near equals (table 2)."""


@dataclass(frozen=True, eq=False)
class RerankScores(LabResult):
    """Variants of one system, and what every test says of their differences.

    systems: the baseline, the v variants and the candidates nearest the references, s = v + 2 in all. features: the d
    features, without redundant copies. weights: shape (folds, v, 2d), of standardized features and of their copies, 0
    where a variant has none. nearest: shape (s,), the share of segments on which a system takes a candidate nearest the
    reference. differ: shape (m,), the share on which the texts of a pair differ. tests: one result for each metric,
    randomization first. scores: shape (metrics, s). source: what the candidates are, in words. corpus: the texts
    of all systems, to be analysed like any other.
    """

    systems: tuple[str, ...]
    features: tuple[str, ...]
    weights: Floats
    nearest: Floats
    differ: Floats
    tests: tuple[EveryTestPs, ...]
    scores: Floats
    source: str
    corpus: Corpus
    notes: tuple[Note, ...] = _NOTES

    @property
    def every(self) -> EveryTestPs:
        """All metrics' pairs in one: those whose texts differ somewhere."""
        kept = np.flatnonzero(self.differ)
        return EveryTestPs(
            ", ".join(self.metrics),
            self.tests[0].tests,
            tuple((f"{test.metric}: {PAIRS[m][0]}", PAIRS[m][1]) for test in self.tests for m in kept),
            np.concatenate([test.difference[kept] for test in self.tests]),
            np.concatenate([test.p[:, kept] for test in self.tests], axis=1),
            self.tests[0].unit,
        )

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(test.metric for test in self.tests)

    @property
    def given_names(self) -> tuple[str, ...]:
        return self.metrics

    @property
    def test_names(self) -> tuple[str, ...]:
        """The tests, also those by another unit."""
        return self.every.tests

    def summaries(self) -> dict[str, list[dict[str, Any]]]:
        """Return the variants with their scores, how often tests disagree, and which features the model takes."""
        return {"Variants": self._variants(), "Tests": self.disagreements(), "Features": self._features()}

    def _variants(self) -> list[dict[str, Any]]:
        used = np.count_nonzero(self.weights, axis=2).mean(axis=0).tolist()
        scores = {test.metric: self.scores[m] for m, test in enumerate(self.tests)}
        return records(system=self.systems, features=[None, *used, None], nearest=self.nearest, **scores)

    def disagreements(self) -> list[dict[str, Any]]:
        """Return for each test how often it rejects at .05, and how often it and randomization do not say the same."""
        every = self.every
        rejects = every.p <= ALPHA
        return records(
            test=every.tests, pairs=len(every.pairs), rejects=rejects.sum(axis=1),
            only_this_rejects=(rejects & ~rejects[0]).sum(axis=1),
            only_randomization_rejects=(rejects[0] & ~rejects).sum(axis=1),
            median_ratio=every.ratio if every.usable.any() else None,
        )  # fmt: skip

    def _features(self) -> list[dict[str, Any]]:
        at = [variant.name for variant in VARIANTS].index(RERANKED)
        weights = self.weights[:, at, : len(self.features)]
        return records(feature=self.features, folds=np.count_nonzero(weights, axis=0), mean_weight=weights.mean(axis=0))

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per metric and pair, with a column for each test."""
        p_values = np.array([test.p for test in self.tests]).swapaxes(0, 1)
        first, second = zip(*PAIRS, strict=True)
        scores = [self.scores[:, [self.systems.index(name) for name in names]] for names in (first, second)]
        return records(
            table=[1 if name == BASELINE else 2 for name in second], metric=upright(self.metrics), first=first,
            second=second, first_score=scores[0], second_score=scores[1], differ=self.differ,
            **dict(zip(self.tests[0].tests, p_values, strict=True)),
        )  # fmt: skip


@dataclass(frozen=True)
class Rerank(Experiment[RerankScores]):
    """Rerank candidates by trained models, and test the differences."""

    n_resamples: int = option(2000, "Resamples", "Random swaps or resamples in each test.", low=100, high=1_000_000)
    folds: int = option(5, "Folds", "Number of groups of documents. A model trained on the others scores each group.",
                        low=_FEWEST_FOLDS, high=50)  # fmt: skip
    seed: int = same_option(Settings, "seed")
    system: str | None = None
    nbest: str | None = None

    name = "rerank"
    label = "Reranked variants"
    about = "What do tests find for variants of one system, made by reranking candidates?"
    paper = f"{RIEZLER_MAXWELL}, section 2, tables 1 and 2"
    suggested = ("bleu", "nist", "chrf")
    needs_text = True

    def run(self, material: Material, executor: Executor | None = None) -> RerankScores:
        """Train and rerank, with one fold per job, then compute statistics and test.

        Raises
        ------
        NotApplicable
            There is neither a second system with text nor an n-best list, or too few documents.
        ReadError, AlignmentError
            The n-best list cannot be read, or its segments are not those with references.
        """
        corpus = material.text.with_references()
        systems = self._systems(material, corpus)
        listed = self.nbest is not None
        candidates = _candidates.read_nbest(self.nbest) if self.nbest else _candidates.candidates_of(corpus, systems)
        if len(candidates.starts) != len(corpus):
            raise AlignmentError(
                f"The n-best list has {number_of(len(candidates.starts), 'segment', ',')}, but {len(corpus):,} have a "
                "reference. Provide references and candidates for the same segments."
            )
        fold_of, notes = self._folds(corpus)
        target, nearest = _nearest(material, corpus, candidates)
        by_fold = [candidates] * (int(fold_of.max()) + 1)
        with part(0.0, 0.4):
            if not listed:
                by_fold = _with_model(corpus, candidates, fold_of)
        jobs = [(Choices(item.values, item.starts, target), fold_of == fold) for fold, item in enumerate(by_fold)]
        with part(0.4, 0.7):
            reranked = done_in_order(partial(_reranked, self.seed), jobs, executor)
        chosen = np.tile(candidates.starts, (len(VARIANTS) + 2, 1))
        chosen[-1] = nearest
        for fold, (picked, _) in enumerate(reranked):
            chosen[1:-1, fold_of == fold] = picked
        names = (BASELINE, *(variant.name for variant in VARIANTS), NEAREST)
        made = _made(corpus, candidates, dict(zip(names, chosen, strict=True)), () if listed else systems)
        with part(0.7, 1.0):
            tested = [self._tested(measure(made, metric)) for metric in each(_metrics(material, not listed))]
        return RerankScores(
            names, by_fold[0].names, np.array([weights for _, weights in reranked]),
            np.mean(target[chosen] > 0, axis=1),
            np.array([np.mean([a != b for a, b in zip(*map(made.lines, pair), strict=True)]) for pair in PAIRS]),
            tuple(every for every, _ in tested), np.array([scores for _, scores in tested]),
            "candidates of an n-best list" if listed else f"outputs of {len(systems)} systems", made,
            _NOTES + notes,
        )  # fmt: skip

    def _systems(self, material: Material, corpus: Corpus) -> tuple[str, ...]:
        """Return the systems with one text, the baseline first: the one asked for, or the best."""
        if self.system is not None:
            corpus.lines(self.system)
        ranked = material.first.best_first if material.statistics else list(corpus.systems)
        order = [*ranked, *(name for name in corpus.systems if name not in ranked)]
        order.sort(key=lambda name: name != self.system)
        systems = tuple(name for name in order if len(corpus.systems.get(name, ())) == 1)
        if len(systems) < 2 and self.nbest is None:
            raise NotApplicable(
                "Reranking chooses among the outputs of systems: it needs two or more with one text each, or an n-best "
                "list."
            )
        return systems

    def _folds(self, corpus: Corpus) -> tuple[Index, tuple[Note, ...]]:
        """Return the fold of each segment, shape (n,): whole documents, or neighbours where documents are unknown."""
        n = len(corpus)
        notes: tuple[Note, ...] = ()
        documents = corpus.documents
        if documents is None:
            documents = tuple(str(i * self.folds // n) for i in range(n))
            notes = (
                Note(
                    "note",
                    "Document ids are unknown, so each model is trained on segments that are far from those it scores.",
                ),
            )
        sizes = Counter(documents)
        folds = min(self.folds, len(sizes))
        if folds < _FEWEST_FOLDS:
            raise NotApplicable(
                f"Reranking needs different documents for training and scoring: at least {_FEWEST_FOLDS}; found "
                f"{number_of(len(sizes), 'document')}."
            )
        keys = Words(self.seed, 0, Purpose.FOLDS).take(1, len(sizes))[0]
        filled = [0] * folds
        fold_of: dict[str, int] = {}
        for at in np.argsort(keys, kind="stable"):
            document = list(sizes)[at]
            fold_of[document] = filled.index(min(filled))
            filled[fold_of[document]] += sizes[document]
        return np.array([fold_of[document] for document in documents]), notes

    def _tested(self, statistics: Statistics) -> tuple[EveryTestPs, Floats]:
        """Return every test on the pairs, the paper's by segment and the default one, and the scores of all systems."""
        by_segment = EveryTest(self.n_resamples, self.seed, pairs=PAIRS)
        with part(0.5, 0.9):
            tested = by_segment.run(Material((statistics,)))
        unit = statistics.at("auto").unit
        default = DEFAULTS[unit].test
        if default not in tested.tests:
            with part(0.9, 1.0):
                more = replace(by_segment, unit=unit, tests=(default,)).run(Material((statistics,)))
            tests = (*tested.tests, _by(default, unit))
            tested = replace(tested, tests=tests, p=np.concatenate([tested.p, more.p[1:]]))
        return tested, statistics.scores


def _metrics(material: Material, parsed: bool) -> list[Metric]:
    """Return the metrics of the material that can count new texts, BLEU where there is none."""
    metrics = [statistics.metric for statistics in material.statistics if statistics.metric.needs_references]
    return [metric for metric in metrics if parsed or not metric.needs_parses] or [bleu_of(material)]


def _nearest(material: Material, corpus: Corpus, candidates: Candidates) -> tuple[Floats, Index]:
    """Return each candidate's share of being nearest the reference, shape (N,), and the first such, shape (n,).

    Nearest by sentence BLEU with one added to every count above unigrams' (Lin and Och 2004); equals share.
    """
    metric = replace(bleu_of(material), smooth_method="add-k", smooth_value=1.0)
    counts = np.diff(candidates.starts, append=len(candidates.texts))
    segment_of = np.repeat(np.arange(len(corpus)), counts)
    references = {name: [lines[i] for i in segment_of.tolist()] for name, lines in corpus.references.items()}
    scores = metric.segment_score(metric.count(Corpus.of({"candidates": candidates.texts}, references)))[0]
    nearest = scores == np.maximum.reduceat(scores, candidates.starts)[segment_of]
    places = np.flatnonzero(nearest)
    share = nearest / np.add.reduceat(nearest.astype(np.float64), candidates.starts)[segment_of]
    return share, places[np.searchsorted(places, candidates.starts)]


def _with_model(corpus: Corpus, candidates: Candidates, fold_of: Index) -> list[Candidates]:
    """Return the candidates with the character model's feature, as they are when each fold is to be scored."""
    folds = int(fold_of.max()) + 1
    texts = [
        (line, int(fold))
        for lines in corpus.references.values()
        for line, fold in zip(lines, fold_of, strict=True)
        if line is not None
    ]
    of_candidates = np.repeat(fold_of, np.diff(candidates.starts, append=len(candidates.texts)))
    model = _candidates.CharacterModel(candidates, texts, folds)
    return list(each(_candidates.with_model(candidates, model, of_candidates, folds), folds))


def _reranked(seed: int, job: tuple[Choices, Mask]) -> tuple[Index, Floats]:
    """Return what the variants choose on the segments of a fold, (v, segments), and their weights, (v, 2d)."""
    choices, scored = job
    trained_on = ~scored[choices.segment_of]
    plain = _candidates.standardized(choices.features, choices.starts, trained_on)
    d = plain.shape[1]
    chosen, weights = [], np.zeros((len(VARIANTS), 2 * d))
    for row, variant in enumerate(VARIANTS):
        features = plain
        if variant.copies is not None:
            noise = scipy.special.ndtri(Words(seed, variant.copies, Purpose.REDUNDANT).uniform(*plain.shape))
            copies = _candidates.standardized(plain + _NOISE * noise, choices.starts, trained_on)
            features = np.concatenate([plain, copies], axis=1)
        known = replace(choices, features=features)
        training = known.of(~scored)
        fitted = _candidates.fit(training, variant.penalty * training.largest_slope, variant.most)
        weights[row, : features.shape[1]] = fitted.weights
        chosen.append(known.best(fitted.weights)[scored])
    return np.array(chosen), weights


def _made(corpus: Corpus, candidates: Candidates, chosen: dict[str, Index], systems: Sequence[str]) -> Corpus:
    """Return the corpus of the systems that take these candidates; what is noted of outputs, as parses, goes along."""
    outputs = {name: tuple(candidates.texts[c] for c in row) for name, row in chosen.items()}
    runs = [corpus.systems[name][0] for name in systems]
    run_of = {(line, i): run for run in runs for i, line in enumerate(corpus.outputs[run])}
    # What is about references alone stays as it is.
    annotations = {kind: items for kind, items in corpus.annotations.items() if items.keys() <= set(corpus.references)}
    for kind, by_run in corpus.annotations.items():
        if runs and by_run.keys() >= set(runs):
            annotations[kind] = {
                name: tuple(by_run[run_of[line, i]][i] for i, line in enumerate(lines))
                for name, lines in outputs.items()
            }
    made = Corpus.of(outputs, corpus.references, documents=corpus.documents)
    return replace(made, annotations=annotations)


def _by(name: str, unit: str) -> str:
    return f"{name} by {unit}"


def label_of_test(name: str) -> str:
    """Return what a test of a reranking's result is called in sentences: also one that is run by another unit."""
    by_unit = {_by(default.test, unit): _by(TESTS[default.test].label, unit) for unit, default in DEFAULTS.items()}
    return by_unit.get(name) or known_test(name).label
