"""Documents as units: numbers of programs that had nothing to do with this one.

The made numbers were computed with fractions and 50-digit decimals, explicit matrices and the tail of t integrated;
those of real sets by plain numpy from sacreBLEU 2.6.0's counts, with documents really left out.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from made import Rated
from numpy.typing import NDArray

from golden.oracles import known_answers
from mtsig import adjust, interval, measure, read, verdict
from mtsig._probability import satterthwaite_df
from mtsig._records import FloatArray
from mtsig.inference import compare
from mtsig.inference._fields import noncentral
from mtsig.inference._margins import t_equivalence
from mtsig.inference._tests import JackknifeT
from mtsig.metrics import Metric, Statistics
from mtsig.resampling import Bootstrap

SIZES = np.array([1, 2, 3, 4, 6, 8])
A, B, C = [52, 118, 171, 236, 330, 455], [50, 109, 176, 214, 322, 431], [55, 104, 180, 229, 310, 444]


@dataclass(frozen=True)
class Fraction(Metric):
    """A made BLEU: 100 · min(1, e^(1 − ref/hyp)) · x/hyp; its counts are x, hyp and ref."""

    name: ClassVar[str] = "fraction"

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the score."""
        x, hypothesis, reference = totals
        return np.asarray(100 * np.minimum(1, np.exp(1 - reference / hypothesis)) * x / hypothesis)


def of_documents(metric: Metric, rows: list[list[list[int]]], sizes: NDArray[np.int64] = SIZES) -> Statistics:
    """Statistics of systems A, B … whose documents have the counts `rows` (systems, k, documents)."""
    values = np.moveaxis(np.array(rows, dtype=np.float32), 0, 1)
    return Statistics(metric, tuple("ABC"[: len(rows)]), values, unit="document", sizes=sizes)


def means() -> Statistics:
    return of_documents(Rated(), [[row, SIZES.tolist()] for row in (A, B, C)])


def test_degrees_of_freedom() -> None:
    assert satterthwaite_df(SIZES) == pytest.approx(2.5925079659, abs=5e-11)
    assert satterthwaite_df(np.array([0, 3, 0])) == 1.0  # one unit holds all, and there is nothing to divide by


def test_means_of_unequal_documents() -> None:
    family = adjust(compare(means(), "jackknife-t"), "holm")
    known = {
        ("A", "B"): (2.5, 0.8951598549, 0.0806219289, 0.24186579),
        ("A", "C"): (1.6666666667, 0.93580511, 0.18718445, 0.37436889),
        ("B", "C"): (-0.8333333333, 1.12497602, 0.52016842, 0.52016842),
    }
    for one in family:
        difference, error, p, holm = known[one.first, one.second]
        assert one.difference == pytest.approx(difference, abs=5e-11)
        assert one.standard_error == pytest.approx(error, abs=5e-9)
        assert one.p_value == pytest.approx(p, abs=5e-9)
        assert one.p_adjusted == pytest.approx(holm, abs=5e-9)
        assert one.df == pytest.approx(2.5925079659, abs=5e-11)
    assert (family[0].ci_low, family[0].ci_high) == pytest.approx((-0.6196561341, 5.6196561341), abs=5e-11)
    assert family[0].standard_error == pytest.approx(0.8951598549, abs=5e-11)
    before = compare(means(), "ij-t", interval="ij")
    assert before[0].ci_high - before[0].ci_low == pytest.approx(2 * 2.5705818366 * 0.8915108898, abs=1e-8)
    assert compare(means(), "ar")[0].p_value == pytest.approx(0.09375)


def test_equivalence_and_simultaneous_intervals() -> None:
    one = compare(means(), "jackknife-t")[0]
    low, high, p = t_equivalence(one.difference, one.standard_error, one.df, 6, 0.95, both=True)
    assert p == pytest.approx(0.0192672307, abs=5e-11)
    assert (low, high) == pytest.approx((0.2512694473, 4.7487305527), abs=5e-11)
    together = compare(means(), "jackknife-t", interval="simultaneous")
    assert (together[0].ci_high - together[0].difference) / together[0].standard_error == pytest.approx(
        5.5672079, abs=5e-8
    )


def test_gaussian_min_p_is_the_integral_over_the_angle() -> None:
    draws = 200_000
    family = adjust(compare(means(), JackknifeT(Bootstrap(draws, 1))), "minp")
    # Three Monte-Carlo errors of the drawn share.
    assert family[0].p_adjusted == pytest.approx(0.184933, abs=3 * np.sqrt(0.185 * 0.815 / draws))


def test_a_ratio_with_a_brevity_penalty() -> None:
    reference = [20, 44, 63, 85, 118, 170]
    first = [[11, 26, 31, 50, 66, 93], [19, 45, 60, 86, 116, 165], reference]
    second = [[10, 21, 33, 42, 63, 88], [21, 40, 62, 80, 119, 168], reference]
    one = compare(of_documents(Fraction(), [first, second]), "jackknife-t")[0]
    assert one.difference == pytest.approx(4.0013654716, abs=5e-10)
    assert one.standard_error == pytest.approx(1.6785853549, abs=5e-10)
    assert one.p_value == pytest.approx(0.1108533617, abs=5e-10)
    assert (one.ci_low, one.ci_high) == pytest.approx((-1.8485495691, 9.8512805123), abs=5e-9)


@pytest.mark.parametrize(("df", "factor"), [(4, 3.761), (9, 3.150), (19, 2.954), (60, 2.847), (np.inf, 2.802)])
def test_factors_of_the_detectable_difference(df: float, factor: float) -> None:
    assert noncentral(df, 0.025, 0.8) == pytest.approx(factor, abs=5e-4)


def test_factor_of_a_family_with_few_degrees_of_freedom() -> None:
    assert noncentral(4.0, 0.025 / 15, 0.8) == pytest.approx(7.84, abs=5e-3)


def test_sample_data() -> None:
    family = adjust(compare(measure(read(Path("sample_data/es-en")), "bleu")))
    found = {frozenset((one.first, one.second)): one for one in family}
    assert (family.unit, family.test.name, family.correction) == ("document", "jackknife-t", "holm")
    assert set(family.df.tolist()) == {19.0}
    clear = found[frozenset(("direct", "direct-us"))]
    assert clear.p_value == pytest.approx(0.00092, abs=5e-6)
    assert clear.p_adjusted == pytest.approx(0.0051, abs=5e-5)
    assert sorted(abs(end) for end in (clear.ci_low, clear.ci_high)) == pytest.approx([0.22, 0.73], abs=5e-3)
    close = found[frozenset(("via-catalan", "via-galician"))]
    assert close.p_value == pytest.approx(0.54, abs=5e-3)
    assert (close.ci_low, close.ci_high) == pytest.approx((-1.32, 2.44), abs=5e-3)
    other = found[frozenset(("via-catalan", "via-esperanto"))]
    assert other.p_value == pytest.approx(0.0054, abs=5e-5)
    assert other.p_adjusted == pytest.approx(0.011, abs=5e-4)
    others = [one for one in family if one.first != "via-catalan"]
    assert max(one.p_adjusted for one in others) <= 0.00515
    assert [verdict(one).word for one in (clear, close, other)] == ["better", "not_significant", "better"]


def real_sets() -> dict[str, Any]:
    found: dict[str, Any] = known_answers("sets")["real"]
    return found


NAMES = ("en-cs", "en-de", "en-hr", "en-ja", "en-ru", "en-uk", "en-zh")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in ("en-cs", "en-ja", "en-uk") else pytest.mark.slow) for name in NAMES],
)
def test_seven_real_sets(shared: Path, name: str) -> None:
    known = real_sets()
    at = known["sets"].index(name)
    corpus = read(shared / "data" / "wmt22-several" / name).select(known["systems"])
    family = compare(measure(corpus, "chrf"), "jackknife-t")
    scores = interval(measure(corpus, "chrf"))
    assert dict(zip(scores.systems, scores.score, strict=True)) == pytest.approx(known["scores"][name], abs=1e-9)
    rows = {(row["first"], row["second"]): row for row in known["pairs"]}
    for one in family:
        row = rows[one.first, one.second]
        assert one.difference == pytest.approx(row["differences"][at], abs=1e-9)
        assert one.standard_error == pytest.approx(row["se"][at], rel=1e-9)
        assert one.df == pytest.approx(known["nu"][name], rel=1e-12)
