"""CPU seconds of the Segments page and of what stands behind it, on made prose of 10,000 and 100,000 segments.

Run as `python tests/benchmarks/segments.py [10000 100000]`. What 10,000 segments may take, in seconds: page,
sort, filter .15, search .3, curve .5, first opening 1. Seconds of the page are those of its script alone, as a click
runs it, in Streamlit's own test harness; what child processes do for it is timed by itself. A busy machine takes
several times as long for the same: lines between say how long a loop takes that takes a quarter of a second on an idle
one.
"""

import logging
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "dashboard"))

from made import made_corpus
from mtsig_dashboard.parts import show
from pages import app

from mtsig import Corpus, measure
from mtsig.segments import BUCKETS, buckets_of, contributions, leverage
from mtsig.segments._overview import Wanted, chosen

T = TypeVar("T")

PAIR = ("sys0", "sys1")
FREQUENT = ["the", "of", "and", "to", "is", "was", "that", "for", "it", "with", "his", "are", "this", "by", "not"]


def prose(n: int, seed: int = 1) -> Corpus:
    """Return two systems' noisy copies of made English: words as unequally frequent as real ones, names and numbers."""
    rng = np.random.default_rng(seed)
    letters = np.array(list("etaoinshrdlucmfwypvbgkjqxz"))
    share = 1 / np.arange(1, 27)
    made = ["".join(rng.choice(letters, size, p=share / share.sum())) for size in rng.integers(3, 11, 20_000)]
    made[::12] = [word.capitalize() for word in made[::12]]
    made[1::40] = [str(1900 + i % 120) for i in range(len(made[1::40]))]
    words = np.array([*FREQUENT, *made], dtype=object)
    below = np.cumsum(1 / np.arange(1, len(words) + 1))

    def drawn(size: int) -> np.ndarray:
        return words[np.searchsorted(below, rng.random(size) * below[-1])]

    references = [drawn(size) for size in rng.integers(5, 45, n)]
    outputs = {
        name: [
            " ".join(np.where(rng.random(len(line)) < 0.25 + 0.01 * place, drawn(len(line)), line)) + "."
            for line in references
        ]
        for place, name in enumerate(PAIR)
    }
    sources = [" ".join(word[::-1] for word in line) for line in references]
    documents = [f"doc{i * 1000 // n}" for i in range(n)]
    return Corpus.of(
        outputs, {"ref": [" ".join(line) + "." for line in references]}, documents=documents, sources=sources
    )


def timed(work: str, of: Callable[[], T]) -> T:
    """Print what a piece of work takes, at best of three times, and return what it makes."""
    seconds = []
    for _ in range(3):
        began = time.process_time()
        made = of()
        seconds.append(time.process_time() - began)
    print(f"  {work:<40} {min(seconds):6.2f}", flush=True)
    return made


def behind(corpus: Corpus) -> None:
    """Print the seconds of what the page has done for it."""
    statistics = measure(corpus, "bleu")
    found = timed("contributions", lambda: contributions(statistics, *PAIR))
    timed("curve: leverage of segments", lambda: leverage(found))
    timed("buckets, all in one", lambda: buckets_of(corpus, *PAIR))
    timed("search for a word", lambda: chosen(corpus, found, Wanted(search="Rain")))
    timed("search for a regular expression", lambda: chosen(corpus, found, Wanted(search="/r+ain/")))


def on_the_page(corpus: Corpus) -> None:
    """Print the seconds of what a visitor does."""
    took = [0.0]
    guarded = show.guarded

    def watched(page: Callable[[], None], **how: bool) -> None:
        began = time.thread_time()
        guarded(page)
        took[0] = time.thread_time() - began

    show.guarded = watched
    try:
        at = app(first=PAIR[0], second=PAIR[1])
        data = at.session_state["session"].data
        data.whole = data.corpus = corpus

        def step(what: str, do: Callable[[], object]) -> None:
            do()
            assert not at.exception, at.exception
            assert not at.error, [one.value for one in at.error]
            print(f"  {what:<40} {took[0]:6.2f}", flush=True)

        step("first opening", lambda: at.switch_page("app_pages/segments.py").run(timeout=1800))
        step("the same again", lambda: at.run(timeout=600))
        at.session_state["cards"] = 3
        step("page", lambda: at.run(timeout=600))
        step("sort", lambda: at.selectbox(key="sort").select("absolute").run(timeout=600))
        step("sort by length", lambda: at.selectbox(key="sort").select("length").run(timeout=600))
        step("filter by side", lambda: at.selectbox(key="side").select("first").run(timeout=600))
        step("filter by length", lambda: at.selectbox(key="length").select("short").run(timeout=600))
        step("search", lambda: at.text_input(key="look_for").set_value("rain").run(timeout=600))
    finally:
        show.guarded = guarded


def calibrated() -> None:
    """Print how fast this machine is now."""
    began = time.process_time()
    sum(i for i in range(5_000_000))
    print(f"a loop of five million steps {time.process_time() - began:13.2f}")


def main() -> None:
    """Print the seconds at several sizes."""
    logging.disable(logging.WARNING)
    for n in [int(text) for text in sys.argv[1:]] or [10_000, 100_000]:
        corpus = prose(n)
        calibrated()
        print(f"{n:,} segments, BLEU, behind the page")
        behind(corpus)
        calibrated()
        print(f"  {'memory at most so far, MB':<40} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:6.0f}")
        print(f"{n:,} segments, on the page")
        on_the_page(corpus)
        print(f"  {'memory at most so far, MB':<40} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:6.0f}")
    # Words that all hold digits are the hardest that the detector of numbers meets.
    hard = made_corpus(10_000, systems=2, documents=0)
    print("10,000 segments in which every word is a number")
    for name in ("number", *(one for one in BUCKETS if one != "number")):
        timed(f"bucket {name}", lambda: buckets_of(hard, *PAIR, [name]))  # noqa: B023 - called at once
    calibrated()


if __name__ == "__main__":
    main()
