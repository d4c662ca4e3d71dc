"""Writing counts: statistics go in, a Parquet table comes out."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from mtsig.corpus import Corpus, inspect
from mtsig.counts.addresses import opened
from mtsig.counts.counted import CountedUnit
from mtsig.counts.form import FORMAT, KEY, Head, KeptNote, OfMetric, OfSet, columns_of, size_column, statistics_columns
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.extras import need
from mtsig.metrics import COUNTING, Statistics
from mtsig.study import choice_of
from mtsig.version import VERSION


def write_counts(
    address: str | Path, many: Mapping[str, tuple[Corpus, Sequence[Statistics]]], unit: CountedUnit = "segment"
) -> None:
    """Write what metrics counted on test sets as a Parquet table.

    >>> import tempfile
    >>> from pathlib import Path
    >>> import mtsig
    >>> from mtsig.counts import read_counts, write_counts
    >>> path, corpus = Path(tempfile.mkdtemp()) / "counts.parquet", mtsig.read_sample()
    >>> write_counts(path, {"news": (corpus, [mtsig.measure(corpus, "bleu")])})
    >>> list(read_counts(path).of)
    ['news']

    Args:
        address: a path, or an address that fsspec knows (s3://bucket/counts.parquet, memory://counts.parquet).
        many: set -> its corpus, and its statistics by segment, of the same metrics in every set.
        unit: document adds the counts of each document's segments.

    Raises:
        ProgramError: pyarrow, or what fsspec needs for the address, is not installed.
        ReadError: the file cannot be written.
        InvalidOption: a metric has no name that it could be read by, or has the name of another one.
        NotApplicable: units are documents, and a set has too few, or gaps within them.
    """
    need("parquet")
    import pyarrow as pa  # here, because it takes long to load
    from pyarrow import parquet

    made = {name: [_at(name, part, unit) for part in statistics] for name, (_, statistics) in many.items()}
    heads = [_head_of(name, corpus, made[name], unit) for name, (corpus, _) in many.items()]
    for later in heads[1:]:
        if [of_metric.name for of_metric in later.metrics] != [of_metric.name for of_metric in heads[0].metrics]:
            raise InvalidOption(f"{later.name} was counted by other metrics than {heads[0].name}.")
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
            f"{name}: not every system has every segment of {pooled.metric.name}, so that documents two systems share "
            "can only be added up when the two are compared: keep the counts by segment."
        )
    return pooled


def _head_of(name: str, corpus: Corpus, many: Sequence[Statistics], unit: CountedUnit) -> OfSet:
    metrics = [_of_metric(statistics) for statistics in many]
    names = [head.name for head in metrics]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InvalidOption(f"Two of the metrics are called {twice}: write the counts of one into another file.")
    return OfSet(
        name,
        len(corpus) if unit == "segment" else len(dict.fromkeys(corpus.documents or ())),
        tuple(system for system in corpus.systems if any(system in part.systems for part in many)),
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
        raise InvalidOption(f"The metric {chosen.name} has no name in METRICS that its counts could be read by.")
    return OfMetric(
        choice,
        counted,
        chosen.name,
        len(statistics.values),
        statistics.values.dtype == np.float32,
        statistics.systems,
        statistics.signature,
        statistics.doubt,
        KeptNote.of(statistics.notes),
        tuple((kinship.kin, kinship.others, not kinship.only) for kinship in statistics.kinships),
        chosen.higher_is_better,
        chosen.decimals,
    )


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
        for head, statistics, place in zip(of.metrics, many, places, strict=True):
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
