"""Stems of words: a word goes in, what is left when its ending is cut off comes out."""

from collections.abc import Callable
from functools import cache

STEMMERS = (
    "porter", "english", "arabic", "basque", "catalan", "danish", "dutch", "estonian", "finnish", "french", "german",
    "greek", "hindi", "hungarian", "indonesian", "irish", "italian", "lithuanian", "nepali", "norwegian", "portuguese",
    "romanian", "russian", "serbian", "spanish", "swedish", "tamil", "turkish", "yiddish",
)  # fmt: skip
"""Snowball's stemmers; porter is Porter's first one for English (1980), english his second."""


@cache
def stem_by(stemmer: str) -> Callable[[str], str]:
    """Return the function that stems lowercased words with one of STEMMERS, each word worked out once."""
    import snowballstemmer  # here, because it loads the stemmers of all languages, and only METEOR stems

    stem: Callable[[str], str] = cache(snowballstemmer.stemmer(stemmer).stemWord)
    return stem
