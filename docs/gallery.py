"""Gallery: every figure of the program, drawn by the code that stands beside it.

Each entry is code that leaves a `picture`; the code of an entry sees the names of those before it. `python
docs/gallery.py FOLDER` writes the pictures without the documentation.
"""

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAINTED = os.environ.get("MTSIG_GALLERY") != "unpainted"
"""Whether pictures are painted: tests of the pages do without, as half of the time of a build goes there."""

EMPTY = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'

MATERIAL = """
import numpy as np

import mtsig
from mtsig.figures import *

corpus = mtsig.read_sample()
bleu = mtsig.measure(corpus, "bleu")
settings = mtsig.Settings(n_resamples=1000)
intervals = settings.intervals(bleu)
family = settings.family(bleu)
"""


@dataclass(frozen=True)
class Entry:
    """One figure: its class or the experiment it belongs to, and the code that draws it."""

    name: str
    code: str

    @property
    def file(self) -> str:
        """The name of its file in the folder gallery."""
        return "-".join(re.findall(r"\w+", self.name.lower())) + ".svg"


ENTRIES = (
    Entry("IntervalBars", "picture = IntervalBars.of(intervals)"),
    Entry("Matrix", "picture = Matrix.of(family)"),
    Entry("Forest", 'picture = Forest.of(family, "direct")'),
    Entry("Histogram of resamples", "picture = Histogram.of_resampled(family.resampled(7), family[7], margin=2.0)"),
    Entry("Histogram as dots", "picture = Histogram.of_resampled(family.resampled(7), family[7], dots=True)"),
    Entry(
        "Histogram of shuffles",
        """
shuffled = mtsig.Settings(test="ar", n_resamples=1000).family(bleu)
picture = Histogram.of_shuffled(shuffled.null[7], shuffled[7])
""",
    ),
    Entry("Scores by size", "sizes = mtsig.size_curve(bleu)\npicture = Curves.of_scores(sizes)"),
    Entry("Widths by size", "picture = Curves.of_widths(sizes, relative=True)"),
    Entry(
        "PowerCurve",
        """
found, *others = (
    mtsig.power_analysis(bleu, "via-catalan", "via-galician", difference, sizes=range(10, 121, 2))
    for difference in (2, 1, 3)
)
picture = PowerCurve.of(found, others, segments=bleu.n)
""",
    ),
    Entry(
        "SubsetWidths",
        """
subsets = mtsig.size_curve(bleu, pair=("via-catalan", "via-galician"))
picture = SubsetWidths.of(subsets)
""",
    ),
    Entry(
        "ContributionBars",
        """
from mtsig.report import contributions, leverage

parts = contributions(bleu, "direct", "via-catalan")
picture = ContributionBars.of(parts)
""",
    ),
    Entry("ScoresApart", "picture = ScoresApart.of(parts)"),
    Entry("LeverageCurve", "picture = LeverageCurve.of(leverage(parts))"),
    Entry(
        "ParallelIntervals",
        """
from mtsig.inference import joint_statements

both = settings.families([bleu, mtsig.measure(corpus, "chrf")])
picture = ParallelIntervals.of(joint_statements(both))
""",
    ),
    Entry(
        "SetForest",
        """
from mtsig.study import Sets, compare, measure

thirds = {f"part {i + 1}": corpus.take(range(40 * i, 40 * i + 40)) for i in range(5)}
over_sets = compare(measure(Sets.of(thirds), "chrf"), settings=settings)
picture = SetForest.of(over_sets, "direct", "via-catalan")
""",
    ),
    Entry("SetHeat", "picture = SetHeat.of(over_sets)"),
    Entry("RankDiagram", "picture = RankDiagram.of(over_sets.ranks)"),
    Entry(
        "TrustDots",
        """
from mtsig.corpus import RaterScores
from mtsig.inference import Bootstrap
from mtsig.meta_eval import RatedData, agreement, leniency, delta_accuracy, side_by_side, meta_eval

rng = np.random.default_rng(1)
human = np.arange(9)[:, None] + 3 * rng.normal(size=(9, 60))
made = {"esa": human, "near": human + rng.normal(size=(9, 60)), "far": human + 9 * rng.normal(size=(9, 60))}
ratings = {name: mtsig.Rating(values, higher_is_better=True) for name, values in made.items()}
campaign = mtsig.Corpus.of(dict.fromkeys("ABCDEFGHI"), ratings=ratings)
rated = RatedData.of(campaign, "rating:esa", ["rating:near", "rating:far"])
picture = TrustDots.of(meta_eval(rated, ["accuracy", "spa"], settings=settings), ["accuracy", "spa"])
""",
    ),
    Entry("MeaningCurve", 'picture = MeaningCurve.of(delta_accuracy(rated, "far", scheme=Bootstrap(200)), 1.0)'),
    Entry(
        "VerdictMarks",
        """
seen = [settings.family(rated[name].statistics) for name in ("esa", "far")]
picture = VerdictMarks.of(side_by_side(*seen))
""",
    ),
    Entry(
        "AgreementDots",
        """
given = RaterScores.of({"Ann": human[:3], "Bo": human[:3] + 1 + rng.normal(size=(3, 60)), "Cy": human[:3] - 0.5})
picture = AgreementDots.of([agreement(given, scheme=Bootstrap(200))])
""",
    ),
    Entry("LeniencyDots", 'picture = LeniencyDots.of(leniency(given, ["A", "B", "C"], scheme=Bootstrap(200)))'),
    Entry(
        "RankRanges",
        """
from mtsig.campaign import rank_by_rule

picture = RankRanges.of(rank_by_rule(campaign, "esa", "wmt25")[0])
""",
    ),
    Entry(
        "Experiment: Segments needed",
        """
from mtsig.lab import *
from mtsig.lab import of_experiment

picture = of_experiment(run("separation", bleu))["Segments needed"]
""",
    ),
    Entry(
        "Experiment: Scores by number of references",
        """
three = mtsig.read_sample(every_reference=True)
by_references = of_experiment(run(References(repeats=2), Material((mtsig.measure(three, "bleu"),), three)))
picture = by_references["Scores by number of references"]
""",
    ),
    Entry("Experiment: What more references are worth", 'picture = by_references["What more references are worth"]'),
    Entry("Experiment: Widths by size", 'picture = by_references["Widths by size"]'),
    Entry(
        "Experiment: Spread of interval ends",
        'picture = of_experiment(run(Draws(total=4000, sizes=(100, 400)), bleu))["Spread of interval ends"]',
    ),
    Entry(
        "Experiment: Scores of test sets",
        """
varied = of_experiment(run(Variation(size=20, orders=50), bleu))
picture = varied["Scores of test sets"]
""",
    ),
    Entry("Experiment: Differences on test sets", 'picture = varied["Differences on test sets"]'),
    Entry("Experiment: Spread between test sets", 'picture = varied["Spread between test sets"]'),
    Entry(
        "Experiment: Intervals of test sets",
        'picture = of_experiment(run(Coverage(size=50, sets=40, n_resamples=200), bleu))["Intervals of test sets"]',
    ),
    Entry(
        "Experiment: Win rates of test sets",
        """
concluded = of_experiment(run(Conclusions(sizes=(30, 100), sets=(40, 20), n_resamples=200), bleu))
picture = concluded["Win rates of test sets"]
""",
    ),
    Entry("Experiment: Right conclusions", 'picture = concluded["Right conclusions"]'),
    Entry("Experiment: Accuracy by win rate", 'picture = concluded["Accuracy by win rate"]'),
    Entry(
        "Experiment: Scores by length",
        """
texts = Material((bleu, mtsig.measure(corpus, "chrf")), corpus)
picture = of_experiment(run(Length(), texts))["Scores by length"]
""",
    ),
    Entry(
        "Experiment: Signal of every pair", 'picture = of_experiment(run("sensitivity", texts))["Signal of every pair"]'
    ),
    Entry(
        "Experiment: p-values against randomization",
        'picture = of_experiment(run(EveryTest(n_resamples=500), bleu))["p-values against randomization"]',
    ),
    Entry(
        "Experiment: Reranked variants",
        """
fewer = corpus.take(range(30)).select(["direct", "via-catalan"])
variants = run(Rerank(n_resamples=100, folds=3), Material((mtsig.measure(fewer, "bleu"),), fewer))
picture = of_experiment(variants)["p-values against randomization"]
""",
    ),
    Entry(
        "Experiment: Error by number of comparisons",
        """
many = Multiplicity(size=50, simulations=50, most_systems=4, n_resamples=99)
picture = of_experiment(run(many, bleu))["Error by number of comparisons"]
""",
    ),
    Entry(
        "Experiment: False alarms by look",
        'picture = of_experiment(run(Peeking(size=100, simulations=100), bleu))["False alarms by look"]',
    ),
    Entry(
        "Experiment: NIST of resamples",
        'picture = of_experiment(run(NistWeights(n_resamples=50), texts))["NIST of resamples"]',
    ),
    Entry("Experiment: Relations", 'picture = of_experiment(run(Relations(n_resamples=500), texts))["Relations"]'),
    Entry("Experiment: Orders by length", 'picture = of_experiment(run(Orderings(), texts))["Orders by length"]'),
    Entry(
        "Experiment: Resampled scores",
        'picture = of_experiment(redraws(bleu, "direct", Bootstrap(1000)))["Resampled scores"]',
    ),
    Entry(
        "Experiment: Error rates",
        """
plan = Calibrate(simulations=50, n_resamples=99, sizes=(50,), tests=("ar", "jackknife-t"),
    drawn="segments", unit="segment")
calibrated = of_experiment(run(plan, bleu))
picture = calibrated["Error rates"]
""",
    ),
    Entry("Experiment: Power", 'picture = calibrated["Power"]'),
)


def pictures() -> dict[Entry, Any]:
    """Return every entry with its picture; where none is painted, no experiment is run for one."""
    names: dict[str, Any] = {}
    exec(MATERIAL, names)
    found: dict[Entry, Any] = {}
    for entry in ENTRIES:
        if entry.name.startswith("Experiment: ") and not PAINTED:
            found[entry] = None
            continue
        exec(entry.code, names)
        found[entry] = names.pop("picture")
    return found


def gallery_files() -> dict[str, str | bytes]:
    """Return path -> content of the gallery's page and its pictures."""
    from mtsig.figures import on_paper

    drawn = pictures()
    parts = [
        "# Gallery\n\nEvery figure that the program draws, made from the sample data or from simulated numbers when "
        "these pages were built.\n`picture.screen()` returns the interactive figure, and `mtsig.figures.save(picture, "
        f"path, paper)` writes it for paper.\nAll code below begins with\n\n```python\n{MATERIAL.strip()}\n```\n"
    ]
    for entry in drawn:
        parts.append(
            f"## {entry.name}\n\n![{entry.name}](gallery/{entry.file})\n\n```python\n{entry.code.strip()}\n```\n"
        )
    files: dict[str, str | bytes] = {
        f"gallery/{entry.file}": on_paper(picture, "svg", "acl-full").data if PAINTED else EMPTY
        for entry, picture in drawn.items()
    }
    if PAINTED:  # what the first page and the README show
        matrix = next(picture for entry, picture in drawn.items() if entry.name == "Matrix")
        files["matrix.png"] = on_paper(matrix, "png", "acl-full").data
    return {"gallery.md": "\n".join(parts)} | files


if __name__ == "__main__":
    for _path, _content in gallery_files().items():
        _file = Path(sys.argv[1]) / _path
        _file.parent.mkdir(parents=True, exist_ok=True)
        _file.write_bytes(_content if isinstance(_content, bytes) else _content.encode())
