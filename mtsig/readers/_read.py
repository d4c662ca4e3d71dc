"""Reading: the path of a folder, an archive or a file goes in, or files one by one, and a Corpus comes out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from mtsig._arguments import expect_arguments
from mtsig._downloads import is_test_set
from mtsig.corpus import Corpus
from mtsig.corpus._notes import quoted
from mtsig.errors import InvalidOption, ReadError, expect, find, kind_of
from mtsig.readers._assemble import assemble, of_pair, with_ratings
from mtsig.readers._files import File, is_there, refuse_no_file
from mtsig.readers._find import READERS, in_order, parts_by, parts_of
from mtsig.readers._layouts import OUTPUTS, files_of, public_parts
from mtsig.readers._names import Role, name_of, suffix_of
from mtsig.readers._parts import Part, Reader, loaded
from mtsig.readers._rating_files import named_ratings

Files: TypeAlias = str | Path | Sequence[str | Path]
"""One file, or several."""


def read(
    path: str | Path,
    reader: str | Reader | Callable[[Path], Corpus] | None = None,
    ratings: Files = (),
    language_pair: str | None = None,
) -> Corpus:
    """Return the corpus at `path`: a folder, an archive, or one file of a form in READERS.

    >>> import mtsig
    >>> from mtsig.readers._read import sample_folder
    >>> len(mtsig.read(sample_folder()))
    200

    Args:
        path: the folder or file.
        reader: a name in READERS, a Reader, or a function of the path; every file's form is found out when None.
        ratings: further files of scores, each a path or a text `[NAME=]FILE[:higher|:lower]`.
        language_pair: which one, where the files are of several.

    Raises:
        UnknownName: there is no such reader.
        ReadError: the path does not exist, a file in it cannot be understood, or nothing in it is a system output.
        AlignmentError: its texts differ in length.
        InvalidOption: an argument is of another kind.
    """
    how = 'Give the path of one folder or file, as in read("FOLDER"), or files one by one to read_files'
    expect(path, str | PathLike, how)
    expect(reader, str | Reader | Callable | None, "reader is a name in READERS, a Reader, or a function of the path")
    expect(language_pair, str | None, 'A language pair is written as in "en-de"')
    ratings = _one_by_one(ratings, "ratings")
    path = Path(path)
    chosen = find(READERS, reader, "reader") if isinstance(reader, str) else reader
    if chosen is None or isinstance(chosen, Reader):
        return assemble(with_system(path, parts_at(path, chosen)) + named_ratings(ratings), language_pair)
    corpus = chosen(path)
    expect(corpus, Corpus, f"reader is a function that returns a Corpus of {quoted(path.name)}")
    return with_ratings(corpus, named_ratings(ratings)) if ratings else corpus


def parts_at(path: str | Path, reader: Reader | None = None) -> list[Part]:
    """Return every part of the folder, archive or file at `path`, what is no part of a test set among them as ignored.

    >>> from mtsig.readers._read import parts_at, sample_folder
    >>> [(part.role, part.name) for part in parts_at(sample_folder()) if part.role in {"reference", "documents"}]
    [('documents', 'docids'), ('reference', 'ref')]

    Args:
        path: the folder or file; or, where there is none, the name of a public test set, as wmt24/en-de.
        reader: read only files of this form; every file's form is found out when None.

    Raises:
        ReadError: there is no such path, it is a pipe or a device, or the folder cannot be listed.
        NotApplicable: a public test set has not been fetched; the message says how.
    """
    name, path = str(path), Path(path)
    if not is_there(path):
        if is_test_set(name):
            return public_parts(name)
        raise ReadError(f"{path}: there is no such file or folder.")
    refuse_no_file(path.stat().st_mode, name)
    if path.is_dir() and path.parent.name == OUTPUTS:
        # One language pair of mt-metrics-eval's: the rest of its test set lies beside.
        return of_pair(parts_at(path.parents[1], reader), path.name)
    files, deeper = files_of(path) if path.is_dir() else ([File(path.name, path)], [])
    place = path if path.is_dir() else path.parent
    readers = in_order() if reader is None else [reader]
    parts = [_at(place, part) for part in parts_by(readers, files)]
    return parts + [Part(label, "ignored", label) for label in deeper]


def logs_at(paths: Sequence[str | Path]) -> list[Part]:
    """Return every part of logs that lie in several places, such as a folder a run, as if one folder held them.

    >>> logs_at(["runs/large", "runs/small"])
    Traceback (most recent call last):
    ...
    mtsig.errors.ReadError: runs/large: there is no such file or folder.

    Raises:
        ReadError: as `parts_at`; or a path holds no logs of a benchmark, is named twice, or lies in another.
    """
    files: list[File] = []
    firsts: dict[str, str] = {}
    places = [Path(path).resolve() for path in paths]
    folders = [place if place.is_dir() else place.parent for place in places]
    for text, path, folder in zip(map(str, paths), places, folders, strict=True):
        if not is_there(path):
            raise ReadError(f"{text}: there is no such file or folder.")
        refuse_no_file(path.stat().st_mode, text)
        if places.count(path) > 1:
            raise ReadError(f"{text} is named twice.")
        around = next((place for place in places if place in path.parents), None)
        if around is not None:
            raise ReadError(f"{text} lies in {around}, which is named, too: its logs would be read twice.")
        prefix = _end_of_its_own(folder, folders)
        held = files_of(path)[0] if path.is_dir() else [File(path.name, path)]
        firsts[f"{prefix}/"] = text
        files += [replace(file, label=f"{prefix}/{file.label}") for file in held]
    parts = parts_by(in_order(), files)
    for prefix, text in firsts.items():
        if not any(part.of_task and part.label.startswith(prefix) for part in parts):
            raise ReadError(
                f"{text} holds no logs of a benchmark. Several --data are logs of runs that are read as one; several "
                "test sets are named by --set."
            )
    return parts


def _end_of_its_own(folder: Path, folders: Sequence[Path]) -> str:
    """Return as many of a path's last folders as tell it from the others."""
    ends = ({other.parts[-count:] for other in folders if other != folder} for count in range(1, len(folder.parts)))
    count = next((count for count, taken in enumerate(ends, 1) if folder.parts[-count:] not in taken), 0)
    return "/".join(folder.parts[-count:]).lstrip("/")  # at 0 all of them, from the root on


def with_system(path: str | Path, parts: Sequence[Part]) -> list[Part]:
    """Return the parts found at `path`, provided that they may be a test set.

    >>> from mtsig.readers import File
    >>> from mtsig.readers._find import parts_of
    >>> from mtsig.readers._read import with_system
    >>> with_system("ref.txt", parts_of([File("ref.txt", b"A cat sat.")]))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    mtsig.errors.ReadError: ref.txt is a single text file. Give a folder, an archive, or a table or data ...

    Raises:
        ReadError: none of them is a system output, or the path is one line file; the message says what was found.
    """
    path = Path(path)
    if not any(part.role in {"system", "ratings"} for part in parts) or _is_line_file(path, parts):
        raise ReadError(_nothing(path, parts))
    return list(parts)


def _is_line_file(path: Path, parts: Sequence[Part]) -> bool:
    """Return whether the path is one line file, which is no test set by itself."""
    return not path.is_dir() and len(parts) == 1 and parts[0].form == "line file"


def _nothing(path: Path, parts: Sequence[Part]) -> str:
    if _is_line_file(path, parts):
        return (
            f"{path} is a single text file. Give a folder, an archive, or a table or data file that holds systems and "
            "references together; or give the reference and every system by a file of its own."
        )
    refused = [part.problem for part in parts if part.problem is not None]
    if refused:
        return "\n".join(refused)
    labels = [part.file.label if part.whole is not None and part.file is not None else part.label for part in parts]
    said = [f" ({part.form})" if part.form not in {"", "line file"} else "" for part in parts]
    given = list(dict.fromkeys(f"{label}{form}" for label, form in zip(labels, said, strict=True)))
    shown = ", ".join(given[:12]) + (f" and {len(given) - 12} more" if len(given) > 12 else "") or "nothing"
    return (
        f"{path} holds no system output; found: {shown}. Put one file per system into systems/ and references "
        "into refs/, or say of each file whether it is a system or a reference."
    )


def _at(folder: Path, part: Part) -> Part:
    """Return the part with the folder written before a problem's file name: a shell user needs the whole path."""
    return part if part.problem is None else replace(part, problem=f"{folder}/{part.problem}")


def read_sample(every_reference: bool = False) -> Corpus:
    """Return the sample corpus: with its one reference, or with all three for experiments on references.

    >>> import mtsig
    >>> len(mtsig.read_sample()), list(mtsig.read_sample().systems)[:2]
    (200, ['direct-us', 'direct'])

    Args:
        every_reference: whether to take all three.

    Raises:
        ReadError: this copy of the program came without its sample data.
        InvalidOption: an argument is of another kind.
    """
    expect_arguments(read_sample, locals())
    parts = parts_of(sample_files())
    if every_reference:
        parts += named_parts(sorted((sample_folder() / "more_refs").iterdir()), [])
    return assemble(parts)


def sample_files() -> list[File]:
    """Return the files of the sample data: Spanish to English by five routes through the Apertium engine.

    >>> from mtsig.readers._read import sample_files
    >>> [file.label for file in sample_files() if file.label.startswith("systems")][:2]
    ['systems/direct-us.txt', 'systems/direct.txt']

    Raises:
        ReadError: this copy of the program came without its sample data.
    """
    return files_of(sample_folder())[0]


def sample_folder() -> Path:
    """Return where the sample data lie: within an installed package, or beside it in a checkout.

    >>> from mtsig.readers._read import sample_folder
    >>> sorted(path.name for path in sample_folder().iterdir() if path.is_dir())
    ['more_refs', 'refs', 'systems']

    Raises:
        ReadError: this copy of the program came without its sample data.
    """
    package = Path(__file__).resolve().parents[1]
    for place in (package, package.parent):
        if (place / "sample_data" / "es-en").is_dir():
            return place / "sample_data" / "es-en"
    raise ReadError("This copy of mtsig has no sample data: neither in the package nor beside it.")


def read_files(
    references: Files | Mapping[str, str | Path],
    systems: Files | Mapping[str, str | Path],
    source: str | Path | None = None,
    documents: str | Path | None = None,
    parses: Files | Mapping[str, str | Path] = (),
    ratings: Files = (),
) -> Corpus:
    r"""Return the corpus of line files named one by one.

    >>> import mtsig, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("ref", "out"):
    ...         _ = Path(folder, f"{name}.txt").write_text("one line\nand another\n")
    ...     mtsig.read_files([f"{folder}/ref.txt"], [f"ours={folder}/out.txt"])
    <Corpus: 2 segments, 1 system (ours), 1 reference (ref), 0 ratings>

    Files may be packed with gzip; files of SGM, XML, JSON and workbooks give the texts of that role.

    Args:
        references: a path, several, texts NAME=PATH, or a mapping name -> path; without a name, the file's name
            without its last extension is taken.
        systems: the same.
        source: the path of the source, or None.
        documents: the path of a file with the document of each segment, or None.
        parses: CoNLL-U files, called like the texts they are of.
        ratings: paths, or texts `[NAME=]FILE[:higher|:lower]`.

    Raises:
        ReadError: a file cannot be understood, or two systems share a name.
        AlignmentError: files differ in length.
        InvalidOption: an argument is of another kind.
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
    r"""Return the parts of files named one by one; see `read_files`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("ref", "out"):
    ...         _ = Path(folder, f"{name}.txt").write_text("a line\nand another\n")
    ...     [(part.role, part.name) for part in named_parts([f"{folder}/ref.txt"], {"ours": f"{folder}/out.txt"})]
    [('reference', 'ref'), ('system', 'ours')]
    """
    for name, path in (("source", source), ("documents", documents)):
        expect(path, str | PathLike | None, f"{name} is the path of one file")
    parts = [part for item in _items(references, "references") for part in _named(item, "reference")]
    parts += [part for item in _items(systems, "systems") for part in _named(item, "system")]
    parts += [part for path in [source] if path is not None for part in _named(("", path), "source")]
    parts += [part for item in _items(parses, "parses") for part in _named(item, "parses")]
    return parts + [part for path in [documents] if path is not None for part in _named(("", path), "documents")]


def _one_by_one(files: Files, what: str) -> list[str | Path]:
    """Return paths one by one; a string is one path.

    Raises:
        InvalidOption: they are of another kind.
    """
    if isinstance(files, str | PathLike):
        return [files]
    how = f"{what} are a path, or a list of paths"
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
            expect(path, str | PathLike, f"{what} are paths by name; {kind_of(files)} was given")
        return [(str(name), path) for name, path in files.items()]
    items: list[tuple[str, str | Path]] = []
    for file in _one_by_one(files, what):
        name, equals, path = str(file).partition("=")
        # A file whose own name holds "=" is taken as it is.
        items.append((name, path) if equals and name and not is_there(Path(file)) else ("", file))
    return items


_ONE_BY_ONE = {".sgm", ".sgml", ".xml", ".json", ".jsonl", ".xlsx"}
"""Suffixes of files that hold several texts, also when they are named one by one: the texts of the role are taken."""


def _named(item: tuple[str, str | Path], role: Role) -> list[Part]:
    name, path = item
    file = File(str(path), Path(path))
    if suffix_of(file.path) not in _ONE_BY_ONE:
        return [loaded(Part(str(path), role, name or name_of(file.path.name), file=file, form="line file"))]
    parts = parts_of([file])
    texts = [part for part in parts if part.role in {"system", "reference", "source"}]
    chosen = [part for part in texts if part.role == role or part.problem is not None]
    # The only text of a file is what the user says that it is, whatever the file calls it.
    chosen = chosen or [replace(part, role=role) for part in texts if len(texts) == 1]
    if not chosen:
        problem = next((part.problem for part in parts if part.problem is not None), f"{path} holds no {role}.")
        return [Part(str(path), role, name or name_of(file.path.name), problem=problem, file=file)]
    return [replace(chosen[0], name=name)] if name and len(chosen) == 1 else chosen
