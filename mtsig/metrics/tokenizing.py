"""What metrics share whose words sacreBLEU's tokenizers cut: the tokenizer, which the text chooses if no user does."""

from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Self

from sacrebleu.metrics.bleu import BLEU

from mtsig.corpus import Corpus, Note
from mtsig.errors import NotApplicable
from mtsig.metrics.base import Metric
from mtsig.options import option
from mtsig.text.counting import EXTRAS, made
from mtsig.text.scripts import HAN, Writing, writing_of

AUTO = "auto"

BY_SPACES = frozenset({"none", "13a", "intl"})
"""Tokenizers that leave a clause without spaces in one piece."""

_OF_HAN = frozenset({"zh", "ja-mecab"})
"""Tokenizers that cut Chinese characters, but no other text without spaces."""

_OF_LANGUAGE: dict[str, str] = {"Chinese": "zh", "Japanese": "ja-mecab", "Korean": "ko-mecab"}
"""What sacreBLEU takes when it is told the target language."""


@dataclass(frozen=True)
class Tokenizing(Metric):
    """A metric that cuts text into words by one of sacreBLEU's tokenizers.

    With tokenize=auto the references decide, by their script, as soon as there are data (`on`): what was counted has
    the name of a tokenizer. None in place of a name is sacreBLEU's own default: by the target language, else 13a.

    by_text: the tokenizer that the text chose; empty when it was chosen by hand.
    """

    tokenize: str = option(
        AUTO, "Tokenizer",
        "How text is cut into tokens; auto: zh, ja-mecab … by script, else 13a.",
        choices=(AUTO, *BLEU.TOKENIZERS),
    )  # fmt: skip
    lowercase: bool = option(False, "Lowercase", "Ignore case.")
    _: KW_ONLY
    trg_lang: str = option("", "Target language", "Chooses the tokenizer of zh, ja and ko.", advanced=True)
    by_text: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        """Check the options, and read None as sacreBLEU does."""
        if self.tokenize is None:  # requests that were written before there was "auto"
            object.__setattr__(self, "tokenize", self._sacrebleus)
        if self.by_text != self.tokenize:
            object.__setattr__(self, "by_text", "")
        super().__post_init__()

    @property
    def _of_target(self) -> str | None:
        tokenizer: str | None = BLEU._TOKENIZER_MAP.get(self.trg_lang)
        return tokenizer

    @property
    def _sacrebleus(self) -> str:
        """What sacreBLEU takes when it is left to it."""
        return self._of_target or str(BLEU.TOKENIZER_DEFAULT)

    def on(self, corpus: Corpus) -> Self:
        """Return the metric with the tokenizer that these data need, where it was left to them."""
        if self.tokenize != AUTO:
            return self
        tokenizer = self._of_target or usual_tokenizer(writing(corpus))
        return replace(self, tokenize=tokenizer, by_text=tokenizer)

    def remark(self, corpus: Corpus) -> Note | None:
        """Return which tokenizer the text chooses, and by which option of the metric it is changed.

        None where a user chose it, and where the text is such as all metrics expect.
        """
        script, used = writing(corpus), self.on(corpus).by_text
        if script is None or not used:
            return None
        lacking = missing_tokenizer(script)
        why = "" if lacking is None else f", as {lacking} is not installed (pip install '{EXTRAS[lacking]}')"
        return Note(
            "note",
            f"{script.language} text: {self.name} counts with the tokenizer {used}{why}; another one, such as "
            f"{_other(used, script)}, is chosen among the options of {self.name}.",
        )

    @property
    def asked(self) -> Self:
        """The metric before the data chose the tokenizer."""
        return replace(self, tokenize=AUTO) if self.by_text else self

    @property
    def counted(self) -> Self:
        """The metric as if its tokenizer had been chosen by hand."""
        return replace(self, by_text="")

    @property
    def needs_spaces(self) -> bool:
        """Yes, unless the tokenizer is made for text without spaces."""
        return self.tokenize in BY_SPACES

    def cuts(self, language: str) -> bool:
        """Return whether the tokenizer cuts this language where it has no spaces."""
        return language in HAN if self.tokenize in _OF_HAN else self.tokenize not in {*BY_SPACES, "ko-mecab"}


def writing(corpus: Corpus) -> Writing | None:
    """Return how the references are written, or the outputs where there is none; None for text with spaces.

    One system in another script than the references is to be counted as all others are.
    """
    texts = corpus.references or corpus.outputs
    return writing_of(line for lines in texts.values() for line in lines)


def usual_tokenizer(writing: Writing | None) -> str:
    """Return the tokenizer that text of this kind is counted with unless another one is chosen."""
    if writing is None:
        return str(BLEU.TOKENIZER_DEFAULT)
    usual = _OF_LANGUAGE.get(writing.language)
    if usual is None:
        return str(BLEU.TOKENIZER_DEFAULT) if writing.spaced else "char"
    return usual if is_installed(usual) else "char"


def missing_tokenizer(writing: Writing) -> str | None:
    """Return the tokenizer of this language when it is not installed."""
    usual = _OF_LANGUAGE.get(writing.language)
    return None if usual is None or is_installed(usual) else usual


def _other(used: str, writing: Writing) -> str:
    """Return a tokenizer that may be wanted instead of the one that is used."""
    if used != "char":
        return "13a" if writing.spaced and used != "13a" else "char"
    return missing_tokenizer(writing) or "flores200"


def is_installed(tokenizer: str) -> bool:
    """Return whether a tokenizer has the package and the dictionary that it needs."""
    try:
        made(BLEU, tokenize=tokenizer)
    except (NotApplicable, AssertionError):  # sacreBLEU asserts that the dictionary is the one it knows
        return False
    return True
