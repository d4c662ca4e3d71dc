"""The public names: declared, sorted, described, and their examples true."""

import ast
import doctest
import importlib
import inspect
import linecache
import pkgutil
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, get_args, get_type_hints, is_typeddict

import numpy as np
import pytest
import user_program
from made import ROOT, made_corpus
from test_architecture import PUBLIC_FACES

import mtsig
from mtsig import Corpus, Rating, Settings
from mtsig.corpus import RaterScores
from mtsig.meta_eval import RatedData
from mtsig.readers import File
from mtsig.readers._read import parts_of
from mtsig.study import Request, conduct
from mtsig.study._changes import reproduce

FACES = [
    "mtsig", "mtsig.cli", "mtsig.corpus", "mtsig.figures", "mtsig.gate", "mtsig.inference", "mtsig.lab",
    "mtsig.metrics", "mtsig.readers", "mtsig.report",
]  # fmt: skip


def _kind_then_name(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions, each by the alphabet: how one reads the list aloud."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def _shown(module: ModuleType) -> list[object]:
    return [getattr(module, name) for name in module.__all__]


def _declared(face: str) -> list[str]:
    """Return the public names as they are written: in the stub of a face that loads its modules late."""
    module = importlib.import_module(face)
    stub = Path(str(module.__file__)).with_suffix(".pyi")
    if not stub.exists():
        return list(module.__all__)
    body = ast.parse(stub.read_text(encoding="utf-8")).body
    (named,) = (node.value for node in body if isinstance(node, ast.Assign))
    return list(ast.literal_eval(named))


@pytest.mark.parametrize("face", FACES)
def test_public_names_are_sorted_and_stand_once(face: str) -> None:
    names = _declared(face)
    assert names == sorted(set(names), key=_kind_then_name)


@pytest.mark.parametrize("face", FACES)
def test_public_names_exist(face: str) -> None:
    module = importlib.import_module(face)
    assert [name for name in module.__all__ if not hasattr(module, name)] == []


def test_every_name_without_underscore_is_declared() -> None:
    assert {name for name in mtsig.__all__ if not hasattr(mtsig, name)} == set()  # which loads all of them
    present = {name for name, thing in vars(mtsig).items() if name[0] != "_" and not inspect.ismodule(thing)}
    assert present == {name for name in mtsig.__all__ if not inspect.ismodule(getattr(mtsig, name))}


def test_the_list_is_short_enough_to_read_aloud() -> None:
    packages = [name for name in mtsig.__all__ if inspect.ismodule(getattr(mtsig, name))]
    assert len(mtsig.__all__) - len(packages) <= 29
    assert len(packages) <= 6


@pytest.mark.parametrize("face", FACES)
def test_every_public_thing_is_described(face: str) -> None:
    bare = []
    for thing in _shown(importlib.import_module(face)):
        if not (inspect.isclass(thing) or inspect.isfunction(thing)):
            continue
        # A dataclass without a docstring gets its call as one.
        if not thing.__doc__ or thing.__doc__.startswith(f"{thing.__name__}("):
            bare.append(thing.__name__)
        if inspect.isclass(thing):
            bare += [
                f"{thing.__name__}.{name}"
                for name, member in vars(thing).items()
                if name[0] != "_"
                and (inspect.isfunction(member) or isinstance(member, property | classmethod))
                and not inspect.getdoc(member)
            ]
    assert bare == []


def test_public_objects_list_only_public_names() -> None:
    private = {}
    for thing in (thing for face in sorted(PUBLIC_FACES) for thing in _shown(importlib.import_module(face))):
        # Abstract classes have no objects, and the names of a NamedTuple are Python's own.
        if inspect.isclass(thing) and not inspect.isabstract(thing) and not issubclass(thing, Exception | tuple):
            listed = [name for name in dir(object.__new__(thing)) if name[0] == "_" != name[1]]
            private |= {thing.__name__: listed} if listed else {}
    assert private == {}


def _modules() -> list[str]:
    found = [one.name for one in pkgutil.walk_packages(mtsig.__path__, "mtsig.")]
    # Importing __main__ would run the command; sample_data may stand in the package of an installed copy.
    return ["mtsig", *(name for name in found if not name.endswith("__main__") and "sample_data" not in name)]


def _known_to_examples() -> dict[str, object]:
    """Return what examples may use without making it."""
    rng = np.random.default_rng(1)
    people, noise = np.arange(9)[:, None] + 3 * rng.normal(size=(9, 60)), rng.normal(size=(2, 9, 60))
    scores = {"esa": people, "near": people + noise[0], "far": people + 9 * noise[1]}
    corpus = Corpus.of(dict.fromkeys("ABCDEFGHI"), ratings={name: Rating(each, True) for name, each in scores.items()})
    rated = RatedData.of(corpus, "rating:esa", ["rating:near", "rating:far"])
    rng = np.random.default_rng(1)
    true = np.arange(3)[:, None] + rng.normal(size=(3, 40))
    given = {name: true + shift + rng.normal(size=(3, 40)) for name, shift in (("Ann", 0), ("Bo", 1))}
    return {"rated": rated, "rater_scores": RaterScores.of(given), "mtsig": mtsig}


def test_every_example_in_a_docstring_is_true() -> None:
    finder, known = doctest.DocTestFinder(), _known_to_examples()
    modules = [importlib.import_module(name) for name in _modules()]
    found = [(module, test) for module in modules for test in finder.find(module, extraglobs=known)]
    # A package shows functions of its modules, which have what their examples need.
    home = [getattr(inspect.unwrap(vars(at).get(one.name.rpartition(".")[2])), "__module__", "") for at, one in found]
    shown = [test for (at, test), own in zip(found, home, strict=True) if test.examples and own in ("", at.__name__)]
    # Before each test its debugger asks of every file that was ever quoted whether it has changed: a third of the time.
    linecache.clearcache()
    results = {test.name: doctest.DocTestRunner().run(test) for test in shown}
    assert {name: result.failed for name, result in results.items() if result.failed} == {}
    assert sum(result.attempted for result in results.values()) > 400


def test_every_public_function_shows_how_it_is_used() -> None:
    # The test above runs these examples.
    functions = [thing for thing in _shown(mtsig) if inspect.isfunction(thing)]
    assert len(functions) > 15
    assert [function.__name__ for function in functions if ">>> " not in (inspect.getdoc(function) or "")] == []


def test_every_module_says_what_comes_in_and_what_goes_out() -> None:
    assert [name for name in _modules() if not importlib.import_module(name).__doc__] == []


def test_all_errors_share_one_root() -> None:
    errors = [thing for thing in vars(mtsig.errors).values() if inspect.isclass(thing) and issubclass(thing, Exception)]
    assert len(errors) > 1
    assert all(issubclass(error, mtsig.MtsigError) for error in errors)


@pytest.mark.slow
def test_no_noun_prints_all_that_it_holds() -> None:
    corpus = made_corpus(n=200, systems=9, documents=20)
    values = np.random.default_rng(1).normal(0, 1, (9, 200))
    corpus = replace(corpus, ratings={"mqm": Rating(values, higher_is_better=True)})
    settings = Settings(n_resamples=100)
    statistics = mtsig.measure(corpus, "bleu")
    family = settings.family(statistics)
    study = conduct(corpus, Request((statistics.metric,), settings))
    nouns = [
        corpus, corpus.segments, corpus.ratings["mqm"], statistics, family, family[0], settings.intervals(statistics),
        mtsig.ranks(family), mtsig.audit(statistics, "sys0", "sys1", settings), mtsig.size_curve(statistics), study,
        study.results[0], study.results[0].compared, mtsig.compare_subsets(corpus, statistics, "length", settings),
        reproduce(study, corpus), File("a.txt", b"x" * 10_000), *parts_of([File("a.txt", b"x" * 10_000)]),
    ]  # fmt: skip
    assert {type(one).__name__: len(repr(one)) for one in nouns if len(repr(one)) > 3000} == {}


def _classes(hint: Any) -> Iterator[type]:
    for inner in get_args(hint):
        yield from _classes(inner)
    if inspect.isclass(hint):
        yield hint


def _hints(called: Any) -> dict[str, Any]:
    try:
        return get_type_hints(inspect.unwrap(called))
    except (NameError, TypeError):  # types of libraries that may be absent
        return {}


def test_what_a_public_call_takes_can_be_had_by_public_names() -> None:
    faces = [importlib.import_module(face) for face in sorted(PUBLIC_FACES)]
    public = [thing for face in faces for thing in _shown(face)]
    calls = {thing.__name__: thing for thing in public if inspect.isfunction(thing)}
    had: set[type] = {kind for thing in public if inspect.isclass(thing) for kind in thing.__mro__}
    for thing in public:
        # Tables hold what one may choose.
        rows = thing.values() if isinstance(thing, Mapping) else thing if isinstance(thing, list | tuple) else [thing]
        had |= {kind for row in rows for kind in type(row).__mro__}
        if inspect.isclass(thing):
            made = {name: one.__func__ for name, one in vars(thing).items() if isinstance(one, classmethod)}
            calls |= {f"{thing.__name__}.{name}": one for name, one in made.items() if name[0] != "_"}
    todo = [*had, *(kind for one in calls.values() for kind in _classes(_hints(one).get("return")))]
    had.clear()
    while todo:  # what results hold, and what their properties give
        kind = todo.pop()
        if kind not in had:
            had.add(kind)
            if kind.__module__.startswith("mtsig"):
                given = [one.fget for one in vars(kind).values() if isinstance(one, property)]
                hints = [*_hints(kind).values(), *(_hints(one).get("return") for one in given)]
                todo += [inner for hint in hints for inner in _classes(hint)]
    lacking = {
        (name, kind.__name__)
        for name, one in calls.items()
        for taken, hint in _hints(one).items()
        if taken != "return" and str not in _classes(hint)
        for kind in _classes(hint)
        if kind.__module__.startswith("mtsig") and kind not in had
        and not (getattr(kind, "_is_protocol", False) or is_typeddict(kind))
    }  # fmt: skip
    assert lacking == set()
    assert len(calls) > 120


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("mtsig.comp", {"compare", "compare_runs", "compare_subsets"}),
        ("mtsig.compare('data').to_f", {"to_frame"}),
        ("mtsig.read('data').out", {"outputs", "output_digests"}),
    ],
)
def test_editors_complete_names_and_results(typed: str, completed: set[str]) -> None:
    jedi = pytest.importorskip("jedi", reason="completion is tested where Jupyter is installed")
    assert {one.name for one in jedi.Script(f"import mtsig\n{typed}").complete()} >= completed


@pytest.mark.parametrize("name", ["baseline", "level", "higher_is_better", "documents"])
def test_notebooks_complete_arguments(name: str) -> None:
    jedi = pytest.importorskip("jedi", reason="completion is tested where Jupyter is installed")
    asked = jedi.Interpreter(f"mtsig.compare(data, {name[:5]}", [{"mtsig": mtsig}])
    assert f"{name}=" in {one.name for one in asked.complete()}


def test_a_users_program_is_checked_with_the_program_and_runs(tmp_path: Path) -> None:
    mypy = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    assert mypy["strict"]
    assert user_program.__name__ in mypy["modules"]
    assert all((ROOT / package / "py.typed").exists() for package in ("mtsig", "dashboard/mtsig_dashboard"))
    assert user_program.of_scores() == ["better"] * 6
    assert user_program.written(tmp_path).startswith("metric,")
    numbers = user_program.of_corpora(ROOT / "sample_data" / "es-en")
    assert numbers[-1] == pytest.approx(2.4254, abs=1e-4)
