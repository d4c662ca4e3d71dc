"""depF: worked examples with the arithmetic written out, and laws against a count that removes matches one by one."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import made_corpus, parsed

from mtsig import Corpus, measure
from mtsig.corpus._annotations import Parse, Sentence, Word, output_parses, with_parses
from mtsig.errors import AlignmentError, NotApplicable, UnknownName
from mtsig.inference import compare
from mtsig.metrics._dependency import DependencyF


def parse(*sentences: str, parser: str | None = None) -> Parse:
    """Return the parse of sentences whose words are written form>head:relation or form/lemma>head:relation."""
    found = []
    for sentence in sentences:
        words = []
        for piece in sentence.split():
            spelled, _, depends = piece.partition(">")
            form, _, lemma = spelled.partition("/")
            head, _, relation = depends.partition(":")
            words.append(Word(form, lemma, int(head), relation))
        found.append(tuple(words))
    return Parse(tuple(found), parser)


def parsed_corpus(output: Sequence[Parse], *references: Sequence[Parse | None]) -> Corpus:
    """Return the corpus of system "s" with these parses; the text itself is not looked at."""
    n = len(output)
    names = [f"r{number}" for number in range(len(references))]
    lines = {
        name: ["" if one is None else "text" for one in column] for name, column in zip(names, references, strict=True)
    }
    corpus = Corpus.of({"s": ["text"] * n}, lines)
    columns = {name: [one or Parse() for one in column] for name, column in zip(names, references, strict=True)}
    return with_parses(corpus, {"s": output}, columns)


def counted(
    output: Sequence[Parse], *references: Sequence[Parse | None], metric: DependencyF | None = None
) -> list[list[float]]:
    """Return [matches, triples of the output, triples of the reference] of every segment."""
    counts = (metric or DependencyF()).count(parsed_corpus(output, *references))
    return counts[:, 0].T.tolist()


def scored(output: Sequence[Parse], *references: Sequence[Parse | None], metric: DependencyF | None = None) -> float:
    return float(measure(parsed_corpus(output, *references), metric or DependencyF()).scores[0])


DOG = parse("the>2:det dog>3:nsubj barks>0:root")  # (dog, det, the), (barks, nsubj, dog), (ROOT, root, barks)


# --- ten worked examples ------------------------------------------------------------------------------------


def test_1_the_same_parse_matches_in_full() -> None:
    assert counted([DOG], [DOG]) == [[3, 3, 3]]
    assert scored([DOG], [DOG]) == 100.0  # P = R = 3/3


def test_2_another_relation_is_a_miss_unless_labels_are_not_compared() -> None:
    other = parse("the>2:det dog>3:obj barks>0:root")  # (barks, obj, dog) instead of (barks, nsubj, dog)
    assert counted([other], [DOG]) == [[2, 3, 3]]
    assert scored([other], [DOG]) == pytest.approx(100 * 2 / 3)  # P = R = 2/3
    unlabelled = DependencyF(labelled=False)
    assert counted([other], [DOG], metric=unlabelled) == [[3, 3, 3]]
    assert unlabelled.name == "depF-unlabelled"


def test_3_another_head_is_a_miss_also_without_labels() -> None:
    other = parse("the>3:det dog>3:nsubj barks>0:root")  # (barks, det, the) instead of (dog, det, the)
    assert counted([other], [DOG]) == [[2, 3, 3]]
    assert counted([other], [DOG], metric=DependencyF(labelled=False)) == [[2, 3, 3]]


def test_4_a_triple_matches_at_most_as_often_as_the_reference_has_it() -> None:
    output = parse("very>3:advmod very>3:advmod good>0:root")  # (good, advmod, very) twice, (ROOT, root, good)
    reference = parse("very>2:advmod good>0:root")  # each once
    assert counted([output], [reference]) == [[2, 3, 2]]
    assert scored([output], [reference]) == pytest.approx(80.0)  # P = 2/3, R = 2/2, F = 2 · 2/3 · 1 / (5/3) = 4/5
    # The other way about: the same matches, lengths exchanged.
    assert counted([reference], [output]) == [[2, 2, 3]]


def test_5_lemmas_match_where_forms_do_not() -> None:
    output = parse("dogs/dog>2:nsubj bark/bark>0:root")
    reference = parse("dog/dog>2:nsubj barks/bark>0:root")
    assert counted([output], [reference]) == [[0, 2, 2]]
    assert scored([output], [reference]) == 0.0
    assert counted([output], [reference], metric=DependencyF(words="lemma")) == [[2, 2, 2]]


def test_6_case_counts_unless_told_otherwise() -> None:
    output = parse("The>2:det dog>3:nsubj barks>0:root")
    assert counted([output], [DOG]) == [[2, 3, 3]]  # (dog, det, The) misses
    assert counted([output], [DOG], metric=DependencyF(lowercase=True)) == [[3, 3, 3]]


def test_7_punctuation_can_be_left_out() -> None:
    output = parse("barks>0:root .>1:punct !>1:punct:end")
    reference = parse("barks>0:root .>1:punct")
    assert counted([output], [reference]) == [[2, 3, 2]]  # F = 2 · 2 / (3 + 2) = .8
    without = DependencyF(punctuation=False)
    assert counted([output], [reference], metric=without) == [[1, 1, 1]]


def test_8_the_reference_with_the_best_f_counts_segment_by_segment() -> None:
    cat = parse("a>2:det cat>3:nsubj sleeps>0:root")
    long = parse("the>3:det big>3:amod dog>4:nsubj barks>0:root")  # (dog, det, the), (barks, nsubj, dog), root match
    output = [DOG, cat]
    first, second = [long, cat], [cat, DOG]
    # Segment 1: against `long` F = 2·3/(3+4) = 6/7, against `cat` 0. Segment 2: against `cat` 1, against DOG 0.
    assert counted(output, first, second) == [[3, 3, 4], [3, 3, 3]]
    assert counted(output, second, first) == [[3, 3, 4], [3, 3, 3]]
    assert scored(output, first, second) == pytest.approx(200 * 6 / 13)  # sums 6, 6, 7


def test_9_the_score_is_that_of_sums_not_the_mean_of_segments() -> None:
    output = [DOG, parse("a>4:det b>4:dep c>4:dep d>0:root e>4:obj")]
    reference = [DOG, parse("x>2:det d>0:root y>2:obj")]
    assert counted(output, reference) == [[3, 3, 3], [1, 5, 3]]  # only (ROOT, root, d) matches in the second
    statistics = measure(parsed_corpus(output, reference), "depf")
    assert statistics.segment_scores.tolist() == [[100.0, 25.0]]  # 2 · 1 / 8; their mean is 62.5
    # P = 4/8, R = 4/6, F = 2 · 1/2 · 2/3 / (7/6) = 4/7
    assert statistics.scores[0] == pytest.approx(100 * 4 / 7)


def test_10_empty_segments_and_several_sentences() -> None:
    two = parse("yes>0:root", "the>2:det dog>0:root")  # the first word of a sentence is number 1 again
    reference = [two, DOG, parse()]
    output = [parse("the>2:det dog>0:root", "yes>0:root"), parse(), parse()]
    # Segment 1: the order of sentences is of no matter. 2: nothing against three. 3: nothing on both sides.
    assert counted(output, reference) == [[3, 3, 3], [0, 0, 3], [0, 0, 0]]
    statistics = measure(parsed_corpus(output, reference), "depf")
    assert statistics.segment_scores.tolist() == [[100.0, 0.0, 0.0]]
    assert statistics.scores[0] == pytest.approx(200 * 3 / (3 + 6))


# --- laws ---------------------------------------------------------------------------------------------------

_words = st.sampled_from(["a", "b", "c"])
_relations = st.sampled_from(["x", "y", "punct"])


@st.composite
def _sentences(draw: st.DrawFn) -> Sentence:
    length = draw(st.integers(1, 6))
    heads = [draw(st.integers(0, length)) for _ in range(length)]
    return tuple(Word(draw(_words), "", head, draw(_relations)) for head in heads)


_parses = st.lists(_sentences(), max_size=2).map(lambda found: Parse(tuple(found)))


def listed(one: Parse) -> list[tuple[str, str, str]]:
    """Return the triples in a list, the slow way."""
    return [
        ("<root>" if word.head == 0 else sentence[word.head - 1].form, word.relation, word.form)
        for sentence in one.sentences
        for word in sentence
    ]


@given(st.lists(st.tuples(_parses, _parses), min_size=1, max_size=4))
def test_counts_are_those_of_taking_matches_away_one_by_one(pairs: list[tuple[Parse, Parse]]) -> None:
    expected = []
    for output, reference in pairs:
        ours, left, matches = listed(output), listed(reference), 0
        for triple in ours:
            if triple in left:
                left.remove(triple)
                matches += 1
        expected.append([matches, len(ours), matches + len(left)])
    assert counted([one for one, _ in pairs], [one for _, one in pairs]) == expected


@given(_parses, st.lists(_parses, min_size=2, max_size=3))
def test_more_references_never_lower_a_segments_score(output: Parse, references: list[Parse]) -> None:
    alone = [scored([output], [one]) for one in references]
    assert scored([output], *([one] for one in references)) == max(alone)
    assert counted([output], *([one] for one in references)) == counted([output], *([one] for one in references[::-1]))


def test_a_segment_may_lack_a_reference() -> None:
    other = parse("a>0:root")
    assert counted([DOG, DOG], [DOG, None], [None, other]) == [[3, 3, 3], [0, 3, 1]]
    statistics = measure(parsed_corpus([DOG, DOG], [DOG, None], [None, None]), "depf")
    assert statistics.n == 1
    assert "1 of 2 segments have no reference at all" in statistics.notes[0].text


# --- the metric among the others ----------------------------------------------------------------------------


def test_systems_are_compared_as_by_any_metric() -> None:
    family = compare(measure(parsed(made_corpus(n=200, systems=2)), "depf"))
    (one,) = family
    assert one.difference > 0
    assert one.ci_low < one.difference < one.ci_high
    assert 0 < one.p_value < 1


def test_the_signature_names_options_references_and_parsers() -> None:
    named = [parse("a>0:root", parser="udpipe 2 | english")]
    corpus = parsed_corpus(named, [parse("a>0:root", parser="stanza")])
    keys = dict(piece.split(":", 1) for piece in measure(corpus, "depf:words=form").signature.split("|"))
    assert keys["parser"] == "stanza + udpipe 2 / english"
    assert (keys["labelled"], keys["words"], keys["lowercase"], keys["nrefs"]) == ("True", "form", "False", "1")
    unknown = measure(parsed_corpus([DOG], [DOG]), "depf")
    assert "parser:unknown" in unknown.signature


def test_what_was_not_parsed_is_named() -> None:
    corpus = Corpus.of({"A": ["x"]}, {"ref": ["x"]})
    with pytest.raises(NotApplicable, match=r"no dependency parse of reference 'ref'. Give a CoNLL-U file"):
        measure(corpus, "depf")
    with pytest.raises(NotApplicable, match="no dependency parse of system 'A'"):
        measure(with_parses(corpus, {}, {"ref": [DOG]}), "depf")
    with pytest.raises(NotApplicable, match=r"no lemma for 'the' \(reference 'r0', segment 1\)"):
        measure(parsed_corpus([DOG], [DOG]), "depf:words=lemma")
    with pytest.raises(UnknownName, match="no text 'B' to parse"):
        with_parses(corpus, {"B": [DOG]})
    with pytest.raises(AlignmentError, match="'A' has 2 parses for 1 segments"):
        with_parses(corpus, {"A": [DOG, DOG]})


def test_parses_follow_their_texts() -> None:
    corpus = Corpus.of(
        {"A": ["x", "y", "z"], "ref": ["1", "2", "3"]}, {"ref": ["x", "y", "z"], "other": ["x", "y", "z"]}
    )
    parses = [parse(f"{word}>0:root") for word in "xyz"]
    full = with_parses(corpus, {"A": parses, "ref": parses[::-1]}, {"ref": parses, "other": parses[::-1]})
    assert full.digest != corpus.digest
    assert full.digest != with_parses(corpus, {"A": parses[::-1], "ref": parses}, {}).digest
    picked = full.take([2, 0]).select(["A"], ["other"])
    assert list(output_parses(picked, "A")) == [parses[2], parses[0]]
    assert measure(picked, "depf").sums.tolist() == [[0], [2], [2]]  # z against x, x against z
    # A system may be called like a reference, with parses of its own.
    assert measure(full.select(["ref"], ["ref"]), "depf").sums.tolist() == [[1], [3], [3]]
    assert measure(full.select(["ref"], ["other"]), "depf").scores.tolist() == [100.0]


def test_annotations_of_any_kind_are_told_apart_by_the_digest() -> None:
    corpus = Corpus.of({"A": ["x"]}, {})
    spans = np.arange(5000.0)
    first = replace(corpus, annotations={"spans": {"A": (spans,)}})
    second = replace(corpus, annotations={"spans": {"A": (np.where(spans == 2500, 0, spans),)}})
    assert len({corpus.digest, first.digest, second.digest}) == 3
