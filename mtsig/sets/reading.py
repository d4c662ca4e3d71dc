"""Reading sets: paths or files go in, a collection of test sets comes out, each read as it would be alone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from mtsig.corpus import Corpus
from mtsig.errors import MtsigError, ReadError
from mtsig.readers import (
    FOLDERS,
    LOGS,
    File,
    Part,
    as_text,
    assemble,
    ignored,
    is_there,
    language_pairs,
    members,
    of_pair,
    parts_at,
    parts_of,
    with_system,
)
from mtsig.sets.collection import Sets

Place = str | Path
Reading = Callable[[], list[Part]]


def read_sets(
    places: Place | Sequence[Place] | Mapping[str, Place],
    *,
    skip_broken: bool = False,
    called: Mapping[str, Mapping[str, str]] | None = None,
) -> Sets:
    """Return the test sets at one or several places.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from mtsig.sets import read_sets
    >>> folder = Path(tempfile.mkdtemp())
    >>> for name in ("news", "talks"):
    ...     (folder / name).mkdir()
    ...     for system in ("ref", "ours", "base"):
    ...         count = (folder / name / f"{system}.txt").write_text(f"A line of {system}.")
    >>> list(read_sets(folder).corpora)
    ['news', 'talks']

    Args:
        places: a path, several paths, texts NAME=PATH, or a mapping name -> path. A path is a test set;
            or a folder with one in each of its folders; or a folder of several language pairs, as WMT and
            mt-metrics-eval have them; or a zip archive of any of these. Sets are called like their folders or language
            pairs, behind the name that is given where one place holds several.
        skip_broken: leave out sets that cannot be read, and say so; else the first of them stops everything.
        called: as `Sets.of` takes it.

    Raises:
        ReadError: there is nothing, a set cannot be read, or two have the same name; the message names the set.
    """
    corpora: dict[str, Corpus] = {}
    skipped: dict[str, str] = {}
    for name, reading in _readings(places).items():
        try:
            corpora[name] = assemble(reading())
        except MtsigError as error:
            if not skip_broken:
                raise type(error)(f"{name}: {error}") from None
            skipped[name] = str(error)
    if not corpora:
        raise ReadError("\n".join(f"{name}: {why}" for name, why in skipped.items()))
    return replace(Sets.of(corpora, called), skipped=skipped)


def parts_of_sets(places: Place | Sequence[Place] | Mapping[str, Place]) -> list[Part]:
    """Return every part of the test sets at these places, each with the name of its set as its language pair.

    A set that cannot be read is one part with the problem.

    >>> from mtsig.readers import sample_folder
    >>> from mtsig.sets import parts_of_sets
    >>> parts = parts_of_sets({"2024": sample_folder(), "2025": sample_folder()})
    >>> [(part.language_pair, part.name) for part in parts if part.role == "reference"]
    [('2024', 'ref'), ('2025', 'ref')]

    Args:
        places: as `read_sets` takes them.

    Raises:
        ReadError: there is nothing, or two sets have the same name.
    """
    return [part for name, reading in _readings(places).items() for part in _in_set(name, reading, name)]


def parts_of_files(files: Sequence[File]) -> list[Part]:
    """Return every part of files as `parts_of` does; those of several test sets have the names of their sets.

    Sets are the folders of an archive that holds several, or the archives, where each of several holds a whole one.
    What lies in an archive beside the folders of its sets plays no role and is in none of them.

    >>> from mtsig.readers import File
    >>> from mtsig.report import packed
    >>> from mtsig.sets import parts_of_files
    >>> places = [f"{pair}/{name}.txt" for pair in ("en-de", "en-ja") for name in ("ref", "ours", "theirs")]
    >>> parts = parts_of_files([File("sets.zip", packed(dict.fromkeys(places, b"It sat.")))])
    >>> sorted({part.language_pair for part in parts})
    ['en-de', 'en-ja']
    """
    archives = [file for file in files if file.path.suffix.lower() == ".zip"]
    result: list[Part] = []
    taken: list[File] = []
    for file in archives:
        packed, beside = _packed_or_none(file)
        folders = [_in_set(name, _unpacked(name, held)) for name, held in packed.items()]
        if sum(map(_is_whole, folders)) > 1:
            result += [part for parts in folders for part in parts]
            result += [ignored(loose, "it lies beside the folders of the test sets") for loose in beside]
        elif len(archives) > 1 and _is_whole(parts := parts_of([file])):
            result += [replace(part, language_pair=part.language_pair or file.path.stem) for part in parts]
        else:
            continue
        taken.append(file)
    return [*result, *parts_of([file for file in files if file not in taken])]


def _packed_or_none(file: File) -> tuple[dict[str, list[File]], list[File]]:
    try:
        return _packed(file)
    except ReadError:
        return {}, []  # reading it as files says what is wrong with it


def _is_whole(parts: Sequence[Part]) -> bool:
    """Return whether parts may be a test set by themselves: two systems, and what they are compared by."""
    roles = [part.role for part in parts if part.problem is None]
    return ("reference" in roles and roles.count("system") > 1) or "ratings" in roles


def _in_set(name: str, reading: Reading, folder: str = "") -> list[Part]:
    """Return the parts of a set, or one with the reason why there are none.

    folder: what stands before their labels, so that these differ from set to set.
    """
    try:
        parts = reading()
        pairs = language_pairs([part for part in parts if part.role != "ignored"])
        if len(pairs) > 1:
            raise ReadError(f"These files are of {len(pairs)} language pairs: {', '.join(pairs)}. Give each by itself.")
    except MtsigError as error:
        return [Part(name, "system", name, problem=str(error), language_pair=name)]
    return [
        replace(part, label=f"{folder}/{part.label}" if folder else part.label, language_pair=name)
        for part in parts
        if part.language_pair is None or part.language_pair in pairs
    ]


def _readings(places: Place | Sequence[Place] | Mapping[str, Place]) -> dict[str, Reading]:
    """Return how each of the sets at these places is read, by their names.

    Raises:
        ReadError: there is nothing, or two sets have the same name.
    """
    readings: dict[str, Reading] = {}
    for name, place in _items(places):
        for label, reading in _named(name, _at(Path(place), str(place))).items():
            if label in readings:
                raise ReadError(f"Two test sets are called {label!r}. Give one another name: NAME=PATH.")
            readings[label] = reading
    if not readings:
        raise ReadError("No test set. Give a folder that holds one in each of its folders, or NAME=PATH for each.")
    return readings


def _items(places: Place | Sequence[Place] | Mapping[str, Place]) -> list[tuple[str, Place]]:
    if isinstance(places, Mapping):
        return list(places.items())
    items: list[tuple[str, Place]] = []
    for place in [places] if isinstance(places, str | Path) else places:
        name, equals, path = str(place).partition("=")
        # A path that holds "=" itself is taken as it is.
        named = equals and name and path and not is_there(Path(place))
        items.append((name, path) if named else ("", place))
    return items


def _named(name: str, readings: dict[str, Reading]) -> dict[str, Reading]:
    if not name:
        return readings
    if len(readings) == 1:
        return dict(zip([name], readings.values(), strict=True))
    return {f"{name}/{inner}": reading for inner, reading in readings.items()}


def _at(path: Path, written: str) -> dict[str, Reading]:
    """Return how each of the sets at a path is read, by their names."""
    if path.is_dir():
        inner = _folders(path)
        if inner:
            held = {as_text(item.name): _at(item, str(item)) for item in inner}
            # Of several folders each gives its sets its name; one that holds nothing else stands for what is in it.
            return next(iter(held.values())) if len(held) == 1 else _merged(held)
    is_packed = path.is_file() and path.suffix.lower() == ".zip"
    packed = _packed(File(path.name, path))[0] if is_packed else {}
    if len(packed) > 1:
        return {name: _unpacked(name, files) for name, files in packed.items()}
    name = as_text(path.stem if path.is_file() else path.name)
    return _pairs(path, written) or {name: lambda: with_system(path, parts_at(written))}


def _merged(held: Mapping[str, dict[str, Reading]]) -> dict[str, Reading]:
    return {label: reading for name, readings in held.items() for label, reading in _named(name, readings).items()}


def _folders(path: Path) -> list[Path]:
    """Return the folders in a folder that may be sets; none where it is a test set itself."""
    try:
        inner = [folder for folder in sorted(path.iterdir()) if folder.is_dir() and not folder.name.startswith(".")]
    except OSError as error:
        raise ReadError(f"{path}: cannot be listed ({error.strerror or error}).") from None
    if not inner or any(folder.name.lower() in FOLDERS for folder in inner):
        return []
    # Licences and notes beside the folders look like systems; with a reference among them they are a set. A benchmark's
    # tasks lie across the folders of its systems.
    return [] if any(part.role == "reference" or part.of_task for part in parts_at(path)) else inner


def _pairs(path: Path, written: str) -> dict[str, Reading]:
    """Return how each language pair at a path is read, where there are several."""
    try:
        held = parts_at(written)
    except MtsigError:
        return {}  # reading it as a set says what is wrong, and whose it is
    pairs = language_pairs([part for part in held if part.role != "ignored"])
    if len(pairs) < 2:
        return {}

    def reading(pair: str) -> Reading:
        return lambda: with_system(path, of_pair(held, pair))

    return {pair: reading(pair) for pair in pairs}


def _unpacked(name: str, files: Sequence[File]) -> Reading:
    return lambda: with_system(name, parts_of(files))


def _packed(file: File) -> tuple[dict[str, list[File]], list[File]]:
    """Return the files of an archive by the folder that they are in, where each folder may be a set; and those in none.

    There are no folders where these cannot be sets.
    """
    held = [(PurePosixPath(name), content) for name, content in members(file.label, file.data)]
    held = [(name, content) for name, content in held if not any(part.startswith(".") for part in name.parts)]
    # What was packed may be the folder of the folders.
    while len({name.parts[0] for name, _ in held}) == 1 and all(len(name.parts) > 1 for name, _ in held):
        held = [(PurePosixPath(*name.parts[1:]), content) for name, content in held]
    files: dict[str, list[File]] = {}
    beside: list[File] = []
    for name, content in held:
        if len(name.parts) > 1:
            inside = str(PurePosixPath(*name.parts[1:]))
            files.setdefault(name.parts[0], []).append(File(f"{file.label}/{name}", content, inside))
        else:
            beside.append(File(f"{file.label}/{name}", content, str(name)))
    together = [inner for several in files.values() for inner in several]
    logs = any(LOGS.fullmatch(name.name) for name, _ in held)
    if logs and len(files) > 1 and any(part.of_task for part in parts_of(together)):
        return {}, beside
    return ({} if any(folder.lower() in FOLDERS for folder in files) else files), beside
