"""The arguments that say where the data are; reading these is left to who needs what reads, as a start does not."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mtsig.cli.limits import add_limits


class _Data(argparse.Action):
    """Keep the first --data as it is, and further ones as `more_data`."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        del parser, option_string
        if namespace.data is None:
            namespace.data = values
        else:
            namespace.more_data = (*namespace.more_data, values)


INPUT: Mapping[str, Mapping[str, Any]] = {
    "data": {
        "action": _Data,
        "metavar": "FOLDER|FILE|NAME",
        "help": "a folder, an archive, one file of any form that `mtsig read --help` lists, or a public test set by "
        "its name (wmt24/en-de; see mtsig fetch); once more for each run where a benchmark's logs lie apart",
    },
    "lp": {"metavar": "PAIR", "help": "which language pair, where --data holds several"},
    "ref": {"nargs": "+", "metavar": "FILE", "default": [], "help": "reference: FILE or NAME=FILE"},
    "sys": {
        "nargs": "+",
        "metavar": "FILE",
        "default": [],
        "help": "system output: FILE or NAME=FILE; one of them may be - or NAME=-, which is read from standard input",
    },
    "source": {"metavar": "FILE", "help": "source text"},
    "docs": {"metavar": "FILE", "help": "one document id per line"},
    "parses": {
        "nargs": "+",
        "metavar": "FILE",
        "default": [],
        "help": "CoNLL-U parse of a system or reference: NAME=FILE, or NAME.conllu",
    },
    "ratings": {
        "nargs": "+",
        "metavar": "[NAME=]FILE[:higher|:lower]",
        "default": [],
        "help": "human or metric scores per segment: a table with a column per system, or with columns system, segment "
        "and scores; :higher or :lower says which is better where the name does not tell, as MQM or COMET do",
    },
    "better": {
        "nargs": "+",
        "metavar": "NAME=higher|lower",
        "default": [],
        "help": "which direction of a rating in --data is better, where neither its name nor the data tell",
    },
    "systems": {"nargs": "+", "metavar": "NAME", "help": "only these systems, in this order"},
    "references": {"nargs": "+", "metavar": "NAME", "help": "only these references"},
    "slice": {
        "nargs": "+",
        "metavar": "BY=NAME",
        "default": [],
        "help": "only these segments: domain=news, origlang=de, document=ID or length=short,long",
    },
}
"""The arguments that name the data of one test set, by their names."""


def add_input(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name the data."""
    group = parser.add_argument_group("input", "--data, or --sys with --ref; --sys beside --data adds systems")
    for name, how in INPUT.items():
        group.add_argument(f"--{name}", **how)
    parser.set_defaults(more_data=())
    add_limits(parser)


def from_stdin(chosen: argparse.Namespace) -> list[str]:
    """Return the names after --sys that mean standard input: "-", or NAME=- unless a file is called so."""
    return [text for text in chosen.sys if text == "-" or (text.endswith("=-") and not _is_file(text))]


def _is_file(text: str) -> bool:
    from mtsig.readers import is_there

    return is_there(Path(text))


def input_arguments(chosen: argparse.Namespace) -> list[str]:
    """Return the input arguments as they would be typed again."""
    arguments: list[str] = []
    for name in INPUT:
        value: str | Sequence[str] | None = getattr(chosen, name)
        if value:
            arguments += [f"--{name}", *([value] if isinstance(value, str) else value)]
        if name == "data":
            arguments += [text for path in chosen.more_data for text in ("--data", path)]
    return arguments
