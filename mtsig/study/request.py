"""Request: what an analysis is asked to do, so that it can be asked again; a corpus is all that is missing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal, get_args

from msgspec import Meta

from mtsig.corpus import listed, number_of
from mtsig.errors import InvalidOption, MtsigError
from mtsig.inference import PairChoice, Settings
from mtsig.metrics import METRICS, Metric, Rated, metric, rating_choice
from mtsig.options import Option, options
from mtsig.records import about
from mtsig.sets.averages import check_weights
from mtsig.sets.collection import Sharing
from mtsig.sets.families import FamilyOf
from mtsig.sets.ranks import Separation
from mtsig.sets.replicability import Combination

Kind = Literal["equivalence", "non-inferiority"]


@dataclass(frozen=True)
class Margin:
    """A margin in points of a metric: of equivalence, or of how much worse the first system may be."""

    choice: Annotated[str, about("The metric, as in metrics.")]
    kind: Annotated[Kind, about("equivalence or non-inferiority.")]
    points: Annotated[float, Meta(gt=0), about("The margin, in points of the metric.")]

    def __post_init__(self) -> None:
        """Hold whole points as the number that a file gives back."""
        object.__setattr__(self, "points", float(self.points))


HOW_OVER_SETS = (
    Option(
        "units", str, False, "shared", "Documents that occur in several sets",
        "whether documents that occur in several sets are one unit in all of them", get_args(Sharing),
    ),
    Option(
        "family", str, False, "joint", "Judged together",
        "judge all sets × pairs together (joint), or every set by itself", get_args(FamilyOf),
    ),
    Option(
        "combine", str, False, "bonferroni", "In how many sets",
        "how p-values say in how many sets a system is better; fisher takes sets that share nothing",
        get_args(Combination),
    ),
    Option(
        "separate", str, False, "nemenyi", "Ranks over sets",
        "what separates mean ranks; wilcoxon-holm takes nine sets for ten pairs", get_args(Separation),
    ),
)  # fmt: skip
"""How several sets are taken together, beside their weights: the flags of the command line, and the page's boxes."""


@dataclass(frozen=True)
class OverSetsRequest:
    """How several test sets are taken together: which they are, how much each weighs, what is one family."""

    names: Annotated[tuple[str, ...], about("The sets, by their names.")] = ()
    weights: Annotated[
        Literal["equal", "segments"] | Mapping[str, float],
        about("Of the sets in the average: equal, segments, or each."),
    ] = "equal"
    units: Annotated[
        Sharing, about("Whether documents that occur in several sets are one unit: shared or separate.")
    ] = "shared"
    family: Annotated[FamilyOf, about("joint: all sets × pairs together; per-set: every set by itself.")] = "joint"
    combine: Annotated[
        Combination, about("How p-values of sets are combined to say in how many a system is better.")
    ] = "bonferroni"
    separate: Annotated[Separation, about("What separates mean ranks over sets.")] = "nemenyi"
    own: Annotated[
        Mapping[str, tuple[str, ...]], about("Metrics with other options for some sets: set -> as written.")
    ] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check what can be checked without data.

        Raises:
            InvalidOption: a word that is none of its choices, weights that are none, or a set that is not among the
                names.
        """
        for key, kind in (("units", Sharing), ("family", FamilyOf), ("combine", Combination), ("separate", Separation)):
            if getattr(self, key) not in get_args(kind):
                raise InvalidOption(f"{key} is {' or '.join(get_args(kind))}; found {getattr(self, key)!r}.")
        check_weights(self.weights, self.names)
        for name in self.own:
            if self.names and name not in self.names:
                raise InvalidOption(f"A metric is named for the set {name!r}, which is not among the sets.")

    @property
    def sentence(self) -> str:
        """What is estimated, and how sets are taken together."""
        weights = self.weights if isinstance(self.weights, str) else "given by name"
        return (
            f"the average difference over these {number_of(len(self.names), 'test set')} ({listed(self.names)}); "
            f"weights {weights}, units in several sets {self.units}, {self.family} family"
        )


@dataclass(frozen=True)
class Request:
    """Metrics, pairs, settings and margins of one analysis; `joined` judges all metrics as one family.

    sets: how several test sets are taken together; None for one.

    `choices` are the metrics as one writes them (bleu:tokenize=zh); None for a metric that has no name in METRICS.
    What the data decide (a tokenizer, a rating's direction) is left to them again: a study says what it was.
    """

    metrics: tuple[Metric, ...]
    settings: Settings = field(default_factory=Settings)
    pairs: PairChoice = "all"
    joined: bool = False
    margins: tuple[Margin, ...] = ()
    sets: OverSetsRequest | None = None

    def __post_init__(self) -> None:
        """Check the margins, and hold pairs as tuples.

        Raises:
            InvalidOption: no metric, one twice, a margin for a metric that is none of them or that is not positive, or
                margins or joined metrics over several sets.
        """
        if not self.metrics:
            raise InvalidOption("At least one metric is needed.")
        if self.sets is not None and self.margins:
            raise InvalidOption(
                "A plan over several test sets takes no margins yet. The average of two systems is held against a "
                "margin by mtsig gate, which takes several sets; or write a plan of one set."
            )
        if self.sets is not None and self.joined:
            raise InvalidOption("Several test sets know no joined metrics: each is judged over them by itself.")
        object.__setattr__(self, "metrics", tuple(measured.asked for measured in self.metrics))
        for measured_by, choice in zip(self.metrics, self.choices, strict=True):
            if self.metrics.count(measured_by) > 1:
                raise InvalidOption(f"The metric {choice or measured_by.name} is named twice.")
        for margin in self.margins:
            if metric(margin.choice) not in self.metrics:
                raise InvalidOption(f"There is a margin for {margin.choice}, which is not among the metrics.")
            if not 0 < margin.points < float("inf"):
                raise InvalidOption(f"The margin is a positive number of points; found {margin.points:g}.")
        for written in () if self.sets is None else (item for own in self.sets.own.values() for item in own):
            if metric(written).name not in {measured.name for measured in self.metrics}:
                raise InvalidOption(f"{written} is named for a set, and is not measured.")
        if not isinstance(self.pairs, str):
            object.__setattr__(self, "pairs", tuple((first, second) for first, second in self.pairs))

    def of_set(self, name: str) -> tuple[Metric, ...]:
        """Return the metrics as they are for one set: with the options that it has of its own."""
        own = {} if self.sets is None else {chosen.name: chosen for chosen in map(metric, self.sets.own.get(name, ()))}
        return tuple(own.get(measured.name, measured) for measured in self.metrics)

    @property
    def choices(self) -> tuple[str | None, ...]:
        """The metrics as one writes them."""
        return tuple(choice_of(metric) for metric in self.metrics)

    def margins_of(self, judged_by: Metric) -> tuple[Margin, ...]:
        """Return the margins of a metric."""
        return tuple(margin for margin in self.margins if metric(margin.choice) == judged_by)

    @classmethod
    def named(
        cls,
        choices: Sequence[str | None],
        settings: Settings,
        pairs: PairChoice,
        joined: bool,
        margins: tuple[Margin, ...],
        sets: OverSetsRequest | None = None,
    ) -> "Request":
        """Return the request of metrics by their names.

        Raises:
            InvalidOption: a metric has no name.
            UnknownName: no such metric.
        """
        return cls(tuple(map(_metric, choices)), settings, pairs, joined, margins, sets)


def _metric(choice: str | None) -> Metric:
    if choice is None:
        raise InvalidOption("The study was made with a metric that has no name in METRICS; give the metric itself.")
    return metric(choice)


def choice_of(chosen: Metric) -> str | None:
    """Return the metric as one writes it on the command line; None when that does not give it back.

    >>> choice_of(metric("chrf:word_order=2")), choice_of(metric("bleu:tokenize=zh,lowercase=yes"))
    ('chrf++', 'bleu:tokenize=zh,lowercase=true')
    """
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
