"""Logs of decoders: outputs come back in the order of their numbers; sources and references do for who asks."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from layouts import LAYOUTS, made
from sampled import crossed

from mtsig import read, read_files
from mtsig.errors import ReadError

N = 30
TEXTS = made(N)
SOURCE, REF, ALPHA, BETA = TEXTS.values()
TOKENIZED = [line.replace(".", " .") for line in ALPHA]
TIME = "2026-01-02 10:11:12"

Log = tuple[list[list[str]], list[str], list[str]]
"""The lines of each segment, those before and behind all of them."""


def fairseq(detokenized: bool = True, best: int = 1, references: bool = True) -> Log:
    blocks = []
    for at in range(N):
        own = [f"S-{at}\t{SOURCE[at]}", *([f"T-{at}\t{REF[at]}"] if references else [])]
        for rank in range(best):
            score, text = f"-{0.25 + rank + at / 100}", ("other " * rank)
            own.append(f"H-{at}\t{score}\t{text}{TOKENIZED[at]}")
            own += [f"D-{at}\t{score}\t{text}{ALPHA[at]}"] if detokenized else []
            own.append(f"P-{at}\t-0.1234 -0.2345 -1.0000")
        blocks.append(own)
    before = [f"{TIME} | INFO | fairseq_cli.generate | Namespace(beam=5)", f"{TIME} | INFO | [de] dictionary: 10 types"]
    return (
        blocks,
        before,
        [f"{TIME} | INFO | NOTE: scores are output in base 2", "Generate test with beam=5: BLEU4 = 1"],
    )


def marian(*_: object) -> Log:
    blocks = [[f"[{TIME}] Best translation {at} : {ALPHA[at]}"] for at in range(N)]
    return blocks, [f"[{TIME}] [marian] Marian v1.11"], [f"[{TIME}] Total time: 3.1s wall"]


def opennmt(*_: object) -> Log:
    blocks = [["", f"[{TIME},123 INFO] ", f"SENT {at}: {SOURCE[at - 1]}", f"PRED {at}: {ALPHA[at - 1]}",
               "PRED SCORE: -4.2000", f"GOLD {at}: {REF[at - 1]}", "GOLD SCORE: -9.1234"]
              for at in range(1, N + 1)]  # fmt: skip
    return blocks, [f"[{TIME},003 INFO] Translating shard 0."], ["PRED AVG SCORE: -0.2, PRED PPL: 1.2"]


def sockeye(*_: object) -> Log:
    lines = zip(SOURCE, ALPHA, strict=True)
    return [[f"input={one}\toutput={out}\tinput_tokens=9\toutput_tokens=8\ttranslation_time=0.0123"]
            for one, out in lines], [], []  # fmt: skip


LOGS: dict[str, Callable[[], Log]] = {
    "fairseq": fairseq,
    "fairseq, n-best": lambda: fairseq(best=3),
    "fairseq-interactive": lambda: fairseq(references=False),
    "Marian": marian,
    "OpenNMT-py": opennmt,
    "Sockeye": sockeye,
}


def of(log: Log, shuffled: bool = False, joined: bool = True) -> list[str]:
    blocks, before, behind = log
    order = random.Random(4).sample(range(N), N) if shuffled else range(N)
    banner = [[f"{TIME} | INFO | progress"]] if joined and behind else []
    lines = [line for at in order for block in ([blocks[at]] + banner * (at % 9 == 0)) for line in block]
    return [*before, *lines, *behind]


def put(path: Path, lines: Sequence[str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


@crossed("name, file, shuffled", LOGS, ["systems/alpha.txt", "systems/alpha.log", "systems/alpha.out"], [False, True])
def test_outputs_come_in_the_order_of_their_numbers(name: str, file: str, shuffled: bool, tmp_path: Path) -> None:
    LAYOUTS["folder"](TEXTS, tmp_path)
    (tmp_path / "systems/alpha.txt").unlink()
    put(tmp_path / file, of(LOGS[name](), shuffled and name != "Sockeye"))
    corpus = read(tmp_path)
    assert [*corpus.lines("alpha")] == ALPHA
    assert any("a log of" in note.text for note in corpus.notes)


@pytest.mark.parametrize("name", ["fairseq", "fairseq, n-best", "OpenNMT-py"])
def test_sources_and_references_are_there_for_who_asks(name: str, tmp_path: Path) -> None:
    log = put(tmp_path / "generate-test.txt", of(LOGS[name](), shuffled=True))
    corpus = read_files([log], [f"alpha={log}"], source=log)
    assert [*corpus.lines("alpha")] == ALPHA
    assert [[*lines] for lines in corpus.references.values()] == [REF]
    assert list(corpus.segments.sources or ()) == SOURCE


def test_a_folder_of_each_model_may_hold_its_log(tmp_path: Path) -> None:
    put(tmp_path / "models/one/generate-test.txt", of(fairseq(), shuffled=True))
    put(tmp_path / "models/two/generate-test.txt", of(fairseq(detokenized=False), shuffled=True))
    put(tmp_path / "refs/ref.txt", REF)
    corpus = read(tmp_path)
    assert [*corpus.lines("one")] == ALPHA
    assert [*corpus.lines("two")] == TOKENIZED
    assert any("no D- lines" in note.text for note in corpus.notes if note.level == "warning")


def damaged(kind: str) -> list[str]:
    lines = of(fairseq(references=kind != "reference"))
    if kind == "missing":
        return [line for line in lines if not line[2:].startswith("7\t")]
    if kind == "twice":
        return lines * 2
    if kind == "unsorted":
        return of(([[*own, own[-2].replace("-0.", "-0.00")] for own in fairseq()[0]], [], []))
    return lines


@pytest.mark.parametrize(("kind", "said"), [
    ("missing", r"for all segments from 0 to 29 .*1 segment missing, first 7"),
    ("twice", r"line \d+: segment 0 occurs a second time.*several logs"),
    ("unsorted", r"segment 0 occurs a second time"),
    ("reference", r"without the lines of a reference, such as T- lines"),
])  # fmt: skip
def test_a_log_that_lacks_or_repeats_segments_is_refused(kind: str, said: str, tmp_path: Path) -> None:
    log = put(tmp_path / "gen.out", damaged(kind))
    with pytest.raises(ReadError, match=said):
        read_files([log], [f"alpha={log}"])


def test_what_a_decoder_says_within_texts_is_text(tmp_path: Path) -> None:
    LAYOUTS["folder"](TEXTS, tmp_path)
    said = ("The H-bomb, said D-7", "PRED 1 is PRED 1", "Best translation 3 : x")
    lines = [f"{line} {said[at % 3]}" for at, line in enumerate(ALPHA)]
    put(tmp_path / "systems/alpha.txt", lines)
    assert [*read(tmp_path).lines("alpha")] == lines
