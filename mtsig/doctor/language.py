"""Language: systems, and single lines, in another script or language than the references are in."""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from mtsig.doctor.finding import Finding, Level, Named, Sureness, beside_references, by_text
from mtsig.doctor.view import View
from mtsig.text import LETTER, letters_of, script_of

LEAST_LETTERS = 10
"""A line with fewer letters shows no script."""

OTHER_SCRIPT = 0.7
"""A line is in another script when this share of its letters is."""

LETTERS_WORTH = {"HAN AND KANA": 2}
"""How many letters of an alphabet one of a script says as much as: in a Japanese line, a Latin name is long."""

FEW = 2
"""Lines that read like the source language and may do so by chance."""

UNLIKE = 0.85
"""Below this cosine between their counts of the n-grams that are most frequent in the references, a text is in another
language. In six real sets, and in their first 50 lines, outputs have 0.88 (Chinese) to 1.00; the Spanish source of the
sample has 0.79 beside English, other scripts at most 0.6. As near as English and German (0.89) it does not tell."""

CLEARLY_UNLIKE = 0.7
"""Below this cosine it is a warning: a hundred Chinese lines go down to 0.78 by another use of punctuation."""

FREQUENT = 200
"""N-grams that are compared: the most frequent ones say more of the language than of the content."""

LEAST_CHARACTERS = 2_000
CLEARLY = 0.2
"""A line is in the source language when its n-grams are, in the geometric mean, e^CLEARLY times likelier there than in
the references. In five real sets 99% of source lines are above, and 99% of the outputs' lines below −0.06."""


def check_script(view: View) -> Iterator[Finding]:
    """Yield the texts with lines in another script than the references' most frequent one."""
    corpus = view.sample
    guides = list(corpus.references.values()) or list(corpus.outputs.values())
    usual = _usual_script(guides)
    if usual is None:
        return
    texts = {Named("reference", name): lines for name, lines in corpus.references.items()}
    texts |= {Named("system", name): lines for name, lines in corpus.outputs.items()}
    hits = {
        name: [int(view.numbers[i]) for i, line in enumerate(lines) if line and _is_in_other(line, usual)]
        for name, lines in texts.items()
    }
    text = f"lines in another script than the references' usual one ({usual.title()})"
    advice = "Were they left untranslated, or is it the output for another language?"
    yield from beside_references("script", hits, len(corpus), text, advice, "likely")


def check_language(view: View) -> Iterator[Finding]:
    """Yield every system in another language than the references, and every one with lines in the source's."""
    yield from _whole_texts(view)
    yield from _source_language(view)


def _whole_texts(view: View) -> Iterator[Finding]:
    if not view.sample.references:
        return
    whole = np.sum([_profile(view, lines) for lines in view.sample.references.values()], axis=0)
    frequent = np.argsort(-whole)[:FREQUENT]
    usual = whole[frequent]
    for run, lines in view.sample.outputs.items():
        if sum(len(line) for line in lines) < LEAST_CHARACTERS:
            continue
        own = _profile(view, lines)[frequent]
        likeness = float(own @ usual / max(1e-9, float(np.linalg.norm(own) * np.linalg.norm(usual))))
        if likeness < UNLIKE:
            text = f"its letters go together otherwise than the references' (cosine {likeness:.2f}, usual above .9)."
            advice = "Is it in another language, or text of another kind?"
            sure: Sureness = "likely" if likeness < CLEARLY_UNLIKE else "possible"
            level: Level = "warning" if sure == "likely" else "note"
            yield Finding("language", level, sure, f"system {run!r}", text, advice)


def _profile(view: View, lines: Sequence[str | None]) -> np.ndarray:
    return np.sqrt(np.asarray(view.counts(lines).sum(axis=0)).ravel())


def _source_language(view: View) -> Iterator[Finding]:
    sources, references = view.sample.segments.sources, list(view.sample.references.values())
    # Between two scripts it is the check for these that tells: a few names, in Latin letters, are most of the n-grams
    # of a Chinese or Japanese line that was translated.
    if sources is None or not references or _usual_script([sources]) != _usual_script(references):
        return
    weights = _log_ratio(view, sources, references)
    if weights is None:
        return
    # Names, titles and quotations stay as they are in references too.
    known = {number for lines in references for number in _in_source_language(view, lines, weights)}
    hits = {}
    for run, lines in view.sample.outputs.items():
        own = [number for number in _in_source_language(view, lines, weights) if number not in known]
        if len(own) > FEW:
            hits[Named("system", run)] = [int(view.numbers[number]) for number in own]
    text = "lines that read like the source language, where no reference does"
    yield from by_text("language", hits, len(view.sample), text, "Were they left untranslated?", "likely")


def _log_ratio(view: View, sources: Sequence[str], references: Sequence[Sequence[str | None]]) -> np.ndarray | None:
    """Return log P(n-gram | source) − log P(n-gram | references), shape (2^18,); None for too little text."""
    if sum(len(line) for line in sources) < LEAST_CHARACTERS:
        return None
    of_source = np.asarray(view.counts(sources).sum(axis=0)).ravel()
    of_references = np.sum([np.asarray(view.counts(lines).sum(axis=0)).ravel() for lines in references], axis=0)
    places = len(of_source)
    smoothed = [(counts + 0.5) / (counts.sum() + 0.5 * places) for counts in (of_source, of_references)]
    return np.asarray(np.log(smoothed[0]) - np.log(smoothed[1]))


def _in_source_language(view: View, lines: Sequence[str | None], weights: np.ndarray) -> list[int]:
    counts = view.counts(lines)
    totals = np.asarray(counts.sum(axis=1)).ravel()
    means = np.divide(counts @ weights, totals, out=np.zeros(len(totals)), where=totals > 0)
    long = np.array([line is not None and len(LETTER.findall(line)) >= 2 * LEAST_LETTERS for line in lines])
    return [int(i) for i in np.flatnonzero((means > CLEARLY) & long)]


def _usual_script(texts: Sequence[Sequence[str | None]]) -> str | None:
    """Return the script of most letters, when it is clearly one."""
    counts: Counter[str] = Counter()
    for lines in texts:
        for letter, count in letters_of(lines[:500]).items():
            counts[script_of(letter)] += count
    if not counts:
        return None
    script = max(counts, key=lambda item: counts[item])
    return script if counts[script] >= OTHER_SCRIPT * counts.total() else None


def _is_in_other(line: str, usual: str) -> bool:
    if usual == "LATIN" and line.isascii():
        return False
    letters = LETTER.findall(line)
    if len(letters) < LEAST_LETTERS:
        return False
    usual_ones = sum(script_of(letter) == usual for letter in letters)
    others = len(letters) - usual_ones
    return others > OTHER_SCRIPT * (others + LETTERS_WORTH.get(usual, 1) * usual_ones)
