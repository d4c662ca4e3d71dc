"""Comet: which model is asked of comet-score, and what it gets to see of a corpus."""

import re
from dataclasses import dataclass

from mtsig.corpus import Corpus, Note
from mtsig.errors import InvalidOption, NotApplicable, UnknownName
from mtsig.neural.program import Program
from mtsig.options import check, option
from mtsig.version import VERSION

_NEEDS_NO_REFERENCE = re.compile(r"kiwi|-qe\b", re.IGNORECASE)
LINE_ENDS = re.compile(r"[\r\n]+")
"""Where comet-score would cut a segment: it opens files as Python does by default, where "\\r" ends a line, too."""


@dataclass(frozen=True)
class Comet:
    """How comet-score is asked: the model, and what it gets to see."""

    model: str = option(
        "Unbabel/wmt22-comet-da", "Model", "A model's name on the Hugging Face hub, or the path of a checkpoint."
    )
    reference: str | None = option(None, "Reference", "The reference the model sees; empty: the first one.")
    reference_free: bool | None = option(
        None, "Without reference", "Show the model no reference; empty: as its name suggests (kiwi, -qe)."
    )
    download: bool = option(
        False, "Download", "Let comet-score fetch a model that is not on this computer yet from its hub."
    )
    batch_size: int | None = option(
        None, "Batch size", "Segments scored at a time; empty: comet-score's own.", low=1, advanced=True
    )
    gpus: int | None = option(
        None, "GPUs", "How many GPUs to use, 0 for none; empty: comet-score's own.", low=0, advanced=True
    )

    def __post_init__(self) -> None:
        """Check the options."""
        check(self)
        if not self.model.strip() or self.model.startswith("-"):
            raise InvalidOption(f"A model is a name such as Unbabel/wmt22-comet-da or a path; found {self.model!r}.")

    @property
    def name(self) -> str:
        """What the scores are called: the model's name without its owner, or what a checkpoint's folder is called.

        >>> Comet("Unbabel/wmt22-comet-da").name, Comet("/models/eamt22-cometinho-da/checkpoints/model.ckpt").name
        ('wmt22-comet-da', 'eamt22-cometinho-da')
        """
        pieces = [piece.removesuffix(".ckpt") for piece in re.split(r"[/\\]", self.model) if piece]
        return next((piece for piece in reversed(pieces) if piece not in {"model", "checkpoints"}), self.model)

    @property
    def reads_references(self) -> bool:
        """Whether the model is shown a reference."""
        if self.reference_free is not None:
            return not self.reference_free
        return not _NEEDS_NO_REFERENCE.search(self.name)

    def chosen_reference(self, corpus: Corpus) -> str | None:
        """Return the name of the reference the model sees, None when it sees none.

        Raises:
            UnknownName: the corpus has no reference of the chosen name.
            NotApplicable: it has none at all.
        """
        if not self.reads_references:
            return None
        if not corpus.references:
            raise NotApplicable(
                f"{self.model} compares with a reference, and none was given. Give one (--ref, or ref.txt), or take a "
                "model that needs none, such as Unbabel/wmt22-cometkiwi-da."
            )
        chosen = self.reference or next(iter(corpus.references))
        if chosen not in corpus.references:
            known = ", ".join(corpus.references)
            raise UnknownName(f"There is no reference called {chosen!r}. Known: {known}.")
        return chosen

    def signature(self, corpus: Corpus, program: Program) -> str:
        """Return what a reader needs to compute the same scores, as `key:value|key:value`."""
        pieces = [f"model:{self.model}", f"reference:{self.chosen_reference(corpus) or 'none'}"]
        return "|".join([*pieces, f"comet:{program.told}", f"mtsig:{VERSION}"])

    def caveats(self, corpus: Corpus) -> tuple[Note, ...]:
        """Return what to know about scores of this model on this corpus."""
        chosen = self.chosen_reference(corpus)
        caveats = []
        if chosen is not None and len(corpus.references) > 1 and self.reference is None:
            text = f"{self.model} sees one reference: {chosen!r} of {', '.join(corpus.references)}."
            caveats.append(Note("note", text))
        missing = 0 if chosen is None else sum(line is None for line in corpus.references[chosen])
        if missing:
            text = f"{missing} of {len(corpus)} segments have no reference {chosen!r} and get no score."
            caveats.append(Note("warning", text))
        broken = sum(bool(LINE_ENDS.search(line)) for lines in corpus.outputs.values() for line in lines)
        if broken:
            text = f"{broken} outputs hold carriage returns, at which comet-score would cut a segment: sent as spaces."
            caveats.append(Note("warning", text))
        return tuple(caveats)
