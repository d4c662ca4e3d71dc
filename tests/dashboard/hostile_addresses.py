"""A process that opens pages by hostile addresses and ends when one takes too much: `python … SEED NUMBER`.

Every address has some of the keys that pages know, with values that are no choice; the keys are found in the code and
in what the pages draw. What each address came to is printed where it came to an error.
"""

import ast
import os
import random
import resource
import sys
from collections.abc import Iterator

os.environ["MTSIG_VISITORS"] = '{"workers": 0}'

from made import DASHBOARD
from mtsig_dashboard import session
from mtsig_dashboard.parts import show
from pages import TABS, texts, with_sample
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

SECONDS, MEMORY = 20, 2**30
"""Of the processor for one page, and of address space for all beyond that of every page as it is."""

OPENED: list[tuple[str, dict[str, str]]] = [
    ("data", {}), ("results", {}), ("compare", {}), *(("compare", {"tab": tab}) for tab in TABS), ("segments", {}),
    ("segments", {"segments_tab": "Words"}), ("trust", {}), ("planning", {}), ("paper", {}), ("learn", {}),
    ("learn", {"lesson": "1"}), ("lab", {}), ("lab", {"experiment": "calibrate"}), ("lab", {"experiment": "scores"}),
]  # fmt: skip
"""Pages, and what of them only an address shows."""

VALUES = [
    "1e999", "-1e999", "nan", "inf", "9" * 5000, "-" + "9" * 400, "1000000000", "٣٤", "²", "1_000", "0x10", "1e308",
    "-1", "0", "1e-320", "\x00", "\u202e\ufffd", "[" * 3000, "{" * 3000, "a," * 2000, "a " * 2000, "/(a+)+$/",
    "/a{99999999}/", "/(?P<x>a)(?P=x){99999999}/", "%s%n{0}{0.__class__}", "${7*7}", "../etc/passwd", "'\"><script>",
    "2024-13-45", ",", " ", "", "null", "true", "1e999 to -1e999", "#" + "9" * 4000, "1.5", "_" * 4000, "\n" * 3000,
    '{"a": [1, {"b": null}]}', "[1e999]", '["x", "x"]', '[["a"]]', '"true"', "%2525%2526", "%252e%252e%252f", "a&b=c",
    "?data=sample", "%00", "+", "%ff", "\U0001f9d1\u200d\U0001f680", "\uffff", "x" * 60_000, "constructor", "__proto__",
]  # fmt: skip

READING = {"bound", "bound_number", "bound_or_empty", "said", "say", "say_all", "get", "get_all"}
"""What of the code is told the name of a key."""


def written() -> Iterator[str]:
    """Yield the keys that stand in the code."""
    for file in DASHBOARD.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in READING and node.args:
                key = node.args[0]
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value


def drawn(at: AppTest) -> Iterator[str]:
    """Yield the keys of a page."""
    yield from at.query_params
    for key, value in at.session_state._state.filtered_state.items():
        yield from value.view.drawn if isinstance(value, session.Session) else [str(key)]


def main(seed: int, number: int) -> None:
    scanned = manifest_scanner.scan_component_manifests()
    manifest_scanner.scan_component_manifests = lambda *_, **__: scanned  # once, not for every page
    found = {*written(), *(key for page, address in OPENED for key in drawn(with_sample(page, **address)))}
    keys = sorted(found - {"data"})
    assert {
        "look_for",
        "n_resamples",
        "effect",
        "bleu.smooth_value",
        "calibrate.sizes",
        "stars",
        "lesson",
        "over_weights",
    } <= found

    def unexpected(error: Exception) -> str:
        raise error

    show.unexpected = unexpected
    here = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()  # noqa: PTH123, SIM115
    resource.setrlimit(resource.RLIMIT_AS, (here + MEMORY, here + MEMORY))
    rng = random.Random(seed)
    for _ in range(number):
        page, usual = rng.choice(OPENED)
        hostile: dict[str, str | list[str]] = {key: rng.choice(VALUES) for key in rng.sample(keys, min(len(keys), 12))}
        # A key may stand in an address again and again.
        for key in rng.sample(sorted(hostile), 4):
            hostile[key] = rng.choices(VALUES[:-3], k=rng.choice([2, 3, 50]))
        print(page, usual, hostile, file=sys.stderr, flush=True)  # the last of these ended the process
        used = resource.getrusage(resource.RUSAGE_SELF)
        spent = int(used.ru_utime + used.ru_stime)
        resource.setrlimit(resource.RLIMIT_CPU, (spent + SECONDS, resource.RLIM_INFINITY))
        at = with_sample(page, **(hostile | usual if rng.random() < 0.5 else usual | hostile))
        said = texts(at)
        assert "NoneType" not in said, said
        assert "mistake in mtsig" not in said, said
    print("opened", number)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
