"""Print how often methods for scores of 0 and 1 err: false positives of tests, misses of intervals, in percent.

Made answers of two models of equal accuracy, and of a true difference of .1: hard items are hard for both. In the rows
of documents five items each are alike. 20,000 sets a row: a share of 5% has a standard error of .15.
"""

import sys

import numpy as np
from scipy import stats

SETS = 20_000


def answers(rng: np.random.Generator, n: int, difference: float, clustered: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return which answers of either model are right; shape (sets, n) each."""
    hard = rng.normal(size=(SETS, n))
    own = rng.normal(size=(2, SETS, n))
    if clustered:
        shared = np.repeat(rng.normal(size=(3, SETS, n // 5)), 5, axis=-1)
        hard = (hard + shared[0]) / np.sqrt(2)
        own = (own + shared[1:]) / np.sqrt(2)
    latent = (hard + own) / np.sqrt(2)
    return latent[0] < stats.norm.ppf(0.8 + difference), latent[1] < stats.norm.ppf(0.8)


def by_jackknife(d: np.ndarray, each: int, true: float) -> tuple[np.ndarray, np.ndarray]:
    """Return whether t over groups of as many items rejects equality, and whether its interval misses the truth."""
    groups = d.reshape(SETS, -1, each).mean(axis=-1)
    k = groups.shape[1]
    mean, error = groups.mean(axis=1), groups.std(axis=1, ddof=1) / np.sqrt(k)
    reach = stats.t.ppf(0.975, k - 1) * error
    return np.abs(mean) > reach, np.abs(mean - true) > reach


def newcombe(b: np.ndarray, c: np.ndarray, both: np.ndarray, n: int, true: float) -> np.ndarray:
    """Return whether Newcombe's interval (1998, method 10) misses the truth."""
    z, neither = stats.norm.ppf(0.975), n - both - b - c
    p = np.stack([both + b, both + c]) / n
    middle, half = p + z**2 / 2 / n, z * np.sqrt(p * (1 - p) / n + z**2 / 4 / n**2)
    low, high = ((middle + sign * half) / (1 + z**2 / n) for sign in (-1, 1))
    rest = np.sqrt((both + b) * (c + neither) * (both + c) * (b + neither))
    phi = np.divide(both * neither - b * c, rest, out=np.zeros(SETS), where=rest > 0)
    ends = []
    for first, second in ((p[0] - low[0], high[1] - p[1]), (high[0] - p[0], p[1] - low[1])):
        ends.append(np.sqrt(np.maximum(first**2 - 2 * phi * first * second + second**2, 0)))
    d = p[0] - p[1]
    return (true < d - ends[0]) | (true > d + ends[1])


def tango(b: np.ndarray, c: np.ndarray, n: int, true: float) -> np.ndarray:
    """Return whether Tango's score interval (1998) misses the truth."""
    half, least = -b - c + (2 * n - b + c) * true, -c * true * (1 - true)
    share = (np.sqrt(half**2 - 8 * n * least) - half) / (4 * n)
    spread = np.sqrt(n * (2 * share + true * (1 - true)))
    z = np.divide(b - c - n * true, spread, out=np.zeros(SETS), where=spread > 0)
    return np.abs(z) > stats.norm.ppf(0.975)


def main() -> None:
    """Print a row for each size."""
    names = ("McNemar exact", "mid-p", "t items", "t documents", "Tango", "Newcombe", "t items", "t documents")
    print(f"{'':16}{'  '.join(names)}")
    for clustered in (False, True):
        for n in (10, 20, 30, 50, 100, 200, 400):
            found = []
            for true in (0.0, 0.1):
                x, y = answers(np.random.default_rng(n), n, true, clustered)
                d = x.astype(float) - y
                b, c, both = (d > 0).sum(axis=1), (d < 0).sum(axis=1), (x & y).sum(axis=1)
                exact = np.minimum(1, 2 * stats.binom.cdf(np.minimum(b, c), b + c, 0.5))
                middle = exact - stats.binom.pmf(b, b + c, 0.5)
                items, documents = by_jackknife(d, 1, true), by_jackknife(d, 5, true)
                if true:
                    found += [tango(b, c, n, true), newcombe(b, c, both, n, true), items[1], documents[1]]
                else:
                    found += [(exact <= 0.05) & (b + c > 0), (middle <= 0.05) & (b + c > 0), items[0], documents[0]]
            label = f"{'documents' if clustered else 'items'} {n}"
            print(f"{label:16}" + "".join(f"{100 * one.mean():8.1f}" for one in found), flush=True)


def several() -> None:
    """Print how often intervals of an accuracy with several answers per item hold it, and how often they leave 0 to 1.

    Items have chances of their own (beta); alike: correlation of two answers to one item.
    """
    print(f"{'':40}{'t covers':>10}{'t leaves':>10}{'n items':>10}{'n answers':>10}")
    rng = np.random.default_rng(5)
    for n in (20, 50, 200):
        for each, right, alike in ((3, 0.5, 0.3), (3, 0.9, 0.3), (3, 0.97, 0.3), (10, 0.9, 0.3), (10, 0.97, 0.8)):
            chances = rng.beta(right * (1 / alike - 1), (1 - right) * (1 / alike - 1), size=(SETS, n))
            found = rng.binomial(each, chances) / each
            share, error, t = found.mean(axis=1), found.std(axis=1, ddof=1) / np.sqrt(n), stats.t.ppf(0.975, n - 1)
            cells = [np.abs(share - right) <= t * error, np.abs(share - 0.5) + t * error > 0.5]
            for most in (n, n * each):
                own = share * (1 - share) / np.maximum(error, 1e-12) ** 2
                size = np.where((error > 0) & (share > 0) & (share < 1), np.minimum(own, most), n)
                middle = (share + t**2 / 2 / size) / (1 + t**2 / size)
                half = t / (1 + t**2 / size) * np.sqrt(share * (1 - share) / size + t**2 / 4 / size**2)
                cells.append(np.abs(middle - right) <= half)
            label = f"{n} items, {each} answers, accuracy {right}, alike {alike}"
            print(f"{label:50}" + "".join(f"{100 * one.mean():10.1f}" for one in cells), flush=True)


if __name__ == "__main__":
    several() if sys.argv[1:] == ["several"] else main()
