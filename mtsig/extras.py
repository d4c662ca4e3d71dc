"""Libraries that not everybody needs: the name of an extra goes in; where it is missing, an error says how to get it.

`pip install mtsig` brings what scores and compares. What draws, writes documents and opens the browser is an extra.
"""

from importlib.util import find_spec

from mtsig.errors import ProgramError

EXTRAS: dict[str, tuple[str, tuple[str, ...]]] = {
    "dashboard": (
        "The dashboard needs",
        ("streamlit", "pandas", "plotly", "matplotlib", "openpyxl", "jinja2", "fpdf", "pyarrow", "fsspec"),
    ),
    "excel": ("Writing Excel workbooks needs", ("openpyxl",)),
    "figures": ("Figures need", ("plotly", "matplotlib")),
    "frames": ("DataFrames need", ("pandas",)),
    "parquet": ("Parquet tables, counts in files and archives packed with zstd need", ("pyarrow", "fsspec")),
    "report": ("Reports need", ("jinja2", "fpdf")),
}
"""What each extra of pyproject.toml is for, and the libraries that it brings."""


def need(extra: str) -> None:
    """Do nothing where the libraries of an extra are installed; none of them is loaded.

    Raises:
        ProgramError: one is not; the message says how to install it.
    """
    what, libraries = EXTRAS[extra]
    lacking = [library for library in libraries if not _is_installed(library)]
    if lacking:
        raise ProgramError(f"{what} {', '.join(lacking)}, not installed here: pip install 'mtsig[{extra}]'")


def _is_installed(library: str) -> bool:
    try:
        return find_spec(library) is not None
    except (ImportError, ValueError):  # what stands in its place is no library
        return False
