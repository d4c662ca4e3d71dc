"""One small corpus written in every form that is read: files by name, as bytes."""

import gzip
import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from xml.sax.saxutils import escape, quoteattr

import openpyxl
import pyarrow
from pyarrow import parquet

SOURCE = ["uno dos", "tres & <cuatro>", "cinco", "seis"]
REFERENCE = ["one two", "three & <four>", "five", "six"]
SYSTEMS = {"alpha": ["one too", "three & <for>", "five", "sex"], "beta.v2": ["one two", "tree & <four>", "fife", "six"]}
DOCUMENTS = ["d1", "d1", "d2", "d2"]
DOMAINS = ["news", "news", "talks", "talks"]
NUMBERS = ["1", "2", "1", "2"]

Files = dict[str, bytes]


def lines(some: Sequence[str]) -> bytes:
    return "".join(f"{line}\n" for line in some).encode()


def folder() -> Files:
    columns = {"source": SOURCE, "ref": REFERENCE, "docids": DOCUMENTS, "domains": DOMAINS, **SYSTEMS}
    return {f"{name}.txt": lines(some) for name, some in columns.items()}


def sorted_folder() -> Files:
    texts = {f"systems/{name}.txt": lines(some) for name, some in SYSTEMS.items()}
    about = {"source.txt": SOURCE, "docids.txt": DOCUMENTS, "domains.txt": DOMAINS, "refs/ref.txt": REFERENCE}
    return texts | {name: lines(some) for name, some in about.items()}


def wmt_names() -> Files:
    texts = {f"made24.es-en.hyp.{name}.en": lines(some) for name, some in SYSTEMS.items()}
    texts |= {"made24.es-en.src.es": lines(SOURCE), "made24.es-en.ref.en": lines(REFERENCE)}
    return texts | {"docids.txt": lines(DOCUMENTS), "domains.txt": lines(DOMAINS)}


def mt_metrics_eval() -> Files:
    about = [f"{domain}\t{document}" for domain, document in zip(DOMAINS, DOCUMENTS, strict=True)]
    files = {f"system-outputs/es-en/{name}.txt": lines(some) for name, some in SYSTEMS.items()}
    files |= {"documents/es-en.docs": lines(about), "sources/es-en.txt": lines(SOURCE)}
    files |= {"references/es-en.ref.txt": lines(REFERENCE), "system-outputs/es-en/ref.txt": lines(REFERENCE)}
    return files | {"human-scores/es-en.da.sys.score": b"alpha\t1\n"}


def _segments(some: Sequence[str], document: str) -> str:
    chosen = [(number, text) for number, text, own in zip(NUMBERS, some, DOCUMENTS, strict=True) if own == document]
    return "".join(f"<seg id={quoteattr(number)}>{escape(text)}</seg>\n" for number, text in chosen)


def _about_documents() -> dict[str, str]:
    return dict(zip(DOCUMENTS, DOMAINS, strict=True))


def wmt_xml() -> Files:
    found = ["<?xml version='1.0' encoding='utf-8'?>\n<dataset id='made24'><collection id='general'>"]
    for name, domain in _about_documents().items():
        found.append(f"<doc id='{name}' domain='{domain}'><src lang='es'><p>{_segments(SOURCE, name)}</p></src>")
        found.append(f"<ref lang='en'><p>{_segments(REFERENCE, name)}</p></ref>")
        for system, some in SYSTEMS.items():
            found.append(f"<hyp lang='en' system='{system}'><p>{_segments(some, name)}</p></hyp>")
        found.append("</doc>")
    found.append("<doc id='ts' testsuite='of-something'><src lang='es'><seg id='1'>más</seg></src></doc>")
    return {"made24.xml": "\n".join([*found, "</collection></dataset>\n"]).encode()}


def _sgm(tag: str, attributes: str, some: Sequence[str]) -> bytes:
    documents = "".join(
        f'<DOC docid="{name}" genre={domain}>\n<hl>\n{_segments(some, name)}</hl></DOC>\n'
        for name, domain in _about_documents().items()
    )
    return f'<{tag} setid="made24" srclang="es" {attributes}>\n{documents}</{tag}>\n'.encode()


def sgm() -> Files:
    files = {"src.sgm": _sgm("srcset", "", SOURCE), "ref.sgm": _sgm("refset", 'trglang="en" refid="ref"', REFERENCE)}
    return files | {f"{name}.sgm": _sgm("tstset", f"sysid='{name}'", some) for name, some in SYSTEMS.items()}


def _rows() -> tuple[list[str], list[tuple[str, ...]]]:
    columns = {"source": SOURCE, "ref": REFERENCE, "docid": DOCUMENTS, "domain": DOMAINS, **SYSTEMS}
    return list(columns), list(zip(*columns.values(), strict=True))


def tsv() -> Files:
    names, rows = _rows()
    return {"set.tsv": lines(["\t".join(row) for row in [names, *rows]])}


def csv() -> Files:
    names, rows = _rows()
    return {"set.csv": lines([",".join(f'"{cell}"' for cell in row) for row in [names, *rows]])}


def long_table() -> Files:
    rows = [["system", "docid", "domain", "seg_id", "source", "ref", "hypothesis"]]
    for name, some in SYSTEMS.items():
        for cells in zip(DOCUMENTS, DOMAINS, NUMBERS, SOURCE, REFERENCE, some, strict=True):
            rows.append([name, *cells])
    return {"set.tsv": lines(["\t".join(row) for row in rows])}


@cache
def workbook() -> Files:
    # A workbook says when it was written; the tests want the same bytes every time.
    book = openpyxl.Workbook()
    names, rows = _rows()
    for row in [names, *rows]:
        book.active.append(row)
    packed = io.BytesIO()
    book.save(packed)
    return {"set.xlsx": packed.getvalue()}


def _json_lines(objects: Sequence[Mapping[str, object]]) -> bytes:
    return lines([json.dumps(one, ensure_ascii=False) for one in objects])


def json_segments() -> Files:
    keys = ("source", "doc_id", "domain", "seg_id", "refs", "systems")
    outputs = [dict(zip(SYSTEMS, some, strict=True)) for some in zip(*SYSTEMS.values(), strict=True)]
    references = [{"ref": line} for line in REFERENCE]
    rows = zip(SOURCE, DOCUMENTS, DOMAINS, NUMBERS, references, outputs, strict=True)
    return {"set.jsonl": _json_lines([dict(zip(keys, row, strict=True)) for row in rows])}


def json_outputs() -> Files:
    keys = ("system", "src", "document_id", "domain", "segment_id", "ref", "hyp")
    rows = [
        dict(zip(keys, (name, *cells), strict=True))
        for name, some in SYSTEMS.items()
        for cells in zip(SOURCE, DOCUMENTS, DOMAINS, NUMBERS, REFERENCE, some, strict=True)
    ]
    return {"set.json": json.dumps(rows).encode()}


def json_documents() -> Files:
    def whole(some: Sequence[str], name: str) -> str:
        return "\n\n".join(line for line, own in zip(some, DOCUMENTS, strict=True) if own == name)

    documents = [(f"es-en_#_{domain}_#_{name}", name) for name, domain in _about_documents().items()]
    files = {
        f"{system}.jsonl": _json_lines([{"doc_id": long, "hypothesis": whole(some, name)} for long, name in documents])
        for system, some in SYSTEMS.items()
    }
    shared = [
        {"doc_id": long, "src_text": whole(SOURCE, name), "ref": whole(REFERENCE, name)} for long, name in documents
    ]
    return files | {"test.jsonl": _json_lines(shared)}


def translators() -> Files:
    """XLIFF, a file for each text; ids of units are those of segments, and <file> is the document."""

    def xliff(texts: Sequence[str]) -> bytes:
        rows = zip(DOCUMENTS, NUMBERS, SOURCE, texts, strict=True)
        units = "".join(
            f'<file original="{document}"><body><trans-unit id="{number}"><source>{escape(source)}</source>'
            f"<target>{escape(text)}</target></trans-unit></body></file>"
            for document, number, source, text in rows
        )
        return f'<xliff version="1.2">{units}</xliff>'.encode()

    files = {f"systems/{name}.xlf": xliff(some) for name, some in SYSTEMS.items()}
    return files | {"refs/ref.xlf": xliff(REFERENCE), "domains.txt": lines(DOMAINS)}


def comet() -> Files:
    """COMET's --to_json, which knows no documents, beside the line files that do."""
    found = {
        f"outputs/{name}.txt": [
            {"src": source, "mt": text, "ref": reference}
            for source, text, reference in zip(SOURCE, some, REFERENCE, strict=True)
        ]
        for name, some in SYSTEMS.items()
    }
    return {"comet.json": json.dumps(found).encode(), "docids.txt": lines(DOCUMENTS), "domains.txt": lines(DOMAINS)}


def json_columns() -> Files:
    columns = {"source": SOURCE, "ref": REFERENCE, "docid": DOCUMENTS, "domain": DOMAINS, **SYSTEMS}
    return {"set.json": json.dumps(columns).encode()}


def parquet_table() -> Files:
    columns = {"source": SOURCE, "ref": REFERENCE, "docid": DOCUMENTS, "domain": DOMAINS, **SYSTEMS}
    content = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), content)
    return {"set.parquet": content.getvalue()}


FORMS: dict[str, Callable[[], Files]] = {
    "folder": folder,
    "sorted folder": sorted_folder,
    "wmt-names": wmt_names,
    "mt-metrics-eval": mt_metrics_eval,
    "wmt-xml": wmt_xml,
    "sgm": sgm,
    "table": tsv,
    "csv": csv,
    "long table": long_table,
    "xlsx": workbook,
    "parquet": parquet_table,
    "json": json_segments,
    "json outputs": json_outputs,
    "json documents": json_documents,
    "translators": translators,
    "comet": comet,
    "json columns": json_columns,
}


def zipped(files: Files, above: str = "") -> Files:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(above + name, content)
    return {"set.zip": packed.getvalue()}


def gzipped(files: Files) -> Files:
    return {f"{name}.gz": gzip.compress(content) for name, content in files.items()}
