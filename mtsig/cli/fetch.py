"""`mtsig fetch`: public test sets and tokenizers' models, downloaded by sacreBLEU when they are asked for."""

import argparse
from collections.abc import Iterable, Sequence

from mtsig.cli.flags import add_format
from mtsig.cli.say import tell
from mtsig.cli.show import show
from mtsig.downloads import Download, fetch, find_download, models, public_sets, size_of
from mtsig.errors import InvalidOption
from mtsig.report import Table

EXAMPLES = {
    "mtsig fetch --list": "what can be fetched, and what is here already",
    "mtsig fetch wmt24/en-de": "a public test set; mtsig compare --data wmt24/en-de reads it then",
    "mtsig fetch flores200": "the model of a tokenizer",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="test sets as TESTSET/LP, or tokenizers")
    parser.add_argument("--list", action="store_true", help="print what can be fetched, and what is here")
    add_format(parser, words="of --list; ")


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    if chosen.list or not chosen.names:
        if chosen.names:
            raise InvalidOption("Give either names or --list, not both.")
        _show_all(chosen.format)
        return 0
    # All names are looked at before anything is downloaded.
    for name, download in [(name, find_download(name)) for name in chosen.names]:
        _fetch(name, download)
    return 0


def _fetch(name: str, download: Download) -> None:
    folder = download.archives[0].file.parent
    if download.is_here:
        tell(f"{name} is here already: {folder}")
        return
    size = size_of(download)
    said = "of unknown size" if size is None else f"{size / 2**20:.1f} MB"
    hosts = ", ".join(download.hosts)
    tell(f"{name}: {download.what}, {said}, from {hosts} into {folder}")
    from rich.console import Console  # here, because what is not downloaded needs no clock
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    # sacreBLEU says nothing of how far it is: the size stands above, the time here.
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        progress.add_task(f"Fetching {name} …", total=None)
        files = fetch(download)
    tell(f"{name}: fetched, {sum(file.stat().st_size for file in files) / 2**20:.1f} MB")


def _show_all(style: str) -> None:
    rows = [_row(download, pairs) for download, pairs in public_sets()] + [_row(download, ()) for download in models()]
    bundle = {"downloads": [{**row, "here": bool(row["here"])} for row in rows]}
    caption = "TESTSET/LP, as in `mtsig fetch wmt24/en-de`, and then `mtsig compare --data wmt24/en-de`."
    table = Table.of_text(caption, ("name", "here", "language pairs", "what"), map(_cells, rows))
    show(style, bundle, "downloads", [table])


def _row(download: Download, pairs: Iterable[str]) -> dict[str, object]:
    return {"name": download.name, "here": download.is_here, "language_pairs": list(pairs), "what": download.what}


def _cells(row: dict[str, object]) -> tuple[str, ...]:
    pairs = row["language_pairs"]
    shown = " ".join(pairs) if isinstance(pairs, list) else ""
    return str(row["name"]), "yes" if row["here"] else "", shown, str(row["what"])
