"""Corpus and Comet go in, a Rating comes out: comet-score is run on what no earlier run has scored."""

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mtsig.cache import Cache
from mtsig.corpus import Corpus, FloatArray, Lines, Rating
from mtsig.errors import NotApplicable, ProgramError
from mtsig.neural.answer import scores_of
from mtsig.neural.child import Ended, run
from mtsig.neural.comet import LINE_ENDS, Comet
from mtsig.neural.program import Program
from mtsig.progress import report

SOURCE, REFERENCE, ANSWER = "source.txt", "reference.txt", "scores.json"


@dataclass(frozen=True)
class _Request:
    """What is sent: columns of lines, the segments they stand for, and what identifies them."""

    sources: Lines
    references: Lines | None
    segments: tuple[int, ...]

    def key(self, comet: Comet, program: Program, output: Lines) -> str:
        """Return a fingerprint of all that one system's scores depend on."""
        version = program.version or _dated(program.path)
        model = _dated(Path(comet.model)) if Path(comet.model).is_file() else comet.model
        content = [version, model, self.sources, self.references, output]
        return hashlib.sha256(json.dumps(content, ensure_ascii=True).encode()).hexdigest()


def score(corpus: Corpus, comet: Comet, program: Program, cache: Cache | None = None) -> Rating:
    """Score every output of the corpus and return values of shape (s, n).

    NaN stands where there was nothing to score: no text, or no such reference. The judge is the signature. What
    `cache` holds is not computed again, and what is computed is put there. One run of comet-score scores all that is
    left, since loading the model takes longer than many a test set. A watcher who raises ends it.

    Raises:
        NotApplicable: there are no sources, or no reference for a model that needs one, or several runs of a system.
        ProgramError: comet-score fails, or answers what cannot be used.
    """
    request = _request(corpus, comet)
    outputs = {system: _sent(corpus.lines(system), request.segments) for system, runs in corpus.systems.items() if runs}
    keys = {system: request.key(comet, program, lines) for system, lines in outputs.items()}
    kept = {key: _kept(cache, key, len(request.segments)) for key in keys.values()}
    new = {keys[system]: system for system in outputs if kept[keys[system]] is None}
    if new and request.segments:
        wanted = {system: outputs[system] for system in new.values()}
        computed = _computed(comet, program, request, wanted)
        for key, system in new.items():
            kept[key] = computed[system]
            if cache:
                cache.put(key, computed[system])
    values = np.full((len(corpus.systems), len(corpus)), np.nan)
    for row, system in enumerate(corpus.systems):
        scores = kept.get(keys.get(system, ""))
        if scores is not None:
            values[row, list(request.segments)] = scores
    report(1.0)
    return Rating(values, higher_is_better=True, judge=comet.signature(corpus, program))


def _kept(cache: Cache | None, key: str, n: int) -> FloatArray | None:
    scores = None if cache is None else cache.get(key)
    return scores if scores is not None and scores.shape == (n,) else None


def _request(corpus: Corpus, comet: Comet) -> _Request:
    sources = corpus.segments.sources
    if sources is None:
        raise NotApplicable(f"{comet.model} compares with the source, and none was given (--source, or source.txt).")
    chosen = comet.chosen_reference(corpus)
    if chosen is None:
        segments = tuple(range(len(corpus)))
        return _Request(_sent(sources, segments), None, segments)
    lines = corpus.references[chosen]
    segments = tuple(at for at, line in enumerate(lines) if line is not None)
    return _Request(_sent(sources, segments), _sent([line or "" for line in lines], segments), segments)


def _sent(lines: Lines, segments: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(LINE_ENDS.sub(" ", lines[at]) for at in segments)


def _computed(comet: Comet, program: Program, request: _Request, outputs: Mapping[str, Lines]) -> dict[str, FloatArray]:
    """Run comet-score on these systems in a folder that lasts as long as the run."""
    _check_model(comet)
    # Systems' names may be anything; files are numbered.
    files = {f"output-{number:03}.txt": system for number, system in enumerate(outputs, 1)}
    with tempfile.TemporaryDirectory(prefix="mtsig-comet-") as place:
        folder = Path(place)
        _write(folder / SOURCE, request.sources)
        if request.references is not None:
            _write(folder / REFERENCE, request.references)
        for file, system in files.items():
            _write(folder / file, outputs[system])
        arguments = _arguments(comet, program, request.references is not None, files)
        # On several GPUs comet-score scores all systems in one go, under one bar.
        bars = 1 if comet.gpus is not None and comet.gpus > 1 else len(files)
        ended = run(arguments, folder, _environment(comet), bars)
        if ended.code != 0:
            raise ProgramError(_failure(comet, program, ended))
        sent = {file: outputs[system] for file, system in files.items()}
        answered = scores_of(folder / ANSWER, sent, files)
    return {system: answered[file] for file, system in files.items()}


def _check_model(comet: Comet) -> None:
    """Refuse what comet-score would look for in the wrong place."""
    if Path(comet.model).is_file():
        return
    if comet.model.endswith(".ckpt"):
        raise ProgramError(f"There is no checkpoint {comet.model!r}.")
    if "/" not in comet.model and not comet.download:
        raise ProgramError(
            f"{comet.model!r} is neither a file nor a name on the Hugging Face hub (OWNER/MODEL). comet-score fetches "
            "some older models of such names from elsewhere: add --download to let it."
        )


def _arguments(comet: Comet, program: Program, reads_references: bool, outputs: Iterable[str]) -> list[str]:
    """Return the command line of one run; only options that every comet-score since 1.1 knows."""
    model = str(Path(comet.model).absolute()) if Path(comet.model).is_file() else comet.model
    arguments = [str(program.path), "-s", SOURCE, "--to_json", ANSWER, "--model", model]
    if reads_references:
        arguments += ["-r", REFERENCE]
    if comet.batch_size is not None:
        arguments += ["--batch_size", str(comet.batch_size)]
    if comet.gpus is not None:
        arguments += ["--gpus", str(comet.gpus)]
    return [*arguments, "-t", *outputs]


def _write(file: Path, lines: Lines) -> None:
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


def _environment(comet: Comet) -> dict[str, str]:
    # The hub's own switches: comet-score has none to keep it from fetching gigabytes.
    offline = {} if comet.download else {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    return {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8", **offline}


def _failure(comet: Comet, program: Program, ended: Ended) -> str:
    """Return what to tell when comet-score fails."""
    if ended.code < 0:
        return (
            f"{program.path} was ended by signal {-ended.code}; 9 often means that memory ran out: try a smaller "
            "--batch_size, or a smaller model."
        )
    words = f"{program.path} failed with exit code {ended.code}"
    words += f"; its last words: {' / '.join(ended.said)}" if ended.said else ", without a word"
    if comet.download:
        return words
    return (
        f"{words} — If the model is not on this computer yet, add --download: comet-score then fetches it from its hub "
        "(2.3 GB for Unbabel/wmt22-comet-da; models called XL and XXL have 3.5 and 10.7 billion parameters, some 14 "
        "and 43 GB; some ask you to accept a licence there first)."
    )


def _dated(path: Path) -> str:
    """Return what tells one state of a file from another without reading gigabytes."""
    try:
        state = path.stat()
    except OSError:
        return str(path)
    return f"{path.absolute()} {state.st_size} {state.st_mtime_ns}"
