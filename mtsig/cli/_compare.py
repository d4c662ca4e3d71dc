"""Scores, comparisons and counts, on one test set or several: the data and a request make a study, and it is shown.

`mtsig gate`: may the candidate take the baseline's place? The exit code says it.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import redirect_stdout
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mtsig._options import options
from mtsig._writing import as_input, file_at, refuse_inputs
from mtsig.cli import _arguments, _output, _reading
from mtsig.collection import Averaging, Sets, SetStatistics, score
from mtsig.collection._averages import weights_from
from mtsig.collection._families import notes_of
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import number_of, single_runs
from mtsig.errors import InvalidOption, UnknownName
from mtsig.gate import GateResult, judge
from mtsig.gate._judge import of_both
from mtsig.inference import JointStatements, Settings, _audit, _targets, joint_statements
from mtsig.inference._significance import SacrebleuBootstrap, SacrebleuRandomization
from mtsig.metrics import Metric, Statistics, default_metrics, labels_of
from mtsig.report import Table, _bundle, _diagnostics, _gate, _over_sets, _paper, _tables, score_table
from mtsig.report._families import families_text
from mtsig.study import AnalysisPlan, Request, Study, conduct, read_counts, read_plan, write_counts
from mtsig.study._counts import Counted
from mtsig.study._request import choice_of, margins_from
from mtsig.study._run import measured_over, refuse_many, requested_of

if TYPE_CHECKING:
    from mtsig.figures import Picture


# --- what is asked --------------------------------------------------------------------------------------------------


def asked(chosen: argparse.Namespace, data: Corpus | Sets | None) -> Request:
    """Return what the options ask of the data; without any, ratings have to be named so (rating:NAME)."""
    metrics, pairs = tuple(_reading.chosen_metrics(chosen, data)), chosen_pairs(chosen)
    return Request(
        metrics,
        _arguments.chosen_settings(chosen),
        pairs,
        chosen.correct_jointly,
        _margins(chosen, metrics, pairs),
        asked_over(chosen, data),
        chosen.by,
    )


def _margins(chosen: argparse.Namespace, metrics: Sequence[Metric], pairs: _targets.PairChoice) -> Any:
    margin = _arguments.chosen_margin(chosen)
    return margins_from(
        margin, metrics, pairs, both=chosen.equivalence, one_more_document=chosen.one_more_document
    )  # fmt: skip


def asked_over(chosen: argparse.Namespace, data: Corpus | Sets | None) -> Averaging | None:
    """Return how several test sets are taken together; None where there is one."""
    if isinstance(data, Corpus) or (data is None and not chosen.set):
        _arguments.refuse_without_sets(chosen)
        return None
    own: dict[str, tuple[str, ...]] = {}
    for of, written in getattr(chosen, "for", None) or ():
        own[of] = (*own.get(of, ()), written)
    given = {option.name: getattr(chosen, option.name, None) for option in options(Averaging)}
    given["units"] = chosen.sharing
    return Averaging(
        names=() if data is not None else tuple(dict.fromkeys(given.partition("=")[0] for given in chosen.set)),
        weights=weights_from(chosen.weights or ["equal"]),
        own=own,
        **{name: value for name, value in given.items() if value},
    )


def chosen_pairs(chosen: argparse.Namespace) -> _targets.PairChoice:
    """Return the pairs that the options name."""
    if not chosen.pair:
        return str(chosen.baseline or "all")
    if chosen.baseline is not None:
        raise InvalidOption("Give either --baseline SYSTEM or --pair FIRST SECOND, not both.")
    return [(first, second) for first, second in chosen.pair]


FIXED = (
    "metric", "baseline", "pair", "correct_jointly", "by", "method", *_arguments.OPTIONS["margins"],
    *_arguments.OPTIONS["averages"], *_arguments.OPTIONS["families"],
)  # fmt: skip
"""Options that a plan fixes, next to the settings."""


def chosen_plan(chosen: argparse.Namespace, but: Sequence[str] = ()) -> AnalysisPlan | None:
    """Return the analysis plan that is named, if any."""
    if chosen.plan is None:
        return None
    names = [name for name in (*FIXED, *(option.name for option in options(Settings))) if name not in but]
    for name in _arguments.given(chosen, names):
        raise InvalidOption(f"The analysis plan fixes {_arguments.flag_of(name)}. Omit that option, or omit --plan.")
    return read_plan(chosen.plan)


def measured(
    data: Corpus | Sets, request: Request, executor: Executor | None = None
) -> list[Statistics] | list[SetStatistics]:
    """Return what every metric of the request counts on the data."""
    if isinstance(data, Corpus):
        return _reading.measured(data, [metric.on(data) for metric in request.metrics], executor)
    counted = []
    for number, metric in enumerate(request.metrics):
        with _output.progress(f"Counting {metric.name}"):
            counted.append(measured_over(data, request, number, executor))
    return counted


# --- the verbs ------------------------------------------------------------------------------------------------------


def run_score(chosen: argparse.Namespace) -> int:
    data = _reading.read_data(chosen)
    settings = _arguments.chosen_settings(chosen)
    request = Request(tuple(_reading.chosen_metrics(chosen, data)), settings, sets=asked_over(chosen, data))
    counted = list(zip(measured(data, request), labels_of(request.metrics), strict=True))
    systems = [name for corpus in _reading.by_name(data).values() for name in corpus.systems]
    with _output.progress("Resampling"):
        alone = [settings.intervals(of).changed(metric=label) for of, label in counted if isinstance(of, Statistics)]
        weights = "equal" if request.sets is None else request.sets.weights
        over = [
            score(of, settings, weights=weights).called(label) for of, label in counted if isinstance(of, SetStatistics)
        ]
    of_scores = (scored.notes for scored in alone or over)
    _output.tell_notes(_reading.inspected(data), single_runs(dict.fromkeys(systems)), *of_scores)
    if isinstance(data, Corpus):
        bundle, tables = partial(_bundle.score_bundle, data, settings, alone), list(map(score_table, alone))
    else:
        bundle = partial(_bundle.scores_over_sets_bundle, data, settings, over)
        tables = list(map(_paper.scores_over_sets_table, over))
    _output.show(chosen, _output.Shown(bundle, "systems", tables))
    return 0


def run_compare(chosen: argparse.Namespace) -> int:
    plan = None if chosen.counts else chosen_plan(chosen)
    data: Corpus | Sets | None
    if chosen.counts is not None:
        data, request, statistics, notes = _of_counts(chosen)
    else:
        given = _reading.read_data(chosen)
        request = asked(chosen, given) if plan is None else plan.request
        if isinstance(given, Sets):
            request = requested_of(given, None if plan else request, plan)
        refuse_many(given, request)
        with _arguments.workers(chosen) as executor:
            statistics = measured(given, request, executor)
        data = given
        # What readers noted of other files is no part of a study.
        of_files = {
            name: [note for note in corpus.notes if note.about == "files"]
            for name, corpus in _reading.by_name(given).items()
        }
        notes = notes_of(of_files)
    if chosen.compat == "mtme":
        raise InvalidOption("--compat mtme compares metrics with ratings. Use it with mtsig meta-eval.")
    if chosen.compat in ("arena", "mt-bench"):
        raise InvalidOption(f"--compat {chosen.compat} needs judgements of pairs. Use it with mtsig preferences.")
    if chosen.statement is not None and (request.by or isinstance(data, Sets)):
        raise InvalidOption("--statement combines metrics on one whole test set, so it cannot be used here.")
    with _output.progress("Comparing"):
        study = conduct(data, None if plan else request, plan, statistics)
    _output.tell_notes(notes, study.all_notes, _status(study, request.settings), _families(study))
    tables, sentences = _paper.terminal_tables(study, chosen.ci), sentences_of(study)
    of_study = len(tables)
    more: dict[str, Any] = {"sentences": sentences} if sentences else {}
    if not study.several:
        tables += _printed(study, [one for one in statistics if isinstance(one, Statistics)])
    pictures: Callable[[], dict[str, Picture]] = dict
    if chosen.compat is not None:
        from mtsig.cli import _campaign  # here and below, because no other comparison needs it
        from mtsig.report._campaign import official_table

        ranked = _campaign.official(chosen.compat, chosen.without_raters, data, study)
        more["official"] = _campaign.official_rows(ranked)
        tables += map(official_table, ranked.values())
        pictures = partial(_campaign.official_pictures, ranked)
    elif chosen.without_raters:
        raise InvalidOption("--without-raters removes raters from the ranks of --compat. Give both options.")
    rows = list(map(_bundle.plain, study.rows()))
    if chosen.statement is not None:
        statements = joint_statements([result.compared for result in study.results], chosen.statement)
        tables.append(_tables.statement_table(statements))
        more["statements"] = list(map(_bundle.plain, statements.rows()))
    in_paper = [*_paper.printed_tables(study)[0], *tables[of_study:]]
    own = {".json": study.text, ".tex": lambda: _output.latex_text(in_paper)}
    leads = _paper.leads(study)
    shown = _output.Shown(
        lambda: {**study.plain(), **more}, rows, tables, (), leads, sentences, pictures, own, cut=study.several
    )
    _output.show(chosen, shown, "study")
    if chosen.statement is not None:
        part = shown.plain["sets"][0]
        alone = {**_bundle.HEAD, "settings": part["settings"], "data": part["data"], "statements": more["statements"]}
        shown = _output.Shown(lambda: alone, "statements", tables[-1:], pictures=lambda: _pictures(statements))
        _output.write(chosen, [place for place in chosen.out if not Path(place).suffix], shown, "statements")
    return 0


def _pictures(statements: JointStatements) -> "dict[str, Picture]":
    from mtsig.figures import ParallelIntervals

    return {"intervals": ParallelIntervals.of(statements)}


def _of_counts(
    chosen: argparse.Namespace,
) -> tuple[Sets | None, Request, list[Statistics] | list[SetStatistics], Sequence[Note]]:
    """Return what --counts names, of the systems and metrics that are asked for, and what is asked of it."""
    needs_text = [name for name in (*_arguments.OPTIONS["input"], *_arguments.OPTIONS["sets"]) if name != "systems"]
    _arguments.refuse_given(chosen, "--counts", [*needs_text, "for", "by", "plan"], "that needs text.")
    _arguments.refuse_given(chosen, "--counts", ("workers", "no_cache"), "the counts are already in the file.")
    counts = read_counts(chosen.counts)
    of = {name: _asked_of(part, chosen.metric, chosen.systems) for name, part in counts.of.items()}
    first, pairs = next(iter(of.values())).statistics, chosen_pairs(chosen)
    metrics = tuple(statistics.metric for statistics in first)
    request = Request(
        metrics, _arguments.chosen_settings(chosen), pairs, chosen.correct_jointly, _margins(chosen, metrics, pairs)
    )
    if len(of) == 1:
        _arguments.refuse_without_sets(chosen)
        # The study says the size itself, with what follows from it.
        return None, request, list(first), [note for note in counts.notes if note.about not in ("size", "documents")]
    sets = Sets({name: part.corpus for name, part in of.items()})
    by_metric = zip(*(part.statistics for part in of.values()), strict=True)
    many = [SetStatistics(sets, dict(zip(of, each, strict=True)), chosen.sharing or "shared") for each in by_metric]
    return sets, replace(request, sets=asked_over(chosen, sets)), many, counts.notes


def _asked_of(counted: Counted, names: Sequence[str], systems: Sequence[str]) -> Counted:
    known = {name.lower(): part for part in counted.statistics for name in (part.metric.name, *_choices(part))}
    for name in names:
        if name.lower() not in known:
            there = ", ".join(part.metric.name for part in counted.statistics)
            raise UnknownName(f"The file of counts has no metric {name!r}. It has: {there}.")
    many = tuple(known[name.lower()] for name in names) or counted.statistics
    return replace(counted, statistics=tuple(part.select(systems) for part in many) if systems else many)


def _choices(statistics: Statistics) -> list[str]:
    choices = (choice_of(statistics.metric), choice_of(statistics.metric.counted))
    return [choice for choice in choices if choice is not None]


def _status(study: Study, settings: Settings) -> list[Note]:
    if study.plan is not None:
        return [Note("note", f"Planned: these results follow the analysis plan ({study.plan.digest}).")]
    if settings.alternative == "two-sided":
        return []
    text = "One-sided without an analysis plan: the direction was perhaps chosen afterwards, so this is exploratory."
    return [Note("warning", text)]


def _families(study: Study) -> list[Note]:
    """Say what several metrics add up to that are each corrected by itself."""
    said = "" if study.several else families_text([result.compared for result in study.results])
    return [Note("note", f"{said} (--correct-jointly corrects for all of them together)")] if said else []


def sentences_of(study: Study) -> list[str]:
    """Return what the sets say of every average, metric by metric; nothing where the study is of one set."""
    numbered = [(result.compared, i) for result in study.over for i in range(len(result.compared.averages or ()))]
    return [text for family, i in numbered for text in _over_sets.over_sets_texts(family, i)]


def _printed(study: Study, statistics: Sequence[Statistics]) -> list[Table]:
    """Return the tables of sacreBLEU where its tests were asked for; its baseline is the first system, or ours."""
    pairs = study.request.pairs
    return [
        _diagnostics.printed_table(
            _audit.all_as_sacrebleu(
                counts, str(pairs) if pairs in counts.systems else counts.systems[0], family.test.name
            ),
            family.metric,
        )
        for counts, family in zip(statistics, (result.compared for result in study.results), strict=True)
        if isinstance(family.test, SacrebleuBootstrap | SacrebleuRandomization)
    ]


ALONE = "all"
"""What a set is called in a file of counts that is read without a name."""


def run_count(chosen: argparse.Namespace) -> int:
    data = _reading.read_data(chosen)
    request = Request(
        tuple(_reading.chosen_metrics(chosen, data)), sets=None if isinstance(data, Corpus) else Averaging()
    )
    with _arguments.workers(chosen) as executor:
        counted = measured(data, request, executor)
    by_set = {
        name: [each.of[name] if isinstance(each, SetStatistics) else each for each in counted]
        for name in _reading.by_name(data)
    }
    of_counts = (statistics.notes for own in by_set.values() for statistics in own)
    _output.tell_notes(_reading.inspected(data), data.notes if isinstance(data, Sets) else (), *of_counts)
    (place,) = chosen.out[-1:]
    write_counts(
        place, {name or ALONE: (corpus, by_set[name]) for name, corpus in _reading.by_name(data).items()}, chosen.rows
    )
    metrics = next(iter(by_set.values()))
    _output.say(*(f"{statistics.metric.name}: {statistics.signature}" for statistics in metrics))
    systems = dict.fromkeys(system for own in by_set.values() for statistics in own for system in statistics.systems)
    sets = "" if len(by_set) == 1 else f"{number_of(len(by_set), 'test set')}, "
    _output.say(f"{place}: {sets}{number_of(len(systems), 'system')}, {number_of(len(metrics), 'metric')}")
    return 0


NOT_FIXED = ("baseline", "one_more_document")
"""What a plan leaves to the gate."""


def run_gate(chosen: argparse.Namespace) -> int:
    if chosen.ledger is not None:
        as_input(Path(chosen.ledger))
    plan = chosen_plan(chosen, NOT_FIXED)
    data = _data(chosen)
    request, names = _request(chosen, plan, data)
    over = request.sets
    # Only a plan without sets can have margins, and then it is of whatever sets the gate is given.
    own = {} if over is None else {name: request.of_set(name) for name in over.own}
    files: dict[Path, bytes] = {}
    appended: dict[Path, str] = {}
    printed = _output.Held(sys.stdout)

    def inspected() -> Sequence[Note]:
        # Of a single set, no other system was read.
        both = (chosen.baseline, chosen.candidate)
        return _reading.inspected(data if isinstance(data, Corpus) else of_both(data, both))

    def render(result: GateResult) -> None:
        result = replace(result, notes=_output.in_order(inspected(), result.notes))
        shown = _shown(result)
        files.update(_output.files_of(chosen.out, shown, chosen.verb))
        if chosen.format == "github" and (summary := os.environ.get(_output.SUMMARY)):
            appended[Path(summary)] = _gate.gate_markdown(result)
        refuse_inputs(files | dict.fromkeys(appended, b""))
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
    _output.tell_notes(inspected(), result.notes)
    _output.write_files(files)
    for path, text in appended.items():
        with file_at(path, append=True) as file:
            file.write(text.encode("utf-8", "backslashreplace"))
    try:
        sys.stdout.write(printed.getvalue())
        sys.stdout.flush()
    except BrokenPipeError:  # the outcome stands, whoever reads of it
        _output.give_up(sys.stdout)
    return result.exit_code


def _shown(result: GateResult) -> _output.Shown:
    """Return the result as it is shown in every format."""
    facts = (f"{name}: {value}" for name, value in _gate.gate_facts(result))
    return _output.Shown(
        partial(_gate.gate_bundle, result),
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
        settings, over = _arguments.chosen_settings(chosen), asked_over(chosen, data)
        return Request(tuple(_reading.chosen_metrics(chosen, data)), settings, sets=over), names
    if plan.request.sets is None:
        return plan.request, [choice or "" for choice in plan.request.choices]
    if isinstance(data, Corpus):
        raise InvalidOption("The analysis plan covers several test sets. Give them with --set.")
    request = requested_of(data, None, plan)
    return request, [choice or "" for choice in request.choices]
