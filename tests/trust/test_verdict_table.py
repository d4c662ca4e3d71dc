"""People's verdicts against a metric's: every pair has its place, and the chance line is what independence gives."""

from pathlib import Path

import numpy as np
import pytest

import mtsig
from mtsig.corpus import Corpus, Rating
from mtsig.errors import NotApplicable
from mtsig.figures import VerdictMarks
from mtsig.inference import Settings, verdict
from mtsig.metrics import measure
from mtsig.report import verdict_pairs_table
from mtsig.trust import Judged
from mtsig.trust.verdicts import SAID, PairVerdict, VerdictTable, side_by_side, verdict_table

FEW = Settings(draws=500)


def _corpus(people: list[float], program: list[float], segments: int = 200) -> Corpus:
    random = np.random.default_rng(1)
    ratings = {
        name: Rating(np.array(means)[:, None] + random.normal(size=(len(means), segments)), higher_is_better=True)
        for name, means in (("people", people), ("m", program))
    }
    return Corpus.of({f"s{number}": None for number in range(len(people))}, ratings=ratings)


def test_every_kind_of_pair_is_told() -> None:
    corpus = _corpus([0, 0, 3, 6], [0, 3, 0, 9])
    judged = Judged.of(corpus, "rating:people", ["rating:m"])
    table = verdict_table(judged, "m", FEW)
    said = {(one.first, one.second): one.said for one in table.pairs}
    equal = next(pair for pair in said if set(pair) == {"s0", "s1"})
    assert said == {
        ("s2", "s1"): "both, contrary",
        ("s3", "s0"): "both, same",
        ("s3", "s1"): "both, same",
        ("s3", "s2"): "both, same",
        ("s2", "s0"): "people only",
        equal: "metric only",
    }
    # Of each kind the pairs of the best by people come first, each with the better first.
    assert list(said)[1] == ("s3", "s2")
    assert all(pair.human_difference > 0 for pair in table.pairs)
    assert [one.said for one in table.pairs] == sorted((one.said for one in table.pairs), key=SAID.index)
    first = table.pairs[0]
    assert first.metric_difference < 0 < first.human_difference
    missed = next(one for one in table.pairs if one.said == "metric only")
    # People's ratings would have shown a difference of about 2.8 standard errors, more for the correction.
    assert 0.2 < missed.human_detectable < 0.6


def test_verdicts_are_the_librarys_own_however_pairs_are_turned() -> None:
    corpus = _corpus([0, 1, 3, 3.1], [1, 0, 3, 2])
    human, metric = (FEW.family(measure(corpus, name)) for name in ("rating:people", "rating:m"))
    turned = metric.turned(0).turned(3)
    plain, other = side_by_side(human, metric), side_by_side(human, turned)
    assert plain.rows() == other.rows()
    for one in plain.pairs:
        winners = [verdict(family[family.find(one.first, one.second) or 0]).winner for family in (human, metric)]
        assert (one.said == "both, contrary") == (None not in winners and winners[0] != winners[1])
        assert (one.said in {"both, same", "people only", "both, contrary"}) == (winners[0] is not None)


def test_undecided_is_neither_of_the_others() -> None:
    corpus = _corpus([0, 3, 6], [0, 3, 6])
    human = Settings(draws=500).family(measure(corpus, "rating:people")).changed(doubt="nobody knows who rated")
    metric = FEW.family(measure(corpus, "rating:m"))
    table = side_by_side(human, metric)
    assert {one.said for one in table.pairs} == {"undecided"}
    counts = {one.said: one for one in table.counts}
    assert counts["undecided"].pairs == 3
    assert all(np.isnan(one.by_chance) for one in table.counts)


def test_the_chance_line_is_that_of_independent_verdicts() -> None:
    nothing = (0.0,) * 9
    kinds = ["both, same"] * 9 + ["both, contrary"] * 13 + ["people only"] * 6 + ["metric only"] * 2
    kinds += ["neither"] * 4 + ["undecided"] * 2
    table = VerdictTable("mqm", "chrF", tuple(PairVerdict("a", "b", kind, *nothing) for kind in kinds))  # type: ignore[arg-type]
    counts = {one.said: one for one in table.counts}
    # 34 decided pairs, 28 separated by people and 24 by the metric.
    assert counts["both, same"].by_chance == counts["both, contrary"].by_chance == pytest.approx(28 * 24 / 34 / 2)
    assert counts["people only"].by_chance == pytest.approx(28 * 10 / 34)
    assert counts["metric only"].by_chance == pytest.approx(6 * 24 / 34)
    assert counts["neither"].by_chance == pytest.approx(6 * 10 / 34)
    decided = [one for one in table.counts if one.said != "undecided"]
    assert sum(one.by_chance for one in decided) == pytest.approx(34)
    assert sum(one.pairs for one in table.counts) == 36
    # The verdicts shuffled against each other give these numbers in the mean.
    random = np.random.default_rng(2)
    people = np.array([1] * 28 + [0] * 6)
    program = np.array([1] * 24 + [0] * 10)
    both = [int((people * random.permutation(program)).sum()) for _ in range(4000)]
    assert np.mean(both) == pytest.approx(28 * 24 / 34, abs=0.1)


def test_pairs_of_one_family_alone_are_left_out_by_name() -> None:
    corpus = _corpus([0, 1, 3], [1, 0, 3])
    human = FEW.family(measure(corpus, "rating:people"))
    metric = FEW.family(measure(corpus, "rating:m"), [("s0", "s1")])
    table = side_by_side(human, metric)
    assert len(table.pairs) == 1
    assert table.left_out == (("s2", "s1"), ("s2", "s0"))
    other = FEW.family(measure(corpus, "rating:m"), [("s0", "s2")])
    with pytest.raises(NotApplicable, match="no pair"):
        side_by_side(FEW.family(measure(corpus, "rating:people"), [("s0", "s1")]), other)


def test_a_real_metric_contradicts_people_on_human_translations(shared: Path) -> None:
    corpus = mtsig.read(shared / "data/wmt20-en-de-scores")
    judged = Judged.of(corpus, "rating:mqm", ["rating:chrF-newstest2020"], humans="include")
    table = verdict_table(judged, "chrF-newstest2020", Settings(draws=300))
    counts = {one.said: one.pairs for one in table.counts}
    assert sum(counts.values()) == 36
    contrary = [one for one in table.pairs if one.said == "both, contrary"]
    assert contrary
    assert all("Human" in one.first + one.second or "Online-A" in one.first + one.second for one in contrary)


def test_differences_have_the_decimals_of_the_scores_that_they_are_of() -> None:
    rng = np.random.default_rng(1)
    people = 10 * (np.arange(4)[:, None] + rng.normal(size=(4, 40)))
    ratings = {"esa": Rating(people, True), "near": Rating((people + rng.normal(size=(4, 40))) / 1000, True)}
    judged = Judged.of(Corpus.of(dict.fromkeys("ABCD"), ratings=ratings), "rating:esa", ["rating:near"])
    found = verdict_table(judged, "near", Settings(draws=200))
    assert (found.human_decimals, found.metric_decimals) == (2, 4)
    decimals = {column.title: column.decimals for column in verdict_pairs_table(found).columns}
    assert (decimals["Δ esa"], decimals["Δ near"]) == (2, 4)
    (line, *_) = [item for trace in VerdictMarks.of(found).screen().data for item in trace.hovertext or ()]
    assert [len(part.partition(".")[2]) for part in line.split("<br>")[1:3]] == [4, 2]
