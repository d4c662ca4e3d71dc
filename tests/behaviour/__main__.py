"""A checkout goes in, a folder with what every verb and page says comes out; of two such folders, what differs.

    python tests/behaviour record FOLDER [--jobs 2] [--only GLOB] [--root CHECKOUT]
    python tests/behaviour compare BEFORE AFTER [--only GLOB] [--rename OLD=NEW …] [--reasons FILE]

It knows the command line and the titles of the dashboard's pages, and nothing of what is inside: modules may move.
A file of reasons has lines `glob<TAB>reason`: what it names may differ, and the reason is printed instead.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from behaviour.differences import compare  # noqa: E402
from behaviour.inputs import lines_of  # noqa: E402
from behaviour.pages import page  # noqa: E402
from behaviour.recording import record  # noqa: E402


def _read_reasons(file: str | None) -> list[tuple[str, str]]:
    if file is None:
        return []
    lines = [line for line in lines_of(Path(file)) if line.strip() and not line.startswith("#")]
    wrong = [line for line in lines if "\t" not in line]
    if wrong:
        raise SystemExit(f"{file}: a line is a glob, a tab and a reason; found {wrong[0]!r}.")
    return [(glob, reason) for glob, _, reason in (line.partition("\t") for line in lines)]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the script and return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    recording = verbs.add_parser("record", help="run everything and write what it says")
    recording.add_argument("folder", type=Path)
    recording.add_argument("--jobs", type=int, default=2)
    recording.add_argument("--only", default="*", metavar="GLOB", help="only runs of such names")
    comparing = verbs.add_parser("compare", help="print what differs between two records")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--only", default="*", metavar="GLOB", help="only runs of such names")
    comparing.add_argument("--rename", nargs="+", default=[], metavar="OLD=NEW", help="words to rename in BEFORE first")
    comparing.add_argument("--reasons", metavar="FILE", help="lines of glob, tab, reason")
    paging = verbs.add_parser("page", help="print what one page shows (used by record)")
    paging.add_argument("title")
    paging.add_argument("data", nargs="*", help="arguments, after --, that name data to draw it with as well")
    for one in (recording, paging):
        one.add_argument(
            "--root", type=Path, default=Path(__file__).resolve().parents[2], help="the checkout (default: this one)"
        )
    chosen = parser.parse_args(argv)
    if chosen.verb == "record":
        return record(chosen.folder, chosen.root, chosen.jobs, chosen.only)
    if chosen.verb == "page":
        return page(chosen.title, chosen.root.resolve(), chosen.data)
    renames = dict(one.split("=", 1) for one in chosen.rename)
    return compare(chosen.before, chosen.after, renames, _read_reasons(chosen.reasons), chosen.only)


if __name__ == "__main__":
    sys.exit(main())
