"""Analyse human judgements: ranking rules, few ratings combined with a metric, error spans, pairwise preferences."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
