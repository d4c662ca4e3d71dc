"""Notes on what is compared: names of systems go in, what to know of them before reading a number comes out."""

from collections.abc import Iterable, Mapping, Sequence

from mtsig.corpus import Note
from mtsig.corpus._notes import listed, runs_by_name


def single_runs(names: Iterable[str]) -> tuple[Note, ...]:
    """Return the warning that is due where outputs of these names are held against each other one by one.

    >>> from mtsig.cautions._runs import single_runs
    >>> single_runs(["A", "B"]), single_runs(["A.run1", "A.run2", "B"])[0].level
    ((), 'warning')
    """
    said = single_runs_text(runs_by_name(sorted(names)))
    return () if said is None else (Note("warning", said),)


def single_runs_text(runs: Mapping[str, Sequence[str]]) -> str | None:
    """Return a warning where outputs that are compared one by one are runs of systems; None where none is.

    `runs` is what `runs_by_name` returns: a system whose only output bears its own name has no runs.

    >>> single_runs_text({"A": ["A"], "B": ["B"]}) is None
    True
    """
    several = {system: names for system, names in runs.items() if tuple(names) != (system,)}
    if not several:
        return None
    counts = listed([f"{len(names)} of {system}" for system, names in several.items()])
    return (
        f"Single runs are compared here: {counts}. The best of several runs is better by luck, so comparing the best "
        "run of each is no test of the systems. Compare all runs together instead: mtsig runs on the command line, "
        "the sentence on runs on the Results page."
    )
