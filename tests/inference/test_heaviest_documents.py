"""One document that carries a pair's spread: its share, what is said of it, and the bound with one more like it."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.stats
from kept import worded
from made import made_corpus, rated

from mtsig import Corpus, Rating, Settings, compare, measure
from mtsig._say import UNEVEN, heaviest_text, turned_texts
from mtsig.cli import main
from mtsig.errors import InvalidOption
from mtsig.gate import judge
from mtsig.inference import Family
from mtsig.inference._margins import one_more_document, uneven, within
from mtsig.inference._targets import heaviest_share
from mtsig.report import verdict_text
from mtsig.report._gate import gate_texts
from mtsig.report._tables import margin_table

PAIR = [("A", "B")]


def scores(heavy: float, documents: int = 12) -> np.ndarray:
    rng = np.random.default_rng(3)
    first = rng.normal(0.6, 0.5, (documents, 4))
    first[4] += heavy
    return np.array([first.ravel(), np.zeros(4 * documents)])


def family(heavy: float, documents: int = 12, **settings: object) -> Family:
    made = rated(scores(heavy, documents), documents=np.repeat(np.arange(documents), 4))
    return Settings(**settings).family(made, PAIR)  # type: ignore[arg-type]


def test_the_share_is_that_of_plain_loops() -> None:
    share, at = heaviest_share(np.array([0.9, -0.2, 0.1, 0.3, -0.15, 0.05, -0.4, 0.2, 0.1, -0.1]))
    assert (share, at) == (pytest.approx(0.6778242678), 0)


def test_the_share_is_what_leaving_documents_out_really_does() -> None:
    (comparison,) = family(5.0)
    values = scores(5.0)[0].reshape(12, 4)
    left_out = np.array([np.delete(values, d, axis=0).mean() for d in range(12)])
    squares = np.square(left_out - values.mean())
    assert comparison.heaviest_share == pytest.approx(squares.max() / squares.sum())
    assert (comparison.heaviest, comparison.without_heaviest) == ("number 5", pytest.approx(left_out[4]))
    assert comparison.turned.without_heaviest == pytest.approx(-left_out[4])
    assert np.isnan(family(5.0, unit="segment")[0].heaviest_share)


def test_from_one_half_on_it_is_named_and_nothing_is_withheld() -> None:
    (heavy,), (light,) = family(5.0), family(0.0)
    worded(verdict_text(heavy), "5", f"{heavy.heaviest_share:.0%}")
    assert heaviest_text(light) == ""
    assert heaviest_text(replace(light, heaviest_share=0.5)) != ""
    # It changes no verdict.
    assert verdict_text(heavy).split(")")[0] == verdict_text(replace(heavy, heaviest_share=0.1)).split(")")[0]


@pytest.mark.parametrize("metric", ["chrf", "ter"])
def test_what_is_said_without_the_document_is_what_the_rest_scores(metric: str) -> None:
    text = made_corpus(n=160, systems=2, documents=0)
    strong, weak = (text.lines(name) for name in text.systems)
    documents = ["big"] * 100 + [f"d{i // 5}" for i in range(60)]
    outputs = {"A": [*strong[:100], *weak[100:]], "B": [*weak[:100], *strong[100:]]}
    rest = Corpus.of({name: lines[100:] for name, lines in outputs.items()}, {"r": text.references["ref0"][100:]})
    scores = measure(rest, metric).scores
    points = abs(scores[0] - scores[1])
    assert (scores[0] < scores[1]) == (metric == "chrf")
    corpus = Corpus.of(outputs, {"r": text.references["ref0"]}, documents=documents)
    (pair,) = compare(corpus, metric, unit="document").comparisons
    assert (pair.heaviest, pair.difference > 0) == ("big", True)
    for seen in (pair, pair.turned):  # a lower TER is better: no difference of the two in the order of their names
        assert f"Without it, B scores {points:.2f} {pair.metric} better than A." in heaviest_text(seen)
        assert turned_texts(seen)[1].endswith("B is ahead.")


def test_a_document_without_which_the_other_is_ahead_belongs_to_the_verdict() -> None:
    (heavy,) = family(5.0)
    assert heavy.difference > 0
    for without, ahead in ((heavy.difference, ""), (-0.1, "B")):
        one = replace(heavy, without_heaviest=without, first="A", second="B", heaviest="d1")
        full, brief = turned_texts(one)
        assert bool(full) == bool(brief) == bool(ahead)
        if ahead:
            assert full == heaviest_text(one)
            worded(brief, "d1", ahead)
            assert turned_texts(one.turned)[1] == brief
    assert turned_texts(replace(heavy, without_heaviest=-0.1, heaviest_share=0.4)) == ("", "")


@pytest.mark.parametrize("lacking", [False, True])
def test_it_is_named_by_its_id_wherever_ids_are_known(lacking: bool) -> None:
    values = np.vstack([scores(5.0), scores(0.0)[:1]])
    if lacking:
        values[2, :8] = np.nan  # its pairs have two documents less, and other numbers
    names = [f"news/{'zyxwvutsrqpo'[i // 4]}" for i in range(48)]
    corpus = Corpus.of(dict.fromkeys("ABC"), ratings={"r": Rating(values, True)}, documents=names)
    found = Settings(n_resamples=200).family(measure(corpus, "rating:r"))
    assert {one.heaviest for one in found if one.heaviest_share > 0.5} == {"news/v"}
    (one,) = (one for one in found if (one.first, one.second) == ("A", "C"))
    assert one.units == (10 if lacking else 12)
    worded(verdict_text(one), "news/v", f"{one.heaviest_share:.0%}")
    study = compare(corpus, metrics=["rating:r"], n_resamples=200)
    assert {row["heaviest"] for row in study.rows()} >= {"news/v"}


@pytest.mark.parametrize(("heavy", "documents", "due"), [(5.0, 40, True), (0.0, 40, False), (0.0, 12, True)])
def test_one_sided_claims_on_documents_of_unequal_weight_say_how_often_they_erred(
    heavy: float, documents: int, due: bool
) -> None:
    (two_sided,) = family(heavy, documents)
    (one_sided,) = family(heavy, documents, alternative="greater")
    assert uneven(two_sided.unit, two_sided.heaviest_share, two_sided.df) == due
    assert UNEVEN not in verdict_text(two_sided)
    assert verdict_text(one_sided).endswith(UNEVEN) == due
    assert within(two_sided, 1.0, both=False).uneven == due
    assert not uneven("segment", 0.9, 5.0)


def test_tables_of_margins_say_it_once() -> None:
    from mtsig.inference._margins import against_margin

    heavy, light = (margin_table(against_margin(family(size, 40), 1.0, both=False)).caption for size in (5.0, 0.0))
    assert (heavy.count(UNEVEN), light.count(UNEVEN)) == (1, 0)


def test_the_bound_with_one_more_document_is_that_of_its_formula() -> None:
    contributions = np.array([0.9, -0.2, 0.1, 0.3, -0.15, 0.05, -0.4, 0.2, 0.1, -0.1])
    error, largest = np.sqrt(np.square(contributions).sum()), np.abs(contributions).max()
    share, _ = heaviest_share(contributions)
    reach = largest + scipy.stats.t.isf(0.025, 9) * np.sqrt(error**2 + largest**2)
    assert one_more_document(2.0, error, 9.0, share, 0.025) == pytest.approx(2.0 - reach)
    assert one_more_document(2.0, error, 9.0, share, 0.025, "less") == pytest.approx(2.0 + reach)


def corpus(heavy: float) -> Corpus:
    documents = [f"d{i}" for i in range(12) for _ in range(4)]
    return Corpus.of(dict.fromkeys("AB"), documents=documents, ratings={"r": Rating(scores(heavy), True)})


def test_a_gate_passes_only_what_one_more_heavy_document_would_leave() -> None:
    plain, asked = (judge(corpus(5.0), "B", "A", ["rating:r"], 0.3, one_more_document=more) for more in (False, True))
    assert (plain.outcome, asked.outcome) == ("pass", "inconclusive")
    assert asked.checks[0].one_more < -0.3 < asked.checks[0].ci_low
    worded(gate_texts(asked))
    safe = judge(corpus(0.0), "B", "A", ["rating:r"], 1.5, one_more_document=True)
    assert safe.outcome == "pass"
    worded(gate_texts(safe))
    assert UNEVEN in " ".join(gate_texts(safe))  # twelve documents
    assert "one more" not in " ".join(gate_texts(plain))
    with pytest.raises(InvalidOption, match="only with a margin"):
        judge(corpus(0.0), "B", "A", ["rating:r"], one_more_document=True)


def test_the_table_shows_the_interval_that_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    heads = {}
    for ci in ("adjusted", "pair", "together"):
        assert main(["compare", "--data", "sample_data/es-en", "--resamples", "100", "--ci", ci]) == 0
        lines = capsys.readouterr().out.splitlines()
        heads[ci] = "\n".join(line for line in lines if "CI" in line or "first " in line)
    assert "adjusted CI" in heads["adjusted"]
    worded(heads["adjusted"], "CI")
    worded(heads["pair"], "95% CI")
    assert "each adjusted CI" not in heads["pair"]
    worded(heads["together"], "10")
