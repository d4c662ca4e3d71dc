"""Part: one text of the corpus to be, or one rating; a file goes in, what it holds in its role comes out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mtsig.corpus import Note
from mtsig.errors import ReadError
from mtsig.readers._rating_formats import RatingFile
from mtsig.readers._scored import Scored
from mtsig.readers._sheet import Direction, name_and_direction
from mtsig.readers.conllu import Parsed, sentences_of
from mtsig.readers.files import File, lines_of
from mtsig.readers.names import ROLES, Role, as_text, name_of

__all__ = ["ROLES", "About", "Part", "Role", "ignored", "in_role", "loaded", "rating_parts"]


@dataclass(frozen=True)
class About:
    """What a form that has more than lines says of the n segments of a text; each column is None or holds n entries.

    Two texts with the same documents and ids in another order hold the same segments: they are joined by these.
    """

    documents: tuple[str, ...] | None = None
    ids: tuple[str, ...] | None = None
    domains: tuple[str, ...] | None = None
    original_languages: tuple[str, ...] | None = None

    def take(self, segments: Sequence[int]) -> "About":
        """Return what is said of these segments."""

        def pick(column: tuple[str, ...] | None) -> tuple[str, ...] | None:
            return None if column is None else tuple(column[i] for i in segments)

        return About(pick(self.documents), pick(self.ids), pick(self.domains), pick(self.original_languages))


@dataclass(frozen=True)
class Part:
    """One text of the corpus to be: its lines, the role it plays and the name it goes by.

    `lines` is None while the part is ignored and has not been read, or when it could not be; `problem` then says why.
    Scores of whole systems are `whole`, system -> score: no role among segments, but `mtsig.trust` takes them.
    Parses have `sentences` instead, and the name of the text they are of. Ratings have `scored`, what the file says of
    one rating, and `better`, which direction was declared. A line is None where the form says that this text has no
    such segment.
    form: what it was read as, in words. about: what its form says of its segments.
    language_pair: which of several test sets it belongs to, where files are sorted so. of_task: whether
    that is a task of a benchmark, whose files lie across the folders of its systems.
    """

    label: str
    role: Role
    name: str
    lines: tuple[str | None, ...] | None = field(default=None, repr=False)
    problem: str | None = None
    notes: tuple[Note, ...] = ()
    file: File | None = None
    sentences: tuple[Parsed, ...] | None = field(default=None, repr=False)
    scored: Scored | None = field(default=None, repr=False)
    whole: Mapping[str, float] | None = field(default=None, repr=False)
    better: Direction | None = None
    form: str = ""
    about: About | None = field(default=None, repr=False)
    language_pair: str | None = None
    of_task: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", as_text(self.label))
        object.__setattr__(self, "name", as_text(self.name))

    def with_role(self, role: Role) -> "Part":
        """Return the part in another role, read from its file if that has not been done; for ratings see `in_role`."""
        changed = replace(self, role=role)
        there = self.sentences if role == "parses" else self.lines
        known_problem = self.problem is not None and "parses" not in (role, self.role)
        if role in ("ignored", "ratings") or self.file is None or there is not None or known_problem:
            return changed
        return loaded(replace(changed, problem=None, notes=()))


def rating_parts(rating: RatingFile) -> list[Part]:
    """Return one part for every rating in a file, and for every judge; what is wrong with the file is its problem."""
    file = rating.file
    try:
        ratings = rating.scored()
    except ReadError as error:
        return [Part(file.label, "ratings", name_and_direction(file.path.name)[0], problem=str(error), file=file)]
    return [
        Part(
            file.label if len(ratings) == 1 else f"{file.label}, {scored.title}",
            "ratings",
            scored.title,
            notes=scored.notes,
            file=file,
            scored=scored,
            better=scored.declared,
            form="ratings",
        )
        for scored in ratings
    ]


def in_role(part: Part, role: Role) -> list[Part]:
    """Return the part in another role: several parts when its file turns out to hold several ratings.

    >>> from mtsig.readers import File, in_role, parts_of
    >>> (part,) = parts_of([File("ours.txt", b"The cat sat.")])
    >>> part.role, [changed.role for changed in in_role(part, "reference")]
    ('system', ['reference'])
    """
    if role == "ratings" and part.scored is None and part.file is not None:
        return [replace(rating, language_pair=part.language_pair) for rating in rating_parts(RatingFile(part.file))]
    return [part.with_role(role)]


def _reading(part: Part, load: Callable[[], tuple[tuple[str, ...], tuple[Note, ...]]]) -> Part:
    try:
        lines, notes = load()
    except ReadError as error:
        return replace(part, problem=str(error))
    return replace(part, lines=lines, notes=part.notes + notes)


def loaded(part: Part) -> Part:
    """Return the part with what its file holds in its role, or with the reason why it could not be read."""
    file = part.file
    if file is None:
        return part
    if part.role != "parses":
        return _reading(part, lambda: lines_of(file))
    try:
        sentences, notes = sentences_of(file)
    except ReadError as error:
        return replace(part, problem=str(error))
    return replace(part, sentences=sentences, notes=notes)


def ignored(file: File, form: str = "") -> Part:
    """Return a file that plays no role, and what it is."""
    return Part(file.label, "ignored", name_of(file.path.name), file=file, form=form)
