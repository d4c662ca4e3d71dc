"""Campaigns of human ratings as WMT runs them: rules, raters, few ratings with a metric, error spans."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
