"""`mtsig completion`: a script by which a shell completes verbs, flags and files."""

import argparse
from collections.abc import Sequence

import shtab

from mtsig.cli.say import say_data
from mtsig.cli.verbs import VERBS, parser_of
from mtsig.metrics import METRICS

EXAMPLES = {
    'eval "$(mtsig completion bash)"': "for the bash that runs; put it into ~/.bashrc for every later one",
    'mtsig completion zsh > "${fpath[1]}/_mtsig"': "for zsh, in the first folder that it looks into",
    "mtsig completion tcsh >> ~/.cshrc": "for tcsh",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("shell", choices=("bash", "zsh", "tcsh"), help="the shell that is to read the script")


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    parser = parser_of(VERBS)
    _describe(parser)
    say_data(shtab.complete(parser, chosen.shell) + "\n")
    return 0


def _describe(parser: argparse.ArgumentParser) -> None:
    """Say in a parser that only completes what its arguments take: words, metrics, files or folders."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for verb in action.choices.values():
                _describe(verb)
            continue
        metavar = action.metavar if isinstance(action.metavar, str) else ""
        words = metavar.split("|")
        if action.choices is None and all(word == word.lower() for word in words) and len(words) > 1:
            action.choices = words
        elif action.dest == "metric":
            action.choices = list(METRICS)
        elif {"FILE", "PATH", "STUDY"} & set(_names(metavar)):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif "FOLDER" in _names(metavar):
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]


def _names(metavar: str) -> list[str]:
    """Return the words of what an argument is said to take: [NAME=]PATH takes a NAME and a PATH."""
    return "".join(sign if sign.isalpha() else " " for sign in metavar).split()
