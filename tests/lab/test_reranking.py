"""Reranking: features by brute force, no reference trains what it scores, and variants that are put to tests."""

import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from kept import lacking
from made import made_corpus, parsed
from sampled import sampled

from mtsig import Corpus, measure
from mtsig.cli import main
from mtsig.errors import AlignmentError, NotApplicable, ReadError, UnknownName
from mtsig.lab import Material, Rerank, run
from mtsig.lab._candidates import MODEL, CharacterModel, candidates_of
from mtsig.lab._reranking import BASELINE, NEAREST, PAIRS, RERANKED, VARIANTS, RerankScores

QUICK = Rerank(n_resamples=100)


def guessing(n: int = 120, documents: int | None = 12, seed: int = 5) -> Corpus:
    """Four systems that each lose a third of the words at random; nothing tells which is better but the text."""
    rng = np.random.default_rng(seed)
    words = [f"w{i}" for i in range(80)]
    references = [[str(rng.choice(words)) for _ in range(rng.integers(6, 14))] for _ in range(n)]
    outputs = {
        name: [
            " ".join(w for w in line if rng.random() < 0.66 * share) or "w0"
            for line, share in zip(references, np.where(np.arange(n) % 4 == row, 1.3, 0.9), strict=True)
        ]
        for row, name in enumerate(["A", "B", "C", "D"])
    }
    named = None if documents is None else [f"d{i * documents // n}" for i in range(n)]
    return Corpus.of(outputs, {"ref": [" ".join(line) for line in references]}, documents=named)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return guessing()


@pytest.fixture(scope="module")
def material(corpus: Corpus) -> Material:
    return Material((measure(corpus, "bleu"), measure(corpus, "nist")), corpus)


@pytest.fixture(scope="module")
def reranked(material: Material) -> RerankScores:
    return run(QUICK, material)


# --- features --------------------------------------------------------------------------------------------


def test_equal_outputs_are_one_candidate_of_all_their_systems() -> None:
    corpus = Corpus.of({"A": ["a b", "c"], "B": ["a b", "d e"], "C": ["b", "d e"]}, {"r": ["a b", "c"]})
    found = candidates_of(corpus, ["B", "A", "C"])
    assert found.texts == ("a b", "b", "d e", "c")
    assert found.starts.tolist() == [0, 2]
    systems = found.values[:, [found.names.index(f"is {name}") for name in "BAC"]]
    assert systems.tolist() == [[1, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 0]]
    # By pairs of outputs: "a b" shares 2 of 4 kinds with its twin and 1 of 3 with "b", each counted on both sides.
    shared = found.values[:, found.names.index("words shared")]
    assert shared == pytest.approx([2 * (2 + 1) / (4 + 3), 2 * (1 + 1) / (3 + 3), 2 * (2 + 0) / (4 + 3), 0.0])


def slow_model(text: str, references: list[str]) -> float:
    """Return the mean log-probability of a text's characters, its end among them, from dictionaries."""
    grams: Counter[str] = Counter()
    histories: Counter[str] = Counter()
    for line in references:
        padded = "\x00" * 3 + line + "\n"
        for i in range(3, len(padded)):
            for order in range(4):
                grams[padded[i - order : i + 1]] += 1
                histories[padded[i - order : i] + "/"] += 1
    total, padded = 0.0, "\x00" * 3 + text + "\n"
    for i in range(3, len(padded)):
        chance = 1 / 1_114_112
        for order in range(4):
            gram, history = padded[i - order : i + 1], padded[i - order : i] + "/"
            chance = (grams[gram] + 3 * chance) / (histories[history] + 3)
        total += math.log(chance)
    return total / (len(text) + 1)


def test_the_character_model_is_that_of_dictionaries() -> None:
    corpus = Corpus.of({"A": ["abab", "", "zz"], "B": ["ba c", "abc", "çédille"]}, {"r": ["abc", "abba", "ba ba"]})
    found = candidates_of(corpus, ["A", "B"])
    references = [("abc", 0), ("abba", 1), ("ba ba", 2), ("ab", 0)]
    model = CharacterModel(found, references, 3)
    for left_out in ({0}, {1, 2}, {0, 1, 2}, set[int]()):
        kept = [line for line, fold in references if fold not in left_out]
        assert model.scores(left_out) == pytest.approx([slow_model(text, kept) for text in found.texts])


# --- what trains what ------------------------------------------------------------------------------------


@sampled("document", ["d0", "d11"], most=1)
def test_no_reference_trains_what_it_scores(corpus: Corpus, reranked: RerankScores, document: str) -> None:
    # Other references of a document change the models that score other folds, and nothing of those that score its own.
    inside = np.array(corpus.documents) == document
    own = int(QUICK._folds(corpus)[0][inside][0])
    lines = ["w1 w1 w2" if here else line for line, here in zip(corpus.references["ref"], inside, strict=True)]
    other = replace(corpus, references={"ref": tuple(lines)})
    # The baseline is told, as the references say which system is the best.
    found = run(replace(QUICK, system=_baseline(corpus, reranked)), Material((measure(other, "bleu"),), other))
    same = np.all(found.weights == reranked.weights, axis=(1, 2))
    assert same.tolist() == [fold == own for fold in range(5)]
    for variant in VARIANTS:
        chosen = zip(found.corpus.lines(variant.name), reranked.corpus.lines(variant.name), inside, strict=True)
        assert all(one == before for one, before, here in chosen if here)


def _baseline(corpus: Corpus, reranked: RerankScores) -> str:
    return next(name for name in corpus.systems if corpus.lines(name) == reranked.corpus.lines(BASELINE))


@pytest.mark.parametrize("documents", [12, None])
def test_folds_keep_documents_whole_and_are_alike_in_size(documents: int | None) -> None:
    corpus = guessing(documents=documents)
    fold_of, notes = QUICK._folds(corpus)
    assert np.bincount(fold_of).min() >= 20
    if corpus.documents is not None:
        assert len({*zip(corpus.documents, fold_of.tolist(), strict=True)}) == 12
        assert not notes
    else:
        assert np.count_nonzero(np.diff(fold_of)) == 4  # neighbours
        assert not lacking(notes[0].text, "Document ids", "unknown")


def test_few_documents_are_as_many_folds_and_two_are_too_few() -> None:
    assert set(QUICK._folds(guessing(documents=4))[0]) == {0, 1, 2, 3}
    with pytest.raises(NotApplicable, match="at least 3; found 2 documents"):
        QUICK._folds(guessing(documents=2))


# --- what comes out --------------------------------------------------------------------------------------


def test_what_can_be_learned_is_learned(reranked: RerankScores) -> None:
    # Longer outputs kept more words: held-out choices are nearer to the references than any system's.
    scores = dict(zip(reranked.systems, reranked.scores[0], strict=True))
    assert scores[BASELINE] + 3 < scores[RERANKED] <= scores[NEAREST]
    share = dict(zip(reranked.systems, reranked.nearest, strict=True))
    assert share[BASELINE] + 0.2 < share[RERANKED] < share[NEAREST] == 1


def test_variants_differ_by_penalty_and_redundant_features(reranked: RerankScores) -> None:
    variants = {row["system"]: row for row in reranked.summaries()["Variants"]}
    assert variants["1 feature"]["features"] == 1
    assert variants["2 features"]["features"] <= 2
    used = [variants[name]["features"] for name in ("penalty 0.3", "penalty 0.1", "penalty 0.03", RERANKED)]
    assert used == sorted(used)
    assert variants["redundant 1"]["features"] > variants[RERANKED]["features"]
    by_pair = dict(zip(PAIRS, reranked.differ, strict=True))
    redundant = [share for (_, second), share in by_pair.items() if second.startswith("redundant")]
    assert 0 < max(redundant) < by_pair[RERANKED, BASELINE]


def test_rows_are_those_of_the_variants_as_systems(reranked: RerankScores) -> None:
    again = measure(reranked.corpus, "bleu")
    assert again.scores == pytest.approx(reranked.scores[0], abs=0)
    row = next(one for one in reranked.rows() if (one["first"], one["second"]) == (RERANKED, BASELINE))
    assert row["table"] == 1
    assert row["first_score"] == pytest.approx(again.scores[again.row(RERANKED)])
    assert row["ar"] < 0.05
    assert row["jackknife-t by document"] < 0.05
    assert len(reranked.rows()) == 2 * len(PAIRS)
    for one in reranked.disagreements():
        rejected = sum(row[one["test"]] <= 0.05 for row in reranked.rows() if row["differ"])
        assert one["rejects"] == rejected


def test_where_all_systems_are_one_there_is_nothing_to_test() -> None:
    lines = [f"w{i} w{i + 1} w{i + 2} w{i + 3}" for i in range(30)]
    corpus = Corpus.of({"A": lines, "B": lines}, {"ref": [f"{line} x" for line in lines]})
    found = run(QUICK, Material((measure(corpus, "bleu"),), corpus))
    assert not found.differ.any()
    assert {row["ar"] for row in found.rows()} == {1.0}
    assert found.disagreements()[0]["pairs"] == 0


def test_the_baseline_can_be_chosen(material: Material, corpus: Corpus) -> None:
    found = run(replace(QUICK, system="C"), material)
    assert found.corpus.lines(BASELINE) == corpus.lines("C")
    with pytest.raises(UnknownName, match="no system called 'E'"):
        run(replace(QUICK, system="E"), material)


@pytest.mark.slow
def test_parses_go_along_for_the_papers_own_metric(corpus: Corpus) -> None:
    with_trees = parsed(corpus)
    found = run(QUICK, Material((measure(with_trees, "depf"),), with_trees))
    again = measure(parsed(found.corpus), "depf")
    assert found.metrics == (again.metric.name,)
    assert found.scores[0] == pytest.approx(again.scores, abs=0)


def test_one_system_alone_is_refused() -> None:
    corpus = made_corpus(n=30, systems=1)
    with pytest.raises(NotApplicable, match="two or more"):
        run(QUICK, corpus)


# --- n-best lists ----------------------------------------------------------------------------------------


def written(corpus: Corpus, folder: Path, segments: int | None = None) -> str:
    """Write an n-best list of all systems' outputs, with a feature that says how many words were kept."""
    path = folder / "list.nbest"
    lines = [
        f"{i} ||| {line} ||| Kept0= {len(line.split())} Noise0= {(7 * i + k) % 5} {k} ||| {-k}\n"
        for i in range(segments or len(corpus))
        for k, line in enumerate(corpus.lines(name)[i] for name in corpus.systems)
    ]
    path.write_text("".join(lines), encoding="utf-8")
    return str(path)


def test_an_nbest_list_is_reranked(material: Material, corpus: Corpus, tmp_path: Path) -> None:
    found = run(replace(QUICK, nbest=written(corpus, tmp_path)), material)
    assert found.features == ("Kept0", "Noise0 1", "Noise0 2")
    assert MODEL not in found.features
    # The decoder's best is the first system's.
    assert found.corpus.lines(BASELINE) == corpus.lines("A")
    scores = dict(zip(found.systems, found.scores[0], strict=True))
    assert scores[RERANKED] > scores[BASELINE] + 3
    kept = next(row for row in found.summaries()["Features"] if row["feature"] == "Kept0")
    assert kept["folds"] == 5
    assert kept["mean_weight"] > 0.5


def test_a_list_of_other_segments_is_refused(material: Material, corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(AlignmentError, match="has 119 segments, but 120 have a reference"):
        run(replace(QUICK, nbest=written(corpus, tmp_path, 119)), material)


def test_the_command_line_takes_a_list(corpus: Corpus, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ref.txt").write_text("".join(f"{line}\n" for line in corpus.references["ref"]), encoding="utf-8")
    (tmp_path / "A.txt").write_text("".join(f"{line}\n" for line in corpus.lines("A")), encoding="utf-8")
    data = ["--ref", str(tmp_path / "ref.txt"), "--sys", str(tmp_path / "A.txt"), "--resamples", "100"]
    assert main(["experiment", "rerank", *data, "--nbest", written(corpus, tmp_path)]) == 0
    assert "an n-best list" in capsys.readouterr().out
    assert main(["experiment", "rerank", *data, "--nbest", str(tmp_path / "ref.txt")]) == 2
    assert not lacking(capsys.readouterr().err, "ref.txt, line 1", "1 field")


def test_errors_of_a_list_are_those_of_its_reader(material: Material, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="there is no such file"):
        run(replace(QUICK, nbest=str(tmp_path / "absent")), material)
