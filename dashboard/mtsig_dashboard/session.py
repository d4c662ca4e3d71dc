"""What one visitor has loaded and chosen; the only file that touches st.session_state."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, count
from pathlib import PurePosixPath
from secrets import token_urlsafe
from threading import BoundedSemaphore
from typing import Any
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from mtsig import Corpus, MtsigError, select_subset
from mtsig.corpus._notes import is_human
from mtsig.readers import File, Part
from mtsig.readers._read import sample_files
from mtsig.report import Naming
from mtsig.study import Star
from mtsig_dashboard.host import Gone, secret_of, users_spool
from mtsig_dashboard.state import SAMPLE, Data, Made, Selection, WayOn, as_chosen, short_digest

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

LARGE = 2**23
"""Bytes of files from which data are large: of a link's, few tabs at a time take these up, and hold all of them."""

_LARGE_ONES = BoundedSemaphore(4)

_MOST_DIGITS = 12
"""A longer number in the address is no segment's."""

DATA, RESULTS, COMPARE = "app_pages/data.py", "app_pages/results.py", "app_pages/compare.py"
SEGMENTS, LEARN, TRUST = "app_pages/segments.py", "app_pages/learn.py", "app_pages/trust.py"
PREFERENCES = "app_pages/preferences.py"
TEST_SETS, PAPER = "app_pages/test_sets.py", "app_pages/paper.py"
"""Pages that other pages lead to."""

FIRST, SECOND, FROM = "first", "second", "from_system"
"""Keys of the widgets with the pair, which pages set before Compare is drawn, and with the base of differences."""

OVER_SETS = "over_"
"""What the keys of everything that is chosen of several test sets begin with."""

FIRST_OVER_SETS, SECOND_OVER_SETS = f"{OVER_SETS}first", f"{OVER_SETS}second"
"""Keys of the same on the page Test sets, from where that page is opened."""


@dataclass
class View:
    """Where the visitor is, whatever the data.

    clicks: grows with every choice by click; part of the keys of widgets whose state must not linger. made_of: the
    digest of the data that the visitor's link was made of, until these data or others are accepted. linked_stars: the
    stars of this link, until its data are there. linked: what else it says, until there are widgets to take it up.
    toured: whether the first tour was seen or dismissed. usual: what widgets said at first when they were last
    drawn. drawn: what widgets that are bound to the address said, and the address of them, when they were last
    drawn. of_data: keys of widgets whose choices go with the data. emptied: id -> label of the files whose chips
    are shown and whose content Streamlit no longer holds. experiment: what the experiment is called that has begun
    and not ended. asked_in_vain: key -> text of what the link asked for in vain; None before anybody looked. begun:
    name of a lesson's drawing -> how many steps a link asked for when it came onto the page. offered: what widgets
    that begin with all of their options offered when they were last drawn. refused: name of a file that the browser
    did not take -> why. changed: key of the drop zone whose chips changed, until files without a chip are removed.
    """

    started: bool = False
    clicks: int = 0
    changed: str = ""
    made_of: str | None = None
    linked_stars: str = ""
    linked: dict[str, list[str]] = field(default_factory=dict)
    toured: bool = False
    usual: dict[str, str] = field(default_factory=dict)
    drawn: dict[str, tuple[Any, tuple[str, ...] | None]] = field(default_factory=dict)
    of_data: set[str] = field(default_factory=lambda: {FIRST, SECOND})
    emptied: dict[str, str] = field(default_factory=dict)
    experiment: str | None = None
    asked_in_vain: dict[str, str] | None = None
    begun: dict[str, int] = field(default_factory=dict)
    offered: dict[str, tuple[str, ...]] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)

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
    secret: str = field(default_factory=partial(token_urlsafe, 32), repr=False)
    """What the visitor's data are his by where the browser keeps no cookie: until the page is loaded again."""
    making: Callable[[Sequence[Part]], Made] = field(default=lambda _: {}, repr=False)
    """Makes corpora of large files, which would keep all other visitors waiting, in another process."""

    def first_visit(self) -> bool:
        """Return True until the visit has begun, and take down what the link says that no page has a widget for yet."""
        new = not self.view.started
        if new:
            self.view.made_of = st.query_params.get(_MADE_OF)
            self.data.wanted_set = st.query_params.get(_SET)
            self.view.linked_stars = st.query_params.get(_STARS, "")
            others = (name for name in st.query_params if name not in (_TOKEN, _MADE_OF, _SET, _STARS))
            self.view.linked = {name: st.query_params.get_all(name) for name in others}
            for key in (FIRST, SECOND):
                if key in st.query_params:
                    st.session_state[key] = st.query_params[key]
        return new

    @property
    def is_of_other_data(self) -> bool:
        """Whether the visitor's link was made of other data than are loaded."""
        return self.view.made_of is not None and self.data.digest not in (None, self.view.made_of)

    @property
    def home(self) -> str:
        """The page that answers first: of several sets what they say together."""
        return TEST_SETS if self.data.set_names else self.home_of_set

    @property
    def home_of_set(self) -> str:
        """The page that answers first on one set: Compare two with two systems, else Results; without one Data.

        Preferences alone have a page of their own.
        """
        corpus = self.data.corpus
        if corpus is None or not self.data.scorable:
            return PREFERENCES if self.data.preferences else DATA
        return COMPARE if len(corpus.systems) == 2 else RESULTS

    def load_parts(self, parts: Sequence[Part]) -> None:
        """Make a corpus of the parts, as the visitor chose them, and take the chosen slices of it where it has them."""
        self._assemble(parts)
        self._keep_choices()

    def _assemble(self, parts: Sequence[Part], data: Data | None = None) -> None:
        """Take what the parts make, and `data` where these are others.

        A click ends a run that waits for a worker, and the next one begins before it has ended: it must find all of
        them or none.
        """
        data = data or self.data
        data.assemble(parts, self.making)
        self.data = data
        try:
            self._slice(self.selection.slices)
        except MtsigError:
            # The chosen slices are those of other data.
            self.selection.slices = {}

    @property
    def choices(self) -> dict[str, object]:
        """What the visitor chose of the data, as it is kept on disk."""
        return self.data.choices | self.selection.kept

    @property
    def _owner(self) -> str:
        """The secret by which the visitor's data are his."""
        return secret_of(st.context.cookies) or self.secret

    def _keep_choices(self, *, changed: bool = True) -> None:
        """Let what was chosen of the data lie on disk beside them; of a link's data, in a copy that is the visitor's.

        changed: whether the visitor has changed anything; merely looking makes no copy.
        """
        spool = users_spool()
        if spool is None or self.data.token is None or self.data.aside:
            return
        if changed or self.data.own:
            # A disk that is full, or may not be written, costs the reload and nothing else.
            with suppress(OSError):
                token = spool.choose(self.data.token, self.choices, self._owner)
                if token != self.data.token:
                    self.data.token, self.data.own = token, True

    def labelled(self, uploads: Sequence[UploadedFile]) -> dict[str, str]:
        """Return what the files of these chips are called: id -> label.

        Of one name, those that came together are two files, as outputs are from two folders: they are told apart by a
        number, unless they hold the same, as the references beside those outputs do. One that comes later is the same
        file once more.
        """
        labels = self.view.emptied | self.data.upload
        there = {*self.data.dropped, *labels.values()}
        new: dict[str, bytes] = {}
        for upload in uploads:
            if upload.file_id not in labels:
                label, content = File(upload.name, b"").label, upload.getvalue()
                for numbered in chain([label], _numbered(label, there)):
                    if new.setdefault(numbered, content) == content:
                        labels[upload.file_id] = numbered
                        break
        return {upload.file_id: labels[upload.file_id] for upload in uploads}

    def files_of(self, uploads: Sequence[UploadedFile]) -> list[File]:
        """Return the files of these chips but for those that are lost: what was emptied is as it was dropped."""
        emptied, dropped, labels = self.view.emptied, self.data.dropped, self.labelled(uploads)
        return [
            dropped[emptied[upload.file_id]]
            if upload.file_id in emptied
            else File(labels[upload.file_id], upload.getvalue())
            for upload in uploads
            if not self.has_lost(upload)
        ]

    def has_lost(self, upload: UploadedFile) -> bool:
        """Return whether the file of this chip is nowhere any more: put aside, and then gone from the disk, too."""
        return self.view.emptied.get(upload.file_id, "") not in {"", *self.data.dropped}

    def empty(self, uploads: Sequence[UploadedFile]) -> None:
        """Have Streamlit let go of what it holds of dropped files for as long as the tab is open.

        Their chips stay. Without it no limit on the data in memory would be one. Nothing is done where a disk does not
        keep them: then Streamlit's copy is the only one that is left of data that were put aside.
        """
        context = get_script_run_ctx()
        manager = None if context is None else context.uploaded_file_mgr
        if self.data.on_disk and context is not None and isinstance(manager, MemoryUploadedFileManager):
            labels = self.labelled(uploads)
            for record in manager.get_files(context.session_id, list(labels)):
                self.view.emptied.setdefault(record.file_id, labels[record.file_id])
                manager.add_file(context.session_id, record._replace(data=b""))

    def drop(self, files: Sequence[File], parts: Sequence[Part], chips: Mapping[str, str] | None = None) -> None:
        """Add dropped files, which `parts` are read from, and keep them on disk, where the address finds them again.

        What was renamed or given another role stays so. A file with the label of an earlier one replaces it, unless
        nothing in it changed. The sample data give way. chips: those that are shown by now, id -> label.
        """
        upload = self.data.upload if chips is None else dict(chips)
        data = replace(self.data, lost=None, upload=upload)
        if self.data.is_sample:
            data, self.selection.slices = Data(upload=upload), {}
        before, new = data.dropped, {file.label: file for file in files}
        data.replaced = tuple(sorted(label for label in before.keys() & new.keys() if before[label] != new[label]))
        data.dropped = before | new
        labels = {part.label for part in parts}
        # Of a file that was replaced, raters who are not in it any more go.
        there = {
            part.label: part
            for part in data.parts
            if part.label in labels or part.scored is None or not any(_is_from(part, label) for label in data.replaced)
        }
        for part in parts:
            old = there.get(part.label)
            moved = old is not None and old.language_pair != part.language_pair
            if old is None or moved or old.lines != part.lines or (part.scored is not None and old.file != part.file):
                there[part.label] = part
        self._take_dropped(list(there.values()), data)

    def remove(self, labels: Collection[str]) -> None:
        """Let dropped files go, and what was read from them; without the last one everything is forgotten."""
        left = {label: file for label, file in self.data.dropped.items() if label not in labels}
        if left == self.data.dropped:
            return
        if not left:
            self.forget()
            return
        parts = [part for part in self.data.parts if not any(_is_from(part, label) for label in labels)]
        self._take_dropped(parts, replace(self.data, dropped=left, replaced=()))

    def chips_changed(self, key: str) -> None:
        """Keep in mind that the chips of the drop zone of this key are others.

        No more is done here: where another click ends this run, Streamlit calls nobody again.
        """
        self.view.changed = key

    def take_back(self) -> None:
        """Remove the files whose chips were taken away in the drop zone, in this run or in one that was ended.

        Of two chips of one file the later one is the file's. A file that the server gave up for lack of room still has
        its chip.
        """
        if not self.view.changed:
            return
        chips = st.session_state.get(self.view.changed)
        if chips is None:  # a change of page took all of them away
            self.view.changed = ""
            return
        left = {chip.file_id for chip in chips}
        labels = self.labelled([chip for chip in chips if isinstance(chip, UploadedFile)])
        new = {label for file_id, label in labels.items() if file_id not in self.data.upload}
        newest = {label: file_id for file_id, label in self.data.upload.items()}
        self.remove([label for label, file_id in newest.items() if file_id not in left and label not in new])
        self.view.changed = ""

    def _take_dropped(self, parts: Sequence[Part], data: Data) -> None:
        """Load the parts of the dropped files and keep the files on disk."""
        self._assemble(parts, data)
        spool = users_spool()
        self.data.on_disk = False
        if spool is not None:
            # A disk that is full, or may not be written, costs the reload and nothing else.
            with suppress(OSError):
                files = list(self.data.dropped.values())
                self.data.token = spool.put(files, self.choices, self._owner, self.data.token)
                self.data.on_disk = self.data.own = True

    def restore(self, read: Callable[[Sequence[File]], Sequence[Part]]) -> bool:
        """Take up the data that the address speaks of, or that were put aside; `read` says what files are.

        Returns whether the address speaks of any, be they there or not.
        """
        token, spool = self.data.token or st.query_params.get(_TOKEN), users_spool()
        if token == SAMPLE:
            self.load_sample(read(sample_files()))
            return True
        if token is None or spool is None:
            return False
        with _LARGE_ONES if spool.weight(token) > LARGE else nullcontext():
            kept = spool.get(token, self._owner)
            if isinstance(kept, Gone):
                self.data.lost, self.data.aside = kept.names, False
                return True
            chosen = {part["label"]: part for part in kept.chosen.get("parts", ())}
            parts = [new for part in read(kept.files) for new in as_chosen(part, chosen.get(part.label))]
        data = replace(self.data, token=token, own=kept.own, aside=False)
        data.dropped = {file.label: file for file in kept.files}
        data.wanted_set = data.wanted_set or kept.chosen.get("set")
        self.selection.take_kept(kept.chosen)
        self._assemble(parts, data)
        return True

    def show_address(self) -> None:
        """Let the address speak of the data, also after a change of page, which clears it."""
        if self.view.made_of == self.data.digest:
            self.view.made_of = None
        # What a widget has been drawn for is for that widget alone to write.
        for name in self.view.linked.keys() - set(st.query_params) - self.view.drawn.keys():
            st.query_params[name] = self.view.linked[name]
        if self.data.scorable:
            self.view.linked = {}
        said = {_TOKEN: self.data.token, _MADE_OF: self.view.made_of or self.data.digest, _SET: self.data.set_name}
        new = {name: value for name, value in said.items() if value is not None and st.query_params.get(name) != value}
        if new:
            # At once: each single change of the address is a message to the browser, and an entry of its history.
            st.query_params.update(new)
        if self.data.corpus is not None:
            self._take_linked_stars(self.data.corpus)
            self._show_stars(self.data.corpus)

    def _take_linked_stars(self, corpus: Corpus) -> None:
        """Star what the visitor's link has starred of this corpus."""
        digest, *numbers = self.view.linked_stars.split(".")
        if digest == short_digest(corpus.digest):
            asked = [int(number) for number in numbers if len(number) < _MOST_DIGITS and number.isdecimal()]
            self.selection.take_stars(corpus, [Star(number, "") for number in asked[:MOST_LINKED_STARS]])
            # Not written down: a link, which others may have made, changes nothing of what is kept.
            self.view.linked_stars = ""

    def _show_stars(self, corpus: Corpus) -> None:
        """Let the address speak of the stars; notes, which are somebody's words, stay out of it."""
        starred = sorted(self.selection.starred(corpus.digest))
        if 0 < len(starred) <= MOST_LINKED_STARS:
            said = ".".join([short_digest(corpus.digest), *(str(corpus.numbers[place]) for place in starred)])
            if st.query_params.get(_STARS) != said:
                st.query_params[_STARS] = said
        elif not self.view.linked_stars:
            st.query_params.pop(_STARS, None)

    @property
    def unlinked_stars(self) -> int:
        """How many stars are too many for the address; 0 where it has them all."""
        starred = 0 if self.data.corpus is None else len(self.selection.starred(self.data.corpus.digest))
        return starred if starred > MOST_LINKED_STARS else 0

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
        self._assemble(sample, replace(self.data, token=SAMPLE, own=True, aside=False))

    def leave_out(self, way: WayOn) -> None:
        """Go on without some files, whose role can be given back, or with another test set."""
        if way.other_set is not None:
            self.choose_set(way.other_set)
        else:
            self.load_parts(self.data.without(way.labels))
        self.view.clicks += 1

    def choose_set(self, name: str) -> None:
        """Take the files of this test set."""
        self.data.wanted_set = name
        self._assemble(self.data.parts)
        self._keep_choices(changed=False)

    def choose_slices(self, chosen: Mapping[str, Sequence[str]]) -> None:
        """Take a part of the loaded corpus."""
        self._slice(chosen)
        self._keep_choices()

    def _slice(self, chosen: Mapping[str, Sequence[str]]) -> None:
        if self.data.whole is not None:
            kept = {by: tuple(names) for by, names in chosen.items() if names}
            self.data.corpus = select_subset(self.data.whole, list(kept.items()))
            self.selection.slices = kept

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

    def take_stars(self, corpus: Corpus, stars: Sequence[Star]) -> None:
        """Take the stars of a study beside those that are there."""
        self.selection.take_stars(corpus, stars)
        self._keep_choices()

    def choose_runs(self, run_of: Mapping[str, str]) -> None:
        """Take outputs for runs of the systems that the visitor says."""
        self.selection.run_of = dict(run_of)
        self._keep_choices()

    def name_systems(self, naming: Naming) -> None:
        """Take names for the paper, and which systems it leaves out."""
        self.selection.naming = naming
        self._keep_choices()

    def choose_pair(self, first: str, second: str, set_name: str | None = None, page: str = COMPARE) -> None:
        """Open a page on these two systems, of the test set that is meant or of this one."""
        st.session_state[FIRST], st.session_state[SECOND] = first, second
        self.view.clicks += 1
        said = {FIRST: [first], SECOND: [second]}
        if set_name is not None:
            self.choose_set(set_name)
            said[_SET] = [set_name]
        # A widget that was drawn before writes no value into the address that it is given from outside.
        self.open_page(page, said)

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
        """Drop the data and what was chosen of them, here and on disk, and the drop zone's files with them.

        Of data that a link opened, nothing goes from the disk: they are another's.
        """
        spool = users_spool()
        if spool is not None and self.data.token is not None:
            spool.forget(self.data.token, self._owner)
        self.data, self.selection, self.view.made_of = Data(), Selection(), None
        self.view.clicks += 1
        chosen = {str(key) for key in st.session_state if str(key).startswith(OVER_SETS)} | self.view.of_data
        for key in chosen:
            # What a callback wrote stays until it is taken away, also when its widget is no longer drawn.
            st.session_state.pop(key, None)
            self.view.drawn.pop(key, None)
        # Last, as a click may end the run here.
        for name in (_TOKEN, _MADE_OF, _SET, _STARS, *chosen):
            st.query_params.pop(name, None)


def _numbered(label: str, used: Collection[str]) -> Iterator[str]:
    """Yield a label with numbers that are not used, before its ending, which says what the file is."""
    path = PurePosixPath(label)
    ending = "".join(path.suffixes[-2:]) if path.suffix.lower() == ".gz" else path.suffix
    stem = label.removesuffix(ending)
    return (each for number in count(2) if (each := f"{stem} ({number}){ending}") not in used)


def _is_from(part: Part, label: str) -> bool:
    """Return whether a part was read from the file of this label, be that an archive or a table of several."""
    return part.label == label or part.label.startswith((f"{label}/", f"{label}, "))


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


def keep_only(key: str, options: Collection[str], *, has_default: bool = False) -> None:
    """Forget those choices of widget `key` that are none of the options: they belong to other data.

    has_default: whether the widget has a default; what is written beside one Streamlit logs, so only changes are.
    """
    if key in st.session_state:
        chosen = st.session_state[key] or []
        kept = [name for name in chosen if name in options]
        if not has_default or kept != chosen:
            st.session_state[key] = kept


def follow(key: str, options: Sequence[str]) -> None:
    """Do so for a widget `key` that begins with all options, and choose those that have come since it was drawn last.

    What the visitor has added to the study is meant to be seen; it must not hide behind an earlier choice.
    """
    keep_only(key, options)
    known = current().view.offered.get(key, tuple(options))
    if key in st.session_state:
        chosen = st.session_state[key]
        st.session_state[key] = [name for name in options if name in chosen or name not in known]
    current().view.offered[key] = tuple(options)


def choice(key: str) -> Any:
    """Return what widget `key` says; None where it says nothing yet."""
    return st.session_state.get(key)


def choose(key: str, value: object) -> None:
    """Let widget `key`, which is not yet drawn in this run, say this."""
    st.session_state[key] = value
