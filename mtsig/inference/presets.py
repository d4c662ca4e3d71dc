"""Methods: settings under the names by which people ask for them, written in this one place."""

from collections.abc import Mapping
from dataclasses import dataclass

from mtsig.inference.settings import Settings


@dataclass(frozen=True)
class Method:
    """Settings with a name: `label` is what stands on a page, `about` one sentence for its reader."""

    label: str
    about: str
    settings: Settings


METHODS: Mapping[str, Method] = {
    "standard": Method(
        "Standard",
        "What holds on the data at hand: by documents where there are at least ten, corrected for all comparisons.",
        Settings(),
    ),
    # Section 6 of the paper: 1,000 resamples of sentences; its intervals drop the same number of them on either side.
    "koehn": Method(
        "Koehn 2004",
        "Paired bootstrap (Koehn 2004): better is what wins at least 95% of 1,000 resamples of segments, uncorrected.",
        Settings(test="bootstrap-koehn", interval="koehn", correction="none", n_resamples=1000, unit="segment"),
    ),
    # What sacreBLEU 2.6.0 does for --paired-bs by default; its intervals are of scores only, and from as many draws.
    "sacrebleu": Method(
        "sacreBLEU",
        "Paired bootstrap as sacreBLEU prints it (Post 2018), uncorrected and by segments; for metrics that sacreBLEU "
        "computes.",
        Settings(test="sacrebleu-bs", interval="percentile", correction="none", n_resamples=1000, unit="segment"),
    ),
    # The scripts that ranked the general task's systems in 2024 and 2025 (wmt-conference on GitHub): pairs of systems
    # by scipy's wilcoxon on the human scores of their segments, at .05. They differ in what they take together (domains
    # in 2024 unless asked for micro averages, two waves of ratings in 2025).
    "wmt": Method(
        "WMT",
        "Signed-rank test on segments (Wilcoxon 1945), as WMT's general task ranks systems by human scores (2024, "
        "2025), uncorrected; for human ratings and other means of segment scores, not for BLEU.",
        Settings(test="wmt-wilcoxon", correction="none", unit="segment"),
    ),
}
"""By the name that the command line takes."""
