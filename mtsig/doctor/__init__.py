"""The alignment doctor: a corpus goes in, what is doubtful about it comes out before any number is believed.

No check changes the data. A new check is a function of a View in the file of its topic, and a row in CHECKS.

>>> from mtsig.doctor import CHECKS
>>> list(CHECKS)[:4]
['shifts', 'empty', 'identical', 'reference as system']
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from mtsig._arguments import expect_arguments
from mtsig.corpus import Corpus
from mtsig.doctor import _beside, _fit, _texts
from mtsig.doctor._view import Checkup, Finding, View
from mtsig.errors import expect, find
from mtsig.progress import each
from mtsig.readers import Part

__all__ = [
    "CHECKS",
    "Check",
    "Checkup",
    "Finding",
    "check_data",
]


@dataclass(frozen=True)
class Check:
    """One check: what it looks for, and the function that does."""

    what: str
    run: Callable[[View], Iterable[Finding]]


CHECKS: dict[str, Check] = {
    "shifts": Check("lines that fit a neighbour's reference better than their own", _fit.check_shifts),
    "empty": Check("empty lines", _texts.check_empty),
    "identical": Check("systems that are equal, or nearly", _texts.check_identical),
    "reference as system": Check("systems that are a reference", _texts.check_reference_as_system),
    "kinship": Check("systems that have far more of a reference than others", _texts.check_kinship),
    "copied source": Check("source lines handed back", _texts.check_copied_source),
    "repeated output": Check("one output for different segments", _texts.check_repeated),
    "looping": Check("lines in which the same words come again and again", _texts.check_looping),
    "duplicates": Check("segments that stand in the test set twice", _texts.check_duplicates),
    "script": Check("lines in another script than the references", _fit.check_script),
    "language": Check("systems, or lines, in another language than the references", _fit.check_language),
    "processing": Check("text that is tokenized, split or lower-cased where others are not", _texts.check_processing),
    "characters": Check("byte-order marks, odd separators, wrong decoding", _texts.check_characters),
    "entities": Check("HTML entities", _texts.check_entities),
    "documents": Check("whether it is known which segments go together", _beside.check_documents),
    "rating order": Check("ratings joined to the wrong segments", _beside.check_join),
    "rating sign": Check("ratings with their direction turned", _beside.check_sign),
}


def check_data(corpus: Corpus, checks: Sequence[str] | None = None) -> Checkup:
    """Return what the checks, or those named, find in a corpus.

    >>> import mtsig
    >>> mtsig.check_data(mtsig.read_sample()).findings
    ()

    Raises:
        InvalidOption: the corpus is of another kind; the message says what to give.
        UnknownName: there is no such check.
    """
    expect(corpus, Corpus, "Give a corpus, as read(PATH) makes it")
    expect_arguments(check_data, locals())
    chosen = {name: find(CHECKS, name, "check") for name in (checks or CHECKS)}
    view = View(corpus)
    findings: list[Finding] = []
    for check in each(chosen.values()):
        findings += check.run(view)
    return Checkup(_sorted(findings), tuple(chosen), len(view.numbers), len(corpus))


def check_parts(parts: Sequence[Part]) -> Checkup:
    r"""Return what is wrong with files that make no corpus: those that cannot be read, and those of another length.

    >>> from mtsig.doctor import check_parts
    >>> from mtsig.readers import File
    >>> from mtsig.readers._find import parts_of
    >>> files = [File("systems/ours.txt", b"The cat sat.\nIt slept.\n"), File("ref.txt", b"A cat sat.\n")]
    >>> [(finding.check, finding.found) for finding in check_parts(parts_of(files))]
    [('lengths', "has 1 line, the others have 2. It fits system 'ours' up to line 1.")]
    """
    problems = [
        Finding("reading", "warning", "sure", part.label, part.problem, "The file has to be mended first.")
        for part in parts
        if part.problem is not None and part.role != "ignored"
    ]
    lengths = list(_fit.check_lengths([part for part in parts if part.role != "ignored"]))
    count = max((len(part.lines or ()) for part in parts), default=0)
    return Checkup((*problems, *lengths), ("reading", "lengths"), count, count)


def _sorted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: finding.level != "warning"))
