"""Public test sets by name: a name such as wmt24/en-de goes in, the parts of sacreBLEU's copy of it come out."""

from dataclasses import replace

from mtsig.corpus import Note
from mtsig.downloads import preferred_references, texts_of
from mtsig.readers.files import File
from mtsig.readers.names import Role, reference_name
from mtsig.readers.part import Part, loaded

FORM = "sacreBLEU's test set"

_COLUMNS: dict[str, Role] = {
    "docid": "documents",
    "origlang": "original languages",
    "domain": "domains",
    "genre": "domains",
    "src": "source",
}


def public_parts(name: str) -> list[Part]:
    """Return the texts of a public test set that was fetched: source, references, and systems where it has them.

    Raises:
        UnknownName: there is no such test set or language pair.
        NotApplicable: it has not been fetched; the message says how.
        ProgramError: sacreBLEU cannot read its copy.
    """
    texts = texts_of(name)
    preferred = [
        reference_name(preferred_reference.partition(":")[2]) for preferred_reference in preferred_references(name)
    ]
    parts = [_part(field, File(f"{name}, {field}", path)) for field, path in texts.items()]
    references = [part.name for part in parts if part.role == "reference"]
    if parts and preferred and set(preferred) < set(references):
        text = f"sacreBLEU scores {name} against {', '.join(preferred)} alone, not all of {', '.join(references)}."
        parts[0] = replace(parts[0], notes=(*parts[0].notes, Note("note", text)))
    return parts


def _part(field: str, file: File) -> Part:
    role, title = _role(field)
    return loaded(Part(file.label, role, title, file=file, form=FORM))


def _role(field: str) -> tuple[Role, str]:
    if field in _COLUMNS:
        return _COLUMNS[field], field
    if field == "ref" or field.startswith("ref:"):
        return "reference", reference_name(field.partition(":")[2])
    return "system", field
