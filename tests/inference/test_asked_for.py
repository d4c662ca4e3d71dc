"""A test that was asked for by name says what it says: every verdict beside one worked out here, by plain loops."""

from collections.abc import Callable
from dataclasses import replace
from math import comb, isnan, sqrt

import numpy as np
import pytest
import scipy
from kept import worded
from made import made_corpus, rated
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest
from sampled import crossed

from mtsig import Corpus, Settings, measure, verdict
from mtsig.figures import Matrix
from mtsig.inference import TESTS, Comparison
from mtsig.inference._significance import DEFAULTS
from mtsig.inference._verdict import CAUTION
from mtsig.metrics import Statistics
from mtsig.report import comparison_table, verdict_text
from mtsig.report._families import families_text, headline_text
from mtsig.resampling import resample

DRAWS, N = 1000, 120
NOISE = np.random.default_rng(5).normal(size=(2, N))


def scores(pair: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the segment scores of two systems: clearly apart, close, or identical."""
    ahead = {"clear": 0.5, "close": 0.05, "identical": 0.0}[pair]
    first = NOISE[0]
    return (first, first) if pair == "identical" else (first + ahead, first + 0.6 * NOISE[1] - 0.6 * NOISE[1].mean())


def statistics_of(pair: str) -> Statistics:
    return rated(list(scores(pair)))


def swapped(gaps: np.ndarray) -> float:
    """Return p of exchanging labels, by a loop of our own draws."""
    rng, observed, extreme = np.random.default_rng(1), abs(gaps.mean()), 0
    for _ in range(4000):
        total = 0.0
        for gap, sign in zip(gaps, rng.integers(2, size=len(gaps)), strict=True):
            total += gap if sign else -gap
        extreme += abs(total / len(gaps)) >= observed - 1e-12
    return (extreme + 1) / 4001


def t_test(gaps: np.ndarray) -> float:
    """Return p of d/SE; over segments of a mean both jackknives are the paired t test."""
    mean = sum(gaps) / len(gaps)
    spread = sqrt(sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1) / len(gaps))
    return 1.0 if spread == 0 else float(2 * scipy.stats.t.sf(abs(mean / spread), len(gaps) - 1))


def redrawn() -> np.ndarray:
    return np.random.default_rng(2).integers(N, size=(4000, N))


def shifted(gaps: np.ndarray) -> float:
    moved = [gaps[units].mean() - gaps.mean() for units in redrawn()]
    return sum(abs(move) >= abs(gaps.mean()) - 1e-12 for move in moved) / 4000


def studentized(gaps: np.ndarray) -> float:
    if not gaps.any():
        return 1.0
    t = [(gaps[u].mean() - gaps.mean()) / (gaps[u].std() / sqrt(N)) for u in redrawn()]
    return sum(abs(value) >= abs(gaps.mean() / (gaps.std() / sqrt(N))) for value in t) / 4000


def interval_leaves_out(gaps: np.ndarray) -> float:
    means = [gaps[units].mean() for units in redrawn()]
    return min(1.0, 2 * min(sum(m <= 1e-12 for m in means), sum(m >= -1e-12 for m in means)) / 4000)


def figure_two(gaps: np.ndarray) -> float:
    sizes = np.array([abs(gaps[units].mean()) for units in redrawn()])
    return float(np.mean(sizes - sizes.mean() >= abs(gaps.mean()) - 1e-12))


def ranked(gaps: np.ndarray) -> float:
    return 1.0 if not gaps.any() else float(scipy.stats.wilcoxon(gaps, zero_method="pratt", method="approx").pvalue)


def ranked_without_ties(gaps: np.ndarray) -> float:
    return 1.0 if not gaps.any() else float(scipy.stats.wilcoxon(gaps[gaps != 0], method="approx").pvalue)


def signs(gaps: np.ndarray) -> float:
    up, down = (sum(1 for gap in gaps if side * gap > 0) for side in (1, -1))
    tail = sum(comb(up + down, k) for k in range(min(up, down) + 1)) / 2 ** (up + down)
    return float(min(1.0, 2 * tail)) if up + down else 1.0


BY_HAND: dict[str, Callable[[np.ndarray], float]] = {
    "ar": swapped,
    "jackknife-t": t_test,
    "ij-t": t_test,
    "t": t_test,
    "bootstrap-shift": shifted,
    "bootstrap-t": studentized,
    "bootstrap-ci": interval_leaves_out,
    "bootstrap-rm2005": figure_two,
    "wilcoxon": ranked,
    "wmt-wilcoxon": ranked_without_ties,
    "sign": signs,
}


@crossed("pair, name", ["clear", "close", "identical"], list(BY_HAND))
def test_the_verdict_is_what_the_test_says(name: str, pair: str) -> None:
    first, second = scores(pair)
    p = BY_HAND[name](first - second)
    # No pair is so near alpha that another's draws could decide otherwise.
    assert not 0.03 < p < 0.08
    one = Settings(test=name, n_resamples=DRAWS).family(statistics_of(pair))[0]
    decided = verdict(one)
    expected = "better" if p <= 0.05 else "not_significant"
    winner = (one.first if first.mean() > second.mean() else one.second) if expected == "better" else None
    assert (decided.word, decided.winner, decided.withheld_reason) == (expected, winner, None)
    if name == DEFAULTS["segment"].test:
        assert (one.default_verdict, one.default_winner) == (None, None)
    else:
        default = verdict(Settings(n_resamples=DRAWS).family(statistics_of(pair))[0])
        assert (one.default_verdict, one.default_winner) == (default.word, default.winner)


@pytest.mark.parametrize("pair", ["clear", "close", "identical"])
def test_koehns_criterion_is_a_share_of_resamples_and_no_p(pair: str) -> None:
    statistics = statistics_of(pair)
    settings = Settings(test="bootstrap-koehn", n_resamples=DRAWS, correction="bonferroni")
    one = settings.family(statistics)[0]
    wins = losses = 0
    for gap in resample(statistics, settings.bootstrap()).differences(np.array([0]), np.array([1]))[0]:
        wins += gap > 1e-9
        losses += gap < -1e-9
    winner = one.first if wins >= 0.95 * DRAWS else one.second if losses >= 0.95 * DRAWS else None
    decided = verdict(one)
    assert decided.winner == winner
    assert (decided.word == "better") == (winner is not None)
    assert all(isnan(value) for value in (one.p_value, one.p_adjusted))
    assert (TESTS["bootstrap-koehn"].anticonservative_reason in decided.caution) == (winner is not None)
    if winner:
        worded(verdict_text(one), f"{max(wins, losses) / DRAWS:.1%}", "95%")


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_koehns_criterion_is_the_level(level: float) -> None:
    one = Settings(test="bootstrap-koehn", n_resamples=DRAWS, level=level).family(statistics_of("clear"))[0]
    for wins, better in ((level, True), (level - 1 / DRAWS, False)):
        assert verdict(with_wins(one, wins)).word == ("better" if better else "not_significant")
        assert verdict(with_wins(one, 1 - wins)).winner == (one.second if better else None)


def with_wins(one: Comparison, wins: float) -> Comparison:
    return replace(one, bootstrap_win_rate=wins, tie_rate=0.0)


def texts(pair: str) -> Corpus:
    corpus = made_corpus(n=60, systems=1, documents=0)
    lines = corpus.lines("sys0")
    other = {
        "clear": ["nothing of this is right"] * 60,
        "close": [" ".join([*line.split()[1:], line.split()[0]]) if i < 2 else line for i, line in enumerate(lines)],
        "identical": list(lines),
    }[pair]
    return Corpus.of({"first": lines, "second": other}, corpus.references)


@crossed("flag, pair", ["bs", "ar"], ["clear", "close", "identical"])
def test_sacrebleus_verdict_is_that_of_the_p_which_it_prints(flag: str, pair: str) -> None:
    corpus = texts(pair)
    references = [list(lines) for lines in corpus.references.values()]
    bleu = BLEU(references=references)
    named = [(system, list(corpus.lines(system))) for system in ("first", "second")]
    _, printed = PairedTest(named, {"BLEU": bleu}, references=None, test_type=flag, n_samples=1000)()
    p = printed["BLEU"][1].p_value
    one = Settings(test=f"sacrebleu-{flag}", unit="segment", correction="none").family(measure(corpus, "bleu"))[0]
    if flag == "bs":
        assert one.p_value == pytest.approx(p)
    decided = verdict(one)
    ahead = one.difference != 0
    assert decided.word == ("better" if p <= 0.05 and ahead else "not_significant")
    assert ("does not mean that one is better" in decided.caution) == (p <= 0.05 and not ahead)


@pytest.mark.parametrize("name", list(TESTS))
def test_no_named_test_is_withheld_for_how_it_errs_or_how_few_units_there_are(name: str) -> None:
    if name in ("jackknife-t", "sacrebleu-bs", "sacrebleu-ar"):
        statistics = measure(texts("clear"), "bleu" if name.startswith("sacre") else "sentchrf")
    else:
        statistics = rated([scores("clear")[0][:12], scores("clear")[1][:12] - 2])
    one = Settings(test=name, n_resamples=DRAWS).family(statistics)[0]
    decided = verdict(one)
    assert (decided.word, decided.withheld) == ("better", None)


def test_the_matrix_marks_what_stands_with_a_caution() -> None:
    far = rated([*scores("clear"), scores("clear")[1] - 3])
    far = replace(far, document_of=np.arange(far.n))
    family = Settings(test="bootstrap-koehn", n_resamples=DRAWS).family(far)
    matrix = Matrix.of(family)
    for cell in matrix.cells:
        assert matrix.text(cell).endswith(CAUTION) == bool(verdict(cell.comparison).caution)
    worded(matrix.caption, CAUTION, f"{TESTS['bootstrap-koehn'].anticonservative_reason}")
    drawn = [trace.name for trace in matrix.screen().data]
    worded(drawn, CAUTION)
    without = Matrix.of(Settings(n_resamples=DRAWS).family(far))
    assert f"{CAUTION} with a caution" not in [trace.name for trace in without.screen().data]
    assert not any(without.text(cell).endswith(CAUTION) for cell in without.cells)


def test_tables_have_the_verdict_its_mark_and_the_default_beside_it() -> None:
    family = Settings(test="bootstrap-koehn", n_resamples=DRAWS).family(statistics_of("clear"))
    table = comparison_table(family)
    row = dict(zip(table.header, table.texts[0], strict=True))
    default = verdict(Settings(n_resamples=DRAWS).family(statistics_of("clear"))[0])
    assert row["verdict"] == f"{verdict(family[0]).words} {CAUTION}"
    assert row["by default"] == default.words
    assert "by default" not in comparison_table(Settings(n_resamples=DRAWS).family(statistics_of("clear"))).header


def test_the_headline_names_the_test_and_several_metrics_add_up() -> None:
    corpus = made_corpus(n=60, systems=3, documents=0)
    many = [measure(corpus, name) for name in ("bleu", "chrf", "ter")]
    worded(headline_text(Settings(test="bootstrap-koehn", n_resamples=200).families(many)), "Koehn's")
    apart, together = (Settings(n_resamples=200).families(many, joined=joined) for joined in (False, True))
    worded(families_text(apart), "3 metrics", "15%", "5%")
    assert families_text(together) == families_text(apart[:1]) == ""
    assert families_text(Settings(test="bootstrap-koehn", n_resamples=200).families(many)) == ""


@pytest.mark.parametrize(("p", "half"), [(0.0512, 0.004), (0.046, 0.0045), (0.0501, 0.004)])
def test_a_p_too_near_alpha_says_what_would_settle_it(p: float, half: float) -> None:
    one = Settings(n_resamples=DRAWS).family(statistics_of("clear"))[0]
    limits = {"p_value": p, "p_mc_low": p - half, "p_mc_high": p + half}
    near = replace(one, **limits, p_adjusted=p, p_adjusted_mc_low=p - half, p_adjusted_mc_high=p + half)
    decided = verdict(near)
    assert decided.withheld == "not settled"
    word, number = decided.flags.split()
    if word == "--resamples":
        # With so many draws the whole interval, twice as wide as its error alone, lies on one side of alpha.
        assert 2 * 1.96 * sqrt(p * (1 - p) / int(number)) <= abs(p - 0.05) * 1.01
    else:
        assert decided.flags == "--test jackknife-t"
        assert 2 * 1.96 * sqrt(p * (1 - p) / 1e7) > abs(p - 0.05)


def test_what_a_test_does_not_use_is_said() -> None:
    statistics = measure(texts("close"), "bleu")
    for settings, said in (
        (Settings(test="sacrebleu-bs", n_resamples=5000, unit="segment"), "Resamples (5000): not used:"),
        (Settings(test="bootstrap-koehn", correction="holm", n_resamples=100), "Correction (holm): not used: Koehn's"),
    ):
        assert any(note.text.startswith(said) for note in settings.family(statistics).notes)
    quiet = Settings(test="sacrebleu-bs", n_resamples=1000, unit="segment").family(statistics)
    assert not any("not used" in note.text for note in quiet.notes)
