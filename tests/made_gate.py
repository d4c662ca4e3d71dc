"""Made data for the gate: systems known by a rating, and folders of texts."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtsig import Corpus, Rating

WORDS = [f"w{i}" for i in range(60)]


def rated(
    scores: Mapping[str, ArrayLike],
    *,
    higher_is_better: bool = True,
    documents: Sequence[str] | None = None,
    ratings: Sequence[str] = ("score",),
    sources: Sequence[str] | None = None,
) -> Corpus:
    """A corpus of systems with a score per segment; under each name of a rating the same scores."""
    values = np.array([np.asarray(one, dtype=np.float64) for one in scores.values()])
    given = {name: Rating(values, higher_is_better) for name in ratings}
    return Corpus.of(dict.fromkeys(scores), documents=documents, sources=sources, ratings=given)


def differing(mean: float, n: int = 200, sd: float = 1.0, seed: int = 3) -> NDArray[np.float64]:
    """n differences with exactly this mean and standard deviation."""
    drawn = np.random.default_rng(seed).normal(size=n)
    return mean + sd * (drawn - drawn.mean()) / drawn.std(ddof=1)


def pair(mean: float, n: int = 200, sd: float = 1.0, **more: object) -> Corpus:
    """Systems old and new, the new one better by exactly this mean, with this standard deviation."""
    old = np.random.default_rng(9).normal(50, 5, n)
    return rated({"old": old, "new": old + differing(mean, n, sd)}, **more)  # type: ignore[arg-type]


def kept(keep: float, lines: Sequence[str], seed: int) -> list[str]:
    """Return lines in which this share of the words stays."""
    rng = np.random.default_rng(seed)
    return [
        " ".join(w if rng.random() < keep else WORDS[rng.integers(len(WORDS))] for w in line.split()) for line in lines
    ]


def written(folder: Path, systems: Mapping[str, tuple[float, int]], n: int = 120, seed: int = 1) -> Path:
    """Write a test set of random words: system -> share of the reference's words it keeps, and its seed."""
    rng = np.random.default_rng(seed)
    reference = [" ".join(rng.choice(WORDS, rng.integers(5, 15))) for _ in range(n)]
    texts = {f"systems/{name}.txt": kept(share, reference, own) for name, (share, own) in systems.items()}
    for name, lines in {**texts, "refs/ref.txt": reference}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder
