"""Print how often preferences without any difference are called different.

For each made population and method the share of pairs, and of families after Holm's correction, in percent: the model's
own standard error, one that takes every judgement as independent (arena boards), the jackknife over documents, and
direct comparisons. With 2,000 campaigns a share has a standard error of about half a point.
"""

import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from itertools import product
from pathlib import Path

import evalica
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "campaign"))

from made_preferences import campaign
from scipy.stats import binomtest

from mtsig._probability import normal_above
from mtsig.campaign import Preferences, read_preferences
from mtsig.campaign._data import Names
from mtsig.campaign._model import Cells, Clustered, Moments, chosen, fit, grouped_scores
from mtsig.campaign._quality import drift, equal_ties, transitivity
from mtsig.campaign._strengths import ELO, head_to_head, strengths
from mtsig.errors import NotApplicable
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
    kinds = {1: evalica.Winner.X, 0: evalica.Winner.Draw, -1: evalica.Winner.Y}
    columns = [[made.systems[i] for i in side.tolist()] for side in (made.first, made.second)]
    winners, begun = [kinds[int(outcome)] for outcome in made.outcome], time.process_time()
    evalica.newman(*columns, winners)
    witness = time.process_time() - begun
    for what, own in (("fit", steps[2] - steps[1]), ("jackknife", steps[3] - steps[2])):
        print(f"{what}: {own / witness:.1f} times evalica's strengths with ties, which have no error")


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


PENALISED = {
    "5 systems, the first far ahead, 40 documents of 20": {"strengths": (11.0, 0, 0, 0, 0)},
    "5 systems, the first far ahead, 15 documents of 10, no ties": {
        "strengths": (6.0, 0, 0, 0, 0), "documents": 15, "per_document": 10, "ties": 0.0,
    },
    "4 systems, two far ahead, 20 documents of 12, no ties": {
        "strengths": (6.0, 6.0, 0, 0), "documents": 20, "per_document": 12, "ties": 0.0,
    },
    "5 equal systems, 12 documents of 2, no ties": {"documents": 12, "per_document": 2, "ties": 0.0},
    "10 equal systems, 20 documents of 2, no ties": {
        "strengths": (0.0,) * 10, "documents": 20, "per_document": 2, "ties": 0.0,
    },
    "8 equal systems, 15 documents of 4 that favour systems, no ties": {
        "strengths": (0.0,) * 8, "documents": 15, "per_document": 4, "ties": 0.0, "icc": 0.5,
    },
    "5 equal systems, 40 documents of 20, always penalised": {"penalty": "always"},
    "5 equal systems, 15 documents of 1 to 40, always penalised": {
        "penalty": "always", "documents": 15, "per_document": np.geomspace(1, 40, 15).astype(int),
    },
}  # fmt: skip
"""Campaigns in which some system never loses, or hardly ever, and such as are penalised on request."""


def penalties(sets: int) -> None:
    """Print how often penalised strengths err, in percent.

    For campaigns that are penalised: pairs of equal systems at .05, families with such a pair after Holm's correction,
    and 95% intervals of unequal pairs that lie above and below the difference in a campaign of 4,000 documents.
    """
    print(f"{'population':64}{'penalised':>10}{'pairs':>8}{'families':>10}{'above':>8}{'below':>8}{'withheld':>10}")
    for name, design in PENALISED.items():
        options = dict(design)
        penalty, rng = options.pop("penalty", "auto"), np.random.default_rng(17)
        many = {**options, "documents": 4_000, "per_document": 20}
        true = fit(Cells.of(campaign(rng, **many)), True, options.get("ties", 0.3) > 0).strengths
        level = np.round(np.asarray(options.get("strengths", (0.0,) * 5), dtype=float), 9)
        wrong, above, below, withheld, done = [], [], [], [], 0
        for _ in range(sets):
            try:
                made = strengths(campaign(rng, **options), penalty=penalty)
            except NotApplicable:
                continue
            done += 1
            if not made.fit.penalised:
                continue
            family, (first, second) = made.compared, made.made.pairs.T
            equal, judged = level[first] == level[second], np.array([not row.data_caveat for row in family])
            p, adjusted = (np.where(judged, np.nan_to_num(of, nan=1), 1) for of in (family.p_value, family.p_adjusted))
            wrong.append(((p[equal] <= 0.05).mean(), (adjusted[equal] <= 0.05).any()))
            apart, turned = ELO * (true[first] - true[second]), level[first] < level[second]
            higher, lower = family.ci_low > apart, family.ci_high < apart
            above += list(np.where(turned, lower, higher)[~equal & judged])
            below += list(np.where(turned, higher, lower)[~equal & judged])
            withheld.append(1 - judged.mean())
        pairs, families = np.mean(np.array(wrong, dtype=float).reshape(-1, 2), axis=0) if wrong else (0.0, 0.0)
        shares = [
            len(wrong) / done,
            pairs,
            families,
            *(np.mean(of) if of else np.nan for of in (above, below, withheld)),
        ]
        widths = (10, 8, 10, 8, 8, 10)
        print(f"{name:64}" + "".join(f"{100 * share:{wide}.1f}" for share, wide in zip(shares, widths, strict=True)))


TIES = {
    "3 raters, 12 documents of 9": {"documents": 12, "per_document": 9},
    "3 raters, 12 documents of 24, 90% ties": {"documents": 12, "per_document": 24, "ties": 0.9},
    "3 raters, 40 documents of 9, 5% ties": {"per_document": 9, "ties": 0.05},
    "3 raters, 20 documents, half 10% ties, half 80%": {"documents": 20, "ties": np.repeat((0.1, 0.8), 10)},
    "3 raters, 12 documents, one with 30% ties, others 99%": {
        "documents": 12, "per_document": 40, "ties": np.append(np.full(11, 0.99), 0.3),
    },
    "3 raters, 30 documents of 2 to 60": {"documents": 30, "per_document": np.geomspace(2, 60, 30).astype(int)},
    "10 raters, 40 documents of 20": {"raters": 10},
    "10 raters, 14 documents of 40": {"raters": 10, "documents": 14, "per_document": 40},
    "10 raters, 12 documents of 40 (each tested alone)": {"raters": 10, "documents": 12, "per_document": 40},
    "3 raters, 40 documents, each by one rater, ties differ": {
        "nested": True, "ties": np.tile((0.1, 0.3, 0.6, 0.8), 10),
    },
    "3 raters, 12 documents, each by one rater, ties differ": {
        "nested": True, "documents": 12, "ties": np.tile((0.1, 0.3, 0.6, 0.8), 3),
    },
}  # fmt: skip
"""Campaigns in which all raters call ties equally often."""


def ties(sets: int) -> None:
    """Print in percent how often raters are said to differ in their ties though they do not, and are not tested."""
    print(f"{'population':60}{'found':>8}{'no test':>9}")
    for name, design in TIES.items():
        options, rng = {"raters": 3, **design}, np.random.default_rng(19)
        nested, found = options.pop("nested", False), []
        for _ in range(sets):
            if nested:
                options["ties"] = rng.permutation(options["ties"])
            made = campaign(rng, **options)
            if nested:
                of = made.document.of % options["raters"]
                made = replace(made, rater=Names(tuple(f"r{i}" for i in range(options["raters"])), of))
            try:
                found.append(equal_ties(strengths(made)).p_value)
            except NotApplicable:
                found.append(np.nan)
        p = np.array(found)
        print(f"{name:60}{100 * np.mean(p <= 0.05):8.1f}{100 * np.mean(np.isnan(p)):9.1f}", flush=True)


MARGINS = {
    "12 documents of 20": {"documents": 12},
    "40 documents of 20": {},
    "12 documents of 6": {"documents": 12, "per_document": 6},
    "20 documents of 1 to 60": {"documents": 20, "per_document": np.geomspace(1, 60, 20).astype(int)},
    "40 documents of 6, 90% ties": {"per_document": 6, "ties": 0.9},
    "40 documents that favour systems strongly": {"icc": 0.5},
}
"""Campaigns of equal systems, whose margins are those of three grades, or have a few that are far larger."""


def margins(sets: int) -> None:
    """Print in percent how often mean margins of equal systems differ: pairs, and families after Holm's correction."""
    print(f"{'population':44}{'grades 1 to 3':>18}{'lognormal, SD 1.5':>20}")
    for name, design in MARGINS.items():
        rng, found = np.random.default_rng(23), []
        for _ in range(sets):
            made = campaign(rng, **design)
            for grade in (rng.integers(1, 4, len(made)).astype(float), np.exp(1.5 * rng.normal(size=len(made)))):
                p = head_to_head(replace(made, grade=grade), grades="margin").p_value
                found.append(((p <= 0.05).mean(), (Holm().adjusted(np.nan_to_num(p, nan=1)) <= 0.05).any()))
        shares = 100 * np.array(found, dtype=float).reshape(sets, 2, 2).mean(axis=0)
        print(f"{name:44}" + "".join(f"{pair:11.1f} /{family:5.1f}" for pair, family in shares), flush=True)


FAR = {
    "3 systems, 0 and ±4, 40 documents of 20": {"strengths": (4.0, 0, -4.0)},
    "3 systems, 0 and ±4, 12 documents of 20": {"strengths": (4.0, 0, -4.0), "documents": 12},
    "3 systems, 0 and ±4, 40 documents of 20, no ties": {"strengths": (4.0, 0, -4.0), "ties": 0.0},
    "3 systems, 0 and ±4, 100 documents of 60": {"strengths": (4.0, 0, -4.0), "documents": 100, "per_document": 60},
    "3 systems, 0 and ±2, 40 documents of 20": {"strengths": (2.0, 0, -2.0)},
    "5 systems, 0, ±2 and ±4, 40 documents of 20": {"strengths": (4.0, 2.0, 0, -2.0, -4.0)},
    "5 systems, 0, ±2 and ±4, 15 documents of 40": {
        "strengths": (4.0, 2.0, 0, -2.0, -4.0), "documents": 15, "per_document": 40,
    },
    "5 systems, 0, ±2 and ±4, 9 documents of 40 (each alone)": {
        "strengths": (4.0, 2.0, 0, -2.0, -4.0), "documents": 9, "per_document": 40,
    },
    "5 systems, one at +4, 40 documents of 20": {"strengths": (4.0, 0, 0, 0, 0)},
    "5 systems, 0, ±2 and ±4, 100 documents of 60": {
        "strengths": (4.0, 2.0, 0, -2.0, -4.0), "documents": 100, "per_document": 60,
    },
}  # fmt: skip
"""Campaigns of systems on one scale, some of which hardly ever win."""


def far(sets: int) -> None:
    """Print in percent how often systems far from each other are said to have no common scale, and are not tested.

    Of campaigns that are tested, with the 95% binomial interval: documents that favour no system, and those that do, in
    which the strengths are those that the model has on average over documents.
    """
    print(f"{'population':60}{'documents alike':>30}{'that favour systems':>34}")
    for name, design in FAR.items():
        shown = ""
        for icc in (0.0, 0.2):
            rng, found = np.random.default_rng(29), []
            for _ in range(sets):
                try:
                    found.append(transitivity(strengths(campaign(rng, **design, icc=icc))).p_value)
                except NotApplicable:
                    found.append(np.nan)
            tested = np.array(found)[~np.isnan(found)]
            wrong = int((tested <= 0.05).sum())
            low, high = binomtest(wrong, len(tested)).proportion_ci() if len(tested) else (np.nan, np.nan)
            share = wrong / len(tested) if len(tested) else np.nan
            shown += f"{100 * share:9.1f} ({100 * low:4.1f}–{100 * high:4.1f})"
            shown += f", no test {100 * np.isnan(found).mean():4.0f}"
        print(f"{name:60}{shown}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["speed"]:
        speed()
    elif sys.argv[1:] == ["drifts"]:
        drifts(400)
    elif sys.argv[1:2] == ["penalties"]:
        penalties(int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
    elif sys.argv[1:2] == ["ties"]:
        ties(int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
    elif sys.argv[1:2] == ["margins"]:
        margins(int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
    elif sys.argv[1:2] == ["far"]:
        far(int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
    elif sys.argv[1:2] == ["read"]:
        read(sys.argv[2])
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
