"""The numbers of docs/sets.md: python docs/sets_numbers.py FOLDER, which holds the seven sets of wmt22-several."""

import sys
from itertools import combinations
from pathlib import Path

import numpy as np

from mtsig import Settings, verdict
from mtsig.collection import FamilyOverSets, SetStatistics, compare, measure, read_sets, score
from mtsig.collection._families import exchanged
from mtsig.inference import p_number

SETTINGS = Settings(n_resamples=10_000)


def main(folder: Path) -> None:
    """Print a section for every habit."""
    statistics = measure(read_sets(folder), "chrf")
    everywhere = [name for name in statistics.systems if all(name in one.systems for one in statistics.of.values())]
    found = compare(statistics, SETTINGS, list(combinations(everywhere, 2)))
    means(statistics)
    pairs(found)
    counts_by_luck(statistics, everywhere)


def means(statistics: SetStatistics) -> None:
    """Print the mean scores, which the first habit ranks by."""
    print("\n## mean scores")
    averages = score(statistics, SETTINGS).averages
    for i in averages.order() if averages is not None else ():
        one = averages.records[i]
        print(f"{one.system} {one.score:.2f} [{one.ci_low:.2f}, {one.ci_high:.2f}]")


def pairs(found: FamilyOverSets) -> None:
    """Print for every pair what each habit says, and what stands beside it."""
    print("\n## pairs")
    for average, over in zip(found.averages or (), found.described, strict=True):
        families = [found.families[name] for name in over.sets]
        rows = [family[family.find(over.first, over.second) or 0] for family in families]
        counted = dict.fromkeys((over.first, over.second), 0)
        joint = dict(counted)
        for row in rows:
            leader = row.first if row.difference > 0 else row.second
            counted[leader] += row.p_value <= 0.05
            joint[leader] += row.p_adjusted <= 0.05
        least = {one.first: one.least for one in found.replicated if {one.first, one.second} == set(counted)}
        further = over.further
        print(
            f"{over.first} – {over.second}: mean {average.difference:+.2f} [{average.ci_low:+.2f}, "
            f"{average.ci_high:+.2f}], "
            f"p {p_number(average.p_adjusted)}, {verdict(average).word}; leads {over.first_leads} : "
            f"{over.second_leads}; from {min(over.differences):+.2f} to {max(over.differences):+.2f}; uncorrected "
            f"{counted}; one family {joint}; at least {least}; sets differ p {p_number(over.p_adjusted)}; SE "
            f"{average.standard_error:.3f}, as if independent {over.error_if_independent:.3f}"
        )
        if further is not None:
            print(
                f"  further: mean {further.mean:+.2f} [{further.ci_low:+.2f}, {further.ci_high:+.2f}], one set "
                f"[{further.predict_low:+.2f}, {further.predict_high:+.2f}], I2 {further.i2:.0%}"
            )


def counts_by_luck(statistics: SetStatistics, systems: list[str]) -> None:
    """Print in how many sets a pair of equal systems is significant, labels of documents exchanged in all sets at once.

    Such exchanges keep what sets share; p of each draw is its rank among all draws of its set, uncorrected.
    """
    print("\n## counts where there is no difference")
    asked = list(combinations(systems, 2))
    found = compare(statistics, Settings(test="ar", n_resamples=10_000, unit="document"), asked)
    counts = np.zeros((len(asked), 10_000), dtype=int)
    for _, null in exchanged(found.families, statistics.of, found.units, 10_000, SETTINGS.seed):
        for number, row in enumerate(np.abs(null)):
            above = len(row) - np.searchsorted(np.sort(row), row, side="left")
            counts[number] += above / len(row) <= 0.05
    for least in (1, 2, 3):
        share = (counts >= least).mean(axis=1)
        whole = (counts >= least).any(axis=0).mean()
        ends = f"({share.min():.3f} to {share.max():.3f})"
        print(f"at least {least} of 7: a pair {share.mean():.3f} {ends}, some pair {whole:.3f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
