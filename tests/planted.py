"""The sample with faults planted in one of its systems, or in several: what the data checks are to find."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from mtsig import Corpus, check_data, read_sample
from mtsig.doctor import Finding

SAMPLE = read_sample()
SYSTEM = "direct"
TWO = SAMPLE.select([SYSTEM, "via-catalan"])
"""For what is looked for in one text: the other is what it is held against."""
SOURCES = list(SAMPLE.segments.sources or ())
REFERENCE = [line or "" for line in SAMPLE.references["ref"]]
SOME = range(0, 200, 20)


def with_lines(change: Callable[[list[str]], Sequence[str]], corpus: Corpus = SAMPLE) -> Corpus:
    """Return the sample with the output of one system changed."""
    return replace(corpus, outputs={**corpus.outputs, SYSTEM: tuple(change(list(corpus.outputs[SYSTEM])))})


def some(lines: list[str], numbers: Sequence[int], change: Callable[[str], str]) -> list[str]:
    return [change(line) if number in numbers else line for number, line in enumerate(lines)]


def slipped(start: int, count: int, by: int = 1) -> Callable[[list[str]], list[str]]:
    """Lines start … start + count − 1 hold what belongs `by` lines later (or earlier, if negative)."""

    def change(lines: list[str]) -> list[str]:
        return [
            lines[min(max(number + by, 0), len(lines) - 1)] if start <= number < start + count else line
            for number, line in enumerate(lines)
        ]

    return change


def every(step: int, of: int = 200) -> range:
    return range(0, of, step)


def put(lines: Sequence[str | None], line: Callable[[int], str]) -> list[str]:
    return [line(n) if n in SOME else old or "" for n, old in enumerate(lines)]


def everywhere(line: Callable[[int], str], systems: int | None = None) -> dict[str, list[str]]:
    """Return the outputs with the line put into all systems, or the first few."""
    names = list(SAMPLE.outputs)[:systems]
    return {name: put(lines, line) if name in names else list(lines) for name, lines in SAMPLE.outputs.items()}


def corpus(
    outputs: dict[str, list[str]], reference: Sequence[str] = REFERENCE, sources: Sequence[str] | None = SOURCES
) -> Corpus:
    return Corpus.of(outputs, {"ref": reference}, sources=sources)


def found(data: Corpus, check: str) -> list[Finding]:
    return [one for one in check_data(data, [check]) if one.check == check]
