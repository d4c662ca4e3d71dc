"""Outputs and references go in, TER's counts per segment come out (Snover et al. 2006), equal to sacreBLEU's."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from mtsig.steps import Steps
from mtsig.text.blocks import Block, Lines, Stream, blocks
from mtsig.text.edits import fewest_edits
from mtsig.text.tokens import tokenized


def counting_ter(
    outputs: Sequence[Lines], references: Sequence[Stream], tokenizer: Callable[[str], str]
) -> Steps[NDArray[np.float64]]:
    """Count edits and words; returns shape (2, s, n).

    Rows: edits to the reference that needs the fewest, mean number of words of the references.
    """
    n = len(outputs[0])
    counts = np.empty((2, len(outputs), n))
    for block in blocks(outputs, references):
        found = np.array(_counted(block, tokenizer))
        counts[:, :, block.start : block.stop] = found.T[:, block.places]
        yield block.stop / n
    return counts


def _counted(block: Block, tokenizer: Callable[[str], str]) -> list[tuple[int, float]]:
    """Return the counts of every hypothesis of the block."""
    given: list[list[list[str]]] = [[] for _ in range(len(block))]
    for column in block.references:
        # sacreBLEU cuts references twice: "he's," gives the word he's the first time, and 's the second.
        lines = [tokenizer(line.rstrip()) for line in column.lines]
        for segment, words in zip(column.segments, tokenized(lines, tokenizer).lists(), strict=True):
            given[segment].append(words)
    segments = [_Segment(references) for references in given]
    words_of = tokenized(block.hypotheses.lines, tokenizer).lists()
    return [segments[i].counts(words) for i, words in zip(block.hypotheses.segments, words_of, strict=True)]


class _Segment:
    """One segment's references, and what was counted against them."""

    def __init__(self, references: Sequence[Sequence[str]]) -> None:
        # A character for every word that some reference has: rapidfuzz is fastest on text, and Python in shifting it.
        known = dict.fromkeys(word for reference in references for word in reference)
        self._characters = {word: chr(number) for number, word in enumerate(known, 1)}
        self._references = [self._coded(reference) for reference in references]
        self._length = sum(map(len, references)) / len(references)
        self._edits: dict[str, int] = {}

    def counts(self, words: Sequence[str]) -> tuple[int, float]:
        """Return the edits of a hypothesis, and the mean length of the references."""
        hypothesis = self._coded(words)
        if hypothesis not in self._edits:
            self._edits[hypothesis] = fewest_edits(hypothesis, self._references)
        return self._edits[hypothesis], self._length

    def _coded(self, words: Sequence[str]) -> str:
        return "".join([self._characters.get(word, "\0") for word in words])
