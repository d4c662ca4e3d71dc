"""What one visitor has loaded and chosen; the only file that touches st.session_state."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from mtsig import Corpus, MtsigError, Settings, selected
from mtsig.cache import users_folder
from mtsig.corpus import Note, is_human, runs_by_name
from mtsig.doctor import examine_parts
from mtsig.errors import NotApplicable
from mtsig.metrics import METRICS, Metric
from mtsig.readers import ROLES, File, Part, assemble, in_role, language_pairs, sample_files
from mtsig.report import Naming
from mtsig.sets import Sets
from mtsig.study import AnalysisPlan, SetsStudy, Star, Study
from mtsig_dashboard.spool import Gone, Spool

_SESSION = "session"

_TOKEN = "data"
"""The name in the address of what the data are kept under."""

_MADE_OF = "of"
"""The name in the address of the digest of the data that its numbers are of."""

_SET = "set"
"""The name in the address of the test set that the pages of one set are of, where there are several."""

_STARS = "stars"
"""The name in the address of the segments that are starred."""

MOST_LINKED_STARS = 100
"""Stars that an address carries, some five characters each; more are in the file and in the study alone."""

_SAMPLE = "sample"
"""The token of the sample data."""

_DIGITS = 12
"""Digits of a digest in the address: enough to tell two data sets apart, and to read aloud."""

DATA, RESULTS, COMPARE = "app_pages/data.py", "app_pages/results.py", "app_pages/compare.py"
SEGMENTS, LEARN, TRUST = "app_pages/segments.py", "app_pages/learn.py", "app_pages/trust.py"
TEST_SETS, PAPER = "app_pages/test_sets.py", "app_pages/paper.py"
"""Pages that other pages lead to."""

FIRST, SECOND = "first", "second"
"""Keys of the widgets with the two systems of the Compare page; other pages set them before it is drawn."""

FIRST_OVER_SETS, SECOND_OVER_SETS = "over_first", "over_second"
"""Keys of the same on the page Test sets, from where that page is opened."""


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

    whole: the corpus of all files, of several test sets that of the one that is meant; None when there is none that
    fits together. corpus: the part of it that was chosen. problem: why the files make no corpus. slipped: where they
    probably slipped. made: set -> its corpus, or why its files make none. upload: the files whose chips are shown,
    id -> label. wanted_set: the test set that was asked for. dropped: the files as the visitor dropped them. token:
    what they are kept under on disk, or "sample". lost: the names of the files that a link spoke of and that are no
    longer kept. aside: whether they were put aside, and are on disk only.
    """

    parts: list[Part] = field(default_factory=list)
    whole: Corpus | None = None
    corpus: Corpus | None = None
    problem: str | None = None
    slipped: tuple[Note, ...] = ()
    made: dict[str | None, Corpus | MtsigError] = field(default_factory=dict)
    upload: dict[str, str] = field(default_factory=dict)
    wanted_set: str | None = None
    dropped: dict[str, File] = field(default_factory=dict)
    token: str | None = None
    lost: tuple[str, ...] | None = None
    aside: bool = False

    @property
    def is_sample(self) -> bool:
        """Whether these are the sample data."""
        return self.token == _SAMPLE

    @property
    def digest(self) -> str | None:
        """The beginning of the digest of all data, as links carry it; None without data."""
        return None if self.whole is None else _short(self.whole.digest)

    @property
    def scorable(self) -> bool:
        """Whether there is anything to compare the systems by."""
        return self.corpus is not None and bool(self.corpus.references or self.corpus.ratings)

    @property
    def home(self) -> str:
        """The page that answers first: of several sets what they say together."""
        return TEST_SETS if self.set_names else self.home_of_set

    @property
    def home_of_set(self) -> str:
        """The page that answers first on one set: Data without data, Compare two with two systems, else Results."""
        if self.corpus is None or not self.scorable:
            return DATA
        return COMPARE if len(self.corpus.systems) == 2 else RESULTS

    @property
    def used_parts(self) -> list[Part]:
        """The files that play a role, of the test set that is meant."""
        return [part for part in self.parts_of_set(self.set_name) if part.role != "ignored"]

    def parts_of_set(self, name: str | None) -> list[Part]:
        """Return the files of a test set, and those of none; all files where there are no sets."""
        return [part for part in self.parts if name is None or part.language_pair in {name, None}]

    @property
    def set_names(self) -> list[str]:
        """The test sets of the files where there are several: their language pairs, or folders; else none."""
        names = language_pairs(self.parts)
        return names if len(names) > 1 else []

    @property
    def set_name(self) -> str | None:
        """Which of several test sets is meant: the one that was asked for, or the first that can be read."""
        names = self.set_names
        if not names or self.wanted_set in names:
            return self.wanted_set if names else None
        return next((name for name in names if isinstance(self._made(name), Corpus)), names[0])

    @property
    def sets(self) -> Sets:
        """The test sets of the files; those that make no corpus are left out, with their reasons.

        Raises:
            NotApplicable: there is none.
        """
        made = {name: self._made(name) for name in self.set_names}
        corpora = {name: one for name, one in made.items() if isinstance(one, Corpus)}
        skipped = {name: str(one) for name, one in made.items() if isinstance(one, MtsigError)}
        if not corpora:
            why = "; ".join(f"{name}: {reason}" for name, reason in skipped.items())
            raise NotApplicable(f"None of these test sets can be read. {why}")
        return replace(Sets.of(corpora), skipped=skipped)

    def _made(self, name: str | None) -> Corpus | MtsigError:
        """Return what the files of a set make, worked out once; the error where they make nothing."""
        if name not in self.made:
            try:
                self.made[name] = assemble(self.parts_of_set(name))
            except MtsigError as error:
                self.made[name] = error
        return self.made[name]

    def assemble(self, parts: Sequence[Part]) -> None:
        """Make a corpus of the parts; what is wrong with them is kept as the problem."""
        if list(parts) != self.parts:
            self.parts, self.made = list(parts), {}
        self.problem, self.slipped = None, ()
        made = self._made(self.set_name)
        self.corpus = self.whole = made if isinstance(made, Corpus) else None
        if isinstance(made, MtsigError):
            self.problem = str(made)
            findings = examine_parts(self.used_parts)
            self.slipped = tuple(finding.note for finding in findings if finding.check == "lengths")

    def fail(self, message: str) -> None:
        """Keep the reason why nothing could be loaded."""
        self.parts, self.made, self.whole, self.corpus = [], {}, None, None
        self.problem, self.slipped = message, ()

    def are_new(self, uploads: Mapping[str, str]) -> bool:
        """Return whether there are files among these (id -> label) that were not there before, and take them down."""
        new = not self.upload.keys() >= uploads.keys()
        self.upload = dict(uploads)
        return new


@dataclass
class Selection:
    """What was chosen of the data, and how to look at it.

    slices: way to slice -> names; empty for the whole test set. run_of: output -> the system that it is said to be a
    run of. plan: the analysis plan that was given, and study: the study made before that was opened; they outlive a
    change of page, which drops uploaded files. naming: what systems are called in the paper, and which of them its
    figures and tables leave out. stars: digest of the corpus -> number of a starred segment -> what was noted of it.
    """

    slices: dict[str, tuple[str, ...]] = field(default_factory=dict)
    run_of: dict[str, str] = field(default_factory=dict)
    plan: AnalysisPlan | None = None
    study: Study | SetsStudy | None = None
    choices: Choices = field(default_factory=Choices)
    naming: Naming = field(default_factory=Naming)
    stars: dict[str, dict[int, str]] = field(default_factory=dict)

    def starred(self, digest: str) -> dict[int, str]:
        """Return the segments of a corpus that are starred, with their notes."""
        return self.stars.get(digest, {})

    def star(self, digest: str, number: int) -> None:
        """Star a segment, or take its star away, and what was noted with it."""
        starred = self.stars.setdefault(digest, {})
        if starred.pop(number, None) is None:
            starred[number] = ""

    def note(self, digest: str, number: int, text: str) -> None:
        """Note something of a starred segment."""
        self.stars[digest][number] = text

    def stars_of(self, corpus: Corpus) -> tuple[Star, ...]:
        """Return the stars as a study keeps them: by the segments' numbers in the data."""
        starred = sorted(self.starred(corpus.digest).items())
        return tuple(Star(corpus.numbers[place], note) for place, note in starred)

    def take_stars(self, corpus: Corpus, stars: Sequence[Star]) -> None:
        """Take the stars of a study beside those that are there; what is no segment of the corpus is left out."""
        places = corpus.places
        taken = {places[star.segment]: star.note for star in stars if star.segment in places}
        self.stars[corpus.digest] = taken | self.starred(corpus.digest)

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

    clicks: grows with every choice by click; part of the keys of widgets whose state must not linger. made_of: the
    digest of the data that the visitor's link was made of, until these data or others are accepted. linked_stars: the
    stars of this link, until its data are there. toured: whether the
    first tour was seen or dismissed. answers: what was answered in lessons, by lesson and data. usual: what widgets
    said at first when they were last drawn. drawn: what widgets that are bound to the address said, and the address of
    them, when they were last drawn.
    """

    started: bool = False
    clicks: int = 0
    made_of: str | None = None
    linked_stars: str = ""
    toured: bool = False
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    usual: dict[str, str] = field(default_factory=dict)
    drawn: dict[str, tuple[Any, tuple[str, ...] | None]] = field(default_factory=dict)

    def hold(self, key: str, options: Sequence[str], place: int) -> None:
        """Keep what the widget `key` says while its options, and with them what it says at first, become others.

        Where it is none of them, it is the one at a place. It is written in either case: else the box would go on
        showing what is gone, and the address leave out what is no longer said at first.
        """
        value, default = st.session_state.get(key), options[place]
        if value is not None and (value not in options or self.usual.get(key, default) != default):
            st.session_state[key] = value if value in options else default
        self.usual[key] = default

    def end_tour(self) -> None:
        """Offer the first tour no more; for callbacks."""
        self.toured = True


@dataclass
class Session:
    """One visitor."""

    data: Data = field(default_factory=Data)
    selection: Selection = field(default_factory=Selection)
    view: View = field(default_factory=View)

    def first_visit(self) -> bool:
        """Return True once per visit, and take down what the link says that no page may have a widget for yet."""
        new = not self.view.started
        if new:
            self.view.made_of = st.query_params.get(_MADE_OF)
            self.data.wanted_set = st.query_params.get(_SET)
            self.view.linked_stars = st.query_params.get(_STARS, "")
            for key in (FIRST, SECOND):
                if key in st.query_params:
                    st.session_state[key] = st.query_params[key]
        self.view.started = True
        return new

    @property
    def is_of_other_data(self) -> bool:
        """Whether the visitor's link was made of other data than are loaded."""
        return self.view.made_of is not None and self.data.digest not in (None, self.view.made_of)

    def load_parts(self, parts: Sequence[Part]) -> None:
        """Make a corpus of the parts, and take the chosen slices of it where it has them."""
        self.data.assemble(parts)
        self._keep_choices()
        try:
            self.choose_slices(self.selection.slices)
        except MtsigError:
            # The chosen slices are those of other data.
            self.selection.slices = {}

    def _keep_choices(self) -> None:
        """Let what was chosen of the data lie on disk beside them."""
        spool = _spool()
        if spool is not None and self.data.token is not None:
            spool.choose(self.data.token, _choices_of(self))

    def drop(self, files: Sequence[File], parts: Sequence[Part]) -> None:
        """Add dropped files, which `parts` are read from, and keep them on disk, where the address finds them again.

        What was renamed or given another role stays so. A file with the label of an earlier one replaces it, unless
        nothing in it changed. The sample data give way.
        """
        if self.data.is_sample:
            self.data, self.selection.slices = Data(upload=self.data.upload), {}
        self.data.dropped |= {file.label: file for file in files}
        self.data.lost = None
        there = {part.label: part for part in self.data.parts}
        for part in parts:
            old = there.get(part.label)
            moved = old is not None and old.language_pair != part.language_pair
            if old is None or moved or old.lines != part.lines or (part.scored is not None and old.file != part.file):
                there[part.label] = part
        self._take_dropped(list(there.values()))

    def remove(self, labels: Collection[str]) -> None:
        """Let dropped files go, and what was read from them; without the last one everything is forgotten."""
        left = {label: file for label, file in self.data.dropped.items() if label not in labels}
        if left == self.data.dropped:
            return
        if not left:
            self.forget()
            return
        self.data.dropped = left
        self._take_dropped([part for part in self.data.parts if not any(_is_from(part, label) for label in labels)])

    def take_back(self, key: str) -> None:
        """Remove the files whose chips were taken away in the drop zone of this key."""
        left = {upload.file_id: upload.name for upload in st.session_state[key] or ()}
        self.remove([label for label in self.data.upload.values() if label not in left.values()])

    def _take_dropped(self, parts: Sequence[Part]) -> None:
        """Load the parts of the dropped files and keep the files on disk."""
        self.load_parts(parts)
        spool = _spool()
        if spool is not None:
            # A disk that is full, or may not be written, costs the reload and nothing else.
            with suppress(OSError):
                self.data.token = spool.put(list(self.data.dropped.values()), _choices_of(self), self.data.token)

    def restore(self, read: Callable[[Sequence[File]], Sequence[Part]]) -> bool:
        """Take up the data that the address speaks of, or that were put aside; `read` says what files are.

        Returns whether the address speaks of any, be they there or not.
        """
        token, spool = self.data.token or st.query_params.get(_TOKEN), _spool()
        self.data.aside = False
        if token == _SAMPLE:
            self.load_sample(read(sample_files()))
            return True
        if token is None or spool is None:
            return False
        kept = spool.get(token)
        if isinstance(kept, Gone):
            self.data.lost = kept.names
            return True
        self.data.dropped = {file.label: file for file in kept.files}
        chosen = {part["label"]: part for part in kept.chosen.get("parts", ())}
        parts = [new for part in read(kept.files) for new in _as_chosen(part, chosen.get(part.label))]
        self.data.wanted_set = self.data.wanted_set or kept.chosen.get("set")
        self.selection.slices = {by: tuple(names) for by, names in kept.chosen.get("slices", {}).items()}
        self.selection.run_of = dict(kept.chosen.get("runs", {}))
        self.selection.stars = {
            digest: {int(number): note for number, note in starred.items()}
            for digest, starred in kept.chosen.get("stars", {}).items()
        }
        self.load_parts(parts)
        self.data.token = token
        return True

    def show_address(self) -> None:
        """Let the address speak of the data, also after a change of page, which clears it."""
        if self.view.made_of == self.data.digest:
            self.view.made_of = None
        said = {_TOKEN: self.data.token, _MADE_OF: self.view.made_of or self.data.digest, _SET: self.data.set_name}
        for name, value in said.items():
            if value is not None and st.query_params.get(name) != value:
                st.query_params[name] = value
        if self.data.corpus is not None:
            self._take_linked_stars(self.data.corpus)
            self._show_stars(self.data.corpus)

    def _take_linked_stars(self, corpus: Corpus) -> None:
        """Star what the visitor's link has starred of this corpus."""
        digest, *numbers = self.view.linked_stars.split(".")
        if digest == _short(corpus.digest):
            asked = [int(number) for number in numbers if len(number) < _DIGITS and number.isdecimal()]
            self.selection.take_stars(corpus, [Star(number, "") for number in asked[:MOST_LINKED_STARS]])
            self.view.linked_stars = ""
            self._keep_choices()

    def _show_stars(self, corpus: Corpus) -> None:
        """Let the address speak of the stars; notes, which are somebody's words, stay out of it."""
        starred = sorted(self.selection.starred(corpus.digest))
        if 0 < len(starred) <= MOST_LINKED_STARS:
            said = ".".join([_short(corpus.digest), *(str(corpus.numbers[place]) for place in starred)])
            if st.query_params.get(_STARS) != said:
                st.query_params[_STARS] = said
        elif not self.view.linked_stars:
            st.query_params.pop(_STARS, None)

    @property
    def unlinked_stars(self) -> int:
        """How many stars are too many for the address; 0 where it has them all."""
        starred = 0 if self.data.corpus is None else len(self.selection.starred(self.data.corpus.digest))
        return starred if starred > MOST_LINKED_STARS else 0

    def accept_data(self) -> None:
        """Go on with other data than the link was made of."""
        self.view.made_of = None

    def link(self, opens_data: bool) -> str:
        """Return the address of the page as it is seen now; it finds the data only where it is to open them."""
        kept = opens_data or self.data.is_sample
        said = {name: st.query_params.get_all(name) for name in st.query_params if kept or name != _TOKEN}
        return f"{st.context.url or ''}?{urlencode(said, doseq=True)}"

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
        self.data.token = _SAMPLE

    def choose_set(self, name: str) -> None:
        """Take the files of this test set."""
        self.data.wanted_set = name
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
            self._keep_choices()

    def star(self, digest: str, number: int) -> None:
        """Star a segment, or take its star away."""
        self.selection.star(digest, number)
        self._keep_choices()
        if self.data.corpus is not None:
            self._show_stars(self.data.corpus)

    def note(self, digest: str, number: int, text: str) -> None:
        """Note something of a starred segment."""
        self.selection.note(digest, number, text)
        self._keep_choices()

    def choose_runs(self, run_of: Mapping[str, str]) -> None:
        """Take outputs for runs of the systems that the visitor says."""
        self.selection.run_of = dict(run_of)
        self._keep_choices()

    def choose_pair(self, first: str, second: str, set_name: str | None = None) -> None:
        """Open the Compare page on these two systems, of the test set that is meant or of this one."""
        st.session_state[FIRST], st.session_state[SECOND] = first, second
        self.view.clicks += 1
        said = {FIRST: [first], SECOND: [second]}
        if set_name is not None:
            self.choose_set(set_name)
            said[_SET] = [set_name]
        # A widget that was drawn before writes no value into the address that it is given from outside.
        self.open_page(COMPARE, said)

    def swap_pair(self, keys: tuple[str, str], first: str, second: str) -> None:
        """Exchange the two systems in the boxes of these keys; for callbacks, which come before they are drawn."""
        for key, name in zip(keys, (second, first), strict=True):
            st.session_state[key] = name

    def open_page(self, page: str, said: Mapping[str, Sequence[str]] | None = None) -> None:
        """Go to a page, with what the address says now, and this too; Streamlit's own way there clears the address."""
        # What a widget of this page or of the frame says in the address is for that widget alone to write.
        address = {name: st.query_params.get_all(name) for name in st.query_params if name not in st.session_state}
        st.switch_page(page, query_params={**address, **(said or {})})

    def pair(self, ranked: Sequence[str]) -> tuple[str, str]:
        """Return the two systems chosen on the Compare page, or the two best where none of these were.

        Human translations are the best only where there are no two systems.
        """
        first, second = st.session_state.get(FIRST), st.session_state.get(SECOND)
        if first in ranked and second in ranked and first != second:
            return str(first), str(second)
        best, second, *_ = sorted(ranked, key=is_human)
        return best, second

    def forget(self) -> None:
        """Drop the data and what was chosen of them, here and on disk, and the drop zone's files with them."""
        spool = _spool()
        if spool is not None and self.data.token is not None:
            spool.forget(self.data.token)
        for name in (_TOKEN, _MADE_OF, _SET, _STARS):
            st.query_params.pop(name, None)
        self.data, self.selection, self.view.made_of = Data(), Selection(), None
        for key in (FIRST, SECOND):
            st.session_state.pop(key, None)
        self.view.clicks += 1


def _short(digest: str) -> str:
    """Return the beginning of a digest, as addresses have it."""
    return digest.removeprefix("sha256:")[:_DIGITS]


def _spool() -> Spool | None:
    """Return where dropped files are kept; None where the user's cache folder is switched off."""
    folder = users_folder()
    return None if folder is None else Spool(folder / "spool")


def _choices_of(visit: Session) -> dict[str, object]:
    """Return what a visitor may have chosen of the data, as plain JSON."""
    parts = visit.data.parts
    return {
        "parts": [{"label": part.label, "role": part.role, "name": part.name, "better": part.better} for part in parts],
        "set": visit.data.wanted_set,
        "slices": visit.selection.slices,
        "runs": visit.selection.run_of,
        "stars": visit.selection.stars,
    }


def _is_from(part: Part, label: str) -> bool:
    """Return whether a part was read from the file of this label, be that an archive or a table of several."""
    return part.label == label or part.label.startswith((f"{label}/", f"{label}, "))


def _as_chosen(part: Part, chosen: Mapping[str, str] | None) -> list[Part]:
    """Return a part as it was chosen before; as it was guessed where nothing is known of it."""
    if chosen is None:
        return [part]
    better = next((direction for direction in ("higher", "lower") if direction == chosen["better"]), None)
    changed = replace(part, name=chosen["name"], better=better)
    role = next((known_role for known_role in ROLES if known_role == chosen["role"]), part.role)
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


def choice(key: str) -> Any:
    """Return what widget `key` says, or what is kept under a key of no widget; None where there is nothing yet."""
    return st.session_state.get(key)


def choose(key: str, value: object) -> None:
    """Let widget `key`, which is not yet drawn in this run, say this; or keep something under a key of no widget."""
    st.session_state[key] = value
