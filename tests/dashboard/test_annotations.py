"""Parses dropped beside their texts: read, counted, and told apart from text."""

import pytest
from kept import parts, worded
from made import made_corpus, parsed
from pages import at_page, group, league, lines, made_files, texts, uploaded

from mtsig import measure
from mtsig.corpus._annotations import Parse, output_parses, reference_parses
from mtsig.metrics._dependency import conllu_text


def conllu(parses: list[Parse]) -> bytes:
    marked = [tuple((" ".join(word.form for word in words), words) for words in parse.sentences) for parse in parses]
    return conllu_text(marked, "made").encode()


def files_with_parses() -> dict[str, bytes]:
    corpus = parsed(made_corpus(40, 2, 0))
    files = made_files(2)
    files |= {f"{name}.conllu": conllu(output_parses(corpus, name)) for name in corpus.systems}
    return files | {"ref.conllu": conllu(reference_parses(corpus, "ref0"))}


@pytest.mark.slow
def test_depf_is_shown_for_parsed_texts():
    at = uploaded(files_with_parses())
    assert not at.exception
    worded(parts(texts(at), "1 reference"), "2 systems", "40 segments")
    at = at_page(at, "results")
    group(at, "more").set_value(["depf"]).run()
    assert not at.exception
    scores = measure(parsed(made_corpus(40, 2, 0)), "depf").scores
    worded(parts(texts(at), "sys0 beats sys1"), "BLEU")
    assert any(cell.startswith(f"{max(scores):.2f} ") for cell in league(at)["sys0"])


def test_without_parses_depf_says_what_it_needs():
    at = uploaded(made_files(2), "results")
    group(at, "more").set_value(["depf"]).run()
    assert not at.exception
    worded(parts(texts(at), "There is no"))
    assert "parses/NAME.conllu" in texts(at)
    assert "--" not in texts(at)


def test_a_parse_of_no_text_says_what_to_do_here():
    # A page knows no options of the command line.
    parse = {"other.conllu": files_with_parses()["sys0.conllu"]}
    said = texts(uploaded(made_files(2) | parse))
    worded(parts(said, "Name the file"), "NAME", "Data")
    assert "--" not in said


def test_a_broken_parse_names_its_line():
    at = uploaded(files_with_parses() | {"sys0.conllu": lines(["1\ta"])})
    assert not at.exception
    worded(parts(texts(at), "sys0.conllu, line 1:"), "2 columns", "10")
