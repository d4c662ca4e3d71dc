"""What one visitor has loaded and chosen; the only file that touches st.session_state."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import streamlit as st

from dashboard.spool import Gone, Spool
from mtsig import Corpus, MtsigError, Settings, selected
from mtsig.cache import users_folder
from mtsig.corpus import Note, runs_by_name
from mtsig.doctor import examine_parts
from mtsig.metrics import METRICS, Metric
from mtsig.readers import ROLES, File, Part, assemble, in_role
from mtsig.report import Naming
from mtsig.study import AnalysisPlan

_SESSION = "session"

_TOKEN = "data"
"""The name in the address of what the data are kept under."""

FIRST, SECOND = "first", "second"
"""Keys of the widgets with the two systems of the Compare page; other pages set them before it is drawn."""


@dataclass(frozen=True)
class Choices:
    """What the sidebar says: metrics, the first being the one the pages open with, settings, and the family.

    joined: whether the comparisons of all metrics are judged together.
    """

    metrics: tuple[Metric, ...] = (METRICS["bleu"],)
    settings: Settings = field(default_factory=Settings)
    joined: bool = False


@dataclass
class Data:
    """The files with their roles, and what they make.

    whole: the corpus of all files; None when there is none that fits together. corpus: the part of it that was chosen.
    problem: why the files make no corpus. slipped: where they probably slipped. upload: the ids of the files dropped
    last. wanted_pair: the language pair that was asked for. dropped: the files as the visitor dropped them. token: what
    they are kept under on disk. lost: the names of the files that a link spoke of and that are no longer kept. aside:
    whether they were put aside, and are on disk only.
    """

    parts: list[Part] = field(default_factory=list)
    whole: Corpus | None = None
    corpus: Corpus | None = None
    problem: str | None = None
    slipped: tuple[Note, ...] = ()
    upload: tuple[str, ...] = ()
    is_sample: bool = False
    wanted_pair: str | None = None
    dropped: dict[str, File] = field(default_factory=dict)
    token: str | None = None
    lost: tuple[str, ...] | None = None
    aside: bool = False

    @property
    def used_parts(self) -> list[Part]:
        """The files that play a role, of the language pair that is meant."""
        pair = self.language_pair
        used = [part for part in self.parts if part.role != "ignored"]
        return [part for part in used if pair is None or part.language_pair in {pair, None}]

    @property
    def language_pairs(self) -> list[str]:
        """The language pairs of the files, when these are sorted so."""
        return list(dict.fromkeys(part.language_pair for part in self.parts if part.language_pair is not None))

    @property
    def language_pair(self) -> str | None:
        """Which of several language pairs is meant: the one that was asked for, or the first."""
        pairs = self.language_pairs
        if len(pairs) < 2:
            return None
        return self.wanted_pair if self.wanted_pair in pairs else pairs[0]

    def assemble(self, parts: Sequence[Part]) -> None:
        """Make a corpus of the parts; what is wrong with them is kept as the problem."""
        self.parts, self.problem, self.slipped = list(parts), None, ()
        try:
            self.corpus = self.whole = assemble(parts, self.language_pair)
        except MtsigError as error:
            self.corpus = self.whole = None
            self.problem = str(error)
            findings = examine_parts(self.used_parts)
            self.slipped = tuple(finding.note for finding in findings if finding.check == "lengths")

    def fail(self, message: str) -> None:
        """Keep the reason why nothing could be loaded."""
        self.parts, self.whole, self.corpus = [], None, None
        self.problem, self.slipped = message, ()

    def is_new_upload(self, upload: tuple[str, ...]) -> bool:
        """Return whether these dropped files are others than the last ones, and remember them."""
        new = self.upload != upload
        self.upload = upload
        return new


@dataclass
class Selection:
    """What was chosen of the data, and how to look at it.

    slices: way to slice -> names; empty for the whole test set. run_of: output -> the system that it is said to be a
    run of. plan: the analysis plan that was given; it outlives a change of page, which drops uploaded files.
    naming: what systems are called in the paper, and which of them its figures and tables leave out.
    """

    slices: dict[str, tuple[str, ...]] = field(default_factory=dict)
    run_of: dict[str, str] = field(default_factory=dict)
    plan: AnalysisPlan | None = None
    choices: Choices = field(default_factory=Choices)
    naming: Naming = field(default_factory=Naming)

    def systems(self, outputs: Sequence[str]) -> dict[str, str]:
        """Return for every output the system it is a run of: as the visitor said, else as its name says."""
        named = {run: system for system, several in runs_by_name(outputs).items() for run in several}
        return {output: self.run_of.get(output, named[output]) for output in outputs}

    def grouped(self, outputs: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return system -> its runs."""
        runs: dict[str, list[str]] = {}
        for output, system in self.systems(outputs).items():
            runs.setdefault(system, []).append(output)
        return {system: tuple(several) for system, several in runs.items()}

    def runs(self, outputs: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return system -> its runs, for the systems that have several."""
        return {system: several for system, several in self.grouped(outputs).items() if len(several) > 1}


@dataclass
class View:
    """Where the visitor is, whatever the data.

    clicks: grows with every choice by click; part of the keys of widgets whose state must not linger.
    """

    started: bool = False
    clicks: int = 0


@dataclass
class Session:
    """One visitor."""

    data: Data = field(default_factory=Data)
    selection: Selection = field(default_factory=Selection)
    view: View = field(default_factory=View)

    def first_visit(self) -> bool:
        """Return True once per visit."""
        new = not self.view.started
        self.view.started = True
        return new

    def load_parts(self, parts: Sequence[Part]) -> None:
        """Make a corpus of the parts, and take the chosen slices of it where it has them."""
        self.data.assemble(parts)
        spool = _spool()
        if spool is not None and self.data.token is not None:
            spool.choose(self.data.token, _choices_of(parts))
        try:
            self.choose_slices(self.selection.slices)
        except MtsigError:
            # The chosen slices are those of other data.
            self.selection.slices = {}

    def drop(self, files: Sequence[File], parts: Sequence[Part]) -> None:
        """Add dropped files, which `parts` are read from, and keep them on disk, where the address finds them again."""
        if self.data.is_sample:
            self.data.dropped = {}
        self.data.dropped |= {file.label: file for file in files}
        self.data.lost = None
        self.add_parts(parts)
        spool = _spool()
        if spool is not None:
            # A disk that is full, or may not be written, costs the reload and nothing else.
            with suppress(OSError):
                self.data.token = spool.put(
                    list(self.data.dropped.values()), _choices_of(self.data.parts), self.data.token
                )

    def restore(self, read: Callable[[Sequence[File]], Sequence[Part]]) -> None:
        """Take up the data that the address speaks of, or that were put aside; `read` says what files are."""
        token, spool = self.data.token or st.query_params.get(_TOKEN), _spool()
        if token is None or spool is None:
            return
        self.data.aside = False
        kept = spool.get(token)
        if isinstance(kept, Gone):
            self.data.lost = kept.names
            return
        self.data.dropped = {file.label: file for file in kept.files}
        self.data.token = token
        chosen = {one["label"]: one for one in kept.chosen.get("parts", ())}
        self.load_parts([new for part in read(kept.files) for new in _as_chosen(part, chosen.get(part.label))])

    def show_token(self) -> None:
        """Let the address speak of the data, also after a change of page, which clears it."""
        if self.data.token is not None and st.query_params.get(_TOKEN) != self.data.token:
            st.query_params[_TOKEN] = self.data.token

    def put_aside(self) -> None:
        """Let the data go from memory; what is kept on disk is taken up again when the next page is drawn."""
        names = None if self.data.token is not None else tuple(self.data.dropped)
        self.data = Data(token=self.data.token, lost=names, aside=self.data.token is not None)

    def leave(self) -> None:
        """Let everything go from memory: the tab is gone."""
        self.data, self.selection = Data(), Selection()

    def load_sample(self, sample: Sequence[Part]) -> None:
        """Take the sample data; files dropped later replace them."""
        self.load_parts(sample)
        self.data.is_sample = True

    def add_parts(self, new: Sequence[Part]) -> None:
        """Add dropped files to those that are there: what was renamed or given another role stays so.

        A file with the label of an earlier one replaces it, unless nothing in it changed. The sample data give way.
        """
        parts = {} if self.data.is_sample else {part.label: part for part in self.data.parts}
        self.data.is_sample = False
        for part in new:
            old = parts.get(part.label)
            if old is None or old.lines != part.lines or (part.scored is not None and old.file != part.file):
                parts[part.label] = part
        self.load_parts(list(parts.values()))

    def choose_language_pair(self, pair: str) -> None:
        """Take the files of this language pair."""
        self.data.wanted_pair = pair
        self.load_parts(self.data.parts)

    def choose_slices(self, chosen: Mapping[str, Sequence[str]]) -> None:
        """Take a part of the loaded corpus.

        Raises:
            NotApplicable: no segment is in all of these slices; then nothing is changed.
        """
        if self.data.whole is not None:
            kept = {by: tuple(names) for by, names in chosen.items() if names}
            self.data.corpus = selected(self.data.whole, list(kept.items()))
            self.selection.slices = kept

    def choose_pair(self, first: str, second: str) -> None:
        """Choose the systems that the Compare page opens with."""
        st.session_state[FIRST] = first
        st.session_state[SECOND] = second
        self.view.clicks += 1

    def pair(self, ranked: Sequence[str]) -> tuple[str, str]:
        """Return the two systems chosen on the Compare page, or the two best where none of these were."""
        first, second = st.session_state.get(FIRST), st.session_state.get(SECOND)
        if first in ranked and second in ranked and first != second:
            return str(first), str(second)
        return ranked[0], ranked[1]

    def forget(self) -> None:
        """Drop the data and what was chosen of them, here and on disk, and the drop zone's files with them."""
        spool = _spool()
        if spool is not None and self.data.token is not None:
            spool.forget(self.data.token)
        st.query_params.pop(_TOKEN, None)
        self.data, self.selection = Data(), Selection()
        for key in (FIRST, SECOND):
            st.session_state.pop(key, None)
        self.view.clicks += 1


def _spool() -> Spool | None:
    """Return where dropped files are kept; None where the user's cache folder is switched off."""
    folder = users_folder()
    return None if folder is None else Spool(folder / "spool")


def _choices_of(parts: Sequence[Part]) -> dict[str, object]:
    """Return what a visitor may have changed of the parts, as plain JSON."""
    kept = [{"label": one.label, "role": one.role, "name": one.name, "better": one.better} for one in parts]
    return {"parts": kept}


def _as_chosen(part: Part, chosen: Mapping[str, str] | None) -> list[Part]:
    """Return a part as it was chosen before; as it was guessed where nothing is known of it."""
    if chosen is None:
        return [part]
    better = next((one for one in ("higher", "lower") if one == chosen["better"]), None)
    changed = replace(part, name=chosen["name"], better=better)
    role = next((one for one in ROLES if one == chosen["role"]), part.role)
    return [changed] if role == part.role else in_role(changed, role)


def current() -> Session:
    """Return the session of the visitor whose page is being drawn."""
    if _SESSION not in st.session_state:
        st.session_state[_SESSION] = Session()
    session: Session = st.session_state[_SESSION]
    return session


def drop_stale(key: str, options: Collection[str]) -> None:
    """Forget the choice of widget `key` when it is none of the options: it belongs to other data."""
    if key in st.session_state and st.session_state[key] not in options:
        del st.session_state[key]


def keep_only(key: str, options: Collection[str]) -> None:
    """Forget those choices of widget `key` that are none of the options: they belong to other data."""
    if key in st.session_state:
        st.session_state[key] = [name for name in st.session_state[key] or [] if name in options]
