"""Error spans: to the digits of WMT25's script and of the definition, with baselines, ceiling and what is refused."""

import time
from collections import Counter
from itertools import permutations
from typing import Literal

import numpy as np
import pytest
from golden.oracles import known_answers
from kept import worded

from mtsig import Corpus, Rating, verdict
from mtsig._probability import satterthwaite_df, t_quantile
from mtsig.campaign import span_agreement
from mtsig.campaign._spans import Span, Sums, _Summing, by_characters, by_matching, placed, scores, spans_text
from mtsig.corpus import ErrorSpan, RaterScores, with_errors
from mtsig.corpus._annotations import Marking, errors_of
from mtsig.errors import InvalidOption, NotApplicable


def test_sums_and_standard_errors_are_those_of_the_scripts() -> None:
    known = known_answers("preferences")["spans"]
    items = known["input"]["items"]
    gold, predicted = (
        [[Span("output", *span) for span in item[side]] for item in items] for side in ("gold", "predicted")
    )
    document = np.array([item["document"] for item in items])
    for measure, penalty, key in (
        ("w25", 0.0, "w25_char_f1_credit_.5"), ("mpp", 0.0, "mpp_severity_penalty_0"),
        ("mpp", 0.5, "mpp_severity_penalty_.5"),
    ):  # fmt: skip
        by = _Summing(measure, penalty, [{"": spans} for spans in gold], [item["length"] for item in items], document)
        sums = by.sums(predicted)
        found = scores(sums.sum(axis=1)[:, None])[:, 0]
        assert found == pytest.approx([known[key][name] for name in ("precision", "recall", "f1")], abs=1e-9)
        f, without, _ = by.spread(sums)
        error = np.sqrt(2 / 3 * np.square(without - f).sum())
        if not penalty:
            assert error == pytest.approx(known["jackknife_over_documents_f1_se"][measure], abs=1e-9)
    by = _Summing("w25", 0.0, [{"": spans} for spans in gold], [item["length"] for item in items], document)
    np.testing.assert_allclose(
        by.sums(predicted).T[:, [0, 3, 1]], known["w25_char_f1_credit_.5"]["per_item_tp_gold_pred"]
    )


def _optimal(gold: list[Span], predicted: list[Span]) -> list[tuple[float, float]]:
    """Return the credits of all one-to-one matchings with the largest Σ 2o/(l₁ + l₂), gone through one by one."""
    small, large = sorted((gold, predicted), key=len)
    found = []
    for chosen in permutations(large, len(small)):
        pairs = [(a, b) if small is gold else (b, a) for a, b in zip(small, chosen, strict=True)]
        common = [
            (max(0, min(a.end, b.end) - max(a.start, b.start)), a.end - a.start, b.end - b.start) for a, b in pairs
        ]
        value = sum(2 * o / (own + other) for o, own, other in common)
        found.append((value, sum(o / other for o, _, other in common), sum(o / own for o, own, _ in common)))
    best = max(value for value, _, _ in found)
    return [(ours, theirs) for value, ours, theirs in found if value > best - 1e-12]


def test_the_matching_is_the_best_of_all() -> None:
    random = np.random.default_rng(1)
    for _ in range(60):
        sides = []
        for size in random.integers(1, 5, size=2):
            starts, lengths = random.integers(0, 20, size=size), random.integers(1, 9, size=size)
            sides.append([Span("output", int(a), int(a + n), "minor") for a, n in zip(starts, lengths, strict=True)])
        gold, predicted = sides
        found = by_matching(gold, predicted)
        own = found.credit_predicted, found.credit_gold
        assert any(own == pytest.approx(optimal) for optimal in _optimal(gold, predicted))
    same = [Span("output", 0, 4, "major"), Span("output", 6, 9, "minor")]
    assert by_matching(same, same) == Sums(2.0, 2, 2.0, 2)
    assert by_matching(same, [Span("source", 0, 4, "major")]) == Sums(0.0, 1, 0.0, 2)
    assert by_characters(same, [], 10) == Sums(0.0, 0.0, 0.0, 7.0)
    marked = placed([ErrorSpan("r", "", "", "Critical", "output", 0, 2), ErrorSpan("r", "", "", "minor", "missing")])
    assert marked == [Span("output", 0, 2, "major")]


TEXT = "a line of forty characters, as it is long"


def made(*, annotators: int = 2, documents: int = 12) -> Corpus:
    """Return outputs with errors: annotators find most of them, one detector too, and another marks at random."""
    random = np.random.default_rng(2)
    n = documents * 3
    markings, given = [], {f"a{number}": np.full((1, n), 50.0) for number in range(annotators)}
    for segment in range(n):
        true = [(int(start), int(start) + 5) for start in random.choice([0, 8, 16, 24, 32], 2, replace=False)]

        def mark(rating: str, rater: str, spans: list[tuple[int, int]], segment: int = segment) -> None:
            for start, end in spans:
                markings.append(Marking("A", segment, ErrorSpan(rating, rater, "", "minor"), None, start, end))

        for name in given:
            mark("esa", name, [(a, b) for a, b in true if random.random() < 0.8])
        mark("good", "", [(a + 1, b) for a, b in true if random.random() < 0.8])
        mark("bad", "", [(int(a), int(a) + 5) for a in random.integers(0, 35, size=2)])
    scores_of = {name: Rating(np.full((1, n), 1.0), higher_is_better=True) for name in ("good", "bad")}
    esa = Rating(np.full((1, n), 50.0), higher_is_better=True, rater_scores=RaterScores.of(given))
    corpus = Corpus.of({"A": [TEXT] * n}, ratings={"esa": esa, **scores_of},
                       documents=[f"d{number // 3}" for number in range(n)])  # fmt: skip
    return with_errors(corpus, markings)


def test_detectors_stand_next_to_baselines_and_the_annotators_ceiling() -> None:
    found = span_agreement(made(), "esa", ["good", "bad"])
    rows = {row.name: row for row in found.records}
    assert [row.role for row in found.records] == ["detector"] * 2 + ["baseline"] * 4 + ["ceiling"]
    (random_like_bad,) = [row for row in found.records if row.role == "baseline" and row.name.endswith("like bad")]
    assert (rows["marks nothing"].precision, rows["marks nothing"].f) == (1.0, 0.0)
    assert rows["good"].f > rows["bad"].f
    assert abs(rows["bad"].f - random_like_bad.f) < 0.1
    assert rows["good"].ci_low < rows["good"].f < rows["good"].ci_high
    assert rows["another annotator"].f > rows["bad"].f
    assert found.family is not None
    assert verdict(found.family[0]).winner == "good"
    assert found.family.difference[0] == pytest.approx(100 * (rows["good"].f - rows["bad"].f))
    assert found.below is not None
    assert [(row.first, row.second) for row in found.below] == [
        ("good", "another annotator"), ("bad", "another annotator")
    ]  # fmt: skip
    assert "One annotator reaches" in spans_text(found)
    assert found.family[0].units == 12


def test_without_a_second_annotator_there_is_no_ceiling_and_without_spans_nothing() -> None:
    corpus = made(annotators=1)
    found = span_agreement(corpus, "esa", ["good"], "w25")
    assert found.family is None
    assert found.below is None
    assert "no ceiling" in found.notes[0].text
    assert "One annotator reaches" not in spans_text(found)
    bare = Corpus.of({"A": [TEXT] * 4}, ratings={"esa": Rating(np.ones((1, 4)), True)})
    with pytest.raises(NotApplicable, match="esa has no error spans"):
        span_agreement(bare, "esa", ["esa"])
    with pytest.raises(InvalidOption, match="mpp or w25"):
        span_agreement(corpus, "esa", ["good"], "f1")  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match="between 0 and 1"):
        span_agreement(corpus, "esa", ["good"], penalty=2)


def _by_hand(gold: list[ErrorSpan], predicted: list[ErrorSpan], measure: str) -> tuple[float, int, float, int]:
    """Return an output's sums as WMT25's rule and Perrella et al. define them, by other means than the program's."""
    sides = []
    for errors in (gold, predicted):
        known = [error for error in errors if error.severity.lower() in ("minor", "major", "critical")]
        ends = [(error.start or 0, error.end or 0, error.severity.lower() != "minor") for error in known]
        sides.append([(a, z, major) for a, z, major in ends if a < z])
    if measure == "w25":
        credit = 0.0
        counted = [Counter((at, major) for a, z, major in side for at in range(a, z)) for side in sides]
        for at in range(len(TEXT)):
            own, other = ([side[at, True], side[at, False]] for side in counted)
            same = [min(x, y) for x, y in zip(own, other, strict=True)]
            credit += sum(same) + 0.5 * min(sum(own) - sum(same), sum(other) - sum(same))
        return credit, counted[1].total(), credit, counted[0].total()
    spans = [[Span("output", a, z, "minor") for a, z, _ in side] for side in sides]
    ours, theirs = max(_optimal(*spans)) if all(spans) else (0.0, 0.0)
    return ours, len(spans[1]), theirs, len(spans[0])


@pytest.mark.parametrize("measure", ["mpp", "w25"])
def test_agreement_is_that_of_a_program_of_a_few_lines(measure: Literal["mpp", "w25"]) -> None:
    """Two annotators, overlapping and empty spans, every severity: F, its interval by documents, and the ceiling."""
    random, n, raters = np.random.default_rng(5), 36, ("a0", "a1")
    severities = ["minor", "Major", "critical", "neutral", "undecided", "no-error"]
    spans: dict[tuple[str, int], list[ErrorSpan]] = {}
    for segment in range(n):
        for rating, rater in (("esa", "a0"), ("esa", "a1"), ("auto", "")):
            ends = np.cumsum(random.integers(0, [9, 9, 13, 9]))
            pairs = [(ends[0], ends[2]), (ends[1], ends[3]), (ends[2], ends[2])][: random.integers(4)]
            spans[rater, segment] = [
                ErrorSpan(rating, rater, "", severities[random.integers(6)], "output", int(a), int(z)) for a, z in pairs
            ]
    given = {name: np.full((1, n), 50.0) for name in raters}
    esa = Rating(np.full((1, n), 50.0), higher_is_better=True, rater_scores=RaterScores.of(given))
    ratings = {"esa": esa, "auto": Rating(np.ones((1, n)), higher_is_better=True)}
    corpus = Corpus.of({"A": [TEXT] * n}, ratings=ratings, documents=[f"d{i // 3}" for i in range(n)])
    marks = [Marking("A", at, error, None, error.start, error.end) for (_, at), own in spans.items() for error in own]
    found = span_agreement(with_errors(corpus, marks), "esa", ["auto"], measure)

    def f(rows: np.ndarray) -> float:
        credit, predicted, credit_gold, gold = rows.sum(axis=0)
        precision, recall = credit / predicted, credit_gold / gold
        return float(2 * precision * recall / (precision + recall))

    pairs_of = {"auto": [("a0", ""), ("a1", "")], "another annotator": [raters, raters[::-1]]}
    rows = {row.name: row for row in found.records}
    for name, pairs in pairs_of.items():
        sums = [[_by_hand(spans[gold, at], spans[other, at], measure) for gold, other in pairs] for at in range(n)]
        of_documents = np.mean(sums, axis=1).reshape(12, 3, 4).sum(axis=1)
        total = f(of_documents)
        without = np.array([f(np.delete(of_documents, at, axis=0)) for at in range(12)])
        error = np.sqrt(11 / 12 * np.sum(np.square(without - total)))
        half = error * t_quantile(0.975, satterthwaite_df(of_documents[:, 3]))
        ends = [rows[name].f, rows[name].ci_low, rows[name].ci_high]
        assert ends == pytest.approx([total, max(0, total - half), min(1, total + half)])
    for note, name in zip(found.notes, ("esa", "auto"), strict=True):
        every = [error for own in spans.values() for error in own if error.rating == name]
        left = sum(error.severity in severities[3:] or error.start == error.end for error in every)
        worded(note.text, name, f"{left} errors")


def test_many_segments_and_many_spans_cost_what_they_hold() -> None:
    number, error = 60_000, ErrorSpan("mqm", "r", "", "minor")
    marked = [Marking("A", 0, error, "x y", 0, 3), Marking("A", 1, error, "x y", 0, 10**15)]
    began = time.process_time()
    corpus = with_errors(Corpus.of({"A": ["x y"] * number, "B": ["x"] * number}), marked)
    found = [(one.start, one.end) for name in "AB" for i in range(number) for one in errors_of(corpus, name, i)]
    assert time.process_time() - began < 3
    assert found == [(0, 3), (None, None)]
    spans = [Span("output", 0, 3, "minor")] * 300
    with pytest.raises(NotApplicable, match="300 spans in one output are too many"):
        by_matching(spans, spans)
