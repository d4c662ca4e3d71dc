"""Records: frozen dataclasses that are their own serialised form; rows, columns, JSON and its schema come from them.

msgspec reads and writes plain dataclasses, checks types and gives the JSON Schema, at a tenth of pydantic's time to
import; and results stay what the rest of the program computes with, no models of a library.

In a file, a record is an object of its fields. Estimates are a block: `of` says what is estimated, `header` holds what
is the same for all, `columns` the numbers, each a list or one value that all rows have, and `derived` what follows from
them: written for readers without this program, worked out anew on reading.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass, replace
from functools import cached_property, wraps
from inspect import get_annotations
from math import isfinite, nan
from operator import attrgetter
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Generic,
    Literal,
    Self,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    overload,
)

import msgspec
import numpy as np
from msgspec import UNSET, Meta
from numpy.typing import NDArray

from mtsig._memory import remembered
from mtsig._results import NamedRows, Result, Shown, row_of
from mtsig.errors import item_at

Floats: TypeAlias = NDArray[np.float64]
FloatArray: TypeAlias = NDArray[np.floating]
Index: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]
Texts: TypeAlias = tuple[str, ...]

T = TypeVar("T", bound=np.generic)


def distinct(values: NDArray[T]) -> NDArray[T]:
    """Return the distinct whole numbers in order, shape (k,); numpy's own hash table takes up to 17 times as long."""
    ordered = np.sort(values)
    first = np.ones(len(ordered), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return np.compress(first, ordered)


_SLACK = 1e-9
"""What sums of shares, corrected p-values and quantiles may miss their bounds by."""

if TYPE_CHECKING:
    Number = float
    Probability = float
    Spread = float
    Freedom = float
else:
    Number = float | None
    Probability = Annotated[float, Meta(ge=-_SLACK, le=1 + _SLACK)] | None
    Spread = Annotated[float, Meta(ge=0)] | None
    Freedom = Annotated[float, Meta(ge=0.5)] | None
"""A number that may be missing: NaN in Python, null in JSON; a p-value or a share; a standard error; degrees of
freedom, of which no t has less than 1."""


MOST = 2**53
"""Larger whole numbers are not the same in every program that reads JSON."""

Count = Annotated[int, Meta(ge=0, le=MOST)]
"""How many of something."""

Ordinal = Annotated[int, Meta(ge=1, le=MOST)]
"""The number of a place or of a segment, counted from 1."""

Decimals = Annotated[int, Meta(ge=0, le=12)]
"""Decimals in which a score is shown."""

Level = Annotated[float, Meta(ge=0.5, le=0.9999)]
"""Nominal coverage of an interval."""

_SYSTEM = Meta(extra={"names": "system"})

SystemName = Annotated[str, _SYSTEM]
"""The name of a system: a paper may have another one for it, or leave out what is said of it."""


F = TypeVar("F", bound=Callable[..., Any])


def once(function: F) -> F:
    """Keep what a function of one record returns beside it: it follows from the record, and is asked for many times."""
    key = f"_{function.__name__}"

    @wraps(function)
    def kept(*given: Any, **named: Any) -> Any:
        record, *more = *given, *named.values(), None
        if more[1:] or not isinstance(record, Record):
            return function(*given, **named)
        if key not in record.__dict__:
            record.__dict__[key] = function(*given, **named)
        return record.__dict__[key]

    return cast("F", kept)


def about(text: str) -> Meta:
    """Return a description of a field for the schema."""
    return Meta(description=text)


def at_most(name: str) -> Meta:
    """Return what says of a field that it is never above another one of its record, where both have a value."""
    return Meta(extra={"at_most": name})


@dataclass(frozen=True)
class Record(Shown):
    """Plain values with names; subclasses are frozen dataclasses whose annotated fields are the serialised form.

    in_file: fields that a file calls otherwise.
    """

    in_file: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        """Keep `dataclass` from making another comparison: from Python 3.13 on its own calls no NaN equal to itself."""
        super().__init_subclass__(**options)
        cls.__eq__ = Record.__eq__  # type: ignore[method-assign]

    def __eq__(self, other: object) -> bool:
        """Return whether the other is of the same class and has the same values."""
        if type(other) is not type(self):
            return NotImplemented
        # Tuples take what is the same object for equal, as `__post_init__` makes every NaN.
        compared = (field.name for field in fields(self) if field.compare)
        return all((getattr(self, name),) == (getattr(other, name),) for name in compared)

    def __post_init__(self) -> None:
        """Take null for a number as NaN, and one NaN for all: records of the same numbers are equal."""
        for name in _numbers(type(self)):
            value = getattr(self, name)
            if value is None or value != value:
                object.__setattr__(self, name, nan)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what another process sent; its NaN is another object than the one here."""
        self.__dict__.update(state)
        Record.__post_init__(self)

    def changed(self, **values: Any) -> Self:
        """Return the same with other values in these fields."""
        return replace(self, **values)

    def row(self) -> dict[str, Any]:
        """Return the fields by name, without those that this record leaves out; nested records as rows."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            name: value.row() if isinstance(value, Record) else value
            for name, value in values.items()
            if value is not UNSET
        }

    @classmethod
    def of_columns(cls, size: int, **columns: Any) -> tuple[Self, ...]:
        """Return records of columns: arrays or sequences of `size` values, or one value for all (text too)."""
        listed = {name: as_list(column, size) for name, column in columns.items()}
        return tuple(cls(**{name: column[i] for name, column in listed.items()}) for i in range(size))


@dataclass(frozen=True, kw_only=True)
class MetricRecord(Record):
    """What is estimated by one metric."""

    metric: Annotated[
        str, about("Name of the metric in tables, with the options that distinguish it from others of the same name.")
    ]
    signature: Annotated[str, about("The metric's signature, in sacreBLEU's style.")]


A = TypeVar("A")
V = TypeVar("V")


class Column(Generic[A, V]):
    """A field written once: in estimates a column, an array or a tuple of texts; in a row one value."""

    def __init__(self, kind: Any, said: str, default: Any = MISSING, at_most: str = "") -> None:
        notes = (Meta(description=said), *([Meta(extra={"at_most": at_most})] if at_most else ()))
        self.hint, self.default, self.__doc__ = Annotated[(kind, *notes)], default, said

    if TYPE_CHECKING:

        @overload
        def __get__(self, held: "Estimates[Any, Any]", owner: Any = None, /) -> A: ...
        @overload
        def __get__(self, held: Record, owner: Any = None, /) -> V: ...
        def __get__(self, held: Any, owner: Any = None, /) -> Any: ...


def number(said: str, kind: Any = Number, default: Any = MISSING, at_most: str = "") -> Column[Floats, float]:
    """Describe a column of numbers, each of which may be missing; at_most: the column that it never exceeds."""
    return Column(kind, said, default, at_most)


def whole(said: str, kind: Any = Count, at_most: str = "") -> Column[Index, int]:
    """Describe a column of whole numbers."""
    return Column(kind, said, at_most=at_most)


def flag(said: str) -> Column[Mask, bool]:
    """Describe a column of yes or no."""
    return Column(bool, said)


def text(said: str, kind: Any = str, default: Any = MISSING) -> Column[Texts, str]:
    return Column(kind, said, default)


class Columns:
    """What estimates and their rows share: columns, which become fields of the dataclasses that take them."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Make the columns of a class its fields, before `dataclass` looks for them."""
        super().__init_subclass__(**options)
        own = {name: column for name, column in vars(cls).items() if isinstance(column, Column)}
        if own:
            cls.__annotations__ = {name: column.hint for name, column in own.items()}
            for name, column in own.items():
                setattr(cls, name, field(default=column.default))


H = TypeVar("H", bound=MetricRecord)
R = TypeVar("R", bound=Record)


@dataclass(frozen=True, eq=False, kw_only=True)
class Estimates(Result, Generic[H, R]):
    """Columns of estimates under a header: what is the same for all stands there once; a row has both.

    Columns and rows take their fields from one class of `Columns`, so each is written once and typed in both. A column
    of numbers is an array that cannot be written to, one of texts a tuple.
    of_header: the class of the header; of_rows: that of the rows, which has the columns' fields and of the header's
    what a row needs to be understood alone. called: what a file calls them; of_heading: the class of what a file holds
    of the header; of_derived: that of what follows from the numbers of a row.
    """

    called: ClassVar[str]
    of_header: ClassVar[type[Record]]
    of_rows: ClassVar[type[Record]]
    of_heading: ClassVar[type[Record]]
    of_derived: ClassVar[type[Record] | None] = None
    header: H

    @property
    def heading(self) -> Record:
        """The header as a file holds it."""
        return self.header

    @property
    def derived(self) -> Sequence[Record]:
        """What follows from the numbers of each row, for readers without this program; empty where nothing does."""
        return ()

    @classmethod
    def of_written(cls, heading: Any, columns: Mapping[str, Any], derived: Sequence[Record]) -> Self:
        """Return what a file holds; as many values in each column as there are rows, and what it says to follow."""
        del derived  # it is worked out anew
        return cls(header=heading, **{name: _column(columns[name], _types(cls.of_rows)[name]) for name in cls.names()})

    @property
    def metric(self) -> str:
        """The metric's name."""
        return self.header.metric

    @property
    def signature(self) -> str:
        """The metric's signature."""
        return self.header.signature

    @classmethod
    def names(cls) -> tuple[str, ...]:
        heading = _types(cls.of_header)
        return tuple(name for name in _types(cls.of_rows) if name not in heading)

    @classmethod
    def columns(cls, size: int, **values: Any) -> dict[str, Any]:
        """Return header and columns as `cls` takes them: for each field `size` values, one for all, or its default."""
        heading = _types(cls.of_header)
        header = cls.of_header(**{name: value for name, value in values.items() if name in heading})
        types, defaults = _types(cls.of_rows), {field.name: field.default for field in fields(cls.of_rows)}
        columns = {name: _column(as_list(values.get(name, defaults[name]), size), types[name]) for name in cls.names()}
        return {"header": header, **columns}

    def __eq__(self, other: object) -> bool:
        """Return whether the other has the same header and the same rows."""
        if type(other) is not type(self):
            return NotImplemented
        return (self.header, self.records) == (other.header, other.records)

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(getattr(self, self.names()[0]))

    def __iter__(self) -> Iterator[R]:
        """Go through the rows."""
        return iter(self.records)

    @overload
    def __getitem__(self, which: int | str | tuple[str, str]) -> R: ...
    @overload
    def __getitem__(self, which: slice) -> tuple[R, ...]: ...
    def __getitem__(self, which: int | str | tuple[str, str] | slice) -> R | tuple[R, ...]:
        """Return a row by its index or name, one of two systems by both names, or several by a slice."""
        found: R | tuple[R, ...] = (row_of if isinstance(which, str | tuple) else item_at)(
            self.records, which, self._kind
        )
        return found

    @cached_property
    def records(self) -> tuple[R, ...]:
        """The rows, each with what the header says of all."""
        above = {name: getattr(self.header, name) for name in self._above()}
        listed = {name: as_list(getattr(self, name), len(self)) for name in self.names()}
        rows = tuple(
            self.of_rows(**above, **{name: column[i] for name, column in listed.items()}) for i in range(len(self))
        )
        return cast("tuple[R, ...]", rows)

    def changed(self, **values: Any) -> Self:
        """Return the same with other values in these columns, or in the header: arrays, sequences, or one for all."""
        heading, types = _types(self.of_header), _types(self.of_rows)
        above = {name: value for name, value in values.items() if name in heading}
        columns = {
            name: _column(as_list(value, len(self)), types[name]) for name, value in values.items() if name not in above
        }
        return replace(self, header=replace(self.header, **above), **columns)

    def with_rows(self, rows: Sequence[R]) -> Self:
        """Return the same with other rows; what they share is that of the first."""
        types = _types(self.of_rows)
        columns = {name: _column([getattr(row, name) for row in rows], types[name]) for name in self.names()}
        shared = {name: getattr(row, name) for row in rows[:1] for name in self._above()}
        other = replace(self, header=replace(self.header, **shared), **columns)
        other.__dict__["records"] = tuple(rows)
        return other

    @classmethod
    def _above(cls) -> list[str]:
        """Return the fields of the header that rows have, too."""
        types = _types(cls.of_rows)
        return [name for name in _types(cls.of_header) if name in types]


class OfHeader(property, Generic[V]):
    """A field of the header as an attribute of the whole: `level = OfHeader[float]()`, described as it is there."""

    def __set_name__(self, owner: type[Estimates[Any, Any]], name: str) -> None:
        noted = hints_of(owner.of_header)[name].__metadata__
        super().__init__(attrgetter(f"header.{name}"))
        self.__doc__ = next(filter(None, (each.description for each in noted)))

    if TYPE_CHECKING:

        def __get__(self, instance: Any, owner: type[Any] | None = None, /) -> V: ...  # type: ignore[override]


@remembered()
def _types(kind: type[Any]) -> dict[str, Any]:
    """Return the fields with their types; asked thousands of times, found once."""
    hints = hints_of(kind)
    return {field.name: _bare(hints[field.name]) for field in fields(kind)}


def hints_of(kind: type[Any]) -> dict[str, Any]:
    """Return the annotations of a class with those of its bases."""
    found: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        found |= get_annotations(base, eval_str=True)
    return found


def _bare(hint: Any) -> Any:
    """Return a hint without what is noted beside it."""
    if get_origin(hint) is Annotated:
        return _bare(get_args(hint)[0])
    if get_origin(hint) is UnionType or get_origin(hint) is Union:
        return Union[tuple(map(_bare, get_args(hint)))]  # noqa: UP007
    return hint


@remembered()
def _numbers(kind: type[Any]) -> tuple[str, ...]:
    return tuple(name for name, hint in _types(kind).items() if hint == float | None)


@remembered()
def _bounds(kind: type[Any]) -> tuple[tuple[str, str], ...]:
    """Return pairs of fields of which the first is never above the second."""
    pairs = []
    for name, hint in hints_of(kind).items():
        for meta in getattr(hint, "__metadata__", ()):
            extra = getattr(meta, "extra", None) or {}
            pairs += [(name, extra["at_most"])] if "at_most" in extra else []
    return tuple(pairs)


@remembered()
def naming_systems(kind: type[Record]) -> frozenset[str]:
    """Return the fields that hold names of systems, as `SystemName`, in tuples or not."""
    hints = hints_of(kind)
    return frozenset(field.name for field in fields(kind) if _names_systems(hints[field.name]))


def _names_systems(hint: Any) -> bool:
    return _SYSTEM in getattr(hint, "__metadata__", ()) or any(map(_names_systems, get_args(hint)))


_LARGEST = 1e100
"""Scores and differences are smaller; figures and standard errors square what is printed."""


def impossible(record: object, place: str = "") -> Iterator[str]:
    """Yield what types do not exclude in a record: numbers without end, and fields above others (`at_most`)."""
    if isinstance(record, Estimates):
        yield from impossible(record.heading, f"{place}.header")
        yield from impossible(record.records, place)
    elif isinstance(record, Record):
        for name in _types(type(record)):
            written = record.in_file.get(name, name)
            yield from impossible(getattr(record, name), f"{place}.{written}" if place else written)
        for low, high in _bounds(type(record)):
            below, above = getattr(record, low), getattr(record, high)
            if below > above + _SLACK * max(abs(below), abs(above)):
                yield f"{place}: {low} is {below!r}, above {high}, which is {above!r}"
    elif isinstance(record, tuple):
        for number, item in enumerate(record):
            yield from impossible(item, f"{place}[{number}]")
    elif isinstance(record, Mapping):
        for name, item in record.items():
            yield from impossible(item, f"{place}.{name}")
    elif isinstance(record, float) and abs(record) > _LARGEST:
        yield f"{place}: a number too large to be one"


_DTYPES = {float | None: np.float64, float: np.float64, int: np.int64, bool: np.bool_}


def _column(values: Sequence[Any], kind: Any) -> Any:
    dtype = _DTYPES.get(kind)
    if dtype is None:
        return tuple(values)
    array: np.ndarray[Any, Any] = np.array(values, dtype=dtype)
    # Writing into a column would change no row.
    array.setflags(write=False)
    return array


def as_list(column: Any, size: int) -> list[Any]:
    """Return a column as a list of plain values; one value (text too) stands for all."""
    if not isinstance(column, np.ndarray | list | tuple):
        return [column] * size
    items = list(column.tolist() if isinstance(column, np.ndarray) else column)
    if len(items) != size:
        raise ValueError(f"a column has {len(items)} values for {size} records")
    return items


# --- in files -------------------------------------------------------------------------------------------------------


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
        "columns": {name: _plain_column(column, name in keys) for name, column in columns.items()},
        "derived": {
            field.name: _plain_column([getattr(row, field.name) for row in derived])
            for field in (fields(kind.of_derived) if kind.of_derived and derived else ())
        },
    }


def _keys(kind: type[Estimates[Any, Any]]) -> list[str]:
    """Return the columns that tell the rows apart: names of systems that every row has."""
    named, known = naming_systems(kind.of_rows), _fields(kind.of_rows)
    return [name for name in kind.names() if name in named and known[name].default is MISSING]


def _plain_column(column: Any, key: bool = False) -> Any:
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
    if get_origin(hint) is NamedRows:
        return tuple[args[0], ...]  # type: ignore[valid-type]
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
    if (kind := get_origin(hint)) in (tuple, NamedRows):
        return kind(made_of(get_args(hint)[0], item, f"{place}[{i}]") for i, item in enumerate(form))
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
