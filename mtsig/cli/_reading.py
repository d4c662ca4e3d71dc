"""Reading the data that options name, and the verbs that look at files, metrics and downloads without comparing."""

import argparse
import shlex
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from mtsig._downloads import Download, fetch, find_download, models, public_sets, size_of
from mtsig._limits import limits
from mtsig._memory import checked_folder as checked_folder  # shown by the face, for pages that keep files
from mtsig._memory import claim as claim
from mtsig._options import Option, options
from mtsig._writing import left_alone, refuse_inputs, write_file
from mtsig.cli import _arguments, _output
from mtsig.collection import Sets, read_sets
from mtsig.collection._families import notes_of
from mtsig.corpus import Corpus, Note, inspect
from mtsig.corpus._notes import counted_names, joint_ratings, listed, runs_by_name
from mtsig.corpus._slices import only, slices_of
from mtsig.errors import AlignmentError, InvalidOption, MtsigError, NotApplicable, ReadError
from mtsig.metrics import METRICS, Metric, Statistics, default_metrics, measure, metric
from mtsig.readers import File, Part, _assemble, _conllu, _parts, _rates, _rating_files, _read, assemble
from mtsig.readers._records import asking
from mtsig.readers._sheet import is_of_preferences
from mtsig.report import Table, _bundle, _raters


def read_data(chosen: argparse.Namespace) -> Corpus | Sets:
    """Return the test set that the options name, or the several ones of --set."""
    if not getattr(chosen, "set", None):
        if getattr(chosen, "macro", None) is None:
            _arguments.refuse_without_sets(chosen)
            return read_input(chosen)
        corpus = read_input(chosen)
        parts = {part.asked_by: np.flatnonzero(part.inside) for part in slices_of(corpus, chosen.macro)}
        single = {name: "a single segment" for name, own in parts.items() if len(own) < 2}
        if single and not getattr(chosen, "skip_broken", False):
            said = counted_names("part", single)
            raise NotApplicable(f"{said} with a single segment: omit such parts with --skip-broken.")
        return Sets({name: corpus.take(own) for name, own in parts.items() if name not in single}, single)
    _arguments.refuse_given(chosen, "--set", [*_arguments.OPTIONS["input"], "macro"], "{flag} is for one test set.")
    called: dict[str, dict[str, str]] = {}
    for system, name, own in getattr(chosen, "called", ()):
        called.setdefault(system, {})[name] = own
    with _output.progress("Reading"):
        skip = getattr(chosen, "skip_broken", False)
        return read_sets(chosen.set, only=getattr(chosen, "only_sets", ()), skip_broken=skip, called=called)


def by_name(data: Corpus | Sets) -> dict[str, Corpus]:
    """Return the test sets by their names; one that is alone has none."""
    return {"": data} if isinstance(data, Corpus) else dict(data)


def inspected(data: Corpus | Sets) -> list[Note]:
    """Return what to know of the data, each note with the names of its test sets where it is not on all."""
    return [*notes_of({name: inspect(corpus) for name, corpus in by_name(data).items()})]


def chosen_metrics(chosen: argparse.Namespace, data: Corpus | Sets | None) -> list[Metric]:
    """Return the metrics that were named; without any BLEU, or the ratings where there is no text to score."""
    first = None if data is None else next(iter(by_name(data).values()))
    names = chosen.metric or (["bleu"] if first is None else default_metrics(first))
    ratings = () if first is None else tuple(first.ratings)
    metrics = [metric(name, ratings) for name in names]
    if isinstance(data, Corpus):
        metrics = [metric.on(data) for metric in metrics]
    counted = [metric.counted for metric in metrics]
    for counting, name in zip(counted, names, strict=True):
        if counted.count(counting) > 1:
            raise InvalidOption(f"The metric {name} is named twice.")
    return metrics


def rating_name(name: str | None, corpus: Corpus, more: Sequence[str] = ()) -> str:
    """Return the rating that --human names, or the only one; those of single raters are none next to it.

    more: what else it may name.
    """
    there = joint_ratings(corpus.ratings)
    if not (there or more):
        raise InvalidOption("This needs human ratings, and the data have none. Give a file of them with --ratings.")
    if name is None and len(there) != 1:
        known = ", ".join((*there, *more))
        raise InvalidOption(f"This needs one human rating. Name it with --human; known ratings: {known}.")
    return there[0] if name is None else name.removeprefix("rating:")


def one_metric(chosen: argparse.Namespace, otherwise: str = "bleu") -> str:
    """Return the name of the metric, where one is looked at a time."""
    if len(chosen.metric or ()) > 1:
        raise InvalidOption("This command uses one metric. Name it with --metric.")
    return str((chosen.metric or [otherwise])[0])


def measured(corpus: Corpus, metrics: Sequence[Metric], executor: Executor | None = None) -> list[Statistics]:
    """Return the statistics of every metric, counted under a progress bar, by the executor where there is one."""
    counted = []
    for each in metrics:
        with _output.progress(f"Counting {each.name}"):
            counted.append(measure(corpus, each, executor=executor))
    return counted


def read_input(chosen: argparse.Namespace) -> Corpus:
    """Return the test set that the options name."""
    with _output.progress("Reading"):
        return _assembled(chosen, read_parts(chosen))


def _assembled(chosen: argparse.Namespace, parts: Sequence[Part]) -> Corpus:
    """Return the test set that the parts make, of the systems, references and segments that were chosen."""
    parts = _sampled(chosen, _complete(chosen, parts))
    try:
        corpus = _chosen_of(chosen, parts)
    except MtsigError:
        # What is not asked for need not be in order.
        left_out = [part for part in parts if _is_left_out(part, chosen, parts)]
        known = {(part.role, part.name) for part in parts}
        asked = [("system", name) for name in chosen.systems]
        asked += [("reference", name) for name in chosen.references]
        if not left_out or not set(asked) <= known:
            raise
        corpus = _beside(_chosen_of(chosen, [part for part in parts if part not in left_out]), left_out)
    return only(corpus, chosen.subset) if chosen.subset else corpus


def _chosen_of(chosen: argparse.Namespace, parts: Sequence[Part]) -> Corpus:
    return assemble(parts).select(chosen.systems or None, chosen.references or None)


def _sampled(chosen: argparse.Namespace, parts: Sequence[Part]) -> Sequence[Part]:
    """Return the parts with the outputs that are samples called so."""
    if chosen.as_samples is None:
        return parts
    named = dict(chosen.as_samples)
    if not named:
        grouped = runs_by_name([part.name for part in parts if part.role == "system"])
        named = {system: own for system, own in grouped.items() if len(own) > 1}
        if not named:
            raise InvalidOption("--as-samples found no outputs like X.run1 and X.run2. Name them, as in ours=a,b.")
    return _assemble.as_samples(parts, named)


def _complete(chosen: argparse.Namespace, parts: Sequence[Part]) -> list[Part]:
    """Return the parts of the chosen language pair."""
    kept = list(parts)
    if chosen.data and not chosen.sys:
        kept = _read.with_system(chosen.data[0], kept)
    return _assemble.of_pair(kept, chosen.lp) if chosen.lp else kept


def _beside(corpus: Corpus, left_out: Sequence[Part]) -> Corpus:
    """Return the corpus with the outputs beside it that were left out and are in order."""
    outputs = {
        part.name: tuple(line or "" for line in part.lines)
        for part in left_out
        if part.role == "system" and not part.problem and part.lines is not None and len(part.lines) == len(corpus)
    }
    return replace(corpus, beside={**corpus.beside, **outputs})


def parts_from(arguments: Sequence[str]) -> list[Part]:
    """Return the parts that arguments such as ["--data", "FOLDER"] name; what --systems leaves out is ignored.

    They may be preferences alone.
    """
    parser = _arguments.Parser()
    _arguments.add_options(parser, ["+input"])
    chosen = parser.parse_args(arguments)
    found = read_parts(chosen)
    alone = is_of_preferences_alone(found)
    parts = [_of_systems(part, chosen.systems) for part in (found if alone else _complete(chosen, found))]
    return [part.with_role("ignored") if _is_left_out(part, chosen, parts) else part for part in parts]


def is_of_preferences_alone(parts: Sequence[Part]) -> bool:
    """Return whether parts hold preferences, and no test set."""
    played = any(part.role in {"system", "ratings"} for part in parts)
    return not played and any(is_of_preferences(part.form) for part in parts)


def _of_systems(part: Part, systems: Sequence[str] | None) -> Part:
    """Return a rating with the scores of these systems only; ignored when it has none of them."""
    if part.role != "ratings" or part.scored is None or not systems:
        return part
    scored = _rates.scores_of(part.scored, systems)
    return part.with_role("ignored") if scored is None else replace(part, scored=scored)


def _is_left_out(part: Part, chosen: argparse.Namespace, parts: Sequence[Part]) -> bool:
    """Return whether --systems or --references name others than this part, or than the text that it is a parse of."""
    kept: dict[str, Sequence[str] | None] = {"system": chosen.systems, "reference": chosen.references}
    if part.role == "parses":
        texts = {part.name for part in parts if part.role in kept and not _is_left_out(part, chosen, ())}
        return part.name not in texts and bool(chosen.systems or chosen.references)
    names = kept.get(part.role)
    return bool(names) and part.name not in (names or ())


def read_parts(chosen: argparse.Namespace) -> list[Part]:
    """Return every part that the options name; of other language pairs than a chosen one hardly more than the names."""
    with asking(chosen.lp) if chosen.lp else nullcontext():
        return _read_parts(chosen)


def _read_parts(chosen: argparse.Namespace) -> list[Part]:
    for name, of in (("lp", "a language pair of --data"), ("better", "a rating in --data")):
        if getattr(chosen, name) and not chosen.data:
            raise InvalidOption(f"--{name} concerns {of}, but --data is missing.")
    if chosen.data and (chosen.ref or chosen.source or chosen.docs):
        raise ReadError(_beside_data(chosen))
    rated = _rating_files.named_ratings(chosen.ratings)
    if chosen.data:
        parts = (
            (_read.parts_at(chosen.data[0]) if len(chosen.data) == 1 else _read.logs_at(chosen.data))
            + _systems(chosen)
            + _read.named_parts((), (), parses=chosen.parses)
        )
        return _rating_files.with_named(_rating_files.declared(parts, chosen.better), rated)
    if chosen.sys or rated:
        others = _read.named_parts(chosen.ref, (), chosen.source, chosen.docs, chosen.parses)
        return [*_read.unlike_their_names([*others, *_systems(chosen)]), *rated]
    said = "No data. Give --data FOLDER, or --ref REFERENCE --sys SYSTEM [SYSTEM …], or --ratings FILE."
    raise ReadError(
        said + (" --systems only selects systems by name; use --sys to give their files." if chosen.systems else "")
    )


def _beside_data(chosen: argparse.Namespace) -> str:
    """Return what to do where --data and options for single files were given together."""
    given = [f"--{name}" for name in ("ref", "source", "docs") if getattr(chosen, name)]
    if not chosen.ref and len(chosen.data) == 1 and Path(chosen.data[0]).is_file():
        files = {"ratings": chosen.data[0], "source": chosen.source, "docs": chosen.docs}
        typed = " ".join(f"--{name} {shlex.quote(file)}" for name, file in files.items() if file)
        how = f"If {chosen.data[0]} is a table of scores, write {typed}"
    else:
        how = (
            "Put the files into the folder (refs/, source.txt, docids.txt), or leave out --data and write --ref FILE "
            "--sys FILE …"
        )
    return f"--data cannot be given together with {listed(given)}. {how}. --sys goes with either."


def _systems(chosen: argparse.Namespace) -> list[Part]:
    """Return the systems that --sys names, in order; one of them may come from standard input."""
    piped = _arguments.from_stdin(chosen)
    if len(piped) > 1:
        raise ReadError(f"Standard input gives the output of one system only, but --sys names it {len(piped)} times.")
    parts = []
    for text in chosen.sys:
        if text in piped:
            name = text.rpartition("=")[0] or "stdin"
            parts.append(_parts.loaded(Part(text, "system", name, file=File("standard input", _piped(chosen, text)))))
        else:
            parts += _read.named_parts((), [text])
    return parts


def _piped(chosen: argparse.Namespace, text: str) -> bytes:
    """Return what standard input gives, which is read once, and no more of it than a file may have."""
    if getattr(chosen, "piped", None) is None:
        if sys.stdin is None or sys.stdin.isatty():
            raise ReadError(f"--sys {text} reads a system's output from standard input. Send the output there, as in "
                            f"`cat output.txt | mtsig … --sys {text}`.")  # fmt: skip
        chosen.piped = sys.stdin.buffer.read(limits().max_bytes + 1)
    piped: bytes = chosen.piped
    return piped


def run_read(chosen: argparse.Namespace) -> int:
    """Return 0 when the files make a test set."""
    with _output.progress("Reading"):
        parts = read_parts(chosen)
    corpus: Corpus | None = None
    problem: MtsigError | None = None
    try:
        corpus = _assembled(chosen, parts)
    except MtsigError as error:
        problem = error
    bundle = partial(_bundle.read_bundle, parts, corpus, None if problem is None else str(problem))
    tables = [_bundle.parts_table(parts, corpus)]
    if corpus is not None and corpus.ratings:
        tables.append(_raters.rated_table(corpus, parts))
    _output.show(chosen, _output.Shown(bundle, "parts", tables))
    if problem is not None or corpus is None:
        raise problem or MtsigError("nothing was read")
    _output.tell_notes(inspect(corpus))
    return 0


def run_check(chosen: argparse.Namespace) -> int:
    """Return 0; 4 for a warning if that was asked for; 2 where the files make no test set."""
    from mtsig._cautions import Seen, findings  # here and below, because other verbs do without
    from mtsig.doctor import Checkup, check_data, check_parts

    def shown(checkup: Checkup, corpus: Corpus | None) -> None:
        bundle, tables = partial(_bundle.checkup_bundle, checkup, corpus), [_bundle.checkup_table(checkup)]
        _output.show(chosen, _output.Shown(bundle, "findings", tables))

    try:
        corpus = read_input(chosen)
    except (AlignmentError, ReadError):
        checkup = check_parts(read_parts(chosen))
        if len(checkup):
            shown(checkup, None)
        raise
    with _output.progress("Checking"):
        checkup = check_data(corpus, chosen.only)
        if not chosen.only:
            checkup = replace(checkup, findings=findings(Seen(corpus, checkup=checkup)))
    shown(checkup, corpus)
    _output.tell_notes([note for note in corpus.notes if note.about == "files"])
    return 4 if chosen.strict and checkup.warnings else 0


def run_parse(chosen: argparse.Namespace) -> int:
    from mtsig.metrics._dependency import conllu_text, load, parse  # here, because other verbs parse nothing

    place = _place(chosen)
    # Without its parses: they may be those of other texts.
    every = _complete(chosen, read_parts(chosen))
    parts = [part for part in every if part.role != "parses"]
    left_alone(_assemble.places_of(every) - _assemble.places_of(parts))
    texts = _texts(assemble(parts).select(chosen.systems or None, chosen.references or None))
    model = load(chosen.model)
    files = {name: place / f"{name}.conllu" for name in texts}
    refuse_inputs(dict.fromkeys(files.values(), b""))
    kept = {name for name, file in files.items() if file.exists() and _is_parse(file, texts[name], model.name)}
    left_alone(files.values())
    if not chosen.replace:
        for name, file in files.items():
            if file.exists() and name not in kept:
                raise ReadError(
                    f"{file} contains another parse. Overwrite it by --replace, or choose another folder by --out."
                )
    for name, file in files.items():
        if name in kept:
            _output.inform(f"{file}: parsed already")
            continue
        lines = [line or "" for line in texts[name]]
        with _output.progress(f"Parsing {name}"):
            parsed = parse(model, lines)
        write_file(file, conllu_text(parsed, model.name).encode())
        _output.say(str(file))
    return 0


def _place(chosen: argparse.Namespace) -> Path:
    if chosen.out:
        return Path(chosen.out[-1])
    if chosen.data and Path(chosen.data[0]).is_dir():
        return Path(chosen.data[0]) / "parses"
    raise ReadError("The folder for parses is unknown. Give --out FOLDER, or give the texts as a folder with --data.")


def _texts(corpus: Corpus) -> dict[str, Sequence[str | None]]:
    """Return what is to be parsed: outputs and references by name."""
    texts: dict[str, Sequence[str | None]] = dict(corpus.outputs)
    for name, lines in corpus.references.items():
        if name in texts and tuple(texts[name]) != tuple(lines):
            raise ReadError(f"A system and a reference are both called {name!r}, with different texts. Rename one.")
        texts[name] = lines
    for name in texts:
        if Path(name).name != name:
            raise ReadError(f"{name!r} cannot be a file name. Give the text another name by NAME=FILE.")
    return texts


def _is_parse(file: Path, lines: Sequence[str | None], model: str) -> bool:
    """Return whether a file holds the parse of these lines by this model."""
    try:
        sentences, _ = _conllu.sentences_of(File(str(file), file))
        parses = _conllu.parses_of(str(file), sentences, lines)
    except ReadError:
        return False
    return any(parse.parser == model for parse in parses)


def run_download(chosen: argparse.Namespace) -> int:
    if chosen.list or not chosen.names:
        if chosen.names:
            raise InvalidOption("Give either names or --list, not both.")
        _show_all(chosen)
        return 0
    # All names are looked at before anything is downloaded.
    for name, download in [(name, find_download(name)) for name in chosen.names]:
        _fetch(name, download)
    return 0


def _fetch(name: str, download: Download) -> None:
    folder = download.archives[0].file.parent
    if download.is_here:
        _output.inform(f"{name} was downloaded before: {folder}")
        return
    size = size_of(download)
    said = "of unknown size" if size is None else f"{size / 2**20:.1f} MB"
    _output.inform(f"{name}: {download.what}, {said}, from {', '.join(download.hosts)} into {folder}")
    with _output.progress(f"Downloading {name}"):
        files = fetch(download)
    _output.inform(f"{name}: downloaded, {sum(file.stat().st_size for file in files) / 2**20:.1f} MB")


def _show_all(chosen: argparse.Namespace) -> None:
    rows = [_row_fetch(download, pairs) for download, pairs in public_sets()]
    rows += [_row_fetch(download, ()) for download in models()]
    caption = "Use TESTSET/LP, as in `mtsig download wmt24/en-de`, and then `mtsig compare --data wmt24/en-de`."
    table = Table.of_text(caption, ("name", "here", "language pairs", "what"), map(_cells, rows))
    _output.show(chosen, _output.Shown(lambda: {**_bundle.HEAD, "downloads": rows}, "downloads", [table]))


def _row_fetch(download: Download, pairs: Iterable[str]) -> dict[str, object]:
    return {"name": download.name, "here": download.is_here, "language_pairs": list(pairs), "what": download.what}


def _cells(row: dict[str, object]) -> tuple[str, ...]:
    pairs = row["language_pairs"]
    shown = " ".join(pairs) if isinstance(pairs, list) else ""
    return str(row["name"]), "yes" if row["here"] else "", shown, str(row["what"])


def run_metrics(chosen: argparse.Namespace) -> int:
    named = {name: metric(name) for name in chosen.names}
    shown = named or METRICS
    tables = [_options(name, shown_metric) for name, shown_metric in named.items()] if named else [_list()]
    described = [_row_metrics(name, shown_metric) for name, shown_metric in shown.items()]
    rows = [{**row, "options": [*row["options"]]} for row in described]
    _output.show(chosen, _output.Shown(lambda: {**_bundle.HEAD, "metrics": described}, rows, tables))
    return 0


def _row_metrics(name: str, metric: Metric) -> dict[str, Any]:
    described = {
        option.name: {"default": option.default, "takes": option.expected, "help": option.help}
        for option in options(metric)
    }
    return {
        "name": name,
        "prints": metric.name,
        "about": metric.about,
        "common": metric.common,
        "higher_is_better": metric.higher_is_better if metric.is_quality_metric else None,
        "segment_mean": metric.is_segment_mean,
        "options": described,
    }


def _list() -> Table:
    rows = ((name, metric.name, metric.about, ", ".join(_names(metric))) for name, metric in METRICS.items())
    caption = "Write options after the name, as in bleu:tokenize=zh,lowercase=true. `mtsig metrics NAME` explains them."
    return Table.of_text(caption, ("name", "prints", "what it measures", "options"), rows)


def _names(metric: Metric) -> list[str]:
    """Return the options that are not advanced, and how many others there are."""
    common = [option.name for option in options(metric) if not option.advanced]
    others = len(options(metric)) - len(common)
    return [*common, f"{others} more"] if others else common


def _options(name: str, metric: Metric) -> Table:
    rows = ((option.name, _written(option), option.expected, option.help) for option in options(metric))
    return Table.of_text(f"{metric.name}. {metric.about}", (name, "default", "takes", "meaning"), rows)


def _written(option: Option) -> str:
    """Return the default as it would be typed."""
    if option.default is None or option.default == "":
        return "–"
    return str(option.default).lower() if option.type is bool else f"{option.default}"
