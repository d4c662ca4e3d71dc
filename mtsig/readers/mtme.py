"""mt-metrics-eval's folder: texts, documents and scores of language pairs go in, the parts of one pair come out."""

from collections.abc import Sequence

from mtsig.readers.files import File
from mtsig.readers.part import Part, Role, loaded, rating_parts

OUTPUTS = "system-outputs"
FOLDERS = frozenset({OUTPUTS, "references", "sources", "documents", "human-scores", "metric-scores"})


def recognises(files: Sequence[File]) -> bool:
    """Return whether the files come from such a folder: outputs lie in a folder of their language pair."""
    return any(_pair(file) is not None for file in files)


def _pair(file: File) -> str | None:
    """Return the language pair of a system's output, None for any other file."""
    folders = file.path.parts[:-1]
    return folders[-1] if len(folders) > 1 and folders[-2] == OUTPUTS else None


def belongs(file: File, pair: str) -> bool:
    """Return whether a file speaks of the language pair, or of none."""
    folders, name = file.path.parts[:-1], file.path.name
    if not any(folder in FOLDERS for folder in folders):
        return True
    return folders[-1] == pair or name.startswith(f"{pair}.")


def parts(files: Sequence[File]) -> list[Part]:
    """Return the parts of the one language pair; what belongs to none of the known folders is ignored.

    The domains and documents of `documents/LP.docs` are two parts. Where there are several language pairs, every system
    has that as its problem.
    """
    pairs = sorted({pair for file in files if (pair := _pair(file)) is not None})
    found: list[Part] = []
    for file in files:
        found += _parts(file, pairs[0])
    if len(pairs) == 1:
        return found
    problem = f"There are several language pairs: {', '.join(pairs)}. Take one: --data FOLDER/{OUTPUTS}/{pairs[0]}."
    return [Part(OUTPUTS, "system", OUTPUTS, problem=problem)]


def _parts(file: File, pair: str) -> list[Part]:
    """Return what a file is for the language pair."""
    folders, name = file.path.parts[:-1], file.path.name
    folder = next((one for one in reversed(folders) if one in FOLDERS), "")
    own = name.removeprefix(f"{pair}.")
    ours = own != name or (bool(folders) and folders[-1] == pair)
    if ours and name.endswith(".seg.score") and folder in {"human-scores", "metric-scores"}:
        return rating_parts(file)
    if ours and folder == "documents" and name.endswith(".docs"):
        return _documents(file)
    roles: dict[str, Role] = {OUTPUTS: "system", "references": "reference", "sources": "source"}
    if ours and folder in roles and name.endswith(".txt"):
        title = own.removesuffix(".txt") if own != "txt" else pair
        return [loaded(Part(file.label, roles[folder], title, file=file))]
    return [Part(file.label, "ignored", name, file=file)]


def _documents(file: File) -> list[Part]:
    """Return the two columns of a file of documents: domain, tab, document."""
    read = loaded(Part(file.label, "documents", "documents", file=file))
    if read.lines is None:
        return [read]
    rows = [line.split("\t") for line in read.lines]
    odd = next((number for number, row in enumerate(rows, 1) if len(row) != 2), None)
    if odd is not None:
        problem = f"{file.label}, line {odd}: expected a domain, a tab and a document."
        return [Part(file.label, "documents", "documents", problem=problem)]
    columns: tuple[tuple[Role, int], ...] = (("domains", 0), ("documents", 1))
    return [
        Part(f"{file.label}, {role}", role, role, tuple(row[place] for row in rows), notes=read.notes if place else ())
        for role, place in columns
    ]
