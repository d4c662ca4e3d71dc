"""Whole documents: objects with a text per document go in, their paragraphs come out."""

from collections.abc import Sequence

from mtsig.errors import ReadError
from mtsig.readers.names import DOCUMENTS, DOMAINS, ORIGINAL_LANGUAGES
from mtsig.readers.passages import Passage
from mtsig.readers.records import Field, Record, first_of

_SEPARATOR = "_#_"
"""WMT25's ids: LP_#_DOMAIN_#_NAME."""

Document = tuple[str, str | None, str | None]
"""Name, domain and original language."""


def documents_of(keys: Sequence[str], records: Sequence[Record]) -> list[Document]:
    """Return name, domain and original language of the document that each record is.

    >>> documents_of(["doc_id"], [Record(1, {"doc_id": "ja-zh_CN_#_news_#_asahi.7"})])
    [('asahi.7', 'news', None)]
    """
    name, domain, language = (first_of(keys, kind) or "" for kind in (DOCUMENTS, DOMAINS, ORIGINAL_LANGUAGES))
    documents = []
    for record in records:
        whole = record.texts.get(name) or ""
        pieces = whole.split(_SEPARATOR)
        said = pieces[1] if len(pieces) == 3 else None
        # WMT25's files of scores call the talk XXX that its files of outputs call vid_XXX.
        own = pieces[-1].removeprefix("vid_") if said == "speech" else pieces[-1]
        documents.append((own, record.texts.get(domain) or said, record.texts.get(language)))
    return documents


def in_paragraphs(
    label: str, fields: Sequence[Field], documents: Sequence[Document], records: Sequence[Record]
) -> tuple[list[Passage], int]:
    """Return the paragraphs of every text, split at blank lines, and how many there are of one text.

    Raises:
        ReadError: a document has another number of paragraphs in one text than in another, or an output is missing.
    """
    passages = []
    total = 0
    for record, (name, domain, language) in zip(records, documents, strict=True):
        expected: tuple[str, int] | None = None
        for field in fields:
            text = record.texts.get(field.key)
            if text is None:
                if field.role == "reference":
                    continue
                raise ReadError(f"{label}, line {record.line}: document {name!r} has no {field.key!r}.")
            paragraphs = text.split("\n\n")
            expected = expected or (field.key, len(paragraphs))
            if len(paragraphs) != expected[1]:
                raise ReadError(
                    f"{label}, line {record.line}: document {name!r} has {len(paragraphs)} paragraphs in "
                    f"{field.key!r}, "
                    f"but {expected[1]} in {expected[0]!r}."
                )
            passages += [
                Passage(field.role, field.name, name, str(number), paragraph, record.line, domain, language)
                for number, paragraph in enumerate(paragraphs, 1)
            ]
        total += expected[1] if expected else 0
    return passages, total
