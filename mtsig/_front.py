"""Compare systems from a corpus, a path, statistics, texts or scores; show and write the resulting study."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, TypeGuard, Unpack, overload

from numpy.typing import NDArray

from mtsig._options import expect_arguments, refuse_unknown, spelled_out
from mtsig._plain import Frame, Material, Place, Series, Table, corpora_of, corpus_of, two_columns, with_plain_ratings
from mtsig._writing import write_file
from mtsig.collection import Averaging, Sets
from mtsig.corpus import Corpus
from mtsig.errors import InvalidOption, NotApplicable, expect, kind_of
from mtsig.inference import Settings
from mtsig.inference._settings import NamedSettings
from mtsig.inference._targets import PairChoice
from mtsig.metrics import Metric, Statistics, default_metrics, metric
from mtsig.study import Margin, Request, Study, conduct
from mtsig.study._request import margins_from

Metrics = str | Metric | Sequence[str | Metric] | None
Scores = Sequence[float] | NDArray[Any] | Series
"""Scores of one system."""

Margins = float | Mapping[str, float] | Margin | Sequence[Margin] | None
OneSet = Corpus | Place | Statistics | Sequence[Statistics]
TestSets = Sets | Mapping[str, Corpus] | Mapping[str, Frame]
Plain = Table | Mapping[str, Place] | Sequence[Place] | Scores | None


class OfSets(NamedSettings, total=False):
    """Keyword arguments of `compare` for any data."""

    pairs: PairChoice | None
    baseline: str | None
    settings: Settings | None


class OfOneSet(OfSets, total=False):
    """Keyword arguments of `compare` for one test set."""

    joined: bool
    by: str | None
    margin: Margins


class OfCorpus(OfOneSet, total=False):
    """Keyword arguments of `compare` for a corpus, with additional ratings."""

    ratings: Mapping[str, Table | Place] | Sequence[Place]
    higher_is_better: bool | Mapping[str, bool]
    systems: Sequence[str]


class Named(Material, NamedSettings, total=False):
    """Keyword arguments of `compare` for texts and scores by system, and settings."""


class OfFrames(Material, OfSets, total=False):
    """Keyword arguments of `compare` for test sets as DataFrames."""


class OfTexts(Material, OfOneSet, total=False):
    """Keyword arguments of `compare` for texts and scores by system."""


@overload
def compare(data: OneSet, metrics: Metrics = None, **named: Unpack[OfCorpus]) -> Study: ...
@overload
def compare(
    data: TestSets, metrics: Metrics = None, *, averaging: Averaging | None = None, **named: Unpack[OfSets]
) -> Study: ...
@overload
def compare(
    data: Mapping[str, Frame], metrics: Metrics = None, *, averaging: Averaging | None = None, **named: Unpack[OfFrames]
) -> Study: ...
@overload
def compare(data: Plain = None, metrics: Metrics | Scores = None, **named: Unpack[OfTexts]) -> Study: ...
@spelled_out
def compare(
    data: OneSet | TestSets | Plain = None,
    metrics: Metrics | Scores = None,
    *,
    pairs: PairChoice | None = None,
    baseline: str | None = None,
    joined: bool = False,
    by: str | None = None,
    margin: Margins = None,
    averaging: Averaging | None = None,
    settings: Settings | None = None,
    **named: Unpack[Named],
) -> Study:
    """Compare systems: scores with intervals, and corrected tests with verdicts.

    Systems may translate, transcribe, summarize or answer: any system with a text or a score per item can be compared.

    Parameters
    ----------
    data : Corpus, path, table, Statistics, or test sets by name
        A Corpus; a path that `read` accepts; texts or scores by system, as {"A": lines, "B": lines}, as a DataFrame
        with a column per system, or as an array of shape (n_systems, n_items) with row names in `systems`; files by
        system; one or several Statistics of one corpus; or several test sets, as {"2024": corpus, "2025": corpus} or as
        returned by `mtsig.study.read_sets`, or as DataFrames with one row per score. Two lists of scores, as in
        `compare(a, b)`, are systems A and B, and differences are A minus B.
    metrics : str, Metric, or a list of them, optional
        Examples are "bleu" and "chrf:word_order=2". The default is BLEU, or all ratings if there is no text to score.
    pairs : "all", str, or a list of (first, second), default "all"
        "all" for all pairs, the name of one system to compare all others with, or a list of pairs.
    baseline : str, optional
        The system with which all others are compared; it replaces `pairs`.
    joined : bool, default False
        If True, p-values are corrected for the comparisons of all metrics together.
    by : str, optional
        Compare on every subset, such as each "domain" or "length:4", and correct for all subsets × pairs together.
    margin : float, dict of float by metric, or Margin, optional
        A margin in points, fixed in advance: test whether the first system of each pair is worse by less than this. A
        `Margin` allows more, such as equivalence. Requires `baseline` or `pairs`; results are in `study.margins`.
    averaging : Averaging, optional
        How several test sets are averaged, and how their p-values are corrected.
    settings : Settings, optional
        The analysis settings. Each field can also be given as a keyword argument.
    references : list of n_items str, list of such lists, or dict of them by name, optional
        Reference texts, against which the texts are scored.
    sources : list of n_items str, optional
        Source texts.
    documents : list of n_items labels, optional
        The document of each item. If there are at least ten documents, they are the sampling units.
    domains : list of n_items labels, optional
        The domain of each item, for `by="domain"`.
    ratings : dict of tables by name, optional
        Additional scores, as {"comet": array}, each in a form that `data` accepts. Rows of an array are the systems of
        `data` if their numbers are equal. A corpus is compared by these scores in addition to its own ratings.
    higher_is_better : bool, or dict of bool by name, optional
        The direction of the scores; not needed for known names (COMET, MQM, WER and others).
    systems : list of n_systems str, optional
        Names of the rows of an array, in `data` or `ratings`.
    name : str, default "score"
        Name of the scores in `data`; where `score` names their column, its name.
    system, score, ignore : str, or list of str for ignore, optional
        Columns of a DataFrame with one row per score, and columns to ignore. `references`, `sources`, `documents`
        and `domains` may also name columns. Named levels of an index count as columns.
    test, interval, correction, alternative, level, n_resamples, seed, unit
        Fields of `settings`.

    Returns
    -------
    study : Study
        The result, indexed by metric. Use `print`, `to_frame`, `plot`, `report` and `save`.

    Raises
    ------
    InvalidOption
        An argument has the wrong type; the message says what to give.
    AlignmentError
        Texts, scores or their indexes differ in length.
    NotApplicable
        The data do not allow the comparison.
    UnknownName
        There is no metric, rating, system or argument of that name.
    ReadError
        A file cannot be read.

    See Also
    --------
    measure, interval, audit, power_analysis : the single steps, and further analyses of statistics.
    mtsig.inference.compare : comparisons by one metric, not yet corrected.

    Notes
    -----
    1. The metric's statistics are counted for every segment (`measure`).
    2. The sampling unit is the document if there are at least ten. Without document ids, it is a block of consecutive
       segments if neighbouring segments are correlated, and the segment otherwise.
    3. Scores get confidence intervals by the jackknife over units (`interval`).
    4. Each pair is tested by a jackknife t-test over documents or blocks [1]_, or by approximate randomization over
       segments [2]_.
    5. p-values are corrected for the number of comparisons: by Holm's method over documents and blocks [3]_, and by the
       distribution of the smallest p-value over segments [4]_.
    6. The verdict is "better" if the adjusted p-value is at most 1 − `level`, and "not_significant" if it is larger,
       which does not show that the systems are equal. It is "withheld" if the data do not allow a verdict; the reason
       is given (`verdict`).

    With several test sets, steps 1 to 5 are done for every set, and for the average over the sets.

    References
    ----------
    .. [1] Efron (1982); Bell and McCaffrey (2002).
    .. [2] Riezler and Maxwell (2005).
    .. [3] Holm (1979).
    .. [4] Westfall and Young (1993).

    Examples
    --------
    Scores of two systems on seven items:

    >>> import mtsig
    >>> scores = {"A": [0.9, 0.8, 0.7, 0.9, 0.6, 0.8, 0.7], "B": [0.5, 0.7, 0.4, 0.6, 0.5, 0.6, 0.5]}
    >>> study = mtsig.compare(scores, name="accuracy", higher_is_better=True)
    >>> [(row["first"], row["second"], row["verdict"], row["p_adjusted"]) for row in study.rows()]
    [('A', 'B', 'better', 0.015625)]

    The sample data: all systems compared with one system, with other settings:

    >>> corpus = mtsig.read_sample()
    >>> study = mtsig.compare(corpus, "chrf", baseline="direct", level=0.99)
    >>> for row in study.rows():
    ...     print(f"{row['first']:13} {row['difference']:5.2f} [{row['ci_low']:5.2f}, {row['ci_high']:5.2f}]")
    direct-us     -0.53 [-0.78, -0.28]
    via-catalan   -2.43 [-3.71, -1.14]
    via-esperanto -5.14 [-7.23, -3.06]
    via-galician  -2.62 [-4.32, -0.92]

    The same comparisons, tested against a margin of one point that is fixed in advance:

    >>> study = mtsig.compare(corpus, "chrf", baseline="direct", margin=1)
    >>> [(answer.first, answer.established) for answer in study.margins]
    [('direct-us', True), ('via-catalan', False), ('via-esperanto', False), ('via-galician', False)]

    Two test sets; rows without a set are for the average over the sets:

    >>> sets = {"2024": corpus, "2025": corpus}
    >>> study = mtsig.compare(sets, "chrf", baseline="direct")
    >>> [(row["first"], row["verdict"]) for row in study.rows() if row["set"] is None][:2]
    [('direct-us', 'better'), ('via-catalan', 'better')]
    """
    refuse_unknown(compare, named)
    asked: Any = metrics
    if (scores := two_columns(data, metrics)) is not None:
        data, asked = scores, None
        # The order of two columns is that of their difference, so it is the direction of a one-sided test.
        if pairs is None and baseline is None:
            first, second = map(str, scores)
            pairs = [(first, second)]
    about: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
    of_data = {name: about.pop(name) for name in Material.__annotations__ if name in about}
    chosen, pairs = Settings.of(settings, about), _pairs(pairs, baseline)
    expect_arguments(compare, {"joined": joined, "by": by, "margin": margin, "averaging": averaging})
    by_name, of_data = corpora_of(data, asked, of_data)
    if isinstance(data, Sets) or by_name:
        for value in by_name.values():
            expect(value, Corpus, 'Give the test sets by their names, as in {"2024": corpus, "2025": corpus}')
        one_only = {"joined": joined, "by": by is not None, "margin": margin is not None}
        _leave_out([*of_data, *(name for name, given in one_only.items() if given)], "These are several test sets")
        sets = data if isinstance(data, Sets) else Sets.of(by_name)
        over = replace(averaging or Averaging(), names=tuple(sets))
        measured = _metrics(asked, next(iter(sets.values())))
        return conduct(sets, Request(measured, chosen, pairs, sets=over))
    _leave_out(["averaging"] if averaging else [], "This is one test set")
    if isinstance(data, Corpus) and "ratings" in of_data:
        added = (of_data.pop(name, None) for name in ("ratings", "higher_is_better", "systems"))
        data = with_plain_ratings(data, *added)
    statistics = [data] if isinstance(data, Statistics) else list(data) if _are_statistics(data) else None
    if isinstance(data, Corpus) or statistics:
        _leave_out(of_data, "A corpus is complete" if statistics is None else "Statistics are complete")
    if statistics is not None:
        if asked is not None:
            raise InvalidOption("Statistics already belong to a metric: omit metrics, or give the corpus.")
        corpus, measured = None, tuple(counted.metric for counted in statistics)
    else:
        corpus = data if isinstance(data, Corpus) else corpus_of(data, metric=asked, **of_data)
        measured = _metrics(asked, corpus)
    margins = margins_from(margin, measured, pairs)
    return conduct(corpus, Request(measured, chosen, pairs, joined, margins, by=by), statistics=statistics)


def _leave_out(given: Iterable[str], why: str) -> None:
    for name in given:
        raise InvalidOption(f"{why}: leave {name} out.")


def _are_statistics(data: object) -> TypeGuard[Sequence[Statistics]]:
    return isinstance(data, list | tuple) and bool(data) and all(isinstance(item, Statistics) for item in data)


def _pairs(pairs: PairChoice | None, baseline: str | None) -> PairChoice:
    if baseline is not None:
        if pairs is not None:
            raise InvalidOption("Give either pairs or baseline, not both.")
        expect(baseline, str, 'baseline is the name of one system; for several pairs give pairs=[("A", "B"), …]')
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


def _metrics(metrics: Any, corpus: Corpus) -> tuple[Metric, ...]:
    if metrics is None:
        metrics = default_metrics(corpus)
    elif isinstance(metrics, str | Metric):
        metrics = [metrics]
    elif not isinstance(metrics, list | tuple):
        raise InvalidOption(
            f'metrics must be a name such as "bleu", a Metric, or a list of these; found {kind_of(metrics)}.'
        )
    return tuple(metric(choice, corpus.ratings) for choice in metrics)


def figure_of(study: Study, kind: str, chosen: str | None) -> Any:
    """Return the figure of one metric that `Study.plot` shows."""
    from mtsig.figures import IntervalBars, Matrix  # which load plotly and matplotlib

    expect(kind, str, "The kind of a figure is matrix or scores")
    expect(chosen, str | None, "A metric of the study is chosen by its name")
    if study.several:
        raise NotApplicable(
            'This study has several test sets, or subsets: study.report("FOLDER", ["pdf"]) writes its figures to files.'
        )
    result = study.results[0 if chosen is None else study.place(chosen)]
    if kind == "matrix":
        return Matrix.of(result.compared).screen()
    if kind == "scores":
        return IntervalBars.of(result.scored).screen()
    raise InvalidOption(
        f"The kind of a figure must be matrix or scores; found {kind!r}. These figures are for the screen: "
        'study.report("FOLDER", ["pdf"]) writes them into files.'
    )


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
                "folder; to create a folder with this name, also give the formats."
            )
    if suffix in _SEVERAL_FILES:
        raise InvalidOption(
            f"{_SEVERAL_FILES[suffix]} writes several files: give a folder, as in "
            f'study.report("{path.stem}", ["{_SEVERAL_FILES[suffix]}"]).'
        )
    if suffix in _ONE_FILE and formats:
        raise InvalidOption(f"{path} is one file: omit the formats, or give a folder for them.")
    from mtsig.report import Document, exported  # here, because they load much

    written = exported(Document(study), [_ONE_FILE[suffix]] if suffix in _ONE_FILE else formats)
    for note in written.notes:
        warnings.warn(note.text, stacklevel=4)
    files = {path if suffix in _ONE_FILE else path / name: data for name, data in written.files.items()}
    for file, data in files.items():
        write_file(file, data)
    return list(files)
