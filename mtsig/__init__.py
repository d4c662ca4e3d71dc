"""mtsig tells whether the difference between machine-translation systems is real.

The data go one way: read → measure → interval / compare → adjust → figures / report.

The public names stand in `__init__.pyi`; what stands behind a name is loaded when it is first asked for (SPEC 1).
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)

# Results stand left of what shows them, and may not import it; here it is named, and loaded when it is needed.
_MAKERS = {
    "html": "mtsig.report._shown:html_of",
    "figure": "mtsig._front:figure_of",
    "files": "mtsig._front:write_report",
}
