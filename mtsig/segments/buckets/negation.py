"""Negation: a text says no where another does not."""

from collections.abc import Callable
from dataclasses import dataclass

from mtsig.segments.buckets.detector import Contrast, Texts
from mtsig.segments.buckets.languages import LANGUAGES, Found, Language, language_of, named


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
        language = _language(texts)
        if language.code is None:
            return f"Its negations are not known for this language ({language.name})."
        return ""

    def reader(self, texts: Texts) -> Callable[[str], Negated]:
        """Return what reads whether a line negates."""
        language = LANGUAGES[_language(texts).code or ""]
        return lambda line: negated(line, language)

    def differ(self, negated: Negated, other: Negated) -> bool:
        """Return whether one of them negates and the other does not come near it."""
        return (negated.plainly and not (other.plainly or other.nearly)) or (
            other.plainly and not (negated.plainly or negated.nearly)
        )


def _language(texts: Texts) -> Found:
    """Return the language that the texts are said to be in, or else seem to be in."""
    if texts.language is not None:
        return named(texts.language)
    return language_of(texts.references[0] if texts.references else texts.first)


def negated(line: str, language: Language) -> Negated:
    """Return what a line in a language has of negation.

    >>> negated("He isn't here, and not only he.", LANGUAGES["en"]), negated("Not only he is here.", LANGUAGES["en"])
    (Negated(plainly=True, nearly=False), Negated(plainly=False, nearly=False))
    """
    text = line.lower()
    kinds = language.kinds(text)
    if "plain" in kinds or not language.spaced:
        kinds = language.kinds(language.phrases.sub(" ", text))
    return Negated("plain" in kinds, "near" in kinds)
