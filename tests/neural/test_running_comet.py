"""comet-score run as a child: what goes in, what comes back, and everything that can go wrong on the way."""

import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from stand_in import StandIn, expected

from mtsig import Corpus, watching
from mtsig.cache import Cache
from mtsig.corpus import Rating
from mtsig.errors import InvalidOption, NotApplicable, ProgramError, UnknownName
from mtsig.neural import Comet, child, program, score
from mtsig.version import VERSION

SOURCES = ["uno dos tres", "cuatro", "cinco seis", "siete"]
REFERENCE = ["one two three", "four", "five six", "seven"]
OTHER = ["one two 3", "4", "five six", "7"]
CORPUS = Corpus.of(
    {"A": ["one two three", "four", "five six", "seven"], "B b/é": ["one two", "fore", "five", "seven uno"]},
    {"ref": REFERENCE},
    sources=SOURCES,
)


@pytest.fixture
def stand_in(tmp_path: Path) -> StandIn:
    """A stand-in whose path holds spaces."""
    return StandIn(tmp_path / "an environment of its own")


@pytest.fixture(autouse=True)
def temporary(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for temporary files, with a space in its name; nothing may be left in it."""
    place = tmp_path_factory.mktemp("temporary files")
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    yield place
    assert list(place.iterdir()) == []


def scored(
    stand_in: StandIn, corpus: Corpus = CORPUS, comet: Comet | None = None, cache: Cache | None = None
) -> Rating:
    return score(corpus, comet or Comet(), stand_in.program, cache)


# --- what goes in, what comes back --------------------------------------------------------------------------


def test_every_output_is_scored_against_source_and_reference(stand_in: StandIn) -> None:
    found = scored(stand_in)
    assert found.higher_is_better
    assert found.values.tolist() == [expected(lines, REFERENCE) for lines in CORPUS.outputs.values()]
    assert found.values[0].tolist() == [1.0, 1.0, 1.0, 1.0]
    assert found.values[1].tolist() == [2 / 3, 0.0, 1 / 2, 1 / 2]  # two of three words; none; one of two; one of two


def test_one_call_scores_all_systems_under_numbered_files(stand_in: StandIn) -> None:
    scored(stand_in, comet=Comet("Unbabel/XCOMET-XL", batch_size=4, gpus=0))
    (call,) = stand_in.calls
    assert call["argv"] == [
        "-s", "source.txt", "--to_json", "scores.json", "--model", "Unbabel/XCOMET-XL", "-r", "reference.txt",
        "--batch_size", "4", "--gpus", "0", "-t", "output-001.txt", "output-002.txt",
    ]  # fmt: skip


def test_the_signature_names_model_reference_and_both_versions(stand_in: StandIn, tmp_path: Path) -> None:
    judge = f"model:Unbabel/wmt22-comet-da|reference:ref|comet:2.2.7|mtsig:{VERSION}"
    assert scored(stand_in).judge == judge
    untold = StandIn(tmp_path / "untold", version=None)
    assert "|comet:unknown|" in str(scored(untold).judge)


def test_a_model_that_needs_no_reference_sees_none(stand_in: StandIn) -> None:
    without = Corpus.of(CORPUS.outputs, sources=SOURCES)
    found = scored(stand_in, without, Comet("Unbabel/wmt22-cometkiwi-da"))
    assert found.values.tolist() == [expected(lines, SOURCES) for lines in CORPUS.outputs.values()]
    assert "-r" not in stand_in.calls[0]["argv"]
    assert "reference:none" in str(found.judge)
    # With a reference at hand it sees none either.
    assert scored(stand_in, CORPUS, Comet("Unbabel/wmt20-comet-qe-da")).values.tolist() == found.values.tolist()
    assert scored(stand_in, CORPUS, Comet(reference_free=True)).values.tolist() == found.values.tolist()
    shown = scored(stand_in, CORPUS, Comet("Unbabel/wmt22-cometkiwi-da", reference_free=False))
    assert shown.values.tolist() == scored(stand_in).values.tolist()


def test_one_reference_of_several_is_chosen_and_said(stand_in: StandIn) -> None:
    corpus = Corpus.of(CORPUS.outputs, {"ref": REFERENCE, "other": OTHER}, sources=SOURCES)
    (note,) = Comet().caveats(corpus)
    assert "sees one reference: 'ref' of ref, other" in note.text
    assert scored(stand_in, corpus).values.tolist() == scored(stand_in).values.tolist()
    named = Comet(reference="other")
    assert named.caveats(corpus) == ()
    found = scored(stand_in, corpus, named)
    assert found.values.tolist() == [expected(lines, OTHER) for lines in CORPUS.outputs.values()]
    assert "reference:other" in str(found.judge)
    with pytest.raises(UnknownName, match=r"no reference called 'third'. Known: ref, other"):
        scored(stand_in, corpus, Comet(reference="third"))


def test_segments_without_the_reference_get_no_score(stand_in: StandIn) -> None:
    corpus = Corpus.of(CORPUS.outputs, {"ref": ["one two three", "", "five six", ""], "other": OTHER}, sources=SOURCES)
    found = scored(stand_in, corpus)
    assert np.isnan(found.values).tolist() == [[False, True, False, True]] * 2
    assert found.values[1, [0, 2]].tolist() == [2 / 3, 1 / 2]
    assert any(
        "2 of 4 segments have no reference 'ref' and get no score" in one.text for one in Comet().caveats(corpus)
    )


def test_a_system_without_text_gets_no_score(stand_in: StandIn) -> None:
    corpus = replace(CORPUS, systems={"human": (), **CORPUS.systems})
    found = scored(stand_in, corpus)
    assert np.isnan(found.values[0]).all()
    assert found.values[1:].tolist() == scored(stand_in).values.tolist()


def test_line_ends_inside_a_segment_do_not_shift_the_others(stand_in: StandIn) -> None:
    outputs = {"A": ["one\rtwo\r\nthree", "four\u2028\x85", "five\tsix\x0b", " seven\r"]}
    corpus = Corpus.of(outputs, {"ref": REFERENCE}, sources=["uno\rdos tres", *SOURCES[1:]])
    assert scored(stand_in, corpus).values.tolist() == [[1.0, 1.0, 1.0, 1.0]]
    assert "2 outputs hold carriage returns" in Comet().caveats(corpus)[0].text


def test_no_segments_to_score_mean_no_call(stand_in: StandIn) -> None:
    corpus = Corpus.of({"A": ["x", "y"]}, {"ref": ["", ""], "other": ["x", "y"]}, sources=["x", "y"])
    assert np.isnan(scored(stand_in, corpus).values).all()
    assert stand_in.calls == []


# --- what the models are called, and where they come from ---------------------------------------------------


@pytest.mark.parametrize("model", ["", " ", "-x", "--quiet"])
def test_a_model_must_be_a_name(model: str) -> None:
    with pytest.raises(InvalidOption, match="A model is a name"):
        Comet(model)


def test_nothing_is_downloaded_unless_it_is_asked_for(stand_in: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    scored(stand_in)
    scored(stand_in, comet=Comet(download=True))
    offline, online = stand_in.calls
    assert (offline["HF_HUB_OFFLINE"], offline["TRANSFORMERS_OFFLINE"]) == ("1", "1")
    assert (online["HF_HUB_OFFLINE"], online["TRANSFORMERS_OFFLINE"]) == (None, None)


def test_a_model_of_the_older_kind_needs_the_same_permission(stand_in: StandIn) -> None:
    with pytest.raises(ProgramError, match=r"'wmt21-comet-mqm' is neither a file nor a name .* add --download"):
        scored(stand_in, comet=Comet("wmt21-comet-mqm"))
    assert stand_in.calls == []
    scored(stand_in, comet=Comet("wmt21-comet-mqm", download=True))


def test_a_checkpoint_is_found_from_anywhere(
    stand_in: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoint = tmp_path / "my model" / "checkpoints" / "model.ckpt"
    checkpoint.parent.mkdir(parents=True)
    checkpoint.write_bytes(b"weights")
    monkeypatch.chdir(tmp_path)
    comet = Comet("my model/checkpoints/model.ckpt")
    assert comet.name == "my model"
    scored(stand_in, comet=comet)
    assert str(checkpoint) in stand_in.calls[0]["argv"]
    with pytest.raises(ProgramError, match=r"no checkpoint 'my model/other.ckpt'"):
        scored(stand_in, comet=Comet("my model/other.ckpt"))


# --- the program --------------------------------------------------------------------------------------------


def test_a_missing_program_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("MTSIG_COMET_SCORE", raising=False)
    with pytest.raises(ProgramError, match="on the PATH") as caught:
        program()
    for piece in ("pip install unbabel-comet", "--command", "MTSIG_COMET_SCORE", "2.3 GB", "--download"):
        assert piece in str(caught.value)
    with pytest.raises(ProgramError, match="no program '/nowhere/comet-score', named"):
        program("/nowhere/comet-score")
    monkeypatch.setenv("MTSIG_COMET_SCORE", str(tmp_path))  # a folder
    with pytest.raises(ProgramError, match="that MTSIG_COMET_SCORE names"):
        program()


def test_the_program_is_named_found_by_variable_or_on_the_path(
    stand_in: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = stand_in.path.parent
    monkeypatch.delenv("MTSIG_COMET_SCORE", raising=False)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    assert program().path == stand_in.path
    second = StandIn(tmp_path / "second", version="1.1.3")
    monkeypatch.setenv("MTSIG_COMET_SCORE", str(second.path))
    assert (program().path, program().version) == (second.path, "1.1.3")
    assert program(str(stand_in.path)).version == "2.2.7"
    # pipx and uv put links elsewhere: the version is the one of the environment they lead to.
    link = tmp_path / "link"
    link.symlink_to(stand_in.path)
    assert program(str(link)).version == "2.2.7"
    # Another one stands on the PATH; what is named here is meant.
    monkeypatch.chdir(second.path.parent)
    assert program("./comet-score").path == second.path
    assert program("comet-score").path == stand_in.path


def test_a_program_that_cannot_be_started_is_told(stand_in: StandIn) -> None:
    stand_in.path.write_text("#!/no/such/interpreter\n", encoding="utf-8")
    with pytest.raises(ProgramError, match="comet-score cannot be started: No such file"):
        scored(stand_in)


# --- failures -----------------------------------------------------------------------------------------------


def test_a_failure_is_told_in_the_programs_last_words(stand_in: StandIn) -> None:
    stand_in.tell(exit=1, noise=2000)
    with pytest.raises(ProgramError, match="failed with exit code 1") as caught:
        scored(stand_in)
    message = str(caught.value)
    assert "KeyError: \"Model 'no/such' not supported by COMET.\"" in message
    assert "something a library wanted to say in red" in message
    assert "\x1b" not in message
    assert "add --download" in message
    assert len(message) < 3000
    with pytest.raises(ProgramError) as caught:
        scored(stand_in, comet=Comet(download=True))
    assert "add --download" not in str(caught.value)


def test_noise_alone_does_no_harm(stand_in: StandIn) -> None:
    stand_in.tell(noise=20000)
    assert scored(stand_in).values[0].tolist() == [1.0] * 4


def test_a_child_that_is_killed_is_told(stand_in: StandIn) -> None:
    stand_in.tell(die=int(signal.SIGKILL))
    with pytest.raises(ProgramError, match="ended by signal 9; 9 often means that memory ran out"):
        scored(stand_in)


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("nothing", "wrote no scores"),
        ("cut", "JSON that cannot be read"),
        ("number", "expected an object with a list per file, found an int"),
        ("few", "System 'A': 4 segments went to comet-score, 3 scores came back"),
        ("other file", "answered for 2 files, without system 'A'"),
        (
            "other line",
            "segment 2 of those sent: .* another translation, 'something else' instead of 'four'",
        ),
        ("no score", "System 'A', segment 2 .* gave no 'COMET'; found: src, mt, ref, errors"),
        ("word", "segment 2 .* gave 'high' where a number is needed"),
        ("nan", "segment 2 .* gave nan where"),
        ("inf", "segment 2 .* gave inf where"),
        ("null", "segment 2 .* gave None where"),
    ],
)
def test_an_answer_that_cannot_be_used_is_refused(stand_in: StandIn, tmp_path: Path, broken: str, said: str) -> None:
    stand_in.tell(broken=broken)
    cache = Cache(tmp_path / "cache")
    with pytest.raises(ProgramError, match=said):
        scored(stand_in, cache=cache)
    assert not cache.folder.exists()


def test_answers_of_other_versions_are_understood(stand_in: StandIn) -> None:
    plain = scored(stand_in).values.tolist()
    stand_in.tell(absolute=True)
    assert scored(stand_in).values.tolist() == plain
    stand_in.tell(old=True)
    assert scored(stand_in, CORPUS.select(["A"])).values.tolist() == plain[:1]


def test_what_the_corpus_lacks_is_told_before_anything_runs(stand_in: StandIn) -> None:
    with pytest.raises(NotApplicable, match="compares with the source, and none was given"):
        scored(stand_in, Corpus.of(CORPUS.outputs, {"ref": REFERENCE}))
    with pytest.raises(NotApplicable, match="compares with a reference, and none was given"):
        scored(stand_in, Corpus.of(CORPUS.outputs, sources=SOURCES))
    assert stand_in.calls == []


# --- progress and stopping ----------------------------------------------------------------------------------


def test_progress_comes_from_the_bars(stand_in: StandIn) -> None:
    stand_in.tell(slow=0.3)
    shares: list[float] = []
    with watching(shares.append):
        scored(stand_in)
    assert shares == sorted(shares)
    assert 0 < shares[0] < 0.5
    assert any(0.3 < share < 0.7 for share in shares)  # one system of two
    assert shares[-1] == 1.0


def test_without_bars_the_caller_is_still_heard(stand_in: StandIn) -> None:
    stand_in.tell(slow=0.1, bars=False)
    shares: list[float] = []
    with watching(shares.append):
        scored(stand_in)
    assert len(shares) > 2
    assert shares[-1] == 1.0


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class Stopped(Exception):
    """What a watcher stops the work with."""


def test_a_watcher_that_raises_ends_the_child_at_once(stand_in: StandIn) -> None:
    stand_in.tell(slow=30)
    stopped: list[float] = []

    def stop(share: float) -> None:
        if share > 0.1:
            stopped.append(time.monotonic())
            raise Stopped

    with watching(stop), pytest.raises(Stopped) as caught:
        scored(stand_in)
    # While the exception and its frames are still held.
    assert caught.tb is not None
    assert not _is_alive(int(stand_in.calls[0]["pid"]))
    assert time.monotonic() - stopped[0] < 10


def test_a_child_that_will_not_go_is_made_to(stand_in: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig.neural.child.PATIENCE", 0.2)
    stand_in.tell(slow=30, deaf=True)

    def stop(share: float) -> None:
        if share > 0.1:
            raise Stopped

    with watching(stop), pytest.raises(Stopped):
        scored(stand_in)
    assert not _is_alive(int(stand_in.calls[0]["pid"]))


@pytest.mark.parametrize("at", ["while it starts", "before it is listened to"])
def test_a_signal_at_the_first_moment_ends_the_child_too(
    stand_in: StandIn, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    # On a busy machine a child may already run while its parent still waits for a turn.
    stand_in.tell(slow=60)

    def interrupt() -> None:
        until = time.monotonic() + 30
        while not stand_in.calls and time.monotonic() < until:
            time.sleep(0.02)
        signal.raise_signal(signal.SIGINT)

    class Slow(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *given: Any, **options: Any) -> None:
            super().__init__(*given, **options)
            interrupt()

    class Late(threading.Thread):
        def start(self) -> None:
            interrupt()
            super().start()

    if at == "while it starts":
        monkeypatch.setattr(child.subprocess, "Popen", Slow)
    else:
        monkeypatch.setattr(child, "Thread", Late)
    with pytest.raises(KeyboardInterrupt):
        scored(stand_in)
    assert not _is_alive(int(stand_in.calls[0]["pid"]))


# --- what is kept between runs ------------------------------------------------------------------------------


def test_what_was_scored_is_not_scored_again(stand_in: StandIn, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    first = scored(stand_in, cache=cache)
    second = scored(stand_in, cache=cache)
    assert len(stand_in.calls) == 1
    assert second.values.tolist() == first.values.tolist()
    more = Corpus.of({**CORPUS.outputs, "C": ["one", "two", "three", "four"]}, {"ref": REFERENCE}, sources=SOURCES)
    found = scored(stand_in, more, cache=cache)
    assert found.values[:2].tolist() == first.values.tolist()
    assert stand_in.calls[1]["argv"][-2:] == ["-t", "output-001.txt"]


def test_systems_of_the_same_text_are_scored_once(stand_in: StandIn, tmp_path: Path) -> None:
    twins = Corpus.of({"A": CORPUS.lines("A"), "twin": CORPUS.lines("A")}, {"ref": REFERENCE}, sources=SOURCES)
    found = scored(stand_in, twins, cache=Cache(tmp_path / "cache"))
    assert found.values[0].tolist() == found.values[1].tolist()
    assert stand_in.calls[0]["argv"][-2:] == ["-t", "output-001.txt"]


def test_scores_are_kept_per_text_model_reference_and_version(stand_in: StandIn, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    both = Corpus.of(CORPUS.outputs, {"ref": REFERENCE, "other": OTHER}, sources=SOURCES)
    changed = Corpus.of(CORPUS.outputs, {"ref": REFERENCE}, sources=["eins", *SOURCES[1:]])
    newer = StandIn(tmp_path / "newer", version="3.0.0")
    scored(stand_in, cache=cache)
    for corpus, comet in [(CORPUS, Comet("Unbabel/XCOMET-XL")), (both, Comet(reference="other")), (changed, Comet())]:
        before = len(stand_in.calls)
        scored(stand_in, corpus, comet, cache)
        assert len(stand_in.calls) == before + 1
    scored(newer, cache=cache)
    assert len(newer.calls) == 1
    # Batches and GPUs change no score worth the name.
    before = len(stand_in.calls)
    scored(stand_in, comet=Comet(batch_size=2, gpus=0), cache=cache)
    assert len(stand_in.calls) == before
