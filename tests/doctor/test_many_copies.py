"""Hundreds of equal, or nearly equal, systems: found together, at a cost that their number bounds."""

from pathlib import Path

import pytest
from limited import mtsig

from mtsig import Corpus
from mtsig.doctor import check_data

LINES = [f"this is the line {i} of the text, and word{i % 7} ends it" for i in range(300)]


def test_of_each_group_of_copies_there_is_one_finding() -> None:
    other = [f"quite another line {i}" for i in range(300)]
    outputs = {**{f"a{i}": LINES for i in range(8)}, "b0": other, "b1": other, "c": ["x", *LINES[1:]]}
    found = list(check_data(Corpus.of(outputs, {"ref": other[::-1]}), ["identical"]))
    assert [finding.where for finding in found] == [
        "systems 'a0', 'a1', 'a2', 'a3', 'a4' and 3 more", "systems 'b0' and 'b1'", "systems 'a0' and 'c'",
    ]  # fmt: skip
    assert "share 299 of 300 lines." in str(found[2])


@pytest.mark.parametrize("kind", ["equal", "nearly"])
def test_hundreds_of_copies_cost_little(kind: str, tmp_path: Path) -> None:
    for number in range(400):
        lines = (
            LINES if kind == "equal" else [*LINES[: number % 290], f"changed in {number}", *LINES[number % 290 + 1 :]]
        )
        place = tmp_path / ("refs" if not number else "systems") / f"s{number}.txt"
        place.parent.mkdir(exist_ok=True)
        place.write_text("\n".join(lines if number else LINES[::-1]) + "\n")
    done = mtsig("check", "--data", tmp_path, "--only", "identical", memory=1.5e9, seconds=10)
    assert done.returncode == 0, done.stderr[-500:]
    assert len(done.stdout.splitlines()) < 420
