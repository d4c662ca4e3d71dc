"""mtsig tells whether the difference between machine-translation systems is real.

The data go one way: read → measure → interval / compare → adjust → figures / report.

The public names stand in `__init__.pyi`; what stands behind a name is loaded when it is first asked for (SPEC 1).
"""

import lazy_loader as _lazy

from mtsig.results import show_with as _show_with

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)


def _html_of(result: object) -> str | None:
    """Return the HTML of a result, by a writer that is loaded when a notebook shows the first one."""
    from mtsig.report import html_of

    return html_of(result)


# Results stand left of the tables that describe them; here, where everything is known, they are put together.
_show_with(_html_of)
