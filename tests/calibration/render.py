"""Write docs/error-rates.md from what test_worlds.py measured.

MTSIG_TABLES=tables.jsonl pytest -m slow tests/calibration/test_worlds.py
python tests/calibration/render.py tables.jsonl > docs/error-rates.md
"""

import json
import sys
from pathlib import Path
from typing import Any

HEAD = """# Error rates on documents

`tests/calibration/test_worlds.py` (with `-m slow`) measured these rates with the functions that compute all results,
and `tests/calibration/render.py` wrote this page. Every cell is based on 2,000 test sets for the jackknife, and on 300
for approximate randomization with 999 random swaps. If the true rate is .05, 95% of measured rates lie within ± .010
and ± .025 of it, respectively. Nominal rates are .05.

Whole documents are resampled with replacement from real sets of WMT21 and WMT22, or are simulated. Simulated documents
have lognormal lengths (σ 1.1) or equal lengths, and the effects of documents vary more for some systems than for
others. *With verdict* is the share of test sets with a verdict: those with an effective number of documents of at least
five (ν ≥ 4).

These tables cannot show the effect of a rare, extreme document that is missing from the sample. On WMT24
English–Japanese, one document of 171 makes up to 75% of a pair's variance. There, the rates measured during development
were .09–.12 for the worst pairs, and up to .15 for families. One-sided claims are: better in a direction fixed in
advance, non-inferior, and a gate's pass. One-sided claims have higher error rates, because such a document shifts all
differences in one direction. At a nominal .025, the rates were .015 to .026 on average. For the worst pairs of eleven
WMT sets, at 30 to 170 documents, they were .14 to .19. Nothing that is computed from the sample can correct for this,
and a note next to every result over documents says so.
"""

_RATES = ("mean", "worst", "family")
LABELS = {"told": "with verdict", "held": "contained"}
SECTIONS = (
    (
        "weak",
        "Systems with equal scores that are not exchangeable: jackknife t test, Holm",
        "The metric is the mean of sentence chrF, centred by system, for all pairs of 5 to 10 systems. *Family* is the "
        "share of test sets in which any system is significantly better, with default settings.",
        (*_RATES, "told"),
    ),
    ("swap", "Systems whose names are swapped in every document: jackknife t test, Holm", "", _RATES),
    (
        "tilted",
        "Corpus metrics, documents resampled with probabilities that make both scores equal",
        "Each row has one pair. *Effective* is the effective number (Kish) of 107 (ru-en) or 181 documents.",
        ("mean", "family", "told", "effective"),
    ),
    (
        "ar",
        "Approximate randomization over the same documents, under equal scores",
        "*Mean* and *worst* are rates of its p-value. *Family* is the rate of verdicts that have no caution.",
        _RATES,
    ),
    (
        "misses",
        "Misses of 95% intervals",
        "*Together* is the share of test sets in which at least one of the simultaneous intervals of all pairs misses "
        "the true value.",
        ("pairs", "worst_pair", "singles", "worst_single", "together"),
    ),
    ("made", "Simulated documents: jackknife t test, Holm, intervals", "", (*_RATES, "together", "singles", "told")),
    ("made ar", "Simulated documents: approximate randomization", "", _RATES),
    (
        "range",
        "How often the range of the detectable difference contains the true one",
        "*Contained* is the mean over pairs, and *worst* is the worst pair. The nominal rate is .95.",
        ("held", "worst", "told"),
    ),
    (
        "power",
        "Power for a true difference of 2.5 standard errors",
        "*Power* is the share of test sets with p ≤ .05, and *better* the share with the verdict *better*.",
        ("power", "better"),
    ),
)

TAIL = """
Several runs per system: [error-rates-runs.md](error-rates-runs.md).
Document ids unknown: [No document ids](statistics/neighbours.md#4-measured-error-rates).
"""


def number(value: float) -> str:
    """Return a rate, or a number of documents, as the page prints it."""
    if value > 1:
        return f"{value:.0f}"
    return f"{value:.3f}".removeprefix("0")


def main() -> None:
    """Print the page."""
    lines = [json.loads(line) for line in Path(sys.argv[1]).read_text().splitlines()]
    print(HEAD)
    for key, title, said, columns in SECTIONS:
        rows: list[dict[str, Any]] = [line for line in lines if line["table"] == key]
        rows.sort(key=lambda row: (row["world"], row["documents"]))
        print(f"## {title}\n")
        if said:
            print(f"{said}\n")
        print(f"| data | documents | {' | '.join(LABELS.get(name, name.replace('_', ' ')) for name in columns)} |")
        print(f"|---|---|{'---|' * len(columns)}")
        for row in rows:
            values = dict(row)
            if values.get("told", 0) > 1:
                values["told"] /= values["sets"]
            cells = " | ".join(number(values[name]) for name in columns)
            print(f"| {row['world']} | {row['documents']} | {cells} |")
        print()
    print(TAIL.strip())


if __name__ == "__main__":
    main()
