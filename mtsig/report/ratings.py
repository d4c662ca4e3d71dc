"""Ratings in a table: what was read of each, which direction is better, and how that is known."""

import numpy as np

from mtsig.corpus import Corpus, Rating
from mtsig.report.table import Table
from mtsig.report.words import units_text


def rated_table(corpus: Corpus) -> Table:
    """Return the ratings of a corpus, each with its judge, how much is rated, its range and its direction.

    >>> import numpy as np
    >>> import mtsig
    >>> from mtsig.report import rated_table
    >>> ratings = {"mqm": mtsig.Rating(-np.array([[0.0, 1, 5], [5, 6, 25]]), higher_is_better=True)}
    >>> table = rated_table(mtsig.Corpus.of(dict.fromkeys("AB"), ratings=ratings))
    >>> table.header, table.texts[0]  # doctest: +NORMALIZE_WHITESPACE
    (('rating', 'by', 'systems', 'rated', 'from', 'to', 'better', 'because'), ('mqm', '', '2', '3 segments', '−25',
    '0', 'higher', 'declared'))
    """
    rows = (_row(name, rating) for name, rating in corpus.ratings.items())
    header = ("rating", "by", "systems", "rated", "from", "to", "better", "because")
    return Table.of_text("What was read of each rating.", header, rows, right=("systems", "rated", "from", "to"))


def _row(name: str, rating: Rating) -> tuple[str, ...]:
    known = ~np.isnan(rating.values)
    counts = known.sum(axis=1)
    some = counts[counts > 0]
    scores = rating.values[known]
    return (
        name,
        rating.judge or "",
        str(len(some)),
        units_text(some.tolist(), "segment") if len(some) else "nothing",
        f"{scores.min() + 0.0:.4g}".replace("-", "−") if len(scores) else "",
        f"{scores.max() + 0.0:.4g}".replace("-", "−") if len(scores) else "",
        "higher" if rating.higher_is_better else "lower",
        rating.direction_source,
    )
