"""sacreBLEU's own metric objects: options go in, the object comes out, or what sacreBLEU lacks for it, in its words."""

from typing import Any

from mtsig.errors import NotApplicable


def made(factory: type, **options: object) -> Any:
    """Return `factory(**options)`, a sacreBLEU metric.

    Raises:
        NotApplicable: a tokenizer's package or model is missing.
    """
    try:
        return factory(**options)
    except (ImportError, RuntimeError, OSError) as error:
        raise NotApplicable(f"sacreBLEU cannot do this here: {' '.join(str(error).split())}") from None
