"""Counts in files: what was counted comes back to the digit, and comparisons of it need nothing else."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kept import worded
from made import edited_reference, made_corpus, parsed

from mtsig import Corpus, Rating, Settings, measure, metric
from mtsig.collection import Sets, SetStatistics
from mtsig.collection import compare as compare_sets
from mtsig.collection import measure as measure_sets
from mtsig.errors import InvalidOption, NotApplicable, ReadError, UnknownName
from mtsig.metrics import METRICS, Bleu, Rated, Statistics
from mtsig.metrics._statistics import as_values
from mtsig.study import Counts, Request, conduct, read_counts, write_counts
from mtsig.study._counts import KEY, Counted

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
pytest.importorskip("fsspec")

DRAWS = Settings(n_resamples=200)


def rated_with_gaps(n: int = 60, documents: int = 12) -> Corpus:
    """A corpus with text, sources, and ratings that some systems lack on some segments, and all on some."""
    corpus = made_corpus(n=n, documents=documents)
    rng = np.random.default_rng(2)
    values = rng.normal(0.7, 0.1, (3, n))
    values[rng.random(values.shape) < 0.2] = np.nan
    values[:, 5] = np.nan
    sources = tuple(f"source {i}" for i in range(n))
    return replace(
        corpus,
        segments=replace(corpus.segments, sources=sources),
        ratings={"esa": Rating(values, True), "errors": Rating(np.nan_to_num(values * 10), False)},
    )


def partly_referenced() -> Corpus:
    """A corpus whose segments have one reference, two or none."""
    corpus = made_corpus(n=60, references=2)
    lines = list(corpus.references.values())
    some = {
        name: tuple(None if i % 7 == 0 or (i + j) % 5 == 0 else line for i, line in enumerate(column))
        for j, (name, column) in enumerate(zip(corpus.references, lines, strict=True))
    }
    return replace(corpus, references=some)


def written(
    path: Path | str, corpus: Corpus, names: Sequence[str], unit: Any = "segment"
) -> tuple[list[Statistics], Counted]:
    """Return what is counted of a corpus, and the same from a file."""
    counted = [measure(corpus, name) for name in names]
    write_counts(path, {"one": (corpus, counted)}, unit)
    return counted, read_counts(path)["one"]


def equal(one: Statistics, other: Statistics) -> bool:
    """Return whether all that inference uses is the same."""

    def same(name: str) -> bool:
        mine, theirs = getattr(one, name), getattr(other, name)
        if mine is None or theirs is None:
            return mine is theirs
        return mine.dtype == theirs.dtype and np.array_equal(mine, theirs)

    arrays = ("values", "document_of", "available", "numbers", "sizes")
    plain = ("metric", "systems", "signature", "digest", "unit", "n_segments", "notes", "data_caveat", "n_documents")
    options = vars(one.metric) == vars(other.metric)
    return all(map(same, arrays)) and options and all(getattr(one, name) == getattr(other, name) for name in plain)


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_comes_back(name: str, tmp_path: Path) -> None:
    (counted,), found = written(tmp_path / "c.parquet", parsed(made_corpus(references=2)), [name])
    assert equal(found.statistics[0], counted)
    assert np.array_equal(found.statistics[0].scores, counted.scores)


@pytest.mark.parametrize("made", [made_corpus, rated_with_gaps, partly_referenced, lambda: made_corpus(documents=0)])
def test_documents_gaps_and_segments_without_reference_come_back(made: Callable[[], Corpus], tmp_path: Path) -> None:
    corpus = made()
    ratings = [f"rating:{name}" for name in corpus.ratings]
    names = ["bleu", "chrf:beta=3", "sentbleu", "bleu:tokenize=char,lowercase=true", *ratings]
    names = [*names, "rating:esa:shared=true"][:6] if ratings else names
    names.remove("bleu")  # BLEU with other options has BLEU's name: each goes into a file of its own
    counted, found = written(tmp_path / "c.parquet", corpus, names)
    assert all(equal(mine, theirs) for mine, theirs in zip(found.statistics, counted, strict=True))
    assert [note.text for note in found.notes] == [note.text for note in found.corpus.notes]


VALUES = st.floats(-1e6, 1e6, width=32) | st.integers(0, 2**24 - 1)


@given(st.lists(st.tuples(VALUES, VALUES | st.none()), min_size=2, max_size=8), st.booleans())
@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_numbers_come_back_as_they_are(tmp_path: Path, rows: list[tuple[float, float | None]], documents: bool) -> None:
    known = np.array([[value is not None for value in row] for row in rows]).T
    if not known.all(axis=1).all() and not known.any(axis=1).all():
        return
    values = as_values(np.array([[[value or 0.0 for value in row] for row in rows]]).swapaxes(1, 2).repeat(2, 0))
    lines = [f"d{i // 2}" for i in range(len(rows))] if documents else None
    corpus = Corpus.of({"a": ["x"] * len(rows), "b": ["y"] * len(rows)}, documents=lines,
                       ratings={"r": Rating(np.where(known, values[0], np.nan), True)})  # fmt: skip
    statistics = Statistics(
        Rated("r"), ("a", "b"), values, available=None if known.all() else known,
        document_of=None if lines is None else np.arange(len(rows)) // 2,
    )  # fmt: skip
    write_counts(tmp_path / "c.parquet", {"one": (corpus, [replace(statistics, digest=corpus.digest)])})
    found = read_counts(tmp_path / "c.parquet")["one"].statistics[0]
    assert np.array_equal(found.values, values)
    assert found.values.dtype == values.dtype
    assert (found.available is None) == known.all()


@pytest.mark.parametrize(
    ("names", "unit", "changes"),
    [
        (["bleu", "chrf"], "segment", {"unit": "segment"}),
        (["bleu", "chrf"], "segment", {}),
        (["bleu", "ter"], "document", {}),
        (["chrf++"], "document", {"test": "ar", "interval": "percentile"}),
        (["rating:esa", "chrf"], "segment", {"test": "jackknife-t"}),
        (["rating:errors"], "document", {}),
    ],
)
def test_comparisons_of_counts_are_those_of_texts(
    names: list[str], unit: Any, changes: Mapping[str, Any], tmp_path: Path
) -> None:
    counted, found = written(tmp_path / "c.parquet", rated_with_gaps(n=80, documents=20), names, unit)
    asked = Request(tuple(map(metric, names)), replace(DRAWS, **changes), joined=True)
    texts, counts = (conduct(None, asked, statistics=many) for many in (counted, found.statistics))
    assert told(texts.rows()) == told(counts.rows())
    assert told(texts.systems) == told(counts.systems)
    assert min(row["p_value"] for row in counts.rows()) < 0.9


def told(rows: Any) -> list[str]:
    """Return all that is said of each, to the last digit."""
    return [repr(row if isinstance(row, dict) else row.row()) for row in rows]


def of_sets() -> dict[str, Corpus]:
    """Three sets, two of which share documents."""
    one, other, third = (rated_with_gaps(n=60 + 12 * i, documents=12) for i in range(3))
    third = replace(third, segments=replace(third.segments, documents=tuple(f"own {i}" for i in range(84))))
    return {"one": one, "other": replace(other, segments=replace(other.segments, sources=None)), "third": third}


@pytest.mark.parametrize("unit", ["segment", "document"])
def test_several_sets_are_compared_from_counts_as_from_texts(unit: Any, tmp_path: Path) -> None:
    sets = Sets.of(of_sets())
    counted = measure_sets(sets, "chrf")
    write_counts(tmp_path / "c.parquet", {name: (sets[name], [counted.of[name]]) for name in sets})
    counts = read_counts(tmp_path / "c.parquet")
    corpora = Sets({name: one.corpus for name, one in counts.of.items()})
    again = SetStatistics(corpora, {name: one.statistics[0] for name, one in counts.of.items()})
    texts, found = (compare_sets(one, replace(DRAWS, unit=unit)) for one in (counted, again))
    assert told(found.rows()) == told(texts.rows())
    assert {note.text for note in found.notes} == {note.text for note in texts.notes}
    # Documents of "one" and "other" by their ids; segments only where sources are known.
    assert found.units.shared == texts.units.shared == (12 if unit == "document" else 0)
    assert [corpora[name].digest for name in corpora] == [sets[name].digest for name in sets]


def test_a_file_is_read_from_any_address_and_in_any_order(tmp_path: Path) -> None:
    counted, _ = written("memory://runs/c.parquet", made_corpus(), ["bleu"])
    assert equal(read_counts("memory://runs/c.parquet")["one"].statistics[0], counted[0])
    write_counts(tmp_path / "c.parquet", {"one": (made_corpus(), counted)})
    table = parquet.read_table(tmp_path / "c.parquet")
    shuffled = table.take(np.random.default_rng(1).permutation(len(table)))
    parquet.write_table(shuffled.replace_schema_metadata(table.schema.metadata), tmp_path / "d.parquet")
    assert equal(read_counts(tmp_path / "d.parquet")["one"].statistics[0], counted[0])


def changed(table: Any, **fields: Any) -> Any:
    """Return the table with other fields in its metadata."""
    head = {**msgspec.json.decode(table.schema.metadata[KEY]), **fields}
    return table.replace_schema_metadata({KEY: msgspec.json.encode(head)})


def with_set(table: Any, **fields: Any) -> Any:
    """Return the table with other fields of its one set in its metadata."""
    (of,) = msgspec.json.decode(table.schema.metadata[KEY])["sets"]
    return changed(table, sets=[{**of, **fields}])


def put(table: Any, column: str, number: float | str) -> Any:
    """Return the table with another number in one row, or with the first name, or all, taken away."""
    values = table[column].to_pylist()
    if isinstance(number, str):
        values = [None, *values[1:]] if number == "one name" else [None] * len(values)
    else:
        values[5] = number
    place = table.schema.get_field_index(column)
    return table.set_column(place, column, pa.array(values, table.schema.field(column).type))


BAD: dict[str, tuple[Callable[[Any], Any], str]] = {
    "foreign": (lambda table: table.replace_schema_metadata({}), "but not one of counts as `mtsig count`"),
    "other metadata": (lambda table: table.replace_schema_metadata({KEY: b"[1]"}), "its metadata are not those of"),
    "less metadata": (lambda table: table.replace_schema_metadata({KEY: b'{"format": 1}'}), "its metadata are not"),
    "no such column": (lambda table: table.drop_columns(["BLEU 3"]), "the column 'BLEU 3' is missing"),
    **{
        f"no {name}": (lambda table, name=name: table.drop_columns([name]), f"the column {name!r} is missing")
        for name in ("set", "system", "unit", "document", "source")
    },
    **{
        f"{column} without {names}": (lambda table, column=column, names=names: put(table, column, names), said)
        for column, said in (("set", "names no set"), ("system", "names no set or no system"))
        for names in ("one name", "names")
    },
    **{
        f"{number} in BLEU 3": (lambda table, number=number: put(table, "BLEU 3", number), "number that is not finite")
        for number in (float("nan"), float("inf"), -float("inf"))
    },
    "later form": (lambda table: changed(table, format=2), "counts in format 2, but this version reads format 1"),
    "other counting": (lambda table: changed(table, counting=99, mtsig="7.1"), "whose counts differ"),
    "more units": (lambda table: with_set(table, units=10**12), "of the rows are missing"),
    "no units": (lambda table: with_set(table, units=-1), "impossible numbers"),
    "rows missing": (lambda table: table.slice(0, 100), "80 of the rows are missing"),
    "rows twice": (lambda table: pa.concat_tables([table, table]), "one has two rows for one segment of sys"),
    "another set": (
        lambda table: table.set_column(0, "set", pa.array(["x"] * len(table))), "(the rows do not match the metadata)"
    ),
    "numbers as text": (
        lambda table: table.set_column(table.schema.get_field_index("unit"), "unit", pa.array(["x"] * len(table))),
        "some rows are not counts",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_what_holds_no_counts_is_refused_in_a_sentence(name: str, tmp_path: Path) -> None:
    spoil, said = BAD[name]
    written(tmp_path / "c.parquet", made_corpus(), ["bleu"])
    parquet.write_table(spoil(parquet.read_table(tmp_path / "c.parquet")), tmp_path / "bad.parquet")
    with pytest.raises(ReadError) as raised:
        read_counts(tmp_path / "bad.parquet")
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_truncated_and_missing_files_are_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "c.parquet"
    written(path, made_corpus(), ["bleu"])
    whole = path.read_bytes()
    for size in (0, 3, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(ReadError, match="not a complete Parquet file"):
            read_counts(path)
    with pytest.raises(ReadError, match="there is no such file"):
        read_counts(tmp_path / "none.parquet")
    with pytest.raises(ReadError, match="there is no such file"):
        read_counts("memory://none.parquet")
    with pytest.raises(ReadError, match=r"cannot be read here .Protocol not known: nowhere"):
        read_counts("nowhere://c.parquet")
    with pytest.raises(ReadError, match="cannot be written"):
        write_counts(tmp_path, {"one": (made_corpus(), [measure(made_corpus(), "bleu")])})


def test_what_cannot_be_read_again_is_not_written(tmp_path: Path) -> None:
    path, corpus = tmp_path / "c.parquet", rated_with_gaps()

    class Foreign(Bleu):
        pass

    path.write_bytes(b"before")
    for names, error, said in (
        ([Foreign()], InvalidOption, "The metric BLEU has no name in METRICS"),
        (["bleu", "bleu:lowercase=true"], InvalidOption, "Two of the metrics are called BLEU"),
    ):
        with pytest.raises(error, match=said):
            write_counts(path, {"one": (corpus, [measure(corpus, name) for name in names])})
    with pytest.raises(NotApplicable, match="one: not every system has every segment of esa"):
        write_counts(path, {"one": (corpus, [measure(corpus, "rating:esa")])}, "document")
    few = made_corpus(documents=3)
    with pytest.raises(NotApplicable, match="one: The unit is the document, but there are only 3"):
        write_counts(path, {"one": (few, [measure(few, "bleu")])}, "document")
    bleu, chrf = measure(few, "bleu"), measure(few, "chrf")
    with pytest.raises(InvalidOption, match="two was counted with other metrics than one"):
        write_counts(path, {"one": (few, [bleu]), "two": (few, [chrf])})
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_kin_is_given_no_verdict_that_only_texts_could_confirm(tmp_path: Path) -> None:
    counted, found = written(tmp_path / "c.parquet", edited_reference(), ["chrf"])
    assert [one.kin for one in found.statistics[0].kinships] == [one.kin for one in counted[0].kinships]
    assert [one.about for one in found.statistics[0].notes] == [one.about for one in counted[0].notes]
    assert [one.about for one in counted[0].notes].count("kin") == 1
    asked = replace(DRAWS, correction="none")
    (family,), (texts,) = (asked.families(many) for many in (found.statistics, counted))
    assert [one.p_value for one in family] == [one.p_value for one in texts]
    won = [one for one in family if one.p_value < 0.05 and "kin" in (one.first, one.second)]
    assert won
    worded(one.data_caveat for one in won)


def test_counts_are_named(tmp_path: Path) -> None:
    written(tmp_path / "c.parquet", made_corpus(), ["bleu", "chrf"])
    counts = read_counts(tmp_path / "c.parquet")
    assert repr(counts) == "<Counts of BLEU and chrF2 by segment: 1 set (one)>"
    with pytest.raises(UnknownName, match=r"no test set called 'two'. Known: one"):
        counts["two"]
    both = Counts({"one": counts["one"], "two": counts["one"]}, "segment")
    texts = [note.text for note in both.notes]
    assert texts == [*dict.fromkeys(texts)] != []
