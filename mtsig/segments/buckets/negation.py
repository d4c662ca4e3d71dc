"""Negation: a text says no where another does not."""

from collections.abc import Callable
from dataclasses import dataclass

from mtsig.arrays import Mask
from mtsig.segments.buckets.detector import Contrast, Stream, Texts, spread_out
from mtsig.segments.buckets.languages import LANGUAGES, Language


@dataclass(frozen=True)
class Negated:
    """What a text has of negation: one, or a word that may stand for one."""

    plainly: bool
    nearly: bool


class Negation(Contrast[Negated]):
    """Segments in which one output has a negation and the other has none, nor a word that may stand for one."""

    name = "negation"
    title = "negation differs"
    about = (
        "One output has a word that negates (not, kein, 没 …) and the other has neither such a word nor one that may "
        f"stand for it (without, unable …); known for {', '.join(language.name for language in LANGUAGES.values())}."
    )
    alone = about.replace("One output has", "One of output and reference has")
    alone_needs = "reference"

    def lacking(self, texts: Texts) -> str:
        """Return why it cannot be known, also for a language without a list."""
        why = super().lacking(texts)
        if why:
            return why
        language = texts.seems
        if language.code is None:
            return f"Its negations are not known for this language ({language.name})."
        return ""

    def has(self, lines: Stream, texts: Texts) -> Mask:
        """Return which lines have a word that negates, be it in a phrase in which it does not."""
        language = LANGUAGES[texts.seems.code or ""]
        if not language.spaced:
            negates = language.negation.pattern.search
            return spread_out((line is not None and negates(line.lower()) is not None for line in lines), len(lines))
        return texts.column(lines).any(language.negates)

    def reader(self, texts: Texts) -> Callable[[str], Negated]:
        """Return what reads whether a line negates."""
        language = LANGUAGES[texts.seems.code or ""]
        return lambda line: negated(line, language)

    def differ(self, negated: Negated, other: Negated) -> bool:
        """Return whether one of them negates and the other does not come near it."""
        return (negated.plainly and not (other.plainly or other.nearly)) or (
            other.plainly and not (negated.plainly or negated.nearly)
        )


def negated(line: str, language: Language) -> Negated:
    """Return what a line in a language has of negation.

    >>> negated("He isn't here, and not only he.", LANGUAGES["en"]), negated("Not only he is here.", LANGUAGES["en"])
    (Negated(plainly=True, nearly=False), Negated(plainly=False, nearly=False))
    """
    text = line.lower()
    kinds = language.kinds(text)
    if "plain" in kinds or not language.spaced:
        kinds = language.kinds(language.phrases.pattern.sub(" ", text))
    return Negated("plain" in kinds, "near" in kinds)
