"""The house keeps its plan: layers import to the left, tools stay in their rooms, and no test data moves in."""

import ast
import importlib
import json
import re
import runpy
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from mtsig.collection._beyond import SEPARATIONS
from mtsig.corpus import Corpus
from mtsig.corpus._corpus import Segments
from mtsig.inference import CORRECTIONS, INTERVALS, TESTS
from mtsig.meta_eval import STATISTICS
from mtsig.metrics import METRICS, Metric, Statistics
from mtsig.metrics._statistics import Kinship

ROOT = Path(__file__).resolve().parents[1]

LAYERS = (
    {"_downloads", "_limits", "_memory", "_options", "_plugins", "_probability", "_writing"}
    | {"citations", "errors", "explain", "progress"},
    {"_results"},
    {"_records"},
    {"corpus"},
    {"readers", "text"},
    {"_plain"},
    {"metrics"},
    {"doctor", "resampling"},
    {"inference"},
    {"_say"},
    {"_cautions"},
    {"collection"},
    {"meta_eval", "segments", "study"},
    {"campaign"},
    {"gate"},
    {"figures"},
    {"report"},
    {"lab", "testing"},
    {"lessons"},
    {"_front"},
    {"cli"},
    {"__init__", "__main__"},
)
RANK = {room: rank for rank, rooms in enumerate(LAYERS) for room in rooms}

PUBLIC_FACES = {"mtsig"} | {
    f"mtsig.{room}"
    for room in (
        "campaign", "corpus", "figures", "gate", "inference", "lab", "meta_eval", "metrics", "readers", "report",
        "study",
    )
}  # fmt: skip


def _files(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"), str(file))


@cache
def _nodes(file: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(_tree(file)))


@cache
def _imports(file: Path) -> tuple[tuple[str, str | None], ...]:
    """Return (module, imported name or None) of every import, also those inside functions."""
    imports: list[tuple[str, str | None]] = []
    for node in _nodes(file):
        if isinstance(node, ast.Import):
            imports += ((alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # A relative import would be invisible to the rest of this file; the house imports absolutely.
            assert node.level == 0, f"{file}: relative import"
            imports += ((node.module or "", alias.name) for alias in node.names)
    return tuple(imports)


def _room(file: Path) -> str:
    return file.relative_to(ROOT / "mtsig").parts[0].removesuffix(".py")


def _room_of_import(module: str, name: str | None) -> str:
    """Return the room of mtsig that an import reaches."""
    parts = module.split(".")
    if len(parts) > 1:
        return parts[1]
    # `from mtsig import corpus` reaches the room, `from mtsig import Corpus` the public face.
    return name if name in RANK else "__init__"


def _users_of(library: str, package: str) -> set[Path]:
    return {
        file.relative_to(ROOT / package)
        for file in _files(package)
        for module, _ in _imports(file)
        if module.split(".")[0] == library
    }


def test_every_module_has_a_layer() -> None:
    assert {_room(file) for file in _files("mtsig")} <= set(RANK)


def test_modules_import_from_their_own_layer_or_from_the_left() -> None:
    wrong = []
    for file in _files("mtsig"):
        own = _room(file)
        for module, name in _imports(file):
            if module.split(".")[0] != "mtsig":
                continue
            other = _room_of_import(module, name)
            together = other == own or (RANK[other] == RANK[own] == 0)
            if not together and RANK[other] >= RANK[own]:
                wrong.append(f"{file.relative_to(ROOT)} imports {module}")
    assert wrong == []


def _graph() -> dict[str, set[str]]:
    """Return which modules of mtsig each module imports, inside functions, too; not what types alone need."""
    modules = {
        ".".join(("mtsig", *file.relative_to(ROOT / "mtsig").with_suffix("").parts)): file
        for file in _files("mtsig")
        if file.stem != "__init__"  # a face gathers what its modules make, and loads them late
    }
    graph = {}
    for module, file in modules.items():
        reached = {f"{node}.{name}" for node, name in _imports(file)} | {node for node, _ in _imports(file)}
        graph[module] = (reached & set(modules)) - _for_types(file)
    return graph


def _for_types(file: Path) -> set[str]:
    """Return the modules that a file imports for type checkers alone."""
    blocks = (node for node in _nodes(file) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    return {node.module or "" for block in blocks for node in block.body if isinstance(node, ast.ImportFrom)}


def _in_cycles(graph: dict[str, set[str]]) -> set[str]:
    """Return the modules that reach themselves."""

    def reached(start: str) -> set[str]:
        seen, left = set[str](), [start]
        while left:
            new = graph[left.pop()] - seen
            seen |= new
            left += new
        return seen

    return {module for module in graph if module in reached(module)}


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert _in_cycles(_graph()) == set()


def test_a_circle_would_be_noticed() -> None:
    assert _in_cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == {"b", "c"}


def test_the_layer_rule_would_notice_an_import_to_the_right() -> None:
    assert RANK[_room_of_import("mtsig._say", "say")] > RANK["corpus"]
    assert RANK[_room_of_import("mtsig", "Corpus")] > RANK["cli"]


def _reached(kind: Any, seen: set[Any]) -> set[Any]:
    """Return the classes that the fields of a class reach, it itself among them, through whatever holds them."""
    for inner in get_args(kind):
        _reached(inner, seen)
    if is_dataclass(kind) and kind not in seen:
        seen.add(kind)
        for hint in get_type_hints(kind, localns={"Metric": Metric, "Statistics": Statistics}).values():
            _reached(hint, seen)
    return seen


def test_statistics_reach_no_text() -> None:
    classes = set[Any]().union(*(_reached(kind, set()) for kind in (Statistics, *map(type, METRICS.values()))))
    assert {Statistics, Kinship} <= classes
    assert not classes & {Corpus, Segments}
    assert Segments in _reached(Corpus, set())


def test_inference_counts_nothing_and_checks_no_data() -> None:
    wrong = [
        f"{file.relative_to(ROOT)}: {module}.{name}"
        for file in (ROOT / "mtsig" / "inference").rglob("*.py")
        for module, name in _imports(file)
        if (module.startswith("mtsig.metrics") and name == "measure") or module.startswith("mtsig.doctor")
    ]
    assert wrong == []


READ = ("README.md", "docs/**/*.md", "docs/*.py", "docs/notebooks/*.ipynb", "sample_data/*.py")
"""What users read. The house itself imports from the modules that have a thing: these may move, the faces may not."""


def test_what_users_read_imports_from_public_faces_alone() -> None:
    wrong = []
    for page in (page for pattern in READ for page in ROOT.glob(pattern) if page.name not in OWN_PAGES):
        text = page.read_text(encoding="utf-8").replace("\\n", "\n")
        for module, names in re.findall(r"from (mtsig[\w.]*) import ([\w, ]+)", text):
            taken = set(names.replace(" ", "").split(","))
            if module in PUBLIC_FACES and not taken <= _public(module):
                wrong.append(f"{page.name}: {module} has no {', '.join(sorted(taken - _public(module)))}")
            elif module not in PUBLIC_FACES | PUBLIC_MODULES:
                wrong.append(f"{page.name}: {module}")
    assert wrong == []


PUBLIC_MODULES = {f"mtsig.{name}" for name in ("citations", "cli", "errors", "progress", "resampling", "testing")}
OWN_PAGES = {"command_line.py", "lesson_numbers.py", "made_pages.py", "sets_numbers.py"}
"""What makes the site, and the numbers in it, looks into the house."""


MOST = {
    "product lines": 106_506, "product files": 279, "files below 60 lines": 24, "basenames more than twice": 0,
    "import lines": 4.5,
}  # fmt: skip
"""What the house may be at most, as `python tests/benchmarks/house.py` measures it; import lines in % of all."""


def test_the_house_does_not_grow_back() -> None:
    house = runpy.run_path(str(ROOT / "tests" / "benchmarks" / "house.py"))
    measured = {name: float(value.replace(",", "").rstrip("%")) for name, value in house["sizes"]() if name in MOST}
    assert {name: value for name, value in measured.items() if value > MOST[name]} == {}
    assert measured.keys() == MOST.keys()
    assert house["floors"]("mtsig/inference") <= 8


def test_scripts_that_measure_import_what_is_there() -> None:
    ours = {file.stem: file for file in sorted((ROOT / "tests").rglob("*.py"))}
    missing = []
    for script in sorted((ROOT / "tests" / "benchmarks").glob("*.py")):
        for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom) or node.module is None:
                continue
            if node.module in ours:
                has = _bound(ast.parse(ours[node.module].read_text(encoding="utf-8")))
            elif node.module.partition(".")[0] == "mtsig":
                has = set(dir(importlib.import_module(node.module)))
            else:
                continue
            missing += [f"{script.name}: {node.module}.{one.name}" for one in node.names if one.name not in has]
    assert missing == []


def _bound(module: ast.Module) -> set[str]:
    """Return the names that a module has at its top."""
    found = {node.name for node in module.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for node in module.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            found |= {one.asname or one.name for one in node.names}
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            found |= {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    return found


WAYS = {"folder to study": 48, "ratings to trust table": 55, "saved study to LaTeX": 36}
"""In how many files of the product a function is entered at most on the long ways, where no counts are kept."""


def test_the_long_ways_through_the_house_stay_short(tmp_path: Path) -> None:
    # In a process of its own: what other tests loaded and computed would be left out.
    code = "import json, sys, house; from pathlib import Path; print(json.dumps(dict(house.ways(Path(sys.argv[1])))))"
    where, command = ROOT / "tests" / "benchmarks", [sys.executable, "-c", code, str(tmp_path)]
    measured = json.loads(subprocess.run(command, check=True, cwd=where, capture_output=True, text=True).stdout)
    ways = {name.removeprefix("files entered: "): value for name, value in measured.items()}
    assert {way: ways[way] for way, most in WAYS.items() if int(ways[way]) > most} == {}


def test_public_names_are_few() -> None:
    assert sum(len(_public(face)) for face in PUBLIC_FACES) <= 286
    assert len(PUBLIC_FACES) <= 12


def test_the_library_knows_nothing_of_the_dashboard() -> None:
    assert _users_of("mtsig_dashboard", "mtsig") == set()
    assert _users_of("streamlit", "mtsig") == set()


def test_importing_the_library_and_its_command_line_loads_no_streamlit() -> None:
    code = "import sys, mtsig, mtsig.cli, mtsig.figures, mtsig.report; sys.exit('streamlit' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, cwd=ROOT).returncode == 0


DRAWING = {
    # The one module that draws marks; the dashboard's memory knows what it keeps.
    "plotly": {"figures/_plotly.py", "mtsig_dashboard/contents.py"},
    # The same, the bytes of files and their fonts, and the stills of the lessons' canvas.
    "matplotlib": {"figures/_matplotlib.py", "figures/_paper.py", "lessons/_still.py"},
}


@pytest.mark.parametrize("library", sorted(DRAWING))
def test_each_drawing_library_is_imported_where_marks_are_drawn_and_nowhere_else(library: str) -> None:
    users = _users_of(library, "mtsig") | _users_of(library, "dashboard")
    assert {user.as_posix() for user in users} == DRAWING[library]
    assert len(users) <= 3


def test_modules_of_figures_are_private_and_not_small() -> None:
    modules = [file for file in _files("mtsig/figures") if file.name != "__init__.py"]
    assert 8 <= len(modules) <= 17
    lines = {file.name: len(file.read_text(encoding="utf-8").splitlines()) for file in modules}
    assert [name for name, count in lines.items() if not name.startswith("_") or not 120 <= count <= 540] == []


def test_modules_of_report_are_private_and_not_small() -> None:
    modules = [file for file in _files("mtsig/report") if file.name != "__init__.py"]
    assert len(modules) <= 18
    lines = {file.name: len(file.read_text(encoding="utf-8").splitlines()) for file in modules}
    assert [name for name, count in lines.items() if not name.startswith("_") or not 70 <= count <= 630] == []


@pytest.mark.parametrize(("package", "most"), [("collection", 7), ("doctor", 5), ("inference", 19), ("study", 7)])
def test_modules_of_nouns_are_private_and_few(package: str, most: int) -> None:
    modules = [file for file in _files(f"mtsig/{package}") if file.name != "__init__.py"]
    assert len(modules) <= most
    assert [file.name for file in modules if not file.name.startswith("_")] == []


def test_what_users_import_of_single_modules_is_named() -> None:
    shown = {file.stem for file in (ROOT / "mtsig").glob("*.py") if not file.name.startswith("_")}
    assert shown == {"citations", "errors", "progress", "resampling", "testing"}


def test_every_way_out_has_one_sanitiser() -> None:
    assert _users_of("html", "mtsig") == {Path("_writing.py")}
    assert _users_of("html", "dashboard") == set()
    assert {user.parts[0] for user in _users_of("csv", "mtsig")} == {"readers"}
    assert _users_of("csv", "dashboard") == set()


def test_pandas_stays_at_the_rim() -> None:
    rooms = {user.parts[0] for user in _users_of("pandas", "mtsig")}
    assert rooms <= {"doctor", "readers", "report", "_results.py"}


def test_pandas_is_used_only_where_a_frame_is_given_away() -> None:
    for user in _users_of("pandas", "mtsig"):
        if user.parts[0] in {"doctor", "_records.py"}:
            assert "def to_frame" in (ROOT / "mtsig" / user).read_text(encoding="utf-8"), user


def _public(face: str) -> set[str]:
    """Return the names that a face declares: in its stub, where its modules are loaded late; a module, all its own."""
    folder = ROOT.joinpath(*face.split("."))
    if not folder.is_dir():
        return _own(_tree(folder.with_suffix(".py")))
    stub = folder / "__init__.pyi"
    for node in _tree(stub if stub.exists() else folder / "__init__.py").body:
        if isinstance(node, ast.Assign) and any(getattr(target, "id", "") == "__all__" for target in node.targets):
            return set(ast.literal_eval(node.value))
    return set()


def _own(tree: ast.Module) -> set[str]:
    """Return the names without underscore that a module defines itself."""
    named = {node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    targets = [node.targets for node in tree.body if isinstance(node, ast.Assign)]
    named |= {target.id for many in targets for target in many if isinstance(target, ast.Name)}
    return {name for name in named if not name.startswith("_")}


@pytest.mark.parametrize("face", sorted(PUBLIC_FACES))
def test_public_faces_declare_what_they_show(face: str) -> None:
    assert _public(face)


@pytest.mark.parametrize("stub", sorted((ROOT / "mtsig").rglob("*.pyi")), ids=lambda stub: stub.parent.name)
def test_a_face_that_loads_late_says_no_more_and_no_less_than_its_stub(stub: Path) -> None:
    face = ".".join(stub.parent.relative_to(ROOT).parts)
    shown = importlib.import_module(face)
    assert set(shown.__all__) == set(dir(shown)) == _public(face)
    # Only such a stub is read twice, by type checkers and when the program runs.
    assert {path.name for path in (ROOT / "mtsig").rglob("*.pyi")} == {"__init__.pyi"}
    imports = [node for node in _tree(stub).body if isinstance(node, ast.ImportFrom)]
    assert {node.level for node in imports} == {1}
    # An import in a stub is public with "as" alone: without it, no editor completes the name.
    assert [name.name for node in imports for name in node.names if name.asname != name.name] == []


def _attributes_of_streamlit(file: Path) -> set[str]:
    """Return the attributes taken of `st` or `streamlit`, and the names imported from it."""
    taken = {name for module, name in _imports(file) if module == "streamlit" and name}
    for node in _nodes(file):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            taken |= {node.attr} if node.value.id in {"st", "streamlit"} else set()
    return taken


def _private_of_faces(file: Path) -> list[str]:
    """Return modules with a leading underscore that are taken from a face, which has them once they are imported."""
    rooms = {name for module, name in _imports(file) if module == "mtsig" and name in RANK}
    return [
        f"{file.name}: {node.value.id}.{node.attr}"
        for node in _nodes(file)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        if node.value.id in rooms and re.match("_[a-z]", node.attr)
    ]


def test_no_face_is_asked_for_a_module_that_it_may_not_have_yet(tmp_path: Path) -> None:
    assert [found for _, file in _product() for found in _private_of_faces(file)] == []
    wrong = tmp_path / "wrong.py"
    wrong.write_text("from mtsig import lab\nlab._words.law_text(lab.EXPERIMENTS)")
    assert _private_of_faces(wrong) == ["wrong.py: lab._words"]


def test_results_are_remembered_in_one_memory() -> None:
    users = {
        file.relative_to(ROOT / "mtsig").as_posix()
        for file in _files("mtsig")
        for module, name in _imports(file)
        if module == "functools" and name in {"cache", "lru_cache"}
    }
    # What a letter is, asked of every letter of every line, is looked up in C.
    assert users == {"text/_characters.py"}


@pytest.mark.parametrize(
    ("attribute", "homes"),
    [("session_state", {"session.py"}), ("cache_resource", set()), ("cache_data", set())],
    ids=str,
)
def test_the_state_of_streamlit_has_one_home_and_its_caches_which_any_visitor_can_empty_have_none(
    attribute: str, homes: set[str]
) -> None:
    users = {
        str(file.relative_to(ROOT / "dashboard" / "mtsig_dashboard"))
        for file in _files("dashboard")
        if attribute in _attributes_of_streamlit(file)
    }
    assert users == homes


def test_no_module_is_called_by_a_word_that_says_nothing() -> None:
    names = {file.stem for package in ("mtsig", "dashboard", "tests") for file in _files(package)}
    assert not names & {"utils", "util", "helpers", "helper", "manager", "common", "misc"}


def test_no_file_of_the_dashboard_hides_a_module_of_the_standard_library() -> None:
    # Streamlit puts the script's folder first on sys.path: mtsig_dashboard/queue.py would replace queue everywhere.
    names = {file.stem for file in _files("dashboard")} - {"__init__", "__main__"}
    assert not names & sys.stdlib_module_names


@pytest.mark.parametrize("package", ["mtsig", "dashboard"])
def test_assert_is_for_tests_only(package: str) -> None:
    found = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file in _files(package)
        for node in _nodes(file)
        if isinstance(node, ast.Assert)
    ]
    assert found == []


LONG = 40
"""Shorter lines can be equal by chance."""


def _project_texts() -> Iterator[tuple[Path, str]]:
    """Yield every text file that git tracks or would add."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, check=False, cwd=ROOT, capture_output=True)
    if listed.returncode:
        pytest.skip("not a git checkout: the list of the project's files is not known")
    for name in filter(None, listed.stdout.decode().split("\0")):
        file = ROOT / name
        if file.is_file() and b"\0" not in (content := file.read_bytes()):
            yield file, content.decode("utf-8", errors="replace")


def _long_lines(text: str) -> set[str]:
    return {line for line in (piece.strip() for piece in text.split("\n")) if len(line) > LONG}


def _literals(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the long lines inside the string literals of Python code."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= _long_lines(node.value)
    return found


def test_no_line_of_the_real_data_stands_in_the_project(shared: Path) -> None:
    ours: dict[str, Path] = {}
    product = {*_files("mtsig"), *_files("dashboard")}
    for file, text in _project_texts():
        ours |= dict.fromkeys(_long_lines(text), file)
        if file.suffix == ".py":
            nodes = _nodes(file) if file in product else ast.walk(_tree(file))
            ours |= dict.fromkeys(_literals(nodes), file)
    copied = []
    for source in sorted((shared / "data").rglob("*")):
        # Licences and notes about the data are no data: an Apache licence may well stand in both.
        if not source.is_file() or source.name.startswith(("README", "LICENSE", "COPYING")):
            continue
        text = source.read_bytes().decode("utf-8", errors="replace")
        for some in {text, text.replace("\t", "\n")}:  # whole lines, and the cells of a table
            pieces = ours.keys() & set(map(str.strip, some.split("\n")))
            copied += [f"{ours[piece]} holds a line of {source}" for piece in pieces]
    assert copied == []


def test_a_copied_line_would_be_noticed() -> None:
    line = "a line of forty-one characters or more, as real ones are"
    assert line in _long_lines(f"x\n  {line}  \ny")
    assert line in _literals(ast.walk(ast.parse(f"copied = {line!r}")))


@cache
def _names_of_methods() -> frozenset[str]:
    """Return the names by which methods and metrics are registered, and those that metrics print."""
    tables: tuple[Mapping[str, object], ...] = (TESTS, INTERVALS, CORRECTIONS, METRICS, STATISTICS, SEPARATIONS)
    printed = (metric.name for metric in METRICS.values())
    return frozenset(chain(*tables, printed))


OWN_CHOICES = frozenset({"by", "combination", "p", "smooth_method", "stemmer", "style", "tokenize", "weights", "word"})
"""Options, and words, that have a choice of their own which happens to be called as some method is."""

_OF_PAPERS = "papers made again hold the metrics that they printed against each other, by their names"

DECIDING = {
    "mtsig/lab/_riezler2005.py": _OF_PAPERS,
    "mtsig/lab/_zhang2004.py": _OF_PAPERS,
    "mtsig/cli/_lab.py": "asks whether the data have the default metric, which is written down as a name",
}
"""Where a name may decide, and why."""


def _constants(node: ast.AST) -> set[str]:
    """Return the texts that a literal holds: itself, or the items of a collection."""
    if isinstance(node, ast.Constant):
        return {node.value} if isinstance(node.value, str) else set()
    return set().union(*map(_constants, node.elts)) if isinstance(node, ast.Tuple | ast.List | ast.Set) else set()


def _last_name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _decides_by_a_name(node: ast.AST) -> bool:
    """Return whether something is compared with the name of a method."""
    if not isinstance(node, ast.Compare):
        return False
    sides = [node.left, *node.comparators]
    return any(_constants(side) & _names_of_methods() for side in sides) and not any(
        _last_name(side) in OWN_CHOICES for side in sides
    )


def _product() -> Iterator[tuple[str, Path]]:
    for package in ("mtsig", "dashboard"):
        yield from ((file.relative_to(ROOT).as_posix(), file) for file in _files(package))


def test_nothing_is_decided_by_the_name_of_a_method() -> None:
    assert [
        f"{name}:{node.lineno}: {ast.unparse(node)}"
        for name, file in _product()
        if not any(name == place or name.startswith(f"{place}/") for place in DECIDING)
        for node in _nodes(file)
        if _decides_by_a_name(node)
    ] == []


@pytest.mark.parametrize("place", DECIDING)
def test_every_place_where_a_name_may_decide_has_such_a_name(place: str) -> None:
    files = [file for name, file in _product() if name == place or name.startswith(f"{place}/")]
    assert any(_decides_by_a_name(node) for file in files for node in _nodes(file))


@pytest.mark.parametrize(
    "code", ['family.correction == "none"', 'test != "ar"', 'x.name in ("BLEU", "GTM")', '"nemenyi" != how']
)
def test_a_decision_by_a_name_would_be_noticed(code: str) -> None:
    assert any(map(_decides_by_a_name, ast.walk(ast.parse(code))))


SENTENCES = frozenset(
    {"about", "advice", "caption", "doubt", "estimand", "label", "reason", "sentence", "signature", "text", "title"}
)
"""Attributes that are written for people: what they mean is a fact of its own somewhere."""

TAKING_APART = frozenset(
    {"endswith", "find", "index", "partition", "removeprefix", "removesuffix", "replace", "rpartition", "split",
     "startswith"}
)  # fmt: skip
SEARCHING = frozenset({"findall", "finditer", "fullmatch", "match", "search"})

OF_OTHERS = {
    ("mtsig/readers/_read.py", "part.label"): "a file's label is its path",
    ("mtsig/metrics/_dependency.py", "span.text"): "a piece of the data, as spaCy has it",
    ("mtsig/metrics/_dependency.py", "token.text"): "a piece of the data, as spaCy has it",
    ("mtsig/segments/_matches.py", "self.text"): "a segment's",
    ("dashboard/mtsig_dashboard/app_pages/data.py", "used_part.label"): "a file's label is its path",
    ("dashboard/mtsig_dashboard/session.py", "part.label"): "a file's label is its path",
    ("mtsig/collection/_sets.py", "part.label"): "a part's label begins with the path of its file",
}
"""Texts that were not written here, and what they are."""


def _is_sentence(node: ast.AST, file: str) -> bool:
    if not isinstance(node, ast.Attribute) or node.attr not in SENTENCES:
        return False
    return (file, ast.unparse(node)) not in OF_OTHERS


def _reads_a_sentence(node: ast.AST, file: str = "") -> bool:
    """Return whether a sentence, label or signature is looked through for what it means."""
    if isinstance(node, ast.Compare):
        return any(
            isinstance(operator, ast.In | ast.NotIn) and _is_sentence(side, file)
            for operator, side in zip(node.ops, node.comparators, strict=True)
        )
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    if node.func.attr in SEARCHING:
        return any(_is_sentence(argument, file) for argument in node.args)
    return node.func.attr in TAKING_APART and _is_sentence(node.func.value, file)


def test_no_sentence_is_read_for_its_meaning() -> None:
    assert [
        f"{name}:{node.lineno}: {ast.unparse(node)}"
        for name, file in _product()
        if not name.endswith("testing.py")  # which looks at how texts are written
        for node in _nodes(file)
        if _reads_a_sentence(node, name)
    ] == []


@pytest.mark.parametrize(
    "code",
    [
        '"|n:" in family.signature',
        "any(words in note.text for words in known)",
        'test.label.removesuffix(", as printed")',
        "_PART.fullmatch(note.text)",
    ],
)
def test_a_sentence_that_is_read_would_be_noticed(code: str) -> None:
    assert any(map(_reads_a_sentence, ast.walk(ast.parse(code))))


PARSERS = {("json", "loads"), ("json", "load"), ("tomllib", "loads"), ("tomllib", "load")}

OWN_TEXTS = {
    "mtsig/readers/_files.py",  # the reader itself
    "mtsig/lessons/_drawn.py", "mtsig/cli/_dashboard.py", "mtsig/lab/_riezler2005.py",  # what this program wrote
    "mtsig/segments/_detector.py",
    "dashboard/mtsig_dashboard/parts/stages.py", "dashboard/mtsig_dashboard/launch.py",
    "dashboard/mtsig_dashboard/serving/_spool.py", "dashboard/mtsig_dashboard/app.py",
}  # fmt: skip


def test_what_users_write_is_parsed_in_one_place() -> None:
    found = {
        str(file.relative_to(ROOT))
        for package in ("mtsig", "dashboard")
        for file in _files(package)
        for node in _nodes(file)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.value.id, node.attr) in PARSERS
    }
    assert found == OWN_TEXTS


def _is_template(node: ast.AST) -> bool:
    """Whether an expression is the program's own text: a literal, or a constant of a module."""
    if isinstance(node, ast.Constant):
        return True
    return isinstance(node, ast.Name) and node.id.isupper()


def _fills_in_twice(node: ast.AST) -> bool:
    """Whether text that may hold a name is taken for a template: by format, by %, or as what a pattern puts in."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return isinstance(node.left, ast.JoinedStr)
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    if node.func.attr in ("format", "format_map"):
        of_pandas = _last_name(node.func.value) == "style"
        return bool(node.args or node.keywords) and not of_pandas and not _is_template(node.func.value)
    if node.func.attr in ("sub", "subn"):
        by = node.args[1 if _last_name(node.func.value) == "re" else 0]
        return isinstance(by, ast.JoinedStr | ast.BinOp)
    return False


TEMPLATES = {"mtsig/_say.py", "mtsig/inference/_verdict.py"}
"""Files that fill in the sentences which they declare themselves."""


def test_no_text_is_filled_in_twice() -> None:
    """A name with braces, percent signs or backslashes stands in a text once it is filled in."""
    found = [
        f"{place}:{getattr(node, 'lineno', 0)}"
        for place, file in _product()
        for node in _nodes(file)
        if place not in TEMPLATES and _fills_in_twice(node)
    ]
    assert found == []


@pytest.mark.parametrize(
    "code", ["f'{a} {{}}'.format(b)", "text.format(b)", "f'{a} %s' % b", "re.sub('x', f'{a}', t)", "_P.sub(a + b, t)"]
)
def test_a_text_that_is_filled_in_twice_would_be_noticed(code: str) -> None:
    assert any(map(_fills_in_twice, ast.walk(ast.parse(code))))


def test_every_kept_text_has_a_test_that_holds_texts() -> None:
    headings = [
        line.removeprefix("=== ")
        for file in (ROOT / "tests" / "snapshots").iterdir()
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.startswith("=== ")
    ]
    assert headings
    for place, test in {tuple(re.split(r"::|\[| \(", heading)[:2]) for heading in headings}:
        found = [node for node in _tree(ROOT / place).body if isinstance(node, ast.FunctionDef) and node.name == test]
        names = {node.id for each in found for node in ast.walk(each) if isinstance(node, ast.Name)}
        assert names & {"kept", "worded"}, f"{place}::{test} holds no texts any more"
