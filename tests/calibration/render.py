"""Write docs/error-rates.md from what test_worlds.py measured.

MTSIG_TABLES=tables.jsonl pytest -m slow tests/calibration/test_worlds.py
python tests/calibration/render.py tables.jsonl > docs/error-rates.md
"""

import json
import sys
from pathlib import Path
from typing import Any

HEAD = """# Error rates on documents

Measured by `tests/calibration/test_worlds.py` (behind `-m slow`), through the same functions as all
results; this page is made by `tests/calibration/render.py`. Every cell of the jackknife is 2,000 test sets, of
approximate randomization 300 at 999 draws: 95% of repetitions lie within ± .010 and ± .025 of a rate of .05. Nominal
rates are .05.

Documents are drawn whole, with replacement, from real sets of WMT21 and WMT22, or are made: lognormal lengths (σ 1.1,
or all equal), with effects of a document on a system that vary more for some systems than for others. *Told* is the
share of test sets whose documents are worth at least five equal ones (ν ≥ 4): on the others there is no verdict.

What these tables do not show: a rare document with an extreme effect that is not among those at hand cannot be seen
from them. On WMT24 English–Japanese, where one document of 171 makes up to 75% of a pair's variance, worst pairs were
measured at .09–.12 and families at up to .15 while the method was developed. One-sided claims (better in a direction
fixed before, non-inferior, a gate's pass) have higher error rates, as such a document pulls to one side: at a nominal
.025, in .14 to .19 of cases for the worst pairs of eleven WMT sets at 30 to 170 documents, and in .015 to .026 on
average. Nothing computed from the sample corrects that, and every result over documents says so.
"""

_RATES = ("mean", "worst", "family")
SECTIONS = (
    (
        "weak",
        "Systems that score the same and are not exchangeable: jackknife t test, Holm",
        "Mean of sentence chrF, centred by system; all pairs of 5 to 10 systems. *Family*: share of test sets in which "
        "any system is called better, by the whole default configuration.",
        (*_RATES, "told"),
    ),
    ("swap", "Systems whose names are swapped in every document: jackknife t test, Holm", "", _RATES),
    (
        "tilted",
        "Corpus metrics, documents drawn with chances that make both systems score the same",
        "One pair each. *Effective*: how many of 107 (ru-en) or 181 documents such chances leave (Kish).",
        ("mean", "family", "told", "effective"),
    ),
    (
        "ar",
        "Approximate randomization over the same documents, under equal scores",
        "*Mean* and *worst* are of its p-value; *family* is of verdicts without a caution.",
        _RATES,
    ),
    (
        "misses",
        "Misses of 95% intervals",
        "*Together*: any simultaneous interval of all pairs misses.",
        ("pairs", "worst_pair", "singles", "worst_single", "together"),
    ),
    ("made", "Made documents: jackknife t test, Holm, intervals", "", (*_RATES, "together", "singles", "told")),
    ("made ar", "Made documents: approximate randomization", "", _RATES),
    (
        "range",
        "How often the range of a detectable difference holds the one of the true spread",
        "*Held*: mean over pairs; *worst*: the worst pair. Nominal .95.",
        ("held", "worst", "told"),
    ),
    (
        "power",
        "Power for a true difference of 2.5 standard errors",
        "*Power*: p ≤ .05. *Better*: a verdict.",
        ("power", "better"),
    ),
)

TAIL = """
Several runs per system: [error-rates-runs.md](error-rates-runs.md).
Document ids unknown: [No document ids](statistics/neighbours.md#4-measured).
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
        print(f"| data | documents | {' | '.join(name.replace('_', ' ') for name in columns)} |")
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
