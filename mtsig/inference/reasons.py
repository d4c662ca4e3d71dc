"""Reasons: everything that can withhold a verdict, each with its sentence and the next step, in this one place.

A test that had to be asked for by name gives its own answer: what speaks against that is a caution beside it, and no
reason to withhold it (see `mtsig.inference.verdict`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class Reason:
    """Why there is no verdict, and what leads on, in words and as flags of the command line; filled in as found."""

    name: str
    sentence: str
    step: str
    flags: str

    def filled(self, **found: object) -> tuple[str, str, str]:
        """Return the sentence, the next step and its flags, each with what was found."""
        return self.sentence.format(**found), self.step.format(**found), self.flags.format(**found)


class Doubt(NamedTuple):
    """Why the data allow no verdict, in words, and the name of that reason; both empty where they allow one."""

    said: str = ""
    of: str = ""


_OTHERWISE = "take segments as the sampling unit, or name another test for its answer with a caution"
_BY_SENTENCES = "compare by a mean of sentence scores, such as sentchrf"

REASONS: Mapping[str, Reason] = {
    reason.name: reason
    for reason in (
        Reason(
            "describes",
            "{metric} describes, and no system is better by it",
            "choose a metric of quality",
            "--metric bleu",
        ),
        Reason("few documents", "{few}", _OTHERWISE, "--unit segment, or --test ar"),
        Reason("text", "{doubt}", "compare by chrF, for one", "--metric chrf"),
        Reason("unequal documents", "{doubt}", _OTHERWISE, "--unit segment, or --test ar"),
        Reason(
            "unequal blocks",
            "{doubt}",
            "give document ids, or name another test for its answer with a caution",
            "--docs docids.txt, or --test ar",
        ),
        Reason("no match", "{doubt}", _BY_SENTENCES, "--metric sentchrf"),
        Reason(
            "reference",
            "{doubt}",
            "compare by references that have nothing of this system, or leave it out",
            "--references, --ref or --systems",
        ),
        Reason("mixed units", "{doubt}", "leave those sets out", "--set"),
        Reason("one unit", "{doubt}", "compare on more of the test set", "--data"),
        Reason("copies", "{doubt}", "leave the copies out", "--runs"),
        Reason("data", "{doubt}", "the notes on these data say more", "mtsig check"),
        Reason("no p", "this test gives no p-value here", "{instead}", "{flags}"),
        Reason(
            "few differ",
            "only {differing:,} of {units:,} {unit}s {verb}, too few for this test",
            "{instead}",
            "--test ar",
        ),
        Reason("not settled", "the corrected p is too near alpha for this number of draws", "{more}", "{flags}"),
        Reason(
            "not confirmed",
            "{unmatched}, and the jackknife test on {metric} with one added to every count is not significant",
            _BY_SENTENCES,
            "--metric sentchrf",
        ),
    )
}
"""By name; the order is that in which they are looked for."""
