"""Data checks: find faults in a corpus before any result is read.

No check changes the data. To add a check, write a function of a View in the file of its topic, and add it to CHECKS.

>>> from mtsig.doctor import CHECKS
>>> list(CHECKS)[:4]
['shifts', 'empty', 'identical', 'mixed systems']
"""

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from mtsig._options import expect_arguments
from mtsig._plugins import PluginWarning, Rows
from mtsig.corpus import Corpus
from mtsig.doctor import _beside, _fit, _residue, _texts
from mtsig.doctor._view import NOTHING, WHOLE_SOURCE, Checkup, Finding, View
from mtsig.errors import expect, find
from mtsig.progress import each
from mtsig.readers import Part

__all__ = ["CHECKS", "Check", "Checkup", "Finding", "check_data"]


@dataclass(frozen=True)
class Check:
    """One check: the fault to look for, and the function that finds it."""

    what: str
    run: Callable[[View], Iterable[Finding]]


CHECKS = Rows[Check](
    "mtsig.checks",
    Check,
    {
        "shifts": Check("misaligned lines, which match a neighbouring line's reference better", _fit.check_shifts),
        "empty": Check("empty lines", _texts.check_empty),
        "identical": Check("systems with identical or near-duplicate output", _texts.check_identical),
        "mixed systems": Check("systems that have many lines of another system", _texts.check_mixed),
        "reference as system": Check("systems that are identical to a reference", _texts.check_reference_as_system),
        "kinship": Check("systems that share unusually much text with a reference", _texts.check_kinship),
        "copied source": Check("outputs that only repeat the source", _texts.check_copied_source),
        "repeated output": Check("the same output for different segments", _texts.check_repeated),
        "looping": Check("lines that repeat the same words over and over", _texts.check_looping),
        "duplicates": Check("segments that occur twice in the test set", _texts.check_duplicates),
        "script": Check("lines in a script that the references do not use", _fit.check_script),
        "language": Check("systems or lines in another language", _fit.check_language),
        "processing": Check(
            "text that is tokenized, split or lower-cased while other texts are not", _texts.check_processing
        ),
        "residue": Check("comments or special tokens of a decoder or model on many lines", _residue.check_residue),
        "characters": Check("byte-order marks, unusual separators, wrongly decoded text", _texts.check_characters),
        "entities": Check("HTML entities", _texts.check_entities),
        "documents": Check("whether documents are known", _beside.check_documents),
        "rating order": Check("ratings joined to the wrong segments", _beside.check_join),
        "rating sign": Check("ratings with the wrong direction", _beside.check_sign),
        "rating scale": Check("ratings in percent for some systems, and as fractions for others", _beside.check_scale),
    },
)


def check_data(corpus: Corpus, checks: Sequence[str] | None = None) -> Checkup:
    """Check data for misaligned lines, duplicates, wrong languages and other faults.

    Parameters
    ----------
    corpus : Corpus
        The data to check.
    checks : list of str, optional
        Names of checks; by default all of them.

    Returns
    -------
    checkup : Checkup
        The result; `findings` is empty if no fault was found.

    Raises
    ------
    InvalidOption
        The corpus has the wrong type; the message says what to give.
    UnknownName
        There is no check of that name.

    Examples
    --------
    >>> import mtsig
    >>> mtsig.check_data(mtsig.read_sample()).findings
    ()
    """
    expect(corpus, Corpus, "Give a corpus, as read(PATH) makes it")
    expect_arguments(check_data, locals())
    chosen = {name: find(CHECKS, name, "check") for name in (checks or CHECKS)}
    view = View(corpus)
    findings: list[Finding] = []
    for name in each(tuple(chosen)):
        try:
            findings += tuple(chosen[name].run(view))
        except (Exception, SystemExit) as error:  # whatever a stranger's check does with data that it was not made for
            if name in CHECKS.own:
                raise
            told = f"The check {name!r} is left out: {type(error).__name__}: {error}. Update or uninstall its package."
            warnings.warn(told, PluginWarning, stacklevel=2)
            del chosen[name]
    return Checkup(_sorted(_without_effects(findings)), tuple(chosen), len(view.numbers), len(corpus))


_EFFECTS = {
    WHOLE_SOURCE: ("shifts", "script", "language", "identical", "residue"),
    NOTHING: ("shifts", "identical", "residue"),
}
"""What is wrong with a whole text -> the checks that find nothing else in it."""


def _without_effects(findings: Sequence[Finding]) -> Iterable[Finding]:
    """Yield the findings without those that another one of the same texts explains."""
    explained = {
        (effect, name) for finding in findings for effect in _EFFECTS.get(finding.cause, ()) for name in finding.systems
    }
    for finding in findings:
        if not finding.systems or not all((finding.check, name) in explained for name in finding.systems):
            yield finding


_UNREAD = "A file cannot be read"


def check_parts(parts: Sequence[Part]) -> Checkup:
    r"""Return findings on files that form no corpus: files that cannot be read, or that differ in length."""
    problems = [
        Finding("reading", "warning", "certain", part.label, part.problem, "Fix the file first.", (), _UNREAD)
        for part in parts
        if part.problem is not None and part.role != "ignored"
    ]
    lengths = list(_fit.check_lengths([part for part in parts if part.role != "ignored"]))
    count = max((len(part.lines or ()) for part in parts), default=0)
    return Checkup((*problems, *lengths), ("reading", "lengths"), count, count)


def _sorted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: not finding.warns))
