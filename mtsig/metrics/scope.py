"""Scope: a corpus goes in, the part of it that a metric can count comes out, with what was left out and why."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mtsig.corpus import Corpus, FloatArray, Note, left_out, number_of
from mtsig.errors import NotApplicable
from mtsig.readers import given_by


@dataclass(frozen=True, eq=False)
class Scope:
    """The systems and segments that are counted; numbers: shape (n,), which segments these are, None for all."""

    corpus: Corpus
    numbers: NDArray[np.integer] | None = None
    notes: tuple[Note, ...] = ()


def text_scope(corpus: Corpus, name: str, needs_references: bool) -> Scope:
    """Return the systems that have text, and the segments that have a reference where one is needed.

    Raises:
        NotApplicable: a reference is needed, and there is none or no system has text.
    """
    scope, notes = _with_text(corpus, name)
    if not needs_references:
        return Scope(scope, None, notes)
    if not scope.outputs:
        raise NotApplicable(
            f"{name} reads text, and here there is none. Choose one of the ratings: {', '.join(corpus.ratings)}."
        )
    if not corpus.referenced.any():
        raise NotApplicable(
            f"{name} needs a reference, and none was given. Call its file ref.txt, or put it into refs/."
        )
    notes += left_out(corpus)
    numbers = None if corpus.referenced.all() else np.flatnonzero(corpus.referenced)
    return Scope(scope.with_references(), numbers, notes)


def _with_text(corpus: Corpus, name: str) -> tuple[Corpus, tuple[Note, ...]]:
    textless = [system for system, runs in corpus.systems.items() if not runs]
    if not textless or len(textless) == len(corpus.systems):
        return corpus, ()
    text = f"Without text, so not scored by {name}: {', '.join(textless)}."
    return corpus.with_text(), (Note("note", text),)


def rating_scope(corpus: Corpus, name: str, shared: bool) -> Scope:
    """Return the systems and segments that are rated; with `shared` only segments rated for all of these systems.

    Raises:
        NotApplicable: nothing is rated, or no segment is rated for all.
    """
    known = ~np.isnan(corpus.ratings[name].values)
    rated = np.asarray(known.any(axis=1))
    if not rated.any():
        raise NotApplicable(f"The rating {name!r} holds no score for any of these systems.")
    systems = [system for row, system in enumerate(corpus.systems) if rated[row]]
    segments = np.asarray(known[rated].all(axis=0) if shared else known[rated].any(axis=0))
    if not segments.any():
        raise NotApplicable(f"No segment has a rating {name!r} for all {len(systems)} systems; leave out shared=true.")
    numbers = np.flatnonzero(segments)
    scope = corpus if rated.all() else corpus.select(systems)
    scope = scope if segments.all() else scope.take(numbers)
    notes = _unrated(corpus, name, systems) + _covered(known[rated][:, segments], name, len(corpus), shared)
    scope, same = _same_texts(scope, name)
    return Scope(scope, None if segments.all() else numbers, notes + same)


def _same_texts(corpus: Corpus, name: str) -> tuple[Corpus, tuple[Note, ...]]:
    """Return the corpus with one score for the same text of several systems, if a program gave the rating.

    Programs score one text twice with a little noise, of the order of rounding; so many equal signs would be taken for
    a difference. People's ratings stay as they are, and those of whom nobody knows who gave them.
    """
    rating = corpus.ratings[name]
    giver = "people" if rating.judgements is not None else given_by(name)
    rows = [row for row, runs in enumerate(corpus.systems.values()) if len(runs) == 1]
    if giver == "people" or len(rows) < 2:
        return corpus, ()
    columns = [corpus.outputs[runs[0]] for runs in corpus.systems.values() if len(runs) == 1]
    values, concerned, apart = rating.values.astype(np.float64), 0, 0.0
    for segment, lines in enumerate(zip(*columns, strict=True)):
        if len(set(lines)) == len(lines):
            continue
        groups: dict[str | None, list[int]] = {}
        for row, line in zip(rows, lines, strict=True):
            if line is not None and not np.isnan(values[row, segment]):
                groups.setdefault(line, []).append(row)
        gaps = [_tie(values[:, segment], group) for group in groups.values() if len(group) > 1]
        concerned += any(gaps)
        apart = max([apart, *gaps])
    if not concerned:
        return corpus, ()
    of = number_of(len(corpus), "segment", ",")
    said = f"{name} scores the same text of several systems differently in {concerned:,} of {of} (by {apart:.2g})"
    if not giver:
        text = f"{said}; as its name does not tell whether people or a program gave it, its scores stay as they are."
        return corpus, (Note("note", text),)
    tied = replace(corpus, ratings={**corpus.ratings, name: replace(rating, values=values)})
    # So far apart they may be scores of other texts.
    level: Literal["note", "warning"] = "warning" if apart > _NOISE * float(np.nanstd(rating.values)) else "note"
    return tied, (Note(level, f"{said}: the same text counts as equal, with the mean of its scores."),)


_NOISE = 0.1
"""Of the spread of all scores: noise of one text's scores that a program may have."""


def _tie(scores: FloatArray, group: list[int]) -> float:
    """Give these systems the mean of their scores, in place, and return how far apart they were."""
    own = scores[group]
    apart = float(own.max() - own.min())
    if apart:
        scores[group] = own.mean()
    return apart


def _unrated(corpus: Corpus, name: str, rated: Sequence[str]) -> tuple[Note, ...]:
    missing = [system for system in corpus.systems if system not in rated]
    return (Note("note", f"Without any {name}: {', '.join(missing)}."),) if missing else ()


def _covered(known: NDArray[np.bool_], name: str, total: int, shared: bool) -> tuple[Note, ...]:
    """Say how many segments stand behind the scores, where these are not all of the corpus."""
    counts, n = known.sum(axis=1), known.shape[1]
    if shared and n < total:
        return (Note("note", f"{name}: the {n} of {total} segments that have a score for all {len(known)} systems."),)
    if counts.min() == n:
        return (Note("note", f"{name}: {n} of {total} segments have scores."),) if n < total else ()
    text = (
        f"{name}: systems have scores for {counts.min()} to {counts.max()} of {total} segments. A system's score "
        "stands on its own segments, and every pair is compared on those that both have."
    )
    return (Note("note", text),)
