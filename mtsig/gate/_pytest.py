"""Plugin for pytest: the fixture `mtsig_gate` fails a test whose candidate is a regression.

pytest loads this module wherever mtsig is installed; other modules are loaded only if the fixture is used.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import pytest

if TYPE_CHECKING:
    from mtsig.gate import GateResult


@pytest.fixture
def mtsig_gate() -> "Callable[..., GateResult]":
    """Return a function that judges a candidate, and fails the test unless it passes.

    The arguments are those of `mtsig.gate.judge`; a path may replace the data. `inconclusive` is the test's outcome if
    the data allow no decision: "fail", "skip" or "pass".

        def test_the_new_model(mtsig_gate):
            mtsig_gate("test-sets/news", "live", "candidate", ["chrf"], margin=1.0)
    """
    return _gate


def _gate(data: Any, *given: Any, inconclusive: Literal["fail", "skip", "pass"] = "fail", **named: Any) -> "GateResult":
    from mtsig.errors import InvalidOption, MtsigError
    from mtsig.gate import judge
    from mtsig.readers._read import read

    __tracebackhide__ = True
    try:
        if inconclusive not in ("fail", "skip", "pass"):
            raise InvalidOption(f"inconclusive takes one of fail, skip, pass; found {inconclusive!r}.")
        result = judge(read(data) if isinstance(data, str) or hasattr(data, "__fspath__") else data, *given, **named)
    except MtsigError as refused:
        # Where it is refused in mtsig tells nobody anything.
        raise refused.with_traceback(None) from None
    # The first line is all that pytest's summary shows.
    said = f"{result.outcome}: {result.candidate} against {result.baseline}\n\n{result}"
    if result.outcome == "regression" or (result.outcome == "inconclusive" and inconclusive == "fail"):
        pytest.fail(said, pytrace=False)
    if result.outcome == "inconclusive" and inconclusive == "skip":
        pytest.skip(said)
    return result
