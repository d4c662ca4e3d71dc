"""Folders: a path goes in, the files that may belong to a test set come out; nothing is searched without end."""

from collections.abc import Iterator
from pathlib import Path

from mtsig.errors import ReadError
from mtsig.readers.benchmarks import LOGS
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
    entries = sorted(folder.iterdir())
    may_hold_logs = not by_pair and not any(entry.name.lower() in FOLDERS for entry in entries)
    for entry in entries:
        if entry.is_file():
            files.append(File(entry.name, entry))
        elif by_pair and entry.name in PLACES:
            files += _taken(folder, _below(entry))
        elif entry.name.lower() in FOLDERS:
            files += _taken(folder, (path for path in sorted(entry.iterdir()) if not path.is_dir()))
            others += [f"{entry.name}/{path.name}/" for path in sorted(entry.iterdir()) if path.is_dir()]
        elif not entry.name.startswith("."):
            logs = _logs(entry) if may_hold_logs and entry.is_dir() else []
            files += _taken(folder, iter(logs))
            if logs:
                continue
            others.append(entry.name + "/" * entry.is_dir())
        if len(files) > MOST_FILES:
            raise ReadError(f"{folder} holds more than {MOST_FILES:,} files. Give the folder of one test set.")
    return files, others


_DEEPEST = 6
"""Folders in folders that are searched for logs: lighteval puts them five deep."""


def _logs(folder: Path) -> list[Path]:
    """Return the files below a folder that are called like logs of benchmarks, whatever their folders are called."""
    paths: list[Path] = []
    looked_at = 0
    left = [(folder, 1)]
    while left:
        inner, depth = left.pop()
        for entry in inner.iterdir():
            looked_at += 1
            if looked_at > MOST_FILES and paths:
                raise ReadError(f"{folder} holds more than {MOST_FILES:,} files. Give the folder of fewer runs.")
            if looked_at > MOST_FILES:
                return []
            if entry.is_dir():
                if depth < _DEEPEST and not entry.name.startswith(".") and not entry.is_symlink():
                    left.append((entry, depth + 1))
            elif LOGS.fullmatch(entry.name):
                paths.append(entry)
    return sorted(paths)


def _taken(folder: Path, files: Iterator[Path]) -> list[File]:
    return [File(path.relative_to(folder).as_posix(), path) for path in files]


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
            yield from (path for path in sorted(entry.iterdir()) if not path.is_dir())
