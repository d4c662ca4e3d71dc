"""Request: what an analysis is asked to do, so that it can be asked again; a corpus is all that is missing."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from msgspec import Meta

from mtsig.errors import InvalidOption, MtsigError
from mtsig.inference import PairChoice, Settings
from mtsig.metrics import METRICS, Metric, Rated, metric, rating_choice
from mtsig.options import options
from mtsig.records import about

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


@dataclass(frozen=True)
class Request:
    """Metrics, pairs, settings and margins of one analysis; `joined` judges all metrics as one family.

    `choices` are the metrics as one writes them (bleu:tokenize=zh); None for a metric that has no name in METRICS.
    What the data decide (a tokenizer, a rating's direction) is left to them again: a study says what it was.
    """

    metrics: tuple[Metric, ...]
    settings: Settings = field(default_factory=Settings)
    pairs: PairChoice = "all"
    joined: bool = False
    margins: tuple[Margin, ...] = ()

    def __post_init__(self) -> None:
        """Check the margins, and hold pairs as tuples.

        Raises:
            InvalidOption: no metric, one twice, or a margin for a metric that is none of them or that is not positive.
        """
        if not self.metrics:
            raise InvalidOption("At least one metric is needed.")
        object.__setattr__(self, "metrics", tuple(one.asked for one in self.metrics))
        for one, choice in zip(self.metrics, self.choices, strict=True):
            if self.metrics.count(one) > 1:
                raise InvalidOption(f"The metric {choice or one.name} is named twice.")
        for margin in self.margins:
            if metric(margin.choice) not in self.metrics:
                raise InvalidOption(f"There is a margin for {margin.choice}, which is not among the metrics.")
            if not 0 < margin.points < float("inf"):
                raise InvalidOption(f"The margin is a positive number of points; found {margin.points:g}.")
        if not isinstance(self.pairs, str):
            object.__setattr__(self, "pairs", tuple((first, second) for first, second in self.pairs))

    @property
    def choices(self) -> tuple[str | None, ...]:
        """The metrics as one writes them."""
        return tuple(choice_of(one) for one in self.metrics)

    def margins_of(self, one: Metric) -> tuple[Margin, ...]:
        """Return the margins of a metric."""
        return tuple(margin for margin in self.margins if metric(margin.choice) == one)

    @classmethod
    def named(
        cls,
        choices: Sequence[str | None],
        settings: Settings,
        pairs: PairChoice,
        joined: bool,
        margins: tuple[Margin, ...],
    ) -> "Request":
        """Return the request of metrics by their names.

        Raises:
            InvalidOption: a metric has no name.
            UnknownName: no such metric.
        """
        return cls(tuple(map(_metric, choices)), settings, pairs, joined, margins)


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
    for name, one in known.items():
        if one == chosen and _gives(name, chosen):
            return name
    for name, one in known.items():
        if type(one) is type(chosen):
            default = {option.name: option.default for option in options(one)}
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
