"""Print how often error spans of equal detectors differ significantly, and how often intervals of F miss it.

In percent, for both measures: pairs of three equal detectors at p ≤ .05, families of them after Holm's correction, and
95% intervals that miss F over all documents. Each document has its own rate of errors, and favours some detectors.
"""

import sys
from itertools import combinations

import numpy as np

from mtsig import Settings
from mtsig.campaign._spans import Span, _family, _Summing, scores

POPULATIONS = {
    "60 documents of 5 outputs": {},
    "20 documents": {"documents": 20},
    "12 documents": {"documents": 12},
    "20 documents, an error in 10% of outputs": {"documents": 20, "errors": 0.1},
    "20 documents, errors mostly in a few": {"documents": 20, "alike": 0.3},
    "20 documents of 1 to 40 outputs": {"documents": 20, "outputs": np.geomspace(1, 40, 20).astype(int)},
    "20 documents, 5% of errors found": {"documents": 20, "found": 0.05},
    "20 documents, 97% found, hardly anything else": {"documents": 20, "found": 0.97, "false": 0.02, "taste": 0.5},
    "20 documents that favour detectors strongly": {"documents": 20, "taste": 2.0},
}
LENGTH = 80
"""Characters of an output."""


def marked(
    rng: np.random.Generator, *, documents: int = 60, outputs: object = 5, errors: float = 1.0, alike: float = 2.0,
    found: float = 0.5, false: float = 0.4, taste: float = 1.0,
) -> tuple[np.ndarray, list, list[list]]:  # fmt: skip
    """Return the document of every output, what annotators marked, and what each of three detectors marked.

    errors: per output, times a gamma variable of its document of mean 1 (alike: its shape). found: how often a detector
    marks an error, on the logit scale with an SD of `taste` by document. false: further spans per output.
    """
    of = np.repeat(np.arange(documents), np.broadcast_to(outputs, documents))
    rate = rng.gamma(alike, 1 / alike, documents)[of]
    logit = np.log(found / (1 - found)) + taste * rng.normal(size=(3, documents))[:, of]
    more = false * rng.gamma(2.0, 0.5, (3, documents))[:, of]

    def spans(count: int) -> list[Span]:
        starts, sizes = rng.integers(0, LENGTH - 20, count), rng.integers(3, 20, count)
        kinds = np.where(rng.random(count) < 0.3, "major", "minor")
        rows = zip(starts.tolist(), sizes.tolist(), kinds.tolist(), strict=True)
        return [Span("output", at, at + size, kind) for at, size, kind in rows]

    gold = [spans(count) for count in rng.poisson(errors * rate).tolist()]
    detectors = []
    for place in range(3):
        seen = (1 / (1 + np.exp(-logit[place]))).tolist()
        own = []
        for output, count in enumerate(rng.poisson(more[place]).tolist()):
            kept = [span for span in gold[output] if rng.random() < seen[output]]
            moved = [span._replace(start=max(0, span.start + int(rng.integers(-3, 4)))) for span in kept]
            own.append([span for span in moved if span.start < span.end] + spans(count))
        detectors.append(own)
    return of, gold, detectors


def main(sets: int) -> None:
    """Print a line for every population and measure."""
    print(f"{'population':48}{'measure':>8}{'F':>6}{'pairs':>8}{'families':>10}{'misses':>8}")
    for label, options in POPULATIONS.items():
        rng = np.random.default_rng(13)
        total, ends, wrong = ({name: [] for name in ("mpp", "w25")} for _ in range(3))
        for _ in range(sets):
            of, gold, detectors = marked(rng, **options)
            for measure in total:
                by = _Summing(measure, 0.0, [{"": spans} for spans in gold], [LENGTH] * len(of), of)
                sums = [by.sums(own) for own in detectors]
                total[measure].append(np.sum(sums, axis=(0, 2)))
                rows = [by.row("", "detector", own, 0.95) for own in sums]
                ends[measure] += [(row.ci_low, row.ci_high) for row in rows]
                family = _family(by, "ABC", sums, "document", Settings(), list(combinations(range(3), 2)), len(of))
                wrong[measure].append(((family.p_value <= 0.05).mean(), (family.p_adjusted <= 0.05).any()))
        for measure, pooled in total.items():
            true = float(scores(np.sum(pooled, axis=0)[:, None])[2, 0])
            low, high = np.array(ends[measure]).T
            pairs, families = 100 * np.mean(np.array(wrong[measure], dtype=float), axis=0)
            missed = 100 * np.mean(~((low <= true) & (true <= high)))
            print(f"{label:48}{measure:>8}{true:6.2f}{pairs:8.1f}{families:10.1f}{missed:8.1f}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
