"""`mtsig gate`: may the candidate take the baseline's place? The exit code says it."""

import argparse
import os
import sys
from contextlib import redirect_stdout
from pathlib import Path

from mtsig._writing import file_at
from mtsig.cli import _arguments, _compare, _output, _reading
from mtsig.collection import Sets
from mtsig.corpus import Corpus
from mtsig.errors import InvalidOption
from mtsig.gate import GateResult, judge
from mtsig.metrics import default_metrics
from mtsig.report import _gate
from mtsig.study import AnalysisPlan, Request
from mtsig.study._run import requested_of

SUMMARY = "GITHUB_STEP_SUMMARY"
"""The variable in which GitHub names the file of a step's summary."""

NOT_FIXED = ("baseline", "one_more_document")
"""What a plan leaves to the gate."""


def run_gate(chosen: argparse.Namespace) -> int:
    plan = _compare.chosen_plan(chosen, NOT_FIXED)
    data = _data(chosen)
    _output.tell_notes(_reading.inspected(data))
    request, names = _request(chosen, plan, data)
    over = request.sets
    # Only a plan without sets can have margins, and then it is of whatever sets the gate is given.
    own = {} if over is None else {name: request.of_set(name) for name in over.own}
    files: dict[Path, bytes] = {}
    appended: dict[Path, str] = {}
    printed = _output.Held(sys.stdout)

    def render(result: GateResult) -> None:
        shown = _shown(result)
        files.update(_output.files_of(chosen.out, shown, chosen.verb))
        if chosen.format == "github" and (summary := os.environ.get(SUMMARY)):
            appended[Path(summary)] = _gate.gate_markdown(result)
        with redirect_stdout(printed):
            if chosen.format == "table" and getattr(chosen, "quiet", False):
                _output.say(_gate.gate_texts(result)[0])
            else:
                _output.print_result(chosen.format, shown)

    with _output.progress("Comparing"):
        result = judge(
            data,
            chosen.baseline,
            chosen.candidate,
            names,
            _arguments.chosen_margin(chosen),
            settings=None if plan is not None else request.settings,
            plan=plan,
            own={name: {of: metrics[number] for of, metrics in own.items()} for number, name in enumerate(names)},
            weights="equal" if over is None else over.weights,
            sharing="shared" if over is None else over.units,
            ledger=chosen.ledger,
            rule=chosen.rule,
            one_more_document=chosen.one_more_document,
            before=render,
        )
    # Only now that its look is written is a result seen; asked again, it costs nothing.
    _output.tell_notes(result.notes)
    _output.write_files(files)
    try:
        sys.stdout.write(printed.getvalue())
        sys.stdout.flush()
    except BrokenPipeError:  # the outcome stands, whoever reads of it
        _output.give_up(sys.stdout)
    for path, text in appended.items():
        with file_at(path, append=True) as file:
            file.write(text.encode("utf-8", "backslashreplace"))
    return result.exit_code


def _shown(result: GateResult) -> _output.Shown:
    """Return the result as it is shown in every format."""
    facts = (f"{name}: {value}" for name, value in _gate.gate_facts(result))
    return _output.Shown(
        _gate.gate_bundle(result),
        "checks",
        [_gate.gate_table(result)],
        sentences=[*_gate.gate_texts(result)[1:], "", *facts],
        own={
            **dict.fromkeys(("markdown", ".md"), lambda: _gate.gate_markdown(result)),
            **dict.fromkeys(("junit", ".xml"), lambda: _gate.gate_junit(result)),
            "github": lambda: _gate.gate_annotations(result),
        },
    )


def _data(chosen: argparse.Namespace) -> Corpus | Sets:
    if chosen.systems:
        raise InvalidOption("A gate compares --baseline and --candidate only. Omit --systems.")
    chosen.systems = [] if chosen.set else [chosen.baseline, chosen.candidate]
    return _reading.read_data(chosen)


def _request(chosen: argparse.Namespace, plan: AnalysisPlan | None, data: Corpus | Sets) -> tuple[Request, list[str]]:
    """Return what is asked, by the options or by a plan, and the metrics as they were written."""
    if plan is None:
        names = chosen.metric or default_metrics(next(iter(_reading.by_name(data).values())))
        settings, over = _arguments.chosen_settings(chosen), _compare.asked_over(chosen, data)
        return Request(tuple(_reading.chosen_metrics(chosen, data)), settings, sets=over), names
    if plan.request.sets is None:
        return plan.request, [choice or "" for choice in plan.request.choices]
    if isinstance(data, Corpus):
        raise InvalidOption("The analysis plan covers several test sets. Give them with --set.")
    request = requested_of(data, None, plan)
    return request, [choice or "" for choice in request.choices]
