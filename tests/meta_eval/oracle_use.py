"""Which test uses which number of oracles_trust.json; run by hand, it ends with an error where one has none.

    PYTHONPATH=. MTSIG_SHARED=FOLDER python tests/meta_eval/oracle_use.py

A case is what has something expected. It is used where a test that passes reads that.
"""

import sys
from collections.abc import ItemsView, Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import agreement_oracles  # noqa: E402  (beside this file)

RECORDS = {
    "verdict tables": "made by an earlier test and correction; docs/meta-eval.md has today's",
    "error rates, simulated": "rates of other draws; tests/meta_eval/test_exchanges.py has its own",
    "flattery of tie calibration": "of random subsets of segments; the values on all segments stand under real/",
}
"""What is a record and no contract, by how its path begins, and why."""


class Watched(dict[str, Any]):
    """A dictionary that knows where it stands, and tells who reads what."""

    def __init__(self, held: dict[str, Any], path: str, seen: "Seen") -> None:
        """Hold a part of the oracles."""
        super().__init__({key: _watched(value, f"{path}/{key}".strip("/"), seen) for key, value in held.items()})
        self.path, self.seen = path, seen

    def __getitem__(self, key: str) -> Any:
        """Return what stands there, and remember that it was read."""
        value = super().__getitem__(key)
        self.seen.read(f"{self.path}/{key}".strip("/"))
        return value

    def get(self, key: str, default: Any = None) -> Any:
        """Return what stands there, or the default."""
        try:
            return self[key]
        except KeyError:
            return default

    def items(self) -> ItemsView[str, Any]:
        """Return the pairs; numbers among them count as read."""
        return {key: self[key] for key in self}.items()

    def values(self) -> Any:
        """Return what it holds; numbers among it count as read."""
        return [self[key] for key in self]


def _watched(value: Any, path: str, seen: "Seen") -> Any:
    return Watched(value, path, seen) if isinstance(value, dict) else value


class Seen:
    """What was read by which tests; a plugin of pytest."""

    def __init__(self) -> None:
        """Begin with nothing read."""
        self.now, self.by, self.failed = "", dict[str, set[str]](), set[str]()

    def read(self, path: str) -> None:
        """Remember that the test that runs reads this."""
        self.by.setdefault(path, set()).add(self.now)

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Take down which test runs."""
        self.now = f"{item.path.name}::{item.name.partition('[')[0]}"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take down which tests fail."""
        if report.failed:
            self.failed.add(report.nodeid)


def cases(held: dict[str, Any], path: str = "") -> Iterator[str]:
    """Yield the paths of what has something expected, and of numbers that stand alone."""
    if "expected" in held:
        yield path
        return
    for key, value in held.items():
        if isinstance(value, dict):
            yield from cases(value, f"{path}/{key}".strip("/"))


def main() -> int:
    """Run the tests of trust and print each case with its tests."""
    seen = Seen()
    plain = agreement_oracles.oracles()
    watched = Watched(plain, "", seen)
    agreement_oracles.oracles = lambda: watched
    # Slow tests, too, but for those that draw error rates, which read none of it.
    rates = [str(HERE / name) for name in ("test_exchanges.py", "../campaign/test_estimated.py")]
    asked = ["-q", "-n", "0", "-p", "no:cacheprovider", "-m", "", *(f"--ignore={name}" for name in rates)]
    pytest.main([*asked, str(HERE)], plugins=[seen])
    missing = 0
    for path in cases(plain):
        tests = sorted(seen.by.get(f"{path}/expected", ()))
        record = next((why for begin, why in RECORDS.items() if path.startswith(begin)), "")
        missing += not tests and not record
        print(f"{path}: {', '.join(tests) or (f'record: {record}' if record else 'NO TEST')}")
    print(f"{missing} without a test; {len(seen.failed)} tests failed.")
    return int(bool(missing or seen.failed))


if __name__ == "__main__":
    sys.exit(main())
