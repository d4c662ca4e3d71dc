"""The language of everything that is read: words that the field does not use stand nowhere, but for a reason."""

import ast
import importlib
import inspect
import json
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from test_architecture import PUBLIC_FACES
from test_docstrings import methods_of
from test_site import names_of

from mtsig.cli._schemas import VERBS, schema_of

ROOT = Path(__file__).parents[2]

_WORDS = (
    r"kin(ship)?", r"besides?", r"(is|are|be) told", r"told (of|apart|by)", r"tells? (\w+ ){1,4}apart",
    r"(is|be) said", r"says? of", r"h[eo]ld(s|ing)? (\w+ ){0,3}against", r"holds? together", r"stands?(?! for)",
    r"stood", r"mend(s|ed|ing)?", r"doubt(s|ed|ful)?", r"err(s|ed)?", r"(not|clearly|are) separated",
    r"separates?(?! (file|line|step|process))", r"undecided", r"redraw\w*", r"drawing error",
    r"(resamples|redraws) won",
    r"people", r"judge[sd]?", r"judging",
    r"(?<!there )(is|are|was|were|be) no (?!longer|more|less|fewer|larger|need|evidence|sign)", r"nobody", r"whoever",
    r"anew", r"made (\w+ ){0,3}again", r"apart", r"to the (last )?digit", r"same digits", r"alike", r"comes? out",
    r"it takes (\d+|\{)", r"(speak|speaks|spoke|spoken) of", r"otherwise than", r"an?other \w+ than", r"proof",
    r"prove[sdn]?", r"real differences?", r"in the (mean|median)", r"taken for", r"takes? (\w+ ){1,3}for a",
    r"further sets?", r"is open", r"leaves? open", r"kinks?", r"no derivative",
)  # fmt: skip
UNWANTED = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE)

ALLOWED = {
    "Words are not separated": "what a tokenizer does",
    "LLM as a judge": "the field's name for it",
    "one-redraw": "the address of a lesson",
    "kg ki kj kk kl km kn": "codes of languages",
    "of_experiment(redraws(": "a function that the gallery calls",
}
"""A piece of a sentence that has one of these words, and why it may: at most 25."""


def sentences(text: str) -> Iterator[str]:
    """Yield sentences of four words or more, and whole labels, without what the program fills in."""
    if is_label(text):
        yield text
    for sentence in re.split(r"(?<=[.:;?!])\s+|\n\s*\n|\n[-*#|] ?", text):
        told = " ".join(re.sub(r"\{[^{}]*\}", "{}", sentence).split())
        if len(told.split()) >= 4:
            yield told


def is_label(text: str) -> bool:
    """Return whether a string is a label: two or three words, or one that begins as a title does."""
    words = text.split()
    return len(words) in (2, 3) or (re.fullmatch(r"[A-Z][a-z]+", text) is not None and text not in CLASSES)


CLASSES = {"Judged", "Redraw"}
"""Classes that annotations name in quotes."""


def in_code(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the sentences and labels of a module that are no docstrings, with their lines."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    unread = {id(node.value) for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    inside = {id(value) for node in nodes if isinstance(node, ast.JoinedStr) for value in node.values}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            text = "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in unread | inside:
            text = node.value
        else:
            continue
        if len(text.split()) >= 4 or is_label(text):
            yield node.lineno, text


def in_page(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the prose of a page, without code and tables."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"^```.*?^```|^~~~.*?^~~~", lambda block: "\n" * block[0].count("\n"), text, flags=re.M | re.S)
    text = re.sub(r"^( {4,}|\|).*$", "", text, flags=re.M)
    text = re.sub(r"`[^`]*`|\]\([^)]*\)|<[^>]*>", " ", text)
    for paragraph in re.finditer(r"(?:^.*\S.*$\n?)+", text, flags=re.M):
        yield text.count("\n", 0, paragraph.start()) + 1, paragraph[0]


def in_notebook(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the prose of a notebook's cells, and the comments of its code, with the cells' numbers."""
    for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"], 1):
        text = "".join(cell["source"])
        comments = "\n\n".join(re.findall(r"# (.*)", text))
        yield number, re.sub(r"`[^`]*`|\]\([^)]*\)", " ", text) if cell["cell_type"] == "markdown" else comments


def in_navigation(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the titles of the documentation's navigation, with their lines."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if title := re.match(r" +- ([^:]+):", line):
            yield number, title[1]


def in_docstring(thing: Any, doc: str) -> str:
    """Return the prose of a docstring: no examples, no code, no names of parameters and fields."""
    doc = re.sub(r"^ *(>>>|\.\.\.).*(\n(?! *>>>).*\S.*)*$", "", inspect.cleandoc(doc), flags=re.M)
    doc = re.sub(r"`[^`]*`|^[\w, ]+$(?=\n    )|^[\w, *]+ : .*$|^-+$", " ", doc, flags=re.M)
    fields = {name for kind in getattr(thing, "__mro__", ()) for name in vars(kind).get("__annotations__", ())}
    return re.sub(r"\b\w+(?=[:,])", lambda word: " " if word[0] in fields else word[0], doc)


def docstrings() -> Iterator[tuple[str, Any, str]]:
    """Yield (name, thing, docstring) of the public faces, their functions and classes, and the methods of these."""
    for face in sorted(PUBLIC_FACES):
        yield face, None, importlib.import_module(face).__doc__ or ""
        for name, thing in names_of(face).items():
            if inspect.isroutine(thing) or inspect.isclass(thing):
                yield f"{face}.{name}", thing, thing.__doc__ or ""
            if inspect.isclass(thing):
                for method, docs in methods_of(thing):
                    yield f"{face}.{name}.{method.__name__}", thing, docs[0]


@cache
def read_by_users() -> list[tuple[str, str, str]]:
    """Return (package, place, sentence) of everything that a user may read."""
    found = []
    modules = [path for folder in ("mtsig", "dashboard", "docs") for path in (ROOT / folder).rglob("*.py")]
    pages = [*(ROOT / "mtsig").rglob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")]
    others = [*(ROOT / "docs" / "notebooks").glob("*.ipynb"), ROOT / "mkdocs.yml"]
    ways = {".py": in_code, ".md": in_page, ".ipynb": in_notebook, ".yml": in_navigation}
    for path in sorted([*modules, *pages, *others]):
        place = path.relative_to(ROOT)
        package = place.parts[1] if place.parts[0] == "mtsig" and len(place.parts) > 2 else place.parts[0]
        for line, text in ways[path.suffix](path):
            for sentence in sentences(text):
                found.append((package, f"{place}:{line}", sentence))
    for name, thing, doc in docstrings():
        found += [("docstrings", name, sentence) for sentence in sentences(in_docstring(thing, doc))]
    return found


def unwanted() -> list[tuple[str, str, str, str]]:
    """Return (package, place, word, sentence) of every sentence with a word that the field does not use."""
    found = []
    for package, place, sentence in read_by_users():
        hit = UNWANTED.search(sentence)
        if hit and not any(piece in sentence for piece in ALLOWED):
            found.append((package, place, hit[0], sentence))
    return found


def test_sentences_use_the_words_of_the_field() -> None:
    assert [f"{place}: [{word}] {sentence}" for _, place, word, sentence in unwanted()] == []


OLD = {"not separated", "underpowered", "win_rate", "low", "high", "shown", "told", "contrary", "part"}
"""What keys and values of JSON were, and readers misread."""


def words_of(schema: Any) -> Iterator[str]:
    """Yield the keys of the objects that a schema describes, and the words of its enumerations."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        yield from filter(lambda value: isinstance(value, str), schema.get("enum", ()))
        schema = list(schema.values())
    for inner in schema if isinstance(schema, list) else ():
        yield from words_of(inner)


def test_keys_and_values_of_json_are_words_of_the_field() -> None:
    words = {word for verb in (*VERBS, "compare", "preferences") for word in words_of(schema_of(verb))}
    assert len(words) > 400
    own = {"separate"}  # not shared, said of units, and of ways to compare
    assert {word for word in words if UNWANTED.search(word.replace("_", " "))} == own
    assert words & OLD == set()


IDENTIFIER = re.compile(
    r"(?<![\w./`'\"=:<-])(?:[a-z]+(?:_[a-z0-9]+)+|[A-Z][a-z]+(?:[A-Z][a-z]+)+)(?![\w/(=`'\"-]|\.\w)"
)
"""A name of the program's own, such as n_resamples or RaterScores, outside of code."""

SCREENS = {
    "dashboard", "report", "lab", "lessons", "explain", "doctor", "cautions", "gate", "collection", "segments",
    "figures",
}  # fmt: skip
"""Where sentences of pages and terminals are written; messages to Python programs name its arguments."""

NAMES = {"McPherson", "PostScript", "WordNet", "GitHub"}
"""What is written so by its makers."""


def test_no_sentence_on_a_screen_has_a_name_of_the_program() -> None:
    found = [
        f"{place}: {name} in {sentence}"
        for package, place, sentence in read_by_users()
        if package in SCREENS and len(sentence.split()) >= 4 and re.search(r"^[A-Z{]|[.?!:;]$", sentence)
        for name in set(IDENTIFIER.findall(sentence)) - NAMES
    ]
    assert found == []
    assert IDENTIFIER.findall("The value of n_resamples is kept in a RaterScores.") == ["n_resamples", "RaterScores"]


def test_no_sentence_on_a_screen_is_long() -> None:
    screens = {*SCREENS, "cli", "inference", "meta_eval", "campaign"}
    found = [(place, sentence) for package, place, sentence in read_by_users() if package in screens]
    code = r"\w = |\bimport "  # lessons show what a notebook runs
    assert [one for one in found if len(one[1].split()) > 35 and not re.search(code, one[1])] == []


TWISTED = {
    "the subject stands before the verb": r"\b(?:[Ss]o|[Nn]or) (?:is|are|do|does|did|must|was|were) "
    r"(?!\w+ed\b|not\b|only\b)",
    "“also” stands before what it is about": r", too[.;]?$",
    "“none” names nothing": r"\bwhere there (?:is|are) none\b",
    "“therefore” begins a sentence of its own": r"\bhence\b",
}
"""What a sentence that is read once has, and the twist that it has not."""


@pytest.mark.parametrize("rule", TWISTED)
def test_no_sentence_is_twisted(rule: str) -> None:
    assert [f"{place}: {said}" for _, place, said in read_by_users() if re.search(TWISTED[rule], said)] == []


@pytest.mark.parametrize(
    "bad",
    ["The output is rejected, nor is it read.", "They are counted, too.", "0 where there is none.", "hence the 1."],
)
def test_twisted_sentences_are_found(bad: str) -> None:
    assert any(re.search(twist, bad) for twist in TWISTED.values())


def test_exceptions_are_few_and_used() -> None:
    assert len(ALLOWED) <= 25
    said = [sentence for _, _, sentence in read_by_users()]
    assert [piece for piece in ALLOWED if not any(piece in sentence for sentence in said)] == []


@pytest.mark.parametrize("bad", ["A and B are not separated.", "What the metric says of it, people doubt.", "People"])
def test_the_lint_finds_what_it_is_for(bad: str) -> None:
    assert UNWANTED.search(bad)


def test_subjects_of_commits_say_component_and_what_is_done() -> None:
    first = "9f78b5f2"
    log = subprocess.run(
        ["git", "log", "--no-merges", "--format=%s", f"{first}..HEAD"], cwd=ROOT, capture_output=True, text=True
    )
    if log.returncode:
        pytest.skip("no history here: a shallow clone, or no git")
    subjects = log.stdout.splitlines()
    assert [one for one in subjects if not re.match(r"[a-z/_-]+: [a-z]", one) or len(one) > 72] == []


if __name__ == "__main__":
    import sys

    for package, place, word, sentence in unwanted():
        if len(sys.argv) < 2 or package in sys.argv[1:] or any(place.startswith(one) for one in sys.argv[1:]):
            print(f"{place}: [{word}] {sentence}")
