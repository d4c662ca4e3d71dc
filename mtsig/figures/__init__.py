"""Draw results on screen (Plotly) and on paper (Matplotlib), without computing any statistics."""

from mtsig._options import attached as _attached
from mtsig.errors import need as _need

# Every picture can be drawn both ways: what one library lacks is said here, before anything is half drawn.
_need("figures")

__getattr__, __dir__, __all__ = _attached(__name__, __file__)
