"""Names: what a file or column is called goes in, the role that the name suggests comes out."""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Literal, get_args

Role = Literal[
    "system", "reference", "source", "documents", "domains", "original languages", "parses", "ratings", "ignored"
]
ROLES: tuple[Role, ...] = get_args(Role)


def as_text(name: str) -> str:
    r"""Return a name that can be written as UTF-8: bytes of a file's name that are no text are written out as \xe8.

    >>> as_text("syst\udce8me")
    'syst\\xe8me'
    """
    try:
        content = name.encode("utf-8", errors="surrogateescape")
    except UnicodeEncodeError:  # half a character, as JSON can hold it
        content = name.encode("utf-8", errors="backslashreplace")
    return content.decode("utf-8", errors="backslashreplace")


NOT_LINES = {
    ".md", ".json", ".jsonl", ".py", ".sh", ".xml", ".sgm", ".sgml", ".html", ".yaml", ".yml", ".toml", ".gz", ".zip",
    ".tar", ".tgz", ".pdf", ".png", ".jpg", ".svg", ".xlsx", ".xls", ".log", ".score", ".conllu", ".conll",
    ".ods", ".parquet", ".eval",
}  # fmt: skip
"""Suffixes of files that are no line files."""

TABLE_SUFFIXES = frozenset({".tsv", ".csv"})

_ABOUT_THE_DATA = re.compile(r"(readme|licen[cs]e|changelog|copying|notice|makefile)", re.IGNORECASE)

_OF_PROGRAMS = re.compile(r"\..*|.*~|#.*#|.*\.(bak|swp)|~\$.*|thumbs\.db|desktop\.ini", re.IGNORECASE)
"""Hidden files, editors' copies of files, and what systems leave in folders."""

_REF_INSIDE = re.compile(r"\.ref[a-z0-9]?(\.|$)")
"""A piece of a name between dots: ted.ref.detok, newstest.refA."""

FOLDERS: dict[str, Role] = {
    "systems": "system",
    "systems-jsonl": "system",
    "system-outputs": "system",
    "refs": "reference",
    "references": "reference",
    "sources": "source",
    "parses": "parses",
    "ratings": "ratings",
    "human": "ratings",
    "metrics": "ratings",
}
"""Folders whose name says what the files in them are."""

# What columns are called, in texts and ratings alike, as `plain_name` writes it. Words that mean one thing among texts
# and another among ratings stand apart, with the reason.

SEGMENTS = {
    "segment", "seg", "seg_id", "segid", "segment_id", "segment_number", "line", "line_id", "line_number",
    "sentence_id", "global_seg_id",
}  # fmt: skip
"""Columns that number the segments of a test set."""

SENTENCE = "sentence"
"""Among ratings the number of a segment; in a table of texts as likely the text itself."""

IN_DOCUMENT = {"seg_in_doc", "segment_in_doc", "segment_in_document", "par", "par_id", "paragraph", "paragraph_id"}
"""Columns that number the segments of a document."""

COUNTERS = SEGMENTS | IN_DOCUMENT | {"", "id", "index", "sid", "item"}
"""Columns of texts that number segments; in a table of ratings the last ones may well number the judgements."""

DOCUMENTS = {"doc", "docid", "doc_id", "document", "document_id"}
DOCUMENT_FILES = {"documents", "docids", "doc_ids", "docid", "doc_id", "document_ids", "document_id", "documentids"}
"""Names of files that hold the document of each line."""

_MAYBE_DOCUMENT_FILES = {"docs", "doc", "document"}
"""Names of files that may as well hold texts: their lines say which."""

DOMAINS = {"domain", "domains", "genre"}
ORIGINAL_LANGUAGES = {"origlang", "orig_lang", "original_language"}
SOURCES = {"src", "source", "src_text", "source_text"}

MODEL = "model"
"""Names the system of a row, or holds the texts of a system called so, or says of all rows by what they were made."""

SYSTEMS = {"system", "sys", "system_id", "sysid", "sys_id", "system_name", "mt_system", MODEL}
"""Columns that name the system of a row."""

JUDGES = {"judge", "judge_id", "rater", "rater_id", "annotator", "annotator_id", "assessor", "evaluator"}
"""Columns that name who rated."""

OUTPUTS = {"hyp", "hypothesis", "mt", "translation", "output", "tgt_text", "system_output"}
"""Columns that hold the outputs of one system, or of the one named in a column of SYSTEMS."""

LANGUAGE_PAIRS = {"lp", "langs", "lang_pair", "langpair", "language_pair"}
PAIR = "pair"
"""Among texts and scores of whole systems a pair of languages; among judgements as likely one of systems."""

METADATA = LANGUAGE_PAIRS | {
    PAIR,
    "src_lang", "tgt_lang", "source_lang", "target_lang",
    "dataset_id", "collection_id", "testset", "split", "url", "prompt", "prompt_instruction", "comment",
}  # fmt: skip
"""Columns that are about texts, and never one."""

TARGETS = {"target", "tgt"}
"""An output beside a column of SYSTEMS; without one, what was translated by hand: a reference."""


_NUMBERED = re.compile(r" ?\(\d+\)$")


def plain_name(column: str) -> str:
    """Return a column's name for comparison.

    >>> plain_name(" Seg ID"), plain_name("seg-id")
    ('seg_id', 'seg_id')
    """
    return re.sub(r"[\s.\-]+", "_", column.strip().lower())


def name_of(file_name: str) -> str:
    """Return what a text goes by: its file's name without the last extension, unless that is the number of a run.

    >>> name_of("systems/online.txt".split("/")[-1]), name_of("hyps.base.opt0"), name_of("base.run1.txt")
    ('online', 'hyps.base.opt0', 'base.run1')
    """
    stem, dot, suffix = file_name.rpartition(".")
    return stem if dot and stem and not re.fullmatch(r"(run|opt|seed)\d+", suffix, re.IGNORECASE) else file_name


def reference_name(translator: str) -> str:
    """Return what a reference goes by whose translator is called so: refA for the letter A, as WMT's files have it.

    >>> reference_name("A"), reference_name("refB"), reference_name(""), reference_name("postedited")
    ('refA', 'refB', 'ref', 'postedited')
    """
    return "ref" + translator if len(translator) <= 2 else translator


def is_about_the_data(name: str) -> bool:
    """Return whether a file is hidden or an editor's copy, or says that it is about the data: a licence, a manual."""
    return _OF_PROGRAMS.fullmatch(name) is not None or _ABOUT_THE_DATA.match(name) is not None


def role_of_folder(folder: Sequence[str]) -> Role | None:
    """Return the role of the files in a folder, when its name says it."""
    return FOLDERS.get(folder[-1].lower()) if folder else None


def role_of_name(name: str) -> Role:
    """Return the role that a file's or column's name suggests; a name that suggests none is a system's.

    >>> role_of_name("docids (2)"), role_of_name("online (2)")
    ('documents', 'system')
    """
    # Browsers put a number behind a name that is there already.
    low = _NUMBERED.sub("", name.lower())
    if low.startswith("ref") or _REF_INSIDE.search(low):
        return "reference"
    if low == "src" or low.startswith("source"):
        return "source"
    if plain_name(low) in DOCUMENT_FILES:
        return "documents"
    if low in ORIGINAL_LANGUAGES or low in {"origlangs", "original_languages"}:
        return "original languages"
    return "domains" if low == "domains" else "system"


def may_be_documents(name: str) -> bool:
    """Return whether a file of this name may hold document ids or texts: its lines say which.

    >>> may_be_documents("docs (2)"), may_be_documents("docids")
    (True, False)
    """
    return plain_name(_NUMBERED.sub("", name)) in _MAYBE_DOCUMENT_FILES


def role_of_column(name: str) -> Role:
    """Return the role that the name of a column or field suggests."""
    plain = plain_name(name)
    if plain in COUNTERS or plain in METADATA:
        return "ignored"
    if plain in DOCUMENTS:
        return "documents"
    if plain in DOMAINS:
        return "domains"
    if plain in SOURCES:
        return "source"
    return "reference" if plain in TARGETS else role_of_name(name.strip())


def suffix_of(path: PurePosixPath) -> str:
    """Return the suffix of a path in small letters."""
    return path.suffix.lower()


def folders_of(path: PurePosixPath) -> tuple[str, ...]:
    """Return the folders of a path, from the top."""
    return tuple(piece for piece in path.parts[:-1] if piece not in {"/", ".", ".."})


def shared_depth(paths: Sequence[PurePosixPath]) -> int:
    """Return how many folders, from the top, hold all of the files; one whose name says what is in it is not counted.

    >>> shared_depth([PurePosixPath("my set/systems/a.txt"), PurePosixPath("my set/ref.txt")])
    1
    """
    folders = [folders_of(path) for path in paths]
    # A file such as .DS_Store beside the folder does not say where the test set begins.
    telling = [
        folder[:-1] if folder and folder[-1].lower() in FOLDERS else folder
        for path, folder in zip(paths, folders, strict=True)
        if not path.name.startswith(".")
    ]
    depth = 0
    for level in zip(*(telling or folders), strict=False):
        if len(set(level)) > 1:
            break
        depth += 1
    return depth
