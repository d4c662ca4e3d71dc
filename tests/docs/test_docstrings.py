"""Docstrings of public names say the shapes of arrays, and which of the program's errors are raised."""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import numpy as np
from test_architecture import PUBLIC_FACES
from test_site import names_of

import mtsig
from mtsig._records import Floats
from mtsig.errors import InvalidOption, MtsigError, expect

ARRAYS = re.compile(r"\b(Floats|FloatArray|Index|Masks?|NDArray|ndarray|ArrayLike)\b")
SHAPE = re.compile(r"\bshapes? \(", re.IGNORECASE)


def annotations(thing: Any) -> dict[str, Any]:
    """Return the arrays among the annotations of a function, or of a class's fields."""
    return {name: kind for name, kind in vars(thing).get("__annotations__", {}).items() if ARRAYS.search(str(kind))}


def arrays_of(function: FunctionType) -> list[str]:
    return [name for name, kind in function.__annotations__.items() if ARRAYS.search(str(kind))]


def untold(arrays: list[str], docs: list[str]) -> list[str]:
    """Return the arrays that no text names, and "shape" where none gives one."""
    lacking = [
        name for name in arrays if name != "return" and not any(re.search(rf"\b{name}\b", said) for said in docs)
    ]
    return lacking + (["shape"] if arrays and not any(map(SHAPE.search, docs)) else [])


def methods_of(kind: type) -> Iterator[tuple[FunctionType, list[str]]]:
    """Yield the public methods of a class, each with what it says, and what those say that it stands for."""
    for name, member in vars(kind).items():
        bare = getattr(member, "__func__", None) or getattr(member, "fget", None) or getattr(member, "func", member)
        if name[0] != "_" and inspect.isfunction(bare):
            yield bare, [vars(base)[name].__doc__ or "" for base in kind.__mro__ if name in vars(base)]


def silent_about_shapes(things: dict[str, Any]) -> list[str]:
    silent = []
    for name, thing in things.items():
        if inspect.isfunction(thing):
            told = [(name, arrays_of(thing), [thing.__doc__ or ""])]
        elif inspect.isclass(thing):
            told = [(name, list(annotations(thing)), [thing.__doc__ or ""])]
            told += [(f"{name}.{method.__name__}", arrays_of(method), docs) for method, docs in methods_of(thing)]
        else:
            continue
        silent += [
            f"{label}: {', '.join(untold(arrays, docs))}" for label, arrays, docs in told if untold(arrays, docs)
        ]
    return silent


def test_public_arrays_have_names_and_shapes_in_their_docstrings() -> None:
    faces = ("mtsig", "mtsig.inference", "mtsig.metrics", "mtsig.resampling", "mtsig.meta_eval", "mtsig.collection")
    things = {f"{face}.{name}": thing for face in (*faces, "mtsig.segments") for name, thing in names_of(face).items()}
    with_arrays = [thing for thing in things.values() if inspect.isclass(thing) and annotations(thing)]
    assert len(with_arrays) > 10
    assert silent_about_shapes(things) == []


def raised_by(function: FunctionType) -> set[str]:
    """Return the program's errors that a function raises in its own lines."""
    nodes = ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function))))
    raised = [getattr(node.exc, "func", node.exc) for node in nodes if isinstance(node, ast.Raise)]
    kinds = [function.__globals__.get(getattr(error, "id", "")) for error in raised]
    return {kind.__name__ for kind in kinds if inspect.isclass(kind) and issubclass(kind, MtsigError)}


def called_by(function: FunctionType) -> Iterator[FunctionType]:
    """Yield the program's functions that a function calls by their names; methods cannot be told from the text."""
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            other = function.__globals__.get(node.func.id)
            if isinstance(other, FunctionType) and other.__module__.partition(".")[0] == "mtsig":
                yield other


def silent_about_errors(function: FunctionType) -> set[str]:
    """Return the errors of a function, and of those that it calls, that its docstring does not name under Raises."""
    said = inspect.cleandoc(function.__doc__ or "").partition("Raises\n------\n")[2]
    if re.search(r"\bas `\w+`", said):
        return set()
    raised = raised_by(function).union(*map(raised_by, called_by(function)))
    return {error for error in raised if not re.search(rf"^{error}$", said, re.MULTILINE)}


def test_public_functions_name_the_errors_of_what_they_call() -> None:
    functions = [thing for thing in names_of("mtsig").values() if inspect.isfunction(thing)]
    assert sum(bool(raised_by(function).union(*map(raised_by, called_by(function)))) for function in functions) > 10
    assert {function.__name__: silent for function in functions if (silent := silent_about_errors(function))} == {}


def test_public_docstrings_have_the_sections_of_numpydoc() -> None:
    old = []
    for face in PUBLIC_FACES:
        for name, thing in names_of(face).items():
            docs = [thing.__doc__ or ""] if inspect.isroutine(thing) or inspect.isclass(thing) else []
            docs += [doc for _, said in methods_of(thing) for doc in said] if inspect.isclass(thing) else []
            old += [f"{face}.{name}" for doc in docs if re.search(r"^ *(Args|Raises|Returns):$", doc, re.MULTILINE)]
    assert old == []


def test_first_lines_of_public_functions_are_short() -> None:
    functions = {thing for face in PUBLIC_FACES for thing in names_of(face).values() if inspect.isfunction(thing)}
    first = [inspect.cleandoc(function.__doc__ or "").partition("\n")[0] for function in functions]
    assert len(first) > 100
    assert [line for line in first if len(line) > 79 or not line.endswith(".")] == []


TEACHING = {
    "adjust", "audit", "compare", "compare_runs", "compare_subsets", "design_test_set", "interval", "measure",
    "power_analysis", "ranks", "verdict",
}  # fmt: skip
"""What computes or decides: its docstring says how, step by step, and its examples grow."""


def test_what_computes_says_how_and_gives_several_examples() -> None:
    for name in TEACHING:
        doc = inspect.cleandoc(getattr(mtsig, name).__doc__ or "")
        notes = doc.partition("Notes\n-----\n")[2]
        assert re.search(r"^1\. .*^2\. .*^3\. ", notes, re.MULTILINE | re.DOTALL), name
        assert {"Parameters", "Returns", "Raises", "Notes", "Examples"} <= set(doc.split("\n")), name
        assert doc.count("\n>>> ") >= 3, name


def refused(value: int) -> None:
    raise InvalidOption(f"found {value}")


def test_silence_would_be_noticed() -> None:
    def scored(values: Floats) -> Floats:
        """Return the scores."""
        return np.asarray(values)

    def halved(values: Floats) -> Floats:
        """Return half of the values, shape (n,)."""
        return np.asarray(values / 2)

    def checked(value: object) -> None:
        """Return nothing."""
        expect(value, int, "Give a number")

    assert silent_about_shapes({"scored": scored, "halved": halved}) == ["scored: values, shape"]
    assert raised_by(refused) == {"InvalidOption"}
    assert silent_about_errors(refused) == silent_about_errors(checked) == {"InvalidOption"}
