"""sacreBLEU's own metric objects: options go in, the object comes out, or what sacreBLEU lacks for it, in its words."""

from typing import Any

from mtsig.errors import NotApplicable, said_by

EXTRAS: dict[str, str] = {"ja-mecab": "mtsig[ja]", "ko-mecab": "mtsig[ko]"}
"""What to install for a tokenizer."""


def made(factory: type, **options: object) -> Any:
    """Return `factory(**options)`, a sacreBLEU metric.

    Raises:
        NotApplicable: a tokenizer's package or model is missing.
    """
    try:
        return factory(**options)
    except (ImportError, RuntimeError, OSError) as error:
        tokenizer = str(options.get("tokenize"))
        if tokenizer in EXTRAS:
            raise NotApplicable(
                f"The tokenizer {tokenizer} is not installed: pip install '{EXTRAS[tokenizer]}', or choose another "
                "tokenizer, or a metric without one, such as chrF."
            ) from None
        raise NotApplicable(f"sacreBLEU cannot do this here: {said_by(error, 'it gives no reason', 1_000)}") from None
