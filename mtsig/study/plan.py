"""Analysis plan: a small TOML file, written before scoring, goes in; the request that it fixes comes out."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec

from mtsig.errors import LONGEST, InvalidOption, ReadError, UnknownName, said_by
from mtsig.inference import PairChoice, Settings
from mtsig.metrics import metric
from mtsig.options import options
from mtsig.readers import bytes_of, toml_of
from mtsig.study.request import Kind, Margin, OverSetsRequest, Request

_MARGINS: dict[str, Kind] = {"equivalence": "equivalence", "non_inferiority": "non-inferiority"}
_OWN = ("metrics", "pairs", "joined", "by", "sets", *_MARGINS, "one_more_document")


@dataclass(frozen=True)
class AnalysisPlan:
    """What will be compared, how, decided before any score was seen.

    The program cannot know when a plan was written. Its digest lets the author prove it: publish the file, or the
    digest, before scoring.
    """

    request: Request
    text: str

    @property
    def digest(self) -> str:
        """The fingerprint of the plan's text."""
        return "sha256:" + hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


def read_plan(path: str | Path) -> AnalysisPlan:
    """Return the plan in a file.

    >>> import tempfile
    >>> from mtsig.study import read_plan
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(f"{folder}/plan.toml").write_text('metrics = ["chrf", "bleu"]')
    ...     [metric.name for metric in read_plan(f"{folder}/plan.toml").request.metrics]
    ['chrF2', 'BLEU']

    Raises:
        ReadError: the file cannot be read, or is no plan (the message names file, line or key).
    """
    try:
        data = bytes_of(Path(path), str(path))
    except (OSError, ValueError) as error:
        raise ReadError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error}).") from None
    return plan_of(data, str(path))


def plan_of(data: bytes | str, label: str = "the plan") -> AnalysisPlan:
    r"""Return the plan that TOML text writes; `label` is what messages call it.

    >>> from mtsig.study import plan_of
    >>> plan = plan_of('metrics = ["chrf"]\npairs = "direct"\nlevel = 0.99')
    >>> plan.request.pairs, plan.request.settings.level
    ('direct', 0.99)

    Raises:
        ReadError: the text is no TOML, or holds an unknown key or a value of the wrong kind.
        UnknownName: it names no metric, test or correction.
        InvalidOption: a value is not allowed.
    """
    text, content = toml_of(data, label)
    try:
        return AnalysisPlan(_request(content, label), text)
    except (InvalidOption, UnknownName) as error:
        # Options speak for themselves, wherever they come from; here they come from this file.
        raise type(error)(f"{label}: {error}") from None
    except (ValueError, OverflowError):
        raise ReadError(f"{label} holds a number too long to be the value of anything.") from None


def _request(content: Mapping[str, Any], label: str) -> Request:
    known = {option.name: option for option in options(Settings)}
    for key in content:
        if key not in known and key not in _OWN:
            alike = get_close_matches(key, [*_OWN, *known], 1)
            meant = f" Did you mean {alike[0]!r}?" if alike else ""
            raise ReadError(f"{label}: there is no key called {key!r}.{meant} Known: {', '.join([*_OWN, *known])}.")
    metrics = content.get("metrics")
    if not isinstance(metrics, list) or not metrics or not all(isinstance(metric, str) for metric in metrics):
        raise ReadError(f'{label}: metrics must be a list of names, such as ["bleu", "chrf"]; found {metrics!r}.')
    joined = content.get("joined", False)
    if not isinstance(joined, bool):
        raise ReadError(f"{label}: joined must be true or false; found {joined!r}.")
    settings = Settings(**{name: content[name] for name in known if name in content})
    pairs = _pairs(content.get("pairs", "all"), label)
    if settings.alternative != "two-sided" and pairs == "all":
        raise InvalidOption(
            "a one-sided test needs a direction for every pair: give pairs as a baseline's name or as a list "
            'of [first, second], such as pairs = [["ours", "baseline"]].'
        )
    margins, sets = _margins(content, metrics, label), _sets(content, label)
    by = content.get("by")
    if not isinstance(by, str | None):
        raise ReadError(f'{label}: by must be a way to slice, such as "domain"; found {by!r}.')
    return Request(tuple(metric(name) for name in metrics), settings, pairs, joined, margins, sets, by)


_SETS = tuple(field.name for field in fields(OverSetsRequest))


def _sets(content: Mapping[str, Any], label: str) -> OverSetsRequest | None:
    """Return how several sets are taken together; None where the plan is of one."""
    table = content.get("sets")
    if table is None:
        return None
    if not isinstance(table, Mapping):
        raise ReadError(f"{label}: sets must be a table, such as [sets] with names = [...] below it.")
    for key in table:
        if key not in _SETS:
            raise ReadError(f"{label}: sets has no key called {key!r}. Known: {', '.join(_SETS)}.")
    try:
        over = msgspec.convert(dict(table), OverSetsRequest)
    except msgspec.ValidationError as error:
        raise ReadError(f"{label}: sets: {said_by(error, 'its keys do not fit together', LONGEST)}.") from None
    if not over.names:
        raise ReadError(f"{label}: sets must have names, the test sets that are fixed before looking.")
    return over


def _pairs(value: Any, label: str) -> PairChoice:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(_is_pair(pair) for pair in value):
        return tuple((first, second) for first, second in value)
    raise ReadError(
        f'{label}: pairs must be "all", the name of one system, or a list of [first, second]; found {value!r}.'
    )


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(name, str) for name in value)


def _margins(content: Mapping[str, Any], metrics: list[str], label: str) -> tuple[Margin, ...]:
    margins = []
    one_more = content.get("one_more_document", False)
    if not isinstance(one_more, bool):
        raise ReadError(f"{label}: one_more_document must be true or false; found {one_more!r}.")
    for key, kind in _MARGINS.items():
        table = content.get(key, {})
        if not isinstance(table, Mapping):
            raise ReadError(f"{label}: {key} must be a table of metric = points, such as bleu = 0.5.")
        for choice, points in table.items():
            if choice not in metrics:
                raise ReadError(f"{label}: {key} names {choice!r}, which is not among metrics as written there.")
            if isinstance(points, bool) or not isinstance(points, int | float):
                raise ReadError(f"{label}: the margin of {choice} must be a number of points; found {points!r}.")
            margins.append(Margin(choice, kind, float(points), one_more))
    if one_more and not margins:
        raise ReadError(f"{label}: one_more_document is of margins, and there are none.")
    return tuple(margins)


def plan_text(request: Request) -> str:
    """Return a plan that asks for `request`, as TOML with a word on each key.

    Raises:
        InvalidOption: a metric has no name.
    """
    choices = [choice for choice in request.choices if choice is not None]
    if len(choices) < len(request.metrics):
        raise InvalidOption("A plan can only name metrics that have a name in METRICS.")
    pairs = request.pairs if isinstance(request.pairs, str) else [list(pair) for pair in request.pairs]
    lines = [
        "# Analysis plan. Write it before any system is scored, and publish it or its digest (mtsig plan FILE).",
        f"metrics = {_toml(choices)}",
        "",
        '# "all", one system (every other system against it), or a list of [first, second].',
        f"pairs = {_toml(pairs)}",
        "",
        "# Whether all metrics are judged together, as one family.",
        f"joined = {_toml(request.joined)}",
    ]
    if request.by is not None:
        lines += ["", "# Parts of the test set that are judged together, as one family.", f"by = {_toml(request.by)}"]
    for option in options(request.settings):
        lines += ["", f"# {option.help}", f"{option.name} = {_toml(getattr(request.settings, option.name))}"]
    if any(margin.one_more_document for margin in request.margins):
        lines += ["", "# Whether margins have to hold even with one more document like the heaviest."]
        lines += ["one_more_document = true"]
    if request.sets is not None:
        lines += ["", f"# Estimand: {_on_one_line(request.sets.sentence)}.", "[sets]"]
        lines += [f"{key} = {_toml(value)}" for key, value in msgspec.to_builtins(request.sets).items() if value != {}]
    for key, kind in _MARGINS.items():
        chosen = [margin for margin in request.margins if margin.kind == kind]
        if chosen:
            lines += ["", f"[{key}]", *(f"{_toml(margin.metric_spec)} = {margin.points!r}" for margin in chosen)]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    """Return a value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + "".join(_escaped(sign) for sign in value) + '"'
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(item) for item in value)}]"
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_toml(key)} = {_toml(item)}' for key, item in value.items())} }}"
    return repr(value)


def _on_one_line(text: str) -> str:
    """Return text for a comment: a name with a line break in it would end one."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def _escaped(sign: str) -> str:
    if sign in '"\\':
        return "\\" + sign
    return f"\\u{ord(sign):04X}" if ord(sign) < 32 or ord(sign) == 127 else sign
