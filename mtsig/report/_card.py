"""The words of a card: what a study found, said in one title, one lede and one line on how it was made."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import numpy as np

from mtsig._probability import interval_text, level_text, points_text
from mtsig._records import Floats
from mtsig._say import say, units_text
from mtsig._writing import short_names
from mtsig.citations import VERSION
from mtsig.corpus import Corpus
from mtsig.corpus._notes import capital_first, number_of
from mtsig.errors import MtsigError, NotApplicable
from mtsig.inference import Comparison, Family, Intervals, Ranks
from mtsig.inference._corrections import correction_label
from mtsig.metrics import Metric
from mtsig.metrics import metric as metric_of
from mtsig.metrics._counting import Tokenizing
from mtsig.report._families import lede_text, title_text
from mtsig.study import Study
from mtsig.study._record import Data, MetricResult

if TYPE_CHECKING:
    from mtsig.figures._card import LeagueCard, PairCard
    from mtsig.figures._frame import Card


@dataclass(frozen=True)
class About:
    """What a card says of the data and of how they were cut into words."""

    segments: int
    documents: int | None
    references: int
    digest: str
    tokenizer: str = ""
    version: str = VERSION

    @classmethod
    def of(cls, data: Data, counted: Metric | None, version: str = VERSION) -> "About":
        """Return it of data, and of a metric as it was counted."""
        tokenizer = counted.tokenize if isinstance(counted, Tokenizing) else ""
        return cls(data.segments, data.documents, len(data.references), data.digest, tokenizer, version)


def card(
    study: Study, pair: Sequence[str] = (), metric: str = "", corpus: Corpus | None = None, day: date | None = None
) -> "Card":
    """Make the card of a study of one test set, for all systems or for a pair.

    If the study has two systems only, which differ, the card is that of the pair.

    `mtsig.figures.save` writes it as .png or .svg of 1200 × 630 pixels; the same study and date give the same bytes.

    Parameters
    ----------
    study
        The study to show.
    pair
        Two systems; the default is all systems.
    metric
        A metric of the study, by specification or name; the default is the first metric.
    corpus
        The data, to draw differences on resampled test sets; a study does not contain its data.
    day
        The date on the card; the default is today, or the day of SOURCE_DATE_EPOCH.

    Raises
    ------
    NotApplicable
        The study is of several test sets, or the pair was not compared.
    UnknownName
        The study has no such metric.

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.report import card
    >>> study = mtsig.compare(mtsig.read_sample(), "chrf")
    >>> card(study, pair=["direct", "direct-us"]).said.title
    'direct beats direct-us by 0.53 chrF2'
    """
    if study.several:
        raise NotApplicable("A card shows one test set, but this study has several: use the study of one set.")
    result = study.results[study.place(metric) if metric else 0]
    about = About.of(study.data, _counted(result), study.mtsig)
    whose = f"{study.raters_text} " if study.raters_text else ""
    if not pair and not (len(result.compared) == 1 and result.compared[0].n_differing):
        compared = result.compared if len(result.compared) else None
        return league_card(result.scored, compared, result.places, about, day, whose)
    first, second = pair or result.compared.order
    draws = None
    if corpus is not None:
        from mtsig.metrics import measure
        from mtsig.study._changes import as_known

        statistics = measure(as_known(corpus, study.data, study.texts), study.counted[result.number])
        draws = study.asked.settings.family(statistics, [(first, second)]).resampled(0)
    return pair_card(result.compared, first, second, draws, about, day, whose)


def _counted(result: MetricResult) -> Metric | None:
    """Return the metric as it was counted; None where this program has none of that name."""
    name = result.counted_as or result.metric_spec
    try:
        return None if name is None else metric_of(name)
    except MtsigError:
        return None


def league_card(
    scored: Intervals, family: Family | None, places: Ranks | None, data: About, day: date | None = None,
    whose: str = "",
) -> "LeagueCard":  # fmt: skip
    """Return the card of all systems; places: their ranks, where all pairs were compared. whose: as `raters_text`."""
    from mtsig.figures._card import LeagueCard
    from mtsig.figures._frame import Said
    from mtsig.figures._league import League

    names = short_names(scored.systems)
    if family is None:
        title, lede = _alone_words(scored, names)
    else:
        title, lede = title_text([family], places, names), f"{whose}{lede_text(family, places, names, apart=False)}"
    method = _method(scored, family, data, day)
    unit = scored.unit if family is None else family.unit
    return LeagueCard(Said(title, lede, _size_text(data, unit), method, data.version), League.of(scored, family))


def pair_card(
    family: Family, first: str, second: str, draws: Floats | None, data: About, day: date | None = None,
    whose: str = "",
) -> "PairCard":  # fmt: skip
    """Return the card of a pair; draws: its differences on resampled test sets, where there are any."""
    from mtsig.figures._card import PairCard
    from mtsig.figures._frame import Said
    from mtsig.figures._histogram import Histogram

    comparison = family.pair(first, second)
    if comparison is None:
        raise NotApplicable(f"{first} and {second} are not among the comparisons.")
    comparison = comparison if comparison.first == first else comparison.turned
    draws = draws if comparison.n_differing else None
    names = short_names([first, second])
    seen = comparison.changed(first=names[first], second=names[second])
    drawn = np.array([]) if draws is None else draws
    method = _method(comparison, family, data, day, len(drawn))
    said = Said(say(seen, "title"), f"{whose}{say(seen, 'lede')}", _size_text(data, family.unit), method, data.version)
    return PairCard(said, Histogram.of_resampled(drawn, comparison, family.higher_is_better))


# --- what was found ----------------------------------------------------------------------------------------------


def _alone_words(scored: Intervals, names: Mapping[str, str]) -> tuple[str, str]:
    """Return title and lede where nothing is compared."""
    best = scored.ranked_systems[0]
    score = scored[best]
    ends = interval_text(score.ci_low, score.ci_high, decimals=scored.decimals)
    title = f"{names[best]}: {points_text(score.score, scored.decimals)} {scored.metric}"
    return title, f"{level_text(scored.level)} CI {ends}. There is no other system to compare it with."


# --- how it was made ---------------------------------------------------------------------------------------------


def _size_text(data: About, unit: str) -> str:
    documents = f" in {number_of(data.documents, 'document', ',')}" if data.documents and unit == "document" else ""
    return f"{number_of(data.segments, 'segment', ',')}{documents}"


def _method(
    scored: Intervals | Comparison, family: Family | None, data: About, day: date | None, drawn: int = 0
) -> str:
    """Return how it was made: test, units, correction, α; metric, tokenizer, references; data, day."""
    said = []
    if family is not None:
        test = family.test.label
        units = units_text(family.units, family.unit)
        over = test if family.test.names_unit else f"{test} over {units}"
        over = f"{drawn:,} resamples of {units}; {test}" if drawn else capital_first(over)
        corrected = f"{correction_label(family.correction)} for {number_of(family.family_size, 'comparison', ',')}"
        told = [corrected if family.corrected else "uncorrected"] if family.family_size > 1 else []
        said.append(", ".join([over, *told, f"α = {f'{family.alpha:.3g}'.lstrip('0')}"]))
    tokenizer = f" tok:{data.tokenizer}" if data.tokenizer else ""
    references = f", {number_of(data.references, 'reference')}" if data.references else ""
    said.append(f"{scored.metric}{tokenizer}{references}")
    said.append(f"data sha256 {data.digest.removeprefix('sha256:')[:8]}")
    day = day or _today()
    said.append(f"{day.day} {_MONTHS[day.month - 1]} {day.year}")  # in English, whatever the locale
    return " · ".join(said)


def _today() -> date:
    """Return the day that SOURCE_DATE_EPOCH says, as reproducible builds do; without it the day of the clock."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(epoch), UTC).date() if epoch.isdecimal() else date.today()


_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
