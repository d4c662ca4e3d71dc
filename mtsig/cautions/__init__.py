"""Cautions: data and results go in; what to know before a verdict is read comes out, in one list for every reader."""

from mtsig.cautions._list import CAUTIONS, Seen, findings
from mtsig.doctor import Finding

__all__ = ["CAUTIONS", "Finding", "Seen", "findings"]
