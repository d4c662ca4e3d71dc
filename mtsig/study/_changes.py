"""Changes: two studies, or a study and the data it was made from, go in; what differs comes out, in sentences."""

import json
import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import nan
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from mtsig._results import NamedRows
from mtsig.collection import Sets
from mtsig.collection import measure as measure_sets
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import listed, number_of
from mtsig.errors import InvalidOption, MtsigError, expect
from mtsig.inference import Family, p_number
from mtsig.inference._verdict import said_of
from mtsig.metrics import measure
from mtsig.readers._read import read
from mtsig.study._differences import ABSENT, NAMING, Fingerprint, Leaf, bounds_in, data_changes, fingerprints, leaves
from mtsig.study._record import Data, Study
from mtsig.study._run import conduct

Kind = Literal["data", "request", "program", "metric", "verdict", "number", "note", "digest", "rounding", "beside"]

TAKEN = {
    "request": "what was asked",
    "plan": "the analysis plan",
    "skipped": "sets left out",
    "stars": "a reader's stars",
    "mtsig": "the version of mtsig",
    "made_with": "the versions of libraries",
}
"""Fields that no data can give, in words: they are taken from the study, and compared with nothing."""

TAKEN_TEXT = f"Taken from the study without a check: {listed(list(TAKEN.values()))}."
"""What is said of them wherever a study was made again."""

_TOLD_ELSEWHERE = ("digest", "intact", "mtsig", "made_with")
"""Fields that follow from all others, or are told of by themselves."""

_KINDS: Mapping[str, Kind] = {
    "data": "data", "texts": "data", "subset": "data", "sets": "data", "request": "request", "plan": "request",
    "skipped": "request", "status": "request", "results": "metric", "over": "metric", "notes": "note",
    "warnings": "note", "raters": "note",
}  # fmt: skip
"""What kind of thing differs, by the field it is in; all others, and all rows of estimates, are numbers."""

_TOLD = 20
"""Differences that documents list; the terminal lists all."""

_LONG = 160
"""Characters of a value that are shown."""

_MOST = 4
"""Fields of a row that are told."""

_FIELDS = {
    "ci_low": "lower end of the CI", "ci_high": "upper end of the CI",
    "adjusted_ci_low": "lower end of the adjusted CI", "adjusted_ci_high": "upper end of the adjusted CI",
    "bootstrap_best_rate": "share of resamples in which it ranks first",
    "bootstrap_win_rate": "share of resamples in which the first is better",
}  # fmt: skip
"""What fields of a row are called where their own names say too little."""

_NOTHING = "none"
"""Stands for a value that is not there."""


@dataclass(frozen=True)
class Change:
    """A change between two studies, with its kind and a sentence on it."""

    kind: Kind
    text: str
    paths: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reproduction:
    """The result of re-running a study; `again` may be `None`.

    Every field of the study is compared, except the fields in `TAKEN`. An empty `changes` means reproduced exactly.
    """

    again: Study | None
    changes: tuple[Change, ...]

    def __bool__(self) -> bool:
        return self.same

    def __str__(self) -> str:
        return "\n".join([reproduced_text(self), *(change.text for change in self.changes)])

    @property
    def same(self) -> bool:
        """Whether the data are the same, and all results are the same up to rounding."""
        return self.again is not None and are_roundings(self.changes)


def reproduce(study: Study, data: Corpus | Sets | str | Path) -> Reproduction:
    """Re-run a study on data, and list all differences.

    Parameters
    ----------
    study
        The study.
    data
        The data, or a path for `read`; for several test sets, a path for `read_sets`.

    Returns
    -------
    again : Reproduction
        The re-run study; `same` tells whether the results are reproduced, and `changes` lists all differences.

    Raises
    ------
    InvalidOption
        A metric of the study has no name, this version lacks one of the study's methods, or an argument has the wrong
        type.
    ReadError
        The files at the path cannot be read as data.
    UnknownName
        The data lack a rating of the study.

    Examples
    --------
    >>> import mtsig
    >>> corpus = mtsig.read_sample()
    >>> mtsig.reproduce(mtsig.compare(corpus, "bleu", n_resamples=100), corpus).same
    True
    """
    expect(study, Study, "Give a study first, as returned by compare() or read_study(PATH)")
    if study.request.preferences is not None:
        raise InvalidOption("A study of preferences is re-run by mtsig report STUDY --data PREFERENCES.")
    if study.request.sets is not None:
        expect(data, Sets, "Give the test sets of the study, as returned by read_sets(PATH)")
    else:
        expect(data, Corpus | str | PathLike, "Give the data of the study: a corpus, or a path for read()")
    request, plan = study.asked, study.analysis_plan
    sets: dict[str | None, Corpus] = {}
    if isinstance(data, Sets):
        sets.update((name, corpus) for name, corpus in data.items())
    else:
        sets[None] = data if isinstance(data, Corpus) else read(data)
    if not study.several and not study.texts:
        return _of_statistics(study, sets[None])
    if study.request.by is not None:
        return _of_parts(study, sets[None])
    changes: list[Change] = []
    strangers: list[Change] = []
    known: dict[str | None, Corpus] = {}
    lost = False
    for part in study.sets:
        if part.set not in sets:
            changes.append(Change("data", f"The set {part.set} is missing."))
            lost = True
            continue
        corpus = sets[part.set]
        if set(part.data.systems) <= set(corpus.systems) and set(part.data.references) <= set(corpus.references):
            strangers += unknown_beside(corpus, part.data, part.texts, f"{part.set}: " if part.set else "")
            corpus = as_known(corpus, part.data, part.texts)
        else:
            lost = lost or not study.several
        known[part.set] = corpus
        of_set = f"{part.set}: " if part.set else ""
        changes += [
            Change("data", f"{of_set}{text}") for text in data_changes(part.texts, fingerprints(corpus), corpus)
        ]
    if lost:
        return Reproduction(None, tuple(changes))
    try:
        if study.request.sets is None:
            again = conduct(known[None], request, plan, [measure(known[None], metric) for metric in study.counted])
        else:
            collection = Sets({str(name): corpus for name, corpus in known.items()}, dict(study.skipped))
            # Each set's metric as it was counted: what was left to the text stays what it was.
            counted = {str(part.set): study.counted_on(part) for part in study.sets}
            many = [
                measure_sets(
                    collection,
                    metric,
                    own={name: own[number] for name, own in counted.items() if number in own},
                    sharing=study.request.sets.units,
                )
                for number, metric in enumerate(request.metrics)
            ]
            again = conduct(collection, request, plan, many)
    except MtsigError as error:
        return Reproduction(None, (*changes, Change("number", str(error))))
    return Reproduction(again, in_brief((*changes, *again_changes(study, again, told=bool(changes)), *strangers)))


def unknown_beside(corpus: Corpus, data: Data, texts: Sequence[Fingerprint], of_set: str = "") -> tuple[Change, ...]:
    """Return that data hold systems which a study does not mention, and which were not searched for overlap."""
    known = {text.name for text in texts if text.role in ("system", "system left out")}
    new = [name for name, runs in corpus.systems.items() if name not in data.systems and not known.issuperset(runs)]
    if not new:
        return ()
    text = (
        f"{of_set}The data hold {number_of(len(new), 'system')} that the study does not mention "
        f"({listed(new[:5])}{', …' if len(new) > 5 else ''}). They are not used here, and not checked for overlap."
    )
    return (Change("beside", text, ("texts",)),)


def as_known(corpus: Corpus, data: Data, texts: Sequence[Fingerprint]) -> Corpus:
    """Return the part of a corpus that a study was made of; systems that came later do not stand beside it."""
    selected = corpus.select(data.systems, data.references)
    # Overlaps of references are sought among the systems that the study knew, and no others.
    known = {text.name for text in texts if text.role == "system left out"}
    return replace(selected, beside={run: lines for run, lines in selected.beside.items() if run in known})


def _of_parts(study: Study, corpus: Corpus) -> Reproduction:
    """Make a study of the parts of a test set again, from the whole set."""
    first = study.sets[0]
    missing = [name for name in first.data.systems if name not in corpus.systems]
    missing += [name for name in first.data.references if name not in corpus.references]
    if missing:
        return Reproduction(None, tuple(Change("data", f"{name} is missing.") for name in missing))
    strangers = unknown_beside(corpus, first.data, first.texts)
    corpus = as_known(corpus, first.data, first.texts)
    counted = {number: metric for part in study.sets for number, metric in study.counted_on(part).items()}
    try:
        many = [measure(corpus, counted[number]) for number in sorted(counted)]
        again = conduct(corpus, study.asked, study.analysis_plan, many)
    except MtsigError as error:
        return Reproduction(None, (Change("number", str(error)),))
    texts = {part.set: part.texts for part in again.sets}
    changes = [
        Change("data", f"{part.set}: {text}")
        for part in study.sets
        for text in data_changes(part.texts, texts.get(part.set, ()))
    ]
    return Reproduction(again, in_brief((*changes, *again_changes(study, again, told=bool(changes)), *strangers)))


def _of_statistics(study: Study, corpus: Corpus) -> Reproduction:
    """Make a study again that was made of statistics alone: of their data it knows the digest."""
    if corpus.digest != study.data.digest:
        change = Change("data", "The data are not those that the statistics were computed on: the digests differ.")
        return Reproduction(None, (change,))
    counted = [measure(corpus, metric) for metric in study.counted]
    chosen = [many.select([name for name in study.data.systems if name in many.systems]) for many in counted]
    again = conduct(None, study.asked, study.analysis_plan, chosen)
    return Reproduction(again, in_brief(again_changes(study, again)))


def study_changes(old: Study, new: Study) -> tuple[Change, ...]:
    """Return what differs from one study to another: data, request, program, metrics, verdicts, numbers."""
    texts = {part.set: part.texts for part in new.sets}
    data = [
        Change("data", f"{part.set}: {text}" if part.set else text)
        for part in old.sets
        for text in data_changes(part.texts, texts.get(part.set, part.texts))
    ]
    return in_brief((*data, *field_changes(old, turned_as(old, new), told=bool(data))))


def are_roundings(changes: Iterable[Change]) -> bool:
    """Return whether no result or note changed but in its last digits; versions are not results."""
    return all(change.kind in ("rounding", "program", "beside") for change in changes)


def in_brief(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return the changes, those of rounding, which are many and alike, in one sentence at the end."""
    every = list(changes)
    brief = [change for change in every if change.kind != "rounding"]
    rounded = [change for change in every if change.kind == "rounding"]
    if rounded:
        some = "1 result differs" if len(rounded) == 1 else f"{len(rounded):,} results differ"
        text = f"{some} only in the last digits, as can happen between processors and versions of numpy."
        brief.append(Change("rounding", text, tuple(path for change in rounded for path in change.paths)))
    return tuple(brief)


def again_changes(study: Study, again: Study, *, told: bool = False) -> Iterator[Change]:
    """Yield every field of a study that is another one when it is made again; `told`: which texts differ was said."""
    if not study.intact:
        yield Change("digest", study.seal_text, ("digest",))
    yield from field_changes(study, again, told=told, taken=TAKEN)


def field_changes(
    old: Study, new: Study, *, told: bool = False, taken: Container[str] = ("stars",)
) -> Iterator[Change]:
    """Yield every field that differs, those of one row together; told: changed texts are reported; taken: skipped."""
    before, now = old.plain(), new.plain()
    called, lost, gone = _metrics(before, now)
    called_as = list(called.items())
    differ = [
        leaf
        for leaf in leaves(before, now, called)
        if leaf.top not in _TOLD_ELSEWHERE
        and leaf.top not in taken
        and not (told and _is_of_texts(leaf))
        and not ((leaf.now, leaf.before) in called_as and not _SIGNATURE.search(leaf.path))
        and not any(not all(leaf.rows) and row.get("signature") in lost for row in leaf.rows)
    ]
    found: list[Change] = [*gone]
    bounds = bounds_in(before) if differ else ()
    for _, row in groupby(differ, _row):
        found += _of_row(list(row), bounds)
    yield from found
    if any(change.kind != "request" for change in found):
        # Another version is worth a word only where it may be the cause of something.
        for leaf in leaves(before["made_with"], now["made_with"]):
            text = f"{leaf.path}: version {_shown(leaf.before)} before, {_shown(leaf.now)} now."
            yield Change("program", text, (f"made_with.{leaf.path}",))


def _row(leaf: Leaf) -> str:
    return leaf.row or leaf.path


def _is_of_texts(leaf: Leaf) -> bool:
    """Return whether sentences on texts say the same: of a text that is another one, or of the digest of all."""
    digests = [row.get("digest") for row in leaf.rows]
    return leaf.path.endswith("data.digest") or ("texts[" in leaf.row and digests[0] != digests[1])


_SIGNATURE = re.compile(r"(comparisons\.header|over\[\d+\])\.signature$")
"""Where a metric's signature is told of; it stands in the header of other estimates, too."""


def _metrics(before: dict[str, Any], now: dict[str, Any]) -> tuple[dict[str, str], set[str], list[Change]]:
    """Return new signatures with those before, signatures of metrics that came or went, and these changes."""
    called: dict[str, str] = {}
    lost: set[str] = set()
    changes: list[Change] = []
    new = {part["set"]: part["results"] for part in now["sets"]}
    tables = [("over", before["over"], now["over"])]
    tables += [(part["set"], part["results"], new.get(part["set"], [])) for part in before["sets"]]
    for table, old_rows, new_rows in tables:
        for row in (*old_rows, *new_rows):
            if table != "over":
                header = row["comparisons"]["header"]
                row |= {"set": table, "metric": header["metric"], "signature": header["signature"]}
            for name in ("systems", "comparisons", "ranks") if before["over"] else ():
                if row[name] and "header" in row[name]:
                    row[name]["header"] |= {"set": None if table == "over" else table}
        free = list(new_rows)
        for row in old_rows:
            alike = (
                other
                for name in ("metric_spec", "signature", "metric")
                for other in free
                if row[name] is not None and row[name] == other[name]
            )
            partner = next(alike, None)
            if partner is not None:
                free.remove(partner)
                called[partner["signature"]] = row["signature"]
                if table != "over":
                    partner |= {"metric": row["metric"], "signature": row["signature"]}
                continue
            lost.add(row["signature"])
            changes.append(Change("metric", f"{_label(row)} is missing."))
        lost |= {row["signature"] for row in free}
        changes += [Change("metric", f"{_label(row)} is new.") for row in free]
    return {new: old for new, old in called.items() if new != old}, lost, changes


def turned_as(old: Study, new: Study) -> Study:
    """Return the other study with its pairs in the order that they have in the first."""
    pairs = {
        (part.set, *pair)
        for part in old.sets
        for result in part.results
        for pair in zip(result.compared.first, result.compared.second, strict=True)
    }
    averages = {
        (of_metric.metric, *pair)
        for of_metric in old.together
        if of_metric.averages is not None
        for pair in zip(of_metric.averages.first, of_metric.averages.second, strict=True)
    }
    sets = []
    for part in new.sets:
        results = (replace(result, compared=_turned(result.compared, part.set, pairs)) for result in part.results)
        sets.append(replace(part, results=NamedRows(results)))
    together = (
        of_metric
        if of_metric.averages is None
        else replace(of_metric, averages=_turned(of_metric.averages, of_metric.metric, averages))
        for of_metric in new.together
    )
    return replace(new, sets=NamedRows(sets), together=NamedRows(together))


def _turned(family: Family, of: str | None, pairs: Container[tuple[str | None, ...]]) -> Family:
    rows = [
        row.turned if (of, row.first, row.second) not in pairs and (of, row.second, row.first) in pairs else row
        for row in family
    ]
    return family if rows == list(family) else family.with_rows(rows)


def _of_row(differ: Sequence[Leaf], bounds: Collection[float]) -> Iterator[Change]:
    """Yield what differs in one row, or what stands in none: a verdict by itself, all fields in one sentence."""
    path, (before, now) = differ[0].row, differ[0].rows
    label = f"{_label(before or now)}: " if path else ""
    kind = differ[0].kind(_KINDS)
    if path and not (before and now):
        if "verdict" in (before or now):
            said = (
                f"compared before ({_verdict(before)}), not compared now"
                if before
                else f"not compared before, compared now ({_verdict(now)})"
            )
            yield Change("verdict", f"{label}{said}.", (path,))
        else:
            yield Change(
                kind,
                f"{label}{'present before, missing now' if before else 'missing before, present now'} ({path}).",
                (path,),
            )
        return
    if "verdict" in before and _verdict(before) != _verdict(now):
        was, is_now = (
            f"(p {p_number(nan if row['p_adjusted'] is None else row['p_adjusted'])})" for row in (before, now)
        )
        yield Change("verdict", f"{label}{_verdict(before)} before {was}, {_verdict(now)} now {is_now}.", (path,))
    if any(leaf.name == "established" for leaf in differ):
        kind = "verdict"
    if not all(leaf.is_rounding(bounds) for leaf in differ):
        # With the numbers that differ by rounding: what is said of the row may follow from them.
        told = "; ".join(map(_told, differ[:_MOST]))
        if len(differ) > _MOST:
            told += f"; and {number_of(len(differ) - _MOST, 'more field')}"
        yield Change(kind, f"{label}{told}{f' ({path})' if path else ''}.", tuple(leaf.path for leaf in differ))
    else:
        yield Change("rounding", "", tuple(leaf.path for leaf in differ))


def _label(row: Mapping[str, Any]) -> str:
    on_average = " on average" if "set" in row and row["set"] is None else ""
    of_set = f"{row['set']}: " if row.get("set") and "metric" in row else ""
    if "first" in row:
        return f"{of_set}{row['first']} – {row['second']} in {row.get('metric')}{on_average}"
    if "system" in row:
        return f"{of_set}{row['metric']} of {row['system']}{on_average}"
    if "metric" in row:
        return f"{of_set}{row['metric']} ({row.get('metric_spec') or row['signature']})"
    return " ".join(str(row[name]) for name in (*NAMING, "metric_spec") if row.get(name)) or "One of several"


def _verdict(row: Mapping[str, Any]) -> str:
    """Return the verdict of a comparison in two words."""
    return said_of(row["verdict"], row["winner"])


def _told(leaf: Leaf) -> str:
    """Return a field with both values."""
    name = _FIELDS.get(leaf.name) or leaf.name.replace(".header.", ": ").replace("_", " ").replace(".", " ")
    name = name if leaf.row else f"{leaf.path}:"
    before, now = leaf.before, leaf.now
    if isinstance(before, float) and isinstance(now, float):
        return f"{name} {_both(before, now, p=leaf.is_p)}"
    if _shown(before) == _NOTHING or _shown(now) == _NOTHING:
        only, value = ("now", now) if _shown(before) == _NOTHING else ("before", before)
        return f"{name} only {only}, {_shown(value)}"
    return f"{name} {_shown(before)} before, {_shown(now)} now"


def _shown(value: Any) -> str:
    """Return a value in few words."""
    if value is None or value is ABSENT or value in ("", [], {}):
        return _NOTHING
    if isinstance(value, dict):
        return "some"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = text if len(text) <= _LONG else f"{text[:_LONG]} …"
    return f"“{text.rstrip('.')}”" if isinstance(value, str) and " " in text else text


def _both(old: float, new: float, *, p: bool) -> str:
    """Return both numbers with as many digits as tell them apart; a p-value is never told as 0."""
    if p and p_number(old) != p_number(new):
        return f"{p_number(old)} before, {p_number(new)} now"
    for digits in () if p else (2, 4, 6):
        before, other = (f"{value:.{digits}f}".replace("-", "−") for value in (old, new))
        if before != other:
            return f"{before} before, {other} now"
    return f"{old!r} before, {new!r} now"


def reproduction_text(reproduction: Reproduction, study: Study | None = None) -> str:
    """Return one sentence on whether the study could be made again, and a second where another part was taken."""
    said = reproduced_text(reproduction)
    if study is None or study.several or study.subset is None:
        return said
    if reproduction.again is not None and study.subset == reproduction.again.subset:
        return said
    return f"{said} The study used a subset of the test set ({study.subset}): choose the same subset."


def checked_note(reproduction: Reproduction) -> Note:
    """Return what documents say of a study that was made again: the sentence, and what differs."""
    told = [change.text for change in reproduction.changes]
    more = [f"… and {number_of(len(told) - _TOLD, 'more difference')}."] if len(told) > _TOLD else []
    text = " ".join([reproduced_text(reproduction), *told[:_TOLD], *more, TAKEN_TEXT])
    return Note("note" if reproduction.same else "warning", text)


def reproduced_text(reproduction: Reproduction) -> str:
    """Return one sentence on whether a study, of one set or of several, could be made again."""
    kinds = Counter(change.kind for change in reproduction.changes)
    if reproduction.same:
        how = "Reproduced" if kinds["rounding"] else "Reproduced exactly"
        digits = " except for last digits" if kinds["rounding"] else ""
        return f"{how}: same data, same results{digits}."
    data, numbers = kinds["data"], kinds["number"] + kinds["verdict"] + kinds["metric"]
    if reproduction.again is None:
        return "Not reproduced: these are not the data of the study." if data else "Not reproduced: it cannot be run."
    if data and numbers:
        return f"Not reproduced: the data have changed, and {number_of(numbers, 'result')} with them."
    if data:
        return "The data have changed, but every number is the same."
    if not numbers:
        return "Not reproduced: every number is the same, but the texts of the study are not."
    differ = "1 result differs" if numbers == 1 else f"{numbers} results differ"
    return f"Not reproduced: the data are those of the study, but {differ}."
