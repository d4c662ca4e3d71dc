"""Look for inputs of readers, metrics, studies and plans that fail, or cost more time or memory than their size tells.

Run as `nice python tests/benchmarks/fuzz.py --minutes 10 [WORD ...]`; words choose what is fuzzed by its name. See
tests/fuzzing.py for what inputs there are. Hypothesis looks for those that cost most for each byte (`target`), in
seconds and in memory, round after round, each from a seed of its own. Every fault is printed once with its input, and
the program ends with 1 where there are any. With --keep the costliest inputs, of those that take little, go into
tests/fuzz_seeds.json, which the suite goes through; what failed is to be put there by hand once it is mended.
"""

import argparse
import json
import random
import re
import sys
import time
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings, target

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fuzzing import SEEDS, Cost, Fuzzed, Input, cost, fuzzed, seeds

ROUND, LONGEST = 100, 10.0
"""Inputs that are tried of one thing before the next, and seconds that they may take."""

KEPT = 0.03
"""Seconds below which an input may be kept: the suite goes through all of them in a few."""


class Search:
    """The search among the inputs of one thing: faults by what they say, and the costliest inputs."""

    def __init__(self, fuzzed: Fuzzed) -> None:
        """Begin with what is kept."""
        self.fuzzed, self.tried = fuzzed, 0
        self.faults: dict[str, Input] = {}
        self.costliest: dict[str, tuple[float, Input]] = {}
        self.kept: dict[str, tuple[float, Input]] = {}
        for kept in seeds().get(fuzzed.name, []):
            self._try(kept)

    def _try(self, given: Input) -> Cost:
        if not self.tried:
            cost(self.fuzzed, given)  # modules that are loaded when they are first used are no input's memory
        self.tried += 1
        found = cost(self.fuzzed, given)
        if found.fault and (said := re.sub(r"[\d.]+", "", found.fault)[:40]) not in self.faults:
            self.faults[said] = given
            print(f"\n{self.fuzzed.name}: {found.fault}\n  {json.dumps(given)}", flush=True)
        for kind, price in zip(("seconds", "memory"), found.per_byte, strict=True):
            if price > self.costliest.get(kind, (0.0, []))[0]:
                self.costliest[kind] = price, given
            if found.seconds < KEPT and price > self.kept.get(kind, (0.0, []))[0]:
                self.kept[kind] = price, given
        return found

    def round(self, number: int, until: float) -> None:
        """Try some inputs, each dearer than the last if that can be."""
        until = min(until, time.monotonic() + LONGEST)

        @seed(number)
        @settings(
            max_examples=ROUND, database=None, deadline=None, phases=(Phase.generate, Phase.target),
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(self.fuzzed.inputs)
        def look(given: Input) -> None:
            if time.monotonic() < until:
                seconds, memory = self._try(given).per_byte
                target(seconds, label="seconds for each byte")
                target(memory, label="memory for each byte")

        look()


def main() -> int:
    """Search until the time is over, print what was found, and return 1 where there are faults."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("words", nargs="*")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", action="store_true", help="keep the costliest inputs")
    chosen = parser.parse_args()
    until = time.monotonic() + 60 * chosen.minutes
    searches = [
        Search(one) for name, one in fuzzed().items() if not chosen.words or any(word in name for word in chosen.words)
    ]
    number = chosen.seed
    while time.monotonic() < until:
        # What comes last in a round that the time cuts short is not always the same.
        for search in random.Random(number).sample(searches, len(searches)):
            search.round(number, until)
        number += 1
    for search in searches:
        worst = ", ".join(f"{price:.3g} {kind}" for kind, (price, _) in search.costliest.items())
        print(
            f"{search.fuzzed.name}: {search.tried} inputs; at most {worst} for each byte; {len(search.faults)} faults"
        )
    if chosen.keep:
        kept = seeds()
        for search in searches:
            known = kept.setdefault(search.fuzzed.name, [])
            known += [given for _, given in search.kept.values() if given not in known]
        SEEDS.write_text(json.dumps(kept, indent=0, ensure_ascii=True) + "\n", encoding="utf-8")
    return 1 if any(search.faults for search in searches) else 0


if __name__ == "__main__":
    sys.exit(main())
