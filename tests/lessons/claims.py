"""The claims that must never be made, and where a text makes one of them."""

import re

CLAIMS: dict[int, tuple[str, str]] = {
    1: (r"95% of (the )?(re)?(draws|samples)[^.]*p (<|=|≤) ?0?\.05", "It wins 95% of resamples, so p < .05."),
    2: (r"sacreBLEU[^.]*(prints|gives) a two-sided p", "sacreBLEU gives a two-sided p."),
    3: (
        r"overlap\w*,? (so|means|shows)|(significant|difference) because (they|the bars)",
        "They overlap, so none wins.",
    ),
    4: (r"(they|systems|two) (are|is) (therefore |thus )?(the same|equal|equally good)\b", "So the two are equal."),
    5: (
        r"probability (that|of)[^.]*(H0|null|hypothes|no difference|equal|flip)|due to chance",
        "p is the probability that there is no difference.",
    ),
    6: (r"significan\w+ (means|is) (large|importan|percept)|significant, so", "It is significant, so readers notice."),
    7: (
        r"probability (of being|that|to be)[^.]*(better|best)|better with a probability"
        r"|likely (to be )?(the )?(better|best)",
        "It is likely better.",
    ),
    8: (r"\*{1,3}(?!\w)|★", "A beats B***."),
    9: (r"(draw|add) (more|segments) until (p|it)", "Draw more until p is small."),
    10: (r"1 in 20|one in twenty|of (all )?conclusions (is|are)", "One in twenty is wrong."),
    11: (r"(?<!anti-)conservative", "The method is conservative."),
    12: (r"sensitiv", "BLEU is more sensitive than NIST."),
    13: (r"whether or not (they|segments) share a document", "Segments count, whether or not they share a document."),
    14: (r"best (run|seed) (of|against)", "The best seed of A beats B."),
    15: (r"p\s*=\s*\.?0+(?![\d.])|(?<![\d.])\.0000(?!\d)", "p = .0000"),
    16: (r"(observed|achieved|post[- ]hoc) power", "The observed power was 80%."),
    17: (r"BLEU (of|on) (another|other) test sets? (is|are) (higher|lower)", "BLEU on other test sets is higher."),
    18: (r"A ≈ B and B ≈ C,? so", "A ≈ B and B ≈ C, so A ≈ C."),
    19: (r"correlat\w+ (of|with|at) ", "BLEU correlates with people at .9."),
    20: (r"(no|any|without) assumptions?\b|assumption-free", "The bootstrap needs no assumptions."),
}
"""By number: what is looked for, and a sentence that it finds."""

DENIED = re.compile(
    r"no evidence that they are equal|does not show that they are equal|"
    r"\b(not|no|never|nor)\b[^.,;:]{0,40}?probability[^.;]*",
    re.I,
)
"""What says that a claim is wrong is no claim."""


def claim_in(text: str) -> tuple[int, str] | None:
    """Return the number of a claim that a text makes, with the words around it; None where it makes none."""
    text = DENIED.sub("", text)
    for claim, (pattern, _) in CLAIMS.items():
        found = re.search(pattern, text, re.IGNORECASE)
        if found:
            return claim, text[max(0, found.start() - 80) : found.end() + 80]
    return None
