"""METEOR (Banerjee and Lavie 2005): F of matched words, with a penalty for matches in a different order."""

import os
import re
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mtsig._memory import remembered
from mtsig._options import option, same_option
from mtsig._records import FloatArray
from mtsig.citations import Citations
from mtsig.corpus import Corpus, Note
from mtsig.errors import NotApplicable
from mtsig.metrics._bleu import Bleu
from mtsig.metrics._metric import Scope
from mtsig.metrics._word_metrics import Counter, WordMetric, Words
from mtsig.text import align
from mtsig.text._alignment import LONG, Stage

STEMMERS = (
    "porter", "english", "arabic", "basque", "catalan", "danish", "dutch", "estonian", "finnish", "french", "german",
    "greek", "hindi", "hungarian", "indonesian", "irish", "italian", "lithuanian", "nepali", "norwegian", "portuguese",
    "romanian", "russian", "serbian", "spanish", "swedish", "tamil", "turkish", "yiddish",
)  # fmt: skip
"""Snowball's stemmers; porter is Porter's first one for English (1980), english his second."""


@remembered()
def stem_by(stemmer: str) -> Callable[[str], str]:
    """Return the function that stems lowercased words with one of STEMMERS, each word worked out once."""
    import snowballstemmer  # here, because it loads the stemmers of all languages, and only METEOR stems

    stem: Callable[[str], str] = remembered(most=2**16)(snowballstemmer.stemmer(stemmer).stemWord)
    return stem


Folder: TypeAlias = Path | zipfile.Path
Sense: TypeAlias = tuple[str, str]
"""Part of speech and the synset's number in it."""

PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")

_ENDINGS = {
    "noun": (("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"),
             ("ies", "y")),
    "verb": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}  # fmt: skip
"""How WordNet's morphy turns endings into those of base forms."""


@dataclass(frozen=True, eq=False)
class WordNet:
    """The words of WordNet with their senses, and the base forms of irregular ones, each by part of speech."""

    version: str
    senses_of: Mapping[str, Mapping[str, tuple[Sense, ...]]]
    irregular: Mapping[str, Mapping[str, tuple[str, ...]]]
    _known: dict[str, frozenset[Sense]] = field(default_factory=dict, repr=False)

    def senses(self, word: str) -> frozenset[Sense]:
        """Return the senses of a lowercased word and of its possible base forms; two synonyms share a sense."""
        if word not in self._known:
            self._known[word] = frozenset(
                sense
                for part in PARTS_OF_SPEECH
                for base in self._bases(word, part)
                for sense in self.senses_of[part].get(base, ())
            )
        return self._known[word]

    def _bases(self, word: str, part: str) -> Iterator[str]:
        yield word
        if word in self.irregular[part]:
            yield from self.irregular[part][word]
            return
        for ending, instead in _ENDINGS[part]:
            if word.endswith(ending):
                yield word.removesuffix(ending) + instead


def installed_wordnet() -> WordNet:
    """Return the WordNet installed on this computer; it is read once."""
    places = list(_places())
    for place in places:
        folder = _folder(place)
        if folder is not None:
            return _read(str(place), place.stat().st_mtime_ns)
    looked = ", ".join(map(str, places))
    raise NotApplicable(
        f"Synonyms need WordNet's files (index.noun and others); none were found in {looked}. Install Debian's "
        "wordnet-base, or set WNSEARCHDIR to the folder of these files, or leave synonyms off; mtsig downloads nothing."
    )


def _places() -> Iterator[Path]:
    """Yield where WordNet's files may be, in the order they are looked for."""
    if os.environ.get("WNSEARCHDIR"):
        yield Path(os.environ["WNSEARCHDIR"])
    yield Path("/usr/share/wordnet")
    given = os.environ.get("NLTK_DATA", "").split(os.pathsep)
    usual = ("~/nltk_data", f"{sys.prefix}/nltk_data", "/usr/share/nltk_data", "/usr/local/share/nltk_data")
    for folder in dict.fromkeys(filter(None, (*given, *usual))):
        corpora = Path(os.path.expanduser(folder)) / "corpora"  # noqa: PTH111  (pathlib's raises without a home)
        yield corpora / "wordnet"
        yield corpora / "wordnet.zip"


def _folder(place: Path) -> Folder | None:
    """Return the folder, or the one in an archive of NLTK's; None when the files are not there."""
    folder: Folder = place
    if place.suffix == ".zip" and place.is_file():
        folder = zipfile.Path(place, "wordnet/")
    return folder if all((folder / f"index.{part}").is_file() for part in PARTS_OF_SPEECH) else None


@remembered()
def _read(place: str, stamp: int) -> WordNet:
    del stamp  # files that changed are read anew
    folder = _folder(Path(place))
    if folder is None:
        raise NotApplicable(f"{place}: WordNet's files were removed while they were read.")
    nouns = _lines(folder / "index.noun")
    version = re.search(r"WordNet (\d[\d.]*\d)", " ".join(line for line in nouns[:40] if line.startswith(" ")))
    return WordNet(
        version.group(1) if version else "unknown",
        {part: dict(_index(_lines(folder / f"index.{part}"), part)) for part in PARTS_OF_SPEECH},
        {part: dict(_exceptions(folder / f"{part}.exc")) for part in PARTS_OF_SPEECH},
    )


def _lines(file: Folder) -> list[str]:
    return file.read_text(encoding="utf-8").split("\n")


def _index(lines: Iterable[str], part: str) -> Iterator[tuple[str, tuple[Sense, ...]]]:
    """Yield every single word with its synsets: `lemma pos count … offset offset`, as many offsets as counted."""
    for line in lines:
        if not line or line.startswith(" "):  # the licence stands on lines that begin with a space
            continue
        lemma, _, count, *rest = line.split()
        if "_" not in lemma:
            yield lemma, tuple((part, offset) for offset in rest[-int(count) :])


def _exceptions(file: Folder) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield every irregular form with its base forms."""
    if not file.is_file():
        return
    for line in _lines(file):
        if line.strip():
            form, *bases = line.split()
            yield form, tuple(bases)


@dataclass(frozen=True)
class Meteor(WordMetric):
    """F-score of words matched exactly, by stem or as synonyms, minus a penalty.

    Statistics: matches of the stages exact, stem and synonym, chunks, hypothesis length, reference length. The score is
    computed from their sums, as in METEOR's program; it is not a mean over segments. With several references, each
    segment uses the one with the best score.

    The defaults are those of 2005: F = 10PR/(R + 9P), penalty .5·(chunks/matches)³. METEOR 1.5 also has paraphrases and
    a weight δ for function words, which need tables for every language and are not included. Among the alignments with
    the most matches, one with the fewest chunks is used (`mtsig.text.align`). The program of 2005 minimized crossings;
    versions since 1.0 minimize chunks. Both use a limited search.
    """

    lowercase: bool = same_option(Bleu, "lowercase", default=True)
    stemmer: str = option("porter", "Stemmer", "Stemmer for the second stage, which matches stems; none: one stage.",
                          choices=("none", *STEMMERS))  # fmt: skip
    synonyms: bool = option(False, "Synonyms", "Match synonyms by WordNet (English), if its data are installed.")
    alpha: float = option(0.9, "α", "Weight of recall in F, relative to precision.", low=0, high=1, advanced=True)
    beta: float = option(3.0, "β", "Exponent of chunks per match in the penalty.", low=0, high=100, advanced=True)
    gamma: float = option(0.5, "γ", "The largest penalty.", low=0, high=1, advanced=True)
    stem_weight: float = option(1.0, "Weight of stems", "Weight of a match of stems.", low=0, high=1, advanced=True)
    synonym_weight: float = option(
        1.0, "Weight of synonyms", "Weight of a match of synonyms.", low=0, high=1, advanced=True
    )

    aligns = True
    matches = ("word",)

    @property
    def name(self) -> str:
        """The metric's name, with parameters that differ from those of 2005."""
        return "METEOR" if self._is_of_2005 else f"METEOR({self.alpha:g}/{self.beta:g}/{self.gamma:g})"

    @property
    def _is_of_2005(self) -> bool:
        return (self.alpha, self.beta, self.gamma) == (0.9, 3, 0.5)

    @property
    def cites(self) -> Citations:
        """The paper of 2005, or that of METEOR 1.5 for its parameters."""
        of_2014 = (self.alpha, self.beta, self.gamma) == (0.85, 0.2, 0.6)
        return ("denkowski-lavie-2014-meteor",) if of_2014 else ("banerjee-lavie-2005-meteor",)

    @property
    def about(self) -> str:
        """A description of the metric in one line."""
        if self._is_of_2005:
            return super().about
        return f"METEOR with other parameters: α is {self.alpha:g}, β {self.beta:g}, γ {self.gamma:g}."

    def scope(self, corpus: Corpus) -> Scope:
        """Return what is counted, with a note if a narrower beam is used."""
        scope = super().scope(corpus)
        cut = self.on(corpus).cut
        numbers = range(len(corpus)) if scope.numbers is None else scope.numbers
        # A word has a character at least: only long lines need to be cut.
        long = [
            f"{system}, segment {number + 1}"
            for system in scope.corpus.systems
            for number, line in zip(numbers, scope.corpus.lines(system), strict=True)
            if len(line) > LONG and len(cut([line])[0]) > LONG
        ]
        if not long:
            return scope
        text = (
            f"{self.name}: in segments of more than {LONG:,} words, fewer alignments are tried for each word, so the "
            f"number of chunks may be too high. This concerns {len(long):,} segments; the first is {long[0]}."
        )
        return replace(scope, notes=(*scope.notes, Note("note", text)))

    def stages(self) -> tuple[Stage, ...]:
        """Return the stages in order, each a function from a word to its keys.

        Raises
        ------
        NotApplicable
            Synonyms were requested, and WordNet is not installed.
        """
        stem = None if self.stemmer == "none" else stem_by(self.stemmer)
        wordnet = installed_wordnet() if self.synonyms else None
        return (
            lambda word: (word,),
            lambda word: (stem(word.lower()),) if stem else (),
            lambda word: wordnet.senses(word.lower()) if wordnet else (),
        )

    def counter(self) -> Counter:
        """Return the function that counts matches by the best reference."""
        stages = self.stages()

        def against(hypothesis: Words, reference: Words) -> tuple[int, ...]:
            alignment = align(hypothesis, reference, stages)
            return *alignment.matches, alignment.chunks, len(hypothesis), len(reference)

        def best(hypothesis: Words, references: Sequence[Words]) -> Sequence[float]:
            counted = [against(hypothesis, reference) for reference in references]
            return (
                max(counted, key=lambda counts: (float(self.score(np.array(counts))), counts))
                if counted[1:]
                else counted[0]
            )

        return best

    def counter_options(self, corpus: Corpus) -> Mapping[str, object]:
        """Return the options and resources on which the counts depend."""
        programs = {
            "snowball": version("snowballstemmer"),
            "wordnet": installed_wordnet().version if self.synonyms else None,
        }
        stages = {"stemmer": self.stemmer, "synonyms": self.synonyms}
        return {**programs, **(stages if len(corpus.references) == 1 else self._own)}

    def signature(self, corpus: Corpus) -> str:
        """Return the word metric's signature, with the WordNet version."""
        text = super().signature(corpus)
        return f"wordnet:{installed_wordnet().version}|{text}" if self.synonyms else text

    def _parts(self, totals: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return matches, weighted matches, chunks, and what F divides weighted matches by: M/(αL + (1 − α)H)."""
        exact, stem, synonym, chunks, hypothesis, reference = np.asarray(totals, dtype=np.float64)
        weighted = exact + self.stem_weight * stem + self.synonym_weight * synonym
        below = self.alpha * reference + (1 - self.alpha) * hypothesis
        return exact + stem + synonym, weighted, chunks, below

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return METEOR of totals (k, …), in 0…100; 0 without matches."""
        matches, weighted, chunks, below = self._parts(totals)
        f = weighted / np.where(below > 0, below, 1.0)
        penalty = self.gamma * (chunks / np.where(matches > 0, matches, 1.0)) ** self.beta
        return np.asarray(100 * f * (1 - penalty))

    def matched(self, totals: FloatArray) -> NDArray[np.bool_]:
        """Return whether there is any match."""
        return np.asarray(self._parts(totals)[0][None] > 0)

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the derivative by each total; NaN without matches."""
        matches, weighted, chunks, below = self._parts(totals)
        some = matches > 0
        matches, chunks, below = (np.where(some, values, np.nan) for values in (matches, chunks, below))
        penalty = self.gamma * (chunks / matches) ** self.beta
        f, kept = weighted / below, 1 - penalty
        by_penalty = f * self.beta * penalty
        weights = (1.0, self.stem_weight, self.synonym_weight)
        per_match = [weight / below * kept + by_penalty / matches for weight in weights]
        by_hypothesis, by_reference = (-share * f * kept / below for share in (1 - self.alpha, self.alpha))
        return np.asarray(100 * np.stack([*per_match, -by_penalty / chunks, by_hypothesis, by_reference]))
