"""All lines too many or too few are told, wherever they stand."""

import random
from collections.abc import Sequence

from kept import Kept, lacking
from layouts import made
from sampled import crossed

from mtsig.doctor import check_parts
from mtsig.readers import File
from mtsig.readers._read import parts_of

N = 120
TEXTS = made(N)


def told(lines: Sequence[str]) -> str:
    files = [File("refs/ref.txt", "\n".join(TEXTS["ref"]).encode())]
    systems = {"alpha": lines, "beta": TEXTS["beta"]}
    files += [File(f"systems/{name}.txt", "\n".join(own).encode()) for name, own in systems.items()]
    (found,) = [finding for finding in check_parts(parts_of(files)) if finding.check == "lengths"]
    return found.found


def with_strays(extra: Sequence[int], missing: Sequence[int]) -> list[str]:
    """Return the made output with stray lines before those of these numbers, from 0, and without others."""
    lines = []
    for i, line in enumerate(TEXTS["alpha"]):
        lines += [f"Stray words of no sentence {i} whatever."] * (i in extra)
        lines += [line] * (i not in missing)
    return lines


@crossed("count, seed", [2, 3, 6], range(6))
def test_every_line_too_many_is_told(count: int, seed: int) -> None:
    extra = sorted(random.Random(seed).sample(range(5, N - 5, 3), count))
    expected = ", ".join(str(number + 1 + before) for before, number in enumerate(extra))
    assert not lacking(told(with_strays(extra, ())), f"{count} lines", f": lines {expected}.")


@crossed("count, seed", [2, 3, 6], range(6))
def test_every_line_that_is_missing_is_told(count: int, seed: int) -> None:
    missing = sorted(random.Random(seed).sample(range(5, N - 5, 3), count))
    expected = ", ".join(str(number + 1) for number in missing)
    assert not lacking(told(with_strays((), missing)), f": lines {expected} ", repr("ref"))


def test_some_of_each_are_told(kept: Kept) -> None:
    said = told(with_strays((10, 60, 90), (30,)))
    assert not lacking(said, "11, 61, 92.", "line 31")
    kept("check", said)


def test_those_at_both_ends_and_very_many_are_told() -> None:
    assert not lacking(told(["# head", *TEXTS["alpha"], "200 lines translated"]), "2 lines", "1, 122.")
    assert not lacking(told(TEXTS["alpha"][1:-1]), "Missing", "1, 120")
    assert not lacking(told(with_strays(range(2, N - 2, 2), ())), "58 lines", "3, 6, 9,")
    other = [f"Quite another text of some other set {7 * i % 13}." for i in range(N + 2)]
    assert "too many: line" not in told(other)


def test_one_place_is_told_as_where_the_text_slips() -> None:
    assert "line 41" in told(with_strays((40,), ()))
