"""What the parts and kin of BLEU share: BLEU's counts, and the options that change them."""

from collections.abc import Mapping
from dataclasses import dataclass

from mtsig.corpus import Corpus, FloatArray
from mtsig.metrics.bleu import Bleu
from mtsig.metrics.tokenizing import Tokenizing
from mtsig.metrics.tokens import token_signature
from mtsig.options import same_option


@dataclass(frozen=True)
class OfBleu(Tokenizing):
    """A metric with BLEU's statistics: lengths of hypothesis and reference, matched n-grams, hypothesis n-grams."""

    force: bool = same_option(Bleu, "force")

    by_sacrebleu = True
    in_blocks = True

    @property
    def orders(self) -> int:
        """The longest n-gram that is counted; BLEU's own unless more is needed, so that the two can share counts."""
        return 4

    @property
    def whole(self) -> Bleu:
        """BLEU on the same counts."""
        return Bleu(
            tokenize=self.tokenize,
            lowercase=self.lowercase,
            max_ngram_order=self.orders,
            trg_lang=self.trg_lang,
            force=self.force,
        )

    @property
    def expects_plain_text(self) -> bool:
        """Yes, unless it is tokenized on purpose."""
        return not self.force

    def count(self, corpus: Corpus) -> FloatArray:
        """Count what BLEU counts."""
        return self.whole.count(corpus)

    def counting_options(self, corpus: Corpus) -> Mapping[str, object] | None:
        """Return BLEU's: what was counted for the one is there for the other."""
        return self.whole.counting_options(corpus)

    def signature(self, corpus: Corpus) -> str:
        """Return BLEU's signature, without the smoothing that is not used here, behind the name of the part."""
        return f"part:{self.name}|{token_signature(self.whole, corpus)}"
