"""A process that opens pages by hostile addresses and ends when one takes too much: `python … SEED NUMBER`.

Every address has some of the keys that pages know, with values that are no choice; the keys are found in the code and
in what the pages draw. What each address came to is printed where it came to an error.
"""

import ast
import json
import os
import random
import resource
import sys
from collections.abc import Iterator
from functools import cache

os.environ["MTSIG_VISITORS"] = '{"workers": 0}'

from forms import zipped
from made import DASHBOARD, made_corpus
from mtsig_dashboard import session
from mtsig_dashboard.parts import show
from pages import TABS, lines, texts, uploaded, with_sample
from streamlit.testing.v1 import AppTest

SECONDS, MEMORY = 20, 2**30
"""Of the processor for one page, and of address space for all beyond that of every page as it is."""

OPENED: list[tuple[str, dict[str, str]]] = [
    ("data", {}), ("results", {}), ("compare", {}), *(("compare", {"tab": tab}) for tab in TABS), ("segments", {}),
    ("segments", {"segments_tab": "Words"}), ("trust", {}), ("planning", {}), ("paper", {}), ("learn", {}),
    ("learn", {"lesson": "1"}), ("lab", {}), ("lab", {"experiment": "calibrate"}), ("lab", {"experiment": "scores"}),
    ("preferences", {}), ("test_sets", {}),
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

READING = {"bound", "bound_number", "bound_or_empty", "said", "say", "get", "get_all"}
"""What of the code is told the name of a key."""


@cache
def dropped(page: str) -> tuple[str, bytes]:
    """Return a file that makes a page be there."""
    if page == "preferences":
        about = {"system_a": "<b>", "system_b": "{0}", "judge": "%s"}
        rows = [{"document": i % 8, "criterion": "xy"[i % 2], "winner": "ab"[i % 3 % 2]} for i in range(48)]
        return "v.jsonl", lines([json.dumps(about | row | {"item": i}) for i, row in enumerate(rows)])
    files = {}
    for seed, name in enumerate(("en-cs", "en-de", "en-fr")):
        own = made_corpus(12, 2, 6, seed=seed, of=f"{seed}-")
        files |= {f"{name}/systems/{run}.txt": lines(texts) for run, texts in own.outputs.items()}
        files |= {f"{name}/refs/ref0.txt": lines(own.references["ref0"]), f"{name}/docids.txt": lines(own.documents)}
    return next(iter(zipped(files).items()))


def opened(page: str, **address: str | list[str]) -> AppTest:
    """Open a page with data that it is there for."""
    if page not in ("preferences", "test_sets"):
        return with_sample(page, **address)
    return uploaded(dict([dropped(page)]), page, **address)


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
    of_page = {page: list[str]() for page, _ in OPENED}
    for page, address in OPENED:
        of_page[page] += sorted({*drawn(opened(page, n_resamples="200", **address))} - {"data"})
    found = {*written(), *(key for own in of_page.values() for key in own)}
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
        "preference_model",
    } <= found
    here = {file.stem for file in (DASHBOARD / "app_pages").glob("[!_]*.py")}
    assert here == {page for page, _ in OPENED}

    def unexpected(error: Exception) -> str:
        raise error

    show.unexpected = unexpected
    here = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()  # noqa: PTH123, SIM115
    resource.setrlimit(resource.RLIMIT_AS, (here + MEMORY, here + MEMORY))
    rng = random.Random(seed)
    for _ in range(number):
        page, usual = rng.choice(OPENED)
        hostile: dict[str, str | list[str]] = {
            key: rng.choice(VALUES) for key in [*rng.sample(keys, 8), *rng.choices(of_page[page], k=8)]
        }
        # A key may stand in an address again and again.
        for key in rng.sample(sorted(hostile), 4):
            hostile[key] = rng.choices(VALUES[:-3], k=rng.choice([2, 3, 50]))
        print(page, usual, hostile, file=sys.stderr, flush=True)  # the last of these ended the process
        used = resource.getrusage(resource.RUSAGE_SELF)
        spent = int(used.ru_utime + used.ru_stime)
        resource.setrlimit(resource.RLIMIT_CPU, (spent + SECONDS, resource.RLIM_INFINITY))
        at = opened(page, **(hostile | usual if rng.random() < 0.5 else usual | hostile))
        said = texts(at)
        assert "NoneType" not in said, said
        assert "error in mtsig" not in said, said
    print("opened", number)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
