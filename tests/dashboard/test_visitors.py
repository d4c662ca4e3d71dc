"""What visitors hold leaves memory: some minutes after the tab is gone, and at once what is too much."""

import gc
import threading
import time
import weakref
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
from made import made_corpus
from mtsig_dashboard.memory import Memory
from mtsig_dashboard.serving._visitors import Visitors
from mtsig_dashboard.session import Session
from mtsig_dashboard.state import Data
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from mtsig.cli._dashboard import VisitorLimits
from mtsig.readers import File, Part
from mtsig.readers._read import parts_of

LINES = {"ref.txt": "a b\nc d\n", "A.txt": "a b\nc e\n", "B.txt": "a\nd\n"}


class Room:
    """Who is here, at a time that goes on when told."""

    def __init__(self, **limits: float) -> None:
        self.memory, self.at, self.present = Memory(10**8), 0.0, {"first", "second"}
        self.visitors = Visitors(
            self.memory,
            VisitorLimits(**limits),
            lambda: self.present,
            lambda: self.at,  # type: ignore[arg-type]
        )

    def later(self, minutes: float) -> None:
        self.at += 60 * minutes
        self.visitors.sweep()


def nothing() -> None:
    pass


@pytest.fixture(autouse=True)
def _own_garbage(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for garbage of these tests alone, not of all before them; test_host does the whole in its own process."""
    monkeypatch.setattr("mtsig_dashboard.serving._visitors.give_back", lambda **_: gc.collect())


def test_corpora_leave_memory_ten_minutes_after_the_tab_is_gone() -> None:
    room, session = Room(), Session()
    session.data = Data(whole=made_corpus())
    assert session.data.whole is not None
    alive = weakref.ref(session.data.whole)
    room.memory.remembered("result", lambda: [session.data.whole], nothing, "first")
    room.visitors.came("first", session)
    room.later(60)  # an open tab keeps them however long nothing is clicked
    assert alive() is not None
    room.present.remove("first")
    room.later(9)
    assert alive() is not None
    room.later(2)
    gc.collect()
    assert alive() is None
    assert len(room.memory) == 0
    assert session.data == Data()


def test_what_was_dropped_before_leaves_memory_while_the_tab_is_open() -> None:
    room, circle = Room(), SimpleNamespace(data=made_corpus())
    circle.itself, alive = circle, weakref.ref(circle.data)
    del circle
    gc.disable()  # nobody else collects
    try:
        room.later(0.4)
        assert alive() is not None
        room.later(0.2)
        assert alive() is None
    finally:
        gc.enable()


def test_what_somebody_else_has_asked_for_stays() -> None:
    room, session, other = Room(), Session(), Session()
    room.visitors.came("first", session)
    room.visitors.came("second", other)
    room.memory.remembered("both", lambda: "x", nothing, "first")
    room.memory.remembered("both", lambda: "y", nothing, "second")
    room.memory.remembered("mine", lambda: "x", nothing, "first")
    room.present.remove("first")
    room.later(11)
    assert (room.memory.get("both", "second"), room.memory.get("mine", "second")) == ("x", None)


def test_who_comes_back_in_time_keeps_everything() -> None:
    room, session = Room(), Session()
    session.data = Data(whole=made_corpus())
    room.visitors.came("first", session)
    room.present.clear()
    room.later(9)
    room.present.add("first")
    room.later(1)
    room.present.clear()
    room.later(9)
    assert session.data.whole is not None


@pytest.fixture
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path))
    # The address is the browser's; here there is none.
    monkeypatch.setattr("mtsig_dashboard.session.st.query_params", {})


def dropped(times: int) -> Session:
    session = Session()
    files = [File(name, (text * times).encode()) for name, text in LINES.items()]
    session.drop(files, parts_of(files))
    return session


@pytest.mark.usefixtures("cache_folder")
def test_beyond_the_limit_the_largest_data_wait_on_disk_and_come_back() -> None:
    room = Room(data_memory=0.001)
    small, large = dropped(10), dropped(20_000)
    corpus = large.data.whole
    assert corpus is not None
    digest = corpus.digest
    alive = weakref.ref(corpus)
    del corpus
    room.visitors.came("first", small)
    room.visitors.came("second", large)
    room.later(1)
    gc.collect()
    assert alive() is None
    assert large.data.aside
    assert small.data.whole is not None
    large.restore(parts_of)
    assert large.data.whole is not None
    assert (large.data.whole.digest, large.data.aside) == (digest, False)


@pytest.mark.usefixtures("cache_folder")
def test_tabs_that_open_one_link_share_the_room_without_waiting_for_the_next_look() -> None:
    room, small, tabs = Room(data_memory=0.001), dropped(10), [dropped(20_000) for _ in range(4)]
    room.visitors.came("first", small)
    for number, session in enumerate(tabs):
        room.visitors.came(f"tab{number}", session)
    # What is being drawn stays, and so does what is smaller.
    assert [session.data.aside for session in (small, *tabs)] == [False, True, True, True, False]


def test_data_are_weighed_once_and_by_nobody_else_who_clicks(monkeypatch: pytest.MonkeyPatch) -> None:
    room, mine, other = Room(), Session(), Session()
    for session in (mine, other):
        session.data = Data(parts_of([File("a.txt", b"a\n")]))
    weighed: list[Data] = []
    begun, may_end = threading.Event(), threading.Event()

    def slow(data: Data) -> int:
        weighed.append(data)
        if data is mine.data:
            begun.set()
            assert may_end.wait(60)
        return 1

    monkeypatch.setattr("mtsig_dashboard.serving._visitors.weight", slow)
    at_work = threading.Thread(target=room.visitors.came, args=("first", mine))
    at_work.start()
    assert begun.wait(60)
    room.visitors.came("second", other)
    again = threading.Thread(target=room.visitors.came, args=("first", mine))
    again.start()
    room.visitors.sweep()
    may_end.set()
    at_work.join()
    again.join()
    room.visitors.came("first", mine)
    assert [data is mine.data for data in weighed] == [True, False]


def test_visitors_who_come_at_once_share_the_room(monkeypatch: pytest.MonkeyPatch) -> None:
    room, sessions = Room(data_memory=1), [Session() for _ in range(6)]
    for session in sessions:
        session.data = Data(parts_of([File("a.txt", b"a\n")]))
    all_here = threading.Barrier(len(sessions))

    def slow(data: Data) -> int:
        all_here.wait(60)
        return 6 * 2**30 // 10 if data.parts else 0

    monkeypatch.setattr("mtsig_dashboard.serving._visitors.weight", slow)
    coming = [threading.Thread(target=room.visitors.came, args=(f"{n}", one)) for n, one in enumerate(sessions)]
    for thread in coming:
        thread.start()
    for thread in coming:
        thread.join()
    assert sum(bool(session.data.parts) for session in sessions) <= 1


def test_data_that_took_the_place_of_others_are_not_held_for_as_large(monkeypatch: pytest.MonkeyPatch) -> None:
    room, shrunk, other = Room(data_memory=1), Session(), Session()
    sizes = {9: 0.9, 1: 0.01, 3: 0.3}

    def weigh(data: Data) -> int:
        return int(sizes[len(data.parts[0].lines or ())] * 2**30)

    monkeypatch.setattr("mtsig_dashboard.serving._visitors.weight", weigh)
    shrunk.data = Data(parts_of([File("a.txt", b"a\n" * 9)]))
    room.visitors.came("shrunk", shrunk)
    shrunk.data = Data(parts_of([File("a.txt", b"a\n")]))
    other.data = Data(parts_of([File("a.txt", b"a\n" * 3)]))
    room.visitors.came("other", other)
    assert shrunk.data.parts


@pytest.mark.usefixtures("cache_folder")
@pytest.mark.parametrize(("large", "at_once"), [(0, 4), (2**30, 12)])
def test_few_tabs_at_a_time_take_up_large_data(large: int, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtsig_dashboard.session.LARGE", large)
    token, under_way, most, lock = dropped(1).data.token, Counter[str](), [0], threading.Lock()

    def read(files: Sequence[File]) -> list[Part]:
        with lock:
            under_way["reads"] += 1
            most[0] = max(most[0], under_way["reads"])
        time.sleep(0.05)
        with lock:
            under_way["reads"] -= 1
        return list(parts_of(list(files)))

    tabs = [Session(data=Data(token=token)) for _ in range(12)]
    threads = [threading.Thread(target=tab.restore, args=(read,)) for tab in tabs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(tab.data.whole is not None for tab in tabs)
    assert most[0] <= at_once


def test_a_session_whose_time_is_over_goes_at_once_with_its_circles(monkeypatch: pytest.MonkeyPatch) -> None:
    storage = MemorySessionStorage(ttl_seconds=0)
    instance = SimpleNamespace(_session_mgr=SimpleNamespace(_session_storage=storage))
    monkeypatch.setattr("mtsig_dashboard.serving._visitors.runtime.get_instance", lambda: instance)

    class Circle:
        id = "first"

        def __init__(self) -> None:
            self.itself = self

        def shutdown(self) -> None:
            pass

    room, session = Room(), Circle()
    alive = weakref.ref(session)
    gc.disable()  # what would come by itself comes when it likes
    try:
        storage.save(SimpleNamespace(session=session))  # type: ignore[arg-type]
        del session
        assert alive() is not None
        room.visitors.reap()
        # Looking for garbage holds up everybody: however many leave, it is done every half minute, not each time.
        room.later(0.4)
        assert alive() is not None
        room.later(0.2)
        assert alive() is None
    finally:
        gc.enable()


def test_uploads_of_a_session_whose_time_is_over_go_though_streamlit_still_holds_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    storage, uploads = MemorySessionStorage(ttl_seconds=0), MemoryUploadedFileManager("/upload")
    instance = SimpleNamespace(_session_mgr=SimpleNamespace(_session_storage=storage))
    monkeypatch.setattr("mtsig_dashboard.serving._visitors.runtime.get_instance", lambda: instance)

    class Held:
        id = "first"

        def shutdown(self) -> None:
            uploads.remove_session_files(self.id)

    uploads.add_file("first", UploadedFileRec("file", "source.txt", "text/plain", b"a" * 100))
    held = Held()
    storage.save(SimpleNamespace(session=held))  # type: ignore[arg-type]
    Room().visitors.reap()
    assert not uploads.get_files("first", ["file"])
