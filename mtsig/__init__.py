"""Confidence intervals and significance tests for machine-translation evaluation.

Data flow in one direction: read → measure → interval / compare → adjust → figures / report.

The public names are listed in `__init__.pyi`; the module of a name is loaded when the name is first used (SPEC 1).
"""

from typing import NoReturn as _NoReturn

try:
    from mtsig._options import attached as _attached

    _public, __dir__, __all__ = _attached(__name__, __file__)
except (Exception, SystemExit) as _error:  # raised where a name is used: here the exit code would be a regression's
    _failed = _error

    def _public(_name: str) -> _NoReturn:
        raise _failed


def __getattr__(name: str) -> object:
    """Load what stands behind a public name; `__version__` is the name that Python programs ask for."""
    if name == "__version__":
        from mtsig.citations import VERSION

        return VERSION
    return _public(name)


# Results stand left of what is made of them, and may not import it; here it is named, and loaded when it is needed.
_MAKERS = {
    "verdict": "mtsig.inference._verdict:verdict",
    "conclusions": "mtsig.inference._family:conclusions",
    "shown": "mtsig.report._shown:shown",
    "figure": "mtsig._front:figure_of",
    "files": "mtsig._front:write_report",
}
