"""`mtsig parse`: dependency parses of systems and references, as CoNLL-U files, by an installed spaCy model."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from mtsig.cli.inputs import add_input
from mtsig.cli.reading import read_texts
from mtsig.cli.say import say, tell
from mtsig.cli.show import progress
from mtsig.corpus import Corpus
from mtsig.errors import ReadError
from mtsig.parsing import Spacy, conllu_text, load, parse
from mtsig.readers import File, parses_of, sentences_of
from mtsig.writing import write_file

EXAMPLES = {
    "mtsig parse --data data --model en_core_web_sm": "into data/parses",
    "mtsig parse --ref ref.txt --sys ours.txt --model en_core_web_sm --into parses": "files named one by one",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_input(parser)
    parser.add_argument("--model", required=True, metavar="NAME", help="an installed spaCy model, as en_core_web_sm")
    parser.add_argument("--into", metavar="FOLDER", help="where the files go (default: parses/ in the --data folder)")
    parser.add_argument("--replace", action="store_true", help="write over files that hold other parses")


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    place = _place(chosen)
    texts = _texts(read_texts(chosen))
    model = load(chosen.model)
    files = {name: place / f"{name}.conllu" for name in texts}
    kept = {name for name, file in files.items() if file.exists() and _is_parse(file, texts[name], model)}
    if not chosen.replace:
        for name, file in files.items():
            if file.exists() and name not in kept:
                raise ReadError(f"{file} holds another parse. Add --replace to write over it, or choose --into FOLDER.")
    for name, file in files.items():
        if name in kept:
            tell(f"{file}: parsed already")
            continue
        lines = [line or "" for line in texts[name]]
        with progress(f"Parsing {name}"):
            parsed = parse(model, lines)
        write_file(file, conllu_text(parsed, model.name).encode())
        say(str(file))
    return 0


def _place(chosen: argparse.Namespace) -> Path:
    if chosen.into:
        return Path(chosen.into)
    if chosen.data and Path(chosen.data).is_dir():
        return Path(chosen.data) / "parses"
    raise ReadError("Where should the parses go? Give --into FOLDER, or the texts as a folder with --data.")


def _texts(corpus: Corpus) -> dict[str, Sequence[str | None]]:
    """Return what is to be parsed: outputs and references by name."""
    texts: dict[str, Sequence[str | None]] = dict(corpus.outputs)
    for name, lines in corpus.references.items():
        if name in texts and tuple(texts[name]) != tuple(lines):
            raise ReadError(f"A system and a reference are both called {name!r}, with different texts: rename one.")
        texts[name] = lines
    for name in texts:
        if Path(name).name != name:
            raise ReadError(f"A file cannot be called like {name!r}: give the text another name, as NAME=FILE.")
    return texts


def _is_parse(file: Path, lines: Sequence[str | None], model: Spacy) -> bool:
    """Return whether a file holds the parse of these lines by this model."""
    try:
        sentences, _ = sentences_of(File(str(file), file))
        parses = parses_of(str(file), sentences, lines)
    except ReadError:
        return False
    return any(parse.parser == model.name for parse in parses)
