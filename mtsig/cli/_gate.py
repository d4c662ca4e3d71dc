"""`mtsig gate`: may the candidate take the baseline's place? The exit code says it."""

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path

from mtsig._writing import write_file
from mtsig.cli._arguments import add_input, add_metric, chosen_margin, chosen_options, flag_of
from mtsig.cli._output import Held, data_text, give_up, progress, say, say_data, say_json, tell
from mtsig.cli._reading import read_input
from mtsig.cli._several import (
    add_set_input,
    chosen_weights,
    kind_of,
    named_sets,
    own_metrics,
    refuse_without_sets,
)
from mtsig.collection import Sets
from mtsig.corpus import Corpus, inspect
from mtsig.errors import InvalidOption, ReadError
from mtsig.gate import RULES, GateResult, judge
from mtsig.inference import Settings
from mtsig.metrics import Metric, default_metrics
from mtsig.options import options
from mtsig.report._gate import (
    gate_annotations,
    gate_bundle,
    gate_facts,
    gate_junit,
    gate_markdown,
    gate_table,
    gate_texts,
)
from mtsig.study import AnalysisPlan, read_plan
from mtsig.study._request import OverSetsRequest
from mtsig.study._run import requested_of

_WRITTEN: Mapping[str, Callable[[GateResult], str]] = {
    ".md": gate_markdown,
    ".xml": gate_junit,
    ".json": lambda result: data_text("json", gate_bundle(result), "checks"),
}
"""What is written into a file, by the end of its name."""

SUMMARY = "GITHUB_STEP_SUMMARY"
"""The variable in which GitHub names the file of a step's summary."""


def add_gate(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    add_set_input(parser)
    add_metric(parser, ("table", "markdown", "github", "junit", "json"))
    codes = "exit code: 0 pass, 1 regression, 2 bad input, 3 inconclusive, 70 a fault of mtsig itself"
    group = parser.add_argument_group("gate", codes)
    group.add_argument("--baseline", required=True, metavar="SYSTEM", help="the system that is in use")
    group.add_argument("--candidate", required=True, metavar="SYSTEM", help="the system that may take its place")
    group.add_argument(
        "--margin",
        nargs="+",
        metavar="[METRIC=]POINTS",
        help="how many points worse the candidate may be, for all metrics or for each by its name; without one the "
        "question is whether it is significantly worse",
    )
    plan = "take metrics, settings and margins (non_inferiority) from this analysis plan; other margins are exploratory"
    group.add_argument("--plan", dest="analysis_plan", metavar="FILE", help=plan)
    ledger = (
        "look through this ledger of earlier looks, which decides the error rate of this one; made where there is none"
    )
    group.add_argument("--ledger", metavar="FILE", help=ledger)
    rules = "; ".join(f"{rule.name}: {rule.holds} is at most what the level leaves" for rule in RULES.values())
    group.add_argument(
        "--rule", choices=tuple(RULES), help=f"how a new ledger spends its error rate (default: spend). {rules}"
    )
    group.add_argument(
        "--one-more-document",
        action="store_true",
        help="pass a margin only where it holds even with one more document like the heaviest, against the candidate",
    )
    written = "also write these files, each by the end of its name: .md Markdown, .xml JUnit, .json"
    group.add_argument("--write", nargs="+", default=[], metavar="FILE", help=written)


def run_gate(chosen: argparse.Namespace) -> int:
    writers = [(Path(name), _writer(name)) for name in chosen.write]
    plan = None if chosen.analysis_plan is None else _plan(chosen)
    data = _data(chosen)
    corpora = {"": data} if isinstance(data, Corpus) else data
    notes = [(name, note) for name, corpus in corpora.items() for note in inspect(corpus)]
    tell(*dict.fromkeys(f"{note.level}: {name}{': ' if name else ''}{note.text}" for name, note in notes))
    names = _metrics(chosen, plan, next(iter(corpora.values())))
    over = None if plan is None else _fixed(plan, data)
    files: dict[Path, bytes] = {}
    appended: dict[Path, str] = {}
    printed = Held(sys.stdout)

    def render(result: GateResult) -> None:
        files.update((path, write(result).encode("utf-8", "backslashreplace")) for path, write in writers)
        if chosen.format == "github" and (summary := os.environ.get(SUMMARY)):
            appended[Path(summary)] = gate_markdown(result)
        with redirect_stdout(printed):
            _show(chosen.format, result)

    with progress("Judging"):
        result = judge(
            data,
            chosen.baseline,
            chosen.candidate,
            names,
            chosen_margin(chosen),
            settings=None if plan is not None else chosen_options(Settings, chosen),
            plan=plan,
            own=_own(chosen, plan, names),
            weights=chosen_weights(chosen) if over is None else over.weights,
            sharing=(chosen.units or "shared") if over is None else over.units,
            ledger=chosen.ledger,
            rule=chosen.rule,
            one_more_document=chosen.one_more_document,
            before=render,
        )
    # Only now that its look is written is a result seen; asked again, it costs nothing.
    tell(*(f"{note.level}: {note.text}" for note in result.notes))
    for path, content in files.items():
        write_file(path, content)
    try:
        sys.stdout.write(printed.getvalue())
        sys.stdout.flush()
    except BrokenPipeError:  # the outcome stands, whoever reads of it
        give_up(sys.stdout)
    for path, text in appended.items():
        _append(path, text)
    return result.exit_code


def _show(style: str, result: GateResult) -> None:
    if style == "json":
        say_json(_WRITTEN[".json"](result))
    elif style == "markdown":
        say_data(gate_markdown(result))
    elif style == "junit":
        say_data(gate_junit(result))
    elif style == "github":
        say_data(gate_annotations(result))
    else:
        from mtsig.cli._output import print_tables

        print_tables([gate_table(result)])
        say(*gate_texts(result)[1:], "", *(f"{name}: {value}" for name, value in gate_facts(result)))


def _append(path: Path, text: str) -> None:
    try:
        with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError as error:
        raise ReadError(f"{path}: cannot be written ({error.strerror or error}).") from None


def _writer(name: str) -> Callable[[GateResult], str]:
    try:
        return _WRITTEN[Path(name).suffix.lower()]
    except KeyError:
        raise InvalidOption(f"--write takes files that end in {', '.join(_WRITTEN)}; found {name}.") from None


def _data(chosen: argparse.Namespace) -> Corpus | Sets:
    if chosen.set is not None:
        return named_sets(chosen)
    refuse_without_sets(chosen)
    if chosen.systems:
        raise InvalidOption("A gate reads --baseline and --candidate; leave out --systems.")
    chosen.systems = [chosen.baseline, chosen.candidate]
    return read_input(chosen)


def _plan(chosen: argparse.Namespace) -> AnalysisPlan:
    given = [name for name in ("metric", "margin", "for", "weights", "units") if getattr(chosen, name)]
    given += [option.name for option in options(Settings) if getattr(chosen, option.name, None) is not None]
    if given:
        raise InvalidOption(f"The analysis plan fixes {flag_of(given[0])}; leave it out, or leave out --plan.")
    return read_plan(chosen.analysis_plan)


def _fixed(plan: AnalysisPlan, data: Corpus | Sets) -> OverSetsRequest | None:
    """Return how a plan takes several test sets together; None where it fixes none.

    Only a plan without sets can have margins, and then it is of whatever sets the gate is given.

    Raises:
        InvalidOption: other sets are given than the plan fixes.
    """
    if plan.request.sets is None:
        return None
    if isinstance(data, Sets):
        return requested_of(data, None, plan).sets
    raise InvalidOption("The analysis plan is of several test sets: give them with --set.")


def _own(
    chosen: argparse.Namespace, plan: AnalysisPlan | None, names: Sequence[str]
) -> dict[str, dict[str, str | Metric]]:
    """Return what the metrics are in sets where they have options of their own."""
    if plan is None:
        own = own_metrics(chosen, names)
        return {name: dict(own[kind_of(name)]) for name in names}
    of_sets = {} if plan.request.sets is None else {name: plan.request.of_set(name) for name in plan.request.sets.own}
    return {name: {of: metrics[number] for of, metrics in of_sets.items()} for number, name in enumerate(names)}


def _metrics(chosen: argparse.Namespace, plan: AnalysisPlan | None, corpus: Corpus) -> list[str]:
    if plan is not None:
        return [choice or "" for choice in plan.request.choices]
    return chosen.metric or default_metrics(corpus)
