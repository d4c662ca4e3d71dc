"""`mtsig lessons`: handouts, notebooks and the course page, made of the user's data or of the sample."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from mtsig.cli.inputs import add_input, input_arguments
from mtsig.cli.reading import read_input
from mtsig.cli.say import say, tell
from mtsig.cli.show import progress
from mtsig.errors import InvalidOption
from mtsig.lessons import FORMATS, GAMES, LESSONS, Classroom, Lesson, Source, kit_files
from mtsig.readers import read_sample
from mtsig.writing import write_file

EXAMPLES = {
    "mtsig lessons --out handouts": "all lessons on the sample data",
    "mtsig lessons --data data --lesson 1 2 --to html pdf --solutions --out handouts": "two lessons on one's own data",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_input(parser)
    group = parser.add_argument_group("lessons")
    written = ", ".join(f"{name}: {file}" for name, file in FORMATS.items())
    group.add_argument("--to", nargs="+", choices=tuple(FORMATS), default=["html"], metavar="FORMAT",
                       help=f"{written} (default: html)")  # fmt: skip
    group.add_argument("--out", metavar="FOLDER", required=True, help="where the files go")
    listed = ", ".join(f"{lesson.number}: {lesson.title}" for lesson in (*LESSONS, *GAMES))
    group.add_argument("--lesson", nargs="+", type=int, metavar="N", default=[], help=f"only these lessons ({listed})")
    group.add_argument("--solutions", action="store_true", help="with the answers, worked out on the data")
    group.add_argument("--metric", metavar="NAME[:OPTION=VALUE,…]", default="bleu", help="default: bleu")
    group.add_argument("--pair", nargs=2, metavar=("FIRST", "SECOND"), help="the two systems (default: the two best)")
    group.add_argument("--seed", type=int, default=12345, metavar="N", help="of all draws (default: 12345)")


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    lessons = _lessons(chosen.lesson)
    given = input_arguments(chosen)
    _check_notebooks(chosen, given)
    if chosen.more_data:
        raise InvalidOption("Lessons and their notebooks take one --data: give the folder that holds all runs.")
    corpus = read_input(chosen) if given else read_sample()
    if not given:
        tell("note: no data given: this is the sample data. Use --data for your own.")
    pair = None if chosen.pair is None else (chosen.pair[0], chosen.pair[1])
    with progress("Drawing the lessons"):
        room = Classroom.of(corpus, chosen.metric, pair, chosen.seed)
        # A notebook may be opened in another folder than the one that it was made in.
        data = str(Path(chosen.data).absolute()) if chosen.data and Path(chosen.data).exists() else chosen.data
        files, notes = kit_files(room, chosen.to, lessons, chosen.solutions, Source(data, chosen.metric))
    for note in notes:
        tell(f"{note.level}: {note.text}")
    for name, data_of_file in files.items():
        place = Path(chosen.out) / name
        write_file(place, data_of_file)
        say(str(place))
    return 0


def _lessons(numbers: Sequence[int]) -> list[Lesson]:
    known = {lesson.number: lesson for lesson in (*LESSONS, *GAMES)}
    unknown = [str(number) for number in numbers if number not in known]
    if unknown:
        raise InvalidOption(f"There is no lesson {', '.join(unknown)}; there are {min(known)} to {max(known)}.")
    return [known[number] for number in numbers or known]


def _check_notebooks(chosen: argparse.Namespace, given: Sequence[str]) -> None:
    """Refuse what a notebook could not read again.

    Raises:
        InvalidOption: notebooks are asked for, and the data are more than --data.
    """
    if "ipynb" not in chosen.to:
        return
    others = [word for word in given if word.startswith("--") and word != "--data"]
    if others:
        raise InvalidOption(f"A notebook reads its data from --data alone; found {', '.join(others)}, too.")
