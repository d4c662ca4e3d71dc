"""Assemble parts into a Corpus; notes name every part that was not used."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import cast

import numpy as np

from mtsig._limits import limits, normalized, refuse_above
from mtsig._writing import left_alone
from mtsig.corpus import Corpus, Note, Parse, Rating, SystemScores, with_errors, with_parses
from mtsig.corpus._annotations import ORIGINS, Marking
from mtsig.corpus._corpus import pooled_by_name
from mtsig.corpus._notes import check_parallel, is_sample, listed, number_of, quoted
from mtsig.errors import ReadError, find, meant
from mtsig.readers._conllu import parses_of
from mtsig.readers._locate import (
    Layout,
    check_items,
    check_rated_alike,
    in_one_order,
    joined,
    layout_of,
    shared_documents,
)
from mtsig.readers._names import Role, scale_of
from mtsig.readers._parts import Part
from mtsig.readers._rates import Given, direction_of, rate, with_origins

_MOST_NAMED = 8
"""Scores that one note names."""

_MANY = 3
"""More ignored files than this in one folder are named by the folder."""


def assemble(parts: Sequence[Part], language_pair: str | None = None) -> Corpus:
    """Assemble the corpus from parts in their roles, of one language pair.

    Raises
    ------
    ReadError
        A part cannot be read, two parts share a name, a role that may occur once occurs twice, or the parts belong to
        several language pairs.
    AlignmentError
        Texts differ in length, or contain different segments; the message names the files.
    NotApplicable
        No part is a system.

    Examples
    --------
    >>> from mtsig.readers import File, assemble
    >>> from mtsig.readers._read import parts_of
    >>> assemble(parts_of([File("systems/ours.txt", b"The cat sat."), File("ref.txt", b"A cat sat.")]))
    <Corpus: 1 segments, 1 system (ours), 1 reference (ref), 0 ratings>
    """
    parts = parts if language_pair is None else of_pair(parts, language_pair)
    used = [part for part in parts if part.role != "ignored"]
    left_alone(places_of(parts) - places_of(used))
    # Why a file was left alone matters where another is refused, and where there is no system without it.
    if not any(part.role in {"system", "ratings"} and part.problem is None for part in used):
        _check_problems(parts)
    elif any(map(_refusal, used)):
        _check_problems([part for part in parts if part.role != "ignored" or part.notes])
    _check_one_pair(used)
    check_items(_items(used))
    are_alike = in_one_order(used)
    used = joined(used)
    texts = [part for part in used if part.role not in {"parses", "ratings"}]
    _check_sizes(texts)
    check_parallel({f"{part.role} {part.name!r} ({part.label})": part.lines or () for part in texts})
    systems, documents, of_documents = _systems(used), _column(used, "documents"), list[Note]()
    if documents is not None:
        documents, of_documents = shared_documents(documents)
    names, documents, ratings, marked, said = _rated(used, texts, systems, documents, are_alike)
    corpus = Corpus.of(
        {name: systems.get(name) for name in names},
        _named(used, "reference"),
        documents=documents,
        domains=_column(used, "domains"),
        original_languages=_column(used, "original languages"),
        sources=_texts(_single(used, "source")),
        ratings=ratings,
        notes=[
            *(note for part in used for note in part.notes),
            *of_documents,
            *said,
            *_ids_as_outputs(used),
            *_names_alike(names),
            *_left_alone(parts),
        ],
    )
    whole, unknown = _whole_systems(parts, used)
    corpus = replace(
        corpus, of_benchmark=any(part.of_task for part in used), system_scores=whole, notes=(*corpus.notes, *unknown)
    )
    corpus = _marked(corpus, marked, used)
    return pooled_by_name(parsed(corpus, [part for part in used if part.role == "parses"]))


def as_samples(parts: Sequence[Part], samples: Mapping[str, Sequence[str]]) -> list[Part]:
    """Return the parts with these outputs of a system renamed as its samples; raise UnknownName for an unknown one."""
    called = {
        one: f"{system}.sample{number}" if len(own) > 1 else system
        for system, own in samples.items()
        for number, one in enumerate(own, 1)
    }
    known = {part.name for part in parts if part.role == "system"}
    known |= {name for part in parts if part.scored is not None for name in part.scored.systems}
    for name in called:
        find(dict.fromkeys(known), name, "output")
    return [
        replace(
            part,
            name=called.get(part.name, part.name) if part.role == "system" else part.name,
            scored=part.scored
            and replace(part.scored, systems=tuple(called.get(name, name) for name in part.scored.systems)),
        )
        for part in parts
    ]


def _rated(
    used: Sequence[Part],
    texts: Sequence[Part],
    outputs: Mapping[str, Sequence[str]],
    documents: tuple[str, ...] | None,
    in_one_order: bool,
) -> tuple[list[str], tuple[str, ...] | None, dict[str, Rating], list[Marking], list[Note]]:
    """Return all systems, with those known by their ratings alone, documents, ratings, marked errors and notes."""
    given = _given(used)
    if not given:
        return list(outputs), documents, {}, [], []
    scored = [table.scored for table in given]
    if not texts:
        check_rated_alike(scored)
    items = next((part.about.ids for part in texts if part.about is not None and part.about.ids is not None), None)
    layout = (
        layout_of(scored)
        if not texts
        else Layout(
            len(texts[0].lines or ()),
            documents,
            items,
            outputs,
            _texts(_single(used, "source")),
            _named(used, "reference"),
            in_one_order,
            any(part.of_task for part in texts),
        )
    )
    placed, ratings, marked, notes = rate(given, list(outputs), layout)
    return placed, layout.documents, ratings, marked, notes


def with_ratings(corpus: Corpus, parts: Sequence[Part]) -> Corpus:
    """Return the corpus with the ratings of these parts added."""
    _check_problems(parts)
    outputs = {name: corpus.outputs[runs[0]] for name, runs in corpus.systems.items() if len(runs) == 1}
    layout = Layout(len(corpus), corpus.documents, None, outputs, corpus.segments.sources, corpus.references)
    names, ratings, marked, notes = rate(_given(parts), list(corpus.systems), layout)
    for name in ratings:
        if name in corpus.ratings:
            raise ReadError(f"A rating {name!r} already exists. Give another name by NAME=FILE.")
    new = len(names) - len(corpus.systems)
    known = {
        name: replace(rating, values=np.pad(rating.values, ((0, new), (0, 0)), constant_values=np.nan))
        for name, rating in corpus.ratings.items()
    }
    rated = replace(
        corpus,
        systems={name: corpus.systems.get(name, ()) for name in names},
        ratings={**known, **ratings},
        notes=(*corpus.notes, *(note for part in parts for note in part.notes), *notes),
    )
    return _marked(rated, marked, parts)


def _check_sizes(texts: Sequence[Part]) -> None:
    """Raise ReadError where there are more systems, segments of a text or characters of a segment than are taken."""
    systems = [part for part in texts if part.role == "system"]
    if systems:
        refuse_above("max_systems", len(systems), f"{systems[0].label} to {systems[-1].label}")
    for part in texts:
        lines = part.lines or ()
        refuse_above("max_segments", len(lines), part.label)
        # Counting n-grams of characters takes some 140 bytes for each.
        lengths = [len(line or "") for line in lines]
        if max(lengths, default=0) > limits().max_characters:
            longest = lengths.index(max(lengths))
            refuse_above("max_characters", lengths[longest], f"{part.label}, segment {longest + 1}")


def _check_problems(parts: Sequence[Part]) -> None:
    """Raise ReadError with every reason why a part could not be read."""
    problems = [refusal for part in parts if (refusal := _refusal(part)) is not None]
    if problems:
        raise ReadError(*problems)


def _refusal(part: Part) -> str | None:
    if part.problem is None and part.role == "ratings" and part.scored is None:
        return f"{part.label} contains no table of scores. Give it another role."
    return part.problem


def _marked(corpus: Corpus, marked: Sequence[Marking], parts: Sequence[Part]) -> Corpus:
    """Return the corpus with the errors that raters marked, and with what its reference was put together from."""
    corpus = with_errors(corpus, marked) if marked else corpus
    origins = _given(parts, of_origins=True)
    return with_origins(corpus, origins) if origins else corpus


def _given(parts: Sequence[Part], of_origins: bool = False) -> list[Given]:
    """Return the ratings of the parts, or what says where references are from."""
    return [
        Given(part.name, part.scored, part.better)
        for part in parts
        if part.role == "ratings" and part.scored is not None and (part.scored.name == ORIGINS) == of_origins
    ]


def language_pairs(parts: Sequence[Part]) -> list[str]:
    """Return the language pairs of the parts, in their order."""
    return list(dict.fromkeys(part.language_pair for part in parts if part.language_pair is not None))


def of_pair(parts: Sequence[Part], pair: str) -> list[Part]:
    """Return the parts, with parts of other language pairs or other tasks ignored."""
    known = language_pairs(parts)
    if pair not in known:
        kind, _ = _sorted_by(parts)
        names = ", ".join(known) or f"none: these files are not sorted by {kind}"
        # One code of two letters is like any other.
        hint = " ".join(
            filter(None, (f"There is no {kind} {pair!r} here.", meant(pair, known) if kind == "task" else ""))
        )
        raise ReadError(f"{hint} Known: {names}.")
    return [
        part if part.language_pair in {pair, None} else replace(part.with_role("ignored"), notes=()) for part in parts
    ]


def _items(used: Sequence[Part]) -> dict[str, Sequence[str]]:
    """Return the ids of the items in every file of a benchmark's task."""
    held: dict[str, Sequence[str]] = {}
    for part in used:
        if part.scored is not None and part.scored.places[0].item is not None:
            held[part.scored.label] = [str(place.item) for place in part.scored.places]
        elif part.of_task and part.role == "system" and part.about is not None:
            held[part.label] = part.about.ids or ()
    return held


def _whole_systems(parts: Sequence[Part], used: Sequence[Part]) -> tuple[dict[str, SystemScores], list[Note]]:
    """Return the scores of whole systems that go with the parts in use, and notes on those that are of no known use."""
    pairs = {part.language_pair for part in used} | {None}
    scores: dict[str, SystemScores] = {}
    notes: list[Note] = []
    for part in parts:
        if part.role != "ignored" or part.whole is None or part.language_pair not in pairs:
            continue
        values = np.array(list(part.whole.values()), dtype=np.float64)
        try:
            higher, direction_source, _ = direction_of(part.name, values, part.better, part.label)
        except ReadError:
            text = f"{part.label}: it was ignored, because it is unknown whether a higher or a lower value is better."
            notes.append(Note("note", text))
            continue
        if part.name in scores:
            raise ReadError(
                f"{part.label}: another file also has scores of whole systems named {part.name!r}. Keep one of the "
                "two, or rename one file."
            )
        scores[part.name] = SystemScores(part.whole, higher, direction_source)
    return scores, notes


def _sorted_by(parts: Sequence[Part]) -> tuple[str, str]:
    """Return what the several test sets in these files are called, and the flag that chooses one."""
    if any(part.of_task for part in parts):
        return "task", "--task"
    are_pairs = all(re.fullmatch(r"[\w]+-[\w-]+", pair) for pair in language_pairs(parts))
    return ("language pair" if are_pairs else "test set"), "--lp"


def _check_one_pair(used: Sequence[Part]) -> None:
    pairs = language_pairs(used)
    if len(pairs) > 1:
        (kind, flag), first = _sorted_by(used), pairs[0]
        raise ReadError(
            f"These files contain {number_of(len(pairs), kind)}: {', '.join(pairs)}. Choose one of them, or compare "
            f"all as several test sets (in a shell, {flag} {shlex.quote(first)} or --set; in Python, "
            f"mtsig.read(…, language_pair={first!r}) or mtsig.study.read_sets)."
        )


def _systems(used: Sequence[Part]) -> dict[str, tuple[str, ...]]:
    return {
        name: cast(tuple[str, ...], lines) if is_sample(name) else _without_gaps(used, name, lines)
        for name, lines in _named(used, "system").items()
    }


def _without_gaps(used: Sequence[Part], name: str, lines: tuple[str | None, ...]) -> tuple[str, ...]:
    if None in lines:
        label = next(part.label for part in used if part.role == "system" and part.name == name)
        number = list(lines).index(None) + 1
        raise ReadError(
            f"{label} has no text for segment {number}. A system needs an output for every segment: "
            "add it, or leave the system out."
        )
    return cast(tuple[str, ...], lines)


def _named(parts: Sequence[Part], role: Role) -> dict[str, tuple[str | None, ...]]:
    named: dict[str, Part] = {}
    for part in parts:
        if part.role != role:
            continue
        if not part.name.strip():
            raise ReadError(
                f"{part.label}: the {role} needs a name, but its name is empty. Rename the file or the column."
            )
        before = named.setdefault(part.name, part)
        # Files of one system each may all bring the same reference along.
        if before is not part and (role == "system" or before.lines != part.lines):
            raise ReadError(
                f"Two {role}s are named {part.name!r}: {before.label} and {part.label}. "
                "Give one of them another name (on the command line: NAME=FILE)."
            )
    return {name: part.lines or () for name, part in named.items()}


def _single(parts: Sequence[Part], role: Role) -> Part | None:
    """Return the part of a role that exists once; several are one when they are equal."""
    chosen = [part for part in parts if part.role == role]
    if len({part.lines for part in chosen}) > 1:
        labels = " and ".join(part.label for part in chosen)
        of_system = " A system that is called so goes into a folder systems/." if role == "source" else ""
        raise ReadError(
            f"There can be only one file of {role}; found {labels}{_first_difference(chosen)}. Give all files the same "
            f"segments in one order, or leave one out.{of_system}"
        )
    return chosen[0] if chosen else None


def _first_difference(parts: Sequence[Part]) -> str:
    """Return where the first of some texts first differs from another, and how."""
    first, other = parts[0], next(part for part in parts if part.lines != parts[0].lines)
    pairs = enumerate(zip(first.lines or (), other.lines or (), strict=False), 1)
    at = next(((number, pair) for number, pair in pairs if pair[0] != pair[1]), None)
    return "" if at is None else f", which differ in segment {at[0]}: {quoted(at[1][0])} and {quoted(at[1][1])}"


def _texts(part: Part | None) -> tuple[str, ...] | None:
    return None if part is None else tuple(line or "" for line in part.lines or ())


def _column(used: Sequence[Part], role: Role) -> tuple[str, ...] | None:
    """Return what a file of this role says of the segments, or else what the texts themselves say."""
    part = _single(used, role)
    if part is not None:
        return _labels(part)
    for candidate in sorted(used, key=lambda part: part.role != "source"):
        column = getattr(candidate.about, role.replace(" ", "_"), None)
        if column is not None:
            return tuple(column)
    return None


def _labels(part: Part) -> tuple[str, ...]:
    labels = tuple((line or "").strip() for line in part.lines or ())
    if part.role != "documents":
        return labels
    for number, label in enumerate(labels, 1):
        if not label:
            raise ReadError(f"{part.label}, line {number} is empty; expected a document id. Write one on every line.")
    return labels


def _names_alike(systems: Sequence[str]) -> Iterator[Note]:
    """Yield a warning of systems whose names differ in no letter that a reader sees: in capitals, spaces or Unicode."""
    alike: dict[str, list[str]] = {}
    for name in systems:
        alike.setdefault("".join(normalized("NFKC", name).casefold().split()), []).append(name)
    for own in alike.values():
        if len(own) > 1:
            text = (
                f"The names of {len(own)} systems differ only in capitals, spaces or Unicode form: "
                f"{listed([ascii(name) for name in own])}. If they are one system, give it one name; otherwise rename "
                "one."
            )
            yield Note("warning", text)


def _ids_as_outputs(parts: Sequence[Part]) -> list[Note]:
    """Warn of outputs of a system whose lines look like document ids: single words that repeat in runs."""
    return [
        Note(
            "warning",
            f"{part.label} is read as the output of a system, but its lines look like document ids: "
            f"{len(set(part.lines or ())):,} different lines, and identical lines follow each other. If they are "
            "document ids, say so (--docs FILE, or the role on the Data page).",
        )
        for part in parts
        if part.role == "system" and _repeats_in_runs(part.lines or ())
    ]


def _repeats_in_runs(lines: Sequence[str | None]) -> bool:
    """Return whether lines are single words of which equal ones stand below each other, as ids of documents do."""
    runs = sum(line != before for line, before in zip(lines, (None, *lines), strict=False))
    words = all(line and len(line.split()) == 1 for line in lines)
    return words and 2 <= runs == len(set(lines)) <= len(lines) / 2


def places_of(parts: Sequence[Part]) -> set[Path]:
    """Return where the files of parts are on disk."""
    return {part.file.content for part in parts if part.file is not None and isinstance(part.file.content, Path)}


def _left_alone(parts: Sequence[Part]) -> list[Note]:
    ignored = [part for part in parts if part.role == "ignored"]
    said = list(dict.fromkeys(note for part in ignored for note in part.notes))
    # Of a benchmark's files the other tasks, and scores whose direction nobody knows, are not left over.
    unknown = {id(part) for part in parts if _is_undirected(part)}
    labels = _grouped([
        part.label
        for part in ignored
        if not part.of_task and part.whole is None and id(part) not in unknown and not (part.problem and part.notes)
    ])  # fmt: skip
    left = [Note("note", "Ignored: " + ", ".join(labels) + ".", "files")] if labels else []
    return [*said, *_of_unknown_direction(parts), *left]


def _of_unknown_direction(parts: Sequence[Part]) -> list[Note]:
    """Return a note on the scores that play no role since nobody knows which direction is better."""
    tasks = {part.language_pair for part in parts if part.role != "ignored"}
    unknown = dict.fromkeys(part.name for part in parts if _is_undirected(part) and part.language_pair in tasks)
    if not unknown:
        return []
    shown = ", ".join(list(unknown)[:_MOST_NAMED]) + (", …" if len(unknown) > _MOST_NAMED else "")
    text = (
        f"Ignored, because it is unknown whether higher or lower is better: {shown} ({len(unknown)} in all). To use "
        "one, give its direction on the Data page, or in a shell by NAME=higher."
    )
    return [Note("note", text)]


def _is_undirected(part: Part) -> bool:
    """Return whether a part holds scores that play no role, and nothing says which direction is better."""
    is_score = part.role == "ignored" and part.scored is not None
    return is_score and part.better is None and scale_of(part.name) is None


def _grouped(labels: Sequence[str]) -> list[str]:
    """Return the labels, those of a folder with many as the folder and their number."""
    folders: dict[str, int] = {}
    for label in labels:
        folder = str(PurePosixPath(label).parent)
        folders[folder] = folders.get(folder, 0) + 1
    groups: dict[str, None] = {}
    for label in labels:
        folder = str(PurePosixPath(label).parent)
        many = folder != "." and folders[folder] > _MANY
        groups[f"{folder}/ ({folders[folder]} files)" if many else label] = None
    return list(groups)


def parsed(corpus: Corpus, parts: Sequence[Part]) -> Corpus:
    """Return the corpus with the parses in these parts, matched to texts by name."""
    by_name: dict[str, Part] = {}
    columns: tuple[dict[str, Sequence[Parse]], dict[str, Sequence[Parse]]] = ({}, {})
    for part in parts:
        if part.name in by_name:
            labels = f"{by_name[part.name].label} and {part.label}"
            raise ReadError(f"There can be only one parse of {part.name!r}; found {labels}. Leave one out.")
        by_name[part.name] = part
        if part.name not in {*corpus.outputs, *corpus.references}:
            known = ", ".join(dict.fromkeys([*corpus.outputs, *corpus.references]))
            raise ReadError(
                f"{part.label} contains parses of {part.name!r}, but no system or reference has this name. Known: "
                f"{known}. Name the file after one of them, NAME.conllu, or choose that name on the Data page; in a "
                "shell, use NAME=FILE."
            )
        for column, texts in zip(columns, (corpus.outputs, corpus.references), strict=True):
            if part.name in texts:
                column[part.name] = parses_of(part.label, part.sentences or (), texts[part.name])
    if not by_name:
        return corpus
    return replace(with_parses(corpus, *columns), notes=(*corpus.notes, *_parsers(columns)))


def _parsers(columns: Sequence[Mapping[str, Sequence[Parse]]]) -> Iterator[Note]:
    """Yield a warning when texts were parsed by different programs: what they call a dependency may differ."""
    parsers = {
        name: next((parse.parser for parse in parses if parse.parser), "an unnamed parser")
        for column in columns
        for name, parses in column.items()
    }
    if len(set(parsers.values())) > 1:
        listed = ", ".join(f"{name} by {parser}" for name, parser in parsers.items())
        yield Note(
            "warning", f"Not all texts were parsed by the same parser: {listed}. Differences may come from the parsers."
        )
