"""Sets: paths or named test sets go in; a collection of them, and what a metric counted on each, come out."""

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import ClassVar, Literal

from mtsig._limits import Limits, limits, within
from mtsig._results import Public
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import counted_names, listed, number_of
from mtsig.errors import InvalidOption, MtsigError, NotApplicable, ReadError, UnknownName, expect, find, unknown_name
from mtsig.metrics import Metric, Rated, Statistics, default_metrics, metric
from mtsig.metrics import measure as measure_corpus
from mtsig.metrics._counting import AUTO, Tokenizing
from mtsig.progress import done_in_order
from mtsig.readers import File, Part, _assemble, _files, _layouts, _names, _parts, _read, assemble

Sharing = Literal["shared", "separate"]
"""Whether what occurs in several sets is one unit in all of them, or another one in each."""

_TARGET = re.compile(r"(?:^|[^a-z])[a-z]{2,3}(?:_[a-z]+)*-(zh|ja|ko)(?:_[a-z]+)*(?![a-z])", re.IGNORECASE)


@dataclass(frozen=True, eq=False, repr=False)
class Sets(Public, Mapping[str, Corpus]):
    """A collection of J named test sets; systems are matched by their names.

    skipped: the unreadable sets that were left out at the user's request, with the reasons.
    """

    _uses: ClassVar[Mapping[str, str]] = {"load": "mtsig.study.read_sets({name: path})"}

    corpora: Mapping[str, Corpus]
    skipped: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, corpora: Mapping[str, Corpus], called: Mapping[str, Mapping[str, str]] | None = None) -> "Sets":
        """Return a collection of named test sets.

        Parameters
        ----------
        corpora
            A mapping from names to corpora.
        called
            A mapping from a system's name here to its name in each set that uses another name.

        Raises
        ------
        NotApplicable
            No test set is given.
        UnknownName
            A set or a system in `called` does not exist.
        InvalidOption
            A set is not a corpus, or already has a system of the new name.

        Examples
        --------
        >>> import mtsig
        >>> corpus = mtsig.read_sample()
        >>> Sets.of({"2024": corpus, "2025": corpus}, called={"baseline": {"2024": "direct", "2025": "direct-us"}})
        <Sets: 2 sets (2024, 2025)>
        """
        if not corpora:
            raise NotApplicable("There is no test set. Give at least one, as NAME=PATH.")
        for name, corpus in corpora.items():
            expect(corpus, Corpus, f"Set {name!r} must be a corpus, as read(PATH) returns it")
        renamed: dict[str, dict[str, str]] = {}
        for system, names in (called or {}).items():
            for name, own in names.items():
                if name not in corpora:
                    raise unknown_name("test set", name, corpora)
                renamed.setdefault(name, {})[own] = system
        return cls({name: _renamed(name, corpus, renamed.get(name, {})) for name, corpus in corpora.items()})

    def __getitem__(self, name: str) -> Corpus:
        """Return the set of this name."""
        if name not in self.corpora:
            raise unknown_name("test set", name, self.corpora)
        return self.corpora[name]

    def __iter__(self) -> Iterator[str]:
        """Go through the names."""
        return iter(self.corpora)

    def __len__(self) -> int:
        """Return the number of sets."""
        return len(self.corpora)

    def __repr__(self) -> str:
        """Return how many there are, and the first names."""
        return f"<Sets: {counted_names('set', self.corpora)}>"

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes on the sets that were left out, with the reasons."""
        if not self.skipped:
            return ()
        said = "; ".join(f"{name}: {why}" for name, why in self.skipped.items())
        return (Note("warning", f"Left out: {number_of(len(self.skipped), 'set')} ({said})."),)


def _renamed(name: str, corpus: Corpus, called: Mapping[str, str]) -> Corpus:
    for own, system in called.items():
        if own not in corpus.systems:
            known = ", ".join(corpus.systems)
            raise UnknownName(f"{name}: there is no system called {own!r}. Known: {known}.")
        if system in corpus.systems and system != own:
            raise InvalidOption(f"{name}: {own!r} cannot be called {system!r}: another system has this name.")
    systems = {called.get(system, system): runs for system, runs in corpus.systems.items()}
    samples = {called.get(system, system): own for system, own in corpus.samples.items()}
    return replace(corpus, systems=systems, samples=samples) if called else corpus


@dataclass(frozen=True, eq=False, repr=False)
class SetStatistics:
    """The statistics of one metric on every test set; options may differ.

    sets: the collection. of: a mapping from names to statistics. sharing: `"shared"` if a document can be in several
    sets.
    """

    sets: Sets
    of: Mapping[str, Statistics]
    sharing: Sharing = "shared"

    def __repr__(self) -> str:
        """Return the metric and the sets, in one line."""
        return f"<SetStatistics of {self.metric}: {counted_names('set', self.of)}>"

    @property
    def metric(self) -> str:
        """The metric's name."""
        return next(iter(self.of.values())).metric.name

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems of all sets, in order of appearance."""
        return tuple(dict.fromkeys(system for part in self.of.values() for system in part.systems))

    @property
    def signature(self) -> str:
        """The metric's signature; if sets differ, each signature with its sets."""
        signatures: dict[str, list[str]] = {}
        for name, part in self.of.items():
            signatures.setdefault(part.signature, []).append(name)
        if len(signatures) == 1:
            return next(iter(signatures))
        return "; ".join(f"{listed(names)}: {signature}" for signature, names in signatures.items())


def measure(
    sets: Sets,
    metric_or_name: str | Metric | None = None,
    *,
    own: Mapping[str, str | Metric] | None = None,
    sharing: Sharing = "shared",
    executor: Executor | None = None,
) -> SetStatistics:
    """Compute a metric's statistics on every test set.

    Parameters
    ----------
    sets
        The collection.
    metric_or_name
        The metric, as for `mtsig.measure`; `None` means BLEU, or the only rating. If no tokenizer is chosen and a set's
        name implies Chinese, Japanese or Korean, that language's tokenizer is used.
    own
        A mapping from the names of sets to the metric with other options for that set.
    sharing
        The treatment of shared documents; `"separate"` treats a document as a different unit in each set.
    executor
        The executor, with one job for each set; the results are identical.

    Raises
    ------
    as `mtsig.measure`, with the name of the set; InvalidOption: two sets have different metrics.

    Examples
    --------
    >>> import mtsig
    >>> sets = Sets.of({"a": mtsig.read_sample(), "b": mtsig.read_sample()})
    >>> measure(sets, "chrf")
    <SetStatistics of chrF2: 2 sets (a, b)>
    """
    expect(sets, Sets, "Give a collection of test sets, as Sets.of({name: corpus}) returns it")
    own = own or {}
    for name in own:
        sets[name]  # an unknown name is refused before anything is counted
    jobs = [(name, corpus, own.get(name, metric_or_name), limits()) for name, corpus in sets.items()]
    try:
        counted = dict(zip(sets, done_in_order(_measured, jobs, executor), strict=True))
    except UnknownName as error:
        if having := [name for name, corpus, choice, _ in jobs if _has(corpus, choice)]:
            use = f"in a shell, --only-sets {shlex.join(having)}; in Python, read_sets(…, only={having!r})"
            raise UnknownName(f"{error} Sets that have it: {listed(having)}. Use only these ({use}).") from None
        raise
    _check_one_metric(counted)
    return SetStatistics(sets, counted, sharing)


def _has(corpus: Corpus, choice: str | Metric | None) -> bool:
    """Return whether a set has the metric, or the rating, that was chosen."""
    try:
        chosen = metric(default_metrics(corpus)[0] if choice is None else choice, corpus.ratings)
    except UnknownName:
        return False
    return not isinstance(chosen, Rated) or chosen.rating in corpus.ratings


def _measured(job: tuple[str, Corpus, str | Metric | None, Limits]) -> Statistics:
    name, corpus, choice, most = job
    try:
        with within(most):
            chosen = metric(default_metrics(corpus)[0] if choice is None else choice, corpus.ratings)
            return measure_corpus(corpus, metric_of_set(chosen, name))
    except MtsigError as error:
        raise type(error)(f"{name}: {error}") from None


def metric_of_set(chosen: Metric, name: str) -> Metric:
    """Return the metric told of the target language that a set's name says, where that chooses its tokenizer."""
    said = _TARGET.search(name)
    if said is None or not isinstance(chosen, Tokenizing) or chosen.tokenize != AUTO or chosen.trg_lang:
        return chosen
    return replace(chosen, trg_lang=said[1].lower())


def _check_one_metric(statistics: Mapping[str, Statistics]) -> None:
    """Raise InvalidOption where sets were counted by metrics that are no longer one."""
    (first, first_statistics), *others = statistics.items()
    for name, other in others:
        if (other.metric.name, other.metric.higher_is_better) != (
            first_statistics.metric.name,
            first_statistics.metric.higher_is_better,
        ):
            said = [f"{_direction(m.metric)} in {at}" for at, m in ((first, first_statistics), (name, other))]
            raise InvalidOption(f"Sets are compared by one metric; found {said[0]} and {said[1]}.")


def _direction(chosen: Metric) -> str:
    return f"{chosen.name} ({'higher' if chosen.higher_is_better else 'lower'} is better)"


def names_with(statistics: SetStatistics, systems: Iterable[str]) -> list[str]:
    """Return the sets that have all of these systems."""
    wanted = set(systems)
    return [name for name, part in statistics.of.items() if wanted <= set(part.systems)]


Place = str | Path
Reading = Callable[[], list[Part]]


def read_sets(
    places: Place | Sequence[Place] | Mapping[str, Place],
    *,
    only: Sequence[str] = (),
    skip_broken: bool = False,
    called: Mapping[str, Mapping[str, str]] | None = None,
) -> Sets:
    """Read test sets from one or several paths.

    Parameters
    ----------
    places
        A path, several paths, texts NAME=PATH, or a mapping from names to paths. A path leads to a test set, a folder
        of test sets, a folder of language pairs in the layout of WMT or mt-metrics-eval, or a zip archive of these.
        Sets are named after folders or language pairs, with the given name as a prefix if a path holds several sets.
    only
        The names of the sets to read; all by default.
    skip_broken
        Whether to leave out unreadable sets and report them; if False, an unreadable set raises an error.
    called
        The names of systems, as for `Sets.of`.

    Raises
    ------
    UnknownName
        There is no set with a name in `only`.
    ReadError
        No test set is found, a set cannot be read, or two sets have the same name; the message names the set.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from mtsig.study import read_sets
    >>> folder = Path(tempfile.mkdtemp())
    >>> for name in ("news", "talks"):
    ...     (folder / name).mkdir()
    ...     for system in ("ref", "ours", "base"):
    ...         count = (folder / name / f"{system}.txt").write_text(f"A line of {system}.")
    >>> list(read_sets(folder).corpora)
    ['news', 'talks']
    """
    corpora: dict[str, Corpus] = {}
    skipped: dict[str, str] = {}
    expect(only, list | tuple, "only is a list of names of test sets")
    readings = _readings(places)
    for name in only or readings:
        reading = find(readings, name, "test set")
        try:
            corpora[name] = assemble(reading())
        except MtsigError as error:
            if not skip_broken:
                raise type(error)(f"{name}: {str(error).removeprefix(f'{name}: ')}") from None
            skipped[name] = str(error)
    if not corpora:
        raise ReadError("\n".join(f"{name}: {why}" for name, why in skipped.items()))
    return replace(Sets.of(corpora, called), skipped=skipped)


def parts_of_sets(places: Place | Sequence[Place] | Mapping[str, Place]) -> list[Part]:
    """Return every part of the test sets at these places, with the name of its set; a broken set is one part."""
    return [part for name, reading in _readings(places).items() for part in _in_set(name, reading, name)]


def parts_of_files(files: Sequence[File]) -> list[Part]:
    """Return every part of files as `parts_of` does; those of several test sets have the names of their sets.

    Sets are the folders of an archive that holds several, or the archives, where each of several holds a whole one.
    What lies in an archive beside the folders of its sets plays no role and is in none of them.
    """
    archives = [file for file in files if file.path.suffix.lower() == ".zip"]
    result: list[Part] = []
    taken: list[File] = []
    for file in archives:
        packed, beside = _packed_or_none(file)
        folders = [_in_set(name, _unpacked(name, held)) for name, held in packed.items()]
        if sum(map(_is_whole, folders)) > 1:
            result += [part for parts in folders for part in parts]
            result += [_parts.ignored(loose, "it is next to the folders of the test sets") for loose in beside]
        elif len(archives) > 1 and _is_whole(parts := _read.parts_of([file])):
            result += [replace(part, language_pair=part.language_pair or file.path.stem) for part in parts]
        else:
            continue
        taken.append(file)
    return [*result, *_read.parts_of([file for file in files if file not in taken])]


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
    """Return the parts of a set, or one with the reason for none; folder: what their labels begin with."""
    try:
        parts = reading()
        pairs = _assemble.language_pairs([part for part in parts if part.role != "ignored"])
        if len(pairs) > 1:
            raise ReadError(f"Files of {len(pairs)} language pairs: {', '.join(pairs)}. Give each pair separately.")
    except MtsigError as error:
        return [Part(name, "system", name, problem=str(error), language_pair=name)]
    return [
        replace(part, label=f"{folder}/{part.label}" if folder else part.label, language_pair=name)
        for part in parts
        if part.language_pair is None or part.language_pair in pairs
    ]


def _readings(places: Place | Sequence[Place] | Mapping[str, Place]) -> dict[str, Reading]:
    """Return how each of the sets at these places is read, by their names."""
    readings: dict[str, Reading] = {}
    for name, place in _items(places):
        for label, reading in _named(name, _at(Path(place), str(place), {})).items():
            if label in readings:
                raise ReadError(f"Two test sets are called {label!r}. Give one another name: NAME=PATH.")
            readings[label] = reading
    if not readings:
        raise ReadError("No test set. Give a folder that contains a folder for each set, or NAME=PATH for each.")
    return readings


def _items(places: Place | Sequence[Place] | Mapping[str, Place]) -> list[tuple[str, Place]]:
    if isinstance(places, Mapping):
        return list(places.items())
    items: list[tuple[str, Place]] = []
    for place in [places] if isinstance(places, str | Path) else places:
        name, equals, path = str(place).partition("=")
        # A path that holds "=" itself is taken as it is.
        named = equals and name and path and not _files.is_there(Path(place))
        items.append((name, path) if named else ("", place))
    return items


def _named(name: str, readings: dict[str, Reading]) -> dict[str, Reading]:
    if not name:
        return readings
    if len(readings) == 1:
        return dict(zip([name], readings.values(), strict=True))
    return {f"{name}/{inner}": reading for inner, reading in readings.items()}


_DEEPEST = 20
"""Folders between what is named and a test set."""


def _at(path: Path, written: str, seen: dict[Path, Path]) -> dict[str, Reading]:
    """Return how each of the sets at a path is read, by their names; seen: the folders by where their links lead."""
    if path.is_dir():
        first = seen.setdefault(path.resolve(), path)
        if first is not path:
            raise ReadError(f"{path} leads to the folder {first}, which was read already. Remove one of the two.")
        if len(path.parts) - len(next(iter(seen.values())).parts) > _DEEPEST:
            raise ReadError(f"{path}: more than {_DEEPEST} folders inside each other. Name the folder of the test set.")
        inner = _folders(path)
        if inner:
            held = {_names.as_text(item.name): _at(item, str(item), seen) for item in inner}
            # Of several folders each gives its sets its name; one that holds nothing else stands for what is in it.
            return next(iter(held.values())) if len(held) == 1 else _merged(held)
    is_packed = path.is_file() and path.suffix.lower() == ".zip"
    packed = _packed(File(path.name, path))[0] if is_packed else {}
    if len(packed) > 1:
        return {name: _unpacked(name, files) for name, files in packed.items()}
    name = _names.as_text(path.stem if path.is_file() else path.name)
    return _pairs(path, written) or {name: lambda: _read.with_system(path, _read.parts_at(written))}


def _merged(held: Mapping[str, dict[str, Reading]]) -> dict[str, Reading]:
    return {label: reading for name, readings in held.items() for label, reading in _named(name, readings).items()}


def _folders(path: Path) -> list[Path]:
    """Return the folders in a folder that may be sets; none where it is a test set itself."""
    try:
        inner = [folder for folder in sorted(path.iterdir()) if folder.is_dir() and not folder.name.startswith(".")]
    except OSError as error:
        raise ReadError(f"{path}: cannot be listed ({error.strerror or error}).") from None
    if not inner or any(folder.name.lower() in _names.FOLDERS for folder in inner):
        return []
    # Licences and notes beside the folders look like systems; with a reference among them they are a set. A benchmark's
    # tasks lie across the folders of its systems.
    below = tuple(f"{folder.name}/" for folder in inner)
    parts = _read.parts_at(path)
    at_top = any(part.role == "reference" and not part.label.startswith(below) for part in parts)
    return [] if at_top or any(part.of_task for part in parts) else inner


def _pairs(path: Path, written: str) -> dict[str, Reading]:
    """Return how each language pair at a path is read, where there are several."""
    try:
        held = _read.parts_at(written)
    except MtsigError:
        return {}  # reading it as a set says what is wrong, and whose it is
    pairs = _assemble.language_pairs([part for part in held if part.role != "ignored"])
    if len(pairs) < 2:
        return {}

    def reading(pair: str) -> Reading:
        return lambda: _read.with_system(path, _assemble.of_pair(held, pair))

    return {pair: reading(pair) for pair in pairs}


def _unpacked(name: str, files: Sequence[File]) -> Reading:
    return lambda: _read.with_system(name, _read.parts_of(files))


def _packed(file: File) -> tuple[dict[str, list[File]], list[File]]:
    """Return the files of an archive by folder, where folders may be sets, and those in none."""
    held = [(PurePosixPath(name), content) for name, content in _files.members(file.label, file.data)]
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
    logs = any(_layouts.LOGS.fullmatch(f"/{name}") for name, _ in held)
    if logs and len(files) > 1 and any(part.of_task for part in _read.parts_of(together)):
        return {}, beside
    return ({} if any(folder.lower() in _names.FOLDERS for folder in files) else files), beside
