"""spaCy as the parser: a blank pipeline with a small component of our own, saved to disk and loaded by name."""

import builtins
import sys
from pathlib import Path
from typing import Any

import pytest

from mtsig import Corpus, MtsigError, measure, read, watching
from mtsig._parsing import conllu_text, load, parse
from mtsig.cli import main
from mtsig.corpus._annotations import Parse, Word, output_parses, with_parses
from mtsig.errors import ProgramError
from mtsig.readers import File
from mtsig.readers._conllu import parses_of, sentences_of


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
    for piece in ("its extra parse", "spacy download", "mtsig itself downloads nothing here"):
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
    with pytest.raises(ProgramError, match=r"spaCy is not installed. Install mtsig with its extra parse"):
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
    assert f"{folder}/parses/A.conllu contains another parse. Overwrite it by --replace" in err
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
    assert "'../up' cannot be a file name" in err


def test_one_name_for_two_texts_is_refused(folder: Path, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "systems" / "ref.txt").write_text("Another text.\nYes.\n", encoding="utf-8")
    code, _, err = run(capsys, "--data", folder, "--model", model)
    assert code == 2
    assert "A system and a reference are both called 'ref'" in err
