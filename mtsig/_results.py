"""Results: what Python and notebooks have of them, and what they answer to the habits of other libraries."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import wraps
from importlib import import_module
from inspect import Signature, get_annotations, signature
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, SupportsIndex, TypeAlias, TypeVar, cast, overload

from mtsig._options import Kind
from mtsig._writing import rows_csv, text_or_file
from mtsig.errors import MtsigError, UnknownName, item_at, need, shown, unknown_name

if TYPE_CHECKING:
    import pandas as pd

    DataFrame: TypeAlias = pd.DataFrame


def made(what: str, result: object, *how: object) -> Any:
    """Return what the maker of this name in `mtsig._MAKERS` makes of a result."""
    module, _, function = import_module("mtsig")._MAKERS[what].partition(":")
    return getattr(import_module(module), function)(result, *how)


_ELSEWHERE: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("p", "pval", "pvals", "pvalue", "pvals_corrected"), ("p_adjusted", "p_value")),
    **dict.fromkeys(("ci", "confidence_interval", "conf_int", "low", "lower", "high", "upper"), ("ci_low", "ci_high")),
    **dict.fromkeys(("mean", "score", "scores"), ("scores", "score", "scored")),
    **dict.fromkeys(("reject", "significant", "is_significant"), ("verdict",)),
    **dict.fromkeys(("sys", "hypotheses", "hyps", "texts", "translations"), ("outputs",)),
    **dict.fromkeys(("refs", "ref"), ("references",)),
    **dict.fromkeys(("source", "src"), ("sources",)),
    **dict.fromkeys(("write", "dump", "to_json", "to_file", "to_pickle"), ("save",)),
    **dict.fromkeys(("savefig", "to_html", "to_excel", "to_pdf"), ("report",)),
    **dict.fromkeys(("to_pandas", "to_polars", "to_dataframe", "frame", "table"), ("to_frame",)),
    **dict.fromkeys(("to_dict", "to_records", "asdict", "_asdict"), ("rows",)),
    **dict.fromkeys(("show", "print", "format", "pprint"), ("summary",)),
    **dict.fromkeys(("corpora", "datasets", "test_sets", "testsets"), ("sets",)),
    "alpha": ("level",),
}
"""Attributes of pandas, SciPy, statsmodels and sacreBLEU, each with the names here that may be meant."""


_READING = re.compile(r"(load|read|open|from)(_|$)")
"""How constructors that read are called elsewhere."""


class NoAttribute(AttributeError):
    """Nothing is called so; what has it, or may be meant, is looked for when the message is shown.

    It is no MtsigError: in the program itself it is a bug.
    """

    def __str__(self) -> str:
        kind = self.obj if isinstance(self.obj, type) else type(self.obj)
        return f"{kind.__name__} has no attribute {self.name!r}.{_hint(cast('Public', self.obj), self.name or '')}"

    def __reduce__(self) -> tuple[type[AttributeError], tuple[str]]:
        return AttributeError, (str(self),)  # from another process its object does not come along


def _hint(thing: "Public | type[Public]", name: str) -> str:
    """Return the sentence on what has such an attribute, or one that means the same; "" if nothing is known."""
    if _READING.match(name) and "load" in thing._uses:
        return f" Use {thing._uses['load']}."
    own, meant = dir(thing), dict.fromkeys((name, f"{name}s", name.removesuffix("s"), *_ELSEWHERE.get(name, ())))
    if named := [repr(one) for one in meant if one in own]:
        return f" Did you mean {' or '.join(named)}?"
    if name in {"plot", "figure", "figures"}:
        return ' Use study.plot(), or over several test sets study.report("FOLDER", ["pdf"]).'
    with suppress(MtsigError, LookupError, TypeError, AttributeError):  # of an object: a generic class takes anything
        type(thing).__getitem__(thing, name)  # type: ignore[index]
        return f" Use [{name!r}]."
    if isinstance(thing, tuple) and name in dir(*thing[:1]):
        return f" Use [0].{name}."
    parts = {of: part for of, part in sorted(vars(thing).items()) if of[0] != "_" and isinstance(part, Public)}
    rows = thing.rows()[:1] if isinstance(thing, Result) else []
    places = [thing._uses[one] for one in meant if one in thing._uses]
    places += [f"to_frame(all_columns=True)[{one!r}]" for one in meant for row in rows if one in row]
    places += [f"{of}.{one}" for of, part in parts.items() for one in meant if one in dir(part)]
    tables = {of: part.rows()[:1] for of, part in parts.items() if isinstance(part, Result)}
    inside = [(of, one) for of, table in tables.items() for one in meant for row in table if one in row]
    places += [f"{of}.to_frame(all_columns=True)[{one!r}]" for of, one in inside]
    framed = [f"{of}.to_frame()" for of in tables]
    frame = "to_frame()" if "to_frame" in own else thing._uses.get("to_frame", *framed[:1] or [""])
    with suppress(ImportError):
        places += [f"{frame}.{name}"] if frame and hasattr(import_module("pandas").DataFrame, name) else []
    near = get_close_matches(name, own, n=1, cutoff=0.8)
    return f" Use {places[0]}." if places else f" Did you mean {near[0]!r}?" if near else ""


class _Taken:
    """The signature of a class, as `help` shows it: without long types, which would hide what it is."""

    def __get__(self, thing: object, of: type[Any]) -> Signature:
        own = list(signature(of.__init__).parameters.values())[1:]
        return Signature([one.replace(annotation=one.empty) for one in own])


class Public(metaclass=Kind):
    """What lists only its public names, by `dir()` and for completion; and says where others are to be had.

    _uses: what to use for an attribute that is not here, as code; for "load" on the class, for "[]" by index or name.
    """

    _uses: ClassVar[Mapping[str, str]] = {}
    _missing = NoAttribute
    __signature__ = _Taken()

    if not TYPE_CHECKING:  # or every name would be one of Any's

        def __getattr__(self, name: str) -> Any:
            """Say what has an attribute that this has not."""
            if hasattr(type(self), name):  # a property that failed says so itself
                return object.__getattribute__(self, name)
            raise NoAttribute(name=name, obj=self)

        def __getitem__(self, which: Any) -> Any:
            """Say which parts have an item of this name; this has none itself."""
            own = {of: part for of, part in vars(self).items() if of in getattr(self, "__dataclass_fields__", ())}
            parts = {of: part for of, part in own.items() if isinstance(part, Mapping) and part}
            kind = type(self).__name__
            if having := [f"{of}[{which!r}]" for of, part in parts.items() if which in part]:
                raise UnknownName(f"Items of a {kind} are in its parts: use {' or '.join(having)}.")
            known = dict.fromkeys(name for part in parts.values() for name in part if isinstance(name, str))
            if isinstance(which, str) and known:
                raise unknown_name(f"item in the parts of this {kind}", which, known)
            use = f"its attribute {which}" if which in dir(self) else self._uses.get("[]", " or ".join(parts))
            raise UnknownName(f"{kind} is not indexed; found {shown(which)}.{f' Use {use}.' if use else ''}")

    def __dir__(self) -> list[str]:
        """List the public names."""
        return [name for name in super().__dir__() if name[0] != "_" or name[:2] == "__"]


class Shown(Public):
    """What a notebook shows as a table."""

    def __dir__(self) -> list[str]:
        """List the public names of a result; those of its class, such as constructors, are left out."""
        of_class = set[str]()
        for kind in type(self).__mro__:
            of_class |= {
                name for name, hint in get_annotations(kind).items() if str(hint).startswith("typing.ClassVar")
            }
            of_class |= {name for name, member in vars(kind).items() if isinstance(member, classmethod)}
        return [name for name in super().__dir__() if name not in of_class]

    def _repr_html_(self) -> str | None:
        """Return the result as HTML; None leaves it to repr()."""
        return str(made("shown", self, "html")) or None


T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


def as_in_pandas(method: F) -> F:
    """Take index=False, which asks pandas for what is done here, and say what takes its other arguments."""

    @wraps(method)
    def answered(self: Public, *given: Any, **named: Any) -> Any:
        if named.get("index") is False:
            del named["index"]
        name, known = method.__name__, signature(method).parameters
        for other in (other for other in named if other not in known and "path" in known and hasattr(self, "to_frame")):
            raise UnknownName(f"{name}() takes no {other!r}. Use to_frame().{name}({other}=…).")
        return method(self, *given, **named)

    return cast("F", answered)


class Tabled(Shown):
    """What is written as tables; `print` shows the summary."""

    def __str__(self) -> str:
        return self.summary() or repr(self)

    def summary(self) -> str:
        """Return what the result says, as text for a terminal."""
        return str(made("shown", self, "text"))

    @overload
    def to_markdown(self, path: None = None) -> str: ...
    @overload
    def to_markdown(self, path: str | Path) -> None: ...
    @as_in_pandas
    def to_markdown(self, path: str | Path | None = None) -> str | None:
        """Return the tables of the result in Markdown, each with its caption; with a path, write them there."""
        return text_or_file(str(made("shown", self, "markdown")), path)

    @overload
    def to_latex(self, path: None = None) -> str: ...
    @overload
    def to_latex(self, path: str | Path) -> None: ...
    @as_in_pandas
    def to_latex(self, path: str | Path | None = None) -> str | None:
        """Return the tables of the result in LaTeX (booktabs); with a path, write them there."""
        return text_or_file(str(made("shown", self, "latex")), path)


class Result(Tabled):
    """Numbers that can be had as records, tables and text.

    listed: the field that holds the records; a result that makes them has `rows` of its own. brief: the columns that
    `to_frame` gives by default; all of them where it is empty.
    """

    listed: ClassVar[str] = "records"
    brief: ClassVar[tuple[str, ...]] = ()
    _kind: ClassVar[str] = "row"

    def rows(self) -> list[dict[str, Any]]:
        """Return the numbers as records, by their fields' names."""
        return [record.row() for record in getattr(self, self.listed)]

    def __iter__(self) -> Iterator[Any]:
        """Go through the records."""
        return iter(self.rows())

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, which: object) -> bool:
        """Return whether a record, or a record of this name, is here."""
        return has_row(self, which)

    def __getitem__(self, which: Any) -> Any:
        """Return a record by its index or name, one of two systems by both names, or several by a slice."""
        return row_of(list(self), which, self._kind)

    @as_in_pandas
    def to_frame(self, *, all_columns: bool = False) -> "DataFrame":
        """Return the records as a DataFrame: the columns that one reads first, or all of them."""
        return frame_of(self.rows(), () if all_columns else self.brief)

    @overload
    def to_csv(self, path: None = None) -> str: ...
    @overload
    def to_csv(self, path: str | Path) -> None: ...
    @as_in_pandas
    def to_csv(self, path: str | Path | None = None) -> str | None:
        """Return all columns of the records as CSV, with all digits; with a path, write them to this file."""
        return text_or_file(rows_csv(self.rows()), path)


_NAMES = ("system", "first", "second", "rater", "set"), ("metric_spec", "metric", "test", "check", "name")
"""Columns by which records are known; those of the second group where they have none of the first."""


def row_of(rows: Sequence[Any], which: Any, kind: str = "row") -> Any:
    """Return a record by its index or name, one of two systems by both names, in this order, or several by a slice."""
    row = item_at(rows, which, kind, _places(rows) if isinstance(which, str | tuple) else None)
    return row.turned if isinstance(which, tuple) and (row.second, row.first) == which else row


def has_row(rows: Iterable[Any], which: object) -> bool:
    """Return whether a record, or a record of this name or these two, is among these."""
    return which in _places(rows) if isinstance(which, str | tuple) else any(which == row for row in rows)


def _places(rows: Iterable[Any]) -> dict[Any, list[int]]:
    """Return where the records of each name are, and of each two names; in both orders where a record can be turned."""
    places: dict[Any, list[int]] = {}
    for at, row in enumerate(rows):
        has = row if isinstance(row, Mapping) else {name: getattr(row, name, None) for name in chain(*_NAMES)}
        groups = ([has[name] for name in group if isinstance(has.get(name), str)] for group in _NAMES)
        pair = (has.get("first"), has.get("second"))
        pairs = [] if None in pair else [pair, pair[::-1]] if hasattr(row, "turned") else [pair]
        for name in dict.fromkeys([*next(filter(None, groups), ()), *pairs]):
            places.setdefault(name, []).append(at)
    return places


class NamedRows(tuple[T, ...], Public):
    """Records that are had by their names, too."""

    _uses: ClassVar[Mapping[str, str]] = {"to_frame": "study.to_frame()"}

    @overload
    def __getitem__(self, which: SupportsIndex | str | tuple[str, str], /) -> T: ...
    @overload
    def __getitem__(self, which: slice, /) -> "NamedRows[T]": ...
    def __getitem__(self, which: Any, /) -> Any:
        """Return a record by its index or name, one of two systems by both names, or several by a slice."""
        found = row_of(tuple(self), which)
        return NamedRows(found) if isinstance(which, slice) else found

    def __contains__(self, which: object) -> bool:
        """Return whether a record, or a record of this name, is here."""
        return has_row(self, which)


def frame_of(rows: Sequence[Mapping[str, Any]], brief: Sequence[str]) -> "DataFrame":
    """Return records as a DataFrame, with the columns of a brief one that they have, or with all."""
    need("frames")
    import pandas as pd  # half a second that only those pay who want a DataFrame

    frame = pd.DataFrame(rows, columns=None if rows else list(brief))
    return frame[[name for name in brief if name in frame]] if brief else frame
