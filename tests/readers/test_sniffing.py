"""To know what a file is costs no more than its first 64 kB, whatever it holds and however large it is."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from layouts import LAYOUTS, SCORES, made
from sampled import crossed

from mtsig.readers import File
from mtsig.readers import _files as files_module
from mtsig.readers import _parquet as parquet_module
from mtsig.readers import _workbook as workbook_module
from mtsig.readers._files import HEAD
from mtsig.readers._parts import placed
from mtsig.readers._read import in_order

SEGMENTS = 1800
NAMES = ("alpha", "beta")
WHOLE = {
    **{f"texts, {name}": write for name, write in LAYOUTS.items() if not name.startswith("folder")},
    **{f"scores, {name}": write for name, write in SCORES.items()},
}


@pytest.fixture(scope="module")
def large() -> dict[str, Any]:
    """What is written: texts and scores, of which a file holds more than its first 64 kB."""
    return {"texts": made(SEGMENTS), "scores": {system: [*range(4 * SEGMENTS)] for system in NAMES}}


class _Counted:
    """A stream that counts the bytes that are read of it."""

    def __init__(self, stream: Any, counts: list[int]) -> None:
        self._stream, self._counts = stream, counts

    def read(self, count: int = -1) -> bytes:
        data: bytes = self._stream.read(count)
        self._counts.append(len(data))
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __enter__(self) -> "_Counted":
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()


@crossed("layout, packed", WHOLE, ["plain", "gzip"])
def test_a_file_is_known_by_its_first_bytes(
    layout: str, packed: str, large: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = WHOLE[layout](large[layout.partition(",")[0]], tmp_path)
    assert path.stat().st_size > HEAD
    if packed == "gzip":
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path = path.with_name(f"{path.name}.gz")
    counts: list[int] = []
    look, whole = files_module.to_look_into, files_module.bytes_of

    def counted(path: Path, label: str) -> bytes:
        data = whole(path, label)
        counts.append(len(data))
        return data

    for module in (files_module, parquet_module, workbook_module):
        monkeypatch.setattr(module, "to_look_into", lambda file: _Counted(look(file), counts), raising=False)
    monkeypatch.setattr(files_module, "bytes_of", counted)
    places = placed([File(path.name, path)])
    for alone in (False, True):
        for reader in in_order():
            if reader.marks is None or any(map(reader.marks.are_on, places)):
                reader.claims(places, alone)
    assert sum(counts) <= HEAD
