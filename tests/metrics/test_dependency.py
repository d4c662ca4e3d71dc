"""depF: worked examples with the arithmetic written out, and laws against a count that removes matches one by one.

spaCy as the parser: a blank pipeline with a small component of our own, saved to disk and loaded by name.
"""

import builtins
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kept import worded
from made import made_corpus, parsed

from mtsig import Corpus, MtsigError, measure, read, watching
from mtsig.cli import main
from mtsig.corpus._annotations import Parse, Sentence, Word, output_parses, with_parses
from mtsig.errors import AlignmentError, NotApplicable, ProgramError, UnknownName
from mtsig.inference import compare
from mtsig.metrics._dependency import DependencyF, conllu_text, load, parse
from mtsig.readers import File
from mtsig.readers._conllu import parses_of, sentences_of


def tree(*sentences: str, parser: str | None = None) -> Parse:
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


DOG = tree("the>2:det dog>3:nsubj barks>0:root")  # (dog, det, the), (barks, nsubj, dog), (ROOT, root, barks)


# --- ten worked examples ------------------------------------------------------------------------------------


def test_1_the_same_parse_matches_in_full() -> None:
    assert counted([DOG], [DOG]) == [[3, 3, 3]]
    assert scored([DOG], [DOG]) == 100.0  # P = R = 3/3


def test_2_another_relation_is_a_miss_unless_labels_are_not_compared() -> None:
    other = tree("the>2:det dog>3:obj barks>0:root")  # (barks, obj, dog) instead of (barks, nsubj, dog)
    assert counted([other], [DOG]) == [[2, 3, 3]]
    assert scored([other], [DOG]) == pytest.approx(100 * 2 / 3)  # P = R = 2/3
    unlabelled = DependencyF(labelled=False)
    assert counted([other], [DOG], metric=unlabelled) == [[3, 3, 3]]
    assert unlabelled.name == "depF-unlabelled"


def test_3_another_head_is_a_miss_also_without_labels() -> None:
    other = tree("the>3:det dog>3:nsubj barks>0:root")  # (barks, det, the) instead of (dog, det, the)
    assert counted([other], [DOG]) == [[2, 3, 3]]
    assert counted([other], [DOG], metric=DependencyF(labelled=False)) == [[2, 3, 3]]


def test_4_a_triple_matches_at_most_as_often_as_the_reference_has_it() -> None:
    output = tree("very>3:advmod very>3:advmod good>0:root")  # (good, advmod, very) twice, (ROOT, root, good)
    reference = tree("very>2:advmod good>0:root")  # each once
    assert counted([output], [reference]) == [[2, 3, 2]]
    assert scored([output], [reference]) == pytest.approx(80.0)  # P = 2/3, R = 2/2, F = 2 · 2/3 · 1 / (5/3) = 4/5
    # The other way about: the same matches, lengths exchanged.
    assert counted([reference], [output]) == [[2, 2, 3]]


def test_5_lemmas_match_where_forms_do_not() -> None:
    output = tree("dogs/dog>2:nsubj bark/bark>0:root")
    reference = tree("dog/dog>2:nsubj barks/bark>0:root")
    assert counted([output], [reference]) == [[0, 2, 2]]
    assert scored([output], [reference]) == 0.0
    assert counted([output], [reference], metric=DependencyF(words="lemma")) == [[2, 2, 2]]


def test_6_case_counts_unless_told_otherwise() -> None:
    output = tree("The>2:det dog>3:nsubj barks>0:root")
    assert counted([output], [DOG]) == [[2, 3, 3]]  # (dog, det, The) misses
    assert counted([output], [DOG], metric=DependencyF(lowercase=True)) == [[3, 3, 3]]


def test_7_punctuation_can_be_left_out() -> None:
    output = tree("barks>0:root .>1:punct !>1:punct:end")
    reference = tree("barks>0:root .>1:punct")
    assert counted([output], [reference]) == [[2, 3, 2]]  # F = 2 · 2 / (3 + 2) = .8
    without = DependencyF(punctuation=False)
    assert counted([output], [reference], metric=without) == [[1, 1, 1]]


def test_8_the_reference_with_the_best_f_counts_segment_by_segment() -> None:
    cat = tree("a>2:det cat>3:nsubj sleeps>0:root")
    long = tree("the>3:det big>3:amod dog>4:nsubj barks>0:root")  # (dog, det, the), (barks, nsubj, dog), root match
    output = [DOG, cat]
    first, second = [long, cat], [cat, DOG]
    # Segment 1: against `long` F = 2·3/(3+4) = 6/7, against `cat` 0. Segment 2: against `cat` 1, against DOG 0.
    assert counted(output, first, second) == [[3, 3, 4], [3, 3, 3]]
    assert counted(output, second, first) == [[3, 3, 4], [3, 3, 3]]
    assert scored(output, first, second) == pytest.approx(200 * 6 / 13)  # sums 6, 6, 7


def test_9_the_score_is_that_of_sums_not_the_mean_of_segments() -> None:
    output = [DOG, tree("a>4:det b>4:dep c>4:dep d>0:root e>4:obj")]
    reference = [DOG, tree("x>2:det d>0:root y>2:obj")]
    assert counted(output, reference) == [[3, 3, 3], [1, 5, 3]]  # only (ROOT, root, d) matches in the second
    statistics = measure(parsed_corpus(output, reference), "depf")
    assert statistics.segment_scores.tolist() == [[100.0, 25.0]]  # 2 · 1 / 8; their mean is 62.5
    # P = 4/8, R = 4/6, F = 2 · 1/2 · 2/3 / (7/6) = 4/7
    assert statistics.scores[0] == pytest.approx(100 * 4 / 7)


def test_10_empty_segments_and_several_sentences() -> None:
    two = tree("yes>0:root", "the>2:det dog>0:root")  # the first word of a sentence is number 1 again
    reference = [two, DOG, tree()]
    output = [tree("the>2:det dog>0:root", "yes>0:root"), tree(), tree()]
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
    other = tree("a>0:root")
    assert counted([DOG, DOG], [DOG, None], [None, other]) == [[3, 3, 3], [0, 3, 1]]
    statistics = measure(parsed_corpus([DOG, DOG], [DOG, None], [None, None]), "depf")
    assert statistics.n == 1
    worded(statistics.notes[0].text, "1 of 2")


# --- the metric among the others ----------------------------------------------------------------------------


def test_systems_are_compared_as_by_any_metric() -> None:
    family = compare(measure(parsed(made_corpus(n=200, systems=2)), "depf"))
    (one,) = family
    assert one.difference > 0
    assert one.ci_low < one.difference < one.ci_high
    assert 0 < one.p_value < 1


def test_the_signature_names_options_references_and_parsers() -> None:
    named = [tree("a>0:root", parser="udpipe 2 | english")]
    corpus = parsed_corpus(named, [tree("a>0:root", parser="stanza")])
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
    parses = [tree(f"{word}>0:root") for word in "xyz"]
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


@pytest.fixture(scope="module", autouse=True)
def spacy() -> Any:
    """spaCy with a component of ours: loaded here, for every process that collects these tests would wait for it."""
    library = pytest.importorskip("spacy", reason="spaCy is not installed: pip install '.[parse]'")
    library.language.Language.component("made_parser", func=made_parser)
    return library


def made_parser(doc: Any) -> Any:
    """Hang every token on the one before it, white space, too; a full stop ends a sentence."""
    heads, deps, start = [], [], True
    for token in doc:
        heads.append(token.i if start else token.i - 1)
        deps.append("ROOT" if start else "dep" if token.is_space else f"d{len(token)}")
        start = token.text == "."
    words, spaces = [token.text for token in doc], [bool(token.whitespace_) for token in doc]
    lemmas = [word.lower() for word in words]
    return type(doc)(doc.vocab, words=words, spaces=spaces, heads=heads, deps=deps, lemmas=lemmas)


@pytest.fixture(scope="module")
def model(spacy: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    pipeline = spacy.blank("en", meta={"name": "made", "version": "1.2.3"})
    pipeline.add_pipe("made_parser")
    place = tmp_path_factory.mktemp("models") / "made model"
    pipeline.to_disk(place)
    return place


LINES = ["The dog barks. Yes.", "", "A  cat \t sleeps\u00a0", "  "]


def test_lines_become_sentences_of_words(spacy: Any, model: Path) -> None:
    parser = load(str(model))
    assert parser.name == f"spaCy {spacy.__version__}, en_made 1.2.3"
    first, empty, third, blank = parse(parser, LINES)
    dog = (
        Word("The", "the", 0, "ROOT"),
        Word("dog", "dog", 1, "d3"),
        Word("barks", "barks", 2, "d5"),
        Word(".", ".", 3, "d1"),
    )
    yes = Word("Yes", "yes", 0, "ROOT"), Word(".", ".", 1, "d1")
    assert first == (("The dog barks.", dog), ("Yes.", yes))
    assert empty == blank == ()
    ((text, words),) = third
    assert text == "A cat sleeps"
    assert words == (Word("A", "a", 0, "ROOT"), Word("cat", "cat", 1, "d3"), Word("sleeps", "sleeps", 2, "d6"))


def test_the_file_that_is_written_reads_back_as_it_was(model: Path) -> None:
    parser = load(str(model))
    parsed = parse(parser, LINES)
    text = conllu_text(parsed, parser.name)
    sentences, _ = sentences_of(File("a.conllu", text.encode()))
    back = parses_of("a.conllu", sentences, LINES)
    assert back == tuple(Parse(tuple(words for _, words in line), parser.name) for line in parsed)


def test_a_text_without_words_reads_back_too(model: Path) -> None:
    parser = load(str(model))
    text = conllu_text(parse(parser, ["", " "]), parser.name)
    sentences, _ = sentences_of(File("a.conllu", text.encode()))
    assert parses_of("a.conllu", sentences, ["", " "]) == (Parse(), Parse())


def test_another_library_reads_the_file_alike(model: Path) -> None:
    conllu = pytest.importorskip("conllu")
    parser = load(str(model))
    first, *_ = conllu.parse(conllu_text(parse(parser, LINES), parser.name))
    assert first.metadata == {"generator": parser.name, "segment": "1", "text": "The dog barks."}
    assert [(token["form"], token["head"], token["deprel"]) for token in first][:2] == [
        ("The", 0, "ROOT"),
        ("dog", 1, "d3"),
    ]


def test_progress_is_told(model: Path) -> None:
    shares: list[float] = []
    with watching(shares.append):
        parse(load(str(model)), ["a"] * 120)
    assert shares == [number / 120 for number in range(1, 121)]


def test_a_model_that_is_not_there_is_told_and_not_fetched() -> None:
    with pytest.raises(ProgramError, match="cannot load the model 'en_no_such_model'") as caught:
        load("en_no_such_model")
    for piece in ("extra parse", "spacy download", "mtsig itself downloads nothing here"):
        assert piece in str(caught.value)
    assert "\n" not in str(caught.value)


def test_without_spacy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "spacy":
            raise ModuleNotFoundError(name)
        return real(name, *rest, **more)

    monkeypatch.delitem(sys.modules, "spacy")
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ProgramError, match=r"spaCy is not installed. To get it, install mtsig with its extra parse"):
        load("en_core_web_sm")


def test_a_model_without_a_parser_is_refused(spacy: Any, tmp_path: Path) -> None:
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(ProgramError, match=r"en_pipeline 0.0.0 gives no dependencies"):
        parse(load(str(tmp_path / "blank")), ["a word"])


def test_parses_can_stay_in_memory(model: Path) -> None:
    parser = load(str(model))

    def parsed(lines: list[str]) -> list[Parse]:
        return [Parse(tuple(words for _, words in line), parser.name) for line in parse(parser, lines)]

    corpus = Corpus.of({"A": ["the dog barks", "a b"]}, {"ref": ["the dog sleeps", "a b"]})
    corpus = with_parses(corpus, {"A": parsed(["the dog barks", "a b"])}, {"ref": parsed(["the dog sleeps", "a b"])})
    # (ROOT, the), (the, dog), (dog, barks) against (ROOT, the), (the, dog), (dog, sleeps): 2 of 3; then 2 of 2.
    assert measure(corpus, "depf").sums.tolist() == [[4], [5], [5]]


# --- the verb -----------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = {
        "systems/A.txt": "The dog barks. Yes.\n\n",
        "systems/B.txt": "A dog barks.\nNo.\n",
        "refs/ref.txt": "The dog barks.\nYes.\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main(["parse", *map(str, arguments)])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_a_folder_is_parsed_beside_its_texts(folder: Path, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--data", folder, "--model", model)
    assert code == 0
    assert out.split("\n")[:-1] == [f"{folder}/parses/{name}.conllu" for name in ("A", "B", "ref")]
    corpus = read(folder)
    assert len(output_parses(corpus, "A")[0].sentences) == 2
    assert output_parses(corpus, "A")[1] == Parse((), output_parses(corpus, "A")[0].parser)
    assert corpus.notes == ()
    statistics = measure(corpus, "depf")
    # A: The, dog, barks, . match, Yes and its full stop miss: 4 of 6 against 4. Nothing against Yes and its full stop.
    # B: (barks, ".") and (dog, barks) match of four against four. Of (ROOT, No), (No, .) nothing matches.
    assert statistics.sums.tolist() == [[4, 2], [6, 6], [6, 6]]
    assert "en_made 1.2.3" in statistics.signature


def test_what_is_parsed_already_stays(folder: Path, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "--data", folder, "--model", model)
    before = {one: one.stat().st_mtime_ns for one in (folder / "parses").iterdir()}
    code, out, err = run(capsys, "--data", folder, "--model", model)
    assert (code, out) == (0, "")
    assert err.count("parsed already") == 3
    assert {one: one.stat().st_mtime_ns for one in (folder / "parses").iterdir()} == before


def test_other_parses_are_not_written_over_unasked(
    folder: Path, model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "--data", folder, "--model", model)
    (folder / "systems" / "A.txt").write_text("The cat barks.\nYes.\n", encoding="utf-8")
    with pytest.raises(MtsigError, match="is parsed as"):
        read(folder)
    code, out, err = run(capsys, "--data", folder, "--model", model)
    assert (code, out) == (2, "")
    worded(err, f"{folder}/parses/A.conllu contains", "--replace")
    code, out, _ = run(capsys, "--data", folder, "--model", model, "--replace")
    assert (code, out) == (0, f"{folder}/parses/A.conllu\n")
    assert output_parses(read(folder), "A")[0].sentences[0][1].form == "cat"


def test_named_files_need_a_place(
    folder: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = ("--ref", folder / "refs" / "ref.txt", "--sys", folder / "systems" / "A.txt", "--model", model)
    code, _, err = run(capsys, *named)
    assert code == 2
    assert "Give --out FOLDER" in err
    code, out, _ = run(capsys, *named, "--out", tmp_path / "else where")
    assert code == 0
    assert out.startswith(f"{tmp_path}/else where/A.conllu\n")
    escaping = ("--ref", f"../up={folder}/refs/ref.txt", *named[2:], "--out", tmp_path / "x")
    code, _, err = run(capsys, *escaping)
    assert code == 2
    worded(err, "'../up'")


def test_one_name_for_two_texts_is_refused(folder: Path, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "systems" / "ref.txt").write_text("Another text.\nYes.\n", encoding="utf-8")
    code, _, err = run(capsys, "--data", folder, "--model", model)
    assert code == 2
    worded(err, "'ref'")
