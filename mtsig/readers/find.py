"""Finding: files go in, every reader takes those of its form, and parts come out; nothing is dropped."""

from collections.abc import Sequence

from mtsig.readers.benchmarks import BENCHMARKS
from mtsig.readers.files import Closed, File, opened
from mtsig.readers.json_files import JSON
from mtsig.readers.line_files import LINE_FILES
from mtsig.readers.mt_metrics_eval import MT_METRICS_EVAL
from mtsig.readers.names import name_of
from mtsig.readers.parquet_table import PARQUET
from mtsig.readers.parsed import PARSES
from mtsig.readers.part import Part, ignored
from mtsig.readers.reader import Reader, placed
from mtsig.readers.scores import RATINGS
from mtsig.readers.sgm import SGM
from mtsig.readers.table import TABLE
from mtsig.readers.wmt_names import WMT_NAMES
from mtsig.readers.wmt_xml import WMT_XML
from mtsig.readers.workbook import WORKBOOK

READERS: dict[str, Reader] = {
    **BENCHMARKS,
    "mt-metrics-eval": MT_METRICS_EVAL,
    "wmt-names": WMT_NAMES,
    "wmt-xml": WMT_XML,
    "sgm": SGM,
    "json": JSON,
    "folder": LINE_FILES,
    "table": TABLE,
    "xlsx": WORKBOOK,
    "parquet": PARQUET,
}
"""Forms of test sets, those that say most about their files first: a file is read by the first that takes it."""

_UNREAD = {
    ".xls": "an old Excel workbook: save it as .xlsx",
    ".ods": "an OpenDocument sheet: save it as .xlsx or .csv",
    ".tar": "a tar archive: unpack it and give the folder",
    ".tgz": "a tar archive: unpack it and give the folder",
    ".pdf": "a PDF: save its text, one segment per line",
}
"""What is said of files that no reader takes, by their suffixes."""

BESIDE: tuple[Reader, ...] = (PARSES, RATINGS)
"""Forms of what goes with texts, and is no test set by itself; they take their files first."""


def parts_of(files: Sequence[File]) -> list[Part]:
    """Return every part of the files with a guessed role; nothing is dropped: what has no role is "ignored".

    Zip archives are opened in memory. A .conllu file holds parses of the text of the same name. Folders called
    systems/, refs/, parses/, and ratings/, human/ or metrics/ decide first. Then names do: WMT's own, ref*, src or
    source*, docids or documents, domains. Where there is a systems/ folder, other files beside it are left alone;
    otherwise they are systems. Tables of scores are ratings beside the texts, too; other tables and JSON at the top are
    read where no other file is a system.

    >>> from mtsig.readers import File, parts_of
    >>> files = [File("ours.txt", b"The cat sat."), File("ref.txt", b"A cat sat."), File("notes.pdf", b"%PDF")]
    >>> [(part.label, part.role) for part in parts_of(files)]
    [('ours.txt', 'system'), ('ref.txt', 'reference'), ('notes.pdf', 'ignored')]
    """
    return parts_by([*BESIDE, *READERS.values()], files)


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
    for alone in (False, True):
        if alone and any(part.role == "system" for _, part in numbered):
            break
        for reader in readers:
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
