"""Make every number of the paper, and write it: `python paper/make.py` fills paper.in.md into paper.md."""

from collections import Counter
from pathlib import Path

import numpy as np

import mtsig
from mtsig.inference import CORRECTIONS, INTERVALS, TESTS, compare
from mtsig.metrics import METRICS, Rated, Statistics

HERE = Path(__file__).parent
SETS, N, DOCUMENTS, ICC, K = 500, 400, 20, 0.1, 5


def equal_systems(rng: np.random.Generator, systems: int) -> Statistics:
    """Return ratings of equal systems whose segments share something with their documents, system by system."""
    of = np.arange(N) * DOCUMENTS // N
    hard = rng.normal(70, 10, N)
    own = np.sqrt(ICC) * rng.normal(0, 5, (systems, DOCUMENTS))[:, of]
    scores = hard + own + np.sqrt(1 - ICC) * rng.normal(0, 5, (systems, N))
    values = np.stack([scores, np.ones_like(scores)])
    return Statistics(
        Rated("score", higher_is_better=True), tuple(f"s{i}" for i in range(systems)), values, document_of=of
    )


def simulated() -> dict[str, object]:
    """Return how often equal systems are called different, in percent."""
    rng = np.random.default_rng(2026)
    found = Counter[str]()
    for _ in range(SETS):
        statistics = equal_systems(rng, K)
        by_segment, by_document = compare(statistics, "t"), compare(statistics, "jackknife-t")
        found["segments"] += by_segment.p_value[0] <= 0.05
        found["by_documents"] += by_document.p_value[0] <= 0.05
        found["uncorrected"] += (by_document.p_value <= 0.05).any()
        found["corrected"] += (mtsig.adjust(by_document, "holm").p_adjusted <= 0.05).any()
    return {name: f"{100 * count / SETS:.0f}%" for name, count in found.items()}


def counted() -> dict[str, object]:
    """Return all other numbers."""
    sample = mtsig.read_sample()
    rows = mtsig.compare(sample, "chrf").rows()
    return {
        "year": 2026, "sets": SETS, "n": N, "documents": DOCUMENTS, "icc": ICC, "k": K,
        "metrics": len(METRICS.own), "tests": len(TESTS.own), "intervals": len(INTERVALS.own),
        "corrections": len(CORRECTIONS.own), "systems": len(sample.systems), "sample_segments": len(sample),
        "sample_documents": sample.n_documents, "comparisons": len(rows),
        "significant": sum(row["verdict"] == "better" for row in rows),
    }  # fmt: skip


if __name__ == "__main__":
    text = (HERE / "paper.in.md").read_text(encoding="utf-8")
    (HERE / "paper.md").write_text(text.format(**counted(), **simulated()), encoding="utf-8")
