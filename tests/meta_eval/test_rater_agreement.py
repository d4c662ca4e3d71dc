"""Agreement of raters, against other programs' numbers, definitions written out, and the design of the data."""

from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy
from agreement_oracles import oracles
from kept import worded

from mtsig.corpus import Corpus, RaterScores, Rating
from mtsig.errors import NotApplicable, UnknownName
from mtsig.inference._raters import compare_rater_scores
from mtsig.meta_eval import AGREEMENTS, agreement, leniency
from mtsig.meta_eval._rater_agreement import intra_rater
from mtsig.readers import assemble
from mtsig.readers._files import File
from mtsig.readers._read import parts_of
from mtsig.resampling import Bootstrap

FEW = Bootstrap(400)


@pytest.fixture(scope="module")
def oracle() -> dict[str, Any]:
    found: dict[str, Any] = oracles()["judges"]
    return found


def by_rater(rows: Any) -> RaterScores:
    """One system; rows are raters, columns segments, gaps None."""
    table = np.array(rows, dtype=np.float64)
    return RaterScores.of({f"rater {number}": row[None] for number, row in enumerate(table, 1)})


def by_unit(rows: Any) -> RaterScores:
    return by_rater(np.array(rows, dtype=np.float64).T)


@pytest.mark.parametrize(("metric", "kind"), [("interval", "alpha"), ("nominal", "alpha-nominal")])
def test_alpha_of_krippendorffs_own_example(oracle: dict[str, Any], metric: str, kind: str) -> None:
    case = oracle["Krippendorff's 4 x 12 example"][metric]
    found = agreement(by_rater(case["data"]), kind, scheme=FEW)
    assert found.value == pytest.approx(case["expected"], abs=case["tolerance"])
    # The twelfth segment has one rater alone.
    assert (found.outputs, found.raters, found.units) == (11, 4, 11)


def test_icc_and_its_intervals_as_pingouin_has_them(oracle: dict[str, Any]) -> None:
    case = oracle["ICC 40 x 3"]
    names = dict(zip(("ICC1", "ICC2", "ICC3", "ICC1k", "ICC2k", "ICC3k"), case["labels"], strict=True))
    for name, label in names.items():
        found = agreement(by_unit(case["data"]), label.lower(), scheme=FEW)
        assert found.label == label
        assert found.value == pytest.approx(case["expected"][name], abs=case["tolerance"])
        assert [found.theory_low, found.theory_high] == pytest.approx(case["ci95"][name], abs=0.0051)
    alpha = oracle["alpha interval 40 x 3"]
    assert agreement(by_unit(case["data"]), scheme=FEW).value == pytest.approx(alpha["expected"], abs=1e-9)


def test_kappas_as_other_programs_have_them(oracle: dict[str, Any]) -> None:
    case = oracle["alpha nominal 40 x 3, 1 to 5"]
    given = by_unit(case["data"])
    assert agreement(given, "alpha-nominal", scheme=FEW).value == pytest.approx(case["expected"], abs=1e-9)
    assert agreement(given, "fleiss", scheme=FEW).value == pytest.approx(oracle["Fleiss"]["expected"], abs=1e-9)
    for kind, key in (("kappa", "Cohen 1-2"), ("kappa-quadratic", "Cohen 1-2 quadratic")):
        found = agreement(given, kind, raters=["rater 1", "rater 2"], scheme=FEW)
        assert found.value == pytest.approx(oracle[key]["expected"], abs=1e-9)
    with pytest.raises(NotApplicable, match="two raters"):
        agreement(given, "kappa", scheme=FEW)
    with pytest.raises(UnknownName):
        agreement(given, raters=["nobody"], scheme=FEW)


def test_two_programs_as_raters_of_a_real_set(oracle: dict[str, Any], shared: Path) -> None:
    tables = [
        [line.split("\t") for line in (shared / f"data/wmt25-ja-zh/metrics/{name}.seg.tsv").read_text().splitlines()]
        for name in ("GEMBA-ESA-CMDA", "GEMBA-ESA-GPT4.1")
    ]
    assert tables[0][0] == tables[1][0]
    cells = [[cell for row in table[1:] for cell in row[2:]] for table in tables]
    scores = [[np.nan if cell in {"", "None"} else float(cell) for cell in own] for own in cells]
    given = by_rater(scores)
    case = oracle["two GEMBA judges, wmt25-ja-zh, 13,694 outputs"]
    few = Bootstrap(10)
    assert agreement(given, scheme=few).value == pytest.approx(case["alpha interval"]["expected"], abs=1e-9)
    for name, kind in (("ICC1", "icc(1,1)"), ("ICC2", "icc(a,1)"), ("ICC3", "icc(c,1)")):
        assert agreement(given, kind, scheme=few).value == pytest.approx(case["ICC"]["expected"][name], abs=1e-6)


def alpha_written_out(rows: list[list[float]], apart: Callable[[float, float], float]) -> float:
    several = [row for row in rows if len(row) > 1]
    pooled = [value for row in several for value in row]
    observed = sum(sum(apart(x, y) for x, y in permutations(row, 2)) / (len(row) - 1) for row in several)
    return 1 - observed * (len(pooled) - 1) / sum(apart(x, y) for x, y in permutations(pooled, 2))


def test_alpha_is_what_its_definition_says_with_systems_gaps_and_several_raters() -> None:
    random = np.random.default_rng(3)
    values = {f"j{rater}": np.round(random.normal(size=(3, 8)), 1) for rater in range(5)}
    for own in values.values():
        own[random.random(own.shape) < 0.6] = np.nan
    given = RaterScores.of(values)
    rows = [[float(own[cell]) for own in values.values() if not np.isnan(own[cell])] for cell in np.ndindex(3, 8)]
    found = agreement(given, scheme=FEW)
    assert found.value == pytest.approx(alpha_written_out(rows, lambda x, y: (x - y) ** 2), abs=1e-12)
    nominal = agreement(given, "alpha-nominal", scheme=FEW)
    assert nominal.value == pytest.approx(alpha_written_out(rows, lambda x, y: float(x != y)), abs=1e-12)
    shifted = RaterScores.of({name: own + 1e6 for name, own in values.items()})
    assert agreement(shifted, scheme=FEW).value == pytest.approx(found.value, abs=1e-7)


def test_fleiss_as_statsmodels_has_it() -> None:
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    rows = np.random.default_rng(8).integers(0, 4, size=(30, 5))
    counts, _ = inter_rater.aggregate_raters(rows)
    assert agreement(by_unit(rows), "fleiss", scheme=FEW).value == pytest.approx(inter_rater.fleiss_kappa(counts))
    two = by_unit(rows[:, :2])
    table = scipy.stats.contingency.crosstab(rows[:, 0], rows[:, 1]).count
    assert agreement(two, "kappa", scheme=FEW).value == pytest.approx(
        inter_rater.cohens_kappa(table, return_results=False)
    )
    weighted = inter_rater.cohens_kappa(table, wt="quadratic", return_results=False)
    assert agreement(two, "kappa-quadratic", scheme=FEW).value == pytest.approx(weighted)


def test_segments_are_redrawn_with_all_their_systems_and_raters() -> None:
    random = np.random.default_rng(4)
    values = {f"j{rater}": random.normal(size=(4, 12)) for rater in range(2)}
    given = RaterScores.of(values)
    found = agreement(given, scheme=FEW)
    draws = []
    for weights in FEW.blocks(12):
        for row in weights.astype(int):
            drawn = given.take(np.repeat(np.arange(12), row))
            cells = drawn.segment.astype(int) * 4 + drawn.system
            rows = [drawn.value[cells == cell].tolist() for cell in np.unique(cells)]
            draws.append(_alpha_of(rows))
    assert [found.ci_low, found.ci_high] == pytest.approx(np.quantile(draws, [0.025, 0.975]).tolist(), abs=1e-9)


def _alpha_of(rows: list[list[float]]) -> float:
    pooled = np.concatenate([np.array(row) for row in rows])
    observed = sum(2 * len(row) * np.var(row, ddof=1) for row in rows)
    return float(1 - observed / (2 * len(pooled) * np.var(pooled, ddof=1)))


def test_documents_are_redrawn_where_there_are_ten() -> None:
    given = by_rater(np.random.default_rng(6).normal(size=(2, 40)))
    found = agreement(given, documents=[f"d{i // 4}" for i in range(40)], scheme=FEW)
    assert (found.unit, found.units) == ("document", 10)
    assert agreement(given, documents=[f"d{i // 8}" for i in range(40)], scheme=FEW).unit == "segment"


@pytest.mark.parametrize("kind", sorted(AGREEMENTS))
def test_equal_ratings_leave_nothing_to_agree_about(kind: str) -> None:
    given = by_rater([[3.0] * 6, [3.0] * 6])
    found = agreement(given, kind, scheme=FEW)
    assert np.isnan(found.value)
    worded(found.warning)


def test_what_a_design_cannot_carry_is_refused() -> None:
    alone = RaterScores.of({"Ann": np.array([[1.0, np.nan]]), "Bo": np.array([[np.nan, 2.0]])})
    with pytest.raises(NotApplicable, match="No output was rated by two raters"):
        agreement(alone, scheme=FEW)
    changing = by_rater([[1, 2, None, 3], [2, None, 1, 1], [None, 4, 3, 2]])
    with pytest.raises(NotApplicable, match="same number of raters"):
        agreement(changing, "fleiss", scheme=FEW)
    turns = by_rater([[1, 2, None], [2, None, 1], [None, 4, 3]])
    with pytest.raises(NotApplicable, match="same raters"):
        agreement(turns, "icc(a,1)", scheme=FEW)
    assert np.isfinite(agreement(turns, "icc(1,1)", scheme=FEW).value)
    with pytest.raises(NotApplicable, match="categories"):
        agreement(by_rater(np.random.default_rng(1).normal(size=(2, 200))), "alpha-nominal", scheme=FEW)


def test_a_rater_against_herself() -> None:
    given = RaterScores.of({"Ann": np.array([[1.0, 2, 3]])}, {("Ann", 0, 0): (1.0, 2.0), ("Ann", 0, 2): (3.0, 3.0)})
    found = intra_rater(given, "Ann", scheme=FEW)
    assert found.outputs == 2
    assert found.value == pytest.approx(alpha_written_out([[1, 2], [3, 3]], lambda x, y: (x - y) ** 2))
    # A rater who saw an output twice is still one rater.
    with pytest.raises(NotApplicable, match="two raters"):
        agreement(given, scheme=FEW)
    with pytest.raises(NotApplicable, match="rated no output twice"):
        intra_rater(RaterScores.of({"Ann": np.array([[1.0, 2, 3]])}), "Ann", scheme=FEW)


def test_intervals_of_alpha_hold_where_segments_are_redrawn() -> None:
    """Coverage of the percentile interval on 60 segments whose difficulty all systems share."""
    systems, segments, raters, holds, sets = 3, 60, 2, 0, 120
    # Variances: segment 1, output .5, rating 1; α is the share that two raters have in common.
    truth = 1.5 / 2.5
    for seed in range(sets):
        random = np.random.default_rng(1000 + seed)
        common = random.normal(size=(1, segments)) + np.sqrt(0.5) * random.normal(size=(systems, segments))
        given = RaterScores.of({f"j{j}": common + random.normal(size=common.shape) for j in range(raters)})
        found = agreement(given, scheme=Bootstrap(200))
        holds += found.ci_low <= truth <= found.ci_high
    # At least .88 are covered: below this share of 120 sets, fewer than one in a thousand fall.
    assert scipy.stats.binom.cdf(holds, sets, 0.88) > 1e-3


@pytest.fixture(scope="module")
def ted(shared: Path) -> Corpus:
    folder = shared / "data/wmt21-ted-zh-en"
    files = {"docids.txt": folder / "docids.txt", "mqm.tsv": folder / "human/raw/mqm_ted_zhen.6systems.tsv"}
    return assemble(parts_of([File(name, path.read_bytes()) for name, path in files.items()]))


def _mqm(corpus: Corpus) -> Rating:
    return corpus.ratings["mqm"]


def test_one_rater_an_output_tells_no_agreement(ted: Corpus) -> None:
    rating = _mqm(ted)
    assert rating.rater_scores is not None
    assert len(rating.rater_scores) == 3174 == np.count_nonzero(~np.isnan(rating.values))
    with pytest.raises(NotApplicable, match="No output was rated by two raters"):
        agreement(rating.rater_scores)


def test_but_how_severe_they_are_or_why_that_cannot_be_told(ted: Corpus) -> None:
    rater_scores = _mqm(ted).rater_scores
    assert rater_scores is not None
    found = leniency(rater_scores, list(ted.systems), documents=ted.documents, scheme=Bootstrap(200))
    assert sum(one.leniency for one in found.levels) == pytest.approx(0, abs=1e-9)
    assert sum(one.ratings for one in found.levels) == 3174


def test_verdicts_for_other_raters_are_no_surer_than_for_these(ted: Corpus) -> None:
    rater_scores = _mqm(ted).rater_scores
    assert rater_scores is not None
    found = compare_rater_scores(rater_scores, list(ted.systems), documents=ted.documents, within="segment")
    assert len(found) == 15
    assert np.isfinite(found.p_value).all()
    if found.others is not None:
        known = ~np.isnan(found.others.standard_error)
        assert (found.others.standard_error[known] >= found.standard_error[known]).all()
