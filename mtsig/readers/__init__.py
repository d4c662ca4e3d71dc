"""Files go in, a Corpus comes out: line files, a folder of them, or one table with a column per text."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from mtsig.corpus import Corpus
from mtsig.errors import ReadError
from mtsig.readers import mtme
from mtsig.readers.assemble import assemble, with_ratings
from mtsig.readers.files import File
from mtsig.readers.named_ratings import named_ratings
from mtsig.readers.part import ROLES, Part, Role, in_role
from mtsig.readers.parts import FOLDERS, name_of, parts_of
from mtsig.readers.ratings.scales import RATING_SCALES
from mtsig.readers.table import TABLE_SUFFIXES
from mtsig.registry import find

__all__ = [
    "RATING_SCALES",
    "READERS",
    "ROLES",
    "File",
    "Part",
    "Role",
    "assemble",
    "folder_parts",
    "in_role",
    "named_parts",
    "named_ratings",
    "parsed_parts",
    "parts_of",
    "read",
    "read_files",
    "read_folder",
    "read_sample",
    "sample_files",
    "table_parts",
    "with_ratings",
]


def read(
    path: str | Path,
    reader: str | Callable[[Path], Corpus] | None = None,
    ratings: Sequence[str | Path] = (),
) -> Corpus:
    """Return the corpus at `path`: a folder of line files, or one .tsv or .csv table.

    Args:
        path: the folder or file.
        reader: a name in READERS or a function; chosen by what `path` is when None.
        ratings: further files of scores, each a path or a text `[NAME=]FILE[:higher|:lower]`.

    Raises:
        ReadError: the path does not exist, or a file in it cannot be understood.
        AlignmentError: its texts differ in length.
    """
    path = Path(path)
    if not path.exists():
        raise ReadError(f"{path}: there is no such file or folder.")
    if reader is None:
        reader = "folder" if path.is_dir() else "table"
    corpus = find(READERS, reader, "reader")(path)
    return with_ratings(corpus, named_ratings(ratings)) if ratings else corpus


def read_folder(path: Path) -> Corpus:
    """Return the corpus of a folder of line files; roles come from names (see `parts_of`), nothing is searched deeper.

    Raises:
        ReadError: there is nothing that could be a system output, or a file cannot be understood.
    """
    return assemble(folder_parts(path))


def folder_parts(path: Path) -> list[Part]:
    """Return the parts of a folder, its other folders among what is ignored.

    Raises:
        ReadError: there is nothing that could be a system output.
    """
    files, deeper = _files_of(path)
    parts = [_at(path, part) for part in parts_of(files)]
    if not any(part.role in ("system", "ratings") for part in parts):
        found = ", ".join([file.label for file in files] + deeper) or "nothing"
        raise ReadError(
            f"{path} holds no system output; found: {found}. Put one file per system into systems/ and references "
            "into refs/, or name the files with --ref and --sys."
        )
    return parts + [Part(label, "ignored", label) for label in deeper]


def _files_of(folder: Path) -> tuple[list[File], list[str]]:
    """Return the files of a folder and of its folders with a known name, and the names of all other folders."""
    if folder.parent.name == mtme.OUTPUTS:
        files, deeper = _files_of(folder.parents[1])
        return [file for file in files if mtme.belongs(file, folder.name)], deeper
    pairs = (folder / mtme.OUTPUTS).is_dir()
    known = mtme.FOLDERS if pairs else FOLDERS
    files, deeper = [], []
    for entry in sorted(folder.iterdir()):
        if entry.is_file():
            files.append(File(entry.name, entry))
        elif entry.name.lower() in known:
            for one in sorted(entry.rglob("*") if pairs else entry.iterdir()):
                if one.is_file():
                    files.append(File(one.relative_to(folder).as_posix(), one))
                elif not pairs:
                    deeper.append(f"{entry.name}/{one.name}/")
        elif not entry.name.startswith("."):
            deeper.append(entry.name + "/")
    return files, deeper


def read_sample(every_reference: bool = False) -> Corpus:
    """Return the sample corpus: with its one reference, or with all three for experiments on references.

    Raises:
        ReadError: this copy of the program came without its sample data.
    """
    parts = parts_of(sample_files())
    if every_reference:
        parts += named_parts(sorted((_sample_folder() / "more_refs").iterdir()), [])
    return assemble(parts)


def _at(folder: Path, part: Part) -> Part:
    """Return the part with the folder written before a problem's file name: a shell user needs the whole path."""
    if part.problem is None:
        return part
    return replace(part, problem=f"{folder}/{part.problem}")


def sample_files() -> list[File]:
    """Return the files of the sample data: Spanish to English by five routes through the Apertium engine.

    Raises:
        ReadError: this copy of the program came without its sample data.
    """
    return _files_of(_sample_folder())[0]


def _sample_folder() -> Path:
    package = Path(__file__).resolve().parents[1]
    # An installed copy carries the folder inside the package; in a checkout it stands beside the package.
    for place in (package, package.parent):
        if (place / "sample_data" / "es-en").is_dir():
            return place / "sample_data" / "es-en"
    raise ReadError("This copy of mtsig has no sample data: neither in the package nor beside it.")


def read_table(path: Path) -> Corpus:
    """Return the corpus of one .tsv or .csv file with a column per system, reference, source or document.

    Raises:
        ReadError: the file is no table.
    """
    return assemble(table_parts(path))


def table_parts(path: Path) -> list[Part]:
    """Return the columns of a .tsv or .csv file as parts; anything else is refused.

    Raises:
        ReadError: the file has another ending.
    """
    if path.suffix.lower() not in TABLE_SUFFIXES:
        raise ReadError(
            f"{path} is a single text file. Give a folder or a .tsv or .csv table, or name the files: "
            "--ref REFERENCE --sys SYSTEM."
        )
    return [_at(path.parent, part) for part in parts_of([File(path.name, path)])]


def read_files(
    references: Sequence[str | Path] | Mapping[str, str | Path],
    systems: Sequence[str | Path] | Mapping[str, str | Path],
    source: str | Path | None = None,
    documents: str | Path | None = None,
    parses: Sequence[str | Path] | Mapping[str, str | Path] = (),
    ratings: Sequence[str | Path] = (),
) -> Corpus:
    """Return the corpus of line files named one by one.

    References, systems and parses (CoNLL-U files, called like the texts they are of) are paths, texts NAME=PATH, or a
    mapping name -> path; without a name, the file's name without its last extension is taken. Ratings are paths, or
    texts `[NAME=]FILE[:higher|:lower]`.

    Raises:
        ReadError: a file cannot be understood, or two systems share a name.
        AlignmentError: files differ in length.
    """
    return assemble(named_parts(references, systems, source, documents, parses) + named_ratings(ratings))


def named_parts(
    references: Sequence[str | Path] | Mapping[str, str | Path],
    systems: Sequence[str | Path] | Mapping[str, str | Path],
    source: str | Path | None = None,
    documents: str | Path | None = None,
    parses: Sequence[str | Path] | Mapping[str, str | Path] = (),
) -> list[Part]:
    """Return the parts of files named one by one; see `read_files`."""
    parts = [_part(item, "reference") for item in _items(references)]
    parts += [_part(item, "system") for item in _items(systems)]
    parts += [_part(("", path), "source") for path in [source] if path is not None]
    parts += parsed_parts(parses)
    return parts + [_part(("", path), "documents") for path in [documents] if path is not None]


def parsed_parts(parses: Sequence[str | Path] | Mapping[str, str | Path]) -> list[Part]:
    """Return the parts of CoNLL-U files named one by one: paths, texts NAME=PATH, or a mapping name -> path."""
    return [_part(item, "parses") for item in _items(parses)]


def _items(files: Sequence[str | Path] | Mapping[str, str | Path]) -> list[tuple[str, str | Path]]:
    if isinstance(files, Mapping):
        return list(files.items())
    items: list[tuple[str, str | Path]] = []
    for file in files:
        name, equals, path = str(file).partition("=")
        # A file whose own name holds "=" is taken as it is.
        items.append((name, path) if equals and name and not Path(file).exists() else ("", file))
    return items


def _part(item: tuple[str, str | Path], role: Role) -> Part:
    name, path = item
    return Part(str(path), "ignored", name or name_of(Path(path).name), file=File(str(path), Path(path))).with_role(
        role
    )


READERS: dict[str, Callable[[Path], Corpus]] = {"folder": read_folder, "table": read_table}
