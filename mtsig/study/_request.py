"""Request: what an analysis is asked to do, in Python or by a plan, a small TOML file written before scoring."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from mtsig._options import options
from mtsig._records import about
from mtsig._results import Public
from mtsig.collection import Averaging, Sets, measure, partial_conjunction, rank_over_sets, read_sets
from mtsig.corpus._notes import refuse_repeated
from mtsig.corpus._slices import Slicing
from mtsig.errors import LONGEST, InvalidOption, MtsigError, ReadError, UnknownName, said_by
from mtsig.inference import Settings
from mtsig.inference._targets import PairChoice
from mtsig.metrics import METRICS, Metric, Rated, metric, rating_choice
from mtsig.readers._files import bytes_at, toml_of

__all__ = ["Averaging", "Sets", "measure", "partial_conjunction", "rank_over_sets", "read_sets"]
"""What the face shows, here and in `_record` and `_run`, beside what is made here."""

Kind = Literal["equivalence", "non-inferiority"]


@dataclass(frozen=True)
class Margin(Public):
    """A margin in points for a test of equivalence or non-inferiority."""

    metric_spec: Annotated[str, about("The metric, written as in metrics.")]
    kind: Annotated[Kind, about("equivalence or non-inferiority.")]
    points: Annotated[float, Meta(gt=0), about("The margin, in points of the metric.")]
    one_more_document: Annotated[
        bool, about("Whether the claim must also hold with one more document like the most influential one against it.")
    ] = False

    def __post_init__(self) -> None:
        """Hold whole points as the number that a file gives back."""
        object.__setattr__(self, "points", float(self.points))


@dataclass(frozen=True)
class Judging:
    """How preferences are analysed: the options of `mtsig.campaign.preferences`."""

    criterion: Annotated[str | None, about("The criterion that was analysed; null if it was not chosen.")] = None
    model: Annotated[Literal["davidson", "half", "direct"], about("The model of ties.")] = "davidson"
    order: Annotated[Literal["auto", "ignore"], about("The treatment of display order.")] = "auto"
    dual: Annotated[Literal["keep", "collapse"], about("The treatment of comparisons in both orders.")] = "keep"
    penalty: Annotated[Literal["auto", "always", "never"], about("When the likelihood is penalised.")] = "auto"
    anchor: Annotated[tuple[str, float] | None, about("A system and the Elo rating that it is given.")] = None
    grades: Annotated[Literal["sign", "margin"], about("Whether who wins was analysed, or by how much.")] = "sign"
    rating: Annotated[str | None, about("The rating that the preferences were made from; null for verdicts.")] = None


@dataclass(frozen=True)
class Request(Public):
    """The metrics, pairs, settings and margins of an analysis.

    sets: how several test sets are combined; `None` for one test set. by: how a test set is divided into subsets,
    corrected as one family: a name in `SLICINGS` such as "length:4"; `None` for the whole test set. preferences: how
    preferences are analysed; `None` if other data are.

    `choices` are the metrics' specifications, such as bleu:tokenize=zh; `None` for a metric without a name in
    `METRICS`. Options that depend on the data, such as the tokenizer, are not fixed.
    """

    metrics: tuple[Metric, ...]
    settings: Settings = field(default_factory=Settings)
    pairs: PairChoice = "all"
    joined: bool = False
    margins: tuple[Margin, ...] = ()
    sets: Averaging | None = None
    by: str | None = None
    preferences: Judging | None = None

    def __post_init__(self) -> None:
        """Check the margins, and hold pairs as tuples."""
        if not self.metrics:
            raise InvalidOption("At least one metric is needed.")
        if self.sets is not None and self.margins:
            raise InvalidOption(
                "A plan for several test sets cannot have margins. Use mtsig gate, which takes several sets, to test "
                "the average of two systems against a margin; or write a plan for one set."
            )
        if self.by is not None:
            Slicing.of(self.by)
            if self.sets is not None or self.joined or self.margins:
                what = "several test sets" if self.sets is not None else "joined metrics" if self.joined else "margins"
                raise InvalidOption(f"Subsets of a test set cannot be combined with {what}: choose one of the two.")
        if self.sets is not None and self.joined:
            raise InvalidOption(
                "Over several test sets, metrics cannot be corrected jointly: each is tested over them separately."
            )
        object.__setattr__(self, "metrics", tuple(measured.asked for measured in self.metrics))
        for measured_by, choice in zip(self.metrics, self.choices, strict=True):
            if self.metrics.count(measured_by) > 1:
                raise InvalidOption(f"The metric {choice or measured_by.name} is named twice.")
        for margin in self.margins:
            if metric(margin.metric_spec) not in self.metrics:
                raise InvalidOption(f"There is a margin for {margin.metric_spec}, which is not among the metrics.")
            if not 0 < margin.points < float("inf"):
                raise InvalidOption(f"The margin must be a positive number of points; found {margin.points:g}.")
        for written in () if self.sets is None else (item for own in self.sets.own.values() for item in own):
            if metric(written).name not in {measured.name for measured in self.metrics}:
                raise InvalidOption(f"{written} has options for one set, but is not among the metrics.")
        if not isinstance(self.pairs, str):
            object.__setattr__(self, "pairs", tuple((first, second) for first, second in self.pairs))
            refuse_repeated(self.pairs, "pairs: ")

    def of_set(self, name: str) -> tuple[Metric, ...]:
        """Return the metrics for one test set, with that set's own options."""
        own = {} if self.sets is None else {chosen.name: chosen for chosen in map(metric, self.sets.own.get(name, ()))}
        return tuple(own.get(measured.name, measured) for measured in self.metrics)

    @property
    def choices(self) -> tuple[str | None, ...]:
        """The specifications of the metrics, such as bleu:tokenize=zh."""
        return tuple(choice_of(metric) for metric in self.metrics)

    def margins_of(self, judged_by: Metric) -> tuple[Margin, ...]:
        """Return the margins of a metric."""
        return tuple(margin for margin in self.margins if metric(margin.metric_spec) == judged_by)

    @classmethod
    def named(
        cls,
        choices: Sequence[str | None],
        settings: Settings,
        pairs: PairChoice,
        joined: bool,
        margins: tuple[Margin, ...],
        sets: Averaging | None = None,
        by: str | None = None,
    ) -> "Request":
        """Return a request for the metrics of these names.

        Raises
        ------
        InvalidOption
            A metric has no name.
        UnknownName
            A metric is unknown.
        """
        return cls(tuple(map(_metric, choices)), settings, pairs, joined, margins, sets, by)


def margins_from(
    margin: float | Mapping[str, float] | Margin | Sequence[Margin] | None,
    metrics: Sequence[Metric],
    pairs: PairChoice,
    *,
    both: bool = False,
    one_more_document: bool = False,
) -> tuple[Margin, ...]:
    """Return one margin for all metrics, or those of single ones by their names, as a request has them."""
    made = (margin,) if isinstance(margin, Margin) else tuple(margin) if isinstance(margin, Sequence) else ()
    both = both or (bool(made) and all(one.kind == "equivalence" for one in made))
    if margin is None:
        if both or one_more_document:
            what = "Equivalence needs" if both else "The option of one more document needs"
            raise InvalidOption(f"{what} a margin, in points of the metric; found none.")
        return ()
    if not both and pairs == "all":
        raise InvalidOption(
            "Non-inferiority tests whether the first system of a pair is at most so much worse than the second; found "
            "all pairs, which have no direction. Name the baseline (--baseline SYSTEM, baseline=...), or the pairs, or "
            "test for equivalence."
        )
    if isinstance(margin, Margin | Sequence):
        return made
    asked = [metric.asked for metric in metrics]
    given = tuple(margin) if isinstance(margin, Mapping) else ()
    written = [choice_of(metric) for metric in asked]
    called = [
        (choice or metric.name, metric.name, *(name for name in given if _gives(name, metric)))
        for choice, metric in zip(written, asked, strict=True)
    ]
    kind: Kind = "equivalence" if both else "non-inferiority"
    margins = []
    for choice, points in zip(written, points_by_metric(margin, called), strict=True):
        if points is not None and choice is None:
            raise InvalidOption("A margin needs a metric that has a name in METRICS.")
        if points is not None:
            margins.append(Margin(str(choice), kind, points, one_more_document))
    return tuple(margins)


def points_by_metric(margin: float | Mapping[str, float] | None, called: Sequence[Sequence[str]]) -> list[float | None]:
    """Return the margin of every metric; `called` are the names of each."""
    given = dict(margin) if isinstance(margin, Mapping) else {names[0]: margin for names in called}
    found = [[given.pop(name) for name in dict.fromkeys(names) if name in given] for names in called]
    margins = [next((points for points in own if points is not None), None) for own in found]
    if given:
        known = ", ".join(dict.fromkeys(name for names in called for name in names))
        raise InvalidOption(
            f"There is a margin for {next(iter(given))}, which is not among the metrics. Known: {known}. Name it as a "
            "metric too (--metric in a shell), or leave its margin out."
        )
    for points in margins:
        if points is not None and not 0 < points < float("inf"):
            raise InvalidOption(f"The margin must be a positive number of points; found {points:g}.")
    return margins


def _metric(choice: str | None) -> Metric:
    if choice is None:
        raise InvalidOption("The study was made with a metric that has no name in METRICS; give the metric itself.")
    return metric(choice)


def choice_of(chosen: Metric) -> str | None:
    """Return the metric as one writes it on the command line; None when that does not give it back."""
    known: dict[str, Metric] = dict(METRICS)
    if isinstance(chosen, Rated):
        known = {rating_choice(chosen.rating): Rated(chosen.rating)}
    chosen = chosen.asked
    for name, candidate in known.items():
        if candidate == chosen and _gives(name, chosen):
            return name
    for name, candidate in known.items():
        if type(candidate) is type(chosen):
            default = {option.name: option.default for option in options(candidate)}
            changed = [
                f"{option.name}={_text(option.default)}"
                for option in options(chosen)
                if option.default != default.get(option.name)
            ]
            text = f"{name.removesuffix(':')}:{','.join(changed)}"
            if _gives(text, chosen):
                return text
    return None


def _gives(text: str, chosen: Metric) -> bool:
    try:
        return metric(text) == chosen
    except MtsigError:
        return False


def _text(value: object) -> str:
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


_MARGINS: dict[str, Kind] = {"equivalence": "equivalence", "non_inferiority": "non-inferiority"}
_OWN = ("metrics", "pairs", "joined", "by", "sets", *_MARGINS, "one_more_document")


@dataclass(frozen=True)
class AnalysisPlan(Public):
    """A plan of what to compare and how, to be fixed before any score is seen.

    The program cannot know when a plan was written. Publish the plan, or its digest, before scoring to let readers
    verify it.
    """

    request: Request
    text: str

    @property
    def digest(self) -> str:
        """A fingerprint of the plan's text."""
        return "sha256:" + hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


def read_plan(path: str | Path) -> AnalysisPlan:
    """Read an analysis plan from a file.

    Raises
    ------
    ReadError
        The file cannot be read, or is not a plan; the message gives the file, line or key.

    Examples
    --------
    >>> import tempfile
    >>> from mtsig.study import read_plan
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(f"{folder}/plan.toml").write_text('metrics = ["chrf", "bleu"]')
    ...     [metric.name for metric in read_plan(f"{folder}/plan.toml").request.metrics]
    ['chrF2', 'BLEU']
    """
    return plan_of(bytes_at(path, "Plans are written by `mtsig plan --metric bleu > plan.toml`."), str(path))


def plan_of(data: bytes | str, label: str = "the plan") -> AnalysisPlan:
    r"""Return the plan that TOML text writes; `label` is what messages call it."""
    text, content = toml_of(data, label)
    try:
        return AnalysisPlan(_request(content, label), text)
    except (InvalidOption, UnknownName) as error:
        # Options speak for themselves, wherever they come from; here they come from this file.
        raise type(error)(f"{label}: {error}") from None
    except (ValueError, OverflowError):
        raise ReadError(f"{label} contains a number that is too long.") from None


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
        raise ReadError(f'{label}: by must be a way to form subsets, such as "domain"; found {by!r}.')
    return Request(tuple(metric(name) for name in metrics), settings, pairs, joined, margins, sets, by)


_SETS = tuple(field.name for field in fields(Averaging))


def _sets(content: Mapping[str, Any], label: str) -> Averaging | None:
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
        over = msgspec.convert(dict(table), Averaging)
    except msgspec.ValidationError as error:
        raise ReadError(f"{label}: sets: {said_by(error, 'its keys are inconsistent', LONGEST)}.") from None
    if not over.names:
        raise ReadError(f"{label}: sets must have names: the test sets that are fixed in advance.")
    return over


def _pairs(value: Any, label: str) -> PairChoice:
    if isinstance(value, str) or (isinstance(value, list) and value and all(map(_is_pair, value))):
        return value
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
                raise ReadError(f"{label}: {key} names {choice!r}, which is not in metrics, written the same way.")
            if isinstance(points, bool) or not isinstance(points, int | float):
                raise ReadError(f"{label}: the margin of {choice} must be a number of points; found {points!r}.")
            margins.append(Margin(choice, kind, float(points), one_more))
    if one_more and not margins:
        raise ReadError(f"{label}: one_more_document needs margins, but none are given.")
    return tuple(margins)


def plan_text(request: Request) -> str:
    """Return a plan that asks for `request`, as TOML with a word on each key."""
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
        "# Whether to correct for all metrics together, as one family.",
        f"joined = {_toml(request.joined)}",
    ]
    if request.by is not None:
        lines += [
            "",
            "# Subsets of the test set that are corrected together, as one family.",
            f"by = {_toml(request.by)}",
        ]
    for option in options(request.settings):
        lines += ["", f"# {option.help}", f"{option.name} = {_toml(getattr(request.settings, option.name))}"]
    if any(margin.one_more_document for margin in request.margins):
        lines += ["", "# Whether claims must also hold with one more document like the most influential one."]
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
