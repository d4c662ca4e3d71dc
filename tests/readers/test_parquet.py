"""Parquet tables of a few kB that say little and unpack to much: refused in a sentence, in bounded memory and time."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from limited import GB, limited, mtsig
from pyarrow import parquet
from sampled import sampled

from mtsig.errors import ReadError
from mtsig.readers import File
from mtsig.readers._parquet import Compact, columns_of, directory_of, pages_of, rows_of

LONG = "x y " * 100_000


def table(column: Any, **how: Any) -> bytes:
    """A table whose two columns are this one."""
    written = io.BytesIO()
    parquet.write_table(pa.table({"ref": column, "A": column}), written, compression="zstd", **how)
    return written.getvalue()


def often(value: object, times: int) -> Any:
    """One value, so many times, kept once."""
    return pa.DictionaryArray.from_arrays(pa.nulls(times, pa.int32()).fill_null(0), pa.array([value]))


def one_list(times: int) -> Any:
    return pa.ListArray.from_arrays(pa.array([0, times], pa.int32()), often(LONG, times))


def varint(value: int) -> bytes:
    told = bytearray()
    while value >= 0x80:
        told.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*told, value])


def groups(data: bytes, columns: int) -> Any:
    """What the directory says of every column, in each group of rows."""
    return columns_of(directory_of(io.BytesIO(data)), columns)


BOMBS: dict[str, Callable[[], bytes]] = {
    "a dictionary": lambda: table(often(LONG, 20_000)),
    "a dictionary of bytes": lambda: table(often(LONG.encode(), 20_000)),
    "a dictionary in a list": lambda: table(one_list(20_000)),
    "a dictionary in a structure": lambda: table(pa.StructArray.from_arrays([often(LONG, 20_000)], ["deep"])),
    "bytes of one width": lambda: table(pa.array([b"a" * 10_000] * 3_000, pa.binary(10_000))),
    "beginnings in common": lambda: table(
        [f"{LONG}{i}" for i in range(300)], use_dictionary=False, column_encoding="DELTA_BYTE_ARRAY"
    ),
    "one page": lambda: table([LONG * 40] * 2, use_dictionary=False),
    "nothing, ten million times": lambda: table(pa.nulls(4_999_999, pa.string())),
    "a list of nothing": lambda: table(
        pa.ListArray.from_arrays(pa.array([0, 9_000_000], pa.int32()), pa.nulls(9_000_000, pa.int8()))
    ),
    "columns": lambda: wide(12_000),
    "groups of rows": lambda: table(["a b"] * 20_000, row_group_size=1),
    "columns of many groups": lambda: wide(1_000, 40),
}


def named(name: str) -> bytes:
    written = io.BytesIO()
    parquet.write_table(pa.table({"ref": ["a b"], name: ["a b"]}), written)
    return written.getvalue()


@pytest.mark.parametrize("length", [20_000, 10**6, 3 * 10**6])
def test_a_long_name_of_a_column_takes_little(length: int, tmp_path: Path) -> None:
    (tmp_path / "t.parquet").write_bytes(named("A" * length))
    done = mtsig("read", "--data", tmp_path / "t.parquet", memory=1.5 * GB, seconds=10)
    assert done.returncode == 2, done.stderr[-500:]
    assert len(done.stdout + done.stderr) < 1_000
    assert "characters; at most" in done.stderr or "damaged" in done.stderr


def test_many_fields_in_a_row_are_unpacked_a_few_rows_at_a_time(tmp_path: Path) -> None:
    """500 rows of 400 texts each, 200 MB in all in a file of 2 MB: three times that, where it was seven."""
    text = " ".join(f"word{i % 7}" for i in range(160))
    fields = [pa.array([f"{field} {row} {text}" for row in range(500)]) for field in range(400)]
    deep = pa.StructArray.from_arrays(fields, [f"f{field}" for field in range(400)])
    written = tmp_path / "t.parquet"
    parquet.write_table(pa.table({"ref": ["a b"] * 500, "A": deep}), written, compression="zstd", use_dictionary=False)
    done = mtsig("read", "--data", written, memory=2 * GB, seconds=12)
    # Texts of unknown names in a struct are no system.
    assert "no system output" in done.stderr or "times its size" in done.stderr, done.stderr[-500:]


def wide(columns: int, rows: int = 1) -> bytes:
    written = io.BytesIO()
    parquet.write_table(pa.table({f"c{i}": ["a"] * rows for i in range(columns)}), written, row_group_size=1)
    return written.getvalue()


@sampled("name", BOMBS, most=2)
def test_a_small_table_takes_little(name: str, tmp_path: Path) -> None:
    (tmp_path / "t.parquet").write_bytes(BOMBS[name]())
    done = mtsig("read", "--data", tmp_path / "t.parquet", memory=1.5 * GB, seconds=10)
    assert done.returncode == 2, done.stderr[-500:]
    (said,) = [line for line in done.stderr.splitlines() if line.startswith("mtsig: ")]
    assert any(word in said for word in ("times its size", "at most"))


def test_the_pages_are_believed_and_not_the_directory() -> None:
    """A page says how many values it has, whatever the directory says."""
    data = table(pa.nulls(1_000_000, pa.string()))
    (group,) = groups(data, 2)
    pages = [page for column in group for page in pages_of(data, column)]
    assert sum(page.values for page in pages) == 2_000_000
    rows = varint(2 * 1_000_000)
    assert data.count(rows) > 2
    few = data[:-1000] + data[-1000:].replace(rows, b"\x82\x80\x00")  # 1 in as many bytes
    with pytest.raises(ReadError, match="times its size"):
        rows_of(File("t.parquet", few))


def signed(value: int) -> bytes:
    return varint(2 * value)


SAID_TWICE: dict[str, Callable[[int, int], bytes]] = {
    "as a longer number": lambda _, __: b"\x06" + signed(2) + signed(10),
    "as a shorter number": lambda _, __: b"\x04" + signed(2) + signed(10),
    "in a field whose number wraps": lambda size, _: b"".join(
        (b"\x05", signed(2), signed(10), b"\x05", signed(2**16 + 2), signed(size))
    ),
    "with a length that wraps": lambda _, packed: b"\x05" + signed(3) + varint(2**32 + 2 * packed),
}
"""What stands at the end of a page's head, where the library does not see it, or sees something else."""


@pytest.mark.parametrize("name", SAID_TWICE)
def test_a_head_is_read_as_the_library_reads_it(name: str) -> None:
    written = io.BytesIO()
    parquet.write_table(pa.table({"ref": [LONG] * 50}), written, compression="zstd", use_dictionary=False,
                        store_schema=False, write_statistics=False)  # fmt: skip
    data = written.getvalue()
    ((column,),) = groups(data, 1)
    head = Compact(data, 4, 100)
    fields = head.struct()
    told = SAID_TWICE[name](fields[2, 5], fields[3, 5])
    length = column[7, 6]
    before, after = signed(length), signed(length + len(told))
    assert (len(before), data.count(b"\x16" + before)) == (len(after), 2)  # of the column, and of the group
    forged = data[: head.at - 1] + told + data[head.at - 1 :].replace(b"\x16" + before, b"\x16" + after)
    assert parquet.read_table(io.BytesIO(forged)).nbytes > 200 * len(forged)
    with pytest.raises(ReadError, match=r"times its size|too large for its place|without a number"):
        rows_of(File("t.parquet", forged))


def test_beginnings_in_common_are_told_by_the_pages() -> None:
    """Texts that differ from the one before by a byte are unpacked a few at a time, whatever the directory says."""
    column = [f"{LONG}{i}" for i in range(300)]
    data = table(column, use_dictionary=False, column_encoding="DELTA_BYTE_ARRAY")
    directory = data.rindex(b"\x25\x06\x0e")
    assert data.count(b"\x25\x06\x0e") == 2
    forged = data.replace(b"\x25\x06\x0e", b"\x25\x06\x06")
    assert len(forged) - directory < 1_000
    assert all(page.by_differences for group in groups(forged, 2) for one in group
               for page in pages_of(forged, one))  # fmt: skip
    with pytest.raises(ReadError, match="times its size"):
        rows_of(File("t.parquet", forged))


DAMAGED = """
import io, random, sys
import pyarrow as pa
from pyarrow import parquet
from mtsig.errors import ReadError
from mtsig.readers import File
from mtsig.readers._parquet import rows_of, top_of

rng = random.Random(0)
texts = [f"a b {i}" for i in range(50)]
columns = {"ref": texts, "list": [[text, None] for text in texts], "deep": [{"x": {"y": text}} for text in texts],
           "number": range(50), "share": [i / 7 for i in range(50)], "none": [None] * 50}
ways = [{}, {"use_dictionary": False}, {"data_page_version": "2.0"}, {"row_group_size": 7},
        {"write_page_index": True}, {"store_schema": False, "write_statistics": False}]
for number in range(int(sys.argv[1])):
    written = io.BytesIO()
    parquet.write_table(pa.table(columns), written, **ways[number % len(ways)])
    data = bytearray(written.getvalue())
    length = int.from_bytes(data[-8:-4], "little")
    for _ in range(rng.choice([1, 1, 2, 4])):
        at = rng.randrange(4, len(data)) if rng.random() < 0.2 else len(data) - 8 - rng.randint(1, length)
        data[at] = rng.choice([0, 1, 127, 128, 255, rng.randrange(256)])
    for read in (rows_of, top_of):
        try:
            read(File("t.parquet", bytes(data)))
        except ReadError:
            continue
print("read")
"""


@pytest.mark.parametrize("number", [400, pytest.param(30_000, marks=pytest.mark.slow)])
def test_a_damaged_directory_ends_no_process(number: int) -> None:
    done = limited(DAMAGED, number, memory=2 * GB, seconds=10 + number // 20)
    assert (done.returncode, done.stdout) == (0, "read\n"), done.stderr[-500:]


@pytest.mark.parametrize("how", [{}, {"use_dictionary": False}, {"data_page_version": "2.0"}, {"data_page_size": 100}])
@pytest.mark.parametrize("packed", ["none", "snappy", "gzip", "zstd", "brotli", "lz4"])
def test_what_pages_say_is_what_they_have(how: dict[str, Any], packed: str) -> None:
    """The walk over the pages finds what the writer counted, in every form of page."""
    texts = [f"segment {i % 70}" if i % 3 else None for i in range(1000)]
    written = io.BytesIO()
    parquet.write_table(pa.table({"a": texts, "b": range(1000)}), written, compression=packed, row_group_size=400,
                        **how)  # fmt: skip
    data = written.getvalue()
    about = parquet.read_metadata(io.BytesIO(data))
    for group, columns in enumerate(groups(data, 2)):
        for place, column in enumerate(columns):
            of = about.row_group(group).column(place)
            pages = list(pages_of(data, column))
            # The dictionary, where there is one, has values of its own.
            in_rows = sum(page.values for page in pages[of.has_dictionary_page :])
            assert in_rows == about.row_group(group).num_rows
            assert 0 < sum(page.unpacked for page in pages) <= of.total_uncompressed_size


def test_damaged_pages_are_told() -> None:
    column = [f"segment {i % 20}" for i in range(60)]
    data = table(column)
    whole = rows_of(File("t.parquet", data))
    for at in range(4, len(data) - 8):
        damaged = data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]
        try:
            rows_of(File("t.parquet", damaged))
        except ReadError:
            continue
    assert whole == [{"ref": text, "A": text} for text in column]


def test_an_honest_table_is_read_to_the_letter() -> None:
    columns = {
        "text": [f"segment {i}" for i in range(25_000)],
        "often": often("one prompt", 25_000),
        "number": [i / 3 for i in range(25_000)],
        "list": [[f"a{i % 7}", None] for i in range(25_000)],
        "deep": [{"k": f"v{i % 9}", "n": i} for i in range(25_000)],
    }
    written = io.BytesIO()
    parquet.write_table(pa.table(columns), written, row_group_size=9_000)
    rows = rows_of(File("t.parquet", written.getvalue()))
    assert len(rows) == 25_000
    for i in (0, 8_999, 9_000, 10_001, 24_999):
        assert rows[i] == {
            "text": f"segment {i}",
            "often": "one prompt",
            "number": i / 3,
            "list": [f"a{i % 7}", None],
            "deep": {"k": f"v{i % 9}", "n": i},
        }
