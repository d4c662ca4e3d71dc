"""Layouts: which files belong to a test set by their folders and names, what each of them is, and what it holds.

mt-metrics-eval's folders; WMT's names, TESTSET.LP.{src|ref.A|hyp.SYSTEM}.LANG; line files, one text a file, sorted by
folder or name; parses; public test sets by name. No folder is searched without end.

What differs between the paths of outputs in folders names the systems: MODEL/hyps.txt, outputs/MODEL.jsonl; where two
things differ, as in MODEL/SET.txt, the one that references are called by, or lie beside, names test sets.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from mtsig._downloads import preferred_references, texts_of
from mtsig._limits import refuse_above
from mtsig.corpus import Note
from mtsig.corpus._notes import listed
from mtsig.errors import ReadError
from mtsig.readers import _names
from mtsig.readers._files import File, lines_of
from mtsig.readers._parts import NUMBERS, Part, Placed, are_numbers, ignored, loaded, of_doubtful_name, rating_parts
from mtsig.readers._rating_files import whole_systems

_MT_METRICS_EVAL = "mt-metrics-eval"
OUTPUTS = "system-outputs"
_SCORES = {"human-scores", "metric-scores"}
_PAIR = r"(?P<pair>[A-Za-z_]+-[A-Za-z_]+)"
_PLACES = {
    "sources": re.compile(rf"{_PAIR}\.txt"),
    "references": re.compile(rf"{_PAIR}\.(?P<name>.+)\.txt"),
    "documents": re.compile(rf"{_PAIR}\.docs"),
    OUTPUTS: re.compile(rf"{_PAIR}/(?P<name>.+)\.txt"),
    "human-scores": re.compile(rf"{_PAIR}\..+\.seg\.score"),
    "metric-scores": re.compile(rf"{_PAIR}/.+\.seg\.score"),
}
"""Folder -> what the names of its files look like."""

_OF_SYSTEMS = re.compile(rf"{_PAIR}[./].+\.sys\.score")
"""Scores of whole systems, of people or of a metric."""

PLACES = frozenset(_PLACES)


def mt_metrics_eval(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
    """Return the files in folders of this layout, provided that there are outputs sorted by language pair."""
    del alone
    if not any(_match(placed, OUTPUTS) for placed in files):
        return []
    return [placed for placed in files if placed.folder and placed.folder[0] in _PLACES]


def mt_metrics_eval_parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return the texts; a reference that is copied among the outputs, to be scored as a system, is left out of them."""
    parts_by_file = [_mt_parts(placed) for placed in files]
    references = {
        (part.language_pair, part.name): part.lines
        for several in parts_by_file
        for part in several
        if part.role == "reference" and part.lines
    }
    return [[_left_out(part) if _is_copy(part, references) else part for part in several] for several in parts_by_file]


def _match(placed: Placed, place: str) -> re.Match[str] | None:
    if not placed.folder or placed.folder[0] != place:
        return None
    return _PLACES[place].fullmatch("/".join((*placed.folder[1:], placed.name)))


def _mt_parts(placed: Placed) -> list[Part]:
    place = placed.folder[0]
    match = _match(placed, place)
    whole = _OF_SYSTEMS.fullmatch("/".join((*placed.folder[1:], placed.name))) if place in _SCORES else None
    if whole is not None:
        parts = whole_systems(placed.file, f"{_MT_METRICS_EVAL}, scores of whole systems")
        return [replace(part, language_pair=whole["pair"]) for part in parts]
    if match is None:
        return [ignored(placed.file, f"{_MT_METRICS_EVAL}, scores of whole systems" if place in _SCORES else "")]
    pair = match["pair"]
    if place in _SCORES:
        return [replace(part, form=_MT_METRICS_EVAL, language_pair=pair) for part in rating_parts(placed.rating)]
    if place == "documents":
        return _documents(placed, pair)
    if place == OUTPUTS:
        part = Part(placed.file.label, "system", match["name"])
    elif place == "references":
        part = Part(placed.file.label, "reference", _names.reference_name(match["name"]))
    else:
        part = Part(placed.file.label, "source", "source")
    return [loaded(replace(part, file=placed.file, form=_MT_METRICS_EVAL, language_pair=pair))]


def _documents(placed: Placed, pair: str) -> list[Part]:
    """Return domains and documents, which stand side by side in one file."""
    whole = Part(placed.file.label, "documents", "documents", form=_MT_METRICS_EVAL, language_pair=pair)
    try:
        lines, notes = lines_of(placed.file)
        rows = [line.split("\t") for line in lines]
        for number, row in enumerate(rows, 1):
            if len(row) != 2:
                raise ReadError(
                    f"{placed.file.label}, line {number}: found {len(row)} columns; expected two, domain and document, "
                    "separated by a tab. Correct the line."
                )
    except ReadError as error:
        return [replace(whole, problem=str(error))]
    domains = replace(
        whole,
        label=f"{placed.file.label}, first column",
        role="domains",
        name="domains",
        lines=tuple(r[0] for r in rows),
    )
    return [replace(whole, lines=tuple(row[1] for row in rows), notes=notes), domains]


def _is_copy(part: Part, references: dict[tuple[str | None, str], tuple[str | None, ...]]) -> bool:
    return (
        part.role == "system" and references.get((part.language_pair, _names.reference_name(part.name))) == part.lines
    )


def _left_out(part: Part) -> Part:
    text = f"{part.label} is a copy of reference {part.name!r}, meant to be scored as a system; it was omitted."
    return replace(part, role="ignored", notes=(*part.notes, Note("note", text)))


_LANGUAGE = r"[a-z]{2,3}(?:_[A-Za-z]{2,4}){0,2}"
WMT_NAME = re.compile(
    rf"(?P<set>.+?)\.(?P<pair>{_LANGUAGE}-{_LANGUAGE})"
    rf"\.(?:(?P<source>src)|ref\.?(?P<translator>(?<=\.)[\w-]+|[A-Z]?)|hyp\.(?P<system>.+))\.(?!txt){_LANGUAGE}(?:\.txt)?"
)
"""The name of reference A is written ref.A or refA; test sets may have dots in their names, systems too."""


def wmt_named(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
    """Return the files that are called so, in whatever folders."""
    del alone
    return [placed for placed in files if WMT_NAME.fullmatch(placed.name)]


def wmt_named_parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return one part a file."""
    return [[loaded(_wmt_part(placed))] for placed in files]


def _wmt_part(placed: Placed) -> Part:
    match = WMT_NAME.fullmatch(placed.name)
    role: _names.Role = "system"
    name = placed.file.path.stem
    if match is not None and match["source"]:
        role, name = "source", "source"
    elif match is not None and match["system"] is not None:
        name = match["system"]
    elif match is not None:
        role, name = "reference", _names.reference_name(match["translator"])
    pair = None if match is None else match["pair"]
    return Part(placed.file.label, role, name, file=placed.file, form="line file, WMT's name", language_pair=pair)


def line_files(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
    """Return the files that are, or may be, line files: in systems/ and refs/ everything that is not of another kind.

    Where there is a systems/ folder, files beside it whose names say nothing are left alone; otherwise they are
    systems. A file beside an archive of such a folder is a system: it was added to what the archive holds.
    """
    del alone
    sorted_out = _sorted_out(files)
    return [placed for placed in files if _role(placed, sorted_out) is not None]


def line_file_parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return one part a file."""
    sorted_out = _sorted_out(files)
    roles = _names.of_one_source([(placed.name, _role(placed, sorted_out) or "system") for placed in files])
    target = _target_among(files, roles)
    roles = ["reference" if at == target else role for at, role in enumerate(roles)]
    together = Counter((placed.folder, placed.suffix) for placed, role in zip(files, roles, strict=True)
                       if role == "system")  # fmt: skip
    for (folder, suffix), count in together.most_common(1):  # before any is read; pairs of languages lie apart
        refuse_above("max_systems", count, f"{'/'.join(folder) or files[0].file.label}, {suffix or 'no suffix'}")
    parts = _numbers_apart(files, [loaded(_part(placed, role)) for placed, role in zip(files, roles, strict=True)])
    parts = _beside_older(parts)
    if target is not None:
        said = f"{parts[target].label} is read as the reference, because of its name, and because no other file is one."
        parts[target] = replace(parts[target], notes=(*parts[target].notes, Note("note", said)))
    return _in_one_language(_by_language_pair([
        [_by_lines(part, "ignored" if sorted_out[_is_packed(placed)] else "system")]
        for placed, part in zip(files, parts, strict=True)
    ]))  # fmt: skip


def _numbers_apart(files: Sequence[Placed], parts: Sequence[Part]) -> list[Part]:
    """Return the parts without systems of a number a line, where other texts have words: they are scores.

    They are ratings where the name of the file begins with a system's, and says whether higher or lower is better.
    """
    texts = [part for part in parts if part.role in {"system", "reference", "source"} and part.lines]
    numbers = {id(part) for part in texts if part.role == "system" and are_numbers(part.lines or ())}
    if not numbers or not any(part.lines and not are_numbers(part.lines) for part in texts):
        return list(parts)
    systems = [part.name for part in texts if part.role == "system" and id(part) not in numbers]
    found = list(parts)
    for at, (placed, part) in enumerate(zip(files, parts, strict=True)):
        if id(part) not in numbers:
            continue
        own = rating_parts(placed.rating)
        begun = any(re.match(rf"{re.escape(name)}(?![\w-])", part.name) for name in systems)
        if begun and len(own) == 1 and own[0].problem is None and _names.scale_of(part.name) is not None:
            found[at] = own[0]
            continue
        text = f"{part.label} was ignored: {NUMBERS}."
        found[at] = replace(ignored(placed.file), notes=(Note("warning", text),))
    return found


def _target_among(files: Sequence[Placed], roles: Sequence[_names.Role]) -> int | None:
    """Return which of the files at the top is called a target, where none is a reference and others are systems."""
    own = [at for at, (placed, role) in enumerate(zip(files, roles, strict=True))
           if role == "system" and not placed.folder and _names.may_be_target(placed.stem)]  # fmt: skip
    return own[0] if len(own) == 1 and roles.count("system") > 1 and "reference" not in roles else None


def _beside_older(parts: Sequence[Part]) -> list[Part]:
    """Return the parts with a warning on each system whose name is that of an older copy of another."""
    names = {part.name for part in parts if part.role == "system"}
    return [
        replace(part, notes=(*part.notes, Note("warning", (
            f"{part.label} is read as a system. If it is an older copy of {older}, as its name suggests, remove it."
        )))) if part.role == "system" and (older := _names.older_copy_of(part.name, names)) else part
        for part in parts
    ]  # fmt: skip


_PAIR_PIECE = re.compile(r"(?:^|(?<=[._/]))([A-Za-z]{2,3})-([A-Za-z]{2,3})(?=[._]|$)")


def _by_language_pair(parts: list[list[Part]]) -> list[list[Part]]:
    """Return the parts with the language pairs that their names say, where these are several and all texts have one.

    Of several pairs for one reference it is doubted whether they belong together.
    """
    told = [[match for match in _PAIR_PIECE.finditer(own.name) if all(map(_names.is_language, match.groups()))]
            for (own,) in parts]  # fmt: skip
    pairs = {
        found[0][0]: own.label for (own,), found in zip(parts, told, strict=True) if found and own.role == "system"
    }
    if len(pairs) < 2:
        return parts
    if all(found for (own,), found in zip(parts, told, strict=True) if own.role in {"system", "reference", "source"}):
        return [
            [replace(own, name=_without(own.name, found[0]) or own.name, language_pair=found[0][0]) if found else own]
            for (own,), found in zip(parts, told, strict=True)
        ]
    named = " and ".join(list(pairs.values())[:2])
    said = f"{named} have different language pairs in their names. Do all of them belong to one test set?"
    first = parts[0][0]
    return [[replace(first, notes=(*first.notes, Note("warning", said)))], *parts[1:]]


def _without(name: str, piece: re.Match[str]) -> str:
    """Return a name without a piece and the sign before or behind it."""
    return f"{name[: piece.start()]}{name[piece.end() :]}".strip("._")


def _in_one_language(parts: list[list[Part]]) -> list[list[Part]]:
    """Return the parts without outputs in another language than the references, of which one system has some.

    Where no reference tells which, they are parts with a problem.
    """
    endings = [_names.language_of(own.label) for (own,) in parts]
    spoken: dict[tuple[_names.Role, str], set[str]] = {}
    for (own,), ending in zip(parts, endings, strict=True):
        if ending:
            spoken.setdefault((own.role, own.name if own.role == "system" else ""), set()).add(ending)
    wanted = spoken.get(("reference", ""), set())
    for place, ((own,), ending) in enumerate(zip(parts, endings, strict=True)):
        several = spoken.get(("system", own.name), set()) if own.role == "system" and ending else set()
        if len(several) < 2:
            continue
        if len(wanted & several) == 1 and ending not in wanted:
            text = f"{own.label} was ignored: {own.name} also has outputs in the language of the references."
            parts[place] = [replace(own, role="ignored", notes=(*own.notes, Note("note", text)))]
        elif len(wanted & several) != 1:
            text = (
                f"{own.label}: {own.name} has outputs in {len(several)} languages ({', '.join(sorted(several))}), and "
                "no reference shows which is the target. Keep only one language, or name the others source and ref."
            )
            parts[place] = [replace(own, problem=text)]
    return parts


def _by_lines(part: Part, alone: _names.Role) -> Part:
    """Return a part whose name may mean document ids, and whose lines are none, in the role that it has otherwise."""
    if part.role != "documents" or part.lines is None or not _names.may_be_documents(part.name):
        return part
    # Lines that repeat are ids, in whatever order: no system gives every output twice.
    repeat = all(part.lines) and len(set(part.lines)) <= len(part.lines) / 2
    return part if repeat else replace(part, role=alone)


def _part(placed: Placed, role: _names.Role) -> Part:
    name = _names.name_of(placed.name, role)
    doubt = () if placed.folder else of_doubtful_name(placed.file.label, name, role)
    return Part(placed.file.label, role, name, file=placed.file, form="line file", notes=doubt)


def _is_packed(placed: Placed) -> bool:
    return placed.file.inside is not None


def _sorted_out(files: Sequence[Placed]) -> dict[bool, bool]:
    """Return whether there is a systems/ folder for files from archives (True) and for others (False)."""
    packed = {_is_packed(placed) for placed in files if _names.role_of_folder(placed.folder) == "system"}
    return {True: bool(packed), False: False in packed}


def _role(placed: Placed, sorted_out: dict[bool, bool]) -> _names.Role | None:
    if placed.is_about_the_data or not placed.has_lines or not placed.stands_out:
        return None
    if placed.folder:
        role = _names.role_of_folder(placed.folder)
        return role if role != "ratings" else None
    stem = placed.stem
    if _names.is_about_texts(stem):
        return None
    named: _names.Role = "documents" if _names.may_be_documents(stem) else _names.role_of_name(stem)
    # What a table beside line files holds is not for its name to say.
    is_table = placed.suffix in _names.TABLE_SUFFIXES
    return named if named != "system" or not (sorted_out[_is_packed(placed)] or is_table) else None


PARSES = (".conllu", ".conll")


def parse_parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return one part a file: the parses of the text of the same name."""
    return [
        [loaded(Part(placed.file.label, "parses", _names.name_of(placed.name), file=placed.file, form="CoNLL-U"))]
        for placed in files
    ]


_SACREBLEU = "sacreBLEU's test set"

_COLUMNS: dict[str, _names.Role] = {
    "docid": "documents",
    "origlang": "original languages",
    "domain": "domains",
    "genre": "domains",
    "src": "source",
}


def public_parts(name: str) -> list[Part]:
    """Return the texts of a public test set that was fetched: source, references, and systems where it has them."""
    texts = texts_of(name)
    preferred = [
        _names.reference_name(preferred_reference.partition(":")[2])
        for preferred_reference in preferred_references(name)
    ]
    parts = [_public_part(field, File(f"{name}, {field}", path)) for field, path in texts.items()]
    references = [part.name for part in parts if part.role == "reference"]
    if parts and preferred and set(preferred) < set(references):
        text = f"sacreBLEU scores {name} against {', '.join(preferred)} only, not all of {', '.join(references)}."
        parts[0] = replace(parts[0], notes=(*parts[0].notes, Note("note", text)))
    return parts


def _public_part(field: str, file: File) -> Part:
    role, title = _public_role(field)
    return loaded(Part(file.label, role, title, file=file, form=_SACREBLEU))


def _public_role(field: str) -> tuple[_names.Role, str]:
    if field in _COLUMNS:
        return _COLUMNS[field], field
    if field == "ref" or field.startswith("ref:"):
        return "reference", _names.reference_name(field.partition(":")[2])
    return "system", field


_OF_DATA = _names.TABLE_SUFFIXES | {".json", ".jsonl", ".parquet", ".xlsx"}
_ROLES: tuple[_names.Role, ...] = ("reference", "source", "documents")
_OWN_WORD = re.compile(r"^(?:refs?|references?|src|source|docids?)[._-]|[._-](?:refs?|references?|src|source|docids?)$")
_FORM = "outputs in folders"

Found = tuple[Placed, Part]


def in_folders(files: Sequence[Placed], known: Sequence[Part], read: Callable[[Sequence[File]], list[Part]]) -> tuple[
    list[tuple[Placed, list[Part]]], list[Part]
]:  # fmt: skip
    """Return the parts of files in folders that no reader takes, and those that are known already as these have them.

    known: the references, sources and documents beside the folders. read: reads a file by itself.
    """
    outputs, others, rated = list[Found](), list[Found](), list[tuple[Placed, list[Part]]]()
    for placed in files:
        if not placed.folder or placed.is_about_the_data:
            continue
        if placed.suffix in _OF_DATA and placed.rating.is_rating() and placed.rating.names_systems:
            rated.append((placed, rating_parts(placed.rating)))
            continue
        for part in _texts(placed, read):
            (outputs if part.role == "system" else others).append((placed, part))
    if rated and not outputs:
        return rated, list(known)
    broken = [(placed, [part]) for placed, part in outputs if part.problem is not None and placed.suffix in _OF_DATA]
    outputs = [found for found in outputs if found[1].problem is None or found[0].suffix not in _OF_DATA]
    if broken and not outputs:
        return broken, list(known)
    lengths = {len(part.lines) for part in [*known, *(part for _, part in others)]
               if part.role == "reference" and part.lines is not None}  # fmt: skip
    return _called(outputs, others, known, lengths) if outputs else ([], list(known))


def _texts(placed: Placed, read: Callable[[Sequence[File]], list[Part]]) -> list[Part]:
    """Return the output that a file holds, with its reference and source, or the text that it is; or nothing."""
    if placed.suffix in _OF_DATA:
        held = read([placed.file])
        parts = [part for part in held if part.role != "ignored"]
        if broken := [part for part in parts if part.problem is not None]:
            return broken[:1]
        if sum(part.role == "system" for part in parts) != 1:
            return []
        notes = (note for part in held if part.role == "ignored" for note in part.notes)
        return [replace(parts[0], notes=(*notes, *parts[0].notes)), *parts[1:]]
    stem = placed.stem
    if not placed.has_lines or _names.is_about_texts(stem) or placed.rating.is_rating():
        return []
    role = _names.role_of_folder(placed.folder) or _names.role_of_name(placed.folder[-1])
    role = role if role in _ROLES else _names.role_of_name(stem)
    if role not in {"system", *_ROLES}:
        return []
    name = _names.name_of(placed.name, role)
    return [loaded(Part(placed.file.label, role, name, file=placed.file, form=_FORM))]


def _pieces(placed: Placed) -> tuple[str, ...]:
    return (*placed.folder, _names.name_of(placed.name))


def _called(outputs: Sequence[Found], others: Sequence[Found], known: Sequence[Part], lengths: set[int]) -> tuple[
    list[tuple[Placed, list[Part]]], list[Part]
]:  # fmt: skip
    """Return the outputs under the names of their systems, and the other texts as those of a test set each."""
    paths = [_pieces(placed) for placed, _ in outputs]
    depth = min(map(len, paths))
    varying = [at for at in range(depth) if len({pieces[at] for pieces in paths}) > 1]
    of_sets = _naming_sets(paths, others, known, varying or [*range(depth)][-2:])
    named = [at for at in varying if at != of_sets]
    apart = named[:1]
    if len(named) > 1 or max(map(len, paths)) > depth:
        chosen = _one_each(outputs, named, of_sets, lengths)
        if isinstance(chosen, str):
            return [(outputs[0][0], [_refused(outputs, chosen)])], list(known)
        outputs, paths = chosen, [_pieces(placed) for placed, _ in chosen]
        apart = _telling(paths, named, depth)
    sets = list(dict.fromkeys(pieces[of_sets] for pieces in paths)) if of_sets is not None else []
    last = [at for at in (depth - 1, depth - 2) if at >= 0 and at != of_sets and not _names.is_general(paths[0][at])]
    apart = apart or [*last, depth - 1][:1]

    def of_set(part: Part, own: str | None) -> Part:
        return replace(part, language_pair=own) if own is not None and len(sets) > 1 else part

    found: list[tuple[Placed, list[Part]]] = []
    for (placed, part), pieces in zip(outputs, paths, strict=True):
        own = None if of_sets is None else pieces[of_sets]
        found.append((placed, [of_set(replace(part, name="/".join(pieces[at] for at in apart), form=_FORM), own)]))
    for placed, part in _once(others, of_sets):
        told = _set_of(part, _pieces(placed), of_sets, sets)
        if told or not sets:
            found.append((placed, [of_set(replace(part, name="ref" if part.name == told else part.name), told)]))
    beside = []
    for part in known:
        told = _set_of(part, (), None, sets) if part.role in _ROLES else None
        if told or not sets or part.role not in _ROLES:
            beside.append(of_set(part, told))
        else:
            beside.append(replace(part, role="ignored"))
    text = (
        f"Systems are called by their {'files' if apart == [depth - 1] else 'folders'}, as {found[0][1][0].name} of "
        f"{found[0][0].file.label}."
    )
    first = found[0][1][0]
    found[0] = found[0][0], [replace(first, notes=(*first.notes, Note("note", text)))]
    return found, beside


def _one_each(
    outputs: Sequence[Found], named: Sequence[int], of_sets: int | None, lengths: set[int]
) -> list[Found] | str:
    """Return the output of each system, of those in its folder the one as long as a reference; or why none is meant."""
    groups: dict[tuple[str, ...], list[Found]] = {}
    for placed, part in outputs:
        pieces = _pieces(placed)
        groups.setdefault(tuple(pieces[at] for at in (*named[:1], of_sets) if at is not None), []).append(
            (placed, part)
        )
    if len(groups) < 2 or all(map(_PAIR_PIECE.fullmatch, (key[0] for key in groups))):
        return "and no reference tells which of their folders name systems, and which test sets"
    chosen = []
    for key, own in groups.items():
        fitting = [found for found in own if len(found[1].lines or ()) in lengths] if len(own) > 1 else own
        if len(fitting) != 1:
            labels = listed([placed.file.label for placed, _ in fitting or own], most=3)
            held = f"several that may be the output: {labels}" if fitting or not lengths else (
                f"none that is as long as the reference: {labels}")  # fmt: skip
            return f"of which {'/'.join(key)} has {held}; no reference tells which of them is meant"
        chosen += fitting
    return chosen


def _telling(paths: Sequence[tuple[str, ...]], named: Sequence[int], depth: int) -> list[int]:
    """Return the places in paths by which systems are called: their folders; of files that have own names, these too.

    A file that is called like all outputs are, or like its folder, has none.
    """
    if len({*map(len, paths)}) > 1:
        return [*named[:1]]
    first, *rest = [at for at in named if len({pieces[at] for pieces in paths}) > 1]
    own = all(not _names.is_general(pieces[-1]) and pieces[first] not in pieces[-1] for pieces in paths)
    return [first, *(at for at in rest if at < depth - 1 or own)]


def _once(others: Sequence[Found], of_sets: int | None) -> list[Found]:
    """Return the texts beside outputs, those that lie in several folders and are the same once."""
    kept: dict[object, Found] = {}
    for placed, part in others:
        pieces = _pieces(placed)
        kept.setdefault(
            (part.role, part.lines, None if of_sets is None else pieces[of_sets : of_sets + 1]), (placed, part)
        )
    return list(kept.values())


def _naming_sets(
    paths: Sequence[tuple[str, ...]], others: Sequence[Found], known: Sequence[Part], places: Sequence[int]
) -> int | None:
    """Return the place in paths that names test sets; None where all is one, or nothing tells."""
    called = {name for part in [*known, *(part for _, part in others)] if part.role == "reference"
              for name in _names_of_set(part)}  # fmt: skip
    # A folder of references alone may be called like their test set.
    called |= {name for placed, part in others if part.role == "reference"
               and all(pieces[: len(placed.folder)] != placed.folder for pieces in paths)
               for name in placed.folder}  # fmt: skip
    for at in places:
        held = {pieces[at] for pieces in paths}
        if held & called:
            return at
        of_folder: dict[str, set[object]] = {}
        for placed, part in others:
            pieces = _pieces(placed)
            if part.role == "reference" and at < len(pieces) - 1 and pieces[at] in held:
                of_folder.setdefault(pieces[at], set()).add(part.lines)
        if len(of_folder) > 1 and len(set(map(frozenset, of_folder.values()))) > 1:
            return at
    return None


def _names_of_set(part: Part) -> set[str]:
    """Return what a reference may say of which test set it is."""
    names = {part.name} | ({_names.name_of(part.file.path.name, "reference")} if part.file is not None else set())
    return names | {_OWN_WORD.sub("", name) for name in names}


def _set_of(part: Part, pieces: Sequence[str], at: int | None, sets: Sequence[str]) -> str | None:
    if at is not None and at < len(pieces) - 1 and pieces[at] in sets:
        return pieces[at]
    return next((name for name in sets if name in {*_names_of_set(part), *pieces[:-1]}), None)


def _refused(outputs: Sequence[Found], why: str) -> Part:
    placed, part = outputs[0]
    labels = listed([placed.file.label for placed, _ in outputs[:3]]) + (", …" if len(outputs) > 3 else "")
    problem = (
        f"{placed.file.label}: expected one output of each system; found {len(outputs)} files, such as {labels}, "
        f"{why}. Keep one output in each folder, or put one file per system into systems/, and references into refs/."
    )
    return replace(part, problem=problem)


def campaigns_apart(found: Sequence[Part]) -> list[Part]:
    """Return the parts with ratings of different items or texts as those of a test set each, called like files."""
    items: dict[str, set[object]] = {}
    for part in found:
        if part.role == "ratings" and part.scored is not None and part.file is not None and part.language_pair is None:
            texts = {at: text for (_, at), text in part.scored.texts.items()}
            keys = {place.item or texts.get(at) for at, place in enumerate(part.scored.places)}
            if None in keys:
                return list(found)
            items.setdefault(part.file.label, set()).update(keys)
    groups: list[tuple[str, set[object]]] = []
    group_of: dict[str, str] = {}
    for label, own in items.items():
        same = next((name for name, held in groups if held & own), None)
        group_of[label] = same or _names.name_of(label.rpartition("/")[2])
        groups.append((group_of[label], own))
    if len(set(group_of.values())) < 2:
        return list(found)
    return [replace(part, language_pair=group_of[part.file.label])
            if part.file is not None and part.role == "ratings" and part.language_pair is None else part
            for part in found]  # fmt: skip


LOGS = re.compile(
    r"(.*/(samples_.+\.jsonl|results_.+\.json|per_instance_stats\.json|scenario_state\.json|run_spec\.json"
    r"|details_.+\.parquet|.+\.eval|\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d.*_.+\.json|test_run_\d{8}_\d{6}(_\d+)?\.json)"
    r"|.*/reviews/[^/]+/[^/]+\.jsonl)(\.gz)?"
)
"""What these programs call their files, and the folders that these lie in."""

MOST_FILES = 20_000
"""Files that are looked at in one folder."""


def files_of(folder: Path) -> tuple[list[File], list[str]]:
    """Return the files of a folder and of those in it whose names are known, and the names of its other folders.

    A folder that holds nothing but one other folder stands for that. Pipes, devices and broken links in folders of
    known names are among the files: whoever reads one is told what it is.
    """
    try:
        return _files_of(only_inner(folder))
    except OSError as error:
        raise ReadError(
            f"{folder}: cannot be listed ({error.strerror or error}). Give another folder, or make this one readable."
        ) from None


def _files_of(folder: Path) -> tuple[list[File], list[str]]:
    files: list[File] = []
    others: list[str] = []
    by_pair = (folder / OUTPUTS).is_dir()
    entries = sorted(folder.iterdir())
    may_hold_logs = not by_pair and not any(entry.name.lower() in _names.FOLDERS for entry in entries)
    for entry in entries:
        if entry.is_file():
            files.append(File(entry.name, entry))
        elif by_pair and entry.name in PLACES:
            files += _taken(folder, _below(entry))
        elif entry.name.lower() in _names.FOLDERS:
            files += _taken(folder, (path for path in sorted(entry.iterdir()) if not path.is_dir()))
            others += [f"{entry.name}/{path.name}/" for path in sorted(entry.iterdir()) if path.is_dir()]
        elif not entry.name.startswith("."):
            logs = _logs(entry) if may_hold_logs and entry.is_dir() else []
            files += _taken(folder, iter(logs))
            if logs:
                continue
            others.append(entry.name + "/" * entry.is_dir())
        if len(files) > MOST_FILES:
            raise ReadError(f"{folder} contains more than {MOST_FILES:,} files. Give the folder of one test set.")
    return files, others


_DEEPEST_OUTPUTS, _MOST_OUTPUTS = 4, 2_000
"""Folders in folders that are searched for outputs, and files in them: where more lie, it is no test set."""


def files_below(folder: Path, names: Sequence[str]) -> list[File]:
    """Return the files of these folders in a folder, and of those in them: outputs may lie in one of each system."""
    try:
        top = only_inner(folder)
        below = (path for name in names if name.endswith("/") for path in _all_below(top / name, _DEEPEST_OUTPUTS))
        paths = list(islice(below, _MOST_OUTPUTS + 1))
    except OSError as error:
        raise ReadError(
            f"{folder}: cannot be listed ({error.strerror or error}). Give another folder, or make this one readable."
        ) from None
    return _taken(top, iter(paths)) if len(paths) <= _MOST_OUTPUTS else []


def _all_below(folder: Path, depth: int) -> Iterator[Path]:
    for entry in islice(sorted(folder.iterdir()), MOST_FILES + 1):
        if entry.is_file():
            yield entry
        elif entry.is_dir() and depth > 1 and not entry.name.startswith(".") and not entry.is_symlink():
            yield from _all_below(entry, depth - 1)


_DEEPEST = 6
"""Folders in folders that are searched for logs: lighteval puts them five deep."""


def _logs(folder: Path) -> list[Path]:
    """Return the files below a folder that are called like logs of benchmarks, whatever their folders are called."""
    paths: list[Path] = []
    looked_at = 0
    left = [(folder, 1)]
    while left:
        inner, depth = left.pop()
        for entry in inner.iterdir():
            looked_at += 1
            if looked_at > MOST_FILES and paths:
                raise ReadError(f"{folder} contains more than {MOST_FILES:,} files. Give a folder with fewer runs.")
            if looked_at > MOST_FILES:
                return []
            if entry.is_dir():
                if depth < _DEEPEST and not entry.name.startswith(".") and not entry.is_symlink():
                    left.append((entry, depth + 1))
            elif LOGS.fullmatch(entry.as_posix()):
                paths.append(entry)
    return sorted(paths)


def _taken(folder: Path, files: Iterator[Path]) -> list[File]:
    return [File(path.relative_to(folder).as_posix(), path) for path in files]


def only_inner(folder: Path) -> Path:
    """Return the only folder in a folder that holds nothing else, or the folder itself."""
    shown = [entry for entry in folder.iterdir() if not entry.name.startswith(".")]
    if len(shown) == 1 and shown[0].is_dir() and shown[0].name.lower() not in _names.FOLDERS:
        return shown[0]
    return folder


def _below(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder, and of the folders of language pairs in it."""
    for entry in sorted(folder.iterdir()):
        if not entry.is_dir():
            yield entry
        elif not entry.name.startswith("."):
            yield from (path for path in sorted(entry.iterdir()) if not path.is_dir())
