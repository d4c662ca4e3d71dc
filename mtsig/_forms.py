"""Forms: how results are written down; types on reading and the JSON Schema come from the classes of the results.

A record is an object of its fields. Estimates are a block: `of` says what is estimated, `header` holds what is the same
for all, `columns` the numbers, each a list or one value that all rows have, and `derived` what follows from them:
written for readers without this program, worked out anew on reading.
"""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from math import isfinite
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
from msgspec import UNSET, Meta

from mtsig._memory import remembered
from mtsig._records import Estimates, Record, hints_of, naming_systems


def plain_of(value: Any) -> Any:
    """Return a result, or what a record holds, as plain values: null for a number that does not exist."""
    if isinstance(value, Estimates):
        return _block(value)
    if is_dataclass(value) and not isinstance(value, type):
        written = value.in_file if isinstance(value, Record) else {}
        values = {written.get(field.name, field.name): getattr(value, field.name) for field in fields(value)}
        return {name: plain_of(item) for name, item in values.items() if item is not UNSET}
    if isinstance(value, Mapping):
        return {name: plain_of(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_of(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def _block(estimates: Estimates[Any, Any]) -> dict[str, Any]:
    kind, derived = type(estimates), estimates.derived
    keys, columns = _keys(kind), {name: getattr(estimates, name) for name in kind.names()}
    return {
        "of": kind.called,
        "header": plain_of(estimates.heading),
        "columns": {name: _column(column, name in keys) for name, column in columns.items()},
        "derived": {
            field.name: _column([getattr(row, field.name) for row in derived])
            for field in (fields(kind.of_derived) if kind.of_derived and derived else ())
        },
    }


def _keys(kind: type[Estimates[Any, Any]]) -> list[str]:
    """Return the columns that tell the rows apart: names of systems that every row has."""
    named, known = naming_systems(kind.of_rows), _fields(kind.of_rows)
    return [name for name in kind.names() if name in named and known[name].default is MISSING]


def _column(column: Any, key: bool = False) -> Any:
    """Return a column as plain values: one where all are the same, but for what tells the rows apart."""
    values: list[Any] = plain_of(column if isinstance(column, list | tuple) else column.tolist())
    # To the sign of 0.
    alike = not key and len(set(map(repr, values))) == 1 and not isinstance(values[0], list)
    return values[0] if alike else values


@remembered()
def form_of(hint: Any) -> Any:
    """Return the type that msgspec checks what is written of `hint` by: its own, where it holds no estimates."""
    if isinstance(hint, type) and issubclass(hint, Estimates):
        return _form_of_block(hint)
    if isinstance(hint, type) and issubclass(hint, Record):
        own = {name: form_of(inner) for name, inner in hints_of(hint).items() if name in _fields(hint)}
        return hint if own == {name: hints_of(hint)[name] for name in own} else _struct(hint, own)
    if get_origin(hint) is Annotated:
        inner, *metas = get_args(hint)
        return Annotated[(form_of(inner), *metas)]
    if get_origin(hint) is Literal or not get_args(hint):
        return hint
    args = tuple(map(form_of, get_args(hint)))
    if args == get_args(hint):
        return hint
    return hint.copy_with(args) if hasattr(hint, "copy_with") else _union_or_generic(hint, args)


def _union_or_generic(hint: Any, args: tuple[Any, ...]) -> Any:
    origin = get_origin(hint)
    if origin in (tuple, Mapping) or hasattr(origin, "__class_getitem__"):
        return origin[args]
    union = args[0]
    for other in args[1:]:
        union |= other
    return union


def _fields(kind: type[Any]) -> dict[str, "Field[Any]"]:
    return {field.name: field for field in fields(kind)}


def _struct(kind: type[Record], own: Mapping[str, Any]) -> Any:
    """Return a struct with the fields of a record, under the names that a file has for them."""
    known = _fields(kind)
    listed = [(name, hint, *_default(known[name])) for name, hint in own.items()]
    return msgspec.defstruct(
        kind.__name__,
        listed,
        kw_only=True,
        rename={name: kind.in_file.get(name, name) for name in own},
        namespace={"__doc__": (kind.__doc__ or "").partition("\n\n")[0]},
    )


def _default(field: "Field[Any]") -> tuple[Any, ...]:
    if field.default is not MISSING:
        return (field.default,)
    if field.default_factory is not MISSING:
        return (msgspec.field(default_factory=field.default_factory),)
    return ()


def _form_of_block(kind: type[Estimates[Any, Any]]) -> Any:
    keys, hints, known = _keys(kind), hints_of(kind.of_rows), _fields(kind.of_rows)
    columns = [(name, _of_column(hints[name], name in keys), *_default(known[name])) for name in kind.names()]
    derived: Any = dict[str, Any]
    if kind.of_derived is not None:
        own = hints_of(kind.of_derived)
        listed = [(field.name, _of_column(own[field.name]), None) for field in fields(kind.of_derived)]
        derived = msgspec.defstruct(kind.of_derived.__name__, listed, kw_only=True)
    return msgspec.defstruct(
        kind.__name__,
        [
            ("of", Annotated[Literal[kind.called], Meta(description="What is estimated.")]),
            ("header", Annotated[kind.of_heading, Meta(description="Values that are the same for all rows.")]),
            ("columns", Annotated[msgspec.defstruct(f"{kind.__name__}Columns", columns, kw_only=True),
                                  Meta(description="A list with a value for each row, or one value for all rows.")]),
            ("derived", Annotated[derived, Meta(description="Values computed from the numbers; ignored on reading.")],
             msgspec.field(default_factory=derived)),
        ],
        kw_only=True,
        namespace={"__doc__": (kind.__doc__ or "").partition("\n\n")[0]},
    )  # fmt: skip


def _of_column(hint: Any, key: bool = False) -> Any:
    """Return the type of a column: values of the row's type, or one of them; what is said of it stands outside."""
    metas: list[Any] = []
    if get_origin(hint) is Annotated:
        hint, *metas = get_args(hint)
    described = [meta for meta in metas if meta.description]
    inner = Annotated[(hint, *bare)] if (bare := [meta for meta in metas if not meta.description]) else hint
    several = tuple[inner, ...]  # type: ignore[valid-type]
    column: Any = several if key or get_origin(hint) is tuple else several | inner
    return Annotated[(column, *described)] if described else column


def made_of(hint: Any, form: Any, place: str = "") -> Any:
    """Return what was read as `form_of(hint)`."""
    if get_origin(hint) is Annotated:
        return made_of(get_args(hint)[0], form, place)
    if form is None or form_of(hint) == hint:
        return form
    if isinstance(hint, type) and issubclass(hint, Estimates):
        columns = _columns(hint, form.columns, place)
        return hint.of_written(form.header, columns, _derived(hint, form.derived, len(columns[_keys(hint)[0]])))
    if isinstance(hint, type) and issubclass(hint, Record):
        hints, written = hints_of(hint), hint.in_file
        at = {name: f"{place}.{written.get(name, name)}" for name in hints}
        return hint(**{name: made_of(hints[name], getattr(form, name), at[name]) for name in _fields(hint)})
    if get_origin(hint) is tuple:
        return tuple(made_of(get_args(hint)[0], item, f"{place}[{i}]") for i, item in enumerate(form))
    if isinstance(form, Mapping):
        return {name: made_of(get_args(hint)[1], item, f"{place}.{name}") for name, item in form.items()}
    inner = next(kind for kind in get_args(hint) if kind is not type(None))
    return made_of(inner, form, place)


def _columns(kind: type[Estimates[Any, Any]], form: Any, place: str) -> dict[str, Sequence[Any]]:
    """Return the columns, each with a value for every row."""
    read = {name: getattr(form, name) for name in kind.names()}
    size = len(read[_keys(kind)[0]])
    for name, column in read.items():
        if isinstance(column, tuple) and len(column) != size:
            raise msgspec.ValidationError(f"Expected {size} values, got {len(column)} - at `${place}.columns.{name}`")
    return {name: column if isinstance(column, tuple) else (column,) * size for name, column in read.items()}


def _derived(kind: type[Estimates[Any, Any]], form: Any, size: int) -> list[Record]:
    """Return what a file says to follow from each row; nothing where it does not say it of every row."""
    if kind.of_derived is None:
        return []
    said = {name: getattr(form, name) for name in _fields(kind.of_derived)}
    if any(isinstance(column, tuple) and len(column) != size for column in said.values()):
        return []
    return list(kind.of_derived.of_columns(size, **said))
