"""Files changed at random: each gives a corpus or one clear error, and reading it takes work in bounds.

The seeds are fixed. MTSIG_MUTATIONS=5000 tries so many changes of each form instead of a few.
"""

import os
import random
import re
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from forms import FORMS, Files
from made import made_corpus
from rated import DOCUMENTS, EXAMPLES

from mtsig import Corpus, MtsigError, Settings, measure, metric
from mtsig.corpus import inspect
from mtsig.readers import File, assemble
from mtsig.readers._read import parts_of, sample_files
from mtsig.study import Margin, Request, conduct, study_of
from mtsig.study._request import plan_of, plan_text

TRIES = int(os.environ.get("MTSIG_MUTATIONS", "4"))

CALLS_PER_BYTE = 400
"""Calls of functions, Python's and those in C, that reading may take for each byte; 10 to 60 are usual."""

CALLS = 100_000
"""Calls that reading may take whatever the size."""

SPANS = [
    b"", b"\0", b"\xff", b"\xed\xa0\x80", b"\r", b"\n", b"\n\n", b"\t", b",", b";", b'"', b'""', b"'", b"<", b">",
    b"</seg>", b"&", b"&#0;", b"&#x110000;", b"&#99999999;", b"{", b"}", b"[", b"]", b":", b"null", b"true", b"NaN",
    b"Infinity", b"-1e308", b"1e308", b"1e-308", b"1e999", b"-0", b"0", b"1.5", b"9" * 30, b"9" * 400, b"9" * 5000,
    b"1_000", b"None", "²".encode(), "٣".encode(), "\u0301".encode() * 300, "\u2028".encode(), "\u202e".encode(),
    b" " * 3000, b"<" * 500, b"\x1b[2J", b"\xef\xbb\xbf", b"# segment = 7\n", b"higher", b"lower", b"ref", b"system",
    b"#bad", b"_", b"-", b"..", b"/",
]  # fmt: skip
"""What is put into files, or in the place of their numbers."""

_NUMBER = re.compile(rb"-?\d+(\.\d+)?")


def changed(data: bytes, chance: random.Random) -> bytes:
    """Return the bytes with one change of a random kind."""
    kind = chance.randrange(9)
    at = chance.randrange(len(data) + 1)
    end = min(len(data), at + chance.choice([1, 5, 40, 400]))
    lines = data.split(b"\n")
    line = chance.randrange(len(lines))
    numbers = list(_NUMBER.finditer(data))
    if kind == 0:
        return data[:at] + chance.choice(SPANS) + data[at:]
    if kind == 1:
        return data[:at] + data[end:]
    if kind == 2:
        return data[:at] + data[at:end] * chance.choice([2, 50]) + data[end:]
    if kind == 3:
        return data[:at] + chance.randbytes(end - at) + data[end:]
    if kind == 4 and numbers:
        number = chance.choice(numbers)
        return data[: number.start()] + chance.choice(SPANS) + data[number.end() :]
    if kind == 5:
        return b"\n".join([*lines[:line], *[lines[line]] * chance.choice([0, 2, 60]), *lines[line + 1 :]])
    if kind == 6:
        return b"\n".join(chance.sample(lines, len(lines)))
    if kind == 7:
        words = re.split(rb"(\s+|[,\"<>{}:])", lines[line])
        words[chance.randrange(len(words))] = chance.choice(SPANS)
        return b"\n".join([*lines[:line], b"".join(words), *lines[line + 1 :]])
    return data[:end]


def mutated(files: Files, chance: random.Random) -> Files:
    """Return the files with one to three changes, in one of them or in several."""
    found = dict(files)
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        name = chance.choice(sorted(found))
        found[name] = changed(found[name], chance)
    return found


def calls_of(work: Callable[[], object]) -> int:
    """Return how many functions the work calls."""
    count = 0

    def seen(_: object, event: str, __: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def read_all(files: Files) -> None:
    """Read the files; what they make must be of use, what is said of them short and clear."""
    try:
        corpus = assemble(parts_of([File(name, content) for name, content in files.items()]))
    except MtsigError as error:
        check_message(str(error))
        return
    check_corpus(corpus)


def check_message(text: str) -> None:
    assert text.strip()
    assert "\x1b" not in text
    for message in text.split("\n"):
        assert len(message) <= 2_000


def check_corpus(corpus: Corpus) -> None:
    assert corpus.digest.startswith("sha256:")
    inspect(corpus)
    for name, rating in corpus.ratings.items():
        assert rating.values.shape == (len(corpus.systems), len(corpus))
        assert not np.isinf(rating.values).any()
        try:
            scores = measure(corpus, metric(f"rating:{name}", tuple(corpus.ratings))).scores
        except MtsigError:
            continue
        assert not np.isinf(scores).any()


def sample() -> Files:
    """Return the beginnings of the sample data's files."""
    return {file.label: b"\n".join(file.data.split(b"\n")[:25]) for file in sample_files()}


def conllu() -> Files:
    words = (
        "# segment = {0}\n# text = one two\n1\tone\tone\tX\t_\t_\t2\tnsubj\t_\t_\n2\ttwo\ttwo\tX\t_\t_\t0\troot\t_\t_\n"
    )
    texts = {"ref.txt": b"one two\none two\n", "a.txt": b"one two\none two\n"}
    parses = {f"parses/{name}.conllu": "\n".join(words.format(i) for i in (1, 2)).encode() for name in ("ref", "a")}
    return texts | parses


def rated(name: str) -> Files:
    return {"docids.txt": "".join(f"{one}\n" for one in DOCUMENTS).encode()} | EXAMPLES[name]()


FILES: dict[str, Callable[[], Files]] = {
    **FORMS,
    **{f"ratings: {name}": (lambda name=name: rated(name)) for name in EXAMPLES},
    **{f"ratings alone: {name}": EXAMPLES[name] for name in EXAMPLES},
    "sample data": sample,
    "parses": conllu,
}


@pytest.mark.parametrize("form", FILES)
def test_files_changed_at_random_are_read_or_refused_with_bounded_work(form: str) -> None:
    files = FILES[form]()
    read_all(files)  # what is loaded when it is first used is no work on a file
    for seed in range(TRIES):
        some = mutated(files, random.Random(f"{form} {seed}"))
        calls = calls_of(lambda some=some: read_all(some))
        assert calls < CALLS + CALLS_PER_BYTE * sum(map(len, some.values())), seed


QUICK = Request((metric("bleu"),), Settings(n_resamples=50), margins=(Margin("bleu", "equivalence", 1.5),))


@pytest.fixture(scope="module")
def study() -> bytes:
    return conduct(made_corpus(n=12, systems=2, documents=12), QUICK).text().encode()


def refused_or_read(reader: Callable[[bytes], Any], data: bytes) -> None:
    said = ""
    try:
        reader(data)
    except MtsigError as error:
        said = str(error)
        check_message(said)
    assert said or reader(data)


def test_studies_changed_at_random_are_read_or_refused(study: bytes) -> None:
    study_of(study)
    for seed in range(4 * TRIES):
        refused_or_read(study_of, mutated({"": study}, random.Random(seed))[""])


def test_plans_changed_at_random_are_read_or_refused() -> None:
    plan = plan_text(QUICK).encode()
    plan_of(plan)
    for seed in range(8 * TRIES):
        refused_or_read(plan_of, mutated({"": plan}, random.Random(seed))[""])
