"""Everything mtsig raises on purpose; each message says what was found, what was expected, where, and what to do.

MtsigError
├── ReadError        a file cannot be read (the message names file and line)
├── AlignmentError   parallel texts differ in length
├── UnknownName      no such metric, test, interval, correction, system …
│   └── UnknownIndex no row of this number; an IndexError, too, as Python's own
├── InvalidOption    an option exists, but not with this value
├── NotApplicable    the method is valid, but not for these data
└── ProgramError     another program is missing, failed, or gave an unusable answer
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from types import UnionType
from typing import Any, TypeVar

LONGEST = 2_000
"""Characters that one line of a message may have."""

# Control characters move a terminal's cursor, marks of direction turn a line round, halves of pairs cannot be printed.
_UNPRINTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class MtsigError(Exception):
    """The base class of all errors that mtsig raises on purpose.

    Messages quote names from files, which may contain anything. Characters that cannot be shown are replaced by U+FFFD,
    and the middle of a very long line is left out.

    Examples
    --------
    >>> import mtsig
    >>> try:
    ...     mtsig.metric("blue")
    ... except MtsigError as error:
    ...     print(type(error).__name__)
    UnknownName
    """

    def __init__(self, *messages: str) -> None:
        cleaned = [_UNPRINTED.sub("\ufffd", message).split("\n") for message in messages]
        super().__init__(*("\n".join(map(_shortened, lines)) for lines in cleaned))

    def __str__(self) -> str:
        """Return the messages, each on a line of its own."""
        return "\n".join(map(str, self.args))


def _shortened(line: str) -> str:
    return line if len(line) <= LONGEST else f"{line[: LONGEST * 3 // 4]} … {line[-LONGEST // 5 :]}"


class ReadError(MtsigError):
    """One or several files cannot be read; there is a message for each."""


class AlignmentError(MtsigError):
    """Parallel texts differ in length."""


class UnknownName(MtsigError, KeyError):
    """A name does not exist; the message lists the existing names. It is a KeyError, too, as Python's own."""


class UnknownIndex(UnknownName, IndexError):
    """There is no row at this index; the message says how many there are.

    Examples
    --------
    >>> import mtsig
    >>> study = mtsig.compare(mtsig.read_sample(), "bleu", baseline="direct")
    >>> try:
    ...     study[5]
    ... except mtsig.MtsigError as error:
    ...     print(error)
    There is no metric in this study with index 5. There is 1, with index 0. Known: BLEU, bleu.
    """


class InvalidOption(MtsigError):
    """An option has an invalid value; the message lists the valid values.

    Examples
    --------
    >>> import mtsig
    >>> try:
    ...     mtsig.Settings(level=95)
    ... except mtsig.InvalidOption as error:
    ...     print(error)
    Confidence (level) takes a number from 0.5 to 0.9999; found 95. Write 0.95 for 95%.
    """


class NotApplicable(MtsigError):
    """The method does not apply to these data; the message names an alternative.

    flags: the options to use on the command line instead; "" if unknown.

    Examples
    --------
    >>> import mtsig
    >>> try:
    ...     mtsig.compare({"A": [0.5, 0.7], "B": [0.4, 0.6]}, higher_is_better=True, unit="document")
    ... except mtsig.NotApplicable as error:
    ...     print(error)
    The unit is the document, but no document ids were given (docids.txt, one per line).
    """

    def __init__(self, message: str, flags: str = "") -> None:
        """Take the message, and the flags that lead on."""
        super().__init__(message)
        self.flags = flags


class ProgramError(MtsigError):
    """Another program is missing, failed, or gave an unusable answer."""


def shown(value: Any) -> str:
    """Return a value as Python writes it, and a number of NumPy as the number that it is."""
    return repr(value.item() if hasattr(value, "dtype") and not value.shape else value)


def kind_of(thing: object) -> str:
    """Return what something is, in words that a message can use."""
    if thing is None:
        return "nothing"
    name, shape = type(thing).__name__, getattr(thing, "shape", None)
    article = "an" if name[0].lower() in "aeiou" else "a"
    size = f" of {len(thing)}" if isinstance(thing, list | tuple | dict) else ""
    return f"{article} {name}{size}{'' if shape is None else f' of shape {shape}'}"


_INTERNAL = re.compile(
    r"NoneType|<class|0x[0-9a-f]{4}|\b(?:str|int|float|bool|list|dict|tuple|bytes|type|method|function)\b.{0,3} object|"
    r"object has no attribute|index out of range|not subscriptable|not iterable|positional argument|unhashable|unpack|"
    r"\bsys\.|codec can't|(?<![\w'\"])b['\"]|seek value|flag bit|magic number|Error -?\d|[a-z]Exception\b|"
    r"[Tt]hrift|flatbuffers|BYTE_ARRAY|base64|(?:output|Output) buffer|buffer size"
)
"""What a message of a library's own looks like: it is about the program and not about a file."""

_NAMES = re.compile(r"\(('[^()]*'),?\)")


def said_by(error: BaseException, otherwise: str, most: int = 100) -> str:
    """Return the words of another library's error for a message, or these where they would mean nothing to a reader."""
    text = _NAMES.sub(r"\1", " ".join(str(error).split()))
    text = (_of_value(text) if type(error).__module__ == "msgspec" else text)[:most].rstrip(".")
    internal = isinstance(error, AttributeError | TypeError | KeyError | IndexError | AssertionError | RecursionError)
    return otherwise if internal or not text or _INTERNAL.search(text) else text


_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object of names and values",
    "null": "nothing",
}
_BOUNDS = {"<=": "at most", ">=": "at least", "<": "below", ">": "above"}
_PLACED = re.compile(r"(.*) - at (`key` in )?`\$(.*)`\Z")
_VALUE = re.compile(r"`([\w |]+)`|(of )?(length )?([<>]=?) (?=[-+\de.]+\Z)|\b(got)\b")


def _of_value(text: str) -> str:
    """Return what msgspec says of a value that does not fit, in words: where it is, what was expected and found."""
    found = _PLACED.match(text)
    what = found[1] if found else text
    if what.startswith("Expected "):
        what = _VALUE.sub(_worded, f"e{what[1:]}").replace(" matching regex ", " of the form ")
    else:
        what = re.sub(r"\AObject missing required field `(.*)`", r"the key '\1' is missing", what)
        what = re.sub(r"\AInvalid enum value (.*)", r"\1 is not one of the allowed words", what)
        what = re.sub(r"\AInvalid value (.*)", r"\1 is not allowed there", what)
    if found is None:
        return what
    place = found[3].lstrip(".").replace("[...]", " (one of its values)")
    return f"at {'the names of ' if found[2] else ''}{place}: {what}"


def _worded(found: re.Match[str]) -> str:
    kinds, of, length, bound, _ = found.groups()
    if kinds:
        return " or ".join(_KINDS.get(kind, kind) for kind in kinds.split(" | "))
    return f"{of or 'of '}{length or ''}{_BOUNDS[bound]} " if bound else "found"


def expect(thing: object, kind: type | UnionType, what: str) -> None:
    """Raise InvalidOption when something is of another kind; `what` is the sentence that says what to give."""
    if not isinstance(thing, kind):
        raise InvalidOption(f"{what}; found {kind_of(thing)}.")


Entry = TypeVar("Entry")


class Named(dict[str, Entry]):
    """Entries by name; where there is none of a name, it says which there are."""

    def __missing__(self, name: str) -> Entry:
        raise unknown_name("entry", name, self)


def find_typed(table: Mapping[str, Entry], text: str, kind: str) -> Entry:
    """Return the entry that a user typed: called exactly so, or so in lower case.

    Raises
    ------
    UnknownName
        As in `find`.
    """
    name = text.strip()
    return find(table, name if name in table else name.lower(), kind)


def find(table: Mapping[str, Entry], choice: str | Entry, kind: str) -> Entry:
    """Return the entry of `table` called `choice`, or `choice` itself when it is not a name.

    Raises
    ------
    UnknownName
        The table has no such entry; the message lists those it has.
    """
    if not isinstance(choice, str):
        return choice
    if choice in table:
        return table[choice]
    raise unknown_name(kind, choice, table)


def item_at(items: Sequence[Entry], which: Any, kind: str, places: Mapping[Any, Sequence[int]] | None = None) -> Any:
    """Return an item by its index, several by a slice, as of a list; or one by its name, where items have names.

    places: where the items of each name, or of each pair of names, are.

    Raises
    ------
    UnknownName
        There is no item of this name, or at this index; or several items have this name.
    InvalidOption
        This is no index.
    """
    place = which
    if places is not None and isinstance(which, str | tuple):
        if len(own := places.get(which, ())) != 1:
            raise _no_item(items, which, kind, places, own)
        place = own[0]
    if not hasattr(place, "__index__") and not isinstance(place, slice):
        names = f", {shown(next(iter(places)))}," if places else ""
        raise InvalidOption(f"Give the index of a {kind}, such as 0{names} or a slice, such as 0:2; found {which!r}.")
    try:
        return items[place]
    except IndexError:
        count = len(items)
        indices = f"There are {count}, with indices 0 to {count - 1}, or −1 to −{count} from the end"
        how = {0: "There is none", 1: "There is 1, with index 0"}.get(count, indices)
        known = f" Known: {', '.join(_names(places))}." if places else ""
        raise UnknownIndex(f"There is no {kind} with index {which}. {how}.{known}") from None


def _no_item(
    items: Sequence[Any], which: Any, kind: str, places: Mapping[Any, Sequence[int]], own: Sequence[int]
) -> UnknownName:
    """Return the error of a name that no item has, or several have; it says what has it, or which have."""
    if own:
        pair = next((name for name in places if isinstance(name, tuple) and which in name), None)
        both = f", or both names, as in [{', '.join(map(repr, pair))}]" if pair else ""
        return UnknownName(f"More than one {kind} has {which!r}: give an index ({', '.join(map(str, own))}){both}.")
    if isinstance(which, tuple) and which[::-1] in places:
        return UnknownName(f"There is no {kind} called {which!r}, but one called {which[::-1]!r}.")
    for name, at in sorted(places.items(), key=lambda place: place[1][0]):
        with suppress(MtsigError, TypeError, LookupError):
            items[at[0]][which]
            return UnknownName(f"There is no {kind} called {which!r}. Use [{name!r}][{which!r}].")
    if items and not _names(places):
        return UnknownName(f"No {kind} has a name here: give an index, such as 0; found {which!r}.")
    return unknown_name(kind, which, _names(places))


def _names(places: Iterable[Any]) -> list[str]:
    return [name for name in places if isinstance(name, str)]


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UnknownName:
    """Return the error of a name that is not among the known ones, which it lists; it says which may be meant."""
    names = list(known)
    hint = " ".join(filter(None, [f"There is no {kind} called {name!r}.", meant(str(name), names)]))
    return UnknownName(f"{hint} Known: {', '.join(names) or 'none'}.")


def meant(text: str, known: Iterable[str]) -> str:
    """Return the question whether the nearest of some names was meant, or several; nothing where none is near."""
    from difflib import get_close_matches  # here, because only mistakes need it

    names, listed = list(known), [piece.strip() for piece in text.split(",") if piece.strip()]
    if len(listed) > 1 and any(piece in names or piece.lower() in names for piece in listed):
        return f"Did you mean several, {' '.join(listed)} on the command line, or {listed!r} in Python?"
    if ours := called_elsewhere(text, names):
        return f"Did you mean {' or '.join(map(repr, ours))}?"
    spelled = {name.lower(): name for name in names}
    near = get_close_matches(text.lower(), spelled, n=1)
    return f"Did you mean {spelled[near[0]]!r}?" if near else ""


def called_elsewhere(text: str, known: Collection[str]) -> list[str]:
    """Return which of the known names are meant by a name of statsmodels, SciPy, R, sacreBLEU or papers."""
    return [ours for ours in _ELSEWHERE.get(re.sub(r"[\s_.]+", "-", text.strip().lower()), ()) if ours in known]


_ELSEWHERE: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("fdr-bh", "fdr", "fdr-tsbh", "fdr-tsbky", "benjamini-hochberg"), ("bh",)),
    **dict.fromkeys(("fdr-by", "benjamini-yekutieli"), ("by",)),
    **dict.fromkeys(("holm-sidak", "holm-bonferroni", "bonferroni-holm"), ("holm",)),
    **dict.fromkeys(("simes-hochberg", "hochberg", "simes"), ("hommel",)),
    "westfall-young": ("minp", "maxt-down"),
    "tukeyhsd": ("tukey",),
    **dict.fromkeys(
        ("bootstrap", "paired-bootstrap", "paired-bs", "bs", "bootstrap-test"),
        ("bootstrap-shift", "bootstrap-koehn", "sacrebleu-bs", "percentile"),
    ),
    "koehn": ("bootstrap-koehn",),
    "paired-ar": ("ar", "sacrebleu-ar"),
    **dict.fromkeys(
        ("randomization", "approximate-randomization", "paired-randomization", "permutation", "permutation-test",
         "paired-permutation"),
        ("ar",),
    ),
    **dict.fromkeys(("ttest", "t-test", "paired-t", "paired-t-test", "ttest-rel", "ttest-ind"), ("jackknife-t", "t")),
    **dict.fromkeys(("wilcoxon-signed-rank", "signed-rank", "mannwhitneyu", "mann-whitney"), ("wilcoxon",)),
    **dict.fromkeys(("mcnemar", "binomtest", "sign-test"), ("sign",)),
    "studentized": ("bootstrap-t",),
    **dict.fromkeys(("gaussian", "norm"), ("normal",)),
    **dict.fromkeys(("beta", "agresti-coull", "clopper-pearson"), ("wilson",)),
    **dict.fromkeys(("load", "open", "from-file", "from-folder", "load-corpus"), ("read",)),
    **dict.fromkeys(("read-csv", "load-csv", "from-csv"), ("read_files",)),
    "larger": ("greater",),
    "smaller": ("less",),
    **dict.fromkeys(("sentence", "sent", "line", "seg"), ("segment",)),
    **dict.fromkeys(("doc", "document-level"), ("document",)),
    "pearsonr": ("pearson",),
    "spearmanr": ("spearman",),
    "kendalltau": ("kendall",),
    "tok": ("tokenize",),
    "lc": ("lowercase",),
    "smooth": ("smooth_method",),
    "nw": ("word_order",),
    "nc": ("char_order",),
}  # fmt: skip
"""What other libraries call methods, each with the names here that may be meant, the best first."""


EXTRAS: dict[str, tuple[str, tuple[str, ...]]] = {
    "dashboard": (
        "The dashboard needs",
        ("streamlit", "pandas", "plotly", "matplotlib", "openpyxl", "jinja2", "fpdf", "pyarrow", "fsspec"),
    ),
    "excel": ("Writing Excel workbooks needs", ("openpyxl",)),
    "figures": ("Figures need", ("plotly", "matplotlib")),
    "frames": ("DataFrames need", ("pandas",)),
    "parquet": ("Parquet tables, counts in files and archives packed with zstd need", ("pyarrow", "fsspec")),
    "report": ("Reports need", ("jinja2", "fpdf")),
}
"""What each extra of pyproject.toml is for, and the libraries that it brings."""


def install(extra: str) -> str:
    """Return how an extra is added: no name on an index is ours yet, so no command is given for one."""
    return f"install mtsig with its extra {extra}"


def need(extra: str) -> None:
    """Do nothing where the libraries of an extra are installed; none of them is loaded.

    Raises
    ------
    ProgramError
        One is not; the message says how to install it.
    """
    what, libraries = EXTRAS[extra]
    lacking = [library for library in libraries if not _is_installed(library)]
    if lacking:
        raise ProgramError(f"{what} {', '.join(lacking)}, not installed here: {install(extra)}")


def _is_installed(library: str) -> bool:
    try:
        return find_spec(library) is not None
    except (ImportError, ValueError):  # what stands in its place is no library
        return False
