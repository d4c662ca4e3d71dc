"""A chunk of text goes in, its words come out as symbols that n-grams can be counted of."""

from collections.abc import Callable, Sequence
from itertools import chain, count, repeat

import numpy as np

from mtsig.text.chunks import Chunk, Column
from mtsig.text.ngrams import Rows
from mtsig.text.tokens import Words


def word_rows(chunk: Chunk, cut: Callable[[Sequence[str]], Words]) -> list[Rows]:
    """Return the words of the hypotheses and of each stream as symbols: one for each word of the references."""
    given = [cut(column.lines) for column in chunk.references]
    known = dict.fromkeys(chain.from_iterable(words.words for words in given))
    symbols = dict(zip(known, count(1), strict=False))
    columns = [(cut(chunk.hypotheses.lines), chunk.hypotheses), *zip(given, chunk.references, strict=True)]
    return [_rows(words, column, symbols) for words, column in columns]


def _rows(words: Words, column: Column, symbols: dict[str, int]) -> Rows:
    symbols_of = np.fromiter(map(symbols.get, words.words, repeat(0)), dtype=np.intp, count=len(words.words))
    return Rows(np.insert(symbols_of, np.cumsum(words.lengths), 0), words.lengths, column.segments)
