"""The numbers of docs/meta-eval.md: python docs/meta_eval_numbers.py FOLDER, which holds the four test sets."""

import sys
from pathlib import Path

import numpy as np

import mtsig
from mtsig import Settings
from mtsig.errors import NotApplicable
from mtsig.inference import p_number
from mtsig.meta_eval import STATISTICS, RatedData, calibrate_ties, compare_metrics, meta_eval, outliers, verdict_table

SETS = {
    "wmt20-en-de": (
        "wmt20-en-de-scores", "mqm", ["rating:bleurt-combi-newstestM2020", "rating:chrF-newstest2020"], None,
    ),
    "wmt21-ru-en": ("wmt21-ru-en", "da-z", ["sentbleu", "sentchrf"], "refA"),
    "wmt21-en-de": ("wmt21-en-de", "mqm", ["sentbleu", "sentchrf"], "refA"),
    "wmt21-ted-zh-en": ("wmt21-ted-zh-en", "mqm", ["sentbleu", "sentchrf"], "refB"),
}  # fmt: skip
SETTINGS = Settings(n_resamples=2000)


def main(folder: Path) -> None:
    """Print a section for every set."""
    for name, (where, human, metrics, reference) in SETS.items():
        corpus = mtsig.read(folder / where)
        if reference is not None:
            corpus = corpus.select(list(corpus.systems), [reference])
        if human not in corpus.ratings:
            corpus = mtsig.read(folder / where, ratings=[f"{human}={folder / where}/human/{human}.seg.tsv"])
            corpus = corpus.select(list(corpus.systems), [reference])
        for humans in ("exclude", "include"):
            rated = RatedData.of(corpus, f"rating:{human}", metrics, humans=humans)
            far = [system for system, flagged in zip(rated.systems, outliers(rated), strict=True) if flagged]
            print(f"\n## {name}, human translations: {humans}; {rated!r}; far from the others: {far}")
            for row in meta_eval(rated, ["spa", "accuracy", "pearson", "acc_eq"], settings=SETTINGS):
                print(
                    f"{row.metric} {row.statistic} {row.value:.3f} [{row.ci_low:.3f}, {row.ci_high:.3f}]",
                    f"right {row.right:.0f} of {row.groups}; separated {row.separated_right:.0f} of "
                    f"{row.separated_pairs:.0f}; without one {row.loo_low:.2f} ({row.loo_low_without}) to "
                    f"{row.loo_high:.2f} ({row.loo_high_without}); epsilon {row.epsilon:.4g}; all ties "
                    f"{row.baseline:.4f}; cross-fitted {row.crossfit:.4f}",
                )
            for metric in rated.names:
                fitted = calibrate_ties(rated, metric)
                print(metric, "acc_eq", round(fitted.accuracy, 4), "never decides:", fitted.never_decides)
                counts = {count.said: count.pairs for count in verdict_table(rated, metric, SETTINGS).counts}
                print(metric, "verdicts", counts)
            for statistic in ("spa", "acc_eq"):
                try:
                    family = compare_metrics(rated, STATISTICS[statistic], settings=SETTINGS)
                except NotApplicable as error:
                    print(statistic, error)
                    continue
                beside = np.nan if family.others is None else family.others.p_adjusted[0]
                print(
                    f"{statistic}: {family.first[0]} less {family.second[0]} {family.difference[0]:.4f}, p "
                    f"{p_number(family.p_adjusted[0])}; systems exchanged p {p_number(beside)}"
                )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
