"""Read a folder, an archive, a file, or files given one by one, as a Corpus.

Only readers whose marks occur among the files are used; each is imported when it is first needed.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from importlib import import_module
from os import PathLike
from pathlib import Path, PurePosixPath
from typing import Any, TypeAlias

from mtsig._downloads import is_test_set
from mtsig._options import expect_arguments
from mtsig._plugins import Rows
from mtsig.corpus import Corpus
from mtsig.corpus._notes import Note, listed, quoted
from mtsig.errors import InvalidOption, ReadError, expect, find, kind_of
from mtsig.readers import _layouts
from mtsig.readers._assemble import assemble, of_pair, with_ratings
from mtsig.readers._files import Closed, File, is_there, opened, refuse_no_file
from mtsig.readers._layouts import OUTPUTS, files_below, files_of, only_inner, public_parts
from mtsig.readers._names import (
    FOLDERS,
    OTHER_FORMATS,
    Role,
    in_doubt,
    name_of,
    names_of,
    role_of_name,
    suffix_of,
)
from mtsig.readers._parts import (
    Marks,
    Part,
    Placed,
    Reader,
    by_suffix,
    ignored,
    left_over,
    loaded,
    placed,
    scores_beside,
)
from mtsig.readers._rating_files import named_ratings, with_named
from mtsig.readers._records import asking

Files: TypeAlias = str | Path | Sequence[str | Path]
"""One file, or several."""


def read(
    path: str | Path,
    reader: str | Reader | Callable[[Path], Corpus] | None = None,
    ratings: Files = (),
    language_pair: str | None = None,
) -> Corpus:
    """Read the corpus at a path: a folder, an archive, or one file.

    Parameters
    ----------
    path
        The folder or file.
    reader
        A name in READERS, a Reader, or a function of the path. If None, the form of every file is detected.
    ratings
        Additional files of scores, each a path or a text `[NAME=]FILE[:higher|:lower]`.
    language_pair
        The language pair, or the task of a benchmark, to read if there are files of several.

    Returns
    -------
    corpus : Corpus
        The corpus that was read. `corpus.notes` says how each file was understood, and why.

    Raises
    ------
    UnknownName
        There is no reader of that name.
    ReadError
        The path does not exist, a file cannot be understood, or no file is a system output.
    AlignmentError
        The texts differ in length.
    InvalidOption
        An argument has the wrong type.

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.readers._read import sample_folder
    >>> len(mtsig.read(sample_folder()))
    200
    """
    how = 'Give the path of one folder or file, as in read("FOLDER"), or give single files to read_files'
    expect(path, str | PathLike, how)
    expect(reader, str | Reader | Callable | None, "reader is a name in READERS, a Reader, or a function of the path")
    expect(language_pair, str | None, 'A language pair is written as in "en-de"')
    ratings = _one_by_one(ratings, "ratings")
    path = Path(path)
    chosen = find(READERS, reader, "reader") if isinstance(reader, str) else reader
    if chosen is None or isinstance(chosen, Reader):
        rated = named_ratings(ratings) if ratings else []
        with nullcontext() if language_pair is None else asking(language_pair):
            parts = with_system(path, parts_at(path, chosen))
        return assemble(with_named(parts, rated) if rated else parts, language_pair)
    corpus = chosen(path)
    expect(corpus, Corpus, f"reader must be a function that returns a Corpus of {quoted(path.name)}")
    return with_ratings(corpus, named_ratings(ratings)) if ratings else corpus


def parts_at(path: str | Path, reader: Reader | None = None) -> list[Part]:
    """Return every part of the folder, archive or file at `path`; files that do not belong to a test set are ignored.

    path: a folder or file; if it does not exist, the name of a public test set, such as wmt24/en-de. reader: the form
    to read; if None, the form of every file is detected.
    """
    name, path = str(path), Path(path)
    if not is_there(path):
        if is_test_set(name):
            return public_parts(name)
        raise ReadError(
            f"{path}: there is no such file or folder. Correct the path, or give the name of a public test set, such "
            "as wmt24/en-de."
        )
    refuse_no_file(path.stat().st_mode, name)
    if path.is_dir() and path.parent.name == OUTPUTS:
        # One language pair of mt-metrics-eval's: the rest of its test set lies beside.
        return of_pair(parts_at(path.parents[1], reader), path.name)
    files, deeper = files_of(path) if path.is_dir() else ([File(path.name, path)], [])
    place = only_inner(path) if path.is_dir() else path.parent
    readers = in_order() if reader is None else [reader]
    parts = parts_by(readers, files)
    if reader is None and deeper and not any(part.role in {"system", "ratings"} for part in parts):
        below = files_below(path, deeper)
        more = parts_by(readers, [*files, *below]) if below else []
        if any(part.role in {"system", "ratings"} for part in more):
            parts, deeper = more, []
    return [_at(place, part) for part in parts] + [Part(label, "ignored", label) for label in deeper]


def logs_at(paths: Sequence[str | Path]) -> list[Part]:
    """Return every part of logs that lie in several places, such as a folder a run, as if one folder held them."""
    files: list[File] = []
    firsts: dict[str, str] = {}
    places = [Path(path).resolve() for path in paths]
    folders = [place if place.is_dir() else place.parent for place in places]
    for text, path, folder in zip(map(str, paths), places, folders, strict=True):
        if not is_there(path):
            raise ReadError(f"{text}: there is no such file or folder. Correct the path.")
        refuse_no_file(path.stat().st_mode, text)
        if places.count(path) > 1:
            raise ReadError(f"{text} was given twice. Give it once.")
        around = next((place for place in places if place in path.parents), None)
        if around is not None:
            raise ReadError(
                f"{text} is inside {around}, which was also given, so its logs would be read twice. Give only one of "
                "the two."
            )
        prefix = _end_of_its_own(folder, folders)
        held = files_of(path)[0] if path.is_dir() else [File(path.name, path)]
        firsts[f"{prefix}/"] = text
        files += [replace(file, label=f"{prefix}/{file.label}") for file in held]
    parts = parts_by(in_order(), files)
    for prefix, text in firsts.items():
        if not any(part.of_task and part.label.startswith(prefix) for part in parts):
            raise ReadError(
                f"{text} contains no logs of a benchmark. Use several --data only for logs of runs, and --set for "
                "several test sets."
            )
    return parts


def _end_of_its_own(folder: Path, folders: Sequence[Path]) -> str:
    """Return as many of a path's last folders as tell it from the others."""
    ends = ({other.parts[-count:] for other in folders if other != folder} for count in range(1, len(folder.parts)))
    count = next((count for count, taken in enumerate(ends, 1) if folder.parts[-count:] not in taken), 0)
    return "/".join(folder.parts[-count:]).lstrip("/")  # at 0 all of them, from the root on


def with_system(path: str | Path, parts: Sequence[Part]) -> list[Part]:
    """Return the parts found at `path`, provided that they may be a test set."""
    path = Path(path)
    if not any(part.role in {"system", "ratings"} for part in parts) or _is_line_file(path, parts):
        raise ReadError(*_nothing(path, parts))
    return list(parts)


def _is_line_file(path: Path, parts: Sequence[Part]) -> bool:
    """Return whether the path is one line file, which is no test set by itself."""
    return not path.is_dir() and len(parts) == 1 and parts[0].form == "line file"


def _nothing(path: Path, parts: Sequence[Part]) -> Sequence[str]:
    if _is_line_file(path, parts) and parts[0].problem is not None:
        return [parts[0].problem]
    if _is_line_file(path, parts):
        return [
            f"{path} is a single text file. Give a folder, an archive, or a table or data file with systems and "
            "references; or give the reference and every system as separate files."
        ]
    refused = [part.problem for part in parts if part.problem is not None]
    if refused:
        return refused
    labels = [part.file.label if part.whole is not None and part.file is not None else part.label for part in parts]
    said = [f" ({part.form})" if part.form not in {"", "line file"} else "" for part in parts]
    given = list(dict.fromkeys(f"{label}{form}" for label, form in zip(labels, said, strict=True)))
    shown = ", ".join(given[:12]) + (f" and {len(given) - 12} more" if len(given) > 12 else "") or "nothing"
    return [
        f"{path} contains no system output; found: {shown}. Put one file per system into systems/ and references "
        "into refs/, or declare each file a system or a reference."
    ]


def _at(folder: Path, part: Part) -> Part:
    """Return the part with the folder written before a problem's file name: a shell user needs the whole path."""
    return part if part.problem is None else replace(part, problem=f"{folder}/{part.problem}")


def read_sample(every_reference: bool = False) -> Corpus:
    """Read the sample corpus: 200 segments in 20 documents, 5 systems.

    Parameters
    ----------
    every_reference
        If True, all three references are used instead of one, for experiments on references.

    Returns
    -------
    corpus : Corpus

    Raises
    ------
    ReadError
        This installation of the program has no sample data.
    InvalidOption
        An argument has the wrong type.

    Examples
    --------
    >>> import mtsig
    >>> len(mtsig.read_sample()), list(mtsig.read_sample().systems)[:2]
    (200, ['direct-us', 'direct'])
    """
    expect_arguments(read_sample, locals())
    parts = parts_of(sample_files())
    if every_reference:
        parts += named_parts(sorted((sample_folder() / "more_refs").iterdir()), [])
    return assemble(parts)


def sample_for_lessons() -> Corpus:
    """Return the sample with further systems: the ten pairs of five are too few to show another one in each lesson."""
    further = sorted((sample_folder() / "more_systems").iterdir())
    return assemble(parts_of(sample_files()) + named_parts([], further))


def sample_files() -> list[File]:
    """Return the files of the sample data: Spanish to English by five routes through the Apertium engine."""
    return files_of(sample_folder())[0]


def sample_folder() -> Path:
    """Return where the sample data lie: within an installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    for place in (package, package.parent):
        if (place / "sample_data" / "es-en").is_dir():
            return place / "sample_data" / "es-en"
    raise ReadError("This copy of mtsig has no sample data, neither in the package nor next to it. Install it again.")


def read_files(
    references: Files | Mapping[str, str | Path],
    systems: Files | Mapping[str, str | Path],
    source: str | Path | None = None,
    documents: str | Path | None = None,
    parses: Files | Mapping[str, str | Path] = (),
    ratings: Files = (),
) -> Corpus:
    r"""Return the corpus of line files that are given one by one.

    Files may be compressed with gzip. SGM, XML, JSON and workbook files provide the texts of the given role.

    Parameters
    ----------
    references
        A path, several paths, texts NAME=PATH, or a mapping name -> path. Without a name, the file's name without its
        last extension is used.
    systems
        Given in the same way as `references`.
    source
        Path of the source, or None.
    documents
        Path of a file with the document of each segment, or None.
    parses
        CoNLL-U files; each has the name of the text that was parsed.
    ratings
        Paths, or texts `[NAME=]FILE[:higher|:lower]`.

    Returns
    -------
    corpus : Corpus

    Raises
    ------
    ReadError
        A file cannot be understood, or two systems have the same name.
    AlignmentError
        The files differ in length.
    InvalidOption
        An argument has the wrong type.

    Examples
    --------
    >>> import mtsig, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("ref", "out"):
    ...         _ = Path(folder, f"{name}.txt").write_text("one line\nand another\n")
    ...     mtsig.read_files([f"{folder}/ref.txt"], [f"ours={folder}/out.txt"])
    <Corpus: 2 segments, 1 system (ours), 1 reference (ref), 0 ratings>
    """
    parts = named_parts(references, systems, source, documents, parses)
    return assemble(parts + named_ratings(_one_by_one(ratings, "ratings")))


def named_parts(
    references: Files | Mapping[str, str | Path],
    systems: Files | Mapping[str, str | Path],
    source: str | Path | None = None,
    documents: str | Path | None = None,
    parses: Files | Mapping[str, str | Path] = (),
) -> list[Part]:
    r"""Return the parts of files named one by one; see `read_files`."""
    for name, path in (("source", source), ("documents", documents)):
        expect(path, str | PathLike | None, f"{name} must be the path of one file")
    parts = _told_apart(_items(references, "references"), "reference")
    parts = unlike_their_names(parts + _told_apart(_items(systems, "systems"), "system"))
    parts += [part for path in [source] if path is not None for part in _named(("", path), "source")]
    parts += [part for item in _items(parses, "parses") for part in _named(item, "parses")]
    return parts + [part for path in [documents] if path is not None for part in _named(("", path), "documents")]


def unlike_their_names(parts: Sequence[Part]) -> list[Part]:
    """Return the parts; where only a system's file is called as a reference is, it says that it may be the reference.

    A system to which the user gave a name is what the user says.
    """
    references = [part.label for part in parts if part.role == "reference"]
    called = [name_of(Path(part.label).name, part.role) for part in parts]
    alike = [role_of_name(name) == "reference" and not in_doubt(name, "reference") for name in called]
    if not references or any(said for said, part in zip(alike, parts, strict=True) if part.role == "reference"):
        return list(parts)
    told = []
    for part, name, said in zip(parts, called, alike, strict=True):
        text = (
            f"The system {part.label} is called like a reference, and {listed(references)} is not. Were they swapped? "
            f"If not, name the system: human={part.label}."
        )
        notes = (Note("warning", text),) if said and part.role == "system" and part.name == name else ()
        told.append(replace(part, notes=(*part.notes, *notes)))
    return told


def _told_apart(items: Sequence[tuple[str, str | Path]], role: Role) -> list[Part]:
    """Return the parts of files in a role; those without a name of their own are told apart by their paths."""
    found = [(None if name else File(str(path), Path(path)), part) for name, path in items
             for part in _named((name, path), role)]  # fmt: skip
    return told_apart(found)


def _one_by_one(files: Files, what: str) -> list[str | Path]:
    """Return paths one by one; a string is one path."""
    if isinstance(files, str | PathLike):
        return [files]
    how = f"{what} must be a path, or a list of paths"
    # A DataFrame would be walked by the names of its columns.
    if not isinstance(files, Iterable) or isinstance(files, Mapping) or hasattr(files, "columns"):
        raise InvalidOption(f"{how}; found {kind_of(files)}.")
    paths = list(files)
    for path in paths:
        expect(path, str | PathLike, f"{how}; {kind_of(files)} was given")
    return paths


def _items(files: Files | Mapping[str, str | Path], what: str) -> list[tuple[str, str | Path]]:
    if isinstance(files, Mapping):
        for path in files.values():
            expect(path, str | PathLike, f"{what} must map names to paths; got {kind_of(files)}")
        return [(str(name), path) for name, path in files.items()]
    items: list[tuple[str, str | Path]] = []
    for file in _one_by_one(files, what):
        name, equals, path = str(file).partition("=")
        # A file whose own name holds "=" is taken as it is.
        items.append((name, path) if equals and name and not is_there(Path(file)) else ("", file))
    return items


_ONE_BY_ONE = {
    ".sgm", ".sgml", ".xml", ".json", ".jsonl", ".xlsx", ".xlf", ".xliff", ".sdlxliff", ".mxliff", ".mqxliff", ".tmx",
    ".po", ".pot", ".parquet",
}  # fmt: skip
"""Suffixes of files that hold several texts, also when they are named one by one: the texts of the role are taken."""


def _named(item: tuple[str, str | Path], role: Role) -> list[Part]:
    name, path = item
    file = File(str(path), Path(path))
    if suffix_of(file.path) not in _ONE_BY_ONE:
        return [loaded(Part(str(path), role, name or name_of(file.path.name, role), file=file, form="line file"))]
    parts = parts_of([file])
    texts = [part for part in parts if part.role in {"system", "reference", "source"}]
    chosen = [part for part in texts if part.role == role or part.problem is not None]
    # The only text of a file is what the user says that it is, whatever the file calls it.
    own = [part for part in texts if part.role != "source"] or texts
    chosen = chosen or [replace(part, role=role) for part in own if len(own) == 1]
    if not chosen:
        problem = next((part.problem for part in parts if part.problem is not None), f"{path} contains no {role}.")
        return [Part(str(path), role, name or name_of(file.path.name, role), problem=problem, file=file)]
    return [replace(chosen[0], name=name)] if name and len(chosen) == 1 else chosen


def _late(module: str, name: str) -> Callable[..., Any]:
    """Return a function of one of these modules that is imported when it is first called."""

    def call(*given: Any) -> Any:
        return getattr(import_module(f"mtsig.readers.{module}"), name)(*given)

    return call


def _each(module: str, name: str, scores: bool = False) -> Callable[[Sequence[Placed]], list[list[Part]]]:
    """Return what reads every file by itself with a function that is imported late; or the scores in it, too."""
    read = _late(module, name)
    return lambda files: [[*read(one.file), *(scores_beside(one) if scores else ())] for one in files]


def _log(what: str, module: str, name: str, *suffixes: str, called: str | None = None) -> Reader:
    """Return the reader of logs of a program that evaluates models: a test set for each task."""

    def log() -> Any:
        return getattr(import_module(f"mtsig.readers.{module}"), name)

    marks = Marks(suffixes, re.compile(called) if called else None)
    return Reader(
        what, lambda files, alone: log().claims(files, alone), lambda files: log().parts(files), marks, waits=True
    )


_JSON, _SGM, _TABLES = (".json", ".jsonl"), (".sgm", ".sgml"), (".tsv", ".csv")
_OF_TRANSLATORS = (".xlf", ".xliff", ".sdlxliff", ".mxliff", ".mqxliff", ".tmx", ".po", ".pot")
_RATED = frozenset(folder for folder, role in FOLDERS.items() if role == "ratings")

BENCHMARKS: Mapping[str, Reader] = {
    "lm-eval": _log(
        "lm-evaluation-harness: samples_*.jsonl of --log_samples, with the results_*.json next to them",
        "_harness", "LM_EVAL", *_JSON,
    ),
    "helm": _log(
        "HELM: per_instance_stats.json, with run_spec.json and scenario_state.json, one folder per run",
        "_logs", "HELM", called=r"per_instance_stats\.json(\.gz)?",
    ),
    "lighteval": _log("lighteval: details_*.parquet of --save-details", "_harness", "LIGHTEVAL", ".parquet"),
    "inspect": _log("Inspect: logs in .eval archives or in JSON", "_logs", "INSPECT", ".eval", ".json"),
    "evalscope": _log("EvalScope: reviews/MODEL/TASK.jsonl", "_harness", "EVALSCOPE", ".jsonl"),
    "promptfoo": _log("promptfoo: --output in JSON or JSON lines", "_logs", "PROMPTFOO", *_JSON),
    "deepeval": _log("DeepEval: test_run_*.json of its results folder", "_logs", "DEEPEVAL", ".json"),
}  # fmt: skip
"""Logs of programs that evaluate models; they give a test set for each task."""

READERS = Rows[Reader]("mtsig.readers", Reader, {
    **BENCHMARKS,
    "mt-metrics-eval": Reader(
        "mt-metrics-eval's folders: sources, references, documents, system-outputs/LP, human-scores, metric-scores",
        _layouts.mt_metrics_eval, _layouts.mt_metrics_eval_parts, Marks(folders={_layouts.OUTPUTS}),
    ),
    "wmt-names": Reader(
        "line files with WMT's names: TESTSET.LP.src.LANG, .ref.A.LANG and .hyp.SYSTEM.LANG",
        _layouts.wmt_named, _layouts.wmt_named_parts, Marks(name=_layouts.WMT_NAME),
    ),
    "wmt-xml": Reader(
        "WMT's XML: <doc> with <src>, <ref> and <hyp>; test suites are omitted",
        by_suffix(".xml"), _each("_translators", "xml_file_parts"), Marks([".xml"]),
    ),
    "sgm": Reader(
        "SGM of NIST's mteval: <srcset>, <refset>, <tstset>",
        by_suffix(*_SGM), _each("_markup", "sgm_parts"), Marks(_SGM),
    ),
    "translators": Reader(
        "translators' files: XLIFF 1.2 and 2, TMX, PO",
        by_suffix(*_OF_TRANSLATORS), _late("_translators", "translation_files"), Marks(_OF_TRANSLATORS),
    ),
    "json": Reader(
        "JSON or JSON lines: objects with named texts, including WMT25's and COMET's, by system or not; lists of texts",
        _late("_json", "json_claims"), _late("_json", "json_files"), Marks(_JSON),
    ),
    "folder": Reader(
        "line files named ref*, source, docids …, or in folders systems/ and refs/, or one in a folder of each system",
        _layouts.line_files, _layouts.line_file_parts,
    ),
    "table": Reader(
        "a .tsv or .csv table: one column per text, or one row per output, or per text",
        by_suffix(*_TABLES, at_top=True), _each("_tables", "table_parts", True), Marks(_TABLES), waits=True,
    ),
    "xlsx": Reader(
        "an .xlsx workbook: the first sheet that names texts, or else the first filled one, read as a table",
        by_suffix(".xlsx"), _each("_tables", "workbook_parts", True), Marks([".xlsx"]), waits=True,
    ),
    "parquet": Reader(
        "a .parquet table: one column per text, or one row per output, or per text",
        by_suffix(".parquet"), _each("_tables", "parquet_parts", True), Marks([".parquet"]), waits=True,
    ),
})  # fmt: skip
"""Forms of test sets; each file is read by the first reader in this order that accepts it."""

BESIDE: tuple[Reader, ...] = (
    Reader(
        "preferences between pairs of systems, for mtsig preferences",
        _late("_rating_files", "preference_claims"), _late("_rating_files", "preference_files"),
        Marks([".tsv", ".csv", ".json", ".jsonl", ".parquet", ".xlsx"]),
    ),
    Reader(
        "documents, subtitles and web pages: refused",
        _late("_translators", "other_formats"), _late("_translators", "refused_formats"), Marks(OTHER_FORMATS),
    ),
    Reader(
        "CoNLL-U: parses of the text with the same name",
        by_suffix(*_layouts.PARSES), _layouts.parse_parts, Marks(_layouts.PARSES),
    ),
    Reader(
        "scores of segments by raters or metrics, in ratings/, annotations/, human/ or metrics/ or next to the texts",
        _late("_rating_files", "rating_claims"), _late("_rating_files", "rating_files"),
        Marks([".tsv", ".csv", ".score", ".json", ".jsonl", ".parquet", ".xlsx"], folders=_RATED),
    ),
)  # fmt: skip
"""Forms of what goes with texts, and is no test set by itself; they take their files first."""


def in_order() -> list[Reader]:
    """Return the readers as they are asked: those that somebody added know best what is theirs."""
    return [*BESIDE, *(READERS[name] for name in sorted(READERS, key=READERS.own.__contains__))]


_WRITTEN = {
    ".xml": re.compile(rb'<testsuite name="mtsig '),
    ".html": re.compile(rb'<meta name="generator" content="mtsig">'),
    ".tex": re.compile(rb"\A% Written by mtsig"),
    ".csv": re.compile(rb"\A(metric,signature|check,level,confidence|segment,document,contribution),"),
}
"""How files begin that mtsig wrote: results that lie next to the texts are no texts. Its JSON says so itself."""


def parts_of(files: Sequence[File]) -> list[Part]:
    """Return every part of the files with a guessed role; files without a role are kept as "ignored".

    Zip archives are opened in memory. A .conllu file has parses of the text of the same name. Folders named systems/,
    refs/, parses/, ratings/, human/ or metrics/ determine roles first. Then file names do: WMT's names, ref*, src or
    source*, docids or documents, domains. If there is a systems/ folder, other files next to it are not used; otherwise
    they are systems. Tables of scores next to the texts are ratings; other tables and JSON at the top level are read if
    no other file is a system.
    """
    return parts_by(in_order(), files)


def parts_by(readers: Sequence[Reader], files: Sequence[File]) -> list[Part]:
    """Return every part of the files as these readers find them, in the order of the files."""
    numbered: list[tuple[int, Part]] = []
    left: list[tuple[int, File]] = []
    for number, file in enumerate(opened(files)):
        if isinstance(file, Closed):
            numbered.append((number, _closed(file)))
        else:
            left.append((number, file))
    by_number = dict(left)
    places = placed([file for _, file in left])
    if deeper := _deeper(places):
        upper = parts_by(readers, [place.file for place in _but(places, deeper)])
        if any(part.role in {"system", "ratings"} for part in upper):
            rest = (ignored(place.file, "in a folder of a folder") for place in deeper)
            return [*(part for _, part in numbered), *upper, *rest]
    at = {id(place): number for place, (number, _) in zip(places, left, strict=True)}
    own = [place for place in places if place.suffix in _WRITTEN and _WRITTEN[place.suffix].search(place.head[:2000])]
    numbered += [(at[id(place)], ignored(place.file, "written by mtsig itself")) for place in own]
    places = _but(places, own)
    asked = [reader for reader in readers if reader.marks is None or any(map(reader.marks.are_on, places))]
    for alone in (False, True):
        if alone and any(part.role == "system" for _, part in numbered):
            break
        for reader in asked:
            if reader.waits and not alone:
                continue
            taken = reader.claims(places, alone)
            places = _but(places, taken)
            for taken_file, parts in zip(taken, reader.parts(taken) if taken else [], strict=True):
                numbered += [(at[id(taken_file)], part) for part in parts]
    reads_lines = any(reader.claims is _layouts.line_files for reader in readers)
    if reads_lines and not any(part.role == "system" for _, part in numbered):
        taken_parts, known = _layouts.in_folders(places, [part for _, part in numbered], parts_of)
        numbered = [(number, part) for (number, _), part in zip(numbered, known, strict=True)]
        numbered += [(at[id(place)], part) for place, parts in taken_parts for part in parts]
        places = _but(places, [taken for taken, _ in taken_parts])
        apart = _layouts.campaigns_apart([part for _, part in numbered])
        numbered = [(number, part) for (number, _), part in zip(numbered, apart, strict=True)]
    numbered += [(at[id(place)], left_over(place)) for place in places]
    return told_apart([(by_number.get(number), part) for number, part in sorted(numbered, key=lambda pair: pair[0])])


def _but(places: Sequence[Placed], taken: Iterable[Placed]) -> list[Placed]:
    """Return the places without those that are taken: the same ones, not others like them, which takes long to see."""
    names = {id(place) for place in taken}
    return [place for place in places if id(place) not in names]


def _deeper(places: Sequence[Placed]) -> list[Placed]:
    """Return the files that `files_of` leaves out where a folder is read, so that dropped files are read the same."""
    if any(OUTPUTS in place.folder for place in places):
        return []
    return [place for place in places if len(place.folder) > 1 and place.folder[0].lower() in FOLDERS]


def told_apart(found: Sequence[tuple[File | None, Part]]) -> list[Part]:
    """Return the parts; texts that are called like their files, and alike, keep as much as tells these apart."""
    parts = [part for _, part in found]
    alike: dict[tuple[Role, str | None], dict[int, str]] = {}
    for place, (file, part) in enumerate(found):
        if file is None or part.role not in ("system", "reference"):
            continue
        if part.name == name_of(file.path.name, part.role):
            path = str(file.path if file.inside is None else PurePosixPath(file.label).parent / file.path.name)
            alike.setdefault((part.role, part.language_pair), {})[place] = path
    for (role, _), own in alike.items():
        for place, name in zip(own, names_of(list(own.values()), role), strict=True):
            parts[place] = replace(parts[place], name=name)
    return parts


def _closed(file: Closed) -> Part:
    name = name_of(file.file.path.name)
    return Part(file.file.label, "system", name, problem=file.problem, file=file.file, form="archive")
