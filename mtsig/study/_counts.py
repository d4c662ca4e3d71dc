"""Counts: a table of them, and its file, so that programs with other tools can score and resample."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from os import SEEK_END
from pathlib import Path
from typing import IO, Any, Literal, Self, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from mtsig._records import FloatArray, Mask, distinct
from mtsig._writing import file_at
from mtsig.citations import VERSION
from mtsig.collection import _families
from mtsig.corpus import Corpus, Note, inspect
from mtsig.corpus._corpus import Segments
from mtsig.corpus._notes import About, counted_names, listed
from mtsig.errors import InvalidOption, MtsigError, NotApplicable, ReadError, UnknownName, need, said_by
from mtsig.metrics import Metric, Rated, ReferenceOverlap, Statistics, metric
from mtsig.metrics._counting import COUNTING, Tokenizing
from mtsig.metrics._statistics import Kinship
from mtsig.readers._files import MOST_RATIO, json_of, to_read
from mtsig.study._request import choice_of

CountedUnit: TypeAlias = Literal["segment", "document"]


@dataclass(frozen=True, eq=False, repr=False)
class Counted:
    """Counts of one test set.

    statistics: of every metric. corpus: the set without its text: systems, documents, and digests in place of source
    lines, which tell what is the same in several sets. notes: what to know of its text.
    """

    statistics: tuple[Statistics, ...]
    corpus: Corpus
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class Counts:
    """The counts of test sets, by the names of the sets, as stored in a file.

    mtsig: the program version that counted.
    """

    of: Mapping[str, Counted]
    unit: CountedUnit
    mtsig: str = VERSION

    def __repr__(self) -> str:
        """Return the metrics and the sets, in one line."""
        metrics = listed([part.metric.name for part in next(iter(self.of.values())).statistics])
        return f"<Counts of {metrics} by {self.unit}: {counted_names('set', self.of)}>"

    def __getitem__(self, name: str) -> Counted:
        """Return the counts of a set."""
        if name not in self.of:
            raise UnknownName(f"There is no test set called {name!r}. Known: {', '.join(self.of)}.")
        return self.of[name]

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """Notes on the sets; a note that does not apply to all sets names its sets."""
        return _families.notes_of({name: part.notes for name, part in self.of.items()})


_MADE = "Counts are saved by `mtsig count --data FOLDER -o counts.parquet`."


@contextmanager
def opened(address: str | Path, mode: Literal["rb", "wb"]) -> Iterator[IO[bytes]]:
    """Yield the file at a path, or wherever fsspec finds it; at a path it is there when it is whole."""
    what = "read" if mode == "rb" else "written"
    try:
        with _file(address, mode, what) as file:
            yield file
    except FileNotFoundError:
        raise ReadError(f"{address}: there is no such file. {_MADE}") from None
    except IsADirectoryError:
        raise ReadError(f"{address} is a folder, but a file is needed here. {_MADE}") from None
    except OSError as error:
        raise ReadError(f"{address}: cannot be {what} ({error.strerror or said(error)}).") from None


def _file(address: str | Path, mode: Literal["rb", "wb"], what: str) -> AbstractContextManager[IO[bytes]]:
    if "://" not in str(address):
        path = Path(address).expanduser()
        if mode == "rb":
            return to_read(path, str(address))
        return file_at(path)
    try:
        import fsspec  # here, because only addresses need it

        opened: AbstractContextManager[IO[bytes]] = fsspec.open(str(address), mode)
    except (ImportError, ValueError) as error:  # its words for an address that it cannot serve
        raise ReadError(f"{address}: cannot be {what} here ({said(error)}).") from None
    return opened


def said(error: Exception) -> str:
    """Return the first line of an error's own words."""
    return said_by(error, "no reason was given by the library for such addresses", 200)


FORMAT = 1
"""Version of the form; a file of another one is refused."""

KEY = b"mtsig"


NAMES = ("set", "system", "document")


class KeptNote(msgspec.Struct, omit_defaults=True):
    """A note in a file: what it is about is written only where it is about something."""

    level: Literal["note", "warning"]
    text: str
    about: About = ""
    names: tuple[str, ...] = ()
    together: str = ""

    @classmethod
    def of(cls, notes: Iterable[Note]) -> tuple[Self, ...]:
        """Return notes as they are kept."""
        return tuple(cls(note.level, note.text, note.about, note.names, note.together) for note in notes)


def notes_of(kept: Iterable[KeptNote]) -> tuple[Note, ...]:
    """Return notes as they were."""
    return tuple(Note(note.level, note.text, note.about, names=note.names, together=note.together) for note in kept)


class OfMetric(msgspec.Struct):
    """What one metric counted on one set, but for the numbers: `name` stands before the columns of its k statistics.

    choice: the metric as it was asked for; counted: with what the data decided. kinships: the kin, how many others
    there are, and whether there are other references. samples: the rows of each system that has several outputs.
    """

    metric_spec: str
    counted: str
    name: str
    k: int
    whole: bool
    systems: tuple[str, ...]
    signature: str
    data_caveat: str
    notes: tuple[KeptNote, ...]
    kinships: tuple[tuple[ReferenceOverlap, int, bool], ...]
    higher_is_better: bool
    decimals: int
    untranslated: dict[str, str] = {}
    samples: dict[str, tuple[str, ...]] = {}


class OfSet(msgspec.Struct):
    """One set: its rows for each system, its digest, which columns its text has, what to know of it, its metrics."""

    name: str
    units: int
    systems: tuple[str, ...]
    digest: str
    has_documents: bool
    has_sources: bool
    notes: tuple[KeptNote, ...]
    metrics: tuple[OfMetric, ...]


class Head(msgspec.Struct):
    """What stands in the metadata. counting: the version of how the program counts."""

    format: int
    mtsig: str
    counting: int
    unit: CountedUnit
    sets: tuple[OfSet, ...]


def columns_of(sets: Sequence[OfSet]) -> dict[str, np.dtype[Any]]:
    """Return the columns of the statistics, each with the type that holds them in all sets."""
    kinds: dict[str, np.dtype[Any]] = {}
    for of in sets:
        for head in of.metrics:
            kind = np.dtype(np.float32 if head.whole else np.float64)
            for column in statistics_columns(head):
                kinds[column] = np.promote_types(kinds.get(column, kind), kind)
            kinds[size_column(head)] = np.dtype(np.int64)
    return kinds


def statistics_columns(head: OfMetric) -> list[str]:
    return [f"{head.name} {number}" for number in range(1, head.k + 1)]


def size_column(head: OfMetric) -> str:
    """Return the column of how many segments a metric counted of a document."""
    return f"{head.name} segments"


def write_counts(
    address: str | Path, many: Mapping[str, tuple[Corpus, Sequence[Statistics]]], unit: CountedUnit = "segment"
) -> None:
    """Write the counts of metrics on test sets as a Parquet table.

    Parameters
    ----------
    address
        A path, or an address that fsspec knows (s3://bucket/counts.parquet, memory://counts.parquet).
    many
        A mapping from each set to its corpus and its segment-level statistics, with the same metrics in every set.
    unit
        The unit of the counts; "document" sums the counts of each document's segments.

    Raises
    ------
    ProgramError
        Pyarrow, or a package that fsspec needs for the address, is not installed.
    ReadError
        The file cannot be written.
    InvalidOption
        A metric has no name in `METRICS`, or two metrics have the same name.
    NotApplicable
        The unit is the document, and a set has too few documents, or documents with missing segments.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import mtsig
    >>> from mtsig.study import read_counts, write_counts
    >>> path, corpus = Path(tempfile.mkdtemp()) / "counts.parquet", mtsig.read_sample()
    >>> write_counts(path, {"news": (corpus, [mtsig.measure(corpus, "bleu")])})
    >>> list(read_counts(path).of)
    ['news']
    """
    need("parquet")
    import pyarrow as pa  # here, because it takes long to load
    from pyarrow import parquet

    made = {name: [_at(name, part, unit) for part in statistics] for name, (_, statistics) in many.items()}
    heads = [_head_of(name, corpus, made[name], unit) for name, (corpus, _) in many.items()]
    for later in heads[1:]:
        if [of_metric.name for of_metric in later.metrics] != [of_metric.name for of_metric in heads[0].metrics]:
            raise InvalidOption(f"{later.name} was counted with other metrics than {heads[0].name}.")
    columns = columns_of(heads)
    metadata = {KEY: msgspec.json.encode(Head(FORMAT, VERSION, COUNTING, unit, tuple(heads)))}
    names = pa.dictionary(pa.int32(), pa.string())
    fixed = {"set": names, "system": names, "unit": pa.int64(), "document": names, "source": pa.uint64()}
    schema = pa.schema([*fixed.items(), *((name, pa.from_numpy_dtype(kind)) for name, kind in columns.items())])
    schema = schema.with_metadata(metadata)
    with opened(address, "wb") as file, parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        for of, (corpus, _) in zip(heads, many.values(), strict=True):
            for rows in _rows(of, corpus, made[of.name], unit):
                arrays = [
                    pa.array(rows[field.name], field.type) if field.name in rows else pa.nulls(of.units, field.type)
                    for field in schema
                ]
                writer.write_table(pa.Table.from_arrays(arrays, schema=schema))


def _at(name: str, statistics: Statistics, unit: CountedUnit) -> Statistics:
    if unit == "segment":
        return statistics
    try:
        pooled = statistics.at("document")
    except NotApplicable as error:
        raise NotApplicable(f"{name}: {error}") from None
    if pooled.available is not None:
        raise NotApplicable(
            f"{name}: not every system has every segment of {pooled.metric.name}, so documents can be summed only "
            "for the segments that a pair shares. Write the counts by segment (--rows segment)."
        )
    return pooled


def _head_of(name: str, corpus: Corpus, many: Sequence[Statistics], unit: CountedUnit) -> OfSet:
    metrics = [_of_metric(statistics) for statistics in many]
    names = [head.name for head in metrics]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InvalidOption(f"Two of the metrics are called {twice}: write the counts of one of them to another file.")
    outputs = (output for system in corpus.systems for output in (system, *corpus.samples.get(system, ())))
    return OfSet(
        name,
        len(corpus) if unit == "segment" else len(dict.fromkeys(corpus.documents or ())),
        tuple(output for output in outputs if any(output in head.systems for head in metrics)),
        corpus.digest,
        corpus.documents is not None,
        corpus.segments.sources is not None,
        KeptNote.of(inspect(corpus)),
        tuple(metrics),
    )


def _of_metric(statistics: Statistics) -> OfMetric:
    chosen = statistics.metric
    choice, counted = choice_of(chosen), choice_of(chosen.counted)
    if choice is None or counted is None:
        raise InvalidOption(f"The metric {chosen.name} has no name in METRICS, so its counts could not be read again.")
    rows = _by_output(statistics)
    return OfMetric(
        choice, counted, chosen.name, len(rows.values), rows.values.dtype == np.float32, rows.systems,
        statistics.signature, statistics.data_caveat, KeptNote.of(statistics.notes),
        tuple((kinship.kin, kinship.others, not kinship.only) for kinship in statistics.kinships),
        chosen.higher_is_better, chosen.decimals, dict(statistics.untranslated),
        {} if statistics.samples is None or statistics.clustered else dict(statistics.samples.of),
    )  # fmt: skip


def _by_output(statistics: Statistics) -> Statistics:
    """Return what was counted of every output, where systems have several per segment and units are segments."""
    drawn = statistics.samples
    return statistics if drawn is None or statistics.clustered else drawn.statistics


def _rows(of: OfSet, corpus: Corpus, many: Sequence[Statistics], unit: CountedUnit) -> Iterator[dict[str, Any]]:
    """Yield the columns of a system's rows, system by system; a number that is not there is masked."""
    documents, sources = corpus.documents, corpus.segments.sources
    shared: dict[str, Any] = {"set": [of.name] * of.units, "unit": np.arange(1, of.units + 1)}
    if unit == "segment":
        shared |= {} if documents is None else {"document": documents}
        shared |= {} if sources is None else {"source": _digests([line] for line in sources)}
    else:
        lines: dict[str, list[str]] = {name: [] for name in documents or ()}
        for name, line in zip(documents or (), sources or (), strict=False):
            lines[name].append(line)
        shared["document"] = list(lines)
        shared |= {} if sources is None else {"source": _digests(lines.values())}
    places = [_places(corpus, statistics, unit) for statistics in many]
    for system in of.systems:
        columns = {**shared, "system": [system] * of.units}
        for head, statistics, place in zip(of.metrics, map(_by_output, many), places, strict=True):
            if system in statistics.systems:
                columns |= _counts_of(head, statistics, place, statistics.row(system), of.units)
        yield columns


def _places(corpus: Corpus, statistics: Statistics, unit: CountedUnit) -> NDArray[np.integer]:
    """Return the row, among a system's, of every unit that is counted."""
    numbers = np.arange(len(corpus)) if statistics.numbers is None else statistics.numbers
    if unit == "segment":
        return numbers
    documents = corpus.documents or ()
    row = {name: number for number, name in enumerate(dict.fromkeys(documents))}
    return np.array([row[name] for name in dict.fromkeys(documents[number] for number in numbers.tolist())])


def _counts_of(
    head: OfMetric, statistics: Statistics, place: NDArray[np.integer], row: int, units: int
) -> dict[str, Any]:
    known = slice(None) if statistics.available is None else statistics.available[row]
    lacking = np.ones(units, dtype=bool)
    lacking[place[known]] = False
    columns = {}
    for column, values in zip(statistics_columns(head), statistics.values[:, row], strict=True):
        whole = np.zeros(units, dtype=values.dtype)
        whole[place[known]] = values[known]
        columns[column] = np.ma.MaskedArray(whole, lacking)
    if statistics.sizes is not None:
        sizes = np.zeros(units, dtype=np.int64)
        sizes[place] = statistics.sizes
        columns[size_column(head)] = np.ma.MaskedArray(sizes, lacking)
    return columns


def _digests(units: Any) -> NDArray[np.uint64]:
    """Return 64 bits that tell the lines of each unit from others."""

    def digest(lines: Sequence[str]) -> bytes:
        lengths = np.array([len(line) for line in lines], dtype="<i8").tobytes()
        return blake2b(lengths + "".join(lines).encode("utf-8", "surrogatepass"), digest_size=8).digest()

    return np.frombuffer(b"".join(map(digest, units)), dtype="<u8").astype(np.uint64)


_ROWS = 2**16
"""Rows that are read at a time."""


def read_counts(address: str | Path) -> Counts:
    """Return the counts that `write_counts` wrote.

    Parameters
    ----------
    address
        A path or an address, as for `write_counts`.

    Raises
    ------
    ProgramError
        Pyarrow, or a package that fsspec needs for the address, is not installed.
    ReadError
        The file does not exist, contains no counts or incomplete counts, or was written by an incompatible version.

    Examples
    --------
    >>> import tempfile
    >>> import mtsig
    >>> from mtsig.study import read_counts, write_counts
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     corpus = mtsig.read_sample()
    ...     write_counts(f"{folder}/counts.parquet", {"news": (corpus, [mtsig.measure(corpus, "chrf")])}, "document")
    ...     read_counts(f"{folder}/counts.parquet")
    <Counts of chrF2 by document: 1 set (news)>
    """
    need("parquet")
    import pyarrow as pa  # here, because it takes long to load
    from pyarrow import parquet

    with opened(address, "rb") as file:
        try:
            size = file.seek(0, SEEK_END)
            schema = parquet.read_schema(file)
            named = [name for name in NAMES if name in schema.names]
            table = parquet.ParquetFile(file, read_dictionary=named)
        except (pa.ArrowException, OSError) as error:
            raise ReadError(f"{address}: not a complete Parquet file ({said(error)}); write it again.") from None
        head = _head(address, schema.metadata or {})
        if any(of_set.units < 1 or of.k > len(schema.names) for of_set in head.sets for of in of_set.metrics):
            raise ReadError(f"{address}: its metadata contain impossible numbers.")
        wanted = [*NAMES, "unit", "source", *columns_of(head.sets)]
        missing = [name for name in wanted if name not in schema.names]
        if missing:
            raise ReadError(f"{address}: the column {missing[0]!r} is missing; write the counts again.")
        rows = table.metadata.num_rows
        _refuse_rows(address, head, rows * len(wanted), rows, size)
        sets = {of.name: _Filled(of, head.unit) for of in head.sets}
        try:
            for batch in table.iter_batches(_ROWS, columns=wanted):
                _fill(sets, batch)
        except (pa.ArrowException, OSError, KeyError, IndexError, ValueError, TypeError) as error:
            why = said_by(error, "the rows do not match the metadata", 200)
            raise ReadError(f"{address}: some rows are not counts ({why}); write them again.") from None
    for name, filled in sets.items():
        if not filled.seen.all():
            lacking = int((~filled.seen).sum())
            raise ReadError(f"{address}: {lacking:,} of the rows of {name} are missing; write the counts again.")
    try:
        return Counts({name: filled.counted() for name, filled in sets.items()}, head.unit, head.mtsig)
    except MtsigError as error:
        raise ReadError(f"{address}: {error}") from None


_ANY_CELLS = 10**7
"""Up to so many cells, however small the file is, take no memory to speak of."""


def _refuse_rows(address: str | Path, head: Head, cells: int, rows: int, size: int) -> None:
    """Raise ReadError where there are fewer rows than the sets need, or more than a file of this size can hold."""
    lacking = sum(of.units * len(of.systems) for of in head.sets) - rows
    if lacking > 0:
        raise ReadError(f"{address}: {lacking:,} of the rows are missing; write the counts again.")
    if cells > max(_ANY_CELLS, MOST_RATIO * size):
        raise ReadError(f"{address}: {rows:,} rows in {size:,} bytes are impossible; write the counts again.")


def _head(address: str | Path, metadata: Mapping[bytes, bytes]) -> Head:
    if KEY not in metadata:
        raise ReadError(f"{address}: a Parquet table, but not one of counts as `mtsig count` writes it.")
    record = json_of(metadata[KEY], f"{address}: its metadata")
    try:
        form = record["format"]
        if form == FORMAT:
            head = msgspec.convert(record, Head)
    except (KeyError, TypeError, msgspec.MsgspecError) as error:
        raise ReadError(f"{address}: its metadata are not those of a file of counts ({said(error)}).") from None
    if form != FORMAT:
        raise ReadError(f"{address}: counts in format {form}, but this version reads format {FORMAT}: count again.")
    if head.counting != COUNTING:
        raise ReadError(
            f"{address}: counted by mtsig {head.mtsig}, whose counts differ from those of {VERSION}: count again."
        )
    return head


class _Filled:
    """The counts of one set while the rows come in, in whatever order."""

    def __init__(self, of: OfSet, unit: CountedUnit) -> None:
        self._of, self._unit = of, unit
        self._row = {system: row for row, system in enumerate(of.systems)}
        shape = len(of.systems), of.units
        self.seen: Mask = np.zeros(shape, dtype=bool)
        self._documents = np.full(of.units, None, dtype=object)
        self._sources = np.zeros(of.units, dtype=np.uint64)
        self._values = [np.zeros((head.k, *shape), np.float32 if head.whole else np.float64) for head in of.metrics]
        self._known = [np.zeros(shape, dtype=bool) for _ in of.metrics]
        self._sizes = [np.zeros(of.units, dtype=np.int64) for _ in of.metrics]

    def add(self, system: str, rows: Mapping[str, Any]) -> None:
        """Take in some rows of a system, columns by their names."""
        row = self._row[system]
        place = rows["unit"] - 1
        if place.min() < 0:
            raise IndexError("units are numbered from 1")
        if self.seen[row, place].any() or len(distinct(place)) < len(place):
            raise ValueError(f"{self._of.name} has two rows for one {self._unit} of {system}")
        self.seen[row, place] = True
        self._documents[place] = rows["document"]
        self._sources[place] = rows["source"]
        for head, values, known, sizes in zip(self._of.metrics, self._values, self._known, self._sizes, strict=True):
            there = rows[statistics_columns(head)[0]][1]
            known[row, place] = there
            for k, column in enumerate(statistics_columns(head)):
                numbers = np.where(there, rows[column][0], 0)
                if not np.isfinite(numbers).all():
                    raise ValueError(f"{column} of {system} has a number that is not finite")
                values[k, row, place] = numbers
            numbers, counted = rows[size_column(head)]
            sizes[place[counted]] = numbers[counted]

    def counted(self) -> Counted:
        """Return the counts, all rows being there."""
        of = self._of
        documents = tuple(self._documents.tolist()) if of.has_documents else None
        sources = tuple(f"{digest:016x}" for digest in self._sources.tolist()) if of.has_sources else None
        whose = {one: name for head in of.metrics for name, rows in head.samples.items() for one in rows}
        systems: dict[str, tuple[str, ...]] = dict.fromkeys((whose.get(row, row) for row in of.systems), ())
        corpus = Corpus(Segments(of.units, documents, None, sources), {}, systems, {}, notes=notes_of(of.notes))
        corpus.__dict__["digest"] = of.digest  # that of the text, which is not here
        return Counted(
            tuple(self._statistics(number, head, documents) for number, head in enumerate(of.metrics)),
            corpus,
            notes_of(of.notes),
        )

    def _statistics(self, number: int, head: OfMetric, documents: Sequence[str] | None) -> Statistics:
        rows = [self._row[system] for system in head.systems]
        known = self._known[number][rows]
        place = np.flatnonzero(known.any(axis=0))
        values: FloatArray = np.ascontiguousarray(self._values[number][:, rows][..., place])
        known = known[:, place]
        by_segment = self._unit == "segment"
        names = None if documents is None or not by_segment else [documents[i] for i in place.tolist()]
        order = {} if names is None else {name: i for i, name in enumerate(dict.fromkeys(names))}
        made = Statistics(
            _metric(head), head.systems, values, signature=head.signature, digest=self._of.digest,
            document_of=None if names is None else np.array([order[name] for name in names], dtype=np.int64),
            document_names=tuple(order or (documents[i] for i in place.tolist())) if documents is not None else None,
            unit=self._unit, notes=notes_of(head.notes), available=None if known.all() else known,
            numbers=None if len(place) == self._of.units else place,
            sizes=None if by_segment else self._sizes[number][place], data_caveat=head.data_caveat,
            # Without the text nothing can be counted by the other references: nobody knows what they would say.
            kinships=tuple(Kinship(kin, others, not more) for kin, others, more in head.kinships),
            untranslated=head.untranslated,
        )  # fmt: skip
        return made.over_samples(head.samples) if head.samples else made


def _metric(head: OfMetric) -> Metric:
    """Return the metric as it was when it counted."""
    counted = metric(head.counted)
    if isinstance(counted, Tokenizing) and head.metric_spec != head.counted:
        return replace(counted, by_text=counted.tokenize)
    if isinstance(counted, Rated):
        return replace(counted, higher_is_better=head.higher_is_better, decimals=head.decimals)
    return counted


def _fill(sets: Mapping[str, _Filled], batch: Any) -> None:
    columns: dict[str, Any] = {}
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        if name in NAMES:
            columns[name] = _coded(column)
        elif name in ("unit", "source"):
            columns[name] = column.fill_null(0).to_numpy(zero_copy_only=False)
        else:
            there = ~column.is_null().to_numpy(zero_copy_only=False)
            columns[name] = column.fill_null(0).to_numpy(zero_copy_only=False), there
    (of, of_names), (system, system_names) = columns.pop("set"), columns.pop("system")
    if min(of.min(), system.min()) < 0:
        raise ValueError("one names no set or no system")
    code, names = columns.pop("document")
    documents = np.array([*names, None], dtype=object)[code]
    for key in np.unique(of * len(system_names) + system).tolist():
        number, row = divmod(key, len(system_names))
        some = np.flatnonzero((of == number) & (system == row))
        rows = {
            name: tuple(part[some] for part in column) if isinstance(column, tuple) else column[some]
            for name, column in columns.items()
        }
        sets[of_names[number]].add(system_names[row], {**rows, "document": documents[some]})


def _coded(column: Any) -> tuple[NDArray[np.int64], list[str]]:
    """Return the names in a column as numbers, −1 for none, and the names."""
    coded = column if hasattr(column, "dictionary") else column.dictionary_encode()
    return coded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64), coded.dictionary.to_pylist()
