"""What a reader is: files of a test set go in, those of its form come out as parts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from mtsig.readers._rating_formats import RatingFile
from mtsig.readers.files import File
from mtsig.readers.names import folders_of, is_about_the_data, role_of_folder, shared_depth, suffix_of
from mtsig.readers.part import Part


@dataclass(frozen=True)
class Placed:
    """A file and the folders that it lies in, below the folder of the whole test set."""

    file: File
    folder: tuple[str, ...]

    @cached_property
    def rating(self) -> RatingFile:
        """The file as one that may hold scores: kept, so that who asks what it holds opens it for who reads it."""
        return RatingFile(self.file)

    @property
    def name(self) -> str:
        """The file's name."""
        return self.file.path.name

    @property
    def suffix(self) -> str:
        """The suffix of the file's name, in small letters."""
        return suffix_of(self.file.path)

    @property
    def is_about_the_data(self) -> bool:
        """Whether it is a licence, a manual, or hidden."""
        return is_about_the_data(self.name)

    @property
    def stands_out(self) -> bool:
        """Whether it lies at the top, or in a folder whose name says what the files in it are."""
        return not self.folder or (len(self.folder) == 1 and role_of_folder(self.folder) is not None)


class Claims(Protocol):
    """Picks the files that are of a form."""

    def __call__(self, files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
        """Return those of the files that are of this form.

        alone: no form has found a system yet, so that a file that could also be about the texts (a table, JSON) may be
        taken for the texts themselves.
        """


@dataclass(frozen=True)
class Reader:
    """One form of test set.

    what: the form in words. claims: which files are of this form. parts: what each of them holds, a list a file.
    """

    what: str
    claims: Claims
    parts: Callable[[Sequence[Placed]], list[list[Part]]]


def by_suffix(*suffixes: str) -> Claims:
    """Return the claim on files that are called so and stand out, whatever else there is."""

    def claims(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
        del alone
        return [
            placed
            for placed in files
            if placed.suffix in suffixes and placed.stands_out and not placed.is_about_the_data
        ]

    return claims


def when_alone(claims: Claims, in_folders: bool = False) -> Claims:
    """Return the claim that waits until no other form has found a system; with `in_folders`, not in systems/ and refs/.

    A table or JSON file beside other texts is more often about them than one of them.
    """

    def waiting(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
        return [claim for claim in claims(files, alone) if alone or (in_folders and claim.folder)]

    return waiting


def placed(files: Sequence[File]) -> list[Placed]:
    """Return the files with their folders below the folder that holds them all.

    >>> [place.folder for place in placed([File("set/systems/a.txt", b""), File("set/ref.txt", b"")])]
    [('systems',), ()]
    """
    paths = [file.path for file in files]
    depth = shared_depth(paths)
    return [Placed(file, folders_of(path)[depth:]) for file, path in zip(files, paths, strict=True)]
