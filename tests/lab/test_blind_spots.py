"""Experiments on text: worked examples, BLEU's own counts, and brute force."""

import json
from dataclasses import replace
from itertools import permutations
from math import factorial
from pathlib import Path

import numpy as np
import pytest
from golden.papers import printed
from made import made_corpus

from mtsig import Corpus, interval, measure, read_sample
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.lab import Length, Material, NistWeights, Orderings, References, run
from mtsig.lab._blind_spots import Sentence, matches, sentence_bleu, words_of
from mtsig.lab._test_sets import resized
from mtsig.metrics import Bleu, Nist
from mtsig.resampling import Bootstrap, resample

PLAIN = Bleu(tokenize="none")


def material(corpus: Corpus, *metrics: object) -> Material:
    return Material(tuple(measure(corpus, one) for one in metrics or (PLAIN,)), corpus)  # type: ignore[arg-type]


def test_matches_of_a_worked_example() -> None:
    # "the cat the cat sat" against "the cat sat down" and "a cat the dog": "the" and "cat" may count once each.
    # unigrams the cat . . sat -> 3 of 5; bigrams "the cat" once, "cat the" (second reference), "cat sat" -> 3 of 4;
    # trigrams "the cat sat" -> 1 of 3; no 4-gram of 2.
    found = matches(["the", "cat", "the", "cat", "sat"], [["the", "cat", "sat", "down"], ["a", "cat", "the", "dog"]])
    assert found.counts == (3, 3, 1, 0)
    # Every two neighbours stand together in some reference: one phrase, although one "the cat" is clipped.
    assert found.phrases() == (("the", "cat", "the", "cat", "sat"),)
    # The longest match of each word: the second "the" begins the trigram.
    assert found.reach() == (2, 2, 3, 3, 3)


def test_matches_are_bleus_own_counts() -> None:
    corpus = made_corpus(n=40, systems=1, references=2)
    counted = measure(corpus, "bleu").values[:, 0].astype(int)
    metric = Bleu()
    for number in range(40):
        references = [words_of(metric, str(lines[number])) for lines in corpus.references.values()]
        found = matches(words_of(metric, corpus.lines("sys0")[number]), references)
        assert list(found.counts) == counted[2:6, number].tolist()


def test_the_example_of_the_paper(shared: Path) -> None:
    text = json.loads((shared / "oracles.json").read_text(encoding="utf-8"))["callison_burch"]["text"]
    references = {f"ref{i}": [line.lower()] for i, line in enumerate(text["references"])}
    found = run(Sentence(segment=1), material(Corpus.of({"h": [text["hypothesis"].lower()]}, references)))
    assert found.matched.counts == (15, 10, 5, 3)
    assert found.bleu == pytest.approx(41.83718567297532)
    assert found.orderings == 40_320
    assert len(found.matched.phrases()) - 1 == printed("callison_burch")["bigram_mismatch_sites"]


def test_the_counts_of_the_paper_score_what_it_prints() -> None:
    known = printed("callison_burch")
    for name in ("table1_lowercased", "table1_cased", "drawn_items_example"):
        one = known[name]
        totals = [one["sys_len"], one["ref_len_closest"], *one["counts"], *one["totals"]]
        assert float(Bleu().score(np.array(totals, dtype=float))) == pytest.approx(one["BLEU"])


def test_orders_keep_every_match_and_other_words_the_same_numbers() -> None:
    corpus = read_sample(every_reference=True)
    found = run(Sentence(samples=8), material(corpus, "bleu"))
    assert len(found.permuted) == 8
    assert sorted(found.permuted[0].words) == sorted(found.matched.words)
    for one in found.permuted:
        assert all(ours >= least for ours, least in zip(one.counts, found.matched.counts, strict=True))
        assert one.bleu >= found.bleu - 1e-9
    assert found.redrawn
    for one in found.redrawn:
        assert one.counts == found.matched.counts
        assert one.bleu == pytest.approx(found.bleu)
        assert sorted(one.words) != sorted(found.matched.words)


def test_distinct_strings_are_counted_as_brute_force_does() -> None:
    corpus = Corpus.of({"A": ["x y b x y z"]}, {"r": ["x y q z"]})
    found = run(Sentence(segment=1, samples=2), material(corpus))
    phrases = found.matched.phrases()
    assert phrases == (("x", "y"), ("b",), ("x", "y"), ("z",))
    assert found.orderings == factorial(4)
    assert found.distinct == len({sum(order, ()) for order in permutations(phrases)}) == 12


def test_sentence_bleu_is_the_segment_score() -> None:
    corpus = made_corpus(n=5, systems=1, references=2)
    words = [tuple(line.split()) for line in corpus.lines("sys0")]
    references = [tuple(str(lines[2]).split()) for lines in corpus.references.values()]
    expected = measure(corpus, PLAIN).segment_scores[0, 2]
    assert sentence_bleu(PLAIN, [words[2]], references)[0] == pytest.approx(expected)


def test_orderings_of_a_corpus_are_those_of_its_sentences() -> None:
    corpus = made_corpus(n=30, systems=2, references=1)
    found = run(Orderings(system="sys1"), material(corpus, "bleu"))
    for number in (0, 17):
        one = run(Sentence(segment=number + 1, system="sys1", samples=1), material(corpus, "bleu"))
        assert found.words[number] == len(one.matched.words)
        assert found.phrases[number] == len(one.matched.phrases())
        assert 10 ** found.digits[number] == pytest.approx(one.orderings, rel=1e-9)


def test_segments_of_a_part_and_beside_a_missing_reference_keep_their_numbers() -> None:
    whole = made_corpus(n=30, systems=2, references=1)
    reference = [None if number == 4 else line for number, line in enumerate(whole.references["ref0"])]
    corpus = replace(whole, references={"ref0": tuple(reference)}).take(range(1, 30, 3))
    rows = run(Orderings(system="sys1"), material(corpus)).rows()
    assert [row["segment"] for row in rows] == [number for number in range(2, 31, 3) if number != 5]
    assert rows[1]["words"] == len(words_of(Bleu(), whole.lines("sys1")[7]))
    sentence = run(Sentence(segment=8, system="sys1", samples=1), material(corpus))
    assert sentence.segment == 8
    assert sentence.matched.words == words_of(Bleu(), whole.lines("sys1")[7])
    with pytest.raises(InvalidOption, match="Segment 3 does not exist; there are 10 segments"):
        run(Sentence(segment=3, system="sys1"), material(corpus))


def test_reference_ngrams_are_listed_once_with_what_is_matched() -> None:
    found = run(Sentence(segment=1), material(Corpus.of({"A": ["a b x"]}, {"r": ["a b a"], "s": ["b a"]})))
    assert found.reference_grams(1) == ((("a",), True), (("b",), True))
    assert found.reference_grams(2) == ((("a", "b"), True), (("b", "a"), False))


def test_segments_that_do_not_exist_are_refused() -> None:
    with pytest.raises(InvalidOption, match="Segment 99 does not exist"):
        run(Sentence(segment=99), material(made_corpus(n=10)))
    with pytest.raises(NotApplicable, match="text"):
        run(Sentence(), measure(made_corpus(n=10), "bleu"))


def test_cut_and_stretched_lines() -> None:
    corpus = Corpus.of({"A": ["a b c d", "猫が好き", ""]}, {"r": ["a", "b", "c"]})
    assert resized(corpus, 0.5).lines("A") == ("a b", "猫が", "")
    assert [line.split() or line for line in resized(corpus, 1.5).lines("A")] == [[*"abcdcd"], ["猫が好き好き"], ""]


def test_scores_by_length_fall_by_the_penalty() -> None:
    corpus = made_corpus(n=60, systems=1)
    found = run(Length(shares=(0.5, 1.0)), material(corpus, "bleu", "chrf"))
    whole = measure(corpus, "bleu")
    assert found.scores[:, 1] == pytest.approx([whole.scores[0], measure(corpus, "chrf").scores[0]])
    assert found.ratio[1] == pytest.approx(whole.sums[0, 0] / whole.sums[1, 0])
    assert found.penalty[0] == pytest.approx(np.exp(1 - 1 / found.ratio[0]))
    assert found.scores[0, 0] == pytest.approx(found.unpenalised[0] * found.penalty[0])


def test_every_subset_of_references_is_measured() -> None:
    corpus = read_sample(every_reference=True).select(["direct", "via-catalan", "via-galician"]).take(range(60))
    found = run(References(unit="segment"), material(corpus, "bleu"))
    assert len(found.subsets) == 7
    assert found.counts == (1, 2, 3)
    for q, subset in enumerate(found.subsets):
        alone = interval(
            measure(corpus.select(references=subset), "bleu"), "jackknife", 0.95, Bootstrap(10, 1, "segment")
        )
        assert found.scores[q] == pytest.approx(alone.score)
        assert found.half_width[q] == pytest.approx((alone.ci_high - alone.ci_low) / 2)
    # The whole set's relative width is that of its interval, to first order.
    assert found.relative_by_size[:, -1] == pytest.approx(found.relative.mean(axis=1), rel=0.03)
    first = found.equivalences()[0]
    assert (first["references"], first["by_relative_width"], first["by_separation"]) == (1, 1.0, 1.0)


def test_segments_without_all_references_are_left_out_and_told() -> None:
    full = made_corpus(n=40, systems=2, documents=0, references=2)
    lines = {name: list(lines) for name, lines in full.references.items()}
    lines["ref1"][3] = ""
    corpus = Corpus.of(full.outputs, lines)
    found = run(References(), material(corpus, "bleu"))
    assert found.segments == 39
    assert "1 of 40" in found.notes[0].text


def test_every_subset_of_references_has_the_same_unit() -> None:
    # By one reference every other 25 segments are hard, by the other any: neighbours are alike with the first alone.
    dice, n = np.random.default_rng(2), 200
    lines = [dice.choice([f"w{i}" for i in range(40)], 8).tolist() for _ in range(n)]
    easy = [(place // 25) % 2 == 1 or place % 7 == 0 for place in range(n)]
    outputs = [line if known else [*line[:4], *"xxxx"] for line, known in zip(lines, easy, strict=True)]
    other = [line if dice.random() < 0.5 else [*line[:2], *"yyyyyy"] for line in outputs]
    joined = [[" ".join(line) for line in part] for part in (outputs, [[*line[:-1], "z"] for line in outputs])]
    references = {name: [" ".join(line) for line in part] for name, part in (("one", lines), ("two", other))}
    corpus = Corpus.of(dict(zip("ab", joined, strict=True)), references)
    units = [measure(corpus.select(references=[name]), "bleu").at("auto").unit for name in references]
    assert units == ["block", "segment"]
    assert run(References(), material(corpus, "bleu")).unit == "segment"


def test_one_reference_has_no_subsets() -> None:
    with pytest.raises(NotApplicable, match="2 to 5 references; found 1"):
        run(References(), material(made_corpus(n=20)))


def test_recomputed_weights_are_those_of_the_redrawn_corpus() -> None:
    # Brute force: the corpus with its segments as often as they were drawn, measured afresh.
    corpus = made_corpus(n=25, systems=2, references=2)
    metric = Nist()
    found = run(NistWeights(n_resamples=50, system="sys1"), material(corpus, metric))
    weights = next(iter(Bootstrap(50, 12345, "segment").blocks(25)))
    for draw in (0, 30):
        redrawn = corpus.take(np.repeat(np.arange(25), weights[draw].astype(int)))
        assert found.recomputed[draw] == pytest.approx(measure(redrawn, metric).scores[1], rel=1e-9)
    fixed = resample(measure(corpus, metric), Bootstrap(50, 12345, "segment"))
    assert found.fixed == pytest.approx(fixed.draws[1], rel=1e-6)
    assert found.observed == pytest.approx(measure(corpus, metric).scores[1])


def test_recomputed_weights_leave_out_the_score_and_nist_grows_on_the_sample() -> None:
    found = run(NistWeights(n_resamples=100), material(read_sample(), "nist"))
    low, high = found.interval("fixed")
    assert low < found.observed < high
    assert found.interval("recomputed")[1] < found.observed
    assert np.all(np.diff(found.by_size) > 0)


def test_the_sample_has_three_different_references_and_one_by_default() -> None:
    corpus = read_sample(every_reference=True)
    assert list(read_sample().references) == ["ref"]
    assert list(corpus.references) == ["ref", "ref2", "ref3"]
    assert read_sample().digest == corpus.select(references=["ref"]).digest
    for number in range(200):
        lines = {str(corpus.references[name][number]) for name in corpus.references}
        assert len(lines) == 3
        assert all(lines)
