"""What one visitor has loaded and chosen: the files, the corpora that they make, and how to look at them."""

import pickle
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from mtsig import Corpus, MtsigError, NotApplicable, Settings
from mtsig.collection import Sets
from mtsig.collection._sets import parts_of_files
from mtsig.corpus import Note
from mtsig.corpus._notes import runs_by_name
from mtsig.doctor import check_parts
from mtsig.metrics import METRICS, Metric
from mtsig.readers import File, Part, assemble
from mtsig.readers._assemble import as_samples, language_pairs
from mtsig.readers._names import ROLES
from mtsig.readers._parts import in_role
from mtsig.readers._sheet import is_of_preferences
from mtsig.report import Naming
from mtsig.study import AnalysisPlan, Star, Study

SAMPLE = "sample"
"""The token of the sample data."""

_PAIR = re.compile(r"[a-z]{2,3}(_\w+)?-[a-z]{2,3}(_\w+)?")
"""A language pair, as test sets are named by it: others have the names of folders or tasks."""


@dataclass(frozen=True)
class Unmade:
    """Why files make no corpus, and where they probably slipped."""

    error: MtsigError
    slipped: tuple[Note, ...]


@dataclass(frozen=True)
class WayOn:
    """Files without which the others make a test set: what they are called, and their labels; or another test set."""

    what: str
    labels: frozenset[str] = frozenset()
    other_set: str | None = None


_MOST_WAYS, _MOST_TRIED, _MOST_LINES = 3, 24, 2_000_000
"""Ways on that are offered, ways that are tried, and lines that may be put together for it."""

Made = dict[str | None, Corpus | Unmade]
"""Set, None where there are no sets -> what its files make."""


_MOST_RATERS = 200
"""Raters of one rating who are a part each, as readers give them; more are one part together."""


@dataclass(frozen=True)
class Raters(Part):
    """One rating of a file by many raters, as one part that says what the first of them gave.

    A part for each of 30,000 raters takes the server seconds to receive, weigh and send on.
    packed: the raters' own parts, as only the process that makes a corpus of them opens them.
    """

    packed: bytes = field(default=b"", repr=False)

    @classmethod
    def of(cls, parts: Sequence[Part]) -> "Raters":
        """Return the parts of one rating as one."""
        held = {each.name: getattr(parts[0], each.name) for each in fields(Part)}
        name, file = _rating_of(parts[0]), held["file"].label
        # Not how many: a file that is dropped again with one rater more is the same.
        held |= {"name": name, "label": f"{file}, {name} by more than {_MOST_RATERS} raters"}
        return cls(**held, packed=pickle.dumps([replace(part, file=None) for part in parts]))

    @property
    def unpacked(self) -> list[Part]:
        """The raters' own parts, as the visitor chose this one."""
        chosen: dict[str, Any] = {"role": self.role, "better": self.better, "file": self.file}
        own: list[Part] = pickle.loads(self.packed)
        return [replace(part, **chosen, name=part.name.replace(_rating_of(part), self.name, 1)) for part in own]


def _rating_of(part: Part) -> str:
    return part.name.partition("@")[0]


def read_parts(files: Sequence[File]) -> list[Part]:
    """Return what files are, the parts of a rating's many raters as one."""
    return _together(parts_of_files(files))


def in_samples(parts: Sequence[Part], samples: Mapping[str, Sequence[str]]) -> list[Part]:
    """Return the parts with these outputs of a system renamed as its samples."""
    return _together(as_samples(every(parts), samples))


def _together(parts: Iterable[Part]) -> list[Part]:
    of_rating: dict[object, list[Part]] = {}
    for part in parts:
        rated = part.scored is not None and part.scored.rater is not None
        file = part.file.label if rated and part.file is not None else None
        key = (file, _rating_of(part), part.role, part.better, part.language_pair) if file else part.label
        of_rating.setdefault(key, []).append(part)
    joined = ([Raters.of(own)] if len(own) > _MOST_RATERS else own for own in of_rating.values())
    return [part for own in joined for part in own]


def every(parts: Iterable[Part]) -> list[Part]:
    """Return the parts as readers give them, one for each rater."""
    return [own for part in parts for own in (part.unpacked if isinstance(part, Raters) else [part])]


def size_of(part: Part) -> int:
    """Return how many lines take as long to put together; of many raters, a byte as long as a line."""
    return len(part.packed) if isinstance(part, Raters) else len(part.lines or ())


def made_of(parts: Sequence[Part]) -> Made:
    """Return what the files make, of every test set, with what is always asked of it worked out."""
    data = Data(list(parts))
    names: list[str | None] = [*data.set_names] or [None]
    made: Made = {name: data.made_of_set(name) for name in names}
    for corpus in made.values():
        if isinstance(corpus, Corpus):
            _ = corpus.digest
    return made


@dataclass
class Data:
    """The files with their roles, and what they make.

    whole: the corpus of all files, of several test sets that of the one that is meant; None when there is none that
    fits together. corpus: the part of it that was chosen. problem: why the files make no corpus. slipped: where they
    probably slipped. made: what the files of each set make, as far as it was asked. upload: the files whose chips are
    shown, id -> label. wanted_set: the test set that was asked for. dropped: the files as the visitor dropped them.
    replaced: the labels of those that the last drop put in the place of others. token: what they are kept under on
    disk, or "sample".
    own: whether they are the visitor's, and not another's that a link opened. lost: the names of the files that a link
    spoke of and that are no longer kept. on_disk: whether all dropped files are. aside: whether they were put aside,
    and are on disk only.
    """

    parts: list[Part] = field(default_factory=list)
    whole: Corpus | None = None
    corpus: Corpus | None = None
    problem: str | None = None
    slipped: tuple[Note, ...] = ()
    made: Made = field(default_factory=dict)
    upload: dict[str, str] = field(default_factory=dict)
    wanted_set: str | None = None
    dropped: dict[str, File] = field(default_factory=dict)
    replaced: tuple[str, ...] = ()
    token: str | None = None
    own: bool = True
    lost: tuple[str, ...] | None = None
    on_disk: bool = False
    aside: bool = False
    _ways: dict[str | None, list[WayOn]] = field(default_factory=dict, repr=False)

    @property
    def is_sample(self) -> bool:
        """Whether these are the sample data."""
        return self.token == SAMPLE

    @property
    def preferences(self) -> tuple[File, ...]:
        """The files that say which of two systems is better."""
        files = {part.label: part.file for part in self.parts if part.file is not None and is_of_preferences(part.form)}
        return tuple(File(file.label, file.data, file.inside) for file in files.values())

    @property
    def whose(self) -> str:
        """Whose data these are and what follows from it, for pages; empty where nobody brought any."""
        if not self.own:
            return "These data were shared with you by a link. Other visitors do not see what you change or add."
        if self.token is None or self.is_sample:
            return ""
        return "These are your own data. Others can see them only through a link with data, and cannot change them."

    @property
    def digest(self) -> str | None:
        """The beginning of the digest of all data, as links carry it; None without data."""
        return None if self.whole is None else short_digest(self.whole.digest)

    @property
    def scorable(self) -> bool:
        """Whether there is anything to compare the systems by."""
        return self.corpus is not None and bool(self.corpus.references or self.corpus.ratings)

    @property
    def used_parts(self) -> list[Part]:
        """The files that play a role, of the test set that is meant."""
        return [part for part in self.parts_of_set(self.set_name) if part.role != "ignored"]

    def parts_of_set(self, name: str | None) -> list[Part]:
        """Return the files of a test set, and those of none; all files where there are no sets."""
        return [part for part in self.parts if name is None or part.language_pair in {name, None}]

    @property
    def set_names(self) -> list[str]:
        """The test sets of the files where there are several: their language pairs, or folders; else none."""
        names = language_pairs(self.parts)
        return names if len(names) > 1 else []

    @property
    def set_name(self) -> str | None:
        """Which of several test sets is meant: the one that was asked for, or the first that can be read."""
        names = self.set_names
        if not names or self.wanted_set in names:
            return self.wanted_set if names else None
        return next((name for name in names if isinstance(self.made_of_set(name), Corpus)), names[0])

    def languages_of(self, name: str | None) -> str:
        """From which language into which a test set is translated, as in en-de; empty where files do not say."""
        names = language_pairs(self.parts_of_set(name))
        return names[0] if len(names) == 1 and _PAIR.fullmatch(names[0]) else ""

    @property
    def sets(self) -> Sets:
        """The test sets of the files; those that make no corpus are left out, with their reasons."""
        made = {name: self.made_of_set(name) for name in self.set_names}
        corpora = {name: corpus for name, corpus in made.items() if isinstance(corpus, Corpus)}
        skipped = {name: str(unmade.error) for name, unmade in made.items() if isinstance(unmade, Unmade)}
        if not corpora:
            why = "; ".join(f"{name}: {reason}" for name, reason in skipped.items())
            raise NotApplicable(f"None of these test sets can be read. {why}")
        return replace(Sets.of(corpora), skipped=skipped)

    def made_of_set(self, name: str | None) -> Corpus | Unmade:
        """Return what the files of a set make, worked out once."""
        if name not in self.made:
            parts = self.parts_of_set(name)
            try:
                self.made[name] = assemble(every(parts))
            except MtsigError as error:
                findings = check_parts([part for part in every(parts) if part.role != "ignored"])
                slipped = tuple(finding.note for finding in findings if finding.check == "lengths")
                self.made[name] = Unmade(error, slipped)
        return self.made[name]

    @property
    def ways_on(self) -> list[WayOn]:
        """What can be left out where the files make no test set, the least first; it is tried, so that each holds."""
        if self.problem is None or not self.parts:
            return []
        name = self.set_name
        if name not in self._ways:
            self._ways[name] = [*self._other_sets(), *self._without_files()][:_MOST_WAYS]
        return self._ways[name]

    def _other_sets(self) -> list[WayOn]:
        readable = [name for name in self.set_names if isinstance(self.made_of_set(name), Corpus)]
        return [WayOn(f"the set {self.set_name}", other_set=readable[0])] if readable else []

    def _without_files(self) -> list[WayOn]:
        """Return what to leave out: the damaged files where that is enough, and also where nothing is but some stay."""
        used, there = self.used_parts, self.parts_of_set(self.set_name)
        damaged = [part for part in there if part.problem is not None]
        without_damaged = WayOn(_called(damaged), frozenset(part.label for part in damaged))
        if damaged and self._is_made_without(without_damaged.labels):
            return [without_damaged]
        lengths = Counter(len(part.lines) for part in used if part.lines is not None)
        usual = lengths.most_common(1)[0][0] if lengths else 0
        ratings = [part for part in used if part.role == "ratings"]
        odd = [part for part in used if part.lines is not None and len(part.lines) != usual]
        tried = [*([part] for part in (*ratings, *used)), ratings, odd, [*damaged, *odd, *ratings]]
        ways: dict[frozenset[str], WayOn] = {}
        lines = sum(map(size_of, used))
        for parts in tried[: min(_MOST_TRIED, 1 + _MOST_LINES // (lines + 1))]:
            labels = frozenset(part.label for part in parts)
            if labels and labels not in ways and len(ways) < _MOST_WAYS and self._is_made_without(labels):
                ways[labels] = WayOn(_called(parts), labels)
        return list(ways.values()) or [without_damaged] * (0 < len(damaged) < len(there))

    def without(self, labels: Collection[str]) -> list[Part]:
        """Return all parts, those of these labels ignored."""
        return [_left_out(part) if part.label in labels else part for part in self.parts]

    def _is_made_without(self, labels: Collection[str]) -> bool:
        parts = Data(self.without(labels)).parts_of_set(self.set_name)
        try:
            assemble(every(parts))
        except MtsigError:
            return False
        return True

    @property
    def choices(self) -> dict[str, object]:
        """What was chosen of the files, as plain JSON."""
        parts = [
            {
                **{name: getattr(part, name) for name in ("label", "role", "name", "better")},
                "damaged": part.problem is not None,
            }
            for part in self.parts
        ]
        return {"parts": parts, "set": self.wanted_set}

    def assemble(self, parts: Sequence[Part], making: Callable[[Sequence[Part]], Made]) -> None:
        """Take what the parts make; what is wrong with them is kept as the problem.

        making: makes what is to be made elsewhere; all else is made here when it is asked for.
        """
        if list(parts) != self.parts:
            self.parts, self.made = list(parts), making(parts)
        self.problem, self.slipped, self._ways = None, (), {}
        made = self.made_of_set(self.set_name)
        self.corpus = self.whole = made if isinstance(made, Corpus) else None
        if isinstance(made, Unmade):
            self.problem, self.slipped = str(made.error), made.slipped

    def fail(self, message: str) -> None:
        """Keep the reason why nothing could be loaded."""
        self.parts, self.made, self.whole, self.corpus = [], {}, None, None
        self.problem, self.slipped = message, ()

    def are_new(self, uploads: Mapping[str, str]) -> bool:
        """Return whether there are files among these (id -> label) that were not there before."""
        return not self.upload.keys() >= uploads.keys()


def _left_out(part: Part) -> Part:
    """Return the part ignored; the reason why it cannot be read becomes a note, as nobody need act on it any more."""
    notes = part.notes if part.problem is None else (Note("note", f"Left out: {part.problem}"),)
    return replace(part, role="ignored", problem=None, notes=notes)


def _called(parts: Sequence[Part]) -> str:
    """Return what parts are called together, where they are left out."""
    files = files_of(parts)
    if 1 in (len(parts), len(files)):
        return parts[0].label if len(parts) == 1 else files[0]
    of_ratings = all(part.role == "ratings" for part in parts)
    return f"these {len(files)} {'files of ratings' if of_ratings else 'files'}"


def files_of(parts: Sequence[Part]) -> list[str]:
    """Return the labels of the files that hold the parts; a file may hold several."""
    return list(dict.fromkeys(part.label if part.file is None else part.file.label for part in parts))


def short_digest(digest: str) -> str:
    """Return the beginning of a digest, as addresses have it: enough to tell data apart, and to read aloud."""
    return digest.removeprefix("sha256:")[:12]


def as_chosen(part: Part, chosen: Mapping[str, str] | None) -> list[Part]:
    """Return a part as it was chosen before; as it was guessed where nothing is known of it."""
    if chosen is None:
        return [part]
    better = next((direction for direction in ("higher", "lower") if direction == chosen["better"]), None)
    changed = replace(part, name=chosen["name"], better=better)
    role = next((known_role for known_role in ROLES if known_role == chosen["role"]), part.role)
    if role == "ignored" and not chosen.get("damaged", True):
        return [_left_out(changed)]
    return [changed] if role == part.role else in_role(changed, role)


LONGEST_NOTE = 10_000
"""Characters of what is noted of a segment."""


@dataclass(frozen=True)
class Choices:
    """What the bar says: metrics, the first being the one the pages open with, settings, and the family.

    joined: whether the comparisons of all metrics are corrected together.
    """

    metrics: tuple[Metric, ...] = (METRICS["bleu"],)
    settings: Settings = field(default_factory=Settings)
    joined: bool = False


@dataclass
class Selection:
    """What was chosen of the data, and how to look at it.

    slices: way to slice -> names; empty for the whole test set. run_of: output -> the system that it is said to be a
    run of. plan: the analysis plan that was given, and study: the study made before that was opened; they outlive a
    change of page, which drops uploaded files. naming: what systems are called in the paper, and which of them its
    figures and tables leave out. stars: digest of the corpus -> number of a starred segment -> what was noted of it.
    """

    slices: dict[str, tuple[str, ...]] = field(default_factory=dict)
    run_of: dict[str, str] = field(default_factory=dict)
    plan: AnalysisPlan | None = None
    study: Study | None = None
    choices: Choices = field(default_factory=Choices)
    naming: Naming = field(default_factory=Naming)
    stars: dict[str, dict[int, str]] = field(default_factory=dict)

    @property
    def kept(self) -> dict[str, object]:
        """What of it is kept on disk beside the data, as plain JSON."""
        naming = {"names": dict(self.naming.names), "hidden": list(self.naming.hidden)}
        return {"slices": self.slices, "runs": self.run_of, "stars": self.stars, "naming": naming}

    def take_kept(self, kept: Mapping[str, Any]) -> None:
        """Take what was kept on disk."""
        self.slices = {by: tuple(names) for by, names in kept.get("slices", {}).items()}
        self.run_of = dict(kept.get("runs", {}))
        naming = kept.get("naming", {})
        self.naming = Naming(dict(naming.get("names", {})), tuple(naming.get("hidden", ())))
        self.stars = {
            digest: {int(number): note for number, note in starred.items()}
            for digest, starred in kept.get("stars", {}).items()
        }

    def starred(self, digest: str) -> dict[int, str]:
        """Return the segments of a corpus that are starred, with their notes."""
        return self.stars.get(digest, {})

    def star(self, digest: str, number: int) -> None:
        """Star a segment, or take its star away, and what was noted with it."""
        starred = self.stars.setdefault(digest, {})
        if starred.pop(number, None) is None:
            starred[number] = ""

    def note(self, digest: str, number: int, text: str) -> None:
        """Note something of a starred segment, in LONGEST_NOTE characters at most."""
        self.stars[digest][number] = text[:LONGEST_NOTE]

    def stars_of(self, corpus: Corpus) -> tuple[Star, ...]:
        """Return the stars as a study keeps them: by the segments' numbers in the data."""
        starred = sorted(self.starred(corpus.digest).items())
        return tuple(Star(corpus.numbers[place], note) for place, note in starred)

    def take_stars(self, corpus: Corpus, stars: Sequence[Star]) -> None:
        """Take the stars of a study beside those that are there; what is no segment of the corpus is left out."""
        places = corpus.places
        taken = {places[star.segment]: star.note for star in stars if star.segment in places}
        self.stars[corpus.digest] = taken | self.starred(corpus.digest)

    def systems(self, outputs: Sequence[str]) -> dict[str, str]:
        """Return for every output the system it is a run of: as the visitor said, else as its name says."""
        named = {run: system for system, several in runs_by_name(outputs).items() for run in several}
        return {output: self.run_of.get(output, named[output]) for output in outputs}

    def grouped(self, outputs: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return system -> its runs."""
        runs: dict[str, list[str]] = {}
        for output, system in self.systems(outputs).items():
            runs.setdefault(system, []).append(output)
        return {system: tuple(several) for system, several in runs.items()}

    def runs(self, outputs: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return system -> its runs, for the systems that have several."""
        return {system: several for system, several in self.grouped(outputs).items() if len(several) > 1}
