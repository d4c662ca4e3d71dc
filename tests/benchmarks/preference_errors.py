"""Print how often preferences without any difference are called different.

For each made population and method the share of pairs, and of families after Holm's correction, in percent: the model's
own standard error, one that takes every judgement as independent (arena boards), the jackknife over documents, and
direct comparisons. With 2,000 campaigns a share has a standard error of about half a point.
"""

import subprocess
import sys
import tempfile
import time
from itertools import product
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "campaign"))

from made_preferences import campaign

from mtsig._probability import normal_above
from mtsig.campaign import Preferences, read_preferences
from mtsig.campaign._model import Clustered, Moments, chosen, grouped_scores
from mtsig.campaign._quality import drift
from mtsig.campaign._strengths import head_to_head, strengths
from mtsig.inference._corrections import Holm

POPULATIONS = {
    "base": {},
    "documents not alike": {"icc": 0.0},
    "documents more alike": {"icc": 0.3},
    "15 documents": {"documents": 15},
    "100 documents": {"documents": 100},
    "60% ties": {"ties": 0.6},
    "no ties": {"ties": 0.0},
    "20 systems": {"strengths": (0.0,) * 20, "per_document": 60},
    "documents of 2 to 60": {"per_document": np.linspace(2, 60, 40).astype(int)},
    "first place +.6, one order in 80%": {"place": 0.6, "first_order": 0.8},
    "10 raters with tastes": {"raters": 10, "rater_sd": 0.6},
}


def ignoring(made: object, robust: bool) -> np.ndarray:
    """Return p of every pair by the model's error, or by a sandwich of single judgements."""
    fit = made.fit
    inverse = np.linalg.inv(fit.information)
    if robust:
        cells, count = fit.cells, len(fit.cells.first)
        moments = Moments.at(cells, fit.place, fit.ties, fit.values)
        score = grouped_scores(cells, fit.place, fit.ties, moments, np.arange(count), count)
        inverse = (
            inverse @ ((score / np.sqrt(cells.count)[:, None]).T @ (score / np.sqrt(cells.count)[:, None])) @ inverse
        )
    first, second = np.triu_indices(fit.cells.systems, 1)
    error = np.sqrt(inverse[first, first] + inverse[second, second] - 2 * inverse[first, second])
    return 2 * normal_above(np.abs(fit.strengths[first] - fit.strengths[second]) / error)


def main(sets: int) -> None:
    """Print a line for every population."""
    print(f"{'population':36}{'model':>12}{'judgements':>14}{'documents':>14}{'direct':>12}{'other raters':>14}")
    for name, design in POPULATIONS.items():
        rng, found = np.random.default_rng(2026), []
        for _ in range(sets):
            made = strengths(campaign(rng, **design))
            direct = head_to_head(made.preferences)
            kinds = [ignoring(made, False), ignoring(made, True), made.compared.p_value, direct.p_value]
            kinds += [] if made.rated.others is None else [made.rated.others.p_value]
            found.append(
                [((p <= 0.05).mean(), (Holm().adjusted(np.nan_to_num(p, nan=1)) <= 0.05).any()) for p in kinds]
            )
        shares = 100 * np.array(found, dtype=float).mean(axis=0)
        print(f"{name:36}" + "".join(f"{pair:7.1f} /{family:5.1f}" for pair, family in shares), flush=True)


def speed() -> None:
    """Print CPU seconds and the peak of memory of a million judgements of 100 systems in 2,000 documents, from a file.

    They are made here and read in a process of its own, so that what making them takes does not count.
    """
    made = campaign(np.random.default_rng(1), np.linspace(1, -1, 100), documents=2_000, per_document=500, raters=20)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "judgements.tsv"
        won = np.array(["b", "tie", "a"])[made.outcome.astype(int) + 1]
        columns = [range(len(made)), made.document.of, made.rater.of, made.first, made.second, won]
        with path.open("w") as file:
            file.write("item\tdocument\tjudge\tsystem_a\tsystem_b\twinner\torder\n")
            file.writelines(
                f"i{i}\td{d}\tr{r}\tS{a:02}\tS{b:02}\t{w}\tab\n" for i, d, r, a, b, w in zip(*columns, strict=True)
            )
        subprocess.run([sys.executable, __file__, "read", str(path)], check=True)


def read(path: str) -> None:
    """Print what each step on a file takes."""
    steps = [time.process_time()]

    def done(what: str) -> None:
        steps.append(time.process_time())
        # The peak that getrusage gives is, of a process just begun, that of its parent.
        memory = int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) / 1e6
        print(f"{what:36}{steps[-1] - steps[-2]:8.1f} s{memory:8.2f} GB", flush=True)

    made = read_preferences(path)
    done("reading")
    fit = chosen(made).fit
    done("fit")
    _ = Clustered(fit, len(made.documents), fit.cells.document).variance
    done("jackknife")
    strengths(made)
    done("strengths and 4,950 comparisons")
    head_to_head(made)
    done("direct comparisons")


REPEATS = ((20, 20), (20, 4), (20, 2), (60, 60), (60, 10), (60, 4), (200, 10), (200, 50))
"""Judgements that a rater repeats, and the documents that they are in."""


def drifts(sets: int) -> None:
    """Print how often a rater who does not change is said to drift at .05, in percent.

    Documents differ in how often she repeats a verdict (beta, correlation .3) or do not, come one after the other or by
    turns, and are equally long or not.
    """
    rng = np.random.default_rng(43)
    orders = ((0.0, "blocks"), (0.3, "blocks"), (0.3, "turns"), (0.3, "uneven"))
    for (repeats, documents), agreement, (alike, order) in product(REPEATS, (0.6, 0.8, 0.95), orders):
        wrong = 0
        for _ in range(sets):
            of = np.arange(repeats) % documents
            if order == "uneven":
                of = rng.choice(documents, repeats, p=rng.dirichlet(np.full(documents, 0.5)))
            of, shares = of if order == "turns" else np.sort(of), np.full(documents, agreement)
            if alike:
                shares = rng.beta(agreement * (1 / alike - 1), (1 - agreement) * (1 / alike - 1), documents)
            said, again = rng.choice([1, -1], repeats), np.where(rng.random(repeats) < shares[of], 1, -1)
            pairs = enumerate(zip(of.tolist(), said.tolist(), (-said * again).tolist(), strict=True))
            (found,) = drift(Preferences.of([
                {"item": str(i), "document": str(d), "first": first, "second": second, "outcome": outcome}
                for i, (d, one, two) in pairs for first, second, outcome in (("A", "B", one), ("B", "A", two))
            ]))  # fmt: skip
            wrong += found.p_value <= 0.05
        print(f"{repeats:4}{documents:4}{agreement:6}{alike:5} {order:8}{100 * wrong / sets:6.1f}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["speed"]:
        speed()
    elif sys.argv[1:] == ["drifts"]:
        drifts(400)
    elif sys.argv[1:2] == ["read"]:
        read(sys.argv[2])
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
