"""What SECURITY.md, docs/hosting.md and docs/links.md promise in numbers is what the program holds."""

import re

import pytest
from calibration import render
from made import ROOT
from mtsig_dashboard import host, session
from mtsig_dashboard.parts import forms
from mtsig_dashboard.serving import _connections, _door, _spool, _uploads

from mtsig import resampling
from mtsig._limits import Limits
from mtsig.cli import _dashboard
from mtsig.readers import _files, _parquet, _workbook
from mtsig.segments import _overview

MB = 2**20
LIMITS = Limits()

PROMISED = {
    "docs/hosting.md": (
        f"It must have at least {_dashboard.SHORTEST_PASSWORD} characters",
        f"After {_door.WRONG_PER_ADDRESS} wrong passwords in a minute from one address",
        f"after {_door.WRONG_IN_ALL} in total",
        f"A regular expression has at most {_overview.LONGEST_PATTERN:,} characters, and at most "
        f"{_overview.LONGEST_SPELLED_OUT:,} with its repetitions written out",
        f"for {('no', 'one', 'two')[int(_overview.SEARCH_SECONDS)]} CPU seconds",
        f"A URL has at most {forms.MOST_CHARACTERS:,} characters",
        f"take {host.MOST_BYTES // MB} MB and {_uploads.MOST_NAMES:,} names per tab, and half of `--data-memory`",
        f"at most four links to more than {session.LARGE // MB} MB of files are opened at a time",
        f"the header may take {_connections.HEAD_SECONDS:.0f} seconds",
        f"more than {_connections.MOST_WAITING} idle connections",
        f"The body of the password form may take {_door.FORM_SECONDS:.0f} seconds; an upload may pause for at most "
        f"{_uploads.STALLED_SECONDS:.0f}",
        f"a message from a tab has at most {_connections.MOST_SAID // MB} MB",
        f"After {_door.SAID_AT_ONCE} messages at once, the server reads {_door.SAID_PER_SECOND:.0f} per",
        f"If {_door.MOST_TABS} tabs are open",
        f"the log has at most one line in {({10.0: 'ten'})[host._SECONDS]} seconds",
    ),
    "docs/links.md": (
        f"the numbers of up to {session.MOST_LINKED_STARS} starred segments",
        "and the first 12 digits of the data's digest",
        "a token of 22 random characters",
        "`mtsig_browser`: 43 random characters",
        f"take more than {_spool.Spool.most_bytes // 2**30} GB",
    ),
    "SECURITY.md": (
        f"more than {_files._ANY_RATIO // MB} MB and more than {_files.MOST_RATIO} times the file",
        f"its row groups together have {_parquet._MOST_PIECES:,} columns, or if a column name has more than "
        f"{_parquet._NAME:,} letters",
        f"About {_parquet._AT_ONCE // MB} MB of rows are unpacked at a time",
        f"{_files.MOST_RATIO} times the size of the file (but at least {_files._ANY_RATIO // MB} MB), "
        f"{_workbook._MOST_BESIDE // MB} MB of formats and names",
        f"A tag of its XML may have at most {_workbook._LONGEST_TAG // MB} MB",
        f"and a workbook at most {_files.MOST_MEMBERS:,} sheets",
        "fewer than one in twenty of these cells have a score",
        f"exceed 2^{resampling.MOST_SCORES.bit_length() - 1}, also if",
    ),
}  # fmt: skip


@pytest.mark.parametrize("page", PROMISED)
def test_numbers_are_those_that_hold(page: str) -> None:
    said = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    assert [promise for promise in PROMISED[page] if promise not in said] == []
    # Tests that are named there are there.
    named = re.findall(r"`((?:tests/\w+/)?\w+\.py)`", said)
    there = {path.name for path in (ROOT / "tests").rglob("*.py")} | {path.name for path in ROOT.glob("*.py")}
    assert [name for name in named if name.rpartition("/")[2] not in there] == []


def test_constants_that_pages_say_in_words() -> None:
    assert (_uploads.SHARE, LIMITS.max_spread) == (0.5, 20)
    assert _door.SESSION_SECONDS == _spool.KEPT_SECONDS == 24 * 3600  # a day
    assert _spool.NAMES_SECONDS == _door.BROWSER_SECONDS == 30 * 24 * 3600  # a month
    assert (_door.ALWAYS["X-Content-Type-Options"], _door.ALWAYS["Referrer-Policy"]) == ("nosniff", "same-origin")
    assert len(_door.new_secret()) == 43
    assert _spool._TOKEN.match("x" * 22)
    assert len(session.short_digest("0" * 64)) == 12


def test_places_in_other_pages_are_there() -> None:
    linked = [
        ((page.parent / file if file else page), place)
        for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))
        for file, place in re.findall(r"\]\(([\w./-]*)#([\w-]+)\)", page.read_text(encoding="utf-8"))
    ]
    assert len(linked) > 10
    for page, place in linked:
        heads = re.findall(r"^#+ +(.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert place in [re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", head.lower())) for head in heads], page


def test_words_of_the_measured_rates_are_those_of_the_program_that_writes_them() -> None:
    said = (ROOT / "docs/error-rates.md").read_text(encoding="utf-8")
    titles = [f"## {title}\n" + f"\n{text}\n" * bool(text) for _, title, text, _ in render.SECTIONS]
    assert [part for part in (render.HEAD, *titles, render.TAIL.strip()) if part not in said] == []
