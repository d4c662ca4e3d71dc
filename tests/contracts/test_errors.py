"""Whatever a public name is given, it says in one sentence what it found; no string is walked by its letters."""

import inspect
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from made import made_corpus

import mtsig
from mtsig.errors import MtsigError
from mtsig.inference import compare as uncorrected

QUICK = mtsig.Settings(n_resamples=100)


@cache
def corpus() -> mtsig.Corpus:
    return made_corpus(n=40, systems=3, documents=12)


@cache
def statistics() -> Any:
    return mtsig.measure(corpus(), "bleu")


@cache
def study() -> mtsig.Study:
    return mtsig.compare(corpus(), "bleu", settings=QUICK)


@cache
def family() -> Any:
    return uncorrected(statistics())


@cache
def runs() -> Any:
    rows = {f"{name}.run{number}": None for name in "AB" for number in (1, 2)}
    values = np.random.default_rng(1).normal(0, 1, (4, 30))
    return mtsig.measure(mtsig.Corpus.of(rows, ratings={"comet": mtsig.Rating(values, True)}), "rating:comet")


KINDS: dict[str, Callable[[], Any]] = {
    "int": lambda: 5,
    "float": lambda: 1.5,
    "bool": lambda: True,
    "str": lambda: "nofile",
    "None": lambda: None,
    "strings": lambda: ["nofile", "none"],
    "pairs": lambda: [("nofile", "none")],
    "dict": lambda: {"nofile": 5},
    "dict of lists": lambda: {"nofile": {"A": ["none"]}},
    "Series": lambda: pd.Series([1.0, 2.0]),
    "DataFrame": lambda: pd.DataFrame({"A": [1.0], "B": [2.0]}),
    "array": lambda: np.ones((2, 3)),
    "Corpus": corpus,
    "Statistics": statistics,
    "Study": study,
    "a type": lambda: str,
}

PAIR = {"first": "sys0", "second": "sys1"}
GIVEN: dict[str, Callable[[], tuple[Callable[..., Any], dict[str, Any]]]] = {
    "Corpus": lambda: (mtsig.Corpus, {
        "segments": corpus().segments, "outputs": corpus().outputs, "systems": corpus().systems,
        "references": corpus().references,
    }),
    "Corpus.of": lambda: (mtsig.Corpus.of, {"systems": corpus().outputs, "references": corpus().references}),
    "Rating": lambda: (mtsig.Rating, {"values": np.ones((2, 3)), "higher_is_better": True}),
    "Settings": lambda: (mtsig.Settings, {}),
    "Study.plot": lambda: (study().plot, {}),
    "Study.save": lambda: (study().save, {"path": "study.json"}),
    "Study.report": lambda: (study().report, {"path": "study.md"}),
    "size_curve": lambda: (mtsig.size_curve, {"statistics": statistics()}),
    "adjust": lambda: (mtsig.adjust, {"family": family()}),
    "audit": lambda: (mtsig.audit, {"statistics": statistics(), **PAIR, "settings": QUICK, "every_unit": False}),
    "compare": lambda: (mtsig.compare, {"data": corpus(), "settings": QUICK}),
    "compare_runs": lambda: (mtsig.compare_runs, {"statistics": runs(), "first": "A", "second": "B",
    "n_resamples": 100}),
    "compare_subsets": lambda: (
        mtsig.compare_subsets, {"corpus": corpus(), "statistics": statistics(), "by": "length:2", "settings": QUICK},
    ),
    "design_test_set": lambda: (
        mtsig.design_test_set, {"statistics": statistics(), **PAIR, "difference": 2.0},
    ),
    "check_data": lambda: (mtsig.check_data, {"corpus": corpus()}),
    "interval": lambda: (mtsig.interval, {"statistics": statistics()}),
    "measure": lambda: (mtsig.measure, {"corpus": corpus(), "metric_or_name": "bleu"}),
    "metric": lambda: (mtsig.metric, {"choice": "bleu"}),
    "power_analysis": lambda: (mtsig.power_analysis, {"statistics": statistics(), **PAIR, "difference": 2.0}),
    "ranks": lambda: (mtsig.ranks, {"family": family()}),
    "read": lambda: (mtsig.read, {"path": "nofile"}),
    "read_files": lambda: (mtsig.read_files, {"references": "out.txt", "systems": "out.txt"}),
    "read_sample": lambda: (mtsig.read_sample, {}),
    "read_study": lambda: (mtsig.read_study, {"path": "nofile"}),
    "reproduce": lambda: (mtsig.reproduce, {"study": study(), "data": corpus()}),
    "select_subset": lambda: (mtsig.select_subset, {"corpus": corpus(), "wanted": [("length:2", ["short"])]}),
    "verdict": lambda: (mtsig.verdict, {"comparison": family()[0]}),
    "watching": lambda: (lambda show: mtsig.watching(show).__enter__(), {"show": None}),
}  # fmt: skip
"""Every public name, and what it takes: one argument at a time is replaced by one of another kind."""

NO_VERBS = {
    "InvalidOption": "it is raised",
    "MtsigError": "it is raised, and its subclasses",
    "NotApplicable": "it is raised",
}
"""Public names that take nothing from users; packages have contracts of their own."""

NAMES_WHAT_IT_FOUND = re.compile(
    r"found|nofile|called 'A'|missing: |is one file|(?:omit|leave) \w+|segments?, but|higher_is_better="
    r"|Name the \d rows|One Series|Give (data|metrics|a diff)"
)
"""Of the right kind, names are quoted, lengths are counted, and what is missing is asked for."""

TAKEN = {
    "None": "size_curve: ablation; size_curve: executor; size_curve: pair; audit: settings; compare: baseline; "
    "compare: documents; compare: higher_is_better; compare: margin; compare: metrics; compare: pairs; "
    "compare: domains; compare: ratings; "
    "compare: references; "
    "compare: settings; compare: sources; compare: systems; compare: averaging; compare: by; compare: name; "
    "measure: metric_or_name; audit: alternative; audit: correction; audit: interval; audit: level; "
    "audit: n_resamples; audit: test; audit: unit; compare: alternative; compare: correction; compare: "
    "interval; compare: level; compare: n_resamples; compare: test; compare: unit; compare_runs: runs; "
    "compare_subsets: settings; compare: ignore; compare: score; compare: system; "
    "Corpus.of: documents; Corpus.of: domains; Corpus.of: original_languages; Corpus.of: ratings; "
    "Corpus.of: references; Corpus.of: sources; check_data: checks; interval: drawn; interval: scheme; "
    "measure: documents; measure: domains; measure: executor; measure: higher_is_better; measure: ignore; "
    "measure: name; measure: ratings; measure: references; measure: score; measure: sources; measure: system; "
    "measure: systems; ranks: share; Rating: rater_scores; read_files: documents; read_files: source; "
    "Rating: samples; "
    "Study.plot: metric; audit: higher_is_better; power_analysis: higher_is_better",
    "bool": "audit: every_unit; compare: joined; Corpus: of_benchmark; Rating: higher_is_better; "
    "read_sample: every_reference",
    "str": "Rating: direction_source; Study.report: path; Study.save: path",
    "str, None": "Corpus: subset; Rating: rater",
    "int": "compare_runs: seed; design_test_set: systems; power_analysis: comparisons; Settings: seed",
    "int, None": "design_test_set: comparisons; audit: seed; compare: seed",
    "int, float": "design_test_set: difference; power_analysis: difference",
    "int, float, None": "design_test_set: length; design_test_set: price_document; design_test_set: price_segment; "
    "power_analysis: margin",
    "array": "Rating: values",
    "strings, pairs": "Corpus: notes",
    "dict, dict of lists": "Corpus: annotations; Corpus: system_scores",
    "strings, dict, dict of lists": "metric: ratings",
    "Corpus": "compare_subsets: corpus; check_data: corpus; measure: corpus; reproduce: data; select_subset: corpus",
    "Statistics": "size_curve: statistics; compare_subsets: statistics; design_test_set: statistics; "
    "interval: statistics",
    "Corpus, Statistics": "audit: statistics; compare: data; power_analysis: statistics",
    "Study": "reproduce: study",
    "None, a type": "watching: show",
}
"""The kinds that are right, as they are given here, and for which arguments; for all others none is.

A type can be called, and so can what shows progress; dicts give their keys where names are asked for.
"""

RIGHT = {argument: kinds.split(", ") for kinds, arguments in TAKEN.items() for argument in arguments.split("; ")}

PARAMETERS = sorted(
    (name, parameter.name)
    for name, made in GIVEN.items()
    for parameter in inspect.signature(made()[0]).parameters.values()
    if parameter.kind is not parameter.VAR_KEYWORD
)


def test_every_public_name_is_here() -> None:
    assert set(RIGHT) <= {f"{name}: {parameter}" for name, parameter in PARAMETERS}
    public = {name for name in mtsig.__all__ if not inspect.ismodule(getattr(mtsig, name))}
    assert {name.partition(".")[0] for name in GIVEN} | set(NO_VERBS) == public


def _said(ask: Callable[[], object]) -> str | None:
    """Return what an error says that was raised on purpose; None where there is none."""
    try:
        ask()
    except MtsigError as error:
        return str(error)
    return None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("argument", PARAMETERS, ids=": ".join)
def test_an_argument_of_another_kind_gets_one_sentence(
    argument: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out.txt").write_text("one line\n")
    name, parameter = argument
    verb, given = GIVEN[name]()
    taken = set()
    for kind, make in KINDS.items():
        thing = make()
        said = _said(lambda thing=thing: verb(**{**given, parameter: thing}))
        if said is None:
            taken.add(kind)
        else:
            assert said.endswith((".", "?")), (kind, said)
            # Two files that are not there are two lines.
            assert "\n" not in said or kind == "strings", (kind, said)
            assert NAMES_WHAT_IT_FOUND.search(said), (kind, said)
            # A string is one thing: none of its letters is looked for.
            assert not re.search(r"\bn: |'n'", said), (kind, said)
    assert taken == set(RIGHT.get(f"{name}: {parameter}", ()))
