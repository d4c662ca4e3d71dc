"""A stand-in for comet-score: a small script that takes its options, writes its JSON, and misbehaves when told to."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mtsig.corpus import Lines
from mtsig.neural import Program, program

SCRIPT = r"""
import argparse, json, os, signal, sys, time
from pathlib import Path

place = Path(__file__).resolve().parent
told = json.loads((place / "told.json").read_text(encoding="utf-8"))
with (place / "calls.jsonl").open("a", encoding="utf-8") as calls:
    seen = {name: os.environ.get(name) for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")}
    print(json.dumps({"argv": sys.argv[1:], "cwd": os.getcwd(), "pid": os.getpid(), **seen}), file=calls)

parser = argparse.ArgumentParser()
parser.add_argument("-s", "--sources")
parser.add_argument("-t", "--translations", nargs="+")
parser.add_argument("-r", "--references")
parser.add_argument("--batch_size", type=int, default=16)
parser.add_argument("--gpus", type=int, default=1)
parser.add_argument("--quiet", action="store_true")
parser.add_argument("--only_system", action="store_true")
parser.add_argument("--to_json", default="")
parser.add_argument("--model", default="Unbabel/wmt22-comet-da")
parser.add_argument("--disable_cache", action="store_true")
chosen = parser.parse_args()

def read(path):
    with open(path, encoding="utf-8") as stream:  # universal line ends, as comet-score reads
        return [line.strip() for line in stream.readlines()]

for number in range(told.get("noise", 0)):
    print(f"WARNING {number}: something a library wanted to say \x1b[31min red\x1b[0m", file=sys.stderr)
if "die" in told:
    os.kill(os.getpid(), told["die"])
if "exit" in told:
    print("Traceback (most recent call last):", file=sys.stderr)
    print("KeyError: \"Model 'no/such' not supported by COMET.\"", file=sys.stderr)
    sys.exit(told["exit"])
if "deaf" in told:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)

sources = read(chosen.sources)
references = read(chosen.references) if chosen.references else None
answer = {}
for name in chosen.translations:
    rows = []
    for at, (source, line) in enumerate(zip(sources, read(name))):
        row = {"src": source, "mt": line}
        words = set(line.split())
        against = set((references or sources)[at].split())
        if references is not None:
            row["ref"] = references[at]
        row["COMET"] = len(words & against) / max(1, len(words | against))
        row["errors"] = []
        rows.append(row)
        percent = round(100 * (at + 1) / len(sources))
        if told.get("bars", True):
            bar = f"Predicting DataLoader 0: {percent:3d}%|##   | {at + 1}/{len(sources)} [00:01<00:02,  2.1it/s]"
            print(bar, end="\r", file=sys.stderr, flush=True)
        time.sleep(told.get("slow", 0))
    if told.get("bars", True):
        print(file=sys.stderr)
    answer[name] = rows

broken = told.get("broken")
first = next(iter(answer))
if broken == "few":
    answer[first].pop()
elif broken == "other file":
    answer["elsewhere.txt"] = answer.pop(first)
elif broken == "other line":
    answer[first][1]["mt"] = "something else"
elif broken == "no score":
    del answer[first][1]["COMET"]
elif broken == "word":
    answer[first][1]["COMET"] = "high"
elif broken in ("nan", "inf"):
    answer[first][1]["COMET"] = float(broken)
elif broken == "null":
    answer[first][1]["COMET"] = None
elif broken == "number":
    answer = 3
if told.get("absolute"):
    answer = {os.path.abspath(name): rows for name, rows in answer.items()}
if told.get("old"):
    answer = answer[first]
text = json.dumps(answer, ensure_ascii=False, indent=4)
if broken == "cut":
    text = text[: len(text) // 2]
if broken != "nothing":
    Path(chosen.to_json).write_text(text, encoding="utf-8")
for name in chosen.translations:
    print(f"{name}\tscore: 0.5000")
"""


class StandIn:
    """An installed stand-in: `tell` says how it is to behave, `calls` how it was called."""

    def __init__(self, place: Path, version: str | None = "2.2.7") -> None:
        self.path = place / "bin" / "comet-score"
        self.path.parent.mkdir(parents=True)
        self.path.write_text(f"#!{sys.executable}\n{SCRIPT}", encoding="utf-8")
        self.path.chmod(0o755)
        if version is not None:
            (place / "lib" / "python3.12" / "site-packages" / f"unbabel_comet-{version}.dist-info").mkdir(parents=True)
        self.tell()

    def tell(self, **behaviour: object) -> None:
        """Say how the next calls are to go."""
        (self.path.parent / "told.json").write_text(json.dumps(behaviour), encoding="utf-8")

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The calls so far."""
        file = self.path.parent / "calls.jsonl"
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        return [json.loads(line) for line in lines]

    @property
    def program(self) -> Program:
        """The stand-in as the library sees it."""
        return program(str(self.path))


def expected(lines: Lines, against: Sequence[str]) -> list[float]:
    """What the stand-in gives: shared words by all words."""
    found = []
    for line, other in zip(lines, against, strict=True):
        words, wanted = set(line.split()), set(other.split())
        found.append(len(words & wanted) / max(1, len(words | wanted)))
    return found
