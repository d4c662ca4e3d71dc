"""Texts and options drawn by hypothesis for tests against sacreBLEU."""

from typing import Any

from hypothesis import strategies as st

from mtsig import Corpus

# Words that meet often (so that n-grams match), and what real files do to tokenizers.
WORDS = [
    "a", "b", "ab", "the", "The", "cat", "cat.", "cat,", "(cat)", "don't", "1.5", "1,000", "-", "...", "&amp;",
    "&quot;", "<skipped>", "ß", "İ", "ﬁ", "猫", "猫が好き", "。", "кот", "Кот", "e\u0301", "\u00a0", "\u3000",
    "\u2028", "\u200b", "\t", "\x85", "😀", "$", "%", "|", "»", "\x1c", "ΟΔΟΣ", "x-\ny", "5.", "..", "a.5", "5-a",
    "he's,", "cat's.", "&amp;quot;",
]  # fmt: skip

LINES = st.one_of(
    st.just(""),
    st.lists(st.sampled_from(WORDS[:6]), min_size=1, max_size=14).map(" ".join),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join),
    st.sampled_from(WORDS),
    st.sampled_from(WORDS).map(lambda word: " ".join([word] * 7)),
    st.sampled_from([" ", "  the  cat ", "the cat sat on the mat .", "the cat sat on the mat"]),
)


@st.composite
def corpora(draw: Any) -> Corpus:
    """Draw one or two systems and one to three references, of which some may be missing, but not all of a segment."""
    n = draw(st.integers(1, 5))
    count = draw(st.integers(1, 3))
    columns = []
    for _ in range(count):
        column = [draw(LINES) for _ in range(n)]
        # Among several references a line without words means a missing one.
        missing = [count > 1 and (not line.strip() or draw(st.integers(0, 4)) == 0) for line in column]
        columns.append([None if gone else line for line, gone in zip(column, missing, strict=True)])
    for i in range(n):
        if all(column[i] is None for column in columns):
            columns[0][i] = "the cat"
    systems = {}
    for name in ("x", "y")[: draw(st.integers(1, 2))]:
        lines = [draw(LINES) for _ in range(n)]
        # Copies of the reference make long matches, which random words alone hardly do.
        systems[name] = [columns[0][i] or line if draw(st.booleans()) else line for i, line in enumerate(lines)]
    return Corpus.of(systems, {f"r{i}": column for i, column in enumerate(columns)})


# None is sacreBLEU's own default; the default of the metrics looks at the text first.
bleu_options = st.fixed_dictionaries(
    {"tokenize": st.sampled_from(["none", "13a", "intl", "char", "zh", None])},
    optional={
        "lowercase": st.booleans(),
        "smooth_method": st.sampled_from(["exp", "floor", "add-k", "none"]),
        "smooth_value": st.sampled_from([None, 0, 0.01, 0.5, 1, 2.5]),
        "max_ngram_order": st.integers(1, 6),
        "effective_order": st.booleans(),
        "trg_lang": st.sampled_from(["", "zh", "de"]),
    },
)

chrf_options = st.fixed_dictionaries(
    {},
    optional={
        "char_order": st.integers(1, 7),
        "word_order": st.integers(0, 3),
        "beta": st.integers(1, 3),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
        "eps_smoothing": st.booleans(),
    },
)

ter_options = st.fixed_dictionaries(
    {},
    optional={name: st.booleans() for name in ("normalized", "no_punct", "asian_support", "case_sensitive")},
)
