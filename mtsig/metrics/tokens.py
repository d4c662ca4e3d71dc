"""How metrics that share BLEU's tokens say so in their signatures."""

from collections.abc import Sequence

from mtsig.corpus import Corpus
from mtsig.metrics.bleu import Bleu
from mtsig.metrics.sacre import sacre_signature


def token_signature(bleu: Bleu, corpus: Corpus, own: Sequence[str] = ()) -> str:
    """Return BLEU's signature but for its smoothing: references, case, tokenizer, `own`, and both versions."""
    return sacre_signature(bleu.on(corpus).scorer(), corpus, ("eff", "smooth"), own)
