"""Reading sets: paths go in, a collection of test sets comes out, each read as it would be alone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from mtsig.corpus import Corpus
from mtsig.errors import MtsigError, ReadError
from mtsig.readers import File, assemble, language_pairs, of_pair, parts_at, parts_of, read, with_system
from mtsig.readers.archives import members
from mtsig.readers.files import is_there
from mtsig.readers.names import FOLDERS, as_text
from mtsig.sets.collection import Sets

Place = str | Path
Reading = Callable[[], Corpus]


def read_sets(
    places: Place | Sequence[Place] | Mapping[str, Place],
    *,
    skip_broken: bool = False,
    called: Mapping[str, Mapping[str, str]] | None = None,
) -> Sets:
    """Return the test sets at one or several places.

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
    readings: dict[str, Reading] = {}
    for name, place in _items(places):
        for label, reading in _named(name, _at(Path(place), str(place))).items():
            if label in readings:
                raise ReadError(f"Two test sets are called {label!r}. Give one another name: NAME=PATH.")
            readings[label] = reading
    if not readings:
        raise ReadError("No test set. Give a folder that holds one in each of its folders, or NAME=PATH for each.")
    found: dict[str, Corpus] = {}
    skipped: dict[str, str] = {}
    for name, reading in readings.items():
        try:
            found[name] = reading()
        except MtsigError as error:
            if not skip_broken:
                raise type(error)(f"{name}: {error}") from None
            skipped[name] = str(error)
    if not found:
        raise ReadError("\n".join(f"{name}: {why}" for name, why in skipped.items()))
    return replace(Sets.of(found, called), skipped=skipped)


def _items(places: Place | Sequence[Place] | Mapping[str, Place]) -> list[tuple[str, Place]]:
    if isinstance(places, Mapping):
        return list(places.items())
    found: list[tuple[str, Place]] = []
    for place in [places] if isinstance(places, str | Path) else places:
        name, equals, path = str(place).partition("=")
        # A path that holds "=" itself is taken as it is.
        named = equals and name and path and not is_there(Path(place))
        found.append((name, path) if named else ("", place))
    return found


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
            held = {as_text(one.name): _at(one, str(one)) for one in inner}
            # Of several folders each gives its sets its name; one that holds nothing else stands for what is in it.
            return next(iter(held.values())) if len(held) == 1 else _merged(held)
    packed = _packed(path) if path.is_file() and path.suffix.lower() == ".zip" else {}
    if len(packed) > 1:
        return {name: _unpacked(name, files) for name, files in packed.items()}
    return _pairs(path, written) or {as_text(path.stem if path.is_file() else path.name): lambda: read(written)}


def _merged(held: Mapping[str, dict[str, Reading]]) -> dict[str, Reading]:
    return {label: one for name, readings in held.items() for label, one in _named(name, readings).items()}


def _folders(path: Path) -> list[Path]:
    """Return the folders in a folder that may be sets; none where it is a test set itself."""
    try:
        inner = [one for one in sorted(path.iterdir()) if one.is_dir() and not one.name.startswith(".")]
    except OSError as error:
        raise ReadError(f"{path}: cannot be listed ({error.strerror or error}).") from None
    if not inner or any(one.name.lower() in FOLDERS for one in inner):
        return []
    # Licences and notes beside the folders look like systems; with a reference among them they are a set.
    return [] if any(part.role == "reference" for part in parts_at(path)) else inner


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
        return lambda: assemble(with_system(path, of_pair(held, pair)))

    return {pair: reading(pair) for pair in pairs}


def _unpacked(name: str, files: Sequence[File]) -> Reading:
    return lambda: assemble(with_system(name, parts_of(files)))


def _packed(path: Path) -> dict[str, list[File]]:
    """Return the files of an archive by the folder that they are in, where each folder may be a set."""
    held = [(PurePosixPath(name), content) for name, content in members(path.name, File(path.name, path).data)]
    held = [(name, content) for name, content in held if not any(part.startswith(".") for part in name.parts)]
    # What was packed may be the folder of the folders.
    while len({name.parts[0] for name, _ in held}) == 1 and all(len(name.parts) > 1 for name, _ in held):
        held = [(PurePosixPath(*name.parts[1:]), content) for name, content in held]
    found: dict[str, list[File]] = {}
    for name, content in held:
        if len(name.parts) > 1:
            inside = str(PurePosixPath(*name.parts[1:]))
            found.setdefault(name.parts[0], []).append(File(f"{path.name}/{name}", content, inside))
    return {} if any(folder.lower() in FOLDERS for folder in found) else found
