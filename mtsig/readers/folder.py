"""Folders: a path goes in, the files that may belong to a test set come out; nothing is searched without end."""

from collections.abc import Iterator
from pathlib import Path

from mtsig.errors import ReadError
from mtsig.readers.files import File
from mtsig.readers.mt_metrics_eval import OUTPUTS, PLACES
from mtsig.readers.names import FOLDERS

MOST_FILES = 20_000
"""Files that are looked at in one folder."""


def files_of(folder: Path) -> tuple[list[File], list[str]]:
    """Return the files of a folder and of those in it whose names are known, and the names of its other folders.

    A folder that holds nothing but one other folder stands for that. Pipes, devices and broken links in folders of
    known names are among the files: whoever reads one is told what it is.

    Raises:
        ReadError: the folder cannot be listed, or holds too many files.
    """
    try:
        return _files_of(_only_inner(folder))
    except OSError as error:
        raise ReadError(f"{folder}: cannot be listed ({error.strerror or error}).") from None


def _files_of(folder: Path) -> tuple[list[File], list[str]]:
    files: list[File] = []
    others: list[str] = []
    by_pair = (folder / OUTPUTS).is_dir()
    for entry in sorted(folder.iterdir()):
        if entry.is_file():
            files.append(File(entry.name, entry))
        elif by_pair and entry.name in PLACES:
            files += _taken(folder, _below(entry))
        elif entry.name.lower() in FOLDERS:
            files += _taken(folder, (one for one in sorted(entry.iterdir()) if not one.is_dir()))
            others += [f"{entry.name}/{one.name}/" for one in sorted(entry.iterdir()) if one.is_dir()]
        elif not entry.name.startswith("."):
            others.append(entry.name + "/" * entry.is_dir())
        if len(files) > MOST_FILES:
            raise ReadError(f"{folder} holds more than {MOST_FILES:,} files. Give the folder of one test set.")
    return files, others


def _taken(folder: Path, files: Iterator[Path]) -> list[File]:
    return [File(one.relative_to(folder).as_posix(), one) for one in files]


def _only_inner(folder: Path) -> Path:
    """Return the only folder in a folder that holds nothing else, or the folder itself."""
    shown = [entry for entry in folder.iterdir() if not entry.name.startswith(".")]
    if len(shown) == 1 and shown[0].is_dir() and shown[0].name.lower() not in FOLDERS:
        return shown[0]
    return folder


def _below(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder, and of the folders of language pairs in it."""
    for entry in sorted(folder.iterdir()):
        if not entry.is_dir():
            yield entry
        elif not entry.name.startswith("."):
            yield from (one for one in sorted(entry.iterdir()) if not one.is_dir())
