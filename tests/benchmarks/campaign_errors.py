"""Print how often campaigns without any difference call systems different, and what a metric adds to few ratings.

First table: made campaigns of equal systems (tests/campaign/made_campaigns.py), WMT's rules and the valid analysis: the
share of pairs that are called different, and of campaigns in which some pair is; the valid analysis of a pair is the
unadjusted p, of some pair the one that Holm has corrected. Second table, where ratings are at hand: WMT20's MQM, its
documents drawn anew and some of their segments or documents rated: how often 95% intervals miss the difference over
all documents, and the variance of ratings alone over that with a metric.
"""

import argparse
import csv
import sys
from itertools import combinations
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "campaign"))

from made_campaigns import contrastive, rated

from mtsig import Settings, measure
from mtsig._probability import satterthwaite_df, t_quantile
from mtsig.campaign import compare_ratings
from mtsig.campaign._few import Sums
from mtsig.campaign._rules import RULES, ranked, side_by_side

POPULATIONS = {
    "2 systems, independent items": ({"systems": 2}, 5000),
    "2 systems, a fifth of the variance by document": ({"systems": 2, "icc": 0.2}, 1000),
    "the same, and an annotator for each document of a system": ({"systems": 2, "icc": 0.2, "raters": True}, 5000),
    "the same, each system on half of the documents": (
        {"systems": 2, "icc": 0.2, "raters": True, "gaps": True}, 1000,
    ),
    "10 systems, independent items": ({}, 200),
    "10 systems, documents and annotators": ({"icc": 0.2, "raters": True}, 200),
    "10 systems, 3 at once, better ones more often": (None, 200),
}  # fmt: skip


FOUR = np.repeat(["news", "social", "speech", "literary"], 50).tolist()
"""The domains of 200 items, of which WMT24's rule is made."""


def called(options: dict | None, sets: int, rules: tuple[str, ...]) -> dict[str, np.ndarray]:
    """Return the share of pairs, and of campaigns, in which equal systems are called different, by rule."""
    random, found = np.random.default_rng(7), {name: [] for name in (*rules, "valid")}
    for _ in range(sets):
        made = contrastive(random) if options is None else rated(random, **options)
        rating = made.ratings["esa"]
        for rule in rules:
            items = side_by_side(rating)[0] if RULES[rule].repeats == "items" else rating.values
            wins = ranked(list(made.systems), items, rule, None if options is None else FOUR)[1]
            found[rule].append((wins[np.triu_indices(len(wins), 1)].mean(), wins.any()))
        family = (
            compare_ratings(made, "esa")
            if options is None
            else Settings(correction="holm").family(measure(made, "rating:esa"))
        )
        found["valid"].append(((family.p_value <= 0.05).mean(), (family.p_adjusted <= 0.05).any()))
    return {name: np.mean(np.array(shares, dtype=float), axis=0) for name, shares in found.items()}


DESIGNS = {
    "60, 25% of segments": (60, 1.0, 0.25),
    "60, 40% of documents": (60, 0.4, 1.0),
    "118, 20% of documents": (118, 0.2, 1.0),
    "118, 10% of segments": (118, 1.0, 0.1),
    "20, 60% of documents": (20, 0.6, 1.0),
}
"""Documents, and the probabilities with which documents, and segments in these, are rated."""


def scores(place: Path, segments: int) -> dict[str, np.ndarray]:
    """Return the scores of every system of a table: of one with a column for each, or with a row for each score."""
    with place.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    if "system" in rows[0]:
        value = next(name for name in rows[0] if name not in ("system", "segment", "seg", "seg_id"))
        at = next(name for name in rows[0] if name in ("segment", "seg", "seg_id"))
        held = {row["system"]: np.full(segments, np.nan) for row in rows}
        for row in rows:
            held[row["system"]][int(row[at]) - 1] = float(row[value])
        return held
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0] if "." in name}


def few(folder: Path, sets: int) -> None:
    """Print misses and gains of every design and metric."""
    with (folder / "segments.tsv").open(encoding="utf-8") as lines:
        documents = [row["doc_id"] for row in csv.DictReader(lines, delimiter="\t")]
    document = np.unique(documents, return_inverse=True)[1]
    human = scores(folder / "human" / "mqm.seg.tsv", len(document))
    metrics = {file.name.partition("-")[0]: scores(file, len(document))
               for file in sorted((folder / "metrics").glob("*.tsv"))}  # fmt: skip
    names = [name for name in human if not name.startswith("Human") and all(name in own for own in metrics.values())]
    pairs = list(combinations(names[:6], 2))
    rows_of = [np.flatnonzero(document == number) for number in range(int(document.max()) + 1)]
    print(f"\n{'rated of documents':24}{'ratings alone':>15}" + "".join(f"{name:>22}" for name in metrics))
    for label, (count, by_document, by_segment) in DESIGNS.items():
        random = np.random.default_rng(20)
        missed = {name: np.zeros(len(pairs)) for name in ("", *metrics)}
        found = {name: [] for name in ("", *metrics)}
        for _ in range(sets):
            drawn = random.integers(len(rows_of), size=count)
            of = np.concatenate([np.full(len(rows_of[number]), at) for at, number in enumerate(drawn)])
            rows = np.concatenate([rows_of[number] for number in drawn])
            taken = (random.random(count) < by_document)[of] & (random.random(len(rows)) < by_segment)
            if len(set(of[taken].tolist())) < 10:
                continue
            own = {name: [] for name in found}
            for place, (x, y) in enumerate(pairs):
                truth = np.nanmean(human[x] - human[y])
                apart = np.where(taken, (human[x] - human[y])[rows], np.nan)
                for name in found:
                    beside = (metrics[name][x] - metrics[name][y])[rows] if name else np.zeros(len(rows))
                    sums = Sums.of(apart, beside, np.full(len(rows), by_document * by_segment), of)
                    theta, error, _ = sums.estimate(with_metric=bool(name))
                    half = t_quantile(0.975, satterthwaite_df(sums.rated[sums.rated > 0])) * error
                    missed[name][place] += abs(theta - truth) > half
                    own[name].append(theta)
            for name, values in own.items():
                found[name].append(values)
        done = len(found[""])
        variances = {name: np.var(values, axis=0) for name, values in found.items()}

        def misses(name: str, missed: dict = missed, done: int = done) -> str:
            return f"{missed[name].mean() / done:.3f}/{missed[name].max() / done:.3f}"

        cells = [f"{misses(name)} {np.median(variances[''] / variances[name]):.2f}" for name in metrics]
        print(f"{label:24}{misses(''):>15}" + "".join(f"{cell:>22}" for cell in cells), flush=True)


def main() -> None:
    """Print both tables."""
    chosen = argparse.ArgumentParser(description=__doc__)
    chosen.add_argument("--share", type=float, default=1.0, help="of the campaigns that each cell is made of")
    chosen.add_argument("--rules", nargs="+", default=list(RULES), help="of which rates are printed (default: all)")
    chosen.add_argument("--data", type=Path, help="folder of WMT20 English–German: human/, metrics/, segments.tsv")
    given = chosen.parse_args()
    print(f"{'campaigns':60}" + "".join(f"{name:>13}" for name in (*RULES, "valid")))
    for label, (options, sets) in POPULATIONS.items():
        # Stouffer's rule needs domains and one rating an output, which campaigns of changing screens have not.
        rules = tuple(given.rules) if options is not None else ("wmt26-t", "wmt26-bca")
        shares = called(options, max(2, round(given.share * sets)), rules)
        cells = ["–" if (own := shares.get(name)) is None else f"{own[0]:.3f}/{own[1]:.2f}"
                 for name in (*RULES, "valid")]  # fmt: skip
        print(f"{label:60}" + "".join(f"{cell:>13}" for cell in cells), flush=True)
    if given.data is not None:
        few(given.data, max(20, round(2000 * given.share)))


if __name__ == "__main__":
    main()
