"""Finding: files go in, every reader whose marks are there takes those of its form, and parts come out.

A reader is imported when it is asked first: a folder of line files needs none but their own.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from mtsig.readers._files import Closed, File, opened
from mtsig.readers._layouts import (
    OUTPUTS,
    PARSES,
    WMT_NAME,
    line_file_parts,
    line_files,
    mt_metrics_eval,
    mt_metrics_eval_parts,
    parse_parts,
    wmt_named,
    wmt_named_parts,
)
from mtsig.readers._names import FOLDERS, name_of
from mtsig.readers._parts import Marks, Part, Placed, Reader, by_suffix, ignored, placed


def _late(module: str, name: str) -> Callable[..., Any]:
    """Return a function of one of these modules that is imported when it is first called."""

    def call(*given: Any) -> Any:
        return getattr(import_module(f"mtsig.readers.{module}"), name)(*given)

    return call


def _each(module: str, name: str) -> Callable[[Sequence[Placed]], list[list[Part]]]:
    """Return what reads every file by itself with a function that is imported late."""
    read = _late(module, name)
    return lambda files: [read(one.file) for one in files]


def _log(what: str, module: str, name: str, *suffixes: str, called: str | None = None) -> Reader:
    """Return the reader of logs of a program that evaluates models: a test set for each task."""
    claims, parts = _late(module, f"{name}_claims"), _late(module, f"{name}_parts")
    return Reader(what, claims, parts, Marks(suffixes, re.compile(called) if called else None), waits=True)


def _json_claims(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
    """Return the files of JSON that stand out; beside other texts those alone that lie in systems/ or refs/."""
    return [one for one in by_suffix(*_JSON)(files, alone) if alone or one.folder]


_JSON, _SGM, _TABLES = (".json", ".jsonl"), (".sgm", ".sgml"), (".tsv", ".csv")
_RATED = frozenset(folder for folder, role in FOLDERS.items() if role == "ratings")

BENCHMARKS: Mapping[str, Reader] = {
    "lm-eval": _log(
        "lm-evaluation-harness: samples_*.jsonl of --log_samples, with the results_*.json beside them",
        "_harness", "lm_eval", *_JSON,
    ),
    "helm": _log(
        "HELM: per_instance_stats.json, with run_spec.json and scenario_state.json, a folder a run",
        "_logs", "helm", called=r"per_instance_stats\.json(\.gz)?",
    ),
    "lighteval": _log(
        "lighteval: details_*.parquet of --save-details", "_harness", "lighteval", ".parquet"
    ),
    "inspect": _log("Inspect: logs in .eval archives or in JSON", "_logs", "inspect", ".eval", ".json"),
}  # fmt: skip
"""Logs of programs that evaluate models: a test set for each task."""

READERS: dict[str, Reader] = {
    **BENCHMARKS,
    "mt-metrics-eval": Reader(
        "mt-metrics-eval's folders: sources, references, documents, system-outputs/LP, human-scores, metric-scores",
        mt_metrics_eval, mt_metrics_eval_parts, Marks(folders={OUTPUTS}),
    ),
    "wmt-names": Reader(
        "line files with WMT's names: TESTSET.LP.src.LANG, .ref.A.LANG and .hyp.SYSTEM.LANG",
        wmt_named, wmt_named_parts, Marks(name=WMT_NAME),
    ),
    "wmt-xml": Reader(
        "WMT's XML: <doc> with <src>, <ref> and <hyp>; test suites are left out",
        by_suffix(".xml"), _each("_markup", "xml_parts"), Marks([".xml"]),
    ),
    "sgm": Reader(
        "SGM of NIST's mteval: <srcset>, <refset>, <tstset>",
        by_suffix(*_SGM), _each("_markup", "sgm_parts"), Marks(_SGM),
    ),
    "json": Reader(
        "JSON or JSON lines: objects with named texts, also WMT25's and COMET's",
        _json_claims, _late("_json", "json_files"), Marks(_JSON),
    ),
    "folder": Reader(
        "line files, called ref*, source, docids … or sorted into systems/ and refs/", line_files, line_file_parts
    ),
    "table": Reader(
        "a .tsv or .csv table: a column per text, or a row per output",
        by_suffix(*_TABLES, at_top=True), _each("_tables", "table_parts"), Marks(_TABLES), waits=True,
    ),
    "xlsx": Reader(
        "an .xlsx workbook: its first filled sheet as a table",
        by_suffix(".xlsx"), _each("_tables", "workbook_parts"), Marks([".xlsx"]), waits=True,
    ),
    "parquet": Reader(
        "a .parquet table: a column per text, or a row per output",
        by_suffix(".parquet"), _each("_tables", "parquet_parts"), Marks([".parquet"]), waits=True,
    ),
}  # fmt: skip
"""Forms of test sets, those that say most about their files first: a file is read by the first that takes it."""

BESIDE: tuple[Reader, ...] = (
    Reader("CoNLL-U: the parses of the text of the same name", by_suffix(*PARSES), parse_parts, Marks(PARSES)),
    Reader(
        "scores of segments by people or metrics, in ratings/, human/ or metrics/ or beside the texts",
        _late("_rating_files", "rating_claims"), _late("_rating_files", "rating_files"),
        Marks([".tsv", ".csv", ".score", ".jsonl", ".parquet"], folders=_RATED),
    ),
)  # fmt: skip
"""Forms of what goes with texts, and is no test set by itself; they take their files first."""


_OF_THE_HOUSE = frozenset(READERS)


def in_order() -> list[Reader]:
    """Return the readers as they are asked: those that somebody added know best what is theirs."""
    return [*BESIDE, *(READERS[name] for name in sorted(READERS, key=_OF_THE_HOUSE.__contains__))]


_UNREAD = {
    ".xls": "an old Excel workbook: save it as .xlsx",
    ".ods": "an OpenDocument sheet: save it as .xlsx or .csv",
    ".tar": "a tar archive: unpack it and give the folder",
    ".tgz": "a tar archive: unpack it and give the folder",
    ".pdf": "a PDF: save its text, one segment per line",
}
"""What is said of files that no reader takes, by their suffixes."""


def parts_of(files: Sequence[File]) -> list[Part]:
    """Return every part of the files with a guessed role; nothing is dropped: what has no role is "ignored".

    Zip archives are opened in memory. A .conllu file holds parses of the text of the same name. Folders called
    systems/, refs/, parses/, and ratings/, human/ or metrics/ decide first. Then names do: WMT's own, ref*, src or
    source*, docids or documents, domains. Where there is a systems/ folder, other files beside it are left alone;
    otherwise they are systems. Tables of scores are ratings beside the texts, too; other tables and JSON at the top are
    read where no other file is a system.

    >>> from mtsig.readers import File
    >>> from mtsig.readers._find import parts_of
    >>> files = [File("ours.txt", b"The cat sat."), File("ref.txt", b"A cat sat."), File("notes.pdf", b"%PDF")]
    >>> [(part.label, part.role) for part in parts_of(files)]
    [('ours.txt', 'system'), ('ref.txt', 'reference'), ('notes.pdf', 'ignored')]
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
    places = placed([file for _, file in left])
    at = {id(place): number for place, (number, _) in zip(places, left, strict=True)}
    asked = [reader for reader in readers if reader.marks is None or any(map(reader.marks.are_on, places))]
    for alone in (False, True):
        if alone and any(part.role == "system" for _, part in numbered):
            break
        for reader in asked:
            if reader.waits and not alone:
                continue
            taken = reader.claims(places, alone)
            names = {id(item) for item in taken}
            places = [place for place in places if id(place) not in names]
            for taken_file, parts in zip(taken, reader.parts(taken) if taken else [], strict=True):
                numbered += [(at[id(taken_file)], part) for part in parts]
    numbered += [(at[id(place)], ignored(place.file, _UNREAD.get(place.suffix, ""))) for place in places]
    return [part for _, part in sorted(numbered, key=lambda pair: pair[0])]


def _closed(file: Closed) -> Part:
    name = name_of(file.file.path.name)
    return Part(file.file.label, "system", name, problem=file.problem, file=file.file, form="archive")
