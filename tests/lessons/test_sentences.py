"""What lessons say: every number is found once more in what is shown, and no word is used before it is explained."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, combinations, pairwise
from math import comb, factorial, prod
from typing import Any

import given
import numpy as np
import pytest
from made import made_corpus
from msgspec import to_builtins
from sacrebleu import sentence_bleu
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sampled import slow
from scipy import stats

from mtsig import measure
from mtsig._memory import remembered
from mtsig.inference import compare
from mtsig.inference._audit import as_sacrebleu
from mtsig.inference._significance import ApproximateRandomization
from mtsig.lab import Peeking, run
from mtsig.lab._sampling import trace
from mtsig.lessons import GAMES, LESSONS, Classroom
from mtsig.lessons._course import LONG, SHORT, _chosen
from mtsig.lessons._drawn import read, three_answers
from mtsig.lessons._sheets import GLOSSARY, Term
from mtsig.lessons._stage import Lesson, Stage
from mtsig.metrics import Statistics
from mtsig.resampling import Bootstrap, Swap, shuffle

Claims = Iterator[tuple[str, Iterable[float]]]
"""Sentences, each with the numbers that it is to hold, in their order."""

COURSE = (*LESSONS, *GAMES)
NUMBER = re.compile(r"(?:< )?(?<![\w.-])[+−]?(?:\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)%?(?![\w-])")
DATA = {
    "cells", "texts", "tiles", "names", "orders", "weights", "flips", "same", "options", "group_names", "groups",
    "kind", "beyond", "missed", "claimed", "flagged", "flags",
}  # fmt: skip
ASKED, SHUFFLES, TOOL = 1_000, 999, 2.6
TOKENS = Tokenizer13a()


def agrees(printed: str, value: float, share_of_it: float = 0.0) -> bool:
    """Return whether a number is printed as it is, rounded to the digits that are printed."""
    digits = printed.removeprefix("< ").strip("+−%").replace(",", "")
    shown = -float(digits) if "−" in printed else float(digits)
    if printed.endswith("%"):
        # Only all are 100%, and only none 0%.
        value = min(max(100 * value, 0.1), 99.9) if 0 < value < 1 else 100 * value
    if printed.startswith("< "):
        return value < shown
    slack = 0.5 * 10.0 ** -len(digits.partition(".")[2])
    return abs(shown - value) <= slack + 1e-5 + abs(share_of_it * value)


class Near(float):
    """A number found by another way, which is right up to some percent."""


class Shown:
    """What a lesson shows on a classroom, as the browser gets it, and the pair's counts."""

    def __init__(self, lesson: Lesson, room: Classroom, stage: Stage, solution: str) -> None:
        self.lesson, self.stage, self.plain = lesson, stage, stage.plain()
        self.room = room = lesson.room(room)
        self.pair, self.seed = room.pair, room.seed
        self.views = list(self.plain["views"].values())
        self.solution = solution
        self.kept = room.statistics.at("segment").select(self.pair).shared_by(self.pair)
        self.n, self.observed = self.kept.n, float(np.subtract(*scores(self.kept)))
        steps = (0, 1, 2, 9, 10, 11, 100, 137, ASKED, stage.steps)
        self.steps = [step for step in dict.fromkeys(steps) if step <= stage.steps]

    def panels(self, view: int, kind: str) -> list[dict[str, Any]]:
        return [panel for panel in self.views[view]["panels"] if panel["kind"] == kind]

    def values(self, view: int, number: int = 0) -> Any:
        return np.array(self.panels(view, "pile")[number]["values"])

    def texts(self) -> Iterator[str]:
        """Yield every text with a number: of the many steps, those that are looked at."""
        for view in self.views:
            yield from (view["says"][step] for step in self.steps)
        rounds = [each | {"points": ()} for each in self.plain["rounds"]]
        views = [view | {"says": ()} for view in self.views]
        yield from strings([self.plain | {"views": views, "rounds": rounds, "pace": ""}, self.solution])

    def said(self, view: int, start: Iterable[float], then: Callable[[int], Iterable[float]]) -> Claims:
        """Yield the sentences of a view, with the numbers of the first one, and of those after so many steps."""
        for step in self.steps:
            yield self.views[view]["says"][step], then(step) if step else start


def strings(thing: Any) -> Iterator[str]:
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, dict):
        for name, value in thing.items():
            if name not in DATA:
                yield from strings(value)
    elif isinstance(thing, list | tuple) and thing and not isinstance(thing[0], int | float):
        for value in thing:
            yield from strings(value)


def scores(counted: Statistics) -> Any:
    return counted.metric.score(counted.values.sum(axis=-1, dtype=float))


def shifts(counted: Statistics, pair: bool = True) -> Any:
    """Return by how much each segment moves the difference, or the first score: by leaving it out."""
    sums = counted.values.sum(axis=-1, dtype=float)[..., None] - counted.values
    left = np.array(counted.metric.score(sums))
    moved = left[0] - left[1] if pair else left[0]
    return moved - moved.mean()


def middle(values: Any) -> list[float]:
    return [float(np.quantile(values, share)) for share in (0.025, 0.975)]


def exact_ends(count: int, total: int) -> list[float]:
    ends = stats.binomtest(count, total).proportion_ci()
    return [ends.low, ends.high]


def p_of(shown: Shown, pair: tuple[str, str] | None = None, unit: Any = "segment") -> tuple[list[float], bool]:
    """Return what is said of all swaps of a pair: p, with their number before it where not all were tried.

    Where a thousand give the smallest p that they can, ten thousand are tried.
    """
    for swaps in (ASKED, 10 * ASKED):
        test = ApproximateRandomization(Swap(swaps, shown.seed, unit))
        (one,) = compare(shown.room.statistics, test, [pair or shown.pair])
        if one.exact or one.p_value > 1.5 / swaps:
            break
    return ([one.p_value] if one.exact else [swaps, one.p_value]), one.exact


def why_it_works(shown: Shown) -> Claims:
    truth, solution = shown.panels(0, "pile")[1]["marks"][0]["at"], []
    for view in range(4):
        own, new = (shown.values(view, number) for number in (0, 1))
        size = (20, 10) if view == 3 else (200,)
        observed = shown.panels(view, "pile")[0]["marks"][0]["at"]

        def step(k: int, own: Any = own, new: Any = new) -> list[float]:
            return [k, own[k - 1], new[k - 1]]

        yield from shown.said(view, (20_000, truth, *size, observed), step)
        spreads = [values[:ASKED].std(ddof=1) for values in (own, new)]
        # Of copies that are drawn one by one the pile is much too narrow: they are worth a tenth.
        assert (spreads[0] < spreads[1] / 2) == (view == 3)
        assert view < 3 or spreads[1] == pytest.approx(10**0.5 * shown.values(0, 1).std(), rel=0.15)
        reveal = (ASKED, spreads[0], ASKED, spreads[1], spreads[0] / spreads[1], observed, 20_000, truth)
        yield shown.views[view]["reveal"], (*reveal, *((11,) if view == 3 else (200, 20_000, 20, 10)))
        if view == 2:
            random = spreads[1]
            apart = [float(np.ptp(part)) for part in ([*solution[1::3], observed], [*solution[2::3], spreads[0]])]
        solution += [view + 1, observed, spreads[0]] if view < 3 else [random, *apart, *spreads, 200, 10, 20, 200]
        for panel in shown.panels(view, "pile"):
            yield panel["title"], size
    yield shown.plain["setting"], (20_000, 200, 200)
    yield shown.plain["ask"]["question"], (200, 200)
    yield shown.solution, solution
    yield shown.plain["reveal"], reveal_of(shown)


def reveal_of(shown: Shown) -> list[float]:
    """Return the numbers of what is told where the switch stands at first: checked there."""
    assert shown.plain["reveal"] == shown.views[0]["reveal"]
    return [number(text) for text in NUMBER.findall(shown.views[0]["reveal"])]


def number(text: str) -> float:
    value = float(text.strip("+−%").replace(",", "")) * (-1 if "−" in text else 1)
    return value / 100 if text.endswith("%") else value


def one_redraw(shown: Shown) -> Claims:
    solution = [float(ASKED), 0.95]
    for view in range(3):
        values = shown.values(view)
        ends = middle(values[:ASKED])

        def step(k: int, values: Any = values) -> list[float]:
            return [k, values[k - 1], *([0.95, *middle(values[:k])] if k >= 10 else ())]

        yield from shown.said(view, (shown.n,), step)
        yield shown.views[view]["reveal"], (0.95, ASKED, *ends, 0.95, shown.observed, shown.n)
        solution += [*ends, shown.seed + view]
    yield shown.plain["reveal"], reveal_of(shown)
    yield shown.solution, solution
    yield shown.plain["ask"]["question"], (shown.n, shown.observed, 0.95, ASKED)
    documents = len(np.unique(shown.room.statistics.at("segment").document_of))
    yield shown.plain["setting"], (shown.room.statistics.n, 11, documents, 11)
    ((bag,), (reading,)) = shown.panels(0, "bag"), shown.panels(0, "reading")
    yield bag["title"], (shown.n,)
    weights = np.array([[int(mark, 36) for mark in row] for row in bag["weights"]])
    x, y = shown.kept.metric.score(np.moveaxis(shown.kept.values.astype(float) @ weights.T, 1, 0).swapaxes(0, 1))
    for place, head in enumerate(reading["heads"][: len(weights)]):
        yield head, (x[place], y[place], x[place] - y[place])
        times = Counter(np.minimum(weights[place], 3).tolist())
        for held, line in enumerate(reading["lines"][place]):
            yield line, (times[held],)


def swap_the_names(shown: Shown) -> Claims:
    values, means = shown.values(0), np.cumsum(shown.values(0)) / np.arange(1, 1_001)
    ((labels,), (reading,)) = shown.panels(0, "labels"), shown.panels(0, "reading")
    same = (shown.kept.values[:, 0] == shown.kept.values[:, 1]).all(axis=0)
    assert labels["same"] == "".join("01"[bool(each)] for each in same)
    yield from shown.said(0, (shown.observed,), lambda k: (k, values[k - 1], means[k - 1]))
    far = np.sum(np.abs(values[:ASKED]) >= abs(shown.observed) - 1e-5)
    yield shown.plain["reveal"], (ASKED, means[ASKED - 1], shown.observed, far, 3)
    yield labels["title"], (shown.n, same.sum())
    yield shown.solution, (same.sum(), shown.n, shown.observed, shown.observed, shown.n - same.sum())
    for value, head in zip(values, reading["heads"], strict=True):
        yield head, (value,)
    for row, (line,) in zip(labels["flips"], reading["lines"], strict=False):
        flipped = np.array(list(row)) == "1"
        yield line, (flipped.sum(), shown.n, (flipped & ~same).sum())


def where_p_comes_from(shown: Shown) -> Claims:
    told, names = [], shown.plain["ask"]["names"] or [shown.plain["ask"]["question"]]
    spreads = []
    *pairs, last = shown.plain["views"]
    assert last == "Many pairs"
    for view, name in enumerate(pairs):
        values, pair = shown.values(view), tuple(name.split(" − "))
        observed = np.subtract(*scores(shown.room.statistics.at("segment").select(pair).shared_by(pair)))
        far = np.cumsum(np.abs(values) >= abs(observed) - 1e-5)

        def step(k: int, far: Any = far, observed: float = observed) -> list[float]:
            count = int(far[k - 1])
            low, high = exact_ends(count, k)
            return [count, k, observed, count, 1, k, 1, (count + 1) / (k + 1), 0.95, low, high]

        yield from shown.said(view, (observed, 1), step)
        p, exact = p_of(shown, pair)
        kept = shown.room.statistics.at("segment").select(pair).shared_by(pair)
        differing = (kept.values[:, 0] != kept.values[:, 1]).any(axis=0).sum()
        spreads.append((values[:ASKED].std(), differing))
        told += [observed, far[ASKED - 1], ASKED, (far[ASKED - 1] + 1) / (ASKED + 1)]
        if exact:
            told += [differing, *p]
        if view < len(names):
            yield names[view], (observed,) if len(pairs) > 1 else (ASKED, observed)
    told.append(0.05)
    if len(spreads) > 1:
        # One axis for both: the narrower pile is seen to be narrower.
        assert (
            len({(shown.panels(view, "pile")[0]["low"], shown.panels(view, "pile")[0]["high"]) for view in (0, 1)}) == 1
        )
        told += [value for spread in sorted(spreads) for value in spread]
        # Of n segments that move the difference by as much each, the pile has √n times as wide a spread.
        (narrow, few), (wide, many) = sorted(spreads)
        less = "by less" if narrow / few**0.5 < wide / many**0.5 else "by as much"
        assert (f"on fewer segments, and {less} on each" in shown.plain["reveal"]) == (few < many)
    (simulated,) = shown.panels(len(pairs), "pile")
    significant = [kind for value, kind in zip(simulated["values"], simulated["groups"], strict=True) if value <= 0.05]
    equal = 10 * simulated["groups"].count("0") / ASKED
    counts = [(significant.count(kind), simulated["groups"].count(kind)) for kind in "01"]
    told += [5, 100, equal, 10, *chain(*counts), counts[0][0] / len(significant)]
    yield shown.plain["reveal"], told
    yield from many_pairs(shown, len(pairs))
    if len(pairs) > 1:
        yield shown.plain["ask"]["question"], (ASKED, *(number(name) for name in names))
    farthest = np.sort(np.abs(shown.values(0)[:ASKED]))[::-1]
    # (c + 1)/1,001 is at most .05 for 49 beyond, and no more.
    assert (49 + 1) / 1_001 <= 0.05 < (50 + 1) / 1_001
    yield shown.solution, (1, 1_001, 1 / 1_001, 49, ASKED, farthest[48], 0.05, shown.observed)
    for view in range(len(pairs)):
        yield shown.panels(view, "curves")[0]["y_axis"], (0.95,)
        yield shown.panels(view, "curves")[0]["lines"][0]["name"], (0.95,)


def many_pairs(shown: Shown, view: int) -> Claims:
    """Yield what is said of pairs of which some are equal: counted in the colours and the places of the picture."""
    (pile,) = shown.panels(view, "pile")
    small, equal = np.array(pile["values"]) <= 0.05 + 1e-9, np.array(list(pile["groups"])) == "0"
    every, wrong = np.cumsum(small), np.cumsum(small & equal)
    known = [np.subtract(*scores(shown.room.statistics.at("segment").select(pair).shared_by(pair)))
             for pair in combinations(shown.room.statistics.systems, 2)]  # fmt: skip
    yield pile["title"], (ASKED,)
    (apart,) = [number(text) for text in NUMBER.findall(shown.views[view]["says"][0])][2:3]
    # It is no larger than the largest there is, and a difference like that is mostly found.
    assert 0 < apart <= max(map(abs, known)) + 0.01
    power = np.mean(small[~equal])
    assert 0.4 < power < 0.95
    yield from shown.said(view, (10, 9, apart, shown.n, 99), lambda k: (k, every[k - 1], wrong[k - 1]))
    # Of equal ones 5 in 100 are significant; of the significant ones far more are equal.
    rate = np.mean(small[equal])
    assert abs(rate - 0.05) < 4 * (0.05 * 0.95 / equal.sum()) ** 0.5
    share = wrong[-1] / every[-1]
    assert share > 0.25
    yield shown.views[view]["reveal"], (wrong[-1], equal.sum(), rate, every[-1], wrong[-1], share)


def coverage_dance(shown: Shown) -> Claims:
    every = [shown.panels(view, "rows")[0] for view in range(len(shown.views))]
    truths = [*[float(scores(shown.kept)[0])] * 12, shown.observed]
    outside = [
        [not low <= truth <= high for low, high in zip(rows["lows"], rows["highs"], strict=True)]
        for rows, truth in zip(every, truths, strict=True)
    ]
    months = list(map(sum, outside[:12]))
    for view, (rows, truth, missed) in enumerate(zip(every, truths, outside, strict=True)):
        assert rows["missed"] == "".join("01"[each] for each in missed)

        def step(k: int, rows: Any = rows, missed: Any = missed) -> list[float]:
            return [k, rows["lows"][k - 1], rows["highs"][k - 1], sum(missed[:k]), k]

        yield from shown.said(view, (truth,), step)
        first, second = int(np.argmin(rows["highs"])), int(np.argmax(rows["lows"]))
        apart = [value for k in (first, second) for value in (k + 1, rows["lows"][k], rows["highs"][k])]
        disjoint = rows["highs"][first] < rows["lows"][second]
        apart = [*apart, 0.95, 0.95, 1.9, 1.0] if disjoint else []
        which = {(True, True): "both do", (True, False): "the first does", (False, True): "the second does"}
        assert not disjoint or f"(here, {which[missed[first], missed[second]]})" in shown.views[view]["reveal"]
        of_view = (sum(missed), min(months), max(months)) if view < 12 else (sum(missed), 100)
        of_view += (0.05,) if view < 12 and stats.binomtest(sum(months), 1_200, 0.05).pvalue < 0.04 else ()
        yield shown.views[view]["reveal"], (sum(months) / 12, 100, *of_view, *apart)
        yield rows["title"], (100,)
        yield rows["truth_text"], (truth,)
    yield shown.plain["reveal"], reveal_of(shown)
    yield shown.plain["ask"]["question"], (100, 0.95)
    yield shown.plain["setting"], (min(300, shown.n), shown.n)
    # A guess is judged by all months, not by the luck of one.
    assert shown.plain["found"] == pytest.approx([sum(months) / 12])
    usual = sum(1 <= count <= 9 for count in months)
    yield shown.solution, (*months, 5, 100, 97, 100, 1, 9, usual, 12)


def size_law(shown: Shown) -> Claims:
    for view in range(2):
        ghost, measured = shown.panels(view, "curves")[1]["lines"]
        widths = dict(zip(measured["x"], measured["y"], strict=True))
        sizes, whole = ghost["x"], measured["y"][-1]

        def step(k: int, sizes: Any = sizes, widths: Any = widths, whole: float = whole) -> list[float]:
            size = sizes[k - 1]
            law = [whole * (shown.n / size) ** 0.5] if size < shown.n else []
            return [size, widths[size], 1, *law] if size in widths else [size]

        yield from shown.said(view, (sizes[0], shown.n), step)
        yield ghost["name"], (1,)
        yield shown.panels(view, "curves")[0]["lines"][0]["name"], (0.95,)
        half, quarter = (widths[round(shown.n * share)] for share in (0.5, 0.25))
        yield shown.views[view]["reveal"], (
            4 * shown.n, 1, round(shown.n / 2), shown.n, half, whole, whole / half, 1, 0.5**0.5, round(shown.n / 4),
            shown.n, quarter, whole / quarter,
        )  # fmt: skip
        assert [mark["at"] for mark in shown.panels(view, "curves")[1]["marks"]] == [quarter, half, whole]
        if not view:
            yield shown.plain["ask"]["question"], (shown.n, 0.95, whole)
            yield shown.plain["reveal"], reveal_of(shown)
    moved = shifts(shown.kept)
    error = ((shown.n - 1) / shown.n * np.square(moved).sum()) ** 0.5
    needed = shown.n * ((stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) * error / shown.observed) ** 2
    half = shown.n * (whole / shown.observed) ** 2
    # On so many segments the interval of the true difference begins at zero, and half of all others lie beyond.
    assert half == pytest.approx(shown.n * (stats.norm.ppf(0.975) * error / shown.observed) ** 2, rel=0.05)
    told = (shown.observed, whole, shown.n, shown.observed, half, 0.8, Near(needed))
    yield shown.solution, [abs(value) for value in told] if shown.observed < 0 else told


def overlapping_bars(shown: Shown) -> Claims:
    found = []
    for view in range(2):
        values, (threads,), (facts,) = shown.values(view), shown.panels(view, "threads"), shown.panels(view, "facts")

        def step(k: int, values: Any = values) -> list[float]:
            return [k, values[k - 1], *([0.95, *middle(values[:k])] if k >= 10 else ())]

        yield from shown.said(view, (shown.observed,), step)
        found.append(middle(values[:ASKED]))
        for (_, score, interval), known, bar in zip(facts["rows"], scores(shown.kept), threads["bars"], strict=True):
            yield score, (known,)
            yield interval, bar
        yield facts["columns"][2], (0.95,)
    (low, high), (other_low, other_high) = threads["bars"]
    shared = (min(high, other_high) - max(low, other_low)) / min(high - low, other_high - other_low)
    yield shown.plain["ask"]["question"], (shared,) if shared > 0 else ()
    wider = (found[1][1] - found[1][0]) / (found[0][1] - found[0][0])
    halves, least = (high - low + other_high - other_low) / 2, abs(high - low - other_high + other_low) / 2
    apart = shared <= 0 and found[0][0] * found[0][1] > 0
    # Bars that do not overlap show a difference, and no others: the scores are farther apart than both halves reach.
    assert (abs(shown.observed) > halves) == apart
    assert list(shown.plain["found"]) == [0.0 if apart else 2.0]
    assert least < 0.9 * min(np.abs(np.array(found[0]) - shown.observed))
    assert max(np.abs(np.array(found) - shown.observed).ravel()) <= 1.1 * halves
    yield (
        shown.plain["reveal"],
        (abs(shown.observed), least, halves, 0.95, ASKED, *found[0], *found[1], wider, *p_of(shown)[0]),
    )
    step = -min(found[0], key=abs)
    ends = low + step, high + step
    after = (min(ends[1], other_high) - max(ends[0], other_low)) / min(high - low, other_high - other_low)
    yield shown.solution, (step, shown.observed + step, max(after, 0.0), max(shared, 0.0))


def win_rate(shown: Shown) -> Claims:
    alarms, size = shown.values(0), min(100, shown.n)
    claimed = alarms >= 0.95 - 1e-9

    def alarm(k: int) -> list[float]:
        count = int(claimed[:k].sum())
        return [k, count, count / k, 0.95]

    yield from shown.said(0, (size, 500), alarm)
    (facts,), piles = shown.panels(1, "facts"), shown.panels(1, "pile")
    apart = [number(NUMBER.findall(pile["title"])[-1]) for pile in piles]
    worlds = [(np.array(pile["values"]), np.array(list(pile["groups"]))) for pile in piles]
    worth = [*apart, ASKED]
    for low, high in ((0.95, 2.0), (0.7, 0.9)):
        worth += [low] if high > 1 else [low, high]
        for won, groups in worlds:
            right = groups[(won > low - 1e-9) & (won < high - 1e-9) & (groups != "2")] == "0"
            worth += [right.sum(), len(right), right.mean()] if len(right) else []
    yield shown.plain["reveal"], (*alarm(ASKED), 0.95, 0.05, 0.1, *worth)
    yield shown.plain["ask"]["question"], (100, 0.95)
    yield shown.panels(0, "pile")[0]["title"], (size,)
    values = shown.values(2)
    (curves,) = shown.panels(2, "curves")

    def wins(k: int) -> list[float]:
        counts = [int(np.sum(side > 1e-9)) for side in (values[:k], -values[:k])]
        p = min(1.0, 2 * (k - max(counts) + 1) / (k + 1))
        return [k, *counts, k - sum(counts), max(counts) / k, 1, 3, p]

    yield from shown.said(2, (shown.observed,), wins)
    _, first, *_, p = wins(ASKED)
    lines = [dict(zip(line["x"], line["y"], strict=True)) for line in curves["lines"]]
    here = min(lines[1], key=lambda x: abs(x - shown.observed))
    assert here == pytest.approx(shown.observed, abs=1e-5)
    yield shown.solution, (first / ASKED, ASKED, 1, p, shown.observed, lines[1][here])
    for tell, at, share, p in zip(
        curves["tells"], curves["lines"][0]["x"], *(line["y"] for line in curves["lines"]), strict=True
    ):
        yield tell, (at, share, p)

    def truly(k: int) -> list[float]:
        claims = [(won[:k] >= 0.95 - 1e-9, groups[:k] == "0") for won, groups in worlds]
        counts = [[claimed.sum(), (claimed & right).sum()] for claimed, right in claims]
        return [k, 0.95, *counts[0], *counts[1]]

    yield from shown.said(1, (*apart, size), truly)
    for pile, true in zip(piles, apart, strict=True):
        yield pile["title"], (true,)
    for column, true in zip(facts["columns"][1:], apart, strict=True):
        yield column, (true,)
    edges = (0.5, 0.7, 0.9, 0.95, 2.0)
    for row, (low, high) in zip(facts["rows"], pairwise(edges), strict=True):
        yield row[0], (low, high) if high < 1 else (low,)
        for cell, (won, groups) in zip(row[1:], worlds, strict=True):
            here = groups[(won > low - 1e-9) & (won < high - 1e-9) & (groups != "2")]
            right = int((here == "0").sum())
            yield cell, (right, len(here), right / len(here)) if len(here) else ()


def half_p(shown: Shown) -> Claims:
    told, tables = {}, []
    for view, name in enumerate(shown.plain["views"]):
        left, right = shown.panels(view, "pile")
        if name == "no difference":
            null = [(np.array(panel["values"]) <= 0.05).cumsum() for panel in (left, right)]
            for panel in (left, right):
                assert panel["groups"] == "".join("01"[value <= 0.05] for value in panel["values"])
                yield panel["title"], (ASKED,)
            yield from shown.said(
                view, (three_answers().n, 999),
                lambda k, null=null: [k, 0.05, *(x for small in null for x in (small[k - 1], small[k - 1] / k))],
            )  # fmt: skip
            continue
        pair = shown.kept if name == "the other pair" else three_answers()
        observed = abs(float(np.subtract(*scores(pair))))
        if name == "swaps":
            lead = np.array(left["values"])
            assert left["values"] == right["values"]
            beyond = lead >= observed - 1e-5, np.abs(lead) >= observed - 1e-5
            # That side counts on which the observed difference lies: without it the swaps lie on either side alike.
            assert abs(lead.mean()) < 4 * lead.std() / len(lead) ** 0.5
            assert np.std(lead) == pytest.approx(swap_error(pair), rel=0.15)
        else:
            sizes, drawn = np.array(left["before"]), np.array(right["before"])
            beyond = sizes - sizes.mean() > observed, np.abs(drawn - drawn.mean()) >= observed - 1e-9
        for panel, far in zip((left, right), beyond, strict=True):
            assert panel["beyond"] == "".join("01"[bool(each)] for each in far)

        def step(k: int, beyond: Any = beyond) -> list[float]:
            counts = [int(each[:k].sum()) for each in beyond]
            ps = [value for count in counts for value in (count, 1, ASKED, 1, (count + 1) / 1_001)]
            return [k, *counts, *(ps if k == ASKED else ())]

        start = (observed,) if name == "swaps" else (observed, TOOL, -1, 1)
        yield from shown.said(view, start, step)
        told[name] = [(each.sum() + 1) / 1_001 for each in beyond]
        if name == "swaps":
            counts = [each.sum() for each in beyond]
        else:
            told[name].append(printed_by_sacrebleu(pair))
        (facts,) = shown.panels(view, "facts")
        tables.append((pair, facts["rows"]))
    one, both = told["swaps"]
    folded = np.linspace(0, 6, 4_001)
    means = 2 * stats.norm.pdf(folded) + folded * (2 * stats.norm.cdf(folded) - 1)
    by_rule = stats.norm.sf(means) + stats.norm.cdf(-2 * folded - means)
    size = 2 * stats.norm.sf(folded[np.argmax(by_rule <= 0.05)])
    found = [small[-1] for small in null]
    # What is drawn is what theory says, as far as a thousand test sets can show.
    for count, rate in zip(found, (size, 0.05), strict=True):
        assert stats.binomtest(int(count), ASKED, rate).pvalue > 0.01
    printed, signed, swaps = told["tool"]
    ends = exact_ends(round(1_001 * signed) - 1, ASKED)
    told_of_tool = (signed, printed, 0.95, *ends, 3, 0.05)
    yield (
        shown.plain["reveal"],
        (both, one, *counts, TOOL, found[0], ASKED, 0.05, found[1], 0.1, 0.05, size, *told_of_tool),
    )
    # It is chance: of far more draws, either test finds a p above .05, and the rule of the tool finds less than half.
    pair, rng = three_answers(), np.random.default_rng(1)
    observed = abs(np.subtract(*scores(pair)))
    weights = rng.multinomial(pair.n, [1 / pair.n] * pair.n, size=20_000).T
    drawn = np.subtract(*pair.metric.score(pair.values @ weights.astype(float)))
    of_tool, of_both = (
        np.mean(far >= observed) for far in (np.abs(drawn) - np.abs(drawn).mean(), np.abs(drawn - drawn.mean()))
    )
    assert ends[0] < signed < 0.05 < of_both < ends[1]
    assert of_tool < of_both / 2
    assert min(swaps, both) > 0.05
    for pair, rows in tables:
        known = told["tool" if pair is not shown.kept else "the other pair"]
        observed = np.subtract(*scores(pair))
        lead = np.sign(observed) * shuffle(pair, Swap(ASKED, unit="segment"), np.array([0]), np.array([1])).ravel()
        sides = [(np.sum(far >= abs(observed) - 1e-9) + 1) / (ASKED + 1) for far in (lead, np.abs(lead))]
        values = [[value] for value in (*sides, TOOL, *known[:2], TOOL, known[2])]
        yield from zip(chain(*rows), ([], *values[:6], [], values[6]), strict=True)
    yield shown.plain["ask"]["question"], (three_answers().n, one)
    (place,) = shown.plain["found"]
    assert (both < 0.8 * one, 0.8 * one < both < 1.25 * one, both > 1.25 * one)[int(place)]
    printed, signed, swaps = told.get("the other pair", told["tool"])
    yield shown.solution, (printed, signed, signed / printed, swaps)


def swap_error(pair: Statistics) -> float:
    """Return the standard deviation of the difference over all swaps, each segment's share taken alone."""
    counts = pair.values.sum(axis=-1, dtype=float)
    middle = counts.mean(axis=1, keepdims=True)
    parts = (pair.values - pair.values[:, ::-1])[:, 0] / 2
    steps = [np.subtract(*pair.metric.score(np.concatenate([middle + part[:, None], middle - part[:, None]], axis=1)))
             for part in parts.T]  # fmt: skip
    return float(np.square(steps).sum() ** 0.5)


@remembered(by=lambda pair: (pair.digest, pair.n, pair.systems))
def printed_by_sacrebleu(pair: Statistics) -> float:
    """Return p of its paired randomization, which is the same whatever the classroom's seed."""
    return as_sacrebleu(pair, *pair.systems)[1].p_randomization or 0.0


def twenty_equal(shown: Shown) -> Claims:
    made, counts = read("twenty-equal"), []
    shipped = [tuple(row) for row in made["scores"]]
    for view in range(3):
        (crowd,) = shown.panels(view, "crowd")
        rows = [shipped.index(tuple(row)) for row in crowd["values"]]
        p = np.array([made["minp" if view == 2 else "p"][row] for row in rows])
        # Holm's first step is Bonferroni's; the next ones have one comparison less.
        order = np.argsort(p, axis=1)
        stepped = np.maximum.accumulate(np.take_along_axis(p, order, 1) * np.arange(19, 0, -1), axis=1)
        adjusted = np.empty_like(p)
        np.put_along_axis(adjusted, order, stepped, 1)
        claimed = (adjusted if view == 1 else p) <= 0.05 + 1e-9
        assert list(crowd["claimed"]) == ["0" + "".join("01"[bool(each)] for each in row) for row in claimed]
        ever = np.cumsum(claimed.any(axis=1))
        counts.append(int(ever[-1]))

        def step(k: int, crowd: Any = crowd, claimed: Any = claimed, ever: Any = ever) -> list[float]:
            best = int(np.argmax(crowd["values"][k - 1]))
            clone = [best] if best else []
            return [k, *clone, max(crowd["values"][k - 1]), claimed[k - 1].sum(), 19, ever[k - 1], k]

        yield from shown.said(view, (25, *((), (19, 18, 0.05), (19,))[view]), step)
        yield crowd["axis"], (300,)
    ever = [made["any"][name].count("1") for name in ("none", "holm", "minp")]
    rates = [count / 10 for count in ever]
    independent = (19, 19, 18, 0.05, 19, 19, 0.95, 0.95, 19, 0.95**19, 1 - 0.95**19)
    # Where 95% of the counts are if the true rate is 5 in 100.
    usual = [Near(stats.binom(1_000, 0.05).ppf(share) / 10) for share in (0.025, 0.975)]
    assert usual[0] <= min(rates[1:]) <= max(rates[1:]) <= usual[1]
    yield shown.plain["reveal"], (rates[0], 100, *rates[1:], 1_000, 5, *usual, *counts, *independent)
    yield shown.plain["ask"]["question"], (19, 100, 0.05)
    yield shown.plain["setting"], (300, 20)
    told = [value for count in counts for value in (count, 100, count / 100)]
    yield shown.solution, (*told, 20, 20, 19, 2, comb(20, 2), 0.05 * comb(20, 2), comb(20, 2), comb(20, 2))


def peeking(shown: Shown) -> Claims:
    (curves,) = shown.panels(0, "curves")
    p, units = np.array(curves["lines"][0]["y"]).reshape(100, 10), curves["lines"][0]["x"][:10]
    small = p <= 0.05
    first = np.where(small.any(axis=1), small.argmax(axis=1), 99)
    ever = [int((first <= look).sum()) for look in range(10)]

    def step(k: int) -> list[float]:
        world, look = divmod(k - 1, 10)
        earlier = [first[world] + 1] if first[world] < look else []
        done = world + (look == 9)
        tally = [int((first[:done] < 99).sum()), done] if done else []
        return [world + 1, units[look], p[world, look], *earlier, *tally]

    yield from shown.said(0, (units[0],), step)
    yield shown.plain["setting"], (units[0], units[-1])
    peeked = run(Peeking(simulations=2_000, seed=shown.room.seed, pair=shown.pair), shown.room.statistics)
    assert shown.stage.found == (round(100 * peeked.rate),)
    # On the same segments two looks find more than one, and less than on others.
    at_two = 100 * (peeked.p[:, :2] <= 0.05 + 1e-12).any(axis=1).mean()
    assert 100 * (peeked.p[:, 0] <= 0.05).mean() < at_two < 100 * (peeked.p[:, :2] <= 0.05).mean(axis=0).sum()
    rates = 100 * peeked.rate, 100 * peeked.rate_at_end
    usual = [Near(stats.binom(2_000, 0.05).ppf(share) / 20) for share in (0.025, 0.975)]
    counted = (10, rates[0], 100, at_two, rates[1], 2_000, 5, *usual, ever[-1], small[:, -1].sum())
    yield shown.plain["reveal"], (*counted, 10, 100 * (1 - 0.95**10), 100)
    # By a stricter limit, about as many as a single look finds.
    two, ten = (number(text) for text in NUMBER.findall(shown.lesson.take_home))
    counts = [100 * (peeked.p[:, :looks] <= limit + 1e-12).any(axis=1).mean() for looks, limit in ((2, two), (10, ten))]
    assert usual[0] <= min(counts) <= max(counts) <= usual[1]
    strict = counts[1]
    yield shown.plain["ask"]["question"], (10, 0.05, 100)
    yield curves["title"], (0.05,)
    yield shown.solution, (ever[0], 100, ever[0] / 100, ever[1], ever[-1], 10, 0.01, 0.05, 10, strict, 100, 2_000)


def documents_travel_together(shown: Shown) -> Claims:
    documents = np.asarray(shown.room.statistics.at("segment").shared_by(shown.pair).document_of)
    ratios = []
    for view in range(3):
        both = [shown.values(view, number) for number in (0, 1)]

        def step(k: int, both: Any = both) -> list[float]:
            spreads = [own[:k].std(ddof=1) for own in both] if k > 1 else []
            return [k, *(own[k - 1] for own in both), *spreads, *(spreads[1] / spreads[0] for _ in spreads[:1])]

        yield from shown.said(view, (shown.n, len(np.unique(documents))), step)
        # The pile that is not of the bag beside it does not answer to it.
        assert [pile["apart"] for pile in shown.panels(view, "pile")] == [view == 1, view == 0]
        assert len({(pile["low"], pile["high"]) for pile in shown.panels(view, "pile")}) == 1
        ratios.append(both[1].std(ddof=1) / both[0].std(ddof=1))
    assert ratios[0] == ratios[1]

    def effect(moved: Any) -> Near:
        sums = np.array([moved[documents == one].sum() for one in np.unique(documents)])
        return Near(np.square(sums).sum() * len(sums) / (len(sums) - 1)
                    / (np.square(moved).sum() * shown.n / (shown.n - 1)))  # fmt: skip

    both = [p_of(shown, unit=unit)[0] for unit in ("segment", "document")]
    # Nothing smaller can be printed than 1/10,001.
    least = [10 * ASKED, pytest.approx(1 / (10 * ASKED + 1))]
    assert shown.plain["reveal"].count("the smallest p that") == both.count(least)
    wide = ratios[0]
    worth = [wide**2, shown.n, float(f"{shown.n / wide**2:.2g}"), 5] if wide > 1 else []
    yield shown.plain["reveal"], (*ratios[1:], ASKED, *worth, *both[0], *both[1])
    yield shown.plain["setting"], (shown.n, len(np.unique(documents)))
    yield shown.plain["ask"]["question"], (1, 1)
    among = len(np.unique(documents))
    # What the piles show is about the factor that is known without drawing.
    assert ratios[2] ** 2 == pytest.approx(effect(shifts(shown.kept)), rel=0.25)
    yield shown.solution, (ratios[2] ** 2, among * round(ratios[2] ** 2, 1), among, 5, 1)


def same_bleu(shown: Shown) -> Claims:
    (tiles,), (facts,) = shown.panels(0, "tiles"), shown.panels(0, "facts")
    (segment,) = (int(text) for text in NUMBER.findall(tiles["title"]))
    reference = shown.room.texts.references
    cut, phrases = [], len(tiles["tiles"])
    for output, *lines in zip(shown.room.texts.lines(shown.pair[0]), *reference.values(), strict=True):
        words, *others = (list(pairwise(TOKENS(text).split())) for text in (output, *lines))
        cut.append(1 + sum(one not in {*chain(*others)} for one in words))
    assert cut[segment - 1] == phrases
    orders, distinct = factorial(phrases), factorial(phrases) // prod(map(factorial, Counter(tiles["tiles"]).values()))
    (line,) = [lines[segment - 1] for lines in reference.values()]
    score = sentence_bleu(" ".join(tiles["tiles"]), [line]).score
    grams = sentence_bleu(" ".join(tiles["tiles"]), [line]).counts
    told = [score, *grams, phrases, orders, distinct]

    def meter(k: int) -> list[float]:
        text = " ".join(tiles["tiles"][place] for place in tiles["orders"][k - 1])
        found = sentence_bleu(text, [line])
        won = [(now - before, order) for order, (now, before) in enumerate(zip(found.counts, grams, strict=True), 1)]
        return [found.score, *chain(*(one for one in won if one[0]))]

    yield tiles["title"], (segment,)
    lines = [
        line for lines in reference.values() for line in NUMBER.findall(" ".join(TOKENS(lines[segment - 1]).split()))
    ]
    yield shown.plain["setting"], (segment, *map(number, lines))
    yield from shown.said(0, told, lambda k: (k, *meter(k)))
    for k, text in enumerate(tiles["meters"], 1):
        yield text, meter(k)
    yield tiles["any_order"], (score,)
    for _, bleu, matched in facts["rows"]:
        yield bleu, (score,)
        yield matched, grams
    totals = sentence_bleu(" ".join(tiles["tiles"]), [line]).totals
    length, other = len(" ".join(tiles["tiles"]).split()), len(TOKENS(line).split())
    mean = stats.gmean(np.divide(grams, totals)) if min(grams) else 0.0
    assert not mean or score == pytest.approx(100 * mean * min(1.0, np.exp(1 - other / length)))
    yield shown.plain["reveal"], (score, *chain(*zip(grams, totals, strict=True)), orders, distinct)
    won = [meter(k)[0] for k in range(1, len(tiles["orders"]) + 1) if len(meter(k)) > 1]
    more = [len(won), max(won)] if won else []
    one_less = (phrases - 1, factorial(phrases - 1), phrases)
    yield shown.solution, (score, *one_less, len(tiles["orders"]), segment, *more)


def significant_or_important(shown: Shown) -> Claims:
    made = read("large-sets")
    told = []
    for size, difference, error in zip(made["segments"], made["difference"], made["error"], strict=True):
        law = stats.t(size - 1, scale=error)
        half = law.ppf(0.975)
        small = [0.5] if max(abs(difference - half), abs(difference + half)) < 0.5 else []
        told.append([size, abs(difference), 0.95, difference - half, difference + half,
                     2 * law.sf(abs(difference)), *small])  # fmt: skip
    yield from shown.said(0, (0.2, 0.5), lambda k: told[k - 1])
    yield shown.plain["reveal"], (*told[-1], 0.5)
    yield shown.plain["ask"]["question"], (0.2, 0.0001)
    first = next(row[0] for row in told if row[5] <= 0.05)
    differ = (shown.kept.values[:, 0] != shown.kept.values[:, 1]).any(axis=0).sum()
    # What segments contribute is far from normal where few of them differ: test sets of such segments, by t.
    drawn = 0.2 - shown.n * shifts(shown.kept)[np.random.default_rng(1).integers(shown.n, size=(5_000, shown.n))]
    means, errors = drawn.mean(axis=1), drawn.std(axis=1, ddof=1) / shown.n**0.5
    small = np.abs(means) >= stats.t(shown.n - 1).ppf(0.975) * errors
    times = np.abs(means[small]).mean() / 0.2
    assert "Of the sizes shown" in shown.solution
    power = [0.2, Simulated(small.mean()), shown.n, Simulated(times)] if "were truly" in shown.solution else []
    yield shown.solution, (0.05, first, *power, differ, shown.n, *p_of(shown)[0])
    yield shown.panels(0, "curves")[0]["lines"][0]["name"], (0.95,)
    for facts in shown.panels(0, "facts"):
        resampled = trace(shown.room.statistics, Bootstrap(ASKED, shown.seed, "segment"), shown.pair).values
        texts = (shown.room.texts.lines(name) for name in shown.pair)
        unlike = sum(one != other for one, other in zip(*texts, strict=True))
        yield facts["title"], (len(facts["rows"]), unlike, shown.n, shown.observed, 0.95, *middle(resampled))
        for row in facts["rows"]:
            for cell in row:
                yield cell, [number(text) for text in NUMBER.findall(cell)]  # lines of the data


class Simulated(Near):
    """What 5,000 drawn test sets make of it."""


def lineup(shown: Shown) -> Claims:
    above = []
    for place, each in enumerate(shown.plain["rounds"]):
        (panel,) = each["panels"]
        largest, real = np.abs(np.array(panel["matrices"])).max(axis=(1, 2)), int(each["answer"])
        others = np.delete(largest, real)
        above.append(int((others >= largest[real] - 1e-6).sum()))
        many = [above[-1]] if above[-1] else []
        told = (real + 1, largest[real], 19, others.max(), *many, above[-1], 1, 19, 1, (above[-1] + 1) / 20)
        yield each["after"], told
        for picture, reply in enumerate(each["replies"]):
            yield reply, (picture + 1, *((10, 1, 20, 1 / 20) if picture == real else (0,)))
        (size,) = (number(text) for text in NUMBER.findall(panel["title"]))
        shares = [round(share * shown.room.statistics.n) for share in (1, 0.5, 0.25, 0.125)]
        yield panel["title"], (min(shares, key=lambda n: abs(n - size)),)
        assert panel["title"].count(", ") == len(panel["matrices"][0]) - 1
        assert place < 6
    yield shown.plain["ask"]["question"], (20, 11)
    clear = above.count(0)
    yield shown.plain["reveal"], (len(above) / 2, 10 * len(above), 10 * clear, len(above) - clear)
    told = [value for place, count in enumerate(above, 1) for value in ((place, count) if count else (place,))]
    yield shown.solution, (19, *told, 20, 0, 1, 19, 1)


def guess_the_p(shown: Shown) -> Claims:
    told, guesses = [], [round(10 ** (-3 + 0.02 * place), 3) for place in range(151)]
    for place, each in enumerate(shown.plain["rounds"]):
        redrawn, swapped = each["panels"]
        observed = swapped["marks"][0]["at"]
        far = int((np.abs(swapped["values"]) >= abs(observed) - 1e-5).sum())
        p = each["answer"]
        # Where every exchange was tried, the drawn ones are a sample of them.
        exact = "by trying" in each["after"]
        assert abs(p - (far + 1) / 1_000) < (0.06 if exact else 1e-9)
        yield each["after"], (p, *(() if exact else (far, 1, SHUFFLES, 1)), far, SHUFFLES, observed)
        assert swapped["beyond"] == "".join("01"[abs(value) >= abs(observed) - 1e-5] for value in swapped["values"])
        yield redrawn["title"], (_chosen(shown.room, place)[1],)
        beside = np.array(redrawn["values"])
        told += [place + 1, p, min(np.mean(beside > 0), np.mean(beside < 0))]
        for guess, points, reply in zip(guesses, each["points"], each["replies"], strict=True):
            apart = max(p, 0.001) / guess
            way = [] if "right" in reply else [max(apart, 1 / apart)]
            assert ("large" in reply, "small" in reply) == ((False, False) if not way else (apart < 1, apart > 1))
            assert way or 0.9 < apart < 1.1
            # Nothing is left where it is off by 10^.5.
            assert points == pytest.approx(max(0.0, 10 - 20 * abs(np.log10(apart))), abs=0.5 + 1e-6)
            across = (guess <= 0.05) != (p <= 0.05)
            assert ("other side" in reply) == across
            yield reply, (guess, *way, *((0.05,) if across else ()), points, 10)
    yield shown.solution, (shown.seed, *told)
    sums = np.sum([each["points"] for each in shown.plain["rounds"]], axis=0)
    yield shown.plain["reveal"], (sums.max(), 100, guesses[int(sums.argmax())])
    worth = [max(0, round(10 - 20 * float(np.log10(times)))) for times in (1, 2, 3)]
    assert worth == [10, 4, 0]
    yield shown.plain["ask"]["question"], (0.001, 0.01, 0.01, 0.1, 0.1, 1, 10, 4, 0)


def marks(shown: Shown) -> Claims:
    """Yield the names of places on axes: they stand where they say."""
    panels = [panel for each in (*shown.views, *shown.plain["rounds"]) for panel in each["panels"]]
    for mark in (mark for panel in panels for mark in panel.get("marks", ())):
        if NUMBER.search(mark["text"]):
            yield mark["text"], (mark["at"],)


def given_on(name: str, seed: int) -> Iterator[Shown]:
    """Yield the lessons as they are given on a set with a seed."""
    corpus = made_corpus(n=80, systems=3, documents=16)
    room = given.own_room(seed) if name == "sample" else Classroom(measure(corpus, "bleu"), seed=seed, corpus=corpus)
    for lesson in COURSE:
        if name == "sample":
            yield Shown(lesson, room, given.own_stage(lesson.name, seed), given.own_solution(lesson.name, seed))
        else:
            yield Shown(lesson, room, lesson.stage(room), lesson.solution(room))


def problems(shown: Shown, checked: Counter[str]) -> Iterator[str]:
    """Yield the sentences whose numbers are others than those that were found, or that nothing looks at."""
    oracle: Callable[[Shown], Claims] = globals()[shown.lesson.name.replace("-", "_")]
    known = set()
    for text, found in (*oracle(shown), *marks(shown)):
        printed, numbers = NUMBER.findall(text), list(found)
        known.add(text)
        checked[shown.lesson.name] += len(numbers)
        near = [0.15 if isinstance(value, Simulated) else 0.04 if isinstance(value, Near) else 0.0 for value in numbers]
        if len(printed) != len(numbers) or not all(map(agrees, printed, numbers, near)):
            yield f"{text}: found {numbers}"
    yield from (f"{text}: not looked at" for text in shown.texts() if NUMBER.search(text) and text not in known)


def differ_by_seed() -> None:
    """Another seed is another stage, but of resamples that sacreBLEU draws by a seed of its own."""
    same = {
        lesson.name
        for lesson in COURSE
        if given.own_stage(lesson.name, 12345).plain() == given.own_stage(lesson.name, 7).plain()
    }
    assert same == {"half-p"}


@pytest.mark.parametrize("seeds", [(12345,), *slow(((12345, 7, 99),))], ids=len)
def test_every_number_of_a_lesson_is_found_in_what_it_shows(seeds: tuple[int, ...]) -> None:
    checked: Counter[str] = Counter()
    for name in ("sample", "made")[: len(seeds)]:
        for seed in seeds:
            for shown in given_on(name, seed):
                assert list(problems(shown, checked)) == [], (shown.lesson.name, name, seed)
    if len(seeds) > 1:
        differ_by_seed()
    assert min(checked[lesson.name] for lesson in COURSE) > 20
    # A number that is off in its last digit is found.
    assert agrees("1.23", 1.2349)
    assert not agrees("1.23", 1.2361)
    assert not agrees("+0.47", -0.47)
    assert not agrees("41%", 0.42)
    assert not agrees("< .0001", 0.0002)


@cache
def spoken(number: int) -> str:
    """Return all that a lesson says on data whose pairs are its own; of many steps, some twenty."""
    lesson, stage = COURSE[number], given.own_stage(COURSE[number].name)
    views = [
        replace(view, says=(*view.says[:: 1 + len(view.says) // 20], view.says[-1])) for view in stage.views.values()
    ]
    texts = [
        lesson.title, lesson.misconception, lesson.question, lesson.take_home, lesson.exercise, lesson.quiz.question,
        *lesson.quiz.answers(number), lesson.quiz.why, *stage.ask.options, given.own_solution(lesson.name),
        *strings([to_builtins(view) for view in views]), *strings(to_builtins(replace(stage, views={}))),
    ]  # fmt: skip
    return "\n".join(dict.fromkeys(texts))


UNSAID = Term(99, ("jackknife", "null hypothesis", "power", "t test", "family-wise"), "what no lesson explains")


def found_in(term: Term, text: str) -> list[str]:
    """Return where one of its words stands in a text, alone or with an s."""
    return re.findall(rf"(?<![\w-])(?:{'|'.join(map(re.escape, term.words))})s?(?![\w-])", text, re.IGNORECASE)


def early(lesson: int, text: str, given: Iterable[int]) -> set[str]:
    """Return the words in a lesson's text that neither it nor one of the lessons given before explains."""
    explained = {*given, lesson}
    later = [term for term in (*GLOSSARY, UNSAID) if term.lesson not in explained]
    return {word for term in later for word in found_in(term, text)}


def test_no_lesson_uses_a_word_that_an_earlier_one_has_not_explained() -> None:
    taken = [SHORT, tuple(chain.from_iterable(plan for _, plan in LONG))]
    plans = [[part.number for part, _ in plan if isinstance(part, Lesson)] for plan in taken]
    for plan in (*plans, range(len(COURSE))):
        for place, number in enumerate(plan):
            assert early(number, spoken(number), plan[:place]) == set(), COURSE[number].name
    # What is looked for is found.
    assert early(1, "the p-values of swaps, Holm-corrected", [0]) == {"p-values", "swaps"}
    assert early(10, "its half width", range(10)) == set()


def test_every_word_is_said_by_the_lesson_that_explains_it() -> None:
    for term in GLOSSARY:
        assert found_in(term, spoken(term.lesson)), term.words
