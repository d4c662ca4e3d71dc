"""Changes: two studies, or a study and the data it was made from, go in; what differs comes out, in sentences."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from math import isclose, isfinite, isnan
from os import PathLike
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

from mtsig.corpus import Corpus, number_of
from mtsig.errors import MtsigError, expect
from mtsig.inference import Comparison, Family, p_number, verdict
from mtsig.metrics import measure
from mtsig.options import options
from mtsig.readers import read
from mtsig.records import Record, numbers_of
from mtsig.study.fingerprints import Fingerprint, data_changes, fingerprints
from mtsig.study.record import Data, MetricResult, Study
from mtsig.study.request import Margin
from mtsig.study.run import conduct

S = TypeVar("S")

Kind = Literal["data", "request", "program", "metric", "verdict", "number", "rounding"]

_ROUNDING = 1e-9
"""Numbers that differ by less than this share of them differ by rounding: processors and versions of numpy take
logarithms and sums to about 1e-16, which a standard error of nearly equal parts makes 1e-13 of."""

_POINTS = {"score", "difference", "low", "high", "standard_error", "margin"}
"""Numbers in points of the metric: of a difference that is nearly 0 all digits are the last ones. They are
held against the largest of their row."""

_SHOWN = {True: "shown", False: "not shown", None: "undecided"}


@dataclass(frozen=True)
class Change:
    """Something that differs between two studies: what kind of thing, and a sentence."""

    kind: Kind
    text: str


@dataclass(frozen=True)
class Reproduction(Generic[S]):
    """A study made again: `again` is None where the data do not allow it; no changes means the same to the digit."""

    again: S | None
    changes: tuple[Change, ...]

    @property
    def same(self) -> bool:
        """Whether data and all results are the same, but for rounding, which is no other on the same machine."""
        return self.again is not None and are_roundings(self.changes)


def reproduce(study: Study, corpus: Corpus | str | Path) -> Reproduction[Study]:
    """Return the study made again from data, and everything that differs; a changed line is named.

    >>> import mtsig
    >>> corpus = mtsig.read_sample()
    >>> mtsig.reproduce(mtsig.compare(corpus, "bleu", draws=100), corpus).same
    True

    Args:
        study: the study.
        corpus: the data, or the path where `read` finds them.

    Raises:
        InvalidOption: a metric of the study has no name, or this program lacks one of its methods, so that it cannot be
            made again; or something is of another kind than is asked for here.
        ReadError: the files at the path cannot be understood.
    """
    expect(study, Study, "Give a study first, as compare() returns it or read_study(PATH) reads it")
    expect(corpus, Corpus | str | PathLike, "Give the data of the study: a corpus, or the path that read() takes")
    if not isinstance(corpus, Corpus):
        corpus = read(corpus)
    if not study.texts:
        return _of_statistics(study, corpus)
    missing = [name for name in study.data.systems if name not in corpus.systems]
    missing += [name for name in study.data.references if name not in corpus.references]
    if not missing:
        corpus = as_known(corpus, study.data, study.texts)
    changed = data_changes(study.texts, fingerprints(corpus), corpus)
    data = tuple(Change("data", text) for text in changed)
    if missing:
        return Reproduction(None, data)
    request, metrics = study.asked, study.counted
    try:
        again = conduct(corpus, request, study.analysis_plan, [measure(corpus, metric) for metric in metrics])
    except MtsigError as error:
        return Reproduction(None, (*data, Change("number", str(error))))
    return Reproduction(again, in_brief(all_changes(study, again, changed)))


def as_known(corpus: Corpus, data: Data, texts: Sequence[Fingerprint]) -> Corpus:
    """Return the part of a corpus that a study was made of; systems that came later do not stand beside it.

    >>> import mtsig
    >>> corpus = mtsig.read_sample()
    >>> study = mtsig.compare(corpus.select(["direct", "via-catalan"]), "chrf")
    >>> as_known(corpus, study.data, study.texts).digest == study.data.digest
    True

    Raises:
        UnknownName: a system or a reference is gone.
    """
    selected = corpus.select(data.systems, data.references)
    # Kin of references are sought among the systems that the study knew, and no others.
    known = {text.name for text in texts if text.role == "system left out"}
    return replace(selected, beside={run: lines for run, lines in selected.beside.items() if run in known})


def _of_statistics(study: Study, corpus: Corpus) -> Reproduction[Study]:
    """Make a study again that was made of statistics alone: of their data it knows the digest."""
    if corpus.digest != study.data.digest:
        change = Change("data", "The data are not those that the statistics were counted on: their digest is another.")
        return Reproduction(None, (change,))
    counted = [measure(corpus, metric) for metric in study.counted]
    chosen = [many.select([name for name in study.data.systems if name in many.systems]) for many in counted]
    again = conduct(None, study.asked, study.analysis_plan, chosen)
    return Reproduction(again, in_brief(all_changes(study, again, [])))


def study_changes(old: Study, new: Study) -> tuple[Change, ...]:
    """Return what differs from one study to another: data, request, program, metrics, verdicts, numbers.

    >>> import mtsig
    >>> from mtsig.study import study_changes
    >>> old, new = (mtsig.compare(mtsig.read_sample(), "chrf", draws=draws, baseline="direct") for draws in (500, 600))
    >>> [change.kind for change in study_changes(old, new)]
    ['request', 'number', 'number', 'number', 'number']
    """
    return in_brief(all_changes(old, new, data_changes(old.texts, new.texts)))


def are_roundings(changes: Iterable[Change]) -> bool:
    """Return whether nothing changed but last digits, and the versions that may be the cause; nothing is so, too.

    >>> are_roundings([Change("program", "numpy 2.2 before, 2.3 now.")]), are_roundings([Change("data", "A is gone.")])
    (True, False)
    """
    return all(change.kind in ("rounding", "program") for change in changes)


def in_brief(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return the changes, those of rounding, which are many and alike, in one sentence at the end."""
    every = list(changes)
    rounded = sum(change.kind == "rounding" for change in every)
    brief = [change for change in every if change.kind != "rounding"]
    if rounded:
        some = "1 result differs" if rounded == 1 else f"{rounded:,} results differ"
        text = f"{some} in the last digits only, as between processors and versions of numpy."
        brief.append(Change("rounding", text))
    return tuple(brief)


def all_changes(old: Study, new: Study, data: Sequence[str]) -> Iterator[Change]:
    """Yield what differs from one study to another; `data`: what differs in their texts, in sentences."""
    yield from (Change("data", text) for text in data)
    if not data and old.data != new.data:
        yield Change("data", f"The texts are the same, but not all of {', '.join(_unlike(old.data, new.data))}.")
    yield from (Change("request", text) for text in _request_changes(old, new))
    results = list(_result_changes(old, new))
    yield from results
    if results:
        # Another version is worth a word only where it may be the cause of something.
        yield from (Change("program", text) for text in _version_changes(old, new))


def _unlike(before: Record, now: Record) -> Iterator[str]:
    """Yield the names of the fields that differ."""
    names = (field.name for field in fields(before))
    return (name for name in names if getattr(before, name) != getattr(now, name))


def _request_changes(old: Study, new: Study) -> Iterator[str]:
    before, now = old.request, new.request
    for key in ("metrics", "pairs", "joined", "margins"):
        if getattr(before, key) != getattr(now, key):
            yield f"{key.capitalize()}: {_written(getattr(before, key))} before, {_written(getattr(now, key))} now."
    for option in options(before.settings):
        value = getattr(now.settings, option.name)
        if value != option.default:
            yield f"{option.name.capitalize()}: {option.default} before, {value} now."
    digests = [None if study.plan is None else study.plan.digest for study in (old, new)]
    if digests[0] != digests[1]:
        yield f"Analysis plan: {digests[0] or 'none'} before, {digests[1] or 'none'} now."


def _written(value: Any) -> str:
    if not isinstance(value, tuple):
        return str(value)
    pieces = []
    for item in value:
        if isinstance(item, tuple):
            pieces.append(" – ".join(map(str, item)))
        elif isinstance(item, Margin):
            pieces.append(f"{item.choice} {item.kind} {item.points}")
        else:
            pieces.append(str(item))
    return ", ".join(pieces) or "none"


def _version_changes(old: Study, new: Study) -> Iterator[str]:
    before, now = old.made_with, new.made_with
    for name in dict.fromkeys([*before, *now]):
        if before.get(name) != now.get(name):
            yield f"{name}: version {before.get(name, 'none')} before, {now.get(name, 'none')} now."


def _result_changes(old: Study, new: Study) -> Iterator[Change]:
    partners = _partners(old.results, new.results)
    for before, now in partners:
        if now is None:
            yield Change("metric", f"{before.scored.metric} ({before.choice or before.scored.signature}) is gone.")
            continue
        if before.scored.signature != now.scored.signature:
            name = before.scored.metric
            yield Change("metric", f"{name}: signature {before.scored.signature} before, {now.scored.signature} now.")
        yield from _score_changes(before, now)
        yield from comparison_changes(before.compared, now.compared)
        yield from _segment_changes(before, now)
        yield from _other_changes(before, now)
    for result in new.results:
        if not any(now is result for _, now in partners):
            yield Change("metric", f"{result.scored.metric} ({result.choice or result.scored.signature}) is new.")


def _partners(
    old: Sequence[MetricResult], new: Sequence[MetricResult]
) -> list[tuple[MetricResult, MetricResult | None]]:
    """Return the results of the same metric together: by how it was chosen, by signature, or by its name alone."""
    free = list(new)
    partners: list[tuple[MetricResult, MetricResult | None]] = []
    for metric_result in old:
        partner = None
        for same in (_same_choice, _same_signature, _same_name):
            partner = next((other for other in free if same(metric_result, other)), None)
            if partner is not None:
                break
        partners.append((metric_result, partner))
        free = [other for other in free if other is not partner]
    return partners


def _same_choice(metric_result: MetricResult, other: MetricResult) -> bool:
    return metric_result.choice is not None and metric_result.choice == other.choice


def _same_signature(metric_result: MetricResult, other: MetricResult) -> bool:
    return metric_result.scored.signature == other.scored.signature


def _same_name(metric_result: MetricResult, other: MetricResult) -> bool:
    return metric_result.scored.metric == other.scored.metric


def _score_changes(old: MetricResult, new: MetricResult) -> Iterator[Change]:
    now = {item.system: item for item in new.scored}
    for score in old.scored:
        if score.system in now:
            yield from _numbers(
                f"{old.scored.metric} of {score.system}", score, now[score.system], ("score", "low", "high")
            )


_ABOUT = {"level", "decimals", "by_segment"}
"""Fields of a comparison that say how it was made, or are told of by themselves."""


_LATER = {"adjusted_ci_low", "adjusted_ci_high", "adjusted_level", "heaviest_share", "heaviest", "without_heaviest"}
"""Fields that earlier programs did not write: where the study before has none, nothing has changed."""


_TURNING = {"difference", "low", "high", "win_rate", "adjusted_ci_low", "adjusted_ci_high", "without_heaviest"}
"""What changes when a pair is seen from the other side."""


_P_VALUES = ("p_value", "p_low", "p_high", "p_adjusted", "adjusted_low", "adjusted_high")


def _segment_changes(old: MetricResult, new: MetricResult) -> Iterator[Change]:
    """Yield what differs in the segment-level results beside the main ones."""
    before, now = old.compared.by_segment, new.compared.by_segment
    if before is not None and now is not None:
        yield from comparison_changes(before, now, " by segments")
    elif before is not now:
        had, has = ("no" if value is None else "some" for value in (before, now))
        yield Change("number", f"{old.scored.metric}: {had} segment-level results before, {has} now.")


def comparison_changes(old: Family, new: Family, how: str = "") -> Iterator[Change]:
    """Yield what differs between the comparisons of two studies."""
    now = {frozenset((row.first, row.second)): row for row in new}
    for comparison in old:
        other = now.pop(frozenset((comparison.first, comparison.second)), None)
        what = f"{comparison.first} – {comparison.second} in {comparison.metric}{how}"
        if other is None:
            yield Change("verdict", f"{what}: compared before ({verdict(comparison).words}), not compared now.")
            continue
        if verdict(comparison).words != verdict(other).words:
            yield Change(
                "verdict",
                f"{what}: {verdict(comparison).words} before (p {p_number(comparison.p_adjusted)}), "
                f"{verdict(other).words} now (p {p_number(other.p_adjusted)}).",
            )
        turned = comparison.first != other.first
        unknown = {name for name in _LATER if isnan(getattr(comparison, name))}
        left_out = _ABOUT | unknown | (_TURNING if turned else set())
        names = [name for name in numbers_of(Comparison) if name not in left_out]
        yield from _numbers(what, comparison, other, names)
    for other in now.values():
        what = f"{other.first} – {other.second} in {other.metric}{how}"
        yield Change("verdict", f"{what}: not compared before, compared now ({verdict(other).words}).")


def _other_changes(old: MetricResult, new: MetricResult) -> Iterator[Change]:
    if old.places is not None and new.places is not None:
        now = {place.system: place for place in new.places}
        for place in old.places:
            if place.system in now:
                what = f"Place of {place.system} in {old.scored.metric}"
                yield from _numbers(what, place, now[place.system], ("rank_low", "rank_high", "cluster", "best_share"))
    margins = {(margin.first, margin.second, margin.kind): margin for margin in new.margins}
    for result in old.margins:
        key = (result.first, result.second, result.kind)
        if key in margins:
            what = f"{result.kind.capitalize()} of {result.first} and {result.second} in {result.metric}"
            before, after = (_SHOWN[margin.shown] for margin in (result, margins[key]))
            if before != after:
                yield Change("verdict", f"{what}: {before} before, {after} now.")
            yield from _numbers(what, result, margins[key], ("margin", "low", "high", "p_value", "p_adjusted"))


def _numbers(what: str, before: Record, now: Record, names: Sequence[str]) -> Iterator[Change]:
    """Yield one change with every number that is another, or one where some differ by rounding alone."""
    changed, rounded = [], False
    points = [abs(getattr(row, name)) for row in (before, now) for name in names if name in _POINTS]
    largest = max((value for value in points if isfinite(value)), default=0.0)
    for name in names:
        old, new = float(getattr(before, name)), float(getattr(now, name))
        if old == new or (old != old and new != new):  # NaN is not equal to itself
            continue
        if isclose(old, new, rel_tol=_ROUNDING, abs_tol=_ROUNDING * largest if name in _POINTS else 0.0):
            rounded = True
        else:
            changed.append(f"{name.replace('_', ' ')} {_told(old, new, p=name in _P_VALUES)}")
    if changed:
        yield Change("number", f"{what}: {', '.join(changed)}.")
    elif rounded:
        yield Change("rounding", f"{what}: the last digits.")


def _told(old: float, new: float, *, p: bool) -> str:
    """Return both numbers with as many digits as tell them apart; a p-value is never told as 0."""
    if p and p_number(old) != p_number(new):
        return f"{p_number(old)} before, {p_number(new)} now"
    if old.is_integer() and new.is_integer():
        return f"{old:.0f} before, {new:.0f} now"
    for digits in () if p else (2, 4, 6):
        before, other = f"{old:.{digits}f}", f"{new:.{digits}f}"
        if before != other:
            return f"{before} before, {other} now"
    return f"{old!r} before, {new!r} now"


def reproduction_text(reproduction: Reproduction[Study], study: Study | None = None) -> str:
    """Return one sentence on whether the study could be made again, and a second where another part was taken.

    >>> import mtsig
    >>> from mtsig.study import reproduce, reproduction_text
    >>> study = mtsig.compare(mtsig.read_sample(), "chrf", draws=500, baseline="direct")
    >>> print(reproduction_text(reproduce(study, mtsig.read_sample()), study))
    Reproduced to the digit: the data are those of the study, and every number is the same.
    """
    said = reproduced_text(reproduction)
    again = None if reproduction.again is None else reproduction.again.part
    if study is None or study.part is None or study.part == again:
        return said
    return f"{said} The study was made of a part of the test set ({study.part}): choose the same slice."


def reproduced_text(reproduction: Reproduction[Any]) -> str:
    """Return one sentence on whether a study, of one set or of several, could be made again.

    >>> import mtsig
    >>> from mtsig.study import reproduce, reproduced_text
    >>> study = mtsig.compare(mtsig.read_sample(), "chrf", draws=500, baseline="direct")
    >>> other = mtsig.Corpus.of({"A": ["It slept."]}, {"ref": ["It slept."]})
    >>> print(reproduced_text(reproduce(study, other)))
    Not reproduced: these are not the data of the study.
    """
    if reproduction.same and not reproduction.changes:
        return "Reproduced to the digit: the data are those of the study, and every number is the same."
    if reproduction.same:
        return "Reproduced: the data are those of the study, and every number is the same but for its last digits."
    data = sum(change.kind == "data" for change in reproduction.changes)
    numbers = sum(change.kind in ("number", "verdict", "metric") for change in reproduction.changes)
    if reproduction.again is None:
        return "Not reproduced: these are not the data of the study." if data else "Not reproduced: it cannot be made."
    if data and numbers:
        return f"Not reproduced: the data were changed, and with them {number_of(numbers, 'result')}."
    if data:
        return "The data were changed, but every number is the same."
    differ = "1 result differs" if numbers == 1 else f"{numbers} results differ"
    return f"Not reproduced: the data are those of the study, but {differ}."
