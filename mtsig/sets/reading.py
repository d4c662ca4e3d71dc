"""Reading sets: a path or several go in, a collection of test sets comes out, each read as it would be alone."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from mtsig.corpus import Corpus
from mtsig.errors import MtsigError, ReadError
from mtsig.readers import File, Part, assemble, language_pairs, of_pair, parts_at, parts_of, read, with_system
from mtsig.readers.archives import members
from mtsig.readers.files import is_there, refuse_no_file
from mtsig.readers.names import FOLDERS
from mtsig.sets.collection import Sets

Reading = Callable[[], Corpus]


def read_sets(
    path: str | Path | None = None,
    named: Mapping[str, str | Path] | Iterable[str] = (),
    *,
    skip_broken: bool = False,
    called: Mapping[str, Mapping[str, str]] | None = None,
) -> Sets:
    """Return the test sets at a path, and those that are named one by one.

    Args:
        path: a folder with a test set in each of its folders, a folder of several language pairs as WMT and
            mt-metrics-eval have them, or a zip archive of either. Sets are called like their folders or pairs.
        named: further sets, name -> path, or texts NAME=PATH; a path that holds several language pairs gives as many
            sets, NAME/PAIR.
        skip_broken: leave out sets that cannot be read, and say so; else the first of them stops everything.
        called: as `Sets.of` takes it.

    Raises:
        ReadError: there is nothing, a set cannot be read, or two have the same name; the message names the set.
    """
    readings = {} if path is None else _at(Path(path))
    for name, place in _items(named):
        several = _of_pairs(str(place), lambda place=place: parts_at(place))
        own = {f"{name}/{pair}": one for pair, one in several.items()} or {name: lambda place=place: read(place)}
        for label, reading in own.items():
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


def _items(named: Mapping[str, str | Path] | Iterable[str]) -> list[tuple[str, str | Path]]:
    if isinstance(named, Mapping):
        return list(named.items())
    found: list[tuple[str, str | Path]] = []
    for text in named:
        name, equals, place = text.partition("=")
        if not (equals and name.strip() and place):
            raise ReadError(f"A test set is named as NAME=PATH; found {text!r}.")
        if name in dict(found):
            raise ReadError(f"Two test sets are called {name!r}. Give one another name: NAME=PATH.")
        found.append((name, place))
    return found


def _at(path: Path) -> dict[str, Reading]:
    """Return how each of the sets at a path is read, by their names."""
    if not is_there(path):
        raise ReadError(f"{path}: there is no such file or folder.")
    refuse_no_file(path.stat().st_mode, str(path))
    if path.is_dir():
        folders = _folders(path)
        if folders:
            return {one.name: (lambda one=one: read(one)) for one in folders}
        several = _of_pairs(str(path), lambda: parts_at(path))
        return several or {path.name: lambda: read(path)}
    if path.suffix.lower() != ".zip":
        return _of_pairs(str(path), lambda: parts_at(path)) or {path.stem: lambda: read(path)}
    packed = _packed(path)
    if len(packed) > 1:
        return {name: (lambda name=name, files=files: _unpacked(name, files)) for name, files in packed.items()}
    return _of_pairs(str(path), lambda: parts_at(path)) or {path.stem: lambda: read(path)}


def _folders(path: Path) -> list[Path]:
    """Return the folders of a folder, provided that it is no test set itself: those that may be sets."""
    inner = [one for one in sorted(path.iterdir()) if one.is_dir() and not one.name.startswith(".")]
    if any(one.name.lower() in FOLDERS for one in inner) or len(inner) < 1:
        return []
    # A folder of line files beside other folders is a set of its own; notes and licences are none.
    beside = parts_at(path)
    is_set = any(part.role in {"system", "ratings"} for part in beside) and len(inner) < 2
    return [] if is_set else inner


def _of_pairs(label: str, parts: Callable[[], Sequence[Part]]) -> dict[str, Reading]:
    """Return how each language pair is read where there are several."""
    held = parts()
    pairs = language_pairs([part for part in held if part.role != "ignored"])
    if len(pairs) < 2:
        return {}
    return {pair: (lambda pair=pair: assemble(with_system(label, of_pair(held, pair)))) for pair in pairs}


def _packed(path: Path) -> dict[str, list[File]]:
    """Return the files of an archive by the folder of the set that they are of; what lies beside folders is left."""
    held = [(PurePosixPath(name), content) for name, content in members(path.name, File(path.name, path).data)]
    held = [(name, content) for name, content in held if not any(part.startswith(".") for part in name.parts)]
    # What was packed may be the folder of the folders.
    while held and len({name.parts[0] for name, _ in held}) == 1 and all(len(name.parts) > 2 for name, _ in held):
        held = [(PurePosixPath(*name.parts[1:]), content) for name, content in held]
    found: dict[str, list[File]] = {}
    for name, content in held:
        if len(name.parts) > 1:
            found.setdefault(name.parts[0], []).append(
                File(f"{path.name}/{name}", content, str(PurePosixPath(*name.parts[1:])))
            )
    return {} if any(folder.lower() in FOLDERS for folder in found) else found


def _unpacked(name: str, files: Sequence[File]) -> Corpus:
    return assemble(with_system(name, parts_of(files)))
