"""What it is run on besides the data: broken files, and the sample in other forms."""

import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from behaviour.runs import SYSTEMS


def make_inputs(folder: Path, sample: Path) -> None:
    """Write the made inputs: broken ones, and the sample in other forms."""
    outputs = {name: lines_of(sample / "systems" / f"{name}.txt") for name in SYSTEMS}
    reference = lines_of(sample / "refs" / "ref.txt")
    _write(folder / "unequal/ref.txt", reference[:20])
    _write(folder / "unequal/one.txt", outputs["direct"][:19])
    _write(folder / "unequal/two.txt", outputs["direct-us"][:20])
    (folder / "empty").mkdir()
    (folder / "binary.bin").write_bytes(bytes(range(256)) * 8)
    (folder / "logs.json").write_text(
        '{"name": "BLEU", "score": 19.2, "signature": "nrefs:1|case:mixed", "version": "2"}'
    )
    (folder / "broken.json").write_text('{"schema": "mtsig/3", "settings": ')
    (folder / "other.json").write_text('{"schema": "mtsig/3", "settings": {}}')
    (folder / "newer.json").write_text('{"schema": "mtsig/99"}')
    (folder / "broken.toml").write_text('metrics = ["nosuch"\n')
    asked = 'metrics = ["chrf"]\npairs = "via-galician"\nalternative = "greater"\nn_resamples = 300\n'
    plan = f"{asked}[equivalence]\nchrf = 1.5\n"
    (folder / "plan.toml").write_text(plan)
    _make_odd(folder / "odd", reference, outputs)
    numbers = ["\t".join(str((n * 7 + k * 3) % 11 + k) for k in range(len(SYSTEMS))) for n in range(len(reference))]
    _write(folder / "ratings.tsv", ["\t".join(SYSTEMS), *numbers])
    judged = ["\t".join(str(int((n * 7 + k * 3) % 11 > k)) for k in range(len(SYSTEMS))) for n in range(len(reference))]
    _write(folder / "right.tsv", ["\t".join(SYSTEMS), *judged])
    documents = lines_of(sample / "docids.txt")
    _write(folder / "esa.csv", list(_judged(documents)))
    for name, half in {"first": slice(0, None, 2), "second": slice(1, None, 2)}.items():
        for file, lines in {"refs/ref": reference, **{f"systems/{name}": outputs[name] for name in SYSTEMS}}.items():
            _write(folder / f"sets/{name}/{file}.txt", lines[half])
        _write(folder / f"sets/{name}/docids.txt", documents[half])
    rows = zip(reference, outputs["direct"], outputs["via-catalan"], strict=True)
    _write(folder / "wide.tsv", ["reference\tdirect\tvia-catalan", *("\t".join(row) for row in rows)])
    for name, lines in {"ref": reference, **outputs}.items():
        _write(folder / f"parses/{name}.conllu", [line for text in lines for line in _chain(text)])
    with zipfile.ZipFile(folder / "sample.zip", "w") as packing:
        for file in sorted(sample.rglob("*.txt")):
            packing.writestr(zipfile.ZipInfo(file.relative_to(sample).as_posix()), file.read_bytes())


def _judged(documents: Sequence[str]) -> Iterator[str]:
    """Yield what four raters say of outputs, two of each, in the columns of an export of ESA."""
    for segment, document in enumerate(documents):
        for place, system in enumerate(SYSTEMS):
            for rater in ((segment + place) % 4, (segment + 2 * place + 1) % 4):
                value = 60 + 3 * place + 2 * rater + (segment * 7 + place * 3 + rater) % 11
                yield f"rater{rater},{system},{segment},TGT,spa,eng,{value},{document},False,[],1.0,2.0"


def _make_odd(folder: Path, reference: Sequence[str], outputs: Mapping[str, Sequence[str]]) -> None:
    """Write a test set with the faults that the checks look for."""
    shifted = [*outputs["direct"][1:], outputs["direct"][0]]
    odd = [line.lower().replace(".", " .") if n % 9 else "" for n, line in enumerate(outputs["direct-us"])]
    _write(folder / "ref.txt", reference)
    _write(folder / "shifted.txt", shifted)
    _write(folder / "odd.txt", odd)
    _write(folder / "same.txt", outputs["direct"])
    _write(folder / "again.txt", outputs["direct"])
    _write(folder / "copy.txt", reference)


def _chain(text: str) -> list[str]:
    """Return a parse in which every word hangs on the one before it."""
    words = text.split()
    return [*(f"{n}\t{word}\t_\tX\t_\t_\t{n - 1}\tdep\t_\t_" for n, word in enumerate(words, start=1)), ""]


def lines_of(file: Path) -> list[str]:
    """Return the lines of a file."""
    return file.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def _write(file: Path, lines: Sequence[str]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
