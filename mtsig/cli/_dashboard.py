"""The start of the dashboard: who may reach it, what visitors may take, and what this process may use."""

import argparse
import ipaddress
import json
import os
import re
import select
import socket
import stat
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from mtsig._limits import VARIABLE, limits
from mtsig._memory import checked_folder
from mtsig._options import check, option
from mtsig.cli import _arguments
from mtsig.errors import InvalidOption, MtsigError, ReadError, find, need

PATIENCE = 10
"""Seconds to wait for a password that another program writes to a pipe."""

CONTAINER = Path("/sys/fs/cgroup")
"""Where Linux tells a container its limits; elsewhere there is no such folder."""


def processors() -> int:
    """Return how many processors this process may keep busy: at least 1.

    A container on a large host sees all of the host's, and is slowed down when it uses more than its own.
    """
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota, _, period = _said("cpu.max").partition(" ")
    if not period:  # older systems
        quota, period = _said("cpu/cpu.cfs_quota_us"), _said("cpu/cpu.cfs_period_us")
    if quota.isdecimal() and period.isdecimal() and int(period):
        usable = min(usable, -(-int(quota) // int(period)))
    return max(1, usable)


def memory() -> int:
    """Return how many bytes of memory this process may take, as far as that is known, else 8 GB."""
    known = [int(said) for said in map(_said, ("memory.max", "memory/memory.limit_in_bytes")) if said.isdecimal()]
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        known.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    return min((limit for limit in known if limit > 0), default=8 * 2**30)


def _said(name: str) -> str:
    try:
        return (CONTAINER / name).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


PASSWORD_VARIABLE = "MTSIG_PASSWORD"

VISITORS_VARIABLE = "MTSIG_VISITORS"
"""Environment variable that hands VisitorLimits, as a JSON object, from the launcher to the app."""

SPACE_VARIABLE = "SPACE_HOST"
"""Environment variable by which Hugging Face Spaces tell a container the name that visitors type."""

SPACE_FRAME = "https://huggingface.co"
"""Whose pages show a Space in a frame."""

FRAMES_VARIABLE = "MTSIG_FRAME_ANCESTORS"
"""Environment variable that names, with spaces between them, whose pages may show the dashboard in a frame."""

LESSON_VARIABLE = "MTSIG_LESSON"
"""Environment variable that hands the lesson to open with from the launcher to the app."""

SHORTEST_PASSWORD, LONGEST_PASSWORD = 10, 1000

_NAME = re.compile(r"[\w.-]+|[\da-f:.]+", re.IGNORECASE)

_FRAME = re.compile(r"https?://(\*\.)?[a-z\d-]+(\.[a-z\d-]+)*(:\d+)?", re.IGNORECASE)


PUBLIC_VARIABLE = "MTSIG_PUBLIC"
"""Environment variable by which a host that runs `streamlit run streamlit_app.py` says that it is one."""

COMMUNITY_CLOUD = Path("/mount/src")
"""Where Streamlit Community Cloud puts the repositories that it runs."""


@dataclass(frozen=True)
class Serving:
    """Who is answered: this computer's own "localhost", and what is named here.

    `hosts` are further names of the server; `own_address` answers to the address that a request came to, too;
    `password` is asked before anything is shown, unless it is None; `address` is where the server listens, unless it is
    this computer alone. `everywhere` answers under every name and to every origin: on a public host, whose proxy
    decides both. `frames` are the origins whose pages may show the dashboard in a frame, beside its own. `proxied` is
    whether a reverse proxy on this computer hands requests on, and says from where they came.
    """

    hosts: tuple[str, ...] = ()
    own_address: bool = False
    password: str | None = None
    address: str | None = None
    everywhere: bool = False
    frames: tuple[str, ...] = ()
    proxied: bool = False


def room_for_visitors() -> dict[str, Any]:
    """Return the limits of visitors, by their names, that fit into this machine."""
    workers = max(2, min(processors(), memory() // 2**30))
    share = round(memory() / 2**31 / workers, 2)
    return {
        "workers": workers,
        "worker_memory": max(0.5, min(4.0, share)),
        "data_memory": min(2.0, round(memory() / 2**33, 2)),
    }


_ROOM = room_for_visitors()


@dataclass(frozen=True)
class VisitorLimits:
    """What the visitors of a dashboard may take."""

    workers: int = option(
        _ROOM["workers"],
        "Workers",
        "Number of worker processes for short tasks. Long tasks have as many worker processes of their own. With 0, "
        "the server itself does the work, without limits on time or memory.",
        low=0,
        high=1000,
    )
    worker_memory: float = option(
        _ROOM["worker_memory"],
        "Memory of a worker",
        "Memory in GB that one task may use; by default 4, or less if all together would exceed half of the memory.",
        low=0.5,
        high=1e6,
    )
    worker_seconds: float = option(
        300.0, "Time of a worker", "Seconds of computing time that one task may take.", low=1, high=1e6
    )
    data_memory: float = option(
        _ROOM["data_memory"],
        "Memory of data",
        "GB of memory for the data of all visitors; other data are kept on disk. By default 2, or 1/8 of the memory.",
        low=0.001,
        high=1e6,
    )
    keep_minutes: float = option(
        10.0, "Minutes of data", "Minutes that data stay in memory after their tab is closed.", low=0, high=1e6
    )

    def __post_init__(self) -> None:
        """Raise InvalidOption for a value that is out of bounds."""
        check(self)

    def hand_on(self) -> None:
        """Put them where `from_environment` finds them, in this process and its children."""
        os.environ[VISITORS_VARIABLE] = json.dumps(asdict(self))

    @classmethod
    def from_environment(cls) -> "VisitorLimits":
        """Return the limits that were handed on, or the defaults."""
        text = os.environ.get(VISITORS_VARIABLE, "{}")
        try:
            return cls(**json.loads(text))
        except InvalidOption as error:
            raise InvalidOption(f"{VISITORS_VARIABLE}: {error}") from None
        except (TypeError, ValueError):
            names = ", ".join(field.name for field in fields(cls))
            raise InvalidOption(
                f"{VISITORS_VARIABLE} must be a JSON object with numbers under these names ({names}), such as "
                f'{{"workers": 1}}; found {text[:200]!r}.'
            ) from None


def serving_from(arguments: Sequence[str]) -> tuple[Serving, list[str]]:
    """Return what arguments such as ["--share", "lab.example.org"] say, and the other arguments."""
    parser = _arguments.Parser()
    _arguments.add_options(parser, ["+serving"])
    chosen, rest = parser.parse_known_args(arguments)
    return read_serving(chosen), rest


def read_serving(chosen: argparse.Namespace) -> Serving:
    """Return what the arguments and the environment say."""
    names = [*(chosen.share or ()), *([chosen.behind_proxy] if chosen.behind_proxy is not None else [])]
    for name in names:
        if not _NAME.fullmatch(name):
            raise InvalidOption(
                f"{name!r} is not a host name such as lab.example.org: expected a name without scheme, port or path."
            )
    password = _password(chosen.password_file)
    frames, proxied = _frames(chosen.frame_ancestors), chosen.behind_proxy is not None
    if chosen.share is None:
        if chosen.address is not None and not _is_local(chosen.address):
            raise InvalidOption(
                f"At the address {chosen.address!r}, other computers can reach the dashboard. Add --share, and a "
                f"password in {PASSWORD_VARIABLE} or --password-file."
            )
        return Serving(tuple(names), False, password, chosen.address, frames=frames, proxied=proxied)
    space = os.environ.get(SPACE_VARIABLE)
    if space:
        # Who may come to a Space is for its owner to say there; a password may come on top.
        return Serving((space, *names), False, password, "0.0.0.0", True, frames or (SPACE_FRAME,), proxied)
    if password is None and not proxied:
        raise InvalidOption(
            f"With --share, other computers can reach the dashboard. Give a password in {PASSWORD_VARIABLE} or "
            "--password-file FILE, or --behind-proxy HOST if a reverse proxy authenticates visitors."
        )
    address = "0.0.0.0" if chosen.address is None else chosen.address
    own = () if proxied else (socket.gethostname(),)
    return Serving((*names, *own), not proxied, password, address, frames=frames, proxied=proxied)


def hosted(script: Path) -> Serving:
    """Return who is answered where `streamlit run` was given the app's file `script`.

    On a public host all whom its proxy lets through: Community Cloud is known by where it puts repositories, others say
    so by PUBLIC_VARIABLE, or set a password. Anywhere else, as on your own computer, nobody but that computer.
    """
    password = _password(None)
    told = password is not None or os.environ.get(PUBLIC_VARIABLE, "") not in {"", "0"}
    public = told or script.is_relative_to(COMMUNITY_CLOUD)
    return Serving(password=password, everywhere=public, frames=_frames(None), proxied=public)


def serving_arguments(chosen: argparse.Namespace) -> list[str]:
    """Return the serving arguments as they would be typed again."""
    arguments = [] if chosen.share is None else ["--share", *chosen.share]
    arguments += [] if chosen.frame_ancestors is None else ["--frame-ancestors", *chosen.frame_ancestors]
    for flag, value in (
        ("--password-file", chosen.password_file),
        ("--behind-proxy", chosen.behind_proxy),
        ("--server.address", chosen.address),
        ("--server.port", chosen.port),
    ):
        arguments += [] if value is None else [f"{flag}={value}"]
    return arguments


def _frames(named: Sequence[str] | None) -> tuple[str, ...]:
    origins = os.environ.get(FRAMES_VARIABLE, "").split() if named is None else named
    for origin in origins:
        if not _FRAME.fullmatch(origin):
            raise InvalidOption(
                f"{origin!r} is not an origin such as https://lab.example.org or https://*.example.org: expected a "
                "scheme and a host name without a path."
            )
    return tuple(origins)


def _is_local(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"


def _password(file: str | None) -> str | None:
    given = os.environ.get(PASSWORD_VARIABLE)
    if file is not None:
        if given is not None:
            raise InvalidOption(f"Give the password either in {PASSWORD_VARIABLE} or in --password-file; found both.")
        try:
            is_pipe = stat.S_ISFIFO(os.stat(file).st_mode)  # noqa: PTH116
            descriptor = os.open(file, os.O_RDONLY | (os.O_NONBLOCK if is_pipe else 0))
            with os.fdopen(descriptor, "rb") as stream:
                if is_pipe and not select.select([stream], [], [], PATIENCE)[0]:
                    raise ReadError(f"{file}: it is a pipe, and no program wrote to it within {PATIENCE} seconds.")
                given = stream.readline(4 * LONGEST_PASSWORD).decode("utf-8").rstrip("\r\n")
        except OSError as error:
            raise ReadError(f"{file}: cannot be read ({error.strerror or error}).") from None
        except UnicodeDecodeError:
            raise ReadError(f"{file}: the password is not valid UTF-8.") from None
    if given is not None and not SHORTEST_PASSWORD <= len(given) <= LONGEST_PASSWORD:
        raise InvalidOption(
            f"The password has {len(given)} characters; expected {SHORTEST_PASSWORD} to {LONGEST_PASSWORD}."
        )
    return given


def add_dashboard(parser: argparse.ArgumentParser) -> None:
    """Add what visitors may take."""
    _arguments.add_flags(parser, VisitorLimits, title="visitors", called={"workers": "worker-processes"})


def run_dashboard(chosen: argparse.Namespace) -> int:
    """Start the dashboard and return its exit code when it ends; bad input is told before anything starts.

    The library never imports Streamlit: the dashboard is a program of its own.
    """
    # Some write "--" before what is meant for the server; handed on, it would end the server's own options.
    rest = [flag for flag in chosen.rest if flag != "--"]
    if rest and not rest[0].startswith("-"):
        raise ReadError(f"Unexpected {rest[0]!r}. To open a folder or a table: mtsig dashboard --data {rest[0]}")
    if chosen.subset:
        raise InvalidOption("The dashboard opens whole test sets. Choose subsets on its Data page.")
    if _arguments.from_stdin(chosen):
        raise InvalidOption("The dashboard cannot read standard input. Save that output as a file, and name the file.")
    read_serving(chosen)
    checked_folder()
    _arguments.chosen_options(VisitorLimits, chosen).hand_on()
    if chosen.lesson:
        os.environ[LESSON_VARIABLE] = _lesson(chosen.lesson[-1])
    need("dashboard")
    arguments = _arguments.typed_again(chosen)
    if chosen.set and arguments:
        raise InvalidOption(f"--set and {arguments[0]} do not go together: {arguments[0]} is for one test set.")
    several: Sequence[str] = chosen.set or ()
    # The dashboard loads what reads by itself: a start without data does not wait for it twice.
    if arguments:
        from mtsig.cli._reading import is_of_preferences_alone, read_input, read_parts

        try:
            read_input(chosen)
        except MtsigError:
            if _holds_several(chosen.data, arguments):
                several = chosen.data
            elif not is_of_preferences_alone(read_parts(chosen)):
                raise
    if several:
        from mtsig.collection import read_sets

        read_sets(several)
        arguments = ["--set", *several]
    os.environ[VARIABLE] = limits().text
    # -P: a folder called mtsig_dashboard where the user stands is not ours. The process becomes the dashboard's, so
    # that whoever ends it ends the dashboard.
    command = [sys.executable, "-P", "-m", "mtsig_dashboard", *serving_arguments(chosen), *rest, "--", *arguments]
    sys.stdout.flush()
    if sys.platform == "win32":  # execv leaves the shell at once there, and splits what has spaces
        return subprocess.call(command)
    return os.execv(sys.executable, command)


def _holds_several(data: Sequence[str], arguments: Sequence[str]) -> bool:
    """Return whether what is no test set holds several; nothing else is said of it then."""
    from mtsig.collection._sets import parts_of_sets
    from mtsig.readers._assemble import language_pairs

    return list(arguments) == ["--data", *data[:1]] and len(language_pairs(parts_of_sets(data[0]))) > 1


def _lesson(number: int) -> str:
    """Return the address of a lesson or game."""
    from mtsig.lessons import GAMES, LESSONS  # which no other start has to wait for

    find({str(each.number): each for each in (*LESSONS, *GAMES)}, str(number), "lesson")
    return str(number)
