"""Measure the house: its size, its doors and its ways; run as `python tests/benchmarks/house.py`.

Prints one line per measure, so that two commits can be compared. Product lines are those of `mtsig` and the dashboard.
"""

import ast
import contextlib
import io
import json
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from inspect import CO_OPTIMIZED
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "sample_data" / "es-en"
PRODUCT = ("mtsig", "dashboard")
COMPREHENSIONS = {"<listcomp>", "<setcomp>", "<dictcomp>"}


@cache
def product() -> tuple[Path, ...]:
    """Return the product's Python files."""
    return tuple(sorted(file for place in PRODUCT for file in (ROOT / place).rglob("*.py")))


def tree(file: Path) -> ast.Module:
    """Return a file as a syntax tree."""
    return ast.parse(file.read_text(encoding="utf-8"))


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements in a node, and in them: to look into expressions takes five times as long."""
    for block in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, block, ()):
            yield inner
            yield from statements(inner)


def import_lines(file: Path) -> int:
    """Count the lines that import something."""
    nodes = (node for node in statements(tree(file)) if isinstance(node, ast.Import | ast.ImportFrom))
    return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in nodes)


def sizes() -> Iterator[tuple[str, str]]:
    """Yield lines, files, short files, basenames and the share of imports."""
    lines = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in product()}
    total = sum(lines.values())
    names = Counter(file.name for file in product() if file.name != "__init__.py")
    yield "product lines", f"{total:,}"
    yield "product files", f"{len(lines)}"
    yield "files below 60 lines", f"{sum(count < 60 for count in lines.values())}"
    yield "basenames more than twice", f"{sum(count > 2 for count in names.values())}"
    yield "import lines", f"{sum(map(import_lines, product())) / total:.1%}"
    yield "longest files", ", ".join(f"{file.name} {lines[file]}" for file in sorted(lines, key=lines.__getitem__)[-3:])


def faces() -> Iterator[tuple[str, str]]:
    """Yield how many packages and modules list public names, and how many names these are."""
    sys.path.insert(0, str(ROOT / "tests"))
    from test_architecture import PUBLIC_FACES

    import mtsig

    def names(face: str) -> list[str]:
        return list(getattr(sys.modules.get(face) or __import__(face, fromlist=["_"]), "__all__", []))

    yield "public faces", f"{len(PUBLIC_FACES)}"
    yield "public names", f"{sum(len(names(face)) for face in PUBLIC_FACES)}"
    yield "names on top of mtsig", f"{len(mtsig.__all__)}"


def entered(work: Callable[[], object]) -> int:
    """Count the product's files in which a function is entered while something is done."""
    files: set[str] = set()

    def note(frame: Any, event: str, _: object) -> None:
        # Bodies of modules and classes are entered where they are loaded, whoever asks for them first. A comprehension
        # is part of the body that it stands in, as it is for Python from 3.12 on.
        code = frame.f_code
        if event == "call" and code.co_flags & CO_OPTIMIZED and code.co_name not in COMPREHENSIONS:
            files.add(code.co_filename)

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return len(files & {str(file) for file in product()})


def ways(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield how many files are entered on the long ways through the house; `folder` takes what is written."""
    import mtsig
    from mtsig.cli import main

    def shell(*arguments: str) -> None:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
            main(list(arguments))

    saved = folder / "study.json"
    shell("compare", "--data", str(SAMPLE), "--metric", "chrf", "--out", str(saved))
    compare: Callable[[], object] = lambda: mtsig.compare(SAMPLE, "bleu")  # noqa: E731
    latex: Callable[[], object] = lambda: shell("report", str(saved), "--to", "latex", "--out", str(folder))  # noqa: E731
    trust: Callable[[], object] = lambda: shell("meta-eval", "--data", str(rated(folder)), "--metric", "chrf")  # noqa: E731
    ways = (("folder to study", compare), ("ratings to trust table", trust), ("saved study to LaTeX", latex))
    for way, work in ways:
        yield f"files entered: {way}", f"{entered(work)}"
    rows = hashable(saved)
    constant = sum(len({row[key] for row in rows}) == 1 for key in rows[0])
    yield "constant keys of a saved comparison", f"{constant} of {len(rows[0])}"


def rated(folder: Path) -> Path:
    """Write the sample data with ratings of every segment, and return their folder."""
    made = folder / "rated"
    shutil.copytree(SAMPLE, made, dirs_exist_ok=True)
    systems = [file.stem for file in sorted((made / "systems").iterdir())]
    rows = [f"{name}\t{1 + (7 * i + place) % 5}\t{i}" for place, name in enumerate(systems) for i in range(1, 201)]
    (made / "ratings").mkdir(exist_ok=True)
    (made / "ratings" / "adequacy.tsv").write_text("\n".join(["system\tadequacy\tsegment", *rows]), encoding="utf-8")
    return made


def hashable(saved: Path) -> list[dict[str, str]]:
    """Return the comparisons of a saved study as rows of text."""
    columns = json.loads(saved.read_text(encoding="utf-8"))["sets"][0]["results"][0]["comparisons"]["columns"]
    listed = {key: column for key, column in columns.items() if isinstance(column, list)}
    return [{key: json.dumps(column[i]) for key, column in listed.items()} for i in range(len(columns["first"]))]


def floors(package: str) -> int:
    """Return how many modules stand on each other inside a package: its longest chain of imports."""
    files = {
        ".".join(file.relative_to(ROOT).with_suffix("").parts): file
        for file in (ROOT / package).rglob("*.py")
        if file.name != "__init__.py"
    }
    below = {
        name: {
            reached
            for node in statements(tree(file))
            if isinstance(node, ast.ImportFrom)
            for reached in (f"{node.module}", *(f"{node.module}.{alias.name}" for alias in node.names))
            if reached in files
        }
        for name, file in files.items()
    }

    @cache
    def height(name: str) -> int:
        return 1 + max((height(other) for other in below[name] if other != name), default=0)

    return max(map(height, files))


def cost() -> float:
    """Return the CPU seconds of the default family over documents: 16 systems, 3,000 segments, 150 documents."""
    import numpy as np

    import mtsig
    from mtsig.inference import Settings

    rng = np.random.default_rng(1)
    words = np.array([f"w{i}" for i in range(400)])
    reference = [" ".join(rng.choice(words, 20)) for _ in range(3000)]

    def output(rate: float) -> list[str]:
        return [" ".join(np.where(rng.random(20) < rate, rng.choice(words, 20), line.split())) for line in reference]

    systems = {f"s{i}": output(0.3 + 0.01 * i) for i in range(16)}
    documents = [str(i // 20) for i in range(3000)]
    made = mtsig.measure(mtsig.Corpus.of(systems, {"ref": reference}, documents=documents), "bleu")
    times = []
    for _ in range(3):
        start = time.process_time()
        Settings().family(made)
        times.append(time.process_time() - start)
    return statistics.median(times)


def tests() -> Iterator[tuple[str, str]]:
    """Yield how the tests follow the house: files that bear a module's name, and asserts that hold phrases."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    modules = {file.stem.lstrip("_") for file in product()}
    own = sum(file.stem.removeprefix("test_") in modules for file in files)
    yield "test files named after a module", f"{own} of {len(files)}"
    nodes = [node for file in files for node in ast.walk(tree(file))]
    asserts: list[ast.AST] = [node.test for node in nodes if isinstance(node, ast.Assert)]
    asserts += [node for node in nodes if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "worded"]

    def phrase(node: ast.AST) -> bool:
        texts = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
        return any(isinstance(text, str) and text.count(" ") >= 3 for text in texts)

    yield "asserts that hold phrases", f"{sum(map(phrase, asserts)) / len(asserts):.0%}"


def main() -> None:
    """Print the measures."""
    with tempfile.TemporaryDirectory() as made:
        for name, value in (*sizes(), *faces(), *ways(Path(made))):
            print(f"{name:42} {value}")
    print(f"{'floors inside inference':42} {floors('mtsig/inference')}")
    print(f"{'CPU seconds of the default family':42} {cost():.2f}")
    for name, value in tests():
        print(f"{name:42} {value}")


if __name__ == "__main__":
    main()
