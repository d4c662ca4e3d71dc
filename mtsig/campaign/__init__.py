"""Analyse human judgements: ranking rules, few ratings combined with a metric, error spans, pairwise preferences."""

from mtsig._options import attached as _attached

__getattr__, __dir__, __all__ = _attached(__name__, __file__)
