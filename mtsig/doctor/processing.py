"""Processing left in: text that is tokenized, split into subwords or lower-cased where its reference is not."""

import re
from collections.abc import Iterator, Sequence

from mtsig.doctor.finding import Finding, Named
from mtsig.doctor.view import View

_STOP = re.compile(r"\w ?[.,](?= |$)")
_TOKENIZED = re.compile(r"\w [.,](?= |$)")
"""A word, a space, and a full stop or comma: written so in no language."""

_SUBWORD = re.compile(r"@@(?: |$)|(?:^| )▁\w|@-@| ##\w")
_FEW = 20
"""Marks below this number say nothing about a whole text."""

_ENOUGH = 1000
"""Lines that tell whether there are capitals."""

MOSTLY = 0.5


def check(view: View) -> Iterator[Finding]:
    """Yield the texts that were processed otherwise than their reference."""
    yield from _subwords(view)
    yield from _tokenized(view)
    yield from _lower_case(view)
    yield from _upper_case(view)


def _subwords(view: View) -> Iterator[Finding]:
    for name, lines in _outputs_and_references(view).items():
        having = sum(line is not None and _SUBWORD.search(line) is not None for line in lines)
        if having >= 0.05 * len(lines):
            text = f"{having} of {len(lines)} lines hold marks of subwords (@@, ▁, ##, @-@)."
            yield Finding("processing", "warning", "sure", str(name), text, "Join the subwords before scoring.")


def _tokenized(view: View) -> Iterator[Finding]:
    shares = {name: _share(lines, _TOKENIZED, _STOP) for name, lines in _outputs_and_references(view).items()}
    known = {name: share for name, share in shares.items() if share is not None}
    split = [name for name, share in known.items() if share > MOSTLY]
    if not split:
        return
    if len(split) == len(known):
        text = "all of them have spaces before full stops and commas: they are tokenized already."
        advice = "Scores are not comparable with those on plain text. Keep to one tokenization, and say so."
        yield Finding("processing", "note", "likely", "systems and references", text, advice)
        return
    for name in split:
        text = f"{known[name]:.0%} of its full stops and commas stand after a space: it is tokenized, others are not."
        advice = "Detokenize it, so that all texts are written alike."
        yield Finding("processing", "warning", "likely", str(name), text, advice)


def _lower_case(view: View) -> Iterator[Finding]:
    shares = {name: _capitals(lines) for name, lines in _outputs_and_references(view).items()}
    known = {name: share for name, share in shares.items() if share is not None}
    lower = [name for name, share in known.items() if share < 0.001]
    if not lower:
        return
    if len(lower) == len(known):
        text = "there is not one capital letter in a thousand: all of them are lower-cased."
        advice = "Scores are not comparable with those on text as it is written."
        yield Finding("processing", "note", "likely", "systems and references", text, advice)
        return
    cased = [name for name in known if name not in lower]
    if max(known[name] for name in cased) < 0.01:
        return
    for name in lower:
        text = "it is written in small letters throughout, others are not."
        advice = "Restore its capitals, or compare all systems with lowercase=true."
        yield Finding("processing", "warning", "likely", str(name), text, advice)


def _upper_case(view: View) -> Iterator[Finding]:
    shares = {name: _capitals(lines) for name, lines in _outputs_and_references(view).items()}
    known = {name: share for name, share in shares.items() if share is not None}
    upper = [name for name, share in known.items() if share > 0.9]
    if len(upper) == len(known):
        return
    for name in upper:
        text = "it is written in capitals throughout, others are not."
        advice = "Restore its small letters, or compare all systems with lowercase=true."
        yield Finding("processing", "warning", "likely", str(name), text, advice)


def _outputs_and_references(view: View) -> dict[Named, Sequence[str | None]]:
    return {name: lines for name, lines in view.texts.items() if name.role != "source"}


def _share(lines: Sequence[str | None], some: re.Pattern[str], of: re.Pattern[str]) -> float | None:
    text = "\n".join(line or "" for line in lines)
    total = len(of.findall(text))
    return len(some.findall(text)) / total if total >= _FEW else None


def _capitals(lines: Sequence[str | None]) -> float | None:
    """Return the share of capitals among letters that have two cases; None where the script has none."""
    text = "".join(line or "" for line in lines[:_ENOUGH])
    upper, lower = (sum(map(of_case, text)) for of_case in (str.isupper, str.islower))
    return upper / (upper + lower) if upper + lower >= 50 * _FEW else None
