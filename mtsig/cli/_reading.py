"""Reading the data that arguments name, and the verbs that look at files, metrics and downloads without comparing."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import Any

from mtsig._cache import checked_folder as checked_folder  # shown by the face, for pages that keep files
from mtsig._cache import claim as claim
from mtsig._downloads import Download, fetch, find_download, models, public_sets, size_of
from mtsig._parsing import Spacy, conllu_text, load, parse
from mtsig._writing import write_file
from mtsig.cli._arguments import add_format, add_input, add_limits, from_stdin
from mtsig.cli._output import progress, say, show, tell, tell_notes
from mtsig.corpus import Corpus, Note, inspect
from mtsig.corpus._slices import only
from mtsig.errors import AlignmentError, InvalidOption, MtsigError, ReadError, find_typed
from mtsig.limits import limits
from mtsig.metrics import METRICS, Metric, Statistics, measure
from mtsig.options import Option, options
from mtsig.readers import READERS, File, Part, assemble
from mtsig.readers._assemble import of_pair
from mtsig.readers._conllu import parses_of, sentences_of
from mtsig.readers._parts import loaded
from mtsig.readers._rates import scores_of
from mtsig.readers._rating_files import declared, named_ratings
from mtsig.readers._read import logs_at, named_parts, parts_at, with_system
from mtsig.report import Table
from mtsig.report._bundle import parts_table, read_bundle
from mtsig.study._record import SCHEMA


def measured(corpus: Corpus, metrics: Sequence[Metric], executor: Executor | None = None) -> list[Statistics]:
    """Return the statistics of every metric, counted under a progress bar, by the executor where there is one."""
    counted = []
    for metric in metrics:
        with progress(f"Counting {metric.name}"):
            counted.append(measure(corpus, metric, executor))
    return counted


def show_notes(corpus: Corpus | None, notes: Iterable[Note] = ()) -> None:
    """Print what the user should know, once each, on stderr."""
    tell_notes([*(() if corpus is None else inspect(corpus)), *notes])


def read_input(chosen: argparse.Namespace) -> Corpus:
    """Return the corpus that the arguments name.

    Raises:
        ReadError: nothing is named, or a file cannot be understood.
        AlignmentError: texts differ in length.
        UnknownName: --systems, --references or --subset names something else.
    """
    parts = read_parts(chosen)
    known = {(part.role, part.name) for part in parts}
    asked = [("system", name) for name in chosen.systems or ()] + [
        ("reference", name) for name in chosen.references or ()
    ]
    left_out: list[Part] = []
    if set(asked) <= known:
        # What is not asked for need not be in order.
        left_out = [part for part in parts if _is_left_out(part, chosen, parts)]
        parts = [part for part in parts if part not in left_out]
    return only(_beside(assemble(parts).select(chosen.systems, chosen.references), left_out), chosen.subset)


def _beside(corpus: Corpus, left_out: Sequence[Part]) -> Corpus:
    """Return the corpus with the outputs beside it that were left out and are in order."""
    outputs = {
        part.name: tuple(line or "" for line in part.lines)
        for part in left_out
        if part.role == "system" and not part.problem and part.lines is not None and len(part.lines) == len(corpus)
    }
    return replace(corpus, beside={**corpus.beside, **outputs})


def read_texts(chosen: argparse.Namespace) -> Corpus:
    """Return the corpus that the arguments name without its parses: they may be those of other texts.

    Raises:
        as `read_input`.
    """
    parts = [part for part in read_parts(chosen) if part.role != "parses"]
    return assemble(parts).select(chosen.systems, chosen.references)


def parts_from(arguments: Sequence[str]) -> list[Part]:
    """Return the parts that arguments such as ["--data", "FOLDER"] name; what --systems leaves out is ignored.

    >>> from mtsig.cli._reading import parts_from
    >>> from mtsig.readers._read import sample_folder
    >>> parts = parts_from(["--data", str(sample_folder()), "--systems", "direct"])
    >>> [part.name for part in parts if part.role == "system"]
    ['direct']

    Raises:
        ReadError: nothing is named.
    """
    parser = argparse.ArgumentParser(allow_abbrev=False)
    add_input(parser)
    chosen = parser.parse_args(arguments)
    parts = [_of_systems(part, chosen.systems) for part in read_parts(chosen)]
    return [part.with_role("ignored") if _is_left_out(part, chosen, parts) else part for part in parts]


def _of_systems(part: Part, systems: Sequence[str] | None) -> Part:
    """Return a rating with the scores of these systems only; ignored when it has none of them."""
    if part.role != "ratings" or part.scored is None or not systems:
        return part
    scored = scores_of(part.scored, systems)
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
    """Return every part that the arguments name.

    Raises:
        ReadError: nothing is named, or nothing of it is a system output; or standard input has none.
        InvalidOption: an argument says something of data that are not given.
    """
    for name, of in (("lp", "a language pair of --data"), ("better", "a rating in --data")):
        if getattr(chosen, name) and not chosen.data:
            raise InvalidOption(f"--{name} is of {of}, and there is no --data.")
    if chosen.data and (chosen.ref or chosen.source or chosen.docs):
        raise ReadError("Give either --data, or --ref (with --source and --docs); found both. --sys goes with either.")
    rated = named_ratings(chosen.ratings)
    if chosen.data:
        paths = (chosen.data, *chosen.more_data)
        parts = (
            (parts_at(chosen.data) if len(paths) == 1 else logs_at(paths))
            + _systems(chosen)
            + named_parts((), (), parses=chosen.parses)
        )
        parts = parts if chosen.sys else with_system(chosen.data, parts)
        parts = of_pair(parts, chosen.lp) if chosen.lp else parts
        parts = declared(parts, chosen.better)
        # A file of the folder that is named by itself is taken as it is named, and once.
        named = {part.file.place for part in rated if part.file is not None}
        return [part for part in parts if part.file is None or part.file.place not in named] + rated
    if chosen.sys or rated:
        others = named_parts(chosen.ref, (), chosen.source, chosen.docs, chosen.parses)
        return [*others, *_systems(chosen), *rated]
    raise ReadError("No data. Give --data FOLDER, or --ref REFERENCE --sys SYSTEM [SYSTEM …], or --ratings FILE.")


def _systems(chosen: argparse.Namespace) -> list[Part]:
    """Return the systems that --sys names, in order; one of them may come from standard input."""
    piped = from_stdin(chosen)
    if len(piped) > 1:
        raise ReadError(f"Standard input is one system's output; found it {len(piped)} times after --sys.")
    parts = []
    for text in chosen.sys:
        if text in piped:
            name = text.rpartition("=")[0] or "stdin"
            parts.append(loaded(Part(text, "system", name, file=File("standard input", _piped(chosen, text)))))
        else:
            parts += named_parts((), [text])
    return parts


def _piped(chosen: argparse.Namespace, text: str) -> bytes:
    """Return what standard input gives, which is read once, and no more of it than a file may have."""
    if getattr(chosen, "piped", None) is None:
        if sys.stdin is None or sys.stdin.isatty():
            raise ReadError(f"--sys {text} reads a system's output from standard input: send one there, as in "
                            f"`cat output.txt | mtsig … --sys {text}`.")  # fmt: skip
        chosen.piped = sys.stdin.buffer.read(limits().max_bytes + 1)
    piped: bytes = chosen.piped
    return piped


def add_read(parser: argparse.ArgumentParser) -> None:
    forms = "\n".join(f"  {name}: {reader.what}" for name, reader in READERS.items())
    parser.epilog = f"forms, also packed with gzip or in a zip archive:\n{forms}"
    parser.add_argument("path", metavar="PATH", help="a folder, an archive, or one file")
    parser.add_argument("--lp", metavar="PAIR", help="which language pair, where there are several")
    add_format(parser)
    add_limits(parser)


def run_read(chosen: argparse.Namespace) -> int:
    """Return 0 when the files make a test set."""
    parts = parts_at(Path(chosen.path))
    corpus: Corpus | None = None
    problem: MtsigError | None = None
    try:
        corpus = assemble(with_system(chosen.path, parts), chosen.lp)
    except MtsigError as error:
        problem = error
    bundle = read_bundle(parts, corpus, None if problem is None else str(problem))
    show(chosen.format, bundle, "parts", [parts_table(parts, corpus)])
    if problem is not None or corpus is None:
        raise problem or MtsigError("nothing was read")
    show_notes(corpus)
    return 0


def add_check(parser: argparse.ArgumentParser) -> None:
    from mtsig.doctor import CHECKS  # here and below, because other verbs do without

    add_input(parser)
    listed = "\n".join(f"  {name}: {check.what}" for name, check in CHECKS.items())
    parser.epilog = f"checks:\n{listed}"
    parser.add_argument("--only", nargs="+", metavar="CHECK", help="run these checks only")
    add_format(parser)


def run_check(chosen: argparse.Namespace) -> int:
    """Return 0, also where something was found; 2 where the files make no test set."""
    from mtsig.doctor import Checkup, check_data, check_parts
    from mtsig.report._bundle import checkup_bundle, checkup_table

    def shown(checkup: Checkup, corpus: Corpus | None) -> None:
        show(chosen.format, checkup_bundle(checkup, corpus), "findings", [checkup_table(checkup)])

    try:
        corpus = read_input(chosen)
    except (AlignmentError, ReadError):
        checkup = check_parts(read_parts(chosen))
        if len(checkup):
            shown(checkup, None)
        raise
    with progress("Checking"):
        checkup = check_data(corpus, chosen.only)
    shown(checkup, corpus)
    return 0


def add_parse(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    parser.add_argument("--model", required=True, metavar="NAME", help="an installed spaCy model, as en_core_web_sm")
    parser.add_argument("--into", metavar="FOLDER", help="where the files go (default: parses/ in the --data folder)")
    parser.add_argument("--replace", action="store_true", help="write over files that hold other parses")


def run_parse(chosen: argparse.Namespace) -> int:
    place = _place(chosen)
    texts = _texts(read_texts(chosen))
    model = load(chosen.model)
    files = {name: place / f"{name}.conllu" for name in texts}
    kept = {name for name, file in files.items() if file.exists() and _is_parse(file, texts[name], model)}
    if not chosen.replace:
        for name, file in files.items():
            if file.exists() and name not in kept:
                raise ReadError(f"{file} holds another parse. Add --replace to write over it, or choose --into FOLDER.")
    for name, file in files.items():
        if name in kept:
            tell(f"{file}: parsed already")
            continue
        lines = [line or "" for line in texts[name]]
        with progress(f"Parsing {name}"):
            parsed = parse(model, lines)
        write_file(file, conllu_text(parsed, model.name).encode())
        say(str(file))
    return 0


def _place(chosen: argparse.Namespace) -> Path:
    if chosen.into:
        return Path(chosen.into)
    if chosen.data and Path(chosen.data).is_dir():
        return Path(chosen.data) / "parses"
    raise ReadError("Where should the parses go? Give --into FOLDER, or the texts as a folder with --data.")


def _texts(corpus: Corpus) -> dict[str, Sequence[str | None]]:
    """Return what is to be parsed: outputs and references by name."""
    texts: dict[str, Sequence[str | None]] = dict(corpus.outputs)
    for name, lines in corpus.references.items():
        if name in texts and tuple(texts[name]) != tuple(lines):
            raise ReadError(f"A system and a reference are both called {name!r}, with different texts: rename one.")
        texts[name] = lines
    for name in texts:
        if Path(name).name != name:
            raise ReadError(f"A file cannot be called like {name!r}: give the text another name, as NAME=FILE.")
    return texts


def _is_parse(file: Path, lines: Sequence[str | None], model: Spacy) -> bool:
    """Return whether a file holds the parse of these lines by this model."""
    try:
        sentences, _ = sentences_of(File(str(file), file))
        parses = parses_of(str(file), sentences, lines)
    except ReadError:
        return False
    return any(parse.parser == model.name for parse in parses)


def add_download(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help="test sets as TESTSET/LP, or tokenizers")
    parser.add_argument("--list", action="store_true", help="print what can be fetched, and what is here")
    add_format(parser, words="of --list; ")


def run_download(chosen: argparse.Namespace) -> int:
    if chosen.list or not chosen.names:
        if chosen.names:
            raise InvalidOption("Give either names or --list, not both.")
        _show_all(chosen.format)
        return 0
    # All names are looked at before anything is downloaded.
    for name, download in [(name, find_download(name)) for name in chosen.names]:
        _fetch(name, download)
    return 0


def _fetch(name: str, download: Download) -> None:
    folder = download.archives[0].file.parent
    if download.is_here:
        tell(f"{name} is here already: {folder}")
        return
    size = size_of(download)
    said = "of unknown size" if size is None else f"{size / 2**20:.1f} MB"
    hosts = ", ".join(download.hosts)
    tell(f"{name}: {download.what}, {said}, from {hosts} into {folder}")
    from rich.console import Console  # here, because what is not downloaded needs no clock
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    # sacreBLEU says nothing of how far it is: the size stands above, the time here.
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        progress.add_task(f"Fetching {name} …", total=None)
        files = fetch(download)
    tell(f"{name}: fetched, {sum(file.stat().st_size for file in files) / 2**20:.1f} MB")


def _show_all(style: str) -> None:
    rows = [_row_fetch(download, pairs) for download, pairs in public_sets()] + [
        _row_fetch(download, ()) for download in models()
    ]
    bundle = {"downloads": [{**row, "here": bool(row["here"])} for row in rows]}
    caption = "TESTSET/LP, as in `mtsig download wmt24/en-de`, and then `mtsig compare --data wmt24/en-de`."
    table = Table.of_text(caption, ("name", "here", "language pairs", "what"), map(_cells, rows))
    show(style, bundle, "downloads", [table])


def _row_fetch(download: Download, pairs: Iterable[str]) -> dict[str, object]:
    return {"name": download.name, "here": download.is_here, "language_pairs": list(pairs), "what": download.what}


def _cells(row: dict[str, object]) -> tuple[str, ...]:
    pairs = row["language_pairs"]
    shown = " ".join(pairs) if isinstance(pairs, list) else ""
    return str(row["name"]), "yes" if row["here"] else "", shown, str(row["what"])


def add_metrics(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help="metrics whose options to list")
    add_format(parser, ("table", "markdown", "json"))


def run_metrics(chosen: argparse.Namespace) -> int:
    named = {name: find_typed(METRICS, name, "metric") for name in chosen.names}
    shown = named or METRICS
    tables = [_options(name, shown_metric) for name, shown_metric in named.items()] if named else [_list()]
    bundle = {"schema": SCHEMA, "metrics": [_row_metrics(name, shown_metric) for name, shown_metric in shown.items()]}
    show(chosen.format, bundle, "metrics", tables)
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
    caption = "Write options on the name, as in bleu:tokenize=zh,lowercase=true. What they mean: mtsig metrics NAME."
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
