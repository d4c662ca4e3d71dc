"""How metrics that share BLEU's tokens say so in their signatures."""

from mtsig.corpus import Corpus
from mtsig.metrics.bleu import Bleu


def token_signature(bleu: Bleu, corpus: Corpus) -> list[str]:
    """Return the pieces of BLEU's signature but for its smoothing: references, case, tokenizer and both versions."""
    pieces = bleu.signature(corpus).split("|")
    return [piece for piece in pieces if not piece.startswith(("eff:", "smooth:"))]
