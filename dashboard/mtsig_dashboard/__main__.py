"""`python -m mtsig_dashboard [Streamlit's flags] [-- INPUT]` starts the dashboard."""

import sys

from mtsig.__main__ import until_stopped


def _run() -> int:
    from mtsig_dashboard.launch import main as run

    return run(sys.argv[1:])


if __name__ == "__main__":
    raise SystemExit(until_stopped(_run))
