"""The same scores in every form of ratings that is read: files by name, as bytes."""

import gzip
import json

DOCUMENTS = ["d1", "d1", "d2", "d2", "d2"]
SCORES = {"alpha": [-1.0, 0.0, None, -5.0, -2.5], "beta": [0.0, -1.0, -3.0, None, -0.1]}
"""Two systems, five segments, two documents, two gaps."""


def cell(score: float | None) -> str:
    return "None" if score is None else str(score)


def rows() -> list[tuple[str, int, float | None]]:
    return [(system, i, score) for system, scores in SCORES.items() for i, score in enumerate(scores, 1)]


def within(i: int) -> int:
    """Return the number, from 1, of segment i (from 1) in its document."""
    return DOCUMENTS[:i].count(DOCUMENTS[i - 1])


def as_long() -> dict[str, bytes]:
    body = "".join(f"{system}\t{i}\t{cell(score)}\n" for system, i, score in rows())
    return {"mqm.seg.tsv": f"system\tseg_id\tmqm\n{body}".encode()}


def as_wide() -> dict[str, bytes]:
    lines = [f"{i},{','.join(cell(SCORES[system][i - 1]) for system in SCORES)}" for i in range(1, 1 + len(DOCUMENTS))]
    return {"mqm.csv": "\n".join([f"seg_id,{','.join(SCORES)}", *lines]).encode()}


def as_blocks() -> dict[str, bytes]:
    return {"en-de.mqm.seg.score": "".join(f"{system}\t{cell(score)}\n" for system, _, score in rows()).encode()}


def as_da() -> dict[str, bytes]:
    # Documents are in sorted order here, so SID is the line number; that it need not be is tested elsewhere.
    body = "".join(f"{system} {i} {score} {score} 1 \n" for system, i, score in rows() if score is not None)
    return {"ad-seg-scores.csv": f"SYS SID RAW.SCR Z.SCR N \n{body}".encode()}


def as_averages() -> dict[str, bytes]:
    body = "".join(f"{system}\t{cell(score)} {i}\n" for system, i, score in rows())
    return {"mqm.avg_seg_scores.tsv": f"system mqm_avg_score seg_id\n{body}".encode()}


ERRORS = {-1.0: [("Style/Awkward", "Minor")], 0.0: [("No-error", "No-error")], -5.0: [("Accuracy/Omission", "Major")],
          -2.5: None, -3.0: [("Fluency/Grammar", "Minor")] * 3, -0.1: [("Fluency/Punctuation", "Minor")]}  # fmt: skip


def as_annotations() -> dict[str, bytes]:
    lines = ["\t".join(["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"])]
    for system, i, score in rows():
        if score is None:
            continue
        # −2.5 is what no single rater gives: two raters' average, 0 and −5.
        raters = {"r1": ERRORS[score]} if ERRORS[score] else {"r1": ERRORS[0.0], "r2": ERRORS[-5.0]}
        for rater, errors in raters.items():
            for category, severity in errors or []:
                place = f"{DOCUMENTS[i - 1]}\t{within(i)}\t{i + 83}"
                lines.append(f'{system}\t{place}\t{rater}\tsaid "so\t<v>a</v>\t{category}\t{severity}')
    return {"mqm_annotations.tsv": "\n".join(lines).encode()}


def as_esa() -> dict[str, bytes]:
    lines = ["u1,alpha,1000000,TGT,eng,deu,0,ende-tutorial1,False,[],1.0,2.0"]
    for system, i, score in rows():
        if score is not None:
            lines.append(f"u1,{system},{i - 1},TGT,eng,deu,{score},{DOCUMENTS[i - 1]},False,[],1.0,2.0")
    lines.append("u1,alpha,2,BAD,eng,deu,9,d2#bad,False,[],1.0,2.0")
    return {"esa.csv": "\n".join(lines).encode()}


def as_esa_records() -> dict[str, bytes]:
    lines = [
        json.dumps({
            "langs": "en-de", "line_id": i - 1, "doc_id": DOCUMENTS[i - 1], "src": "x", "tgt": "y", "system": system,
            "esa_score": score, "esa_spans": [],
        })
        for system, i, score in rows()
        if score is not None
    ]  # fmt: skip
    return {"esa.jsonl": "\n".join(lines).encode()}


def as_metrics_task() -> dict[str, bytes]:
    lines = [
        f"MQM\ten-de\tnewstest\trefA\t{system}\t{DOCUMENTS[i - 1]}\t{within(i)}\t{score}"
        for system, i, score in rows()
        if score is not None
    ]
    return {"mqm.seg.score.gz": gzip.compress("\n".join(lines).encode())}


def as_wmt25() -> dict[str, bytes]:
    found = {}
    for system, scores in SCORES.items():
        lines = []
        for document in dict.fromkeys(DOCUMENTS):
            own = [score for name, score in zip(DOCUMENTS, scores, strict=True) if name == document]
            lines.append(json.dumps({"document_id": document, "metric_scores": {"MQM": own}}))
        found[f"{system}.jsonl"] = "\n".join(lines).encode()
    return found


def as_comet() -> dict[str, bytes]:
    found = {
        f"out/{system}.txt": [{"src": "x", "mt": "y", "ref": "z", "MQM": score} for score in scores]
        for system, scores in SCORES.items()
    }
    # Among ratings only: elsewhere the same file gives the texts.
    return {"ratings/comet.json": json.dumps(found).encode()}


def as_comet_lines() -> dict[str, bytes]:
    lines = [f"out/{system}.txt\tSegment {i - 1}\tscore: {cell(score)}\n" for system, i, score in rows()]
    means = [f"out/{system}.txt\tscore: -1.5000\n" for system in SCORES]
    return {"mqm.tsv": "".join(["Seed set to 1\n", *lines, *means, "Predictions saved in: x.json.\n"]).encode()}


EXAMPLES = {
    "wmt-da": as_da, "mqm-average": as_averages, "mqm-annotations": as_annotations, "wmt25": as_wmt25,
    "comet": as_comet, "comet-lines": as_comet_lines,
    "metrics-task": as_metrics_task, "esa": as_esa, "esa-records": as_esa_records,
    "blocks": as_blocks, "long": as_long, "wide": as_wide,
}  # fmt: skip
