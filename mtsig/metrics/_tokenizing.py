"""Metrics that use sacreBLEU's tokenizers: choice of the tokenizer, its name in signatures, and warnings."""

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any, Self

from sacrebleu.metrics.bleu import BLEU

from mtsig.citations import VERSION
from mtsig.corpus import Corpus, Note
from mtsig.errors import NotApplicable, said_by
from mtsig.metrics._metric import Metric, reference_count
from mtsig.options import option, options
from mtsig.text import writing_of
from mtsig.text._characters import HAN, Writing

EXTRAS: dict[str, str] = {"ja-mecab": "ja", "ko-mecab": "ko"}
"""What to install for a tokenizer."""


def made(factory: type, **options: object) -> Any:
    """Return `factory(**options)`, a sacreBLEU metric."""
    try:
        return factory(**options)
    except (ImportError, RuntimeError, OSError) as error:
        tokenizer = str(options.get("tokenize"))
        if tokenizer in EXTRAS:
            raise NotApplicable(
                f"The tokenizer {tokenizer} is not installed: install mtsig with its extra {EXTRAS[tokenizer]}, or "
                "choose another tokenizer, or a metric without one, such as chrF."
            ) from None
        raise NotApplicable(f"sacreBLEU reported an error: {said_by(error, 'it gives no reason', 1_000)}") from None


def texts(corpus: Corpus) -> tuple[list[Sequence[str]], list[Sequence[str | None]]]:
    """Return the lines of every system, and of every reference."""
    return [corpus.lines(system) for system in corpus.systems], list(corpus.references.values())


def sacre_signature(scorer: Any, corpus: Corpus, without: Sequence[str] = (), own: Sequence[str] = ()) -> str:
    """Return sacreBLEU's signature on this corpus without some options, with `own` and this program's version."""
    number = reference_count(corpus)
    scorer.num_refs = -1 if number == "var" else int(number)  # sacreBLEU's code for "it varies"
    signature = scorer.get_signature()
    for name in without:
        signature.update(name, None)
    return "|".join([signature.format(), *own, f"mtsig:{VERSION}"])


AUTO = "auto"

BY_SPACES = frozenset({"none", "13a", "intl"})
"""Tokenizers that leave a clause without spaces in one piece."""

_OF_HAN = frozenset({"zh", "ja-mecab"})
"""Tokenizers that cut Chinese characters, but no other text without spaces."""

_OF_LANGUAGE: dict[str, str] = {"Chinese": "zh", "Japanese": "ja-mecab", "Korean": "ko-mecab"}
"""What sacreBLEU takes when it is told the target language."""


@dataclass(frozen=True)
class Tokenizing(Metric):
    """A metric that splits text into words by one of sacreBLEU's tokenizers.

    With tokenize=auto, the script of the references determines the tokenizer (`on`), and counted statistics name it.
    None means sacreBLEU's own default: the tokenizer of the target language, else 13a.

    by_text: the tokenizer that was chosen by the text; empty if the user chose it.
    """

    tokenize: str = option(
        AUTO, "Tokenizer",
        "How text is split into tokens; auto: zh, ja-mecab … by script, else 13a.",
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
        """Return the metric with the tokenizer for these data, if tokenize=auto."""
        if self.tokenize != AUTO:
            return self
        tokenizer = self._of_target or usual_tokenizer(writing(corpus))
        return replace(self, tokenize=tokenizer, by_text=tokenizer)

    def remark(self, corpus: Corpus) -> Note | None:
        """Return which tokenizer was chosen by the text, and how to change it; None if the user chose it."""
        script, used = writing(corpus), self.on(corpus).by_text
        if script is None or not used:
            return None
        # Of what was counted, not of what is installed where a study of it is made again.
        usual = _OF_LANGUAGE.get(script.language) if used == "char" else None
        why = "" if usual is None else f", as {usual} was not installed (the extra {EXTRAS[usual]} of mtsig)"
        return Note(
            "note",
            f"{script.language} text: {self.name} counts with the tokenizer {used}{why}; another one, such as "
            f"{_other(used, script)}, is chosen among the options of {self.name}.",
            headline=f"{script.language} tokenized with {used}",
        )

    @property
    def asked(self) -> Self:
        """The metric before the tokenizer was chosen by the data."""
        return replace(self, tokenize=AUTO) if self.by_text else self

    @property
    def counted(self) -> Self:
        """The metric as if the user had chosen its tokenizer."""
        return replace(self, by_text="")

    @property
    def needs_spaces(self) -> bool:
        """Whether the tokenizer splits words only at spaces."""
        return self.tokenize in BY_SPACES

    def cuts(self, language: str) -> bool:
        """Return whether the tokenizer splits text of this language that has no spaces."""
        return language in HAN if self.tokenize in _OF_HAN else self.tokenize not in {*BY_SPACES, "ko-mecab"}


def writing(corpus: Corpus) -> Writing | None:
    """Return how the references, or else the outputs, are written; None for text with spaces."""
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


def _other(used: str, writing: Writing) -> str:
    """Return a tokenizer that may be wanted instead of the one that is used."""
    if used != "char":
        return "13a" if writing.spaced and used != "13a" else "char"
    # The same whatever is installed, as a study that is made again elsewhere has to say the same.
    return _OF_LANGUAGE.get(writing.language) or "flores200"


def is_installed(tokenizer: str) -> bool:
    """Return whether a tokenizer has the package and the dictionary that it needs."""
    try:
        made(BLEU, tokenize=tokenizer)
    except (NotApplicable, AssertionError):  # sacreBLEU asserts that the dictionary is the one it knows
        return False
    return True


MANY_TOKENIZED = 100
"""sacreBLEU's bound: this many lines that end in " ." look like text that was tokenized before."""


_TOKENIZED, _DOUBTED = "Text is already tokenized", "Words are not separated"


def text_notes(corpus: Corpus, metric: Metric) -> tuple[tuple[Note, ...], str]:
    """Return what is to be known about counting the text of a corpus by a metric, and why not to conclude from it."""
    doubt = _doubt(corpus, metric)
    said = (
        *_tokenized(corpus, metric),
        metric.remark(corpus),
        Note("warning", doubt, headline=_DOUBTED) if doubt else None,
    )
    return tuple(note for note in said if note is not None), doubt


def _tokenized(corpus: Corpus, metric: Metric) -> Iterable[Note]:
    if not metric.expects_plain_text:
        return
    texts = []
    for system in corpus.systems:
        count = sum(line.endswith(" .") for line in corpus.lines(system))
        if count >= MANY_TOKENIZED:
            texts.append(f"{system} ({count} lines)")
    if texts:
        tokenized = f"Text that looks already tokenized (lines that end in ' .'): {', '.join(texts)}."
        yield Note("warning", f"{tokenized} {metric.name} expects plain text.", headline=_TOKENIZED)


def _doubt(corpus: Corpus, metric: Metric) -> str:
    """Return why words cannot be counted so in text without spaces; nothing where they can."""
    result = writing(corpus) if metric.needs_references else None
    if result is None or result.spaced or metric.cuts(result.language):
        return ""
    tokenizer = getattr(metric, "tokenize", None)
    by = f" ({tokenizer})" if tokenizer else ""
    return (
        f"{result.language} is written without spaces between words, and {metric.name} as chosen{by} treats whole "
        f"clauses as words: {_advice(metric, result)}."
    )


def _advice(metric: Metric, writing: Writing) -> str:
    if isinstance(metric, Tokenizing):
        return f"choose the tokenizer {usual_tokenizer(writing)}"
    labels = {option.name: option.label for option in options(metric)}
    if writing.language in HAN and "asian_support" in labels:
        return f"switch on its options “{labels['normalized']}” and “{labels['asian_support']}”"
    return "choose another metric, such as chrF, which needs no words"
