"""Cautions: data and results go in; what to know before a verdict is read comes out, in one list for every reader."""

from mtsig.cautions._list import CAUTIONS, Caution, Seen, cautions

__all__ = [
    "CAUTIONS",
    "Caution",
    "Seen",
    "cautions",
]
