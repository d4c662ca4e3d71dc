"""Data made on the spot for the tests."""

from pathlib import Path

import numpy as np

from mtsig import Bleu, Corpus, Statistics
from mtsig.metrics import as_values

ROOT = Path(__file__).resolve().parents[1]


def made_corpus(n: int = 60, systems: int = 3, documents: int = 12, references: int = 1, seed: int = 1) -> Corpus:
    """A corpus of random words in which system i keeps fewer and fewer of the reference's."""
    rng = np.random.default_rng(seed)
    words = [f"w{i}" for i in range(60)]
    refs = [[" ".join(rng.choice(words, rng.integers(4, 15))) for _ in range(n)] for _ in range(references)]
    outputs = {}
    for s in range(systems):
        keep = 0.8 - 0.05 * s
        outputs[f"sys{s}"] = [
            " ".join(w if rng.random() < keep else str(rng.choice(words)) for w in line.split()) for line in refs[0]
        ]
    names = [f"doc{i * documents // n}" for i in range(n)] if documents else None
    return Corpus.of(outputs, {f"ref{r}": lines for r, lines in enumerate(refs)}, documents=names)


def made_statistics(n: int = 200, systems: int = 4, seed: int = 1) -> Statistics:
    """BLEU statistics of made systems without any text: lengths near the reference's, fewer and fewer matches."""
    rng = np.random.default_rng(seed)
    reference = rng.integers(6, 40, n)
    rows = []
    for s in range(systems):
        length = np.maximum(5, reference + rng.integers(-2, 4, n))
        totals = [length - order for order in range(4)]
        rates = np.array([0.65, 0.4, 0.28, 0.2]) - 0.004 * s
        matches = [rng.binomial(np.maximum(t, 0), rate) for t, rate in zip(totals, rates, strict=True)]
        rows.append([length, reference, *matches, *totals])
    values = as_values(np.moveaxis(np.array(rows, dtype=float), 0, 1))
    return Statistics(Bleu(), tuple(f"sys{s}" for s in range(systems)), values)
