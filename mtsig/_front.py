"""The front door: a corpus, statistics or plain material go in, a study of corrected comparisons comes out."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from mtsig._arguments import expect_arguments
from mtsig._plain import corpus_of, with_plain_ratings
from mtsig._writing import write_file
from mtsig.collection import Sets
from mtsig.collection._averages import Weights
from mtsig.collection._beyond import Combination, Separation
from mtsig.collection._families import FamilyOf
from mtsig.collection._sets import Sharing
from mtsig.corpus import Corpus
from mtsig.errors import InvalidOption, expect, find, kind_of
from mtsig.inference import Settings
from mtsig.inference._targets import PairChoice
from mtsig.metrics import Metric, Statistics, default_metrics, metric
from mtsig.options import options
from mtsig.study import Request, Study, conduct
from mtsig.study._record import REPORT_FORMATS
from mtsig.study._request import OverSetsRequest, margins_from


def compare(
    data: Any = None,
    metrics: str | Metric | Sequence[str | Metric] | None = None,
    *,
    references: Any = None,
    sources: Any = None,
    documents: Any = None,
    ratings: Mapping[str, Any] | None = None,
    higher_is_better: bool | Mapping[str, bool] | None = None,
    systems: Sequence[str] | None = None,
    name: str = "score",
    pairs: PairChoice | None = None,
    baseline: str | None = None,
    joined: bool = False,
    by: str | None = None,
    margin: float | Mapping[str, float] | None = None,
    equivalence: bool = False,
    one_more_document: bool = False,
    weights: Weights | None = None,
    units: Sharing | None = None,
    family: FamilyOf | None = None,
    combine: Combination | None = None,
    separate: Separation | None = None,
    own: Mapping[str, str | Sequence[str]] | None = None,
    settings: Settings | None = None,
    **changes: Any,
) -> Study:
    """Compare systems, and return the study: scores with intervals, and corrected comparisons with verdicts.

    The defaults are those of `mtsig compare`. Systems may translate, transcribe, summarize or answer: whatever gives
    a text or a score per item. (`mtsig.inference.compare` is the uncorrected verb behind it.)

    >>> import mtsig
    >>> scores = {"A": [0.9, 0.8, 0.7, 0.9, 0.6, 0.8, 0.7], "B": [0.5, 0.7, 0.4, 0.6, 0.5, 0.6, 0.5]}
    >>> study = mtsig.compare(scores, name="accuracy", higher_is_better=True)
    >>> [(row["first"], row["second"], row["verdict"], row["p_adjusted"]) for row in study.rows()]
    [('A', 'B', 'better', 0.015625)]

    Over several test sets the study holds every set, the averages, and what the sets say together; a pair is judged on
    the sets that have both systems.

    >>> sets = {"2024": mtsig.read_sample(), "2025": mtsig.read_sample()}
    >>> study = mtsig.compare(sets, "chrf", baseline="direct")
    >>> [(row["first"], row["verdict"]) for row in study.rows() if row["set"] is None][:2]
    [('direct-us', 'better'), ('via-catalan', 'better')]

    Args:
        data: a Corpus, or several test sets by name: corpora, or what `mtsig.collection.read_sets` read; Statistics, or
            several of one corpus; a path that `read` takes; texts or scores by system: {"A": lines, "B": lines},
            a DataFrame with a column per system, an array of shape (s, n) with the names of its rows as `systems`;
            or files by system.
        metrics: one or several, as in "bleu" and "chrf:word_order=2"; BLEU when None, or all ratings where there is no
            text to score.
        references: what texts are scored against: n strings, several such lists, or {name: strings}.
        sources: what was translated, n strings.
        documents: the document of each item; where there are ten or more, documents are the units.
        ratings: further scores by name, each in a form that `data` may have: {"comet": array}. The rows of an array are
            the systems of `data` where there are as many; a corpus is compared with them beside those it has.
        higher_is_better: of scores, or of each by name; None where the name tells (COMET, MQM, WER …).
        systems: the names of an array's rows, in `data` or `ratings`.
        name: what the scores in `data` are called.
        pairs: "all" (the default), one system against which all others are compared, or a list of (first, second).
        baseline: the one system, said more plainly.
        joined: judge all metrics as one family.
        by: compare in every part of the test set, as in "domain" or "length:4", all parts × pairs as one family.
        margin: points of every metric, or by metric, fixed before looking: is the first system of each pair at most so
            much worse than the second? Takes a baseline or pairs; the answers are `study.margins`.
        equivalence: do the two differ by less than the margin instead?
        one_more_document: shown only where it holds even with one more document like the heaviest, against the claim.
        weights: of several sets in the average: "equal" (the default), by "segments", or by name; fix them before
            looking.
        units: whether what occurs in several sets is one unit in all ("shared", the default), or another in each
            ("separate").
        family: "joint" (the default) judges all sets × pairs together, "per-set" each set by itself.
        combine: how p-values say in how many sets a system is better: "bonferroni" (the default) or "fisher".
        separate: what separates mean ranks over sets: "nemenyi" (the default) or "wilcoxon-holm".
        own: for some sets, by name, metrics with other options there, as in {"en-ja": "bleu:tokenize=char"}.
        settings: how to analyse; each of its fields can be given by its name, too: test, interval, correction,
            alternative, level, draws, seed, unit.
        **changes: fields of `settings`; a registered method itself is taken for its name.

    Raises:
        InvalidOption: something is of another kind than is asked for here; the message says what to give.
        AlignmentError: texts or scores differ in length, or their indexes do.
        NotApplicable: the data do not carry the comparison.
        UnknownName: there is no such metric, rating or system.
        ReadError: a file cannot be understood.
    """
    chosen = _settings(settings, changes)
    pairs = _pairs(pairs, baseline)
    over = {
        "weights": weights, "units": units, "family": family, "combine": combine, "separate": separate, "own": own,
    }  # fmt: skip
    against = {"margin": margin, "equivalence": equivalence, "one_more_document": one_more_document}
    expect_arguments(compare, {"joined": joined, "by": by, "name": name, **against, **over})
    over = {key: value for key, value in over.items() if value is not None}
    material = {
        "references": references, "sources": sources, "documents": documents, "ratings": ratings,
        "higher_is_better": higher_is_better, "systems": systems,
    }  # fmt: skip
    given = [key for key, value in material.items() if value is not None]
    values = list(data.values()) if isinstance(data, Mapping) else []
    if isinstance(data, Sets) or any(isinstance(value, Corpus) for value in values):
        for value in values:
            expect(value, Corpus, 'Give the test sets by their names, as in {"2024": corpus, "2025": corpus}')
        alone = {"joined": joined, "by": by is not None, "margin": margin is not None, "equivalence": equivalence}
        given += [key for key, value in alone.items() if value]
        if given:
            raise InvalidOption(f"These are several test sets, and {given[0]} is of one: leave it out.")
        return _over_sets(data, metrics, chosen, pairs, over)
    if over:
        key = next(iter(over))
        raise InvalidOption(f"{key} is of several test sets: give them by their names, or leave {key} out.")
    if isinstance(data, Corpus) and ratings is not None:
        data = with_plain_ratings(data, ratings, higher_is_better, systems)
        given = [key for key in given if key not in {"ratings", "higher_is_better", "systems"}]
    if given and (isinstance(data, Corpus) or _is_statistics(data)):
        what = "A corpus holds" if isinstance(data, Corpus) else "Statistics hold"
        raise InvalidOption(f"{what} all that is compared: leave {given[0]} out.")
    if _is_statistics(data):
        many = [data] if isinstance(data, Statistics) else list(data)
        if metrics is not None:
            raise InvalidOption("Statistics are of their metrics: leave metrics out, or give the corpus.")
        corpus, measured, given_statistics = None, tuple(statistics.metric for statistics in many), many
    else:
        corpus = data if isinstance(data, Corpus) else corpus_of(data, **material, name=name)
        measured, given_statistics = _metrics(metrics, corpus), None
    margins = margins_from(margin, measured, pairs, both=equivalence, one_more_document=one_more_document)
    return conduct(corpus, Request(measured, chosen, pairs, joined, margins, by=by), statistics=given_statistics)


def _over_sets(
    data: Sets | Mapping[str, Corpus],
    metrics: str | Metric | Sequence[str | Metric] | None,
    chosen: Settings,
    pairs: PairChoice,
    how: Mapping[str, Any],
) -> Study:
    """Compare over several test sets."""  # fmt: skip
    sets = data if isinstance(data, Sets) else Sets.of(dict(data))
    own = {name: (one,) if isinstance(one, str) else tuple(one) for name, one in (how.get("own") or {}).items()}
    asked = OverSetsRequest(tuple(sets), **{**how, "own": own})
    return conduct(sets, Request(_metrics(metrics, next(iter(sets.values()))), chosen, pairs, sets=asked))


def _is_statistics(data: object) -> bool:
    if isinstance(data, list | tuple) and data:
        return all(isinstance(item, Statistics) for item in data)
    return isinstance(data, Statistics)


def _settings(settings: Settings | None, changes: Mapping[str, Any]) -> Settings:
    expect(settings, Settings | None, "settings is a mtsig.Settings")
    known = {option.name: option for option in options(Settings)}
    for key in changes:
        find(known, key, "setting of compare()")
    # Numbers of numpy are numbers of Python.
    given = {key: value.item() if isinstance(value, np.generic) else value for key, value in changes.items()}
    return replace(settings or Settings(), **given)


def _pairs(pairs: PairChoice | None, baseline: str | None) -> PairChoice:
    if baseline is not None:
        if pairs is not None:
            raise InvalidOption("Give either pairs or baseline, not both.")
        pairs = baseline
    if pairs is None:
        return "all"
    how = 'pairs is "all", the name of one system, or a list of pairs such as [("A", "B")]'
    if isinstance(pairs, str):
        return str(pairs)  # numpy's strings are written to no file
    if not isinstance(pairs, list | tuple):
        raise InvalidOption(f"{how}; found {kind_of(pairs)}.")
    for pair in pairs:
        if not isinstance(pair, list | tuple) or len(pair) != 2 or not all(isinstance(end, str) for end in pair):
            raise InvalidOption(f"{how}; found {pair!r} in it.")
    return [(str(first), str(second)) for first, second in pairs]


def _metrics(metrics: str | Metric | Sequence[str | Metric] | None, corpus: Corpus) -> tuple[Metric, ...]:
    if metrics is None:
        metrics = default_metrics(corpus)
    elif isinstance(metrics, str | Metric):
        metrics = [metrics]
    elif not isinstance(metrics, list | tuple):
        raise InvalidOption(
            f'metrics is a name such as "bleu", a Metric, or a list of these; found {kind_of(metrics)}.'
        )
    return tuple(metric(choice, corpus.ratings) for choice in metrics)


def figure_of(study: Study, kind: str, chosen: str | None) -> Any:
    """Return the figure of one metric that `Study.plot` shows."""
    from mtsig.figures import IntervalBars, Matrix  # which load plotly and matplotlib

    expect(kind, str, "The kind of a figure is matrix or scores")
    expect(chosen, str | None, "A metric of the study is chosen by its name")
    results = study.results
    if chosen is not None:
        by_name = {result.compared.metric: result for result in reversed(results)}
        by_name |= {result.metric_spec: result for result in reversed(results) if result.metric_spec}
        results = (find(by_name, chosen, "metric in this study"),)
    if kind == "matrix":
        return Matrix.of(results[0].compared).screen()
    if kind == "scores":
        return IntervalBars.of(results[0].scored).screen()
    raise InvalidOption(f"There are figures of the kinds matrix and scores; found {kind!r}.")


_ONE_FILE = {".html": "html", ".md": "markdown", ".xlsx": "xlsx"}
_SEVERAL_FILES = {".tex": "latex", ".bib": "latex", ".csv": "csv", ".pdf": "pdf", ".svg": "svg", ".png": "png"}


def write_report(study: Study, path: str | Path, formats: str | Sequence[str]) -> list[Path]:
    """Write the files of `Study.report`, and return them."""
    expect(path, str | PathLike, 'Give a file or a folder to write, as in study.report("report.html")')
    expect(formats, str | list | tuple, 'formats is one such as "latex", or a list of them')
    path, formats = Path(path), (formats,) if isinstance(formats, str) else tuple(formats)
    suffix = path.suffix.lower()
    if not formats and not path.is_dir():
        if suffix == ".json":
            return [study.save(path)]
        # A folder's name may have a dot in it, as in results-1.0.
        if suffix[1:].isalpha() and suffix not in _ONE_FILE | _SEVERAL_FILES:
            raise InvalidOption(
                f"No report is written as {path.suffix}: give a file that ends in .html, .md, .xlsx or .json, or a "
                "folder; for a new folder of this name say the formats, too."
            )
    if suffix in _SEVERAL_FILES:
        raise InvalidOption(
            f"{_SEVERAL_FILES[suffix]} writes several files: give a folder, as in "
            f'study.report("{path.stem}", ["{_SEVERAL_FILES[suffix]}"]).'
        )
    if suffix in _ONE_FILE and formats:
        raise InvalidOption(f"{path} is one file: leave the formats out, or give a folder for them.")
    from mtsig.report import Document, exported  # which load plotly and matplotlib

    written = exported(Document(study), [_ONE_FILE[suffix]] if suffix in _ONE_FILE else formats or REPORT_FORMATS)
    for note in written.notes:
        warnings.warn(note.text, stacklevel=4)
    files = {path if suffix in _ONE_FILE else path / name: data for name, data in written.files.items()}
    for file, data in files.items():
        write_file(file, data)
    return list(files)
